"""The house policy of Plump: each sentence about how it plays, and the checks that every policy must pass."""

from __future__ import annotations

from typing import Any

import pytest
from house_positions import SEEDS, chosen, keeps_the_promises_of_a_policy, to_play
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import set_ups
from positions import deal, happens

from kortlek.engine import plain
from kortlek.game.registry import GAMES
from kortlek.games.plump.bots import HOUSE, sure_ticks
from kortlek.games.plump.forehead import chance_to_win
from kortlek.games.plump.rules import Plump

GAME = GAMES["plump"]
FILL = "C2 C3 C4 C5 D2 D3 D4 D5 H2 H3 H4 S2 S3 S4"


def card(hand: str, *trick: str, **how: Any) -> str:
    """The card that the house policy plays."""
    return chosen(GAME, HOUSE, to_play(GAME, hand, *trick, **how))


def dealt(*hands: str, size: int = 0, bids: str = "", players: int = 4, **options: object) -> Plump:
    """A round has been dealt, dealer last, and the first have bid."""
    s = plain.begin(GAME, players, options)
    size = size or len(hands[0].split())
    while True:
        probe = plain.copy_of(s)
        happens(GAME, probe, "deal " + " ".join(GAME.pack.names))
        if probe.hand_size == size:
            break
        s.round += 1
    deal(GAME, s, [*hands, *[""] * (players - len(hands))], first=0, size=size)
    if bids:
        happens(GAME, s, *(f"bid {bid}" for bid in bids.split()))
    return s  # type: ignore[no-any-return]


def bid(s: Plump) -> int:
    """The bid of the house policy."""
    return int(chosen(GAME, HOUSE, s))


# ---- bids


def test_a_card_counts_more_the_fewer_unseen_cards_can_beat_it() -> None:
    assert bid(dealt("CA CK DA HA SA")) >= 3
    assert bid(dealt("C2 C3 D2 H3 S2")) == 0
    assert bid(dealt("CA C3 D2 H3 S2 D3 H2 S4 C4 D4")) < bid(dealt("CA CK DA DK HA HK SA SK C4 D4"))


def test_when_others_have_bid_more_than_their_share_it_bids_less() -> None:
    hand = "CA CQ DK D9 HA H8 SK S7 S6 C5"
    modest = bid(dealt("", "", "", hand, size=10, bids="0 0 0"))
    crowded = bid(dealt("", "", "", hand, size=10, bids="9 9 9"))
    assert crowded < modest


def test_it_does_not_bid_below_the_ticks_that_are_sure() -> None:
    s = dealt("CA CK CQ D2 D3")
    assert sure_ticks(s) == 3 <= bid(s)
    s = dealt("C2 C3 C4 C5 D2", "", "", "CA DA HA SA SK", bids="0 0 0")
    assert sure_ticks(s) == 5


def test_not_even_if_the_hook_forbids_the_wanted_bid() -> None:
    s = dealt("C2 C3 C4 C5 D2 D3", "", "", "CA DA HA SA C6 D6", bids="0 2 0")
    assert not GAME.legal(s) >> 4 & 1
    assert bid(s) > 4


def test_aces_are_not_sure_without_the_lead() -> None:
    s = dealt("C2 C3 C4 C5 D2", "CA CK CQ DA HA", bids="0")
    assert sure_ticks(s) == 0


# ---- play


def test_it_sheds_the_highest_card_that_loses_when_it_needs_none() -> None:
    assert card("C3 C9 CK", "CT", needs=0, unseen=FILL) == "C9"
    assert card("D3 DA H2", "CT", "C5", needs=0, unseen="D4 D5 H3 H5 DK C7 S8") == "DA"


def test_when_it_needs_none_it_leads_what_others_can_beat() -> None:
    assert card("C2 CA DA", needs=0, unseen="C3 C4 C5 D2 D3 D5 DK H4 H5") == "C2"
    assert card("C4 C8 DA", needs=0, unseen="C3 C5 CT CJ CQ CK CA D2 D3") == "C8"
    assert card("C4 C8 DA", needs=0, unseen="C3 C5 C2 C6 C7 D2 D3 D4 D5") == "C4"


def test_bid_already_made_it_ducks_when_ducking_is_possible() -> None:
    for trick in (("CT",), ("CT", "C4"), ("CT", "C4", "C8")):
        assert card("C3 CJ CK", *trick, needs=0, unseen=FILL) == "C3"


def test_last_to_play_and_bound_to_win_it_is_rid_of_the_highest_card() -> None:
    assert card("CQ CK", "CT", "C4", "C8", needs=0, unseen="C3 D4 D5") == "CK"


def test_it_takes_while_it_needs_ticks() -> None:
    assert card("C3 CA D2", "CT", needs=1, unseen="C4 C5 D3 D4 DA H3 H4 H5") == "CA"
    assert card("C3 CA", "CT", "C4", "C8", needs=2, unseen="C5 D4 D5") == "CA"


