"""Arguments of the command line: shared parameter types, parsing and validation."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots import level_called, own_games
from kortlek.engine.plain import Refused
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.game.game import usual_players
from kortlek.words.sources import ENGLISH, LANGUAGES

SEEDS = 1 << 62

Options = Annotated[list[str] | None, Parameter(name="--option", help="A variant of the rules, as name=value; may be repeated. See kortlek games.")]
Players = Annotated[int | None, Parameter(help="How many players; four, or as near as the game allows.")]
Seed = Annotated[int | None, Parameter(help="The same seed gives the same games.")]
Data = Annotated[Path | None, Parameter(env_var="KORTLEK_DATA", help="The folder where tables are kept; ~/.local/share/kortlek.")]
Database = Annotated[str, Parameter(env_var="KORTLEK_DATABASE", help="Tables are in PostgreSQL instead: postgresql://...")]
OwnGames = Annotated[
    list[Path] | None,
    Parameter(name="--game", env_var="KORTLEK_GAMES", help="The file or folder of a game of your own, beside the others; may be repeated."),
]
OwnRules = Annotated[
    list[Path] | None,
    Parameter(name="--rules", env_var="KORTLEK_GAMES", help="The file or folder of a game of your own that was played; may be repeated."),
]
Workers = Annotated[int | None, Parameter(help="How many work at it; all cores, if that is faster. The results are the same for any number.")]
OnCluster = Annotated[str | None, Parameter(name="--cluster", help="Let a ray cluster work at it: its address, such as 192.168.1.10:6379, or auto.")]
Language = Annotated[
    str | None, Parameter(env_var="KORTLEK_LANGUAGE", help=f"What is spoken: {' or '.join(LANGUAGES)}; as the system does, if none is named.")
]
Json = Annotated[bool, Parameter(name="--json", show_default=False, help="Print one JSON object and nothing else.")]


def game_called(name: str) -> Game[Any]:
    """The game of this name, or the game in this file or folder."""
    if is_file_name(name):
        return own_games.load(name)
    game = GAMES.get(name.lower().replace("-", "_"))
    if game is None:
        there = f" If you mean the file, say ./{name}.py." if Path(f"{name}.py").is_file() else ""
        there = f" If you mean the folder, say ./{name}." if Path(name, "rules.py").is_file() else there
        raise Refused(f"There is no game {name!r}. The games are: {', '.join(GAMES)}.{there}")
    return game


def is_file_name(name: str) -> bool:
    """Whether a name is the path of a custom game, not the name of a registered one."""
    return name.endswith(".py") or "/" in name or os.sep in name


def load_own_games(files: Sequence[Path] | None) -> None:
    """Load custom games, so that they are registered like the built-in ones."""
    for file in files or ():
        own_games.load(str(file))


def options_given(texts: Sequence[str] | None) -> dict[str, str]:
    """Parse options from ``name=value`` texts. Whether a game has such an option is checked by the game."""
    given: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Refused(f"--option {text!r} should be a name and a value, such as first_lead=highest_bidder.")
        if name in given:
            raise Refused(f"--option {name} is given more than once.")
        given[name] = value
    return given


def bots_asked(game: Game[Any], bots: str, players: int | None, people: int = 0) -> list[str]:
    """The level of the bot in each seat that is not a person's, from one level for all or a list with one for each."""
    levels = [level.strip() for level in bots.split(",")]
    for level in levels:
        level_called(game, level)
    if players is None:
        players = usual_players(game) if len(levels) == 1 else len(levels) + people
    if players not in game.players:
        raise Refused(f"{game.title} is for {game.players[0]} to {game.players[-1]} players, not {players}.")
    if len(levels) == 1:
        levels *= players - people
    if len(levels) != players - people:
        raise Refused(f"With {players} players there are {players - people} bots: name one level for all or {players - people}, not {len(levels)}.")
    return levels


def language_asked(given: str | None) -> str:
    """The language of the output: as given, or the system's language if it is supported, or English."""
    if given is not None and given not in LANGUAGES:
        raise Refused(f"There are no words in {given!r}. The languages are: {', '.join(LANGUAGES)}.")
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return given or next((each for each in LANGUAGES if re.match(rf"{each}([_.@-]|$)", system, re.IGNORECASE)), ENGLISH)


def seed_asked(seed: int | None) -> int:
    """The given seed, checked, or a random one."""
    if seed is None:
        return int.from_bytes(os.urandom(4), "big")
    if not 0 <= seed < SEEDS:
        raise Refused(f"The seed {seed} is not possible: it is a whole number from 0 to {SEEDS - 1}.")
    return seed


def at_least_one(what: str, number: int) -> int:
    """Check that a number is at least 1."""
    if number < 1:
        raise Refused(f"{what} {number} is not possible: it is a whole number from 1 up.")
    return number


def needs_table() -> None:
    """Raise Refused if the packages of the extra ``table`` are not installed."""
    if not all(find_spec(name) for name in ("litestar", "msgspec", "segno", "uvicorn", "websockets")):
        raise Refused("The table needs the extra 'table': pip install 'kortlek[table]'.")


def print_json(answer: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    print(json.dumps(answer, ensure_ascii=False))


def cores() -> int:
    """The number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
