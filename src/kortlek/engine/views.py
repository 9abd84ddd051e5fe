"""Views: what a seat sees. The same code serves every game; ``redeal`` samples what a seat does not see.

A view has the same fields as the state, with unseen places emptied and their sizes given. Everything that leaves the engine (bots' choices, log
lines, messages, observations) is made from views, never from states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from kortlek.cards import NOTHING, Card, Cards, gain, lowest, members, size
from kortlek.engine.plain import copy_of
from kortlek.game import EVERYONE, MULTISET, NOBODY, OTHERS, OVER, OWNER, PARTNERS, PILE, SET, WIDE, Field, Game, Owner, State, Storage
from kortlek.game import active_seats, fields_of

S = TypeVar("S", bound=State)
ONLOOKER = -1
"""The seat of a spectator, who sees what everyone sees."""
OPEN = -2
"""The viewer who sees all cards that any seat sees: of a match that is over, or that only bots play (``opened``)."""


class Place(NamedTuple):
    """One place for cards: a field, and its seat, team or pile (or NOTHING)."""

    field: str
    seat: int = NOTHING


@dataclass(frozen=True)
class View(Generic[S]):
    """What one seat sees. ``legal`` is empty unless it is that seat's turn: another player's choices would reveal her hand. ``sizes`` has the number
    of cards in each place and, for hidden numbers that start outside their range, the set of their entries that are set. ``partners`` are the other
    seats of the same team."""

    game: Game[S]
    seat: int
    state: S
    sizes: dict[Place, int]
    legal: Cards
    partners: Cards = 0

    def sees(self, place: Place, field: Field) -> bool:
        """Whether the viewer sees the content of a place."""
        return sees(self.seat, place, field, self.partners)


_PLACES: dict[tuple[type[State], int], list[tuple[Place, Field]]] = {}


def places(s: State) -> Sequence[tuple[Place, Field]]:
    """Every place of a match, in the order of the fields and seats."""
    kind, players = type(s), s.players
    if (kind, players) not in _PLACES:
        lying = [(name, field) for name, field in fields_of(kind).items() if field.storage is not None]
        _PLACES[kind, players] = [(place, field) for name, field in lying for place in _places_of(name, field, players)]
    return _PLACES[kind, players]


def _places_of(name: str, field: Field, players: int) -> list[Place]:
    return [Place(name)] if field.owner is Owner.TABLE else [Place(name, at) for at in range(field.how_many(players))]


_HIDDEN: dict[tuple[type[State], int, int, int], tuple[list[tuple[Place, Field]], list[tuple[Place, Field]]]] = {}


def hidden_from(s: State, seat: int, partners: Cards = 0) -> tuple[Sequence[tuple[Place, Field]], Sequence[tuple[Place, Field]]]:
    """The places whose cards a seat does not see, and the numbers and knowledge that it does not see."""
    key = type(s), s.players, seat, partners
    if key not in _HIDDEN:
        numbers = [(name, field) for name, field in fields_of(type(s)).items() if field.storage is None and field.seen_by is not EVERYONE]
        secret = [(place, field) for name, field in numbers for place in _places_of(name, field, s.players)]
        _HIDDEN[key] = (
            [(place, field) for place, field in places(s) if not sees(seat, place, field, partners)],
            [(place, field) for place, field in secret if not sees(seat, place, field, partners)],
        )
    return _HIDDEN[key]


def sees(seat: int, place: Place, field: Field, partners: Cards = 0) -> bool:
    """Whether a seat sees the content of a field at a place. ``partners`` are the other seats of its team."""
    if seat == OPEN:
        return field.seen_by is not NOBODY
    if field.seen_by is OWNER:
        return seat == place.seat
    if field.seen_by is PARTNERS:
        return seat == place.seat or bool(partners >> max(place.seat, 0) & 1)
    if field.seen_by is OTHERS:
        return seat not in (place.seat, ONLOOKER)
    return field.seen_by is EVERYONE


def partners_of(game: Game[S], s: S, seat: int) -> Cards:
    """The other seats of a seat's team."""
    if seat < 0:
        return 0
    team = game.teams(s, seat)
    return sum(1 << other for other in range(s.players) if other != seat and game.teams(s, other) == team)


class Private(NamedTuple):
    """What a seat sees and an onlooker does not: places and entries of numeric fields."""

    places: list[tuple[Place, Field]]
    numbers: list[tuple[Place, Field]]


_PRIVATE: dict[tuple[type[State], int, int, int], Private] = {}


