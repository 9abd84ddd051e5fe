"""Any sequence of requests to a table (a Hypothesis state machine): the table stays consistent, and it always equals the replay of its log."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test
from tables import Room, Show, code_and_sentence, logged, said_of
from test_every_game import every_card_is_in_exactly_one_place

from kortlek.engine import match as match_engine
from kortlek.engine import plain, verify
from kortlek.engine.views import ONLOOKER, places, sees
from kortlek.table import clocks, frames
from kortlek.table.news import news_of
from kortlek.table.protocol import client_out
from kortlek.table.facts import BOT, CLOCK, Happened, Sealed
from kortlek.table.handlers import others
from kortlek.table.protocol.client_in import (
    Add,
    Answer,
    AnyRequest,
    Change,
    Choose,
    Fill,
    Hint,
    Join,
    Kick,
    Leave,
    Lock,
    Mute,
    Ready,
    Return,
    Say,
    Start,
    Undo,
)
from kortlek.table.refusals import Refusal
from kortlek.table.table import ENDED, PLAYING, STRANGER, WAITING, Table

SET_UPS: list[dict[str, Any]] = [
    {"game": "plump", "players": 3},
    {"game": "up_and_down", "players": 2, "options": {"largest_round": 2}},
    {"game": "up_and_down", "players": 4, "options": {"largest_round": 2, "first_bettor": 1}},
    {"game": "trick_paper_scissors", "players": 3, "options": {"deals": 1}},
    {"game": "rummy", "players": 2, "options": {"games": 1, "round_limit": 5}},
    {"game": "cascade", "players": 2, "options": {"games": 1}},
    {"game": "hearts", "players": 4, "options": {"target": 10}},
]
PHASES = [phase for phase in Phase if phase != Phase.explain]
"""Without Hypothesis's explain phase, which would exceed the time limit of a test."""
NAMES = ["Ann", "Bo", "Cleo", "Dan", "Lisa", " Ann", "Ann Ann"]
OF_THE_OWNER = (Kick, Fill, Change, Lock, Mute, Start)
ANYBODY, SEATS = st.integers(0, 30), st.integers(0, 4)
OFTEN = st.integers(0, 7).map(lambda number: number < 7)
LEVELS, LUCK = st.sampled_from(["", "house", "random", "godlike"]), st.sampled_from(["0", "c0ffee", "01d"])
OUTDATED = "01d"
"""This number answers the promise of the match that is over."""
CHANGES = st.sampled_from([{}, {"largest_round": 2}, {"games": 1}, {"deals": 1}, {"first_lead": "highest_bidder"}, {"colour": "red"}])


def seat_of(message: AnyRequest | Hint) -> int:
    """The seat that a message is about; -1 if none."""
    return getattr(message, "seat", -1)


def may_be_granted(table: Table, message: AnyRequest | Hint, person: int) -> bool:
    """Whether a table may grant a request at all: the permissions that everyone can rely on."""
    if person != STRANGER and not table.people[person]:
        return False
    if isinstance(message, Join):
        return table.status != PLAYING and (not table.locked or person == table.owner)
    if isinstance(message, Start) and table.status == ENDED and table.seats_of(person):
        return True
    if isinstance(message, OF_THE_OWNER):
        if isinstance(message, Start | Fill) and table.status == PLAYING or isinstance(message, Change) and table.status != WAITING:
            return False
        return person == table.owner
    if person == STRANGER or seat_of(message) not in table.seats_of(person):
        return False
    if isinstance(message, Choose):
        seen = message.at >= table.number(table.last_seen_by(message.seat), person)
        return table.status == PLAYING and message.seat in table.playing().waiting and seen
    if isinstance(message, Undo | Answer):
        return table.status == PLAYING
    if isinstance(message, Say):
        return not table.chairs[message.seat].muted
    if isinstance(message, Hint):
        return table.settings.hints and table.status == PLAYING and message.seat in table.playing().waiting
    return not isinstance(message, Add | Ready) or table.status != PLAYING


