"""A client of a table on a remote server, for bots, tests and other programs (docs/protocol.md).

The client keeps the number of the last log entry that it has seen. After a lost connection it reconnects, receives exactly the entries that it
missed, and resends the requests that were not answered; the server applies each message once.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from kortlek.engine.plain import Refused, shorten
from kortlek.engine.patches import merge
from kortlek.table.protocol import PROTOCOL

MAX_TRIES = 30
"""How many reconnection attempts may fail in a row."""
PAUSE = 0.2
"""The shortest pause between two attempts, in seconds."""


class Denied(Refused):
    """A refusal by the server, with its code."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def split_link(link: str) -> tuple[str, str]:
    """The server and the code in a link to a table, such as http://192.0.2.7:8642/t/bk7q2x."""
    found = re.fullmatch(r"(?:(https?)://)?([\w.:\[\]-]+)/t/([0-9A-Za-z]{1,20})/?", link.strip(), re.ASCII)
    if not found:
        raise Refused(f"{shorten(link)!r} is not a link to a table: it looks like http://192.0.2.7:8642/t/bk7q2x.")
    return f"{found[1] or 'http'}://{found[2]}", found[3]


async def ask(server: str, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
    """Send an HTTP request to a server and return its JSON. Raise Denied if the server refuses, Refused if it cannot be reached."""
    return await asyncio.to_thread(_ask, server, path, body, token)


def _ask(server: str, path: str, body: dict[str, Any] | None, token: str) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        request = Request(server + path, None if body is None else json.dumps(body).encode(), headers)
        with urlopen(request, timeout=30) as response:
            return json.load(response)
    except HTTPError as error:
        try:
            answer = json.load(error)
            denied = Denied(str(answer["code"]), str(answer["sentence"]))
        except (ValueError, KeyError, TypeError):
            raise Refused(f"{server} answers {error.code}, as no table would.") from error
        raise denied from error
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise Refused(f"{server} does not answer: {getattr(reason, 'strerror', None) or reason}.") from error
    except ValueError as error:
        raise Refused(f"{server} does not answer as a table would.") from error


class Remote:
    """A participant at a table of a remote server. ``messages()`` yields what the table sends, and applies it: ``table`` is the table as everyone
    sees it, ``views`` are the match and the score sheet by seat of the participant. ``send`` sends a request."""

    def __init__(self, server: str, code: str, token: str = "") -> None:
        self._address = f"{server.replace('http', 'ws', 1)}/api/tables/{code}/socket"
        self._token = token
        self.seq: int | None = None
        self.table: dict[str, Any] = {}
        self.views: dict[int, dict[str, Any]] = {}
        self._unanswered: dict[str, str] = {}
        self._socket: Any = None

    async def send(self, **message: Any) -> str:
        """Send a request, now or after a reconnection, and return its id. It is answered exactly once."""
        message.setdefault("id", secrets.token_hex(8))
        self._unanswered[message["id"]] = text = json.dumps(message)
        if self._socket:
            with suppress(ConnectionClosed):  # resent after the reconnection
                await self._socket.send(text)
        return str(message["id"])

    async def messages(self) -> AsyncIterator[dict[str, Any]]:
        """Yield everything that the table sends, reconnecting as needed. Raise Refused if the server turns the client away for good."""
        tries = 0
        while True:
            pause = 0.0
            try:
                async with connect(self._address, compression=None, max_size=None, origin=None) as socket:
                    hello = {"do": "hello", "protocol": PROTOCOL, "token": self._token}
                    await socket.send(json.dumps(hello if self.seq is None else hello | {"since": self.seq}))
                    self._socket = socket
                    for text in list(self._unanswered.values()):
                        await socket.send(text)
                    async for received in socket:
                        message = json.loads(received)
                        if message["type"] == "bye":
                            pause = message["retry"] / 1000
                        else:
                            tries = 0
                        if await self._apply(message):
                            yield message
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            self._socket = None
            tries += 1
            if tries > MAX_TRIES:
                raise Refused("The server does not answer any more.")
            await asyncio.sleep(max(pause, min(2.0, PAUSE * tries)))

    async def _apply(self, message: dict[str, Any]) -> bool:
        """Apply a message. False for a step that is known already, or that does not follow what is known: then a snapshot is asked for."""
        kind = message["type"]
        self._unanswered.pop(message.get("done") or message.get("id", ""), None)
        if kind == "bye" and message["retry"] < 0:
            raise Refused(message["sentence"])
        if kind == "snapshot":
            self.table, self.views = message["table"], {view["seat"]: view for view in message["views"]}
        elif kind == "step":
            if message["since"] != self.seq:
                if message["seq"] > (self.seq or 0):
                    await self.send(do="sync")
                return False
            merge(self.table, message.get("table", {}))
            for view in message["views"]:
                merge(self.views[view["seat"]], view)
        if kind in ("snapshot", "step"):
            self.seq = message["seq"]
        return True
