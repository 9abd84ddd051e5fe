"""Every choice can be explained: what the alternatives are thought to earn, and a message that says what speaks for the choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kortlek.bots.bot import Thought
from kortlek.bots.levels import EXPERT, house_of, level_called, thoughts_of
from kortlek.engine.messages import offer
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import View
from kortlek.game import Message

NOTICEABLE = 0.05
"""Points that are shown as nothing."""


@dataclass(frozen=True)
class Why:
    """The alternatives, the best first, and a message about the first of them."""

    thoughts: list[Thought]
    message: Message


def why(view: View[Any], seed: int, level: str = EXPERT) -> Why:
    """What a level would choose in a view, and why. Made from the view alone, so it can be shown to whoever sees it."""
    bot = level_called(view.game, level).make(seed, None)
    thoughts = thoughts_of(view, bot, seed)
    choice = bot.choose(view)
    thoughts.sort(key=lambda thought: thought.choice != choice)
    reason = house_of(view.game).reason(redeal(view, [seeded(0, 0)]), choice)
    said = offer(view.game, view.state, choice)
    return Why(thoughts, Message("why", {"choice": said, "reason": reason, "margin": margin(thoughts)}))


def margin(thoughts: list[Thought]) -> Message:
    """By how much the first is better than the best of the others."""
    if len(thoughts) == 1:
        return Message("why-only")
    if all_equal(thoughts):
        return Message("why-equal")
    ahead = thoughts[0].points - max(thought.points for thought in thoughts[1:])
    return Message("why-better", {"points": rounded(ahead)}) if ahead >= NOTICEABLE else Message("why-close")


def all_equal(thoughts: list[Thought]) -> bool:
    """Whether all alternatives are thought to earn the same, so that there is nothing to say of points."""
    return len({rounded(thought.points) for thought in thoughts}) == 1


def rounded(points: float) -> float:
    """Points as people read them: one decimal, and no sign before zero."""
    return round(points, 1) + 0.0
