"""Several servers on one PostgreSQL database: anyone may do anything at any of them, and the log of a table never forks."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import several
from clients import ANN, BO, MATCH, UNKNOWN_TOKEN, Client, Message, Wanted, at, in_a_trick, play, play_together, socket_of, there
from running import run
from serving import Server, free_port, soon, wait_for
from several import Balancer, all_started, log_of, owner_of
from stores import Database
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kortlek.engine.record import from_line
from kortlek.engine.verify import check
from kortlek.table import facts
from kortlek.table.forwarding import CLIENT, SECRET
from kortlek.table.limits import CONNECTIONS, LARGEST_MESSAGE
from kortlek.table.protocol import PROTOCOL

pytest_plugins = ["stores"]
CLEO = 2
MATCHES = 5
"""Matches of bots that are more than all buffers on the way to a client can hold."""


@pytest.fixture(scope="module")
def shared(postgres: Any) -> Database:
    """The database of all servers."""
    return Database(postgres)


@pytest.fixture(scope="module")
def three(shared: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Three servers, started at the same time."""
    folder = tmp_path_factory.mktemp("servers")
    servers = [Server(folder / name, "--database", shared.url, "--behind-proxy") for name in ("one", "two", "three")]
    with all_started(servers):
        yield servers


@pytest.fixture
def both(three: list[Server]) -> tuple[Server, Server]:
    """Two of the servers, alive."""
    for server in three:
        if server.process and server.process.poll() is not None:
            server.start()
    return three[0], three[1]


def opened(*servers: Server, **settings: Any) -> tuple[str, list[str]]:
    """A table that Ann has opened at one server, and each of the others has joined at another: its code, and their tokens."""
    table = servers[0].post("/api/tables", {"name": "Ann", **settings})
    names = ("Ann", "Bo", "Cleo")
    joined = [server.post(f"/api/tables/{table['code']}/join", {"do": "join", "name": name}) for server, name in zip(servers[1:], names[1:])]
    return table["code"], [table["token"], *(each["token"] for each in joined)]


def happened(url: str, code: str, kind: type[facts.AnyFact]) -> list[Any]:
    """All facts of one kind in the log of a table."""
    return [fact for entry in log_of(url, code) if isinstance(fact := facts.read(entry.body), kind)]


def is_at(seq: int) -> Wanted:
    """Whether a table has reached this sequence number."""
    return lambda show: bool(show["seq"] == seq)


def said(message: Message) -> tuple[Any, ...]:
    """The parts of a news message that are the same for everyone."""
    return message["seq"], message["at"], message["kind"], message["by"], message["text"]


def test_a_table_is_the_same_at_both_servers_and_outlives_one_of_them(shared: Database, both: tuple[Server, Server]) -> None:
    async def story(one: Server, two: Server) -> str:
        code, tokens = opened(one, two, **MATCH, players=4, levels=["house", "random"])
        async with there(one, code, tokens[ANN], 0) as a, there(two, code, tokens[BO], 0) as b:
            await a.ask(do="start")
            await b.show(lambda show: bool(show["match"]))
            await play_together({ANN: a, BO: b}, in_a_trick(1, ANN, BO))
            for seat, server, client, other in ((ANN, two, a, b), (BO, one, b, a)):  # each sends to the server of the other
                body = {"do": "say", "seat": seat, "text": "Hello!"}
                answer = server.post(f"/api/tables/{code}/messages", body, tokens[seat])
                for hears in (client, other):
                    await hears.show(is_at(answer["seq"]))
            assert (a.last["seq"], a.last["match"]["numbers"]) == (b.last["seq"], b.last["match"]["numbers"])
            one.kill()
            assert (await a.end())[1] is None, "the connection breaks"
            bye, close_code = await b.end()
            assert (bye["type"], bye["code"], close_code) == ("bye", "stopping", 1012) and bye["retry"] >= 0, "she is told to come again"
        async with at(two, code, tokens[ANN]) as again_a, at(two, code, tokens[BO]) as again_b:
            for before, again in ((a, again_a), (b, again_b)):
                show = await again.show()
                assert (again.news, show["seq"], show["match"]) == ([], before.last["seq"], before.last["match"]), "as it was, and nothing twice"
            ends = await play_together({ANN: again_a, BO: again_b})
        assert ends[ANN]["sheet"] == ends[BO]["sheet"]
        told = [a.news + again_a.news, b.news + again_b.news]
        seqs = [each["seq"] for each in told[ANN]]
        assert seqs == list(range(seqs[0], ends[ANN]["seq"] + 1)), "without hole or repeat"
        assert [*map(said, told[ANN])] == [*map(said, told[BO])]
        record = two.ask("GET", f"/api/tables/{code}/record", token=tokens[BO])[1]
        assert check(from_line(record)).commitment == ends[ANN]["commitment"]
        assert two.ask("GET", "/api/tables/%00")[0] == 404
        one.start()
        assert one.ask("GET", f"/api/tables/{code}/record", token=tokens[BO])[1] == record
        return code

    log_of(shared.url, asyncio.run(story(*both)))


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
                    assert client.seqs == list(range(client.seqs[0], last + 1)), "without hole or repeat"
                    assert [*map(said, client.news)] == [*map(said, people[ANN][0].news)]
        assert one.get(f"/api/tables/{code}", tokens[ANN]) == two.get(f"/api/tables/{code}", tokens[ANN])
        return code, acknowledged

    code, acknowledged = asyncio.run(story(*both))
    log = log_of(shared.url, code)
    for text, seq in acknowledged.items():
        assert [entry.seq for entry in log if f'"{text}"' in entry.body] == [seq], "what was acknowledged is there, once, where it was said to be"
    mids = [entry.mid for entry in log if entry.mid]
    assert len(mids) == len(set(mids))


