"""The work of ``kortlek simulate``: the scores and wins of many matches, counted batch by batch."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache

from kortlek.bots.levels import level_called, think
from kortlek.engine.payoffs import widest_teams
from kortlek.game.registry import GAMES
from kortlek.simulation.executors import Local, map_in_order
from kortlek.simulation.loop import Observer
from kortlek.simulation.records import Recorder
from kortlek.simulation.runner import COMPILED, PLAIN, BatchSize, Options, Simulator, simulator
from kortlek.simulation.tally import Tally


@dataclass(frozen=True)
class Task:
    """A simulation task. Records are written by the plain engine."""

    game: str
    options: Options
    bots: tuple[str, ...]
    seed: int
    with_records: bool = False
    engine: str = PLAIN

    @property
    def is_quick(self) -> bool:
        """Whether no bot thinks, so that the compiled engine is worthwhile."""
        return not think(GAMES[self.game], self.bots)


def simulator_of(task: Task, *observers: Observer) -> Simulator:
    """The simulator for a task; raise ``CannotCompile`` if the task wants the compiled engine and that cannot play the game. Its levels are the
    different bots."""
    game = GAMES[task.game]
    levels = tuple(level_called(game, name) for name in dict.fromkeys(task.bots))
    return simulator(game, len(task.bots), task.options, levels, observers, task.engine)


@dataclass
class Batch:
    """The results of a batch of matches: the tally, the duration in seconds, and the records if they were requested."""

    tally: Tally
    seconds: float
    records: list[str] = field(default_factory=list)


@cache
def recording(task: Task) -> tuple[Simulator, Recorder]:
    """The simulator and the recorder for a task with records, created once in each process."""
    recorder = Recorder(GAMES[task.game], task.bots, task.seed)
    return simulator_of(task, recorder.observer), recorder


def new_tally(task: Task) -> Tally:
    """An empty tally for a task."""
    return Tally(task.bots, widest_teams(GAMES[task.game], len(task.bots)))


def play_batch(task: Task, first: int, count: int) -> Batch:
    """Play ``count`` matches of a task from number ``first`` on."""
    began, tally, records = time.perf_counter(), new_tally(task), list[str]()
    if task.with_records:
        plays, recorder = recording(task)
        recorder.number, recorder.records = first, records
    else:
        plays = simulator_of(task)
    names = list(dict.fromkeys(task.bots))
    results = plays.play([names.index(bot) for bot in task.bots], task.seed, first, count)
    tally.add_matches(results.scores, results.facts)
    return Batch(tally, time.perf_counter() - began, records)


def batches(task: Task, games: int, workers: int) -> Generator[Batch, None, None]:
    """Play all matches of a task, batch by batch and in order. Memory use does not grow with the number of matches."""
    size = BatchSize()

    def parts() -> Iterator[tuple[Task, int, int]]:
        at = 0
        while at < games:
            many = min(size.matches, games - at)
            yield task, at, many
            at += many

    with closing(map_in_order(play_batch, parts(), Local(workers, threads=task.engine == COMPILED))) as done:
        for batch in done:
            size.took(batch.tally.games, batch.seconds)
            yield batch
