"""The loops in which bots play and think, each written once for both engines (see ``kortlek.play.loops``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from kortlek.bots.policy import Choose
from kortlek.cards import bit, lowest, size
from kortlek.play.redealing import deal_out, lay_out
from kortlek.play.loops import Compiler, as_it_is, copy_into
from kortlek.play.seeded import fraction, pick, seeded, shuffle
from kortlek.rules.game import OVER, Game

FIRST_OF_ALL = 62
"""Stands in a set of choices for the usual one, which is tried first."""
FIRST, SECOND, THINKS = 0, 1, 2
"""Who decides for a seat: the first policy, the second, or somebody outside the loop."""
ROUNDS_APART = 4096
"""The deals of match n of a seed are drawn from generators of their own, one for each round: no choice ever changes a later deal."""


def make_advance(game: Game[Any], first: Choose, second: Choose, compile: Compiler = as_it_is) -> Callable[..., int]:
    """A match in which each seat follows one of two policies, or is asked from outside."""
    gather, deal, apply = game.gather, game.deal, game.apply

    def advance(states: Any, pack: Any, dealing: Any, rngs: Any, seed: int, number: int, deciders: Any, rounds: int) -> int:
        """Play on in ``states[0]`` until it is the turn of somebody from outside, or so many rounds are over. How many choices were made.

        ``dealing`` is the generator of the deals and the round it is for, which is none (-1) at the start of a match; ``rngs`` has a
        generator for each seat."""
        s = states[0]
        choices = 0
        while s.phase != OVER and s.round < rounds:
            if s.phase < 0:
                if dealing[1] != s.round:
                    dealing[0] = seeded(seed, number * ROUNDS_APART + s.round)
                    dealing[1] = s.round
                shuffle(pack, gather(s, pack), dealing)
                deal(s, pack)
            elif deciders[s.turn] == THINKS:
                break
            else:
                apply(s, first(s, rngs[s.turn]) if deciders[s.turn] == FIRST else second(s, rngs[s.turn]))
                choices += 1
        return choices

    return compile(advance)


_advance = cache(make_advance)
"""The same one each time it is asked for, as compiled callers need it."""


def make_matches(game: Game[Any], first: Choose, second: Choose, compile: Compiler = as_it_is) -> Callable[..., None]:
    """Whole matches in which each seat follows one of two policies."""
    start, winners, advance = game.start, game.winners, _advance(game, first, second)

    def matches(
        blank: Any, states: Any, pack: Any, dealing: Any, rngs: Any, seed: int, number: int, deciders: Any, rounds: int, scores: Any, facts: Any
    ) -> None:
        """Match ``number + i`` of the seed goes to row i of ``scores`` and of ``facts`` (winners, rounds, choices)."""
        for i in range(len(scores)):
            copy_into(states, 0, blank[0])
            s = states[0]
            start(s)
            dealing[1] = -1
            for seat in range(s.players):
                rngs[seat][0] = seeded(seat_seed(seed, number + i, seat), 0)
            facts[i][2] = advance(states, pack, dealing, rngs, seed, number + i, deciders, rounds)
            for seat in range(s.players):
                scores[i][seat] = s.score[seat]
            facts[i][0] = winners(s)
            facts[i][1] = s.round

    return compile(matches)


def seat_seed(seed: int, number: int, seat: int) -> int:
    """The seed of the bot in a seat in match n of a seed."""
    return seeded(seeded(seed, number), seat)


def make_playouts(game: Game[Any], policy: Choose, compile: Compiler = as_it_is) -> Callable[..., int]:
    """One position played on to the end of its round by a policy in every seat, again and again."""
    apply = game.apply

    def playouts(position: Any, states: Any, rng: Any, times: int) -> int:
        """How many choices were made in all. A round that has to be dealt again, as Rummy's stock may, ends there."""
        choices = 0
        for _ in range(times):
            copy_into(states, 0, position[0])
            s = states[0]
            present = s.round
            while s.phase >= 0 and s.round == present:
                apply(s, policy(s, rng))
                choices += 1
        return choices

    return compile(playouts)


def make_usual(game: Game[Any], policy: Choose, compile: Compiler = as_it_is) -> Callable[..., int]:
    """What a policy chooses, shown a guess at the hidden cards."""

    def usual(root: Any, states: Any, flat: Any, plans: Any, ways: Any, rng: Any) -> int:
        """One of the legal choices of the player in turn. The guess lies in ``states[0]``."""
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
    """Flat Monte Carlo: every choice that is left in the running is tried in the same guesses at the hidden cards, and played out.

    ``likely(s, seat)``, from 0 to 1, is how well a guess explains what somebody has done so far. ``worth(s)`` is what a position is worth to the
    player in turn, who has just got it; with a ``horizon`` playouts end there, when the turn comes round to her."""
    gather, deal, legal, apply, winners = game.gather, game.deal, game.legal, game.apply, game.winners
    per_point = -1.0 if game.lowest_wins else 1.0

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
        """Add what the usual choice earns the player in turn in so many worlds, in points over the others, to its ``gains``, and to those of
        each choice in the running what it earns more than the usual one, with the ``squares``. How many steps it took.

        A world is the first of so many guesses that is likely enough. ``slips`` is how often somebody in a playout does anything at
        all, ``stake`` what winning the match is worth in points if it ends."""
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
            left = running & ~bit(usual) | bit(FIRST_OF_ALL)
            while left:
                first = left & bit(FIRST_OF_ALL) != 0
                choice = usual if first else lowest(left)
                left &= ~bit(FIRST_OF_ALL) if first else ~bit(choice)
                rng[0] = luck  # the same luck for every choice
                copy_into(states, 1, states[0])
                s = states[1]
                apply(s, choice)
                steps += 1
                away = False
                foreseen = 0.0
                while s.phase != OVER and s.round == present:
                    away = away or s.turn != me
                    if horizon and away and s.turn == me and s.phase >= 0:
                        foreseen = worth(s)
                        break
                    if s.phase < 0:
                        shuffle(pack, gather(s, pack), rng)
                        deal(s, pack)
                    elif slips > 0.0 and fraction(rng) < slips:
                        apply(s, pick(legal(s), rng))
                    else:
                        apply(s, playout(s, rng))
                    steps += 1
                own = s.score[me] - root[0].score[me]
                others = -own
                for seat in range(s.players):
                    others += s.score[seat] - root[0].score[seat]
                earned = foreseen + per_point * (own - others / (s.players - 1))
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


def no_matter(s: Any, seat: int) -> float:
    """Every guess is as good as any other."""
    return 1.0


def nothing(s: Any) -> float:
    """Nobody knows what a position is worth."""
    return 0.0
