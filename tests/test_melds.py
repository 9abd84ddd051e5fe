"""Sets, runs and jokers: one test for each sentence of the rule book about melds."""

from itertools import combinations

import pytest
from rummy_positions import ACE_TO_ACE, Meld, can_reach, cards, double, meld, names, shown

from kortlek.cards import PACK, bit, lose, members, size, upto
from kortlek.games import melds
from kortlek.games.melds import CARDS, HIGH, HIGH_ACE, KINDS, LOW, RUN, SWAP
from kortlek.games.rummy.rules import points_in

RANKS = "23456789TJQKA"


def is_meld(kind: str, text: str) -> bool:
    """Whether these cards, held and named in this order, are a set (of a rank) or a run (of a suit)."""
    number = RANKS.index(kind[-1]) if kind.startswith("set") else RUN + "CDHS".index(kind[-1])
    natural = joker = 0
    held = double(text)
    for card in cards(text):
        if not melds.next_cards(number, natural, joker) & held[0] & bit(card):
            return False
        natural, joker = melds.added(number, natural, joker, card, HIGH)
    return melds.is_meld(natural, joker)


def can_be_made(held: list[int], kind: int, natural: int = 0, joker: int = 0) -> set[int]:
    """The natural cards in all melds of a kind that can be named from a hand."""
    found = set(members(melds.cards_at(kind, natural))) if melds.is_meld(natural, joker) else set()
    for card in members(melds.next_cards(kind, natural, joker) & held[0]):
        rest = held.copy()
        lose(rest, card)
        found |= can_be_made(rest, kind, *melds.added(kind, natural, joker, card, HIGH))
    return found


def value(text: str) -> int:
    kind, natural, joker = meld(text)
    return melds.value(kind, natural | joker)


def ways(text: str, card: str) -> set[int]:
    """How a card can go to a meld on the table."""
    return set(members(melds.ways(*meld(text), cards(card)[0])))


def accepted(text: str) -> set[str]:
    """All cards that can go to a meld on the table."""
    return {card for card in CARDS if ways(text, card)}


def freed(text: str, card: str) -> int:
    """The place of the joker that a card frees."""
    kind, _, joker = meld(text)
    return melds.freed_place(kind, joker, cards(card)[0])


def reach(hand: str, need: int) -> bool:
    """Whether melds of a hand can be worth this much, with a card left over."""
    return can_reach(double(hand), need)


# ---- sets


def test_a_set_is_three_or_four_cards_of_one_rank() -> None:
    assert is_meld("set 7", "C7 D7 H7")
    assert is_meld("set 7", "C7 D7 H7 S7")
    assert not is_meld("set 7", "C7 D7")
    assert not is_meld("set 7", "C7 D7 H8")


def test_every_choice_of_three_suits_makes_a_set() -> None:
    for suits in combinations("CDHS", 3):
        assert is_meld("set K", " ".join(f"{suit}K" for suit in suits))


def test_the_cards_of_a_set_have_different_suits() -> None:
    assert not is_meld("set 7", "C7 C7 H7")
    assert not is_meld("set 7", "C7 D7 H7 H7")


def test_in_a_set_of_three_one_card_may_be_a_joker() -> None:
    assert is_meld("set 7", "C7 H7 JB")


def test_a_joker_cannot_join_two_cards_of_its_colour() -> None:
    assert not is_meld("set 7", "D7 H7 JR")
    assert not is_meld("set 7", "C7 S7 JB")


def test_a_pair_of_the_same_colour_accepts_only_the_other_joker() -> None:
    assert is_meld("set 7", "D7 H7 JB")
    assert is_meld("set 7", "C7 S7 JR")


def test_a_pair_of_one_red_and_one_black_card_accepts_either_joker() -> None:
    assert is_meld("set 7", "H7 S7 JB")
    assert is_meld("set 7", "H7 S7 JR")


def test_two_naturals_and_two_jokers_make_a_set_of_four() -> None:
    assert is_meld("set 7", "H7 S7 JB JR")
    assert is_meld("set 7", "D7 H7 JB JB")
    assert is_meld("set 7", "C7 S7 JR JR")


