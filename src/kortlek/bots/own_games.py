"""Games outside the package, in a file or a folder of the user, registered in ``GAMES`` like the built-in ones.

A file or folder is read once. This process and all processes that it starts use the text that was read, even if the files are edited meanwhile; a
new process reads them again. The modules of a folder form a package: they import each other with ``from .rules import ...``."""

from __future__ import annotations

import re
import sys
import traceback
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from kortlek.bots.knobs import knobs_of
from kortlek.bots.levels import CLUB, EXPERT, HOUSE, RANDOM
from kortlek.bots.own_source import Source as Source
from kortlek.bots.own_source import add_source, path_of, read, remove_source
from kortlek.engine.plain import Refused
from kortlek.game import Game, files
from kortlek.game.registry import GAMES, PARTS, part_of
from kortlek.words.check import try_out

_registered: dict[str, Source] = {}
"""The sources that are registered in this process, by the names of their games."""


def load(typed: str, tried_out: bool = True) -> Game[Any]:
    """Load and try out the game in a file or folder. Raises Refused with a sentence if there is none, or if it cannot be played."""
    game = loaded(typed)
    if game is None:
        game = take(read(typed))
        try:
            if tried_out:
                try_out(game)
        except Exception as error:
            sentence = str(error) if isinstance(error, Refused) else blame(error)
            forget(game)
            raise Refused(sentence or f"{typed}: {type(error).__name__}: {error}") from error
    return game


def loaded(typed: str) -> Game[Any] | None:
    """The game in a file or folder, if it is already registered."""
    return next((GAMES[name] for name, source in _registered.items() if source.path == str(path_of(typed))), None)


def take(source: Source) -> Game[Any]:
    """Register the game of a source in this process, with all its parts."""
    add_source(source)
    try:
        with files.recorded() as read_meanwhile:
            game = contents(source, imported(source))
    except Refused:
        remove_source(source)
        raise
    source = replace(source, data=source.data or tuple(sorted(read_meanwhile.items())))
    add_source(source)
    GAMES[game.name], _registered[game.name] = game, source
    return game


def imported(source: Source) -> ModuleType:
    """Import the module with the rules. Raises Refused with the line of the error if that fails."""
    try:
        return import_module(source.rules)
    except (Exception, SystemExit) as error:
        raise Refused(in_one_line(error, source)) from error


def contents(source: Source, module: ModuleType) -> Game[Any]:
    """The one game in a module. Raises Refused if there is none or more than one, or if a name is already in use."""
    file, games = Path(str(module.__file__)).name, own_games_in(module)
    if not games:
        raise Refused(f"{file} has no game: there is no Game(...) in it.")
    if len(games) > 1:
        raise Refused(f"{file} has {len(games)} games, {', '.join(str(game.name) for game in games)}: keep one in a file.")
    [game] = games
    if game.name in GAMES:
        raise Refused(f"{file}: There is a game {game.name!r} already. Give yours another name.")
    try:
        for part in PARTS:
            part_of(game, part)
        policies = knobs_of(game).policies
    except (Exception, SystemExit) as error:
        raise Refused(in_one_line(error, source)) from error
    names = [RANDOM, CLUB, EXPERT, *(policy.name for policy in policies)]
    for policy in policies:
        if names.count(policy.name) > 1:
            where = Path(policy.choose.__code__.co_filename).name if hasattr(policy.choose, "__code__") else file
            raise Refused(f"{where}: Rules of thumb cannot be called {policy.name!r}: a bot has this name already. Usually they are {HOUSE!r}.")
    return game


def own_games_in(module: ModuleType) -> list[Game[Any]]:
    """The games that a module defines, without those that it imports from the package."""
    ours = [vars(each) for name, each in sys.modules.items() if name.startswith("kortlek.games.")]
    imported = {id(thing) for namespace in ours for thing in namespace.values() if isinstance(thing, Game)}
    return list({id(each): each for each in vars(module).values() if isinstance(each, Game) and id(each) not in imported}.values())


def forget(game: Game[Any]) -> None:
    """Unregister a game."""
    remove_source(_registered.pop(game.name))
    del GAMES[game.name]


# ---- for child processes


def sources() -> tuple[Source, ...]:
    """All registered sources."""
    return tuple(_registered.values())


def take_all(taken: tuple[Source, ...]) -> None:
    """Register the sources of the parent process in this one, except those that are registered already."""
    for source in taken:
        if source not in _registered.values():
            take(source)


# ---- for messages


def typed_name(name: str) -> str:
    """What the user types for a game: its name, or its file or folder."""
    return _registered[name].typed if name in _registered else name


def origin(name: str) -> dict[str, str]:
    """What identifies a game besides its name. For a game of the user, a digest of its source, as versions are not raised while a game is being
    written; nothing for a built-in game, whose version identifies it."""
    return {"source": _registered[name].digest} if name in _registered else {}


def rules_of(name: str) -> str:
    """A digest of the rules of a user's game, which ignores bots, words and layout; empty for a built-in game."""
    return _registered[name].rules_digest if name in _registered else ""


def blame(error: BaseException) -> str:
    """The line of a user's game that raised an error, in this process or another, and the error; empty if no such line is in the traceback."""
    return next((in_one_line(error, source) for source in _registered.values() if line_in(error, source)), "")


def in_one_line(error: BaseException, source: Source) -> str:
    """An error in one line: ``mygame.py:12: NameError: name 'x' is not defined``."""
    what = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    line = line_in(error, source)
    return f"{line or source.name}: {type(error).__name__}{f': {what}' if what else ''}"


def line_in(error: BaseException, source: Source) -> str:
    """The last line of a source in the traceback of an error, as ``rules.py:12``; empty if there is none."""
    paths = {path: Path(path).name for path in source.texts if path.endswith(".py")}
    if isinstance(error, SyntaxError) and error.filename in paths:
        return f"{paths[error.filename]}:{error.lineno or 0}"
    lines = [f"{paths[frame.filename]}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__) if frame.filename in paths]
    elsewhere = re.findall('File "([^"]+)", line ([0-9]+)', str(error.__cause__))  # the traceback of another process is only text
    lines += [f"{paths[path]}:{line}" for path, line in elsewhere if path in paths]
    return lines[-1] if lines else ""
