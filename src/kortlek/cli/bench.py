"""``kortlek bench``: the speed of Kortlek and of comparable programs, measured in one run."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from kortlek import __version__
from kortlek.bots import CLUB, EXPERT, RANDOM
from kortlek.cli.arguments import Json, print_json
from kortlek.cli.contestants import HOUSES, Work, ours, peers, thinking_times
from kortlek.engine.plain import Refused
from kortlek.game.registry import GAMES
from kortlek.simulation.runner import COMPILED, PLAIN, is_installed
from kortlek.simulation.simulate import Task, batches, simulator_of

PACKAGES = ("numba", "numpy", "open_spiel")
NOT_INSTALLED = "not installed"
Action = Callable[[], object]
HOW = """\
Everyone takes a short turn, again and again, and the medians count: a busy machine slows all of them alike. What runs on one core is measured in
processor time, so that other programs do not count; two workers and starting up are measured on the clock, and one worker right after two, by how
many times as long it takes. Two workers can be twice as fast as one only where two cores of the machine do twice the work of one, which those of
rented machines often do not: the table says what two threads of a program that shares nothing (`zlib`) reach in the same turns.

Everyone plays at random where no bot is named. Plump is a round of ten tricks with four players, beside the same of OpenSpiel's `oh_hell`: 44
choices. OpenSpiel plays in C++ (the rollouts of its evaluator), from Python choice by choice (with the steps of its
`python/examples/example.py`, without the printing; and with as few steps as possible), and with the deal (`evaluate_bots`; the whole loop of the
example). A search has 5,000 simulations. Rummy is a game of two players beside `gin_rummy`, whose choices are counted in a sample. Up and Down
is a round of ten, TrickPaperScissors a deal, Cascade a game, all with four players. Whole matches are what `kortlek simulate` plays. The house's
choices are timed with the rules around them, those of the bots that think (club at most 10 ms, expert at most 100 ms) in matches of the house
against itself."""
"""The introduction of docs/benchmarks.md: what the table shows."""


@dataclass(frozen=True)
class Effort:
    """How much to measure: turns, seconds per turn, and sizes of samples."""

    turns: int
    seconds: float
    sample: int
    matches: int
    choices: int

    @property
    def many_matches(self) -> int:
        """Twenty times as many matches, to measure whether memory use grows with them."""
        return 20 * self.matches


THOROUGH = Effort(turns=9, seconds=0.1, sample=1000, matches=10_000, choices=300)
QUICK = Effort(turns=1, seconds=0.002, sample=20, matches=50, choices=3)


@dataclass(frozen=True)
class Row:
    """One row of the table: our value and a peer's. The goal is a ratio of at least ``goal``, or without a peer at most ``goal`` units."""

    what: str
    unit: str
    ours: float | None
    peer: str = ""
    theirs: float | None = None
    goal: float | None = None

    @property
    def ratio(self) -> float | None:
        """Our value divided by the peer's."""
        return self.ours / self.theirs if self.ours and self.theirs else None

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None if there is no goal or nothing to compare."""
        if self.goal is None:
            return None
        if self.peer:
            return None if self.ratio is None else self.ratio >= self.goal
        return None if self.ours is None else self.ours <= self.goal

    def as_json(self) -> dict[str, Any]:
        """The row as a JSON-compatible dict."""
        return {**asdict(self), "ratio": self.ratio, "reached": self.reached}

    def cells(self) -> list[str]:
        """The cells of the row as text."""
        theirs = "" if not self.peer else NOT_INSTALLED if self.theirs is None else short(self.theirs)
        goal = "" if self.goal is None else f"{'≥' if self.peer else '≤'} {self.goal:g}"
        reached = {True: "yes", False: "no", None: ""}[self.reached]
        return [f"{self.what}, {self.unit}", short(self.ours), self.peer, theirs, short(self.ratio), goal, reached]


COLUMNS = ("what", "ours", "beside it", "theirs", "ratio", "goal", "reached")
AT_THE_RIGHT = ("ours", "theirs", "ratio", "goal")
WIDE = 140


def short(number: float | None) -> str:
    """A number with three significant digits."""
    if number is None:
        return "–"
    for scale, letter in ((1e6, " M"), (1e3, " k")):
        if number >= scale:
            return f"{number / scale:.3g}{letter}"
    return f"{number:.3g}"


# ---- measuring in turns


def repetitions(work: Work, seconds: float) -> int:
    """The number of repetitions for a turn of about ``seconds`` seconds."""
    times = 1
    work(times)
    while True:
        begin = time.process_time()
        work(times)
        if time.process_time() - begin >= seconds / 2 or times >= 1 << 30:
            return 2 * times
        times *= 2


def units_per_second(contestants: dict[str, Work], effort: Effort) -> dict[str, float]:
    """Units per second of each contestant: the median of its turns."""
    times = {}
    for name, work in contestants.items():
        progress(f"warming up: {name}")
        times[name] = repetitions(work, effort.seconds)
    measured: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(effort.turns):
        progress(f"measuring: turn {turn + 1} of {effort.turns}")
        for name, work in contestants.items():
            begin = time.process_time()
            units = work(times[name])
            measured[name].append(units / (time.process_time() - begin))
    return {name: statistics.median(each) for name, each in measured.items()}


def progress(text: str) -> None:
    """Print a progress message to standard error."""
    print(text, file=sys.stderr, flush=True)


COMPARISONS = (
    ("Plump from a dealt hand", "choices/s", "plump", "OpenSpiel in C++", "oh_hell", 8.0),
    ("Plump from a dealt hand", "choices/s", "plump", "OpenSpiel's Python example", "oh_hell as in the example, in words", 100.0),
    ("Plump from a dealt hand", "choices/s", "plump", "the example, only its choosing", "oh_hell as in the example", 100.0),
    ("Plump from a dealt hand", "choices/s", "plump", "OpenSpiel from Python, leanest", "oh_hell from Python", None),
    ("Plump with the deal", "rounds/s", "plump with the deal", "OpenSpiel evaluate_bots", "oh_hell with the deal", 20.0),
    ("Plump with the deal", "rounds/s", "plump with the deal", "OpenSpiel's Python example", "oh_hell with the deal as in the example", 100.0),
    ("Plump search from the first bid", "simulations/s", "plump search", "OpenSpiel ISMCTSBot", "oh_hell search", 10.0),
    ("Rummy from a dealt hand", "choices/s", "rummy", "OpenSpiel gin_rummy in C++", "gin_rummy", 20.0),
    ("Hearts from a dealt hand", "choices/s", "hearts", "OpenSpiel hearts in C++", "hearts in C++", 10.0),
    ("Spades from a dealt hand", "choices/s", "spades", "OpenSpiel spades in C++", "spades in C++", 10.0),
    ("TrickPaperScissors from a dealt hand", "choices/s", "trick_paper_scissors", "Plump", "plump", 0.5),
    ("Up and Down from a dealt hand", "choices/s", "up_and_down", "Plump", "plump", 0.5),
    ("Cascade from a dealt hand", "choices/s", "cascade", "Plump", "plump", 0.2),
    ("TrickPaperScissors, whole matches", "choices/s", "trick_paper_scissors matches", "Plump", "plump matches", 0.5),
    ("Up and Down, whole matches", "choices/s", "up_and_down matches", "Plump", "plump matches", 0.5),
    ("Cascade, whole matches", "choices/s", "cascade matches", "Plump", "plump matches", 0.2),
    ("Plump by the house, from a dealt hand", "rounds/s", "plump by the house", "OpenSpiel at random in C++", "oh_hell rounds", 4.0),
    ("Rummy by the original, from a dealt hand", "games/s", "rummy by the house", "gin_rummy at random in C++", "gin_rummy games", 1.0),
)
"""Comparisons on one core: what is measured, the unit, our contestant, the peer's title and contestant, and the ratio that is the goal."""


