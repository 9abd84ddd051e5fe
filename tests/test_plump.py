"""Plump, one test for each sentence of its rule book (src/kortlek/games/plump/rules.en.md)."""

import itertools
from collections.abc import Sequence
from typing import Any

import pytest
from positions import allowed, cards, everybody, hands_for, happens, play_tricks, refusal, sheet_cells, tricks_won_by
from positions import deal as deal_in_order

from kortlek.cards import FRENCH, NOTHING, card, lowest, members, say, size
from kortlek.engine import plain
from kortlek.engine.views import ONLOOKER, view
from kortlek.game import DEAL, LOTS, OVER
from kortlek.games.plump import rules as plump
from kortlek.games.plump.rules import BID, PLAY
from kortlek.games.plump.rules import PLUMP

LISA, STEPHEN, TOBY, RACHEL = range(4)
X = None
"""A plump in the document's tables."""


def begin(players: int = 4, **options: object) -> Any:
    """A match before its first event."""
    return plain.begin(PLUMP, players, options)


def round_of(ticks: int, players: int = 4, **options: object) -> Any:
    """Before the first round with this number of ticks (two to five players); the first dealer deals."""
    s = begin(players, **options)
    s.round = 10 - ticks
    return s


def deal(s: Any, *hands: str) -> None:
    """Deal these hands, by seat."""
    deal_in_order(PLUMP, s, hands, first=(s.dealer + 1) % s.players)


def dealt(*hands: str, **options: object) -> Any:
    """A round with these hands, by seat; the last seat deals unless an option says otherwise."""
    s = round_of(len(hands[0].split()), len(hands), **options)
    deal(s, *hands)
    return s


def bid(s: Any, bids: Sequence[int]) -> None:
    """Everyone makes her bid; ``bids`` are by seat."""
    for _ in range(s.players):
        happens(PLUMP, s, f"bid {bids[s.turn]}")


def play_round(s: Any, bids: Sequence[int], ticks: Sequence[int]) -> None:
    """A whole round from the deal, in which these are the bids and the ticks won by each seat."""
    winners = [seat for seat, won in enumerate(ticks) for _ in range(won)]
    planned = tricks_won_by(PLUMP, s.players, winners)
    deal(s, *hands_for(planned))
    bid(s, bids)
    if len(winners) > 1:
        play_tricks(PLUMP, s, planned)


def play_anyhow(s: Any) -> list[int]:
    """Play to the end of the match, always the first legal choice; return the number of ticks of each round."""
    ticks = []
    while s.phase != OVER:
        if s.phase == DEAL:
            plain.step(PLUMP, s, tuple(range(52)))
            ticks.append(s.hand_size)
        else:
            plain.step(PLUMP, s, lowest(PLUMP.legal(s)))
    return ticks


# ---- players, pack, rounds


def test_two_to_thirteen_players() -> None:
    for players in range(2, 14):
        assert begin(players).players == players
    for players in (0, 1, 14):
        with pytest.raises(plain.Refused, match=f"Plump is for 2 to 13 players, not {players}"):
            begin(players)


def test_it_is_played_with_52_cards_and_no_jokers() -> None:
    assert PLUMP.pack.names == FRENCH
    assert len(set(FRENCH)) == 52
    assert {name[0] for name in FRENCH} == set("CDHS")
    assert {name[1] for name in FRENCH} == set("23456789TJQKA")
    assert PLUMP.pack.copies == 1


def test_the_rounds_run_from_10_down_to_2_then_one_tick_for_each_player_then_2_up_to_10() -> None:
    down, up = [10, 9, 8, 7, 6, 5, 4, 3, 2], [2, 3, 4, 5, 6, 7, 8, 9, 10]
    for players in (2, 3, 4, 5):
        assert play_anyhow(begin(players)) == down + [1] * players + up


LARGEST_ROUND = {2: 10, 3: 10, 4: 10, 5: 10, 6: 8, 7: 7, 8: 6, 9: 5, 10: 5, 11: 4, 12: 4, 13: 4}
ROUNDS = {2: 20, 3: 21, 4: 22, 5: 23, 6: 20, 7: 19, 8: 18, 9: 17, 10: 18, 11: 17, 12: 18, 13: 19}


