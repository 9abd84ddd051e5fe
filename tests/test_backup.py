"""``kortlek backup``, ``kortlek migrate`` and the lock: copies that are checked, formats that are raised, and one writer for a file."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import SOURCE, run, start
from serving import DEADLINE, free_port, serving
from stores import Database, entries, is_one_sentence, put, standing
from tables import ANN, two
from test_transfer import changed, keep, kept, log_of, refused

from kortlek.engine.plain import Refused
from kortlek.table import backups, facts, file
from kortlek.table.lock import only_writer
from kortlek.table.postgres import PostgresStore
from kortlek.table.postgres import STEPS as DATABASE_STEPS
from kortlek.table.protocol.client_in import Start
from kortlek.table.store import SqliteStore

pytest_plugins = ["stores"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with three tables."""
    keep(tmp_path / "data", log_of("bbbbbb"), log_of("cccccc", 0), log_of("dddddd", 20))
    return tmp_path / "data"


def sql(path: Path, script: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(script)
    db.close()


# ---- backup


def test_a_backup_is_one_private_file_and_put_in_its_place_it_holds_every_table(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    written = sum(len(log) for log, _ in kept(data).values())
    assert run("backup", copy, "--data", data).out == f"3 tables with {written} entries in {copy}, checked\n"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"data", "copy.db"}
    (tmp_path / "new").mkdir()
    shutil.copy(copy, tmp_path / "new" / "tables.db")
    assert kept(tmp_path / "new") == kept(data)
    found = run("backup", "--check", copy, "--json").json()
    assert found == {"file": str(copy), "tables": 3, "entries": written, "elsewhere": {}, "broken": {}}


def test_a_backup_while_others_write_is_the_store_at_one_moment(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody commits after every page: without a snapshot, each commit would begin the copy anew, and it would never end."""
    monkeypatch.setattr(backups, "PAGES", 1)
    before, pages, done = kept(data), backups.pages_of(data / "tables.db"), list[int]()
    db = sqlite3.connect(data / "tables.db", isolation_level=None)

    def somebody_writes(more: int) -> None:
        done.append(more)
        assert len(done) <= pages
        db.execute("INSERT INTO entries SELECT code, max(seq) + 1, at, '', body FROM entries WHERE code = 'dddddd'")

    (tmp_path / "new").mkdir()
    backups.copy_file(data / "tables.db", tmp_path / "new" / "tables.db", somebody_writes)
    db.close()
    assert done == [1] * pages
    assert kept(tmp_path / "new") == before
    assert len(kept(data)["dddddd"][0]) == len(before["dddddd"][0]) + pages


def test_a_server_is_backed_up_while_it_runs(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        codes = {server.post("/api/tables", {"name": "Eva", "game": "plump"})["code"] for _ in range(3)}
        assert run("backup", tmp_path / "copy.db", "--data", tmp_path / "data").code == 0
        assert server.get("/health")["ok"]
    (tmp_path / "new").mkdir()
    shutil.copy(tmp_path / "copy.db", tmp_path / "new" / "tables.db")
    with serving(tmp_path / "new") as server:
        assert [server.ask("GET", f"/api/tables/{code}")[0] for code in codes] == [200] * 3


def test_a_backup_of_a_database_is_an_export_that_was_checked(database: Database, data: Path, tmp_path: Path) -> None:
    logs = [log for log, _ in kept(data).values()]
    keep(database.url, *logs)
    assert run("backup", tmp_path / "copy", "--database", database.url).code == 0
    assert run("backup", "--check", tmp_path / "copy", "--json").json()["tables"] == 3
    assert run("import", tmp_path / "copy", "--data", tmp_path / "new").code == 0
    assert kept(tmp_path / "new") == kept(data)
    assert {path.name for path in tmp_path.iterdir()} == {"data", "copy", "new"}


@pytest.mark.parametrize("place", ["file", "database"])
def test_a_table_that_cannot_have_happened_is_copied_named_and_exit_code_1(
    data: Path, tmp_path: Path, place: str, request: pytest.FixtureRequest
) -> None:
    broken = changed(facts.Happened, event="bet 9")(log_of("eeeeee"))
    elsewhere = changed(facts.Opened, game="whist")(log_of("ffffff"))
    where: Any = data if place == "file" else request.getfixturevalue("database").url
    keep(where, log_of("gggggg"))
    store: Any = SqliteStore(data / "tables.db") if place == "file" else PostgresStore(where)

    async def work() -> None:
        await store.open()
        for log in (broken, elsewhere):
            await put(store, log, standing(log[0].table))
        await store.close()

    asyncio.run(work())
    ran = run("backup", tmp_path / "copy", "--data" if place == "file" else "--database", where)
    assert ran.code == 1
    assert ran.err.startswith("Table eeeeee, entry ") and ran.err.count("\n") == 1
    assert "Not replayed. Table ffffff, match 1: The game “whist” is not on this server any more" in ran.out
    assert run("backup", "--check", tmp_path / "copy").code == 1
    found = json.loads(run("backup", "--check", tmp_path / "copy", "--json").out)
    assert (found["elsewhere"].keys(), found["broken"].keys()) == ({"ffffff"}, {"eeeeee"})


def damage(path: Path) -> None:
    """Overwrite a page in the middle of a file."""
    with path.open("r+b") as opened:
        opened.seek(4096 * 3)
        opened.write(b"\xff" * 4096)


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a page": (damage, "is damaged, and cannot be relied on|cannot be relied on"),
    "cut off": (lambda path: os.truncate(path, path.stat().st_size - 4096), "relied on"),
    "an index": (lambda path: sql(path, "PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name = 'mids'"), "relied on"),
    "a newer format": (lambda path: sql(path, "PRAGMA user_version = 9"), "format 9, and this version of Kortlek reads only 2"),
    "another program": (lambda path: sql(path, "PRAGMA application_id = 1"), "the database of another program"),
    "no database": (lambda path: path.write_text("nothing"), "cut off, or no export of tables"),
    "nothing": (lambda path: path.write_bytes(b""), "cut off, or no export of tables"),
    "not there": (Path.unlink, "No such file"),
}


@pytest.mark.parametrize(("spoil", "why"), DAMAGES.values(), ids=DAMAGES)
def test_a_copy_that_is_damaged_is_found(data: Path, tmp_path: Path, spoil: Callable[[Path], object], why: str) -> None:
    copy = tmp_path / "copy.db"
    assert run("backup", copy, "--data", data).code == 0
    spoil(copy)
    pattern = refused("backup", "--check", copy)
    assert any(each in pattern for each in why.split("|")), pattern


def test_a_log_without_its_summary_is_found(data: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy.db", "--data", data)
    sql(tmp_path / "copy.db", "DELETE FROM standings WHERE code = 'bbbbbb'")
    ran = run("backup", "--check", tmp_path / "copy.db")
    assert (ran.code, ran.err) == (1, "Table bbbbbb: its log or its summary is missing.\n")


def test_of_a_damaged_file_no_backup_is_written_and_a_former_one_stays(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    run("backup", copy, "--data", data)
    before = copy.read_bytes()
    assert "exists already" in refused("backup", copy, "--data", data)
    sql(data / "tables.db", "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = 2 WHERE name = 'newest'")
    said = refused("backup", copy, "--data", data, "--overwrite")
    assert said.startswith(f"{copy} was not written: the copy ") or "Tables cannot be kept" in said
    assert copy.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"data", "copy.db"}
    assert "There are no tables in" in refused("backup", tmp_path / "other", "--data", tmp_path / "nowhere")


def test_ctrl_c_leaves_no_file_behind(tmp_path: Path) -> None:
    keep(tmp_path / "data", *(log_of(f"{n:06d}", 20) for n in range(60)))
    process = start("backup", tmp_path / "copy.db", "--data", tmp_path / "data")
    try:
        while not list(tmp_path.glob(".copy.db.*")):
            assert process.poll() is None, process.communicate()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, "", "")
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


# ---- migrate


def of_format(version: int, data: Path) -> dict[str, object]:
    """Turn the file of a folder into one of an older format, as that version wrote it; return its tables."""
    before = dict[str, object](kept(data))
    db = sqlite3.connect(data / "tables.db")
    rows = {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in ("entries", "standings")}
    db.close()
    for path in data.iterdir():
        path.unlink()
    db = sqlite3.connect(data / "tables.db")
    db.execute("PRAGMA journal_mode = WAL")
    for step in range(1, version + 1):
        db.executescript(file.STEPS[step])
    for table, found in rows.items():
        db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(found[0]))})", found)
    db.executescript(f"PRAGMA application_id = {file.APPLICATION_ID}; PRAGMA user_version = {version}")
    db.commit()
    db.close()
    return before


@pytest.mark.parametrize("version", range(1, file.FORMAT))
def test_a_file_of_an_older_format_is_refused_until_it_is_migrated_and_a_copy_is_kept(data: Path, version: int) -> None:
    before = of_format(version, data)
    said = refused("tables", "list", "--data", data)
    assert f"it has format {version}, not {file.FORMAT}: stop every server and run kortlek migrate" in said and is_one_sentence(said.strip())
    copy = data / f"tables.db.format-{version}"
    ran = run("migrate", "--data", data)
    assert ran.out == f"The tables have format {file.FORMAT} now, not {version}; a copy as they were is in {copy}\n"
    assert kept(data) == before
    assert run("migrate", "--data", data).out == f"There is nothing to do: the tables have format {file.FORMAT}\n"
    schemas = [schema_of(each) for each in (data / "tables.db", fresh(data))]
    assert schemas[0] == schemas[1]
    assert copy.stat().st_mode & 0o777 == 0o600
    copy.rename(data / "tables.db")
    assert run("migrate", "--data", data, "--json").json() == {"before": version, "now": file.FORMAT, "copy": str(copy)}
    assert kept(data) == before


def fresh(data: Path) -> Path:
    keep(data / "fresh", log_of("bbbbbb"))
    return data / "fresh" / "tables.db"


def schema_of(path: Path) -> set[str]:
    db = sqlite3.connect(path)
    found = {row[0] for row in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    db.close()
    return found


def test_a_migration_that_fails_changes_nothing(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_format(1, data)
    monkeypatch.setitem(file.STEPS, 2, "CREATE TABLE more (x); CREATE TABLE entries (code)")
    assert "cannot be migrated: table entries already exists." in refused("migrate", "--data", data)
    db = sqlite3.connect(data / "tables.db")
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    assert db.execute("SELECT name FROM sqlite_master WHERE name = 'more'").fetchall() == []
    db.close()


def test_a_newer_format_is_not_touched(data: Path) -> None:
    sql(data / "tables.db", "PRAGMA user_version = 9")
    before = (data / "tables.db").read_bytes()
    assert "it has format 9, and this version of Kortlek reads only" in refused("migrate", "--data", data)
    served = start("serve", "--port", free_port(), "--data", data, "--no-browser")
    assert "it has format 9, and this version of Kortlek reads only" in served.communicate(timeout=DEADLINE)[1] and served.returncode == 2
    assert (data / "tables.db").read_bytes() == before
    assert "There are no tables in" in refused("migrate", "--data", data / "nowhere")


def test_a_database_of_an_older_format_is_refused_until_it_is_migrated(database: Database, data: Path) -> None:
    keep(database.url, *(log for log, _ in kept(data).values()))
    before = kept(database.url)
    database.sql("DROP INDEX kortlek.newest_public, kortlek.newest_of_all; DROP TABLE kortlek.probe, kortlek.matches;")
    database.sql("DROP TABLE kortlek.processes, kortlek.owners, kortlek.secret; DROP SEQUENCE kortlek.epochs;")
    database.sql("UPDATE kortlek.format SET number = 1;")
    newest = max(DATABASE_STEPS)
    assert f"it has format 1, not {newest}: stop every server and run kortlek migrate." in refused("tables", "list", "--database", database.url)
    assert run("migrate", "--database", database.url).out == f"The tables have format {newest} now, not 1\n"
    assert kept(database.url) == before
    assert run("migrate", "--database", database.url, "--json").json() == {"before": newest, "now": newest, "copy": None}
    database.sql("UPDATE kortlek.format SET number = 9;")
    assert "it has format 9" in refused("migrate", "--database", database.url)


# ---- one writer


def test_a_second_server_on_the_same_file_says_so_and_after_a_kill_the_next_one_starts(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.post("/api/tables", {"name": "Eva", "game": "plump"})
        assert server.process
        command = [sys.executable, "-m", "kortlek", "serve", "--port", str(free_port()), "--data", str(tmp_path), "--no-browser"]
        second = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, timeout=DEADLINE)
        assert second.returncode == 2 and second.stdout == ""
        assert second.stderr.startswith(f"{tmp_path / 'tables.db'} is in use by another kortlek (process {server.process.pid}): ")
        assert is_one_sentence(second.stderr.strip())
        write = [["import", write_export(tmp_path)], ["tables", "close", table["code"]], ["migrate"]]
        for words in write:
            assert "is in use by another kortlek" in refused(*words, "--data", tmp_path)
        for words in (["tables", "list"], ["tables", "show", table["code"]], ["export", tmp_path / "export"]):
            assert run(*words, "--data", tmp_path).code == 0
        server.kill()
        server.start()
        assert server.ask("GET", f"/api/tables/{table['code']}", token=table["token"])[0] == 200


def write_export(folder: Path) -> Path:
    keep(folder / "other", log_of("bbbbbb"))
    run("export", folder / "file", "--data", folder / "other")
    return folder / "file"


def test_the_lock_is_of_one_process_and_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tables.db"
    with only_writer(path):
        assert path.with_name("tables.db.lock").stat().st_mode & 0o777 == 0o600
        with pytest.raises(Refused, match="is in use"), only_writer(path):
            pass
    with only_writer(path):
        pass


def test_the_number_of_entries_is_counted(tmp_path: Path) -> None:
    found = backups.Checked()
    found.replay("bbbbbb", log_of("bbbbbb"))
    found.replay("AAAA", entries(1, 2))
    assert (found.tables, found.entries, [*found.broken]) == (2, len(log_of("bbbbbb")) + 2, ["AAAA"])


def test_a_match_without_its_rules_is_named_also_if_another_came_after_it_but_not_one_that_was_only_given_up() -> None:
    at = two()
    begun = at.log[:]
    at.stops()
    at.asks(ANN, Start())
    found = backups.Checked()
    found.replay("code", at.log)
    assert [why.partition(": ")[0] for why in found.elsewhere.values()] == ["Table code, match 1"] and at.table.stopped is None
    found = backups.Checked()
    found.replay("code", [*begun, *at.log[len(begun) :]])
    assert (found.elsewhere, found.broken) == ({}, {}), "its rules have come back"
