"""Makes the store of the first edition that tests/test_first_edition_store.py opens (tests/logs/first_edition.db.xz and first_edition_store.json).

It runs with the code of that edition alone: its server process, played over HTTP and sockets by its own test clients and by its own ``kortlek bot``:

    git worktree add /tmp/first 6162ea6
    PYTHONPATH=/tmp/first/src:/tmp/first/tests python benchmarks/first_edition_store.py tests/logs

The store has five games, each finished and running; chat, undo, an undo request without an answer, a person who was sent away, one who has left,
bots, a rematch, a table that waits, and the former names of options."""

from __future__ import annotations

import asyncio
import json
import lzma
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients import Client, Message, Wanted, opened, play, play_together, there
from serving import Server, serving

QUICK = {"pace": 0, "grace": 86400, "stand_in": "house"}
TWO = {**QUICK, "players": 2}


async def sees(client: Client, wanted: Wanted) -> Message:
    """The last show of a client if it is wanted, else the next one that is: those that a message leads to come before its answer."""
    return client.last if wanted(client.last) else await client.show(wanted)


def slow_down(client: Client) -> None:
    """Keep to 100 messages in 20 seconds, the limit of a socket."""
    send, times = client.send, deque[float](maxlen=95)

    async def later(**message: Any) -> str:
        if len(times) == times.maxlen:
            await asyncio.sleep(max(0.0, times[0] + 20.5 - time.monotonic()))
        times.append(time.monotonic())
        return await send(**message)

    client.send = later  # type: ignore[method-assign]


@dataclass
class At:
    """A table with everybody connected."""

    code: str
    tokens: list[str]
    people: list[Client]

    @property
    def owner(self) -> Client:
        return self.people[0]

    async def starts(self) -> None:
        await self.owner.ask(do="start")
        for person in self.people:
            await sees(person, lambda show: bool(show["status"] == "playing"))

    async def plays(self, to: int | None = None) -> None:
        """Everybody plays on: to the end, or until this many choices and deals are in the log and it is the turn of a person."""

        def stop(show: Any) -> bool:
            seats = range(len(self.people))
            return bool(show["status"] == "over" or (to is not None and show["seq"] >= to and show["match"]["turn"] in seats))

        await play_together(dict(enumerate(self.people)), stop)


