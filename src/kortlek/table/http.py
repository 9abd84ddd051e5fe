"""State shared by the handlers of requests and sockets: the host, the rate limits by address, and the open sockets."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from litestar.connection import ASGIConnection

from kortlek.table.films import Films
from kortlek.table.health import Health
from kortlek.table.host import Host
from kortlek.table.hosts import Hosts
from kortlek.table.limits import REQUEST_SPACING, Addresses, network
from kortlek.table.listing import Openers
from kortlek.table.refusals import Refusal
from kortlek.table.table import STRANGER
from kortlek.table.turns import Share, Turns
from kortlek.table.wire import Client


@dataclass
class Services:
    """State shared by the handlers of requests and sockets."""

    host: Host
    addresses: Addresses
    sockets: set[Client]
    health: Health
    hosts: Hosts = field(default_factory=Hosts)
    films: Films = field(default_factory=Films)
    openers: Openers = field(default_factory=Openers)

    requests: Turns = field(default_factory=lambda: Turns(1))

    async def start(self, client: str) -> None:
        """Wait until the next request of an address may start. Many at once would keep the sockets waiting."""
        turn = await self.requests.acquire(Share(network(client)))
        asyncio.get_running_loop().call_later(REQUEST_SPACING, self.requests.release, turn)

    async def enter(self, client: str, code: str, token: str = "") -> int:
        """The number of the person with this token at a table. Refusal if there is no such table or token, or if this address has guessed too many
        codes; a valid token is let in even then."""
        guesses = self.addresses.guesses
        try:
            if not guesses.may_try(client, code) and (not token or (await self.host.find(code)).table.person_with(token) == STRANGER):
                raise Refusal("unknown", "refuse-no-table")
            await self.host.find(code)
        except Refusal as refusal:
            if refusal.code == "unknown":
                guesses.missed(client)
            raise
        guesses.found(client, code)
        return await self.host.person(code, token)


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The client's network address."""
    return connection.client.host if connection.client else ""
