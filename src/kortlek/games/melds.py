"""Melds of two packs with jokers: sets and runs.

A **set** is three or four cards of one rank and different suits; a **run** three or more of one suit in sequence, where the ace is low
(A-2-3) or high (Q-K-A) but never in the middle. A joker stands for a card of its own colour. A meld has at least two natural cards.

A meld is three numbers: its kind (the rank of a set, or 13 plus the suit of a run) and two sets of its places, those with a natural
card and those with a joker. The places of a set are the four suits; those of a run are 0 for the low ace, 1 for the two, ... 12 for
the king and 13 for the high ace.
"""

from kortlek.cards import FRENCH, PACK, Card, Cards, Suit, bit, highest, lowest, members, only, rank_of, set_of, size, suit_of, upto

BLACK_JOKER, RED_JOKER = PACK, PACK + 1
CARDS = (*FRENCH, "JB", "JR")
JOKERS = bit(BLACK_JOKER) | bit(RED_JOKER)
RUN, HIGH_ACE = 13, 13
KINDS = RUN + 4
RED_SUITS, BLACK_SUITS, ALL_SUITS = bit(1) | bit(2), bit(0) | bit(3), upto(3)
RANK_VALUE = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]
"""Pips, ten for jack, queen and king, eleven for an ace."""
RUN_VALUE = [sum([1, *RANK_VALUE][:places]) for places in range(15)]
"""The value of the first so many places of a run: the low ace counts one."""
TWOS_OF = [set_of(13 * suit for suit in members(suits)) for suits in range(16)]
"""The lowest cards of some suits."""
LOW, HIGH, SWAP = range(3)


def joker_of(suit: Suit) -> Card:
    """The joker that can stand for a card of this suit: the one of its colour."""
    return RED_JOKER if bit(suit) & RED_SUITS else BLACK_JOKER


def suits_of(joker: Card) -> Cards:
    """The suits that a joker can stand for."""
    return RED_SUITS if joker == RED_JOKER else BLACK_SUITS


def cards_at(kind: int, places: Cards) -> Cards:
    """The natural cards for these places of a meld; both ends of a run are the ace."""
    return TWOS_OF[places] << kind if kind < RUN else (places >> 1 | (places & 1) << 12) << 13 * (kind - RUN)


def jokers_at(kind: int, places: Cards) -> Cards:
    """The jokers for these places of a meld."""
    suits = places if kind < RUN else bit(kind - RUN) if places else 0
    return (bit(BLACK_JOKER) if suits & BLACK_SUITS else 0) | (bit(RED_JOKER) if suits & RED_SUITS else 0)


OF_KIND = [cards_at(kind, ALL_SUITS if kind < RUN else upto(HIGH_ACE)) for kind in range(KINDS)]
"""The cards of a rank, or of a suit."""


def is_meld(natural: Cards, joker: Cards) -> bool:
    """At least three cards, and at least two of them natural."""
    return size(natural | joker) >= 3 and size(natural) >= 2


def is_full(kind: int, places: Cards) -> bool:
    """A set is full with four cards, a run with fourteen, from ace to ace."""
    return size(places) == (4 if kind < RUN else 14)


def value(kind: int, places: Cards) -> int:
    """A joker counts as the card it stands for. A set counts its rank so many times; in a run an ace at the low end counts one."""
    return size(places) * RANK_VALUE[kind] if kind < RUN else RUN_VALUE[highest(places) + 1] - RUN_VALUE[lowest(places)]


def below(places: Cards) -> Cards:
    """The next place at the low end of a run; none below the ace."""
    return places >> 1 & ~places


def above(places: Cards) -> Cards:
    """The next place at the high end of a run; none above the ace."""
    return places << 1 & ~places & upto(HIGH_ACE)


# ---- making a meld, card by card: a set by suits, then black jokers, then red ones; a run from low to high


