"""Flood test of one server process on this machine: flooding, slow and reconnecting clients beside honest players.

What honest players notice is measured without the flood and with it: the latency until a choice is acknowledged, and the time until the bots have
answered it. The attackers run in a process of their own with a lower priority, so that the figures are those of the server. They have a few addresses
only (X-Forwarded-For), as one attacker has; honest players have one each.

    python benchmarks/flood.py                    # half a minute
    python benchmarks/flood.py --plant unlimited  # the limits taken out: the goal is missed
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from forking import PLANTS, forked
from serving import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from kortlek.engine.plain import Refused
from kortlek.table.load.crowd import Crowd, Heard, Player
from kortlek.table.protocol import PROTOCOL
from kortlek.table.table import ENDED

FLOODING, SLOW, RECONNECTING = 200, 50, 50
"""How many attackers of each kind there are."""
CLIENTS_PER_ADDRESS = 20
KINDS = ("chatter", "guess", "open_tables", "visit", "sleep", "reconnect")
"""The kinds of attackers: the methods of ``Attack``. All but the last two share the flooding clients."""
HONEST = 24
THINKING = 0.2
"""The mean time between two choices of an honest player, in seconds."""
GOAL_P99, GOAL_RATIO = 50.0, 2.0
TABLE = {"game": "up_and_down", "players": 3, "options": {"largest_round": 7}, "pace": 0, "grace": 86400, "stand_in": "house"}


class Row(NamedTuple):
    """One goal: what was measured, the goal, the figure, and whether it holds."""

    what: str
    wanted: str
    measured: str
    holds: bool


@dataclass(frozen=True)
class Noticed:
    """What honest players noticed: latencies in milliseconds, and choices per second."""

    p50: float
    p99: float
    bots_p50: float
    bots_p99: float
    choices: float

    def __str__(self) -> str:
        choice, bots = f"{self.p50:.1f}, p99 {self.p99:.1f} ms", f"{self.bots_p50:.1f}, p99 {self.bots_p99:.1f} ms"
        return f"choice p50 {choice}; bots p50 {bots}; {self.choices:.0f} choices/s"


# ---- honest players


class Seat(NamedTuple):
    """A player's table, and her token."""

    code: str
    token: str


class Honest(Player):
    """A player against bots. ``bots`` gets the times from an acknowledgement to the player's next turn."""

    def __init__(self, crowd: Crowd, seat: Seat, bots: list[float]) -> None:
        super().__init__(crowd, f"/api/tables/{seat.code}/socket", seat.token, begins=True)
        self.bots, self.acknowledged_at, self.is_acknowledged = bots, 0.0, False

    def answered(self, heard: Heard) -> None:
        """Note an acknowledgement."""
        super().answered(heard)
        self.is_acknowledged = True

    def act(self) -> None:
        """Record the time since the acknowledgement if it is this player's turn, and choose."""
        is_my_turn = self.status == ENDED or bool(self.legal)
        if self.is_acknowledged:
            self.acknowledged_at = 0.0 if is_my_turn else time.perf_counter()
            self.is_acknowledged = False
        elif self.acknowledged_at and is_my_turn:
            if self.crowd.counting:
                self.bots.append(time.perf_counter() - self.acknowledged_at)
            self.acknowledged_at = 0.0
        super().act()


def honest_seats(server: Server, count: int) -> list[Seat]:
    """The seats of players, each at a table with two bots, whose matches have begun."""
    seats = []
    for number in range(count):
        address = f"10.1.0.{number + 1}"

        def post(path: str, body: dict[str, Any], token: str = "", address: str = address) -> Any:
            status, answer = server.ask("POST", path, json.dumps(body).encode(), token, **{"X-Forwarded-For": address})
            assert status == 201, answer
            return json.loads(answer)

        opened = post("/api/tables", {**TABLE, "name": "Ada", "levels": ["house"] * 2})
        post(f"/api/tables/{opened['code']}/messages", {"do": "start"}, opened["token"])
        seats.append(Seat(opened["code"], opened["token"]))
    return seats


async def play(server: Server, seats: list[Seat], seconds: float, before: Callable[[], Awaitable[None]]) -> Noticed:
    """Let honest players play; ``before`` is awaited when all are connected and before the measurement begins."""
    bots, crowd = list[float](), Crowd("127.0.0.1", server.port, THINKING)
    crowd.players = [Honest(crowd, seat, bots) for seat in seats]
    try:
        await crowd.enter()
        crowd.go()
        await before()
        crowd.reset()
        crowd.counting = True
        await asyncio.sleep(seconds)
        crowd.counting = False
        await crowd.pause()
    except Refused as error:
        print(error, file=sys.stderr)
        crowd.times.append(float("inf"))
    crowd.leave()
    took = crowd.times
    return Noticed(quantile(took, 0.5), quantile(took, 0.99), quantile(bots, 0.5), quantile(bots, 0.99), len(took) / seconds)


