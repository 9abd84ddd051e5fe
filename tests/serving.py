"""A real ``kortlek serve`` process for tests, with helpers to send it HTTP requests and to wait with a timeout."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mirror import Mirror
from running import SOURCE

DEADLINE = 60.0
"""Seconds that a test waits for an expected event before it fails. Never used to measure speed."""


def free_port() -> int:
    """A port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(condition: Callable[[], Any], what: str = "something") -> Any:
    """Poll a condition until it is true and return its value; fail after DEADLINE seconds."""
    until, pause = time.monotonic() + DEADLINE, 0.005
    while time.monotonic() < until:
        answer = condition()
        if answer:
            return answer
        pause = min(1.2 * pause, 0.05)
        time.sleep(pause)
    raise AssertionError(f"{what} did not come within {DEADLINE:.0f} seconds")


class Server:
    """``kortlek serve`` on a port of its own. ``kill`` sends SIGKILL, ``stop`` sends SIGTERM; ``start`` restarts it on the same data and port."""

    program = ["-m", "kortlek"]

    def __init__(self, data: Path, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self.data, self.port = data, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._arguments, self._environment = arguments, environment or {}
        self.log = data / f"server-{self.port}.log"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process, and wait until the server answers."""
        self.data.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), **self._environment}
        with self.log.open("a") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, text=True, env=environment)
        wait_for(self.answers, f"the server ({self.log.read_text()[-2000:]})")

    def command(self) -> list[str]:
        """The command of the process."""
        command = [sys.executable, *self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data), "--bots", "1"]
        return [*command, "--no-browser", *self._arguments]

    def answers(self) -> bool:
        """Whether the server reports that it is healthy."""
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()[-2000:]
        try:
            return bool(self.get("/health")["ok"])
        except OSError:
            return False

    def kill(self) -> None:
        """Kill the process without warning, as a power failure would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Ask the server to stop, and return its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(DEADLINE)

    def get(self, path: str, token: str = "") -> Any:
        """Send a GET request and parse the JSON answer."""
        return json.loads(self.ask("GET", path, token=token)[1])

    def show(self, code: str, token: str = "") -> dict[str, Any]:
        """A table as the first seat of this token is shown it, or a spectator."""
        mirror = Mirror()
        [*shown] = mirror.hear(self.get(f"/api/tables/{code}", token))
        return shown[0]

    def post(self, path: str, body: dict[str, Any], token: str = "") -> Any:
        """Send a POST request with a JSON body and parse the answer, which must be a success."""
        status, answer = self.ask("POST", path, json.dumps(body).encode(), token)
        assert status in (200, 201), answer
        return json.loads(answer)

    def ask(self, method: str, path: str, body: bytes | None = None, token: str = "", **headers: str) -> tuple[int, str]:
        """Send any request; return the status and the text of the answer."""
        sent = {"Content-Type": "application/json", **headers} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(self.url + path, body, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


@contextmanager
def serving(data: Path, *arguments: str, environment: dict[str, str] | None = None) -> Iterator[Server]:
    """A running server, killed at the end of the block."""
    server = Server(data, *arguments, environment=environment)
    server.start()
    try:
        yield server
    finally:
        if server.process and server.process.poll() is None:
            server.kill()


async def soon(awaitable: Any) -> Any:
    """Await something for DEADLINE seconds at most."""
    return await asyncio.wait_for(awaitable, DEADLINE)
