"""Tables that a server of the first edition has written are opened, shown and played on (tests/logs, written by that edition's own code)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tables import Room

from kortlek.engine import match, verify
from kortlek.engine.fairness import Seed
from kortlek.engine.first_scheme import FirstSeed
from kortlek.table import transfer
from kortlek.table.store import Entry, SqliteStore
from kortlek.table.table import ENDED, Table

LOGS = Path(__file__).parent / "logs"
SHOWN: dict[str, dict[str, Any]] = json.loads((LOGS / "first_edition_shown.json").read_text())
"""What that edition showed of each table at the end: the score, the events of the match, the hand of seat 0, and what might be chosen."""


def logs() -> dict[str, list[Entry]]:
    """The log of each table."""
    path = LOGS / "first_edition.jsonl"
    with path.open("rb") as file:
        return dict(transfer.tables_in(file, transfer.check_whole(file, path).entries))


def opened(code: str) -> Room:
    """One of the tables, rebuilt from its log."""
    at = Room(game="plump")
    at.table, at.log = Table(code), logs()[code]
    at.table = at.again()
    at.now = at.table.at
    return at


@pytest.mark.parametrize("code", SHOWN)
def test_a_table_stands_as_it_was_left_and_is_played_to_its_end(code: str) -> None:
    at = opened(code)
    shown, now = SHOWN[code], at.table.playing()
    assert (now.scores, now.written) == (shown["score"], shown["events"])
    assert next(place["cards"] for place in at.shows(0)["places"].values() if (place["place"], place["seat"]) == ("hand", 0)) == shown["hand"]
    assert (at.choices if not now.over else []) == shown["choices"]
    at.plays_on()
    record = at.table.record(0)
    assert at.table.status == ENDED and verify.check(record).commitment == at.show().commitment
    assert match.check(record) == at.table.playing().state


@pytest.mark.parametrize("code", SHOWN)
def test_a_match_goes_on_under_the_scheme_by_which_it_was_promised(code: str) -> None:
    at = opened(code)
    dealt, promised = at.table.playing().fair, at.show().promise
    assert isinstance(dealt, FirstSeed) and dealt.luck == tuple(chair.luck for chair in at.table.chairs)
    at.plays_on()
    verify.check(at.table.record(0), verify.Kept(dealt.commitment))
    at.begins()
    second = at.table.playing().fair
    assert (second.scheme, second.commitment, second.luck) == (1, promised, dealt.luck), "it was promised, and luck was kept from match to match"
    promised = at.show().promise
    at.plays_on()
    assert [seat.luck for seat in at.show().seats] == [""] * len(at.table.chairs)
    person = next(iter(at.table.seated()))
    seat = at.table.seats_of(person)[0]
    at.adds(seat, "abc")
    at.begins()
    third = at.table.playing().fair
    assert isinstance(third, Seed) and (third.code, third.number, third.commitment) == (code, at.table.matches, promised)
    assert third.luck == tuple("abc" if each == seat else "" for each in range(len(at.table.chairs)))
    assert at.again().playing().moves == at.table.playing().moves


def test_luck_that_was_added_in_the_first_edition_is_used() -> None:
    assert any(any(opened(code).table.playing().fair.luck) for code in SHOWN)


def test_options_are_found_under_the_names_that_they_have_now() -> None:
    for code in ("aaaaaa", "ffffff"):
        assert opened(code).table.options.keys() == {"largest_round", "first_bettor"}
        assert '"N":' in logs()[code][0].body
    assert opened("aaaaaa").show().options == {"largest_round": 2, "first_bettor": 1}


def test_the_tables_of_a_file_come_in(tmp_path: Path) -> None:
    async def imported() -> list[str]:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        brought: list[str] = []
        await transfer.import_tables(store, LOGS / "first_edition.jsonl", (), lambda many: None, lambda one: brought.append(one.code))
        await store.close()
        return brought

    assert asyncio.run(imported()) == list(SHOWN)
