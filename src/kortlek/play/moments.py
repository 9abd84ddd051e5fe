"""A match moment by moment, as any viewer saw it: for looking back at one that is over, and for watching bots.

A moment is what is shown at a table: somebody has to choose, or the match is over. What chance decides in between belongs to the moment after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from kortlek.cards import NOTHING
from kortlek.play import telling
from kortlek.play.information import OPEN, View, opened, view
from kortlek.play.plain import Event, copy_of, happen, write
from kortlek.play.record import Step
from kortlek.rules.game import OVER, Game, Match, Names


class Moment(NamedTuple):
    """What led here from the moment before (a choice, except to the first, and chance), the score sheet's rows so far, and how many events
    there were."""

    game: Game[Any]
    steps: list[Step]
    rows: list[list[str]]
    events: int

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

    def lines(self, names: Names, viewer: int) -> list[str]:
        """What a viewer is told of what led here."""
        told = [telling.news(self.game, *step, viewer) for step in self.steps]
        said = [sentence for lines in told for sentence in telling.sentences(lines, names, viewer)]
        return [*said, telling.ending(self.game.winners(self.s), names, viewer)] if self.s.phase == OVER else said


def moments(game: Game[Any], s: Match, events: Iterable[Event]) -> Iterator[Moment]:
    """Every moment of a match, from how it began and what happened in it. The match that is given does not change."""
    steps, rows = list[Step](), list[list[str]]()
    for number, event in enumerate(events, 1):
        before, s = s, copy_of(s)
        happen(game, s, event)
        steps.append(Step(before, event, s))
        row = telling.finished_round(game, before, s)
        rows = [*rows, row] if row else rows
        if s.phase >= OVER:
            yield Moment(game, steps, rows, number)
            steps = []
