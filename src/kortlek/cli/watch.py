"""``--watch``: a command that is run again whenever somebody's own game changes, in a new process each time, which reads it anew."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots.own_source import files_in, path_of
from kortlek.cli import INTERRUPTED, WRONG
from kortlek.cli.arguments import is_file_name, seed_asked
from kortlek.cli.main import code_of
from kortlek.engine.plain import Refused

Watch = Annotated[bool, Parameter(show_default=False, help="For a game of your own: do it again whenever its file or folder changes.")]
POLL_SECONDS = 0.2
"""The time between two looks at the game's files."""
GRACE_SECONDS = 2
"""How long a run that was interrupted with us may take to print what it has."""
Look = tuple[tuple[str, int, int, int], ...]


def watch(command: Callable[..., int], game: str, **given: Any) -> int:
    """Run a command about somebody's own game, and again whenever it changes, always on the same deals; until Ctrl-C. What is wrong with the
    game is told, and then its next change is waited for."""
    path = watched(game)
    given["seed"] = seed_asked(given["seed"])
    run: BaseProcess | None = None
    try:
        while True:
            seen = look([path])
            run = get_context("spawn").Process(target=run_once, args=(command, game, given))
            run.start()
            run.join()
            wait_for_a_change([path], seen, game)
    except KeyboardInterrupt:
        if run and run.pid is not None:  # not if Ctrl-C came before it was started
            end(run)
        return INTERRUPTED


def watched(game: str) -> Path:
    """The file or folder to be watched; Refused if it is none of somebody's own."""
    if not is_file_name(game):
        raise Refused("--watch is for a game of your own, such as ./mygame: the others do not change.")
    path = path_of(game)
    if not path.exists():
        raise Refused(f"There is no file {game}.")
    return path


def wait_for_a_change(paths: Sequence[Path], seen: Look, typed: str) -> None:
    """Wait until one of them is there and has changed, and until whoever changes it has finished: two looks in a row are the same."""
    print(f"Waiting until {typed} changes; Ctrl-C ends.", file=sys.stderr, flush=True)
    before: Look = ()
    while (now := look(paths)) in (seen, ()) or now != before:
        before = now
        time.sleep(POLL_SECONDS)


def run_once(command: Callable[..., int], game: str, given: dict[str, Any]) -> None:
    """In the new process: the command, as if it had been typed."""
    sys.exit(code_of(lambda: command(game, **given)))


def look(paths: Sequence[Path]) -> Look:
    """What changes when one of some files or folders does; nothing while one is not there, as when an editor puts another in its place."""
    found: list[tuple[str, int, int, int]] = []
    for path in paths:
        try:
            files = files_in(path) if path.is_dir() else [path, *path.parent.glob(f"{path.stem}.*")]
            stats = [(str(file), file.stat()) for file in sorted(set(files))]
        except OSError:
            return ()
        found += [(name, stat.st_mtime_ns, stat.st_size, stat.st_ino) for name, stat in stats]
    return tuple(found)


def end(run: BaseProcess) -> None:
    """Wait for a run to end that has heard Ctrl-C, too; if it has not, tell it."""
    run.join(GRACE_SECONDS)
    if run.is_alive() and run.pid:
        os.kill(run.pid, signal.SIGINT)
    run.join()


# ---- commands that go on until they are stopped


def restart(words: Sequence[str], games: Sequence[str], said: str, *, again: Sequence[str] = (), try_first: bool = False) -> int:
    """Run a command that somebody uses meanwhile, with her terminal, and start it anew whenever one of the games changes, with the words ``again``
    besides; until it ends by itself, or Ctrl-C. ``try_first``: only if the changed game can be played; meanwhile the old one goes on."""
    paths, typed = [watched(game) for game in games], ", ".join(games)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))  # what was started ends with us
    run, seen = start(words), look(paths)
    try:
        while True:
            code = run.poll()
            now = look(paths)
            if now not in (seen, ()):
                seen = now
                if try_first and run.poll() is None and not can_be_played(games):
                    continue
                stop(run)
                print(said.format(games=typed), flush=True)
                run = start([*words, *again])
            elif code == WRONG:
                wait_for_a_change(paths, seen, typed)
            elif code is not None:
                return code
            else:
                time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        with suppress(subprocess.TimeoutExpired):
            run.wait(GRACE_SECONDS)  # it has heard Ctrl-C, too
        return INTERRUPTED
    finally:
        stop(run)


def start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """A command as a process of its own."""
    return subprocess.Popen([sys.executable, "-m", "kortlek", *words])


def stop(run: subprocess.Popen[bytes]) -> None:
    """End a command as a service manager would."""
    if run.poll() is None:
        run.terminate()
        run.wait()


def can_be_played(games: Sequence[str]) -> bool:
    """Whether all games pass the try-out; what is wrong is said on the standard error."""
    named = [word for game in games for word in ("--game", game)]
    return subprocess.run([sys.executable, "-m", "kortlek", "games", *named], stdout=subprocess.DEVNULL).returncode == 0
