"""Migration of a store to the format of this version of Kortlek. A SQLite file is copied first; either all steps are made or none."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kortlek.engine.plain import Refused
from kortlek.table.backups import copy_file
from kortlek.table.file import FORMAT, connect, format_of, raise_format, why, wrong_format
from kortlek.table.lock import only_writer
from kortlek.table.transfer import Advance, complete_file


@dataclass(frozen=True)
class Migrated:
    """The format that a store had and the one it has now, and the copy that was made before (None: there was nothing to do, or a database)."""

    before: int
    now: int
    copy: Path | None = None


def migrate_file(path: Path, advance: Advance) -> Migrated:
    """Migrate a SQLite file, after copying it to a file beside it. Refused if a server uses it, or if it is not one of ours or of a newer format."""
    with only_writer(path):
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                before = format_of(db)
                if before > FORMAT:
                    raise Refused(wrong_format(before, FORMAT))
                if before == FORMAT:
                    return Migrated(before, FORMAT)
                copy = free_name(path, before)
                with complete_file(copy) as name:
                    copy_file(path, name, advance)
                db.execute("PRAGMA synchronous = FULL")
                raise_format(db)
            connect(path).close()
        except (OSError, sqlite3.Error, Refused) as error:
            raise Refused(f"{path} cannot be migrated: {why(error)}.") from error
        return Migrated(before, FORMAT, copy)


def free_name(path: Path, version: int) -> Path:
    """A name for the copy of a file of this format that no file has yet."""
    names = (path.with_name(f"{path.name}.format-{version}{f'-{n}' if n else ''}") for n in range(1000))
    return next(name for name in names if not name.exists())


def migrate_database(url: str) -> Migrated:
    """Migrate a PostgreSQL database, in one transaction. Refused if it cannot be used."""
    from kortlek.table import postgres

    return Migrated(*asyncio.run(postgres.migrate(url)))
