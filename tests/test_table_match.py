"""A match at a table: choices applied once and taken back, clocks, and the complete log, which can be verified."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from tables import ANN, BO, CLEO, DAN, DAY, NOON, QUICK, SECOND, Room, after, alone, everything, kinds, logged, message_from, playing, room, two

from kortlek.engine import fairness, match, verify
from kortlek.engine.undo import last_choice
from kortlek.game.registry import GAMES
from kortlek.table import clocks, facts, handlers
from kortlek.table.facts import BOT, CHANCE, CLOCK, PERSON
from kortlek.table.host import Host
from kortlek.table.protocol.client_in import Answer, Choose, Hint, Join, Kick, Leave, Say, Start, Undo
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.refusals import Refusal
from kortlek.table.store import SqliteStore
from kortlek.table.table import ENDED, PLAYING, STRANGER, WAITING, Table
from kortlek.table.words import words_at_table
from kortlek.table.workers import Workers

# ---- choosing


def test_a_choice_is_made_by_the_player_in_turn_who_has_seen_everything() -> None:
    at = two()
    seq = at.table.seq
    assert at.refusal(BO, Choose(seat=1, choice="bet 0", at=seq)) == ("not_your_turn", "It is not your turn but Ann's.")
    assert at.refuses(BO, Choose(seat=0, choice="bet 0", at=seq)) == "not_your_seat"
    assert at.refuses(ANN, Choose(seat=0, choice="bet 0", at=seq - 1)) == "stale"
    made = at.asks(ANN, Choose(seat=0, choice="bet 0", at=seq))
    assert made == [facts.Happened(event="bet 0", seat=0, by=PERSON)]
    assert at.refuses(ANN, Choose(seat=0, choice="bet 0", at=seq)) == "not_your_turn"
    assert at.refusal(BO, Choose(seat=1, choice="bet 0", at=seq))[1] == "Something has happened that you had not seen yet: look again."
    at.asks(BO, Choose(seat=1, choice="bet 0", at=seq + 1))


def test_what_is_said_meanwhile_makes_no_choice_stale() -> None:
    at = two()
    seq = at.table.seq
    at.asks(BO, Say(seat=1, text="Go on!"))
    at.asks(ANN, Choose(seat=0, choice="bet 1", at=seq))


def test_what_is_taken_back_makes_a_choice_stale() -> None:
    at = two()
    at.chooses()
    seq = at.table.seq
    at.asks(ANN, Undo(seat=0))
    assert at.refuses(ANN, Choose(seat=0, choice="bet 1", at=seq)) == "stale"


def test_an_illegal_choice_is_refused_with_the_reason_of_the_game() -> None:
    at = playing("Bo", players=2)
    for wrong in ("bid 11", "play HQ", "deal HQ", "", "bid  1", "BID 1"):
        assert at.refusal(ANN, Choose(seat=0, choice=wrong, at=at.table.seq)) == ("not_possible", f"“{wrong}” is not a choice here.")
    at.chooses("bid 4")
    assert at.refusal(BO, Choose(seat=1, choice="bid 6", at=at.table.seq)) == ("not_possible", refused_sentence(at, 1, "bid 6"))
    at.chooses("bid 5")
    refused = [each["choice"] for each in at.explains(0)["refused"]]
    missing = next(f"play {name}" for name in GAMES["plump"].pack.names if f"play {name}" not in [*at.choices, *refused])
    assert at.refuses(ANN, Choose(seat=0, choice=missing, at=at.table.seq)) == "not_possible"
    at.chooses()
    for each in at.explains(1)["refused"]:
        sentence = refused_sentence(at, 1, each["choice"])
        assert at.refusal(BO, Choose(seat=1, choice=each["choice"], at=at.table.seq)) == ("not_possible", sentence)


def refused_sentence(at: Room, seat: int, choice: str) -> str:
    """The sentence with which the words of the game refuse a choice."""
    [refused] = [each for each in at.explains(seat)["refused"] if each["choice"] == choice]
    words = words_at_table(at.table.game)
    offered = words.text(f"choice-{refused['verb']}", **{name: words.argument(name, value) for name, value in refused["args"].items()})
    return f"“{offered}” is not allowed: {words.say(message_from(refused['why']))}"


def test_before_and_after_the_match_there_is_nothing_to_choose() -> None:
    at = room("Bo", **QUICK)
    for message in (Choose(seat=0, choice="bet 0", at=99), Undo(seat=0), Hint(seat=0)):
        assert at.refusal(ANN, message) == ("not_playing", "The match has not begun.")
    at.begins()
    at.plays_on()
    assert at.refusal(ANN, Choose(seat=0, choice="bet 0", at=at.table.seq)) == ("not_playing", "The match is over.")
    assert at.refuses(ANN, Undo(seat=0)) == "not_possible"
    assert at.refuses(ANN, Hint(seat=0)) == "not_your_turn"


def test_a_choice_and_the_deal_that_follows_are_written_together() -> None:
    at = two()
    for _ in range(3):
        at.chooses()
    seat, made = at.turn, at.chooses()
    assert [(fact.seat, fact.by) for fact in made if isinstance(fact, facts.Happened)] == [(seat, PERSON), (-1, CHANCE)]
    assert at.table.playing().moves[-1] == at.table.playing().up_to(5).chance()


# ---- the same message once


def test_the_same_message_is_applied_once() -> None:
    at = two()
    bet = Choose(seat=0, choice="bet 0", at=at.table.seq, id="7")
    assert at.asks(ANN, bet)
    seq = at.table.seq
    assert at.asks(ANN, bet) == []
    assert at.table.answered == at.again().answered == {"0/7": seq}
    at.asks(ANN, Say(seat=0, text="Hello!", id="8"))
    at.asks(BO, Say(seat=1, text="Hello!", id="8"))
    assert at.table.seq == seq + 2, "everyone counts for herself"


def test_a_message_with_several_consequences_is_answered_with_the_last() -> None:
    at = two()
    at.asks(ANN, Leave(seat=0))
    seq = at.table.seq
    at.asks(ANN, Choose(seat=0, choice="bet 0", at=seq, id="x"))
    assert at.table.answered["0/x"] == at.table.seq == seq + 2
    assert [entry.mid for entry in at.log[seq:]] == ["", "0/x"]


def test_a_server_applies_the_same_message_once_even_after_a_restart(tmp_path: Path) -> None:
    async def evening() -> None:
        host = Host(SqliteStore(tmp_path / "tables"), Workers(games=()))
        await host.store.open()
        code, ann = await host.open(Open(name="Ann", **QUICK))
        _, bo = await host.ask(code, Join(name="Bo", id="1"))
        begun, _ = await host.ask(code, Start(id="1"), ann)
        bet = Choose(seat=0, choice="bet 0", at=begun, id="2")
        with pytest.raises(Refusal, match="Seat 0 is not yours"):
            await host.ask(code, bet, bo)
        done, _ = await host.ask(code, bet, ann)
        assert (done, "") == (begun + 1, "") == await host.ask(code, bet, ann)
        assert (await host.ask(code, Choose(seat=1, choice="bet 0", at=done, id="2"), bo))[0] == done + 1
        again = Host(host.store, host.workers)
        assert await again.ask(code, bet, ann) == (done, "")
        assert await again.ask(code, Start(id="1"), ann) == (begun, "")
        assert len(await host.store.read(code)) == done + 1
        await again.stop()

    asyncio.run(evening())


# ---- taking back


def test_a_choice_can_be_taken_back_as_long_as_nobody_is_harmed() -> None:
    at = two()
    before = at.table.playing().state
    at.chooses("bet 1")
    assert at.asks(ANN, Undo(seat=0)) == [facts.Undone(seat=0, to=1)]
    assert at.table.playing().state == before and at.table.playing().written[1:] == []
    assert at.refusal(ANN, Undo(seat=0)) == ("not_possible", "You have not chosen anything in this match yet.")
    at.chooses("bet 0")
    assert at.table.playing().written[1:] == ["bet 0"]


def test_against_bots_a_choice_can_always_be_taken_back() -> None:
    """After a bot has chosen, and over a deal."""
    at = alone()
    at.chooses()
    at.bot()
    assert at.asks(ANN, Undo(seat=0)) == [facts.Undone(seat=0, to=1)]
    while at.table.playing().state.round == 0:
        at.somebody_chooses()
    deal = at.table.playing().written[-1]
    assert kinds(at.asks(ANN, Undo(seat=0))) == ["Undone"]
    while at.table.playing().state.round == 0:
        at.somebody_chooses()
    assert at.table.playing().written[-1] == deal


def test_while_somebody_is_away_only_what_harms_nobody_is_taken_back() -> None:
    """Bo's bot would show all his cards to Ann, one after the other."""
    at = two()
    at.chooses("bet 1")
    at.asks(BO, Leave(seat=1))
    assert kinds(at.asks(ANN, Undo(seat=0))) == ["Undone"], "nothing has happened since"
    at.chooses("bet 0")
    at.bot()
    before = at.table.playing().written
    sentence = "Bo is away and cannot be asked: try again when everyone is back."
    assert at.refusal(ANN, Undo(seat=0)) == ("not_possible", sentence)
    assert at.table.playing().written == before
    at.comes(BO)
    assert at.asks(ANN, Undo(seat=0)) == [facts.Asked(seat=0)]
    assert at.asks(BO, Answer(seat=1, yes=True))[1:] == [facts.Undone(seat=0, to=1)]


