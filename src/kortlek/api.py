"""The public names of Kortlek: games, matches and bots, as docs/api.md shows them. Everything else is internal and may change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kortlek.engine.match import Match
from kortlek.engine.plain import Refused, Spoken, options_of
from kortlek.engine.plain import begin as _begin
from kortlek.engine.record import Record
from kortlek.engine.views import View
from kortlek.game import Game
from kortlek.game.game import usual_players
from kortlek.game.registry import GAMES

if TYPE_CHECKING:
    from kortlek.bots.bot import Bot


class CardGame:
    """A playable game. ``definition`` is its declaration: state, choices and rules."""

    def __init__(self, definition: Game[Any]) -> None:
        self.definition = definition

    def __repr__(self) -> str:
        return f"CardGame({self.name!r})"

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.definition.name

    @property
    def title(self) -> str:
        """The title of the game, as shown to people."""
        return self.definition.title

    @property
    def players(self) -> range:
        """The allowed numbers of players."""
        return self.definition.players

    @property
    def usual_players(self) -> int:
        """The default number of players: four, or the nearest number that the game allows."""
        return usual_players(self.definition)

    def options(self, players: int | None = None) -> dict[str, Spoken]:
        """The options with their default values."""
        return options_of(self.definition, _begin(self.definition, players or self.usual_players))

    @property
    def bots(self) -> list[str]:
        """The names of the bots that play the game, the weakest level first."""
        from kortlek.bots.levels import levels_of

        return list(levels_of(self.definition))

    def start(self, players: int | None = None, *, seed: int | str | None = None, **options: object) -> Match[Any]:
        """Start a match and deal, so that it waits for its first choice. The same seed gives the same deals; without a seed they are secret and
        random."""
        chosen = os.urandom(32).hex() if seed is None else seed
        match: Match[Any] = Match(self.definition, players or self.usual_players, options, seed=chosen)
        match.deal()
        return match


def game_names() -> list[str]:
    """The names of all installed games."""
    return list(GAMES)


def game(name: str) -> CardGame:
    """The game with this name, or the game in a file or folder: ``game("plump")``, ``game("./mygame.py")``."""
    if name in GAMES:
        return CardGame(GAMES[name])
    if name.endswith(".py") or os.sep in name or os.path.isdir(name):
        from kortlek.bots.own_games import load

        return CardGame(load(name))
    raise Refused(f"There is no game {name!r}. The games are: {', '.join(GAMES)}.")


def bot(game_name: str, level: str = "house", seed: int = 0) -> Bot:
    """A bot that plays a game: ``bot("plump", "expert").choose(match.view())``."""
    from kortlek.bots.levels import level_called

    return level_called(game(game_name).definition, level).make(seed, None)


def replay(record: Record) -> Match[Any]:
    """Replay a record and check it; return its match. Raise Refused if the record is not valid."""
    from kortlek.engine.match import check

    check(record)
    return Match.from_record(record)


def records(path: str | os.PathLike[str]) -> Sequence[Record]:
    """The records in a file."""
    from pathlib import Path

    from kortlek.engine.record import read_file

    return [line.record for line in read_file(Path(path))]


__all__ = ["CardGame", "Match", "Record", "Refused", "View", "bot", "game", "game_names", "records", "replay"]
