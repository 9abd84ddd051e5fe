"""A client that does not answer the server's pings loses its connection, one that does keeps it."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path

from clients import SHORT, there
from serving import DEADLINE, Server, soon

SECONDS = 0.5
IMPATIENT = f"from kortlek.table import server; server.PING_INTERVAL = server.PING_TIMEOUT = {SECONDS}; from kortlek.cli import main; main()"
"""A server as ever, but with pings that a test can wait for."""


def connections(server: Server) -> float:
    """How many sockets the server has, as it says itself."""
    found = re.search(r"^kortlek_connections(?:{.*})? (\S+)$", server.ask("GET", "/metrics")[1], re.M)
    assert found
    return float(found[1])


async def until_connected(server: Server, count: int) -> None:
    """Wait until the server has so many sockets."""
    async with asyncio.timeout(DEADLINE):
        while await asyncio.to_thread(connections, server) != count:
            await asyncio.sleep(0.05)


def test_who_does_not_answer_pings_is_dropped_and_who_does_is_not(tmp_path: Path) -> None:
    async def sit(server: Server) -> None:
        table = server.post("/api/tables", {**SHORT, "name": "Ann"})
        async with AsyncExitStack() as leaving:
            silent = await leaving.enter_async_context(there(server, table["code"]))
            answering = await leaving.enter_async_context(there(server, table["code"], table["token"]))
            await until_connected(server, 2)
            silent.socket.transport.pause_reading()  # what arrives is acknowledged by the kernel and read by nobody
            await until_connected(server, 1)
            await soon(await answering.socket.ping())
            silent.socket.transport.abort()

    server = Server(tmp_path)
    server.program = ["-c", IMPATIENT]
    server.start()
    try:
        asyncio.run(sit(server))
    finally:
        server.kill()
