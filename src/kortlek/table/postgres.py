"""The store for several server processes: a PostgreSQL database. No other module imports asyncpg.

An append is one statement, and so one transaction, in which the epoch of the table's owner is checked and locked: a process that has lost the
table to another cannot append to it, and another can claim the table only before or after the append.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import asyncpg

from kortlek.engine.plain import Refused
from kortlek.table import leases
from kortlek.table.file import wrong_format
from kortlek.table.store import NEVER, Ended, Entry, Failed, Lost, Standing, Taken, check, check_next

TIMEOUT = 30
"""The timeout of a statement in seconds."""
LIMITS = {"timeout": TIMEOUT / 3, "command_timeout": TIMEOUT}
SETTINGS = {"application_name": "kortlek", "synchronous_commit": "on"}
STEPS = {
    1: """CREATE SCHEMA IF NOT EXISTS kortlek;
        CREATE TABLE kortlek.format AS SELECT 1 AS number;
        CREATE TABLE kortlek.entries (code text COLLATE "C", seq integer, at bigint, mid text, body text, PRIMARY KEY (code, seq));
        CREATE UNIQUE INDEX mids ON kortlek.entries (code, mid) WHERE mid <> '';
        CREATE TABLE kortlek.standings (
            code text COLLATE "C" PRIMARY KEY, seq integer, at bigint, public boolean, status text, line text, writer text, written timestamptz);
        CREATE INDEX newest ON kortlek.standings (status, at)""",
    2: f"""CREATE INDEX newest_public ON kortlek.standings (public, at);
        CREATE INDEX newest_of_all ON kortlek.standings (at);
        CREATE TABLE kortlek.probe AS SELECT 0 AS at;
        CREATE TABLE kortlek.matches (code text COLLATE "C", number integer, record text, film bytea, PRIMARY KEY (code, number));
        CREATE INDEX without_film ON kortlek.matches (code) WHERE film = '';
        INSERT INTO kortlek.matches SELECT code, 0, '', '' FROM kortlek.standings;
        {leases.SCHEMA}""",
}
"""What each format of the schema adds to the one before (see ``file.STEPS``)."""
FORMAT = max(STEPS)
KEEP = """ON CONFLICT (code, number) DO UPDATE SET (record, film) = (excluded.record, excluded.film)"""
WITHOUT_FILM = "SELECT code, number FROM kortlek.matches WHERE film = '' ORDER BY random()"  # other processes make others first
LAST_AT = "(SELECT entries.at FROM kortlek.entries WHERE entries.code = standings.code ORDER BY seq DESC LIMIT 1)"
APPEND = f"""WITH mine AS ({leases.CHECK_EPOCH}),
last AS (SELECT coalesce(max(seq), 0) AS seq FROM kortlek.entries WHERE code = $1),
added AS (
    INSERT INTO kortlek.entries SELECT $1, fact.* FROM last, unnest($2::integer[], $3::bigint[], $4::text[], $5::text[]) AS fact (seq, at, mid, body)
    WHERE last.seq + 1 = ($2::integer[])[1] AND EXISTS (SELECT FROM mine) RETURNING 1),
stands AS (
    INSERT INTO kortlek.standings SELECT $1, $6::integer, $7::bigint, $8::boolean, $9::text, $10::text
    WHERE $6 IS NOT NULL AND EXISTS (SELECT FROM added)
    ON CONFLICT (code) DO UPDATE SET (code, seq, at, public, status, line) = (SELECT excluded.*)),
