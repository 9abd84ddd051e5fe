"""Measure the rows of docs/trust.md, and print their table. What was measured is kept in a file, part by part: a run that was ended, by Ctrl-C or a
crash, goes on where it was.

    make trust                     the small size: minutes; it can only show that something is wrong
    make trust SIZE=full           the size of the goals: hours
    make trust ONLY=R5,S7          these rows alone
    make trust AGAIN=1             also what was measured before
    make trust PLANTED=1           plant the bug of each row: the row has to find it
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from trust import connections, durability, engines, fair_deals, floods, hostile, leaks, load, owners, upgrades
from trust.results import Result, Results, commit, table, today
from trust.row import PLANTED, SIZES, Found, Row, Run

from kortlek import __version__

RESULTS = Path(__file__).parent.parent.parent / "trust-results.jsonl"

# Every row is registered here: one line adds the rows of a module.
ROWS: Sequence[Row] = (
    *durability.ROWS,  # R1, R2
    *connections.ROWS,  # R4, R5
    *load.ROWS,  # R3, R9
    *engines.ROWS,  # R6
    *owners.ROWS,  # R8
    *upgrades.ROWS,  # R10
    *leaks.ROWS,  # S1, S2
    *fair_deals.ROWS,  # S6
    *hostile.ROWS,  # S7, S8
    *floods.ROWS,  # S12
)


def in_order(rows: Sequence[Row]) -> list[Row]:
    """The rows by letter and number."""
    return sorted(rows, key=lambda row: (row.name[0], int(row.name[1:])))


def say(text: str) -> None:
    """Show progress."""
    print(text, file=sys.stderr, flush=True)


def measure(row: Row, size: str, part: int) -> tuple[Found, float]:
    """Measure one part of a row; also return how many seconds it took."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kortlek-trust-", ignore_cleanup_errors=True) as data:
        found = row.measure(Run(size, part, Path(data)))
    return found, time.monotonic() - began


def measure_all(row: Row, size: str, results: Results, again: bool, until: float) -> bool:
    """Measure the parts of a row that are not in the results yet; stop when something is wrong, or the time is over. False if a part crashed."""
    parts = [] if again else [each.found for each in results.of(row.name, size)]
    if parts and row.is_done(size, parts):
        say(f"{row.name}: measured before")
    while not row.is_done(size, parts) and not (parts and parts[-1].wrong) and time.monotonic() < until:
        try:
            found, seconds = measure(row, size, len(parts))
        except Exception:
            traceback.print_exc()
            say(f"{row.name}: part {len(parts) + 1} could not be measured")
            return False
        results.add(Result(row.name, size, len(parts), today(), commit(), round(seconds, 1), found))
        parts.append(found)
        say(f"{row.name}: part {len(parts)}, {seconds:.0f} s, {row.how_far(parts)} of the goal: {found}")
        for wrong in found.wrong[:5]:
            say(f"    {wrong[:500]}")
    return True


def plant_all(rows: Sequence[Row]) -> list[str]:
    """Plant the bug of each row; the names of the rows that did not find theirs."""
    missed = []
    for row in rows:
        try:
            found, seconds = measure(row, PLANTED, 0)
        except Exception:
            traceback.print_exc()
            found, seconds = Found(), 0.0
        say(f"{row.name}: {row.planted}: {'found' if found.wrong else 'NOT FOUND'} ({seconds:.0f} s)")
        missed += [] if found.wrong else [row.name]
    return missed


def main(arguments: Sequence[str] | None = None, rows: Sequence[Row] = ROWS) -> int:
    """Measure and print; 1 if something does not hold."""
    parser = argparse.ArgumentParser(prog="make trust", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default=SIZES[0])
    parser.add_argument("--only", default="", help="names of rows, with commas")
    parser.add_argument("--again", action="store_true", help="also measure what was measured before")
    parser.add_argument("--planted", action="store_true", help="plant the bug of each row instead")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no part of a row after it took so long")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file with the results")
    asked = parser.parse_args(arguments)
    names = {row.name: row for row in in_order(rows)}
    wanted = [name.strip().upper() for name in asked.only.split(",")] if asked.only else list(names)
    if unknown := [name for name in wanted if name not in names]:
        parser.error(f"there is no row {unknown[0]!r}; the rows are {', '.join(names)}")
    chosen = [names[name] for name in wanted]
    if asked.planted:
        return int(bool(plant_all(chosen)))
    results, is_measured = Results(asked.results), True
    try:
        for row in chosen:
            is_measured &= measure_all(row, asked.size, results, asked.again, time.monotonic() + 60 * asked.minutes)
    except KeyboardInterrupt:
        say("stopped; the next run goes on from here")
    print(f"kortlek {__version__}, Python {platform.python_version()}, {os.cpu_count()} cores, {os.getloadavg()[0]:.1f} busy:\n")
    print(table(chosen, results))
    return int(not is_measured or any(each.found.wrong for row in chosen for each in results.of(row.name, asked.size)))


if __name__ == "__main__":
    sys.exit(main())
