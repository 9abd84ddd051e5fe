"""How the house plays Spades.

**Bids.** Every card has a chance to take a trick: aces and kings of short suits, high spades, spades beyond the third, and ruffs in short suits.
The house bids their sum, a little less when its partner has bid much. A hand that can lose every trick bids nil, unless the partner has bid nil.

**A nil of its own.** It plays the highest card that loses, and discards cards that might win first.

**The partner's nil.** It leads high cards and overtakes tricks that the partner is about to win.

**For the bid.** As long as the team needs tricks it takes them as cheaply as it can, with sure winners first; it leaves tricks to the partner that
she will win anyway.

**Bags.** When the bid is made it ducks, unless the other team needs nearly all remaining tricks.

**The opponents' nil.** It leads low, and does not overtake a trick that a player who has bid nil is about to win.
"""

from kortlek.bots.knobs import Knobs
from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, RANKS_OF_A_SUIT, Card, Cards, bit, cards_of, highest, lowest, size, suit_of, upto
from kortlek.engine.rng import Rng
from kortlek.game import Message, next_seat
from kortlek.games.spades.rules import BID, BLIND, LOOK, NIL, SPADES, Spades, legal, partner
from kortlek.games.tricks_bots import ABOVE, BELOW, SUITS, WHOLE_PACK, duck, is_last, winners

TRUMPS = cards_of(SPADES)
QUEEN, KING, ACE = 10, 11, 12
"""Rank numbers."""
NIL_RISK = 0.2
"""The maximum expected number of unwanted tricks with which a hand bids nil."""
HOPE = 0.85
"""Added to the expected tricks before rounding down to a bid."""


def choose(s: Spades, rng: Rng) -> int:
    """A bid or a card."""
    if s.phase == BLIND:
        return LOOK
    may = legal(s)
    if may & (may - 1) == 0:
        return lowest(may)
    return best_bid(s, may) if s.phase == BID else best_card(s, may)


def unseen(s: Spades) -> Cards:
    """The cards that the other players have."""
    return WHOLE_PACK & ~(s.hand[s.turn] | s.gone | s.trick)


# ---- bids


def best_bid(s: Spades, may: Cards) -> int:
    """Nil if it is safe, otherwise the expected tricks, at least one if that is legal."""
    hand = s.hand[s.turn]
    other = s.bid[partner(s, s.turn)]
    if may & bit(NIL) and other != NIL and s.nil_points >= 50 and nil_risk(hand) < NIL_RISK:
        return NIL
    wanted = max(1, int(expected_tricks(hand) + HOPE))
    if other != NOTHING and other + wanted > 10:
        wanted = max(1, wanted - 1)
    below = may & upto(wanted) & ~bit(NIL)
    return highest(below) if below else lowest(may & ~bit(NIL)) if may & ~bit(NIL) else NIL


def expected_tricks(hand: Cards) -> float:
    """The expected number of tricks of a hand."""
    spades = size(hand & TRUMPS)
    tricks = 0.0
    for suit in range(SUITS):
        mine = hand & cards_of(suit)
        held = size(mine)
        top = mine >> (RANKS_OF_A_SUIT * suit)
        ace, king, queen = top >> ACE & 1, top >> KING & 1, top >> QUEEN & 1
        if suit == SPADES:
            tricks += ace + king * (1.0 if ace or held > 2 else 0.8 if held > 1 else 0.3)
            tricks += queen * (0.9 if (ace or king) and held > 2 else 0.7 if held > 2 else 0.2)
            tricks += max(0, held - 3 - (0 if ace + king + queen > 1 else 1)) * 0.9
        else:
            tricks += ace * (0.95 if held < 6 else 0.7)
            if held > 1 and held < 6:
                tricks += king * (0.8 if ace else 0.65)
                tricks += queen * (0.5 if ace and king and held < 5 else 0.25 if held > 2 and held < 5 else 0.0)
            if held < 3 and spades > held:
                tricks += 0.3 * (3 - held) * (1.0 if spades > 2 else 0.5)
    return tricks


