"""One table without a network: who may sit down, who owns it, and how a match begins."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest
from tables import ANN, BO, CLEO, DAN, DAY, QUICK, Room, alone, code_and_sentence, kinds, playing, room, two

from kortlek.bots import BOT_NAMES
from kortlek.engine import fairness, match, record, verify
from kortlek.engine.plain import options_of
from kortlek.engine.views import ONLOOKER
from kortlek.game.registry import GAMES
from kortlek.table import clocks, facts, handlers
from kortlek.table.protocol import client_in
from kortlek.table.facts import BOT
from kortlek.table.protocol.client_in import Add, Answer, Change, Choose, Fill, Hint, Join, Kick, Leave, Lock, Mute, Ready, Return, Say, Start, Undo
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.refusals import Refusal
from kortlek.table.table import PLAYING, STRANGER, TAKE, WAITING

# ---- opening


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"game": "whist"}, f"There is no game “whist” here. The games are: {', '.join(GAMES)}."),
        ({"game": "w" * 40 + "hist"}, f"There is no game “{'w' * 37}...” here."),
        ({"players": 1}, "Plump is for 2 to 13 players, not 1."),
        ({"game": "trick_paper_scissors", "players": 7}, "players, not 7."),
        ({"options": {"trump": "hearts"}}, "Plump has no option 'trump'. Its options are: first_lead, first_dealer."),
        ({"options": {"first_lead": "nobody"}}, "first_lead=nobody is not possible: first_lead is first_bidder or highest_bidder."),
        ({"players": 3, "options": {"first_dealer": 3}}, "first_dealer=3 is not possible"),
        ({"levels": ["clubb"]}, "Plump has no bot 'clubb'. Its bots are: random, easy, medium, house, club, expert, tree."),
        ({"levels": ["house", ""]}, "Plump has no bot ''."),
        ({"stand_in": "nobody"}, "Plump has no bot 'nobody'."),
        ({"stand_in": ""}, "Plump has no bot ''."),
        ({"players": 3, "levels": ["house"] * 3}, "There are more bots than seats for them: the table has 3."),
        ({"players": 3, "name": "", "levels": ["house"] * 4}, "There are more bots than seats for them: the table has 3."),
        ({"name": " Ann"}, "A name is 1 to 20 columns wide, with characters that can be printed and no space at either end."),
        ({"name": "An\nn"}, "A name is 1 to 20 columns wide, with characters that can be printed and no space at either end."),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        handlers.open_table(Open(**({"game": "plump", "name": "Ann"} | asked)), "token")
    code, said = code_and_sentence(refused.value)
    assert code == "not_possible"
    assert sentence in said


@pytest.mark.parametrize(
    ("field", "allowed", "refused"),
    [
        ("game", ["x" * 40], ["x" * 41, 7, None]),
        ("players", [1, 13, None], [0, 14, "4", 2.5]),
        (
            "options",
            [{}, {"largest_round": 2, "first_bettor": "random", "stars": [1]}, {str(n): n for n in range(20)}],
            [{str(n): n for n in range(21)}, {"largest_round": None}],
        ),
        ("name", ["", "x" * 40], ["x" * 41, None]),
        ("levels", [[], ["x" * 40] * 13], ["house", ["house"] * 14, ["x" * 41]]),
        ("luck", [], ["c0ffee"]),
        ("public", [True, False], [1, "yes"]),
        ("spectators", ["off", "public", "delayed"], ["on", "", "public ", "off\n"]),
        ("delay", [1, 3600], [0, 3601]),
        ("clock", [0, 14 * DAY], [-1, 14 * DAY + 1]),
        ("grace", [0, DAY], [-1, DAY + 1]),
        ("pace", [0, 10_000], [-1, 10_001]),
        ("hints", [True, False], [0]),
        ("stand_in", ["x" * 40], ["x" * 41]),
        ("owner", [], ["Ann", 0]),
    ],
)
def test_every_setting_has_its_limits(field: str, allowed: list[Any], refused: list[Any]) -> None:
    for value in allowed:
        asked = msgspec.json.decode(json.dumps({"game": "plump", field: value}), type=Open)
        assert getattr(asked, field) == value
    for value in refused:
        with pytest.raises(msgspec.ValidationError, match=rf"[`$.]{field}"):
            msgspec.json.decode(json.dumps({"game": "plump", field: value}), type=Open)


def test_a_table_is_as_it_was_asked_for() -> None:
    at = Room(
        game="up_and_down",
        players=3,
        options={"largest_round": 2},
        levels=["random", "club"],
        public=True,
        spectators="delayed",
        delay=7,
        clock=20,
        grace=8,
        pace=9,
        hints=False,
        stand_in="easy",
    )
    table, told = at.table, at.show()
    assert (table.status, table.owner, table.match) == (WAITING, ANN, None)
    assert [(chair.person, chair.name, chair.level) for chair in table.chairs] == [(ANN, "Ann", ""), (STRANGER, "", "random"), (STRANGER, "", "club")]
    assert table.names == ("Ann", *BOT_NAMES[:2])
    assert (table.settings.delay, table.settings.pace) == (7, 9)
    assert (told.public, told.spectators, told.clock, told.grace, told.hints, told.stand_in) == (True, "delayed", 20, 8, False, "easy")
    assert table.options == told.options == {"largest_round": 2, "first_bettor": "random"}


def test_bots_sit_from_the_last_seat_on_and_nobody_has_to_sit() -> None:
    at = Room(name="", game="plump", levels=["house", "easy"])
    assert [chair.level for chair in at.table.chairs] == ["", "", "house", "easy"]
    assert at.table.seated() == []
    assert (at.show(person=ANN).owner, at.show(person=STRANGER).owner) == (True, False)


@pytest.mark.parametrize("name", GAMES)
def test_without_a_word_it_is_a_table_for_four(name: str) -> None:
    assert len(Room(game=name).table.chairs) == 4


def test_of_a_token_only_its_hash_is_kept_and_with_that_nobody_gets_in() -> None:
    at = room("Bo")
    assert not [entry for entry in at.log for token in at.tokens if token in entry.body]
    for person, token in enumerate(at.tokens):
        assert at.table.person_with(token) == person
        assert at.table.person_with(at.table.people[person]) == STRANGER
    for wrong in ("", "-" * 64, at.tokens[0][:-1], at.tokens[0] + " ", "ä"):
        assert at.table.person_with(wrong) == STRANGER


# ---- joining


def test_a_newcomer_gets_the_first_free_seat_or_the_one_she_asks_for() -> None:
    at = room("Bo")
    at.asks(STRANGER, Join(name="Cleo", seat=3))
    assert [chair.name for chair in at.table.chairs] == ["Ann", "Bo", "", "Cleo"]
    assert [chair.person for chair in at.table.chairs] == [ANN, BO, STRANGER, CLEO]
    at.sits("Dan")
    assert at.table.seats_of(DAN) == [2]


def test_when_no_seat_is_free_the_last_bot_makes_way() -> None:
    at = room(levels=["house", "easy", "random"])
    at.sits("Bo")
    assert at.table.seats_of(BO) == [3]
    at.asks(STRANGER, Join(name="Cleo", seat=1))
    assert [chair.level for chair in at.table.chairs] == ["", "", "easy", ""]


def test_a_bot_stays_as_long_as_a_seat_is_free() -> None:
    at = room(levels=["house", "easy"])
    at.sits("Bo")
    assert at.table.seats_of(BO) == [1]


def test_a_full_table_is_full() -> None:
    at = room("Bo", **QUICK)
    assert at.refuses(STRANGER, Join(name="Cleo")) == "full"
    assert at.refusal(STRANGER, Join(name="Cleo", seat=1)) == ("taken", "Seat 1 is taken.")
    assert at.refusal(STRANGER, Join(name="Cleo", seat=2)) == ("not_possible", "There is no seat 2: they are 0 to 1.")


def test_nobody_can_be_called_like_somebody_else_but_like_a_bot() -> None:
    """The bot is then renamed."""
    at = room(levels=["house"])
    assert at.refusal(STRANGER, Join(name="Ann")) == ("taken", "Somebody at this table is already called Ann.")
    for wrong in (" Bo", "Bo ", "B\to", "\u202eoB", ""):
        assert at.refuses(STRANGER, Join(name=wrong)) == "not_possible"
    at.sits("Lisa")
    assert at.table.names == ("Ann", "Lisa", "", "Stephen")


def test_only_the_owner_sits_down_at_a_locked_table() -> None:
    at = Room(name="", game="plump")
    at.asks(ANN, Lock())
    assert at.refusal(STRANGER, Join(name="Bo")) == ("locked", "The owner has locked the table.")
    at.asks(ANN, Join(name="Ann"))
    at.asks(ANN, Lock(locked=False))
    at.sits("Bo")
    assert at.table.names[:2] == ("Ann", "Bo")


def test_nobody_sits_down_during_a_match_and_somebody_may_after_it() -> None:
    at = alone()
    assert at.refuses(STRANGER, Join(name="Bo")) == at.refuses(ANN, Join(name="Anna")) == "started"
    at.plays_on()
    at.sits("Bo")
    assert at.table.names == ("Ann", "Bo")


# ---- leaving


def test_who_leaves_before_the_match_leaves_a_free_seat_and_may_sit_down_again() -> None:
    at = room("Bo")
    assert at.asks(BO, Leave(seat=1)) == [facts.Stood(seat=1)]
    assert at.table.chairs[1].is_free and at.table.seats_of(BO) == []
    assert at.refuses(BO, Leave(seat=1)) == "not_your_seat"
    at.asks(BO, Join(name="Bosse", seat=2))
    assert at.table.seats_of(BO) == [2]


def test_who_leaves_during_a_match_leaves_it_to_a_bot_and_may_come_back() -> None:
    at = two()
    assert at.asks(ANN, Leave(seat=0)) == [facts.Away(seat=0, by_choice=True)]
    assert at.asks(ANN, Leave(seat=0)) == []
    assert (at.bot().level, at.told[0].fact) == ("house", facts.Happened(event=at.table.playing().written[1], seat=0, by=BOT))
    assert at.asks(ANN, Return(seat=0)) == [facts.Back(seat=0)]
    assert at.asks(ANN, Return(seat=0)) == []
    at.chooses()
    assert clocks.due(at.table) is None


def test_who_chooses_is_back() -> None:
    at = two()
    at.asks(ANN, Leave(seat=0))
    assert kinds(at.chooses()) == ["Back", "Happened"]
    assert not at.table.chairs[0].away


def test_who_leaves_after_the_match_still_stands_in_its_record() -> None:
    at = two()
    at.plays_on()
    before = at.table.record(ANN), at.shows(ONLOOKER), at.show().sheet
    at.asks(BO, Leave(seat=1))
    assert (at.table.record(ANN), at.shows(ONLOOKER), at.show().sheet) == before
    at.sits("Cleo")
    at.asks(ANN, Leave(seat=0))
    at.asks(CLEO, Fill(seat=0, level="easy"))
    assert (at.table.record(BO), at.shows(ONLOOKER), at.show().sheet) == before
    assert (at.table.record(ANN).seats, at.show().names) == (["Ann", "Bo"], ["Ann", "Bo"])
    assert record.from_line(record.to_line(at.table.record(ANN))) == at.table.record(ANN)


# ---- sending away


def test_who_is_sent_away_before_the_match_leaves_all_her_seats_and_is_a_stranger() -> None:
    at = room("Bo")
    at.sits_also(BO, "Bosse")
    assert at.asks(ANN, Kick(seat=2)) == [facts.Stood(seat=2, sent_away=True)]
    assert [chair.is_free for chair in at.table.chairs] == [False, True, True, True]
    is_worthless(at, BO)
    at.sits("Bo")
    assert at.table.seats_of(CLEO) == [1], "it is not forbidden to come again, as somebody else"


def test_who_is_sent_away_during_a_match_is_replaced_by_a_bot() -> None:
    at = two(stand_in="easy")
    assert kinds(at.asks(ANN, Kick(seat=1))) == ["Stood", "Put"]
    assert [chair.level for chair in at.table.chairs] == ["", "easy"]
    is_worthless(at, BO)
    assert at.refuses(STRANGER, Join(name="Bo")) == "started"
    at.plays_on()
    is_worthless(at, BO)
    assert match.check(at.table.record(ANN))


def test_both_seats_of_somebody_who_is_sent_away_are_played_on() -> None:
    at = room("Bo", "Cleo")
    at.sits_also(BO, "Bosse")
    at.begins()
    assert at.asks(ANN, Kick(seat=3))[1:] == [facts.Put(seat=1, level="house"), facts.Put(seat=3, level="house")]
    assert (at.table.seated(), at.table.status) == ([ANN, CLEO], PLAYING)
    is_worthless(at, BO)


def is_worthless(at: Room, person: int) -> None:
    """Check that a person's token gives no access."""
    assert at.table.person_with(at.tokens[person]) == at.table.person_with("") == STRANGER
    every = [Join(name="Somebody"), *of_a_seat(1), *OF_THE_OWNER]
    assert {at.refuses(person, message) for message in every} == {"no_token"}
    assert at.again().people[person] == ""


