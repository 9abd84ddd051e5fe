"""Work done by threads, processes or a cluster of computers: results come back in order, and only a little is under way at a time.

The only module that knows how. Whoever works, and however often a worker dies, the results are the same: what it had is submitted again."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import count
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, Protocol, TypeVar

from kortlek.bots import own_games
from kortlek.engine.plain import Refused

A = TypeVar("A")
Work = Callable[..., A]
Arguments = tuple[Any, ...]
PATIENCE = 3.0
"""A lazy pool is started after so many seconds: to start two processes takes about as long."""
EACH = 3
"""So many parts are under way for each worker, so that none has to wait for the next one."""
RETRIES = 10
"""So often the same work is submitted again when the worker that had it died or was killed."""


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back for a moment, also where a thread of some library hears it in our place, which would interrupt us all the same.
    Processes that are started meanwhile never hear it: it is for the one that submits the work. Other threads than the main one never hear it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    can_block = hasattr(signal, "pthread_sigmask")
    if can_block:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if can_block:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


class Executor(Protocol):
    """Does work somewhere else."""

    def workers(self) -> int:
        """How many work, now."""

    def submit(self, work: Work[Any], arguments: Arguments) -> Any:
        """Let somebody do this: a future, at once."""

    def result(self, future: Any) -> Any:
        """The result, waited for; or the error that came up."""

    def shutdown(self, is_done: bool) -> None:
        """Nothing more is wanted. If not all is done, nobody waits for the rest."""


@dataclass(frozen=True)
class Local:
    """So many workers on this computer, in processes or in threads; one is this process itself. A lazy pool is started only if it takes long."""

    workers: int = 1
    threads: bool = False
    lazy: bool = False


ALONE = Local()
"""Only this process works."""


def map_in_order(work: Work[A], parts: Iterable[Arguments], where: Local | Cluster) -> Generator[A, None, None]:
    """``work(*part)`` for every part, in order. Whoever closes the generator early does not wait for what is under way."""
    parts = iter(parts)
    if isinstance(where, Local) and where.lazy:
        yield from (work(*part) for part in for_a_while(parts))
    if isinstance(where, Local) and where.workers == 1:
        yield from (work(*part) for part in parts)
        return
    executor: Executor = where if isinstance(where, Cluster) else Threads(where.workers) if where.threads else Processes(where.workers)
    waiting: deque[Any] = deque()
    is_done = False
    try:
        for part in parts:
            waiting.append(executor.submit(work, part))
            if len(waiting) > EACH * executor.workers():
                yield executor.result(waiting.popleft())
        while waiting:
            yield executor.result(waiting.popleft())
        is_done = True
    finally:
        executor.shutdown(is_done)


def for_a_while(parts: Iterator[Arguments]) -> Iterator[Arguments]:
    """What can be begun before patience ends."""
    end = time.monotonic() + PATIENCE
    for part in parts:
        yield part
        if time.monotonic() > end:
            return


# ---- threads


class Threads:
    """Threads of this process, for work that lets go of Python's lock. They cannot be ended: parts have to be short."""

    def __init__(self, workers: int) -> None:
        self._workers, self._pool = workers, ThreadPoolExecutor(workers)

    def workers(self) -> int:
        """As many as were asked for."""
        return self._workers

    def submit(self, work: Work[Any], arguments: Arguments) -> Future[Any]:
        """To the next that has nothing to do."""
        with deferred_interrupts():
            return self._pool.submit(work, *arguments)

    def result(self, future: Future[Any]) -> Any:
        """The result."""
        return future.result()

    def shutdown(self, is_done: bool) -> None:
        """What has not begun is left."""
        self._pool.shutdown(cancel_futures=True)


# ---- processes


def begin(sources: tuple[own_games.Source, ...]) -> None:
    """In a new process: know the games that are known where it was started, and end when that process does, however it ends."""
    own_games.take_all(sources)
    Thread(target=end_with, args=[parent_process()], daemon=True).start()


def end_with(starter: BaseProcess) -> None:
    """End when another process does."""
    starter.join()
    os._exit(1)


