"""What the page is told to draw Rummy, beyond where the cards are: the melds, those that a player holds, and where her cards could go."""

import random
from typing import Any

import pytest
from playing import walk
from rummy_positions import allowed, can, can_add, can_reach, do, double, lay, position

from kortlek.cards import NOTHING, gain, members
from kortlek.engine.views import ONLOOKER, view
from kortlek.games.melds import CARDS
from kortlek.games.rummy.rules import DRAW, RUMMY, TURN, Rummy
from kortlek.games.rummy.layout import best_melds
from kortlek.engine.view_json import explained_to_json

OTHER = "C9 D9"


def drawn(s: Rummy, seat: int = 0) -> dict[str, Any]:
    told: dict[str, Any] = explained_to_json(view(RUMMY, s, seat))["drawn"]
    return told


def held(hand: str, **given: Any) -> list[str]:
    """The best melds of a hand, each with its worth."""
    return [in_text(meld) for meld in drawn(position(hand, OTHER, **given))["held"]]


def in_text(meld: dict[str, Any]) -> str:
    """A meld as ``C3 C4 JB(C5) = 12``."""
    return f"{' '.join(with_jokers(meld))} = {meld['worth']}"


def with_jokers(meld: dict[str, Any]) -> list[str]:
    """The cards of a meld, jokers with what they stand for: ``JB(C5)``."""
    return [f"{card}({stands_for})" if stands_for else card for card, stands_for in zip(meld["cards"], meld["as"], strict=True)]


@pytest.mark.parametrize(
    ("meld", "told"),
    [
        ("C3 C4 JB C6", "C3 C4 JB(C5) C6 = 18"),
        ("JR H2 H3", "JR(HA) H2 H3 = 6"),
        ("DQ DK JR", "DQ DK JR(DA) = 31"),
        ("H5 S5 JR", "H5 S5 JR(D5) = 15"),
        ("C5 S5 JR", "C5 S5 JR = 15"),
        ("C5 S5 JR JR", "C5 S5 JR(D5) JR(H5) = 20"),
        ("C5 H5 JB JR", "C5 H5 JR(D5) JB(S5) = 20"),
    ],
)
def test_a_joker_is_told_with_its_card_if_it_can_stand_for_one_only(meld: str, told: str) -> None:
    [found] = drawn(position("C2 D2", OTHER, melds=[meld]))["melds"]
    assert in_text(found) == told


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("CK DK HK S8 S9 ST D4 C6 C7", ["CK DK HK = 30", "S8 S9 ST = 27"]),
        ("S8 ST JB D4 C6 C3", ["S8 JB(S9) ST = 27"]),
        ("HK SK SQ JR D4 C6 C3", ["HK SK JR(DK) = 30"]),
        ("C2 D4 H6 S8 CT", []),
        ("CK DK HK SK C2", ["CK DK HK SK = 40"]),
        ("CK DK HK", []),  # a card must be left to discard
        ("H2 H3 H4 H5 H6 H7 C9", ["H2 H3 H4 H5 H6 H7 = 27"]),
        ("H7 H7 H8 H8 H9 H9 C2", ["H7 H8 H9 = 24", "H7 H8 H9 = 24"]),
    ],
)
def test_a_player_is_told_her_best_melds(hand: str, best: list[str]) -> None:
    assert held(hand) == best


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("C9 CQ D3 DQ H7 SQ JB", ["CQ DQ SQ = 30"]),  # not the joker for the queen of clubs
        ("C6 D6 D9 H2 H7 H7 S2 JB JR", ["C6 D6 JR(H6) JB(S6) = 24"]),  # not a set of twos besides: 18 + 6
        ("DQ DK DA HA SA CA C2", ["CA HA SA = 33", "DQ DK DA = 31"]),  # not four aces
    ],
)
def test_the_best_melds_have_the_fewest_jokers_and_are_the_fewest(hand: str, best: list[str]) -> None:
    assert held(hand) == best


