"""Rummy's original player, sentence by sentence, and the checks that every policy must pass."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import next_event, said_for, set_ups
from rummy_positions import do, hand, position, table

from kortlek.engine import plain
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import view
from kortlek.game import OVER
from kortlek.game.registry import GAMES
from kortlek.games.rummy.house import HOUSE, ORIGINAL
from kortlek.games.rummy.rules import TURN, Rummy

GAME = GAMES["rummy"]
SEEDS = st.integers(0, 1 << 61)
JUNK = "C2 D4 S6 H8 CT DQ"
"""Cards of which no two go together."""


def chosen(s: Rummy) -> str:
    """The choice of the original player, in notation."""
    name: str = GAME.notation[s.phase][ORIGINAL.choose(s, [1])]
    return name


def turn(s: Rummy) -> str:
    """Let the player in turn play until she has discarded; return that card."""
    player = s.turn
    while s.phase >= 0 and s.turn == player and s.phase != OVER:
        choice = chosen(s)
        leaves = s.phase == TURN and choice.startswith("discard")
        do(s, choice)
        if leaves:
            return choice.removeprefix("discard ")
    raise AssertionError("a turn ends with a discard")


# ---- 1. drawing


def test_before_laying_it_always_draws_from_the_stock() -> None:
    s = position("H5 H6 CT DQ", "C9", discards="H7", drawn=False)
    assert chosen(s) == "draw stock"


def test_after_laying_it_takes_a_discard_that_makes_its_best_combination_dearer() -> None:
    assert chosen(position("H5 H6 CT DQ", "C9", discards="H7", laid=(0,), drawn=False)) == "draw discard"
    assert chosen(position("H5 H6 CT DQ", "C9", discards="H9", laid=(0,), drawn=False)) == "draw stock"
    assert chosen(position("H5 H6 H7 CT DQ", "C9", discards="H8", laid=(0,), drawn=False)) == "draw discard"


def test_a_discard_that_could_only_be_left_over_helps_nothing() -> None:
    """With any other card she could lay all three and go out; this one she may not discard."""
    assert chosen(position("H5 H6 H7", "C9", discards="CT", laid=(0,), drawn=False)) == "draw stock"


def test_otherwise_it_takes_a_discard_that_fits_a_meld_on_the_table() -> None:
    assert chosen(position("C2 D4 CT", "C9", discards="H8", melds=["H5 H6 H7"], laid=(0,), drawn=False)) == "draw discard"
    assert chosen(position("C2 D4 CT", "C9", discards="H9", melds=["H5 H6 H7"], laid=(0,), drawn=False)) == "draw stock"


# ---- 2. which melds it sees


def test_it_lays_natural_sets_and_runs() -> None:
    s = position(f"HQ HK HA C5 D5 H5 S5 {JUNK}", "C9")
    turn(s)
    assert table(s) == ["C5 D5 H5 S5", "HQ HK HA"]


@pytest.mark.parametrize(
    ("cards", "laid"),
    [
        ("HQ HK JR", "HQ HK JR"),
        ("H2 HA JR", "HA H2 JR"),
        ("HK HA JR", "JR HK HA"),
        ("HT HQ JR", "HT JR HQ"),
        ("CQ DQ JB", "CQ DQ JB"),
        ("DQ HQ JB", "DQ HQ JB"),
    ],
)
def test_two_natural_cards_and_a_joker_are_a_meld(cards: str, laid: str) -> None:
    s = position(f"{cards} D4 S6", "C9", melds=["S8 S9 ST"], laid=(0,))
    turn(s)
    assert laid in table(s)


def test_a_joker_makes_no_set_of_the_wrong_colour() -> None:
    s = position("DQ HQ JR D4 S6 C8", "C9", laid=(0,))
    assert chosen(s).startswith("discard")


def test_two_cards_whose_completing_cards_are_all_on_the_table_are_skipped() -> None:
    """The middle of C4 C6 is on the table twice, so the joker does not stand for it either."""
    melds = ["C5 D5 H5", "C5 D5 S5"]
    hidden = "C4 C6 JB D9 HJ SK"
    assert not chosen(position(hidden, "C9", melds=melds, laid=(0,))).startswith("lay")
    assert chosen(position(hidden, "C9", melds=melds[:1], laid=(0,))) == "lay"


# ---- 3. combinations


def test_the_most_valuable_combination_comes_first() -> None:
    """The queen is worth more in the run than in the set."""
    s = position("CQ DQ HQ HK HA C2 D4", "C9", laid=(0,))
    turn(s)
    assert table(s) == ["HQ HK HA"]


def test_of_equal_combinations_one_with_fewer_melds() -> None:
    s = position("H3 H4 H5 H6 H7 H8 C2 D9", "C9", laid=(0,))
    turn(s)
    assert table(s) == ["H3 H4 H5 H6 H7 H8"]


def test_a_combination_of_the_whole_hand_is_no_combination() -> None:
    s = position("H5 H6 H7", "C9", laid=(0,))
    assert chosen(s) == "discard H7"
    assert turn(position("H5 H6 H7 H8", "C9", laid=(0,))) == "H5"


# ---- 4. the first laying


def test_it_lays_when_its_best_combination_is_enough() -> None:
    enough, too_little = f"HT CT DT H4 C4 D4 {JUNK[3:]}", f"HT CT DT H3 C3 D3 {JUNK[3:]}"
    assert chosen(position(enough.replace(" CT DQ", " SQ"), "C9")) == "lay"
    assert chosen(position(too_little.replace(" CT DQ", " SQ"), "C9")).startswith("discard")


def test_exactly_the_threshold_is_enough_only_as_an_option() -> None:
    hidden = "CK DK HK SK C2 D4 S6"
    assert chosen(position(hidden, "C9")).startswith("discard")
    assert chosen(position(hidden, "C9", threshold_suffices=True)) == "lay"


def test_otherwise_it_adds_jokers_that_are_left_over() -> None:
    """Tens and the run are 39; the joker is the fourth ten."""
    s = position("CT DT HT H2 H3 H4 JB C7 S9", "C9")
    turn(s)
    assert table(s) == ["CT DT HT JB", "H2 H3 H4"]


def test_a_joker_goes_to_the_high_end_of_a_run() -> None:
    """As a jack it is worth ten, and that is enough; as a six it would not be."""
    s = position("H7 H8 H9 HT JR C2 D4 S6", "C9")
    turn(s)
    assert table(s) == ["H7 H8 H9 HT JR"]


def test_jokers_go_to_sets_before_runs() -> None:
    s = position("C9 D9 S9 HT HJ HQ JR S2 C4", "C9", threshold=61)
    turn(s)
    assert table(s) == ["C9 D9 S9 JR", "HT HJ HQ"]


def test_a_joker_goes_to_the_low_end_of_a_run_up_to_the_ace() -> None:
    s = position("HQ HK HA JR C2 D4 S6", "C9")
    turn(s)
    assert table(s) == ["JR HQ HK HA"]


def test_it_lays_nothing_if_no_joker_helps() -> None:
    assert chosen(position("H2 H3 H4 JB C7 S9 DK", "C9")).startswith("discard")


def test_jokers_do_not_help_if_no_card_would_be_left() -> None:
    assert not chosen(position("HQ HK HA JR", "C9")).startswith("lay")


def test_it_does_not_lay_before_the_earliest_round() -> None:
    hidden = "CA DA HA SA C2 D4 S6"
    assert chosen(position(hidden, "C9", earliest_laying_round=3)).startswith("discard")
    assert chosen(position(hidden, "C9", earliest_laying_round=2)) == "lay"


# ---- 5. later turns


def test_a_finished_meld_is_never_held_back() -> None:
    assert chosen(position("C2 D2 H2 S9 CJ DK H7", "C9", laid=(0,))) == "lay"


# ---- 6. single cards


def test_after_melds_every_card_that_fits_goes_to_the_table() -> None:
    s = position("H8 H9 C3 S5 C2 D2 H2", "C9", melds=["H5 H6 H7", "D3 H3 S3"], laid=(0,))
    assert turn(s) == "S5"
    assert table(s) == ["H5 H6 H7 H8 H9", "C3 D3 H3 S3", "C2 D2 H2"]


def test_single_cards_go_there_in_the_turn_of_the_first_laying() -> None:
    s = position("CA DA HA SA H8 D4 S6", "C9", melds=["H5 H6 H7"])
    turn(s)
    assert table(s) == ["H5 H6 H7 H8", "CA DA HA SA"]


def test_before_the_first_laying_no_card_goes_to_the_table() -> None:
    assert chosen(position("H8 D4 S6 CK", "C9", melds=["H5 H6 H7"])) == "discard CK"


def test_a_place_where_it_frees_a_joker_is_preferred() -> None:
    s = position("H8 D4 S6 CK DQ", "C9", melds=["H5 H6 H7", "C8 D8 S8", "H7 JR H9"], laid=(0,))
    for _ in range(3):
        do(s, chosen(s))
    assert table(s)[2] == "H7 H8 H9"


def test_otherwise_it_goes_to_the_first_meld_that_takes_it() -> None:
    s = position("H8 D4 S6 CK DQ", "C9", melds=["C8 D8 S8", "H5 H6 H7"], laid=(0,))
    for _ in range(3):
        do(s, chosen(s))
    assert table(s) == ["C8 D8 H8 S8", "H5 H6 H7"]


def test_natural_cards_go_before_jokers() -> None:
    s = position("JR H8 D4", "C9", melds=["H5 H6 H7"], laid=(0,))
    do(s, chosen(s))
    assert chosen(s) == "card H8"


def test_a_joker_is_placed_only_when_fewer_than_three_other_cards_remain() -> None:
    melds = ["S5 S6 S7"]
    assert chosen(position("JB D4 H9 CK", "C9", melds=melds, laid=(0,))) == "discard CK"
    s = position("JB D4 CK", "C9", melds=melds, laid=(0,))
    assert turn(s) == "CK"
    assert table(s) == ["S5 S6 S7 JB"]


def test_if_all_cards_fit_one_that_frees_no_joker_is_kept_for_the_discard() -> None:
    s = position("H8 C3", "C9", melds=["H7 JR H9", "D3 H3 S3"], laid=(0,))
    do(s, chosen(s))
    assert chosen(s) == "card H8"
    s = position("H8 C3", "C9", melds=["H5 H6 H7", "D3 H3 S3"], laid=(0,))
    turn(s)
    assert hand(s, 0) == "" and s.phase == OVER


def test_the_card_just_taken_goes_to_the_table_and_another_is_left() -> None:
    """Were the other card added, only the one taken would be left, which may not be discarded."""
    s = position("C3", "C9", melds=["H5 H6 H7", "D3 H3 S3"], discards="H8", laid=(0,), drawn=False)
    assert turn(s) == "C3"
    assert s.phase == OVER


def test_after_freeing_a_joker_it_looks_for_melds_again() -> None:
    s = position("H8 DQ DK C2 S6", "C9", melds=["H7 JR H9"], laid=(0,))
    turn(s)
    assert table(s) == ["H7 H8 H9", "DQ DK JR"]


# ---- 7. discarding


def test_before_the_first_laying_it_keeps_combinations_that_are_enough() -> None:
    s = position("CA DA HA SA S2 D4 H6", "C9", earliest_laying_round=3)
    assert chosen(s) == "discard H6"


def test_before_the_first_laying_it_keeps_cards_that_fit_the_table() -> None:
    assert chosen(position("SK D4 S6", "C9", melds=["CK DK HK"])) == "discard S6"


def test_if_nothing_is_left_it_discards_the_card_whose_loss_leaves_the_most_valuable_combination() -> None:
    """Both sets would be enough: without a two the kings remain."""
    assert chosen(position("CK DK HK C2 D2 H2", "C9", earliest_laying_round=3, threshold=3)) == "discard C2"


def test_of_equal_losses_the_dearest() -> None:
    s = position("CK DK HK H8 C3", "C9", melds=["H5 H6 H7", "D3 H3 S3"], earliest_laying_round=3, threshold=20)
    assert chosen(s) == "discard H8"


def test_it_never_discards_a_joker_unless_only_jokers_remain() -> None:
    assert chosen(position("JB JR C2", "C9", laid=(0,))) == "discard C2"
    assert chosen(position("JB JB", "C9", laid=(0,))).startswith("discard J")


@pytest.mark.parametrize("pair", ["CK DK", "HQ HK", "HJ HK", "HK HA"])
def test_with_more_than_three_candidates_it_keeps_pairs(pair: str) -> None:
    assert chosen(position(f"{pair} D3 S5 C8", "C9", laid=(0,))) == "discard C8"


def test_of_three_candidates_it_keeps_no_pair() -> None:
    assert chosen(position("CK DK C8", "C9", laid=(0,))) == "discard CK"


@pytest.mark.parametrize(
    ("pair", "melds", "kept"),
    [
        ("CQ DQ", ["HJ HQ HK", "SJ SQ SK", "HT HJ HQ"], True),
        ("CQ DQ", ["HJ HQ HK", "SJ SQ SK", "HQ HK HA", "SQ SK SA"], False),
        ("HK HQ", ["HA CA DA", "HJ CJ DJ", "HA CA SA"], True),
        ("HK HQ", ["HA CA DA", "HJ CJ DJ", "HA CA SA", "HJ CJ SJ"], False),
        ("HJ HK", ["HQ CQ DQ"], True),
        ("HJ HK", ["HQ CQ DQ", "HQ CQ SQ"], False),
    ],
)
def test_pairs_whose_missing_cards_are_all_on_the_table_are_not_kept(pair: str, melds: list[str], kept: bool) -> None:
    assert (chosen(position(f"{pair} D3 S5 C8", "C9", melds=melds)) == "discard C8") is kept


def test_of_near_identical_pairs_only_one_is_kept() -> None:
    """There are two kings of clubs for one king of diamonds: the second one is no part of a pair."""
    assert chosen(position("CK CK DK D3 S5", "C9", laid=(0,))) == "discard CK"
    assert chosen(position("CK CK DK DK D3 S5", "C9", laid=(0,))) == "discard S5"


def test_before_laying_the_dearest_pairs_are_kept_and_after_laying_the_cheapest() -> None:
    hidden = "CK DK H2 S2"
    assert chosen(position(hidden, "C9")) == "discard H2"
    assert chosen(position(hidden, "C9", laid=(0,))) == "discard CK"


def test_it_keeps_no_pair_that_would_leave_nothing_to_discard() -> None:
    """The king stays with the queen; then one card of the other pair has to go."""
    assert chosen(position("HK HQ S5 S6", "C9")) == "discard S6"


def test_it_discards_the_dearest_remaining_card() -> None:
    assert chosen(position(JUNK, "C9")) == "discard CT"
    assert chosen(position("C2 D4 S6 HA", "C9")) == "discard HA"


# ---- 8. no memory


def test_it_does_not_remember_discards() -> None:
    """Both cards that the gap needs are gone, but only to the discards."""
    assert chosen(position("HJ HK D3 S5 C8", "C9", discards="HQ HQ C4", laid=(0,))) == "discard C8"


# ---- step by step


def test_step_by_step_it_lays_the_combination_it_decided_on() -> None:
    """Laying the aces brings the last card that would complete the kings to the table; they are laid with the joker all the same."""
    s = position("HQ HK JR CA DA HA S2 D4", "C9", melds=["HJ CJ DJ", "HJ CJ SJ", "HA DA SA"])
    turn(s)
    assert table(s)[3:] == ["CA DA HA", "HQ HK JR"]


def test_card_by_card_it_lays_the_meld_it_decided_on() -> None:
    """Naming the seven of clubs brings the last card of the gap to the table; the four sevens are laid all the same."""
    s = position("C7 D7 H7 S7 C6 C8 JB HK", "C9", melds=["C7 S7 H7"], laid=(0,))
    turn(s)
    assert table(s)[1:] == ["C7 D7 H7 S7", "C6 JB C8"]


# ---- checks of every policy


def test_the_house_is_the_original() -> None:
    assert (HOUSE.name, HOUSE.choose, HOUSE.reason) == ("house", ORIGINAL.choose, ORIGINAL.reason)


@pytest.mark.parametrize(
    ("s", "why"),
    [
        (position("C2 D4 CT", "C9", discards="H8", melds=["H5 H6 H7"], laid=(0,), drawn=False), "8♥ fits a meld on the table"),
        (position("H5 H6 CT DQ", "C9", discards="H7", laid=(0,), drawn=False), "7♥ makes dearer melds"),
        (position("H5 H6 CT DQ", "C9", discards="H9", laid=(0,), drawn=False), "9♥ is of no use"),
        (position("H5 H6 CT DQ", "C9", discards="H9", drawn=False), "the discards are closed before the first laying"),
        (position("CA DA HA SA C2", "C9"), "the melds are enough for a first laying"),
        (position("C2 D2 H2 C9 SJ", "C9", laid=(0,)), "a finished meld is never held back"),
        (position(JUNK, "C9"), "the dearest card that is not worth keeping"),
    ],
)
def test_reasons_speak_of_the_position(s: Rummy, why: str) -> None:
    assert said_for(ORIGINAL, GAME, s, ORIGINAL.choose(s, [1])) == why


def strolled(policy: Any, seed: int, players: int, options: dict[str, object], own: int) -> Any:
    """The states of a match in which ``own`` of ten choices are the policy's and the others random, each with the policy's choice."""
    s, rng = plain.begin(GAME, players, options), [seeded(seed, 0)]
    while s.phase != OVER:
        event = next_event(GAME, s, rng)
        if s.phase >= 0:
            choice = policy.choose(s, [1])
            yield s, choice
            if (rng[0] >> 7) % 10 < own:
                event = choice
        plain.step(GAME, s, event)


@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=SEEDS, own=st.sampled_from([0, 5, 10]))
def test_it_is_always_legal_and_every_choice_has_a_reason(data: st.DataObject, seed: int, own: int) -> None:
    players, options = data.draw(set_ups(GAME))
    for s, choice in strolled(ORIGINAL, seed, players, options, own):
        assert GAME.legal(s) >> choice & 1
        assert said_for(ORIGINAL, GAME, s, choice)


@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=SEEDS, own=st.sampled_from([0, 5, 10]))
def test_hidden_cards_do_not_matter(data: st.DataObject, seed: int, own: int) -> None:
    players, options = data.draw(set_ups(GAME))
    for at, (s, choice) in enumerate(strolled(ORIGINAL, seed, players, options, own)):
        if at % 5 == 0:
            other = redeal(view(GAME, s, s.turn), [seeded(seed, at)])
            assert ORIGINAL.choose(other, [1]) == choice
            assert ORIGINAL.reason(other, choice) == ORIGINAL.reason(s, choice)
