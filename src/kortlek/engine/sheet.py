"""The score sheet as data: a row for each finished round, with the fields that the game declares."""

from __future__ import annotations

from typing import Any, NamedTuple

from kortlek.engine.views import ONLOOKER, view
from kortlek.game import Game


class Row(NamedTuple):
    """A finished round: the number that labels it, and the values of the declared fields for each seat."""

    row: int
    cells: list[dict[str, int]]


def finished_round(game: Game[Any], before: Any, after: Any) -> Row | None:
    """The row that an event adds to the score sheet; None if it ended no round."""
    if after.round == before.round:
        return None
    s, earned = view(game, after, ONLOOKER).state, [after.score[seat] - before.score[seat] for seat in range(after.players)]
    names = game.sheet.cells
    cells = [{name: getattr(s, name)[seat] for name in names} or {"points": earned[seat]} for seat in range(s.players)]
    return Row(getattr(s, game.sheet.row) if game.sheet.row else s.round, cells)
