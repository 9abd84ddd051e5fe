"""Cascade: one test for each sentence of the rule book."""

import pytest
from cascade_positions import allowed, begun, cards, columns_for, deal, deal_pack, do, hand, in_pack, in_row, one_slot_left, position
from positions import everybody, refusal

from kortlek.cards import FRENCH, NOTHING
from kortlek.engine import plain
from kortlek.engine.redeal import redeal
from kortlek.engine.views import ONLOOKER, Place, view
from kortlek.game import DEAL, OVER, SHUFFLE
from kortlek.games.cascade.rules import Cascade
from kortlek.games.cascade.rules import CASCADE
from kortlek.game.registry import layout_of
from kortlek.words.words import Words

RANKS = "A23456789TJQK"
THREE, FOUR = ("",) * 3, ("",) * 4


def fitting(parents: str) -> str:
    """The ranks that may be played below these two cards (a spade and a heart, say; not clubs or diamonds)."""
    fits = ""
    for rank in RANKS:
        s = begun(parents, (f"C{rank}", ""))
        fits += rank if 1 in columns_for(s, f"C{rank}") else ""
    return fits


def bonus(parents: str, played: str) -> tuple[int, int]:
    """The extra actions and the cards drawn when the starting player plays a card below these two."""
    s = begun(parents, (played, ""))
    before = in_pack(s, 0)
    do(s, f"{played} to 1")
    return s.actions if s.turn == 0 else 0, before - in_pack(s, 0)


def end_game(s: Cascade) -> None:
    """Play until the game is over, a card wherever possible."""
    game = s.round
    while s.round == game:
        plays = sorted(each for each in allowed(s) if each != "draw")
        do(s, plays[0] if plays else "draw")


# ---- players, packs and top row


