"""The limits on clients of a server (docs/protocol.md). A client over a limit is refused with the proper code; other clients are not affected."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from kortlek.game import Message
from kortlek.table.refusals import Refusal

LARGEST_MESSAGE = 4096
"""The largest message, on a socket or over HTTP, in bytes."""
MESSAGES, SECONDS = 100, 20.0
"""The rate limit: how many messages a client may send in how many seconds."""
CONNECTIONS = 20
"""How many sockets one address may have."""
HANDSHAKE = 5.0
"""How many seconds a client has for its hello."""
QUEUE = 256
"""How many messages may be queued for a client that does not read; for a delayed spectator, ten times as many."""


class Pace:
    """The rate limiter of one client: the times of its latest messages."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=MESSAGES)

    def check(self) -> None:
        """Count one more message; Refusal if there are too many."""
        now = self._clock()
        if len(self._times) == MESSAGES and now - self._times[0] < SECONDS:
            raise Refusal("too_many", Message("refuse-messages", {"count": MESSAGES, "seconds": round(SECONDS)}))
        self._times.append(now)

    @property
    def is_idle(self) -> bool:
        """Whether the last message is so old that this limiter can be dropped."""
        return not self._times or self._clock() - self._times[-1] > SECONDS


class Addresses:
    """The open sockets and the rate of HTTP requests of each address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sockets: Counter[str] = Counter()
        self._paces: dict[str, Pace] = {}

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """Count a socket of an address while it is open; Refusal if there are too many."""
        if self._sockets[address] >= CONNECTIONS:
            raise Refusal("too_many", Message("refuse-connections", {"count": CONNECTIONS}))
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    def asks(self, address: str) -> None:
        """Count one more request of an address; Refusal if there are too many."""
        for other in [other for other, pace in self._paces.items() if pace.is_idle]:
            del self._paces[other]
        self._paces.setdefault(address, Pace(self._clock)).check()


def is_own(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from a page of this server; programs other than browsers send no origin."""
    try:
        return origin is None or urlsplit(origin).netloc == host
    except ValueError:  # the origin is not a valid address
        return False
