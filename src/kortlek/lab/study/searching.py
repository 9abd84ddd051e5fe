"""Which of many variants is the fairest: all play the same deals; again and again the worse half is left, and the others play on."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from math import ceil, log2

from kortlek.lab.study.running import Part
from kortlek.lab.study.study import Study, Sums, Variant, measures
from kortlek.simulation.tally import WIN

PARTS = 20
"""In so many parts matches are played each time: what is drawn again to see how sure one is."""
RESAMPLES = 1000
Play = Callable[[Study, int, int, int], Generator[Part, None, None]]
"""Plays matches of a study from a number up to another, in parts of a size."""


@dataclass
class Candidate:
    """A variant in the running: its matches part by part, so that it can be asked how sure one is."""

    variant: Variant
    parts: list[Sums] = field(default_factory=list)

    @property
    def matches(self) -> int:
        """How many it has played."""
        return sum(part.matches for part in self.parts)

    @property
    def sums(self) -> Sums:
        """All its matches."""
        whole = Sums()
        for part in self.parts:
            whole.add(part)
        return whole

    @property
    def unfairness(self) -> float:
        """How unfair it has been so far."""
        return unfairness(wins_by_seat(self.variant, self.sums), self.matches)


def wins_by_seat(variant: Variant, sums: Sums) -> list[int]:
    """The wins of each seat, in parts of a win."""
    names = [each.name for each in measures(variant)]
    return [sums.totals[names.index(f"win_{seat}")][0] for seat in range(variant.players)]


def unfairness(wins: list[int], matches: int) -> float:
    """How far the share of wins of any seat is from the mean of all seats, at most."""
    fair = sum(wins) / len(wins)
    return max(abs(each - fair) for each in wins) / (WIN * matches)


def halve(candidates: list[Candidate], seed: int, budget: int, play: Play) -> Generator[list[Candidate], None, None]:
    """Let candidates play on and leave the worse half, again and again; the last two play to the end. Each time about the same part of the budget of
    matches is spent, so that the fewer are left the longer they play. Yields those in the running."""
    running, played = list(candidates), 0
    turns = max(1, ceil(log2(len(running))))
    for turn in range(turns):
        until = played + max(1, budget // turns // len(running))
        study = Study(tuple(each.variant for each in running), seed)
        for part in play(study, played, until, max(1, (until - played) // PARTS)):
            for candidate, sums in zip(running, part.sums, strict=True):
                candidate.parts.append(sums)
            played += part.count
            yield running
        running.sort(key=lambda each: each.unfairness)
        if turn < turns - 1:
            running = running[: max(2, (len(running) + 1) // 2)]
            yield running


def sureness(running: list[Candidate], seed: int = 0) -> list[float]:
    """How often each of those who are left is the fairest when their matches are drawn again, part by part and the same for all."""
    draw, wins = random.Random(seed), [0] * len(running)
    counts = [[(wins_by_seat(each.variant, part), part.matches) for part in each.parts] for each in running]
    parts = min(map(len, counts))
    for _ in range(RESAMPLES):
        chosen = draw.choices(range(parts), k=parts)
        values = []
        for each in counts:
            drawn = [each[at] for at in chosen]
            values.append(unfairness([sum(column) for column in zip(*(row for row, _ in drawn))], sum(matches for _, matches in drawn)))
        wins[values.index(min(values))] += 1
    return [each / RESAMPLES for each in wins]