def test_two_to_four_play() -> None:
    for players in (2, 3, 4):
        begun(hands=("",) * players)
    for players in (1, 5):
        with pytest.raises(plain.Refused, match="Cascade is for 2 to 4 players"):
            plain.begin(CASCADE, players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_a_full_pack_of_52(players: int) -> None:
    s = plain.begin(CASCADE, players)
    for nth in range(players):
        assert s.phase == (SHUFFLE if nth else DEAL)
        assert sorted(plain.to_shuffle(CASCADE, s)) == list(range(52))
        assert "each of the 52 once" in refusal(CASCADE, s, "deal C2 C3")
        deal_pack(s)
    assert s.phase >= 0


@pytest.mark.parametrize(("players", "width"), [(2, 10), (3, 12), (4, 12)])
def test_the_top_row_has_ten_cards_for_two_players_and_twelve_for_more(players: int, width: int) -> None:
    s = begun(hands=("",) * players)
    assert "--" not in in_row(s, 0)
    assert len(in_row(s, 0).split()) == width
    assert set(in_row(s, 1).split()) == {"--"}


def test_the_players_alternate_in_placing_the_top_cards_of_their_own_packs_from_left_to_right() -> None:
    s = plain.begin(CASCADE, 3)
    for own in ("C2 C3 C4 C5", "D2 D3 D4 D5", "H2 H3 H4 H5"):
        deal_pack(s, own)
    assert in_row(s, 0) == "C2 D2 H2 C3 D3 H3 C4 D4 H4 C5 D5 H5"


@pytest.mark.parametrize(("players", "each"), [(2, 5), (3, 4), (4, 3)])
def test_all_players_place_equally_many_cards_of_the_top_row(players: int, each: int) -> None:
    s = begun(hands=("",) * players)
    assert [52 - in_pack(s, seat) - len(hand(s, seat).split()) for seat in range(players)] == [each] * players


def test_the_starting_player_places_the_first_card_of_the_top_row() -> None:
    s = begun(games=2)
    end_game(s)
    deal(s, "SA HA", hands=("", ""))
    assert s.laid[1] & cards(["SA"])
    assert in_row(s, 0).startswith("SA HA")


def test_top_row_cards_count_for_nobody() -> None:
    assert begun(hands=FOUR).played[:4] == [0, 0, 0, 0]


@pytest.mark.parametrize(("players", "sizes"), [(2, [4, 5]), (3, [4, 5, 6]), (4, [3, 4, 5, 6])])
def test_starting_hands_grow_in_turn_order(players: int, sizes: list[int]) -> None:
    s = begun(hands=("",) * players)
    assert [len(hand(s, seat).split()) for seat in range(players)] == sizes


def test_the_top_row_is_placed_before_the_hands_are_drawn_and_later_cards_come_in_the_order_of_the_pack() -> None:
    s = plain.begin(CASCADE, 2)
    deal_pack(s, "C2 C3 C4 C5 C6", "H2 H3 H4 H5", "S9 S8")
    deal_pack(s)
    assert hand(s, 0) == "H2 H3 H4 H5"
    do(s, "draw")
    assert hand(s, 0) == "H2 H3 H4 H5 S9"
    do(s, "draw", "draw")
    assert hand(s, 0) == "H2 H3 H4 H5 S8 S9"


def test_starting_hands_are_an_option() -> None:
    s = begun(hands=THREE, hand_sizes=[1, 13, 2])
    assert [len(hand(s, seat).split()) for seat in range(3)] == [1, 13, 2]


# ---- the triangle


@pytest.mark.parametrize(("players", "last"), [(2, 9), (3, 11), (4, 11)])
def test_at_the_start_the_whole_second_row_is_open_and_nothing_else(players: int, last: int) -> None:
    s = begun(hands=("CK", *[""] * (players - 1)))
    assert columns_for(s, "CK") == list(range(1, last + 1))


def test_a_slot_lies_below_two_neighbours_of_the_row_above() -> None:
    s = begun("H3 S5 H9 S6 H4 SJ H8 ST HK SQ", ("C7", ""))
    assert columns_for(s, "C7") == [1, 4, 6, 7, 8, 9]


def test_a_slot_opens_when_both_cards_above_it_are_there() -> None:
    assert columns_for(position([2, *[1] * 9], hands=("CK", "")), "CK") == [2, 3, 4, 5, 6, 7, 8, 9]
    assert columns_for(position([2, 2, *[1] * 8], hands=("CK", "")), "CK") == [1, 3, 4, 5, 6, 7, 8, 9]
    assert columns_for(position([3, 2, 2, *[1] * 7], hands=("CK", "")), "CK") == [2, 4, 5, 6, 7, 8, 9]


def test_a_filled_slot_is_not_open() -> None:
    s = begun(hands=("CK", "DK"))
    do(s, "CK to 9")
    while s.turn == 0:
        do(s, "draw")
    assert columns_for(s, "DK") == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_slot_of_the_third_row_lies_below_those_two_of_the_second() -> None:
    s = position([2, 2, 2, *[1] * 7], cells={(1, 0): "S5", (1, 1): "H9", (1, 2): "H3"}, hands=("C7 C4", ""))
    assert [1 in columns_for(s, "C7"), 2 in columns_for(s, "C7")] == [False, False]
    assert [1 in columns_for(s, "C4"), 2 in columns_for(s, "C4")] == [True, False]
    do(s, "C4 to 1")
    assert in_row(s, 2).startswith("C4 --")


def test_the_last_column_has_one_card_and_each_column_before_it_one_more() -> None:
    s = position([1, 1, 1, 1, 1, 1, 1, 3, 2, 1], hands=("CK", ""))
    assert columns_for(s, "CK") == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("players", "slots"), [(2, 45), (3, 66), (4, 66)])
def test_there_are_45_slots_to_fill_for_two_players_and_66_for_more(players: int, slots: int) -> None:
    s = begun(hands=("",) * players)
    end_game(s)
    assert s.filled[0] == s.width
    assert sum(s.played) == slots


