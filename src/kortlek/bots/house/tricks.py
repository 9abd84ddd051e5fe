"""What the house knows about exact bids, for the games of tricks that have them: how likely a card wins, how many to bid, what to play.

It asks two numbers about a card: how likely it is to win *this* trick, and how likely to win a *later* one.

* Some of the tricks that are left are needed: it plays the card with the smallest expected miss, squared. The miss is what the rest of
  the hand can be expected to take more or less than is then needed, with the doubt about it; taking early is worth a little more.
* All of them are needed: the card that is likeliest to win, and of equals the one least likely to win later.
* None is needed: the card that is least likely to win, and of equals the one likeliest to win later, to be rid of it.
* The bid is lost: as if all were needed when the others still need as many as there are, otherwise as if none were.
"""

from kortlek.cards import NOTHING, PACK, RANKS_OF_A_SUIT, Card, Cards, bit, cards_of, highest, lowest, size, suit_of, upto
from kortlek.rules import tricks
from kortlek.rules.game import next_seat
from kortlek.rules.tricks import Tricks

WHOLE_PACK = upto(PACK - 1)
ABOVE = [cards_of(suit_of(card)) & ~upto(card) for card in range(PACK)]
"""The cards of its suit that are higher than a card."""
BELOW = [cards_of(suit_of(card)) & (bit(card) - 1) for card in range(PACK)]
"""The cards of its suit that are lower than a card."""
STEPS = 64
WIDTH = RANKS_OF_A_SUIT + 1
STAY_AWAY = [(1 - step / STEPS) ** cards for step in range(STEPS + 1) for cards in range(WIDTH)]
"""How likely it is that none of so many cards comes, in a row for each chance, in steps, that a card comes."""
PART = [1.0, *(1 / of for of in range(1, PACK + 1))]
"""One part of so many."""

# ---- habits: the numbers in which the games differ, each found by playing many deals against other numbers

BID_BASE, BID_HIGHER, BID_SQUARE, BID_LOWER, BID_LENGTH = 0, 1, 2, 3, 4
"""Odds against a card when bidding: to begin with, for each unseen higher card and for the square of these, for each lower one, for each card dealt."""
BIAS, TILT, SPREAD = 5, 6, 7
"""What is added to the sum of the cards' chances, what is taken off for each trick that others have bid above their share, how wide the tricks spread."""
BASE, HIGHER, SQUARE, LOWER, LENGTH, CROWD = 8, 9, 10, 11, 12, 13
"""The same odds when playing; and how much they grow when all together need more tricks than there are."""
EARLY, SHED = 14, 15
"""What it is worth to win early with a card that wins, for each trick to come; how much it is worth to get rid of a winner, compared with not winning now."""


def against(card: Card, unseen: Cards, base: float, per_higher: float, per_square: float, per_lower: float) -> float:
    """The odds against a card ever winning: they grow with the unseen cards above it and shrink with those below it."""
    higher = size(unseen & ABOVE[card])
    return max(0.03, base + higher * (per_higher + per_square * higher) - per_lower * size(unseen & BELOW[card]))


def stay_away(chance: float) -> int:
    """Where in STAY_AWAY the row of a chance begins."""
    return WIDTH * int(STEPS * min(1.0, chance))


# ---- bids


def bid_above_share(s: Tricks, promised: list[int]) -> float:
    """By how much the bids so far exceed their players' share of the tricks."""
    bids = 0
    tricks_bid = 0
    for seat in range(s.players):
        if promised[seat] != NOTHING:
            bids += 1
            tricks_bid += promised[seat]
    return tricks_bid - bids * s.cards / s.players


def best_bid(legal: Cards, sure: int, expected: float, doubt: float, worth: list[float]) -> int:
    """The legal bid with the most points times the chance to take exactly so many; if possible not below what is sure.

    The tricks spread around what is expected like a bell, and ``worth`` is the logarithm of the points."""
    if legal >> sure:
        legal = legal >> sure << sure
    narrow = 0.5 / max(doubt, 0.02)
    best = NOTHING
    most = -1e9
    while legal:
        bid = lowest(legal)
        legal &= legal - 1
        value = worth[bid] - (bid - expected) * (bid - expected) * narrow
        if value > most:
            most = value
            best = bid
    return best


# ---- play


