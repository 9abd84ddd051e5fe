"""The tables of a server process: their connections, the appends to their logs, and their timers and bots.

Every message is processed in the same order: check, append, commit, then apply to the table and send to the clients. Each table has a lock, so that
the check still holds when the facts are applied. A table is owned by one process (kortlek.table.owners): no other writes to its log. If an append
that failed was written after all, the next one raises ``Taken``; then the new entries are read, and the message is checked again.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from time import perf_counter

from kortlek.engine.views import ONLOOKER
from kortlek.game import Message
from kortlek.table import clocks, handlers
from kortlek.table.archive import Archive, ended_between
from kortlek.table.facts import BOT, AnyFact, Happened, Quiet
from kortlek.table.frames import Before, Change, joined, snapshot
from kortlek.table.journal import noted
from kortlek.table.limits import SPECTATORS, TABLES
from kortlek.table.live import Connection, Live, milliseconds, rebuilt
from kortlek.table.measure import Measures
from kortlek.table.protocol.client_in import AnyRequest, Join
from kortlek.table.protocol.client_out import encoded
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.owners import Elsewhere, Owners
from kortlek.table.refusals import Refusal
from kortlek.table.store import Failed, Lost, Store, Taken
from kortlek.table.table import PLAYING, REMEMBERED_IDS, STRANGER, Moves, Step, Table
from kortlek.table.timing import CLOCK
from kortlek.table.workers import Question, Workers

CODE_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""The alphabet of table codes: no two letters look or sound alike, and without vowels no words are formed."""
CODE_LENGTH = 10
"""The length of the codes of new tables: 47 bits. The first edition had codes of 6 letters, which remain valid."""
FEW_SPECTATORS = 8
"""Up to this many spectators of a table are sent every change at once; more of them several changes at a time."""
SPECTATORS_PAUSE = 0.2
"""Seconds between two frames for many spectators."""
SPECTATORS_BATCH = 25
"""How many spectators are sent a frame before other tasks get a turn."""
MAX_TRIES = 2
"""How many times a message is tried: again if the log was longer than the table in memory."""
FAILURE_PAUSE = 0.5
"""Seconds of pause after a failed append."""
SWEEP_SECONDS = 60.0
"""Seconds between two sweeps that drop idle tables from memory."""


class Answers:
    """The acknowledgement of a message: the connection that it came from, its id, and whether a frame has carried it."""

    def __init__(self, by: Connection, message_id: str) -> None:
        self.by, self.message_id, self.is_sent = by, message_id, False


