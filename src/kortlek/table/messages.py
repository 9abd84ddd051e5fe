"""The messages of the protocol: requests of clients and what a table sends. They are the same on the socket, over HTTP, and in tests."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from kortlek.engine.plain import Spoken
from kortlek.engine.view_json import EventJson, MatchJson, MessageJson, SheetJson, message_to_json
from kortlek.game import SEATS, Message
from kortlek.table.refusals import Refusal

PROTOCOL = 1
"""The version of the protocol; raised with every incompatible change."""
LONGEST_LINE = 300

Name = Annotated[str, Meta(min_length=1, max_length=40, description="What the player is called.")]
Id = Annotated[str, Meta(max_length=64, pattern=r"^(?![\s\S]*[^ -~])", description="The client's own: a message with the same id is applied once.")]
Luck = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^(?![\s\S]*[^0-9a-f])", description="Up to 64 hexadecimal digits to shuffle with.")]
Promise = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^(?![\s\S]*[^0-9a-f])", description="The promise that is answered.")]
Options = Annotated[dict[str, Spoken], Meta(max_length=20, description="Variants of the rules by name.")]
SeatNumber = Annotated[int, Meta(ge=0, le=SEATS - 1)]


class Request(msgspec.Struct, kw_only=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """Base class of all requests."""

    id: Id = ""


class Open(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Open a table. The sender owns it and gets its first token; with a name she also sits down in the first seat.

    ``clock`` is the time limit of a turn in seconds (0: no limit), ``grace`` the number of seconds without a connection before a bot of the level
    ``stand_in`` plays for a person, ``pace`` the approximate delay of a bot's choice in milliseconds. ``spectators``: off, public, or delayed by
    ``delay`` seconds. ``levels`` puts bots into the last seats."""

    game: Annotated[str, Meta(max_length=40)]
    players: Annotated[int, Meta(ge=1, le=SEATS)] | None = None
    options: Options = {}
    name: Annotated[str, Meta(max_length=40)] = ""
    levels: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=SEATS)] = []
    public: bool = False
    spectators: Literal["off", "public", "delayed"] = "public"
    delay: Annotated[int, Meta(ge=1, le=3600)] = 60
    clock: Annotated[int, Meta(ge=0, le=14 * 86400)] = 0
    grace: Annotated[int, Meta(ge=0, le=86400)] = 45
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 900
    hints: bool = True
    stand_in: Annotated[str, Meta(max_length=40)] = "club"


class Join(Request):
    """Sit down in this seat, or in the first free one."""

    name: Name
    seat: SeatNumber | None = None


class Leave(Request):
    """Leave a seat. During a match a bot plays on, and the player may come back."""

    seat: SeatNumber


class Return(Request):
    """Take one's seat back from the bot that stands in."""

    seat: SeatNumber


class Kick(Request):
    """Send a player away (the owner)."""

    seat: SeatNumber


class Fill(Request):
    """Put a bot into a seat; without a level, free the seat (the owner, before the match)."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=40)] = ""


class Change(Request):
    """Change the number of players or the options (the owner, before the match)."""

    players: Annotated[int, Meta(ge=1, le=SEATS)] | None = None
    options: Options = {}


class Lock(Request):
    """Lock or unlock the table for newcomers (the owner)."""

    locked: bool = True


class Add(Request):
    """Answer the promise of the next match with one's luck: a random number, drawn after the promise was seen. Only the first answer counts."""

    seat: SeatNumber
    promise: Promise
    luck: Luck


class Ready(Request):
    """Set whether one is ready for the match."""

    seat: SeatNumber
    ready: bool = True


class Start(Request):
    """Start the match (the owner), or after it the next one (anybody with a seat); everyone moves on by ``rotate`` seats. Bots take free seats."""

    rotate: SeatNumber = 0


class Choose(Request):
    """Make a choice, in notation. ``at`` is the number of the last log entry that the client has seen."""

    seat: SeatNumber
    choice: Annotated[str, Meta(max_length=40)]
    at: Annotated[int, Meta(ge=0)]


class Say(Request):
    """Send a line of chat."""

    seat: SeatNumber
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]


class Mute(Request):
    """Mute or unmute a player (the owner)."""

    seat: SeatNumber
    muted: bool = True


class Undo(Request):
    """Take the last choice back, or ask the other players if they have to agree."""

    seat: SeatNumber


class Answer(Request):
    """Agree or disagree that another player takes a choice back."""

    seat: SeatNumber
    yes: bool


