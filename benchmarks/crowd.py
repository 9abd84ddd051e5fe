"""Load test of one server process with many players: the latency until a choice is acknowledged, which means that it is on disk, and the choices
per second. The server has one core, the clients the other."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from forking import forked
from killing import Evening, Player
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from kortlek.engine.patches import merge
from kortlek.game.registry import GAMES
from kortlek.table.protocol import PROTOCOL

CONCURRENT_CONNECTS = 20
"""The number of clients that connect at the same time."""
WARM_UP_SECONDS = 2.0
"""Seconds of play before the measurement begins."""


@dataclass(frozen=True)
class Took:
    """The result of one run: the median and 99th percentile of the latency in milliseconds, and choices per second."""

    p50: float
    p99: float
    choices: float


class Loaded:
    """A client that makes the first legal choice, after a delay of ``pause`` seconds on average."""

    def __init__(self, player: Player, pause: float, took: Callable[[float], None]) -> None:
        self.player, self.pause, self.took = player, pause, took
        self.chance = random.Random(player.token)
        self.sent_at, self.waits = 0.0, False
        self.seq, self.table, self.view = -1, dict[str, Any](), dict[str, Any]()

    async def play(self, gate: asyncio.Semaphore, is_in: asyncio.Event) -> None:
        """Connect when the semaphore allows it, set ``is_in``, and play until cancelled."""
        address = f"{self.player.server.replace('http', 'ws')}/api/tables/{self.player.code}/socket"
        headers = {"X-Forwarded-For": self.player.address}
        async with gate:
            socket = await connect(address, compression=None, max_size=None, additional_headers=headers)
            await socket.send(msgspec.json.encode({"do": "hello", "protocol": PROTOCOL, "token": self.player.token}).decode())
            self.hear(msgspec.json.decode(await socket.recv()))
        is_in.set()
        with suppress(WebSocketException):
            async with socket:
                async for text in socket:
                    self.hear(msgspec.json.decode(text))
                    if self.table and not self.waits:
                        await self.act(socket)

    def hear(self, message: dict[str, Any]) -> None:
        """Apply a snapshot or a step, and record the latency of acknowledgements."""
        if message["type"] == "snapshot":
            self.seq, self.table, [self.view] = message["seq"], message["table"], message["views"]
        elif message["type"] == "step":
            assert message["since"] == self.seq, "a step is missing"
            self.seq, self.table = message["seq"], merge(self.table, message.get("table", {}))
            for patch in message["views"]:
                merge(self.view, patch)
        if message["type"] in ("done", "denied") or "done" in message:
            self.waits = False
            if message["type"] != "denied":
                self.took(time.perf_counter() - self.sent_at)

    async def act(self, socket: ClientConnection) -> None:
        """Send a choice if it is this player's turn."""
        message: dict[str, Any] = {}
        if self.table["status"] == "over" and self.table["owner"] == self.player.person:
            message = {"do": "start"}
        elif self.view["match"]["legal"]:
            message = {"do": "choose", "seat": self.view["seat"], "choice": self.view["match"]["legal"][0]["choice"], "at": self.seq}
        if message:
            if self.pause:
                await asyncio.sleep(self.chance.uniform(0, 2 * self.pause))
            self.waits = True
            self.sent_at = time.perf_counter()
            await socket.send(msgspec.json.encode(message | {"id": f"{self.player.token[:8]} {time.time_ns()}"}).decode())


async def everyone(events: list[asyncio.Event]) -> None:
    """Wait until all clients are connected."""
    for event in events:
        await event.wait()


async def once(players: list[Player], seconds: float, pause: float) -> Took:
    """Connect all clients and let them play for ``seconds`` seconds."""
    took, counts = list[float](), False

    def note(seconds: float) -> None:
        if counts:
            took.append(seconds)

    gate, events = asyncio.Semaphore(CONCURRENT_CONNECTS), [asyncio.Event() for _ in players]
    playing = [asyncio.create_task(Loaded(player, pause, note).play(gate, event)) for player, event in zip(players, events)]
    all_in = asyncio.ensure_future(everyone(events))
    await asyncio.wait([all_in, *playing], return_when=asyncio.FIRST_COMPLETED)
    assert all_in.done(), "somebody was not let in"
    gc.collect()
    gc.freeze()  # garbage collection in the clients would count as latency of the server
    await asyncio.sleep(WARM_UP_SECONDS)
    began, counts = time.perf_counter(), True
    await asyncio.sleep(seconds)
    counts, lasted = False, time.perf_counter() - began
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    gc.unfreeze()
    ordered = sorted(took)
    return Took(1000 * statistics.median(ordered), 1000 * ordered[len(ordered) * 99 // 100], len(ordered) / lasted)


def measure(data: Path, players: int, runs: int, seconds: float, offered: float, plant: str = "") -> tuple[list[Took], list[Took]]:
    """``runs`` runs with about ``offered`` choices per second, and as many without a delay between choices."""

    async def all_runs(evening: Evening) -> tuple[list[Took], list[Took]]:
        at_ease = [await once(evening.players, seconds, evening.tables / offered) for _ in range(runs)]
        in_haste = [await once(evening.players, seconds, 0.0) for _ in range(runs)]
        return at_ease, in_haste

    seats = sum(game.players[0] for game in GAMES.values())  # of tables with one of each game
    with forked(data, plant) as server:
        evening = Evening(server, players * len(GAMES) // seats, 1)
        evening.open()
        return asyncio.run(all_runs(evening))


def fsync_takes(data: Path) -> float:
    """The median time of an fsync of four kilobytes in milliseconds: the lower bound of any durable acknowledgement."""
    times = []
    with (data / "disk").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(b"x" * 4096)
            began = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return 1000 * statistics.median(times)
