"""Copies of a store, and whether one can be relied on: it is opened, its integrity is checked, and the log of every table is replayed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kortlek.engine.plain import Refused
from kortlek.table.file import FORMAT, format_of, wrong_format
from kortlek.table.store import Entry
from kortlek.table.transfer import Advance, check_whole, replayed, tables_in
from kortlek.table.words import in_english

SQLITE = b"SQLite format 3\0"
"""How every SQLite file begins."""
PAGES = 1000
"""How many pages are copied between two reports of progress."""


@dataclass
class Checked:
    """What was found in a copy: how many tables and entries; and why some tables could not be replayed: ``elsewhere`` because the rules of a match
    are not here, ``broken`` because their log cannot have happened."""

    tables: int = 0
    entries: int = 0
    elsewhere: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)

    def replay(self, code: str, entries: list[Entry]) -> None:
        """Replay the log of a table, and count it."""
        self.tables, self.entries = self.tables + 1, self.entries + len(entries)
        try:
            for table in replayed(code, entries):
                if table.stopped and not table.stopped.is_dropped and code not in self.elsewhere:
                    self.elsewhere[code] = f"Table {code}, match {table.matches}: {in_english(table.stopped.reason, table.game)}"
        except Refused as error:
            self.elsewhere.pop(code, None)
            self.broken[code] = str(error)


def copy_file(source: Path, target: Path, advance: Advance) -> None:
    """Copy a SQLite file as it is at this moment, also while a server writes to it. ``advance`` is called with the number of pages copied."""
    with closing(sqlite3.connect(source, isolation_level=None)) as db, closing(sqlite3.connect(target, isolation_level=None)) as copy:
        db.execute("BEGIN")  # one snapshot for all steps: otherwise every commit of the server would begin the copy anew
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        done = 0

        def progress(_status: int, remaining: int, total: int) -> None:
            nonlocal done
            advance(total - remaining - done)
            done = total - remaining

        db.backup(copy, pages=PAGES, progress=progress)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a WAL beside it


def pages_of(source: Path) -> int:
    """How many pages a SQLite file has."""
    with closing(sqlite3.connect(source, isolation_level=None)) as db:
        return int(db.execute("PRAGMA page_count").fetchone()[0])


def tables_of(path: Path) -> int:
    """How many tables are in a copy; for an export, how many entries. For progress only."""
    if not is_sqlite(path):
        with path.open("rb") as file:
            return check_whole(file, path).entries
    with closing(opened(path)) as db, suppress(sqlite3.Error):
        return int(db.execute("SELECT count(*) FROM standings").fetchone()[0])
    return 0


def check_copy(path: Path, advance: Advance) -> Checked:
    """Check a copy of a SQLite file, or an export. ``advance`` is called as in ``tables_of``. Refused if the copy is not whole."""
    found = Checked()
    if is_sqlite(path):
        with closing(opened(path)) as db:
            try:
                _check_file(db, found, advance)
            except sqlite3.Error as error:
                raise Refused(f"{path} is damaged, and cannot be relied on: {error}.") from error
            except Refused as error:
                raise Refused(f"{path} cannot be relied on: {error}.") from error
        return found
    with path.open("rb") as file:
        for code, entries in tables_in(file, check_whole(file, path).entries):
            found.replay(code, entries)
            advance(len(entries))
    return found


def is_sqlite(path: Path) -> bool:
    """Whether a file is a SQLite file, and not an export."""
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def opened(path: Path) -> sqlite3.Connection:
    """A copy, opened to be read only."""
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)


def _check_file(db: sqlite3.Connection, found: Checked, advance: Advance) -> None:
    if (version := format_of(db)) != FORMAT:
        raise Refused(wrong_format(version, FORMAT))
    ((fault,),) = _interruptible(db, "PRAGMA integrity_check(1)")
    if fault != "ok":
        raise Refused(" ".join(str(fault).split()))
    rows: Iterable[Any] = db.execute("SELECT * FROM entries ORDER BY code, seq")
    for code, entries in groupby((Entry(*row) for row in rows), lambda entry: entry.table):
        found.replay(code, list(entries))
        advance(1)
    lost = (
        "SELECT code FROM standings EXCEPT SELECT code FROM entries UNION SELECT * FROM (SELECT code FROM entries EXCEPT SELECT code FROM standings)"
    )
    for (code,) in db.execute(lost):
        found.broken[code] = f"Table {code}: its log or its summary is missing."


def _interruptible(db: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query that may take long: Ctrl-C interrupts it at once."""
    with ThreadPoolExecutor(1) as thread:
        rows = thread.submit(lambda: db.execute(query).fetchall())
        try:
            return rows.result()
        except KeyboardInterrupt:
            db.interrupt()
            raise
