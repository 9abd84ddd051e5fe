"""The server's doors: HTTP for the lobby, a socket for each client at a table. The only file that knows of sockets; what comes in is made
into messages, and what happens is for the host and the tables to say (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import io
import json
from contextlib import asynccontextmanager, suppress
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
import segno
from litestar import Litestar, MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException, WebSocketDisconnect
from litestar.handlers import BaseRouteHandler
from litestar.openapi import ResponseSpec
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import HeaderParameter, Parameter
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from kortlek import __version__
from kortlek.bots import levels_of
from kortlek.play.describing import described, page_of
from kortlek.play.plain import Refused
from kortlek.play.record import save
from kortlek.rules import GAMES
from kortlek.table import messages, page
from kortlek.table.host import Connection, Host, until
from kortlek.table.journal import note
from kortlek.table.limits import HANDSHAKE, LARGEST_MESSAGE, QUEUE, Addresses, Pace, is_own
from kortlek.table.messages import PROTOCOL, STATUS, AnyMessage, AnySent, Bye, Denied, Done, Hint, Join, Open, Refusal, Show, Welcome, encoded
from kortlek.table.sending import show, viewers
from kortlek.table.store import Failed
from kortlek.table.table import STRANGER

RETRY = 1000
PARTING = 2.0
"""So many seconds a client has to take a good-bye."""
LONGEST_HOST = 255
POLICY, RESTART, LATER = 1008, 1012, 1013
"""Codes with which a socket is closed; those of refusals are 4000 and their HTTP status."""
Code = Annotated[str, Parameter(description="The code of a table.", min_length=1, max_length=20)]
Token = Annotated[str | None, HeaderParameter(name="Authorization", description="Bearer and the token of somebody at the table.", max_length=100)]


class Opened(msgspec.Struct, kw_only=True):
    """A new table: its code, and the token of who opened it, which is told nobody else and never again."""

    code: str
    token: str


class Seated(msgspec.Struct, kw_only=True):
    """Somebody has sat down: her seats, her token (empty if she had one), and how far the table has come."""

    token: str
    seats: list[int]
    seq: int


class Wrong(msgspec.Struct, kw_only=True):
    """Why something was not done: a code for programs, a sentence for people."""

    code: str
    sentence: str


@dataclass
class Doors:
    """What the handlers share."""

    host: Host
    addresses: Addresses
    sockets: set[Client]


def token_in(header: str | None) -> str:
    """The token that somebody sends with a request."""
    if not header:
        return ""
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Refusal("malformed", "The Authorization header should be 'Bearer' and a token.")
    return token


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where somebody asks from."""
    return connection.client.host if connection.client else ""


