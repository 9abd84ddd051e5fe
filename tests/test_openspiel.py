"""Our games in lockstep with OpenSpiel's (docs/openspiel.md), and tests of the comparison itself, which must find every planted difference."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

import pytest
from openspiel import DEALS, lockstep, numbers_by_rank, numbers_by_suit
from openspiel_sides import OH_HELL_ACTIONS, OH_HELL_PAIRING, PAIRINGS, OhHell

from kortlek.cards import FRENCH
from kortlek.engine import plain

from oh_hell import KINDS, PLAYERS, TRICKS  # openspiel_sides puts its folder on the path

pyspiel: Any = pytest.importorskip("pyspiel")
PAGE = (Path(__file__).parent.parent / "docs" / "openspiel.md").read_text()


@pytest.mark.parametrize("name", PAIRINGS)
def test_every_position_is_the_same_in_openspiel(name: str) -> None:
    compared = lockstep(PAIRINGS[name])
    assert compared.deals == DEALS and compared.choices > DEALS


def test_oh_hell_is_compared_whole() -> None:
    compared = lockstep(OH_HELL_PAIRING, deals=5)
    assert (compared.choices, compared.outcomes) == (5 * 30, 5 * 30)


def test_the_page_names_every_parameter_with_its_default() -> None:
    named = re.findall(r"^\| (\w+) \| `(\w+)` \| `([^`]+)` \|", PAGE, re.M)
    games = {game.short_name: game.parameter_specification for game in pyspiel.registered_games()}
    names = {game for game, _, _ in named}
    assert len(names) == 8 and {pairing.theirs.partition("(")[0] for pairing in PAIRINGS.values()} <= names
    assert sorted(named) == sorted((game, parameter, str(default)) for game in names for parameter, default in games[game].items())


def test_the_page_is_about_the_version_that_is_compared() -> None:
    assert f"[OpenSpiel](https://github.com/google-deepmind/open_spiel) {version('open_spiel')}," in PAGE


# ---- the comparison itself


def test_cards_have_openspiels_numbers() -> None:
    assert numbers_by_suit("CDHS") == {name: number for number, name in enumerate(FRENCH)}
    by_rank = numbers_by_rank("CDHS")
    assert [by_rank[name] for name in ("C2", "D2", "H2", "S2", "C3", "SQ", "SA")] == [0, 1, 2, 3, 4, 43, 51]


def test_a_deal_can_be_repeated() -> None:
    first: list[str] = []
    again: list[str] = []
    for seen in (first, again):

        def listening(rng: Random, choices: Sequence[str], seen: list[str] = seen) -> str:
            seen.append(rng.choice(choices))
            return seen[-1]

        lockstep(replace(OH_HELL_PAIRING, choose=listening), deals=1, seed=5, first=77)
    assert first == again and len(first) == 30


class WrongTurn(OhHell):
    @property
    def turn(self) -> int:
        return (self.s.turn + (sum(self.s.taken[:PLAYERS]) == 4)) % PLAYERS


class TooFewChoices(OhHell):
    @property
    def legal(self) -> Collection[str]:
        return set(super().legal) - {"bid 7"}


class TooManyChoices(OhHell):
    @property
    def legal(self) -> Collection[str]:
        return set(super().legal) | {"play H8"}


class WrongReturns(OhHell):
    @property
    def returns(self) -> Sequence[float]:
        return [self.s.score[0], self.s.score[1], self.s.score[2] + 1]


class EndsLate(OhHell):
    @property
    def over(self) -> bool:
        return False


class WrongDeal(OhHell):
    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.chance = iter([TRICKS, 0, *([3] * KINDS)]).__next__


class Refuses(OhHell):
    def play(self, choice: str) -> None:
        raise plain.Refused(f"{choice} is refused")


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (WrongTurn, r"in turn: ours \d, OpenSpiel \d\n(.*\n)+seat \d: play"),
        (TooFewChoices, r"legal for seat \d: only ours \[\], only OpenSpiel's \['7 \(35\)'\], both \["),
        (TooManyChoices, r"legal for seat \d: only ours \['play H8 \(27\)'\], only OpenSpiel's \[\], both \["),
        (WrongReturns, r"returns: ours \[.*\], OpenSpiel \["),
        (EndsLate, r"over: ours False, OpenSpiel True"),
        (WrongDeal, r"chance: ours drew 3, OpenSpiel can only draw \[0, 1, 2, 4"),
        (Refuses, r"bid \d is refused"),
    ],
)
def test_a_planted_difference_is_found_and_told_with_its_history(start: Any, says: str) -> None:
    with pytest.raises(AssertionError, match=says) as found:
        lockstep(replace(OH_HELL_PAIRING, start=start), deals=20, seed=3)
    assert "seed 3, deal 0: " in str(found.value) and "\nchance: " in str(found.value) and "OpenSpiel has\n" in str(found.value)


def test_two_choices_may_not_be_one() -> None:
    with pytest.raises(AssertionError, match="two of our choices are one of OpenSpiel's"):
        lockstep(replace(OH_HELL_PAIRING, action=lambda text: max(29, OH_HELL_ACTIONS[text])), deals=1)


def test_more_can_be_compared() -> None:
    with pytest.raises(AssertionError, match="7 tricks are taken"):
        lockstep(replace(OH_HELL_PAIRING, difference=lambda ours, theirs: "7 tricks are taken" if sum(ours.s.taken) == 7 else ""), deals=1)
