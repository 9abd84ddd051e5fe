"""``kortlek warmup``: compile the loops of the games and cache them, so that later commands start without compiling."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from multiprocessing import active_children, get_context
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots import CLUB, EXPERT, HOUSE, RANDOM, level_called, own_games
from kortlek.bots.monte_carlo import Budget
from kortlek.cli.arguments import Json, cores, game_called, print_json
from kortlek.cli.progress import progress
from kortlek.engine import loops
from kortlek.engine.loops import CannotCompile
from kortlek.engine.match import first_decision
from kortlek.engine.plain import Refused, begin
from kortlek.engine.rng import seeded
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.simulation.executors import deferred_interrupts
from kortlek.simulation.runner import COMPILED, is_installed, simulator
from kortlek.game.game import LARGEST_PACK, usual_players


def warmup(
    *game: Annotated[str, Parameter(help="The names of games, or files of your own; all games if none is named.")],
    json: Json = False,
) -> None:
    """Compile games, so that the first simulation does not have to wait."""
    kinds = [game_called(name) for name in game] or list(GAMES.values())
    if not is_installed():
        raise Refused("There is nothing to compile without Numba: pip install 'kortlek[fast]'.")
    report: dict[str, Any] = {}
    with progress("compiled", len(kinds)) as advance, closing(compiled_games(kinds)) as done:
        for kind, seconds, cannot in done:
            advance(1)
            report[kind.name] = {"seconds": seconds, **({"cannot": cannot} if cannot else {})}
            if not json:
                print(cannot or f"{kind.title} is ready ({seconds:.1f} s)", file=sys.stderr if cannot else sys.stdout, flush=True)
    if json:
        print_json({"games": report})


def compiled_games(kinds: Sequence[Game[Any]]) -> Generator[tuple[Game[Any], float, str], None, None]:
    """Each game as soon as it is compiled: the seconds it took, and the error if it failed. Games are compiled in parallel, those with the longest
    rules first, so that a long one does not run alone at the end."""
    kinds = sorted(kinds, key=lambda kind: -len(inspect.getsource(sys.modules[kind.apply.__module__])))
    workers = min(cores(), len(kinds))
    if workers == 1:
        yield from ((kind, *compile_game(kind.name)) for kind in kinds)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), own_games.take_all, (own_games.sources(),))
    try:
        with deferred_interrupts():
            under_way = {pool.submit(compile_game, kind.name): kind for kind in kinds}
        for done in as_completed(under_way):
            yield under_way[done], *done.result()
    except BaseException:  # after an interrupt do not wait for compilations in progress
        for worker in active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def compile_game(name: str) -> tuple[float, str]:
    """Compile all loops of a game: the seconds it took, and the error, empty if there was none."""
    started = time.perf_counter()
    try:
        for run_once in LOOPS:
            run_once(GAMES[name])
    except CannotCompile as error:
        return time.perf_counter() - started, str(error)
    return time.perf_counter() - started, ""


def by_chance(game: Game[Any]) -> None:
    """Matches of random bots."""
    simulator(game, usual_players(game), (), (level_called(game, RANDOM),), engine=COMPILED)


def by_the_house(game: Game[Any]) -> None:
    """Matches of the house against itself."""
    simulator(game, usual_players(game), (), (level_called(game, HOUSE),), engine=COMPILED)


def rollouts(game: Game[Any]) -> None:
    """Positions played out at random."""
    from kortlek import compiled

    compiled.build(loops.make_rollouts, game)(*some_room(game), 1)


def stepper(game: Game[Any]) -> None:
    """A batch of many matches that are stepped together."""
    from kortlek import compiled

    compiled.Batch(game, usual_players(game), 1)


def some_room(game: Game[Any]) -> tuple[Any, Any, Any, Any]:
    """The buffers of a loop: a starting state, a working state, a pack, and a random generator."""
    from kortlek import compiled

    s = begin(game, usual_players(game))
    rng = compiled.generator()
    rng[0] = seeded(1, 0)
    return compiled.records(s), compiled.records(s), compiled.int_array(LARGEST_PACK), rng


def thinkers(game: Game[Any]) -> None:
    """Everything that thinking bots need."""
    seen = first_decision(game, usual_players(game)).view()
    for level in (CLUB, EXPERT):
        level_called(game, level).make(1, Budget(1)).choose(seen)


LOOPS: tuple[Callable[[Game[Any]], None], ...] = (by_chance, by_the_house, rollouts, stepper, thinkers)
"""Everything that is compiled for a game: each function runs a loop once, as briefly as possible."""
