"""A table for tests without a server: the table, its log, and a clock that the test sets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import msgspec
import pytest

from kortlek.engine.events import Event
from kortlek.engine.plain import Spoken, write_choice
from kortlek.engine.view_json import ExplainedJson, MatchJson, MessageJson, SheetJson, explained_to_json
from kortlek.engine.views import ONLOOKER
from kortlek.game import Message
from kortlek.table import clocks, frames, handlers, news
from kortlek.table.facts import AnyFact, Began, Opened, read, written
from kortlek.table.protocol.client_in import Add, AnyRequest, Choose, Hint, Join, Start
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.refusals import Refusal, STATUS
from kortlek.table.question import Question
from kortlek.table.store import Entry
from kortlek.table.table import STRANGER, Step, Table
from kortlek.table.words import words_at_table

NOON = 1_700_000_000_000
NOT_IN_THE_LOG = {"present", "left"}
ANN, BO, CLEO, DAN = range(4)
"""People, in the order in which they sit down."""
SECOND = 1000
DAY = 86_400
QUICK: dict[str, Any] = {"game": "up_and_down", "players": 2, "options": {"largest_round": 2, "first_bettor": 0}}
"""A match of 14 choices."""


class SeatShown(msgspec.Struct):
    """A seat of a table."""

    person: int
    name: str
    level: str
    free: bool
    here: bool
    away: bool
    muted: bool
    ready: bool
    until: int | None
    luck: str


class Show(msgspec.Struct):
    """Everything that one seat is shown, in one object."""

    seat: int
    seq: int
    at: int
    yours: list[int]
    owner: bool
    match: MatchJson | None
    sheet: SheetJson | None
    code: str
    game: str
    title: str
    status: str
    notice: MessageJson | None
    public: bool
    spectators: str
    clock: int
    grace: int
    hints: bool
    stand_in: str
    locked: bool
    options: dict[str, Spoken]
    seats: list[SeatShown]
    names: list[str]
    asked: int | None
    agreed: list[int]
    match_number: int
    promise: str
    commitment: str
    turn_ends: int | None


def show(table: Table, viewer: int, person: int) -> Show:
    """A table as it is shown to a viewer: its public part, and the view."""
    view = frames.view_of(table, viewer)
    about: dict[str, Any] = {**frames.table_to_json(table), "seat": viewer, "seq": table.number(table.seq, person), "at": table.told_at}
    about |= {"yours": table.seats_of(person), "owner": person == table.owner != STRANGER, "match": view.match, "sheet": view.sheet}
    about["seats"] = [SeatShown(**seat) for seat in about["seats"]]
    return Show(**about)


class Room:
    """A table that Ann has opened and sits at (without a name she only owns it). With a seed its secrets are reproducible."""

    def __init__(self, name: str = "Ann", seed: int | None = None, **settings: Any) -> None:
        self.now, self.log, self.seed = NOON, list[Entry](), seed
        self.tokens = ["the token of person 0"]
        self.table = Table("code")
        self.told = self.happens(handlers.open_table(Open(name=name, **({"stand_in": "house"} | settings)), self.tokens[0]))

    def happens(self, made: Sequence[AnyFact], mid: str = "") -> list[Step]:
        """Append facts to the log and apply them to the table."""
        for fact in made:
            if isinstance(fact, Opened | Began) and self.seed is not None:
                fact.secret = hashlib.sha256(f"{self.seed} {self.table.seq}".encode()).hexdigest()
        entries = self.table.entries(made, self.now, mid)
        if self.table.seq:
            before = everything(self.table)
            later = self.table.copy()
            later.match = self.table.match and self.table.match.copy()
            later.take_all(entries, made)
            assert everything(self.table) == before, "until it is in the log, nothing happens"
        steps = self.table.take_all(entries, made)
        self.log += entries
        return steps

    def asks(self, person: int, message: AnyRequest | Hint) -> list[AnyFact]:
        """Handle a request as the host does: a repeated one is applied once, and a refused one changes nothing. Return the new facts."""
        before = everything(self.table)
        mid = f"{person}/{message.id}" if message.id and person != STRANGER else ""
        if mid in self.table.answered:
            return []
        token = f"the token of person {len(self.tokens)}"
        try:
            if isinstance(message, Hint):
                handlers.check_hint(self.table, message, person)
                return []
            made = handlers.ask(self.table, message, person, token)
        finally:
            assert everything(self.table) == before, "asking changes nothing"
        self.told = self.happens(made, mid)
        if isinstance(message, Join) and person == STRANGER:
            self.tokens.append(token)
        return made

    def refuses(self, person: int, message: AnyRequest | Hint) -> str:
        """The code of the refusal of a request, which must be refused."""
        return self.refusal(person, message)[0]

    def refusal(self, person: int, message: AnyRequest | Hint) -> tuple[str, str]:
        """The code and sentence of the refusal of a request, which must be refused."""
        with pytest.raises(Refusal) as refused:
            self.asks(person, message)
        return code_and_sentence(refused.value)

    # ---- people

    def sits(self, *names: str) -> None:
        """New people join."""
        for name in names:
            self.asks(STRANGER, Join(name=name))

    def sits_also(self, person: int, name: str) -> None:
        """A person at the table takes a second seat."""
        self.asks(person, Join(name=name))

    def adds(self, seat: int, luck: str) -> list[AnyFact]:
        """The person in a seat answers the promise of the next match with her number."""
        return self.asks(self.table.chairs[seat].person, self.answer(seat, luck))

    def answer(self, seat: int, luck: str) -> Add:
        """The answer to the promise of the next match."""
        return Add(seat=seat, promise=self.table.promise, luck=luck)

    def begins(self, rotate: int = 0) -> None:
        """The owner starts the match."""
        self.asks(self.table.owner, Start(rotate=rotate))

    def comes(self, *people: int) -> None:
        """People connect."""
        for person in people:
            self.told = self.happens(clocks.here(self.table, person))

    def goes(self, person: int) -> None:
        """A person's connection ends."""
        clocks.gone(self.table, person, self.now)

    # ---- the match

    @property
    def turn(self) -> int:
        """Whose turn it is."""
        turn = self.table.playing().turn
        assert turn is not None
        return turn

    @property
    def choices(self) -> list[str]:
        """The choices of the player in turn."""
        return self.choices_of(self.turn)

    def choices_of(self, seat: int) -> list[str]:
        """The choices of a seat."""
        return [each["choice"] for each in self.shows(seat)["legal"]]

    def seen_up_to(self, seat: int) -> int:
        """The sequence number up to which a person must have seen the table before she chooses for this seat."""
        return self.table.number(self.table.last_seen_by(seat), self.table.chairs[seat].person)

    def chooses(self, choice: str = "", seat: int | None = None) -> list[AnyFact]:
        """Make a choice for the person in turn (or for another seat, where all choose together); by default that of the house policy."""
        seat = self.turn if seat is None else seat
        person = self.table.chairs[seat].person
        at = self.table.number(self.table.seq, person)
        return self.asks(person, Choose(seat=seat, choice=choice or self.good_choice(seat), at=at))

    def good_choice(self, seat: int | None = None) -> str:
        """The choice of the house policy."""
        question = self.asked("house", self.turn if seat is None else seat)
        return write_choice(self.table.game, question.view().state, question.usual_choice())

    def asked(self, level: str, seat: int | None = None) -> Question:
        """The question that a bot of this level gets."""
        match, seat = self.table.playing(), self.turn if seat is None else seat
        return Question.about(match.view(seat), level, match.seed_for(seat))

    def bot(self) -> clocks.Due:
        """Set the clock to the moment at which a bot is due, and let it choose."""
        due = clocks.due(self.table)
        assert due and due.seat in self.table.playing().waiting
        self.now = max(self.now, due.at)
        self.told = self.happens(handlers.moves(self.table, due.seat, self.asked(due.level, due.seat).usual_choice(), due.by))
        return due

    def somebody_chooses(self) -> None:
        """Let the player in turn choose: a person who is present, or a bot."""
        seat = self.table.playing().waiting[0]
        if self.table.chairs[seat].level or self.table.chairs[seat].away:
            self.bot()
        else:
            self.chooses(seat=seat)

    def plays_on(self) -> None:
        """Play until the match is over."""
        while not self.table.playing().over:
            self.somebody_chooses()

    def stops(self) -> None:
        """The same log at a server whose rules are of another version: that of the last match is changed in the log."""
        at = max(place for place, entry in enumerate(self.log) if isinstance(read(entry.body), Began))
        self.log[at] = replace(self.log[at], body=written(msgspec.structs.replace(read(self.log[at].body), version=0)))
        self.table = self.again()

    # ---- what is known

    def again(self) -> Table:
        """The table rebuilt from its log."""
        table = Table(self.table.code)
        for entry in self.log:
            table.take(entry)
        return table

    def show(self, viewer: int = ONLOOKER, person: int = STRANGER) -> Show:
        """The table as it is shown to a viewer."""
        return show(self.table, viewer, person)

    def shows(self, viewer: int) -> MatchJson:
        """The match as it is shown to a viewer."""
        match = self.show(viewer).match
        assert match is not None
        return match

    def explains(self, viewer: int) -> ExplainedJson:
        """What a viewer is told on request about the match."""
        return explained_to_json(self.table.playing().view(viewer))

    def said(self, viewer: int = ONLOOKER) -> list[str]:
        """What a viewer reads of the last steps."""
        return [line for step in self.told for line in said_of(self.table, step, viewer)]