def test_the_owner_can_send_away_neither_herself_nor_a_bot_nor_nobody() -> None:
    at = room("Bo", levels=["house"])
    for seat in (0, 2, 3, 4):
        assert at.refuses(ANN, Kick(seat=seat)) == "not_possible"


# ---- who may


OF_THE_OWNER = (Kick(seat=1), Fill(seat=3, level="house"), Change(players=3), Lock(), Mute(seat=1), Start())


def of_a_seat(seat: int) -> list[client_in.AnyRequest | Hint]:
    """One of every kind of request by a person in a seat."""
    return [
        Leave(seat=seat),
        Return(seat=seat),
        Add(seat=seat, promise="0" * 64, luck="1"),
        Ready(seat=seat),
        Choose(seat=seat, choice="bid 0", at=99),
        Undo(seat=seat),
        Answer(seat=seat, yes=True),
        Say(seat=seat, text="Hello!"),
        Hint(seat=seat),
    ]


def test_every_message_is_of_the_owner_or_of_a_seat() -> None:
    tried = {type(message) for message in [*of_a_seat(0), *OF_THE_OWNER, Join(name="Ann")]}
    assert tried == {*get_args(client_in.AnyRequest), Hint} == {*handlers.ASK, Join, Hint}


def test_every_fact_can_happen() -> None:
    assert set(TAKE) == set(get_args(facts.AnyFact))


