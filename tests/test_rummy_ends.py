"""How a game of Rummy ends, and what it counts: one test for each sentence of the rule book."""

from positions import sheet_cells
from rummy_positions import FULL_TABLE, about_to_go_out, add, allowed, deal, discards, do, go_out, position, quiet_turn, refusal, stock, table

from kortlek.engine import plain
from kortlek.game import DEAL, OVER, SHUFFLE
from kortlek.games.rummy.rules import TURN
from kortlek.games.rummy.rules import RUMMY

FULL = ["C7 D7 H7 S7", "C8 D8 H8 S8"]
"""Melds that take no more cards."""


# ---- the end of a turn


def test_who_discards_the_last_card_wins() -> None:
    s = about_to_go_out("SK SQ")
    go_out(s)
    assert s.phase == OVER
    assert plain.winning_seats(RUMMY, s) == [0]


def test_the_game_goes_on_while_everyone_holds_a_card() -> None:
    s = position("C2 C3", "S3")
    do(s, "discard C2")
    assert (s.phase, s.turn) == (0, 1)


def test_the_game_is_drawn_if_every_meld_is_full_and_everyone_holds_fewer_than_three_cards() -> None:
    s = position("S3 S4", "C2 C3 C4", melds=FULL, laid=(0, 1), turn=1)
    do(s, "discard C2")
    assert s.phase == OVER
    assert plain.winning_seats(RUMMY, s) == []


def test_it_is_not_drawn_before_the_round_is_complete() -> None:
    s = position("C2 C3", "S3", melds=FULL, laid=(0, 1))
    do(s, "discard C2")
    assert (s.phase, s.turn) == (0, 1)
    quiet_turn(s)
    assert s.phase == OVER


def test_it_is_not_drawn_while_somebody_holds_three_cards() -> None:
    s = position("S3 S4 S5", "C2 C3", melds=FULL, laid=(0, 1), turn=1)
    do(s, "discard C2")
    assert s.phase != OVER


def test_it_is_not_drawn_while_a_meld_is_open() -> None:
    for open_meld in ("C9 D9 H9", "H7 H8 H9", "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA"):
        s = position("S3 S4", "C2 C3", melds=[*FULL, open_meld], laid=(0, 1), turn=1)
        do(s, "discard C2")
        assert s.phase != OVER


def test_sets_of_four_with_jokers_and_runs_of_fourteen_are_full() -> None:
    s = position("S3 S4", "C2 C3", melds=["H9 S9 JB JR", "JR H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA"], laid=(0, 1), turn=1)
    do(s, "discard C2")
    assert s.phase == OVER


def test_any_number_of_players_can_end_in_such_a_draw() -> None:
    s = position("S3 S4", "S5 S6", "C2 C3", melds=FULL, laid=(0, 1, 2), turn=2)
    do(s, "discard C2")
    assert s.phase == OVER


def test_three_full_sets_each_and_one_card_left_is_such_a_draw() -> None:
    sets = [f"C{rank} D{rank} H{rank} S{rank}" for rank in "456789"]
    s = position("S3", "C2 C3", melds=sets, laid=(0, 1), turn=1)
    do(s, "discard C2")
    assert plain.winning_seats(RUMMY, s) == []
    assert s.phase == OVER


def test_the_game_is_drawn_when_the_last_round_allowed_is_over() -> None:
    s = position("C2 C3 C4", "S3 S4 S5", lap=7, round_limit=7)
    do(s, "discard C2")
    assert s.phase != OVER
    quiet_turn(s)
    assert s.phase == OVER
    assert plain.winning_seats(RUMMY, s) == []


def test_a_round_is_a_turn_for_everyone_counted_from_the_starting_player() -> None:
    s = position("C2 C3 C4", "S3 S4 S5", "D3 D4 D5", turn=1, first=1, lap=7, round_limit=7)
    do(s, "discard S3")
    quiet_turn(s)
    assert (s.turn, s.phase) == (0, 0)
    quiet_turn(s)
    assert s.phase == OVER


def test_the_stock_is_made_anew_from_all_discards_but_the_top_one() -> None:
    s = position("C2 C3", "S3", rest="discards")
    before = discards(s)
    do(s, "discard C2")
    assert s.phase == SHUFFLE
    order = sorted(before.split(), reverse=True)
    do(s, f"deal {' '.join(order)}")
    assert discards(s) == "C2"
    assert stock(s).split() == order
    assert (s.turn, allowed(s)) == (1, {"draw stock"})


