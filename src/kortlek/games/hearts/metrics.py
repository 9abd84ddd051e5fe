"""The metrics of Hearts."""

from kortlek.cards import NOTHING, bit, size
from kortlek.game import state
from kortlek.game.metrics import Counters, Metrics, mean, note, share
from kortlek.games.hearts.rules import ALL_POINTS, PASS, QUEEN_OF_SPADES, Hearts


@state
class HeartsMetrics(Counters):
    """The counters of Hearts."""

    moons: list[int] = share()
    """Rounds in which the moon is shot."""
    queen_by_leader: list[int] = share()
    """Queens of spades that are taken by the player who led to the trick."""
    queen_passed: list[int] = share()
    """Rounds with passing in which the queen of spades is passed."""
    broken_in: list[int] = mean()
    """The trick in which hearts are broken."""
    without_points: list[int] = share()
    """Players who take no points in a round."""
    most_points: list[int] = mean()
    """The most points that a player takes in a round without a moon."""


def count(before: Hearts, after: Hearts, choice: int, m: HeartsMetrics) -> None:
    """Count passes, the queen of spades, breaking hearts, and the end of a round."""
    if choice == NOTHING:
        return
    if before.phase == PASS and after.phase != PASS:
        passed = bit(choice)
        for seat in range(before.players):
            passed |= before.passing[seat]
        note(m.queen_passed, passed >> QUEEN_OF_SPADES & 1)
    if after.broken and not before.broken:
        note(m.broken_in, size(before.gone) // before.players + 1)
    if after.gone & ~before.gone & bit(QUEEN_OF_SPADES):
        note(m.queen_by_leader, after.leader == before.leader)
    if after.round > before.round:
        end_of_round(after, m)


def end_of_round(after: Hearts, m: HeartsMetrics) -> None:
    """Count the points that each player has taken."""
    most = 0
    for seat in range(after.players):
        most = max(most, after.penalty[seat])
        note(m.without_points, after.penalty[seat] == 0)
    note(m.moons, most == ALL_POINTS)
    if most < ALL_POINTS:
        note(m.most_points, most)


METRICS = Metrics(HeartsMetrics, count)