@pytest.mark.parametrize("begun", [False, True])
def test_what_only_the_owner_may_is_refused_to_others(begun: bool) -> None:
    at = room("Bo", "Cleo")
    if begun:
        at.begins()
    for message in OF_THE_OWNER:
        for person in (BO, STRANGER):
            assert at.refusal(person, message) == ("not_owner", "Only the owner of the table may do this.")


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("seat", [1, 3, 9])
def test_nobody_does_anything_in_another_seat_than_her_own(begun: bool, seat: int) -> None:
    at = room("Bo", "Cleo")
    if begun:
        at.begins()
    for message in of_a_seat(seat):
        for person in (ANN, CLEO, STRANGER):
            assert at.refusal(person, message) == ("not_your_seat", f"Seat {seat} is not yours.")


def test_the_table_passes_on_when_its_owner_leaves() -> None:
    at = room("Bo", "Cleo")
    at.sits_also(ANN, "Anna")
    at.asks(ANN, Leave(seat=0))
    assert at.table.owner == ANN, "she still has another seat"
    at.asks(ANN, Leave(seat=3))
    assert at.table.owner == BO
    assert [at.show(person=person).owner for person in (ANN, BO, CLEO)] == [False, True, False]
    assert at.refuses(ANN, Lock()) == "not_owner"
    at.asks(BO, Lock())


