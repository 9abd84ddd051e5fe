"""Random matches for tests: reproducible walks through any game, with any options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from kortlek.bots import Level
from kortlek.bots.levels import bot_seats
from kortlek.bots.policy import Policy, PolicyBot
from kortlek.engine import plain
from kortlek.engine.match import Match
from kortlek.engine.record import Record
from kortlek.engine.rng import pick, seeded, shuffle
from kortlek.game import OVER, Game, Option, State
from kortlek.game.registry import GAMES
from kortlek.simulation.runner import COMPILED, PLAIN, simulator
from kortlek.words.words import words_of

SHORT = {"games": 2, "round_limit": 12, "deals": 3}
"""Options that would make a match long: the largest value that tests use."""


def some_option(option: Option, name: str, players: int) -> st.SearchStrategy[object]:
    """Any allowed value of an option, as people write it, small enough to keep a match short."""
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


def next_event(game: Game[Any], s: State, rng: list[int]) -> plain.Event:
    """A random next event: a shuffle, or a legal choice."""
    if s.phase < 0:
        return plain.resolve_chance(game, s, lambda things, n: shuffle(things, n, rng))
    return pick(game.legal(s), rng)


def random_record(game: Game[Any], players: int, options: dict[str, object], seed: int) -> Record:
    """The record of a match played by random bots."""
    match: Match[Any] = Match(game, players, options, seed=seed)
    rng = [seeded(seed, 1)]
    match.deal()
    while not match.over:
        match.play(pick(game.legal(match.state), rng))
    return match.record(bot_seats(["random"] * players))


def said_for(policy: Policy[Any], game: Game[Any], s: State, choice: int) -> str:
    """The reason for a choice that the policy gives, in English."""
    return words_of(game).say(policy.reason(s, choice))


def walk(game: Game[Any], players: int, options: dict[str, object], seed: int) -> Iterator[Any]:
    """The states of a random match, from the first to the last. Always the same object: copy a state to keep it."""
    s = plain.begin(game, players, options)
    rng = [seeded(seed, 0)]
    yield s
    while s.phase != OVER:
        plain.step(game, s, next_event(game, s, rng))
        yield s


def position(name: str, players: int, options: dict[str, object], seed: int, steps: int) -> Any:
    """The state of a random match after this number of choices, or the last state if the match ends before."""
    choices = 0
    for s in walk(GAMES[name], players, options, seed):
        choices += s.phase >= 0
        if choices > steps or s.phase == OVER:
            return s
    raise AssertionError("a walk ends with OVER")


def play_the_same(game: Game[Any], policy: Policy[Any]) -> None:
    """Check that matches of a policy against itself have the same scores and numbers of choices in both engines."""
    level = Level(policy.name, lambda seed, budget: PolicyBot(policy, seed), policy)
    for players in (game.players[0], game.players[-1]):
        slow, fast = (simulator(game, players, (), (level,), (), engine).play([0] * players, 3, 1, 1) for engine in (PLAIN, COMPILED))
        assert (slow.scores, slow.facts) == (fast.scores.tolist(), fast.facts.tolist())
