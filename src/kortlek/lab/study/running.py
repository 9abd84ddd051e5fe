"""Running a study: submit it to workers in parts, and save the parts in a checkpoint file from which it can be resumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kortlek.bots import own_games
from kortlek.bots.levels import level_called, think
from kortlek.engine.plain import Refused, begin, options_of
from kortlek.game.registry import GAMES
from kortlek.lab.study.study import Study, Sums, Variant, measures, play, play_rows, simulator_of
from kortlek.simulation.checkpoints import line_of, write_whole
from kortlek.simulation.executors import ALONE, Cluster, Local, map_in_order
from kortlek.simulation.loop import CHOICES

FORMAT = "kortlek lab 2"
MAX_PART_MATCHES, MAX_PART_CHOICES = 500, 1_000_000
"""The largest number of matches and of choices in a part of a study in which all bots are policy bots."""


@dataclass(frozen=True)
class Part:
    """Consecutive matches of a study: the first number, the count, the sums by variant, and on request the rows of single matches."""

    first: int
    count: int
    sums: list[Sums]
    rows: list[Any] | None = None


def describe(study: Study) -> dict[str, Any]:
    """The complete description of a study: two studies with the same description have the same results."""
    return {
        "format": FORMAT,
        "seed": study.seed,
        "variants": [
            {
                "game": variant.game,
                "version": GAMES[variant.game].version,
                **own_games.origin(variant.game),
                "bots": [versioned(variant, bot) for bot in variant.bots],
                "weaker": versioned(variant, variant.weaker) if variant.weaker else None,
                "options": options_of(GAMES[variant.game], begin(GAMES[variant.game], variant.players, dict(variant.options))),
                "measures": [measure.name for measure in measures(variant)],
            }
            for variant in study.variants
        ],
    }


def versioned(variant: Variant, bot: str) -> dict[str, Any]:
    """A bot and its version."""
    return {"bot": bot, "version": level_called(GAMES[variant.game], bot).version}


def part_size(study: Study) -> int:
    """The number of matches in a part, estimated from the length of the first match of each variant. It is the same on every machine, because a
    study that stops at a given precision stops at the end of a part."""
    if thinks(study):
        return 1
    choices = max(int(play(variant, study.seed, 0, 0, 1).facts[0][CHOICES]) for variant in study.variants)
    return max(1, min(MAX_PART_MATCHES, MAX_PART_CHOICES // choices))


def thinks(study: Study) -> bool:
    """Whether one of the variants has a thinking bot."""
    return any(think(GAMES[variant.game], variant.bots) for variant in study.variants)


def get_ready(study: Study, done: Callable[[int], None] = lambda more: None) -> None:
    """Compile everything before the clock and the workers start; calls ``done(1)`` after each variant."""
    for variant in study.variants:
        simulator_of(variant).warm_up()
        done(1)


def parts(
    study: Study, first: int, until: int, where: Local | Cluster = ALONE, size: int = 0, with_rows: bool = False
) -> Generator[Part, None, None]:
    """Play the matches of a study and yield its parts in order (see ``map_in_order``)."""
    size = min(size or MAX_PART_MATCHES, part_size(study))
    steps = ((at, min(size, until - at)) for at in range(first, until, size))
    with closing(map_in_order(play_part, ((study, with_rows, *step) for step in steps), where)) as done:
        yield from done


def play_part(study: Study, with_rows: bool, first: int, count: int) -> Part:
    """Play ``count`` matches of every variant from ``first`` on."""
    sums, rows = play_rows(study, first, count)
    return Part(first, count, sums, rows if with_rows else None)


class Checkpoint:
    """The checkpoint file of a study, open for appending: a line that describes the study, then a line for each part. ``sums`` and ``matches`` are
    the totals of the parts that were read from it."""

    def __init__(self, path: Path, study: Study) -> None:
        self.path, self.matches = path, 0
        self.sums = [Sums() for _ in study.variants]
        header = line_of(describe(study))
        text = path.read_bytes() if path.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        if whole and not whole.startswith(header):
            raise Refused(f"{path} is not a file of this study: name another file.")
        for number, line in enumerate(whole[len(header) :].splitlines(), 2):
            self._take(number, line)
        self._file = path.open("r+b" if path.exists() else "xb", buffering=0)
        if not whole:
            self._file.truncate(0)
            write_whole(self._file, header)
            whole = header
        self._file.truncate(len(whole))
        self._file.seek(len(whole))

    def _take(self, number: int, line: bytes) -> None:
        try:
            kept = json.loads(line)
            if kept["first"] != self.matches:
                raise ValueError
            for sums, totals, again in zip(self.sums, kept["totals"], kept["again"], strict=True):
                sums.add(Sums(kept["count"], totals, again))
            self.matches += kept["count"]
        except (ValueError, KeyError, TypeError) as error:
            raise Refused(f"Line {number} of {self.path} is not the next part of the study: name another file.") from error

    def add(self, part: Part) -> None:
        """Append a part as one line."""
        totals, again = [each.totals for each in part.sums], [each.again for each in part.sums]
        write_whole(self._file, line_of({"first": part.first, "count": part.count, "totals": totals, "again": again}))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
