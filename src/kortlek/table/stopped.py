"""Matches whose rules are not here: they were begun with another version of the game, with other rules of a user's game, or with a game that is no
longer installed. Only what the log says of such a match is known: it cannot go on, but its table stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from kortlek.bots import own_games
from kortlek.engine.fairness import AnySeed
from kortlek.engine.plain import Refused, Spoken, begin, options_of, present_names
from kortlek.engine.record import Record
from kortlek.game import Game, Message, State
from kortlek.game.registry import GAMES, BrokenGame
from kortlek.table.facts import Began


@dataclass
class Stopped:
    """A match as the log tells it: events in notation, and who played. ``people`` have had a seat in it."""

    game: str
    version: int
    reason: Message
    """Why it cannot go on."""
    may_return: bool
    """Whether the rules may come back: another server command is enough, while a raised version stays."""
    options: dict[str, Spoken]
    fair: AnySeed
    """What was promised and added."""
    events: list[str]
    played_by: tuple[tuple[str, str], ...]
    people: frozenset[int]
    is_over: bool = False
    """Whether the match had ended. Not in the log: known from the record that was kept when it ended."""
    is_dropped: bool = False

    def copy(self) -> Stopped:
        """An independent copy."""
        return replace(self, events=self.events[:])

    def record(self) -> Record:
        """The record so far."""
        return Record(self.game, self.version, self.options, seat_names(self.played_by), self.fair.text, self.events, None)

    @property
    def notice(self) -> Message | None:
        """What people at the table are told about it; None if the match was dropped."""
        if self.is_dropped:
            return None
        return Message("table-other-rules", {"begun": self.version}) if self.is_over else self.reason


def seat_names(played_by: Sequence[tuple[str, str]]) -> list[str]:
    """The players in a record: the name of each seat's player, and the level if it is a bot."""
    return [f"{name} ({level})" if level else name for name, level in played_by]


def why_stopped(game: Game[Any], began: Began) -> tuple[Message, bool] | None:
    """Why a match that began so cannot be played with the rules that are here, and whether its own may come back; None if it can be played."""
    if missing := why_missing(game):
        return missing, True
    if began.version != game.version:
        about = Message("refuse-version", {"begun": began.version, "game": Message("title"), "played": game.version})
        return about, began.version > game.version
    if began.source != own_games.rules_of(game.name):
        return Message("refuse-changed", {"game": Message("title")}), True
    return None


# ---- games


def game_or_stand_in(name: str) -> Game[Any]:
    """The game with this name, or a stand-in without rules if it is not installed here, or cannot be loaded."""
    try:
        return GAMES[name] if name in GAMES else stand_in(name)
    except BrokenGame:
        return stand_in(name)


@cache
def stand_in(name: str) -> Game[Any]:
    """A game that nobody can play, in place of one that is not here: it has a name and a title."""
    return Game(name=name, players=range(0), state=State, choices=(), deal=lambda s, pack: None, legal=lambda s: 0, apply=lambda s, choice: None)


def is_here(game: Game[Any]) -> bool:
    """Whether a game can be played here: it is not a stand-in."""
    return bool(game.choices)


def why_missing(game: Game[Any]) -> Message | None:
    """Why a game cannot be played here; None if it can."""
    return None if is_here(game) else Message("refuse-missing", {"text": game.name})


def fitting_options(game: Game[Any], players: int, options: dict[str, Spoken]) -> dict[str, Spoken]:
    """The options that were agreed on, as far as the rules that are here have them; the others have their default values. Options that all fit are
    returned as they are."""
    given = present_names(game, options)
    if not is_here(game):
        return given
    fitting: dict[str, Any] = {}
    try:
        begin(game, players, given)
        return given
    except Refused:
        for name, value in given.items():
            try:
                begin(game, players, {**fitting, name: value})
                fitting[name] = value
            except Refused:
                continue
    try:
        return options_of(game, begin(game, players, fitting))
    except Refused:  # the game is no longer for so many players
        return {}
