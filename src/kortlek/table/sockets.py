"""The socket of a client at a table (docs/protocol.md): greeted, told everything, asked, and parted from with a reason."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from kortlek.table import messages
from kortlek.table.doors import FAILURE, Doors, address
from kortlek.table.host import Host
from kortlek.table.journal import note
from kortlek.table.limits import HANDSHAKE, Pace, is_own
from kortlek.table.messages import PROTOCOL, Bye, Denied, Done, Hint, Join, Refusal, Welcome
from kortlek.table.table import STRANGER
from kortlek.table.wire import PARTING, POLICY, RETRY, Client


@websocket("/api/tables/{code:str}/socket")
async def socket(socket: WebSocket[Any, Any, Any], code: str, doors: Doors) -> None:
    """A client at a table."""
    if not is_own(socket.headers.get("origin"), socket.headers.get("host")):
        await socket.close(POLICY)
        return
    await socket.accept()
    client = Client(socket, code)
    doors.sockets.add(client)
    try:
        with doors.addresses.socket(address(socket)):
            await serve(client, doors.host)
    except Refusal as refusal:
        client.bye = Bye(code=refusal.code, sentence=refusal.sentence, retry=RETRY if refusal.code in ("too_many", "stopping", "failed") else -1)
    except asyncio.CancelledError:
        if client.bye is None:
            raise
    except WebSocketDisconnect:
        pass
    except Exception as error:
        note("failed", error=type(error).__name__)
        client.bye = Bye(code="failed", sentence=FAILURE, retry=RETRY)
    finally:
        await client.part()
        doors.sockets.discard(client)


def text_of(received: str | None) -> str:
    """What was received, if it is text."""
    if received is None:
        raise Refusal("malformed", "This is no message that a table understands: it is binary, not text.")
    return received


async def serve(client: Client, host: Host) -> None:
    """Greet a client, tell it everything, and do what it asks, until it goes."""
    try:
        hello = messages.read_hello(text_of(await asyncio.wait_for(client.receive(), HANDSHAKE)))
    except TimeoutError:
        raise Refusal("too_slow", f"The first message has to come within {HANDSHAKE:.0f} seconds.") from None
    if hello.protocol != PROTOCOL:
        raise Refusal("malformed", f"This server speaks protocol {PROTOCOL}, not {hello.protocol}.")
    client.connection.person = await host.person(client.code, hello.token)
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
    """Do what a client asks for, one message after the other."""
    pace = Pace()
    while True:
        received = await client.receive()
        pace.check()
        message_id = ""
        try:
            message = messages.read(text_of(received))
            message_id = message.id
            if isinstance(message, Hint):
                client.say(await host.hint(client.code, message, client.connection.person))
            elif isinstance(message, Join) and client.connection.person == STRANGER:
                raise Refusal("no_token", "Join over HTTP first: that gives you a token.")
            else:
                seq, _ = await host.ask_as(client.code, message, client.connection.person)
                client.say(Done(id=message_id, seq=seq))
        except Refusal as refusal:
            if refusal.code == "stopping":
                raise
            client.say(Denied(id=message_id, code=refusal.code, sentence=refusal.sentence))


async def say_goodbye(doors: Doors) -> None:
    """The server is about to stop: begin nothing new, and close every socket with a hint when to come again."""
    doors.host.refuse()
    for client in list(doors.sockets):
        client.leave(Bye(code="stopping", sentence="The server is being restarted: you can go on in a moment.", retry=RETRY))
    leaving = [client.task for client in doors.sockets if client.task]
    if leaving:
        await asyncio.wait(leaving, timeout=2 * PARTING)
