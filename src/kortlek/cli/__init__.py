"""The command line. Each command imports its dependencies only when it is called, so that ``kortlek --help`` answers at once.

A command prints its results to standard output, with ``--json`` as one JSON object and nothing else. A command that cannot be carried out prints
one sentence to standard error and returns exit code 2.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

WRONG, INTERRUPTED, CLOSED = 2, 130, 141
"""Exit codes: the command could not be carried out, Ctrl-C, and standard output was closed by its reader."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code. The import is inside, as worker processes import this module and need no command line."""
    from kortlek.cli.main import run

    return run(sys.argv[1:] if arguments is None else arguments)