def test_when_somebody_was_sent_away_a_bot_has_her_seat_and_nobody_has_to_be_asked() -> None:
    at = two()
    at.chooses()
    at.asks(ANN, Kick(seat=1))
    at.bot()
    assert kinds(at.asks(ANN, Undo(seat=0))) == ["Undone"]


def asked(*names: str) -> Room:
    """Ann has bid, and so has the next player; now Ann asks to take her bid back."""
    at = playing(*names, players=1 + len(names))
    at.chooses("bid 0")
    at.chooses("bid 1")
    assert at.asks(ANN, Undo(seat=0)) == [facts.Asked(seat=0)]
    return at


def test_when_another_player_has_chosen_all_others_have_to_agree() -> None:
    at = asked("Bo", "Cleo", "Dan")
    before = at.table.playing().state
    assert (at.show().asked, at.show().agreed) == (0, [])
    assert at.asks(CLEO, Answer(seat=2, yes=True)) == [facts.Answered(seat=2, yes=True)]
    assert at.asks(CLEO, Answer(seat=2, yes=True)) == [facts.Answered(seat=2, yes=True)], "twice is once"
    at.asks(BO, Answer(seat=1, yes=True))
    assert (at.table.playing().state, at.show().agreed) == (before, [1, 2])
    assert at.asks(DAN, Answer(seat=3, yes=True))[1:] == [facts.Undone(seat=0, to=1)]
    assert (at.turn, at.table.playing().written[1:], at.show().asked, at.show().agreed) == (0, [], None, [])


