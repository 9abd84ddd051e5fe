"""``kortlek bench``: how fast it is, beside its peers, in one run.

Everyone takes a short turn, again and again, and the medians count: a busy machine slows all of them alike. What runs on one core is
measured in processor time, so that other programs do not count; two workers and starting up are measured on the clock.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from kortlek.bots.search import Searcher
from kortlek.command.asked import Json, print_json
from kortlek.play import loops, plain
from kortlek.play.information import view
from kortlek.play.seeded import seeded, shuffle
from kortlek.rules import GAMES
from kortlek.rules.game import LOTS, OVER, Match

Work = Callable[[int], int]
"""Does something so many times and says how many units (choices, rounds, ...) that was."""
PACKAGES = ("kortlek", "numba", "numpy", "open_spiel")
NOT_INSTALLED = "not installed"
SIMULATIONS = 5_000
"""How many a search has."""


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    turns: int
    seconds: float
    sample: int
    matches: int

    @property
    def many_matches(self) -> int:
        """Twenty times as many, to see whether memory grows with them."""
        return 20 * self.matches


THOROUGH = Effort(turns=9, seconds=0.1, sample=1000, matches=10_000)
QUICK = Effort(turns=1, seconds=0.002, sample=20, matches=50)


@dataclass(frozen=True)
class Row:
    """One line of the table: ours beside theirs. The goal is a ratio of at least ``goal``, or without a peer at most ``goal`` units."""

    what: str
    unit: str
    ours: float | None
    peer: str = ""
    theirs: float | None = None
    goal: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times theirs is ours."""
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
        """Everything about it by name."""
        return {**asdict(self), "ratio": self.ratio, "reached": self.reached}

    def cells(self) -> list[str]:
        """As people read it."""
        theirs = "" if not self.peer else NOT_INSTALLED if self.theirs is None else short(self.theirs)
        goal = "" if self.goal is None else f"{'≥' if self.peer else '≤'} {self.goal:g}"
        reached = {True: "yes", False: "no", None: ""}[self.reached]
        return [f"{self.what} ({self.unit})", short(self.ours), self.peer, theirs, short(self.ratio), goal, reached]


COLUMNS = ("what (per second, or in what)", "ours", "beside it", "theirs", "ratio", "goal", "reached")
AT_THE_RIGHT = ("ours", "theirs", "ratio", "goal")
WIDE = 140


def short(number: float | None) -> str:
    """A number in three digits."""
    if number is None:
        return "–"
    for scale, letter in ((1e6, " M"), (1e3, " k")):
        if number >= scale:
            return f"{number / scale:.3g}{letter}"
    return f"{number:.3g}"


# ---- ours


def waiting_for_deal(name: str, players: int, at_round: int = 0, **options: int) -> Match:
    """A match before the deal of a round, its lots drawn."""
    s: Match = plain.begin(GAMES[name], players, options)
    while s.phase == LOTS:
        happen_by_chance(name, s)
    s.round = at_round
    return s


def dealt(name: str, players: int, at_round: int = 0, **options: int) -> Match:
    """The first choice of a round."""
    s = waiting_for_deal(name, players, at_round, **options)
    while s.phase < OVER:
        happen_by_chance(name, s)
    return s


def happen_by_chance(name: str, s: Match) -> None:
    """Shuffle and deal, or draw lots."""
    rng = [seeded(2, s.round)]
    plain.happen(GAMES[name], s, plain.draw_chance(GAMES[name], s, lambda pack, n: shuffle(pack, n, rng)))


def play_on(name: str, position: Match) -> Work:
    """Random play of a position to the end of its round; says how many choices. With the deal, if the position waits for it."""
    from kortlek.play import compiled

    run = compiled.build(loops.make_rollouts, GAMES[name])
    records = compiled.records(position, 2)
    pack, rng = numbers(plain.LARGEST_PACK), numbers(1)
    rng[0] = seeded(1, 0)
    return lambda times: int(run(records[:1], records[1:], pack, rng, times))


def rounds_of(name: str, position: Match) -> Work:
    """The same; says how many rounds."""
    play = play_on(name, position)
    return lambda times: (play(times), times)[1]


def search_from(name: str, position: Match) -> Work:
    """Information-set search by the player whose turn it is; says how many simulations."""
    searcher = Searcher(GAMES[name])
    seen = view(GAMES[name], position, position.turn)

    def search(times: int) -> int:
        for seed in range(times):
            searcher.think(seen, SIMULATIONS, seed)
        return times * SIMULATIONS

    return search


