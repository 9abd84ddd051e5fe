"""The house policy of TrickPaperScissors: each sentence about how it plays, and the checks that every policy must pass."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import next_event, position, said_for, set_ups
from positions import cards

from kortlek.cards import bit, members
from kortlek.engine import plain
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import view
from kortlek.game import OVER
from kortlek.game.registry import GAMES
from kortlek.games.trick_paper_scissors.bots import HOUSE
from kortlek.games.trick_paper_scissors.rules import KINDS, PLAY, SUITS, VALUE, VALUES

GAME = GAMES["trick_paper_scissors"]
SEEDS = st.integers(0, 1 << 61)
ROCK, PAPER, SCISSORS = range(3)


def to_play(
    hand: str,
    *trick: str,
    unseen: str = "",
    values: tuple[int, int, int] = (1, 1, 1),
    out_of: dict[int, str] | None = None,
    **options: object,
) -> Any:
    """A player with this hand is to play, after these cards of the trick, led by seat 0. She has not seen ``unseen``; all other cards
    are gone. ``out_of`` names suits that seats have shown to be out of."""
    s = plain.blank(GAME, 4, options)
    s.phase, s.turn, s.leader, s.hand_size = PLAY, 0, 0, 9
    s.value[:] = values
    for seat, card in enumerate(trick):
        s.hand[seat] = cards(GAME, card)
    me = len(trick)
    s.hand[me], s.rest = cards(GAME, hand), cards(GAME, unseen)
    s.gone = (1 << KINDS) - 1 & ~(s.hand[me] | s.rest | cards(GAME, " ".join(trick)))
    for card in trick:
        GAME.rules.apply(s, GAME.pack.names.index(card))
    for seat, suits in (out_of or {}).items():
        for suit in suits.split():
            s.known_absent[seat] |= 8191 << 13 * SUITS.index(suit)
    return s


def to_move(hand: str, points: list[tuple[int, int, int]], *, trump: int = PAPER, values: tuple[int, int, int] = (1, 1, 1), unseen: str = "") -> Any:
    """Seat 0 has won with a trump and holds this hand; ``points`` are those of each seat in rock, paper and scissors."""
    s = to_play(hand, unseen=unseen, values=values)
    s.phase, s.trump, s.winning = VALUE, trump, 0
    for seat, (rock, paper, scissors) in enumerate(points):
        s.rock[seat], s.paper[seat], s.scissors[seat] = rock, paper, scissors
    return s


def chosen(s: Any) -> str:
    """The choice of the house policy, without its verb."""
    name: str = GAME.notation[s.phase][HOUSE.choose(s, [1])].split(" ", 1)[1]
    return name


# ---- how it plays


def test_it_takes_what_is_worth_taking_last_to_play_with_the_cheapest_card_that_wins() -> None:
    assert chosen(to_play("R2 R10 R11 R13", "R7", "R5", "R9", unseen="R12 R3")) == "R10"


def test_last_to_play_it_takes_a_trick_of_one_star_rather_than_save_a_high_card() -> None:
    assert chosen(to_play("R2 R13", "R7", "R1", "R9", unseen="R12 R3 P4 P5")) == "R13"


def test_the_cheapest_trump_wins_as_well_as_a_dear_one() -> None:
    assert chosen(to_play("P3 P6 P12 S5", "R7", "R5", "R9", unseen="P4 P13 S8 S9")) == "P3"
    assert chosen(to_play("P3 P6 P12 S5", "R7", "P4", "R9", unseen="P2 P13 S8 S9")) == "P6"


@pytest.mark.parametrize("trick", [("R7",), ("R7", "R5"), ("R7", "R5", "R9")])
def test_a_suit_that_counts_less_than_nothing_it_leaves_to_others(trick: tuple[str, ...]) -> None:
    s = to_play("R2 R13", *trick, values=(-1, 1, 1), unseen="R12 R11 P4 P5 S4 S5")
    assert chosen(s) == "R2"


@pytest.mark.parametrize("led", ["rock", "paper", "scissors"])
def test_every_suit_that_counts_minus_one_is_ducked(led: str) -> None:
    suit = led[0].upper()
    values = (-1 if led == "rock" else 1, -1 if led == "paper" else 1, -1 if led == "scissors" else 1)
    assert chosen(to_play(f"{suit}3 {suit}12", f"{suit}10", f"{suit}11", f"{suit}6", values=values)) == f"{suit}3"


def test_out_of_the_suit_led_it_trumps_rather_than_let_a_rival_score() -> None:
    assert chosen(to_play("R5 S5", "P10", "P11", "P12", unseen="R4 R9 S4 S9")) == "S5"
    assert chosen(to_play("R5 S9", "P10", "P11", "P12", unseen="R4 R9 S4 S10")) == "S9"


def test_where_it_cannot_win_it_throws_a_low_card() -> None:
    assert chosen(to_play("R4 R13", "R7", "R5", "P2", unseen="R12 R3 P4")) == "R4"
    assert chosen(to_play("S4 S13", "R7", "R5", "P2", unseen="S12 R3 P4")) == "S4"


def test_a_rival_who_wins_a_suit_that_counts_less_than_nothing_gets_many_stars() -> None:
    trick = ("R10", "R11", "R13")
    assert chosen(to_play("R2 R12", *trick, values=(-1, 1, 1))) == "R12"
    assert chosen(to_play("R2 R12", *trick, values=(1, 1, 1))) == "R2"


def test_only_cards_of_the_suit_led_count_for_the_stars() -> None:
    """The rock thrown on paper has none, but it is not of the suit led; a low paper there makes the trick worth nothing."""
    stars = [0] * 9 + [3] * 4
    assert chosen(to_play("P2 P13", "P10", "R1", "P11", unseen="P12 P3", stars=stars)) == "P13"
    assert chosen(to_play("P2 P13", "P10", "P1", "P11", unseen="P12 P3", stars=stars)) == "P2"


def test_it_leads_the_highest_or_the_lowest_card_of_a_suit() -> None:
    assert chosen(to_play("R2 R7 R13", unseen="R3 R4 R5 R6 R8 R9")) == "R13"
    assert chosen(to_play("R2 R7 R8", unseen="R9 R10 R11 R12 R13 R3")) == "R2"


def test_it_leads_a_card_that_nobody_can_beat_before_one_that_loses() -> None:
    """Of the last two tricks it takes the sure one while it has the lead."""
    assert chosen(to_play("R13 S2", unseen="R2 R3 S9 S12 S4 R5")) == "R13"


def test_it_leads_no_suit_that_a_rival_is_waiting_to_trump_if_there_is_another() -> None:
    hidden = "R2 R3 R4 S2 S3 S4 P2 P3 P4"
    assert chosen(to_play("R13 S13", unseen=hidden, out_of={1: "rock", 2: "rock"})) == "S13"
    assert chosen(to_play("R13 S13", unseen=hidden, out_of={1: "scissors", 2: "scissors"})) == "R13"


def test_it_leads_a_suit_that_counts_less_than_nothing_only_for_others_to_win() -> None:
    assert chosen(to_play("R1 R13", values=(-1, 1, 1), unseen="R2 R3 R11 R12 R5 R6")) == "R1"


def test_a_value_goes_up_where_the_house_is_ahead_and_down_where_a_rival_is() -> None:
    hand, unseen = "R2", "R5 R6 R7"
    assert chosen(to_move(hand, [(0, 4, 0), (0, 1, 0), (1, 0, 0), (1, 0, 0)], unseen=unseen)) == "2"
    assert chosen(to_move(hand, [(2, 0, 0), (0, 5, 0), (1, 0, 0), (1, 0, 0)], unseen=unseen)) == "-1"
    assert chosen(to_move(hand, [(2, 3, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0)], values=(1, -1, 1), unseen=unseen)) == "1"


def test_cards_that_nobody_can_beat_are_points_to_come() -> None:
    nothing = [(0, 0, 0)] * 4
    assert chosen(to_move("P11 P12 P13", nothing, unseen="P2 P3 P4")) == "2"


def test_after_the_last_trick_only_the_best_rival_matters() -> None:
    """Ahead of the others on average in paper, but one point of it behind the best rival, with whom the win would be shared."""
    assert chosen(to_move("", [(4, 2, 0), (3, 3, 0), (1, 0, 0), (1, 0, 0)])) == "-1"


def scores_after(s: Any, choice: int) -> list[int]:
    """The scores if the trump suit gets this value."""
    points, values = (s.rock, s.paper, s.scissors), list(s.value)
    values[s.trump] = VALUES[choice]
    return [s.score[seat] + sum(of[seat] * value for of, value in zip(points, values, strict=True)) for seat in range(s.players)]


def share_after(s: Any, choice: int) -> float:
    """The share of the win that a value brings after the last trick."""
    scores = scores_after(s, choice)
    best = max(scores)
    return 1 / scores.count(best) if scores[s.turn] == best else 0.0


POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=4)
VALUE_OF_A_SUIT = st.sampled_from(VALUES)


@settings(deadline=None, max_examples=1000)
@given(points=POINTS, values=st.tuples(VALUE_OF_A_SUIT, VALUE_OF_A_SUIT, VALUE_OF_A_SUIT), trump=st.sampled_from([ROCK, PAPER, SCISSORS]))
def test_no_other_value_after_the_last_trick_wins_more(points: list[tuple[int, int, int]], values: tuple[int, int, int], trump: int) -> None:
    s = to_move("", points, trump=trump, values=values)
    assert share_after(s, HOUSE.choose(s, [1])) == max(share_after(s, choice) for choice in members(GAME.legal(s)))


# ---- what it says


def test_reasons_speak_of_the_position() -> None:
    s = to_play("R2 R10 R11 R13", "R7", "R5", "R9", unseen="R12 R3")
    assert said_for(HOUSE, GAME, s, HOUSE.choose(s, [1])) == "last to play: the cheapest card that wins"
    s = to_play("R2 R13", "R7", values=(-1, 1, 1), unseen="R12 R11")
    assert said_for(HOUSE, GAME, s, HOUSE.choose(s, [1])) == "rock counts -1, so the trick is for others"
    s = to_move("R2", [(0, 4, 0), (0, 1, 0), (1, 0, 0), (1, 0, 0)], unseen="R5 R6 R7")
    assert said_for(HOUSE, GAME, s, HOUSE.choose(s, [1])) == "4 in paper against at most 1 of a rival, so it shall count more"


# ---- checks of every policy


@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_it_is_always_legal_and_every_choice_has_a_reason(data: st.DataObject, seed: int) -> None:
    """In random play, so also in positions that the house policy itself would not reach."""
    players, options = data.draw(set_ups(GAME))
    s, rng = plain.begin(GAME, players, options), [seeded(seed, 0)]
    while s.phase != OVER:
        if s.phase >= 0:
            assert GAME.legal(s) & bit(HOUSE.choose(s, [1]))
            for choice in members(GAME.legal(s)):
                said = said_for(HOUSE, GAME, s, choice)
                assert said and said.strip() == said and not said.endswith(".")
        plain.step(GAME, s, next_event(GAME, s, rng))


@settings(max_examples=60, deadline=None)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 45))
def test_hidden_cards_do_not_matter(data: st.DataObject, seed: int, steps: int) -> None:
    players, options = data.draw(set_ups(GAME))
    s = position(GAME.name, players, options, seed, steps)
    if s.phase < 0:
        return
    choice = HOUSE.choose(s, [1])
    for again in range(4):
        other = redeal(view(GAME, s, s.turn), [seeded(seed, again)])
        assert HOUSE.choose(other, [1]) == choice
        assert HOUSE.reason(other, choice) == HOUSE.reason(s, choice)
