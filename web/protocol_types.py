"""The types of the protocol for the page, from the server's own: ``python web/protocol_types.py`` writes web/src/lib/types.ts."""

from __future__ import annotations

import types
import typing
from pathlib import Path

import msgspec

from kortlek.table import lobby, messages

OUT = Path(__file__).parent / "src" / "lib" / "types.ts"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", dict: "Record<string, any>", typing.Any: "any"}


def spelled(kind: object) -> str:
    """A Python type in TypeScript."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return spelled(inside[0])
    if origin in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(spelled(each) for each in inside))
    if origin is typing.Literal:
        return " | ".join(f"'{each}'" for each in inside)
    if origin is list:
        one = spelled(inside[0])
        return f"({one})[]" if "|" in one else f"{one}[]"
    if origin is dict:
        return f"Record<string, {spelled(inside[1])}>"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind.__name__
    return PLAIN[kind]  # type: ignore[index]


def interface(kind: type[msgspec.Struct]) -> str:
    """A message as a TypeScript interface."""
    config = kind.__struct_config__
    hints = typing.get_type_hints(kind, include_extras=True)
    lines = [f"  {config.tag_field}: '{config.tag}'"] if config.tag else []
    for field in msgspec.structs.fields(kind):
        optional = "?" if not field.required else ""
        lines.append(f"  {field.name}{optional}: {spelled(hints[field.name])}")
    about = (kind.__doc__ or "").split("\n")[0]
    return f"/** {about} */\nexport interface {kind.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def all_types() -> str:
    """Everything that the page sends and is sent."""
    asked = typing.get_args(messages.AnyMessage)
    sent = typing.get_args(messages.AnySent)
    films = [messages.Frame, messages.Film]
    kinds = [messages.Open, messages.Hello, *asked, messages.Chairs, messages.Considered, *sent, *films, lobby.Opened, lobby.Seated, lobby.Wrong]
    unions = [
        f"export type AnyMessage = {' | '.join(kind.__name__ for kind in asked)}",
        f"export type AnySent = {' | '.join(kind.__name__ for kind in sent)}",
        f"export const PROTOCOL = {messages.PROTOCOL}",
        f"export const QUICK_PHRASES = {msgspec.json.encode(messages.QUICK_PHRASES).decode()}",
    ]
    return "// Written by web/protocol_types.py from the server's own types; not by hand.\n\n" + "\n".join([*map(interface, kinds), *unions]) + "\n"


if __name__ == "__main__":
    OUT.write_text(all_types(), encoding="utf-8")
