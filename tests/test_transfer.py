"""``kortlek export`` and ``kortlek import``: tables are exported, and imported completely or not at all."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from first_edition import shows_of
from running import run
from serving import serving, wait_for
from stores import Database, is_one_sentence, put

from kortlek.cards import lowest
from kortlek.engine.plain import Refused
from kortlek.table import facts, handlers, transfer
from kortlek.table.protocol.client_in import Say, Start
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.store import Entry, SqliteStore, Standing, store_at
from kortlek.table.table import Table

pytest_plugins = ["stores"]

TOKEN = "5ad1ca7e" * 4
Log = list[Entry]


def log_of(code: str, choices: int = 5, name: str = "Åsa") -> Log:
    """The log of a table whose match has begun, after this number of choices and, if there are people, a line of chat."""
    table, log = Table(code), list[Entry]()

    def happens(made: list[facts.AnyFact], mid: str = "") -> None:
        log.extend(table.entries(made, 1_700_000_000_000 + len(log), mid))
        for entry in log[table.seq :]:
            table.take(entry)

    happens(
        handlers.open_table(
            Open(game="up_and_down", players=2, options={"largest_round": 3}, name=name, public=True, stand_in="random", pace=0), TOKEN
        )
    )
    happens(handlers.ask(table, Start(id="1"), 0), "0/1")
    if name:
        happens(handlers.ask(table, Say(id="2", seat=0, text="Hej ♠"), 0), "0/2")
    for _ in range(choices):
        match = table.playing()
        happens(handlers.moves(table, match.state.turn, lowest(match.view().legal), facts.BOT))
    return log


def keep(place: Path | str, *logs: Log) -> None:
    """Write tables to a folder or a database."""

    async def work() -> None:
        store = opened(place)
        await store.open()
        for log in logs:
            await put(store, log, transfer.rebuilt(log[0].table, log).standing())
        await store.close()

    asyncio.run(work())


def kept(place: Path | str) -> dict[str, tuple[Log, Standing]]:
    """All tables in a folder or a database."""

    async def work() -> dict[str, tuple[Log, Standing]]:
        store = opened(place)
        await store.open()
        found = {standing.table: (await store.read(standing.table), standing) for standing in await store.standings()}
        await store.close()
        return found

    return asyncio.run(work())


def opened(place: Path | str) -> Any:
    return store_at(Path(), place) if isinstance(place, str) else store_at(place)


def write(path: Path, *logs: Log) -> Path:
    """Write a file with these logs, as an export would."""
    lines = b"".join(json.dumps(vars(entry)).encode() + b"\n" for log in logs for entry in log)
    end = {"kortlek_tables": 1, "entries": sum(map(len, logs)), "sha256": hashlib.sha256(lines).hexdigest()}
    path.write_bytes(lines + json.dumps(end).encode() + b"\n")
    return path


def refused(*arguments: object) -> str:
    """The sentence that refuses a command."""
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    return ran.err


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with three tables."""
    keep(tmp_path / "data", log_of("bbbbbb"), log_of("cccccc", 0), log_of("dddddd", 20))
    return tmp_path / "data"


@pytest.fixture
def exported(data: Path, tmp_path: Path) -> Path:
    assert run("export", tmp_path / "tables.jsonl", "--data", data).code == 0
    return tmp_path / "tables.jsonl"


# ---- export


def test_an_export_has_every_entry_in_a_line_and_nothing_else_and_only_its_owner_may_read_it(data: Path, exported: Path) -> None:
    *lines, end = exported.read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        vars(entry) for log, _ in sorted(kept(data).values(), key=lambda each: each[0][0].table) for entry in log
    ]
    assert json.loads(end)["entries"] == len(lines)
    assert exported.stat().st_mode & 0o777 == 0o600
    assert TOKEN not in exported.read_text()
    assert [path.name for path in exported.parent.iterdir() if path.is_file()] == ["tables.jsonl"]


