"""Rummy: one test for each sentence of the rule book.

Here are the deal, the turn, laying, adding and swapping; what a meld is and which cards go to it is in test_melds, how a game ends in
test_rummy_ends, what is hidden or refused in test_rummy_seen.
"""

import random
import sys
from types import FrameType

import pytest
from rummy_positions import (
    FORTY_SIX,
    about_to_go_out,
    add,
    allowed,
    can,
    can_add,
    can_lay,
    cards,
    deal,
    dealt,
    discards,
    do,
    go_out,
    hand,
    lay,
    position,
    quiet_turn,
    table,
)

from kortlek.cards import FRENCH
from kortlek.engine import plain
from kortlek.games.rummy.rules import KIND, RUMMY, TURN, ways_on

# ---- players, pack and deal


def test_two_to_six_play() -> None:
    for players in range(2, 7):
        dealt(players, "")
    for players in (1, 7):
        with pytest.raises(plain.Refused, match="Rummy is for 2 to 6 players"):
            plain.begin(RUMMY, players)


def test_there_are_108_cards_two_of_each_kind_and_of_each_joker() -> None:
    to_shuffle = plain.to_shuffle(RUMMY, plain.begin(RUMMY, 2))
    assert len(to_shuffle) == 108
    assert sorted(to_shuffle) == sorted(2 * cards(" ".join(s + r for s in "CDHS" for r in "23456789TJQKA") + " JB JR"))


def test_everyone_gets_thirteen_cards_one_at_a_time_beginning_with_the_starting_player() -> None:
    hands = ["C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA", "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA", "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA"]
    s = dealt(3, " ".join(card for each in zip(*map(str.split, hands), strict=True) for card in each))
    assert [hand(s, seat) for seat in range(3)] == hands


def test_the_rest_is_the_stock_and_its_first_card_is_drawn_first() -> None:
    s = dealt(2, " ".join(["C2 D2 H2 S2 C3 D3 H3 S3 C4 D4 H4 S4 C5"] * 2) + " JB SK")
    assert s.stock[0] == 108 - 26
    do(s, "draw stock")
    assert "JB" in hand(s, 0)
    do(s, "discard JB", "draw stock")
    assert "SK" in hand(s, 1)


def test_no_card_is_turned_up() -> None:
    assert discards(dealt(2, "")) == ""


def test_seat_0_starts_the_first_game() -> None:
    assert dealt(4, "").turn == 0


def test_the_next_seat_starts_the_next_game_and_gets_the_first_card() -> None:
    s = about_to_go_out("SK", "SQ", games=3)
    go_out(s)
    do(s, deal("JB JR C2"))
    assert s.turn == 1
    assert "JB" in hand(s, 1)
    assert "JR" in hand(s, 2)


def test_after_the_last_seat_seat_0_starts_again() -> None:
    s = about_to_go_out("SK", first=1, earlier=(5, 0), games=3)
    go_out(s)
    do(s, deal(""))
    assert s.turn == 0


# ---- a turn


def test_a_turn_begins_with_drawing_one_card() -> None:
    s = dealt(2, "")
    assert allowed(s) == {"draw stock"}
    do(s, "draw stock")
    assert len(hand(s, 0).split()) == 14
    assert not any(choice.startswith("draw") for choice in allowed(s))


def test_any_card_may_be_discarded_the_one_drawn_from_the_stock_too() -> None:
    s = position("C2 D9 SK", "S3")
    assert allowed(s) == {"discard C2", "discard D9", "discard SK"}


def test_a_turn_ends_with_exactly_one_discard_and_with_nothing_else() -> None:
    s = position("CK DK HK H8 C2 C3", "S3", melds=["H5 H6 H7"], laid=(0,))
    lay(s, "set K", "CK DK HK")
    add(s, "H8", 1)
    assert s.turn == 0
    assert allowed(s) == {"discard C2", "discard C3"}
    do(s, "discard C2")
    assert s.turn == 1
    assert hand(s, 0) == "C3"
    assert discards(s) == "C2"


