"""What clients send on the socket: a hello, and then requests. Requests are the same over HTTP."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from kortlek.engine.plain import Spoken
from kortlek.game import SEATS, Message
from kortlek.table.refusals import Refusal

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


class Explain(Request):
    """Ask why choices are refused, what choices earn, and for the text table. Only the sender gets the answer, and it is not logged."""

    seat: Annotated[int, Meta(ge=-1, le=SEATS - 1)]


class History(Request):
    """Ask for the events of the match so far, and the latest chat. Only the sender gets the answer."""


class Sync(Request):
    """Ask for a snapshot, for example because a step does not follow the last one."""


class Ping(Request):
    """Ask for a sign of life."""


class Hello(msgspec.Struct, kw_only=True, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first message on a socket: the client's token, and the last log entry that it has seen: if that is recent, the steps after it are sent
    again; otherwise, and without it, a snapshot."""

    protocol: int
    token: Annotated[str, Meta(max_length=64)] = ""
    since: Annotated[int, Meta(ge=0)] | None = None


AnyRequest = Join | Leave | Return | Kick | Fill | Change | Lock | Add | Ready | Start | Choose | Say | Mute | Undo | Answer
"""Requests that change a table."""
AnyQuestion = Hint | Explain | History | Sync | Ping
"""Requests that only their sender gets an answer to."""

M = TypeVar("M")
_decoder: msgspec.json.Decoder[AnyRequest | AnyQuestion] = msgspec.json.Decoder(AnyRequest | AnyQuestion)
_hello = msgspec.json.Decoder(Hello)


def read(text: str | bytes) -> AnyRequest | AnyQuestion:
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
