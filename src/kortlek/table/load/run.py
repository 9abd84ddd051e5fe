"""A load test as a whole: who plays where, what is measured beside it, and the result."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from kortlek.engine.plain import Refused, shorten
from kortlek.table.load.measure import Side, Summary, Turn, cpu_ratio, ratio, take_turns
from kortlek.table.load.processes import Process, answers, own_echo, own_server
from kortlek.table.load.tables import echo_clients, players_at_tables

SEATS = 4
"""The number of people at a table."""
FEW_FILES = 200
"""How many files a process has open besides its sockets, at most; among them second sockets of players near the rate limit."""
T = TypeVar("T")


@dataclass(frozen=True)
class Plan:
    """A load test: so many players at tables of four, who think so many seconds on average, and so many spectators at one of the tables; each side
    takes so many turns of so many seconds."""

    game: str
    players: int
    think: float
    spectators: int
    turns: int
    seconds: float
    server: str = ""


@dataclass(frozen=True)
class Result:
    """What was measured: at the tables, with the bare echo (one client for each log), and with the echo to four (four clients for each log)."""

    tables: Summary
    echo: Summary
    echo_to_four: Summary

    def share(self, echo: Summary) -> float:
        """Our choices for each message of an echo, in the same time."""
        return ratio(self.tables.turns, echo.turns)

    def cpu_share(self, echo: Summary) -> float | None:
        """Our choices for each message of an echo, for the same CPU time of the server."""
        return cpu_ratio(self.tables.turns, echo.turns)


def measure(plan: Plan) -> Result:
    """Run a load test."""
    allow_sockets(3 * plan.players + plan.spectators)
    with ExitStack() as stack:
        process = named_server(plan.server) if plan.server else stack.enter_context(own_server())
        echo = stack.enter_context(own_echo())

        async def run() -> list[list[Turn]]:
            tables = players_at_tables(process, plan.game, SEATS, plan.players // SEATS, plan.think, plan.spectators)
            alone = echo_clients(echo, plan.players, SEATS * plan.think)
            to_four = echo_clients(echo, plan.players, plan.think, together=SEATS)
            sides = [Side(tables, process, SEATS), Side(alone, echo, 1), Side(to_four, echo, SEATS)]
            return await take_turns(sides, plan.turns, plan.seconds)

        try:
            return Result(*map(Summary, fast_loop(run())))
        except Refused as error:
            hint = " It has to be started with --behind-proxy, so that every client counts as another address." if plan.server else ""
            raise Refused(f"{error}{hint}") from error


def spectators_cost(game: str, few: int, many: int, turns: int, seconds: float) -> float:
    """How many times as long a choice takes at one table in haste with many spectators as at one with few."""
    allow_sockets(few + many)
    with own_server() as process:

        async def run() -> list[list[Turn]]:
            crowds = [players_at_tables(process, game, SEATS, 1, 0.0, spectators) for spectators in (few, many)]
            return await take_turns([Side(crowd, process, SEATS) for crowd in crowds], turns, seconds)

        return ratio(*fast_loop(run()))


def allow_sockets(count: int) -> None:
    """Let this process and those that it starts open so many sockets. Refused if the system does not allow it."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count + FEW_FILES:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count + FEW_FILES, hard))
        except (ValueError, OSError) as error:
            raise Refused(f"This system allows {hard:,} open files, too few for so many clients: {count:,} sockets. See ulimit -n.") from error


def fast_loop(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine, with uvloop if it is installed."""
    try:
        from uvloop import run
    except ImportError:
        return asyncio.run(main)
    return run(main)


def named_server(address: str) -> Process:
    """The server at an address. Refused unless it is on this machine: a load test of somebody else's server would be an attack."""
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host, port = parts.hostname or "", parts.port or 80
        is_here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here or parts.scheme not in ("", "http"):
        raise Refused(f"{shorten(address)!r} is not a server on this machine: a load test is only for one, such as http://127.0.0.1:8642.")
    if not answers(host, port):
        raise Refused(f"No server answers at {host}, port {port}. Start one with: kortlek serve --behind-proxy --host 127.0.0.1 --port {port}")
    return Process(0, host, port)
