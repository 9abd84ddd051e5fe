"""Replays over a real server: a finished match, moment by moment, from each seat and with open cards; and matches of bots to watch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from clients import MATCH, SHORT, UNKNOWN_TOKEN, number_of_cards, opened, play_together, there
from playing import SHORT as SHORT_OPTIONS
from playing import walk
from serving import Server, serving

from kortlek.engine.fairness import read_seed
from kortlek.engine.match import Match
from kortlek.engine.moments import moments
from kortlek.engine.record import from_line
from kortlek.engine.views import ONLOOKER, OPEN, view
from kortlek.engine.views import opened as all_open
from kortlek.game import NOBODY as SEEN_BY_NOBODY
from kortlek.game import fields_of
from kortlek.game.registry import GAMES
from kortlek.table import films
from kortlek.table.films import PAGE_SIZE, FilmRequest
from kortlek.table.question import Question
from kortlek.table.workers import Unready, Workers

Film = dict[str, Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that trusts X-Forwarded-For, so that each request can come from a different address."""
    with serving(tmp_path_factory.mktemp("server"), "--behind-proxy") as running:
        yield running


_asked = iter(range(1, 1 << 16))


def get(server: Server, path: str, token: str = "", **query: Any) -> tuple[int, Any]:
    """Send a GET request; return the status and the answer."""
    headers: dict[str, Any] = {"X-Forwarded-For": f"2001:db8:{next(_asked):x}::1"}
    status, text = server.ask("GET", f"{path}?{urlencode(query, doseq=True)}", token=token, **headers)
    return status, json.loads(text)


def film(server: Server, path: str, token: str = "", **query: Any) -> Film:
    """All moments, fetched page by page."""
    whole: Film = {}
    while not whole or not whole["over"] or len(whole["frames"]) < whole["known"]:
        done = whole["frames"] if whole else []
        status, part = get(server, path, token, **{**query, "from": len(done)})
        assert status == 200, part
        assert (part["first"], len(part["frames"]) <= PAGE_SIZE) == (len(done), True)
        whole = {**part, "frames": done + part["frames"], "first": 0}
    return whole


def table_of(server: Server, **settings: Any) -> tuple[str, str, list[str]]:
    """A table at which Ann and Bo sit: its code, the path of its replay, and their tokens."""
    code, tokens = opened(server, "Bo", **{**SHORT, **settings})
    return code, f"/api/tables/{code}/replay", tokens


def play(server: Server, code: str, tokens: list[str]) -> dict[int, list[Film]]:
    """Ann and Bo play a match with an onlooker; return everything that each of them was shown."""

    async def both() -> dict[int, list[Film]]:
        async with there(server, code, tokens[0]) as ann, there(server, code, tokens[1]) as bo, there(server, code) as onlooker:
            await ann.ask(do="start")
            began = ann.last["seq"]
            for client in (bo, onlooker):
                while client.last["seq"] < began:
                    await client.show()
            await play_together({0: ann, 1: bo})
            while onlooker.last["status"] != "over":
                await onlooker.show()
            return {seat: shows(client.got) for seat, client in ((0, ann), (1, bo), (ONLOOKER, onlooker))}

    def shows(got: list[Film]) -> list[Film]:
        found = [each for each in got if each["type"] == "show" and each["match"]]
        return [each for at, each in enumerate(found) if at == 0 or each["match"] != found[at - 1]["match"]]

    return asyncio.run(both())


# ---- a match that is over


def test_the_frames_are_what_each_seat_was_shown(server: Server) -> None:
    code, path, tokens = table_of(server, public=True)
    saw = play(server, code, tokens)
    for seat, shows in saw.items():
        back = film(server, path, seat=seat)
        assert [frame["match"] for frame in back["frames"]] == [show["match"] for show in shows]
        assert [frame["sheet"] for frame in back["frames"]] == [show["sheet"] for show in shows]
        assert (back["names"], back["levels"], back["seat"], back["match"]) == (["Ann", "Bo"], ["", ""], seat, 1)
        assert not any(frame["thoughts"] for frame in back["frames"])