def test_turns_go_clockwise() -> None:
    s = dealt(3, "")
    turns = []
    for _ in range(4):
        turns.append(s.turn)
        quiet_turn(s)
    assert turns == [0, 1, 2, 0]


def test_melds_and_single_cards_may_be_laid_in_any_number_and_order() -> None:
    s = position("H8 CK DK HK H9 CQ DQ HQ C2", "S3", melds=["H5 H6 H7"], laid=(0,))
    add(s, "H8", 1)
    lay(s, "set K", "CK DK HK")
    add(s, "H9", 1)
    lay(s, "set Q", "CQ DQ HQ")
    assert table(s) == ["H5 H6 H7 H8 H9", "CK DK HK", "CQ DQ HQ"]


def test_who_has_laid_may_all_the_same_just_discard() -> None:
    s = position("CK DK HK H8 C2", "S3", melds=["H5 H6 H7"], laid=(0,))
    assert {"lay", "add", "discard C2", "discard H8", "discard CK"} <= allowed(s)


# ---- taking the top discard


def test_before_having_laid_nobody_may_take_the_top_discard() -> None:
    assert allowed(position("C2", "S3", discards="C9", laid=(1,), drawn=False)) == {"draw stock"}


def test_being_able_to_lay_with_the_top_discard_is_not_enough() -> None:
    assert allowed(position("HQ HK HA C5 D5 C2", "S3", discards="H5", drawn=False)) == {"draw stock"}


def test_who_has_laid_in_an_earlier_turn_may_take_the_top_discard() -> None:
    assert allowed(position("C2", "S3", discards="D9 C9", laid=(0,), drawn=False)) == {"draw stock", "draw discard"}


