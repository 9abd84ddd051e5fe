"""S7 and S8: malformed messages change nothing, and neither tokens nor codes can be guessed."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from forking import forked
from guessing import let_in
from serving import Server, soon
from test_tokens import a_prefix_is_enough
from trust.row import Found, Row, Run
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kortlek.table.protocol import PROTOCOL


@dataclass
class Http:
    """A connection for HTTP requests, kept open; from an address of one's choice."""

    port: int
    address: str
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", token: str = "") -> tuple[int, str]:
        """Send a request; return the status and the text of the answer."""
        self.streams = self.streams or await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        headers = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"X-Forwarded-For: {self.address}", "Content-Type: application/json"]
        headers += [f"Content-Length: {len(body)}", *([f"Authorization: Bearer {token}"] if token else [])]
        writer.write("\r\n".join([*headers, "", ""]).encode() + body)
        head = (await soon(reader.readuntil(b"\r\n\r\n"))).decode("latin-1").lower()
        length = next(int(line.partition(":")[2]) for line in head.split("\r\n") if line.startswith("content-length:"))
        text = (await soon(reader.readexactly(length))).decode()
        if "connection: close" in head:
            self.close()
        return int(head.split()[1]), text

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self.streams:
            self.streams[1].close()
        self.streams = None


# ---- S7

MESSAGES = {"small": 20_000, "full": 20_000, "planted": 500}
AT_ONCE = 45
"""The number of messages from one address, over a socket or HTTP: fewer than the rate limit, as each is followed by one that is in order."""
SENDERS = 8
"""How many send at the same time."""
NASTY: list[Any] = [
    *(0, -1, 1 << 31, 1 << 63, 1 << 64, -(1 << 70), 1e308, 0.5, True, None, "", "0", "\0", "\ud800", "é" * 50, "🂡" * 20, "x" * 3000, "../..", "%00"),
    *([], {}, [[]], [None] * 50, {"": ""}, {"do": "start"}, [[[[[[[[[1]]]]]]]]]),
]
SPECTATORS: list[dict[str, Any]] = [
    *({"do": kind, "seat": 0} for kind in ("leave", "return", "kick", "fill", "ready", "undo", "mute", "explain", "hint")),
    *({"do": kind} for kind in ("start", "change", "lock", "history", "sync", "hello", "dance")),
    *({"do": "choose", "seat": 0, "choice": "bid 0", "at": 5}, {"do": "say", "seat": 0, "text": "Hello!"}, {"do": "join", "name": "Eve"}),
    *({"do": "answer", "seat": 0, "yes": True}, {"do": "add", "seat": 0, "promise": "0" * 64, "luck": "ff"}),
]
"""Requests to begin with, none of which a spectator is granted during a match."""
OTHERS = [each for each in SPECTATORS if each["do"] not in ("say", "leave", "return", "ready", "add", "hint", "join")]
"""Those that a player is not granted before her first turn, if she is not the owner."""


def mutated(message: dict[str, Any], chance: random.Random) -> str:
    """A message with some mistakes: in a value, a field, or the text."""
    message = {"id": f"{chance.getrandbits(40)}", **message}
    for _ in range(chance.randrange(3)):
        name = chance.choice(list(message))
        change = chance.randrange(4)
        if change == 0:
            del message[name]
            message = message or {"": 0}
        elif change == 1:
            message[chance.choice(["", "seat ", "constructor", "token", "as", name.upper()])] = chance.choice(NASTY)
        else:
            message[name] = chance.choice(NASTY)
    text = json.dumps(message)
    at, length = chance.randrange(len(text)), chance.randrange(1, 20)
    return chance.choice(
        [
            text,
            text,
            text[:at],
            text[:at] + text[at + length :],
            text[:at] + chr(chance.choice([0, 9, 34, 44, 58, 91, 92, 93, 123, 125, 127, 160, 0x2028, 0x1F0A1])) * length + text[at:],
            "[" * chance.randrange(3000),
            chance.choice(["", " ", "null", "0", '""', "[]", "{}", "NaN", "1e999", "\ufeff{}", "x" * 5000]),
        ]
    )


