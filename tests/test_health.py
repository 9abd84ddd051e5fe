"""``/health`` tells the truth: a full disk, a damaged file, a dead worker, a stalled event loop; and what a server says of a damaged file."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from running import start
from serving import DEADLINE, Server, free_port, serving, wait_for
from stores import is_one_sentence, opened, run
from test_transfer import keep, log_of

from kortlek.engine.plain import Refused
from kortlek.table import health
from kortlek.table.health import Health
from kortlek.table.measure import Measures
from kortlek.table.protocol.lobby_out import Part
from kortlek.table.store import Failed, SqliteStore
from kortlek.table.workers import Workers


def parts(server: Server) -> tuple[int, dict[str, bool]]:
    """The status of the health check, and which parts are well."""
    status, answer = server.ask("GET", "/health")
    found = json.loads(answer)
    assert found["ok"] == (status == 200) == all(part["ok"] for part in found["parts"].values())
    return status, {name: part["ok"] for name, part in found["parts"].items()}


def bad(server: Server) -> set[str]:
    """The parts that are not well."""
    return {name for name, ok in parts(server)[1].items() if not ok}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own, if this user may make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=80m", "tmpfs", str(folder)], capture_output=True).returncode:
        pytest.skip("only root may mount a disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_told_nothing_acknowledged_is_lost_and_the_server_recovers(disk: Path) -> None:
    with serving(disk) as server:
        assert bad(server) == set()
        codes = [server.post("/api/tables", {"name": "Ann", "game": "plump"})["code"]]
        filler = disk / "filler"
        with suppress(OSError), filler.open("wb") as full:
            while True:
                full.write(bytes(4096))
                full.flush()
        while True:  # until there is no room left in the write-ahead log
            status, answer = server.ask(
                "POST", "/api/tables", json.dumps({"name": "Ann", "game": "plump"}).encode(), **{"X-Forwarded-For": "10.0.0.1"}
            )
            if status != 201:
                assert status in (429, 503), answer
                break
            codes.append(json.loads(answer)["code"])
        assert status == 503
        assert "disk" in bad(server)
        wait_for(lambda: bad(server) == {"disk", "store"}, "the truth about the store")
        filler.unlink()
        wait_for(lambda: not bad(server), "a healthy server")
        codes.append(server.post("/api/tables", {"name": "Ann", "game": "plump"})["code"])
        server.kill()
        server.start()
        assert all(server.ask("GET", f"/api/tables/{code}")[0] == 200 for code in codes)


def test_a_worker_that_was_killed_is_told_and_replaced(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.process
        (worker,) = wait_for(lambda: workers_of(server.process.pid), "a worker")  # type: ignore[union-attr]
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: bad(server) == {"bots"}, "the truth about the worker")
        wait_for(lambda: not bad(server), "a healthy server")
        assert workers_of(server.process.pid) != [worker]


def workers_of(server: int) -> list[int]:
    """The bots' processes of a server."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == server and b"spawn_main" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found


