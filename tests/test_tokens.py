"""No one gets access with a token that is not hers, the right token always works, and no token is written anywhere."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forking import forked
from guessing import NAMES, Guarded, guesses, let_in
from serving import Server, soon
from websockets.asyncio.client import connect

from kortlek.table import facts
from kortlek.table.protocol import PROTOCOL
from kortlek.table.table import STRANGER, TAKE, Table, hashed

GUESSES = 10_000


def test_no_wrong_token_is_accepted_and_the_right_ones_always_are() -> None:
    assert let_in(GUESSES, 1) == []


# ---- planted bugs


def a_prefix_is_enough(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(hmac, "compare_digest", lambda given, kept: kept.startswith(given[:2]))


def the_beginning_of_a_token_is_enough(plant: pytest.MonkeyPatch) -> None:
    plant.setattr("kortlek.table.table.hashed", lambda token: hashed(token[:16]))
    plant.setattr("kortlek.table.handlers.hashed", lambda token: hashed(token[:16]))


def what_is_in_the_log_is_a_token(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(
        Table, "person_with", lambda self, token: next((n for n, kept in enumerate(self.people) if kept in (token, hashed(token))), STRANGER)
    )


def spaces_do_not_matter(plant: pytest.MonkeyPatch) -> None:
    plant.setattr("kortlek.table.table.hashed", lambda token: hashed(token.strip()))


def who_was_sent_away_comes_back(plant: pytest.MonkeyPatch) -> None:
    plant.setitem(TAKE, facts.Stood, lambda table, fact: None)


def a_token_of_any_table_will_do(plant: pytest.MonkeyPatch) -> None:
    known: list[str] = []

    def remembers(token: str) -> str:
        known.append(token)
        return hashed(token)

    plant.setattr("kortlek.table.handlers.hashed", remembers)
    plant.setattr(Table, "person_with", lambda self, token: known.index(token) % len(NAMES) if token in known else STRANGER)


def somebody_is_locked_out(plant: pytest.MonkeyPatch) -> None:
    person_with, tried = Table.person_with, list[str]()

    def angry(self: Table, token: str) -> int:
        found = person_with(self, token)
        tried.extend([token] if found == STRANGER else [])
        return found if len(tried) < 1000 else STRANGER

    plant.setattr(Table, "person_with", angry)


PLANTED = [
    a_prefix_is_enough,
    the_beginning_of_a_token_is_enough,
    what_is_in_the_log_is_a_token,
    spaces_do_not_matter,
    who_was_sent_away_comes_back,
    a_token_of_any_table_will_do,
    somebody_is_locked_out,
]


@pytest.mark.parametrize("bug", PLANTED, ids=lambda each: each.__name__)
def test_a_planted_bug_is_found(bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    bug(monkeypatch)
    assert let_in(GUESSES, 1)


def test_every_token_is_compared_in_full_and_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong token takes as long as a right one: each stored hash is compared, by ``compare_digest``, with one of the same length."""
    at, compared, compare = Guarded("bk7q2x"), list[tuple[str, str]](), hmac.compare_digest

    def watched(given: str, kept: str) -> bool:
        compared.append((given, kept))
        return compare(given, kept)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    for token in (*at.tokens, "", *list(guesses(at, [], 10, 2))):
        compared.clear()
        at.table.person_with(token)
        assert len(compared) == len(NAMES)
        assert all(given == hashed(token) and len(kept) == len(given) for given, kept in compared)


# ---- on a server


async def greeted(server: Server, code: str, token: str) -> dict[str, Any]:
    """The first message of the server to a client with this token."""
    async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{code}/socket") as socket:
        await socket.send(json.dumps({"do": "hello", "protocol": PROTOCOL, "token": token}))
        answer: dict[str, Any] = json.loads(await soon(socket.recv()))
        return answer


def an_evening(server: Server) -> tuple[str, list[str]]:
    """A table that is opened, joined and played at; its code and its tokens."""
    opened = server.post("/api/tables", {"game": "plump", "players": 2, "name": "Ada"})
    at = f"/api/tables/{opened['code']}"
    tokens = [opened["token"], server.post(f"{at}/join", {"name": "Bo"})["token"]]
    server.post(f"{at}/messages", {"do": "start"}, tokens[0])
    for token in tokens:
        shown = server.show(at.rpartition("/")[2], token)
        if shown["match"]["legal"]:
            choice = {"do": "choose", "seat": shown["seat"], "choice": shown["match"]["legal"][0]["choice"], "at": shown["seq"], "id": "1"}
            server.post(f"{at}/messages", choice, token)
    return opened["code"], tokens


def written_down(data: Path, tokens: list[str]) -> list[str]:
    """The files of a server that contain a token or its beginning."""
    return [path.name for path in sorted(data.iterdir()) if any(token[:16].encode() in path.read_bytes() for token in tokens)]


def test_a_server_lets_nobody_else_in_and_writes_no_token_down(tmp_path: Path) -> None:
    with forked(tmp_path) as server:
        code, tokens = an_evening(server)
        seq = server.show(code, tokens[0])["seq"]
        for wrong in (tokens[0][:-1], tokens[0] + "0", hashed(tokens[0]), hashed(tokens[1]), tokens[0].upper() + "x", "0" * 32):
            status, answer = server.ask("GET", f"/api/tables/{code}", token=wrong)
            assert (status, json.loads(answer)["code"]) == (403, "no_token")
            status, answer = server.ask("POST", f"/api/tables/{code}/messages", b'{"do": "start"}', wrong)
            assert (status, json.loads(answer)["code"]) == (403, "no_token")
            bye = asyncio.run(greeted(server, code, wrong))
            assert (bye["type"], bye["code"], bye["retry"]) == ("bye", "no_token", -1)
            for person, token in enumerate(tokens):
                assert asyncio.run(greeted(server, code, token))["person"] == person
        assert server.show(code, tokens[0])["seq"] == seq
        assert {"tables.db", server.log.name} <= {path.name for path in tmp_path.iterdir()}
        assert written_down(tmp_path, tokens) == []


@pytest.mark.parametrize("plant", ["tokens in the log of a table", "tokens in the journal"])
def test_a_token_that_is_written_down_is_found(plant: str, tmp_path: Path) -> None:
    with forked(tmp_path, plant) as server:
        _, tokens = an_evening(server)
        assert written_down(tmp_path, tokens)
