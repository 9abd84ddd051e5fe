"""Holding a contest: its games are given out to workers, put together deal by deal, and what came out is worked out.

The results depend on the contest and the number of deals alone, not on how many workers played them or in how many sittings.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, nullcontext
from fractions import Fraction
from itertools import chain, islice
from statistics import fmean, stdev
from typing import Any

from kortlek.bots.levels import level_called, think
from kortlek.lab.contest import Clock, Contest, Played, directions, play_games, seatings, table_of
from kortlek.lab.giving_out import Here, Hold, in_order
from kortlek.lab.statistics import Estimate, estimate, ratings
from kortlek.rules import GAMES

Deal = list[Played]
"""All games that were played with one deal, in the order of ``seatings``."""
FAST_DEALS = 10
"""So many deals of bots that do not think are given out in one go."""
FIRST_LOOK = 20
"""The first number of deals after which a contest may be ended as settled."""
TIMED_MATCHES = 20
"""Rules of thumb are timed in so many matches."""


def make_ready(contest: Contest) -> None:
    """Compile what the contest needs, so that the workers find it."""
    for single, others in directions(contest):
        table_of(contest, *sorted((single, others))).wake()


def play_deals(contest: Contest, first: int, until: int, workers: Here = 1, hold: Hold = nullcontext) -> Generator[Deal, None, None]:
    """The deals of a contest, in order. Work is given out within ``hold()``, where an interrupt can be made to wait. Whoever closes the
    generator early does not wait for games that are under way."""
    each = len(seatings(contest))
    size = 1 if think(GAMES[contest.game], contest.bots) else each * FAST_DEALS
    parts = ((at, min(size, until * each - at)) for at in range(first * each, until * each, size))
    with closing(in_order(play_games, ((contest, *part) for part in parts), workers, hold)) as done:
        games = chain.from_iterable(done)
        for _ in range(first, until):
            yield list(islice(games, each))


def is_look(deals: int) -> bool:
    """Whether it is looked after so many deals if a contest is settled: after 20, and whenever a quarter more have been played."""
    look = FIRST_LOOK
    while look < deals:
        look += look // 4
    return look == deals


class Standing:
    """What has come out so far."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.game = GAMES[contest.game]
        self.deals: list[Deal] = []
        self.clocks = [Clock() for _ in contest.bots]
        ways = directions(contest)
        self._points: list[list[float]] = [[] for _ in ways]
        self._won: list[list[float]] = [[] for _ in ways]
        self._kept: list[tuple[list[float], list[float]]] = [([], []) for _ in ways]

    def add(self, deal: Deal) -> None:
        """One deal more. Its value is the mean over its seats."""
        self.deals.append(deal)
        players = self.contest.players
        for way in range(len(self._points)):
            games = deal[way * players : (way + 1) * players]
            over = [over_the_others(self.earned(played), seat) / played.rounds for seat, played in enumerate(games)]
            self._points[way].append(float(sum(over) / players))
            self._won[way].append(fmean(played.won[seat] for seat, played in enumerate(games)))
            for bot, clock in (each for played in games for each in played.clocks.items()):
                self.clocks[bot].include(clock)
            if self.game.kept:
                rates = [[kept / played.rounds for kept in played.kept or ()] for played in games]
                self._kept[way][0].append(fmean(each[seat] for seat, each in enumerate(rates)))
                self._kept[way][1].append(fmean(rest for seat, each in enumerate(rates) for other, rest in enumerate(each) if other != seat))

    def earned(self, played: Played) -> list[int]:
        """What each seat earned, more being better."""
        return [-score if self.game.lowest_wins else score for score in played.score]

    def points(self) -> list[Estimate]:
        """Points per round over the others, of each single bot."""
        return [estimate(values) for values in self._points]

    def is_settled(self, width: float) -> bool:
        """Whether all intervals of points per round reach no further than this to either side. It is only looked after certain numbers
        of deals."""
        return is_look(len(self.deals)) and all(each.reach <= width for each in self.points())

    def at_a_glance(self) -> str:
        """The first estimate, roughly, for people who wait."""
        values, (single, _) = self._points[0], directions(self.contest)[0]
        if len(values) < 2:
            return ""
        return f"{self.contest.names[single]} {fmean(values):+.2f} ± {1.96 * stdev(values) / len(values) ** 0.5:.2f}"

    def report(self, with_ratings: bool) -> dict[str, Any]:
        """Everything that was measured, as JSON can keep it."""
        contest, names = self.contest, self.contest.names
        rows = []
        for way, ((single, others), points) in enumerate(zip(directions(contest), self.points())):
            row: dict[str, Any] = {"single": names[single], "others": names[others], "games": len(self.deals) * contest.players}
            row["points_per_round"] = points.as_json()
            row["win_share"] = {**estimate(self._won[way]).as_json(), "fair": 1 / contest.players}
            row["exact_bids"] = None
            if self.game.kept:
                row["exact_bids"] = {who: estimate(values).as_json() for who, values in zip(("single", "others"), self._kept[way])}
            rows.append(row)
        described = contest.describe()
        for at, bot in enumerate(described["bots"]):
            bot["cpu"] = self._cpu(at)
        return {**described, "deals": len(self.deals), "results": rows, "ratings": self._ratings() if with_ratings else None}

    def _cpu(self, bot: int) -> dict[str, float | int | None]:
        """CPU seconds of a choice. Of rules of thumb only the mean, measured with the rules of the game around them."""
        if level_called(self.game, self.contest.bots[bot]).policy is None:
            clock = self.clocks[bot]
            return {"choices": clock.choices, "mean": clock.mean, "p99": clock.quantile(0.99)}
        pair = sorted((bot, 0 if bot else 1))
        return {"choices": None, "mean": table_of(self.contest, *pair).seconds_per_choice(pair.index(bot), TIMED_MATCHES), "p99": None}

    def _ratings(self) -> list[dict[str, Any]] | None:
        plan = [seating.bots(self.contest.players) for seating in seatings(self.contest)]
        games = ((sitting, self.earned(played)) for deal in self.deals for sitting, played in zip(plan, deal))
        rated = ratings(games, len(self.contest.bots))
        return None if rated is None else [{"bot": name, "mu": mu, "sigma": sigma} for name, (mu, sigma) in zip(self.contest.names, rated)]


def over_the_others(earned: list[int], seat: int) -> Fraction:
    """What a seat earned, less the mean of the others; exactly, so that equals differ by nothing."""
    return earned[seat] - Fraction(sum(earned) - earned[seat], len(earned) - 1)
