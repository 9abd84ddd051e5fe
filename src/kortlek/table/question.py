"""The question to a bot at a table: made from its seat's view alone, picklable, and answered in this process or another."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kortlek.bots.explain import why
from kortlek.bots.levels import house_of, level_called, levels_of
from kortlek.bots.policy import PolicyBot, Policy
from kortlek.cards import lowest
from kortlek.engine.match import first_decision
from kortlek.engine.plain import Refused
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import Place, View
from kortlek.game import Message
from kortlek.game.registry import GAMES


@dataclass(frozen=True)
class Reason:
    """One alternative: the choice, its expected points relative to the others, and a reason for it."""

    choice: int
    points: float
    message: Message


@dataclass(frozen=True)
class Question:
    """The question what a level would choose: the view of one seat, the level, and the seed. They determine the answer."""

    game: str
    level: str
    seat: int
    state: Any
    sizes: dict[Place, int]
    legal: int
    partners: int
    seed: int

    @classmethod
    def about(cls, seen: View[Any], level: str, seed: int) -> Question:
        """The question for a view; Refused if it is not the seat's turn."""
        if not seen.legal:
            raise Refused("There is nothing to choose: it is not this seat's turn.")
        return cls(seen.game.name, level, seen.seat, seen.state, seen.sizes, seen.legal, seen.partners, seed)

    @classmethod
    def first(cls, name: str, level: str) -> Question:
        """A question about the first position of a match with more than one legal choice, used to prepare a game."""
        game = GAMES[name]
        return cls.about(first_decision(game, game.players[0]).view(), level, 0)

    def view(self) -> View[Any]:
        """The view of the seat."""
        return View(GAMES[self.game], self.seat, self.state, self.sizes, self.legal, self.partners)

    def allows(self, choice: int) -> bool:
        """Whether a choice is legal."""
        return choice >= 0 and bool(self.legal >> choice & 1)

    def policy(self) -> Policy[Any] | None:
        """The policy of a level that does not search; None for a level that does."""
        level = levels_of(GAMES[self.game]).get(self.level)
        return level.policy if level else None

    # ---- answers of the level itself

    def choice(self) -> int:
        """The choice of the level."""
        return level_called(GAMES[self.game], self.level).make(self.seed, None).choose(self.view())

    def reasons(self) -> list[Reason]:
        """The level's choice, followed by the alternatives, the best first."""
        return [self._reason(thought.choice, thought.points) for thought in why(self.view(), self.seed, self.level).thoughts]

    # ---- answers without search: fast, in any process

    def usual_choice(self) -> int:
        """The choice of the level's policy, or else of the house policy; if that fails, the first legal choice."""
        with suppress(Exception):
            choice = PolicyBot(self.policy() or house_of(GAMES[self.game]), self.seed).choose(self.view())
            if self.allows(choice):
                return choice
        return lowest(self.legal)

    def usual_reasons(self) -> list[Reason]:
        """The choice of the policy alone: without search there are no values for the alternatives."""
        return [self._reason(self.usual_choice(), 0.0)]

    def _reason(self, choice: int, points: float) -> Reason:
        seen = self.view()
        return Reason(choice, points, house_of(seen.game).reason(redeal(seen, [seeded(0, 0)]), choice))
