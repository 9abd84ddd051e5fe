"""Nothing that was acknowledged is ever lost, changed or applied twice, however often the server is killed (SIGKILL), the power fails, or connections
are cut or fall silent."""

from __future__ import annotations

import asyncio
from pathlib import Path

import cutting
import pytest
from forking import forked
from killing import evening, logs_in
from power import powered
from serving import serving, soon
from tables import after

from kortlek.table import facts, handlers
from kortlek.table.client import Remote
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.store import SqliteStore
from kortlek.table.table import REMEMBERED_LINES, Table

TABLES, KILLS = 6, 20
CUTS = 100
HOLES = 30
KILLS_OF_THE_COMMAND = 2
"""How often ``kortlek serve`` itself is killed, which takes longer to start than a forked server."""


def test_no_acknowledged_choice_is_lost_or_changed(tmp_path: Path) -> None:
    with forked(tmp_path) as server:
        played, lost = asyncio.run(evening(server, TABLES, KILLS, 1))
    assert lost == []
    assert played.kills == KILLS and all(player.acknowledged for player in played.players)
    logs = asyncio.run(logs_in(tmp_path, set(played.logs)))
    assert len(logs) == TABLES
    for code, log in logs.items():
        assert log[: len(played.logs[code])] == played.logs[code]
        assert after(Table(code), log)[0].seq == len(log)


def test_the_command_loses_nothing_either(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        played, lost = asyncio.run(evening(server, TABLES, KILLS_OF_THE_COMMAND, 2))
    assert lost == []
    assert played.kills == KILLS_OF_THE_COMMAND


@pytest.mark.parametrize("is_read", [True, False], ids=["by reading the file", "by asking the server"])
def test_acknowledging_before_the_commit_is_found(is_read: bool, tmp_path: Path) -> None:
    with forked(tmp_path, plant="hasty") as server:
        _, lost = asyncio.run(evening(server, TABLES, KILLS, 1, is_read))
    assert lost


@pytest.mark.parametrize("plant", ["", "unsynced"], ids=["as it is", "planted: synchronous=NORMAL"])
def test_a_power_failure_loses_nothing_that_was_acknowledged(plant: str, tmp_path: Path) -> None:
    with powered(tmp_path / "data", plant) as server:
        played, lost = asyncio.run(evening(server, TABLES, KILLS, 1))
    assert bool(lost) == bool(plant)
    assert server.lost, "some of what was written was not synced"
    assert plant or (played.kills == KILLS and all(player.acknowledged for player in played.players))


LINES = 600


def test_who_has_missed_a_lot_gets_a_snapshot_and_the_latest_lines(tmp_path: Path) -> None:
    table = Table("bk7q2x")
    made = handlers.open_table(Open(game="plump", name="Ada"), "token of Ada")
    log = table.entries([*made, *(facts.Said(seat=0, text=f"line {number}") for number in range(LINES))], 1)

    async def write() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        await store.append(log, after(table, log)[0].standing())
        await store.close()

    async def told(server: str) -> tuple[int, list[str]]:
        remote = Remote(server, table.code, "token of Ada")
        async for message in remote.messages():
            if message["type"] == "snapshot":
                await remote.send(do="history")
            elif message["type"] == "recalled":
                return message["seq"], [each["text"] for each in message["views"][0]["news"]]
        raise AssertionError("there is no history")

    asyncio.run(write())
    with forked(tmp_path) as server:
        lines = [f"line {number}" for number in range(LINES)]
        assert asyncio.run(soon(told(server.url))) == (len(log), lines[-REMEMBERED_LINES:])


def test_each_message_happens_once_however_often_connections_are_cut(tmp_path: Path) -> None:
    with forked(tmp_path) as server:
        wrong, answered = asyncio.run(cutting.evening(server, CUTS, 1))
    assert wrong == []
    assert answered


def test_a_message_that_happens_twice_is_found(tmp_path: Path) -> None:
    with forked(tmp_path, plant="forgetful") as server:
        assert any(asyncio.run(cutting.evening(server, CUTS, seed))[0] for seed in range(1, 9)), "sooner or later a message is sent again"


def test_each_message_happens_once_although_connections_fall_silent(tmp_path: Path) -> None:
    """What is sent in one direction gets lost and nobody is told: both ends notice by their own pings."""
    with forked(tmp_path, "impatient") as server:
        wrong, answered = asyncio.run(cutting.evening(server, 0, 1, HOLES))
    assert wrong == []
    assert answered
