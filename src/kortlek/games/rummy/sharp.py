"""Rummy played to go out first: the sharp bot, which counts cards and gives the others no place to lay theirs.

**It counts.** All cards on the table, in the discards and openly taken are known; the prospects of a hand are computed only with cards that can
still come.

**Before its first laying** it lays as soon as it can, and just enough: the melds that leave the fewest cards that cannot be laid, and then the
most jokers. It discards the card without which the hand keeps the best prospects: every set or run of three of which the hand has a part counts by
its value and by how many of its missing cards can still come. Cards that fit the table are kept if possible.

**After that it minimises the number of cards it could not get rid of** if it laid everything now. It takes the top discard if that card could be
laid, too. It discards the card without which the next draw leaves the fewest cards, and goes out as soon as only the discard is left.

**In a single game it holds back.** Every meld it lays is a place for the others' cards. So a finished meld stays in the hand until everything can
be laid at once; a card that continues a run stays, too, unless the card that would then fit is even scarcer. Cards that close a set or free a
joker are laid at once. In a session of several games, where the points of the losers count, nothing is held back.

It does not infer the others' hands.
"""

from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, PACK, Card, Cards, bit, height, highest, lowest, rank_of, size, top
from kortlek.engine.rng import Rng
from kortlek.game import Message
from kortlek.games.melds import BLACK_JOKER, HIGH, JOKERS, LOW, RANK_VALUE, RED_JOKER, RUN, SWAP, value, ways
from kortlek.games.rummy.house import fits, may_lay, next_meld, single, still_needed, where_to_add, whole_hand
from kortlek.games.rummy.melding import (
    FROM,
    MELD,
    MELD_CARDS,
    MELD_JOKER,
    MELD_WORTH,
    NATURAL_UNTIL,
    NOTHING_LAID,
    UNTIL,
    Combination,
    Melding,
    cards_of_meld,
    first_laid,
    in_natural_melds,
    kind_of,
    meld_of,
    next_named,
)
from kortlek.games.rummy.rules import ADD, ADD_ONE, CARD, DISCARD, DONE, DRAW, KIND, LAY, STOCK, TURN, Rummy, legal, legal_ways, may_leave
from kortlek.games.rummy.rules import MELD as TO_MELD

EVERY_CARD = bit(PACK + 2) - 1
PROSPECT = [1.0, 1.0, 0.6, 0.45, 0.4, 0.33, 0.27, 0.23, 0.18, 0.13]
"""The value of a hand by the number of cards that cannot be laid, before the discard; the last entry is for nine or more."""
NEXT_DRAW = 10.0
"""The weight of the next draw, relative to the later prospects of the hand."""
SECOND_CARD = 0.3
"""The factor for a meld of which only one card is there."""
VALUE_COUNTS = 0.03
"""The additional weight of a meld for each point of its value, before the first laying."""
FITS_THE_TABLE = 3.0
"""The cost of discarding a card that fits a meld on the table."""
POINT = 0.002
"""The value of getting rid of a point."""
MUCH = 1 << 40


def choose(s: Rummy, rng: Rng) -> int:
    """Choose by the rule for the phase."""
    if s.phase == DRAW:
        return where_to_draw(s)
    if s.phase == TURN:
        return what_to_do(s)
    if s.phase == KIND:
        meld = meld_to_lay(s)
        return kind_of(meld) if meld != NOTHING_LAID else lowest(legal(s))
    if s.phase == CARD:
        return which_card_next(s)
    if s.phase == ADD:
        card = card_to_add(s)
        return card if card != NOTHING else lowest(legal(s))
    if s.phase == TO_MELD:
        return where_to_add(s, s.chosen)
    return highest(legal_ways(s, s.where, s.chosen))


def holds_back(s: Rummy) -> bool:
    """Whether only going out counts, and not points."""
    return s.games == 1


# ---- what is known


def unseen(s: Rummy) -> tuple[Cards, Cards]:
    """The cards with at least one copy whose place the player in turn does not know, and those with two such copies."""
    me = s.turn
    one, two = s.hand[me][0], s.hand[me][1]
    one, two = one | s.melded[0], two | s.melded[1] | one & s.melded[0]
    for seat in range(s.players):
        if seat != me:
            one, two = one | s.known_present[seat][0], two | s.known_present[seat][1] | one & s.known_present[seat][0]
    for at in range(1, height(s.discards) + 1):
        card = bit(s.discards[at])
        one, two = one | card, two | one & card
    return EVERY_CARD & ~two, EVERY_CARD & ~one


