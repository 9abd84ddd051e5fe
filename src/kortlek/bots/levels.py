"""The levels of bots, with the same names in every game, and the additional named bots of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

from kortlek.bots.bot import Bot, Thought
from kortlek.bots.knobs import knobs_of
from kortlek.bots.loops import uniform_likelihood, no_value
from kortlek.bots.monte_carlo import Budget, MonteCarloConfig, MonteCarlo, MonteCarloBot, all_choices
from kortlek.bots.policy import PolicyBot, Policy, random_policy, slipping
from kortlek.bots.search import Searcher, TreeBot
from kortlek.engine.plain import Refused, shorten
from kortlek.engine.views import View
from kortlek.game import Game, Message

RANDOM, EASY, MEDIUM, HOUSE, CLUB, EXPERT = LEVELS = "random", "easy", "medium", "house", "club", "expert"
"""The levels of every game, the weakest first."""
TREE = "tree"
"""The level that searches a tree. Every game has it, but it is not part of the ladder above."""
SIMULATIONS = Budget(1_000, "simulations")
MIN_SIMULATIONS = 62
"""The minimum number of simulations: a search tries every legal choice at least once, and there are at most 62."""
BOT_NAMES = ("Lisa", "Stephen", "Toby", "Rachel", "Astrid", "Birger", "Cilla", "David", "Elin", "Frans", "Greta", "Hugo", "Ida")
"""The display names of bots, enough for every seat."""
USUAL = CLUB
"""The default level of opponents."""
EXPLAIN_BUDGET = Budget(50_000)
MONTE_CARLO_VERSION = 4
"""The version of club and expert."""
EXPERT_SAMPLES = 20
"""The maximum number of samples an expert draws to find one that explains the actions of the other players."""
PLAIN_SLOWDOWN = 30
"""The factor by which budgets shrink without the compiled engine."""


@dataclass(frozen=True, eq=False)
class Level:
    """A level of one game. ``make(seed, budget)`` returns a bot; without a budget it uses the default of the level. A level that follows rules of
    thumb has a ``policy`` and ignores the budget. The display name and description of a level are in the words files. ``version`` is raised
    whenever the level would choose differently."""

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
    levels = [policy_level(policy) for policy in (random_policy(game), easy, medium, house, *knobs_of(game).policies)]
    club, expert = knobs_of(game).steps
    levels += [monte_carlo_level(game, CLUB, Budget(club)), monte_carlo_level(game, EXPERT, Budget(expert)), tree_level(game)]
    return {level.name: level for level in levels}


def bot_seats(levels: Sequence[str], names: Sequence[str] = BOT_NAMES) -> list[str]:
    """The names of bots as they appear in a record: ``Lisa (house)``."""
    return [f"{name} ({level})" for name, level in zip(names, levels, strict=False)]


def by_chance(game: Game[Any], bots: Iterable[str]) -> str:
    """A warning if one of the bots should follow rules of thumb but plays at random, because the game has no house policy; otherwise an empty
    text."""
    if any(policy.name == HOUSE for policy in knobs_of(game).policies) or not {EASY, MEDIUM, HOUSE} & set(bots):
        return ""
    return f"No rules of thumb are known for {game.title}, so its house plays at random: a claim about balance rests on that."


@cache
def house_of(game: Game[Any]) -> Policy[Any]:
    """The house policy of a game; random play if the game has none."""
    ours = [policy for policy in knobs_of(game).policies if policy.name == HOUSE]
    return ours[0] if ours else replace(random_policy(game), name=HOUSE)


@cache
def config_of(game: Game[Any], level: str) -> MonteCarloConfig:
    """The Monte Carlo configuration of a level."""
    knobs, house = knobs_of(game), house_of(game)
    likelihood = knobs.likelihood if level == EXPERT else None
    return MonteCarloConfig(
        knobs.prior or house,
        house,
        loyalty=knobs.loyalty,
        consider=knobs.consider or all_choices,
        stake=0.0 if knobs.value else knobs.swing / 2,
        worth=knobs.value or no_value,
        likely=likelihood or uniform_likelihood,
        guesses=EXPERT_SAMPLES if likelihood else 1,
    )


def policy_level(policy: Policy[Any]) -> Level:
    """A level that follows a policy."""
    return Level(policy.name, lambda seed, budget: PolicyBot(policy, seed), policy, policy.version)


def monte_carlo_level(game: Game[Any], name: str, usual: Budget) -> Level:
    """A level that uses Monte Carlo simulation."""

    def make(seed: int, budget: Budget | None) -> Bot:
        return MonteCarloBot(monte_carlo_of(game, config_of(game, name)), budget or affordable(usual), seed)

    return Level(name, make, version=MONTE_CARLO_VERSION)


def tree_level(game: Game[Any]) -> Level:
    """The level that uses tree search. It is not part of the ladder: it serves games in which it is stronger, and as a reference for measurements."""

    def make(seed: int, budget: Budget | None) -> Bot:
        simulations = affordable(budget or SIMULATIONS).amount
        return TreeBot(searcher_of(game), max(MIN_SIMULATIONS, int(simulations)), seed)

    return Level(TREE, make)


@cache
def searcher_of(game: Game[Any]) -> Searcher:
    """The searcher for a game, with the fastest engine that is installed."""
    return Searcher(game, "compiled" if find_spec("numba") else "plain")


def affordable(usual: Budget) -> Budget:
    """The budget, reduced if Numba is not installed."""
    return usual if find_spec("numba") else Budget(usual.amount / PLAIN_SLOWDOWN, usual.unit)


@cache
def monte_carlo_of(game: Game[Any], config: MonteCarloConfig) -> MonteCarlo:
    """The Monte Carlo evaluator for a game and a configuration, with the fastest engine that is installed."""
    return MonteCarlo(game, config, "compiled" if find_spec("numba") else "plain")


def thoughts_of(view: View[Any], bot: Bot, seed: int) -> list[Thought]:
    """How a bot evaluates each choice. For a bot without an evaluation of its own, a Monte Carlo bot with the house's playouts provides it."""
    thinking = (
        bot
        if isinstance(bot, MonteCarloBot | TreeBot)
        else MonteCarloBot(monte_carlo_of(view.game, config_of(view.game, CLUB)), affordable(EXPLAIN_BUDGET), seed)
    )
    return thinking.thoughts(view)


def think(game: Game[Any], bots: Iterable[str]) -> bool:
    """Whether any of these bots simulates or searches, instead of only following a policy."""
    return any(level_called(game, bot).policy is None for bot in bots)


def level_called(game: Game[Any], name: str) -> Level:
    """The level with this name. Raises Refused if the game has none."""
    levels = levels_of(game)
    if name not in levels:
        message = Message("refuse-level", {"game": Message("title"), "text": shorten(name), "levels": ", ".join(levels)})
        raise Refused(f"{game.title} has no bot {name!r}. Its bots are: {', '.join(levels)}.", message)
    return levels[name]
