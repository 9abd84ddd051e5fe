"""The storage of the tables' logs: the interface of a store, and the store of a single server, a SQLite file.

The log is the only source of truth. An append is durable when it returns, so a choice that is acknowledged after it is never lost.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kortlek.engine.plain import Refused
from kortlek.table.checkpoints import Checkpoints
from kortlek.table.file import connect, is_damage, why
from kortlek.table.leases import Leases

T = TypeVar("T")

FILE = "tables.db"
"""The name of the SQLite file in the data directory."""
KEEP = "REPLACE INTO matches VALUES (?, ?, ?, ?)"
NEVER = 1 << 62
"""A time later than any entry's."""
INSERT = """INSERT INTO entries SELECT * FROM (SELECT ? AS code, ? AS seq, ? AS at, ? AS mid, ? AS body) AS new
WHERE seq = 1 OR EXISTS (SELECT 1 FROM entries AS last WHERE last.code = new.code AND last.seq = new.seq - 1)"""
"""Insert an entry unless it would leave a hole in the log."""
STAND = "REPLACE INTO standings VALUES (?, ?, ?, ?, ?, ?)"
LAST_AT = "(SELECT at FROM entries WHERE entries.code = standings.code ORDER BY seq DESC LIMIT 1)"


@dataclass(frozen=True)
class Entry:
    """One fact in the log of a table."""

    table: str  # the table's code
    seq: int  # 1, 2, ... without gaps
    at: int  # milliseconds since 1970
    mid: str  # the client message id, "" if none
    body: str  # JSON of the fact


@dataclass(frozen=True)
class Standing:
    """The summary of a table, for the lobby and for resuming matches after a start. It is derived from the log and used for nothing else; ``seq`` and
    ``at`` are those of the entry that last changed it."""

    table: str
    seq: int
    at: int
    public: bool
    status: str  # "waiting", "playing", "over", "closed"
    line: str  # JSON for the lobby


@dataclass(frozen=True)
class Ended:
    """A match that has ended: its number at the table, its record (a line), and its film (``archive``), empty until it is made. Number 0 stands for
    all matches of a log that was written elsewhere: its ends are still to be found."""

    number: int
    record: str = ""
    film: bytes = b""


class Taken(Exception):
    """An entry with this number or this client message id is already in the log: read the new entries and check again."""


class Lost(Exception):
    """Another process owns the table by now (kortlek.table.leases): drop it from memory. Nothing was written."""


class Failed(Exception):
    """The disk or the database failed, or the store is closed. Reload a table before writing to it again."""


class Store(Protocol):
    """The logs of all tables. ``(table, seq)`` is unique, and so is ``(table, mid)`` if there is a mid.

    ``append`` writes the next entries of one table, its standing (None: as before), and the match that ends with them: all or nothing, durable
    when it returns. After Taken or Lost, nothing was written. After Failed or a cancellation, it is not certain whether the entries were written.
    ``close`` finishes pending operations; later ones are Failed. Where several processes share the store, a table has to be claimed, and every
    append checks the epoch of the claim.
    """

    @property
    def leases(self) -> Leases | None: ...  # None if only one process uses the store
    async def open(self) -> None: ...  # Refused, with a sentence, if the store cannot be used
    async def close(self) -> None: ...
    async def append(self, entries: Sequence[Entry], standing: Standing | None, ended: Ended | None = None, epoch: int = 0) -> None: ...
    async def read(self, table: str, since: int = 0) -> list[Entry]: ...  # the entries after ``since``, in order
    async def seq_of(self, table: str, mid: str) -> int | None: ...  # the number of the entry with a client message id; None if there is none
    async def standings(self, *, public: bool | None = None, status: str | None = None, limit: int = 200) -> list[Standing]: ...  # newest first
    async def ended(self, table: str, number: int) -> Ended | None: ...  # a match that has ended
    async def without_film(self) -> list[tuple[str, int]]: ...  # tables and numbers of matches that have ended
    async def keep(self, table: str, matches: Sequence[Ended], *, all_found: bool = False) -> None: ...  # all_found: and forget number 0
    async def last_changes(self) -> dict[str, int]: ...  # the time of the last entry of each table
    async def idle(self, before: int, limit: int) -> list[str]: ...  # codes of tables without an entry since then
    async def delete(self, tables: Sequence[str], before: int = NEVER) -> int: ...  # delete those without an entry since then; how many
    async def probe(self) -> None: ...  # a small durable write; Failed if the store cannot be written
    async def damage(self) -> str: ...  # read the whole store; what is wrong with it, or an empty text


