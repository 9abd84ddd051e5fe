"""The JSON view of a match: plain data with all that a page needs, and nothing that its viewer does not see."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import set_ups, walk
from positions import deal, everybody, happens
from tables import message_from

from kortlek.cards import FRENCH, members, top
from kortlek.engine import plain
from kortlek.engine.match import Match
from kortlek.engine.rng import pick, seeded
from kortlek.engine.view_json import PlaceJson, explained_to_json, key_of, message_to_json, view_from_json, view_to_json
from kortlek.engine.views import ONLOOKER, cards_in, partners_of, places, sees, view
from kortlek.game import EVERYONE, OVER, Game, Owner, fields_of
from kortlek.game.registry import GAMES
from kortlek.games.up_and_down.layout import headline
from kortlek.words.words import words_of

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def page(game: Game[Any], s: Any, seat: int) -> str:
    """The bytes that are sent to a seat."""
    return json.dumps(view_to_json(view(game, s, seat)))


@EVERY_GAME
@settings(max_examples=4, deadline=None)
@given(st.data())
def test_everything_that_is_shown_is_plain_data_and_true(game: Game[Any], data: st.DataObject) -> None:
    players, options = data.draw(set_ups(game))
    every = data.draw(st.integers(1, 9))
    for step, s in enumerate(walk(game, players, options, data.draw(st.integers(0, 1000)))):
        if step % every and s.phase != OVER:
            continue
        for seat in everybody(s):
            told = view_to_json(view(game, s, seat))
            assert json.loads(json.dumps(told)) == told
            assert view_from_json(game, told, seat) == view(game, s, seat)
            the_places_are_right(game, s, seat, list(told["places"].values()))
            the_choices_are_right(game, s, seat, {**told, **explained_to_json(view(game, s, seat))})
            assert told["hidden"].keys() | told["places"].keys() == {key_of(each) for each in view(game, s, seat).sizes}
            assert told["winners"] == (list(members(game.rules.winners(s))) if s.phase == OVER else [])
            for name, value in told["numbers"].items():
                if seat_sees(game, s, seat, name):
                    assert value == getattr(s, name) or value == getattr(s, name)[:players]


def seat_sees(game: Game[Any], s: Any, seat: int, name: str) -> bool:
    """Whether all values of a field are public."""
    return fields_of(game.state)[name].seen_by is EVERYONE


def the_places_are_right(game: Game[Any], s: Any, seat: int, listed: list[PlaceJson]) -> None:
    partners = partners_of(game, s, seat)
    for (place, field), told in zip(places(s), listed, strict=True):
        assert field.storage
        cards = [game.pack.names[card] for card in cards_in(s, place, field.storage)]
        assert (told["place"], told["seat"]) == (place.field, None if field.owner is Owner.TABLE else place.seat)
        assert told["size"] == len(cards)
        assert told["cards"] == (cards if sees(seat, place, field, partners) else None)


def the_choices_are_right(game: Game[Any], s: Any, seat: int, told: dict[str, Any]) -> None:
    """Check the choices: those that are legal, each with its verb and subject, and for the others the reason why not."""
    seen = view(game, s, seat)
    assert told["turn"] == (seen.state.turn if s.phase >= 0 else None)
    if not seen.legal:
        assert (told["legal"], told["refused"], told["earns"]) == ([], [], [])
        return
    notation = plain.notation_of(game, seen.state)
    assert [each["choice"] for each in told["legal"]] == [notation[each] for each in members(seen.legal)]
    words = words_of(game)
    for each in [*told["legal"], *told["refused"]]:
        said = " ".join([each["verb"], *map(str, each["args"].values())])
        card = each["args"].get("card")
        assert said == each["choice"] if card is None and not {"suit", "rank"} & set(each["args"]) else each["choice"].startswith(each["verb"])
        assert card is None or each["choice"].endswith(game.pack.names[card])
    for each in told["refused"]:
        assert notation.index(each["choice"]) not in members(seen.legal)
        assert re.fullmatch(r"[A-Z0-9].*[^ ]\.", words.say(message_from(each["why"])))
    if set(game.pack.names) & {text.split()[-1] for text in notation if text} and s.phase == 0:
        named = {text.split()[-1] for text in (each["choice"] for each in [*told["legal"], *told["refused"]])}
        held = {card for place in told["places"].values() if (place["place"], place["seat"]) == ("hand", seat) for card in place["cards"] or []}
        assert named & set(game.pack.names) <= held


# ---- nothing hidden is sent


@pytest.mark.parametrize("players", [2, 4, 10])
def test_nobody_is_shown_the_card_at_her_own_forehead(players: int) -> None:
    """In Plump's round of one tick. When the round is over, everyone sees all cards."""
    plump, asked, rng = GAMES["plump"], set(), [seeded(5, players)]
    s = next(s for s in walk(plump, players, {}, 8) if s.phase == 0 and s.hand_size == 1)
    foreheads = [top(pile) for pile in s.forehead[:players]]
    while s.phase == 0:
        for seat in range(players):
            for owner, card in enumerate(foreheads):
                assert (FRENCH[card] in page(plump, s, seat)) == (owner != seat)
        assert not [name for name in FRENCH if name in page(plump, s, ONLOOKER)]
        asked.add(s.turn)
        plain.step(plump, s, pick(plump.legal(s), rng))
    assert asked == set(range(players))
    for seat in everybody(s):
        assert all(FRENCH[card] in page(plump, s, seat) for card in foreheads)


