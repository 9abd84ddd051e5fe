"""How the house plays trick-taking games with exact bids: how likely a card wins, how many tricks to bid, and what to play.

It estimates two probabilities for a card: that it wins *this* trick, and that it wins a *later* one.

* Some of the remaining tricks are needed: it plays the card with the smallest expected squared miss. The miss is the difference between what the
  rest of the hand can be expected to take and what is then needed, with its variance; taking early is worth a little more.
* All of them are needed: the card that is most likely to win, and of equals the one least likely to win later.
* The trumps that nothing unseen can beat win whenever they are played. If they are exactly what is needed, the other cards are played as if no
  trick were needed.
* None is needed: the card that is least likely to win, and of equals the one most likely to win later, to get rid of it.
* The bid is lost: as if all were needed if the others still need at least as many tricks as remain, otherwise as if none were.
"""

from kortlek.cards import NOTHING, PACK, RANKS_OF_A_SUIT, Card, Cards, Suit, bit, cards_of, highest, lowest, size, suit_of, upto
from kortlek.game import Message, next_seat
from kortlek.games import tricks
from kortlek.games.tricks import Tricks

WHOLE_PACK = upto(PACK - 1)
SUITS = PACK // RANKS_OF_A_SUIT
ABOVE = [cards_of(suit_of(card)) & ~upto(card) for card in range(PACK)]
"""For each card, the higher cards of its suit."""
BELOW = [cards_of(suit_of(card)) & (bit(card) - 1) for card in range(PACK)]
"""For each card, the lower cards of its suit."""
RECIPROCAL = [1.0, *(1 / of for of in range(1, PACK + 1))]
"""``RECIPROCAL[n]`` is 1 / n, and 1 for n = 0."""
STEPS = 64
WIDTH = RANKS_OF_A_SUIT + 1
NONE_COMES = [(1 - step / STEPS) ** cards for step in range(STEPS + 1) for cards in range(WIDTH)]
"""The probability that none of some cards comes: a row for each probability, in steps, that a single card comes, and a column for each number of
cards."""

# ---- habits: the parameters of a game's house, tuned by playing many deals against other values

BIDDING, PLAYING = 0, 8
"""The offsets of the odds in the habits: those for bids, and those for play."""
BASE, HIGHER, SQUARE, LOWER, LENGTH, TRUMP, TRUMP_HIGHER, RUFFED = range(8)
"""Odds against a card, for each opponent; for each unseen higher card, and for the square of their number; (less) for each lower one; for each
card in hand. For trumps, for each opponent and for each higher trump; for other cards also for each unseen trump."""
BIAS, TILT, SPREAD, VOID = 16, 17, 18, 19
"""Bids: added to the sum of the probabilities; subtracted for each trick that others have bid above their share; scale of the variance; the value
of a void suit to a hand with trumps."""
CROWD, EARLY, SHED = 20, 21, 22
"""Play: how the odds grow when all players together need more tricks than remain; the value of winning early with a card that may win later; the
value of getting rid of such a card, relative to not winning now."""

Odds = tuple[float, float, float, float, float, float]


def odds_from(s: Tricks, habits: list[float], at: int, unseen: Cards, length: int, crowd: float) -> Odds:
    """The odds in this position. Unseen cards are weighted by the probability that somebody holds them."""
    opponents = crowd * (s.players - 1)
    in_play = min(1.0, (s.players - 1) * length * RECIPROCAL[size(unseen)])
    scale = crowd * in_play
    base = opponents * (habits[at + BASE] + habits[at + LENGTH] * length)
    higher, square, lower = scale * habits[at + HIGHER], scale * in_play * habits[at + SQUARE], scale * habits[at + LOWER]
    if s.trump == NOTHING:
        return base, higher, square, lower, 0.0, 0.0
    base += scale * habits[at + RUFFED] * size(unseen & cards_of(s.trump))
    return base, higher, square, lower, opponents * habits[at + TRUMP], scale * habits[at + TRUMP_HIGHER]


def wins_later(card: Card, unseen: Cards, trumps: Cards, odds: Odds) -> float:
    """The probability that a card ever wins: the odds against it grow with the unseen cards above it and shrink with those below it."""
    above = size(unseen & ABOVE[card])
    if trumps >> card & 1:
        against = odds[4] + odds[5] * above
    else:
        against = odds[0] + above * (odds[1] + odds[2] * above) - odds[3] * size(unseen & BELOW[card])
    return 1 / (1 + max(0.03 + 0.01 * above, against))


def none_comes_row(chance: float) -> int:
    """The index in NONE_COMES where the row of a probability begins."""
    return WIDTH * int(STEPS * min(1.0, chance))


