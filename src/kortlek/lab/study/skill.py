"""Skill against chance: some deals are played again with one stronger bot among weaker ones, in every seat in turn and with other luck each time.

What the stronger one gains is skill. What a seat's scores in two such matches have in common, beyond what it usually scores in them, comes from
the deal. The rest is the luck of the bots, and the interplay of it all. Deals are counted in groups; how much comes out otherwise when one group
or another is left out says how sure it is (a jackknife). So nothing has to be kept of single deals: sums in whole numbers are enough."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan, sqrt
from typing import Any

from kortlek.bots.levels import CLUB, EASY, EXPERT, HOUSE, MEDIUM, RANDOM, by_chance
from kortlek.game import Game
from kortlek.lab.arena.statistics import Estimate

WEAKER = {EXPERT: CLUB, CLUB: HOUSE, HOUSE: EASY, MEDIUM: EASY, EASY: RANDOM}
"""Whom each level shows its skill among, if nobody says; a bot of another name among easy ones, and random ones among nobody."""
NO_SKILL = "no"
"""What stands for nobody, so that nothing is played again."""
GROUPS, ENOUGH = 50, 10
"""Deals are counted in so many groups; with fewer than the second number there is no interval."""
ROW = 2 * GROUPS
"""So many matches in a row are played again, because that is quicker than one here and one there."""
FIRST_MATCHES = 40_000
"""Of so many matches deals are played again, then no more: by then a win share is known to half a point."""
DEALS, SQUARES, SQUARED_SUMS, WON, WON_BY_ALL, SCORES = range(6)
"""What is summed: how many deals; the squares of all scores; for each seat the square of its sum over the matches of a deal; wins of the stronger
bot, and of everybody; and then the scores of every seat, for every seat of the stronger bot."""
NAMES = ("stronger_wins", "stronger_gain", "order", "stronger_points", "deal_share", "skill_share", "rest_share")
"""What comes out."""
WINS, GAIN, ORDER, POINTS, DEAL, SKILL, REST = range(7)


def weaker_than(game: Game[Any], bot: str) -> str:
    """Whom a bot shows its skill among, if nobody says; nobody, if it plays at random itself."""
    return "" if bot == RANDOM or by_chance(game, [bot]) else WEAKER.get(bot, EASY)


# ---- counting


def played_again(first: int, count: int, every: int) -> Iterator[tuple[int, int]]:
    """Which of so many matches from a number on are played again, as a number and how many from there: one of ``every`` matches, in rows. It depends
    on the number of a match alone, so that a study is the same in any parts."""
    number, until = first, min(first + count, FIRST_MATCHES)
    while number < until:
        row = number - number % (ROW * every)
        many = min(row + ROW, until) - number
        if many > 0:
            yield number, many
        number = row + ROW * every


def summed(number: int, many: int, scores: list[Any], won: list[list[Any]]) -> list[list[int]]:
    """The sums by group of so many deals from a number on: scores (more is better) and wins in their matches, for every seat of the stronger bot."""
    players = len(scores)
    together = sum(scores)
    columns = [sum((each * each).sum(axis=1) for each in scores), (together * together).sum(axis=1)]
    columns += [sum(each[seat] for seat, each in enumerate(won)), sum(sum(each) for each in won)]
    columns += [scores[strong][:, seat] for strong in range(players) for seat in range(players)]
    groups = [[0] * (SCORES + players * players) for _ in range(GROUPS)]
    for at, row in zip(range(number, number + many), zip(*(each.tolist() for each in columns))):
        groups[at % GROUPS] = [a + b for a, b in zip(groups[at % GROUPS], (1, *row))]
    return groups


# ---- what comes out


def worked_out(sums: list[int], players: int, win: int) -> list[float] | None:
    """All that is named above, from the sums of some deals; None where there are too few. ``win`` stands for a whole win. If all scores are the same,
    there are no shares in what they depend on."""
    deals, seats = sums[DEALS], range(players)
    if deals < 2:
        return None
    fair = sums[WON_BY_ALL] / (deals * players * win) / players
    gain = sums[WON] / (deals * players * win) - fair
    scores = [[sums[SCORES + strong * players + seat] for strong in seats] for seat in seats]
    means = [[each / deals for each in row] for row in scores]
    strong = sum(means[seat][seat] for seat in seats) / players
    points = strong - (sum(map(sum, means)) / players - strong) / (players - 1)
    # Variances over deals, in whole numbers up to the division: squares of large sums lie close together.
    own, many = sum(each * each for row in scores for each in row), deals * (deals - 1) * players * players
    within = (deals * sums[SQUARES] - own) / many
    pairs = deals * (sums[SQUARED_SUMS] - sums[SQUARES]) - (sum(sum(row) ** 2 for row in scores) - own)
    common = pairs / (many * (players - 1))
    whole = within + sum(sum(each * each for each in row) / players - (sum(row) / players) ** 2 for row in means) / players
    deal, skill = (common / whole, points**2 * (players - 1) / (players**2 * whole)) if whole > 0 else (nan, nan)
    return [fair + gain, gain, gain / (1 - fair), points, deal, skill, 1 - deal - skill]


def jackknife(groups: list[list[int]], players: int, win: int) -> tuple[list[float], list[list[float]]] | None:
    """What comes out of all groups, and of all but each one (nothing, if those are too few); None if there are too few deals."""
    whole = [sum(column) for column in zip(*groups)]
    value = worked_out(whole, players, win) if whole else None
    left = [worked_out([a - b for a, b in zip(whole, group)], players, win) for group in groups if group[DEALS]]
    known = [each for each in left if each is not None]
    return None if value is None else (value, known if len(known) >= ENOUGH else [])


def reach(values: list[float]) -> float:
    """How far a 95 % interval reaches to either side, after Student, if this is what came out without each of the groups."""
    from scipy.special import stdtrit

    groups = len(values)
    middle = sum(values) / groups
    return float(stdtrit(groups - 1, 0.975)) * sqrt((groups - 1) / groups * sum((each - middle) ** 2 for each in values))


def estimates(groups: list[list[int]], players: int, win: int) -> list[Estimate]:
    """Everything with its interval."""
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
    """The interval of the share of skill. It goes with the square of the points gained, so it is found for its root, with the sign of these: then it
    begins at nothing exactly where the gain may be chance."""

    def root(each: list[float]) -> float:
        return sqrt(each[SKILL]) * (1 if each[POINTS] >= 0 else -1)

    middle, far = root(values), reach([root(each) for each in left])
    nearer, farther = sorted(((middle - far) ** 2, (middle + far) ** 2))
    return (0.0 if abs(middle) <= far else nearer), farther


def bounded(value: float, low: float | None, high: float | None) -> Estimate:
    """A share is from nothing to all."""
    return Estimate(*(None if each is None else min(1.0, max(0.0, each)) for each in (value, low, high)))


def differences(groups: list[list[int]], first: list[list[int]], players: int, win: int) -> list[Estimate]:
    """How much more everything is than in the first variant, in which the same deals are in the same groups."""
    ours, theirs = jackknife(groups, players, win), jackknife(first, players, win)
    if ours is None or theirs is None:
        return [Estimate(None)] * len(NAMES)
    made = []
    for at, (value, other) in enumerate(zip(ours[0], theirs[0])):
        far = reach([one[at] - another[at] for one, another in zip(ours[1], theirs[1])]) if ours[1] and theirs[1] else None
        made.append(Estimate(value - other) if far is None else Estimate(value - other, value - other - far, value - other + far))
    return [Estimate(None) if each.mean is None or isnan(each.mean) else each for each in made]
