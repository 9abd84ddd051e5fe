"""What is counted in Rummy."""

from kortlek.cards import NOTHING, total
from kortlek.rules.game import Counted, Counts
from kortlek.rules.rummy import DISCARD, DRAW, MELD, TURN, WAY, Rummy

DRAWN, STUCK, LAPS, RECYCLED, MELDS, SWAPPED, ADDED, LAID, FIRST_LAID, TAKEN = range(10)
OF_A_GAME = ADDED
"""The things up to this one are counted game by game."""


def count(before: Rummy, after: Rummy, choice: int, tally: list[int]) -> None:
    """How games end and how long they last, the stock made anew, melds and jokers, and when players first lay."""
    tally[2 * RECYCLED] += choice == NOTHING and before.recycling == 1
    tally[2 * MELDS] += after.melds > before.melds
    if before.phase in (MELD, WAY) and after.phase == TURN:
        swapped = total(after.melded) == total(before.melded)
        tally[2 * SWAPPED] += swapped
        tally[2 * ADDED] += not swapped
    if before.phase == DRAW and before.laid[before.turn]:
        tally[2 * TAKEN] += choice == DISCARD
        tally[2 * TAKEN + 1] += 1
    if after.laid[before.turn] > before.laid[before.turn]:
        tally[2 * FIRST_LAID] += before.lap
        tally[2 * FIRST_LAID + 1] += 1
    if after.round > before.round:
        game_over(before, after, tally)


def game_over(before: Rummy, after: Rummy, tally: list[int]) -> None:
    """A game is drawn if nobody went out: after the last round, or because nobody could go on."""
    fewest = after.points[0]
    for seat in range(after.players):
        fewest = min(fewest, after.points[seat])
        tally[2 * LAID] += after.laid[seat]
        tally[2 * LAID + 1] += 1
    tally[2 * DRAWN] += fewest > 0
    tally[2 * STUCK] += fewest > 0 and before.lap < before.round_limit
    tally[2 * LAPS] += before.lap
    for thing in range(OF_A_GAME + 1):
        tally[2 * thing + 1] += 1


COUNTS = Counts(
    (
        Counted("drawn", "games that nobody won"),
        Counted("stuck", "games that ended because nobody could go on"),
        Counted("laps", "rounds of a game", is_share=False),
        Counted("recycled", "times in a game that the discards became the stock", is_share=False),
        Counted("melds", "melds laid in a game", is_share=False),
        Counted("swapped", "jokers swapped in a game", is_share=False),
        Counted("added", "single cards added in a game", is_share=False),
        Counted("laid", "players who laid melds before the game was over"),
        Counted("first_laid", "the round in which a player first lays", is_share=False),
        Counted("took_discard", "draws of players who may at which the top discard was taken"),
    ),
    count,
)
