"""A match at a table: the engine's match, dealt from a seed that was promised, with sealed choices."""

from __future__ import annotations

import hashlib
from typing import Any, Self

from kortlek.engine.chance import Committed
from kortlek.engine.fairness import AnySeed
from kortlek.engine.match import Act, Match
from kortlek.engine.plain import Spoken
from kortlek.engine.rng import seeded
from kortlek.game import Game

MOST_MOVES = 1 << 24
"""An upper bound of the number of choices and chance events in a match."""


class LiveMatch(Match[Any]):
    """A match in progress. It is determined by the options, what was promised and added (``fair``), and the choices."""

    def __init__(self, game: Game[Any], players: int, options: dict[str, Spoken], fair: AnySeed) -> None:
        super().__init__(game, players, options, Committed(fair), fair.text)
        self.fair = fair
        self.bot_seed = int.from_bytes(hashlib.blake2b(fair.key, digest_size=7, person=b"kortlek bots").digest(), "big")
        self.held_by: dict[int, list[str]] = {}
        """Who made the held choices (``by`` of the facts), by seat."""
        self.played_by: tuple[tuple[str, str], ...] = ()
        """When the match is over: the name of each seat's player, and the level if it is a bot."""
        self.seated: tuple[int, ...] = ()
        """When the match is over: the number of the person in each seat."""
        self.witnesses = 0
        """When the match is over: how many people had a token of the table by then."""

    @property
    def is_together(self) -> bool:
        """Whether all seats choose at the same time now."""
        return self.state.phase >= 0 and bool(self.game.choices[self.state.phase].together)

    def seal(self, seat: int, choice: int, by: str) -> None:
        """Hold a choice until all seats have chosen."""
        self.hold(seat, choice)
        self.held_by = {**self.held_by, seat: [*self.held_by.get(seat, []), by]}

    def unseal(self, seat: int) -> None:
        """Drop the last held choice of a seat."""
        self.withdraw(seat)
        self.held_by = {**self.held_by, seat: self.held_by[seat][:-1]}

    def step_held(self) -> tuple[str, list[Act]]:
        """Apply the next held choice, that of the seat in turn; return who made it, and the acts that are complete with it."""
        seat = self.state.turn
        by, *later = self.held_by[seat]
        self.held_by = {**self.held_by, seat: later}
        return by, self.step(self.held[seat].pop(0))

    def forget_held(self) -> None:
        """Drop all held choices: all seats have chosen, and the choices follow in the log."""
        self.held, self.held_by, self._views = {}, {}, []  # a player's views had her held choices in them

    def seed_for(self, seat: int) -> int:
        """The seed of a bot's next choice. Where all choose together, each seat has its own seed."""
        own = MOST_MOVES * (1 + seat) + len(self.held.get(seat, ())) if self.is_together and seat >= 0 else 0
        return seeded(self.bot_seed, len(self.moves) + own)

    def up_to(self, moves: int) -> Self:
        """The match as it was after this many choices and chance events."""
        earlier = super().up_to(moves)
        earlier.held_by = {}
        return earlier
