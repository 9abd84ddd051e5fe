"""Work given out to processes: what comes back comes in order, and only a little of it is under way at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from kortlek.bots import own

A = TypeVar("A")
Hold = Callable[[], AbstractContextManager[None]]
"""What an interrupt can be made to wait within."""


def in_order(work: Callable[..., A], parts: Iterable[tuple[Any, ...]], workers: int, hold: Hold) -> Generator[A, None, None]:
    """``work(*part)`` for every part. Work is given out within ``hold()``; whoever closes the generator early does not wait for what is under way."""
    before = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), own.take_all, (own.sources(),))
    waiting: deque[Future[A]] = deque()
    finished = False
    try:
        for part in parts:
            with hold():
                waiting.append(pool.submit(work, *part))
            if len(waiting) > 3 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        finished = True
    finally:
        if not finished:
            for worker in set(active_children()) - before:
                worker.terminate()
        pool.shutdown(cancel_futures=True)
