"""R3 and R9: how fast choices are durable with many players, and that a long evening costs neither memory nor descriptors."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import crowd
from forking import Forked, forked
from killing import Evening, Player
from trust.row import Found, Row, Run
from websockets.asyncio.client import connect

from kortlek.table.load import run as load
from kortlek.table.protocol import PROTOCOL

# ---- R3

PLAYERS = {"small": 100, "full": 1000}
RUNS = {"small": 1, "full": 5}
SECONDS = {"small": 2.0, "full": 10.0}
GAMES = ("plump", "rummy")
OFFERED = 100.0
"""Choices per second in the runs at a moderate rate."""
SPECTATORS = (2, 200)
P50, P99, CHOICES, SHARE, BYTES, SPECTATORS_COST = 3.0, 25.0, 2500.0, 0.45, 400.0, 2.0


def r3(run: Run) -> Found:
    """Load, with tables of four people: at a moderate rate, in haste beside a bare durable echo, and with many spectators."""
    if run.is_planted:
        return slow_disk(run)
    wrong, figures, players = list[str](), dict[str, float](), PLAYERS[run.size]
    for game in GAMES:
        runs, seconds = RUNS[run.size], SECONDS[run.size]
        at_ease = load.measure(load.Plan(game, players, players / load.SEATS / OFFERED, 0, runs, seconds)).tables
        in_haste = load.measure(load.Plan(game, players, 0.0, 0, runs, seconds))
        p50, p99 = (max(getattr(turn, name) for turn in at_ease.valid) for name in ("p50", "p99"))
        rate, frame = in_haste.tables.of("rate") or 0.0, in_haste.tables.of("frame") or 0.0
        share, spectators = in_haste.share(in_haste.echo), load.spectators_cost(game, *SPECTATORS, runs, seconds)
        figures |= {f"{game}: p50 ms": p50, f"{game}: p99 ms": p99, f"least {game} choices/s": rate, f"least {game} share of an echo": share}
        figures |= {f"{game}: bytes": frame, f"{game}: 200 spectators, times": spectators, f"{game}: void runs": float(at_ease.void)}
        missed = {"p50": p50 > P50, "p99": p99 > P99, "choices/s": rate < CHOICES, "share": share < SHARE, "spectators": spectators > SPECTATORS_COST}
        missed["bytes"] = game == GAMES[0] and frame > BYTES  # the goal is for this game
        wrong += [f"{game}: {what}" for what, is_missed in missed.items() if is_missed]
    return Found(wrong, {"players": players}, figures)


def slow_disk(run: Run) -> Found:
    """Planted bug: each commit waits longer than the disk needs. The clients are those of R9, as the server has to be one with a bug."""
    [took], _ = crowd.measure(run.data, 110, 1, 2.0, OFFERED, "slow disk")
    return Found([f"p50 is {took.p50:.1f} ms"] if took.p50 > P50 else [])


# ---- R9

TABLES = {"small": 200, "full": 200, "planted": 20}
SOAK = {"small": 60.0, "full": 3600.0, "planted": 6.0}
RATE = 40.0
"""Choices per second at all tables together."""
VISITS = 5.0
"""Spectators per second who come and go."""
GROWTH = 0.1
"""How much more memory, as a share, is still called flat."""
MORE_DESCRIPTORS = 10


@dataclass(frozen=True)
class Sample:
    """What a process uses: memory in megabytes, and open descriptors."""

    memory: float
    descriptors: int

    @staticmethod
    def of(server: Forked) -> Sample:
        process = Path(f"/proc/{server.pid}")
        found = re.search(r"VmRSS:\s+(\d+)", (process / "status").read_text())
        assert found
        return Sample(int(found[1]) / 1024, len(os.listdir(process / "fd")))


def r9(run: Run) -> Found:
    """Let people play at many tables for a long time, while spectators come and go. What the server uses in the last quarter is compared with the
    second one."""
    with forked(run.data, run.plant("hoarding")) as server:
        evening = Evening(server, TABLES[run.size], 1)
        evening.open()
        samples, choices = asyncio.run(soak(server, evening.players, SOAK[run.size], evening.tables / RATE))
    quarter = len(samples) // 4
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    memory = [statistics.median(each.memory for each in some) for some in (early, late)]
    descriptors = [max(each.descriptors for each in some) for some in (early, late)]
    wrong = [f"memory has grown from {memory[0]:.0f} to {memory[1]:.0f} MB"] if memory[1] > (1 + GROWTH) * memory[0] else []
    wrong += [f"there were {descriptors[0]} descriptors, and {descriptors[1]} later"] if descriptors[1] > descriptors[0] + MORE_DESCRIPTORS else []
    figures = {"MB then": memory[0], "MB later": memory[1], "descriptors then": float(descriptors[0]), "descriptors later": float(descriptors[1])}
    return Found(wrong, {"seconds": int(SOAK[run.size]), "tables": TABLES[run.size], "choices": choices}, figures)


async def soak(server: Forked, players: list[Player], seconds: float, pause: float) -> tuple[list[Sample], int]:
    """Play for some time; what the server used, measured every half second, and the number of choices."""
    took, samples = list[float](), list[Sample]()
    gate, events = asyncio.Semaphore(crowd.CONCURRENT_CONNECTS), [asyncio.Event() for _ in players]
    tasks = [asyncio.create_task(crowd.Loaded(player, pause, took.append).play(gate, event)) for player, event in zip(players, events)]
    await crowd.everyone(events)
    tasks.append(asyncio.create_task(visits([player.code for player in players], server)))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        samples.append(Sample.of(server))
        await asyncio.sleep(0.5)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return samples, len(took)


async def visits(codes: list[str], server: Forked) -> None:
    """Spectators who look at a table and leave, one after the other."""
    chance = random.Random(1)
    while True:
        address = f"ws://127.0.0.1:{server.port}/api/tables/{chance.choice(codes)}/socket"
        headers = {"X-Forwarded-For": f"10.9.{chance.randrange(256)}.{chance.randrange(256)}"}
        async with connect(address, compression=None, additional_headers=headers) as socket:
            await socket.send(json.dumps({"do": "hello", "protocol": PROTOCOL}))
            await socket.recv()
        await asyncio.sleep(1 / VISITS)


ROWS = (
    Row(
        "R3",
        "until a choice is durably acknowledged, at 100 choices/s; choices/s in haste, as a share of a durable echo; bytes; spectators",
        "p50 3 ms, p99 25 ms, 2,500 choices/s, 0.45, 400 bytes, 2 times, 1,000 players",
        r3,
        {"players": 1000},
        "a disk that needs 30 ms more for each commit",
    ),
    Row(
        "R9",
        "memory and descriptors while 200 tables are played at",
        "flat over an hour",
        r9,
        {"seconds": 3600},
        "a server that keeps memory and a descriptor for each message",
    ),
)
