"""docs/protocol.md and docs/serving.md: their examples run against a real server, and nothing is missing from them."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from cyclopts import Parameter
from running import SOURCE
from serving import DEADLINE, Server, free_port, soon, wait_for
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as websocket_server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kortlek.bots import levels_of
from kortlek.cli.serve import serve
from kortlek.engine.patches import MatchPatch
from kortlek.engine.record import from_line
from kortlek.engine.verify import check as verify
from kortlek.engine.view_json import AlternativeJson, EarnedJson, ExplainedJson, HiddenJson, MatchJson, PlaceJson, RefusedJson
from kortlek.engine.view_json import SheetJson, SheetRowJson
from kortlek.game.registry import GAMES
from kortlek.table import clocks, facts, films, host, limits, listing, live, table, wire
from kortlek.table.game_info import FaceInfo, FieldInfo, GameInfo, LayoutInfo, OptionInfo, ZoneInfo
from kortlek.table.names import LONGEST, MOST_MARKS
from kortlek.table.protocol import PROTOCOL as VERSION
from kortlek.table.protocol.client_in import LONGEST_LINE, AnyQuestion, AnyRequest, Choose, Hello, Ping, Sync, read, read_hello
from kortlek.table.protocol.client_out import AnySent, Considered, News, Past, SeatJson, Snapshot, Step, TableJson, View, ViewPatch
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.protocol.lobby_out import Film, Frame
from kortlek.table.refusals import STATUS

DOCS = Path(__file__).parent.parent / "docs"
PROTOCOL = (DOCS / "protocol.md").read_text()
SERVING = (DOCS / "serving.md").read_text()
OPERATIONS = (DOCS / "operations.md").read_text()
VISIT, BOT = re.findall(r"```python\n(.*?)```", PROTOCOL, re.S)
SHORT: dict[str, dict[str, Any]] = {
    "plump": {"players": 13},
    "up_and_down": {"players": 3, "options": {"largest_round": 2}},
    "trick_paper_scissors": {"options": {"deals": 2}},
    "rummy": {"players": 2, "options": {"round_limit": 9, "games": 2}},
    "cascade": {"players": 2, "options": {"games": 1}},
    "hearts": {"options": {"target": 10}},
    "spades": {"options": {"target": 100}},
}
"""A short match of every game."""


# ---- the examples run


def test_the_visit_to_the_lobby_goes_as_it_is_told(server: Server) -> None:
    exec(compile(VISIT, "docs/protocol.md", "exec"), {"server": server.url})


def test_the_bot_is_short_and_needs_nothing_of_ours() -> None:
    assert len(BOT.splitlines()) < 50
    used = set(re.findall(r"^(?:import|from) (\w+)", BOT, re.M))
    assert used - set(sys.stdlib_module_names) == {"websockets"}


def test_the_bot_plays_a_whole_match_of_every_game(server: Server, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    playing = {name: seated(server, name, tmp_path / "bot.py") for name in SHORT}
    assert list(playing) == list(GAMES)
    for name, (code, token, process) in playing.items():
        printed, wrong = process.communicate(timeout=DEADLINE)
        assert (process.returncode, wrong) == (0, "")
        record = from_line(server.ask("GET", f"/api/tables/{code}/record", token=token)[1].strip())
        assert record.result and (record.game, record.seats[0]) == (name, "Eva")
        assert json.loads(printed) == record.result.scores
        assert verify(record).commitment == server.get(f"/api/tables/{code}", token)["table"]["commitment"]


def seated(server: Server, name: str, bot: Path) -> tuple[str, str, subprocess.Popen[str]]:
    """A match that has begun, with the documented bot in seat 0 and server bots in the other seats."""
    players = SHORT[name].get("players", 4)
    opened = server.post("/api/tables", {"game": name, "players": players, "levels": ["random"] * (players - 1), "pace": 0} | SHORT[name])
    command = [sys.executable, "-I", str(bot), server.url, opened["code"], "Eva"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    path = f"/api/tables/{opened['code']}"
    wait_for(lambda: server.get(path)["table"]["seats"][0]["here"] or process.poll() is not None, "the bot")
    server.post(f"{path}/messages", {"do": "start"}, opened["token"])
    return opened["code"], opened["token"], process


def test_the_bot_ignores_what_it_knows_and_asks_for_a_snapshot_after_a_gap() -> None:
    """A server of ours leaves no gap: here another one sends the frames."""
    bot: dict[str, Any] = {}
    exec(BOT.rpartition("print(")[0], bot)
    bot["urlopen"] = lambda request: io.BytesIO(b'{"token": "0"}')
    asked = []

    def snapshot(seq: int, status: str) -> str:
        view = {"seat": 0, "match": {"legal": [], "score": [seq]}}
        return json.dumps({"type": "snapshot", "seq": seq, "at": 0, "table": {"status": status}, "views": [view]})

    async def table(socket: ServerConnection) -> None:
        assert read_hello(await socket.recv()).protocol == VERSION
        await socket.send(snapshot(5, "playing"))
        for since, seq in ((4, 5), (6, 7)):
            await socket.send(json.dumps({"type": "step", "since": since, "seq": seq, "at": 0, "table": {"status": "over"}, "views": []}))
        asked.append(type(read(await socket.recv())))
        await socket.send(snapshot(7, "over"))

    async def play() -> Any:
        async with websocket_server(table, "127.0.0.1", 0) as server:
            return await soon(bot["play"](f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "bk7q2x", "Eva"))

    assert (asyncio.run(play()), asked) == ([7], [Sync])


def test_the_talk_on_the_socket_is_as_it_is_told() -> None:
    [talk] = re.findall(r"```text\n(> .*?)```", PROTOCOL, re.S)
    hello, *asked = [line[2:] for line in talk.splitlines() if line.startswith("> ")]
    assert read_hello(hello).protocol == VERSION
    assert [type(read(line)) for line in asked] == [Choose, Ping, Choose]
    answers = [line[2:] for line in talk.splitlines() if line.startswith("< ") and "..." not in line]
    assert len(answers) >= 6
    for line in answers:
        assert msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(line, type=AnySent))) == json.loads(line)


def test_the_patch_is_applied_as_it_is_told() -> None:
    """By the few lines of the bot."""
    bot: dict[str, Any] = {}
    exec(BOT[BOT.index("def merge") : BOT.index("async def")], bot)
    [example] = re.findall(r"```json\n(.*?)```", PROTOCOL, re.S)
    before, patch, after = map(json.loads, example.splitlines())
    assert before != after and bot["merge"](before, patch) == after
    told = re.search(r"In a program this takes \[(\w+) lines\]", PROTOCOL)
    assert told and told[1] == {6: "six", 7: "seven", 8: "eight"}[len(BOT[BOT.index("def merge") : BOT.index("async def")].strip().splitlines())]
    assert f"of {len(BOT.splitlines())} lines is below" in PROTOCOL


def test_a_client_of_another_version_is_told_so_in_a_sentence(server: Server) -> None:
    code = server.post("/api/tables", {"game": "plump"})["code"]
    with connect(f"{server.url.replace('http', 'ws')}/api/tables/{code}/socket") as socket:
        socket.send(json.dumps({"do": "hello", "protocol": VERSION - 1}))
        bye = json.loads(socket.recv(DEADLINE))
        assert (bye["type"], bye["retry"], bye["sentence"]) == ("bye", -1, f"This server speaks protocol {VERSION}, not {VERSION - 1}.")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(DEADLINE)
    assert closed.value.rcvd and str(closed.value.rcvd.code) in section(PROTOCOL, "Versions")


# ---- nothing is missing


def section(page: str, heading: str) -> str:
    """The text below a heading, up to the next heading of the same or a higher rank."""
    hashes = re.search(rf"^(#+) {heading}$", page, re.M)
    assert hashes, heading
    return re.split(rf"^#{{1,{len(hashes[1])}}} ", page[hashes.end() :], maxsplit=1, flags=re.M)[0]


def row(text: str, first: str) -> str:
    """The row of a table that begins with this text."""
    rows = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    assert len(rows) == 1, first
    return rows[0]


def prose(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def names(text: str, *words: object) -> None:
    """Check that every one of these names is in the text, between backticks."""
    found = set(re.findall(r"`\"?(\w+)\"?`", text))
    assert {str(word) for word in words} <= found, set(map(str, words)) - found


def limits_of(kind: msgspec.inspect.Type) -> set[float]:
    """The limits of a type and of the types inside it, without zeros."""
    own = {getattr(kind, name, None) for name in ("ge", "gt", "le", "lt", "min_length", "max_length")} - {None, 0}
    inside = [getattr(kind, "type", None), getattr(kind, "item_type", None), *getattr(kind, "types", ())]
    return {float(limit) for limit in own if limit is not None}.union(*(limits_of(each) for each in inside if each is not None))


def numbers(text: str) -> set[float]:
    return {float(number) for number in re.findall(r"(?<![\w.-])-?\d+(?:\.\d+)?\b", text)}


def fields(kind: Any) -> dict[str, msgspec.inspect.Type]:
    described = msgspec.inspect.type_info(kind)
    assert isinstance(described, msgspec.inspect.StructType | msgspec.inspect.TypedDictType)
    return {field.encode_name: field.type for field in described.fields}


def first_cells(text: str) -> str:
    """The first cells of all rows of tables."""
    return " ".join(re.findall(r"^\| ([^|]+) \|", text, re.M))


@pytest.mark.parametrize("message", [*get_args(AnyRequest), *get_args(AnyQuestion)], ids=lambda message: message.__name__)
def test_every_message_is_described_with_its_fields_and_limits(message: Any) -> None:
    part = section(PROTOCOL, "What you can ask for")
    told = row(part, f"`{message.__name__.lower()}`")
    for name, kind in fields(message).items():
        where = told + (prose(part) if name in ("id", "seat") else "")
        names(where, name)
        assert limits_of(kind) <= numbers(where), name


def test_the_messages_that_begin_something_are_described_with_their_limits() -> None:
    for part, kind in ((section(PROTOCOL, "The lobby"), Open), (section(PROTOCOL, "The socket"), Hello)):
        for name, what in fields(kind).items():
            assert limits_of(what) <= numbers(row(part.partition("| Field |")[2], f"`{name}`")), name
    names(row(section(PROTOCOL, "The lobby"), "`spectators`"), "off", "public", "delayed")


def test_what_a_table_usually_is_like_is_described() -> None:
    for name, usual in msgspec.to_builtins(Open(game="plump")).items():
        if usual not in ("plump", "", None, [], {}):
            said = row(section(PROTOCOL, "The lobby"), f"`{name}`").split("|")[-2].strip(" `")
            assert said == json.dumps(usual), name


@pytest.mark.parametrize("sent", get_args(AnySent), ids=lambda sent: sent.__name__)
def test_everything_that_is_sent_is_described_with_its_fields(sent: Any) -> None:
    told = row(section(PROTOCOL, "What you are sent"), f"`{sent.__name__.lower()}`")
    if sent in (Snapshot, Step):
        assert "(#snapshots-and-steps)" in told
        [about] = re.findall(r"^\| Field \| in \|.*?\n\n", section(PROTOCOL, "Snapshots and steps"), re.M | re.S)
        rows = [line for line in about.splitlines() if f"| {sent.__name__.lower()} |" in line or "| both |" in line]
        assert set(re.findall(r"`(\w+)`", first_cells("\n".join(rows)))) == fields(sent).keys()
    else:
        names(told, *fields(sent))


def test_what_is_inside_of_it_is_described() -> None:
    sent, frames = section(PROTOCOL, "What you are sent"), section(PROTOCOL, "Snapshots and steps")
    names(row(sent, "`hinted`"), *fields(Considered))
    names(row(sent, "`explained`"), *fields(ExplainedJson), *fields(EarnedJson), *fields(RefusedJson).keys() - fields(AlternativeJson).keys())
    names(row(sent, "`recalled`"), *fields(Past))
    view, news = re.findall(r"^\| Field \| Meaning \|.*?\n\n", frames, re.M | re.S)
    assert set(re.findall(r"`(\w+)`", first_cells(view))) == fields(View).keys() == fields(ViewPatch).keys()
    names(row(frames, "`sheet`"), *fields(SheetJson), *fields(SheetRowJson))
    assert set(re.findall(r"`(\w+)`", first_cells(news))) == fields(News).keys()
    names(frames, *(fact.__name__.lower() for fact in get_args(facts.AnyFact)))


def test_what_is_left_out_of_news_is_described() -> None:
    for name, default in msgspec.structs.asdict(News()).items():
        said = row(section(PROTOCOL, "Snapshots and steps"), f"`{name}`").split("|")[-2].strip(" `")
        assert said == ({"[]": "none", '""': "empty"}.get(json.dumps(default)) or json.dumps(default)), name


def test_the_table_as_it_is_shown_is_described() -> None:
    part = section(PROTOCOL, "The table as it is shown")
    assert set(re.findall(r"`(\w+)`", first_cells(part))) == fields(TableJson).keys()
    names(row(part, "`seats`"), *fields(SeatJson))


def test_the_match_as_it_is_shown_is_described() -> None:
    part = section(PROTOCOL, "The match as it is shown")
    assert set(re.findall(r"`(\w+)`", first_cells(part))) == fields(MatchJson).keys() >= fields(MatchPatch).keys()
    names(row(part, "`legal`"), *fields(AlternativeJson))
    names(row(part, "`places`"), *fields(PlaceJson))
    names(row(part, "`numbers`, `hidden`"), *fields(HiddenJson))


def test_what_a_film_holds_and_how_it_is_asked_for_is_described(server: Server) -> None:
    part = section(PROTOCOL, "Moment by moment")
    asked, film, frame = re.split(r"^\| (?:Parameter|Field) .*$", part, flags=re.M)[1:]
    names(first_cells(film), *fields(Film))
    names(first_cells(frame), *fields(Frame))
    names(row(frame, "`explained`"), *fields(ExplainedJson))
    paths = server.get("/schema")["paths"]
    for path in ("/api/tables/{code}/replay", "/api/watch/{game}"):
        for parameter in paths[path]["get"]["parameters"]:
            if parameter["in"] == "query":
                [line] = [line for line in asked.splitlines() if f"`{parameter['name']}`" in line[: line.find("|", 1)]]
                limits = re.findall(r'"(?:minimum|maximum|maxItems)": (-?\d+)', json.dumps(parameter))
                assert {float(limit) for limit in limits} - {12.0} <= numbers(line), parameter["name"]
    assert {float(films.PAGE_SIZE), float(films.MAX_MOMENTS)} <= numbers(part)


def test_the_answers_of_the_lobby_are_described(server: Server) -> None:
    lobby = section(PROTOCOL, "The lobby")
    game = GAMES["plump"]
    for kind in (GameInfo, OptionInfo, FaceInfo, LayoutInfo, ZoneInfo, FieldInfo):
        names(row_of(lobby, "GET /api/games"), *fields(kind))
    assert list(levels_of(game)) == server.get("/api/games")[0]["levels"]
    opened = server.post("/api/tables", {"game": "plump", "public": True})
    [line] = [line for line in server.get("/api/tables") if line["code"] == opened["code"]]
    names(row_of(lobby, "GET /api/tables"), *line, *line["seats"][0])
    names(row_of(lobby, "POST /api/tables"), *opened)
    joined = server.post(f"/api/tables/{opened['code']}/join", {"name": "Eva"})
    names(row_of(lobby, "POST /api/tables/{code}/join"), *joined)
    names(row_of(lobby, "GET /health"), *server.get("/health"))


def row_of(lobby: str, address: str) -> str:
    return row(lobby, f"`{address}`")


def test_every_address_is_described(server: Server) -> None:
    paths = server.get("/schema")["paths"]
    assert len(paths) >= 9
    longest: dict[str, set[str]] = {}
    for path, methods in paths.items():
        for method, what in methods.items():
            assert row_of(section(PROTOCOL, "The lobby"), f"{method.upper()} {path}")
            longest |= {each["name"]: set(re.findall(r'"maxLength": (\d+)', json.dumps(each))) for each in what.get("parameters", ())}
    for name, limit in longest.items():
        if limit:
            [line] = re.findall(rf"^\| the `{name}` .*$", section(PROTOCOL, "Limits"), re.M)
            assert set(re.findall(r"\d+", line)) == limit
    for path in ("/metrics", "/schema"):
        assert row_of(section(PROTOCOL, "The lobby"), f"GET {path}")
        assert server.ask("GET", path)[0] == 200


def test_every_refusal_and_every_way_to_close_is_described() -> None:
    part = section(PROTOCOL, "Refusals")
    assert re.findall(r"^\| `(\w+)` \| (\d+)", part, re.M) == [(code, str(status)) for code, status in STATUS.items()]
    for code in STATUS:
        closed = wire.close_code(code)
        assert closed == 4000 + STATUS[code] or code in row(section(PROTOCOL, "The socket"), str(closed))
    assert numbers(row(section(PROTOCOL, "The socket"), "1009")) == {1009, limits.LARGEST_MESSAGE}
    assert re.search(r"^\| 4000 and the status", section(PROTOCOL, "The socket"), re.M)


def test_every_limit_is_described() -> None:
    told = {
        (limits.LARGEST_MESSAGE,): "a message",
        (limits.MESSAGES, limits.SECONDS): "messages on one socket",
        (limits.CONNECTIONS,): "sockets",
        (limits.GETS, limits.SECONDS): "`GET` requests",
        (limits.CONNECTS, limits.SECONDS, limits.CUT_COSTS): "new sockets",
        (limits.GUESSES, limits.SECONDS): "guesses",
        (limits.OPENED, limits.HOUR): "tables opened",
        (limits.SOCKETS,): "all sockets",
        (limits.TABLES,): "all tables",
        (limits.SPECTATORS,): "spectators",
        (limits.REMEMBERED,): "addresses",
        (limits.IPV6_PREFIX,): "the part of an IPv6 address",
        (limits.REFUSAL_DELAY,): "until you are refused",
        (limits.REQUEST_SPACING,): "between the starts",
        (limits.FREE_DENIALS, limits.DENIAL_DELAY): "denied messages",
        (listing.LISTED, listing.LISTED_PER_ADDRESS): "tables in the lobby",
        (clocks.UNDO_SECONDS,): "a request to take",
        (live.WATCHED_SECONDS,): "a table that is watched",
        (LONGEST, 2, 0, MOST_MARKS): "the name of a player",
        (limits.HANDSHAKE,): "until the hello",
        (limits.QUEUE, 10 * limits.QUEUE): "messages that wait",
        (LONGEST_LINE,): "a line of chat",
    }
    for values, what in told.items():
        [line] = re.findall(rf"^\| {what}.*$", section(PROTOCOL, "Limits"), re.M)
        assert numbers(line) == {float(value) for value in values}
    constants = {value for name, value in vars(limits).items() if name.isupper() and isinstance(value, int | float)}
    assert constants <= {value for values in told for value in values}, "a new limit is not described"
    assert f"protocol **{VERSION}**" in PROTOCOL


def test_what_the_server_keeps_and_joins_is_described() -> None:
    assert f"the latest {live.REMEMBERED} steps" in section(PROTOCOL, "Snapshots and steps")
    assert f"the latest {table.REMEMBERED_LINES} lines of chat" in row(section(PROTOCOL, "What you can ask for"), "`history`")
    told = " ".join(section(PROTOCOL, "How a table works").split())
    assert f"more than {host.FEW_SPECTATORS} spectators" in told and f"one frame in {host.SPECTATORS_PAUSE} seconds" in told


@pytest.mark.parametrize("page", ["protocol.md", "serving.md", "operations.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", (DOCS / page).read_text()):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        there = (DOCS / (file or page)).read_text()
        anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", there, re.M)}
        assert not anchor or anchor in anchors, target


# ---- serving


def settings_of_serve() -> dict[str, str]:
    """Every flag of kortlek serve, and its environment variable."""
    found = {}
    for name, parameter in inspect.signature(serve, eval_str=True).parameters.items():
        [given] = [each for each in parameter.annotation.__metadata__ if isinstance(each, Parameter)]
        for variable in given.env_var or ():
            found[f"--{name.replace('_', '-')}"] = variable
    return found


def test_every_setting_of_the_server_is_described_by_flag_and_environment() -> None:
    assert dict(re.findall(r"^\| `(--[\w-]+)\b[^|]*\| `(\w+)` \|", SERVING, re.M)) == settings_of_serve()


def test_what_can_only_be_set_by_flag_is_described_too() -> None:
    flags = {f"--{name.replace('_', '-')}" for name in inspect.signature(serve).parameters} - settings_of_serve().keys()
    assert not flags, "every flag has an environment variable"


def test_every_number_for_prometheus_is_described(server: Server) -> None:
    told = re.findall(r"^# HELP (\w+?)(?:_created)? ", server.ask("GET", "/metrics")[1], re.M)
    names(SERVING + OPERATIONS, *(name for name in told if name != "kortlek_moves"))
    names(first_cells(OPERATIONS), *(name for name in told if name.endswith("_seconds")))


def test_a_server_is_set_up_by_its_environment_alone(tmp_path: Path) -> None:
    port = free_port()
    values = {"host": "127.0.0.1", "port": str(port), "data": str(tmp_path / "tables"), "bots": "1", "no-browser": "yes", "behind-proxy": "yes"}
    environment = {settings_of_serve()[f"--{name}"]: value for name, value in values.items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "kortlek", "serve"],
        env={**os.environ, "PYTHONPATH": str(SOURCE), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout and process.stdout.readline() == f"Kortlek is open at http://127.0.0.1:{port}\n"
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=DEADLINE)
        assert (tmp_path / "tables" / "tables.db").exists()
        assert [json.loads(line)["event"] for line in log.splitlines()] == ["start", "stop"]
    finally:
        process.kill()
