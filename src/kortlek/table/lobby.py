"""The lobby: what is asked over HTTP (docs/protocol.md). What comes in is made into messages; what happens is for the host and the tables
to say."""

from __future__ import annotations

import io
import json
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
import segno
from litestar import Request, get, post
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter, Parameter
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from kortlek import __version__
from kortlek.bots import levels_of
from kortlek.play.describing import ENGLISH, described, page_of
from kortlek.play.record import save
from kortlek.rules import GAMES
from kortlek.table.doors import Doors, address
from kortlek.table.limits import is_own
from kortlek.table.messages import PROTOCOL, STATUS, AnyMessage, Done, Hint, Join, Open, Refusal, Show
from kortlek.table.sending import show, viewers

LONGEST_HOST = 255
Code = Annotated[str, Parameter(description="The code of a table.", min_length=1, max_length=20)]
Language = Annotated[str, Parameter(description="A language: en or sv.", max_length=20)]
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


def token_in(header: str | None) -> str:
    """The token that somebody sends with a request."""
    if not header:
        return ""
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Refusal("malformed", "The Authorization header should be 'Bearer' and a token.")
    return token


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


@get("/api/games", responses=may_refuse(400), sync_to_thread=False)
def games() -> list[dict[str, Any]]:
    """The games: players, options, and the levels of their bots."""
    return [{**described(game), "levels": {level.name: level.about for level in levels_of(game).values()}} for game in GAMES.values()]


@get("/api/games/{name:str}/rules", media_type="text/markdown", sync_to_thread=False, responses=may_refuse(400, 404))
def rules(name: Annotated[str, Parameter(description="The name of a game.")], language: Language = ENGLISH) -> str:
    """The rule book of a game, in Markdown; in English if there is none in the language asked for."""
    if name not in GAMES:
        raise Refusal("unknown", f"There is no game of this name. The games are: {', '.join(GAMES)}.")
    return page_of(GAMES[name], language)


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


HANDLERS = [games, rules, open_table, tables, table, join, do, record, qr, health, metrics]
"""Every address of the lobby."""
