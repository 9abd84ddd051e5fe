"""Owners of tables: several hosts share one database, and of each table only its owner may append. No network, and no waiting: leases expire when
a test says so."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from stores import Database, run
from tables import QUICK

from kortlek.table import leases, owners, postgres
from kortlek.table.host import Host
from kortlek.table.live import Connection
from kortlek.table.owners import BATCH, Elsewhere, SharedOwners
from kortlek.table.postgres import PostgresStore
from kortlek.table.protocol.client_in import Join, Say, Start
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.refusals import Refusal
from kortlek.table.store import Entry
from kortlek.table.table import STRANGER, Table
from kortlek.table.workers import Workers

pytest_plugins = ["stores"]
ANYWHERE = "http://127.0.0.1:1"


@pytest.fixture(autouse=True)
def _lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases do not expire by themselves, however slow the machine is."""
    for module in (leases, owners):
        monkeypatch.setattr(module, "LEASE", 600.0)


class OneHost(Host):
    """A host with a lease that is renewed only when the test says so; it remembers which tables were lost."""

    def __init__(self, url: str) -> None:
        self.database = PostgresStore(url)
        self.lease = SharedOwners(self.database.leases, ANYWHERE)
        super().__init__(self.database, Workers(games=()), self.lease)
        self.lost: list[str] = []
        self.on_lost = lambda codes: self.lost.extend(sorted(codes))

    async def expire(self) -> None:
        """Let the lease of this host expire in the database, as if the host had been suspended. The host does not notice."""
        await self.database._query("UPDATE kortlek.processes SET alive_until = '-infinity' WHERE id = $1", self.lease._process.id)

    async def renew(self) -> None:
        """What a host does twice a second."""
        await self.lease.renew(self._lose_all)

    async def owns(self, code: str) -> bool:
        """Whether this host may append to a table, according to the database."""
        rows = await self.database._query("SELECT epoch FROM kortlek.owners WHERE code = $1", code)
        return [row[0] for row in rows] == [self.lease._epochs.get(code)]


@asynccontextmanager
async def hosts(database: Database, many: int) -> AsyncIterator[list[OneHost]]:
    """Some hosts on one database."""
    async with AsyncExitStack() as stack:
        made = [OneHost(database.url) for _ in range(many)]
        for host in made:
            await host.store.open()
            stack.push_async_callback(host.store.close)
            await host.owners.start()
        yield made


async def a_match(host: Host) -> tuple[str, list[str]]:
    """A table with a match in which Ann has to bet."""
    code, ann = await host.open(Open(name="Ann", **QUICK))
    _, bo = await host.ask(code, Join(name="Bo"))
    await host.ask(code, Start(), ann)
    return code, [ann, bo]


def test_a_table_belongs_to_the_host_that_opened_it_until_its_lease_expires(database: Database) -> None:
    async def work() -> None:
        async with hosts(database, 2) as (one, two):
            code, (ann, _) = await a_match(one)
            with pytest.raises(Elsewhere) as elsewhere:
                await two.ask(code, Say(seat=0, text="At two"), ann)
            assert elsewhere.value.owner == one.lease._process and elsewhere.value.owner.address == ANYWHERE
            assert code not in two.live
            with pytest.raises(Refusal, match="no table with this code"):
                await two.find("bcdfgh")
            assert await two.lease._leases.owner("bcdfgh") is None, "an invented code gets no owner"
            await one.expire()
            await two.ask(code, Say(seat=0, text="At two"), ann)
            assert await two.owns(code) and not await one.owns(code)

    run(work())