def test_whoever_is_connected_anywhere_is_there_and_whoever_has_left_is_replaced(shared: Database, both: tuple[Server, Server]) -> None:
    """Bo and Cleo are connected to another server than the owner. Cleo leaves: only she is replaced, after the grace time, and the match goes on."""
    one, two = both

    async def story() -> str:
        code, tokens = opened(one, two, two, **{**MATCH, "grace": 1}, players=3)
        async with there(one, code, tokens[ANN]) as a, there(two, code, tokens[BO]) as b:
            async with there(two, code, tokens[CLEO]) as c:
                await a.ask(do="start")
                await play_together({ANN: a, BO: b, CLEO: c}, lambda show: bool(show["match"] and show["match"]["round"] == 1))
                assert all(seat["here"] for client in (a, b, c) for seat in client.last["seats"])
            for client in (a, b):
                await client.show(lambda show: bool(show["seats"][CLEO]["away"]))
            async with there(one, code, tokens[CLEO]) as c:  # back, at the other server
                await play_together({ANN: a, BO: b, CLEO: c})
        return code

    code = asyncio.run(story())
    assert [fact.seat for fact in happened(shared.url, code, facts.Away)] == [CLEO], "nobody else was ever away"
    assert [fact.seat for fact in happened(shared.url, code, facts.Back)] == [CLEO]


def test_matches_go_on_when_their_owner_is_killed(shared: Database, both: tuple[Server, Server], three: list[Server]) -> None:
    """Nothing that was acknowledged is lost, nothing happens twice, and everyone is told everything once."""

    async def story() -> several.Killed:
        async with Balancer(three) as balancer:
            return await several.evening(shared.url, balancer.url, three, tables=4, kills=2, seed=1)

    outcome = asyncio.run(story())
    assert outcome.wrong == [] and len(outcome.pauses) == 2 and outcome.acknowledged > 50


def test_a_match_of_a_dead_process_finds_a_new_owner_before_anybody_asks(shared: Database, both: tuple[Server, Server], three: list[Server]) -> None:
    one, two = both
    code, (ann, _) = opened(one, two, **MATCH, players=3, levels=["random"])
    one.post(f"/api/tables/{code}/messages", {"do": "start"}, ann)

    async def keep_it_in_memory() -> None:
        async with there(one, code, ann):
            one.kill()

    asyncio.run(keep_it_in_memory())
    wait_for(lambda: owner_of(shared.url, code, three) in (two, three[2]), "a new owner")


