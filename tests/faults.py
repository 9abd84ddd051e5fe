"""Faults to plant in a forked server (tests/forking.py): each is what a row of ``make trust`` has to find; and pings that a test can wait for."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from kortlek.table import file, server, store, wire
from kortlek.table.protocol import client_in
from kortlek.table.refusals import Refusal
from kortlek.table.store import SqliteStore


def unsynced(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: the database is told not to sync its log with every commit."""
    connect = file.connect

    def connect_without_sync(path: Path) -> sqlite3.Connection:
        db = connect(path)
        db.execute("PRAGMA synchronous = NORMAL")
        return db

    plant.setattr(store, "connect", connect_without_sync)


def slow_disk(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: each commit waits longer than the disk needs."""
    commit = SqliteStore._commit

    def commit_later(self: SqliteStore, group: list[Any]) -> list[Exception | None]:
        time.sleep(0.03)
        return commit(self, group)

    plant.setattr(SqliteStore, "_commit", commit_later)


def impatient(plant: pytest.MonkeyPatch) -> None:
    """No bug: pings that a test can wait for, so that connections which were never closed do not add up."""
    plant.setattr(server, "PING_INTERVAL", 1.0)
    plant.setattr(server, "PING_TIMEOUT", 1.0)


def unguarded(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: a message that cannot be read is an error of the server."""
    read = client_in.read

    def read_or_fail(text: str) -> Any:
        try:
            return read(text)
        except Refusal as refusal:
            raise KeyError(refusal.code) from None

    plant.setattr(client_in, "read", read_or_fail)


def hoarding(plant: pytest.MonkeyPatch) -> None:
    """Planted bug: for every message that is sent, the server keeps some memory and a file open."""
    put, hoard = wire.Client.put, list[Any]()

    def put_and_keep(self: wire.Client, message: bytes, at: int) -> None:
        hoard.append((bytes(100_000), open(os.devnull) if len(hoard) < 200 else None))  # noqa: SIM115
        put(self, message, at)

    plant.setattr(wire.Client, "put", put_and_keep)


FAULTS = {"unsynced": unsynced, "slow disk": slow_disk, "impatient": impatient, "unguarded": unguarded, "hoarding": hoarding}
