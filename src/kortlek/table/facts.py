"""The facts (log entries) of a table. The log of a table is a list of facts, and nothing else of a table is stored."""

from __future__ import annotations

import sys

import msgspec

from kortlek.engine.plain import Spoken

CHANCE, PERSON, BOT, CLOCK = "chance", "person", "bot", "clock"
"""Who made a choice: chance, the player, a bot (in its own seat or for an absent player), or a bot because the turn timed out."""


class Fact(msgspec.Struct, kw_only=True, tag_field="fact", tag=str.lower):
    """Base class of all facts."""


class Opened(Fact):
    """The table was opened: its first fact. The opener is person 0. ``secret`` is that of the first match; only its hash is published, as the promise
    of this ``scheme`` (see ``fairness``; logs of the first edition do not name theirs)."""

    game: str
    players: int
    options: dict[str, Spoken]
    token: str
    secret: str
    public: bool
    spectators: str
    delay: int
    clock: int
    grace: int
    pace: int
    hints: bool
    stand_in: str
    scheme: int = 1


class Changed(Fact):
    """The number of players or the options changed, before the match. Surplus seats are removed."""

    players: int
    options: dict[str, Spoken]


class Sat(Fact):
    """A person sat down; ``token`` is the hash of her token if she is new at the table."""

    seat: int
    person: int
    name: str
    token: str = ""


class Stood(Fact):
    """A person left a seat before the match, or was sent away. The token of a person who was sent away is no longer valid."""

    seat: int
    sent_away: bool = False


class Put(Fact):
    """A bot of this level was put into the seat; without a level, the seat was freed."""

    seat: int
    level: str = ""


class Locked(Fact):
    """The table was locked (nobody else may sit down) or unlocked."""

    locked: bool


class Added(Fact):
    """A player sent her luck, the contribution to the seed of the shuffle, as the answer to a promise (which the first edition did not note)."""

    seat: int
    luck: str
    promise: str = ""


class Readied(Fact):
    """A player is ready for the match, or not yet."""

    seat: int
    ready: bool


class Began(Fact):
    """A match began. ``secret`` and ``scheme`` are those of the next match; everyone moved on by ``rotated`` seats first. ``source``
    identifies the rules of a custom game, so that a later change of them is noticed."""

    version: int
    secret: str
    scheme: int = 1
    rotated: int = 0
    source: str = ""


class Dropped(Fact):
    """The match was given up, because its rules are not here any more. It is not resumed even if they come back."""


class Happened(Fact):
    """A choice or a chance event, in notation."""

    event: str
    seat: int
    by: str


class Chosen(Fact):
    """A choice, in notation, of a player who chooses at the same time as others. It is sealed: nothing that is sent to anybody else depends on it
    until all have chosen; then all choices are applied."""

    seat: int
    choice: str
    by: str


class Withdrawn(Fact):
    """A player took back the last of her sealed choices. Nobody else is informed."""

    seat: int


class Said(Fact):
    """A line of chat."""

    seat: int
    text: str


class Muted(Fact):
    """A player was muted or unmuted in the chat."""

    seat: int
    muted: bool


class Away(Fact):
    """A bot plays for a player who is disconnected, or who has left by choice."""

    seat: int
    by_choice: bool = False


class Back(Fact):
    """The player is back, and plays for herself again."""

    seat: int


class Asked(Fact):
    """A player asked to take back her last choice, to which the others have to agree."""

    seat: int


class Answered(Fact):
    """A player answered the request to take a choice back."""

    seat: int
    yes: bool


class Lapsed(Fact):
    """The request to take a choice back was not answered in time."""

    seat: int


class Undone(Fact):
    """The match was rolled back to its first ``to`` choices and chance events."""

    seat: int
    to: int


class Handed(Fact):
    """Whoever runs the server gave the seat's person a new token, of which this is the hash; her former token is no longer valid."""

    seat: int
    token: str


class Closed(Fact):
    """Whoever runs the server closed the table: nothing happens at it any more."""


AnyFact = (
    Opened
    | Changed
    | Sat
    | Stood
    | Put
    | Locked
    | Added
    | Readied
    | Began
    | Dropped
    | Happened
    | Chosen
    | Withdrawn
    | Said
    | Muted
    | Away
    | Back
    | Asked
    | Answered
    | Lapsed
    | Undone
    | Handed
    | Closed
)
Sealed = Chosen | Withdrawn
"""Facts that are sent only to the player herself."""
Quiet = Happened | Chosen | Withdrawn | Said | Muted | Away | Back | Asked | Answered | Undone | Added | Readied
"""Facts that leave the standing of a table as it is, unless the match begins or ends with them."""
Patched = Happened | Said | Muted | Away | Back | Asked | Answered | Readied | Locked | Added
"""Facts after which clients are sent what has changed; after any other, a snapshot."""

_decoder: msgspec.json.Decoder[AnyFact] = msgspec.json.Decoder(AnyFact)


def kind_of(fact: AnyFact) -> str:
    """The name of a fact in the log, and of its news."""
    return sys.intern(str(type(fact).__struct_config__.tag))  # msgspec leaves a default out only if it is the same object


def written(fact: AnyFact) -> str:
    """A fact as JSON, as it is stored in the log."""
    return msgspec.json.encode(fact).decode()


def read(body: str) -> AnyFact:
    """Decode a fact from the body of a log entry."""
    return _decoder.decode(body)
