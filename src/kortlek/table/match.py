"""A match at a table: the match of the engine, dealt from the table's secret and the players' luck, and what a table adds to it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Self

from kortlek.engine import fairness
from kortlek.engine.chance import Committed
from kortlek.engine.match import Match
from kortlek.engine.plain import Spoken
from kortlek.engine.rng import seeded
from kortlek.game import Game

MOST_MOVES = 1 << 24
"""More choices and chance events than a match has."""


class LiveMatch(Match[Any]):
    """A match as far as it has come. Everything in it follows from the options, the secret, the players' luck and the choices."""

    def __init__(self, game: Game[Any], players: int, options: dict[str, Spoken], secret: str, luck: Sequence[str]) -> None:
        key = fairness.key_of(bytes.fromhex(secret), luck)
        super().__init__(game, players, options, Committed(secret, luck), fairness.seed_of(bytes.fromhex(secret), luck))
        self.secret, self.luck = secret, tuple(luck)
        self.bot_seed = int.from_bytes(hashlib.blake2b(key, digest_size=7, person=b"kortlek bots").digest(), "big")
        self.held_by: dict[int, list[str]] = {}
        """Who decided the choices that are held (see ``facts``), by seat."""
        self.played_by: tuple[tuple[str, str], ...] = ()
        """When it is over: the name of who had each seat, and the level of a bot."""

    @property
    def is_together(self) -> bool:
        """Whether all choose at once now, each for herself."""
        return self.state.phase >= 0 and bool(self.game.choices[self.state.phase].together)

    def seal(self, seat: int, choice: int, by: str) -> None:
        """Hold a choice until all have chosen."""
        self.hold(seat, choice)
        self.held_by = {**self.held_by, seat: [*self.held_by.get(seat, []), by]}

    def unseal(self, seat: int) -> None:
        """Forget the last of the choices of a seat that are held."""
        self.withdraw(seat)
        self.held_by = {**self.held_by, seat: self.held_by[seat][:-1]}

    def step_held(self) -> str:
        """Let the next of the held choices happen, that of the player in turn; who decided it."""
        seat = self.state.turn
        by, *later = self.held_by[seat]
        self.held_by = {**self.held_by, seat: later}
        self.step(self.held[seat].pop(0))
        return by

    def forget_held(self) -> None:
        """All have chosen: what was held happens now."""
        self.held, self.held_by = {}, {}

    def seed_for(self, seat: int) -> int:
        """What a bot's next choice depends on, besides its view. Those who choose together have seeds of their own."""
        own = MOST_MOVES * (1 + seat) + len(self.held.get(seat, ())) if self.is_together and seat >= 0 else 0
        return seeded(self.bot_seed, len(self.moves) + own)

    def up_to(self, moves: int) -> Self:
        """The match as it was after this many choices and chance events."""
        earlier = super().up_to(moves)
        earlier.held_by = {}
        return earlier
