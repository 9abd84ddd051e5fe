"""What a newcomer gets to know of the time before she came: at a private table neither the record of a match, nor its hidden cards, nor the chat."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from clients import ANN, BO, SHORT, Client, opened, play_together, there
from serving import Server, serving
from tables import DAN, Room, playing, two

from kortlek.engine.views import ONLOOKER
from kortlek.table.frames import snapshot
from kortlek.table.protocol.client_out import encoded
from kortlek.table.protocol.client_in import Join, Leave
from kortlek.table.refusals import Refusal
from kortlek.table.table import STRANGER

CLEO = 2


def over(**settings: Any) -> Room:
    """A match of Ann and Bo is over, Bo has left, and Cleo has taken his seat."""
    at = two(**settings)
    at.plays_on()
    at.asks(BO, Leave(seat=1))
    at.asks(STRANGER, Join(name="Cleo"))
    assert at.table.seats_of(CLEO) == [1]
    return at


def test_who_sat_down_after_a_match_has_neither_its_record_nor_its_secret() -> None:
    at = over()
    with pytest.raises(Refusal, match="This match was over before you came: only those who were there may have the record.") as refused:
        at.table.record(CLEO)
    assert refused.value.code == "not_allowed"
    secret = at.table.playing().fair.secret.hex()
    assert all(secret not in encoded(snapshot(at.table, person)).decode() for person in (STRANGER, ANN, BO, CLEO)), "it is in the record"
    for person in (ANN, BO):
        assert at.table.record(person).events == at.table.playing().written


def test_who_had_a_token_before_the_end_has_the_record() -> None:
    """Also without a seat in that match, and although she plays the next one with newcomers."""
    at = playing("Bo", "Cleo", "Dan", game="up_and_down", players=4, options={"largest_round": 2})
    at.plays_on()
    at.asks(DAN, Leave(seat=3))
    at.begins()
    at.plays_on()
    at.table.record(DAN)


def test_at_a_public_table_anyone_has_the_record() -> None:
    at = over(public=True)
    for person in (STRANGER, CLEO, ANN):
        at.table.record(person)


def test_the_next_match_is_hers_too() -> None:
    at = over()
    at.begins()
    at.plays_on()
    assert at.table.record(CLEO).events == at.table.playing().written


def test_her_seat_shows_her_no_hand_of_the_match_before() -> None:
    """In Rummy cards are left in the hand when a round is over."""
    at = playing("Bo", game="rummy", players=2)
    at.plays_on()
    hidden = {seat: hands(at, seat) for seat in (0, 1)}
    loser = next(seat for seat in (0, 1) if hidden[seat][seat])
    at.asks(loser, Leave(seat=loser))
    at.asks(STRANGER, Join(name="Cleo", seat=loser))
    assert hands(at, loser) == hands(at, ONLOOKER) != hidden[loser]
    assert at.show(loser, CLEO).match == at.show(ONLOOKER).match
    other = 1 - loser
    assert hands(at, other) == hidden[other], "who played it sees it as before"


def hands(at: Room, viewer: int) -> list[Any]:
    return [place["cards"] for place in at.shows(viewer)["places"].values() if place["place"] == "hand"]


def test_chat_from_before_her_time_is_not_sent(tmp_path: Path) -> None:
    """Neither to a newcomer nor to a spectator, whatever they claim to have seen; those who were there get it again."""

    async def everything(server: Server, code: str, token: str) -> list[str]:
        async with there(server, code, token) as client:
            history = await client.ask(do="history")
            return [each["text"] for view in history["views"] for each in view["news"] if each.get("kind") == "said"]

    async def story(server: Server) -> None:
        code, tokens = opened(server, "Bo", **SHORT)
        async with there(server, code, tokens[ANN]) as ann, there(server, code, tokens[BO]) as bo:
            await ann.ask(do="say", seat=0, text="Before the match.")
            await ann.ask(do="start")
            await play_together({ANN: ann, BO: bo})
            await bo.ask(do="say", seat=1, text="Cleo must not read this.")
            await bo.ask(do="leave", seat=1)
        cleo = server.post(f"/api/tables/{code}/join", {"name": "Cleo"})["token"]
        async with there(server, code, cleo) as client:
            await client.ask(do="say", seat=1, text="Hello!")
        said = ["Before the match.", "Cleo must not read this.", "Hello!"]
        assert await everything(server, code, tokens[ANN]) == await everything(server, code, tokens[BO]) == said
        assert await everything(server, code, cleo) == said[2:]
        assert await everything(server, code, "") == []
        status, answer = server.ask("GET", f"/api/tables/{code}/replay", token=cleo)
        assert (status, json.loads(answer)["code"]) == (403, "not_allowed")
        assert server.ask("GET", f"/api/tables/{code}/replay", token=tokens[BO])[0] == 200

    with serving(tmp_path) as server:
        asyncio.run(story(server))


def test_news_of_the_last_match_come_from_the_seat_that_one_had(tmp_path: Path) -> None:
    """Ann takes Bo's seat after the match and asks for all of it again: she does not see what Bo saw."""

    def cards_of(client: Client) -> list[Any]:
        return [[event for event in each["events"] if event["kind"] == "gets"] for each in client.news if each["kind"] == "happened"]

    async def story(server: Server) -> None:
        code, tokens = opened(server, "Bo", **SHORT)
        async with there(server, code, tokens[ANN]) as ann, there(server, code, tokens[BO]) as bo:
            await ann.ask(do="start")
            await play_together({ANN: ann, BO: bo})
            mine, theirs = cards_of(ann), cards_of(bo)
            await bo.ask(do="leave", seat=1)
            await ann.ask(do="leave", seat=0)
        server.post(f"/api/tables/{code}/join", {"name": "Ann", "seat": 1}, tokens[ANN])
        async with there(server, code, tokens[ANN]) as again:
            history = await again.ask(do="history")
            got = [event for view in history["views"] for each in view["news"] for event in each.get("events", [])]
            assert got and not [event for event in got if event["kind"] == "gets"], "as a spectator sees it"
            assert any(mine) and any(theirs)

    with serving(tmp_path) as server:
        asyncio.run(story(server))
