"""The store that a server of the first edition has written (tests/logs, made by benchmarks/first_edition_store.py), migrated and opened by the server
of today: everything that is not as it was, in sentences."""

from __future__ import annotations

import asyncio
import json
import lzma
import shutil
import sqlite3
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from clients import there
from forking import forked
from mirror import Mirror
from running import start
from serving import DEADLINE, Server, free_port, wait_for

from kortlek.engine import match, verify
from kortlek.engine.record import Record, from_line
from kortlek.engine.views import OPEN

LOGS = Path(__file__).parent / "logs"
TABLES: dict[str, dict[str, Any]] = json.loads((LOGS / "first_edition_store.json").read_text())
"""What that edition showed of each table at last, the record of the match if it was over, and everybody's token."""
CHOICES = 4
"""The number of choices that each person makes before she leaves."""
_addresses = count(1)


def unpack(data: Path) -> Path:
    """A copy of the store in this folder."""
    data.mkdir(parents=True, exist_ok=True)
    with lzma.open(LOGS / "first_edition.db.xz") as packed, (data / "tables.db").open("wb") as store:
        shutil.copyfileobj(packed, store)
    return data


def wrong_migration(data: Path) -> Iterator[str]:
    """Unpack the store and migrate it, as whoever upgrades a server does; what is not right about that."""
    unpack(data)
    code, said = ended("serve", "--port", free_port(), "--no-browser", "--data", data)
    if code != 2 or not said.endswith("it has format 1, not 2: stop every server and run kortlek migrate.\n"):
        yield f"a server on the old format ends with {code} and says {said!r}"
    code, said = ended("migrate", "--data", data)
    if code:
        yield f"it cannot be migrated: {said}"


def ended(*words: object) -> tuple[int, str]:
    """The exit code of a command that should end soon, and what it wrote to standard error."""
    with start(*words) as process:
        try:
            said = process.communicate(timeout=DEADLINE)[1]
        finally:
            process.kill()
    return process.returncode, said


def ask(server: Server, method: str, path: str, token: str = "", body: dict[str, Any] | None = None) -> tuple[int, Any]:
    """Send a request, each from an address of its own, as one may not ask so often."""
    sent = None if body is None else json.dumps(body).encode()
    headers = {"X-Forwarded-For": f"2001:db8:{next(_addresses):x}::1"}
    status, answer = server.ask(method, path, sent, token, **headers)
    return status, json.loads(answer)


def films_are_made(data: Path) -> None:
    """Wait until the films of all matches that have ended are in the store."""

    def left() -> int:
        with sqlite3.connect(data / "tables.db") as db:
            return int(db.execute("SELECT count(*) FROM matches WHERE film = x''").fetchone()[0])

    wait_for(lambda: not left(), "the films")


def whole_film(server: Server, code: str, token: str, **query: Any) -> tuple[int, Any]:
    """All moments of a match, page by page; or the refusal."""
    frames: list[Any] = []
    while True:
        status, part = ask(server, "GET", f"/api/tables/{code}/replay?{urlencode({**query, 'from': len(frames)})}", token)
        if status != 200:
            return status, part
        frames += part["frames"]
        if len(frames) >= part["known"]:
            return status, {**part, "frames": frames}


# ---- with the same rules


def wrong_today(server: Server, only: str = "") -> Iterator[str]:
    """What is not right at the tables of all games, or of one, if the rules are the same: finished matches replay, running ones are played to their
    end."""
    for code, was in TABLES.items():
        if only not in ("", was["game"]):
            continue
        for found in wrong_show(server, code, was):
            yield f"{was['what']}: {found}"
        if was["record"]:
            for found in wrong_replay(server, code, was["tokens"][0], from_line(was["record"]), every_seat=True):
                yield f"{was['what']}: {found}"
        try:
            asyncio.run(play_on(server, code, was))
        except (AssertionError, StopIteration) as error:
            yield f"{was['what']}: cannot be played to its end: {error}"


def wrong_show(server: Server, code: str, was: dict[str, Any]) -> Iterator[str]:
    """Everyone sees what she saw."""
    for seen in was["seen"]:
        shows = [show for token in was["tokens"] for show in shows_of(server, code, token) if show["seat"] == seen["seat"]]
        if not shows:
            yield f"seat {seen['seat']} is not shown"
            continue
        [show] = shows
        for key in ("status", "seq", "commitment", "promise", "game"):
            if show[key] != was[key]:
                yield f"{key} is {show[key]}, not {was[key]}"
        if show["match"]:
            hand = next(place["cards"] for place in show["match"]["places"].values() if (place["place"], place["seat"]) == ("hand", seen["seat"]))
            choices = [each["choice"] for each in show["match"]["legal"]]
            if (show["match"]["score"], sorted(hand), choices) != (seen["score"], sorted(seen["hand"]), seen["choices"]):
                yield f"seat {seen['seat']} sees something else"


def shows_of(server: Server, code: str, token: str = "") -> list[Any]:
    """The table as a person sees it; nothing if she was sent away."""
    status, shows = ask(server, "GET", f"/api/tables/{code}", token)
    return [each for each in Mirror().hear(shows) if each["type"] == "show"] if status == 200 else []


