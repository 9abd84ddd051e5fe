"""Options: fields that the players agree on before the match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kortlek.game.fields import MATCH, SEATS, Field, declare

LAST_SEAT, RANDOM = -1, -2
"""Values of options that name a seat."""

LARGEST = 2_000_000_000

Value = int | list[int]


@dataclass(frozen=True, eq=False, repr=False)
class Option:
    """A variant of the rules: a whole number, or several, or one of some names for numbers. ``former`` is its name in older records. ``about`` is its
    description if no words file has one."""

    default: Callable[[int], Value]
    allowed: Callable[[int], range]
    names: tuple[tuple[str, int], ...] = ()
    length: Callable[[int], int] | None = None
    about: str = ""
    former: str = ""


def _option(option: Option, high: int, length: int = 0, low: int = RANDOM) -> Any:
    return declare(Field(option=option, low=low, high=high, inner=(length,) if length else (), reset=MATCH))


def int_option(
    default: int | Callable[[int], int],
    allowed: range | Callable[[int], range],
    *,
    names: Mapping[str, int] | None = None,
    about: str = "",
    former: str = "",
) -> Any:
    """A whole number, or one of some names. Default and range may depend on the number of players."""
    usual = default if callable(default) else lambda players: default
    possible = allowed if callable(allowed) else lambda players: allowed
    named = tuple((names or {}).items())
    numbers = [RANDOM, 127, *(number for _, number in named), *([-LARGEST, LARGEST] if callable(allowed) else [*allowed[:1], *allowed[-1:]])]
    return _option(Option(usual, possible, named, about=about, former=former), max(numbers), low=min(numbers))


def choice_option(*names: str, about: str = "") -> Any:
    """One of several named variants; the first is the default."""
    return int_option(0, range(0), names={name: value for value, name in enumerate(names)}, about=about)


def flag_option(default: bool = False, *, about: str = "") -> Any:
    """A yes or no."""
    return int_option(int(default), range(0), names={"no": 0, "yes": 1}, about=about)


def seat_option(default: int, *, about: str = "") -> Any:
    """A seat, the last seat, or one drawn by lot."""
    return _option(Option(lambda players: default, range, (("last_seat", LAST_SEAT), ("random", RANDOM)), about=about), SEATS)


def ints_option(length: int, default: Callable[[int], list[int]], allowed: range, *, about: str = "") -> Any:
    """A list of as many whole numbers as the default has; in the state it is filled up to ``length`` with zeros."""
    return _option(Option(default, lambda players: allowed, length=lambda players: len(default(players)), about=about), max(allowed[-1], 127), length)