def whole_matches(name: str, players: int) -> Work:
    """Whole matches with a chance bot in every seat; says how many choices."""
    from kortlek.play import compiled

    run = compiled.build(loops.make_simulator, GAMES[name])
    records = compiled.records(plain.blank(GAMES[name], players), 2)
    pack, rng, chunk = numbers(plain.LARGEST_PACK), numbers(1), 100
    scores, facts = numbers(chunk, players), numbers(chunk, 3)

    def play(times: int) -> int:
        choices = 0
        for first in range(0, times, chunk):
            rows = min(chunk, times - first)
            run(records[:1], records[1:], pack, rng, 1, first, scores[:rows], facts[:rows])
            choices += int(facts[:rows, 2].sum())
        return choices

    return play


def numbers(*shape: int) -> Any:
    """Room for whole numbers that compiled code can write to."""
    from kortlek.play import compiled

    return compiled.int_array(math.prod(shape)).reshape(shape)


def ours() -> Iterator[tuple[str, Work]]:
    """Our turns by name."""
    yield "plump", play_on("plump", dealt("plump", 4))
    yield "plump with the deal", rounds_of("plump", waiting_for_deal("plump", 4))
    yield "plump search", search_from("plump", dealt("plump", 4))
    yield "up_and_down", play_on("up_and_down", dealt("up_and_down", 4, at_round=9, N=10))
    yield "trick_paper_scissors", play_on("trick_paper_scissors", dealt("trick_paper_scissors", 4))
    yield "cascade", play_on("cascade", dealt("cascade", 4))
    yield "rummy", play_on("rummy", dealt("rummy", 2))
    for name in ("plump", "up_and_down", "trick_paper_scissors", "cascade"):
        yield f"{name} matches", whole_matches(name, 4)


# ---- OpenSpiel


def openspiel() -> ModuleType | None:
    """OpenSpiel, if it is installed."""
    return importlib.import_module("pyspiel") if importlib.util.find_spec("pyspiel") else None


def peers(effort: Effort) -> Iterator[tuple[str, Work]]:
    """The turns of peers that are installed, by name. An ``oh_hell`` round of ten tricks with four players has as many choices as ours."""
    spiel = openspiel()
    if spiel is None:
        return
    oh_hell = spiel.load_game("oh_hell(players=4,num_tricks_fixed=10)")
    gin_rummy = spiel.load_game("gin_rummy")
    yield "oh_hell", rollouts(spiel, oh_hell, choices_of(spiel, oh_hell, 1))
    yield "oh_hell from Python, numpy.random", from_python(oh_hell, importlib.import_module("numpy").random.choice)
    yield "oh_hell from Python, random", from_python(oh_hell, random.Random(1).choice)
    yield "oh_hell with the deal", evaluated(spiel, oh_hell)
    yield "oh_hell search", searched(spiel, oh_hell)
    yield "gin_rummy", rollouts(spiel, gin_rummy, choices_of(spiel, gin_rummy, effort.sample))


def dealt_by_openspiel(game: Any) -> Any:
    """The first choice of a round."""
    s = game.new_initial_state()
    draw = random.Random(2)
    while s.is_chance_node():
        outcomes, chances = zip(*s.chance_outcomes(), strict=True)
        s.apply_action(draw.choices(outcomes, chances)[0])
    return s


def rollouts(spiel: ModuleType, game: Any, choices_each: float) -> Work:
    """Random play in C++. The evaluator cannot be called from Python, but the first step of a search with one simulation is to ask it for
    so many rollouts of the position."""
    s = dealt_by_openspiel(game)

    def play(times: int) -> int:
        bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(times, 1), 2.0, 1, 100, False, 1, False)
        bot.mcts_search(s)
        return round(times * choices_each)

    return play


def choices_of(spiel: ModuleType, game: Any, sample: int) -> float:
    """How many choices a random round has, in the mean of a sample."""
    chance, choices = -1, 0
    for seed in range(sample):
        s = dealt_by_openspiel(game)
        before = len(s.full_history())
        spiel.evaluate_bots(s, random_bots(spiel, game), seed)
        choices += sum(step.player != chance for step in s.full_history()[before:])
    return choices / sample


def random_bots(spiel: ModuleType, game: Any) -> list[Any]:
    """A chance bot in every seat."""
    return [spiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]


def from_python(game: Any, choose: Callable[[list[int]], int]) -> Work:
    """Random play from Python, choice by choice."""
    start = dealt_by_openspiel(game)

    def play(times: int) -> int:
        choices = 0
        for _ in range(times):
            s = start.clone()
            while not s.is_terminal():
                s.apply_action(choose(s.legal_actions()))
                choices += 1
        return choices

    return play


