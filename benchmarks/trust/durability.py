"""R1 and R2: nothing that was acknowledged is lost, whatever ends the server."""

from __future__ import annotations

import asyncio

import killing
from forking import forked
from power import powered
from stores import Database, running_postgres
from trust.row import Found, Row, Run

KILLS = {"small": 20, "full": 40, "planted": 20}
"""The kills in a part. The next part has new tables: the check after each kill compares the whole history, which takes longer and longer."""
TABLES = {"small": 20, "full": 50, "planted": 6}


def r1(run: Run) -> Found:
    """Kill the server: in parts with an even number on SQLite, in the others on PostgreSQL."""
    if run.part % 2 == 0:
        with forked(run.data, run.plant("hasty")) as server:
            return found_by(*asyncio.run(killing.evening(server, TABLES[run.size], KILLS[run.size], run.part)), "kills on SQLite")
    with running_postgres() as postgres:
        database = Database(postgres).url
        with forked(run.data, database=database) as server:
            played = asyncio.run(killing.evening(server, TABLES[run.size], KILLS[run.size], run.part, database=database))
        return found_by(*played, "kills on PostgreSQL")


def r2(run: Run) -> Found:
    """Take the power away: what was not synced to the disk is lost."""
    with powered(run.data, run.plant("unsynced"), run.part) as server:
        played, lost = asyncio.run(killing.evening(server, TABLES[run.size], KILLS[run.size], run.part))
    found = found_by(played, lost, "power losses")
    return Found(found.wrong, {**found.counts, "sectors that were not synced": server.lost})


def found_by(played: killing.Evening, lost: list[str], kind: str) -> Found:
    """What was lost in an evening with kills of some kind."""
    return Found(lost, {"acknowledged choices": sum(len(player.acknowledged) for player in played.players), kind: played.kills})


ROWS = (
    Row(
        "R1",
        "acknowledged choices lost or changed by `kill -9`",
        "0 in 1,000 kills each on SQLite and on PostgreSQL, 50 tables",
        r1,
        {"kills on SQLite": 1000, "kills on PostgreSQL": 1000},
        "acknowledging before the commit",
        small=2,
    ),
    Row("R2", "the same by power loss", "0 in 200 power losses, 50 tables", r2, {"power losses": 200}, "`synchronous=NORMAL`"),
)
