"""A contest of bots: who meets whom on which deals, and how one game of it is played.

A deal of the bank is a whole match number of a seed, with all that is dealt in its rounds, or one round of it. Every pair of bots plays
every deal from every seat: one of the one kind among others of the other kind, and the other way round. The cards, the luck of bots that
follow rules of thumb and the seeds of bots that think depend on the deal and the seat alone; so bots meet the same luck, a bot among
copies of itself earns exactly nothing, and a game comes out the same whoever plays it, and when.
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
"""The luck of policies in a contest, and in the rounds before the one that is played."""
TIMED_MATCHES, TIMED_SECONDS = 64, 0.05
"""Rules of thumb are timed in so many matches, or fewer if these take longer."""
FINENESS = 1.02
"""Times are counted in steps of two per cent."""


@dataclass(frozen=True)
class Contest:
    """Everything that decides what happens in a contest. ``round`` is the one round that is played of each match, from 1, or None."""

    game: str
    players: int
    bots: tuple[str, ...]
    seed: int
    options: tuple[tuple[str, str], ...] = ()
    round: int | None = None
    budget: Budget | None = None

    @property
    def names(self) -> list[str]:
        """What the bots are called: their levels; of those who take part twice the second has a number."""
        return [bot if bot not in self.bots[:at] else f"{bot}-{self.bots[: at + 1].count(bot)}" for at, bot in enumerate(self.bots)]

    def describe(self) -> dict[str, Any]:
        """The contest in full: two contests with the same description have the same results."""
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
        """How long a bot thinks about a choice; None if it does not think, or does not say."""
        level = level_called(GAMES[self.game], bot)
        budget = None if level.policy else self.budget or getattr(level.make(0, None), "budget", None)
        return {"amount": budget.amount, "unit": budget.unit} if budget else None

    def check(self) -> None:
        """Refused if the contest cannot be held."""
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
    """One bot of a pair in one seat and in those of its partners, the other one in all others. A player alone has no others."""

    single: int
    others: int
    seat: int

    def bots(self, teams: Sequence[int]) -> list[int]:
        """Who sits where. ``teams`` has the team of each seat."""
        return [self.single if team == teams[self.seat] else self.others for team in teams]


def teams_in(contest: Contest) -> tuple[int, ...]:
    """The team of each seat; where everyone plays alone, each is one of its own."""
    return teams_of(GAMES[contest.game], contest.players)


def seats_tried(contest: Contest) -> list[int]:
    """The seats that the single bot takes with every deal: each, or one of each team."""
    teams = teams_in(contest)
    return [seat for seat, team in enumerate(teams) if team not in teams[:seat]]


def directions(contest: Contest) -> list[tuple[int, int]]:
    """Who is single among whom. With two players or teams both ways are the same games, so only one of them is held."""
    pairs, sides = combinations(range(len(contest.bots)), 2), len(seats_tried(contest))
    return [way for a, b in pairs for way in ([(a, b)] if sides == 2 else [(a, b), (b, a)])]


def seatings(contest: Contest) -> list[Seating]:
    """All games that are played with each deal, in order."""
    return [Seating(single, others, seat) for single, others in directions(contest) for seat in seats_tried(contest)]


# ---- what comes out


@dataclass
class Clock:
    """CPU time of choices: how many, how long together, and how many took about how long."""

    choices: int = 0
    seconds: float = 0.0
    counts: dict[int, int] = field(default_factory=dict)

    def add(self, seconds: float) -> None:
        """One choice more."""
        step = round(log(max(seconds, 1e-9)) / log(FINENESS))
        self.choices += 1
        self.seconds += seconds
        self.counts[step] = self.counts.get(step, 0) + 1

    def include(self, other: Clock) -> None:
        """Put two clocks together."""
        self.choices += other.choices
        self.seconds += other.seconds
        for bucket, count in other.counts.items():
            self.counts[bucket] = self.counts.get(bucket, 0) + count

    @property
    def mean(self) -> float | None:
        """Seconds per choice."""
        return self.seconds / self.choices if self.choices else None

    def quantile(self, part: float) -> float | None:
        """So many of the choices took no longer than this."""
        left = part * self.choices
        for bucket in sorted(self.counts):
            left -= self.counts[bucket]
            if left <= 0:
                return FINENESS**bucket
        return None


@dataclass
class GameResult:
    """What came out of one game: by seat the score, the share in the win, and the promises kept (None in games without promises).
    ``clocks`` are by bot, of those that think."""

    score: list[int]
    won: list[float]
    rounds: int
    kept: list[int] | None
    clocks: dict[int, Clock] = field(default_factory=dict)

    def save(self) -> dict[str, Any]:
        """As JSON can keep it."""
        clocks = {str(bot): [clock.choices, clock.seconds, {str(k): n for k, n in clock.counts.items()}] for bot, clock in self.clocks.items()}
        return {"score": self.score, "won": self.won, "rounds": self.rounds, "kept": self.kept, "clocks": clocks}

    @classmethod
    def load(cls, saved: dict[str, Any]) -> GameResult:
        """What was kept."""
        clocks = {}
        for bot, (choices, seconds, counts) in saved["clocks"].items():
            clocks[int(bot)] = Clock(choices, seconds, {int(step): count for step, count in counts.items()})
        return cls(saved["score"], saved["won"], saved["rounds"], saved["kept"], clocks)


# ---- playing


@cache
def promises_of(game: Game[Any]) -> tuple[Observer, ...]:
    """In a game of promises, what counts for each seat how many it kept."""
    kept = metrics_of(game).promise
    if kept is None:
        return ()

    def round_over(s: Any, notes: Any) -> None:
        for seat in range(s.players):
            notes[seat] += kept(s, seat)

    return (Observer(SEATS, round=round_over),)


def simulator_of(contest: Contest) -> Simulator:
    """What plays a contest: its levels are the bots of the contest."""
    game = GAMES[contest.game]
    levels = tuple(level_called(game, bot) for bot in contest.bots)
    return simulator(game, contest.players, contest.options, levels, promises_of(game))


@lru_cache(maxsize=16)
def start_of_round(contest: Contest, number: int) -> State:
    """State n before the one round of it that is played. The rounds before it are played at random, with the cards of the whole match, so that who
    deals and what is dealt to whom is as there."""
    game, round = GAMES[contest.game], contest.round or 1
    s = simulator(game, contest.players, contest.options, (chance_level(game),)).position(contest.seed, number, round - 1, SKIPPING)
    if s.phase == OVER:
        raise Refused(f"--round {round} is not possible: match {number} of {game.title} has only {s.round} rounds.")
    return s


def play_games(contest: Contest, seating: Sequence[int], first: int, count: int) -> list[GameResult]:
    """The games with so many deals of the bank from a number on. ``seating`` says which bot of the contest sits in each seat."""
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
    """What came out of games. Of a single round, which began with ``start``, only its own points count."""
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
    """What each seat has of the win."""
    won = set(members(winners))
    return [1 / len(won) if seat in won else 0.0 for seat in range(players)]


def seconds_per_choice(contest: Contest, bot: int) -> float:
    """CPU time of a choice by rules of thumb, with the rules of the game, in some matches of the bot alone."""
    matches, seconds, choices = 1, 0.0, 1
    while matches <= TIMED_MATCHES and seconds < TIMED_SECONDS:
        began = time.process_time()
        done = simulator_of(contest).play([bot] * contest.players, contest.seed, 0, matches, luck=LUCK)
        seconds, choices = time.process_time() - began, sum(int(fact[CHOICES]) for fact in done.facts)
        matches *= 4
    return seconds / choices
