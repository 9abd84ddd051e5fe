"""Looking at a match moment by moment: one that is over at a table, or one that bots play for whoever wants to watch.

A match of bots follows from what was asked for and nothing else, so none has to be kept: those in memory are only quicker. Everybody's
cards are shown of matches that are over, and of those in which nobody plays but bots.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import TypeVar

from kortlek.bots import BOT_NAMES
from kortlek.bots.levels import level_called
from kortlek.engine.moments import Moment, moments
from kortlek.engine.plain import Refused, begin, shorten
from kortlek.engine.rng import seeded
from kortlek.engine.view_json import event_to_json, sheet_to_json, view_to_json
from kortlek.game import Message, Names
from kortlek.game.registry import GAMES
from kortlek.table import facts
from kortlek.table.match import LiveMatch
from kortlek.table.messages import Considered, Film, Frame
from kortlek.table.refusals import Refusal
from kortlek.table.sending import considered
from kortlek.table.store import Entry
from kortlek.table.table import Table
from kortlek.table.workers import Question, Unready, Workers
from kortlek.game.game import usual_players

A = TypeVar("A")
AT_ONCE = 50
"""How many moments are told at once."""
LONGEST = 5000
"""How many moments of a match of bots are played; then it is left."""
PATIENCE = 2.0
"""After this many seconds of thinking a viewer is told what there is; who wants more asks again."""
KEPT = 64
"""How many matches of bots are kept in memory."""
QUEUE = 20
"""How many viewers may wait for their moments."""
CONSIDERED = 4
"""How many alternatives of a bot are told."""


# ---- a match at a table


def replay(table: Table, person: int, seat: int, first: int, many: int) -> Film:
    """Moments of the match that is over at a table, for those who may have its record."""
    match = table.finished(person)
    names, levels = zip(*match.played_by, strict=True)
    return filmed(match, names, levels, table.matches, seat, first, many, {})


def at_the_end_of(entries: Iterable[Entry], number: int) -> Table:
    """A table as it was before the match after this one began: made again from its log."""
    table = Table("")
    for entry in entries:
        if table.matches == number and isinstance(facts.read(entry.body), facts.Began):
            break
        table.take(entry)
    return table


# ---- a match of bots


@dataclass(frozen=True)
class FilmRequest:
    """A match of bots that somebody would like to watch, checked."""

    game: str
    levels: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: int

    @classmethod
    def read(cls, game: str, players: int | None, bots: str, options: Sequence[str], seed: int) -> FilmRequest:
        """What was asked for; Refusal if there is no such match."""
        if game not in GAMES:
            raise Refusal("unknown", Message("refuse-no-game", {"text": shorten(game), "games": ", ".join(GAMES)}))
        many = usual_players(GAMES[game]) if players is None else players
        pairs = tuple((name.strip(), value.strip()) for name, _, value in (each.partition("=") for each in options))
        try:
            begin(GAMES[game], many, dict(pairs))
            levels = [level_called(GAMES[game], each.strip()).name for each in bots.split(",")]
        except Refused as refused:
            raise Refusal.because("not_possible", refused) from refused
        if len(levels) > many:
            raise Refusal("not_possible", Message("refuse-bots-many", {"bots": len(levels), "players": many}))
        return cls(game, tuple(islice(cycle(levels), many)), pairs, seed)

    def begin(self) -> LiveMatch:
        """The match, when the first one has to choose."""
        secret = hashlib.sha256(f"watch {self.seed}".encode()).hexdigest()
        match = LiveMatch(GAMES[self.game], len(self.levels), dict(self.options), secret, [""] * len(self.levels))
        match.deal()
        return match


@dataclass(eq=False)
class BotMatch:
    """A match of bots as far as it has been played, and what they thought at the moments that somebody asked about."""

    levels: tuple[str, ...]
    match: LiveMatch
    known: int = 1
    thoughts: dict[int, list[Considered]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def names(self) -> Names:
        """What the bots are called."""
        return BOT_NAMES[: len(self.levels)]

    @property
    def is_done(self) -> bool:
        """Whether there is no more to come."""
        return self.match.over or self.known >= LONGEST


class Films:
    """Those who look: one at a time is worked for, so that people at tables never wait longer for a bot than for one more choice, and for
    the server than for one more moment."""

    def __init__(self) -> None:
        self._kept: OrderedDict[FilmRequest, BotMatch] = OrderedDict()
        self._alone = asyncio.Lock()
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn; Refusal if too many do."""
        if self._waiting >= QUEUE:
            raise Refusal("too_many", "refuse-too-many-films")
        self._waiting += 1
        try:
            async with self._alone:
                yield
        finally:
            self._waiting -= 1

    async def work(self, job: Callable[..., A], *about: object) -> A:
        """Do something that takes a while, beside what the server does for its tables."""
        async with self.turn():
            return await asyncio.to_thread(job, *about)

    def find(self, asked: FilmRequest) -> BotMatch:
        """A match of bots: the one in memory, or from its beginning."""
        watched = self._kept.pop(asked, None) or BotMatch(asked.levels, asked.begin())
        self._kept[asked] = watched
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return watched

    async def watch(self, asked: FilmRequest, workers: Workers, seat: int, first: int, many: int, with_thoughts: bool) -> Film:
        """Moments of a match of bots. There may be fewer than were asked for: as many as could be thought of in time."""
        watched, until = self.find(asked), time.monotonic() + PATIENCE
        check_seat(seat, watched.match)
        async with watched.lock:
            with suppress(Unready):
                await self._play_on(watched, workers, first + many, until)
            if with_thoughts:
                many = await self._think_again(watched, workers, first, many, until)
            thoughts = watched.thoughts if with_thoughts else {}
            return await self.work(filmed, watched.match, watched.names, asked.levels, 0, seat, first, many, thoughts, watched.is_done)

    async def _play_on(self, watched: BotMatch, workers: Workers, wanted: int, until: float) -> None:
        """Let the bots play, until there are as many moments as wanted, or it has taken too long."""
        match = watched.match
        while watched.known < wanted and not watched.is_done and time.monotonic() < until:
            seat = match.state.turn
            question = Question.about(match.view(seat), watched.levels[seat], seeded(match.bot_seed, len(match.moves)))
            async with self.turn():
                choice = await workers.choose_the_same(question)
            match.play(choice)
            watched.known += 1

    async def _think_again(self, watched: BotMatch, workers: Workers, first: int, many: int, until: float) -> int:
        """Ask the bots what they thought before each of these moments; of how many we know it now."""
        missing = [at for at in range(max(first, 1), min(first + many, watched.known)) if at not in watched.thoughts]
        questions = await self.work(asked_before, watched, missing) if missing else {}
        for at in missing:
            if time.monotonic() >= until and at > missing[0]:
                return at - first
            try:
                async with self.turn():
                    told = await workers.why_the_same(questions[at])
            except Unready:
                return at - first
            watched.thoughts[at] = considered(questions[at].view(), told[:CONSIDERED])
        return many


