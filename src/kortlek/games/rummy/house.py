"""Rummy as the original program plays it: a straightforward player who lays whatever she can.

**Drawing.** Before she has laid she always draws from the stock. Later she takes the top discard if it makes her best combination of melds more
valuable, or if it fits a meld on the table.

**Laying.** She considers sets and runs of natural cards, and two natural cards completed by one joker, unless all cards that would complete the
two are on the table already. Of all combinations of such melds she prefers the most valuable, of equal ones one with fewer melds, and she keeps at
least one card. If it is enough for a first laying she lays it; if not, she goes through the combinations in this order and adds unused jokers (to
sets first, then to runs, at the high end if possible) until one is enough. Later she always lays her most valuable combination. She never holds a
finished meld back.

**Single cards.** Then every card that fits a meld on the table goes there, in exchange for a joker if possible, otherwise to the first meld that
takes it. With a joker in hand she looks for melds again. Jokers go to melds only when nothing else fits and fewer than three other cards remain.
If all cards fit, one that frees no joker is kept for the discard.

**Discarding.** Before her first laying she keeps combinations that are enough for it and cards that fit the table; if that is her whole hand, she
discards the card whose loss leaves the most valuable combination. She never discards a joker while she can discard another card. Of more than
three cards she keeps pairs that may become melds (the most valuable pairs before the first laying, the least valuable later) as long as one card
is left, and discards the most valuable of the rest.

She does not remember discards; she looks only at what is on the table.
"""

from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, PACK, Card, Cards, bit, height, highest, lowest, rank_of, size, top
from kortlek.engine.rng import Rng
from kortlek.game import Message
from kortlek.games.melds import JOKERS, RANK_VALUE, RUN, SWAP, value, ways
from kortlek.games.rummy.melding import (
    NOTHING_LAID,
    PLACES,
    TOP_PLACE,
    Combination,
    Melding,
    best_combination,
    cards_of_meld,
    extended,
    first_laid,
    kind_of,
    meld_of,
    next_named,
    value_of,
    with_combination_taken,
    with_meld,
)
from kortlek.games.rummy.rules import (
    ADD,
    ADD_ONE,
    CARD,
    DISCARD,
    DONE,
    DRAW,
    KIND,
    LAY,
    MELD,
    STOCK,
    TURN,
    Rummy,
    legal,
    legal_ways,
    may_leave,
    needed,
)


def choose(s: Rummy, rng: Rng) -> int:
    """Choose by the rule for the phase."""
    if s.phase == DRAW:
        return where_to_draw(s)
    if s.phase == TURN:
        return what_to_do(s)
    if s.phase == KIND:
        return which_kind(s)
    if s.phase == CARD:
        return which_card_next(s)
    if s.phase == ADD:
        card = single(s)
        return card if card != NOTHING else lowest(legal(s))
    if s.phase == MELD:
        return where_to_add(s, s.chosen)
    return highest(legal_ways(s, s.where, s.chosen))


# ---- drawing


def where_to_draw(s: Rummy) -> int:
    """The stock before the first laying. Later the top discard, if it makes the best combination more valuable or fits a meld on the table."""
    if height(s.stock) == 0:
        return DISCARD
    if not s.laid[s.turn] or height(s.discards) == 0:
        return STOCK
    card = top(s.discards)
    return DISCARD if helps(s, card) or fits(s, card) != NOTHING else STOCK


