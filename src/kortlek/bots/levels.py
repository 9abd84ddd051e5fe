"""The levels of bots, by the same names in every game, and the named bots that a game has besides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

from kortlek.bots.bot import Bot, Thought
from kortlek.bots.knobs import knobs_of
from kortlek.bots.loops import no_matter, nothing
from kortlek.bots.monte_carlo import Budget, MonteCarloConfig, MonteCarlo, MonteCarloBot, all_of_them
from kortlek.bots.policy import PolicyBot, Policy, chance_of, slipping
from kortlek.bots.search import Searcher, TreeBot
from kortlek.engine.plain import Refused, shorten
from kortlek.engine.views import View
from kortlek.game import Game, Message

RANDOM, EASY, MEDIUM, HOUSE, CLUB, EXPERT = LEVELS = "random", "easy", "medium", "house", "club", "expert"
"""The levels that every game has, the weakest first."""
TREE = "tree"
"""The level that searches a tree; every game has it, beside the others."""
SIMULATIONS = Budget(1_000, "simulations")
MOST_CHOICES_AT_ONCE = 62
"""A search tries every legal choice at least once."""
BOT_NAMES = ("Lisa", "Stephen", "Toby", "Rachel", "Astrid", "Birger", "Cilla", "David", "Elin", "Frans", "Greta", "Hugo", "Ida")
"""What bots are called; enough for every seat."""
USUAL = CLUB
"""Whom a person meets who names no level."""
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
    follows rules of thumb has a ``policy`` and needs no budget. What it is called and how it plays is in the words files. Its ``version`` is
    raised whenever it would choose otherwise than before."""

    name: str
    make: Callable[[int, Budget | None], Bot]
    policy: Policy[Any] | None = None
    version: int = 1


@cache
def levels_of(game: Game[Any]) -> dict[str, Level]:
    """All levels of a game by name."""
    house = house_of(game)
    easy = slipping(game, house, EASY, 0.2)
    medium = slipping(game, house, MEDIUM, 0.05)
    levels = [habit(policy) for policy in (chance_of(game), easy, medium, house, *knobs_of(game).policies)]
    club, expert = knobs_of(game).steps
    levels += [thoughtful(game, CLUB, Budget(club)), thoughtful(game, EXPERT, Budget(expert)), searching(game)]
    return {level.name: level for level in levels}


def bot_seats(levels: Sequence[str], names: Sequence[str] = BOT_NAMES) -> list[str]:
    """Bots as a record names them: ``Lisa (house)``."""
    return [f"{name} ({level})" for name, level in zip(names, levels, strict=False)]


def by_chance(game: Game[Any], bots: Iterable[str]) -> str:
    """Says so if bots that should follow rules of thumb play at random, because nobody has told the house how to play the game; else nothing."""
    if any(policy.name == HOUSE for policy in knobs_of(game).policies) or not {EASY, MEDIUM, HOUSE} & set(bots):
        return ""
    return f"No rules of thumb are known for {game.title}, so its house plays at random: a claim about balance rests on that."


@cache
def house_of(game: Game[Any]) -> Policy[Any]:
    """How the house plays a game; at random, if nobody has told it how."""
    ours = [policy for policy in knobs_of(game).policies if policy.name == HOUSE]
    return ours[0] if ours else replace(chance_of(game), name=HOUSE)


@cache
def config_of(game: Game[Any], level: str) -> MonteCarloConfig:
    """How those who think about a game think."""
    knobs, house = knobs_of(game), house_of(game)
    likelihood = knobs.likelihood if level == EXPERT else None
    return MonteCarloConfig(
        knobs.prior or house,
        house,
        loyalty=knobs.loyalty,
        consider=knobs.consider or all_of_them,
        stake=0.0 if knobs.value else knobs.swing / 2,
        worth=knobs.value or nothing,
        likely=likelihood or no_matter,
        guesses=GUESSES if likelihood else 1,
    )


def habit(policy: Policy[Any]) -> Level:
    """A level that follows a policy."""
    return Level(policy.name, lambda seed, budget: PolicyBot(policy, seed), policy, policy.version)


def thoughtful(game: Game[Any], name: str, usual: Budget) -> Level:
    """A level that thinks."""

    def make(seed: int, budget: Budget | None) -> Bot:
        return MonteCarloBot(monte_carlo_of(game, config_of(game, name)), budget or affordable(usual), seed)

    return Level(name, make, version=THOUGHT)


def searching(game: Game[Any]) -> Level:
    """The level that grows a tree: beside the ladder, for games in which that is better, and to measure others by."""

    def make(seed: int, budget: Budget | None) -> Bot:
        simulations = affordable(budget or SIMULATIONS).amount
        return TreeBot(searcher_of(game), max(MOST_CHOICES_AT_ONCE, int(simulations)), seed)

    return Level(TREE, make)


@cache
def searcher_of(game: Game[Any]) -> Searcher:
    """The searcher for a game, with the best engine there is."""
    return Searcher(game, "compiled" if find_spec("numba") else "plain")


def affordable(usual: Budget) -> Budget:
    """Without Numba there is time for less."""
    return usual if find_spec("numba") else Budget(usual.amount / SLOWER, usual.unit)


@cache
def monte_carlo_of(game: Game[Any], manner: MonteCarloConfig) -> MonteCarlo:
    """The thinker for a game and a manner, with the best engine there is."""
    return MonteCarlo(game, manner, "compiled" if find_spec("numba") else "plain")


def thoughts_of(view: View[Any], bot: Bot, seed: int) -> list[Thought]:
    """What a bot thinks of each choice. For one that does not think, somebody who plays on like the house does it in its place."""
    thinking = (
        bot
        if isinstance(bot, MonteCarloBot | TreeBot)
        else MonteCarloBot(monte_carlo_of(view.game, config_of(view.game, CLUB)), affordable(IN_ITS_PLACE), seed)
    )
    return thinking.thoughts(view)


def think(game: Game[Any], bots: Iterable[str]) -> bool:
    """Whether one of these bots does more than follow rules of thumb."""
    return any(level_called(game, bot).policy is None for bot in bots)


def level_called(game: Game[Any], name: str) -> Level:
    """The level of this name; Refused if the game has none."""
    levels = levels_of(game)
    if name not in levels:
        message = Message("refuse-level", {"game": Message("title"), "text": shorten(name), "levels": ", ".join(levels)})
        raise Refused(f"{game.title} has no bot {name!r}. Its bots are: {', '.join(levels)}.", message)
    return levels[name]
