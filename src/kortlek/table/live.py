"""A table in memory, with its connections, the latest frames, and pending tasks. All of this may be lost: a table is rebuilt from its log."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from kortlek.engine.views import ONLOOKER
from kortlek.table import clocks
from kortlek.table.frames import Change, Teller, joined, snapshot, viewers
from kortlek.table.protocol.client_out import encoded
from kortlek.table.store import Entry
from kortlek.table.table import STRANGER, Table
from kortlek.table.timing import CLOCK
from kortlek.table.turns import BOTS, PEOPLE, Share

WATCHED_SECONDS = 60
"""For how many seconds after a request over HTTP a table counts as watched."""
REMEMBERED = 50
"""How many recent changes of a table are kept in memory, for clients that reconnect."""
REPLAY_BATCH = 20
"""How many entries of a log are replayed before other tasks get a turn."""
MANY_LATE = 200
"""How many frames are kept for delayed spectators before those that are old enough are put together."""


def milliseconds() -> int:
    """The current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Connection:
    """One client at a table. ``send`` takes a message and the time of its entry; it never blocks."""

    def __init__(self, person: int, send: Callable[[bytes, int], None]) -> None:
        self.person, self.send = person, send
        self.seats: list[int] = []
        """The viewpoints from which this client sees the table."""
        self.hold = 0
        """The delay of everything that this client is sent, in milliseconds."""

    def look(self, table: Table) -> None:
        """Set the viewpoints and the delay, which change with the seats of a table."""
        self.seats = viewers(table, self.person)
        watches = self.person != table.owner and not table.seats_of(self.person)
        self.hold = 1000 * table.settings.delay if watches and table.settings.spectators == "delayed" else 0


class Delayed:
    """What delayed spectators are sent: a snapshot that is old enough, or will be, and the frames after it."""

    def __init__(self, frame: bytes, at: int, delay: int) -> None:
        self.base, self.at, self.delay = frame, at, delay
        self.later: deque[tuple[bytes, int]] = deque()

    def add(self, frame: bytes, at: int) -> None:
        """Keep a frame."""
        self.later.append((frame, at))
        if len(self.later) > MANY_LATE:
            self.advance(milliseconds())

    def advance(self, now: int) -> None:
        """Put the frames that are old enough into the snapshot."""
        due = []
        while self.later and self.later[0][1] + self.delay <= now:
            frame, self.at = self.later.popleft()
            due.append(frame)
        if due:
            self.base = joined([self.base, *due], is_told=False)


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
    recent: deque[Change] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """The latest steps, for clients that reconnect. A snapshot ends them."""
    spectators: list[Connection] = field(default_factory=list)
    """The connections of people without a token. They are all sent the same."""
    pending: list[tuple[bytes, int]] = field(default_factory=list)
    """The frames that many spectators have not been sent yet, and the times of their entries."""
    flushing: asyncio.TimerHandle | None = None
    watched_until: int = 0
    """Until when somebody watches the table without a socket, by requests over HTTP."""
    delayed: Delayed | None = None
    """What delayed spectators are sent, if the table has such spectators."""

    def __post_init__(self) -> None:
        self.teller = Teller(self.table)
        settings = self.table.settings
        if settings.spectators == "delayed":
            self.delayed = Delayed(encoded(snapshot(self.table, STRANGER)), milliseconds(), 1000 * settings.delay)

    @property
    def is_connected(self) -> bool:
        """Whether any client is connected."""
        return bool(self.connections or self.spectators)

    def watching(self) -> int:
        """How many connections are spectators'."""
        return len(self.spectators) + sum(not self.table.seats_of(each.person) for each in self.connections)

    def look(self) -> None:
        """Note that somebody watches the table by a request over HTTP."""
        self.watched_until = CLOCK.now() + 1000 * WATCHED_SECONDS

    @property
    def is_watched(self) -> bool:
        """Whether anybody is connected to the table, or has just asked for it."""
        return self.is_connected or CLOCK.now() < self.watched_until

    @property
    def share(self) -> Share:
        """On whose account the bots of this table think."""
        people = set(self.table.seated())
        is_there = people & self.table.present or (people and CLOCK.now() < self.watched_until)
        return Share(self.table.code, PEOPLE if is_there else BOTS)

    def viewpoints(self) -> list[int]:
        """The viewpoints for which changes are encoded: the seats of people, connected or not, and the onlooker's if anybody may have it."""
        table = self.table
        seats = [seat for seat, chair in enumerate(table.chairs) if chair.person != STRANGER]
        return [*seats, ONLOOKER] if table.settings.spectators != "off" or not table.seats_of(table.owner) else seats

    def remember(self, change: Change) -> None:
        """Keep a change for clients that reconnect. Of a sealed choice nothing is kept: what the others are sent again must not depend on it."""
        if change.only is not None:
            return
        if change.is_snapshot:
            self.recent.clear()
        elif change.seq > change.since:
            self.recent.append(change)

    def missed_by(self, person: int, since: int) -> list[Change] | None:
        """The steps after the entry that a person knows as ``since``; None if they are not in memory."""
        table = self.table
        if since == table.number(table.seq, person):
            return []
        missed = [change for change in self.recent if change.concerns(person) and table.number(change.seq, person) > since]
        return missed if missed and table.number(missed[0].since, person) == since else None


async def rebuilt(code: str, entries: list[Entry], epoch: int = 0) -> Live:
    """Rebuild a table from its log, with pauses in which the other tables go on. Timers start anew, so that nobody loses time while the server is
    down."""
    table, now = Table(code), CLOCK.now()
    for number, entry in enumerate(entries, 1):
        table.take(entry)
        if number % REPLAY_BATCH == 0:
            await asyncio.sleep(0)
    table.turn_since = table.asked_since = now
    table.left = dict.fromkeys(range(len(table.people)), now)
    return Live(table, epoch=epoch)


async def until(moment: int) -> None:
    """Sleep until this time, in milliseconds since 1970."""
    await asyncio.sleep(max(0, moment - milliseconds()) / 1000)
