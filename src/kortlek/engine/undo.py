"""Whether a player may undo her last choice without consent: not after hidden information was revealed, and never if another player would have to
choose again. Every other undo needs the consent of the other players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from kortlek.cards import Card
from kortlek.engine.events import Step, is_act_over
from kortlek.engine.views import ONLOOKER, Place, cards_in, partners_of, places, sees
from kortlek.game import Field, Game, State


def last_choice(game: Game[Any], steps: Sequence[Step], seat: int) -> int | None:
    """The number of steps that remain if a seat undoes its latest choice; None if it has made none. Simultaneous choices are undone together."""
    at = next((at for at in reversed(range(len(steps))) if isinstance(steps[at].event, int) and steps[at].before.turn == seat), None)
    while at is not None and is_together(game, steps[at].before) and at > 0 and goes_on_with(game, steps[at - 1]):
        at -= 1
    return at


def is_together(game: Game[Any], s: State) -> bool:
    """Whether all players choose simultaneously in a state."""
    return s.phase >= 0 and bool(game.choices[s.phase].together)


def goes_on_with(game: Game[Any], step: Step) -> bool:
    """Whether the next step belongs to the same simultaneous choice."""
    return isinstance(step.event, int) and is_together(game, step.before) and not is_act_over(game, step)


def may_undo(game: Game[Any], steps: Sequence[Step], now: Any, seat: int) -> bool:
    """Whether a seat may undo its last choice without consent. Never during a simultaneous choice: the answer would reveal who has chosen."""
    at = last_choice(game, steps, seat)
    if at is None or at < len(steps) - 1:  # another player has chosen since, or something was shuffled
        return False
    before = steps[at].before
    if is_together(game, before) or is_together(game, now) or now.round != before.round:
        return False
    return not any(learns(game, before, now, viewer, seat) for viewer in (ONLOOKER, *range(now.players)))


def learns(game: Game[Any], before: State, now: State, viewer: int, actor: int) -> bool:
    """Whether a viewer sees cards that she did not see before, other than cards that the actor held and has shown her."""
    partners, theirs = partners_of(game, now, viewer), partners_of(game, now, actor)

    def seen(place: Place, field: Field) -> bool:
        return sees(viewer, place, field, partners)

    def held(place: Place, field: Field) -> bool:
        return place.seat == actor and sees(actor, place, field, theirs) and not sees(viewer, place, field, partners)

    new = lying(now, seen) - lying(before, seen)
    given = lying(before, held) - lying(now, held)
    return not new <= given


def lying(s: State, where: Callable[[Place, Field], bool]) -> Counter[Card]:
    """The number of cards of each kind in the places that ``where`` selects."""
    return Counter(card for place, field in places(s) if field.storage and where(place, field) for card in cards_in(s, place, field.storage))
