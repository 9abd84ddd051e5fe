"""Text tables, and option values as they are typed: for terminals."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table of texts, each column as wide as its widest text and aligned to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(" " * (wide - width(text)) + text for text, wide in zip(row, widths, strict=True)) for row in rows]


def width(text: str) -> int:
    """The width of a text in terminal columns: 🌑 takes two."""
    return sum(0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def spell(value: object) -> str:
    """The value of an option as it is written on the command line."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
