"""The score sheet as data: a row for each finished round, with the fields that the game declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kortlek.engine.payoffs import sides_of
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


def columns(game: Game[Any], players: int, rows: Sequence[Row], score: Sequence[int]) -> list[tuple[int, ...]]:
    """The seats of each column of the score sheet: one seat, or the partners of a team as long as they have had the same in every round."""
    sides = sides_of(game, players)
    shared = all(score[seat] == score[side[0]] and all(row.cells[seat] == row.cells[side[0]] for row in rows) for side in sides for seat in side)
    return sides if shared else [(seat,) for seat in range(players)]
