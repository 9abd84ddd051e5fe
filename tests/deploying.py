"""The Containerfile and the systemd unit, read as data, and their commands run as they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from serving import DEADLINE, free_port, wait_for

ROOT = Path(__file__).parent.parent
INSTALLED = "/opt/kortlek"
"""Where the Containerfile and the unit expect the environment of Kortlek."""
USER = 8642


@dataclass(frozen=True)
class Step:
    """An instruction of a Containerfile."""

    name: str
    text: str

    def command(self) -> list[str]:
        """Its command in the exec form, after its flags."""
        return [str(word) for word in json.loads(self.text[self.text.index("[") :])]


def steps(text: str) -> list[Step]:
    """The instructions of a Containerfile, in order."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", text, flags=re.M))
    return [Step(*line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def last_stage(text: str) -> list[Step]:
    """The instructions that make the image itself."""
    whole = steps(text)
    return whole[max(i for i, step in enumerate(whole) if step.name == "FROM") :]


def variables(words: str) -> dict[str, str]:
    """The assignments of an ENV instruction or an Environment setting."""
    return dict(word.split("=", 1) for word in shlex.split(words))


def settings(unit: str) -> dict[str, list[str]]:
    """The settings of a systemd unit, each with all its values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", unit, re.M):
        found.setdefault(name, []).append(value)
    return found


def unprivileged() -> list[str]:
    """The beginning of a command that does not run as root: if root runs the tests, it gets another number and loses its privileges."""
    another = [str(shutil.which("unshare")), "--user", f"--map-user={USER}", f"--map-group={USER}"]
    return another if os.geteuid() == 0 and subprocess.run([*another, "true"], capture_output=True).returncode == 0 else []


@contextmanager
def started(command: list[str], environment: dict[str, str], folder: Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A server that an ordinary user starts, with this environment alone: its port and its process."""
    port = free_port()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*unprivileged(), *command], env={**environment, "KORTLEK_PORT": str(port)}, cwd="/", stdout=log, stderr=log, text=True
        )
    try:
        yield port, process
    finally:
        process.terminate()
        process.wait(DEADLINE)


def until_healthy(check: list[str], environment: dict[str, str], process: subprocess.Popen[str], log: Path) -> None:
    """Run a health check until it succeeds."""

    def healthy() -> bool:
        assert process.poll() is None, log.read_text()
        return subprocess.run([*unprivileged(), *check], env=environment, cwd="/", capture_output=True).returncode == 0

    wait_for(healthy, "a healthy server")
