"""A table in memory, with its connections and pending tasks. All of this may be lost: a table is rebuilt from its log."""

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
"""How many recent entries of a log are kept in memory."""


def milliseconds() -> int:
    """The current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Connection:
    """One client at a table. ``send`` takes a message and the time of its entry; it never blocks."""

    def __init__(self, person: int, send: Callable[[bytes, int], None]) -> None:
        self.person, self.send = person, send
        self.hold = 0
        """The delay of everything that this client is sent, in milliseconds."""


@dataclass(eq=False)
class Live:
    """A table in memory, with its connections and pending tasks."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    connections: list[Connection] = field(default_factory=list)
    due: clocks.Due | None = None
    thinking: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None
    epoch: int = 0
    """The epoch of this process's claim to the table, which every append checks."""
    recent: deque[Step] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """The last entries of the current match, for clients that reconnect."""

    def remember(self, steps: Iterable[Step]) -> None:
        """Keep the last entries. The start of a match may change who sits where, so entries before it are replayed from the log instead."""
        for step in steps:
            if isinstance(step.fact, Began):
                self.recent.clear()
            self.recent.append(step)


def rebuilt(code: str, entries: list[Entry], epoch: int = 0) -> Live:
    """Rebuild a table from its log. Timers start anew, so that nobody loses time while the server is down."""
    table, now = Table(code), milliseconds()
    live = Live(table, epoch=epoch)
    for entry in entries:
        live.remember([table.take(entry)])
    table.turn_since = now
    table.left = dict.fromkeys(range(len(table.people)), now)
    return live


def hold(table: Table, connection: Connection) -> int:
    """The delay for a connection, in milliseconds: 0 unless it is a spectator's and spectators are delayed."""
    watches = connection.person != table.owner and not table.seats_of(connection.person)
    return 1000 * table.settings.delay if watches and table.settings.spectators == "delayed" else 0


async def until(moment: int) -> None:
    """Sleep until this time, in milliseconds since 1970."""
    await asyncio.sleep(max(0, moment - milliseconds()) / 1000)
