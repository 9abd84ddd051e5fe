"""One writer for a SQLite file: a lock of the operating system on a file beside it. The kernel releases it when the process ends, however it ends.

The lock is not on the SQLite file itself: SQLite has locks of its own there, which closing the file once more would release.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kortlek.engine.plain import Refused


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Hold the lock of a SQLite file. Refused if another process holds it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Refused(f"Tables cannot be kept in {path}: {error}.") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(lock, 20).decode(errors="replace")
            raise Refused(f"{path} is in use by another kortlek (process {holder}): stop that first, or name another folder with --data.") from error
        os.ftruncate(lock, 0)
        os.write(lock, str(os.getpid()).encode())
        yield
    finally:
        os.close(lock)
