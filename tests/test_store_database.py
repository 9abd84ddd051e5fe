"""The store in a database: what it writes, and what it refuses."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from stores import Database, add, is_one_sentence, numbers, opened, run

from kortlek.engine.plain import Refused
from kortlek.table.postgres import PostgresStore
from kortlek.table.store import Failed

pytest_plugins = ["stores"]


def test_a_commit_to_the_database_waits_for_the_disk(database: Database) -> None:
    database.sql("ALTER ROLE postgres SET synchronous_commit = off;")

    async def work() -> None:
        async with opened(lambda: PostgresStore(database.url)) as store:
            for _ in range(2):
                assert await store._pool.fetchval("SHOW synchronous_commit") == "on"

    try:
        run(work())
    finally:
        database.sql("ALTER ROLE postgres RESET synchronous_commit;")


def test_servers_that_start_together_make_the_tables_once(database: Database) -> None:
    async def work() -> None:
        stores = [PostgresStore(database.url) for _ in range(6)]
        await asyncio.gather(*(store.open() for store in stores))
        await asyncio.gather(*(add(store, 1, table=f"T{n}") for n, store in enumerate(stores)))
        assert len(await stores[0].standings()) == 6
        await asyncio.gather(*(store.close() for store in stores))

    run(work())


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://me:sekret@127.0.0.1:1/tables", "answers"),
        ("postgresql://me:sekret@/tables?host=/nowhere", "answers"),
        ("postgresql://me:sekret/1@127.0.0.1/tables", "address"),
        ("mysql://me:sekret@127.0.0.1/tables", "address"),
        ("{}&user=postgres&database=sekret", "none of this name"),
        ("{}&user=sekret", "refuses this user"),
    ],
)
def test_a_database_that_cannot_be_reached_is_refused_without_its_password(database: Database, url: str, why: str) -> None:
    url = url.format(database.url.replace("//postgres:@/postgres", "//"))
    with pytest.raises(Refused, match=why) as refused:
        run(PostgresStore(url).open())
    assert "sekret" not in str(refused.value) and is_one_sentence(str(refused.value))
    assert refused.value.__suppress_context__


def test_a_database_of_another_format_is_refused(database: Database) -> None:
    async def work() -> None:
        async with opened(lambda: PostgresStore(database.url)):
            database.sql("UPDATE kortlek.format SET number = 7;")
        with pytest.raises(Refused, match="format 7, and this version of Kortlek reads only 2") as refused:
            await PostgresStore(database.url).open()
        assert is_one_sentence(str(refused.value))

    run(work())


def test_a_commit_that_fails_is_not_acknowledged_and_does_no_harm_to_later_ones(database: Database) -> None:
    async def work() -> None:
        async with opened(lambda: PostgresStore(database.url)) as store:
            await add(store, 1)
            database.sql("""
                CREATE FUNCTION kortlek.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
                CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON kortlek.entries DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION kortlek.fail();""")
            with pytest.raises(Failed):
                await add(store, 2, 3)
            assert await numbers(store) == [1]
            database.sql("DROP TRIGGER fails ON kortlek.entries;")
            await add(store, 2)
            database.sql("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'kortlek';")
            with suppress(Failed):  # whether or not it has noticed that its connection is gone, it gets a new one
                await store.read("AAAA")
            assert await numbers(store) == [1, 2]

    run(work())