ended AS (INSERT INTO kortlek.matches SELECT $1, $12::integer, $13::text, $14::bytea WHERE $12 IS NOT NULL AND EXISTS (SELECT FROM added) {KEEP})
SELECT seq, EXISTS (SELECT FROM mine) FROM last"""
DATABASE_ERRORS = (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
REASONS: tuple[tuple[type[Exception], str], ...] = (
    (asyncpg.InvalidAuthorizationSpecificationError, "it refuses this user"),
    (asyncpg.InvalidCatalogNameError, "there is none of this name"),
    (asyncpg.InsufficientPrivilegeError, "this user may not make tables in it"),
    (OSError, "no PostgreSQL answers at its address"),
    (ValueError, "its address cannot be understood"),
)


def reason(error: Exception) -> str:
    """The reason of an error in our own words: the error's message may contain part of the address, and with it the password."""
    known = (words for kind, words in REASONS if isinstance(error, kind))
    return str(error) if isinstance(error, Refused) else next(known, f"it answers {type(error).__name__}")


class PostgresStore:
    """The logs in a PostgreSQL database, for any number of processes, each with its own store object."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.leases = leases.Leases(self._query)
        self._open = False
        self._begun = 0
        self._idle = asyncio.Event()

    async def open(self) -> None:
        try:
            reset = {"reset": lambda _connection: asyncio.sleep(0)}  # no reset: our statements leave no session state behind
            # min_size: with a minimum, asyncpg would log a traceback whenever it cannot be restored
            self._pool = await asyncpg.create_pool(self._url, min_size=0, max_size=10, server_settings=SETTINGS, **LIMITS, **reset)
            with ExitStack() as if_it_fails:
                if_it_fails.callback(self._pool.terminate)
                await self._make_schema()
                if_it_fails.pop_all()
        except DATABASE_ERRORS as error:
            raise Refused(f"The database cannot be used: {reason(error)}.") from None
        self._open = True
        self._idle.set()

    async def _make_schema(self) -> None:
        async with self._pool.acquire() as connection:
            found = await raise_format(connection, only_new=True)
        if found != FORMAT:
            raise Refused(wrong_format(found, FORMAT))

    async def close(self) -> None:
        if self._open:
            self._open = False
            await self._idle.wait()
            with suppress(*DATABASE_ERRORS):
                await self._pool.close()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Context of an operation that ``close`` waits for; translates database errors to those of the store."""
        if not self._open:
            raise Failed("The store is closed.")
        self._begun += 1
        self._idle.clear()
        try:
            yield
        except asyncpg.UniqueViolationError:
            raise Taken("this number or this client message is written already") from None
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
            raise Failed(f"The database did not do it: {reason(error)}.") from error
        finally:
            self._begun -= 1
            if not self._begun:
                self._idle.set()

    async def append(self, entries: Sequence[Entry], standing: Standing | None, ended: Ended | None = None, epoch: int = 0) -> None:
        check(entries, standing)
        columns = [[getattr(entry, column) for entry in entries] for column in ("seq", "at", "mid", "body")]
        stands = list(vars(standing).values())[1:] if standing else [None] * 5
        match = (ended.number, ended.record, ended.film) if ended else (None, None, None)
        with self._at_work():
            last, is_ours = await self._pool.fetchrow(APPEND, entries[0].table, *columns, *stands, epoch, *match)
        if not is_ours:
            raise Lost("another process owns this table")
        check_next(entries, last)

    async def read(self, table: str, since: int = 0) -> list[Entry]:
        query = "SELECT code, seq, at, mid, body FROM kortlek.entries WHERE code = $1 AND seq > $2 ORDER BY seq"
        return [Entry(*row) for row in await self._query(query, table, since)]

    async def standings(self, *, public: bool | None = None, status: str | None = None, limit: int = 200) -> list[Standing]:
        wanted = {column: value for column, value in (("public", public), ("status", status)) if value is not None}
        where = " AND ".join(["true", *(f"{column} = ${place}" for place, column in enumerate(wanted, 2))])
        query = f"SELECT code, seq, at, public, status, line FROM kortlek.standings WHERE {where} ORDER BY at DESC, code LIMIT $1"
        return [Standing(*row) for row in await self._query(query, limit, *wanted.values())]

    async def _query(self, query: str, *values: object) -> list[Any]:
        """The rows of a statement."""
        with self._at_work():
            return list(await self._pool.fetch(query, *values))

    async def ended(self, table: str, number: int) -> Ended | None:
        with self._at_work():
            row = await self._pool.fetchrow("SELECT number, record, film FROM kortlek.matches WHERE code = $1 AND number = $2", table, number)
        return Ended(*row) if row else None

    async def without_film(self) -> list[tuple[str, int]]:
        with self._at_work():
            return [(code, number) for code, number in await self._pool.fetch(WITHOUT_FILM)]

    async def keep(self, table: str, matches: Sequence[Ended], *, all_found: bool = False) -> None:
        with self._at_work():
            async with self._pool.acquire() as connection, connection.transaction():
                rows = [(table, each.number, each.record, each.film) for each in matches]
                await connection.executemany(f"INSERT INTO kortlek.matches VALUES ($1, $2, $3, $4) {KEEP}", rows)
                if all_found:
                    await connection.execute("DELETE FROM kortlek.matches WHERE code = $1 AND number = 0", table)

    async def seq_of(self, table: str, mid: str) -> int | None:
        with self._at_work():
            query = "SELECT seq FROM kortlek.entries WHERE code = $1 AND mid = $2 AND mid <> ''"
            return await self._pool.fetchval(query, table, mid)  # type: ignore[no-any-return]

    async def last_changes(self) -> dict[str, int]:
        with self._at_work():
            return dict(map(tuple, await self._pool.fetch(f"SELECT code, {LAST_AT} FROM kortlek.standings")))

    async def idle(self, before: int, limit: int) -> list[str]:
        query = f"SELECT code FROM kortlek.standings WHERE at < $1 AND {LAST_AT} < $1 ORDER BY at, code LIMIT $2"
        with self._at_work():
            return [row["code"] for row in await self._pool.fetch(query, before, limit)]

    async def delete(self, tables: Sequence[str], before: int = NEVER) -> int:
        with self._at_work():
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("LOCK TABLE kortlek.entries IN SHARE ROW EXCLUSIVE MODE")  # no append to these tables meanwhile
                query = f"DELETE FROM kortlek.standings WHERE code = ANY($1::text[]) AND {LAST_AT} < $2 RETURNING code"
                gone = [row["code"] for row in await connection.fetch(query, list(tables), before)]
                await connection.execute("DELETE FROM kortlek.entries WHERE code = ANY($1::text[])", gone)
                await connection.execute("DELETE FROM kortlek.matches WHERE code = ANY($1::text[])", gone)
                await connection.execute("DELETE FROM kortlek.owners WHERE code = ANY($1::text[])", gone)
                return len(gone)

    async def probe(self) -> None:
        with self._at_work():
            await self._pool.execute("UPDATE kortlek.probe SET at = at + 1")

    async def damage(self) -> str:
        return ""  # PostgreSQL checks its own pages (data_checksums)


async def raise_format(connection: Any, only_new: bool = False) -> int:
    """Bring a database to the newest format, all steps or none, and return the format that it had; a new one counts as of the newest. With
    ``only_new``, only a new database is changed."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(hashtext('kortlek'))")  # one process at a time
        is_new = await connection.fetchval("SELECT to_regclass('kortlek.format') IS NULL")
        found = 0 if is_new else await connection.fetchval("SELECT number FROM kortlek.format")
        if found > FORMAT and not only_new:
            raise Refused(wrong_format(found, FORMAT))
        if is_new or not only_new:
            for step in range(found + 1, FORMAT + 1):
                await connection.execute(STEPS[step])
            await connection.execute(f"UPDATE kortlek.format SET number = {FORMAT}")
    return FORMAT if is_new else int(found)


async def migrate(url: str) -> tuple[int, int]:
    """Bring a database to the newest format; the format that it had, and the newest. Refused if it cannot be used."""
    try:
        connection = await asyncpg.connect(url, server_settings=SETTINGS, **LIMITS)
        try:
            return await raise_format(connection), FORMAT
        finally:
            await connection.close()
    except (*DATABASE_ERRORS, Refused) as error:
        raise Refused(f"The database cannot be used: {reason(error)}.") from None