def test_last_to_play_it_wins_with_the_cheapest_card_when_all_are_needed() -> None:
    assert card("C3 CJ CQ CA", "CT", "C4", "C8", needs=4, unseen="C5 CK D4 D5 H7 H8") == "CJ"


def test_when_all_are_needed_it_leads_the_highest_card() -> None:
    assert card("CK CA D9", needs=3, unseen="C5 CQ D4 DT DK H7 H8 S3 S4") in ("CK", "CA")
    assert card("CQ D9 DA", needs=3, unseen="C5 CK D4 DT DK H7 H8 S3 S4") == "DA"


def test_of_the_last_two_it_needs_one_and_is_void_so_it_throws_the_loser() -> None:
    assert card("DA H2", "CT", needs=1, unseen="D4 D5 H3 H9 DK C7") == "H2"


def test_it_counts_the_cards_that_are_gone() -> None:
    assert card("C9 D2", needs=1, unseen="C3 C4 D3 D4 DA DK") == "C9"
    assert card("C9 DJ", needs=1, unseen="CT CJ CQ CK CA D3", others_need=(1, 0, 0)) == "DJ"


def test_it_remembers_who_has_no_more_of_a_suit() -> None:
    unseen = "CA CK D3 D4 D5 H3 H4 DA DK"
    risky = to_play(GAME, "CQ DQ H2", needs=3, unseen=unseen)
    assert chosen(GAME, HOUSE, risky) in ("CQ", "DQ")
    assert card("CQ DQ H2", needs=3, unseen=unseen, lacks={1: "C", 2: "C", 3: "C"}) == "CQ"
    assert card("CQ DQ H2", needs=3, unseen=unseen, lacks={1: "D", 2: "D", 3: "D"}) == "DQ"


def test_when_its_bid_is_lost_it_takes_ticks_if_others_need_them_and_leaves_them_if_they_do_not() -> None:
    assert card("C3 CJ CA", "CT", "C4", "C8", needs=-1, others_need=(2, 1, 0), unseen="C5 CK D4 D5 H7 H8") == "CJ"
    assert card("C3 CJ CA", "CT", "C4", "C8", needs=-1, others_need=(0, 1, 0), unseen="C5 CK D4 D5 H7 H8") == "C3"


# ---- the card on the forehead


def forehead(*cards: str, bids: str = "", **options: object) -> Plump:
    """A one-tick round: each player's card, dealer last, and the first bids."""
    return dealt(*cards, size=1, bids=bids, players=len(cards), **options)


def test_the_house_counts_the_cards_that_would_win() -> None:
    s = forehead("C2", "D5", "DT", "H8")
    assert chance_to_win(s, 0) == pytest.approx((13 + 4 + 6 + 13) / 49)
    assert bid(s) == 1
    s = forehead("CK", "DA", "HA", "SA")
    assert chance_to_win(s, 0) == pytest.approx(13 / 49)
    assert bid(s) == 0


def leader_bids_one(seen: list[str]) -> bool:
    """Whether a leader who sees these cards wins with more than half of those that she may have."""
    mine = [name for name in GAME.pack.names if name not in seen]
    rank = "23456789TJQKA".index
    wins = [all(rank(other[1]) < rank(name[1]) for other in seen if other[0] == name[0]) for name in mine]
    return 2 * sum(wins) > len(mine)


@pytest.mark.parametrize("said", [0, 1])
@pytest.mark.parametrize("cards", ["CT D5 DT H8", "C5 S9 DK HK", "S2 SA H3 D4", "CA C2 C3 C4", "H7 HJ SK CQ"])
def test_a_card_that_makes_little_sense_of_the_bids_counts_little(cards: str, said: int) -> None:
    """Counted again card by card: nine in ten leaders bid what they see; the next wins with the suit led, above the others of it."""
    leader, mine, *others = cards.split()
    total = wins = 0.0
    for name in GAME.pack.names:
        if name not in (leader, *others):
            weight = 0.9 if leader_bids_one([name, *others]) == (said == 1) else 0.1
            total += weight
            best = max("23456789TJQKA".index(card[1]) for card in (leader, *others) if card[0] == leader[0])
            wins += weight * (name[0] == leader[0] and "23456789TJQKA".index(name[1]) > best)
    s = forehead(leader, mine, *others, bids=str(said))
    assert chance_to_win(s, 0) == pytest.approx(wins / total)
    assert bid(s) == int(11 * wins > 10 * (total - wins))


def test_the_highest_bidder_leads_if_that_is_the_option() -> None:
    s = forehead("C2", "D5", "D4", "H3", bids="0", first_lead="highest_bidder")
    assert chance_to_win(s, s.turn) > chance_to_win(s, 0)
    assert bid(s) == 1
    assert bid(forehead("C2", "D5", "D4", "H3", bids="0")) == 0


# ---- checks of every policy


@settings(max_examples=5, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_it_is_legal_and_does_not_depend_on_hidden_cards(data: st.DataObject, seed: int) -> None:
    players, options = data.draw(set_ups(GAME))
    keeps_the_promises_of_a_policy(GAME, HOUSE, players, options, seed)
