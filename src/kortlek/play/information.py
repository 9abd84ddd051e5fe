"""What a seat sees (``view``). Written once, for every game; a fair guess at the rest is in ``redealing``.

A view has the same fields as the state, with unseen places emptied and their sizes given. Everything that leaves the engine (bots'
choices, log lines, messages, observations) is made from views, never from states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from kortlek.cards import NOTHING, Card, Cards, gain, members, size
from kortlek.play.plain import copy_of
from kortlek.rules.game import DOUBLE, EVERYONE, NOBODY, OTHERS, OVER, OWNER, PILE, SET, Field, Game, Lies, Match
from kortlek.rules.game import fields_of

S = TypeVar("S", bound=Match)
ONLOOKER = -1
"""The seat of somebody who only watches: sees what everyone sees."""
OPEN = -2
"""The viewer before whom all cards lie open that anybody sees: of a match that is over, or that only bots play (``opened``)."""


class Place(NamedTuple):
    """One place where cards lie: a field, and the seat whose it is (or NOTHING)."""

    field: str
    seat: int = NOTHING


@dataclass(frozen=True)
class View(Generic[S]):
    """What one seat sees. ``legal`` is empty unless it is that seat's turn: another player's choices would tell her hand."""

    game: Game[S]
    seat: int
    state: S
    sizes: dict[Place, int]
    legal: Cards


_PLACES: dict[tuple[type[Match], int], list[tuple[Place, Field]]] = {}


def places(s: Match) -> Sequence[tuple[Place, Field]]:
    """Every place of a match, in the order of the fields and seats."""
    kind, players = type(s), s.players
    if (kind, players) not in _PLACES:
        lying = [(name, field) for name, field in fields_of(kind).items() if field.lies is not None]
        _PLACES[kind, players] = [(Place(name, seat), field) for name, field in lying for seat in (range(players) if field.per_seat else (NOTHING,))]
    return _PLACES[kind, players]


_HIDDEN: dict[tuple[type[Match], int, int], list[tuple[Place, Field]]] = {}


def hidden_from(s: Match, seat: int) -> Sequence[tuple[Place, Field]]:
    """The places that a seat does not see."""
    key = type(s), s.players, seat
    if key not in _HIDDEN:
        _HIDDEN[key] = [(place, field) for place, field in places(s) if not sees(seat, place, field)]
    return _HIDDEN[key]


def sees(seat: int, place: Place, field: Field) -> bool:
    """Whether a seat sees the cards that lie in a place."""
    if seat == OPEN:
        return field.seen_by is not NOBODY
    if field.seen_by is OWNER:
        return seat == place.seat
    if field.seen_by is OTHERS:
        return seat not in (place.seat, ONLOOKER)
    return field.seen_by is EVERYONE


def content(s: Match, place: Place) -> Any:
    """What lies in a place, as it is stored."""
    value = getattr(s, place.field)
    return value if place.seat == NOTHING else value[place.seat]


def cards_in(s: Match, place: Place, lies: Lies) -> list[Card]:
    """The cards that lie in a place; of a pile, from the bottom."""
    return listed(content(s, place), lies)


def listed(value: Any, lies: Lies) -> list[Card]:
    """The cards of a set, a double or a pile, one by one."""
    if lies is PILE:
        return list(value[1 : value[0] + 1])
    return sorted([*members(value[0]), *members(value[1])]) if lies is DOUBLE else list(members(value))


def how_many(s: Match, place: Place, lies: Lies) -> int:
    """How many cards lie in a place."""
    value = content(s, place)
    if lies is SET:
        return size(value)
    return int(value[0]) if lies is PILE else size(value[0]) + size(value[1])


def view(game: Game[S], s: S, seat: int) -> View[S]:
    """What a seat sees of a match."""
    if seat == OPEN:
        raise ValueError("Nobody sees all cards of a match that is played.")
    return masked_for(game, s, seat)


def opened(game: Game[S], s: S) -> View[S]:
    """What all seats see together; nobody's turn. For a match that is over or that only bots play, and never for one that people still play:
    ``view`` refuses it, so that it has to be asked for by this name."""
    return masked_for(game, s, OPEN)


def masked_for(game: Game[S], s: S, seat: int) -> View[S]:
    """A match without the cards that a viewer does not see."""
    masked = copy_of(s)
    sizes = {}
    for place, field in places(s):
        assert field.lies is not None
        sizes[place] = how_many(s, place, field.lies)
    for place, field in hidden_from(s, seat):
        empty(masked, place, field)
    return View(game, seat, masked, sizes, game.legal(s) if s.phase > OVER and s.turn == seat else 0)


def empty(s: Match, place: Place, field: Field) -> None:
    """Take everything away from a place; how many cards a pile has stays."""
    value = content(s, place)
    if field.lies is PILE:
        value[1:] = [NOTHING] * (len(value) - 1)
    elif field.lies is DOUBLE:
        value[:] = [0, 0]
    elif place.seat == NOTHING:
        setattr(s, place.field, 0)
    else:
        getattr(s, place.field)[place.seat] = 0


def put(s: Match, place: Place, lies: Lies, cards: list[Card]) -> None:
    """Lay cards into a place that was emptied."""
    value = content(s, place)
    if lies is PILE:
        value[1 : len(cards) + 1] = cards
    elif lies is DOUBLE:
        for card in cards:
            gain(value, card)
    else:
        together = sum(1 << card for card in cards) | value
        if place.seat == NOTHING:
            setattr(s, place.field, together)
        else:
            getattr(s, place.field)[place.seat] = together
