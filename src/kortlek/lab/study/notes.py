"""Observers of the simulation for the lab: notes about the course of a match, and the metrics of a game, written once for both engines."""

from __future__ import annotations

from functools import cache
from typing import Any

from kortlek.cards import NOTHING, size
from kortlek.engine.loops import inlined
from kortlek.engine.payoffs import sign
from kortlek.game import SEATS, Game
from kortlek.game.base import MOST_ROUNDS
from kortlek.game.metrics import counters_rule
from kortlek.game.registry import metrics_of
from kortlek.simulation.loop import Observer

BRANCHES, FORCED, LEAD_CHANGES, BEHIND, SETTLED, HALFWAY, FIRST_SEAT, OPENED, IS_OPEN, BY_PLACE = range(10)
"""Indices of the notes of a match: the total number of alternatives, and of choices with only one; the number of lead changes, the number of rounds
after which the winners were behind, the last round after which they did not lead, and whether a leader halfway won; the first seat to choose, the
number of rounds with a choice, whether the current round has had one, and from BY_PLACE on the points of those rounds by place in the order of
play."""
NUMBERS = BY_PLACE + SEATS
HALFWAY_UNKNOWN = NO_ONE = -1
OPENER, ROW = SEATS, SEATS + 1
"""After the notes follows a row for the start and one for each round: the scores after the round (more is better), and the first seat to choose."""


@cache
def notes_of(game: Game[Any]) -> Observer:
    """An observer that notes the course of a match, for any game."""
    winners, better = game.rules.winners, sign(game)

    def start(s: Any, notes: Any) -> None:
        for seat in range(s.players):
            notes[NUMBERS + seat] = better * s.score[seat]

    @inlined
    def event(before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
        if choice != NOTHING:
            alternatives = size(legal)
            notes[BRANCHES] += alternatives
            notes[FORCED] += alternatives == 1
            if notes[IS_OPEN] == 0:
                notes[IS_OPEN] = 1
                notes[NUMBERS + (before.round + 1) * ROW + OPENER] = before.turn

    def round_over(s: Any, notes: Any) -> None:
        row = NUMBERS + s.round * ROW
        for seat in range(s.players):
            notes[row + seat] = better * s.score[seat]
        if notes[IS_OPEN] == 0:
            notes[row + OPENER] = NO_ONE
        notes[IS_OPEN] = 0

    def finish(s: Any, notes: Any) -> None:
        follow_the_lead(notes, s.round, s.players, winners(s))
        note_places(notes, s.round, s.players, better)

    return Observer(NUMBERS, event, start, round_over, finish, room=(MOST_ROUNDS + 1) * ROW)


def follow_the_lead(notes: Any, rounds: int, players: int, won: int) -> None:
    """Note the changes of the lead, from the scores after each round."""
    former = 0
    settled = 0
    for at in range(1, rounds + 1):
        leaders = leading(notes, NUMBERS + at * ROW, players)
        notes[LEAD_CHANGES] += former != 0 and leaders & former == 0
        notes[BEHIND] += at < rounds and leaders & won == 0
        settled = at if leaders & won == 0 else settled
        former = leaders
    notes[SETTLED] = settled
    middle = leading(notes, NUMBERS + rounds // 2 * ROW, players) if rounds > 1 else 0
    notes[HALFWAY] = HALFWAY_UNKNOWN if middle == 0 or won == 0 else int(middle & won != 0)


def note_places(notes: Any, rounds: int, players: int, better: int) -> None:
    """Note the first seat to choose in the match, and the points of each place in the order of play (clockwise from the first seat of a round)."""
    notes[FIRST_SEAT] = NO_ONE
    for row in range(NUMBERS + ROW, NUMBERS + (rounds + 1) * ROW, ROW):
        opener = notes[row + OPENER]
        if opener != NO_ONE:
            if notes[OPENED] == 0:
                notes[FIRST_SEAT] = opener
            notes[OPENED] += 1
            for seat in range(players):
                place = seat - opener if seat >= opener else seat - opener + players
                notes[BY_PLACE + place] += better * (notes[row + seat] - notes[row - ROW + seat])


def leading(notes: Any, row: int, players: int) -> int:
    """The bit set of the seats with the best score in a row."""
    best = notes[row]
    leaders = 0
    for seat in range(players):
        best = max(best, notes[row + seat])
    for seat in range(players):
        leaders |= (notes[row + seat] == best) << seat
    return leaders


@cache
def metrics_observer(game: Game[Any]) -> Observer:
    """An observer that counts the metrics of a game: the numerator and denominator of each metric in turn."""
    metrics = metrics_of(game)
    if not metrics.names:
        return Observer(0)
    count, counters = metrics.count, counters_rule(metrics)

    @inlined
    def event(before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
        count(before, after, choice, counters(notes))

    return Observer(2 * len(metrics.names), event)