def test_the_last_slot_is_the_single_one_at_the_bottom() -> None:
    s = one_slot_left(hands=("CK", ""))
    assert columns_for(s, "CK") == [1]
    do(s, "CK to 1")
    assert in_row(s, 9) == "CK"
    assert s.phase == DEAL


# ---- where a card fits


def test_aces_count_1_jacks_11_queens_12_and_kings_13() -> None:
    assert fitting("SA H3") == "A3456789TJQK"
    assert fitting("ST HQ") == "A23456789TQK"
    assert fitting("SJ HK") == "A23456789TJK"


def test_a_card_fits_if_its_value_is_not_between_the_two_above() -> None:
    assert fitting("S5 H9") == "A234" + "5" + "9" + "TJQK"


def test_it_does_not_matter_which_of_the_two_is_higher() -> None:
    assert fitting("S9 H5") == fitting("S5 H9")


def test_a_value_equal_to_one_of_the_two_fits() -> None:
    assert "5" in fitting("S5 H9")
    assert "9" in fitting("S5 H9")


def test_if_the_two_are_equal_every_card_fits() -> None:
    assert fitting("S8 H8") == RANKS


def test_below_neighbours_every_card_fits() -> None:
    assert fitting("SQ HK") == RANKS


def test_below_an_ace_and_a_king_only_aces_and_kings_fit() -> None:
    assert fitting("SA HK") == "AK"


# ---- bonuses


@pytest.mark.parametrize(
    ("parents", "played", "actions", "drawn"),
    [
        ("H5 S9", "C5", 1, 0),
        ("S8 H8", "D8", 2, 0),
        ("S8 H8", "S3", 0, 1),
        ("C6 C7", "C8", 1, 3),
        ("C6 C7", "H5", 1, 1),
        ("S2 H3", "DA", 1, 1),
        ("SQ HK", "DA", 0, 0),
    ],
)
def test_the_bonuses_in_the_table_of_the_rule_book(parents: str, played: str, actions: int, drawn: int) -> None:
    assert bonus(parents, played) == (actions, drawn)


def test_each_card_above_of_equal_value_gives_one_action() -> None:
    assert bonus("S5 H9", "C2") == (0, 0)
    assert bonus("S5 H9", "C5") == (1, 0)
    assert bonus("S5 H9", "C9") == (1, 0)
    assert bonus("S5 H5", "C5") == (2, 0)


def test_each_card_above_of_equal_suit_gives_one_card() -> None:
    assert bonus("S5 H9", "S2") == (0, 1)
    assert bonus("S5 H9", "H2") == (0, 1)
    assert bonus("S5 S9", "S2") == (0, 2)


def test_actions_and_cards_add_up() -> None:
    assert bonus("H8 S8", "S8") == (2, 1)
    assert bonus("C9 D4", "D9") == (1, 1)


def test_three_in_a_row_gives_one_action_and_one_card_upward_and_downward() -> None:
    assert bonus("S6 H7", "C8") == (1, 1)
    assert bonus("S6 H7", "C5") == (1, 1)


def test_three_in_a_row_counts_in_either_order_of_the_two_above() -> None:
    assert bonus("S7 H6", "C8") == (1, 1)
    assert bonus("S7 H6", "C5") == (1, 1)


def test_the_cards_for_three_in_a_row_come_on_top_of_those_for_the_suit() -> None:
    assert bonus("S6 H7", "H8") == (1, 2)
    assert bonus("H6 H7", "H8") == (1, 3)


def test_a_gap_is_no_three_in_a_row() -> None:
    assert bonus("S6 H7", "C9") == (0, 0)
    assert bonus("S6 H7", "C4") == (0, 0)
    assert bonus("S5 H7", "C8") == (0, 0)
    assert bonus("S5 H7", "C4") == (0, 0)
    assert bonus("S7 H7", "C8") == (0, 0)


