"""Who may import whom: cards, rules, play, bots, then lab, learn and table, then command. Nothing imports to its right."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "kortlek"
ORDER = ["cards", "rules", "play", "bots", "lab", "learn", "table", "command"]
SIDE_BY_SIDE = {"lab", "learn", "table"}
ONLY_THERE = {
    "numba": "play.compiled play.keeping",
    "numpy": "play.compiled",
    "llvmlite": "play.compiled",
    "cyclopts": "command",
    "rich": "command",
    "pyspiel": "command",
    "altair": "lab",
    "vl_convert": "lab",
    "openskill": "lab",
    "pyarrow": "lab.rows",
    "ray": "lab.giving_out",
    "litestar": "table",
    "msgspec": "table",
    "prometheus_client": "table",
    "segno": "table",
    "uvicorn": "table",
    "websockets": "table",
    "asyncpg": "table.postgres",
}
"""Third-party packages, each imported by one place, or two."""


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
    layer = name.partition(".")[0]
    wrong = []
    for full in imports(tree):
        top, _, rest = full.partition(".")
        other = rest.partition(".")[0]
        if top == "kortlek" and layer in ORDER and other in ORDER:
            if ORDER.index(other) > ORDER.index(layer) or (other != layer and {other, layer} <= SIDE_BY_SIDE):
                wrong.append(full)
        if top == "kortlek" and layer not in ("rules", "") and is_a_game(rest) and not name.startswith("bots.house"):
            wrong.append(full)
        allowed = ONLY_THERE.get(top, "").split()
        if allowed and not any(f"{name}.".startswith(f"{place}.") for place in allowed):
            wrong.append(full)
    return wrong


def is_a_game(inside: str) -> bool:
    """Whether this is the module of a single game, which only its own tests and house bot may import."""
    parts = inside.replace("rules.told.", "rules.").split(".")
    return len(parts) > 1 and parts[0] == "rules" and parts[1] not in ("game", "GAMES", "tricks") and (SOURCE / "rules" / f"{parts[1]}.py").exists()


@pytest.mark.parametrize(("name", "tree"), modules().items(), ids=lambda each: each if isinstance(each, str) else "")
def test_nothing_imports_to_its_right(name: str, tree: ast.Module) -> None:
    assert wrong_imports(name, tree) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("rules.plump", "from kortlek.play import plain"),
        ("play.plain", "from kortlek.bots.bot import Bot"),
        ("lab.arena", "import kortlek.table.web"),
        ("play.plain", "import numpy"),
        ("bots.search", "import numba"),
        ("play.record", "from kortlek.rules.plump import Plump"),
        ("play.record", "from kortlek.rules.told.plump import PLUMP"),
        ("bots.bot", "from rich import print"),
        ("command.arena", "import altair"),
        ("command.lab", "import ray"),
        ("lab.running", "import pyarrow"),
        ("command.serve", "import uvicorn"),
        ("play.record", "import msgspec"),
        ("bots.bot", "from kortlek.table.table import Table"),
        ("table.web", "from kortlek.lab.arena import Arena"),
        ("table.store", "import asyncpg"),
    ],
)
def test_a_wrong_import_is_found(name: str, line: str) -> None:
    assert wrong_imports(name, ast.parse(line))


def test_a_plain_game_needs_only_the_standard_library() -> None:
    program = """
import sys
import kortlek
from kortlek.play import describing, encoding, fairness, information, plain, record, showing, telling, undoing
from kortlek.play.seeded import pick, seeded, shuffle
rng = [seeded(1, 1)]
for game in kortlek.GAMES.values():
    s = plain.begin(game, game.players[0])
    while s.phase != -1 and s.round == 0:
        if s.phase < 0:
            plain.happen(game, s, plain.draw_chance(game, s, lambda things, n: shuffle(things, n, rng)))
        else:
            plain.happen(game, s, pick(game.legal(s), rng))
foreign = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"kortlek", "__main__", "__mp_main__"}
print(sorted(name for name in foreign if not name.startswith("_")))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n{program}"], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(("command", "needed"), [("kortlek.command", set()), ("kortlek.command.line", {"cyclopts"})])
def test_importing_kortlek_loads_nothing_that_is_not_needed(command: str, needed: set[str]) -> None:
    program = f"import sys, kortlek, kortlek.play.plain, {command}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n{program}"], capture_output=True, text=True
    )
    assert "kortlek" in done.stdout.split(), done.stderr
    assert set(done.stdout.split()) & set(ONLY_THERE) == needed
