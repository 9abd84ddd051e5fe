"""Scripted clients at the tables of a server that is killed repeatedly. They record all that the server sent, acknowledgements above all; after
each kill it is compared with the logs on disk."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playing import SHORT
from mirror import Mirror
from serving import Server, soon
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from kortlek.game.registry import GAMES
from kortlek.table import facts
from kortlek.table.protocol import PROTOCOL
from kortlek.table.store import Entry, store_at
from kortlek.table.table import Table

MAX_ACKNOWLEDGEMENTS = 60
"""Upper bound of the random number of acknowledgements between two kills."""
MAX_KILL_DELAY = 0.02
"""Upper bound of the random delay, in seconds, between the last acknowledgement and the kill."""
NO_STAND_IN = {"grace": 86400}
"""No bot takes over for people who are away."""


@dataclass
class Acknowledged:
    """A choice that the server acknowledged."""

    id: str
    seq: int
    seat: int
    choice: str


@dataclass
class Player:
    """A client at a table that always makes the first legal choice, and starts the next match if it owns the table."""

    server: str
    code: str
    person: int
    token: str
    address: str
    acknowledged: list[Acknowledged] = field(default_factory=list)
    mirror: Mirror = field(default_factory=Mirror)
    told: dict[int, dict[str, Any]] = field(default_factory=dict)
    """The news, by sequence number."""
    views: dict[int, str] = field(default_factory=dict)
    """The match as it was seen, by sequence number."""
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Requests without an answer yet, by id."""
    breaks: list[str] = field(default_factory=list)
    """Why connections ended."""
    wrong: list[str] = field(default_factory=list)
    """Differences between what was received before and after a kill."""
    shown: dict[str, Any] = field(default_factory=dict)
    is_back: asyncio.Event = field(default_factory=asyncio.Event)
    count: int = 0

    async def live(self, heard: asyncio.Semaphore, is_dead: asyncio.Event) -> None:
        """Play until the server is dead; release ``heard`` for every acknowledgement. On a busy machine the client may have to connect several
        times."""
        address = f"{self.server.replace('http', 'ws')}/api/tables/{self.code}/socket"
        while not is_dead.is_set():
            try:
                async with connect(address, compression=None, max_size=None, additional_headers={"X-Forwarded-For": self.address}) as socket:
                    await self.come_back(socket)
                    async for text in socket:
                        self.compare(frame := json.loads(text))
                        for message in self.mirror.hear(frame):
                            await self.hear(message, socket, heard)
            except (OSError, WebSocketException) as error:
                self.breaks.append(repr(error))
                await asyncio.sleep(0)

    async def come_back(self, socket: ClientConnection) -> None:
        """Say hello with the last sequence number; send unanswered requests again, and the last acknowledged one."""
        hello = {"do": "hello", "protocol": PROTOCOL, "token": self.token}
        await socket.send(json.dumps(hello | ({"since": self.mirror.seq} if self.mirror.seq >= 0 else {})))
        for message in list(self.sent.values()):
            await socket.send(json.dumps(message))
        if self.acknowledged:
            last = self.acknowledged[-1]
            again = {"do": "choose", "id": last.id, "seat": last.seat, "choice": last.choice, "at": last.seq}
            self.sent[last.id] = again
            await socket.send(json.dumps(again))

    def compare(self, frame: dict[str, Any]) -> None:
        """A snapshot must not go back behind what was told before, and has to show it as it was."""
        if frame["type"] == "snapshot" and self.mirror.seq > frame["seq"]:
            self.wrong.append(f"{self.code}: told up to {self.mirror.seq}, and later only up to {frame['seq']}")

    async def hear(self, message: dict[str, Any], socket: ClientConnection, heard: asyncio.Semaphore) -> None:
        """Record and compare a message; if it is this player's turn, choose."""
        if message["type"] == "news":
            before = self.told.setdefault(message["seq"], message)
            if before != message:
                self.wrong.append(f"{self.code}: told {before}, and later {message}")
        elif message["type"] == "show":
            self.shown = message
            seen = json.dumps([message["match"], message["sheet"]])
            if self.views.setdefault(message["seq"], seen) != seen:
                self.wrong.append(f"{self.code}: shown {self.views[message['seq']]}, and later {seen}")
            self.is_back.set()
        elif message["type"] == "done":
            self.note(message)
            heard.release()
        elif message["type"] == "denied":
            self.sent.pop(message["id"], None)
        elif message["type"] == "bye":
            self.breaks.append(message["sentence"])
        if not self.sent and self.is_back.is_set():
            await self.act(self.shown, socket)

    def note(self, done: dict[str, Any]) -> None:
        """Record an acknowledgement; a repeated one must name the same entry."""
        message = self.sent.pop(done["id"], None)
        if message and message["do"] == "choose":
            before = next((each for each in self.acknowledged if each.id == done["id"]), None)
            if before is None:
                self.acknowledged.append(Acknowledged(done["id"], done["seq"], message["seat"], message["choice"]))
            elif before.seq != done["seq"]:
                self.wrong.append(f"{self.code}: message {done['id']} was entry {before.seq}, and later {done['seq']}")

    async def act(self, shown: dict[str, Any], socket: ClientConnection) -> None:
        """Make a choice, or start the next match."""
        message: dict[str, Any] = {}
        if shown["status"] == "over" and shown["owner"]:
            message = {"do": "start", "rotate": 1}
        elif shown["match"] and shown["match"]["legal"]:
            message = {"do": "choose", "seat": shown["seat"], "choice": shown["match"]["legal"][0]["choice"], "at": shown["seq"]}
        if message:
            self.count += 1
            message["id"] = f"{self.count}"
            self.sent[message["id"]] = message
            await socket.send(json.dumps(message))