def test_only_the_top_card_is_taken() -> None:
    s = position("C2", "S3", discards="D9 C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert hand(s, 0) == "C2 C9"
    assert discards(s) == "D9"


def test_a_taken_card_need_not_be_used() -> None:
    s = position("C2", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard", "discard C2")
    assert s.turn == 1
    assert hand(s, 0) == "C9"


def test_the_card_just_taken_may_not_be_discarded_in_the_same_turn() -> None:
    s = position("C2 C3", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert allowed(s) == {"discard C2", "discard C3"}


def test_it_may_be_discarded_in_the_next_turn() -> None:
    s = position("C2 C3 C4", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard", "discard C2")
    quiet_turn(s)
    do(s, "draw stock")
    assert can(s, "discard C9")


def test_the_copy_held_before_may_be_discarded() -> None:
    s = position("C9 C2", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard", "discard C9")
    assert hand(s, 0) == "C2 C9"


def test_laying_a_copy_of_the_taken_card_ends_the_ban() -> None:
    s = position("C9 D9 H9 C2", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    lay(s, "set 9", "C9 D9 H9")
    assert allowed(s) == {"discard C2", "discard C9"}


def test_adding_a_copy_of_the_taken_card_ends_the_ban() -> None:
    s = position("C9 C2", "S3", melds=["D9 H9 S9"], discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    add(s, "C9", 1)
    assert allowed(s) == {"discard C2", "discard C9"}


def test_swapping_a_copy_of_the_taken_card_for_a_joker_ends_the_ban() -> None:
    s = position("H6 C2", "S3", melds=["H5 JR H7"], discards="H6", laid=(0,), drawn=False)
    do(s, "draw discard")
    add(s, "H6", 1)
    assert can(s, "discard H6")


def test_after_using_a_copy_of_the_taken_card_the_other_may_be_the_one_card_left() -> None:
    s = position("C9 D9 H9", "S3", melds=["H5 H6 H7"], discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    lay(s, "set 9", "C9 D9 H9")
    assert allowed(s) == {"discard C9"}
    s = position("C9", "S3", melds=["D9 H9 S9"], discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    add(s, "C9", 1)
    assert allowed(s) == {"discard C9"}


# ---- a card that may be discarded must be left


def test_a_hand_of_exactly_one_meld_may_not_be_laid() -> None:
    s = position("CK DK HK", "S3", melds=["S5 S6 S7"], laid=(0,))
    assert allowed(s) == {"discard CK", "discard DK", "discard HK"}


def test_of_a_hand_that_is_one_long_meld_a_shorter_one_may_be_laid() -> None:
    s = position("H5 H6 H7 H8", "S3", melds=["SK CK DK"], laid=(0,))
    assert can_lay(s, "run H", "H5 H6 H7")
    assert can_lay(s, "run H", "H6 H7 H8")
    assert not can_lay(s, "run H", "H5 H6 H7 H8")


def test_first_melds_must_leave_a_card_over() -> None:
    assert can(position("CA DA HA SA C2", "S3"), "lay")
    assert not can(position("CA DA HA SA", "S3"), "lay")
    s = position("HT HJ HQ HK HA", "S3")
    assert can_lay(s, "run H", "HJ HQ HK HA")
    assert not can_lay(s, "run H", "HT HJ HQ HK HA")


def test_the_last_card_may_not_be_added() -> None:
    s = position("H8 H4", "S3", melds=["H5 H6 H7"], laid=(0,))
    add(s, "H8", 1)
    assert allowed(s) == {"discard H4"}


def test_laying_may_not_leave_only_the_card_just_taken() -> None:
    s = position("CK DK HK", "S3", melds=["H5 H6 H7"], discards="C2", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert allowed(s) == {"discard CK", "discard DK", "discard HK"}


def test_laying_the_card_just_taken_may_leave_another_one() -> None:
    s = position("CK DK HK", "S3", melds=["H5 H6 H7"], discards="SK", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert can_lay(s, "set K", "CK DK SK")
    assert not can_lay(s, "set K", "CK DK HK")


def test_laying_a_run_with_two_jokers_may_not_leave_only_the_card_just_taken() -> None:
    s = position("H5 JR JR H8", "S3", melds=["S5 S6 S7"], discards="C2", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert not can(s, "lay")


def test_adding_may_not_leave_only_the_card_just_taken() -> None:
    s = position("H8", "S3", melds=["H5 H6 H7"], discards="C2", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert allowed(s) == {"discard H8"}


def test_adding_the_card_just_taken_may_leave_another_one() -> None:
    s = position("C2", "S3", melds=["H5 H6 H7"], discards="H8", laid=(0,), drawn=False)
    do(s, "draw discard")
    add(s, "H8", 1)
    assert allowed(s) == {"discard C2"}


# ---- the first laying


def test_first_melds_must_be_worth_more_than_40() -> None:
    assert can(position(f"{FORTY_SIX} C2", "S3"), "lay")
    assert can(position("HJ JR JR HA C2", "S3"), "lay")
    assert not can(position("CT DT HT C3 D3 H3 C2", "S3"), "lay")


def test_exactly_forty_is_not_enough_unless_the_option_says_so() -> None:
    assert not can(position("CK DK HK SK C2", "S3"), "lay")
    assert can(position("CK DK HK SK C2", "S3", threshold_suffices="yes"), "lay")


def test_thirty_nine_is_not_enough_even_if_the_threshold_suffices() -> None:
    assert not can(position("CT DT HT C3 D3 H3 C2", "S3", threshold_suffices="yes"), "lay")


@pytest.mark.parametrize(("threshold", "suffices", "enough"), [(45, "no", True), (46, "no", False), (46, "yes", True), (47, "yes", False)])
def test_the_threshold_is_an_option(threshold: int, suffices: str, enough: bool) -> None:
    assert can(position(f"{FORTY_SIX} C2", "S3", threshold=threshold, threshold_suffices=suffices), "lay") == enough


@pytest.mark.parametrize("suffices", ["no", "yes"])
def test_with_a_threshold_of_nothing_any_meld_is_enough(suffices: str) -> None:
    assert can(position("C2 D2 H2 C9", "S3", threshold=0, threshold_suffices=suffices), "lay")
    assert not can(position("C2 D2 H3 C9", "S3", threshold=0, threshold_suffices=suffices), "lay")


def test_several_melds_may_be_combined() -> None:
    s = position(f"{FORTY_SIX} C2", "S3")
    lay(s, "set 5", "C5 D5 H5")
    assert s.laid[0] == 0
    lay(s, "run H", "HQ HK HA")
    assert s.laid[0] == 1


def test_a_first_laying_goes_on_until_its_melds_are_worth_enough() -> None:
    s = position(f"{FORTY_SIX} C2", "S3", melds=["S5 S6 S7"], laid=(1,))
    lay(s, "set 5", "C5 D5 H5")
    assert allowed(s) == {"lay"}


def test_a_first_meld_may_be_begun_only_if_the_others_can_then_be_worth_enough() -> None:
    s = position("HQ HK HA CK DK C3 D3 H3 C2", "S3", threshold=39)
    do(s, "lay")
    assert allowed(s) == {"set 3", "run H"}


def test_a_first_meld_may_not_be_longer_than_the_others_allow() -> None:
    s = position("CK DK HK SK HQ HJ C2", "S3")
    assert can_lay(s, "set K", "CK DK SK")
    assert not can_lay(s, "set K", "CK DK HK SK")
    assert not can_lay(s, "set K", "CK DK HK")


def test_a_joker_in_first_melds_counts_as_the_card_it_stands_for() -> None:
    s = position("H9 HT JR C4 D4 H4 C2", "S3")
    assert can_lay(s, "run H", "H9 HT JR")
    assert not can_lay(s, "run H", "JR H9 HT")
    lay(s, "run H", "H9 HT JR")
    lay(s, "set 4", "C4 D4 H4")
    assert s.laid[0] == 1


def test_a_run_of_two_naturals_and_two_jokers_counts_for_the_first_laying() -> None:
    s = position("H5 JR JR H8 C5 D5 S5 C2", "S3")
    lay(s, "run H", "H5 JR JR H8")
    lay(s, "set 5", "C5 D5 S5")
    assert s.laid[0] == 1


def test_added_singles_do_not_count_for_the_first_laying() -> None:
    s = position("CK DK HK SK H8 C2", "S3", melds=["H5 H6 H7"], laid=(1,))
    assert not can(s, "lay")
    assert not can(s, "add")


def test_melds_may_be_laid_from_the_first_turn_on() -> None:
    s = dealt(2, "HQ D2 HK D3 HA D4 C5 D7 D5 D8 H5 D9")
    assert s.lap == 1
    do(s, "draw stock")
    assert can_lay(s, "run H", "HQ HK HA")


def test_the_earliest_round_for_laying_is_an_option() -> None:
    assert not can(position(f"{FORTY_SIX} C2", "S3", lap=2, earliest_laying_round=3), "lay")
    assert can(position(f"{FORTY_SIX} C2", "S3", lap=3, earliest_laying_round=3), "lay")


def test_after_the_first_laying_melds_of_any_value_may_be_laid_in_the_same_turn() -> None:
    s = position("CA DA HA SA C2 D2 H2 S9", "S3")
    lay(s, "set A", "CA DA HA SA")
    lay(s, "set 2", "C2 D2 H2")
    assert s.laid[0] == 1


def test_after_the_first_laying_cards_may_be_added_in_the_same_turn() -> None:
    s = position("CA DA HA SA H8 C2", "S3", melds=["H5 H6 H7"])
    assert not can(s, "add")
    lay(s, "set A", "CA DA HA SA")
    add(s, "H8", 1)
    assert table(s)[0] == "H5 H6 H7 H8"


def test_after_the_first_laying_jokers_may_be_swapped_in_the_same_turn() -> None:
    s = position("CA DA HA SA H6 C2", "S3", melds=["H5 JR H7"])
    lay(s, "set A", "CA DA HA SA")
    add(s, "H6", 1)
    assert hand(s, 0) == "C2 JR"


def test_after_the_first_laying_the_top_discard_may_be_taken_only_in_the_next_turn() -> None:
    s = position("CA DA HA SA C2 C3 C9", "S3 S4 S5", discards="D9")
    lay(s, "set A", "CA DA HA SA")
    assert allowed(s) == {"discard C2", "discard C3", "discard C9"}
    do(s, "discard C2")
    quiet_turn(s)
    assert allowed(s) == {"draw stock", "draw discard"}


def test_who_has_laid_may_lay_melds_of_any_value_in_later_turns() -> None:
    assert can_lay(position("C2 D2 H2 C9", "S3", melds=["H5 H6 H7"], laid=(0,)), "set 2", "C2 D2 H2")


def test_that_another_player_has_laid_is_not_enough() -> None:
    assert not can(position("C2 D2 H2 C9", "S3", melds=["H5 H6 H7"], laid=(1,)), "lay")


# ---- single cards


def test_single_cards_may_be_added_to_the_melds_of_any_player() -> None:
    s = position("H8 C2", "H5 H6 H7 CA DA HA SA C9 CT", turn=1, laid=(0,), stock="C8")
    lay(s, "set A", "CA DA HA SA")
    lay(s, "run H", "H5 H6 H7")
    do(s, "discard C9", "draw stock")
    add(s, "H8", 2)
    assert table(s) == ["CA DA HA SA", "H5 H6 H7 H8"]


def test_single_cards_may_be_added_to_ones_own_melds() -> None:
    s = position("H8 H5 H6 H7 C2", "S3", laid=(0,))
    lay(s, "run H", "H5 H6 H7")
    add(s, "H8", 1)
    assert table(s) == ["H5 H6 H7 H8"]


def test_before_having_laid_nobody_may_add_a_card() -> None:
    assert not can(position("H8 C2 C3", "S3", melds=["H5 H6 H7"], laid=(1,)), "add")


def test_a_card_that_fits_no_meld_cannot_be_added() -> None:
    s = position("H8 C2 C3", "S3", melds=["H5 H6 H7", "C9 D9 H9"], laid=(0,))
    do(s, "add")
    assert allowed(s) == {"card H8"}
    do(s, "card H8")
    assert allowed(s) == {"meld 1"}


def test_melds_are_numbered_in_the_order_they_were_laid() -> None:
    s = position("H8 S8 C2 C3", "S3", melds=["H5 H6 H7", "C8 D8 S8"], laid=(0,))
    do(s, "add", "card H8")
    assert allowed(s) == {"meld 1", "meld 2"}
    do(s, "meld 2")
    assert table(s) == ["H5 H6 H7", "C8 D8 H8 S8"]


def test_a_joker_may_be_added_at_either_end_of_a_run() -> None:
    s = position("JR C2", "S3", melds=["H5 H6 H7"], laid=(0,))
    do(s, "add", "card JR", "meld 1")
    assert allowed(s) == {"low", "high"}
    low, high = plain.copy_of(s), plain.copy_of(s)
    do(low, "low")
    do(high, "high")
    assert (table(low), table(high)) == (["JR H5 H6 H7"], ["H5 H6 H7 JR"])


def test_an_ace_may_be_added_at_either_end_of_a_run_from_two_to_king() -> None:
    run = "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK"
    s = position("HA HA C2", "S3", melds=[run], laid=(0,))
    add(s, "HA", 1, "high")
    assert table(s) == [f"{run} HA"]
    add(s, "HA", 1)
    assert table(s) == [f"HA {run} HA"]


def test_the_way_is_asked_for_only_if_there_is_more_than_one() -> None:
    s = position("H8 C2 C3", "S3", melds=["H5 H6 H7"], laid=(0,))
    do(s, "add", "card H8", "meld 1")
    assert s.phase == TURN


def test_a_joker_added_to_a_set_takes_a_place_of_its_colour() -> None:
    s = position("JR C7 C2", "S3", melds=["H7 S7 JB"], laid=(0,))
    add(s, "JR", 1)
    assert table(s) == ["H7 S7 JB JR"]


def test_a_meld_on_the_table_stays_as_it_is() -> None:
    s = position("H4 D7 S7 C2", "S3", melds=["H5 H6 H7 H8"], laid=(0,))
    assert not can(s, "lay")
    assert can_add(s, "H4", 1)


# ---- swapping jokers


def test_the_natural_card_takes_the_jokers_place_and_the_joker_goes_to_the_hand() -> None:
    s = position("H6 C2 C3", "S3", melds=["H5 JR H7"], laid=(0,))
    add(s, "H6", 1)
    assert table(s) == ["H5 H6 H7"]
    assert hand(s, 0) == "C2 C3 JR"


@pytest.mark.parametrize(
    ("meld", "card", "after", "freed"),
    [
        ("D7 H7 JB", "C7", "C7 D7 H7", "JB"),
        ("D7 H7 JB", "S7", "D7 H7 S7", "JB"),
        ("H7 S7 JB", "C7", "C7 H7 S7", "JB"),
        ("H7 S7 JR", "D7", "D7 H7 S7", "JR"),
        ("C7 D7 H7 JB", "S7", "C7 D7 H7 S7", "JB"),
        ("H7 S7 JB JR", "C7", "C7 H7 S7 JR", "JB"),
        ("H7 S7 JB JR", "D7", "D7 H7 S7 JB", "JR"),
        ("D7 H7 JB JB", "S7", "D7 H7 S7 JB", "JB"),
    ],
)
def test_in_a_set_a_new_suit_of_the_jokers_colour_frees_it(meld: str, card: str, after: str, freed: str) -> None:
    s = position(f"{card} C2 C3", "S3", melds=[meld], laid=(0,))
    add(s, card, 1)
    assert table(s) == [after]
    assert hand(s, 0) == f"C2 C3 {freed}"


@pytest.mark.parametrize(("meld", "card", "after"), [("H7 S7 JB", "D7", "D7 H7 S7 JB"), ("H7 S7 JR", "C7", "C7 H7 S7 JR")])
def test_in_a_set_a_new_suit_of_the_other_colour_becomes_the_fourth_card(meld: str, card: str, after: str) -> None:
    s = position(f"{card} C2 C3", "S3", melds=[meld], laid=(0,))
    add(s, card, 1)
    assert table(s) == [after]
    assert hand(s, 0) == "C2 C3"


def test_after_two_swaps_a_set_of_two_naturals_and_two_jokers_is_all_natural() -> None:
    s = position("C7 S7 C2", "S3", melds=["D7 H7 JB JB"], laid=(0,))
    add(s, "S7", 1)
    add(s, "C7", 1)
    assert table(s) == ["C7 D7 H7 S7"]
    assert hand(s, 0) == "C2 JB JB"


def test_jokers_may_be_swapped_out_of_the_melds_of_any_player() -> None:
    s = position("H6 C2 C3", "H5 JR H7 CA DA HA SA C9 CT", turn=1, laid=(0,), stock="C8")
    lay(s, "set A", "CA DA HA SA")
    lay(s, "run H", "H5 JR H7")
    do(s, "discard C9", "draw stock")
    add(s, "H6", 2)
    assert hand(s, 0) == "C2 C3 C8 JR"


def test_before_having_laid_nobody_may_swap_a_joker() -> None:
    assert not can(position("H6 C2 C3", "S3", melds=["H5 JR H7"], laid=(1,)), "add")


def test_a_freed_joker_may_be_laid_in_the_same_turn() -> None:
    s = position("H6 CK SK C2", "S3", melds=["H5 JR H7"], laid=(0,))
    add(s, "H6", 1)
    lay(s, "set K", "CK SK JR")
    assert table(s) == ["H5 H6 H7", "CK SK JR"]


def test_a_freed_joker_may_be_added_in_the_same_turn() -> None:
    s = position("H6 C2", "S3", melds=["H5 JR H7", "D8 D9 DT"], laid=(0,))
    add(s, "H6", 1)
    add(s, "JR", 2, "low")
    assert table(s) == ["H5 H6 H7", "JR D8 D9 DT"]


def test_a_freed_joker_may_be_discarded_in_the_same_turn() -> None:
    s = position("H6 C2", "S3", melds=["H5 JR H7"], laid=(0,))
    add(s, "H6", 1)
    do(s, "discard JR")
    assert discards(s) == "JR"


def test_a_joker_freed_by_a_swap_may_be_the_one_card_left() -> None:
    s = position("H6 H8", "S3", melds=["H5 JR H7"], laid=(0,))
    add(s, "H8", 1)
    add(s, "H6", 1)
    assert hand(s, 0) == "JR"
    do(s, "discard JR")
    assert plain.winning_seats(RUMMY, s) == [0]


def test_a_freed_joker_may_be_discarded_beside_the_card_just_taken() -> None:
    s = position("H6", "S3", melds=["H5 JR H7"], discards="C2", laid=(0,), drawn=False)
    do(s, "draw discard")
    add(s, "H6", 1)
    assert allowed(s) == {"discard JR"}


def test_a_joker_just_taken_may_be_discarded_once_another_one_is_freed() -> None:
    s = position("H6", "S3", melds=["H5 JR H7"], discards="JR", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert not can(s, "discard JR")
    add(s, "H6", 1)
    assert can(s, "discard JR")


def test_an_ace_may_be_swapped_for_the_low_joker_or_added_above_the_king() -> None:
    run = "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK"
    s = position("HA C2 C3", "S3", melds=[f"JR {run}"], laid=(0,))
    do(s, "add", "card HA", "meld 1")
    assert allowed(s) == {"swap", "high"}
    swapped, added = plain.copy_of(s), plain.copy_of(s)
    do(swapped, "swap")
    do(added, "high")
    assert (table(swapped), hand(swapped, 0)) == ([f"HA {run}"], "C2 C3 JR")
    assert (table(added), hand(added, 0)) == ([f"JR {run} HA"], "C2 C3")


def test_in_a_run_with_jokers_at_both_ends_an_ace_frees_the_low_one() -> None:
    run = "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK"
    s = position("HA C2 C3", "S3", melds=[f"JR {run} JR"], laid=(0,))
    add(s, "HA", 1)
    assert table(s) == [f"HA {run} JR"]


def test_a_meld_is_read_anew_only_by_swapping() -> None:
    s = position("H4 H8 C2", "S3", melds=["H5 H6 JR"], laid=(0,))
    add(s, "H8", 1)
    assert table(s) == ["H5 H6 JR H8"]
    add(s, "H4", 1)
    assert table(s) == ["H4 H5 H6 JR H8"]


def test_what_is_legal_in_odd_hands_is_found_without_trying_everything() -> None:
    """Hands with many jokers and a high threshold have thousands of ways to lay melds that are not worth enough. Without a bound on what is left
    in the hand more than 8,000 ways were tried in one of these hands."""
    draw, tried, most = random.Random(1), 0, 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal tried
        tried += event == "call" and frame.f_code is ways_on.__code__

    for _ in range(300):
        jokers = ["JB", "JB", "JR", "JR"][: draw.randrange(5)]
        held = [*jokers, *draw.sample([*FRENCH, *FRENCH], 14 - len(jokers))]
        s = position(" ".join(held), "", threshold=draw.choice([40, 100, 120, 135]))
        s.phase, tried = KIND, 0
        sys.setprofile(profile)
        try:
            RUMMY.legal(s)
        finally:
            sys.setprofile(None)
        most = max(most, tried)
    assert 0 < most < 2_500
