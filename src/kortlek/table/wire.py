"""The connection to one client: its send queue, the delay of its messages, and how it is closed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import perf_counter
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from kortlek.table.limits import QUEUE
from kortlek.table.live import Connection, until
from kortlek.table.measure import Measures
from kortlek.table.protocol.client_out import AnySent, Bye, encoded
from kortlek.table.refusals import Refusal, STATUS
from kortlek.table.table import STRANGER

RETRY = 1000
BYE_TIMEOUT = 2.0
"""The timeout for sending the bye, in seconds."""
POLICY, RESTART, LATER = 1008, 1012, 1013
"""Close codes of a socket; other refusals use 4000 plus their HTTP status."""


class Client:
    """A socket and its send queue."""

    def __init__(self, socket: WebSocket[Any, Any, Any], code: str, measures: Measures) -> None:
        self.socket, self.code, self.measures = socket, code, measures
        self.connection = Connection(STRANGER, self.put)
        self.waiting: asyncio.Queue[tuple[bytes, int, float]] = asyncio.Queue()
        self.room = 0
        """The limit of the send queue; 0 (no limit) while the client is sent what it has missed."""
        self.bye: Bye | None = None
        self.task = asyncio.current_task()

    def put(self, message: bytes, at: int) -> None:
        """Queue a message. A client that does not read is disconnected, and may reconnect."""
        if self.room and self.waiting.qsize() >= self.room:
            self.leave(Bye.because(Refusal("too_many", "refuse-unread"), RETRY))
        else:
            self.waiting.put_nowait((message, at, perf_counter()))

    def say(self, message: AnySent) -> None:
        """Send a message to this client alone, without delay."""
        self.put(encoded(message), 0)

    def limit(self) -> None:
        """Limit the send queue from now on: to the usual limit plus the messages that are still queued from the past."""
        self.room = self.waiting.qsize() + (10 * QUEUE if self.connection.hold else QUEUE)

    def leave(self, bye: Bye) -> None:
        """Close the connection with this bye."""
        if self.bye is None:
            self.bye = bye
            if self.task:
                self.task.cancel()

    async def send_all(self) -> None:
        """Send the queued messages, each not before its delay has passed."""
        while True:
            message, at, queued = await self.waiting.get()
            if at and self.connection.hold:
                await until(at + self.connection.hold)
            else:
                self.measures.queue.observe(perf_counter() - queued)
            await self.socket.send({"type": "websocket.send", "bytes": None, "text": message.decode()})

    async def receive(self) -> str | None:
        """Receive the client's next message; None if it is not text."""
        event: Any = await self.socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="The client is gone.", code=event["code"])
        text: str | None = event.get("text")
        return text

    async def part(self) -> None:
        """Send the bye, if there is one, and close the socket, with a timeout for clients that do not read."""
        if self.bye:
            with suppress(Exception):
                async with asyncio.timeout(BYE_TIMEOUT):
                    await self.socket.send_data(encoded(self.bye).decode(), "text")
                    await self.socket.close(close_code(self.bye.code))


def close_code(code: str) -> int:
    """The close code of a socket for a refusal code."""
    return {"stopping": RESTART, "too_many": LATER, "failed": LATER, "too_slow": POLICY}.get(code, 4000 + STATUS[code])
