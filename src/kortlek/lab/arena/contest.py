"""A contest of bots: the pairings, the deals, and how one game is played.

A deal is one match number of a seed, with everything that is dealt in its rounds, or a single round of that match. Every pair of bots plays
every deal from every seat: one bot of the first kind among bots of the second kind, and vice versa. The cards, the random numbers of policy
bots and the seeds of thinking bots depend only on the deal and the seat. So all bots face the same chance events, a bot among copies of
itself has a difference of exactly zero, and the result of a game does not depend on which worker plays it, or when.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from math import log
from typing import Any

from kortlek.bots import own_games
from kortlek.bots.levels import level_called, levels_of
from kortlek.bots.monte_carlo import Budget
from kortlek.cards import Cards, members
from kortlek.engine.payoffs import best_seats, teams_of
from kortlek.engine.plain import Refused, begin, options_of
from kortlek.game import OVER, SEATS, Game, State
from kortlek.game.registry import GAMES, metrics_of
from kortlek.simulation.loop import CHOICES, ROUNDS, WINNERS, Observer
from kortlek.simulation.runner import PLAIN, Results, Simulator, as_lists, chance_level, simulator

LUCK, SKIPPING = -1, -2
"""The random streams of policy bots: in the contest, and in the skipped rounds before the one that is played."""
TIMED_MATCHES, TIMED_SECONDS = 64, 0.05
"""Limits for timing a policy bot: the largest number of matches, and the CPU seconds after which timing stops."""
BUCKET_RATIO = 1.02
"""The ratio between two neighbouring buckets of the histogram of times: two per cent."""


@dataclass(frozen=True)
class Contest:
    """All settings that determine the results of a contest. ``round`` is the only round of each match that is played, from 1, or None for all."""

    game: str
    players: int
    bots: tuple[str, ...]
    seed: int
    options: tuple[tuple[str, str], ...] = ()
    round: int | None = None
    budget: Budget | None = None

    @property
    def names(self) -> list[str]:
        """The names of the bots: their levels; the second entry of the same level gets the suffix ``-2``, and so on."""
        return [bot if bot not in self.bots[:at] else f"{bot}-{self.bots[: at + 1].count(bot)}" for at, bot in enumerate(self.bots)]

    def describe(self) -> dict[str, Any]:
        """The complete description of the contest: two contests with the same description have the same results."""
        game = GAMES[self.game]
        versions = {name: level.policy.version for name, level in levels_of(game).items() if level.policy}
        return {
            "game": game.name,
            "version": game.version,
            **own_games.origin(game.name),
            "options": options_of(game, begin(game, self.players, dict(self.options))),
            "players": self.players,
            "seed": self.seed,
            "round": self.round,
            "bots": [
                {"bot": name, "level": level, "version": level_called(game, level).version, "budget": self._budget_of(level)}
                for name, level in zip(self.names, self.bots)
            ],
            "policies": versions,
        }

    def _budget_of(self, bot: str) -> dict[str, Any] | None:
        """The time or simulation budget of a bot per choice; None for policy bots and for bots without a declared budget."""
        level = level_called(GAMES[self.game], bot)
        budget = None if level.policy else self.budget or getattr(level.make(0, None), "budget", None)
        return {"amount": budget.amount, "unit": budget.unit} if budget else None

    def check(self) -> None:
        """Raise Refused if the contest is not possible."""
        game = GAMES[self.game]
        for bot in self.bots:
            level_called(game, bot)
        if len(self.bots) < 2:
            raise Refused(f"A contest needs two bots or more, with commas between. The bots of {game.title} are: {', '.join(levels_of(game))}.")
        begin(game, self.players, dict(self.options))
        if self.round is not None:
            by_chance = simulator(game, self.players, self.options, (chance_level(game),), engine=PLAIN)
            rounds = by_chance.play([0] * self.players, self.seed, 0, 1).facts[0][ROUNDS]
            if not 1 <= self.round <= rounds:
                raise Refused(f"--round {self.round} is not possible: this match of {game.title} has the rounds 1 to {rounds}.")


@dataclass(frozen=True)
class Seating:
    """One bot of a pair in one seat and in the seats of its partners, the other bot in all other seats (none in a game for one player)."""

    single: int
    others: int
    seat: int

    def bots(self, teams: Sequence[int]) -> list[int]:
        """The index of the bot in each seat. ``teams`` has the team of each seat."""
        return [self.single if team == teams[self.seat] else self.others for team in teams]


def teams_in(contest: Contest) -> tuple[int, ...]:
    """The team of each seat; in games without teams every seat is a team of its own."""
    return teams_of(GAMES[contest.game], contest.players)


def seats_tried(contest: Contest) -> list[int]:
    """The seats that the single bot takes in every deal: all seats, or one seat of each team."""
    teams = teams_in(contest)
    return [seat for seat, team in enumerate(teams) if team not in teams[:seat]]


def directions(contest: Contest) -> list[tuple[int, int]]:
    """The ordered pairs (single bot, other bots). With two players or teams both orders give the same games, so only one is played."""
    pairs, sides = combinations(range(len(contest.bots)), 2), len(seats_tried(contest))
    return [way for a, b in pairs for way in ([(a, b)] if sides == 2 else [(a, b), (b, a)])]


def seatings(contest: Contest) -> list[Seating]:
    """All games that are played with each deal, in order of play."""
    return [Seating(single, others, seat) for single, others in directions(contest) for seat in seats_tried(contest)]


# ---- results


@dataclass
class Clock:
    """CPU time of choices: their number, the total seconds, and a histogram with logarithmic buckets."""

    choices: int = 0
    seconds: float = 0.0
    counts: dict[int, int] = field(default_factory=dict)

    def add(self, seconds: float) -> None:
        """Add the CPU time of one choice."""
        step = round(log(max(seconds, 1e-9)) / log(BUCKET_RATIO))
        self.choices += 1
        self.seconds += seconds
        self.counts[step] = self.counts.get(step, 0) + 1

    def include(self, other: Clock) -> None:
        """Add the choices of another clock."""
        self.choices += other.choices
        self.seconds += other.seconds
        for bucket, count in other.counts.items():
            self.counts[bucket] = self.counts.get(bucket, 0) + count

    @property
    def mean(self) -> float | None:
        """Seconds per choice."""
        return self.seconds / self.choices if self.choices else None

    def quantile(self, part: float) -> float | None:
        """The time that the given part of the choices (0 to 1) did not exceed, to the precision of a bucket."""
        left = part * self.choices
        for bucket in sorted(self.counts):
            left -= self.counts[bucket]
            if left <= 0:
                return BUCKET_RATIO**bucket
        return None


@dataclass
class GameResult:
    """The result of one game, by seat: the score, the share of the win, and the number of bids met exactly (None in games without bids).
    ``clocks`` has the CPU times of thinking bots, by bot."""

    score: list[int]
    won: list[float]
    rounds: int
    kept: list[int] | None
    clocks: dict[int, Clock] = field(default_factory=dict)

    def save(self) -> dict[str, Any]:
        """The result as a JSON-compatible dict."""
        clocks = {str(bot): [clock.choices, clock.seconds, {str(k): n for k, n in clock.counts.items()}] for bot, clock in self.clocks.items()}
        return {"score": self.score, "won": self.won, "rounds": self.rounds, "kept": self.kept, "clocks": clocks}

    @classmethod
    def load(cls, saved: dict[str, Any]) -> GameResult:
        """The result from a dict that ``save`` returned."""
        clocks = {}
        for bot, (choices, seconds, counts) in saved["clocks"].items():
            clocks[int(bot)] = Clock(choices, seconds, {int(step): count for step, count in counts.items()})
        return cls(saved["score"], saved["won"], saved["rounds"], saved["kept"], clocks)


# ---- playing


@cache
def promises_of(game: Game[Any]) -> tuple[Observer, ...]:
    """An observer that counts the exact bids of each seat; none in games without bids."""
    kept = metrics_of(game).promise
    if kept is None:
        return ()

    def round_over(s: Any, notes: Any) -> None:
        for seat in range(s.players):
            notes[seat] += kept(s, seat)

    return (Observer(SEATS, round=round_over),)


def simulator_of(contest: Contest) -> Simulator:
    """The simulator of a contest; its levels are the bots of the contest."""
    game = GAMES[contest.game]
    levels = tuple(level_called(game, bot) for bot in contest.bots)
    return simulator(game, contest.players, contest.options, levels, promises_of(game))


@lru_cache(maxsize=16)
def start_of_round(contest: Contest, number: int) -> State:
    """The state of a match at the start of the only round that is played. The rounds before are played at random with the cards of the whole match,
    so that the dealer and the cards dealt are the same as in the whole match."""
    game, round = GAMES[contest.game], contest.round or 1
    s = simulator(game, contest.players, contest.options, (chance_level(game),)).position(contest.seed, number, round - 1, SKIPPING)
    if s.phase == OVER:
        raise Refused(f"--round {round} is not possible: match {number} of {game.title} has only {s.round} rounds.")
    return s


def play_games(contest: Contest, seating: Sequence[int], first: int, count: int) -> list[GameResult]:
    """Play ``count`` deals from number ``first`` on. ``seating`` has the index of the bot in each seat."""
    plays = simulator_of(contest)
    if contest.round is None:
        return results(contest, plays.play(seating, contest.seed, first, count, luck=LUCK, budget=contest.budget))
    done = []
    for number in range(first, first + count):
        start = start_of_round(contest, number)
        played = plays.play(seating, contest.seed, number, 1, luck=LUCK, start=start, rounds=contest.round, budget=contest.budget)
        done += results(contest, played, start)
    return done


def results(contest: Contest, played: Results, start: State | None = None) -> list[GameResult]:
    """The results of games, from the simulator's arrays. For a single round, which began with ``start``, only the points of that round count."""
    game, players, done = GAMES[contest.game], contest.players, []
    before, rounds_before = (start.score, start.round) if start else ([0] * players, 0)
    for at, (score, fact, notes) in enumerate(zip(*(as_lists(each) for each in (played.scores, played.facts, played.notes)))):
        earned = [after - earlier for after, earlier in zip(score[:players], before)]
        winners = best_seats(game, earned) if start else fact[WINNERS]
        clocks: dict[int, Clock] = {}
        for bot, seconds in played.thinking.get(at, ()):
            clocks.setdefault(bot, Clock()).add(seconds)
        kept = notes[0][:players] if metrics_of(game).promise else None
        done.append(GameResult(earned, shares(winners, players), fact[ROUNDS] - rounds_before, kept, clocks))
    return done


def shares(winners: Cards, players: int) -> list[float]:
    """The share of the win of each seat."""
    won = set(members(winners))
    return [1 / len(won) if seat in won else 0.0 for seat in range(players)]


def seconds_per_choice(contest: Contest, bot: int) -> float:
    """CPU seconds per choice of a policy bot, including the rules of the game, measured in matches of the bot against itself."""
    matches, seconds, choices = 1, 0.0, 1
    while matches <= TIMED_MATCHES and seconds < TIMED_SECONDS:
        began = time.process_time()
        done = simulator_of(contest).play([bot] * contest.players, contest.seed, 0, matches, luck=LUCK)
        seconds, choices = time.process_time() - began, sum(int(fact[CHOICES]) for fact in done.facts)
        matches *= 4
    return seconds / choices