def test_the_frames_say_what_each_seat_was_told(server: Server) -> None:
    code, path, tokens = table_of(server)

    async def told() -> list[dict[str, Any]]:
        async with there(server, code, tokens[0]) as ann, there(server, code, tokens[1]) as bo:
            await ann.ask(do="start")
            await bo.show(lambda show: bool(show["match"]))
            await play_together({0: ann, 1: bo})
            return [event for news in ann.news if news["kind"] == "happened" for event in news["events"]]

    heard = asyncio.run(told())
    back = film(server, path, tokens[0], seat=0)
    assert [event for frame in back["frames"] for event in frame["events"]] == heard
    assert any(event["kind"] == "gets" and event["seat"] == 0 for event in heard)
    choices = from_line(server.ask("GET", f"/api/tables/{code}/record", token=tokens[0])[1].strip()).events
    assert [frame["choice"] for frame in back["frames"][1:]] == [each for each in choices if not each.startswith(("deal ", "lots "))]
    assert back["frames"][0]["choice"] == ""


def test_everybodys_cards_lie_open_when_it_is_over(server: Server) -> None:
    code, path, tokens = table_of(server, **MATCH, players=3)
    play(server, code, tokens)
    seats = {seat: film(server, path, tokens[0], seat=seat)["frames"] for seat in range(3)}
    for at, frame in enumerate(film(server, path, tokens[0])["frames"]):
        for key, place in frame["match"]["places"].items():
            seen = [frames[at]["match"]["places"][key]["cards"] for frames in seats.values()]
            assert place["cards"] == next((cards for cards in seen if cards is not None), None)
        hands = [place for place in frame["match"]["places"].values() if place["place"] == "hand"]
        assert all(len(place["cards"]) == place["size"] for place in hands)
        assert not frame["match"]["legal"]


def test_rounds_begin_where_cards_are_dealt(server: Server) -> None:
    code, path, tokens = table_of(server)
    play(server, code, tokens)
    back = film(server, path, tokens[1])
    assert back["rounds"] == [at for at, frame in enumerate(back["frames"]) if any(event["kind"] == "deal" for event in frame["events"])]
    assert len(back["rounds"]) == 3
    assert [number_of_cards(back["frames"][at]["match"], "hand") for at in back["rounds"]] == [2, 4, 2]


def test_moments_are_told_in_pages(server: Server) -> None:
    code, path, tokens = table_of(server)
    play(server, code, tokens)
    whole = film(server, path, tokens[0])
    for first, many in ((0, 1), (1, 3), (whole["known"] - 1, 50), (whole["known"], 1), (1_000_000, 50)):
        status, part = get(server, path, tokens[0], **{"from": first, "many": many})
        assert (status, part["frames"]) == (200, whole["frames"][first : first + many])
        assert part == {**whole, "frames": part["frames"], "first": first}


def test_an_earlier_match_can_be_looked_at_while_the_next_is_played(server: Server) -> None:
    code, path, tokens = table_of(server)
    play(server, code, tokens)
    first = film(server, path, tokens[0])
    server.post(f"/api/tables/{code}/messages", {"do": "start"}, tokens[0])
    assert get(server, path, tokens[0])[1]["code"] == "not_playing"
    assert get(server, path, tokens[0], match=2)[1]["code"] == "not_playing"
    assert get(server, path, tokens[0], match=3)[0] == 404
    assert film(server, path, tokens[0], match=1) == first
    server.kill()
    server.start()
    assert film(server, path, tokens[0], match=1) == first


def test_nobody_looks_at_what_she_may_not_have_the_record_of(server: Server) -> None:
    code, path, tokens = table_of(server)
    record = f"/api/tables/{code}/record"
    for stage in ("waiting", "playing", "over"):
        if stage == "over":
            play_on(server, code, tokens)
        for token in ("", UNKNOWN_TOKEN, *tokens):
            asked, kept = get(server, path, token, seat=0), server.ask("GET", record, token=token)
            assert asked[0] == kept[0] == {"": 403, UNKNOWN_TOKEN: 403}.get(token, 200 if stage == "over" else 409)
            assert asked[0] == 200 or asked[1] == json.loads(kept[1])
        if stage == "waiting":
            server.post(f"/api/tables/{code}/messages", {"do": "start"}, tokens[0])


