"""Patches: a client that applies them knows the same as one that gets the whole view; and frames, which carry them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from examples import NAMES as EXAMPLES
from examples import example
from mirror import Mirror, merge
from tables import ANN, BO, QUICK, Room, playing, room

from kortlek.cards import members
from kortlek.engine import patches
from kortlek.engine.events import events_of, learns_only_what_all_learn
from kortlek.engine.match import Match
from kortlek.engine.patches import Described, can_patch, changed_entries, difference, own_patch, public_patch
from kortlek.engine.rng import pick, seeded
from kortlek.engine.view_json import offered, view_to_json
from kortlek.engine.views import ONLOOKER
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.table import facts, frames, handlers
from kortlek.table.frames import Before, Teller, joined, snapshot, viewers
from kortlek.table.live import REMEMBERED, Live
from kortlek.table.protocol.client_in import Join, Leave, Lock, Say, Undo
from kortlek.table.protocol.client_out import encoded
from kortlek.table.table import STRANGER

MOVES = 150
NAMES = [*GAMES, *EXAMPLES]


def called(name: str) -> Game[Any]:
    return GAMES[name] if name in GAMES else example(name)


def plain(value: Any) -> Any:
    """A value as it arrives."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("name", NAMES)
def test_who_applies_patches_knows_what_the_view_shows(name: str) -> None:
    game = called(name)
    for players in {game.players[0], game.players[-1]}:
        match, rng = Match(game, players, seed=players), [seeded(players, 1)]
        match.deal()
        known = {viewer: plain(view_to_json(match.view(viewer))) for viewer in range(ONLOOKER, players)}
        for _ in range(MOVES):
            if match.over:
                break
            old, before = match.state, match.view(ONLOOKER)
            match.play(pick(match.view().legal, rng))
            s, now = match.state, match.view(ONLOOKER)
            public = public_patch(before, now, Described.of(game, before.state), Described.of(game, now.state))
            for viewer in known:
                if not can_patch(game, old, s):  # told as a snapshot
                    known[viewer] = plain(view_to_json(match.view(viewer)))
                    continue
                legal = [offered(game, s, each) for each in members(match.view(viewer).legal)] if match.turn == viewer else None
                gone = [] if legal is None and old.phase >= 0 and old.turn == viewer else legal
                patch = public if viewer == ONLOOKER else own_patch(public, game, old, s, viewer, gone)
                known[viewer] = patches.merge(known[viewer], plain(patch))
                assert known[viewer] == plain(view_to_json(match.view(viewer)))


@pytest.mark.parametrize("name", NAMES)
def test_what_all_learn_is_not_made_again_for_each_seat(name: str) -> None:
    game, shared = called(name), 0
    for seed in range(3):
        match, rng = Match(game, game.players[-1], seed=seed), [seeded(seed, 2)]
        match.deal()
        for _ in range(MOVES):
            if match.over:
                break
            for act in match.play(pick(match.view().legal, rng)):
                same = [seat for seat in range(match.players) if learns_only_what_all_learn(game, act, seat)]
                assert all(events_of(game, act, seat) == events_of(game, act, ONLOOKER) for seat in same)
                shared += len(same)
    assert shared or name in ("hearts", "goofspiel") or any(choice.together for choice in game.choices)


