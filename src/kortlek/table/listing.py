"""Which public tables the lobby lists, and in which order, so that one visitor cannot fill it.

Tables with free seats where somebody waits come first, then matches whose players are there, then the others, and tables where nobody sits last; in
each group the newest first. Of the tables that were opened from one address, only a few are listed. Addresses are not stored: they are hashed with a
salt that exists only in the memory of this process.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping

import msgspec

from kortlek.table.limits import network
from kortlek.table.live import Live
from kortlek.table.protocol.lobby_out import LobbyLine
from kortlek.table.store import Standing
from kortlek.table.table import PLAYING, WAITING

LISTED = 200
"""How many tables are listed at most."""
CONSIDERED = 1000
"""How many of the newest tables in the store are considered; those where people are connected are considered always."""
LISTED_PER_ADDRESS = 5
"""How many tables that were opened from one address are listed at most."""
REMEMBERED = 20_000
"""Of how many tables it is remembered who opened them."""


class Openers:
    """From which address each table was opened, as a salted hash."""

    def __init__(self) -> None:
        self._salt = secrets.token_bytes(16)
        self._openers: OrderedDict[str, str] = OrderedDict()

    def add(self, code: str, address: str) -> None:
        """Remember who opened a table."""
        self._openers[code] = hashlib.blake2b(network(address).encode(), key=self._salt, digest_size=16).hexdigest()
        while len(self._openers) > REMEMBERED:
            self._openers.popitem(last=False)

    def opener(self, code: str) -> str:
        """Who opened a table; the table itself if that is not known any more."""
        return self._openers.get(code, f"table {code}")


def listed(standings: Iterable[Standing], live: Mapping[str, Live], openers: Openers) -> list[LobbyLine]:
    """The lines of the lobby. ``standings`` are the newest in the store; tables in memory are added."""
    by_code = {standing.table: standing for standing in standings}
    by_code.update({code: each.table.standing() for code, each in live.items() if each.table.settings.public and each.table.present})
    tables = [(standing, msgspec.json.decode(standing.line, type=LobbyLine)) for standing in by_code.values()]
    found, opened = list[LobbyLine](), Counter[str]()
    for standing, line in sorted(tables, key=lambda each: (group(each[0], each[1], live.get(each[0].table)), -each[0].at, each[0].table)):
        opener = openers.opener(standing.table)
        if opened[opener] < LISTED_PER_ADDRESS and len(found) < LISTED:
            opened[opener] += 1
            found.append(line)
    return found


def group(standing: Standing, line: LobbyLine, live: Live | None) -> int:
    """The group of a table: the smaller, the higher in the list."""
    people = sum(bool(seat.name) and not seat.level for seat in line.seats)
    is_present = live is not None and bool(live.table.present & set(live.table.seated()))
    if is_present and standing.status == WAITING and not line.locked and people < len(line.seats):
        return 0
    if is_present and standing.status == PLAYING:
        return 1
    return 2 if people else 3