def evaluated(spiel: ModuleType, game: Any) -> Work:
    """Whole rounds with the deal, in C++; says how many rounds."""
    bots = random_bots(spiel, game)

    def play(times: int) -> int:
        for seed in range(times):
            spiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return times

    return play


def searched(spiel: ModuleType, game: Any) -> Work:
    """Information-set search from the first bid, in C++; says how many simulations."""
    s = dealt_by_openspiel(game)

    def search(times: int) -> int:
        for seed in range(times):
            spiel.ISMCTSBot(seed, spiel.RandomRolloutEvaluator(1, seed), 2.0, SIMULATIONS).step(s)
        return times * SIMULATIONS

    return search


# ---- taking turns


def enough(work: Work, seconds: float) -> int:
    """How many times to do it for a turn of about so many seconds."""
    times = 1
    work(times)
    while True:
        begin = time.process_time()
        work(times)
        if time.process_time() - begin >= seconds / 2 or times >= 1 << 30:
            return 2 * times
        times *= 2


def rates(contestants: dict[str, Work], effort: Effort) -> dict[str, float]:
    """Units per second of each: the median of their turns."""
    times = {}
    for name, work in contestants.items():
        progress(f"warming up: {name}")
        times[name] = enough(work, effort.seconds)
    measured: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(effort.turns):
        progress(f"measuring: turn {turn + 1} of {effort.turns}")
        for name, work in contestants.items():
            begin = time.process_time()
            units = work(times[name])
            measured[name].append(units / (time.process_time() - begin))
    return {name: statistics.median(each) for name, each in measured.items()}


def progress(text: str) -> None:
    """Tell somebody who waits."""
    print(text, file=sys.stderr, flush=True)


COMPARISONS = (
    ("Plump from a dealt hand", "choices", "plump", "OpenSpiel in C++", "oh_hell", 8.0),
    ("Plump from a dealt hand", "choices", "plump", "OpenSpiel from Python, numpy.random", "oh_hell from Python, numpy.random", 100.0),
    ("Plump from a dealt hand", "choices", "plump", "OpenSpiel from Python, random", "oh_hell from Python, random", None),
    ("Plump with the deal", "rounds", "plump with the deal", "OpenSpiel evaluate_bots", "oh_hell with the deal", 20.0),
    ("Plump search from the first bid", "simulations", "plump search", "OpenSpiel ISMCTSBot", "oh_hell search", 10.0),
    ("Rummy from a dealt hand", "choices", "rummy", "OpenSpiel gin_rummy in C++", "gin_rummy", 20.0),
    ("TrickPaperScissors from a dealt hand", "choices", "trick_paper_scissors", "Plump", "plump", 0.5),
    ("Up and Down from a dealt hand", "choices", "up_and_down", "Plump", "plump", 0.5),
    ("Cascade from a dealt hand", "choices", "cascade", "Plump", "plump", 0.2),
    ("TrickPaperScissors, whole matches", "choices", "trick_paper_scissors matches", "Plump", "plump matches", 0.5),
    ("Up and Down, whole matches", "choices", "up_and_down matches", "Plump", "plump matches", 0.5),
    ("Cascade, whole matches", "choices", "cascade matches", "Plump", "plump matches", 0.2),
)
"""Random play by everyone, on one core: what, units per second, our turn, the peer and its turn, how many times as fast we want to be."""


def one_core(effort: Effort) -> Iterator[Row]:
    """What runs on one core."""
    there = {**dict(ours()), **dict(peers(effort))}
    side_by_side = [turn for _, _, our_turn, _, its_turn, _ in COMPARISONS for turn in (our_turn, its_turn) if turn in there]
    measured = rates({turn: there[turn] for turn in side_by_side}, effort)
    for what, unit, our_turn, peer, its_turn, goal in COMPARISONS:
        yield Row(what, unit, measured.get(our_turn), peer, measured.get(its_turn), goal)


# ---- two workers, memory, starting up


def simulate(name: str, players: int, matches: int) -> int:
    """Matches for a worker: how many choices."""
    return whole_matches(name, players)(matches)


def two_workers(effort: Effort) -> Iterator[Row]:
    """Two threads or processes that play as many matches each, beside one that does."""
    for kind, make in (("threads", ThreadPoolExecutor), ("processes", partial(ProcessPoolExecutor, mp_context=get_context("spawn")))):
        progress(f"two workers: {kind}")
        with make(2) as workers:
            on_the_clock(workers, 2, effort.matches)
            turns = [(on_the_clock(workers, 1, effort.matches), on_the_clock(workers, 2, effort.matches)) for _ in range(effort.turns)]
            one, two = (statistics.median(each) for each in zip(*turns, strict=True))
        yield Row(f"Plump, whole matches, two {kind}", "matches", 2 * effort.matches / two, "one", effort.matches / one, 1.8)


