"""The JSON view of a match reveals nothing about cards that its viewer cannot see."""

from __future__ import annotations

from typing import Any

import pytest
from test_nothing_leaks import after_a_step_by_another, leaks
from test_view_json import page

from kortlek.game import Game
from kortlek.game.registry import GAMES

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@EVERY_GAME
def test_what_is_shown_does_not_depend_on_what_its_viewer_cannot_see(game: Game[Any]) -> None:
    """Permute the hidden cards, or let another player make the same choice with different hidden cards: the bytes stay the same."""
    assert leaks(page, game, every=7) == []
    assert after_a_step_by_another(page, game, every=5) == []


@EVERY_GAME
def test_a_planted_leak_is_found(game: Game[Any]) -> None:
    """Planted bug: everyone gets the view of the next seat, or that of the player in turn."""
    assert leaks(lambda game, s, seat: page(game, s, (seat + 1) % s.players), game, every=7)
    assert leaks(lambda game, s, seat: page(game, s, s.turn), game, every=7)
