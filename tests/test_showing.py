"""What a page is shown: plain data that holds all it needs and nothing that its viewer does not see."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kortlek.cards import FRENCH, lowest, members
from kortlek.play import plain
from kortlek.play.information import ONLOOKER, cards_in, places, sees, view
from kortlek.play.plain import Refused
from kortlek.play.seeded import pick, seeded
from kortlek.play.showing import read_back, shown
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, Game
from playing import set_ups, walk
from positions import deal, everybody, happens

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
NAMES = ("Lisa", "Stephen", "Toby", "Rachel", "Ann", "Bo", "Cleo", "Dan", "Eve", "Finn")


def page(game: Game[Any], s: Any, seat: int) -> str:
    """The bytes that are sent to a seat."""
    return json.dumps(shown(view(game, s, seat), NAMES[: s.players]))


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
            told = shown(view(game, s, seat), NAMES[:players])
            assert json.loads(json.dumps(told)) == told
            assert read_back(game, told, seat) == view(game, s, seat)
            the_places_are_right(game, s, seat, told["places"])
            the_choices_are_right(game, s, seat, told)
            assert told["winners"] == (list(members(game.winners(s))) if s.phase == OVER else [])
            for name, value in told["numbers"].items():
                assert value == getattr(s, name) or value == getattr(s, name)[:players]


def the_places_are_right(game: Game[Any], s: Any, seat: int, listed: list[dict[str, Any]]) -> None:
    for (place, field), told in zip(places(s), listed, strict=True):
        assert field.lies
        cards = [game.pack.names[card] for card in cards_in(s, place, field.lies)]
        assert (told["place"], told["seat"]) == (place.field, place.seat if field.per_seat else None)
        assert told["size"] == len(cards)
        assert told["cards"] == (cards if sees(seat, place, field) else None)


def the_choices_are_right(game: Game[Any], s: Any, seat: int, told: dict[str, Any]) -> None:
    """The choices are those that are legal, and the reasons those with which the engine refuses."""
    assert told["turn"] == (s.turn if s.phase >= 0 else None)
    if s.phase < 0 or s.turn != seat:
        assert (told["ask"], told["choices"], told["refused"], told["earns"]) == ("", [], {}, {})
        return
    assert told["ask"] == game.choices[s.phase].ask
    assert {plain.read(game, s, text) for text in told["choices"]} == set(members(game.legal(s)))
    for text, reason in told["refused"].items():
        assert re.fullmatch(r"[A-Z0-9].*[^ ]\.", reason)
        with pytest.raises(Refused) as refused:
            plain.read(game, s, text)
        assert str(refused.value) == f"{text!r} is not allowed: {reason}"
    if game.choices[s.phase].notation[0].split()[-1] in game.pack.names:
        named = {text.split()[-1] for text in [*told["choices"], *told["refused"]]}
        [held] = [place["cards"] for place in told["places"] if (place["place"], place["seat"]) == ("hand", seat)]
        assert named & set(game.pack.names) == set(held)


# ---- nothing hidden


@pytest.mark.parametrize("players", [2, 4, 10])
def test_nobody_is_shown_the_card_at_her_own_forehead(players: int) -> None:
    """In Plump's round of one tick. When the round is over, everyone is shown all cards."""
    plump, asked, rng = GAMES["plump"], set(), [seeded(5, players)]
    s = next(s for s in walk(plump, players, {}, 8) if s.phase == 0 and s.cards == 1)
    foreheads = s.forehead[:players]
    while s.phase == 0:
        for seat in range(players):
            for owner, card in enumerate(map(lowest, foreheads)):
                assert (FRENCH[card] in page(plump, s, seat)) == (owner != seat)
        assert not [name for name in FRENCH if name in page(plump, s, ONLOOKER)]
        asked.add(s.turn)
        plain.happen(plump, s, pick(plump.legal(s), rng))
    assert asked == set(range(players))
    for seat in everybody(s):
        assert all(FRENCH[lowest(card)] in page(plump, s, seat) for card in foreheads)


# ---- an example


def test_a_page_is_shown_all_it_needs() -> None:
    game = GAMES["up_and_down"]
    s = plain.begin(game, 2, {"N": 2, "start": 0})
    deal(game, s, ["C3", "H3"], first=0, then="D4")
    happens(game, s, "bet 1, bet 1, play H3, play C3")
    deal(game, s, ["C9 DA", "C2 DK"], first=1, then="S4")
    happens(game, s, "bet 1, bet 2, play C9")
    told = shown(view(game, s, 1), ("Lisa", "Stephen"))
    assert [tuple(each.values()) for each in told.pop("places")] == [
        ("hand", "Hand", 0, 1, None),
        ("hand", "Hand", 1, 2, ["C2", "DK"]),
        ("rest", "Rest", None, 47, None),
        ("trick", "Trick", None, 1, ["C9"]),
        ("gone", "Gone", None, 0, []),
        ("mesa", "Mesa", None, 1, ["S4"]),
    ]
    numbers = told.pop("numbers")
    assert (numbers["bet"], numbers["taken"], numbers["leader"]) == ([2, 1], [0, 0], 0)
    assert not {"phase", "N", "hand", "score"} & set(numbers)
    assert told.pop("table")[-3:] == ["Score: Lisa 0, You 12", "Options: N=2, start=0", "Your hand: C2, DK"]
    assert told == {
        **{"game": "up_and_down", "round": 1, "phase": "play", "turn": 1, "players": 2, "score": [0, 12], "winners": [], "kind": 1, "next": 1},
        "options": {"N": 2, "start": 0},
        "last": "",
        "drawn": {},
        "ask": "Which card do you play?",
        "choices": ["play C2"],
        "refused": {"play DK": "You must follow suit: play one of C2."},
        "earns": {},
    }
