"""Two servers on one PostgreSQL database: anyone may do anything at either, and the log of a table never forks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Any

import pytest
from clients import ANN, BO, MATCH, Client, Message, Wanted, at, in_a_trick, play, play_together, there
from serving import Server
from stores import Database

from kortlek.engine.verify import check
from kortlek.engine.record import from_line
from kortlek.table.postgres import PostgresStore
from kortlek.table.store import Entry

pytest_plugins = ["stores"]


@pytest.fixture(scope="module")
def shared(postgres: Any) -> Database:
    """The database of both servers."""
    return Database(postgres)


@pytest.fixture(scope="module")
def both(shared: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two servers, started at the same time."""
    folder = tmp_path_factory.mktemp("servers")
    one, two = (Server(folder / name, "--database", shared.url) for name in ("one", "two"))
    with ThreadPoolExecutor() as threads:
        list(threads.map(Server.start, (one, two)))
    yield one, two
    for each in (one, two):
        each.kill()


def opened(one: Server, two: Server, **settings: Any) -> tuple[str, list[str]]:
    """A table that Ann has opened at one server and Bo has joined at the other: its code, and their tokens."""
    table = one.post("/api/tables", {"name": "Ann", **settings})
    joined = two.post(f"/api/tables/{table['code']}/join", {"do": "join", "name": "Bo"})
    return table["code"], [table["token"], joined["token"]]


def kept(database: Database, code: str) -> list[Entry]:
    """The log of a table."""

    async def read() -> list[Entry]:
        store = PostgresStore(database.url)
        await store.open()
        try:
            return await store.read(code)
        finally:
            await store.close()

    return asyncio.run(read())


def is_at(seq: int) -> Wanted:
    """Whether a table has reached this sequence number."""
    return lambda show: bool(show["seq"] == seq)


def said(message: Message) -> tuple[Any, ...]:
    """The parts of a news message that are the same for everyone."""
    return message["seq"], message["at"], message["kind"], message["by"], message["text"]


def test_a_table_is_the_same_at_both_servers_and_outlives_one_of_them(shared: Database, both: tuple[Server, Server]) -> None:
    async def story(one: Server, two: Server) -> str:
        code, tokens = opened(one, two, **MATCH, players=4, levels=["house", "random"])
        async with there(two, code, tokens[BO], 0) as b:
            async with there(one, code, tokens[ANN], 0) as first:
                await first.ask(do="start")
                await b.show(lambda show: bool(show["match"]))
                await play_together({ANN: first, BO: b}, in_a_trick(1, ANN, BO))
                for seat, server, client, other in ((ANN, two, first, b), (BO, one, b, first)):  # each sends to the server of the other
                    body = {"do": "say", "seat": seat, "text": "Hello!"}
                    answer = server.post(f"/api/tables/{code}/messages", body, tokens[seat])
                    for hears in (client, other):
                        await hears.show(is_at(answer["seq"]))
                assert (first.last["seq"], first.last["match"]["numbers"]) == (b.last["seq"], b.last["match"]["numbers"])
                one.kill()
                await first.end()
            async with at(two, code, tokens[ANN], first.last["seq"]) as again:
                show = await again.show()
                assert (again.news, show["seq"], show["match"]) == ([], first.last["seq"], first.last["match"]), "as it was, and nothing twice"
                ends = await play_together({ANN: again, BO: b})
            assert ends[ANN]["sheet"] == ends[BO]["sheet"]
            told = first.news + again.news
            assert [each["seq"] for each in told] == b.seqs == list(range(1, ends[ANN]["seq"] + 1))
            assert [*map(said, told)] == [*map(said, b.news)]
        record = two.ask("GET", f"/api/tables/{code}/record", token=tokens[BO])[1]
        assert check(from_line(record)).commitment == ends[ANN]["commitment"]
        assert two.ask("GET", "/api/tables/%00")[0] == 404
        one.start()
        assert one.ask("GET", f"/api/tables/{code}/record", token=tokens[BO])[1] == record
        return code

    code = asyncio.run(story(*both))
    log = kept(shared, code)
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))


def test_whatever_is_asked_at_both_at_once_the_log_never_forks(shared: Database, both: tuple[Server, Server]) -> None:
    """Both people are connected to both servers. They talk on all connections at once, make every choice at both servers at once, and send some
    messages to both with the same id."""

    async def story(one: Server, two: Server) -> tuple[str, dict[str, int]]:
        code, tokens = opened(one, two, **MATCH, players=2)
        acknowledged: dict[str, int] = {}

        async def talk(client: Client, seat: int, where: str) -> None:
            for n in range(10):
                text = f"{seat} at {where}: {n}"
                answer = await client.ask(do="say", seat=seat, text=text)
                assert answer["type"] == "done", answer
                acknowledged[text] = answer["seq"]

        async def choose(pair: list[Client], seat: int) -> None:
            """Both clients of a player choose whenever it is her turn, differently if there is more than one choice."""
            await asyncio.gather(*(play(client, seat, pick=-n) for n, client in enumerate(pair)))

        async with AsyncExitStack() as stack:
            people = [[await stack.enter_async_context(there(server, code, token, 0)) for server in (one, two)] for token in tokens]
            started = await asyncio.gather(*(client.ask(do="start", id="the same") for client in people[ANN]))
            assert (started[0]["type"], started[0]) == ("done", started[1])
            for seat, pair in enumerate(people):
                both = await asyncio.gather(*(client.ask(do="say", seat=seat, text=f"{seat} once", id="also the same") for client in pair))
                assert (both[0]["type"], both[0]) == ("done", both[1])
                acknowledged[f"{seat} once"] = both[0]["seq"]
            await asyncio.gather(*(talk(client, seat, where) for seat, pair in enumerate(people) for client, where in zip(pair, ("one", "two"))))
            await asyncio.gather(*(choose(pair, seat) for seat, pair in enumerate(people)))
            last = max(client.last["seq"] for pair in people for client in pair)
            for pair in people:
                for client in pair:
                    if client.last["seq"] < last:
                        await client.show(is_at(last))
                    assert client.seqs == list(range(1, last + 1)), "without hole or repeat"
                    assert [*map(said, client.news)] == [*map(said, people[ANN][0].news)]
        assert server_states(one, code, tokens[ANN]) == server_states(two, code, tokens[ANN])
        return code, acknowledged

    code, acknowledged = asyncio.run(story(*both))
    log = kept(shared, code)
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    for text, seq in acknowledged.items():
        assert [entry.seq for entry in log if f'"{text}"' in entry.body] == [seq], "what was acknowledged is there, once, where it was said to be"
    mids = [entry.mid for entry in log if entry.mid]
    assert len(mids) == len(set(mids))


def server_states(server: Server, code: str, token: str) -> Any:
    """A table as a server shows it, without who is connected, which each server knows only of itself."""
    (show,) = server.get(f"/api/tables/{code}", token)
    return {**show, "seats": [{**seat, "here": None} for seat in show["seats"]]}
