"""The policies of Cascade: each sentence about how they play, and the checks that every policy must pass."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from cascade_positions import begun, columns_for, do, one_slot_left, position
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import next_event, said_for, set_ups
from playing import position as random_position

from kortlek.bots.policy import Policy
from kortlek.cards import bit, card, members
from kortlek.engine import plain
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import view
from kortlek.game import OVER
from kortlek.game.registry import GAMES
from kortlek.games.cascade.bots import DEEP, EASY, HARD, HOUSE
from kortlek.games.cascade.chains import after_play, prospects
from kortlek.games.cascade.plays import rating
from kortlek.games.cascade.rules import ACT, DRAW, Cascade

GAME = GAMES["cascade"]
SEEDS = st.integers(0, 1 << 61)
EVERY_POLICY = pytest.mark.parametrize("policy", [EASY, HARD, HOUSE, DEEP], ids=lambda policy: policy.name)
APART = "C2 D5 C9 D2 C5 D9 C3 D6 CT D4"
"""A top row of clubs and diamonds in which no two neighbours have neighbouring or equal values."""


def plays(policy: Policy[Any], s: Cascade) -> str:
    """Let a policy act once: play a card into a column, or draw. Return what it did."""
    chosen = GAME.notation[ACT][policy.choose(s, [1])]
    do(s, chosen)
    if chosen == "draw":
        return chosen
    column = policy.choose(s, [1]) + 1
    do(s, f"column {column}")
    return f"{chosen.removeprefix('play ')} to {column}"


def choice_counts(policy: Policy[Any], s: Cascade, total: int) -> Counter[int]:
    """How many of ``total`` equally spaced random numbers lead to each choice."""
    return Counter(policy.choose(s, [((2 * ticket + 1) << 31) // total]) for ticket in range(total))


# ---- the original program's bots


@pytest.mark.parametrize(
    ("parents", "played", "rated"),
    [("S8 H8", "C3", 7), ("S8 H8", "S3", 12), ("S8 H8", "D8", 25), ("C6 C7", "C8", 31), ("C6 C7", "H5", 21), ("SQ HK", "DA", 7), ("S5 H9", "C5", 16)],
)
def test_each_legal_play_is_rated_7_and_5_for_a_draw_and_9_for_an_action_gained(parents: str, played: str, rated: int) -> None:
    assert rating(begun(parents, (played, "")), card(played), 0) == rated


def test_hard_plays_the_highest_rated() -> None:
    assert plays(HARD, begun(APART, ("SK HK SQ D9", ""))) == "D9 to 2", "9 for the value and 5 for the suit"
    assert plays(HARD, begun(APART, ("SK HK DK S9", ""))) == "S9 to 2", "9 for the value, against 5 for a suit"
    assert plays(HARD, begun("C2 D3 C9 D2 C5 D9", ("SK D4 SQ S9", ""))) == "D4 to 1", "three in a row: 9 + 5, and 5 for the suit"


def test_of_plays_rated_the_same_hard_takes_the_upper_row() -> None:
    """The slots of columns 1 and 3 to 9 are open; that of column 1 is in the third row."""
    cells = {(row, column): name for row, names in ((0, APART.split()), (1, ["H8", "HQ"])) for column, name in enumerate(names)}
    s = position([2, 2, 1, 1, 1, 1, 1, 1, 1, 1], cells=cells, hands=("SA", ""), played=[1, 1])
    assert columns_for(s, "SA")[0] == 1
    assert plays(HARD, s) == "SA to 3"


def test_of_plays_rated_the_same_hard_takes_the_left_one() -> None:
    assert plays(HARD, begun(APART, ("SK", ""), hand_sizes=[1, 1])) == "SK to 1"
    assert plays(HARD, begun(APART, ("H8", ""), hand_sizes=[1, 1])) == "H8 to 1"


def test_of_plays_rated_the_same_hard_takes_the_low_card() -> None:
    assert plays(HARD, begun(APART, ("SK HQ SA HJ", ""))) == "SA to 1", "aces are low"
    assert plays(HARD, begun(APART, ("SK HQ SQ HJ", ""))) == "HJ to 1"


def test_of_plays_rated_the_same_the_place_comes_before_the_card() -> None:
    """The five of spades gains an action in column 1, the two of hearts does so in column 3."""
    assert plays(HARD, begun(APART.replace("C2 D5", "CA D5"), ("H2 S5", ""), hand_sizes=[2, 1])) == "S5 to 1"


def test_hard_draws_only_when_no_play_exists() -> None:
    s = one_slot_left("H2", "SQ", hands=("D3 D4 D5", ""))
    assert plays(HARD, s) == "draw"
    for seed in range(30):
        s = random_position("cascade", 2, {}, seed, 20)
        if s.phase == ACT:
            assert (HARD.choose(s, [1]) == DRAW) == (GAME.legal(s) == bit(DRAW))


def test_easy_picks_with_the_ratings_as_weights_and_drawing_has_the_weight_5() -> None:
    """Exactly: the chance of a card times that of the column, given the card, is the rating of the play among all ratings and 5."""
    s = begun("C6 D7 S8 H8 CQ", ("C8 H5 SK", ""), hand_sizes=[3, 1])
    weights = {(each, column): rating(s, each, column) for each in members(s.hand[0]) for column in range(9) if s.fits[column] >> each & 1}
    total = sum(weights.values()) + 5
    chosen = choice_counts(EASY, s, total)
    assert chosen.pop(DRAW) == 5
    for each in list(chosen):
        of_card = {column: weight for (other, column), weight in weights.items() if other == each}
        assert chosen[each] == sum(of_card.values())
        after = plain.copy_of(s)
        GAME.rules.apply(after, each)
        assert choice_counts(EASY, after, chosen[each]) == of_card
    assert set(chosen) == {each for each, _ in weights}


def test_easy_always_plays_when_its_pack_is_empty() -> None:
    s = one_slot_left("H2", "SQ", hands=("", ""), rest="hand")
    total = sum(rating(s, each, 0) for each in members(s.hand[0] & s.fits[0]))
    assert DRAW not in choice_counts(EASY, s, total)


# ---- the house


def test_the_house_draws_early_although_it_could_play() -> None:
    assert plays(HOUSE, begun(APART, ("SK HK SQ HJ", ""))) == "draw"


def test_the_deep_one_plays_first_what_gains_actions_and_cards() -> None:
    """Two actions come before the two cards that the eight of clubs would draw among the clubs to the right: that can still follow."""
    s = begun("C2 D8 S8 D2 C5 D9 C3 C2 C4 C3", ("C8 H8 HQ SJ", ""))
    assert plays(DEEP, s) == "H8 to 2"
    assert s.turn == 0 and s.actions == 2


def test_the_house_does_not_miss_a_free_bonus_where_it_ends_the_game() -> None:
    """Both cards fill the slot, and only one of them has a second slot to go on to: it plays both."""
    s = position([8, 9, 8, 7, 6, 5, 4, 3, 2, 1], cells={(7, 0): "SQ", (7, 1): "H4", (8, 1): "S2"}, hands=("DK CQ", "C3 C5"))
    assert plays(HOUSE, s) == "CQ to 1"
    assert plays(HOUSE, s) == "DK to 1"
    assert s.round == 1


def test_the_deep_one_looks_at_what_it_can_do_next() -> None:
    """Two slots are left. Playing the queen first gains the action with which the king fills the last slot."""
    s = position([9, 8, 8, 7, 6, 5, 4, 3, 2, 1], cells={(7, 1): "SQ", (7, 2): "H4", (8, 0): "S2"}, hands=("DK CQ", ""))
    assert plays(DEEP, s) == "CQ to 2"
    assert plays(DEEP, s) == "DK to 1"
    assert s.round == 1


def test_the_house_fills_the_last_slot_rather_than_draw() -> None:
    assert plays(HOUSE, one_slot_left("H2", "SQ", hands=("D7 DK", ""))) == "DK to 1"


def test_the_house_draws_when_no_card_fits() -> None:
    s = one_slot_left("H2", "SQ", hands=("D3 D4 D5", ""))
    assert said_for(HOUSE, GAME, s, DRAW) == "no card fits"
    assert plays(HOUSE, s) == "draw"


def test_towards_the_end_only_cards_played_count() -> None:
    """With two slots left a card that gains nothing is played, which early in the game would be kept."""
    s = position([9, 8, 8, 7, 6, 5, 4, 3, 2, 1], cells={(7, 1): "S9", (7, 2): "H4", (8, 0): "S2"}, hands=("DK", "C3 C5 C6"))
    assert plays(HOUSE, s) == "DK to 2"


def test_the_house_would_like_to_hold_cards_that_gain_an_action() -> None:
    with_gain, without = (begun(APART, (f"SK HK SQ {last}", "")) for last in ("D9", "D8"))
    assert prospects(with_gain, 0, 0, 0) > prospects(without, 0, 0, 0)


def test_the_house_likes_open_bonuses_the_less_the_more_cards_the_others_hold() -> None:
    few, many = (begun(APART, ("SK HK SQ HJ", ""), hand_sizes=[4, theirs]) for theirs in (2, 8))
    assert prospects(few, 0, 0, 0) > prospects(many, 0, 0, 0)


@pytest.mark.parametrize(("policy", "depth"), [(HOUSE, 0), (DEEP, 1)], ids=["house", "deep"])
def test_it_takes_what_leads_to_most_and_its_second_step_continues_what_the_first_decided(policy: Policy[Any], depth: int) -> None:
    for seed in range(40):
        s = random_position("cascade", 2, {}, seed, 2 + seed)
        if s.phase != ACT:
            continue
        outcomes = {(DRAW, 0): prospects(s, s.actions - 1, 1, 0)} if GAME.legal(s) & bit(DRAW) else {}
        for each in members(GAME.legal(s) & ~bit(DRAW)):
            after = plain.copy_of(s)
            GAME.rules.apply(after, each)
            outcomes |= {(each, column): after_play(after, each, column, depth) for column in members(GAME.legal(after))}
        first, second = policy.choose(s, [1]), 0
        if first != DRAW:
            GAME.rules.apply(s, first)
            second = policy.choose(s, [1])
        assert outcomes[first, second] == max(outcomes.values())


def test_reasons_say_what_a_play_gains() -> None:
    s = begun("C6 C7 D9", ("C8 HK", ""))
    assert said_for(HOUSE, GAME, s, card("C8")) == "gains one action, 3 cards below 6♣ 7♣"
    assert said_for(HOUSE, GAME, s, card("HK")).endswith("and gains nothing")
    do(s, "play C8")
    assert said_for(HOUSE, GAME, s, 0) == "gains one action, 3 cards below 6♣ 7♣"
    assert said_for(HOUSE, GAME, begun(APART, ("SK HK SQ HJ", "")), DRAW) == "no card gains an action now, one more may do so later"


# ---- checks of every policy


@EVERY_POLICY
@settings(max_examples=4, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_it_is_always_legal_and_changes_nothing_and_every_choice_has_a_reason(policy: Policy[Any], data: st.DataObject, seed: int) -> None:
    """In random play, so also in positions that the policy itself would not reach."""
    players, options = data.draw(set_ups(GAME))
    s, rng, step = plain.begin(GAME, players, options), [seeded(seed, 0)], 0
    while s.phase != OVER:
        step += 1
        if s.phase >= 0 and (policy is not DEEP or step % 5 == 0):
            before = plain.copy_of(s)
            assert GAME.legal(s) & bit(policy.choose(s, [seeded(seed, step)]))
            assert s == before
            for choice in members(GAME.legal(s)):
                said = said_for(policy, GAME, s, choice)
                assert said and said.strip() == said and not said.endswith(".")
        plain.step(GAME, s, next_event(GAME, s, rng))


@EVERY_POLICY
@settings(max_examples=12, deadline=None)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 60))
def test_hidden_cards_do_not_matter(policy: Policy[Any], data: st.DataObject, seed: int, steps: int) -> None:
    players, options = data.draw(set_ups(GAME))
    s = random_position("cascade", players, options, seed, steps)
    if s.phase < 0:
        return
    choice = policy.choose(s, [seeded(seed, 9)])
    for again in range(3):
        other = redeal(view(GAME, s, s.turn), [seeded(seed, again)])
        assert policy.choose(other, [seeded(seed, 9)]) == choice
        assert policy.reason(other, choice) == policy.reason(s, choice)
        assert prospects(other, 1, 0, 0) == prospects(s, 1, 0, 0), "nor for what the house takes a position to be worth"
