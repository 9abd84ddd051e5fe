"""Files of long work that can be stopped and resumed: a line that describes it, then a line for each part."""

from __future__ import annotations

import io
import json
from typing import Any


def line_of(thing: dict[str, Any]) -> bytes:
    """JSON in one line."""
    return json.dumps(thing, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def write_whole(file: io.FileIO, left: bytes) -> None:
    """In one go, or in as many as it needs."""
    while left:
        left = left[file.write(left) or 0 :]
