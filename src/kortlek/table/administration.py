"""What whoever runs a server may do with its tables: look at them, close or delete them, and give a player her seat back. What changes a table is a
fact in its log, like everything else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from kortlek.engine.plain import Refused, shorten
from kortlek.table import facts
from kortlek.table.host import new_token
from kortlek.table.live import milliseconds
from kortlek.table.store import Entry, Lost, Store, Taken
from kortlek.table.table import STRANGER, Table, hashed
from kortlek.table.transfer import EVERY, claimed, rebuilt

TRIES = 20
"""How often a fact is tried if a server writes to the same log at the same time."""


@dataclass(frozen=True)
class Listed:
    """A table in the list: its code, status and game, the names of its players (bots with their level), and when something last happened at it."""

    code: str
    status: str
    game: str
    players: list[str]
    changed: int


async def list_tables(store: Store) -> list[Listed]:
    """All tables, those at which something happened last first."""
    changes = await store.last_changes()
    found = []
    for standing in await store.standings(limit=EVERY):
        line = json.loads(standing.line)
        players = [f"{seat['name']} ({seat['level']})" if seat["level"] else seat["name"] for seat in line["seats"] if seat["name"]]
        found.append(Listed(standing.table, standing.status, line["game"], players, changes.get(standing.table, standing.at)))
    return sorted(found, key=lambda each: (-each.changed, each.code))


async def show_table(store: Store, code: str) -> dict[str, Any]:
    """A table as plain data, without cards, secrets and tokens. Seats are counted from 1."""
    table, log = await load(store, code)
    seats = [
        {
            "seat": seat,
            "name": name,
            "player": "person" if chair.person != STRANGER else "bot" if chair.level else "free",
            "level": chair.level,
            "away": chair.away,
            "owner": chair.person == table.owner != STRANGER,
        }
        for seat, (name, chair) in enumerate(zip(table.names, table.chairs, strict=True), 1)
    ]
    return {
        "code": code,
        "status": table.standing().status,
        "game": table.game.name,
        "public": table.settings.public,
        "locked": table.locked,
        "opened": log[0].at,
        "changed": table.at,
        "entries": table.seq,
        "matches": table.matches,
        "scores": list(table.match.scores) if table.match else None,
        "seats": seats,
    }


class Owned(Refused):
    """A running server owns the table: only that server may write to it."""


async def close_table(store: Store, code: str) -> bool:
    """Close a table: nothing can happen at it any more. False if it was closed already."""
    for _ in range(TRIES):
        table, _ = await load(store, code)
        if table.closed:
            return False
        if await _append(store, table, facts.Closed()):
            return True
    raise Refused(f"Table {code} is too busy to be closed: try again.")


async def delete_table(store: Store, code: str) -> None:
    """Close a table and delete its log. A server that holds it in memory is told that it was closed, and writes nothing more to it."""
    try:
        await close_table(store, code)
    except Owned:
        raise
    except Refused:  # it may be here without being playable: its game is missing, or its log is damaged
        if not await store.read(code):
            raise
    await store.delete([code])


async def hand_over(store: Store, code: str, seat: int) -> str:
    """A new token for the person in a seat, counted from 1, which takes the place of her former one."""
    for _ in range(TRIES):
        table, _ = await load(store, code)
        if not 1 <= seat <= len(table.chairs):
            raise Refused(f"Table {code} has no seat {seat}: its seats are 1 to {len(table.chairs)}.")
        if table.chairs[seat - 1].person == STRANGER:
            raise Refused(f"There is no person in seat {seat} of table {code}.")
        if table.closed:
            raise Refused(f"Table {code} is closed.")
        token = new_token()
        if await _append(store, table, facts.Handed(seat=seat - 1, token=hashed(token))):
            return token
    raise Refused(f"Table {code} is too busy: try again.")


async def load(store: Store, code: str) -> tuple[Table, list[Entry]]:
    """A table and its log. Refused if there is none with this code, or if it cannot be replayed."""
    log = await store.read(code)
    if not log:
        raise Refused(f"There is no table {shorten(code)!r}.")
    return rebuilt(code, log), log


async def _append(store: Store, table: Table, fact: facts.AnyFact) -> bool:
    """Append a fact to the log of a table; False if a server was faster, and the table has to be loaded again."""
    (entry,) = table.entries([fact], milliseconds())
    table.take(entry)
    try:
        await store.append([entry], table.standing(), epoch=await claimed(store, table.code))
    except Lost:
        raise Owned(f"A running server owns table {table.code}: stop that server first, or wait until nobody is at the table.") from None
    except Taken:
        return False
    return True