def copies(once: Cards, twice: Cards, card: Card) -> int:
    """How many copies of a card can still come."""
    return (once >> card & 1) + (twice >> card & 1)


# ---- what could be laid


def takes(s: Rummy, one: Cards) -> Cards:
    """The natural cards that the melds on the table would take, once the cards of this hand that continue runs have been added."""
    cards = 0
    for meld in range(s.melds):
        kind, places = s.meld_kind[meld], s.meld_natural[meld] | s.meld_joker[meld]
        free = s.meld_joker[meld]
        if kind < RUN:
            free |= 15 & ~places
        else:
            held = one >> 13 * (kind - RUN) & 8191
            held = held << 1 | held >> 12
            high, low = highest(places) + 1, lowest(places) - 1
            while high < 13 and held & bit(high):
                high += 1
            while low > 0 and held & bit(low):
                low -= 1
            free |= (bit(high + 1) - 1) & (bit(14) - 1) & ~(bit(low) - 1 if low > 0 else 0) & ~places
        cards |= cards_of_meld(meld_of(kind, free, 0))
    return cards


def left_over(s: Rummy, one: Cards, two: Cards) -> int:
    """How many natural cards of a hand could not be laid now. Jokers can always be laid."""
    fitting = takes(s, one)
    blacks, reds = (one >> BLACK_JOKER & 1) + (two >> BLACK_JOKER & 1), (one >> RED_JOKER & 1) + (two >> RED_JOKER & 1)
    one, two = one & ~JOKERS, two & ~JOKERS
    useful = one if blacks + reds else in_natural_melds(one)
    left = size(one & ~fitting) + size(two)
    return fewest(useful, two & useful, blacks, reds, fitting, left, left)


def fewest(one: Cards, two: Cards, blacks: int, reds: int, fitting: Cards, left: int, best: int) -> int:
    """The fewest of ``left`` cards that remain when these cards are melded. A card that fits the table is not counted; of two copies one is."""
    best = min(best, left)
    while one and best > 0:
        card = lowest(one)
        for at in range(FROM[card], UNTIL[card] if blacks + reds else NATURAL_UNTIL[card]):
            cards, joker = MELD_CARDS[at], MELD_JOKER[at]
            if cards & ~one or joker == 1 and blacks == 0 or joker == 2 and reds == 0:
                continue
            less = left - size(cards & ~(fitting & ~two))
            best = fewest(one & ~cards | two & cards, two & ~cards, blacks - (joker == 1), reds - (joker == 2), fitting, less, best)
        one &= ~bit(card)
        two &= ~bit(card)
    return best


# ---- laying


def where_to_draw(s: Rummy) -> int:
    """The top discard if it could be laid, otherwise the stock."""
    if height(s.stock) == 0:
        return DISCARD
    if not s.laid[s.turn] or height(s.discards) == 0:
        return STOCK
    one, two, card = s.hand[s.turn][0], s.hand[s.turn][1], bit(top(s.discards))
    return DISCARD if left_over(s, one | card, two | one & card) <= left_over(s, one, two) else STOCK


def what_to_do(s: Rummy) -> int:
    """Lay, add or discard."""
    if may_lay(s) and meld_to_lay(s) != NOTHING_LAID or s.laying > 0 and not s.laid[s.turn]:
        return LAY
    if s.laid[s.turn] and card_to_add(s) != NOTHING:
        return ADD_ONE
    return what_to_discard(s)


def meld_to_lay(s: Rummy) -> Melding:
    """The meld to lay now. The first laying is made as soon as the original would make one; later, unless points count, a meld is laid only when
    everything can be laid."""
    one, two = whole_hand(s)
    if s.laid[s.turn]:
        return NOTHING_LAID if holds_back(s) and left_over(s, one, two) > 1 else useful_meld(s, one, two)
    meld = next_meld(s)
    if meld == NOTHING_LAID or not holds_back(s):
        return meld
    blacks, reds = (one >> BLACK_JOKER & 1) + (two >> BLACK_JOKER & 1), (one >> RED_JOKER & 1) + (two >> RED_JOKER & 1)
    useful = one & ~JOKERS if blacks + reds else in_natural_melds(one & ~JOKERS)
    best = just_enough(s, one, two, useful, two & useful, blacks, reds, still_needed(s), 0, 0, 0, 0, (MUCH, 0, 0, 0, 0))
    return first_laid(best) if best[0] < MUCH else meld


