"""What a table sends reveals nothing about cards that the recipient cannot see: the same bytes in two worlds (tests/worlds.py), in a thousand
games of each game. The same check finds each planted leak."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from examples import example
from playing import next_event
from worlds import leaks, some_log

from kortlek.cards import size
from kortlek.engine import plain
from kortlek.engine.events import events_of
from kortlek.engine.plain import Refused
from kortlek.engine.rng import seeded
from kortlek.engine.view_json import event_to_json
from kortlek.engine.views import ONLOOKER, OPEN, View, opened, view
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.table import clocks, facts, handlers, messages, sending
from kortlek.table.facts import AnyFact
from kortlek.table.match import LiveMatch
from kortlek.table.messages import News, Show
from kortlek.table.refusals import Refusal
from kortlek.table.store import Entry, Standing
from kortlek.table.table import STRANGER, Step, Table

GAMES_EACH = 1000
PARTS = 4
"""The tests of each game are split into this many parts, so that they can run in parallel."""
LEAK_FOUND_WITHIN = 300
"""A planted leak is found within this many games."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_bytes_do_not_depend_on_hidden_cards(game: Game[Any], part: int) -> None:
    assert list(leaks(game, range(part, GAMES_EACH, PARTS))) == []


def test_bids_that_all_make_at_once_are_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a choice is a hidden number until all have chosen."""
    goofspiel = example("goofspiel")
    monkeypatch.setitem(GAMES, goofspiel.name, goofspiel)
    assert list(leaks(goofspiel, range(LEAK_FOUND_WITHIN))) == []
    how_many_entries_the_log_has(monkeypatch)
    assert next(leaks(goofspiel, range(LEAK_FOUND_WITHIN)), "")


# ---- planted leaks


def hand(s: Any, seat: int) -> int:
    """The cards in a hand, however they are stored."""
    cards = s.hand[seat % s.players]
    return int(cards if isinstance(cards, int) else cards[0] | cards[1] << 56)


def shows(plant: pytest.MonkeyPatch, more: Callable[[Show, Any], None]) -> None:
    """Plant a leak: change the view of a match, with access to its state."""
    show = sending.show

    def leaky(table: Table, viewer: int, person: int) -> Show:
        shown = show(table, viewer, person)
        if shown.match and not table.playing().over:
            more(shown, table.playing().state)
        return shown

    plant.setattr(sending, "show", leaky)


def the_state_instead_of_the_view(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(LiveMatch, "view", lambda self, seat: replace(view(self.game, self.state, seat), state=self.state))
    plant.setattr(View, "sees", lambda *_: True)


def the_choices_of_another(plant: pytest.MonkeyPatch) -> None:
    shows(plant, lambda shown, s: shown.match.update({"kind": GAMES[shown.game].legal(s) if s.phase >= 0 else 0}) if shown.match else None)


def who_holds_the_highest_card(plant: pytest.MonkeyPatch) -> None:
    shows(plant, lambda shown, s: shown.match.update({"next": max(range(s.players), key=lambda seat: hand(s, seat))}) if shown.match else None)


def how_many_low_cards_somebody_has(plant: pytest.MonkeyPatch) -> None:
    shows(plant, lambda shown, s: shown.agreed.append(size(hand(s, shown.seat + 1) & (1 << 20) - 1)))


def the_order_of_what_is_shown(plant: pytest.MonkeyPatch) -> None:
    """The same places, but those of the seat with the better cards come first."""
    shows(plant, lambda shown, s: shown.match["places"].sort(key=lambda place: -hand(s, place["seat"] or 0)) if shown.match else None)


def refuses(plant: pytest.MonkeyPatch, why: Callable[[Table, messages.Choose], str]) -> None:
    """Plant a leak in the refusal of a choice."""

    def leaky(table: Table, message: messages.Choose, person: int) -> list[AnyFact]:
        try:
            return handlers.choose(table, message, person)
        except Refusal as refusal:
            raise Refusal(refusal.code, refusal.message, sentence=refusal.sentence + why(table, message)) from refusal

    plant.setitem(handlers.ASK, messages.Choose, leaky)


def the_next_card_of_the_stock_in_a_refusal(plant: pytest.MonkeyPatch) -> None:
    refuses(plant, lambda table, message: table.game.pack.names[table.playing().state.stock[max(1, table.playing().state.stock[0])]])


def the_next_card_of_a_deck_in_a_refusal(plant: pytest.MonkeyPatch) -> None:
    refuses(plant, lambda table, message: str(table.playing().state.deck[message.seat][table.playing().state.deck[message.seat][0]]))


def a_refusal_made_from_the_state(plant: pytest.MonkeyPatch) -> None:
    def sentence(table: Table, message: messages.Choose) -> str:
        try:
            plain.read(table.game, table.playing().state, "something else")
        except Refused as refused:
            return str(refused)
        return ""

    refuses(plant, sentence)


def a_bot_that_hurries_when_there_is_little_to_choose(plant: pytest.MonkeyPatch) -> None:
    due = clocks.due

    def leaky(table: Table) -> clocks.Due | None:
        found = due(table)
        return replace(found, at=found.at + 100 * size(table.game.legal(table.playing().state))) if found else None

    plant.setattr(clocks, "due", leaky)


def tells(plant: pytest.MonkeyPatch, more: Callable[[News, Table, Step], News]) -> None:
    """Plant a leak in the news."""
    news = sending.news
    plant.setattr(sending, "news", lambda table, step, viewer, person: more(news(table, step, viewer, person), table, step))


def news_of_another_seat(plant: pytest.MonkeyPatch) -> None:
    def of_the_next(told: News, table: Table, step: Step) -> News:
        viewer = (told.seat + 1) % len(table.chairs)
        told.events = [event_to_json(event) for act in step.acts for event in events_of(table.game, act, viewer)]
        return told

    tells(plant, of_the_next)


def the_deal_in_the_news(plant: pytest.MonkeyPatch) -> None:
    def with_the_event(told: News, table: Table, step: Step) -> News:
        told.text = step.fact.event if isinstance(step.fact, facts.Happened) else ""
        return told

    tells(plant, with_the_event)


def hints_for_the_seat_of_another(plant: pytest.MonkeyPatch) -> None:
    plant.setitem(handlers.ASK, messages.Hint, lambda table, message, person: [])


def whether_a_choice_may_be_taken_back_is_decided_by_the_cards(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(handlers, "may_undo", lambda game, steps, now, seat: hand(now, seat + 1) % 5 > 2)


def a_card_in_the_lobby(plant: pytest.MonkeyPatch) -> None:
    standing = Table.standing

    def leaky(self: Table) -> Standing:
        found = standing(self)
        return replace(found, line=f"{found.line} {hand(self.match.state, 0)} {hand(self.match.state, 1)}") if self.match else found

    plant.setattr(Table, "standing", leaky)


def everybodys_cards_on_the_table(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(LiveMatch, "view", lambda self, seat: opened(self.game, self.state))


def a_look_back_before_the_end(plant: pytest.MonkeyPatch) -> None:
    def finished(self: Table, person: int) -> LiveMatch:
        match = self.playing()
        match.played_by = tuple((name, "") for name in self.names)
        return match

    plant.setattr(Table, "finished", finished)


# ---- planted leaks of sealed choices


def how_many_entries_the_log_has(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(Table, "number", lambda self, seq, person: seq)


def when_somebody_has_chosen(plant: pytest.MonkeyPatch) -> None:
    show = sending.show

    def leaky(table: Table, viewer: int, person: int) -> Show:
        shown = show(table, viewer, person)
        shown.at = table.at
        return shown

    plant.setattr(sending, "show", leaky)


def who_has_still_to_choose(plant: pytest.MonkeyPatch) -> None:
    show = sending.show

    def leaky(table: Table, viewer: int, person: int) -> Show:
        shown = show(table, viewer, person)
        if shown.match and not table.playing().over:
            shown.match["waiting"] = table.playing().waiting
        return shown

    plant.setattr(sending, "show", leaky)


def news_of_a_sealed_choice(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(Step, "concerns", lambda self, person: True)
    news = sending.news

    def leaky(table: Table, step: Step, viewer: int, person: int) -> News:
        told = news(table, step, viewer, person)
        told.text = step.fact.choice if isinstance(step.fact, facts.Chosen) else ""
        return told

    plant.setattr(sending, "news", leaky)
    plant.setattr(sending, "all_news", lambda table, step, person: [leaky(table, step, viewer, person) for viewer in sending.viewers(table, person)])


def a_secret_choice_when_all_have_chosen(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(sending, "events_of", lambda game, act, viewer: events_of(game, act, OPEN))


OF_SEALED_CHOICES = [
    how_many_entries_the_log_has,
    when_somebody_has_chosen,
    who_has_still_to_choose,
    news_of_a_sealed_choice,
    a_secret_choice_when_all_have_chosen,
]
IN_ALL_GAMES = [
    the_state_instead_of_the_view,
    the_choices_of_another,
    who_holds_the_highest_card,
    how_many_low_cards_somebody_has,
    the_order_of_what_is_shown,
    a_refusal_made_from_the_state,
    a_bot_that_hurries_when_there_is_little_to_choose,
    news_of_another_seat,
    the_deal_in_the_news,
    hints_for_the_seat_of_another,
    whether_a_choice_may_be_taken_back_is_decided_by_the_cards,
    a_card_in_the_lobby,
    everybodys_cards_on_the_table,
    a_look_back_before_the_end,
]
PLANTED = [
    *((name, leak) for name in GAMES for leak in IN_ALL_GAMES),
    *(("hearts", leak) for leak in OF_SEALED_CHOICES),
    ("rummy", the_next_card_of_the_stock_in_a_refusal),
    ("cascade", the_next_card_of_a_deck_in_a_refusal),
]


@pytest.mark.parametrize(("name", "leak"), PLANTED, ids=lambda each: each if isinstance(each, str) else each.__name__)
def test_a_planted_leak_is_found(name: str, leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    assert next(leaks(GAMES[name], range(LEAK_FOUND_WITHIN)), "")


# ---- the secret


def with_other_secrets(entry: Entry) -> Entry:
    """The same entry of the log with different secrets."""
    fact = facts.read(entry.body)
    if isinstance(fact, facts.Opened | facts.Began):
        fact.secret = sha256(fact.secret.encode()).hexdigest()
    return replace(entry, body=facts.written(fact))


def played_out(game: Game[Any], log: list[Entry], rng: list[int]) -> list[Entry]:
    """The log, and the match played to its end with random choices."""
    table = Table(log[0].table).after(log)[0]
    while not table.playing().over:
        s = table.playing().state
        event = next_event(game, s, rng)
        seat = s.turn if isinstance(event, int) else -1
        entries = table.entries([facts.Happened(event=plain.write(game, s, event), seat=seat, by=facts.PERSON)], table.at)
        table, log = table.after(entries)[0], log + entries
    return log


def what_the_secret_changes(game: Game[Any]) -> set[str]:
    """Play a match with one secret, and the same match, deal by deal, with another. Return which fields of the messages differ, and when."""
    rng, differ = [seeded(31, 0)], set()
    log = played_out(game, some_log(game, game.players[0], 1, rng), rng)
    one, other = Table(log[0].table), Table(log[0].table)
    for entry in log:
        step, other_step = one.take(entry), other.take(with_other_secrets(entry))
        for viewer in (ONLOOKER, *range(len(one.chairs))):
            person = STRANGER if viewer == ONLOOKER else one.chairs[viewer].person
            sent = sending.news(one, step, viewer, person), sending.show(one, viewer, person)
            other_sent = sending.news(other, other_step, viewer, person), sending.show(other, viewer, person)
            for message, another in zip(sent, other_sent, strict=True):
                fields = {field for field in message.__struct_fields__ if encoded_field(message, field) != encoded_field(another, field)}
                differ |= {f"{field} when {one.status}" for field in fields}
        shown = sending.show(one, ONLOOKER, STRANGER)
        assert shown.promise == sha256(bytes.fromhex(one.secret)).hexdigest()
        assert shown.commitment == (sha256(bytes.fromhex(one.match.secret)).hexdigest() if one.match else "")
    assert one.match and sending.show(one, ONLOOKER, one.owner).secret == one.match.secret
    return differ


def encoded_field(message: messages.Sent, field: str) -> bytes:
    return msgspec.json.encode(getattr(message, field))


HASHES = {"promise when waiting", "promise when playing", "commitment when playing", "promise when over", "commitment when over", "secret when over"}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_before_the_end_nothing_is_told_of_the_secret_but_its_hash(game: Game[Any]) -> None:
    """The deals follow from the secret too; here they are the same with both secrets."""
    assert what_the_secret_changes(game) == HASHES


def the_secret_while_it_is_played(plant: pytest.MonkeyPatch) -> None:
    show = sending.show

    def leaky(table: Table, viewer: int, person: int) -> Show:
        shown = show(table, viewer, person)
        shown.secret = table.match.secret if table.match else ""
        return shown

    plant.setattr(sending, "show", leaky)


def what_bots_do_next(plant: pytest.MonkeyPatch) -> None:
    def with_the_seed(told: News, table: Table, step: Step) -> News:
        told.text += f"{table.match.seed_for(0) % 4}" if table.match else ""
        return told

    tells(plant, with_the_seed)


@pytest.mark.parametrize("leak", [the_secret_while_it_is_played, what_bots_do_next], ids=lambda each: each.__name__)
def test_a_planted_leak_of_the_secret_is_found(leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    assert what_the_secret_changes(GAMES["trick_paper_scissors"]) > HASHES