@pytest.mark.parametrize(
    ("hand", "taken", "worth"),
    [("CK DK HK C2", "C2", 0), ("CK DK HK C2", "CK", 30), ("CK DK HK C2", "", 30), ("CK DK HK C2 C2", "C2", 30), ("C2 C3 C4 C2", "C2", 9)],
)
def test_the_best_melds_leave_a_card_that_may_be_discarded(hand: str, taken: str, worth: int) -> None:
    assert sum(meld["worth"] for meld in best_melds(double(hand), CARDS.index(taken) if taken else NOTHING)) == worth


@pytest.mark.parametrize("seed", range(6))
def test_no_other_melds_of_the_hand_are_worth_more(seed: int) -> None:
    """Compared with the search of the rules, which is much slower."""
    chance, two_packs = random.Random(seed), list(range(len(CARDS))) * 2
    for _ in range(25):
        hand = [0, 0]
        for card in chance.sample(two_packs, chance.randrange(3, 12)):
            gain(hand, card)
        taken = chance.choice([NOTHING, *members(hand[0])])
        worth = sum(meld["worth"] for meld in best_melds(hand, taken))
        assert worth == 0 or can_reach(hand, worth, taken)
        assert not can_reach(hand, worth + 1, taken)


def test_a_player_is_told_the_melds_before_and_after_drawing_on_her_turn_and_nobody_else_is() -> None:
    s = position("CK DK HK SK C2", "S7 S8 S9 ST", drawn=False)
    assert [bool(drawn(s, seat)["held"]) for seat in (0, 1, ONLOOKER)] == [True, False, False]
    do(s, "draw stock")
    assert [bool(drawn(s, seat)["held"]) for seat in (0, 1, ONLOOKER)] == [True, False, False]


def test_the_meld_being_laid_is_told_card_by_card() -> None:
    s = position("JB C6 C7 JB C2", OTHER, laid=(0,))
    told, worth = [], []
    for step in ("lay", "run C", "card JB", "card C6", "card C7", "card JB", "done"):
        do(s, step)
        making = drawn(s, 1)["making"]
        told.append(making and with_jokers(making))
        worth.append(making and making["worth"])
    assert told == [None, [], ["JB"], ["JB(C5)", "C6"], ["JB(C5)", "C6", "C7"], ["JB(C5)", "C6", "C7", "JB(C8)"], None]
    assert worth == [None, 0, 0, 11, 18, 26, None], "a joker is worth something as soon as it stands for a card"


@pytest.mark.parametrize(("options", "needed"), [({}, 41), ({"threshold_suffices": "yes"}, 40), ({"threshold": 50}, 51)])
def test_what_first_melds_need(options: dict[str, Any], needed: int) -> None:
    assert drawn(position("C2 D2", OTHER, **options))["needed"] == needed


def test_where_a_card_could_go_is_told_only_when_single_cards_may_be_added() -> None:
    s = position("H8 D4 HQ HK HA C5 D5 H5 S2", OTHER, melds=["H5 H6 H7", "C8 D8 S8"])
    assert drawn(s)["fits"] == {}
    lay(s, "run H", "HQ HK HA")
    lay(s, "set 5", "C5 D5 H5")
    assert drawn(s)["fits"] == {"H8": [1, 2]}
    assert drawn(s, 1)["fits"] == {}


@pytest.mark.parametrize("seed", range(3))
def test_all_that_is_told_can_be_done(seed: int) -> None:
    """Every meld named can be laid if melds can, together they suffice if a first laying is possible, and all places are named."""
    laid = added = 0
    for s in walk(RUMMY, 2, {"threshold": 20 * seed}, seed):
        if s.phase not in (DRAW, TURN):
            continue
        told = drawn(s, s.turn)
        if s.phase == TURN:
            worth = sum(meld["worth"] for meld in told["held"])
            assert ("lay" in allowed(s)) == (worth > 0 and bool(s.laid[s.turn] or s.laying + worth >= told["needed"]))
            hand = {CARDS[card] for card in members(s.hand[s.turn][0])}
            expected = {card: [at for at in range(1, s.melds + 1) if can_add(s, card, at)] for card in hand}
            assert told["fits"] == {card: at for card, at in expected.items() if at}
            added += len(told["fits"])
        if "lay" in allowed(s):
            assert all(can(s, *meld["steps"]) for meld in told["held"])
            assert can(s, *(step for meld in told["held"] for step in meld["steps"]))
            laid += 1
    assert laid and added
