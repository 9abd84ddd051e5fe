"""Policies: rules of thumb that choose without simulation. They are written like the rules, so that they run in both engines."""

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
"""The function of a policy: it returns one of the legal choices of the player in turn."""


@dataclass(frozen=True, eq=False)
class Policy(Generic[S]):
    """A way to choose. Raise ``version`` whenever it would choose differently: results are reported with the version that they were measured with.

    ``choose(s, rng)`` returns one of the legal choices of the player in turn. It receives a complete state, but may read only what that player
    sees and how many cards each place has: the tests change everything else and check that the choice stays the same. ``reason(s, choice)`` is a
    message with the reason for a choice in half a sentence, whoever made it. The description of the policy is the message ``bot-<name>`` of the
    words file."""

    name: str
    version: int
    choose: Callable[[S, Rng], int]
    reason: Callable[[S, int], Message] = lambda s, choice: Message("reason-allowed")


class PolicyBot:
    """A bot that follows a policy. The policy receives a sampled deal of the hidden cards, so a policy that reads hidden cards learns nothing
    true.

    The same view and seed always give the same choice. The random numbers of a choice are derived from both, so that they differ between
    positions."""

    def __init__(self, policy: Policy[Any], seed: int) -> None:
        self.policy, self._seed = policy, seed

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view."""
        return self.policy.choose(redeal(view, [seeded(0, 0)]), [seeded(self._seed, fingerprint(view))])


def fingerprint(view: View[Any]) -> int:
    """A 62-bit hash of what a seat sees, the same in every process."""
    seen = repr((view.seat, values(view.state))).encode()
    return int.from_bytes(blake2b(seen, digest_size=8).digest(), "big") >> 2


def slipping(game: Game[Any], policy: Policy[Any], name: str, slips: float) -> Policy[Any]:
    """A policy that makes mistakes: with probability ``slips``, a choice is a random legal one."""
    legal, usual = game.legal, policy.choose

    def choose(s: Any, rng: Rng) -> int:
        return pick(legal(s), rng) if fraction(rng) < slips else usual(s, rng)

    return Policy(name, policy.version, choose, policy.reason)


def random_policy(game: Game[Any]) -> Policy[Any]:
    """The random policy: all legal choices are equally likely."""
    legal = game.legal

    def choose(s: Any, rng: Rng) -> int:
        return pick(legal(s), rng)

    return Policy("random", 1, choose)
