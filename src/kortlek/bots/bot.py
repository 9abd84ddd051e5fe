"""A bot is given what a seat sees and says what it chooses. It gets nothing else."""

from __future__ import annotations

from typing import Any, Protocol

from kortlek.play.information import View
from kortlek.play.seeded import pick, seeded


class Bot(Protocol):
    """A player. Made with a seed, it always chooses the same when asked the same."""

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view; asked only when it is that seat's turn."""
        ...


class Chance:
    """Chooses anything that is legal, all equally likely."""

    def __init__(self, seed: int) -> None:
        self._rng = [seeded(seed, 0)]

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices."""
        return pick(view.legal, self._rng)