def started_since(before: set[BaseProcess]) -> set[BaseProcess]:
    """The processes that were started since."""
    return set(active_children()) - before


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Processes that know the games that are known here."""
    return ProcessPoolExecutor(workers, get_context("spawn"), begin, (own_games.sources(),))


class Submitted:
    """Work that was submitted to processes, and how often one has died before it was done."""

    def __init__(self, work: Work[Any], arguments: Arguments) -> None:
        self.work, self.arguments, self.deaths = work, arguments, 0
        self.future: Future[Any] = Future()
        self.future.set_exception(BrokenProcessPool())

    def is_lost(self) -> bool:
        """Whether it has to be submitted again, if a process has died."""
        return not self.future.done() or isinstance(self.future.exception(), BrokenProcessPool)


class Processes:
    """So many processes on this computer, until they are shut down. When one dies the others end, too: new ones get what they had."""

    def __init__(self, workers: int) -> None:
        self._workers, self._before = workers, set(active_children())
        self._submitted: deque[Submitted] = deque()
        self._pool = process_pool(workers)

    def workers(self) -> int:
        """As many as were asked for."""
        return self._workers

    def submit(self, work: Work[Any], arguments: Arguments) -> Submitted:
        """To the next that has nothing to do."""
        submitted = Submitted(work, arguments)
        self._submitted.append(submitted)
        self._submit([submitted])
        return submitted

    def _submit(self, several: Iterable[Submitted]) -> None:
        with deferred_interrupts(), suppress(BrokenProcessPool):  # it is seen when the result is asked for
            for each in several:
                each.future = self._pool.submit(each.work, *each.arguments)

    def result(self, submitted: Submitted) -> Any:
        """The result."""
        while True:
            try:
                done = submitted.future.result()
                self._submitted.remove(submitted)
                return done
            except BrokenProcessPool as error:
                submitted.deaths += 1
                if submitted.deaths > RETRIES:
                    raise Refused(f"Workers died {RETRIES} times in a row, or were killed: is there enough memory?") from error
                self._pool.shutdown(wait=False)
                self._pool = process_pool(self._workers)
                self._submit([each for each in self._submitted if each.is_lost()])

    def shutdown(self, is_done: bool) -> None:
        """Those that still work are ended."""
        if not is_done:
            for worker in started_since(self._before):
                worker.kill()
        self._pool.shutdown(cancel_futures=True)


# ---- a cluster

ANSWER, READY = 5, 60
"""So many seconds a computer may take to answer at all, and a cluster until it has let us in."""


@contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """The ray cluster of this address, for as long as this lasts. Refused if ray is not installed, or if there is none."""
    if not find_spec("ray"):
        raise Refused("--cluster needs ray: pip install 'kortlek[cluster]'.")
    host, _, port = address.rpartition(":")
    if address != "auto" and not (host and "/" not in host and port.isdecimal() and int(port) < 1 << 16):
        raise Refused(f"--cluster {address} is not possible: it is the address of a ray cluster, such as 192.168.1.10:6379, or auto.")
    if host:
        try:
            socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()
        except OSError as error:
            raise Refused(f"There is no ray cluster at {address}: nobody answers.") from error
    with closing(Cluster(address)) as cluster:
        cluster.join()
        yield cluster


class Cluster:
    """Computers that ray has put together. One that dies loses nothing: its work is done again elsewhere; one that joins gets work, too.

    Ray is spoken to by a process of its own, because it may hang for minutes, says much, and ends whoever speaks to it when this computer's part of
    the cluster dies."""

    def __init__(self, address: str) -> None:
        self.address, self._before = address, set(active_children())
        self._speaker = process_pool(1)
        self._futures, self._workers = count(), 0

    def join(self) -> None:
        """Be let in; Refused if that does not happen."""
        try:
            self._workers = self._say(join, self.address, seconds=READY)
        except TimeoutError as error:
            more = "is it a ray cluster, and if it asks for a token, is it set here as ray wants it?"
            raise Refused(f"--cluster {self.address} has not let us in within {READY} seconds: {more}") from error

    def _say(self, what: Work[A], *more: Any, seconds: float | None = None) -> A:
        try:
            with deferred_interrupts():
                answer = self._speaker.submit(what, *more)
            return answer.result(seconds)
        except BrokenProcessPool as error:
            raise Refused(f"The cluster at {self.address} is gone: with --keep FILE a study goes on where it stopped.") from error

    def workers(self) -> int:
        """As many as there are processors, now."""
        return self._workers

    def submit(self, work: Work[Any], arguments: Arguments) -> int:
        """To whoever ray finds."""
        future = next(self._futures)
        self._workers = self._say(submit, future, work, arguments)
        return future

    def result(self, future: int) -> Any:
        """The result."""
        return self._say(result, future)

    def shutdown(self, is_done: bool) -> None:
        """What is still under way ends when the cluster is left."""

    def close(self) -> None:
        """Leave it. Ray ends all that was submitted."""
        for speaker in started_since(self._before):
            speaker.kill()
        self._speaker.shutdown(cancel_futures=True)


# in the process that speaks to ray

_futures: dict[int, Any] = {}
"""Ray's references to results, by number."""


def join(address: str) -> int:
    """Connect with ray, and let nobody hear what it says: how many processors there are."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    import ray

    try:
        ray.init(address=address, log_to_driver=False)
    except Exception as error:
        why, _, _ = " ".join(str(error).split()).partition(". ")
        raise Refused(f"--cluster {address} is not possible: {why.rstrip('.')}.") from error
    if not (there := processors()):
        raise Refused(f"The ray cluster at {address} has no processors.")
    return there


def processors() -> int:
    """How many the cluster has, now."""
    import ray

    return int(ray.cluster_resources().get("CPU", 0))


def submit(future: int, work: Work[Any], arguments: Arguments) -> int:
    """Submit work to ray: how many processors there are."""
    _futures[future] = task().remote(program(), own_games.sources(), work, arguments)
    return processors()


@cache
def task() -> Any:
    """``work_there``, for ray; made once, as it remembers each."""
    import ray

    return ray.remote(max_retries=RETRIES)(work_there)


def result(future: int) -> Any:
    """The result from ray, waited for."""
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        return ray.get(_futures.pop(future))
    except RayTaskError as error:
        if not isinstance(error.cause, ImportError | RayError):
            raise error.cause from error
        what = str(error.cause).partition("\n")[0]
        raise Refused(f"A computer of the cluster cannot work: {what}. Each needs Kortlek as it is installed here.") from error
    except RayError as error:
        raise Refused(f"The cluster gave up: {' '.join(str(error).split())}") from error


# on the computers of the cluster


def work_there(here: str, sources: tuple[own_games.Source, ...], work: Work[A], arguments: Arguments) -> A:
    """``work(*arguments)``, knowing the games that are known where it was submitted."""
    if program() != here:
        raise Refused(f"The computer {socket.gethostname()} of the cluster has another version of Kortlek: install the same on all.")
    own_games.take_all(sources)
    return work(*arguments)


@cache
def program() -> str:
    """All of this package's Python, as one number: where it differs, the results might."""
    package = Path(__file__).parent.parent
    text = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text.update(f"{path.relative_to(package).as_posix()}\n".encode() + path.read_bytes())
    return text.hexdigest()
