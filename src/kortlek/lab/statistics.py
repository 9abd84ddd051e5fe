"""From deals to estimates: means with bootstrap intervals, and ratings."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

RESAMPLES = 2000
INTERVAL = 0.95
NORMAL_95 = 1.959963984540054
"""So many standard errors to either side make a 95 % interval."""


@dataclass(frozen=True)
class Estimate:
    """A mean over deals and its 95 % interval; None where there are too few deals to tell."""

    mean: float | None
    low: float | None = None
    high: float | None = None

    @property
    def reach(self) -> float:
        """Half the width of the interval; endless as long as there is none."""
        return float("inf") if self.low is None or self.high is None else (self.high - self.low) / 2

    def as_json(self) -> dict[str, float | None]:
        """As JSON can keep it."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


def estimate(values: Sequence[float], seed: int = 0) -> Estimate:
    """The mean of the deals' values; the interval by bootstrap over deals (percentiles). The same values always give the same interval."""
    if len(values) < 2:
        return Estimate(fmean(values) if values else None)
    draw, n = random.Random(seed), len(values)
    means = sorted(sum(draw.choices(values, k=n)) / n for _ in range(RESAMPLES))
    outside = round(RESAMPLES * (1 - INTERVAL) / 2)
    return Estimate(fmean(values), means[outside], means[-1 - outside])


def ratings(games: Iterable[tuple[Sequence[int], Sequence[float]]], bots: int) -> list[tuple[float, float]] | None:
    """The rating of each bot after all games, in order: mu and sigma of the Plackett-Luce model. A game is who sat where, and what each seat
    earned, more being better. Of a bot in several seats of a game the ratings are averaged. None if openskill is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    rated: list[Any] = [model.rating() for _ in range(bots)]
    for sitting, earned in games:
        places = [float(sum(other > own for other in earned)) for own in earned]
        after = model.rate([[rated[bot]] for bot in sitting], ranks=places)
        for bot in sorted(set(sitting)):
            own = [team[0] for team, who in zip(after, sitting) if who == bot]
            rated[bot] = model.rating(mu=fmean(each.mu for each in own), sigma=fmean(each.sigma for each in own))
    return [(each.mu, each.sigma) for each in rated]
