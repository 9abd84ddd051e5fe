"""The house policy of Up and Down: each sentence about how it plays, and the checks that every policy must pass."""

from __future__ import annotations

from typing import Any

from house_positions import SEEDS, chosen, keeps_the_promises_of_a_policy, to_play
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import set_ups
from positions import deal, happens

from kortlek.engine import plain
from kortlek.game.registry import GAMES
from kortlek.games.up_and_down.bots import HOUSE, likelihood, sure_hands
from kortlek.games.up_and_down.rules import UpAndDown

GAME = GAMES["up_and_down"]


def card(hand: str, *trick: str, **how: Any) -> str:
    """The card that the house policy plays; the mesa is spades."""
    return chosen(GAME, HOUSE, to_play(GAME, hand, *trick, trump="S", **how))


def dealt(*hands: str, mesa: str, bets: str = "") -> UpAndDown:
    """A round has been dealt to four players, seat 0 is the first to bet, and some have bet."""
    size = max(len(hand.split()) for hand in hands)
    s = plain.begin(GAME, 4, {"first_bettor": 0, "largest_round": size})
    s.round = size - 1
    deal(GAME, s, [*hands, *[""] * (4 - len(hands))], first=0, size=size, then=mesa)
    if bets:
        happens(GAME, s, *(f"bet {bet}" for bet in bets.split()))
    return s  # type: ignore[no-any-return]


def bet(s: UpAndDown) -> int:
    """The bet of the house policy."""
    return int(chosen(GAME, HOUSE, s))


# ---- bets


def test_the_better_the_cards_the_higher_the_bet() -> None:
    assert bet(dealt("SA SK SQ SJ ST", mesa="S5")) == 5
    assert bet(dealt("C2 D2 H2 C3 D3", mesa="S5")) == 0


def test_a_mesa_has_a_better_chance_than_another_card() -> None:
    low = "C3 D3 H4 C5"
    assert bet(dealt(f"SK SQ SJ {low}", mesa="S5")) > bet(dealt(f"HK HQ HJ {low}", mesa="S5"))


def test_the_turned_up_card_is_out_of_play() -> None:
    assert sure_hands(dealt("SK SQ C3", mesa="SA")) == 2
    assert sure_hands(dealt("SK SQ C3", mesa="S2")) == 0


def test_it_does_not_bet_below_its_sure_hands_even_if_the_last_to_bet_may_not_bet_what_it_wants() -> None:
    s = dealt("", "", "", "SA SK C2 D2", mesa="S5", bets="0 1 1")
    assert not GAME.legal(s) >> 2 & 1
    assert sure_hands(s) == 2 < bet(s)


# ---- play


def test_it_needs_all_and_holds_the_top_mesas_so_it_leads_the_highest() -> None:
    assert card("SA SK CA", needs=3, unseen="C2 C3 S2 S3 D4 D5 H4 H5 SQ") in ("SA", "SK")
    assert card("SA SQ CA", needs=3, unseen="C2 C3 S2 S3 D4 D5 H4 H5 SK") == "SA"


def test_of_the_last_two_it_needs_one_and_is_void_so_it_throws_the_loser() -> None:
    assert card("DA H2", "CT", needs=1, unseen="D4 D5 H3 H9 DK C7") == "H2"
    assert card("SA H2", "CT", "SK", needs=1, unseen="D4 D5 H3 H9") == "H2"


def test_it_keeps_its_sure_mesas_for_the_end_if_they_are_all_it_needs() -> None:
    assert card("SA SK H2 H9", "CT", "C4", needs=2, unseen="D4 D5 H3 HT SQ S2 C5 C6 D8 D9") == "H9"
    assert card("SA H2 H9", needs=1, unseen="D4 D5 H3 HT HJ S2 C5 C6 D8") in ("H2", "H9")


def test_last_to_play_it_wins_with_the_cheapest_card() -> None:
    assert card("C3 CJ CQ CA", "CT", "C4", "C8", needs=4, unseen="C5 CK D4 D5 H7 H8") == "CJ"
    assert card("S3 S9 SA", "CT", "C4", "C8", needs=3, unseen="C5 CK D4 D5 H7 H8") == "S3"
    assert card("S3 S9 SA", "CT", "S4", "C8", needs=3, unseen="C5 CK D4 D5 H7 H8") == "S9"


def test_it_sheds_the_highest_card_that_loses_when_it_needs_none() -> None:
    assert card("C3 C9 CK", "CT", needs=0, unseen="C4 C5 D3 D4 H5 H6") == "C9"
    assert card("C3 C9 CK", "CT", "S2", needs=0, unseen="C4 C5 D3 D4 H5 H6") == "CK"
    assert card("S3 DA D2", "CT", "C4", "C8", needs=0, unseen="C5 D4 D5 DK H7") == "DA"


def test_bet_already_won_it_ducks_below_a_mesa() -> None:
    assert card("S3 S9 SQ", "CT", "ST", "C8", needs=0, unseen="C5 D4 D5 S5 SK") == "S9"


def test_it_takes_with_a_mesa_while_it_needs_hands() -> None:
    assert card("S3 D2 D4", "CT", "C4", "C8", needs=1, unseen="C5 D5 D6 SK SA") == "S3"


def test_when_it_needs_none_it_leads_what_others_can_beat() -> None:
    assert card("C2 SA DA", needs=0, unseen="C3 C4 C5 D2 D3 D5 DK H4 H5") == "C2"


def test_it_remembers_who_may_play_a_mesa_on_a_suit() -> None:
    unseen = "C2 C3 C4 D3 D4 D5 S4 S5 S6 H5 H6 H7"
    assert card("CA DA H2", needs=3, unseen=unseen, lacks={1: "C", 2: "C", 3: "C"}) == "DA"
    assert card("CA DA H2", needs=3, unseen=unseen, lacks={1: "D", 2: "D", 3: "D"}) == "CA"


def test_when_its_bet_is_lost_it_takes_hands_if_others_need_them_and_leaves_them_if_they_do_not() -> None:
    assert card("C3 CJ CA", "CT", "C4", "C8", needs=-1, others_need=(2, 1, 0), unseen="C5 CK D4 D5 H7 H8") == "CJ"
    assert card("C3 CJ CA", "CT", "C4", "C8", needs=-1, others_need=(0, 1, 0), unseen="C5 CK D4 D5 H7 H8") == "C3"


# ---- checks of every policy


@settings(max_examples=5, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_it_is_legal_and_does_not_depend_on_hidden_cards(data: st.DataObject, seed: int) -> None:
    players, options = data.draw(set_ups(GAME))
    options["largest_round"] = min(int(str(options.get("largest_round", 5))), 7)
    keeps_the_promises_of_a_policy(GAME, HOUSE, players, options, seed)


def test_the_expert_weighs_bets_in_the_order_in_which_they_were_made() -> None:
    """A player bets less after high bets of others. Earlier bets are counted from the first bettor on, not from the dealer as in other games."""
    s = plain.begin(GAMES["up_and_down"], 4, {"largest_round": 5, "first_bettor": 2})
    s.round = 4
    plain.step(GAMES["up_and_down"], s, tuple(range(52)))
    s.bet[2], s.bet[3], s.bet[0] = 4, 4, 1
    weighed = likelihood(s, 0)
    for dealer in range(4):
        s.dealer = dealer
        assert likelihood(s, 0) == weighed
    s.bet[2] = s.bet[3] = 0
    assert likelihood(s, 0) != weighed
