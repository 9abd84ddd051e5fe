"""Melds of two packs with jokers: sets and runs.

A **set** is three or four cards of one rank and different suits; a **run** three or more of one suit in sequence, where the ace is low
(A-2-3) or high (Q-K-A) but never in the middle. A joker stands for a card of its own colour. A meld has at least two natural cards.

A meld is three numbers: its kind (the rank of a set, or 13 plus the suit of a run) and two sets of its places, those with a natural
card and those with a joker. The places of a set are the four suits; those of a run are 0 for the low ace, 1 for the two, ... 12 for
the king and 13 for the high ace.
"""

from kortlek.cards import FRENCH, PACK, Card, Cards, Suit, bit, cards_of, highest, lowest, members, rank_of, size, suit_of

BLACK_JOKER, RED_JOKER = PACK, PACK + 1
CARDS = (*FRENCH, "JB", "JR")
JOKERS = bit(BLACK_JOKER) | bit(RED_JOKER)
RUN = 13
KINDS = RUN + 4
HIGH_ACE = 13
RED_SUITS, BLACK_SUITS = bit(1) | bit(2), bit(0) | bit(3)
RANK_VALUE = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]
"""Pips, ten for jack, queen and king, eleven for an ace."""
RUN_VALUE = [sum([1, *RANK_VALUE][:places]) for places in range(15)]
"""The value of the first so many places of a run: the low ace counts one."""
LOW, HIGH, SWAP = 0, 1, 2


def joker_of(suit: Suit) -> Card:
    """The joker that can stand for a card of this suit: the one of its colour."""
    return RED_JOKER if bit(suit) & RED_SUITS else BLACK_JOKER


def suits_of(joker: Card) -> Cards:
    """The suits that a joker can stand for."""
    return RED_SUITS if joker == RED_JOKER else BLACK_SUITS


def card_at(suit: Suit, place: int) -> Card:
    """The card at a place of a run; both ends are the ace."""
    return 13 * suit + (place + 12) % 13


def value(kind: int, places: Cards) -> int:
    """A joker counts as the card it stands for. A set counts its rank so many times; in a run an ace at the low end counts one."""
    if kind < RUN:
        return size(places) * RANK_VALUE[kind]
    return RUN_VALUE[highest(places) + 1] - RUN_VALUE[lowest(places)]


def is_full(kind: int, places: Cards) -> bool:
    """A set is full with four cards, a run with fourteen, from ace to ace."""
    return size(places) == (4 if kind < RUN else 14)


# ---- making a meld from a hand, card by card: a set by suits and then jokers, a run from low to high


def next_cards(one: Cards, kind: int, natural: Cards, joker: Cards, leading: int) -> Cards:
    """Which cards of a hand can be named next. ``leading`` counts the jokers of a run named before its first natural card."""
    places = natural | joker
    cards = 0
    if kind < RUN:
        if joker == 0:
            for suit in range(highest(natural) + 1, 4):
                cards |= bit(13 * suit + kind)
        if BLACK_SUITS & ~places and not joker & RED_SUITS:
            cards |= bit(BLACK_JOKER)
        if RED_SUITS & ~places:
            cards |= bit(RED_JOKER)
    elif natural == 0:
        first = 0 if leading == 0 else leading
        for place in range(first, HIGH_ACE):
            cards |= bit(card_at(kind - RUN, place))
        cards |= bit(joker_of(kind - RUN))
    elif highest(places) < HIGH_ACE:
        cards = bit(card_at(kind - RUN, highest(places) + 1)) | bit(joker_of(kind - RUN))
    return cards & one


def named(kind: int, natural: Cards, joker: Cards, leading: int, card: Card) -> tuple[Cards, Cards, int]:
    """The meld (its natural cards, its jokers, its leading jokers) when one more card has been named."""
    places = natural | joker
    if kind < RUN:
        if card >= PACK:
            return natural, joker | bit(lowest(suits_of(card) & ~places)), 0
        return natural | bit(suit_of(card)), joker, 0
    if natural:
        here = bit(highest(places) + 1)
        return (natural, joker | here, 0) if card >= PACK else (natural | here, joker, 0)
    if card >= PACK:
        return natural, joker, leading + 1
    place = (rank_of(card) + 1) % 13
    return bit(place), bit(place) - bit(place - leading), 0


def is_meld(natural: Cards, joker: Cards) -> bool:
    """At least three cards, and at least two of them natural."""
    return size(natural | joker) >= 3 and size(natural) >= 2


# ---- single cards on a meld that lies on the table


