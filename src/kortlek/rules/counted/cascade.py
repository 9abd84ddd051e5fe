"""What is counted in Cascade."""

from kortlek.cards import NOTHING, size
from kortlek.rules.cascade import ACT, COLUMN, DRAW, Cascade
from kortlek.rules.game import Counted, Counts

STUCK, PASSES, BONUS_ACTIONS, BONUS_CARDS, CHAIN, DRAWS, FIRST_PLAYED, LAST_PLAYED = range(8)


def count(before: Cascade, after: Cascade, choice: int, tally: list[int]) -> None:
    """How games end, passes, bonuses, how far a turn goes, and how many cards the first and the last player place."""
    if before.phase == ACT:
        tally[2 * DRAWS] += choice == DRAW
        tally[2 * DRAWS + 1] += 1
    if before.phase == COLUMN:
        goes_on = after.turn == before.turn and after.phase == ACT
        tally[2 * BONUS_ACTIONS] += after.actions - before.actions + 1 if goes_on else 0
        tally[2 * BONUS_ACTIONS + 1] += 1
        tally[2 * BONUS_CARDS] += max(0, size(after.hand[before.turn]) - size(before.hand[before.turn]))
        tally[2 * BONUS_CARDS + 1] += 1
    if choice != NOTHING:
        tally[2 * CHAIN] += before.phase == COLUMN
        tally[2 * CHAIN + 1] += after.turn != before.turn or after.round > before.round
    if after.round > before.round:
        tally[2 * STUCK] += after.filled[0] < after.width
        tally[2 * STUCK + 1] += 1
        for seat in range(after.players):
            tally[2 * PASSES] += after.passed[seat]
        tally[2 * PASSES + 1] += 1
        tally[2 * FIRST_PLAYED] += after.played[before.first]
        tally[2 * FIRST_PLAYED + 1] += 1
        tally[2 * LAST_PLAYED] += after.played[before.first - 1 if before.first > 0 else before.players - 1]
        tally[2 * LAST_PLAYED + 1] += 1


COUNTS = Counts(
    (
        Counted("stuck", "games that end before the triangle is full"),
        Counted("passes", "passes in a game", is_share=False),
        Counted("bonus_actions", "actions that a play earns", is_share=False),
        Counted("bonus_cards", "cards that a play earns", is_share=False),
        Counted("chain", "cards played in a turn", is_share=False),
        Counted("actions_drawing", "actions spent on drawing a card"),
        Counted("played_first", "cards that the starting player plays in a game", is_share=False),
        Counted("played_last", "cards that the last player in turn plays in a game", is_share=False),
    ),
    count,
)