def without_epoch(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: an append does not check the epoch."""
    assert "AND epoch = $11 FOR SHARE" in postgres.APPEND
    plant.setattr(postgres, "APPEND", postgres.APPEND.replace("AND epoch = $11 FOR SHARE", "AND $11::bigint IS NOT NULL FOR SHARE"))


@pytest.mark.parametrize("is_planted", [False, True])
def test_an_owner_that_lost_its_table_cannot_append_to_it(database: Database, monkeypatch: pytest.MonkeyPatch, is_planted: bool) -> None:
    if is_planted:
        without_epoch(monkeypatch)

    async def work() -> None:
        async with hosts(database, 2) as (one, two):
            code, (ann, _) = await a_match(one)
            connections = [Connection(person, lambda message, at: None) for person in (0, STRANGER)]
            for connection in connections:
                await one.connect(code, connection, None)
            await one.disconnect(code, connections[1])
            assert one.live[code].is_connected and not one.live[code].spectators
            await one.expire()
            await two.find(code)  # claims the table
            seq = one.live[code].table.seq
            assert not one.lost
            with pytest.raises(Refusal, match="moving to another server") as refusal:
                await one.ask(code, Say(seat=0, text="Too late"), ann)
            assert refusal.value.code == "stopping", "a client takes that as a reason to connect again"
            assert (one.lost, code in one.live) == ([code], False)
            await one.disconnect(code, connections[0])
            assert code not in one.live, "it is not loaded again"
            assert len(await two.store.read(code)) == seq
            with pytest.raises(Elsewhere):
                await one.find(code)

    if is_planted:
        with pytest.raises(pytest.fail.Exception):
            run(work())
    else:
        run(work())


def test_a_claim_waits_for_an_append_and_sees_it(database: Database) -> None:
    """The append of an owner is under way when its lease expires and another host claims the table: the new owner reads it."""

    async def work() -> None:
        async with hosts(database, 2) as (one, two):
            code, _ = await a_match(one)
            lock = f"WITH mine AS ({leases.CHECK_EPOCH.replace('$11', '$2')}) SELECT * FROM mine"  # as in an append
            connection = await one.database._pool.acquire()
            try:
                transaction = connection.transaction()
                await transaction.start()
                await connection.fetch(lock, code, one.lease._epochs[code])
                await one.expire()
                claiming = asyncio.ensure_future(two.find(code))
                blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%kortlek.owners%'"
                while not (await one.database._query(blocked))[0][0]:
                    assert not claiming.done(), "it is claimed while its owner appends"
                await transaction.commit()
                await claiming
            finally:
                await one.database._pool.release(connection)
            assert await two.owns(code)

    run(work())


def test_an_expired_lease_stays_expired_and_its_host_goes_on_as_another(database: Database) -> None:
    async def work() -> None:
        async with hosts(database, 1) as (one,):
            code, (ann, _) = await a_match(one)
            await one.renew()
            assert one.lost == []
            await one.expire()
            before = one.lease._process
            await one.renew()
            assert one.lease._process.id not in ("", before.id)
            assert not await one.lease._leases.renew(before)
            assert one.live == {} and not await one.owns(code)
            await one.ask(code, Say(seat=0, text="Hello!"), ann)
            assert await one.owns(code)

    run(work())


def test_the_living_share_the_matches_of_the_dead_and_forget_them(database: Database) -> None:
    async def work() -> None:
        async with hosts(database, 3) as (dead, one, two):
            codes = {(await a_match(dead))[0] for _ in range(25)}
            idle, _ = await dead.open(Open(name="Ann", **QUICK))
            await dead.expire()
            adopting = []
            for host in (one, two):
                await host.renew()
                adopting.append(host.lease.adopted())
                code = await anext(adopting[-1])
                await host.find(code)
                assert await host.owns(code)
            assert [len(host.lease._epochs) for host in (one, two)] == [BATCH, BATCH], "a part for each"
            while len(one.lease._epochs) + len(two.lease._epochs) < len(codes):
                await anext(adopting[0])
            assert one.lease._epochs.keys() | two.lease._epochs.keys() == codes
            await one.lease._leases.bury({dead.lease._process.id})
            assert dead.lease._process.id not in set.union(*await one.lease._leases.processes())
            await one.find(idle)
            assert await one.owns(idle), "a table without a match waits until it is asked for"

    run(work())


def test_a_host_that_stops_leaves_its_tables_to_others_at_once(database: Database) -> None:
    async def work() -> None:
        async with hosts(database, 2) as (one, two):
            code, (ann, _) = await a_match(one)
            await one.owners.stop()
            await two.ask(code, Say(seat=0, text="Hello!"), ann)
            assert await two.owns(code)

    run(work())


def test_tables_that_are_no_longer_in_memory_are_given_up(database: Database) -> None:
    async def work() -> None:
        async with hosts(database, 2) as (one, two):
            (kept, _), (left, _) = await a_match(one), await a_match(one)
            await one.owners.release_all_but([kept])
            await two.find(left)
            assert await two.owns(left) and await one.owns(kept)
            await one.expire()
            await two.find(kept)
            one.lease._epochs[kept] = 0
            await one.owners.release_all_but([])
            assert await two.owns(kept), "nobody gives up what is another's"

    run(work())


def test_all_processes_of_a_database_have_one_secret(database: Database) -> None:
    async def work() -> None:
        async with hosts(database, 2) as (one, two):
            assert one.lease.secret == two.lease.secret and len(one.lease.secret) == 32

    run(work())


def test_a_claim_of_two_at_once_has_one_winner(database: Database) -> None:
    async def work() -> None:
        async with hosts(database, 4) as everyone:
            code, _ = await a_match(everyone[0])
            for _ in range(10):
                [owner] = [host for host in everyone if await host.owns(code)]
                await owner.expire()
                await owner.renew()
                await owner.renew()
                outcomes = await asyncio.gather(*(host.find(code) for host in everyone), return_exceptions=True)
                assert sum(isinstance(outcome, Elsewhere) for outcome in outcomes) == 3, outcomes
                assert sum([await host.owns(code) for host in everyone]) == 1

    run(work())


# ---- random sequences of events


class InTurn:
    """Two hosts own a table in turn: leases expire, hosts notice it or not, stop and start, and people talk at any of them."""

    def __init__(self, both: list[OneHost], code: str, tokens: list[str], seed: int) -> None:
        self.hosts, self.code, self.tokens, self.chance = both, code, tokens, random.Random(seed)
        self.log: list[Entry] = []
        self.acknowledged: dict[str, int] = {}
        self.sent = 0

    async def step(self) -> None:
        """Something happens; afterwards everything is checked."""
        host = self.chance.choice(self.hosts)
        await self.chance.choice([*[self.talks] * 6, OneHost.expire, OneHost.expire, OneHost.renew, self.starts_again])(host)
        await self.check()

    async def talks(self, host: OneHost) -> None:
        """Somebody says something, perhaps what she has said before; nobody but the owner may write it."""
        seat = self.chance.randrange(2)
        self.sent += self.chance.random() < 0.8
        text = f"{self.sent} of {seat}"
        try:
            seq, _ = await host.ask(self.code, Say(seat=seat, text=text, id=text), self.tokens[seat])
        except Refusal:
            return
        assert self.acknowledged.setdefault(f"{seat}/{text}", seq) == seq, "applied once"
        assert seq <= len(self.log) or await host.owns(self.code), "written by a host that does not own the table"

    async def starts_again(self, host: OneHost) -> None:
        """A host stops and starts."""
        host._lose_all()
        await host.owners.stop()
        await host.owners.start()

    async def check(self) -> None:
        """The log only grows, has no gaps, can be replayed, and holds what was acknowledged; no table has two owners."""
        log = await self.hosts[0].store.read(self.code)
        assert log[: len(self.log)] == self.log
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        table = Table(self.code)
        for entry in log:
            table.take(entry)
        mids = {entry.mid: entry.seq for entry in log}
        assert [mids.get(mid) for mid in self.acknowledged] == list(self.acknowledged.values())
        assert sum([await host.owns(self.code) for host in self.hosts]) <= 1
        self.log = log


async def take_turns(database: Database, seed: int) -> InTurn:
    async with hosts(database, 2) as both:
        turns = InTurn(both, *await a_match(both[0]), seed)
        for _ in range(120):
            await turns.step()
        return turns


@pytest.mark.parametrize("seed", range(5))
def test_whoever_owns_a_table_in_turn_its_log_stays_whole(database: Database, seed: int) -> None:
    turns = asyncio.run(take_turns(database, seed))
    assert len(turns.acknowledged) > 5, "enough was said"


@pytest.mark.parametrize("seed", range(3))
def test_an_append_without_its_epoch_is_found(database: Database, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    without_epoch(monkeypatch)
    with pytest.raises(AssertionError, match="does not own the table"):
        asyncio.run(take_turns(database, seed))