def on_the_clock(workers: Executor, how_many: int, matches: int) -> float:
    """The seconds until so many workers have each played so many matches."""
    begin = time.perf_counter()
    for each in [workers.submit(simulate, "plump", 4, matches) for _ in range(how_many)]:
        each.result()
    return time.perf_counter() - begin


def memory(effort: Effort) -> Iterator[Row]:
    """How much a process grows from some matches to many."""
    progress(f"memory: {effort.many_matches} matches")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as worker:
        some = worker.submit(megabytes_after, effort.matches).result()
        many = worker.submit(megabytes_after, effort.many_matches).result()
    grown = None if some is None or many is None else many - some
    yield Row(f"Growth from {effort.matches:,} matches to {effort.many_matches:,}", "MB", grown, goal=1.0)


def megabytes_after(matches: int) -> float | None:
    """The memory of this process after so many matches; None where the system does not tell."""
    simulate("plump", 4, matches)
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if told.exists() else None


PLAIN_GAME = """
from time import perf_counter
begin = perf_counter()
from kortlek.rules import GAMES
from kortlek.play.plain import begin as begin_match
begin_match(GAMES["plump"], 4)
print(perf_counter() - begin)
"""


def starting_up(effort: Effort) -> Iterator[Row]:
    """What a person waits for before anything happens; the first time, when Python translates the source, does not count."""
    progress("starting up")
    with tempfile.TemporaryDirectory() as translated:
        surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": translated}
        for what, seconds, goal in (("kortlek --help", seconds_of_help, 0.3), ("Import and begin a plain game", seconds_of_import, 0.05)):
            measured = [seconds(surroundings) for _ in range(effort.turns + 1)]
            yield Row(what, "seconds", statistics.median(measured[1:]), goal=goal)


def seconds_of_help(surroundings: dict[str, str]) -> float:
    """How long ``kortlek --help`` takes."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "kortlek", "--help"], check=True, capture_output=True, env=surroundings)
    return time.perf_counter() - begin


def seconds_of_import(surroundings: dict[str, str]) -> float:
    """How long a program waits for the games, and for a match of one to begin."""
    return float(subprocess.run([sys.executable, "-c", PLAIN_GAME], check=True, capture_output=True, env=surroundings).stdout)


# ---- the table


@dataclass(frozen=True)
class Report:
    """The whole table, and what it was measured with."""

    versions: dict[str, str]
    cores: int
    load: float
    rows: list[Row]

    def heading(self) -> str:
        """Versions and cores."""
        return ", ".join([f"{name} {version}" for name, version in self.versions.items()] + [f"{self.cores} cores", f"load {self.load:.1f} before"])

    def as_json(self) -> dict[str, Any]:
        """Everything by name."""
        return {**asdict(self), "rows": [row.as_json() for row in self.rows]}


def measure(effort: Effort) -> Report:
    """Measure everything."""
    if importlib.util.find_spec("numba") is None:
        raise plain.Refused("kortlek bench measures the compiled engine, which needs the extra 'fast': pip install 'kortlek[fast]'.")
    load = os.getloadavg()[0]
    versions = {"Python": platform.python_version(), **{name: version_of(name) for name in PACKAGES}}
    rows = [*one_core(effort), *two_workers(effort), *memory(effort), *starting_up(effort)]
    return Report(versions, os.cpu_count() or 1, load, rows)


def version_of(package: str) -> str:
    """The version of a package, or that it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return NOT_INSTALLED


def as_markdown(report: Report) -> str:
    """The table as docs/benchmarks.md keeps it."""
    lines = [" | ".join(["", *cells, ""]).strip() for cells in (COLUMNS, ["---"] * len(COLUMNS), *(row.cells() for row in report.rows))]
    return f"# Benchmarks\n\n{' '.join((__doc__ or '').split(chr(10) * 2, 1)[1].split())}\n\n{report.heading()}.\n\n" + "\n".join(lines) + "\n"


def show(report: Report) -> None:
    """The table in the terminal."""
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
    """Measure the speed, beside other programs that are installed."""
    report = measure(QUICK if quick else THOROUGH)
    if markdown:
        markdown.write_text(as_markdown(report), encoding="utf-8")
    if json:
        print_json(report.as_json())
    else:
        show(report)
