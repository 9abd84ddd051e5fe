"""The registry of games by name: built in, installed through an entry point, or registered from a file.

A game is imported on first use. Nothing else in the package lists games.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeVar

from kortlek.game import Game
from kortlek.game.layout import Layout, default_counters, default_status, default_zones
from kortlek.game.metrics import Metrics

BUILT_IN = ("plump", "up_and_down", "trick_paper_scissors", "rummy", "cascade", "hearts", "spades")
"""The games of the package, in the order in which they are listed. Each is a folder of ``kortlek/games``."""
ENTRY_POINTS = "kortlek.games"
"""The entry point group of installed games: the name of a game, and the module with its ``Game``, such as ``my_package.rules``."""
PARTS = ("bots", "metrics", "layout")
"""The modules that a game may have beside its rules."""


class BrokenGame(Exception):
    """An installed game that cannot be loaded; the text says why in a sentence."""


class Games(MutableMapping[str, Game[Any]]):
    """A mapping from names to games that imports a game on first use."""

    def __init__(self) -> None:
        self._loaded: dict[str, Game[Any]] = {}
        self._installed: dict[str, str] | None = None

    def __getitem__(self, name: str) -> Game[Any]:
        if name not in self._loaded:
            self._loaded[name] = game_in(import_module(f"kortlek.games.{name}.rules")) if name in BUILT_IN else self._installed_game(name)
        return self._loaded[name]

    def _installed_game(self, name: str) -> Game[Any]:
        module = self._entry_points()[name].partition(":")[0]
        try:
            game = game_in(import_module(module))
        except Exception as error:
            raise BrokenGame(f"The game {name!r}, installed as {module}, cannot be loaded: {type(error).__name__}: {error}") from error
        if game.name != name:
            raise BrokenGame(f"The game {name!r}, installed as {module}, calls itself {game.name!r}: its entry point needs the same name.")
        return game

    def _entry_points(self) -> dict[str, str]:
        """The modules of installed games by name."""
        if self._installed is None:
            from importlib.metadata import entry_points  # takes as long to import as all of the engine

            self._installed = {each.name: each.value for each in entry_points(group=ENTRY_POINTS) if each.name not in BUILT_IN}
        return self._installed

    def __setitem__(self, name: str, game: Game[Any]) -> None:
        self._loaded[name] = game

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*BUILT_IN, *self._entry_points(), *self._loaded)))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in BUILT_IN or name in self._entry_points()


def game_in(module: ModuleType) -> Game[Any]:
    """The one ``Game`` of a module."""
    games = {id(each): each for each in vars(module).values() if isinstance(each, Game)}
    if len(games) != 1:
        raise TypeError(f"{module.__name__} should have one Game, not {len(games)}.")
    return next(iter(games.values()))


def part_of(game: Game[Any], name: str) -> ModuleType | None:
    """A module next to the rules of a game that is a folder (``bots``, ``metrics``), or the only module of a game that is a file; None if the folder
    has no such part."""
    module = game.state.__module__
    package, _, last = module.rpartition(".")
    if not package or last != "rules":
        return import_module(module)
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") else None


T = TypeVar("T")


def declared_in(game: Game[Any], part: str, kind: type[T]) -> T | None:
    """The object of a type that a part of a game declares, such as the ``Layout`` of its ``layout.py``; None if there is none."""
    module = part_of(game, part)
    return next((each for each in vars(module).values() if isinstance(each, kind)), None) if module else None


@cache
def layout_of(game: Game[Any]) -> Layout:
    """The layout of a game; what it does not declare is derived from the fields."""
    declared = declared_in(game, "layout", Layout) or Layout()
    return replace(
        declared,
        zones=declared.zones or default_zones(game.state),
        counters=declared.counters or default_counters(game.state),
        status=declared.status or default_status(game.state),
    )


@cache
def metrics_of(game: Game[Any]) -> Metrics:
    """The metrics of a game."""
    return declared_in(game, "metrics", Metrics) or Metrics()


GAMES = Games()
"""Every game by name."""