@dataclass
class Attack:
    """All messages against one table. ``seat`` is the token of a player who is neither the owner nor in turn."""

    server: Server
    code: str
    seat: str
    secrets: list[str]
    wrong: list[str] = field(default_factory=list)
    sent: int = 0

    async def send(self, many: int, seed: int) -> None:
        """Send at least so many messages."""
        await asyncio.gather(*(self.go_on(many, random.Random(f"{seed} {number}")) for number in range(SENDERS)))

    async def go_on(self, many: int, chance: random.Random) -> None:
        while self.sent < many:
            ways: list[Callable[[random.Random, str, str], Any]] = [self.by_socket, self.by_socket, self.by_http]
            address = ".".join(str(chance.randrange(1, 255)) for _ in range(4))
            await chance.choice(ways)(chance, address, chance.choice([self.seat, ""]))

    def check(self, sent: str, answer: str, failed: bool) -> None:
        """Note an answer that should not be."""
        self.sent += 1
        if failed:
            self.wrong.append(f"{sent[:200]!r} failed: {answer[:200]}")
        if any(secret in answer for secret in self.secrets):
            self.wrong.append(f"{sent[:200]!r} is answered with a secret: {answer[:300]}")

    async def by_socket(self, chance: random.Random, address: str, token: str) -> None:
        """Send messages over a socket. Those that the server closes it for end this turn."""
        where, headers = f"ws://127.0.0.1:{self.server.port}/api/tables/{self.code}/socket", {"X-Forwarded-For": address}
        with suppress(ConnectionClosed):
            async with connect(where, compression=None, additional_headers=headers) as socket:
                await socket.send(json.dumps({"do": "hello", "protocol": PROTOCOL, "token": token}))
                for _ in range(AT_ONCE):
                    text = mutated(chance.choice(OTHERS if token else SPECTATORS), chance)
                    answer = await self.answer_to(text, socket, chance)
                    self.check(text, answer, '"code":"failed"' in answer)

    async def answer_to(self, text: str, socket: ClientConnection, chance: random.Random) -> str:
        """Everything that is sent until the answer to a message that is in order and follows this one."""
        mark, heard = f"mark {chance.getrandbits(40)}", list[str]()
        with suppress(ConnectionClosed):
            await socket.send(text.encode("utf-8", "replace") if chance.random() < 0.02 else text)
            await socket.send(json.dumps({"do": "leave", "seat": 9, "id": mark}))
            while mark not in (heard[-1] if heard else ""):
                heard.append(str(await soon(socket.recv())))
        return "".join(heard)

    async def by_http(self, chance: random.Random, address: str, token: str) -> None:
        """Send requests over HTTP."""
        http, at = Http(self.server.port, address), f"/api/tables/{self.code}"
        with suppress(OSError, asyncio.IncompleteReadError):
            for _ in range(AT_ONCE):
                text = mutated(chance.choice(OTHERS if token else SPECTATORS), chance)
                path = chance.choice(
                    [f"{at}/messages", f"{at}/messages", f"{at}/join", f"{at}/record", f"{at}/replay?seat={chance.randrange(-9, 9)}"]
                )
                method = "POST" if path.endswith(("messages", "join")) else "GET"
                status, answer = await http.ask(method, path, text.encode("utf-8", "replace") if method == "POST" else b"", token)
                self.check(f"{path} {text}", answer, status >= 500)
        http.close()


def s7(run: Run) -> Found:
    """Send malformed messages as a spectator and as a player. None may fail, change the table, or be answered with a token or the secret."""
    settings = {"game": "up_and_down", "players": 2, "grace": 86400, "options": {"first_bettor": 0}, "name": "Ada"}
    with forked(run.data, run.plant("unguarded")) as server:
        opened = server.post("/api/tables", settings)
        code, ada = opened["code"], opened["token"]
        bo = server.post(f"/api/tables/{code}/join", {"name": "Bo"})["token"]
        server.post(f"/api/tables/{code}/messages", {"do": "start"}, ada)
        before = [server.show(code, token) for token in (ada, bo, "")]
        attack = Attack(server, code, bo, [ada, bo])
        asyncio.run(attack.send(MESSAGES[run.size], run.part))
        after = [server.show(code, token) for token in (ada, bo, "")]
        wrong = attack.wrong
        wrong += [f"the table has changed: {one} or {other}" for one, other in zip(before, after) if seen(one) != seen(other)]
        wrong += [f"the server notes: {line}" for line in server.log.read_text().splitlines() if '"event": "failed"' in line or "Traceback" in line]
    return Found(wrong, {"messages": attack.sent})


def seen(show: dict[str, Any]) -> tuple[Any, ...]:
    """What is seen of the match, and how many entries the log has."""
    return show["seq"], show["status"], show["match"], show["sheet"]


# ---- S8

TOKENS = {"small": 100_000, "full": 100_000, "planted": 1000}
GUESSING = 10.0
"""How many seconds one address guesses codes."""
GUESSES = 5.0


def s8(run: Run) -> Found:
    """Guess tokens of a table; and codes of tables, as fast as the server answers one address."""
    with pytest.MonkeyPatch.context() as patch:
        if run.is_planted:
            a_prefix_is_enough(patch)
        wrong = let_in(TOKENS[run.size], 1 + run.part)
    if run.is_planted:
        return Found(wrong)
    with forked(run.data) as server:
        rate = asyncio.run(codes_guessed(server)) / GUESSING
    if rate > GUESSES:
        wrong.append(f"one address learns of {rate:.0f} codes a second whether they exist")
    return Found(wrong, {"guessed tokens": TOKENS[run.size]}, {"guessed codes/s": rate})


async def codes_guessed(server: Server) -> int:
    """How many guesses were answered, rather than refused."""
    chance, guesses, http, until = random.Random(1), 0, Http(server.port, "192.0.2.1"), time.monotonic() + GUESSING
    while time.monotonic() < until:
        status, _ = await http.ask("GET", f"/api/tables/{''.join(chance.choices('bcdfghjkmnpqrstvwxz23456789', k=6))}")
        guesses += status != 429
    http.close()
    return guesses


ROWS = (
    Row(
        "S7",
        "malformed messages that failed, changed the table, or were answered with a secret",
        "0 in 1,000,000",
        s7,
        {"messages": 1_000_000},
        "a message that cannot be read is an error of the server",
    ),
    Row(
        "S8",
        "wrong tokens accepted, or the rightful player kept out; codes that one address can guess",
        "0 in 100,000 guesses; at most 5 a second",
        s8,
        {"guessed tokens": 100_000},
        "two letters of a token's hash are enough",
    ),
)
