"""What the lab notes of a match, and what it counts: observers of the simulation, written once for both engines."""

from __future__ import annotations

from functools import cache
from typing import Any

from kortlek.cards import NOTHING, size
from kortlek.engine.loops import MOST_ROUNDS, inlined
from kortlek.engine.payoffs import sign
from kortlek.game import SEATS, Game
from kortlek.game.metrics import counters_rule
from kortlek.game.registry import metrics_of
from kortlek.simulation.loop import Observer

BRANCHES, FORCED, LEAD_CHANGES, BEHIND, SETTLED, HALFWAY, FIRST_SEAT, OPENED, IS_OPEN, BY_PLACE = range(10)
"""What is noted of a match: how many alternatives there were in all and how often just one; how often the lead changed, after how many rounds the
winners were behind, after which round they led for good, and whether who led halfway won; who was first to choose, in how many rounds somebody
chose, whether somebody has in this one, and then the points of those rounds by place in the order of play."""
NUMBERS = BY_PLACE + SEATS
HALFWAY_UNKNOWN = NO_ONE = -1
OPENER, ROW = SEATS, SEATS + 1
"""Behind the notes is a row for the start and for each round: the scores after it, more being better, and who was first to choose in it."""


@cache
def notes_of(game: Game[Any]) -> Observer:
    """Notes how a match went, in any game."""
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
    """Who led after each round."""
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
    """Who was first to choose in the match; and what each place in the order of play, clockwise from who is first in a round, earned there."""
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
    """The seats with the best score in a row."""
    best = notes[row]
    leaders = 0
    for seat in range(players):
        best = max(best, notes[row + seat])
    for seat in range(players):
        leaders |= (notes[row + seat] == best) << seat
    return leaders


@cache
def metrics_observer(game: Game[Any]) -> Observer:
    """Counts the metrics of a game: how often, or how much, and of how many times, of each one after the other."""
    metrics = metrics_of(game)
    if not metrics.names:
        return Observer(0)
    count, counters = metrics.count, counters_rule(metrics)

    @inlined
    def event(before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
        count(before, after, choice, counters(notes))

    return Observer(2 * len(metrics.names), event)
