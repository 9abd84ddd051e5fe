"""Films: a match moment by moment, either a finished match of a table or a match between bots.

A match between bots is determined by its request alone, so none is stored: the matches in memory are only a cache. All cards are visible only in
finished matches and in matches between bots.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import TypeVar

from kortlek.bots import BOT_NAMES
from kortlek.bots.levels import level_called
from kortlek.engine.fairness import Seed
from kortlek.engine.moments import Moment, moments
from kortlek.engine.plain import Refused, begin, shorten
from kortlek.engine.rng import seeded
from kortlek.engine.view_json import event_to_json, explained_to_json, sheet_to_json, view_to_json
from kortlek.game import Message, Names
from kortlek.game.registry import GAMES
from kortlek.table.match import LiveMatch
from kortlek.table.news import considered
from kortlek.table.protocol.client_out import Considered
from kortlek.table.protocol.lobby_out import Film, Frame
from kortlek.table.refusals import Refusal
from kortlek.table.table import Table
from kortlek.table.turns import BOTS
from kortlek.table.workers import Question, Share, Unready, Workers
from kortlek.game.game import usual_players

A = TypeVar("A")
PAGE_SIZE = 50
"""The largest number of moments in one response."""
MAX_MOMENTS = 5000
"""The number of moments after which a match between bots is abandoned."""
TIMEOUT = 2.0
"""The number of seconds that bots may compute for one request; the response holds the moments that are known then."""
KEPT = 64
"""The number of matches between bots that are cached in memory."""
QUEUE = 20
"""The number of requests that may wait in the queue."""
FILMS = Share("films", BOTS)
"""All films together have the share of one table where only bots play."""
CONSIDERED = 4
"""The number of alternatives that are reported for each choice of a bot."""


# ---- a match at a table


def replay(table: Table, person: int, seat: int, first: int, many: int) -> Film:
    """Moments of the finished match of a table, for people who may have its record."""
    match = table.finished(person)
    names, levels = zip(*match.played_by, strict=True)
    return filmed(match, names, levels, table.matches, seat, first, many, {})


# ---- a match of bots


@dataclass(frozen=True)
class FilmRequest:
    """A validated request for a match between bots."""

    game: str
    levels: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: int

    @classmethod
    def read(cls, game: str, players: int | None, bots: str, options: Sequence[str], seed: int) -> FilmRequest:
        """Validate the parameters of a request. Raise Refusal if there is no such match."""
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
        """Start the match, and deal until the first choice."""
        secret = hashlib.sha256(f"watch {self.seed}".encode()).digest()
        match = LiveMatch(GAMES[self.game], len(self.levels), dict(self.options), Seed("watch", 1, secret, ("",) * len(self.levels)))
        match.deal()
        return match


@dataclass(eq=False)
class BotMatch:
    """A match between bots as far as it has been played, and the bots' evaluations of the moments for which they were requested."""

    levels: tuple[str, ...]
    match: LiveMatch
    known: int = 1
    thoughts: dict[int, list[Considered]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def names(self) -> Names:
        """The names of the bots."""
        return BOT_NAMES[: len(self.levels)]

    @property
    def is_done(self) -> bool:
        """Whether no further moments will be played."""
        return self.match.over or self.known >= MAX_MOMENTS


class Films:
    """The requests for films. They are served one at a time, so that people at tables wait at most one more bot choice for a worker, and one more
    moment for the server."""

    def __init__(self) -> None:
        self._kept: OrderedDict[FilmRequest, BotMatch] = OrderedDict()
        self._alone = asyncio.Lock()
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait in the queue for exclusive use. Raise Refusal if the queue is full."""
        if self._waiting >= QUEUE:
            raise Refusal("too_many", "refuse-too-many-films")
        self._waiting += 1
        try:
            async with self._alone:
                yield
        finally:
            self._waiting -= 1

    async def work(self, job: Callable[..., A], *about: object) -> A:
        """Run a slow function in a thread, so that the event loop stays free for the tables."""
        async with self.turn():
            return await asyncio.to_thread(job, *about)

    def find(self, asked: FilmRequest) -> BotMatch:
        """The match between bots of a request: from the cache, or newly started."""
        watched = self._kept.pop(asked, None) or BotMatch(asked.levels, asked.begin())
        self._kept[asked] = watched
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return watched

    async def watch(self, asked: FilmRequest, workers: Workers, seat: int, first: int, many: int, with_thoughts: bool) -> Film:
        """Moments of a match between bots: possibly fewer than requested, as many as could be computed in time."""
        watched, until = self.find(asked), time.monotonic() + TIMEOUT
        check_seat(seat, watched.match)
        async with watched.lock:
            with suppress(Unready):
                await self._play_on(watched, workers, first + many, until)
            if with_thoughts:
                many = await self._think_again(watched, workers, first, many, until)
            thoughts = watched.thoughts if with_thoughts else {}
            return await self.work(filmed, watched.match, watched.names, asked.levels, 0, seat, first, many, thoughts, watched.is_done)

    async def _play_on(self, watched: BotMatch, workers: Workers, wanted: int, until: float) -> None:
        """Let the bots play until there are ``wanted`` moments, or until the deadline."""
        match = watched.match
        while watched.known < wanted and not watched.is_done and time.monotonic() < until:
            seat = match.state.turn
            question = Question.about(match.view(seat), watched.levels[seat], seeded(match.bot_seed, len(match.moves)))
            async with self.turn():
                choice = await workers.choose_the_same(question, FILMS)
            match.play(choice)
            watched.known += 1

    async def _think_again(self, watched: BotMatch, workers: Workers, first: int, many: int, until: float) -> int:
        """Compute the bots' evaluations for these moments, and return the number of moments from ``first`` on for which they are known."""
        missing = [at for at in range(max(first, 1), min(first + many, watched.known)) if at not in watched.thoughts]
        questions = await self.work(asked_before, watched, missing) if missing else {}
        for at in missing:
            if time.monotonic() >= until and at > missing[0]:
                return at - first
            try:
                async with self.turn():
                    told = await workers.why_the_same(questions[at], FILMS)
            except Unready:
                return at - first
            watched.thoughts[at] = considered(questions[at].view(), told[:CONSIDERED])
        return many


def asked_before(watched: BotMatch, numbers: Sequence[int]) -> dict[int, Question]:
    """The question that a bot had to answer before each of these moments."""
    match, questions = watched.match, dict[int, Question]()
    for at, moment in enumerate(moments(match), 1):
        if at in numbers:
            seat = moment.s.turn
            questions[at] = Question.about(moment.seen(seat), watched.levels[seat], seeded(match.bot_seed, moment.moves))
    return questions


# ---- both kinds of films


def check_seat(seat: int, match: LiveMatch) -> None:
    """Raise Refusal if the match has no such seat."""
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
    rest: Callable[[], None] = lambda: time.sleep(0),
) -> Film:
    """Some moments of a match from the viewpoint of a seat. ``rest`` is called after each: by default it releases the GIL, so that the event loop can
    run in between."""
    check_seat(seat, match)
    rounds, frames, known = list[int](), list[Frame](), 0
    for at, moment in enumerate(moments(match)):
        known = at + 1
        rounds += [at] if moment.begins_round else []
        if first <= at < first + many:
            frames.append(framed(moment, seat, thoughts.get(at, [])))
            rest()
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
    """A moment as a viewer sees it."""
    seen = moment.seen(viewer)
    return Frame(
        by=moment.by,
        choice=moment.choice,
        events=[event_to_json(event) for event in moment.events(viewer)],
        match=view_to_json(seen),
        explained=explained_to_json(seen),
        sheet=sheet_to_json(moment.game, moment.rows, moment.s),
        thoughts=thoughts,
    )
