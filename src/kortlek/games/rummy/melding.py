"""The melds that a hand of Rummy can make, as far as the bots consider them, and the most valuable combination of them.

A meld is one number, ``kind << 28 | natural places << 14 | joker places``, so that sets come before runs; NOTHING_LAID is no meld. A combination
is five numbers: a rating (eight times the value, minus the number of melds) and up to four melds. More do not fit into the fourteen cards of a
hand.
"""

from kortlek.cards import PACK, Card, Cards, bit, highest, lowest, rank_of, size
from kortlek.games.melds import BLACK_JOKER, BLACK_SUITS, JOKERS, RANK_VALUE, RED_JOKER, RED_SUITS, RUN, cards_at, value, ways

Melding = int
Combination = tuple[int, Melding, Melding, Melding, Melding]

NOTHING_LAID: Melding = 0
COLOURS = [BLACK_SUITS, RED_SUITS]
"""The suits of the black and of the red joker."""
PLACES = (1 << 14) - 1
TOP_PLACE = 13
DEAREST = 11
"""The highest value of a card in a meld, that of an ace."""
EVERY_SUIT = bit(0) | bit(13) | bit(26) | bit(39)
STARTS = 2047 * EVERY_SUIT
"""The cards that can begin a run of three, aces high."""


def meld_of(kind: int, natural: Cards, joker: Cards) -> Melding:
    """A meld as one number."""
    return kind << 28 | natural << 14 | joker


def kind_of(meld: Melding) -> int:
    """The rank of a set; or 13 plus the suit of a run."""
    return meld >> 28


def naturals_of(meld: Melding) -> Cards:
    """The places of the natural cards of a meld."""
    return meld >> 14 & PLACES


def jokers_of(meld: Melding) -> Cards:
    """The places of the jokers of a meld."""
    return meld & PLACES


def worth(meld: Melding) -> int:
    """The value of a meld; 0 for no meld."""
    return value(kind_of(meld), naturals_of(meld) | jokers_of(meld)) if meld else 0


def cards_of_meld(meld: Melding) -> Cards:
    """The natural cards of a meld."""
    return cards_at(kind_of(meld), naturals_of(meld))


def joker_fits(meld: Melding, joker: Card) -> bool:
    """Whether a joker of this colour can be added to a meld."""
    return ways(kind_of(meld), naturals_of(meld), jokers_of(meld), joker) != 0


def with_joker(meld: Melding, joker: Card) -> Melding:
    """A meld with one more joker that fits: in a run at the high end, if there is room."""
    places = naturals_of(meld) | jokers_of(meld)
    if kind_of(meld) < RUN:
        return meld | bit(lowest(COLOURS[joker - BLACK_JOKER] & ~places))
    return meld | bit(highest(places) + 1 if highest(places) < TOP_PLACE else lowest(places) - 1)


# ---- the melds considered: natural sets and runs, and two natural cards with one joker


def _seeds() -> list[tuple[int, Cards, Cards, Cards]]:
    """Two natural cards with one joker: kind, natural places, the joker's place, and the places that would complete the two cards."""
    listed = []
    for rank in range(13):
        for first in range(4):
            for second in range(first + 1, 4):
                two = bit(first) | bit(second)
                for colour in COLOURS:
                    if colour & ~two:
                        listed.append((rank, two, bit(lowest(colour & ~two)), 15 & ~two))
    for kind in range(RUN, RUN + 4):
        for low in range(TOP_PLACE):
            ends = bit(low + 2) & PLACES | bit(low) >> 1
            listed += [(kind, 3 << low, end, ends) for end in (bit(low + 2) & PLACES, bit(low) >> 1) if end]
            if low + 2 <= TOP_PLACE:
                listed.append((kind, 5 << low, 2 << low, 2 << low))
    return listed


