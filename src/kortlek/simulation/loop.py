"""The loop that plays matches for ``simulate``, ``arena`` and ``lab``, written once for both engines (see ``kortlek.engine.loops``).

Each seat follows one of any number of policies, or is asked: then the loop stops, and goes on with the answer. Observers see every event. Match k
of a seed depends on the seed, on k and on who sits where. Its deals depend on the seed, on k and on the round alone: no choice changes a later deal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from kortlek.bots.policy import Choose
from kortlek.cards import NOTHING
from kortlek.engine.loops import MOST_ROUNDS, Compiler, as_it_is, copy_into, inlined
from kortlek.engine.payoffs import winning_teams_rule
from kortlek.engine.rng import seeded, shuffle
from kortlek.game import OVER, Game

ASKED = -1
"""Stands for a seat that follows no policy: its player is asked."""
WINNERS, SHARING, ROUNDS, CHOICES = range(4)
"""What is known of every match: the seats that won, the number of teams that share the win, the numbers of rounds and of choices."""
FACTS = 4
GENERATOR, DEALT_ROUND, EVENTS = range(3)
"""The progress of a match: the generator of its deals, the round that it is for, and how many events this round has had."""
PROGRESS = 3

Event = Callable[[Any, Any, int, int, Any, Any], None]
Hook = Callable[[Any, Any], None]


class Job(NamedTuple):
    """What the loop reads and writes: lists for the plain engine, arrays for the compiled one. Match ``first + i`` of the seed goes to row i of
    ``scores``, ``facts`` and ``notes``."""

    start: Any
    """The state that every match begins with."""
    states: Any
    """The match, and what it was before the last event."""
    pack: Any
    """What was shuffled last."""
    progress: Any
    rng: Any
    """The generator of the seat that chooses."""
    rngs: Any
    """What the generator of each seat has come to."""
    seats: Any
    """Which policy each seat follows, or ASKED."""
    seed: int
    luck: int
    """Another number gives the policies other luck with the same deals."""
    first: int
    rounds: int
    """A match is left when so many rounds are over."""
    limit: int
    """A round is left after so many events."""
    scores: Any
    facts: Any
    notes: Any
    """For each match a row of numbers for each observer."""
    numbers: Any
    """How many numbers each observer notes."""
    drafts: Any
    """The notes of the match that is played, and behind them the room that the observer has."""


# ---- observers


def no_event(before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
    """Nothing is noted of an event."""


def no_hook(s: Any, notes: Any) -> None:
    """Nothing is noted at this moment."""


@dataclass(frozen=True, eq=False)
class Observer:
    """Watches matches and notes so many numbers of each, which are 0 in the beginning. Behind them, from ``notes[numbers]`` on, is ``room`` that
    nobody clears. Written like the rules, so that it runs in both engines.

    ``event(before, after, choice, legal, pack, notes)`` sees every event: a choice and the set it was chosen from, or a chance event, which has no
    choice (NOTHING) but what was shuffled in ``pack``. ``start``, ``round`` and ``finish(s, notes)`` see the match before the first event, after each
    round and at the end."""

    numbers: int
    event: Event = no_event
    start: Hook = no_hook
    round: Hook = no_hook
    finish: Hook = no_hook
    room: int = 0


@cache
def all_events(events: tuple[Event, ...], at: int) -> Event:
    """The events from a number on, one after the other, each with the notes of its number. The same function for the same events, as compiled callers
    need it."""
    if at >= len(events):
        return no_event
    this, others = events[at], all_events(events, at + 1)

    @inlined
    def event(before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
        this(before, after, choice, legal, pack, notes[at])
        others(before, after, choice, legal, pack, notes)

    return event


@cache
def all_hooks(hooks: tuple[Hook, ...], at: int = 0) -> Hook:
    """The same for the other hooks."""
    if at == len(hooks):
        return no_hook
    this, others = hooks[at], all_hooks(hooks, at + 1)

    @inlined
    def hook(s: Any, notes: Any) -> None:
        this(s, notes[at])
        others(s, notes)

    return hook


# ---- policies


def no_policy(s: Any, rng: Any, policy: int) -> int:
    """Nobody follows a policy beyond the last."""
    return NOTHING


@cache
def chooser(policies: tuple[Choose, ...]) -> Callable[[Any, Any, int], int]:
    """What the policy of a number chooses. The same function for the same policies, as compiled callers need it."""
    if not policies:
        return no_policy
    first, others = policies[0], chooser(policies[1:])

    @inlined
    def choose(s: Any, rng: Any, policy: int) -> int:
        return first(s, rng) if policy == 0 else others(s, rng, policy - 1)

    return choose


# ---- the loop


def seat_seed(seed: int, number: int, seat: int) -> int:
    """The seed of a seat in match n of a seed."""
    return seeded(seeded(seed, number), seat)


@cache
def advancing(game: Game[Any], policies: tuple[Choose, ...], events: tuple[Event, ...], on_round: Hook) -> Callable[[Job, int, int], int]:
    """The inner loop, in which one match is played on; the same function each time it is asked for, as compiled callers need it.

    The first two policies and observers are called directly: through another function compiled code would take up to twice as long."""
    cards_to_shuffle, deal, legal, apply = game.rules.cards_to_shuffle, game.rules.deal, game.rules.legal, game.rules.apply
    first_policy, second_policy, other_policies = policies[0], policies[min(1, len(policies) - 1)], chooser(policies[2:])
    first_event, second_event, *_ = (*events, no_event, no_event)
    other_events = all_events(events, 2)
    is_watched, sees_events = len(events) > 0, any(each is not no_event for each in events)

    def advance(job: Job, number: int, answer: int) -> int:
        """Play match n on, with this answer of the player in turn if it is not NOTHING, until it is over, or a player is asked, or it comes to a
        limit. How many choices were made."""
        states, pack, progress, seats, rounds, limit = job.states, job.pack, job.progress, job.seats, job.rounds, job.limit
        rng, rngs = job.rng, job.rngs
        first_notes, second_notes = job.drafts[0], job.drafts[1]
        s = states[0]
        events = progress[EVENTS]
        choices = 0
        while s.phase != OVER and s.round < rounds and events < limit:
            if sees_events:
                copy_into(states, 1, s)
            round = s.round
            choice = NOTHING
            allowed = 0
            if s.phase < 0:
                if progress[DEALT_ROUND] != round:
                    progress[GENERATOR] = seeded(job.seed, number * MOST_ROUNDS + round)
                    progress[DEALT_ROUND] = round
                    events = 0
                shuffle(pack, cards_to_shuffle(s, pack), progress)
                deal(s, pack)
            elif seats[s.turn] == ASKED and answer == NOTHING:
                break
            else:
                if sees_events:
                    allowed = legal(s)
                if seats[s.turn] == ASKED:
                    choice = answer
                    answer = NOTHING
                else:
                    rng[0] = rngs[s.turn]
                    if seats[s.turn] == 0:
                        choice = first_policy(s, rng)
                    elif seats[s.turn] == 1:
                        choice = second_policy(s, rng)
                    else:
                        choice = other_policies(s, rng, seats[s.turn] - 2)
                    rngs[s.turn] = rng[0]
                apply(s, choice)
                choices += 1
            events += 1
            if sees_events:
                first_event(states[1], s, choice, allowed, pack, first_notes)
                second_event(states[1], s, choice, allowed, pack, second_notes)
                other_events(states[1], s, choice, allowed, pack, job.drafts)
            if is_watched and s.round != round:
                on_round(s, job.drafts)
        progress[EVENTS] = events
        return choices

    return advance


def make_play(
    game: Game[Any], policies: tuple[Choose, ...], observers: tuple[Observer, ...] = (), compile: Compiler = as_it_is
) -> Callable[[Job, int, int, int], int]:
    """Matches in which each seat follows one of these policies or is asked, watched by these observers."""
    winners, winning_teams = game.rules.winners, winning_teams_rule(game)
    on_start = all_hooks(tuple(each.start for each in observers))
    on_round = all_hooks(tuple(each.round for each in observers))
    on_finish = all_hooks(tuple(each.finish for each in observers))
    advance = advancing(game, policies, tuple(each.event for each in observers), on_round)
    is_watched = len(observers) > 0

    def play(job: Job, at: int, until: int, answer: int) -> int:
        """Play the matches of the rows from ``at`` up to ``until``; the one at ``at`` goes on with this answer of the player in turn, or begins if it
        is NOTHING. The row of the match that has come to a player who is asked, or to a limit; ``until`` if all are over."""
        for i in range(at, until):
            number = job.first + i
            if answer == NOTHING:
                copy_into(job.states, 0, job.start[0])
                job.progress[DEALT_ROUND] = NOTHING
                job.progress[EVENTS] = 0
                for seat in range(job.states[0].players):
                    job.rngs[seat] = seeded(seat_seed(job.seed, number, seat), job.luck)
                if is_watched:
                    for observer in range(len(job.numbers)):
                        for each in range(job.numbers[observer]):
                            job.drafts[observer][each] = 0
                    on_start(job.states[0], job.drafts)
            job.facts[i][CHOICES] += advance(job, number, answer)
            answer = NOTHING
            s = job.states[0]
            if s.phase != OVER and (s.round < job.rounds or job.rounds == MOST_ROUNDS):
                return i
            for seat in range(s.players):
                job.scores[i][seat] = s.score[seat]
            job.facts[i][WINNERS] = winners(s) if s.phase == OVER else 0
            job.facts[i][SHARING] = winning_teams(s, job.facts[i][WINNERS])
            job.facts[i][ROUNDS] = s.round
            if is_watched:
                on_finish(s, job.drafts)
                for observer in range(len(job.numbers)):
                    for each in range(job.numbers[observer]):
                        job.notes[i][observer][each] = job.drafts[observer][each]
        return until

    return compile(play)
