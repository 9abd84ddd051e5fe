"""A server process: starts and stops the store, the bots' workers and the web application together."""

from __future__ import annotations

import asyncio
import gc
import io
import socket
import time
from asyncio import gather
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import segno
import uvicorn

from kortlek.engine.plain import Refused
from kortlek.table.forwarding import Forwarding, checked_address
from kortlek.table.host import Host
from kortlek.table.hosts import Hosts
from kortlek.table.journal import Noted, note
from kortlek.table.limits import HANDSHAKE, LARGEST_MESSAGE
from kortlek.table.lock import only_writer
from kortlek.table.owners import owners_of
from kortlek.table.sockets import say_goodbye
from kortlek.table.store import FILE, store_at
from kortlek.table.web import make_app
from kortlek.table.workers import Workers

EVERYWHERE = "0.0.0.0"
GC_THRESHOLDS = (700, 5, 1000)
"""The thresholds of the garbage collector: short collections of young objects often, full collections, which stall all tables, seldom."""
SHUTDOWN_SECONDS = 5
"""How many seconds connections have to close when the server stops."""
UNREAD_TIMEOUT = 20
"""After this many seconds without acknowledgement of sent data, a connection is closed (TCP_USER_TIMEOUT, where available)."""
PING_INTERVAL, PING_TIMEOUT = 10.0, 10.0
"""Every socket is pinged after this many seconds, and closed if it does not answer within so many more. uvicorn does so from version 0.44 on."""
BUFFER = 64 * 1024
"""The size of the send buffer in bytes. The default is megabytes: our own limit for a client that does not read would apply late."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server."""

    host: str
    port: int
    data: Path
    database: str = ""
    bots: int = 1
    behind_proxy: tuple[str, ...] = ()
    """The addresses and networks of proxies, which are trusted to say who asks."""
    public_hosts: tuple[str, ...] = ()
    """The names by which the server may be called; if there are none, see ``hosts``."""
    keep_days: int | None = None
    advertise: str = ""

    @property
    def address(self) -> str:
        """Where the other processes of the same database reach this one."""
        host = (lan_address() or "127.0.0.1") if self.host == EVERYWHERE else self.host
        return self.advertise or f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


class Server(uvicorn.Server):
    """A uvicorn server that calls back when it has started and before it stops, and that closes stalled connections."""

    def __init__(self, config: uvicorn.Config, goodbye: Callable[[], Awaitable[object]], started: Callable[[], None]) -> None:
        super().__init__(config)
        self._goodbye, self._started = goodbye, started
        self._silent: dict[tuple[Any, Any], float] = {}

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Stop on SIGINT or SIGTERM, and let the process end normally afterwards."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()  # otherwise uvicorn would raise them again, before "stop" is logged

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, and call the callback."""
        asyncio.get_running_loop().set_exception_handler(note_failure)
        await super().startup(sockets)
        if self.started:
            self._started()

    async def on_tick(self, counter: int) -> bool:
        """Once a second, close connections whose request has been incomplete for too long."""
        if counter % 10 == 0:
            now, connections = time.monotonic(), list[Any](self.server_state.connections)
            silent = [(each, each.cycle) for each in connections if is_silent(each)]
            self._silent = {each: self._silent.get(each, now) for each in silent}
            for (connection, _), since in self._silent.items():
                if now - since > HANDSHAKE:
                    connection.transport.close()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: refuse new work, and finish pending work."""
        await self._goodbye()
        await super().shutdown(sockets)


def is_silent(connection: Any) -> bool:
    """Whether a connection has no complete request. WebSockets are exempt: they have their own timeout for the hello."""
    if not hasattr(connection, "cycle"):
        return False
    return connection.cycle is None or connection.cycle.more_body or connection.cycle.response_complete


def note_failure(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception of a background task by its type only, as its message could name cards."""
    note("failed", error=type(context.get("exception")).__name__)


def run(settings: Settings, started: Callable[[], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. Raise Refused if the address or the store cannot be used."""
    with nullcontext() if settings.database else only_writer(settings.data / FILE):
        _serve(settings, started)


def _serve(settings: Settings, started: Callable[[], None]) -> None:
    address = checked_address(settings.address)
    listening = listen(settings.host, settings.port)
    store = store_at(settings.data, settings.database)
    owners = owners_of(store, address)
    host = Host(store, Workers(settings.bots), owners)
    hosts = Hosts(frozenset(settings.public_hosts), bool(settings.behind_proxy))
    app = make_app(host, hosts, None if settings.database else settings.data, settings.keep_days)
    forwarding = Forwarding(app, host)

    def answers() -> None:
        settled()
        note("start", port=settings.port, store="postgresql" if settings.database else "sqlite")
        started()

    config = configured(Noted(forwarding), settings.behind_proxy)
    try:
        Server(config, lambda: gather(say_goodbye(app.state.services), forwarding.stop()), answers).run(sockets=[listening])
    except SystemExit:
        if app.state.refused is None:
            raise
        raise app.state.refused from None
    note("stop")


def settled() -> None:
    """Set up the garbage collector of a process that has started."""
    gc.collect()
    gc.freeze()  # loaded modules stay alive: exclude them from full collections, which stall all tables
    gc.set_threshold(*GC_THRESHOLDS)


def configured(app: Any, behind_proxy: Sequence[str]) -> uvicorn.Config:
    """How uvicorn serves an application; ``behind_proxy`` are the addresses of proxies that are trusted."""
    return uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_INTERVAL,
        ws_ping_timeout=PING_TIMEOUT,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=bool(behind_proxy),
        forwarded_allow_ips=",".join(behind_proxy),
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        lifespan="on",
    )


def listen(host: str, port: int) -> socket.socket:
    """The listening socket of the server; Refused if the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With IPPROTO_TCP given, asyncio sets TCP_NODELAY. Otherwise each small message would wait for the acknowledgement of the previous one.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)  # inherited by accepted connections
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD_TIMEOUT)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise Refused(f"The address {host}, port {port}, cannot be used: {error.strerror}. Try another --port.") from error
    return listening


def lan_address() -> str:
    """The address of this machine in its local network; empty if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but selects the local address of the route
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def terminal_qr(link: str) -> str:
    """A link as a QR code for the terminal."""
    drawn = io.StringIO()
    segno.make(link, error="l").terminal(drawn, compact=True)
    return drawn.getvalue()