def _naturals() -> list[tuple[int, Cards]]:
    """Sets of three or four, runs of three to thirteen: kind and places."""
    listed = [(rank, suits) for rank in range(13) for suits in range(16) if size(suits) >= 3]
    for kind in range(RUN, RUN + 4):
        listed += [(kind, (2 << high) - (1 << low)) for low in range(12) for high in range(low + 2, 14) if high - low < TOP_PLACE]
    return listed


MELD: list[Melding] = []
MELD_CARDS: list[Cards] = []
MELD_POINTS: list[int] = []
MELD_WORTH: list[int] = []
MELD_JOKER: list[Card] = []
"""0 without a joker, 1 for a black and 2 for a red joker."""
COMPLETED_BY: list[Cards] = []
"""The cards that would complete the natural cards of a meld with a joker; for a natural meld, all cards."""
FROM: list[int] = []
NATURAL_UNTIL: list[int] = []
UNTIL: list[int] = []
"""For each card: where the melds begin in which it is the lowest card, where the natural ones end, and where all end. The most valuable come
first."""


def points(cards: Cards) -> int:
    """The total value of some natural cards, each once, aces high."""
    together = 0
    while cards:
        together += RANK_VALUE[rank_of(lowest(cards))]
        cards &= cards - 1
    return together


def _list_melds() -> None:
    natural = sorted((-worth(meld), meld, 0, -1) for meld in (meld_of(kind, places, 0) for kind, places in _naturals()))
    jokers = []
    for kind, places, joker, completing in _seeds():
        red = (kind - RUN in (1, 2)) if kind >= RUN else joker & COLOURS[1] != 0
        meld = meld_of(kind, places, joker)
        jokers.append((-worth(meld), meld, 2 if red else 1, cards_of_meld(meld_of(kind, completing, 0))))
    for card in range(PACK):
        FROM.append(len(MELD))
        for listed, ends in ((natural, NATURAL_UNTIL), (sorted(jokers), UNTIL)):
            for minus_worth, meld, joker, completing in listed:
                if lowest(cards_of_meld(meld)) == card:
                    MELD.append(meld)
                    MELD_CARDS.append(cards_of_meld(meld))
                    MELD_POINTS.append(points(cards_of_meld(meld)))
                    MELD_WORTH.append(-minus_worth)
                    MELD_JOKER.append(joker)
                    COMPLETED_BY.append(completing)
            ends.append(len(MELD))


_list_melds()


def in_natural_melds(one: Cards) -> Cards:
    """The cards of a hand that are part of some meld without jokers."""
    clubs, diamonds, hearts, spades = one & 8191, one >> 13 & 8191, one >> 26 & 8191, one >> 39 & 8191
    ranks = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    starts = one & one >> 1 & one >> 2 & STARTS
    low_aces = one & one >> 1 & one >> 12 & EVERY_SUIT
    return one & (ranks * EVERY_SUIT) | starts | starts << 1 | starts << 2 | low_aces | low_aces << 1 | low_aces << 12


# ---- the best combination


def best_combination(one: Cards, two: Cards, beside: int, gone: Cards, barred: Cards, need: int) -> Combination:
    """The most valuable group of melds that share no card, of equal ones one with fewer melds. A card must be left to discard, and not only one in
    ``barred`` (just taken from the discards). ``beside`` is the number of the player's cards that are not among these. Two cards and a joker do
    not count if all cards that would complete the two are ``gone``. If ``need`` is positive, only combinations count that are worth so much after
    adding unused jokers."""
    blacks, reds = (one >> BLACK_JOKER & 1) + (two >> BLACK_JOKER & 1), (one >> RED_JOKER & 1) + (two >> RED_JOKER & 1)
    spare = size(one) + size(two) + beside
    useful = one & ~JOKERS if blacks + reds else in_natural_melds(one & ~JOKERS)
    if useful == 0:
        return 0, 0, 0, 0, 0
    again = two & useful
    left = points(useful) + points(again)
    return grow(useful, again, blacks, reds, gone, barred, need, spare, left, 0, 0, 0, 0, 0, (0, 0, 0, 0, 0))


