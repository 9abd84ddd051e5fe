"""R6: the plain and the compiled engine play the same matches."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any

from trust.row import Found, Row, Run
from worlds import some_options

from kortlek import compiled
from kortlek.engine.rng import below, seeded
from kortlek.game import Game
from kortlek.game.base import MOST_ROUNDS
from kortlek.game.registry import GAMES
from kortlek.simulation.runner import COMPILED, PLAIN, Simulator, chance_level

MATCHES = {"small": 200, "full": 2000, "planted": 20}
"""The number of matches of each game in a part."""
SET_UP = 20
"""The number of matches with the same number of players and the same options."""
PROCESSES = 2


def r6(run: Run) -> Found:
    """Random matches of all games, with random options, in both engines: scores, facts and the last state are compared."""
    many = MATCHES[run.size]
    with ProcessPoolExecutor(PROCESSES) as pool:
        parts = [pool.submit(differences, name, run.part * many, many, run.is_planted) for name in GAMES]
        wrong = [difference for part in parts for difference in part.result()]
    return Found(wrong, {"matches of each game": many, "games": len(GAMES) if run.part == 0 else 0})


def differences(name: str, first: int, count: int, is_planted: bool) -> list[str]:
    """The set-ups of one game in which the engines differ."""
    game, found = GAMES[name], []
    for number in range(first, first + count, SET_UP):
        rng = [seeded(number, 7)]
        players = game.players[below(rng, len(game.players))]
        options = some_options(game, players, rng)
        theirs = played(game, players, options, number, COMPILED)
        if played(cut_badly(game) if is_planted else game, players, options, number, PLAIN) != theirs:
            found.append(f"{name}: {players} players, {options}, seed {number}")
    return found


def played(game: Game[Any], players: int, options: dict[str, Any], seed: int, engine: str) -> tuple[Any, Any, Any]:
    """The scores and facts of some matches, and the last state."""
    plays = Simulator(game, players, tuple(options.items()), [chance_level(game)], engine=engine)
    done = plays.play([0] * players, seed, 0, SET_UP)
    scores, facts = (compiled.as_int_array(each).tolist() for each in (done.scores, done.facts))
    return scores, facts, plays.position(seed, SET_UP - 1, MOST_ROUNDS, 0)


def cut_badly(game: Game[Any]) -> Game[Any]:
    """Planted bug: the plain engine deals the first card of the pack second."""
    deal: Callable[[Any, Any], None] = game.deal

    def deal_otherwise(s: Any, pack: Any) -> None:
        pack[0], pack[1] = pack[1], pack[0]
        deal(s, pack)

    return replace(game, deal=deal_otherwise)


ROWS = (
    Row(
        "R6",
        "random matches that the plain and the compiled engine play differently",
        "0 in 1,000,000 of each game",
        r6,
        {"matches of each game": 1_000_000},
        "the plain engine deals the first two cards in the other order",
    ),
)