def play_on(server: Server, code: str, tokens: list[str]) -> None:
    async def both() -> None:
        async with there(server, code, tokens[0]) as ann, there(server, code, tokens[1]) as bo:
            await play_together({0: ann, 1: bo})

    asyncio.run(both())


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"seat": 2}, 422),
        ({"seat": 13}, 400),
        ({"seat": -3}, 400),
        ({"seat": "open"}, 400),
        ({"from": -1}, 400),
        ({"many": 0}, 400),
        ({"many": PAGE_SIZE + 1}, 400),
        ({"match": 0}, 400),
        ({"match": 2}, 404),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(server: Server, over: tuple[str, str], query: dict[str, Any], status: int) -> None:
    path, token = over
    answered, wrong = get(server, path, token, **query)
    assert (answered, wrong.keys()) == (status, {"code", "message", "sentence"}), wrong
    assert wrong["sentence"].endswith(".")
    assert "\n" not in wrong["sentence"]


@pytest.fixture(scope="module")
def over(server: Server) -> tuple[str, str]:
    code, path, tokens = table_of(server)
    play(server, code, tokens)
    return path, tokens[0]


# ---- bots to watch

TINY = {"game": "up_and_down", "players": 3, "bots": "house,random", "option": ["largest_round=2", "first_bettor=0"], "seed": 7}


def watched(server: Server, **query: Any) -> Film:
    """A whole match of bots."""
    asked = {**TINY, **query}
    return film(server, f"/api/watch/{asked.pop('game')}", **asked)


def test_the_same_seed_is_the_same_match_also_after_a_restart(server: Server) -> None:
    seen = watched(server)
    assert seen["names"] == ["Lisa", "Stephen", "Toby"]
    assert seen["levels"] == ["house", "random", "house"]
    assert (seen["options"]["largest_round"], seen["over"], seen["match"]) == (2, True, 0)
    assert seen["frames"][-1]["match"]["phase"] == "over"
    server.kill()
    server.start()
    assert watched(server) == seen
    others = [watched(server, seed=seed)["frames"][0]["match"] for seed in range(20)]
    assert any(other != seen["frames"][0]["match"] for other in others)


def test_bots_that_think_choose_the_same_after_a_restart(server: Server) -> None:
    """Right after a start no worker is ready: there are no moments yet, rather than different ones."""
    seen = watched(server, bots="club")
    server.kill()
    server.start()
    assert watched(server, bots="club") == seen


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_watched(server: Server, game: str) -> None:
    players = GAMES[game].players[0]
    option = [f"{name}={option.allowed(players)[0]}" for name, option in GAMES[game].options.items() if name in SHORT_OPTIONS]
    seen = watched(server, game=game, players=players, bots="house", option=option)
    assert seen["frames"][-1]["match"]["phase"] == "over"
    assert seen["known"] == len(seen["frames"])


def test_a_match_can_be_watched_with_open_or_hidden_cards(server: Server) -> None:
    for frame in watched(server)["frames"]:
        assert all(place["cards"] is not None for place in frame["match"]["places"].values() if place["place"] == "hand")
    for frame in watched(server, seat=ONLOOKER)["frames"]:
        assert all(place["cards"] is None for place in frame["match"]["places"].values() if place["place"] == "hand")
    assert watched(server, seat=1)["frames"][-1]["match"]["score"] == watched(server)["frames"][-1]["match"]["score"]


