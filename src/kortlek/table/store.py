"""Where the logs of the tables are kept: what a store promises, and the store of a single server, a SQLite file.

The log is the only truth. An append is durable when it returns: whoever acknowledges a choice after that never has to take it back.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kortlek.engine.plain import Refused
from kortlek.table.file import connect

FILE = "tables.db"
"""What the file of a single server is called, in its data directory."""


@dataclass(frozen=True)
class Entry:
    """One fact in the log of a table."""

    table: str  # the table's code
    seq: int  # 1, 2, ... without holes
    at: int  # milliseconds since 1970
    mid: str  # the client message id, "" if none
    body: str  # JSON of the fact


@dataclass(frozen=True)
class Standing:
    """How a table stands, for the lobby and for waking up. It follows from the log and is trusted for nothing else."""

    table: str
    seq: int
    at: int
    public: bool
    status: str  # "waiting", "playing", "over"
    line: str  # JSON for the lobby


class Taken(Exception):
    """Somebody else has written this number, or this client message id, first: read on and check again."""


class Failed(Exception):
    """The disk or the database did not do its work, or the store is closed. Read a table again before writing more to it."""


class Store(Protocol):
    """The logs of all tables. ``(table, seq)`` is there once, and so is ``(table, mid)`` where there is a mid.

    ``append`` writes the next entries of one table and how it stands then: all or nothing, durable when it returns. Taken: nothing is written.
    Failed: nothing is written, as far as one can know. Whoever is cancelled meanwhile cannot know either. ``close`` finishes what was begun;
    whatever comes later is Failed.
    """

    async def open(self) -> None: ...  # Refused, with a sentence, if it cannot be used
    async def close(self) -> None: ...
    async def append(self, entries: Sequence[Entry], standing: Standing) -> None: ...
    async def read(self, table: str, since: int = 0) -> list[Entry]: ...  # those after ``since``, in order
    async def standings(self, *, public: bool | None = None, status: str | None = None, limit: int = 200) -> list[Standing]: ...  # newest first
    def heard(self) -> AsyncIterator[str]: ...  # codes of tables to which another process has written, without end; for one listener


def check(entries: Sequence[Entry], standing: Standing) -> None:
    """ValueError unless these are entries of one table, numbered one after the other, with no client message twice."""
    mids = [entry.mid for entry in entries if entry.mid]
    one_table = {entry.table for entry in entries} == {standing.table}
    if not one_table or len(set(mids)) < len(mids) or any(entry.seq != entries[0].seq + place for place, entry in enumerate(entries)):
        raise ValueError("an append is one or more entries of one table, without holes, no client message twice, and how that table stands")


def check_next(entries: Sequence[Entry], last: int) -> None:
    """Whether the entries come right after number ``last``: Taken if somebody was first, ValueError if they would leave a hole."""
    if entries[0].seq <= last:
        raise Taken(f"number {entries[0].seq} is written already")
    if entries[0].seq > last + 1:
        raise ValueError(f"number {entries[0].seq} would leave a hole after {last}")


_Append = tuple[Sequence[Entry], Standing, asyncio.Future[None]]


class SqliteStore:
    """The logs in one SQLite file, for one process. One thread writes: whatever has queued up goes into one commit, so many players share one
    wait for the disk. A second process on the same file can do no harm (one of two gets Taken), but neither hears of the other."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).absolute()
        self._queued: list[_Append] = []
        self._wake = threading.Condition()
        self._open = False

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writing, self._reading = await asyncio.to_thread(lambda: (connect(self._path), connect(self._path)))
        self._reader = ThreadPoolExecutor(1, "kortlek-read")
        self._writer = threading.Thread(target=self._write, name="kortlek-write", daemon=True)
        self._open = True
        self._writer.start()

    async def close(self) -> None:
        with self._wake:
            was_open, self._open = self._open, False
            self._wake.notify()
        if was_open:
            await asyncio.to_thread(self._writer.join)
            await asyncio.to_thread(self._reader.shutdown)
            self._reading.close()
            self._writing.close()

    async def append(self, entries: Sequence[Entry], standing: Standing) -> None:
        check(entries, standing)
        self._check_open()
        written = self._loop.create_future()
        with self._wake:
            self._queued.append((entries, standing, written))
            self._wake.notify()
        await written

    async def read(self, table: str, since: int = 0) -> list[Entry]:
        return [Entry(*row) for row in await self._select("SELECT * FROM entries WHERE code = ? AND seq > ? ORDER BY seq", table, since)]

    async def standings(self, *, public: bool | None = None, status: str | None = None, limit: int = 200) -> list[Standing]:
        wanted = {column: value for column, value in (("public", public), ("status", status)) if value is not None}
        where = " AND ".join(["true", *(f"{column} = ?" for column in wanted)])
        rows = await self._select(f"SELECT * FROM standings WHERE {where} ORDER BY at DESC, code LIMIT ?", *wanted.values(), limit)
        return [Standing(code, seq, at, bool(open_to_all), *rest) for code, seq, at, open_to_all, *rest in rows]

    async def heard(self) -> AsyncGenerator[str, None]:
        await asyncio.Event().wait()  # no other process writes
        yield ""

    def _check_open(self) -> None:
        if not self._open:
            raise Failed("The store is closed.")

    async def _select(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows, read by a thread and a connection of their own: neither the event loop nor the writer has to wait."""
        self._check_open()
        try:
            return await self._loop.run_in_executor(self._reader, lambda: self._reading.execute(query, values).fetchall())
        except sqlite3.Error as error:
            raise Failed(f"{self._path} could not be read: {error}.") from error

    # ---- in the writer's thread

    def _write(self) -> None:
        """Take all that is queued, commit it, tell those who wait; until the store is closed and nothing is left."""
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._queued or not self._open)
                group, self._queued = self._queued, []
            if not group:
                return
            outcomes = self._commit(group)
            with suppress(RuntimeError):  # the event loop is gone, and with it those who waited
                self._loop.call_soon_threadsafe(_settle, group, outcomes)

    def _commit(self, group: list[_Append]) -> list[Exception | None]:
        """What became of each append: None if it is on the disk."""
        try:
            self._writing.execute("BEGIN IMMEDIATE")
            outcomes = [self._put(entries, standing) for entries, standing, _ in group]
            self._writing.execute("COMMIT")
        except Exception as error:
            with suppress(sqlite3.Error):
                self._writing.rollback()
            return [Failed(f"{self._path} could not be written: {error}.") for _ in group]
        return outcomes

    def _put(self, entries: Sequence[Entry], standing: Standing) -> Exception | None:
        """One append within the commit of its group. If it is Taken, or wrong, it alone is undone."""
        db = self._writing
        db.execute("SAVEPOINT alone")
        try:
            check_next(entries, db.execute("SELECT coalesce(max(seq), 0) FROM entries WHERE code = ?", (standing.table,)).fetchone()[0])
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (tuple(vars(entry).values()) for entry in entries))
            db.execute("REPLACE INTO standings VALUES (?, ?, ?, ?, ?, ?)", tuple(vars(standing).values()))
        except (Taken, ValueError, sqlite3.IntegrityError) as error:
            db.execute("ROLLBACK TO alone")
            return Taken("this client message is written already") if isinstance(error, sqlite3.IntegrityError) else error
        finally:
            db.execute("RELEASE alone")
        return None


def _settle(group: list[_Append], outcomes: list[Exception | None]) -> None:
    for (_, _, written), error in zip(group, outcomes):
        if written.done():  # its caller was cancelled
            continue
        if error:
            written.set_exception(error)
        else:
            written.set_result(None)


def store_at(data: Path, database: str = "") -> Store:
    """Where logs are: in a file of a directory, or in PostgreSQL. Refused if there is no such thing."""
    if not database:
        return SqliteStore(data / FILE)
    if not database.startswith(("postgresql://", "postgres://")):
        raise Refused("The database should be an address that begins with postgresql://.")
    try:
        from kortlek.table.postgres import PostgresStore
    except ImportError as missing:
        raise Refused("PostgreSQL needs the extra 'postgres': pip install 'kortlek[postgres]'.") from missing
    return PostgresStore(database)
