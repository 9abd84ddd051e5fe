"""The loop in which the lab watches matches, written once for both engines (see ``kortlek.play.loops``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kortlek.bots.loops import FIRST, ROUNDS_APART, seat_seed
from kortlek.bots.policy import Choose
from kortlek.cards import NOTHING, size
from kortlek.play.loops import Compiler, as_it_is, copy_into
from kortlek.play.seeded import seeded, shuffle
from kortlek.rules.game import OVER, Game

WINNERS, ROUNDS, CHOICES, BRANCHES, FORCED, LEAD_CHANGES, BEHIND, SETTLED, HALFWAY = range(9)
"""What is noted of a match: who won, how long it was, how many alternatives there were in all and how often just one; how often the lead
changed, after how many rounds the winners were behind, after which round they led for good, and whether who led halfway won."""
NOTED = 9
HALFWAY_UNKNOWN = -1


def make_study(
    game: Game[Any],
    first: Choose,
    second: Choose,
    count: Callable[[Any, Any, int, Any], None],
    compile: Compiler = as_it_is,
    key: str = "",
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
        luck of the bots on ``luck``, too. ``path`` has room for the scores after each round."""
        key  # noqa: B018
        for i in range(len(scores)):
            copy_into(states, 0, blank[0])
            start(states[0])
            s = states[0]
            dealing[1] = -1
            for seat in range(s.players):
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
                    many = size(legal(s))
                    choice = first(s, rngs[s.turn]) if deciders[s.turn] == FIRST else second(s, rngs[s.turn])
                    apply(s, choice)
                    facts[i][CHOICES] += 1
                    facts[i][BRANCHES] += many
                    facts[i][FORCED] += many == 1
                count(before, s, choice, tallies[i])
                if s.round > before.round:
                    for seat in range(s.players):
                        path[before.round][seat] = sign * s.score[seat]
            for seat in range(s.players):
                scores[i][seat] = s.score[seat]
            facts[i][WINNERS] = winners(s)
            facts[i][ROUNDS] = s.round
            follow_the_lead(path, s.round, s.players, facts[i])

    return compile(study)


def follow_the_lead(path: Any, rounds: int, players: int, noted: Any) -> None:
    """Who led after each round, from the scores there (more is better)."""
    won = noted[WINNERS]
    former = 0
    settled = 0
    for at in range(rounds):
        leaders = leading(path[at], players)
        noted[LEAD_CHANGES] += former != 0 and leaders & former == 0
        noted[BEHIND] += at < rounds - 1 and leaders & won == 0
        settled = at + 1 if leaders & won == 0 else settled
        former = leaders
    noted[SETTLED] = settled
    middle = leading(path[rounds // 2 - 1], players) if rounds > 1 else 0
    noted[HALFWAY] = HALFWAY_UNKNOWN if middle == 0 or won == 0 else int(middle & won != 0)


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