def asked_before(watched: BotMatch, numbers: Sequence[int]) -> dict[int, Question]:
    """What a bot was asked before each of these moments."""
    match, questions = watched.match, dict[int, Question]()
    for at, moment in enumerate(moments(match), 1):
        if at in numbers:
            seat = moment.s.turn
            questions[at] = Question.about(moment.seen(seat), watched.levels[seat], seeded(match.bot_seed, moment.moves))
    return questions


# ---- what is told of either


def check_seat(seat: int, match: LiveMatch) -> None:
    """Refusal if nobody sits there."""
    if seat >= match.players:
        raise Refusal("not_possible", Message("refuse-no-seat", {"seat": seat, "last": match.players - 1}))


def filmed(
    match: LiveMatch,
    names: Names,
    levels: Sequence[str],
    number: int,
    seat: int,
    first: int,
    many: int,
    thoughts: dict[int, list[Considered]],
    is_done: bool = True,
) -> Film:
    """Some moments of a match with the eyes of a seat."""
    check_seat(seat, match)
    rounds, frames, known = list[int](), list[Frame](), 0
    for at, moment in enumerate(moments(match)):
        known = at + 1
        rounds += [at] if moment.begins_round else []
        if first <= at < first + many:
            frames.append(framed(moment, seat, thoughts.get(at, [])))
            time.sleep(0)  # so that the server has a chance to do something else in between
    return Film(
        game=match.game.name,
        title=match.game.title,
        match=number,
        seat=seat,
        names=list(names),
        levels=list(levels),
        options=match.options,
        known=known,
        over=is_done,
        rounds=rounds,
        first=first,
        frames=frames,
    )


def framed(moment: Moment, viewer: int, thoughts: list[Considered]) -> Frame:
    """A moment as a viewer is shown it."""
    return Frame(
        by=moment.by,
        choice=moment.choice,
        events=[event_to_json(event) for event in moment.events(viewer)],
        match=view_to_json(moment.seen(viewer)),
        sheet=sheet_to_json(moment.rows, moment.s),
        thoughts=thoughts,
    )
