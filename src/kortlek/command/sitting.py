"""A person at a table with bots, without the terminal: who sits where, what happens, and how it is gone on with another day."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from re import fullmatch
from typing import Any

from kortlek.bots import BOT_NAMES, Level, level_called
from kortlek.cards import NOTHING
from kortlek.play import telling
from kortlek.play.information import View, view
from kortlek.play.plain import Event, Refused, begin, copy_of, draw_chance, happen, write
from kortlek.play.record import Record, is_name, opening, replay, write_down
from kortlek.play.seeded import seeded, shuffle
from kortlek.play.shuffle import Secret, fair_shuffle
from kortlek.rules.game import OVER, Game, Names

PERSON = 0
"""The seat of the person."""
Shuffle = Callable[[list[int], int], None]


def name_seats(person: str, levels: Sequence[str]) -> list[str]:
    """The person and the bots, as a record names them: a bot with its level, ``Lisa (random)``."""
    if not is_name(person):
        raise Refused(f"{person!r} cannot be a name: it has 1 to 40 characters that can be printed and no space at either end.")
    free = [name for name in BOT_NAMES if name != person]
    return [person, *bot_seats(levels, free)]


def bot_seats(levels: Sequence[str], names: Sequence[str] = BOT_NAMES) -> list[str]:
    """Bots as a record names them."""
    return [f"{name} ({level})" for name, level in zip(names, levels, strict=False)]


def short_names(seats: Sequence[str]) -> Names:
    """The players without their levels, unless two would be called the same."""
    short = tuple(seat.rpartition(" (")[0] or seat for seat in seats)
    return short if len(set(short)) == len(short) else tuple(seats)


def level_of(game: Game[Any], seat: str) -> Level:
    """The level of a bot, from its name in a record."""
    return level_called(game, seat.rpartition(" (")[2].removesuffix(")"))


def dealer(seed: int | str) -> Shuffle:
    """Who shuffles: a number stands for the fast generator, 64 hexadecimal digits for the secret one."""
    if isinstance(seed, int):
        rng = [seeded(seed, 0)]
        return lambda pack, n: shuffle(pack, n, rng)
    if not fullmatch("[0-9a-f]{64}", seed):
        raise Refused(f"{seed!r} is not a seed to deal from: that is a whole number or 64 hexadecimal digits.")
    secret = Secret(bytes.fromhex(seed))
    return lambda pack, n: fair_shuffle(pack, n, secret)


def seed_of_bots(seed: int | str) -> int:
    """What the bots' choices depend on; from a secret nobody can compute it back."""
    if isinstance(seed, int):
        return seed
    return int.from_bytes(hashlib.blake2b(bytes.fromhex(seed), digest_size=7, person=b"kortlek bots").digest(), "big")


class Sitting:
    """A match of a person against bots. Deals and bots' choices depend only on the seed and on how far the match has come, so a match
    that is gone on with goes on exactly as it would have."""

    def __init__(self, game: Game[Any], options: Mapping[str, object], seats: Sequence[str], seed: int | str) -> None:
        self.game = game
        self.seats = list(seats)
        self.names = short_names(seats)
        self.levels = [level_of(game, seat) for seat in seats[1:]]
        self.seed = seed
        self.s = begin(game, len(seats), options)
        self.events: list[str] = []
        self.rows: list[list[str]] = []
        self.since: list[telling.Line] = []
        """What the person has been told of the others since her last choice; kept until they go on."""
        self._own_was_last = False
        self._shuffle = dealer(seed)

    @classmethod
    def resumed(cls, record: Record) -> Sitting:
        """The match of a record that is not finished, as it stands."""
        game, _ = opening(record)
        if record.seed is None:
            raise Refused("The record has no seed, so the match cannot be gone on with.")
        sitting = cls(game, record.options, record.seats, record.seed)
        for step in replay(record):
            if not isinstance(step.event, int) and draw_chance(game, sitting.s, sitting._shuffle) != step.event:
                raise Refused("The deals of the record do not come from its seed, so the match cannot be gone on with.")
            sitting.happen(step.event)
        return sitting

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.s.phase == OVER)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person has to choose."""
        return bool(self.s.phase >= 0 and self.s.turn == PERSON)

    def seen(self) -> View[Any]:
        """What the person sees."""
        return view(self.game, self.s, PERSON)

    def happen(self, event: Event) -> list[telling.Line]:
        """Let something happen; what the person is told of it."""
        before = copy_of(self.s)
        self.events.append(write(self.game, self.s, event))
        happen(self.game, self.s, event)
        told = telling.news(self.game, before, event, self.s, PERSON)
        own = before.phase >= 0 and before.turn == PERSON
        if not own:
            self.since = told if self._own_was_last else self.since + told
        self._own_was_last = own
        row = telling.finished_round(self.game, before, self.s)
        self.rows += [row] if row else []
        return told

    def advance(self) -> Iterator[list[telling.Line]]:
        """Let chance and the bots go on until the person has to choose or the match is over; what she is told, turn by turn."""
        told = []
        while not (self.is_over or self.is_persons_turn):
            acting = self.s.turn if self.s.phase >= 0 else NOTHING
            if acting == NOTHING:
                told += self.happen(draw_chance(self.game, self.s, self._shuffle))
            else:
                bot = self.levels[acting - 1].make(seeded(seed_of_bots(self.seed), len(self.events) + 1), None)
                told += self.happen(bot.choose(view(self.game, self.s, acting)))
            if self.s.phase < 0 or self.s.turn != acting:
                yield told
                told = []

    def record(self) -> Record:
        """The match as far as it has come."""
        return write_down(self.game, self.s, self.seats, self.seed, self.events)

    def score_sheet(self) -> list[str]:
        """The score sheet so far."""
        return telling.score_sheet(self.game, telling.called(self.names, PERSON), self.rows, self.s.score)

    def last(self) -> list[str]:
        """What lay on the table before, or else what has happened since the person's last choice."""
        picture = self.game.picture
        before = picture.last(self.seen().state, telling.called(self.names, PERSON)) if picture and picture.last else ""
        return [before] if before else telling.sentences(self.since, self.names, PERSON) or ["Nothing has happened yet."]
