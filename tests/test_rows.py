"""``kortlek lab --data``: every match as a row of a Parquet file, which is written completely or not at all."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from running import run, start

from kortlek.cli import INTERRUPTED
from kortlek.engine.plain import Refused
from kortlek.game import state
from kortlek.game.metrics import Counters, Metrics, share
from kortlek.lab.study import rows, skill
from kortlek.lab.study.study import Study, Variant

pytest.importorskip("numba")
duckdb = pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")
LAB = ["lab", "trick_paper_scissors", "--seed", 5, "--workers", 1]


def ask(file: Path, question: str) -> list[tuple[Any, ...]]:
    """The answer of DuckDB to a query about the matches in a file."""
    return list(duckdb.sql(question.replace("MATCHES", f"'{file}'")).fetchall())


def test_every_match_of_every_variant_is_a_row(tmp_path: Path) -> None:
    file = tmp_path / "matches.parquet"
    told = run(*LAB, "--games", 700, "--players", "3,4", "--vary", "discard_face_up=no,yes", "--data", file, "--json").json()
    found = ask(
        file,
        "select variant, players, bots, option_discard_face_up, count(*), count(distinct match), min(match), max(match), count(win_3), count(score_3)"
        " from MATCHES group by all order by variant",
    )
    house3, house4, whole = "house,house,house", "house,house,house,house", (700, 700, 0, 699)
    assert found == [
        (0, 3, house3, "no", *whole, 0, 0),
        (1, 3, house3, "yes", *whole, 0, 0),
        (2, 4, house4, "no", *whole, 700, 700),
        (3, 4, house4, "yes", *whole, 700, 700),
    ]
    for index, variant in enumerate(told["variants"]):
        for each in variant["findings"]:
            name = each["measure"]
            if name in skill.NAMES:  # measured in separate matches of the same deals
                continue
            [(mean,)] = ask(file, f"select sum({name} * {name}_of) / sum({name}_of) from MATCHES where variant = {index}")
            assert mean == pytest.approx(each["mean"]), name
    assert list(tmp_path.iterdir()) == [file], "no draft stays behind"


def test_the_questions_on_the_page_about_the_lab_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parent.parent / "docs" / "lab.md").read_text()
    [command] = re.findall(r"`kortlek (lab \S+ .*?--data matches.parquet)`", page)
    monkeypatch.chdir(tmp_path)
    assert run(*shlex.split(command), "--games", 60, "--workers", 1).code == 0
    by_variant, side_by_side = (duckdb.sql(question).fetchall() for question in re.findall(r"```sql\n(.*?)```", page, re.S))
    assert sorted(row[:2] for row in by_variant) == [("no", 60), ("yes", 60)]
    [(gained, standard_error)] = side_by_side
    assert standard_error > 0 and abs(gained) < 100 * standard_error


def test_what_was_not_there_to_be_measured_is_null_and_the_study_is_named(tmp_path: Path) -> None:
    file = tmp_path / "matches.parquet"
    run(*LAB, "--games", 50, "--option", "deals=1", "--data", file)
    assert ask(file, "select count(*), count(drama), sum(drama_of) from MATCHES") == [(50, 0, 0)], "one round is the last one"
    told = json.loads(parquet.read_schema(file).metadata[b"kortlek"])
    assert (told["seed"], told["variants"][0]["options"]["deals"]) == (5, 1)


def test_rows_are_written_in_groups_and_are_the_same_in_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [*LAB, "--games", 3100, "--vary", "deals=1,2", "--data"]
    run(*asked, tmp_path / "one.parquet")
    monkeypatch.setattr(rows, "ROWS_PER_GROUP", 2000)
    monkeypatch.setattr(rows, "MAX_BATCHES", 3)
    run(*asked, tmp_path / "more.parquet")
    one, more = (parquet.ParquetFile(tmp_path / name) for name in ("one.parquet", "more.parquet"))
    assert one.metadata.num_row_groups == 1
    assert [more.metadata.row_group(at).num_rows for at in range(more.metadata.num_row_groups)] == [2000, 2000, 2000, 200]
    assert one.read().equals(more.read())


def test_what_was_played_until_ctrl_c_is_in_the_file(tmp_path: Path) -> None:
    kept, file = tmp_path / "study.jsonl", tmp_path / "matches.parquet"
    process = start(*LAB, "--games", 10_000_000, "--keep", kept, "--data", file, "--json")
    while not kept.exists() or kept.read_bytes().count(b"\n") < 3:
        assert process.poll() is None
    assert not file.exists()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert process.returncode == INTERRUPTED
    matches = json.loads(out)["matches"]
    assert ask(file, "select count(*), max(match) from MATCHES") == [(matches, matches - 1)]
    refused = run(*LAB, "--games", 10_000_000, "--keep", kept, "--data", tmp_path / "again.parquet")
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert f"{kept} has {matches:,} matches already, of which only sums were kept" in refused.err
    assert {each.name for each in tmp_path.iterdir()} == {"study.jsonl", "matches.parquet"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--data", "matches.csv"], "--data matches.csv is not possible: the file's name ends in .parquet."),
        (["--data", "nowhere/matches.parquet"], "nowhere/matches.parquet cannot be written: No such file or directory."),
        (["--data", "a.parquet", "--keep", "a.parquet"], "a.parquet cannot have the matches and keep what was counted: name two files."),
    ],
)
def test_what_cannot_be_written_is_one_sentence(words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run(*LAB, *words)
    assert (refused.code, refused.out, refused.err) == (2, "", f"{sentence}\n")
    assert list(tmp_path.iterdir()) == []


def test_pyarrow_has_to_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(*LAB, "--data", tmp_path / "a.parquet").err == "--data needs pyarrow: pip install 'kortlek[data]'.\n"


@state
class OncemoreMetrics(Counters):
    """A metric with the name of an existing column."""

    players: list[int] = share()


def test_two_columns_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kortlek.lab.study.study.metrics_of", lambda game: Metrics(OncemoreMetrics))
    with (
        pytest.raises(Refused, match="two columns would be called 'players'"),
        rows.whole_rows(tmp_path / "a.parquet", Study((Variant("plump", ("random",) * 2),), 1)),
    ):
        pass
    assert list(tmp_path.iterdir()) == []
