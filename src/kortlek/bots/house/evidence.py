"""For those who think about exact bids: how well a guess at somebody's cards explains what she has bid, if she bids about as the house
does; and which bids are worth a thought."""

from math import exp

from kortlek.bots.house.plump import HABITS as PLUMP_HABITS, WORTH as PLUMP_WORTH, sure_ticks
from kortlek.bots.house.tricks import BIAS, BIDDING, PART, SPREAD, TILT, VOID, WHOLE_PACK, odds_from, suits_without, trumps_of, wins_later
from kortlek.bots.house.up_and_down import HABITS as UP_AND_DOWN_HABITS, WORTH as UP_AND_DOWN_WORTH, sure_hands
from kortlek.cards import NOTHING, Cards, lowest
from kortlek.rules import plump, up_and_down
from kortlek.rules.game import next_seat
from kortlek.rules.plump import Plump
from kortlek.rules.tricks import Tricks
from kortlek.rules.up_and_down import UpAndDown

SURPRISE = 0.02
"""However odd a bid is, somebody may have made it."""


def explains_bid(s: Tricks, seat: int, promised: list[int], unseen: Cards, worth: list[float], habits: list[float]) -> float:
    """How good the bid of a player is for the hand she had, compared with the best one: from nearly 0 to 1."""
    if promised[seat] == NOTHING:
        return 1.0
    hand = s.hand[seat] | s.played[seat]
    unseen &= ~hand
    trumps = trumps_of(s)
    odds = odds_from(s, habits, BIDDING, unseen, s.cards, 1.0)
    expected = habits[BIAS] + (habits[VOID] * suits_without(hand) if hand & trumps else 0.0)
    earlier = next_seat(s, s.dealer)
    while earlier != seat:
        expected -= habits[TILT] * (promised[earlier] - s.cards * PART[s.players])
        earlier = next_seat(s, earlier)
    doubt = 0.0
    while hand:
        wins = wins_later(lowest(hand), unseen, trumps, odds)
        expected += wins
        doubt += wins * (1 - wins)
        hand &= hand - 1
    narrow = 0.5 / max(habits[SPREAD] * doubt, 0.02)
    best = -1e9
    for bid in range(s.cards + 1):
        best = max(best, worth[bid] - (bid - expected) * (bid - expected) * narrow)
    bid = promised[seat]
    return max(SURPRISE, exp(worth[bid] - (bid - expected) * (bid - expected) * narrow - best))


def of_plump(s: Plump, seat: int) -> float:
    """In Plump; a card on the forehead was not known to who bid."""
    return 1.0 if s.cards == 1 else explains_bid(s, seat, s.bid, WHOLE_PACK, PLUMP_WORTH, PLUMP_HABITS)


def of_up_and_down(s: UpAndDown, seat: int) -> float:
    """In Up and Down."""
    return explains_bid(s, seat, s.bet, WHOLE_PACK & ~s.mesa, UP_AND_DOWN_WORTH, UP_AND_DOWN_HABITS)


def sensible_in_plump(s: Plump) -> Cards:
    """A bid below the sure ticks is not worth a thought, unless no other is allowed."""
    return at_least(plump.legal(s), sure_ticks(s)) if s.phase == plump.BID and s.cards > 1 else plump.legal(s)


def sensible_in_up_and_down(s: UpAndDown) -> Cards:
    """The same of bets."""
    return at_least(up_and_down.legal(s), sure_hands(s)) if s.phase == up_and_down.BET else up_and_down.legal(s)


def at_least(bids: Cards, sure: int) -> Cards:
    """The bids that are not below what is sure, if there are any."""
    return bids >> sure << sure or bids
