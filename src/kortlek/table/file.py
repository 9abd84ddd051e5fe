"""The SQLite file that holds the logs of the tables: created if missing, checked if present, with durable commits. Its formats, and the steps between
them."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from kortlek.engine.plain import Refused

APPLICATION_ID = 0x4B4F5254
"""Marks a SQLite file as kortlek's (its application_id)."""
STEPS = {
    1: """
        CREATE TABLE entries (code TEXT, seq INTEGER, at INTEGER, mid TEXT, body TEXT, PRIMARY KEY (code, seq)) WITHOUT ROWID;
        CREATE UNIQUE INDEX mids ON entries (code, mid) WHERE mid <> '';
        CREATE TABLE standings (code TEXT PRIMARY KEY, seq INTEGER, at INTEGER, public INTEGER, status TEXT, line TEXT) WITHOUT ROWID;
        CREATE INDEX newest ON standings (status, at);""",
    2: """
        CREATE INDEX newest_public ON standings (public, at);
        CREATE INDEX newest_of_all ON standings (at);
        CREATE TABLE probe (at INTEGER);
        INSERT INTO probe VALUES (0);
        CREATE TABLE matches (code TEXT, number INTEGER, record TEXT, film BLOB, PRIMARY KEY (code, number)) WITHOUT ROWID;
        CREATE INDEX without_film ON matches (code) WHERE film = x'';
        INSERT INTO matches SELECT code, 0, '', x'' FROM standings;""",
}
"""What each format of the schema (the file's user_version) adds to the one before. Format 2 also marks logs in which a table may be closed and a seat
handed over, which older versions of Kortlek cannot read."""
FORMAT = max(STEPS)
WAL_LIMIT = 32 << 20
"""The size in bytes at which the write-ahead log is begun anew (see ``checkpoints``)."""
RESTORE = "put a backup in its place, as docs/serving.md says"


def connect(path: Path) -> sqlite3.Connection:
    """Open the file and check it; create it, readable by its owner only, if it is missing. Commits are durable when they return. Raise Refused if the
    file cannot be used."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):  # O_EXCL: closing a file that is in use would release SQLite's locks on it
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with ExitStack() as if_it_fails:
            db = if_it_fails.enter_context(closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)))
            make_ready(db)
            if_it_fails.pop_all()
            return db
    except (OSError, sqlite3.Error, Refused) as error:
        raise Refused(f"Tables cannot be kept in {path}: {why(error)}.") from error


def why(error: Exception) -> str:
    """An error in words; a damaged file also says what to do."""
    return f"{error}; {RESTORE}" if is_damage(error) else str(error)


def is_damage(error: Exception) -> bool:
    """Whether SQLite says that the file is damaged, or no database at all."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def make_ready(db: sqlite3.Connection) -> None:
    """Create the schema in a new database and enable durable commits. Raise Refused if the database is not one of ours, or of another format."""
    version = format_of(db)
    if version not in (0, FORMAT):
        raise Refused(wrong_format(version, FORMAT))
    if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise Refused("its disk is not one on which SQLite can keep a log of its own beside it (WAL)")
    db.executescript(f"PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = {WAL_LIMIT}")
    if not version:
        raise_format(db)


def format_of(db: sqlite3.Connection) -> int:
    """The format of a database; 0 if it is new. Refused if it is not one of ours."""
    mark, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if not mark and not version and db.execute("SELECT * FROM sqlite_master").fetchone() is None:
        return 0
    if mark != APPLICATION_ID:
        raise Refused("it is the database of another program")
    return int(version)


def wrong_format(found: int, ours: int) -> str:
    """Why a store of this format is not opened, and what to do."""
    if found > ours:
        return f"it has format {found}, and this version of Kortlek reads only {ours}: use the version that wrote it, or a newer one"
    return f"it has format {found}, not {ours}: stop every server and run kortlek migrate"


def raise_format(db: sqlite3.Connection) -> None:
    """Bring a database to the newest format, step by step: all steps or none."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in range(format_of(db) + 1, FORMAT + 1):  # read again: another process may have been first
            for statement in STEPS[step].split(";"):
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {FORMAT}")
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