def test_ace_two_three_is_three_in_a_row_but_queen_king_ace_is_not() -> None:
    assert bonus("SA H2", "C3") == (1, 1)
    assert bonus("S2 H3", "CA") == (1, 1)
    assert bonus("SQ HK", "CA") == (0, 0)
    assert bonus("SK HA", "CK") == (1, 0)


def test_jack_queen_king_is_three_in_a_row() -> None:
    assert bonus("SJ HQ", "CK") == (1, 1)


def test_bonus_cards_are_drawn_at_once_from_the_own_pack_and_may_be_played_with_the_bonus_action() -> None:
    s = begun("S6 H7", ("C8", ""), then=("SK", "DK"))
    do(s, "C8 to 1")
    assert "SK" in hand(s, 0)
    assert columns_for(s, "SK")


def test_bonus_cards_from_an_empty_pack_are_lost() -> None:
    s = one_slot_left("S6", "S7", hands=("S8", ""), rest="hand")
    before = hand(s, 0).split()
    assert in_pack(s, 0) == 0
    do(s, "S8 to 1")
    assert hand(s, 0).split() == [each for each in before if each != "S8"]


def test_if_the_pack_has_too_few_cards_the_others_are_lost() -> None:
    s = position([1] * 10, cells={(0, 0): "S6", (0, 1): "S7"}, hands=("S8", ""), packs=("HK", ""), rest="hand")
    size = len(hand(s, 0).split())
    do(s, "S8 to 1")
    assert in_pack(s, 0) == 0
    assert len(hand(s, 0).split()) == size


# ---- a turn


def test_the_starting_player_begins_and_turns_go_clockwise() -> None:
    s = begun(hands=THREE)
    turns = []
    for _ in range(4):
        turns.append(s.turn)
        do(s, "draw")
    assert turns == [0, 1, 2, 0]


def test_a_turn_has_one_action() -> None:
    s = begun("S5 H9", ("C2", ""))
    assert s.actions == 1
    do(s, "C2 to 1")
    assert (s.turn, s.actions) == (1, 1)


def test_an_action_plays_a_card_or_draws_one() -> None:
    s = begun("S5 H9", ("C2 D2 SK HK", ""))
    assert allowed(s) == {"play C2", "play D2", "play SK", "play HK", "draw"}


def test_a_drawn_card_is_the_top_one_of_the_own_pack_and_costs_the_action() -> None:
    s = begun(hands=("C2 D2 SK HK", ""), then=("S3", "D3"))
    do(s, "draw")
    assert hand(s, 0) == "C2 D2 HK S3 SK"
    assert s.turn == 1


def test_a_played_card_leaves_the_hand_and_lies_in_the_triangle() -> None:
    s = begun("S5 H9", ("C2 D2 SK HK", ""))
    do(s, "C2 to 1")
    assert hand(s, 0) == "D2 HK SK"
    assert in_row(s, 1).startswith("C2 --")
    assert s.played[:2] == [1, 0]


def test_a_turn_ends_only_when_no_action_is_left() -> None:
    s = begun("S8 H8", ("D8", ""))
    do(s, "D8 to 1")
    assert (s.turn, s.actions) == (0, 2)
    do(s, "draw")
    assert (s.turn, s.actions) == (0, 1)
    do(s, "draw")
    assert s.turn == 1


def test_who_has_no_card_at_the_start_of_a_turn_gets_one_for_free_and_still_has_an_action() -> None:
    s = begun("S5 H9", ("C2", "D2"), then=("SK S3", ""), hand_sizes=[1, 1])
    do(s, "C2 to 1", "draw")
    assert (s.turn, s.actions, hand(s, 0)) == (0, 1, "SK")
    assert {"play SK", "draw"} <= allowed(s)


