"""A bare durable echo over the stack of the server: the upper bound of what a table can reach.

Every message is appended to a log in the same store, in an entry of the usual size, and acknowledged when it is durable, in a frame of the usual
size. There are no rules, no views and no limits. Several clients of one log take turns, and each message is echoed to all of them: what is left of a
table of as many people without the game. The answers are such that the clients are the same as those of tables.
``python -m kortlek.table.load.echo PORT DATA``.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, WebSocket, get, websocket
from litestar.datastructures import State

from kortlek.table.live import milliseconds
from kortlek.table.load.processes import LOCAL
from kortlek.table.server import configured, listen, settled
from kortlek.table.store import Entry, store_at

BODY = msgspec.json.encode({"fact": "happened", "seat": 0, "choice": "play HQ", "by": "person"}).decode()
"""The body of an entry: about as long as that of a choice."""
FRAME = 400
"""The size of an acknowledgement in bytes: the goal for what a table sends each viewer of a choice."""
START = '{"type":"%s","seq":%d,%s"views":[{"seat":0,"match":{"legal":[%s]}}],"rest":"'
CHOICE = '{"choice":"play HQ"}'


class Asked(msgspec.Struct):
    """The part of a request that the echo reads."""

    id: str = ""


decode = msgspec.json.Decoder(Asked).decode
Client = WebSocket[Any, Any, Any]


@dataclass
class Log:
    """A log: its last number, its clients, and whose turn it is."""

    seq: int = 0
    turn: int = 0
    clients: list[Client] = field(default_factory=list)

    async def tell(self, client: Client, kind: str, done: str = "") -> None:
        """Send a client a frame of FRAME bytes."""
        is_next = self.clients[self.turn % len(self.clients)] is client
        start = START % (kind, self.seq, f'"done":"{done}",' if done else "", CHOICE if is_next else "")
        await client.send({"type": "websocket.send", "bytes": None, "text": start + "x" * (FRAME - len(start) - 2) + '"}'})


@websocket("/api/tables/{code:str}/socket")
async def socket(socket: Client, code: str, state: State) -> None:
    """Append every message to the log of this code, and echo it."""
    await socket.accept()
    await socket.receive_data("text")
    log: Log = state.logs.setdefault(code, Log())
    log.clients.append(socket)
    await log.tell(socket, "snapshot")
    while True:
        event: Any = await socket.receive()
        if event["type"] == "websocket.disconnect":
            log.clients.remove(socket)
            return
        asked = decode(event["text"])
        log.seq += 1
        await state.store.append([Entry(code, log.seq, milliseconds(), f"{log.seq}/{asked.id}", BODY)], None)
        log.turn += 1
        for client in log.clients:
            await log.tell(client, "step", asked.id if client is socket else "")


@get("/health")
async def health() -> dict[str, bool]:
    """Whether the echo has started."""
    return {"ok": True}


def run(port: int, data: Path) -> None:
    """Serve the echo."""
    import uvicorn

    store = store_at(data)

    @asynccontextmanager
    async def living(app: Litestar) -> AsyncIterator[None]:
        await store.open()
        settled()
        yield
        await store.close()

    app = Litestar([socket, health], lifespan=[living], state=State({"store": store, "logs": {}}), openapi_config=None, logging_config=None)
    uvicorn.Server(configured(app, behind_proxy=(LOCAL,))).run(sockets=[listen(LOCAL, port)])


if __name__ == "__main__":
    run(int(sys.argv[1]), Path(sys.argv[2]))
