"""The exact value of a small two-player zero-sum game, for any engine that can list its game tree.

A game of perfect recall is a linear program over *sequences*, the choices that a player has made so far in one line of play (Koller, Megiddo
and von Stengel 1996). Its solution is verified: the best response to either strategy is computed from the whole tree, and both must have the
same value.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

KUHN = -1 / 18
"""For the first player: Kuhn 1950, A simplified two-person poker."""
LEDUC = -0.085606424078
"""For the first player: Lanctot et al. 2017, A unified game-theoretic approach to multiagent reinforcement learning, appendix E.2."""

N = TypeVar("N")
Vector = npt.NDArray[np.float64]
NOTHING_YET = 0
"""The index of the empty sequence."""


class Tree(Protocol[N]):
    """The game tree of a two-player zero-sum game."""

    def root(self) -> N:
        """The root of the tree."""

    def returns(self, node: N) -> Sequence[float] | None:
        """The payoff of each player at a terminal node, else None."""

    def outcomes(self, node: N) -> Sequence[tuple[float, N]]:
        """The successors of a chance node with their probabilities; empty at a decision node."""

    def player(self, node: N) -> int:
        """The player who chooses here, 0 or 1."""

    def information(self, node: N) -> Hashable:
        """The information set of this player, including all that she has known before. Nodes that she cannot tell apart have equal information."""

    def choices(self, node: N) -> Sequence[tuple[Hashable, N]]:
        """The choices by name, and the nodes they lead to."""


@dataclass
class Player:
    """The information sets and sequences of one player."""

    sequences: int = 1
    """The number of sequences, including the empty one."""
    information: dict[Hashable, tuple[int, dict[Hashable, int]]] = field(default_factory=dict)
    """By information set: the sequence so far, and the sequence after each choice. In the order of play: later sets of a line of play come later."""


@dataclass
class SequenceForm(Generic[N]):
    """A tree as a table of payoffs by pairs of sequences."""

    tree: Tree[N]
    players: tuple[Player, Player] = field(default_factory=lambda: (Player(), Player()))
    payoffs: dict[tuple[int, int], float] = field(default_factory=dict)
    """The first player's payoff for a pair of sequences, weighted by the probability of chance."""
    nodes: int = 0

    def __post_init__(self) -> None:
        self.visit(self.tree.root(), 1, (NOTHING_YET, NOTHING_YET))

    def visit(self, node: N, probability: float, at: tuple[int, int]) -> None:
        """Add everything below a node."""
        tree = self.tree
        self.nodes += 1
        returns = tree.returns(node)
        if returns is not None:
            assert abs(returns[0] + returns[1]) < 1e-9, f"not a zero-sum game: {returns}"
            self.payoffs[at] = self.payoffs.get(at, 0) + probability * returns[0]
            return
        outcomes = tree.outcomes(node)
        if outcomes:
            assert abs(sum(chance for chance, _ in outcomes) - 1) < 1e-9, "the probabilities of chance do not add up to 1"
            for chance, after in outcomes:
                self.visit(after, probability * chance, at)
            return
        who, choices, known = tree.player(node), tree.choices(node), tree.information(node)
        player = self.players[who]
        if known not in player.information:
            player.information[known] = at[who], {name: player.sequences + number for number, (name, _) in enumerate(choices)}
            player.sequences += len(choices)
        before, sequences = player.information[known]
        assert before == at[who], f"player {who} has forgotten a choice, or how she came to know {known!r}"
        assert list(sequences) == [name for name, _ in choices], f"player {who} has other choices elsewhere, but knows {known!r}"
        for name, after in choices:
            self.visit(after, probability, (sequences[name], at[1]) if who == 0 else (at[0], sequences[name]))

    def matrix(self) -> coo_matrix:
        """The payoffs: a row for each sequence of the first player, a column for each of the second."""
        rows, columns = zip(*self.payoffs)
        return coo_matrix((list(self.payoffs.values()), (rows, columns)), shape=[player.sequences for player in self.players])

    def solve(self, who: int) -> list[float]:
        """A maximin strategy of this player, as a realization plan: the weight of each sequence."""
        mine, other = self.players[who], self.players[1 - who]
        gains = self.matrix() if who == 0 else -self.matrix().T
        flow, start = constraints(mine)
        their_flow, their_start = constraints(other)
        found = linprog(
            np.concatenate([np.zeros(mine.sequences), -their_start]),
            A_ub=hstack([-gains.T, their_flow.T]),
            b_ub=np.zeros(other.sequences),
            A_eq=hstack([flow, coo_matrix((flow.shape[0], their_flow.shape[0]))]),
            b_eq=start,
            bounds=[(0, None)] * mine.sequences + [(None, None)] * their_flow.shape[0],
            method="highs",
        )
        assert found.success, found.message
        return list(map(float, found.x[: mine.sequences]))

    def best_response(self, who: int, plan: Sequence[float]) -> float:
        """The value of the best response to the other player's plan, computed over all information sets."""
        player = self.players[who]
        gains: list[float] = [0] * player.sequences
        for at, payoff in self.payoffs.items():
            gains[at[who]] += (payoff if who == 0 else -payoff) * plan[at[1 - who]]
        for before, after in reversed(player.information.values()):
            gains[before] += max(gains[each] for each in after.values())
        return gains[NOTHING_YET]

    def strategy(self, who: int, plan: Sequence[float]) -> dict[Hashable, dict[Hashable, float]]:
        """A plan as behaviour strategy: probabilities of choices by information set, where the plan reaches it."""
        information = self.players[who].information.items()
        return {known: {name: plan[each] / plan[before] for name, each in after.items()} for known, (before, after) in information if plan[before]}


def constraints(player: Player) -> tuple[coo_matrix, Vector]:
    """The linear constraints of a realization plan: the empty sequence has weight 1, and each sequence divides its weight among the choices
    after it."""
    rows, columns, values = [0], [NOTHING_YET], [1.0]
    for row, (before, after) in enumerate(player.information.values(), 1):
        rows += [row] * (1 + len(after))
        columns += [before, *after.values()]
        values += [-1.0] + [1.0] * len(after)
    height = 1 + len(player.information)
    start = np.zeros(height)
    start[0] = 1
    return coo_matrix((values, (rows, columns)), shape=(height, player.sequences)), start


def game_value(tree: Tree[N], within: float = 1e-9) -> float:
    """The value of the game to the first player. One strategy is an upper bound, the other a lower bound; both must agree."""
    form = SequenceForm(tree)
    most = form.best_response(0, form.solve(1))
    least = -form.best_response(1, form.solve(0))
    assert abs(most - least) < within, f"the value lies between {least} and {most}"
    return (most + least) / 2
