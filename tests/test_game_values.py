"""The exact values of Kuhn and Leduc poker, from OpenSpiel's game trees and from ours; and tests of the solver."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from examples import example
from game_values import KUHN, LEDUC, SequenceForm, game_value

from kortlek.cards import members
from kortlek.engine import plain
from kortlek.engine.events import Step, events_of
from kortlek.engine.views import view
from kortlek.game import OVER

pyspiel: Any = pytest.importorskip("pyspiel")
PASS, BET = 0, 1


class Theirs:
    """The tree of an OpenSpiel game."""

    def __init__(self, name: str) -> None:
        self.game = pyspiel.load_game(name)

    def root(self) -> Any:
        return self.game.new_initial_state()

    def returns(self, node: Any) -> Sequence[float] | None:
        return list(node.returns()) if node.is_terminal() else None

    def outcomes(self, node: Any) -> Sequence[tuple[float, Any]]:
        return [(chance, node.child(outcome)) for outcome, chance in node.chance_outcomes()] if node.is_chance_node() else []

    def player(self, node: Any) -> int:
        return int(node.current_player())

    def information(self, node: Any) -> Hashable:
        return str(node.information_state_string())

    def choices(self, node: Any) -> Sequence[tuple[Hashable, Any]]:
        return [(action, node.child(action)) for action in node.legal_actions()]


def test_kuhn_poker_is_worth_minus_an_eighteenth() -> None:
    assert game_value(Theirs("kuhn_poker")) == pytest.approx(KUHN, abs=1e-9)


@pytest.mark.parametrize("suits", ["false", "true"])
def test_leduc_poker_is_worth_what_is_published(suits: str) -> None:
    assert game_value(Theirs(f"leduc_poker(suit_isomorphism={suits})")) == pytest.approx(LEDUC, abs=1e-9)


def test_the_size_of_the_games() -> None:
    kuhn, leduc = SequenceForm(Theirs("kuhn_poker")), SequenceForm(Theirs("leduc_poker"))
    assert (kuhn.nodes, [len(player.information) for player in kuhn.players]) == (58, [6, 6])
    assert (leduc.nodes, [len(player.information) for player in leduc.players]) == (9457, [468, 468])


class InFractions(Theirs):
    """Kuhn poker with exact fractions: the outcomes of each chance node are equally likely."""

    def returns(self, node: Any) -> Sequence[Any] | None:
        returns = super().returns(node)
        return returns and list(map(int, returns))

    def outcomes(self, node: Any) -> Sequence[tuple[Any, Any]]:
        outcomes = super().outcomes(node)
        return [(Fraction(1, len(outcomes)), after) for _, after in outcomes]


@pytest.mark.parametrize("bluffs", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_the_published_strategies_of_kuhn_poker_lose_an_eighteenth_exactly(bluffs: Fraction) -> None:
    form = SequenceForm(InFractions("kuhn_poker"))
    bets: dict[str, Any] = {"0": bluffs, "0pb": 0, "1": 0, "1pb": bluffs + Fraction(1, 3), "2": 3 * bluffs, "2pb": 1}
    plan: list[Any] = [1] * form.players[0].sequences
    for known, (before, after) in form.players[0].information.items():
        plan[after[PASS]], plan[after[BET]] = plan[before] * (1 - bets[str(known)]), plan[before] * bets[str(known)]
    assert form.best_response(1, plan) == Fraction(1, 18)


def test_the_first_player_of_kuhn_poker_bluffs_a_third_as_often_as_she_bets_the_best_card() -> None:
    form = SequenceForm(Theirs("kuhn_poker"))
    strategy = form.strategy(0, form.solve(0))
    bluffs, bets = strategy["0"][BET], strategy["2"][BET]
    assert 0 <= bluffs <= 1 / 3 + 1e-9 and bets == pytest.approx(3 * bluffs, abs=1e-9) and strategy["1"][BET] == pytest.approx(0, abs=1e-9)


# ---- wrong trees and wrong solutions are detected


class Forgets(Theirs):
    def information(self, node: Any) -> Hashable:
        return str(node.information_state_string())[:1]


class SeesAll(Theirs):
    def information(self, node: Any) -> Hashable:
        return str(node)


class IsGenerous(Theirs):
    def returns(self, node: Any) -> Sequence[float] | None:
        returns = super().returns(node)
        return returns and [returns[0], returns[1] + 1]


class IsUnfair(Theirs):
    def outcomes(self, node: Any) -> Sequence[tuple[float, Any]]:
        return super().outcomes(node)[1:]


@pytest.mark.parametrize(("tree", "says"), [(Forgets, "player 0 has forgotten"), (IsGenerous, "not a zero-sum game"), (IsUnfair, "add up to 1")])
def test_a_wrong_tree_is_refused(tree: type[Theirs], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        game_value(tree("kuhn_poker"))


def test_a_player_who_sees_the_other_card_gets_another_value() -> None:
    assert game_value(SeesAll("kuhn_poker")) == pytest.approx(0, abs=1e-9)


def test_a_strategy_that_is_not_the_best_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = SequenceForm.solve
    monkeypatch.setattr(SequenceForm, "solve", lambda form, who: solve(form, who) if who else [1.0] + [0.5] * form.players[0].sequences)
    with pytest.raises(AssertionError, match="the value lies between"):
        game_value(Theirs("kuhn_poker"))


# ---- from our engine


class Ours:
    """The tree of one of our games, for one hand. A player's information is her view, and every event she was told of, in order."""

    def __init__(self, name: str, dealt: int) -> None:
        self.game, self.dealt = example(name), dealt

    def root(self) -> Any:
        return plain.begin(self.game, 2, {"hands": 1}), ((), ())

    def returns(self, node: Any) -> Sequence[float] | None:
        s, _ = node
        return [float(points) for points in s.score[:2]] if s.phase == OVER else None

    def outcomes(self, node: Any) -> Sequence[tuple[float, Any]]:
        """Enumerate the orders of those first cards of the pack that come into play; all are equally likely."""
        s, _ = node
        if s.phase >= 0:
            return []
        pack = plain.to_shuffle(self.game, s)
        deals = [(*first, *(card for card in pack if card not in first)) for first in permutations(pack, self.dealt)]
        return [(1 / len(deals), self.after(node, deal)) for deal in deals]

    def player(self, node: Any) -> int:
        return int(node[0].turn)

    def information(self, node: Any) -> Hashable:
        s, told = node
        return repr(view(self.game, s, s.turn).state), told[s.turn]

    def choices(self, node: Any) -> Sequence[tuple[Hashable, Any]]:
        s, _ = node
        return [(plain.write_choice(self.game, s, each), self.after(node, each)) for each in members(self.game.legal(s))]

    def after(self, node: Any, event: plain.Event) -> Any:
        before, told = node
        s = plain.copy_of(before)
        plain.step(self.game, s, event)
        return s, tuple((*told[seat], repr(events_of(self.game, [Step(before, event, s)], seat))) for seat in range(2))


