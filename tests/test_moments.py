"""A match replayed moment by moment shows what was seen and told during play; a match whose rules fail stays as it was."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from kortlek.cards import members
from kortlek.engine.events import acts_of, events_of
from kortlek.engine.match import Match, first_decision
from kortlek.engine.moments import moments
from kortlek.engine.plain import copy_of
from kortlek.engine.rng import pick, seeded
from kortlek.engine.views import ONLOOKER, OPEN, opened, view
from kortlek.game import Game
from kortlek.game.registry import GAMES

SHORT: dict[str, tuple[int, dict[str, object]]] = {
    "plump": (10, {}),
    "up_and_down": (3, {"largest_round": 2}),
    "trick_paper_scissors": (3, {"deals": 2}),
    "rummy": (2, {"games": 2, "round_limit": 9}),
    "hearts": (4, {"target": 30}),
    "spades": (4, {"losing_score": -50}),
    "cascade": (2, {"games": 1}),
}


def played(game: Game[Any], seed: int) -> tuple[Match[Any], list[tuple[Any, int]], list[tuple[int, str]]]:
    """A random match; the states at which a player had to choose or the match was over, with the number of moves made; and the choices."""
    players, options = SHORT[game.name]
    match: Match[Any] = Match(game, players, options, seed=seed)
    rng, waiting, chosen = [seeded(seed, 1)], [], []
    match.deal()
    waiting.append((match.state, len(match.moves)))
    while not match.over:
        choice = pick(game.legal(match.state), rng)
        chosen.append((match.state.turn, match.legal[list(members(game.legal(match.state))).index(choice)]))
        match.play(choice)
        waiting.append((match.state, len(match.moves)))
    return match, waiting, chosen


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_moment_is_one_at_which_somebody_has_to_choose_or_the_end(game: Game[Any]) -> None:
    match, waiting, chosen = played(game, 4)
    found = list(moments(match))
    assert [(each.s, each.moves) for each in found] == waiting
    assert [(each.by, each.choice) for each in found[1:]] == chosen
    assert (found[0].by, found[0].choice, found[0].begins_round) == (-1, "", True)
    assert sum(each.begins_round for each in found) == match.state.round
    assert found[-1].rows == match.rows
    assert len(match.rows) == match.state.round


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_each_viewer_sees_and_hears_at_a_moment_what_is_hers(game: Game[Any]) -> None:
    match, _, _ = played(game, 5)
    found = list(moments(match))
    for each in found[:: 7 if len(match.moves) > 60 else 1]:
        assert each.seen(OPEN) == opened(game, each.s)
        for viewer in (0, ONLOOKER):
            assert each.seen(viewer) == view(game, each.s, viewer)
    for viewer in (0, ONLOOKER, OPEN):
        told = [event for act in acts_of(game, match.steps()) for event in events_of(game, act, viewer)]
        assert [event for each in found for event in each.events(viewer)] == told
        assert told[-1].kind == "match_over"


# ---- the match itself


def test_a_rule_that_raises_leaves_the_match_as_it_was() -> None:
    def fails_at_the_end(s: Any, choice: int) -> None:
        GAMES["plump"].apply(s, choice)
        raise ZeroDivisionError

    match: Match[Any] = Match(dataclasses.replace(GAMES["plump"], apply=fails_at_the_end), 3, seed=1)
    match.deal()
    before = copy_of(match.state), match.moves[:], match.written[:]
    with pytest.raises(ZeroDivisionError):
        match.play(match.legal[0])
    assert (match.state, match.moves, match.written) == before


def test_the_first_decision_of_a_match_is_not_forced() -> None:
    for game in GAMES.values():
        assert len(first_decision(game, game.players[0]).legal) > 1
    forced = dataclasses.replace(GAMES["plump"], legal=lambda s: GAMES["plump"].legal(s) if s.bid[0] >= 0 else 1)
    match = first_decision(forced, 3)
    assert match.written[-1] == "bid 0" and len(match.legal) > 1
