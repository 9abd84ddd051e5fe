"""Phases in which all choose together: anyone may choose in any order, choices are sealed until the last one is made, and then all of them happen."""

from __future__ import annotations

import asyncio
from pathlib import Path

from typing import Any

import msgspec
import pytest
from tables import ANN, BO, CLEO, DAN, SECOND, Room, kinds, logged, playing

from kortlek.engine import match as engine
from kortlek.engine import verify
from kortlek.engine.views import ONLOOKER
from kortlek.table import clocks, facts, frames
from kortlek.table.news import news_of
from kortlek.table.facts import BOT, CLOCK, PERSON
from kortlek.table.host import Host
from kortlek.table.live import Connection
from kortlek.table.protocol.client_in import Answer, Choose, Hint, Join, Leave, Say, Start, Undo
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.store import SqliteStore
from kortlek.table.table import STRANGER
from kortlek.table.workers import Workers

FOUR = ("Bo", "Cleo", "Dan")
PEOPLE = (ANN, BO, CLEO, DAN)


def hearts(*names: str, **settings: object) -> Room:
    """A table in the passing phase of Hearts."""
    at = playing(*names, **{"game": "hearts", "players": 4, **settings})
    assert at.table.playing().is_together
    return at


def passes(at: Room, seat: int, cards: int = 3) -> list[facts.AnyFact]:
    """Choose the first legal cards of a seat."""
    made: list[facts.AnyFact] = []
    for _ in range(cards):
        made += at.chooses(at.choices_of(seat)[0], seat)
    return made


def shown_to(at: Room, *people: int) -> list[bytes]:
    """The bytes that these people and an onlooker are shown now."""
    viewers = [(viewer, person) for person in (STRANGER, *people) for viewer in frames.viewers(at.table, person)]
    return [msgspec.json.encode(at.show(viewer, person)) for viewer, person in viewers]


def test_anybody_may_choose_and_nobody_else_notices_until_all_have() -> None:
    at = hearts(*FOUR)
    hands = [at.table.playing().view(seat).state.hand[seat] for seat in range(4)]
    for seat in (2, 0, 3):
        others = [person for person in PEOPLE if person != seat]
        before = shown_to(at, *others), at.table.standing().line, at.table.standing().at
        at.now += SECOND
        assert kinds(passes(at, seat)) == ["Chosen"] * 3
        assert (shown_to(at, *others), at.table.standing().line, at.table.standing().at) == before
        assert at.shows(seat)["legal"] == [] and seat not in at.shows(seat)["waiting"]
    made = passes(at, 1)
    assert [(fact.seat, fact.by) for fact in made if isinstance(fact, facts.Happened)] == [(seat, PERSON) for seat in range(4) for _ in range(3)]
    now = at.table.playing()
    assert not now.is_together and not now.held
    assert all(now.view(seat).state.hand[seat] != hands[seat] for seat in range(4))
    assert logged(at.again()) == logged(at.table)


def test_what_all_chose_is_told_once_and_to_each_only_what_she_may_know() -> None:
    at = hearts(*FOUR)
    given: dict[int, list[str]] = {}
    for seat in (3, 2, 1, 0):
        given[seat] = at.choices_of(seat)[:3]
        passes(at, seat)
    told: dict[int, list[Any]] = {viewer: [event for step in at.told for event in news_of(at.table, step, viewer).events] for viewer in (0, ONLOOKER)}
    names = at.table.game.pack.names
    passed = {viewer: {event["seat"]: event["args"] for event in events if event["kind"] == "pass"} for viewer, events in told.items()}
    assert [f"pass {names[card]}" for card in passed[0][0]["cards"]] == given[0]
    assert passed[ONLOOKER] == dict.fromkeys(range(4), {"count": 3}) and passed[0][2] == {"count": 3}
    [got] = [event["args"]["cards"] for event in told[0] if event["kind"] == "gets"]
    assert [f"pass {names[card]}" for card in got] == given[3], "from the right"
    assert not [event for event in told[ONLOOKER] if event["kind"] == "gets"]


def test_entries_that_are_sealed_have_a_number_for_the_player_alone() -> None:
    at = hearts(*FOUR)
    seq = at.table.seq
    passes(at, 2, cards=2)
    at.asks(BO, Say(seat=1, text="Take your time."))
    assert [at.show(person, person).seq for person in PEOPLE] == [seq + 1, seq + 1, seq + 3, seq + 1]
    assert [at.table.number(seq + 3, person) for person in (*PEOPLE, STRANGER)] == [seq + 1, seq + 1, seq + 3, seq + 1, seq + 1]
    assert at.asks(ANN, Choose(seat=0, choice=at.choices_of(0)[0], at=seq)), "what another has sealed makes nothing stale"
    assert at.refuses(CLEO, Choose(seat=2, choice=at.choices_of(2)[0], at=seq + 1)) == "stale", "what she has sealed herself does"


def test_who_has_chosen_is_not_told_who_has_not() -> None:
    at = hearts(*FOUR)
    passes(at, 1)
    choose = Choose(seat=1, choice="pass C2", at=at.table.seq)
    assert at.refusal(BO, choose) == ("not_your_turn", "You have chosen: wait until the others have, too.")
    assert at.refuses(BO, Hint(seat=1)) == "not_your_turn"
    passes(at, 0)
    assert at.refusal(BO, choose) == ("not_your_turn", "You have chosen: wait until the others have, too.")
    assert at.asks(DAN, Hint(seat=3)) == []


# ---- taking back


