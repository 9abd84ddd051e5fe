"""The shape of a game: the fields of its state, its kinds of choice, and a handful of rules.

At any moment a match waits for one of four things, its *phase*: a choice by the player whose turn it is (phase 0, 1, ...: an index
into the game's kinds of choice), a shuffled pack (``DEAL``), the seats in random order (``LOTS``), or nothing more (``OVER``).
Chance happens only in ``LOTS`` and ``DEAL``; everything else is decided by the choices.

State is declared data. Every field says what it is, and every place where cards lie says who sees it; from that the rest follows:
copying, saving, views, fair guesses at hidden cards, arrays for learning, log lines. Nothing is hidden by code.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Generic, TypeVar

from kortlek.cards import NOTHING, Card, Cards, bit

SEATS = 10
"""No game here has more seats than this."""
OVER, DEAL, LOTS = -1, -2, -3
LAST_SEAT, RANDOM = -1, -2
"""Values of options that name a seat."""

Value = int | list[int]
Names = tuple[str, ...]
"""What the players are called, by seat."""
S = TypeVar("S", bound="Match")


class Audience(Enum):
    """Who sees the cards that lie somewhere."""

    EVERYONE = "everyone"
    OWNER = "its owner"
    OTHERS = "everyone but its owner"
    NOBODY = "nobody"


class Lies(Enum):
    """How cards lie somewhere (see ``kortlek.cards``)."""

    SET = "a set"
    DOUBLE = "a set of two packs"
    PILE = "a pile"


EVERYONE, OWNER, OTHERS, NOBODY = Audience
SET, DOUBLE, PILE = Lies


@dataclass(frozen=True, eq=False, repr=False)
class Option:
    """A variant of the rules: a whole number, or several, or one of some names that stand for numbers."""

    about: str
    default: Callable[[int], Value]
    allowed: Callable[[int], range]
    names: tuple[tuple[str, int], ...] = ()
    length: Callable[[int], int] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Field:
    """What one field of a state is. ``shape`` is () for one number, else the lengths of the (nested) lists."""

    start: int = 0
    shape: tuple[int, ...] = ()
    per_seat: bool = False
    lies: Lies | None = None
    seen_by: Audience = EVERYONE
    lacks: str = ""
    shows: str = ""
    option: Option | None = None
    told: Callable[[int], str] | None = None
    names_seat: bool = False
    told_first: bool = False

    def blank(self) -> Any:
        """The value before anything has happened."""
        value: Any = 0 if self.lies is PILE else self.start
        if self.lies is PILE:
            value = [0] + [NOTHING] * (self.shape[-1] - 1)
        elif self.shape:
            value = [self.start] * self.shape[-1]
        for length in reversed(self.shape[:-1]):
            value = [copy.copy(value) for _ in range(length)]
        return value


def _field(declared: Field) -> Any:
    return dataclasses.field(metadata={"declared": declared})


def number(start: int = 0) -> Any:
    """A public number."""
    return _field(Field(start))


def seat_number() -> Any:
    """A public number that names a seat."""
    return _field(Field(names_seat=True))


def numbers(length: int, start: int = 0) -> Any:
    """Several public numbers."""
    return _field(Field(start, (length,)))


def per_seat(start: int = 0, *, told: Callable[[int], str] | None = None, told_first: bool = False) -> Any:
    """A public number for each seat; ``told`` says in the log that it has become something other than ``start``, ``told_first`` before
    other such news of the same moment."""
    return _field(Field(start, (SEATS,), per_seat=True, told=told, told_first=told_first))


def double_per_seat() -> Any:
    """A public number of cards of two packs for each seat, such as what a hand is known to hold. Not a place."""
    return _field(Field(0, (SEATS, 2), per_seat=True))


def place(seen_by: Audience) -> Any:
    """Somewhere cards lie. Every card is always in exactly one place."""
    return _field(Field(lies=SET, seen_by=seen_by))


def place_per_seat(seen_by: Audience, *, lacks: str = "") -> Any:
    """Somewhere cards lie, one for each seat; ``lacks`` names the field with the cards that publicly cannot lie there."""
    return _field(Field(0, (SEATS,), per_seat=True, lies=SET, seen_by=seen_by, lacks=lacks))


def double_place(seen_by: Audience) -> Any:
    """Somewhere cards of two packs lie."""
    return _field(Field(0, (2,), lies=DOUBLE, seen_by=seen_by))


def double_place_per_seat(seen_by: Audience, *, shows: str = "") -> Any:
    """Somewhere cards of two packs lie, one for each seat; ``shows`` names the field with those that publicly lie there."""
    return _field(Field(0, (SEATS, 2), per_seat=True, lies=DOUBLE, seen_by=seen_by, shows=shows))


def pile(capacity: int, seen_by: Audience, *, lacks: str = "") -> Any:
    """Cards in order, such as a stock or a discard pile. How many there are is public."""
    return _field(Field(0, (capacity + 1,), lies=PILE, seen_by=seen_by, lacks=lacks))


def pile_per_seat(capacity: int, seats: int, seen_by: Audience) -> Any:
    """Cards in order, a pile for each seat."""
    return _field(Field(0, (seats, capacity + 1), per_seat=True, lies=PILE, seen_by=seen_by))


# ---- options: fields that the players agree on before the match


def whole(about: str, default: int | Callable[[int], int], allowed: range | Callable[[int], range], **names: int) -> Any:
    """A whole number, or one of some names. Default and range may depend on the number of players."""
    return _field(
        Field(
            option=Option(
                about,
                default if callable(default) else lambda players: default,
                allowed if callable(allowed) else lambda players: allowed,
                tuple(names.items()),
            )
        )
    )


def one_of(about: str, *names: str) -> Any:
    """One of several named ways; the first is the default."""
    return whole(about, 0, range(0), **{name: value for value, name in enumerate(names)})


def yes_no(about: str) -> Any:
    """A yes or no; no is the default."""
    return one_of(about, "no", "yes")


def a_seat(about: str, default: int) -> Any:
    """A seat, the last seat, or one drawn by lot."""
    return whole(about, default, range, last_seat=LAST_SEAT, random=RANDOM)


def whole_numbers(about: str, length: int, default: Callable[[int], list[int]], allowed: range) -> Any:
    """A list of as many whole numbers as the default has; in the state it is filled up to ``length`` with zeros."""
    option = Option(about, default, lambda players: allowed, length=lambda players: len(default(players)))
    return _field(Field(shape=(length,), option=option))


state = dataclass(slots=True, eq=False, repr=False, init=False)
"""Decorator of every state: a class whose fields are all declared with the functions above."""


class Declared:
    """Numbers whose fields are all declared. They are blank in the beginning."""

    __slots__ = ()

    def __init__(self) -> None:
        for name, field in fields_of(type(self)).items():
            setattr(self, name, field.blank())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in fields_of(type(self)))})"


@state
class Match(Declared):
    """What the state of every game has."""

    phase: int = number(DEAL)
    players: int = number()
    turn: int = seat_number()
    round: int = number()
    score: list[int] = per_seat()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and values(self) == values(other)

    def __hash__(self) -> int:
        return hash(repr(values(self)))


_FIELDS: dict[type[Declared], dict[str, Field]] = {}


def fields_of(kind: type[Declared]) -> dict[str, Field]:
    """The declared fields of a type of state, by name."""
    if kind not in _FIELDS:
        _FIELDS[kind] = _checked_fields(kind)
    return _FIELDS[kind]


def _checked_fields(kind: type[Declared]) -> dict[str, Field]:
    declared = {}
    for each in dataclasses.fields(kind):  # type: ignore[arg-type]
        if "declared" not in each.metadata:
            raise TypeError(f"{kind.__name__}.{each.name} is not declared: use number(), place(), option ... of kortlek.rules.game")
        declared[each.name] = each.metadata["declared"]
    for name, field in declared.items():
        if field.seen_by in (OWNER, OTHERS) and not field.per_seat:
            raise TypeError(f"{kind.__name__}.{name} has no owner: only a place per seat can be seen by its owner or the others")
        for other in (field.lacks, field.shows):
            if other and other not in declared:
                raise TypeError(f"{kind.__name__}.{name} speaks of {other}, which is not a field")
    return declared


def values(s: Declared) -> list[Any]:
    """The values of all fields, in the order of their declaration."""
    return [getattr(s, name) for name in fields_of(type(s))]


# ---- what rules of all games share


def next_seat(s: Match, seat: int) -> int:
    """The next player clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


