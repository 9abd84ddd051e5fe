"""A bare durable echo over the stack of the server: the upper bound of what a table can reach.

Every message is appended to a log in the same store, in an entry of the usual size, and acknowledged when it is durable, in a frame of the usual
size. There are no rules, no views, no other clients and no limits. It answers like a table at which it is always the client's turn, so that the
clients are the same, too. ``python -m kortlek.table.load.echo PORT DATA``.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, WebSocket, get, websocket
from litestar.datastructures import State

from kortlek.table.live import milliseconds
from kortlek.table.server import configured, listen, settled
from kortlek.table.store import Entry, store_at

BODY = msgspec.json.encode({"fact": "happened", "seat": 0, "choice": "play HQ", "by": "person"}).decode()
"""The body of an entry: about as long as that of a choice."""
FRAME = 400
"""The size of an acknowledgement in bytes: the goal for what a table sends each viewer of a choice."""
START = '{"type":"%s","seq":%d,"done":"%s","views":[{"seat":0,"match":{"legal":[{"choice":"play HQ"}]}}],"rest":"'


class Asked(msgspec.Struct):
    """The part of a request that the echo reads."""

    id: str = ""


decode = msgspec.json.Decoder(Asked).decode


def answer(kind: str, seq: int, done: str) -> str:
    """A frame of FRAME bytes."""
    start = START % (kind, seq, done)
    return start + "x" * (FRAME - len(start) - 2) + '"}'


@websocket("/api/tables/{code:str}/socket")
async def socket(socket: WebSocket[Any, Any, Any], code: str, state: State) -> None:
    """Append every message to the log of this code, and acknowledge it."""
    await socket.accept()
    await socket.receive_data("text")
    seq = state.last.get(code, 0)
    await socket.send({"type": "websocket.send", "bytes": None, "text": answer("snapshot", seq, "")})
    while True:
        event: Any = await socket.receive()
        if event["type"] == "websocket.disconnect":
            return
        asked, seq = decode(event["text"]), seq + 1
        state.last[code] = seq
        await state.store.append([Entry(code, seq, milliseconds(), f"0/{asked.id}", BODY)], None)
        await socket.send({"type": "websocket.send", "bytes": None, "text": answer("step", seq, asked.id)})


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

    app = Litestar([socket, health], lifespan=[living], state=State({"store": store, "last": {}}), openapi_config=None, logging_config=None)
    uvicorn.Server(configured(app, behind_proxy=True)).run(sockets=[listen("127.0.0.1", port)])


if __name__ == "__main__":
    run(int(sys.argv[1]), Path(sys.argv[2]))