class Hint(Request):
    """Ask for an evaluation of the legal choices by an expert bot. Only the sender gets the answer, and it is not logged."""

    seat: SeatNumber


class Hello(msgspec.Struct, kw_only=True, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first message on a socket: the client's token, and the last log entry that it has seen (null: send no past news)."""

    protocol: int
    token: Annotated[str, Meta(max_length=64)] = ""
    since: Annotated[int, Meta(ge=0)] | None = None


AnyRequest = Join | Leave | Return | Kick | Fill | Change | Lock | Add | Ready | Start | Choose | Say | Mute | Undo | Answer | Hint

M = TypeVar("M")
_decoder: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
_hello = msgspec.json.Decoder(Hello)


def read(text: str | bytes) -> AnyRequest:
    """Decode a request; Refusal if it is malformed."""
    return _read(_decoder, text)


def read_hello(text: str | bytes) -> Hello:
    """Decode a hello; Refusal if it is malformed."""
    return _read(_hello, text)


def _read(decoder: msgspec.json.Decoder[M], text: str | bytes) -> M:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("malformed", Message("refuse-not-understood", {"text": str(error)})) from error


# ---- messages that a table sends


class Sent(msgspec.Struct, kw_only=True, tag_field="type", tag=str.lower):
    """Base class of all messages that a client is sent."""


class Welcome(Sent):
    """The answer to a hello: the client's number as a person at this table (-1: a spectator)."""

    protocol: int
    code: str
    person: int


class News(Sent):
    """One log entry from the viewpoint of one seat (-1: a spectator): the events of the match that are complete with it, a message about other
    changes, and the text of a line of chat."""

    seat: int
    seq: int
    at: int
    kind: str
    by: int
    events: list[EventJson]
    message: MessageJson | None
    text: str


class Chairs(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everyone sees it: a person's, a bot's or free; connected (``here``), away (a bot plays), muted, ready for a match. At ``until`` a bot
    takes over from a disconnected player."""

    name: str
    level: str
    free: bool
    here: bool
    away: bool
    muted: bool
    ready: bool
    until: int | None
    luck: str


class Show(Sent):
    """A snapshot of the table from the viewpoint of one seat; it replaces the previous one.

    ``names`` are the players of the match, also of a finished one whose players may have left their seats since. ``promise`` commits the
    server to the secret of the next match, ``commitment`` to that of this match, whose ``secret`` is revealed when it is over; ``match_number``
    counts the matches of the table up to this one (0: none yet)."""

    seat: int
    seq: int
    at: int
    code: str
    game: str
    title: str
    status: str
    public: bool
    spectators: str
    clock: int
    grace: int
    hints: bool
    stand_in: str
    locked: bool
    options: dict[str, Spoken]
    seats: list[Chairs]
    names: list[str]
    yours: list[int]
    owner: bool
    asked: int | None
    agreed: list[int]
    match_number: int
    promise: str
    commitment: str
    secret: str
    turn_ends: int | None
    match: MatchJson | None
    sheet: SheetJson | None


class Done(Sent):
    """A message was applied; its facts are durable in the log, up to ``seq``."""

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
    args: dict[str, Any]
    points: float
    reason: MessageJson


class Hinted(Sent):
    """The answer to a hint: the choices, the best first."""

    id: str
    seat: int
    seq: int
    choices: list[Considered]


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


class Frame(msgspec.Struct, kw_only=True):
    """One moment of a match: who chose (-1: chance) and what, the events, the match and the score sheet as in a show, and the bot's evaluations."""

    by: int
    choice: str
    events: list[EventJson]
    match: MatchJson
    sheet: SheetJson
    thoughts: list[Considered]


class Film(msgspec.Struct, kw_only=True):
    """Some moments of a finished match, or of a match between bots, from the viewpoint of one seat (-1: a spectator; -2: all cards are visible).

    ``match`` is its number at the table, 0 for a match between bots. ``known`` is the number of moments, so far if the match is not ``over``;
    ``rounds`` are the moments at which a round begins."""

    game: str
    title: str
    match: int
    seat: int
    names: list[str]
    levels: list[str]
    options: dict[str, Spoken]
    known: int
    over: bool
    rounds: list[int]
    first: int
    frames: list[Frame]


AnySent = Welcome | News | Show | Done | Denied | Hinted | Bye


def encoded(message: AnySent) -> bytes:
    """A message as JSON."""
    return msgspec.json.encode(message)
