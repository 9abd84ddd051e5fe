"""What is hidden in Rummy, what is refused and why: one test for each sentence of the rule book."""

import pytest
from rummy_positions import (
    FORTY_SIX,
    about_to_go_out,
    add,
    deal,
    discards,
    do,
    go_out,
    hand,
    lay,
    position,
    quiet_turn,
    refusal,
    shows,
    table,
)

from kortlek.cards import count
from kortlek.engine import plain
from kortlek.engine.views import ONLOOKER, Place, view
from kortlek.games.melds import CARDS
from kortlek.games.rummy.rules import Rummy
from kortlek.games.rummy.rules import RUMMY

# ---- what is hidden


def seen(s: Rummy, seat: int, owner: int) -> str:
    """What a seat sees of a hand."""
    return hand(view(RUMMY, s, seat).state, owner)


def test_a_hand_is_seen_by_its_owner_and_by_nobody_else() -> None:
    s = position("C2 C3", "S3 S4", "D5")
    assert [[seen(s, seat, owner) for owner in range(3)] for seat in range(3)] == [["C2 C3", "", ""], ["", "S3 S4", ""], ["", "", "D5"]]


def test_an_onlooker_sees_no_hand() -> None:
    s = position("C2 C3", "S3 S4")
    assert [seen(s, ONLOOKER, owner) for owner in range(2)] == ["", ""]


def test_nobody_sees_the_stock() -> None:
    s = position("C2 C3", "S3 S4")
    for seat in (0, 1, ONLOOKER):
        assert set(view(RUMMY, s, seat).state.stock[1:]) == {-1}


def test_everyone_sees_how_many_cards_lie_in_each_hand_and_in_the_stock() -> None:
    s = position("C2 C3", "S3 S4 S5", rest="discards", stock="D2 D3 D4 D5")
    for seat in (0, 1, ONLOOKER):
        sizes = view(RUMMY, s, seat).sizes
        assert [sizes[Place("hand", 0)], sizes[Place("hand", 1)], sizes[Place("stock")]] == [2, 3, 4]


def test_everyone_sees_the_whole_discard_pile_and_the_melds_and_who_has_laid() -> None:
    s = position("C2 C3", "S3", discards="D9 HK S2", melds=["H5 JR H7"], laid=(1,))
    for seat in (0, 1, ONLOOKER):
        masked = view(RUMMY, s, seat).state
        assert (discards(masked), table(masked), masked.laid[:2]) == ("D9 HK S2", ["H5 JR H7"], [0, 1])


def test_everyone_sees_the_cards_of_a_meld_that_is_being_laid() -> None:
    s = position("CK DK HK C2", "S3", laid=(0,))
    do(s, "lay", "set K", "card CK")
    assert table(view(RUMMY, s, 1).state) == ["CK"]


def test_only_the_player_in_turn_is_told_her_choices() -> None:
    s = position("C2 C3", "S3")
    assert [view(RUMMY, s, seat).legal != 0 for seat in (0, 1, ONLOOKER)] == [True, False, False]