def test_an_owner_who_leaves_an_empty_table_still_owns_it() -> None:
    at = room()
    at.asks(ANN, Leave(seat=0))
    assert at.table.owner == ANN
    at.sits("Bo")
    at.asks(ANN, Kick(seat=0))


def test_an_owner_who_is_away_during_a_match_still_owns_the_table() -> None:
    at = two()
    at.asks(ANN, Leave(seat=0))
    assert at.table.owner == ANN


@pytest.mark.parametrize("message", [Fill(seat=2, level="house"), Fill(seat=2), Change(players=3), Start()])
def test_during_a_match_the_owner_has_to_wait(message: client_in.AnyRequest) -> None:
    assert playing("Bo").refuses(ANN, message) == "started"


# ---- before the match


def test_players_and_options_can_be_changed() -> None:
    at = room("Bo", game="up_and_down", levels=["house"])
    at.asks(ANN, Change(players=6, options={"largest_round": 3}))
    assert [chair.name or chair.level for chair in at.table.chairs] == ["Ann", "Bo", "", "house", "", ""]
    assert at.table.options == {"largest_round": 3, "first_bettor": "random"}
    at.asks(ANN, Change(players=3, options={"first_bettor": 1}))
    assert [chair.name or chair.level for chair in at.table.chairs] == ["Ann", "Bo", ""]
    at.begins()
    assert options_of(at.table.game, at.table.playing().state) == at.show().options == at.table.options
    assert at.table.options["first_bettor"] == 1 and at.turn == 1


