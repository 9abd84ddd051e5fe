"""What a game declares about its bots: its policies, and the parameters of the search. Everything has a default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kortlek.bots.policy import Policy
from kortlek.cards import Cards
from kortlek.game import Game
from kortlek.game.registry import part_of


@dataclass(frozen=True, eq=False)
class Knobs:
    """The declaration in the ``bots.py`` of a game. In a game that is a single file, every ``Policy`` is one of its bots."""

    policies: tuple[Policy[Any], ...] = ()
    prior: Policy[Any] | None = None
    """What a bot that thinks would do without thinking, where that is better than the house."""
    value: Callable[[Any], float] | None = None
    """What a position is worth to a player who has just got the turn: playouts end there."""
    loyalty: float = 0.0
    """By how many standard errors another choice must be better than the prior's, where playouts are few or rough."""
    steps: tuple[int, int] = (5_000, 100_000)
    """How many steps club and expert may simulate for a choice: well below a hundredth and a tenth of a second."""
    swing: int = 20
    """About how many points one round can turn: the scale of a search, and of what winning the match is worth."""
    likelihood: Callable[[Any, int], float] | None = None
    """How well a guess at the hidden cards explains what a seat did, from 0 to 1."""
    consider: Callable[[Any], Cards] | None = None
    """The choices to consider, where some need no thought."""


@cache
def knobs_of(game: Game[Any]) -> Knobs:
    """The knobs that a game declares, or the defaults."""
    module = part_of(game, "bots")
    if module is None:
        return Knobs()
    declared = [each for each in vars(module).values() if isinstance(each, Knobs)]
    return declared[0] if declared else Knobs(policies_in(vars(module)))


def policies_in(namespace: dict[str, Any]) -> tuple[Policy[Any], ...]:
    """The policies in a namespace, without duplicates."""
    return tuple({id(each): each for each in namespace.values() if isinstance(each, Policy)}.values())