def nil_risk(hand: Cards) -> float:
    """The expected number of unwanted tricks of a hand. Small cards guard the high ones of their suit; high or many spades are bad."""
    risk = 0.0
    for suit in range(SUITS):
        mine = hand & cards_of(suit)
        nth = 0
        while mine:
            rank = lowest(mine) - RANKS_OF_A_SUIT * suit
            mine &= mine - 1
            room = 2 + 3 * nth
            if rank > room + 2:
                risk += (rank - room - 2) * (0.16 if suit == SPADES else 0.05)
            if suit == SPADES and rank >= QUEEN:
                risk += 0.6 if rank == QUEEN else 1.5
            nth += 1
        if suit == SPADES and nth > 3:
            risk += 0.4 * (nth - 3)
    return risk


# ---- play


def is_nil(s: Spades, seat: int) -> bool:
    """Whether a player has bid nil and can still keep it."""
    return s.bid[seat] == NIL and s.taken[seat] == 0


def has_nil_rival(s: Spades) -> bool:
    """Whether an opponent's nil can still be broken."""
    rival = next_seat(s, s.turn)
    return is_nil(s, rival) or is_nil(s, partner(s, rival))


def needed(s: Spades, seat: int) -> int:
    """How many tricks the team of a player still needs for its bids."""
    other = partner(s, seat)
    return s.bid[seat] + s.bid[other] - s.taken[seat] - s.taken[other]


def takes_tricks(s: Spades) -> bool:
    """Whether the player in turn wants to win: her team needs tricks, or the opponents need all remaining tricks, or all but one."""
    rivals_need = needed(s, next_seat(s, s.turn))
    return needed(s, s.turn) > 0 or (rivals_need > 0 and rivals_need >= size(s.hand[s.turn]) - 1)


def best_card(s: Spades, may: Cards) -> Card:
    """The card to play."""
    me = s.turn
    if is_nil(s, me):
        return lowest_lead(s, may) if s.led == NOTHING else lose_trick(s, may)
    covers = is_nil(s, partner(s, me))
    if s.led == NOTHING:
        if covers:
            return highest_lead(s, may)
        return lead_to_win(s, may) if takes_tricks(s) and not has_nil_rival(s) else lowest_lead(s, may)
    can_win = winners(s, may)
    if covers and s.winning == partner(s, me) and can_win:
        return lowest(can_win) if is_last(s) else highest(can_win)
    if covers and not has_played(s, partner(s, me)) and can_win:
        return cheapest_winner(s, can_win)
    if is_nil(s, s.winning) and s.winning != me:
        return lose_trick(s, may)
    return win_trick(s, may, can_win) if takes_tricks(s) else lose_trick(s, may)


def has_played(s: Spades, seat: int) -> bool:
    """Whether a player has played to this trick."""
    return s.table[seat] != NOTHING


def cheapest_winner(s: Spades, can_win: Cards) -> Card:
    """The lowest winner for the last player, otherwise the highest of the suit led; of spades the lowest."""
    following = can_win & cards_of(s.led)
    if is_last(s) or not following:
        return lowest(following) if following else lowest(can_win)
    return highest(following)


def win_trick(s: Spades, may: Cards, can_win: Cards) -> Card:
    """Win a trick if that helps, otherwise throw away the least useful card."""
    if not can_win or (s.winning == partner(s, s.turn) and partner_holds(s)):
        return throw_away(s, may)
    card = cheapest_winner(s, can_win)
    to_come = s.players - 1 - size(s.trick)
    if suit_of(card) == s.led and to_come == 2 and unseen(s) & ABOVE[card]:
        return throw_away(s, may)
    return card


def partner_holds(s: Spades) -> bool:
    """Whether the partner's card will probably win the trick."""
    if is_last(s):
        return True
    return size(unseen(s) & ABOVE[s.best]) == 0 or (suit_of(s.best) != s.led)


def throw_away(s: Spades, may: Cards) -> Card:
    """The least useful card: the lowest that follows suit, or the lowest of the shortest other suit, but no spade."""
    if may & cards_of(s.led):
        return lowest(may & cards_of(s.led))
    rest = may & ~TRUMPS
    if not rest:
        return lowest(may)
    best = NOTHING
    least = 1000
    for suit in range(SUITS):
        mine = rest & cards_of(suit)
        if mine:
            cost = 4 * (lowest(mine) - RANKS_OF_A_SUIT * suit) + size(mine)
            if cost < least:
                least = cost
                best = lowest(mine)
    return best