def test_no_change_takes_somebodys_seat_or_breaks_a_rule() -> None:
    at = room("Bo", "Cleo", **(QUICK | {"players": 3}))
    assert at.refuses(ANN, Change(players=2)) == "taken"
    assert at.refuses(ANN, Change(options={"trump": 1})) == "not_possible"
    assert at.refuses(ANN, Change(players=1)) == "not_possible"
    at.begins()
    assert at.refuses(ANN, Change(options={})) == "started"
    at.plays_on()
    assert at.refuses(ANN, Change(options={})) == "started"


def test_the_owner_puts_bots_into_seats_and_takes_them_out() -> None:
    at = room("Bo")
    at.asks(ANN, Fill(seat=2, level="easy"))
    at.asks(ANN, Fill(seat=2, level="random"))
    at.asks(ANN, Fill(seat=3, level="house"))
    at.asks(ANN, Fill(seat=3))
    assert [chair.level for chair in at.table.chairs] == ["", "", "random", ""]
    assert at.refuses(ANN, Fill(seat=1, level="easy")) == at.refuses(ANN, Fill(seat=1)) == "taken"
    assert at.refuses(ANN, Fill(seat=2, level="hard")) == at.refuses(ANN, Fill(seat=4)) == "not_possible"


def test_a_number_is_added_once_for_each_match() -> None:
    at = room("Bo", **QUICK)
    promise = at.show().promise
    assert at.adds(1, "2") == [facts.Added(seat=1, luck="2", promise=promise)]
    assert at.adds(1, "2") == [], "the same number once more"
    assert at.refusal(BO, at.answer(1, "3")) == ("not_possible", "You have already added a number for the next match, and it stays.")
    assert [chair.luck for chair in at.show().seats] == ["", "2"]
    at.begins()
    assert at.refuses(BO, at.answer(1, "3")) == "started"
    assert at.table.playing().fair.luck == ("", "2")
    assert [chair.luck for chair in at.show().seats] == ["", ""], "the next match needs another number"
    at.plays_on()
    at.adds(1, "4")
    assert fairness.read_seed(at.table.record(ANN).seed).luck == ("", "2"), "it is for the next match"
    at.begins()
    assert at.table.playing().fair.luck == ("", "4")


def test_a_number_is_the_answer_to_the_promise_of_the_next_match() -> None:
    at, other = room("Bo", **QUICK), room("Bo", **QUICK)
    of_another_table = other.answer(1, "1")
    assert at.refusal(BO, of_another_table) == ("stale", "This number answers another promise than the one for the next match here: look again.")
    answer = at.answer(1, "1")
    at.begins()
    at.plays_on()
    assert at.refuses(BO, answer) == "stale", "it was for the match that is over"
    at.adds(1, "1")


