"""How the house plays: rules of thumb for each game, frozen and versioned, so that others can be measured by them."""

from typing import Any

from kortlek.bots.house import cascade, plump, rummy, trick_paper_scissors
from kortlek.bots.policy import Policy

POLICIES: dict[str, tuple[Policy[Any], ...]] = {
    "plump": (plump.HOUSE,),
    "trick_paper_scissors": (trick_paper_scissors.HOUSE,),
    "rummy": (rummy.HOUSE, rummy.ORIGINAL),
    "cascade": (cascade.HOUSE, cascade.EASY, cascade.HARD),
}
"""The policies of each game, by the game's name."""
PLAYOUTS: dict[str, Policy[Any]] = {}
"""How everyone plays on when a stronger bot thinks, where that is not the house."""
