"""The page: files that were built into the package (web/), served with headers that let a browser ask nobody but us.

They are sent compressed, and are compressed once. What tables say is not: how well it can be compressed could tell what is in it.
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
    """The page itself; what it shows depends on the address, and it knows that by itself."""
    missing = Response(MISSING.encode(), headers={**HEADERS, "Cache-Control": ASK_AGAIN}, media_type="text/html")
    return send(request, "index.html", ASK_AGAIN) or missing


@route("/mark.svg", http_method=[GET, HEAD], include_in_schema=False, sync_to_thread=False)
def mark(request: Asked) -> Response[bytes]:
    """The small picture in the tab."""
    return send(request, "mark.svg", A_DAY) or Response(b"<svg xmlns='http://www.w3.org/2000/svg'/>", headers=HEADERS, media_type="image/svg+xml")


@route(["/assets/{name:path}", "/faces/{name:path}"], http_method=[GET, HEAD], include_in_schema=False)
async def file(request: Asked) -> Response[bytes]:
    """What the page is made of. The names of assets change with their content, so they may be kept for ever."""
    address = request.scope["path"]
    found = await to_thread(send, request, address.removeprefix("/"), FOR_EVER if address.startswith("/assets/") else A_DAY)
    if found is None:
        raise NotFoundException("there is no such file")
    return found


def send(request: Asked, name: str, how_long: str) -> Response[bytes] | None:
    """A file of the page, which the browser may keep for so long; None if there is none of this name."""
    path = PAGE / name
    headers = {**HEADERS, "Cache-Control": how_long, "Vary": "Accept-Encoding"}
    try:
        if ".." in path.parts or not path.is_file():
            return None
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            content, headers["Content-Encoding"] = compressed(path, path.stat().st_mtime_ns), "gzip"
        else:
            content = path.read_bytes()
    except (OSError, ValueError):  # no file can have such a name
        return None
    return Response(content, headers=headers, media_type=guess_type(path.name)[0] or "application/octet-stream")


@cache
def compressed(path: Path, changed: int) -> bytes:
    """A file as it is sent; it is compressed anew only when it has changed."""
    return gzip.compress(path.read_bytes())


HANDLERS: list[ControllerRouterHandler] = [index, mark, file]
"""Everything that the page needs."""
