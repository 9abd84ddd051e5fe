"""``kortlek lab``: measure the fairness, length and other properties of a game and its variants."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots.levels import HOUSE, level_called
from kortlek.cli import INTERRUPTED
from kortlek.cli.arena import check_report, positive, showing, workers_asked
from kortlek.cli.arguments import (
    Json,
    OnCluster,
    Options,
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
from kortlek.engine.plain import Refused, begin
from kortlek.game import Game
from kortlek.lab.arena import report as reporting
from kortlek.lab.report import answers
from kortlek.lab.report.page import page
from kortlek.lab.study.findings import findings, widest
from kortlek.lab.study.rows import Rows, check_data, check_nothing_missing, whole_rows
from kortlek.lab.study.running import Checkpoint, describe, get_ready, parts, thinks
from kortlek.lab.study.skill import NO_SKILL, weaker_than
from kortlek.lab.study.study import Study, Sums, Variant
from kortlek.simulation.executors import Cluster, Local, cluster_at, deferred_interrupts
from kortlek.simulation.runner import is_installed
from kortlek.game.game import usual_players
from kortlek.words.columns import in_columns

USUAL_GAMES, MOST_GAMES = 10_000, 10_000_000
"""The default number of matches of each variant, without and with ``--until``."""


def lab(
    game: Annotated[str, Parameter(help="The name of a game, or the file of your own; see kortlek games.")],
    /,
    *,
    players: Annotated[str | None, Parameter(help="How many players; several numbers with commas between are compared.")] = None,
    bots: Annotated[str, Parameter(help="The bots by seat, with commas between, or one for all.")] = HOUSE,
    option: Options = None,
    vary: Annotated[list[str] | None, Parameter(help="An option and the values to compare, as name=value,value; may be repeated.")] = None,
    skill: Annotated[str | None, Parameter(help="The weaker bot among which a stronger one shows its skill; 'no' for none.")] = None,
    games: Annotated[int | None, Parameter(help=f"How many matches of each variant; {USUAL_GAMES}, or with --until as many as it takes.")] = None,
    until: Annotated[float | None, Parameter(help="Stop when every seat's share of wins is known to within this many percentage points.")] = None,
    seed: Seed = None,
    workers: Workers = None,
    cluster: OnCluster = None,
    keep: Annotated[Path | None, Parameter(help="Keep what was counted in this file, and go on where it stopped.")] = None,
    json: Json = False,
    report: Annotated[Path | None, Parameter(help="Write a report with plots to this file, which ends in .html.")] = None,
    data: Annotated[Path | None, Parameter(help="Write every match as a row to this file, which ends in .parquet.")] = None,
    watch: Watch = False,
) -> int:
    """Let bots play every variant of a game with the same deals, and report whether it is fair, how long it takes and how often each rule applies,
    with 95 % intervals. Ctrl-C prints the results so far."""
    if watch:
        more = {"players": players, "bots": bots, "option": option, "vary": vary, "skill": skill, "games": games, "until": until, "seed": seed}
        return watching(lab, game, **more, workers=workers, cluster=cluster, keep=keep, json=json, report=report, data=data)
    kind = game_called(game)
    needs_lab()
    study = Study(variants_asked(kind, players, bots, option, vary, skill), seed_asked(seed))
    if until is not None:
        positive("--until", until)
    wanted = at_least_one("--games", games) if games is not None else USUAL_GAMES if until is None else MOST_GAMES
    if report is not None:
        check_report(report, keep)
    if data is not None:
        check_data(data, keep)
    with ExitStack() as files:
        with helped_by(workers, cluster, study) as helped:
            write = files.enter_context(reporting.whole_file(report)) if report else None
            rows, finish = files.enter_context(whole_rows(data, study)) if data else (None, None)
            kept = files.enter_context(closing(Checkpoint(keep, study))) if keep else None
            if rows and kept:
                check_nothing_missing(kept)
            started = time.perf_counter()
            sums, matches, interrupted = run(study, wanted, until, helped, kept, rows)
            working = helped.workers() if isinstance(helped, Cluster) else workers or cores()
        if not matches:
            return interrupted_too_soon()
        if finish:
            finish()
        found = findings(study, sums)
        seconds = time.perf_counter() - started
        if write:  # before printing, as the reader of standard output may close the pipe
            write(page(study, found, matches, answers.command_line(study, matches, vary or [], option or [])))
        if json:
            told = [{**variant, "findings": [each.as_json() for each in here]} for variant, here in zip(describe(study)["variants"], found)]
            print_json({"seed": study.seed, "matches": matches, "variants": told, "interrupted": interrupted, "workers": working, "seconds": seconds})
        else:
            print("\n".join(in_words(study, found, matches, interrupted)))
    return INTERRUPTED if interrupted else 0


@contextmanager
def helped_by(workers: int | None, cluster: str | None, study: Study) -> Iterator[Local | Cluster]:
    """The executor of the study: processes of this computer, or a cluster."""
    if cluster is None:
        yield workers_asked(workers, thinks(study))
        return
    if workers is not None:
        raise Refused("--cluster and --workers are two ways to say who works: give one of them.")
    with cluster_at(cluster) as joined:
        yield joined


def interrupted_too_soon() -> int:
    """Print that there are no results, and return the exit code."""
    print("No match was played to its end.", file=sys.stderr)
    return INTERRUPTED


def needs_lab() -> None:
    """Raise Refused, with the command that installs them, if the packages of the lab are missing."""
    if not is_installed() or not find_spec("scipy"):
        raise Refused("The lab needs Numba and SciPy: pip install 'kortlek[lab]'.")


def variants_asked(
    kind: Game[Any], players: str | None, bots: str, option: list[str] | None, vary: list[str] | None, skill: str | None = NO_SKILL
) -> tuple[Variant, ...]:
    """The variants to compare: every combination of players and varied options. The first one is the baseline."""
    numbers = [usual_players(kind)] if players is None else [whole_number(each) for each in players.split(",")]
    given = options_given(option)
    varied: list[list[tuple[str, str]]] = []
    for each in vary or []:
        name, equals, values = each.partition("=")
        if not equals or not values:
            raise Refused(f"--vary {each} is not possible: it is the name of an option and the values to compare, such as threshold=30,40,50.")
        between = ";" if ";" in values else ","
        varied.append([(name.strip(), value.strip()) for value in values.split(between) if value.strip()])
    made = []
    for many, chosen in product(numbers, product(*varied)):
        seated = tuple(bots_asked(kind, bots, many))
        made.append(Variant(kind.name, seated, tuple({**given, **dict(chosen)}.items()), weaker_asked(kind, seated, skill)))
    for variant in made:
        begin(kind, variant.players, dict(variant.options))
    return tuple(made)


def weaker_asked(kind: Game[Any], bots: tuple[str, ...], skill: str | None) -> str:
    """The weaker bot for measuring skill: the one that ``--skill`` names, or the default; empty if skill is not measured."""
    alike = len(set(bots)) == 1 < len(bots)
    if skill is None:
        return weaker_than(kind, bots[0]) if alike else ""
    if skill == NO_SKILL:
        return ""
    level_called(kind, skill)
    if not alike:
        raise Refused(f"--skill {skill} is not possible: it needs two players or more, and bots of one kind in all seats.")
    if skill == bots[0]:
        raise Refused(f"--skill {skill} is not possible: that is who plays; name a weaker bot, or 'no'.")
    return skill


def whole_number(text: str) -> int:
    """Parse a number of players."""
    if not text.strip().isdecimal():
        raise Refused(f"--players {text.strip()!r} is not possible: they are whole numbers with commas between.")
    return int(text)


def run(
    study: Study, wanted: int, until: float | None, helped: Local | Cluster, kept: Checkpoint | None, rows: Rows | None
) -> tuple[list[Sums], int, bool]:
    """Play a study, or resume it from a checkpoint. Returns the sums, the number of matches of each variant, and whether it was interrupted."""
    sums = kept.sums if kept else [Sums() for _ in study.variants]
    matches = kept.matches if kept else 0
    if matches >= wanted or (until is not None and is_settled(study, sums, until)):
        return sums, matches, False
    try:
        with progress("getting ready", len(study.variants)) as done:
            get_ready(study, done)
        given_out = parts(study, matches, wanted, helped, with_rows=rows is not None)
        with showing(wanted, matches, "matches") as show, closing(given_out) as coming:
            for part in coming:
                with deferred_interrupts():
                    for ours, theirs in zip(sums, part.sums):
                        ours.add(theirs)
                    if kept:
                        kept.add(part)
                    if rows:
                        rows.add(part)
                    matches += part.count
                show(lambda: answers.at_a_glance(study, findings(study, sums, with_skill=False)), part.count)
                if until is not None and is_settled(study, sums, until):
                    break
    except KeyboardInterrupt:
        return sums, matches, True
    return sums, matches, False


def is_settled(study: Study, sums: list[Sums], until: float) -> bool:
    """Whether half the width of every win share's interval is at most ``until`` percentage points."""
    return sums[0].matches > 1 and 100 * widest(findings(study, sums, with_skill=False)) <= until


def in_words(study: Study, found: list[list[Any]], matches: int, interrupted: bool) -> list[str]:
    """The report as lines of text: sentences first, then a table of all measures."""
    lines = [answers.fairness(variant, here, matches) for variant, here in zip(study.variants, found)]
    lines += [*answers.order_sentences(study, found), *answers.skill_sentences(study, found), *answers.caveats(study)]
    for at, variant in list(enumerate(study.variants))[1:]:
        if changed := answers.shift(study, found, at):
            lines += ["", f"{answers.options_in_words(variant)}, against the first, on the same deals:", *(f"  {each}" for each in changed)]
    rows = answers.table(study, found)
    return [*lines, "", *in_columns(rows), "", answers.amount(study, found, matches), f"Seed {study.seed}{', interrupted' if interrupted else ''}"]