def quantile(times: list[float], share: float) -> float:
    """A quantile in milliseconds; infinite if nothing was answered."""
    return 1000 * sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else float("inf")


# ---- attackers, in a process of their own


class Attack:
    """All attackers against one server. ``seen`` counts what they were answered."""

    def __init__(self, port: int, codes: list[str], kinds: list[str]) -> None:
        self.port, self.codes, self.seen = port, codes, Counter[str]()
        self.kinds = [getattr(self, kind) for kind in KINDS if kind in kinds]

    async def run(self, seconds: float) -> None:
        """Attack for some time."""
        slow, reconnecting = [kind for kind in self.kinds if kind == self.sleep], [kind for kind in self.kinds if kind == self.reconnect]
        flooding = [kind for kind in self.kinds if kind not in slow + reconnecting]
        tasks = []
        for part, (kinds, count) in enumerate(((flooding, FLOODING), (slow, SLOW), (reconnecting, RECONNECTING))):
            for n in range(count if kinds else 0):
                attack, address = kinds[n % len(kinds)], f"10.2.{part}.{n // CLIENTS_PER_ADDRESS}"
                tasks.append(asyncio.create_task(self.for_ever(attack, address, n)))
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def for_ever(self, attack: Callable[[str, random.Random], Awaitable[None]], address: str, number: int) -> None:
        """Attack again whenever the connection ends."""
        chance = random.Random(number)
        while True:
            with suppress(OSError, WebSocketException, asyncio.IncompleteReadError, ValueError):
                await attack(address, chance)
            await asyncio.sleep(0.05)

    # ---- the kinds of attack

    async def chatter(self, address: str, chance: random.Random) -> None:
        """Send messages as fast as the socket takes them."""
        async with self.connected(address, chance.choice(self.codes)) as client:
            while True:
                await client.send('{"do":"say","seat":0,"text":"Spam"}')
                self.seen["message"] += 1
                await asyncio.sleep(0)  # so that the others have their turn, and a close is noticed

    async def guess(self, address: str, chance: random.Random) -> None:
        """Try codes of tables."""
        await self.requests(address, lambda: ("GET", f"/api/tables/{''.join(chance.choices('bcdfghjkmn', k=6))}", b""))

    async def visit(self, address: str, chance: random.Random) -> None:
        """Load the page, the lobby and the games."""
        await self.requests(address, lambda: ("GET", chance.choice(["/", "/api/tables", "/api/games"]), b""))

    async def open_tables(self, address: str, chance: random.Random) -> None:
        """Open tables where only bots play, and watch them, so that the bots have to think."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            body = json.dumps({**TABLE, "levels": ["house"] * 3, "public": True}).encode()
            opened = await self.request(reader, writer, address, "POST", "/api/tables", body)
            if "token" not in opened:
                return
            path = f"/api/tables/{opened['code']}/messages"
            await self.request(reader, writer, address, "POST", path, b'{"do":"start"}', opened["token"])
            async with self.connected(address, opened["code"]) as client:
                async for text in client:
                    if json.loads(text).get("status") == "over":
                        return
        finally:
            writer.close()

    async def sleep(self, address: str, chance: random.Random) -> None:
        """Connect, and read nothing."""
        sleeping = socket.socket()
        sleeping.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeping.connect(("127.0.0.1", self.port))
        async with self.connected(address, chance.choice(self.codes), sock=sleeping, max_queue=1, ping_interval=None) as client:
            await client.wait_closed()

    async def reconnect(self, address: str, chance: random.Random) -> None:
        """Connect, ask for everything from the beginning, and go."""
        async with self.connected(address, chance.choice(self.codes), since=0) as client:
            answer = json.loads(await client.recv())
            self.seen[f"socket {answer.get('code') if answer['type'] == 'bye' else 'open'}"] += 1

    # ---- connections

    def connected(self, address: str, code: str, since: int | None = None, **how: Any) -> Connected:
        """A socket that has said hello as a spectator."""
        return Connected(self.port, address, code, since, how)

    async def requests(self, address: str, next_request: Callable[[], tuple[str, str, bytes]]) -> None:
        """Send one request after the other over one connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            while True:
                await self.request(reader, writer, address, *next_request())
        finally:
            writer.close()

    async def request(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str, method: str, path: str, body: bytes, token: str = ""
    ) -> Any:
        """Send a request; return the JSON of the answer, or nothing."""
        authorization = f"Authorization: Bearer {token}\r\n" if token else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {address}\r\nContent-Length: {len(body)}\r\n{authorization}\r\n"
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = next(int(line.partition(":")[2]) for line in answer.split("\r\n") if line.startswith("content-length:"))
        text = await reader.readexactly(length)
        self.seen[f"{method} {answer.split()[1]}"] += 1
        with suppress(ValueError):
            return json.loads(text)
        return {}