def ways(kind: int, natural: Cards, joker: Cards, card: Card) -> Cards:
    """How a card can go to a meld: added at the low or high end (to a set: simply added), or swapped for the joker that stands for it.

    In a set a card of a joker's colour frees that joker and cannot be added instead. In a run a joker goes to either end, not beyond
    an ace. Of two jokers that stand for the low and the high ace, an ace frees the low one."""
    places = natural | joker
    if kind < RUN:
        return set_ways(kind, natural, joker, card)
    low, high, suit = lowest(places), highest(places), kind - RUN
    if card == joker_of(suit):
        return (bit(LOW) if low > 0 else 0) | (bit(HIGH) if high < HIGH_ACE else 0)
    if card >= PACK or suit_of(card) != suit:
        return 0
    at = bit(rank_of(card) + 1) | (bit(0) if rank_of(card) == 12 else 0)
    return (bit(LOW) if at << 1 & bit(low) else 0) | (bit(HIGH) if at & bit(high + 1) else 0) | (bit(SWAP) if at & joker else 0)


def set_ways(rank: int, natural: Cards, joker: Cards, card: Card) -> Cards:
    """A joker joins a set if a place of its colour is free. A card of the set's rank whose suit is missing frees a joker of its colour,
    or is added if there is none."""
    if card >= PACK:
        return bit(HIGH) if suits_of(card) & ~(natural | joker) else 0
    if rank_of(card) != rank or natural & bit(suit_of(card)):
        return 0
    return bit(SWAP) if joker & suits_of(joker_of(suit_of(card))) else bit(HIGH)


def freed_place(kind: int, joker: Cards, card: Card) -> int:
    """The place of the joker that a card is swapped for. In a set of several it is the one in the card's own place, if there is one."""
    if kind < RUN:
        own = joker & bit(suit_of(card))
        return lowest(own if own else joker & suits_of(joker_of(suit_of(card))))
    return lowest(joker & (bit(rank_of(card) + 1) | (bit(0) if rank_of(card) == 12 else 0)))


def accepts(kind: int, natural: Cards, joker: Cards) -> Cards:
    """All cards that can go to a meld in some way."""
    places = natural | joker
    cards = 0
    if kind < RUN:
        for suit in range(4):
            if not natural & bit(suit):
                cards |= bit(13 * suit + kind)
        return cards | (bit(BLACK_JOKER) if BLACK_SUITS & ~places else 0) | (bit(RED_JOKER) if RED_SUITS & ~places else 0)
    suit = kind - RUN
    while joker:
        cards |= bit(card_at(suit, lowest(joker)))
        joker &= joker - 1
    if lowest(places) > 0:
        cards |= bit(card_at(suit, lowest(places) - 1)) | bit(joker_of(suit))
    if highest(places) < HIGH_ACE:
        cards |= bit(card_at(suit, highest(places) + 1)) | bit(joker_of(suit))
    return cards


# ---- what a whole hand can make


def some_run(one: Cards, suit: Suit, jokers: int) -> Cards:
    """The cards of a suit that can be in a run with so many jokers. (Two naturals, with the places between them filled.)"""
    held = one >> 13 * suit & 8191
    held = held << 1 | held >> 12
    if jokers == 0:
        pairs = held & held >> 1 & held >> 2
        in_run = pairs | pairs << 1 | pairs << 2
    else:
        near, far = held & held >> 1, held & held >> 2
        in_run = near | near << 1 | far | far << 2
        if jokers == 2:
            farther = held & held >> 3
            in_run |= farther | farther << 3
    return (in_run >> 1 & 8191 | (in_run & 1) << 12) << 13 * suit


def meldable(one: Cards, two: Cards) -> Cards:
    """The natural cards of a hand that can be part of some meld."""
    reds, blacks = (one >> RED_JOKER & 1) + (two >> RED_JOKER & 1), (one >> BLACK_JOKER & 1) + (two >> BLACK_JOKER & 1)
    clubs, diamonds, hearts, spades = one & 8191, one >> 13 & 8191, one >> 26 & 8191, one >> 39 & 8191
    pairs_of_reds, pairs_of_blacks, mixed = diamonds & hearts, clubs & spades, (diamonds | hearts) & (clubs | spades)
    ranks = pairs_of_reds & (clubs | spades) | pairs_of_blacks & (diamonds | hearts)
    if reds:
        ranks |= mixed | pairs_of_blacks
    if blacks:
        ranks |= mixed | pairs_of_reds
    cards = (ranks | ranks << 13 | ranks << 26 | ranks << 39) & one
    return cards | some_run(one, 0, blacks) | some_run(one, 1, reds) | some_run(one, 2, reds) | some_run(one, 3, blacks)


