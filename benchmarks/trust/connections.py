"""R4 and R5: everyone is back soon after a crash, and each message happens exactly once however connections end."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass

import cutting
import pytest
from cutting import ReconnectingClient, impatient_clients, log_as_seen, not_once
from forking import forked
from killing import Evening, logs_in
from serving import Server, serving, soon
from trust.row import Found, Row, Run

from kortlek.table import client
from kortlek.table.client import Remote

# ---- R4

TABLES = {"small": 20, "full": 420, "planted": 5}
"""Of the games in turn: 420 have 1,000 players."""
CRASHES = 2
BACK_WITHIN = 3.0
LOAD = 100.0
"""Choices per second before the crash, of all players together, if the server can."""
CLOCK, DOWN = 6, 8.0
"""The time limit of a turn, and how long the server is down meanwhile, in seconds."""
CLOCK_MAY_LOSE = 1.0


@dataclass(eq=False)
class Returning(ReconnectingClient):
    """A client that thinks before it chooses, and notes when it was last welcomed."""

    pause: float = 0.0
    welcomed_at: float = 0.0

    def hear(self, message: dict[str, object]) -> None:
        if message["type"] == "welcome":
            self.welcomed_at = time.monotonic()
        super().hear(message)

    async def act(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, 2 * self.pause))
        await super().act()


def r4(run: Run) -> Found:
    """Kill ``kortlek serve`` under load and start it at once; then a server with a running clock, which stays down for longer than a turn."""
    tables = TABLES[run.size]
    with pytest.MonkeyPatch.context() as patch, impatient_clients(), serving(run.data / "load", "--behind-proxy") as server:
        if run.is_planted:
            patch.setattr(client, "PAUSE", 5.0)
            patch.setattr(client, "min", lambda most, pause: pause, raising=False)
        wrong, back, players = asyncio.run(crashes(server, tables, 1 if run.is_planted else CRASHES))
    figures = {"everyone back after s": back}
    if back > BACK_WITHIN:
        wrong.append(f"it took {back:.1f} s until everyone was back")
    if not run.is_planted:
        with serving(run.data / "clock") as server:
            figures["clock time lost in s"] = lost = max(0.0, asyncio.run(clock_time_lost(server)))
        if lost > CLOCK_MAY_LOSE:
            wrong.append(f"a clock of {CLOCK} s lost {lost:.1f} s while the server was down")
    return Found(wrong, {"crashes": CRASHES, "players, twice": 2 * players}, figures)


async def crashes(server: Server, tables: int, times: int) -> tuple[list[str], float, int]:
    """Crash a server under load: what did not happen exactly once, the longest time in seconds until everyone was back, and the number of players."""
    opened, worst = Evening(server, tables, 1), 0.0
    await asyncio.to_thread(opened.open)
    clients = [
        Returning(Remote(server.url, player.code, player.token), player.person, random.Random(number), pause=tables / LOAD)
        for number, player in enumerate(opened.players)
    ]
    playing = [asyncio.create_task(each.play()) for each in clients]
    try:
        await soon(all_welcomed(clients, 0.0))
        for _ in range(times):
            await asyncio.sleep(2)
            crashed = time.monotonic()
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await soon(all_welcomed(clients, crashed))
            worst = max(worst, *(each.welcomed_at - crashed for each in clients))
        for each in clients:
            each.rests = True
        await soon(asyncio.gather(*(each.answered.wait() for each in clients if each.waits_for)))
    finally:
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
    wrong = [f"a client gave up: {error!r}" for error in ended if error and not isinstance(error, asyncio.CancelledError)]
    logs = await logs_in(server.data, {player.code for player in opened.players})
    for player, each in zip(opened.players, clients):
        wrong += not_once(player, each, log_as_seen(player, logs[player.code]))
    return wrong, worst, len(clients)


async def all_welcomed(clients: list[Returning], since: float) -> None:
    """Wait until everyone was welcomed after a moment."""
    while any(each.welcomed_at <= since for each in clients):
        await asyncio.sleep(0.01)


async def clock_time_lost(server: Server) -> float:
    """How many seconds earlier a turn ended than it would have, had the clock stood still while the server was down."""
    settings = {"game": "up_and_down", "players": 2, "clock": CLOCK, "grace": 86400, "stand_in": "random", "name": "Ada"}
    opened = await asyncio.to_thread(server.post, "/api/tables", settings)
    code = opened["code"]
    joined = await asyncio.to_thread(server.post, f"/api/tables/{code}/join", {"name": "Bo"})
    remotes = [Remote(server.url, code, each["token"]) for each in (opened, joined)]
    listening = [asyncio.create_task(listen(remote)) for remote in remotes]
    try:
        await soon(until_told(remotes, 0))
        began = time.monotonic()
        await asyncio.to_thread(server.post, f"/api/tables/{code}/messages", {"do": "start"}, opened["token"])
        await asyncio.sleep(1)
        seq = remotes[0].seq or 0
        await asyncio.to_thread(server.kill)
        ran = time.monotonic() - began
        await asyncio.sleep(DOWN)
        await asyncio.to_thread(server.start)
        began = time.monotonic()
        await soon(until_told(remotes, seq))
        return CLOCK - (ran + time.monotonic() - began)
    finally:
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)


async def listen(remote: Remote) -> None:
    """Hear everything."""
    async for _ in remote.messages():
        pass


async def until_told(remotes: list[Remote], seq: int) -> None:
    """Wait until all know of an entry after this one."""
    while any((remote.seq or 0) <= seq for remote in remotes):
        await asyncio.sleep(0.01)


# ---- R5

CUTS = {"small": 200, "full": 1000, "planted": 100}
HOLES = {"small": 20, "full": 100, "planted": 0}


def r5(run: Run) -> Found:
    """Cut connections, and let others fall silent; the log of the server tells how often each message has happened."""
    with forked(run.data, "impatient,forgetful" if run.is_planted else "impatient") as server:
        wrong, answered = asyncio.run(cutting.evening(server, CUTS[run.size], run.part + 1, HOLES[run.size]))
    return Found(wrong, {"messages": answered, "cuts": CUTS[run.size], "black holes": HOLES[run.size]})


ROWS = (
    Row(
        "R4",
        "everyone back after a crash under load; clock time lost",
        "3 s from the kill, 1,000 players, without a reload; none",
        r4,
        {"players, twice": 2000},
        "a client that waits five seconds before it connects again",
    ),
    Row(
        "R5",
        "messages not applied or not told exactly once",
        "0 in 10,000 cut and 1,000 black-holed connections",
        r5,
        {"cuts": 10_000, "black holes": 1000},
        "a server that forgets which messages it has applied",
    ),
)
