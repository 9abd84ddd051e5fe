"""Matches played by bots: the one core under ``simulate``, ``arena`` and ``lab``.

State k of a seed depends on the seed, on k and on who sits where: not on the engine, nor on how many matches are played in one go, nor on who plays
them. Policies choose within the engine, from the state as it is: that they do not look at what their player does not see is a matter of tests. Bots
that think get views."""

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
from kortlek.engine.loops import MOST_CHOICES, MOST_ROUNDS, CannotCompile, did_not_end
from kortlek.engine.plain import LARGEST_PACK, Refused, begin
from kortlek.engine.rng import seeded
from kortlek.engine.views import View, view
from kortlek.game import SEATS, Game, State
from kortlek.simulation.loop import ASKED, EVENTS, FACTS, PROGRESS, Job, Observer, make_play, seat_seed

PLAIN, COMPILED, AUTO = "plain", "compiled", "auto"
"""The engines; the last stands for the compiled one where it is installed and can play the game."""
AT_ONCE = 0.01
"""About so many seconds of matches are played in one go: in between Ctrl-C is heard, and progress shown."""
QUESTIONS_APART = 1 << 20
"""The seeds of bots that think are numbered by how often somebody was asked in a match; each luck has so many numbers."""
BRIEFLY = Budget(1, "simulations")
"""How long a bot thinks when it only has to be compiled."""
Options = tuple[tuple[str, str], ...]


def is_installed() -> bool:
    """Whether the compiled engine can be used: the extra ``fast``."""
    return all(importlib.util.find_spec(name) for name in ("numba", "numpy"))


def chance_level(game: Game[Any]) -> Level:
    """The level that chooses at random."""
    return levels_of(game)[RANDOM]


@dataclass
class Results:
    """What came out of some matches, a row for each (see ``Job``). ``thinking`` has, by row, the level and the CPU seconds of every choice that a bot
    has thought about."""

    scores: Any
    facts: Any
    notes: Any
    thinking: dict[int, list[tuple[int, float]]]


class GoSize:
    """How many matches are played in one go, found by how long the last ones took."""

    def __init__(self) -> None:
        self.matches = 1

    def took(self, matches: int, seconds: float) -> None:
        """Learn from some matches. At most 16 times as many are played next, as the first ones may be unlike the others."""
        fitting = int(matches * AT_ONCE / max(seconds, 1e-9))
        self.matches = max(1, min(fitting, 16 * matches))


class Simulator:
    """Plays matches of a game by bots of some levels, watched by observers. Calls may overlap in threads: each has buffers of its own."""

    _awake: ClassVar[set[Level]] = set()
    """Levels that have thought in this process, so that whatever had to be compiled is."""

    def __init__(
        self, game: Game[Any], players: int, options: Options, levels: Sequence[Level], observers: Sequence[Observer] = (), engine: str = AUTO
    ) -> None:
        self.game, self.players, self.levels, self.observers = game, players, levels, tuple(observers)
        self._start, self._go = begin(game, players, dict(options)), GoSize()
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
        """So many matches of a seed from a number on. ``seating`` says which of the levels plays in each seat. Matches begin with ``start``, if it is
        given, and are left when so many ``rounds`` are over. A ``budget`` is how long bots think that think. Refused if a match does not end."""
        job = self._job([self._policy_of[level] for level in seating], seed, luck, first, count, start, rounds, limit)
        results = Results(job.scores, job.facts, job.notes, {})
        at, answer, asked = 0, NOTHING, 0
        while at < count:
            until = min(count, at + self._go.matches)
            began = time.perf_counter()
            stopped = self._play(job, at, until, answer)
            if stopped == until:
                self._go.took(until - at, time.perf_counter() - began)
                at, answer, asked = until, NOTHING, 0
                continue
            s, asked = self._state(job), asked if stopped == at else 0
            if s.phase < 0 or s.round >= MOST_ROUNDS or job.progress[EVENTS] >= limit:
                raise did_not_end(self.game, s, first + stopped, limit)
            question_seed = seeded(seat_seed(seed, first + stopped, s.turn), (luck + 1) * QUESTIONS_APART + asked)
            answer = self._ask(s, seating[s.turn], question_seed, budget, results.thinking.setdefault(stopped, []))
            at, asked = stopped, asked + 1
        return results

    def position(self, seed: int, number: int, rounds: int, luck: int) -> State:
        """A match of the first level in all seats when so many rounds are over, or the match is."""
        job = self._job([self._policy_of[0]] * self.players, seed, luck, number, 1, rounds=rounds)
        if self._play(job, 0, 1, NOTHING) == 0:
            raise did_not_end(self.game, self._state(job), number)
        return self._state(job)

    def warm_up(self) -> None:
        """Let every level that thinks make a choice, so that whatever has to be compiled is."""
        job = self._job([ASKED] * self.players, 0, 0, 0, 1)
        self._play(job, 0, 1, NOTHING)
        s = self._state(job)
        for level in self.levels:
            if level.policy is None and s.phase >= 0:
                self._wake(level, view(self.game, s, s.turn))

    def _ask(self, s: State, level: int, seed: int, budget: Budget | None, thinking: list[tuple[int, float]]) -> int:
        """What a bot chooses by what it sees. What is forced is not asked, nor timed."""
        legal = self.game.legal(s)
        if size(legal) == 1:
            return lowest(legal)
        seen = view(self.game, s, s.turn)
        self._wake(self.levels[level], seen)
        bot = self.levels[level].make(seed, budget)
        started = time.process_time()
        choice = bot.choose(seen)
        thinking.append((level, time.process_time() - started))
        if not legal >> choice & 1:
            raise Refused(f"The bot {self.levels[level].name} chose something that is not allowed in {self.game.title}.")
        return choice

    def _wake(self, level: Level, seen: View[Any]) -> None:
        if level not in self._awake and size(seen.legal) > 1:
            level.make(0, BRIEFLY).choose(seen)
            self._awake.add(level)

    # ---- what the engines work on

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
        observers, wide = max(2, len(numbers)), max([0, *numbers])  # the loop takes at least two rows
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
    """So many zeros as a list, or as lists of lists."""
    length, *inner = shape
    return [rows(*inner) for _ in range(length)] if inner else [0] * length


def as_lists(rows: Any) -> Any:
    """Rows of results as lists, whichever engine they come from."""
    return rows if isinstance(rows, list) else rows.tolist()


@cache
def simulator(
    game: Game[Any], players: int, options: Options, levels: tuple[Level, ...], observers: tuple[Observer, ...] = (), engine: str = AUTO
) -> Simulator:
    """A simulator, made once in each process."""
    return Simulator(game, players, options, levels, observers, engine)
