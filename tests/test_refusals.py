"""Refusals of a server: each kind of bad input gets a sentence and the proper code, and no one else notices."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clients import ANN, BO, SHORT, UNKNOWN_TOKEN, Client, Message, at, opened, play, socket_of, there
from running import run, start
from serving import DEADLINE, Server, free_port
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

# ---- bad input


def bad_requests(code: str, ann: str, show: Message, full: str, shut: str, late: str) -> Iterator[tuple[Any, int, str, str]]:
    """Bad requests, each with its status, the code of the refusal, and words of its sentence."""
    table, elsewhere = f"/api/tables/{code}", "/api/tables/zzzzzz"
    do = f"{table}/messages"
    forbidden = "bet 9"
    now, choice = show["seq"], show["match"]["legal"][0]["choice"]

    def post(path: str, body: Any, token: str = "", **headers: str) -> tuple[Any, ...]:
        return "POST", path, body if isinstance(body, bytes) else json.dumps(body).encode(), token, headers

    def get(path: str, token: str = "", **headers: str) -> tuple[Any, ...]:
        return "GET", path, None, token, headers

    unknown = "There is no table with this code"
    yield get(elsewhere), 404, "unknown", unknown
    yield get(f"{elsewhere}/record"), 404, "unknown", unknown
    yield get(f"{elsewhere}/qr.svg"), 404, "unknown", unknown
    yield post(f"{elsewhere}/join", {"do": "join", "name": "Eve"}), 404, "unknown", unknown
    yield post(f"{elsewhere}/messages", {"do": "start"}, ann), 404, "unknown", unknown
    yield get("/api/tables/%00"), 404, "unknown", unknown
    yield get("/api/games/chess/rules"), 404, "unknown", "The games are: "
    yield get("/api/nothing"), 404, "unknown", "Not Found"
    yield ("DELETE", table, None, "", {}), 405, "not_allowed", "Method Not Allowed"
    yield ("PUT", "/api/tables", b"{}", "", {}), 405, "not_allowed", "Method Not Allowed"
    yield get(do), 405, "not_allowed", "Method Not Allowed"

    yield get(table, UNKNOWN_TOKEN), 403, "no_token", "This token is not one of this table's"
    yield post(do, {"do": "start"}, UNKNOWN_TOKEN), 403, "no_token", "This token is not one of this table's"
    yield post(f"{table}/join", {"do": "join", "name": "Eve"}, UNKNOWN_TOKEN), 403, "no_token", "This token is not one of this table's"
    yield get(f"{table}/record", UNKNOWN_TOKEN), 403, "no_token", "This token is not one of this table's"
    yield get(table, Authorization=f"Basic {ann}"), 400, "malformed", "should be “Bearer” and a token"
    yield get(table, "x" * 101), 400, "malformed", "length"

    yield post(do, {"do": "choose", "seat": ANN, "choice": forbidden, "at": now}, ann), 422, "not_possible", "is not allowed: "
    yield post(do, {"do": "choose", "seat": ANN, "choice": "play X9", "at": now}, ann), 422, "not_possible", "“play X9” is not a choice here"
    yield post(do, {"do": "choose", "seat": ANN, "choice": choice, "at": now - 1}, ann), 409, "stale", "you had not seen yet"
    yield post(do, {"do": "choose", "seat": BO, "choice": choice, "at": now}, ann), 403, "not_your_seat", "Seat 1 is not yours"
    yield post(do, {"do": "choose", "seat": ANN, "choice": choice, "at": now}), 403, "not_your_seat", "Seat 0 is not yours"
    yield post(do, {"do": "start"}), 403, "not_owner", "Only the owner"
    yield post(do, {"do": "hint", "seat": ANN}, ann), 403, "not_allowed", "Hints are for the socket"
    yield get(f"{table}/record", ann), 409, "not_playing", "when the match is over"

    yield post(f"{table}/join", {"do": "join", "name": "Eve"}), 409, "started", "The match has begun"
    yield post(do, {"do": "start"}, ann), 409, "started", "The match has begun"
    yield post(do, {"do": "change", "players": 3}, ann), 409, "started", "the match has begun"
    yield post(f"{full}/join", {"do": "join", "name": "Eve"}), 409, "full", "Every seat of this table is taken"
    yield post(f"{full}/join", {"do": "join", "name": "Eve", "seat": 1}), 409, "taken", "Seat 1 is taken"
    yield post(f"{full}/join", {"do": "join", "name": "Ann"}), 409, "taken", "already called Ann"
    yield get(shut), 403, "not_allowed", "Nobody may look on"
    yield get(late), 403, "not_allowed", "with a delay"

    yield post("/api/tables", b""), 400, "malformed", "missing"
    yield post("/api/tables", b"{"), 400, "malformed", "truncated"
    yield post("/api/tables", b"[" * 4000), 400, "malformed", "cannot be read"
    yield post("/api/tables", b'{"game": "\xff"}'), 400, "malformed", "cannot be read"
    yield post("/api/tables", b'{"game": "\\ud800"}'), 400, "malformed", ""
    yield post("/api/tables", []), 400, "malformed", "Expected `object`, got `array`"
    yield post("/api/tables", {}), 400, "malformed", "missing required field `game`"
    yield post("/api/tables", {"game": "plump", "seats": 3}), 400, "malformed", "unknown field `seats`"
    yield post("/api/tables", {"game": "plump", "players": 14}), 400, "malformed", "<= 13"
    yield post("/api/tables", b" " * 4097), 413, "too_large", "Request Entity Too Large"
    yield post("/api/tables", {"game": "chess"}), 422, "not_possible", "There is no game “chess”"
    yield post("/api/tables", {"game": "plump", "options": {"trumps": 1}}), 422, "not_possible", "Plump has no option 'trumps'"
    yield post("/api/tables", {"game": "plump", "levels": ["wizard"]}), 422, "not_possible", "wizard"
    yield post(do, {"do": "dance"}, ann), 400, "malformed", "dance"
    yield post("/api/tables", {"game": "plump"}, Origin="http://example.org"), 403, "not_allowed", "a page of another site"
    yield post("/api/tables", {}, Host="a:99999"), 400, "malformed", "The Host header"
    yield get(f"{table}/qr.svg", Host="x" * 3000), 400, "malformed", "The Host header"


def test_bad_requests_are_refused_with_a_sentence_and_nobody_notices(server: Server) -> None:
    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT)
        full, _ = opened(server, "Bo", **SHORT)
        shut, _ = opened(server, **SHORT, spectators="off")
        late, _ = opened(server, **SHORT, spectators="delayed")
        async with there(server, code, ann) as a, there(server, code, bo) as b, there(server, code) as onlooker, there(server, full) as other:
            await a.ask(do="start")
            show = await play(a, ANN, lambda show: bool(show["match"] and show["match"]["turn"] == ANN))
            everyone = (a, b, onlooker, other)
            for client in everyone:
                await client.notices()
            paths = [f"/api/tables/{each}" for each in (full, shut, late)]
            for (method, path, body, token, headers), status, kind, words in bad_requests(code, ann, show, *paths):
                got, text = await asyncio.to_thread(server.ask, method, path, body, token, **headers)
                answer = json.loads(text)
                assert (got, answer.keys(), answer["code"]) == (status, {"code", "message", "sentence"}, kind), (method, path, body, answer)
                assert words in answer["sentence"] and answer["sentence"].endswith("."), (path, body, answer)
            for client in everyone:
                assert await client.notices() == []
            assert (await a.ask(do="choose", seat=ANN, choice=show["match"]["legal"][0]["choice"], at=show["seq"]))["type"] == "done"

    asyncio.run(story())


HELLO = '{"do":"hello","protocol":2}'
BAD_HELLOS: dict[str, tuple[str | bytes, str | None, int]] = {
    "no JSON": ("hello", "malformed", 4400),
    "not a hello": ('{"do":"start"}', "malformed", 4400),
    "no protocol": ('{"do":"hello"}', "malformed", 4400),
    "too much": ('{"do":"hello","protocol":2,"name":"Eve"}', "malformed", 4400),
    "another protocol": ('{"do":"hello","protocol":1}', "malformed", 4400),
    "a wrong token": (f'{{"do":"hello","protocol":2,"token":"{UNKNOWN_TOKEN}"}}', "no_token", 4403),
    "no text": ('{"do":"hello","protocol":2,"token":"\\ud800"}', "malformed", 4400),
    "too deep": ("[" * 4000, "malformed", 4400),
    "binary": (HELLO.encode(), "malformed", 4400),
    "too long": (" " * 4097, None, 1009),
}
BAD_MESSAGES: dict[str, tuple[str | bytes, str]] = {
    "no JSON": ("start", "malformed"),
    "nothing": ("", "malformed"),
    "binary": (b'{"do":"start"}', "malformed"),
    "unknown": ('{"do":"dance"}', "malformed"),
    "hello again": (HELLO, "malformed"),
    "a wrong type": ('{"do":"leave","seat":"0"}', "malformed"),
    "too deep": ('{"do":"change","options":{"largest_round":' + "[" * 3000, "malformed"),
    "not the owner": ('{"do":"start"}', "not_owner"),
    "not her seat": ('{"do":"say","seat":0,"text":"I am Ann."}', "not_your_seat"),
    "not her turn": ('{"do":"choose","seat":1,"choice":"bet 0","at":99}', "not_your_turn"),
    "no undo yet": ('{"do":"undo","seat":1}', "not_possible"),
    "nobody asked": ('{"do":"answer","seat":1,"yes":true}', "not_possible"),
    "too long a line": (json.dumps({"do": "say", "seat": 1, "text": "x" * 301}), "malformed"),
    "no printable line": (json.dumps({"do": "say", "seat": 1, "text": "a\nb"}), "not_possible"),
    "started": ('{"do":"join","name":"Bea"}', "started"),
}


def test_bad_messages_are_refused_with_a_sentence_or_the_proper_code_and_nobody_notices(server: Server) -> None:
    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT)
        shut, _ = opened(server, **SHORT, spectators="off")
        async with there(server, code, ann) as a, there(server, code, bo) as b, there(server, code) as onlooker, there(server, code) as other:
            await a.ask(do="start")
            everyone = (a, b, onlooker, other)
            for client in everyone:
                await client.notices()

            for name, (hello, refusal, closed) in BAD_HELLOS.items():
                async with connect(socket_of(server, code)) as raw:
                    await raw.send(hello)
                    bye, got = await Client(raw).end()
                    assert (bye.get("type"), bye.get("code"), got) == ("bye" if refusal else None, refusal, closed), name
                    assert not bye or (bye["sentence"].endswith(".") and bye["retry"] == -1), name
            for where, refusal, closed in (("zzzzzz", "unknown", 4404), ("%00", "unknown", 4404), (shut, "not_allowed", 4403)):
                async with at(server, where) as refused:
                    bye, got = await refused.end()
                    assert (bye["type"], bye["code"], bye["retry"], got) == ("bye", refusal, -1, closed)
            for path in ("/api/nothing", "/api/tables", f"/api/tables/{code}"):
                with pytest.raises(InvalidStatus) as never:
                    await connect(f"ws://127.0.0.1:{server.port}{path}")
                assert never.value.response.status_code == 403
            for client in everyone:
                assert await client.notices() == []

            for name, (message, refusal) in BAD_MESSAGES.items():
                await b.socket.send(message)
                denied = await b.receive()
                assert (denied["type"], denied["code"]) == ("denied", refusal), name
                assert denied["sentence"].endswith("."), name
            assert (await onlooker.ask(do="join", name="Eve"))["code"] == "no_token"
            assert (await onlooker.ask(do="say", seat=ANN, text="Hello!"))["code"] == "not_your_seat"
            await onlooker.socket.send(json.dumps({"do": "say", "seat": 0, "text": "x" * 4096}))
            assert (await onlooker.end())[1] == 1009
            for client in (a, b, other):
                assert await client.notices() == []
            assert (await b.ask(do="say", seat=BO, text="Hello!"))["type"] == "done"

    asyncio.run(story())


# ---- starting


def wrong_settings(tmp_path: Path) -> dict[str, tuple[list[object], str]]:
    """Settings with which a server cannot start, and words of the message."""
    (tmp_path / "file").write_text("not a directory")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "tables.db").write_text("not a database, but long enough to be one" * 100)
    data, port = ["--data", tmp_path / "empty"], ["--port", free_port()]
    return {
        "port 0": ([*data, "--port", 0], "The port 0 is not possible: it is a whole number from 1 to 65535."),
        "port 99999": ([*data, "--port", 99999], "The port 99999 is not possible: it is a whole number from 1 to 65535."),
        "no port": ([*data, "--port", "http"], "http"),
        "no bots": ([*data, *port, "--bots", 0], "--bots 0 is not possible"),
        "a host that is not here": ([*data, *port, "--host", "192.0.2.1"], "The address 192.0.2.1, port "),
        "a directory that cannot be": ([*port, "--data", tmp_path / "file" / "below"], "Tables cannot be kept in "),
        "a file that is no database": ([*port, "--data", tmp_path / "other"], "file is not a database"),
        "another kind of database": ([*data, *port, "--database", "mysql://localhost/x"], "an address that begins with postgresql://"),
        "a database that is not there": ([*data, *port, "--database", "postgresql://127.0.0.1:1/x"], "no PostgreSQL answers at its address"),
        "no address of a database": ([*data, *port, "--database", "postgresql://[/x"], "its address cannot be understood"),
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a deprecation warning of Litestar's, which a real process does not show
def test_a_server_that_cannot_be_started_says_why_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        wrong = wrong_settings(tmp_path)
        wrong["a port that is taken"] = (["--data", tmp_path / "empty", "--port", port], f"port {port}, cannot be used: Address already in use")
        for name, (arguments, words) in wrong.items():
            ran = run("serve", "--no-browser", *([] if "--host" in arguments else ["--host", "127.0.0.1"]), *arguments)
            assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), (name, ran.err)
            assert words in ran.err and ran.err.endswith(".\n"), (name, ran.err)


def test_the_process_of_a_server_that_cannot_be_started_ends_with_2(tmp_path: Path) -> None:
    wrong = wrong_settings(tmp_path)
    names = ("a file that is no database", "a database that is not there")
    processes = [start("serve", "--no-browser", "--host", "127.0.0.1", *wrong[name][0]) for name in names]
    for name, process in zip(names, processes):
        out, err = process.communicate(timeout=DEADLINE)
        assert (process.returncode, out, err.count("\n")) == (2, "", 1), (name, err)
        assert wrong[name][1] in err
