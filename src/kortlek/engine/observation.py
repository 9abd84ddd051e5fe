"""Views as rows of numbers, choices as action ids, and masks of legal actions: what a learning program needs, for every game.

Every kind of choice has a block of *action ids*, one for each alternative. An *observation* is one row of whole numbers made of named parts, a part
for each field of the state; seats are counted from the viewer, who is always seat 0.
"""

from __future__ import annotations

import math
from typing import Any

from kortlek.cards import NOTHING
from kortlek.engine.views import Place, View, content, listed
from kortlek.game import PILE, Field, Game, Holds, Owner, fields_of

# ---- actions


def action_count(game: Game[Any]) -> int:
    """The number of actions of a game."""
    return sum(map(len, game.notation))


def action_id(game: Game[Any], phase: int, choice: int) -> int:
    """The action id of an alternative."""
    return sum(map(len, game.notation[:phase])) + choice


def action_of(game: Game[Any], action: int) -> tuple[int, int]:
    """The phase and the alternative of an action id."""
    for phase, notation in enumerate(game.notation):
        if action < len(notation):
            return phase, action
        action -= len(notation)
    raise ValueError(f"{game.title} has only the actions 0 to {action_count(game) - 1}.")


def mask(seen: View[Any]) -> list[int]:
    """1 for every legal action, 0 for the others; all 0 for a viewer who is not in turn."""
    row = [0] * action_count(seen.game)
    if seen.legal:
        start = action_id(seen.game, seen.state.phase, 0)
        for choice in range(len(seen.game.notation[seen.state.phase])):
            row[start + choice] = seen.legal >> choice & 1
    return row


# ---- observations


def parts(game: Game[Any]) -> dict[str, slice]:
    """The named parts of an observation, in order, each as a slice of the row.

    A number is one entry, a set one entry for each kind of card (or seat). Per-seat values have entries for the largest number of players of the
    game, counted from the viewer; a place has the number of its cards, then the number of visible cards of each kind; a pile also has its top card.
    Options are numbers like others."""
    found, at = {}, 0
    for name, field in fields_of(game.state).items():
        length = _length(game, field)
        found[name] = slice(at, at + length)
        at += length
    return found


def observation_length(game: Game[Any]) -> int:
    """The length of an observation."""
    return sum(_length(game, field) for field in fields_of(game.state).values())


def observe(seen: View[Any]) -> list[int]:
    """The view of a seat as one row of whole numbers."""
    row: list[int] = []
    for name, field in fields_of(seen.game.state).items():
        row += _place(seen, name, field) if field.storage else _numbers(seen, name, field)
    return row


def _outer(game: Game[Any], field: Field) -> int:
    return field.how_many(game.players[-1])


def _length(game: Game[Any], field: Field) -> int:
    if field.storage:
        return _outer(game, field) * (1 + len(game.pack.names) + (field.storage is PILE))
    return _outer(game, field) * (game.players[-1] if field.known_to else 1) * math.prod(field.inner) * _entries(game, field)


def _entries(game: Game[Any], field: Field) -> int:
    """The number of entries for one value of a field: a set has one for each element that it could contain."""
    return {Holds.CARD_SET: len(game.pack.names), Holds.SEAT_SET: game.players[-1]}.get(field.holds, 1)


def _turned(seen: View[Any]) -> list[int]:
    """The seats, counted from the viewer; NOTHING for empty seats."""
    players, first = seen.state.players, max(seen.seat, 0)
    return [(first + k) % players if k < players else NOTHING for k in range(seen.game.players[-1])]


def _numbers(seen: View[Any], name: str, field: Field) -> list[int]:
    value = getattr(seen.state, name)
    if field.owner is Owner.TABLE:
        return _entry(seen, field, value)
    blank = field.blank()[0]
    if field.owner is not Owner.SEAT:
        return [each for at in range(_outer(seen.game, field)) for each in _entry(seen, field, value[at])]
    row: list[int] = []
    for seat in _turned(seen):
        entry = blank if seat == NOTHING else value[seat]
        if field.known_to:
            entry = [blank[0] if other == NOTHING else entry[other] for other in _turned(seen)]
        row += _entry(seen, field, entry)
    return row


def _entry(seen: View[Any], field: Field, value: Any) -> list[int]:
    """One value as entries: a set as zeros and ones, a seat counted from the viewer."""
    if isinstance(value, list):
        return [entry for each in value for entry in _entry(seen, field, each)]
    if field.holds is Holds.CARD_SET:
        return [value >> kind & 1 for kind in range(len(seen.game.pack.names))]
    if field.holds is Holds.SEAT_SET:
        return [0 if seat == NOTHING else value >> seat & 1 for seat in _turned(seen)]
    if field.holds is Holds.SEAT:
        return [(value - max(seen.seat, 0)) % seen.state.players if value >= 0 else value]
    return [value]


def _place(seen: View[Any], name: str, field: Field) -> list[int]:
    assert field.storage is not None
    row: list[int] = []
    outer = {Owner.TABLE: [NOTHING], Owner.SEAT: _turned(seen)}.get(field.owner, list(range(_outer(seen.game, field))))
    for at in outer:
        place = Place(name, at)
        if place not in seen.sizes:
            row += [0] * (1 + len(seen.game.pack.names)) + [NOTHING] * (field.storage is PILE)
            continue
        cards = listed(content(seen.state, place), field.storage) if seen.sees(place, field) else []
        counts = [0] * len(seen.game.pack.names)
        for card in cards:
            counts[card] += 1
        row += [seen.sizes[place], *counts]
        if field.storage is PILE:
            row.append(cards[-1] if cards else NOTHING)
    return row
