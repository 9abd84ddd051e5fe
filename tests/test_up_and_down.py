"""Up and Down, one test for each sentence of its rule book (src/kortlek/games/up_and_down/rules.en.md)."""

import itertools
from collections.abc import Sequence
from typing import Any

import pytest
from positions import allowed, cards, everybody, hands_for, happens, play_tricks, refusal, sheet_cells, tricks_won_by
from positions import deal as deal_in_order

from kortlek.cards import FRENCH, NOTHING, card, lowest, say, size, suit_of
from kortlek.engine import plain
from kortlek.engine.views import ONLOOKER, view
from kortlek.game import DEAL, LOTS, OVER
from kortlek.games.up_and_down.rules import BET, PLAY
from kortlek.games.up_and_down.rules import UP_AND_DOWN

ALICE, BOB, CAROL = range(3)


def begin(players: int = 3, **options: object) -> Any:
    """A match before its first event; seat 0 starts unless an option says otherwise."""
    return plain.begin(UP_AND_DOWN, players, {"first_bettor": 0, **options})


def round_of(hands: int, players: int = 3, **options: object) -> Any:
    """Before the round with this number of hands on the way up; the player who starts the match bets first."""
    s = begin(players, **{"largest_round": max(hands, 3), **options})
    s.round = hands - 1
    return s


def deal(s: Any, *hands: str, mesa: str) -> None:
    """Deal these hands, by seat, and turn up this card."""
    deal_in_order(UP_AND_DOWN, s, hands, first=s.first, then=mesa)


def dealt(*hands: str, mesa: str, **options: object) -> Any:
    """A round with these hands, by seat, and this card turned up; seat 0 bets first unless an option says otherwise."""
    s = round_of(len(hands[0].split()), len(hands), **options)
    deal(s, *hands, mesa=mesa)
    return s


def bet(s: Any, bets: Sequence[int]) -> None:
    """Everyone makes her bet; ``bets`` are by seat."""
    for _ in range(s.players):
        happens(UP_AND_DOWN, s, f"bet {bets[s.turn]}")


def play_round(s: Any, bets: Sequence[int], wins: Sequence[int]) -> None:
    """A whole round from the deal, in which these are the bets and the hands won by each seat."""
    winners = [seat for seat, won in enumerate(wins) for _ in range(won)]
    planned = tricks_won_by(UP_AND_DOWN, s.players, winners)
    deal(s, *hands_for(planned), mesa="SA")
    bet(s, bets)
    play_tricks(UP_AND_DOWN, s, planned)


def play_anyhow(s: Any) -> list[tuple[int, int]]:
    """Play to the end of the match, always the first legal choice; return the number of hands of each round, and who bet first in it."""
    rounds = []
    while s.phase != OVER:
        if s.phase == DEAL:
            plain.step(UP_AND_DOWN, s, tuple(range(52)))
            rounds.append((s.hand_size, s.turn))
        else:
            plain.step(UP_AND_DOWN, s, lowest(UP_AND_DOWN.legal(s)))
    return rounds


# ---- players, pack, rounds


def test_two_to_ten_players() -> None:
    for players in range(2, 11):
        assert begin(players).players == players
    for players in (0, 1, 11):
        with pytest.raises(plain.Refused, match=f"Up and Down is for 2 to 10 players, not {players}"):
            begin(players)


def test_it_is_played_with_a_single_pack_without_jokers() -> None:
    assert UP_AND_DOWN.pack.names == FRENCH
    assert UP_AND_DOWN.pack.copies == 1


def test_the_rounds_go_up_to_N_and_down_again() -> None:
    for largest in range(1, 8):
        hands = [hands for hands, _ in play_anyhow(begin(3, largest_round=largest))]
        assert hands == [*range(1, largest), largest, *range(largest - 1, 0, -1)]
        assert len(hands) == 2 * largest - 1


def test_the_documents_example_has_the_rounds_1_2_3_2_1() -> None:
    assert [hands for hands, _ in play_anyhow(begin(3, largest_round=3))] == [1, 2, 3, 2, 1]


def test_N_1_is_a_single_round() -> None:
    s = begin(2, largest_round=1)
    assert [hands for hands, _ in play_anyhow(s)] == [1]
    assert s.phase == OVER


