"""The SQLite file that holds the logs of the tables: created if missing, checked if present, with durable commits."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from kortlek.engine.plain import Refused

APPLICATION_ID = 0x4B4F5254
"""Marks a SQLite file as kortlek's (its application_id)."""
FORMAT = 1
"""The version of the schema (its user_version)."""
SCHEMA = f"""BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS entries (code TEXT, seq INTEGER, at INTEGER, mid TEXT, body TEXT, PRIMARY KEY (code, seq)) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS mids ON entries (code, mid) WHERE mid <> '';
CREATE TABLE IF NOT EXISTS standings (code TEXT PRIMARY KEY, seq INTEGER, at INTEGER, public INTEGER, status TEXT, line TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS newest ON standings (status, at);
PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; COMMIT"""

MATCHES = """BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS matches (code TEXT, number INTEGER, record TEXT, film BLOB, PRIMARY KEY (code, number));
CREATE INDEX IF NOT EXISTS without_film ON matches (code) WHERE film = x'';
INSERT OR IGNORE INTO matches SELECT code, 0, '', x'' FROM standings; COMMIT"""
"""Matches that have ended (``Ended``). Added later: in a file without it, the ended matches of all logs are still to be found (number 0)."""


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
        raise Refused(f"Tables cannot be kept in {path}: {error}.") from error


def make_ready(db: sqlite3.Connection) -> None:
    """Create the schema in a new database and enable durable commits. Raise Refused if the database is not one of ours."""
    mark, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    is_new = not mark and not version and db.execute("SELECT * FROM sqlite_master").fetchone() is None
    if not is_new and mark != APPLICATION_ID:
        raise Refused("it is the database of another program")
    if not is_new and version != FORMAT:
        raise Refused(f"it has format {version}, not {FORMAT}")
    if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise Refused("its disk is not one on which SQLite can keep a log of its own beside it (WAL)")
    db.executescript("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;" + (SCHEMA if is_new else ""))
    if db.execute("SELECT * FROM sqlite_master WHERE name = 'matches'").fetchone() is None:
        db.executescript(MATCHES)
