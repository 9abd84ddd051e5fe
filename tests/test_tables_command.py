"""``kortlek tables``: what whoever runs a server may do with its tables; and retention."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from clients import there
from running import run
from serving import Server, serving, wait_for
from stores import Database
from tables import ANN, BO, playing, room
from test_transfer import TOKEN, keep, kept, log_of, refused

from kortlek.engine.plain import Refused
from kortlek.table import administration, clocks, facts, retention, transfer
from kortlek.table.host import Host
from kortlek.table.live import Live, milliseconds
from kortlek.table.protocol.client_in import Join, Say, Start
from kortlek.table.store import Store, store_at
from kortlek.table.table import Table
from kortlek.table.workers import Workers

pytest_plugins = ["stores"]
DAY = 24 * 3600 * 1000


@pytest.fixture(params=["file", "database"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> list[object]:
    """The arguments that name a store with three tables."""
    place: Any = tmp_path / "data" if request.param == "file" else request.getfixturevalue("database").url
    keep(place, log_of("bbbbbb"), log_of("cccccc", 0), log_of("dddddd", 20, name=""))
    return ["--data" if request.param == "file" else "--database", place]


def test_tables_are_listed_newest_first(where: list[object]) -> None:
    found = run("tables", "list", *where, "--json").json()
    logs = {code: log for code, (log, _) in kept(where[1]).items()}  # type: ignore[arg-type]
    assert [(each["code"], each["changed"]) for each in found["tables"]] == [
        (code, logs[code][-1].at) for code in sorted(logs, key=lambda code: -logs[code][-1].at)
    ]
    assert found["all"] == 3
    (listed,) = (each for each in found["tables"] if each["code"] == "bbbbbb")
    assert (listed["status"], listed["game"], listed["players"]) == ("playing", "up_and_down", ["Åsa", "Lisa (random)"])
    lines = run("tables", "list", *where, "--limit", 2).out.splitlines()
    assert lines[0].split() == ["code", "status", "game", "last", "change", "players"]
    assert (lines[1].split()[0], lines[3]) == ("dddddd", "... and 1 more: see --limit")


def test_a_table_is_shown_without_cards_and_secrets(where: list[object]) -> None:
    ran = run("tables", "show", "bbbbbb", *where)
    assert ran.out.startswith("Table bbbbbb: up_and_down, playing, public\n")
    assert "\nSeat 1: Åsa, a person, owner, " in ran.out and "\nSeat 2: Lisa, a bot (random), " in ran.out
    found = run("tables", "show", "bbbbbb", *where, "--json")
    log = kept(where[1])["bbbbbb"][0]  # type: ignore[arg-type]
    assert found.json()["entries"] == len(log)
    for fact in (facts.read(entry.body) for entry in log):
        for hidden in (getattr(fact, "secret", ""), getattr(fact, "token", ""), getattr(fact, "event", "")):
            assert not hidden or hidden not in found.out + ran.out


def test_a_closed_table_is_kept_and_nothing_happens_at_it(where: list[object]) -> None:
    assert run("tables", "close", "bbbbbb", *where).out == "Table bbbbbb is closed\n"
    assert run("tables", "close", "bbbbbb", *where).out == "Table bbbbbb was closed already\n"
    log, standing = kept(where[1])["bbbbbb"]  # type: ignore[arg-type]
    assert log[:-1] == log_of_same(log) and isinstance(facts.read(log[-1].body), facts.Closed)
    assert (standing.status, standing.public) == ("closed", False)
    assert run("tables", "show", "bbbbbb", *where, "--json").json()["status"] == "closed"
    assert "Table bbbbbb is closed." in refused("tables", "hand-over", "bbbbbb", 1, *where)


def log_of_same(log: list[Any]) -> list[Any]:
    """A log up to its last entry but one, as it is when it is read again."""
    table = Table(log[0].table)
    for entry in log[:-1]:
        table.take(entry)
    return log[: table.seq]


def test_a_deleted_table_is_gone_and_the_others_are_as_they_were(where: list[object]) -> None:
    before = kept(where[1])  # type: ignore[arg-type]
    assert run("tables", "delete", "bbbbbb", *where).out == "Table bbbbbb is deleted\n"
    assert kept(where[1]) == {code: each for code, each in before.items() if code != "bbbbbb"}  # type: ignore[arg-type]
    assert "There is no table 'bbbbbb'." in refused("tables", "delete", "bbbbbb", *where)


def test_a_table_that_cannot_be_replayed_can_be_deleted(tmp_path: Path) -> None:
    keep(tmp_path, log_of("bbbbbb"))
    with sqlite3.connect(tmp_path / "tables.db") as db:
        db.execute("UPDATE entries SET body = '{' WHERE seq = 3")
    assert "Table bbbbbb, entry 3: " in refused("tables", "close", "bbbbbb", "--data", tmp_path)
    assert run("tables", "delete", "bbbbbb", "--data", tmp_path).code == 0
    assert kept(tmp_path) == {}


def test_a_seat_is_handed_over_by_a_new_link_and_the_old_token_is_void(where: list[object]) -> None:
    ran = run("tables", "hand-over", "bbbbbb", 1, *where, "--server", "https://cards.example.org/")
    link = ran.out.splitlines()[1]
    assert link.startswith("https://cards.example.org/t/bbbbbb#")
    token = link.partition("#")[2]
    log, _ = kept(where[1])["bbbbbb"]  # type: ignore[arg-type]
    table = transfer.rebuilt("bbbbbb", log)
    assert (table.person_with(token), table.person_with(TOKEN)) == (0, -1)
    assert token not in "".join(entry.body for entry in log)
    assert "has no seat 3: its seats are 1 to 2." in refused("tables", "hand-over", "bbbbbb", 3, *where)
    assert "has no seat 0: its seats are 1 to 2." in refused("tables", "hand-over", "bbbbbb", 0, *where)
    assert "There is no person in seat 2" in refused("tables", "hand-over", "bbbbbb", 2, *where)
    assert "There is no table 'zzzzzz'." in refused("tables", "hand-over", "zzzzzz", 1, *where)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tables", "show", "zzzzzz"], "There is no table 'zzzzzz'."),
        (["tables", "close", "zzzzzz"], "There is no table 'zzzzzz'."),
        (["tables", "list", "--limit", "0"], "--limit 0 is not possible"),
        (["tables", "dance"], "dance"),
        (["serve", "--keep-days", "0"], "--keep-days 0 is not possible: it is a whole number from 1 up."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    keep(tmp_path, log_of("bbbbbb"))
    assert sentence in refused(*words, "--data", tmp_path)


def test_without_tables_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert "There are no tables in" in refused("tables", "list", "--data", tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


# ---- at the table


def test_at_a_closed_table_everything_is_refused_and_no_clock_runs() -> None:
    at = playing("Bo", game="plump", players=4, clock=30)
    at.comes(ANN, BO)
    assert clocks.due(at.table)
    at.happens([facts.Closed()])
    for person, message in ((ANN, Say(seat=0, text="Hello")), (BO, Start()), (-1, Join(name="Cleo"))):
        assert at.refusal(person, message) == ("not_allowed", "This table has been closed by whoever runs the server.")
    assert (clocks.due(at.table), clocks.turn_ends(at.table), clocks.wakes(at.table)) == (None, None, clocks.NEVER)
    assert at.said() == []
    assert at.again().closed


def test_closing_withdraws_a_request_to_take_a_choice_back() -> None:
    at = room("Bo")
    at.table.asked = 1
    at.happens([facts.Closed()])
    assert at.table.asked is None


def test_a_table_that_a_running_server_owns_is_changed_when_that_server_has_stopped(database: Database, tmp_path: Path) -> None:
    commands = [[*words, "--database", database.url] for words in (["hand-over", "CODE", "1"], ["close", "CODE"], ["delete", "CODE"])]

    async def story(server: Server) -> str:
        opened = server.post("/api/tables", {"name": "Ann", "game": "plump"})
        code = str(opened["code"])
        async with there(server, code, opened["token"]) as ann:
            for words in commands:
                ran = await run_in_thread("tables", *(code if word == "CODE" else word for word in words))
                assert (ran.code, ran.out) == (2, "") and ran.err.startswith(f"A running server owns table {code}: stop that server first")
            assert (await ann.ask(do="say", seat=0, text="Still here"))["type"] == "done"
        return code

    with serving(tmp_path, "--database", database.url) as server:
        code = asyncio.run(story(server))
        assert server.stop() == 0
    for words in commands:
        ran = run("tables", *(code if word == "CODE" else word for word in words))
        assert ran.code == 0, ran.err


def run_in_thread(*words: object) -> Any:
    return asyncio.to_thread(run, *words)


# ---- retention


def aged(code: str, days: float, **more: Any) -> list[Any]:
    """A log whose last entry is so many days old."""
    log, now = log_of(code, **more), milliseconds()
    return [replace(each, at=int(now - days * DAY) + each.seq) for each in log]


def waiting_for_a_person(code: str, days: float) -> list[Any]:
    """A log of that age in which it is no bot's turn: after a start, nothing happens at the table by itself."""
    while clocks.due(transfer.rebuilt(code, log := aged(code, days))):
        pass
    return log


