"""Check a state against the declared ranges of its fields. The engines do not check every step; tests and the try-out do."""

from __future__ import annotations

from typing import Any

from kortlek.cards import NOTHING
from kortlek.game import PILE, WIDE, Field, Game, Holds, State, fields_of


def out_of_range(game: Game[Any], s: State) -> str:
    """A sentence about the first value outside the range of its field; empty if there is none. Compiled code would truncate such a value."""
    for name, field in fields_of(type(s)).items():
        allowed = _allowed(game, s, field)
        for where, value in _numbers(getattr(s, name), ""):
            size_of_pile = field.storage is PILE and where.endswith("[0]")
            if size_of_pile and not 0 <= value < field.inner[0]:
                return f"s.{name}{where.removesuffix('[0]')} holds {value} cards, but has room for {field.inner[0] - 1}."
            if not size_of_pile and value not in allowed and (field.storage or value != field.start):
                return f"s.{name}{where} is {value}, but {_says(field)} from {allowed[0]} to {allowed[-1]}."
    return ""


def _allowed(game: Game[Any], s: State, field: Field) -> range:
    """The allowed values of one number of a field."""
    kinds = len(game.pack.names)
    if field.storage is WIDE:
        return range(max(game.pack.counts) + 1)
    if field.storage is PILE or field.holds is Holds.CARD:
        return range(NOTHING, kinds)
    if field.is_set:
        return range(1 << (s.players if field.holds is Holds.SEAT_SET else kinds))
    if field.holds is Holds.SEAT:
        return range(NOTHING, s.players)
    return range(field.low, field.high + 1)


def _says(field: Field) -> str:
    """The part of the sentence that describes the numbers of a field."""
    if field.is_set:
        return "its bits are a set"
    return (
        "it is declared"
        if field.holds is Holds.COUNT and not field.storage
        else f"a {field.holds.value if not field.storage else 'place'} holds numbers"
    )


def _numbers(value: Any, where: str) -> list[tuple[str, int]]:
    """All numbers of a value, each with its index as text."""
    if isinstance(value, list):
        return [each for at, one in enumerate(value) for each in _numbers(one, f"{where}[{at}]")]
    return [(where, value)]
