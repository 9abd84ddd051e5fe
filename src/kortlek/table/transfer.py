"""Tables in a file, to keep safe or to go on with elsewhere: every entry of their logs in a line of its own, and nothing else of them.

The last line says how many entries there are and what the hash of their lines is, so that a file that was cut off or changed is noticed.
A table comes in whole or not at all, and only if all that its log says can have happened.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Any

import msgspec

from kortlek.engine.plain import Refused, shorten
from kortlek.table.refusals import Refusal
from kortlek.table.store import Entry, Failed, Standing, Store, Taken, check
from kortlek.table.table import Table

FORMAT = 1
"""The number of this format."""
EVERY = 1 << 31
"""More tables than there are."""
Advance = Callable[[int], None]
"""Is told how many more are done."""


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """An entry of a log; ``body`` is the fact, as the text that it is in the log."""

    table: str
    seq: int
    at: int
    mid: str
    body: str


class End(msgspec.Struct):
    """The last line: the format, how many entries come before it, and the SHA-256 of their lines."""

    kortlek_tables: int
    entries: int
    sha256: str


@dataclass(frozen=True)
class Brought:
    """A table of a file that is here now: how many entries of it were here before, and how many were added."""

    code: str
    before: int
    added: int


# ---- out


async def all_codes(store: Store) -> list[str]:
    """The codes of all tables."""
    return sorted(standing.table for standing in await store.standings(limit=EVERY))


async def export_tables(store: Store, path: Path, codes: Iterable[str], advance: Advance) -> int:
    """Write the logs of tables to a file that only its owner may read; how many entries they have. The file is complete, or not there."""
    if not path.parent.is_dir():
        raise Refused(f"{path} cannot be written: there is no folder {path.parent}.")
    made, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # with mode 0600
    try:
        with open(made, "wb") as file:
            digest, count = hashlib.sha256(), 0
            for code in codes:
                entries = await store.read(code)
                if not entries:
                    raise Refused(f"There is no table {shorten(code)!r}.")
                lines = b"".join(_written(vars(entry)) for entry in entries)
                file.write(lines)
                digest.update(lines)
                count += len(entries)
                advance(1)
            file.write(_written(msgspec.to_builtins(End(FORMAT, count, digest.hexdigest()))))
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    return count


def _written(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# ---- in


async def import_tables(store: Store, path: Path, codes: Collection[str], advance: Advance, brought: Callable[[Brought], None]) -> None:
    """Add these tables of a file, or all. Nothing is written unless all of them can be; each is written in one go, and then ``brought`` is told."""
    wanted, done = set(codes), list[str]()
    with path.open("rb") as file:
        end = check_whole(file, path)
        for code, entries in tables_in(file, end.entries):
            if not codes or code in wanted:
                stands(code, entries)
                missing(await store.read(code), entries)
                done.append(code)
            advance(len(entries))
        for code in wanted.difference(done):
            raise Refused(f"There is no table {shorten(code)!r} in {path}.")
        done.clear()
        for code, entries in tables_in(file, end.entries):
            if not codes or code in wanted:
                try:
                    rest = missing(await store.read(code), entries)
                    if rest:
                        await store.append(rest, stands(code, entries))
                except (Refused, Failed, Taken) as error:
                    what = f"Somebody plays at table {code} just now." if isinstance(error, Taken) else error
                    raise Refused(f"{what} Imported before that: {', '.join(done) or 'nothing'}.") from error
                done.append(code)
                brought(Brought(code, len(entries) - len(rest), len(rest)))
            advance(len(entries))


def check_whole(file: IO[bytes], path: Path) -> End:
    """The last line of a file; Refused if something is missing or has changed."""
    digest, count, last = hashlib.sha256(), -1, b""
    for line in file:
        digest.update(last)
        count, last = count + 1, line
    try:
        end = msgspec.json.decode(last, type=End)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path} is cut off, or no export of tables: its last line should say how many entries there are.") from error
    if end.kortlek_tables != FORMAT:
        raise Refused(f"{path} has format {end.kortlek_tables}, but {FORMAT} is read here.")
    if (end.entries, end.sha256) != (count, digest.hexdigest()):
        raise Refused(f"{path} is not as it was exported: lines of it are missing or have changed.")
    return end


def tables_in(file: IO[bytes], count: int) -> Iterator[tuple[str, list[Entry]]]:
    """Each table of a file, with its entries."""
    file.seek(0)
    for code, entries in groupby((_entry(line) for line in islice(file, count)), lambda entry: entry.table):
        yield code, list(entries)


def _entry(line: bytes) -> Entry:
    try:
        return Entry(**msgspec.structs.asdict(msgspec.json.decode(line, type=Line)))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{shorten(line.decode(errors='replace'))!r} is not an entry of a table.") from error


def stands(code: str, entries: list[Entry]) -> Standing:
    """How a table with this log stands; Refused if it cannot have happened, or not here."""
    table, number = Table(code), 0
    try:
        for entry in entries:
            number = entry.seq
            table.take(entry)
        standing = table.standing()
        check(entries, standing)
    except Exception as error:
        known = isinstance(error, Refusal | ValueError | msgspec.MsgspecError)
        raise Refused(f"Table {shorten(code)}, entry {number}: {error if known else 'This cannot have happened.'}") from error
    return standing


def missing(here: list[Entry], entries: list[Entry]) -> list[Entry]:
    """What of a log is not here yet: what comes after that which is. Refused if something else is here."""
    both = min(len(here), len(entries))
    if here[:both] != entries[:both]:
        raise Refused(f"Table {entries[0].table} is here already, and other things have happened at it. Name those you want with --table.")
    return entries[both:]
