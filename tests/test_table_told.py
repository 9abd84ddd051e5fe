"""What a table sends: each person gets her own view, and every event is described in a sentence."""

from __future__ import annotations

from typing import get_args

import pytest
from tables import ANN, BO, CLEO, QUICK, Room, alone, playing, room, said_of, two

from kortlek.cards import written
from kortlek.engine.views import ONLOOKER, places, sees, view
from kortlek.game.registry import GAMES
from kortlek.table import clocks, facts, frames
from kortlek.table.news import news_of
from kortlek.table.protocol import client_in
from kortlek.table.protocol.client_in import Answer, Change, Choose, Fill, Join, Kick, Leave, Lock, Mute, Ready, Return, Say, Start, Undo
from kortlek.table.table import STRANGER, hashed
from kortlek.engine.view_json import view_to_json

# ---- who sees what


def some_players(name: str) -> int:
    """Three players, or as near to it as the game allows."""
    return min(GAMES[name].players, key=lambda players: abs(players - 3))


def sees_only(at: Room, viewer: int) -> None:
    """Check that a viewer is shown her own cards and open cards, and no one else's."""
    match = at.table.playing()
    told = at.shows(viewer)
    assert told == view_to_json(match.view(viewer))
    for (place, field), lies in zip(places(match.state), told["places"].values(), strict=True):
        assert (lies["cards"] is not None) == sees(viewer, place, field)
    assert bool(told["legal"]) == (viewer in match.waiting)


@pytest.mark.parametrize("name", GAMES)
def test_each_seat_and_who_looks_on_see_with_their_own_eyes_only(name: str) -> None:
    at = playing("Bo", game=name, players=some_players(name))
    for _ in range(12):
        for viewer in range(ONLOOKER, len(at.table.chairs)):
            sees_only(at, viewer)
        at.somebody_chooses()


@pytest.mark.parametrize("name", GAMES)
def test_what_was_looked_at_once_is_still_what_everyone_sees(name: str) -> None:
    """Views are cached: neither the next event nor the messages made from them may change a view."""
    at = playing("Bo", game=name, players=some_players(name))
    for _ in range(12):
        before = at.table.playing().state
        for viewer in range(ONLOOKER, len(at.table.chairs)):
            at.shows(viewer)
        at.somebody_chooses()
        match = at.table.playing()
        for viewer in range(ONLOOKER, len(at.table.chairs)):
            at.shows(viewer)
            for s in (before, match.state) if not match.held.get(viewer) else ():  # she sees her own sealed choices
                assert match.view_of(s, viewer) == view(match.game, s, viewer)


def test_on_one_device_each_seat_is_shown_with_its_own_eyes() -> None:
    at = room(**QUICK)
    at.sits_also(ANN, "Anna")
    at.begins()
    assert frames.viewers(at.table, ANN) == [0, 1]
    for viewer in (0, 1):
        told = at.show(viewer, ANN)
        assert (told.seat, told.yours) == (viewer, [0, 1])
        sees_only(at, viewer)
    hands = [{place["seat"]: place["cards"] for place in at.shows(viewer)["places"].values() if place["place"] == "hand"} for viewer in (0, 1)]
    assert hands[0][1] is None and hands[1][0] is None and hands[0][0] != hands[1][1]
    at.plays_on()
    assert at.table.record(ANN).seats == ["Ann", "Anna"]


@pytest.mark.parametrize(
    ("spectators", "stranger", "stood"), [("off", [], []), ("public", [ONLOOKER], [ONLOOKER]), ("delayed", [ONLOOKER], [ONLOOKER])]
)
def test_who_looks_on_sees_what_everyone_sees_if_the_table_allows_it(spectators: str, stranger: list[int], stood: list[int]) -> None:
    at = Room(name="", game="plump", spectators=spectators)
    at.sits("Bo", "Cleo")
    at.asks(CLEO, Leave(seat=1))
    assert frames.viewers(at.table, STRANGER) == stranger
    assert frames.viewers(at.table, CLEO) == stood
    assert frames.viewers(at.table, BO) == [0]
    assert frames.viewers(at.table, ANN) == [ONLOOKER], "the owner may always"
    assert at.show(ONLOOKER, STRANGER).yours == []


