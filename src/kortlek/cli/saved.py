"""Saved games, in ``$KORTLEK_HOME`` or ``~/.local/share/kortlek``: one record per file."""

from __future__ import annotations

import os
from pathlib import Path

from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, to_line


def home() -> Path:
    """The folder of saved games and of the server's data."""
    given = os.environ.get("KORTLEK_HOME")
    return Path(given) if given else Path.home() / ".local" / "share" / "kortlek"


def newest(game: str = "") -> Path:
    """The file of the unfinished game that was played last, of the given game if one is named."""
    found = [path for path in home().glob("saved/*.jsonl") if not game or path.stem.rpartition("-")[0] == game]
    if not found:
        raise Refused(f"There is no saved game{' of ' + game if game else ''} in {home() / 'saved'}.")
    return max(found, key=lambda path: (path.stat().st_mtime_ns, path.name))


def read(path: Path) -> Record:
    """Read an unfinished game from a file."""
    try:
        record = from_line(path.read_bytes().decode())
    except (UnicodeDecodeError, Refused) as error:
        raise Refused(f"{path} is not a saved game: {error}") from error
    if record.result:
        raise Refused(f"{path} is not a saved game: it is finished.")
    return record


class SaveFile:
    """The save file of one game: rewritten after each choice, deleted when the game is finished."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def keep(self, record: Record) -> Path:
        """Save the game atomically: after a crash the file holds this record or the previous one."""
        if self.path is None:
            self.path = new_file(record.game)
        new = self.path.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(to_line(record).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)
        return self.path

    def finish(self, record: Record) -> Path:
        """Append the finished game to the played games, and delete the save file."""
        played = home() / "played.jsonl"
        played.parent.mkdir(parents=True, exist_ok=True)
        with played.open("ab", buffering=0) as file:
            file.write(to_line(record).encode() + b"\n")
        if self.path:
            self.path.unlink(missing_ok=True)
        return played


def new_file(game: str) -> Path:
    """Create a new save file for a game; exclusive creation, so that no other process gets the same one."""
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