def possible(kind: int, one: Cards, two: Cards) -> bool:
    """Whether a hand may have a meld of this kind: three cards of a rank or in a row, or two and a joker; the jokers between two cards of a run
    are of its colour. If not, it certainly has none."""
    held, joker = one & OF_KIND[kind], JOKERS if kind < RUN else bit(joker_of(kind - RUN))
    if kind < RUN:
        return size(held) >= (2 if one & joker else 3)
    row = (held << 1 | held >> 12) >> 13 * (kind - RUN)  # the ace is at both ends
    near = row & (row >> 1 | row >> 2 | (row >> 3 if two & joker else 0))
    return (near if one & joker else row & row >> 1 & row >> 2) != 0


def next_cards(kind: int, natural: Cards, joker: Cards) -> Cards:
    """Which cards can be named next. The first natural card of a run leaves room for the jokers named before it."""
    if kind >= RUN:
        places = above(natural | joker) if natural else upto(HIGH_ACE - 1) & ~joker
        return cards_at(kind, places) | jokers_at(kind, places)
    free = ALL_SUITS & ~(natural | joker)
    cards = cards_at(kind, free & -bit(highest(natural) + 1)) if joker == 0 else 0
    return cards | jokers_at(kind, free & RED_SUITS if joker & RED_SUITS else free)


# ---- single cards on a meld that lies on the table


def fitting(kind: int, natural: Cards, joker: Cards, way: int) -> Cards:
    """The cards that can go to a meld at its low end, at its high end (to a set: simply added), or swapped for a joker.

    In a run a card goes to the end that it continues, a joker to either end, or the card takes the place of a joker that stands for it.
    In a set a missing suit frees a joker of its colour, and is added only if there is none; a joker takes a free place of its colour."""
    if kind >= RUN:
        places = joker if way == SWAP else below(natural | joker) if way == LOW else above(natural | joker)
        return cards_at(kind, places) | (jokers_at(kind, places) if way != SWAP else 0)
    freeing = (BLACK_SUITS if joker & BLACK_SUITS else 0) | (RED_SUITS if joker & RED_SUITS else 0)
    if way == SWAP:
        return cards_at(kind, freeing & ~natural)
    return cards_at(kind, ALL_SUITS & ~natural & ~freeing) | jokers_at(kind, ALL_SUITS & ~(natural | joker)) if way == HIGH else 0


def ways(kind: int, natural: Cards, joker: Cards, card: Card) -> Cards:
    """In which ways a card can go to a meld."""
    possible = 0
    for way in range(3):
        possible |= bit(way) if fitting(kind, natural, joker, way) & bit(card) else 0
    return possible


def freed_place(kind: int, joker: Cards, card: Card) -> int:
    """The place of the joker that a card is swapped for. In a set of several it is the one in the card's own place, if there is one; of
    two jokers that stand for the low and the high ace of a run it is the low one."""
    own = bit(suit_of(card)) if kind < RUN else bit(rank_of(card) + 1) | (bit(0) if rank_of(card) == 12 else 0)
    return lowest(only(joker & suits_of(joker_of(suit_of(card))), own) if kind < RUN else joker & own)


def added(kind: int, natural: Cards, joker: Cards, card: Card, way: int) -> tuple[Cards, Cards]:
    """A meld (its natural cards and its jokers) when a card has gone to it. Jokers that begin a new run lie at its lowest places until
    its first natural card shows where they belong."""
    if way == SWAP:
        at = freed_place(kind, joker, card)
        return natural | bit(suit_of(card) if kind < RUN else at), joker & ~bit(at)
    if kind >= RUN and natural == 0:
        place = (rank_of(card) + 1) % 13
        return (0, joker << 1 | 1) if card >= PACK else (bit(place), joker << place - size(joker))
    suits = bit(suit_of(card)) if card < PACK else suits_of(card) & ~(natural | joker)
    here = suits & -suits if kind < RUN else below(natural | joker) if way == LOW else above(natural | joker)
    return (natural, joker | here) if card >= PACK else (natural | here, joker)
