"""The metrics of TrickPaperScissors."""

from kortlek.cards import NOTHING
from kortlek.game import next_seat, state
from kortlek.game.metrics import Metrics, mean, note, share
from kortlek.games import tricks_metrics
from kortlek.games.trick_paper_scissors.rules import PLAY, VALUE, VALUES, TrickPaperScissors
from kortlek.games.tricks_metrics import TrickMetrics


@state
class TrickPaperScissorsMetrics(TrickMetrics):
    """The counters of TrickPaperScissors."""

    trump_wins: list[int] = share()
    value_changes: list[int] = share()
    """Choices of a value that changed it."""
    below_zero: list[int] = share()
    """Suits with a negative value at the end of a deal."""
    points_leader: list[int] = mean()
    points_dealer: list[int] = mean()
    """Points in a deal of the player who leads first, and of the dealer."""


def count(before: TrickPaperScissors, after: TrickPaperScissors, choice: int, m: TrickPaperScissorsMetrics) -> None:
    """Count how often following suit restricts a player, trumps win and values change, and the points of the first leader and the dealer."""
    if before.phase == PLAY:
        tricks_metrics.follow(before, m)
        if after.phase == VALUE or after.led == NOTHING:
            note(m.trump_wins, after.phase == VALUE)
    if before.phase == VALUE:
        note(m.value_changes, before.value[before.trump] != VALUES[choice])
    if after.round > before.round:
        for suit in range(3):
            note(m.below_zero, after.value[suit] < 0)
        note(m.points_leader, after.result[next_seat(before, before.dealer)])
        note(m.points_dealer, after.result[before.dealer])


METRICS = Metrics(TrickPaperScissorsMetrics, count)
