"""Codes of tables cannot be guessed, and who guesses hurts nobody else behind the same address."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from clients import UNKNOWN_TOKEN
from serving import Server, serving
from test_limits import Place, another_table

from kortlek.table.host import CODE_LENGTH, CODE_LETTERS
from kortlek.table.limits import GUESSES, SECONDS, Guesses
from kortlek.table.store import SqliteStore
from kortlek.table.table import Table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), "--behind-proxy") as running:
        yield running


def guess(here: Place, number: int) -> int:
    """Try a code that does not exist, each time by another way; return the status."""
    at = f"/api/tables/{'z' * 5}{number}"
    ways: list[tuple[str, str, bytes | None]] = [
        ("GET", at, None),
        ("GET", f"{at}/record", None),
        ("GET", f"{at}/replay", None),
        ("GET", f"{at}/qr.svg", None),
        ("POST", f"{at}/join", b'{"name":"Eve"}'),
        ("POST", f"{at}/messages", b'{"do":"start"}'),
    ]
    return here.ask(*ways[number % len(ways)])[0]


async def guess_by_socket(here: Place) -> str:
    async with here.at("zzzzzz") as client:
        bye, _ = await client.end()
        return str(bye["code"])


def test_an_address_may_try_20_codes_that_do_not_exist_in_20_seconds(server: Server) -> None:
    async def story() -> None:
        here = Place(server)
        async with another_table(server):
            assert [guess(here, n) for n in range(GUESSES - 1)] == [404] * (GUESSES - 1)
            assert await guess_by_socket(here) == "unknown"
            assert {guess(here, n) for n in range(3)} == {429}
            assert await guess_by_socket(here) == "too_many"
            assert guess(Place(server), 0) == 404

    asyncio.run(story())


def test_who_has_guessed_too_often_does_not_learn_that_a_code_is_right(server: Server) -> None:
    """A right code is answered like a wrong one, with any token but a right one."""
    here, elsewhere = Place(server), Place(server)
    code, _ = elsewhere.open()
    for n in range(GUESSES):
        guess(here, n)
    wrong = [here.ask("GET", "/api/tables/zzzzzz", token=token) for token in ("", UNKNOWN_TOKEN)]
    right = [here.ask("GET", f"/api/tables/{code}", token=token) for token in ("", UNKNOWN_TOKEN)]
    assert right == wrong
    assert right[0][0] == 429 and right[0][1]["message"]["id"] == "refuse-guesses"


def test_a_family_behind_the_same_address_goes_on(server: Server) -> None:
    """With codes that were used from there before, and with tokens."""

    async def story() -> None:
        here, elsewhere = Place(server), Place(server)
        code, token = here.open()
        assert here.ask("GET", f"/api/tables/{code}")[0] == 200
        other, token_there = elsewhere.open()
        for n in range(GUESSES + 1):
            guess(here, n)
        assert here.ask("GET", f"/api/tables/{code}")[0] == 200
        assert here.ask("POST", f"/api/tables/{code}/join", b'{"name":"Bo"}')[0] == 201
        async with here.there(code, token), here.there(code), here.there(other, token_there):
            pass
        assert here.ask("GET", f"/api/tables/{other}", token=token_there)[0] == 200
        assert here.ask("POST", "/api/tables", json.dumps({"game": "plump"}).encode())[0] == 201

    asyncio.run(story())


def test_after_a_while_one_may_try_again() -> None:
    now = [0.0]
    guesses = Guesses(lambda: now[0])
    for _ in range(GUESSES):
        assert guesses.may_try("192.0.2.1", "right")
        guesses.missed("192.0.2.1")
    assert not guesses.may_try("192.0.2.1", "right")
    assert guesses.may_try("192.0.2.2", "right")
    now[0] = SECONDS - 0.001
    assert not guesses.may_try("192.0.2.1", "right")
    now[0] = SECONDS
    assert guesses.may_try("192.0.2.1", "right")


def test_new_codes_are_long_and_old_ones_stay_valid(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        opened = server.post("/api/tables", {"game": "plump", "name": "Ann"})
        assert len(opened["code"]) == CODE_LENGTH == 10 and set(opened["code"]) <= set(CODE_LETTERS)
        server.kill()
        asyncio.run(rename(tmp_path, opened["code"], "bk7q2x"))
        server.start()
        shown = server.show("bk7q2x", opened["token"])
        assert shown["yours"] == [0]


async def rename(data: Path, code: str, to: str) -> None:
    """Copy a table to another code, as the first edition would have given it."""
    store = SqliteStore(data / "tables.db")
    await store.open()
    entries = [replace(entry, table=to) for entry in await store.read(code)]
    table = Table(to)
    for entry in entries:
        table.take(entry)
    await store.append(entries, table.standing())
    await store.close()
