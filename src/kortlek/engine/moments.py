"""A match moment by moment, as any viewer saw it: for looking back at one that is over, and for watching bots.

A moment is what is shown at a table: somebody has to choose, or the match is over. What chance decides in between belongs to the moment after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from kortlek.cards import NOTHING
from kortlek.engine.events import Event, Step, events_of, is_act_over
from kortlek.engine.match import Match
from kortlek.engine.plain import write
from kortlek.engine.sheet import Row, finished_round
from kortlek.engine.views import OPEN, View, opened, view
from kortlek.game import OVER, Game


class Moment(NamedTuple):
    """What led here from the moment before (a choice, except to the first, and chance), the acts that ended with it, the score sheet's rows so
    far, and how many choices and chance events there were."""

    game: Game[Any]
    steps: list[Step]
    acts: list[list[Step]]
    rows: list[Row]
    moves: int

    @property
    def s(self) -> Any:
        """The match at this moment."""
        return self.steps[-1].after

    @property
    def by(self) -> int:
        """Who chose; NOTHING if chance alone led here."""
        return self.steps[0].before.turn if isinstance(self.steps[0].event, int) else NOTHING

    @property
    def choice(self) -> str:
        """What was chosen, in notation."""
        return write(self.game, self.steps[0].before, self.steps[0].event) if self.by != NOTHING else ""

    @property
    def begins_round(self) -> bool:
        """Whether a round begins here."""
        return self.s.phase != OVER and (self.by == NOTHING or self.s.round != self.steps[0].before.round)

    def seen(self, viewer: int) -> View[Any]:
        """The match at this moment as a viewer sees it; everybody's cards for OPEN."""
        return opened(self.game, self.s) if viewer == OPEN else view(self.game, self.s, viewer)

    def events(self, viewer: int) -> list[Event]:
        """What a viewer is told of what led here."""
        return [event for act in self.acts for event in events_of(self.game, act, viewer)]


def moments(match: Match[Any]) -> Iterator[Moment]:
    """Every moment of a match so far."""
    game = match.game
    steps: list[Step] = []
    acts: list[list[Step]] = []
    rows: list[Row] = []
    open_act: list[Step] = []
    for number, step in enumerate(match.steps(), 1):
        steps.append(step)
        open_act.append(step)
        row = finished_round(game, step.before, step.after)
        rows = [*rows, row] if row else rows
        if is_act_over(game, step):
            acts.append(open_act)
            open_act = []
        if step.after.phase >= OVER:
            yield Moment(game, steps, acts, rows, number)
            steps, acts = [], []
