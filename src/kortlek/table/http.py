"""State shared by the handlers of requests and sockets: the host, the rate limits by address, and the open sockets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from litestar.connection import ASGIConnection

from kortlek.table.films import Films
from kortlek.table.health import Health
from kortlek.table.host import Host
from kortlek.table.limits import Addresses
from kortlek.table.wire import Client


@dataclass
class Services:
    """State shared by the handlers of requests and sockets."""

    host: Host
    addresses: Addresses
    sockets: set[Client]
    health: Health
    films: Films = field(default_factory=Films)


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The client's network address."""
    return connection.client.host if connection.client else ""
