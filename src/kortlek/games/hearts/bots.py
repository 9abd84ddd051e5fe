"""How the house plays Hearts.

**Passing.** It passes the queen of spades, unless she is well guarded; ace and king of spades without many small spades; high hearts; and high
cards of short suits. Small spades are kept as guards.

**Leading.** The card with the least expected cost: the probability that it takes the trick, times the points that such a trick can have. Small
spades are good leads as long as somebody else has the queen.

**Following.** It ducks with the highest card that loses. A trick that has no points and can hardly get any is taken with the highest card, to get
rid of it. As the last player, if it has to take points, it takes them with the highest card.

**Discarding.** The queen first, then ace and king of spades while the queen is out, then high hearts, then the cards most likely to take tricks
later.

**The moon.** When one player has all the points so far, and many, the house takes a trick with a point from her if it can, and gives her none. If
that player is itself, and nearly all its cards are the highest, it takes all remaining tricks.
"""

from kortlek.bots.knobs import Knobs
from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, RANKS_OF_A_SUIT, Card, Cards, bit, card, cards_of, highest, lowest, size, suit_of
from kortlek.engine.rng import Rng
from kortlek.game import Message, next_seat
from kortlek.games.hearts.rules import ADD, ALL_POINTS, HEARTS, MOON, PASS, POINTS, QUEEN_OF_SPADES, SUBTRACT, Hearts, legal
from kortlek.games.tricks_bots import ABOVE, BELOW, SUITS, WHOLE_PACK, is_last, winners

SPADES = cards_of(3)
HIGH_SPADES = bit(card("SK")) | bit(card("SA"))
QUEEN = bit(QUEEN_OF_SPADES)
GUARDS = 4
"""The number of other spades with which the queen is safe to keep."""
THREAT = 14
"""A player with all points so far, and at least this many, may shoot the moon."""


def choose(s: Hearts, rng: Rng) -> int:
    """A card to pass, a card to play, or what the moon counts."""
    if s.phase == MOON:
        return what_the_moon_counts(s)
    may = legal(s)
    if s.phase == PASS:
        return most_dangerous(s, may, s.hand[s.turn] & ~s.passing[s.turn])
    return best_card(s, may)


def unseen(s: Hearts) -> Cards:
    """The cards that the other players have."""
    return WHOLE_PACK & ~(s.hand[s.turn] | s.gone | s.trick)


def what_the_moon_counts(s: Hearts) -> int:
    """Add 26 to the others, unless that ends the match and somebody else would win it: then subtract."""
    best = s.score[s.turn]
    ends = 0
    for seat in range(s.players):
        if seat != s.turn:
            best = min(best, s.score[seat] + ALL_POINTS)
            ends |= s.score[seat] + ALL_POINTS >= s.target
    return SUBTRACT if ends and best < s.score[s.turn] else ADD


# ---- what to pass and what to discard


def most_dangerous(s: Hearts, may: Cards, hand: Cards) -> Card:
    """The most dangerous card, to get rid of."""
    best = NOTHING
    most = -1e9
    while may:
        card = highest(may)
        may &= ~bit(card)
        danger = danger_to_pass(card, hand) if s.phase == PASS else danger_later(s, card, hand)
        if danger > most:
            most = danger
            best = card
    return best


def danger_to_pass(card: Card, hand: Cards) -> float:
    """How dangerous a card is in a hand before play begins."""
    suit = hand & cards_of(suit_of(card))
    rank = card % RANKS_OF_A_SUIT
    lower = size(suit & BELOW[card])
    if suit_of(card) == suit_of(QUEEN_OF_SPADES):
        guards = size(hand & SPADES & ~QUEEN)
        if card == QUEEN_OF_SPADES:
            return 100.0 if guards < GUARDS else -10.0
        if HIGH_SPADES >> card & 1:
            return 60.0 + rank if guards < GUARDS else -5.0
        return -40.0
    if HEARTS >> card & 1:
        return 2.6 * rank - 2.0 * lower + (4.0 if rank >= 9 else 0.0)
    short = 7.0 * (4 - size(suit)) if size(suit) < 4 else 0.0
    return 2.2 * rank - 3.0 * lower + short


