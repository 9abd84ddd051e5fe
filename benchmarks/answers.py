"""``python benchmarks/answers.py``: run every study behind docs/answers.md, and regenerate its tables and plots.

The studies are the commands shown on the page, run one after the other. Their results are saved in a folder, so that an interrupted run can be
resumed. The text around the tables is written by hand."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair

from kortlek.lab.report.answers import digits

ROOT = Path(__file__).parent.parent
PAGE, PLOTS = ROOT / "docs" / "answers.md", ROOT / "docs" / "answers"
EVEN = "2,2,2,2,2,2,2,2,2,2,2,2,2"
STEEP = "0,0,0,0,1,1,2,2,3,3,4,4,5"
USUAL = "1,1,1,1,2,2,2,2,2,3,3,3,3"


LABELS = {EVEN: "2 everywhere", STEEP: "0 to 5", USUAL: "1 to 3 (usual)"}
"""Short labels for long option values in a table."""
INK = "#7d7d7d"
"""A grey that is readable on light and dark backgrounds."""


@dataclass(frozen=True)
class Table:
    """A table of the page: the studies whose variants are its rows, its columns, the options that distinguish the rows, and the columns that are
    plotted."""

    commands: tuple[str, ...]
    columns: dict[str, str]
    options: tuple[str, ...] = ()
    plot: tuple[str, ...] = ()


def both(command: str, house: int, club: int) -> tuple[str, ...]:
    """A study with house bots, and a shorter one with club bots."""
    return f"{command} --games {house} --seed 1", f"{command} --bots club --skill no --games {club} --seed 1"


SEATS = {f"win_{seat}": f"seat {seat + 1} wins" for seat in range(4)}
BIDDERS = {
    "points_first": "first bidder's points",
    "points_last": "last bidder's",
    "points_all": "anybody's",
    "kept_last": "last bidder keeps",
    "kept": "all keep",
}
STARS = f'--vary "stars={USUAL};{EVEN};{STEEP}" --vary discard_face_up=no,yes'
CASCADE = (
    ("2", "--option hand_sizes=4,5", 600),
    ("3", "--option hand_sizes=4,5,6", 600),
    ("4", '--vary "hand_sizes=3,4,5,6;4,5,6,6;3,4,5,5;4,5,5,6"', 400),
)
TABLES = {
    "cascade": Table(
        tuple(each for many, sizes, club in CASCADE for each in both(f"cascade --players {many} --option games=1 {sizes}", 20000, club)),
        SEATS,
        ("hand_sizes",),
        tuple(SEATS),
    ),
    "rummy": Table(
        both("rummy --players 2,3,4,5,6 --vary threshold=30,40,50", 5000, 60),
        {"drawn": "nobody wins", "laps": "rounds", "minutes": "minutes", "spread": "spread"},
        ("threshold",),
        ("laps",),
    ),
    "last_bidder": Table(
        (*both("plump", 50000, 300), *both("up_and_down", 200000, 1000)), BIDDERS, (), ("points_first", "points_last", "points_all")
    ),
    "stars": Table(both(f"trick_paper_scissors {STARS}", 40000, 600), {**SEATS, "spread": "spread"}, ("stars", "discard_face_up"), tuple(SEATS)),
    "plump_players": Table(
        both("plump --players 2,3,4,5,6,7,8,9,10", 4000, 60),
        {"most": "the best seat wins", "fair": "fair", "minutes": "minutes", "kept": "promises kept", "security": "won by who led halfway"},
        (),
        ("kept",),
    ),
    "first_lead": Table(
        both("plump --vary first_lead=first_bidder,highest_bidder", 50000, 300),
        {**SEATS, "points_first": "first bidder's points", "points_last": "last bidder's", "kept": "promises kept"},
        ("first_lead",),
        ("points_first", "points_last"),
    ),
}


def run(command: str, into: Path) -> dict[str, Any]:
    """The result of a study, which is run if there is no saved one."""
    short = command.replace(" --skill no", "").replace(EVEN, "even").replace(STEEP, "steep").replace(USUAL, "usual")
    name = re.sub(r"[^a-z0-9]+", "_", short.lower())
    path = into / f"{name}.json"
    if not path.exists():
        asked = [sys.executable, "-m", "kortlek", "lab", *shlex.split(command), "--json", "--keep", str(into / f"{name}.kept")]
        print("kortlek lab", command, flush=True)
        found = subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout
        path.write_bytes(found)
    told: dict[str, Any] = json.loads(path.read_bytes())
    return told


@dataclass(frozen=True)
class Row:
    """A variant of a study, and its findings."""

    game: str
    players: int
    bots: str
    matches: int
    options: dict[str, str]
    found: dict[str, dict[str, Any]]

    def cell(self, measure: str) -> str:
        """A measure with its confidence interval."""
        if measure == "fair":
            return f"{100 / self.players:.1f} %"
        each = self.found.get(measure)
        if each is None or each["mean"] is None:
            return ""
        scale, unit = (100, " %") if each["is_share"] else (1, "")
        reach = scale * (each["high"] - each["low"]) / 2
        return f"{digits(scale * each['mean'], reach)}{unit} ± {digits(reach)}"


def rows_of(table: Table, into: Path) -> Iterator[Row]:
    """The variants of all studies of a table."""
    for command in table.commands:
        study = run(command, into)
        for variant in study["variants"]:
            found = {each["measure"]: each for each in variant["findings"]}
            wins = [each for name, each in found.items() if name.startswith("win_")]
            found["most"] = max(wins, key=lambda each: each["mean"])
            options = {name: spelled(variant["options"][name]) for name in table.options}
            yield Row(variant["game"], len(variant["bots"]), variant["bots"][0]["bot"], study["matches"], options, found)


def spelled(value: object) -> str:
    """The value of an option, or its label."""
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return LABELS.get(text, text)


def as_markdown(name: str, table: Table, rows: list[Row]) -> str:
    """A table, its plot, and the commands that reproduce it."""
    several = len({row.game for row in rows}) > 1
    counts = len({row.players for row in rows}) > 1
    heads = [*(["game"] if several else []), *(["players"] if counts else []), *table.options, "bots", "matches", *table.columns.values()]
    lines = [" | ".join(heads), "|".join("---" for _ in heads)]
    for row in rows:
        first = [*([row.game] if several else []), *([str(row.players)] if counts else []), *row.options.values()]
        lines.append(" | ".join([*first, row.bots, f"{row.matches:,}", *(row.cell(column) for column in table.columns)]))
    commands = "\n".join(f"kortlek lab {command}" for command in table.commands)
    body = "\n".join(f"| {line} |" if "---" not in line else f"|{line}|" for line in lines)
    return f"{body}\n\n![{name.replace('_', ' ')}](answers/{name}.svg)\n\n```\n{commands}\n```"


def draw(name: str, table: Table, rows: list[Row]) -> None:
    """Plot the columns of a table with confidence intervals: a panel for each kind of bot, a line for each row."""
    values = []
    for row in rows:
        title = ", ".join([*([row.game] if len({each.game for each in rows}) > 1 else []), f"{row.players} players", *row.options.values()])
        for measure in table.plot:
            if (each := row.found.get(measure)) and each["mean"] is not None:
                scale = 100 if each["is_share"] else 1
                numbers = {key: scale * each[key] for key in ("mean", "low", "high")}
                values.append({"row": title, "bots": row.bots, "what": table.columns[measure], **numbers})
    unit = "per cent" if rows[0].found[table.plot[0]]["is_share"] else table.columns[table.plot[0]] if len(table.plot) == 1 else "points in a round"
    order = list(dict.fromkeys(each["row"] for each in values))
    chart = altair.Chart({"values": values})
    y = altair.Y("row:N", title=None, sort=order)
    offset = altair.YOffset("what:N", sort=[table.columns[each] for each in table.plot])
    colour = altair.Color("what:N", title=None, sort=[table.columns[each] for each in table.plot], scale=altair.Scale(range=COLOURS))
    if len(table.plot) == 1:
        colour = colour.legend(None)
    reach = chart.mark_rule(strokeWidth=2).encode(
        y=y, yOffset=offset, x=altair.X("low:Q", title=unit, scale=altair.Scale(zero=False)), x2="high:Q", color=colour
    )
    dots = chart.mark_point(filled=True, size=45, opacity=1).encode(y=y, yOffset=offset, x="mean:Q", color=colour)
    height = {"step": max(9, 26 // len(table.plot)), "for": "offset"} if len(table.plot) > 1 else {"step": 22}
    panels = (reach + dots).properties(width=300, height=height).facet(column=altair.Column("bots:N", title=None, sort=["house", "club"]))
    ink = {"labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": INK, "gridOpacity": 0.25, "labelLimit": 300}
    whole = panels.configure(background="transparent").configure_view(stroke=None).configure_axis(**ink)
    whole = whole.configure_legend(labelColor=INK, orient="bottom").configure_header(labelColor=INK)
    PLOTS.mkdir(exist_ok=True)
    whole.save(PLOTS / f"{name}.svg")


COLOURS = ["#3a86d0", "#d0703a", "#4a9a5a", "#a05ab0"]


def write(into: Path) -> None:
    """Write the tables into the page, each between its two markers, and the plots."""
    page = PAGE.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        rows = list(rows_of(table, into))
        draw(name, table, rows)
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = page.split(begin)
        page = before + begin + as_markdown(name, table, rows) + "\n" + end + rest.split(end)[1]
    PAGE.write_text(page, encoding="utf-8")


def main() -> None:
    """Run the missing studies, then write the tables."""
    parser = argparse.ArgumentParser(description="The studies behind docs/answers.md.")
    parser.add_argument("--into", type=Path, default=Path(tempfile.gettempdir()) / "kortlek-answers", help="where the studies are kept")
    parser.add_argument("--only", help="the tables whose studies are played, with commas between; nothing is written")
    parser.add_argument("--house", action="store_true", help="play no studies with clubs, and write nothing")
    asked = parser.parse_args()
    asked.into.mkdir(parents=True, exist_ok=True)
    for name in asked.only.split(",") if asked.only else TABLES:
        for command in TABLES[name].commands:
            if not (asked.house and "club" in command):
                run(command, asked.into)
    if not asked.house and not asked.only:
        write(asked.into)


if __name__ == "__main__":
    main()
