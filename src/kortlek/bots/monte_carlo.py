"""Thinking: try the choices in fair guesses at the hidden cards, play each out by rules of thumb, and prefer what earns most.

All choices are tried in the same guesses and with the same luck, so that what differs is what the choice does. After each part of the
time the worse half is given up (sequential halving), so that most of it goes to the choices that are hard to tell apart.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from kortlek.bots.bot import Thought
from kortlek.bots.loops import make_flat, make_usual, no_matter, nothing
from kortlek.bots.policy import Policy
from kortlek.cards import Cards, bit, members, size, upto
from kortlek.engine.loops import CannotCompile
from kortlek.engine.plain import LARGEST_PACK
from kortlek.engine.redeal import Guess, prepare
from kortlek.engine.rng import seeded
from kortlek.engine.views import View
from kortlek.game import Game

FIRST_WORLDS = 4
STEPS_PER_FIRST_WORLD = 1_000
"""Where choices and steps are many, the first guesses alone could be more than the whole of a small budget."""
STEPS_AT_ONCE = 200_000
"""A call of the compiled loop makes about so many steps at most, which is about a fifth of a second: in between Ctrl-C is heard."""
ALTERNATIVES = 62
EVERYTHING = upto(ALTERNATIVES - 1)


@dataclass(frozen=True)
class Budget:
    """How long to think about a choice: a number of steps in playouts, of simulations (a choice played out once), or of seconds.

    Steps take about the same time everywhere, and unlike seconds they always give the same choice."""

    amount: float
    unit: str = "steps"


def all_of_them(s: Any) -> Cards:
    """Every choice is worth a thought."""
    return EVERYTHING


@dataclass(frozen=True)
class MonteCarloConfig:
    """How to think.

    ``usual`` is what one would do without thinking, and does unless something else is better by so many standard errors (``loyalty``).
    ``consider`` are the choices worth a thought; ``playout`` is how everyone plays on, and ``slips`` how often they do anything at all
    instead, so that no plan rests on what the others surely do. ``likely`` is how well a guess explains what somebody did, ``guesses``
    how many are made to find a likely one. ``stake`` is what winning the match is worth in points where a round ends it. Where somebody
    knows what a position is ``worth``, playouts end when the turn comes round."""

    usual: Policy[Any]
    playout: Policy[Any]
    loyalty: float = 0.0
    consider: Callable[[Any], Cards] = all_of_them
    slips: float = 0.02
    likely: Callable[[Any, int], float] = no_matter
    guesses: int = 1
    stake: float = 0.0
    worth: Callable[[Any], float] = nothing


class MonteCarlo:
    """Thinks about views of one game. ``engine`` is 'plain' or 'compiled'; both think the same."""

    def __init__(self, game: Game[Any], manner: MonteCarloConfig, engine: str = "compiled") -> None:
        self.game, self.manner = game, manner
        self._use(engine)

    def _use(self, engine: str) -> None:
        game, manner = self.game, self.manner
        if engine == "compiled":
            from kortlek import compiled

            self._usual = compiled.build(make_usual, game, manner.usual.choose)
            self._flat = compiled.build(make_flat, game, manner.playout.choose, manner.likely, manner.worth)
            self._make: Callable[..., Any] = compiled.thinking_states
            self._pack, self._rng = compiled.int_array(LARGEST_PACK), compiled.int_array(1)
            self._gains, self._squares = compiled.float_array(ALTERNATIVES), compiled.float_array(ALTERNATIVES)
        else:
            self._usual = make_usual(game, manner.usual.choose)
            self._flat = make_flat(game, manner.playout.choose, manner.likely, manner.worth)
            self._make = _plain_states
            self._pack, self._rng = [0] * LARGEST_PACK, [0]
            self._gains, self._squares = [0.0] * ALTERNATIVES, [0.0] * ALTERNATIVES

    def think(self, seen: View[Any], budget: Budget, seed: int) -> list[Thought]:
        """What is thought of each legal choice, the best first."""
        try:
            return self._think(seen, budget, seed)
        except CannotCompile as reason:
            warnings.warn(str(reason), stacklevel=2)
            self._use("plain")
            return self._think(seen, budget, seed)

    def _think(self, seen: View[Any], budget: Budget, seed: int) -> list[Thought]:
        began = time.process_time()
        manner = self.manner
        horizon = int(manner.worth is not nothing)
        given = self._make(prepare(seen))
        self._rng[0] = seeded(seed, 0)
        for choice in range(ALTERNATIVES):
            self._gains[choice] = self._squares[choice] = 0.0
        usual = int(self._usual(*given, self._rng))
        running = manner.consider(seen.state) & seen.legal | bit(usual)
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
                room = self._pack, self._rng, usual, running, worlds, manner.guesses, manner.slips, manner.stake, horizon, self._gains, self._squares
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
        """What a choice earns more than the usual one."""
        return 0.0 if choice == usual else float(self._gains[choice]) / tried[choice]

    def _best_half(self, running: Cards, tried: dict[int, int], usual: int) -> Cards:
        """The usual choice stays in the running: the others are measured by it."""
        ranked = sorted(members(running), key=lambda choice: (-self._gain(choice, tried, usual), choice))
        return sum(bit(choice) for choice in ranked[: (len(ranked) + 1) // 2]) | bit(usual)

    def _decision(self, running: Cards, tried: dict[int, int], usual: int) -> int:
        """The best choice; but the usual one, if it is not clear enough that another is better."""
        best = max(members(running), key=lambda choice: (self._gain(choice, tried, usual), -choice))
        gain, worlds = self._gain(best, tried, usual), tried[best]
        error = sqrt(max(0.0, float(self._squares[best]) / worlds - gain * gain) / worlds)
        return best if gain > self.manner.loyalty * error else usual

    def _thoughts(self, tried: dict[int, int], usual: int) -> list[Thought]:
        usually = float(self._gains[usual]) / tried[usual]
        return [Thought(choice, worlds, usually + self._gain(choice, tried, usual)) for choice, worlds in tried.items()]


def _plain_states(guess: Guess[Any]) -> tuple[Any, Any, Any, Any, Any]:
    return [guess.known], [None, None], None, [guess.plan], guess.ways


class MonteCarloBot:
    """A bot that thinks before each choice, for as long as its budget lasts. What it thinks depends on the view and its seed only."""

    def __init__(self, thinker: MonteCarlo, budget: Budget, seed: int) -> None:
        self.thinker, self.budget, self._seed = thinker, budget, seed

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view."""
        return self.thoughts(view)[0].choice

    def thoughts(self, view: View[Any]) -> list[Thought]:
        """What it thinks of each legal choice, the best first."""
        if size(view.legal) == 1:
            return [Thought(next(members(view.legal)), 0, 0.0)]
        return self.thinker.think(view, self.budget, self._seed)
