"""The time by which the timers of tables count: it passes only while this process runs.

The wall clock may be set back or forward at any moment, and a process may be stopped or its machine suspended. None of this may end a turn, or freeze
a bot. So timers count milliseconds of a monotonic clock and leave out every gap in which the event loop did not run. The times of log entries, which
people read, are those of the wall clock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

BEAT = 0.5
"""How often the event loop has to read the clock, in seconds, so that a gap is noticed."""
LONGEST_GAP = 2000
"""A gap between two readings of more than this many milliseconds is time in which the process was stopped."""
STEP = 500
"""Moments that are shown to clients follow the wall clock when it has moved by more than this many milliseconds against the timers."""


def wall_milliseconds() -> int:
    """The time of the wall clock in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def monotonic_milliseconds() -> int:
    """The time of the monotonic clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Clock:
    """The clock of timers. It begins with the time of the wall clock, and is then independent of it."""

    def __init__(self, wall: Callable[[], int] = wall_milliseconds, monotonic: Callable[[], int] = monotonic_milliseconds) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._read = monotonic()
        self._now = wall()
        self._ahead = 0
        self.is_beating = False
        """Whether the clock is read regularly; only then a gap means that the process was stopped."""

    def now(self) -> int:
        """The current time in milliseconds. A gap since the last reading in which the process was stopped is left out."""
        read = self._monotonic()
        gap, self._read = read - self._read, read
        self._now += 0 if self.is_beating and gap > LONGEST_GAP else gap
        return self._now

    def shown(self, moment: int) -> int:
        """A moment of this clock in milliseconds since 1970, as clients are told it."""
        ahead = self._wall() - self.now()
        if abs(ahead - self._ahead) > STEP:
            self._ahead = ahead
        return moment + self._ahead

    async def until(self, moment: int) -> None:
        """Sleep until this moment of the clock."""
        while (left := moment - self.now()) > 0:
            await asyncio.sleep(left / 1000)

    async def beat(self) -> None:
        """Read the clock regularly, for ever."""
        self.now()
        self.is_beating = True
        try:
            while True:
                self.now()
                await asyncio.sleep(BEAT)
        finally:
            self.is_beating = False


CLOCK = Clock()
"""The clock of this process."""
