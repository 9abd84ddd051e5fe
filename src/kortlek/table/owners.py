"""Which process owns which table. Only the owner of a table loads, shows and changes it; presence, clocks and bots live with the owner.

``Owners`` is for a store of one process, which owns every table. ``SharedOwners`` is for a store of several processes: it keeps the lease of this
process (kortlek.table.leases), claims tables, and takes over the running matches of processes that have died.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection

from kortlek.table.journal import note
from kortlek.table.leases import LEASE, Leases, Process
from kortlek.table.refusals import Refusal
from kortlek.table.store import Failed, Store

RENEWAL = 0.5
"""Seconds between two renewals of the lease."""
BATCH = 10
"""How many tables of a dead process are taken over at a time, so that the living processes share them."""


class Elsewhere(Refusal):
    """Another process owns the table."""

    def __init__(self, owner: Process) -> None:
        super().__init__("stopping", "refuse-moved")
        self.owner = owner


class Owners:
    """The tables of the only process that uses a store: it owns all of them."""

    is_sure = True
    """Whether no other process can have claimed a table of this one."""

    async def start(self) -> None:
        """Begin to own tables."""

    async def stop(self) -> None:
        """Give all tables up."""

    async def claim(self, code: str, is_new: bool = False) -> int:
        """Own a table; return the epoch for its appends. Elsewhere if another process owns it, Refusal if there is no such table. ``is_new`` if it is
        about to be opened."""
        return 0

    def lose(self, code: str) -> None:
        """Take note that another process has claimed this table."""

    async def release_all_but(self, codes: Collection[str]) -> None:
        """Give up the tables of this process except these."""

    async def keep(self, lapsed: Callable[[], None]) -> None:
        """Stay the owner, endlessly. ``lapsed`` is called when all tables were lost."""

    async def adopted(self) -> AsyncIterator[str]:
        """Take over tables with a running match from dead processes, endlessly; yield their codes."""
        for code in list[str]():
            yield code


class SharedOwners(Owners):
    """The tables of one of several processes. When its lease has expired, for instance because the database did not answer, it gives everything up
    and goes on as a new process."""

    def __init__(self, leases: Leases, address: str) -> None:
        self._leases, self._address = leases, address
        self.secret = ""
        self._process = Process("", address)
        self._sure_until = 0.0
        self._epochs: dict[str, int] = {}
        self._dead: set[str] = set()
        self._is_somebody_dead = asyncio.Event()
        self._deaths: dict[str, asyncio.Event] = {}

    @property
    def is_sure(self) -> bool:  # type: ignore[override]
        """Whether the lease cannot have expired yet. The database counts from later than we do."""
        return time.monotonic() < self._sure_until

    async def start(self) -> None:
        """Begin a lease."""
        self.secret = await self._leases.secret()
        await self._begin()

    async def _begin(self) -> None:
        began, process = time.monotonic(), Process(secrets.token_hex(8), self._address)
        await self._leases.register(process)
        self._process, self._sure_until = process, began + LEASE

    async def stop(self) -> None:
        """End the lease, so that the others take over at once. If the database does not answer, it expires."""
        self._sure_until = 0.0
        self._epochs.clear()
        try:
            async with asyncio.timeout(LEASE):
                await self._leases.end(self._process)
        except (Failed, TimeoutError) as error:
            note("failed", error=type(error).__name__)

    async def claim(self, code: str, is_new: bool = False) -> int:
        """The epoch of a table of this process, which claims it if no living process owns it. Elsewhere if another does."""
        if not self.is_sure:
            raise Refusal("stopping", "refuse-moved")
        if code not in self._epochs:
            process = self._process
            owner = None if is_new else await self._leases.owner(code)
            if owner and owner != process:
                raise Elsewhere(owner)
            epoch = await self._leases.claim(code, process, is_new)
            if epoch is None:
                owner = await self._leases.owner(code)
                raise Elsewhere(owner) if owner else Refusal("unknown", "refuse-no-table")
            if process is not self._process:
                raise Refusal("stopping", "refuse-moved")  # our lease has expired meanwhile
            self._epochs[code] = epoch
        return self._epochs[code]

    async def release_all_but(self, codes: Collection[str]) -> None:
        """Give up the tables of this process except these."""
        idle = {code: epoch for code, epoch in self._epochs.items() if code not in codes}
        for code in idle:
            del self._epochs[code]
        if idle:
            await self._leases.release(list(idle), list(idle.values()))

    def lose(self, code: str) -> None:
        """Another process has claimed this table."""
        self._epochs.pop(code, None)

    # ---- the lease

    async def keep(self, lapsed: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(RENEWAL)
            await self.renew(lapsed)

    async def renew(self, lapsed: Callable[[], None]) -> None:
        """Renew the lease, and look who else is alive. If the lease has expired, call ``lapsed``, and begin a new one as soon as possible."""
        try:
            async with asyncio.timeout(max(RENEWAL, self._sure_until - time.monotonic())):
                await self._renew()
        except (Failed, TimeoutError) as error:
            note("failed", error=type(error).__name__)
        if not self.is_sure and self._process.id:
            self._process = Process("", self._address)
            self._epochs.clear()
            lapsed()
            await self.renew(lapsed)

    async def _renew(self) -> None:
        began = time.monotonic()
        if not self._process.id:
            await self._begin()
        elif await self._leases.renew(self._process) and self.is_sure:
            self._sure_until = began + LEASE
        else:
            self._sure_until = 0.0  # also if the answer came too late: we have refused to show tables meanwhile
        living, self._dead = await self._leases.processes()
        if self._dead:
            self._is_somebody_dead.set()
        for process in self._deaths.keys() - living:
            self._deaths.pop(process).set()

    def death_of(self, process: Process) -> asyncio.Event:
        """An event that is set when the lease of another process has expired."""
        return self._deaths.setdefault(process.id, asyncio.Event())

    async def adopted(self) -> AsyncIterator[str]:
        while await self._is_somebody_dead.wait():
            self._is_somebody_dead.clear()
            dead = self._dead
            try:
                while self.is_sure and (epochs := await self._leases.adopt(process := self._process, dead, BATCH)) and process is self._process:
                    self._epochs |= epochs
                    for code in epochs:
                        yield code
                await self._leases.bury(dead)
            except Failed as error:
                note("failed", error=type(error).__name__)


def owners_of(store: Store, address: str) -> Owners:
    """Who owns the tables of a store; ``address`` is where other processes reach this one."""
    return SharedOwners(store.leases, address) if store.leases else Owners()