def test_an_owner_that_was_suspended_cannot_write_any_more(shared: Database, both: tuple[Server, Server], three: list[Server]) -> None:
    """It is suspended longer than its lease. When it goes on, it does not write what Ann has sent it, and sends her to the new owner."""
    one, two = both

    async def story() -> str:
        code, tokens = opened(one, two, **MATCH, players=2)
        async with there(one, code, tokens[ANN]) as a, there(two, code, tokens[BO]) as b:
            await a.ask(do="start")
            assert one.process
            one.process.send_signal(signal.SIGSTOP)
            await a.send(do="say", seat=ANN, text="To the old owner", id="old")
            bye, close_code = await b.end()
            assert (bye["type"], close_code) == ("bye", 1012), "whoever was passed on is told that the owner is gone"
            async with there(two, code, tokens[BO]) as b:
                said = await b.ask(do="say", seat=BO, text="To the new owner")
                assert said["type"] == "done"
                assert await asyncio.to_thread(owner_of, shared.url, code, three) in (two, three[2])
                one.process.send_signal(signal.SIGCONT)
                bye, close_code = await a.end()
                assert (bye["code"], close_code) == ("stopping", 1012)
                assert "old" not in [message.get("id") for message in a.got]
                await asyncio.to_thread(wait_for, lambda: one.ask("GET", f"/api/tables/{code}", token=tokens[ANN])[0] == 200)
                async with there(one, code, tokens[ANN]) as a:  # passed on by the old owner
                    await a.ask(do="say", seat=ANN, text="Once more", id="old")
                    await play_together({ANN: a, BO: b})
        return code

    try:
        code = asyncio.run(story())
    finally:
        assert one.process
        one.process.send_signal(signal.SIGCONT)
    assert [fact.text for fact in happened(shared.url, code, facts.Said)] == ["To the new owner", "Once more"]


def test_without_a_database_nothing_is_acknowledged_and_afterwards_all_goes_on(shared: Database, tmp_path: Path) -> None:
    """The database is away for longer than the leases."""
    shared.sql("CREATE DATABASE away;")
    url = shared.url.replace("/postgres?", "/away?")
    servers = [Server(tmp_path / name, "--database", url) for name in ("one", "two")]

    async def story() -> str:
        one, two = servers
        code, tokens = opened(one, two, **MATCH, players=2)
        async with there(one, code, tokens[ANN]) as a, there(two, code, tokens[BO]) as b:
            started = await a.ask(do="start")
            shared.sql("ALTER DATABASE away ALLOW_CONNECTIONS false; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'away';")
            await a.send(do="say", seat=ANN, text="Never heard")
            for client in (a, b):
                bye, close_code = await client.end()
                assert (bye["type"], bye["code"], close_code) == ("bye", "stopping", 1012) and bye["retry"] > 0
                assert "done" not in [message["type"] for message in client.got if message.get("id") != started["id"]]
        await asyncio.to_thread(wait_for, lambda: two.ask("GET", "/health")[0] == 503)
        async with at(two, code, tokens[BO]) as b:
            bye, _ = await b.end()
            assert bye["type"] == "bye" and bye["retry"] > 0
        shared.sql("ALTER DATABASE away ALLOW_CONNECTIONS true;")
        await asyncio.to_thread(wait_for, lambda: all(each.ask("GET", "/health")[0] == 200 for each in servers))
        await asyncio.to_thread(wait_for, lambda: all(each.ask("GET", f"/api/tables/{code}")[0] == 200 for each in servers))
        async with there(one, code, tokens[ANN]) as a, there(two, code, tokens[BO]) as b:
            await play_together({ANN: a, BO: b})
        return code

    with all_started(servers):
        code = asyncio.run(story())
        assert not any("Traceback" in server.log.read_text() for server in servers)
    assert happened(url, code, facts.Said) == [] and happened(url, code, facts.Away) == []


@pytest.mark.parametrize(
    "address", ["10.0.0.7:8642", "https://10.0.0.7", "http://", "http://10.0.0.7:port", "http://me@10.0.0.7", "http://10.0.0.7/x"]
)
def test_an_address_that_others_cannot_use_is_refused(address: str, tmp_path: Path) -> None:
    said = run("serve", "--data", str(tmp_path), "--port", str(free_port()), "--no-browser", "--advertise", address)
    assert said.code == 2 and "should be where other servers reach this one" in said.err and said.err.count("\n") == 1


# ---- what is passed on


def test_every_answer_is_the_same_at_any_server(both: tuple[Server, Server]) -> None:
    one, two = both
    code, (ann, bo) = opened(one, two, **MATCH, players=2)
    table = f"/api/tables/{code}"
    for method, path, body, token in [
        ("GET", table, None, ann),
        ("GET", table, None, ""),
        ("GET", table, None, UNKNOWN_TOKEN),
        ("HEAD", table, None, ann),
        ("GET", f"{table}/record", None, ann),
        ("GET", f"{table}/replay?from=0&many=1", None, ann),
        ("GET", f"{table}/qr.svg", None, ""),
        ("GET", f"{table}/nothing", None, ""),
        ("POST", f"{table}/messages", b"{}", ann),
        ("POST", f"{table}/messages", b"{" * LARGEST_MESSAGE, ann),
        ("POST", f"{table}/messages", b"x" * (LARGEST_MESSAGE + 1), ann),
        ("POST", f"{table}/messages", json.dumps({"do": "say", "seat": 1, "text": "Hello!"}).encode(), ann),
        ("POST", f"{table}/join", json.dumps({"do": "join", "name": "Cleo"}).encode(), ""),
        ("DELETE", table, None, ann),
    ]:
        answers = [server.ask(method, path, body, token, Host="kort.example") for server in both]
        assert answers[0] == answers[1] and answers[0][0] != 421, path
    for origin, status in (("http://kort.example", 404), ("http://evil.example", 403)):
        answers = [server.ask("POST", f"{table}/nothing", b"{}", ann, Host="kort.example", Origin=origin) for server in both]
        assert answers[0] == answers[1], origin
        answers = [server.ask("POST", f"{table}/join", b"{}", ann, Host="kort.example", Origin=origin) for server in both]
        assert answers[0] == answers[1] and (answers[0][0] == 403) == (status == 403), origin


