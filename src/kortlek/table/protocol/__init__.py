"""The protocol of a table, by direction: ``client_in`` and ``client_out`` on the socket, ``lobby_in`` and ``lobby_out`` over HTTP."""

PROTOCOL = 2
"""The version of the protocol; raised with every incompatible change."""