def test_who_comes_after_a_pass_gets_a_free_card_too() -> None:
    s = one_slot_left(hands=THREE, packs=("C5", "", "C6 C7"), played=(10, 9, 46), rest="hand")
    do(s, "draw")
    assert (s.turn, s.actions, hand(s, 2)) == (2, 1, "C6")


def test_the_free_card_is_only_for_who_has_none() -> None:
    s = begun(hands=("", ""))
    do(s, "draw")
    assert len(hand(s, 1).split()) == 5


def test_who_plays_the_last_card_with_an_action_left_gets_no_free_card_in_that_turn() -> None:
    s = begun("S8 H8", ("D8", ""), hand_sizes=[1, 1])
    do(s, "D8 to 1")
    assert (s.turn, s.actions, hand(s, 0)) == (0, 2, "")
    assert allowed(s) == {"draw"}


def test_while_a_play_or_a_draw_is_possible_there_is_no_passing() -> None:
    s = one_slot_left(hands=("C5", ""))
    assert allowed(s) == {"draw"}
    s = one_slot_left(hands=("CK", ""), rest="hand")
    assert allowed(s) == {"play CK"}
    s = one_slot_left(hands=("CK C5", ""))
    assert allowed(s) == {"play CK", "draw"}


# ---- passing and stuck games


def test_who_can_neither_play_nor_draw_passes() -> None:
    s = one_slot_left(hands=("", ""), packs=("C5 C6", ""), rest="hand")
    do(s, "draw")
    assert s.turn == 0
    assert s.phase >= 0


def test_a_player_with_an_empty_pack_and_a_card_that_fits_does_not_pass() -> None:
    s = one_slot_left(hands=("", "CK"), packs=("C5 C6", ""), rest="hand")
    do(s, "draw")
    assert (s.turn, allowed(s)) == (1, {"play CK"})


def test_if_all_players_in_a_row_have_to_pass_the_game_ends_and_is_scored_as_it_stands() -> None:
    s = one_slot_left(packs=("C5", ""), rest="hand", played=(24, 20), games=1)
    do(s, "draw")
    assert s.phase == OVER
    assert s.filled[0] == 9
    assert s.score[:2] == [5, 0]


def test_a_stuck_game_with_equal_counts_gives_nothing_to_both_who_share_the_win() -> None:
    s = one_slot_left(packs=("C5", ""), rest="hand", played=(22, 22), games=1)
    do(s, "draw")
    assert s.score[:2] == [0, 0]
    assert plain.winning_seats(CASCADE, s) == [0, 1]


def test_passes_must_be_in_a_row() -> None:
    s = one_slot_left(packs=("C5 C6 C7", ""), rest="hand", games=1)
    do(s, "draw", "draw")
    assert (s.turn, s.phase >= 0) == (0, True)
    do(s, "draw")
    assert s.phase == OVER


def test_of_three_players_all_three_must_pass() -> None:
    s = one_slot_left(hands=THREE, packs=("C5", "", "C6 C7"), rest="hand", games=1)
    do(s, "draw")
    assert s.turn == 2
    do(s, "draw")
    assert s.turn == 2
    do(s, "draw")
    assert s.phase == OVER


def cut_short() -> Cascade:
    """Seat 0 has played a king beside an ace, which gave her an action that she cannot use: only aces and kings fit, and she has none."""
    s = position(
        [9, 8, 8, 7, 6, 5, 4, 3, 2, 1],
        cells={(8, 0): "SA", (7, 1): "HK", (7, 2): "D5"},
        hands=("CK", ""),
        packs=("", "C5"),
        rest="hand",
    )
    do(s, "CK to 2")
    return s


def test_actions_left_over_are_lost_when_nothing_more_is_possible() -> None:
    s = cut_short()
    assert (s.turn, s.actions) == (1, 1)


def test_a_turn_with_an_action_is_no_pass_even_if_it_was_cut_short() -> None:
    s = cut_short()
    assert s.passes == 0
    do(s, "draw")
    assert s.phase == DEAL


