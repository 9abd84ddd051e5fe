"""Cards are small integers; a set of cards is one integer used as a bit set.

>>> say(bit(card("HQ")) | bit(card("C2")))
'C2 HQ'

The cards of a place are stored in one of four ways, all plain integers, so that the rules run the same in both engines:

* a **set** of different cards: one integer, bit c for card c (at most 62 kinds);
* a **multiset**, for kinds with several copies: a list of sets, ``[at least one copy, at least two copies, ...]`` (at most 62 kinds);
* a **wide** place, for more kinds: a list with the number of copies of each kind;
* a **pile**, ordered: ``[size, bottom card, ..., top card, ...]``.
"""

from collections.abc import Iterable, Iterator

Card = int
"""A kind of card, numbered from 0. In the 52-card pack: 13 times the suit plus the rank."""
Cards = int
"""A set of cards, or of anything else numbered 0 to 61."""
Suit = int
Multiset = list[Cards]
Wide = list[int]
Pile = list[int]

NOTHING = -1
"""No card, no suit, no bid."""

RANKS_OF_A_SUIT = 13
FRENCH = tuple(suit + rank for suit in "CDHS" for rank in "23456789TJQKA")
"""The 52 cards: clubs, diamonds, hearts, spades, each from the two to the ace."""
PACK = len(FRENCH)


def bit(element: int) -> Cards:
    """The set of just this one."""
    return 1 << element


def upto(last: int) -> Cards:
    """The set {0, 1, ..., last}."""
    return (2 << last) - 1


def size(elements: Cards) -> int:
    """How many there are in a set."""
    return elements.bit_count()


def lowest(elements: Cards) -> int:
    """The lowest of a set that is not empty."""
    return (elements & -elements).bit_length() - 1


def highest(elements: Cards) -> int:
    """The highest of a set that is not empty."""
    return elements.bit_length() - 1


def nth(elements: Cards, n: int) -> int:
    """The n-th lowest of a set, counted from 0: ``nth(0b10110, 1) == 2``."""
    for _ in range(n):
        elements &= elements - 1
    return (elements & -elements).bit_length() - 1


def suit_of(card: Card) -> Suit:
    """The suit of a card, where a suit has thirteen."""
    return card // RANKS_OF_A_SUIT


def rank_of(card: Card) -> int:
    """The rank of a card in its suit, from 0."""
    return card % RANKS_OF_A_SUIT


def cards_of(suit: Suit) -> Cards:
    """All thirteen cards of a suit."""
    return 8191 << (RANKS_OF_A_SUIT * suit)


def only(cards: Cards, wanted: Cards) -> Cards:
    """The wanted ones of the cards, or all of them if none is wanted."""
    return cards & wanted if cards & wanted else cards


# ---- multisets: plane k is the set of kinds with more than k copies


def gain(multiset: Multiset, card: Card) -> None:
    """Put one more card of this kind there."""
    more = bit(card)
    for plane in range(len(multiset)):
        held = multiset[plane] & more
        multiset[plane] |= more
        more = held


def lose(multiset: Multiset, card: Card) -> None:
    """Take one card of this kind away, if there is one."""
    kept = 0
    for plane in range(len(multiset) - 1, -1, -1):
        held = multiset[plane] & bit(card)
        multiset[plane] = multiset[plane] & ~bit(card) | kept
        kept = held


def count(multiset: Multiset, card: Card) -> int:
    """How many of this kind are there."""
    many = 0
    for plane in range(len(multiset)):
        many += multiset[plane] >> card & 1
    return many


def total(multiset: Multiset) -> int:
    """How many cards are there in all."""
    many = 0
    for plane in range(len(multiset)):
        many += size(multiset[plane])
    return many


# ---- wide places: the number of copies of each kind


def nth_card(wide: Wide, n: int) -> Card:
    """The n-th lowest kind of card in a wide place, counted from 0; NOTHING if there are fewer kinds."""
    for card in range(len(wide)):
        n -= 1 if wide[card] > 0 else 0
        if n < 0:
            return card
    return NOTHING


def kinds_in(wide: Wide) -> Cards:
    """How many kinds of card lie in a wide place, as the set {0, 1, ...} of the numbers that ``nth_card`` counts them by."""
    many = 0
    for card in range(len(wide)):
        many += 1 if wide[card] > 0 else 0
    return (1 << many) - 1


def how_many(wide: Wide) -> int:
    """How many cards lie in a wide place."""
    many = 0
    for card in range(len(wide)):
        many += wide[card]
    return many


# ---- piles: the top card is the last


def height(pile: Pile) -> int:
    """How many cards lie in a pile."""
    return pile[0]


def top(pile: Pile) -> Card:
    """The top card of a pile that is not empty."""
    return pile[pile[0]]


def push(pile: Pile, card: Card) -> None:
    """Lay a card on top of a pile."""
    pile[0] += 1
    pile[pile[0]] = card


def pop(pile: Pile) -> Card:
    """Take the top card off a pile that is not empty."""
    card = pile[pile[0]]
    pile[pile[0]] = NOTHING
    pile[0] -= 1
    return card


def clear(pile: Pile) -> None:
    """Take all cards off a pile."""
    while pile[0] > 0:
        pop(pile)


# ---- iteration and notation (rules never need these)


def members(elements: Cards) -> Iterator[int]:
    """The elements of a set, lowest first."""
    while elements:
        yield (elements & -elements).bit_length() - 1
        elements &= elements - 1


def set_of(cards: Iterable[Card]) -> Cards:
    """The set of these cards."""
    together = 0
    for each in cards:
        together |= bit(each)
    return together


def card(name: str) -> Card:
    """The number of a French card: ``card("HQ")``."""
    return FRENCH.index(name)


def say(cards: Cards, names: tuple[str, ...] = FRENCH) -> str:
    """A set of cards in notation, lowest first."""
    return " ".join(names[each] for each in members(cards))


SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def written(name: str) -> str:
    """A card as people write it: ``7♥`` and ``10♠`` for H7 and ST; cards that are not French as they are."""
    return name[1:].replace("T", "10") + SYMBOLS[name[0]] if name in FRENCH else name
