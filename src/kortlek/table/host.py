"""The tables of a server process: their connections, the appends to their logs, and their timers and bots.

Every message is processed in the same order: check, append, commit, then apply to the table and send to the clients. Each table has a lock, so that
the check still holds when the facts are applied. A table is owned by one process (kortlek.table.owners): no other writes to its log. If an append
that failed was written after all, the next one raises ``Taken``; then the new entries are read, and the message is checked again.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress

from kortlek.bots import EXPERT
from kortlek.table import clocks, handlers
from kortlek.table.facts import BOT, AnyFact, Happened
from kortlek.table.journal import note
from kortlek.table.live import Connection, Live, hold, rebuilt, milliseconds, until
from kortlek.table.messages import AnyRequest, AnySent, Hint, Hinted, Join, Open, encoded
from kortlek.table.owners import Elsewhere, Owners
from kortlek.table.refusals import Refusal
from kortlek.table.sending import all_news, considered, show, viewers
from kortlek.table.store import Failed, Lost, Store, Taken
from kortlek.table.table import PLAYING, STRANGER, Step, Table
from kortlek.table.workers import Question, Workers

CODE_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""The alphabet of table codes: no two letters look or sound alike, and without vowels no words are formed."""
CODE_LENGTH = 6
REPLAY_BATCH = 20
"""How many entries of a log are replayed before other tasks get a turn."""
MAX_TRIES = 2
"""How many times a message is tried: again if the log was longer than the table in memory."""
FAILURE_PAUSE = 0.5
"""Seconds of pause after a failed append."""
SWEEP_SECONDS = 60.0
"""Seconds between two sweeps that drop idle tables from memory."""