@pytest.mark.parametrize("players", range(2, 11))
def test_rounds_that_need_more_than_52_cards_are_dropped(players: int) -> None:
    ticks = play_anyhow(begin(players))
    assert max(ticks) == LARGEST_ROUND[players]
    assert len(ticks) == ROUNDS[players]
    assert ticks == [t for t in [10, 9, 8, 7, 6, 5, 4, 3, 2] + [1] * players + [2, 3, 4, 5, 6, 7, 8, 9, 10] if t * players <= 52]


@pytest.mark.parametrize("players", [11, 12, 13])
def test_the_arithmetic_of_the_rounds_holds_for_more_players_than_there_are_seats(players: int) -> None:
    s = begin(10)
    s.players = players
    assert plump.largest_round(s) == LARGEST_ROUND[players]
    assert plump.rounds(s) == ROUNDS[players]


def test_six_players_also_lose_the_nine_tick_rounds() -> None:
    ticks = play_anyhow(begin(6))
    assert ticks[0] == ticks[-1] == 8
    assert 9 not in ticks


def test_the_match_is_over_after_the_last_round() -> None:
    s = begin(4)
    s.round = 20
    play_round(s, [0, 0, 0, 0], [3, 2, 2, 2])
    assert s.phase == DEAL
    play_round(s, [0, 0, 0, 0], [4, 2, 2, 2])
    assert s.phase == OVER
    assert "over" in refusal(PLUMP, s, "bid 0")


# ---- the deal


def test_everyone_gets_as_many_cards_as_the_round_has_ticks() -> None:
    for ticks in range(2, 11):
        s = round_of(ticks)
        happens(PLUMP, s, "deal " + " ".join(FRENCH))
        assert [size(hand) for hand in s.hand[:4]] == [ticks] * 4


def test_cards_are_dealt_one_at_a_time_clockwise_from_the_player_after_the_dealer() -> None:
    s = round_of(2, 3, first_dealer=1)
    happens(PLUMP, s, "deal " + " ".join(FRENCH))
    assert [say(hand) for hand in s.hand[:3]] == ["C3 C6", "C4 C7", "C2 C5"]


def test_the_dealer_deals_to_herself_too_and_gets_the_last_card() -> None:
    s = round_of(2, 4)
    happens(PLUMP, s, "deal " + " ".join(FRENCH))
    assert s.dealer == 3
    assert say(s.hand[3]) == "C5 C9"


def test_all_52_cards_are_shuffled_for_every_round() -> None:
    s = begin(3)
    while s.phase != OVER:
        if s.phase == DEAL:
            assert sorted(plain.to_shuffle(PLUMP, s)) == list(range(52))
            plain.step(PLUMP, s, tuple(reversed(range(52))))
        else:
            plain.step(PLUMP, s, lowest(PLUMP.legal(s)))


def test_the_cards_that_are_left_over_stay_unseen() -> None:
    s = dealt("C2 C3", "D2 D3", "H2 H3", "S2 S3")
    assert size(s.rest) == 44
    for seat in everybody(s):
        assert view(PLUMP, s, seat).state.rest == 0


def test_the_last_seat_deals_first() -> None:
    for players in range(2, 11):
        assert begin(players).dealer == players - 1


def test_the_deal_moves_one_seat_clockwise_after_every_round() -> None:
    s = begin(3)
    dealers = []
    while s.phase != OVER:
        if s.phase == DEAL:
            dealers.append(s.dealer)
            plain.step(PLUMP, s, tuple(range(52)))
        else:
            plain.step(PLUMP, s, lowest(PLUMP.legal(s)))
    assert dealers == [2, 0, 1] * 7


def test_first_dealer_may_name_a_seat() -> None:
    for seat in range(4):
        s = begin(first_dealer=seat)
        assert s.phase == DEAL
        assert s.dealer == seat


def test_a_random_first_dealer_is_the_first_seat_drawn_by_lot() -> None:
    for seat in range(4):
        s = begin(first_dealer="random")
        assert s.phase == LOTS
        others = [str(other) for other in range(4) if other != seat]
        happens(PLUMP, s, " ".join(["lots", str(seat), *others]))
        assert s.phase == DEAL
        assert s.dealer == seat


