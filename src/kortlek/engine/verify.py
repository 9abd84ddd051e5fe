"""Verify a record of a table against what a player kept of the match: the promise, and her own number (docs/records.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from kortlek.engine.fairness import AnySeed, Seed, read_seed
from kortlek.engine.match import opening, replay
from kortlek.engine.plain import Refused, resolve_chance, thing_names
from kortlek.engine.record import Record

NAME_OF_A_BOT = re.compile(r" \([^()]+\)$")
"""In a record a bot is named with its level in brackets."""


@dataclass(frozen=True)
class Kept:
    """What a player kept of a match: the promise that she saw before it and, if she has noted them, the code of the table, the number of the match,
    the number that she sent, and her seat. ``people`` are seats in which people began who were sent away, so that the record names bots."""

    promise: str
    table: str | None = None
    match: int | None = None
    number: str | None = None
    seat: int | None = None
    people: tuple[int, ...] = ()


class Checked(NamedTuple):
    """The number of verified chance events (all of the record), and the seed from which they came."""

    chances: int
    seed: AnySeed

    @property
    def commitment(self) -> str:
        """The promise that must have been published before the match."""
        return self.seed.commitment


def check(record: Record, kept: Kept | None = None) -> Checked:
    """Verify a record; raise Refused unless all events are legal, every deal is the one that its seed gives, and the seed is as it was kept."""
    seed = read_seed(record.seed)
    if len(seed.luck) != len(record.seats):
        raise Refused(f"The list in the seed should have {len(record.seats)} texts, one for each seat, not {len(seed.luck)}.")
    if kept:
        _check_match(seed, kept)
        _check_promise(seed, kept)
        _check_numbers(seed, record, kept)
    game, _ = opening(record)
    chances = 0
    for number, step in enumerate(replay(record), 1):
        if isinstance(step.event, int):
            continue
        due = resolve_chance(game, step.before, seed.shuffler(chances))
        if step.event != due:
            at = next(at for at, (said, true) in enumerate(zip(step.event, due, strict=True)) if said != true)
            names = thing_names(game, step.before.phase, len(record.seats))
            raise Refused(f"Event {number} did not come from the secret: {names[step.event[at]]} is number {at + 1} in it, not {names[due[at]]}.")
        chances += 1
    return Checked(chances, seed)


def _check_match(seed: AnySeed, kept: Kept) -> None:
    if not isinstance(seed, Seed):
        return  # scheme 1 does not say of which match it is
    if kept.table not in (None, seed.code):
        raise Refused(f"The record is of table {seed.code}, not of table {kept.table}.")
    if kept.match not in (None, seed.number):
        raise Refused(f"The record is of match {seed.number} of table {seed.code}, not of match {kept.match}.")


def _check_promise(seed: AnySeed, kept: Kept) -> None:
    if seed.commitment == kept.promise:
        return
    of = f" for match {seed.number} of table {seed.code}" if isinstance(seed, Seed) else ""
    raise Refused(f"The secret is not the one that was promised: its commitment{of} is {seed.commitment}, but {kept.promise} was promised.")


def _check_numbers(seed: AnySeed, record: Record, kept: Kept) -> None:
    if kept.seat is not None and not 0 <= kept.seat < len(seed.luck):
        raise Refused(f"There is no seat {kept.seat + 1}: the seats are 1 to {len(seed.luck)}.")
    used = seed.luck if kept.seat is None else seed.luck[kept.seat : kept.seat + 1]
    if kept.number is not None and kept.number not in used:
        where = "none of the numbers in the seed" if kept.seat is None else f"not that of seat {kept.seat + 1}, which is {used[0] or 'empty'}"
        raise Refused(f"The number {kept.number} was left out of the shuffle: it is {where}.")
    if not isinstance(seed, Seed):
        return
    for seat, (name, luck) in enumerate(zip(record.seats, seed.luck, strict=True)):
        if luck and NAME_OF_A_BOT.search(name) and seat not in kept.people:
            raise Refused(
                f"Seat {seat + 1}, {name}, is a bot's, but there is a number {luck} for it in the seed. Bots send none: the server may have chosen "
                f"it for the sake of the cards. If a person began in this seat and was sent away during the match, say so: --person {seat + 1}."
            )