def helps(s: Rummy, card: Card) -> bool:
    """Whether one more card makes the best combination more valuable. That card itself may not be the only one left to discard."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    more = value_of(best_combination(one | bit(card), two | one & bit(card), 0, s.melded[1], bit(card), 0))
    return more > 0 and more > value_of(best_combination(one, two, 0, s.melded[1], 0, 0))


# ---- laying


def still_needed(s: Rummy) -> int:
    """The value that melds must still have for a first laying; 0 after it."""
    return 0 if s.laid[s.turn] else max(1, needed(s)) - s.laying


def may_lay(s: Rummy) -> bool:
    """Whether the earliest round for laying has come."""
    return s.lap >= s.earliest_laying_round


def both_on_the_table(s: Rummy) -> Cards:
    """The cards of which both copies are on the table. Melds of this turn do not count: they are parts of the same decision."""
    melded, laying, meld = s.melded[1], s.laying, s.melds - 1
    own = cards_of_meld(being_laid(s))
    while laying > 0 and meld >= 0:
        laying -= value(s.meld_kind[meld], s.meld_natural[meld] | s.meld_joker[meld])
        own |= cards_of_meld(meld_of(s.meld_kind[meld], s.meld_natural[meld], 0))
        meld -= 1
    return melded & ~own if laying == 0 else melded


def being_laid(s: Rummy) -> Melding:
    """The meld that is being laid, so far, or none."""
    return meld_of(s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds]) if s.phase == CARD else NOTHING_LAID


def whole_hand(s: Rummy) -> tuple[Cards, Cards]:
    """The hand of the player in turn, with the cards of the meld that is being laid."""
    return with_meld(s.hand[s.turn][0], s.hand[s.turn][1], being_laid(s))


def next_meld(s: Rummy) -> Melding:
    """The meld to lay now: the first one of the most valuable combination, if it may be laid, or none."""
    one, two = whole_hand(s)
    gone, need = both_on_the_table(s), still_needed(s)
    best = best_combination(one, two, 0, gone, 0 if s.taken == NOTHING else bit(s.taken), 0)
    if value_of(best) >= need:
        return first_laid(best)
    if one & JOKERS == 0:
        return NOTHING_LAID
    return first_laid(with_jokers_added(one, two, best_combination(one, two, 0, gone, 0, need), need))


def with_jokers_added(one: Cards, two: Cards, best: Combination, need: int) -> Combination:
    """A combination with as many jokers added as it needs to be enough."""
    one, two = with_combination_taken(one, two, best)
    blacks, reds = (one >> PACK & 1) + (two >> PACK & 1), (one >> PACK + 1 & 1) + (two >> PACK + 1 & 1)
    return extended(best[1], best[2], best[3], best[4], blacks, reds, size(one) + size(two), need)


def which_kind(s: Rummy) -> int:
    """The kind of the next meld."""
    meld = next_meld(s)
    return kind_of(meld) if meld != NOTHING_LAID else lowest(legal(s))


def which_card_next(s: Rummy) -> int:
    """The next card of the meld that is being laid. A meld that this policy did not begin is finished as soon as possible."""
    meld = next_meld(s)
    if meld != NOTHING_LAID and kind_of(meld) == s.meld_kind[s.melds]:
        card = next_named(meld, s.meld_natural[s.melds], s.meld_joker[s.melds])
        if card >= NOTHING:
            return card if card != NOTHING else DONE
    return highest(legal(s))


# ---- single cards


def fits(s: Rummy, card: Card) -> int:
    """The best way in which a card can go to some meld on the table; NOTHING if it fits nowhere."""
    best = NOTHING
    for meld in range(s.melds):
        possible = ways(s.meld_kind[meld], s.meld_natural[meld], s.meld_joker[meld], card)
        if possible:
            best = max(best, highest(possible))
    return best


def single(s: Rummy) -> Card:
    """The card to add to a meld now, or NOTHING: natural cards first, and of these one that frees a joker, so that the one that may be left for
    the discard frees none. Jokers only when nothing else fits and fewer than three other cards remain."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    if size(one) + size(two) < 2:
        return NOTHING
    found = NOTHING
    cards = one & ~JOKERS
    others = size(cards) + size(two & ~JOKERS)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        way = fits(s, card)
        if way == SWAP:
            return card
        if way != NOTHING and (found == NOTHING or found == s.taken) and may_leave(s) & bit(card):
            found = card
    if found != NOTHING or others > 2:
        return found
    for joker in range(PACK, PACK + 2):
        if one & bit(joker) and fits(s, joker) != NOTHING and may_leave(s) & bit(joker):
            return joker
    return NOTHING


def where_to_add(s: Rummy, card: Card) -> int:
    """The first meld where the card frees a joker; otherwise the first that takes it."""
    first = NOTHING
    for meld in range(s.melds):
        possible = legal_ways(s, meld, card)
        if possible & bit(SWAP):
            return meld
        if possible and first == NOTHING:
            first = meld
    return first


# ---- the turn


def what_to_do(s: Rummy) -> int:
    """Lay what can be laid, add single cards to melds, discard."""
    if may_lay(s) and next_meld(s) != NOTHING_LAID:
        return LAY
    if s.laying > 0 and not s.laid[s.turn]:
        return LAY
    if s.laid[s.turn] and single(s) != NOTHING:
        return ADD_ONE
    return what_to_discard(s)


def what_to_discard(s: Rummy) -> Card:
    """The most valuable card that is not worth keeping."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    if not s.laid[s.turn]:
        one, two = not_usable(s, one, two)
        if one == 0:
            return least_missed(s)
    elif s.taken != NOTHING:
        one, two = one & ~bit(s.taken) | two & bit(s.taken), two & ~bit(s.taken)
    if one & ~JOKERS == 0:
        return lowest(one)
    one, two = one & ~JOKERS, two & ~JOKERS
    if size(one) + size(two) > 3:
        one, two = not_in_pairs(one, two, s.melded[1], s.laid[s.turn])
    return dearest(one | two)


def not_usable(s: Rummy, one: Cards, two: Cards) -> tuple[Cards, Cards]:
    """The hand without combinations that are enough for a first laying, and without cards that fit a meld on the table."""
    best = best_combination(one, two, 0, s.melded[1], 0, 0)
    while value_of(best) >= still_needed(s):
        one, two = with_combination_taken(one, two, best)
        best = best_combination(one, two, 1, s.melded[1], 0, 0)
    cards = one
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if fits(s, card) != NOTHING:
            one, two = one & ~bit(card) | two & bit(card), two & ~bit(card)
    return one, two


def least_missed(s: Rummy) -> Card:
    """The card whose loss leaves the most valuable combination; of equal ones the most valuable. No joker, if there is another card."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    cards = one & ~JOKERS if one & ~JOKERS else one
    found, most = NOTHING, NOTHING
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        left = value_of(best_combination(one & ~bit(card) | two & bit(card), two & ~bit(card), 1, s.melded[1], 0, 0))
        left = 16 * left + (RANK_VALUE[rank_of(card)] if card < PACK else 0)
        if left > most:
            found, most = card, left
    return found