def test_the_stock_is_not_made_anew_while_a_card_is_left_in_it() -> None:
    s = position("C2 C3", "S3", rest="discards", stock="S9")
    do(s, "discard C2")
    assert (s.phase, stock(s)) == (0, "S9")


def test_the_stock_is_made_anew_only_at_the_end_of_a_turn() -> None:
    s = position("C2 C3", "S3", rest="discards", drawn=False, stock="S9")
    do(s, "draw stock")
    assert (s.phase, stock(s)) == (TURN, "")


def test_a_new_stock_must_have_exactly_those_discards() -> None:
    s = position("C2 C3", "S3", rest=1, discards="D4 D5 D6")
    do(s, "discard C2")
    assert "each of the 3 once" in refusal(s, "deal D4 D5 C2")
    assert "each of the 3 once" in refusal(s, "deal D4 D5")
    do(s, "deal D5 D4 D6")
    assert stock(s) == "D5 D4 D6"


def test_with_one_discard_there_is_nothing_to_make_a_stock_from() -> None:
    s = position("C2 C3", "S3", rest=0, laid=(0, 1))
    do(s, "discard C2")
    assert (s.phase, stock(s), discards(s)) == (0, "", "C2")


def test_a_game_in_which_the_next_player_cannot_draw_is_drawn() -> None:
    s = position("C2 C3", "S3", rest=0)
    do(s, "discard C2")
    assert s.phase == OVER
    assert plain.winning_seats(RUMMY, s) == []


def test_a_player_who_has_laid_must_then_take_the_only_discard_and_the_game_goes_on() -> None:
    s = position("C2 C3", "S3 S4", rest=0, laid=(0, 1))
    do(s, "discard C2")
    assert (s.turn, allowed(s)) == (1, {"draw discard"})
    do(s, "draw discard", "discard S3")
    assert (s.turn, allowed(s)) == (0, {"draw discard"})


def test_such_a_game_is_drawn_when_a_player_who_has_not_laid_comes_to_move() -> None:
    s = position("C2 C3", "S3 S4", rest=0, laid=(1,))
    do(s, "discard C2", "draw discard", "discard S3")
    assert s.phase == OVER
    assert plain.winning_seats(RUMMY, s) == []


def test_with_every_card_but_the_jokers_in_full_melds_the_game_is_drawn() -> None:
    s = position("JB", "JB JR JR", melds=FULL_TABLE, laid=(0, 1), turn=1)
    do(s, "discard JR")
    assert s.phase == OVER


# ---- the order of these checks


def test_the_last_card_is_looked_at_before_full_melds() -> None:
    s = position("S3", "S7 C2", melds=["C7 D7 H7"], laid=(0, 1), turn=1)
    add(s, "S7", 1)
    do(s, "discard C2")
    assert plain.winning_seats(RUMMY, s) == [1]
    assert s.score[:2] == [3, 0]


def test_the_last_card_is_looked_at_before_the_round_limit() -> None:
    s = position("S3 S4 S5", "S7 C2", melds=["C7 D7 H7"], laid=(0, 1), turn=1, lap=7, round_limit=7)
    add(s, "S7", 1)
    do(s, "discard C2")
    assert plain.winning_seats(RUMMY, s) == [1]


def test_the_last_card_is_looked_at_before_the_stock() -> None:
    s = position("S3 S4", "S7 C2", melds=["C7 D7 H7"], laid=(0, 1), turn=1, rest="discards")
    add(s, "S7", 1)
    do(s, "discard C2")
    assert s.phase == OVER


def test_full_melds_are_looked_at_before_the_stock() -> None:
    s = position("S3", "C2 C3", melds=FULL, laid=(0, 1), turn=1, rest="discards")
    do(s, "discard C2")
    assert s.phase == OVER


def test_the_round_limit_is_looked_at_before_the_stock() -> None:
    s = position("S3 S4 S5", "C2 C3 C4", turn=1, rest="discards", lap=7, round_limit=7)
    do(s, "discard C2")
    assert s.phase == OVER