def danger_later(s: Hearts, card: Card, hand: Cards) -> float:
    """How dangerous it is to keep a card during play."""
    hidden = unseen(s)
    suit = cards_of(suit_of(card))
    above, below = size(hidden & ABOVE[card]), size(hidden & BELOW[card])
    if card == QUEEN_OF_SPADES:
        return 100.0
    if HIGH_SPADES >> card & 1 and hidden & QUEEN:
        return 60.0 + card % RANKS_OF_A_SUIT
    likely = (below + 0.5) / (above + below + 1.0) if above + below else 0.0
    more = 12.0 if suit & HEARTS else 6.0
    return likely * (more + 2.0 * below) - 1.5 * size(hand & suit & BELOW[card]) + (2.0 if size(hand & suit) == 1 else 0.0)


# ---- play


def best_card(s: Hearts, may: Cards) -> Card:
    """The card to play."""
    if may & (may - 1) == 0:
        return lowest(may)
    if shoots(s, s.turn):
        return take_all(s, may)
    if s.led == NOTHING:
        return safest_lead(s, may)
    threat = moon_threat(s)
    if not may & cards_of(s.led):
        return discard(s, may, threat)
    if threat != NOTHING and threat == s.winning and s.trick & POINTS and winners(s, may):
        can_win = winners(s, may)
        return lowest(can_win & ~QUEEN if can_win & ~QUEEN else can_win) if is_last(s) else highest(can_win)
    return follow(s, may)


def follow(s: Hearts, may: Cards) -> Card:
    """Following suit: duck, or take a trick without danger with a high card."""
    can_win = winners(s, may)
    lose = may & ~can_win
    if can_win and is_harmless(s):
        safe = can_win & ~QUEEN & (~HIGH_SPADES if unseen(s) & QUEEN and not is_last(s) else WHOLE_PACK)
        if safe and not lose & QUEEN:
            return highest(safe)
    if lose:
        return highest(lose)
    if is_last(s):
        return highest(may & ~QUEEN) if may & ~QUEEN else highest(may)
    return lowest(may & ~QUEEN) if may & ~QUEEN else lowest(may)


def is_harmless(s: Hearts) -> bool:
    """Whether a trick has no points and will hardly get any: the first, one that this player completes, or one of a suit that all probably have."""
    if s.trick & POINTS or s.led == suit_of(lowest(HEARTS)):
        return False
    to_come = s.players - 1 - size(s.trick)
    if to_come == 0 or (s.gone == 0 and not s.points_in_first_trick):
        return True
    left = size(unseen(s) & cards_of(s.led))
    seat = s.turn
    for _ in range(to_come):
        seat = next_seat(s, seat)
        if s.known_absent[seat] & cards_of(s.led) & unseen(s):
            return False
    return left >= 3 * to_come + 1


def discard(s: Hearts, may: Cards, threat: int) -> Card:
    """Void in the suit led: the most dangerous card; but no points for a player who may shoot the moon."""
    if threat != NOTHING and threat == s.winning and may & ~POINTS:
        may &= ~POINTS
    return most_dangerous(s, may, s.hand[s.turn])


def safest_lead(s: Hearts, may: Cards) -> Card:
    """The lead with the lowest expected cost."""
    best = NOTHING
    least = 1e9
    left = may
    while left:
        card = lowest(left)
        left &= left - 1
        cost = cost_of_lead(s, card)
        if cost < least:
            least = cost
            best = card
    return best


def cost_of_lead(s: Hearts, card: Card) -> float:
    """The probability that a lead takes the trick, times the points that it may then have."""
    hidden = unseen(s)
    suit = cards_of(suit_of(card))
    above, below = size(hidden & ABOVE[card]), size(hidden & BELOW[card])
    if above + below == 0:
        return 6.0 + (4.0 if hidden & QUEEN else 0.0) if hidden & POINTS else 0.0
    takes = (below + 0.3) / (above + below + 0.3) if above else 1.0
    if card == QUEEN_OF_SPADES:
        return 13.0 * (0.5 + 0.5 * takes)
    worth = 4.0 if hidden & QUEEN else 2.0
    points = worth * (0.8 if above + below <= 3 else 0.45 if above + below <= 6 else 0.15)
    for seat in range(s.players):
        if seat != s.turn and s.known_absent[seat] & suit & hidden:
            points = max(points, worth)
    if suit & HEARTS:
        points = 3.0 if above + below > 2 else 2.0
    if suit & SPADES and hidden & QUEEN:
        if HIGH_SPADES >> card & 1:
            return 9.0
        return 0.3 if s.hand[s.turn] & HIGH_SPADES else -1.0
    if suit & SPADES and s.hand[s.turn] & QUEEN:
        return 4.0
    return takes * points - 0.02 * (RANKS_OF_A_SUIT - size(s.hand[s.turn] & suit))


