"""A row of the table in docs/trust.md: a goal, the check that measures it in parts, and the bug that this check has to find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SMALL, FULL, PLANTED = "small", "full", "planted"
SIZES = (SMALL, FULL)


@dataclass(frozen=True)
class Run:
    """One part of a row to be measured: at which size, the number of the part, and an empty folder. In a ``planted`` run, the row plants its bug."""

    size: str
    part: int
    data: Path

    @property
    def is_full(self) -> bool:
        return self.size == FULL

    @property
    def is_planted(self) -> bool:
        return self.size == PLANTED

    def plant(self, bug: str) -> str:
        """The name of the bug for a forked server, if it is to be planted."""
        return bug if self.is_planted else ""


@dataclass(frozen=True)
class Found:
    """What a part of a row has found: what is wrong, in sentences; how many trials there were, by kind; and measurements."""

    wrong: Sequence[str] = ()
    counts: dict[str, int] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)

    @staticmethod
    def together(parts: Iterable[Found]) -> Found:
        """All parts: counts are added; of measurements, the worst counts."""
        wrong, counts, figures = list[str](), Counter[str](), dict[str, float]()
        for each in parts:
            wrong += each.wrong
            counts.update(each.counts)
            for name, value in each.figures.items():
                worst = min if name.startswith("least ") else max
                figures[name] = worst(value, figures.get(name, value))
        return Found(wrong, dict(counts), figures)

    def __str__(self) -> str:
        trials = ", ".join(f"{count:,} {what}" for what, count in self.counts.items())
        measured = "; ".join(f"{name} {value:,.{0 if value >= 100 else 1 if value >= 1 else 2}f}" for name, value in self.figures.items())
        return "; ".join(filter(None, [f"{len(self.wrong)} wrong in {trials}" if trials else "", measured]))


@dataclass(frozen=True)
class Row:
    """A row. ``measure`` measures one part; ``small`` is the number of parts of the small size. At full size there are as many parts as it takes
    until ``goal`` is reached: the number of trials, by kind."""

    name: str
    what: str
    wanted: str
    measure: Callable[[Run], Found]
    goal: dict[str, int]
    planted: str
    small: int = 1

    def is_done(self, size: str, parts: Sequence[Found]) -> bool:
        """Whether these parts are all of this size."""
        return self.is_reached(parts) if size == FULL else len(parts) >= self.small

    def is_reached(self, parts: Sequence[Found]) -> bool:
        """Whether there were as many trials as the goal asks for."""
        counts = Found.together(parts).counts
        return all(counts.get(what, 0) >= count for what, count in self.goal.items())

    def how_far(self, parts: Sequence[Found]) -> str:
        """How much of the goal is done, in percent."""
        counts = Found.together(parts).counts
        return f"{100 * min((min(1.0, counts.get(what, 0) / count) for what, count in self.goal.items()), default=0.0):.0f}%"
