"""The layers of docs/map.md: which module may import which. Nothing imports to its right, and a game's rules import only what rules need."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "kortlek"
ORDER = ["cards", "game", "engine", "compiled", "words", "games", "bots", "simulation", "lab", "learn", "table", "cli"]
SIDE_BY_SIDE = {"lab", "learn", "table"}
SHARED = {"tricks", "melds"}
"""Rules that several games share."""
RULES_IMPORT = {"cards", "game", *(f"games.{name}" for name in SHARED)}
ONLY_THERE = {
    "numba": "compiled",
    "numpy": "compiled lab.arena.statistics",
    "llvmlite": "compiled",
    "cyclopts": "cli",
    "rich": "cli",
    "pyspiel": "cli",
    "altair": "lab",
    "vl_convert": "lab",
    "openskill": "lab",
    "scipy": "lab",
    "pyarrow": "lab.study.rows",
    "ray": "simulation.executors",
    "fluent": "words",
    "litestar": "table",
    "msgspec": "table",
    "prometheus_client": "table",
    "segno": "table",
    "uvicorn": "table",
    "websockets": "table",
    "asyncpg": "table.postgres",
}
"""Third-party packages that are imported in one place only."""


def modules() -> dict[str, ast.Module]:
    return {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_text())
        for path in sorted(SOURCE.rglob("*.py"))
    }


def imports(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{each.name}" for each in node.names}
    return found


def wrong_imports(name: str, tree: ast.Module) -> list[str]:
    layer = layer_of(name)
    wrong = []
    for full in imports(tree):
        top, _, inside = full.partition(".")
        other = layer_of(inside) if top == "kortlek" else ""
        if layer in ORDER and other in ORDER and (ORDER.index(other) > ORDER.index(layer) or (other != layer and {other, layer} <= SIDE_BY_SIDE)):
            wrong.append(full)
        if top == "kortlek" and game_of(inside) not in ("", game_of(name)):
            wrong.append(full)
        if top == "kortlek" and is_rules(name) and not any(f"{inside}.".startswith(f"{each}.") for each in RULES_IMPORT):
            wrong.append(full)
        if full == "kortlek.engine.plain.step" and layer != "engine":  # everyone else plays on a Match
            wrong.append(full)
        allowed = ONLY_THERE.get(top, "").split()
        if allowed and not any(f"{name}.".startswith(f"{place}.") for place in allowed):
            wrong.append(full)
    return wrong


def layer_of(name: str) -> str:
    """The layer of a module. A game's policies belong to the bots."""
    parts = name.split(".")
    is_for_bots = parts[0] == "games" and not is_rules(name) and not any(part.endswith(("layout", "metrics")) for part in parts) and len(parts) > 1
    return "bots" if is_for_bots else parts[0]


def is_rules(name: str) -> bool:
    """Whether a module holds rules, of one game or of several."""
    parts = name.split(".")
    return parts[0] == "games" and len(parts) > 1 and (parts[1] in SHARED or parts[2:3] == ["rules"])


def game_of(name: str) -> str:
    """The game that a module belongs to; only modules of that game import it."""
    parts = name.split(".")
    return parts[1] if parts[0] == "games" and len(parts) > 1 and (SOURCE / "games" / parts[1]).is_dir() else ""


@pytest.mark.parametrize(("name", "tree"), modules().items(), ids=lambda each: each if isinstance(each, str) else "")
def test_nothing_imports_to_its_right(name: str, tree: ast.Module) -> None:
    assert wrong_imports(name, tree) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("games.plump.rules", "from kortlek.engine import plain"),
        ("games.plump.rules", "from kortlek.bots.policy import Policy"),
        ("games.plump.rules", "from kortlek.games.rummy.rules import Rummy"),
        ("games.tricks", "from kortlek.engine.rng import below"),
        ("engine.plain", "from kortlek.bots.bot import Bot"),
        ("engine.plain", "from kortlek.games.plump.bots import HOUSE"),
        ("simulation.check", "from kortlek.engine.plain import copy_of, step"),
        ("lab.arena.run", "import kortlek.table.web"),
        ("engine.plain", "import numpy"),
        ("bots.search", "import numba"),
        ("engine.record", "from kortlek.games.plump.rules import Plump"),
        ("bots.levels", "from kortlek.games.plump.bots import HOUSE"),
        ("bots.bot", "from rich import print"),
        ("cli.arena", "import altair"),
        ("cli.lab", "import ray"),
        ("lab.study.running", "import pyarrow"),
        ("cli.serve", "import uvicorn"),
        ("engine.record", "import msgspec"),
        ("cli.play", "from fluent.runtime import FluentBundle"),
        ("bots.bot", "from kortlek.table.table import Table"),
        ("table.web", "from kortlek.lab.arena.run import Arena"),
        ("table.store", "import asyncpg"),
    ],
)
def test_a_wrong_import_is_found(name: str, line: str) -> None:
    assert wrong_imports(name, ast.parse(line))


def test_a_plain_game_needs_only_the_standard_library() -> None:
    program = """
import sys
import kortlek
from kortlek.game.registry import GAMES
from kortlek.engine import match, moments, observation, fairness, views, plain, record, undo
from kortlek.engine.rng import pick, seeded, shuffle
rng = [seeded(1, 1)]
for game in GAMES.values():
    s = plain.begin(game, game.players[0])
    while s.phase != -1 and s.round == 0:
        if s.phase < 0:
            plain.step(game, s, plain.resolve_chance(game, s, lambda things, n: shuffle(things, n, rng)))
        else:
            plain.step(game, s, pick(game.legal(s), rng))
foreign = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"kortlek", "__main__", "__mp_main__"}
print(sorted(name for name in foreign if not name.startswith("_")))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n{program}"], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(("command", "needed"), [("kortlek.cli", set()), ("kortlek.cli.main", {"cyclopts"})])
def test_importing_kortlek_loads_nothing_that_is_not_needed(command: str, needed: set[str]) -> None:
    program = f"import sys, kortlek, kortlek.engine.plain, {command}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n{program}"], capture_output=True, text=True
    )
    assert "kortlek" in done.stdout.split(), done.stderr
    assert set(done.stdout.split()) & set(ONLY_THERE) == needed
