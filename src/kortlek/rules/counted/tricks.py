"""What is counted in trick-taking games."""

from kortlek.cards import NOTHING, size
from kortlek.rules.game import Counted
from kortlek.rules.tricks import Tricks, follow_suit

MOST_CARDS = 10
"""Promises are counted by the number of cards up to this one."""
FOLLOW = (
    Counted("forced_follow", "plays to a trick for which the suit led left fewer cards than were held"),
    Counted("one_card_left", "plays for which only one card was allowed though more were held"),
)
PROMISES = (
    Counted("hook", "last bids for which a number was barred"),
    Counted("kept", "promises that were kept"),
    Counted("kept_last", "promises of the last bidder that were kept"),
    Counted("points_first", "points of the first bidder in a round", is_share=False),
    Counted("points_last", "points of the last bidder in a round", is_share=False),
    Counted("points_all", "points of a player in a round", is_share=False),
    *(Counted(f"kept_{cards}", f"promises that were kept with {cards} card{'s' * (cards > 1)}") for cards in range(1, MOST_CARDS + 1)),
)
HOOK, KEPT, KEPT_LAST, POINTS_FIRST, POINTS_LAST, POINTS_ALL, KEPT_WITH = range(7)


def follow(before: Tricks, tally: list[int], at: int) -> None:
    """A card is played: did the suit led decide which?"""
    held = size(before.hand[before.turn])
    allowed = size(follow_suit(before))
    if before.led != NOTHING:
        tally[2 * at] += allowed < held
        tally[2 * at + 1] += 1
    tally[2 * at + 2] += allowed == 1 and held > 1
    tally[2 * at + 3] += 1


def last_bid(before: Tricks, allowed: int, tally: list[int]) -> None:
    """The last player bids: is a number barred?"""
    tally[2 * HOOK] += size(allowed) < before.cards + 1
    tally[2 * HOOK + 1] += 1


def promises(after: Tricks, bids: list[int], points: list[int], first: int, last: int, tally: list[int]) -> None:
    """A round is over: who kept her promise, and what it earned."""
    for seat in range(after.players):
        kept = after.taken[seat] == bids[seat]
        tally[2 * KEPT] += kept
        tally[2 * KEPT + 1] += 1
        tally[2 * POINTS_ALL] += points[seat]
        tally[2 * POINTS_ALL + 1] += 1
        if after.cards <= MOST_CARDS:
            tally[2 * (KEPT_WITH + after.cards - 1)] += kept
            tally[2 * (KEPT_WITH + after.cards - 1) + 1] += 1
    tally[2 * KEPT_LAST] += after.taken[last] == bids[last]
    tally[2 * KEPT_LAST + 1] += 1
    tally[2 * POINTS_FIRST] += points[first]
    tally[2 * POINTS_FIRST + 1] += 1
    tally[2 * POINTS_LAST] += points[last]
    tally[2 * POINTS_LAST + 1] += 1
