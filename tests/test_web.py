"""The server as a separate process, with people, bots and onlookers at its tables over real sockets."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import segno
from clients import (
    ANN,
    BO,
    MATCH,
    SHORT,
    UNKNOWN_TOKEN,
    Client,
    Message,
    Wanted,
    at,
    in_a_trick,
    number_of_cards,
    opened,
    play,
    play_together,
    said,
    there,
)
from prometheus_client.parser import text_string_to_metric_families
from serving import DEADLINE, Server, serving, wait_for

from kortlek.cards import FRENCH
from kortlek.engine.verify import Kept, check
from kortlek.engine.record import from_line
from kortlek.table.protocol import PROTOCOL


def metrics(server: Server) -> dict[str, float]:
    """The Prometheus metrics, parsed as Prometheus would."""
    families = text_string_to_metric_families(server.ask("GET", "/metrics")[1])
    return {sample.name: sample.value for family in families for sample in family.samples}


# ---- a match


def test_a_match_goes_on_whatever_happens_to_connections_and_to_the_server(tmp_path: Path) -> None:
    """Two people and two bots. One connection breaks in the middle of a trick, the server is stopped in the middle of another one, and killed in a
    third."""

    async def story(server: Server) -> None:
        code, tokens = opened(server, "Bo", **MATCH, players=4, levels=["house", "random"])
        told: dict[int, list[Message]] = {ANN: [], BO: []}

        async with AsyncExitStack() as stack:
            people = {seat: await stack.enter_async_context(there(server, code, tokens[seat])) for seat in (ANN, BO)}
            began = people[BO].last["seq"]
            await people[ANN].ask(do="start")
            promised = (await people[BO].show(lambda show: bool(show["match"])))["commitment"]
            stays = (await play_together(people, in_a_trick(0, ANN, BO)))[0]["match"]["turn"]
            goes = 1 - stays
            here, gone = people[stays], people[goes]
            gone.socket.transport.abort()
            await here.show(lambda show: not show["seats"][goes]["here"])
            for word in ("Hello?", "Where are you?"):
                await here.ask(do="say", seat=stays, text=word)
            await play(here, stays, lambda show: bool(show["match"]["turn"] == goes))

            seen = gone.last["seq"]
            again = await stack.enter_async_context(at(server, code, tokens[goes], seen, knows=gone))
            show = await again.show(lambda show: bool(show["seq"] == here.last["seq"]))
            await again.until(lambda message: again.frames[-1]["since"] == again.frames[-1]["seq"])
            assert again.seqs == list(range(seen + 1, here.last["seq"] + 1)), "exactly what was missed"
            assert {frame["type"] for frame in again.frames} == {"welcome", "step"}
            assert (show["seq"], show["match"]["numbers"]) == (here.last["seq"], here.last["match"]["numbers"])
            assert await again.notices() == []
            told[goes], people[goes] = gone.news, again
            await play_together(people, in_a_trick(1, ANN, BO))

            assert server.process
            server.process.send_signal(signal.SIGTERM)
            for client in people.values():
                bye, closed = await client.end()
                assert (bye["type"], bye["code"], closed) == ("bye", "stopping", 1012)
                assert bye["retry"] > 0
        assert server.process.wait(DEADLINE) == 0
        assert json.loads(server.log.read_text().splitlines()[-1])["event"] == "stop"

        for deal in (2, None):
            server.start()
            async with AsyncExitStack() as stack:
                for seat, client in people.items():
                    told[seat] += client.news
                    before = client.last
                    people[seat] = again = await stack.enter_async_context(there(server, code, tokens[seat], before["seq"], knows=client))
                    assert (again.news, again.last["seq"], again.last["match"]) == ([], before["seq"], before["match"]), "as it was"
                if deal is None:
                    shows = await play_together(people)
                else:
                    await play_together(people, in_a_trick(deal, ANN, BO))
                    server.kill()
                    for client in people.values():
                        await client.end()
        told = {seat: told[seat] + client.news for seat, client in people.items()}

        assert shows[ANN]["sheet"] == shows[BO]["sheet"]
        for seat in (ANN, BO):
            assert [each["seq"] for each in told[seat]] == list(range(told[seat][0]["seq"], shows[seat]["seq"] + 1)), "without hole or repeat"
            assert told[seat][0]["seq"] <= began + 1
        assert [(each["kind"], each["by"], each["message"]) for each in told[ANN]] == [
            (each["kind"], each["by"], each["message"]) for each in told[BO]
        ]
        records = {server.ask("GET", f"/api/tables/{code}/record", token=token)[1] for token in tokens}
        assert len(records) == 1
        record = from_line(records.pop())
        assert check(record, Kept(promised, code, 1)).seed.commitment == shows[ANN]["commitment"]
        chosen = [event for event in record.events if not event.startswith(("deal", "lots"))]
        heard = [event for each in told[ANN] for event in each["events"] if event["kind"] in ("bet", "play")]
        args = [event["args"].get("count", FRENCH[event["args"].get("card", 0)]) for event in heard]
        assert [f"{event['kind']} {about}" for event, about in zip(heard, args, strict=True)] == chosen

    with serving(tmp_path) as server:
        asyncio.run(story(server))


def test_the_same_message_over_two_connections_is_applied_once_and_answered_twice(server: Server) -> None:
    """Starting becomes several entries of the log, a chat line one, a choice one or more."""

    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT)
        async with there(server, code, ann) as one, there(server, code, ann) as other, there(server, code, bo) as b:

            async def twice(**message: Any) -> None:
                before = b.last["seq"]
                first, second = await asyncio.gather(one.ask(**message), other.ask(**message))
                third = server.post(f"/api/tables/{code}/messages", message, ann)
                assert (first["type"], first) == ("done", second) == ("done", third)
                show = await b.show(lambda show: bool(show["seq"] >= first["seq"]))
                assert (show["seq"], b.seqs[-1]) == (first["seq"], first["seq"])
                assert [each for each in b.seqs if each > before] == list(range(before + 1, first["seq"] + 1))
                assert await b.notices() == []

            await twice(do="say", seat=ANN, text="Hello!", id="a")
            await twice(do="start", id="b")
            await play(b, BO, lambda show: bool(show["match"]["turn"] == ANN))
            show = await play(one, ANN, lambda show: bool(show["match"] and show["match"]["turn"] == ANN and show["seq"] == b.last["seq"]))
            await twice(do="choose", seat=ANN, choice=show["match"]["legal"][0]["choice"], at=show["seq"], id="c")
            await twice(do="say", seat=ANN, text="Hello!", id="d")
            assert (await one.ask(do="say", seat=ANN, text="Something else.", id="a"))["seq"] < b.last["seq"]
            assert await b.notices() == [], "an id that was used once is never used again"
            assert sum(each["text"] == "Hello!" for each in b.news) == 2

    asyncio.run(story())


def test_a_bot_that_is_killed_in_the_middle_of_a_match_is_replaced(server: Server) -> None:
    async def story() -> None:
        code, (ann,) = opened(server, **MATCH, players=3, levels=["house", "house"])
        async with there(server, code, ann) as a:
            await a.ask(do="start")
            for deal in (0, 1):
                await play(a, ANN, turn_in(deal))
                replaced = metrics(server)["kortlek_workers_replaced_total"]
                kill_worker(server)
                await play(a, ANN, turn_in(deal + 1))
                assert metrics(server)["kortlek_workers_replaced_total"] == replaced + 1
            await play(a, ANN)

    asyncio.run(story())


def turn_in(deal: int) -> Wanted:
    """A condition: it is Ann's turn in this deal."""
    return lambda show: bool(show["match"]["turn"] == ANN and show["match"]["round"] == deal)


