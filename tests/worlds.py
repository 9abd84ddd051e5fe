"""Non-interference of tables: two worlds that a viewer cannot tell apart. Both have the same table and the same events as far as she can know, but
different cards where she cannot see them. Every byte that the table sends her must be the same in both."""

from __future__ import annotations

import asyncio
from copy import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import msgspec
from playing import SHORT, next_event, walk
from tables import after

from kortlek.cards import lowest
from kortlek.engine import plain
from kortlek.engine.match import Mark
from kortlek.engine.plain import Event, Spoken
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import below, pick, seeded
from kortlek.engine.views import ONLOOKER, OPEN, Place, how_many, view
from kortlek.game import OVER, Game, Message, fields_of
from kortlek.table import clocks, facts, films, frames, handlers, questions
from kortlek.table.facts import AnyFact
from kortlek.table.host import Host
from kortlek.table.frames import Before, Teller
from kortlek.table.live import Connection, Live
from kortlek.table.protocol.client_in import AnyQuestion, AnyRequest, Choose, Explain, Hint, History, Join, Start, Undo
from kortlek.table.protocol.client_out import Denied, encoded
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.refusals import Refusal
from kortlek.table.question import Question, Reason
from kortlek.table.store import Entry, SqliteStore
from kortlek.table.table import STRANGER, Step, Table
from kortlek.table.turns import SHARE, Share
from kortlek.table.workers import Workers

LOOP = asyncio.new_event_loop()
"""Answers questions."""
CHOICES = 3
"""How many choices are made in both worlds."""
WHERE_ALL_CHOOSE = 14
"""How many are made in games in which all choose together: enough for every seat."""
SWAPS = 16
"""How many swaps of two cards of a pack are tried where the viewer does not see them."""
NOW = 1_700_000_000_000
FACT_INTERVAL = 3
"""Milliseconds between two facts."""


def leaks(game: Game[Any], games: Iterable[int], reveals: bool = False) -> Iterator[str]:
    """Differences in what a viewer gets when the cards that she cannot see are permuted: at most one for each of these game numbers."""
    for number in games:
        found = Worlds(game, number, reveals).first_leak()
        if found:
            yield f"{game.name} game {number}: {found}"


# ---- a table to look at


def some_options(game: Game[Any], players: int, rng: list[int]) -> dict[str, Spoken]:
    """Random values for some of the options, chosen so that no match takes long."""
    chosen: dict[str, Spoken] = {}
    for name, option in game.options.items():
        allowed = option.allowed(players)[: SHORT.get(name)]
        if name in SHORT or below(rng, 3) == 0:
            values: list[int | str] = [*(each for each, _ in option.names), *allowed]
            several = [allowed[below(rng, len(allowed))] for _ in range(option.length(players))] if option.length else []
            chosen[name] = several or values[below(rng, len(values))]
    return chosen


def some_log(game: Game[Any], players: int, viewer: int, rng: list[int]) -> list[Entry]:
    """The log of a table whose match waits for its first chance event: with people and bots, with or without a clock."""
    table, log = Table("bk7q2x"), list[Entry]()

    def happen(made: list[AnyFact]) -> Table:
        entries = table.entries(with_secret(made, rng), NOW + len(log))
        log.extend(entries)
        return after(table, entries)[0]

    opening = Open(game=game.name, players=players, options=some_options(game, players, rng), name="Ada", clock=30 * below(rng, 2))
    table = happen(handlers.open_table(opening, "token of Ada"))
    for seat in range(1, players):
        if seat == viewer or below(rng, 2):
            join = Join(name=f"Player {seat}", seat=seat)
            table = happen(handlers.ask(table, join, STRANGER, f"token of {seat}"))
    happen([fact for fact in handlers.ask(table, Start(), 0) if not isinstance(fact, facts.Happened)])
    return log


def with_secret(made: list[AnyFact], rng: list[int]) -> list[AnyFact]:
    """Replace the secrets of the facts by reproducible ones."""
    for fact in made:
        if isinstance(fact, facts.Opened | facts.Began):
            fact.secret = f"{below(rng, 1 << 31):064x}"
    return made


