"""``kortlek simulate``: let bots play many games, and print statistics."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from kortlek.bots import LEVELS, RANDOM
from kortlek.bots.levels import by_chance
from kortlek.cli import INTERRUPTED
from kortlek.cli.arguments import (
    Json,
    Options,
    Players,
    Seed,
    Workers,
    at_least_one,
    bots_asked,
    cores,
    game_called,
    options_given,
    print_json,
    seed_asked,
)
from kortlek.cli.progress import progress
from kortlek.cli.watch import Watch
from kortlek.cli.watch import watch as watching
from kortlek.engine.loops import CannotCompile
from kortlek.engine.plain import Refused, begin, options_of
from kortlek.simulation.executors import deferred_interrupts
from kortlek.simulation.runner import AUTO, COMPILED, PLAIN, is_installed
from kortlek.simulation.simulate import Task, batches, new_tally, simulator_of
from kortlek.words.columns import in_columns, spell

WORTH_COMPILING = 100
"""With fewer games than this the plain engine finishes before the compiled one is loaded."""
WORTH_WORKERS = 100
"""The smallest number of games of random bots per worker: fewer take less time than starting a process."""


def simulate(
    game: Annotated[str, Parameter(help="The name of a game, or the file of your own; see kortlek games.")],
    /,
    *,
    games: Annotated[int, Parameter(help="How many games.")] = 1000,
    players: Players = None,
    bots: Annotated[str, Parameter(help=f"The bots by seat, with commas between, or one for all: {', '.join(LEVELS)}.")] = RANDOM,
    seed: Seed = None,
    option: Options = None,
    workers: Workers = None,
    records: Annotated[Path | None, Parameter(help="Write a record of each game to this file.")] = None,
    overwrite: Annotated[bool, Parameter(show_default=False, help="Write the records even if the file exists.")] = False,
    engine: Annotated[Literal["auto", "plain", "compiled"], Parameter(help="The results are the same for both.")] = "auto",
    json: Json = False,
    watch: Watch = False,
) -> int:
    """Let bots play many games. Prints the mean score and the share of wins by seat and by bot with 95 % intervals. Ctrl-C prints the
    results so far. In JSON seats are numbered from 0, as in records."""
    if watch:
        more = {"games": games, "players": players, "bots": bots, "seed": seed, "option": option, "workers": workers}
        return watching(simulate, game, **more, records=records, overwrite=overwrite, engine=engine, json=json)
    kind = game_called(game)
    given = options_given(option)
    task = Task(kind.name, tuple(given.items()), tuple(bots_asked(kind, bots, players)), seed_asked(seed), records is not None)
    agreed = options_of(kind, begin(kind, len(task.bots), given))
    at_least_one("--games", games)
    if sentence := by_chance(kind, task.bots):
        print(sentence, file=sys.stderr)
    helped = games // WORTH_WORKERS + 1 if set(task.bots) == {RANDOM} else games
    workers = min(cores(), helped) if workers is None else at_least_one("--workers", workers)
    with open_records(records, overwrite) as file:
        tally, interrupted = new_tally(task), False
        started = time.perf_counter()
        try:
            with progress("getting ready", 1):
                task = replace(task, engine=choose_engine(task, engine, games))
            started = time.perf_counter()
            with progress("games", games) as advance, closing(batches(task, games, workers)) as done:
                for batch in done:
                    with deferred_interrupts():
                        write_lines(file, batch.records)
                        tally.add(batch.tally)
                    advance(batch.tally.games)
        except KeyboardInterrupt:
            interrupted = True
        seconds = time.perf_counter() - started
    report = {
        "game": kind.name,
        "version": kind.version,
        "options": agreed,
        "players": len(task.bots),
        "seed": task.seed,
        "games": tally.games,
        **tally.report(),
        "engine": task.engine,
        "workers": workers,
        "seconds": seconds,
        "games_per_second": tally.games / seconds,
        "interrupted": interrupted,
    }
    if json:
        print_json(report)
    else:
        print("\n".join(in_words(kind.title, report)))
    return INTERRUPTED if interrupted else 0


def write_lines(file: io.RawIOBase, lines: list[str]) -> None:
    """Write each line completely, with several calls if the file accepts only a part."""
    for line in lines:
        left = line.encode() + b"\n"
        while left:
            left = left[file.write(left) or 0 :]


@contextmanager
def open_records(path: Path | None, overwrite: bool) -> Iterator[io.RawIOBase]:
    """The file for the records, unbuffered, so that it holds whole lines at any moment; an in-memory buffer if there is no path."""
    if path is None:
        with nullcontext(io.BytesIO()) as nowhere:
            yield nowhere  # type: ignore[misc]
        return
    try:
        file = path.open("wb" if overwrite else "xb", buffering=0)
    except FileExistsError as error:
        raise Refused(f"{path} exists already: name another file or add --overwrite.") from error
    with file:
        yield file


def choose_engine(task: Task, engine: str, games: int) -> str:
    """The compiled engine if it is available and worth its loading time, otherwise the plain one."""
    if engine == PLAIN:
        return PLAIN
    if engine == COMPILED and not task.is_quick:
        raise Refused("The compiled engine plays with bots that do not think; leave out --engine for others.")
    if engine == COMPILED and task.with_records:
        raise Refused("Records are written by the plain engine: leave out --engine.")
    if engine == COMPILED and not is_installed():
        raise Refused("The compiled engine needs Numba: pip install 'kortlek[fast]', or leave out --engine.")
    if engine == AUTO and (not task.is_quick or task.with_records or games < WORTH_COMPILING):
        return PLAIN
    if not is_installed():
        print("Numba is not installed, so the plain engine plays, about a hundred times slower: pip install 'kortlek[fast]'", file=sys.stderr)
        return PLAIN
    try:
        return simulator_of(replace(task, engine=COMPILED)).engine
    except CannotCompile as error:
        if engine == COMPILED:
            raise Refused(str(error)) from error
        print(error, file=sys.stderr)
        return PLAIN


def in_words(title: str, report: dict[str, Any]) -> list[str]:
    """The report as lines of text."""
    options = ", ".join(f"{name}={spell(value)}" for name, value in report["options"].items())
    until = ", interrupted" if report["interrupted"] else ""
    lines = [f"{title}, {report['players']} player{'s' * (report['players'] > 1)}, {report['games']} games, seed {report['seed']}{until}"]
    lines += [f"Options: {options}"] if options else []
    if report["games"]:
        rows = [["", "bot", "mean score", "95 %", "win share", "95 %"]]
        rows += [[f"seat {row['seat'] + 1}", row["bot"], *estimates(row)] for row in report["seats"]]
        rows += [["all seats", row["bot"], *estimates(row)] for row in report["bots"]]
        lines += ["", *in_columns(rows), ""]
        lines.append(f"Games that nobody won: {report['draws']}; shared wins: {report['shared_wins']}")
        lines.append(f"In a game: {report['rounds_per_game']:.4g} rounds, {report['choices_per_game']:.4g} choices")
    helpers = f"{report['workers']} worker{'s' if report['workers'] > 1 else ''}"
    speed = report["games_per_second"]
    lines.append(f"{report['seconds']:.3g} seconds, {speed:,.{0 if speed >= 10 else 2}f} games/s ({report['engine']} engine, {helpers})")
    return lines


def estimates(row: dict[str, Any]) -> list[str]:
    """Mean score and win share with their intervals, as text."""
    score, share = row["score"], row["win_share"]
    return [
        f"{score['mean']:.2f}",
        "–" if score["low"] is None else f"{score['low']:.2f} to {score['high']:.2f}",
        f"{share['mean']:.2%}",
        f"{share['low']:.2%} to {share['high']:.2%}",
    ]
