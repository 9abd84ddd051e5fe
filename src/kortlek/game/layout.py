"""The layout of a game: the positions of its places, the numbers beside each name, and messages for people. Everything has a default.

A layout contains neither rules nor text: what people read is a ``Message``, an id with arguments, which the words files (``words.en.ftl``) translate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kortlek.cards import NOTHING
from kortlek.game.fields import EVERYONE, OTHERS, OWNER, PARTNERS, PILE, Field, Holds, Owner, fields_of
from kortlek.game.base import State


class Message(NamedTuple):
    """A text for people: the id of a message of the words file, and its arguments. The name of an argument determines its type: ``who`` and ``whom``
    are seats, ``seats`` several, ``card`` and ``cards`` are cards, ``suit``, ``rank`` and ``place`` are what their names say. An argument may be a
    message itself, or a list of messages, which are joined with commas; other numbers are numbers, and other texts are keywords to select by."""

    id: str
    args: Mapping[str, Argument] = {}


Argument = int | float | str | Sequence[int] | Message | Sequence[Message]


def each_seat(id: str, **values: Sequence[Argument]) -> list[Message]:
    """One message for every seat, with its values: ``each_seat("seat-count", count=s.taken[: s.players])``."""
    many = len(next(iter(values.values())))
    return [Message(id, {"who": seat, **{name: each[seat] for name, each in values.items()}}) for seat in range(many)]


@dataclass(frozen=True)
class Zone:
    """A place on the table. ``form`` is the arrangement of its cards: ``fan``, ``row``, ``pile``, ``grid``, ``trick``; ``at`` its position: ``hand``
    (the viewer's own), ``seat`` (beside each name), ``centre`` or ``side``. ``tap`` is the verb that is chosen by a tap on one of its cards, or on
    the zone."""

    place: str
    form: str = "row"
    at: str = "centre"
    tap: str = ""


@dataclass(frozen=True, eq=False)
class Layout:
    """The table of a game. ``counters`` are fields shown beside each name, ``status`` fields shown above the table. ``component`` names a special
    component of the page for this table, and ``parts`` its parameters. ``headline(s)`` is the first line of the text table, such as the round and the
    dealer; ``text(s)`` returns its other lines, ``sizes`` are the places whose number of cards it shows, ``last(s)`` is what was on the table before,
    ``why_not(s, choice)`` is the reason why a choice is not legal, ``drawn(s, seat)`` is plain data that a component draws (for a seat that is
    nobody's, only what everyone sees), ``earns(s)`` what choices would earn at once."""

    zones: tuple[Zone, ...] = ()
    counters: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    component: str = ""
    parts: dict[str, str] | None = None
    headline: Callable[[Any], Message] | None = None
    text: Callable[[Any], list[Message]] | None = None
    sizes: tuple[str, ...] = ()
    last: Callable[[Any], Message | None] | None = None
    why_not: Callable[[Any, int], Message] | None = None
    drawn: Callable[[Any, int], dict[str, Any]] | None = None
    earns: Callable[[Any], dict[str, Message]] | None = None

    def lines(self, s: Any) -> list[Message]:
        """The lines of the text table: the headline first."""
        return [*([self.headline(s)] if self.headline else []), *(self.text(s) if self.text else [])]


def default_zones(kind: type[State]) -> tuple[Zone, ...]:
    """A zone for every place: own cards as a fan, piles as piles, other cards in rows."""
    return tuple(_zone(name, field) for name, field in fields_of(kind).items() if field.storage)


def _zone(name: str, field: Field) -> Zone:
    if field.owner is Owner.SEAT and (field.seen_by in (OWNER, PARTNERS, OTHERS) or name == "hand"):
        return Zone(name, "fan", "hand")
    where = "seat" if field.owner is Owner.SEAT else "centre"
    return Zone(name, "pile" if field.storage is PILE or field.seen_by is not EVERYONE else "row", where)


def default_counters(kind: type[State]) -> tuple[str, ...]:
    """The public numbers of each seat."""
    own = [(name, field) for name, field in fields_of(kind).items() if name not in fields_of(State)]
    numbers = (Holds.COUNT, Holds.FLAG)
    return tuple(
        name
        for name, field in own
        if field.owner is Owner.SEAT and not field.storage and not field.option and field.holds in numbers and field.seen_by is EVERYONE
        if not field.inner
    )


def default_status(kind: type[State]) -> tuple[str, ...]:
    """The public numbers of the table."""
    own = [(name, field) for name, field in fields_of(kind).items() if name not in fields_of(State)]
    kinds = (Holds.COUNT, Holds.FLAG, Holds.SUIT, Holds.RANK, Holds.CARD)
    return tuple(
        name
        for name, field in own
        if field.owner is Owner.TABLE and not field.storage and not field.option and field.holds in kinds and field.seen_by is EVERYONE
        if not field.inner
    )


def is_set(field: Field, value: int) -> bool:
    """Whether a number is set: always, unless it starts as NOTHING and still is."""
    return value != field.start if field.start == NOTHING else True
