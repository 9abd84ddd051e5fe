"""A proxy that cuts connections at random bytes or lets them fall silent, and clients that reconnect (``kortlek.table.client``): every request must
take effect exactly once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from killing import Evening, Player, logs_in, visible_log
from mirror import Mirror
from serving import Server, free_port, soon
from tables import after
from websockets.asyncio.client import connect

from kortlek.table import client, facts
from kortlek.table.client import Remote
from kortlek.table.store import Entry
from kortlek.table.table import Table

MOST_BYTES = 30_000
"""The most bytes that a connection passes, in both directions together, before it is cut."""
TABLES = 5


class Cutter:
    """A proxy that spoils a number of connections, each after a random number of bytes, and passes all later ones. ``cuts`` of them are closed;
    ``holes`` become black holes: what is sent in one direction is swallowed, and neither end is told."""

    def __init__(self, port: int, cuts: int, seed: int, holes: int = 0) -> None:
        self.port, self.server_port = free_port(), port
        self.left = ["cut"] * cuts + ["hole"] * holes
        self.is_done = asyncio.Event()
        self._chance = random.Random(seed)
        self._chance.shuffle(self.left)
        self._passing = set[asyncio.Task[None]]()

    async def __aenter__(self) -> Cutter:
        self._listening = await asyncio.start_server(self.passes, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listening.close()
        for task in self._passing:
            task.cancel()

    async def passes(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on in both directions, until it is cut or one end closes it."""
        with suppress(OSError):
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.server_port)
            room = [self._chance.randrange(MOST_BYTES)]
            ways = [(reader, server_writer), (server_reader, writer)]
            both = [asyncio.create_task(self.pass_on(*way, room)) for way in ways]
            self._passing.update(both)
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task, (_, end) in zip(both, ways):
                task.cancel()
                end.transport.abort() if self._chance.random() < 0.5 else end.close()
            self._passing.difference_update(both)

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, room: list[int]) -> None:
        """Pass one direction on. ``room`` is the number of bytes left for both directions together."""
        with suppress(OSError):
            while data := await reader.read(65536):
                is_last = bool(self.left) and room[0] >= 0 and len(data) >= room[0]
                writer.write(data[: room[0]] if is_last else data)
                room[0] -= len(data)
                await writer.drain()
                if is_last:
                    how = self.left.pop()
                    if not self.left:
                        self.is_done.set()
                    if how == "cut":
                        return
                    while await reader.read(65536):  # a black hole
                        pass
                    await asyncio.Event().wait()  # that one end has gone is not passed on either: the other direction ends the connection


SECONDS = 1.0
"""Clients in ``impatient_clients`` ping after so many seconds, and wait as long for each answer."""


@contextmanager
def impatient_clients() -> Iterator[None]:
    """``Remote`` with pings that a test can wait for. Each of its connections has an address of its own, as those of many people have."""
    numbers = count(1)

    def connect_impatiently(address: str, **settings: Any) -> connect:
        number = next(numbers)
        headers = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
        patience: dict[str, Any] = {"ping_interval": SECONDS, "ping_timeout": SECONDS, "open_timeout": 2 * SECONDS, "close_timeout": SECONDS}
        return connect(address, **settings, **patience, additional_headers=headers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "connect", connect_impatiently)
        yield


