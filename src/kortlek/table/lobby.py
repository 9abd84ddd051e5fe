"""The lobby: the HTTP API (docs/protocol.md). The route handlers parse requests; the host and the tables decide what they lead to."""

from __future__ import annotations

import hashlib
import io
from typing import Annotated, Any

import segno
from litestar import MediaType, Request, Response, get, post
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter, Parameter

from kortlek import __version__
from kortlek.engine.plain import shorten
from kortlek.game import Game, Message
from kortlek.game.registry import GAMES
from kortlek.table.game_info import GameInfo, game_info
from kortlek.table.http import Services, address
from kortlek.table.hosts import name_in
from kortlek.table.limits import delayed_refusal, is_own
from kortlek.table.listing import CONSIDERED, listed
from kortlek.table.frames import snapshot, viewers
from kortlek.table.protocol import PROTOCOL
from kortlek.table.protocol.client_in import AnyQuestion, AnyRequest, Join
from kortlek.table.protocol.client_out import Done, Snapshot
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.protocol.lobby_out import Health, LobbyLine, Opened, Seated, Wrong
from kortlek.table.refusals import Refusal, STATUS
from kortlek.table.words import game_source, table_source
from kortlek.words.describe import page_of
from kortlek.words.sources import ENGLISH, LANGUAGES

Code = Annotated[str, Parameter(description="The code of a table.", min_length=1, max_length=20)]
MatchNumber = Annotated[int | None, Parameter(ge=1, le=1_000_000, description="The number of the match at this table; usually the last.")]
Language = Annotated[str, Parameter(description="A language: en or sv.", max_length=20)]
Token = Annotated[str | None, HeaderParameter(name="Authorization", description="Bearer and the token of somebody at the table.", max_length=100)]


def token_in(header: str | None) -> str:
    """The token in an Authorization header; empty if there is none."""
    if not header:
        return ""
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Refusal("malformed", "refuse-authorization")
    return token


