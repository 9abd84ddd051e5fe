"""The text files next to the rules of a game: words, rule pages, tables of cards.

A user's own game is played from a snapshot, in every process: the texts of its files are kept here by path, and readers get the text of the snapshot
even if the file is edited meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_kept: dict[str, str] = {}
_recordings: list[dict[str, str]] = []


def text_of(path: str | Path) -> str | None:
    """The text of a file, from the snapshot if the file is part of one; None if there is no such file. Raise ValueError if the file is not UTF-8."""
    key = str(Path(path).absolute())
    if key not in _kept:
        try:
            text = Path(key).read_bytes().decode("utf-8-sig")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except UnicodeDecodeError as error:
            raise ValueError(f"{Path(path).name} is not written in UTF-8.") from error
        for recording in _recordings:
            recording[key] = text
        return text
    return _kept[key]


def keep(files: Mapping[str, str]) -> None:
    """Keep these texts as the snapshot of the files with these absolute paths."""
    _kept.update(files)


def forget(paths: Iterator[str]) -> None:
    """Remove these files from the snapshot, so that they are read again."""
    for path in paths:
        _kept.pop(path, None)


@contextmanager
def recorded() -> Iterator[dict[str, str]]:
    """Record the files that are read within the context: their texts by absolute path."""
    recording: dict[str, str] = {}
    _recordings.append(recording)
    try:
        yield recording
    finally:
        _recordings.remove(recording)
