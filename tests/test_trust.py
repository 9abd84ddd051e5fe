"""``make trust``: what was measured is kept and not measured again, and the quick rows find the bugs that are planted for them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

from trust import durability, fair_deals, hostile, leaks, upgrades
from trust.__main__ import ROWS, main
from trust.row import PLANTED, Found, Row, Run

Measure = Callable[..., int]
DICE = 10


class Dice:
    """A row that is measured in an instant, and remembers which of its parts were."""

    def __init__(self, small: int = 1) -> None:
        self.runs: list[tuple[str, int]] = []
        self.wrong: list[str] = []
        self.raises: BaseException | None = None
        self.row = Row("R1", "dice", "no seven", self.measure, {"dice": 4 * DICE}, "a die with seven sides", small)

    def measure(self, run: Run) -> Found:
        assert run.data.is_dir() and not any(run.data.iterdir())
        if self.raises and len(self.runs) == 2:
            raise self.raises
        self.runs.append((run.size, run.part))
        wrong = ["a seven"] if run.is_planted else self.wrong
        return Found(wrong, {"dice": DICE}, {"most": float(run.part), "least sum": float(run.part)})


@pytest.fixture
def trust(tmp_path: Path) -> Measure:
    """The command, with these rows, and a results file of its own."""

    def run(dice: Dice, *arguments: str) -> int:
        other = Row("S1", "coins", "heads", lambda run: Found(counts={"coins": 1}), {"coins": 1}, "two tails")
        return main(["--results", str(tmp_path / "results.jsonl"), *arguments], [other, dice.row])

    return run


def test_what_was_measured_is_kept_and_not_measured_again(trust: Measure, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice = Dice(small=2)
    assert trust(dice) == 0
    assert dice.runs == [("small", 0), ("small", 1)]
    out = capsys.readouterr().out
    assert "0 wrong in 20 dice; most 1.0; least sum 0.00 | small (50% of the goal)" in out and "| so far | a die with seven sides |" in out
    assert "0 wrong in 1 coins | small (100% of the goal)" in out and "| yes | two tails |" in out
    assert out.index("| R1 |") < out.index("| S1 |")
    assert trust(dice) == 0
    assert len(dice.runs) == 2
    assert capsys.readouterr().out.splitlines()[2:] == out.splitlines()[2:]
    lines = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [(line["row"], line["size"], line["part"]) for line in lines] == [("R1", "small", 0), ("R1", "small", 1), ("S1", "small", 0)]
    assert all(line["date"] and line["seconds"] >= 0 and "commit" in line for line in lines)


def test_again_measures_again_and_only_the_new_results_count(trust: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    dice = Dice(small=2)
    dice.wrong = ["a seven"]
    assert trust(dice, "--only", "R1") == 1
    assert dice.runs == [("small", 0)], "when something is wrong, it ends"
    assert "| no |" in capsys.readouterr().out
    dice.wrong = []
    assert trust(dice, "--only", "R1", "--again") == 0
    assert dice.runs[1:] == [("small", 0), ("small", 1)]
    assert "0 wrong in 20 dice" in capsys.readouterr().out


def test_the_full_size_goes_on_until_the_goal_is_reached(trust: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    dice = Dice()
    assert trust(dice) == trust(dice, "--size", "full") == 0
    assert dice.runs == [("small", 0), *(("full", part) for part in range(4))]
    assert "0 wrong in 40 dice; most 3.0; least sum 0.00 | full (100% of the goal)" in capsys.readouterr().out


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 0), (RuntimeError("no dice"), 1)], ids=["Ctrl-C", "a crash"])
def test_a_run_that_was_ended_goes_on_where_it_was(error: BaseException, code: int, trust: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    dice = Dice()
    dice.raises = error
    assert trust(dice, "--only", "R1", "--size", "full") == code
    assert "0 wrong in 20 dice; most 1.0; least sum 0.00 | full, not finished (50% of the goal)" in capsys.readouterr().out
    dice.raises = None
    assert trust(dice, "--only", "R1", "--size", "full") == 0
    assert dice.runs == [("full", part) for part in range(4)]


def test_a_line_that_was_not_written_completely_is_measured_again(trust: Measure, tmp_path: Path) -> None:
    dice, results = Dice(small=2), tmp_path / "results.jsonl"
    trust(dice, "--only", "R1")
    whole = results.read_text()
    results.write_text(whole[:-20])
    assert trust(dice, "--only", "R1") == 0
    assert dice.runs == [("small", 0), ("small", 1), ("small", 1)]
    assert trust(dice, "--only", "R1") == 0
    assert len(dice.runs) == 3


def test_no_time_no_part(trust: Measure) -> None:
    dice = Dice()
    assert trust(dice, "--minutes", "0") == 0
    assert dice.runs == []


def test_only_some_rows(trust: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    dice = Dice()
    assert trust(dice, "--only", "s1") == 0
    assert dice.runs == [] and "| R1 |" not in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        trust(dice, "--only", "R1,R7")
    assert ended.value.code == 2
    assert "there is no row 'R7'; the rows are R1, S1" in capsys.readouterr().err


def test_a_planted_bug_that_is_not_found_is_told(trust: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    assert trust(Dice(), "--planted", "--only", "R1") == 0
    assert "R1: a die with seven sides: found" in capsys.readouterr().err
    assert trust(Dice(), "--planted") == 1
    assert "S1: two tails: NOT FOUND" in capsys.readouterr().err


def test_every_goal_has_a_row() -> None:
    goals = {*(f"R{number}" for number in (1, 2, 3, 4, 5, 6, 8, 9, 10)), *(f"S{number}" for number in (1, 2, 6, 7, 8, 12))}
    assert {row.name for row in ROWS} == goals and len(ROWS) == len(goals)
    documented = (Path(__file__).parent.parent / "docs" / "trust.md").read_text()
    assert [row.name for row in ROWS if f"| {row.name} |" not in documented] == []


QUICK = [*durability.ROWS, *fair_deals.ROWS, *leaks.ROWS, *hostile.ROWS, *upgrades.ROWS]


@pytest.mark.parametrize("row", QUICK, ids=lambda row: row.name)
def test_a_row_finds_its_planted_bug(row: Row, tmp_path: Path) -> None:
    assert row.measure(Run(PLANTED, 0, tmp_path)).wrong
