"""Bots in worker processes: they choose as they would in this process, may die or hang at any time, and get no hidden card.

A stopped process (SIGSTOP) stands for one that thinks as long as the test wants.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import active_children, spawn
from pathlib import Path
from typing import Any

import pytest
from playing import walk
from running import SOURCE

from kortlek.bots import CLUB, HOUSE, RANDOM, levels_of
from kortlek.bots.explain import why
from kortlek.cards import bit, lowest, members
from kortlek.engine.plain import Refused
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import ONLOOKER, view
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.table.workers import ANSWER, PREPARING, READY, Gone, Question, Workers, work

TIMEOUT = 60
"""Seconds after which a test is considered to hang."""


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, TIMEOUT))


@asynccontextmanager
async def at_work(count: int = 1, patience: float = 2 * TIMEOUT, games: tuple[str, ...] = (), soon: float = 2 * TIMEOUT) -> AsyncIterator[Workers]:
    workers = Workers(count, patience, games, soon)
    workers.start()
    try:
        yield workers
    finally:
        await workers.close()


def noted(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """The journal entries about bots on the standard error."""
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert all(line["event"] == "bot" for line in lines)
    return lines


async def pids(count: int = 1) -> list[int]:
    """The pids of the workers, as soon as they are started."""
    while len(active_children()) < count:
        await asyncio.sleep(0)
    return [child.pid for child in active_children() if child.pid]


async def passing(turns: int) -> None:
    """Let the event loop run this number of iterations."""
    for _ in range(turns):
        await asyncio.sleep(0)


def is_there(pid: int) -> bool:
    """Whether a process exists, be it only as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def questions(game: Game[Any], level: str, how_many: int = 3) -> list[Question]:
    """Questions with more than one legal choice, from a random match."""
    turns = (view(game, s, s.turn) for s in walk(game, game.players[-1], {}, 5) if s.phase >= 0)
    asked = [Question.about(seen, level, seed) for seed, seen in enumerate(turns) if seen.legal & (seen.legal - 1)]
    return asked[:: len(asked) // how_many][:how_many]


def here(question: Question) -> int:
    """The choice of the bot in this process."""
    return levels_of(GAMES[question.game])[question.level].make(question.seed, None).choose(question.view())


ONE, OTHER, *MORE = questions(GAMES["plump"], HOUSE, 10)


def test_a_worker_answers_what_the_bot_would_answer_here() -> None:
    async def story() -> None:
        async with at_work() as workers:
            asked = [question for game in GAMES.values() for level in (RANDOM, HOUSE, CLUB) for question in questions(game, level)]
            assert await asyncio.gather(*map(workers.choose, asked)) == [here(question) for question in asked]
            for question in [question for question in asked if question.level != RANDOM][::3]:
                seen, reasons = question.view(), await workers.why(question)
                told = why(seen, question.seed, question.level)
                assert [(each.choice, each.points) for each in reasons] == [(each.choice, each.points) for each in told.thoughts]
                assert reasons[0].choice == here(question)
                assert reasons[0].message == told.message.args["reason"]
                assert all(each.message.id.startswith("reason-") for each in reasons)
            assert workers.replaced == 0

    run(story())


def test_questions_are_answered_in_the_order_in_which_they_were_asked() -> None:
    async def story() -> None:
        async with at_work() as workers:
            order: list[int] = []

            async def ask(number: int, question: Question) -> None:
                await workers.choose(question)
                order.append(number)

            await asyncio.gather(*(ask(number, question) for number, question in enumerate(MORE)))
            assert order == list(range(len(MORE)))

    run(story())


# ---- what goes wrong


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_dies_between_two_questions_is_replaced(number: signal.Signals) -> None:
    async def story() -> None:
        async with at_work() as workers:
            assert await workers.choose(ONE) == here(ONE)
            os.kill((await pids())[0], number)
            assert await workers.choose(OTHER) == here(OTHER)
            assert workers.replaced == 1

    run(story())


def test_a_worker_that_dies_over_a_question_is_replaced() -> None:
    async def story() -> None:
        async with at_work() as workers:
            await workers.choose(ONE)
            (pid,) = await pids()
            os.kill(pid, signal.SIGSTOP)
            coming = asyncio.ensure_future(workers.choose(OTHER))
            await passing(1000)
            os.kill(pid, signal.SIGKILL)
            assert await coming == here(OTHER)
            assert workers.replaced == 1
            assert len(active_children()) == 1
            assert not is_there(pid)

    run(story())


def test_a_worker_that_hangs_is_replaced() -> None:
    async def story() -> None:
        async with at_work(patience=0.01) as workers:
            await workers.choose(ONE)
            (pid,) = await pids()
            os.kill(pid, signal.SIGSTOP)
            assert await workers.why(OTHER) == OTHER.reasons() != OTHER.usual_reasons()
            assert workers.replaced == 1
            assert not is_there(pid)

    run(story())


@pytest.mark.parametrize("level", [HOUSE, CLUB])
def test_a_worker_that_starts_or_prepares_a_game_is_not_hanging(level: str) -> None:
    """The timeout starts with the question: even with a timeout of zero, a worker that must first start and load an engine still answers."""

    async def story() -> None:
        async with at_work(patience=0.0) as workers:
            question = replace(ONE, level=level)
            assert await workers.choose(question) == here(question)
            assert workers.replaced == 0

    run(story())


@pytest.fixture(params=["/no/such/program", "/bin/false"])
def broken_python(request: pytest.FixtureRequest) -> Iterator[str]:
    """Workers are started with a program that does not exist, or is not Python."""
    usual = spawn.get_executable()
    spawn.set_executable(request.param)
    yield request.param
    spawn.set_executable(usual)


def test_if_no_worker_can_be_started_rules_of_thumb_choose(broken_python: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        async with at_work() as workers:
            for question in (ONE, replace(OTHER, level=RANDOM)):
                assert await workers.choose(question) == here(question)
            assert await workers.choose(replace(ONE, level=CLUB)) == here(ONE)
            (told,) = await workers.why(replace(ONE, level=CLUB))
            assert told.choice == here(ONE)
            assert told.message.id.startswith("reason-")
            assert workers.replaced == 8

    run(story())
    told_of = noted(capsys)
    assert len(told_of) == 8
    assert {(each["game"], each["what"]) for each in told_of} == {("plump", "is lost")}


def test_a_bot_that_fails_is_told_of_without_cards_and_the_house_plays(capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        async with at_work() as workers:
            assert await workers.choose(replace(ONE, level="nobody")) == here(ONE)
            assert await workers.choose(OTHER) == here(OTHER)
            assert workers.replaced == 0

    run(story())
    (line,) = noted(capsys)
    assert (line["level"], line["game"], line["what"]) == ("nobody", "plump", "failed")
    assert re.fullmatch(r"Refused in levels\.py, line \d+", line["why"])


def test_an_illegal_answer_never_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    """The bot computes the legal choices itself; here the question claims that others are legal."""

    async def story() -> None:
        async with at_work() as workers:
            for question in MORE:
                others = question.legal & ~bit(here(question))
                assert await workers.choose(replace(question, legal=others)) == lowest(others)
            assert workers.replaced == 0

    run(story())
    assert {(each["level"], each["game"], each["what"], each["why"]) for each in noted(capsys)} == {
        ("house", "plump", "failed", "the choice is not legal")
    }


# ---- the server goes on meanwhile


def test_the_event_loop_goes_on_while_a_bot_thinks() -> None:
    async def story() -> None:
        async with at_work(patience=TIMEOUT / 2) as workers:
            await workers.choose(ONE)
            (pid,) = await pids()
            os.kill(pid, signal.SIGSTOP)
            coming = asyncio.ensure_future(workers.choose(OTHER))
            await passing(1000)
            assert not coming.done()
            os.kill(pid, signal.SIGCONT)
            assert await coming == here(OTHER)
            assert workers.replaced == 0

    run(story())


def test_while_one_worker_thinks_the_other_answers() -> None:
    async def story() -> None:
        async with at_work(2) as workers:
            await asyncio.gather(workers.choose(ONE), workers.choose(ONE))
            pid, _ = await pids(2)
            os.kill(pid, signal.SIGSTOP)
            coming = [asyncio.ensure_future(workers.choose(question)) for question in (ONE, OTHER)]
            done, waiting = await asyncio.wait(coming, return_when=asyncio.FIRST_COMPLETED)
            assert (len(done), len(waiting)) == (1, 1)
            os.kill(pid, signal.SIGCONT)
            assert await asyncio.gather(*coming) == [here(ONE), here(OTHER)]
            assert workers.replaced == 0

    run(story())


def test_whoever_does_not_want_the_answer_any_more_does_not_leave_it_to_the_next() -> None:
    async def story() -> None:
        different = next(question for question in MORE if here(question) != here(ONE))
        async with at_work() as workers:
            await workers.choose(ONE)
            (pid,) = await pids()
            os.kill(pid, signal.SIGSTOP)
            given_up = asyncio.ensure_future(workers.choose(ONE))
            await passing(1000)
            given_up.cancel()
            coming = asyncio.ensure_future(workers.choose(different))
            await passing(1000)
            os.kill(pid, signal.SIGCONT)
            assert await coming == here(different)
            assert given_up.cancelled()

    run(story())


def test_a_question_does_not_wait_for_the_games_that_nobody_plays() -> None:
    """The question is sent before the worker starts: it is answered first, then the games are prepared in the given order."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    ours.send((Question.choice, ONE))
    worker = context.Process(target=work, args=(theirs, ("up_and_down", "plump")), daemon=True)
    worker.start()
    theirs.close()
    assert ours.recv() == (ANSWER, here(ONE))
    assert [ours.recv()[0] for _ in range(4)] == [PREPARING, READY] * 2
    club = replace(OTHER, level=CLUB)
    ours.send((Question.choice, club))
    assert ours.recv() == (ANSWER, here(club))
    ours.close()
    worker.join(TIMEOUT)
    assert worker.exitcode == 0


def test_while_a_worker_prepares_rules_of_thumb_choose_and_then_it_does() -> None:
    questions = (Question.about(view(GAMES["plump"], s, s.turn), CLUB, 1) for s in walk(GAMES["plump"], 4, {}, 3) if s.phase >= 0)
    question = next(each for each in questions if each.usual_choice() != here(each))

    async def story() -> None:
        async with at_work(soon=0.0) as workers:
            assert await workers.choose(question) == question.usual_choice()
            while await workers.choose(question) != here(question):
                await asyncio.sleep(0)
            assert workers.replaced == 0

    run(story())


WORDS_NEED = ("fluent", "attr", "attrs", "babel", "pytz", "typing_extensions")
"""Packages that the words need; the rest of the package needs only the standard library."""


@pytest.mark.parametrize("packages", ["", "-S"], ids=["with_numba", "without_numba"])
def test_the_server_itself_loads_no_engine(packages: str, tmp_path: Path) -> None:
    for name in WORDS_NEED:
        found = find_spec(name)
        assert found
        here = Path(next(iter(found.submodule_search_locations or []), found.origin or ""))
        (tmp_path / here.name).symlink_to(here)
    program = f"""
import sys
sys.path[:0] = [{str(SOURCE)!r}, {str(tmp_path)!r}]
import asyncio
from kortlek.table.workers import Question, Workers
async def story():
    workers = Workers(soon=60)
    workers.start()
    for level in ("house", "club"):
        question = Question.first("plump", level)
        assert question.legal >> await workers.choose(question) & 1
    assert len(await workers.why(question)) > 1
    await workers.close()
asyncio.run(story())
print({{"numba", "numpy", "llvmlite"}} & set(sys.modules) or "nothing")
"""
    done = subprocess.run([sys.executable, *packages.split(), "-I", "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("nothing\n", "")


# ---- ending


@pytest.mark.parametrize(("asked", "games"), [([], ()), ([ONE], ("plump", "rummy"))])
def test_closing_leaves_no_process(asked: list[Question], games: tuple[str, ...]) -> None:
    async def story() -> None:
        async with at_work(2, games=games) as workers:
            await asyncio.gather(*map(workers.choose, asked))
            started = await pids(2)
        assert not any(map(is_there, started))
        assert active_children() == []
        await workers.close()
        with pytest.raises(Gone, match="The bots have left"):
            await workers.choose(ONE)

    run(story())


def test_closing_tells_those_who_wait(capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        async with at_work(patience=TIMEOUT / 4) as workers:
            await workers.choose(ONE)
            (pid,) = await pids()
            os.kill(pid, signal.SIGSTOP)
            waiting = [asyncio.ensure_future(ask) for ask in (workers.choose(ONE), workers.why(ONE), workers.choose(OTHER))]
            await passing(1000)
            await workers.close()
            assert [type(each) for each in await asyncio.gather(*waiting, return_exceptions=True)] == [Gone] * 3
            assert not is_there(pid)
            assert workers.replaced == 0

    run(story())
    assert capsys.readouterr().err == ""


def test_ctrl_c_is_for_the_server_alone() -> None:
    """A terminal sends SIGINT to all processes, at any moment."""

    async def story() -> None:
        async with at_work() as workers:
            (pid,) = await pids()
            for question in (ONE, OTHER):
                os.kill(pid, signal.SIGINT)
                assert await workers.choose(question) == here(question)
            assert workers.replaced == 0

    run(story())


def test_when_the_server_is_killed_the_workers_go_too() -> None:
    """The workers hold the server's stdout open, so that it closes only when they end."""
    program = """
import asyncio
from kortlek.table.workers import Question, Workers
async def story():
    workers = Workers(2, games=())
    workers.start()
    await asyncio.gather(*(workers.choose(Question.first("plump", "house")) for _ in range(2)))
    print("here", flush=True)
    await asyncio.Event().wait()
asyncio.run(story())
"""
    server = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(SOURCE)}, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stdout.readline() == "here\n"
    server.kill()
    assert server.communicate(timeout=TIMEOUT)[0] == ""


# ---- what a worker is sent

Tells = Callable[[Game[Any], Any, int], bytes]


def a_question(game: Game[Any], s: Any, seat: int) -> bytes:
    return pickle.dumps(Question.about(view(game, s, seat), CLUB, 1))


def a_question_about_the_whole_state(game: Game[Any], s: Any, seat: int) -> bytes:
    return pickle.dumps(replace(Question.about(view(game, s, seat), CLUB, 1), state=s))


def leaks(tells: Tells, game: Game[Any], every: int = 5) -> bool:
    """Whether what a worker is sent ever changes when the cards that the seat cannot see are permuted."""
    rng = [seeded(31, 0)]
    moments = (s for seed, players in enumerate(game.players) for s in walk(game, players, {}, seed) if s.phase >= 0)
    return any(tells(game, s, s.turn) != tells(game, redeal(view(game, s, s.turn), rng), s.turn) for at, s in enumerate(moments) if at % every == 0)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_what_a_worker_is_told_does_not_depend_on_hidden_cards(game: Game[Any]) -> None:
    assert not leaks(a_question, game)
    assert leaks(a_question_about_the_whole_state, game)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_a_question_comes_out_as_it_went_in(game: Game[Any]) -> None:
    for question in questions(game, CLUB):
        other = pickle.loads(pickle.dumps(question))
        assert other == question
        assert other.view() == question.view()
        assert [choice for choice in range(62) if other.allows(choice)] == list(members(question.legal))
        assert not other.allows(-1)


@pytest.mark.parametrize("seat", [ONLOOKER, 1])
def test_only_a_seat_whose_turn_it_is_can_be_asked(seat: int) -> None:
    s = next(s for s in walk(GAMES["plump"], 3, {}, 1) if s.phase >= 0 and s.turn == 0)
    with pytest.raises(Refused, match="There is nothing to choose: it is not this seat's turn."):
        Question.about(view(GAMES["plump"], s, seat), CLUB, 1)
