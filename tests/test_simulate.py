"""``kortlek simulate``: the same results from both engines and any number of workers, and records of every game."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from running import SHORT, SOURCE, First, run, start

from kortlek.bots import Level, levels_of
from kortlek.engine.match import check
from kortlek.engine.payoffs import teams_of, winning_teams_rule
from kortlek.engine.plain import begin
from kortlek.engine.record import from_line, read_file
from kortlek.game import State
from kortlek.game.registry import GAMES
from kortlek.simulation.tally import WIN, Tally


def counted(report: dict[str, Any]) -> dict[str, Any]:
    """The results without what depends on the engine, the workers or the clock."""
    return {key: value for key, value in report.items() if key not in ("seconds", "games_per_second", "engine", "workers")}


@pytest.mark.parametrize("name", GAMES)
def test_both_engines_count_the_same(name: str) -> None:
    pytest.importorskip("numba")
    arguments = ["simulate", name, "--games", 12, "--seed", 5, "--json", "--workers", 1, *SHORT[name]]
    plain_report = run(*arguments, "--engine", "plain").json()
    compiled_report = run(*arguments, "--engine", "compiled").json()
    assert (plain_report["engine"], compiled_report["engine"]) == ("plain", "compiled")
    assert counted(plain_report) == counted(compiled_report)


def test_any_number_of_workers_counts_the_same(tmp_path: Path) -> None:
    arguments = ["simulate", "trick_paper_scissors", "--games", 45, "--seed", 5, "--json", "--engine", "plain"]
    reports, files = [], []
    for workers in (1, 2, 3):
        reports.append(counted(run(*arguments, "--workers", workers, "--records", tmp_path / str(workers)).json()))
        files.append((tmp_path / str(workers)).read_bytes())
    assert reports[0] == reports[1] == reports[2]
    assert files[0] == files[1] == files[2]


def test_any_number_of_threads_counts_the_same() -> None:
    pytest.importorskip("numba")
    arguments = ["simulate", "trick_paper_scissors", "--games", 5500, "--seed", 5, "--json", "--engine", "compiled"]
    assert counted(run(*arguments, "--workers", 1).json()) == counted(run(*arguments, "--workers", 3).json())


@pytest.mark.parametrize("name", GAMES)
def test_records_of_a_simulation_replay_to_what_was_counted(tmp_path: Path, name: str) -> None:
    report = run("simulate", name, "--games", 6, "--seed", 9, "--json", "--records", tmp_path / "r.jsonl", *SHORT[name]).json()
    kind = GAMES[name]
    tally, winning_teams = Tally(["random"] * report["players"], teams_of(kind, report["players"])), winning_teams_rule(kind)
    for game, line in enumerate(read_file(tmp_path / "r.jsonl")):
        s = check(line.record)
        assert line.record.seed == f"9/{game}"
        choices = [event for event in line.record.events if not event.startswith(("deal", "lots"))]
        winners = kind.rules.winners(s)
        tally.add_game(s.score, winners, winning_teams(s, winners), s.round, len(choices))
    assert tally.games == 6
    assert {key: report[key] for key in tally.report()} == tally.report()


def test_a_file_with_records_is_not_overwritten_by_accident(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("precious")
    refused = run("simulate", "plump", "--games", 1, "--records", path)
    assert (refused.code, path.read_text()) == (2, "precious")
    assert "exists already: name another file or add --overwrite" in refused.err
    assert run("simulate", "plump", "--games", 1, "--records", path, "--overwrite").code == 0
    assert len(list(read_file(path))) == 1


def test_a_seed_is_chosen_and_reported_if_none_is_given() -> None:
    first, second = (run("simulate", "trick_paper_scissors", "--games", 3, "--json").json() for _ in range(2))
    assert first["seed"] != second["seed"]
    again = run("simulate", "trick_paper_scissors", "--games", 3, "--json", "--seed", first["seed"]).json()
    assert counted(again) == counted(first)


def test_the_report_for_people_has_the_numbers() -> None:
    report = run("simulate", "up_and_down", "--games", 30, "--seed", 1, "--json", *SHORT["up_and_down"]).json()
    text = run("simulate", "up_and_down", "--games", 30, "--seed", 1, *SHORT["up_and_down"]).out
    for row in [*report["seats"], *report["bots"]]:
        assert f"{row['score']['mean']:.2f}" in text
        assert f"{row['win_share']['low']:.2%} to {row['win_share']['high']:.2%}" in text
    assert re.findall(r"^ *seat (\d+) ", text, re.M) == [str(seat + 1) for seat in range(report["players"])], "people count from 1"
    assert "30 games, seed 1" in text
    assert "largest_round=2" in text


def test_other_bots_play_on_the_plain_engine_and_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "first", Level("first", lambda seed, budget: First(seed)))
    arguments = ["simulate", "up_and_down", "--bots", "first,random,first", "--games", 10, "--seed", 1, "--workers", 1, "--json"]
    report = run(*arguments).json()
    assert (report["engine"], report["players"]) == ("plain", 3)
    assert [(row["bot"], row["seats"]) for row in report["bots"]] == [("first", [0, 2]), ("random", [1])]
    by_seat = [row["score"]["mean"] for row in report["seats"]]
    assert report["bots"][0]["score"]["mean"] == pytest.approx((by_seat[0] + by_seat[2]) / 2)
    assert report["bots"][1]["win_share"] == report["seats"][1]["win_share"]
    assert counted(run(*arguments).json()) == counted(report)
    refused = run(*arguments, "--engine", "compiled")
    assert refused.code == 2
    assert "leave out --engine for others" in refused.err


@pytest.mark.parametrize("bots", ["house,easy,random", "house,easy,random,medium,house"])
def test_any_number_of_kinds_of_bots_that_do_not_think_plays_on_both_engines(bots: str) -> None:
    pytest.importorskip("numba")
    arguments = ["simulate", "up_and_down", "--bots", bots, "--games", 20, "--seed", 1, "--workers", 1, "--json", "--option", "largest_round=3"]
    plain_report, compiled_report = (run(*arguments, "--engine", engine).json() for engine in ("plain", "compiled"))
    assert counted(plain_report) == counted(compiled_report)
    assert len({row["score"]["mean"] for row in plain_report["bots"]}) == len(plain_report["bots"])


def uses_a_dictionary(s: State) -> int:
    return {0: 1}[0] if s.phase == 99 else GAMES["trick_paper_scissors"].legal(s)


def test_a_game_that_cannot_be_compiled_plays_plain_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    odd = dataclasses.replace(GAMES["trick_paper_scissors"], name="odd", title="Odd", legal=uses_a_dictionary)
    monkeypatch.setitem(GAMES, "odd", odd)
    done = run("simulate", "odd", "--games", 150, "--workers", 1, "--seed", 1, "--json")
    assert done.err.startswith("Odd stays with the plain engine: ")
    assert done.err.count("\n") == 1
    report = done.json()
    assert report["engine"] == "plain"
    usual = run("simulate", "trick_paper_scissors", "--games", 150, "--seed", 1, "--json", "--engine", "plain").json()
    assert report["seats"] == usual["seats"]
    refused = run("simulate", "odd", "--games", 5, "--engine", "compiled")
    assert refused.code == 2
    assert refused.err.startswith("Odd stays with the plain engine: ")


def test_without_numba_everything_is_simulated_on_the_plain_engine() -> None:
    program = """
