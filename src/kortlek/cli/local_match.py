"""A match of a person against bots, independent of the terminal: seats, steps, and resuming from a record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kortlek.bots import BOT_NAMES, Level, level_called
from kortlek.bots.levels import bot_seats
from kortlek.engine.chance import chance_from
from kortlek.engine.events import Event, events_of
from kortlek.engine.match import Match
from kortlek.engine.plain import Event as Moved
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, is_name
from kortlek.engine.rng import seeded
from kortlek.engine.views import View
from kortlek.game import Game, Names

PERSON = 0
"""The seat of the person."""
Told = list[Event]
"""The events of an act that the person may see."""


def name_seats(person: str, levels: Sequence[str]) -> list[str]:
    """The names of the person and the bots for the record; a bot with its level, ``Lisa (random)``."""
    if not is_name(person):
        raise Refused(f"{person!r} cannot be a name: it has 1 to 40 characters that can be printed and no space at either end.")
    free = [name for name in BOT_NAMES if name != person]
    return [person, *bot_seats(levels, free)]


def short_names(seats: Sequence[str]) -> Names:
    """The names without the levels, unless two would be the same."""
    short = tuple(seat.rpartition(" (")[0] or seat for seat in seats)
    return short if len(set(short)) == len(short) else tuple(seats)


def level_of(game: Game[Any], seat: str) -> Level:
    """The level of a bot, from its name in a record."""
    return level_called(game, seat.rpartition(" (")[2].removesuffix(")"))


def seed_of_bots(seed: int | str) -> int:
    """The seed of the bots. For a secret it is a hash, so that the secret cannot be computed from it."""
    if isinstance(seed, int):
        return seed
    return int.from_bytes(hashlib.blake2b(bytes.fromhex(seed), digest_size=7, person=b"kortlek bots").digest(), "big")


class LocalMatch:
    """A match of a person against bots. Deals and bots' choices depend only on the seed and the number of moves so far, so a resumed match
    continues exactly as it would have without the interruption."""

    def __init__(self, game: Game[Any], options: Mapping[str, object], seats: Sequence[str], seed: int | str) -> None:
        self.match: Match[Any] = Match(game, len(seats), options, seed=seed)
        self.seats, self.names = list(seats), short_names(seats)
        self.levels = [level_of(game, seat) for seat in seats[1:]]
        self.seed = seed
        self.since: list[Told] = []
        """The events that the person has seen since her last choice; kept until the first move after it that is not hers."""
        self._own_was_last = False

    @classmethod
    def resumed(cls, record: Record) -> LocalMatch:
        """The match of an unfinished record, in its last position."""
        if record.seed is None:
            raise Refused("The record has no seed, so the match cannot be gone on with.")
        match = Match.from_record(record, chance_from)
        local = cls(match.game, match.options, record.seats, record.seed)
        for move in match.moves:
            local.step(move)
        return local

    @property
    def game(self) -> Game[Any]:
        """The game of the match."""
        return self.match.game

    def seen(self) -> View[Any]:
        """The view of the person."""
        return self.match.view(PERSON)

    def step(self, move: Moved) -> list[Told]:
        """Make a move, and return the events of the acts that are complete now, as the person sees them."""
        own = self.match.turn == PERSON
        told = [events_of(self.game, act, PERSON) for act in self.match.step(move)]
        if not own:
            self.since = told if self._own_was_last else self.since + told
        self._own_was_last = own
        return told

    def advance(self) -> Iterator[Told]:
        """Let chance and the bots move until the person has to choose or the match is over. Yields the events she sees, act by act."""
        while not self.match.over and self.match.turn != PERSON:
            yield from self.step(self._next_move())

    def _next_move(self) -> Moved:
        acting = self.match.turn
        if acting is None:
            return self.match.chance()
        bot = self.levels[acting - 1].make(seeded(seed_of_bots(self.seed), len(self.match.moves) + 1), None)
        return bot.choose(self.match.view(acting))

    def record(self) -> Record:
        """The record of the match so far."""
        return self.match.record(self.seats)
