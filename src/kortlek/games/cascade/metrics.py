"""The metrics of Cascade."""

from kortlek.cards import NOTHING, size
from kortlek.game import state
from kortlek.game.metrics import Counters, Metrics, mean, note, share
from kortlek.games.cascade.rules import ACT, COLUMN, DRAW, Cascade


@state
class CascadeMetrics(Counters):
    """The counters of Cascade."""

    stuck: list[int] = share()
    """Games that end before the triangle is full."""
    passes: list[int] = mean()
    bonus_actions: list[int] = mean()
    bonus_cards: list[int] = mean()
    """Actions and cards that a play earns."""
    chain: list[int] = mean()
    """Cards played in a turn."""
    actions_drawing: list[int] = share()
    """Actions spent on drawing a card."""
    played_first: list[int] = mean()
    played_last: list[int] = mean()
    """Cards that the first and the last player in turn play in a game."""


def count(before: Cascade, after: Cascade, choice: int, m: CascadeMetrics) -> None:
    """Count how games end, passes, bonuses, the length of a turn, and how many cards the first and the last player place."""
    if before.phase == ACT:
        note(m.actions_drawing, choice == DRAW)
    if before.phase == COLUMN:
        goes_on = after.turn == before.turn and after.phase == ACT
        note(m.bonus_actions, after.actions - before.actions + 1 if goes_on else 0)
        note(m.bonus_cards, max(0, size(after.hand[before.turn]) - size(before.hand[before.turn])))
    if choice != NOTHING:
        note(m.chain, before.phase == COLUMN, after.turn != before.turn or after.round > before.round)
    if after.round > before.round:
        passed = 0
        for seat in range(after.players):
            passed += after.passed[seat]
        note(m.stuck, after.filled[0] < after.width)
        note(m.passes, passed)
        note(m.played_first, after.played[before.first])
        note(m.played_last, after.played[before.first - 1 if before.first > 0 else before.players - 1])


METRICS = Metrics(CascadeMetrics, count)
