"""What can happen at a table. The log of a table is a list of these, and nothing else is ever kept of it."""

from __future__ import annotations

import msgspec

from kortlek.engine.plain import Spoken

CHANCE, PERSON, BOT, CLOCK = "chance", "person", "bot", "clock"
"""Who decided: nobody, the player, a bot (in its own seat or in that of somebody who is away), or a bot because the time was up."""


class Fact(msgspec.Struct, kw_only=True, tag_field="fact", tag=str.lower):
    """Something that has happened."""


class Opened(Fact):
    """Somebody opened the table: its first fact. She is person 0. ``secret`` is the one of the first match, of which only a hash is told."""

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


class Changed(Fact):
    """Other players or options, before the match. Seats that are no longer there are left."""

    players: int
    options: dict[str, Spoken]


class Sat(Fact):
    """A person sat down; ``token`` is the hash of hers if she is new here."""

    seat: int
    person: int
    name: str
    token: str = ""


class Stood(Fact):
    """A person left a seat before the match, or was sent away. Who was sent away is a stranger from then on."""

    seat: int
    sent_away: bool = False


class Put(Fact):
    """A bot of this level has the seat; with no level it is free."""

    seat: int
    level: str = ""


class Locked(Fact):
    """Nobody else may sit down, or they may again."""

    locked: bool


class Added(Fact):
    """A player's own share of the luck, which the pack is shuffled with."""

    seat: int
    luck: str


class Readied(Fact):
    """A player is ready for the match, or not yet."""

    seat: int
    ready: bool


class Began(Fact):
    """A match began. ``secret`` is the one of the next match; ``rotated`` is by how many seats everyone moved on before it began. ``source`` tells
    the rules of a game of somebody's own from those that it has after a change."""

    version: int
    secret: str
    rotated: int = 0
    source: str = ""


class Happened(Fact):
    """A choice or a chance event, in notation."""

    event: str
    seat: int
    by: str


class Chosen(Fact):
    """A choice, in notation, of a player who chooses at the same time as others. It is sealed: nobody else is told of it in any way until all have
    chosen; then all of their choices happen."""

    seat: int
    choice: str
    by: str


class Withdrawn(Fact):
    """She takes the last of her sealed choices back. Nobody else is told of it."""

    seat: int


class Said(Fact):
    """A line of chat."""

    seat: int
    text: str


class Muted(Fact):
    """A player may not chat for now, or may again."""

    seat: int
    muted: bool


class Away(Fact):
    """A bot plays for a player who is not there, or who has left by choice."""

    seat: int
    by_choice: bool = False


class Back(Fact):
    """She plays for herself again."""

    seat: int


class Asked(Fact):
    """A player would like to take her last choice back, and the others have to agree."""

    seat: int


class Answered(Fact):
    """One of the others agrees, or does not."""

    seat: int
    yes: bool


class Undone(Fact):
    """Everything from an event of the match on is taken back."""

    seat: int
    to: int


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
    | Happened
    | Chosen
    | Withdrawn
    | Said
    | Muted
    | Away
    | Back
    | Asked
    | Answered
    | Undone
)
Sealed = Chosen | Withdrawn
"""Facts that only the player herself is told of."""

_decoder: msgspec.json.Decoder[AnyFact] = msgspec.json.Decoder(AnyFact)


def written(fact: AnyFact) -> str:
    """A fact as it stands in the log."""
    return msgspec.json.encode(fact).decode()


def read(body: str) -> AnyFact:
    """The fact in a line of the log."""
    return _decoder.decode(body)
