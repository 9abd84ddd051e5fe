"""Work given out to processes, or to a cluster of computers: what comes back comes in order, and only a little of it is under way at a time.

The only module that knows how. Whoever works, and however often a worker dies, the results are the same: what it had is given to another."""

from __future__ import annotations

import hashlib
import os
import socket
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import count
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, Protocol, TypeVar

from kortlek.bots import own
from kortlek.play.plain import Refused

A = TypeVar("A")
Work = Callable[..., A]
Part = tuple[Any, ...]
Hold = Callable[[], AbstractContextManager[None]]
"""What an interrupt can be made to wait within."""
ALONE = 3.0
"""So many seconds somebody alone may take: with two, who would first have to be started, it would take as long."""
EACH = 3
"""So many parts are under way for each worker, so that none has to wait for the next one."""
DEATHS = 10
"""So often the same work is given to another when the one who had it died, or was killed."""


class Crew(Protocol):
    """Those who work."""

    def many(self) -> int:
        """How many they are, now."""

    def give(self, work: Work[Any], part: Part) -> Any:
        """Let somebody do this: a promise, at once."""

    def result(self, promise: Any) -> Any:
        """What was promised, waited for; or the error that came up."""

    def stop(self, is_done: bool) -> None:
        """Nothing more is wanted. If not all is done, nobody waits for the rest."""


@dataclass(frozen=True)
class IfItTakesLong:
    """This process works alone at first; if that takes long, so many work on."""

    workers: int


Here = int | IfItTakesLong
"""How many work on this computer; one is this process."""


def in_order(work: Work[A], parts: Iterable[Part], workers: Here | Cluster, hold: Hold) -> Generator[A, None, None]:
    """``work(*part)`` for every part. Work is given out within ``hold()``; whoever closes the generator early does not wait for what is under way."""
    parts = iter(parts)
    if isinstance(workers, IfItTakesLong):
        yield from (work(*part) for part in for_a_while(parts))
        workers = workers.workers
    if workers == 1:
        yield from (work(*part) for part in parts)
        return
    crew: Crew = Processes(workers, hold) if isinstance(workers, int) else workers
    waiting: deque[Any] = deque()
    is_done = False
    try:
        for part in parts:
            waiting.append(crew.give(work, part))
            if len(waiting) > EACH * crew.many():
                yield crew.result(waiting.popleft())
        while waiting:
            yield crew.result(waiting.popleft())
        is_done = True
    finally:
        crew.stop(is_done)


def for_a_while(parts: Iterator[Part]) -> Iterator[Part]:
    """What can be begun within the time that one may take alone."""
    end = time.monotonic() + ALONE
    for part in parts:
        yield part
        if time.monotonic() > end:
            return


def started_since(before: set[BaseProcess]) -> set[BaseProcess]:
    """The processes that were started since."""
    return set(active_children()) - before


# ---- processes


def begin(sources: tuple[own.Source, ...]) -> None:
    """In a new process: know the games that are known where it was started, and end when that process does, however it ends."""
    own.take_all(sources)
    Thread(target=end_with, args=[parent_process()], daemon=True).start()


def end_with(starter: BaseProcess) -> None:
    """End when another process does."""
    starter.join()
    os._exit(1)


class Promise:
    """Work that was given out to processes, and how often one has died before it was done."""

    def __init__(self, work: Work[Any], part: Part) -> None:
        self.work, self.part, self.deaths = work, part, 0
        self.coming: Future[Any] = Future()
        self.coming.set_exception(BrokenProcessPool())

    def is_lost(self) -> bool:
        """Whether it has to be given out again, if a process has died."""
        return not self.coming.done() or isinstance(self.coming.exception(), BrokenProcessPool)


class Processes:
    """So many processes on this computer, until they are stopped. When one dies the others end, too: new ones get what they had."""

    def __init__(self, workers: int, hold: Hold) -> None:
        self._workers, self._hold, self._before = workers, hold, set(active_children())
        self._promised: deque[Promise] = deque()
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, get_context("spawn"), begin, (own.sources(),))

    def many(self) -> int:
        """As many as were asked for."""
        return self._workers

    def give(self, work: Work[Any], part: Part) -> Promise:
        """To the next that has nothing to do."""
        promise = Promise(work, part)
        self._promised.append(promise)
        self._give_out([promise])
        return promise

    def _give_out(self, promises: Iterable[Promise]) -> None:
        with self._hold(), suppress(BrokenProcessPool):  # it is seen when the result is asked for
            for promise in promises:
                promise.coming = self._pool.submit(promise.work, *promise.part)

    def result(self, promise: Promise) -> Any:
        """What was promised."""
        while True:
            try:
                done = promise.coming.result()
                self._promised.remove(promise)
                return done
            except BrokenProcessPool as error:
                promise.deaths += 1
                if promise.deaths > DEATHS:
                    raise Refused(f"Workers died {DEATHS} times in a row, or were killed: is there enough memory?") from error
                self._pool.shutdown(wait=False)
                self._pool = self._new()
                self._give_out([each for each in self._promised if each.is_lost()])

    def stop(self, is_done: bool) -> None:
        """Those that still work are ended."""
        if not is_done:
            for worker in started_since(self._before):
                worker.kill()
        self._pool.shutdown(cancel_futures=True)