def test_one_who_does_not_agree_is_enough() -> None:
    at = asked("Bo", "Cleo", "Dan")
    before = at.table.playing().state
    at.asks(CLEO, Answer(seat=2, yes=True))
    assert at.asks(BO, Answer(seat=1, yes=False)) == [facts.Answered(seat=1, yes=False)]
    assert (at.show().asked, at.show().agreed, at.table.playing().state) == (None, [], before)
    assert at.refuses(DAN, Answer(seat=3, yes=True)) == "not_possible"
    at.asks(ANN, Undo(seat=0))
    assert at.show().agreed == [], "who is asked again has not agreed yet"


def test_asking_is_over_when_somebody_chooses() -> None:
    at = asked("Bo", "Cleo")
    at.asks(BO, Answer(seat=1, yes=True))
    at.chooses()
    assert (at.show().asked, at.show().agreed) == (None, [])
    assert at.refuses(CLEO, Answer(seat=2, yes=True)) == "not_possible"


def test_one_asks_at_a_time_and_nobody_answers_herself() -> None:
    at = asked("Bo", "Cleo")
    assert at.refuses(ANN, Answer(seat=0, yes=True)) == "not_possible"
    assert at.refusal(ANN, Undo(seat=0)) == ("not_possible", "Ann has asked to take a choice back: that is answered first.")
    assert kinds(at.asks(BO, Undo(seat=1))) == ["Undone"], "what harms nobody needs no answer"
    assert at.show().asked is None


def test_a_bot_that_thinks_longer_than_its_pace_chooses_at_a_later_beat() -> None:
    assert [clocks.round_up_to_pace(1000, 900, now) for now in (1, 1000, 1001, 1900, 1901)] == [1000, 1000, 1900, 1900, 2800]
    assert clocks.round_up_to_pace(1000, 0, 5000) == 1000, "without a pace it does not wait"


def test_bots_wait_while_somebody_is_asked() -> None:
    at = asked("Bo", "Cleo")
    at.table.chairs[at.turn].away = True
    assert at.table.asked is not None
    assert clocks.due(at.table) is None
    at.table.asked = None
    assert clocks.due(at.table) is not None


