"""The rules of a game change between two servers on one store: its version is raised, its file is edited, or it is not there any more. The tables
stay."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from clients import opened, play_together, said, there
from first_edition import films_are_made, shows_of, whole_film
from running import run
from serving import Server, serving
from tables import ANN, BO, QUICK, two

from kortlek.engine.record import from_line
from kortlek.engine.views import OPEN
from kortlek.game.registry import GAMES
from kortlek.table import archive, facts
from kortlek.table.protocol.client_in import Change, Choose, Fill, Join, Leave, Say, Start, Undo
from kortlek.table.stopped import fitting_options
from kortlek.table.store import Ended, Entry, SqliteStore
from kortlek.table.table import ENDED, PLAYING, STRANGER, WAITING, Table

KUHN = (Path(__file__).parent.parent / "docs" / "examples" / "kuhn.py").read_text()
RAISED = KUHN.replace("    state=Kuhn,\n", "    state=Kuhn,\n    version=2,\n").replace(
    "int_option(10, range(1, 101)", "int_option(10, range(5, 101)"
)
"""The next version: matches have at least five hands."""
EDITED = KUHN.replace("s.turn = s.round % 2", "s.turn = 1 - s.round % 2")
SHORT: dict[str, Any] = {"game": "kuhn_poker", "players": 2, "options": {"hands": 2}, "pace": 0, "grace": 86400, "stand_in": "random"}
NOTICES = {"raised": "refuse-version", "edited": "refuse-changed", "uninstalled": "refuse-missing"}


@dataclass
class Evening:
    """A store with tables of Ann and Bo, written with the first rules."""

    data: Path
    file: Path
    finished: tuple[str, list[str]]
    running: tuple[str, list[str]]
    rematch: tuple[str, list[str]]
    record: Any
    film: Any
    shown: Any

    @contextmanager
    def served(self, how: str) -> Iterator[Server]:
        """A server after the rules have changed; it is killed at the end of the block."""
        self.file.write_text({"raised": RAISED, "edited": EDITED}.get(how, KUHN))
        with serving(self.data, *([] if how == "uninstalled" else ["--game", str(self.file)]), "--behind-proxy") as server:
            yield server


async def play(server: Server, code: str, tokens: list[str], hands: int | None = None) -> None:
    """Start a match, and play it to its end, or until this many hands are over."""
    async with there(server, code, tokens[0]) as ann, there(server, code, tokens[1]) as bo:
        await ann.ask(do="start")
        for client in (ann, bo):
            if client.last["status"] != "playing":
                await client.show(lambda show: bool(show["status"] == "playing"))
        await play_together({0: ann, 1: bo}, lambda show: bool(show["match"]["round"] == hands if hands is not None else show["status"] == "over"))


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """A finished match with chat, a running one, and a running rematch."""
    assert RAISED.count("version=2") == 1 and "range(5," in RAISED and EDITED != KUHN
    (tmp_path / "kuhn.py").write_text(KUHN)
    with serving(tmp_path / "data", "--game", str(tmp_path / "kuhn.py"), "--behind-proxy") as server:
        finished, running, rematch = (opened(server, "Bo", **SHORT) for _ in range(3))
        asyncio.run(play(server, *finished))
        server.post(f"/api/tables/{finished[0]}/messages", {"do": "say", "seat": 0, "text": "Well played!"}, finished[1][0])
        asyncio.run(play(server, *running, 1))
        asyncio.run(play(server, *rematch))
        asyncio.run(play(server, *rematch, 1))
        record = server.get(f"/api/tables/{finished[0]}/record", finished[1][1])
        film = whole_film(server, finished[0], finished[1][1], seat=OPEN)[1]
        shown = [shows_of(server, running[0], token)[0]["match"] for token in running[1]]
        assert server.stop() == 0
    return Evening(tmp_path / "data", tmp_path / "kuhn.py", finished, running, rematch, record, film, shown)


@pytest.mark.parametrize("how", NOTICES)
def test_a_finished_match_is_shown_as_before(evening: Evening, how: str) -> None:
    with evening.served(how) as server:
        code, tokens = evening.finished
        [show] = shows_of(server, code, tokens[0])
        assert (show["status"], show["notice"]["id"], show["match"], show["yours"]) == ("over", "table-other-rules", None, [0])
        assert server.get(f"/api/tables/{code}/record", tokens[1]) == evening.record
        assert whole_film(server, code, tokens[1], seat=OPEN) == (200, evening.film)
        assert evening.film["frames"][-1]["match"]["score"] == evening.record["result"]["scores"]
        status, answer = whole_film(server, code, tokens[1], seat=0)
        assert (status, answer["message"]["id"]) == (422, "refuse-film-open")
        for path in ("record", "replay"):
            assert server.ask("GET", f"/api/tables/{code}/{path}")[0] == 403, "it is not public"
        before, tokens = evening.rematch
        assert server.get(f"/api/tables/{before}/record?match=1", tokens[0])["result"]
        assert whole_film(server, before, tokens[0], seat=OPEN, match=1)[0] == 200
        status, answer = server.ask("GET", f"/api/tables/{before}/record?match=3", token=tokens[0])
        assert (status, json.loads(answer)["message"]["id"]) == (404, "refuse-no-match")
        assert server.get("/api/tables") == [] and server.get("/health")["ok"]
        lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
        assert [(line["game"], line["begun"]) for line in lines if line["event"] == "stopped"] == [("kuhn_poker", 1)], "said once"
        assert not [line for line in lines if line["event"] == "failed"]


@pytest.mark.parametrize("how", ["raised", "edited"])
def test_a_running_match_says_why_it_cannot_go_on_and_a_new_one_begins(evening: Evening, how: str) -> None:
    code, tokens = evening.running
    path = f"/api/tables/{code}"

    async def everybody(server: Server) -> None:
        async with there(server, code, tokens[0]) as ann, there(server, code, tokens[1]) as bo:
            show = ann.last
            assert (show["status"], show["notice"]["id"], show["match"]) == ("playing", NOTICES[how], None)
            assert [seat["name"] for seat in show["seats"]] == ["Ann", "Bo"]
            denied = await bo.ask(do="choose", seat=1, choice="check", at=show["seq"])
            assert (denied["code"], denied["message"]["id"]) == ("not_playing", NOTICES[how]) and "it cannot go on" in denied["sentence"]
            assert (await bo.ask(do="undo", seat=1))["code"] == "not_playing"
            assert (await bo.ask(do="hint", seat=1))["code"] == "not_playing"
            assert (await bo.ask(do="say", seat=1, text="A pity."))["type"] == "done"
            status, answer = await asyncio.to_thread(server.ask, "GET", f"{path}/record", token=tokens[1])
            assert (status, json.loads(answer).get("code")) == ((200, None) if how == "raised" else (409, "not_playing")), (
                "the file may be edited back"
            )
            assert (await bo.ask(do="start"))["type"] == "done", "also if the owner has left"
            show = await ann.show(lambda show: show["match"] is not None)
            assert (show["status"], show["notice"], [seat["name"] for seat in show["seats"]]) == ("playing", None, ["Ann", "Bo"])
            assert show["options"] == {"hands": 10 if how == "raised" else 2}, "what does not fit the new rules is as usual"
            told = [line for news in ann.news for line in said({**news, "events": []})]
            assert told[-3:] == ["A pity.", "The match that could not go on was given up", "The match begins"]

    with evening.served(how) as server:
        asyncio.run(everybody(server))
        for token in tokens:
            record = from_line(json.dumps(server.get(f"{path}/record?match=1", token)))
            assert (record.version, record.seats, record.options, record.result) == (1, ["Ann", "Bo"], {"hands": 2}, None)
            assert record.events[0].startswith("deal ") and len(record.events) > 3 and str(record.seed).startswith("fair ")
        stranger = server.post(f"/api/tables/{code}/messages", {"do": "say", "seat": 0, "text": "Hello!"}, tokens[0])
        assert stranger["type"] == "done" and server.ask("GET", f"{path}/record?match=1")[0] == 403
        status, answer = whole_film(server, code, tokens[0], seat=OPEN, match=1)
        assert (status, answer["message"]["id"]) == (409, "refuse-no-film")
    with evening.served("back") as server:  # what was given up stays so, and now it is the new match that cannot go on
        [show] = shows_of(server, code, tokens[0])
        assert (show["match"], show["notice"]["id"]) == (None, NOTICES[how])
        assert server.get(f"{path}/record?match=1", tokens[0])["result"] is None


def test_a_running_match_goes_on_when_its_game_is_back(evening: Evening) -> None:
    code, tokens = evening.running
    with evening.served("uninstalled") as server:
        [show] = shows_of(server, code, tokens[1])
        assert (show["status"], show["notice"]["id"], show["title"], show["yours"]) == ("playing", "refuse-missing", "Kuhn poker", [1])
        for request in ({"do": "start"}, {"do": "change", "players": 2}, {"do": "fill", "seat": 1, "level": "random"}):
            status, answer = server.ask("POST", f"/api/tables/{code}/messages", json.dumps(request).encode(), tokens[0])
            assert (status, json.loads(answer)["message"]["id"]) == (422, "refuse-missing")
        assert server.post(f"/api/tables/{code}/messages", {"do": "say", "seat": 1, "text": "Where is it?"}, tokens[1])["type"] == "done"
        status, answer = server.ask("GET", f"/api/tables/{code}/record", token=tokens[1])
        assert (status, json.loads(answer)["message"]["id"]) == (409, "refuse-record-dropped"), "it names cards that are still hidden"
    with evening.served("back") as server:
        assert [shows_of(server, code, token)[0]["match"] for token in tokens] == evening.shown

        async def on() -> None:
            async with there(server, code, tokens[0]) as ann, there(server, code, tokens[1]) as bo:
                await play_together({0: ann, 1: bo})

        asyncio.run(on())
        assert server.get(f"/api/tables/{code}/record", tokens[0])["result"]


def test_films_that_were_not_made_before_a_crash_are_made_after_it(evening: Evening) -> None:
    with sqlite3.connect(evening.data / "tables.db") as db:
        assert db.execute("SELECT count(*), min(length(film)) > 99 FROM matches").fetchone() == (2, 1), (
            "those of two matches, before the server stopped"
        )
        db.execute("UPDATE matches SET film = x''")
    with serving(evening.data, "--game", str(evening.file)):
        films_are_made(evening.data)
    with evening.served("raised") as server:
        assert whole_film(server, evening.finished[0], evening.finished[1][0], seat=OPEN) == (200, evening.film)


# ---- without a server


def test_a_stopped_match_has_the_events_that_were_not_taken_back_and_those_who_had_a_seat() -> None:
    at = two()
    before = [at.table.playing().written[:]]
    at.chooses()
    at.asks(ANN, Undo(seat=0))
    at.chooses()
    before.append(at.table.playing().written[:])
    at.stops()
    stopped = at.table.stopped
    assert stopped and stopped.events == before[1] != before[0]
    assert (stopped.record().seats, stopped.people) == (["Ann", "Bo"], frozenset((ANN, BO)))


def test_nothing_that_is_said_or_done_at_a_stopped_table_stops_the_match_from_coming_back() -> None:
    at = two()
    at.chooses()
    begun = at.log[:]
    at.stops()
    other = at.log[: len(begun)]
    assert at.refuses(STRANGER, Join(name="Cleo")) == "started"
    at.asks(BO, Leave(seat=1))
    at.asks(BO, Say(seat=1, text="See you."))
    at.log = [*begun, *at.log[len(other) :]]
    at.table = at.again()
    assert at.table.status == PLAYING and at.table.chairs[1].away
    at.plays_on()
    assert at.table.status == ENDED


@pytest.mark.parametrize("message", [Start(), Change(players=3), Fill(seat=1, level="")])
def test_only_who_may_can_give_a_stopped_match_up(message: Any) -> None:
    at = two()
    at.stops()
    assert at.refuses(STRANGER, message) == "not_owner"
    if isinstance(message, Start):
        assert [type(fact) for fact in at.asks(BO, message)][:2] == [facts.Dropped, facts.Began] and at.table.status == PLAYING
        return
    assert at.refuses(BO, message) == "not_owner"
    if isinstance(message, Change):
        assert isinstance(at.asks(ANN, message)[0], facts.Dropped)
        assert at.table.status == WAITING and len(at.table.chairs) == 3
        assert at.refuses(ANN, Choose(seat=0, choice="bet 0", at=at.table.seq)) == "not_playing"


def test_a_match_that_was_given_up_is_not_resumed() -> None:
    at = two()
    at.chooses()
    begun, written = at.log[:], at.table.playing().written
    at.stops()
    at.asks(ANN, Change(players=3))
    at.log = [*begun, *at.log[len(begun) :]]
    back = at.again()
    assert (back.status, back.match, len(back.chairs)) == (WAITING, None, 3)
    assert back.stopped and (back.stopped.events, back.stopped.is_dropped) == (written, True)


def test_options_that_the_rules_do_not_have_are_as_usual() -> None:
    game = GAMES["up_and_down"]
    assert fitting_options(game, 2, {"N": 2, "start": 0}) == {"largest_round": 2, "first_bettor": 0}
    assert fitting_options(game, 2, {"largest_round": 2, "first_bettor": 9, "trumps": 1}) == {"largest_round": 2, "first_bettor": "random"}
    assert fitting_options(game, 99, {"largest_round": 2, "first_bettor": 0}) == {}


def test_the_record_of_a_match_is_in_the_store_as_soon_as_its_end_is(tmp_path: Path) -> None:
    at = two()
    while len(at.table.playing().legal) and not at.table.playing().over:
        before = at.table.copy()
        at.somebody_chooses()
        ended = archive.ended_between(before, at.table)
        assert (ended is None) == (at.table.status == PLAYING)
    assert ended and from_line(ended.record).result and archive.ended_between(at.table, at.table) is None

    async def written() -> tuple[Ended | None, list[tuple[str, int]]]:
        store = SqliteStore(tmp_path / "tables.db")
        await store.open()
        await store.append([Entry("code", each.seq, each.at, each.mid, each.body) for each in at.log], at.table.standing(), ended)
        found = await store.ended("code", 1), await store.without_film()
        await store.close()
        return found

    assert asyncio.run(written()) == (ended, [("code", 1)])


def test_a_table_of_an_unknown_game_is_replayed() -> None:
    at = two()
    at.asks(ANN, Say(seat=0, text="Hello!"))
    body = json.loads(at.log[0].body) | {"game": "whist"}
    at.log[0] = Entry("code", 1, at.log[0].at, "", json.dumps(body))
    table = Table("code")
    for entry in at.log:
        table.take(entry)
    assert (table.game.name, table.game.title, table.status) == ("whist", "Whist", PLAYING)
    assert json.loads(table.standing().line)["game"] == "whist"


# ---- records


def test_a_record_of_another_version_is_shown_as_it_was_written(tmp_path: Path) -> None:
    at = two(**QUICK)
    at.plays_on()
    record = at.table.record(ANN)
    line = json.loads(archive.record_of(at.table))
    for name, changes in (("same", {}), ("other", {"version": 7}), ("open", {"version": 7, "result": None}), ("odd", {"version": 7})):
        (tmp_path / name).write_text(json.dumps(line | changes) + "\n")
    (tmp_path / "odd").write_text(json.dumps(line | {"version": 7, "result": {"scores": [1], "winners": [5]}}) + "\n")
    shown = run("replay", tmp_path / "other")
    assert shown.code == 0 and "It was played with version 7 of Up and Down, and version 1 is here" in shown.out
    assert all(event in shown.out.splitlines() for event in record.events) and record.result
    assert [f"{name}: {points}" for name, points in zip(record.seats, record.result.scores)] == [
        x for x in shown.out.splitlines() if x[:4] in ("Ann:", "Bo: ")
    ]
    hidden = run("replay", tmp_path / "open")
    assert hidden.code == 0 and "The game is not finished" in hidden.out and record.events[0] not in hidden.out
    assert run("replay", tmp_path / "other", "--as", "Ann").code == run("replay", tmp_path / "odd").code == 2
    promised = ["--commitment", at.show().commitment]
    checked = run("verify", tmp_path / "other", *promised)
    assert checked.code == 2 and "version 7 of Up and Down, but version 1 is played here" in checked.err
    assert at.show().commitment in checked.out and run("verify", tmp_path / "same", *promised).code == 0