def lose_trick(s: Spades, may: Cards) -> Card:
    """Lose a trick: the highest card that follows suit and loses, or the most dangerous card of another suit."""
    if may & cards_of(s.led):
        return duck(s, may)
    can_win = winners(s, may)
    lose = may & ~can_win
    if not lose:
        return lowest(may)
    if lose & TRUMPS:
        return highest(lose & TRUMPS)
    best = NOTHING
    most = -1
    while lose:
        card = lowest(lose)
        lose &= lose - 1
        danger = size(unseen(s) & BELOW[card])
        if danger >= most:
            most = danger
            best = card
    return best


def lowest_lead(s: Spades, may: Cards) -> Card:
    """The lead that is most likely to lose: with many unseen cards above it and few below."""
    best = NOTHING
    most = -1000
    while may:
        card = lowest(may)
        may &= may - 1
        hope = 3 * size(unseen(s) & ABOVE[card]) - 4 * size(unseen(s) & BELOW[card]) + (10 if unseen(s) & ABOVE[card] else 0)
        if hope > most:
            most = hope
            best = card
    return best


def highest_lead(s: Spades, may: Cards) -> Card:
    """The lead that protects the partner's nil: with the fewest unseen cards above it and the most below."""
    best = NOTHING
    most = -1000
    while may:
        card = highest(may)
        may &= ~bit(card)
        hope = size(unseen(s) & BELOW[card]) - 6 * size(unseen(s) & ABOVE[card])
        if hope > most:
            most = hope
            best = card
    return best


def lead_to_win(s: Spades, may: Cards) -> Card:
    """A sure winner of a side suit of which the others still have many; high spades; otherwise a small card of a long side suit."""
    hidden = unseen(s)
    best = NOTHING
    most = -1000
    while may:
        card = lowest(may)
        may &= may - 1
        suit = cards_of(suit_of(card))
        above, left = size(hidden & ABOVE[card]), size(hidden & suit)
        if suit_of(card) == SPADES:
            value = 20 if above == 0 and left else 30 if above == 0 else -20
        elif above == 0:
            value = 40 + left if left > 3 or not hidden & TRUMPS else -5
        else:
            value = 2 * size(s.hand[s.turn] & suit) - card % RANKS_OF_A_SUIT - (8 if card % RANKS_OF_A_SUIT >= QUEEN else 0)
        if value > most:
            most = value
            best = card
    return best


# ---- reasons


def reason(s: Spades, choice: int) -> Message:
    """The reason for a choice."""
    if s.phase == BLIND:
        return Message("reason-look" if choice == LOOK else "reason-blind")
    may = legal(s)
    if may == bit(choice):
        return Message("reason-only-bid" if s.phase == BID else "reason-only-card")
    if s.phase == BID:
        if choice == NIL:
            return Message("reason-nil" if nil_risk(s.hand[s.turn]) < NIL_RISK else "reason-nil-dares")
        return Message("reason-bid", {"count": round(expected_tricks(s.hand[s.turn])), "bid": choice})
    return why_card(s, may, choice)


def why_card(s: Spades, may: Cards, card: Card) -> Message:
    """The reason for playing a card."""
    me, above = s.turn, size(unseen(s) & ABOVE[card])
    wins = s.led == NOTHING or bool(winners(s, may) >> card & 1)
    if is_nil(s, me):
        return Message("reason-own-nil")
    if is_nil(s, partner(s, me)):
        return Message("reason-cover-nil" if wins else "reason-cover-nil-small")
    if not takes_tricks(s):
        return Message("reason-no-bags")
    if not wins:
        held = s.led != NOTHING and s.winning == partner(s, me)
        return Message("reason-partner-wins" if held else "reason-loses")
    if s.led != NOTHING and is_last(s):
        return Message("reason-cheapest" if card == lowest(winners(s, may) & cards_of(suit_of(card))) else "reason-wins")
    return Message("reason-top" if above == 0 else "reason-tries", {"count": max(0, needed(s, me))})


HOUSE = Policy("house", 1, choose, reason)
KNOBS = Knobs((HOUSE,), swing=120)
