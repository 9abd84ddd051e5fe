"""The inner loops of the bots, each written once for both engines (see ``kortlek.engine.loops``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kortlek.bots.policy import Choose
from kortlek.cards import bit, lowest, size
from kortlek.engine.loops import MOST_CHOICES, Compiler, as_it_is, copy_into
from kortlek.engine.payoffs import over_rivals_rule
from kortlek.engine.redeal_plan import deal_out, lay_out
from kortlek.engine.rng import fraction, pick, shuffle
from kortlek.game import OVER, Game

DEFAULT_CHOICE = 62
"""A bit in a set of choices that stands for the default choice, which is tried first."""


def make_playouts(game: Game[Any], policy: Choose, compile: Compiler = as_it_is) -> Callable[..., int]:
    """Build the loop that plays one position repeatedly to the end of its round, with a policy in every seat."""
    rules = game.rules
    apply = rules.apply

    def playouts(position: Any, states: Any, rng: Any, times: int) -> int:
        """Return the total number of choices. A playout also ends where cards would have to be reshuffled, as Rummy's stock may be, and after
        ``MOST_CHOICES`` choices."""
        choices = 0
        for _ in range(times):
            copy_into(states, 0, position[0])
            s = states[0]
            present = s.round
            until = choices + MOST_CHOICES
            while s.phase >= 0 and s.round == present and choices < until:
                apply(s, policy(s, rng))
                choices += 1
        return choices

    return compile(playouts)


def make_usual(game: Game[Any], policy: Choose, compile: Compiler = as_it_is) -> Callable[..., int]:
    """Build the function that returns the choice of a policy in a sampled deal of the hidden cards."""

    def usual(root: Any, states: Any, flat: Any, plans: Any, ways: Any, rng: Any) -> int:
        """One of the legal choices of the player in turn. The sampled deal is left in ``states[0]``."""
        copy_into(states, 0, root[0])
        deal_out(plans[0], ways, rng)
        lay_out(states, flat, plans[0])
        return policy(states[0], rng)

    return compile(usual)


def make_flat(
    game: Game[Any],
    playout: Choose,
    likely: Callable[[Any, int], float],
    worth: Callable[[Any], float],
    compile: Compiler = as_it_is,
) -> Callable[..., int]:
    """Flat Monte Carlo: every choice still in the running is tried in the same samples of the hidden cards, and played out.

    ``likely(s, seat)``, from 0 to 1, is how well a sample explains what a seat has done so far. ``worth(s)`` estimates the value of a position for
    the player who has just got the turn; with a ``horizon``, playouts end with that estimate when the turn returns to the player."""
    rules, over_rivals = game.rules, over_rivals_rule(game)
    cards_to_shuffle, deal, legal, apply, winners = rules.cards_to_shuffle, rules.deal, rules.legal, rules.apply, rules.winners

    def flat(
        root: Any,
        states: Any,
        flat: Any,
        plans: Any,
        ways: Any,
        pack: Any,
        rng: Any,
        usual: int,
        running: int,
        worlds: int,
        guesses: int,
        slips: float,
        stake: float,
        horizon: int,
        gains: Any,
        squares: Any,
    ) -> int:
        """Evaluate the choices in ``worlds`` sampled worlds, and return the number of steps.

        The points over the other players that the default choice ``usual`` earns the player in turn are added to its ``gains``; for every other
        choice in ``running`` the difference to the default choice is added to its ``gains`` and the squared difference to its ``squares``.

        A world is the first of up to ``guesses`` samples that passes the likelihood test. ``slips`` is the probability of a random choice in a
        playout, and ``stake`` is the value in points of winning the match, if it ends."""
        me = root[0].turn
        present = root[0].round
        steps = 0
        for _ in range(worlds):
            for _ in range(guesses):
                copy_into(states, 0, root[0])
                deal_out(plans[0], ways, rng)
                lay_out(states, flat, plans[0])
                if guesses == 1:
                    break
                steps += root[0].players
                chance = 1.0
                for seat in range(root[0].players):
                    if seat != me:
                        chance *= likely(states[0], seat)
                if fraction(rng) < chance:
                    break
            luck = rng[0]
            usually = 0.0
            left = running & ~bit(usual) | bit(DEFAULT_CHOICE)
            while left:
                first = left & bit(DEFAULT_CHOICE) != 0
                choice = usual if first else lowest(left)
                left &= ~bit(DEFAULT_CHOICE) if first else ~bit(choice)
                rng[0] = luck  # common random numbers: every choice sees the same luck
                copy_into(states, 1, states[0])
                s = states[1]
                apply(s, choice)
                steps += 1
                until = steps + MOST_CHOICES
                away = False
                foreseen = 0.0
                while s.phase != OVER and s.round == present and steps < until:
                    away = away or s.turn != me
                    if horizon and away and s.turn == me and s.phase >= 0:
                        foreseen = worth(s)
                        break
                    if s.phase < 0:
                        shuffle(pack, cards_to_shuffle(s, pack), rng)
                        deal(s, pack)
                    elif slips > 0.0 and fraction(rng) < slips:
                        apply(s, pick(legal(s), rng))
                    else:
                        apply(s, playout(s, rng))
                    steps += 1
                earned = foreseen + over_rivals(root[0], s, me)
                if s.phase == OVER and stake > 0.0:
                    won = winners(s)
                    earned += stake / size(won) if won >> me & 1 else 0.0
                if first:
                    usually = earned
                    gains[choice] += earned
                else:
                    gains[choice] += earned - usually
                    squares[choice] += (earned - usually) * (earned - usually)
        return steps

    return compile(flat)


def uniform_likelihood(s: Any, seat: int) -> float:
    """The default likelihood: all samples are equally good."""
    return 1.0


def no_value(s: Any) -> float:
    """The default value of a position: none, playouts go on to the end of the round."""
    return 0.0
