"""For those who think about exact bids: how well a guess at somebody's cards explains what she has bid, if she bids about as the house
does; and which bids are worth a thought."""

from math import exp

from kortlek.cards import NOTHING, Cards, lowest
from kortlek.game import next_seat
from kortlek.games.tricks import Tricks
from kortlek.games.tricks_bots import BIAS, BIDDING, PART, SPREAD, TILT, VOID, odds_from, suits_without, trumps_of, wins_later

SURPRISE = 0.02
"""However odd a bid is, somebody may have made it."""


def explains_bid(s: Tricks, seat: int, first: int, promised: list[int], unseen: Cards, worth: list[float], habits: list[float]) -> float:
    """How good the bid of a player is for the hand she had, compared with the best one: from nearly 0 to 1. ``first`` bid first."""
    if promised[seat] == NOTHING:
        return 1.0
    hand = s.hand[seat] | s.played[seat]
    unseen &= ~hand
    trumps = trumps_of(s)
    odds = odds_from(s, habits, BIDDING, unseen, s.hand_size, 1.0)
    expected = habits[BIAS] + (habits[VOID] * suits_without(hand) if hand & trumps else 0.0)
    earlier = first
    while earlier != seat:
        expected -= habits[TILT] * (promised[earlier] - s.hand_size * PART[s.players])
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
    """The bids that are not below what is sure, if there are any."""
    return bids >> sure << sure or bids