@dataclass
class Evening:
    """Some tables on one server, and their players."""

    server: Server
    tables: int
    seed: int
    database: str = ""
    """The address of the server's PostgreSQL, if it has one."""
    players: list[Player] = field(default_factory=list)
    logs: dict[str, list[Entry]] = field(default_factory=dict)
    replayed: dict[str, Table] = field(default_factory=dict)
    kills: int = 0

    def open(self) -> None:
        """Open the tables, seat as few people as each game needs, and start the matches."""
        for number in range(self.tables):
            game = list(GAMES.values())[number % len(GAMES)]
            options = {name: most for name, most in SHORT.items() if name in game.options}
            address = f"10.0.{number // 250}.{number % 250 + 1}"
            opened = self.post(
                "/api/tables", {"game": game.name, "players": game.players[0], "options": options, "name": "Ada", **NO_STAND_IN}, address
            )
            at, tokens = f"/api/tables/{opened['code']}", [opened["token"]]
            for person in range(1, game.players[0]):
                tokens.append(self.post(f"{at}/join", {"name": f"Player {person}"}, address)["token"])
            self.post(f"{at}/messages", {"do": "start"}, address, tokens[0])
            self.players += [Player(self.server.url, opened["code"], person, token, address) for person, token in enumerate(tokens)]

    def post(self, path: str, body: dict[str, Any], address: str, token: str = "") -> Any:
        status, answer = self.server.ask("POST", path, json.dumps(body).encode(), token, **{"X-Forwarded-For": address})
        assert status in (200, 201), answer
        return json.loads(answer)

    async def until_killed(self) -> None:
        """Let everyone connect and play; kill the server at a random moment."""
        chance = random.Random(f"{self.seed} {self.kills}")
        heard = asyncio.Semaphore(0)
        for player in self.players:
            player.is_back.clear()
        is_dead = asyncio.Event()
        lives = [asyncio.create_task(player.live(heard, is_dead)) for player in self.players]
        await soon(asyncio.gather(*(player.is_back.wait() for player in self.players)))
        for _ in range(chance.randrange(MAX_ACKNOWLEDGEMENTS)):
            await soon(heard.acquire())
        await asyncio.sleep(chance.random() * MAX_KILL_DELAY)
        is_dead.set()
        await asyncio.to_thread(self.server.kill)
        self.kills += 1
        await soon(asyncio.gather(*lives))

    async def lost(self) -> list[str]:
        """Everything that a player received and that is missing or different in the logs; and logs whose old entries have changed."""
        found = []
        for code, log in (await self.read()).items():
            before = self.logs.get(code, [])
            if log[: len(before)] != before:
                found.append(f"{code}: the log is not what it was")
            with suppress(StopIteration):
                found.append(next(does_not_replay(self.replayed.setdefault(code, Table(code)), log)))
            self.logs[code] = log
        for player in self.players:
            found += self.lost_by(player)
        return found + self.sent_differently()

    def sent_differently(self) -> list[str]:
        """What the server sent once, and differently after a restart."""
        return [wrong for player in self.players for wrong in player.wrong]

    async def read(self) -> dict[str, list[Entry]]:
        """The logs, read from the database or from a copy of the files that the server left behind."""
        if self.database:
            return await logs_in(self.server.data, {player.code for player in self.players}, self.database)
        copy = self.server.data / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for name in ("tables.db", "tables.db-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(self.server.data / name, copy / name)
        return await logs_in(copy, {player.code for player in self.players})

    def lost_by(self, player: Player) -> Iterator[str]:
        """What one player received and is not in the log."""
        log = visible_log(player.person, self.replayed[player.code], self.logs[player.code])
        for each in player.acknowledged:
            entry = log[each.seq - 1] if each.seq <= len(log) else None
            if entry is None or entry.mid != f"{player.person}/{each.id}" or choice_at(log[: each.seq], each.seat) != each.choice:
                yield f"{player.code}: {each} is lost: {entry}"
        for seq, news in player.told.items():
            entry = log[seq - 1] if seq <= len(log) else None
            if entry is None or (entry.at, kind_of(entry)) != (news["at"], news["kind"]):
                yield f"{player.code}: {news} is lost: {entry}"


async def logs_in(data: Path, codes: set[str], database: str = "") -> dict[str, list[Entry]]:
    """The logs of some tables, read through the store."""
    store = store_at(data, database)
    await store.open()
    try:
        return {code: await store.read(code) for code in codes}
    finally:
        await store.close()


def kind_of(entry: Entry) -> str:
    return type(facts.read(entry.body)).__name__.lower()


def visible_log(person: int, table: Table, log: list[Entry]) -> list[Entry]:
    """The log without the sealed entries that this person cannot see."""
    hidden = {each.seq for each in table.sealed if each.person != person}
    return [entry for entry in log if entry.seq not in hidden]


def choice_at(log: list[Entry], seat: int) -> str:
    """The choice of a seat that led to the last entry: in the last entry itself, sealed or not, or before the deals and choices of others that
    followed it at once."""
    for fact in (facts.read(entry.body) for entry in reversed(log)):
        if isinstance(fact, facts.Chosen):
            return fact.choice if fact.seat == seat else ""
        if not isinstance(fact, facts.Happened):
            return ""
        if fact.seat == seat:
            return fact.event
    return ""


def does_not_replay(table: Table, log: list[Entry]) -> Iterator[str]:
    """The first entry of a log that cannot be applied to the table, if there is one."""
    for entry in log[table.seq :]:
        try:
            table.take(entry)
        except Exception as error:
            yield f"{table.code}: {entry} cannot happen: {error!r}"
            return


async def evening(server: Server, tables: int, kills: int, seed: int, is_read: bool = True, database: str = "") -> tuple[Evening, list[str]]:
    """Play, kill, compare and restart, until the number of kills is reached or something is lost. Compare with the files on disk if
    ``is_read``, and always with what the server sends when everyone has reconnected."""
    played, lost = Evening(server, tables, seed, database), list[str]()
    await asyncio.to_thread(played.open)
    while played.kills < kills and not lost:
        await played.until_killed()
        lost = await played.lost() if is_read else played.sent_differently()
        await asyncio.to_thread(server.start)
    return played, lost
