"""Whether a server can do its work, part by part: what ``GET /health`` answers. It tells no paths, codes or cards; the server's log says more."""

from __future__ import annotations

import asyncio
import shutil
import time
from contextlib import suppress
from pathlib import Path

from kortlek.engine.plain import Refused
from kortlek.table.file import RESTORE
from kortlek.table.journal import note
from kortlek.table.measure import LAG_WINDOW, Measures
from kortlek.table.protocol.lobby_out import Part
from kortlek.table.store import Failed, Store
from kortlek.table.workers import Workers

PROBE_SECONDS = 3.0
"""For how many seconds the outcome of a write to the store is good."""
PROBE_TIMEOUT = 5.0
"""How many seconds a write to the store may take."""
LEAST_SPACE = 64 << 20
"""How many bytes have to be free on the disk of the SQLite file."""
LONGEST_LAG = 2.0
"""By how many seconds the event loop may be late."""
CHECK_SECONDS = 2.0
"""How many seconds a server waits at its start for the check of its SQLite file; a longer check goes on in the background."""


class Health:
    """The health of a server: its store, its bots' workers, and its event loop; with ``folder``, also the disk of its SQLite file."""

    def __init__(self, store: Store, workers: Workers, measures: Measures, folder: Path | None = None) -> None:
        self._store, self._workers, self._measures, self._folder = store, workers, measures, folder
        self._checking: asyncio.Task[None] | None = None
        self._probe: asyncio.Task[Part] | None = None
        self._probed = 0.0
        self._damage: str | None = None
        """What is wrong with the store; None while it is being checked."""

    async def start(self) -> None:
        """Check the store. Refused if it is found to be damaged at once."""
        self._checking = asyncio.create_task(self._check())
        done, _ = await asyncio.wait([self._checking], timeout=CHECK_SECONDS)
        if self._damage:
            raise Refused(f"{self._damage}; {RESTORE}.")
        if not done:
            note("check", what="the store is large: its check goes on in the background")
            self._checking.add_done_callback(self._note_check)

    async def stop(self) -> None:
        """End what goes on in the background."""
        for task in (self._checking, self._probe):
            if task:
                task.cancel()
                await asyncio.wait([task])

    async def _check(self) -> None:
        with suppress(Failed):  # the store was closed
            self._damage = await self._store.damage()

    def _note_check(self, _check: object) -> None:
        if self._damage is not None:
            note("check", what=self._damage or "the store is sound")

    async def parts(self) -> dict[str, Part]:
        """How each part is now."""
        found = {"store": await self._writes(), "integrity": self._is_sound(), "bots": self._bots(), "loop": self._loop()}
        return found | ({"disk": self._disk(self._folder)} if self._folder else {})

    async def _writes(self) -> Part:
        """A real write, at most every few seconds: those who ask meanwhile share it."""
        if self._probe is None or (self._probe.done() and time.monotonic() - self._probed > PROBE_SECONDS):
            self._probe, self._probed = asyncio.create_task(self._write()), time.monotonic()
        await asyncio.wait([self._probe], timeout=PROBE_TIMEOUT)
        if not self._probe.done():
            return Part(ok=False, about=f"a write takes longer than {PROBE_TIMEOUT:.0f} seconds")
        return self._probe.result()

    async def _write(self) -> Part:
        began = time.monotonic()
        try:
            await self._store.probe()
        except Failed as error:
            note("store", error=str(error))
            return Part(ok=False, about="it cannot be written")
        return Part(ok=True, about=f"a write took {1000 * (time.monotonic() - began):.0f} ms")

    def _is_sound(self) -> Part:
        return Part(ok=not self._damage, about="being checked" if self._damage is None else "damaged" if self._damage else "checked at the start")

    def _bots(self) -> Part:
        """Whether all workers are alive. Those that are not are replaced, so that the next answer may be better."""
        lost = self._workers.lost
        if lost:
            self._workers.replace_lost()
        return Part(ok=not lost, about=f"{lost} of {self._workers.count} workers have died" if lost else f"{self._workers.count} workers")

    def _loop(self) -> Part:
        late = self._measures.worst_lag()
        return Part(ok=late < LONGEST_LAG, about=f"at most {1000 * late:.0f} ms late in the last {LAG_WINDOW:.0f} seconds")

    def _disk(self, folder: Path) -> Part:
        try:
            free = shutil.disk_usage(folder).free
        except OSError:
            return Part(ok=False, about="it cannot be reached")
        return Part(ok=free >= LEAST_SPACE, about=f"{free >> 20} MiB free, {LEAST_SPACE >> 20} are needed")
