"""For bots that simulate games with exact bids: the likelihood of a player's bid given a sampled hand, assuming that she bids about as the house
does; and which bids are worth trying."""

from math import exp

from kortlek.cards import NOTHING, Cards, lowest
from kortlek.game import next_seat
from kortlek.games.tricks import Tricks
from kortlek.games.tricks_bots import BIAS, BIDDING, RECIPROCAL, SPREAD, TILT, VOID, odds_from, suits_without, trumps_of, wins_later

SURPRISE = 0.02
"""The minimum likelihood of a bid, however odd it is."""


def explains_bid(s: Tricks, seat: int, first: int, promised: list[int], unseen: Cards, worth: list[float], habits: list[float]) -> float:
    """The likelihood of a player's bid given her original hand, relative to that of the best bid: from ``SURPRISE`` to 1. ``first`` is the first
    bidder."""
    if promised[seat] == NOTHING:
        return 1.0
    hand = s.hand[seat] | s.played[seat]
    unseen &= ~hand
    trumps = trumps_of(s)
    odds = odds_from(s, habits, BIDDING, unseen, s.hand_size, 1.0)
    expected = habits[BIAS] + (habits[VOID] * suits_without(hand) if hand & trumps else 0.0)
    earlier = first
    while earlier != seat:
        expected -= habits[TILT] * (promised[earlier] - s.hand_size * RECIPROCAL[s.players])
        earlier = next_seat(s, earlier)
    doubt = 0.0
    while hand:
        wins = wins_later(lowest(hand), unseen, trumps, odds)
        expected += wins
        doubt += wins * (1 - wins)
        hand &= hand - 1
    narrow = 0.5 / max(habits[SPREAD] * doubt, 0.02)
    best = -1e9
    for bid in range(s.hand_size + 1):
        best = max(best, worth[bid] - (bid - expected) * (bid - expected) * narrow)
    bid = promised[seat]
    return max(SURPRISE, exp(worth[bid] - (bid - expected) * (bid - expected) * narrow - best))


def at_least(bids: Cards, sure: int) -> Cards:
    """The bids that are not below the number of sure tricks, or all bids if there are none."""
    return bids >> sure << sure or bids