# ---- the moon


def moon_threat(s: Hearts) -> int:
    """Another player who has all the points so far, and many; NOTHING if there is none."""
    found = NOTHING
    for seat in range(s.players):
        if s.penalty[seat] > 0:
            if found != NOTHING or seat == s.turn or s.penalty[seat] < THREAT:
                return NOTHING
            found = seat
    return found


def shoots(s: Hearts, me: int) -> bool:
    """Whether the player in turn has all the points so far, and at most one of her cards is likely to lose."""
    for seat in range(s.players):
        if seat != me and s.penalty[seat] > 0:
            return False
    if s.penalty[me] == 0 or (s.trick & POINTS and not winners(s, legal(s))):
        return False
    losers = 0
    hand = s.hand[me]
    hidden = unseen(s)
    for suit in range(SUITS):
        mine, rest = hand & cards_of(suit), hidden & cards_of(suit)
        if mine and rest:
            losers += min(size(mine & ~ABOVE[highest(rest)]), size(rest))
    return losers == 0 or (losers == 1 and s.penalty[me] >= THREAT)


def take_all(s: Hearts, may: Cards) -> Card:
    """To shoot the moon: the highest card that wins; if none wins, the lowest card, without points if possible."""
    if s.led == NOTHING:
        tops = may
        for suit in range(SUITS):
            rest = unseen(s) & cards_of(suit)
            if rest:
                tops &= ~(cards_of(suit) & ~ABOVE[highest(rest)])
        return highest(tops) if tops else highest(may)
    can_win = winners(s, may)
    if can_win:
        return highest(can_win)
    return lowest(may & ~POINTS) if may & ~POINTS else lowest(may)


# ---- reasons


def reason(s: Hearts, choice: int) -> Message:
    """The reason for a choice."""
    if s.phase == MOON:
        return Message("reason-others-add" if choice == ADD else "reason-subtract")
    may = legal(s)
    if may == bit(choice):
        return Message("reason-only-card")
    return why_pass(s, choice) if s.phase == PASS else why_card(s, may, choice)


def why_pass(s: Hearts, card: Card) -> Message:
    """The reason for passing a card."""
    hand = s.hand[s.turn] & ~s.passing[s.turn]
    suit = cards_of(suit_of(card))
    if card == QUEEN_OF_SPADES:
        return Message("reason-pass-queen", {"count": size(hand & SPADES & ~QUEEN)})
    if HIGH_SPADES >> card & 1:
        return Message("reason-pass-high-spade")
    if suit & HEARTS:
        return Message("reason-pass-heart")
    if size(hand & suit) < 4:
        return Message("reason-pass-short", {"suit": suit_of(card)})
    return Message("reason-pass-high")


def why_card(s: Hearts, may: Cards, card: Card) -> Message:
    """The reason for playing a card."""
    above = size(unseen(s) & ABOVE[card])
    threat = moon_threat(s)
    if shoots(s, s.turn):
        return Message("reason-shoot")
    if s.led == NOTHING:
        if suit_of(card) == suit_of(QUEEN_OF_SPADES) and unseen(s) & QUEEN:
            return Message("reason-lead-spade")
        return Message("reason-lead", {"count": above})
    can_win = winners(s, may)
    if can_win >> card & 1:
        if threat != NOTHING and threat == s.winning:
            return Message("reason-stop-moon", {"whom": threat})
        return Message("reason-take-safe" if is_harmless(s) else "reason-take" if is_last(s) else "reason-take-low")
    if suit_of(card) == s.led:
        return Message("reason-duck-highest" if card == highest(may & ~can_win) else "reason-duck")
    if threat != NOTHING and threat == s.winning and not POINTS >> card & 1:
        return Message("reason-no-points-for", {"whom": threat})
    return Message("reason-discard-points" if POINTS >> card & 1 else "reason-discard")


HOUSE = Policy("house", 1, choose, reason)
KNOBS = Knobs((HOUSE,), swing=20)
