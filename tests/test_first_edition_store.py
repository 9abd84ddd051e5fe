"""A store of the first edition is migrated and opened by a server of today, and by one whose games all have other versions."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from first_edition import TABLES, played_on, unpack, upgraded

from kortlek.game.registry import GAMES


def test_finished_matches_replay_and_running_ones_are_played_to_their_end(tmp_path: Path) -> None:
    assert played_on(tmp_path) == []


def test_with_other_rules_finished_matches_replay_and_running_ones_say_why_they_cannot_go_on(tmp_path: Path) -> None:
    assert upgraded(tmp_path) == []


def test_a_server_that_does_not_know_the_former_names_of_options_is_found(tmp_path: Path) -> None:
    found = played_on(tmp_path, "former names of options unknown", only="up_and_down")
    assert "up_and_down, finished, with chat and undo: seat 0 is not shown" in found


@pytest.mark.parametrize(
    ("today", "later", "found"),
    [("no films", "later edition", "no film for seat -2"), ("", "other rules refused", "only 0 people are let in")],
)
def test_a_server_that_needs_the_rules_of_an_old_match_is_found(tmp_path: Path, today: str, later: str, found: str) -> None:
    assert any(found in each for each in upgraded(tmp_path, today, later))


def test_the_store_has_what_can_happen_at_a_table(tmp_path: Path) -> None:
    with sqlite3.connect(unpack(tmp_path) / "tables.db") as db:
        kinds = {kind for (kind,) in db.execute("SELECT DISTINCT body ->> '$.fact' FROM entries")}
        former = db.execute("""SELECT count(*) FROM entries WHERE body LIKE '%"N":%' AND body LIKE '%"start":%'""").fetchone()[0]
    assert {"said", "asked", "answered", "undone", "stood", "put", "away", "locked", "changed", "began", "happened"} <= kinds
    assert former == 3
    assert {table["game"] for table in TABLES.values()} == set(GAMES) - {"hearts", "spades"}
    for game in {table["game"] for table in TABLES.values()}:
        assert {"over", "playing"} <= {table["status"] for table in TABLES.values() if table["game"] == game}
