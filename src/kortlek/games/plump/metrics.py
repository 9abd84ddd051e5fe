"""The metrics of Plump."""

from kortlek.game import next_seat
from kortlek.game.metrics import Metrics
from kortlek.games import tricks_metrics
from kortlek.games.plump.rules import BID, PLAY, Plump, legal
from kortlek.games.tricks_metrics import PromiseMetrics


def count(before: Plump, after: Plump, choice: int, m: PromiseMetrics) -> None:
    """Count promises, barred bids, and how often following suit restricts a player."""
    if before.phase == PLAY:
        tricks_metrics.follow(before, m)
    if before.phase == BID and before.turn == before.dealer:
        tricks_metrics.last_bid(before, legal(before), m)
    if after.round > before.round:
        tricks_metrics.promises(after, after.bid, after.points, next_seat(before, before.dealer), before.dealer, m)


def kept(s: Plump, seat: int) -> bool:
    """Whether a player kept her promise in the round just scored."""
    return s.taken[seat] == s.bid[seat]


METRICS = Metrics(PromiseMetrics, count, promise=kept)
