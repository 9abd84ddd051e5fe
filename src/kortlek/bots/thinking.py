"""Thinking: try the choices in fair guesses at the hidden cards, play each out by rules of thumb, and prefer what earns most.

All choices are tried in the same guesses and with the same luck, so that what differs is what the choice does. After each part of the
time the worse half is given up (sequential halving), so that most of it goes to the choices that are hard to tell apart.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kortlek.bots.bot import Thought
from kortlek.bots.loops import make_flat, never, no_matter
from kortlek.bots.policy import Policy
from kortlek.cards import Cards, bit, members, size
from kortlek.play.information import Guess, View, prepare
from kortlek.play.loops import CannotCompile
from kortlek.play.plain import LARGEST_PACK
from kortlek.play.seeded import seeded
from kortlek.rules.game import SEATS, Game

FIRST_WORLDS = 4
ALTERNATIVES = 62
ROOM, WIDE = 64, SEATS + 3


@dataclass(frozen=True)
class Budget:
    """How long to think about a choice: a number of steps in playouts, of simulations (a choice played out once), or of seconds.

    Steps take about the same time everywhere, and unlike seconds they always give the same choice."""

    amount: float
    unit: str = "steps"


@dataclass(frozen=True)
class Manner:
    """How to think. ``playout`` is how everyone plays on; ``slips`` how often they do anything at all instead, so that no plan rests on
    what the others surely do; ``likely`` how well a guess explains what somebody did, and ``guesses`` how many are made to find a likely
    one; ``stake`` what winning the match is worth in points where a round ends it; ``nearly_over`` when the rest is solved."""

    playout: Policy[Any]
    slips: float = 0.02
    likely: Callable[[Any, int], float] = no_matter
    guesses: int = 1
    stake: float = 0.0
    nearly_over: Callable[[Any], bool] = never


class Thinker:
    """Thinks about views of one game. ``engine`` is 'plain' or 'compiled'; both think the same."""

    def __init__(self, game: Game[Any], manner: Manner, engine: str = "compiled") -> None:
        self.game, self.manner = game, manner
        self._use(engine)

    def _use(self, engine: str) -> None:
        game, manner = self.game, self.manner
        if engine == "compiled":
            from kortlek.play import compiled

            self._flat = compiled.build(make_flat, game, manner.playout.choose, manner.likely, manner.nearly_over)
            self._make: Callable[..., Any] = compiled.thinking_states
            self._pack, self._rng, self._totals = compiled.int_array(LARGEST_PACK), compiled.int_array(1), compiled.float_array(ALTERNATIVES)
            self._room = compiled.int_array(ROOM), compiled.int_array(ROOM * WIDE).reshape(ROOM, WIDE)
        else:
            self._flat = make_flat(game, manner.playout.choose, manner.likely, manner.nearly_over)
            self._make = _plain_states
            self._pack, self._rng, self._totals = [0] * LARGEST_PACK, [0], [0.0] * ALTERNATIVES
            self._room = [0] * ROOM, [[0] * WIDE for _ in range(ROOM)]

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
        given = self._make(prepare(seen))
        manner = self.manner
        self._rng[0] = seeded(seed, 0)
        for choice in range(ALTERNATIVES):
            self._totals[choice] = 0.0
        running, tried = seen.legal, dict.fromkeys(members(seen.legal), 0)
        phases = max(1, (size(running) - 1).bit_length())
        spent = played = 0.0
        for phase in range(1, phases + 1):
            until = budget.amount * phase / phases
            while True:
                worlds = max(1, int((until - spent) * played / (spent * size(running)))) if spent else FIRST_WORLDS
                steps = self._flat(
                    *given, self._pack, self._rng, running, worlds, manner.guesses, manner.slips, manner.stake, self._totals, *self._room
                )
                for choice in members(running):
                    tried[choice] += worlds
                played += worlds * size(running)
                spent = {"seconds": time.process_time() - began, "simulations": played}.get(budget.unit, spent + steps)
                if spent + spent / played * size(running) > until:
                    break
            running = self._best_half(running, tried)
        thoughts = [Thought(choice, worlds, float(self._totals[choice]) / worlds) for choice, worlds in tried.items()]
        return sorted(thoughts, key=lambda thought: (-thought.worlds, -thought.points, thought.choice))

    def _best_half(self, running: Cards, tried: dict[int, int]) -> Cards:
        ranked = sorted(members(running), key=lambda choice: (-self._totals[choice] / tried[choice], choice))
        return sum(bit(choice) for choice in ranked[: (len(ranked) + 1) // 2])


def _plain_states(guess: Guess[Any]) -> tuple[Any, Any, Any, Any, Any]:
    return [guess.known], [None] * ROOM, None, [guess.plan], guess.ways


class Thoughtful:
    """A bot that thinks before each choice, for as long as its budget lasts. What it thinks depends on the view and its seed only."""

    def __init__(self, thinker: Thinker, budget: Budget, seed: int) -> None:
        self.thinker, self.budget, self._seed = thinker, budget, seed

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view."""
        return self.thoughts(view)[0].choice

    def thoughts(self, view: View[Any]) -> list[Thought]:
        """What it thinks of each legal choice, the best first."""
        if size(view.legal) == 1:
            return [Thought(next(members(view.legal)), 0, 0.0)]
        return self.thinker.think(view, self.budget, self._seed)
