"""WebSocket clients for tests. They record every message, and make legal choices.

They use nothing of the server but what docs/protocol.md describes, as a foreign client would.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any

from mirror import Mirror
from serving import DEADLINE, Server, soon
from tables import message_from
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kortlek.engine.events import Event
from kortlek.game.registry import GAMES
from kortlek.table.protocol import PROTOCOL
from kortlek.table.words import words_at_table

Message = dict[str, Any]
Wanted = Callable[[Message], bool]
MATCH: dict[str, Any] = {"game": "up_and_down", "options": {"largest_round": 3, "first_bettor": 0}, "pace": 0, "grace": 86400, "stand_in": "house"}
"""Deals of 1, 2, 3, 2 and 1 cards; seat 0 is the first to bet."""
SHORT: dict[str, Any] = {**MATCH, "players": 2, "options": {"largest_round": 2, "first_bettor": 0}}
ANN, BO = 0, 1
UNKNOWN_TOKEN = "0" * 32
"""A token that belongs to no one."""
_numbers = count(1)


def said(news: Message, names: Sequence[str] = ("Ann", "Bo"), game: str = "up_and_down") -> list[str]:
    """The sentences of a news message, in English."""
    words = words_at_table(GAMES[game])
    events = [Event(each["kind"], each["seat"], each["args"]) for each in news["events"]]
    message = [words.say(message_from(news["message"]), tuple(names), news["seat"])] if news["message"] else []
    return [*message, *words.log(events, tuple(names), news["seat"]), *([news["text"]] if news["text"] else [])]


class Client:
    """A socket to a table, which applies the frames that it is sent. ``frames`` holds every message as it was sent. ``got`` holds what follows from
    them, in order: of a frame the ``news`` of each entry with its number, the ``show`` of the whole table from each viewpoint, and ``done``."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Message] = []
        self.got: list[Message] = []
        self._told: deque[Message] = deque()
        self.mirror = Mirror()

    async def receive(self) -> Message:
        """The next message; ConnectionClosed if there is none."""
        while not self._told:
            frame: Message = json.loads(await soon(self.socket.recv()))
            self.frames.append(frame)
            self._told += self.mirror.hear(frame)
        self.got.append(self._told.popleft())
        return self.got[-1]

    async def until(self, wanted: Wanted) -> Message:
        """Receive until a message is wanted, and return that message."""
        while not wanted(message := await self.receive()):
            pass
        return message

    async def send(self, **message: Any) -> str:
        """Send a request; return its id."""
        message.setdefault("id", f"test {next(_numbers)}")
        await self.socket.send(json.dumps(message))
        return str(message["id"])

    async def ask(self, **message: Any) -> Message:
        """Send a request, and wait for its answer."""
        asked = await self.send(**message)
        return await self.until(lambda message: message.get("id") == asked)

    async def show(self, wanted: Wanted = lambda show: True) -> Message:
        """The next ``show`` message that is wanted."""
        return await self.until(lambda message: message["type"] == "show" and wanted(message))

    async def end(self) -> tuple[Message, int | None]:
        """Receive until the server closes the socket; return the last message and the close code."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            return self.got[-1] if self.got else {}, closed.rcvd.code if closed.rcvd else None

    async def notices(self) -> list[Message]:
        """The messages sent up to now that were not read yet. They all arrive before the answer to the request that is sent here."""
        before = len(self.got)
        await self.ask(do="leave", seat=9)
        return self.got[before:-1]

    @property
    def last(self) -> Message:
        """The last ``show`` message."""
        return next(message for message in reversed(self.got) if message["type"] == "show")

    @property
    def news(self) -> list[Message]:
        """All ``news`` messages."""
        return [message for message in self.got if message["type"] == "news"]

    @property
    def seqs(self) -> list[int]:
        """The sequence numbers of the news."""
        return [each["seq"] for each in self.news]


def socket_of(server: Server, code: str) -> str:
    """The URL of a table's socket."""
    return f"ws://127.0.0.1:{server.port}/api/tables/{code}/socket"


@asynccontextmanager
async def at(server: Server, code: str, token: str = "", since: int | None = None, knows: Client | None = None, **how: Any) -> AsyncIterator[Client]:
    """A client connected to a table, after its ``hello``. It comes back after ``since`` with what another client ``knows``."""
    async with connect(socket_of(server, code), **{"max_size": None, "max_queue": None, "open_timeout": DEADLINE, **how}) as socket:
        client = Client(socket)
        if knows:
            client.mirror = copy.deepcopy(knows.mirror)
        hello = {"do": "hello", "protocol": PROTOCOL, "token": token}
        with suppress(ConnectionClosed):  # a client that is not let in is disconnected at once
            await socket.send(json.dumps(hello if since is None else hello | {"since": since}))
        yield client


@asynccontextmanager
async def there(server: Server, code: str, token: str = "", since: int | None = None, **how: Any) -> AsyncIterator[Client]:
    """A client connected to a table, after the first ``show``."""
    async with at(server, code, token, since, **how) as client:
        await client.show()
        yield client


async def play(client: Client, seat: int, stop: Wanted = lambda show: show["status"] == "over", pick: int = 0) -> Message:
    """Make the first legal choice (or that of another index) whenever it is the seat's turn, until a ``show`` meets ``stop``; return that
    ``show``."""
    show, chosen = client.last, 0
    while not stop(show):
        match = show["match"]
        if match and match["legal"] and show["seq"] > chosen:
            chosen = show["seq"]
            await client.send(do="choose", seat=seat, choice=match["legal"][pick]["choice"], at=chosen)
        show = await client.show(lambda show: bool(show["seat"] == seat))
    return show


async def play_together(clients: dict[int, Client], stop: Wanted = lambda show: show["status"] == "over") -> list[Message]:
    """``play`` for several seats at once."""
    return list(await soon(asyncio.gather(*(play(client, seat, stop) for seat, client in clients.items()))))


def in_a_trick(deal: int, *seats: int) -> Wanted:
    """A condition: in this deal it is the turn of one of these seats, and another has played to the trick before. Of two seats one always plays
    later."""

    def holds(show: Message) -> bool:
        match = show["match"]
        return bool(match and match["turn"] in seats and match["round"] == deal and number_of_cards(match, "trick"))

    return holds


def number_of_cards(match: Message, place: str) -> int:
    """The number of cards in places of this kind."""
    return sum(each["size"] for each in match["places"].values() if each["place"] == place)


def opened(server: Server, *others: str, **settings: Any) -> tuple[str, list[str]]:
    """Open a table as Ann and let the others join; return its code and everyone's token."""
    table = server.post("/api/tables", {"name": "Ann", **settings})
    path = f"/api/tables/{table['code']}/join"
    return table["code"], [table["token"], *(server.post(path, {"do": "join", "name": name})["token"] for name in others)]