def some_position(game: Game[Any], players: int, options: dict[str, Spoken], number: int, of_chance: bool) -> Any:
    """A random state of a random match, uniformly chosen from those that wait for chance or those that wait for a choice."""
    found, many, rng = None, 0, [seeded(number, 5)]
    former = OVER
    for s in walk(game, players, dict(options), number):
        begins = s.phase < 0 or not game.choices[s.phase].together or former != s.phase  # at a table these choices happen at once
        if s.phase != OVER and (s.phase < 0) == of_chance and begins:
            many += 1
            found = plain.copy_of(s) if below(rng, many) == 0 else found
        former = s.phase
    assert found is not None
    return found


# ---- what the table sends


class Parrot(Workers):
    """Answers a request for a hint with the whole question: if nothing hidden is in the question, nothing hidden can be in the hint."""

    def __init__(self) -> None:
        """Start no processes."""

    async def why(self, question: Question, share: Share = SHARE) -> list[Reason]:
        return [Reason(lowest(question.legal), 0.0, Message("why", {"text": repr(question)}))]


@dataclass(frozen=True)
class Told:
    """A step of a table, and what its clients were told before it."""

    step: Step
    before: Before
    teller: Teller


def sent_after(table: Table, told: Told | None, viewer: int, person: int) -> list[bytes]:
    """What a viewer is sent after a step: its frame, if there is one; a snapshot, when she asks; the line in the lobby; when a bot will choose, which
    becomes visible to all; and the answers to her questions."""
    sent = [frame_of(table, told, viewer, person)] if told else []
    line, due = table.standing().line.encode(), repr(clocks.due(table)).encode()
    return [*sent, encoded(frames.snapshot(table, person)), line, due, *looked_back(table, viewer, person), *asked(table, viewer, person)]


def frame_of(table: Table, told: Told, viewer: int, person: int) -> bytes:
    """The frame of a step for a viewer; empty if she is sent nothing."""
    seats = [viewer]
    change = copy(told.teller).change(table, told.before, [told.step], seats)
    return change.frame(table, person, seats) if change.concerns(person) else b""


def asked(table: Table, viewer: int, person: int) -> list[bytes]:
    """The answers to what a viewer may ask about a match at any time."""
    return [answer_to(table, Explain(seat=viewer), viewer, person), answer_to(table, History(), viewer, person)]


def looked_back(table: Table, viewer: int, person: int) -> list[bytes]:
    """The answers to requests for a replay, with her own view and with all cards open; none when the match is over, since then they are allowed."""
    return [] if table.playing().over else [again(table, person, seat) for seat in (viewer, OPEN)]


def again(table: Table, person: int, seat: int) -> bytes:
    try:
        return msgspec.json.encode(films.replay(table, person, seat, 0, films.PAGE_SIZE))
    except Refusal as refusal:
        return encoded(Denied.because("", refusal))


def answered(table: Table, message: AnyRequest, person: int) -> bytes:
    """The answer to a request, without the sequence number."""
    try:
        return b"".join(facts.written(fact).encode() for fact in handlers.ask(table, message, person))
    except Refusal as refusal:
        return encoded(Denied.because(message.id, refusal))


def denied(table: Table, seat: int, person: int, texts: Iterable[str]) -> list[bytes]:
    """The answers to these illegal choices."""
    return [answered(table, Choose(seat=max(seat, 0), choice=text, at=table.seq), person) for text in texts]


def illegal(table: Table, viewer: int) -> list[str]:
    """All illegal choices of this phase, and one choice of every other phase."""
    match, game = table.playing(), table.game
    s = match.state
    legal = match.view(viewer).legal if match.is_together else game.legal(s)
    spelled = plain.notation_of(game, match.view(viewer).state if match.is_together else s)  # some choices are spelled by the cards held
    now = [text for choice, text in enumerate(spelled) if text and not legal >> choice & 1]
    return [*now, *(notation[0] for phase, notation in enumerate(game.notation) if phase != s.phase)]


