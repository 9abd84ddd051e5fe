"""Rules of thumb: how a player who does not think long chooses. Written like the rules, so that they run in both engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from kortlek.play.information import View
from kortlek.play.redealing import redeal
from kortlek.play.seeded import Rng, fraction, pick, seeded
from kortlek.rules.game import Game, Match

S = TypeVar("S", bound=Match)
Choose = Callable[[Any, Rng], int]
"""What a policy does: one of the legal choices of the player whose turn it is."""


@dataclass(frozen=True, eq=False)
class Policy(Generic[S]):
    """A way to choose. Raise ``version`` whenever it would choose otherwise than before: results speak of the version they were got with.

    ``choose(s, rng)`` is one of the legal choices of the player whose turn it is. It is given a whole state and may read only what that
    player sees and how many cards lie where: the tests change all the rest and see that it chooses the same. ``reason(s, choice)``
    says in half a sentence what speaks for a choice there, whoever made it."""

    name: str
    version: int
    about: str
    choose: Callable[[S, Rng], int]
    reason: Callable[[S, int], str]


class Habit:
    """A bot that follows a policy. The policy is shown a guess at the hidden cards: if it peeks, it peeks at a guess."""

    def __init__(self, policy: Policy[Any], seed: int) -> None:
        self.policy = policy
        self._rng = [seeded(seed, 0)]

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view."""
        return self.policy.choose(redeal(view, [seeded(0, 0)]), self._rng)


def slipping(game: Game[Any], policy: Policy[Any], name: str, slips: float, about: str) -> Policy[Any]:
    """A policy that now and then slips: with this probability a choice is anything that is legal."""
    legal, usual = game.legal, policy.choose

    def choose(s: Any, rng: Rng) -> int:
        return pick(legal(s), rng) if fraction(rng) < slips else usual(s, rng)

    return Policy(name, policy.version, about, choose, policy.reason)


def chance_of(game: Game[Any]) -> Policy[Any]:
    """The policy that has none: anything that is legal, all equally likely."""
    legal = game.legal

    def choose(s: Any, rng: Rng) -> int:
        return pick(legal(s), rng)

    return Policy("random", 1, "anything that is legal, all equally likely", choose, lambda s, choice: "it is allowed")
