"""Export and import of tables, for backups and for moving to another server: a file with one log entry per line.

The last line holds the number of entries and the hash of their lines, so that a truncated or changed file is detected. A table is imported
completely or not at all, and only if its log can be replayed.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Any

import msgspec

from kortlek.engine.plain import Refused, shorten
from kortlek.table.leases import Process
from kortlek.table.refusals import Refusal
from kortlek.table.store import Ended, Entry, Failed, Lost, Store, Taken, check
from kortlek.table.table import Table
from kortlek.table.words import in_english

FORMAT = 1
"""The version of the file format."""
IMPORTING = Process("import", "")
"""The owner of tables while they are imported. It has no lease: a server may claim them at any time, and the import is told so."""
EVERY = 1 << 31
"""A limit larger than any number of tables."""
Advance = Callable[[int], None]
"""A progress callback: the number of items that were completed since the last call."""


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """A log entry; ``body`` is the fact as JSON in a string, as in the log."""

    table: str
    seq: int
    at: int
    mid: str
    body: str


class End(msgspec.Struct):
    """The last line: the format, the number of entries, and the SHA-256 of their lines."""

    kortlek_tables: int
    entries: int
    sha256: str


@dataclass(frozen=True)
class Brought:
    """An imported table: how many of its entries were already in the store, how many were added, and why no match can be played at it here (empty
    if one can)."""

    code: str
    before: int
    added: int
    notice: str


# ---- export


async def all_codes(store: Store) -> list[str]:
    """The codes of all tables."""
    return sorted(standing.table for standing in await store.standings(limit=EVERY))


async def export_tables(store: Store, path: Path, codes: Iterable[str], advance: Advance) -> int:
    """Write the logs of tables to a file that only its owner may read, and return the number of entries. The file is created atomically."""
    with complete_file(path) as name, name.open("wb") as file:
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
    return count


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """A new file that only its owner may read, under a name for the time being: it gets its own name when the block ends, and is deleted if that
    fails. Refused if there is no such folder."""
    if not path.parent.is_dir():
        raise Refused(f"{path} cannot be written: there is no folder {path.parent}.")
    name = path.with_name(f".{path.name}.{secrets.token_hex(8)}")  # known before the file is there, so that Ctrl-C at any moment leaves nothing
    try:
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield name
        with name.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            name.unlink()
        raise


def _written(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# ---- import


async def import_tables(store: Store, path: Path, codes: Collection[str], advance: Advance, brought: Callable[[Brought], None]) -> None:
    """Import these tables of a file, or all if none are named. All are checked before the first is written; each is appended at once, and then
    ``brought`` is called."""
    wanted, done = set(codes), list[str]()
    with path.open("rb") as file:
        end = check_whole(file, path)
        for code, entries in tables_in(file, end.entries):
            if not codes or code in wanted:
                rebuilt(code, entries)
                missing(await store.read(code), entries)
                done.append(code)
            advance(len(entries))
        for code in wanted.difference(done):
            raise Refused(f"There is no table {shorten(code)!r} in {path}.")
        done.clear()
        for code, entries in tables_in(file, end.entries):
            if not codes or code in wanted:
                try:
                    rest, table = missing(await store.read(code), entries), rebuilt(code, entries)
                    if rest:
                        await store.append(rest, table.standing(), Ended(0), await claimed(store, code))
                except (Refused, Failed, Lost, Taken) as error:
                    what = f"Somebody plays at table {code} just now." if isinstance(error, Lost | Taken) else error
                    raise Refused(f"{what} Imported before that: {', '.join(done) or 'nothing'}.") from error
                done.append(code)
                notice = in_english(table.notice, table.game) if table.notice else ""
                brought(Brought(code, len(entries) - len(rest), len(rest), notice))
            advance(len(entries))


async def claimed(store: Store, code: str) -> int:
    """The epoch for an append to a table, where several servers share the store; Lost if one of them owns the table."""
    epoch = await store.leases.claim(code, IMPORTING, is_new=True) if store.leases else 0
    if epoch is None:
        raise Lost("a server owns this table")
    return epoch


def check_whole(file: IO[bytes], path: Path) -> End:
    """Check the hash of a file and return its last line; Refused if the file is truncated or was changed."""
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
    """Yield each table of a file with its entries."""
    file.seek(0)
    for code, entries in groupby((_entry(line) for line in islice(file, count)), lambda entry: entry.table):
        yield code, list(entries)


def _entry(line: bytes) -> Entry:
    try:
        return Entry(**msgspec.structs.asdict(msgspec.json.decode(line, type=Line)))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{shorten(line.decode(errors='replace'))!r} is not an entry of a table.") from error


def rebuilt(code: str, entries: list[Entry]) -> Table:
    """Replay a log and return its table; Refused if the log is invalid."""
    *_, table = replayed(code, entries)
    return table


def replayed(code: str, entries: list[Entry]) -> Iterator[Table]:
    """Replay a log: yield its table, the same object, after each entry. Refused if the log is invalid. The events of a match whose rules are not here
    cannot be checked."""
    table, number = Table(code), 0
    try:
        for entry in entries:
            number = entry.seq
            table.take(entry)
            yield table
        check(entries, table.standing())
    except Exception as error:
        known = isinstance(error, Refusal | ValueError | msgspec.MsgspecError)
        raise Refused(f"Table {shorten(code)}, entry {number}: {error if known else 'This cannot have happened.'}") from error


def missing(here: list[Entry], entries: list[Entry]) -> list[Entry]:
    """The entries that are not in the store yet. Refused if the store's log of the table is not a prefix of the entries, or the reverse."""
    both = min(len(here), len(entries))
    if here[:both] != entries[:both]:
        raise Refused(f"Table {entries[0].table} is here already, and other things have happened at it. Name those you want with --table.")
    return entries[both:]
