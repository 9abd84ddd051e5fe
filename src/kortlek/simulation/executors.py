"""Executors: run work in threads, processes or a ray cluster. Results come back in order, with a bounded number of parts in flight.

Only this module knows how work is distributed. The results depend neither on the executor nor on workers that die: their work is submitted again."""

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
LAZY_SECONDS = 3.0
"""Seconds before a lazy pool is started: to start two processes takes about as long."""
PARTS_PER_WORKER = 3
"""The number of parts in flight for each worker, so that no worker has to wait for the next part."""
RETRIES = 10
"""How often the same work is submitted again when its worker died or was killed."""


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Defer Ctrl-C, even if a thread of another library receives the signal, which would still interrupt the main thread. Processes that are started
    within the context never receive it: only the process that submits the work handles it. Threads other than the main one never receive it."""
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
    """Runs work in other threads, processes or computers."""

    def workers(self) -> int:
        """The current number of workers."""

    def submit(self, work: Work[Any], arguments: Arguments) -> Any:
        """Submit work without waiting; return a future."""

    def result(self, future: Any) -> Any:
        """Wait for a result; raise the error of the work if it failed."""

    def shutdown(self, is_done: bool) -> None:
        """Shut down. If not all is done, do not wait for the rest."""


@dataclass(frozen=True)
class Local:
    """A number of workers on this computer, in processes or in threads; a single worker is this process itself. A lazy pool is started only if the
    work takes long."""

    workers: int = 1
    threads: bool = False
    lazy: bool = False


ALONE = Local()
"""This process is the only worker."""


def map_in_order(work: Work[A], parts: Iterable[Arguments], where: Local | Cluster) -> Generator[A, None, None]:
    """Yield ``work(*part)`` for every part, in order. Closing the generator early does not wait for the work in flight."""
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
            if len(waiting) > PARTS_PER_WORKER * executor.workers():
                yield executor.result(waiting.popleft())
        while waiting:
            yield executor.result(waiting.popleft())
        is_done = True
    finally:
        executor.shutdown(is_done)


def for_a_while(parts: Iterator[Arguments]) -> Iterator[Arguments]:
    """The parts that can be started in this process before a lazy pool is due."""
    end = time.monotonic() + LAZY_SECONDS
    for part in parts:
        yield part
        if time.monotonic() > end:
            return


# ---- threads


class Threads:
    """Threads of this process, for work that releases the GIL. Threads cannot be killed, so parts have to be short."""

    def __init__(self, workers: int) -> None:
        self._workers, self._pool = workers, ThreadPoolExecutor(workers)

    def workers(self) -> int:
        """The requested number of workers."""
        return self._workers

    def submit(self, work: Work[Any], arguments: Arguments) -> Future[Any]:
        """Submit work to the next idle thread."""
        with deferred_interrupts():
            return self._pool.submit(work, *arguments)

    def result(self, future: Future[Any]) -> Any:
        """Wait for the result."""
        return future.result()

    def shutdown(self, is_done: bool) -> None:
        """Cancel the work that has not started."""
        self._pool.shutdown(cancel_futures=True)


# ---- processes


def begin(sources: tuple[own_games.Source, ...]) -> None:
    """Initialise a worker process: register the games of its parent process, and exit when the parent exits, for whatever reason."""
    own_games.take_all(sources)
    Thread(target=end_with, args=[parent_process()], daemon=True).start()


def end_with(starter: BaseProcess) -> None:
    """Exit when another process exits."""
    starter.join()
    os._exit(1)


def started_since(before: set[BaseProcess]) -> set[BaseProcess]:
    """The child processes that are not in the snapshot ``before``."""
    return set(active_children()) - before


def process_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of processes with the games that are registered here."""
    return ProcessPoolExecutor(workers, get_context("spawn"), begin, (own_games.sources(),))


class Submitted:
    """Work that was submitted to processes, and how often a process has died before the work was done."""

    def __init__(self, work: Work[Any], arguments: Arguments) -> None:
        self.work, self.arguments, self.deaths = work, arguments, 0
        self.future: Future[Any] = Future()
        self.future.set_exception(BrokenProcessPool())

    def is_lost(self) -> bool:
        """Whether the work has to be submitted again after a process has died."""
        return not self.future.done() or isinstance(self.future.exception(), BrokenProcessPool)


class Processes:
    """A pool of processes on this computer. When one dies the pool breaks: a new pool gets the unfinished work."""

    def __init__(self, workers: int) -> None:
        self._workers, self._before = workers, set(active_children())
        self._submitted: deque[Submitted] = deque()
        self._pool = process_pool(workers)

    def workers(self) -> int:
        """The requested number of workers."""
        return self._workers

    def submit(self, work: Work[Any], arguments: Arguments) -> Submitted:
        """Submit work to the next idle process."""
        submitted = Submitted(work, arguments)
        self._submitted.append(submitted)
        self._submit([submitted])
        return submitted

    def _submit(self, several: Iterable[Submitted]) -> None:
        with deferred_interrupts(), suppress(BrokenProcessPool):  # ``result`` handles a broken pool
            for each in several:
                each.future = self._pool.submit(each.work, *each.arguments)

    def result(self, submitted: Submitted) -> Any:
        """Wait for the result."""
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
        """Kill the processes that are still working."""
        if not is_done:
            for worker in started_since(self._before):
                worker.kill()
        self._pool.shutdown(cancel_futures=True)


