"""A match moment by moment is what was seen and told while it was played."""

from __future__ import annotations

from typing import Any

import pytest

from kortlek.play import plain, telling
from kortlek.play.information import ONLOOKER, OPEN, opened, view
from kortlek.play.moments import moments
from kortlek.play.plain import copy_of
from kortlek.play.seeded import seeded
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, Game
from playing import next_event

SHORT: dict[str, tuple[int, dict[str, object]]] = {
    "plump": (10, {}),
    "up_and_down": (3, {"N": 2}),
    "trick_paper_scissors": (3, {"deals": 2}),
    "rummy": (2, {"games": 2, "round_limit": 9}),
    "cascade": (2, {"games": 1}),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_moment_is_one_at_which_somebody_has_to_choose_or_the_end(game: Game[Any]) -> None:
    players, options = SHORT[game.name]
    s, rng = plain.begin(game, players, options), [seeded(4, 0)]
    start, events, waiting, chosen = copy_of(s), [], [], []
    while s.phase != OVER:
        event = next_event(game, s, rng)
        if s.phase >= 0:
            chosen.append((s.turn, plain.write(game, s, event)))
        events.append(event)
        plain.happen(game, s, event)
        if s.phase >= OVER:
            waiting.append((copy_of(s), len(events)))
    found = list(moments(game, start, events))
    assert [(each.s, each.events) for each in found] == waiting
    assert [(each.by, each.choice) for each in found[1:]] == chosen
    assert (found[0].by, found[0].choice, found[0].begins_round) == (-1, "", True)
    assert sum(each.begins_round for each in found) == s.round
    assert len(found[-1].rows) == s.round
    assert start == plain.begin(game, players, options), "and nothing has happened to it"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_each_viewer_sees_and_hears_at_a_moment_what_is_hers(game: Game[Any]) -> None:
    players, options = SHORT[game.name]
    s, rng = plain.begin(game, players, options), [seeded(5, 0)]
    start, events = copy_of(s), []
    while s.phase != OVER:
        events.append(next_event(game, s, rng))
        plain.happen(game, s, events[-1])
    names = tuple(f"P{seat}" for seat in range(players))
    for each in list(moments(game, start, events))[:: 7 if len(events) > 60 else 1]:
        assert each.seen(OPEN) == opened(game, each.s)
        for viewer in (0, ONLOOKER):
            assert each.seen(viewer) == view(game, each.s, viewer)
            told = [line for step in each.steps for line in telling.sentences(telling.news(game, *step, viewer), names, viewer)]
            assert each.lines(names, viewer)[: len(told)] == told
    assert each.game is game
    assert list(moments(game, start, events))[-1].lines(names, 0)[-1] == telling.ending(game.winners(s), names, 0)
