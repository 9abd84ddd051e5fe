"""``kortlek serve``: the table for people and bots."""

from __future__ import annotations

import webbrowser
from typing import Annotated

from cyclopts import Parameter

from kortlek.command.asked import Data, Database, OwnGames, at_least_one, cores, know, needs_table
from kortlek.command.saved import home
from kortlek.play.plain import Refused

PORT = 8642


def serve(
    *,
    host: Annotated[str, Parameter(env_var="KORTLEK_HOST", help="Where to listen: 0.0.0.0 is everywhere, 127.0.0.1 only this machine.")] = "0.0.0.0",
    port: Annotated[int, Parameter(env_var="KORTLEK_PORT", help="On which port.")] = PORT,
    data: Data = None,
    database: Database = "",
    bots: Annotated[int | None, Parameter(env_var="KORTLEK_BOTS", help="How many processes bots think in; one fewer than there are cores.")] = None,
    behind_proxy: Annotated[bool, Parameter(env_var="KORTLEK_BEHIND_PROXY", help="Trust a proxy on this machine to say who asks.")] = False,
    game: OwnGames = None,
    no_browser: Annotated[bool, Parameter(env_var="KORTLEK_NO_BROWSER", help="Do not open the page.")] = False,
) -> None:
    """Open tables for people and bots until Ctrl-C."""
    needs_table()
    if not 0 < port < 65536:
        raise Refused(f"The port {port} is not possible: it is a whole number from 1 to 65535.")
    know(game)
    from kortlek.table import server

    count = max(1, cores() - 1) if bots is None else at_least_one("--bots", bots)

    def started() -> None:
        here = f"http://{'127.0.0.1' if host == server.EVERYWHERE else host}:{port}"
        print(f"Kortlek is open at {here}")
        lan = server.lan_address() if host == server.EVERYWHERE else ""
        if lan:
            print(f"In your network: http://{lan}:{port}")
            print(server.terminal_qr(f"http://{lan}:{port}"))
        print("Ctrl-C closes it; every table is kept.")
        if not no_browser:
            webbrowser.open(here)

    server.run(server.Settings(host, port, data or home(), database, count, behind_proxy), started)
