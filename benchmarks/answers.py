"""``python benchmarks/answers.py``: every study behind docs/answers.md, and its tables and plots written anew.

The studies are the commands that the page shows, run one after the other; what one has found is kept in a folder, so that the next run goes
on where this one stopped. The words around the tables are for people to write."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kortlek.lab.answers import digits
from kortlek.lab.report import INK, SIGNAL, drawn_svg

ROOT = Path(__file__).parent.parent
PAGE, PLOTS = ROOT / "docs" / "answers.md", ROOT / "docs" / "answers"
EVEN = "2,2,2,2,2,2,2,2,2,2,2,2,2"
STEEP = "0,0,0,0,1,1,2,2,3,3,4,4,5"
USUAL = "1,1,1,1,2,2,2,2,2,3,3,3,3"


@dataclass(frozen=True)
class Table:
    """A table of the page: the studies whose variants are its rows, and what of them is told. ``plot`` is drawn beside it."""

    commands: tuple[str, ...]
    columns: dict[str, str]
    plot: str = ""


def both(command: str, house: int, club: int) -> tuple[str, ...]:
    """A study with house bots, and a shorter one with clubs."""
    return f"{command} --games {house} --seed 1", f"{command} --bots club --games {club} --seed 1"


SEATS = {f"win_{seat}": f"seat {seat + 1}" for seat in range(4)}
BIDDERS = {"points_first": "first bidder", "points_last": "last bidder", "points_all": "anybody", "kept_last": "last keeps", "kept": "all keep"}
STARS = f'--vary "stars={USUAL};{EVEN};{STEEP}" --vary discard_face_up=no,yes'
TABLES = {
    "cascade": Table(
        tuple(
            each
            for players, usual in ((2, "4,5"), (3, "4,5,6"), (4, "3,4,5,6"))
            for each in both(f"cascade --players {players} --option games=1 --option hand_sizes={usual}", 20000, 600)
        ),
        {**SEATS, "score_0": "score 1", "score_1": "score 2", "score_2": "score 3", "score_3": "score 4"},
        "wins",
    ),
    "rummy": Table(both("rummy --players 2,3,4,5,6 --vary threshold=30,40,50", 5000, 60), {"draws": "nobody wins", "rounds": "rounds", "minutes": "minutes"}),
    "last_bidder": Table((*both("plump", 50000, 300), *both("up_and_down", 200000, 1000)), BIDDERS),
    "stars": Table(both(f"trick_paper_scissors {STARS}", 40000, 600), {**SEATS, "spread": "spread"}, "wins"),
    "plump_players": Table(
        both("plump --players 2,3,4,5,6,7,8,9,10", 4000, 60),
        {"win_0": "seat 1", "last_seat": "last seat", "minutes": "minutes", "kept": "promises kept", "security": "won by who led halfway"},
    ),
    "first_lead": Table(both("plump --vary first_lead=first_bidder,highest_bidder", 50000, 300), {**SEATS, "kept": "promises kept", "spread": "spread"}),
}


def run(command: str, into: Path) -> dict[str, Any]:
    """What a study found; played if it was not yet."""
    name = re.sub(r"[^a-z0-9]+", "_", command.lower().replace(EVEN, "even").replace(STEEP, "steep").replace(USUAL, "usual"))
    path = into / f"{name}.json"
    if not path.exists():
        asked = [sys.executable, "-m", "kortlek", "lab", *shlex.split(command), "--json", "--keep", str(into / f"{name}.kept")]
        print("kortlek lab", command, flush=True)
        path.write_bytes(subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout)
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def main() -> None:
    """Play what is missing, then write the tables."""
    parser = argparse.ArgumentParser(description="The studies behind docs/answers.md.")
    parser.add_argument("--into", type=Path, default=Path("/tmp/kortlek-answers"), help="where the studies are kept")
    parser.add_argument("--only", help="the tables to play, with commas between")
    parser.add_argument("--house", action="store_true", help="play no studies with clubs")
    asked = parser.parse_args()
    asked.into.mkdir(parents=True, exist_ok=True)
    for name in asked.only.split(",") if asked.only else TABLES:
        for command in TABLES[name].commands:
            if not (asked.house and "club" in command):
                run(command, asked.into)


if __name__ == "__main__":
    main()
