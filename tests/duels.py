"""Whole matches between policies, in the plain and the compiled engine, with every choice checked for legality; and the metrics of such matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from kortlek import compiled
from kortlek.bots.policy import Choose, random_policy
from kortlek.cards import NOTHING, bit
from kortlek.engine import plain
from kortlek.engine.loops import Compiler, as_it_is, copy_into
from kortlek.engine.rng import seeded, shuffle
from kortlek.game import OVER, SEATS, Game, values
from kortlek.game.game import LARGEST_PACK
from kortlek.game.registry import metrics_of

POLICY_SEED_OFFSET = 1 << 20
"""Offset of the seed of the policies' generator, so that it differs from the generator of the deals."""


def make_duel(game: Game[Any], first: Choose, second: Choose, compile: Compiler = as_it_is) -> Callable[..., int]:
    """Make a loop that plays matches in which each seat follows one of two policies."""
    rules = game.rules
    start, cards_to_shuffle, deal, legal, apply, winners = rules.start, rules.cards_to_shuffle, rules.deal, rules.legal, rules.apply, rules.winners

    def duel(blank: Any, states: Any, pack: Any, dealing: Any, rng: Any, seed: int, seconds: int, scores: Any, facts: Any) -> int:
        """Play matches; seats in the set ``seconds`` follow the second policy. Row i of ``scores`` and of ``facts`` (winners, rounds, choices)
        is match i. Return the number of illegal choices; an illegal choice ends its match."""
        wrong = 0
        for i in range(len(scores)):
            dealing[0] = seeded(seed, i)
            rng[0] = seeded(seed + POLICY_SEED_OFFSET, i)
            copy_into(states, 0, blank[0])
            s = states[0]
            start(s)
            choices = 0
            while s.phase != OVER:
                if s.phase < 0:
                    shuffle(pack, cards_to_shuffle(s, pack), dealing)
                    deal(s, pack)
                else:
                    choice = second(s, rng) if seconds >> s.turn & 1 else first(s, rng)
                    if choice < 0 or legal(s) & bit(choice) == 0:
                        wrong += 1
                        break
                    apply(s, choice)
                    choices += 1
            for seat in range(s.players):
                scores[i][seat] = s.score[seat]
            facts[i][0] = winners(s)
            facts[i][1] = s.round
            facts[i][2] = choices
        return wrong

    return compile(duel)


class Duel(NamedTuple):
    """The outcome of some matches: scores and (winners, rounds, choices) of each, the number of illegal choices, and the last state."""

    scores: Any
    facts: Any
    wrong: int
    last: Any


def duel_compiled(
    game: Game[Any], first: Choose, second: Choose, seconds: int, matches: int, seed: int = 1, options: Mapping[str, object] | None = None
) -> Duel:
    """Play four-player matches in the compiled engine."""
    blank = plain.blank(game, 4, options)
    scores, facts = np.zeros((matches, SEATS), np.int64), np.zeros((matches, 3), np.int64)
    run = compiled.build(make_duel, game, first, second)
    numbers, states = compiled.int_array, compiled.records(blank)
    wrong = run(compiled.records(blank), states, numbers(LARGEST_PACK), numbers(1), numbers(1), seed, seconds, scores, facts)
    return Duel(scores[:, :4], facts, int(wrong), compiled.from_record(game.state, states[0]))


def duel_plain(
    game: Game[Any], first: Choose, second: Choose, seconds: int, matches: int, seed: int = 1, options: Mapping[str, object] | None = None
) -> Duel:
    """Play the same matches in the plain engine."""
    blank, states = plain.blank(game, 4, options), [None]
    scores, facts = [[0] * 4 for _ in range(matches)], [[0] * 3 for _ in range(matches)]
    wrong = make_duel(game, first, second)([blank], states, [0] * LARGEST_PACK, [0], [0], seed, seconds, scores, facts)
    return Duel(np.array(scores), np.array(facts), wrong, states[0])


def make_counting(game: Game[Any], choose: Choose, count: Callable[..., None], compile: Compiler = as_it_is) -> Callable[..., None]:
    """Make a loop that plays matches of one policy and counts the metrics of every event."""
    rules = game.rules
    start, cards_to_shuffle, deal, apply = rules.start, rules.cards_to_shuffle, rules.deal, rules.apply

    def counting(blank: Any, states: Any, pack: Any, rng: Any, seed: int, matches: int, counters: Any) -> None:
        """Play matches; ``states[1]`` is the state before each event."""
        for i in range(matches):
            rng[0] = seeded(seed, i)
            copy_into(states, 0, blank[0])
            start(states[0])
            while states[0].phase != OVER:
                copy_into(states, 1, states[0])
                if states[0].phase < 0:
                    shuffle(pack, cards_to_shuffle(states[0], pack), rng)
                    deal(states[0], pack)
                    count(states[1], states[0], NOTHING, counters[0])
                else:
                    choice = choose(states[0], rng)
                    apply(states[0], choice)
                    count(states[1], states[0], choice, counters[0])

    return compile(counting)


def metrics_in_both_engines(game: Game[Any], choose: Choose, matches: int) -> tuple[list[Any], list[Any]]:
    """The counters of some matches, from the plain engine and from the compiled one."""
    metrics, blank = metrics_of(game), plain.blank(game, 4)
    counters = metrics.counters()
    make_counting(game, choose, metrics.count)([blank], [None, None], [0] * LARGEST_PACK, [0], 3, matches, [counters])
    run, counted = compiled.build(make_counting, game, choose, metrics.count), compiled.records(metrics.counters())
    numbers = compiled.int_array
    run(compiled.records(blank), compiled.records(blank, 2), numbers(LARGEST_PACK), numbers(1), 3, matches, counted)
    return values(counters), values(compiled.from_record(metrics.counters, counted[0]))  # type: ignore[arg-type]


def simulated_in_both_engines(game: Game[Any], options: Mapping[str, object], matches: int = 3) -> None:
    """Check that random matches have the same scores, winners, rounds, choices and last state in both engines."""
    chance = random_policy(game).choose
    by_objects, by_records = duel_plain(game, chance, chance, 0, matches, 7, options), duel_compiled(game, chance, chance, 0, matches, 7, options)
    assert by_objects.scores.tolist() == by_records.scores.tolist() and by_objects.facts.tolist() == by_records.facts.tolist()
    assert by_objects.last == by_records.last
