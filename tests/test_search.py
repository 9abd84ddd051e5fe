"""Information-set search: both engines grow the same tree from the same seed, and a full tree does no harm."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from playing import position, set_ups

from kortlek.bots.search import Searcher
from kortlek.engine import views
from kortlek.game import Game
from kortlek.game.registry import GAMES

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@EVERY_GAME
@settings(max_examples=4, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_both_engines_grow_the_same_tree(game: Game[Any], data: st.DataObject, seed: int) -> None:
    players, options = data.draw(set_ups(game))
    s = position(game.name, players, options, seed, data.draw(st.integers(0, 60)))
    if s.phase < 0:
        return
    seen = views.view(game, s, s.turn)
    ours, theirs = Searcher(game, "plain", 300), Searcher(game, "compiled", 300)
    assert ours.think(seen, 40, seed) == theirs.think(seen, 40, seed)
    assert ours.nodes == theirs.nodes
    for mine, other in zip(ours.tree[:7], theirs.tree[:7], strict=True):
        assert list(mine[: ours.nodes]) == list(other[: ours.nodes])


@EVERY_GAME
def test_a_search_that_fills_its_tree_plays_on(game: Game[Any]) -> None:
    s = position(game.name, game.players[0], {}, 8, 10)
    seen = views.view(game, s, s.turn)
    small = Searcher(game, "compiled", 20)
    thoughts = small.think(seen, 200, 1)
    assert small.nodes == 20
    assert {thought.choice for thought in thoughts} <= {choice for choice in range(62) if seen.legal >> choice & 1}