def test_jokers_count_as_cards_of_their_colour_for_the_next_joker() -> None:
    assert not is_meld("set 7", "H7 S7 JB JB")
    assert not is_meld("set 7", "H7 S7 JR JR")


def test_a_set_has_at_most_four_cards_jokers_included() -> None:
    for joker in ("JB", "JR"):
        assert not is_meld("set 7", f"C7 D7 H7 S7 {joker}")
        assert not is_meld("set 7", f"D7 H7 JB JB {joker}")


def test_a_set_of_four_may_have_one_joker() -> None:
    assert is_meld("set 7", "C7 D7 H7 JB")
    assert not is_meld("set 7", "C7 D7 H7 JR")


# ---- runs


def test_a_run_is_at_least_three_consecutive_cards_of_one_suit() -> None:
    assert is_meld("run H", "H5 H6 H7")
    assert is_meld("run H", "H5 H6 H7 H8 H9")
    assert not is_meld("run H", "H5 H6")


def test_a_run_leaves_no_rank_out() -> None:
    assert not is_meld("run H", "H5 H6 H8")


def test_the_cards_of_a_run_are_of_one_suit() -> None:
    assert not is_meld("run H", "H5 H6 D7")


def test_ace_two_three_is_a_run() -> None:
    assert is_meld("run S", "SA S2 S3")


def test_queen_king_ace_is_a_run() -> None:
    assert is_meld("run S", "SQ SK SA")


def test_king_ace_two_is_not_a_run() -> None:
    assert not is_meld("run S", "SK SA S2")


def test_a_run_can_have_fourteen_cards_from_ace_to_ace_and_no_more() -> None:
    whole = ACE_TO_ACE.format("D")
    assert is_meld("run D", whole)
    assert not is_meld("run D", f"{whole} D2")
    assert not is_meld("run D", f"{whole} JR")


@pytest.mark.parametrize("text", ["JR H6 H7", "H5 JR H7", "H5 H6 JR"])
def test_in_a_run_a_joker_may_stand_anywhere(text: str) -> None:
    assert is_meld("run H", text)


@pytest.mark.parametrize(("suit", "right", "wrong"), [("C", "JB", "JR"), ("D", "JR", "JB"), ("H", "JR", "JB"), ("S", "JB", "JR")])
def test_the_joker_of_a_run_has_the_colour_of_its_suit(suit: str, right: str, wrong: str) -> None:
    assert is_meld(f"run {suit}", f"{suit}5 {right} {suit}7")
    assert not is_meld(f"run {suit}", f"{suit}5 {wrong} {suit}7")


@pytest.mark.parametrize("text", ["H5 JR JR H8", "JR JR H7 H8", "H5 H6 JR JR", "JR H6 H7 JR"])
def test_two_jokers_of_a_run_may_be_neighbours_or_not(text: str) -> None:
    assert is_meld("run H", text)


def test_a_joker_can_be_the_low_ace_but_nothing_lies_below_it() -> None:
    assert is_meld("run H", "JR H2 H3")
    assert not is_meld("run H", "JR JR H2 H3")
    assert not is_meld("run H", "JR HA H2 H3")


def test_a_joker_can_be_the_high_ace_but_nothing_lies_above_it() -> None:
    assert is_meld("run H", "HQ HK JR")
    assert not is_meld("run H", "HQ HK JR JR")
    assert not is_meld("run H", "HQ HK HA JR")


def test_the_ace_at_the_low_end_of_a_run_goes_on_with_a_joker_as_the_two() -> None:
    assert is_meld("run H", "HA JR H3")


@pytest.mark.parametrize(("kind", "text"), [("set 7", "H7 JB JR"), ("set 7", "H7 JB JB"), ("run H", "H7 JR JR"), ("run H", "JR H7 JR")])
def test_a_meld_has_at_least_two_natural_cards(kind: str, text: str) -> None:
    assert not is_meld(kind, text)


def test_the_cards_of_a_set_are_named_by_suit_and_then_the_black_joker_before_the_red() -> None:
    assert not is_meld("set 7", "H7 C7 S7")
    assert not is_meld("set 7", "C7 JR H7")
    assert not is_meld("set 7", "H7 S7 JR JB")


