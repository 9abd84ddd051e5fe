"""``PYTHONPATH=tests python benchmarks/lab_scale.py``: the speed of the lab compared with the plain simulator, its speed-up with more workers, and
that memory does not grow with the number of games. Plump, four house players. Each configuration plays a number of games and ten times as many, as
commands of their own:

* ``kortlek simulate`` and ``kortlek lab`` with one worker;
* the lab with two workers, and on a ray cluster of two nodes with one processor each, on this machine;
* the lab with every match written to a Parquet file.

The speed is computed from the difference between the two runs, so that start-up time does not count; start-up must be a small part of the shorter
run. The speed of the whole longer run is reported, too. The memory is the peak of the largest process of the command and its children (on the
cluster, without its workers); with ``--data`` it includes a buffered row group. The only failure is a difference in results."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from clusters import two_nodes
from running import SOURCE

from kortlek import __version__

GAMES = 20_000
TABLE = ["plump", "--players", "4", "--bots", "house", "--seed", "1", "--json"]
ONE = "the lab, one worker"


@dataclass(frozen=True)
class Ran:
    """The output of a command, and the peak memory of its largest process in megabytes."""

    told: dict[str, Any]
    memory: float

    @property
    def seconds(self) -> float:
        """Without the time for loading and compiling."""
        return float(self.told["seconds"])


def run(*words: str) -> Ran:
    """Run a command in a process of its own; exit if it fails."""
    command = [sys.executable, "-m", "kortlek", *words]
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, env={**os.environ, "PYTHONPATH": str(SOURCE)})
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}")
        out.seek(0)
        return Ran(json.load(out), used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def ways(address: str | None, folder: Path) -> dict[str, tuple[int, list[str]]]:
    """The configurations: the number of workers, and the command."""
    found = {
        "the simulator, one worker": (1, ["simulate", *TABLE, "--workers", "1"]),
        ONE: (1, ["lab", *TABLE, "--workers", "1"]),
        "the lab, two workers": (2, ["lab", *TABLE, "--workers", "2"]),
    }
    if address:
        found["the lab, a ray cluster of two nodes"] = 2, ["lab", *TABLE, "--cluster", address]
    if find_spec("pyarrow"):
        found["the lab, one worker, --data"] = 1, ["lab", *TABLE, "--workers", "1", "--data", str(folder / "matches.parquet")]
    return found


def measure(games: int, address: str | None, folder: Path) -> Iterator[tuple[str, int, Ran, Ran]]:
    """Run every configuration with ``games`` games and with ten times as many."""
    for name, (workers, words) in ways(address, folder).items():
        run(*words, "--games", "100")  # warm up: compile and fill the cache
        yield name, workers, run(*words, "--games", str(games)), run(*words, "--games", str(10 * games))


def report(games: int, found: list[tuple[str, int, Ran, Ran]]) -> Iterator[str]:
    """The results as a table in Markdown."""
    yield f"Kortlek {__version__}, {platform.machine()}, {os.cpu_count()} cores; Plump, 4 players, house; {games:,} and {10 * games:,} games."
    yield ""
    yield f"| | games/s | for each worker, of one | whole run, games/s | memory, {games:,} games | {10 * games:,} games |"
    yield "|---|---|---|---|---|---|"
    speed = {name: 9 * games / max(more.seconds - few.seconds, 1e-9) for name, _, few, more in found}
    for name, workers, few, more in found:
        share = f"{speed[name] / workers / speed[ONE]:.0%}"
        yield f"| {name} | {speed[name]:,.0f} | {share} | {10 * games / more.seconds:,.0f} | {few.memory:,.0f} MB | {more.memory:,.0f} MB |"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="How fast the lab is, with one worker and with more, and how much memory it takes.")
    parser.add_argument("--games", type=int, default=GAMES, help="how many games; each way plays ten times as many, too")
    parser.add_argument("--markdown", type=Path, help="a file to write the table to")
    asked = parser.parse_args()
    with two_nodes() if find_spec("ray") else nullcontext() as nodes, tempfile.TemporaryDirectory() as folder:
        found = list(measure(asked.games, nodes.address if nodes else None, Path(folder)))
    for name, _, few, more in found[2:]:
        if any(ran.told["variants"] != first.told["variants"] for ran, first in zip((few, more), found[1][2:])):
            sys.exit(f"{name}: other results than with one worker")
    text = "\n".join(report(asked.games, found)) + "\n"
    print(text)
    if asked.markdown:
        asked.markdown.write_text(f"# How fast the lab is\n\n{text}\nMeasured by `benchmarks/lab_scale.py`.\n", encoding="utf-8")


if __name__ == "__main__":
    main()
