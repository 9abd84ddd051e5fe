"""What is kept of matches that have ended, so that they can be shown when the rules of their game have changed: the record, and the film with all
cards.

The record is written in the same transaction as the entry that ends the match. The film is made soon after, by a thread that computes at most a
tenth of the time, and before the server stops; what is left is done after the next start, if the rules are still the same."""

from __future__ import annotations

import asyncio
import lzma
import time
from collections.abc import Sequence

import msgspec

from kortlek.engine.record import Record, to_line
from kortlek.engine.views import OPEN
from kortlek.table import facts
from kortlek.table.films import filmed, replay
from kortlek.table.journal import note, noted
from kortlek.table.protocol.lobby_out import Film
from kortlek.table.refusals import Refusal
from kortlek.table.stopped import Stopped, seat_names
from kortlek.table.store import Ended, Entry, Store
from kortlek.table.table import Table

FORMAT = b"\x01"
"""The first byte of a film as it is stored. The rest is a ``Film`` as JSON, compressed by lzma (xz)."""
PRESET = 1
"""The effort of lzma: the highest would save a fifth of the bytes, and take longer than the film itself."""
EVERY_MOMENT = 1 << 31
IDLE = 9
"""How much longer the thread sleeps than it computes."""
LAST_SECONDS = 10.0
"""How long a server that stops goes on making films."""


def ended_between(before: Table, after: Table) -> Ended | None:
    """The match that has ended between two states of a table, without its film; None if there is none."""
    had_ended = before.match is not None and before.match.over and before.matches == after.matches
    return None if had_ended or after.match is None or not after.match.over else Ended(after.matches, record_of(after))


def record_of(table: Table) -> str:
    """The record of the finished match of a table, as a line."""
    match = table.playing()
    return to_line(match.record(seat_names(match.played_by)))


class Archive:
    """Makes the films of matches that have ended, one after the other."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._todo: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        self._is_last = False
        self._known: set[tuple[str, int]] = set()

    @property
    def waiting(self) -> int:
        """How many tables and matches are still to be looked at."""
        return self._todo.qsize()

    def add(self, table: str, ended: Ended | None) -> None:
        """Make the film of a match."""
        if ended:
            self._todo.put_nowait((table, ended.number))

    async def run(self) -> None:
        """Make the films that an earlier process has left, and then those of every match that is added."""
        with noted():
            for each in await self._store.without_film():
                self._todo.put_nowait(each)
        while True:
            code, number = await self._todo.get()
            with noted():
                entries = await self._store.read(code)
                found, all_found = await asyncio.to_thread(self._find, code, entries, number)
                await self._store.keep(code, found, all_found=all_found)
            self._todo.task_done()

    async def finish(self) -> None:
        """Before a stop, make the films that are left, as far as the time allows."""
        self._is_last = True
        try:
            await asyncio.wait_for(self._todo.join(), LAST_SECONDS)
        except TimeoutError:
            note("films", left=self.waiting)

    def _find(self, code: str, entries: Sequence[Entry], number: int) -> tuple[list[Ended], bool]:
        """Match ``number`` of the log of a table, or for 0 all that have ended; and whether every match was found. Runs in a thread."""
        table, found, all_found, since = Table(code), dict[int, Ended](), True, time.perf_counter()

        def rest() -> None:
            nonlocal since
            time.sleep(0 if self._is_last else IDLE * (time.perf_counter() - since))
            since = time.perf_counter()

        for entry in entries:
            table.take(entry)
            rest()
            all_found = all_found and table.stopped is None
            match = table.match
            if match and match.over and table.matches not in found and number in (0, table.matches):
                names, levels = zip(*match.played_by, strict=True)
                film = filmed(match, names, levels, table.matches, OPEN, 0, EVERY_MOMENT, {}, rest=rest)
                found[table.matches] = Ended(table.matches, record_of(table), packed(film))
        return list(found.values()), all_found and number == 0

    async def look_up(self, table: Table) -> None:
        """Find out whether a match whose rules are not here had ended. The server's log says once for each game and version that there is one."""
        stopped = table.stopped
        if stopped is None:
            return
        stopped.is_over = await self._store.ended(table.code, table.matches) is not None
        about = stopped.game, stopped.version
        if about not in self._known:
            self._known.add(about)
            note("stopped", game=stopped.game, begun=stopped.version, played=table.game.version)

    # ---- for those who look back

    async def past(self, table: Table, number: int | None) -> Table:
        """The table as it was at the end of match ``number``, by default the last."""
        if number is None or number == table.matches:
            return table
        if number > table.matches:
            raise Refusal("unknown", "refuse-no-match")
        entries = await self._store.read(table.code)
        return await asyncio.to_thread(table_after_match, table.code, entries, number)

    async def record(self, table: Table, number: int | None, person: int) -> str:
        """The record of a match as a line, for people who may have it; otherwise Refusal."""
        past = await self.past(table, number)
        if past.stopped is None:
            return to_line(past.record(person))
        kept = await self._store.ended(table.code, past.matches)
        if kept and kept.record:
            past.check_reader(person)
            return kept.record
        return to_line(record_so_far(past, past.stopped, person, past.matches < table.matches))

    async def film(self, table: Table, number: int | None, person: int, seat: int, first: int, many: int) -> Film:
        """Some moments of a finished match, for the same people."""
        past = await self.past(table, number)
        if past.stopped is None:
            return await asyncio.to_thread(replay, past, person, seat, first, many)
        past.check_reader(person)
        kept = await self._store.ended(table.code, past.matches)
        if kept is None or not kept.film:
            raise Refusal("not_playing", "refuse-no-film")
        if seat != OPEN:
            raise Refusal("not_possible", "refuse-film-open")
        return await asyncio.to_thread(unpacked, kept.film, first, many)


def record_so_far(table: Table, stopped: Stopped, person: int, is_past: bool) -> Record:
    """The record of an unfinished match that cannot go on, for those who had a seat in it; Refusal if it might still go on one day, as it names every
    card."""
    if person not in stopped.people:
        raise Refusal("not_allowed", "refuse-record-players")
    if stopped.may_return and not stopped.is_dropped and not is_past:
        raise Refusal("not_playing", "refuse-record-dropped")
    return stopped.record()


def table_after_match(code: str, entries: Sequence[Entry], number: int) -> Table:
    """Rebuild a table from its log as it was at the end of match ``number``, before the next match began."""
    table = Table(code)
    for entry in entries:
        if table.matches == number and isinstance(facts.read(entry.body), facts.Began):
            break
        table.take(entry)
    return table


def packed(film: Film) -> bytes:
    """A film as it is stored."""
    return FORMAT + lzma.compress(msgspec.json.encode(film), preset=PRESET)


def unpacked(stored: bytes, first: int, many: int) -> Film:
    """Some moments of a stored film."""
    film = msgspec.json.decode(lzma.decompress(stored.removeprefix(FORMAT)), type=Film)
    return msgspec.structs.replace(film, first=first, frames=film.frames[first : first + many])
