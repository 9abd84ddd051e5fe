"""The commands of the command line, and their error handling."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence

from cyclopts import App, CycloptsError, Parameter, UnknownCommandError, UnusedCliTokensError

from kortlek import __version__
from kortlek.cli import CLOSED, INTERRUPTED, WRONG
from kortlek.engine.plain import Refused
from kortlek.game.registry import BrokenGame

COMMANDS = {
    "play": ("kortlek.cli.play:play", "Play against bots."),
    "serve": ("kortlek.cli.serve:serve", "Open tables for people and bots, in the browser."),
    "bot": ("kortlek.cli.bot:bot", "Let a bot sit down at a table of some server."),
    "games": ("kortlek.cli.pages:games", "List the games, their players and their options."),
    "rules": ("kortlek.cli.pages:rules", "Show the rules of a game."),
    "new": ("kortlek.cli.new:new", "Begin a game of your own."),
    "check": ("kortlek.cli.check:check", "What is wrong with a game?"),
    "simulate": ("kortlek.cli.simulate:simulate", "Let bots play many games, and count."),
    "arena": ("kortlek.cli.arena:arena", "Let bots compete on the same deals, and tell who is stronger."),
    "lab": ("kortlek.cli.lab_check:app", "Is a game fair, is it fun, what if it were changed?"),
    "replay": ("kortlek.cli.replay:replay", "Tell recorded games, checked event by event."),
    "verify": ("kortlek.cli.verify:verify", "Check that the cards of recorded games came from the secret that was promised."),
    "export": ("kortlek.cli.transfer:export_tables", "Write tables of a server to a file."),
    "import": ("kortlek.cli.transfer:import_tables", "Add tables from a file to a server."),
    "backup": ("kortlek.cli.backup:backup", "Copy all tables of a server, and check the copy."),
    "migrate": ("kortlek.cli.backup:migrate", "Bring the tables of an older version to the format of this one."),
    "tables": ("kortlek.cli.tables:app", "List, show, close and delete tables; give a player her seat back."),
    "warmup": ("kortlek.cli.warmup:warmup", "Compile the games now, so that nothing has to wait later."),
    "load": ("kortlek.cli.load:load", "Measure how many players a server on this machine can take."),
    "bench": ("kortlek.cli.bench:bench", "Measure the speed, beside other programs."),
}
"""Every command: its function, imported lazily, and its help text."""


def make_app() -> App:
    """The command line application with all commands."""
    app = App(
        name="kortlek",
        help="Card games in the terminal: play them, simulate them, replay them.",
        version=__version__,
        help_format="plaintext",
        help_formatter="plain",
        default_parameter=Parameter(negative=()),
        result_action="return_value",
    )
    for name, (where, what) in COMMANDS.items():
        app.command(where, name=name, help=what, sort_key=list(COMMANDS).index(name))
    return app


def run(words: Sequence[str]) -> int:
    """Run a command and return the exit code."""
    return code_of(lambda: make_app()(list(words), exit_on_error=False, print_error=False))


def code_of(command: Callable[[], int | None]) -> int:
    """Call a command and return the exit code; expected errors are printed as one sentence."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace", line_buffering=stream is not sys.stdin)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *where: print(message, file=sys.stderr)
            code = command()
        sys.stdout.flush()
        return code or 0
    except CycloptsError as error:
        return complain(misunderstood(error))
    except Refused as error:
        return complain(str(error))
    except BrokenGame as error:
        return complain(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED
    except OSError as error:
        return complain(f"{error.filename or 'This'} cannot be used: {error.strerror or error}.")
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if sentence := in_own_game(error):
            return complain(sentence)
        raise


def in_own_game(error: Exception) -> str:
    """The place and the text of an error in a custom game; empty if the error is in Kortlek itself."""
    own = sys.modules.get("kortlek.bots.own_games")
    return own.blame(error) if own else ""


def misunderstood(error: CycloptsError) -> str:
    """The error of the argument parser as a sentence."""
    words = " ".join(error.unused_tokens or ())
    if isinstance(error, UnknownCommandError):
        return f"There is no command {words.partition(' ')[0]!r}. The commands are: {', '.join(COMMANDS)}."
    if isinstance(error, UnusedCliTokensError):
        return f"{words!r} is too much here. See kortlek --help."
    error.verbose = False
    return f"{error} See kortlek --help."


def complain(sentence: str) -> int:
    """Print an error to standard error as one line, and return the exit code."""
    print(" ".join(sentence.split()), file=sys.stderr)
    return WRONG
