"""``kortlek load``: a load test of a server on this machine, beside a bare durable echo over the same stack."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from kortlek.cli.arguments import Json, at_least_one, game_called, needs_table, print_json
from kortlek.engine.plain import Refused

if TYPE_CHECKING:
    from kortlek.table.load.run import Plan, Result

ROWS = {
    "rate": ("a second", "{:,.0f}"),
    "p50": ("until it is durably acknowledged: half of them, ms", "{:.2f}"),
    "p90": ("90 of 100, ms", "{:.2f}"),
    "p99": ("99 of 100, ms", "{:.2f}"),
    "longest": ("the longest, ms", "{:.1f}"),
    "frame": ("bytes for each viewer: median", "{:,.0f}"),
    "sent": ("bytes for each viewer: mean", "{:,.0f}"),
    "cpu": ("the server's CPU time for each, ms", "{:.3f}"),
    "waited": ("of the time its main thread waited for a core", "{:.1%}"),
}
"""The figures of a crowd: what each is, and its format."""


def load(
    *,
    server: Annotated[str, Parameter(help="A server on this machine, started with --behind-proxy; if none is named, one is started.")] = "",
    game: Annotated[str, Parameter(help="Which game.")] = "plump",
    players: Annotated[int, Parameter(help="How many people play, at tables of four.")] = 1000,
    think: Annotated[float, Parameter(help="How many seconds they think about a choice on average; 0: in haste.")] = 0.0,
    spectators: Annotated[int, Parameter(help="How many look on at one of the tables.")] = 0,
    duration: Annotated[float, Parameter(help="How many seconds a turn takes.")] = 5.0,
    turns: Annotated[int, Parameter(help="How many turns the tables take, and the echoes between them.")] = 3,
    json: Json = False,
) -> None:
    """Let many people play on a server on this machine, and measure. Beside it, in turns, their clients talk to a bare durable echo over the same
    stack: every message is written to the same kind of store and acknowledged, alone and to four clients. The ratio is what a table costs. A turn in
    which other programs took the cores is void."""
    needs_table()
    from kortlek.table.load import run

    seats = run.SEATS
    rules = game_called(game)
    if seats not in rules.players:
        raise Refused(f"{rules.title} is not for {seats} players, as the tables of a load test are.")
    if players < seats or players % seats:
        raise Refused(f"--players {players} is not possible: the tables are for {seats}, so it is {seats}, {2 * seats}, {3 * seats} and so on.")
    for flag, number in {"--think": think, "--spectators": spectators}.items():
        if not 0 <= number < float("inf"):
            raise Refused(f"{flag} {number} is not possible: it is a number from 0 up.")
    if not 0 < duration < float("inf"):
        raise Refused(f"--duration {duration} is not possible: it is a number of seconds above 0.")
    plan = run.Plan(rules.name, players, think, spectators, at_least_one("--turns", turns), duration, server)
    result = run.measure(plan)
    if json:
        print_json({**asdict(plan), **as_json(result)})
    else:
        show(plan, result)


def as_json(result: Result) -> dict[str, Any]:
    """The result as a JSON-compatible dict."""
    sides = {"tables": result.tables, "echo": result.echo, "echo_to_four": result.echo_to_four}
    figures: dict[str, dict[str, Any]] = {
        name: {**{row: side.of(row) for row in ROWS}, "void": side.void, "turns": [asdict(turn) for turn in side.turns]}
        for name, side in sides.items()
    }
    for name in ("echo", "echo_to_four"):
        figures[name] |= {"share": result.share(sides[name]), "cpu_share": result.cpu_share(sides[name])}
    return {"measured": figures}


def show(plan: Plan, result: Result) -> None:
    """Print the result as a table."""
    sides = [result.tables, result.echo, result.echo_to_four]
    table = Table(box=SIMPLE, caption_justify="left")
    table.add_column(f"{plan.players:,} players of {plan.game}, {f'thinking {plan.think:g} s' if plan.think else 'in haste'}")
    for name in ("choices", "echo", "echo to four"):
        table.add_column(name, justify="right")
    for row, (what, form) in ROWS.items():
        table.add_row(what, *(number(side.of(row), form) for side in sides))
    table.add_row("void turns", *(f"{side.void} of {len(side.turns)}" for side in sides))
    if not plan.think:
        table.add_row("choices for each echo, in the same time", "", *(f"{result.share(echo):.2f}" for echo in sides[1:]))
        table.add_row("for the same CPU time of the server", "", *(number(result.cpu_share(echo), "{:.2f}") for echo in sides[1:]))
    Console().print(table)
    if any(side.void for side in sides):
        print("Void turns: other programs took the cores. Figures are of the other turns, or of all if all are void.")


def number(value: float | None, form: str) -> str:
    """A figure as text."""
    return "not known" if value is None else form.format(value)