def said_of(table: Table, step: Step, viewer: int) -> list[str]:
    """What a viewer reads of an entry of the log, in English."""
    words, person = words_at_table(table.game), table.chairs[viewer].person if viewer >= 0 else STRANGER
    if not step.concerns(person):
        return []
    told = news.news_of(table, step, viewer)
    message = [words.say(message_from(told.message), table.players, viewer)] if told.message else []
    events: list[Any] = [Event(event["kind"], event["seat"], event["args"]) for event in told.events]  # type: ignore[arg-type]
    return [*message, *words.log(events, table.players, viewer), *([told.text] if told.text else [])]


def message_from(sent: Any) -> Message:
    """Convert a message from JSON."""
    return Message(sent["id"], {name: argument_from(value) for name, value in sent["args"].items()})


def argument_from(value: Any) -> Any:
    if isinstance(value, list):
        return [argument_from(each) for each in value]
    return message_from(value) if isinstance(value, dict) else value


def kinds(made: list[AnyFact]) -> list[str]:
    """The names of the types of these facts."""
    return [type(fact).__name__ for fact in made]


def room(*names: str, **settings: Any) -> Room:
    """A table at which Ann and these people sit."""
    usual: dict[str, Any] = {"game": "plump", "players": 4}
    at = Room(**(usual | settings))
    at.sits(*names)
    return at