def just_enough(
    s: Rummy, hand: Cards, hand_twice: Cards, one: Cards, two: Cards, blacks: int, reds: int, need: int,
    cost: int, a: Melding, b: Melding, c: Melding, best: Combination,
) -> Combination:  # fmt: skip
    """The combination of these cards worth ``need`` that leaves the fewest cards that cannot be laid; of equal ones with the fewest jokers, then
    the fewest melds. Returns its cost and the melds. ``a`` to ``c`` are chosen already; ``hand`` is what they leave, and ``cost`` is 8 for each of
    their jokers plus 1 for each meld."""
    while one:
        card = lowest(one)
        for at in range(FROM[card], UNTIL[card] if blacks + reds else NATURAL_UNTIL[card]):
            cards, joker = MELD_CARDS[at], MELD_JOKER[at]
            used = with_its_joker(at)
            left, left_twice = hand & ~used | hand_twice & used, hand_twice & ~used
            if cards & ~one or joker == 1 and blacks == 0 or joker == 2 and reds == 0 or left == 0:
                continue
            more = cost + (9 if joker else 1)
            if MELD_WORTH[at] >= need:
                bad = 64 * left_over(s, left, left_twice) + more
                if bad < best[0]:
                    best = (bad, MELD[at], a, b, c)
            elif c == NOTHING_LAID:
                best = just_enough(
                    s, left, left_twice, one & ~cards | two & cards, two & ~cards, blacks - (joker == 1), reds - (joker == 2),
                    need - MELD_WORTH[at], more, MELD[at], a, b, best,
                )  # fmt: skip
        one &= ~bit(card)
        two &= ~bit(card)
    return best


def with_its_joker(at: int) -> Cards:
    """The cards of a listed meld, its joker included."""
    return MELD_CARDS[at] | (bit(PACK - 1 + MELD_JOKER[at]) if MELD_JOKER[at] else 0)


def useful_meld(s: Rummy, one: Cards, two: Cards) -> Melding:
    """The longest meld of the hand (of equal ones one without a joker) after which as few cards remain as possible."""
    fewest_left, have = left_over(s, one, two), size(one) + size(two)
    found, longest = NOTHING_LAID, 0
    cards = one & ~JOKERS
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for at in range(FROM[card], UNTIL[card] if one & JOKERS else NATURAL_UNTIL[card]):
            used = with_its_joker(at)
            others = have - size(used)
            length = 2 * size(used) - (MELD_JOKER[at] > 0)
            if used & ~one or length <= longest or others < 1 or others == 1 and s.taken != NOTHING and not used & bit(s.taken):
                continue
            if left_over(s, one & ~used | two & used, two & ~used) <= fewest_left:
                found, longest = MELD[at], length
    return found


def which_card_next(s: Rummy) -> int:
    """The next card of the meld that is being laid. A meld that this policy did not begin is finished as soon as possible."""
    meld = meld_to_lay(s)
    if meld != NOTHING_LAID and kind_of(meld) == s.meld_kind[s.melds]:
        card = next_named(meld, s.meld_natural[s.melds], s.meld_joker[s.melds])
        if card >= NOTHING:
            return card if card != NOTHING else DONE
    return highest(legal(s))


