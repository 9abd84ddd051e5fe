"""The score sheet in words."""

from __future__ import annotations

from collections.abc import Sequence

from kortlek.engine.sheet import Row, columns
from kortlek.engine.views import ONLOOKER
from kortlek.game import Message, Names
from kortlek.words.columns import in_columns
from kortlek.words.words import Words


def sheet_rows(words: Words, names: Names, rows: Sequence[Row], score: Sequence[int], viewer: int = ONLOOKER) -> list[list[str]]:
    """The score sheet in cells: the names, a row for each finished round, and the total. A team has one column where partners share their points."""
    sides = columns(words.game, len(names), rows, score)
    players = [words.say(Message("seats-only", {"seats": list(side)}), names, viewer) for side in sides]
    finished = [[str(row.row), *(words.text("sheet-cell", "", **row.cells[side[0]]) for side in sides)] for row in rows]
    return [[words.text("sheet-title"), *players], *finished, [words.text("sheet-total"), *(str(score[side[0]]) for side in sides)]]


def score_sheet(words: Words, names: Names, rows: Sequence[Row], score: Sequence[int], viewer: int = ONLOOKER) -> list[str]:
    """The score sheet, line by line."""
    return in_columns(sheet_rows(words, names, rows, score, viewer))
