"""The encoding for learning programs: numbers for choices, masks, and rows with named parts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playing import walk

from kortlek.engine import observation, views
from kortlek.game import PILE, Game, fields_of
from kortlek.game.registry import GAMES

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@EVERY_GAME
def test_masks_and_observations_have_the_promised_shape(game: Game[Any]) -> None:
    for players in game.players:
        for step, s in enumerate(walk(game, players, {}, 9)):
            if step > 60:
                break
            if s.phase < 0:
                continue
            for seat in (views.ONLOOKER, *range(players)):
                seen = views.view(game, s, seat)
                row, where = observation.observe(seen), observation.parts(game)
                assert len(row) == observation.observation_length(game) == max(part.stop for part in where.values())
                assert list(where) == list(fields_of(game.state))
                assert row[where["phase"]] == [s.phase]
                assert row[where["turn"]] == [(seen.state.turn - max(seat, 0)) % players]
                mask = observation.mask(seen)
                legal = [observation.action_of(game, action) for action, allowed in enumerate(mask) if allowed]
                assert legal == [(s.phase, choice) for choice in range(62) if seen.legal >> choice & 1]


@EVERY_GAME
def test_an_unknown_action_is_refused(game: Game[Any]) -> None:
    with pytest.raises(ValueError, match=f"0 to {observation.action_count(game) - 1}"):
        observation.action_of(game, observation.action_count(game))


@EVERY_GAME
def test_the_own_hand_is_part_of_the_observation(game: Game[Any]) -> None:
    s = next(s for step, s in enumerate(walk(game, game.players[-1], {}, 3)) if s.phase >= 0 and step > 12)
    hand = observation.parts(game)["hand"]
    kinds = len(game.pack.names)
    for seat in range(s.players):
        row = observation.observe(views.view(game, s, seat))[hand]
        own = Counter(views.cards_in(s, views.Place("hand", seat), fields_of(game.state)["hand"].storage or PILE))
        assert row[1 : 1 + kinds] == [own[card] for card in range(kinds)]
        assert row[1 + kinds + 1 : 2 * (1 + kinds)] == [0] * kinds, "the next player's hand is not seen"
