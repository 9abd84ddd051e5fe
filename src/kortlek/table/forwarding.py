"""Requests and sockets for tables that another process owns are passed on to it, so that a client may ask any process.

What is passed on carries a secret, which is kept in the database, and how the client's request looked to the first process; the owner trusts that
only with the secret. If the owner has just died, what is asked for waits until another process has taken over.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from hmac import compare_digest
from re import compile as pattern
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import h11
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.frames import Close

from kortlek.engine.plain import Refused, shorten
from kortlek.table.host import Host
from kortlek.table.leases import LEASE, Process
from kortlek.table.limits import LARGEST_MESSAGE
from kortlek.table.owners import Elsewhere, SharedOwners
from kortlek.table.protocol.client_out import Bye, encoded
from kortlek.table.protocol.lobby_out import Wrong
from kortlek.table.refusals import STATUS, Refusal
from kortlek.table.wire import BYE_TIMEOUT, POLICY, RESTART

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

TABLE = pattern(r"/api/tables/([^/]+)(?:/.*)?")
"""The paths of requests to a table."""
CONNECT_TIMEOUT = 1.0
"""Seconds for a connection to the owner of a table, with the opening of a socket."""
ANSWER_TIMEOUT = 60.0
"""Seconds for an owner's answer to a request."""
PATIENCE = LEASE + 3.0
"""Seconds for which the owner of a table is tried: longer than another process needs to take over."""
PAUSE, RETRY = 0.2, 200
"""Seconds between two tries; milliseconds after which a client that was cut off from the owner connects again."""
MISDIRECTED = 421
"""The status with which a process answers if the table that it is asked for is not its own."""
BUFFER = 64 * 1024
"""The size of the receive buffer of a link in bytes. The default is megabytes: the owner would notice late that a client does not read."""
GOING_AWAY = 1001
PREFIX = b"x-kortlek-"
SECRET, CLIENT, SCHEME, HOST, ORIGIN = (PREFIX + name for name in (b"secret", b"client", b"scheme", b"host", b"origin"))
"""Headers between processes: the secret, and what the first process knew of the client."""
OF_ONE_CONNECTION = {b"connection", b"content-length", b"expect", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade"}
"""Headers that are not passed on."""


class Forwarding:
    """ASGI middleware that passes on what concerns the tables of other processes."""

    def __init__(self, app: ASGIApp, host: Host) -> None:
        self.app, self._host = app, host
        self._is_stopping = asyncio.Event()
        self._sockets: set[asyncio.Task[Any]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one socket: here, or by the owner of its table."""
        owners, kind = self._host.owners, str(scope["type"])
        if kind == "lifespan" or not isinstance(owners, SharedOwners):
            await self.app(scope, receive, send)
            return
        scope, is_passed_on = restored(scope, owners.secret.encode())
        found = TABLE.fullmatch(scope["path"])
        code = found[1] if found and await self._owner(found[1]) else ""
        if code and is_passed_on:
            await answer(scope, send, MISDIRECTED)
        elif code and kind == "http":
            await self._pass_request(code, owners, scope, receive, send)
        elif code:
            await self._pass_socket(code, owners, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def stop(self) -> None:
        """Say goodbye to the clients whose sockets are passed on."""
        self._is_stopping.set()
        if self._sockets:
            await asyncio.wait(self._sockets, timeout=2 * BYE_TIMEOUT)

    async def _owner(self, code: str) -> Process | None:
        """The other process that owns a table. None if this process owns it by now, or is the one to refuse the request."""
        try:
            await self._host.find(code)
        except Elsewhere as elsewhere:
            return elsewhere.owner
        except Exception:
            pass  # there is no such table, or the store failed: the application says so
        return None

    async def _tries(self, code: str) -> AsyncIterator[Process]:
        """The owner of a table, again and again until somebody has reached it."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and (owner := await self._owner(code)):
            yield owner
            await asyncio.sleep(PAUSE)

    async def _pass_request(self, code: str, owners: SharedOwners, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an HTTP request on. What is too large, or belongs here after all, or nobody is there for, is answered here."""
        received = await read_body(receive)
        body = b"".join(message.get("body", b"") for message in received)
        if len(body) <= LARGEST_MESSAGE:
            async for owner in self._tries(code):
                if await pass_request(owner, owners, scope, body, send):
                    return

        async def receive_again() -> Any:
            return received.pop(0) if received else await receive()

        await self.app(scope, receive_again, send)

    async def _pass_socket(self, code: str, owners: SharedOwners, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a socket on. One that belongs here after all, or that nobody is there for, is served here."""
        async for owner in self._tries(code):
            try:
                link = await open_link(owner, owners.secret, scope)
            except InvalidStatus:  # the owner does not let this client in
                await send({"type": "websocket.close", "code": POLICY, "reason": ""})
                return
            if link:
                async with self._kept():
                    await pass_socket(link, receive, send, owners.death_of(owner), self._is_stopping)
                return
        await self.app(scope, receive, send)

    @asynccontextmanager
    async def _kept(self) -> AsyncIterator[None]:
        """Remember the current task while it passes a socket on."""
        task = asyncio.current_task()
        assert task
        self._sockets.add(task)
        try:
            yield
        finally:
            self._sockets.discard(task)


# ---- headers between processes


def marks(scope: Scope, secret: str) -> list[tuple[bytes, bytes]]:
    """The headers by which another process knows that this one passes a request on, and what it looked like."""
    client: Any = scope.get("client")
    given = dict(scope["headers"])
    told = [(SECRET, secret.encode()), (CLIENT, (client[0] if client else "").encode()), (SCHEME, scope["scheme"].encode())]
    return [*told, *((mark, given[name]) for mark, name in ((HOST, b"host"), (ORIGIN, b"origin")) if name in given)]


def restored(scope: Scope, secret: bytes) -> tuple[Scope, bool]:
    """A request as the client sent it, and whether another process has passed it on. Whoever does not know the secret is not believed."""
    given = {name: value for name, value in scope["headers"] if name.startswith(PREFIX)}
    as_sent: Any = dict(scope)
    as_sent["headers"] = [header for header in scope["headers"] if not header[0].startswith(PREFIX)]
    if not compare_digest(given.get(SECRET, b""), secret):
        return as_sent, False
    as_sent["headers"] = [header for header in as_sent["headers"] if header[0] not in (b"host", b"origin")]
    as_sent["headers"] += [(name, given[mark]) for mark, name in ((HOST, b"host"), (ORIGIN, b"origin")) if mark in given]
    as_sent["client"], as_sent["scheme"] = (given[CLIENT].decode(), 0), given[SCHEME].decode()
    return as_sent, True


def host_and_port(address: str) -> tuple[str, int]:
    """The host and the port of a process; ValueError if it is not an address like http://10.0.0.7:8642."""
    parts = urlsplit(address)
    if parts.scheme != "http" or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError(address)
    return parts.hostname, parts.port or 80


def checked_address(address: str) -> str:
    """The address that a process advertises; Refused if others could not use it."""
    try:
        host_and_port(address)
    except ValueError:
        raise Refused(f"--advertise {shorten(address)!r} should be where other servers reach this one, such as http://10.0.0.7:8642.") from None
    return address


# ---- requests


async def read_body(receive: Receive) -> list[Any]:
    """The messages of a request's body; not all of them if it is too large."""
    received, size = list[Any](), 0
    while not received or (received[-1].get("more_body") and size <= LARGEST_MESSAGE):
        received.append(await receive())
        size += len(received[-1].get("body", b""))
    return received


async def pass_request(owner: Process, owners: SharedOwners, scope: Scope, body: bytes, send: Send) -> bool:
    """Pass a request on to the owner of its table, and the answer back. False if nothing has happened: the owner cannot be reached, or does not own
    the table any more."""
    host, port = host_and_port(owner.address)
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            reader, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    protocol, status = h11.Connection(h11.CLIENT), 0

    async def exchange() -> None:
        nonlocal status
        async for event in events(protocol, reader):
            if isinstance(event, h11.Response):
                status = event.status_code
                headers = [(name, value) for name, value in event.headers if name not in OF_ONE_CONNECTION - {b"content-length"}]
                if status != MISDIRECTED:
                    await send({"type": "http.response.start", "status": status, "headers": headers})
            elif isinstance(event, h11.Data) and status != MISDIRECTED:
                await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})

    try:
        writer.write(request_bytes(protocol, scope, body, owner, owners.secret))
        async with asyncio.timeout(ANSWER_TIMEOUT):
            await first(exchange(), owners.death_of(owner).wait())
    except (OSError, h11.RemoteProtocolError):
        status = status or -1
        if status > 0:
            raise  # the answer was cut off
    finally:
        writer.close()
    if status == MISDIRECTED:
        return False
    if status > 0:
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    else:
        await answer(scope, send, STATUS["stopping"])
    return True


def request_bytes(protocol: h11.Connection, scope: Scope, body: bytes, owner: Process, secret: str) -> bytes:
    """The request as it is written to the owner."""
    request: Any = scope
    headers = [header for header in request["headers"] if header[0] not in OF_ONE_CONNECTION | {b"host", b"origin"}]
    own = [(b"host", urlsplit(owner.address).netloc.encode()), (b"connection", b"close"), (b"content-length", str(len(body)).encode())]
    target = request["raw_path"] + (b"?" + request["query_string"] if request["query_string"] else b"")
    sent: list[h11.Event] = [h11.Request(method=request["method"], target=target, headers=[*own, *headers, *marks(scope, secret)])]
    return b"".join(protocol.send(event) or b"" for event in [*sent, h11.Data(data=body), h11.EndOfMessage()])


async def events(protocol: h11.Connection, reader: asyncio.StreamReader) -> AsyncIterator[h11.Event]:
    """The parts of an answer."""
    while not isinstance(event := protocol.next_event(), h11.EndOfMessage | h11.ConnectionClosed):
        if event is h11.NEED_DATA:
            protocol.receive_data(await reader.read(65536))
        elif isinstance(event, h11.Event):
            yield event


async def answer(scope: Scope, send: Send, status: int) -> None:
    """Refuse a request, or the opening of a socket, because the table is moving."""
    kind = "websocket.http.response" if str(scope["type"]) == "websocket" else "http.response"
    body = msgspec.json.encode(Wrong.because(Refusal("stopping", "refuse-moved")))
    start: Any = {"type": f"{kind}.start", "status": status, "headers": [(b"content-type", b"application/json")]}
    end: Any = {"type": f"{kind}.body", "body": body, "more_body": False}
    await send(start)
    await send(end)


async def first(*works: Coroutine[Any, Any, object]) -> None:
    """Do several things at once until one of them ends, and stop the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


# ---- sockets


async def open_link(owner: Process, secret: str, scope: Scope) -> ClientConnection | None:
    """A socket to the owner of a table for the socket of a client. None if the owner cannot be reached, or does not own the table any more;
    InvalidStatus if it refuses the client."""
    address = f"{owner.address.replace('http', 'ws', 1)}{scope['raw_path'].decode()}"
    headers = [(name.decode(), value.decode("latin-1")) for name, value in marks(scope, secret)]
    # Both ends of the link belong to us: the limits for messages and the pings are those between the client and the two processes.
    plain: dict[str, Any] = {"compression": None, "max_size": None, "ping_interval": None, "proxy": None, "user_agent_header": None}
    try:
        link = await connect(address, additional_headers=headers, open_timeout=CONNECT_TIMEOUT, close_timeout=BYE_TIMEOUT, **plain)
        link.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        return link
    except InvalidStatus as refused:
        if refused.response.status_code != MISDIRECTED:
            raise
    except (OSError, WebSocketException):
        pass
    return None


async def pass_socket(link: ClientConnection, receive: Receive, send: Send, *ends: asyncio.Event) -> None:
    """Pass all messages on, in both directions, until one side closes its socket, or until one of these events happens. Whoever does not read slows
    the other side down: there is at most one message on its way in each direction, beside the buffers of the sockets."""
    closed: Close | None = None
    left = 0

    async def down() -> None:
        nonlocal closed
        try:
            async for message in link:
                event: Any = {"type": "websocket.send", "text" if isinstance(message, str) else "bytes": message}
                await send(event)
        except ConnectionClosed:
            pass
        closed = link.protocol.close_rcvd

    async def up() -> None:
        nonlocal left
        while not left:
            message: Any = await receive()
            if message["type"] == "websocket.disconnect":
                left = message["code"]
            else:
                with suppress(ConnectionClosed):  # ``down`` notices it, too
                    await link.send(message["bytes"] if message.get("text") is None else message["text"])

    await receive()  # that the client connects
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    try:
        await first(down(), up(), *(event.wait() for event in ends))
        if not left:
            async with asyncio.timeout(BYE_TIMEOUT):
                await part(closed, send)
    except OSError:
        pass  # the client is gone, or does not read
    finally:
        with suppress(ConnectionClosed, OSError):
            await link.close(left if is_sendable(left) else GOING_AWAY)


async def part(closed: Close | None, send: Send) -> None:
    """Close the client's socket as the owner has closed its own; with a bye if the owner is gone, or this process stops."""
    code, reason = RESTART, ""
    if closed:
        code, reason = closed.code if is_sendable(closed.code) else GOING_AWAY, closed.reason
    else:
        bye = encoded(Bye.because(Refusal("stopping", "refuse-moved"), RETRY)).decode()
        await send({"type": "websocket.send", "bytes": None, "text": bye})
    await send({"type": "websocket.close", "code": code, "reason": reason})


def is_sendable(code: int) -> bool:
    """Whether a close code may be sent; others say how a connection broke."""
    return code in (1000, 1001, 1002, 1003, *range(1007, 1015)) or 3000 <= code < 5000