# ---- values


def test_cards_from_two_to_ten_count_their_pips() -> None:
    assert [value(f"C{rank} D{rank} H{rank}") for rank in "23456789T"] == [6, 9, 12, 15, 18, 21, 24, 27, 30]


def test_jack_queen_and_king_count_ten() -> None:
    assert [value(f"C{rank} D{rank} H{rank}") for rank in "JQK"] == [30, 30, 30]
    assert value("HJ HQ HK") == 30


def test_an_ace_counts_eleven() -> None:
    assert value("CA DA HA SA") == 44
    assert value("HQ HK HA") == 31


def test_an_ace_at_the_low_end_of_a_run_counts_one() -> None:
    assert value("HA H2 H3") == 6


def test_a_run_from_ace_to_ace_counts_one_ace_low_and_one_high() -> None:
    assert value(ACE_TO_ACE.format("H")) == 1 + 54 + 30 + 11


def test_a_joker_in_a_run_counts_as_the_card_it_stands_for() -> None:
    assert value("H2 H3 JR") == 9
    assert value("H9 HT JR") == 29
    assert value("H5 JR JR H8") == 26
    assert value("HQ HK JR") == 31


def test_a_joker_that_stands_for_a_low_ace_counts_one() -> None:
    assert value("JR H2 H3") == 6


def test_a_set_counts_its_rank_so_many_times_jokers_included() -> None:
    assert value("CK DK HK") == 30
    assert value("DK HK JB") == 30
    assert value("DK HK JB JB") == 40


# ---- full melds


def is_full(text: str) -> bool:
    kind, natural, joker = meld(text)
    return melds.is_full(kind, natural | joker)


def test_a_set_is_full_with_four_cards_jokers_included() -> None:
    assert is_full("C7 D7 H7 S7")
    assert is_full("H7 S7 JB JR")
    assert not is_full("C7 D7 H7")
    assert not is_full("H7 S7 JB")


def test_a_run_is_full_with_fourteen_cards() -> None:
    whole = ACE_TO_ACE.format("S")
    assert is_full(whole)
    for text in (whole.removeprefix("SA "), whole.removesuffix(" SA"), "S4 S5 S6 S7"):
        assert not is_full(text)


# ---- single cards to a set


def test_to_a_set_of_three_goes_the_natural_card_of_the_missing_suit() -> None:
    assert ways("C7 D7 H7", "S7") == {HIGH}
    assert ways("D7 H7 S7", "C7") == {HIGH}


def test_a_second_copy_of_a_suit_cannot_join_a_set() -> None:
    assert ways("C7 D7 H7", "H7") == set()


def test_another_rank_cannot_join_a_set() -> None:
    assert ways("C7 D7 H7", "S8") == set()


def test_a_joker_joins_a_set_of_three_whose_missing_card_has_its_colour() -> None:
    assert ways("C7 D7 H7", "JB") == {HIGH}
    assert ways("C7 D7 H7", "JR") == set()
    assert ways("C7 H7 S7", "JR") == {HIGH}
    assert ways("C7 H7 S7", "JB") == set()


def test_a_joker_joins_a_set_of_two_naturals_and_a_joker_if_its_colour_has_a_place() -> None:
    assert ways("H7 S7 JB", "JR") == {HIGH}
    assert ways("H7 S7 JB", "JB") == set()
    assert ways("D7 H7 JB", "JB") == {HIGH}
    assert ways("D7 H7 JB", "JR") == set()


def test_a_set_of_four_takes_no_more_cards() -> None:
    assert accepted("C7 D7 H7 S7") == set()


def test_a_set_of_four_with_jokers_is_closed_to_additions_but_open_to_swaps() -> None:
    for text in ("C7 D7 H7 JB", "H7 S7 JB JR", "D7 H7 JB JB", "C7 S7 JR JR"):
        assert all(ways(text, card) == {SWAP} for card in accepted(text))
    assert accepted("C7 D7 H7 JB") == {"S7"}
    assert accepted("H7 S7 JB JR") == {"C7", "D7"}
    assert accepted("D7 H7 JB JB") == {"C7", "S7"}