def test_who_goes_away_is_still_asked_and_answers_when_she_is_back() -> None:
    at = asked("Bo", "Cleo")
    at.asks(CLEO, Leave(seat=2))
    assert kinds(at.asks(BO, Answer(seat=1, yes=True))) == ["Answered"]
    assert (at.show().asked, at.show().agreed) == (0, [1])
    at.comes(CLEO)
    assert kinds(at.asks(CLEO, Answer(seat=2, yes=True))) == ["Answered", "Undone"]


def test_when_the_last_who_had_to_agree_is_sent_away_the_choice_is_taken_back() -> None:
    at = asked("Bo", "Cleo")
    at.asks(CLEO, Answer(seat=2, yes=True))
    assert clocks.tick(at.table, at.now) == [] and clocks.wakes(at.table) > at.now, "Bo can still answer"
    at.asks(ANN, Kick(seat=1))
    assert clocks.wakes(at.table) <= at.now
    at.happens(clocks.tick(at.table, at.now))
    assert (at.turn, at.table.playing().written[1:], at.show().asked, at.show().agreed) == (0, [], None, [])
    assert clocks.tick(at.table, at.now) == [] and clocks.wakes(at.table) > at.now


@pytest.mark.parametrize("clock", [0, 300])
@pytest.mark.parametrize("is_away", [True, False])
def test_a_request_that_nobody_answers_lapses_after_a_minute(clock: int, is_away: bool) -> None:
    """Otherwise the bots of a table without a clock would wait for ever."""
    at = playing("Bo", players=3, clock=clock)
    at.chooses("bid 0")
    at.chooses("bid 1")
    at.asks(ANN, Undo(seat=0))
    if is_away:
        at.asks(BO, Leave(seat=1))
    due = clocks.due(at.table)
    assert (due is None) == (not clock), "the bot in seat 2 waits"
    end = at.now + 60 * SECOND
    assert clocks.wakes(at.table) == end
    assert clocks.tick(at.table, end - 1) == []
    at.now = end
    at.told = at.happens(clocks.tick(at.table, end))
    assert [at.said(viewer) for viewer in (0, 1)] == [[f"{who} no answer in time: the choice stands"] for who in ("You get", "Ann gets")]
    assert (at.show().asked, at.show().agreed, at.table.playing().written[1:]) == (None, [], ["bid 0", "bid 1"])
    assert at.refuses(BO, Answer(seat=1, yes=True)) == "not_possible"
    assert at.bot().seat == 2
    assert clocks.wakes(at.table) > at.now


def test_when_who_has_asked_goes_away_nobody_is_asked_any_more() -> None:
    at = asked("Bo", "Cleo")
    at.asks(BO, Answer(seat=1, yes=True))
    at.asks(ANN, Leave(seat=0))
    assert (at.show().asked, at.show().agreed) == (None, [])
    assert at.refuses(CLEO, Answer(seat=2, yes=True)) == "not_possible"


def test_when_who_has_asked_is_sent_away_nobody_is_asked_any_more() -> None:
    at = playing("Bo", "Cleo")
    at.chooses()
    at.chooses()
    at.chooses()
    at.asks(BO, Undo(seat=1))
    at.asks(ANN, Answer(seat=0, yes=True))
    at.asks(ANN, Kick(seat=1))
    assert (at.show().asked, at.show().agreed) == (None, [])
    assert at.refuses(CLEO, Answer(seat=2, yes=True)) == "not_possible"


@pytest.mark.parametrize("name", ["plump", "up_and_down", "trick_paper_scissors"])
def test_no_deal_changes_when_choices_are_taken_back_and_made_otherwise(name: str) -> None:
    at = playing(game=name, players=3, options={"deals": 2} if name == "trick_paper_scissors" else {}, levels=["random"] * 2)
    first = past_the_deal(at, 0)
    while last_choice(at.table.game, list(at.table.playing().steps()), 0) is not None:
        at.asks(ANN, Undo(seat=0))
    assert past_the_deal(at, -1) == first


def past_the_deal(at: Room, which: int) -> str:
    """Ann makes the first choice, or the last, until the cards are dealt again; return the new hands."""
    rounds = at.table.playing().state.round
    while at.table.playing().state.round == rounds:
        if at.turn == 0:
            at.chooses(at.choices[which])
        else:
            at.bot()
    return at.table.playing().written[-1]