def test_a_free_card_is_no_action_so_a_turn_with_nothing_else_is_a_pass() -> None:
    s = one_slot_left(hands=THREE, packs=("C5", "C6", ""), played=(9, 47, 9), rest="hand", games=1)
    assert hand(s, 1) == ""
    do(s, "draw")
    assert hand(s, 1) == "C6"
    assert s.phase == OVER


# ---- the end of a game


def test_the_game_stops_at_once_when_the_bottom_slot_is_filled() -> None:
    s = one_slot_left("S8", "H8", hands=("D8", ""), games=1)
    do(s, "D8 to 1")
    assert s.phase == OVER
    assert s.turn == 0


def test_bonus_cards_of_the_last_card_are_drawn() -> None:
    s = one_slot_left("S8", "S9", hands=("ST", ""), packs=("C2 C3 C4", ""), games=1)
    do(s, "ST to 1")
    assert hand(s, 0) == "C2 C3 C4"


def points(*played: int) -> list[int]:
    """The points of a game in which this many cards are played, the last by seat 0."""
    s = one_slot_left(hands=("CK", *[""] * (len(played) - 1)), played=(played[0] - 1, *played[1:]), games=1)
    do(s, "CK to 1")
    assert s.phase == OVER
    assert tuple(s.played[: len(played)]) == played
    return s.points[: len(played)]


@pytest.mark.parametrize(
    ("played", "scored"),
    [
        ((25, 20), [6, 0]),
        ((20, 25), [0, 6]),
        ((28, 20, 18), [11, 2, 0]),
        ((24, 24, 18), [6, 6, 0]),
        ((24, 18, 24), [6, 0, 6]),
        ((22, 22, 22), [0, 0, 0]),
        ((20, 18, 15, 13), [8, 5, 2, 0]),
        ((24, 14, 14, 14), [11, 0, 0, 0]),
    ],
)
def test_everyone_scores_the_difference_to_the_fewest_and_who_alone_has_the_most_one_extra(played: tuple[int, ...], scored: list[int]) -> None:
    assert points(*played) == scored


def test_whoever_played_the_most_cards_wins_a_single_game() -> None:
    s = one_slot_left(hands=("CK", "", ""), played=(19, 30, 16), games=1)
    do(s, "CK to 1")
    assert plain.winning_seats(CASCADE, s) == [1]


def test_a_tie_for_the_most_is_shared() -> None:
    s = one_slot_left(hands=("CK", "", ""), played=(23, 24, 18), games=1)
    do(s, "CK to 1")
    assert plain.winning_seats(CASCADE, s) == [0, 1]


# ---- a match


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_has_as_many_games_as_players_and_everyone_starts_once(players: int) -> None:
    s = plain.begin(CASCADE, players)
    starters = []
    for _ in range(players):
        deal(s, hands=("",) * players)
        starters.append(s.turn)
        end_game(s)
    assert (s.phase, starters) == (OVER, list(range(players)))


def test_seat_0_starts_the_first_game_and_again_after_the_last_seat() -> None:
    s = plain.begin(CASCADE, 2, {"games": 4})
    starters = []
    for _ in range(4):
        deal(s)
        starters.append(s.turn)
        end_game(s)
    assert (s.phase, starters) == (OVER, [0, 1, 0, 1])


def test_hand_sizes_follow_the_turn_order_of_each_game() -> None:
    s = begun(hands=THREE)
    end_game(s)
    deal(s, hands=THREE)
    assert [len(hand(s, seat).split()) for seat in range(3)] == [6, 4, 5]


def test_packs_are_shuffled_in_full_for_every_game_in_seat_order() -> None:
    s = begun()
    end_game(s)
    for own in ("C2", "D2"):
        assert sorted(plain.to_shuffle(CASCADE, s)) == list(range(52))
        deal_pack(s, own)
    assert in_row(s, 0).startswith("D2 C2")


