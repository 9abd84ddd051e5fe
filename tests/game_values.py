"""What a small game of two players is worth, exactly: for any engine that can list its tree.

A game whose players forget nothing is a linear program over *sequences*, the choices that a player has made so far in one line of play (Koller,
Megiddo and von Stengel 1996). Its solution is not taken on trust: the best answer to either strategy is found by going through all of the
tree, and both must come to the same value.
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
"""The number of the sequence of a player who has not chosen."""


class Tree(Protocol[N]):
    """A game of two players, of which one gets what the other loses."""

    def root(self) -> N:
        """Where it begins."""

    def returns(self, node: N) -> Sequence[float] | None:
        """What each player gets, if it is over here."""

    def outcomes(self, node: N) -> Sequence[tuple[float, N]]:
        """What chance can do here, with probabilities; nothing where a player chooses."""

    def player(self, node: N) -> int:
        """Who chooses here, 0 or 1."""

    def information(self, node: N) -> Hashable:
        """All that this player knows here, with everything she has known before. Nodes that are equal to her have equal information."""

    def choices(self, node: N) -> Sequence[tuple[Hashable, N]]:
        """Her choices, by name, and where they lead."""


@dataclass
class Player:
    """What one player can come to know, and her sequences."""

    sequences: int = 1
    """How many there are, with that of a player who has not chosen."""
    information: dict[Hashable, tuple[int, dict[Hashable, int]]] = field(default_factory=dict)
    """By what she knows: her sequence so far, and the sequence that each choice makes of it. What comes later in a line of play comes later."""


@dataclass
class SequenceForm(Generic[N]):
    """A tree as a table of payoffs by sequences."""

    tree: Tree[N]
    players: tuple[Player, Player] = field(default_factory=lambda: (Player(), Player()))
    payoffs: dict[tuple[int, int], float] = field(default_factory=dict)
    """What the first player gets where these two sequences meet, times the probability that chance lets them."""
    nodes: int = 0

    def __post_init__(self) -> None:
        self.visit(self.tree.root(), 1, (NOTHING_YET, NOTHING_YET))

    def visit(self, node: N, probability: float, at: tuple[int, int]) -> None:
        """Go through everything after a node."""
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
        """A strategy that gets this player the most against the best answer: how much of each sequence she plays."""
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
        """The most that a player can get when the other keeps to this plan, by trying everything."""
        player = self.players[who]
        gains: list[float] = [0] * player.sequences
        for at, payoff in self.payoffs.items():
            gains[at[who]] += (payoff if who == 0 else -payoff) * plan[at[1 - who]]
        for before, after in reversed(player.information.values()):
            gains[before] += max(gains[each] for each in after.values())
        return gains[NOTHING_YET]

    def strategy(self, who: int, plan: Sequence[float]) -> dict[Hashable, dict[Hashable, float]]:
        """A plan as probabilities of choices, by what the player knows; only where she can come."""
        information = self.players[who].information.items()
        return {known: {name: plan[each] / plan[before] for name, each in after.items()} for known, (before, after) in information if plan[before]}


def constraints(player: Player) -> tuple[coo_matrix, Vector]:
    """What makes a plan a plan: she begins, and whatever she plays of a sequence she divides among the choices after it."""
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
    """What the game is worth to the first player. Against one strategy she cannot get more, and with the other she cannot get less."""
    form = SequenceForm(tree)
    most = form.best_response(0, form.solve(1))
    least = -form.best_response(1, form.solve(0))
    assert abs(most - least) < within, f"the value lies between {least} and {most}"
    return (most + least) / 2
