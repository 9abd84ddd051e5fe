"""Rules of thumb: how a player who does not think long chooses. Written like the rules, so that they run in both engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Generic, TypeVar

from kortlek.engine.redeal import redeal
from kortlek.engine.rng import Rng, fraction, pick, seeded
from kortlek.engine.views import View
from kortlek.game import Game, Message, State, values

S = TypeVar("S", bound=State)
Choose = Callable[[Any, Rng], int]
"""What a policy does: one of the legal choices of the player whose turn it is."""


@dataclass(frozen=True, eq=False)
class Policy(Generic[S]):
    """A way to choose. Raise ``version`` whenever it would choose otherwise than before: results speak of the version they were got with.

    ``choose(s, rng)`` is one of the legal choices of the player whose turn it is. It is given a whole state and may read only what that
    player sees and how many cards lie where: the tests change all the rest and see that it chooses the same. ``reason(s, choice)`` is a message
    that says in half a sentence what speaks for a choice there, whoever made it. What people read of the policy is the message
    ``bot-<name>`` of the words file."""

    name: str
    version: int
    choose: Callable[[S, Rng], int]
    reason: Callable[[S, int], Message] = lambda s, choice: Message("reason-allowed")


class PolicyBot:
    """A bot that follows a policy. The policy is shown a guess at the hidden cards: if it peeks, it peeks at a guess.

    The same view and seed always give the same choice. The luck of a choice comes from both, so that it is another one in every position."""

    def __init__(self, policy: Policy[Any], seed: int) -> None:
        self.policy, self._seed = policy, seed

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view."""
        return self.policy.choose(redeal(view, [seeded(0, 0)]), [seeded(self._seed, fingerprint(view))])


def fingerprint(view: View[Any]) -> int:
    """A number of 62 bits that stands for what a seat sees, the same in every process."""
    seen = repr((view.seat, values(view.state))).encode()
    return int.from_bytes(blake2b(seen, digest_size=8).digest(), "big") >> 2


def slipping(game: Game[Any], policy: Policy[Any], name: str, slips: float) -> Policy[Any]:
    """A policy that now and then slips: with this probability a choice is anything that is legal."""
    legal, usual = game.legal, policy.choose

    def choose(s: Any, rng: Rng) -> int:
        return pick(legal(s), rng) if fraction(rng) < slips else usual(s, rng)

    return Policy(name, policy.version, choose, policy.reason)


def chance_of(game: Game[Any]) -> Policy[Any]:
    """The policy that has none: anything that is legal, all equally likely."""
    legal = game.legal

    def choose(s: Any, rng: Rng) -> int:
        return pick(legal(s), rng)

    return Policy("random", 1, choose)
