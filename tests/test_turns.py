"""Whose bots think first: people before tables where only bots play, then by the time used. What nobody watches pauses."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from clients import SHORT, Client, at, opened, there
from serving import Server, serving, wait_for
from test_timing import log_of
from test_workers import MORE, ONE, at_work, passing, pids, run

from kortlek.table.turns import BOTS, PEOPLE, Closed, Share, Turns


class Desk:
    """A queue for one worker with a clock that the test sets."""

    def __init__(self, count: int = 1) -> None:
        self.now, self.order = 0.0, list[str]()
        self.turns = Turns(count, lambda: self.now)
        self.tasks = list[asyncio.Task[None]]()

    def ask(self, name: str, rank: int = BOTS, takes: float = 1.0, label: str = "") -> asyncio.Task[None]:
        async def asks() -> None:
            turn = await self.turns.acquire(Share(name, rank))
            self.order.append(label or name)
            self.now += takes
            self.turns.release(turn)

        self.tasks.append(asyncio.create_task(asks()))
        return self.tasks[-1]

    async def all(self) -> list[str]:
        await asyncio.gather(*self.tasks)
        return self.order


def test_people_go_first_and_wait_for_one_answer_at_most() -> None:
    async def story() -> None:
        desk = Desk()
        busy = await desk.turns.acquire(Share("busy", BOTS))
        for n in range(200):
            desk.ask(f"bots {n}")
        desk.ask("people", PEOPLE)
        await passing(10)
        assert desk.order == []
        desk.turns.release(busy)
        assert (await desk.all())[0] == "people"
        assert len(desk.order) == 201

    run(story())


def test_the_table_that_has_used_least_time_goes_next() -> None:
    """One table asks long questions, others short ones: all get the same time, not the same number of answers."""

    async def story() -> None:
        desk = Desk()
        busy = await desk.turns.acquire(Share("busy", BOTS))
        for _ in range(6):
            desk.ask("long", takes=4.0)
        for _ in range(12):
            desk.ask("short", takes=1.0)
        await passing(10)
        desk.turns.release(busy)
        order = await desk.all()
        assert order[:10].count("long") == 2, order
        assert order[:10].count("short") == 8, order

    run(story())


def test_nobody_saves_up_time_by_waiting() -> None:
    async def story() -> None:
        desk = Desk()
        for _ in range(5):
            await desk.ask("old", takes=10.0)
        busy = await desk.turns.acquire(Share("old", BOTS))
        for n in range(3):
            desk.ask("old", label=f"old {n}")
            desk.ask("new", label=f"new {n}")
        await passing(10)
        desk.turns.release(busy)
        order = (await desk.all())[5:]
        assert order.index("old 0") < order.index("new 2"), "the old table does not have to wait until the new one has had 50 seconds"

    run(story())


def test_within_a_table_questions_keep_their_order() -> None:
    async def story() -> None:
        desk = Desk()
        for n in range(10):
            desk.ask("a", label=str(n))
        assert await desk.all() == [str(n) for n in range(10)]

    run(story())


def test_who_gives_up_waiting_takes_nobodys_turn() -> None:
    async def story() -> None:
        desk = Desk()
        busy = await desk.turns.acquire(Share("busy", BOTS))
        given_up = desk.ask("first")
        desk.ask("second")
        just_granted = asyncio.ensure_future(desk.turns.acquire(Share("third", PEOPLE)))
        await passing(10)
        given_up.cancel()
        desk.turns.release(busy)
        just_granted.cancel()
        await asyncio.gather(given_up, just_granted, return_exceptions=True)
        await asyncio.wait_for(desk.tasks[1], 20)
        assert desk.order == ["second"]

    run(story())


def test_a_closed_queue_lets_nobody_wait() -> None:
    async def story() -> None:
        desk = Desk()
        await desk.turns.acquire(Share())
        waiting = desk.ask("a")
        await passing(10)
        desk.turns.close()
        with pytest.raises(Closed):
            await waiting
        with pytest.raises(Closed):
            await desk.turns.acquire(Share())

    run(story())


def test_tables_that_have_gone_are_forgotten() -> None:
    async def story() -> None:
        desk = Desk()
        for n in range(2000):
            await desk.ask(f"table {n}")
        assert len(desk.turns._used) < 600

    run(story())


def test_a_workers_answer_to_people_comes_before_those_to_bots() -> None:
    """With a real worker, which is stopped while the questions come."""

    async def story() -> None:
        async with at_work() as workers:
            await workers.choose(ONE)
            (pid,) = await pids()
            os.kill(pid, signal.SIGSTOP)
            order: list[str] = []

            async def ask(name: str, rank: int) -> None:
                await workers.choose(MORE[0], Share(name, rank))
                order.append(name)

            asking = [asyncio.create_task(ask(f"bots {n}", BOTS)) for n in range(8)]
            await passing(100)
            asking += [asyncio.create_task(ask("people", PEOPLE))]
            await passing(100)
            os.kill(pid, signal.SIGCONT)
            await asyncio.gather(*asking)
            assert order[:2] == ["bots 0", "people"]

    run(story())


# ---- what nobody watches


def entries(data: Path, code: str) -> int:
    return len(log_of(data, code))


async def start_and_go(server: Server, code: str, token: str) -> None:
    """Start the match over a socket, see a few choices, and disconnect."""
    async with at(server, code, token) as owner:
        await owner.show()
        await owner.ask(do="start")
        for _ in range(3):
            await owner.show()


async def to_the_end(client: Client) -> None:
    await client.show(lambda show: bool(show["status"] == "over"))


BOTS_ONLY: dict[str, Any] = SHORT | {"name": "", "levels": ["house"] * 2, "pace": 100}


@pytest.mark.parametrize("clock", [0, 10])
def test_bots_pause_while_nobody_watches_and_go_on_when_somebody_does(tmp_path: Path, clock: int) -> None:
    async def story(server: Server) -> None:
        code, (token,) = opened(server, **BOTS_ONLY, clock=clock)
        await start_and_go(server, code, token)
        await asyncio.sleep(0.5)  # a choice that was made already is still written
        before = entries(tmp_path, code)
        await asyncio.sleep(1.5)
        assert entries(tmp_path, code) == before, "15 choices would have been made"
        async with at(server, code) as spectator:
            await to_the_end(spectator)

    with serving(tmp_path) as server:
        asyncio.run(asyncio.wait_for(story(server), 60))


def test_a_table_that_is_asked_for_over_http_is_watched(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        code, (token,) = opened(server, **BOTS_ONLY)
        server.post(f"/api/tables/{code}/messages", {"do": "start"}, token)
        wait_for(lambda: server.show(code)["status"] == "over", "the end of the match")


def test_people_who_play_by_a_clock_are_not_waited_for(tmp_path: Path) -> None:
    """Nobody is connected; Ann's time is up, a bot chooses for her, and the bot beside her goes on."""

    async def story(server: Server) -> None:
        code, (token,) = opened(server, **SHORT, levels=["house"], clock=1)
        async with there(server, code, token) as ann:
            await ann.ask(do="start")
        before = entries(tmp_path, code)
        while entries(tmp_path, code) < before + 4:
            await asyncio.sleep(0.1)

    with serving(tmp_path) as server:
        asyncio.run(asyncio.wait_for(story(server), 60))
