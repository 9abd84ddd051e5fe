"""The bots of a server think in processes of their own, so that the server answers meanwhile.

A worker that dies or hangs is replaced: the answer depends on the question alone, so it does not matter who gives it. If nobody does, it
is answered without thinking. A move is always made.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, TypeVar

from kortlek.bots import CLUB, EXPERT, own_games
from kortlek.game.registry import GAMES
from kortlek.table.journal import note
from kortlek.table.question import Question, Reason

__all__ = ["Gone", "Question", "Reason", "Unready", "Workers"]

A = TypeVar("A")
SPAWN = multiprocessing.get_context("spawn")
PREPARING, READY, ANSWER, FAILED, LOST, BUSY = "is preparing", "is ready", "answers", "failed", "is lost", "is still preparing"
LONGEST_PREPARATION = 300.0
"""How many seconds a worker may take to start or to compile a game: some need a minute, and if it were replaced, the next would begin anew."""
FIRST = 3.0
"""For how many seconds a new worker only answers: a server that has just come back has more to do than to prepare games that nobody plays yet."""
SOON = 2.0
"""How many seconds anybody waits for a worker that is preparing; then rules of thumb choose in its place."""


class Unready(Exception):
    """Nobody can think about it just now: ask again in a moment."""


class Gone(Exception):
    """The workers have been closed: nobody answers any more."""


# ---- in a worker


def work(pipe: Connection, games: Sequence[str], taken: tuple[own_games.Source, ...] = ()) -> None:
    """Answer what comes through the pipe until nobody is at its other end; prepare games while nothing comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)
    own_games.take_all(taken)
    waiting, prepared, busy_until = list(games), set[str](), time.monotonic() + FIRST
    with suppress(EOFError, OSError):
        while True:
            if waiting and not pipe.poll(max(0.0, busy_until - time.monotonic())):
                prepare(waiting.pop(0), prepared, pipe)
                pipe.send((READY, None))
                continue
            how, question = pipe.recv()
            try:
                if how is Question.reasons or question.policy() is None:
                    prepare(question.game, prepared, pipe)
                said = ANSWER, how(question)
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]  # without its message, which could name cards
                said = FAILED, f"{type(error).__name__} in {os.path.basename(where.filename)}, line {where.lineno}"
            pipe.send(said)


def end_with_the_server() -> None:
    """A server that was killed has no use for what is being compiled: those of many would pile up."""
    server = multiprocessing.parent_process()
    if server:
        server.join()
        os._exit(1)


def prepare(name: str, prepared: set[str], pipe: Connection) -> None:
    """Load or compile what those need who think about a game, by letting them think."""
    if name in prepared:
        return
    prepared.add(name)
    pipe.send((PREPARING, None))
    with suppress(Exception):  # if something is wrong, whoever asks is told
        for level in (CLUB, EXPERT):
            Question.first(name, level).choice()


# ---- in the server