def test_the_stock_is_made_anew_before_anybody_is_found_unable_to_draw() -> None:
    s = position("C2 C3", "S3", rest=0, discards="D4 D5")
    do(s, "discard C2", "deal D5 D4")
    assert (s.turn, allowed(s)) == (1, {"draw stock"})


# ---- scoring


def hand_lost(text: str) -> int:
    """The cost of a hand when another player goes out."""
    s = about_to_go_out(text)
    go_out(s)
    return s.score[1]


def test_the_winner_adds_nothing_which_is_shown_as_a_dash() -> None:
    s = about_to_go_out("SK")
    go_out(s)
    assert s.score[0] == 0
    assert sheet_cells(RUMMY, s) == ["–", "10"]


def test_everyone_else_adds_the_value_of_the_cards_in_hand() -> None:
    s = about_to_go_out("SK H5 D5", "CA JB")
    go_out(s)
    assert s.score[:3] == [0, 20, 31]


def test_in_hand_cards_count_their_pips_pictures_ten_and_an_ace_eleven() -> None:
    assert hand_lost("S2 S3 S4 S5 S6 S7 S8 S9 ST") == 54
    assert [hand_lost(card) for card in ("SJ", "SQ", "SK", "SA")] == [10, 10, 10, 11]


def test_an_ace_in_hand_counts_eleven_even_beside_a_two_and_three() -> None:
    assert hand_lost("SA S2 S3") == 16


def test_a_joker_in_hand_counts_twenty() -> None:
    assert [hand_lost("JB"), hand_lost("JR"), hand_lost("JB JB JR JR")] == [20, 20, 80]


def test_both_copies_of_a_card_in_hand_count() -> None:
    assert hand_lost("SK SK S9 S9") == 38


def test_in_a_drawn_game_all_hands_are_counted() -> None:
    s = position("S3 JB", "C2 C9 CK", melds=FULL, laid=(0, 1), turn=1)
    do(s, "discard C2")
    assert s.score[:2] == [23, 19]


# ---- sessions


def test_a_session_has_as_many_games_as_agreed() -> None:
    s = about_to_go_out("SK", games=2, lap=1, round_limit=1)
    go_out(s)
    assert s.phase == DEAL
    do(s, deal(""))
    quiet_turn(s)
    quiet_turn(s)
    assert s.phase == OVER


def test_a_new_game_begins_with_an_empty_table_and_nobody_having_laid() -> None:
    s = about_to_go_out("SK", games=2)
    go_out(s)
    do(s, deal(""))
    assert (table(s), discards(s), s.laid[:2], allowed(s)) == ([], "", [0, 0], {"draw stock"})


def test_points_of_the_games_are_added() -> None:
    s = about_to_go_out("SK", games=2, earlier=(50, 10))
    go_out(s)
    assert (s.points[:2], s.score[:2]) == ([0, 10], [50, 20])


def test_the_lowest_total_wins_a_session_whoever_won_the_last_game() -> None:
    s = about_to_go_out("SK", games=2, earlier=(50, 10))
    go_out(s)
    assert plain.winning_seats(RUMMY, s) == [1]


def test_equal_lowest_totals_share_the_win() -> None:
    s = about_to_go_out("SK", "SQ", games=2, earlier=(20, 10, 40))
    go_out(s)
    assert s.score[:3] == [20, 20, 50]
    assert plain.winning_seats(RUMMY, s) == [0, 1]


def test_a_session_with_a_drawn_game_is_decided_by_totals() -> None:
    s = position("S3 JB", "C2 C9 CK", melds=FULL, laid=(0, 1), turn=1, games=2, earlier=(0, 30))
    do(s, "discard C2")
    assert (s.phase, s.score[:2]) == (OVER, [23, 49])
    assert plain.winning_seats(RUMMY, s) == [0]


def test_a_drawn_single_game_has_no_winner() -> None:
    s = plain.begin(RUMMY, 2, {"round_limit": 1})
    do(s, deal(""))
    quiet_turn(s)
    quiet_turn(s)
    assert plain.winning_seats(RUMMY, s) == []


def test_rounds_are_counted_from_the_starting_player_of_each_game() -> None:
    s = about_to_go_out("SK", games=2)
    go_out(s)
    do(s, deal(""))
    laps = []
    for _ in range(4):
        laps.append((s.turn, s.lap))
        quiet_turn(s)
    assert laps == [(1, 1), (0, 1), (1, 2), (0, 2)]