def grow(
    one: Cards, two: Cards, blacks: int, reds: int, gone: Cards, barred: Cards, need: int, spare: int, left: int,
    key: int, a: Melding, b: Melding, c: Melding, d: Melding, best: Combination,
) -> Combination:  # fmt: skip
    """Decide card by card, the lowest first: it is the lowest card of some meld, or it is in none. ``key`` and ``a`` to ``d`` are the combination
    so far, ``spare`` is the number of cards outside it, ``left`` is the value of the natural cards not yet decided."""
    while one and d == 0:
        most = key + 8 * (left + DEAREST * (blacks + reds))
        if most <= best[0] or most < 8 * need - 4:
            return best
        card = lowest(one)
        for at in range(FROM[card], UNTIL[card] if blacks + reds else NATURAL_UNTIL[card]):
            cards, joker = MELD_CARDS[at], MELD_JOKER[at]
            if cards & ~one or joker == 1 and blacks == 0 or joker == 2 and reds == 0 or COMPLETED_BY[at] & ~gone == 0:
                continue
            others = spare - size(cards) - (joker > 0)
            unused = 0 if cards & barred else barred
            if others < 1:
                continue
            black, red, more = blacks - (joker == 1), reds - (joker == 2), key + 8 * MELD_WORTH[at] - 1
            enough = others > 1 or unused == 0
            if need > 0 and enough:
                enough = extended(MELD[at], a, b, c, black, red, others, need)[0] >= need
            if enough and more > best[0]:
                best = (more, MELD[at], a, b, c)
            best = grow(
                one & ~cards | two & cards, two & ~cards, black, red, gone, unused, need, others, left - MELD_POINTS[at],
                more, MELD[at], a, b, c, best,
            )  # fmt: skip
        left -= RANK_VALUE[rank_of(card)] * (1 + (two >> card & 1))
        one &= ~bit(card)
        two &= ~bit(card)
    return best


def value_of(combination: Combination) -> int:
    """The total value of the melds of a combination."""
    return combination[0] + 7 >> 3


def extended(a: Melding, b: Melding, c: Melding, d: Melding, blacks: int, reds: int, others: int, need: int) -> Combination:
    """Add unused jokers, one to each meld, to sets first and then to runs, until the melds are worth ``need``; a card must be left. Returns the
    value (instead of the rating) and the melds, in the order in which they are laid."""
    together = worth(a) + worth(b) + worth(c) + worth(d)
    a, b, c, d = in_order(a, b, c, d)
    jokers = blacks, reds
    if together < need and others > 1:
        together, a, jokers, others = one_joker_more(together, a, jokers, others)
    if together < need and others > 1:
        together, b, jokers, others = one_joker_more(together, b, jokers, others)
    if together < need and others > 1:
        together, c, jokers, others = one_joker_more(together, c, jokers, others)
    if together < need and others > 1:
        together, d, jokers, others = one_joker_more(together, d, jokers, others)
    return together, a, b, c, d


def one_joker_more(together: int, meld: Melding, jokers: tuple[int, int], others: int) -> tuple[int, Melding, tuple[int, int], int]:
    """Add a joker to a meld if one fits. Returns the new total value, the meld, the jokers and the number of cards left."""
    blacks, reds = jokers
    if meld == NOTHING_LAID:
        return together, meld, jokers, others
    longer = meld
    if blacks and joker_fits(meld, BLACK_JOKER):
        longer, blacks = with_joker(meld, BLACK_JOKER), blacks - 1
    elif reds and joker_fits(meld, RED_JOKER):
        longer, reds = with_joker(meld, RED_JOKER), reds - 1
    if longer == meld:
        return together, meld, jokers, others
    return together + worth(longer) - worth(meld), longer, (blacks, reds), others - 1


