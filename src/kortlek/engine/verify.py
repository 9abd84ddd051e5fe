"""Whether the deals of a record came from the secret that was promised (docs/records.md)."""

from __future__ import annotations

from typing import NamedTuple

from kortlek.engine.fairness import commitment, key_of, read_seed, shuffler
from kortlek.engine.match import opening, replay
from kortlek.engine.plain import Refused, resolve_chance, thing_names
from kortlek.engine.record import Record


class Checked(NamedTuple):
    """How many chance events of a record came from its secret (all of them), and what had to be promised before."""

    chances: int
    commitment: str


def check(record: Record) -> Checked:
    """Refused unless the match can have happened and every deal of it is the one that its seed gives."""
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
