"""What the doors of a server share: the host behind them, who is connected from where, and the sockets that are open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from litestar.connection import ASGIConnection

from kortlek.table.host import Host
from kortlek.table.limits import Addresses
from kortlek.table.looking import Looking
from kortlek.table.wire import Client

FAILURE = "Something went wrong here. Nothing that was acknowledged is lost: try again."


@dataclass
class Doors:
    """What the handlers of requests and sockets share."""

    host: Host
    addresses: Addresses
    sockets: set[Client]
    looking: Looking = field(default_factory=Looking)


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where somebody asks from."""
    return connection.client.host if connection.client else ""
