"""Games that are kept between sessions, in ``$KORTLEK_HOME`` or ``~/.local/share/kortlek``: a record in each file."""

from __future__ import annotations

import os
from pathlib import Path

from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, to_line


def home() -> Path:
    """Where games are kept."""
    given = os.environ.get("KORTLEK_HOME")
    return Path(given) if given else Path.home() / ".local" / "share" / "kortlek"


def newest(game: str = "") -> Path:
    """The unfinished game, of this kind if one is named, that was played last."""
    found = [path for path in home().glob("saved/*.jsonl") if not game or path.stem.rpartition("-")[0] == game]
    if not found:
        raise Refused(f"There is no saved game{' of ' + game if game else ''} in {home() / 'saved'}.")
    return max(found, key=lambda path: (path.stat().st_mtime_ns, path.name))


def read(path: Path) -> Record:
    """The unfinished game in a file."""
    try:
        record = from_line(path.read_bytes().decode())
    except (UnicodeDecodeError, Refused) as error:
        raise Refused(f"{path} is not a saved game: {error}") from error
    if record.result:
        raise Refused(f"{path} is not a saved game: it is finished.")
    return record


class Keeping:
    """The file of one game: written anew after each choice, gone when the game is finished."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def keep(self, record: Record) -> Path:
        """Write the game down; whatever happens, the file holds this state of it or the one before."""
        if self.path is None:
            self.path = unused(record.game)
        new = self.path.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(to_line(record).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)
        return self.path

    def finish(self, record: Record) -> Path:
        """Add the finished game to those that were played, and forget the unfinished one."""
        played = home() / "played.jsonl"
        played.parent.mkdir(parents=True, exist_ok=True)
        with played.open("ab", buffering=0) as file:
            file.write(to_line(record).encode() + b"\n")
        if self.path:
            self.path.unlink(missing_ok=True)
        return played


def unused(game: str) -> Path:
    """A new file for a game; nobody else gets the same one."""
    folder = home() / "saved"
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        path = folder / f"{game}-{number}.jsonl"
        try:
            path.open("x").close()
            return path
        except FileExistsError:
            number += 1
