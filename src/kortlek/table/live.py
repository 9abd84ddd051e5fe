"""A table in memory, with its connections and pending tasks. All of this may be lost: a table is rebuilt from its log."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kortlek.table import clocks
from kortlek.table.facts import Began, Sat, Stood
from kortlek.table.store import Entry
from kortlek.table.table import Step, Table
from kortlek.table.timing import CLOCK
from kortlek.table.turns import BOTS, PEOPLE, Share

WATCHED_SECONDS = 60
"""For how many seconds after a request over HTTP a table counts as watched."""
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
    is_ours: bool = True
    """Whether this process was the last to write to the log."""
    watched_until: int = 0
    """Until when somebody watches the table without a socket, by requests over HTTP."""
    recent: deque[Step] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """The last entries of the current match, for clients that reconnect."""

    def look(self) -> None:
        """Note that somebody watches the table by a request over HTTP."""
        self.watched_until = CLOCK.now() + 1000 * WATCHED_SECONDS

    @property
    def is_watched(self) -> bool:
        """Whether anybody is connected to the table, or has just asked for it."""
        return bool(self.connections) or CLOCK.now() < self.watched_until

    @property
    def share(self) -> Share:
        """On whose account the bots of this table think."""
        people = set(self.table.seated())
        is_there = people & self.table.present or (people and CLOCK.now() < self.watched_until)
        return Share(self.table.code, PEOPLE if is_there else BOTS)

    def remember(self, steps: Iterable[Step]) -> None:
        """Keep the last entries. When somebody else sits in a seat, entries before it are replayed from the log instead, as they were seen."""
        for step in steps:
            if isinstance(step.fact, Began | Sat | Stood):
                self.recent.clear()
            self.recent.append(step)


def rebuilt(code: str, entries: list[Entry]) -> Live:
    """Rebuild a table from its log. Timers start anew, so that nobody loses time while the server is down."""
    table, now = Table(code), CLOCK.now()
    live = Live(table)
    for entry in entries:
        live.remember([table.take(entry)])
    table.turn_since = table.asked_since = now
    table.left = dict.fromkeys(range(len(table.people)), now)
    return live


def hold(table: Table, connection: Connection) -> int:
    """The delay for a connection, in milliseconds: 0 unless it is a spectator's and spectators are delayed."""
    watches = connection.person != table.owner and not table.seats_of(connection.person)
    return 1000 * table.settings.delay if watches and table.settings.spectators == "delayed" else 0


async def until(moment: int) -> None:
    """Sleep until this time, in milliseconds since 1970."""
    await asyncio.sleep(max(0, moment - milliseconds()) / 1000)
