"""The store in a file: what it writes, what it refuses, and a full disk."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from stores import add, is_one_sentence, numbers, opened, run

from kortlek.engine.plain import Refused
from kortlek.table import checkpoints
from kortlek.table import store as store_module
from kortlek.table.checkpoints import Checkpoints
from kortlek.table.store import Failed, SqliteStore


def test_a_commit_to_the_file_waits_for_the_disk(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(lambda: SqliteStore(tmp_path / "tables.db")) as store:
            pragmas = [store._writing.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode", "fullfsync")]
            assert pragmas == [2, "wal", 1]

    run(work())


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "tables.db"

    async def work() -> None:
        async with opened(lambda: SqliteStore(path)) as store:
            await add(store, 1)
            assert {each.name: each.stat().st_mode & 0o777 for each in path.parent.iterdir()} == {
                "tables.db": 0o600,
                "tables.db-wal": 0o600,
                "tables.db-shm": 0o600,
            }
            assert path.parent.stat().st_mode & 0o777 == 0o700

    before = os.umask(0)
    try:
        run(work())
    finally:
        os.umask(before)


def text(path: Path) -> None:
    path.write_text("This is not a database, however long one reads in it.\n" * 100)


def foreign(path: Path, script: str = "CREATE TABLE recipes (name)") -> None:
    db = sqlite3.connect(path)
    db.executescript(script)
    db.close()


def foreign_with_version(path: Path) -> None:
    foreign(path, "PRAGMA user_version = 1")


def of_the_future(path: Path) -> None:
    async def work() -> None:
        async with opened(lambda: SqliteStore(path)):
            pass

    run(work())
    foreign(path, "PRAGMA user_version = 7")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (text, "not a database"),
        (foreign, "another program"),
        (foreign_with_version, "another program"),
        (of_the_future, "format 7"),
        (Path.mkdir, "unable to open"),
        (lambda path: path.parent.joinpath("tables").touch(), "exists|not a directory"),
    ],
)
def test_what_is_not_ours_is_refused_and_left_alone(tmp_path: Path, make: Callable[[Path], None], why: str) -> None:
    path = tmp_path / "tables"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(Refused, match=f"(?i){why}") as refused:
        run(SqliteStore(path / "tables.db" if why.startswith("exists") else path).open())
    assert str(path) in str(refused.value) and is_one_sentence(str(refused.value))
    assert not path.is_file() or path.read_bytes() == before
    assert set(tmp_path.iterdir()) == {path}


def test_a_disk_that_does_not_write_fails_those_who_wait_and_nobody_later(tmp_path: Path) -> None:
    """The disk becomes full for this process at the commit."""

    async def work() -> None:
        async with opened(lambda: SqliteStore(tmp_path / "tables.db")) as store:
            await add(store, 1)
            before = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "tables.db-wal").stat().st_size, before[1]))
            try:
                outcomes = await asyncio.gather(add(store, 2), add(store, 1, table="BBBB"), return_exceptions=True)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            assert [type(outcome) for outcome in outcomes] == [Failed, Failed]
            assert (await numbers(store), await numbers(store, "BBBB")) == ([1], [])
            await add(store, 2)
            assert await numbers(store) == [1, 2]

    run(work())


def test_the_wal_is_copied_and_begun_anew_off_the_path_of_an_append(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 1 << 20
    monkeypatch.setattr(checkpoints, "INTERVAL", 0.01)
    monkeypatch.setattr(store_module, "Checkpoints", lambda path: Checkpoints(path, limit))
    wal = tmp_path / "tables.db-wal"

    async def work() -> None:
        async with opened(lambda: SqliteStore(tmp_path / "tables.db")) as store:
            assert store._writing.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
            largest = 0
            for seq in count(1):
                await add(store, seq, body="x" * 100_000)
                largest = max(largest, wal.stat().st_size)
                if store._checkpoints.restarts > 20:
                    break
            assert largest < 100_000 * seq / 4
            assert await numbers(store) == list(range(1, seq + 1))

    run(work())


def test_a_reader_keeps_the_wal_from_being_begun_anew_and_appends_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "INTERVAL", 0.01)
    monkeypatch.setattr(store_module, "Checkpoints", lambda path: Checkpoints(path, 1 << 20))

    async def work() -> None:
        async with opened(lambda: SqliteStore(tmp_path / "tables.db")) as store:
            await add(store, 1)
            reader = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
            for seq in range(2, 60):
                await add(store, seq, body="x" * 100_000)
            assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
            reader.close()
            assert await numbers(store) == list(range(1, 60))

    run(work())
