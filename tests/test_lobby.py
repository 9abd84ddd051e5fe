"""The lobby: one visitor cannot fill it, people who wait for others are listed first, and nobody's address is stored."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from clients import SHORT
from serving import Server, serving
from test_limits import Place

from kortlek.table.listing import LISTED, LISTED_PER_ADDRESS, Openers, group, listed
from kortlek.table.live import Live
from kortlek.table.protocol.client_in import Leave
from kortlek.table.protocol.lobby_out import LobbyLine
from kortlek.table.store import Standing
from tables import ANN, Room

PUBLIC: dict[str, Any] = {"game": "plump", "public": True}


def in_lobby(server: Server) -> list[str]:
    return [table["code"] for table in server.get("/api/tables")]


def test_200_tables_of_one_visitor_hide_nobody_elses(tmp_path: Path) -> None:
    """They are newer than the others, and opened from a /64 network through a proxy. In the store there is no address."""

    async def story(server: Server) -> None:
        honest = [Place(server).open(public=True)[0] for _ in range(20)]
        spam = []
        for n in range(200):
            here = Place(server)
            here.header = {"X-Forwarded-For": f"2001:db8:{n // 90}:1::{n:x}"}
            spam.append(here.open(public=True)[0])
        shown = in_lobby(server)
        assert set(honest) < set(shown)
        assert len(set(spam) & set(shown)) == 3 * LISTED_PER_ADDRESS, "three networks"

    with serving(tmp_path, "--behind-proxy") as server:
        asyncio.run(story(server))
        server.kill()
    for file in tmp_path.iterdir():
        assert b"2001:db8" not in file.read_bytes() and b"192.0.2." not in file.read_bytes(), file


def test_who_waits_for_others_is_listed_before_matches_and_empty_tables(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        waits, plays, left, empty = (Place(server) for _ in range(4))
        waiting, token = waits.open(public=True)
        playing, its_token = plays.open(**SHORT, public=True, levels=["house"])
        gone, _ = left.open(public=True)
        nobody, _ = empty.open(public=True, name="")
        async with waits.there(waiting, token), plays.there(playing, its_token) as player:
            await player.ask(do="start")
            assert in_lobby(server) == [waiting, playing, gone, nobody]
        assert in_lobby(server)[-1] == nobody

    with serving(tmp_path, "--behind-proxy") as server:
        asyncio.run(story(server))


def table_of(code: str, at: int, **settings: Any) -> Live:
    room = Room(**PUBLIC | settings)
    room.table.code, room.table.told_at = code, at
    return Live(room.table)


def test_at_most_200_tables_are_listed_the_newest_first() -> None:
    live = {f"t{n}": table_of(f"t{n}", n) for n in range(3)}
    one = live["t0"].table.standing()
    many = [Standing(f"s{n}", 1, n, True, "waiting", json.dumps({**json.loads(one.line), "code": f"s{n}"})) for n in range(LISTED + 1)]
    found = [line.code for line in listed(many, {}, Openers())]
    assert found == [f"s{n}" for n in reversed(range(1, LISTED + 1))]
    assert len(listed(many[:LISTED], {}, Openers())) == LISTED


@pytest.mark.parametrize(("count", "shown"), [(LISTED_PER_ADDRESS, LISTED_PER_ADDRESS), (LISTED_PER_ADDRESS + 1, LISTED_PER_ADDRESS)])
def test_of_one_address_five_tables_are_listed(count: int, shown: int) -> None:
    openers, standings = Openers(), []
    for n in range(count):
        standings.append(table_of(f"t{n}", n).table.standing())
        openers.add(f"t{n}", "192.0.2.1")
    standings.append(table_of("other", -1).table.standing())
    openers.add("other", "192.0.2.2")
    found = [line.code for line in listed(standings, {}, openers)]
    assert found == [f"t{n}" for n in reversed(range(count - shown, count))] + ["other"]
    assert "192.0.2" not in str(vars(openers))


def test_people_who_wait_are_listed_although_the_store_has_many_newer_tables() -> None:
    old = table_of("old", 1)
    old.table.present.add(ANN)
    newer = [table_of(f"t{n}", 10 + n).table.standing() for n in range(10)]
    assert [line.code for line in listed(newer, {"old": old}, Openers())][0] == "old"


def test_the_groups_of_the_lobby() -> None:
    def found(live: Live, is_in_memory: bool = True) -> int:
        standing = live.table.standing()
        return group(standing, msgspec.json.decode(standing.line, type=LobbyLine), live if is_in_memory else None)

    waiting = table_of("t", 1)
    assert found(waiting) == 2, "nobody is connected"
    waiting.table.present.add(ANN)
    assert (found(waiting), found(waiting, is_in_memory=False)) == (0, 2)
    waiting.table.locked = True
    assert found(waiting) == 2
    room = Room(**PUBLIC)
    room.asks(ANN, Leave(seat=0))
    assert found(Live(room.table)) == 3
    playing = Room(**PUBLIC)
    playing.begins()
    playing.table.present.add(ANN)
    assert found(Live(playing.table)) == 1