def test_thoughts_come_only_if_they_are_asked_for(server: Server) -> None:
    for level in ("house", "club"):
        loud, quiet = watched(server, bots=level, thoughts="true"), watched(server, bots=level)
        assert not any(frame["thoughts"] for frame in quiet["frames"])
        assert [{**frame, "thoughts": []} for frame in loud["frames"]] == quiet["frames"]
        assert loud["frames"][0]["thoughts"] == []
        for frame in loud["frames"][1:]:
            first = frame["thoughts"][0]
            assert first["choice"] == frame["choice"]
            assert first["reason"]["id"].startswith("reason-") and frame["choice"].startswith(first["verb"])


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"game": "chess"}, 404),
        ({"players": 14}, 400),
        ({"players": 1}, 422),
        ({"seat": 3}, 422),
        ({"seat": -3}, 400),
        ({"bots": "genius"}, 422),
        ({"bots": "house,house,house,house"}, 422),
        ({"bots": ""}, 422),
        ({"bots": "x" * 401}, 400),
        ({"seed": -1}, 400),
        ({"seed": 2**32}, 400),
        ({"seed": "luck"}, 400),
        ({"option": ["largest_round"]}, 422),
        ({"option": ["colour=red"]}, 422),
        ({"option": ["largest_round=2"] * 21}, 400),
        ({"from": -1}, 400),
        ({"many": PAGE_SIZE + 1}, 400),
        ({"thoughts": "maybe"}, 400),
    ],
)
def test_what_cannot_be_watched_is_said_in_a_sentence(server: Server, query: dict[str, Any], status: int) -> None:
    asked = {**TINY, **query}
    answered, wrong = get(server, f"/api/watch/{asked.pop('game')}", **asked)
    assert (answered, wrong.keys()) == (status, {"code", "message", "sentence"}), wrong
    assert wrong["sentence"].endswith(".")
    assert "\n" not in wrong["sentence"]


def test_who_asks_too_often_is_told_to_wait(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for path in ("/api/watch/chess", "/api/tables/bk7q2x/replay"):  # neither exists, so the requests are quick
            assert any(server.ask("GET", path)[0] == 429 for _ in range(101)), "and then each refusal is delayed"
        assert server.get("/health")["ok"]


def test_bots_that_cannot_think_yet_do_not_choose_otherwise_instead() -> None:
    """A worker that has just been started is not ready. At a table the house policy would choose instead."""
    club, house = (Question.first("plump", level) for level in ("club", "house"))

    async def ask() -> None:
        workers = Workers(1, games=(), soon=0.0)
        try:
            with pytest.raises(Unready):
                await workers.choose_the_same(club)
            with pytest.raises(Unready):
                await workers.why_the_same(house)
            assert await workers.choose_the_same(house) == house.choice()
            assert await workers.choose(club) == club.usual_choice()
            film = await films.Films().watch(FilmRequest.read("plump", 2, "club", [], 1), workers, OPEN, 0, 5, False)
            assert (film.known, film.over, len(film.frames)) == (1, False, 1)
        finally:
            await workers.close()

    asyncio.run(ask())


def test_long_matches_are_left_and_not_all_are_kept() -> None:
    seats = films.Films()
    for seed in range(films.KEPT + 5):
        seats.find(FilmRequest.read("plump", 2, "random", [], seed))
    assert len(seats._kept) == films.KEPT
    last = seats.find(FilmRequest.read("plump", 2, "random", [], films.KEPT + 4))
    assert not last.is_done
    last.known = films.MAX_MOMENTS
    assert last.is_done


# ---- moments, and the open view


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_the_open_view_is_what_all_seats_see_together_and_no_more(game: Any) -> None:
    players = game.players[-1]
    for s in walk(game, players, {}, 3):
        seen = all_open(game, s)
        views = [view(game, s, seat) for seat in range(players)]
        assert (seen.seat, seen.legal, seen.sizes) == (OPEN, 0, views[0].sizes)
        for name, field in fields_of(type(s)).items():
            if field.storage is not None and field.seen_by is SEEN_BY_NOBODY:
                assert getattr(seen.state, name) == getattr(views[0].state, name)
            elif name not in ("turn", "waiting"):  # while all choose together, no choice is visible yet
                assert getattr(seen.state, name) == getattr(s, name)


def test_nobody_gets_the_open_view_by_asking_for_a_view() -> None:
    game = GAMES["plump"]
    with pytest.raises(ValueError, match="Nobody sees all cards"):
        view(game, next(walk(game, 2, {}, 0)), OPEN)


def test_moments_of_a_record_are_those_of_its_match(server: Server) -> None:
    code, path, tokens = table_of(server)
    play(server, code, tokens)
    record = from_line(server.ask("GET", f"/api/tables/{code}/record", token=tokens[0])[1].strip())
    assert read_seed(record.seed)
    found = list(moments(Match.from_record(record)))
    assert [moment.choice for moment in found] == [frame["choice"] for frame in film(server, path, tokens[0])["frames"]]
    assert found[-1].moves == len(record.events)
