"""``kortlek warmup``: compile the loops of the games now, and keep them, so that nothing has to wait later."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots import CLUB, EXPERT, level_called
from kortlek.bots.levels import house_of
from kortlek.bots.loops import make_matches
from kortlek.bots.policy import Policy, chance_of
from kortlek.bots.thinking import Budget
from kortlek.cards import lowest, size
from kortlek.command.asked import Json, game_called, print_json
from kortlek.command.engines import is_installed
from kortlek.command.progress import progress
from kortlek.play.describing import usual_players
from kortlek.play import loops
from kortlek.play.information import view
from kortlek.play.loops import CannotCompile
from kortlek.play.plain import LARGEST_PACK, Refused, begin, draw_chance, happen
from kortlek.play.seeded import seeded, shuffle
from kortlek.rules import GAMES
from kortlek.rules.game import SEATS, Game


def warmup(
    *game: Annotated[str, Parameter(help="The names of games; all of them if none is named.")],
    json: Json = False,
) -> None:
    """Compile games, so that the first simulation does not have to wait."""
    kinds = [game_called(name) for name in game] or list(GAMES.values())
    if not is_installed():
        raise Refused("There is nothing to compile without Numba: pip install 'kortlek[fast]'.")
    report: dict[str, Any] = {}
    with progress("compiled", len(kinds) * len(LOOPS)) as advance:
        for kind in kinds:
            started = time.perf_counter()
            try:
                for run_once in LOOPS:
                    run_once(kind)
                    advance(1)
                report[kind.name] = {"seconds": time.perf_counter() - started}
            except CannotCompile as error:
                report[kind.name] = {"seconds": time.perf_counter() - started, "cannot": str(error)}
            if not json:
                what = report[kind.name].get("cannot") or f"{kind.title} is ready ({report[kind.name]['seconds']:.1f} s)"
                print(what, file=sys.stderr if "cannot" in report[kind.name] else sys.stdout)
    if json:
        print_json({"games": report})


def matches(game: Game[Any], policy: Policy[Any]) -> None:
    """Whole matches by a policy in every seat."""
    from kortlek.play import compiled

    start, room, pack, dealing = some_room(game)
    scores, facts = (compiled.int_array(wide).reshape(1, wide) for wide in (SEATS, 3))
    run = compiled.build(make_matches, game, policy.choose, policy.choose)
    run(start, room, pack, dealing, compiled.generators(SEATS), 1, 0, compiled.int_array(SEATS), 1, scores, facts)


def by_chance(game: Game[Any]) -> None:
    """Matches of bots that choose anything."""
    matches(game, chance_of(game))


def by_the_house(game: Game[Any]) -> None:
    """Matches of the house against itself."""
    matches(game, house_of(game))


def rollouts(game: Game[Any]) -> None:
    """Positions played out at random."""
    from kortlek.play import compiled

    compiled.build(loops.make_rollouts, game)(*some_room(game), 1)


def stepper(game: Game[Any]) -> None:
    """Many matches side by side."""
    from kortlek.play import compiled

    actions, masks, turns, ended = (compiled.int_array(1) for _ in range(4))
    actions[0] = -1
    compiled.build(loops.make_stepper, game)(*some_room(game), actions, masks, turns, compiled.int_array(SEATS).reshape(1, SEATS), ended)


def some_room(game: Game[Any]) -> tuple[Any, Any, Any, Any]:
    """What every loop needs: a match to start from, room for one, room for a pack, and a generator."""
    from kortlek.play import compiled

    s = begin(game, usual_players(game))
    rng = compiled.generator()
    rng[0] = seeded(1, 0)
    return compiled.records(s), compiled.records(s), compiled.int_array(LARGEST_PACK), rng


def thinkers(game: Game[Any]) -> None:
    """What the bots need that think."""
    s, rng = begin(game, usual_players(game)), [seeded(1, 0)]
    while s.phase < 0 or size(game.legal(s)) == 1:
        happen(game, s, lowest(game.legal(s)) if s.phase >= 0 else draw_chance(game, s, lambda things, n: shuffle(things, n, rng)))
    for level in (CLUB, EXPERT):
        level_called(game, level).make(1, Budget(1)).choose(view(game, s, s.turn))


LOOPS: tuple[Callable[[Game[Any]], None], ...] = (by_chance, by_the_house, rollouts, stepper, thinkers)
"""Everything that is compiled for a game; each runs once, as short as it can be."""