# ---- a cluster

CONNECT_TIMEOUT, JOIN_TIMEOUT = 5, 60
"""Timeouts in seconds: for a connection to a computer, and for joining a cluster."""


@contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """The ray cluster at this address, for the duration of the context. Raise Refused if ray is not installed, or if there is no cluster."""
    if not find_spec("ray"):
        raise Refused("--cluster needs ray: pip install 'kortlek[cluster]'.")
    host, _, port = address.rpartition(":")
    if address != "auto" and not (host and "/" not in host and port.isdecimal() and int(port) < 1 << 16):
        raise Refused(f"--cluster {address} is not possible: it is the address of a ray cluster, such as 192.168.1.10:6379, or auto.")
    if host:
        try:
            socket.create_connection((host.strip("[]"), int(port)), CONNECT_TIMEOUT).close()
        except OSError as error:
            raise Refused(f"There is no ray cluster at {address}: no answer.") from error
    with closing(Cluster(address)) as cluster:
        cluster.join()
        yield cluster


class Cluster:
    """A ray cluster. The work of a computer that dies is repeated elsewhere; a computer that joins gets work, too.

    A separate process talks to ray, because ray may hang for minutes, logs a lot, and terminates the process that talks to it when this computer's
    part of the cluster dies."""

    def __init__(self, address: str) -> None:
        self.address, self._before = address, set(active_children())
        self._driver = process_pool(1)
        self._futures, self._workers = count(), 0

    def join(self) -> None:
        """Join the cluster; raise Refused on a timeout."""
        try:
            self._workers = self._call(join, self.address, seconds=JOIN_TIMEOUT)
        except TimeoutError as error:
            more = "is it a ray cluster, and if it asks for a token, is it set here as ray wants it?"
            raise Refused(f"--cluster {self.address} did not accept us within {JOIN_TIMEOUT} seconds: {more}") from error

    def _call(self, what: Work[A], *more: Any, seconds: float | None = None) -> A:
        try:
            with deferred_interrupts():
                answer = self._driver.submit(what, *more)
            return answer.result(seconds)
        except BrokenProcessPool as error:
            raise Refused(f"The cluster at {self.address} is gone: with --keep FILE a study goes on where it stopped.") from error

    def workers(self) -> int:
        """The number of processors of the cluster."""
        return self._workers

    def submit(self, work: Work[Any], arguments: Arguments) -> int:
        """Submit work to ray."""
        future = next(self._futures)
        self._workers = self._call(submit, future, work, arguments)
        return future

    def result(self, future: int) -> Any:
        """Wait for the result."""
        return self._call(result, future)

    def shutdown(self, is_done: bool) -> None:
        """Do nothing: the work in flight is cancelled when the cluster is left."""

    def close(self) -> None:
        """Leave the cluster. Ray cancels all submitted work."""
        for driver in started_since(self._before):
            driver.kill()
        self._driver.shutdown(cancel_futures=True)


# ---- in the process that talks to ray

_futures: dict[int, Any] = {}
"""Ray's references to results, by number."""


def join(address: str) -> int:
    """Connect to ray with its output discarded; return the number of processors."""
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
    """The current number of processors of the cluster."""
    import ray

    return int(ray.cluster_resources().get("CPU", 0))


def submit(future: int, work: Work[Any], arguments: Arguments) -> int:
    """Submit work to ray; return the number of processors."""
    _futures[future] = task().remote(program(), own_games.sources(), work, arguments)
    return processors()


@cache
def task() -> Any:
    """``work_there`` as a ray task; created once, because ray keeps every task."""
    import ray

    return ray.remote(max_retries=RETRIES)(work_there)


def result(future: int) -> Any:
    """Wait for a result from ray."""
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


# ---- on the computers of the cluster


def work_there(here: str, sources: tuple[own_games.Source, ...], work: Work[A], arguments: Arguments) -> A:
    """Run ``work(*arguments)`` with the games of the submitting computer."""
    if program() != here:
        raise Refused(f"The computer {socket.gethostname()} of the cluster has another version of Kortlek: install the same on all.")
    own_games.take_all(sources)
    return work(*arguments)


@cache
def program() -> str:
    """A hash of all Python files of this package: other code might give other results."""
    package = Path(__file__).parent.parent
    text = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text.update(f"{path.relative_to(package).as_posix()}\n".encode() + path.read_bytes())
    return text.hexdigest()
