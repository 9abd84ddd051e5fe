"""What people and programs may ask of a table, and how it refuses. The same messages come by the socket, over HTTP, and in tests."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from kortlek.engine.plain import Spoken
from kortlek.engine.view_json import EventJson, MatchJson, MessageJson, SheetJson, message_to_json
from kortlek.game import SEATS, Message
from kortlek.table.refusals import Refusal

PROTOCOL = 1
"""The number of this protocol. Raised if a client of the former one would go wrong."""
LONGEST_LINE = 300
QUICK_PHRASES = ("Hello!", "Good luck!", "Well played!", "Thank you!", "Sorry!", "One moment, please.", "Oops!", "Good game!")

Name = Annotated[str, Meta(min_length=1, max_length=40, description="What the player is called.")]
Id = Annotated[str, Meta(max_length=64, pattern=r"^(?![\s\S]*[^ -~])", description="The client's own: a message with the same id is applied once.")]
Luck = Annotated[str, Meta(max_length=64, pattern=r"^(?![\s\S]*[^0-9a-f])", description="Up to 64 hexadecimal digits to shuffle with, too.")]
Options = Annotated[dict[str, Spoken], Meta(max_length=20, description="Variants of the rules by name.")]
SeatNumber = Annotated[int, Meta(ge=0, le=SEATS - 1)]


class Request(msgspec.Struct, kw_only=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """Something that somebody asks for."""

    id: Id = ""


class Open(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A new table. Whoever opens it owns it, and gets its first token; with a name she also sits down in the first seat.

    ``clock`` is how many seconds a turn may take (0: no limit), ``grace`` how many seconds somebody may be away before a bot of the level
    ``stand_in`` plays for her, ``pace`` about how many milliseconds a bot waits with its choice. ``spectators``: off, public, or delayed
    by ``delay`` seconds. ``levels`` puts bots into seats, from the last seat on."""

    game: Annotated[str, Meta(max_length=40)]
    players: Annotated[int, Meta(ge=1, le=SEATS)] | None = None
    options: Options = {}
    name: Annotated[str, Meta(max_length=40)] = ""
    levels: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=SEATS)] = []
    luck: Luck = ""
    public: bool = False
    spectators: Literal["off", "public", "delayed"] = "public"
    delay: Annotated[int, Meta(ge=1, le=3600)] = 60
    clock: Annotated[int, Meta(ge=0, le=14 * 86400)] = 0
    grace: Annotated[int, Meta(ge=0, le=86400)] = 45
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 900
    hints: bool = True
    stand_in: Annotated[str, Meta(max_length=40)] = "club"


class Join(Request):
    """Sit down: in this seat, or in the first free one."""

    name: Name
    seat: SeatNumber | None = None
    luck: Luck = ""


class Leave(Request):
    """Leave a seat. During a match a bot plays on, and the player may come back."""

    seat: SeatNumber


class Return(Request):
    """Play for oneself again."""

    seat: SeatNumber


class Kick(Request):
    """Send a player away (the owner)."""

    seat: SeatNumber


class Fill(Request):
    """Put a bot into a seat, or with no level free it (the owner, before the match)."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=40)] = ""


class Change(Request):
    """Other players or options (the owner, before the match)."""

    players: Annotated[int, Meta(ge=1, le=SEATS)] | None = None
    options: Options = {}


class Lock(Request):
    """Let nobody else sit down, or let them again (the owner)."""

    locked: bool = True


class Add(Request):
    """A share of the luck, before the match."""

    seat: SeatNumber
    luck: Luck


class Ready(Request):
    """Say that one is ready for the match, or not yet."""

    seat: SeatNumber
    ready: bool = True


class Start(Request):
    """Begin the match (the owner), or after it the next one (anybody with a seat); everyone moves on by ``rotate`` seats. Bots take free seats."""

    rotate: SeatNumber = 0


class Choose(Request):
    """A choice in notation, made by somebody who has seen everything up to ``at``."""

    seat: SeatNumber
    choice: Annotated[str, Meta(max_length=40)]
    at: Annotated[int, Meta(ge=0)]


class Say(Request):
    """Say something to the table."""

    seat: SeatNumber
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]


class Mute(Request):
    """Let a player not chat, or let her again (the owner)."""

    seat: SeatNumber
    muted: bool = True


class Undo(Request):
    """Take the last choice back; if that is not for the player alone to say, ask the others."""

    seat: SeatNumber


class Answer(Request):
    """Agree that somebody takes a choice back, or do not."""

    seat: SeatNumber
    yes: bool


class Hint(Request):
    """What would a good player do in my place? Answered to the one who asks, and kept nowhere."""

    seat: SeatNumber


class Hello(msgspec.Struct, kw_only=True, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first message on a socket: who one is, and the last thing one has seen of the table (nothing: none is wanted)."""

    protocol: int
    token: Annotated[str, Meta(max_length=64)] = ""
    since: Annotated[int, Meta(ge=0)] | None = None


