"""Games from files outside the package, with the rules of thumb that they bring: known like the built-in ones, in ``GAMES`` and ``POLICIES``.

A file is read once. Whoever plays it, in this process or in one that it starts, plays the text that was read, however the file is edited meanwhile;
a new process reads it anew."""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
import traceback
from dataclasses import dataclass
from importlib.util import decode_source
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from kortlek.bots.house import POLICIES
from kortlek.bots.levels import CLUB, EXPERT, HOUSE, RANDOM
from kortlek.bots.policy import Policy
from kortlek.play.plain import Refused
from kortlek.play.trying import try_out
from kortlek.rules import GAMES
from kortlek.rules.game import Game

T = TypeVar("T")


@dataclass(frozen=True)
class Source:
    """A file as it was read, and what was typed to name it."""

    path: str
    text: str
    typed: str

    @property
    def module(self) -> str:
        """The name of its module: the same in every process, so that what was compiled is found again; and another when it was edited."""
        return f"own_{re.sub(r'[^a-z0-9]', '_', Path(self.path).stem.lower())}_{self.digest}"

    @property
    def digest(self) -> str:
        """Two texts that differ have different ones."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


_taken: dict[str, Source] = {}
"""The files that are known here, by the names of their games."""


def load(typed: str) -> Game[Any]:
    """The game in a file, tried out; Refused with a sentence if there is none, or if it cannot be played."""
    path = str(Path(typed).resolve())
    for name, source in _taken.items():
        if source.path == path:
            return GAMES[name]
    source = Source(path, read(typed), typed)
    game = take(source)
    try:
        try_out(game)
    except Exception as error:
        forget(game)
        if isinstance(error, Refused):
            raise Refused(f"{Path(path).name}: {error}") from error
        raise Refused(in_one_line(error, path)) from error
    return game


def read(typed: str) -> str:
    """The text of a file."""
    try:
        return decode_source(Path(typed).read_bytes())
    except FileNotFoundError as error:
        raise Refused(f"There is no file {typed}. A game of your own is a Python file; see docs/your-own-game.md.") from error
    except IsADirectoryError as error:
        raise Refused(f"{typed} is a folder, not a Python file with a game in it.") from error
    except (SyntaxError, UnicodeDecodeError) as error:
        raise Refused(f"{typed} is not a Python file: it is not written in UTF-8.") from error


def take(source: Source) -> Game[Any]:
    """Let the game of a file, and its rules of thumb, be known in this process."""
    try:
        game, policies = contents(run(source))
    except Refused:
        sys.modules.pop(source.module, None)
        raise
    GAMES[game.name], POLICIES[game.name], _taken[game.name] = game, tuple(policies), source
    return game


def contents(module: ModuleType) -> tuple[Game[Any], list[Policy[Any]]]:
    """The one game in a module, and its rules of thumb; Refused if there is none, or another, or if a name is taken."""
    file = Path(str(module.__file__)).name
    games = found(module, Game, list(GAMES.values()))
    policies = found(module, Policy, [policy for several in POLICIES.values() for policy in several])
    if not games:
        raise Refused(f"{file} has no game: there is no Game(...) in it.")
    if len(games) > 1:
        raise Refused(f"{file} has {len(games)} games, {', '.join(str(game.name) for game in games)}: keep one in a file.")
    if games[0].name in GAMES:
        raise Refused(f"{file}: There is a game {games[0].name!r} already. Give yours another name.")
    names = [RANDOM, CLUB, EXPERT, *(policy.name for policy in policies)]
    for policy in policies:
        if names.count(policy.name) > 1:
            raise Refused(f"{file}: Rules of thumb cannot be called {policy.name!r}: a bot has this name already. Usually they are {HOUSE!r}.")
    return games[0], policies


def run(source: Source) -> ModuleType:
    """The module that a file is, run from the text that was read; Refused with the line if it cannot be run."""
    module = ModuleType(source.module)
    module.__file__ = source.path
    lines = source.text.splitlines(keepends=True)
    linecache.cache[source.path] = len(source.text), None, lines, source.path  # what is compiled is found again by this text, not by the file's
    sys.modules[source.module] = module
    try:
        exec(compile(source.text, source.path, "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        raise Refused(in_one_line(error, source.path)) from error
    return module


def found(module: ModuleType, kind: type[T], known: list[T]) -> list[T]:
    """The things of a kind in a module, without those that it imports from us."""
    unlike = {id(thing): thing for thing in vars(module).values() if isinstance(thing, kind) and not any(thing is each for each in known)}
    return list(unlike.values())


def forget(game: Game[Any]) -> None:
    """Let a game not be known after all."""
    del sys.modules[_taken.pop(game.name).module], GAMES[game.name], POLICIES[game.name]


# ---- for processes that this one starts


def sources() -> tuple[Source, ...]:
    """All files that are known here."""
    return tuple(_taken.values())


def take_all(taken: tuple[Source, ...]) -> None:
    """Let another process know what the one that gives it work knows; what it knows already, it is not told again."""
    for source in taken:
        if source not in _taken.values():
            take(source)


# ---- for people


def typed_name(name: str) -> str:
    """What has to be typed to name a game: its name, or its file."""
    return _taken[name].typed if name in _taken else name


def origin(name: str) -> dict[str, str]:
    """What tells a game of this name from others: nothing of a built-in one, whose version does; of one's own the text of its file, as nobody raises
    versions while a game is being made."""
    return {"source": _taken[name].digest} if name in _taken else {}


def blame(error: BaseException) -> str:
    """The line of one's own file where an error came up, here or in another process, and what it was; empty if it was in none of them."""
    for source in _taken.values():
        if line_in(error, source.path):
            return in_one_line(error, source.path)
    return ""


def in_one_line(error: BaseException, path: str) -> str:
    """``mygame.py:12: NameError: name 'x' is not defined``."""
    what = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    line = line_in(error, path)
    return f"{Path(path).name}{f':{line}' if line else ''}: {type(error).__name__}{f': {what}' if what else ''}"


def line_in(error: BaseException, path: str) -> int:
    """The last line of a file that an error passed through; 0 if it did not."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno or 0
    lines = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    lines += [int(line) for line in re.findall(f'File "{re.escape(path)}", line ([0-9]+)', str(error.__cause__))]  # from another process
    return lines[-1] if lines else 0
