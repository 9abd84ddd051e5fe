"""What is counted in Up and Down."""

from kortlek.cards import NOTHING, suit_of
from kortlek.rules.counted import tricks
from kortlek.rules.game import Counted, Counts, next_seat
from kortlek.rules.up_and_down import BET, PLAY, UpAndDown, legal

FOLLOWED = len(tricks.PROMISES)
TRUMPED = FOLLOWED + len(tricks.FOLLOW)


def count(before: UpAndDown, after: UpAndDown, choice: int, tally: list[int]) -> None:
    """Bets and the hook, how often the suit led decides, and how often the mesa wins what was led in another suit."""
    if before.phase == PLAY:
        tricks.follow(before, tally, FOLLOWED)
        if after.led == NOTHING:
            tally[2 * TRUMPED] += suit_of(after.best) == before.trump != before.led
            tally[2 * TRUMPED + 1] += 1
    is_last = next_seat(before, before.turn) == before.first
    if before.phase == BET and is_last:
        tricks.last_bid(before, legal(before), tally)
    if after.round > before.round:
        last = before.first - 1 if before.first > 0 else before.players - 1
        tricks.promises(after, after.bet, after.points, before.first, last, tally)


COUNTS = Counts((*tricks.PROMISES, *tricks.FOLLOW, Counted("trump_wins", "hands of another suit that the mesa won")), count)