LARGEST_N = {2: 25, 3: 17, 4: 12, 5: 10, 6: 8, 7: 7, 8: 6, 9: 5, 10: 5}


@pytest.mark.parametrize(("players", "limit"), LARGEST_N.items())
def test_N_is_at_most_51_divided_by_the_players(players: int, limit: int) -> None:
    assert limit == 51 // players
    chosen = begin(players, largest_round=limit).largest_round
    assert chosen == limit
    for wrong in (limit + 1, 0, -1, 52):
        with pytest.raises(plain.Refused, match=f"largest_round is a whole number from 1 to {limit}"):
            begin(players, largest_round=wrong)


@pytest.mark.parametrize(("players", "limit"), LARGEST_N.items())
def test_one_card_is_always_left_to_turn_up(players: int, limit: int) -> None:
    s = begin(players, largest_round=limit)
    s.round = limit - 1
    happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
    assert s.hand_size == limit
    assert say(s.mesa) == FRENCH[players * limit]


@pytest.mark.parametrize("players", LARGEST_N)
def test_the_default_of_N_is_5_or_the_limit(players: int) -> None:
    default = begin(players).largest_round
    assert default == min(5, 51 // players)


# ---- the starting player


def test_the_starting_player_of_the_first_round_is_drawn_by_lot() -> None:
    for seat in range(3):
        s = plain.begin(UP_AND_DOWN, 3)
        assert s.phase == LOTS
        happens(UP_AND_DOWN, s, " ".join(["lots", str(seat), *(str(other) for other in range(3) if other != seat)]))
        assert s.phase == DEAL
        happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
        assert s.turn == s.first == seat


def test_start_may_name_a_seat_and_then_no_lots_are_drawn() -> None:
    for seat in range(4):
        s = begin(4, first_bettor=seat)
        assert s.phase == DEAL
        happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
        assert s.turn == seat


def test_lots_are_drawn_once() -> None:
    s = plain.begin(UP_AND_DOWN, 2, {"largest_round": 2})
    happens(UP_AND_DOWN, s, "lots 1 0")
    play_round(s, [0, 0], [0, 1])
    assert s.phase == DEAL


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_the_first_to_bet_moves_one_seat_per_round_from_the_one_who_started(players: int) -> None:
    for start in range(players):
        first = [seat for _, seat in play_anyhow(begin(players, first_bettor=start, largest_round=5))]
        assert first == [(start + nth) % players for nth in range(9)]


def test_with_bob_starting_round_1_carol_and_not_bob_again_starts_round_2() -> None:
    s = plain.begin(UP_AND_DOWN, 3, {"largest_round": 3})
    happens(UP_AND_DOWN, s, "lots 1 0 2")
    play_round(s, [0, 0, 0], [0, 1, 0])
    happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
    assert s.turn == CAROL


# ---- the deal and the mesa


def test_cards_are_dealt_one_at_a_time_from_the_starting_player_of_the_round() -> None:
    s = round_of(2, first_bettor=BOB)
    happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
    assert [say(hand) for hand in s.hand[:3]] == ["C4 C7", "C2 C5", "C3 C6"]


def test_everyone_gets_as_many_cards_as_the_round_has_hands() -> None:
    for hands in range(1, 9):
        s = round_of(hands)
        happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
        assert [size(hand) for hand in s.hand[:3]] == [hands] * 3


def test_the_whole_pack_is_shuffled_afresh_for_every_round() -> None:
    s = begin(3, largest_round=3)
    while s.phase != OVER:
        if s.phase == DEAL:
            assert sorted(plain.to_shuffle(UP_AND_DOWN, s)) == list(range(52))
            plain.step(UP_AND_DOWN, s, tuple(reversed(range(52))))
        else:
            plain.step(UP_AND_DOWN, s, lowest(UP_AND_DOWN.legal(s)))
    assert s.round == 5


def test_the_card_after_the_hands_is_turned_up_and_its_suit_is_the_mesa() -> None:
    for name in ("C9", "D9", "H9", "S9"):
        s = dealt("C2 D2", "C3 D3", "C4 D4", mesa=name)
        assert say(s.mesa) == name
        assert s.trump == suit_of(card(name))


def test_the_card_turned_up_is_out_of_play() -> None:
    s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA")
    assert not any(hand & s.mesa for hand in s.hand)
    assert not s.rest & s.mesa
    bet(s, [0, 0, 0])
    assert "You do not hold A♠" in refusal(UP_AND_DOWN, s, "play SA")
    while s.phase == PLAY:
        plain.step(UP_AND_DOWN, s, lowest(UP_AND_DOWN.legal(s)))
    assert s.gone == cards(UP_AND_DOWN, "C2 D2 C3 D3 C4 D4")
    assert say(s.mesa) == "SA"


def test_the_card_turned_up_lies_open_to_everybody() -> None:
    s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA")
    for seat in everybody(s):
        sight = view(UP_AND_DOWN, s, seat).state
        assert say(sight.mesa) == "SA"
        assert sight.trump == suit_of(card("SA"))


def test_a_new_card_is_turned_up_in_every_round() -> None:
    s = begin(3, largest_round=3)
    deal(s, "C2", "C3", "C4", mesa="H9")
    bet(s, [0, 0, 0])
    happens(UP_AND_DOWN, s, "play C3, play C4, play C2")
    deal(s, "C2 H9", "C3 D3", "C4 D4", mesa="S5")
    assert say(s.mesa) == "S5"
    assert s.trump == suit_of(card("S5"))


def test_hands_are_seen_by_their_owners_alone_and_the_cards_not_dealt_by_nobody() -> None:
    hands = ("C2 D2", "C3 D3", "C4 D4")
    s = dealt(*hands, mesa="SA")
    for seat in everybody(s):
        sight = view(UP_AND_DOWN, s, seat).state
        assert sight.hand[:3] == [cards(UP_AND_DOWN, hand) if other == seat else 0 for other, hand in enumerate(hands)]
        assert sight.rest == 0


def test_you_look_at_your_own_card_in_a_round_of_one_card_too() -> None:
    s = dealt("C2", "D3", "H4", mesa="SA")
    assert [say(view(UP_AND_DOWN, s, seat).state.hand[seat]) for seat in range(3)] == ["C2", "D3", "H4"]
    assert view(UP_AND_DOWN, s, ALICE).state.hand[1:3] == [0, 0]
    assert view(UP_AND_DOWN, s, ONLOOKER).state.hand[:3] == [0, 0, 0]


def test_a_new_round_begins_without_bets_hands_won_or_points() -> None:
    s = dealt("C2 D2", "C3 D3", mesa="SA")
    bet(s, [0, 1])
    happens(UP_AND_DOWN, s, "play C3, play C2, play D3, play D2")
    assert (s.bet[:2], s.taken[:2], s.points[:2]) == ([0, 1], [0, 2], [10, 0])
    happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
    assert (s.bet[:2], s.taken[:2], s.points[:2]) == ([NOTHING, NOTHING], [0, 0], [NOTHING, NOTHING])


# ---- the bets


def test_the_starting_player_bets_first_then_the_others_in_seat_order() -> None:
    for start in range(3):
        s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA", first_bettor=start)
        turns = []
        while s.phase == BET:
            turns.append(s.turn)
            happens(UP_AND_DOWN, s, "bet 0")
        assert turns == [(start + at) % 3 for at in range(3)]


def test_everybody_hears_the_earlier_bets() -> None:
    s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA")
    happens(UP_AND_DOWN, s, "bet 2, bet 1")
    for seat in everybody(s):
        assert view(UP_AND_DOWN, s, seat).state.bet[:3] == [2, 1, NOTHING]


def test_a_bet_is_any_number_from_0_to_the_hands_of_the_round() -> None:
    for hands in range(1, 26):
        s = round_of(hands, 2)
        happens(UP_AND_DOWN, s, "deal " + " ".join(FRENCH))
        assert allowed(UP_AND_DOWN, s) == " ".join(map(str, range(hands + 1)))


def test_the_last_to_bet_may_not_make_the_bets_add_up_to_the_hands() -> None:
    for first, second in itertools.product(range(4), repeat=2):
        s = dealt("C2 C3 C4", "D2 D3 D4", "H2 H3 H4", mesa="SA")
        happens(UP_AND_DOWN, s, f"bet {first}, bet {second}")
        assert allowed(UP_AND_DOWN, s) == " ".join(str(bet) for bet in range(4) if first + second + bet != 3)


def test_only_the_last_to_bet_is_restricted_wherever_she_sits() -> None:
    for start in range(3):
        s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA", first_bettor=start)
        assert allowed(UP_AND_DOWN, s) == "0 1 2"
        happens(UP_AND_DOWN, s, "bet 1")
        assert allowed(UP_AND_DOWN, s) == "0 1 2"
        happens(UP_AND_DOWN, s, "bet 0")
        assert allowed(UP_AND_DOWN, s) == "0 2"


def test_if_the_earlier_bets_already_exceed_the_hands_every_bet_is_free() -> None:
    s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA")
    happens(UP_AND_DOWN, s, "bet 2, bet 1")
    assert allowed(UP_AND_DOWN, s) == "0 1 2"


@pytest.mark.parametrize(("earlier", "last"), [("bet 0, bet 0", "0"), ("bet 1, bet 0", "1"), ("bet 0, bet 1", "1"), ("bet 1, bet 1", "0 1")])
def test_in_a_round_of_one_card_the_last_to_bet_is_free_only_after_two_bets_of_1(earlier: str, last: str) -> None:
    s = dealt("C2", "D2", "H2", mesa="SA")
    happens(UP_AND_DOWN, s, earlier)
    assert allowed(UP_AND_DOWN, s) == last


def test_the_bets_of_the_documents_first_example_are_refused() -> None:
    s = dealt("H2", "HK", "H5", mesa="S7", first_bettor=BOB)
    happens(UP_AND_DOWN, s, "bet 1, bet 0")
    assert s.turn == ALICE
    assert allowed(UP_AND_DOWN, s) == "1"
    assert "The bets may not add up to 1" in refusal(UP_AND_DOWN, s, "bet 0")


# ---- the play


def test_the_second_player_of_the_round_leads_to_the_first_hand() -> None:
    for start in range(3):
        s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA", first_bettor=start)
        bet(s, [0, 0, 0])
        assert s.phase == PLAY
        assert s.turn == s.leader == (start + 1) % 3


def test_with_two_players_the_one_who_bet_last_leads() -> None:
    for start in (0, 1):
        s = dealt("C2 D2", "C3 D3", mesa="SA", first_bettor=start)
        happens(UP_AND_DOWN, s, "bet 0")
        last = s.turn
        happens(UP_AND_DOWN, s, "bet 0")
        assert s.turn == last == 1 - start


def test_later_hands_are_led_by_the_winner_of_the_hand_before() -> None:
    s = dealt("C2 D2 H2", "C3 D3 H3", "C9 D4 H4", mesa="SA")
    bet(s, [0, 0, 0])
    happens(UP_AND_DOWN, s, "play C3, play C9, play C2")
    assert s.turn == s.leader == CAROL
    happens(UP_AND_DOWN, s, "play H4, play H2, play H3")
    assert s.turn == CAROL


def test_the_others_play_in_seat_order_from_the_leader() -> None:
    s = dealt("C2 D2", "C3 D3", "C4 D4", mesa="SA", first_bettor=BOB)
    bet(s, [0, 0, 0])
    turns = []
    for _ in range(3):
        turns.append(s.turn)
        plain.step(UP_AND_DOWN, s, lowest(UP_AND_DOWN.legal(s)))
    assert turns == [CAROL, ALICE, BOB]


def test_the_leader_plays_any_card() -> None:
    s = dealt("C2 D2 H2", "C3 D3 S3", "C9 D4 H4", mesa="SA")
    bet(s, [0, 0, 0])
    assert allowed(UP_AND_DOWN, s) == "C3 D3 S3"


def test_who_has_the_pinta_must_play_it_even_if_she_has_mesa() -> None:
    s = dealt("C2 D2 H2", "C3 D3 S3", "C9 S4 CK", mesa="SA")
    bet(s, [0, 0, 0])
    happens(UP_AND_DOWN, s, "play C3")
    assert allowed(UP_AND_DOWN, s) == "C9 CK"


def test_who_has_no_pinta_plays_any_card_and_never_has_to_play_mesa() -> None:
    s = dealt("C2 D2 H2", "C3 D3 S3", "D9 S4 HK", mesa="SA")
    bet(s, [0, 0, 0])
    happens(UP_AND_DOWN, s, "play C3")
    assert allowed(UP_AND_DOWN, s) == "D9 HK S4"


def winner_of(led: str, second: str, third: str, mesa: str) -> int:
    """Who wins a single hand led by seat 1: 0 the leader, 1 the second to play, 2 the third."""
    s = dealt(third, led, second, mesa=mesa)
    bet(s, [0, 0, 0])
    happens(UP_AND_DOWN, s, f"play {led}, play {second}, play {third}")
    return (list(s.taken[:3]).index(1) - 1) % 3


def test_the_highest_mesa_wins_the_hand() -> None:
    assert winner_of("HA", "S3", "S9", mesa="S7") == 2
    assert winner_of("HA", "S9", "S3", mesa="S7") == 1
    assert winner_of("HA", "HK", "S3", mesa="S7") == 2


def test_without_mesa_the_highest_pinta_wins() -> None:
    assert winner_of("H5", "H2", "HK", mesa="S7") == 2
    assert winner_of("H5", "HT", "H9", mesa="S7") == 1
    assert winner_of("HT", "H2", "H9", mesa="S7") == 0


def test_cards_of_other_suits_cannot_win() -> None:
    assert winner_of("H2", "DA", "CA", mesa="S7") == 0
    assert winner_of("H2", "DA", "H3", mesa="S7") == 2


def test_if_mesa_and_pinta_are_the_same_suit_its_highest_card_wins() -> None:
    assert winner_of("S5", "S2", "SK", mesa="S7") == 2
    assert winner_of("S5", "HA", "DA", mesa="S7") == 0


def test_even_the_2_of_the_mesa_beats_the_ace_of_any_other_suit() -> None:
    for mesa, pinta in itertools.permutations("CDHS", 2):
        assert winner_of(pinta + "A", mesa + "2", pinta + "K", mesa=mesa + "7") == 1


def test_the_ranks_run_from_the_ace_down_to_the_two() -> None:
    for low, high in itertools.pairwise("23456789TJQKA"):
        for suit, mesa in (("H", "S"), ("S", "S")):
            if mesa + "7" not in (suit + low, suit + high):
                assert winner_of(suit + low, suit + high, "DA", mesa=mesa + "7") == 1
                assert winner_of(suit + high, suit + low, "DA", mesa=mesa + "7") == 0


def test_in_rounds_of_one_card_too_you_play_your_card_yourself() -> None:
    s = dealt("H2", "HK", "H5", mesa="S7")
    bet(s, [0, 0, 0])
    assert s.phase == PLAY
    assert allowed(UP_AND_DOWN, s) == "HK"


def test_played_cards_and_hands_won_are_public() -> None:
    s = dealt("C2 D2", "C3 D3", "C9 D4", mesa="SA")
    bet(s, [0, 0, 0])
    happens(UP_AND_DOWN, s, "play C3, play C9, play C2, play D4")
    for seat in everybody(s):
        sight = view(UP_AND_DOWN, s, seat).state
        assert sight.gone == cards(UP_AND_DOWN, "C2 C3 C9")
        assert sight.table[:3] == [NOTHING, NOTHING, card("D4")]
        assert sight.taken[:3] == [0, 0, 1]


# ---- scoring


@pytest.mark.parametrize(("made", "points"), [(0, 10), (1, 12), (2, 14), (3, 16), (4, 18), (5, 20), (6, 22), (12, 34), (24, 58)])
def test_a_bet_that_came_true_earns_10_and_2_for_each_hand_won(made: int, points: int) -> None:
    s = round_of(24, 2)
    play_round(s, [made, 24 if made else 23], [made, 24 - made])
    assert s.points[0] == s.score[0] == points


def test_too_many_or_too_few_hands_earn_nothing() -> None:
    for promised, other in ((1, 0), (3, 0), (0, 1), (4, 1)):
        s = round_of(4, 2)
        play_round(s, [promised, other], [2, 2])
        assert s.points[:2] == [0, 0]


def test_the_documents_round_1_scored_by_its_own_bets_is_12_10_10() -> None:
    s = dealt("H2", "HK", "H5", mesa="S7", first_bettor=BOB)
    happens(UP_AND_DOWN, s, "bet 1, bet 0, bet 1, play H5, play H2")
    s.bet[ALICE] = 0
    happens(UP_AND_DOWN, s, "play HK")
    assert s.taken[:3] == [0, 1, 0]
    assert (s.points[BOB], s.points[CAROL], s.points[ALICE]) == (12, 10, 10)


def test_round_1_with_the_bet_that_alice_must_make_is_12_10_0() -> None:
    s = dealt("H2", "HK", "H5", mesa="S7", first_bettor=BOB)
    happens(UP_AND_DOWN, s, "bet 1, bet 0, bet 1, play H5, play H2, play HK")
    assert (s.points[BOB], s.points[CAROL], s.points[ALICE]) == (12, 10, 0)


def test_the_documents_round_2_in_full() -> None:
    s = begin(3, largest_round=3, first_bettor=BOB)
    deal(s, "H2", "HK", "H5", mesa="S7")
    happens(UP_AND_DOWN, s, "bet 1, bet 0, bet 1, play H5, play H2, play HK")

    deal(s, "C3 HA", "C9 H6", "D2 H4", mesa="DQ")
    assert s.hand_size == 2
    assert s.turn == CAROL
    happens(UP_AND_DOWN, s, "bet 1, bet 1")
    assert s.turn == BOB
    assert allowed(UP_AND_DOWN, s) == "1 2"
    happens(UP_AND_DOWN, s, "bet 1")
    assert s.turn == ALICE
    happens(UP_AND_DOWN, s, "play C3, play C9, play D2")
    assert s.turn == s.leader == CAROL
    assert s.taken[:3] == [0, 0, 1]
    happens(UP_AND_DOWN, s, "play H4, play HA, play H6")
    assert s.taken[:3] == [1, 0, 1]
    assert (s.points[CAROL], s.points[ALICE], s.points[BOB]) == (12, 12, 0)
    assert s.score[:3] == [12, 12, 22]
    assert sheet_cells(UP_AND_DOWN, s) == ["12 (1 of 1)", "0 (0 of 1)", "12 (1 of 1)"]


def test_after_the_last_round_all_points_are_added_and_the_highest_total_wins() -> None:
    s = begin(3, largest_round=2)
    play_round(s, [1, 1, 0], [1, 0, 0])
    play_round(s, [2, 1, 0], [2, 0, 0])
    assert s.phase == DEAL
    play_round(s, [0, 0, 0], [1, 0, 0])
    assert s.phase == OVER
    assert s.score[:3] == [26, 10, 30]
    assert plain.winning_seats(UP_AND_DOWN, s) == [CAROL]


def test_equal_highest_totals_share_the_win() -> None:
    s = begin(3, largest_round=1)
    play_round(s, [0, 0, 0], [1, 0, 0])
    assert s.score[:3] == [0, 10, 10]
    assert plain.winning_seats(UP_AND_DOWN, s) == [BOB, CAROL]


# ---- what is refused, and what the sentence says


def test_a_bet_above_the_hands_is_refused_with_the_number_of_hands() -> None:
    s = dealt("C2 D2", "C3 D3", mesa="SA")
    assert "only 2 hands" in refusal(UP_AND_DOWN, s, "bet 3")


def test_the_forbidden_bet_is_refused_with_the_reason() -> None:
    s = dealt("C2 D2", "C3 D3", mesa="SA")
    happens(UP_AND_DOWN, s, "bet 2")
    assert "The bets may not add up to 2, the number of hands, so you cannot bet 0." in refusal(UP_AND_DOWN, s, "bet 0")


def test_not_playing_the_pinta_is_refused_with_the_cards_that_may_be_played() -> None:
    s = dealt("C2 D2 C8", "C3 D3 S3", mesa="SA", first_bettor=1)
    bet(s, [0, 0])
    happens(UP_AND_DOWN, s, "play C2")
    assert "follow suit: play one of 3♣." in refusal(UP_AND_DOWN, s, "play S3")


def test_a_text_that_is_no_choice_here_is_refused_with_the_choices() -> None:
    s = dealt("C2 D2", "C3 D3", mesa="SA")
    for text in ("bid 1", "bet 26", "bet", "play C2"):
        assert "allowed: bet 0, bet 1, bet 2." in refusal(UP_AND_DOWN, s, text)
