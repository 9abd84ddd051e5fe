"""Matches played by bots: the common core of ``simulate``, ``arena`` and ``lab``.

Match k of a seed depends on the seed, on k and on the seating: not on the engine, the batch size or the executor. Policies choose within the engine,
from the full state: tests check that they use only what their player sees. Bots that think get views."""

from __future__ import annotations

import importlib.util
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from kortlek.bots.levels import RANDOM, Level, levels_of
from kortlek.bots.monte_carlo import Budget
from kortlek.cards import NOTHING, lowest, size
from kortlek.engine.loops import MOST_CHOICES, CannotCompile, did_not_end
from kortlek.engine.plain import Refused, begin
from kortlek.engine.rng import seeded
from kortlek.engine.views import View, view
from kortlek.game import SEATS, Game, State
from kortlek.game.base import MOST_ROUNDS
from kortlek.game.game import LARGEST_PACK
from kortlek.simulation.loop import ASKED, EVENTS, FACTS, PROGRESS, Job, Observer, make_play, seat_seed

PLAIN, COMPILED, AUTO = "plain", "compiled", "auto"
"""The engines; ``auto`` is the compiled engine if it is installed and can play the game."""
BATCH_SECONDS = 0.01
"""The target duration of a batch of matches in seconds: between batches Ctrl-C is handled, and progress is reported."""
SEEDS_PER_LUCK = 1 << 20
"""The seeds of bots that think are numbered by the questions of a match; each ``luck`` has this many numbers."""
WARM_UP_BUDGET = Budget(1, "simulations")
"""The budget of a choice that is made only to compile the code of a bot."""
Options = tuple[tuple[str, str], ...]


def is_installed() -> bool:
    """Whether the compiled engine is installed: the extra ``fast``."""
    return all(importlib.util.find_spec(name) for name in ("numba", "numpy"))


def chance_level(game: Game[Any]) -> Level:
    """The level that chooses at random."""
    return levels_of(game)[RANDOM]


@dataclass
class Results:
    """The results of some matches, one row for each (see ``Job``). ``thinking`` has, by row, the level and the CPU seconds of every choice that a bot
    has thought about."""

    scores: Any
    facts: Any
    notes: Any
    thinking: dict[int, list[tuple[int, float]]]


class BatchSize:
    """The batch size: the number of matches to play at once, adapted to the duration of the last batch."""

    def __init__(self) -> None:
        self.matches = 1

    def took(self, matches: int, seconds: float) -> None:
        """Adapt to the duration of a batch. The next batch is at most 16 times as large, as the first matches may not be typical."""
        fitting = int(matches * BATCH_SECONDS / max(seconds, 1e-9))
        self.matches = max(1, min(fitting, 16 * matches))