# ---- a cluster

ANSWER, READY = 5, 60
"""So many seconds a computer may take to answer at all, and a cluster until it has let us in."""


@contextmanager
def cluster_at(address: str, hold: Hold) -> Iterator[Cluster]:
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
    with closing(Cluster(address, hold)) as cluster:
        cluster.join()
        yield cluster


class Cluster:
    """Computers that ray has put together. One that dies loses nothing: its work is done again elsewhere; one that joins gets work, too.

    Ray is spoken to by a process of its own, because it may hang for minutes, says much, and ends whoever speaks to it when this computer's part of
    the cluster dies."""

    def __init__(self, address: str, hold: Hold) -> None:
        self.address, self._hold, self._before = address, hold, set(active_children())
        self._speaker = ProcessPoolExecutor(1, get_context("spawn"), begin, (own.sources(),))
        self._promises, self._many = count(), 0

    def join(self) -> None:
        """Be let in; Refused if that does not happen."""
        try:
            self._many = self._say(join, self.address, seconds=READY)
        except TimeoutError as error:
            more = "is it a ray cluster, and if it asks for a token, is it set here as ray wants it?"
            raise Refused(f"--cluster {self.address} has not let us in within {READY} seconds: {more}") from error

    def _say(self, what: Work[A], *more: Any, seconds: float | None = None) -> A:
        try:
            with self._hold():
                answer = self._speaker.submit(what, *more)
            return answer.result(seconds)
        except BrokenProcessPool as error:
            raise Refused(f"The cluster at {self.address} is gone: with --keep FILE a study goes on where it stopped.") from error

    def many(self) -> int:
        """As many as there are processors, now."""
        return self._many

    def give(self, work: Work[Any], part: Part) -> int:
        """To whoever ray finds."""
        promise = next(self._promises)
        self._many = self._say(give, promise, work, part)
        return promise

    def result(self, promise: int) -> Any:
        """What was promised."""
        return self._say(result, promise)

    def stop(self, is_done: bool) -> None:
        """What is still under way ends when the cluster is left."""

    def close(self) -> None:
        """Leave it. Ray ends all that we have given out."""
        for speaker in started_since(self._before):
            speaker.kill()
        self._speaker.shutdown(cancel_futures=True)


# in the process that speaks to ray

_promised: dict[int, Any] = {}
"""What ray has promised to us, by number."""


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


def give(promise: int, work: Work[Any], part: Part) -> int:
    """Give work to ray: how many processors there are."""
    _promised[promise] = task().remote(program(), own.sources(), work, part)
    return processors()


@cache
def task() -> Any:
    """``work_there``, for ray; made once, as it remembers each."""
    import ray

    return ray.remote(max_retries=DEATHS)(work_there)


def result(promise: int) -> Any:
    """What ray has promised, waited for."""
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        return ray.get(_promised.pop(promise))
    except RayTaskError as error:
        if not isinstance(error.cause, ImportError | RayError):
            raise error.cause from error
        what = str(error.cause).partition("\n")[0]
        raise Refused(f"A computer of the cluster cannot work: {what}. Each needs Kortlek as it is installed here.") from error
    except RayError as error:
        raise Refused(f"The cluster gave up: {' '.join(str(error).split())}") from error


# on the computers of the cluster


def work_there(here: str, sources: tuple[own.Source, ...], work: Work[A], part: Part) -> A:
    """``work(*part)``, knowing the games that are known where it was given out."""
    if program() != here:
        raise Refused(f"The computer {socket.gethostname()} of the cluster has another version of Kortlek: install the same on all.")
    own.take_all(sources)
    return work(*part)


@cache
def program() -> str:
    """All of this package's Python, as one number: where it differs, the results might."""
    package = Path(__file__).parent.parent
    text = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text.update(f"{path.relative_to(package).as_posix()}\n".encode() + path.read_bytes())
    return text.hexdigest()
