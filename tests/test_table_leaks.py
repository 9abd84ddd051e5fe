"""What a table sends reveals nothing about cards that the recipient cannot see: the same bytes in two worlds (tests/worlds.py), in many
games of each game. The same check finds each planted leak."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, cast

import msgspec
import pytest
from examples import NAMES as EXAMPLES
from examples import example
from playing import next_event
from tables import after, show
from worlds import leaks, some_log

from kortlek.cards import size
from kortlek.engine.fairness import Seed
from kortlek.engine import plain
from kortlek.engine.events import events_of
from kortlek.engine.patches import own_patch
from kortlek.engine.plain import Refused
from kortlek.engine.rng import seeded
from kortlek.engine.view_json import explained_to_json
from kortlek.engine.views import ONLOOKER, OPEN, View, opened, view
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.table import clocks, facts, frames, handlers, news, questions
from kortlek.table.facts import AnyFact
from kortlek.table.match import LiveMatch
from kortlek.table.protocol.client_in import Choose
from kortlek.table.protocol.client_out import News
from kortlek.table.refusals import Refusal
from kortlek.table.store import Entry, Standing
from kortlek.table.table import STRANGER, Step, Table

GAMES_EACH = 1000
PARTS = 4
"""The tests of each game are split into this many parts, so that they can run in parallel."""
EXAMPLE_GAMES = 150
REVEALING = ("auction", "go_fish", "leduc")
"""Examples in which choices show cards within a round: a dummy, cards that were asked for, a showdown."""
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


@pytest.mark.parametrize("name", EXAMPLES)
def test_bytes_of_games_of_ones_own_do_not_depend_on_hidden_cards(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = example(name)
    monkeypatch.setitem(GAMES, game.name, game)
    assert list(leaks(game, range(EXAMPLE_GAMES), reveals=name in REVEALING)) == []


# ---- planted leaks


def hand(s: Any, seat: int) -> int:
    """The cards in a hand, however they are stored."""
    cards = s.hand[seat % s.players]
    return int(cards if isinstance(cards, int) else cards[0] | cards[1] << 56)


def shows(plant: pytest.MonkeyPatch, more: Callable[[dict[str, Any], int, Any], None]) -> None:
    """Plant a leak in snapshots: change the match as a viewer sees it, with access to its state."""
    view_of = frames.view_of

    def leaky(table: Table, viewer: int, told: Sequence[News] = ()) -> Any:
        shown = view_of(table, viewer, told)
        if shown.match and not table.playing().over:
            more(cast(dict[str, Any], shown.match), viewer, table.playing().state)
        return shown

    plant.setattr(frames, "view_of", leaky)


def patches(plant: pytest.MonkeyPatch, more: Callable[[dict[str, Any], int, Any], None]) -> None:
    """Plant a leak in steps: change the patch of a viewer, with access to the state of the match."""
    patch = frames.Views.patch

    def leaky(self: frames.Views, seat: int) -> Any:
        made = patch(self, seat)
        changed = {**made.match}
        if not self.match.over:
            more(changed, seat, self.match.state)
        return msgspec.structs.replace(made, match=changed)

    plant.setattr(frames.Views, "patch", leaky)


def the_state_instead_of_the_view(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(LiveMatch, "view_of", lambda self, s, seat: replace(view(self.game, s, seat), state=s))
    plant.setattr(View, "sees", lambda *_: True)


def the_choices_of_another(plant: pytest.MonkeyPatch) -> None:
    shows(plant, lambda match, viewer, s: match.update({"kind": GAMES[match["game"]].legal(s) if s.phase >= 0 else 0}))


def who_holds_the_highest_card(plant: pytest.MonkeyPatch) -> None:
    shows(plant, lambda match, viewer, s: match.update({"next": max(range(s.players), key=lambda seat: hand(s, seat))}))


def how_many_low_cards_somebody_has(plant: pytest.MonkeyPatch) -> None:
    shows(plant, lambda match, viewer, s: match["out"].append(size(hand(s, viewer + 1) & (1 << 20) - 1)))


def the_order_of_what_is_shown(plant: pytest.MonkeyPatch) -> None:
    """The same places, but those of the seat with the better cards come first."""

    def sort(match: dict[str, Any], viewer: int, s: Any) -> None:
        match["places"] = dict(sorted(match["places"].items(), key=lambda each: -hand(s, each[1]["seat"] or 0)))

    shows(plant, sort)


def a_patch_with_the_cards_of_another(plant: pytest.MonkeyPatch) -> None:
    """Only the size of the other hand is named, but with all its cards."""
    patches(plant, lambda patch, viewer, s: patch.update({"places": {f"hand/{viewer + 1}": {"cards": [hand(s, viewer + 1)]}}}))


def a_patch_that_is_there_only_for_some_cards(plant: pytest.MonkeyPatch) -> None:
    patches(plant, lambda patch, viewer, s: patch.clear() if hand(s, viewer + 1) % 3 == 0 else None)


def a_frame_whose_length_depends_on_the_cards(plant: pytest.MonkeyPatch) -> None:
    patches(plant, lambda patch, viewer, s: patch.update({"headline": " " * (hand(s, viewer + 1) % 7)}))


def the_patch_of_another_seat(plant: pytest.MonkeyPatch) -> None:
    own = own_patch
    plant.setattr(frames, "own_patch", lambda public, game, old, s, seat, legal: own(public, game, old, s, (seat + 1) % s.players, legal))


def an_explanation_made_from_the_state(plant: pytest.MonkeyPatch) -> None:
    explained = explained_to_json

    def leaky(seen: View[Any]) -> Any:
        return {**explained(seen), "drawn": {"hands": [hand(STATES[id(seen)], seat) for seat in range(seen.state.players)]}}

    STATES = dict[int, Any]()
    view_of = LiveMatch.view_of

    def remembered(self: LiveMatch, s: Any, seat: int) -> View[Any]:
        seen = view_of(self, s, seat)
        STATES[id(seen)] = s
        return seen

    plant.setattr(LiveMatch, "view_of", remembered)
    plant.setattr(questions, "explained_to_json", leaky)


def a_history_of_another_seat(plant: pytest.MonkeyPatch) -> None:
    so_far = questions.events_so_far
    plant.setattr(questions, "events_so_far", lambda match, seat: so_far(match, (seat + 1) % match.players))


def refuses(plant: pytest.MonkeyPatch, why: Callable[[Table, Choose], str]) -> None:
    """Plant a leak in the refusal of a choice."""

    def leaky(table: Table, message: Choose, person: int) -> list[AnyFact]:
        try:
            return handlers.choose(table, message, person)
        except Refusal as refusal:
            raise Refusal(refusal.code, refusal.message, sentence=refusal.sentence + why(table, message)) from refusal

    plant.setitem(handlers.ASK, Choose, leaky)


def the_next_card_of_the_stock_in_a_refusal(plant: pytest.MonkeyPatch) -> None:
    refuses(plant, lambda table, message: table.game.pack.names[table.playing().state.stock[max(1, table.playing().state.stock[0])]])


def the_next_card_of_a_deck_in_a_refusal(plant: pytest.MonkeyPatch) -> None:
    refuses(plant, lambda table, message: str(table.playing().state.deck[message.seat][table.playing().state.deck[message.seat][0]]))


def a_refusal_made_from_the_state(plant: pytest.MonkeyPatch) -> None:
    def sentence(table: Table, message: Choose) -> str:
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
    made, of_step = frames.Views._news, news.news_of
    plant.setattr(frames.Views, "_news", lambda self, step, events: more(made(self, step, events), self.table, step))
    for module in (frames, news):
        plant.setattr(module, "news_of", lambda table, step, viewer: more(of_step(table, step, viewer), table, step))


def news_of_another_seat(plant: pytest.MonkeyPatch) -> None:
    events = frames.Views._events
    plant.setattr(frames.Views, "_events", lambda self, acts, seat: events(self, acts, (seat + 1) % self.match.players))


def events_that_only_a_seat_learns_are_told_to_all(plant: pytest.MonkeyPatch) -> None:
    events = frames.Views._events
    plant.setattr(frames.Views, "_events", lambda self, acts, seat: events(self, acts, 0 if seat == ONLOOKER else seat))


def the_deal_in_the_news(plant: pytest.MonkeyPatch) -> None:
    def with_the_event(told: News, table: Table, step: Step) -> News:
        return msgspec.structs.replace(told, text=step.fact.event if isinstance(step.fact, facts.Happened) else "")

    tells(plant, with_the_event)


def hints_for_the_seat_of_another(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(handlers, "check_hint", lambda table, message, person: None)


def whether_a_choice_may_be_taken_back_is_decided_by_the_cards(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(handlers, "may_undo", lambda game, steps, now, seat: hand(now, seat + 1) % 5 > 2)


def a_card_in_the_lobby(plant: pytest.MonkeyPatch) -> None:
    standing = Table.standing

    def leaky(self: Table) -> Standing:
        found = standing(self)
        return replace(found, line=f"{found.line} {hand(self.match.state, 0)} {hand(self.match.state, 1)}") if self.match else found

    plant.setattr(Table, "standing", leaky)


def everybodys_cards_on_the_table(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(LiveMatch, "view_of", lambda self, s, seat: opened(self.game, s))


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
    snapshot = frames.snapshot
    plant.setattr(frames, "snapshot", lambda table, person: msgspec.structs.replace(snapshot(table, person), at=table.at))


def who_has_still_to_choose(plant: pytest.MonkeyPatch) -> None:
    view_of = frames.view_of

    def leaky(table: Table, viewer: int, told: Sequence[News] = ()) -> Any:
        shown = view_of(table, viewer, told)
        if shown.match and not table.playing().over:
            shown.match["waiting"] = table.playing().waiting
        return shown

    plant.setattr(frames, "view_of", leaky)


def news_of_a_sealed_choice(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(frames.Change, "concerns", lambda self, person: True)


def a_secret_choice_when_all_have_chosen(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(news, "events_of", lambda game, act, viewer: events_of(game, act, OPEN))


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
    a_patch_with_the_cards_of_another,
    a_patch_that_is_there_only_for_some_cards,
    a_frame_whose_length_depends_on_the_cards,
    the_patch_of_another_seat,
    an_explanation_made_from_the_state,
    a_history_of_another_seat,
    events_that_only_a_seat_learns_are_told_to_all,
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
    table = after(Table(log[0].table), log)[0]
    while not table.playing().over:
        s = table.playing().state
        event = next_event(game, s, rng)
        seat = s.turn if isinstance(event, int) else -1
        entries = table.entries([facts.Happened(event=plain.write(game, s, event), seat=seat, by=facts.PERSON)], table.at)
        table, log = after(table, entries)[0], log + entries
    return log


def what_the_secret_changes(game: Game[Any]) -> set[str]:
    """Play a match with one secret, and the same match, deal by deal, with another. Return which fields of the messages differ, and when."""
    rng, differ = [seeded(31, 0)], set()
    log = played_out(game, some_log(game, game.players[0], 1, rng), rng)
    one, other = Table(log[0].table), Table(log[0].table)
    for entry in log:
        step, other_step = one.take(entry), other.take(with_other_secrets(entry))
        for viewer in (ONLOOKER, *range(len(one.chairs))):
            sent = news.news_of(one, step, viewer), show(one, viewer, STRANGER)
            other_sent = news.news_of(other, other_step, viewer), show(other, viewer, STRANGER)
            for message, another in zip(sent, other_sent, strict=True):
                fields = {field for field in message.__struct_fields__ if encoded_field(message, field) != encoded_field(another, field)}
                differ |= {f"{field} when {one.status}" for field in fields}
        shown = show(one, ONLOOKER, STRANGER)
        assert shown.promise == Seed(one.code, one.matches + 1, bytes.fromhex(one.secret), ()).commitment
        assert shown.commitment == (one.match.fair.commitment if one.match else "")
    assert one.match
    return differ


def encoded_field(message: msgspec.Struct, field: str) -> bytes:
    return msgspec.json.encode(getattr(message, field))


HASHES = {"promise when waiting", "promise when playing", "commitment when playing", "promise when over", "commitment when over"}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_before_the_end_nothing_is_told_of_the_secret_but_its_hash(game: Game[Any]) -> None:
    """The deals follow from the secret too; here they are the same with both secrets."""
    assert what_the_secret_changes(game) == HASHES


def the_secret_while_it_is_played(plant: pytest.MonkeyPatch) -> None:
    to_json = frames.table_to_json
    plant.setattr(frames, "table_to_json", lambda table: {**to_json(table), "title": table.match.fair.secret.hex() if table.match else ""})


def what_bots_do_next(plant: pytest.MonkeyPatch) -> None:
    def with_the_seed(told: News, table: Table, step: Step) -> News:
        return msgspec.structs.replace(told, text=told.text + (f"{table.match.seed_for(0) % 4}" if table.match else ""))

    tells(plant, with_the_seed)


@pytest.mark.parametrize("leak", [the_secret_while_it_is_played, what_bots_do_next], ids=lambda each: each.__name__)
def test_a_planted_leak_of_the_secret_is_found(leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    assert what_the_secret_changes(GAMES["trick_paper_scissors"]) > HASHES
