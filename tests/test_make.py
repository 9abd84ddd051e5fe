"""``make`` takes the newest Python on the path that can make an environment, and says so if there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parent.parent / "Makefile"
WORKS = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
FAILS = "#!/bin/sh\nexit 127\n"
TOO_OLD = f"#!/bin/sh\nexec {sys.executable} -c 'import sys; sys.exit(1)'\n"


def make(folder: Path, pythons: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in an empty folder, with only these commands called python."""
    shutil.copy(MAKEFILE, folder)
    on_path = folder / "bin"
    on_path.mkdir()
    for tool in ("echo", "find", "make", "sh", "touch"):
        (on_path / tool).symlink_to(str(shutil.which(tool)))
    for name, script in pythons.items():
        (on_path / name).write_text(script)
        (on_path / name).chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHON", "MAKEFLAGS", "MAKELEVEL")}
    return subprocess.run(["make", *arguments], cwd=folder, env={**environment, "PATH": str(on_path)}, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("pythons", "chosen"),
    [
        ({"python3.11": WORKS, "python3.13": WORKS, "python3": WORKS}, "python3.13"),
        ({"python3.11": WORKS, "python3.14": FAILS}, "python3.11"),
        ({"python3": WORKS}, "python3"),
        ({"python3": TOO_OLD}, ""),
        ({}, ""),
    ],
    ids=["newest", "a shim that fails", "only python3", "too old", "none"],
)
def test_the_newest_python_that_works_is_taken(tmp_path: Path, pythons: dict[str, str], chosen: str) -> None:
    asked = make(tmp_path, pythons, "--eval", "which: ; @echo chosen $(PYTHON)", "which")
    assert asked.stdout.split() == ["chosen", *chosen.split()]


def test_a_python_that_is_named_is_taken(tmp_path: Path) -> None:
    asked = make(tmp_path, {"python3.14": WORKS}, "--eval", "which: ; @echo chosen $(PYTHON)", "which", "PYTHON=mine")
    assert asked.stdout.split() == ["chosen", "mine"]


@pytest.mark.parametrize("arguments", [[], ["PYTHON=python3"], ["PYTHON=nowhere"]])
def test_without_python_make_says_what_is_needed(tmp_path: Path, arguments: list[str]) -> None:
    tried = make(tmp_path, {"python3": TOO_OLD}, "setup", *arguments)
    assert tried.returncode == 2 and "Kortlek needs Python 3.11 or newer" in tried.stdout
    assert "make PYTHON=/path/to/python3" in tried.stdout and not (tmp_path / ".venv").exists()
