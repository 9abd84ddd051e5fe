"""A table in memory: who is connected to it, and what is under way for it. All of it can be lost; the log is what counts."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kortlek.table import clocks
from kortlek.table.facts import Began
from kortlek.table.store import Entry
from kortlek.table.table import Step, Table

REMEMBERED = 50
"""How many entries of a log are kept in memory."""


def milliseconds() -> int:
    """The time."""
    return time.time_ns() // 1_000_000


class Connection:
    """One client at a table. ``send`` takes what it is to be sent, with the moment it happened; it never waits."""

    def __init__(self, person: int, send: Callable[[bytes, int], None]) -> None:
        self.person, self.send = person, send
        self.hold = 0
        """How many milliseconds late this client is told everything."""


@dataclass(eq=False)
class Live:
    """A table in memory: the table, its connections, and what is under way for it."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    connections: list[Connection] = field(default_factory=list)
    due: clocks.Due | None = None
    thinking: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None
    is_ours: bool = True
    """Whether this process was the last to write to it."""
    recent: deque[Step] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """The last entries of the present match, for those who have missed them."""

    def remember(self, steps: Iterable[Step]) -> None:
        """Keep the last entries. When a match begins, people may have other seats: what was before is told again from the log."""
        for step in steps:
            if isinstance(step.fact, Began):
                self.recent.clear()
            self.recent.append(step)


def made_again(code: str, entries: list[Entry]) -> Live:
    """The table whose log this is. Clocks begin anew: nobody loses time while there was no server."""
    table, now = Table(code), milliseconds()
    live = Live(table)
    for entry in entries:
        live.remember([table.take(entry)])
    table.turn_since = now
    table.left = dict.fromkeys(range(len(table.people)), now)
    return live


def hold(table: Table, connection: Connection) -> int:
    """By how many milliseconds somebody sees the table late."""
    watches = connection.person != table.owner and not table.seats_of(connection.person)
    return 1000 * table.settings.delay if watches and table.settings.spectators == "delayed" else 0


async def until(moment: int) -> None:
    """Wait for a moment."""
    await asyncio.sleep(max(0, moment - milliseconds()) / 1000)