def test_a_server_that_stood_still_says_so_for_a_while(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.process
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(1.5 * health.LONGEST_LAG)  # at least so late it will be
        server.process.send_signal(signal.SIGCONT)
        wait_for(lambda: "loop" in bad(server), "the truth about the event loop")
        wait_for(lambda: not bad(server), "a healthy server")


def test_a_server_does_not_start_on_a_damaged_file_and_says_what_to_do(tmp_path: Path) -> None:
    keep(tmp_path, *(log_of(f"{n:06d}", 20) for n in range(30)))
    with (tmp_path / "tables.db").open("r+b") as file:
        file.seek(10 * 4096)
        file.write(os.urandom(4096))
    said = start("serve", "--port", free_port(), "--data", tmp_path, "--no-browser")
    _, error = said.communicate(timeout=DEADLINE)
    last = error.splitlines()[-1]
    assert said.returncode == 2
    assert last.startswith(f"{tmp_path / 'tables.db'} is damaged (") and last.endswith("; put a backup in its place, as docs/serving.md says.")
    assert is_one_sentence(last)


class Slow(SqliteStore):
    """A store whose check takes until it is told to end, as that of a very large file, and then finds ``fault``."""

    def __init__(self, path: Path, fault: str = "") -> None:
        super().__init__(path)
        self.fault, self.end = fault, asyncio.Event()

    async def damage(self) -> str:
        await self.end.wait()
        return self.fault


def test_a_check_that_takes_long_goes_on_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(health, "CHECK_SECONDS", 0.01)

    async def work() -> None:
        for fault, about in (("", "checked at the start"), ("it is damaged", "damaged")):
            store = Slow(tmp_path / "tables.db", fault)
            await store.open()
            found = Health(store, Workers(games=()), Measures(), tmp_path)
            await found.start()
            assert (await found.parts())["integrity"] == Part(ok=True, about="being checked")
            store.end.set()
            assert found._checking
            await asyncio.wait([found._checking])
            assert (await found.parts())["integrity"] == Part(ok=not fault, about=about)
            await found.stop()
            await store.close()

    run(work())
    said = [json.loads(line)["what"] for line in capsys.readouterr().err.splitlines()]
    assert [said[1], said[3]] == ["the store is sound", "it is damaged"]


def test_a_store_is_closed_at_once_while_it_is_checked(tmp_path: Path) -> None:
    keep(tmp_path, *(log_of(f"{n:06d}", 20) for n in range(30)))

    async def work() -> None:
        for _ in range(5):
            store = SqliteStore(tmp_path / "tables.db")
            await store.open()
            checking = asyncio.create_task(store.damage())
            await asyncio.sleep(0)
            await store.close()
            with suppress(Failed):
                assert await checking == ""

    run(work())


def test_damage_of_any_page_is_found_or_harmless(tmp_path: Path) -> None:
    """Every page in turn is overwritten: the store says that it is damaged, or does not open; never that it is sound."""
    keep(tmp_path, *(log_of(f"{n:06d}", 20) for n in range(10)))
    path = tmp_path / "tables.db"
    sound = path.read_bytes()
    free = free_pages(path)

    async def damage() -> str:
        async with opened(lambda: SqliteStore(path)) as store:
            return str(await store.damage())

    assert asyncio.run(damage()) == ""
    for page in range(len(sound) // 4096):
        path.write_bytes(sound[: 4096 * page] + b"\xa5" * 4096 + sound[4096 * (page + 1) :])
        try:
            found = asyncio.run(damage())
        except Refused as error:
            found = str(error)
        assert "is damaged" in found or "Tables cannot be kept" in found or page in free, page
        for left in (path.with_name("tables.db-wal"), path.with_name("tables.db-shm")):
            left.unlink(missing_ok=True)


def free_pages(path: Path) -> set[int]:
    """The pages that hold nothing, counted from 0; none in a file in which nothing was deleted."""
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
    db.close()
    return set()


def test_a_write_is_tried_seldom_and_shared(tmp_path: Path) -> None:
    class Counting(SqliteStore):
        probes = 0

        async def probe(self) -> None:
            self.probes += 1
            await super().probe()

    async def work() -> None:
        store = Counting(tmp_path / "tables.db")
        await store.open()
        found = Health(store, Workers(games=()), Measures(), tmp_path)
        for _ in range(3):
            await asyncio.gather(*(found.parts() for _ in range(20)))
        assert store.probes == 1
        found._probed -= health.PROBE_SECONDS + 1
        await found.parts()
        assert store.probes == 2
        await found.stop()
        await store.close()

    run(work())


def test_a_store_that_hangs_or_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PROBE_TIMEOUT", 0.01)

    class Hanging(SqliteStore):
        async def probe(self) -> None:
            await asyncio.Event().wait()

    async def hangs() -> None:
        store = Hanging(tmp_path / "tables.db")
        await store.open()
        found = Health(store, Workers(games=()), Measures(), tmp_path)
        assert not (await found.parts())["store"].ok
        await found.stop()
        await store.close()

    async def fails() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        found = Health(store, Workers(games=()), Measures(), tmp_path)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            told: Any = await found.parts()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert told["store"] == Part(ok=False, about="it cannot be written")
        await found.stop()
        await store.close()

    run(hangs())
    monkeypatch.undo()
    run(fails())