class Evening:
    """The tables of a server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tables: dict[str, At] = {}
        self._stack = AsyncExitStack()

    async def sits(self, what: str, *others: str, **settings: Any) -> At:
        """A new table; those of the table before leave the room, as one address may have 20 connections."""
        await self._stack.aclose()
        code, tokens = opened(self.server, *others, **settings)
        people = [await self._stack.enter_async_context(there(self.server, code, token)) for token in tokens]
        for person in people:
            slow_down(person)
        self.tables[what] = At(code, tokens, people)
        return self.tables[what]

    async def undo(self, at: At, answer: bool) -> None:
        """The first of two people to choose asks to take it back; the other answers, or nobody does."""
        turn = int(at.owner.last["match"]["turn"])
        one, two = at.people[turn], at.people[1 - turn]
        await one.ask(do="choose", seat=turn, choice=one.last["match"]["choices"][0], at=one.last["seq"])
        show = await sees(two, lambda show: bool(show["match"]["turn"] == 1 - turn))
        await two.ask(do="choose", seat=1 - turn, choice=show["match"]["choices"][0], at=show["seq"])
        await one.ask(do="undo", seat=turn)
        await sees(two, lambda show: bool(show["asked"] == turn))
        if answer:
            await two.ask(do="answer", seat=1 - turn, yes=True)

    async def plays(self) -> None:
        """All tables."""
        at = await self.sits("up_and_down, finished, with chat and undo", "Bo", game="up_and_down", options={"N": 3, "start": 0}, **TWO)
        await at.owner.ask(do="say", seat=0, text="God kväll! 🂡")
        await at.people[1].ask(do="say", seat=1, text="Good luck!")
        await at.starts()
        await self.undo(at, True)
        await at.plays()
        await at.owner.ask(do="say", seat=0, text="Well played!")

        at = await self.sits(
            "up_and_down, running, Cleo was sent away", "Bo", "Cleo", game="up_and_down", players=3, options={"N": 5, "start": "random"}, **QUICK
        )
        await at.starts()
        await at.plays(to=16)
        await at.owner.ask(do="kick", seat=2)
        at.people.pop()
        await at.plays(to=26)

        at = await self.sits("up_and_down, finished, with kortlek bot", game="up_and_down", options={"N": 2, "start": 1}, **TWO)
        link = f"{self.server.url}/t/{at.code}"
        command = [sys.executable, "-m", "kortlek", "bot", "--connect", link, "--level", "house", "--name", "Robin"]
        robin = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        await sees(at.owner, lambda show: all(not seat["free"] for seat in show["seats"]))
        await at.starts()
        await at.plays()
        robin.terminate()
        robin.wait()

        for first in ("plump", "trick_paper_scissors", "rummy", "cascade"):
            players, fewer = (3, {}) if first == "trick_paper_scissors" else (2, {"games": 1} if first == "cascade" else {})
            settings = {**QUICK, "game": first, "players": players, "options": fewer, "levels": ["house"] * (players - 1)}
            at = await self.sits(f"{first}, finished, with bots", **settings, public=True)
            await at.starts()
            await at.plays()
            if first == "plump":
                at = await self.sits("plump, finished, and a rematch runs", **settings)
                await at.starts()
                await at.plays()
                await at.owner.ask(do="start", rotate=1)
                show = await sees(at.owner, lambda show: bool(show["status"] == "playing"))
                await play(at.owner, show["yours"][0], lambda show: bool(show["match"]["round"] == 1 and show["match"]["turn"] in show["yours"]))
            others = ["Bo", "Cleo"][: players - 1]
            at = await self.sits(f"{first}, running", *others, **{**settings, "levels": []}, public=True)
            await at.starts()
            await at.plays(to=25)
            if first == "trick_paper_scissors":
                await at.people[1].ask(do="leave", seat=1)
                await sees(at.owner, lambda show: bool(show["match"]["turn"] in (0, 2)))

        at = await self.sits("plump, running, an undo is asked for", "Bo", game="plump", **TWO)
        await at.starts()
        await self.undo(at, False)

        at = await self.sits("plump, waiting", "Bo", game="plump", players=4, **QUICK)
        await at.owner.ask(do="change", players=3, options={"first_dealer": 0})
        await at.owner.ask(do="lock", locked=True)
        await at.owner.ask(do="fill", seat=2, level="house")
        await at.people[1].ask(do="say", seat=1, text="Wait for Dan, please.")
        await self._stack.aclose()


def shown(server: Server, at: At) -> dict[str, Any]:
    """What that edition shows of a table at last, to everyone who sits there; and the record, if there is one."""
    status, record = server.ask("GET", f"/api/tables/{at.code}/record", token=at.tokens[0])
    shows = [show for token in at.tokens for show in (server.get(f"/api/tables/{at.code}", token) if token else []) if isinstance(show, dict)]
    seen = [
        {
            "seat": show["seat"],
            "score": show["match"] and show["match"]["score"],
            "hand": show["match"] and next(p["cards"] for p in show["match"]["places"] if (p["place"], p["seat"]) == ("hand", show["seat"])),
            "choices": show["match"] and show["match"]["choices"],
        }
        for show in shows
        if show["seat"] >= 0
    ]
    about = {key: shows[0][key] for key in ("game", "status", "seq", "commitment", "promise")}
    names = [seat["name"] for seat in shows[0]["seats"]]
    return {**about, "names": names, "tokens": at.tokens, "seen": seen, "record": record.strip() if status == 200 else None}


async def evening(server: Server) -> dict[str, Any]:
    """Play all tables, and return what is shown of each, by its code."""
    played = Evening(server)
    await played.plays()
    return {at.code: {"what": what, **shown(server, at)} for what, at in played.tables.items()}


def main(folder: Path) -> None:
    """Play, and write the two files."""
    with tempfile.TemporaryDirectory() as data:
        with serving(Path(data)) as server:
            tables = asyncio.run(evening(server))
            assert server.stop() == 0
        with (Path(data) / "tables.db").open("rb") as store, lzma.open(folder / "first_edition.db.xz", "wb", preset=9) as packed:
            shutil.copyfileobj(store, packed)
    (folder / "first_edition_store.json").write_text(json.dumps(tables, ensure_ascii=False, indent=1) + "\n")
    for code, table in tables.items():
        print(code, table["what"], table["status"], table["seq"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
