"""The tables of a server: who is connected to them, what is appended to their logs, and when bots choose.

For every message the order is the same: check, append, commit; only then does it happen, and only then is anybody told. Each table has
a lock, so that what was checked still holds when it happens. Another process may have written to the same log meanwhile; then the
store says ``Taken``, and we read on and check again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress

from kortlek.bots import EXPERT
from kortlek.table import clocks, handlers
from kortlek.table.facts import BOT, AnyFact, Happened
from kortlek.table.journal import note
from kortlek.table.live import Connection, Live, hold, made_again, milliseconds, until
from kortlek.table.messages import AnyRequest, AnySent, Hint, Hinted, Join, Open, encoded
from kortlek.table.refusals import Refusal
from kortlek.table.sending import all_news, considered, show, viewers
from kortlek.table.store import Failed, Store, Taken
from kortlek.table.table import PLAYING, STRANGER, Step, Table
from kortlek.table.workers import Question, Workers

CODE_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""Of these a table's code is made: none looks or sounds like another, and no words come of them."""
CODE_LENGTH = 6
AT_ONCE = 20
"""How many entries of a log are told again before other tasks get a turn."""
TRIES = 20
"""How often a message is checked again when other processes write first."""
PAUSE = 0.5
"""How many seconds a table rests when its log could not be written."""
FORGOTTEN = 60.0
"""After this many seconds a table without connections is dropped from memory."""
OTHERS_FIRST = 1500
"""How many milliseconds another process has for a bot's choice at a table that it was the last to write to."""


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
        """Open the store, and go on with the matches that were under way."""
        await self.store.open()
        self.workers.start()
        self._in_background(self._listen())
        self._in_background(self._wake_all())
        self._in_background(self._forget())

    def refuse(self) -> None:
        """Begin nothing new from now on."""
        self._stopping = True

    async def stop(self) -> None:
        """Refuse new work, finish what was begun, and close."""
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
        """A new table: its code, and the token of who opened it."""
        self._must_work()
        token = new_token()
        made = handlers.open_table(asked, token)
        while True:
            table = Table("".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)))
            entries = table.entries(made, milliseconds())
            table, _ = table.after(entries)
            try:
                await self.store.append(entries, table.standing())
            except Taken:
                continue
            table.turn_since = table.at
            self.live[table.code] = Live(table)
            return table.code, token

    async def find(self, code: str) -> Live:
        """The table of this code."""
        if code not in self.live:
            try:
                async with self._loading.setdefault(code, asyncio.Lock()):
                    if code not in self.live:
                        entries = await self.store.read(code) if code.isascii() and code.isalnum() else []
                        if not entries:
                            raise Refusal("unknown", "refuse-no-table")
                        self.live.setdefault(code, made_again(code, entries))
            finally:  # or there would be a lock for every code that somebody makes up
                self._loading.pop(code, None)
        return self.live[code]

    async def ask(self, code: str, message: AnyRequest, token: str = "") -> tuple[int, str]:
        """Do what a message asks for, once: how far the log has come, and the new token of somebody who had none."""
        return await self.ask_as(code, message, await self.person(code, token))

    async def person(self, code: str, token: str) -> int:
        """Whose token this is."""
        person = (await self.find(code)).table.person_with(token) if token else STRANGER
        if token and person == STRANGER:
            raise Refusal("no_token", "refuse-token")
        return person

    async def ask_as(self, code: str, message: AnyRequest, person: int) -> tuple[int, str]:
        """The same for somebody who is known already."""
        token = new_token() if isinstance(message, Join) and person == STRANGER else ""
        mid = f"{person}/{message.id}" if message.id and person != STRANGER else ""
        async with self._change(code) as live:
            for _ in range(TRIES):
                if mid in live.table.answered:
                    return live.table.number(live.table.answered[mid], person), ""
                made = handlers.ask(live.table, message, person, token)
                if not made or await self._append(live, made, mid):
                    return live.table.number(live.table.seq, person), token
        raise Refusal("too_many", "refuse-busy")

    async def hint(self, code: str, message: Hint, person: int) -> Hinted:
        """What a good player would do."""
        table = (await self.find(code)).table
        handlers.ask(table, message, person)
        match = table.playing()
        seen = match.view(message.seat)
        reasons = await self.workers.why(Question.about(seen, EXPERT, match.seed_for(message.seat)))
        seq = table.number(table.last_seen_by(message.seat), person)
        return Hinted(id=message.id, seat=message.seat, seq=seq, choices=considered(seen, reasons))

    # ---- who is connected

    async def connect(self, code: str, connection: Connection, since: int | None) -> None:
        """Send what a client has missed, and from now on everything."""
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
        """What happened after ``since``, and the table as it stands; for those who look on with a delay, as they may know it."""
        table = live.table
        person = connection.person
        if since is not None and not connection.hold and live.recent and since >= table.number(live.recent[0].entry.seq - 1, person):
            for step in live.recent:
                if table.number(step.entry.seq, person) > since:
                    self._send(connection, self._news(table, step, connection), step.entry.at)
        elif since is not None or connection.hold:
            await self._tell_again(table, connection, since)
        if not connection.hold:
            self._send(connection, self._shows(table, connection), table.at)

    async def _tell_again(self, table: Table, connection: Connection, since: int | None) -> None:
        """The whole log again, from the beginning. With a delay, what is too fresh is sent with its moment, and waits in the queue."""
        cut, again = milliseconds() - connection.hold, Table(table.code, present=table.present)
        entries = await self.store.read(table.code)
        for number, entry in enumerate(entries):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # so that nobody at another table has to wait for a long log
            step = again.take(entry)
            if again.number(entry.seq, connection.person) > since if since is not None else entry.at > cut:
                self._send(connection, self._news(again, step, connection), entry.at)
            is_newest = entry.at <= cut and (number + 1 == len(entries) or entries[number + 1].at > cut)
            if connection.hold and (is_newest or (entry.at > cut and step.concerns(connection.person))):
                self._send(connection, self._shows(again, connection), entry.at)

    async def disconnect(self, code: str, connection: Connection) -> None:
        """A client is gone."""
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

    # ---- check, append, commit, happen, tell

    @asynccontextmanager
    async def _change(self, code: str) -> AsyncIterator[Live]:
        """Alone with a table; afterwards its clocks are set, and if nobody needs it any more it is forgotten."""
        while True:
            self._must_work()
            live = await self.find(code)
            async with live.lock:
                if self.live.get(code) is not live:
                    continue  # it was forgotten while we waited
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
        """Facts into the log and, when they are safely there, let them happen. False if somebody else was faster."""
        entries = live.table.entries(made, milliseconds(), mid)
        later, steps = live.table.after(entries)
        try:
            is_told_to_stop = await finished(asyncio.ensure_future(self.store.append(entries, later.standing())))
        except Taken:
            await self._read_on(live)
            return False
        except Failed as failed:
            await asyncio.sleep(PAUSE)
            raise Refusal("failed", "refuse-not-kept") from failed
        live.table, live.is_ours = later, True
        self._tell(live, steps)
        if is_told_to_stop:
            raise asyncio.CancelledError
        return True

    async def _read_on(self, live: Live) -> None:
        """What other processes have written."""
        entries = await self.store.read(live.table.code, live.table.seq)
        if entries:
            live.table, steps = live.table.after(entries)
            live.is_ours = False
            self._tell(live, steps)

    def _tell(self, live: Live, steps: list[Step]) -> None:
        self.moves += sum(isinstance(step.fact, Happened) for step in steps)
        table = live.table
        live.remember(steps)
        for connection in live.connections:
            if not any(step.concerns(connection.person) for step in steps):
                continue  # a sealed choice: not even that something happened
            connection.hold = hold(table, connection)  # somebody may have lost her seat
            for step in steps:
                self._send(connection, self._news(table, step, connection), step.entry.at)
            self._send(connection, self._shows(table, connection), table.at)

    # ---- clocks and bots

    def _set_clocks(self, live: Live) -> None:
        """See to it that the next thing that time brings will happen."""
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
        """Make a bot's choice when it is due. A bot in its own seat thinks at once; when time is up, it is thought about then."""
        wait = due.at if live.is_ours else due.at + OTHERS_FIRST
        if due.by != BOT:
            await until(wait)
        match = live.table.playing()
        choice = await self.workers.choose(Question.about(match.view(due.seat), due.level, match.seed_for(due.seat)))
        await until(clocks.beat(wait, live.table.settings.pace, milliseconds()))
        with suppress(Refusal):
            async with self._change(live.table.code) as live:
                if clocks.due(live.table) == due:
                    live.due, live.thinking = None, None
                    await self._append(live, handlers.moves(live.table, due.seat, choice, due.by))

    async def _listen(self) -> None:
        """Read on at the tables that other processes write to."""
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
        """Now and then, the tables that somebody has only looked at."""
        while True:
            await asyncio.sleep(FORGOTTEN)
            for code, live in list(self.live.items()):
                if not (live.connections or live.due or live.alarm or live.lock.locked()):
                    self.live.pop(code, None)

    async def _wake_all(self) -> None:
        """After a start: matches in which a bot or a clock has the next word go on."""
        for standing in await self.store.standings(status=PLAYING, limit=100_000):
            with noted():
                async with self._change(standing.table):
                    pass


@contextmanager
def noted() -> Iterator[None]:
    """What goes wrong at one table is noted, and the others go on."""
    try:
        yield
    except Exception as error:
        note("failed", error=type(error).__name__)


async def finished(work: asyncio.Future[None]) -> bool:
    """Wait for what must not be left half done. Whether we were told to stop meanwhile: then we do so afterwards."""
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
    """128 bits from the operating system."""
    return secrets.token_hex(16)