def gather_seats(s: Match, pack: list[Card]) -> int:
    """The seats, to be drawn by lot."""
    for seat in range(s.players):
        pack[seat] = seat
    return s.players


def gather_pack(pack: list[Card], kinds: int) -> int:
    """One card of every kind, to be shuffled."""
    for card in range(kinds):
        pack[card] = card
    return kinds


def highest_scores(s: Match) -> Cards:
    """The seats with the most points: ties are shared wins."""
    best = s.score[0]
    for seat in range(s.players):
        best = max(best, s.score[seat])
    return seats_with(s, best)


def lowest_scores(s: Match) -> Cards:
    """The seats with the fewest points: ties are shared wins."""
    best = s.score[0]
    for seat in range(s.players):
        best = min(best, s.score[seat])
    return seats_with(s, best)


def seats_with(s: Match, score: int) -> Cards:
    """The seats that have this score."""
    seats = 0
    for seat in range(s.players):
        if s.score[seat] == score:
            seats |= bit(seat)
    return seats


@dataclass(frozen=True, eq=False, repr=False)
class Pack:
    """What is played with: the kinds of card by name, how many of each, and whether each player has a pack of her own."""

    names: tuple[str, ...]
    copies: int = 1
    one_each: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Choice:
    """A kind of decision: every alternative in notation (``play HQ``) and as the log tells it (``plays HQ``)."""

    name: str
    ask: str
    notation: tuple[str, ...]
    told: tuple[str, ...]