# ---- hints


def test_hints_are_for_the_player_in_turn_if_the_table_allows_them() -> None:
    at = two()
    assert at.asks(ANN, Hint(seat=0)) == []
    assert at.refuses(BO, Hint(seat=1)) == "not_your_turn"
    assert two(hints=False).refusal(ANN, Hint(seat=0)) == ("not_allowed", "There are no hints at this table.")


# ---- clocks


def test_without_a_clock_a_person_is_waited_for_for_ever() -> None:
    at = two()
    assert clocks.due(at.table) is None and at.show().turn_ends is None


def test_when_the_time_is_up_a_bot_chooses() -> None:
    at = two(clock=30, stand_in="easy")
    at.now += 7 * SECOND
    at.chooses()
    due = clocks.due(at.table)
    assert due == clocks.Due(1, "easy", CLOCK, at.now + 30 * SECOND, at.table.seq)
    assert at.show().turn_ends == due.at
    at.now += SECOND
    at.asks(BO, Say(seat=1, text="I am thinking."))
    assert clocks.due(at.table) == due, "words stop no clock"
    at.bot()
    assert isinstance(fact := at.told[0].fact, facts.Happened) and fact.by == CLOCK
    assert (at.now, len(at.table.playing().moves), at.table.chairs[1].away) == (due.at, 3, False)
    assert at.show().turn_ends == at.now + 30 * SECOND


def test_a_taken_back_choice_begins_a_new_turn() -> None:
    at = two(clock=30)
    at.now += SECOND
    at.chooses()
    at.now += SECOND
    at.asks(ANN, Undo(seat=0))
    assert at.show().turn_ends == at.now + 30 * SECOND


def test_who_is_away_too_long_is_played_for_and_gets_the_seat_back() -> None:
    at = two(grace=20)
    at.comes(ANN, BO)
    at.goes(ANN)
    assert clocks.wakes(at.table) == NOON + 20 * SECOND
    assert clocks.tick(at.table, NOON + 20 * SECOND - 1) == []
    at.now += 20 * SECOND
    at.happens(clocks.tick(at.table, at.now))
    assert [chair.away for chair in at.show().seats] == [True, False]
    assert [chair.here for chair in at.show().seats] == [False, True]
    assert (clocks.tick(at.table, at.now + DAY), clocks.wakes(at.table)) == ([], clocks.NEVER)
    assert at.bot().by == BOT
    at.comes(ANN)
    assert [step.fact for step in at.told] == [facts.Back(seat=0)]
    assert [(chair.away, chair.here) for chair in at.show().seats] == [(False, True), (False, True)]
    assert clocks.wakes(at.table) == clocks.NEVER


def test_who_comes_back_in_time_is_not_played_for() -> None:
    at = two(grace=20)
    at.comes(ANN, BO)
    at.goes(ANN)
    at.comes(ANN)
    assert at.told == [] and clocks.tick(at.table, NOON + DAY * SECOND) == []


def test_as_long_as_nobody_else_is_there_everyone_is_waited_for() -> None:
    at = two(grace=20)
    at.comes(ANN, BO)
    at.goes(ANN)
    at.goes(BO)
    assert (clocks.wakes(at.table), clocks.tick(at.table, NOON + DAY * SECOND)) == (clocks.NEVER, [])
    at.comes(BO)
    assert clocks.tick(at.table, NOON + 20 * SECOND) == [facts.Away(seat=0)]


def test_who_only_looks_on_waits_for_nobody() -> None:
    at = Room(name="", **QUICK, grace=20)
    at.sits("Bo", "Cleo")
    at.begins()
    at.comes(ANN)
    at.goes(BO)
    assert clocks.tick(at.table, NOON + DAY * SECOND) == []


def test_who_sat_down_and_never_connects_is_not_waited_for_for_ever() -> None:
    at = two(grace=20)
    at.comes(ANN)
    assert clocks.wakes(at.table) == NOON + 20 * SECOND
    assert clocks.tick(at.table, NOON + 20 * SECOND) == [facts.Away(seat=1)]
    at.comes(BO)
    assert clocks.wakes(at.table) == clocks.NEVER


def test_nobody_is_away_before_or_after_a_match() -> None:
    at = room("Bo", **QUICK, grace=20)
    at.comes(ANN, BO)
    at.goes(BO)
    late = NOON + DAY * SECOND
    assert clocks.tick(at.table, late) == []
    at.begins()
    assert clocks.tick(at.table, late) == [facts.Away(seat=1)]
    at.plays_on()
    assert clocks.tick(at.table, late) == []


