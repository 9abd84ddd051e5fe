"""Information-set Monte Carlo tree search, for any game: sample the hidden cards, walk down the tree, and play out at random.

There is a single tree, from the point of view of the searching player. Every simulation redeals what that player does not see
(``kortlek.engine.redeal``), descends by the upper confidence bound among the choices that are legal in that deal, adds one node, and plays at
random to the end of the round. The value of a round to a player is her points less the mean of the others', in units of the game's ``swing``.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Any

from kortlek.bots.bot import Thought
from kortlek.bots.knobs import knobs_of
from kortlek.cards import bit, lowest, size
from kortlek.engine.loops import MOST_CHOICES, Compiler, as_it_is, copy_into
from kortlek.engine.payoffs import over_rivals_rule
from kortlek.engine.redeal import Guess, prepare
from kortlek.engine.redeal_plan import deal_out, lay_out
from kortlek.engine.rng import pick, seeded, shuffle
from kortlek.engine.views import View
from kortlek.game import OVER, Game
from kortlek.game.game import LARGEST_PACK

MOST_NODES = 60_000
DEEPEST = 4_000
EXPLORE = 0.4


def make_search(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., int]:
    """Build the search loop with the rules of a game."""
    rules, over_rivals, swing = game.rules, over_rivals_rule(game), float(knobs_of(game).swing)
    cards_to_shuffle, deal, legal, apply = rules.cards_to_shuffle, rules.deal, rules.legal, rules.apply

    def search(
        root: Any,
        states: Any,
        flat: Any,
        plans: Any,
        ways: Any,
        pack: Any,
        rng: Any,
        simulations: int,
        explore: float,
        choice: Any,
        moment: Any,
        child: Any,
        sibling: Any,
        visits: Any,
        chances: Any,
        total: Any,
        path: Any,
    ) -> int:
        """Grow the tree in the arrays, with node 0 as the root, and return the number of nodes.

        The arrays hold for each node: the choice that leads to it and the moment (turn and phase) of that choice, its first child and next
        sibling, how often it was visited and how often it was available, and the total value to the player who made the choice."""
        nodes = 1
        child[0] = -1
        visits[0] = 0
        present = root[0].round
        for _ in range(simulations):
            copy_into(states, 0, root[0])
            deal_out(plans[0], ways, rng)
            lay_out(states, flat, plans[0])
            s = states[0]
            node = 0
            depth = 0
            growing = True
            steps = 0
            while s.phase != OVER and s.round == present and steps < MOST_CHOICES:
                steps += 1
                if s.phase < 0:
                    shuffle(pack, cards_to_shuffle(s, pack), rng)
                    deal(s, pack)
                elif not growing:
                    apply(s, pick(legal(s), rng))
                else:
                    now = s.turn * 64 + s.phase
                    possible = legal(s)
                    untried = possible
                    best = -1
                    best_bound = -1e9
                    k = child[node]
                    while k >= 0:
                        if moment[k] == now and possible >> choice[k] & 1:
                            untried &= ~bit(choice[k])
                            chances[k] += 1
                            bound = total[k] / visits[k] + explore * sqrt(log(chances[k]) / visits[k])
                            if bound > best_bound:
                                best_bound = bound
                                best = k
                        k = sibling[k]
                    if untried:
                        growing = False
                        best = nodes
                        if nodes == len(choice):  # the tree is full: continue at random
                            apply(s, pick(untried, rng))
                            continue
                        nodes += 1
                        choice[best] = pick(untried, rng)
                        moment[best] = now
                        child[best] = -1
                        visits[best] = 0
                        chances[best] = 1
                        total[best] = 0.0
                        sibling[best] = child[node]
                        child[node] = best
                    apply(s, choice[best])
                    node = best
                    path[depth] = best
                    depth += 1
                    if depth == len(path):
                        growing = False
            visits[0] += 1
            for d in range(depth):
                k = path[d]
                visits[k] += 1
                total[k] += over_rivals(root[0], s, moment[k] // 64) / swing
        return nodes

    return compile(search)


class Searcher:
    """Searches from views; reuses the arrays between searches. ``engine`` is 'plain' or 'compiled'; both grow the same tree."""

    def __init__(self, game: Game[Any], engine: str = "compiled", most_nodes: int = MOST_NODES) -> None:
        self.game = game
        if engine == "compiled":
            from kortlek import compiled

            self._search = compiled.build(make_search, game)
            self._make: Callable[..., Any] = compiled.search_states
            self._numbers: Callable[[int], Any] = compiled.int_array
            self._fractions: Callable[[int], Any] = compiled.float_array
            self._pack: Any = compiled.int_array(LARGEST_PACK)
        else:
            self._search = make_search(game)
            self._make, self._numbers, self._fractions = _plain_states, lambda n: [0] * n, lambda n: [0.0] * n
            self._pack = [0] * LARGEST_PACK
        self.nodes = 0
        self.tree = [*(self._numbers(most_nodes) for _ in range(6)), self._fractions(most_nodes), self._numbers(DEEPEST)]

    def think(self, seen: View[Any], simulations: int, seed: int, explore: float = EXPLORE) -> list[Thought]:
        """The evaluation of each legal choice, the most visited first."""
        given = self._make(prepare(seen))
        rng = self._numbers(1)
        rng[0] = seeded(seed, 0)
        self.nodes = self._search(*given, self._pack, rng, simulations, explore, *self.tree)
        choice, _, child, sibling, visits, _, total, _ = self.tree
        thoughts, k = [], int(child[0])
        while k >= 0:
            thoughts.append(Thought(int(choice[k]), int(visits[k]), float(total[k] / visits[k]) * knobs_of(self.game).swing))
            k = int(sibling[k])
        return sorted(thoughts, key=lambda thought: (-thought.worlds, thought.choice))


class TreeBot:
    """A bot that searches before each choice. The choice depends only on the view and the seed."""

    def __init__(self, searcher: Searcher, simulations: int, seed: int) -> None:
        self.searcher, self.simulations, self._seed = searcher, simulations, seed

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view."""
        return self.thoughts(view)[0].choice

    def thoughts(self, view: View[Any]) -> list[Thought]:
        """The evaluation of each legal choice that was tried, the most visited first."""
        if size(view.legal) == 1:
            return [Thought(lowest(view.legal), 0, 0.0)]
        return self.searcher.think(view, self.simulations, self._seed)


def _plain_states(guess: Guess[Any]) -> tuple[Any, Any, Any, Any, Any]:
    return [guess.known], [None], None, [guess.plan], guess.ways