class Evening(RuleBasedStateMachine):
    """People join, leave and play at a table, and send requests that they should not."""

    set_up: dict[str, Any]

    @initialize(
        name=st.sampled_from(["Ann", "Ann", ""]),
        bots=st.booleans(),
        clock=st.sampled_from([0, 30]),
        hints=st.booleans(),
        spectators=st.sampled_from(["off", "public", "delayed"]),
        seed=st.integers(0, 1 << 30),
        others=st.sampled_from([1, 2, 3, 0]),
        is_begun=OFTEN,
    )
    def opens(self, bots: bool, others: int, is_begun: bool, **asked: Any) -> None:
        self.room = Room(**self.set_up, **asked, levels=["random"] if bots else [], grace=20)
        self.twin, self.applied, self.count = Table("code"), dict[str, tuple[int, AnyRequest | Hint]](), 0
        self.whole: tuple[str, list[str]] = "", []
        self.is_told()
        for name in NAMES[1 : 1 + others]:
            self.asks(STRANGER, Join(name=name))
        if is_begun:
            self.begins(rotate=others)

    # ---- messages

    def sends(self, number: int, message: AnyRequest | Hint) -> bool:
        """Send a message as some person; return whether it was granted."""
        table = self.room.table
        person = number % (len(table.people) + 1) - 1
        if seat_of(message) in range(len(table.chairs)) and number > 10:
            person = table.chairs[seat_of(message)].person
        if isinstance(message, OF_THE_OWNER) and number > 10:
            person = table.owner
        return self.asks(person, message)

    def asks(self, person: int, message: AnyRequest | Hint) -> bool:
        """Send a message as this person; return whether it was granted."""
        self.count += 1
        message.id = str(self.count)
        table = self.room.table
        free = may_be_granted(table, message, person)
        offered = self.room.choices_of(message.seat) if isinstance(message, Choose) and message.seat in self.waiting else []
        before = self.sent_to_others(person)
        try:
            made = self.room.asks(person, message)
        except Refusal as refusal:
            code_and_sentence(refusal)
            assert not (free and isinstance(message, Choose) and message.choice in offered), "who may choose may choose"
            assert not (free and isinstance(message, Start | Leave | Return | Lock)), "who may, may"
            return False
        assert free, f"{person} may not: {message}"
        assert isinstance(message, Join | Leave | Kick | Start) or self.room.table.seated() == table.seated(), "everyone keeps her seat"
        assert not isinstance(message, Choose) or message.choice in offered
        if made and person != STRANGER:
            self.applied[message.id] = person, message
        if made and all(isinstance(fact, Sealed) for fact in made):
            assert self.sent_to_others(person) == before, "nobody else notices a sealed choice"
        self.is_told()
        return True

    @property
    def waiting(self) -> list[int]:
        """The seats that may choose."""
        return self.room.table.playing().waiting if self.room.table.status == PLAYING else []

    def sent_to_others(self, person: int) -> list[bytes]:
        """What everyone else is shown, and everything else that anyone can observe."""
        table = self.room.table
        people = [STRANGER, *(other for other in range(len(table.people)) if other != person)]
        shown = [(viewer, other) for other in people for viewer in frames.viewers(table, other)]
        standing = table.standing()
        lobby = [standing.line.encode(), str(standing.at).encode(), str(clocks.turn_ends(table)).encode()]
        return [*(client_out.encoded(self.room.show(viewer, other)) for viewer, other in shown), *lobby]

    @rule(who=ANYBODY, name=st.sampled_from(NAMES), seat=st.none() | SEATS)
    def joins(self, who: int, name: str, seat: int | None) -> None:
        self.sends(who, Join(name=name, seat=seat))

    @rule(name=st.sampled_from(NAMES[:4]))
    def a_stranger_joins(self, name: str) -> None:
        self.asks(STRANGER, Join(name=name))

    @rule(who=ANYBODY, kind=st.sampled_from([Leave, Return, Kick, Undo, Hint]), seat=SEATS)
    def does(self, who: int, kind: type[Leave | Return | Kick | Undo | Hint], seat: int) -> None:
        self.sends(who, kind(seat=seat))

    @rule(seat=SEATS)
    def somebody_is_sent_away(self, seat: int) -> None:
        """Kicked from all her seats, and her token is revoked."""
        table = self.room.table
        person = table.chairs[seat % len(table.chairs)].person
        if person not in (STRANGER, table.owner):
            assert self.asks(table.owner, Kick(seat=seat % len(table.chairs)))
            assert self.room.table.seats_of(person) == []
            assert self.room.table.person_with(self.room.tokens[person]) == STRANGER
            assert not self.asks(person, Join(name="Dan"))

    @rule(who=ANYBODY, seat=SEATS, level=LEVELS, luck=LUCK)
    def fills_or_adds(self, who: int, seat: int, level: str, luck: str) -> None:
        shown = self.room.show()
        add = Add(seat=seat, promise=shown.commitment if luck == OUTDATED and shown.commitment else shown.promise, luck=luck)
        before = self.room.table.chairs[seat].luck if seat < len(self.room.table.chairs) else ""
        self.sends(who, (add, Fill(seat=seat, level=level), Ready(seat=seat, ready=luck != OUTDATED))[who % 3])
        after = self.room.table.chairs[seat].luck if seat < len(self.room.table.chairs) else ""
        assert after in (before, "") or (before == "" and after == luck), "a number is added once"
        assert not shown.commitment or after != OUTDATED or before == OUTDATED, "and only as the answer to the promise of the next match"

    @rule(who=ANYBODY, players=st.none() | st.integers(1, 5), options=CHANGES)
    def changes(self, who: int, players: int | None, options: dict[str, Any]) -> None:
        self.sends(who, Change(players=players, options=options))

    @rule(who=ANYBODY, seat=SEATS, on=st.booleans(), text=st.sampled_from(["Hello!", " ", "\n"]))
    def talks(self, who: int, seat: int, on: bool, text: str) -> None:
        for message in (Mute(seat=seat, muted=on), Say(seat=seat, text=text)):
            self.sends(who, message)

    @rule(who=ANYBODY, on=st.booleans())
    def locks(self, who: int, on: bool) -> None:
        self.sends(who, Lock(locked=on))

    @rule(who=ANYBODY, seat=SEATS, yes=OFTEN)
    def answers(self, who: int, seat: int, yes: bool) -> None:
        self.sends(who, Answer(seat=seat, yes=yes))

    @rule(rotate=st.integers(0, 9))
    def begins(self, rotate: int) -> None:
        self.asks(self.room.table.owner, Start(rotate=rotate))

    @rule(who=ANYBODY, seat=SEATS, choice=st.integers(0, 200), missed=st.sampled_from([0, 0, 1, 3]))
    def chooses_anything(self, who: int, seat: int, choice: int, missed: int) -> None:
        table = self.room.table
        every = [text for notation in table.game.notation for text in notation] + ["", "play", "deal C2", "play HQ "]
        self.sends(who, Choose(seat=seat, choice=every[choice % len(every)], at=max(0, table.seq - missed)))

    @precondition(lambda self: self.room.table.status == PLAYING)
    @rule(missed=st.sampled_from([1, 2]))
    def has_not_seen_everything(self, missed: int) -> None:
        seat = self.waiting[0]
        at = self.room.seen_up_to(seat) - missed
        assert not self.asks(self.room.table.chairs[seat].person, Choose(seat=seat, choice=self.room.choices_of(seat)[0], at=at))

    @precondition(lambda self: self.applied)
    @rule(which=st.integers(0, 1000), is_last=st.booleans())
    def sends_again(self, which: int, is_last: bool) -> None:
        """The same message again, at once or much later: it is applied only once."""
        person, message = self.applied[list(self.applied)[-1 if is_last else which % len(self.applied)]]
        seq = self.room.table.seq
        assert self.room.asks(person, message) == []
        assert self.room.table.seq == seq

    # ---- the match

    @precondition(lambda self: self.room.table.status == PLAYING)
    @rule(many=st.sampled_from([1, 1, 2, 3, 5, 8, 30]), which=st.integers(0, 20))
    def play_goes_on(self, many: int, which: int) -> None:
        for _ in range(many):
            if self.room.table.status == PLAYING:
                seat = self.waiting[which % len(self.waiting)]
                chair = self.room.table.chairs[seat]
                if chair.level or chair.away:
                    if clocks.due(self.room.table) is None:
                        self.bots_wait_for_an_answer()
                        return
                    self.room.bot()
                    self.is_told()
                else:
                    choices = self.room.choices_of(seat)
                    choice = choices[which % len(choices)] if which < 10 else self.room.good_choice(seat)
                    assert self.asks(chair.person, Choose(seat=seat, choice=choice, at=self.room.seen_up_to(seat)))

    def bots_wait_for_an_answer(self) -> None:
        """Bots wait while a request to take a choice back is open: a person must be able to answer it, unless no answer is needed any more."""
        table = self.room.table
        assert table.asked is not None
        if clocks.wakes(table) > self.room.now:
            assert others(table, table.asked) - table.agreed
        else:
            self.time_passes(0)

    @precondition(lambda self: self.room.table.status == PLAYING and clocks.due(self.room.table) is not None)
    @rule()
    def the_time_is_up(self) -> None:
        due = self.room.bot()
        chair = self.room.table.chairs[due.seat]
        assert due.by == (BOT if chair.level or chair.away else CLOCK)
        self.is_told()

    @precondition(lambda self: self.room.table.status == PLAYING)
    @rule(seat=SEATS, yes=OFTEN)
    def takes_back(self, seat: int, yes: bool) -> None:
        """A player asks to take a choice back, and the others answer; nothing is taken back before all have agreed."""
        table = self.room.table
        person = table.chairs[seat % len(table.chairs)].person
        seat, alone, events = seat % len(table.chairs), not others(table, seat % len(table.chairs)), len(table.playing().moves)
        if held := len(table.playing().held.get(seat, [])):
            assert person == STRANGER or self.asks(person, Undo(seat=seat))
            assert person == STRANGER or len(self.room.table.playing().held[seat]) == held - 1, "a sealed choice is hers alone"
        elif person != STRANGER and self.asks(person, Undo(seat=seat)):
            assert len(self.room.table.playing().moves) < events or not alone
            for other in sorted(others(self.room.table, seat)):
                if self.room.table.asked == seat:
                    assert len(self.room.table.playing().moves) == events
                    assert self.asks(self.room.table.chairs[other].person, Answer(seat=other, yes=yes))
            if yes:
                assert self.room.table.asked is None and len(self.room.table.playing().moves) < events
                assert seat in self.waiting

    # ---- connections and time

    @rule(who=ANYBODY, comes=OFTEN)
    def comes_or_goes(self, who: int, comes: bool) -> None:
        table = self.room.table
        person = who % len(table.people)
        if not table.people[person]:
            return
        if comes:
            self.room.comes(person)
            assert not [chair for chair in self.room.table.chairs if chair.person == person and chair.away]
            self.is_told()
        else:
            self.room.goes(person)

    @rule(seconds=st.sampled_from([1, 19, 20, 100]))
    def time_passes(self, seconds: int) -> None:
        self.room.now += 1000 * seconds
        before = [chair.away for chair in self.room.table.chairs]
        self.room.told = self.room.happens(clocks.tick(self.room.table, self.room.now))
        table = self.room.table
        for chair, was_away in zip(table.chairs, before, strict=True):
            assert chair.away == was_away or (chair.person not in table.present and table.present & set(table.seated()) and table.status == PLAYING)
        self.is_told()

    @rule()
    def the_server_is_started_again(self) -> None:
        before = self.room.table
        self.room.table = self.room.again()
        assert logged(self.room.table) == logged(before)
        self.room.table.left = dict.fromkeys(range(len(before.people)), self.room.now)

    # ---- what always holds

    def is_told(self) -> None:
        """Everyone is told of the last steps, without the secrets."""
        for step in self.room.told:
            for viewer in self.viewers():
                person = self.room.table.chairs[viewer].person if viewer >= 0 else STRANGER
                if not step.concerns(person):
                    continue
                text = client_out.encoded(news_of(self.room.table, step, viewer)).decode()
                assert all(said_of(self.room.table, step, viewer))
                self.holds_no_secret(text, is_over=False)
                assert not isinstance(step.fact, Happened) or step.fact.seat != STRANGER or step.fact.event not in text
        self.room.told = []

    def viewers(self) -> range:
        return range(ONLOOKER, len(self.room.table.chairs))

    def holds_no_secret(self, text: str, is_over: bool) -> None:
        table = self.room.table
        match = [table.match.fair.secret.hex()] if table.match and not is_over else []
        for secret in [table.secret, *match, *self.room.tokens, *filter(None, table.people)]:
            assert secret not in text

    @invariant()
    def the_table_is_what_its_log_says(self) -> None:
        for entry in self.room.log[self.twin.seq :]:
            self.twin.take(entry)
        assert logged(self.twin) == logged(self.room.table)

    @invariant()
    def everyone_is_shown_her_own_cards_and_no_secret(self) -> None:
        table, actors = self.room.table, []
        for viewer in self.viewers():
            person = table.chairs[viewer].person if viewer >= 0 else STRANGER
            told = self.room.show(viewer, person)
            text = client_out.encoded(told).decode()
            assert msgspec.json.decode(text, type=Show) == told
            self.holds_no_secret(text, is_over=table.status == ENDED)
            if told.match and table.match:
                actors += [viewer] if told.match["legal"] else []
                for (place, field), lies in zip(places(table.match.state), told.match["places"].values(), strict=True):
                    assert (lies["cards"] is not None) == sees(viewer, place, field)
        assert actors == (table.playing().waiting if table.status == PLAYING else []), "those choose who have to"

    @invariant()
    def the_match_is_whole(self) -> None:
        table, match = self.room.table, self.room.table.match
        if match is None or self.whole == (match.fair.text, match.written):
            return
        self.whole = match.fair.text, match.written[:]
        s = plain.begin(table.game, len(table.chairs), match.options)
        for text in match.written:
            plain.step(table.game, s, plain.read(table.game, s, text))
        assert s == match.state, "the scores and all else are those of the events"
        if match.over:
            written = table.record(table.owner)
            assert match_engine.check(written) == s
            assert verify.check(written).commitment == self.room.show().commitment
        else:
            every_card_is_in_exactly_one_place(table.game, s)
            assert verify.check(match.record(table.names)).commitment == self.room.show().commitment

    @invariant()
    def the_table_is_in_order(self) -> None:
        table = self.room.table
        assert table.people[table.owner], "somebody owns it"
        names = [name for name in table.names if name]
        assert len(set(names)) == len(names)
        for chair in table.chairs:
            assert bool(chair.name) == (chair.person != STRANGER)
            assert not (chair.name and chair.level) and not (chair.level and chair.away)
            assert chair.person == STRANGER or table.people[chair.person]
            assert table.status != PLAYING or not chair.is_free
        if table.asked is not None:
            assert table.status == PLAYING and table.chairs[table.asked].person != STRANGER
            assert table.asked not in table.agreed
        assert table.asked is not None or not table.agreed
        assert json.loads(table.standing().line)["status"] == table.status
        due = clocks.due(table)
        assert due is None or (table.status == PLAYING and due.seat in table.playing().waiting and due.at >= table.turn_since)

    def teardown(self) -> None:
        if hasattr(self, "room"):
            assert logged(self.room.again()) == logged(self.room.table)


@pytest.mark.parametrize("set_up", SET_UPS, ids=lambda set_up: f"{set_up['game']}-{set_up['players']}")
def test_whatever_people_send_the_table_stays_whole(set_up: dict[str, Any]) -> None:
    calm = settings(max_examples=20, stateful_step_count=40, phases=PHASES, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(type("EveningThere", (Evening,), {"set_up": set_up}), settings=calm)
