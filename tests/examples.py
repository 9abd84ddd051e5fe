"""The worked examples of docs/examples, loaded from their files as own games are."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from kortlek.game import Game
from kortlek.game.registry import game_in

FOLDER = Path(__file__).parent.parent / "docs" / "examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))


def module_of(name: str) -> ModuleType:
    """The module of an example, loaded once."""
    known = f"example_{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, FOLDER / f"{name}.py")
        assert spec and spec.loader
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


def example(name: str) -> Game[Any]:
    """The game of an example."""
    return game_in(module_of(name))
