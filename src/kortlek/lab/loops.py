"""The loop in which the lab watches matches, written once for both engines (see ``kortlek.play.loops``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kortlek.bots.loops import FIRST, ROUNDS_APART, seat_seed
from kortlek.bots.policy import Choose
from kortlek.cards import NOTHING, size
from kortlek.play.loops import Compiler, as_it_is, copy_into
from kortlek.play.seeded import seeded, shuffle
from kortlek.rules.game import OVER, SEATS, Game

WINNERS, ROUNDS, CHOICES, BRANCHES, FORCED, LEAD_CHANGES, BEHIND, SETTLED, HALFWAY, FIRST_SEAT, OPENED, BY_PLACE = range(12)
"""What is noted of a match: who won, how long it was, how many alternatives there were in all and how often just one; how often the lead
changed, after how many rounds the winners were behind, after which round they led for good, and whether who led halfway won; who was first to
choose, in how many rounds somebody chose, and then the points of those rounds by place in the order of play."""
NOTED = BY_PLACE + SEATS
HALFWAY_UNKNOWN = NO_ONE = -1
OPENER = SEATS
"""Where a round of the path says who was first to choose in it."""


def make_study(
    game: Game[Any],
    first: Choose,
    second: Choose,
    count: Callable[[Any, Any, int, Any], None],
    compile: Compiler = as_it_is,
) -> Callable[..., None]:
    """Whole matches in which each seat follows one of two policies, watched from beginning to end."""
    start, gather, deal, legal, apply, winners = game.start, game.gather, game.deal, game.legal, game.apply, game.winners
    sign = -1 if game.lowest_wins else 1

    def study(
        blank: Any,
        states: Any,
        pack: Any,
        dealing: Any,
        rngs: Any,
        seed: int,
        luck: int,
        number: int,
        deciders: Any,
        path: Any,
        scores: Any,
        facts: Any,
        tallies: Any,
    ) -> None:
        """Match ``number + i`` of the seed goes to row i of ``scores``, ``facts`` and ``tallies``. The deals depend on the seed alone, the
        luck of the bots on ``luck``, too. ``path`` has room for the scores at the start and after each round, and who opened it."""
        for i in range(len(scores)):
            copy_into(states, 0, blank[0])
            start(states[0])
            s = states[0]
            dealing[1] = -1
            opened = -1
            for seat in range(s.players):
                path[0][seat] = sign * s.score[seat]
                rngs[seat][0] = seeded(seat_seed(seed, number + i, seat), luck)
            while s.phase != OVER:
                copy_into(states, 1, s)
                before = states[1]
                choice = NOTHING
                if s.phase < 0:
                    if dealing[1] != s.round:
                        dealing[0] = seeded(seed, (number + i) * ROUNDS_APART + s.round)
                        dealing[1] = s.round
                    shuffle(pack, gather(s, pack), dealing)
                    deal(s, pack)
                else:
                    if opened != s.round:
                        opened = s.round
                        path[opened + 1][OPENER] = s.turn
                    many = size(legal(s))
                    choice = first(s, rngs[s.turn]) if deciders[s.turn] == FIRST else second(s, rngs[s.turn])
                    apply(s, choice)
                    facts[i][CHOICES] += 1
                    facts[i][BRANCHES] += many
                    facts[i][FORCED] += many == 1
                count(before, s, choice, tallies[i])
                if s.round > before.round:
                    for seat in range(s.players):
                        path[s.round][seat] = sign * s.score[seat]
                    if opened != before.round:
                        path[s.round][OPENER] = NO_ONE
            for seat in range(s.players):
                scores[i][seat] = s.score[seat]
            facts[i][WINNERS] = winners(s)
            facts[i][ROUNDS] = s.round
            follow_the_lead(path, s.round, s.players, facts[i])
            note_places(path, s.round, s.players, sign, facts[i])

    return compile(study)


def follow_the_lead(path: Any, rounds: int, players: int, noted: Any) -> None:
    """Who led after each round, from the scores there (more is better)."""
    won = noted[WINNERS]
    former = 0
    settled = 0
    for at in range(rounds):
        leaders = leading(path[at + 1], players)
        noted[LEAD_CHANGES] += former != 0 and leaders & former == 0
        noted[BEHIND] += at < rounds - 1 and leaders & won == 0
        settled = at + 1 if leaders & won == 0 else settled
        former = leaders
    noted[SETTLED] = settled
    middle = leading(path[rounds // 2], players) if rounds > 1 else 0
    noted[HALFWAY] = HALFWAY_UNKNOWN if middle == 0 or won == 0 else int(middle & won != 0)


def note_places(path: Any, rounds: int, players: int, sign: int, noted: Any) -> None:
    """Who was first to choose in the match; and what each place in the order of play, clockwise from who is first in a round, earned there."""
    noted[FIRST_SEAT] = NO_ONE
    for at in range(rounds):
        opener = path[at + 1][OPENER]
        if opener != NO_ONE:
            if noted[OPENED] == 0:
                noted[FIRST_SEAT] = opener
            noted[OPENED] += 1
            for seat in range(players):
                place = seat - opener if seat >= opener else seat - opener + players
                noted[BY_PLACE + place] += sign * (path[at + 1][seat] - path[at][seat])


def leading(scores: Any, players: int) -> int:
    """The seats with the best score."""
    best = scores[0]
    leaders = 0
    for seat in range(players):
        best = max(best, scores[seat])
    for seat in range(players):
        leaders |= (scores[seat] == best) << seat
    return leaders


def nothing_more(before: Any, after: Any, choice: int, tally: Any) -> None:
    """Of a game that counts nothing of its own."""
