"""Records of simulated matches, written by an observer on the plain engine."""

from __future__ import annotations

from typing import Any

from kortlek.bots.levels import bot_seats
from kortlek.engine.plain import to_shuffle, write
from kortlek.engine.record import to_line, write_down
from kortlek.game import Game
from kortlek.simulation.loop import Observer


class Recorder:
    """Records every match that its ``observer`` sees, numbered from ``number`` on."""

    def __init__(self, game: Game[Any], bots: tuple[str, ...], seed: int) -> None:
        self.game, self.bots, self.seed, self.number = game, bots, seed, 0
        self.records: list[str] = []
        self._events: list[str] = []
        self.observer = Observer(0, self._event, self._start, finish=self._finish)

    def _start(self, s: Any, notes: Any) -> None:
        self._events = []

    def _event(self, before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
        event = choice if before.phase >= 0 else tuple(pack[: len(to_shuffle(self.game, before))])
        self._events.append(write(self.game, before, event))

    def _finish(self, s: Any, notes: Any) -> None:
        self.records.append(to_line(write_down(self.game, s, bot_seats(self.bots), f"{self.seed}/{self.number}", self._events)))
        self.number += 1