def test_a_discard_openly_taken_stays_known_until_it_leaves_the_hand() -> None:
    s = position("C2 C3 C4", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert shows(view(RUMMY, s, 1).state, 0) == "C9"
    do(s, "discard C2")
    quiet_turn(s)
    quiet_turn(s)
    quiet_turn(s)
    assert shows(view(RUMMY, s, ONLOOKER).state, 0) == "C9"
    do(s, "draw stock", "discard C9")
    assert shows(s, 0) == ""


def test_a_taken_card_is_no_longer_in_the_hand_once_laid() -> None:
    s = position("D9 H9 C2", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    lay(s, "set 9", "C9 D9 H9")
    assert shows(s, 0) == ""


def test_a_taken_card_is_no_longer_in_the_hand_once_added() -> None:
    s = position("C2", "S3", melds=["D9 H9 S9"], discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    add(s, "C9", 1)
    assert shows(s, 0) == ""


def test_both_copies_of_a_card_can_be_known() -> None:
    s = position("C2 C3 C4", "C9 S3 S4", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard", "discard C2", "draw stock", "discard C9", "draw discard")
    assert shows(s, 0) == "C9 C9"
    do(s, "discard C9")
    assert shows(s, 0) == "C9"


def test_a_card_drawn_from_the_stock_is_not_known() -> None:
    s = position("C2 C3", "S3", laid=(0,))
    assert shows(s, 0) == ""


def test_a_freed_joker_stays_known_until_it_leaves_the_hand() -> None:
    s = position("H6 C2 C3", "S3", melds=["H5 JR H7"], laid=(0,))
    add(s, "H6", 1)
    assert shows(view(RUMMY, s, 1).state, 0) == "JR"
    do(s, "discard C2")
    quiet_turn(s)
    do(s, "draw stock", "discard JR")
    assert shows(s, 0) == ""


def test_known_cards_are_forgotten_in_a_new_game() -> None:
    s = position("C2 C3", "S7", melds=["C7 D7 H7"], discards="C9", stock="D2", laid=(0, 1), drawn=False, games=2)
    do(s, "draw discard", "discard C2", "draw stock")
    add(s, "S7", 1)
    do(s, "discard D2")
    assert shows(s, 0) == "C3 C9"
    do(s, deal(""))
    assert shows(s, 0) == ""


def test_everyone_knows_which_cards_a_new_stock_is_made_of() -> None:
    s = position("C2 C3", "S3", rest=1, discards="D4 D5 D5 JB")
    do(s, "discard C2", "deal D5 JB D5 D4")
    lacks = view(RUMMY, s, ONLOOKER).state.stock_known_absent
    assert {CARDS[card]: 2 - count(lacks, card) for card in range(54) if count(lacks, card) < 2} == {"D4": 1, "D5": 2, "JB": 1}


def test_before_that_nobody_knows_anything_of_the_stock() -> None:
    assert position("C2 C3", "S3", discards="D4 D5").stock_known_absent == [0, 0]


def test_the_order_of_a_new_stock_is_hidden() -> None:
    s = position("C2 C3", "S3", rest=1, discards="D4 D5 D6")
    do(s, "discard C2")
    other = plain.copy_of(s)
    do(s, "deal D4 D5 D6")
    do(other, "deal D6 D5 D4")
    for seat in (0, 1, ONLOOKER):
        assert view(RUMMY, s, seat).state == view(RUMMY, other, seat).state


def test_what_a_stock_was_made_of_is_forgotten_in_a_new_game() -> None:
    s = position("C2 C3", "S3", rest=1, discards="D4 D5", games=2, round_limit=2)
    do(s, "discard C2", "deal D4 D5")
    quiet_turn(s)
    do(s, deal(""))
    assert s.stock_known_absent == [0, 0]


def test_before_she_draws_nothing_tells_what_a_player_holds() -> None:
    able = position(f"{FORTY_SIX} C2", "S3", drawn=False)
    unable = position("HQ HK DA C5 D5 H6 C2", "S3", drawn=False)
    for seat in (1, ONLOOKER):
        assert view(RUMMY, able, seat).state == view(RUMMY, unable, seat).state


def test_nobody_is_told_whether_another_player_could_lay() -> None:
    able = position(f"{FORTY_SIX} C2", "S3")
    unable = position("HQ HK DA C5 D5 H6 C2", "S3")
    for seat in (1, ONLOOKER):
        assert view(RUMMY, able, seat).state == view(RUMMY, unable, seat).state


def test_all_hands_are_shown_when_a_game_is_scored() -> None:
    s = about_to_go_out("SK H5 D5")
    go_out(s)
    for seat in (0, ONLOOKER):
        masked = view(RUMMY, s, seat).state
        assert "SK" in (hand(masked, 1) + shows(masked, 1)).split()


# ---- refusals and options


def told(s: Rummy, *path: str, tries: str) -> str:
    do(s, *path)
    return refusal(s, tries)


def test_refused_draws_say_why() -> None:
    s = position("C2", "S3", discards="C9", drawn=False)
    assert "Only a player who has laid melds in an earlier turn may take the top discard." in refusal(s, "draw discard")
    s = position("C2 C3", "S3 S4", rest=0, laid=(0, 1))
    assert "The stock is empty." in told(s, "discard C2", tries="draw stock")


def test_refused_discards_say_why() -> None:
    s = position("C2 C3", "S3", discards="C9", laid=(0,), drawn=False)
    do(s, "draw discard")
    assert "You do not hold K♠." in refusal(s, "discard SK")
    assert "You have just taken 9♣: it may not be discarded in the same turn." in refusal(s, "discard C9")


def test_a_refused_discard_in_the_middle_of_a_first_laying_says_what_the_melds_still_need() -> None:
    s = position(f"{FORTY_SIX} C2", "S3")
    lay(s, "set 5", "C5 D5 H5")
    assert "Your melds are worth 15 so far and need 41: lay another one." in refusal(s, "discard C2")


def test_refused_first_melds_say_what_they_must_be_worth() -> None:
    s = position("CK DK HK SK C2", "S3")
    assert "First melds must be worth at least 41 together and leave a card to discard." in refusal(s, "lay")
    s = position("CK DK HK SK C2", "S3", threshold=60, threshold_suffices="yes")
    assert "at least 60" in refusal(s, "lay")
    s = position("HQ HK HA CK DK C3 D3 H3 C2", "S3", threshold=39)
    assert "at least 40" in told(s, "lay", tries="set K")


def test_melds_refused_before_the_earliest_round_are_told_the_round() -> None:
    assert "round 3" in refusal(position(f"{FORTY_SIX} C2", "S3", lap=2, earliest_laying_round=3), "lay")


def test_refused_single_cards_say_why() -> None:
    s = position("H8 C2 C3", "S3", melds=["H5 H6 H7", "C9 D9 H9"])
    assert "Only a player who has laid melds may add single cards." in refusal(s, "add")
    s = position("H8 C2 C3", "S3", melds=["H5 H6 H7", "C9 D9 H9"], laid=(0,))
    assert "You do not hold K♠." in told(s, "add", tries="card SK")
    assert "It fits no meld that the rules allow" in refusal(s, "card C2")
    assert "It fits no meld that the rules allow" in told(s, "card H8", tries="meld 2")


def test_a_refused_way_says_that_it_does_not_fit() -> None:
    s = position("JR C2", "S3", melds=["H5 H6 H7"], laid=(0,))
    assert "It fits no meld that the rules allow" in told(s, "add", "card JR", "meld 1", tries="swap")


def test_refused_melds_of_a_player_who_has_laid_say_that_nothing_fits() -> None:
    s = position("CK DK HK C2", "S3", melds=["H5 H6 H7"], laid=(0,))
    nothing = "a meld must be complete and a card must be left to discard."
    assert nothing in told(s, "lay", tries="run H")
    assert nothing in told(s, "set K", "card CK", tries="done")
    assert nothing in refusal(s, "card C2")
    assert "You do not hold K♠." in refusal(s, "card SK")


def test_something_else_than_a_choice_is_answered_with_what_is_allowed() -> None:
    assert refusal(position("C2 C3", "S3"), "fly") == "'fly' is not a choice here: allowed: discard C2, discard C3."


def test_nothing_happens_after_the_end() -> None:
    s = about_to_go_out("SK")
    go_out(s)
    assert "The match is over" in refusal(s, "draw stock")


@pytest.mark.parametrize("threshold", [-1, 136])
def test_the_threshold_is_from_0_to_135(threshold: int) -> None:
    with pytest.raises(plain.Refused, match=f"threshold={threshold} is not possible: threshold is a whole number from 0 to 135"):
        plain.begin(RUMMY, 2, {"threshold": threshold})
