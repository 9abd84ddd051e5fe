"""The log of a server: one JSON object per line on standard error, without tokens, cards or table codes."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

CODE = re.compile(r"(?<=/tables/)[^/]+|(?<=/t/)[^/]+")


EVERYDAY = {"start", "stop", "request", "check", "deleted"}
FAILED = b'{"code":"failed","message":{"id":"refuse-failed","args":{}},"sentence":"Something went wrong here."}'
"""The response if even the error handler fails."""


def note(event: str, **what: object) -> None:
    """Write a log line; on a terminal, only errors."""
    if event in EVERYDAY and sys.stderr.isatty():
        return
    with suppress(OSError):  # the disk of the log is full: tables go on
        print(json.dumps({"at": round(time.time(), 3), "event": event, **what}, ensure_ascii=False), file=sys.stderr, flush=True)


@contextmanager
def noted() -> Iterator[None]:
    """Log an exception at one table instead of raising it, so that the other tables go on."""
    try:
        yield
    except Exception as error:
        note("failed", error=type(error).__name__)


class Noted:
    """ASGI middleware that logs each answered request: method, path without the table's code, status, milliseconds."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one socket."""
        kind: Any = scope["type"]
        if kind == "lifespan":
            await self.app(scope, receive, send)
            return
        status, began = 0, time.perf_counter()

        async def watching(message: Message) -> None:
            nonlocal status
            sent: Any = message
            if sent["type"] == "http.response.start":
                status = sent["status"]
            elif sent["type"] == "websocket.close":
                status = sent.get("code", 1000)
            await send(message)

        try:
            await self.app(scope, receive, watching)
        except Exception as error:  # logged here, so that no traceback that could contain cards is printed elsewhere
            note("failed", error=type(error).__name__, path=CODE.sub("*", scope["path"]))
            if kind == "http" and not status:
                headers: Any = [(b"content-type", b"application/json")]
                await send({"type": "http.response.start", "status": 500, "headers": headers})
                await send({"type": "http.response.body", "body": FAILED, "more_body": False})
        finally:
            took = round(1000 * (time.perf_counter() - began), 1)
            note("request", method=scope.get("method", "SOCKET"), path=CODE.sub("*", scope["path"]), status=status, ms=took)
