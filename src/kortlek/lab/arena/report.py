"""The report of a contest: sentences, tables, and a self-contained HTML page with a plot."""

from __future__ import annotations

import io
import os
import re
import shlex
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kortlek.bots import own_games
from kortlek.engine.payoffs import sign
from kortlek.engine.plain import Refused
from kortlek.game.registry import GAMES
from kortlek.lab.arena.contest import Contest
from kortlek.words.columns import spell

INK, SIGNAL = "#000001", "#3a86d0"
"""Colours of the plot: INK is replaced by the text colour of the page; SIGNAL is readable in light and dark mode."""
Cells = list[list[str]]
"""A table: a row of headings, then the rows of values."""


# ---- in words


def answers(report: dict[str, Any]) -> list[str]:
    """The results in words: one sentence for each bot among others."""
    compared = ("is {} points per round better than", "is {} points per round worse than")
    if sign(GAMES[report["game"]]) > 0:
        compared = ("earns {} points per round more than", "earns {} points per round less than")
    return [answer(row, compared, report) for row in report["results"] if report["deals"]]


def answer(row: dict[str, Any], compared: tuple[str, str], report: dict[str, Any]) -> str:
    """``club earns 2.61 points per round more than house [2.40, 2.82], one among 3, 400 deals x 4 seats.``"""
    points = row["points_per_round"]
    sign = -1 if points["mean"] < 0 else 1
    words = compared[sign < 0].format(f"{abs(points['mean']):.2f}")
    interval = doubt = ""
    if points["low"] is not None:
        low, high = sorted((sign * points["low"], sign * points["high"]))
        interval = f" [{low:.2f}, {high:.2f}]"
        doubt = "; that may be chance" if low <= 0 else ""
    among = f", one among {report['players'] - 1}" if report["players"] > 2 else ""
    return f"{row['single']} {words} {row['others']}{interval}{among}, {amount(report)}{doubt}."


def amount(report: dict[str, Any]) -> str:
    """The number of deals and seats, in words."""
    return f"{report['deals']} deal{'s' if report['deals'] != 1 else ''} x {report['players']} seat{'s' * (report['players'] > 1)}"


def bank(report: dict[str, Any]) -> str:
    """The game, its options and the deals that were played, in words."""
    game = GAMES[report["game"]]
    options = ", ".join(f"{name}={spell(value)}" for name, value in report["options"].items())
    numbers = f"matches 0 to {report['deals'] - 1}" if report["deals"] else "no matches"
    part = "whole matches" if report["round"] is None else f"round {report['round']} only"
    rules = f"{game.title} (rules version {report['version']}), {report['players']} player{'s' * (report['players'] > 1)}, {options or 'no options'}"
    return f"{rules}; seed {report['seed']}, {numbers}, {part}"


def results_table(report: dict[str, Any]) -> Cells:
    """Points, win share and exact bids of each bot among others."""
    rows = [["one", "among", "points/round", "95 %", "win share", "95 %"]]
    promises = any(row["exact_bids"] for row in report["results"])
    rows[0] += ["exact bids", "95 %", "the others'", "95 %"] if promises else []
    for row in report["results"]:
        cells = [row["single"], row["others"], *estimated(row["points_per_round"], "+.2f"), *estimated(row["win_share"], ".1%")]
        for who in ("single", "others") if promises else ():
            cells += estimated(row["exact_bids"][who], ".1%")
        rows.append(cells)
    return rows


def bots_table(report: dict[str, Any]) -> Cells:
    """The bots with their versions, budgets, CPU times and ratings."""
    rows = [["bot", "version", "budget per choice", "CPU per choice", "99 %"]]
    rated = {row["bot"]: row for row in report["ratings"] or ()}
    rows[0] += ["rating", "±"] if rated else []
    for bot in report["bots"]:
        budget, cpu = bot["budget"], bot["cpu"]
        thinking = f"{budget['amount']:g} {budget['unit']}" if budget else "–"
        cells = [bot["bot"], str(bot["version"] or "–"), thinking, moment(cpu["mean"]), moment(cpu["p99"])]
        if rated:
            cells += [f"{rated[bot['bot']]['mu']:.1f}", f"{rated[bot['bot']]['sigma']:.1f}"]
        rows.append(cells)
    return rows


def estimated(estimate: dict[str, Any], form: str) -> list[str]:
    """A mean and its interval as text; dashes for missing values."""
    if estimate["mean"] is None:
        return ["–", "–"]
    interval = "–" if estimate["low"] is None else f"{estimate['low']:{form}} to {estimate['high']:{form}}"
    return [f"{estimate['mean']:{form}}", interval]


def moment(seconds: float | None) -> str:
    """A time in milliseconds or microseconds, as text."""
    if seconds is None:
        return "–"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"


def command_line(contest: Contest, deals: int) -> str:
    """The command that reproduces the contest."""
    words = ["kortlek", "arena", own_games.typed_name(contest.game)]
    words += ["--bots", ",".join(contest.bots), "--players", str(contest.players), "--deals", str(deals)]
    words += ["--seed", str(contest.seed)]
    for name, value in contest.options:
        words += ["--option", f"{name}={value}"]
    if contest.round is not None:
        words += ["--round", str(contest.round)]
    if contest.budget:
        seconds = contest.budget.unit == "seconds"
        words += ["--ms" if seconds else "--sims", f"{contest.budget.amount * (1000 if seconds else 1):.12g}"]
    return shlex.join(words)


