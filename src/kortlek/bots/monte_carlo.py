"""Flat Monte Carlo: try the choices in samples of the hidden cards, play each out by rules of thumb, and take the best on average.

All choices are tried in the same samples and with the same random numbers, so that they differ only by what the choice does. After each part of
the budget the worse half is dropped (sequential halving), so that most of the budget goes to the choices that are hard to tell apart.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from kortlek.bots.bot import Thought
from kortlek.bots.loops import make_flat, make_usual, uniform_likelihood, no_value
from kortlek.bots.policy import Policy
from kortlek.cards import Cards, bit, members, size, upto
from kortlek.engine.loops import CannotCompile
from kortlek.engine.redeal import Guess, prepare
from kortlek.engine.rng import seeded
from kortlek.engine.views import View
from kortlek.game import Game
from kortlek.game.game import LARGEST_PACK

FIRST_WORLDS = 4
STEPS_PER_FIRST_WORLD = 1_000
"""The number of worlds in the first batch is reduced to one per so many steps of the budget: with many choices and long playouts, the default
could exceed a small budget."""
STEPS_AT_ONCE = 200_000
"""The approximate maximum number of steps in one call of the compiled loop, about a fifth of a second: Ctrl-C is handled between calls."""
ALTERNATIVES = 62
EVERYTHING = upto(ALTERNATIVES - 1)


@dataclass(frozen=True)
class Budget:
    """The budget for one choice: a number of steps in playouts, of simulations (one playout of one choice), or of seconds of CPU time.

    A step takes about the same time throughout a game, and unlike seconds, steps make the choice reproducible."""

    amount: float
    unit: str = "steps"


def all_choices(s: Any) -> Cards:
    """The default for ``consider``: all choices are tried."""
    return EVERYTHING


@dataclass(frozen=True)
class MonteCarloConfig:
    """The parameters of an evaluation.

    ``usual`` is the default policy: its choice is made unless another one is better by ``loyalty`` standard errors. ``consider`` returns the
    choices to try; ``playout`` is the policy of all players in playouts, and ``slips`` the probability of a random choice there instead, so that
    no plan depends on the others being predictable. ``likely`` is how well a sample explains what a seat did, and ``guesses`` the maximum number
    of samples drawn to find a likely one. ``stake`` is the value in points of winning the match, where a round ends it. With a function ``worth``,
    the value of a position, playouts end when the turn returns to the player."""

    usual: Policy[Any]
    playout: Policy[Any]
    loyalty: float = 0.0
    consider: Callable[[Any], Cards] = all_choices
    slips: float = 0.02
    likely: Callable[[Any, int], float] = uniform_likelihood
    guesses: int = 1
    stake: float = 0.0
    worth: Callable[[Any], float] = no_value


class MonteCarlo:
    """Evaluates the choices in views of one game. ``engine`` is 'plain' or 'compiled'; both give the same results."""

    def __init__(self, game: Game[Any], config: MonteCarloConfig, engine: str = "compiled") -> None:
        self.game, self.config = game, config
        self._use(engine)

    def _use(self, engine: str) -> None:
        game, config = self.game, self.config
        if engine == "compiled":
            from kortlek import compiled

            self._usual = compiled.build(make_usual, game, config.usual.choose)
            self._flat = compiled.build(make_flat, game, config.playout.choose, config.likely, config.worth)
            self._make: Callable[..., Any] = compiled.thinking_states
            self._pack, self._rng = compiled.int_array(LARGEST_PACK), compiled.int_array(1)
            self._gains, self._squares = compiled.float_array(ALTERNATIVES), compiled.float_array(ALTERNATIVES)
        else:
            self._usual = make_usual(game, config.usual.choose)
            self._flat = make_flat(game, config.playout.choose, config.likely, config.worth)
            self._make = _plain_states
            self._pack, self._rng = [0] * LARGEST_PACK, [0]
            self._gains, self._squares = [0.0] * ALTERNATIVES, [0.0] * ALTERNATIVES

    def think(self, seen: View[Any], budget: Budget, seed: int) -> list[Thought]:
        """The evaluation of each legal choice, the best first."""
        try:
            return self._think(seen, budget, seed)
        except CannotCompile as reason:
            warnings.warn(str(reason), stacklevel=2)
            self._use("plain")
            return self._think(seen, budget, seed)

    def _think(self, seen: View[Any], budget: Budget, seed: int) -> list[Thought]:
        began = time.process_time()
        config = self.config
        horizon = int(config.worth is not no_value)
        given = self._make(prepare(seen))
        self._rng[0] = seeded(seed, 0)
        for choice in range(ALTERNATIVES):
            self._gains[choice] = self._squares[choice] = 0.0
        usual = int(self._usual(*given, self._rng))
        running = config.consider(seen.state) & seen.legal | bit(usual)
        tried = dict.fromkeys(members(running), 0)
        phases = max(1, (size(running) - 1).bit_length())
        first = FIRST_WORLDS if budget.unit != "steps" else max(1, min(FIRST_WORLDS, int(budget.amount) // STEPS_PER_FIRST_WORLD))
        spent = played = 0.0
        steps_per_world = STEPS_AT_ONCE / first
        for phase in range(1, phases + 1):
            until = budget.amount * phase / phases
            while True:
                wanted = int((until - spent) * played / (spent * size(running))) if spent else first
                worlds = max(1, min(wanted, int(STEPS_AT_ONCE / steps_per_world)))
                room = self._pack, self._rng, usual, running, worlds, config.guesses, config.slips, config.stake, horizon, self._gains, self._squares
                steps = self._flat(*given, *room)
                steps_per_world = max(1.0, steps / worlds)
                for choice in members(running):
                    tried[choice] += worlds
                played += worlds * size(running)
                spent = {"seconds": time.process_time() - began, "simulations": played}.get(budget.unit, spent + steps)
                if spent + spent / played * size(running) > until:
                    break
            running = self._best_half(running, tried, usual)
        return sorted(self._thoughts(tried, usual), key=lambda thought: (thought.choice != self._decision(running, tried, usual), -thought.points))

    def _gain(self, choice: int, tried: dict[int, int], usual: int) -> float:
        """The mean gain of a choice over the default choice."""
        return 0.0 if choice == usual else float(self._gains[choice]) / tried[choice]

    def _best_half(self, running: Cards, tried: dict[int, int], usual: int) -> Cards:
        """The better half of the choices. The default choice always stays: the others are measured against it."""
        ranked = sorted(members(running), key=lambda choice: (-self._gain(choice, tried, usual), choice))
        return sum(bit(choice) for choice in ranked[: (len(ranked) + 1) // 2]) | bit(usual)

    def _decision(self, running: Cards, tried: dict[int, int], usual: int) -> int:
        """The best choice, or the default choice if the difference is not significant."""
        best = max(members(running), key=lambda choice: (self._gain(choice, tried, usual), -choice))
        gain, worlds = self._gain(best, tried, usual), tried[best]
        error = sqrt(max(0.0, float(self._squares[best]) / worlds - gain * gain) / worlds)
        return best if gain > self.config.loyalty * error else usual

    def _thoughts(self, tried: dict[int, int], usual: int) -> list[Thought]:
        usually = float(self._gains[usual]) / tried[usual]
        return [Thought(choice, worlds, usually + self._gain(choice, tried, usual)) for choice, worlds in tried.items()]


def _plain_states(guess: Guess[Any]) -> tuple[Any, Any, Any, Any, Any]:
    return [guess.known], [None, None], None, [guess.plan], guess.ways


class MonteCarloBot:
    """A bot that evaluates its choices by Monte Carlo, within its budget. With a budget in steps or simulations the result depends only on view
    and seed."""

    def __init__(self, thinker: MonteCarlo, budget: Budget, seed: int) -> None:
        self.thinker, self.budget, self._seed = thinker, budget, seed

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view."""
        return self.thoughts(view)[0].choice

    def thoughts(self, view: View[Any]) -> list[Thought]:
        """The evaluation of each legal choice, the best first."""
        if size(view.legal) == 1:
            return [Thought(next(members(view.legal)), 0, 0.0)]
        return self.thinker.think(view, self.budget, self._seed)