def dearest(cards: Cards) -> Card:
    """The most valuable of some natural cards; of equal ones the lowest."""
    found, most = NOTHING, 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if RANK_VALUE[rank_of(card)] > most:
            found, most = card, RANK_VALUE[rank_of(card)]
    return found


# ---- pairs that may become melds


def _list_pairs() -> list[tuple[int, Cards, Cards]]:
    """Value, cards and completing cards of all pairs: two of a rank; two of a suit that are neighbours or one apart."""
    pairs = []
    for rank in range(13):
        for suits in range(16):
            if size(suits) == 2:
                pairs.append((2 * RANK_VALUE[rank], cards_of_meld(meld_of(rank, suits, 0)), cards_of_meld(meld_of(rank, 15 & ~suits, 0))))
    for kind in range(RUN, RUN + 4):
        for low in range(TOP_PLACE):
            ends = bit(low + 2) & PLACES | bit(low) >> 1
            for places, completing in ((3 << low, ends), (5 << low, 2 << low)):
                if highest(places) <= TOP_PLACE:
                    worth = sum(RANK_VALUE[place - 1] if place else 1 for place in (lowest(places), highest(places)))
                    pairs.append((worth, cards_of_meld(meld_of(kind, places, 0)), cards_of_meld(meld_of(kind, completing, 0))))
    return sorted(pairs, key=lambda pair: pair[0]) + sorted(pairs, key=lambda pair: -pair[0])


PAIR = [cards for _, cards, _ in _list_pairs()]
PAIR_NEEDS = [completing for _, _, completing in _list_pairs()]
"""All pairs, and the cards that complete each: first in ascending, then in descending order of value."""
PAIRS = len(PAIR) // 2


def not_in_pairs(one: Cards, two: Cards, gone: Cards, cheapest_first: int) -> tuple[Cards, Cards]:
    """The cards that are not kept in pairs that can still become melds; at least one card is left. Two copies of a card are in two pairs only if
    both cards of the pair are there twice. A card kept for one pair need not be kept again for another."""
    free, free_again = one, two
    first = 0 if cheapest_first else PAIRS
    for at in range(first, first + PAIRS):
        pair = PAIR[at]
        if pair & ~one or PAIR_NEEDS[at] & ~gone == 0:
            continue
        if free & ~pair | free_again:
            free &= ~pair
        if pair & ~two == 0 and free | free_again & ~pair:
            free_again &= ~pair
    return free | free_again, free & free_again


# ---- reasons


def reason(s: Rummy, choice: int) -> Message:
    """The reason for a choice."""
    if s.phase == DRAW:
        return why_draw(s, choice)
    if s.phase == TURN and choice == LAY:
        return Message("reason-never-held-back" if s.laid[s.turn] else "reason-enough")
    if s.phase == TURN and choice == ADD_ONE:
        return Message("reason-a-card-fits")
    if s.phase == TURN:
        return why_discard(s, choice)
    if s.phase in (KIND, CARD):
        return Message("reason-most-valuable")
    if s.phase == ADD:
        return Message("reason-frees-joker" if fits(s, choice) == SWAP else "reason-fits-meld")
    if s.phase == MELD:
        frees = ways(s.meld_kind[choice], s.meld_natural[choice], s.meld_joker[choice], s.chosen) & bit(SWAP)
        return Message("reason-there-frees-joker" if frees else "reason-first-meld")
    return Message("reason-frees-joker" if choice == SWAP else "reason-either-end")


def why_draw(s: Rummy, choice: int) -> Message:
    """The reason for drawing from the stock or the discards."""
    if choice == DISCARD:
        if height(s.stock) == 0:
            return Message("reason-stock-empty")
        return Message("reason-dearer-melds" if helps(s, top(s.discards)) else "reason-card-fits-meld", {"card": top(s.discards)})
    if not s.laid[s.turn]:
        return Message("reason-closed")
    return Message("reason-no-use", {"card": top(s.discards)}) if height(s.discards) else Message("reason-no-discard")


def why_discard(s: Rummy, card: Card) -> Message:
    """The reason for a discard."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    if size(one) + size(two) == 1:
        return Message("reason-goes-out")
    if card >= PACK:
        return Message("reason-only-jokers" if one & ~JOKERS == 0 else "reason-others-worth-more")
    if card != what_to_discard(s):
        return Message("reason-one-must-go", {"card": card, "worth": RANK_VALUE[rank_of(card)]})
    if not s.laid[s.turn] and not_usable(s, one, two)[0] == 0:
        return Message("reason-all-of-use")
    return Message("reason-dearest")


ORIGINAL = Policy("rummy/original", 1, choose, reason)
HOUSE = Policy("house", 1, choose, reason)
