"""How much anybody may ask of a server (docs/protocol.md). Over a limit a client is turned away with the proper code; nobody else notices."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from kortlek.game import Message
from kortlek.table.refusals import Refusal

LARGEST_MESSAGE = 4096
"""Bytes in a message, on a socket or over HTTP."""
MESSAGES, SECONDS = 100, 20.0
"""The rate limit: how many messages a client may send in how many seconds."""
CONNECTIONS = 20
"""How many sockets one address may have."""
HANDSHAKE = 5.0
"""How many seconds a client has for its hello."""
QUEUE = 256
"""How many messages may wait for a client that does not read; for one that looks on with a delay, ten times as many."""


class Pace:
    """How often somebody has asked lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=MESSAGES)

    def check(self) -> None:
        """Count one more; Refusal if it is too many."""
        now = self._clock()
        if len(self._times) == MESSAGES and now - self._times[0] < SECONDS:
            raise Refusal("too_many", Message("refuse-messages", {"count": MESSAGES, "seconds": round(SECONDS)}))
        self._times.append(now)

    @property
    def is_idle(self) -> bool:
        """Whether nobody has asked for so long that it can be forgotten."""
        return not self._times or self._clock() - self._times[-1] > SECONDS


class Addresses:
    """Who is connected from where, and how often each address has asked over HTTP."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sockets: Counter[str] = Counter()
        self._paces: dict[str, Pace] = {}

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """One more socket of an address; Refusal if it has too many."""
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
        """One more request of an address; Refusal if it has made too many."""
        for other in [other for other, pace in self._paces.items() if pace.is_idle]:
            del self._paces[other]
        self._paces.setdefault(address, Pace(self._clock)).check()


def is_own(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from a page of this server; programs that are not browsers have no origin."""
    try:
        return origin is None or urlsplit(origin).netloc == host
    except ValueError:  # what is no address is nobody's
        return False
