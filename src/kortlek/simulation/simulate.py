"""What ``kortlek simulate`` asks: the scores and wins of many matches, counted batch by batch."""

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
from kortlek.simulation.runner import COMPILED, PLAIN, GoSize, Options, Simulator, simulator
from kortlek.simulation.tally import Tally


@dataclass(frozen=True)
class Task:
    """What is to be simulated. Records are written by the plain engine."""

    game: str
    options: Options
    bots: tuple[str, ...]
    seed: int
    with_records: bool = False
    engine: str = PLAIN

    @property
    def is_quick(self) -> bool:
        """Whether nobody thinks, so that the compiled engine is worth it."""
        return not think(GAMES[self.game], self.bots)


def simulator_of(task: Task, *observers: Observer) -> Simulator:
    """What plays a task; ``CannotCompile`` if that is the compiled engine and it cannot play the game. Its levels are the bots, each once."""
    game = GAMES[task.game]
    levels = tuple(level_called(game, name) for name in dict.fromkeys(task.bots))
    return simulator(game, len(task.bots), task.options, levels, observers, task.engine)


@dataclass
class Batch:
    """Some matches: what came out, how many seconds they took, and their records if they were wanted."""

    tally: Tally
    seconds: float
    records: list[str] = field(default_factory=list)


@cache
def recording(task: Task) -> tuple[Simulator, Recorder]:
    """What plays a task and writes records, made once in each process."""
    recorder = Recorder(GAMES[task.game], task.bots, task.seed)
    return simulator_of(task, recorder.observer), recorder


def new_tally(task: Task) -> Tally:
    """Nothing counted yet."""
    return Tally(task.bots, widest_teams(GAMES[task.game], len(task.bots)))


def play_batch(task: Task, first: int, count: int) -> Batch:
    """So many matches of a task from a number on."""
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
    """All matches of a task, batch by batch and in order. Memory does not grow with the matches."""
    go = GoSize()

    def parts() -> Iterator[tuple[Task, int, int]]:
        at = 0
        while at < games:
            many = min(go.matches, games - at)
            yield task, at, many
            at += many

    with closing(map_in_order(play_batch, parts(), Local(workers, threads=task.engine == COMPILED))) as done:
        for batch in done:
            go.took(batch.tally.games, batch.seconds)
            yield batch