def card_to_add(s: Rummy) -> Card:
    """The card to add to a meld now, or NOTHING. To go out, and when points count: any that fits. Otherwise one that frees a joker, or that opens
    no better place than it takes and is needed for no meld in the hand."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    left = left_over(s, one, two)
    if not holds_back(s) or left <= 1:
        return single(s)
    once, twice = unseen(s)
    found = NOTHING
    cards = one & ~JOKERS
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        way = fits(s, card)
        if way == SWAP:
            return card
        if way == NOTHING or found not in (NOTHING, s.taken) or not may_leave(s) & bit(card) or opens(s, card, once, twice):
            continue
        if left_over(s, one & ~bit(card) | two & bit(card), two & ~bit(card)) <= left:
            found = card
    return found


def opens(s: Rummy, card: Card, once: Cards, twice: Cards) -> bool:
    """Whether a card fits only runs, and at the end of one of them makes room for a card that is not scarcer than itself."""
    place = False
    for meld in range(s.melds):
        kind = s.meld_kind[meld]
        possible = ways(kind, s.meld_natural[meld], s.meld_joker[meld], card)
        if possible and kind < RUN:
            return False
        following = 0
        if possible & bit(HIGH) and rank_of(card) < 12:
            following = copies(once, twice, card + 1)
        if possible & bit(LOW) and rank_of(card) < 12:
            following = max(following, copies(once, twice, card - 1 if rank_of(card) else card + 12))
        if possible and following >= copies(once, twice, card):
            place = True
    return place


# ---- discarding

THREES = [(cards_of_meld(meld_of(rank, 15 & ~bit(suit), 0)), 3 * RANK_VALUE[rank]) for rank in range(13) for suit in range(4)]
THREES += [(cards_of_meld(meld_of(kind, 7 << low, 0)), value(kind, 7 << low)) for kind in range(RUN, RUN + 4) for low in range(12)]
THREE = [cards for cards, _ in THREES]
THREE_WORTH = [worth for _, worth in THREES]
"""All sets and runs of three, and their values."""


def prospects(one: Cards, once: Cards, twice: Cards, value_counts: float) -> float:
    """The prospects of a hand: every meld of three of which it has a card counts by the probability that the other cards come."""
    together = 0.0
    share = 5.0 / max(1, size(once) + size(twice))
    for at in range(len(THREE)):
        have = size(THREE[at] & one)
        if have == 0:
            continue
        meld = 1.0 + value_counts * THREE_WORTH[at]
        if have < 3:
            missing = THREE[at] & ~one
            meld *= share * copies(once, twice, lowest(missing))
            if have == 1:
                meld *= SECOND_CARD * share * copies(once, twice, highest(missing))
        together += meld
    return together


def after_the_next_draw(s: Rummy, one: Cards, two: Cards, once: Cards, twice: Cards) -> float:
    """The mean value of the hand after one more draw from the unseen cards."""
    together = 0.0
    cards = once
    while cards:
        card = bit(lowest(cards))
        cards &= cards - 1
        left = left_over(s, one | card, two | one & card)
        together += PROSPECT[min(left, 9)] * (2 if twice & card else 1)
    return together / max(1, size(once) + size(twice))


def what_to_discard(s: Rummy) -> Card:
    """The card without which the hand is best. No joker, if there is another card."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    cards = one if s.taken == NOTHING else one & ~bit(s.taken) | two & bit(s.taken)
    if cards & ~JOKERS:
        cards &= ~JOKERS
    if size(cards) == 1:
        return lowest(cards)
    once, twice = unseen(s)
    fitting = 0 if s.laid[s.turn] else takes(s, 0)
    found, best = NOTHING, 0.0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        left, left_twice = one & ~bit(card) | two & bit(card), two & ~bit(card)
        good = prospects(left, once, twice, 0.0 if s.laid[s.turn] else VALUE_COUNTS)
        if s.laid[s.turn]:
            good += NEXT_DRAW * after_the_next_draw(s, left, left_twice, once, twice) + (POINT * RANK_VALUE[rank_of(card)] if card < PACK else 0.0)
        elif fitting & bit(card):
            good -= FITS_THE_TABLE
        if found == NOTHING or good > best:
            found, best = card, good
    return found


# ---- reasons


def reason(s: Rummy, choice: int) -> Message:
    """The reason for a choice."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    if s.phase == DRAW and choice == DISCARD:
        return Message("reason-could-be-laid", {"card": top(s.discards)}) if height(s.stock) else Message("reason-stock-empty")
    if s.phase == DRAW:
        return Message("reason-closed" if not s.laid[s.turn] else "reason-top-not-laid")
    if s.phase == TURN and choice < LAY:
        if size(one) + size(two) == 1:
            return Message("reason-goes-out")
        return Message("reason-next-draw" if s.laid[s.turn] else "reason-missed-least")
    if s.phase in (TURN, KIND, CARD) and choice != ADD_ONE:
        if not s.laid[s.turn]:
            return Message("reason-enough")
        return Message("reason-all-laid" if left_over(s, *whole_hand(s)) <= 1 else "reason-points-count")
    if s.phase in (TURN, ADD):
        return Message("reason-all-laid" if left_over(s, one, two) <= 1 else "reason-gone")
    frees = choice == SWAP if s.phase != TO_MELD else legal_ways(s, choice, s.chosen) & bit(SWAP)
    return Message("reason-there-frees-joker" if frees else "reason-there-it-fits")


SHARP = Policy("rummy/sharp", 1, choose, reason)