def private_to(game: Game[Any], s: State, seat: int) -> Private:
    """What a seat sees and an onlooker does not."""
    partners = partners_of(game, s, seat)
    key = type(s), s.players, seat, partners
    if key not in _PRIVATE:
        _, hidden = hidden_from(s, ONLOOKER)
        numbers = [(at, field) for at, field in hidden if sees(seat, at, field, partners)]
        lying = [(place, field) for place, field in places(s) if field.seen_by is not EVERYONE and sees(seat, place, field, partners)]
        _PRIVATE[key] = Private(lying, numbers)
    return _PRIVATE[key]


def content(s: State, place: Place) -> Any:
    """The stored value of a place."""
    value = getattr(s, place.field)
    return value if place.seat == NOTHING else value[place.seat]


def cards_in(s: State, place: Place, storage: Storage) -> list[Card]:
    """The cards in a place; a pile from the bottom."""
    return listed(content(s, place), storage)


def listed(value: Any, storage: Storage) -> list[Card]:
    """The cards of a stored value, as a list."""
    if storage is PILE:
        return list(value[1 : value[0] + 1])
    if storage is WIDE:
        return [card for card, many in enumerate(value) for _ in range(many)]
    return sorted(card for plane in value for card in members(plane)) if storage is MULTISET else list(members(value))


def how_many(s: State, place: Place, storage: Storage) -> int:
    """The number of cards in a place."""
    value = content(s, place)
    if storage is SET:
        return size(value)
    return int(value[0]) if storage is PILE else sum(value) if storage is WIDE else sum(map(size, value))


def view(game: Game[S], s: S, seat: int) -> View[S]:
    """What a seat sees of a match."""
    if seat == OPEN:
        raise ValueError("Nobody sees all cards of a match that is played.")
    return masked_for(game, s, seat)


def opened(game: Game[S], s: S) -> View[S]:
    """What all seats see together, with nobody in turn. For a match that is over or that only bots play, never for one that people still play:
    ``view`` refuses OPEN, so that callers have to use this function explicitly."""
    return masked_for(game, s, OPEN)


def masked_for(game: Game[S], s: S, seat: int) -> View[S]:
    """The view of a viewer: the state without what she does not see. During a simultaneous choice it looks as if nobody else had chosen yet."""
    masked = copy_of(s)
    partners = partners_of(game, s, seat)
    hidden_places, hidden_numbers = hidden_from(s, seat, partners)
    together = s.phase >= 0 and game.choices[s.phase].together
    sizes = {}
    for place, field in places(s):
        assert field.storage is not None
        sizes[place] = how_many(s, place, field.storage)
    for place, field in hidden_numbers:
        if tells_if_set(game, s, field):
            sizes[place] = 0 if together else entries_set(content(s, place), field)
        empty(masked, place, field)
    for place, field in hidden_places:
        empty(masked, place, field)
    if together:
        others = active_seats(s)
        chooses = seat >= 0 and s.waiting >> seat & 1
        masked.waiting = others if chooses or seat < 0 else others & ~(1 << seat)
        masked.turn = seat if chooses else lowest(masked.waiting) if masked.waiting else s.turn
    return View(game, seat, masked, sizes, game.legal(masked if together else s) if s.phase > OVER and masked.turn == seat else 0, partners)


def tells_if_set(game: Game[Any], s: State, field: Field) -> bool:
    """Whether it is public that a hidden number is set: its start value is outside its range. A hidden set reveals nothing."""
    return field.is_hidden_number and field.start not in field.range_of(s.players, len(game.pack.names))


def entries_set(value: Any, field: Field) -> Cards:
    """The set of entries of a hidden number, or of a list of them, that are set."""
    return sum(1 << at for at, each in enumerate(value if isinstance(value, list) else [value]) if each != field.start)


def blank_of(field: Field) -> Any:
    """The start value of a field for one seat, team or pile."""
    return field.blank_of_one()


def empty(s: State, place: Place, field: Field) -> None:
    """Empty a place, or reset a hidden number to its start value. A pile keeps its size."""
    value = content(s, place)
    if field.storage is PILE:
        value[1:] = [NOTHING] * (len(value) - 1)
    elif isinstance(value, list):
        value[:] = blank_of(field)
    else:
        store(s, place, blank_of(field))


def store(s: State, place: Place, value: int) -> None:
    """Set the number of a field at a place."""
    if place.seat == NOTHING:
        setattr(s, place.field, value)
    else:
        getattr(s, place.field)[place.seat] = value


def put(s: State, place: Place, storage: Storage, cards: list[Card]) -> None:
    """Put cards into an emptied place."""
    value = content(s, place)
    if storage is PILE:
        value[1 : len(cards) + 1] = cards
    elif storage is WIDE:
        for card in cards:
            value[card] += 1
    elif storage is MULTISET:
        for card in cards:
            gain(value, card)
    else:
        store(s, place, sum(1 << card for card in cards) | value)
