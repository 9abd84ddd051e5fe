"""The results file: a line of JSON for each part of a row that was measured. A run goes on where the last one ended."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from trust.row import Found, Row


@dataclass(frozen=True)
class Result:
    """A line of the file: the part of a row, when it was measured, of which commit, how long it took, and what was found."""

    row: str
    size: str
    part: int
    date: str
    commit: str
    seconds: float
    found: Found


class Results:
    """The results in a file. The last line about a part counts; a line that was not written completely is ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[tuple[str, str, int], Result] = {}
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                fields = json.loads(line)
            except ValueError:
                continue
            self._remember(Result(**{**fields, "found": Found(**fields["found"])}))

    def _remember(self, result: Result) -> None:
        if result.part == 0:  # measured again from the beginning
            self._known = {key: each for key, each in self._known.items() if key[:2] != (result.row, result.size)}
        self._known[result.row, result.size, result.part] = result

    def add(self, result: Result) -> None:
        """Write a result. It is in the file when this returns."""
        self._remember(result)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        is_cut = self._path.exists() and self._path.read_bytes()[-1:] not in (b"", b"\n")
        with self._path.open("a") as file:
            file.write(("\n" if is_cut else "") + json.dumps(asdict(result)) + "\n")

    def of(self, row: str, size: str) -> list[Result]:
        """The results of a row at a size, in the order of its parts."""
        return sorted((each for each in self._known.values() if (each.row, each.size) == (row, size)), key=lambda each: each.part)


def today() -> str:
    """The date."""
    return time.strftime("%Y-%m-%d")


def commit() -> str:
    """The commit that is measured, with ``+`` if files were changed since; empty outside a repository."""
    here = Path(__file__).parent

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True, check=False).stdout.strip()

    return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def table(rows: Iterable[Row], results: Results) -> str:
    """The table in Markdown. Of a row that was measured at both sizes, the full one is shown."""
    lines = ["| | what | goal | measured | size, date | holds | planted bug |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        done = results.of(row.name, "full") or results.of(row.name, "small")
        parts = [each.found for each in done]
        if not done:
            lines.append(f"| {row.name} | {row.what} | {row.wanted} | not measured | | | {row.planted} |")
            continue
        found = Found.together(parts)
        holds = "no" if found.wrong else "yes" if row.is_reached(parts) else "so far"
        size = done[0].size if row.is_done(done[0].size, parts) else f"{done[0].size}, not finished"
        measured_at = f"{size} ({row.how_far(parts)} of the goal), {done[-1].date}, {sum(each.seconds for each in done):.0f} s"
        lines.append(f"| {row.name} | {row.what} | {row.wanted} | {found} | {measured_at} | {holds} | {row.planted} |")
    return "\n".join(lines)