class Connected:
    """A socket to a table, after the hello."""

    def __init__(self, port: int, address: str, code: str, since: int | None, how: dict[str, Any]) -> None:
        url = f"ws://127.0.0.1:{port}/api/tables/{code}/socket"
        self._connect = connect(url, compression=None, max_size=None, additional_headers={"X-Forwarded-For": address}, **how)
        self._hello = {"do": "hello", "protocol": PROTOCOL} | ({} if since is None else {"since": since})

    async def __aenter__(self) -> ClientConnection:
        client = await self._connect.__aenter__()
        await client.send(json.dumps(self._hello))
        return client

    async def __aexit__(self, *error: Any) -> None:
        await self._connect.__aexit__(*error)


def attack_from_here(port: int, seconds: float, codes: list[str], kinds: list[str]) -> None:
    """The main function of the attackers' process."""
    os.nice(10)
    attack = Attack(port, codes, kinds)
    asyncio.run(attack.run(seconds))
    print(json.dumps(attack.seen))


# ---- the measurement


def measure(data: Path, seconds: float, plant: str = "", kinds: Sequence[str] = KINDS) -> tuple[Noticed, Noticed, dict[str, int]]:
    """What honest players noticed without and with the flood, and what the attackers were answered."""

    async def nothing() -> None:
        await asyncio.sleep(2)

    with forked(data, plant) as server:
        seats = honest_seats(server, HONEST)
        quiet = asyncio.run(play(server, seats, seconds, nothing))
        asked = [sys.executable, __file__, "--attack", str(server.port), "--seconds", str(seconds + 3), "--kinds", *kinds]
        asked += ["--codes", *(seat.code for seat in seats)]
        attackers: list[subprocess.Popen[str]] = []

        async def begin() -> None:
            attackers.append(subprocess.Popen(asked, stdout=subprocess.PIPE, text=True))
            await asyncio.sleep(3)

        flooded = asyncio.run(play(server, seats, seconds, begin))
        try:
            said, _ = attackers[0].communicate(timeout=60)
        finally:
            attackers[0].kill()
    return quiet, flooded, json.loads(said or "{}")


def rows(data: Path, seconds: float = 8.0, runs: int = 1, plant: str = "", kinds: Sequence[str] = KINDS) -> list[Row]:
    """The rows of goal S12; the worst run counts."""
    found = [measure(data / str(run), seconds, plant, kinds) for run in range(runs)]
    for quiet, flooded, seen in found:
        print(f"without: {quiet}\nwith:    {flooded}\nattackers: {seen}", file=sys.stderr)
    p99 = max(flooded.p99 for _, flooded, _ in found)
    ratio = max(flooded.bots_p50 / max(quiet.bots_p50, 1.0) for quiet, flooded, _ in found)
    quiet_p99 = statistics.median(quiet.p99 for quiet, _, _ in found)
    flood = f"{FLOODING} flooding, {SLOW} slow, {RECONNECTING} reconnecting clients"
    return [
        Row(f"choices of honest players beside {flood}", f"p99 ≤ {GOAL_P99:.0f} ms", f"p99 {p99:.1f} ms (without: {quiet_p99:.1f})", p99 <= GOAL_P99),
        Row("the bots' answers to them", f"within {GOAL_RATIO:.0f} times", f"{ratio:.2f} times", ratio <= GOAL_RATIO),
    ]


def main() -> int:
    """Measure and print; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each of the two measurements")
    parser.add_argument("--plant", choices=PLANTS, default="", help="a bug")
    parser.add_argument("--attack", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--kinds", choices=KINDS, nargs="+", default=list(KINDS), help="these kinds of attackers only")
    parser.add_argument("--codes", nargs="*", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.attack:
        attack_from_here(asked.attack, asked.seconds, asked.codes, asked.kinds)
        return 0
    with tempfile.TemporaryDirectory(prefix="kortlek-flood-") as data:
        found = rows(Path(data), asked.seconds, plant=asked.plant, kinds=asked.kinds)
    for row in found:
        print(f"{row.what}: {row.measured} ({row.wanted}): {'yes' if row.holds else 'no'}")
    return int(not all(row.holds for row in found))


if __name__ == "__main__":
    sys.exit(main())
