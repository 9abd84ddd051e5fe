"""Verify that the deals of a record come from the committed secret (docs/records.md)."""

from __future__ import annotations

from typing import NamedTuple

from kortlek.engine.fairness import commitment, key_of, read_seed, shuffler
from kortlek.engine.match import opening, replay
from kortlek.engine.plain import Refused, resolve_chance, thing_names
from kortlek.engine.record import Record


class Checked(NamedTuple):
    """The number of verified chance events (all of the record), and the commitment that must have been published before."""

    chances: int
    commitment: str


def check(record: Record) -> Checked:
    """Verify a record; raise Refused unless all events are legal and every deal is the one that its seed gives."""
    secret, luck = read_seed(record.seed)
    if len(luck) != len(record.seats):
        raise Refused(f"The list in the seed should have {len(record.seats)} texts, one for each seat, not {len(luck)}.")
    game, _ = opening(record)
    key, chances = key_of(secret, luck), 0
    for number, step in enumerate(replay(record), 1):
        if isinstance(step.event, int):
            continue
        due = resolve_chance(game, step.before, shuffler(key, chances))
        if step.event != due:
            at = next(at for at, (said, true) in enumerate(zip(step.event, due, strict=True)) if said != true)
            names = thing_names(game, step.before.phase, len(record.seats))
            raise Refused(f"Event {number} did not come from the secret: {names[step.event[at]]} is number {at + 1} in it, not {names[due[at]]}.")
        chances += 1
    return Checked(chances, commitment(secret))
