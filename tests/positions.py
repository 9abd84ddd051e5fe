"""Positions for tests: packs in a chosen order, events in notation, and tricks won by chosen players."""

from collections.abc import Sequence
from typing import Any

import pytest

from kortlek.cards import RANKS_OF_A_SUIT, Cards, members, set_of
from kortlek.engine import plain
from kortlek.engine.messages import why_not
from kortlek.engine.views import ONLOOKER, View, view
from kortlek.game import Game
from kortlek.words.words import Words

AnyGame = Game[Any]
Trick = list[str]
"""The card of each seat, in notation."""


def happens(game: AnyGame, s: Any, *texts: str) -> None:
    """Apply legal events one after another; a text may hold several, separated by commas."""
    for text in texts:
        for each in text.split(", "):
            plain.step(game, s, plain.read(game, s, each))


def refusal(game: AnyGame, s: Any, text: str) -> str:
    """The sentence that refuses an event, followed by the reason given to the player in turn."""
    with pytest.raises(plain.Refused) as refused:
        plain.read(game, s, text)
    choices = plain.notation_of(game, s) if s.phase >= 0 else []
    if text not in choices:
        return str(refused.value)
    seen = view(game, s, s.turn)
    return f"{refused.value} {reason_against(seen, choices.index(text))}"


def sheet_cells(game: AnyGame, s: Any) -> list[str]:
    """The cells of the round just finished, as the score sheet shows them."""
    words = Words(game)
    return [words.text("sheet-cell", **{name: getattr(s, name)[seat] for name in game.sheet.cells}) for seat in range(s.players)]


def reason_against(seen: View[Any], choice: int) -> str:
    """Why a choice is not legal, in words."""
    return Words(seen.game).say(why_not(seen.game, seen.state, choice))


def allowed(game: AnyGame, s: Any) -> str:
    """The legal choices of the player in turn, without their verb: ``'0 1 3'``, ``'C2 HQ'``."""
    notation = game.notation[s.phase]
    return " ".join(notation[each].split(" ", 1)[1] for each in members(game.legal(s)))


def cards(game: AnyGame, text: str) -> Cards:
    """The set of the cards in a text."""
    return set_of(game.pack.names.index(name) for name in text.split())


def deal(game: AnyGame, s: Any, hands: Sequence[str], *, first: int, size: int = 0, then: str = "") -> None:
    """Deal these hands, by seat, one card at a time from the first seat, and after them the cards in ``then``.

    ``size`` is the number of cards of a hand (default: the longest hand named). Cards that are not named fill up the hands, from seat 0 on, and
    then the rest of the pack, in the order of the pack."""
    named = [hand.split() for hand in hands]
    size = size or max(map(len, named))
    spoken_for = {name for hand in named for name in hand} | set(then.split())
    spare = [name for name in game.pack.names if name not in spoken_for]
    for hand in named:
        missing = size - len(hand)
        hand += spare[:missing]
        del spare[:missing]
    seats = [(first + at) % s.players for at in range(s.players)]
    dealt = [named[seat][at] for at in range(size) for seat in seats]
    happens(game, s, " ".join(["deal", *dealt, *then.split(), *spare]))


def tricks_won_by(game: AnyGame, players: int, winners: Sequence[int]) -> list[Trick]:
    """Tricks won by these seats in turn, whoever leads: in each trick everyone has a card of the same suit, so no choice is needed."""
    in_a_suit = RANKS_OF_A_SUIT // players
    tricks = []
    for nth, winner in enumerate(winners):
        suit, block = divmod(nth, in_a_suit)
        low = RANKS_OF_A_SUIT * suit + players * block
        *others, highest = game.pack.names[low : low + players]
        trick = [highest if seat == winner else others.pop() for seat in range(players)]
        tricks.append(trick)
    return tricks


def hands_for(tricks: Sequence[Trick]) -> list[str]:
    """The hands from which these tricks can be played."""
    return [" ".join(hand) for hand in zip(*tricks, strict=True)]


def play_tricks(game: AnyGame, s: Any, tricks: Sequence[Trick]) -> None:
    """Play these tricks: everyone plays her card of each trick."""
    for trick in tricks:
        for _ in range(s.players):
            happens(game, s, f"play {trick[s.turn]}")


def everybody(s: Any) -> list[int]:
    """All seats, and an onlooker."""
    return [*range(s.players), ONLOOKER]
