"""Estimates from sums: every measure with its 95 % confidence interval, and its difference from the first variant on the same deals."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from kortlek.lab.arena.statistics import Estimate
from kortlek.lab.study import skill
from kortlek.lab.study.study import Measure, Study, Sums, Variant, measures, sides_of
from kortlek.simulation.tally import NORMAL_95, WIN

RULE_OF_THREE = 3.0
"""The rule of three: an event that did not occur in n matches has, with 95 % confidence, a probability below 3/n."""


def ratio(row: list[int], matches: int, is_share: bool) -> Estimate:
    """The ratio of the summed numerators and denominators, with the interval of a ratio estimator: both vary from match to match."""
    much, of, squares, squares_of, product = row[:5]
    if not of:
        return Estimate(None)
    mean = much / of
    if matches < 2:
        return Estimate(mean)
    reach = NORMAL_95 * sqrt(max(0.0, squares - 2 * mean * product + mean * mean * squares_of) / (matches - 1) * matches) / of
    low, high = mean - reach, mean + reach
    if is_share and mean in (0.0, 1.0):
        reach = min(1.0, RULE_OF_THREE / matches)
        low, high = (0.0, reach) if mean == 0.0 else (1 - reach, 1.0)
    return Estimate(mean, max(0.0, low) if is_share else low, min(1.0, high) if is_share else high)


def difference(row: list[int], first: list[int], matches: int) -> Estimate:
    """The difference of a measure from the first variant. Both played the same deals, so the interval is that of a paired difference."""
    if not row[1] or not first[1]:
        return Estimate(None)
    mean, other = row[0] / row[1], first[0] / first[1]
    if matches < 2:
        return Estimate(mean - other)

    def spread(sums: list[int], about: float) -> float:
        return (sums[2] - 2 * about * sums[4] + about * about * sums[3]) / (sums[1] * sums[1])

    together = (row[5] - other * row[6] - mean * row[7] + mean * other * row[8]) / (row[1] * first[1])
    variance = max(0.0, spread(row, mean) + spread(first, other) - 2 * together) * matches / (matches - 1)
    reach = NORMAL_95 * sqrt(variance)
    return Estimate(mean - other, mean - other - reach, mean - other + reach)


@dataclass(frozen=True)
class Finding:
    """The estimate of a measure from ``n`` matches (or replayed deals, for skill), and its difference from the first variant (None in the first
    variant, and if the numbers of players differ)."""

    measure: Measure
    value: Estimate
    against: Estimate | None = None
    n: int = 0

    def as_json(self) -> dict[str, Any]:
        """The finding as a JSON-compatible dict."""
        told = {"measure": self.measure.name, "about": self.measure.about, "is_share": self.measure.is_share, **self.value.as_json(), "n": self.n}
        return told if self.against is None else {**told, "against_first": self.against.as_json()}


def findings(study: Study, sums: list[Sums], with_skill: bool = True) -> list[list[Finding]]:
    """All findings by variant. Without skill the computation is faster."""
    made = []
    for at, (variant, each) in enumerate(zip(study.variants, sums)):
        first = sums[0] if at and same_measures(variant, study.variants[0]) else None
        made.append(found(variant, each, first) + (skill_found(variant, each, first) if with_skill and variant.weaker else []))
    return made


def same_measures(one: Variant, other: Variant) -> bool:
    """Whether two variants have the same measures."""
    return one.game == other.game and one.players == other.players


def found(variant: Variant, sums: Sums, first: Sums | None) -> list[Finding]:
    """The findings of the matches of one variant."""
    return [
        Finding(measure, ratio(row, sums.matches, measure.is_share), difference(row, first.totals[at], sums.matches) if first else None, sums.matches)
        for at, (measure, row) in enumerate(zip(measures(variant), sums.totals))
    ]


def skill_found(variant: Variant, sums: Sums, first: Sums | None) -> list[Finding]:
    """The findings about skill, from the replayed deals."""
    against: list[Estimate | None] = [None] * len(skill.NAMES)
    sides = len(sides_of(variant))
    if first:
        against = [*skill.differences(sums.again, first.again, sides, WIN)]
    deals = sum(group[skill.DEALS] for group in sums.again)
    values = skill.estimates(sums.again, sides, WIN)
    return [Finding(*each, deals) for each in zip(skill_measures(variant), values, against, strict=True)]


def stronger(variant: Variant) -> str:
    """Who shows skill: a player, or all players of a team."""
    return "a stronger player" if len(sides_of(variant)) == variant.players else "a stronger team"


def skill_measures(variant: Variant) -> list[Measure]:
    """The measures of skill, in the order of ``skill.NAMES``."""
    player = f"{stronger(variant)} ({variant.bots[0]} among {variant.weaker})"
    about = (
        (f"wins of {player}, in every seat of the same deals", True),
        (f"wins of {player} above a fair share", True),
        (f"order: what {stronger(variant)} wins above a fair share, of all there is above it", True),
        (f"points that {player} is better than the others at the end", False),
        ("share of the deal in what a seat's score depends on", True),
        ("share of skill in what a seat's score depends on", True),
        ("share of the rest, luck of the bots and interplay, in what a seat's score depends on", True),
    )
    return [Measure(name, *each) for name, each in zip(skill.NAMES, about, strict=True)]


def fair_share(wins: list[Finding]) -> float:
    """What every seat would win if all won equally often: the mean of their win shares. Partners win together, so with two teams it is a half."""
    return sum(each.value.mean or 0 for each in wins) / len(wins)


def widest(found: list[list[Finding]]) -> float:
    """Half the width of the widest interval of a seat's win share."""
    return max(each.value.reach for variant in found for each in variant if each.measure.name.startswith("win_"))