def wrong_replay(server: Server, code: str, token: str, record: Record, *, every_seat: bool, number: int | None = None) -> Iterator[str]:
    """The record is the same, and the film shows its events and its result."""
    query = {} if number is None else {"match": number}
    status, answer = ask(server, "GET", f"/api/tables/{code}/record?{urlencode(query)}", token)
    if status != 200:
        yield f"no record: {answer['sentence']}"
        return
    now = from_line(json.dumps(answer))
    if (now.game, now.version, now.seats, now.seed, now.events, now.result) != (
        record.game,
        record.version,
        record.seats,
        record.seed,
        record.events,
        record.result,
    ):
        yield "the record is another"
    for seat in (OPEN, *range(len(record.seats) if every_seat else 0)):
        status, film = whole_film(server, code, token, seat=seat, **query)
        if status != 200:
            yield f"no film for seat {seat}: {film['sentence']}"
            continue
        chosen = [frame["choice"] for frame in film["frames"] if frame["choice"]]
        last = film["frames"][-1]["match"]
        if chosen != [event for event in record.events if not event.startswith(("deal ", "lots ", "shuffle "))]:
            yield f"the film for seat {seat} shows other choices"
        if record.result is None or (last["score"], last["winners"], last["phase"]) != (record.result.scores, record.result.winners, "over"):
            yield f"the film for seat {seat} has another result"


async def play_on(server: Server, code: str, was: dict[str, Any]) -> None:
    """Everybody who sits there makes a few choices and leaves, so that bots play the match (or the first one, if none had begun) to its end; then its
    deals are verified."""
    tokens = [token for token in was["tokens"] if shows_of(server, code, token)]
    assert tokens, "nobody is let in"
    async with there(server, code, tokens[0]):
        if was["status"] == "waiting":
            status, answer = await asyncio.to_thread(ask, server, "POST", f"/api/tables/{code}/messages", tokens[0], {"do": "start"})
            assert status in (200, 201), answer
        chosen = dict.fromkeys(tokens, 0)
        for token in cycle(tokens):
            shows = await asyncio.to_thread(shows_of, server, code, token)
            if shows[0]["status"] == "over":
                break
            show = next((show for show in shows if show["match"]["legal"]), None)
            if show and chosen[token] < CHOICES:
                choice = {"do": "choose", "seat": show["seat"], "choice": show["match"]["legal"][0]["choice"], "at": show["seq"]}
                chosen[token] += (await asyncio.to_thread(ask, server, "POST", f"/api/tables/{code}/messages", token, choice))[0] == 201
            elif show:
                await asyncio.to_thread(ask, server, "POST", f"/api/tables/{code}/messages", token, {"do": "leave", "seat": show["seat"]})
            else:
                await asyncio.sleep(0.02)
    status, answer = ask(server, "GET", f"/api/tables/{code}/record", tokens[0])
    assert status == 200, answer
    record = from_line(json.dumps(answer))
    assert verify.check(record).commitment == shows_of(server, code, tokens[0])[0]["commitment"], "something else was promised"
    match.check(record)


# ---- with other rules


def wrong_later(server: Server) -> Iterator[str]:
    """What is not right if every game has another version: all tables open, finished matches replay, running ones say why they cannot go on, and new
    ones begin."""
    for code, was in TABLES.items():
        for found in wrong_with_other_rules(server, code, was):
            yield f"{was['what']}, with other rules: {found}"


def wrong_with_other_rules(server: Server, code: str, was: dict[str, Any]) -> Iterator[str]:
    """The same for one table."""
    tokens = [token for token in was["tokens"] if shows_of(server, code, token)]
    if len(tokens) < len({seen["seat"] for seen in was["seen"]}):
        yield f"only {len(tokens)} people are let in"
        return
    [show] = shows_of(server, code, tokens[0])
    if show["status"] != was["status"] or [seat["name"] for seat in show["seats"]] != was["names"]:
        yield "the table is not as it was"
    if was["record"]:
        yield from wrong_replay(server, code, tokens[0], from_line(was["record"]), every_seat=False)
    if was["status"] == "playing":
        if not show["notice"] or show["notice"]["id"] != "refuse-version" or show["notice"]["args"]["begun"] != 1:
            yield f"it does not say why it cannot go on, but {show['notice']}"
        status, record = ask(server, "GET", f"/api/tables/{code}/record", tokens[0])
        if status != 200 or record["result"] is not None or not record["events"]:
            yield f"there is no record so far: {status}"
        choice = {"do": "choose", "seat": show["yours"][0], "choice": "play H2", "at": show["seq"]}
        status, answer = ask(server, "POST", f"/api/tables/{code}/messages", tokens[0], choice)
        if (status, answer["code"]) != (409, "not_playing"):
            yield f"a choice is answered {answer}"
    status, answer = ask(server, "POST", f"/api/tables/{code}/messages", tokens[-1] if was["status"] != "waiting" else tokens[0], {"do": "start"})
    if status not in (200, 201):
        yield f"no new match: {answer['sentence']}"
        return
    [show] = shows_of(server, code, tokens[0])
    if show["notice"] or show["match"] is None or sorted(seat["name"] for seat in show["seats"]) != sorted(was["names"]):
        yield "the new match is not one of the same people"


# ---- both


def played_on(data: Path, plant: str = "", only: str = "") -> list[str]:
    """Everything that is wrong with the store at a server of today. ``plant`` is one of ``forking.PLANTS``."""
    wrong = [*wrong_migration(data)]
    with forked(data, plant) as server:
        return [*wrong, *wrong_today(server, only)]


def upgraded(data: Path, today: str = "", later: str = "later edition") -> list[str]:
    """Everything that is wrong with the store at a server of a later edition, after one of today has been killed as soon as the films were made."""
    wrong = [*wrong_migration(data)]
    with forked(data, today):
        films_are_made(data)
    with forked(data, later) as server:
        return [*wrong, *wrong_later(server)]
