"""A bot is given what a seat sees and says what it chooses. It gets nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from kortlek.engine.views import View


class Bot(Protocol):
    """A player. Made with a seed, it always chooses the same when asked the same."""

    def choose(self, view: View[Any]) -> int:
        """One of the legal choices of a view; asked only when it is that seat's turn."""
        ...


@dataclass(frozen=True)
class Thought:
    """One choice: in how many guesses it was tried, and what it earned on average, in points over the others."""

    choice: int
    worlds: int
    points: float
