"""``kortlek backup`` and ``kortlek migrate``: a checked copy of all tables, and the format in which they are stored."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kortlek.cli.arguments import Data, Database, Json, OwnGames, load_own_games, needs_table, print_json
from kortlek.cli.progress import progress
from kortlek.cli.saved import home
from kortlek.cli.transfer import Overwrite, check_new, check_there, counted, write_export
from kortlek.engine.plain import Refused

if TYPE_CHECKING:
    from kortlek.table.backups import Checked

BROKEN = 1
"""The exit code if some tables of a copy cannot be replayed."""


def backup(
    file: Annotated[Path, Parameter(help="The file to write, or to check.")],
    /,
    *,
    check: Annotated[bool, Parameter(show_default=False, help="Write nothing: only check a copy that was made before.")] = False,
    data: Data = None,
    database: Database = "",
    game: OwnGames = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> int:
    """Copy all tables to a file, also while the server runs: a SQLite file, or for PostgreSQL an export. Then read the copy, check it and replay
    every match. The file appears when it has been checked. It contains every card: keep it private. Exit code 1 if some tables cannot be replayed."""
    needs_table()
    load_own_games(game)
    if not check:
        check_new(file, overwrite)
        check_there(data or home(), database)
    found = checked(file) if check else copied(file, data or home(), database)
    if json:
        print_json({"file": str(file), **vars(found)})
    else:
        print(f"{counted(found.tables, 'table')} with {counted(found.entries, 'entry')} in {file}, checked")
        for why in found.elsewhere.values():
            print(f"Not replayed. {why}")
    for why in found.broken.values():
        print(why, file=sys.stderr)
    return BROKEN if found.broken else 0


def copied(file: Path, data: Path, database: str) -> Checked:
    """Copy a store to a file that is complete and checked when it gets its name."""
    from kortlek.table import backups
    from kortlek.table.file import connect
    from kortlek.table.store import FILE
    from kortlek.table.transfer import complete_file

    with complete_file(file) as name:
        if database:
            asyncio.run(write_export(name, [], data, database))
        else:
            connect(data / FILE).close()  # one of ours, and of this format
            with progress("pages", backups.pages_of(data / FILE)) as advance:
                backups.copy_file(data / FILE, name, advance)
        try:
            return checked(name)
        except Refused as error:
            raise Refused(f"{file} was not written: {str(error).replace(str(name), 'the copy')}") from error


def checked(file: Path) -> Checked:
    """Check a copy."""
    from kortlek.table import backups

    with progress("checked", backups.tables_of(file)) as advance:
        return backups.check_copy(file, advance)


def migrate(*, data: Data = None, database: Database = "", json: Json = False) -> None:
    """Bring the tables of an older version of Kortlek to the format of this one. Stop every server first. A SQLite file is copied to one beside it
    before; back up a database yourself."""
    needs_table()
    from kortlek.table import backups
    from kortlek.table.migrate import migrate_database, migrate_file
    from kortlek.table.store import FILE, store_at

    folder = data or home()
    check_there(folder, database)
    store_at(folder, database)  # Refused if these settings are not possible
    if database:
        done = migrate_database(database)
    else:
        with progress("pages", backups.pages_of(folder / FILE)) as advance:
            done = migrate_file(folder / FILE, advance)
    if json:
        print_json({"before": done.before, "now": done.now, "copy": str(done.copy) if done.copy else None})
    elif done.before == done.now:
        print(f"There is nothing to do: the tables have format {done.now}")
    else:
        print(f"The tables have format {done.now} now, not {done.before}{f'; a copy as they were is in {done.copy}' if done.copy else ''}")
