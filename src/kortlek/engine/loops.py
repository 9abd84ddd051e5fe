"""The loops that run a game fast, each written once for both engines.

``make_...(game)`` returns an interpreted loop over Python objects; ``kortlek.compiled`` passes the same functions to Numba. The game's rules are
constants of the closure, so that the compiler can inline them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from kortlek.engine.plain import Refused, copy_of
from kortlek.engine.rng import pick, seeded, shuffle
from kortlek.game import LOTS, OVER, Game, State
from kortlek.game.base import MOST_ROUNDS

F = TypeVar("F", bound=Callable[..., Any])
Compiler = Callable[[Callable[..., Any]], Callable[..., Any]]
MOST_CHOICES = 20_000
"""The largest number of events in a round: every loop stops there and treats the round as endless."""


class CannotCompile(Exception):
    """Raised if a game uses Python that Numba cannot compile; the text says in one line where and why."""


def as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiler of the plain engine: return the function unchanged."""
    return function


def inlined(function: F) -> F:
    """Mark a function to be inlined into its compiled callers, because a call would take longer than its body."""
    function.__dict__["is_inlined"] = True
    return function


def copy_into(states: Any, at: int, original: Any) -> None:
    """Copy a state to ``states[at]`` (compiled: one memory copy)."""
    states[at] = copy_of(original)


def did_not_end(game: Game[Any], s: State, match: int, limit: int = MOST_CHOICES) -> Refused:
    """The error for a match that was stopped by a limit: what it waits for, and whose turn it is."""
    waits_for = f"seat {s.turn + 1} to {game.choices[s.phase].name}" if s.phase >= 0 else "lots" if s.phase == LOTS else "a deal"
    if s.round >= MOST_ROUNDS:
        return Refused(f"Match {match} did not end within {MOST_ROUNDS:,} rounds; it waits for {waits_for}.")
    what = f"Match {match}" if s.round == 0 else f"Round {s.round + 1} of match {match}"
    return Refused(f"{what} did not end within {limit:,} choices; it waits for {waits_for}.")


def make_rollouts(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., int]:
    """Make a loop that plays one position at random to the end of its round, many times."""
    rules = game.rules
    cards_to_shuffle, deal, legal, apply = rules.cards_to_shuffle, rules.deal, rules.legal, rules.apply

    def rollouts(position: Any, states: Any, pack: Any, rng: Any, times: int) -> int:
        """Play ``times`` rollouts; return the total number of choices. An endless round is abandoned after ``MOST_CHOICES``."""
        choices = 0
        for _ in range(times):
            copy_into(states, 0, position[0])
            s = states[0]
            present = s.round
            steps = 0
            while s.phase != OVER and s.round == present and steps < MOST_CHOICES:
                if s.phase < 0:
                    shuffle(pack, cards_to_shuffle(s, pack), rng)
                    deal(s, pack)
                    steps += 1
                while s.phase >= 0 and steps < MOST_CHOICES:
                    apply(s, pick(legal(s), rng))
                    choices += 1
                    steps += 1
        return choices

    return compile(rollouts)


def make_stepper(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., int]:
    """Make a loop that advances many matches side by side, one choice in each at a time."""
    rules = game.rules
    start, cards_to_shuffle, deal, legal, apply = rules.start, rules.cards_to_shuffle, rules.deal, rules.legal, rules.apply

    def step(blank: Any, states: Any, pack: Any, rngs: Any, seed: int, actions: Any, masks: Any, turns: Any, scores: Any, ended: Any) -> int:
        """Apply choice ``actions[i]`` in match i (a negative action restarts the match), then deal where a deal is due. Return the number of matches,
        or the index of a match that deals without end.

        ``masks[i]`` and ``turns[i]`` are then the legal choices and the player in turn. Where a match has ended, ``ended[i]`` is 1, ``scores[i]`` its
        result, and a new match has begun. ``rngs[i]`` holds the generator of row i and the number of its matches: the deals of a match depend on the
        seed, its row and its number."""
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
                rngs[i][0] = seeded(seeded(seed, i), rngs[i][1])
                rngs[i][1] += 1
            deals = 0
            while s.phase < OVER:
                if deals == MOST_CHOICES:
                    return i
                shuffle(pack, cards_to_shuffle(s, pack), rngs[i])
                deal(s, pack)
                deals += 1
            masks[i] = legal(s)
            turns[i] = s.turn
        return len(actions)

    return compile(step)