def best_card(s: Tricks, promised: list[int], unseen: Cards, habits: list[float]) -> Card:
    """The card to play."""
    may = tricks.follow_suit(s)
    if may & (may - 1) == 0:
        return lowest(may)
    left = size(s.hand[s.turn])
    need = promised[s.turn] - s.taken[s.turn]
    needs_some = 0 < need < left
    follows = s.led != NOTHING and may & cards_of(s.led) != 0
    if follows and (need == 0 or need == left):
        return duck(s, may) if need == 0 else take(s, may)
    others_need = needed_by_others(s, promised)
    takes = need == left or (need != 0 and others_need >= left)
    if follows and not needs_some:
        return take(s, may) if takes else duck(s, may)
    per_player = left * PART[size(unseen)]
    in_play = min(1.0, (s.players - 1) * per_player)
    crowd = max(0.2, 1 + habits[CROWD] * (others_need + max(0, need) - left) * PART[left])
    base = crowd * (s.players - 1) * (habits[BASE] + habits[LENGTH] * left)
    per_higher = crowd * in_play * habits[HIGHER]
    per_square = crowd * in_play * in_play * habits[SQUARE]
    per_lower = crowd * in_play * habits[LOWER]
    gap = float(need)
    if needs_some:
        rest = s.hand[s.turn]
        while rest:
            gap -= 1 / (1 + against(lowest(rest), unseen, base, per_higher, per_square, per_lower))
            rest &= rest - 1
    early = habits[EARLY] * (left - 1)
    shed = -habits[SHED] if takes else habits[SHED]
    to_win = -1.0 if takes else 1.0
    can_win = may if s.led == NOTHING else winners(s, may)
    lacking = lacking_later(s) if can_win else 0
    chosen = NOTHING
    least = 1e9
    suit = NOTHING
    row = 0
    while may:
        card = lowest(may)
        may &= may - 1
        later = 1 / (1 + against(card, unseen, base, per_higher, per_square, per_lower))
        now = 0.0
        if can_win >> card & 1:
            if suit_of(card) != suit:
                suit = suit_of(card)
                row = stay_away(per_player * rivals(s, card, lacking))
            now = STAY_AWAY[row + size(unseen & ABOVE[card])]
        if needs_some:
            miss = gap + later - now
            cost = miss * miss + now * (1 - now) - later * (1 - later) - early * later * now
        else:
            cost = to_win * now - shed * later
        if cost < least:
            least = cost
            chosen = card
    return chosen


def take(s: Tricks, may: Cards) -> Card:
    """Following suit: the highest card, or the cheapest that wins for the last to play; the lowest if none can win."""
    can_win = winners(s, may)
    if not can_win:
        return lowest(may)
    return lowest(can_win) if size(s.trick) == s.players - 1 else highest(can_win)


def duck(s: Tricks, may: Cards) -> Card:
    """Following suit: the highest card that loses; if none does the lowest, but the last to play, who has to win, gets rid of the highest."""
    lose = may & ~winners(s, may)
    if lose:
        return highest(lose)
    return highest(may) if size(s.trick) == s.players - 1 else lowest(may)


def winners(s: Tricks, cards: Cards) -> Cards:
    """The cards that beat the best card of the trick."""
    trumps = cards_of(s.trump) if s.trump != NOTHING and suit_of(s.best) != s.trump else 0
    return cards & (ABOVE[s.best] | trumps)


def needed_by_others(s: Tricks, promised: list[int]) -> int:
    """How many tricks the other players together still need."""
    needed = -max(0, promised[s.turn] - s.taken[s.turn])
    for seat in range(s.players):
        needed += max(0, promised[seat] - s.taken[seat])
    return needed


def lacking_later(s: Tricks) -> Cards:
    """The cards that somebody who is still to play to this trick cannot have."""
    lacking = 0
    seat = s.turn
    for _ in range(s.players - 1 - size(s.trick)):
        seat = next_seat(s, seat)
        lacking |= s.lacks[seat]
    return lacking


def rivals(s: Tricks, card: Card, lacking: Cards) -> int:
    """How many players are still to play to this trick who may have the suit of a card."""
    count = s.players - 1 - size(s.trick)
    if lacking >> card & 1:
        seat = s.turn
        for _ in range(s.players - 1 - size(s.trick)):
            seat = next_seat(s, seat)
            count -= s.lacks[seat] >> card & 1
    return count
