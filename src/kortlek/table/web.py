"""The ASGI application: the lobby, the sockets and the page around a host, and refusals as HTTP responses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar, MediaType, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from kortlek import __version__
from kortlek.engine.plain import Refused
from kortlek.game import Message
from kortlek.table import film_routes, lobby, page
from kortlek.table.health import Health
from kortlek.table.host import Host
from kortlek.table.hosts import Hosts
from kortlek.table.http import Services
from kortlek.table.journal import note
from kortlek.table.limits import LARGEST_MESSAGE, Addresses
from kortlek.table.lobby import check_code, check_get, check_host
from kortlek.table.protocol.lobby_out import Wrong
from kortlek.table.refusals import Refusal, STATUS
from kortlek.table.retention import delete_old_tables
from kortlek.table.sockets import dismiss, socket
from kortlek.table.store import Failed

ANY_LOCAL_NAME = Hosts()


def wrong(refusal: Refusal, status: int = 0) -> Response[Wrong]:
    """A refusal as an HTTP response."""
    return Response(Wrong.because(refusal), status_code=status or STATUS[refusal.code], media_type=MediaType.JSON)


def refused(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Wrong]:
    """Handle a refusal of a table."""
    return wrong(refusal)


def not_understood(request: Request[Any, Any, Any], error: Exception) -> Response[Wrong]:
    """Handle an unreadable request: not UTF-8, or nested too deeply."""
    return wrong(Refusal("malformed", "refuse-unreadable"))


def declined(request: Request[Any, Any, Any], error: HTTPException) -> Response[Wrong]:
    """Handle an HTTP error of the framework, in the form of a refusal."""
    if error.detail == "client disconnected prematurely":
        return wrong(Refusal("too_slow", "refuse-unfinished"))  # nobody reads this response
    if error.status_code >= 500:
        return failed(request, error)
    code = {404: "unknown", 405: "not_allowed", 413: "too_large"}.get(error.status_code, "malformed")
    reasons = error.extra if isinstance(error.extra, list) else []
    details = "; ".join(str(reason.get("message", "")) for reason in reasons if isinstance(reason, dict)) or error.detail
    details = "the body of the request is missing" if details == "'data'" else details
    return wrong(Refusal(code, Message("refuse-request", {"text": details})), 405 if error.status_code == 405 else 0)


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[Wrong]:
    """Handle an unexpected exception: log its type only, as its message could name cards. A failure of the store is temporary (503)."""
    note("failed", error=type(error).__name__)
    return wrong(Refusal("failed", "refuse-failed"), STATUS["failed"] if isinstance(error, Failed) else 500)


def make_app(host: Host, hosts: Hosts = ANY_LOCAL_NAME, folder: Path | None = None, keep_days: int | None = None) -> Litestar:
    """The application around a host, which it starts and stops. ``folder`` is that of the SQLite file, if there is one; tables that nobody has
    touched for ``keep_days`` are deleted."""
    services = Services(host, Addresses(), set(), Health(host.store, host.workers, host.measures, folder), hosts)
    host.on_lost = lambda codes: dismiss(services, codes)

    @asynccontextmanager
    async def living(app: Litestar) -> AsyncIterator[None]:
        try:
            async with AsyncExitStack() as running:
                await host.start()
                running.push_async_callback(host.stop)
                running.push_async_callback(services.health.stop)
                await services.health.start()
                if keep_days:
                    running.callback(asyncio.create_task(delete_old_tables(host, keep_days)).cancel)
                yield
        except Refused as reason:
            app.state.refused = reason
            raise

    async def provide_services() -> Services:
        return services

    return Litestar(
        route_handlers=[*page.HANDLERS, *lobby.HANDLERS, *film_routes.HANDLERS, socket],
        dependencies={"services": provide_services},
        guards=[check_host, check_get, check_code],
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
        state=State({"services": services, "refused": None}),
        logging_config=None,
    )