def test_lots_are_drawn_once_and_the_deal_moves_on_from_there() -> None:
    s = begin(3, first_dealer="random")
    happens(PLUMP, s, "lots 1 2 0")
    s.round = 8
    play_round(s, [0, 0, 0], [1, 1, 0])
    assert s.phase == DEAL
    assert s.dealer == 2


def test_a_new_round_begins_without_bids_ticks_or_points() -> None:
    s = dealt("C2 C3", "D2 D3")
    bid(s, [2, 1])
    happens(PLUMP, s, "play C2, play D2, play C3, play D3")
    assert (s.bid[:2], s.taken[:2], s.points[:2]) == ([2, 1], [2, 0], [12, 0])
    happens(PLUMP, s, "deal " + " ".join(FRENCH))
    assert (s.bid[:2], s.taken[:2], s.points[:2]) == ([NOTHING, NOTHING], [0, 0], [NOTHING, NOTHING])


# ---- the bids


def test_the_player_after_the_dealer_bids_first_and_the_dealer_last() -> None:
    for dealer in range(4):
        s = round_of(2, first_dealer=dealer)
        deal(s, "C2 C3", "D2 D3", "H2 H3", "S2 S3")
        bidders = []
        while s.phase == BID:
            bidders.append(s.turn)
            happens(PLUMP, s, "bid 0")
        assert bidders == [(dealer + 1 + at) % 4 for at in range(4)]
        assert bidders[-1] == dealer


def test_a_bid_is_any_number_from_0_to_the_ticks_of_the_round() -> None:
    for ticks in range(1, 11):
        s = round_of(ticks)
        happens(PLUMP, s, "deal " + " ".join(FRENCH))
        assert allowed(PLUMP, s) == " ".join(map(str, range(ticks + 1)))


def test_bids_are_public() -> None:
    s = dealt("C2 C3", "D2 D3", "H2 H3", "S2 S3")
    happens(PLUMP, s, "bid 2, bid 0")
    for seat in everybody(s):
        assert view(PLUMP, s, seat).state.bid[:4] == [2, 0, NOTHING, NOTHING]


def test_the_last_bidder_may_not_make_the_bids_add_up_to_the_ticks() -> None:
    for first, second in itertools.product(range(4), repeat=2):
        s = dealt("C2 C3 C4", "D2 D3 D4", "H2 H3 H4")
        happens(PLUMP, s, f"bid {first}, bid {second}")
        assert allowed(PLUMP, s) == " ".join(str(bid) for bid in range(4) if first + second + bid != 3)


def test_only_the_last_bidder_is_restricted() -> None:
    s = dealt("C2 C3", "D2 D3", "H2 H3", "S2 S3")
    for choice in ("bid 1", "bid 1", "bid 1"):
        assert allowed(PLUMP, s) == "0 1 2"
        happens(PLUMP, s, choice)


def test_nothing_is_forbidden_if_the_earlier_bids_already_exceed_the_ticks() -> None:
    s = dealt("C2 C3", "D2 D3", "H2 H3", "S2 S3")
    happens(PLUMP, s, "bid 1, bid 1, bid 1")
    assert allowed(PLUMP, s) == "0 1 2"


def test_the_dealer_is_restricted_wherever_she_sits() -> None:
    for dealer in range(3):
        s = round_of(2, 3, first_dealer=dealer)
        deal(s, "C2 C3", "D2 D3", "H2 H3")
        happens(PLUMP, s, "bid 0, bid 1")
        assert s.turn == dealer
        assert allowed(PLUMP, s) == "0 2"


def test_the_documents_example_forbids_a_fourth_bid_of_4() -> None:
    s = begin(4)
    happens(PLUMP, s, "deal " + " ".join(FRENCH), "bid 1, bid 3, bid 2")
    assert s.turn == RACHEL
    assert allowed(PLUMP, s) == "0 1 2 3 5 6 7 8 9 10"
    happens(PLUMP, s, "bid 0")
    assert s.bid[:4] == [1, 3, 2, 0]


def test_of_two_players_the_second_bidder_is_bound_in_every_round() -> None:
    s = begin(2)
    while s.phase != OVER:
        if s.phase == DEAL:
            plain.step(PLUMP, s, tuple(range(52)))
        elif s.phase == BID and s.turn == s.dealer:
            assert size(PLUMP.legal(s)) == s.hand_size
            plain.step(PLUMP, s, lowest(PLUMP.legal(s)))
        else:
            plain.step(PLUMP, s, lowest(PLUMP.legal(s)))
    assert s.round == 20


