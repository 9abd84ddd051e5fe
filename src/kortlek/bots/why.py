"""Every choice can be explained: what the alternatives are thought to earn, and what speaks for the choice in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kortlek.bots.bot import Thought
from kortlek.bots.levels import EXPERT, house_of, level_called, thoughts_of
from kortlek.play.information import View
from kortlek.play.redealing import redeal
from kortlek.play.seeded import seeded


@dataclass(frozen=True)
class Why:
    """The alternatives, the best first, and one sentence about the first of them."""

    thoughts: list[Thought]
    sentence: str


def why(view: View[Any], seed: int, level: str = EXPERT) -> Why:
    """What a level would choose in a view, and why. Made from the view alone, so it can be shown to whoever sees it."""
    bot = level_called(view.game, level).make(seed, None)
    thoughts = thoughts_of(view, bot, seed)
    choice = bot.choose(view)
    thoughts.sort(key=lambda thought: thought.choice != choice)
    words = view.game.choices[view.state.phase].notation[choice]
    reason = house_of(view.game).reason(redeal(view, [seeded(0, 0)]), choice)
    return Why(thoughts, f"{words}: {reason}{margin(thoughts)}.")


def margin(thoughts: list[Thought]) -> str:
    """By how much the first is better than the best of the others."""
    if len(thoughts) == 1:
        return "; there is nothing else to do"
    ahead = thoughts[0].points - max(thought.points for thought in thoughts[1:])
    return f"; {ahead:.1f} points better than the next" if ahead >= 0.05 else "; nothing else is clearly better"
