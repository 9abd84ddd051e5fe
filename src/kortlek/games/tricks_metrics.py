"""The metrics of trick-taking games."""

from kortlek.cards import NOTHING, size
from kortlek.game import state
from kortlek.game.metrics import Counters, mean, note, share
from kortlek.games.tricks import Tricks, follow_suit

MOST_CARDS = 10
"""The largest number of cards in a round for which kept promises have a counter of their own."""


@state
class TrickMetrics(Counters):
    """How often following suit restricts a player."""

    forced_follow: list[int] = share()
    """Cards played to a trick where following suit allowed fewer cards than the player held."""
    one_card_left: list[int] = share()
    """Cards played where only one was allowed although the player held more."""


@state
class PromiseMetrics(TrickMetrics):
    """Promises: how often they are kept, and what they earn."""

    hook: list[int] = share()
    """Last bids for which a number was barred."""
    kept: list[int] = share()
    kept_last: list[int] = share()
    """Promises of the last bidder that were kept."""
    points_first: list[int] = mean()
    points_last: list[int] = mean()
    points_all: list[int] = mean()
    """Points in a round of the first bidder, of the last bidder, and of all players."""
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
    """Promises kept in rounds of this many cards."""


def follow(before: Tricks, m: TrickMetrics) -> None:
    """Count a card played: whether following suit restricted the choice."""
    held = size(before.hand[before.turn])
    allowed = size(follow_suit(before))
    if before.led != NOTHING:
        note(m.forced_follow, allowed < held)
    note(m.one_card_left, allowed == 1 and held > 1)


def last_bid(before: Tricks, allowed: int, m: PromiseMetrics) -> None:
    """Count the bid of the last player: whether a number was barred."""
    note(m.hook, size(allowed) < before.hand_size + 1)


def promises(after: Tricks, bids: list[int], points: list[int], first: int, last: int, m: PromiseMetrics) -> None:
    """Count a finished round: who kept her promise, and the points."""
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
    """Count the promises kept in a round by its number of cards."""
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