def playing(*names: str, **settings: Any) -> Room:
    """A table at which Ann and these people sit and the match has begun; bots fill the free seats."""
    at = room(*names, **settings)
    at.begins()
    return at


def two(**settings: Any) -> Room:
    """Ann and Bo play a short match; Ann begins."""
    return playing("Bo", **(QUICK | settings))


def alone(**settings: Any) -> Room:
    """Ann plays a short match against a bot, and begins."""
    return playing(**(QUICK | settings))


def code_and_sentence(refusal: Refusal) -> tuple[str, str]:
    """The code and sentence of a refusal, checked for their form."""
    assert refusal.code in STATUS
    assert re.fullmatch(r"\S+ .*[.]", refusal.sentence)
    return refusal.code, refusal.sentence


def after(table: Table, entries: Sequence[Entry]) -> tuple[Table, list[Step]]:
    """A copy of a table with these entries of its log applied, and their steps. The table itself does not change."""
    later = table.copy() if table.seq else Table(table.code)
    later.match = table.match and table.match.copy()
    return later, [later.take(entry) for entry in entries]


def everything(table: Table) -> dict[str, str]:
    """All fields of a table as text, except cached views."""
    found = {}
    for each in fields(table):
        value = getattr(table, each.name)
        if each.name == "match" and value is not None:
            value = {**vars(value), "game": value.game.name, "_views": None, "_chance": None, "_chances": None, "_marks": value.rounds}
        found[each.name] = str(value.name if each.name == "game" else sorted(value) if isinstance(value, set) else value)
    return found


def logged(table: Table) -> dict[str, str]:
    """All fields of a table that follow from its log."""
    return {name: value for name, value in everything(table).items() if name not in NOT_IN_THE_LOG}
