"""A server process: the store, the bots, the application, and how they start and stop together."""

from __future__ import annotations

import asyncio
import gc
import io
import socket
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import segno
import uvicorn

from kortlek.engine.plain import Refused
from kortlek.table.host import Host
from kortlek.table.journal import Noted, note
from kortlek.table.limits import HANDSHAKE, LARGEST_MESSAGE
from kortlek.table.sockets import say_goodbye
from kortlek.table.store import store_at
from kortlek.table.web import make_app
from kortlek.table.workers import Workers

EVERYWHERE = "0.0.0.0"
GARBAGE = (700, 5, 1000)
"""How often garbage is looked for: among new things often, for a few milliseconds; among all, which every table waits for, seldom."""
GRACE = 5
"""How many seconds connections have to end when the server stops."""
UNREAD = 20
"""After this many seconds a connection is cut whose other end takes nothing (where the system can do that)."""
BUFFER = 64 * 1024
"""How many bytes the system keeps for a client that does not read. Left to itself it would keep megabytes, and our own limit would come late."""


@dataclass(frozen=True)
class Settings:
    """How a server is to run."""

    host: str
    port: int
    data: Path
    database: str = ""
    bots: int = 1
    behind_proxy: bool = False


class Server(uvicorn.Server):
    """Says good-bye to everyone before it stops, and says when it has started."""

    def __init__(self, config: uvicorn.Config, goodbye: Callable[[], Awaitable[None]], started: Callable[[], None]) -> None:
        super().__init__(config)
        self._goodbye, self._started = goodbye, started
        self._silent: dict[tuple[Any, Any], float] = {}

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Stop when somebody says so. That is all it means: the process ends as one that has done its work."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()  # or they would be raised again, and end it before it could say that it has stopped

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        asyncio.get_running_loop().set_exception_handler(note_failure)
        await super().startup(sockets)
        if self.started:
            self._started()

    async def on_tick(self, counter: int) -> bool:
        """Once a second, cut off those who are connected and do not get on with asking for something."""
        if counter % 10 == 0:
            now, connections = time.monotonic(), list[Any](self.server_state.connections)
            silent = [(each, each.cycle) for each in connections if is_silent(each)]
            self._silent = {each: self._silent.get(each, now) for each in silent}
            for (connection, _), since in self._silent.items():
                if now - since > HANDSHAKE:
                    connection.transport.close()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: no new work, everything that was begun is finished."""
        await self._goodbye()
        await super().shutdown(sockets)


def is_silent(connection: Any) -> bool:
    """Whether a request is not there yet, or not all of it. Sockets have no requests, and a handshake of their own."""
    if not hasattr(connection, "cycle"):
        return False
    return connection.cycle is None or connection.cycle.more_body or connection.cycle.response_complete


def note_failure(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Something went wrong in the background: noted by its kind alone, as what it says could name cards."""
    note("failed", error=type(context.get("exception")).__name__)


def run(settings: Settings, started: Callable[[], None]) -> None:
    """Serve until somebody says stop (SIGTERM or Ctrl-C). Refused if the store cannot be used."""
    listening = listen(settings.host, settings.port)
    app = make_app(Host(store_at(settings.data, settings.database), Workers(settings.bots)))

    def answers() -> None:
        gc.collect()
        gc.freeze()  # what is loaded stays, and would be looked through again and again while all tables wait
        gc.set_threshold(*GARBAGE)
        note("start", port=settings.port, store="postgresql" if settings.database else "sqlite")
        started()

    config = uvicorn.Config(
        Noted(app),
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=settings.behind_proxy,
        timeout_graceful_shutdown=GRACE,
        lifespan="on",
    )
    try:
        Server(config, lambda: say_goodbye(app.state.services), answers).run(sockets=[listening])
    except SystemExit:
        if app.state.refused is None:
            raise
        raise app.state.refused from None
    note("stop")


def listen(host: str, port: int) -> socket.socket:
    """The socket that the server answers on; Refused if somebody else has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # That it is TCP has to be said: only then does asyncio send small messages at once. Else each waits until the one before has arrived.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)  # what is accepted from this socket inherits it
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise Refused(f"The address {host}, port {port}, cannot be used: {error.strerror}. Try another --port.") from error
    return listening


def lan_address() -> str:
    """The address of this machine in its network; empty if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which of our addresses would be used
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def terminal_qr(link: str) -> str:
    """A link as a QR code for the terminal."""
    drawn = io.StringIO()
    segno.make(link, error="l").terminal(drawn, compact=True)
    return drawn.getvalue()
