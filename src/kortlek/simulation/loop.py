"""The loop that plays matches for ``simulate``, ``arena`` and ``lab``, written once for both engines (see ``kortlek.engine.loops``).

Each seat follows one of any number of policies, or is asked: then the loop returns, and is called again with the answer. Observers see every event.
Match k of a seed depends on the seed, on k and on the seating. Its deals depend on the seed, on k and on the round alone: no choice changes a later
deal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from kortlek.bots.policy import Choose
from kortlek.cards import NOTHING
from kortlek.engine.loops import Compiler, as_it_is, copy_into, inlined
from kortlek.engine.payoffs import winning_teams_rule
from kortlek.engine.rng import seeded, shuffle
from kortlek.game import OVER, Game
from kortlek.game.base import MOST_ROUNDS

ASKED = -1
"""Marks a seat without a policy: the caller of the loop has to choose for it."""
WINNERS, SHARING, ROUNDS, CHOICES = range(4)
"""The facts about a match: the set of winners, the number of teams that share the win, the number of rounds and the number of choices."""
FACTS = 4
GENERATOR, DEALT_ROUND, EVENTS = range(3)
"""The progress of a match: the generator of its deals, the round that the generator is for, and the number of events in this round."""
PROGRESS = 3

Event = Callable[[Any, Any, int, int, Any, Any], None]
Hook = Callable[[Any, Any], None]


class Job(NamedTuple):
    """The input and output of the loop: lists for the plain engine, arrays for the compiled one. Match ``first + i`` of the seed goes to row i of
    ``scores``, ``facts`` and ``notes``."""

    start: Any
    """The initial state of every match."""
    states: Any
    """The state of the match, and the state before the last event."""
    pack: Any
    """The cards or seats that were shuffled last."""
    progress: Any
    rng: Any
    """The generator of the seat that chooses."""
    rngs: Any
    """The current generator state of each seat."""
    seats: Any
    """The policy of each seat, or ASKED."""
    seed: int
    luck: int
    """A different number gives the policies other random numbers with the same deals."""
    first: int
    rounds: int
    """A match is stopped after this many rounds."""
    limit: int
    """A round is stopped after this many events."""
    scores: Any
    facts: Any
    notes: Any
    """For each match a row of numbers for each observer."""
    numbers: Any
    """The number of notes of each observer."""
    drafts: Any
    """The notes of the current match, followed by the working memory of the observer."""


# ---- observers


def no_event(before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
    """The callback of an observer that ignores events."""


def no_hook(s: Any, notes: Any) -> None:
    """The callback of an observer that ignores this moment."""


@dataclass(frozen=True, eq=False)
class Observer:
    """Watches matches and notes ``numbers`` numbers of each, which are 0 in the beginning. They are followed, from ``notes[numbers]`` on, by ``room``
    numbers of working memory that is never cleared. Written like the rules, so that it runs in both engines.

    ``event(before, after, choice, legal, pack, notes)`` is called for every event: a choice with the set of legal choices, or a chance event, whose
    choice is NOTHING and whose shuffled cards are in ``pack``. ``start``, ``round`` and ``finish(s, notes)`` are called before the first event, after
    each round and at the end."""

    numbers: int
    event: Event = no_event
    start: Hook = no_hook
    round: Hook = no_hook
    finish: Hook = no_hook
    room: int = 0


@cache
def all_events(events: tuple[Event, ...], at: int) -> Event:
    """One callback for the event callbacks from index ``at`` on, each with the notes of its observer. Cached, because compiled callers need the same
    function for the same events."""
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
    """One callback for the other hooks from index ``at`` on, like ``all_events``."""
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
    """The end of the chain of policies; it is never called."""
    return NOTHING


@cache
def chooser(policies: tuple[Choose, ...]) -> Callable[[Any, Any, int], int]:
    """One function for several policies, called with the number of a policy. Cached, because compiled callers need the same function for the same
    policies."""
    if not policies:
        return no_policy
    first, others = policies[0], chooser(policies[1:])

    @inlined
    def choose(s: Any, rng: Any, policy: int) -> int:
        return first(s, rng) if policy == 0 else others(s, rng, policy - 1)

    return choose


# ---- the loop


def seat_seed(seed: int, number: int, seat: int) -> int:
    """The seed of a seat in match ``number`` of a seed."""
    return seeded(seeded(seed, number), seat)


@cache
def advancing(game: Game[Any], policies: tuple[Choose, ...], events: tuple[Event, ...], on_round: Hook) -> Callable[[Job, int, int], int]:
    """Make the inner loop, which advances one match. Cached, because compiled callers need the same function each time.

    The first two policies and observers are called directly: with another function in between, compiled code would take up to twice as long."""
    cards_to_shuffle, deal, legal, apply = game.rules.cards_to_shuffle, game.rules.deal, game.rules.legal, game.rules.apply
    first_policy, second_policy, other_policies = policies[0], policies[min(1, len(policies) - 1)], chooser(policies[2:])
    first_event, second_event, *_ = (*events, no_event, no_event)
    other_events = all_events(events, 2)
    is_watched, sees_events = len(events) > 0, any(each is not no_event for each in events)

    def advance(job: Job, number: int, answer: int) -> int:
        """Advance match ``number``, with this answer of the player in turn unless it is NOTHING, until the match is over, a player is asked, or a
        limit is reached. Return the number of choices made."""
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
    """Make the loop for matches in which each seat follows one of these policies or is asked, watched by these observers."""
    winners, winning_teams = game.rules.winners, winning_teams_rule(game)
    on_start = all_hooks(tuple(each.start for each in observers))
    on_round = all_hooks(tuple(each.round for each in observers))
    on_finish = all_hooks(tuple(each.finish for each in observers))
    advance = advancing(game, policies, tuple(each.event for each in observers), on_round)
    is_watched = len(observers) > 0

    def play(job: Job, at: int, until: int, answer: int) -> int:
        """Play the matches of the rows from ``at`` up to ``until``; the one at ``at`` continues with this answer of the player in turn, or begins if
        the answer is NOTHING. Return the row of the match in which a player is asked or a limit is reached; ``until`` if all are over."""
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
