"""``kortlek new``: the game it writes runs, passes its own test and has no faults; and existing files are not overwritten."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import running
from running import SOURCE

from kortlek.bots import own_games
from kortlek.game.registry import GAMES
from kortlek.simulation.check import check_game


def new(folder: Path, *words: str) -> running.Ran:
    """Run the command in a folder; afterwards this process forgets the game."""
    with contextlib.chdir(folder):
        done = running.run("new", *words)
    for source in own_games.sources():
        own_games.forget(next(game for name, game in GAMES.items() if own_games.typed_name(name) == source.typed))
    return done


@pytest.mark.parametrize(("words", "written"), [(["my_game"], "my_game"), (["my_game", "--file"], "my_game.py"), (["deep/my_game"], "deep/my_game")])
def test_what_is_written_has_no_faults(tmp_path: Path, words: list[str], written: str) -> None:
    pytest.importorskip("numba")
    done = new(tmp_path, *words)
    assert done.code == 0 and f"  kortlek play ./{written}" in done.out, done.err
    game = own_games.load(str(tmp_path / written), tried_out=False)
    try:
        report = check_game(game, matches=50)
        assert (report.faults, report.notes, report.compiled, game.title) == ([], [], True, "My game")
    finally:
        own_games.forget(game)


@pytest.mark.parametrize("more", [[], ["--file"]])
def test_its_test_passes(tmp_path: Path, more: list[str]) -> None:
    new(tmp_path, "my_game", *more)
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout


def test_what_is_written_is_formatted_and_free_of_lint_errors(tmp_path: Path) -> None:
    """By the standards of this package: formatted, and free of lint errors."""
    new(tmp_path, "my_game")
    new(tmp_path, "alone", "--file")
    for tool in (
        ["check", "--isolated", "--line-length", "150", "--select", "E,F,I,B,UP,SIM"],
        ["format", "--check", "--isolated", "--line-length", "150"],
    ):
        done = subprocess.run([sys.executable, "-m", "ruff", *tool, "my_game", "alone.py"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("more", [[], ["--file"]])
def test_nothing_is_written_over(tmp_path: Path, more: list[str]) -> None:
    assert new(tmp_path, "my_game", *more).code == 0
    before = {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    done = new(tmp_path, "my_game", *more)
    assert done.code == 2 and done.err == f"There is {'my_game.py' if more else 'my_game'} already: name another, or take it away.\n"
    assert {path: path.read_text() for path in before} == before


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("plump", "There is a game 'plump' already."), ("9lives", "A game cannot be called '9lives'"), ("é", "A game cannot be called 'é'")],
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str, sentence: str) -> None:
    done = new(tmp_path, name)
    assert done.code == 2 and done.err.startswith(sentence) and not list(tmp_path.iterdir())