def test_all_seats_of_somebody_are_away_and_back_together() -> None:
    at = room("Bo", players=3, grace=20)
    at.sits_also(BO, "Bosse")
    at.begins()
    at.comes(ANN, BO)
    at.goes(BO)
    at.happens(clocks.tick(at.table, NOON + 20 * SECOND))
    assert [chair.away for chair in at.table.chairs] == [False, True, True]
    assert clocks.here(at.table, BO) == [facts.Back(seat=1), facts.Back(seat=2)]


@pytest.mark.parametrize("pace", [0, 900, 10_000])
def test_a_bot_waits_about_as_long_as_the_table_wants(pace: int) -> None:
    at = alone(pace=pace, clock=5)
    waits = set()
    while not at.table.playing().over:
        due = clocks.due(at.table)
        assert due
        assert at.show().turn_ends == (None if due.by == BOT else due.at), "nobody is told when a bot will choose"
        if due.by == BOT:
            assert pace * 0.6 - 1 <= due.at - at.now <= pace * 1.4
            waits.add(due.at - at.now)
        at.bot()
    assert pace == 0 or len(waits) > 1


@pytest.mark.parametrize("name", GAMES)
def test_when_bots_choose_does_not_depend_on_the_cards(name: str) -> None:
    """The same table, but with different cards."""
    at = playing(game=name, players=max(3, GAMES[name].players[0]), levels=["random"] * 2)
    other = Table(at.table.code)
    for entry in at.log:
        fact = facts.read(entry.body)
        if isinstance(fact, facts.Happened) and fact.event.startswith("deal"):
            fact.event = " ".join(["deal", *reversed(fact.event.split()[1:])])
        other.take(type(entry)(entry.table, entry.seq, entry.at, entry.mid, facts.written(fact)))
    assert other.playing().state != at.table.playing().state
    for table in (at.table, other):
        for chair in table.chairs:
            chair.level = chair.level or "house"
        table.playing().state.turn = 1
    assert clocks.due(at.table) == clocks.due(other)


# ---- the log is the only source of truth


def test_a_table_of_four_with_two_bots_clocks_and_a_reconnect_is_played_to_its_end() -> None:
    at = playing("Bo", levels=["house", "random"], clock=30, grace=20, stand_in="easy")
    at.comes(ANN, BO)
    promised, by = at.show().commitment, set[str]()
    while not at.table.playing().over:
        step = len(at.table.playing().moves)
        at.now += 500
        if step == 60:
            at.goes(BO)
        if step == 100:
            at.now += 60 * SECOND
            at.happens(clocks.tick(at.table, at.now))
            assert at.table.chairs[1].away
        if step == 150:
            is_made_again(at)
        if step == 200:
            at.comes(BO)
            assert not at.table.chairs[1].away
        if at.turn == 0 and at.table.playing().state.round == 15:
            assert at.bot().by == CLOCK
        else:
            at.somebody_chooses()
        by.update(step.fact.by for step in at.told if isinstance(step.fact, facts.Happened))
    assert by == {CHANCE, PERSON, BOT, CLOCK}
    assert logged(at.again()) == logged(at.table)
    written = at.table.record(BO)
    assert (verify.check(written).chances, verify.check(written).commitment) == (22, promised)
    assert match.check(written) == at.table.playing().state
    assert written.seats == ["Ann", "Bo", "Lisa (house)", "Stephen (random)"]
    sheet = at.show().sheet
    assert sheet and at.show().names == ["Ann", "Bo", "Lisa", "Stephen"]
    assert sheet["total"] == at.table.playing().scores and len(sheet["rows"]) == 22


def is_made_again(at: Room) -> None:
    """Restart: the table rebuilt from its log is the same, and so is what everyone is shown."""
    before = logged(at.table), [msgspec.json.encode(at.show(viewer)) for viewer in range(-1, 4)], clocks.due(at.table)
    present, left = at.table.present, at.table.left
    at.table = at.again()
    at.table.present, at.table.left = present, left
    assert (logged(at.table), [msgspec.json.encode(at.show(viewer)) for viewer in range(-1, 4)], clocks.due(at.table)) == before


