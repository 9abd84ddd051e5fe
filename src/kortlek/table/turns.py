"""Whose question the bots' workers answer next: people first, and the workers' time shared fairly between tables.

This is start-time fair queueing. For every table the time that it has used so far is known, and the table that has used least goes next. A table that
comes back after a pause starts level with the others, so that nobody saves up time by waiting.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

PEOPLE, BOTS = 0, 1
"""The ranks: questions that people wait for, and those of tables and films where only bots play."""
SPARE = 256
"""How many tables that are not waiting are remembered at least: those that have used most."""


@dataclass(frozen=True)
class Share:
    """On whose account a question is: the code of a table (or another name), and its rank."""

    name: str = ""
    rank: int = PEOPLE


SHARE = Share()
"""The share of a question that belongs to no table."""


class Closed(Exception):
    """The queue is closed: nobody gets a turn any more."""


@dataclass(eq=False)
class Turn:
    """A turn that was asked for. ``granted`` is done when a worker is free for it."""

    share: Share
    number: int
    granted: asyncio.Future[None]
    began: float = 0.0


class Turns:
    """The queue for ``count`` workers."""

    def __init__(self, count: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._free, self._clock = count, clock
        self._waiting: list[Turn] = []
        self._used: dict[str, float] = {}
        self._level = 0.0
        self._number = 0
        self._closed = False

    async def acquire(self, share: Share) -> Turn:
        """Wait for a worker. The turn has to be released. Closed if the queue is closed."""
        if self._closed:
            raise Closed
        turn = Turn(share, self._number, asyncio.get_running_loop().create_future())
        self._number += 1
        self._used[share.name] = max(self._level, self._used.get(share.name, 0.0))
        self._waiting.append(turn)
        self._grant()
        try:
            await turn.granted
        except asyncio.CancelledError:
            if turn.granted.cancelled():
                self._grant()
            else:
                self.release(turn)  # it was granted just before
            raise
        return turn

    def release(self, turn: Turn) -> None:
        """Return the worker of a turn, and charge the time to its share."""
        self._used[turn.share.name] = self._used.get(turn.share.name, self._level) + self._clock() - turn.began
        self._free += 1
        self._grant()

    def _grant(self) -> None:
        """Give free workers to those who wait."""
        self._waiting = [turn for turn in self._waiting if not turn.granted.done()]  # without those that were cancelled
        while self._free and self._waiting:
            first = min(self._waiting, key=lambda turn: (turn.share.rank, self._used[turn.share.name], turn.number))
            self._waiting.remove(first)
            self._free -= 1
            self._level = max(self._level, self._used[first.share.name])
            first.began = self._clock()
            first.granted.set_result(None)
        if len(self._used) > len(self._waiting) + 2 * SPARE:
            names = {turn.share.name for turn in self._waiting}
            most = sorted(self._used, key=lambda name: -self._used[name])[:SPARE]
            self._used = {name: self._used[name] for name in (*names, *most)}

    def close(self) -> None:
        """Refuse everyone who waits, and everyone who comes."""
        self._closed = True
        for turn in self._waiting:
            if not turn.granted.done():
                turn.granted.set_exception(Closed())
        self._waiting.clear()
