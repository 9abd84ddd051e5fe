"""What a designer wants counted of a game besides scores and wins: named counters. No rules of play.

The ``metrics.py`` of a game declares its counters as a class and one function that is called for every event::

    @state
    class HeartsMetrics(Counters):
        moons: list[int] = share()
        queen: list[int] = mean()

    def count(before: Hearts, after: Hearts, choice: int, m: HeartsMetrics) -> None:
        if after.round > before.round:
            note(m.moons, 26 in after.penalty)

    METRICS = Metrics(HeartsMetrics, count)

The function runs in both engines, like rules. The message ``metric-<name>`` of the words file describes a counter.
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
    """Named counters, each ``[total, number of observations]``."""


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
    """The counters of a game, and the function ``count(before, after, choice, counters)``, which is called for every event; ``choice`` is NOTHING for
    a chance event."""

    counters: type[Counters] = Counters
    count: Callable[[Any, Any, int, Any], None] = nothing
    promise: Callable[[Any, int], bool] | None = None
    """For games with promises, such as bids: whether a seat kept its promise in the round just scored."""

    @property
    def names(self) -> list[str]:
        """The names of the counters."""
        return list(fields_of(self.counters))

    def is_share(self, name: str) -> bool:
        """Whether a counter is a share."""
        return fields_of(self.counters)[name].holds is Holds.FLAG


# ---- counters in a row of numbers, as simulations store them


class Counter:
    """A counter stored as two numbers of a row."""

    __slots__ = ("_at", "_row")

    def __init__(self, row: list[int], at: int) -> None:
        self._row, self._at = row, at

    def __getitem__(self, nth: int) -> int:
        return self._row[self._at + nth]

    def __setitem__(self, nth: int, value: int) -> None:
        self._row[self._at + nth] = value


def counter_at(row: Any, at: int) -> Any:
    """The counter at index ``at`` of a row."""
    return Counter(row, at)


def counter_at_flat(row: Any, at: int) -> Any:
    """The version of ``counter_at`` for compiled code: a slice of an array."""
    return row[at : at + 2]


@cache
def counters_rule(metrics: Metrics) -> Callable[[Any], Any]:
    """Make the function that returns the counters of a row by name."""
    # The cache of compiled code tells functions apart by the names in them, so every class of counters needs its own.
    name = re.sub(r"\W", "_", "_".join([metrics.counters.__module__, metrics.counters.__qualname__, *metrics.names]))
    source = f"def counters(row):\n    return {name}({', '.join(f'counter_at(row, {2 * at})' for at in range(len(metrics.names)))})\n"
    namespace: dict[str, Any] = {name: namedtuple(name, metrics.names), "counter_at": counter_at, "__name__": __name__}
    exec(compile(source, __file__, "exec"), namespace)
    rule: Callable[[Any], Any] = namespace["counters"]
    return rule