def test_the_log_has_no_holes_and_its_times_never_go_back() -> None:
    at = two()
    at.now -= 60 * SECOND
    at.chooses()
    assert [entry.seq for entry in at.log] == list(range(1, len(at.log) + 1))
    assert at.log[-1].at == NOON
    for entry in (at.log[-1], at.log[0]):
        with pytest.raises(ValueError, match="cannot come after"):
            at.table.take(entry)


def test_what_would_happen_changes_nothing_until_it_does() -> None:
    """Another process may be first: then the prepared result is discarded."""
    at = playing("Bo", "Cleo", grace=1)
    at.comes(ANN, BO, CLEO)
    at.chooses()
    at.goes(BO)
    at.happens([facts.Away(seat=1), facts.Asked(seat=0)])
    before = everything(at.table)
    alternatives: list[list[facts.AnyFact]] = [
        [facts.Back(seat=1), facts.Muted(seat=2, muted=True), facts.Answered(seat=1, yes=True), facts.Said(seat=0, text="x")],
        [facts.Stood(seat=1, sent_away=True), facts.Put(seat=1, level="house"), facts.Locked(locked=True)],
        handlers.moves(at.table, at.turn, 0, PERSON),
        [facts.Undone(seat=0, to=1)],
        [facts.Answered(seat=1, yes=False)],
    ]
    for made in alternatives:
        later, _ = after(at.table, at.table.entries(made, at.now + 1, "mid"))
        assert everything(later) != before
        assert everything(at.table) == before


# ---- what can be verified


def test_the_secret_is_promised_before_the_first_card_and_told_at_the_end() -> None:
    at = room("Bo", **QUICK)
    promise = at.show().promise
    at.adds(1, "c0ffee")
    assert (at.show().promise, at.show().commitment) == (promise, "")
    at.begins()
    following = at.show().promise
    assert following != promise
    while not at.table.playing().over:
        assert (at.show().commitment, at.show().promise) == (promise, following)
        at.somebody_chooses()
    told = at.show()
    seed = fairness.read_seed(at.table.record(ANN).seed)
    assert seed.commitment == told.commitment == promise and seed.luck == ("", "c0ffee")
    verify.check(at.table.record(ANN), verify.Kept(promise, "code", told.match_number, "c0ffee", 1))
    at.begins(rotate=1)
    assert (at.show().commitment, at.show().match_number) == (following, 2)
    at.plays_on()
    verify.check(at.table.record(ANN), verify.Kept(following, "code", 2))


def test_the_players_luck_goes_into_every_deal() -> None:
    at = room("Bo", **QUICK)
    deals = [at.table.next_match().chance()]
    for seat, luck in [(0, "0"), (1, "00")]:
        at.adds(seat, luck)
        deals.append(at.table.next_match().chance())
    deals.append(at.table.next_match(by=1).chance())
    assert len(set(deals)) == 4
    at.begins()
    assert at.table.playing().moves == [deals[2]]


def test_no_two_secrets_are_alike() -> None:
    at = two()
    other = two()
    assert len({at.table.secret, at.table.playing().fair.secret.hex(), other.table.secret, other.table.playing().fair.secret.hex()}) == 4
    assert all(len(bytes.fromhex(table.secret)) == 32 for table in (at.table, other.table))


@pytest.mark.parametrize("public", [False, True])
def test_the_record_is_for_the_players_when_the_match_is_over_and_of_a_public_table_for_all(public: bool) -> None:
    at = two(public=public)
    for person in (ANN, *([STRANGER] if public else [])):
        with pytest.raises(Refusal, match="when the match is over"):
            at.table.record(person)
    at.plays_on()
    assert at.table.record(BO).result
    if public:
        assert at.table.record(STRANGER) == at.table.record(BO)
    else:
        with pytest.raises(Refusal, match="not public"):
            at.table.record(STRANGER)


def test_the_lobby_is_told_how_a_table_stands() -> None:
    at = room("Bo", **QUICK, public=True)
    for status in (WAITING, PLAYING, ENDED):
        standing = at.table.standing()
        assert (standing.table, standing.seq, standing.at, standing.public, standing.status) == ("code", at.table.seq, at.table.at, True, status)
        assert json.loads(standing.line) == {
            **{"code": "code", "game": "up_and_down", "title": "Up and Down", "status": status, "locked": False},
            "seats": [{"name": "Ann", "level": ""}, {"name": "Bo", "level": ""}],
        }
        if status == WAITING:
            at.begins()
        else:
            at.plays_on()
