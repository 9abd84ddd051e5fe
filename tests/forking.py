"""A server that restarts quickly, for tests that kill it often: modules are loaded once, and each server is a fork of the process that loaded
them.

Run as a program, this module is that parent process: for each line on its standard input it forks a server, prints the pid, and prints ``gone``
when that server has ended. The server is ``kortlek.table.server`` as ``kortlek serve`` runs it, except that no bot workers are started and that
it trusts X-Forwarded-For, so that one machine can act as many addresses."""

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

import cheating_server
import faults
import pytest
from running import SOURCE
from serving import Server, wait_for

from kortlek.game import Game, Message
from kortlek.game.registry import GAMES
from kortlek.table import archive, handlers, journal, limits, live, lobby, server, stopped, table, turns
from kortlek.table.facts import AnyFact, Began
from kortlek.table.refusals import Refusal
from kortlek.table.store import Entry, SqliteStore
from kortlek.table.workers import Workers


class Forked(Server):
    """A Server that starts again faster. ``plant`` names bugs to plant, some of PLANTS with commas; ``database`` is a PostgreSQL to use."""

    def __init__(self, data: Path, plant: str = "", database: str = "", environment: dict[str, str] | None = None) -> None:
        super().__init__(data, environment=environment)
        self._plant, self._database, self.pid = plant, database, 0

    def start(self) -> None:
        if self.process is None:
            self.data.mkdir(parents=True, exist_ok=True)
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), str(Path(__file__).parent)]), **self._environment}
            command = [sys.executable, __file__, str(self.data), str(self.port), self._plant, self._database]
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
def forked(data: Path, plant: str = "", database: str = "") -> Iterator[Forked]:
    """A forked server, ended at the end of the block."""
    with running(Forked(data, plant, database)) as server:
        yield server


@contextmanager
def running(server: Forked) -> Iterator[Forked]:
    """Start a forked server, and end it at the end of the block."""
    server.start()
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):
            server.kill()
        assert server.process
        server.process.communicate()


def hasty(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: appending an event is acknowledged before it is written."""
    append, commit, under_way = SqliteStore.append, SqliteStore._commit, set[asyncio.Task[None]]()

    async def append_soon(self: SqliteStore, entries: Sequence[Entry], *others: Any, **more: Any) -> None:
        written = asyncio.create_task(append(self, entries, *others, **more))
        under_way.add(written)
        if any('"fact":"happened"' not in entry.body for entry in entries):
            await written

    def commit_later(self: SqliteStore, group: list[Any]) -> list[Exception | None]:
        time.sleep(0.02)
        return commit(self, group)

    plant.setattr(SqliteStore, "append", append_soon)
    plant.setattr(SqliteStore, "_commit", commit_later)


def tokens_as_they_are(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: tokens are written to the log in plain text instead of hashed."""
    for module in (table, handlers):
        plant.setattr(module, "hashed", lambda token: token)


def tokens_noted(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: the server writes the Authorization header of requests to its journal."""
    token_in = lobby.token_in

    def noting(header: str | None) -> str:
        journal.note("asked", by=header)
        return token_in(header)

    plant.setattr(lobby, "token_in", noting)


def forgetful(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: the ids of applied messages are not remembered, so a repeated message is applied twice."""
    entries, take, written = table.Table.entries, table.Table.take, set[tuple[str, str]]()

    def without_a_second_number(self: table.Table, made: Sequence[AnyFact], now: int, mid: str = "") -> list[Entry]:
        again = (self.code, mid) in written
        written.add((self.code, mid))
        return entries(self, made, now, "" if again else mid)

    def take_and_forget(self: table.Table, entry: Entry, now: int | None = None) -> table.Step:
        step = take(self, entry, now)
        self.answered.clear()
        return step

    plant.setattr(table.Table, "entries", without_a_second_number)
    plant.setattr(table.Table, "take", take_and_forget)


def unlimited(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: no address is ever refused, and bots answer first come, first served."""
    plant.setattr(limits.Pace, "is_over", False)
    plant.setattr(limits, "CONNECTIONS", limits.SOCKETS)
    plant.setattr(turns, "BOTS", turns.PEOPLE)
    plant.setattr(live, "BOTS", turns.PEOPLE)


def fork_servers(data: str, port: str, plant: str = "", database: str = "") -> None:
    """Fork a server for each line of the standard input."""
    settings = server.Settings("127.0.0.1", int(port), Path(data), database, behind_proxy=("127.0.0.1",))
    patch = pytest.MonkeyPatch()
    patch.setattr(Workers, "start", lambda self: None)
    for name in filter(None, plant.split(",")):
        PLANTS[name](patch)
    for _ in sys.stdin:
        pid = os.fork()
        if not pid:
            os.close(0)
            server.run(settings, lambda: None)
            os._exit(0)
        print(pid, flush=True)
        os.waitpid(pid, 0)
        print("gone", flush=True)


def later_edition(plant: pytest.MonkeyPatch) -> None:
    """No bug: an edition in which the version of every game is raised."""
    for game in GAMES.values():
        object.__setattr__(game, "version", game.version + 1)


def former_names_unknown(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: options of the first edition are not found under their former names."""
    plant.setattr(stopped, "present_names", lambda game, options: dict(options))


def no_films(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: the films of matches are made anew whenever they are looked at, and what is kept is empty."""
    plant.setattr(archive, "packed", lambda film: archive.FORMAT)


def other_rules_refused(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: a later edition in which a log with a match of another version cannot be replayed, as in the first edition."""
    later_edition(plant)

    def refused(game: Game[Any], began: Began) -> None:
        if began.version != game.version:
            raise Refusal("not_possible", Message("refuse-changed", {"game": Message("title")}), game=game)

    plant.setattr(table, "why_stopped", refused)


PLANTS = {
    "hasty": hasty,
    "forgetful": forgetful,
    "tokens in the log of a table": tokens_as_they_are,
    "tokens in the journal": tokens_noted,
    "later edition": later_edition,
    "former names of options unknown": former_names_unknown,
    "no films": no_films,
    "other rules refused": other_rules_refused,
    **{name: cheat for name, (cheat, _) in cheating_server.CHEATS.items()},
    **cheating_server.LATER,
    "unlimited": unlimited,
    **faults.FAULTS,
}

if __name__ == "__main__":
    fork_servers(*sys.argv[1:])