def test_our_kuhn_poker_is_worth_minus_an_eighteenth() -> None:
    form = SequenceForm(Ours("kuhn", 2))
    assert (form.nodes, [len(player.information) for player in form.players]) == (55, [6, 6])  # both cards in one deal: three nodes fewer
    assert game_value(Ours("kuhn", 2)) == pytest.approx(KUHN, abs=1e-12)


def test_our_leduc_poker_is_worth_what_is_published() -> None:
    assert game_value(Ours("leduc", 3)) == pytest.approx(LEDUC, abs=1e-12)


def test_the_strategies_of_our_kuhn_poker_are_the_published_ones() -> None:
    form = SequenceForm(Ours("kuhn", 2))
    strategy = {card_and_checked(known): choices for known, choices in form.strategy(0, form.solve(0)).items()}
    first = {card: choices for (card, checked), choices in strategy.items() if not checked}
    bluffs = first[0]["bet"]
    assert 0 <= bluffs <= 1 / 3 + 1e-9 and first[1]["bet"] == pytest.approx(0, abs=1e-9) and first[2]["bet"] == pytest.approx(3 * bluffs, abs=1e-9)


def card_and_checked(known: Any) -> tuple[int, bool]:
    """The card of the first player, and whether she has checked."""
    seen, told = known
    hand = int(seen.partition("hand=[")[2].partition(",")[0])
    return hand.bit_length() - 1, "check" in str(told)