def test_an_export_says_what_it_has_written(data: Path, tmp_path: Path) -> None:
    entries = sum(len(log) for log, _ in kept(data).values())
    assert run("export", tmp_path / "a", "--data", data).out == f"3 tables with {entries} entries in {tmp_path / 'a'}\n"
    one = run("export", tmp_path / "b", "--data", data, "--table", "cccccc", "--json").json()
    assert one == {"file": str(tmp_path / "b"), "tables": ["cccccc"], "entries": len(log_of("cccccc", 0))}


def test_only_those_tables_are_exported_that_are_named(data: Path, tmp_path: Path) -> None:
    run("export", tmp_path / "two", "--data", data, "--table", "dddddd", "--table", "bbbbbb")
    run("import", tmp_path / "two", "--data", tmp_path / "new")
    assert kept(tmp_path / "new") == {code: each for code, each in kept(data).items() if code != "cccccc"}


def test_if_an_export_fails_no_file_is_there_and_a_former_one_is_as_it_was(data: Path, exported: Path, tmp_path: Path) -> None:
    before = exported.read_bytes()
    assert "There is no table 'zzzzzz'." in refused("export", exported, "--data", data, "--table", "bbbbbb", "--table", "zzzzzz", "--overwrite")
    assert "exists already: name another file or add --overwrite." in refused("export", exported, "--data", data)
    assert exported.read_bytes() == before
    assert "There are no tables in" in refused("export", tmp_path / "other", "--data", tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"data", "tables.jsonl"}
    assert run("export", exported, "--data", data, "--table", "bbbbbb", "--overwrite").code == 0
    assert len(exported.read_bytes()) < len(before)


# ---- import


def test_what_was_exported_comes_in_as_it_was(data: Path, exported: Path, tmp_path: Path) -> None:
    came = run("import", exported, "--data", tmp_path / "new")
    assert came.code == 0
    assert came.out.splitlines()[1] == f"cccccc: {len(log_of('cccccc', 0))} entries added"
    assert kept(tmp_path / "new") == kept(data)
    run("export", tmp_path / "again", "--data", tmp_path / "new")
    assert (tmp_path / "again").read_bytes() == exported.read_bytes()


def test_what_is_here_already_is_left_alone_and_what_goes_on_is_added(tmp_path: Path) -> None:
    short, long, other = log_of("bbbbbb", 9), log_of("cccccc", 9), log_of("dddddd")
    keep(tmp_path, short, long[:-4], other)
    file = write(tmp_path / "file", short[:-3], long, other)
    came = run("import", file, "--data", tmp_path, "--json").json()["tables"]
    assert [(each["table"], each["before"], each["added"]) for each in came] == [
        ("bbbbbb", len(short) - 3, 0),
        ("cccccc", len(long) - 4, 4),
        ("dddddd", len(other), 0),
    ]
    assert kept(tmp_path) == {log[0].table: (log, transfer.rebuilt(log[0].table, log).standing()) for log in (short, long, other)}
    assert "bbbbbb: nothing to add" in run("import", file, "--data", tmp_path).out


def test_a_table_at_which_something_else_has_happened_is_refused_and_nothing_comes_in(tmp_path: Path) -> None:
    one, other = log_of("cccccc"), log_of("cccccc")
    keep(tmp_path / "data", other)
    before = kept(tmp_path / "data")
    file = write(tmp_path / "file", log_of("bbbbbb"), one)
    assert "Table cccccc is here already, and other things have happened at it." in refused("import", file, "--data", tmp_path / "data")
    assert kept(tmp_path / "data") == before
    assert run("import", file, "--data", tmp_path / "data", "--table", "bbbbbb").code == 0
    assert kept(tmp_path / "data").keys() == {"bbbbbb", "cccccc"}
    assert kept(tmp_path / "data")["cccccc"] == before["cccccc"]


