"""Clients for tests, over real sockets: they keep everything that they are sent, and choose whatever is allowed.

They know no more of the server than a stranger's program would: docs/protocol.md.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any

from serving import DEADLINE, Server, soon
from tables import message_from
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kortlek.engine.events import Event
from kortlek.game.registry import GAMES
from kortlek.table.words import words_at_table

Message = dict[str, Any]
Wanted = Callable[[Message], bool]
MATCH: dict[str, Any] = {"game": "up_and_down", "options": {"largest_round": 3, "first_bettor": 0}, "pace": 0, "grace": 86400, "stand_in": "house"}
"""Deals of 1, 2, 3, 2 and 1 cards; seat 0 is the first to bet."""
SHORT: dict[str, Any] = {**MATCH, "players": 2, "options": {"largest_round": 2, "first_bettor": 0}}
ANN, BO = 0, 1
NOBODY = "0" * 32
"""A token that is nobody's."""
_numbers = count(1)


def said(news: Message, names: Sequence[str] = ("Ann", "Bo"), game: str = "up_and_down") -> list[str]:
    """What the reader of some news is told, in English."""
    words = words_at_table(GAMES[game])
    events = [Event(each["kind"], each["seat"], each["args"]) for each in news["events"]]
    message = [words.say(message_from(news["message"]), tuple(names), news["seat"])] if news["message"] else []
    return [*message, *words.log(events, tuple(names), news["seat"]), *([news["text"]] if news["text"] else [])]


class Client:
    """A socket to a table. ``got`` is everything that has come, in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.got: list[Message] = []

    async def receive(self) -> Message:
        """The next message; ConnectionClosed if there will be none."""
        message: Message = json.loads(await soon(self.socket.recv()))
        self.got.append(message)
        return message

    async def until(self, wanted: Wanted) -> Message:
        """The first message that is wanted."""
        while not wanted(message := await self.receive()):
            pass
        return message

    async def send(self, **message: Any) -> str:
        """Ask for something; its id."""
        message.setdefault("id", f"test {next(_numbers)}")
        await self.socket.send(json.dumps(message))
        return str(message["id"])

    async def ask(self, **message: Any) -> Message:
        """Ask for something, and wait for the answer."""
        asked = await self.send(**message)
        return await self.until(lambda message: message.get("id") == asked)

    async def show(self, wanted: Wanted = lambda show: True) -> Message:
        """The next show that is wanted."""
        return await self.until(lambda message: message["type"] == "show" and wanted(message))

    async def end(self) -> tuple[Message, int | None]:
        """The last message before the server closes the socket, and with which code it does."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            return self.got[-1] if self.got else {}, closed.rcvd.code if closed.rcvd else None

    async def notices(self) -> list[Message]:
        """What has come since the last message that was read, up to now: whatever was sent before the answer to this comes before it."""
        before = len(self.got)
        await self.ask(do="leave", seat=9)
        return self.got[before:-1]

    @property
    def last(self) -> Message:
        """The last show."""
        return next(message for message in reversed(self.got) if message["type"] == "show")

    @property
    def news(self) -> list[Message]:
        """What has been told of the log."""
        return [message for message in self.got if message["type"] == "news"]

    @property
    def seqs(self) -> list[int]:
        """The numbers of what has been told."""
        return [each["seq"] for each in self.news]


def socket_of(server: Server, code: str) -> str:
    """The address of a table's socket."""
    return f"ws://127.0.0.1:{server.port}/api/tables/{code}/socket"


@asynccontextmanager
async def at(server: Server, code: str, token: str = "", since: int | None = None, **how: Any) -> AsyncIterator[Client]:
    """A client at a table that has said hello."""
    async with connect(socket_of(server, code), **{"max_size": None, "max_queue": None, "open_timeout": DEADLINE, **how}) as socket:
        client = Client(socket)
        hello = {"do": "hello", "protocol": 1, "token": token}
        with suppress(ConnectionClosed):  # who is not let in is told so at once
            await socket.send(json.dumps(hello if since is None else hello | {"since": since}))
        yield client


@asynccontextmanager
async def there(server: Server, code: str, token: str = "", since: int | None = None, **how: Any) -> AsyncIterator[Client]:
    """A client at a table that has been shown it."""
    async with at(server, code, token, since, **how) as client:
        await client.show()
        yield client


async def play(client: Client, seat: int, stop: Wanted = lambda show: show["status"] == "over", pick: int = 0) -> Message:
    """Choose the first thing that is allowed (or another) whenever it is the seat's turn, until a show says stop: that show."""
    show, chosen = client.last, 0
    while not stop(show):
        match = show["match"]
        if match and match["legal"] and show["seq"] > chosen:
            chosen = show["seq"]
            await client.send(do="choose", seat=seat, choice=match["legal"][pick]["choice"], at=chosen)
        show = await client.show(lambda show: bool(show["seat"] == seat))
    return show


async def play_together(clients: dict[int, Client], stop: Wanted = lambda show: show["status"] == "over") -> list[Message]:
    """The same for several seats."""
    return list(await soon(asyncio.gather(*(play(client, seat, stop) for seat, client in clients.items()))))


def in_a_trick(deal: int, *seats: int) -> Wanted:
    """Whether it is one of these seats' turn in a deal, and somebody has played to the trick before. Of two seats one always comes later."""

    def holds(show: Message) -> bool:
        match = show["match"]
        return bool(match and match["turn"] in seats and match["round"] == deal and lying(match, "trick"))

    return holds


def lying(match: Message, place: str) -> int:
    """How many cards lie in the places of a kind."""
    return sum(each["size"] for each in match["places"] if each["place"] == place)


def opened(server: Server, *others: str, **settings: Any) -> tuple[str, list[str]]:
    """A table at which Ann has sat down, and after her the others: its code, and everyone's token."""
    table = server.post("/api/tables", {"name": "Ann", **settings})
    path = f"/api/tables/{table['code']}/join"
    return table["code"], [table["token"], *(server.post(path, {"do": "join", "name": name})["token"] for name in others)]
