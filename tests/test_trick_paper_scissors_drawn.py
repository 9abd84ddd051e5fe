"""What the page is told to draw TrickPaperScissors, beyond where the cards are: what is on the cards, and what points are worth."""

from typing import Any

import pytest
from playing import walk
from positions import deal, happens

from kortlek.engine.plain import begin
from kortlek.engine.views import ONLOOKER, view
from kortlek.game import OVER
from kortlek.games.trick_paper_scissors.rules import TRICK_PAPER_SCISSORS
from kortlek.engine.view_json import explained_to_json

NAMES = ("Lisa", "Stephen", "Toby", "Rachel")
HANDS = ("R7 S1", "R3 R13", "R11 P1", "P5 S2")


def dealt(hands: tuple[str, ...] = HANDS, **options: object) -> Any:
    """A deal in which seat 0 leads."""
    s = begin(TRICK_PAPER_SCISSORS, 4, options)
    deal(TRICK_PAPER_SCISSORS, s, hands, first=0, size=9)
    return s


def drawn(s: Any, seat: int = 0) -> dict[str, Any]:
    told: dict[str, Any] = explained_to_json(view(TRICK_PAPER_SCISSORS, s, seat))["drawn"]
    return told


def test_every_suit_says_what_trumps_it() -> None:
    told = drawn(dealt())
    trumped = {suit: told["suits"][by] for suit, by in zip(told["suits"], told["trumped_by"], strict=True)}
    assert trumped == {"rock": "paper", "paper": "scissors", "scissors": "rock"}
    assert told["ladder"] == [-1, 1, 2]


def test_the_stars_are_those_of_the_option() -> None:
    assert drawn(dealt())["stars"] == [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]
    stars = [0, 9, 1, 1, 1, 1, 4, 1, 1, 1, 1, 1, 5]
    s = dealt(stars=stars)
    assert drawn(s, ONLOOKER)["stars"] == stars
    happens(TRICK_PAPER_SCISSORS, s, "play R7")
    assert drawn(s)["lowest"] == {"seat": 0, "stars": 4}


def test_the_lowest_card_of_the_suit_led_is_named_whatever_else_lies_there() -> None:
    s = dealt()
    assert drawn(s)["lowest"] is None
    happens(TRICK_PAPER_SCISSORS, s, "play R7, play R3")
    assert drawn(s)["lowest"] == {"seat": 1, "stars": 1}
    s = dealt(("S13", "R1 R2 R3 R4 R5 R6 R7 R8 R9", "P1", "P2"))
    happens(TRICK_PAPER_SCISSORS, s, "play S13, play R1")
    assert drawn(s)["lowest"] == {"seat": 0, "stars": 3}, "a trump has no part in it"


@pytest.mark.parametrize("seed", range(5))
def test_points_are_worth_what_they_would_score_now(seed: int) -> None:
    for s in walk(TRICK_PAPER_SCISSORS, 4, {}, seed):
        told = drawn(s, ONLOOKER)
        assert told["points"] == [list(each) for each in zip(s.rock, s.paper, s.scissors, strict=True)][:4]
        if s.phase == OVER:
            assert told["worth"] == s.result[:4]
