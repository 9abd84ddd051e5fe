"""Timers of tables: a wall clock that is set, a process that is stopped, and a log from the future neither freeze anything nor end a turn."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from clients import SHORT, at, opened, play, there
from serving import Server, serving

from kortlek.table.timing import LONGEST_GAP, STEP, Clock

TEN_MINUTES = 600_000


class Times:
    """A wall clock and a monotonic clock that a test sets."""

    def __init__(self) -> None:
        self.wall, self.monotonic = 1_700_000_000_000, 5_000
        self.clock = Clock(lambda: self.wall, lambda: self.monotonic)
        self.clock.is_beating = True

    def pass_(self, milliseconds: int) -> int:
        """Let time pass; return what the clock of timers says."""
        self.wall += milliseconds
        self.monotonic += milliseconds
        return self.clock.now()


def test_timers_do_not_follow_the_wall_clock() -> None:
    times = Times()
    began = times.clock.now()
    assert began == times.wall, "at first both are the same"
    for step in (-TEN_MINUTES, 2 * TEN_MINUTES):
        times.wall += step
        assert times.clock.now() == began
    assert times.pass_(1500) == began + 1500


def test_a_gap_is_not_counted_and_short_ones_are() -> None:
    times = Times()
    began = times.clock.now()
    assert times.pass_(LONGEST_GAP) == began + LONGEST_GAP
    assert times.pass_(LONGEST_GAP + 1) == began + LONGEST_GAP
    assert times.pass_(TEN_MINUTES) == began + LONGEST_GAP
    assert times.pass_(1) == began + LONGEST_GAP + 1


def test_moments_are_shown_by_the_wall_clock_and_do_not_tremble() -> None:
    times = Times()
    moment = times.clock.now() + 20_000
    assert times.clock.shown(moment) == times.wall + 20_000
    times.wall += STEP
    assert times.clock.shown(moment) == moment, "the same moment is shown in the same way"
    times.wall -= TEN_MINUTES + STEP
    assert times.clock.shown(moment) == times.wall + 20_000
    times.pass_(TEN_MINUTES)
    assert times.clock.shown(moment) == times.wall + 20_000, "who has 20 seconds left has them after a stop"


def test_waiting_ends_after_the_time_in_which_the_process_ran() -> None:
    """The machine sleeps between the two readings of the clock."""
    times = Times()

    async def story() -> None:
        waiting = asyncio.ensure_future(times.clock.until(times.clock.now() + 20))
        await asyncio.sleep(0)
        times.pass_(TEN_MINUTES)
        await asyncio.sleep(0.1)
        assert not waiting.done()
        times.pass_(20)
        await asyncio.wait_for(waiting, 60)

    asyncio.run(story())


def log_of(data: Path, code: str) -> list[int]:
    """The times of the entries of a table's log."""
    with sqlite3.connect(data / "tables.db") as db:
        return [at for (at,) in db.execute("SELECT at FROM entries WHERE code = ? ORDER BY seq", (code,))]


def set_forward(data: Path, by: int) -> None:
    """Move all times of the log into the future, as if the wall clock had been set back since."""
    with sqlite3.connect(data / "tables.db") as db:
        db.execute("UPDATE entries SET at = at + ?", (by,))
        db.execute("UPDATE standings SET at = at + ?", (by,))


@pytest.mark.parametrize("by", [0, TEN_MINUTES])
def test_bots_go_on_when_the_wall_clock_was_set_back_before_a_restart(tmp_path: Path, by: int) -> None:
    """The log is ten minutes ahead. A match of one person against a bot is played to its end."""

    async def play_on(server: Server, code: str, token: str) -> None:
        async with there(server, code, token) as client:
            assert (await play(client, 0))["status"] == "over"

    with serving(tmp_path) as server:
        code, (token,) = opened(server, **SHORT)
        server.post(f"/api/tables/{code}/messages", {"do": "start"}, token)
        server.kill()
        set_forward(tmp_path, by)
        server.start()
        asyncio.run(asyncio.wait_for(play_on(server, code, token), 60))
        server.kill()
    times = log_of(tmp_path, code)
    assert times == sorted(times)
    assert (times[-1] > 1000 * time.time() + TEN_MINUTES / 2) == bool(by), "the times of the log never go back"


def test_a_turn_does_not_end_while_the_server_is_stopped(tmp_path: Path) -> None:
    """SIGSTOP for longer than the turn; afterwards the player has the rest of her turn, and then a bot chooses."""

    async def story(server: Server) -> None:
        code, tokens = opened(server, "Bo", **SHORT | {"clock": 6})
        async with at(server, code, tokens[0]) as ann, at(server, code, tokens[1]) as bo:
            await ann.show()
            await bo.show()
            await ann.ask(do="start")
            shown = ann.last
            assert shown["match"]["turn"] == 0
            assert server.process
            os.kill(server.process.pid, signal.SIGSTOP)
            await asyncio.sleep(7)
            os.kill(server.process.pid, signal.SIGCONT)
            await asyncio.sleep(1.5)  # enough for a bot to choose for her
            chosen = await ann.ask(do="choose", seat=0, choice=shown["match"]["legal"][0]["choice"], at=shown["seq"])
            assert chosen["type"] == "done", chosen

    with serving(tmp_path) as server:
        asyncio.run(story(server))


def test_without_a_beat_no_gap_is_taken_for_a_stop() -> None:
    """A process without a server may read the clock as seldom as it likes."""
    times = Times()
    times.clock.is_beating = False
    began = times.clock.now()
    assert times.pass_(TEN_MINUTES) == began + TEN_MINUTES
