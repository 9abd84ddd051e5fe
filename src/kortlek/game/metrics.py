"""What a designer wants counted of a game besides scores and wins: named counters. No rules of play.

The ``metrics.py`` of a game declares its counters as a class and one function that hears of every event::

    @state
    class HeartsMetrics(Counters):
        moons: list[int] = share()
        queen: list[int] = mean()

    def count(before: Hearts, after: Hearts, choice: int, m: HeartsMetrics) -> None:
        if after.round > before.round:
            note(m.moons, 26 in after.penalty)

    METRICS = Metrics(HeartsMetrics, count)

It runs in both engines, like rules. What a counter is about is said by the message ``metric-<name>`` of the words file.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kortlek.game.fields import MATCH, Declared, Field, Holds, declare, fields_of, state

LARGEST = 1 << 62


@state
class Counters(Declared):
    """Named counters, each ``[how much, of how many]``."""


def share() -> Any:
    """How often something happens of all the times that it could: a share from 0 to 1."""
    return declare(Field(holds=Holds.FLAG, low=-LARGEST, high=LARGEST, inner=(2,), reset=MATCH))


def mean() -> Any:
    """How much something comes to on average."""
    return declare(Field(holds=Holds.COUNT, low=-LARGEST, high=LARGEST, inner=(2,), reset=MATCH))


def note(counter: list[int], much: int, times: int = 1) -> None:
    """Count something: how often it happened, or how much it was, of how many times."""
    counter[0] += much
    counter[1] += times


def nothing(before: Any, after: Any, choice: int, m: Any) -> None:
    """Count nothing."""


@dataclass(frozen=True, eq=False)
class Metrics:
    """The counters of a game, and the function ``count(before, after, choice, counters)`` that hears of every event; a chance event has no
    choice: NOTHING."""

    counters: type[Counters] = Counters
    count: Callable[[Any, Any, int, Any], None] = nothing
    promise: Callable[[Any, int], bool] | None = None
    """In a game of promises, whether a seat kept hers in the round just scored."""

    @property
    def names(self) -> list[str]:
        """The names of the counters."""
        return list(fields_of(self.counters))

    def is_share(self, name: str) -> bool:
        """Whether a counter is a share."""
        return fields_of(self.counters)[name].holds is Holds.FLAG


# ---- counters in a row of numbers, as simulations keep them


class Counter:
    """Two numbers of a row that stand for a counter."""

    __slots__ = ("_at", "_row")

    def __init__(self, row: list[int], at: int) -> None:
        self._row, self._at = row, at

    def __getitem__(self, nth: int) -> int:
        return self._row[self._at + nth]

    def __setitem__(self, nth: int, value: int) -> None:
        self._row[self._at + nth] = value


def counter_at(row: Any, at: int) -> Any:
    """The counter that begins there in a row."""
    return Counter(row, at)


def counter_at_flat(row: Any, at: int) -> Any:
    """The same in an array, which is what ``counter_at`` is in compiled code."""
    return row[at : at + 2]


@cache
def counters_rule(metrics: Metrics) -> Callable[[Any], Any]:
    """A function that gives the counters of a row by name."""
    # Compiled code is kept by the names in it.
    name = re.sub(r"\W", "_", "_".join([metrics.counters.__module__, metrics.counters.__qualname__, *metrics.names]))
    source = f"def counters(row):\n    return {name}({', '.join(f'counter_at(row, {2 * at})' for at in range(len(metrics.names)))})\n"
    namespace: dict[str, Any] = {name: namedtuple(name, metrics.names), "counter_at": counter_at, "__name__": __name__}
    exec(compile(source, __file__, "exec"), namespace)
    rule: Callable[[Any], Any] = namespace["counters"]
    return rule