def in_order(a: Melding, b: Melding, c: Melding, d: Melding) -> tuple[Melding, Melding, Melding, Melding]:
    """Melds in the order in which they are laid: sets by rank, then runs by suit."""
    a, b, c, d = min(a, b), max(a, b), min(c, d), max(c, d)
    a, b, c, d = min(a, c), min(b, d), max(a, c), max(b, d)
    return a, min(b, c), max(b, c), d


def first_laid(combination: Combination) -> Melding:
    """The meld of a combination that is laid first."""
    _, a, b, c, d = combination
    a, b, c, d = in_order(a, b, c, d)
    return a if a else b if b else c if c else d


def with_combination_taken(one: Cards, two: Cards, combination: Combination) -> tuple[Cards, Cards]:
    """What is left of a hand without the cards of a combination."""
    _, a, b, c, d = combination
    one, two = without(one, two, a)
    one, two = without(one, two, b)
    one, two = without(one, two, c)
    return without(one, two, d)


def without(one: Cards, two: Cards, meld: Melding) -> tuple[Cards, Cards]:
    """What is left of a hand without the cards of a meld."""
    if meld == NOTHING_LAID:
        return one, two
    cards = cards_of_meld(meld)
    one, two = one & ~cards | two & cards, two & ~cards
    blacks, reds = jokers_by_colour(meld)
    for _ in range(blacks):
        one, two = one & ~bit(BLACK_JOKER) | two & bit(BLACK_JOKER), two & ~bit(BLACK_JOKER)
    for _ in range(reds):
        one, two = one & ~bit(RED_JOKER) | two & bit(RED_JOKER), two & ~bit(RED_JOKER)
    return one, two


def with_meld(one: Cards, two: Cards, meld: Melding) -> tuple[Cards, Cards]:
    """A hand with the cards of a meld."""
    cards = cards_of_meld(meld)
    one, two = one | cards, two | one & cards
    blacks, reds = jokers_by_colour(meld)
    for _ in range(blacks):
        one, two = one | bit(BLACK_JOKER), two | one & bit(BLACK_JOKER)
    for _ in range(reds):
        one, two = one | bit(RED_JOKER), two | one & bit(RED_JOKER)
    return one, two


def jokers_by_colour(meld: Melding) -> tuple[int, int]:
    """How many black and red jokers a meld has."""
    kind, joker = kind_of(meld), jokers_of(meld)
    if kind < RUN:
        return size(joker & COLOURS[0]), size(joker & COLOURS[1])
    return (0, size(joker)) if bit(kind - RUN) & COLOURS[1] else (size(joker), 0)


def next_named(meld: Melding, natural: Cards, joker: Cards) -> Card:
    """The card to name next while a meld is laid, given the places named so far; -1 if it is finished, -2 if what was named is not part of it.
    Jokers that begin a run are at its lowest places until its first natural card is named."""
    kind, wanted, places = kind_of(meld), naturals_of(meld), natural | joker
    if natural & ~wanted:
        return -2
    if kind < RUN:
        missing = wanted & ~natural
        if missing:
            return -2 if joker or missing & -missing < natural else 13 * lowest(missing) + kind
        blacks, reds = jokers_by_colour(meld)
        blacks, reds = blacks - size(joker & COLOURS[0]), reds - size(joker & COLOURS[1])
        if blacks < 0 or reds < 0 or blacks > 0 and joker & COLOURS[1]:
            return -2
        return BLACK_JOKER if blacks else RED_JOKER if reds else -1
    every = wanted | jokers_of(meld)
    leading = 0
    if natural == 0:
        leading, joker, places = size(joker), 0, 0
    if joker & ~jokers_of(meld) or places and lowest(places) != lowest(every):
        return -2
    place = highest(places) + 1 if places else lowest(every) + leading
    if place > highest(every):
        return -1 if places else -2
    if places == 0 and every & (bit(place) - 1) & wanted:
        return -2
    if wanted & bit(place):
        return 13 * (kind - RUN) + (place + 12) % 13
    return RED_JOKER if bit(kind - RUN) & COLOURS[1] else BLACK_JOKER
