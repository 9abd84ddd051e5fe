"""``make trust``: measure what docs/trust.md promises, in one run. ``--size full`` is the size of the goals and takes hours; ``small`` takes about
two minutes and can only show that something is wrong. The checks are those of the tests, which also show that each finds a planted bug."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cutting
import first_edition
import killing
import owners
from forking import forked
from guessing import let_in
from playing import next_event
from worlds import leaks, some_options

from kortlek import __version__
from kortlek.engine.fairness import Seed, read_seed
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, to_line
from kortlek.engine.rng import below, seeded
from kortlek.engine.verify import Kept, check
from kortlek.game.registry import GAMES
from kortlek.table.load import run as load
from kortlek.table.match import LiveMatch

PARTS = 2
"""The number of processes that compare worlds."""


@dataclass(frozen=True)
class Size:
    """The number of trials of each check."""

    tables: int
    kills: int
    games: int
    verified: int
    tokens: int
    players: int
    runs: int
    seconds: float
    cuts: int
    owners_killed: int


SIZES = {
    "small": Size(tables=20, kills=40, games=250, verified=250, tokens=100_000, players=112, runs=2, seconds=3.0, cuts=300, owners_killed=4),
    "full": Size(
        tables=50, kills=1000, games=100_000, verified=10_000, tokens=100_000, players=1000, runs=5, seconds=10.0, cuts=10_000, owners_killed=100
    ),
}
FULL = SIZES["full"]
KILLS_PER_SERVER = 40
"""The number of kills after which new tables are opened: the check after each kill compares the whole history, which takes longer and longer."""
OWNERS_PLAYERS, OWNERS_TABLES = 240, 5
"""Players of the comparison of processes, and tables whose owners are killed."""
OFFERED = 100.0
"""Choices per second in the runs at a moderate rate."""
LOADED = ("plump", "rummy")
"""The games of the load tests."""
SPECTATORS = (2, 200)
"""A few spectators of one table, and many."""


@dataclass(frozen=True)
class Row:
    """A line of the table. A goal counts as reached only if the figure was measured at full size."""

    goal: str
    what: str
    wanted: str
    measured: str
    holds: bool
    is_full: bool

    @property
    def reached(self) -> str:
        return ("yes" if self.is_full else "so far") if self.holds else "no"


def counted(wrong: list[str], of_what: str) -> str:
    """The number of errors, as text; the errors themselves are printed to standard error."""
    for each in wrong:
        print(each[:1000], file=sys.stderr)
    return f"{len(wrong)} in {of_what}"


# ---- the goals


def r1(size: Size, data: Path) -> Iterator[Row]:
    """Kill the server."""
    lost, many, kills = list[str](), 0, 0
    for seed in range(1, size.kills // KILLS_PER_SERVER + 1):
        with forked(data / str(seed)) as server:
            played, wrong = asyncio.run(killing.evening(server, size.tables, KILLS_PER_SERVER, seed))
        lost += wrong
        many += sum(len(player.acknowledged) for player in played.players)
        kills += played.kills
    measured = counted(lost, f"{many:,} acknowledged choices, {kills:,} kills, {size.tables} tables")
    yield Row("R1", "acknowledged choices lost or changed by kill -9", "0 in 1,000 kills, 50 tables", measured, not lost, kills >= FULL.kills)


def r3(size: Size, data: Path) -> Iterator[Row]:
    """Load, with tables of four people: at a moderate rate, in haste beside a bare durable echo, and with many spectators."""
    is_full, tables = size.players >= FULL.players, size.players // load.SEATS
    for game in LOADED:
        at_ease = load.measure(load.Plan(game, size.players, tables / OFFERED, 0, size.runs, size.seconds)).tables
        in_haste = load.measure(load.Plan(game, size.players, 0.0, 0, size.runs, size.seconds))
        spectators = load.spectators_cost(game, *SPECTATORS, size.runs, size.seconds)
        p50, p99 = (max(getattr(turn, name) for turn in at_ease.valid) for name in ("p50", "p99"))
        rate, frame = in_haste.tables.of("rate") or 0.0, in_haste.tables.of("frame") or 0.0
        who = f"{game}, {size.players:,} players"
        worst = f"worst of {size.runs} runs, {at_ease.void} void; {at_ease.of('rate'):.0f} choices/s"
        median = f"median of {size.runs} runs, {in_haste.tables.void} void"
        share = in_haste.share(in_haste.echo)
        shares = f"{share:.2f} ({in_haste.share(in_haste.echo_to_four):.2f} if it echoes to four)"
        yield Row("R3", f"{who}: until a choice is durable, half of them", "3 ms", f"{p50:.1f} ms ({worst})", p50 <= 3, is_full)
        yield Row("R3", "the same, 99 of 100", "25 ms", f"{p99:.1f} ms", p99 <= 25, is_full)
        yield Row("R3", f"{who}: durable choices a second", "2,500", f"{rate:,.0f} ({median})", rate >= 2500, is_full)
        yield Row(
            "R3",
            "the same, for each message of a bare durable echo",
            "0.45",
            shares,
            share >= 0.45,
            is_full,
        )
        if game == LOADED[0]:  # the goal is for this game
            yield Row("R3", "bytes of a choice for each viewer, median", "400", f"{frame:.0f}", frame <= 400, is_full)
        yield Row("R3", f"{game}: time of a choice with 200 spectators and with 2", "2 times", f"{spectators:.2f} times", spectators <= 2, is_full)


def r5(size: Size, data: Path) -> Iterator[Row]:
    """Cut connections."""
    with forked(data) as server:
        wrong, answered = asyncio.run(cutting.evening(server, size.cuts, 1))
    measured = counted(wrong, f"{answered:,} messages, {size.cuts:,} cuts")
    yield Row("R5", "messages not applied or not told exactly once", "0 in 10,000 cuts", measured, not wrong, size.cuts >= FULL.cuts)


def r8(size: Size, data: Path) -> Iterator[Row]:
    """Several processes, and kill the owners of tables."""
    one, four, killed = owners.measure(data, OWNERS_PLAYERS, size.seconds, OWNERS_TABLES, size.owners_killed)
    ratio, pauses = four.choices / one.choices, sorted(killed.pauses)
    is_full = size.owners_killed >= FULL.owners_killed
    figures = f"{ratio:.2f}: {one}; {four}"
    yield Row("R8", "choices a second of four processes on PostgreSQL, compared with one", "2.5 times", figures, ratio >= 2.5, is_full)
    measured = f"{pauses[-1]:.1f} s, half of them {pauses[len(pauses) // 2]:.1f} s ({len(pauses)} kills)"
    yield Row("R8", "until all matches of a killed owner go on", "5 s, 100 kills", measured, pauses[-1] <= 5, is_full)
    wrong = counted(killed.wrong, f"{killed.acknowledged:,} acknowledged requests")
    yield Row("R8", "requests lost, applied twice or told wrongly, and logs that do not replay", "0, 100 kills", wrong, not killed.wrong, is_full)


def r10(size: Size, data: Path) -> Iterator[Row]:
    """Open a store of the first edition: with the rules of today, and with later ones. The size does not matter: it is one store."""
    tables = f"{len(first_edition.TABLES)} tables of five games"
    for what, wrong in (
        ("not replayed or not played to their end", first_edition.played_on(data / "today")),
        ("with raised versions: not opened, not replayed, or silent about why", first_edition.upgraded(data / "later")),
    ):
        yield Row("R10", f"matches of a store of the first edition {what}", "0", counted(wrong, tables), not wrong, True)


def leaks_in(name: str, games: int, part: int) -> list[str]:
    """The leaks in one part of the matches of one game."""
    return list(leaks(GAMES[name], range(part, games, PARTS)))


def s1(size: Size, data: Path) -> Iterator[Row]:
    """Permute hidden cards."""
    with ProcessPoolExecutor(PARTS) as pool:
        parts = [pool.submit(leaks_in, name, size.games, part) for name in GAMES for part in range(PARTS)]
        found = [leak for part in parts for leak in part.result()]
    measured = counted(found, f"{size.games:,} games of each game")
    yield Row("S1", "games in which bytes depend on hidden cards", "0 in 100,000 games of each game", measured, not found, size.games >= FULL.games)


def s6(size: Size, data: Path) -> Iterator[Row]:
    """Verify deals from what a client kept; then tampered ones, and servers that cheat."""
    verify, wrong, missed, tricked = the_documents_program(), list[str](), list[str](), list[str]()
    for number in range(size.verified):
        chance = random.Random(number)
        record, kept = some_match(number, chance)
        if any(found(record, kept, verify)):
            wrong.append(f"game {number}: {to_line(record)}")
        falsified = with_one_other_byte(record, chance)
        if not found(falsified, kept, verify)[0]:
            missed.append(f"game {number}: {to_line(falsified)}")
        tricked += [f"game {number}: {name}" for name, cheated in tricks(record, kept).items() if not all(found(*cheated, verify))]
    is_full = size.verified >= FULL.verified
    games = f"{size.verified:,} games"
    yield Row("S6", "games that we or the program in docs/records.md did not verify", "0 in 10,000", counted(wrong, games), not wrong, is_full)
    yield Row("S6", "games with one changed byte in the seed or a deal that passed", "0 in 10,000", counted(missed, games), not missed, is_full)
    each = f"{games}, {len(tricks(record, kept))} tricks with each"
    yield Row("S6", "tricks of a server that we or the program did not find", "0 in 10,000", counted(tricked, each), not tricked, is_full)


def found(record: Record, kept: Kept, verify: Callable[..., int]) -> tuple[bool, bool]:
    """Whether we find something wrong with a record, given what a client kept, and whether the program in docs/records.md does."""
    by_us = by_the_program = False
    try:
        check(from_line(to_line(record)), kept)
    except Refused:
        by_us = True
    try:
        verify(to_line(record), kept.promise, kept.table, kept.match, kept.number, kept.seat)
    except (AssertionError, ValueError, IndexError):
        by_the_program = True
    return by_us, by_the_program


def tricks(record: Record, kept: Kept) -> dict[str, tuple[Record, Kept]]:
    """What a server may have done, with each game: the record, and what the client saw and sent instead."""
    seed = read_seed(record.seed)
    assert isinstance(seed, Seed)
    other = replace(seed, secret=bytes(32))
    bot = [f"{name} (club)" if seat == kept.seat else name for seat, name in enumerate(record.seats)]
    return {
        "a secret that was chosen later": (record, replace(kept, promise=other.commitment)),
        "the promised secret revealed for other cards": (replace(record, seed=other.text), replace(kept, promise=other.commitment)),
        "the promise of another table": (record, replace(kept, table="zzzzzz")),
        "the promise of another table under this code": (record, replace(kept, promise=replace(seed, code="zzzzzz").commitment)),
        "the promise of another match": (record, replace(kept, match=seed.number + 1)),
        "a number of an earlier match": (record, replace(kept, number="f" * 64)),
        "a number for a bot": (replace(record, seats=bot), kept),
    }


def some_match(number: int, chance: random.Random) -> tuple[Record, Kept]:
    """A match with random choices, dealt as by a table, and what the client in one of its seats kept."""
    game, rng = list(GAMES.values())[number % len(GAMES)], [seeded(number, 9)]
    players = game.players[below(rng, len(game.players))]
    mine = below(rng, players)
    luck = [f"{chance.getrandbits(64):x}" if seat == mine or chance.random() < 0.7 else "" for seat in range(players)]
    seed = Seed("bk7q2x", 1 + below(rng, 9), chance.randbytes(32), tuple(luck))
    match = LiveMatch(game, players, some_options(game, players, rng), seed)
    while not match.over:
        match.step(match.chance() if match.turn is None else next_event(game, match.state, rng))
    return match.record([f"Player {seat}" for seat in range(players)]), Kept(seed.commitment, seed.code, seed.number, luck[mine], mine)


def with_one_other_byte(record: Record, chance: random.Random) -> Record:
    """The record with one character of its seed or of one of its deals changed."""
    texts = [str(record.seed), *record.events]
    which = chance.choice([0, *(at for at, text in enumerate(texts) if at and text.startswith(("lots ", "deal ")))])
    at = chance.randrange(len(texts[which]))
    other = chance.choice([each for each in map(chr, range(32, 127)) if each != texts[which][at]])
    texts[which] = texts[which][:at] + other + texts[which][at + 1 :]
    return replace(record, seed=texts[0], events=texts[1:])


def the_documents_program() -> Callable[..., int]:
    """The independent verifier in docs/records.md."""
    text = (Path(__file__).parent.parent / "docs" / "records.md").read_text()
    [program] = [code for code in re.findall(r"```python\n(.*?)```", text, re.S) if "def verify(" in code]
    scope: dict[str, Any] = {}
    exec(compile(program, "docs/records.md", "exec"), scope)
    verify: Callable[..., int] = scope["verify"]
    return verify


def s8(size: Size, data: Path) -> Iterator[Row]:
    """Guess tokens."""
    found = let_in(size.tokens, 1)
    measured = counted(found, f"{size.tokens:,} guesses")
    yield Row("S8", "wrong tokens accepted, or the rightful player kept out", "0 in 100,000 guesses", measured, not found, size.tokens >= FULL.tokens)


GOALS = {"R1": r1, "R3": r3, "R5": r5, "R8": r8, "R10": r10, "S1": s1, "S6": s6, "S8": s8}


# ---- the table


def table(rows: list[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = ["| | what | goal | measured | reached |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {row.goal} | {row.what} | {row.wanted} | {row.measured} | {row.reached} |" for row in rows)])


def main() -> int:
    """Measure and print; 1 if something does not hold."""
    parser = argparse.ArgumentParser(description="What docs/trust.md promises, measured.")
    parser.add_argument("--size", choices=SIZES, default="small", help="full is the size of the goals, and takes hours")
    parser.add_argument("--only", choices=GOALS, nargs="+", default=list(GOALS), help="these goals alone")
    asked = parser.parse_args()
    busy, rows, began = os.getloadavg()[0], list[Row](), time.monotonic()
    for goal in asked.only:
        with tempfile.TemporaryDirectory(prefix="kortlek-trust-") as data:
            since = time.monotonic()
            rows += GOALS[goal](SIZES[asked.size], Path(data))
            print(f"{goal}: {time.monotonic() - since:.0f} s", file=sys.stderr)
    versions = f"kortlek {__version__}, Python {platform.python_version()}"
    took = f"{os.cpu_count()} cores, {busy:.1f} busy before, in {time.monotonic() - began:.0f} s"
    print(f"`make trust SIZE={asked.size}` with {versions}, {took}:\n")
    print(table(rows))
    return int(not all(row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main())