def test_who_is_connected_is_shown() -> None:
    at = room("Bo", levels=["house"])
    at.comes(BO)
    assert [(chair.name, chair.level, chair.free, chair.here) for chair in at.show().seats] == [
        ("Ann", "", False, False),
        ("Bo", "", False, True),
        ("", "", True, False),
        ("Lisa", "house", False, True),
    ]


def test_news_have_events_or_a_message() -> None:
    at = two()
    at.chooses("bet 1")
    [news] = [news_of(at.table, step, 1) for step in at.told]
    assert (news.kind, news.by, news.message, news.text) == ("happened", 0, None, "")
    assert news.events == [{"kind": "bet", "seat": 0, "args": {"count": 1}}]
    at.asks(ANN, Lock())
    news = news_of(at.table, at.told[0], 1)
    assert (news.by, news.message, news.events) == (-1, {"id": "table-locked", "args": {}}, [])


# ---- what is described


def test_everything_that_happens_is_told_in_a_sentence() -> None:
    """For Ann, for Bo, and for an onlooker."""
    at = Room(game="up_and_down", players=4)
    told: dict[str, list[list[str]]] = {}

    def note() -> None:
        for step in at.told:
            heard = [said_of(at.table, step, viewer) for viewer in (0, 1, ONLOOKER)]
            told.setdefault(type(step.fact).__name__, []).append(sum(heard, []))

    def happens(person: int, message: client_in.AnyRequest) -> None:
        at.asks(person, message)
        note()

    note()
    happens(STRANGER, Join(name="Bo"))
    happens(BO, at.answer(1, "1"))
    happens(ANN, Change(players=3, options={"first_bettor": 0}))
    happens(ANN, Change(players=3, options={"first_bettor": 0, "largest_round": 2}))
    happens(ANN, Fill(seat=2, level="easy"))
    happens(ANN, Fill(seat=2))
    happens(ANN, Lock())
    happens(ANN, Lock(locked=False))
    happens(STRANGER, Join(name="Cleo"))
    happens(CLEO, Leave(seat=2))
    happens(BO, Ready(seat=1))
    happens(BO, Ready(seat=1, ready=False))
    happens(ANN, Start())
    happens(BO, Say(seat=1, text="Hello!"))
    happens(ANN, Mute(seat=1))
    happens(BO, Leave(seat=1))
    happens(BO, Return(seat=1))
    happens(ANN, Choose(seat=0, choice="bet 0", at=at.table.seq))
    happens(BO, Choose(seat=1, choice="bet 1", at=at.table.seq))
    happens(ANN, Undo(seat=0))
    happens(BO, Answer(seat=1, yes=False))
    happens(ANN, Undo(seat=0))
    at.told = at.happens(clocks.tick(at.table, at.now + 60_000))
    note()
    happens(ANN, Undo(seat=0))
    happens(BO, Answer(seat=1, yes=True))
    choices = told.pop("Happened")
    assert choices[-2:] == [["You bet 0", "Ann bets 0", "Ann bets 0"], ["Bo bets 1", "You bet 1", "Bo bets 1"]]
    at.stops()
    happens(BO, Start())
    del told["Happened"]
    for fact in (facts.Handed(seat=1, token=hashed("another token of Bo's")), facts.Closed()):
        at.told = at.happens([fact])
        note()
    assert told == {
        "Opened": [["A table for 4 to play Up and Down"] * 3],
        "Sat": [["You sit down", "Ann sits down", "Ann sits down"], ["Bo sits down", "You sit down", "Bo sits down"], ["Cleo sits down"] * 3],
        "Added": [[]],
        "Changed": [["3 players; First to bet: 0"] * 3, ["3 players; Largest round: 2, First to bet: 0"] * 3],
        "Put": [["Lisa (easy) sits down"] * 3, ["Seat 3 is free"] * 3, ["Lisa (house) sits down"] * 3],
        "Locked": [["The table is locked"] * 3, ["The table is open again"] * 3],
        "Stood": [["Seat 3 is free again"] * 3],
        "Readied": [["Bo is ready", "You are ready", "Bo is ready"], ["Bo is not ready yet", "You are not ready yet", "Bo is not ready yet"]],
        "Began": [["The match begins"] * 3] * 2,
        "Dropped": [["The match that could not go on was given up"] * 3],
        "Said": [["Hello!"] * 3],
        "Muted": [[]],
        "Away": [["A bot plays for Bo now", "A bot plays for you now", "A bot plays for Bo now"]],
        "Back": [["Bo is back", "You are back", "Bo is back"]],
        "Asked": [["You ask to take a choice back", "Ann asks to take a choice back", "Ann asks to take a choice back"]] * 3,
        "Answered": [["Bo does not agree", "You do not agree", "Bo does not agree"], ["Bo agrees", "You agree", "Bo agrees"]],
        "Lapsed": [[f"{who} no answer in time: the choice stands" for who in ("You get", "Ann gets", "Ann gets")]],
        "Undone": [["You take a choice back", "Ann takes a choice back", "Ann takes a choice back"]],
        "Handed": [[]],
        "Closed": [["The table has been closed"] * 3],
    }
    assert {*told, "Happened", "Chosen", "Withdrawn"} == {kind.__name__ for kind in get_args(facts.AnyFact)}