def kill_worker(server: Server) -> None:
    """Kill the bot worker, and wait until it is gone."""
    (worker,) = wait_for(lambda: workers(server), "a worker")
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: worker not in workers(server), "its end")


def workers(server: Server) -> list[int]:
    """The worker processes of a server."""
    assert server.process
    listed = subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [int(pid) for pid, parent, what in rows if int(parent) == server.process.pid and "spawn_main" in what]


# ---- onlookers


def sees_no_hand(message: Message) -> bool:
    """Whether a message to an onlooker contains no hand and nothing to choose."""
    match = message.get("match")
    places = match["places"].values() if match else []
    told = [event for event in message.get("events", []) if event["kind"] == "gets"]
    hands = all(place["cards"] is None for place in places if place["place"] == "hand")
    return message.get("seat", -1) == -1 and hands and not told and not (match and match["legal"])


def test_who_looks_on_sees_everything_that_all_see_and_nothing_else(server: Server) -> None:
    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT)
        async with there(server, code, ann) as a, there(server, code, bo) as b:
            await a.notices()
            async with there(server, code), there(server, code, bo):
                assert await a.notices() == [], "who looks on, or comes by another way as well, is nobody new"
            assert await a.notices() == []
        async with there(server, code, ann) as a, there(server, code, bo) as b, there(server, code) as onlooker:
            await a.ask(do="start")
            ends = await play_together({ANN: a, BO: b})
            show = await onlooker.show(lambda show: bool(show["status"] == "over"))
            assert onlooker.got[0]["person"] == -1
            assert all(map(sees_no_hand, onlooker.got))
            assert onlooker.seqs == a.seqs
            assert (show["sheet"], show["yours"], show["owner"]) == (ends[0]["sheet"], [], False)
            assert any("You get" in " ".join(said(each)) for each in a.news)
            assert number_of_cards(show["match"], "hand") == 0 < number_of_cards(a.last["match"], "rest")

    asyncio.run(story())


