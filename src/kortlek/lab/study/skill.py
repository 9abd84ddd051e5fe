"""Skill against chance: some deals are replayed with one stronger bot among weaker ones, in every seat in turn and with another random stream
each time.

The gain of the stronger bot is skill. The covariance of a seat's scores in two such matches of the same deal, of the variance of its score, is
the share of the deal. The rest is the bots' randomness and interactions. Deals are summed in groups, and intervals come from a jackknife that
leaves out one group at a time, so integer sums are enough and single deals need not be stored."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan, sqrt
from typing import Any

from kortlek.bots.levels import CLUB, EASY, EXPERT, HOUSE, MEDIUM, RANDOM, by_chance
from kortlek.game import Game
from kortlek.lab.arena.statistics import Estimate

WEAKER = {EXPERT: CLUB, CLUB: HOUSE, HOUSE: EASY, MEDIUM: EASY, EASY: RANDOM}
"""The default weaker bot for each level; easy for bots of other names, and none for random."""
NO_SKILL = "no"
"""The argument that turns the measurement of skill off."""
GROUPS, MIN_GROUPS = 50, 10
"""The number of groups of deals, and the smallest number of groups with deals for which there is an interval."""
ROW = 2 * GROUPS
"""Consecutive matches that are replayed together, which is faster than replaying single matches."""
FIRST_MATCHES = 40_000
"""Deals are replayed only from this many first matches: by then a win share is known to half a percentage point."""
DEALS, SQUARES, SQUARED_SUMS, WON, WON_BY_ALL, SCORES = range(6)
"""Indices of the sums: the number of deals; the squares of all scores; the squares of each seat's total over the matches of a deal; wins of the
stronger bot, and of all bots; and from SCORES on the scores of every seat, for every seat of the stronger bot."""
NAMES = ("stronger_wins", "stronger_gain", "order", "stronger_points", "deal_share", "skill_share", "rest_share")
"""The names of the measures of skill."""
WINS, GAIN, ORDER, POINTS, DEAL, SKILL, REST = range(7)


def weaker_than(game: Game[Any], bot: str) -> str:
    """The default weaker bot for measuring the skill of a bot; empty if the bot itself plays at random."""
    return "" if bot == RANDOM or by_chance(game, [bot]) else WEAKER.get(bot, EASY)


# ---- sums


def played_again(first: int, count: int, every: int) -> Iterator[tuple[int, int]]:
    """The runs (first number, count) of matches to replay, among ``count`` matches from ``first`` on: one of ``every`` matches, in runs of ROW.
    The choice depends only on the number of a match, so that the result of a study does not depend on its parts."""
    number, until = first, min(first + count, FIRST_MATCHES)
    while number < until:
        row = number - number % (ROW * every)
        many = min(row + ROW, until) - number
        if many > 0:
            yield number, many
        number = row + ROW * every


def summed(number: int, many: int, scores: list[Any], won: list[list[Any]]) -> list[list[int]]:
    """The sums by group of ``many`` deals from ``number`` on, from the scores (more is better) and wins for every seat of the stronger bot."""
    players = len(scores)
    together = sum(scores)
    columns = [sum((each * each).sum(axis=1) for each in scores), (together * together).sum(axis=1)]
    columns += [sum(each[seat] for seat, each in enumerate(won)), sum(sum(each) for each in won)]
    columns += [scores[strong][:, seat] for strong in range(players) for seat in range(players)]
    groups = [[0] * (SCORES + players * players) for _ in range(GROUPS)]
    for at, row in zip(range(number, number + many), zip(*(each.tolist() for each in columns))):
        groups[at % GROUPS] = [a + b for a, b in zip(groups[at % GROUPS], (1, *row))]
    return groups


# ---- estimates


def values_of(sums: list[int], players: int, win: int) -> list[float] | None:
    """The values of all measures in NAMES, from the sums of some deals; None if there are fewer than two deals. ``win`` is the number of parts of a
    whole win. If all scores are equal, the shares are NaN."""
    deals, seats = sums[DEALS], range(players)
    if deals < 2:
        return None
    fair = sums[WON_BY_ALL] / (deals * players * win) / players
    gain = sums[WON] / (deals * players * win) - fair
    scores = [[sums[SCORES + strong * players + seat] for strong in seats] for seat in seats]
    means = [[each / deals for each in row] for row in scores]
    strong = sum(means[seat][seat] for seat in seats) / players
    points = strong - (sum(map(sum, means)) / players - strong) / (players - 1)
    # Variances over deals, in integers up to the division: floating point would lose precision, as the squares of large sums nearly cancel.
    own, many = sum(each * each for row in scores for each in row), deals * (deals - 1) * players * players
    within = (deals * sums[SQUARES] - own) / many
    pairs = deals * (sums[SQUARED_SUMS] - sums[SQUARES]) - (sum(sum(row) ** 2 for row in scores) - own)
    common = pairs / (many * (players - 1))
    whole = within + sum(sum(each * each for each in row) / players - (sum(row) / players) ** 2 for row in means) / players
    deal, skill = (common / whole, points**2 * (players - 1) / (players**2 * whole)) if whole > 0 else (nan, nan)
    return [fair + gain, gain, gain / (1 - fair), points, deal, skill, 1 - deal - skill]


def jackknife(groups: list[list[int]], players: int, win: int) -> tuple[list[float], list[list[float]]] | None:
    """The values from all groups, and those without each single group (empty if there are fewer than MIN_GROUPS); None if there are too few deals."""
    whole = [sum(column) for column in zip(*groups)]
    value = values_of(whole, players, win) if whole else None
    left = [values_of([a - b for a, b in zip(whole, group)], players, win) for group in groups if group[DEALS]]
    known = [each for each in left if each is not None]
    return None if value is None else (value, known if len(known) >= MIN_GROUPS else [])


def reach(values: list[float]) -> float:
    """Half the width of the 95 % interval (Student's t), from the values without each group."""
    from scipy.special import stdtrit

    groups = len(values)
    middle = sum(values) / groups
    return float(stdtrit(groups - 1, 0.975)) * sqrt((groups - 1) / groups * sum((each - middle) ** 2 for each in values))


def estimates(groups: list[list[int]], players: int, win: int) -> list[Estimate]:
    """All measures of skill with their intervals."""
    known = jackknife(groups, players, win)
    if known is None:
        return [Estimate(None)] * len(NAMES)
    values, left = known
    made = []
    for at, value in enumerate(values):
        far = reach([each[at] for each in left]) if left else None
        low, high = (None, None) if far is None else (value - far, value + far)
        if left and at == SKILL:
            low, high = squared_interval(values, left)
        made.append(Estimate(None) if isnan(value) else Estimate(value, low, high) if at in (GAIN, ORDER, POINTS) else bounded(value, low, high))
    return made


def squared_interval(values: list[float], left: list[list[float]]) -> tuple[float, float]:
    """The interval of the share of skill. The share is proportional to the square of the points gained, so the interval is computed for its signed
    root and then squared: it includes 0 exactly if the gain may be chance."""

    def root(each: list[float]) -> float:
        return sqrt(each[SKILL]) * (1 if each[POINTS] >= 0 else -1)

    middle, far = root(values), reach([root(each) for each in left])
    nearer, farther = sorted(((middle - far) ** 2, (middle + far) ** 2))
    return (0.0 if abs(middle) <= far else nearer), farther


def bounded(value: float, low: float | None, high: float | None) -> Estimate:
    """An estimate of a share, clipped to 0..1."""
    return Estimate(*(None if each is None else min(1.0, max(0.0, each)) for each in (value, low, high)))


def differences(groups: list[list[int]], first: list[list[int]], players: int, win: int) -> list[Estimate]:
    """The differences of all measures from the first variant, in which the same deals are in the same groups."""
    ours, theirs = jackknife(groups, players, win), jackknife(first, players, win)
    if ours is None or theirs is None:
        return [Estimate(None)] * len(NAMES)
    made = []
    for at, (value, other) in enumerate(zip(ours[0], theirs[0])):
        far = reach([one[at] - another[at] for one, another in zip(ours[1], theirs[1])]) if ours[1] and theirs[1] else None
        made.append(Estimate(value - other) if far is None else Estimate(value - other, value - other - far, value - other + far))
    return [Estimate(None) if each.mean is None or isnan(each.mean) else each for each in made]
