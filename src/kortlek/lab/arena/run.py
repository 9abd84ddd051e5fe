"""Running a contest: submit its games to workers, collect the results deal by deal, and compute the estimates.

The results depend only on the contest and the number of deals, not on the number of workers or on how often the contest was resumed.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice
from statistics import fmean, stdev
from typing import Any

from kortlek.bots.levels import level_called, think
from kortlek.engine.payoffs import sign
from kortlek.game.registry import GAMES, metrics_of
from kortlek.lab.arena.contest import Clock, Contest, GameResult, directions, play_games, seatings, seats_tried, teams_in, seconds_per_choice
from kortlek.lab.arena.contest import simulator_of
from kortlek.lab.arena.statistics import Ratings, estimates
from kortlek.simulation.executors import ALONE, Local, map_in_order

Deal = list[GameResult]
"""All games that were played with one deal, in the order of ``seatings``."""
DEALS_PER_TASK = 10
"""Deals per task if all bots are policy bots."""
FIRST_CHECK = 20
"""The number of deals after which ``is_settled`` is evaluated for the first time."""


def make_ready(contest: Contest) -> None:
    """Compile everything the contest needs before the workers start, so that they load it from the cache."""
    simulator_of(contest).warm_up()


def play_deals(contest: Contest, first: int, until: int, where: Local = ALONE) -> Generator[Deal, None, None]:
    """Play the deals of a contest and yield them in order. Closing the generator early does not wait for games in progress."""
    size = 1 if think(GAMES[contest.game], contest.bots) else DEALS_PER_TASK
    bots = [seating.bots(teams_in(contest)) for seating in seatings(contest)]
    steps = [(at, min(size, until - at)) for at in range(first, until, size)]
    with closing(map_in_order(play_games, ((contest, seating, *step) for step in steps for seating in bots), where)) as done:
        for _ in steps:
            yield from (list(deal) for deal in zip(*islice(done, len(bots))))


def is_check_due(deals: int) -> bool:
    """Whether ``is_settled`` is evaluated after this number of deals: after 20, and then each time a quarter more have been played."""
    look = FIRST_CHECK
    while look < deals:
        look += look // 4
    return look == deals


class Standing:
    """The results so far. Ratings, which need openskill, are updated with every deal, which avoids a delay at the end."""

    def __init__(self, contest: Contest, with_ratings: bool = False) -> None:
        self.contest = contest
        self.game = GAMES[contest.game]
        self.deals = 0
        self.clocks = [Clock() for _ in contest.bots]
        self._ratings = Ratings(len(contest.bots)) if with_ratings and find_spec("openskill") else None
        self._ways, self._seatings = directions(contest), [seating.bots(teams_in(contest)) for seating in seatings(contest)]
        self._points: list[list[float]] = [[] for _ in self._ways]
        self._won: list[list[float]] = [[] for _ in self._ways]
        self._kept: list[tuple[list[float], list[float]]] = [([], []) for _ in self._ways]

    def add(self, deal: Deal) -> None:
        """Add the games of one deal. The value of a deal is the mean over its seats."""
        self.deals += 1
        players, teams, seats = self.contest.players, teams_in(self.contest), seats_tried(self.contest)
        for way, pair in enumerate(self._ways):
            games = deal[way * len(seats) : (way + 1) * len(seats)]
            points = [[Fraction(each, game.rounds) for each in self.earned(game)] for game in games]
            kept = [[each / game.rounds for each in game.kept or ()] for game in games]
            if players == 1:  # there are no opponents: compare with the other bot's game on the same deal
                rival = deal[way ^ 1]
                points[0].append(Fraction(self.earned(rival)[0], rival.rounds))
                kept[0] += [each / rival.rounds for each in rival.kept or ()]
            if players == 1:
                teams = (0, 1)
            self._points[way].append(float(sum(over_rivals(each, teams, seat) for seat, each in zip(seats, points)) / len(seats)))
            self._won[way].append(fmean(game.won[seat] for seat, game in zip(seats, games)))
            if metrics_of(self.game).promise:
                self._kept[way][0].append(fmean(each[seat] for seat, each in zip(seats, kept)))
                rivals = [rest for seat, each in zip(seats, kept) for other, rest in enumerate(each) if teams[other] != teams[seat]]
                self._kept[way][1].append(fmean(rivals))
            if self._ratings:
                for nth, earned in enumerate(points):
                    self._ratings.add(pair if players == 1 else self._seatings[way * len(seats) + nth], earned)
            for bot, clock in (each for game in games for each in game.clocks.items()):
                self.clocks[bot].include(clock)

    def earned(self, game: GameResult) -> list[int]:
        """What each seat earned; more is better, also in games where low scores win."""
        return [sign(self.game) * score for score in game.score]

    def is_settled(self, width: float) -> bool:
        """Whether half the width of every interval of points per round is at most ``width``. Evaluated only after certain numbers of deals
        (see ``is_check_due``), false after all others."""
        return is_check_due(self.deals) and all(each.reach <= width for each in estimates(self._points))

    def at_a_glance(self) -> str:
        """A quick approximation of the first estimate, for the progress bar."""
        values, (single, _) = self._points[0], directions(self.contest)[0]
        if len(values) < 2:
            return ""
        return f"{self.contest.names[single]} {fmean(values):+.2f} ± {1.96 * stdev(values) / len(values) ** 0.5:.2f}"

    def report(self) -> dict[str, Any]:
        """Everything that was measured, as a JSON-compatible dict."""
        contest, names, promises = self.contest, self.contest.names, metrics_of(self.game).promise is not None
        measured = [[points, won, *kept] if promises else [points, won] for points, won, kept in zip(self._points, self._won, self._kept)]
        found = iter(estimates([values for each in measured for values in each]))
        rows = []
        for single, others in self._ways:
            row: dict[str, Any] = {"single": names[single], "others": names[others], "games": self.deals * len(seats_tried(contest))}
            row["points_per_round"] = next(found).as_json()
            row["win_share"] = {**next(found).as_json(), "fair": 1 / contest.players}
            row["exact_bids"] = {who: next(found).as_json() for who in ("single", "others")} if promises else None
            rows.append(row)
        described = contest.describe()
        for at, bot in enumerate(described["bots"]):
            bot["cpu"] = self._cpu(at)
        rated = [{"bot": name, "mu": mu, "sigma": sigma} for name, (mu, sigma) in zip(names, self._ratings.values())] if self._ratings else None
        return {**described, "deals": self.deals, "results": rows, "ratings": rated}

    def _cpu(self, bot: int) -> dict[str, float | int | None]:
        """CPU seconds per choice. For policy bots only the mean, which includes the rules of the game."""
        if level_called(self.game, self.contest.bots[bot]).policy is None:
            clock = self.clocks[bot]
            return {"choices": clock.choices, "mean": clock.mean, "p99": clock.quantile(0.99)}
        return {"choices": None, "mean": seconds_per_choice(self.contest, bot), "p99": None}


def over_rivals(earned: list[Fraction], teams: Sequence[int], seat: int) -> Fraction:
    """What a seat earned minus the mean of its rivals; partners are not rivals. Exact fractions, so that equal bots differ by exactly zero."""
    rivals = [each for other, each in enumerate(earned) if teams[other] != teams[seat]]
    return earned[seat] - Fraction(sum(rivals), len(rivals))