class Worker:
    """A process that answers, and another one whenever it is lost. Used by one thread at a time, which waits for the answer."""

    def __init__(self, patience: float, soon: float, games: Sequence[str], closing: Connection) -> None:
        self.patience, self.soon, self.games, self.closing = patience, soon, games, closing
        self.process: BaseProcess | None = None
        self.is_preparing, self.owes, self.replaced = False, False, 0

    def start(self) -> None:
        """Start the process, without waiting until it is there."""
        if self.process is None:
            self.pipe, theirs = SPAWN.Pipe()
            with theirs:  # closed here: the pipe ends when the process does
                process = SPAWN.Process(target=work, args=(theirs, self.games, own_games.sources()), daemon=True)
                process.start()
            self.process, self.is_preparing, self.owes, self.since = process, True, False, time.monotonic()

    def ask(self, how: Callable[[Question], Any], question: Question) -> tuple[str, Any]:
        """ANSWER and the answer; FAILED and why; BUSY, if it is preparing; or LOST and why: then the process has been ended."""
        try:
            self.start()
            while self.owes and self._hears(0):
                self._hear()
            if not self.owes:
                self.pipe.send((how, question))
                self.owes = True
                while self._hears(self.soon if self.is_preparing else self.patience):
                    said, what = self._hear()
                    if said == ANSWER and how is Question.choice and not question.allows(what):
                        return FAILED, "the choice is not legal"
                    if said in (ANSWER, FAILED):
                        return said, what
            if self.is_preparing and time.monotonic() - self.since < LONGEST_PREPARATION:
                return BUSY, None
            lost = "no answer"
        except Gone:
            raise
        except Exception as error:  # dead, or never started, for whatever reason
            lost = type(error).__name__
        self.replaced += 1
        self.end()
        return LOST, lost

    def _hears(self, patience: float) -> bool:
        """Whether it says something, within this many seconds."""
        ready = wait([self.pipe, self.closing], patience)
        if self.closing in ready:
            raise Gone("The bots have left.")
        return bool(ready)

    def _hear(self) -> tuple[str, Any]:
        """What it says."""
        said, what = self.pipe.recv()
        self.is_preparing, self.since = said == PREPARING, time.monotonic()
        self.owes = self.owes and said not in (ANSWER, FAILED)
        return said, what

    def end(self) -> None:
        """End the process, which has nothing to lose, and wait until it is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


class Workers:
    """A pool of workers. Questions are begun in the order in which they were asked. A worker that takes longer than ``patience`` seconds is
    replaced; one that is preparing is not waited for longer than ``soon``. Before anybody asks, ``games`` are
    prepared, in this order: all, if none are named."""

    def __init__(self, count: int = 1, patience: float = 20.0, games: Sequence[str] | None = None, soon: float = SOON) -> None:
        self._closing, self._open = SPAWN.Pipe(duplex=False)
        self._workers = [Worker(patience, soon, tuple(GAMES) if games is None else games, self._closing) for _ in range(count)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        # As many threads as workers: a question waits for a thread, and whoever has one finds a worker idle.
        self._threads = ThreadPoolExecutor(count, "bots", keep_ctrl_c_away)

    def start(self) -> None:
        """Start the processes in the background. Those that are not are started by the first questions."""
        for _ in self._workers:
            self._threads.submit(self._with_worker, Worker.start)

    async def choose(self, question: Question) -> int:
        """What the level chooses: always something legal. Gone if the workers are closed."""
        return await self._ask(question, Question.choice, Question.usual_choice)

    async def why(self, question: Question) -> list[Reason]:
        """What the level would choose, and after it the alternatives, the best first. Gone if the workers are closed."""
        return await self._ask(question, Question.reasons, Question.usual_reasons)

    async def choose_the_same(self, question: Question) -> int:
        """What the level chooses, today and tomorrow: Unready if nobody can think about it now. A choice by rules of thumb is the same whoever
        makes it."""
        return await self._ask(question, Question.choice, Question.usual_choice, is_asked_again=question.policy() is None)

    async def why_the_same(self, question: Question) -> list[Reason]:
        """The same for the reasons."""
        return await self._ask(question, Question.reasons, Question.usual_reasons, is_asked_again=True)

    @property
    def replaced(self) -> int:
        """How many workers had to be replaced."""
        return sum(worker.replaced for worker in self._workers)

    async def close(self) -> None:
        """End all processes. Whoever still waits for an answer is told that they are Gone."""
        self._open.close()  # which ends all waiting
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self._workers:
            await asyncio.to_thread(worker.end)

    async def _ask(self, question: Question, how: Callable[[Question], A], otherwise: Callable[[Question], A], is_asked_again: bool = False) -> A:
        """The answer of a worker. If there is none, what somebody says who does not think; or Unready, if another time it would be another."""

        def answered(worker: Worker) -> A:
            for _ in range(2):
                said, what = worker.ask(how, question)
                if said == ANSWER:
                    return what  # type: ignore[no-any-return]
                if said == BUSY:
                    break
                note("bot", level=question.level, game=question.game, what=said, why=what)
                if said == FAILED:  # whoever else is asked would fail too
                    break
            if is_asked_again and said != FAILED:
                raise Unready("The bots are not ready yet.")
            return otherwise(question)

        if self._open.closed:
            raise Gone("The bots have left.")
        return await asyncio.wrap_future(self._threads.submit(self._with_worker, answered))

    def _with_worker(self, job: Callable[[Worker], A]) -> A:
        worker = self._idle.get()
        try:
            return job(worker)
        finally:
            self._idle.put(worker)


def keep_ctrl_c_away() -> None:
    """What this thread starts never hears Ctrl-C, not even while it starts: the server hears it, and ends the workers."""
    if hasattr(signal, "pthread_sigmask"):
        with suppress(OSError):
            resource_tracker.ensure_running()  # or it would be started, and undo this, later
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
