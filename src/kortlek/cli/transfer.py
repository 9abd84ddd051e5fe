"""``kortlek export`` and ``kortlek import``: tables in a file, as a backup or to move them to another server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kortlek.cli.arguments import Data, Database, Json, OwnGames, load_own_games, needs_table, print_json
from kortlek.cli.progress import progress
from kortlek.cli.saved import home
from kortlek.engine.plain import Refused

if TYPE_CHECKING:
    from kortlek.table.store import Store
    from kortlek.table.transfer import Brought

Tables = Annotated[list[str] | None, Parameter(name="--table", help="The code of a table; may be repeated. Without it: all tables.")]
Overwrite = Annotated[bool, Parameter(show_default=False, help="Write the file even if it exists.")]


def export_tables(
    file: Annotated[Path, Parameter(help="The file to write.")],
    /,
    *,
    table: Tables = None,
    data: Data = None,
    database: Database = "",
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Write tables to a file, also while the server runs. The file contains every card: keep it private."""
    needs_table()
    check_new(file, overwrite)
    told = asyncio.run(write_export(file, table or [], data or home(), database))
    if json:
        print_json({"file": str(file), **told})
    else:
        print(f"{counted(len(told['tables']), 'table')} with {counted(told['entries'], 'entry')} in {file}")


async def write_export(file: Path, codes: list[str], data: Path, database: str) -> dict[str, Any]:
    """Write these tables, or all if none are named, to a file; what was written."""
    from kortlek.table import transfer

    check_there(data, database)
    async with opened(data, database) as store:
        chosen = sorted(set(codes)) or await transfer.all_codes(store)
        with progress("tables", len(chosen)) as advance:
            return {"tables": chosen, "entries": await transfer.export_tables(store, file, chosen, advance)}


def import_tables(
    file: Annotated[Path, Parameter(help="A file that kortlek export has written.")],
    /,
    *,
    table: Tables = None,
    data: Data = None,
    database: Database = "",
    game: OwnGames = None,
    json: Json = False,
) -> None:
    """Add the tables of a file, after checking all their events. Players keep their links and tokens."""
    needs_table()
    load_own_games(game)
    told: list[dict[str, Any]] = []

    def brought(one: Brought) -> None:
        told.append({"table": one.code, "before": one.before, "added": one.added, "notice": one.notice})
        if not json:
            added = f"{counted(one.added, 'entry')} added" if one.added else "nothing to add"
            print(f"{one.code}: {added}{f', {one.before} here already' if one.before else ''}{f'. {one.notice}' if one.notice else ''}")

    asyncio.run(_import(file, table or [], data or home(), database, brought))
    if json:
        print_json({"file": str(file), "tables": told})


async def _import(file: Path, codes: list[str], data: Path, database: str, brought: Any) -> None:
    from kortlek.table import transfer

    with file.open("rb") as opening:
        total = transfer.check_whole(opening, file).entries
    async with opened(data, database, writes=True) as store:
        with progress("entries", 2 * total) as advance:
            await transfer.import_tables(store, file, codes, advance, brought)


@asynccontextmanager
async def opened(data: Path, database: str, writes: bool = False) -> AsyncIterator[Store]:
    """Open the store of a folder or of a database. Raises Refused with a sentence if it cannot be read or written; also if a server uses the folder
    and the command ``writes``."""
    from kortlek.table.lock import only_writer
    from kortlek.table.store import FILE, Failed, store_at

    store = store_at(data, database)
    with only_writer(data / FILE) if writes and not database else nullcontext():
        await store.open()
        try:
            yield store
        except Failed as error:
            raise Refused(str(error)) from error
        finally:
            await store.close()


def check_new(file: Path, overwrite: bool) -> None:
    """Raise Refused if a file exists and may not be overwritten."""
    if file.exists() and not overwrite:
        raise Refused(f"{file} exists already: name another file or add --overwrite.")


def check_there(data: Path, database: str) -> None:
    """Raise Refused if there are no tables in a folder."""
    from kortlek.table.store import FILE

    if not database and not (data / FILE).exists():
        raise Refused(f"There are no tables in {data}.")


def counted(number: int, what: str) -> str:
    """``1 entry``, ``2 entries``."""
    return f"{number} {what if number == 1 else what[:-1] + 'ies' if what.endswith('y') else what + 's'}"
