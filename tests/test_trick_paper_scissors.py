"""TrickPaperScissors, one test for each sentence of its rule book (src/kortlek/games/trick_paper_scissors/rules.en.md)."""

from typing import Any

import pytest
from positions import allowed, cards, everybody, hands_for, happens, play_tricks, refusal, sheet_cells, tricks_won_by
from positions import deal as deal_in_order

from kortlek.cards import lowest, say, size
from kortlek.engine import plain
from kortlek.engine.views import view
from kortlek.game import DEAL, LOTS, OVER
from kortlek.words.words import Words
from kortlek.games.trick_paper_scissors import rules as trick_paper_scissors
from kortlek.games.trick_paper_scissors.rules import CARDS, NOTHING_YET, PLAY, VALUE
from kortlek.games.trick_paper_scissors.rules import TRICK_PAPER_SCISSORS

ROCK, PAPER, SCISSORS = range(3)
LEADS = [("R", "P", "S"), ("P", "S", "R"), ("S", "R", "P")]
"""The suit led, the trump, the third suit."""


def begin(players: int = 4, **options: object) -> Any:
    """A match before its first event."""
    return plain.begin(TRICK_PAPER_SCISSORS, players, options)


def deal(s: Any, *hands: str, aside: str = "") -> None:
    """Deal these hands, by seat, filled up from the rest of the pack, and set these cards aside."""
    deal_in_order(TRICK_PAPER_SCISSORS, s, hands, first=(s.dealer + 1) % s.players, size=36 // s.players, then=aside)


def dealt(*hands: str, aside: str = "", **options: object) -> Any:
    """A deal with these hands, by seat; seat 0 leads unless an option says otherwise."""
    s = begin(len(hands), **options)
    deal(s, *hands, aside=aside)
    return s


def run(suit: str, low: int, high: int) -> str:
    """The cards of a suit from one rank to another."""
    return " ".join(f"{suit}{rank}" for rank in range(low, high + 1))


def play(s: Any, *names: str) -> None:
    """Play these cards in turn."""
    for name in names:
        happens(TRICK_PAPER_SCISSORS, s, f"play {name}")


def points(s: Any) -> list[tuple[int, int, int]]:
    """The points of each player in rock, paper and scissors."""
    return list(zip(s.rock[: s.players], s.paper[: s.players], s.scissors[: s.players], strict=True))


def merry_go_round() -> Any:
    """A deal in which every trick is won by a trump: paper (seat 1), scissors (seat 2), rock (seat 0), and again, three times.

    Seats 0, 1 and 2 hold one suit each; seat 3 has three of each and can always follow."""
    return dealt(run("R", 1, 9), run("P", 1, 9), run("S", 1, 9), "R10 R11 R12 P10 P11 P12 S10 S11 S12", aside="R13 P13 S13")


def play_until_a_value_is_chosen(s: Any) -> None:
    """Everyone plays her lowest legal card until a trick has been won by a trump."""
    while s.phase == PLAY:
        plain.step(TRICK_PAPER_SCISSORS, s, lowest(TRICK_PAPER_SCISSORS.legal(s)))


EIGHT_TRICKS = tricks_won_by(TRICK_PAPER_SCISSORS, 4, [0, 0, 0, 1, 1, 1, 2, 2])
LAST_TRICK = ["P13", "S10", "S9", "R13"]
"""Seat 0 wins 1 + 2 + 2 points in rock, seat 1 as many in paper, seat 2 1 + 2 in scissors. Seat 2 leads to the last trick; seat 3 trumps it."""


def deal_eight_tricks_and_a_trump(s: Any) -> None:
    """Deal and play the nine tricks above, up to the choice of the value of rock by seat 3."""
    deal(s, *hands_for([*EIGHT_TRICKS, LAST_TRICK]))
    play_tricks(TRICK_PAPER_SCISSORS, s, [*EIGHT_TRICKS, LAST_TRICK])


# ---- players, pack, deal


def test_it_is_for_four_players_and_three_are_a_marked_house_variant() -> None:
    assert list(TRICK_PAPER_SCISSORS.players) == [3, 4]
    assert "house variant" in Words(TRICK_PAPER_SCISSORS).text("variant-3")
    for players in (2, 5):
        with pytest.raises(plain.Refused, match=f"TrickPaperScissors is for 3 to 4 players, not {players}"):
            begin(players)


def test_the_39_cards_are_rock_paper_and_scissors_from_1_to_13() -> None:
    assert " ".join(CARDS) == f"{run('R', 1, 13)} {run('P', 1, 13)} {run('S', 1, 13)}"
    assert TRICK_PAPER_SCISSORS.pack.names == CARDS
    assert TRICK_PAPER_SCISSORS.pack.copies == 1


def test_nine_cards_each_and_the_last_three_are_set_aside() -> None:
    s = begin()
    happens(TRICK_PAPER_SCISSORS, s, "deal " + " ".join(CARDS))
    assert [size(hand) for hand in s.hand[:4]] == [9, 9, 9, 9]
    assert s.rest == cards(TRICK_PAPER_SCISSORS, "S11 S12 S13")


def test_cards_are_dealt_one_at_a_time_clockwise_from_the_player_after_the_dealer() -> None:
    s = begin(first_dealer=1)
    happens(TRICK_PAPER_SCISSORS, s, "deal " + " ".join(CARDS))
    assert s.hand[2] == cards(TRICK_PAPER_SCISSORS, "R1 R5 R9 R13 P4 P8 P12 S3 S7")
    assert s.hand[3] == cards(TRICK_PAPER_SCISSORS, "R2 R6 R10 P1 P5 P9 P13 S4 S8")
    assert s.hand[1] == cards(TRICK_PAPER_SCISSORS, "R4 R8 R12 P3 P7 P11 S2 S6 S10")


def test_all_39_cards_are_shuffled() -> None:
    assert sorted(plain.to_shuffle(TRICK_PAPER_SCISSORS, begin())) == list(range(39))


def test_every_suit_starts_with_the_value_1_and_everybody_with_no_points() -> None:
    s = begin()
    assert s.value == [1, 1, 1]
    happens(TRICK_PAPER_SCISSORS, s, "deal " + " ".join(CARDS))
    assert s.value == [1, 1, 1]
    assert points(s) == [(0, 0, 0)] * 4


def test_the_player_in_the_last_seat_deals_and_the_player_after_the_dealer_leads() -> None:
    s = begin()
    assert s.dealer == 3
    happens(TRICK_PAPER_SCISSORS, s, "deal " + " ".join(CARDS))
    assert s.turn == s.leader == 0


def test_first_dealer_may_name_a_seat() -> None:
    for seat in range(4):
        s = begin(first_dealer=seat)
        assert s.phase == DEAL
        happens(TRICK_PAPER_SCISSORS, s, "deal " + " ".join(CARDS))
        assert s.turn == (seat + 1) % 4


def test_a_random_first_dealer_is_the_first_seat_drawn_by_lot() -> None:
    for seat in range(4):
        s = begin(first_dealer="random")
        assert s.phase == LOTS
        happens(TRICK_PAPER_SCISSORS, s, " ".join(["lots", str(seat), *(str(other) for other in range(4) if other != seat)]))
        assert s.phase == DEAL
        happens(TRICK_PAPER_SCISSORS, s, "deal " + " ".join(CARDS))
        assert s.turn == (seat + 1) % 4


# ---- a trick


@pytest.mark.parametrize(("led", "trump", "third"), LEADS)
def test_paper_trumps_rock_scissors_trump_paper_and_rock_trumps_scissors(led: str, trump: str, third: str) -> None:
    s = dealt(f"{led}13", run(trump, 1, 9), f"{led}2", f"{led}3")
    play(s, f"{led}13", f"{trump}1", f"{led}2", f"{led}3")
    assert s.phase == VALUE
    assert s.turn == 1
    happens(TRICK_PAPER_SCISSORS, s, "value 1")
    assert s.taken[:4] == [0, 1, 0, 0]


@pytest.mark.parametrize(("led", "trump", "third"), LEADS)
def test_the_third_suit_never_wins(led: str, trump: str, third: str) -> None:
    s = dealt(f"{led}3", run(third, 5, 13), f"{led}1", f"{led}2")
    play(s, f"{led}3", f"{third}13", f"{led}1", f"{led}2")
    assert s.phase == PLAY
    assert s.taken[:4] == [1, 0, 0, 0]


@pytest.mark.parametrize(("led", "trump", "third"), LEADS)
def test_the_third_suit_does_not_beat_a_trump_either(led: str, trump: str, third: str) -> None:
    s = dealt(f"{led}3", run(trump, 1, 9), run(third, 5, 13), f"{led}2")
    play(s, f"{led}3", f"{trump}1", f"{third}13", f"{led}2")
    assert s.phase == VALUE
    assert s.turn == 1


@pytest.mark.parametrize(("led", "trump", "third"), LEADS)
def test_the_highest_trump_wins(led: str, trump: str, third: str) -> None:
    low, high = run(trump, 1, 9), f"{run(trump, 10, 13)} {run(third, 1, 5)}"
    s = dealt(f"{led}13", low, high, f"{led}2")
    play(s, f"{led}13", f"{trump}9", f"{trump}10", f"{led}2")
    assert s.turn == 2
    s = dealt(f"{led}13", high, low, f"{led}2")
    play(s, f"{led}13", f"{trump}10", f"{trump}9", f"{led}2")
    assert s.turn == 1


@pytest.mark.parametrize(("led", "trump", "third"), LEADS)
def test_without_trumps_the_highest_card_of_the_suit_led_wins(led: str, trump: str, third: str) -> None:
    for low in range(1, 11):
        s = dealt(f"{led}{low + 1}", f"{led}{low + 3}", f"{led}{low}", f"{led}{low + 2}")
        play(s, f"{led}{low + 1}", f"{led}{low + 3}", f"{led}{low}", f"{led}{low + 2}")
        assert s.taken[:4] == [0, 1, 0, 0]


def test_the_trump_is_for_one_trick_only() -> None:
    s = merry_go_round()
    play_until_a_value_is_chosen(s)
    happens(TRICK_PAPER_SCISSORS, s, "value 1")
    assert s.turn == 1
    play(s, "P9", "S2", "P11", "R9")
    assert s.phase == VALUE
    assert s.turn == 2, "after a lead of paper, scissors are trump: paper no longer is"
    assert s.trump == SCISSORS


def test_the_leader_plays_any_card() -> None:
    s = dealt("R1 R2 R3 P1 P2 P3 S1 S2 S3", "", "", "")
    assert allowed(TRICK_PAPER_SCISSORS, s) == "R1 R2 R3 P1 P2 P3 S1 S2 S3"


def test_who_has_the_suit_led_must_play_it() -> None:
    s = dealt("R1", "R2 R3 P4 P5 P6 P7 P8 S9 S10", "", "")
    play(s, "R1")
    assert allowed(TRICK_PAPER_SCISSORS, s) == "R2 R3"


def test_who_has_none_of_it_plays_any_card_and_never_has_to_trump() -> None:
    s = dealt("R1", "P4 P5 P6 P7 P8 S9 S10 S11 S12", "", "")
    play(s, "R1")
    assert allowed(TRICK_PAPER_SCISSORS, s) == "P4 P5 P6 P7 P8 S9 S10 S11 S12"


def test_the_others_follow_clockwise() -> None:
    s = dealt("R1", "R2", "R3", "R4", first_dealer=1)
    turns = []
    for name in ("R3", "R4", "R1", "R2"):
        turns.append(s.turn)
        play(s, name)
    assert turns == [2, 3, 0, 1]


def test_the_winner_leads_to_the_next_trick_when_it_was_won_with_the_suit_led() -> None:
    s = dealt("R1", "R2", "R9", "R4")
    play(s, "R1", "R2", "R9", "R4")
    assert s.phase == PLAY
    assert s.turn == s.leader == 2


def test_the_winner_leads_to_the_next_trick_when_it_was_won_with_a_trump() -> None:
    s = merry_go_round()
    play_until_a_value_is_chosen(s)
    happens(TRICK_PAPER_SCISSORS, s, "value 2")
    assert s.phase == PLAY
    assert s.turn == s.leader == 1


# ---- won with the suit led: points


def test_in_the_worked_example_rock_11_wins_and_scores_one_point_in_rock() -> None:
    s = dealt("R7", "R3", "R11", "S13 P1 P2 P3 P4 P5 P6 P7 P8")
    play(s, "R7", "R3", "R11", "S13")
    assert s.taken[:4] == [0, 0, 1, 0]
    assert points(s) == [(0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 0)]
    assert s.phase == PLAY


def test_in_the_worked_example_with_paper_1_nobody_scores_and_its_player_may_set_the_value_of_paper() -> None:
    s = dealt("R7", "R3", "R11", "S13 P1 P2 P3 P4 P5 P6 P7 P8")
    play(s, "R7", "R3", "R11", "P1")
    assert s.phase == VALUE
    assert s.turn == 3
    assert s.trump == PAPER
    assert allowed(TRICK_PAPER_SCISSORS, s) == "-1 1 2"
    assert points(s) == [(0, 0, 0)] * 4
    happens(TRICK_PAPER_SCISSORS, s, "value 2")
    assert points(s) == [(0, 0, 0)] * 4
    assert s.value == [1, 2, 1]
    assert s.taken[:4] == [0, 0, 0, 1]


STARS = {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2, 10: 3, 11: 3, 12: 3, 13: 3}


@pytest.mark.parametrize("low", range(1, 11))
def test_the_winner_scores_the_stars_of_the_lowest_card_of_the_suit_led(low: int) -> None:
    for at in range(3):
        ranks = [low + 1, low + 2]
        ranks.insert(at, low)
        names = [f"R{rank}" for rank in (*ranks, low + 3)]
        s = dealt(*names)
        play(s, *names)
        assert points(s) == [(0, 0, 0), (0, 0, 0), (0, 0, 0), (STARS[low], 0, 0)]


@pytest.mark.parametrize("rank", range(1, 14))
def test_1_to_4_have_one_star_5_to_9_two_and_10_to_13_three(rank: int) -> None:
    twelve_rocks = run("R", 1, 12) if rank < 13 else run("R", 2, 13)
    s = dealt(twelve_rocks, f"{run('P', 1, 6)} {run('S', 1, 6)}", f"{run('P', 7, 12)} {run('S', 7, 12)}")
    play(s, f"R{rank}", "S1", "S12")
    assert points(s) == [(STARS[rank], 0, 0), (0, 0, 0), (0, 0, 0)]


def test_if_only_one_card_of_the_suit_led_was_played_its_own_stars_count() -> None:
    s = dealt(run("R", 2, 10), f"R1 {run('P', 1, 4)} {run('S', 1, 4)}", f"{run('P', 5, 8)} {run('S', 5, 9)}", f"{run('P', 9, 13)} {run('S', 10, 13)}")
    play(s, "R2", "R1", "S5", "S10")
    assert points(s)[0] == (1, 0, 0)
    play(s, "R10", "S1", "S6", "S11")
    assert points(s)[0] == (1 + 3, 0, 0)


@pytest.mark.parametrize(("led", "trump", "third"), LEADS)
def test_cards_of_the_third_suit_do_not_count_when_looking_for_the_lowest(led: str, trump: str, third: str) -> None:
    s = dealt(f"{led}10", run(third, 1, 9), f"{led}11", f"{led}12")
    play(s, f"{led}10", f"{third}1", f"{led}11", f"{led}12")
    assert sum(points(s)[3]) == 3


@pytest.mark.parametrize(("led", "scored"), [("R", (2, 0, 0)), ("P", (0, 2, 0)), ("S", (0, 0, 2))])
def test_points_are_recorded_in_the_suit_led(led: str, scored: tuple[int, int, int]) -> None:
    s = dealt(f"{led}5", f"{led}6", f"{led}7", f"{led}8")
    play(s, f"{led}5", f"{led}6", f"{led}7", f"{led}8")
    assert points(s) == [(0, 0, 0), (0, 0, 0), (0, 0, 0), scored]


def test_points_add_up_from_trick_to_trick() -> None:
    s = begin()
    deal_eight_tricks_and_a_trump(s)
    assert points(s) == [(5, 0, 0), (0, 5, 0), (0, 0, 3), (0, 0, 0)]


def test_a_lead_win_changes_no_value_and_asks_for_none() -> None:
    s = dealt("R1", "R2", "R9", "R4")
    play(s, "R1", "R2", "R9", "R4")
    assert s.phase == PLAY
    assert s.value == [1, 1, 1]


# ---- won with a trump: value


def test_a_trump_win_scores_nothing() -> None:
    s = merry_go_round()
    for _ in range(9):
        play_until_a_value_is_chosen(s)
        happens(TRICK_PAPER_SCISSORS, s, "value 1")
        assert points(s) == [(0, 0, 0)] * 4
    assert s.phase == OVER
    assert s.score[:4] == [0, 0, 0, 0]


def test_it_is_the_value_of_the_trump_suit_that_moves() -> None:
    s = merry_go_round()
    for expected in ([1, 2, 1], [1, 2, 2], [2, 2, 2]):
        play_until_a_value_is_chosen(s)
        happens(TRICK_PAPER_SCISSORS, s, "value 2")
        assert s.value == expected


def test_a_value_moves_one_step_between_minus_1_1_and_2_or_is_left() -> None:
    ladder = {-1: "-1 1", 1: "-1 1 2", 2: "1 2"}
    s = merry_go_round()
    met = set()
    for chosen in (2, -1, 1, 2, 1, -1, 1, -1, -1):
        play_until_a_value_is_chosen(s)
        now = s.value[s.trump]
        met.add(now)
        assert allowed(TRICK_PAPER_SCISSORS, s) == ladder[now]
        happens(TRICK_PAPER_SCISSORS, s, f"value {chosen}")
    assert met == {-1, 1, 2}
    assert s.value == [-1, 1, -1]


@pytest.mark.parametrize(("now", "after"), [(-1, -1), (-1, 1), (1, -1), (1, 1), (1, 2), (2, 1), (2, 2)])
def test_every_step_of_the_ladder_sets_the_value_that_was_named(now: int, after: int) -> None:
    s = merry_go_round()
    s.value[PAPER] = now
    play_until_a_value_is_chosen(s)
    happens(TRICK_PAPER_SCISSORS, s, f"value {after}")
    assert s.value == [1, after, 1]


def test_leaving_the_value_alone_is_a_choice() -> None:
    for now in (-1, 1, 2):
        s = merry_go_round()
        s.value[PAPER] = now
        play_until_a_value_is_chosen(s)
        happens(TRICK_PAPER_SCISSORS, s, f"value {now}")
        assert s.value == [1, now, 1]
        assert s.phase == PLAY


def test_there_is_no_0_on_the_ladder_and_no_step_of_two() -> None:
    s = merry_go_round()
    s.value[PAPER] = 2
    play_until_a_value_is_chosen(s)
    assert "allowed: value 1, value 2." in refusal(TRICK_PAPER_SCISSORS, s, "value 0")
    assert "The value of paper is 2 and moves at most one step on the ladder -1, 1, 2." in refusal(TRICK_PAPER_SCISSORS, s, "value -1")
    s.value[PAPER] = -1
    assert "The value of paper is -1 and moves at most one step on the ladder -1, 1, 2." in refusal(TRICK_PAPER_SCISSORS, s, "value 2")


def test_the_choice_comes_after_the_last_trick_too() -> None:
    s = begin()
    deal_eight_tricks_and_a_trump(s)
    assert s.hand[:4] == [0, 0, 0, 0]
    assert s.phase == VALUE
    assert s.turn == 3
    assert s.trump == ROCK
    assert s.result[:4] == [NOTHING_YET] * 4
    happens(TRICK_PAPER_SCISSORS, s, "value 1")
    assert s.phase == OVER


def test_values_are_shared_by_all_players_and_public() -> None:
    s = merry_go_round()
    play_until_a_value_is_chosen(s)
    happens(TRICK_PAPER_SCISSORS, s, "value 2")
    for seat in everybody(s):
        assert view(TRICK_PAPER_SCISSORS, s, seat).state.value == [1, 2, 1]


# ---- the end


def test_the_game_ends_after_nine_tricks() -> None:
    s = begin()
    tricks = tricks_won_by(TRICK_PAPER_SCISSORS, 4, [0, 1, 2, 3, 0, 1, 2, 3, 0])
    deal(s, *hands_for(tricks))
    play_tricks(TRICK_PAPER_SCISSORS, s, tricks[:8])
    assert s.phase == PLAY
    play_tricks(TRICK_PAPER_SCISSORS, s, tricks[8:])
    assert s.phase == OVER
    assert s.taken[:4] == [3, 2, 2, 2]


@pytest.mark.parametrize(("value", "scores"), [(-1, [-5, 5, 3, 0]), (1, [5, 5, 3, 0]), (2, [10, 5, 3, 0])])
def test_points_are_worth_the_final_value_even_if_it_was_set_after_the_last_trick(value: int, scores: list[int]) -> None:
    s = begin()
    deal_eight_tricks_and_a_trump(s)
    happens(TRICK_PAPER_SCISSORS, s, f"value {value}")
    assert s.result[:4] == s.score[:4] == scores


def test_only_the_final_values_count_and_not_those_when_the_points_were_won() -> None:
    s = begin()
    deal(s, *hands_for([*EIGHT_TRICKS, LAST_TRICK]))
    s.value[ROCK] = 2
    play_tricks(TRICK_PAPER_SCISSORS, s, [*EIGHT_TRICKS, LAST_TRICK])
    happens(TRICK_PAPER_SCISSORS, s, "value 1")
    assert s.score[:4] == [5, 5, 3, 0]


@pytest.mark.parametrize(("paper", "scores", "winners"), [(-1, [5, -3, 1, 2], [0]), (2, [5, 6, 4, 2], [1])])
def test_the_score_is_the_sum_of_points_times_value_over_the_suits(paper: int, scores: list[int], winners: list[int]) -> None:
    s = begin()
    s.value = [2, paper, 1]
    s.rock[:4], s.paper[:4], s.scissors[:4] = [2, 0, 1, 0], [0, 3, 1, 0], [1, 0, 0, 2]
    trick_paper_scissors.score(s)
    assert s.score[:4] == scores
    assert sheet_cells(TRICK_PAPER_SCISSORS, s) == [str(score) for score in scores]
    assert plain.winning_seats(TRICK_PAPER_SCISSORS, s) == winners


def test_the_highest_score_wins() -> None:
    s = begin()
    deal_eight_tricks_and_a_trump(s)
    happens(TRICK_PAPER_SCISSORS, s, "value 2")
    assert plain.winning_seats(TRICK_PAPER_SCISSORS, s) == [0]


def test_equal_highest_scores_share_the_win() -> None:
    s = begin()
    deal_eight_tricks_and_a_trump(s)
    happens(TRICK_PAPER_SCISSORS, s, "value 1")
    assert plain.winning_seats(TRICK_PAPER_SCISSORS, s) == [0, 1]


# ---- a match of several deals


def test_one_deal_is_a_match_unless_the_option_says_otherwise() -> None:
    assert begin().deals == 1
    for deals in (1, 2, 3):
        s = begin(deals=deals)
        for _ in range(deals):
            assert s.phase == DEAL
            deal_eight_tricks_and_a_trump(s)
            happens(TRICK_PAPER_SCISSORS, s, "value 1")
        assert s.phase == OVER


def test_every_deal_starts_afresh_with_value_1_and_no_points() -> None:
    s = begin(deals=2)
    deal_eight_tricks_and_a_trump(s)
    happens(TRICK_PAPER_SCISSORS, s, "value -1")
    assert s.value == [-1, 1, 1]
    deal(s, *hands_for([*EIGHT_TRICKS, LAST_TRICK]))
    assert s.value == [1, 1, 1]
    assert points(s) == [(0, 0, 0)] * 4
    assert s.result[:4] == [NOTHING_YET] * 4


def test_the_scores_of_the_deals_are_added() -> None:
    s = begin(deals=2)
    deal_eight_tricks_and_a_trump(s)
    happens(TRICK_PAPER_SCISSORS, s, "value -1")
    assert s.score[:4] == [-5, 5, 3, 0]
    deal_eight_tricks_and_a_trump(s)
    happens(TRICK_PAPER_SCISSORS, s, "value 2")
    assert s.result[:4] == [10, 5, 3, 0]
    assert s.score[:4] == [5, 10, 6, 0]
    assert plain.winning_seats(TRICK_PAPER_SCISSORS, s) == [1]


def test_the_deal_moves_clockwise_so_that_with_as_many_deals_as_players_everybody_deals_once() -> None:
    for first, dealers in (("last_seat", [3, 0, 1, 2]), (1, [1, 2, 3, 0])):
        s = begin(deals=4, first_dealer=first)
        met = []
        while s.phase == DEAL:
            met.append(s.dealer)
            deal(s, *hands_for([*EIGHT_TRICKS, LAST_TRICK]))
            assert s.turn == (met[-1] + 1) % 4
            play_tricks(TRICK_PAPER_SCISSORS, s, [*EIGHT_TRICKS, LAST_TRICK])
            happens(TRICK_PAPER_SCISSORS, s, "value 1")
        assert met == dealers


# ---- three players


def test_three_players_have_twelve_cards_each_and_three_are_set_aside() -> None:
    s = begin(3)
    happens(TRICK_PAPER_SCISSORS, s, "deal " + " ".join(CARDS))
    assert [size(hand) for hand in s.hand[:3]] == [12, 12, 12]
    assert s.rest == cards(TRICK_PAPER_SCISSORS, "S11 S12 S13")


def test_three_players_play_twelve_tricks() -> None:
    s = begin(3)
    tricks = tricks_won_by(TRICK_PAPER_SCISSORS, 3, [0, 1, 2] * 4)
    deal(s, *hands_for(tricks))
    play_tricks(TRICK_PAPER_SCISSORS, s, tricks[:11])
    assert s.phase == PLAY
    play_tricks(TRICK_PAPER_SCISSORS, s, tricks[11:])
    assert s.phase == OVER
    assert s.taken[:3] == [4, 4, 4]


# ---- the stars


BANDS = "1-4:1 5-9:2 10-13:3"
LISTED = [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]


def test_the_star_table_may_be_written_as_a_list_or_in_bands() -> None:
    for written in (LISTED, tuple(LISTED), "1,1,1,1,2,2,2,2,2,3,3,3,3", "1 1 1 1 2 2 2 2 2 3 3 3 3", BANDS, "1-4:1,5-9:2,10-13:3"):
        assert begin(stars=written).stars == LISTED
    assert begin().stars == LISTED
    assert begin(stars="1:5 2-13:0").stars == [5] + [0] * 12


def test_the_stars_that_are_scored_are_those_of_the_option() -> None:
    for stars, expected in (("1-4:1 5-9:2 10-13:3", 1), ([0, 0, 7] + [1] * 10, 7), ([9, 9, 0] + [9] * 10, 0)):
        s = dealt("R7", "R3", "R11", "R4", stars=stars)
        play(s, "R7", "R3", "R11", "R4")
        assert points(s)[2] == (expected, 0, 0)
        assert s.phase == PLAY


WRONG_BANDS = ["1-4:1 5-9:2", "1-4:1 6-13:2", "1-4:1 4-13:2", "5-13:2 1-4:1", "1-14:1", "1-13", "1-13:x", "1-13:", "4-1:1 5-13:2", "1-999999999:1"]


@pytest.mark.parametrize("wrong", [*WRONG_BANDS, [1] * 12, [1] * 14, [1] * 13 + ["x"], "", "many", 3, None])
def test_a_star_table_that_is_not_one_for_each_rank_is_refused(wrong: object) -> None:
    with pytest.raises(plain.Refused, match="stars is 13 whole numbers from 0 to 9, separated by commas"):
        begin(stars=wrong)


@pytest.mark.parametrize("wrong", [[-1] + [1] * 12, [10] + [1] * 12, [1.5] + [1] * 12, [True] * 13])
def test_a_star_table_with_impossible_stars_is_refused(wrong: object) -> None:
    with pytest.raises(plain.Refused, match="stars is 13 whole numbers from 0 to 9"):
        begin(stars=wrong)


# ---- what is hidden


def test_hands_are_seen_by_their_owners_alone() -> None:
    s = merry_go_round()
    for seat in everybody(s):
        sight = view(TRICK_PAPER_SCISSORS, s, seat).state
        assert sight.hand[:4] == [s.hand[other] if other == seat else 0 for other in range(4)]


def test_the_three_cards_set_aside_face_down_are_seen_by_nobody() -> None:
    s = merry_go_round()
    assert s.rest == cards(TRICK_PAPER_SCISSORS, "R13 P13 S13")
    for seat in everybody(s):
        sight = view(TRICK_PAPER_SCISSORS, s, seat).state
        assert sight.rest == 0
        assert sight.discard == 0


def test_the_three_cards_set_aside_face_up_are_seen_by_everybody_from_the_start() -> None:
    s = dealt(run("R", 1, 9), run("P", 1, 9), run("S", 1, 9), "", aside="R13 P13 S13", discard_face_up="yes")
    assert s.rest == 0
    for seat in everybody(s):
        assert say(view(TRICK_PAPER_SCISSORS, s, seat).state.discard, CARDS) == "R13 P13 S13"


def test_the_cards_set_aside_take_no_part() -> None:
    for face_up in ("no", "yes"):
        s = dealt(run("R", 1, 9), run("P", 1, 9), run("S", 1, 9), "", aside="R13 P13 S13", discard_face_up=face_up)
        while s.phase != OVER:
            assert not any(hand & cards(TRICK_PAPER_SCISSORS, "R13 P13 S13") for hand in s.hand)
            plain.step(TRICK_PAPER_SCISSORS, s, lowest(TRICK_PAPER_SCISSORS.legal(s)))
        assert s.gone | cards(TRICK_PAPER_SCISSORS, "R13 P13 S13") == cards(TRICK_PAPER_SCISSORS, " ".join(CARDS))
        assert s.discard | s.rest == cards(TRICK_PAPER_SCISSORS, "R13 P13 S13")


def test_played_cards_and_all_points_are_public() -> None:
    s = dealt("R7", "R3", "R11", "R4")
    play(s, "R7", "R3", "R11", "R4")
    for seat in everybody(s):
        sight = view(TRICK_PAPER_SCISSORS, s, seat).state
        assert sight.gone == cards(TRICK_PAPER_SCISSORS, "R3 R4 R7 R11")
        assert points(sight) == [(0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 0)]


def test_nothing_that_a_seat_sees_depends_on_the_hands_of_others_or_on_what_is_set_aside() -> None:
    one = dealt(run("R", 1, 9), run("P", 1, 9), run("S", 1, 9), "R10 R11 R12 P10 P11 P12 S10 S11 S12", aside="R13 P13 S13")
    other = dealt(run("R", 1, 9), run("S", 1, 9), "R13 P13 S13 P10 P11 P12 S10 S11 S12", run("P", 1, 9), aside="R10 R11 R12")
    assert view(TRICK_PAPER_SCISSORS, one, 0) == view(TRICK_PAPER_SCISSORS, other, 0)
    assert view(TRICK_PAPER_SCISSORS, one, -1) == view(TRICK_PAPER_SCISSORS, other, -1)


# ---- what is refused, and what the sentence says


def test_not_following_suit_is_refused_with_the_cards_that_may_be_played() -> None:
    s = dealt("R1", "R2 R3 P4 P5 P6 P7 P8 S9 S10", "", "")
    play(s, "R1")
    assert "follow suit: play one of rock 2, rock 3." in refusal(TRICK_PAPER_SCISSORS, s, "play P4")


def test_a_text_that_is_no_choice_here_is_refused_with_the_choices() -> None:
    s = dealt("R1", "R2 R3 P4 P5 P6 P7 P8 S9 S10", "", "")
    play(s, "R1")
    for text in ("value 1", "play HQ", "play R14", "play R2 "):
        assert "allowed: play R2, play R3." in refusal(TRICK_PAPER_SCISSORS, s, text)