def check_host(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse a Host header that is invalid or names another server."""
    name, local = name_in(connection.headers.get("host", "")), connection.scope.get("server")
    if name is None:
        raise Refusal("malformed", "refuse-host")
    if not connection.app.state.services.hosts.serve(name, local[0] if local else ""):
        raise Refusal("not_allowed", Message("refuse-host-name", {"text": shorten(name)}))


async def check_get(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Wait for the address's turn, and apply its rate limit to GET requests."""
    if connection.scope["type"] != ScopeType.HTTP:
        return
    await connection.app.state.services.start(address(connection))
    if connection.scope["method"] in ("GET", "HEAD"):
        async with delayed_refusal():
            connection.app.state.services.addresses.gets.check(address(connection))


async def check_code(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse the code of a table that does not exist, and clients that guess codes. Sockets say later who they are."""
    code = connection.path_params.get("code")
    if code and connection.scope["type"] == ScopeType.HTTP and connection.scope["path"].startswith("/api/"):
        token = connection.headers.get("authorization", "").rpartition(" ")[2]
        try:
            async with delayed_refusal():
                await connection.app.state.services.enter(address(connection), code, token)
        except Refusal as refusal:
            if refusal.code in ("too_many", "unknown"):  # whether the token is valid is checked with the request
                raise


async def check_post(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse a request from another site's page, or over the rate limit, before its body is read."""
    if not is_own(connection.headers.get("origin"), connection.headers.get("host")):
        raise Refusal("not_allowed", "refuse-other-site")
    async with delayed_refusal():
        connection.app.state.services.addresses.posts.check(address(connection))


def may_refuse(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of a route for its OpenAPI description: the codes of each status. Any request may be refused by its Host or a rate limit."""
    statuses = tuple(sorted({*statuses, 403, 429}))
    codes = {status: ", ".join(code for code in STATUS if STATUS[code] == status) for status in statuses}
    return {status: ResponseSpec(Wrong, generate_examples=False, description=f"Refused: {codes[status]}.") for status in statuses}


POST_REFUSALS = may_refuse(400, 403, 404, 409, 413, 422, 429, 503)


@get("/api/games", responses=may_refuse(400), sync_to_thread=False)
def games() -> list[GameInfo]:
    """The games: players, options, layout, and the levels of their bots."""
    return [game_info(game) for game in GAMES.values()]


@get("/api/games/{name:str}/rules", media_type="text/markdown", sync_to_thread=False, responses=may_refuse(400, 404))
def rules(name: Annotated[str, Parameter(description="The name of a game.")], language: Language = ENGLISH) -> str:
    """The rule book of a game, in Markdown; in English if there is none in the language asked for."""
    return page_of(game_called(name), language)


def game_called(name: str) -> Game[Any]:
    """The game with this name; Refusal if there is none."""
    if name not in GAMES:
        raise Refusal("unknown", Message("refuse-no-game", {"text": shorten(name), "games": ", ".join(GAMES)}))
    return GAMES[name]


@get(
    ["/words/{name:str}/{file:str}"],
    media_type=MediaType.TEXT,
    sync_to_thread=False,
    responses={200: ResponseSpec(str, media_type=MediaType.TEXT, generate_examples=False, description="Fluent."), **may_refuse(400, 404)},
)
def words(
    request: Request[Any, Any, Any],
    name: Annotated[str, Parameter(description="The name of a game, or 'table' for what tables say.")],
    file: Annotated[str, Parameter(description="A language and .ftl: en.ftl or sv.ftl.")],
) -> Response[str]:
    """The words of a game, or of tables, in a language, in Fluent format. Browsers revalidate them with the ETag."""
    language, _, kind = file.rpartition(".")
    if language not in LANGUAGES or kind != "ftl":
        raise Refusal("unknown", Message("refuse-language", {"languages": ", ".join(LANGUAGES)}))
    text = table_source(language) if name == "table" else game_source(game_called(name).name, language)
    tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    if request.headers.get("if-none-match") == tag:
        return Response("", status_code=304, headers=headers, media_type=MediaType.TEXT)
    return Response(text, headers=headers, media_type=MediaType.TEXT)


@post("/api/tables", guards=[check_post], responses=may_refuse(400, 403, 413, 422, 429, 503))
async def open_table(request: Request[Any, Any, Any], data: Open, services: Services) -> Opened:
    """Open a table."""
    services.addresses.opened.check(address(request))
    code, token = await services.host.open(data)
    services.openers.add(code, address(request))
    return Opened(code=code, token=token)


@get("/api/tables", responses=may_refuse(400, 503))
async def tables(services: Services) -> list[LobbyLine]:
    """The public tables; those where somebody waits for others come first."""
    return listed(await services.host.store.standings(public=True, limit=CONSIDERED), services.host.live, services.openers)


@get("/api/tables/{code:str}", responses=may_refuse(400, 403, 404, 503))
async def table(code: Code, services: Services, token: Token = None) -> Snapshot:
    """The current state of a table, as each of the caller's seats sees it, or as a spectator sees it."""
    live = await services.host.look(code)
    person = await services.host.person(code, token_in(token))
    if live.table.settings.spectators == "delayed" and not live.table.seats_of(person) and person != live.table.owner:
        raise Refusal("not_allowed", "refuse-delayed")
    if not viewers(live.table, person):
        raise Refusal("not_allowed", "refuse-looking-on")
    return snapshot(live.table, person)


@post("/api/tables/{code:str}/join", guards=[check_post], responses=POST_REFUSALS)
async def join(code: Code, data: Join, services: Services, token: Token = None) -> Seated:
    """Sit down at a table. A caller without a token gets one."""
    known = token_in(token)
    seq, new = await services.host.ask(code, data, known)
    live = await services.host.find(code)
    return Seated(token=new, seats=live.table.seats_of(live.table.person_with(new or known)), seq=seq)


@post("/api/tables/{code:str}/messages", guards=[check_post], responses=POST_REFUSALS)
async def do(code: Code, data: AnyRequest | AnyQuestion, services: Services, token: Token = None) -> Done:
    """Any request of the socket protocol that changes the table, except join: start, leave, change options, choose ..."""
    if isinstance(data, Join | AnyQuestion):
        raise Refusal("not_allowed", "refuse-socket-only")
    seq, _ = await services.host.ask(code, data, token_in(token))
    return Done(id=data.id, seq=seq)


@get(
    "/api/tables/{code:str}/record",
    media_type="application/json",
    responses={200: ResponseSpec(dict[str, Any], generate_examples=False, description="The record."), **may_refuse(400, 403, 404, 409, 503)},
)
async def record(code: Code, services: Services, token: Token = None, match: MatchNumber = None) -> str:
    """The finished match as one line (docs/records.md)."""
    live = await services.host.find(code)
    return await services.host.archive.record(live.table, match, await services.host.person(code, token_in(token))) + "\n"


@get("/api/tables/{code:str}/qr.svg", media_type="image/svg+xml", responses=may_refuse(400, 404, 503))
async def qr(request: Request[Any, Any, Any], code: Code, services: Services) -> bytes:
    """The link to a table as a QR code."""
    await services.host.find(code)
    drawn = io.BytesIO()
    link = f"{request.scope['scheme']}://{request.headers.get('host', '')}/t/{code}"
    segno.make(link, error="m").save(drawn, kind="svg", scale=4, xmldecl=False, svgns=True)
    return drawn.getvalue()


@get(
    "/health",
    responses={503: ResponseSpec(Health, generate_examples=False, description="Some part is not well."), **may_refuse(400)},
)
async def health(services: Services) -> Response[Health]:
    """Whether the server can do its work, part by part."""
    parts = await services.health.parts()
    ok = all(part.ok for part in parts.values())
    return Response(Health(ok=ok, version=__version__, protocol=PROTOCOL, parts=parts), status_code=200 if ok else 503)


@get("/metrics", media_type="text/plain; version=0.0.4", include_in_schema=False)
async def metrics(services: Services) -> bytes:
    """Metrics for Prometheus."""
    host = services.host
    return host.measures.text(tables=len(host.live), connections=len(services.sockets), workers_replaced_total=host.workers.replaced)


HANDLERS = [games, rules, words, open_table, tables, table, join, do, record, qr, health, metrics]
"""All route handlers of the lobby."""
