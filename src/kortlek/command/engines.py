"""The two engines of ``kortlek simulate``. Game k of a seed depends only on the seed and on k: not on the engine, nor on who plays it."""

from __future__ import annotations

import importlib.util
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from kortlek.bots import BOTS, RANDOM
from kortlek.command.sitting import bot_seats
from kortlek.command.tally import WIN, Sums, Tally
from kortlek.play import loops
from kortlek.play.information import view
from kortlek.play.plain import LARGEST_PACK, begin, blank, draw_chance, happen, write
from kortlek.play.record import save, write_down
from kortlek.play.seeded import pick, seeded, shuffle
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, SEATS, Game

PLAIN, COMPILED = "plain", "compiled"
BATCH = {PLAIN: 10, COMPILED: 1000}
"""How many games of chance bots are played in one go: as many as take a moment, so that progress shows and Ctrl-C is heard."""


@dataclass(frozen=True)
class Task:
    """What is to be simulated."""

    game: str
    options: dict[str, str]
    bots: list[str]
    seed: int
    with_records: bool

    @property
    def is_chance(self) -> bool:
        """Whether all bots choose at random. Then they share the generator of the deals, in both engines."""
        return set(self.bots) == {RANDOM}


@dataclass
class Batch:
    """Some games: what came out, and their records if they were wanted."""

    tally: Tally
    lines: list[str] = field(default_factory=list)


Play = Callable[[int, int], Batch]
"""Plays so many games from the n-th on."""


# ---- plain


def play_plain(task: Task, first: int, count: int) -> Batch:
    """Games on the plain engine."""
    game = GAMES[task.game]
    batch = Batch(Tally(task.bots))
    for number in range(first, first + count):
        play_game(task, game, number, batch)
    return batch


def play_game(task: Task, game: Game[Any], number: int, batch: Batch) -> None:
    """One game. With chance bots everything is drawn from one generator, in the same order as in ``loops.make_simulator``; other bots
    have seeds of their own."""
    rng = [seeded(task.seed, number)]
    bots = [] if task.is_chance else [BOTS[level](seeded(rng[0], seat)) for seat, level in enumerate(task.bots)]
    s = begin(game, len(task.bots), task.options)
    events: list[str] = []
    choices = 0
    while s.phase != OVER:
        if s.phase < 0:
            event: Any = draw_chance(game, s, lambda pack, n: shuffle(pack, n, rng))
        else:
            event = bots[s.turn].choose(view(game, s, s.turn)) if bots else pick(game.legal(s), rng)
            choices += 1
        if task.with_records:
            events.append(write(game, s, event))
        happen(game, s, event)
    batch.tally.add_game(s.score, game.winners(s), s.round, choices)
    if task.with_records:
        batch.lines.append(save(write_down(game, s, bot_seats(task.bots), f"{task.seed}/{number}", events)))


# ---- compiled


def is_installed() -> bool:
    """Whether the compiled engine can be used: the extra ``fast``."""
    return all(importlib.util.find_spec(name) for name in ("numba", "numpy"))


def build(task: Task) -> Play:
    """The compiled engine for a task whose bots choose at random; ``compiled.CannotCompile`` if the game is not for it."""
    from kortlek.play import compiled

    game = GAMES[task.game]
    run = compiled.build(loops.make_simulator, game)
    start = compiled.records(blank(game, len(task.bots), task.options))

    def play(first: int, count: int) -> Batch:
        scores, facts = (compiled.int_array(count * wide).reshape(count, wide) for wide in (SEATS, 3))
        run(start, compiled.records(game.state()), compiled.int_array(LARGEST_PACK), compiled.generator(), task.seed, first, scores, facts)
        lines = play_plain(task, first, count).lines if task.with_records else []
        return Batch(count_up(task, scores, facts), lines)

    play(0, 0)
    return play


def count_up(task: Task, scores: Any, facts: Any) -> Tally:
    """The same as counting game by game, in whole columns. There is only one kind of bot."""
    tally = Tally(task.bots, games=len(scores), rounds=int(facts[:, 1].sum()), choices=int(facts[:, 2].sum()))
    winners = facts[:, 0]
    won = [winners >> seat & 1 for seat in range(len(task.bots))]
    sharing = sum(won)
    tally.draws, tally.shared = int((sharing == 0).sum()), int((sharing > 1).sum())
    together = scores.sum(axis=1)
    total = Sums(int(together.sum()), int((together * together).sum()), WIN * (tally.games - tally.draws))
    for seat, sums in enumerate(tally.by_seat):
        column = scores[:, seat]
        wins = int((won[seat] * WIN // (sharing + (sharing == 0))).sum())
        sums.add(Sums(int(column.sum()), int((column * column).sum()), wins))
    tally.by_bot[task.bots[0]].add(total)
    return tally


# ---- workers


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Hold Ctrl-C back for a moment. Processes that are started meanwhile never hear it: it is for the one that gives the work out."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def batches(task: Task, games: int, workers: int, compiled: Play | None) -> Generator[Batch, None, None]:
    """All games, batch by batch and in order. Only a few batches are under way at a time, so memory does not grow with the games."""
    size = BATCH[COMPILED if compiled else PLAIN] if task.is_chance else 1
    parts = ((first, min(size, games - first)) for first in range(0, games, size))
    if workers == 1:
        yield from (compiled(*part) if compiled else play_plain(task, *part) for part in parts)
        return
    pool: Executor = ThreadPoolExecutor(workers) if compiled else ProcessPoolExecutor(workers, get_context("spawn"))
    waiting: deque[Future[Batch]] = deque()
    try:
        for part in parts:
            with interrupts_wait():
                waiting.append(pool.submit(compiled, *part) if compiled else pool.submit(play_plain, task, *part))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