def choice(name: str, told: str, ask: str, things: Iterable[object]) -> Choice:
    """A kind of choice among things: ``choice("bid", "bids", "How many tricks?", range(11))``."""
    listed = [str(thing) for thing in things]
    return Choice(name, ask, tuple(f"{name} {thing}" for thing in listed), tuple(f"{told} {thing}" for thing in listed))


@dataclass(frozen=True, eq=False, repr=False)
class Sheet(Generic[S]):
    """The score sheet: a row for each finished round, a cell for each player."""

    title: str
    row: Callable[[S], str]
    cell: Callable[[S, int], str]


@dataclass(frozen=True, eq=False, repr=False)
class Picture(Generic[S]):
    """The table in words, made from what one viewer sees: a layout hint, never a rule. ``table`` gives a paragraph for each thing that
    lies there, ``last`` what lay there before and may be asked for again. ``sizes`` are the hidden places whose sizes are of interest.
    ``earns`` is what the player in turn would earn at once, by the choices in notation that lead there, with a comma between.
    ``drawn`` is for one viewer, as plain data, what a page that draws the table could not know without the rules, such as the melds."""

    table: Callable[[S, Names], list[str]]
    last: Callable[[S, Names], str] | None = None
    sizes: tuple[str, ...] = ()
    earns: Callable[[S], dict[str, str]] | None = None
    drawn: Callable[[S, int], dict[str, Any]] | None = None


@dataclass(frozen=True)
class Counted:
    """Something that a designer wants counted, in words: what happens so often of so many times (a share), or comes to so much each time."""

    name: str
    about: str
    is_share: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class Counts(Generic[S]):
    """What is counted of a game besides scores and wins. ``count(before, after, choice, tally)`` hears of every event (a deal has no choice:
    NOTHING) and adds to ``tally[2 * n]`` how often, or how much, and to ``tally[2 * n + 1]`` of how many times, for thing n."""

    things: tuple[Counted, ...]
    count: Callable[[S, S, int, list[int]], None]


def by_name(names: Names, texts: Iterable[object]) -> str:
    """What is said of each player: ``Lisa 2, Toby 0``; nothing of those for whom the text is empty."""
    return ", ".join(f"{name} {text}" for name, text in zip(names, texts, strict=False) if text != "")


@dataclass(frozen=True, eq=False, repr=False)
class Game(Generic[S]):
    """A game. Raise ``version`` whenever the same choices could lead elsewhere than before.

    ``start(s)`` sets up a match when players and options are known. ``gather(s, pack)`` lists what has to be shuffled and says how
    many; ``deal(s, pack)`` takes it shuffled. ``legal(s)`` is the set of legal alternatives and changes nothing; ``apply(s, choice)``
    trusts its caller. ``winners(s)`` is the set of seats that share the win; empty if there is no winner. ``why_not(s, choice)`` says
    to a player why an illegal choice is illegal. ``swing`` is about how many points one round can turn (for search). ``kept(s, seat)``,
    in a game of promises, is whether a player kept hers in the round just scored.
    """

    name: str
    title: str
    version: int
    players: range
    pack: Pack
    state: type[S]
    choices: tuple[Choice, ...]
    start: Callable[[S], None]
    gather: Callable[[S, list[Card]], int]
    deal: Callable[[S, list[Card]], None]
    legal: Callable[[S], Cards]
    apply: Callable[[S, int], None]
    winners: Callable[[S], Cards]
    why_not: Callable[[S, int], str]
    sheet: Sheet[S]
    swing: int
    lowest_wins: bool = False
    house_variants: dict[int, str] = dataclasses.field(default_factory=dict)
    picture: Picture[S] | None = None
    kept: Callable[[S, int], bool] | None = None
    counts: Counts[S] | None = None
    """What the lab counts besides scores and wins."""
    about: str = ""
    """The game in one sentence."""
    layout: dict[str, str] = dataclasses.field(default_factory=dict)
    """Which fields a page shows where: a hint, never a rule (docs/adding-a-game.md)."""

    def __post_init__(self) -> None:
        fields_of(self.state)
        for kind in self.choices:
            if len(kind.notation) > 62:
                raise TypeError(f"{self.name}: a choice has at most 62 alternatives, {kind.name} has {len(kind.notation)}")

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        return {name: field.option for name, field in fields_of(self.state).items() if field.option}
