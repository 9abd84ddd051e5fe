"""``kortlek bot``: a separate process that plays at a real server, and its messages where it cannot."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from running import run, start
from serving import DEADLINE, Server, free_port, wait_for
from test_protocol_docs import BOT

from kortlek.engine.verify import check as verify
from kortlek.engine.record import from_line
from kortlek.game.registry import GAMES
from kortlek.table.protocol import PROTOCOL

QUICK: dict[str, Any] = {
    "game": "up_and_down",
    "players": 2,
    "options": {"largest_round": 2, "first_bettor": 0},
    "levels": ["random"],
    "pace": 0,
    "stand_in": "random",
}

STARTED: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def _nobody_stays() -> Iterator[None]:
    yield
    while STARTED:
        with STARTED.pop() as process:
            process.kill()


class At:
    """A table of a server, seen by its owner."""

    def __init__(self, server: Server, **settings: Any) -> None:
        self.server = server
        opened = server.post("/api/tables", QUICK | settings)
        self.code, self.token = opened["code"], opened["token"]
        self.path, self.link = f"/api/tables/{self.code}", f"{server.url}/t/{self.code}"

    def shown(self) -> Any:
        return self.server.show(self.code, self.token)

    def do(self, **message: Any) -> None:
        self.server.post(f"{self.path}/messages", message, self.token)

    def bot(self, *arguments: object) -> subprocess.Popen[str]:
        """Start a bot, and wait until it has sat down and is connected."""
        process = start("bot", "--connect", self.link, "--name", "Eva", "--level", "house", *arguments)
        STARTED.append(process)
        wait_for(lambda: self.seat_of("Eva").get("here") or process.poll() is not None, "the bot")
        return process

    def seat_of(self, name: str) -> Any:
        return next((seat for seat in self.shown()["seats"] if seat["name"] == name), {})

    def record(self) -> Any:
        return from_line(self.server.ask("GET", f"{self.path}/record", token=self.token)[1].strip())


# ---- it plays


@pytest.mark.parametrize(("name", "options"), [("up_and_down", {"largest_round": 2}), ("cascade", {"games": 1})])
def test_a_bot_in_its_own_process_plays_a_whole_match_against_one_of_the_server(server: Server, name: str, options: dict[str, Any]) -> None:
    table = At(server, game=name, options=options)
    process = table.bot()
    table.do(do="start")
    said, wrong = process.communicate(timeout=DEADLINE)
    assert (process.returncode, wrong) == (0, "")
    record = table.record()
    assert verify(record).commitment == table.shown()["commitment"]
    came, went = said.splitlines()
    assert came == f"Eva (house) has sat down in seat 0 to play {GAMES[name].title}. Ctrl-C leaves."
    names = [each.partition(" ")[0] for each in record.seats]
    assert names[0] == "Eva"
    assert went.startswith("The match is over: " + ", ".join(f"{name} {points}" for name, points in zip(names, record.result.scores)) + ". ")
    assert all(names[seat] in went.rpartition("win")[0].rpartition(". ")[2] for seat in record.result.winners)
    assert table.shown()["seats"][0]["free"], "it has left its seat"
    assert table.shown()["names"] == names, "those who have played, not those who sit there now"


def test_it_waits_for_the_next_match_if_one_is_over(server: Server) -> None:
    table = At(server, levels=["random", "random"])
    table.do(do="start")
    wait_for(lambda: table.shown()["status"] == "over", "the end")
    process = table.bot()
    table.do(do="start", rotate=1)
    said, wrong = process.communicate(timeout=DEADLINE)
    assert (process.returncode, wrong) == (0, "")
    assert said.splitlines()[0].startswith("Eva (house) has sat down in seat 1 ")  # the last of the server's bots gave up its seat
    assert table.record().seats[0] == "Eva"  # and the seats rotated by one
    assert table.shown()["seats"][0]["free"]


def test_it_plays_where_nobody_may_look_on(server: Server) -> None:
    table = At(server, spectators="off")
    process = table.bot()
    table.do(do="start")
    said, wrong = process.communicate(timeout=DEADLINE)
    assert (process.returncode, wrong, len(said.splitlines())) == (0, "", 2)


def test_it_goes_on_when_the_server_is_killed_in_the_middle_of_a_match(server: Server, tmp_path: Path) -> None:
    """At a table with a server bot, this command, the bot of docs/protocol.md, and a person, so that the match cannot end before the kill."""
    (tmp_path / "bot.py").write_text(BOT)
    table = At(server, players=4, name="Lisa", grace=3600)
    ours = table.bot()
    command = [sys.executable, "-I", str(tmp_path / "bot.py"), server.url, table.code, "Bo"]
    theirs = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    STARTED.append(theirs)
    wait_for(lambda: table.seat_of("Bo").get("here") or theirs.poll() is not None, "the other bot")
    table.do(do="start")
    for turn in range(100):
        shown = wait_for(lambda: choose_or_end(table), "our turn")
        if shown["status"] == "over":
            break
        table.do(do="choose", seat=0, choice=shown["match"]["legal"][0]["choice"], at=shown["seq"], id=str(turn))
        if turn == 2:  # while the bots are choosing
            server.kill()
            server.start()
    assert turn > 4
    said, wrong = ours.communicate(timeout=DEADLINE)
    assert (ours.returncode, wrong) == (0, "")
    scores = table.record().result.scores
    assert f"The match is over: Lisa {scores[0]}, Eva {scores[1]}, Bo {scores[2]}, " in said
    assert json.loads(theirs.communicate(timeout=DEADLINE)[0]) == scores
    verify(table.record())


def choose_or_end(table: At) -> Any:
    shown = table.shown()
    return shown if shown["match"]["legal"] or shown["status"] == "over" else None


@pytest.mark.parametrize("is_playing", [False, True])
def test_ctrl_c_leaves_the_table_and_somebody_else_plays_on(server: Server, is_playing: bool) -> None:
    table = At(server, name="Lisa", levels=[])
    process = table.bot()
    assert process.stdout and process.stdout.readline().startswith("Eva (house) has sat down in seat 1 ")
    if is_playing:
        table.do(do="start")
    process.send_signal(signal.SIGINT)
    rest, wrong = process.communicate(timeout=DEADLINE)
    assert (process.returncode, rest, wrong) == (130, "", "")
    seat = table.shown()["seats"][1]
    assert seat["away"] if is_playing else seat["free"]


# ---- it cannot


def test_who_is_sent_away_says_so_and_ends(server: Server) -> None:
    table = At(server)
    process = table.bot()
    table.do(do="kick", seat=0)
    assert ends_with_a_sentence(process) == "Eva has no seat at this table any more.\n"


def ends_with_a_sentence(process: subprocess.Popen[str]) -> str:
    _, wrong = process.communicate(timeout=DEADLINE)
    assert process.returncode == 2
    assert wrong.count("\n") == 1
    return wrong


def refused(link: str, *arguments: object) -> str:
    ran = run("bot", "--connect", link, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    return ran.err


@pytest.mark.parametrize(
    "link",
    [
        "",
        "nonsense",
        "http://127.0.0.1",
        "http://127.0.0.1/t/",
        "ftp://127.0.0.1/t/bk7q2x",
        "http://127.0.0.1/t/b k",
        "http://127.0.0.1/x/t/å",
        "/t/a",
        "a b/t/c",
    ],
)
def test_what_is_no_link_is_refused(link: str) -> None:
    assert "is not a link to a table: it looks like http://192.0.2.7:8642/t/bk7q2x." in refused(link)


@pytest.mark.parametrize("host", ["[::1", "a:b:c", "127.0.0.1:99999", "..", "127.0.0.1:port"])
def test_an_address_that_cannot_be_is_refused(host: str) -> None:
    assert f"http://{host} does not answer" in refused(f"{host}/t/bk7q2x")


def test_where_no_server_is_it_says_so() -> None:
    link = f"http://127.0.0.1:{free_port()}/t/bk7q2x"
    assert f"{link[:-9]} does not answer: Connection refused." in refused(link)
    assert "does not answer: Connection refused." in ends_with_a_sentence(start("bot", "--connect", link))


def test_what_a_table_refuses_is_one_sentence_and_changes_nothing(server: Server) -> None:
    full, begun, free = At(server, name="Lisa", levels=[]), At(server, pace=10_000), At(server)
    server.post(f"{full.path}/join", {"name": "Bo"})
    begun.do(do="start")
    before = [table.shown()["seq"] for table in (full, free)]
    assert "There is no table with this code." in refused(f"{server.url}/t/zzzzzz")
    assert "Every seat of this table is taken." in refused(full.link)
    assert "The match has begun: you can sit down when it is over." in refused(begun.link)
    assert "Up and Down has no bot 'genius'. Its bots are: random, easy, " in refused(free.link, "--level", "genius")
    assert "There is no seat 5: they are 0 to 1." in refused(free.link, "--seat", 5)
    assert "A name is 1 to 20 columns wide" in refused(free.link, "--name", " ")
    assert "Invalid value" in refused(free.link, "--seat", "first")
    assert "The seed -1 is not possible" in refused(free.link, "--seed", -1)
    assert [table.shown()["seq"] for table in (full, free)] == before
    closed = At(server, spectators="off")
    assert "Up and Down has no bot 'genius'." in refused(closed.link, "--level", "genius")
    assert closed.shown()["seats"][0]["free"]


# ---- servers of other versions, and other HTTP servers


@contextmanager
def answering(answers: dict[str, Any]) -> Iterator[str]:
    """A stub HTTP server that gives each path a fixed answer, JSON or raw; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = answers.get(self.path)
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(404 if answer is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


NEWER = PROTOCOL + 1
FINE: dict[str, Any] = {
    "/health": {"ok": True, "version": "9.0", "protocol": PROTOCOL},
    "/api/games": [{"name": "plump", "version": GAMES["plump"].version}, {"name": "rummy", "version": 99}, {"name": "whist", "version": 1}],
}


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({}, " answers 404, as no table would."),
        ({"/health": b"<html>"}, " does not answer as a table would."),
        ({"/health": ["ok"]}, " does not answer as a table would."),
        ({"/health": {"ok": True}}, " does not answer as a table would."),
        (FINE | {"/api/tables/bk7q2x": [{"game": "plump"}]}, " does not answer as a table would."),
        ({"/health": {"protocol": NEWER}}, f" speaks protocol {NEWER}, but this program {PROTOCOL}: they are of different versions of Kortlek."),
        (
            FINE | {"/api/games": {}, "/api/tables/bk7q2x": {"table": {"game": "plump"}}},
            "The server plays version None of Plump, but this program version 1.",
        ),
        (FINE | {"/api/tables/bk7q2x": {"table": {"game": "rummy"}}}, "The server plays version 99 of Rummy, but this program version 1."),
        (FINE | {"/api/tables/bk7q2x": {"table": {"game": "whist"}}}, "The table is for 'whist', a game that this version of Kortlek does not have."),
    ],
)
def test_another_server_is_refused(answers: dict[str, Any], sentence: str) -> None:
    with answering(answers) as address:
        assert sentence in refused(f"{address}/t/bk7q2x")
