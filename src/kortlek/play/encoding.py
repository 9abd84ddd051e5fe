"""A view as numbers, a choice as one number, a mask: what a learning program needs. Written once, for every game.

Every kind of choice has a block of *action ids*, one for each alternative. An *observation* is one row of whole numbers made of named
parts, a part for each field of the state; seats are counted from the viewer, so that she is always seat 0.
"""

from __future__ import annotations

from typing import Any

from kortlek.cards import NOTHING
from kortlek.play.information import Place, View, content, listed, sees
from kortlek.rules.game import PILE, Field, Game, fields_of

# ---- actions


def action_count(game: Game[Any]) -> int:
    """How many actions a game has in all."""
    return sum(len(kind.notation) for kind in game.choices)


def action_id(game: Game[Any], phase: int, choice: int) -> int:
    """The number of an alternative among all actions of a game."""
    return sum(len(kind.notation) for kind in game.choices[:phase]) + choice


def action_of(game: Game[Any], action: int) -> tuple[int, int]:
    """The phase and the alternative of an action."""
    for phase, kind in enumerate(game.choices):
        if action < len(kind.notation):
            return phase, action
        action -= len(kind.notation)
    raise ValueError(f"{game.title} has only the actions 0 to {action_count(game) - 1}.")


def mask(seen: View[Any]) -> list[int]:
    """1 for every legal action, 0 for the others; all 0 for who is not in turn."""
    row = [0] * action_count(seen.game)
    if seen.legal:
        start = action_id(seen.game, seen.state.phase, 0)
        for choice in range(len(seen.game.choices[seen.state.phase].notation)):
            row[start + choice] = seen.legal >> choice & 1
    return row


# ---- observations


def parts(game: Game[Any]) -> dict[str, slice]:
    """The named parts of an observation, in order, and where each lies in the row.

    A number is one entry, a list several, a number per seat one for the largest number of seats the game has. A place has, for each of
    its seats, how many cards lie there, then how many of each kind are seen there; a pile also has its top card."""
    found, at = {}, 0
    for name, field in fields_of(game.state).items():
        length = _length(game, field)
        found[name] = slice(at, at + length)
        at += length
    return found


def observation_length(game: Game[Any]) -> int:
    """How many numbers an observation has."""
    return sum(_length(game, field) for field in fields_of(game.state).values())


def observe(seen: View[Any]) -> list[int]:
    """What a seat sees, as one row of whole numbers."""
    row: list[int] = []
    for name, field in fields_of(seen.game.state).items():
        row += _place(seen, name, field) if field.lies else _numbers(seen, name, field)
    return row


def _seats(game: Game[Any], field: Field) -> int:
    return game.players[-1] if field.per_seat else 1


def _length(game: Game[Any], field: Field) -> int:
    if field.lies:
        return _seats(game, field) * (1 + len(game.pack.names) + (field.lies is PILE))
    if field.per_seat:
        return _seats(game, field) * (field.shape[1] if len(field.shape) == 2 else 1)
    return field.shape[0] if field.shape else 1


def _turned(seen: View[Any]) -> list[int]:
    """The seats, counted from the viewer; NOTHING where nobody sits."""
    players, first = seen.state.players, max(seen.seat, 0)
    return [(first + k) % players if k < players else NOTHING for k in range(seen.game.players[-1])]


def _numbers(seen: View[Any], name: str, field: Field) -> list[int]:
    value = getattr(seen.state, name)
    if field.names_seat:
        return [(value - max(seen.seat, 0)) % seen.state.players if value >= 0 else value]
    if not field.per_seat:
        return list(value) if field.shape else [value]
    blank = field.blank()[0]
    row: list[int] = []
    for seat in _turned(seen):
        entry = blank if seat == NOTHING else value[seat]
        row += entry if isinstance(entry, list) else [entry]
    return row


def _place(seen: View[Any], name: str, field: Field) -> list[int]:
    assert field.lies is not None
    row: list[int] = []
    for seat in _turned(seen) if field.per_seat else [NOTHING]:
        place = Place(name, seat)
        if place not in seen.sizes:
            row += [0] * (1 + len(seen.game.pack.names)) + [NOTHING] * (field.lies is PILE)
            continue
        visible = sees(seen.seat, place, field)
        cards = listed(content(seen.state, place), field.lies) if visible else []
        counts = [0] * len(seen.game.pack.names)
        for card in cards:
            counts[card] += 1
        row += [seen.sizes[place], *counts]
        if field.lies is PILE:
            row.append(cards[-1] if cards else NOTHING)
    return row