class Host:
    """All tables of one process."""

    def __init__(self, store: Store, workers: Workers, owners: Owners | None = None) -> None:
        self.store, self.workers, self.owners = store, workers, owners or Owners()
        self.live: dict[str, Live] = {}
        self.moves = 0
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

    def refuse(self) -> None:
        """Refuse new work from now on."""
        self._stopping = True

    async def stop(self) -> None:
        """Refuse new work, finish pending appends, and close."""
        self.refuse()
        for live in list(self.live.values()):
            self._rest(live)
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
        token = new_token()
        made = handlers.open_table(asked, token)
        while True:
            table = Table("".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)))
            entries = table.entries(made, milliseconds())
            table, _ = table.after(entries)
            try:
                epoch = await self.owners.claim(table.code, is_new=True)
                await self.store.append(entries, table.standing(), epoch)
            except (Taken, Lost, Elsewhere):
                continue
            table.turn_since = table.at
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
                        self.live.setdefault(code, rebuilt(code, entries, epoch))
            finally:  # otherwise every invented code would leave a lock behind
                self._loading.pop(code, None)
        return self.live[code]

    async def ask(self, code: str, message: AnyRequest, token: str = "") -> tuple[int, str]:
        """Apply a message, once; return the number of the last log entry, and a new token if the sender had none."""
        return await self.ask_as(code, message, await self.person(code, token))

    async def person(self, code: str, token: str) -> int:
        """The number of the person with this token; Refusal if it is not a token of this table."""
        person = (await self.find(code)).table.person_with(token) if token else STRANGER
        if token and person == STRANGER:
            raise Refusal("no_token", "refuse-token")
        return person

    async def ask_as(self, code: str, message: AnyRequest, person: int) -> tuple[int, str]:
        """The same as ``ask``, for a person who is already identified."""
        token = new_token() if isinstance(message, Join) and person == STRANGER else ""
        mid = f"{person}/{message.id}" if message.id and person != STRANGER else ""
        async with self._change(code) as live:
            for _ in range(MAX_TRIES):
                if mid in live.table.answered:
                    return live.table.number(live.table.answered[mid], person), ""
                made = handlers.ask(live.table, message, person, token)
                if not made or await self._append(live, made, mid):
                    return live.table.number(live.table.seq, person), token
        raise Refusal("too_many", "refuse-busy")

    async def hint(self, code: str, message: Hint, person: int) -> Hinted:
        """The evaluation of the legal choices by an expert bot."""
        table = (await self.find(code)).table
        handlers.ask(table, message, person)
        match = table.playing()
        seen = match.view(message.seat)
        reasons = await self.workers.why(Question.about(seen, EXPERT, match.seed_for(message.seat)))
        seq = table.number(table.last_seen_by(message.seat), person)
        return Hinted(id=message.id, seat=message.seat, seq=seq, choices=considered(seen, reasons))

    # ---- connections

    async def connect(self, code: str, connection: Connection, since: int | None) -> None:
        """Send a client what it has missed, and everything from now on."""
        async with self._change(code) as live:
            if not viewers(live.table, connection.person):
                raise Refusal("not_allowed", "refuse-looking-on")
            arrives = connection.person != STRANGER and connection.person not in live.table.present
            if connection.person != STRANGER:
                while made := clocks.here(live.table, connection.person):
                    if await self._append(live, made):
                        break
            connection.hold = hold(live.table, connection)
            await self._catch_up_with(live, connection, since)
            live.connections.append(connection)
            if arrives:
                self._show_to_others(live, connection)

    async def _catch_up_with(self, live: Live, connection: Connection, since: int | None) -> None:
        """Send the news after ``since`` and the current table; to delayed spectators, only what their delay allows."""
        table = live.table
        person = connection.person
        if since is not None and not connection.hold and live.recent and since >= table.number(live.recent[0].entry.seq - 1, person):
            for step in live.recent:
                if table.number(step.entry.seq, person) > since:
                    self._send(connection, self._news(table, step, connection), step.entry.at)
        elif since is not None or connection.hold:
            await self._replay_log(table, connection, since)
        if not connection.hold:
            self._send(connection, self._shows(table, connection), table.at)

    async def _replay_log(self, table: Table, connection: Connection, since: int | None) -> None:
        """Replay the log from its beginning and send the entries after ``since``. For delayed spectators, entries that are too recent are queued with
        their time."""
        cut, again = milliseconds() - connection.hold, Table(table.code, present=table.present)
        entries = await self.store.read(table.code)
        for number, entry in enumerate(entries):
            if number % REPLAY_BATCH == 0:
                await asyncio.sleep(0)  # so that a long log does not block the other tables
            step = again.take(entry)
            if again.number(entry.seq, connection.person) > since if since is not None else entry.at > cut:
                self._send(connection, self._news(again, step, connection), entry.at)
            is_newest = entry.at <= cut and (number + 1 == len(entries) or entries[number + 1].at > cut)
            if connection.hold and (is_newest or (entry.at > cut and step.concerns(connection.person))):
                self._send(connection, self._shows(again, connection), entry.at)

    async def disconnect(self, code: str, connection: Connection) -> None:
        """Remove the connection of a client that has gone."""
        if code not in self.live or connection not in self.live[code].connections:
            return  # the table was lost to another process
        async with self._change(code) as live:
            if connection in live.connections:
                live.connections.remove(connection)
            person = connection.person
            if person != STRANGER and all(other.person != person for other in live.connections):
                clocks.gone(live.table, person, milliseconds())
                self._show_to_others(live, connection)

    def _show_to_others(self, live: Live, newcomer: Connection) -> None:
        for other in live.connections:
            if other is not newcomer:
                self._send(other, self._shows(live.table, other), live.table.at)

    def _news(self, table: Table, step: Step, connection: Connection) -> Iterable[AnySent]:
        return all_news(table, step, connection.person)

    def _shows(self, table: Table, connection: Connection) -> Iterable[AnySent]:
        return (show(table, viewer, connection.person) for viewer in viewers(table, connection.person))

    def _send(self, connection: Connection, messages: Iterable[AnySent], at: int) -> None:
        for message in messages:
            connection.send(encoded(message), at)

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

    async def _append(self, live: Live, made: Sequence[AnyFact], mid: str = "") -> bool:
        """Append facts to the log and, when they are durable, apply them. False if the log had more entries than the table in memory."""
        entries = live.table.entries(made, milliseconds(), mid)
        later, steps = live.table.after(entries)
        try:
            is_told_to_stop = await finished(asyncio.ensure_future(self.store.append(entries, later.standing(), live.epoch)))
        except Lost:
            self._lose(live)
            raise Refusal("stopping", "refuse-moved") from None
        except Taken:
            await self._read_on(live)
            return False
        except Failed as failed:
            await asyncio.sleep(FAILURE_PAUSE)
            raise Refusal("failed", "refuse-not-kept") from failed
        live.table = later
        self._tell(live, steps)
        if is_told_to_stop:
            raise asyncio.CancelledError
        return True

    async def _read_on(self, live: Live) -> None:
        """Read and apply the entries of appends that seemed to have failed."""
        entries = await self.store.read(live.table.code, live.table.seq)
        if entries:
            live.table, steps = live.table.after(entries)
            self._tell(live, steps)

    def _tell(self, live: Live, steps: list[Step]) -> None:
        self.moves += sum(isinstance(step.fact, Happened) for step in steps)
        table = live.table
        live.remember(steps)
        for connection in live.connections:
            if not any(step.concerns(connection.person) for step in steps):
                continue  # a sealed choice of another person: send nothing at all
            connection.hold = hold(table, connection)  # it changes when a person loses her seat
            for step in steps:
                self._send(connection, self._news(table, step, connection), step.entry.at)
            self._send(connection, self._shows(table, connection), table.at)

    # ---- clocks and bots

    def _set_clocks(self, live: Live) -> None:
        """Schedule the next bot choice and the next timer of a table; drop a table without either, or any connection, from memory."""
        due, wakes = clocks.due(live.table), clocks.wakes(live.table)
        if due != live.due:
            if live.thinking:
                live.thinking.cancel()
            live.due = due
            live.thinking = self._in_background(self._bot(live, due)) if due else None
        if live.alarm:
            live.alarm.cancel()
        live.alarm = None
        if wakes < clocks.NEVER:
            delay = max(0, wakes - milliseconds()) / 1000
            live.alarm = asyncio.get_running_loop().call_later(delay, lambda: self._in_background(self._ring(live.table.code)))
        if not live.connections and due is None and live.alarm is None:
            self.live.pop(live.table.code, None)

    def _rest(self, live: Live) -> None:
        if live.alarm:
            live.alarm.cancel()

    async def _ring(self, code: str) -> None:
        with suppress(Refusal):
            async with self._change(code) as live:
                made = clocks.tick(live.table, milliseconds())
                if made:
                    await self._append(live, made)

    async def _bot(self, live: Live, due: clocks.Due) -> None:
        """Make a bot's choice when it is due. A bot that plays a seat computes its choice at once; on a timeout, the choice is computed only then."""
        if due.by != BOT:
            await until(due.at)
        match = live.table.playing()
        choice = await self.workers.choose(Question.about(match.view(due.seat), due.level, match.seed_for(due.seat)))
        await until(clocks.round_up_to_pace(due.at, live.table.settings.pace, milliseconds()))
        with suppress(Refusal):
            async with self._change(live.table.code) as live:
                if clocks.due(live.table) == due:
                    live.due, live.thinking = None, None
                    await self._append(live, handlers.moves(live.table, due.seat, choice, due.by))

    async def _forget(self) -> None:
        """Periodically drop tables from memory that have no connections, bots or timers."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for code, live in list(self.live.items()):
                if not (live.connections or live.due or live.alarm or live.lock.locked()):
                    self.live.pop(code, None)
            with noted():
                await self.owners.release_all_but(self.live.keys() | self._loading.keys())

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


@contextmanager
def noted() -> Iterator[None]:
    """Log an exception at one table instead of raising it, so that the other tables go on."""
    try:
        yield
    except Exception as error:
        note("failed", error=type(error).__name__)


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
