"""What is counted in trick-taking games."""

from kortlek.cards import NOTHING, size
from kortlek.game import state
from kortlek.game.metrics import Counters, mean, note, share
from kortlek.games.tricks import Tricks, follow_suit

MOST_CARDS = 10
"""Kept promises are counted by the number of cards up to this one."""


@state
class TrickMetrics(Counters):
    """How often the suit led decides."""

    forced_follow: list[int] = share()
    """Plays to a trick for which the suit led left fewer cards than were held."""
    one_card_left: list[int] = share()
    """Plays for which only one card was allowed though more were held."""


@state
class PromiseMetrics(TrickMetrics):
    """Promises: how often they are kept, and what they earn."""

    hook: list[int] = share()
    """Last bids for which a number was barred."""
    kept: list[int] = share()
    kept_last: list[int] = share()
    """Promises of the last bidder."""
    points_first: list[int] = mean()
    points_last: list[int] = mean()
    points_all: list[int] = mean()
    """Points in a round of the first bidder, of the last, and of a player."""
    kept_1: list[int] = share()
    kept_2: list[int] = share()
    kept_3: list[int] = share()
    kept_4: list[int] = share()
    kept_5: list[int] = share()
    kept_6: list[int] = share()
    kept_7: list[int] = share()
    kept_8: list[int] = share()
    kept_9: list[int] = share()
    kept_10: list[int] = share()
    """Promises that were kept with so many cards."""


def follow(before: Tricks, m: TrickMetrics) -> None:
    """A card is played: did the suit led decide which?"""
    held = size(before.hand[before.turn])
    allowed = size(follow_suit(before))
    if before.led != NOTHING:
        note(m.forced_follow, allowed < held)
    note(m.one_card_left, allowed == 1 and held > 1)


def last_bid(before: Tricks, allowed: int, m: PromiseMetrics) -> None:
    """The last player bids: is a number barred?"""
    note(m.hook, size(allowed) < before.hand_size + 1)


def promises(after: Tricks, bids: list[int], points: list[int], first: int, last: int, m: PromiseMetrics) -> None:
    """A round is over: who kept her promise, and what it earned."""
    together = 0
    for seat in range(after.players):
        together += after.taken[seat] == bids[seat]
        note(m.points_all, points[seat])
    note(m.kept, together, after.players)
    by_cards(after.hand_size, together, after.players, m)
    note(m.kept_last, after.taken[last] == bids[last])
    note(m.points_first, points[first])
    note(m.points_last, points[last])


def by_cards(cards: int, kept: int, players: int, m: PromiseMetrics) -> None:
    """Promises kept in a round of so many cards."""
    if cards == 1:
        note(m.kept_1, kept, players)
    elif cards == 2:
        note(m.kept_2, kept, players)
    elif cards == 3:
        note(m.kept_3, kept, players)
    elif cards == 4:
        note(m.kept_4, kept, players)
    elif cards == 5:
        note(m.kept_5, kept, players)
    elif cards == 6:
        note(m.kept_6, kept, players)
    elif cards == 7:
        note(m.kept_7, kept, players)
    elif cards == 8:
        note(m.kept_8, kept, players)
    elif cards == 9:
        note(m.kept_9, kept, players)
    elif cards == 10:
        note(m.kept_10, kept, players)