def test_a_number_goes_with_the_person_who_added_it() -> None:
    at = room("Bo", players=3)
    at.adds(1, "b0")
    at.asks(BO, Leave(seat=1))
    at.sits("Cleo")
    assert [chair.luck for chair in at.table.chairs] == ["", "", ""]


def test_locking_twice_is_locking_once() -> None:
    at = room()
    assert at.asks(ANN, Lock()) == [facts.Locked(locked=True)]
    assert at.asks(ANN, Lock()) == []
    assert at.show().locked


# ---- the match begins


def test_bots_take_the_free_seats_when_the_match_begins() -> None:
    at = room("Bo", players=5, levels=["random"], stand_in="easy")
    at.begins()
    assert [chair.level for chair in at.table.chairs] == ["", "", "easy", "easy", "random"]
    assert (at.table.status, at.turn) == (PLAYING, 0)
    assert at.show().status == PLAYING


def test_everyone_moves_on_when_the_owner_wants_it() -> None:
    at = room("Bo", players=5, levels=["random"], stand_in="easy")
    at.adds(0, "a")
    at.begins(rotate=7)
    assert [chair.name or chair.level for chair in at.table.chairs] == ["easy", "random", "Ann", "Bo", "easy"]
    assert at.table.playing().fair.luck == ("", "", "a", "", "")
    assert verify.check(at.table.playing().record(at.table.names)).commitment == at.show().commitment
    assert (at.table.seats_of(ANN), at.show(person=BO).yours) == ([2], [3])
    assert at.said() == ["The match begins", "Lisa (easy) sits down", "Toby (easy) sits down", "Round 1", "Lisa begins"]


def test_a_rematch_is_another_match_with_rotated_seats() -> None:
    at = two()
    assert at.refuses(ANN, Start()) == "started"
    at.plays_on()
    first = at.table.record(ANN)
    at.begins(rotate=1)
    assert (at.table.status, at.table.names) == (PLAYING, ("Bo", "Ann"))
    assert len(at.table.playing().moves) == 1
    at.plays_on()
    second = at.table.record(BO)
    assert (first.seats, second.seats) == (["Ann", "Bo"], ["Bo", "Ann"])
    assert first.seed != second.seed and first.events[0] != second.events[0]
    assert verify.check(first).chances == verify.check(second).chances == 3
    at.begins()
    assert at.table.names == ("Bo", "Ann"), "or everyone stays"


def test_anybody_with_a_seat_may_begin_the_next_match_but_only_the_owner_the_first() -> None:
    at = room("Bo")
    assert at.refuses(BO, Start()) == "not_owner"
    at.begins()
    at.plays_on()
    assert at.refuses(STRANGER, Start()) == "not_owner"
    at.asks(BO, Start())
    assert at.table.status == PLAYING


def test_everyone_sees_who_is_ready_until_something_changes_or_the_match_begins() -> None:
    at = room("Bo", levels=["house"])

    def ready() -> list[bool]:
        return [seat.ready for seat in at.show().seats]

    bot = ready()
    assert bot == [False, False, False, True]
    assert at.asks(BO, Ready(seat=1)) == [facts.Readied(seat=1, ready=True)]
    assert (at.said(), ready()) == (["Bo is ready"], [False, True, False, True])
    assert at.asks(BO, Ready(seat=1)) == []
    at.asks(BO, Ready(seat=1, ready=False))
    assert ready() == bot
    at.asks(BO, Ready(seat=1))
    at.asks(ANN, Change(players=3))
    assert ready()[:2] == [False, False], "ready for something else"
    at.asks(BO, Ready(seat=1))
    at.begins()
    assert ready()[:2] == [False, False]
    assert at.refuses(BO, Ready(seat=1)) == "started"


# ---- words


