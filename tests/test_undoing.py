"""A player may take her last choice back without asking until another player has chosen, or anything hidden has been revealed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import cascade_positions
import pytest
import rummy_positions
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import next_event, set_ups
from positions import deal, hands_for, tricks_won_by

from kortlek.engine import plain
from kortlek.engine.events import Step
from kortlek.engine.plain import Event, copy_of
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.undo import last_choice, may_undo
from kortlek.engine.views import ONLOOKER, cards_in, places, sees, view
from kortlek.game import OVER, Game
from kortlek.game.registry import GAMES

MAY, NEVER, OTHERS_CHOICE, SHUFFLED, ROUND_ENDED, REVEALED = True, False, False, False, False, False
"""Whether a choice may be taken back, and why not: nothing was chosen, another player has chosen since, something was shuffled since, the round has
ended with it, or it has revealed hidden cards."""
CHANCE = "chance"


class Played:
    """A match from some position on, and its steps."""

    def __init__(self, name: str, s: Any) -> None:
        self.game, self.state = GAMES[name], s
        self.steps: list[Step] = []

    def after(self, *texts: str) -> list[bool]:
        """Apply these events; return for each seat whether it may take its last choice back now."""
        for text in texts:
            self.go_on(next_event(self.game, self.state, [1]) if text == CHANCE else plain.read(self.game, self.state, text))
        return [may_undo(self.game, self.steps, self.state, seat) for seat in range(self.state.players)]

    def go_on(self, event: Event) -> None:
        before, self.state = self.state, copy_of(self.state)
        plain.step(self.game, self.state, event)
        self.steps.append(Step(before, event, self.state))


def dealt(name: str, hands: list[str], then: str = "", played: int = 0, **options: object) -> Played:
    """A match after a deal to seat 0 first, when some rounds have been played."""
    s = plain.begin(GAMES[name], len(hands), options)
    s.round = played
    deal(GAMES[name], s, hands, first=0, size=0 if len(hands) == 2 else 10, then=then)
    return Played(name, s)


def test_a_bid_can_be_taken_back_until_the_next_player_bids() -> None:
    match = dealt("plump", ["", "", ""])
    assert match.after() == [NEVER, NEVER, NEVER]
    assert match.after("bid 4") == [MAY, NEVER, NEVER]
    assert match.after("bid 2") == [OTHERS_CHOICE, MAY, NEVER]


@pytest.mark.parametrize("winner", [0, 2])
def test_a_card_that_ends_a_trick_can_be_taken_back_until_somebody_else_plays(winner: int) -> None:
    [trick] = tricks = tricks_won_by(GAMES["plump"], 3, [winner])
    match = dealt("plump", hands_for(tricks))
    assert match.after("bid 1", "bid 1", "bid 1", *(f"play {card}" for card in trick))[2] == MAY
    assert match.state.turn == winner and match.state.taken[winner] == 1
    assert match.after(CHANCE)[2] == (OTHERS_CHOICE if winner == 0 else MAY)
    assert last_choice(match.game, match.steps, 2) == (5 if winner == 0 else 6)


def test_the_last_card_of_a_round_cannot_be_taken_back() -> None:
    match = dealt("up_and_down", ["C3", "H3"], "D4", largest_round=2, first_bettor=0)
    assert match.after("bet 1", "bet 1", "play H3") == [OTHERS_CHOICE, MAY]
    assert match.after("play C3") == [ROUND_ENDED, OTHERS_CHOICE]
    assert match.after(CHANCE) == [SHUFFLED, OTHERS_CHOICE]


def test_in_plumps_round_of_one_tick_the_last_bid_cannot_be_taken_back() -> None:
    match = dealt("plump", ["C3", "H3"], played=9)
    assert match.after("bid 0") == [MAY, NEVER]
    assert match.after("bid 0") == [OTHERS_CHOICE, ROUND_ENDED]


def test_in_rummy_a_meld_can_be_taken_back_and_a_draw_from_the_stock_cannot() -> None:
    """Even if she draws another copy of a card that she has."""
    hands = f"{rummy_positions.FORTY_SIX} C9 S2", "D9 S3"
    match = Played("rummy", rummy_positions.position(*hands, stock="C9", discards="H4 H7", laid=(1,), drawn=False))
    assert match.after("draw stock") == [REVEALED, NEVER]
    for text in ["lay", "run H", "card HQ", "card HK", "card HA", "done", "lay", "set 5", "card C5", "card D5", "card H5", "done", "discard C9"]:
        assert match.after(text) == [MAY, NEVER]
    assert match.after("draw discard") == [OTHERS_CHOICE, MAY], "everyone saw that card before"


def test_in_rummy_a_discard_cannot_be_taken_back_when_the_discards_have_been_shuffled() -> None:
    match = Played("rummy", rummy_positions.position("C9 S2", "D9 S3", discards="H4 H5", rest=1, stock="S4", drawn=False))
    assert match.after("draw stock", "discard C9") == [MAY, NEVER]
    assert match.after(CHANCE) == [SHUFFLED, NEVER]


@pytest.mark.parametrize(("texts", "why_not"), [("play H9, column 1", MAY), ("play C9", MAY), ("play C9, column 1", REVEALED), ("draw", REVEALED)])
def test_in_cascade_a_draw_cannot_be_taken_back_and_a_play_can_unless_it_draws(texts: str, why_not: bool) -> None:
    match = Played("cascade", cascade_positions.begun("C2 C3 D5 D7", hands=("H9 C9", "S9")))
    assert match.after(*texts.split(", ")) == [why_not, NEVER]


def test_in_cascade_a_play_for_which_another_player_gets_a_card_cannot_be_taken_back() -> None:
    """A player without cards takes a free one when her turn begins."""
    match = Played("cascade", cascade_positions.begun("H2 S3 D5 D7", hands=("C9", "C8"), hand_sizes=[1, 1]))
    assert match.after("play C9", "column 1", "play C8") == [OTHERS_CHOICE, MAY]
    assert match.after("column 2") == [OTHERS_CHOICE, REVEALED]


# ---- every game


def cards_seen(game: Game[Any], s: Any, seat: int) -> Counter[tuple[int, int]]:
    """The cards that a seat sees, each with its owner if every player has a pack of her own."""
    return Counter(
        (place.seat * game.pack.one_each, card)
        for place, field in places(s)
        if field.storage and sees(seat, place, field)
        for card in cards_in(s, place, field.storage)
    )


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=6, deadline=None)
@given(st.data())
def test_what_may_be_taken_back_has_told_nothing(name: str, data: st.DataObject) -> None:
    """With any other hidden cards the choice would have had the same visible result; and without the choice, all views are as before."""
    game = GAMES[name]
    players, options = data.draw(set_ups(game))
    rng, until = [seeded(data.draw(st.integers(0, 1000)), 0)], data.draw(st.integers(1, 400))
    match = Played(name, plain.begin(game, players, options))
    while match.state.phase != OVER and len(match.steps) < until:
        match.go_on(next_event(game, match.state, rng))
        before, event, _ = match.steps[-1]
        for seat, may in enumerate(match.after()):
            if may:
                assert isinstance(event, int) and before.turn == seat
                assert cards_seen(game, match.state, seat) <= cards_seen(game, before, seat)
                other = redeal(view(game, before, seat), rng)
                plain.step(game, other, event)
                assert view(game, other, seat) == view(game, match.state, seat)
    again = plain.begin(game, players, options)
    for _, event, _ in match.steps[:-1]:
        plain.step(game, again, event)
    assert all(view(game, again, seat) == view(game, match.steps[-1].before, seat) for seat in (ONLOOKER, *range(players)))
