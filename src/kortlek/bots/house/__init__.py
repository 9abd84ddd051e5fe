"""How the house plays: rules of thumb for each game, frozen and versioned, so that others can be measured by them."""

from collections.abc import Callable
from typing import Any

from kortlek.bots.house import cascade, cascade_chains, evidence, plump, rummy, rummy_sharp, trick_paper_scissors, up_and_down
from kortlek.bots.policy import Policy
from kortlek.cards import Cards

POLICIES: dict[str, tuple[Policy[Any], ...]] = {
    "plump": (plump.HOUSE,),
    "up_and_down": (up_and_down.HOUSE,),
    "trick_paper_scissors": (trick_paper_scissors.HOUSE,),
    "rummy": (rummy.HOUSE, rummy.ORIGINAL, rummy_sharp.SHARP),
    "cascade": (cascade.HOUSE, cascade.EASY, cascade.HARD, cascade.DEEP),
}
"""The policies of each game, by the game's name."""
USUALLY: dict[str, Policy[Any]] = {"cascade": cascade.DEEP, "rummy": rummy_sharp.SHARP}
"""What one would do without thinking, where somebody knows better than the house."""
WORTH: dict[str, Callable[[Any], float]] = {"cascade": cascade_chains.worth}
"""What a position is worth to a player who has just got the turn, where that is known: playouts end there."""
LOYALTY = {"cascade": 1.0, "rummy": 2.0}
"""By how many standard errors another choice must be better than the usual one, where playouts are few or rough."""
STEPS = {"cascade": (900, 18_000), "rummy": (5_000, 100_000)}
"""How long club and expert think, where it is not as long as usual."""
LIKELY: dict[str, Callable[[Any, int], float]] = {"plump": evidence.of_plump, "up_and_down": evidence.of_up_and_down}
"""How well a guess explains what somebody did, where that can be told."""
SENSIBLE: dict[str, Callable[[Any], Cards]] = {"plump": evidence.sensible_in_plump, "up_and_down": evidence.sensible_in_up_and_down}
"""The choices that are worth a thought, where some are not."""