def noticed(table: Table, viewer: int, person: int) -> list[bytes]:
    """What a viewer can find out about a table at any time, whether or not something has happened."""
    standing = table.standing()
    shown, line = encoded(frames.snapshot(table, person)), f"{standing.at} {standing.line}".encode()
    texts = illegal(table, viewer)[:1]
    answers = [*denied(table, viewer, person, texts), hinted(table, max(viewer, 0), person), *asked(table, viewer, person)]
    return [shown, line, *looked_back(table, viewer, person), *answers]


def hinted(table: Table, seat: int, person: int) -> bytes:
    """The answer to a request for a hint."""
    return answer_to(table, Hint(seat=seat), seat, person)


@cache
def answering_host() -> Host:
    """A host without a store, whose bots answer with the question."""
    return Host(SqliteStore("never opened"), Parrot())


def answer_to(table: Table, question: AnyQuestion, viewer: int, person: int) -> bytes:
    """The answer to a question of a viewer."""
    host, connection = answering_host(), Connection(person, lambda message, at: None)
    host.live[table.code] = Live(table)
    connection.seats = [viewer]
    try:
        return encoded(LOOP.run_until_complete(questions.answer(host, table.code, connection, question)))
    except Refusal as refusal:
        return encoded(Denied.because("", refusal))


# ---- the two worlds


