"""The score sheet in words."""

from __future__ import annotations

from collections.abc import Sequence

from kortlek.engine.sheet import Row
from kortlek.engine.views import ONLOOKER
from kortlek.game import Names
from kortlek.words.columns import in_columns
from kortlek.words.words import Words


def sheet_rows(words: Words, names: Names, rows: Sequence[Row], score: Sequence[int], viewer: int = ONLOOKER) -> list[list[str]]:
    """The score sheet in cells: the names, a row for each finished round, and the total."""
    players = [words.name(seat, names, viewer) for seat in range(len(names))]
    finished = [[str(row.row), *(words.text("sheet-cell", "", **cell) for cell in row.cells)] for row in rows]
    return [[words.text("sheet-title"), *players], *finished, [words.text("sheet-total"), *map(str, score[: len(names)])]]


def score_sheet(words: Words, names: Names, rows: Sequence[Row], score: Sequence[int], viewer: int = ONLOOKER) -> list[str]:
    """The score sheet, line by line."""
    return in_columns(sheet_rows(words, names, rows, score, viewer))