@pytest.mark.parametrize(("earlier", "last"), [("bid 0, bid 0", "0"), ("bid 0, bid 1", "1"), ("bid 1, bid 0", "1"), ("bid 1, bid 1", "0 1")])
def test_the_last_bidder_of_a_one_tick_round_has_a_choice_only_after_two_bids_of_1(earlier: str, last: str) -> None:
    s = dealt("C2", "D2", "H2")
    happens(PLUMP, s, earlier)
    assert allowed(PLUMP, s) == last


def every_bidding(s: Any) -> set[tuple[int, ...]]:
    """All the bids, by seat, that are possible in a round."""
    if s.phase != BID:
        return {tuple(s.bid[: s.players])}
    ways = set()
    for choice in members(PLUMP.legal(s)):
        after = plain.copy_of(s)
        plain.step(PLUMP, after, choice)
        ways |= every_bidding(after)
    return ways


def test_in_every_round_somebody_must_fail() -> None:
    for hands in (("C2", "C3", "C4"), ("C2 C3", "D2 D3", "H2 H3"), ("C2 C3 C4", "D2 D3 D4")):
        s = dealt(*hands)
        everything = itertools.product(range(s.hand_size + 1), repeat=s.players)
        assert every_bidding(s) == {bids for bids in everything if sum(bids) != s.hand_size}


# ---- the play


def test_the_first_bidder_leads_the_first_tick() -> None:
    for dealer in range(3):
        s = round_of(2, 3, first_dealer=dealer)
        deal(s, "C2 C3", "D2 D3", "H2 H3")
        happens(PLUMP, s, "bid 0, bid 1, bid 2")
        assert s.phase == PLAY
        assert s.turn == s.leader == (dealer + 1) % 3


def test_the_leader_plays_any_card() -> None:
    s = dealt("C2 D9 SA", "C3 C4 C5", "D2 D3 D4")
    bid(s, [0, 0, 0])
    assert allowed(PLUMP, s) == "C2 D9 SA"


def test_who_can_follow_suit_must() -> None:
    s = dealt("C2 D9 SA", "C3 CK D5", "D2 D3 D4")
    bid(s, [0, 0, 0])
    happens(PLUMP, s, "play C2")
    assert allowed(PLUMP, s) == "C3 CK"


def test_who_cannot_follow_suit_plays_any_card() -> None:
    s = dealt("C2 D9 SA", "D2 H5 S3", "C3 C4 C5")
    bid(s, [0, 0, 0])
    happens(PLUMP, s, "play C2")
    assert allowed(PLUMP, s) == "D2 H5 S3"


def test_the_others_follow_clockwise() -> None:
    s = dealt("C2 C6", "C3 C7", "C4 C8", "C5 C9", first_dealer=1)
    bid(s, [0, 0, 0, 0])
    turns = []
    for _ in range(4):
        turns.append(s.turn)
        plain.step(PLUMP, s, lowest(PLUMP.legal(s)))
    assert turns == [2, 3, 0, 1]


def test_the_highest_card_of_the_suit_led_wins_the_tick() -> None:
    s = dealt("C5 D2", "CQ D3", "C9 D4", "SA D5")
    bid(s, [0, 0, 0, 0])
    happens(PLUMP, s, "play C5, play CQ, play C9, play SA")
    assert s.taken[:4] == [0, 1, 0, 0]


def test_aces_are_high_and_the_ranks_below_run_from_the_king_down_to_the_two() -> None:
    for low, high in itertools.pairwise("23456789TJQKA"):
        for suit in "CDHS":
            for hands, winner in (((suit + low, suit + high), 1), ((suit + high, suit + low), 0)):
                s = dealt(*hands)
                bid(s, [0, 0])
                assert s.taken[:2] == [int(winner == 0), int(winner == 1)]


def test_a_card_of_another_suit_never_wins_for_there_is_no_trump() -> None:
    for led in "CDHS":
        others = [suit + "A" for suit in "CDHS" if suit != led]
        s = dealt(led + "2", *others)
        bid(s, [0, 0, 0, 0])
        assert s.taken[:4] == [1, 0, 0, 0]


