"""The wire to one client: what waits to be sent, each message not before its time, and how it is parted from."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from kortlek.table.limits import QUEUE
from kortlek.table.live import Connection, until
from kortlek.table.messages import AnySent, Bye, encoded
from kortlek.table.refusals import Refusal, STATUS
from kortlek.table.table import STRANGER

RETRY = 1000
PARTING = 2.0
"""How many seconds a client has to take a good-bye."""
POLICY, RESTART, LATER = 1008, 1012, 1013
"""Codes with which a socket is closed; those of refusals are 4000 and their HTTP status."""


class Client:
    """A socket, and the messages that wait for it."""

    def __init__(self, socket: WebSocket[Any, Any, Any], code: str) -> None:
        self.socket, self.code = socket, code
        self.connection = Connection(STRANGER, self.put)
        self.waiting: asyncio.Queue[tuple[bytes, int]] = asyncio.Queue()
        self.room = 0
        """How many messages may wait; there is no limit while the client is told what it has missed."""
        self.bye: Bye | None = None
        self.task = asyncio.current_task()

    def put(self, message: bytes, at: int) -> None:
        """Send a message as soon as may be. A client that does not read is cut off, and can come again."""
        if self.room and self.waiting.qsize() >= self.room:
            self.leave(Bye.because(Refusal("too_many", "refuse-unread"), RETRY))
        else:
            self.waiting.put_nowait((message, at))

    def say(self, message: AnySent) -> None:
        """Send something that is for this client alone."""
        self.put(encoded(message), 0)

    def limit(self) -> None:
        """From now on a client has to read: no more may wait than may always, and what it has not been told yet of the past."""
        self.room = self.waiting.qsize() + (10 * QUEUE if self.connection.hold else QUEUE)

    def leave(self, bye: Bye) -> None:
        """Say good-bye and close."""
        if self.bye is None:
            self.bye = bye
            if self.task:
                self.task.cancel()

    async def send_all(self) -> None:
        """Send what waits, each message not before its time."""
        while True:
            message, at = await self.waiting.get()
            if at and self.connection.hold:
                await until(at + self.connection.hold)
            await self.socket.send_data(message.decode(), "text")

    async def receive(self) -> str | None:
        """The next message of the client; None if it is not text."""
        event: Any = await self.socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="The client is gone.", code=event["code"])
        text: str | None = event.get("text")
        return text

    async def part(self) -> None:
        """Say the good-bye, if there is one, and close. A client that does not read is not waited for."""
        if self.bye:
            with suppress(Exception):
                async with asyncio.timeout(PARTING):
                    await self.socket.send_data(encoded(self.bye).decode(), "text")
                    await self.socket.close(close_code(self.bye.code))


def close_code(code: str) -> int:
    """With which code a socket is closed for a reason."""
    return {"stopping": RESTART, "too_many": LATER, "failed": LATER, "too_slow": POLICY}.get(code, 4000 + STATUS[code])
