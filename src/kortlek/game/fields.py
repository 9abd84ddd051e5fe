"""The fields of a state. Every field declares what it holds, who owns it, who sees it, and when it is reset.

Copies, resets before each deal, range checks, the small integers of compiled records, views, redeals, observations, the text table and the data for a
page are derived from these declarations. Nothing is hidden by code.

What a field holds:

* a number: ``count(low, high)``, ``flag()``, or the number of a ``seat()``, ``card()``, ``suit()`` or ``rank()``. It can be hidden like cards.
  Whether a hidden number is set is public if ``start`` is outside its range (a sealed bid that was made or not), and hidden if ``start`` is
  inside (a secret role); its value is known only to those who see the field, and redeals draw it from its range;
* a set that is not a place: ``card_set()``, ``seat_set()``;
* a place for cards: ``cards()`` (a set), ``multiset(copies)``, ``wide(kinds)`` (any number of kinds and copies), ``pile(capacity)``.
  Every card of the pack is in exactly one place at any time; views and redeals infer from this what is unseen;
* knowledge: a place names the fields ``known_absent`` (cards that publicly cannot be there) and ``known_present`` (cards that publicly are);
  ``known_to(place)`` is private: what each seat knows to be in each other seat's place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar, overload

from kortlek.cards import NOTHING

if TYPE_CHECKING:
    from kortlek.game.options import Option

SEATS = 13
"""The largest number of seats of any game."""
TEAMS = SEATS
LARGEST_SCORE = 1_000_000_000
MOST_HIDDEN_NUMBERS = 64
"""The largest number of hidden numbers of a game, all seats together."""


class Audience(Enum):
    """Who sees the content of a field."""

    EVERYONE = "everyone"
    OWNER = "its owner"
    TEAM = "its owner and her partners"
    OTHERS = "everyone but its owner"
    NOBODY = "nobody"


class Storage(Enum):
    """How the cards of a place are stored (see ``kortlek.cards``)."""

    SET = "a set"
    MULTISET = "a multiset"
    WIDE = "a count for each kind"
    PILE = "a pile"


class Reset(Enum):
    """When a field is reset: before every deal, or only at the start of a match."""

    ROUND = "round"
    MATCH = "match"


class Owner(Enum):
    """The owner of a field."""

    TABLE = "the table's"
    SEAT = "each seat's"
    TEAM = "each team's"
    PILES = "one of several piles'"


class Holds(Enum):
    """The type of a field that is not a place."""

    COUNT = "count"
    FLAG = "flag"
    SEAT = "seat"
    CARD = "card"
    SUIT = "suit"
    RANK = "rank"
    CARD_SET = "card set"
    SEAT_SET = "seat set"


EVERYONE, OWNER, PARTNERS, OTHERS, NOBODY = Audience
SET, MULTISET, WIDE, PILE = Storage
ROUND, MATCH = Reset


@dataclass(frozen=True, eq=False, repr=False)
class Field:
    """A declared field. ``inner`` is the shape of one value; ``shape`` the shape of all values in a given state."""

    holds: Holds = Holds.COUNT
    storage: Storage | None = None
    low: int = 0
    high: int = 0
    start: int = 0
    inner: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    owner: Owner = Owner.TABLE
    piles: int = 0
    seen_by: Audience = EVERYONE
    reset: Reset = ROUND
    known_absent: str = ""
    known_present: str = ""
    known_to: str = ""
    """For private knowledge: the place that it is about."""
    option: Option | None = None
    event: bool = False
    """Whether a new value is an event of its own."""
    event_first: bool = False
    event_from: str = ""
    """The field with the seat whose event comes first; by default the seat after the player who chose. The other seats follow clockwise."""

    @property
    def per_seat(self) -> bool:
        """Whether each seat has a value."""
        return self.owner is Owner.SEAT

    @property
    def is_set(self) -> bool:
        """Whether a value is a set of cards or seats in one integer."""
        return self.storage in (SET, MULTISET) or self.holds in (Holds.CARD_SET, Holds.SEAT_SET)

    @property
    def is_hidden_number(self) -> bool:
        """Whether the field is a number that some viewers do not see: not cards, not knowledge, not a set."""
        return self.seen_by is not EVERYONE and not self.storage and not self.known_to and not self.is_set

    def range_of(self, players: int, kinds: int) -> range:
        """The possible values of a number that is set, in a match with this many players and a pack of this many kinds."""
        if self.holds in (Holds.SEAT, Holds.CARD):
            return range(players if self.holds is Holds.SEAT else kinds)
        return range(0 if self.holds in (Holds.SUIT, Holds.RANK) else self.low, self.high + 1)

    def how_many(self, players: int) -> int:
        """The number of values in a match with this many players: one for the table, or one for each seat, team or pile."""
        return self.piles if self.owner is Owner.PILES else 1 if self.owner is Owner.TABLE else players

    def resolved(self, seats: int) -> Field:
        """The field in a state with this many seats."""
        outer = {Owner.TABLE: (), Owner.SEAT: (seats,), Owner.TEAM: (seats,), Owner.PILES: (self.piles,)}[self.owner]
        return replace(self, shape=(*outer, *((seats,) if self.known_to else ()), *self.inner))

    def blank(self) -> Any:
        """The start value of the field."""
        return self._blank(self.shape)

    def blank_of_one(self) -> Any:
        """The start value for one seat, team or pile."""
        return self._blank(self.shape if self.owner is Owner.TABLE else self.shape[1:])

    def _blank(self, shape: tuple[int, ...]) -> Any:
        if len(shape) > 1:
            return [self._blank(shape[1:]) for _ in range(shape[0])]
        if self.storage is PILE:
            return [0] + [NOTHING] * (shape[0] - 1)
        return [self.start] * shape[0] if shape else self.start


def declare(field: Field) -> Any:
    """Turn a declaration into a field of a state class."""
    return dataclasses.field(metadata={"declared": field})


def _field(per_seat: bool, per_team: bool, piles: int, **more: Any) -> Any:
    owner = Owner.SEAT if per_seat else Owner.TEAM if per_team else Owner.PILES if piles else Owner.TABLE
    return declare(Field(owner=owner, piles=piles, **more))


# ---- numbers


def count(
    low: int,
    high: int,
    *,
    start: int | None = None,
    per_seat: bool = False,
    per_team: bool = False,
    piles: int = 0,
    length: int = 0,
    seen_by: Audience = EVERYONE,
    reset: Reset = ROUND,
    event: bool = False,
    event_first: bool = False,
    event_from: str = "",
) -> Any:
    """A number from ``low`` to ``high``, or ``length`` of them; ``start`` (``low`` if not given) is the value before anything has happened."""
    told = {"event": event, "event_first": event_first, "event_from": event_from}
    inner = (length,) if length else ()
    begin = low if start is None else start
    return _field(per_seat, per_team, piles, low=low, high=high, start=begin, inner=inner, seen_by=seen_by, reset=reset, **told)


def flag(
    *, per_seat: bool = False, per_team: bool = False, piles: int = 0, seen_by: Audience = EVERYONE, reset: Reset = ROUND, event: bool = False
) -> Any:
    """A yes or no: 0 or 1, 0 in the beginning."""
    return _field(per_seat, per_team, piles, holds=Holds.FLAG, high=1, seen_by=seen_by, reset=reset, event=event)


def seat(*, per_seat: bool = False, start: int = 0, seen_by: Audience = EVERYONE, reset: Reset = ROUND, event: bool = False) -> Any:
    """The number of a seat, or NOTHING."""
    return _field(per_seat, False, 0, holds=Holds.SEAT, low=NOTHING, high=SEATS - 1, start=start, seen_by=seen_by, reset=reset, event=event)


def card(
    *,
    per_seat: bool = False,
    piles: int = 0,
    length: int = 0,
    seen_by: Audience = EVERYONE,
    reset: Reset = ROUND,
    event: bool = False,
    event_first: bool = False,
    event_from: str = "",
) -> Any:
    """The number of a card, or NOTHING; or ``length`` of them. Not a place: the card itself lies in one."""
    told = {"event": event, "event_first": event_first, "event_from": event_from}
    inner = (length,) if length else ()
    return _field(per_seat, False, piles, holds=Holds.CARD, low=NOTHING, high=32767, start=NOTHING, inner=inner, seen_by=seen_by, reset=reset, **told)


def suit(*, high: int = 3, per_seat: bool = False, seen_by: Audience = EVERYONE, reset: Reset = ROUND, event: bool = False) -> Any:
    """A suit from 0 to ``high``, or NOTHING."""
    return _field(per_seat, False, 0, holds=Holds.SUIT, low=NOTHING, high=high, start=NOTHING, seen_by=seen_by, reset=reset, event=event)


def rank(*, high: int = 12, per_seat: bool = False, seen_by: Audience = EVERYONE, reset: Reset = ROUND, event: bool = False) -> Any:
    """A rank from 0 to ``high``, or NOTHING."""
    return _field(per_seat, False, 0, holds=Holds.RANK, low=NOTHING, high=high, start=NOTHING, seen_by=seen_by, reset=reset, event=event)


def card_set(*, per_seat: bool = False, piles: int = 0, length: int = 0, seen_by: Audience = EVERYONE, reset: Reset = ROUND) -> Any:
    """A set of card numbers; not a place. With ``length`` several planes, for cards with copies."""
    return _field(per_seat, False, piles, holds=Holds.CARD_SET, inner=(length,) if length else (), seen_by=seen_by, reset=reset)


def seat_set(*, reset: Reset = ROUND) -> Any:
    """A set of seats."""
    return _field(False, False, 0, holds=Holds.SEAT_SET, reset=reset)


# ---- places


def cards(
    *,
    per_seat: bool = False,
    per_team: bool = False,
    piles: int = 0,
    seen_by: Audience = EVERYONE,
    known_absent: str = "",
    known_present: str = "",
    reset: Reset = ROUND,
) -> Any:
    """A place where different cards lie, as a set of at most 62 kinds."""
    known = {"known_absent": known_absent, "known_present": known_present}
    return _field(per_seat, per_team, piles, storage=SET, seen_by=seen_by, reset=reset, **known)


def multiset(
    copies: int,
    *,
    per_seat: bool = False,
    per_team: bool = False,
    piles: int = 0,
    seen_by: Audience = EVERYONE,
    known_absent: str = "",
    known_present: str = "",
    reset: Reset = ROUND,
) -> Any:
    """A place for cards of at most 62 kinds with up to ``copies`` of each."""
    known = {"known_absent": known_absent, "known_present": known_present}
    return _field(per_seat, per_team, piles, storage=MULTISET, inner=(copies,), seen_by=seen_by, reset=reset, **known)


def wide(
    kinds: int,
    *,
    per_seat: bool = False,
    per_team: bool = False,
    piles: int = 0,
    seen_by: Audience = EVERYONE,
    known_absent: str = "",
    known_present: str = "",
    reset: Reset = ROUND,
) -> Any:
    """A place for cards of any number of kinds, as how many of each kind lie there."""
    known = {"known_absent": known_absent, "known_present": known_present}
    return _field(per_seat, per_team, piles, storage=WIDE, high=127, inner=(kinds,), seen_by=seen_by, reset=reset, **known)


def pile(
    capacity: int,
    *,
    per_seat: bool = False,
    per_team: bool = False,
    piles: int = 0,
    seen_by: Audience = EVERYONE,
    known_absent: str = "",
    reset: Reset = ROUND,
) -> Any:
    """Cards in order, such as a stock or a discard pile. How many there are is public."""
    more = {"low": NOTHING, "high": 32767, "inner": (capacity + 1,)}
    return _field(per_seat, per_team, piles, storage=PILE, seen_by=seen_by, known_absent=known_absent, reset=reset, **more)


def known_to(place: str, *, copies: int = 0, kinds: int = 0, reset: Reset = ROUND) -> Any:
    """What each seat knows to lie in the ``place`` of each other seat, and nobody else does: ``s.passed_to[knower][holder]`` is a set; of a
    multiset it has planes (``copies``), of a wide place how many of each kind (``kinds``). A card that is seen elsewhere is no longer known to
    lie there."""
    size = kinds or copies
    more: dict[str, Any] = {"inner": (size,) if size else (), "seen_by": OWNER, "known_to": place, "reset": reset}
    return declare(Field(holds=Holds.COUNT if kinds else Holds.CARD_SET, high=127 if kinds else 0, owner=Owner.SEAT, **more))


# ---- states

T = TypeVar("T")


class Declared:
    """An object whose fields are all declared. It begins with their start values."""

    __slots__ = ()

    def __init__(self) -> None:
        for name, field in fields_of(type(self)).items():
            setattr(self, name, field.blank())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in fields_of(type(self)))})"


_SEATS: dict[type[Any], int] = {}


@overload
def state(kind: type[T], /) -> type[T]: ...
@overload
def state(*, seats: int) -> Callable[[type[T]], type[T]]: ...
def state(kind: type[T] | None = None, /, *, seats: int = 0) -> Any:
    """Decorator of every state: a class whose fields are all declared with the functions above. ``seats`` is the number of seats in the state: the
    largest number of players of the game."""

    def decorated(kind: type[T]) -> type[T]:
        made = dataclass(slots=True, eq=False, repr=False, init=False)(kind)
        _SEATS[made] = seats or max((_SEATS.get(base, 0) for base in made.__mro__), default=0) or SEATS
        return made

    return decorated(kind) if kind is not None else decorated


def seats_of(kind: type[Declared]) -> int:
    """The number of seats in a state."""
    return _SEATS.get(kind, SEATS)


_FIELDS: dict[type[Declared], dict[str, Field]] = {}


def fields_of(kind: type[Declared]) -> dict[str, Field]:
    """The declared fields of a type of state, by name."""
    if kind not in _FIELDS:
        _FIELDS[kind] = _checked_fields(kind)
    return _FIELDS[kind]


def _checked_fields(kind: type[Declared]) -> dict[str, Field]:
    declared: dict[str, Field] = {}
    for each in dataclasses.fields(kind):  # type: ignore[arg-type]
        if "declared" not in each.metadata:
            raise TypeError(f"{kind.__name__}.{each.name} is not declared: use count(), cards(), int_option() ... of kortlek.game")
        declared[each.name] = each.metadata["declared"].resolved(seats_of(kind))
    for name, field in declared.items():
        if field.seen_by in (OWNER, OTHERS, PARTNERS) and field.owner is not Owner.SEAT:
            raise TypeError(f"{kind.__name__}.{name} has no owner: only what each seat has can be seen by its owner, her partners or the others")
        for other in (field.known_absent, field.known_present, field.known_to, field.event_from):
            if other and other not in declared:
                raise TypeError(f"{kind.__name__}.{name} names {other}, which is not a field")
    return declared


def values(s: Declared) -> list[Any]:
    """The values of all fields, in the order of their declaration."""
    return [getattr(s, name) for name in fields_of(type(s))]
