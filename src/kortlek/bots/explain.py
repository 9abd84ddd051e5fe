"""Explanations of choices: the estimated gain of every alternative, and a message with the reason for the chosen one."""

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

MIN_MARGIN = 0.05
"""The smallest difference in points that is reported; smaller ones round to 0.0."""


@dataclass(frozen=True)
class Why:
    """The alternatives, the chosen one first, and a message about the chosen one."""

    thoughts: list[Thought]
    message: Message


def why(view: View[Any], seed: int, level: str = EXPERT) -> Why:
    """What a level would choose in a view, and why. Computed from the view alone, so it is safe to show to that viewer."""
    bot = level_called(view.game, level).make(seed, None)
    thoughts = thoughts_of(view, bot, seed)
    choice = bot.choose(view)
    thoughts.sort(key=lambda thought: thought.choice != choice)
    reason = house_of(view.game).reason(redeal(view, [seeded(0, 0)]), choice)
    said = offer(view.game, view.state, choice)
    return Why(thoughts, Message("why", {"choice": said, "reason": reason, "margin": margin(thoughts)}))


def margin(thoughts: list[Thought]) -> Message:
    """The difference between the first alternative and the best of the others, as a message."""
    if len(thoughts) == 1:
        return Message("why-only")
    if all_equal(thoughts):
        return Message("why-equal")
    ahead = thoughts[0].points - max(thought.points for thought in thoughts[1:])
    return Message("why-better", {"points": rounded(ahead)}) if ahead >= MIN_MARGIN else Message("why-close")


def all_equal(thoughts: list[Thought]) -> bool:
    """Whether all alternatives have the same estimate after rounding, so that there is no difference to report."""
    return len({rounded(thought.points) for thought in thoughts}) == 1


def rounded(points: float) -> float:
    """Points for display: one decimal, and no negative zero."""
    return round(points, 1) + 0.0
