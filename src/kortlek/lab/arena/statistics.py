"""From deals to estimates: means with bootstrap intervals, and ratings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from statistics import fmean
from typing import Any

RESAMPLES = 2000
INTERVAL = 0.95


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


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of the deals' values with its interval."""
    return estimates([values])[0]


def estimates(columns: Sequence[Sequence[float]]) -> list[Estimate]:
    """The means of several values of the same deals; the intervals by bootstrap over deals (percentiles). The same values always give the same
    intervals."""
    if not columns or len(columns[0]) < 2:
        return [Estimate(fmean(values) if values else None) for values in columns]
    outside = round(RESAMPLES * (1 - INTERVAL) / 2)
    ranked = [sorted(means) for means in resampled_means(columns)]
    return [Estimate(fmean(values), means[outside], means[-1 - outside]) for values, means in zip(columns, ranked)]


def resampled_means(columns: Sequence[Sequence[float]], seed: int = 0) -> list[list[float]]:
    """For every column the means of resamples: the same deals are drawn for all columns. NumPy, where it is installed, draws the same deals as Python
    does, and much faster."""
    draw, n = random.Random(seed), len(columns[0])
    if find_spec("numpy"):
        import numpy as np

        _, (*words, position), _ = draw.getstate()
        generator, table = np.random.RandomState(), np.array(columns)
        generator.set_state({"bit_generator": "MT19937", "state": {"key": np.array(words, np.uint32), "pos": position}})
        drawn = ((generator.random_sample(n) * n).astype(np.int64) for _ in range(RESAMPLES))
        return np.array([table[:, deals].sum(axis=1) / n for deals in drawn]).T.tolist()  # type: ignore[no-any-return]
    resamples = (draw.choices(range(n), k=n) for _ in range(RESAMPLES))
    return [list(means) for means in zip(*([sum(values[deal] for deal in deals) / n for values in columns] for deals in resamples))]


class Ratings:
    """The rating of each bot: mu and sigma of the Plackett-Luce model, from openskill. Of a bot in several seats of a game they are averaged."""

    def __init__(self, bots: int) -> None:
        from openskill.models import PlackettLuce

        self._model = PlackettLuce()
        self._rated: list[Any] = [self._model.rating() for _ in range(bots)]

    def add(self, seating: Sequence[int], earned: Sequence[float | Fraction]) -> None:
        """One game more: who sat where, and what each seat earned, more being better."""
        places = [float(sum(other > own for other in earned)) for own in earned]
        after = self._model.rate([[self._rated[bot]] for bot in seating], ranks=places)
        for bot in sorted(set(seating)):
            own = [team[0] for team, who in zip(after, seating) if who == bot]
            self._rated[bot] = self._model.rating(mu=fmean(each.mu for each in own), sigma=fmean(each.sigma for each in own))

    def values(self) -> list[tuple[float, float]]:
        """Mu and sigma of every bot."""
        return [(each.mu, each.sigma) for each in self._rated]