AnyRequest = Join | Leave | Return | Kick | Fill | Change | Lock | Add | Ready | Start | Choose | Say | Mute | Undo | Answer | Hint

M = TypeVar("M")
_decoder: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
_hello = msgspec.json.Decoder(Hello)


def read(text: str | bytes) -> AnyRequest:
    """The message in a text; Refusal if it is none."""
    return _read(_decoder, text)


def read_hello(text: str | bytes) -> Hello:
    """The first message in a text; Refusal if it is none."""
    return _read(_hello, text)


def _read(decoder: msgspec.json.Decoder[M], text: str | bytes) -> M:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("malformed", Message("refuse-not-understood", {"text": str(error)})) from error


# ---- what a table sends


class Sent(msgspec.Struct, kw_only=True, tag_field="type", tag=str.lower):
    """Something that a client is sent."""


class Welcome(Sent):
    """The answer to a hello: who one is here (-1: somebody who looks on)."""

    protocol: int
    code: str
    person: int


class News(Sent):
    """One entry of the log, as one seat (-1: who looks on) is told of it: the events of the match that are over with it, a message about what
    else happened, and what somebody said."""

    seat: int
    seq: int
    at: int
    kind: str
    by: int
    events: list[EventJson]
    message: MessageJson | None
    text: str


class Chairs(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everyone sees it: of a person, a bot or free; connected, away (a bot plays), muted, ready for a match. A bot takes over from who
    has lost the connection at ``until``."""

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
    """The table as one seat sees it now; it replaces what was shown before.

    ``names`` are those who play the match or, if it is over, who played it: some may have left their seats since. ``promise`` is the hash of the
    secret of the next match, ``commitment`` that of this one, whose ``secret`` is told when it is over."""

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
    promise: str
    commitment: str
    secret: str
    turn_ends: int | None
    match: MatchJson | None
    sheet: SheetJson | None


class Done(Sent):
    """A message was applied, and is safely in the log up to ``seq``."""

    id: str
    seq: int


class Denied(Sent):
    """A message was not applied, and why: a code for programs, a message for people, and the same in English."""

    id: str
    code: str
    message: MessageJson
    sentence: str

    @classmethod
    def because(cls, id: str, refusal: Refusal) -> Denied:
        """The answer to a message that is refused."""
        return cls(id=id, code=refusal.code, message=message_to_json(refusal.message), sentence=refusal.sentence)


class Considered(msgspec.Struct, frozen=True, kw_only=True):
    """A choice as a good player sees it: what it is thought to earn, and what speaks for it."""

    choice: str
    verb: str
    args: dict[str, Any]
    points: float
    reason: MessageJson


class Hinted(Sent):
    """What a good player would do, the best first."""

    id: str
    seat: int
    seq: int
    choices: list[Considered]


class Bye(Sent):
    """The last message before the server closes the socket; ``retry`` milliseconds later one may come again (-1: do not)."""

    code: str
    message: MessageJson
    sentence: str
    retry: int

    @classmethod
    def because(cls, refusal: Refusal, retry: int) -> Bye:
        """The last message to somebody who is refused."""
        return cls(code=refusal.code, message=message_to_json(refusal.message), sentence=refusal.sentence, retry=retry)


class Frame(msgspec.Struct, kw_only=True):
    """One moment of a match: who chose (-1: chance) and what, what is told of it, the match then as in a show, and what the bot thought."""

    by: int
    choice: str
    events: list[EventJson]
    match: MatchJson
    sheet: SheetJson
    thoughts: list[Considered]


class Film(msgspec.Struct, kw_only=True):
    """Some moments of a match that is over, or that bots play, with the eyes of one seat (-1: who looks on; -2: everybody's cards).

    ``match`` is its number at the table, 0 if it is none of a table. ``known`` is how many moments there are, of a match that is not ``over``
    so far; ``rounds`` are those at which a round begins."""

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
    """A message as it goes over the wire."""
    return msgspec.json.encode(message)