def points(cards: Cards) -> int:
    """The value of natural cards, each once."""
    together = 0
    while cards:
        together += RANK_VALUE[rank_of(lowest(cards))]
        cards &= cards - 1
    return together


def _shapes() -> list[tuple[Cards, int]]:
    """Every set and every run of up to thirteen, the dearest first: the cards and the value."""
    shapes = [(suits_at(rank, suits), value(rank, suits)) for rank in range(13) for suits in range(16) if size(suits) >= 3]
    for suit in range(4):
        for low in range(HIGH_ACE):
            cards = bit(card_at(suit, low)) | bit(card_at(suit, low + 1))
            for high in range(low + 2, min(low + 12, HIGH_ACE) + 1):
                cards |= bit(card_at(suit, high))
                shapes.append((cards, RUN_VALUE[high + 1] - RUN_VALUE[low]))
    return sorted(shapes, key=lambda shape: -shape[1])


def suits_at(rank: int, suits: Cards) -> Cards:
    """The cards of a rank in these suits."""
    return sum(bit(13 * suit + rank) for suit in range(4) if suits & bit(suit))


SHAPE: list[Cards] = []
SHAPE_VALUE: list[int] = []
"""For each card the shapes that contain it, first those in which it is the lowest, and what they are worth."""
SHAPES_FROM: list[int] = [0]
LOWEST_UNTIL: list[int] = []
"""Where the shapes of a card begin, and where those end in which it is the lowest."""


def _list_shapes() -> None:
    as_lowest: list[list[tuple[Cards, int]]] = [[] for _ in range(PACK)]
    as_other: list[list[tuple[Cards, int]]] = [[] for _ in range(PACK)]
    for shape in _shapes():
        first, *others = members(shape[0])
        as_lowest[first].append(shape)
        for card in others:
            as_other[card].append(shape)
    for first_ones, other_ones in zip(as_lowest, as_other, strict=True):
        LOWEST_UNTIL.append(len(SHAPE) + len(first_ones))
        SHAPE.extend(cards for cards, _ in first_ones + other_ones)
        SHAPE_VALUE.extend(worth for _, worth in first_ones + other_ones)
        SHAPES_FROM.append(len(SHAPE))


_list_shapes()


def can_reach(one: Cards, two: Cards, need: int) -> bool:
    """Whether melds of a hand can be worth so much, with at least one card left over."""
    if need <= 0:
        return one != 0
    useful = meldable(one, two)
    again = useful & two
    jokers = size(one & JOKERS) + size(two & JOKERS)
    left = points(useful) + points(again)
    if left + 11 * jokers < need:
        return False
    idle = size(one & ~useful & ~JOKERS) + size(two & ~again & ~JOKERS)
    reds, blacks = (one >> RED_JOKER & 1) + (two >> RED_JOKER & 1), (one >> BLACK_JOKER & 1) + (two >> BLACK_JOKER & 1)
    return find(useful, again, reds, blacks, idle, left, need)


def find(one: Cards, two: Cards, reds: int, blacks: int, idle: int, left: int, need: int) -> bool:
    """Decide card by card: it is part of some meld, or it stays in the hand. ``idle`` counts the cards that stay, ``left`` is the value
    of the natural cards not yet decided."""
    if need <= 0:
        return one != 0 or reds + blacks + idle > 0
    if one == 0 or left + 11 * (reds + blacks) < need:
        return False
    card = lowest(one)
    until = SHAPES_FROM[card + 1] if reds + blacks else LOWEST_UNTIL[card]  # only jokers can stand for lower cards
    for at in range(SHAPES_FROM[card], until):
        have = SHAPE[at] & one
        if size(SHAPE[at] & ~one) > reds + blacks or size(have) < 2:
            continue
        jokers = 0  # which of the cards we hold are replaced by jokers all the same
        while True:
            use = have & ~jokers
            missing = SHAPE[at] & ~use
            red = size(missing & (cards_of(1) | cards_of(2)))
            black = size(missing) - red
            if red <= reds and black <= blacks and size(use) >= 2:
                if find(one & ~use | two & use, two & ~use, reds - red, blacks - black, idle, left - points(use), need - SHAPE_VALUE[at]):
                    return True
            others = have & ~bit(card)
            jokers = (jokers - others) & others  # the next subset of the others
            if jokers == 0 or size(SHAPE[at] & ~one) == reds + blacks:
                break
    rest = one & ~bit(card) | two & bit(card)
    return find(rest, two & ~bit(card), reds, blacks, idle + 1, left - RANK_VALUE[rank_of(card)], need)
