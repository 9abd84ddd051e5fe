"""Search for the fairest of many variants by successive halving: all play the same deals, and after each round the worse half is dropped."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from math import ceil, log2

from kortlek.lab.study.running import Part
from kortlek.lab.study.study import Study, Sums, Variant, measures
from kortlek.simulation.tally import WIN

PARTS = 20
"""Parts into which the matches of each round are split: the units of the bootstrap in ``sureness``."""
RESAMPLES = 1000
Play = Callable[[Study, int, int, int], Generator[Part, None, None]]
"""Plays the matches of a study from a first number up to (excluding) a last one, in parts of a given size."""


@dataclass
class Candidate:
    """A variant of the search with the sums of its matches, part by part for the bootstrap."""

    variant: Variant
    parts: list[Sums] = field(default_factory=list)

    @property
    def matches(self) -> int:
        """The number of matches played so far."""
        return sum(part.matches for part in self.parts)

    @property
    def sums(self) -> Sums:
        """The sums of all matches."""
        whole = Sums()
        for part in self.parts:
            whole.add(part)
        return whole

    @property
    def unfairness(self) -> float:
        """The unfairness of all matches so far."""
        return unfairness(wins_by_seat(self.variant, self.sums), self.matches)


def wins_by_seat(variant: Variant, sums: Sums) -> list[int]:
    """The wins of each seat, in parts of a win (see ``WIN``)."""
    names = [each.name for each in measures(variant)]
    return [sums.totals[names.index(f"win_{seat}")][0] for seat in range(variant.players)]


def unfairness(wins: list[int], matches: int) -> float:
    """The largest deviation of a seat's win share from the mean of all seats."""
    fair = sum(wins) / len(wins)
    return max(abs(each - fair) for each in wins) / (WIN * matches)


def halve(candidates: list[Candidate], seed: int, budget: int, play: Play) -> Generator[list[Candidate], None, None]:
    """Successive halving: play the candidates that are left and drop the worse half, until the last two have played the final round. Every round
    spends about the same part of the budget of matches, so that fewer candidates play more matches each. Yields the candidates that are left."""
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
    """The share of bootstrap resamples in which each remaining candidate is the fairest. Parts are resampled, the same for all candidates."""
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