def test_where_nobody_may_look_on_the_players_and_the_owner_do(server: Server) -> None:
    async def story() -> None:
        owned = server.post("/api/tables", {**SHORT, "spectators": "off"})
        bo = server.post(f"/api/tables/{owned['code']}/join", {"do": "join", "name": "Bo"})["token"]
        async with at(server, owned["code"]) as onlooker:
            bye, closed = await onlooker.end()
            assert (bye["code"], closed) == ("not_allowed", 4403)
        async with there(server, owned["code"], owned["token"]) as owner, there(server, owned["code"], bo) as b:
            assert (owner.last["seat"], b.last["seat"]) == (-1, 0)
        for token, status in (("", 403), (bo, 200), (owned["token"], 200)):
            assert server.ask("GET", f"/api/tables/{owned['code']}", token=token)[0] == status

    asyncio.run(story())


def is_old(message: Message) -> bool:
    """Whether an event is at least a second old, with 50 ms of tolerance for clock differences."""
    return bool(1000 * time.time() >= message["at"] + 950)


def test_who_looks_on_with_a_delay_is_told_everything_in_order_and_nothing_before_its_time(server: Server) -> None:
    """The delay may be longer, but not shorter."""

    class Late(Client):
        async def receive(self) -> Message:
            message = await super().receive()
            assert message["type"] == "welcome" or is_old(message), message
            return message

    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT, spectators="delayed", delay=1)
        async with AsyncExitStack() as stack:
            a, b, first, second = [await stack.enter_async_context(at(server, code, token)) for token in (ann, bo, "", "")]
            first, second = Late(first.socket), Late(second.socket)
            await a.show()
            await b.show()
            await a.ask(do="start")
            await play_together({ANN: a, BO: b}, in_a_trick(0, ANN, BO))
            seen = a.last["seq"]
            await first.show(lambda show: bool(show["seq"] == seen))
            old = seen
            for word in ("one", "two", "three"):
                await a.ask(do="say", seat=ANN, text=word)

            late = Late((await stack.enter_async_context(at(server, code))).socket)
            show = await late.show()
            assert old <= show["seq"] <= a.last["seq"], "the table as it was when the delay began"
            assert late.news == []
            await play_together({ANN: a, BO: b})
            for watcher in (first, second, late):
                await watcher.show(lambda show: bool(show["status"] == "over"))
                assert all(map(sees_no_hand, watcher.got))
                shows = [message["seq"] for message in watcher.got if message["type"] == "show"]
                assert shows == sorted(shows)
            assert first.seqs == second.seqs
            assert late.seqs == list(range(show["seq"] + 1, a.last["seq"] + 1)), "and from there on everything, once"
            assert first.seqs[-len(late.seqs) :] == late.seqs

    asyncio.run(story())