def test_sockets_are_closed_alike_at_any_server(both: tuple[Server, Server]) -> None:
    async def ends(server: Server, code: str, token: str, *texts: str | bytes) -> tuple[Message, int | None]:
        async with connect(socket_of(server, code)) as socket:
            client = Client(socket)
            await socket.send(json.dumps({"do": "hello", "protocol": PROTOCOL, "token": token}))
            if texts:
                await client.show()
            for text in texts:
                await socket.send(text)
            return await client.end() if not texts else (await client.until(lambda message: message["type"] == "denied"), None)

    async def foreign(server: Server, code: str) -> int:
        with pytest.raises(InvalidStatus) as refused:
            await connect(socket_of(server, code), origin="http://evil.example")  # type: ignore[arg-type]
        return refused.value.response.status_code

    async def story() -> None:
        code, tokens = opened(*both, **MATCH, players=2)
        for token, texts in ((UNKNOWN_TOKEN, ()), (tokens[ANN], ("not JSON",)), (tokens[BO], (b"binary",)), (tokens[BO], ('{"do": "fly"}',))):
            answers = [await soon(ends(server, code, token, *texts)) for server in both]
            assert answers[0] == answers[1]
        assert [await foreign(server, code) for server in both] == [403, 403]
        codes = []
        for server in both:
            async with there(server, code, tokens[ANN]) as client:
                await client.socket.send("x" * (LARGEST_MESSAGE + 1))
                codes.append((await client.end())[1])
        assert codes == [1009, 1009]

    asyncio.run(story())


def test_limits_count_the_address_of_the_client_and_nobody_can_claim_to_be_another_process(both: tuple[Server, Server]) -> None:
    one, two = both
    code, _ = opened(one, two, **MATCH, players=2)

    async def let_in(headers: dict[str, str]) -> bool:
        socket = await stack.enter_async_context(connect(socket_of(two, code), additional_headers=headers))
        with suppress(ConnectionClosed):
            await socket.send(json.dumps({"do": "hello", "protocol": PROTOCOL}))
        return bool(json.loads(await soon(socket.recv()))["type"] == "welcome")

    async def story() -> None:
        for _ in range(CONNECTIONS):
            assert await let_in({"X-Forwarded-For": "192.0.2.7"})
        assert not await let_in({"X-Forwarded-For": "192.0.2.7"})
        assert await let_in({"X-Forwarded-For": "192.0.2.8"})
        guess = {SECRET.decode(): "0" * 32, CLIENT.decode(): "192.0.2.9"}
        assert not await let_in({"X-Forwarded-For": "192.0.2.7", **guess})
        await stack.aclose()

    stack = AsyncExitStack()
    asyncio.run(story())


def test_whoever_does_not_read_is_cut_off_by_the_owner_and_can_come_again(both: tuple[Server, Server]) -> None:
    """Bots play a long match. One onlooker does not read, another one does; both are passed on."""
    one, two = both

    async def story() -> None:
        settings = {**MATCH, "options": {"largest_round": 12}, "name": "", "players": 4, "levels": ["random"] * 4}
        code, [token] = opened(one, **settings)
        async with there(two, code, token, 0) as reads:
            sleeps = socket.socket()
            sleeps.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sleeps.connect(("127.0.0.1", two.port))
            async with there(two, code, sock=sleeps, max_queue=1, ping_interval=None) as slow:
                for _ in range(MATCHES):
                    await reads.ask(do="start")
                    await reads.show(lambda show: bool(show["status"] == "over"))
                await slow.end()
                assert slow.seqs == reads.seqs[: len(slow.seqs)]
                assert len(slow.seqs) < len(reads.seqs)
            async with at(two, code) as again:
                assert (await again.show())["seq"] == reads.last["seq"]

    asyncio.run(story())
