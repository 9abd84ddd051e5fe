"""What is counted in TrickPaperScissors."""

from kortlek.cards import NOTHING
from kortlek.rules.counted import tricks
from kortlek.rules.game import Counted, Counts, next_seat
from kortlek.rules.trick_paper_scissors import PLAY, VALUE, VALUES, TrickPaperScissors

FIRST = len(tricks.FOLLOW)
TRUMP_WINS, VALUE_CHANGES, MINUS, RESULT_LEADER, RESULT_DEALER = range(FIRST, FIRST + 5)


def count(before: TrickPaperScissors, after: TrickPaperScissors, choice: int, tally: list[int]) -> None:
    """How often the suit led decides, trumps win, values change; what who leads first and who deals get."""
    if before.phase == PLAY:
        tricks.follow(before, tally, 0)
        if after.phase == VALUE or after.led == NOTHING:
            tally[2 * TRUMP_WINS] += after.phase == VALUE
            tally[2 * TRUMP_WINS + 1] += 1
    if before.phase == VALUE:
        tally[2 * VALUE_CHANGES] += before.value[before.trump] != VALUES[choice]
        tally[2 * VALUE_CHANGES + 1] += 1
    if after.round > before.round:
        for suit in range(3):
            tally[2 * MINUS] += after.value[suit] < 0
            tally[2 * MINUS + 1] += 1
        tally[2 * RESULT_LEADER] += after.result[next_seat(before, before.dealer)]
        tally[2 * RESULT_LEADER + 1] += 1
        tally[2 * RESULT_DEALER] += after.result[before.dealer]
        tally[2 * RESULT_DEALER + 1] += 1


COUNTS = Counts(
    (
        *tricks.FOLLOW,
        Counted("trump_wins", "tricks that a trump won"),
        Counted("value_changes", "chances to set a value at which it was changed"),
        Counted("below_zero", "suits that count against their owner in the end"),
        Counted("points_leader", "points in a deal of who leads first", is_share=False),
        Counted("points_dealer", "points in a deal of who deals", is_share=False),
    ),
    count,
)
