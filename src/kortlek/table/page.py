"""The page: files that were built into the package (web/), served with headers that let a browser ask nobody but us."""

from __future__ import annotations

from pathlib import Path

from litestar import Response, get
from litestar.static_files import create_static_files_router
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


@get(
    ["/", "/t/{code:str}", "/t/{code:str}/replay", "/watch/{name:str}", "/rules/{name:str}"],
    media_type="text/html",
    include_in_schema=False,
    sync_to_thread=False,
)
def index() -> Response[str]:
    """The page itself; what it shows depends on the address, and it knows that by itself."""
    built = PAGE / "index.html"
    text = built.read_text(encoding="utf-8") if built.is_file() else MISSING
    return Response(text, headers={**HEADERS, "Cache-Control": "no-cache"}, media_type="text/html")


@get("/mark.svg", media_type="image/svg+xml", include_in_schema=False, sync_to_thread=False)
def mark() -> Response[bytes]:
    """The small picture in the tab."""
    built = PAGE / "mark.svg"
    drawn = built.read_bytes() if built.is_file() else b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    return Response(drawn, headers={**HEADERS, "Cache-Control": A_DAY})


def handlers() -> list[ControllerRouterHandler]:
    """Everything that the page needs; the names of its assets change with their content, so they may be kept for ever."""
    folders = [("assets", FOR_EVER), ("faces", A_DAY)]
    return [
        index,
        mark,
        *(
            create_static_files_router(f"/{folder}", [PAGE / folder], include_in_schema=False, name=folder, after_request=keep(how_long))
            for folder, how_long in folders
            if (PAGE / folder).is_dir()
        ),
    ]


def keep(how_long: str):  # type: ignore[no-untyped-def]
    """Let a browser keep an answer."""

    def add(response: Response[object]) -> Response[object]:
        response.headers.update({**HEADERS, "Cache-Control": how_long})
        return response

    return add