class Simulator:
    """Plays matches of a game between bots of some levels, watched by observers. Calls may overlap in threads: each has buffers of its own."""

    _warmed_up: ClassVar[set[Level]] = set()
    """The levels that have thought in this process, so that all their code is compiled."""

    def __init__(
        self, game: Game[Any], players: int, options: Options, levels: Sequence[Level], observers: Sequence[Observer] = (), engine: str = AUTO
    ) -> None:
        self.game, self.players, self.levels, self.observers = game, players, levels, tuple(observers)
        self._start, self._batch_size = begin(game, players, dict(options)), BatchSize()
        policies = [level.policy for level in levels] if any(level.policy for level in levels) else [chance_level(game).policy]
        chooses = tuple(dict.fromkeys(policy.choose for policy in policies if policy))
        self._policy_of = [chooses.index(level.policy.choose) if level.policy else ASKED for level in levels]
        self._play: Callable[[Job, int, int, int], int] = make_play(game, chooses, self.observers)
        self.engine = PLAIN
        if engine == COMPILED or (engine == AUTO and is_installed()):
            try:
                self._compile(chooses)
            except CannotCompile as reason:
                if engine == COMPILED:
                    raise
                warnings.warn(str(reason), stacklevel=2)

    def _compile(self, chooses: tuple[Any, ...]) -> None:
        from kortlek import compiled

        play, self.engine = compiled.build(make_play, self.game, chooses, self.observers), COMPILED
        self._start_record = compiled.records(self._start)
        try:
            play(self._job([], 0, 0, 0, 0), 0, 0, NOTHING)
        except CannotCompile:
            self.engine = PLAIN
            raise
        self._play = play

    def play(
        self,
        seating: Sequence[int],
        seed: int,
        first: int,
        count: int,
        *,
        luck: int = 0,
        start: State | None = None,
        rounds: int = MOST_ROUNDS,
        budget: Budget | None = None,
        limit: int = MOST_CHOICES,
    ) -> Results:
        """Play ``count`` matches of a seed from number ``first`` on. ``seating`` has the index of the level in each seat. Matches begin with
        ``start``, if it is given, and stop after ``rounds`` rounds. ``budget`` limits the time or effort of bots that think. Raise Refused if a match
        does not end."""
        job = self._job([self._policy_of[level] for level in seating], seed, luck, first, count, start, rounds, limit)
        results = Results(job.scores, job.facts, job.notes, {})
        at, answer, asked = 0, NOTHING, 0
        while at < count:
            until = min(count, at + self._batch_size.matches)
            began = time.perf_counter()
            stopped = self._play(job, at, until, answer)
            if stopped == until:
                self._batch_size.took(until - at, time.perf_counter() - began)
                at, answer, asked = until, NOTHING, 0
                continue
            s, asked = self._state(job), asked if stopped == at else 0
            if s.phase < 0 or s.round >= MOST_ROUNDS or job.progress[EVENTS] >= limit:
                raise did_not_end(self.game, s, first + stopped, limit)
            question_seed = seeded(seat_seed(seed, first + stopped, s.turn), (luck + 1) * SEEDS_PER_LUCK + asked)
            answer = self._ask(s, seating[s.turn], question_seed, budget, results.thinking.setdefault(stopped, []))
            at, asked = stopped, asked + 1
        return results

    def position(self, seed: int, number: int, rounds: int, luck: int) -> State:
        """The state of a match with the first level in all seats, after ``rounds`` rounds or at the end of the match."""
        job = self._job([self._policy_of[0]] * self.players, seed, luck, number, 1, rounds=rounds)
        if self._play(job, 0, 1, NOTHING) == 0:
            raise did_not_end(self.game, self._state(job), number)
        return self._state(job)

    def warm_up(self) -> None:
        """Let every level that thinks make a choice, so that all its code is compiled."""
        job = self._job([ASKED] * self.players, 0, 0, 0, 1)
        self._play(job, 0, 1, NOTHING)
        s = self._state(job)
        for level in self.levels:
            if level.policy is None and s.phase >= 0:
                self._warm_up_level(level, view(self.game, s, s.turn))

    def _ask(self, s: State, level: int, seed: int, budget: Budget | None, thinking: list[tuple[int, float]]) -> int:
        """The choice of a bot from its view. A forced choice is neither asked for nor timed."""
        legal = self.game.legal(s)
        if size(legal) == 1:
            return lowest(legal)
        seen = view(self.game, s, s.turn)
        self._warm_up_level(self.levels[level], seen)
        bot = self.levels[level].make(seed, budget)
        started = time.process_time()
        choice = bot.choose(seen)
        thinking.append((level, time.process_time() - started))
        if not legal >> choice & 1:
            raise Refused(f"The bot {self.levels[level].name} chose something that is not allowed in {self.game.title}.")
        return choice

    def _warm_up_level(self, level: Level, seen: View[Any]) -> None:
        if level not in self._warmed_up and size(seen.legal) > 1:
            level.make(0, WARM_UP_BUDGET).choose(seen)
            self._warmed_up.add(level)

    # ---- buffers for the engines

    def _job(
        self,
        seats: Iterable[int],
        seed: int,
        luck: int,
        first: int,
        count: int,
        start: State | None = None,
        rounds: int = MOST_ROUNDS,
        limit: int = MOST_CHOICES,
    ) -> Job:
        numbers = [each.numbers for each in self.observers]
        observers, wide = max(2, len(numbers)), max([0, *numbers])  # the loop needs at least two rows
        room = max([1, *(each.numbers + each.room for each in self.observers)])
        if self.engine == PLAIN:
            make, starts, states = rows, [start or self._start], [None, None]
        else:
            from kortlek import compiled

            starts = compiled.records(start) if start else self._start_record
            make, states = compiled.int_array, compiled.empty_records(self.game.state, 2)
        job = Job(
            *(starts, states, make(LARGEST_PACK), make(PROGRESS)),
            *(make(1), make(SEATS), make(SEATS)),
            *(seed, luck, first, rounds, limit),
            *(make(count, SEATS), make(count, FACTS), make(count, len(numbers), wide)),
            *(make(len(numbers)), make(observers, room)),
        )
        for observer, each in enumerate(numbers):
            job.numbers[observer] = each
        for seat, policy in enumerate(seats):
            job.seats[seat] = policy
        return job

    def _state(self, job: Job) -> State:
        if self.engine == PLAIN:
            s: State = job.states[0]
            return s
        from kortlek import compiled

        return compiled.from_record(self.game.state, job.states[0])


def rows(*shape: int) -> Any:
    """Zeros with this shape: a list, or nested lists."""
    length, *inner = shape
    return [rows(*inner) for _ in range(length)] if inner else [0] * length


def as_lists(rows: Any) -> Any:
    """Rows of results as lists, for both engines."""
    return rows if isinstance(rows, list) else rows.tolist()


@cache
def simulator(
    game: Game[Any], players: int, options: Options, levels: tuple[Level, ...], observers: tuple[Observer, ...] = (), engine: str = AUTO
) -> Simulator:
    """A simulator, created once in each process."""
    return Simulator(game, players, options, levels, observers, engine)
