"""Distributed work: the same results from one worker, from several processes and from a real ray cluster of two nodes, even if workers are killed."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import own
import pytest
from clusters import NODE, kill_node_once, kill_worker_once, raylet_of, two_nodes
from running import run, start
from serving import wait_for

from kortlek.bots import own_games
from kortlek.engine.plain import Refused
from kortlek.game.registry import GAMES
from kortlek.lab.study.study import Study, Sums, Variant, play_part
from kortlek.simulation import executors
from kortlek.simulation.executors import Cluster, Local, cluster_at, map_in_order, work_there

pytest.importorskip("numba")
STUDY = Study(
    (Variant("up_and_down", ("house",) * 3, (("largest_round", "2"),)), Variant("up_and_down", ("house",) * 3, (("largest_round", "1"),))), 7
)
STEPS = [(STUDY, first, 25) for first in range(0, 300, 25)]
LAB = ["lab", "up_and_down", "--option", "largest_round=2", "--players", "3", "--games", 1700, "--seed", 4, "--json"]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    pytest.importorskip("ray")
    with two_nodes() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster(nodes: Any) -> Iterator[Cluster]:
    with cluster_at(nodes.address) as joined:
        yield joined


@pytest.fixture(scope="module")
def alone() -> list[list[Sums]]:
    """The results of a single worker."""
    return [play_part(*step) for step in STEPS]


def killing(mark: Path, *more: Any) -> Iterator[tuple[Any, ...]]:
    return ((str(mark), *more, play_part, *step) for step in STEPS)


# ---- processes


def test_a_process_that_is_killed_loses_nothing(tmp_path: Path, alone: list[list[Sums]]) -> None:
    assert list(map_in_order(kill_worker_once, killing(tmp_path / "mark"), Local(2))) == alone
    assert (tmp_path / "mark").exists()


def test_work_that_kills_whoever_does_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "RETRIES", 1)
    with pytest.raises(Refused, match="Workers died 1 times in a row"):
        list(map_in_order(os._exit, [(1,)], Local(2)))


def test_nobody_works_on_for_a_study_that_was_killed(tmp_path: Path) -> None:
    kept = tmp_path / "study.jsonl"
    study = start(
        "lab", "up_and_down", "--option", "largest_round=2", "--players", 3, "--games", 10_000_000, "--seed", 1, "--workers", 2, "--keep", kept
    )
    wait_for(lambda: kept.exists() and kept.read_bytes().count(b"\n") > 2, "some of the study")
    children = [int(each) for each in Path(f"/proc/{study.pid}/task/{study.pid}/children").read_text().split()]
    assert len(children) >= 2
    study.kill()
    study.communicate()
    wait_for(lambda: not any(Path(f"/proc/{each}").exists() for each in children), "the end of all workers")


# ---- a cluster


def test_a_study_on_a_cluster_comes_out_as_with_one_worker(nodes: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    alone = run(*LAB, "--workers", 1, "--data", tmp_path / "alone.parquet").json()
    together = run(*LAB, "--cluster", nodes.address, "--data", tmp_path / "together.parquet")
    assert (together.code, together.err) == (0, "")
    assert together.json() | {"seconds": 0, "workers": 1} == alone | {"seconds": 0}
    assert together.json()["workers"] == 2
    assert (tmp_path / "together.parquet").read_bytes() == (tmp_path / "alone.parquet").read_bytes()


def test_designs_are_checked_and_searched_on_a_cluster_too(nodes: Any, tmp_path: Path) -> None:
    design = tmp_path / "design.toml"
    design.write_text('game = "up_and_down"\nplayers = 3\ngames = 1000\n[options]\nlargest_round = 2\n[[require]]\nmeasure = "wins"\nwithin = 0.01\n')
    for words in (["check", design], ["search", "up_and_down", "--players", 3, "--vary", "largest_round=1,2", "--games", 800, "--seed", 3]):
        alone, together = run("lab", *words, "--workers", 1), run("lab", *words, "--cluster", nodes.address)
        assert alone.out and alone == together


def test_a_worker_that_is_killed_loses_nothing(cluster: Cluster, tmp_path: Path, alone: list[list[Sums]]) -> None:
    assert list(map_in_order(kill_worker_once, killing(tmp_path / "mark"), cluster)) == alone
    assert (tmp_path / "mark").exists()


def test_a_computer_that_is_killed_loses_nothing(nodes: Any, cluster: Cluster, tmp_path: Path, alone: list[list[Sums]]) -> None:
    try:
        assert list(map_in_order(kill_node_once, killing(tmp_path / "mark", raylet_of(nodes.head_node)), cluster)) == alone
    finally:
        nodes.add_node(**NODE)
    assert (tmp_path / "mark").exists()


def title_of(name: str) -> str:
    return GAMES[name].title


def begin_nothing(name: str) -> None:
    GAMES[name].deal(None, [])


def test_workers_know_games_of_ones_own_and_what_is_wrong_with_them_is_told_by_line(nodes: Any, tmp_path: Path) -> None:
    game = own_games.load(str(own.write(tmp_path / "stairs")))
    try:
        with cluster_at(nodes.address) as cluster:
            assert list(map_in_order(title_of, [(game.name,)] * 5, cluster)) == [game.title] * 5
            with pytest.raises(AttributeError) as caught:
                list(map_in_order(begin_nothing, [(game.name,)], cluster))
            assert re.match(r"rules.py:\d+: AttributeError: 'NoneType'", own_games.blame(caught.value))
    finally:
        own_games.forget(game)


def test_a_computer_with_another_version_does_no_work() -> None:
    with pytest.raises(Refused, match="has another version of Kortlek"):
        work_there("something else", (), title_of, ("plump",))


def test_a_part_can_be_left_under_way_and_the_cluster_used_again(cluster: Cluster, alone: list[list[Sums]]) -> None:
    coming = map_in_order(play_part, STEPS, cluster)
    assert next(coming) == alone[0]
    coming.close()
    assert list(map_in_order(play_part, STEPS, cluster)) == alone


# ---- what cannot be done


def refusal(*words: object) -> str:
    """The one sentence that refuses a command."""
    refused = run(*words)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1), refused
    return refused.err


def test_ray_has_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert refusal(*LAB, "--cluster", "auto") == "--cluster needs ray: pip install 'kortlek[cluster]'.\n"


@pytest.mark.parametrize("address", ["nowhere", "local", "ray://127.0.0.1:10001", "127.0.0.1:", "127.0.0.1:99999"])
def test_an_address_has_a_host_and_a_port(address: str) -> None:
    pytest.importorskip("ray")
    assert f"--cluster {address} is not possible: it is the address of a ray cluster" in refusal(*LAB, "--cluster", address)


def test_nobody_may_be_there() -> None:
    pytest.importorskip("ray")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert refusal(*LAB, "--cluster", address) == f"There is no ray cluster at {address}: no answer.\n"


def test_somebody_else_may_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setattr(executors, "JOIN_TIMEOUT", 1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        assert refusal(*LAB, "--cluster", address).startswith(f"--cluster {address} did not accept us within 1 seconds: is it a ray cluster")


def test_processes_and_a_cluster_are_two_ways() -> None:
    assert "give one of them" in refusal(*LAB, "--cluster", "auto", "--workers", 2)
