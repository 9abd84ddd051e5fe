"""Refusals: a code for programs, a message for people, and the same message in English."""

from __future__ import annotations

from typing import Any

from kortlek.engine.plain import Refused
from kortlek.game import Game, Message, Names
from kortlek.table.words import in_english


class Refusal(Exception):
    """A request was refused, and nothing has changed. ``code`` is for programs, ``message`` for people; ``sentence`` is the message in English.
    ``game`` and ``names`` are needed if the message uses words of a game or names of players."""

    def __init__(self, code: str, message: Message | str, *, game: Game[Any] | None = None, names: Names = (), sentence: str = "") -> None:
        self.code, self.message = code, Message(message) if isinstance(message, str) else message
        super().__init__(self.message.id)
        self._game, self._names, self._sentence = game, names, sentence

    @classmethod
    def because(cls, code: str, refused: Refused) -> Refusal:
        """A refusal for an exception of the engine."""
        return cls(code, refused.message or Message("refuse-because", {"text": str(refused)}), sentence=str(refused))

    @property
    def sentence(self) -> str:
        """The message in English."""
        return self._sentence or in_english(self.message, self._game, self._names)

    def __str__(self) -> str:
        return self.sentence


STATUS = {
    "malformed": 400,
    "no_token": 403,
    "not_your_seat": 403,
    "not_owner": 403,
    "not_allowed": 403,
    "unknown": 404,
    "too_slow": 408,
    "full": 409,
    "taken": 409,
    "locked": 409,
    "started": 409,
    "not_playing": 409,
    "not_your_turn": 409,
    "stale": 409,
    "too_large": 413,
    "not_possible": 422,
    "too_many": 429,
    "stopping": 503,
    "failed": 503,
}
"""All refusal codes with their HTTP status."""
