"""The limits of a server, each just within and just beyond. In each case a client at another table notices nothing."""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from clients import Client, at, play, socket_of, there
from litestar.testing import AsyncTestClient
from serving import Server, serving, soon
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from kortlek.table.host import CODE_LENGTH, Host
from kortlek.table.hosts import Hosts, name_in
from kortlek.table.limits import (
    CONNECTIONS,
    CONNECTS,
    GETS,
    GUESSES,
    HOUR,
    LARGEST_MESSAGE,
    MESSAGES,
    OPENED,
    REMEMBERED,
    SECONDS,
    SOCKETS,
    SPECTATORS,
    TABLES,
    Addresses,
    Pace,
    is_own,
    network,
)
from kortlek.table.live import Connection
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.refusals import Refusal
from kortlek.table.server import BUFFER, UNREAD_TIMEOUT, listen
from kortlek.table.store import SqliteStore
from kortlek.table.table import STRANGER
from kortlek.table.web import make_app
from kortlek.table.workers import Workers

TABLE: dict[str, Any] = {"game": "up_and_down", "players": 2, "options": {"largest_round": 2}, "pace": 0, "stand_in": "house", "name": "Ann"}
_addresses = (f"192.0.2.{n}" for n in count(1))


def test_the_limits_are_those_that_were_promised() -> None:
    assert (LARGEST_MESSAGE, MESSAGES, SECONDS, CONNECTIONS) == (4096, 100, 20, 20)
    assert (GETS, CONNECTS, GUESSES, OPENED, HOUR) == (600, 100, 20, 100, 3600)
    assert (SOCKETS, SPECTATORS, TABLES, CODE_LENGTH) == (10_000, 250, 10_000, 10)
    assert GUESSES / SECONDS <= 5, "guesses a second"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that trusts X-Forwarded-For, so that every test can have addresses of its own."""
    with serving(tmp_path_factory.mktemp("server"), "--behind-proxy") as running:
        yield running


class Place:
    """A unique client address, and requests from it."""

    def __init__(self, server: Server) -> None:
        self.server, self.header = server, {"X-Forwarded-For": next(_addresses)}

    def ask(self, method: str, path: str, body: bytes | None = None, token: str = "", **headers: str) -> tuple[int, Any]:
        status, text = self.server.ask(method, path, body, token, **self.header, **headers)
        return status, json.loads(text)

    def open(self, **settings: Any) -> tuple[str, str]:
        status, table = self.ask("POST", "/api/tables", json.dumps(TABLE | settings).encode())
        assert status == 201, table
        return table["code"], table["token"]

    def at(self, code: str, token: str = "", **how: Any) -> Any:
        return at(self.server, code, token, additional_headers=self.header, **how)

    def there(self, code: str, token: str = "", **how: Any) -> Any:
        return there(self.server, code, token, additional_headers=self.header, **how)


@asynccontextmanager
async def another_table(server: Server) -> AsyncIterator[None]:
    """A match in progress at another table, whose client must notice nothing and be able to play on."""
    elsewhere = Place(server)
    code, token = elsewhere.open()
    async with elsewhere.there(code, token) as client:
        await client.ask(do="start")
        await play(client, 0, lambda show: bool(show["match"]["turn"] == 0))
        await client.notices()
        yield
        assert await client.notices() == []
        await play(client, 0)
        assert client.seqs == list(range(client.seqs[0], client.last["seq"] + 1))


# ---- the length of a message


def padded(message: dict[str, Any], size: int) -> str:
    """A message padded to this number of bytes."""
    text = json.dumps(message, ensure_ascii=False)
    return text + " " * (size - len(text.encode()))


def test_a_message_on_the_socket_has_4096_bytes_at_most(server: Server) -> None:
    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        say = {"do": "say", "seat": 0, "text": "å" * 300, "id": "x"}
        async with another_table(server), here.there(code, token) as first:
            await first.socket.send(padded(say, 4096))
            assert (await first.until(lambda message: message.get("id") == "x"))["type"] == "done"
            await first.socket.send([padded(say, 4096)[:2000], padded(say, 4096)[2000:]])
            assert (await first.until(lambda message: message.get("id") == "x"))["type"] == "done"
            too_long = padded(say, 4097)
            assert len(too_long) < 4096, "it is bytes that count"
            for sent in (too_long, [too_long[:2000], too_long[2000:]]):
                async with here.there(code, token) as client:
                    await client.socket.send(sent)
                    assert (await client.end())[1] == 1009
            assert (await first.ask(do="say", seat=0, text="I am still here."))["type"] == "done"
            assert sum(each["text"].endswith("å" * 300) for each in first.news) == 1

    asyncio.run(story())


def test_a_request_has_4096_bytes_at_most(server: Server) -> None:
    async def story() -> None:
        here = Place(server)
        async with another_table(server):
            for size, status in ((4096, 201), (4097, 413)):
                body = padded(TABLE, size).encode()
                assert here.ask("POST", "/api/tables", body)[0] == status
                with closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:  # chunked, without a Content-Length
                    connection.request("POST", "/api/tables", iter([body[:2000], body[2000:]]), here.header, encode_chunked=True)
                    answer = connection.getresponse()
                    assert answer.status == status
                    assert status == 201 or json.load(answer)["code"] == "too_large"

    asyncio.run(story())


# ---- how many messages


def test_a_pace_is_a_hundred_in_any_twenty_seconds() -> None:
    now = [1000.0]
    pace = Pace(lambda: now[0])
    for n in range(100):
        now[0] = 1000 + n / 10
        pace.check()
    for too_early in (1010.0, 1015.0, 1019.999):
        now[0] = too_early
        with pytest.raises(Refusal, match="More than 100 messages in 20 seconds") as refused:
            pace.check()
        assert refused.value.code == "too_many"
    now[0] = 1020.0
    pace.check()
    with pytest.raises(Refusal):
        pace.check()
    now[0] = 1020.1
    pace.check()


def test_every_address_has_its_own_pace_and_is_forgotten_when_it_is_idle() -> None:
    now = [0.0]
    posts = Addresses(lambda: now[0]).posts
    for _ in range(100):
        posts.check("192.0.2.1")
    with pytest.raises(Refusal, match="More than 100 requests in 20 seconds from one address"):
        posts.check("192.0.2.1")
    posts.check("192.0.2.2")
    now[0] = 20.0
    posts.check("192.0.2.1")
    now[0] = 40.5
    posts.check("192.0.2.3")
    assert list(posts._paces) == ["192.0.2.3"]


def test_not_more_addresses_are_remembered_than_memory_allows() -> None:
    posts = Addresses(lambda: 0.0).posts
    for n in range(REMEMBERED + 10):
        posts.check(str(ipaddress.ip_address(n)))
    assert len(posts._paces) == REMEMBERED


@pytest.mark.parametrize(
    ("address", "unit"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_ipv6_addresses_are_counted_by_their_network(address: str, unit: str) -> None:
    assert network(address) == unit


def test_a_socket_may_send_100_messages_in_20_seconds(server: Server) -> None:
    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        async with another_table(server), here.there(code, token) as client, here.there(code, token) as other:
            for n in range(100):
                await client.socket.send("nonsense" if n % 2 else '{"do":"leave","seat":9}')
            for n in range(100):
                assert (await client.receive())["code"] == ("malformed" if n % 2 else "not_your_seat")
            await client.socket.send('{"do":"say","seat":0,"text":"One too many."}')
            bye, closed = await client.end()
            assert (bye["type"], bye["code"], closed) == ("bye", "too_many", 1013)
            assert await other.notices() == []
            assert bye["retry"] > 0
            assert (await other.ask(do="say", seat=0, text="Another one has a pace of her own."))["type"] == "done"

    asyncio.run(story())


def test_an_address_may_post_100_times_in_20_seconds(server: Server) -> None:
    """Whatever it posts, even bodies that cannot be parsed."""

    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        async with another_table(server), here.there(code, token) as client:
            with closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:

                def post(body: str) -> tuple[int, Any]:
                    headers = here.header | {"Authorization": f"Bearer {token}"}
                    connection.request("POST", f"/api/tables/{code}/messages", body, headers)
                    answer = connection.getresponse()
                    return answer.status, json.load(answer)

                statuses = [post("nonsense" if n % 2 else '{"do":"leave","seat":9}')[0] for n in range(99)]
                assert set(statuses) == {400, 403}
                status, answer = post('{"do":"say","seat":0,"text":"One too many."}')
                assert (status, answer["code"]) == (429, "too_many")
                assert answer["sentence"].endswith(".")
            assert here.ask("GET", f"/api/tables/{code}", token=token)[0] == 200
            assert (await client.ask(do="say", seat=0, text="The socket has another one."))["type"] == "done"
            assert "One too many" not in json.dumps(client.got)
            Place(server).open()

    asyncio.run(story())


# ---- how many connections


def test_an_address_has_20_connections_at_most(tmp_path: Path) -> None:
    """Whatever its X-Forwarded-For says, if the server does not trust that header."""

    async def story(server: Server) -> None:
        code, token = Place(server).open()
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Place(server).there(code, token)) for _ in range(20)]
            for _ in range(3):
                async with Place(server).at(code, token) as one_more:
                    bye, closed = await one_more.end()
                    assert (bye["code"], closed, len(one_more.got)) == ("too_many", 1013, 1)
                    assert bye["retry"] > 0
            said = await clients[0].ask(do="say", seat=0, text="We are all here.")
            for client in clients[1:]:
                await client.until(lambda message: message["type"] == "news" and message["seq"] == said["seq"])
                assert client.seqs == [said["seq"]]
            await clients[-1].socket.close()
            while True:
                async with Place(server).at(code, token) as again:
                    if (await again.receive())["type"] == "welcome":
                        break

    with serving(tmp_path) as server:
        asyncio.run(story(server))


def test_connections_of_other_addresses_are_not_counted(server: Server) -> None:
    async def story() -> None:
        here, there = Place(server), Place(server)
        code, token = here.open()
        async with another_table(server), AsyncExitStack() as stack:
            for _ in range(20):
                await stack.enter_async_context(here.there(code, token))
            async with here.at(code, token) as one_more:
                assert (await one_more.end())[1] == 1013
            async with there.there(code, token) as other:
                assert (await other.ask(do="say", seat=0, text="Hello!"))["type"] == "done"

    asyncio.run(story())


def test_connections_are_counted_until_they_end() -> None:
    addresses = Addresses()
    with ExitStack() as others:
        for _ in range(19):
            others.enter_context(addresses.socket("here"))
        with addresses.socket("here"):
            for _ in range(2):
                with pytest.raises(Refusal, match="More than 20 connections"), addresses.socket("here"):
                    raise AssertionError("one too many")
            with addresses.socket("there"):
                pass
        with addresses.socket("here"):
            pass
    assert not addresses._sockets and not addresses._open


def test_an_ipv6_network_has_20_connections_at_most(server: Server) -> None:
    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        async with another_table(server), AsyncExitStack() as stack:
            for n in range(20):
                here.header = {"X-Forwarded-For": f"2001:db8::{n:x}"}
                await stack.enter_async_context(here.there(code, token))
            here.header = {"X-Forwarded-For": "2001:db8::ffff:1"}
            async with here.at(code, token) as one_more:
                assert (await one_more.end())[1] == 1013
            here.header = {"X-Forwarded-For": "2001:db8:0:1::1"}
            async with here.there(code, token):
                pass

    asyncio.run(story())


def test_a_server_has_10000_connections_at_most() -> None:
    addresses = Addresses()
    with ExitStack() as stack:
        for n in range(SOCKETS):
            stack.enter_context(addresses.socket(str(ipaddress.ip_address(n))))
        with pytest.raises(Refusal, match="as many connections as it can take"), addresses.socket("192.0.2.1"):
            raise AssertionError("one too many")
    with addresses.socket("192.0.2.1"):
        pass


def test_an_address_may_connect_100_times_in_20_seconds(server: Server) -> None:
    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        async with another_table(server):
            for _ in range(100):
                async with here.at(code, token) as client:
                    assert (await client.receive())["type"] == "welcome"
            with pytest.raises(InvalidStatus) as refused:
                async with here.at(code, token):
                    raise AssertionError("one too many")
            assert refused.value.response.status_code == 403
            async with Place(server).there(code, token):
                pass

    asyncio.run(story())


def test_an_address_may_get_600_times_in_20_seconds(server: Server) -> None:
    """Whatever it asks for, be it the page or something that does not exist."""

    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        async with another_table(server), here.there(code, token) as client:
            with closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:

                def get(path: str) -> int:
                    connection.request("GET", path, headers=here.header)
                    answer = connection.getresponse()
                    answer.read()
                    return answer.status

                assert {get(("/", "/health", f"/api/tables/{code}", "/api/games/none/rules")[n % 4]) for n in range(600)} == {200, 404}
                assert get("/health") == get(f"/api/tables/{code}") == 429
            assert here.ask("POST", f"/api/tables/{code}/messages", b'{"do":"lock"}', token)[0] == 201
            assert (await client.ask(do="say", seat=0, text="The socket has another one."))["type"] == "done"
            assert Place(server).ask("GET", f"/api/tables/{code}")[0] == 200

    asyncio.run(story())


def test_an_address_may_open_100_tables_in_an_hour(tmp_path: Path) -> None:
    """The hour passes by a clock of the test. In half a minute between two tables the limit on requests is not reached."""
    now = [0.0]

    async def story() -> None:
        app = make_app(Host(SqliteStore(tmp_path / "tables.db"), Workers(games=())))
        app.state.services.addresses = Addresses(lambda: now[0])
        async with AsyncTestClient(app) as client:

            async def open_table() -> tuple[int, str]:
                answer = await client.post("/api/tables", json=TABLE)
                return answer.status_code, answer.json().get("message", {}).get("id", "")

            for n in range(100):
                now[0] = 30.0 * n
                assert await open_table() == (201, "")
            now[0] = HOUR - 0.001
            assert await open_table() == (429, "refuse-opened")
            now[0] = HOUR
            assert await open_table() == (201, "")

    asyncio.run(story())


# ---- tables and spectators


@asynccontextmanager
async def in_process(data: Path) -> AsyncIterator[Host]:
    """A host without a web server and without bots."""
    host = Host(SqliteStore(data / "tables.db"), Workers(games=()))
    await host.store.open()
    try:
        yield host
    finally:
        await host.stop()


def test_a_table_has_250_spectators_at_most(tmp_path: Path) -> None:
    async def story() -> None:
        async with in_process(tmp_path) as host:
            code, token = await host.open(Open(**TABLE))
            watching = [Connection(STRANGER, lambda message, at: None) for _ in range(250)]
            for connection in watching:
                await host.connect(code, connection, None)
            with pytest.raises(Refusal, match="250 others are watching this table already") as refused:
                await host.connect(code, Connection(STRANGER, lambda message, at: None), None)
            assert refused.value.code == "too_many"
            await host.connect(code, Connection(await host.person(code, token), lambda message, at: None), None)
            await host.disconnect(code, watching[0])
            await host.connect(code, watching[0], None)

    asyncio.run(story())


def test_tables_that_nobody_uses_make_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of three instead of ten thousand."""
    monkeypatch.setattr("kortlek.table.host.TABLES", 3)

    async def story() -> None:
        async with in_process(tmp_path) as host:
            codes = [(await host.open(Open(**TABLE)))[0] for _ in range(10)]
            assert len(host.live) <= 3
            for code in codes[:3]:
                await host.connect(code, Connection(STRANGER, lambda message, at: None), None)
            for refused in (host.open(Open(**TABLE)), host.find(codes[3])):
                with pytest.raises(Refusal, match="as many tables as it can take") as refusal:
                    await refused
                assert refusal.value.code == "too_many"
            assert sorted(host.live) == sorted(codes[:3])
            with pytest.raises(Refusal, match="There is no table"):
                await host.find("zzzzzz")

    asyncio.run(story())


