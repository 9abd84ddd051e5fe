"""The fields that every state has, and functions that the rules of all games share.

At any moment a match waits for one thing, its *phase*: a choice by the player in turn (0, 1, ...: an index into the game's choices), a shuffled pack
for a new round (``DEAL``), cards shuffled within a round (``SHUFFLE``), the seats in random order (``LOTS``), or nothing more (``OVER``). Chance
happens only in ``LOTS``, ``DEAL`` and ``SHUFFLE``; everything else is decided by the choices.
"""

from __future__ import annotations

from kortlek.cards import Card, Cards, bit, lowest
from kortlek.game.fields import LARGEST_SCORE, MATCH, SEATS, Declared, count, seat, seat_set, state, values

OVER, DEAL, LOTS, SHUFFLE = -1, -2, -3, -4
MOST_ROUNDS = 4096
"""The largest number of rounds in a match."""


@state
class State(Declared):
    """The fields that every state has."""

    phase: int = count(SHUFFLE, 62, start=DEAL, reset=MATCH)
    players: int = count(0, SEATS, reset=MATCH)
    turn: int = seat(reset=MATCH)
    round: int = count(0, MOST_ROUNDS, reset=MATCH)
    """How many rounds are finished."""
    score: list[int] = count(-LARGEST_SCORE, LARGEST_SCORE, start=0, per_seat=True, reset=MATCH)
    waiting: Cards = seat_set()
    """The seats that still have to choose, in a phase in which all choose together."""
    out: Cards = seat_set(reset=MATCH)
    """The seats of players who are out of the match."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and values(self) == values(other)

    def __hash__(self) -> int:
        return hash(repr(values(self)))


# ---- for rules


def next_seat(s: State, seat: int) -> int:
    """The next player clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


def next_active_seat(s: State, seat: int) -> int:
    """The next player clockwise who is not out of the match; the same one if nobody else is left."""
    for _ in range(s.players):
        seat = next_seat(s, seat)
        if not s.out & bit(seat):
            return seat
    return seat


def active_seats(s: State) -> Cards:
    """The players who are not out of the match."""
    return (bit(s.players) - 1) & ~s.out


def choose_together(s: State, phase: int) -> None:
    """All players who are not out choose at once, each for herself."""
    s.phase = phase
    s.waiting = active_seats(s)
    s.turn = lowest(s.waiting)


def all_have_chosen(s: State) -> bool:
    """The player in turn has made her choices; say whether that was the last of all. Otherwise the next one chooses."""
    s.waiting &= ~bit(s.turn)
    if s.waiting:
        s.turn = lowest(s.waiting)
    return s.waiting == 0


def fill_seats(s: State, pack: list[Card]) -> int:
    """Fill a pack with the seats, for drawing lots; return their number."""
    for at in range(s.players):
        pack[at] = at
    return s.players


def highest_score(s: State) -> int:
    """The most points that anybody has: for matches that end at a number of points."""
    most = s.score[0]
    for at in range(s.players):
        most = max(most, s.score[at])
    return most


# ---- payoffs and teams


def most_points(s: State, seat: int) -> int:
    """The most points win."""
    return s.score[seat]


def fewest_points(s: State, seat: int) -> int:
    """The fewest points win."""
    return -s.score[seat]


def alone(s: State, seat: int) -> int:
    """Everyone plays for herself: each seat is a team of its own."""
    return seat


def partners_across(s: State, seat: int) -> int:
    """Two teams: who sits across plays with you."""
    return seat % 2
