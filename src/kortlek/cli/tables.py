"""``kortlek tables``: the tables of a server, for whoever runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from cyclopts import App, Parameter

from kortlek.cli.arguments import Data, Database, Json, OwnGames, at_least_one, load_own_games, needs_table, print_json
from kortlek.cli.saved import home
from kortlek.cli.serve import PORT
from kortlek.cli.transfer import check_there, opened
from kortlek.words.columns import in_columns

if TYPE_CHECKING:
    from kortlek.table.store import Store

T = TypeVar("T")
Code = Annotated[str, Parameter(help="The code of the table.")]


def list_tables(
    *,
    limit: Annotated[int, Parameter(help="How many tables, at most.")] = 50,
    data: Data = None,
    database: Database = "",
    json: Json = False,
) -> None:
    """List the tables, those at which something happened last first. Also while the server runs."""
    from kortlek.table.administration import list_tables

    found = with_store(list_tables, data, database)
    shown = found[: at_least_one("--limit", limit)]
    if json:
        print_json({"tables": [asdict(each) for each in shown], "all": len(found)})
        return
    rows = [[each.code, each.status, each.game, moment(each.changed), ", ".join(each.players)] for each in shown]
    print("\n".join(in_columns([["code", "status", "game", "last change", "players"], *rows])) if rows else "There are no tables.")
    if len(found) > len(shown):
        print(f"... and {len(found) - len(shown)} more: see --limit")


def show(code: Code, /, *, data: Data = None, database: Database = "", game: OwnGames = None, json: Json = False) -> None:
    """Show a table: its players, its status, and when something last happened at it. Also while the server runs. No cards are shown."""
    from kortlek.table.administration import show_table

    load_own_games(game)
    found = with_store(lambda store: show_table(store, code), data, database)
    if json:
        print_json(found)
        return
    print(f"Table {code}: {found['game']}, {found['status']}{', public' * found['public']}{', locked' * found['locked']}")
    print(f"Opened {moment(found['opened'])}, last change {moment(found['changed'])}; {found['entries']} entries, {found['matches']} matches begun")
    for seat in found["seats"]:
        what = {"person": "a person", "bot": f"a bot ({seat['level']})", "free": "free"}[seat["player"]]
        points = f", {found['scores'][seat['seat'] - 1]} points" if found["scores"] else ""
        print(f"Seat {seat['seat']}: {seat['name'] + ', ' if seat['name'] else ''}{what}{', away' * seat['away']}{', owner' * seat['owner']}{points}")


def close(code: Code, /, *, data: Data = None, database: Database = "", game: OwnGames = None, json: Json = False) -> None:
    """Close a table: nothing can happen at it any more. Its log is kept. A server with a SQLite file has to be stopped first."""
    from kortlek.table.administration import close_table

    load_own_games(game)
    done = with_store(lambda store: close_table(store, code), data, database, writes=True)
    if json:
        print_json({"code": code, "closed": True})
    else:
        print(f"Table {code} {'is closed' if done else 'was closed already'}")


def delete(code: Code, /, *, data: Data = None, database: Database = "", game: OwnGames = None, json: Json = False) -> None:
    """Delete a table and its log for good. A server with a SQLite file has to be stopped first."""
    from kortlek.table.administration import delete_table

    load_own_games(game)
    with_store(lambda store: delete_table(store, code), data, database, writes=True)
    if json:
        print_json({"code": code, "deleted": True})
    else:
        print(f"Table {code} is deleted")


def hand_over(
    code: Code,
    seat: Annotated[int, Parameter(help="The seat, counted from 1.")],
    /,
    *,
    server: Annotated[str, Parameter(help="The address of the server, for the link.")] = f"http://127.0.0.1:{PORT}",
    data: Data = None,
    database: Database = "",
    game: OwnGames = None,
    json: Json = False,
) -> None:
    """Give the person in a seat a new link, in place of the one that she has lost. A server with a SQLite file has to be stopped first."""
    from kortlek.table.administration import hand_over

    load_own_games(game)
    token = with_store(lambda store: hand_over(store, code, seat), data, database, writes=True)
    link = f"{server.rstrip('/')}/t/{code}#{token}"
    if json:
        print_json({"code": code, "seat": seat, "token": token, "link": link})
    else:
        print(f"Whoever opens this link plays seat {seat}; the former one is no longer valid:\n{link}")


def with_store(work: Callable[[Store], Awaitable[T]], data: Path | None, database: str, writes: bool = False) -> T:
    """The result of some work with the store of a folder or of a database."""
    needs_table()
    check_there(data or home(), database)

    async def run() -> T:
        async with opened(data or home(), database, writes) as store:
            return await work(store)

    return asyncio.run(run())


def moment(milliseconds: int) -> str:
    """A time in words, in the time zone of this machine."""
    return datetime.fromtimestamp(milliseconds / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


app: Any = App(name="tables", help_format="plaintext", help_formatter="plain", default_parameter=Parameter(negative=()), result_action="return_value")
"""``kortlek tables`` and its subcommands."""
app.command(list_tables, name="list")
app.command(show)
app.command(close)
app.command(delete)
app.command(hand_over, name="hand-over")
