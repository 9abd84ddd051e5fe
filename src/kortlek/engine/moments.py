"""A match moment by moment, as any viewer saw it: to review a finished match, and to watch bots.

A moment is a point at which a table is shown: a player has to choose, or the match is over. Chance events in between belong to the moment after them.
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
    """The steps since the previous moment (a choice, except at the first moment, and chance events), the acts that ended with them, the rows of the
    score sheet so far, and the number of choices and chance events so far."""

    game: Game[Any]
    steps: list[Step]
    acts: list[list[Step]]
    rows: list[Row]
    moves: int

    @property
    def s(self) -> Any:
        """The state at this moment."""
        return self.steps[-1].after

    @property
    def by(self) -> int:
        """The seat that chose; NOTHING if only chance led here."""
        return self.steps[0].before.turn if isinstance(self.steps[0].event, int) else NOTHING

    @property
    def choice(self) -> str:
        """The choice that led here, in notation; empty if only chance did."""
        return write(self.game, self.steps[0].before, self.steps[0].event) if self.by != NOTHING else ""

    @property
    def begins_round(self) -> bool:
        """Whether a round begins here."""
        return self.s.phase != OVER and (self.by == NOTHING or self.s.round != self.steps[0].before.round)

    def seen(self, viewer: int) -> View[Any]:
        """The view of a viewer at this moment; with everybody's cards for OPEN."""
        return opened(self.game, self.s) if viewer == OPEN else view(self.game, self.s, viewer)

    def events(self, viewer: int) -> list[Event]:
        """The events since the previous moment, for a viewer."""
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