def trumps_of(s: Tricks) -> Cards:
    """All trumps; none in a game without trumps."""
    return cards_of(s.trump) if s.trump != NOTHING else 0


# ---- bids


def bid_for_hand(s: Tricks, promised: list[int], unseen: Cards, legal: Cards, sure: int, worth: list[float], habits: list[float]) -> int:
    """The legal bid with the highest points times probability of taking exactly that many tricks; if possible not below the number of sure tricks.

    The number of tricks is approximated by a normal distribution; ``worth`` is the logarithm of the points for each bid."""
    expected, doubt = expectation(s, promised, unseen, habits)
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


def expectation(s: Tricks, promised: list[int], unseen: Cards, habits: list[float]) -> tuple[float, float]:
    """The mean and the variance of the number of tricks that a hand takes."""
    hand = s.hand[s.turn]
    trumps = trumps_of(s)
    odds = odds_from(s, habits, BIDDING, unseen, s.hand_size, 1.0)
    expected = habits[BIAS] - habits[TILT] * bid_above_share(s, promised)
    if hand & trumps:
        expected += habits[VOID] * suits_without(hand)
    doubt = 0.0
    while hand:
        wins = wins_later(lowest(hand), unseen, trumps, odds)
        expected += wins
        doubt += wins * (1 - wins)
        hand &= hand - 1
    return expected, habits[SPREAD] * doubt


def bid_above_share(s: Tricks, promised: list[int]) -> float:
    """By how much the bids so far exceed their players' share of the tricks."""
    bids = 0
    tricks_bid = 0
    for seat in range(s.players):
        if promised[seat] != NOTHING:
            bids += 1
            tricks_bid += promised[seat]
    return tricks_bid - bids * s.hand_size * RECIPROCAL[s.players]


def suits_without(hand: Cards) -> int:
    """The number of suits of which a hand has no card."""
    without = 0
    for suit in range(SUITS):
        without += 0 if hand & cards_of(suit) else 1
    return without


def top_cards(hand: Cards, unseen: Cards, suit: Suit) -> Cards:
    """The cards of a hand that are higher than all unseen cards of a suit."""
    rest = unseen & cards_of(suit)
    return hand & (ABOVE[highest(rest)] if rest else cards_of(suit))


# ---- play


def best_card(s: Tricks, promised: list[int], unseen: Cards, habits: list[float]) -> Card:
    """The card to play."""
    may = tricks.follow_suit(s)
    if may & (may - 1) == 0:
        return lowest(may)
    left = size(s.hand[s.turn])
    need = promised[s.turn] - s.taken[s.turn]
    if s.trump != NOTHING and 0 < need < left:
        sure = top_cards(s.hand[s.turn], unseen, s.trump)
        if size(sure) == need and may & ~sure:
            may &= ~sure
            need = 0
    follows = s.led != NOTHING and may & cards_of(s.led) != 0
    if follows and need == 0:
        return duck(s, may)
    if follows and need == left:
        return take(s, may)
    others_need = needed_by_others(s, promised)
    needs_some = 0 < need < left
    takes = need == left or (need != 0 and others_need >= left)
    if follows and not needs_some:
        return take(s, may) if takes else duck(s, may)
    trumps = trumps_of(s)
    crowd = max(0.2, 1 + habits[CROWD] * (others_need + max(0, need) - left) * RECIPROCAL[left])
    odds = odds_from(s, habits, PLAYING, unseen, left, crowd)
    missing = float(need)
    if needs_some:
        rest = s.hand[s.turn]
        while rest:
            missing -= wins_later(lowest(rest), unseen, trumps, odds)
            rest &= rest - 1
    early = habits[EARLY] * (left - 1)
    sign = -1.0 if takes else 1.0
    can_win = may if s.led == NOTHING else winners(s, may)
    lacking = lacking_later(s) if can_win else 0
    best = NOTHING
    least = 1e9
    suit = NOTHING
    row = 0
    unruffed = 1.0
    while may:
        card = lowest(may)
        may &= may - 1
        later = wins_later(card, unseen, trumps, odds)
        now = 0.0
        if can_win >> card & 1:
            if suit_of(card) != suit:
                suit = suit_of(card)
                row, unruffed = danger(s, card, unseen, left * RECIPROCAL[size(unseen)], rivals(s, card, lacking))
            now = unruffed * NONE_COMES[row + size(unseen & ABOVE[card])]
        if needs_some:
            miss = missing + later - now
            cost = miss * miss + now * (1 - now) - later * (1 - later) - early * later * now
        else:
            cost = sign * (now - habits[SHED] * later)
        if cost < least:
            least = cost
            best = card
    return best


