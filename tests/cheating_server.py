"""Servers that cheat at the deals, for ``forking``. What they send to a client is consistent: only what the client has kept can show it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from kortlek.engine.fairness import AnySeed, Seed
from kortlek.engine.record import Record
from kortlek.table import handlers
from kortlek.table.match import LiveMatch
from kortlek.table.table import PLAYING, Table

MANY = 300
NEXT_SEED, RECORD = Table.next_seed, Table.record
COMMITMENT: Callable[[Table], str] = Table.__dict__["commitment"].fget


def best_secret(seed: Seed) -> Seed:
    """Of many secrets, the one that deals the ace of spades last."""

    def place_of_the_ace(of: Seed) -> int:
        pack = list(range(52))
        of.shuffler(0)(pack, 52)
        return pack.index(51)

    return max((dataclasses.replace(seed, secret=b"%32d" % number) for number in range(MANY)), key=place_of_the_ace)


def promising(plant: pytest.MonkeyPatch, cheat: Callable[[Table, Seed], Seed]) -> None:
    """Deal from another seed than the honest one, and promise it, too."""

    def next_seed(self: Table, by: int = 0) -> AnySeed:
        seed = NEXT_SEED(self, by)
        assert isinstance(seed, Seed)
        return cheat(self, seed)

    plant.setattr(Table, "next_seed", next_seed)


def secret_chosen_when_the_numbers_are_known(plant: pytest.MonkeyPatch) -> None:
    """The promise is honest; when the match begins the best of many secrets takes the place of the promised one."""

    def next_match(self: Table, by: int = 0) -> LiveMatch:
        seed = NEXT_SEED(self, by)
        assert isinstance(seed, Seed)
        match = LiveMatch(self.game, len(self.chairs), self.options, best_secret(seed))
        match.__dict__["promised"] = seed.commitment
        return match

    plant.setattr(Table, "next_match", next_match)


def secret_swapped_at_the_end(plant: pytest.MonkeyPatch) -> None:
    """The same, but the promised hash is shown until the match is over; then it is replaced together with the secret."""
    secret_chosen_when_the_numbers_are_known(plant)

    def commitment(self: Table) -> str:
        return getattr(self.match, "promised", "") if self.status == PLAYING else COMMITMENT(self)

    plant.setattr(Table, "commitment", property(commitment))


def secret_chosen_for_the_numbers_of_the_last_match(plant: pytest.MonkeyPatch) -> None:
    """In a rematch the numbers of the first match are used again; the promised secret is the best of many for them."""

    def cheat(table: Table, seed: Seed) -> Seed:
        return best_secret(dataclasses.replace(seed, luck=table.match.fair.luck)) if table.match else seed

    promising(plant, cheat)


def promise_of_another_table(plant: pytest.MonkeyPatch) -> None:
    """The promise is that of another table, and so is the record."""
    promising(plant, lambda table, seed: dataclasses.replace(seed, code="zzzzzz"))


def promise_of_another_table_under_this_code(plant: pytest.MonkeyPatch) -> None:
    """The promise is that of another table; the record is of this one."""

    def promise(self: Table) -> str:
        return of_another_table(NEXT_SEED(self))

    def commitment(self: Table) -> str:
        return of_another_table(self.match.fair) if self.match else ""

    def of_another_table(seed: AnySeed) -> str:
        assert isinstance(seed, Seed)
        return dataclasses.replace(seed, code="zzzzzz").commitment

    plant.setattr(Table, "promise", property(promise))
    plant.setattr(Table, "commitment", property(commitment))


def promise_changed_when_a_number_is_known(plant: pytest.MonkeyPatch) -> None:
    """As soon as a number is there, another secret is promised, chosen for it."""
    promising(plant, lambda table, seed: best_secret(seed) if any(seed.luck) else seed)


def numbers_left_out(plant: pytest.MonkeyPatch) -> None:
    """No number goes into the shuffle."""
    promising(plant, lambda table, seed: dataclasses.replace(seed, luck=("",) * len(seed.luck)))


def numbers_of_bots(plant: pytest.MonkeyPatch) -> None:
    """The server adds numbers for its bots."""

    def cheat(table: Table, seed: Seed) -> Seed:
        return dataclasses.replace(seed, luck=tuple(luck or "b07" for luck in seed.luck)) if any(seed.luck) else seed

    promising(plant, cheat)


def other_cards_in_the_record(plant: pytest.MonkeyPatch) -> None:
    """The record has other cards than the secret gives, although nobody got them."""

    def record(self: Table, person: int) -> Record:
        honest = RECORD(self, person)
        cards = next(event for event in honest.events if event.startswith("deal ")).split()
        other = " ".join([*cards[:-2], cards[-1], cards[-2]])
        return dataclasses.replace(honest, events=[other if event == " ".join(cards) else event for event in honest.events])

    plant.setattr(Table, "record", record)


def other_end_in_the_record(plant: pytest.MonkeyPatch) -> None:
    """The record is one of another match with the same seed."""

    def record(self: Table, person: int) -> Record:
        honest = RECORD(self, person)
        assert honest.result
        return dataclasses.replace(honest, result=dataclasses.replace(honest.result, scores=[999 for _ in honest.seats]))

    plant.setattr(Table, "record", record)


def matches_given_up(plant: pytest.MonkeyPatch) -> None:
    """A match that the server dislikes can be given up by beginning the next one."""
    plant.setattr(handlers, "not_while_playing", lambda table: None)


CHEATS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    cheat.__name__: (cheat, says)
    for cheat, says in [
        (secret_chosen_when_the_numbers_are_known, "The server made another promise for this match than the one that this browser saw first."),
        (secret_swapped_at_the_end, "The secret is not the one that was promised before the match."),
        (promise_of_another_table, "The record is not of this match, but of match 1 of table zzzzzz."),
        (promise_of_another_table_under_this_code, "The secret is not the one that was promised before the match."),
        (promise_changed_when_a_number_is_known, "The server made another promise for this match than the one that this browser saw first."),
        (numbers_left_out, "The number that this browser sent for seat 1 was left out."),
        (numbers_of_bots, "A number was used for seat 2, where a bot sat"),
        (other_cards_in_the_record, "does not follow from the secret and the numbers."),
        (other_end_in_the_record, "The record does not end as the match did."),
    ]
}
"""Each cheat, and what the page says of it after the first match."""
LATER = {cheat.__name__: cheat for cheat in (secret_chosen_for_the_numbers_of_the_last_match, matches_given_up)}
"""Cheats that show in the second match."""
