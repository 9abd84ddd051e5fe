"""Whether a player may take her last choice back by herself: not after anything hidden was revealed, and never so that another player has
to choose again. Everything else needs the others' consent.

What has happened so far is given as ``steps``: every event with the state before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from kortlek.cards import Card
from kortlek.play.information import ONLOOKER, Place, cards_in, places, sees
from kortlek.play.plain import Event
from kortlek.rules.game import Field, Game, Match

Steps = Sequence[tuple[Any, Event]]


def last_choice(game: Game[Any], steps: Steps, seat: int) -> int | None:
    """Which of the steps is the latest choice of a seat; None if it has made none."""
    return next((at for at in reversed(range(len(steps))) if isinstance(steps[at][1], int) and steps[at][0].turn == seat), None)


def may_undo(game: Game[Any], steps: Steps, now: Any, seat: int) -> str:
    """Empty if a seat may take its last choice back; otherwise why not, in a sentence."""
    at = last_choice(game, steps, seat)
    if at is None:
        return "You have not chosen anything in this match yet."
    since = [event for _, event in steps[at + 1 :]]
    if any(isinstance(event, int) for event in since):
        return "Another player has chosen something since."
    if since:
        return "Something has been shuffled since."
    before = steps[at][0]
    if now.round != before.round:
        return "The round has ended with it."
    if any(learns(before, now, viewer, seat) for viewer in (ONLOOKER, *range(now.players))):
        return "It has revealed hidden cards."
    return ""


def learns(before: Match, now: Match, viewer: int, actor: int) -> bool:
    """Whether a viewer sees cards that she did not see before, other than those that the actor held and has shown her."""

    def seen(place: Place, field: Field) -> bool:
        return sees(viewer, place, field)

    def held(place: Place, field: Field) -> bool:
        return place.seat == actor and sees(actor, place, field) and not sees(viewer, place, field)

    new = lying(now, seen) - lying(before, seen)
    given = lying(before, held) - lying(now, held)
    return not new <= given


def lying(s: Match, where: Callable[[Place, Field], bool]) -> Counter[Card]:
    """How many of each kind of card lie in some of the places."""
    return Counter(card for place, field in places(s) if field.lies and where(place, field) for card in cards_in(s, place, field.lies))
