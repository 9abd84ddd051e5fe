"""The metrics of Up and Down."""

from kortlek.cards import NOTHING, suit_of
from kortlek.game import next_seat, state
from kortlek.game.metrics import Metrics, note, share
from kortlek.games import tricks_metrics
from kortlek.games.tricks_metrics import PromiseMetrics
from kortlek.games.up_and_down.rules import BET, PLAY, UpAndDown, legal


@state
class UpAndDownMetrics(PromiseMetrics):
    """The counters of Up and Down."""

    trump_wins: list[int] = share()
    """Hands led in another suit that a mesa won."""


def count(before: UpAndDown, after: UpAndDown, choice: int, m: UpAndDownMetrics) -> None:
    """Count bets, barred bets, how often following suit restricts a player, and how often a mesa wins a hand led in another suit."""
    if before.phase == PLAY:
        tricks_metrics.follow(before, m)
        if after.led == NOTHING:
            note(m.trump_wins, suit_of(after.best) == before.trump != before.led)
    if before.phase == BET and next_seat(before, before.turn) == before.first:
        tricks_metrics.last_bid(before, legal(before), m)
    if after.round > before.round:
        last = before.first - 1 if before.first > 0 else before.players - 1
        tricks_metrics.promises(after, after.bet, after.points, before.first, last, m)


def kept(s: UpAndDown, seat: int) -> bool:
    """Whether a player won exactly as many hands as she bet, in the round just scored."""
    return s.taken[seat] == s.bet[seat]


METRICS = Metrics(UpAndDownMetrics, count, promise=kept)
