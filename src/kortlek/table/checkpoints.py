"""Checkpoints of a SQLite file, in a thread of their own: no choice waits until the pages of its commit are copied from the write-ahead log (WAL)
into the file.

A PASSIVE checkpoint copies while others write, but under constant load it never reaches the end of the WAL, which then grows without limit. So when
the WAL is longer than its limit, a RESTART checkpoint follows at once: it copies the few pages that were written since, and the WAL is begun anew.
Appends wait for it once, by ``lock``.
"""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from kortlek.table.file import WAL_LIMIT, connect

INTERVAL = 0.5
"""Seconds between two checkpoints while something is written."""


class Checkpoints:
    """The thread that makes the checkpoints of a file. ``lock`` has to be held while a commit is made, and ``written`` to be set after it."""

    def __init__(self, path: Path, limit: int = WAL_LIMIT) -> None:
        self.lock = threading.Lock()
        self.written = False
        self.restarts = 0
        """How often the WAL was begun anew because it had reached its limit."""
        self._db, self._limit = connect(path), limit
        self._db.execute("PRAGMA busy_timeout = 0")  # a RESTART that waited for readers would keep the writer waiting, too
        self._page = int(self._db.execute("PRAGMA page_size").fetchone()[0])
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kortlek-checkpoint", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop, and close the connection. The last connection of a file makes the last checkpoint when it is closed."""
        self._stop.set()
        self._thread.join()
        self._db.close()

    def _run(self) -> None:
        while not self._stop.wait(INTERVAL):
            if self.written:
                self.written = False
                self.checkpoint()

    def checkpoint(self) -> None:
        """Copy what was committed into the file; begin the WAL anew if it is too long."""
        try:
            if self._frames("PASSIVE") * self._page > self._limit:
                with self.lock:
                    self._frames("RESTART")
                self.restarts += 1
        except sqlite3.Error:
            self.written = True  # busy, or the disk is full: nothing is lost, as the WAL holds it; try again

    def _frames(self, mode: str) -> int:
        """Make a checkpoint, and return how many pages the WAL holds. Sets ``written`` if some could not be copied because somebody reads them."""
        busy, frames, copied = self._db.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
        self.written |= bool(busy) or copied < frames
        return int(frames)
