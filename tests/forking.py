"""A server that can be killed often: everything is loaded once, and each life of the server is a fork of that.

Run as a program it is the mother: each line it reads starts a server and is answered with its pid, and again when it has ended. What it
forks is ``kortlek.table.server`` as ``kortlek serve`` runs it, but that no bots are made ready (nobody asks them) and that it believes
whoever says through which address it asks, so that one machine can be many."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest
from running import SOURCE
from serving import Server, wait_for

from kortlek.table import handlers, journal, lobby, server, table
from kortlek.table.facts import AnyFact
from kortlek.table.store import Entry, SqliteStore, Standing
from kortlek.table.workers import Workers


class Forked(Server):
    """The same as a Server, but quicker to start again. ``plant`` is one of PLANTS, a bug."""

    def __init__(self, data: Path, plant: str = "") -> None:
        super().__init__(data)
        self._plant, self.pid = plant, 0

    def start(self) -> None:
        if self.process is None:
            self.data.mkdir(parents=True, exist_ok=True)
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), str(Path(__file__).parent)])}
            command = [sys.executable, __file__, str(self.data), str(self.port), self._plant]
            with self.log.open("a") as log:
                pipe = subprocess.PIPE
                self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, text=True, env=environment)
        assert self.process.stdin and self.process.stdout
        print("start", file=self.process.stdin, flush=True)
        self.pid = int(self.process.stdout.readline())
        wait_for(self.answers, f"the server ({self.log})")

    def kill(self) -> None:
        assert self.process and self.process.stdout
        os.kill(self.pid, SIGKILL)
        assert self.process.stdout.readline() == "gone\n"


@contextmanager
def forked(data: Path, plant: str = "") -> Iterator[Forked]:
    """Such a server for as long as a test needs it."""
    server = Forked(data, plant)
    server.start()
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):
            server.kill()
        assert server.process
        server.process.communicate()


def hasty(plant: pytest.MonkeyPatch) -> None:
    """The planted bug: an append of an event says that it is written, and is written a little later."""
    append, commit, under_way = SqliteStore.append, SqliteStore._commit, set[asyncio.Task[None]]()

    async def append_soon(self: SqliteStore, entries: Sequence[Entry], standing: Standing) -> None:
        written = asyncio.create_task(append(self, entries, standing))
        under_way.add(written)
        if any('"fact":"happened"' not in entry.body for entry in entries):
            await written

    def commit_later(self: SqliteStore, group: list[Any]) -> list[Exception | None]:
        time.sleep(0.02)
        return commit(self, group)

    plant.setattr(SqliteStore, "append", append_soon)
    plant.setattr(SqliteStore, "_commit", commit_later)


def tokens_as_they_are(plant: pytest.MonkeyPatch) -> None:
    """The planted bug: a token stands in the log, and not only its hash."""
    for module in (table, handlers):
        plant.setattr(module, "hashed", lambda token: token)


def tokens_noted(plant: pytest.MonkeyPatch) -> None:
    """The planted bug: the server writes down what it was asked, and the token with it."""
    token_in = lobby.token_in

    def noting(header: str | None) -> str:
        journal.note("asked", by=header)
        return token_in(header)

    plant.setattr(lobby, "token_in", noting)


def forgetful(plant: pytest.MonkeyPatch) -> None:
    """The planted bug: it is not remembered which messages were applied, so the same one can happen twice."""
    entries, take, written = table.Table.entries, table.Table.take, set[tuple[str, str]]()

    def without_a_second_number(self: table.Table, made: Sequence[AnyFact], now: int, mid: str = "") -> list[Entry]:
        again = (self.code, mid) in written
        written.add((self.code, mid))
        return entries(self, made, now, "" if again else mid)

    def take_and_forget(self: table.Table, entry: Entry) -> table.Step:
        step = take(self, entry)
        self.answered.clear()
        return step

    plant.setattr(table.Table, "entries", without_a_second_number)
    plant.setattr(table.Table, "take", take_and_forget)


def mother(data: str, port: str, plant: str = "") -> None:
    """Let a server live for each line."""
    settings = server.Settings("127.0.0.1", int(port), Path(data), behind_proxy=True)
    patch = pytest.MonkeyPatch()
    patch.setattr(Workers, "start", lambda self: None)
    if plant:
        PLANTS[plant](patch)
    for _ in sys.stdin:
        pid = os.fork()
        if not pid:
            os.close(0)
            server.run(settings, lambda: None)
            os._exit(0)
        print(pid, flush=True)
        os.waitpid(pid, 0)
        print("gone", flush=True)


PLANTS = {"hasty": hasty, "forgetful": forgetful, "tokens in the log of a table": tokens_as_they_are, "tokens in the journal": tokens_noted}

if __name__ == "__main__":
    mother(*sys.argv[1:])
