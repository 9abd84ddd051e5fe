"""Turns of a load test: several crowds take turns, so that a busy machine slows all of them alike, and the medians count."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from kortlek.table.load.crowd import Crowd
from kortlek.table.load.processes import Process, usage

MOST_WAIT = 0.05
"""A turn is void if the server's main thread waited for a core for more than this share of it: other programs took the cores."""
WARM_UP = 0.5
"""Seconds of play before a turn is measured."""


@dataclass(frozen=True)
class Turn:
    """What one crowd measured in one turn. Times are in milliseconds; ``frame`` is the median and ``sent`` the mean number of bytes that a viewer was
    sent for a choice; ``cpu`` is the server's CPU time for a choice; ``waited`` the share of the time in which its main thread had no core."""

    choices: int
    rate: float
    p50: float
    p90: float
    p99: float
    longest: float
    frame: float
    sent: float
    cpu: float | None
    waited: float | None

    @property
    def is_void(self) -> bool:
        """Whether other programs took the cores."""
        return self.waited is not None and self.waited > MOST_WAIT


@dataclass
class Side:
    """A crowd, the process that serves it, and how many are sent each choice."""

    crowd: Crowd
    process: Process
    viewers: int


async def take_turns(sides: Sequence[Side], turns: int, seconds: float) -> list[list[Turn]]:
    """Connect all crowds and let them play in turns; the turns of each."""
    taken: list[list[Turn]] = [[] for _ in sides]
    try:
        for side in sides:
            await side.crowd.enter()
        gc.collect()
        gc.freeze()  # garbage collection in the clients would count as latency of the server
        gc.disable()
        for _ in range(turns):
            for side, mine in zip(sides, taken):
                mine.append(await turn(side, seconds))
                gc.collect()
    finally:
        gc.enable()
        gc.unfreeze()
        for side in sides:
            side.crowd.leave()
    return taken


async def turn(side: Side, seconds: float) -> Turn:
    """Let a crowd play, and measure."""
    crowd = side.crowd
    crowd.go()
    await asyncio.sleep(WARM_UP if not crowd.think else max(WARM_UP, 2 * crowd.think))
    crowd.reset()
    before, began, crowd.counting = usage(side.process), perf_counter(), True
    await asyncio.sleep(seconds)
    after, lasted, crowd.counting = usage(side.process), perf_counter() - began, False
    await crowd.pause()
    times, many = sorted(crowd.times), max(1, len(crowd.times))
    return Turn(
        choices=len(times),
        rate=len(times) / lasted,
        p50=quantile(times, 0.5),
        p90=quantile(times, 0.9),
        p99=quantile(times, 0.99),
        longest=quantile(times, 1.0),
        frame=typical(crowd.sizes),
        sent=crowd.received / many / side.viewers,
        cpu=1000 * (after.cpu - before.cpu) / many if before and after else None,
        waited=(after.waited - before.waited) / lasted if before and after else None,
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """A quantile of ordered times, in milliseconds; 0 if there are none."""
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def typical(sizes: Counter[int]) -> float:
    """The median of sizes that were counted."""
    middle, passed = sum(sizes.values()) / 2, 0
    for size in sorted(sizes):
        passed += sizes[size]
        if passed >= middle:
            return size
    return 0.0


@dataclass(frozen=True)
class Summary:
    """The turns of a crowd that are not void, as one: medians, and the longest time of all; of all turns, if all are void."""

    turns: list[Turn]

    @property
    def valid(self) -> list[Turn]:
        """The turns that count."""
        return [turn for turn in self.turns if not turn.is_void] or self.turns

    @property
    def void(self) -> int:
        """How many turns are void."""
        return sum(turn.is_void for turn in self.turns)

    def of(self, name: str) -> float | None:
        """The median of a figure over the turns; the maximum of ``longest``."""
        values = [value for turn in self.valid if (value := getattr(turn, name)) is not None]
        return (max(values) if name == "longest" else median(values)) if values else None


def ratio(ours: Sequence[Turn], theirs: Sequence[Turn]) -> float:
    """The median ratio of the rates of two crowds that took turns; of the pairs without a void turn, or of all if there are none."""
    pairs = list(zip(ours, theirs))
    pairs = [pair for pair in pairs if not any(turn.is_void for turn in pair)] or pairs
    return median(mine.rate / max(1e-9, other.rate) for mine, other in pairs)


def cpu_ratio(ours: Sequence[Turn], theirs: Sequence[Turn]) -> float | None:
    """The same from the CPU time of the servers for each choice, over all turns: what other programs do hardly matters for it. None if it is not
    known."""
    mine, other = (sum(turn.cpu * turn.choices for turn in turns if turn.cpu is not None) for turns in (ours, theirs))
    return (other / sum(turn.choices for turn in theirs)) / (mine / sum(turn.choices for turn in ours)) if mine and other else None