def test_a_new_game_begins_with_an_empty_triangle_and_nothing_played() -> None:
    s = begun()
    end_game(s)
    deal(s)
    assert (s.played[:2], in_row(s, 1).split()) == ([0, 0], ["--"] * 9)
    assert s.points[:2] == [NOTHING, NOTHING]


def test_after_a_stuck_game_the_next_one_begins_afresh() -> None:
    s = one_slot_left(packs=("C5", ""), rest="hand")
    do(s, "draw")
    deal(s, "S8 H8", ("", "C7"))
    assert s.turn == 1
    assert 1 in columns_for(s, "C7")


def test_points_of_the_games_are_added() -> None:
    s = one_slot_left(hands=("CK", ""), played=(24, 20), earlier=(3, 4))
    do(s, "CK to 1")
    assert (s.points[:2], s.score[:2]) == ([6, 0], [9, 4])


def test_the_highest_total_wins_a_match_whoever_won_the_last_game() -> None:
    s = one_slot_left(hands=("CK", ""), played=(24, 20), earlier=(0, 7))
    do(s, "CK to 1")
    assert (s.phase, plain.winning_seats(CASCADE, s)) == (OVER, [1])


def test_equal_highest_totals_share_the_win() -> None:
    s = one_slot_left(hands=("CK", ""), played=(24, 20), earlier=(0, 6))
    do(s, "CK to 1")
    assert plain.winning_seats(CASCADE, s) == [0, 1]


# ---- what is hidden


def test_a_hand_is_seen_by_its_owner_and_by_nobody_else() -> None:
    s = begun(hands=("C2 C3 C4 C5", "D2 D3 D4 D5 D6"))
    assert [[hand(view(CASCADE, s, seat).state, owner) for owner in (0, 1)] for seat in everybody(s)] == [
        ["C2 C3 C4 C5", ""],
        ["", "D2 D3 D4 D5 D6"],
        ["", ""],
    ]


def test_nobody_sees_the_order_of_a_pack_its_owner_neither() -> None:
    s = begun()
    for seat in everybody(s):
        assert [set(deck[1:]) for deck in view(CASCADE, s, seat).state.deck[:2]] == [{NOTHING}, {NOTHING}]


def test_everyone_sees_the_size_of_each_hand_and_pack() -> None:
    s = begun()
    do(s, "draw")
    for seat in everybody(s):
        sizes = view(CASCADE, s, seat).sizes
        assert [sizes[Place("hand", 0)], sizes[Place("hand", 1)], sizes[Place("deck", 0)], sizes[Place("deck", 1)]] == [5, 5, 42, 42]


def test_everyone_sees_the_triangle_the_actions_left_and_the_cards_played() -> None:
    s = begun("S8 H8", ("D8", ""))
    do(s, "D8 to 1")
    for seat in everybody(s):
        masked = view(CASCADE, s, seat).state
        assert (masked.board, masked.laid, masked.actions, masked.played[:2]) == (s.board, s.laid, 2, [1, 0])


def test_only_the_player_in_turn_is_told_her_choices() -> None:
    s = begun()
    assert [view(CASCADE, s, seat).legal != 0 for seat in everybody(s)] == [True, False, False]


def test_a_drawn_card_is_seen_by_nobody_else() -> None:
    one, other = begun(then=("SK", "")), begun(then=("SQ", ""))
    do(one, "draw")
    do(other, "draw")
    assert view(CASCADE, one, 0).state != view(CASCADE, other, 0).state
    for seat in (1, ONLOOKER):
        assert view(CASCADE, one, seat).state == view(CASCADE, other, seat).state


def test_who_has_to_pass_has_an_empty_pack_so_that_her_hand_is_known_anyway() -> None:
    s = one_slot_left(packs=("C5 C6", ""), rest="hand")
    do(s, "draw")
    seen = view(CASCADE, s, ONLOOKER)
    assert in_pack(s, 1) == 0
    assert redeal(seen, [1]).hand[1] == s.hand[1]