def test_usual_options_are_called_so() -> None:
    at = room(**(QUICK | {"options": {}}))
    at.asks(ANN, Change(players=3))
    assert at.said() == ["3 players; usual options"]


def test_what_was_not_as_usual_stays_so_when_the_number_of_players_changes() -> None:
    at = room(**(QUICK | {"options": {"largest_round": 2}}))
    at.asks(ANN, Change(players=3))
    assert at.said() == ["3 players; Largest round: 2"]


def test_a_deal_is_told_to_each_player_as_she_sees_it() -> None:
    at = room("Bo", **(QUICK | {"options": {"largest_round": 2}}))
    at.begins()
    match = at.table.playing()
    assert at.said(ONLOOKER)[:3] == ["The match begins", "Lots are drawn", "Round 1"]
    hands = [next(place["cards"] or [] for place in at.shows(seat)["places"].values() if place["seat"] == seat) for seat in (0, 1)]
    for seat in (0, 1):
        assert at.said(seat)[-1] == f"You get {written(hands[seat][0])}"
        assert not [line for line in at.said(1 - seat) if written(hands[seat][0]) in line]
    assert f"{'You begin' if match.turn == 0 else 'Bo begins'}" in at.said(0)


def test_the_time_and_the_end_are_told() -> None:
    at = alone(clock=30)
    at.bot()
    assert [line.split(" bet")[0] for line in at.said(0)] == ["You ran out of time, and a bot chose", "You"]
    assert at.said(1)[0] == "Ann ran out of time, and a bot chose"
    at.plays_on()
    winners = at.table.game.rules.winners(at.table.playing().state)
    ends = {1: ("You win", "Ann wins"), 2: ("Lisa wins", "Lisa wins"), 3: ("You and Lisa share the win", "Ann and Lisa share the win")}[winners]
    assert (at.said(0)[-1], at.said()[-1]) == ends


def test_who_was_sent_away_is_told_of_as_a_free_seat_and_a_bot() -> None:
    at = playing("Bo", "Cleo")
    at.asks(ANN, Kick(seat=1))
    assert at.said() == ["Seat 2 is free again", "Lisa (house) sits down"]


def test_who_has_left_since_is_still_named_in_what_she_played() -> None:
    at = two()
    at.plays_on()
    last, said = at.told, at.said()
    at.asks(BO, Leave(seat=1))
    at.told = last
    assert at.said() == said and not [line for line in said if line.startswith(" ")]
