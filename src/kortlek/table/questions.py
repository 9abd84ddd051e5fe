"""Questions of one client, which change nothing: a hint, an explanation, the history of the match, a snapshot, a sign of life."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kortlek.bots import EXPERT
from kortlek.cards import NOTHING
from kortlek.engine.events import acts_of, events_of
from kortlek.engine.view_json import event_to_json, explained_to_json
from kortlek.game import Message
from kortlek.table import handlers
from kortlek.table.host import Host
from kortlek.table.live import Connection, Live
from kortlek.table.match import LiveMatch
from kortlek.table.news import considered
from kortlek.table.protocol.client_in import AnyQuestion, Explain, Hint, History, Ping, Sync
from kortlek.table.protocol.client_out import Explained, Hinted, News, Past, Pong, Recalled
from kortlek.table.question import Question
from kortlek.table.refusals import Refusal
from kortlek.table.table import Table

ACTS_BATCH = 10
"""How many acts are told before other tasks get a turn."""


async def answer(host: Host, code: str, connection: Connection, message: AnyQuestion) -> Hinted | Explained | Recalled | Pong | None:
    """The answer to a question, for this client alone; None if it is answered by a snapshot."""
    if isinstance(message, Ping):
        return Pong(id=message.id)
    live = await host.find(code)
    if isinstance(message, Hint):
        return await hint(host, live, message, connection.person)
    if connection.hold:
        raise Refusal("not_allowed", "refuse-delayed")
    if isinstance(message, Sync):
        host.send_snapshot(live, connection, message.id)
        return None
    if isinstance(message, Explain):
        return await explain(live.table, message, connection)
    return await recall(live.table, message, connection)


async def hint(host: Host, live: Live, message: Hint, person: int) -> Hinted:
    """The evaluation of the legal choices by an expert bot."""
    table = live.table
    handlers.check_hint(table, message, person)
    match = table.playing()
    seen = match.view(message.seat)
    seq = table.number(table.last_seen_by(message.seat), person)
    reasons = await host.workers.why(Question.about(seen, EXPERT, match.seed_for(message.seat)), live.share)
    return Hinted(id=message.id, seat=message.seat, seq=seq, choices=considered(seen, reasons))


async def explain(table: Table, message: Explain, connection: Connection) -> Explained:
    """What takes longer to compute about a view. It runs in a thread: the melds of a hand take milliseconds."""
    if message.seat not in connection.seats:
        raise Refusal("not_your_seat", Message("refuse-not-yours", {"seat": message.seat}))
    seen, seq = table.playing().view(table.eyes_of(message.seat)), table.number(table.seq, connection.person)
    told = await asyncio.to_thread(explained_to_json, seen)
    return Explained(id=message.id, seat=message.seat, seq=seq, **told)


async def recall(table: Table, message: History, connection: Connection) -> Recalled:
    """The latest chat since the person came, and the events of the current round and the one before."""
    seq, match = table.number(table.seq, connection.person), table.match
    chat = [News(kind="said", by=line.seat, text=line.text) for line in table.chat_for(connection.person)]
    views = [Past(seat=seat, news=[*chat, *(await events_so_far(match, table.eyes_of(seat)) if match else [])]) for seat in connection.seats]
    return Recalled(id=message.id, seq=seq, views=views)


async def events_so_far(match: LiveMatch, seat: int) -> Sequence[News]:
    """The events of the current round and the one before, for a viewer. A match is never changed, so that others may choose meanwhile."""
    first = match.rounds[-2] if len(match.rounds) > 1 else 0
    told: list[News] = []
    acts = list(acts_of(match.game, match.steps(first)))
    for number, act in enumerate(acts[: len(acts) - bool(match.open_act)], 1):
        by = act[0].before.turn if isinstance(act[0].event, int) else NOTHING
        told.append(News(kind="happened", by=by, events=[event_to_json(event) for event in events_of(match.game, act, seat)]))
        if number % ACTS_BATCH == 0:
            await asyncio.sleep(0)
    return told
