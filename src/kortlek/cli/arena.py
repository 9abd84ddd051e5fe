"""``kortlek arena``: which bot is stronger, and by how much."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots.levels import by_chance, think
from kortlek.bots.monte_carlo import Budget
from kortlek.cli import INTERRUPTED
from kortlek.cli.arguments import Json, Options, Players, Seed, Workers, at_least_one, cores, game_called, options_given, print_json, seed_asked
from kortlek.cli.progress import progress
from kortlek.engine.plain import Refused
from kortlek.lab.arena import report as reporting
from kortlek.lab.arena.contest import Contest
from kortlek.lab.arena.run import Standing, make_ready, play_deals
from kortlek.lab.arena.checkpoint import Checkpoint
from kortlek.simulation.executors import Local, deferred_interrupts
from kortlek.game.game import usual_players
from kortlek.words.columns import in_columns

USUAL_DEALS, MOST_DEALS = 100, 10_000
"""The default number of deals, without and with ``--until``."""


def arena(
    game: Annotated[str, Parameter(help="The name of a game, or the file of your own; see kortlek games.")],
    /,
    *,
    bots: Annotated[str, Parameter(help="Two bots or more, with commas between; every two of them meet.")],
    players: Players = None,
    deals: Annotated[int | None, Parameter(help=f"How many deals, at most; {USUAL_DEALS}, or {MOST_DEALS} with --until.", show_default=False)] = None,
    ms: Annotated[float | None, Parameter(help="CPU milliseconds that a bot may think about a choice.")] = None,
    sims: Annotated[int | None, Parameter(help="Simulations that a bot may make for a choice: unlike --ms, always the same result.")] = None,
    seed: Seed = None,
    option: Options = None,
    round: Annotated[int | None, Parameter(help="Play only this round of each match, from 1.")] = None,
    until: Annotated[float | None, Parameter(help="Stop when all intervals of points per round reach no further than this to either side.")] = None,
    workers: Workers = None,
    keep: Annotated[Path | None, Parameter(help="Keep the games in this file, and go on where it stopped.")] = None,
    json: Json = False,
    report: Annotated[Path | None, Parameter(help="Write a report with a plot to this file, which ends in .html.")] = None,
) -> int:
    """Let bots play the same deals from every seat: one bot among others of another kind, and vice versa. Prints the difference in points per
    round with 95 % intervals. Ctrl-C prints the results so far."""
    kind = game_called(game)
    names = tuple(name.strip() for name in bots.split(","))
    contest = Contest(
        *(kind.name, usual_players(kind) if players is None else players, names, seed_asked(seed)),
        *(tuple(options_given(option).items()), round, budget_asked(ms, sims)),
    )
    contest.check()
    if sentence := by_chance(kind, names):
        print(sentence, file=sys.stderr)
    if until is not None:
        positive("--until", until)
    wanted = at_least_one("--deals", deals) if deals is not None else USUAL_DEALS if until is None else MOST_DEALS
    working = workers_asked(workers, think(kind, names))
    if report is not None:
        check_report(report, keep)
    with ExitStack() as files:
        write = files.enter_context(reporting.whole_file(report)) if report else None
        kept = files.enter_context(closing(Checkpoint(keep, contest))) if keep else None
        started = time.perf_counter()
        standing = Standing(contest, with_ratings=json or len(names) > 2)
        interrupted = run_contest(standing, wanted, until, working, kept)
        done = standing.report()
        done |= {"interrupted": interrupted, "workers": workers or cores(), "seconds": time.perf_counter() - started}
        if json:
            print_json(done)
        else:
            print("\n".join(in_words(done)))
        if write:
            write(reporting.page(contest, done))
    return INTERRUPTED if interrupted else 0


def budget_asked(ms: float | None, sims: int | None) -> Budget | None:
    """The budget of thinking bots per choice; None for their own."""
    if ms is not None and sims is not None:
        raise Refused("--ms and --sims are two ways to say how long a bot thinks: give one of them.")
    if sims is not None:
        return Budget(at_least_one("--sims", sims), "simulations")
    return None if ms is None else Budget(positive("--ms", ms) / 1000, "seconds")


def positive(what: str, number: float) -> float:
    """Check that a number is positive and finite."""
    if not (number > 0 and math.isfinite(number)):
        raise Refused(f"{what} {number:g} is not possible: it is a number above 0.")
    return number


def check_report(report: Path, keep: Path | None) -> None:
    """Raise Refused if the report is not possible."""
    if report.suffix != ".html":
        raise Refused(f"--report {report} is not possible: the file's name ends in .html.")
    if keep and keep.resolve() == report.resolve():
        raise Refused(f"{report} cannot be the report and keep the games: name two files.")
    reporting.check_installed()


def workers_asked(workers: int | None, thinks: bool) -> Local:
    """The workers to use. By default all cores: at once with thinking bots, otherwise only if the run takes long."""
    return Local(cores(), lazy=not thinks) if workers is None else Local(at_least_one("--workers", workers))


def run_contest(standing: Standing, wanted: int, until: float | None, where: Local, kept: Checkpoint | None) -> bool:
    """Play a contest, or resume it from a checkpoint. Returns whether it was interrupted."""
    contest, old = standing.contest, kept.deals[:wanted] if kept else []
    try:
        with showing(wanted) as show:
            for deal in old:
                standing.add(deal)
                show(standing.at_a_glance, 1)
                if until is not None and standing.is_settled(until):
                    return False
            if len(old) == wanted:
                return False
        with progress("getting ready", 1):
            make_ready(contest)
        with showing(wanted, len(old)) as show, closing(play_deals(contest, len(old), wanted, where)) as coming:
            for deal in coming:
                with deferred_interrupts():
                    standing.add(deal)
                    if kept:
                        kept.add(standing.deals - 1, deal)
                show(standing.at_a_glance, 1)
                if until is not None and standing.is_settled(until):
                    break
    except KeyboardInterrupt:
        return True
    return False


@contextmanager
def showing(total: int, done: int = 0, what: str = "deals") -> Iterator[Callable[[Callable[[], str], int], None]]:
    """A progress bar with the estimate so far, if standard error is a terminal. Yields a callback that takes a function for the estimate and the
    number of finished units."""
    if not sys.stderr.isatty():
        yield lambda glance, more: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda glance, more: bar.update(task, advance=more, description=glance())


def in_words(done: dict[str, Any]) -> list[str]:
    """The report as lines of text."""
    lines = [reporting.bank(done) + (", interrupted" if done["interrupted"] else ""), ""]
    lines += reporting.answers(done) or ["No deal was played to its end."]
    lines += ["", *in_columns(reporting.results_table(done)), "", *in_columns(reporting.bots_table(done)), ""]
    if len(done["bots"]) > 2 and not find_spec("openskill"):
        lines.append("Ratings need openskill: pip install 'kortlek[lab]'")
    lines.append(f"{done['seconds']:.3g} seconds")
    return lines
