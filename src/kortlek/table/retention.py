"""Retention: tables that nobody has touched for a number of days are deleted in the background, a few at a time."""

from __future__ import annotations

import asyncio

from kortlek.table.host import Host
from kortlek.table.journal import note
from kortlek.table.live import milliseconds
from kortlek.table.store import Failed
from kortlek.table.transfer import EVERY

DAY = 24 * 60 * 60 * 1000
"""A day in milliseconds."""
SWEEP_SECONDS = 60 * 60
BATCH = 10
"""How many tables are deleted at once: appends wait that long."""
PAUSE = 0.2
"""Seconds between two batches."""


async def delete_old_tables(host: Host, days: int) -> None:
    """Delete what is old, now and every hour, until cancelled."""
    while True:
        try:
            await sweep(host, milliseconds() - days * DAY)
        except Failed as error:
            note("store", error=str(error))
        await asyncio.sleep(SWEEP_SECONDS)


async def sweep(host: Host, before: int) -> None:
    """Delete the tables without an entry since ``before``, except those in memory: they are watched, or a timer of theirs runs."""
    old, deleted = await host.store.idle(before, EVERY), 0
    for first in range(0, len(old), BATCH):
        codes = [code for code in old[first : first + BATCH] if code not in host.live]
        deleted += await host.store.delete(codes, before)
        await asyncio.sleep(PAUSE)
    if deleted:
        note("deleted", tables=deleted)