# ---- swaps in sets


def test_in_a_set_of_three_naturals_and_a_joker_the_missing_suit_frees_the_joker() -> None:
    assert ways("C7 D7 H7 JB", "S7") == {SWAP}
    assert ways("C7 H7 S7 JR", "D7") == {SWAP}


def test_a_black_joker_beside_two_red_cards_is_freed_by_either_black_card() -> None:
    assert ways("D7 H7 JB", "C7") == {SWAP}
    assert ways("D7 H7 JB", "S7") == {SWAP}


def test_a_red_joker_beside_two_black_cards_is_freed_by_either_red_card() -> None:
    assert ways("C7 S7 JR", "D7") == {SWAP}
    assert ways("C7 S7 JR", "H7") == {SWAP}


def test_a_card_of_the_jokers_colour_frees_it_and_cannot_be_added_instead() -> None:
    assert ways("H7 S7 JB", "C7") == {SWAP}
    assert ways("H7 S7 JR", "D7") == {SWAP}


def test_a_card_of_the_other_colour_is_added_as_the_fourth() -> None:
    assert ways("H7 S7 JB", "D7") == {HIGH}
    assert ways("H7 S7 JR", "C7") == {HIGH}


def test_a_joker_of_a_set_is_freed_only_by_the_rank_of_the_set() -> None:
    assert ways("H7 S7 JB", "C8") == set()


def test_a_joker_of_a_set_is_freed_only_by_a_suit_not_in_the_set() -> None:
    assert ways("H7 S7 JB", "S7") == set()
    assert ways("C7 D7 H7 JB", "C7") == set()


def test_beside_two_jokers_each_card_frees_the_one_of_its_colour() -> None:
    assert ways("H7 S7 JB JR", "C7") == {SWAP}
    assert ways("H7 S7 JB JR", "D7") == {SWAP}
    assert bit(freed("H7 S7 JB JR", "C7")) & melds.BLACK_SUITS
    assert bit(freed("H7 S7 JB JR", "D7")) & melds.RED_SUITS


def test_beside_two_jokers_of_one_colour_each_card_takes_its_own_place() -> None:
    assert freed("D7 H7 JB JB", "C7") == 0
    assert freed("D7 H7 JB JB", "S7") == 3


# ---- single cards to a run


def test_to_a_run_goes_the_next_card_at_either_end() -> None:
    assert ways("H5 H6 H7", "H4") == {LOW}
    assert ways("H5 H6 H7", "H8") == {HIGH}


def test_no_other_card_goes_to_a_run() -> None:
    assert accepted("H5 H6 H7") == {"H4", "H8", "JR"}


def test_an_ace_goes_below_the_two_and_above_the_king() -> None:
    assert ways("H2 H3 H4", "HA") == {LOW}
    assert ways("HJ HQ HK", "HA") == {HIGH}
    assert ways("H3 H4 H5", "HA") == set()
    assert ways("HT HJ HQ", "HA") == set()


def test_an_ace_goes_to_either_end_of_a_run_from_two_to_king() -> None:
    assert ways("H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK", "HA") == {LOW, HIGH}


def test_nothing_goes_beyond_an_ace() -> None:
    assert accepted("HA H2 H3") == {"H4", "JR"}
    assert ways("HA H2 H3", "JR") == {HIGH}
    assert accepted("HQ HK HA") == {"HJ", "JR"}
    assert ways("HQ HK HA", "JR") == {LOW}


def test_nothing_goes_beyond_a_joker_that_is_an_ace() -> None:
    assert ways("JR H2 H3", "JR") == {HIGH}
    assert ways("HQ HK JR", "JR") == {LOW}


def test_a_joker_added_to_a_run_goes_to_either_end() -> None:
    assert ways("H5 H6 H7", "JR") == {LOW, HIGH}
    assert ways("H5 H6 JR", "JR") == {LOW, HIGH}


def test_a_joker_of_the_wrong_colour_goes_to_no_run() -> None:
    assert ways("H5 H6 H7", "JB") == set()
    assert ways("S5 S6 S7", "JR") == set()


