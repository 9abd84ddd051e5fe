"""By which names a server may be called (the Host header of a request).

A page of another site can make its own name resolve to an address in the reader's network (DNS rebinding); then the browser takes this server for a
part of that site. Such a request still has the other site's name as its Host.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LONGEST = 255
LOCAL_SUFFIXES = (".local", ".localhost", ".lan", ".home", ".internal", ".home.arpa", ".localdomain")
"""Ends of names that no site in the internet can have."""


def name_in(header: str) -> str | None:
    """The name or address in a Host header, in lower case and without the port; None if it is not valid."""
    try:
        parts = urlsplit(f"//{header}")
        valid = len(header) <= LONGEST and parts.port != 0 and parts.netloc == header and "@" not in header
    except ValueError:
        return None
    return (parts.hostname or "").removesuffix(".") if valid else None


def is_address(name: str) -> bool:
    """Whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet, not to this machine or a private network."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_global
    except ValueError:
        return False


@dataclass(frozen=True)
class Hosts:
    """The names of a server. With ``names`` it answers to these only. Otherwise it answers to any name if it is reached by a public address or
    through a proxy, which knows its own names; in a private network, only to names that no site in the internet can have. It always answers to IP
    addresses and localhost."""

    names: frozenset[str] = frozenset()
    is_behind_proxy: bool = False
    own: str = field(default_factory=lambda: socket.gethostname().lower())

    def serve(self, name: str, local: str) -> bool:
        """Whether requests for a name may be answered that came to this local address."""
        if not name or is_address(name) or name == "localhost":
            return True
        if self.names:
            return name in self.names
        return self.is_behind_proxy or is_public(local) or "." not in name or name == self.own or name.endswith(LOCAL_SUFFIXES)
