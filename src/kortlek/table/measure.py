"""The metrics of a server process: where the time of a choice goes (docs/operations.md)."""

from __future__ import annotations

import asyncio
from collections import deque

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
LAG_INTERVAL = 0.1
"""Seconds between two measurements of the event loop's lag."""
LAG_WINDOW = 10.0
"""For how many seconds a lag of the event loop counts in a health check."""


class Measures:
    """Histograms of the stages of a choice, and counters. Each server process has its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.check = self._seconds("check", "Checking a message, the rules included.")
        self.lock_wait = self._seconds("lock_wait", "Waiting for the lock of a table.")
        self.commit = self._seconds("commit", "Waiting until facts are durable in the log.")
        self.tell = self._seconds("tell", "Applying facts, and queueing a frame for each client.")
        self.queue = self._seconds("queue", "A frame's time in the send queue of a client, without a spectator's delay.")
        self.loop_lag = self._seconds("loop_lag", "How late the event loop runs a timer.")
        self.bot_wait = self._seconds("bot_wait", "Waiting for the choice of a bot, the time to think included.")
        self.moves = Counter("kortlek_moves", "Events of matches since the start.", registry=self.registry)
        self.last_lag = 0.0
        """The latest lag of the event loop in seconds."""
        self._lags: deque[tuple[float, float]] = deque(maxlen=round(LAG_WINDOW / LAG_INTERVAL))

    def _seconds(self, name: str, about: str) -> Histogram:
        return Histogram(f"kortlek_{name}_seconds", about, registry=self.registry, buckets=BUCKETS)

    async def watch_loop(self) -> None:
        """Measure the lag of the event loop, endlessly."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_INTERVAL
            await asyncio.sleep(LAG_INTERVAL)
            self.last_lag = max(0.0, loop.time() - due)
            self.loop_lag.observe(self.last_lag)
            self._lags.append((loop.time(), self.last_lag))

    def worst_lag(self) -> float:
        """The longest lag of the event loop within the last seconds."""
        since = asyncio.get_running_loop().time() - LAG_WINDOW
        return max((lag for at, lag in self._lags if at > since), default=0.0)

    def text(self, **values: float) -> bytes:
        """All metrics in the format of Prometheus; ``values`` are gauges of this moment."""
        now = CollectorRegistry()
        for name, value in values.items():
            Gauge(f"kortlek_{name}", GAUGES[name], registry=now).set(value)
        return generate_latest(self.registry) + generate_latest(now)


GAUGES = {
    "tables": "Tables in memory.",
    "connections": "Open sockets.",
    "workers_replaced_total": "Bots' processes that had to be replaced.",
}
"""The gauges and what they show."""