@dataclass(eq=False)
class Worlds:
    """One numbered game: a table, a viewer, and a position from which the match goes on in both worlds.

    A third of the games are played from the first deal on, so that choices can be taken back; the others from a random position."""

    game: Game[Any]
    number: int
    reveals: bool = False
    """Whether choices of this game may show cards within a round: a dummy, a showdown, cards that were asked for."""

    def __post_init__(self) -> None:
        self.rng = [seeded(self.number, 4)]
        players = self.game.players[below(self.rng, len(self.game.players))]
        self.viewer = below(self.rng, players + 1) - 1
        self.one = after(Table("bk7q2x"), some_log(self.game, players, self.viewer, self.rng))[0]
        self.person = STRANGER if self.viewer == ONLOOKER else self.one.chairs[self.viewer].person
        self.is_whole = self.number % 3 == 0
        self.has_asked_all = False
        self.chooses_otherwise: int | None = None
        """While all choose together: the seat that makes different choices in the other world."""
        self.shuffled: list[tuple[Event, Event]] = []
        """The next chance events, in either world."""
        self.other = after(self.one, [])[0]
        if not self.is_whole:
            self.one.playing().state = some_position(self.game, players, self.one.options, self.number, of_chance=self.number % 3 == 1)
            self.redeal()

    @property
    def her(self) -> tuple[int, int]:
        """The viewer's seat and person."""
        return self.viewer, self.person

    def seen(self, table: Table) -> Any:
        """The viewer's view of the match."""
        return view(self.game, table.playing().state, self.viewer)

    def first_leak(self) -> str:
        """The first difference in what the viewer gets in the two worlds; empty if there is none."""
        found, choices = self.differs(None, None), 0
        most = WHERE_ALL_CHOOSE if any(kind.together for kind in self.game.choices) else CHOICES
        while not found and choices < most and not self.one.playing().over:
            choices += self.one.playing().turn is not None
            found = self.go_on()
            if not found and self.is_whole and choices == 1 + self.number // 3 % CHOICES:
                found = self.first_difference(self.taken_back)
        return found

    def go_on(self) -> str:
        """Let the next event happen in both worlds, and compare. Where the event rightly shows the viewer something, redeal the other world
        from her new view."""
        if self.one.playing().is_together:
            return self.seal()
        before = self.one.playing().state
        event, another = self.next_events()
        self.one, told = self.step(self.one, event)
        self.other, other_told = self.step(self.other, another)
        sees_the_same = self.seen(self.one) == self.seen(self.other)
        if not sees_the_same and isinstance(event, int) and not self.reveals and not self.may_see_more(before):
            return f"viewer {self.viewer} sees more after {told.step.entry.body} than the rules show"
        if not sees_the_same or self.one.playing().state == self.other.playing().state:
            other_told = self.ending_otherwise(other_told)
        return self.differs(told, other_told)

    def seal(self) -> str:
        """Let one seat choose in a phase in which all choose together. One seat makes different choices in the other world; no other viewer may
        notice any choice before all have chosen."""
        one, other = self.one.playing(), self.other.playing()
        others = [seat for seat in range(one.players) if seat != self.viewer]
        if self.chooses_otherwise is None:
            self.chooses_otherwise = others[below(self.rng, len(others))]
        seat = one.waiting[below(self.rng, len(one.waiting))]
        may, might = one.view(seat).legal, other.view(seat).legal
        choice = pick(may & might or may, self.rng)
        another = choice if might >> choice & 1 and seat != self.chooses_otherwise else pick(might, self.rng)
        before = noticed(self.one, *self.her)
        self.one, steps = self.chosen(self.one, seat, choice)
        self.other, other_steps = self.chosen(self.other, seat, another)
        assert [type(told.step.fact) for told in steps] == [type(told.step.fact) for told in other_steps]
        if isinstance(steps[0].step.fact, facts.Chosen):
            since = noticed(self.one, *self.her)
            if seat != self.viewer and before != since:
                return f"viewer {self.viewer} notices that seat {seat} has chosen: {before!r} or {since!r}"
            if seat != self.viewer and (frame := frame_of(self.one, steps[-1], *self.her)):
                return f"viewer {self.viewer} is sent {frame!r} when seat {seat} has chosen"
            return self.differs(steps[-1], other_steps[-1])
        self.chooses_otherwise = None
        if self.seen(self.one) != self.seen(self.other):  # the choices are revealed now
            self.other = after(self.one, [])[0]
            self.redeal()
            return ""
        found = (self.differs(step, other_step) for step, other_step in zip(steps, other_steps, strict=True))
        return next(filter(None, found), "")

    def chosen(self, table: Table, seat: int, choice: int) -> tuple[Table, list[Told]]:
        """Apply a choice (sealed, or the last one) and what follows it, except chance events."""
        by = facts.BOT if table.chairs[seat].level else facts.PERSON
        made = [fact for fact in handlers.moves(table, seat, choice, by) if not isinstance(fact, facts.Happened) or fact.by != facts.CHANCE]
        before, teller = Before.of(table), Teller(table)
        later, steps = after(table, table.entries(made, table.at + FACT_INTERVAL))
        return later, [Told(step, before, teller) for step in steps]

    def ending_otherwise(self, told: Told) -> Told:
        """The same step, but ending in a newly redealt other world."""
        s, match = self.redeal(), self.other.playing()
        if match.open_act:
            match.open_act[-1] = match.open_act[-1]._replace(after=s)
        acts = [[*act[:-1], act[-1]._replace(after=s)] for act in told.step.acts]
        return replace(told, step=replace(told.step, acts=acts))

    def redeal(self) -> Any:
        """Redeal the other world from what the viewer sees."""
        self.is_whole = False
        match = self.other.playing()
        match.state, match.rows = redeal(self.seen(self.one), self.rng), self.one.playing().rows
        if match.is_together:
            match.state.turn = lowest(match.state.waiting)  # the view shows the viewer's own seat instead
        for table in (self.one, self.other):  # what can be recalled begins here
            began = table.playing()
            began.moves, began._marks = [], [Mark(0, began.state, 0)]
        return match.state

    def step(self, table: Table, event: Event) -> tuple[Table, Told]:
        match = table.playing()
        seat = match.state.turn if isinstance(event, int) else -1
        by = facts.CHANCE if seat < 0 else facts.BOT if table.chairs[seat].level else facts.PERSON
        fact = facts.Happened(event=plain.write(self.game, match.state, event), seat=seat, by=by)
        before, teller = Before.of(table), Teller(table)
        later, [step] = after(table, table.entries([fact], table.at + FACT_INTERVAL))
        return later, Told(step, before, teller)

    def next_events(self) -> tuple[Event, Event]:
        """A choice that is legal in both worlds (if there is none, the worlds become the same for now), or two shuffles that the viewer cannot
        tell apart."""
        s, other = self.one.playing().state, self.other.playing()
        if s.phase < 0:
            self.shuffled = self.shuffled or self.permuted()
            return self.shuffled.pop(0)
        if not self.game.legal(s) & self.game.legal(other.state):
            other.state = s
        choice = pick(self.game.legal(s) & self.game.legal(other.state), self.rng)
        return choice, choice

    def permuted(self) -> list[tuple[Event, Event]]:
        """All shuffles before the next choice, each with a copy in which cards are swapped where the viewer sees no difference, then or later."""
        s, packs = plain.copy_of(self.one.playing().state), list[list[int]]()
        while s.phase < OVER:
            event = next_event(self.game, s, self.rng)
            assert not isinstance(event, int)
            packs.append(list(event))
            plain.step(self.game, s, event)
        events = [tuple(pack) for pack in packs]

        def seen() -> Iterator[Any]:
            s = plain.copy_of(self.other.playing().state)
            for pack in packs:
                plain.step(self.game, s, tuple(pack))
                yield view(self.game, s, self.viewer)

        wanted = list(seen())
        for _ in range(SWAPS):
            pack = packs[below(self.rng, len(packs))]
            here, there = below(self.rng, len(pack)), below(self.rng, len(pack))
            pack[here], pack[there] = pack[there], pack[here]
            if any(one != other for one, other in zip(seen(), wanted, strict=True)):
                pack[here], pack[there] = pack[there], pack[here]
        return [(event, tuple(pack)) for event, pack in zip(events, packs, strict=True)]

    def may_see_more(self, before: Any) -> bool:
        """Whether a choice may show the viewer cards: it ended a round, gave her a card, or forced a player to pass in only one of the worlds."""
        one, other = self.one.playing().state, self.other.playing().state
        return before.round != one.round or before.round != other.round or one.turn != other.turn or self.hand_of(one) != self.hand_of(before)

    def hand_of(self, s: Any) -> int:
        storage = fields_of(type(s))["hand"].storage
        return how_many(s, Place("hand", self.viewer), storage) if self.viewer >= 0 and storage else 0

    def differs(self, told: Told | None, other_told: Told | None) -> str:
        """The first difference in what the viewer is sent, or is answered when she asks."""
        for one, other in zip(sent_after(self.one, told, *self.her), sent_after(self.other, other_told, *self.her), strict=True):
            if one != other:
                return f"viewer {self.viewer} gets {one!r} or {other!r}"
        return self.first_difference(self.answers()) if self.one.playing().turn is not None else ""

    def first_difference(self, gets: Callable[[Table], list[bytes]]) -> str:
        both = zip(gets(self.one), gets(self.other), strict=True)
        return next((f"viewer {self.viewer} gets {one!r} or {other!r}" for one, other in both if one != other), "")

    def answers(self) -> Callable[[Table], list[bytes]]:
        """The answers to illegal choices (to all of them at the viewer's first turn, else to one) and to a request for a hint."""
        match = self.one.playing()
        texts = illegal(self.one, self.viewer)
        chooses = self.viewer in match.waiting
        if not chooses or self.has_asked_all:
            texts = texts[:1]
        self.has_asked_all |= chooses
        asks = max(self.viewer, 0) if match.is_together else match.state.turn
        return lambda table: [*denied(table, *self.her, texts), hinted(table, asks, self.person)]

    def taken_back(self, table: Table) -> list[bytes]:
        """What everyone can see of attempts to take a choice back."""
        got = []
        for seat in range(len(table.chairs)):
            person = table.chairs[seat].person
            answer = answered(table, Undo(seat=seat), person) if person != STRANGER else b""
            if seat == self.viewer or not any(kind in answer for kind in (b'"type":"denied"', b'"withdrawn"')):
                got.append(answer)
            if b'"undone"' in answer:
                made = handlers.ask(table, Undo(seat=seat), person)
                before, teller = Before.of(table), Teller(table)
                later, [step] = after(table, table.entries(made, table.at + FACT_INTERVAL))
                got += sent_after(later, Told(step, before, teller), *self.her)
        return got
