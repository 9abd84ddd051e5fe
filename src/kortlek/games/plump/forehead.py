"""Plump's card on the forehead: what the cards and bids of the other players say about one's own card, which is hidden from its owner."""

from kortlek.cards import PACK, RANKS_OF_A_SUIT, Cards, Suit, bit, cards_of, highest, lowest, size, suit_of, top
from kortlek.game import next_seat
from kortlek.games.plump.rules import HIGHEST_BIDDER, Plump, legal

UNLIKELY = 0.1
"""The probability that a player bids against what she sees."""
SUITS = PACK // RANKS_OF_A_SUIT


def forehead_bid(s: Plump) -> int:
    """The legal bid with the highest points times probability: 11 points for a card that wins, 10 for one that does not."""
    may = legal(s)
    if may & (may - 1) == 0:
        return lowest(may)
    with_one = leader_if(s, s.turn, 1)
    with_none = leader_if(s, s.turn, 0)
    wins = chance_to_win(s, with_one)
    loses = 1 - (wins if with_none == with_one else chance_to_win(s, with_none))
    return 1 if 11 * wins > 10 * loses else 0


def chance_to_win(s: Plump, leader: int) -> float:
    """The probability that one's own card wins if this player leads. Each possible card is weighted by the likelihood of the bids so far."""
    others = seen(s, s.turn)
    total = 0.0
    wins = 0.0
    rest = (bit(PACK) - 1) & ~others
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        weight = likelihood(s, others, bit(card))
        total += weight
        suit = suit_of(card) if leader == s.turn else suit_of(top(s.forehead[leader]))
        if suit_of(card) == suit and bit(card) > others & cards_of(suit):
            wins += weight
    return wins / total


def seen(s: Plump, seat: int) -> Cards:
    """The cards on all foreheads but a player's own."""
    cards = 0
    for other in range(s.players):
        cards |= bit(top(s.forehead[other])) if other != seat else 0
    return cards


def leader_if(s: Plump, seat: int, promised: int) -> int:
    """Who leads if a player makes this bid and nobody after her bids more."""
    first = next_seat(s, s.dealer)
    if s.first_lead != HIGHEST_BIDDER:
        return first
    earlier = first
    while earlier != seat:
        if s.bid[earlier] == 1:
            return earlier
        earlier = next_seat(s, earlier)
    return seat if promised == 1 else first


def likelihood(s: Plump, others: Cards, mine: Cards) -> float:
    """The likelihood of the bids so far if this is one's own card: a player bids 1 if she is more likely to win than not, and sometimes errs.

    The dealer's bid is never evidence, as the dealer is the last to bid."""
    weight = 1.0
    seat = next_seat(s, s.dealer)
    while seat != s.turn:
        sees = others & ~bit(top(s.forehead[seat])) | mine
        leader = leader_if(s, seat, 1)
        ways = 0
        if leader == seat:
            for suit in range(SUITS):
                ways += ways_to_win(sees, suit)
        else:
            ways = ways_to_win(sees, suit_of(lowest(mine) if leader == s.turn else top(s.forehead[leader])))
        expected = 1 if 2 * ways > PACK - size(sees) else 0
        weight *= 1 - UNLIKELY if s.bid[seat] == expected else UNLIKELY
        seat = next_seat(s, seat)
    return weight


def ways_to_win(sees: Cards, suit: Suit) -> int:
    """The number of cards of a suit that are higher than all those that a player sees."""
    held = sees & cards_of(suit)
    return RANKS_OF_A_SUIT * (suit + 1) - 1 - highest(held) if held else RANKS_OF_A_SUIT
