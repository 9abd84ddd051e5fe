"""What a server answers over HTTP."""

from __future__ import annotations

import msgspec

from kortlek.engine.plain import Spoken
from kortlek.engine.view_json import EventJson, ExplainedJson, MatchJson, MessageJson, SheetJson, message_to_json
from kortlek.table.protocol.client_out import Considered
from kortlek.table.refusals import Refusal


class Opened(msgspec.Struct, kw_only=True):
    """A new table: its code and the token of its owner, which is sent only once."""

    code: str
    token: str


class Seated(msgspec.Struct, kw_only=True):
    """The answer to a join: the person's seats, her token (empty if she had one), and the number of the last log entry."""

    token: str
    seats: list[int]
    seq: int


class PlayerLine(msgspec.Struct, kw_only=True):
    """A seat of a table in the lobby."""

    name: str
    level: str


class LobbyLine(msgspec.Struct, kw_only=True):
    """A table in the lobby."""

    code: str
    game: str
    title: str
    status: str
    locked: bool
    seats: list[PlayerLine]


class Part(msgspec.Struct, kw_only=True):
    """A part of a server: whether it is well, and how it is, in words."""

    ok: bool
    about: str


class Health(msgspec.Struct, kw_only=True):
    """The answer to a health check: whether all parts are well, the versions of the server, and each part."""

    ok: bool
    version: str
    protocol: int
    parts: dict[str, Part]


class Wrong(msgspec.Struct, kw_only=True):
    """A refusal: a code for programs, a message for people, and the same message in English."""

    code: str
    message: MessageJson
    sentence: str

    @classmethod
    def because(cls, refusal: Refusal) -> Wrong:
        """The body of the response to a refused request."""
        return cls(code=refusal.code, message=message_to_json(refusal.message), sentence=refusal.sentence)


class Frame(msgspec.Struct, kw_only=True):
    """One moment of a match: who chose (-1: chance) and what, the events, the match and the score sheet as in a snapshot, what takes longer to
    compute about it, and the bot's evaluations."""

    by: int
    choice: str
    events: list[EventJson]
    match: MatchJson
    explained: ExplainedJson
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
