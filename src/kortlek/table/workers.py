"""The worker processes in which the bots of a server compute their choices, so that the event loop is not blocked.

A worker that dies or hangs is replaced; the answer depends on the question alone, so any worker can give it. If no worker answers, the choice is made
by the policy without search: a move is always made.
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
from kortlek.table.turns import SHARE, Closed, Share, Turns

__all__ = ["Gone", "Question", "Reason", "Share", "Unready", "Workers"]

A = TypeVar("A")
SPAWN = multiprocessing.get_context("spawn")
PREPARING, READY, ANSWER, FAILED, LOST, BUSY = "is preparing", "is ready", "answers", "failed", "is lost", "is still preparing"
LONGEST_PREPARATION = 300.0
"""The timeout for starting a worker or compiling a game, in seconds: some games take a minute, and a replacement would start over."""
ANSWER_ONLY_SECONDS = 3.0
"""For how many seconds a new worker only answers questions: just after a restart, those are more urgent than preparing games."""
PREPARING_TIMEOUT = 2.0
"""The timeout for an answer of a worker that is preparing a game, in seconds; then the policy without search chooses."""


class Unready(Exception):
    """No worker is ready to answer: ask again later."""


class Gone(Exception):
    """The pool of workers is closed."""


# ---- in a worker


def work(pipe: Connection, games: Sequence[str], taken: tuple[own_games.Source, ...] = ()) -> None:
    """The main loop of a worker: answer the questions from the pipe until it is closed, and prepare games while there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=exit_with_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)
    own_games.take_all(taken)
    waiting, prepared, busy_until = list(games), set[str](), time.monotonic() + ANSWER_ONLY_SECONDS
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
                where = traceback.extract_tb(error.__traceback__)[-1]  # the message is left out, as it could name cards
                said = FAILED, f"{type(error).__name__} in {os.path.basename(where.filename)}, line {where.lineno}"
            pipe.send(said)


def exit_with_server() -> None:
    """Exit when the server process dies, so that workers of killed servers do not go on compiling."""
    server = multiprocessing.parent_process()
    if server:
        server.join()
        os._exit(1)


def prepare(name: str, prepared: set[str], pipe: Connection) -> None:
    """Load or compile the code that a game's searching levels need, by letting each make a choice."""
    if name in prepared:
        return
    prepared.add(name)
    pipe.send((PREPARING, None))
    with suppress(Exception):  # an error is reported when a question is asked
        for level in (CLUB, EXPERT):
            Question.first(name, level).choice()


# ---- in the server


