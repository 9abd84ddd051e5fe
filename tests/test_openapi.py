"""The OpenAPI schema and the API: every response conforms to the schema, whatever is requested, and none is a server error."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import Server, serving, wait_for

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance, response_schema_conformance]
OPERATIONS = {
    "GET /api/games",
    "GET /api/games/{name}/rules",
    "GET /words/{name}/{file}",
    "GET /api/tables",
    "POST /api/tables",
    "GET /api/tables/{code}",
    "POST /api/tables/{code}/join",
    "POST /api/tables/{code}/messages",
    "GET /api/tables/{code}/record",
    "GET /api/tables/{code}/replay",
    "GET /api/watch/{game}",
    "GET /api/tables/{code}/qr.svg",
    "GET /health",
}
TABLE = {"game": "up_and_down", "players": 3, "options": {"largest_round": 1}, "name": "Ann", "public": True, "pace": 0, "stand_in": "random"}
_addresses = (f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1" for number in count(1))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that trusts X-Forwarded-For, because one address may not post as often as these tests do."""
    with serving(tmp_path_factory.mktemp("server"), "--behind-proxy") as running:
        yield running


@pytest.fixture(scope="module")
def described(server: Server) -> dict[str, Any]:
    """Every operation of the schema, by method and path."""
    schema = schemathesis.openapi.from_url(f"{server.url}/schema/openapi.json")
    return {found.ok().label: found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)}


def check(operation: Any, mode: GenerationMode, examples: int, **fixed: Any) -> None:
    """Send many generated requests, the same ones in every run."""

    @settings(max_examples=examples, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(mode, **fixed))
    def ask(case: Case[Any]) -> None:
        case.call_and_validate(headers={"X-Forwarded-For": next(_addresses)}, checks=CHECKS)

    ask()


def test_every_address_is_described(described: dict[str, Any]) -> None:
    assert described.keys() == OPERATIONS


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_what_is_answered_was_described(described: dict[str, Any], label: str) -> None:
    check(described[label], GenerationMode.POSITIVE, 30 if "POST" in label else 5)


@pytest.mark.parametrize(
    "label", sorted(OPERATIONS - {"GET /api/games", "GET /api/games/{name}/rules", "GET /words/{name}/{file}", "GET /api/tables", "GET /health"})
)
def test_what_is_answered_to_something_wrong_was_described(described: dict[str, Any], label: str) -> None:
    """With requests that violate the schema, for operations where that is possible."""
    check(described[label], GenerationMode.NEGATIVE, 20 if "POST" in label else 5)


def begin(server: Server, status: str) -> tuple[dict[str, str], dict[str, str]]:
    """A table whose match is waiting, playing or over: its code and its owner's token, as parameters."""
    table = server.post("/api/tables", TABLE | {"name": "" if status == "over" else "Ann"})
    code, token = table["code"], table["token"]
    if status != "waiting":
        server.post(f"/api/tables/{code}/messages", {"do": "start"}, token)
        wait_for(lambda: server.show(code, token)["status"] == status, status)
    return {"code": code}, {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize("status", ["waiting", "playing", "over"])
def test_what_is_answered_at_a_table_was_described(server: Server, described: dict[str, Any], status: str) -> None:
    """The owner may do anything, so most requests succeed, or are refused by a rule of the game."""
    code, token = begin(server, status)
    for label in sorted(OPERATIONS):
        if "{code}" in label:
            check(described[label], GenerationMode.POSITIVE, 25 if "POST" in label else 3, path_parameters=code, headers=token)


def test_each_kind_of_answer_is_as_it_was_described(server: Server, described: dict[str, Any]) -> None:
    waiting, owner = begin(server, "waiting")
    playing, player = begin(server, "playing")
    over, _ = begin(server, "over")
    nobody, nowhere = {"Authorization": f"Bearer {'0' * 32}"}, {"code": "zzzzzz"}
    address = next(_addresses)

    def answers(expected: int, label: str, code: dict[str, str] | None = None, token: dict[str, str] | None = None, body: Any = None) -> None:
        more = {} if body is None else {"body": body, "media_type": "application/json"}
        case = described[label].Case(path_parameters=code or {}, headers={**(token or {}), "X-Forwarded-For": address}, **more)
        response = case.call()
        assert response.status_code == expected, (label, response.text)
        case.validate_response(response, checks=CHECKS)

    answers(200, "GET /health")
    answers(200, "GET /api/games")
    answers(200, "GET /api/games/{name}/rules", {"name": "plump"})
    answers(404, "GET /api/games/{name}/rules", {"name": "chess"})
    answers(200, "GET /api/tables")
    answers(201, "POST /api/tables", body=TABLE)
    answers(400, "POST /api/tables", body={"game": 1})
    answers(413, "POST /api/tables", body={"game": "x" * 5000})
    answers(422, "POST /api/tables", body={"game": "chess"})
    for code, token in ((waiting, owner), (playing, player), (over, None)):
        answers(200, "GET /api/tables/{code}", code, token)
    answers(403, "GET /api/tables/{code}", waiting, nobody)
    answers(404, "GET /api/tables/{code}", nowhere)
    answers(200, "GET /api/tables/{code}/qr.svg", waiting)
    answers(404, "GET /api/tables/{code}/qr.svg", nowhere)
    answers(200, "GET /api/tables/{code}/record", over)
    answers(403, "GET /api/tables/{code}/record", over, nobody)
    answers(409, "GET /api/tables/{code}/record", playing, player)
    look = "GET /api/tables/{code}/replay"
    answers(200, look, over)
    answers(403, look, over, nobody)
    answers(404, look, nowhere)
    answers(409, look, playing, player)
    answers(200, "GET /api/watch/{game}", {"game": "trick_paper_scissors"})
    answers(404, "GET /api/watch/{game}", {"game": "chess"})
    join, do = "POST /api/tables/{code}/join", "POST /api/tables/{code}/messages"
    answers(201, join, waiting, body={"do": "join", "name": "Bo"})
    answers(409, join, waiting, body={"do": "join", "name": "Bo"})
    answers(422, join, waiting, body={"do": "join", "name": "Cleo", "seat": 9})
    answers(404, join, nowhere, body={"do": "join", "name": "Cleo"})
    answers(201, do, waiting, owner, {"do": "lock"})
    answers(403, do, waiting, body={"do": "lock"})
    answers(409, do, playing, player, {"do": "start"})
    answers(422, do, playing, player, {"do": "say", "seat": 0, "text": "\n"})
    answers(400, do, playing, player, {"do": "dance"})
    for _ in range(100):
        server.ask("POST", "/api/tables", b"", **{"X-Forwarded-For": address})
    answers(429, do, playing, player, {"do": "lock"})
