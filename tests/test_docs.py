"""The examples in the documentation run, and the documentation agrees with the games."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playing import walk

import kortlek
from kortlek import cards
from kortlek.engine import plain, redeal, views
from kortlek.engine.rng import seeded
from kortlek.game import OVER, Game
from kortlek.game.registry import GAMES
from kortlek.lab.arena.contest import Contest
from kortlek.words.check import try_out
from kortlek.words.describe import page_of

DOCS = Path(__file__).parent.parent / "docs"
sys.path.append(str(DOCS.parent / "benchmarks"))
REFERENCE = importlib.import_module("reference")
HEADINGS = ["In short", "The rules", "Options", "Choices", "Scoring", "What is hidden", "Version history"]


@pytest.mark.parametrize("module", [kortlek, cards], ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_run(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried and not failed


def test_the_examples_of_the_api_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", (DOCS / "api.md").read_text(), re.S)
    for code in examples:
        exec(compile(code, "api.md", "exec"), {})
    said = capsys.readouterr().out
    assert len(examples) == 4 and (tmp_path / "game.jsonl").exists()
    assert "'bid 99' is not a choice here" in said and "gets_unseen 0" in said and said.endswith("True True\n")


def test_every_public_name_is_described() -> None:
    page = (DOCS / "api.md").read_text()
    assert not [name for name in kortlek.__all__ if f"{name}" not in page and not name.startswith("__")]


def test_the_example_in_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", (DOCS.parent / "README.md").read_text(), re.S)
    exec(compile(code, "README.md", "exec"), {})
    assert re.fullmatch(r"\[\d+, \d+, \d+, \d+\] \[[0-3].*\]\n", capsys.readouterr().out)


def load_example(tmp_path: Path) -> Game[Any]:
    """Load the game of docs/reference.md from a file."""
    [code] = re.findall(r"```python\n(.*?)```", (DOCS / "reference.md").read_text(), re.S)
    (tmp_path / "bare_tricks.py").write_text(code)
    spec = importlib.util.spec_from_file_location("bare_tricks", tmp_path / "bare_tricks.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["bare_tricks"] = module
    spec.loader.exec_module(module)
    game: Game[Any] = module.BARE_TRICKS
    return game


def test_the_reference_is_what_the_code_says() -> None:
    """Every field, choice, zone, option and default: if this fails, run benchmarks/reference.py."""
    assert (DOCS / "reference.md").read_text() == REFERENCE.page()


def test_the_reference_names_everything_that_rules_import() -> None:
    contract, written = sys.modules["kortlek.game"], (DOCS / "reference.md").read_text()
    inside = {
        "Alternative",
        "Argument",
        "Audience",
        "Declared",
        "Field",
        "Holds",
        "Kind",
        "MULTISET",
        "Names",
        "Option",
        "Owner",
        "PILE",
        "Reset",
        "Rules",
    }
    inside |= {"SEATS", "SET", "Storage", "Value", "WIDE", "each_seat", "fields_of", "seats_of", "values"}
    missing = [name for name in contract.__all__ if name not in inside and not re.search(rf"`[^`]*\b{name}\b[^`]*`", written)]
    assert missing == []


def test_the_reference_explains_every_parameter_of_a_field() -> None:
    explained = {name for names in REFERENCE.PARAMETERS for name in names.split(", ")}
    for maker in (*REFERENCE.NUMBERS, *REFERENCE.PLACES):
        assert set(inspect.signature(getattr(sys.modules["kortlek.game.fields"], maker)).parameters) <= explained, maker


def test_the_example_of_a_new_game_plays(tmp_path: Path) -> None:
    game = load_example(tmp_path)
    for players in game.players:
        for step, s in enumerate(walk(game, players, {"deals": 2}, 3)):
            if s.phase >= 0 and step % 5 == 0:
                seen = views.view(game, s, s.turn)
                assert views.view(game, redeal.redeal(seen, [seeded(1, step)]), s.turn) == seen
        assert s.phase == OVER and sum(s.score[:players]) == 10


def test_the_example_of_a_new_game_compiles(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    from test_engines import simulate_compiled, simulate_plain

    game = load_example(tmp_path)
    assert simulate_plain(game, 3, {}, 1, 3) == simulate_compiled(game, 3, {}, 1, 3)


def test_the_example_of_a_new_game_says_ten_things_and_has_no_faults(tmp_path: Path) -> None:
    given = re.search(r"^BARE_TRICKS = Game\((.*?)^\)", REFERENCE.BARE_TRICKS, re.S | re.M)
    assert given and len(given[1].strip().splitlines()) == 10
    try_out(load_example(tmp_path))


def page(name: str) -> str:
    return page_of(GAMES[name])


@pytest.mark.parametrize("name", GAMES)
def test_every_page_has_the_same_headings(name: str) -> None:
    assert re.findall(r"^## (.+)$", page(name), re.M) == HEADINGS


@pytest.mark.parametrize("name", GAMES)
def test_a_page_names_every_option_and_its_default(name: str) -> None:
    game = GAMES[name]
    section = page(name).partition("## Options")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([^`]+)`", section, re.M)) == set(game.options)
    s = plain.begin(game, game.players[0])
    for option, value in plain.options_of(game, s).items():
        if isinstance(value, str):
            assert f"`{value}`" in section, f"{option}={value}"


@pytest.mark.parametrize("name", GAMES)
def test_a_page_names_every_kind_of_choice(name: str) -> None:
    section = page(name).partition("## Choices")[2].partition("\n## ")[0]
    for kind in GAMES[name].choices:
        for verb in {part.verb for part in kind.parts}:
            assert f"`{verb}" in section, verb


@pytest.mark.parametrize("name", GAMES)
def test_a_page_names_the_present_version(name: str) -> None:
    section = page(name).partition("## Version history")[2]
    assert re.search(rf"^\W*{GAMES[name].version}\W", section, re.M)


FOLDERS = ("game", "engine", "compiled", "words", "games", "bots", "simulation", "lab/arena", "lab/study", "lab/report", "table", "cli")


def test_the_map_names_every_module() -> None:
    source = Path(kortlek.__file__).parent
    written = (DOCS / "map.md").read_text()
    for path in [
        *source.glob("*.py"),
        *(path for folder in FOLDERS for path in source.glob(f"{folder}/*.py")),
    ]:
        if not path.name.startswith("__"):
            assert path.name in written, path


def test_the_commands_that_measure_the_bots_can_be_given() -> None:
    commands = re.findall(
        r"`kortlek arena (\w+) --bots ([\w/,]+)( --players \d)?( --round \d+)? --deals \d+ --seed 1`", (DOCS / "bots.md").read_text()
    )
    assert len(commands) >= 15
    for name, bots, players, played in commands:
        seats = int(players.split()[1]) if players else min(GAMES[name].players, key=lambda number: abs(number - 4))
        Contest(name, seats, tuple(bots.split(",")), 1, round=int(played.split()[1]) if played else None).check()