@pytest.mark.parametrize("place", ["file", "database"])
def test_tables_that_nobody_has_touched_for_so_long_are_deleted(place: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    many = [aged(f"{n:06d}", 11) for n in range(25)]
    where: Any = tmp_path / "data" if place == "file" else request.getfixturevalue("database").url
    keep(where, *many, aged("bbbbbb", 9), aged("cccccc", 11), aged("dddddd", 100, name=""))
    store: Store = store_at(tmp_path / "data", where if place == "database" else "")

    async def work() -> None:
        await store.open()
        host = Host(store, Workers(games=()))
        host.live["cccccc"] = Live(transfer.rebuilt("cccccc", await store.read("cccccc")))  # somebody looks at it
        await retention.sweep(host, milliseconds() - 10 * DAY)
        assert {each.table for each in await store.standings()} == {"bbbbbb", "cccccc"}
        assert len(await store.read("bbbbbb")) == len(log_of("bbbbbb"))
        assert await store.read("000003") == []
        await host.workers.close()
        await store.close()

    asyncio.run(work())


def test_a_server_deletes_what_is_old_only_if_it_is_told_to(tmp_path: Path) -> None:
    keep(tmp_path, waiting_for_a_person("bbbbbb", 2.5), waiting_for_a_person("cccccc", 1.5))
    with serving(tmp_path) as server:
        assert server.get("/health")["ok"]
    assert kept(tmp_path).keys() == {"bbbbbb", "cccccc"}
    with serving(tmp_path, environment={"KORTLEK_KEEP_DAYS": "2"}) as server:
        wait_for(lambda: '"event": "deleted", "tables": 1}' in server.log.read_text(), "a line in the log")
        assert [server.ask("GET", f"/api/tables/{code}")[0] for code in ("bbbbbb", "cccccc")] == [404, 200]


def test_a_log_that_is_written_to_meanwhile_is_tried_again(tmp_path: Path) -> None:
    """The fact is appended after what a server has written in between."""
    keep(tmp_path, log_of("bbbbbb"))

    async def work() -> None:
        store: Any = store_at(tmp_path)
        await store.open()
        read, between = store.read, list[str]()

        async def somebody_writes_after(code: str) -> Any:
            log = await read(code)
            if len(between) < 3:
                table = transfer.rebuilt(code, log)
                await store.append(table.entries([facts.Said(seat=0, text="Hello")], milliseconds()), None)
                between.append(code)
            return log

        store.read = somebody_writes_after
        assert await administration.close_table(store, "bbbbbb")
        assert [facts.read(entry.body).__class__.__name__ for entry in (await read("bbbbbb"))[-4:]] == ["Said", "Said", "Said", "Closed"]
        with pytest.raises(Refused, match="closed"):
            await administration.hand_over(store, "bbbbbb", 1)
        await store.close()

    asyncio.run(work())
