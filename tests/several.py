"""Several server processes on one PostgreSQL database, a load balancer before them, and clients that play on while owners of tables are killed."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from cutting import ReconnectingClient, not_once
from forking import Forked
from killing import Evening, does_not_replay, visible_log
from serving import DEADLINE, Server, free_port, soon

from kortlek.table.client import Remote
from kortlek.table.leases import Process
from kortlek.table.postgres import PostgresStore
from kortlek.table.store import Entry
from kortlek.table.table import Table


def with_store(url: str, work: Any) -> Any:
    """What ``work`` returns for an open store."""

    async def opened() -> Any:
        store = PostgresStore(url)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())


def log_of(url: str, code: str) -> list[Entry]:
    """The log of a table, which must be without gaps."""
    log: list[Entry] = with_store(url, lambda store: store.read(code))
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    return log


def owner_of(url: str, code: str, servers: Sequence[Server]) -> Server | None:
    """The server that owns a table; None if none is alive that does."""
    owner: Process | None = with_store(url, lambda store: store.leases.owner(code))
    return next((server for server in servers if owner and owner.address == server.url), None)


@contextmanager
def all_started(servers: Sequence[Server]) -> Iterator[None]:
    """Servers that were started at the same time, killed at the end of the block."""
    try:
        with ThreadPoolExecutor() as threads:
            list(threads.map(lambda server: server.start(), servers))
        yield
    finally:
        for server in servers:
            with suppress(ProcessLookupError, AssertionError, ValueError):
                server.kill()
            if isinstance(server, Forked) and server.process:
                server.process.communicate()


class Balancer:
    """A load balancer: it passes each connection on to one of the servers, in turn, and tries the next one if a server does not answer."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.servers, self.port, self._next = servers, free_port(), 0
        self.url = f"http://127.0.0.1:{self.port}"
        self._passing = set[asyncio.Task[None]]()

    async def __aenter__(self) -> Balancer:
        self._listening = await asyncio.start_server(self.passes, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listening.close()
        for task in self._passing:
            task.cancel()

    async def passes(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on in both directions, until one end closes it."""
        for _ in self.servers:
            self._next = (self._next + 1) % len(self.servers)
            with suppress(OSError):
                server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.servers[self._next].port)
                ways = [asyncio.create_task(pass_on(reader, server_writer)), asyncio.create_task(pass_on(server_reader, writer))]
                self._passing.update(ways)
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                self._passing.difference_update(ways)
                for task in ways:
                    task.cancel()
                server_writer.close()
                break
        writer.close()


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass one direction on."""
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


@dataclass
class Killed:
    """The outcome of an evening: what is wrong, the number of acknowledged requests, and after each kill the seconds until the last match of the
    killed process went on."""

    wrong: list[str] = field(default_factory=list)
    acknowledged: int = 0
    pauses: list[float] = field(default_factory=list)


async def evening(url: str, door: str, servers: Sequence[Server], tables: int, kills: int, seed: int) -> Killed:
    """Let people play at tables through a door that leads to all servers. Kill the owner of a random table, wait until the matches that the process
    owned go on, and start the server again; then compare what everyone was told with the logs."""
    chance, outcome = random.Random(seed), Killed()
    opened = Evening(servers[0], tables, seed)
    await asyncio.to_thread(opened.open)
    clients = [
        ReconnectingClient(Remote(door, player.code, player.token), player.person, random.Random(f"{seed} {number}"))
        for number, player in enumerate(opened.players)
    ]
    playing = [asyncio.create_task(client.play()) for client in clients]
    codes = sorted({player.code for player in opened.players})

    def done(code: str) -> int:
        return sum(len(client.done) for player, client in zip(opened.players, clients) if player.code == code)

    async def goes_on(some: Sequence[str]) -> None:
        """Wait until something is acknowledged at each of these tables."""
        before = {code: done(code) for code in some}
        while any(done(code) == before[code] for code in some):
            for task in playing:
                if task.done():
                    task.result()
            await asyncio.sleep(0.01)

    await soon(goes_on(codes))
    for _ in range(kills):
        victim = await asyncio.to_thread(owner_of, url, chance.choice(codes), servers)
        if victim is None:
            continue
        owned = [code for code in codes if await asyncio.to_thread(owner_of, url, code, servers) is victim]
        await asyncio.sleep(chance.random() * 0.05)
        await asyncio.to_thread(victim.kill)
        killed = time.monotonic()
        await asyncio.wait_for(goes_on(owned), DEADLINE)
        outcome.pauses.append(time.monotonic() - killed)
        await asyncio.to_thread(victim.start)
        await soon(goes_on(codes))
    for client in clients:
        client.rests = True
    await soon(asyncio.gather(*(client.answered.wait() for client in clients if client.waits_for)))
    for task in playing:
        task.cancel()
    ended = await asyncio.gather(*playing, return_exceptions=True)
    outcome.wrong += [f"a client gave up: {error!r}" for error in ended if error and not isinstance(error, asyncio.CancelledError)]
    logs = {code: await asyncio.to_thread(log_of, url, code) for code in codes}
    replayed = {code: Table(code) for code in codes}
    outcome.wrong += [wrong for code in codes for wrong in does_not_replay(replayed[code], logs[code])]
    for player, client in zip(opened.players, clients):
        outcome.wrong += not_once(player, client, visible_log(player.person, replayed[player.code], logs[player.code]))
    outcome.acknowledged = sum(len(client.done) for client in clients)
    return outcome
