"""The tables of a load test: opened over HTTP, with a person in every seat, and their clients."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Any

from kortlek.engine.plain import Refused
from kortlek.table.load.crowd import Crowd, Player, Spectator
from kortlek.table.load.processes import Process

LONGEST_GRACE = 86400
"""No bot stands in for a player."""


class Lobby:
    """A connection for requests over HTTP."""

    def __init__(self, process: Process) -> None:
        self._connection = HTTPConnection(process.host, process.port, timeout=30)
        self._server = f"{process.host}:{process.port}"

    def post(self, path: str, body: dict[str, Any], address: str, token: str = "") -> Any:
        """Send a request. Refused if the server refuses it."""
        headers = {"Content-Type": "application/json", "X-Forwarded-For": address} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            self._connection.request("POST", path, json.dumps(body), headers)
            response = self._connection.getresponse()
            answer = json.loads(response.read())
        except (OSError, HTTPException, ValueError) as error:
            raise Refused(f"{self._server} does not answer as a table would: {error}.") from error
        if response.status >= 400:
            raise Refused(f"{self._server} refuses: {answer.get('sentence', response.status)}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def players_at_tables(process: Process, game: str, seats: int, tables: int, think: float, spectators: int = 0) -> Crowd:
    """Open tables with a person in every seat and begin their matches; the spectators look on at the first of them."""
    crowd, lobby = Crowd(process.host, process.port, think), Lobby(process)
    try:
        for _ in range(tables):
            address = next(crowd.addresses)
            opened = lobby.post("/api/tables", {"game": game, "players": seats, "name": "Player 1", "grace": LONGEST_GRACE}, address)
            at, tokens = f"/api/tables/{opened['code']}", [opened["token"]]
            tokens += [lobby.post(f"{at}/join", {"name": f"Player {number}"}, address)["token"] for number in range(2, seats + 1)]
            lobby.post(f"{at}/messages", {"do": "start"}, address, tokens[0])
            crowd.players += [Player(crowd, f"{at}/socket", token, begins=token == tokens[0]) for token in tokens]
    finally:
        lobby.close()
    crowd.spectators = [Spectator(crowd, crowd.players[0].path) for _ in range(spectators)]
    return crowd


def echo_clients(process: Process, sockets: int, think: float, together: int = 1) -> Crowd:
    """Clients of the bare echo, with one log for so many of them ``together``."""
    crowd = Crowd(process.host, process.port, think, has_limits=False)
    logs = [f"echo{together}n{number // together}" for number in range(sockets)]
    crowd.players = [Player(crowd, f"/api/tables/{log}/socket", "") for log in logs]
    return crowd