def check(entries: Sequence[Entry], standing: Standing | None) -> None:
    """Raise ValueError unless these are consecutive entries of one table, without a repeated client message id."""
    mids = [entry.mid for entry in entries if entry.mid]
    one_table = len({entry.table for entry in entries} | ({standing.table} if standing else set())) == 1 and entries
    if not one_table or len(set(mids)) < len(mids) or any(entry.seq != entries[0].seq + place for place, entry in enumerate(entries)):
        raise ValueError("an append is one or more entries of one table, without holes, no client message twice, and how that table stands")


def check_next(entries: Sequence[Entry], last: int) -> None:
    """Check that the entries follow number ``last``: Taken if the numbers are already used, ValueError if there would be a gap."""
    if entries[0].seq <= last:
        raise Taken(f"number {entries[0].seq} is written already")
    if entries[0].seq > last + 1:
        raise ValueError(f"number {entries[0].seq} would leave a hole after {last}")


_Append = tuple[Sequence[Entry], Standing | None, Ended | None, asyncio.Future[None]]
_Job = tuple[Callable[[sqlite3.Connection], Any], asyncio.Future[Any]]


class SqliteStore:
    """The logs in one SQLite file, for one process. A single thread writes: all queued appends go into one commit, so that many players share one
    wait for the disk. A second process on the same file is harmless (one of the two gets Taken), but neither is notified of the other's entries."""

    leases = None

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).absolute()
        self._queued: list[_Append] = []
        self._jobs: list[_Job] = []
        self._wake = threading.Condition()
        self._open = False
        self._checking: sqlite3.Connection | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writing, self._reading = await asyncio.to_thread(lambda: (connect(self._path), connect(self._path)))
        self._checkpoints = await asyncio.to_thread(Checkpoints, self._path)
        self._reader = ThreadPoolExecutor(1, "kortlek-read")
        self._writer = threading.Thread(target=self._write, name="kortlek-write", daemon=True)
        self._open = True
        self._writer.start()

    async def close(self) -> None:
        with self._wake:
            was_open, self._open = self._open, False
            self._wake.notify()
        if was_open:
            if self._checking:
                self._checking.interrupt()
            await asyncio.to_thread(self._writer.join)
            await asyncio.to_thread(self._reader.shutdown)
            await asyncio.to_thread(self._checkpoints.close)
            self._reading.close()
            await asyncio.to_thread(self._writing.close)

    async def append(self, entries: Sequence[Entry], standing: Standing | None, ended: Ended | None = None, epoch: int = 0) -> None:
        check(entries, standing)
        self._check_open()
        written = self._loop.create_future()
        with self._wake:
            self._queued.append((entries, standing, ended, written))
            self._wake.notify()
        await written

    async def read(self, table: str, since: int = 0) -> list[Entry]:
        return [Entry(*row) for row in await self._select("SELECT * FROM entries WHERE code = ? AND seq > ? ORDER BY seq", table, since)]

    async def seq_of(self, table: str, mid: str) -> int | None:
        rows = await self._select("SELECT seq FROM entries WHERE code = ? AND mid = ? AND mid <> ''", table, mid)
        return rows[0][0] if rows else None

    async def standings(self, *, public: bool | None = None, status: str | None = None, limit: int = 200) -> list[Standing]:
        wanted = {column: value for column, value in (("public", public), ("status", status)) if value is not None}
        where = " AND ".join(["true", *(f"{column} = ?" for column in wanted)])
        rows = await self._select(f"SELECT * FROM standings WHERE {where} ORDER BY at DESC, code LIMIT ?", *wanted.values(), limit)
        return [Standing(code, seq, at, bool(open_to_all), *rest) for code, seq, at, open_to_all, *rest in rows]

    async def ended(self, table: str, number: int) -> Ended | None:
        found = await self._select("SELECT number, record, film FROM matches WHERE code = ? AND number = ?", table, number)
        return Ended(*found[0]) if found else None

    async def without_film(self) -> list[tuple[str, int]]:
        return [(code, number) for code, number in await self._select("SELECT code, number FROM matches WHERE film = x''")]

    async def keep(self, table: str, matches: Sequence[Ended], *, all_found: bool = False) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.executemany(KEEP, [(table, each.number, each.record, each.film) for each in matches])
            if all_found:
                db.execute("DELETE FROM matches WHERE code = ? AND number = 0", (table,))

        await self._do(work)

    async def last_changes(self) -> dict[str, int]:
        return dict(await self._select(f"SELECT code, {LAST_AT} FROM standings"))

    async def idle(self, before: int, limit: int) -> list[str]:
        query = f"SELECT code FROM standings WHERE at < ? AND {LAST_AT} < ? ORDER BY at, code LIMIT ?"
        return [code for (code,) in await self._select(query, before, before, limit)]

    async def delete(self, tables: Sequence[str], before: int = NEVER) -> int:
        def work(db: sqlite3.Connection) -> int:
            query = f"SELECT code FROM standings WHERE code = ? AND {LAST_AT} < ?"
            gone = [row for code in tables for row in db.execute(query, (code, before)).fetchall()]
            db.executemany("DELETE FROM entries WHERE code = ?", gone)
            db.executemany("DELETE FROM standings WHERE code = ?", gone)
            db.executemany("DELETE FROM matches WHERE code = ?", gone)
            return len(gone)

        return await self._do(work)

    async def probe(self) -> None:
        await self._do(lambda db: db.execute("UPDATE probe SET at = at + 1").close())

    async def damage(self) -> str:
        def work() -> str:
            with closing(connect(self._path)) as self._checking:
                self._check_open()  # from here on, closing the store interrupts the check
                return " ".join(str(self._checking.execute("PRAGMA quick_check(1)").fetchone()[0]).split())

        self._check_open()
        try:
            found = await asyncio.to_thread(work)
        except sqlite3.Error as error:
            if not is_damage(error):
                raise Failed(f"{self._path} could not be checked: {error}.") from error
            found = str(error)
        finally:
            self._checking = None
        return "" if found == "ok" else f"{self._path} is damaged ({found})"

    def _check_open(self) -> None:
        if not self._open:
            raise Failed("The store is closed.")

    async def _select(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query, read by a separate thread and connection, so that neither the event loop nor the writer is blocked."""
        self._check_open()
        try:
            return await self._loop.run_in_executor(self._reader, lambda: self._reading.execute(query, values).fetchall())
        except sqlite3.Error as error:
            raise Failed(f"{self._path} could not be read: {why(error)}.") from error

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The result of some work in a transaction of its own, in the writer's thread."""
        self._check_open()
        done = self._loop.create_future()
        with self._wake:
            self._jobs.append((work, done))
            self._wake.notify()
        return await done  # type: ignore[no-any-return]

    # ---- in the writer's thread

    def _write(self) -> None:
        """Commit all queued appends and resolve their futures, until the store is closed and the queue is empty."""
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._queued or self._jobs or not self._open)
                group, self._queued = self._queued, []
                jobs, self._jobs = self._jobs, []
            if not group and not jobs:
                return
            if group:
                self._tell([written for *_, written in group], self._commit(group))
            for work, done in jobs:
                try:
                    with self._transaction():
                        outcome = work(self._writing)
                except Failed as error:
                    outcome = error
                self._tell([done], [outcome])

    def _tell(self, waiting: Sequence[asyncio.Future[Any]], outcomes: Sequence[Any]) -> None:
        with suppress(RuntimeError):  # the event loop is closed, and nobody waits any more
            self._loop.call_soon_threadsafe(_settle, waiting, outcomes)

    def _commit(self, group: list[_Append]) -> list[Exception | None]:
        """Commit a group of appends; the error of each, or None if it is durable."""
        try:
            with self._transaction():
                return self._put_together(group) or [self._put(entries, standing, ended) for entries, standing, ended, _ in group]
        except Failed as error:
            return [Failed(str(error)) for _ in group]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """A transaction that is durable at the end of the block; Failed if anything goes wrong."""
        with self._checkpoints.lock:
            try:
                self._writing.execute("BEGIN IMMEDIATE")
                yield
                self._writing.execute("COMMIT")
                self._checkpoints.written = True
            except Exception as error:
                with suppress(sqlite3.Error):
                    self._writing.rollback()
                raise Failed(f"{self._path} could not be written: {why(error)}.") from error

    def _put_together(self, group: list[_Append]) -> list[Exception | None]:
        """Execute all appends with one statement. If any of them cannot be, none is, and nothing is returned."""
        db = self._writing
        rows = [(entry.table, entry.seq, entry.at, entry.mid, entry.body) for entries, *_ in group for entry in entries]
        db.execute("SAVEPOINT together")
        with suppress(sqlite3.IntegrityError, ValueError):
            if db.executemany(INSERT, rows).rowcount == len(rows):
                db.executemany(STAND, (tuple(vars(standing).values()) for _, standing, *_ in group if standing))
                db.executemany(KEEP, ((entries[0].table, *vars(ended).values()) for entries, _, ended, _ in group if ended))
                return [None] * len(group)
        db.execute("ROLLBACK TO together")
        return []

    def _put(self, entries: Sequence[Entry], standing: Standing | None, ended: Ended | None) -> Exception | None:
        """Execute one append within the transaction of its group. If it fails, only this append is rolled back."""
        db = self._writing
        db.execute("SAVEPOINT alone")
        try:
            check_next(entries, db.execute("SELECT coalesce(max(seq), 0) FROM entries WHERE code = ?", (entries[0].table,)).fetchone()[0])
            db.executemany(INSERT, (tuple(vars(entry).values()) for entry in entries))
            if standing:
                db.execute(STAND, tuple(vars(standing).values()))
            if ended:
                db.execute(KEEP, (entries[0].table, *vars(ended).values()))
        except (Taken, ValueError, sqlite3.IntegrityError) as error:
            db.execute("ROLLBACK TO alone")
            return Taken("this client message is written already") if isinstance(error, sqlite3.IntegrityError) else error
        finally:
            db.execute("RELEASE alone")
        return None


def _settle(waiting: Sequence[asyncio.Future[Any]], outcomes: Sequence[Any]) -> None:
    for future, outcome in zip(waiting, outcomes):
        if future.done():  # its caller was cancelled
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def store_at(data: Path, database: str = "") -> Store:
    """The store for these settings: a SQLite file in the data directory, or PostgreSQL. Refused if the settings are not valid."""
    if not database:
        return SqliteStore(data / FILE)
    if not database.startswith(("postgresql://", "postgres://")):
        raise Refused("The database should be an address that begins with postgresql://.")
    try:
        from kortlek.table.postgres import PostgresStore
    except ImportError as missing:
        raise Refused("PostgreSQL needs the extra 'postgres': pip install 'kortlek[postgres]'.") from missing
    return PostgresStore(database)