def one_core(effort: Effort) -> Iterator[Row]:
    """The measurements on one core."""
    there = {**dict(ours()), **dict(peers(effort.sample))}
    side_by_side = [turn for _, _, our_turn, _, its_turn, _ in COMPARISONS for turn in (our_turn, its_turn) if turn in there]
    houses = {name: f"choices of the house in {name}" for name in HOUSES}
    measured = units_per_second({turn: there[turn] for turn in (*side_by_side, *houses.values())}, effort)
    for what, unit, our_turn, peer, its_turn, goal in COMPARISONS:
        yield Row(what, unit, measured.get(our_turn), peer, measured.get(its_turn), goal)
    for name, turn in houses.items():
        yield Row(f"A choice of the house in {GAMES[name].title}", "µs", 1e6 / measured[turn], goal=50)


def thinking(effort: Effort) -> Iterator[Row]:
    """The 99th percentile of the CPU time per choice of thinking bots."""
    for game in GAMES.values():
        for level, goal in ((CLUB, 10), (EXPERT, 100)):
            progress(f"thinking: {level}, {game.name}")
            times = sorted(thinking_times(game.name, level, effort.choices))
            yield Row(f"A choice of {level} in {game.title}, 99 % below", "ms", 1e3 * times[len(times) * 99 // 100], goal=goal)


# ---- two workers, memory, starting up


def two_workers(effort: Effort) -> Iterator[Row]:
    """Two workers of ``kortlek simulate`` compared with one: threads with the compiled engine, processes with the plain one. Two threads that share
    nothing show the speed-up that this machine allows at the same time."""
    slow = Task("plump", (), (RANDOM,) * 4, 1)
    fast, matches = replace(slow, engine=COMPILED), 3 * effort.matches
    progress(f"two workers: {COMPILED} engine")
    simulator_of(fast)
    texts = [bytes(at * at * 31 >> 7 & 255 for at in range(1 << 20))] * max(2, matches // 300)
    by_two, by_one = partial(play_all, fast, matches, 2), partial(play_all, fast, matches, 1)
    (two, one), (both, alone) = pairs(2 * effort.turns, (by_two, by_one), (partial(press_all, texts, 2), partial(press_all, texts, 1)))
    yield Row(f"Plump, two workers, {COMPILED}", "matches/s", matches / two, "one worker", matches / one, 1.8)
    yield Row("The machine: two threads that share nothing", "texts/s", len(texts) / both, "one thread", len(texts) / alone)
    progress(f"two workers: {PLAIN} engine")
    matches = 2 * effort.matches // 5
    [(two, one)] = pairs(min(effort.turns, 5), (partial(play_all, slow, matches, 2), partial(play_all, slow, matches, 1)))
    yield Row(f"Plump, two workers, {PLAIN}", "matches/s", matches / two, "one worker", matches / one, 1.8)


def pairs(turns: int, *actions: tuple[Action, Action]) -> list[tuple[float, float]]:
    """The wall-clock seconds of both actions of each pair, measured in turns."""
    taken = [[(seconds_of(first), seconds_of(second)) for first, second in actions] for _ in range(turns)]
    return [typical(times) for times in zip(*taken, strict=True)]


def typical(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The median time of the first action, and that median times the median ratio of the second action to the first. The ratio is taken within a
    turn, so that a machine that is slow for a while slows both."""
    median = statistics.median(first for first, _ in times)
    return median, median * statistics.median(second / first for first, second in times)


def press_all(texts: list[bytes], threads: int) -> None:
    """Compress some texts: work without the GIL, and with little memory of its own."""
    with ThreadPoolExecutor(threads) as pool:
        deque(pool.map(zlib.compress, texts), maxlen=0)


def play_all(task: Task, matches: int, workers: int) -> None:
    """Play this number of matches and discard the results."""
    for _ in batches(task, matches, workers):
        pass


def seconds_of(action: Action) -> float:
    """The wall-clock seconds of an action."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def memory(effort: Effort) -> Iterator[Row]:
    """The growth of a process's memory from some matches to many."""
    progress(f"memory: {effort.many_matches} matches")
    with ProcessPoolExecutor(1, get_context("spawn")) as worker:
        some = worker.submit(megabytes_after, effort.matches).result()
        many = worker.submit(megabytes_after, effort.many_matches).result()
    grown = None if some is None or many is None else many - some
    yield Row(f"Growth from {effort.matches:,} matches to {effort.many_matches:,}", "MB", grown, goal=1.0)


def megabytes_after(matches: int) -> float | None:
    """The resident memory of this process in megabytes after this number of matches; None if the system does not provide it."""
    play_all(Task("plump", (), (RANDOM,) * 4, 1, engine=COMPILED), matches, 1)
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if told.exists() else None


PLAIN_GAME = """
from time import perf_counter
begin = perf_counter()
from kortlek.game.registry import GAMES
from kortlek.engine.plain import begin as begin_match
begin_match(GAMES["plump"], 4)
print(perf_counter() - begin)
"""


def starting_up(effort: Effort) -> Iterator[Row]:
    """Start-up times, without the first run, in which Python compiles the source to bytecode."""
    progress("starting up")
    with tempfile.TemporaryDirectory() as translated:
        surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": translated}
        for what, seconds, goal in (("kortlek --help", seconds_of_help, 0.3), ("Import and begin a plain game", seconds_of_import, 0.05)):
            measured = [seconds(surroundings) for _ in range(effort.turns + 1)]
            yield Row(what, "seconds", statistics.median(measured[1:]), goal=goal)


def seconds_of_help(surroundings: dict[str, str]) -> float:
    """The wall-clock seconds of ``kortlek --help``."""
    return seconds_of(partial(subprocess.run, [sys.executable, "-m", "kortlek", "--help"], check=True, capture_output=True, env=surroundings))


def seconds_of_import(surroundings: dict[str, str]) -> float:
    """The seconds to import the games and begin a match of one."""
    return float(subprocess.run([sys.executable, "-c", PLAIN_GAME], check=True, capture_output=True, env=surroundings).stdout)


# ---- the table


@dataclass(frozen=True)
class Report:
    """All rows, with the versions and the machine they were measured on."""

    versions: dict[str, str]
    cores: int
    load: float | None
    rows: list[Row]

    def heading(self) -> str:
        """Versions, cores and load as one line."""
        busy = [] if self.load is None else [f"{self.load:.1f} busy before"]
        return ", ".join([f"{name} {version}" for name, version in self.versions.items()] + [f"{self.cores} cores", *busy])

    def as_json(self) -> dict[str, Any]:
        """The report as a JSON-compatible dict."""
        return {**asdict(self), "rows": [row.as_json() for row in self.rows]}


def measure(effort: Effort) -> Report:
    """Run all measurements. Raises Refused if the compiled engine is not installed."""
    if not is_installed():
        raise Refused("kortlek bench measures the compiled engine, which needs the extra 'fast': pip install 'kortlek[fast]'.")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    versions = {"kortlek": __version__, "Python": platform.python_version(), **{name: version_of(name) for name in PACKAGES}}
    rows = [*one_core(effort), *thinking(effort), *two_workers(effort), *memory(effort), *starting_up(effort)]
    return Report(versions, os.cpu_count() or 1, load, rows)


def version_of(package: str) -> str:
    """The version of a package, or ``not installed``."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return NOT_INSTALLED


def as_markdown(report: Report) -> str:
    """The report as the text of docs/benchmarks.md."""
    table = [COLUMNS, ["---"] * len(COLUMNS), *(row.cells() for row in report.rows)]
    lines = ["# Benchmarks", "", HOW, "", f"`kortlek bench` with {report.heading()}:", "", *(f"| {' | '.join(cells)} |" for cells in table)]
    return "\n".join(lines) + "\n"


def show(report: Report) -> None:
    """Print the table to the terminal."""
    table = Table(title=report.heading(), box=SIMPLE)
    for column in COLUMNS:
        table.add_column(column, justify="right" if column in AT_THE_RIGHT else "left")
    for row in report.rows:
        table.add_row(*row.cells())
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def bench(
    *,
    json: Json = False,
    quick: Annotated[bool, Parameter(show_default=False, help="Measure so shortly that the numbers mean little.")] = False,
    markdown: Annotated[Path | None, Parameter(help="Also write the table to this file.")] = None,
) -> None:
    """Measure the speed, compared with other programs that are installed."""
    report = measure(QUICK if quick else THOROUGH)
    if markdown:
        markdown.write_text(as_markdown(report), encoding="utf-8")
    if json:
        print_json(report.as_json())
    else:
        show(report)
