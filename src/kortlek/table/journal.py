"""What a server says of itself: one JSON object in each line on the standard error, with neither tokens nor cards nor codes of tables."""

from __future__ import annotations

import json
import re
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

CODE = re.compile(r"(?<=/tables/)[^/]+|(?<=/t/)[^/]+")


EVERYDAY = {"start", "stop", "request"}
FAILED = b'{"code":"failed","message":{"id":"refuse-failed","args":{}},"sentence":"Something went wrong here."}'
"""What is answered if even the answer to a failure fails."""


def note(event: str, **what: object) -> None:
    """Write a line; to somebody who sits before a terminal only if something is wrong."""
    if event in EVERYDAY and sys.stderr.isatty():
        return
    print(json.dumps({"at": round(time.time(), 3), "event": event, **what}, ensure_ascii=False), file=sys.stderr, flush=True)


class Noted:
    """An application whose requests are noted when they are answered: method, path without the code of a table, status, milliseconds."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or one socket."""
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
        except Exception as error:  # noted here, so that no traceback with somebody's cards in it is printed elsewhere
            note("failed", error=type(error).__name__, path=CODE.sub("*", scope["path"]))
            if kind == "http" and not status:
                headers: Any = [(b"content-type", b"application/json")]
                await send({"type": "http.response.start", "status": 500, "headers": headers})
                await send({"type": "http.response.body", "body": FAILED, "more_body": False})
        finally:
            took = round(1000 * (time.perf_counter() - began), 1)
            note("request", method=scope.get("method", "SOCKET"), path=CODE.sub("*", scope["path"]), status=status, ms=took)
