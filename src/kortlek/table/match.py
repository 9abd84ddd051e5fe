"""A match at a table: what has happened in it, and the chance events that its secret holds."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from kortlek.play import fairness, telling
from kortlek.play.information import View, view
from kortlek.play.plain import Event, Spoken, begin, copy_of, draw_chance, happen, read, write
from kortlek.play.record import Record, write_down
from kortlek.play.seeded import seeded
from kortlek.rules.game import OVER, Game


class Played:
    """A match as far as it has come. Everything in it follows from the options, the secret, the players' luck and the choices."""

    def __init__(self, game: Game[Any], players: int, options: dict[str, Spoken], secret: str, luck: Sequence[str]) -> None:
        self.game, self.options, self.secret, self.luck = game, options, secret, tuple(luck)
        self._key = fairness.key_of(bytes.fromhex(secret), luck)
        self.bot_seed = int.from_bytes(hashlib.blake2b(self._key, digest_size=7, person=b"kortlek bots").digest(), "big")
        self.s = begin(game, players, options)
        self.events: list[Event] = []
        self.written: list[str] = []
        self.rows: list[list[str]] = []
        self.played_by: tuple[tuple[str, str], ...] = ()
        """When it is over: the name of who had each seat, and the level of a bot."""
        self._chances = 0
        self._sights: list[tuple[Any, dict[int, View[Any]]]] = []

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.s.phase == OVER)

    @property
    def turn(self) -> int | None:
        """Whose choice the match waits for."""
        return self.s.turn if self.s.phase >= 0 else None

    def happen(self, event: Event) -> Any:
        """Let an event happen; the state before it. No state changes: each event makes a new one."""
        before, self.s = self.s, copy_of(self.s)
        self.events.append(event)
        self.written.append(write(self.game, before, event))
        self._chances += not isinstance(event, int)
        happen(self.game, self.s, event)
        row = telling.finished_round(self.game, before, self.s)
        self.rows += [row] if row else []
        return before

    def read(self, text: str) -> Event:
        """The event that a line of the log stands for."""
        return read(self.game, self.s, text)

    def chance(self) -> tuple[int, ...]:
        """The chance event that the match waits for. It depends on the secret and on how many came before, and on nothing else: choices that are
        taken back never change a deal."""
        return draw_chance(self.game, self.s, fairness.shuffler(self._key, self._chances))

    def seen(self, seat: int) -> View[Any]:
        """What a seat sees."""
        return self.sight(self.s, seat)

    def sight(self, s: Any, viewer: int) -> View[Any]:
        """What a viewer sees of a state of this match. It is kept for the last two states that somebody looked at: news are told from one
        to the other, and then the table is shown."""
        views = next((views for state, views in self._sights if state is s), None)
        if views is None:
            views = {}
            self._sights = [*self._sights[-1:], (s, views)]
        if viewer not in views:
            views[viewer] = view(self.game, s, viewer)
        return views[viewer]

    def seed(self) -> int:
        """What a bot's next choice depends on, besides its view."""
        return seeded(self.bot_seed, len(self.events))

    def copy(self) -> Played:
        """The same match, to be gone on with separately."""
        other = copy.copy(self)
        other.events, other.written, other.rows = self.events[:], self.written[:], self.rows[:]
        return other

    def up_to(self, many: int) -> Played:
        """The match as it was after so many events."""
        earlier = Played(self.game, self.s.players, self.options, self.secret, self.luck)
        for event in self.events[:many]:
            earlier.happen(event)
        return earlier

    def steps(self) -> Iterator[tuple[Any, Event]]:
        """Each event so far, with the state before it."""
        again = Played(self.game, self.s.players, self.options, self.secret, self.luck)
        for event in self.events:
            yield again.happen(event), event

    def record(self, seats: Sequence[str]) -> Record:
        """The match written down; while it is not over nobody but the server may see it."""
        return write_down(self.game, self.s, seats, fairness.seed_of(bytes.fromhex(self.secret), self.luck), self.written)
