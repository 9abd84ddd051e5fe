"""Own games for tests: the template of ``kortlek new``, edited and written to a folder or a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kortlek.bots import own_games
from kortlek.cli.new import folder, one_file
from kortlek.game import Game
from kortlek.game.registry import GAMES

PARTS = folder("stairs")
ONE_FILE = one_file("stairs")["stairs.py"]


def write(at: Path, *edits: tuple[str, str, str], more: dict[str, str] | None = None) -> Path:
    """Write the template to a folder, with edits such as ``("rules.py", old, new)``."""
    parts = {**PARTS, **(more or {})}
    for part, old, new in edits:
        assert parts[part].count(old) >= 1, f"{part} has no {old!r}"
        parts[part] = parts[part].replace(old, new, 1)
    for part, text in parts.items():
        (at / part).parent.mkdir(parents=True, exist_ok=True)
        (at / part).write_text(text, encoding="utf-8")
    return at


def line_of(part: str, text: str) -> int:
    """The line number at which a text begins in a file of the template."""
    return PARTS[part][: PARTS[part].index(text)].count("\n") + 1


@contextmanager
def known(path: Path, tried_out: bool = False) -> Iterator[Game[Any]]:
    """Load the game of a file or folder, registered until the end of the block."""
    game = own_games.load(str(path), tried_out)
    try:
        yield game
    finally:
        if game.name in GAMES:
            own_games.forget(game)
