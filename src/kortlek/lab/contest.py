"""A contest of bots: who meets whom on which deals, and how one game of it is played.

A deal of the bank is a whole match number of a seed, with all that is dealt in its rounds, or one round of it. Every pair of bots plays
every deal from every seat: one of the one kind among others of the other kind, and the other way round. The cards, the luck of bots that
follow rules of thumb and the seeds of bots that think depend on the deal and the seat alone; so bots meet the same luck, a bot among
copies of itself earns exactly nothing, and a game comes out the same whoever plays it, and when.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from math import log
from typing import Any, ClassVar

from kortlek.bots import own
from kortlek.bots.levels import RANDOM, Level, level_called, levels_of
from kortlek.bots.loops import FIRST, ROUNDS_APART, SECOND, THINKS, make_advance
from kortlek.bots.policy import Policy
from kortlek.bots.thinking import Budget
from kortlek.cards import Cards, lowest, members, size
from kortlek.play.information import View, view
from kortlek.play.loops import CannotCompile
from kortlek.play.plain import LARGEST_PACK, Refused, begin, draw_chance, happen, options_of
from kortlek.play.seeded import seeded, shuffle
from kortlek.rules import GAMES
from kortlek.rules.game import LOTS, OVER, Game, Match, highest_scores, lowest_scores

LUCK = -1
"""The luck of a bot that follows rules of thumb comes before the seeds of those that think, which are numbered from 0."""
BRIEFLY = Budget(1, "simulations")
"""How long a bot thinks when it is only woken."""
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
            **own.origin(game.name),
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
            rounds = Table(game, self, [levels_of(game)[RANDOM]] * 2, plain=True).play(0, [0] * self.players, whole=True).rounds
            if not 1 <= self.round <= rounds:
                raise Refused(f"--round {self.round} is not possible: this match of {game.title} has the rounds 1 to {rounds}.")


@dataclass(frozen=True)
class Seating:
    """One bot of a pair in one seat, the other one in all others."""

    single: int
    others: int
    seat: int

    def bots(self, players: int) -> list[int]:
        """Who sits where."""
        return [self.single if seat == self.seat else self.others for seat in range(players)]


def directions(contest: Contest) -> list[tuple[int, int]]:
    """Who is single among whom. With two players both ways are the same games, so only one of them is held."""
    pairs = combinations(range(len(contest.bots)), 2)
    return [way for a, b in pairs for way in ([(a, b)] if contest.players == 2 else [(a, b), (b, a)])]


def seatings(contest: Contest) -> list[Seating]:
    """All games that are played with each deal, in order."""
    return [Seating(single, others, seat) for single, others in directions(contest) for seat in range(contest.players)]


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
        for step, count in other.counts.items():
            self.counts[step] = self.counts.get(step, 0) + count

    @property
    def mean(self) -> float | None:
        """Seconds per choice."""
        return self.seconds / self.choices if self.choices else None

    def quantile(self, part: float) -> float | None:
        """So many of the choices took no longer than this."""
        left = part * self.choices
        for step in sorted(self.counts):
            left -= self.counts[step]
            if left <= 0:
                return FINENESS**step
        return None


@dataclass
class Played:
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
    def load(cls, saved: dict[str, Any]) -> Played:
        """What was kept."""
        clocks = {}
        for bot, (choices, seconds, counts) in saved["clocks"].items():
            clocks[int(bot)] = Clock(choices, seconds, {int(step): count for step, count in counts.items()})
        return cls(saved["score"], saved["won"], saved["rounds"], saved["kept"], clocks)


# ---- playing


def mixed(seed: int, *numbers: int) -> int:
    """A seed made from several numbers; other numbers give another one."""
    for number in numbers:
        seed = seeded(seed, number)
    return seed


class Table:
    """A table for one pair of bots. Rules of thumb are followed on the compiled engine where there is one; both engines play the same."""

    _awake: ClassVar[set[Level]] = set()
    """Levels that have made a choice in this process, so that whatever had to be compiled is."""

    def __init__(self, game: Game[Any], contest: Contest, pair: Sequence[Level], plain: bool = False) -> None:
        self.game, self.contest, self.pair = game, contest, pair
        known = [level.policy for level in pair if level.policy] or [chance_policy(game)]
        first, second = pair[0].policy or known[-1], pair[1].policy or known[0]
        if plain or not find_spec("numba") or not self._compile(first, second):
            self._advance: Callable[..., int] = make_advance(game, first.choose, second.choose)
            self._kind: Any = None
            self._states: Any = [None]
            self._pack, self._dealing, self._deciders = [0] * LARGEST_PACK, [0, 0], [0] * contest.players
            self._rngs: Any = [[0] for _ in range(contest.players)]

    def _compile(self, first: Policy[Any], second: Policy[Any]) -> bool:
        """Whether the compiled engine can be used."""
        from kortlek.play import compiled

        self._advance = compiled.build(make_advance, self.game, first.choose, second.choose)
        self._kind = compiled
        self._states = compiled.records(begin(self.game, self.contest.players, dict(self.contest.options)))
        self._pack, self._dealing = compiled.int_array(LARGEST_PACK), compiled.int_array(2)
        self._rngs, self._deciders = compiled.generators(self.contest.players), compiled.int_array(self.contest.players)
        try:
            self._run(0, 0)
        except CannotCompile as reason:
            warnings.warn(str(reason), stacklevel=2)
            return False
        return True

    def _run(self, number: int, rounds: int) -> int:
        return int(self._advance(self._states, self._pack, self._dealing, self._rngs, self.contest.seed, number, self._deciders, rounds))

    def _lay(self, s: Match) -> None:
        self._states[0] = self._kind.as_record(s) if self._kind else s

    def _state(self) -> Any:
        return self._kind.from_record(self.game.state, self._states[0]) if self._kind else self._states[0]

    def _prepare(self, number: int, deciders: list[int]) -> None:
        """Forget the last game."""
        self._dealing[1] = -1
        for seat, decider in enumerate(deciders):
            self._deciders[seat] = decider
            self._rngs[seat][0] = mixed(self.contest.seed, number, seat, LUCK)

    def play(self, number: int, sitting: Sequence[int], whole: bool = False) -> Played:
        """One game with a deal of the bank, or the ``whole`` match even if the contest is about one round. ``sitting`` says which of the
        pair (0 or 1) sits in each seat."""
        game, contest = self.game, self.contest
        s = begin(game, contest.players, dict(contest.options))
        if contest.round is not None and not whole:
            self._skip_to(s, contest.round - 1, number)
        began, end = s.round, ROUNDS_APART if contest.round is None or whole else contest.round
        self._prepare(number, [THINKS if self.pair[bot].policy is None else (FIRST, SECOND)[bot] for bot in sitting])
        kept = [0] * contest.players if game.kept else None
        clocks: dict[int, Clock] = {}
        asked = 0
        self._lay(s)
        while s.phase != OVER and s.round < end:
            present = s.round
            self._run(number, present + 1 if game.kept else end)
            s = self._state()
            if s.phase >= 0:
                bot = sitting[s.turn]
                self._think(s, bot, mixed(contest.seed, number, s.turn, asked), clocks.setdefault(bot, Clock()))
                asked += 1
                self._lay(s)
            if kept and game.kept and s.round > present:
                kept = [kept[seat] + game.kept(s, seat) for seat in range(contest.players)]
        return Played(s.score[: contest.players], shares(self._winners(s), contest.players), s.round - began, kept, clocks)

    def _skip_to(self, s: Match, round: int, number: int) -> None:
        """Leave rounds out. Lots are drawn as in the whole match, so that the round has the same cards as there."""
        dealing = [seeded(self.contest.seed, number * ROUNDS_APART)]
        while s.phase == LOTS:
            happen(self.game, s, draw_chance(self.game, s, lambda seats, n: shuffle(seats, n, dealing)))
        s.round = round

    def wake(self) -> None:
        """Let each bot that thinks make a choice, so that whatever has to be compiled is."""
        self._prepare(0, [THINKS] * self.contest.players)
        self._lay(begin(self.game, self.contest.players, dict(self.contest.options)))
        self._run(0, ROUNDS_APART)
        s = self._state()
        for level in self.pair:
            if level.policy is None:
                self._wake(level, view(self.game, s, s.turn))

    def _wake(self, level: Level, seen: View[Any]) -> None:
        if level not in self._awake and size(seen.legal) > 1:
            level.make(0, BRIEFLY).choose(seen)
            self._awake.add(level)

    def _think(self, s: Match, bot: int, seed: int, clock: Clock) -> None:
        """Let a bot choose by what it sees. What is forced is not asked, nor counted."""
        legal = self.game.legal(s)
        if size(legal) == 1:
            happen(self.game, s, lowest(legal))
            return
        level, seen = self.pair[bot], view(self.game, s, s.turn)
        self._wake(level, seen)
        player = level.make(seed, self.contest.budget)
        started = time.process_time()
        choice = player.choose(seen)
        clock.add(time.process_time() - started)
        if not legal >> choice & 1:
            raise Refused(f"The bot {level.name} chose something that is not allowed in {self.game.title}.")
        happen(self.game, s, choice)

    def _winners(self, s: Match) -> Cards:
        """Who won the match; of a single round, who earned most in it."""
        if self.contest.round is None:
            return self.game.winners(s)
        return lowest_scores(s) if self.game.lowest_wins else highest_scores(s)

    def seconds_per_choice(self, bot: int, matches: int) -> float:
        """CPU time of a choice by rules of thumb, with the rules of the game, in so many matches of the bot alone."""
        choices, seconds = 0, 0.0
        for number in range(matches):
            self._prepare(number, [(FIRST, SECOND)[bot]] * self.contest.players)
            self._lay(begin(self.game, self.contest.players, dict(self.contest.options)))
            started = time.process_time()
            choices += self._run(number, ROUNDS_APART)
            seconds += time.process_time() - started
        return seconds / choices


def chance_policy(game: Game[Any]) -> Policy[Any]:
    """What stands in a loop in which everybody thinks."""
    policy = levels_of(game)[RANDOM].policy
    assert policy is not None
    return policy


def shares(winners: Cards, players: int) -> list[float]:
    """What each seat has of the win."""
    won = set(members(winners))
    return [1 / len(won) if seat in won else 0.0 for seat in range(players)]


@cache
def table_of(contest: Contest, a: int, b: int) -> Table:
    """The table of a pair of bots of a contest, made once in each process."""
    game = GAMES[contest.game]
    return Table(game, contest, [level_called(game, contest.bots[each]) for each in (a, b)])


def play_games(contest: Contest, first: int, count: int) -> list[Played]:
    """So many games of a contest from the n-th on: all seatings of the first deal, then of the second, and so on."""
    plan = seatings(contest)
    done = []
    for at in range(first, first + count):
        number, turn = divmod(at, len(plan))
        done.append(play_seating(contest, plan[turn], number))
    return done


def play_seating(contest: Contest, seating: Seating, number: int) -> Played:
    """One game of a contest."""
    a, b = sorted((seating.single, seating.others))
    played = table_of(contest, a, b).play(number, [int(bot == b) for bot in seating.bots(contest.players)])
    played.clocks = {(a, b)[bot]: clock for bot, clock in played.clocks.items()}
    return played
