"""The loops that run a game fast, each written once for both engines.

``make_...(game)`` gives an interpreted loop over Python objects; ``kortlek.play.compiled`` hands the same functions to Numba. The
game's rules are constants of the closure, so the compiler sees through them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kortlek.play.plain import copy_of
from kortlek.play.seeded import pick, seeded, shuffle
from kortlek.rules.game import OVER, Game


Compiler = Callable[[Callable[..., Any]], Callable[..., Any]]


class CannotCompile(Exception):
    """A game is outside the part of Python that Numba compiles; the text says in one line where and why."""


def as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    """Do not compile."""
    return function


def copy_into(states: Any, at: int, original: Any) -> None:
    """Let ``states[at]`` be a copy of a state (compiled: one memory copy)."""
    states[at] = copy_of(original)


def make_simulator(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., None]:
    """Whole matches with a chance bot in every seat."""
    start, gather, deal, legal, apply, winners = game.start, game.gather, game.deal, game.legal, game.apply, game.winners

    def simulate(blank: Any, states: Any, pack: Any, rng: Any, seed: int, first: int, scores: Any, facts: Any) -> None:
        """Match ``first + i`` of the seed goes to row i of ``scores`` and of ``facts`` (winners, rounds, choices).
        The last state stays in ``states[0]``."""
        for i in range(len(scores)):
            rng[0] = seeded(seed, first + i)
            copy_into(states, 0, blank[0])
            s = states[0]
            start(s)
            choices = 0
            while s.phase != OVER:
                shuffle(pack, gather(s, pack), rng)
                deal(s, pack)
                while s.phase >= 0:
                    apply(s, pick(legal(s), rng))
                    choices += 1
            for seat in range(s.players):
                scores[i][seat] = s.score[seat]
            facts[i][0] = winners(s)
            facts[i][1] = s.round
            facts[i][2] = choices

    return compile(simulate)


def make_rollouts(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., int]:
    """Random play of one position to the end of its round, again and again."""
    gather, deal, legal, apply = game.gather, game.deal, game.legal, game.apply

    def rollouts(position: Any, states: Any, pack: Any, rng: Any, times: int) -> int:
        """How many choices were made in all."""
        choices = 0
        for _ in range(times):
            copy_into(states, 0, position[0])
            s = states[0]
            present = s.round
            while s.phase != OVER and s.round == present:
                if s.phase < 0:
                    shuffle(pack, gather(s, pack), rng)
                    deal(s, pack)
                while s.phase >= 0:
                    apply(s, pick(legal(s), rng))
                    choices += 1
        return choices

    return compile(rollouts)


def make_stepper(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., None]:
    """Many matches side by side, one choice in each at a time."""
    start, gather, deal, legal, apply = game.start, game.gather, game.deal, game.legal, game.apply

    def step(blank: Any, states: Any, pack: Any, rng: Any, actions: Any, masks: Any, turns: Any, scores: Any, ended: Any) -> None:
        """Make choice ``actions[i]`` in match i (below zero: start it anew); deal where a deal is due.

        ``masks[i]`` and ``turns[i]`` are then the legal choices and whose they are. Where a match has ended, ``ended[i]`` is 1,
        ``scores[i]`` its result, and a new one has begun."""
        for i in range(len(actions)):
            s = states[i]
            ended[i] = 0
            if actions[i] >= 0:
                apply(s, actions[i])
                if s.phase == OVER:
                    ended[i] = 1
                    for seat in range(s.players):
                        scores[i][seat] = s.score[seat]
            if actions[i] < 0 or ended[i] == 1:
                copy_into(states, i, blank[0])
                s = states[i]
                start(s)
            while s.phase < OVER:
                shuffle(pack, gather(s, pack), rng)
                deal(s, pack)
            masks[i] = legal(s)
            turns[i] = s.turn

    return compile(step)
