"""Our speed beside that of another checkout of Kortlek, such as the commit before, in one run.

Run: python benchmarks/before_after.py CHECKOUT [--starts 5] [--turns 5] [--only NAME ...]

Each checkout runs in a process of its own with this environment's packages. Both take short turns on one core, one after the other, so that a
busy machine slows both. Where machine code and data lie in memory differs from process to process and is worth some percent: the processes are
started anew a few times. The median of all ratios counts, with its quartiles. Exit code 1 if a row is slower than 0.95 of before."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent.parent
CONTESTANTS = ("kortlek.cli.contestants", "kortlek.command.contestants")
"""Where a checkout lists what it measures, newest first."""
SECONDS = 0.15
"""The length of a turn."""
SLOWEST = 0.95


def serve() -> None:
    """In the process of a checkout: answer ``NAME TIMES`` with the units done and the CPU seconds they took, until the input ends."""
    modules = [name for name in CONTESTANTS if importlib.util.find_spec(name.rpartition(".")[0]) and importlib.util.find_spec(name)]
    works: dict[str, Callable[[int], int]] = dict(importlib.import_module(modules[0]).ours())
    print(*works, sep="\t", flush=True)
    for line in sys.stdin:
        name, _, times = line.rstrip("\n").rpartition("\t")
        begin = time.process_time()
        units = works[name](int(times))
        print(units, time.process_time() - begin, flush=True)


class Checkout:
    """A checkout and its process."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder
        )
        self.names = self.read().split("\t")
        self.times: dict[str, int] = {}

    def __enter__(self) -> Checkout:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def read(self) -> str:
        """A line of its output."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("A checkout could not be measured: see above.")
        return line.rstrip("\n")

    def turn(self, name: str, times: int) -> tuple[int, float]:
        """The units and seconds of one turn."""
        assert self.process.stdin
        self.process.stdin.write(f"{name}\t{times}\n")
        self.process.stdin.flush()
        units, seconds = self.read().split()
        return int(units), float(seconds)

    def speed(self, name: str) -> float:
        """Units per second in one turn of about ``SECONDS``."""
        if name not in self.times:
            times = 1
            self.turn(name, times)
            while self.turn(name, times)[1] < SECONDS / 2:
                times *= 2
            self.times[name] = times
        units, seconds = self.turn(name, self.times[name])
        return units / seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, nargs="?", help="the folder of the other checkout")
    parser.add_argument("--starts", type=int, default=5, help="how often both processes are started")
    parser.add_argument("--turns", type=int, default=5, help="how many turns each takes after a start")
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of rows")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return 0
    if given.checkout is None or not (given.checkout / "src" / "kortlek").is_dir():
        parser.error("name the folder of another checkout of Kortlek")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    measured: dict[str, list[tuple[float, float]]] = {}
    for _ in range(given.starts):
        with Checkout(given.checkout.resolve()) as before, Checkout(HERE) as now:
            for name in before.names:
                if name in now.names and (not given.only or any(part in name for part in given.only)):
                    measured.setdefault(name, []).extend((before.speed(name), now.speed(name)) for _ in range(given.turns))
    print(f"{'':45} {'before':>10} {'now':>10}  now / before (quartiles)")
    slow = 0
    for name, pairs in measured.items():
        low, middle, high = statistics.quantiles([ours / theirs for theirs, ours in pairs], n=4)
        slow += middle < SLOWEST
        old, new = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(f"{name:45} {old:10.4g} {new:10.4g}  {middle:.3f} ({low:.3f} to {high:.3f})")
    return slow > 0


if __name__ == "__main__":
    sys.exit(main())
