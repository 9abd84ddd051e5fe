"""The metrics of Spades."""

from kortlek.game import state
from kortlek.game.metrics import Counters, Metrics, mean, note, share
from kortlek.games.spades.rules import NIL, TRICKS, Spades, partner


@state
class SpadesMetrics(Counters):
    """The counters of Spades."""

    bids_made: list[int] = share()
    """Bids of a team, other than two nils, that are made."""
    tricks_bid: list[int] = mean()
    """The sum of all four bids in a round."""
    tricks_left: list[int] = share()
    """Rounds in which the bids add up to fewer than the tricks."""
    nils: list[int] = share()
    """Bids that are nil."""
    nils_made: list[int] = share()
    """Nils that are made."""
    bags: list[int] = mean()
    """Overtricks of a team that makes its bid."""
    bag_penalties: list[int] = share()
    """Rounds in which a team gets a penalty for bags."""
    points: list[int] = mean()
    """Points of a team in a round."""


def count(before: Spades, after: Spades, choice: int, m: SpadesMetrics) -> None:
    """Count the bids of a finished round."""
    if after.round == before.round:
        return
    promised = 0
    for seat in range(after.players):
        promised += after.bid[seat]
        note(m.nils, after.bid[seat] == NIL)
        if after.bid[seat] == NIL:
            note(m.nils_made, after.taken[seat] == 0)
    note(m.tricks_bid, promised)
    note(m.tricks_left, promised < TRICKS)
    for seat in range(2):
        count_team(before, after, seat, m)


def count_team(before: Spades, after: Spades, seat: int, m: SpadesMetrics) -> None:
    """Count the bids of one team."""
    other = partner(after, seat)
    promised, taken = after.bid[seat] + after.bid[other], after.taken[seat] + after.taken[other]
    if promised:
        note(m.bids_made, taken >= promised)
        if taken >= promised:
            note(m.bags, taken - promised)
    note(m.bag_penalties, after.bags[seat] < before.bags[seat])
    note(m.points, after.points[seat])


METRICS = Metrics(SpadesMetrics, count)
