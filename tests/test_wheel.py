"""The wheel that people install: one file that contains the page and the rule books, and needs no Node."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

from serving import serving

ROOT = Path(__file__).parent.parent
GAMES = ("plump", "up_and_down", "trick_paper_scissors", "rummy", "cascade")


def built(folder: Path, **environment: str) -> zipfile.ZipFile:
    """Build a wheel of this tree. The page in it is the one built before, if that is newer than its sources."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env={**os.environ, **environment})
    return zipfile.ZipFile(next(folder.glob("kortlek-*.whl")))


def lacks(wheel: zipfile.ZipFile) -> list[str]:
    """Files that a wheel should contain and does not."""
    names = set(wheel.namelist())
    wanted = ["kortlek/page/index.html", "kortlek/page/mark.svg", "kortlek/page/faces/four/HQ.svg", "kortlek/page/faces/two-small/S2.svg"]
    beside = ("rules.en.md", "rules.sv.md", "words.en.ftl", "words.sv.ftl")
    wanted += [f"kortlek/games/{game}/{file}" for game in GAMES for file in beside]
    wanted += [f"kortlek/{file}.{language}.ftl" for file in ("words/common", "words/terminal", "games/tricks.words") for language in ("en", "sv")]
    if "kortlek/page/index.html" in names:
        index = wheel.read("kortlek/page/index.html").decode()
        wanted += [f"kortlek/page{path}" for path in re.findall(r'"(/assets/[^"]+)"', index)]
    return [name for name in wanted if name not in names]


def test_the_wheel_has_the_page_and_the_rule_books(tmp_path: Path) -> None:
    wheel = built(tmp_path)
    assert lacks(wheel) == []
    assert not [name for name in wheel.namelist() if "node_modules" in name or name.endswith((".svelte", ".ts"))]


def test_a_wheel_without_the_page_is_found(tmp_path: Path) -> None:
    whole = built(tmp_path)
    with zipfile.ZipFile(tmp_path / "less.zip", "w") as less:
        for name in whole.namelist():
            if not name.startswith("kortlek/page/"):
                less.writestr(name, whole.read(name))
    with zipfile.ZipFile(tmp_path / "less.zip") as less:
        assert "kortlek/page/index.html" in lacks(less)


def test_an_installed_wheel_serves_the_page_without_node(tmp_path: Path) -> None:
    built(tmp_path).extractall(tmp_path / "installed")
    alone = {"PYTHONPATH": str(tmp_path / "installed"), "PATH": "/nowhere"}
    with serving(tmp_path / "data", environment=alone) as server:
        with urllib.request.urlopen(f"{server.url}/") as answer:
            assert 'id="page"' in answer.read().decode()
        with urllib.request.urlopen(f"{server.url}/api/games/plump/rules?language=sv") as answer:
            assert answer.read().decode().startswith("# Plump")
