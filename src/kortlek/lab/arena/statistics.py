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
    """A mean over deals and its 95 % confidence interval; None where there are too few deals."""

    mean: float | None
    low: float | None = None
    high: float | None = None

    @property
    def reach(self) -> float:
        """Half the width of the interval; infinite if there is no interval."""
        return float("inf") if self.low is None or self.high is None else (self.high - self.low) / 2

    def as_json(self) -> dict[str, float | None]:
        """The estimate as a JSON-compatible dict."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of the deals' values with its interval."""
    return estimates([values])[0]


def estimates(columns: Sequence[Sequence[float]]) -> list[Estimate]:
    """The means of several values of the same deals, with percentile bootstrap intervals over deals. Deterministic: the same values give the same
    intervals."""
    if not columns or len(columns[0]) < 2:
        return [Estimate(fmean(values) if values else None) for values in columns]
    outside = round(RESAMPLES * (1 - INTERVAL) / 2)
    ranked = [sorted(means) for means in resampled_means(columns)]
    return [Estimate(fmean(values), means[outside], means[-1 - outside]) for values, means in zip(columns, ranked)]


def resampled_means(columns: Sequence[Sequence[float]], seed: int = 0) -> list[list[float]]:
    """The means of the bootstrap resamples of every column; each resample has the same deals for all columns. NumPy, if installed, draws the same
    deals as Python's generator, but much faster."""
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
    """The rating of each bot: mu and sigma of openskill's Plackett-Luce model, averaged over the seats of a bot that has several in a game."""

    def __init__(self, bots: int) -> None:
        from openskill.models import PlackettLuce

        self._model = PlackettLuce()
        self._rated: list[Any] = [self._model.rating() for _ in range(bots)]

    def add(self, seating: Sequence[int], earned: Sequence[float | Fraction]) -> None:
        """Add one game: the bot in each seat, and what each seat earned (more is better)."""
        places = [float(sum(other > own for other in earned)) for own in earned]
        after = self._model.rate([[self._rated[bot]] for bot in seating], ranks=places)
        for bot in sorted(set(seating)):
            own = [team[0] for team, who in zip(after, seating) if who == bot]
            self._rated[bot] = self._model.rating(mu=fmean(each.mu for each in own), sigma=fmean(each.sigma for each in own))

    def values(self) -> list[tuple[float, float]]:
        """Mu and sigma of every bot."""
        return [(each.mu, each.sigma) for each in self._rated]
