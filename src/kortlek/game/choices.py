"""The kinds of choice of a game, each with its alternatives, their arguments and their audience.

>>> from kortlek.game import CARD, Choice, Part, amount
>>> Choice("bid", amount(0, 10)).parts[0].verb
'bid'
>>> [part.verb for part in Choice("act", Part("play", CARD), Part("draw")).parts]
['play', 'draw']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from kortlek.game.fields import EVERYONE, SEATS, Audience


class Kind(Enum):
    """The type of an argument. The value is its name in events and in words."""

    NONE = ""
    CARD = "card"
    HELD = "held"
    SEAT = "whom"
    SUIT = "suit"
    RANK = "rank"
    AMOUNT = "count"
    NAME = "name"
    PILE = "pile"


@dataclass(frozen=True)
class Argument:
    """The argument of the alternatives of a choice. ``values`` are the numbers of a count, ``names`` the names of a suit, a rank or a name, ``place``
    the place whose cards are counted in order, for packs of more than 62 kinds."""

    kind: Kind
    values: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    place: str = ""

    def spellings(self, pack: Sequence[str]) -> tuple[str, ...]:
        """Every value in notation, in order. ``pack`` are the names of the cards."""
        if self.kind is Kind.CARD:
            return tuple(pack)
        return self.names or tuple(map(str, self.values))


CARD = Argument(Kind.CARD)
"""A card of the pack."""
SEAT = Argument(Kind.SEAT, tuple(range(SEATS)))
"""A seat, counted from 0."""
NO_ARGUMENT = Argument(Kind.NONE, (0,))


def amount(low: int, high: int) -> Argument:
    """A whole number from ``low`` to ``high``."""
    return Argument(Kind.AMOUNT, tuple(range(low, high + 1)))


def one_of(*names: str) -> Argument:
    """One of some names: single words."""
    return Argument(Kind.NAME, names=names)


def one_of_numbers(*numbers: int) -> Argument:
    """One of some numbers."""
    return Argument(Kind.AMOUNT, numbers)


def suit_named(*names: str) -> Argument:
    """One of the suits, as they are spelled in notation."""
    return Argument(Kind.SUIT, names=names)


def rank_named(*names: str) -> Argument:
    """One of the ranks, as they are spelled in notation."""
    return Argument(Kind.RANK, names=names)


def one_of_piles(many: int) -> Argument:
    """One of several piles, counted from 1."""
    return Argument(Kind.PILE, tuple(range(1, many + 1)))


def held(place: str, most: int = 62) -> Argument:
    """One of the kinds of card that the player has in a wide place, counted from the lowest: for packs of more than 62 kinds. In notation it is
    the card. Rules use ``cards.kinds_in`` for what is legal and ``cards.nth_card`` for the card."""
    return Argument(Kind.HELD, tuple(range(most)), place=place)


@dataclass(frozen=True)
class Part:
    """The alternatives of a choice that share a verb: ``Part("play", CARD)``, ``Part("draw")``."""

    verb: str
    of: Argument = NO_ARGUMENT


@dataclass(frozen=True)
class Alternative:
    """One alternative: its verb, its argument, and its notation."""

    verb: str
    kind: Kind
    value: int
    notation: str


@dataclass(frozen=True, init=False)
class Choice:
    """A kind of choice, such as ``Choice("bid", amount(0, 10))`` or ``Choice("act", Part("play", CARD), Part("draw"))``.

    ``seen_by`` is who learns which alternative was chosen: everyone, or the player alone (OWNER). ``together``: all seats choose simultaneously, in
    any order, and nothing is revealed until all have chosen; until then, hidden numbers of others that start outside their range look unset. ``act``
    names the act that this choice continues: a meld laid card by card is one act, and one line of the log."""

    name: str
    parts: tuple[Part, ...]
    seen_by: Audience
    together: bool
    act: str

    def __init__(self, name: str, *parts: Part | Argument, seen_by: Audience = EVERYONE, together: bool = False, act: str = "") -> None:
        made = tuple(part if isinstance(part, Part) else Part(name, part) for part in parts) or (Part(name),)
        for attribute, value in {"name": name, "parts": made, "seen_by": seen_by, "together": together, "act": act}.items():
            object.__setattr__(self, attribute, value)

    def alternatives(self, pack: Sequence[str]) -> tuple[Alternative, ...]:
        """Every alternative in order."""
        found: list[Alternative] = []
        for part in self.parts:
            if part.of.kind is Kind.NONE:
                found.append(Alternative(part.verb, Kind.NONE, 0, part.verb))
                continue
            for at, text in enumerate(part.of.spellings(pack)):
                value = part.of.values[at] if part.of.values else at
                found.append(Alternative(part.verb, part.of.kind, value, f"{part.verb} {text}"))
        return tuple(found)