import sys
sys.modules["numba"] = None
from kortlek.cli import main
codes = [main(["simulate", "trick_paper_scissors", "--games", "150", "--workers", "1", *more]) for more in ([], ["--engine", "compiled"])]
codes.append(main(["warmup", "plump"]))
sys.exit(codes != [0, 2, 2])
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "plain engine, 1 worker" in done.stdout
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == [
        "Numba is not installed, so the plain engine plays, about a hundred times slower",
        "The compiled engine needs Numba",
        "There is nothing to compile without Numba",
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_prints_what_was_done_so_far(tmp_path: Path, workers: int) -> None:
    """The records go to a pipe that is read here, so that the interrupt is sure to come after the first game and before the last."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    process = start(
        "simulate", "trick_paper_scissors", "--games", 10**7, "--workers", workers, "--seed", 3, "--json", "--records", path, "--overwrite"
    )
    with path.open() as pipe:
        lines = [pipe.readline()]
        process.send_signal(signal.SIGINT)
        lines += pipe.readlines()
    out, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    report = json.loads(out)
    assert report["interrupted"] is True
    assert report["games"] == len(lines)
    for number, line in enumerate(lines):
        record = from_line(line)
        assert record.seed == f"3/{number}"
    assert check(record).phase < 0


def test_counts_are_exact_and_do_not_depend_on_the_order_of_adding() -> None:
    games = [([3, 1, 2], 0b001, 1, 4, 10), ([5, 5, 0], 0b011, 2, 4, 11), ([1, 1, 1], 0b111, 3, 5, 12), ([0, 2, 9], 0, 0, 4, 10)]
    bots = ["random", "first", "random"]
    whole = Tally(bots)
    for game in games:
        whole.add_game(*game)
    for order in itertools.permutations(games):
        together = Tally(bots)
        for game in order:
            part = Tally(bots)
            part.add_game(*game)
            together.add(part)
        assert together == whole
    report = whole.report()
    assert report["seats"][0]["score"]["mean"] == 9 / 4
    assert report["seats"][0]["win_share"]["mean"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 4)
    assert report["bots"][0]["score"]["mean"] == (5 + 5 + 2 + 9) / 4 / 2
    assert report["bots"][0]["win_share"]["mean"] == pytest.approx((1 + 1 / 2 + 2 / 3) / 4 / 2)
    assert (report["draws"], report["shared_wins"], report["rounds_per_game"], report["choices_per_game"]) == (1, 2, 17 / 4, 43 / 4)


def test_partners_win_together_and_teams_share_a_win() -> None:
    tally = Tally(["house", "easy", "house", "easy"], (0, 1, 0, 1))
    for winners, sharing in ((0b0101, 1), (0b0101, 1), (0b1010, 1), (0b1111, 2)):
        tally.add_game([0] * 4, winners, sharing, 1, 1)
    report = tally.report()
    assert [seat["win_share"]["mean"] for seat in report["seats"]] == [5 / 8, 3 / 8, 5 / 8, 3 / 8]
    assert [bot["win_share"] for bot in report["bots"]] == [seat["win_share"] for seat in report["seats"][:2]]
    assert (report["draws"], report["shared_wins"]) == (0, 1)


def test_thirteen_players_share_a_win_evenly() -> None:
    tally = Tally(["random"] * 13)
    tally.add_game([0] * 13, (1 << 13) - 1, 13, 1, 1)
    assert sum(sums.wins for sums in tally.by_seat) == WIN


def test_partners_of_a_match_count_as_one_winner() -> None:
    spades, plump = GAMES["spades"], GAMES["plump"]
    pairs, players = begin(spades, 4), begin(plump, 13)
    assert [winning_teams_rule(spades)(pairs, winners) for winners in (0, 0b0101, 0b1010, 0b1111)] == [0, 1, 1, 2]
    assert [winning_teams_rule(plump)(players, winners) for winners in (0, 0b1, 0b1111, (1 << 13) - 1)] == [0, 1, 4, 13]


def test_the_interval_of_a_mean_is_the_usual_one() -> None:
    tally = Tally(["random", "random"])
    for score in (1, 2, 3, 4):
        tally.add_game([score, 0], 1, 1, 1, 1)
    estimate = tally.report()["seats"][0]["score"]
    assert (estimate["low"], estimate["high"]) == pytest.approx((2.5 - 1.959964 * (5 / 3 / 4) ** 0.5, 2.5 + 1.959964 * (5 / 3 / 4) ** 0.5))
    share = tally.report()["seats"][0]["win_share"]
    assert (share["mean"], share["high"]) == (1, 1)
    assert share["low"] == pytest.approx(4 / (4 + 1.959964**2))