@dataclass(eq=False)
class ReconnectingClient:
    """A client that makes a random legal choice or says a line, one request at a time, and reconnects whenever its connection breaks; until
    ``rests`` is set."""

    remote: Remote
    person: int
    chance: random.Random
    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)
    waits_for: str = ""
    shown: dict[str, Any] = field(default_factory=dict)
    mirror: Mirror = field(default_factory=Mirror)
    began: int = 0
    """The number of the last entry in the first snapshot."""
    news: list[int] = field(default_factory=list)
    rests: bool = False
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        async for frame in self.remote.messages():
            for message in self.mirror.hear(frame):
                self.hear(message)
            if not self.waits_for and self.shown and not self.rests:
                await self.act()
            if not self.waits_for and self.rests:
                self.answered.set()

    def hear(self, message: dict[str, Any]) -> None:
        """Note an entry that was told, how the table is shown, and whether the request was answered."""
        if message["type"] == "news":
            self.news.append(message["seq"])
        elif message["type"] == "show":
            self.shown = message
            if not self.began:
                self.began = message["seq"]
        elif message["type"] in ("done", "denied") and message["id"] == self.waits_for:
            self.waits_for = ""
            if message["type"] == "done":
                self.done[message["id"]] = message["seq"]

    async def act(self) -> None:
        """Start the next match, make a choice, or say a line."""
        match, seat = self.shown["match"], self.shown["seat"]
        message: dict[str, Any] = {}
        if self.shown["status"] == "over" and self.shown["owner"]:
            message = {"do": "start"}
        elif match["legal"]:
            message = {"do": "choose", "seat": seat, "choice": self.chance.choice(match["legal"])["choice"], "at": self.shown["seq"]}
        elif self.chance.random() < 0.3:
            message = {"do": "say", "seat": seat, "text": f"line {len(self.asked)}"}
        if message:
            self.waits_for = message["id"] = f"{len(self.asked)}"
            self.asked[self.waits_for] = message
            await self.remote.send(**message)


async def evening(server: Server, cuts: int, seed: int, holes: int = 0) -> tuple[list[str], int]:
    """Play until this many connections were cut and became black holes, then compare with the logs. Return what is wrong, and how many requests were
    acknowledged."""
    opened = Evening(server, TABLES, seed)
    await asyncio.to_thread(opened.open)
    with impatient_clients():
        return await play_through(Cutter(server.port, cuts, seed, holes), opened, seed)


async def play_through(proxy: Cutter, opened: Evening, seed: int) -> tuple[list[str], int]:
    """Play through a proxy until it has spoilt all connections that it is to spoil."""
    async with proxy as cutter:
        clients = [
            ReconnectingClient(Remote(f"http://127.0.0.1:{cutter.port}", player.code, player.token), player.person, random.Random(f"{seed} {number}"))
            for number, player in enumerate(opened.players)
        ]
        playing = [asyncio.create_task(client.play()) for client in clients]
        until_done = asyncio.create_task(cutter.is_done.wait())
        await asyncio.wait([until_done, *playing], return_when=asyncio.FIRST_COMPLETED)
        for client in clients:
            client.rests = True
        await soon(asyncio.gather(*(client.answered.wait() for client in clients if client.waits_for)))
        for task in [until_done, *playing]:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
    wrong = [f"a client gave up: {error!r}" for error in ended if error and not isinstance(error, asyncio.CancelledError)]
    logs = await logs_in(opened.server.data, {player.code for player in opened.players})
    for player, client in zip(opened.players, clients):
        wrong += not_once(player, client, log_as_seen(player, logs[player.code]))
    return wrong, sum(len(client.done) for client in clients)


def log_as_seen(player: Player, log: list[Entry]) -> list[Entry]:
    """The log of a table without the sealed choices of others, by whose numbers a player is answered."""
    return visible_log(player.person, after(Table(player.code), log)[0], log)


def not_once(player: Player, client: ReconnectingClient, log: list[Entry]) -> Iterator[str]:
    """Requests that did not take effect exactly once, and news that was not received exactly once. The log is as the player sees it."""
    mids = Counter(entry.mid for entry in log if entry.mid)
    said = Counter((fact.seat, fact.text) for entry in log if isinstance(fact := facts.read(entry.body), facts.Said))
    for name, message in client.asked.items():
        times = mids[f"{player.person}/{name}"]
        if times > 1 or times < (name in client.done):
            yield f"{player.code}: message {name} happened {times} times"
        if name in client.done and log[client.done[name] - 1].mid != f"{player.person}/{name}":
            yield f"{player.code}: message {name} is not entry {client.done[name]}"
        if message["do"] == "say" and said[message["seat"], message["text"]] != times:
            yield f"{player.code}: {message['text']!r} was said {said[message['seat'], message['text']]} times, not {times}"
    if sorted(set(client.news)) != client.news:
        yield f"{player.code}: person {player.person} was told {client.news}"
    if client.mirror.seq < max(client.done.values(), default=0):
        yield f"{player.code}: person {player.person} was told up to {client.mirror.seq} only"
