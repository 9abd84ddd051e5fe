"""The web page: the files built into the package (web/), served with a content security policy that allows requests to this server only.

The files are compressed once and cached. Messages of tables are never compressed: their compressed size could reveal their content.
"""

from __future__ import annotations

import gzip
from asyncio import to_thread
from functools import cache
from mimetypes import guess_type
from pathlib import Path

from litestar import Request, Response, route
from litestar.datastructures import State
from litestar.enums import HttpMethod
from litestar.exceptions import NotFoundException
from litestar.types import ControllerRouterHandler

PAGE = Path(__file__).parent.parent / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
MISSING = "<!doctype html><title>Kortlek</title><p>The page is not built here: run <code>make page</code>. Programs find the lobby under /api."
FOR_EVER = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"
ASK_AGAIN = "no-cache"

GET, HEAD = HttpMethod.GET, HttpMethod.HEAD
Asked = Request[object, object, State]


@route(
    ["/", "/t/{code:str}", "/t/{code:str}/replay", "/watch/{name:str}", "/rules/{name:str}"],
    http_method=[GET, HEAD],
    include_in_schema=False,
    sync_to_thread=False,
)
def index(request: Asked) -> Response[bytes]:
    """The page itself; its router reads the address in the browser."""
    missing = Response(MISSING.encode(), headers={**HEADERS, "Cache-Control": ASK_AGAIN}, media_type="text/html")
    return send(request, "index.html", ASK_AGAIN) or missing


@route("/mark.svg", http_method=[GET, HEAD], include_in_schema=False, sync_to_thread=False)
def mark(request: Asked) -> Response[bytes]:
    """The favicon."""
    return send(request, "mark.svg", A_DAY) or Response(b"<svg xmlns='http://www.w3.org/2000/svg'/>", headers=HEADERS, media_type="image/svg+xml")


@route(["/assets/{name:path}", "/faces/{name:path}"], http_method=[GET, HEAD], include_in_schema=False)
async def file(request: Asked) -> Response[bytes]:
    """The assets and card faces of the page. The names of assets change with their content, so browsers may cache them for ever."""
    address = request.scope["path"]
    found = await to_thread(send, request, address.removeprefix("/"), FOR_EVER if address.startswith("/assets/") else A_DAY)
    if found is None:
        raise NotFoundException("there is no such file")
    return found


def send(request: Asked, name: str, how_long: str) -> Response[bytes] | None:
    """A response with a file of the page and this Cache-Control; None if there is no such file."""
    path = PAGE / name
    headers = {**HEADERS, "Cache-Control": how_long, "Vary": "Accept-Encoding"}
    try:
        if ".." in path.parts or not path.is_file():
            return None
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            content, headers["Content-Encoding"] = compressed(path, path.stat().st_mtime_ns), "gzip"
        else:
            content = path.read_bytes()
    except (OSError, ValueError):  # not a valid file name
        return None
    return Response(content, headers=headers, media_type=guess_type(path.name)[0] or "application/octet-stream")


@cache
def compressed(path: Path, changed: int) -> bytes:
    """The compressed content of a file, cached until the file changes."""
    return gzip.compress(path.read_bytes())


HANDLERS: list[ControllerRouterHandler] = [index, mark, file]
"""All route handlers of the page."""