def test_a_full_run_takes_no_more_cards() -> None:
    assert accepted(ACE_TO_ACE.format("C")) == set()


# ---- swaps in runs


def test_a_joker_of_a_run_is_freed_by_exactly_the_card_it_stands_for() -> None:
    assert ways("H5 JR H7", "H6") == {SWAP}
    assert accepted("H5 JR H7") == {"H4", "H6", "H8", "JR"}
    assert accepted("H5 JR JR H8") == {"H4", "H6", "H7", "H9", "JR"}


def test_each_card_frees_the_joker_in_its_own_place() -> None:
    assert freed("H5 JR JR H8", "H6") == 5
    assert freed("H5 JR JR H8", "H7") == 6
    assert freed("HQ HK JR", "HA") == HIGH_ACE
    assert freed("JR H2 H3", "HA") == 0


def test_the_same_card_of_the_other_suit_of_the_colour_frees_no_joker() -> None:
    assert ways("H5 JR H7", "D6") == set()


def test_an_ace_can_free_the_low_joker_or_be_added_above_the_king() -> None:
    assert ways("JR H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK", "HA") == {SWAP, HIGH}


def test_of_two_jokers_that_are_the_low_and_the_high_ace_a_natural_ace_frees_the_low_one() -> None:
    both = "JR H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK JR"
    assert ways(both, "HA") == {SWAP}
    assert freed(both, "HA") == 0


def test_the_second_ace_frees_the_high_joker() -> None:
    one = "HA H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK JR"
    assert ways(one, "HA") == {SWAP}
    assert freed(one, "HA") == HIGH_ACE


def every_meld() -> list[Meld]:
    """Every set and run with every allowed choice of up to two jokers, as it can lie on the table."""
    listed = []
    sets = [(rank, upto(3) & ~bit(missing)) for rank in range(RUN) for missing in range(5)]
    runs = [(RUN + suit, upto(high) & -bit(low)) for suit in range(4) for low in range(HIGH_ACE) for high in range(low + 2, HIGH_ACE + 1)]
    for kind, places in sets + runs:
        each = [bit(place) for place in members(places)]
        for joker in [0, *each, *(one | other for one, other in combinations(each, 2))]:
            if size(places & ~joker) >= 2:
                listed.append((kind, places & ~joker, joker))
    return listed


EVERY_MELD = set(every_meld())


def test_where_a_card_goes_to_a_meld_it_makes_another_meld() -> None:
    for kind, natural, joker in every_meld():
        for way in (LOW, HIGH, SWAP):
            for card in members(melds.fitting(kind, natural, joker, way)):
                more, jokers = melds.added(kind, natural, joker, card, way)
                assert (kind, more, jokers) in EVERY_MELD or size(jokers) > 2
                assert size(more | jokers) == size(natural | joker) + (way != SWAP)
                assert size(jokers) == size(joker) + (card >= PACK) - (way == SWAP)


# ---- what a hand can make


def some_meld(hand: str) -> str:
    return names(sorted(set().union(*(can_be_made(double(hand), kind) for kind in range(KINDS)))))


@pytest.mark.parametrize(
    ("hand", "useful"),
    [
        ("C7 D7 H7 S2", "C7 D7 H7"),
        ("C7 C7 H7 S2", ""),
        ("D7 H7 JR", ""),
        ("D7 H7 JB", "D7 H7"),
        ("C7 S7 JB", ""),
        ("C7 S7 JR", "C7 S7"),
        ("C7 H7 JB S2", "C7 H7"),
        ("C7 H7 JR S2", "C7 H7"),
        ("H5 H6 H7 H9", "H5 H6 H7"),
        ("SA S2 S3", "S2 S3 SA"),
        ("SQ SK SA", "SQ SK SA"),
        ("SK SA S2", ""),
        ("H5 H6 JR", "H5 H6"),
        ("H5 H6 JB", ""),
        ("H5 H7 JR", "H5 H7"),
        ("H5 H8 JR", ""),
        ("H5 H8 JR JR", "H5 H8"),
        ("H5 H9 JR JR", ""),
        ("SA S2 JB", "S2 SA"),
        ("SK SA JB", "SK SA"),
        ("SA S4 JB JB", "S4 SA"),
        ("SJ SA JB JB", "SJ SA"),
        ("H7 JR JB", ""),
    ],
)
def test_which_cards_of_a_hand_can_be_part_of_some_meld(hand: str, useful: str) -> None:
    assert some_meld(hand) == useful