def take(s: Tricks, may: Cards) -> Card:
    """Following suit: the highest winner, or the lowest one for the last player; the lowest card if none can win."""
    can_win = winners(s, may)
    if not can_win:
        return lowest(may)
    return lowest(can_win) if is_last(s) else highest(can_win)


def duck(s: Tricks, may: Cards) -> Card:
    """Following suit: the highest card that loses; if none does, the lowest, or for the last player, who has to win, the highest, to get rid of
    it."""
    lose = may & ~winners(s, may)
    if lose:
        return highest(lose)
    return highest(may) if is_last(s) else lowest(may)


def is_last(s: Tricks) -> bool:
    """Whether the player in turn is the last to play to the trick."""
    return size(s.trick) == s.players - 1


def winners(s: Tricks, cards: Cards) -> Cards:
    """The cards that beat the best card of the trick."""
    return cards & (ABOVE[s.best] | (trumps_of(s) if suit_of(s.best) != s.trump else 0))


def needed_by_others(s: Tricks, promised: list[int]) -> int:
    """How many tricks the other players together still need."""
    needed = -max(0, promised[s.turn] - s.taken[s.turn])
    for seat in range(s.players):
        needed += max(0, promised[seat] - s.taken[seat])
    return needed


def lacking_later(s: Tricks) -> Cards:
    """The cards that some player still to play to this trick is known not to have."""
    lacking = 0
    seat = s.turn
    for _ in range(s.players - 1 - size(s.trick)):
        seat = next_seat(s, seat)
        lacking |= s.known_absent[seat]
    return lacking


def rivals(s: Tricks, card: Card, lacking: Cards) -> int:
    """The number of players still to play to this trick who may have the suit of a card."""
    count = s.players - 1 - size(s.trick)
    if lacking >> card & 1:
        seat = s.turn
        for _ in range(s.players - 1 - size(s.trick)):
            seat = next_seat(s, seat)
            count -= s.known_absent[seat] >> card & 1
    return count


def danger(s: Tricks, card: Card, unseen: Cards, share: float, may_follow: int) -> tuple[int, float]:
    """The threats to a card in this trick: the row in NONE_COMES for a higher card of its suit, and the probability that nobody trumps it.

    ``share`` is the probability that a given player has a given unseen card."""
    if s.trump == NOTHING:
        return none_comes_row(share * may_follow), 1.0
    row = none_comes_row(share)
    if suit_of(card) == s.trump:
        free = 1.0 if s.led == NOTHING or s.led == s.trump else NONE_COMES[row + size(unseen & cards_of(s.led))]
        return none_comes_row(share * may_follow * free), 1.0
    has_trump = 1 - NONE_COMES[row + size(unseen & cards_of(s.trump))]
    has_none = NONE_COMES[row + size(unseen & cards_of(suit_of(card)))]
    cannot_follow = s.players - 1 - size(s.trick) - may_follow
    unruffed = NONE_COMES[none_comes_row(has_trump * has_none) + may_follow] * NONE_COMES[none_comes_row(has_trump) + cannot_follow]
    return none_comes_row(share * may_follow), unruffed


# ---- reasons


def why_bid(sure: int, expected: float, choice: int) -> Message:
    """The reason for a bid."""
    if sure and choice == sure:
        return Message("reason-sure", {"number": sure})
    return Message("reason-hopes" if choice > expected + 1 else "reason-expects", {"number": round(max(0.0, expected), 1)})


def why_card(s: Tricks, promised: list[int], unseen: Cards, choice: Card) -> Message:
    """The reason for a card."""
    may = tricks.follow_suit(s)
    if may == bit(choice):
        return Message("reason-only-card")
    left = size(s.hand[s.turn])
    need = promised[s.turn] - s.taken[s.turn]
    if need < 0 or need > left:
        aim = Message("reason-lost")
    elif need == 0:
        aim = Message("reason-needs-none")
    else:
        aim = Message("reason-needs-all", {"left": left}) if need == left else Message("reason-needs-some", {"number": need, "left": left})
    can_win = may if s.led == NOTHING else winners(s, may)
    above = size(unseen & ABOVE[choice])
    if not can_win >> choice & 1:
        lose = may & ~can_win
        is_highest = choice == highest(lose) and suit_of(choice) == s.led
        what = Message("reason-highest-loser") if is_highest else Message("reason-cannot-win", {"card": choice})
    elif is_last(s):
        what = Message("reason-cheapest-winner" if choice == lowest(can_win) else "reason-wins")
    else:
        what = Message("reason-highest") if above == 0 else Message("reason-higher", {"number": above})
    return Message("reason-aim", {"aim": aim, "what": what})
