"""The processes that are measured: a server and a bare echo of our own, and what they cost, as Linux tells it in ``/proc``."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from kortlek.engine.plain import Refused

LOCAL = "127.0.0.1"
START_SECONDS = 60.0
STOP_SECONDS = 20.0


@dataclass(frozen=True)
class Process:
    """A server process: its id (0: unknown, as we did not start it) and where it answers."""

    pid: int
    host: str
    port: int


@dataclass(frozen=True)
class Usage:
    """What a process has used so far, in seconds: CPU time, and how long its main thread was ready to run but had no core."""

    cpu: float
    waited: float


def usage(process: Process) -> Usage | None:
    """What a process has used so far; None if that cannot be known: another system than Linux, or a process that we did not start."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        waited = int(Path(f"/proc/{process.pid}/task/{process.pid}/schedstat").read_text().split()[1])
    except (OSError, IndexError):
        return None
    return Usage((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), waited / 1e9)


@contextmanager
def own_server() -> Iterator[Process]:
    """``kortlek serve`` on a free port, with an empty temporary folder."""
    with tempfile.TemporaryDirectory(prefix="kortlek-load-") as data:
        port = free_port()
        flags = ["--host", LOCAL, "--port", str(port), "--data", data, "--bots", "1", "--behind-proxy", "--no-browser"]
        with started(["-m", "kortlek", "serve", *flags], port, Path(data)) as process:
            yield process


@contextmanager
def own_echo() -> Iterator[Process]:
    """The bare durable echo on a free port, with an empty temporary folder."""
    with tempfile.TemporaryDirectory(prefix="kortlek-echo-") as data:
        port = free_port()
        with started(["-m", "kortlek.table.load.echo", str(port), data], port, Path(data)) as process:
            yield process


@contextmanager
def started(command: Sequence[str], port: int, data: Path) -> Iterator[Process]:
    """A process of ours that serves on a port, stopped at the end of the block. Refused if it does not start."""
    errors = data / "errors.txt"
    with errors.open("w") as log, subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=log) as process:
        try:
            until = time.monotonic() + START_SECONDS
            while not answers(LOCAL, port):
                if process.poll() is not None or time.monotonic() > until:
                    raise Refused(f"The server of the test has not started. {errors.read_text()[-1000:]}")
                time.sleep(0.05)
            yield Process(process.pid, LOCAL, port)
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            process.kill()


def answers(host: str, port: int) -> bool:
    """Whether a server answers."""
    connection = HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def free_port() -> int:
    """A port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind((LOCAL, 0))
        return int(probe.getsockname()[1])
