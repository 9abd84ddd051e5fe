"""``kortlek bench`` prints every row. No speed is asserted here."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from kortlek.cli import main
from kortlek.cli.bench import COLUMNS, COMPARISONS, NOT_INSTALLED, Report, Row, as_markdown, show, typical
from kortlek.cli.contestants import HOUSES
from kortlek.game.registry import GAMES

ALSO = [
    *(f"A choice of the house in {GAMES[name].title}" for name in HOUSES),
    *(f"A choice of {level} in {game.title}" for game in GAMES.values() for level in ("club", "expert")),
    *["two workers, compiled", "The machine: two threads", "two workers, plain", "Growth from", "kortlek --help", "Import and begin"],
]


def test_a_quick_run_has_every_row_as_json_and_as_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numba")
    page = tmp_path / "benchmarks.md"
    assert main(["bench", "--quick", "--json", "--markdown", str(page)]) == 0
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert report["cores"] >= 1
    assert set(report["versions"]) == {"kortlek", "Python", "numba", "numpy", "open_spiel"}
    assert [row["what"] for row in report["rows"][: len(COMPARISONS)]] == [what for what, *_ in COMPARISONS]
    rest = report["rows"][len(COMPARISONS) :]
    assert len(rest) == len(ALSO)
    assert all(part in row["what"] for part, row in zip(ALSO, rest, strict=True))
    assert all(row["ours"] > 0 for row in report["rows"] if row["unit"] != "MB")
    installed = importlib.util.find_spec("pyspiel") is not None
    assert all((row["theirs"] is not None) == installed for row in report["rows"] if row["peer"].startswith("OpenSpiel"))
    assert "warming up" in printed.err
    text = page.read_text()
    assert all(row["what"] in text for row in report["rows"])
    assert (NOT_INSTALLED in text) != installed


def a_report(*rows: Row) -> Report:
    return Report({"kortlek": "1.2.3", "open_spiel": NOT_INSTALLED}, 2, None, list(rows))


def test_the_table_says_what_reached_its_goal(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        Row("fast", "choices/s", 50e6, "snail", 5e6, 8.0),
        Row("slow", "choices/s", 30e6, "snail", 5e6, 8.0),
        Row("short", "seconds", 0.2, goal=0.3),
        Row("long", "seconds", 0.4, goal=0.3),
    ]
    show(a_report(*rows))
    lines = {line.split(",")[0].strip(): line.split() for line in capsys.readouterr().out.splitlines() if ", " in line}
    assert lines["fast"][-6:] == ["5", "M", "10", "≥", "8", "yes"]
    assert lines["slow"][-6:] == ["5", "M", "6", "≥", "8", "no"]
    assert lines["short"][-4:] == ["–", "≤", "0.3", "yes"]
    assert lines["long"][-4:] == ["–", "≤", "0.3", "no"]


def test_a_goal_is_met_exactly() -> None:
    assert Row("", "", 8.0, "peer", 1.0, 8.0).reached
    assert Row("", "", 0.3, goal=0.3).reached


def test_a_peer_that_is_not_installed_is_named_so_and_no_goal_is_missed() -> None:
    row = Row("ours", "choices/s", 50e6, "snail", None, 8.0)
    assert row.reached is None
    assert row.ratio is None
    assert row.cells() == ["ours, choices/s", "50 M", "snail", NOT_INSTALLED, "–", "≥ 8", ""]


def test_the_markdown_table_has_as_many_cells_in_every_line() -> None:
    page = as_markdown(a_report(Row("fast", "choices/s", 50e6, "snail", 5e6, 8.0), Row("short", "seconds", 0.2, goal=0.3)))
    table = [line for line in page.splitlines() if line.startswith("|")]
    assert [line.count("|") for line in table] == [len(COLUMNS) + 1] * 4
    assert "kortlek 1.2.3, open_spiel not installed, 2 cores" in page


def test_without_numba_it_says_in_a_sentence_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert main(["bench", "--quick"]) == 2
    assert capsys.readouterr() == ("", "kortlek bench measures the compiled engine, which needs the extra 'fast': pip install 'kortlek[fast]'.\n")


def test_a_machine_that_is_slow_for_a_while_is_so_for_both_of_a_pair() -> None:
    assert typical([(1.0, 2.0), (10.0, 20.0), (2.0, 4.0)]) == (2.0, 4.0)
    assert typical([(1.0, 2.0), (3.0, 6.0), (2.0, 9.0)]) == (2.0, 4.0), "not the median of the second, which is 6"
