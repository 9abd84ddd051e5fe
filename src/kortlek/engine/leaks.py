"""Check non-interference: if the information hidden from a seat is replaced, nothing that the seat receives may change. For untested games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kortlek.engine.conformance import APPLY, LEGAL, Broken
from kortlek.engine.observation import mask, observe
from kortlek.engine.plain import copy_of, step, write_choice
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import Rng, pick
from kortlek.engine.views import View, listed, places, view
from kortlek.game import EVERYONE, Field, Game, State, fields_of

COMMON = set(fields_of(State))


def gets(seen: View[Any]) -> tuple[Any, ...]:
    """Everything that a seat receives of a match: its view, its choices, and both as numbers."""
    return seen.state, seen.sizes, seen.legal, mask(seen), observe(seen)


def check_leaks(game: Game[Any], s: State, viewers: Iterable[int], rng: Rng) -> None:
    """Check that nothing that these viewers receive depends on what they do not see, in this state and after another player's choice."""
    for seat in viewers:
        seen = view(game, s, seat)
        other = redeal(seen, rng)
        if gets(view(game, other, seat)) != gets(seen):
            raise Broken(f"legal depends on cards that seat {seat + 1} does not see: what she may do tells her of them.", LEGAL)
        if seat != s.turn:
            check_step_of_another(game, s, other, seat, rng)


def check_step_of_another(game: Game[Any], s: State, other: State, seat: int, rng: Rng) -> None:
    """Check that the same choice of another player with other hidden cards gives the same public numbers, unless it shows or moves different
    cards."""
    both = game.legal(s) & game.legal(other)
    if not both:
        return
    choice = pick(both, rng)
    one, two = copy_of(s), copy_of(other)
    step(game, one, choice)
    step(game, two, choice)
    if s.round != one.round or one.phase < 0 or (one.phase, one.turn, one.round) != (two.phase, two.turn, two.round):
        return
    if moved(s, one) != moved(other, two):
        return
    for name in public_numbers(game):
        if getattr(one, name) != getattr(two, name):
            chosen = write_choice(game, s, choice)
            raise Broken(
                f"s.{name} depends on cards that others do not see, when seat {s.turn + 1} chooses {chosen!r}: hide it with seen_by=..., or declare "
                f"it event=True if everyone is told.",
                f"s.{name}" if name not in COMMON else APPLY,
            )


def moved(before: State, after: State) -> list[tuple[Any, Any, Any]]:
    """The places whose cards have changed, with the cards that left and the cards that came."""
    changed = []
    for place, field in places(before):
        old, new = (getattr(s, place.field) if place.seat < 0 else getattr(s, place.field)[place.seat] for s in (before, after))
        if old != new and field.storage:
            was, now = listed(old, field.storage), listed(new, field.storage)
            changed.append((place, sorted(set(was) - set(now)), sorted(set(now) - set(was))))
    return changed


def public_numbers(game: Game[Any]) -> list[str]:
    """The public fields that are neither places nor events, nor knowledge about places, which redeals check."""
    fields = fields_of(game.state)
    knowledge = {name for field in fields.values() for name in (field.known_absent, field.known_present)}
    return [name for name, field in fields.items() if is_public_number(field) and name not in knowledge and name not in COMMON]


def is_public_number(field: Field) -> bool:
    """Whether a field is a number that everyone sees, neither an event nor an option."""
    return field.storage is None and field.seen_by is EVERYONE and not field.event and field.option is None
