"""The clients of a load test: players who make random legal choices, and spectators. They decode only what they need for that."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, deque
from collections.abc import Iterator
from itertools import count
from time import perf_counter

import msgspec

from kortlek.engine.plain import Refused
from kortlek.table.limits import MESSAGES, SECONDS
from kortlek.table.load.socket import Socket
from kortlek.table.protocol import PROTOCOL
from kortlek.table.table import ENDED

CONCURRENT_CONNECTS = 20
"""How many clients connect at the same time."""
CONNECT_TIMEOUT = 30.0
SPARE = 5
"""How many messages before the rate limit of a socket a player takes another socket."""
DRAIN_TIMEOUT = 30.0
"""How many seconds unanswered requests have after a turn."""


class Alternative(msgspec.Struct):
    """A choice that is open."""

    choice: str


class Match(msgspec.Struct):
    """What a player needs to know of a match."""

    legal: list[Alternative] | None = None


class View(msgspec.Struct):
    """What a player needs to know of a view."""

    seat: int
    match: Match | None = None


class Table(msgspec.Struct):
    """What a player needs to know of a table."""

    status: str = ""


class Heard(msgspec.Struct):
    """What a player needs to know of a message."""

    type: str
    seq: int = 0
    done: str = ""
    sentence: str = ""
    code: str = ""
    table: Table | None = None
    views: list[View] = []


decode = msgspec.json.Decoder(Heard).decode
encode = msgspec.json.Encoder().encode


def addresses() -> Iterator[str]:
    """Addresses for X-Forwarded-For. Each client has its own: the limits for one address are not what is measured."""
    return (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" for number in count(1))


class Crowd:
    """All clients of one server, which may have rate limits, and what they measure. They send only while they are ``going``, and measure only while
    they are ``counting``."""

    def __init__(self, host: str, port: int, think: float, has_limits: bool = True) -> None:
        self.host, self.port, self.think, self.has_limits = host, port, think, has_limits
        self.chance = random.Random(1)
        self.addresses = addresses()
        self.players: list[Player] = []
        self.spectators: list[Spectator] = []
        self.going, self.counting = False, False
        self.error = ""
        self.reset()

    @property
    def clients(self) -> list[Player | Spectator]:
        """Everyone."""
        return [*self.players, *self.spectators]

    def reset(self) -> None:
        """Begin to measure anew."""
        self.times = list[float]()
        """Seconds until each choice was durably acknowledged."""
        self.sizes: Counter[int] = Counter()
        """The sizes of the frames that told a player of a change, in bytes."""
        self.received = 0
        """Everything that the players were sent, in bytes."""

    async def connect(self, path: str, client: Player | Spectator) -> Socket:
        """Open a socket of a client."""
        host = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
        address = next(self.addresses)
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(lambda: Socket(host, path, address, client.heard, self.ended), self.host, self.port)
        return socket

    async def enter(self) -> None:
        """Connect all clients. Refused if the server does not let them in."""
        gate = asyncio.Semaphore(CONCURRENT_CONNECTS)

        async def come(client: Player | Spectator) -> None:
            async with gate:
                await client.enter()
                while not client.is_in and not self.error:
                    await asyncio.wait_for(client.came.wait(), CONNECT_TIMEOUT)

        try:
            await asyncio.gather(*(come(client) for client in self.clients))
        except (TimeoutError, OSError) as error:
            raise Refused(f"The server does not let the clients in: {self.error or str(error) or 'they get no answer'}.") from error
        self.check()

    def check(self) -> None:
        """Refused if a client was turned away."""
        if self.error:
            raise Refused(f"A client was turned away: {self.error}")

    def ended(self, socket: Socket, reason: str) -> None:
        """Note that a connection has ended, which none should."""
        self.fail(reason + ".")

    def fail(self, reason: str) -> None:
        """Note what went wrong first."""
        self.error = self.error or reason
        for client in self.clients:
            client.came.set()

    def go(self) -> None:
        """Let the players choose."""
        self.going = True
        for player in self.players:
            player.act()

    async def pause(self) -> None:
        """Let the players pause, and wait until all requests are answered."""
        self.going = False
        until = perf_counter() + DRAIN_TIMEOUT
        while any(player.sent_at for player in self.players) and perf_counter() < until:
            self.check()
            await asyncio.sleep(0.01)
        self.check()

    def leave(self) -> None:
        """Disconnect all clients."""
        self.going = False
        for client in self.clients:
            if client.socket:
                client.socket.close()


class Spectator:
    """A client without a seat: it reads, and does nothing else."""

    def __init__(self, crowd: Crowd, path: str) -> None:
        self.crowd, self.path = crowd, path
        self.socket: Socket | None = None
        self.came = asyncio.Event()

    @property
    def is_in(self) -> bool:
        """Whether the server has answered."""
        return self.came.is_set()

    async def enter(self) -> None:
        """Connect."""
        self.socket = await self.crowd.connect(self.path, self)
        self.socket.send(encode({"do": "hello", "protocol": PROTOCOL}))

    def heard(self, socket: Socket, message: bytes) -> None:
        """Handle a message: a bye is an error."""
        self.came.set()
        if message.startswith(b'{"type":"bye"'):
            self.crowd.fail(decode(message).sentence)


class Player:
    """A client that makes a random legal choice, after ``think`` seconds on average. The first of a table begins its next match."""

    def __init__(self, crowd: Crowd, path: str, token: str, begins: bool = False) -> None:
        self.crowd, self.path, self.begins = crowd, path, begins
        self.hello = encode({"do": "hello", "protocol": PROTOCOL, "token": token})
        self.socket: Socket | None = None
        self.next_socket: Socket | None = None
        self.came = asyncio.Event()
        self.moving: asyncio.Task[None] | None = None
        self.seat, self.seq, self.status = 0, 0, ""
        self.legal: list[Alternative] = []
        self.sent, self.sent_at, self.is_choice = 0, 0.0, False
        self.thinking = False
        self.times: deque[float] = deque(maxlen=MESSAGES - SPARE)

    @property
    def is_in(self) -> bool:
        """Whether the server has answered."""
        return self.came.is_set()

    async def enter(self) -> None:
        """Open a socket, the first or another one: the rate limit is one of each socket, and a player in haste is faster than people."""
        self.next_socket = await self.crowd.connect(self.path, self)
        self.next_socket.send(self.hello)

    async def move(self) -> None:
        """Take another socket."""
        try:
            await self.enter()
        except OSError as error:
            self.crowd.fail(f"{error}.")

    def heard(self, socket: Socket, message: bytes) -> None:
        """Handle a message, and choose if it is this player's turn."""
        heard = decode(message)
        if heard.type == "bye":
            self.crowd.fail(heard.sentence)
            return
        if socket is self.next_socket and heard.type == "snapshot":
            if self.socket:
                self.socket.close()
            self.socket, self.next_socket, self.moving = socket, None, None
            self.times.clear()
            self.came.set()
        elif socket is not self.socket:
            return
        if self.crowd.counting:
            self.crowd.received += len(message)
        if heard.type == "denied" and heard.code != "stale":
            self.crowd.fail(heard.sentence)
            return
        if heard.done or heard.type in ("done", "denied"):
            self.answered(heard)
        if heard.type in ("step", "snapshot"):
            self.look(heard, len(message))
        self.act()

    def answered(self, heard: Heard) -> None:
        """Note an answer, which is the durable acknowledgement unless it is a refusal."""
        if self.crowd.counting and self.is_choice and heard.type != "denied":
            self.crowd.times.append(perf_counter() - self.sent_at)
        self.sent_at = 0.0

    def look(self, heard: Heard, size: int) -> None:
        """Note what has changed."""
        self.seq = heard.seq
        if heard.table and heard.table.status:
            self.status = heard.table.status
        for view in heard.views:
            self.seat = view.seat
            if view.match and view.match.legal is not None:
                self.legal = view.match.legal
        if heard.views and heard.type == "step" and self.crowd.counting:
            self.crowd.sizes[size] += 1

    def act(self) -> None:
        """Choose if it is this player's turn, now or after some time."""
        crowd = self.crowd
        if not crowd.going or self.sent_at or self.thinking or self.moving or not self.socket:
            return
        if self.status == ENDED:
            if self.begins:
                self.request({"do": "start"})
        elif self.legal:
            if crowd.think:
                self.thinking = True
                asyncio.get_running_loop().call_later(crowd.chance.uniform(0, 2 * crowd.think), self.thought)
            else:
                self.choose()

    def thought(self) -> None:
        """Choose, after some time, unless the players pause meanwhile."""
        self.thinking = False
        if self.crowd.going and self.legal and not self.sent_at and not self.moving:
            self.choose()

    def choose(self) -> None:
        """Send a choice."""
        chosen = self.legal[int(self.crowd.chance.random() * len(self.legal))]
        self.request({"do": "choose", "seat": self.seat, "choice": chosen.choice, "at": self.seq})

    def request(self, message: dict[str, object]) -> None:
        """Send a request, or first take another socket if the rate limit of this one is near."""
        now = perf_counter()
        if self.crowd.has_limits and len(self.times) == self.times.maxlen and now - self.times[0] < SECONDS:
            self.moving = asyncio.ensure_future(self.move())
            return
        self.times.append(now)
        self.sent += 1
        self.is_choice = message["do"] == "choose"
        assert self.socket
        self.sent_at = perf_counter()
        self.socket.send(encode({**message, "id": str(self.sent)}))