# ---- as a page


def check_installed() -> None:
    """Raise Refused, with the command that installs them, if the plotting packages are missing."""
    if not (find_spec("altair") and find_spec("vl_convert")):
        raise Refused("A report needs Altair and vl-convert: pip install 'kortlek[lab]'.")


@contextmanager
def whole_file(path: Path) -> Iterator[Callable[[str], None]]:
    """Write a text file atomically: yields a function that takes the text. Raises Refused at once if the file could not be written."""
    with drafted(path) as (draft, finish):

        def write(text: str) -> None:
            draft.write_text(text, encoding="utf-8")
            finish()

        yield write


@contextmanager
def drafted(path: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """A temporary file beside ``path``, and a function that moves it to ``path``; the temporary file is deleted if that function is never called.
    Raises Refused at once if the file could not be written."""
    if path.is_dir():
        raise Refused(f"{path} cannot be written: it is a folder.")
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from error
    os.close(handle)

    def finish() -> None:
        Path(draft).chmod(0o644)
        Path(draft).replace(path)

    try:
        yield Path(draft), finish
    finally:
        with suppress(FileNotFoundError):
            Path(draft).unlink()


def plot(report: dict[str, Any]) -> str:
    """Points per round with their intervals, as SVG in the text colour of the page."""
    import altair

    points = [{"who": f"{row['single']} among {row['others']}", **row["points_per_round"]} for row in report["results"]]
    row = altair.Y("who:N", sort=[each["who"] for each in points], title=None)
    chart = altair.Chart({"values": points})
    reach = chart.mark_rule(strokeWidth=2, color=SIGNAL).encode(y=row, x=altair.X("low:Q", title="points per round over the others"), x2="high:Q")
    dots = chart.mark_point(filled=True, size=70, color=SIGNAL, opacity=1).encode(y=row, x="mean:Q")
    zero = altair.Chart({"values": [{"zero": 0}]}).mark_rule(strokeDash=[4, 3], color=INK).encode(x="zero:Q")
    return drawn_svg((zero + reach + dots).properties(width=560, height={"step": 34}))


def drawn_svg(chart: Any) -> str:
    """A chart as SVG in the text colour of the page."""
    ink = {"labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": INK, "gridOpacity": 0.12}
    letters = {"labelFont": "sans-serif", "titleFont": "sans-serif", "labelFontSize": 13, "titleFontSize": 13, "labelLimit": 400}
    words = {"labelColor": INK, "labelFont": "sans-serif", "labelFontSize": 13, "labelLimit": 400}
    whole = chart.configure(background="transparent").configure_view(stroke=None).configure_axis(**ink, **letters)
    whole = whole.configure_header(**words).configure_legend(**words)
    drawn = io.StringIO()
    whole.save(drawn, format="svg")
    return re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", drawn.getvalue()).replace(INK, "currentColor")


STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --line: #ccc; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #e8e8e8; --line: #444; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .3em .9em .3em 0; border-bottom: 1px solid var(--line); }
td { font-variant-numeric: tabular-nums; } div.wide { overflow-x: auto; } svg { max-width: 100%; height: auto; }
p.answer { font-size: 1.25em; } pre { overflow-x: auto; border: 1px solid var(--line); padding: .6em; }
"""


def page(contest: Contest, report: dict[str, Any]) -> str:
    """The whole report as HTML: the answer, the plot, the tables, and the command that reproduces it."""
    title = f"{GAMES[report['game']].title}: {', '.join(contest.names)}"
    said = "".join(f'<p class="answer">{escape(line)}</p>\n' for line in answers(report)) or "<p>No deal was played to its end.</p>\n"
    again = "Thinking was limited by time, so another run chooses a little differently." if is_timed(contest) else "The results are then the same."
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{STYLE}</style></head>
<body>
<h1>{escape(title)}</h1>
{said}<div class="wide">{plot(report) if report["deals"] else ""}</div>
<h2>Results</h2>
<p>One bot among others of another kind, in every seat of every deal. Points per round are those of the one less the mean of the others, more
being better. A fair share of wins is {1 / report["players"]:.1%}. The intervals hold 95 %, by bootstrap over {report["deals"]} deals.</p>
{as_table(results_table(report))}
<h2>The bots</h2>
<p>CPU time on one core; what is forced is not counted. Rules of thumb are timed with the rules of the game around them.</p>
{as_table(bots_table(report))}
<h2>The same again</h2>
<p>The deals: {escape(bank(report))}.</p>
<pre>{escape(command_line(contest, report["deals"]))}</pre>
<p>{again}</p>
</body>
</html>
"""


def is_timed(contest: Contest) -> bool:
    """Whether the budget of thinking bots is a time, not a number of simulations."""
    return contest.budget is not None and contest.budget.unit == "seconds"


def as_table(rows: Sequence[Sequence[str]], defined: bool = False) -> str:
    """A table as HTML. ``defined``: the second cell of each row is the definition of the first and is printed below it."""
    cells = [[escape(cell) for cell in row] for row in rows]
    if defined:
        cells = [[f"{name}<small>{meaning}</small>", *more] for name, meaning, *more in cells]
    head, *body = ("".join(f"<{tag}>{cell}</{tag}>" for cell in row) for tag, row in zip(["th"] + ["td"] * len(cells), cells))
    return f'<div class="wide"><table><tr>{head}</tr>\n' + "".join(f"<tr>{row}</tr>\n" for row in body) + "</table></div>"
