"""The interface of a bot: it receives the view of one seat, and nothing else, and returns a choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from kortlek.engine.views import View


class Bot(Protocol):
    """A computer player. Its choice depends on the view and on the seed that it was made with, and on nothing else."""

    def choose(self, view: View[Any]) -> int:
        """Return one of the legal choices of a view. Called only when it is the turn of the viewing seat."""
        ...


@dataclass(frozen=True)
class Thought:
    """The evaluation of one choice: in how many sampled worlds it was tried, and its mean gain in points over the other players."""

    choice: int
    worlds: int
    points: float