def test_if_nobody_beats_the_leaders_card_the_leader_wins() -> None:
    s = dealt("HT D2", "H9 D3", "H2 D4", "SA D5")
    bid(s, [0, 0, 0, 0])
    happens(PLUMP, s, "play HT, play H9, play H2, play SA")
    assert s.taken[:4] == [1, 0, 0, 0]


def test_the_winner_of_a_tick_leads_the_next() -> None:
    s = dealt("C5 D2 D6", "C6 D3 D7", "CQ D4 D8", "C7 D5 D9")
    bid(s, [0, 0, 0, 0])
    happens(PLUMP, s, "play C5, play C6, play CQ, play C7")
    assert s.turn == s.leader == TOBY
    assert allowed(PLUMP, s) == "D4 D8"
    happens(PLUMP, s, "play D4, play D9, play D2, play D3")
    assert s.turn == RACHEL


def test_played_cards_and_ticks_won_are_public() -> None:
    s = dealt("C5 D2", "C6 D3", "CQ D4")
    bid(s, [0, 0, 0])
    happens(PLUMP, s, "play C5, play C6, play CQ, play D4, play D2")
    for seat in everybody(s):
        public = view(PLUMP, s, seat).state
        assert public.taken[:3] == [0, 0, 1]
        assert public.gone == cards(PLUMP, "C5 C6 CQ")
        assert public.trick == cards(PLUMP, "D4 D2")
        assert public.table[:3] == [card("D2"), NOTHING, card("D4")]


def test_the_round_ends_when_all_cards_have_been_played() -> None:
    s = dealt("C5 D2", "C6 D3")
    bid(s, [0, 0])
    happens(PLUMP, s, "play C5, play C6, play D3")
    assert s.phase == PLAY
    assert s.points[:2] == [NOTHING, NOTHING]
    happens(PLUMP, s, "play D2")
    assert s.phase == DEAL
    assert s.hand[:2] == [0, 0]
    assert s.points[:2] == [10, 0]


# ---- first_lead=highest_bidder


def test_with_highest_bidder_the_highest_bidder_leads_the_first_tick() -> None:
    for highest in range(4):
        s = dealt("C2 C3", "D2 D3", "H2 H3", "S2 S3", first_lead="highest_bidder")
        bid(s, [2 if seat == highest else 1 for seat in range(4)])
        assert s.turn == s.leader == highest


def test_of_equally_high_bidders_the_one_who_bid_first_leads() -> None:
    for dealer in range(4):
        order = [(dealer + 1 + at) % 4 for at in range(4)]
        for early, late in itertools.combinations(range(4), 2):
            s = round_of(2, first_dealer=dealer, first_lead="highest_bidder")
            deal(s, "C2 C3", "D2 D3", "H2 H3", "S2 S3")
            bid(s, [2 if seat in (order[early], order[late]) else 0 for seat in range(4)])
            assert s.turn == order[early]


def test_if_everyone_bids_the_same_the_first_bidder_leads_with_highest_bidder_too() -> None:
    s = dealt("C2 C3", "D2 D3", "H2 H3", first_lead="highest_bidder", first_dealer=0)
    bid(s, [0, 0, 0])
    assert s.turn == 1


def test_highest_bidder_does_not_change_who_bids_first() -> None:
    s = dealt("C2 C3", "D2 D3", "H2 H3", first_lead="highest_bidder", first_dealer=0)
    assert s.turn == 1


def test_highest_bidder_holds_in_one_tick_rounds() -> None:
    hands = ("C2", "DA", "HA", "SA")
    s = dealt(*hands, first_lead="highest_bidder")
    bid(s, [0, 0, 1, 1])
    assert s.taken[:4] == [0, 0, 1, 0], "Toby bid 1 before Rachel did, so he led, and nobody had a heart"
    s = dealt(*hands, first_lead="first_bidder")
    bid(s, [0, 0, 1, 1])
    assert s.taken[:4] == [1, 0, 0, 0], "Lisa bid first and led her two"


def test_in_a_one_tick_round_without_a_bid_of_1_the_first_bidder_leads_with_highest_bidder_too() -> None:
    s = dealt("C2", "DA", "HA", first_lead="highest_bidder", first_dealer=0)
    bid(s, [0, 0, 0])
    assert s.taken[:3] == [0, 1, 0]


