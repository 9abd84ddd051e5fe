"""``kortlek check``: find faults in a game."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from cyclopts import Parameter

from kortlek.bots import own_games
from kortlek.cli import INTERRUPTED, WRONG
from kortlek.cli.arguments import Json, at_least_one, game_called, is_file_name, print_json
from kortlek.game import Game
from kortlek.simulation.check import MATCHES, Report, check_game
from kortlek.words.describe import number_of_players
from kortlek.words.words import words_of

T = TypeVar("T")
POLL_SECONDS = 0.1
"""Seconds between two updates of the progress bar."""


def check(
    game: Annotated[str, Parameter(help="The file or folder of your own game, or the name of a game.")],
    /,
    *,
    matches: Annotated[int, Parameter(help="How many matches at random for each number of players.")] = MATCHES,
    json: Json = False,
) -> int:
    """Test a game in hundreds of matches for each number of players: every card in one place, numbers in their ranges, no secret revealed, both
    engines alike, layout and words complete, matches that end. Each fault is one sentence; the exit code is 2 if there is one."""
    at_least_one("--matches", matches)
    kind = own_games.load(game, tried_out=False) if is_file_name(game) else game_called(game)
    began, stage = time.perf_counter(), Stage()
    report = in_background(lambda: check_game(kind, matches, stage.heard), stage)
    seconds = time.perf_counter() - began
    if json:
        found = {"faults": report.faults, "notes": report.notes, "matches": report.matches, "choices": report.choices, "compiled": report.compiled}
        print_json({"game": kind.name, **found, "seconds": seconds})
    else:
        tell(kind, report, seconds)
    return WRONG if report.faults else 0


def tell(game: Game[Any], report: Report, seconds: float) -> None:
    """Print the faults to standard error, or a summary to standard output."""
    for sentence in (*report.notes, *report.faults):
        print(" ".join(sentence.split()), file=sys.stderr)
    if not report.faults:
        engines = "compiled and plain alike" if report.compiled else "on the plain engine"
        players = number_of_players(words_of(game))
        print(f"{game.title} ({players}): no faults in {report.matches:,} matches and {report.choices:,} choices, {engines}; {seconds:.1f} s.")


# ---- progress, and Ctrl-C at any time


class Stage:
    """The current stage of a check and its progress."""

    what, done, total = "reading", 0, 1

    def heard(self, what: str, done: int, total: int) -> None:
        """Callback: update the progress."""
        self.what, self.done, self.total = what, done, total


def in_background(work: Callable[[], T], stage: Stage) -> T:
    """Run the work in a thread and return its result, so that the progress bar and Ctrl-C work also while the compiler is busy."""
    answers: list[T] = []
    errors: list[BaseException] = []

    def do() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    try:
        with shown(stage) as show:
            while thread.is_alive():
                thread.join(POLL_SECONDS)
                show()
    except KeyboardInterrupt:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(INTERRUPTED)  # the compiler cannot be interrupted
    if errors:
        raise errors[0]
    return answers[0]


@contextmanager
def shown(stage: Stage) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, if that is a terminal. Yields a callback that redraws it."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(stage.what, total=stage.total)
        yield lambda: bar.update(task, description=stage.what, completed=stage.done, total=stage.total)
