"""The limits on clients of a server (docs/protocol.md). A client over a limit is refused with the proper code; other clients are not affected.

Addresses are counted as ``network`` says, in memory only.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from urllib.parse import urlsplit

from kortlek.game import Message
from kortlek.table.refusals import Refusal

LARGEST_MESSAGE = 4096
"""The largest message, on a socket or over HTTP, in bytes."""
MESSAGES, SECONDS = 100, 20.0
"""The rate limit: how many messages a socket may send, and how many POST requests an address, in how many seconds."""
GETS = 600
"""How many GET requests an address may send in SECONDS."""
CONNECTS = 100
"""How many sockets an address may open in SECONDS."""
GUESSES = 20
"""How many codes of tables that do not exist an address may try in SECONDS."""
OPENED, HOUR = 100, 3600.0
"""How many tables an address may open in an hour."""
CONNECTIONS = 20
"""How many sockets one address may have."""
SOCKETS = 10_000
"""How many sockets a server may have."""
SPECTATORS = 250
"""How many spectators a table may have."""
TABLES = 10_000
"""How many tables may be in memory."""
REFUSAL_DELAY = 1.0
"""How many seconds the answer to a request or a connection over a rate limit is delayed: a client that does not wait would cost more by being
refused than by being served."""
REQUEST_SPACING = 0.001
"""How many seconds lie between the starts of two requests at least; addresses take turns."""
FREE_DENIALS, DENIAL_DELAY = 10, 0.1
"""After how many denied messages in a row a socket is read more slowly, and by how many seconds after each."""
CUT_COSTS = 20
"""As how many connects a socket counts that was closed because it sent too many messages."""
HANDSHAKE = 5.0
"""How many seconds a client has for its hello."""
QUEUE = 256
"""How many messages may be queued for a client that does not read; for a delayed spectator, ten times as many."""
REMEMBERED = 20_000
"""How many addresses are remembered by each limit; beyond that, those that have been quiet longest are forgotten."""
IPV6_PREFIX = 64
"""The length of the prefix by which IPv6 addresses are counted: a customer usually has at least such a network."""


def network(address: str) -> str:
    """The unit by which an address is counted: an IPv4 address, or an IPv6 network."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, IPV6_PREFIX), strict=False))
    return str(found)


class Pace:
    """The rate limiter of one client: the times of its latest messages."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, count: int = MESSAGES, seconds: float = SECONDS, id: str = "refuse-messages"
    ) -> None:
        self._clock, self._seconds, self._id = clock, seconds, id
        self._times: deque[float] = deque(maxlen=count)

    def check(self) -> None:
        """Count one more message; Refusal if there are too many."""
        if self.is_over:
            raise Refusal("too_many", Message(self._id, {"count": self._times.maxlen or 0, "seconds": round(self._seconds)}))
        self._times.append(self._clock())

    @property
    def is_over(self) -> bool:
        """Whether one more message would be too many."""
        return len(self._times) == self._times.maxlen and self._clock() - self._times[0] < self._seconds

    @property
    def is_idle(self) -> bool:
        """Whether the last message is so old that this limiter can be dropped."""
        return not self._times or self._clock() - self._times[-1] > self._seconds


class Paces:
    """A rate limiter for each address."""

    def __init__(self, count: int, seconds: float, id: str, clock: Callable[[], float]) -> None:
        self._count, self._seconds, self._id, self._clock = count, seconds, id, clock
        self._paces: OrderedDict[str, Pace] = OrderedDict()

    def check(self, address: str) -> None:
        """Count one more request of an address; Refusal if there are too many."""
        pace = self._paces.setdefault(network(address), Pace(self._clock, self._count, self._seconds, self._id))
        self._paces.move_to_end(network(address))
        oldest = next(iter(self._paces.values()))
        while oldest is not pace and (oldest.is_idle or len(self._paces) > REMEMBERED):
            self._paces.popitem(last=False)
            oldest = next(iter(self._paces.values()))
        pace.check()

    def charge(self, address: str, count: int) -> None:
        """Count several requests at once, as far as there is room for them."""
        with suppress(Refusal):
            for _ in range(count):
                self.check(address)

    def is_over(self, address: str) -> bool:
        """Whether one more request of an address would be too many."""
        pace = self._paces.get(network(address))
        return pace is not None and pace.is_over


class Guesses:
    """The codes of tables that each address has tried. When it has tried too many that do not exist, it is not told of any other, neither that it
    exists nor that it does not; those that it has used rightly before go on working."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._misses = Paces(GUESSES, SECONDS, "refuse-guesses", clock)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def may_try(self, address: str, code: str) -> bool:
        """Whether an address may be told whether there is such a table."""
        return (network(address), code) in self._known or not self._misses.is_over(address)

    def missed(self, address: str) -> None:
        """Count a code that does not exist; Refusal if there are too many."""
        self._misses.check(address)

    def found(self, address: str, code: str) -> None:
        """Remember that an address knows the code of a table."""
        self._known[network(address), code] = None
        self._known.move_to_end((network(address), code))
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


class Addresses:
    """What each address has done lately, and its open sockets."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._sockets: Counter[str] = Counter()
        self._open = 0
        self.posts = Paces(MESSAGES, SECONDS, "refuse-requests", clock)
        self.gets = Paces(GETS, SECONDS, "refuse-requests", clock)
        self.connects = Paces(CONNECTS, SECONDS, "refuse-requests", clock)
        self.opened = Paces(OPENED, HOUR, "refuse-opened", clock)
        self.guesses = Guesses(clock)

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """Count a socket of an address while it is open; Refusal if there are too many."""
        unit = network(address)
        if self._sockets[unit] >= CONNECTIONS:
            raise Refusal("too_many", Message("refuse-connections", {"count": CONNECTIONS}))
        if self._open >= SOCKETS:
            raise Refusal("too_many", "refuse-sockets")
        self._sockets[unit] += 1
        self._open += 1
        try:
            yield
        finally:
            self._sockets[unit] -= 1
            self._open -= 1
            if not self._sockets[unit]:
                del self._sockets[unit]


@asynccontextmanager
async def delayed_refusal() -> AsyncIterator[None]:
    """Delay a refusal because of a rate limit that is raised in the block."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code == "too_many":
            await asyncio.sleep(REFUSAL_DELAY)
        raise


def is_own(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from a page of this server; programs other than browsers send no origin."""
    try:
        return origin is None or urlsplit(origin).netloc == host
    except ValueError:  # the origin is not a valid address
        return False
