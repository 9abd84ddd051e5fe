"""Every match of a study as a row of a Parquet file, for further analysis. The only module that imports pyarrow.

Rows are written in groups and then released, so memory use is bounded. The file depends only on the study and the number of matches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kortlek.engine.plain import Refused
from kortlek.lab.arena.report import drafted
from kortlek.lab.study.running import Checkpoint, Part, describe
from kortlek.lab.study.study import Study, measures
from kortlek.words.columns import spell

ROWS_PER_GROUP = 50_000
"""Rows per row group, which are buffered in memory: a file of small groups is slow to read and has a large footer."""
MAX_BATCHES = 100
"""Buffered record batches before they are combined: many small batches would take much more memory."""
DENOMINATOR = "_of"
"""Suffix of the name of a measure's second column, the denominator."""
ABOUT = b"kortlek"
"""The metadata key of the description of the study."""


def check_data(path: Path, keep: Path | None) -> None:
    """Raise Refused if the Parquet file is not possible."""
    if path.suffix != ".parquet":
        raise Refused(f"--data {path} is not possible: the file's name ends in .parquet.")
    if keep and keep.resolve() == path.resolve():
        raise Refused(f"{path} cannot have the matches and keep what was counted: name two files.")
    if not find_spec("pyarrow"):
        raise Refused("--data needs pyarrow: pip install 'kortlek[data]'.")


def check_nothing_missing(kept: Checkpoint) -> None:
    """Raise Refused if the checkpoint already has matches: their rows were not stored."""
    if kept.matches:
        raise Refused(f"{kept.path} has {kept.matches:,} matches already, of which only sums were kept: with --data, keep a new file.")


@contextmanager
def whole_rows(path: Path, study: Study) -> Iterator[tuple[Rows, Callable[[], None]]]:
    """A writer for the rows of a study, and a function that closes it and moves the file to its place; without that call no file appears."""
    with drafted(path) as (draft, appear):
        rows = Rows(draft, study)

        def finish() -> None:
            rows.close()
            appear()

        try:
            yield rows, finish
        finally:
            rows.forget()


class Rows:
    """A Parquet writer. A row has the variant of a match, its number, the bots, the options, and for every measure its value (null if there was
    nothing to measure) and its denominator. Columns that a variant does not have, such as a fourth seat with three players, are null."""

    def __init__(self, path: Path, study: Study) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        self._arrow, self._study, self._told = pyarrow, study, describe(study)
        self._schema = self._columns()
        self._waiting: list[Any] = []
        self._rows = 0
        self._writer = ParquetWriter(path, self._schema, compression="zstd")

    def _columns(self) -> Any:
        arrow, variants = self._arrow, self._study.variants
        fixed = {"variant": arrow.int32(), "players": arrow.int32(), "bots": arrow.string(), "match": arrow.int64()}
        options = dict.fromkeys(name for each in self._told["variants"] for name in each["options"])
        columns = [*fixed.items(), *((f"option_{name}", arrow.string()) for name in options)]
        most = sorted(variants, key=lambda variant: -variant.players)
        for name in dict.fromkeys(measure.name for variant in most for measure in measures(variant)):
            columns += [(name, arrow.float64()), (name + DENOMINATOR, arrow.int64())]
        [(name, times)] = Counter(name for name, _ in columns).most_common(1)
        if times > 1:
            raise Refused(f"--data is not possible: two columns would be called {name!r}. Give what your game counts another name.")
        return arrow.schema(columns, {ABOUT: json.dumps(self._told)})

    def add(self, part: Part) -> None:
        """Add the matches of a part; parts have to come in order."""
        assert part.rows is not None
        for index, made in enumerate(part.rows):
            self._waiting.append(self._batch(index, part.first, made))
            self._rows += len(made)
        if self._rows >= ROWS_PER_GROUP:
            self._write()
        elif len(self._waiting) >= MAX_BATCHES:
            self._waiting = self._together().combine_chunks().to_batches()

    def _batch(self, index: int, first: int, made: Any) -> Any:
        arrow, variant, count = self._arrow, self._study.variants[index], len(made)
        options = self._told["variants"][index]["options"]
        said: dict[str, Any] = {"variant": index, "players": variant.players, "bots": ",".join(variant.bots)}
        said |= {f"option_{name}": spell(value) for name, value in options.items()}
        columns = {name: arrow.repeat(arrow.scalar(value, self._schema.field(name).type), count) for name, value in said.items()}
        columns["match"] = arrow.array(range(first, first + count), arrow.int64())
        for at, measure in enumerate(measures(variant)):
            much, of = made[:, at, 0], made[:, at, 1]
            columns[measure.name] = arrow.array(much / (of + (of == 0)), mask=of == 0)
            columns[measure.name + DENOMINATOR] = arrow.array(of)
        listed = [columns.get(field.name, arrow.nulls(count, field.type)) for field in self._schema]
        return arrow.record_batch(listed, schema=self._schema)

    def _together(self) -> Any:
        return self._arrow.Table.from_batches(self._waiting, self._schema)

    def _write(self) -> None:
        if self._rows:
            self._writer.write_table(self._together())
        self._waiting, self._rows = [], 0

    def close(self) -> None:
        """Write the buffered rows and the footer, and close the file."""
        self._write()
        self._writer.close()

    def forget(self) -> None:
        """Close the file, if it is still open, without the buffered rows."""
        with suppress(OSError):
            self._writer.close()