def test_a_file_that_was_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "file", log_of("bbbbbb", 1), log_of("cccccc", 1))
    whole = file.read_bytes()
    assert transfer.check_whole(BytesIO(whole), file)
    for length in range(len(whole) - 1):  # without its last line break the file is still complete
        with pytest.raises(Refused, match="cut off|not as it was"):
            transfer.check_whole(BytesIO(whole[:length]), file)
    file.write_bytes(whole[:-2])
    assert "is cut off, or no export of tables" in refused("import", file, "--data", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_file_in_which_anything_was_changed_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "file", log_of("bbbbbb", 1))
    whole = file.read_bytes()
    entries = whole[: whole.rindex(b"\n", 0, -1) + 1]
    for at in range(len(entries)):
        with pytest.raises(Refused, match="not as it was exported|cut off"):  # truncated: two lines have become one
            transfer.check_whole(BytesIO(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]), file)
    lines = entries.splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], *lines[3:]]) + whole[len(entries) :])
    assert "is not as it was exported" in refused("import", file, "--data", tmp_path / "new")
    file.write_bytes(whole.replace(b'"kortlek_tables": 1', b'"kortlek_tables": 2'))
    assert "has format 2, but 1 is read here" in refused("import", file, "--data", tmp_path / "new")


def changed(kind: type, **what: Any) -> Callable[[Log], Log]:
    """A log whose last fact of a kind is changed."""

    def change(log: Log) -> Log:
        at = max(number for number, entry in enumerate(log) if isinstance(facts.read(entry.body), kind))
        return [*log[:at], replace(log[at], body=json.dumps(json.loads(log[at].body) | what)), *log[at + 1 :]]

    return change


IMPOSSIBLE: list[tuple[str, Callable[[Log], Log], str]] = [
    ("an illegal choice", changed(facts.Happened, event="bet 9"), "'bet 9' is not allowed, only bet 0"),
    ("a seat that there is not", changed(facts.Sat, seat=9), "This cannot have happened"),
    ("a fact that there is not", changed(facts.Said, fact="flown"), "Invalid value 'flown'"),
    ("no beginning", lambda log: log[1:], "Entry 2 cannot come after 0"),
    ("a hole", lambda log: [*log[:2], *log[3:]], "Entry 4 cannot come after 2"),
    ("an entry twice", lambda log: [*log[:2], *log[1:]], "Entry 2 cannot come after 2"),
    ("a client message twice", lambda log: [*log[:-1], replace(log[-1], mid="0/1")], "no client message twice"),
    ("no JSON", lambda log: [*log[:-1], replace(log[-1], body="{")], "truncated"),
]


@pytest.mark.parametrize(("change", "sentence"), [each[1:] for each in IMPOSSIBLE], ids=[each[0] for each in IMPOSSIBLE])
def test_a_table_whose_log_cannot_have_happened_is_refused_and_nothing_comes_in(tmp_path: Path, change: Callable[[Log], Log], sentence: str) -> None:
    log = log_of("cccccc")
    file = write(tmp_path / "file", log_of("bbbbbb"), change(log))
    said = refused("import", file, "--data", tmp_path / "new")
    assert said.startswith("Table cccccc, entry ")
    assert sentence in said
    assert kept(tmp_path / "new") == {}
    assert run("import", file, "--data", tmp_path / "new", "--table", "bbbbbb").code == 0