# ---- one-tick rounds


def test_in_a_one_tick_round_everyone_sees_all_the_other_cards_and_not_her_own() -> None:
    s = dealt("C2", "DA", "HK", "S7")
    for seat in range(4):
        sight = view(PLUMP, s, seat).state
        assert sight.forehead[:4] == [[1, NOTHING if other == seat else card(name)] for other, name in enumerate(("C2", "DA", "HK", "S7"))]
        assert sight.hand[:4] == [0, 0, 0, 0]


def test_until_it_is_played_nothing_that_the_owner_sees_depends_on_her_card() -> None:
    others = {1: "DA", 2: "HK", 3: "S7"}
    possible = [name for name in FRENCH if name not in others.values()]
    assert len(possible) == 49
    for bids in ("", "bid 0", "bid 1, bid 0", "bid 0, bid 1, bid 1"):
        sights = []
        for name in possible:
            s = dealt(name, *others.values())
            if bids:
                happens(PLUMP, s, bids)
            assert s.phase == BID
            sights.append((view(PLUMP, s, LISA), refusal(PLUMP, s, "bid 9"), refusal(PLUMP, s, "play C2")))
        assert all(sight == sights[0] for sight in sights)


def test_the_last_bidder_of_a_one_tick_round_does_not_see_her_card_either() -> None:
    sights = []
    for name in (name for name in FRENCH if name not in ("DA", "HK", "S7")):
        s = dealt("DA", "HK", "S7", name)
        happens(PLUMP, s, "bid 0, bid 1, bid 1")
        assert s.turn == RACHEL
        sights.append((view(PLUMP, s, RACHEL), refusal(PLUMP, s, f"play {name}").replace(name, "")))
    assert all(sight == sights[0] for sight in sights)


def test_onlookers_see_no_unplayed_card_in_a_one_tick_round() -> None:
    s = dealt("C2", "DA", "HK", "S7")
    happens(PLUMP, s, "bid 0, bid 0")
    sight = view(PLUMP, s, ONLOOKER)
    assert sight.state.forehead[:4] == [[1, NOTHING]] * 4
    assert sight.state.hand[:4] == [0, 0, 0, 0]
    assert sight.state.rest == 0
    assert sight.legal == 0
    other = dealt("H2", "S4", "D9", "CJ")
    happens(PLUMP, other, "bid 0, bid 0")
    assert view(PLUMP, other, ONLOOKER) == sight


def test_bids_made_so_far_are_visible_in_a_one_tick_round() -> None:
    s = dealt("C2", "DA", "HK", "S7")
    happens(PLUMP, s, "bid 1, bid 0")
    for seat in everybody(s):
        assert view(PLUMP, s, seat).state.bid[:4] == [1, 0, NOTHING, NOTHING]


def test_after_the_last_bid_of_a_one_tick_round_the_cards_are_played_by_themselves() -> None:
    s = dealt("C2", "CA", "HK", "C7")
    happens(PLUMP, s, "bid 0, bid 1, bid 0")
    assert s.phase == BID
    happens(PLUMP, s, "bid 1")
    assert s.phase == DEAL
    assert s.taken[:4] == [0, 1, 0, 0]
    assert s.points[:4] == [10, 11, 10, 0]
    assert s.forehead[:4] == [[0, NOTHING]] * 4
    assert s.gone == cards(PLUMP, "C2 CA HK C7")


def test_the_first_bidder_leads_in_a_one_tick_round_too() -> None:
    for dealer in range(4):
        s = round_of(1, first_dealer=dealer)
        deal(s, "C2", "D3", "H4", "S5")
        bid(s, [0, 0, 0, 0])
        assert [seat for seat in range(4) if s.taken[seat]] == [(dealer + 1) % 4], "nobody can follow suit"


def test_once_played_the_cards_of_a_one_tick_round_are_public() -> None:
    s = dealt("C2", "CA", "HK", "C7")
    bid(s, [0, 0, 0, 0])
    for seat in everybody(s):
        assert view(PLUMP, s, seat).state.turned[:4] == [card("C2"), card("CA"), card("HK"), card("C7")]


