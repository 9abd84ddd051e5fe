"""Checkpoint files of long work that can be stopped and resumed: a header line, then a line for each part."""

from __future__ import annotations

import io
import json
from typing import Any


def line_of(thing: dict[str, Any]) -> bytes:
    """An object as one line of JSON."""
    return json.dumps(thing, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def write_whole(file: io.FileIO, left: bytes) -> None:
    """Write all bytes, in as many calls as needed."""
    while left:
        left = left[file.write(left) or 0 :]
