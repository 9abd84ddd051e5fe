"""Records of servers that cheat. In each the deals follow from the seed, so that only what the player kept can show what was done."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import NamedTuple

from test_fairness import played

from kortlek.cards import FRENCH
from kortlek.engine.fairness import Seed
from kortlek.engine.record import Record
from kortlek.engine.verify import Kept

TABLE, MATCH, NUMBER = "bk7q2x", 2, "0ddba11c0ffee"
PROMISED = Seed(TABLE, MATCH, b"promised".ljust(32), (NUMBER, ""))
"""What an honest server would deal from. The player sits in seat 0, a bot in seat 1."""
KEPT = Kept(PROMISED.commitment, TABLE, MATCH, NUMBER, 0)
"""What the player's browser kept: she saw this promise, and then sent this number."""
MANY = 300


class Trick(NamedTuple):
    """A record of a server that cheats, what the player kept, and what ``kortlek verify`` says of it."""

    record: Record
    kept: Kept
    says: str


def secrets() -> list[bytes]:
    """Many secrets to choose from."""
    return [b"%d" % number + bytes(32 - len(b"%d" % number)) for number in range(MANY)]


def best_of(seeds: Iterable[Seed]) -> Seed:
    """The seed that the server likes best: the aces come as late as possible, so that nobody else gets one."""

    def first_ace(seed: Seed) -> int:
        pack = list(range(52))
        seed.shuffler(0)(pack, 52)
        return next(at for at, card in enumerate(pack) if FRENCH[card].endswith("A"))

    return max(seeds, key=first_ace)


def dealt(seed: Seed, bot: str = "Lisa (club)") -> Record:
    """A match of two deals that was dealt from this seed."""
    return dataclasses.replace(played("plump", seed, {"first_dealer": 0}), seats=["Ann", bot])


def secret_chosen_when_the_number_was_known() -> Trick:
    """The best of many secrets after the promise was answered; the promise is swapped for that of the chosen secret."""
    seed = best_of(dataclasses.replace(PROMISED, secret=each) for each in secrets())
    return Trick(dealt(seed), KEPT, f"not the one that was promised: its commitment for match 2 of table bk7q2x is {seed.commitment}")


def secret_chosen_for_an_old_number() -> Trick:
    """In a rematch the best of many secrets is promised, chosen for the number of the last match, which is then used again instead of a new one."""
    seed = best_of(dataclasses.replace(PROMISED, secret=each, luck=("01d", "")) for each in secrets())
    return Trick(dealt(seed), dataclasses.replace(KEPT, promise=seed.commitment), "left out of the shuffle: it is not that of seat 1, which is 01d")


def secret_swapped_at_the_end() -> Trick:
    """Dealt from one secret, and another one, the promised one, is revealed."""
    other = dealt(dataclasses.replace(PROMISED, secret=bytes(32)))
    return Trick(dataclasses.replace(other, seed=PROMISED.text), KEPT, "Event 1 did not come from the secret")


def promise_of_another_table() -> Trick:
    """The promise and the record are those of another table, which the server has chosen among many."""
    seed = best_of(dataclasses.replace(PROMISED, code=f"bk7q{number}") for number in range(MANY))
    return Trick(dealt(seed), dataclasses.replace(KEPT, promise=seed.commitment), f"of table {seed.code}, not of table bk7q2x")


def promise_of_another_table_under_this_code() -> Trick:
    """The promise is that of another table; the record says that it is of this one."""
    other = dataclasses.replace(PROMISED, code="zzzzzz")
    return Trick(dealt(PROMISED), dataclasses.replace(KEPT, promise=other.commitment), "not the one that was promised")


def promise_of_another_match() -> Trick:
    """The promise and the record are those of a match that the server says never took place."""
    other = dataclasses.replace(PROMISED, number=3)
    return Trick(dealt(other), dataclasses.replace(KEPT, promise=other.commitment), "of match 3 of table bk7q2x, not of match 2")


def number_left_out() -> Trick:
    """The player's number is dropped, because the cards are better without it."""
    return Trick(dealt(dataclasses.replace(PROMISED, luck=("", ""))), KEPT, f"The number {NUMBER} was left out of the shuffle")


def number_of_a_bot() -> Trick:
    """The server chooses a number for its bot when it knows that of the player."""
    seed = best_of(dataclasses.replace(PROMISED, luck=(NUMBER, f"{number:x}")) for number in range(1, MANY))
    return Trick(dealt(seed), KEPT, "Seat 2, Lisa .club., is a bot's, but there is a number")


TRICKS: dict[str, Callable[[], Trick]] = {
    trick.__name__: trick
    for trick in [
        secret_chosen_when_the_number_was_known,
        secret_chosen_for_an_old_number,
        secret_swapped_at_the_end,
        promise_of_another_table,
        promise_of_another_table_under_this_code,
        promise_of_another_match,
        number_left_out,
        number_of_a_bot,
    ]
}
