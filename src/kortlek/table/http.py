"""What the handlers of requests and sockets share: the host behind them, who is connected from where, and the sockets that are open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from litestar.connection import ASGIConnection

from kortlek.table.films import Films
from kortlek.table.host import Host
from kortlek.table.limits import Addresses
from kortlek.table.wire import Client


@dataclass
class Services:
    """What the handlers of requests and sockets share."""

    host: Host
    addresses: Addresses
    sockets: set[Client]
    films: Films = field(default_factory=Films)


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where somebody asks from."""
    return connection.client.host if connection.client else ""
