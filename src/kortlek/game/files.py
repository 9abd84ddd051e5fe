"""Text files that lie beside the rules of a game: words, rule pages, tables of cards.

A game of somebody's own is played as it was read, in every process: its files are kept here by their paths, and whoever asks for one gets the
text that was read, however the file is edited meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_kept: dict[str, str] = {}
_recordings: list[dict[str, str]] = []


def text_of(path: str | Path) -> str | None:
    """The text of a file, as it was first read if it belongs to a game of somebody's own; None if there is no such file. ValueError with a
    sentence if it is not text."""
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
    """Let these texts stand for the files of these absolute paths."""
    _kept.update(files)


def forget(paths: Iterator[str]) -> None:
    """Read these files anew from now on."""
    for path in paths:
        _kept.pop(path, None)


@contextmanager
def recorded() -> Iterator[dict[str, str]]:
    """Which files are read meanwhile, by their absolute paths, with their texts."""
    recording: dict[str, str] = {}
    _recordings.append(recording)
    try:
        yield recording
    finally:
        _recordings.remove(recording)
