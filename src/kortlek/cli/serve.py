"""``kortlek serve``: the server with tables for people and bots."""

from __future__ import annotations

import os
import re
import webbrowser
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kortlek.cli.arguments import Data, Database, OwnGames, at_least_one, cores, load_own_games, needs_table
from kortlek.cli.saved import home
from kortlek.cli.watch import restart
from kortlek.engine.plain import Refused

PORT = 8642
THIS_MACHINE = ("127.0.0.1", "::1")
"""The addresses of a proxy on this machine."""
RESTARTED = "{games} has changed: it is served with its new rules."


def serve(
    *,
    host: Annotated[str, Parameter(env_var="KORTLEK_HOST", help="Where to listen: 0.0.0.0 is everywhere, 127.0.0.1 only this machine.")] = "0.0.0.0",
    port: Annotated[int, Parameter(env_var="KORTLEK_PORT", help="On which port.")] = PORT,
    data: Data = None,
    database: Database = "",
    bots: Annotated[int | None, Parameter(env_var="KORTLEK_BOTS", help="How many processes bots think in; one fewer than there are cores.")] = None,
    behind_proxy: Annotated[
        list[str] | None,
        Parameter(
            env_var="KORTLEK_BEHIND_PROXY",
            consume_multiple=True,
            negative="",
            help="Trust these proxies (addresses or networks, separated by commas; none: one on this machine) to say who asks.",
        ),
    ] = None,
    public_host: Annotated[
        list[str] | None,
        Parameter(env_var="KORTLEK_PUBLIC_HOST", negative="", help="A name by which this server may be called; may be repeated."),
    ] = None,
    keep_days: Annotated[
        int | None, Parameter(env_var="KORTLEK_KEEP_DAYS", help="Delete tables that nobody has touched for so many days; otherwise all are kept.")
    ] = None,
    advertise: Annotated[
        str, Parameter(env_var="KORTLEK_ADVERTISE", help="Where other servers of the same database reach this one: http://10.0.0.7:8642.")
    ] = "",
    game: OwnGames = None,
    no_browser: Annotated[bool, Parameter(env_var="KORTLEK_NO_BROWSER", help="Do not open the page.")] = False,
    watch: Annotated[
        bool, Parameter(env_var="KORTLEK_WATCH", help="Serve games of your own anew whenever they change; every table is kept.")
    ] = False,
) -> int:
    """Open tables for people and bots until Ctrl-C."""
    needs_table()
    if not 0 < port < 65536:
        raise Refused(f"The port {port} is not possible: it is a whole number from 1 to 65535.")
    if keep_days is not None:
        at_least_one("--keep-days", keep_days)
    proxies, names = proxies_in(behind_proxy), names_in(public_host)
    if watch:
        if not game:
            raise Refused("--watch is for games of your own: name them with --game.")
        given = {"--host": host, "--port": port, "--data": data, "--bots": bots, "--keep-days": keep_days}
        words = [word for flag, value in given.items() if value is not None for word in (flag, str(value))]
        words += [word for each in game for word in ("--game", named(each))]
        words += ["--advertise", advertise] if advertise else []
        words += [word for name in names for word in ("--public-host", name)] + ["--no-browser"] * no_browser
        words += ["--behind-proxy", ",".join(proxies)] if proxies else []
        os.environ.pop("KORTLEK_WATCH", None)  # the child process only serves
        os.environ["KORTLEK_DATABASE"] = database  # the URL may contain a password, which other users could see among the arguments of a process
        return restart(["serve", *words], [named(each) for each in game], RESTARTED, again=[] if no_browser else ["--no-browser"], try_first=True)
    load_own_games(game)
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

    server.run(server.Settings(host, port, data or home(), database, count, proxies, names, keep_days, advertise), started)
    return 0


def proxies_in(given: list[str] | None) -> tuple[str, ...]:
    """The addresses and networks of the proxies that are trusted; Refused if one is not valid."""
    if given is None or given == ["no"]:
        return ()
    if not given or given == ["yes"]:
        return THIS_MACHINE
    proxies = [each.strip() for text in given for each in text.split(",")]
    for each in proxies:
        try:
            ip_network(each)
        except ValueError:
            reason = "it is an address such as 10.0.0.2 or a network such as 10.0.1.0/24"
            raise Refused(f"{each!r} cannot be the address of a proxy: {reason}.") from None
    return tuple(proxies)


def names_in(given: list[str] | None) -> tuple[str, ...]:
    """The names of the server, in lower case; Refused if one is not the name of a machine."""
    names = [each.strip().lower().removesuffix(".") for text in given or [] for each in text.split(",")]
    for name in names:
        if not all(re.fullmatch(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?", label) for label in name.split(".")):
            raise Refused(f"{name!r} cannot be the name of a server: it is a name such as cards.example.org, without a port.")
    return tuple(names)


def named(game: Path) -> str:
    """The path of a game with a leading ``./`` if it is relative, so that it is not read as the name of a game."""
    return str(game) if game.is_absolute() else f"./{game}"
