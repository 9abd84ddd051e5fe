"""The HTTP routes of films (docs/protocol.md): a finished match of a table, or a match between bots, moment by moment."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import get
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import Parameter, QueryParameter

from kortlek.engine.views import OPEN
from kortlek.game import SEATS
from kortlek.table.films import PAGE_SIZE, FilmRequest
from kortlek.table.http import Services, address
from kortlek.table.limits import delayed_refusal
from kortlek.table.lobby import Code, MatchNumber, Token, may_refuse, token_in
from kortlek.table.protocol.lobby_out import Film
from kortlek.table.refusals import Refusal
from kortlek.table.workers import Gone

Viewer = Annotated[
    int, QueryParameter(name="seat", ge=OPEN, le=SEATS - 1, description="With whose eyes; -1: those of who looks on; -2: everybody's cards.")
]
First = Annotated[int, QueryParameter(name="from", ge=0, le=1_000_000, description="The first moment, counted from 0.")]
Many = Annotated[int, QueryParameter(name="many", ge=1, le=PAGE_SIZE, description="How many moments.")]
MOST_SEEDS = 2**32 - 1


async def check_pace(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Apply the rate limit of the client's address."""
    async with delayed_refusal():
        connection.app.state.services.addresses.posts.check(address(connection))


@get("/api/tables/{code:str}/replay", guards=[check_pace], responses=may_refuse(400, 403, 404, 409, 422, 429, 503))
async def look_back(
    code: Code,
    services: Services,
    token: Token = None,
    match: MatchNumber = None,
    viewer: Viewer = OPEN,
    first: First = 0,
    many: Many = PAGE_SIZE,
) -> Film:
    """A match that is over, moment by moment."""
    live = await services.host.find(code)
    person = await services.host.person(code, token_in(token))
    async with services.films.turn():
        return await services.host.archive.film(live.table, match, person, viewer, first, many)


@get("/api/watch/{game:str}", guards=[check_pace], responses=may_refuse(400, 404, 422, 429, 503))
async def watch(
    game: Annotated[str, Parameter(description="The name of a game.")],
    services: Services,
    players: Annotated[int | None, Parameter(ge=1, le=SEATS, description="How many seats.")] = None,
    bots: Annotated[str, Parameter(max_length=400, description="Levels, separated by commas; dealt out to the seats in turn.")] = "house",
    option: Annotated[list[str] | None, Parameter(max_items=20, description="Variants of the rules, each as name=value.")] = None,
    seed: Annotated[int, Parameter(ge=0, le=MOST_SEEDS, description="The same seed is the same match.")] = 0,
    viewer: Viewer = OPEN,
    first: First = 0,
    many: Many = PAGE_SIZE,
    thoughts: Annotated[bool, Parameter(description="Whether the bots say what they thought.")] = False,
) -> Film:
    """A match between bots, moment by moment: as many moments as could be computed in time."""
    asked = FilmRequest.read(game, players, bots, option or [], seed)
    try:
        return await services.films.watch(asked, services.host.workers, viewer, first, many, thoughts)
    except Gone:
        raise Refusal("stopping", "refuse-stopping") from None


HANDLERS = [look_back, watch]
"""All route handlers of films."""