class Worker:
    """A worker process, restarted whenever it is lost. Used by one thread at a time, which blocks until the answer."""

    def __init__(self, patience: float, soon: float, games: Sequence[str], closing: Connection) -> None:
        self.patience, self.soon, self.games, self.closing = patience, soon, games, closing
        self.process: BaseProcess | None = None
        self.is_preparing, self.owes, self.replaced = False, False, 0

    def start(self) -> None:
        """Start the process, without waiting until it is ready."""
        if self.process is None:
            self.pipe, theirs = SPAWN.Pipe()
            with theirs:  # closed in this process, so that the pipe ends with the worker
                process = SPAWN.Process(target=work, args=(theirs, self.games, own_games.sources()), daemon=True)
                process.start()
            self.process, self.is_preparing, self.owes, self.since = process, True, False, time.monotonic()

    @property
    def is_dead(self) -> bool:
        """Whether the process was started and has ended."""
        process = self.process
        return process is not None and bool(wait([process.sentinel], 0))

    def replace_dead(self) -> None:
        """Start the process again if it has died. Otherwise the next question would."""
        if self.is_dead:
            self.replaced += 1
            self.end()
            self.start()

    def ask(self, how: Callable[[Question], Any], question: Question) -> tuple[str, Any]:
        """Return ANSWER and the answer; FAILED and the reason; BUSY if the worker is preparing; or LOST and the reason, after ending the process."""
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
        except Exception as error:  # the process is dead, or could not be started
            lost = type(error).__name__
        self.replaced += 1
        self.end()
        return LOST, lost

    def _hears(self, patience: float) -> bool:
        """Whether the worker sends a message within this many seconds; Gone if the pool is being closed."""
        ready = wait([self.pipe, self.closing], patience)
        if self.closing in ready:
            raise Gone("The bots have left.")
        return bool(ready)

    def _hear(self) -> tuple[str, Any]:
        """Receive the worker's next message."""
        said, what = self.pipe.recv()
        self.is_preparing, self.since = said == PREPARING, time.monotonic()
        self.owes = self.owes and said not in (ANSWER, FAILED)
        return said, what

    def end(self) -> None:
        """Kill the process, which holds no state, and wait for its end."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


class Workers:
    """A pool of workers. Each question is asked on account of a ``Share``: people go first, and tables share the workers' time fairly (``turns``).
    A worker that takes longer than ``patience`` seconds is replaced; ``soon`` is the timeout for a worker that is preparing. While idle, workers
    prepare ``games`` in this order (None: all games)."""

    def __init__(self, count: int = 1, patience: float = 20.0, games: Sequence[str] | None = None, soon: float = PREPARING_TIMEOUT) -> None:
        self._closing, self._open = SPAWN.Pipe(duplex=False)
        self._workers = [Worker(patience, soon, tuple(GAMES) if games is None else games, self._closing) for _ in range(count)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._turns = Turns(count)
        # As many threads as workers: a question waits for its turn, and each thread finds an idle worker.
        self._threads = ThreadPoolExecutor(count, "bots", block_sigint)

    def start(self) -> None:
        """Start the processes in the background. Any that fail to start are started by the first questions."""
        for _ in self._workers:
            self._threads.submit(self._with_worker, Worker.start)

    async def choose(self, question: Question, share: Share = SHARE) -> int:
        """The choice of the level; always legal. Gone if the pool is closed."""
        return await self._ask(question, Question.choice, Question.usual_choice, share)

    async def why(self, question: Question, share: Share = SHARE) -> list[Reason]:
        """The choice of the level, followed by the alternatives, the best first. Gone if the pool is closed."""
        return await self._ask(question, Question.reasons, Question.usual_reasons, share)

    async def choose_the_same(self, question: Question, share: Share = SHARE) -> int:
        """The reproducible choice of the level: Unready if no worker can answer now. A level without search always answers, and the same in any
        process."""
        return await self._ask(question, Question.choice, Question.usual_choice, share, is_asked_again=question.policy() is None)

    async def why_the_same(self, question: Question, share: Share = SHARE) -> list[Reason]:
        """The reproducible reasons: Unready if no worker can answer now."""
        return await self._ask(question, Question.reasons, Question.usual_reasons, share, is_asked_again=True)

    def replace_lost(self) -> None:
        """Start the processes that have died again, in the background."""
        for _ in self._workers:
            self._threads.submit(self._with_worker, Worker.replace_dead)

    @property
    def count(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def lost(self) -> int:
        """How many workers have died and were not replaced yet."""
        return sum(worker.is_dead for worker in self._workers)

    @property
    def replaced(self) -> int:
        """How many workers had to be replaced."""
        return sum(worker.replaced for worker in self._workers)

    async def close(self) -> None:
        """End all processes. Pending questions raise Gone."""
        self._turns.close()
        self._open.close()  # wakes all waiting threads
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self._workers:
            await asyncio.to_thread(worker.end)

    async def _ask(
        self, question: Question, how: Callable[[Question], A], otherwise: Callable[[Question], A], share: Share, is_asked_again: bool = False
    ) -> A:
        """The answer of a worker. Without one, the answer of ``otherwise``; or Unready, if ``is_asked_again``."""

        def answered(worker: Worker) -> A:
            for _ in range(2):
                said, what = worker.ask(how, question)
                if said == ANSWER:
                    return what  # type: ignore[no-any-return]
                if said == BUSY:
                    break
                note("bot", level=question.level, game=question.game, what=said, why=what)
                if said == FAILED:  # another worker would fail too
                    break
            if is_asked_again and said != FAILED:
                raise Unready("The bots are not ready yet.")
            return otherwise(question)

        try:
            turn = await self._turns.acquire(share)
        except Closed:
            raise Gone("The bots have left.") from None
        loop, answer = asyncio.get_running_loop(), self._threads.submit(self._with_worker, answered)

        def release(_: object) -> None:
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(self._turns.release, turn)

        answer.add_done_callback(release)  # not before, even if nobody waits for the answer any more
        return await asyncio.wrap_future(answer)

    def _with_worker(self, job: Callable[[Worker], A]) -> A:
        worker = self._idle.get()
        try:
            return job(worker)
        finally:
            self._idle.put(worker)


def block_sigint() -> None:
    """Block SIGINT in this thread, so that its child processes never get Ctrl-C, even while they start: the server ends the workers."""
    if hasattr(signal, "pthread_sigmask"):
        with suppress(OSError):
            resource_tracker.ensure_running()  # otherwise it would be started later, and unblock SIGINT
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