def test_what_was_done_is_said_if_something_comes_in_between(tmp_path: Path) -> None:
    logs = [log_of("bbbbbb"), log_of("cccccc"), log_of("dddddd")]
    file, done = write(tmp_path / "file", *logs), list[str]()
    keep(tmp_path, logs[1][:2])

    def somebody_plays(brought: transfer.Brought) -> None:
        done.append(brought.code)
        with sqlite3.connect(tmp_path / "tables.db") as db:
            db.execute("INSERT INTO entries VALUES ('cccccc', 3, 0, '', '{}')")

    async def work() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        try:
            await transfer.import_tables(store, file, (), lambda more: None, somebody_plays)
        finally:
            await store.close()

    with pytest.raises(Refused, match=r"^Table cccccc is here already, .* Imported before that: bbbbbb\.$"):
        asyncio.run(work())
    assert done == ["bbbbbb"]
    assert kept(tmp_path)["bbbbbb"][0] == logs[0]
    assert [entry.body for entry in kept(tmp_path)["cccccc"][0]] == [*(entry.body for entry in logs[1][:2]), "{}"]
    assert "dddddd" not in kept(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["export"], "requires an argument"),
        (["export", "/nowhere/at/all", "--data", "DATA"], "/nowhere/at/all cannot be written: there is no folder /nowhere/at."),
        (["export", "FILE", "--database", "mysql://here"], "The database should be an address that begins with postgresql://."),
        (["export", "FILE", "--database", "postgresql://127.0.0.1:1/none"], "The database cannot be used: no PostgreSQL answers at its address."),
        (["import", "FILE", "--data", "DATA"], "FILE cannot be used: No such file or directory."),
        (["import", "/", "--data", "DATA"], "/ cannot be used: Is a directory."),
        (["import", "EXPORT", "--data", "DATA", "--table", "zzzzzz"], "There is no table 'zzzzzz' in"),
        (["import", "EXPORT", "--data", "EXPORT"], "Tables cannot be kept in"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(data: Path, exported: Path, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    places = {"DATA": str(data), "FILE": str(tmp_path / "FILE"), "EXPORT": str(exported)}
    before = kept(data)
    said = refused(*(places.get(argument, argument) for argument in arguments))
    assert sentence.replace("FILE", places["FILE"]) in said
    assert kept(data) == before
    assert not (tmp_path / "FILE").exists()


# ---- other locations


def test_tables_go_from_a_file_to_postgresql_and_back(data: Path, exported: Path, tmp_path: Path, database: Database) -> None:
    assert run("import", exported, "--database", database.url).code == 0
    assert kept(database.url) == kept(data)
    assert "bbbbbb: nothing to add" in run("import", exported, "--database", database.url).out
    run("export", tmp_path / "back", "--database", database.url)
    assert (tmp_path / "back").read_bytes() == exported.read_bytes()
    other = write(tmp_path / "other", log_of("eeeeee"), log_of("bbbbbb"))
    assert is_one_sentence(refused("import", other, "--database", database.url).partition(" Name those")[0])
    assert kept(database.url) == kept(data)


def test_a_player_goes_on_elsewhere_with_her_old_token_and_what_cannot_be_played_there_rests(tmp_path: Path) -> None:
    settings = {
        "game": "up_and_down",
        "players": 2,
        "options": {"largest_round": 2, "first_bettor": 0},
        "name": "Eva",
        "levels": ["random"],
        "pace": 0,
    }
    with serving(tmp_path / "old") as server:
        opened = server.post("/api/tables", settings)
        code, token = opened["code"], opened["token"]
        server.post(f"/api/tables/{code}/messages", {"do": "start"}, token)
        [before] = shows_of(server, code, token)
        assert before["match"]["turn"] == 0
        assert run("export", tmp_path / "file", "--data", tmp_path / "old").code == 0  # while the server runs
    assert token not in (tmp_path / "file").read_text()
    assert run("import", tmp_path / "file", "--data", tmp_path / "new").code == 0
    bots = log_of("cccccc", name="")
    keep(tmp_path / "new", log_of("bbbbbb", name=""), bots)
    with sqlite3.connect(tmp_path / "new" / "tables.db") as db:  # of another version, and the first to be loaded
        db.execute("UPDATE standings SET at = at + 1000 WHERE code = 'bbbbbb'")
        db.execute("""UPDATE entries SET body = replace(body, '"version":1', '"version":0') WHERE code = 'bbbbbb'""")
    with serving(tmp_path / "new") as server:
        assert shows_of(server, code, token) == [before]
        assert server.ask("GET", f"/api/tables/{code}", token=token[::-1])[0] == 403
        choice = {"do": "choose", "seat": 0, "choice": before["match"]["legal"][0]["choice"], "at": before["seq"]}
        assert server.post(f"/api/tables/{code}/messages", choice, token)["seq"] > before["seq"]
        [after] = shows_of(server, code, token)
        assert after["commitment"] == before["commitment"]
        wait_for(lambda: server.get("/api/tables/cccccc")["seq"] > len(bots), "a choice of a bot")
        [stopped] = shows_of(server, "bbbbbb")
        assert (stopped["match"], stopped["status"], stopped["notice"]["id"]) == (None, "playing", "refuse-version")
