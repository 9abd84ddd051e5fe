"""Leases in PostgreSQL: which server processes are alive, and which of them owns which table.

A process renews its lease by the clock of the database. Its row in ``processes`` expires when it does not; an expired lease is never renewed, so
that all others may rely on it. A table belongs to the process in ``owners`` while that process is alive; otherwise any process may claim the
table. Each claim draws a new epoch, which every append of the owner checks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

LEASE = 3.0
"""How many seconds a process stays the owner of its tables without renewing its lease."""
SCHEMA = """CREATE TABLE kortlek.processes (id text PRIMARY KEY, address text NOT NULL, alive_until timestamptz NOT NULL);
CREATE TABLE kortlek.owners (code text COLLATE "C" PRIMARY KEY, process text NOT NULL, epoch bigint NOT NULL);
CREATE INDEX owned ON kortlek.owners (process);
CREATE SEQUENCE kortlek.epochs;
CREATE TABLE kortlek.secret AS SELECT replace(gen_random_uuid()::text, '-', '') AS word;
ALTER TABLE kortlek.standings DROP COLUMN IF EXISTS writer, DROP COLUMN IF EXISTS written"""
"""Added to a database that does not have these tables yet. Processes of the first edition, which used the two columns, must not run beside ours."""
CHECK_EPOCH = "SELECT FROM kortlek.owners WHERE code = $1 AND epoch = $11 FOR SHARE"
"""Part of an append. The row stays locked until the append is committed: a claim has to wait, and then sees all that was appended before it."""

IS_ALIVE = "EXISTS (SELECT FROM kortlek.processes AS process WHERE process.id = owner.process AND process.alive_until > now())"
REGISTER = "INSERT INTO kortlek.processes VALUES ($1, $2, now() + $3::interval)"
RENEW = "UPDATE kortlek.processes SET alive_until = now() + $2::interval WHERE id = $1 AND alive_until > now() RETURNING true"
END = "UPDATE kortlek.processes SET alive_until = '-infinity' WHERE id = $1"
PROCESSES = "SELECT id, address, alive_until > now() FROM kortlek.processes"
OWNER = """SELECT process.id, process.address FROM kortlek.owners AS owner JOIN kortlek.processes AS process ON process.id = owner.process
WHERE owner.code = $1 AND process.alive_until > now()"""
CLAIM = f"""INSERT INTO kortlek.owners AS owner SELECT $1, $2, nextval('kortlek.epochs')
WHERE $3 OR EXISTS (SELECT FROM kortlek.standings WHERE code = $1)
ON CONFLICT (code) DO UPDATE SET process = excluded.process, epoch = excluded.epoch WHERE owner.process = $2 OR NOT {IS_ALIVE}
RETURNING epoch"""
ADOPT = """UPDATE kortlek.owners SET process = $1, epoch = nextval('kortlek.epochs') WHERE code IN (
    SELECT owner.code FROM kortlek.owners AS owner JOIN kortlek.standings AS standing USING (code)
    WHERE owner.process = ANY($2) AND standing.status = 'playing' LIMIT $3 FOR UPDATE OF owner SKIP LOCKED)
RETURNING code, epoch"""
RELEASE = """DELETE FROM kortlek.owners AS owner USING unnest($1::text[], $2::bigint[]) AS given (code, epoch)
WHERE owner.code = given.code AND owner.epoch = given.epoch"""
FREE = """DELETE FROM kortlek.owners AS owner WHERE process = ANY($1)
AND NOT EXISTS (SELECT FROM kortlek.standings AS standing WHERE standing.code = owner.code AND standing.status = 'playing')"""
BURY = "DELETE FROM kortlek.processes WHERE id = ANY($1) AND id NOT IN (SELECT process FROM kortlek.owners WHERE process = ANY($1))"

Query = Callable[..., Awaitable[list[Any]]]


@dataclass(frozen=True)
class Process:
    """A server process: its id, and the address at which other processes reach it."""

    id: str
    address: str


class Leases:
    """The statements about processes and owners. ``query`` executes one of them and returns its rows."""

    def __init__(self, query: Query) -> None:
        self._query = query

    async def secret(self) -> str:
        """The secret by which processes of this database recognise each other."""
        [(word,)] = await self._query("SELECT word FROM kortlek.secret")
        return str(word)

    async def register(self, process: Process) -> None:
        """Begin the lease of a new process."""
        await self._query(REGISTER, process.id, process.address, timedelta(seconds=LEASE))

    async def renew(self, process: Process) -> bool:
        """Renew a lease. False if it has expired; then it stays so."""
        return bool(await self._query(RENEW, process.id, timedelta(seconds=LEASE)))

    async def end(self, process: Process) -> None:
        """End a lease now: others may claim the tables of this process at once."""
        await self._query(END, process.id)

    async def processes(self) -> tuple[set[str], set[str]]:
        """The ids of the processes that are alive, and of those whose lease has expired."""
        rows = await self._query(PROCESSES)
        return {id for id, _, is_alive in rows if is_alive}, {id for id, _, is_alive in rows if not is_alive}

    async def owner(self, code: str) -> Process | None:
        """The living owner of a table."""
        rows = await self._query(OWNER, code)
        return Process(*rows[0]) if rows else None

    async def claim(self, code: str, process: Process, is_new: bool = False) -> int | None:
        """Make a process the owner of a table and return the epoch; None if another living process owns it, or if there is no such table (unless
        it is about to be opened). A process may claim its own table again, for a new epoch."""
        rows = await self._query(CLAIM, code, process.id, is_new)
        return int(rows[0][0]) if rows else None

    async def adopt(self, process: Process, dead: Collection[str], limit: int) -> dict[str, int]:
        """Claim some tables with a running match that dead processes owned, except those that others are claiming now; return their epochs."""
        return dict(await self._query(ADOPT, process.id, list(dead), limit))

    async def release(self, codes: Sequence[str], epochs: Sequence[int]) -> None:
        """Give up tables, if they were not claimed again since."""
        await self._query(RELEASE, list(codes), list(epochs))

    async def bury(self, dead: Collection[str]) -> None:
        """Forget dead processes, once no running match is theirs."""
        await self._query(FREE, list(dead))
        await self._query(BURY, list(dead))
