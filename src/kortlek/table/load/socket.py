"""A WebSocket client that costs as little as possible, so that in a load test the server is the bottleneck and not its clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL, MASKED = 0x80, 0x80
NO_MASK = bytes(4)
"""The mask of what we send. Masks protect proxies from what browsers may be made to send; there is no proxy here, and a mask of zeros is free."""


class Socket(asyncio.Protocol):
    """A connection: ``heard`` is called with every text message, ``ended`` when the connection has ended, with a reason."""

    def __init__(self, host: str, path: str, address: str, heard: Callable[[Socket, bytes], None], ended: Callable[[Socket, str], None]) -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nX-Forwarded-For: {address}\r\n\r\n"
        ).encode()
        self._heard, self._ended = heard, ended
        self._rest = b""
        self._is_open, self._is_closing = False, False
        self._waiting: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are not instances of it
        self._transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        if not self._is_closing:
            self._ended(self, str(error or "the connection was closed"))

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        if not self._is_open:
            head, blank, data = data.partition(b"\r\n\r\n")
            if not blank:
                self._rest = head
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self._is_closing = True
                self._transport.close()
                self._ended(self, head.partition(b"\r\n")[0].decode(errors="replace"))
                return
            self._is_open = True
            for frame in self._waiting:
                self._transport.write(frame)
        self._rest = self._read(data)

    def _read(self, data: bytes) -> bytes:
        """Handle the complete frames in ``data``, and return what is left. A server does not mask, and ours does not split messages."""
        at, size = 0, len(data)
        while size - at >= 2:
            kind, length, start = data[at] & 15, data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if start > size or start + length > size:
                break
            at = start + length
            if kind == TEXT:
                self._heard(self, data[start:at])
            elif kind == PING:
                self._transport.write(framed(PONG, data[start:at]))
            elif kind == CLOSE:
                self._transport.close()
        return data[at:]

    def send(self, message: bytes) -> None:
        """Send a text message, at once or as soon as the connection is open."""
        frame = framed(TEXT, message)
        if self._is_open:
            self._transport.write(frame)
        else:
            self._waiting.append(frame)

    def close(self) -> None:
        """Close the connection; ``ended`` is not called."""
        if not self._is_closing and not self._transport.is_closing():
            self._is_closing = True
            self._transport.write(framed(CLOSE, (1000).to_bytes(2, "big")))
            self._transport.close()


def framed(kind: int, payload: bytes) -> bytes:
    """A frame as a client sends it."""
    size = len(payload)
    head = bytes((FINAL | kind, MASKED | size)) if size < 126 else bytes((FINAL | kind, MASKED | 126)) + size.to_bytes(2, "big")
    return head + NO_MASK + payload