def check_host(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse a Host header that cannot be the address of a server."""
    host = connection.headers.get("host", "")
    try:
        possible = len(host) <= LONGEST_HOST and urlsplit(f"//{host}").port != 0
    except ValueError:
        possible = False
    if not possible:
        raise Refusal("malformed", "The Host header should be the address of this server.")


def check_post(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse what comes from another site's page, or too often; before it is read."""
    if not is_own(connection.headers.get("origin"), connection.headers.get("host")):
        raise Refusal("not_allowed", "This request comes from a page of another site.")
    connection.app.state.doors.addresses.asks(address(connection))


def may_refuse(*statuses: int) -> dict[int, ResponseSpec]:
    """What the description of a door says of its refusals: the codes that there are for each status."""
    codes = {status: ", ".join(code for code in STATUS if STATUS[code] == status) for status in statuses}
    return {status: ResponseSpec(Wrong, generate_examples=False, description=f"Refused: {codes[status]}.") for status in statuses}


POST_REFUSALS = may_refuse(400, 403, 404, 409, 413, 422, 429, 503)


# ---- the lobby


@get("/api/games", responses=may_refuse(400), sync_to_thread=False)
def games() -> list[dict[str, Any]]:
    """The games: players, options, and the levels of their bots."""
    return [{**described(game), "levels": {level.name: level.about for level in levels_of(game).values()}} for game in GAMES.values()]


@get("/api/games/{name:str}/rules", media_type="text/markdown", sync_to_thread=False, responses=may_refuse(400, 404))
def rules(name: Annotated[str, Parameter(description="The name of a game.")]) -> str:
    """The rule book of a game, in Markdown."""
    if name not in GAMES:
        raise Refusal("unknown", f"There is no game of this name. The games are: {', '.join(GAMES)}.")
    return page_of(GAMES[name])


@post("/api/tables", guards=[check_post], responses=may_refuse(400, 403, 413, 422, 429, 503))
async def open_table(data: Open, doors: Doors) -> Opened:
    """Open a table."""
    code, token = await doors.host.open(data)
    return Opened(code=code, token=token)


@get("/api/tables", responses=may_refuse(400, 503))
async def tables(doors: Doors) -> list[dict[str, Any]]:
    """The public tables, the newest first."""
    return [json.loads(standing.line) for standing in await doors.host.store.standings(public=True, limit=200)]


@get("/api/tables/{code:str}", responses=may_refuse(400, 403, 404, 503))
async def table(code: Code, doors: Doors, token: Token = None) -> list[Show]:
    """A table as it stands, once for each seat of whoever asks; for somebody who looks on, as everyone sees it."""
    live = await doors.host.find(code)
    person = await doors.host.person(code, token_in(token))
    if live.table.settings.spectators == "delayed" and not live.table.seats_of(person) and person != live.table.owner:
        raise Refusal("not_allowed", "This table is shown with a delay: look on by the socket.")
    if not viewers(live.table, person):
        raise Refusal("not_allowed", "Nobody may look on at this table.")
    return [show(live.table, viewer, person) for viewer in viewers(live.table, person)]


@post("/api/tables/{code:str}/join", guards=[check_post], responses=POST_REFUSALS)
async def join(code: Code, data: Join, doors: Doors, token: Token = None) -> Seated:
    """Sit down at a table. Who has no token gets one."""
    known = token_in(token)
    seq, new = await doors.host.ask(code, data, known)
    live = await doors.host.find(code)
    return Seated(token=new, seats=live.table.seats_of(live.table.person_with(new or known)), seq=seq)


@post("/api/tables/{code:str}/messages", guards=[check_post], responses=POST_REFUSALS)
async def do(code: Code, data: AnyMessage, doors: Doors, token: Token = None) -> Done:
    """Any message that could be sent by the socket, but a hint: start, leave, change options, choose ..."""
    if isinstance(data, Hint | Join):
        raise Refusal("not_allowed", "Hints are for the socket, and joining has an address of its own.")
    seq, _ = await doors.host.ask(code, data, token_in(token))
    return Done(id=data.id, seq=seq)


@get(
    "/api/tables/{code:str}/record",
    media_type="application/json",
    responses={200: ResponseSpec(dict[str, Any], generate_examples=False, description="The record."), **may_refuse(400, 403, 404, 409, 503)},
)
async def record(code: Code, doors: Doors, token: Token = None) -> str:
    """The finished match as one line (docs/records.md)."""
    live = await doors.host.find(code)
    return save(live.table.record(await doors.host.person(code, token_in(token)))) + "\n"


@get("/api/tables/{code:str}/qr.svg", media_type="image/svg+xml", responses=may_refuse(400, 404, 503))
async def qr(request: Request[Any, Any, Any], code: Code, doors: Doors) -> bytes:
    """The link to a table as a QR code."""
    await doors.host.find(code)
    drawn = io.BytesIO()
    link = f"{request.scope['scheme']}://{request.headers.get('host', '')}/t/{code}"
    segno.make(link, error="m").save(drawn, kind="svg", scale=4, xmldecl=False, svgns=True)
    return drawn.getvalue()


@get("/health", responses=may_refuse(400, 503))
async def health(doors: Doors) -> dict[str, Any]:
    """Whether the server works: it has asked its store just now."""
    await doors.host.store.standings(limit=1)
    return {"ok": True, "version": __version__, "protocol": PROTOCOL}


@get("/metrics", media_type="text/plain; version=0.0.4", include_in_schema=False)
async def metrics(doors: Doors) -> bytes:
    """Numbers for Prometheus."""
    registry = CollectorRegistry()
    host = doors.host
    for name, about, value in (
        ("kortlek_tables", "Tables in memory.", len(host.live)),
        ("kortlek_connections", "Open sockets.", len(doors.sockets)),
        ("kortlek_moves_total", "Events of matches since the start.", host.moves),
        ("kortlek_workers_replaced_total", "Bots' processes that had to be replaced.", host.workers.replaced),
    ):
        Gauge(name, about, registry=registry).set(value)
    return generate_latest(registry)


# ---- the socket


class Client:
    """A socket, and the messages that wait for it."""

    def __init__(self, socket: WebSocket[Any, Any, Any], code: str) -> None:
        self.socket, self.code = socket, code
        self.connection = Connection(STRANGER, self.put)
        self.waiting: asyncio.Queue[tuple[bytes, int]] = asyncio.Queue()
        self.room = 0
        """So many messages may wait; none is counted while the client is told what it has missed."""
        self.bye: Bye | None = None
        self.task = asyncio.current_task()

    def put(self, message: bytes, at: int) -> None:
        """Send a message as soon as may be. A client that does not read is cut off, and can come again."""
        if self.room and self.waiting.qsize() >= self.room:
            self.leave(Bye(code="too_many", sentence="You did not read what you were sent: come again.", retry=RETRY))
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


@websocket("/api/tables/{code:str}/socket")
async def socket(socket: WebSocket[Any, Any, Any], code: str, doors: Doors) -> None:
    """A client at a table."""
    if not is_own(socket.headers.get("origin"), socket.headers.get("host")):
        await socket.close(POLICY)
        return
    await socket.accept()
    client = Client(socket, code)
    doors.sockets.add(client)
    try:
        with doors.addresses.socket(address(socket)):
            await serve(client, doors.host)
    except Refusal as refusal:
        client.bye = Bye(code=refusal.code, sentence=refusal.sentence, retry=RETRY if refusal.code in ("too_many", "stopping", "failed") else -1)
    except asyncio.CancelledError:
        if client.bye is None:
            raise
    except WebSocketDisconnect:
        pass
    except Exception as error:
        note("failed", error=type(error).__name__)
        client.bye = Bye(code="failed", sentence=FAILURE, retry=RETRY)
    finally:
        await client.part()
        doors.sockets.discard(client)


def close_code(code: str) -> int:
    """With which code a socket is closed for a reason."""
    return {"stopping": RESTART, "too_many": LATER, "failed": LATER, "too_slow": POLICY}.get(code, 4000 + STATUS[code])


def text_of(received: str | None) -> str:
    """What was received, if it is text."""
    if received is None:
        raise Refusal("malformed", "This is no message that a table understands: it is binary, not text.")
    return received


async def serve(client: Client, host: Host) -> None:
    """Greet a client, tell it everything, and do what it asks, until it goes."""
    try:
        hello = messages.read_hello(text_of(await asyncio.wait_for(client.receive(), HANDSHAKE)))
    except TimeoutError:
        raise Refusal("too_slow", f"The first message has to come within {HANDSHAKE:.0f} seconds.") from None
    if hello.protocol != PROTOCOL:
        raise Refusal("malformed", f"This server speaks protocol {PROTOCOL}, not {hello.protocol}.")
    client.connection.person = await host.person(client.code, hello.token)
    client.say(Welcome(protocol=PROTOCOL, code=client.code, person=client.connection.person))
    sending = asyncio.create_task(client.send_all())
    try:
        await host.connect(client.code, client.connection, hello.since)
        client.limit()
        await listen(client, host)
    finally:
        sending.cancel()
        with suppress(Refusal):
            await host.disconnect(client.code, client.connection)


async def listen(client: Client, host: Host) -> None:
    """Do what a client asks for, one message after the other."""
    pace = Pace()
    while True:
        received = await client.receive()
        pace.check()
        message_id = ""
        try:
            message = messages.read(text_of(received))
            message_id = message.id
            if isinstance(message, Hint):
                client.say(await host.hint(client.code, message, client.connection.person))
            elif isinstance(message, Join) and client.connection.person == STRANGER:
                raise Refusal("no_token", "Join over HTTP first: that gives you a token.")
            else:
                seq, _ = await host.ask_as(client.code, message, client.connection.person)
                client.say(Done(id=message_id, seq=seq))
        except Refusal as refusal:
            if refusal.code == "stopping":
                raise
            client.say(Denied(id=message_id, code=refusal.code, sentence=refusal.sentence))


# ---- the application


FAILURE = "Something went wrong here. Nothing that was acknowledged is lost: try again."


def wrong(code: str, sentence: str, status: int = 0) -> Response[Wrong]:
    """A refusal as an HTTP answer."""
    return Response(Wrong(code=code, sentence=sentence), status_code=status or STATUS[code], media_type=MediaType.JSON)


def refused(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Wrong]:
    """What the tables refuse."""
    return wrong(refusal.code, refusal.sentence)


def not_understood(request: Request[Any, Any, Any], error: Exception) -> Response[Wrong]:
    """What cannot be read: not UTF-8, or so deep that nobody can follow."""
    return wrong("malformed", "This cannot be done: what was sent cannot be read.")


def declined(request: Request[Any, Any, Any], error: HTTPException) -> Response[Wrong]:
    """What the framework refuses, in the same form."""
    if error.detail == "client disconnected prematurely":
        return wrong("too_slow", "The request did not end.")  # which nobody reads
    if error.status_code >= 500:
        return failed(request, error)
    code = {404: "unknown", 405: "not_allowed", 413: "too_large"}.get(error.status_code, "malformed")
    reasons = error.extra if isinstance(error.extra, list) else []
    details = "; ".join(str(reason.get("message", "")) for reason in reasons if isinstance(reason, dict)) or error.detail
    details = "the body of the request is missing" if details == "'data'" else details
    return wrong(code, f"This cannot be done: {details}.", 405 if error.status_code == 405 else 0)


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[Wrong]:
    """What goes wrong here: noted by its kind alone, as what it says could name cards. If the store does not work, it may later."""
    note("failed", error=type(error).__name__)
    return wrong("failed", FAILURE, STATUS["failed"] if isinstance(error, Failed) else 500)


def make_app(host: Host) -> Litestar:
    """The application around a host, which it starts and stops."""
    doors = Doors(host, Addresses(), set())

    @asynccontextmanager
    async def living(app: Litestar) -> AsyncIterator[None]:
        try:
            await host.start()
        except Refused as reason:
            app.state.refused = reason
            raise
        try:
            yield
        finally:
            await host.stop()

    async def provide_doors() -> Doors:
        return doors

    return Litestar(
        route_handlers=[*page.handlers(), games, rules, open_table, tables, table, join, do, record, qr, health, metrics, socket],
        dependencies={"doors": provide_doors},
        guards=[check_host],
        exception_handlers={
            Refusal: refused,
            HTTPException: declined,
            UnicodeError: not_understood,
            RecursionError: not_understood,
            Exception: failed,
        },
        lifespan=[living],
        request_max_body_size=LARGEST_MESSAGE,
        openapi_config=OpenAPIConfig(title="Kortlek", version=__version__, render_plugins=[JsonRenderPlugin()], path="/schema"),
        state=State({"doors": doors, "refused": None}),
        logging_config=None,
    )


async def say_goodbye(app: Litestar) -> None:
    """The server is about to stop: begin nothing new, and close every socket with a hint when to come again."""
    doors: Doors = app.state.doors
    doors.host.refuse()
    for client in list(doors.sockets):
        client.leave(Bye(code="stopping", sentence="The server is being restarted: you can go on in a moment.", retry=RETRY))
    leaving = [client.task for client in doors.sockets if client.task]
    if leaving:
        await asyncio.wait(leaving, timeout=2 * PARTING)