def test_a_card_from_the_forehead_is_forgotten_with_the_next_deal() -> None:
    s = dealt("C2", "CA", "HK", "C7")
    bid(s, [0, 0, 0, 0])
    deal(s, "D2", "DA", "SK", "D7")
    assert s.turned[:4] == [NOTHING] * 4


def test_in_rounds_of_two_or_more_ticks_a_hand_is_seen_by_its_owner_alone() -> None:
    hands = ("C2 C3", "D2 D3", "H2 H3", "S2 S3")
    s = dealt(*hands)
    for seat in everybody(s):
        sight = view(PLUMP, s, seat).state
        assert sight.hand[:4] == [cards(PLUMP, hand) if other == seat else 0 for other, hand in enumerate(hands)]
        assert sight.forehead[:4] == [[0, NOTHING]] * 4


def test_only_the_player_in_turn_is_shown_what_she_may_choose() -> None:
    s = dealt("C2 C3", "D2 D3", "H2 H3", "S2 S3")
    bid(s, [0, 0, 0, 0])
    assert [view(PLUMP, s, seat).legal for seat in everybody(s)] == [cards(PLUMP, "C2 C3"), 0, 0, 0, 0]


# ---- scoring


@pytest.mark.parametrize(("made", "points"), list(enumerate([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 110])))
def test_a_bid_made_is_worth_the_number_with_a_1_written_before_it(made: int, points: int) -> None:
    s = begin(2)
    play_round(s, [made, 10 if made else 9], [made, 10 - made])
    assert s.points[LISA] == points == int(f"1{made}")
    assert s.score[LISA] == points


def test_a_made_ten_is_worth_110() -> None:
    s = begin(4)
    play_round(s, [0, 10, 0, 1], [0, 10, 0, 0])
    assert s.points[:4] == [10, 110, 10, 0]


def test_a_made_zero_is_worth_10_and_not_5() -> None:
    s = dealt("C2 C3", "D2 D3")
    bid(s, [1, 0])
    happens(PLUMP, s, "play C2, play D2, play C3, play D3")
    assert s.points[:2] == [0, 10]


def test_too_many_or_too_few_ticks_are_a_plump_worth_nothing() -> None:
    for promised, other in ((4, 0), (6, 0), (0, 1), (10, 1)):
        s = begin(2)
        play_round(s, [promised, other], [5, 5])
        assert s.points[:2] == [0, 0]
        assert s.score[:2] == [0, 0]


def test_a_missed_ten_is_a_plump() -> None:
    s = begin(2)
    play_round(s, [10, 2], [9, 1])
    assert s.points[:2] == [0, 0]


def test_the_documents_example_round_scores_plump_13_plump_10() -> None:
    s = begin(4)
    play_round(s, [1, 3, 2, 0], [2, 3, 5, 0])
    assert s.points[:4] == [0, 13, 0, 10]
    assert sheet_cells(PLUMP, s) == ["🌑", "13", "🌑", "10"]
    assert getattr(s, PLUMP.sheet.row) == 10


def test_a_plump_costs_nothing_of_what_was_won_before() -> None:
    s = begin(4)
    play_round(s, [1, 3, 2, 0], [2, 3, 5, 0])
    play_round(s, [0, 9, 9, 9], [9, 0, 0, 0])
    assert s.points[:4] == [0, 0, 0, 0]
    assert s.score[:4] == [0, 13, 0, 10]


PROTOCOL: list[tuple[int, list[int | None]]] = [
    (10, [X, 10, X, X]),
    (9, [X, X, 14, X]),
    (8, [X, X, X, X]),
    (7, [12, X, X, 11]),
    (6, [X, X, X, 10]),
    (5, [11, X, X, X]),
    (4, [X, X, 11, X]),
    (3, [X, X, X, 11]),
    (2, [11, X, 10, X]),
    (1, [X, X, 10, X]),
    (1, [10, 10, X, 10]),
    (1, [10, 10, 10, X]),
    (1, [X, 10, 10, 10]),
    (2, [10, 11, X, X]),
    (3, [X, 10, X, X]),
    (4, [X, X, 12, X]),
    (5, [X, X, X, X]),
    (6, [X, X, 11, X]),
    (7, [X, X, X, X]),
    (8, [X, X, X, X]),
    (9, [14, X, X, X]),
    (10, [X, X, X, X]),
]


