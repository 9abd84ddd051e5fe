"""The command line. What a command needs is imported when it is called, so that ``kortlek --help`` answers at once.

A command says what it has to say on the standard output, with ``--json`` as one JSON object and nothing else. What cannot be done is
one sentence on the standard error and exit code 2.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

WRONG, INTERRUPTED, CLOSED = 2, 130, 141
"""Exit codes: something could not be done, Ctrl-C, and nobody reads what is written."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code. Processes that a command starts import this too, and need no command line."""
    from kortlek.cli.main import run

    return run(sys.argv[1:] if arguments is None else arguments)