# ---- an example


def test_a_page_is_shown_all_it_needs() -> None:
    game = GAMES["up_and_down"]
    s = plain.begin(game, 2, {"largest_round": 2, "first_bettor": 0})
    deal(game, s, ["C3", "H3"], first=0, then="D4")
    happens(game, s, "bet 1, bet 1, play H3, play C3")
    deal(game, s, ["C9 DA", "C2 DK"], first=1, then="S4")
    happens(game, s, "bet 1, bet 2, play C9")
    told: dict[str, Any] = {**view_to_json(view(game, s, 1))}
    explained = explained_to_json(view(game, s, 1))
    assert [tuple(each.values()) for each in told.pop("places").values()] == [
        ("hand", 0, 1, None),
        ("hand", 1, 2, ["C2", "DK"]),
        ("rest", None, 47, None),
        ("trick", None, 1, ["C9"]),
        ("gone", None, 0, []),
        ("mesa", None, 1, ["S4"]),
    ]
    numbers = told.pop("numbers")
    assert (numbers["bet"], numbers["taken"], numbers["leader"]) == ([2, 1], [0, 0], 0)
    assert not {"phase", "largest_round", "hand", "score"} & set(numbers)
    words = words_of(game)
    assert words.say(message_from(explained["table"][-1]), ("Lisa", "Stephen"), 1) == "On the table: Lisa 9♣"
    refused: dict[str, Any] = {**explained["refused"][0]}
    assert len(explained["refused"]) == 1
    assert words.say(message_from(refused.pop("why"))) == "You must follow suit: play one of 2♣."
    assert refused == {"choice": "play DK", "verb": "play", "args": {"card": 24}}
    assert told == {
        **{"game": "up_and_down", "round": 1, "phase": "play", "turn": 1, "players": 2, "score": [0, 12], "winners": [], "kind": 1, "next": 1},
        **{"waiting": [1], "together": False, "out": [], "partners": [], "teams": [0, 1], "hidden": {}},
        "options": {"largest_round": 2, "first_bettor": 0},
        "last": None,
        "drawn": {},
        "legal": [{"choice": "play C2", "verb": "play", "args": {"card": 0}}],
        "headline": message_to_json(headline(s)),
    }
    assert (explained["table"][0], explained["earns"], explained["drawn"]) == (told["headline"], [], {})


def test_where_all_choose_together_each_sees_only_that_she_may_choose() -> None:
    match = Match(GAMES["hearts"], 4, seed=3)
    match.deal()
    assert [view_to_json(match.view(seat))["waiting"] for seat in (ONLOOKER, *range(4))] == [[0, 1, 2, 3]] * 5
    for _ in range(3):
        match.play(view_to_json(match.view(2))["legal"][0]["choice"], 2)
    told = [view_to_json(match.view(seat)) for seat in (ONLOOKER, *range(4))]
    assert [each["waiting"] for each in told] == [[0, 1, 2, 3]] * 3 + [[0, 1, 3], [0, 1, 2, 3]]
    assert [len(each["legal"]) for each in told] == [0, 13, 13, 0, 13]
    for seat, each in zip((ONLOOKER, *range(4)), told, strict=True):
        assert view_from_json(match.game, each, seat) == match.view(seat)
