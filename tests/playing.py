"""Random matches for tests: reproducible walks through any game, with any options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from kortlek.play import plain
from kortlek.play.seeded import pick, seeded, shuffle
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, Game, Match, Option

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