# ---- refusals


def test_refused_plays_say_why() -> None:
    s = one_slot_left(hands=("C5", ""))
    assert "You do not hold K♠." in refusal(CASCADE, s, "play SK")
    assert "5♣ does not fit anywhere: it would be between the two cards above." in refusal(CASCADE, s, "play C5")


def test_a_refused_draw_says_that_the_pack_is_empty() -> None:
    assert "Your pack is empty." in refusal(CASCADE, one_slot_left(hands=("CK", ""), rest="hand"), "draw")


def earns(s: Cascade) -> dict[str, str]:
    """What the player in turn is told about the gains of her plays."""
    layout, words = layout_of(CASCADE), Words(CASCADE)
    assert layout.earns
    return {choice: words.say(message) for choice, message in layout.earns(view(CASCADE, s, s.turn).state).items()}


@pytest.mark.parametrize("parents", ["H5 S9", "S8 H8", "C6 C7", "H3 S2", "DQ HK"])
def test_what_a_play_would_earn_is_told_before_it_is_made(parents: str) -> None:
    for played in FRENCH:
        if played not in parents and 1 in columns_for(begun(parents, (played, "")), played):
            actions, drawn = bonus(parents, played)
            said = [f"+{many} {thing}" + "s" * (many > 1) for many, thing in ((actions, "action"), (drawn, "card")) if many]
            told = earns(begun(parents, (played, ""))).get(f"play {played}, column 1", "")
            assert told.partition(":")[0] == ", ".join(said)


def test_what_a_play_would_earn_comes_with_the_reason() -> None:
    s = begun("C6 C7 H7", ("C8 S7", ""))
    assert earns(s)["play C8, column 1"] == "+1 action, +3 cards: three in a row, same suit twice"
    assert earns(s)["play S7, column 2"] == "+2 actions: same value twice"
    do(s, "play C8")
    assert earns(s)["column 1"] == "+1 action, +3 cards: three in a row, same suit twice"
    assert set(earns(s)) <= allowed(s)


def test_no_more_cards_are_promised_than_the_pack_has() -> None:
    s = position([1] * 10, cells={(0, 0): "S6", (0, 1): "S7"}, hands=("S8", ""), packs=("HK", ""), rest="hand")
    assert earns(s)["play S8, column 1"] == "+1 action, +1 card: three in a row, same suit twice"


def test_a_draw_refused_for_an_empty_pack_costs_nothing() -> None:
    s = one_slot_left(hands=("CK", ""), rest="hand")
    before = plain.copy_of(s)
    refusal(CASCADE, s, "draw")
    assert s == before


def test_a_refused_column_says_why() -> None:
    s = begun("S5 H9 S2", ("C7", ""))
    do(s, "play C7")
    sentence = "7♣ does not fit there: the slot must be open and the card not between the two above it."
    assert sentence in refusal(CASCADE, s, "column 1")
    assert sentence in refusal(CASCADE, s, "column 10")


def test_something_else_than_a_choice_is_answered_with_what_is_allowed() -> None:
    assert refusal(CASCADE, one_slot_left(hands=("C5", "")), "pass") == "'pass' is not a choice here: allowed: draw."


def test_nothing_happens_after_the_end() -> None:
    s = one_slot_left(hands=("CK", ""), games=1)
    do(s, "CK to 1")
    assert "The match is over" in refusal(CASCADE, s, "draw")


@pytest.mark.parametrize("sizes", [[4], [4, 5, 6], [0, 5], [4, 14]])
def test_hand_sizes_are_one_to_thirteen_cards_for_each_player(sizes: list[int]) -> None:
    with pytest.raises(plain.Refused, match="hand_sizes is 2 whole numbers from 1 to 13"):
        plain.begin(CASCADE, 2, {"hand_sizes": sizes})
