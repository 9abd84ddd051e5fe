"""``kortlek bot``: a bot in its own process that joins a table of any server and plays."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kortlek.bots import USUAL, level_called
from kortlek.cli.arguments import OwnGames, load_own_games, needs_table, seed_asked
from kortlek.engine.plain import Refused, write
from kortlek.engine.rng import seeded
from kortlek.engine.view_json import view_from_json
from kortlek.engine.views import ONLOOKER
from kortlek.game.registry import GAMES
from kortlek.words.words import words_of

if TYPE_CHECKING:
    from kortlek.table.client import Remote

STALE_CODES = {"stale", "not_your_turn", "not_playing", "started"}
"""Error codes that mean that the match has moved on meanwhile; the server sends the new position next."""


def bot(
    *,
    connect: Annotated[str, Parameter(help="The link to a table: http://.../t/CODE.")],
    level: Annotated[str, Parameter(help="How well it plays; see kortlek games.")] = USUAL,
    name: Annotated[str, Parameter(help="What it is called.")] = "Robin",
    seat: Annotated[int | None, Parameter(help="Where it sits, counted from 0; the first free seat.")] = None,
    seed: Annotated[int | None, Parameter(help="Its luck: with the same, it chooses the same in the same place.")] = None,
    game: OwnGames = None,
) -> None:
    """Sit down at a table, play until a match is over, and leave. Ctrl-C leaves at once; a bot of the server plays on."""
    needs_table()
    load_own_games(game)
    asyncio.run(sit(connect, level, name, seat, seed_asked(seed)))


async def sit(link: str, level: str, name: str, seat: int | None, seed: int) -> None:
    """Check that the bot can play at a table, join it, play one match, and leave."""
    from kortlek.table.client import Denied, Remote, ask, split_link

    server, code = split_link(link)
    table = f"/api/tables/{code}"
    versions = await versions_at(server)
    try:
        check((await ask(server, table))["table"]["game"], versions, level)
    except Denied as denied:
        if denied.code != "not_allowed":  # the table has no spectators: check again after joining
            raise
    except (KeyError, TypeError) as error:
        raise Refused(f"{server} does not answer as a table would.") from error
    joined = await ask(server, f"{table}/join", {"do": "join", "name": name, **({} if seat is None else {"seat": seat})})
    token = joined["token"]
    try:
        shown = await ask(server, table, token=token)
        check(shown["table"]["game"], versions, level)
        print(f"{name} ({level}) has sat down in seat {shown['views'][0]['seat']} to play {shown['table']['title']}. Ctrl-C leaves.")
        print(await play(Remote(server, code, token), name, level, seed))
    finally:
        with suppress(Refused):
            for view in (await ask(server, table, token=token))["views"]:
                await ask(server, f"{table}/messages", {"do": "leave", "seat": view["seat"]}, token)


async def versions_at(server: str) -> dict[str, int]:
    """The version of each game of a server. Raises Refused if the server has another protocol version."""
    from kortlek.table.client import ask
    from kortlek.table.protocol import PROTOCOL

    try:
        spoken = (await ask(server, "/health"))["protocol"]
        if spoken == PROTOCOL:
            return {game["name"]: game["version"] for game in await ask(server, "/api/games")}
    except (KeyError, TypeError) as error:
        raise Refused(f"{server} does not answer as a table would.") from error
    raise Refused(f"{server} speaks protocol {spoken}, but this program {PROTOCOL}: they are of different versions of Kortlek.")


def check(name: str, versions: dict[str, int], level: str) -> None:
    """Raise Refused if the game, its version or the level is not available here."""
    if name not in GAMES:
        raise Refused(f"The table is for {name!r}, a game that this version of Kortlek does not have.")
    game = GAMES[name]
    if versions.get(name) != game.version:
        raise Refused(f"The server plays version {versions.get(name)} of {game.title}, but this program version {game.version}.")
    level_called(game, level)


async def play(remote: Remote, name: str, level: str, seed: int) -> str:
    """Choose whenever it is the bot's turn, and return how the match ended. If a match was over on arrival, play the next one. Before it, add a
    number to the shuffle, as every client may."""
    answered, former, promise = -1, None, ""
    async for message in remote.messages():
        if message["type"] == "denied" and message["code"] not in STALE_CODES:
            raise Refused(message["sentence"])
        if message["type"] not in ("snapshot", "step"):
            continue
        table, [(mine, view)] = remote.table, remote.views.items()
        match = view.get("match")
        if mine == ONLOOKER:
            raise Refused(f"{name} has no seat at this table any more.")
        if former is None:
            former = table["commitment"] if table["status"] == "over" else ""
        if match and table["status"] == "over" and table["commitment"] != former:
            return told(table, match)
        if table["status"] != "playing" and table["promise"] != promise and not table["seats"][mine]["luck"]:
            promise = table["promise"]
            await remote.send(do="add", seat=mine, promise=promise, luck=secrets.token_hex(16))
        if match and match["legal"] and message["seq"] > answered:
            answered = message["seq"]
            seen = view_from_json(GAMES[table["game"]], match, mine)
            chosen = await asyncio.to_thread(level_called(seen.game, level).make(seeded(seed, answered), None).choose, seen)
            await remote.send(do="choose", seat=mine, choice=write(seen.game, seen.state, chosen), at=answered)
    raise AssertionError("a table never falls silent")


def told(table: dict[str, Any], match: dict[str, Any]) -> str:
    """The result of a match in words: points and winners."""
    names = tuple(table["names"])
    points = ", ".join(f"{name} {points}" for name, points in zip(names, match["score"]))
    return f"The match is over: {points}. {words_of(GAMES[table['game']]).ending(match['winners'], names)}."
