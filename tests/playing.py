"""Random matches for tests: reproducible walks through any game, with any options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from kortlek.bots.loops import FIRST, ROUNDS_APART, SECOND, make_matches
from kortlek.bots.policy import Policy
from kortlek.play import plain
from kortlek.play.plain import LARGEST_PACK
from kortlek.play.seeded import pick, seeded, shuffle
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, SEATS, Game, Match, Option

SHORT = {"games": 2, "round_limit": 12, "deals": 3}
"""Options that would make a match long: the largest value that tests use."""


def some_option(option: Option, name: str, players: int) -> st.SearchStrategy[object]:
    """Any allowed value of an option, as people write it; never so large that a match takes long."""
    numbers = option.allowed(players)
    numbers = numbers[: SHORT.get(name, len(numbers))]
    if option.length:
        return st.lists(st.sampled_from(numbers), min_size=option.length(players), max_size=option.length(players))
    return st.sampled_from([*(name for name, _ in option.names), *numbers])


@st.composite
def set_ups(draw: st.DrawFn, game: Game[Any]) -> tuple[int, dict[str, object]]:
    """Any number of players and any options of a game."""
    players = draw(st.sampled_from(game.players))
    options = {name: draw(some_option(option, name, players)) for name, option in game.options.items() if name in SHORT or draw(st.booleans())}
    return players, options


def next_event(game: Game[Any], s: Match, rng: list[int]) -> plain.Event:
    """What happens next when chance plays."""
    if s.phase < 0:
        return plain.draw_chance(game, s, lambda things, n: shuffle(things, n, rng))
    return pick(game.legal(s), rng)


def walk(game: Game[Any], players: int, options: dict[str, object], seed: int) -> Iterator[Any]:
    """The states of a random match, from the first to the last. The same object each time: copy what you keep."""
    s = plain.begin(game, players, options)
    rng = [seeded(seed, 0)]
    yield s
    while s.phase != OVER:
        plain.happen(game, s, next_event(game, s, rng))
        yield s


def position(name: str, players: int, options: dict[str, object], seed: int, steps: int) -> Any:
    """The state of a random match after so many events that are choices (or earlier, if it ends)."""
    choices = 0
    for s in walk(GAMES[name], players, options, seed):
        choices += s.phase >= 0
        if choices > steps or s.phase == OVER:
            return s
    raise AssertionError("a walk ends with OVER")


def play_the_same(game: Game[Any], policy: Policy[Any]) -> None:
    """A policy plays whole matches against itself, for which both engines come to the same scores by as many choices."""
    from kortlek.play import compiled

    for players in (game.players[0], game.players[-1]):
        blank, deciders = plain.blank(game, players, {}), [FIRST, SECOND] * (SEATS // 2)
        scores, facts = [[0] * SEATS], [[0] * 3]
        rngs = [[0] for _ in range(SEATS)]
        make_matches(game, policy.choose, policy.choose)(
            [blank], [None], [0] * LARGEST_PACK, [0, 0], rngs, 3, 1, deciders, ROUNDS_APART, scores, facts
        )
        fast_scores, fast_facts = compiled.int_array(SEATS).reshape(1, SEATS), compiled.int_array(3).reshape(1, 3)
        seats = compiled.int_array(SEATS)
        seats[1::2] = SECOND
        room = compiled.records(blank), compiled.records(game.state()), compiled.int_array(LARGEST_PACK), compiled.generator()
        run = compiled.build(make_matches, game, policy.choose, policy.choose)
        run(*room, compiled.generators(SEATS), 3, 1, seats, ROUNDS_APART, fast_scores, fast_facts)
        assert (scores, facts) == (fast_scores.tolist(), fast_facts.tolist())
