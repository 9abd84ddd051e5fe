"""What is counted in Plump."""

from kortlek.rules.counted import tricks
from kortlek.rules.game import Counts, next_seat
from kortlek.rules.plump import BID, PLAY, Plump, legal

FOLLOWED = len(tricks.PROMISES)


def count(before: Plump, after: Plump, choice: int, tally: list[int]) -> None:
    """Promises and the hook, and how often the suit led decides."""
    if before.phase == PLAY:
        tricks.follow(before, tally, FOLLOWED)
    if before.phase == BID and before.turn == before.dealer:
        tricks.last_bid(before, legal(before), tally)
    if after.round > before.round:
        tricks.promises(after, after.bid, after.points, next_seat(before, before.dealer), before.dealer, tally)


COUNTS = Counts((*tricks.PROMISES, *tricks.FOLLOW), count)
