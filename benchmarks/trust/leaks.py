"""S1 and S2: neither what the table sends nor what bots choose depends on cards that the recipient, or the bot, cannot see."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
import test_nothing_leaks
import test_redeal
from examples import NAMES as EXAMPLES
from examples import example
from test_table_leaks import LEAK_FOUND_WITHIN, PLANTED, REVEALING
from trust.row import Found, Row, Run
from worlds import leaks

from kortlek.bots.levels import levels_of
from kortlek.engine import views
from kortlek.engine.redeal import prepare
from kortlek.game import Game
from kortlek.game.registry import GAMES

PROCESSES = 2

# ---- S1

GAMES_EACH = {"small": 100, "full": 500}
"""The number of games of each game in a part."""


def s1(run: Run) -> Found:
    """Permute hidden cards at a table: of all games, and of those in docs/examples."""
    if run.is_planted:
        return Found(planted_leaks())
    names, many = [*GAMES, *EXAMPLES], GAMES_EACH[run.size]
    with ProcessPoolExecutor(PROCESSES) as pool:
        parts = [pool.submit(leaks_in, name, run.part * many, many) for name in names]
        wrong = [leak for part in parts for leak in part.result()]
    return Found(wrong, {"games of each game": many, "games": len(names) if run.part == 0 else 0})


def leaks_in(name: str, first: int, count: int) -> list[str]:
    """The leaks in some games of one game."""
    game = GAMES.get(name) or example(name)
    GAMES[game.name] = game  # so that a table finds it
    return list(leaks(game, range(first, first + count), reveals=name in REVEALING))


def planted_leaks() -> list[str]:
    """The planted leaks that are found, each in one game; nothing if one of them is not."""
    found = []
    for leak, name in {leak: name for name, leak in reversed(PLANTED)}.items():
        with pytest.MonkeyPatch.context() as plant:
            leak(plant)
            found.append(next(leaks(GAMES[name], range(LEAK_FOUND_WITHIN)), ""))
    return found if all(found) else []


# ---- S2

EVERY = 31
"""Every so many positions of a match are looked at."""
SEARCHES = 97
"""The same, for bots that search, which takes long."""


def s2(run: Run) -> Found:
    """Permute hidden cards, and compare redeals and the choices of bots; compare redeals of small packs with all that are possible."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        parts = [pool.submit(depends, name, 100 + 50 * run.part, run.is_planted) for name in ([*GAMES][:1] if run.is_planted else GAMES)]
        wrong = [found for part in parts for found in part.result()]
    if not run.is_planted:
        wrong += [kind.__name__ for kind in test_redeal.KINDS_OF_KNOWLEDGE if not is_uniform(kind, 17 + run.part)]
    matches = sum(test_nothing_leaks.MATCHES.get(name, 2) for name in GAMES)
    return Found(wrong, {"matches": matches, "redeals of small packs": test_redeal.DRAWS * len(test_redeal.KINDS_OF_KNOWLEDGE)})


def depends(name: str, first: int, is_planted: bool) -> list[str]:
    """The positions of some matches in which a redeal or a bot's choice depends on hidden cards."""
    game = GAMES[name]
    if is_planted:
        return test_nothing_leaks.leaks(a_choice_from_the_state, game, EVERY, first)
    kinds = ((test_nothing_leaks.a_redeal, EVERY), (a_choice, EVERY), (test_nothing_leaks.a_search, SEARCHES))
    return [f"{gets.__name__}: {found}" for gets, every in kinds for found in test_nothing_leaks.leaks(gets, game, every, first)]


def a_choice(game: Game[Any], s: Any, seat: int) -> object:
    """The choice of the house bot."""
    seen = views.view(game, s, seat)
    return levels_of(game)["house"].make(1, None).choose(seen) if seen.legal else None


def a_choice_from_the_state(game: Game[Any], s: Any, seat: int) -> object:
    """Planted bug: a bot that looks at all cards."""
    return hash(s) % 5


def is_uniform(kind: Any, seed: int) -> bool:
    """Whether every deal that fits is equally likely, where all of them can be listed."""
    name, s, seat = kind()
    game = GAMES[name]
    possible = Counter(test_redeal.all_deals(game, s, seat))
    seen = test_redeal.many_redeals(game, s, seat, prepare(views.view(game, s, seat)), seed)
    expected = {deal: test_redeal.DRAWS * weight / possible.total() for deal, weight in possible.items()}
    return set(seen) <= set(possible) and not test_redeal.chi_square_is_too_large(seen, expected)


ROWS = (
    Row(
        "S1",
        "games in which bytes to a seat or a spectator depend on hidden cards, examples and secret choices included",
        "0 in 20,000 games of each game",
        s1,
        {"games of each game": 20_000},
        "each leak of tests/test_table_leaks.py",
    ),
    Row(
        "S2",
        "redeals and bots' choices that depend on hidden cards; redeals of small packs that are not uniform",
        "0 in 2,000 matches",
        s2,
        {"matches": 2000},
        "a bot that looks at all cards",
    ),
)
