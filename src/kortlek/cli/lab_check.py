"""``kortlek lab check`` and ``kortlek lab search``: test a game against requirements, and find its fairest variant."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, closing
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from kortlek.bots.levels import HOUSE
from kortlek.cli import INTERRUPTED
from kortlek.cli.arena import showing
from kortlek.cli.arguments import Json, OnCluster, Options, Seed, Workers, at_least_one, game_called, print_json, seed_asked
from kortlek.cli.lab import helped_by, interrupted_too_soon, lab, needs_lab, variants_asked
from kortlek.cli.progress import progress
from kortlek.engine.plain import Refused
from kortlek.lab.report import answers
from kortlek.lab.study import requirements
from kortlek.lab.study.findings import findings
from kortlek.lab.study.requirements import BROKEN, MET, OPEN, Verdict
from kortlek.lab.study.running import Part, get_ready, parts
from kortlek.lab.study.searching import Candidate, halve, sureness
from kortlek.lab.study.skill import NAMES, NO_SKILL
from kortlek.lab.study.study import Study, Sums
from kortlek.simulation.executors import deferred_interrupts
from kortlek.words.columns import in_columns

EXIT = {MET: 0, BROKEN: 1, OPEN: 3}
"""Exit codes of a check: all requirements are met, one is broken, or there were not enough games to tell."""
USUAL_BUDGET = 200_000
MOST_VARIANTS = 500


def check(
    file: Annotated[Path, Parameter(help="The requirements, in TOML: see docs/lab.md.")],
    /,
    *,
    games: Annotated[int | None, Parameter(help="How many matches, at most, instead of what the file says.")] = None,
    workers: Workers = None,
    cluster: OnCluster = None,
    json: Json = False,
) -> int:
    """Check whether a game meets a designer's requirements. Exit code 0 if it does, 1 if one is broken, 3 if there were not enough games to tell.
    Stops as soon as every requirement is decided."""
    asked = requirements.read(file)
    kind = game_called(asked.game)
    needs_lab()
    players = None if asked.players is None else str(asked.players)
    of_skill = next((each.measure for each in asked.required if each.measure in NAMES), None)
    study = Study(variants_asked(kind, players, asked.bots, asked.options, None, None if of_skill else NO_SKILL), asked.seed)
    if of_skill and not study.variants[0].weaker:
        raise Refused(f"{file}: {of_skill} needs bots of one kind that are stronger than another, such as house.")
    wanted = at_least_one("--games", games) if games is not None else at_least_one("games", asked.games)
    sums, verdicts, interrupted = [Sums()], list[Verdict](), False
    try:
        with ExitStack() as opened:
            helped = opened.enter_context(helped_by(workers, cluster, study))
            with progress("getting ready", 1) as ready:
                get_ready(study, ready)
            show = opened.enter_context(showing(wanted, 0, "matches"))
            for part in opened.enter_context(closing(parts(study, 0, wanted, helped))):
                with deferred_interrupts():
                    sums[0].add(part.sums[0])
                found = findings(study, sums)[0]
                verdicts = [requirements.judge(each, found, file) for each in asked.required]
                met = f"{sum(each.verdict == MET for each in verdicts)} of {len(verdicts)} met"
                show(lambda met=met: met, part.count)  # type: ignore[misc]
                if all(each.verdict != OPEN for each in verdicts):
                    break
    except KeyboardInterrupt:
        interrupted = True
    if not verdicts:
        return interrupted_too_soon()
    verdict = BROKEN if any(each.verdict == BROKEN for each in verdicts) else OPEN if any(each.verdict == OPEN for each in verdicts) else MET
    if json:
        rows = [{"requirement": str(each.requirement), "verdict": each.verdict, "found": each.found} for each in verdicts]
        print_json({"game": kind.name, "matches": sums[0].matches, "verdict": verdict, "requirements": rows, "interrupted": interrupted})
    else:
        print("\n".join(f"{each.verdict.capitalize()}: {each.requirement}. Found: {each.found}" for each in verdicts))
        print(f"{answers.title_of(study.variants[0])}: {verdict} after {sums[0].matches:,} matches, seed {study.seed}")
    return INTERRUPTED if interrupted else EXIT[verdict]


def search(
    game: Annotated[str, Parameter(help="The name of a game, or the file of your own; see kortlek games.")],
    /,
    *,
    vary: Annotated[
        list[str], Parameter(help="An option and the values to try: name=value,value or, for lists, name=4,5;5,6; 3..6 stands for 3 to 6.")
    ],
    players: Annotated[int | None, Parameter(help="How many players.")] = None,
    bots: Annotated[str, Parameter(help="The bots by seat, with commas between, or one for all.")] = HOUSE,
    option: Options = None,
    games: Annotated[int, Parameter(help="How many matches of all variants together, at most.")] = USUAL_BUDGET,
    seed: Seed = None,
    workers: Workers = None,
    cluster: OnCluster = None,
    json: Json = False,
) -> int:
    """Find the option values with which every seat's share of wins is closest to a fair share: all variants play the same deals, and the worse half
    is dropped repeatedly. Prints how certain the result is. Ctrl-C prints the results so far."""
    kind = game_called(game)
    needs_lab()
    many = None if players is None else str(players)
    variants = variants_asked(kind, many, bots, option, [expanded(each) for each in vary])
    if not 2 <= len(variants) <= MOST_VARIANTS:
        raise Refused(f"There are {len(variants)} variants to try: 2 to {MOST_VARIANTS} can be.")
    seed, budget = seed_asked(seed), at_least_one("--games", games)
    candidates, interrupted = [Candidate(each) for each in variants], False
    running = candidates
    try:
        with ExitStack() as opened:
            helped = opened.enter_context(helped_by(workers, cluster, Study(variants, seed)))
            with progress("getting ready", len(variants)) as ready:
                get_ready(Study(variants, seed), ready)
            show = opened.enter_context(showing(budget, 0, "matches"))
            spent = 0

            def play(study: Study, first: int, until: int, size: int) -> Generator[Part, None, None]:
                return parts(study, first, until, helped, size)

            for running in halve(candidates, seed, budget, play):
                more = sum(each.matches for each in candidates) - spent
                spent += more
                left = f"{len(running)} of {len(candidates)} left"
                show(lambda left=left: left, more)  # type: ignore[misc]
    except KeyboardInterrupt:
        interrupted = True
    report = told(candidates, running)
    if not report:
        return interrupted_too_soon()
    if json:
        print_json({"game": kind.name, "seed": seed, "variants": report, "interrupted": interrupted})
    else:
        print("\n".join(in_words(kind.title, report, seed, interrupted)))
    return INTERRUPTED if interrupted else 0


def expanded(vary: str) -> str:
    """Expand ranges: ``hand_sizes=3..4,5`` becomes ``hand_sizes=3,5;4,5``; values without dots are unchanged."""
    name, equals, values = vary.partition("=")
    if ".." not in values:
        return vary
    alternatives = []
    for value in values.split(";"):
        alternatives += [",".join(each) for each in product(*(numbers(part, vary) for part in value.split(",")))]
    return f"{name}{equals}{';'.join(alternatives)}" + (";" if len(alternatives) == 1 else "")


def numbers(part: str, vary: str) -> list[str]:
    """Expand a range: ``3..5`` becomes 3, 4 and 5."""
    first, dots, last = (each.strip() for each in part.partition(".."))
    if not dots:
        return [part.strip()]
    if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise Refused(f"--vary {vary} is not possible: 3..6 stands for the numbers from 3 to 6.")
    return [str(number) for number in range(int(first), int(last) + 1)]


def told(candidates: list[Candidate], running: list[Candidate]) -> list[dict[str, Any]]:
    """The result of every variant that was played: those with the most matches first, then the fairest first."""
    played = [each for each in candidates if each.parts]
    sure = dict(zip((id(each) for each in running if each.parts), sureness([each for each in running if each.parts]) if played else []))
    ranked = sorted(played, key=lambda each: (-each.sums.matches, each.unfairness))
    return [
        {
            "options": answers.options_in_words(each.variant),
            "matches": each.sums.matches,
            "wins": [row.value.as_json() for row in answers.wins_of(each.variant, findings(Study((each.variant,), 0), [each.sums])[0])],
            "unfairness": each.unfairness,
            "sureness": sure.get(id(each)),
        }
        for each in ranked
    ]


def in_words(title: str, report: list[dict[str, Any]], seed: int, interrupted: bool) -> list[str]:
    """The report as lines of text."""
    best = report[0]
    sure = f"; when the matches are drawn again it is the fairest in {best['sureness']:.0%} of cases" if best["sureness"] is not None else ""
    lines = [f"{title} is fairest with {best['options']}: the seat farthest off wins {100 * best['unfairness']:.1f} points off its share{sure}.", ""]
    rows = [["options", "matches", "farthest off", "fairest in", "wins by seat"]]
    for each in report[:20]:
        wins = " ".join(f"{100 * row['mean']:.1f} ± {50 * (row['high'] - row['low']):.1f}" for row in each["wins"])
        often = "left" if each["sureness"] is None else f"{each['sureness']:.0%}"
        rows.append([each["options"], f"{each['matches']:,}", f"{100 * each['unfairness']:.2f}", often, wins])
    more = [f"... and {len(report) - 20} more that were left"] if len(report) > 20 else []
    return [*lines, *in_columns(rows), *more, "", f"Seed {seed}{', interrupted' if interrupted else ''}"]


app = App(help_format="plaintext", help_formatter="plain", default_parameter=Parameter(negative=()), result_action="return_value")
"""``kortlek lab`` itself, and its subcommands."""
app.default(lab)
app.command(check)
app.command(search)
