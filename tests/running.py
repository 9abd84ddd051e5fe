"""Run kortlek commands in tests, in this process or as a subprocess."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kortlek.cards import members
from kortlek.cli import main

SOURCE = Path(__file__).parent.parent / "src"
SHORT: dict[str, list[str]] = {
    "plump": ["--players", "10", "--bots", "random"],
    "up_and_down": ["--option", "largest_round=2", "--bots", "random"],
    "trick_paper_scissors": ["--option", "deals=2", "--bots", "random"],
    "rummy": ["--option", "round_limit=9", "--option", "games=2", "--bots", "random"],
    "hearts": ["--option", "target=10", "--bots", "random"],
    "spades": ["--option", "losing_score=-50", "--bots", "random"],
    "cascade": ["--players", "2", "--option", "games=1", "--bots", "random"],
}
"""Options that make a match of each game short."""


@dataclass
class Ran:
    """The output and exit code of a command."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """Parse the one JSON object that the command printed."""
        assert self.code == 0, self.err
        answer = json.loads(self.out)
        assert isinstance(answer, dict)
        return answer


def run(*arguments: object, answers: str = "") -> Ran:
    """Run a command in this process, with ``answers`` as its standard input."""
    typed, out, err = sys.stdin, io.StringIO(), io.StringIO()
    sys.stdin = io.StringIO(answers)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main([str(argument) for argument in arguments])
    finally:
        sys.stdin = typed
    return Ran(code, out.getvalue(), err.getvalue())


def hears_ctrl_c() -> None:
    """Restore the default SIGINT handler: a shell starts background jobs with SIGINT ignored, and subprocesses inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    """Start a command as a subprocess that Ctrl-C (SIGINT) can interrupt."""
    return subprocess.Popen(
        [sys.executable, "-m", "kortlek", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hears_ctrl_c,
        **more,
    )


class First:
    """A bot that always makes the first legal choice."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, seen: Any) -> int:
        return next(members(seen.legal))
