"""The tables of a server process: their connections, the appends to their logs, and their timers and bots.

Every message is processed in the same order: check, append, commit, then apply to the table and send to the clients. Each table has a lock, so that
the check still holds when the facts are applied. If another process has written to the same log meanwhile, the store raises ``Taken``; then
the new entries are read, and the message is checked again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress

from kortlek.bots import EXPERT
from kortlek.game import Message
from kortlek.table import clocks, handlers
from kortlek.table.facts import BOT, AnyFact, Happened
from kortlek.table.journal import note
from kortlek.table.limits import SPECTATORS, TABLES
from kortlek.table.live import Connection, Live, hold, rebuilt, milliseconds
from kortlek.table.messages import AnyRequest, AnySent, Hint, Hinted, Join, Open, encoded
from kortlek.table.refusals import Refusal
from kortlek.table.sending import all_news, considered, past_news, show, viewers
from kortlek.table.store import Failed, Store, Taken
from kortlek.table.table import PLAYING, STRANGER, Step, Table
from kortlek.table.timing import CLOCK
from kortlek.table.workers import Question, Workers

CODE_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""The alphabet of table codes: no two letters look or sound alike, and without vowels no words are formed."""
CODE_LENGTH = 10
"""The length of the codes of new tables: 47 bits. The first edition had codes of 6 letters, which remain valid."""
REPLAY_BATCH = 20
"""How many entries of a log are replayed before other tasks get a turn."""
MAX_TRIES = 20
"""How many times a message is tried when other processes write to the log first."""
FAILURE_PAUSE = 0.5
"""Seconds of pause after a failed append."""
SWEEP_SECONDS = 60.0
"""Seconds between two sweeps that drop idle tables from memory."""
OTHER_PROCESS_DELAY = 1500
"""Milliseconds by which this process delays a bot's choice at a table that another process wrote to last, so that the other process goes first."""