def test_a_sealed_choice_is_the_players_own_to_take_back() -> None:
    at = hearts(*FOUR)
    first = at.choices_of(2)
    passes(at, 2)
    before = shown_to(at, ANN, BO, DAN)
    for left in (2, 1, 0):
        assert at.asks(CLEO, Undo(seat=2)) == [facts.Withdrawn(seat=2)]
        assert len(at.table.playing().held[2]) == left
        assert at.said(2) == ["You take a choice back"] and at.said(ONLOOKER) == []
    assert at.choices_of(2) == first
    assert shown_to(at, ANN, BO, DAN) == before
    assert at.refuses(CLEO, Undo(seat=2)) == "not_possible"
    assert logged(at.again()) == logged(at.table)


def test_when_all_have_chosen_it_is_taken_back_together_and_all_are_asked() -> None:
    at = hearts(*FOUR)
    before = at.table.playing().state
    for seat in (3, 2, 1, 0):
        passes(at, seat)
    assert at.asks(DAN, Undo(seat=3)) == [facts.Asked(seat=3)]
    for person in (ANN, BO, CLEO):
        at.asks(person, Answer(seat=person, yes=True))
    assert at.table.playing().state == before and at.table.playing().waiting == [0, 1, 2, 3]


# ---- bots and clocks


def test_bots_choose_with_the_others_and_nobody_waits_for_them_in_turn() -> None:
    at = hearts(levels=["house"] * 3, pace=1000)
    due = clocks.due(at.table)
    assert due and due.by == BOT
    for _ in range(9):
        again = clocks.due(at.table)
        assert again and again.at == due.at, "all at about the same moment"
        at.bot()
    assert clocks.due(at.table) is None and at.table.playing().waiting == [0]
    passes(at, 0)
    assert not at.table.playing().is_together


def test_bots_of_one_level_do_not_all_choose_the_same() -> None:
    at = hearts(levels=["random"] * 3)
    seeds = {at.table.playing().seed_for(seat) for seat in range(4)}
    assert len(seeds) == 4


def test_when_the_time_is_up_bots_choose_for_all_who_have_not() -> None:
    at = hearts(*FOUR, clock=30)
    ends = at.show().turn_ends
    assert ends == at.now + 30 * SECOND
    at.now += 10 * SECOND
    passes(at, 1)
    passes(at, 3, cards=2)
    assert at.show().turn_ends == ends, "the clock does not tell who has chosen"
    by: list[tuple[int, str]] = []
    while at.table.playing().is_together:
        assert at.bot().by == CLOCK
        by += [(step.fact.seat, step.fact.by) for step in at.told if isinstance(step.fact, facts.Happened)]
    assert by == [(0, CLOCK)] * 3 + [(1, PERSON)] * 3 + [(2, CLOCK)] * 3 + [(3, PERSON)] * 2 + [(3, CLOCK)]


def test_what_somebody_has_sealed_stays_when_she_goes() -> None:
    at = hearts(*FOUR)
    passes(at, 2, cards=2)
    at.asks(CLEO, Leave(seat=2))
    assert len(at.table.playing().held[2]) == 2
    at.bot()
    assert len(at.table.playing().held[2]) == 3


@pytest.mark.parametrize("people", [(), ("Bo",), FOUR])
def test_a_whole_match_is_played_and_can_be_verified(people: tuple[str, ...]) -> None:
    at = hearts(*people, options={"target": 10}, levels=["random"] * (3 - len(people)))
    at.plays_on()
    written = at.table.record(ANN)
    assert verify.check(written).commitment == at.show().commitment
    assert engine.check(written) == at.table.playing().state
    assert logged(at.again()) == logged(at.table)


# ---- on a server


def keeping(person: int, got: list[bytes]) -> Connection:
    """A connection that stores what is sent to this person."""
    return Connection(person, lambda message, at: got.append(message))


def test_a_server_sends_nothing_to_others_and_keeps_what_is_sealed_over_a_restart(tmp_path: Path) -> None:
    async def evening() -> None:
        host = Host(SqliteStore(tmp_path / "tables.db"), Workers(games=()))
        await host.store.open()
        code, ann = await host.open(Open(game="hearts", name="Ann"))
        bo = [(await host.ask(code, Join(name=name)))[1] for name in FOUR][0]
        begun, _ = await host.ask(code, Start(), ann)
        sent: dict[int, list[bytes]] = {ANN: [], BO: [], STRANGER: []}
        for person in sent:
            await host.connect(code, keeping(person, sent[person]), None)
        for got in sent.values():
            got.clear()
        at, chosen = begun, list[str]()
        for number in range(3):
            seen = host.live[code].table.playing().view(BO)
            chosen.append(seen.game.notation[seen.state.phase][seen.legal.bit_length() - 1])
            at, _ = await host.ask(code, Choose(seat=1, choice=chosen[-1], at=at, id=str(number)), bo)
        assert at == begun + 3
        assert sent[ANN] == sent[STRANGER] == [] and len(sent[BO]) == 3, "one frame for each of her choices"
        assert (await host.ask(code, Say(seat=1, text="Done!"), bo))[0] == begun + 4
        assert b'"since":%d,"seq":%d,' % (begun, begun + 1) in sent[ANN][0], "the first thing that she hears of"
        resumed: list[bytes] = []
        await host.connect(code, keeping(ANN, resumed), begun)
        assert [b'"kind":"said"' in frame for frame in resumed] == [True, False], "exactly what was missed, and who is there"
        again = Host(host.store, host.workers)
        assert (await again.ask(code, Choose(seat=1, choice=chosen[-1], at=at, id="2"), bo))[0] == begun + 3
        assert (await again.find(code)).table.playing().waiting == [0, 2, 3]
        missed: list[bytes] = []
        await again.connect(code, keeping(ANN, missed), begun)
        assert len(missed) == 1 and missed[0].startswith(b'{"type":"snapshot"'), "a server that has just started has no frames in memory"
        await again.stop()

    asyncio.run(evening())