def test_people_chat_and_the_owner_may_mute_them() -> None:
    at = two()
    assert at.asks(BO, Say(seat=1, text="  Good luck! 🍀 ")) == [facts.Said(seat=1, text="Good luck! 🍀")]
    at.asks(ANN, Mute(seat=1))
    assert at.asks(ANN, Mute(seat=1)) == []
    assert at.refusal(BO, Say(seat=1, text="Hello!")) == ("not_allowed", "The owner does not let you chat for now.")
    assert [chair.muted for chair in at.show().seats] == [False, True]
    at.asks(ANN, Say(seat=0, text="Hello!"))
    at.asks(ANN, Mute(seat=1, muted=False))
    at.asks(BO, Say(seat=1, text="Hello!"))


def test_a_bot_cannot_be_muted() -> None:
    at = room(levels=["house"])
    assert at.refuses(ANN, Mute(seat=3)) == at.refuses(ANN, Mute(seat=1)) == at.refuses(ANN, Mute(seat=4)) == "not_possible"


@pytest.mark.parametrize("text", [" ", "\n", "a\nb", "\x1b[2J", "\u202e", "\x00"])
def test_only_what_can_be_printed_can_be_said(text: str) -> None:
    assert two().refuses(ANN, Say(seat=0, text=text)) == "not_possible"


@pytest.mark.parametrize(
    ("message", "is_one"),
    [
        ({"do": "say", "seat": 0, "text": "x" * client_in.LONGEST_LINE}, True),
        ({"do": "say", "seat": 0, "text": "x" * (client_in.LONGEST_LINE + 1)}, False),
        ({"do": "say", "seat": 0, "text": ""}, False),
        ({"do": "say", "seat": 0, "text": "x", "id": "~" * 64}, True),
        ({"do": "say", "seat": 0, "text": "x", "id": "~" * 65}, False),
        ({"do": "say", "seat": 0, "text": "x", "id": "ä"}, False),
        ({"do": "say", "seat": 0, "text": "x", "id": "x\n"}, False),
        ({"do": "say", "seat": 12, "text": "x"}, True),
        ({"do": "say", "seat": 13, "text": "x"}, False),
        ({"do": "say", "seat": -1, "text": "x"}, False),
        ({"do": "say", "seat": 0, "text": "x", "loud": True}, False),
        ({"do": "shout", "seat": 0, "text": "x"}, False),
        ({"seat": 0, "text": "x"}, False),
        ({"do": "join", "name": "x" * 40}, True),
        ({"do": "join", "name": "x" * 41}, False),
        ({"do": "join", "name": ""}, False),
        ({"do": "choose", "seat": 0, "choice": "x" * 41, "at": 0}, False),
        ({"do": "choose", "seat": 0, "choice": "x", "at": -1}, False),
        ({"do": "choose", "seat": 0, "choice": "x"}, False),
        ({"do": "add", "seat": 0, "promise": "0" * 64, "luck": "0123456789abcdef" * 4}, True),
        ({"do": "add", "seat": 0, "promise": "0" * 64, "luck": "0" * 65}, False),
        ({"do": "add", "seat": 0, "promise": "0" * 64, "luck": ""}, False),
        ({"do": "add", "seat": 0, "promise": "0" * 64, "luck": "G"}, False),
        ({"do": "add", "seat": 0, "promise": "0" * 64, "luck": "0\n"}, False),
        ({"do": "add", "seat": 0, "promise": "0" * 63, "luck": "0"}, False),
        ({"do": "add", "seat": 0, "promise": "G" * 64, "luck": "0"}, False),
        ({"do": "add", "seat": 0, "luck": "0"}, False),
        ({"do": "join", "name": "x", "luck": "0"}, False),
        ({"do": "answer", "seat": 0}, False),
        (["say"], False),
    ],
)
def test_a_message_keeps_within_its_limits(message: Any, is_one: bool) -> None:
    text = json.dumps(message)
    if is_one:
        assert client_in.read(text) == client_in.read(text.encode())
        return
    with pytest.raises(Refusal) as refused:
        client_in.read(text)
    assert code_and_sentence(refused.value)[0] == "malformed"
