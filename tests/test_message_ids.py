"""Message ids: a repeated message is applied once, also when the table has forgotten its id, since the store knows all of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kortlek.table import host as host_module
from kortlek.table import table as table_module
from kortlek.table.host import Host
from kortlek.table.protocol.client_in import Lock, Say
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.store import SqliteStore
from kortlek.table.workers import Workers

REMEMBERED = 3


@pytest.mark.parametrize("is_refused_now", [False, True])
def test_an_old_message_is_applied_once_although_its_id_is_forgotten(is_refused_now: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "REMEMBERED_IDS", REMEMBERED)
    monkeypatch.setattr(host_module, "REMEMBERED_IDS", REMEMBERED)

    async def work() -> None:
        host = Host(SqliteStore(tmp_path / "tables.db"), Workers(games=()))
        await host.store.open()
        code, ann = await host.open(Open(game="plump", name="Ann"))
        first = Say(seat=0, text="Hello!", id="first")
        said, _ = await host.ask(code, first, ann)
        for number in range(REMEMBERED + 1):
            await host.ask(code, Lock(locked=number % 2 == 0, id=f"{number}"), ann)
        table = (await host.find(code)).table
        assert "0/first" not in table.answered and len(table.answered) == REMEMBERED
        if is_refused_now:
            table.chairs[0].muted = True
        last = table.seq
        assert (await host.ask(code, first, ann))[0] == said
        assert (await host.find(code)).table.seq == last, "nothing happened again"
        await host.stop()

    asyncio.run(work())