def test_a_patch_names_what_has_changed() -> None:
    assert difference({"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 4, "d": 3}, "e": None}) == {"b": {"c": 4}, "e": None}
    assert difference({"a": {"b": 1}}, {"a": {}}) == {"a": {"b": None}}
    assert changed_entries([0] * 6, [0, 0, 5, 0, 0, 0]) == {"2": 5}
    assert changed_entries([0, 0], [1, 0]) == [1, 0] and changed_entries([1], [1, 2]) == [1, 2]
    for apply in (patches.merge, merge):
        assert apply({"a": [1, 2, 3], "b": None, "c": {"d": 1}}, {"a": {"1": 9}, "b": {"e": 1}, "c": {"d": [2]}}) == {
            "a": [1, 9, 3],
            "b": {"e": 1},
            "c": {"d": [2]},
        }


# ---- frames


class Told:
    """A table and its clients, without a network: every frame is applied at once."""

    def __init__(self, at: Room, *people: int) -> None:
        self.at, self.people = at, people
        self.live = Live(at.table)
        self.mirrors = {person: Mirror(person=person) for person in people}
        self.frames: dict[int, list[bytes]] = {person: [] for person in people}
        for person in people:
            self.send(person, encoded(snapshot(at.table, person)))

    def send(self, person: int, frame: bytes) -> None:
        self.frames[person].append(frame)
        list(self.mirrors[person].hear(json.loads(frame)))

    def happens(self, made: list[facts.AnyFact]) -> frames.Change:
        """Append facts, and send everyone her frame."""
        before = Before.of(self.at.table)
        steps = self.at.happens(made)
        change = self.live.teller.change(self.at.table, before, steps, self.live.viewpoints())
        self.live.remember(change)
        for person in self.people:
            if change.concerns(person):
                self.send(person, change.frame(self.at.table, person, viewers(self.at.table, person)))
            self.knows_the_table(person)
        return change

    def knows_the_table(self, person: int) -> None:
        """Check that a client knows what a snapshot would show."""
        whole, mirror = json.loads(encoded(snapshot(self.at.table, person))), self.mirrors[person]
        assert (mirror.seq, mirror.table) == (whole["seq"], whole["table"])
        for view in whole["views"]:
            for part in ("match", "sheet"):
                assert mirror.views[view["seat"]][part] == view.get(part)

    def asks(self, person: int, message: Any) -> frames.Change:
        token = "another" if isinstance(message, Join) and person == STRANGER else ""
        return self.happens(handlers.ask(self.at.table, message, person, token))

    def chooses(self) -> frames.Change:
        match = self.at.table.playing()
        seat = match.waiting[0]
        return self.happens(handlers.moves(self.at.table, seat, next(members(match.view(seat).legal)), facts.PERSON))


@pytest.mark.parametrize("name", GAMES)
def test_a_client_that_is_sent_steps_knows_the_table(name: str) -> None:
    game = GAMES[name]
    at = playing("Bo", game=name, players=max(2, game.players[0]), clock=30)
    told, kinds = Told(at, ANN, BO, STRANGER), set()
    for number in range(60):
        if at.table.playing().over:
            break
        kinds.add(told.chooses().is_snapshot)
        if number % 9 == 4:
            assert not told.asks(ANN, Say(seat=0, text="Hello!")).is_snapshot
        if number == 20:
            assert not told.asks(BO, Leave(seat=1)).is_snapshot
    assert False in kinds, "most of a match is told in steps"


def test_whoever_changes_seats_or_takes_back_gets_a_snapshot() -> None:
    told = Told(room("Bo", **(QUICK | {"players": 3})), ANN, BO, STRANGER)
    assert told.asks(STRANGER, Join(name="Cleo")).is_snapshot
    assert not told.asks(ANN, Lock()).is_snapshot
    told.at.begins()
    told = Told(told.at, ANN, BO, STRANGER)
    told.chooses()
    assert told.asks(ANN, Undo(seat=0)).is_snapshot


def test_several_steps_can_be_sent_as_one() -> None:
    at = playing("Bo", game="plump", players=4)
    told = Told(at, STRANGER)
    start = told.frames[STRANGER][0]
    for _ in range(60):
        told.chooses()
    steps = told.frames[STRANGER][1:]
    for many in (2, 7, len(steps)):
        client = Mirror()
        list(client.hear(json.loads(start)))
        news = [each for first in range(0, len(steps), many) for each in client.hear(json.loads(joined(steps[first : first + many])))]
        assert (client.seq, client.table) == (told.mirrors[STRANGER].seq, told.mirrors[STRANGER].table)
        assert client.views[ONLOOKER]["match"] == told.mirrors[STRANGER].views[ONLOOKER]["match"]
        numbers = [each["seq"] for each in news if each["type"] == "news"]
        assert numbers == list(range(numbers[0], client.seq + 1)), "nothing is left out"
    whole = json.loads(joined([start, *steps], is_told=False))
    assert whole["views"][0]["match"] == told.mirrors[STRANGER].views[ONLOOKER]["match"] and not whole["views"][0]["news"]


def test_who_comes_back_soon_is_sent_the_steps_that_she_missed_and_later_a_snapshot() -> None:
    told = Told(playing("Bo", game="plump", players=4), ANN)
    seen = told.mirrors[ANN].seq
    for _ in range(5):
        told.chooses()
    now = told.at.table.seq
    missed = told.live.missed_by(ANN, seen)
    assert missed is not None and [(change.since, change.seq) for change in missed] == [(seen + n, seen + n + 1) for n in range(now - seen)]
    assert told.live.missed_by(ANN, now) == []
    assert told.live.missed_by(ANN, seen - 1) is None and told.live.missed_by(ANN, now + 1) is None
    for _ in range(REMEMBERED + 1):
        told.asks(ANN, Say(seat=0, text="Hello!"))
    assert told.live.missed_by(ANN, seen) is None


def test_a_teller_says_nothing_where_nothing_has_changed() -> None:
    at = playing("Bo", **QUICK)
    teller = Teller(at.table)
    assert teller.presence(at.table) is None
    at.comes(BO)
    change = teller.presence(at.table)
    assert change and change.since == change.seq == at.table.seq and b'"here":true' in change.table
