"""``--watch``: a command that is run again whenever the file of somebody's own game changes, in a new process each time, which reads it anew."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.command import INTERRUPTED
from kortlek.command.line import code_of
from kortlek.command.asked import is_file_name, seed_asked
from kortlek.play.plain import Refused

Watch = Annotated[bool, Parameter(show_default=False, help="For a game in a file of your own: do it again whenever the file changes.")]
GLANCE = 0.2
"""So many seconds pass between two looks at the file."""
PATIENCE = 2
"""So many seconds a run that was interrupted with us may take to say what it has done."""


def watch(command: Callable[..., int], game: str, **given: Any) -> int:
    """Run a command about the game in a file, and again whenever the file changes, always on the same deals; until Ctrl-C. What is wrong with the
    file is told, and then its next change is waited for."""
    file = Path(game)
    if not is_file_name(game):
        raise Refused("--watch is for a game in a file of your own, such as ./mygame.py: the others do not change.")
    if not file.is_file():
        raise Refused(f"There is no file {game}.")
    given["seed"] = seed_asked(given["seed"])
    run: BaseProcess | None = None
    try:
        while True:
            seen = look(file)
            run = get_context("spawn").Process(target=run_once, args=(command, game, given))
            run.start()
            run.join()
            print(f"Waiting until {game} changes; Ctrl-C ends.", file=sys.stderr, flush=True)
            while look(file) in (seen, None):
                time.sleep(GLANCE)
    except KeyboardInterrupt:
        if run:
            end(run)
        return INTERRUPTED


def run_once(command: Callable[..., int], game: str, given: dict[str, Any]) -> None:
    """In the new process: the command, as if it had been typed."""
    sys.exit(code_of(lambda: command(game, **given)))


def look(file: Path) -> tuple[int, int, int] | None:
    """What changes when a file does; None while it is not there, as when an editor puts another in its place."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def end(run: BaseProcess) -> None:
    """Wait for a run to end that has heard Ctrl-C, too; if it has not, tell it."""
    run.join(PATIENCE)
    if run.is_alive() and run.pid:
        os.kill(run.pid, signal.SIGINT)
    run.join()
