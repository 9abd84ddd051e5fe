"""The levels of bots, by the same names in every game, and the named bots that a game has besides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

from kortlek.bots.bot import Bot, Thought
from kortlek.bots.house import LIKELY, LOYALTY, POLICIES, SENSIBLE, STEPS, USUALLY, WORTH
from kortlek.bots.loops import no_matter, nothing
from kortlek.bots.policy import Habit, Policy, chance_of, slipping
from kortlek.bots.thinking import Budget, Manner, Thinker, Thoughtful, all_of_them
from kortlek.play.information import View
from kortlek.play.plain import Refused
from kortlek.rules.game import Game

RANDOM, EASY, MEDIUM, HOUSE, CLUB, EXPERT = LEVELS = "random", "easy", "medium", "house", "club", "expert"
"""The levels that every game has, the weakest first."""
BOT_NAMES = ("Lisa", "Stephen", "Toby", "Rachel", "Astrid", "Birger", "Cilla", "David", "Elin", "Frans")
"""What bots are called; enough for every seat."""
USUAL = CLUB
"""Whom a person meets who names no level."""
USUAL_STEPS = 5_000, 100_000
"""How long club and expert think about a choice: well below a hundredth and a tenth of a second."""
IN_ITS_PLACE = Budget(50_000)
THOUGHT = 4
"""The version of club and expert."""
GUESSES = 20
"""So many guesses an expert makes to find one that explains what the others did."""
SLOWER = 30
"""So many times less is thought without the compiled engine."""


@dataclass(frozen=True, eq=False)
class Level:
    """A level of one game. ``make(seed, budget)`` is a bot of it; without a budget it thinks as long as it usually does. A level that only
    follows rules of thumb has a ``policy`` and needs no budget. Its ``version`` is raised whenever it would choose otherwise than before."""

    name: str
    about: str
    make: Callable[[int, Budget | None], Bot]
    policy: Policy[Any] | None = None
    version: int = 1


@cache
def levels_of(game: Game[Any]) -> dict[str, Level]:
    """All levels of a game by name."""
    house = house_of(game)
    easy = slipping(game, house, EASY, 0.2, "plays like the house, but every fifth choice is anything that is allowed")
    medium = slipping(game, house, MEDIUM, 0.05, "plays like the house, but every twentieth choice is anything that is allowed")
    levels = [habit(policy) for policy in (chance_of(game), easy, medium, house, *POLICIES.get(game.name, ()))]
    club, expert = STEPS.get(game.name, USUAL_STEPS)
    levels += [
        thoughtful(game, CLUB, "tries its choices in some dozens of guesses at the hidden cards", Budget(club)),
        thoughtful(game, EXPERT, "tries its choices in some thousand guesses at the hidden cards", Budget(expert)),
    ]
    return {level.name: level for level in levels}


def by_chance(game: Game[Any], bots: Iterable[str]) -> str:
    """Says so if bots that should follow rules of thumb play at random, because nobody has told the house how to play the game; else nothing."""
    if any(policy.name == HOUSE for policy in POLICIES.get(game.name, ())) or not {EASY, MEDIUM, HOUSE} & set(bots):
        return ""
    return f"No rules of thumb are known for {game.title}, so its house plays at random: a claim about balance rests on that."


@cache
def house_of(game: Game[Any]) -> Policy[Any]:
    """How the house plays a game; at random, if nobody has told it how."""
    ours = [policy for policy in POLICIES.get(game.name, ()) if policy.name == HOUSE]
    return ours[0] if ours else replace(chance_of(game), name=HOUSE)


@cache
def manner_of(game: Game[Any], level: str) -> Manner:
    """How those who think about a game think."""
    house, is_expert = house_of(game), level == EXPERT and game.name in LIKELY
    return Manner(
        USUALLY.get(game.name, house),
        house,
        loyalty=LOYALTY.get(game.name, 0.0),
        consider=SENSIBLE.get(game.name, all_of_them),
        stake=0.0 if game.name in WORTH else game.swing / 2,
        worth=WORTH.get(game.name, nothing),
        likely=LIKELY[game.name] if is_expert else no_matter,
        guesses=GUESSES if is_expert else 1,
    )


def habit(policy: Policy[Any]) -> Level:
    """A level that follows a policy."""
    return Level(policy.name, policy.about, lambda seed, budget: Habit(policy, seed), policy, policy.version)


def thoughtful(game: Game[Any], name: str, about: str, usual: Budget) -> Level:
    """A level that thinks."""

    def make(seed: int, budget: Budget | None) -> Bot:
        return Thoughtful(thinker_of(game, manner_of(game, name)), budget or affordable(usual), seed)

    return Level(name, about, make, version=THOUGHT)


def affordable(usual: Budget) -> Budget:
    """Without Numba there is time for less."""
    return usual if find_spec("numba") else Budget(usual.amount / SLOWER, usual.unit)


@cache
def thinker_of(game: Game[Any], manner: Manner) -> Thinker:
    """The thinker for a game and a manner, with the best engine there is."""
    return Thinker(game, manner, "compiled" if find_spec("numba") else "plain")


def thoughts_of(view: View[Any], bot: Bot, seed: int) -> list[Thought]:
    """What a bot thinks of each choice. For one that does not think, somebody who plays on like the house does it in its place."""
    thinking = bot if isinstance(bot, Thoughtful) else Thoughtful(thinker_of(view.game, manner_of(view.game, CLUB)), affordable(IN_ITS_PLACE), seed)
    return thinking.thoughts(view)


def think(game: Game[Any], bots: Iterable[str]) -> bool:
    """Whether one of these bots does more than follow rules of thumb."""
    return any(level_called(game, bot).policy is None for bot in bots)


def level_called(game: Game[Any], name: str) -> Level:
    """The level of this name; Refused if the game has none."""
    levels = levels_of(game)
    if name not in levels:
        raise Refused(f"{game.title} has no bot {name!r}. Its bots are: {', '.join(levels)}.")
    return levels[name]
