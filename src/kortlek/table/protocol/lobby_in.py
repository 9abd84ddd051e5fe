"""What clients send over HTTP, besides the requests of the socket."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from kortlek.game import SEATS
from kortlek.table.protocol.client_in import Options


class Open(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Open a table. The sender owns it and gets its first token; with a name she also sits down in the first seat.

    ``clock`` is the time limit of a turn in seconds (0: no limit), ``grace`` the number of seconds without a connection before a bot of the level
    ``stand_in`` plays for a person, ``pace`` the approximate delay of a bot's choice in milliseconds. ``spectators``: off, public, or delayed by
    ``delay`` seconds. ``levels`` puts bots into the last seats."""

    game: Annotated[str, Meta(max_length=40)]
    players: Annotated[int, Meta(ge=1, le=SEATS)] | None = None
    options: Options = {}
    name: Annotated[str, Meta(max_length=40)] = ""
    levels: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=SEATS)] = []
    public: bool = False
    spectators: Literal["off", "public", "delayed"] = "public"
    delay: Annotated[int, Meta(ge=1, le=3600)] = 60
    clock: Annotated[int, Meta(ge=0, le=14 * 86400)] = 0
    grace: Annotated[int, Meta(ge=0, le=86400)] = 45
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 900
    hints: bool = True
    stand_in: Annotated[str, Meta(max_length=40)] = "club"
