"""What a bot at a table is asked: made from what its seat sees and nothing else, and answered in another process as well as in this one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kortlek.bots.explain import why
from kortlek.bots.levels import house_of, level_called, levels_of
from kortlek.bots.policy import PolicyBot, Policy
from kortlek.cards import lowest, size
from kortlek.engine.plain import Refused, begin, resolve_chance, step
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded, shuffle
from kortlek.engine.views import Place, View, view
from kortlek.game import Message
from kortlek.game.registry import GAMES


@dataclass(frozen=True)
class Reason:
    """One alternative: the choice, what it is thought to earn in points over the others, and what speaks for it."""

    choice: int
    points: float
    message: Message


@dataclass(frozen=True)
class Question:
    """What a level would choose: what one seat sees, the level, and its luck. The answer depends on these alone."""

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
        """What a level would choose in a view; Refused if it is not the seat's turn."""
        if not seen.legal:
            raise Refused("There is nothing to choose: it is not this seat's turn.")
        return cls(seen.game.name, level, seen.seat, seen.state, seen.sizes, seen.legal, seen.partners, seed)

    @classmethod
    def first(cls, name: str, level: str) -> Question:
        """About some match of a game, the first time that somebody has more than one choice."""
        game, rng = GAMES[name], [seeded(0, 0)]
        s = begin(game, game.players[0])
        while s.phase < 0 or size(game.legal(s)) == 1:
            step(game, s, lowest(game.legal(s)) if s.phase >= 0 else resolve_chance(game, s, lambda things, n: shuffle(things, n, rng)))
        return cls.about(view(game, s, s.turn), level, 0)

    def view(self) -> View[Any]:
        """What the seat sees."""
        return View(GAMES[self.game], self.seat, self.state, self.sizes, self.legal, self.partners)

    def allows(self, choice: int) -> bool:
        """Whether a choice is legal."""
        return choice >= 0 and bool(self.legal >> choice & 1)

    def policy(self) -> Policy[Any] | None:
        """The rules of thumb of a level that does not think."""
        level = levels_of(GAMES[self.game]).get(self.level)
        return level.policy if level else None

    # ---- the answers, as good as the level can

    def choice(self) -> int:
        """What the level chooses."""
        return level_called(GAMES[self.game], self.level).make(self.seed, None).choose(self.view())

    def reasons(self) -> list[Reason]:
        """What the level would choose, and after it the alternatives, the best first."""
        return [self._reason(thought.choice, thought.points) for thought in why(self.view(), self.seed, self.level).thoughts]

    # ---- the answers of somebody who does not think: at once, in any process

    def usual_choice(self) -> int:
        """What rules of thumb choose, the level's or else the house's; if even they err, the first legal choice."""
        with suppress(Exception):
            choice = PolicyBot(self.policy() or house_of(GAMES[self.game]), self.seed).choose(self.view())
            if self.allows(choice):
                return choice
        return lowest(self.legal)

    def usual_reasons(self) -> list[Reason]:
        """What rules of thumb choose, and no alternatives: nobody has thought about what they earn."""
        return [self._reason(self.usual_choice(), 0.0)]

    def _reason(self, choice: int, points: float) -> Reason:
        seen = self.view()
        return Reason(choice, points, house_of(seen.game).reason(redeal(seen, [seeded(0, 0)]), choice))