class Host:
    """All tables of one process."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self.store, self.workers = store, workers
        self.live: dict[str, Live] = {}
        self.moves = 0
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def start(self) -> None:
        """Open the store, and resume the matches that were in progress."""
        await self.store.open()
        self.workers.start()
        self._in_background(self._listen())
        self._in_background(self._wake_all())
        self._in_background(self._forget())
        self._in_background(CLOCK.beat())

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
            table, _ = table.after(entries, CLOCK.now())
            try:
                await self.store.append(entries, table.standing())
            except Taken:
                continue
            self.live[table.code] = Live(table)
            return table.code, token

    async def find(self, code: str) -> Live:
        """The table with this code, loaded from the store if necessary; Refusal if there is none."""
        if code not in self.live:
            try:
                async with self._loading.setdefault(code, asyncio.Lock()):
                    if code not in self.live:
                        entries = await self.store.read(code) if code.isascii() and code.isalnum() else []
                        if not entries:
                            raise Refusal("unknown", "refuse-no-table")
                        self._make_room()
                        self.live.setdefault(code, rebuilt(code, entries))
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
        return await self.ask_as(code, message, person)

    async def person(self, code: str, token: str) -> int:
        """The number of the person with this token; Refusal if it is not a token of this table."""
        person = (await self.find(code)).table.person_with(token) if token else STRANGER
        if token and person == STRANGER:
            raise Refusal("no_token", "refuse-token")
        return person

    async def ask_as(self, code: str, message: AnyRequest, person: int) -> tuple[int, str]:
        """The same as ``ask``, for a person who is already identified and watches the table by a socket."""
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
        live = await self.find(code)
        table = live.table
        handlers.ask(table, message, person)
        match = table.playing()
        seen = match.view(message.seat)
        reasons = await self.workers.why(Question.about(seen, EXPERT, match.seed_for(message.seat)), live.share)
        seq = table.number(table.last_seen_by(message.seat), person)
        return Hinted(id=message.id, seat=message.seat, seq=seq, choices=considered(seen, reasons))

    # ---- connections

    async def connect(self, code: str, connection: Connection, since: int | None) -> None:
        """Send a client what it has missed, and everything from now on."""
        async with self._change(code) as live:
            if not viewers(live.table, connection.person):
                raise Refusal("not_allowed", "refuse-looking-on")
            is_spectator = not live.table.seats_of(connection.person)
            if is_spectator and sum(not live.table.seats_of(each.person) for each in live.connections) >= SPECTATORS:
                raise Refusal("too_many", Message("refuse-spectators", {"count": SPECTATORS}))
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
                    self._send(connection, past_news(table, step, person), step.entry.at)
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
                news = past_news if entry.at <= cut else all_news
                self._send(connection, news(again, step, connection.person), entry.at)
            is_newest = entry.at <= cut and (number + 1 == len(entries) or entries[number + 1].at > cut)
            if connection.hold and (is_newest or (entry.at > cut and step.concerns(connection.person))):
                self._send(connection, self._shows(again, connection), entry.at)

    async def disconnect(self, code: str, connection: Connection) -> None:
        """Remove the connection of a client that has gone."""
        async with self._change(code) as live:
            if connection in live.connections:
                live.connections.remove(connection)
            person = connection.person
            if person != STRANGER and all(other.person != person for other in live.connections):
                clocks.gone(live.table, person, CLOCK.now())
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
                    if not self._stopping:
                        self._set_clocks(live)
                return

    def _must_work(self) -> None:
        if self._stopping:
            raise Refusal("stopping", "refuse-stopping")

    async def _append(self, live: Live, made: Sequence[AnyFact], mid: str = "") -> bool:
        """Append facts to the log and, when they are durable, apply them. False if another process has written first."""
        entries = live.table.entries(made, milliseconds(), mid)
        later, steps = live.table.after(entries, CLOCK.now())
        try:
            is_told_to_stop = await finished(asyncio.ensure_future(self.store.append(entries, later.standing())))
        except Taken:
            await self._read_on(live)
            return False
        except Failed as failed:
            await asyncio.sleep(FAILURE_PAUSE)
            raise Refusal("failed", "refuse-not-kept") from failed
        live.table, live.is_ours = later, True
        self._tell(live, steps)
        if is_told_to_stop:
            raise asyncio.CancelledError
        return True

    async def _read_on(self, live: Live) -> None:
        """Read and apply the entries that other processes have written."""
        entries = await self.store.read(live.table.code, live.table.seq)
        if entries:
            live.table, steps = live.table.after(entries, CLOCK.now())
            live.is_ours = False
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
        if not live.connections and due is None and live.alarm is None:
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
        wait = due.at if live.is_ours else due.at + OTHER_PROCESS_DELAY
        if due.by != BOT:
            await CLOCK.until(wait)
        match = live.table.playing()
        choice = await self.workers.choose(Question.about(match.view(due.seat), due.level, match.seed_for(due.seat)), live.share)
        await CLOCK.until(clocks.round_up_to_pace(wait, live.table.settings.pace, CLOCK.now()))
        with suppress(Refusal):
            async with self._change(live.table.code) as live:
                if clocks.due(live.table) == due:
                    live.due, live.thinking = None, None
                    await self._append(live, handlers.moves(live.table, due.seat, choice, due.by))

    async def _listen(self) -> None:
        """Read the new entries of tables that other processes write to."""
        async for code in self.store.heard():
            if code in self.live:
                with noted():
                    async with self._change(code) as live:
                        await self._read_on(live)
                        for person in {connection.person for connection in live.connections} - {STRANGER}:
                            made = [fact for fact in clocks.here(live.table, person) if not live.table.chairs[fact.seat].left_by_choice]
                            if made:
                                await self._append(live, made)

    async def _forget(self) -> None:
        """Periodically drop tables from memory that have no connections, bots or timers."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self._drop_idle()

    def _drop_idle(self) -> None:
        for code, live in list(self.live.items()):
            if not (live.connections or live.due or live.alarm or live.lock.locked()):
                self.live.pop(code, None)

    def _make_room(self) -> None:
        """Drop idle tables from memory if there are too many in it; Refusal if none is idle."""
        if len(self.live) >= TABLES:
            self._drop_idle()
        if len(self.live) >= TABLES:
            raise Refusal("too_many", "refuse-tables")

    async def _wake_all(self) -> None:
        """After a start, resume the matches in which a bot or a timer is due next."""
        for standing in await self.store.standings(status=PLAYING, limit=100_000):
            with noted():
                async with self._change(standing.table):
                    pass


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