class Host:
    """All tables of one process."""

    def __init__(self, store: Store, workers: Workers, owners: Owners | None = None) -> None:
        self.store, self.workers, self.owners, self.archive = store, workers, owners or Owners(), Archive(store)
        self.live: dict[str, Live] = {}
        self.measures = Measures()
        self.on_lost: Callable[[Collection[str]], None] = lambda codes: None
        """Called with the codes of tables that were lost to other processes: their clients have to connect again."""
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def start(self) -> None:
        """Open the store, and resume the matches that were in progress."""
        await self.store.open()
        await self.owners.start()
        self.workers.start()
        self._in_background(self.owners.keep(self._lose_all))
        self._in_background(self._adopt())
        self._in_background(self._wake_all())
        self._in_background(self._forget())
        self._in_background(self.archive.run())
        self._in_background(CLOCK.beat())
        self._in_background(self.measures.watch_loop())

    def refuse(self) -> None:
        """Refuse new work from now on."""
        self._stopping = True

    async def stop(self) -> None:
        """Refuse new work, finish pending appends, and close."""
        self.refuse()
        for live in list(self.live.values()):
            self._rest(live)
        await self.archive.finish()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live in list(self.live.values()):
            async with live.lock:
                pass
        await self.owners.stop()
        await self.workers.close()
        await self.store.close()

    def _in_background(self, work: Awaitable[None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ---- tables

    async def open(self, asked: Open) -> tuple[str, str]:
        """Open a new table; return its code and the token of its owner."""
        self._must_work()
        self._make_room()
        token = new_token()
        made = handlers.open_table(asked, token)
        while True:
            table = Table("".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)))
            entries = table.entries(made, milliseconds())
            table.take_all(entries, made, CLOCK.now())
            try:
                epoch = await self.owners.claim(table.code, is_new=True)
                await self.store.append(entries, table.standing(), epoch=epoch)
            except (Taken, Lost, Elsewhere):
                continue
            self.live[table.code] = Live(table, epoch=epoch)
            return table.code, token

    async def find(self, code: str) -> Live:
        """The table with this code, loaded from the store if necessary; Refusal if there is none, or if another process owns it (Elsewhere)."""
        if code not in self.live or not self.owners.is_sure:
            try:
                async with self._loading.setdefault(code, asyncio.Lock()):
                    epoch = await self.owners.claim(code) if code.isascii() and code.isalnum() else 0
                    if code not in self.live:
                        entries = await self.store.read(code) if code.isascii() and code.isalnum() else []
                        if not entries:
                            raise Refusal("unknown", "refuse-no-table")
                        live = await rebuilt(code, entries, epoch)
                        await self.archive.look_up(live.table)
                        self._make_room()
                        self.live.setdefault(code, live)
            finally:  # otherwise every invented code would leave a lock behind
                self._loading.pop(code, None)
        return self.live[code]

    async def look(self, code: str) -> Live:
        """``find``, for somebody who watches without a socket: the bots go on for a while."""
        live = await self.find(code)
        was_watched = live.is_watched
        live.look()
        if not was_watched:
            async with self._change(code) as live:
                live.look()
        return live

    async def ask(self, code: str, message: AnyRequest, token: str = "") -> tuple[int, str]:
        """Apply a message that came over HTTP, once; return the number of the last log entry, and a new token if the sender had none."""
        person = await self.person(code, token)
        await self.look(code)
        seq, new, _ = await self.ask_as(code, message, person)
        return seq, new

    async def person(self, code: str, token: str) -> int:
        """The number of the person with this token; Refusal if it is not a token of this table."""
        person = (await self.find(code)).table.person_with(token) if token else STRANGER
        if token and person == STRANGER:
            raise Refusal("no_token", "refuse-token")
        return person

    async def ask_as(self, code: str, message: AnyRequest, person: int, by: Connection | None = None) -> tuple[int, str, bool]:
        """The same as ``ask``, for a person who is already identified. Return also whether the connection ``by`` was sent a frame that carries the
        acknowledgement."""
        token = new_token() if isinstance(message, Join) and person == STRANGER else ""
        mid = f"{person}/{message.id}" if message.id and person != STRANGER else ""
        asked = perf_counter()
        async with self._change(code) as live:
            self.measures.lock_wait.observe(perf_counter() - asked)
            for _ in range(MAX_TRIES):
                if mid in live.table.answered:
                    return live.table.number(live.table.answered[mid], person), "", False
                answers = Answers(by, message.id) if by else None
                try:
                    with self.measures.check.time():
                        made = handlers.ask(live.table, message, person, token)
                    if not made or await self._append(live, made, mid, answers):
                        return live.table.number(live.table.seq, person), token, answers is not None and answers.is_sent
                except Refusal:
                    if not await self._was_answered(live, mid):
                        raise
                await self._was_answered(live, mid)
        raise Refusal("too_many", "refuse-busy")

    async def _was_answered(self, live: Live, mid: str) -> bool:
        """Whether a message was applied so long ago that the table has forgotten its id; then the table is reminded of it."""
        if not mid or len(live.table.answered) < REMEMBERED_IDS:
            return False
        seq = await self.store.seq_of(live.table.code, mid)
        if seq is not None:
            live.table.answered[mid] = seq
        return seq is not None

    # ---- connections

    async def connect(self, code: str, connection: Connection, since: int | None) -> None:
        """Send a client the steps that it has missed, or a snapshot, and everything from now on."""
        async with self._change(code) as live:
            table, person = live.table, connection.person
            if table.closed:
                raise Refusal("not_allowed", "refuse-closed")
            connection.look(table)
            if not connection.seats:
                raise Refusal("not_allowed", "refuse-looking-on")
            if not table.seats_of(person) and live.watching() >= SPECTATORS:
                raise Refusal("too_many", Message("refuse-spectators", {"count": SPECTATORS}))
            if person == STRANGER:
                self._flush(live)
                self._catch_up(live, connection, since)
                live.spectators.append(connection)
                return
            while made := clocks.here(table, person):
                if await self._append(live, made):
                    break
            self._tell(live, live.teller.presence(table))
            connection.look(table)
            self._catch_up(live, connection, since)
            live.connections.append(connection)

    def _catch_up(self, live: Live, connection: Connection, since: int | None) -> None:
        """Send a client the recent steps after ``since`` and the present table, or a snapshot; a delayed spectator what her delay allows."""
        table, person = live.table, connection.person
        if connection.hold and live.delayed:
            live.delayed.advance(milliseconds())
            connection.send(live.delayed.base, live.delayed.at)
            for frame, at in live.delayed.later:
                connection.send(frame, at)
            return
        missed = live.missed_by(person, since) if since is not None else None
        if missed is None:
            self.send_snapshot(live, connection)
            return
        for change in missed:
            connection.send(change.frame(table, person, connection.seats), change.at)
        present = Change(table.seq, table.seq, table.told_at, encoded(live.teller.told), {})  # who is connected has no number
        connection.send(present.frame(table, person, connection.seats), table.at)

    def send_snapshot(self, live: Live, connection: Connection, done: str = "") -> None:
        """Send a client the whole table; ``done`` is the id of the request for it."""
        connection.send(encoded(snapshot(live.table, connection.person, done)), live.table.at)

    async def disconnect(self, code: str, connection: Connection) -> None:
        """Remove the connection of a client that has gone."""
        if code not in self.live:
            return  # the table was lost to another process
        async with self._change(code) as live:
            if connection in live.spectators:
                live.spectators.remove(connection)
            if connection in live.connections:
                live.connections.remove(connection)
                if all(other.person != connection.person for other in live.connections):
                    clocks.gone(live.table, connection.person, CLOCK.now())
                    self._tell(live, live.teller.presence(live.table))

    # ---- check, append, commit, apply, send

    @asynccontextmanager
    async def _change(self, code: str) -> AsyncIterator[Live]:
        """Hold the lock of a table; afterwards set its timers, or drop it from memory if it is no longer needed."""
        while True:
            self._must_work()
            live = await self.find(code)
            async with live.lock:
                if self.live.get(code) is not live:
                    continue  # it was dropped from memory while we waited for its lock
                try:
                    yield live
                finally:
                    if not self._stopping and self.live.get(code) is live:
                        self._set_clocks(live)
                return

    def _must_work(self) -> None:
        if self._stopping:
            raise Refusal("stopping", "refuse-stopping")

    async def _append(self, live: Live, made: Sequence[AnyFact], mid: str = "", answers: Answers | None = None) -> bool:
        """Append facts to the log and, when they are durable, apply them. False if the log had more entries than the table
        in memory. The standing of a table is written only with facts that change it."""
        table = live.table
        before = Before.of(table)
        entries = table.entries(made, milliseconds(), mid)
        ends = isinstance(made, Moves) and made.match.over
        later, steps = table, list[Step]()
        if ends or not all(isinstance(fact, Quiet) for fact in made):
            later = table.copy()
            steps = later.take_all(entries, made, CLOCK.now())
        standing, ended = (None, None) if later is table else (later.standing(), ended_between(table, later))
        began = perf_counter()
        try:
            is_told_to_stop = await finished(asyncio.ensure_future(self.store.append(entries, standing, ended, live.epoch)))
        except Lost:
            self._lose(live)
            raise Refusal("stopping", "refuse-moved") from None
        except Taken:
            await self._read_on(live)
            return False
        except Failed as failed:
            await asyncio.sleep(FAILURE_PAUSE)
            raise Refusal("failed", "refuse-not-kept") from failed
        durable = perf_counter()
        self.measures.commit.observe(durable - began)
        live.table = later
        self.archive.add(later.code, ended)
        steps = steps or later.take_all(entries, made, CLOCK.now())
        self.measures.moves.inc(sum(isinstance(fact, Happened) for fact in made))
        self._tell(live, live.teller.change(later, before, steps, live.viewpoints()), answers)
        self.measures.tell.observe(perf_counter() - durable)
        if is_told_to_stop:
            raise asyncio.CancelledError
        return True

    async def _read_on(self, live: Live) -> None:
        """Read and apply the entries of appends that seemed to have failed."""
        before = Before.of(live.table)
        entries = await self.store.read(live.table.code, live.table.seq)
        if entries:
            steps = [live.table.take(entry, CLOCK.now()) for entry in entries]
            self._tell(live, live.teller.change(live.table, before, steps, live.viewpoints()))

    def _tell(self, live: Live, change: Change | None, answers: Answers | None = None) -> None:
        """Send a change to everyone whom it concerns, each in one frame."""
        if change is None:
            return
        table = live.table
        live.remember(change)
        for connection in live.connections:
            if not change.concerns(connection.person):
                continue  # a sealed choice of another person: send nothing at all
            if change.is_snapshot:
                connection.look(table)
            done = answers.message_id if answers and answers.by is connection and connection.seats and not connection.hold else ""
            if done and answers:
                answers.is_sent = True
            if connection.seats:
                connection.send(change.frame(table, connection.person, connection.seats, done), change.at)
        if change.only is None and table.settings.spectators != "off":
            self._tell_spectators(live, change)

    def _tell_spectators(self, live: Live, change: Change) -> None:
        """Send a change to the spectators: to a few at once, to many of them a little later and several changes in one frame."""
        if not live.spectators and not live.delayed:
            return
        frame = change.frame(live.table, STRANGER, [ONLOOKER])
        if live.delayed:
            live.delayed.add(frame, change.at)
        if len(live.spectators) <= FEW_SPECTATORS and not live.pending:
            for spectator in live.spectators:
                spectator.send(frame, change.at)
            return
        live.pending.append((frame, change.at))
        if live.flushing is None:
            live.flushing = asyncio.get_running_loop().call_later(SPECTATORS_PAUSE, self._flush, live)

    def _flush(self, live: Live) -> None:
        """Send the spectators what they have not been sent yet."""
        pending, live.pending = live.pending, []
        if live.flushing:
            live.flushing.cancel()
            live.flushing = None
        if pending:
            frame = joined([frame for frame, _ in pending]) if len(pending) > 1 else pending[0][0]
            self._in_background(self._send_to(live.spectators[:], frame, pending[-1][1]))

    async def _send_to(self, spectators: Sequence[Connection], frame: bytes, at: int) -> None:
        for number, spectator in enumerate(spectators, 1):
            spectator.send(frame, at)
            if number % SPECTATORS_BATCH == 0:
                await asyncio.sleep(0)

    # ---- clocks and bots

    def _set_clocks(self, live: Live) -> None:
        """Schedule the next bot choice and the next timer of a table; drop a table without either, or any connection, from memory."""
        due, wakes = clocks.due(live.table) if clocks.goes_on(live.table, live.is_watched) else None, clocks.wakes(live.table)
        if due != live.due:
            if live.thinking:
                live.thinking.cancel()
            live.due = due
            live.thinking = self._in_background(self._bot(live, due)) if due else None
        if live.alarm:
            live.alarm.cancel()
        live.alarm = None
        if wakes < clocks.NEVER:
            delay = max(0, wakes - CLOCK.now()) / 1000
            live.alarm = asyncio.get_running_loop().call_later(delay, lambda: self._in_background(self._ring(live.table.code)))
        if not live.is_connected and due is None and live.alarm is None:
            self.live.pop(live.table.code, None)

    def _rest(self, live: Live) -> None:
        if live.alarm:
            live.alarm.cancel()

    async def _ring(self, code: str) -> None:
        with suppress(Refusal):
            async with self._change(code) as live:
                made = clocks.tick(live.table, CLOCK.now())
                if made:
                    await self._append(live, made)

    async def _bot(self, live: Live, due: clocks.Due) -> None:
        """Make a bot's choice when it is due. A bot that plays a seat computes its choice at once; on a timeout, the choice is computed only then."""
        if due.by != BOT:
            await CLOCK.until(due.at)
        match = live.table.playing()
        with self.measures.bot_wait.time():
            choice = await self.workers.choose(Question.about(match.view(due.seat), due.level, match.seed_for(due.seat)), live.share)
        await CLOCK.until(clocks.round_up_to_pace(due.at, live.table.settings.pace, CLOCK.now()))
        with suppress(Refusal):
            async with self._change(live.table.code) as live:
                if clocks.due(live.table) == due:
                    live.due, live.thinking = None, None
                    await self._append(live, handlers.moves(live.table, due.seat, choice, due.by))

    async def _forget(self) -> None:
        """Periodically drop tables from memory that have no connections, bots or timers."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self._drop_idle()
            with noted():
                await self.owners.release_all_but(self.live.keys() | self._loading.keys())

    def _drop_idle(self) -> None:
        for code, live in list(self.live.items()):
            if not (live.is_connected or live.due or live.alarm or live.lock.locked()):
                self.live.pop(code, None)

    def _make_room(self) -> None:
        """Drop idle tables from memory if there are too many in it; Refusal if none is idle."""
        if len(self.live) >= TABLES:
            self._drop_idle()
        if len(self.live) >= TABLES:
            raise Refusal("too_many", "refuse-tables")

    async def _wake_all(self) -> None:
        """After a start, resume the matches in which a bot or a timer is due next, in any order: processes that start together share them."""
        standings = await self.store.standings(status=PLAYING, limit=100_000)
        for standing in random.sample(standings, len(standings)):
            await self._wake(standing.table)

    async def _adopt(self) -> None:
        """Resume the matches of processes that have died."""
        async for code in self.owners.adopted():
            await self._wake(code)

    async def _wake(self, code: str) -> None:
        with noted(), suppress(Elsewhere):
            async with self._change(code):
                pass

    # ---- tables lost to other processes

    def _lose(self, *lost: Live) -> None:
        """Drop tables from memory that other processes own or may own by now; their clients connect again and reach the new owner."""
        for live in lost:
            self._rest(live)
            if live.thinking:
                live.thinking.cancel()
            self.owners.lose(live.table.code)
            self.live.pop(live.table.code, None)
        self.on_lost({live.table.code for live in lost})

    def _lose_all(self) -> None:
        self._lose(*self.live.values())


async def finished(work: asyncio.Future[None]) -> bool:
    """Wait for work that must not be interrupted. Return whether this task was cancelled meanwhile; the caller then stops afterwards."""
    is_told_to_stop = False
    while not work.done():
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            is_told_to_stop = True
        except Exception:
            break
    work.result()
    return is_told_to_stop


def new_token() -> str:
    """128 random bits from the operating system, in hexadecimal."""
    return secrets.token_hex(16)
