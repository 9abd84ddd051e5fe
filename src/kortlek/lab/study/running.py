"""Studies given out to workers, in parts, and kept in a file, so that they can go on where they stopped."""

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
QUICK, QUICK_CHOICES = 500, 1_000_000
"""A part of a study in which nobody thinks has so many matches; fewer, if they would have more choices than this."""


@dataclass(frozen=True)
class Part:
    """Some matches: the first, how many, and by variant what came out; each match in a row, if that was wanted."""

    first: int
    count: int
    sums: list[Sums]
    rows: list[Any] | None = None


def describe(study: Study) -> dict[str, Any]:
    """A study in full: two with the same description have the same results."""
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
    """A bot, and which version of it."""
    return {"bot": bot, "version": level_called(GAMES[variant.game], bot).version}


def part_size(study: Study) -> int:
    """How many matches a part has: as many as take a moment, judged by the first match of each variant. It is the same on every machine, as a study
    that ends when something is known well enough ends with a part."""
    if thinks(study):
        return 1
    choices = max(int(play(variant, study.seed, 0, 0, 1).facts[0][CHOICES]) for variant in study.variants)
    return max(1, min(QUICK, QUICK_CHOICES // choices))


def thinks(study: Study) -> bool:
    """Whether somebody thinks in one of its variants."""
    return any(think(GAMES[variant.game], variant.bots) for variant in study.variants)


def get_ready(study: Study, done: Callable[[int], None] = lambda more: None) -> None:
    """Compile what has to be compiled, before time counts and workers start; ``done(1)`` after each variant."""
    for variant in study.variants:
        simulator_of(variant).warm_up()
        done(1)


def parts(
    study: Study, first: int, until: int, where: Local | Cluster = ALONE, size: int = 0, with_rows: bool = False
) -> Generator[Part, None, None]:
    """The matches of a study, part by part and in order (see ``map_in_order``)."""
    size = min(size or QUICK, part_size(study))
    steps = ((at, min(size, until - at)) for at in range(first, until, size))
    with closing(map_in_order(play_part, ((study, with_rows, *step) for step in steps), where)) as done:
        yield from done


def play_part(study: Study, with_rows: bool, first: int, count: int) -> Part:
    """So many matches of every variant from a number on."""
    sums, rows = play_rows(study, first, count)
    return Part(first, count, sums, rows if with_rows else None)


class Checkpoint:
    """The file of a study, open for more: a line that describes it, then a line for each part. ``sums`` and ``matches`` are what it already had."""

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
        """Append a part, in one line."""
        totals, again = [each.totals for each in part.sums], [each.again for each in part.sums]
        write_whole(self._file, line_of({"first": part.first, "count": part.count, "totals": totals, "again": again}))

    def close(self) -> None:
        """Nothing more comes."""
        self._file.close()
