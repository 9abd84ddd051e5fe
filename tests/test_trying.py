"""A game that nobody has tested yet is tried out first: whatever it breaks is said in one sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from kortlek.play import trying
from kortlek.play.plain import Refused
from kortlek.play.trying import try_out
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, Game

GAME = GAMES["up_and_down"]


@pytest.mark.parametrize("name", GAMES)
def test_the_games_of_the_house_pass(name: str) -> None:
    game = GAMES[name]
    try_out(dataclasses.replace(game, players=game.players[:2]))


def after(function: Callable[..., Any], more: Callable[[Any], None]) -> Callable[..., None]:
    """A rule that does what it should, and something more."""

    def both(s: Any, given: Any) -> None:
        function(s, given)
        more(s)

    return both


def set_phase(phase: int) -> Callable[[Any], None]:
    return lambda s: setattr(s, "phase", phase)


def without_rounds(s: Any, choice: int) -> None:
    GAME.apply(s, choice)
    if s.phase == OVER:
        s.round = 0


def peeks(s: Any) -> int:
    """What is allowed depends on the next player's cards."""
    legal = GAME.legal(s)
    return legal & -legal if s.hand[(s.turn + 1) % s.players] % 3 == 0 else legal


def spoils(s: Any) -> int:
    s.leader += 1
    return GAME.legal(s)


def too_many(s: Any) -> None:
    s.hand[0] |= s.rest & -s.rest


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "name": ({"name": "My Game"}, "A game cannot be called 'My Game'"),
    "players": ({"players": range(0, 3)}, "cannot be for range(0, 3) players"),
    "version": ({"version": 0}, "cannot have the version 0"),
    "nothing is allowed": ({"legal": lambda s: 0}, "legal is empty when seat"),
    "too much is allowed": ({"legal": lambda s: 1 << 60}, "it is the set of the choices she has"),
    "legal changes something": ({"legal": spoils}, "legal changes the state"),
    "legal peeks": ({"legal": peeks}, "legal depends on cards that she does not see"),
    "it never ends": ({"apply": lambda s, choice: None}, "the match is not over: does apply ever set s.phase = OVER?"),
    "an unknown phase": ({"deal": after(GAME.deal, set_phase(7))}, "s.phase is 7"),
    "a seat that is not there": ({"deal": after(GAME.deal, lambda s: setattr(s, "turn", 9))}, "s.turn is 9"),
    "rounds go back": ({"apply": after(GAME.apply, lambda s: setattr(s, "round", -1))}, "it counts the finished rounds"),
    "rounds are not counted": ({"apply": without_rounds, "players": range(2, 3)}, "s.round"),
    "a fraction": ({"deal": after(GAME.deal, lambda s: setattr(s, "leader", 0.5))}, "s.leader holds 0.5"),
    "a card twice": ({"deal": after(GAME.deal, too_many)}, "lies in two places"),
    "a card nowhere": ({"deal": after(GAME.deal, lambda s: setattr(s, "rest", 0))}, "lies nowhere"),
    "a strange card": ({"deal": after(GAME.deal, lambda s: setattr(s, "rest", s.rest | 1 << 60))}, "There is no card 60 in the pack"),
    "nothing to shuffle": ({"gather": lambda s, pack: 0}, "to be shuffled"),
    "no winners": ({"winners": lambda s: 1 << 11}, "it is the set of the seats that share the win"),
    "no reason": ({"why_not": lambda s, choice: ""}, "it should be a sentence"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_a_game_breaks_is_said(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, sentence = BROKEN[what]
    monkeypatch.setattr(trying, "LONGEST", 2000)
    game: Game[Any] = dataclasses.replace(GAME, **{"players": range(3, 4), **changes})
    with pytest.raises(Refused) as told:
        try_out(game)
    assert sentence in str(told.value) and "\n" not in str(told.value)
