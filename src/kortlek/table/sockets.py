"""The WebSocket of a client at a table (docs/protocol.md): hello, snapshots and steps, requests, and a bye with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from kortlek.game import Message
from kortlek.table import questions
from kortlek.table.host import Host
from kortlek.table.http import Services, address
from kortlek.table.journal import note
from kortlek.table.limits import CUT_COSTS, DENIAL_DELAY, FREE_DENIALS, HANDSHAKE, Pace, delayed_refusal, is_own
from kortlek.table.protocol import PROTOCOL, client_in
from kortlek.table.protocol.client_in import AnyQuestion, Join
from kortlek.table.protocol.client_out import Bye, Denied, Done, Welcome
from kortlek.table.refusals import Refusal
from kortlek.table.table import STRANGER
from kortlek.table.wire import BYE_TIMEOUT, LATER, POLICY, RETRY, Client


@websocket("/api/tables/{code:str}/socket")
async def socket(socket: WebSocket[Any, Any, Any], code: str, services: Services) -> None:
    """Serve one client at a table."""
    if not is_own(socket.headers.get("origin"), socket.headers.get("host")):
        await socket.close(POLICY)
        return
    try:  # before the socket is open: afterwards a client could send much in the meantime, which would have to be read
        async with delayed_refusal():
            services.addresses.connects.check(address(socket))
    except Refusal:
        await socket.close(LATER)
        return
    await socket.accept()
    client = Client(socket, code, services.host.measures)
    services.sockets.add(client)
    try:
        with services.addresses.socket(address(socket)):
            await serve(client, services)
    except Refusal as refusal:
        if refusal.message.id == "refuse-messages":
            services.addresses.connects.charge(address(socket), CUT_COSTS)
        client.bye = Bye.because(refusal, RETRY if refusal.code in ("too_many", "stopping", "failed") else -1)
    except asyncio.CancelledError:
        if client.bye is None:
            raise
    except WebSocketDisconnect:
        pass
    except Exception as error:
        note("failed", error=type(error).__name__)
        client.bye = Bye.because(Refusal("failed", "refuse-failed"), RETRY)
    finally:
        await client.part()
        services.sockets.discard(client)


def text_of(received: str | None) -> str:
    """The received message; Refusal if it is binary."""
    if received is None:
        raise Refusal("malformed", "refuse-binary")
    return received


async def serve(client: Client, services: Services) -> None:
    """Read the hello, then send what changes at the table and handle requests until the client disconnects."""
    host = services.host
    try:
        hello = client_in.read_hello(text_of(await asyncio.wait_for(client.receive(), HANDSHAKE)))
    except TimeoutError:
        raise Refusal("too_slow", Message("refuse-slow", {"seconds": round(HANDSHAKE)})) from None
    if hello.protocol != PROTOCOL:
        raise Refusal("malformed", Message("refuse-protocol", {"ours": PROTOCOL, "theirs": hello.protocol}))
    client.connection.person = await services.enter(address(client.socket), client.code, hello.token)
    client.say(Welcome(protocol=PROTOCOL, code=client.code, person=client.connection.person))
    sending = asyncio.create_task(client.send_all())
    try:
        await host.connect(client.code, client.connection, hello.since)
        client.limit()
        await listen(client, host)
    finally:
        sending.cancel()
        with suppress(Refusal):
            await host.disconnect(client.code, client.connection)


async def listen(client: Client, host: Host) -> None:
    """Handle a client's requests, one after the other."""
    pace, denied = Pace(), 0
    while True:
        received = await client.receive()
        pace.check()
        message_id = ""
        try:
            message = client_in.read(text_of(received))
            message_id = message.id
            if isinstance(message, AnyQuestion):
                answer = await questions.answer(host, client.code, client.connection, message)
                if answer is not None:
                    client.say(answer)
            elif isinstance(message, Join) and client.connection.person == STRANGER:
                raise Refusal("no_token", "refuse-join-http")
            else:
                seq, _, is_answered = await host.ask_as(client.code, message, client.connection.person, client.connection)
                if not is_answered:
                    client.say(Done(id=message_id, seq=seq))
        except Refusal as refusal:
            if refusal.code == "stopping":
                raise
            client.say(Denied.because(message_id, refusal))
            denied += 1
            if denied > FREE_DENIALS:
                await asyncio.sleep(DENIAL_DELAY)
        else:
            denied = 0


def dismiss(services: Services, codes: Collection[str]) -> None:
    """Close the sockets of tables that were lost to other processes; their clients connect again, and reach the new owner."""
    for client in list(services.sockets):
        if client.code in codes:
            client.leave(Bye.because(Refusal("stopping", "refuse-moved"), RETRY))


async def say_goodbye(services: Services) -> None:
    """Before a shutdown: refuse new work, and close every socket with a bye that says when to reconnect."""
    services.host.refuse()
    for client in list(services.sockets):
        client.leave(Bye.because(Refusal("stopping", "refuse-restarting"), RETRY))
    leaving = [client.task for client in services.sockets if client.task]
    if leaving:
        await asyncio.wait(leaving, timeout=2 * BYE_TIMEOUT)
