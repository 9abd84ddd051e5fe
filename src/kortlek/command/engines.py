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

from kortlek.bots import RANDOM, level_called, own
from kortlek.bots.loops import FIRST, ROUNDS_APART, SECOND, make_matches, seat_seed
from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING
from kortlek.command.sitting import bot_seats
from kortlek.command.tally import WIN, Sums, Tally
from kortlek.play.information import view
from kortlek.play.plain import LARGEST_PACK, begin, blank, draw_chance, happen, write
from kortlek.play.record import save, write_down
from kortlek.play.seeded import seeded, shuffle
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, SEATS, Game

PLAIN, COMPILED = "plain", "compiled"


@dataclass(frozen=True)
class Task:
    """What is to be simulated."""

    game: str
    options: dict[str, str]
    bots: list[str]
    seed: int
    with_records: bool

    @property
    def policies(self) -> list[Policy[Any]]:
        """The policies that the bots follow, each once; none if some of them think."""
        levels = [level_called(GAMES[self.game], name) for name in dict.fromkeys(self.bots)]
        return [level.policy for level in levels if level.policy] if all(level.policy for level in levels) else []

    @property
    def is_quick(self) -> bool:
        """Whether nobody thinks, so that many games pass in a moment."""
        return bool(self.policies)

    @property
    def can_compile(self) -> bool:
        """Whether the compiled engine can play it: with one or two policies."""
        return 1 <= len(self.policies) <= 2


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
    """One game, as ``kortlek.bots.loops.make_matches`` plays it. Policies choose within the engine, from the state as it is: that they do
    not look at what their player does not see is a matter of tests. Bots that think get views."""
    levels = [level_called(game, name) for name in task.bots]
    seeds = [seat_seed(task.seed, number, seat) for seat in range(len(levels))]
    rngs = [[seeded(seed, 0)] for seed in seeds]
    bots = [level.make(seed, None) for level, seed in zip(levels, seeds, strict=True)]
    dealing, dealt = [0], NOTHING
    s = begin(game, len(task.bots), task.options)
    events: list[str] = []
    choices = 0
    while s.phase != OVER:
        if s.phase < 0:
            if dealt != s.round:
                dealing[0], dealt = seeded(task.seed, number * ROUNDS_APART + s.round), s.round
            event: Any = draw_chance(game, s, lambda pack, n: shuffle(pack, n, dealing))
        else:
            policy = levels[s.turn].policy
            event = policy.choose(s, rngs[s.turn]) if policy else bots[s.turn].choose(view(game, s, s.turn))
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
    """The compiled engine for a task whose bots follow policies; ``compiled.CannotCompile`` if the game is not for it."""
    from kortlek.play import compiled

    game = GAMES[task.game]
    first, second = task.policies[0], task.policies[-1]
    run = compiled.build(make_matches, game, first.choose, second.choose)
    start = compiled.records(blank(game, len(task.bots), task.options))
    deciders = compiled.int_array(SEATS)
    for seat, bot in enumerate(task.bots):
        deciders[seat] = FIRST if bot == first.name else SECOND

    def play(number: int, count: int) -> Batch:
        scores, facts = (compiled.int_array(count * wide).reshape(count, wide) for wide in (SEATS, 3))
        room = compiled.records(game.state()), compiled.int_array(LARGEST_PACK), compiled.generator(), compiled.generators(SEATS)
        run(start, *room, task.seed, number, deciders, ROUNDS_APART, scores, facts)
        lines = play_plain(task, number, count).lines if task.with_records else []
        return Batch(count_up(task, scores, facts), lines)

    play(0, 0)
    return play


def count_up(task: Task, scores: Any, facts: Any) -> Tally:
    """The same as counting game by game, in whole columns."""
    tally = Tally(task.bots, games=len(scores), rounds=int(facts[:, 1].sum()), choices=int(facts[:, 2].sum()))
    winners = facts[:, 0]
    won = [winners >> seat & 1 for seat in range(len(task.bots))]
    sharing = sum(won)
    tally.draws, tally.shared = int((sharing == 0).sum()), int((sharing > 1).sum())
    wins = [won[seat] * WIN // (sharing + (sharing == 0)) for seat in range(len(task.bots))]
    for seat, sums in enumerate(tally.by_seat):
        sums.add(totals(scores[:, seat], wins[seat]))
    for bot, sums in tally.by_bot.items():
        seats = [seat for seat, sitting in enumerate(task.bots) if sitting == bot]
        sums.add(totals(scores[:, seats].sum(axis=1), sum(wins[seat] for seat in seats)))
    return tally


def totals(column: Any, wins: Any) -> Sums:
    """The sums of a column of scores and of wins."""
    return Sums(int(column.sum()), int((column * column).sum()), int(wins.sum()))


# ---- workers


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Hold Ctrl-C back for a moment, also where a thread of some library hears it in our place, which would interrupt us all the same.
    Processes that are started meanwhile never hear it: it is for the one that gives the work out."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    blocked = hasattr(signal, "pthread_sigmask")
    if blocked:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if blocked:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


def batch_size(task: Task, compiled: Play | None) -> int:
    """How many games are played in one go: as many as take a moment, so that progress shows and Ctrl-C is heard."""
    if not task.is_quick:
        return 1
    if compiled is None:
        return 30 if set(task.bots) == {RANDOM} else 1
    return 1000 if set(task.bots) == {RANDOM} else 50


def batches(task: Task, games: int, workers: int, compiled: Play | None) -> Generator[Batch, None, None]:
    """All games, batch by batch and in order. Only a few batches are under way at a time, so memory does not grow with the games."""
    size = batch_size(task, compiled)
    parts = ((first, min(size, games - first)) for first in range(0, games, size))
    if workers == 1:
        yield from (compiled(*part) if compiled else play_plain(task, *part) for part in parts)
        return
    pool: Executor = ThreadPoolExecutor(workers) if compiled else ProcessPoolExecutor(workers, get_context("spawn"), own.take_all, (own.sources(),))
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
