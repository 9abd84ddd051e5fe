"""What a match costs the store: choices, log entries and bytes of a match of each game, for the calculation in docs/capacity.md.

Four people (or as many as the game needs) play whole matches as the house would, on a real host with a real SQLite file, without a network."""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from kortlek.bots import level_called
from kortlek.engine.plain import write
from kortlek.engine.rng import seeded
from kortlek.game import Game
from kortlek.game.game import usual_players
from kortlek.game.registry import GAMES
from kortlek.table.host import Host
from kortlek.table.live import Connection
from kortlek.table.protocol.client_in import Choose, Join, Start
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.store import FILE, store_at
from kortlek.table.workers import Workers

MATCHES = 10
"""Matches of each game."""


async def play(data: Path, game: Game[Any], matches: int) -> int:
    """Play matches, each at a table of its own; return the number of choices."""
    host, choices = Host(store_at(data), Workers(1)), 0
    house = level_called(game, "house")
    await host.store.open()
    for number in range(matches):
        code, token = await host.open(Open(game=game.name, name="Player 1", grace=86400))
        tokens = [token]
        live = await host.find(code)
        await host.connect(code, Connection(0, lambda message, at: None), None)  # a table that nobody watches is dropped from memory
        while len(tokens) < len(live.table.chairs):
            tokens.append((await host.ask(code, Join(name=f"Player {len(tokens) + 1}")))[1])
        await host.ask(code, Start(id="start"), token)
        while not (match := live.table.playing()).over:
            for seat in range(len(tokens)) if match.is_together else [match.state.turn]:
                view = live.table.playing().view(seat)
                choice = write(game, view.state, house.make(seeded(number, live.table.seq), None).choose(view))
                await host.ask(code, Choose(id=f"{live.table.seq:016x}", seat=seat, choice=choice, at=live.table.seq), tokens[seat])
                choices += 1
    await host.store.close()
    return choices


def measure(game: Game[Any], matches: int) -> tuple[float, float, float]:
    """The choices, entries and bytes of a match."""
    with tempfile.TemporaryDirectory() as folder:
        choices = asyncio.run(play(Path(folder), game, matches))
        with closing(sqlite3.connect(Path(folder) / FILE)) as db:
            [entries] = db.execute("SELECT count(*) FROM entries").fetchone()
            [pages], [size] = db.execute("PRAGMA page_count").fetchone(), db.execute("PRAGMA page_size").fetchone()
    return choices / matches, entries / matches, pages * size / matches


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches of each game")
    matches = parser.parse_args().matches
    print("| game | players | choices | log entries | bytes | bytes a choice |\n|---|---|---|---|---|---|")
    for game in GAMES.values():
        choices, entries, size = measure(game, matches)
        print(f"| {game.title} | {usual_players(game)} | {choices:,.0f} | {entries:,.0f} | {size:,.0f} | {size / choices:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
