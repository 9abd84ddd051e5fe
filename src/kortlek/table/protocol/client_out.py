"""What a table sends on the socket: a snapshot, and then steps; answers to requests; and a bye."""

from __future__ import annotations

from typing import TypeAlias, TypedDict

import msgspec

from kortlek.cards import NOTHING
from kortlek.engine.patches import MatchPatch
from kortlek.engine.plain import Spoken
from kortlek.engine.view_json import ArgumentJson, EarnedJson, EventJson, Json, MatchJson, MessageJson, RefusedJson, SheetJson
from kortlek.engine.view_json import message_to_json
from kortlek.table.refusals import Refusal


class Sent(msgspec.Struct, kw_only=True, tag_field="type", tag=str.lower):
    """Base class of all messages that a client is sent."""


class Welcome(Sent):
    """The answer to a hello: the client's number as a person at this table (-1: a spectator)."""

    protocol: int
    code: str
    person: int


# ---- the table


class SeatJson(TypedDict):
    """A seat as everyone sees it: the number of its person (-1: nobody's), or a bot's level; connected (``here``), away (a bot plays), muted, ready
    for a match. At ``until`` a bot takes over from a disconnected player."""

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


class TableJson(TypedDict):
    """A table as everyone sees it. ``owner`` is the number of a person. ``notice`` tells everyone why no match can be played. ``names`` are the
    players of the match, also of a finished one whose players may have left their seats since. ``promise`` commits the server to the secret of the
    next match, ``commitment`` to that of this match, which is in the record when the match is over; ``match_number`` counts the matches of the
    table up to this one (0: none yet)."""

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
    seats: list[SeatJson]
    names: list[str]
    owner: int
    asked: int | None
    agreed: list[int]
    match_number: int
    promise: str
    commitment: str
    turn_ends: int | None


TableValue: TypeAlias = None | bool | int | str | list[int | str | SeatJson] | dict[str, Json]
"""A member of a ``TableJson``. An object is the options or the notice; a union may have only one type of objects, or a client could not decode it."""


class News(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One log entry: the events of the match that are complete with it, a message about other changes, and the text of a line of chat. ``by`` is the
    seat that it is about."""

    kind: str = "happened"
    by: int = NOTHING
    events: list[EventJson] = []
    message: MessageJson | None = None
    text: str = ""


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The match and the score sheet as one seat (-1: a spectator) sees them."""

    seat: int
    news: list[News] = []
    match: MatchJson | None = None
    sheet: SheetJson | None = None


class ViewPatch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one seat (-1: a spectator) learns from a step: the news, what has changed of the match, and the score sheet if it has changed."""

    seat: int
    news: list[News] = []
    match: MatchPatch = {}
    sheet: SheetJson | None = None


class Snapshot(Sent, omit_defaults=True):
    """The whole table, once for each of the client's seats, or once for a spectator. It replaces everything that the client knew. ``done`` is the id
    of the client's message that it answers, if there is one."""

    seq: int
    at: int
    table: TableJson
    views: list[View]
    done: str = ""


class Step(Sent, omit_defaults=True):
    """What has changed since entry ``since``, up to entry ``seq``, which are durable in the log. ``table`` has the changed members of the table."""

    since: int
    seq: int
    at: int
    table: dict[str, TableValue] = {}
    views: list[ViewPatch] = []
    done: str = ""


# ---- answers to one client


class Done(Sent):
    """A message was applied, and changed nothing that this client is sent; its facts are durable in the log, up to ``seq``."""

    id: str
    seq: int


class Denied(Sent):
    """A message was refused: a code for programs, a message for people, and the same message in English."""

    id: str
    code: str
    message: MessageJson
    sentence: str

    @classmethod
    def because(cls, id: str, refusal: Refusal) -> Denied:
        """The answer to a refused message."""
        return cls(id=id, code=refusal.code, message=message_to_json(refusal.message), sentence=refusal.sentence)


class Considered(msgspec.Struct, frozen=True, kw_only=True):
    """The evaluation of a choice by a bot: its expected points relative to the alternatives, and a reason for it."""

    choice: str
    verb: str
    args: dict[str, ArgumentJson]
    points: float
    reason: MessageJson


class Hinted(Sent):
    """The answer to a hint: the choices, the best first."""

    id: str
    seat: int
    seq: int
    choices: list[Considered]


class Explained(Sent):
    """The answer to ``explain``: the text table, why choices are refused, what choices earn at once, and data of the game's component about the
    seat's own cards."""

    id: str
    seat: int
    seq: int
    table: list[MessageJson]
    refused: list[RefusedJson]
    earns: list[EarnedJson]
    drawn: dict[str, Json]


class Past(msgspec.Struct, kw_only=True):
    """What one seat (-1: a spectator) has learnt so far."""

    seat: int
    news: list[News]


class Recalled(Sent):
    """The answer to ``history``."""

    id: str
    seq: int
    views: list[Past]


class Pong(Sent):
    """The answer to a ping."""

    id: str


class Bye(Sent):
    """The last message before the server closes the socket. The client may reconnect after ``retry`` milliseconds (-1: it should not)."""

    code: str
    message: MessageJson
    sentence: str
    retry: int

    @classmethod
    def because(cls, refusal: Refusal, retry: int) -> Bye:
        """The last message to a client that is refused."""
        return cls(code=refusal.code, message=message_to_json(refusal.message), sentence=refusal.sentence, retry=retry)


AnySent = Welcome | Snapshot | Step | Done | Denied | Hinted | Explained | Recalled | Pong | Bye

encoded = msgspec.json.Encoder().encode
"""A message as JSON."""