def test_who_is_sent_away_from_a_table_with_a_delay_sees_it_with_that_delay(server: Server) -> None:
    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT, spectators="delayed", delay=1)
        async with there(server, code, ann) as a, there(server, code, bo) as b:
            await a.ask(do="kick", seat=BO)
            said = await a.ask(do="say", seat=ANN, text="He is gone.")
            heard = await b.until(lambda message: message["type"] == "news" and message["seq"] == said["seq"])
            assert is_old(heard)
            assert (await b.ask(do="say", seat=BO, text="I am not."))["code"] in ("no_token", "not_your_seat")
        async with at(server, code, bo) as again:
            assert (await again.end())[0]["code"] == "no_token"

    asyncio.run(story())


def test_a_hint_is_for_the_one_who_asks(server: Server) -> None:
    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT)
        async with (
            there(server, code, ann) as a,
            there(server, code, ann) as also_ann,
            there(server, code, bo) as b,
            there(server, code) as onlooker,
        ):
            await a.ask(do="start")
            show = await play(a, ANN, lambda show: bool(show["match"] and show["match"]["turn"] == ANN))
            for other in (also_ann, b, onlooker):
                await other.notices()
            hint = await a.ask(do="hint", seat=ANN)
            assert (hint["type"], hint["seat"], hint["seq"]) == ("hinted", ANN, show["seq"])
            assert {each["choice"] for each in hint["choices"]} <= {each["choice"] for each in show["match"]["legal"]}
            assert hint["choices"][0]["reason"]["id"].startswith("reason-")
            for other in (also_ann, b, onlooker):
                assert await other.notices() == []
            assert (await b.ask(do="hint", seat=BO))["code"] == "not_your_turn"
            assert (await b.ask(do="hint", seat=ANN))["code"] == "not_your_seat"
            assert (await onlooker.ask(do="hint", seat=ANN))["code"] == "not_your_seat"
            assert await a.notices() == []

    asyncio.run(story())


def test_where_there_are_no_hints_there_are_none(server: Server) -> None:
    async def story() -> None:
        code, (ann,) = opened(server, **SHORT, hints=False)
        async with there(server, code, ann) as a:
            await a.ask(do="start")
            assert (await a.ask(do="hint", seat=ANN))["code"] == "not_allowed"

    asyncio.run(story())


def test_who_has_asked_to_take_a_choice_back_does_not_wait_for_those_who_were_sent_away(server: Server) -> None:
    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT)
        async with there(server, code, ann) as a, there(server, code, bo) as b:
            await a.ask(do="start")
            await play_together({ANN: a, BO: b}, lambda show: bool(show["match"] and number_of_cards(show["match"], "trick")))
            await a.ask(do="undo", seat=ANN)
            assert (await b.show(lambda show: show["asked"] is not None))["asked"] == ANN
            await a.ask(do="kick", seat=BO)
            assert (await a.show(lambda show: not number_of_cards(show["match"], "trick")))["asked"] is None
            assert any("take a choice back" in line for each in a.news for line in said(each))

    asyncio.run(story())


# ---- records, pages, metrics


@pytest.mark.parametrize("public", [False, True])
def test_a_record_is_for_the_players_after_the_match_and_of_a_public_table_for_anyone(server: Server, public: bool) -> None:
    async def story() -> None:
        code, (ann, bo) = opened(server, "Bo", **SHORT, public=public)

        def asked() -> list[int]:
            return [server.ask("GET", f"/api/tables/{code}/record", token=token)[0] for token in (ann, bo, "")]

        early = [409, 409, 409 if public else 403]
        assert asked() == early
        async with there(server, code, ann) as a, there(server, code, bo) as b:
            await a.ask(do="start")
            await play_together({ANN: a, BO: b}, in_a_trick(0, ANN, BO))
            assert asked() == early
            listed = [each for each in server.get("/api/tables") if each["code"] == code]
            assert [each["status"] for each in listed] == (["playing"] if public else [])
            await play_together({ANN: a, BO: b})
        assert asked() == [200, 200, 200 if public else 403]
        text = server.ask("GET", f"/api/tables/{code}/record", token=bo)[1]
        assert text.count("\n") == 1 and text.endswith("\n")
        assert check(from_line(text)).commitment == a.last["commitment"]

    asyncio.run(story())


def test_the_link_to_a_table_as_a_picture(server: Server) -> None:
    code, _ = opened(server, **SHORT)
    status, text = server.ask("GET", f"/api/tables/{code}/qr.svg")
    picture, expected = xml.etree.ElementTree.fromstring(text), segno.make(f"{server.url}/t/{code}", error="m")
    assert (status, picture.tag) == (200, "{http://www.w3.org/2000/svg}svg")
    drawn = xml.etree.ElementTree.fromstring(expected.svg_inline(scale=4))
    assert [each.get("d") for each in picture] == [each.get("d") for each in drawn]