def test_no_kind_of_meld_that_a_hand_has_is_overlooked() -> None:
    for kind, natural, joker in every_meld():
        jokers = melds.jokers_at(kind, joker)
        assert melds.possible(kind, melds.cards_at(kind, natural) | jokers, jokers if size(joker) > 1 else 0), shown(kind, natural, joker)


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("C7 C7 H7 S2", []),
        ("C7 D7 H7 S2", [5]),
        ("H5 H6 H8 H9", []),
        ("H5 H6 H7", [15]),
        ("SA S2 S3", [16]),
        ("SQ SK SA", [16]),
        ("SK SA S2", []),
        ("CQ CK C2 D3", []),
        ("H5 JR JB", []),
        ("C7 H7 JR", [5]),
        ("H5 H6 JR", [15]),
        ("H5 H6 JB", []),
        ("H5 H7 JR", [15]),
        ("H5 H8 JR", []),
        ("H5 H8 JR JR", [15]),
        ("H5 H9 JR JR", []),
    ],
)
def test_melds_are_looked_for_only_where_there_may_be_some(hand: str, kinds: list[int]) -> None:
    assert [kind for kind in range(KINDS) if melds.possible(kind, *double(hand))] == kinds


@pytest.mark.parametrize(
    ("hand", "most"),
    [
        ("CT DT HT C3 D3 H3 S2", 39),
        ("CK DK HK SK C2", 40),
        ("HQ HK HA C5 D5 H5 C2", 46),
        ("H5 JR JR H8 C2", 26),
        ("HJ JR JR HA C2", 41),
        ("HA H2 H3 C9", 6),
        ("H2 H3 JR C9", 9),
        ("C7 C7 D7 D7 H7 H7 S2", 42),
        ("C7 D7 H7 S7 C7 D7 H7 S7 S2", 56),
        ("HK HK HQ HJ CK DK S2", 60),
        ("CK DK S2", 0),
    ],
)
def test_what_the_melds_of_a_hand_can_be_worth(hand: str, most: int) -> None:
    assert reach(hand, most) or most == 0
    assert not reach(hand, most + 1)


def test_melds_of_a_hand_must_leave_a_card_over() -> None:
    assert not reach("CK DK HK", 30)
    assert reach("CK DK HK C2", 30)
    assert reach("CK DK HK JR", 30)


def test_a_meld_may_be_shortened_to_leave_a_card_over() -> None:
    assert reach("CK DK HK SK", 30)
    assert not reach("CK DK HK SK", 40)
    assert reach("HA H2 H3 H4", 9)
    assert not reach("HA H2 H3 H4", 10)


def test_a_card_serves_only_one_meld() -> None:
    assert not reach("HQ HK HA CK DK C2", 32)
    assert reach("HQ HK HA CK DK HK C2", 61)


def test_a_joker_serves_only_one_meld() -> None:
    assert reach("HQ HK CJ DJ JR C2", 31)
    assert not reach("HQ HK CJ DJ JR C2", 32)
    assert reach("HQ HK CJ DJ JR JB C2", 61)


def test_a_joker_may_take_the_place_of_a_card_that_serves_in_another_meld() -> None:
    assert reach("HQ HK HA CK DK JR C2", 61)


@pytest.mark.parametrize(("hand", "worth"), [("CK DK HK SK JB JR C2", 60), ("CT DT HT H9 JR JR C2", 59)])
def test_a_joker_may_take_the_place_of_a_held_card_that_another_meld_needs_as_its_second_natural(hand: str, worth: int) -> None:
    assert reach(hand, worth)


def test_the_values_of_cards_in_a_hand() -> None:
    assert [points_in(bit(rank), 0) for rank in range(13)] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]
    assert points_in(*double("HA HA S2 JR")) == 11 + 11 + 2 + 20
