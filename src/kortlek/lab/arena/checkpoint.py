"""Checkpoint file of a contest, from which it can be resumed: a line that describes the contest, then a line for each deal."""

from __future__ import annotations

import json
from pathlib import Path

from kortlek.engine.plain import Refused
from kortlek.lab.arena.contest import Contest, GameResult, seatings
from kortlek.simulation.checkpoints import line_of, write_whole

FORMAT = "kortlek arena 1"


class Checkpoint:
    """The checkpoint file of a contest, open for appending. ``deals`` are those that were read from it. Writes are unbuffered, so that at most
    the last line is incomplete after a crash."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self.path = path
        header = line_of({"format": FORMAT, **contest.describe()})
        text = path.read_bytes() if path.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        if not whole and header.startswith(text):
            self.deals, whole = [], header
        elif not whole.startswith(header):
            raise Refused(f"{path} {what_differs(whole, header)}: name another file.")
        else:
            self.deals = [self._deal(at, line, contest) for at, line in enumerate(whole[len(header) :].splitlines())]
        self._file = path.open("r+b" if path.exists() else "xb", buffering=0)
        if whole == header and not text.startswith(header):
            write_whole(self._file, header)
        self._file.truncate(len(whole))
        self._file.seek(len(whole))

    def _deal(self, number: int, line: bytes, contest: Contest) -> list[GameResult]:
        try:
            kept = json.loads(line)
            games = [GameResult.load(each) for each in kept["games"]]
            if kept["deal"] == number and len(games) == len(seatings(contest)):
                return games
        except (ValueError, KeyError, TypeError):
            pass
        raise Refused(f"Line {number + 2} of {self.path} should be deal {number} of the contest and is not: name another file.")

    def add(self, number: int, games: list[GameResult]) -> None:
        """Append a deal as one line."""
        write_whole(self._file, line_of({"deal": number, "games": [each.save() for each in games]}))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def what_differs(text: bytes, header: bytes) -> str:
    """How a checkpoint file differs from the one that this contest needs, in words."""
    ours = json.loads(header)
    try:
        theirs = json.loads(text.splitlines()[0])
    except (ValueError, IndexError):
        theirs = None
    if not isinstance(theirs, dict) or theirs.get("format") != FORMAT:
        return "is not a file of kortlek arena"
    names = [name for name in ours if theirs.get(name) != ours[name]]
    return f"is of another contest, which differs in {' and '.join(names) or 'its description'}"
