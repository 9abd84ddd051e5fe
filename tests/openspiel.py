"""Lockstep comparison with OpenSpiel: one of our games and one of theirs play the same deals, and are compared at every step.

Our side implements ``Side``; docs/openspiel.md says, game by game, how OpenSpiel numbers cards and choices, in which order it asks for chance
outcomes, and which rules differ. The number of deals is ``LOCKSTEP_DEALS`` in the environment, by default a thousand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import pytest

DEALS = int(os.environ.get("LOCKSTEP_DEALS", "1000"))
STEP_LIMIT = 20_000
"""The most choices of a deal: a longer one is taken to be endless."""
RANKS = "23456789TJQKA"
CHANCE, TERMINAL = -1, -4
"""OpenSpiel's current player at chance nodes and at terminal nodes."""


class Side(Protocol):
    """A match on our side as the comparison drives it; seats and returns are numbered as in OpenSpiel."""

    @property
    def over(self) -> bool:
        """Whether the match is over."""

    @property
    def turn(self) -> int:
        """The seat that chooses."""

    @property
    def legal(self) -> Collection[str]:
        """The legal choices, in our notation."""

    @property
    def returns(self) -> Sequence[float]:
        """The return of each seat at the end."""

    def play(self, choice: str) -> None:
        """Make a choice, and resolve the deals and draws that follow it."""

    def chance(self) -> int:
        """OpenSpiel's number of the next chance outcome: the first one drawn on our side that OpenSpiel has not asked for yet."""


def random_choice(rng: Random, choices: Sequence[str]) -> str:
    """A uniformly random choice."""
    return choices[int(rng.random() * len(choices))]


@dataclass(frozen=True)
class Pairing:
    """One of our games and the same game of OpenSpiel."""

    theirs: str
    """OpenSpiel's game with its parameters: ``"hearts(pass_cards=false)"``. Simultaneous choices are made one seat after another."""
    start: Callable[[Random], Side]
    """Starts a deal; everything random on our side comes from this generator."""
    action: Callable[[str], int]
    """OpenSpiel's number of a choice in our notation."""
    begin: Callable[[Any, Any], Any] = lambda game, ours: game.new_initial_state()
    """OpenSpiel's state before its first chance outcome; may differ from the initial state, for instance with scores of earlier hands."""
    choose: Callable[[Random, Sequence[str]], str] = random_choice
    """How choices are made; may prefer choices that lead to rare cases of the rules."""
    difference: Callable[[Any, Any], str] = lambda ours, theirs: ""
    """Further comparison at every step, of our side and their state: the difference in words, or nothing."""


@dataclass
class Compared:
    """The amount that was compared."""

    deals: int = 0
    choices: int = 0
    outcomes: int = 0


@dataclass
class Deal:
    """One deal on both sides, and its history."""

    pairing: Pairing
    ours: Side
    theirs: Any
    history: list[str] = field(default_factory=list)

    def play(self, rng: Random) -> Compared:
        """Play to the end, and return what was compared; AssertionError at the first difference."""
        done, action = Compared(deals=1), self.pairing.action
        while True:
            done.outcomes += self.let_chance_decide()
            player = self.theirs.current_player()
            assert self.ours.over == (player == TERMINAL), f"over: ours {self.ours.over}, OpenSpiel {player == TERMINAL}"
            if player == TERMINAL:
                break
            assert self.ours.turn == player, f"in turn: ours {self.ours.turn}, OpenSpiel {player}"
            ours = {action(text): text for text in sorted(self.ours.legal)}
            theirs = set(self.theirs.legal_actions())
            assert len(ours) == len(self.ours.legal), f"two of our choices are one of OpenSpiel's: {sorted(self.ours.legal)} are {sorted(ours)}"
            assert ours.keys() == theirs, self.describe_choices(ours, theirs)
            different = self.pairing.difference(self.ours, self.theirs)
            assert not different, different
            text = self.pairing.choose(rng, list(ours.values()))
            self.history.append(f"seat {player}: {text} = {self.theirs.action_to_string(player, action(text))} ({action(text)})")
            self.ours.play(text)
            self.theirs.apply_action(action(text))
            done.choices += 1
            assert done.choices < STEP_LIMIT, f"not over after {STEP_LIMIT} choices"
        returns = list(self.ours.returns)
        assert returns == pytest.approx(self.theirs.returns(), abs=1e-9), f"returns: ours {returns}, OpenSpiel {self.theirs.returns()}"
        different = self.pairing.difference(self.ours, self.theirs)
        assert not different, different
        return done

    def let_chance_decide(self) -> int:
        """Give OpenSpiel the outcomes it asks for; return their number."""
        asked = 0
        while self.theirs.current_player() == CHANCE:
            outcome = self.ours.chance()
            possible = self.theirs.legal_actions()
            assert outcome in possible, f"chance: ours drew {outcome}, OpenSpiel can only draw {possible}"
            self.history.append(f"chance: {self.theirs.action_to_string(CHANCE, outcome)} ({outcome})")
            self.theirs.apply_action(outcome)
            asked += 1
        return asked

    def describe_choices(self, ours: Mapping[int, str], theirs: set[int]) -> str:
        """The difference between the legal choices of both sides."""
        player = self.theirs.current_player()
        only_ours = [f"{text} ({number})" for number, text in ours.items() if number not in theirs]
        only_theirs = [f"{self.theirs.action_to_string(player, number)} ({number})" for number in sorted(theirs - ours.keys())]
        return f"legal for seat {player}: only ours {only_ours}, only OpenSpiel's {only_theirs}, both {sorted(theirs & ours.keys())}"


def load(name: str) -> Any:
    """A game of OpenSpiel by name and parameters."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(name)
    return pyspiel.convert_to_turn_based(game) if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS else game


def lockstep(pairing: Pairing, deals: int = DEALS, seed: int = 1, first: int = 0) -> Compared:
    """Compare these deals; AssertionError with the whole history at the first difference. ``first`` starts at a later deal, to repeat one alone."""
    game, total = load(pairing.theirs), Compared()
    for number in range(first, first + deals):
        rng = Random(seed << 32 | number)
        ours = pairing.start(rng)
        deal = Deal(pairing, ours, pairing.begin(game, ours))
        try:
            done = deal.play(rng)
        except Exception as error:
            lines = "\n".join(deal.history)
            raise AssertionError(f"{pairing.theirs}, seed {seed}, deal {number}: {error}\n\n{lines}\n\nOpenSpiel has\n{deal.theirs}") from error
        total.deals += done.deals
        total.choices += done.choices
        total.outcomes += done.outcomes
    return total


def numbers_by_rank(suits: str, ranks: str = RANKS) -> dict[str, int]:
    """OpenSpiel's number of each card, numbered rank by rank: ``numbers_by_rank("CDHS")["D2"] == 1``."""
    return {suit + rank: len(suits) * at + within for at, rank in enumerate(ranks) for within, suit in enumerate(suits)}


def numbers_by_suit(suits: str, ranks: str = RANKS) -> dict[str, int]:
    """OpenSpiel's number of each card, numbered suit by suit: ``numbers_by_suit("CDHS")["D2"] == 13``."""
    return {suit + rank: len(ranks) * at + within for at, suit in enumerate(suits) for within, rank in enumerate(ranks)}