# ---- behind a proxy


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")
def test_only_the_proxies_that_were_named_say_who_asks(tmp_path: Path) -> None:
    """127.0.0.2 and 127.0.3.0/24 are proxies; 127.0.0.1 is a client that pretends to be one. Each sends 101 POST requests."""

    def statuses(server: Server, source: str, header: str, count: int) -> list[int]:
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, source_address=(source, 0))) as connection:
            found = []
            for n in range(count):
                connection.request("POST", "/api/tables/zzzzzz/join", b"{}", {"X-Forwarded-For": header.format(n=n)})
                answer = connection.getresponse()
                answer.read()
                found.append(answer.status)
            return found

    with serving(tmp_path, "--behind-proxy", "127.0.0.2,127.0.3.0/24") as server:
        own = statuses(server, "127.0.0.1", "192.0.2.{n}", 21)
        assert own == [404] * 20 + [429], "its header is ignored"
        assert statuses(server, "127.0.0.2", "192.0.2.{n}", 150) == [404] * 150
        assert statuses(server, "127.0.3.77", "198.51.100.{n}", 150) == [404] * 150
        through_two = statuses(server, "127.0.0.2", "198.18.0.{n}, 203.0.113.9, 127.0.3.1", 21)
        assert through_two == [404] * 20 + [429], "what a client wrote itself stands before the address that a proxy saw"


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--behind-proxy", "10.0.0.2,cards"], "'cards' cannot be the address of a proxy"),
        (["--behind-proxy", "10.0.0.300"], "'10.0.0.300' cannot be the address of a proxy"),
        (["--public-host", "cards.example.org:8642"], "'cards.example.org:8642' cannot be the name of a server"),
        (["--public-host", ""], "'' cannot be the name of a server"),
    ],
)
def test_what_cannot_be_a_proxy_or_a_name_is_refused(tmp_path: Path, flags: list[str], sentence: str) -> None:
    asked = ["serve", "--port", "8650", "--data", str(tmp_path), "--no-browser", *flags]
    done = subprocess.run([sys.executable, "-m", "kortlek", *asked], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert sentence in done.stderr and "Traceback" not in done.stderr


# ---- by which name

PRIVATE, PUBLIC = "192.168.1.2", "8.8.8.8"


@pytest.mark.parametrize(
    ("hosts", "name", "local", "serves"),
    [
        (Hosts(), "192.168.1.2", PRIVATE, True),
        (Hosts(), "::1", "::1", True),
        (Hosts(), "localhost", "127.0.0.1", True),
        (Hosts(), "", PRIVATE, True),
        (Hosts(), "raspberry", PRIVATE, True),
        (Hosts(), "raspberry.local", PRIVATE, True),
        (Hosts(), "cards.fritz.lan", PRIVATE, True),
        (Hosts(own="cards.family.example"), "cards.family.example", PRIVATE, True),
        (Hosts(), "evil.example", PRIVATE, False),
        (Hosts(), "evil.example", "127.0.0.1", False),
        (Hosts(), "evil.example", "fe80::1%eth0", False),
        (Hosts(), "localhost.evil.example", "127.0.0.1", False),
        (Hosts(), "cards.example.org", PUBLIC, True),
        (Hosts(is_behind_proxy=True), "cards.example.org", "127.0.0.1", True),
        (Hosts(frozenset({"cards.example.org"})), "cards.example.org", PRIVATE, True),
        (Hosts(frozenset({"cards.example.org"})), "cards.example.org", PUBLIC, True),
        (Hosts(frozenset({"cards.example.org"})), "other.example.org", PUBLIC, False),
        (Hosts(frozenset({"cards.example.org"}), is_behind_proxy=True), "other.example.org", PUBLIC, False),
        (Hosts(frozenset({"cards.example.org"})), "raspberry.local", PRIVATE, False),
        (Hosts(frozenset({"cards.example.org"})), "192.168.1.2", PRIVATE, True),
    ],
)
def test_by_which_names_a_server_may_be_called(hosts: Hosts, name: str, local: str, serves: bool) -> None:
    assert hosts.serve(name, local) == serves


@pytest.mark.parametrize(
    ("header", "name"),
    [("Cards.Example.org:8642", "cards.example.org"), ("a.", "a"), ("[::1]:80", "::1"), ("a:0", None), ("a:b", None), ("a@b", None), ("a/b", None)],
)
def test_the_name_in_a_host_header(header: str, name: str | None) -> None:
    assert name_in(header) == name


def test_a_name_of_another_site_is_not_served(tmp_path: Path) -> None:
    """A page of evil.example whose name was pointed at this machine: Host and Origin agree."""
    with serving(tmp_path / "usual") as server:
        for origin in ("http://evil.example", "http://127.0.0.1"):
            status, answer = server.ask("GET", "/api/tables", Host="evil.example", Origin=origin)
            assert (status, json.loads(answer)["code"]) == (403, "not_allowed")
            assert "--public-host evil.example" in answer
        assert server.ask("POST", "/api/tables", b'{"game":"plump"}', Host="evil.example", Origin="http://evil.example")[0] == 403
        with pytest.raises(InvalidStatus):
            asyncio.run(connected(server, "evil.example"))
        for host in (f"127.0.0.1:{server.port}", f"localhost:{server.port}", "raspberry.local"):
            assert server.ask("GET", "/api/tables", Host=host)[0] == 200
    with serving(tmp_path / "named", "--public-host", "cards.example.org", "--public-host", "kort.example.org") as server:
        for host, status in (("cards.example.org", 200), ("KORT.example.org:80", 200), ("evil.example", 403), ("raspberry.local", 403)):
            assert server.ask("GET", "/health", Host=host)[0] == status


async def connected(server: Server, host: str) -> None:
    async with connect(socket_of(server, "zzzzzz"), additional_headers={"Host": host}):
        pass


# ---- how slow


def test_who_says_nothing_within_five_seconds_is_sent_away(server: Server) -> None:
    """No hello; no request at all; an incomplete request, or an incomplete body. Takes five seconds."""

    async def story() -> None:
        code, token = Place(server).open()
        beginnings = (b"", b"GET /health HTTP/1.1\r\nHost:", b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n{")
        async with another_table(server), connect(socket_of(server, code)) as silent, there(server, code, token) as client:
            raw = [await asyncio.open_connection("127.0.0.1", server.port) for _ in beginnings]
            answered, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\nGET /health HT")
            for (_, speaker), beginning in zip(raw, beginnings):
                speaker.write(beginning)
            bye, closed = await Client(silent).end()
            assert (bye["type"], bye["code"], closed) == ("bye", "too_slow", 1008)
            for reader, speaker in raw:
                assert b"200" not in await soon(reader.read())
                speaker.close()
            assert (await soon(answered.read())).startswith(b"HTTP/1.1 200")
            writer.close()
            assert (await client.ask(do="say", seat=0, text="I have said hello."))["type"] == "done"

    asyncio.run(story())
    assert '"failed"' not in server.log.read_text()


def test_who_does_not_read_is_cut_off_and_can_come_again(server: Server) -> None:
    """Bots play a long match. One onlooker does not read, another one does."""

    async def story() -> None:
        here, there = Place(server), Place(server)
        code, token = here.open(name="", players=4, levels=["random"] * 4, options={"largest_round": 12})
        async with another_table(server), there.there(code, token) as reads:
            sleeps = socket.socket()
            sleeps.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sleeps.connect(("127.0.0.1", server.port))
            async with here.there(code, sock=sleeps, max_queue=1, ping_interval=None) as slow:
                await reads.ask(do="start")
                await reads.show(lambda show: bool(show["status"] == "over"))
                await slow.end()
                assert reads.seqs == list(range(reads.seqs[0], reads.last["seq"] + 1))
                assert slow.seqs == reads.seqs[: len(slow.seqs)]
                assert len(slow.seqs) < len(reads.seqs)
            async with here.at(code, since=slow.seqs[-1]) as again:
                show = await again.show()
                assert again.frames[-1]["type"] == "snapshot", "too much was missed to be sent again"
                assert (show["seq"], show["match"]["score"]) == (reads.last["seq"], reads.last["match"]["score"])

    asyncio.run(story())


def test_small_messages_are_sent_at_once() -> None:
    """Nagle's algorithm would hold each message until the previous one is acknowledged: 40 ms with a client that delays acknowledgements."""

    async def story() -> int:
        sends_at_once: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            sends_at_once.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listen("127.0.0.1", 0) as listening:
            async with await asyncio.start_server(accept, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                async with asyncio.timeout(20):
                    found = await sends_at_once
                writer.close()
        return found

    assert asyncio.run(story()) == 1


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system cannot do that")
def test_unread_data_is_limited_in_size_and_time() -> None:
    """Behind the server's own queue, the kernel's send buffer has limits too."""
    with listen("127.0.0.1", 0) as listening, socket.socket() as client:
        listening.listen()
        client.connect(listening.getsockname())
        with listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 1000 * UNREAD_TIMEOUT
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == 2 * BUFFER  # Linux doubles the value for its own overhead


# ---- from where, and how


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        (None, True),
        ("http://kort.example:8642", True),
        ("https://kort.example:8642", True),
        ("http://kort.example", False),
        ("http://kort.example:8643", False),
        ("http://kort.example:8642.evil.example", False),
        ("http://evil.example/kort.example:8642", False),
        ("http://kort.example:8642@evil.example", False),
        ("kort.example:8642", False),
        ("null", False),
        ("", False),
        ("http://[", False),
    ],
)
def test_whose_page_it_is(origin: str | None, own: bool) -> None:
    assert is_own(origin, "kort.example:8642") == own
    assert not is_own(origin or "http://kort.example:8642", None)


def test_pages_of_other_sites_get_in_nowhere(server: Server) -> None:
    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        body, path = b'{"do":"lock"}', f"/api/tables/{code}/messages"
        async with another_table(server), here.there(code, token) as client:
            for origin in ("http://evil.example", "null", "http://[", f"http://127.0.0.1:{server.port + 1}", f"http://localhost:{server.port}"):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(socket_of(server, code), origin=origin)  # type: ignore[arg-type]
                assert refused.value.response.status_code == 403
                status, answer = here.ask("POST", path, body, token, Origin=origin)
                assert (status, answer["code"]) == (403, "not_allowed")
            assert await client.notices() == []
            async with here.there(code, token, origin=server.url) as own:
                assert (await own.ask(do="say", seat=0, text="From our own page."))["type"] == "done"
            assert here.ask("POST", path, body, token, Origin=server.url)[0] == 201

    asyncio.run(story())


def test_nothing_is_compressed_on_the_socket(server: Server) -> None:
    """The length of a compressed message can reveal its content."""

    async def story() -> None:
        here = Place(server)
        code, token = here.open()
        async with another_table(server), here.there(code, token, compression="deflate") as client:
            assert "permessage-deflate" in client.socket.request.headers["Sec-WebSocket-Extensions"]
            assert "Sec-WebSocket-Extensions" not in client.socket.response.headers

    asyncio.run(story())