def a_round_with(ticks: int, row: Sequence[int | None]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Bids and ticks won that give this row of the protocol: the first plumped player wins what the others leave."""
    won = [points - 10 if points is not None else 0 for points in row]
    won[row.index(X)] = ticks - sum(won)
    choices = [[made] if points is not None else [bid for bid in range(ticks + 1) if bid != made] for points, made in zip(row, won, strict=True)]
    return next(bids for bids in itertools.product(*choices) if sum(bids) != ticks), tuple(won)


def test_the_documents_protocol_adds_up_to_78_61_88_52() -> None:
    s = begin(4)
    for ticks, row in PROTOCOL:
        bids, won = a_round_with(ticks, row)
        play_round(s, bids, won)
        assert s.hand_size == ticks
        assert s.points[:4] == [points or 0 for points in row]
    assert s.phase == OVER
    assert s.score[:4] == [78, 61, 88, 52]


def test_the_highest_total_wins_in_the_documents_protocol_toby() -> None:
    s = begin(4)
    for ticks, row in PROTOCOL:
        bids, won = a_round_with(ticks, row)
        play_round(s, bids, won)
    assert plain.winning_seats(PLUMP, s) == [TOBY]


def test_players_with_the_same_highest_total_share_the_win() -> None:
    s = begin(4)
    s.round = 20
    play_round(s, [9, 9, 0, 9], [4, 5, 0, 0])
    play_round(s, [0, 0, 0, 9], [4, 0, 6, 0])
    assert s.phase == OVER
    assert s.score[:4] == [0, 10, 10, 0]
    assert plain.winning_seats(PLUMP, s) == [STEPHEN, TOBY]


def test_if_nobody_scores_everybody_shares_the_win() -> None:
    s = begin(4)
    s.round = 21
    play_round(s, [0, 9, 9, 9], [10, 0, 0, 0])
    assert plain.winning_seats(PLUMP, s) == [LISA, STEPHEN, TOBY, RACHEL]


# ---- what is refused, and what the sentence says


def test_a_bid_above_the_ticks_is_refused_with_the_number_of_ticks() -> None:
    s = dealt("C2 C3", "D2 D3")
    assert "only 2 ticks" in refusal(PLUMP, s, "bid 3")


def test_the_forbidden_bid_is_refused_with_the_reason() -> None:
    s = dealt("C2 C3", "D2 D3")
    happens(PLUMP, s, "bid 1")
    assert "The bids may not add up to 2, the number of ticks, so you cannot bid 1." in refusal(PLUMP, s, "bid 1")


def test_not_following_suit_is_refused_with_the_cards_that_may_be_played() -> None:
    s = dealt("C2 D9 SA", "C3 CK D5")
    bid(s, [0, 0])
    happens(PLUMP, s, "play C2")
    assert "follow suit: play one of 3♣ K♣." in refusal(PLUMP, s, "play D5")


def test_a_text_that_is_no_choice_here_is_refused_with_the_choices() -> None:
    s = dealt("C2 C3", "D2 D3")
    for text in ("bid 11", "bid", "bid -1", "play C2", "BID 1", "bid  1", ""):
        assert "allowed: bid 0, bid 1, bid 2." in refusal(PLUMP, s, text)
    bid(s, [0, 0])
    for text in ("bid 1", "play 2C", "play"):
        assert "allowed: play C2, play C3." in refusal(PLUMP, s, text)


def test_a_wrong_deal_or_lot_is_refused() -> None:
    s = begin(4)
    assert "the match waits for 'deal' and 52 names" in refusal(PLUMP, s, "bid 1")
    assert "'JB' is not a card" in refusal(PLUMP, s, "deal JB")
    assert "each of the 52 once" in refusal(PLUMP, s, "deal C2 C3")
    assert "each of the 52 once" in refusal(PLUMP, s, "deal C2 " + " ".join(FRENCH[:51]))
    s = begin(3, first_dealer="random")
    assert "the match waits for 'lots' and 3 names" in refusal(PLUMP, s, "deal " + " ".join(FRENCH))
    assert "'3' is not a seat" in refusal(PLUMP, s, "lots 0 1 3")
    assert "each of the 3 once" in refusal(PLUMP, s, "lots 0 1 1")