def test_health_and_numbers(server: Server) -> None:
    async def story() -> None:
        health = server.get("/health")
        assert {part for part, found in health.pop("parts").items() if found["ok"]} == {"store", "integrity", "bots", "loop", "disk"}
        assert health == {"ok": True, "version": server.get("/schema/openapi.json")["info"]["version"], "protocol": PROTOCOL}
        code, (ann,) = opened(server, **SHORT)
        wait_for(lambda: metrics(server)["kortlek_connections"] == 0, "the end of all connections")
        before = metrics(server)
        assert before.keys() >= {"kortlek_tables", "kortlek_connections", "kortlek_moves_total", "kortlek_workers_replaced_total"}
        async with there(server, code, ann) as a, there(server, code):
            assert metrics(server)["kortlek_connections"] == 2
            await a.ask(do="start")
            await play(a, ANN)
            record = from_line(server.ask("GET", f"/api/tables/{code}/record", token=ann)[1])
            assert metrics(server)["kortlek_moves_total"] - before["kortlek_moves_total"] == len(record.events)
            assert metrics(server)["kortlek_tables"] >= 1
            for stage in ("check", "lock_wait", "commit", "tell", "queue", "bot_wait"):
                name = f"kortlek_{stage}_seconds_count"
                assert metrics(server)[name] > before[name], "where the time of a choice goes"
            wait_for(
                lambda: metrics(server)["kortlek_loop_lag_seconds_count"] > before["kortlek_loop_lag_seconds_count"], "a measurement of the loop"
            )

    asyncio.run(story())


CARD = re.compile(r"\b[CDHS][2-9TJQKA]\b")


def test_the_log_of_a_server_tells_no_tokens_no_cards_no_secrets_and_no_codes(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        code, (ann, bo) = opened(server, "Bo Isak", **MATCH, players=3, levels=["house"], public=True)
        async with there(server, code, ann) as a, there(server, code, bo) as b, there(server, code) as onlooker:
            await a.ask(do="start")
            await b.ask(do="say", seat=BO, text="I have HA!")
            shown = await play_together({ANN: a, BO: b}, in_a_trick(1, ANN, BO))
            await a.ask(do="hint", seat=ANN)
            for text in ("nonsense", f'{{"do":"say","seat":0,"text":"{ann}"}}', '{"do":"choose","seat":0,"choice":"play HA","at":0}'):
                await b.socket.send(text)
                await b.until(lambda message: message["type"] == "denied")
            ends = await play_together({ANN: a, BO: b})
            await onlooker.show(lambda show: bool(show["status"] == "over"))
        for path in ("", "/record", "/qr.svg", "/nothing"):
            for token in (ann, "", UNKNOWN_TOKEN):
                server.ask("GET", f"/api/tables/{code}{path}", token=token)
        server.ask("GET", f"/t/{code}")
        server.ask("GET", f"/api/tables/{code}?token={ann}")
        server.ask("POST", f"/api/tables/{code}/messages", b'{"do":"choose","seat":0,"choice":"play HA","at":0}', ann)
        async with at(server, code, UNKNOWN_TOKEN) as stranger:
            await stranger.end()
        assert server.stop() == 0

        log = server.log.read_text()
        assert log.count('"request"') > 15
        tokens = [ann, bo, UNKNOWN_TOKEN]
        hidden = [code, *tokens, *(hashlib.sha256(token.encode()).hexdigest() for token in tokens), "Bo Isak", "nonsense", "I have"]
        hidden += [shown[0]["promise"], shown[0]["commitment"], ends[0]["promise"]]
        assert not [each for each in hidden if each in log]
        assert not CARD.search(log)
        assert CARD.search(json.dumps(a.last["match"]["places"])), "it would be found"
        events = [json.loads(line) for line in log.splitlines() if not line.startswith(("Kortlek is open", "Ctrl-C"))]
        assert {each["event"] for each in events} == {"start", "request", "stop"}

    with serving(tmp_path) as server:
        asyncio.run(story(server))
