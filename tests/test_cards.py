"""Cards are small integers, sets of them are integers: the vocabulary of the rule books."""

import pytest

from kortlek import cards
from kortlek.cards import FRENCH, NOTHING, PACK, RANKS_OF_A_SUIT

SETS = [*range(1, 1 << 10), 1 << 61, 1 | 1 << 61, (1 << 62) - 1, 0b1011 << 40, 8191 << 39]
"""Non-empty sets: all with small elements, and some up to the largest element."""


def ones(elements: int) -> list[int]:
    """The elements of a set, read from its binary digits."""
    return [at for at, digit in enumerate(reversed(f"{elements:b}")) if digit == "1"]


def test_a_card_has_a_name_and_a_number_and_both_lead_back() -> None:
    assert len(FRENCH) == len(set(FRENCH)) == PACK == 52
    for number, name in enumerate(FRENCH):
        assert cards.card(name) == number
        assert cards.say(cards.bit(number)) == name


def test_a_card_is_13_times_its_suit_plus_its_rank_from_the_two_to_the_ace() -> None:
    for suit, letter in enumerate("CDHS"):
        for rank, sign in enumerate("23456789TJQKA"):
            number = cards.card(letter + sign)
            assert number == 13 * suit + rank
            assert (cards.suit_of(number), cards.rank_of(number)) == (suit, rank)


def test_a_name_that_is_no_card_has_no_number() -> None:
    for name in ("QH", "H1", "H10", "hq", "", "JB"):
        with pytest.raises(ValueError, match="not in tuple"):
            cards.card(name)


def test_the_cards_of_a_suit_are_its_thirteen() -> None:
    for suit in range(4):
        assert ones(cards.cards_of(suit)) == [card for card in range(52) if cards.suit_of(card) == suit]
        assert cards.size(cards.cards_of(suit)) == RANKS_OF_A_SUIT


def test_a_set_says_its_members_lowest_first() -> None:
    assert cards.say(cards.set_of([cards.card("SA"), cards.card("HQ"), cards.card("C2")])) == "C2 HQ SA"
    assert cards.say(0) == ""
    assert cards.say(0b101, ("R1", "R2", "R3")) == "R1 R3"


@pytest.mark.parametrize("elements", SETS[:: max(1, len(SETS) // 60)] + SETS[-6:])
def test_size_lowest_highest_nth_and_members_agree_with_the_binary_digits(elements: int) -> None:
    expected = ones(elements)
    assert cards.size(elements) == len(expected)
    assert cards.lowest(elements) == expected[0]
    assert cards.highest(elements) == expected[-1]
    assert [cards.nth(elements, n) for n in range(len(expected))] == expected
    assert list(cards.members(elements)) == expected
    assert cards.set_of(expected) == elements
    assert cards.set_of(reversed(expected)) == elements


def test_an_empty_set_has_no_members() -> None:
    assert cards.size(0) == 0
    assert list(cards.members(0)) == []
    assert cards.set_of([]) == 0


def test_upto_is_everything_from_0_to_the_last() -> None:
    for last in (0, 1, 5, 10, 60):
        assert ones(cards.upto(last)) == list(range(last + 1))


def test_only_is_the_wanted_ones_or_all_if_none_is_wanted() -> None:
    assert cards.only(0b0111, 0b0110) == 0b0110
    assert cards.only(0b0111, 0b1001) == 0b0001
    assert cards.only(0b0111, 0b1000) == 0b0111
    assert cards.only(0b0111, 0) == 0b0111


def test_a_double_counts_none_one_or_two_of_each_kind() -> None:
    double = [0, 0]
    assert (cards.count(double, 5), cards.total(double)) == (0, 0)
    cards.gain(double, 5)
    assert (cards.count(double, 5), cards.total(double)) == (1, 1)
    cards.gain(double, 5)
    cards.gain(double, 6)
    assert (cards.count(double, 5), cards.count(double, 6), cards.total(double)) == (2, 1, 3)
    assert double == [0b1100000, 0b0100000]


def test_losing_takes_one_of_a_kind_away_and_leaves_the_others() -> None:
    double = [0b1100000, 0b0100000]
    cards.lose(double, 5)
    assert double == [0b1100000, 0]
    cards.lose(double, 5)
    assert double == [0b1000000, 0]
    cards.lose(double, 5)
    assert double == [0b1000000, 0], "where there is none, nothing happens"
    cards.lose(double, 6)
    assert double == [0, 0]


def test_a_pile_gives_back_last_what_was_laid_down_first() -> None:
    pile = [0, NOTHING, NOTHING, NOTHING]
    for card in (7, 3, 9):
        cards.push(pile, card)
        assert cards.top(pile) == card
    assert cards.height(pile) == 3
    assert pile == [3, 7, 3, 9]
    assert [cards.pop(pile) for _ in range(3)] == [9, 3, 7]
    assert pile == [0, NOTHING, NOTHING, NOTHING], "nothing of a card is left where it lay"


def test_a_pile_can_be_cleared() -> None:
    pile = [2, 7, 3, NOTHING]
    cards.clear(pile)
    assert pile == [0, NOTHING, NOTHING, NOTHING]
    cards.clear(pile)
    assert pile == [0, NOTHING, NOTHING, NOTHING]
