"""Generate the TypeScript types of the protocol from the server's: ``python web/protocol_types.py`` writes web/src/lib/types.ts."""

from __future__ import annotations

import types
import typing
from pathlib import Path

import msgspec

from kortlek.engine import patches, plain, view_json
from kortlek.table import game_info
from kortlek.table.protocol import PROTOCOL, client_in, client_out, lobby_in, lobby_out

OUT = Path(__file__).parent / "src" / "lib" / "types.ts"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", typing.Any: "any"}
ARGUMENT = typing.get_args(typing.get_type_hints(view_json.MessageJson)["args"])[1]
ALIASES = [(ARGUMENT, "Argument"), (plain.Spoken, "OptionValue"), (view_json.Number, "FieldValue")]
"""Unions that have a name in TypeScript."""
TABLE_PATCH = dict[str, client_out.TableValue]
NAMES: dict[type, str] = {view_json.ExplainedJson: "Explanation"}
"""Names other than those of the server, where two of its types would have the same."""


def spelled(kind: object) -> str:
    """A Python type in TypeScript."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if kind == TABLE_PATCH:
        return f"Partial<{name_of(client_out.TableJson)}>"
    for union, name in ALIASES:
        if kind == union:
            return name
    if origin is typing.Annotated:
        return spelled(inside[0])
    if origin in (typing.Union, types.UnionType):
        return union_of(inside)
    if origin is typing.Literal:
        return " | ".join(f"'{each}'" for each in inside)
    if origin is list:
        one = spelled(inside[0])
        return f"({one})[]" if "|" in one else f"{one}[]"
    if origin is dict:
        return f"Record<string, {spelled(inside[1])}>"
    if isinstance(kind, type) and (issubclass(kind, msgspec.Struct) or typing.is_typeddict(kind)):
        return name_of(kind)
    return PLAIN[kind]  # type: ignore[index]


def union_of(kinds: tuple[object, ...]) -> str:
    """A union in TypeScript."""
    return " | ".join(dict.fromkeys(spelled(each) for each in kinds))


def name_of(kind: type) -> str:
    """The name of a type in TypeScript."""
    return NAMES.get(kind, kind.__name__.removesuffix("Json"))


def interface(kind: type) -> str:
    """A message as a TypeScript interface."""
    hints = typing.get_type_hints(kind, include_extras=True)
    lines = []
    if issubclass(kind, msgspec.Struct):
        config = kind.__struct_config__
        lines += [f"  {config.tag_field}: '{config.tag}'"] if config.tag else []
        lines += [f"  {field.name}{'' if field.required else '?'}: {spelled(hints[field.name])}" for field in msgspec.structs.fields(kind)]
    else:
        lines += [f"  {name}{'' if name in kind.__required_keys__ else '?'}: {spelled(hint)}" for name, hint in hints.items()]  # type: ignore[attr-defined]
    about = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    return f"/** {about} */\nexport interface {name_of(kind)} {{\n" + "\n".join(lines) + "\n}\n"


def all_types() -> str:
    """The types of everything that the page sends and receives."""
    asked = [*typing.get_args(client_in.AnyRequest), *typing.get_args(client_in.AnyQuestion)]
    sent = typing.get_args(client_out.AnySent)
    match = [
        *(view_json.MessageJson, view_json.EventJson, view_json.AlternativeJson, view_json.RefusedJson, view_json.EarnedJson, view_json.HiddenJson),
        *(view_json.PlaceJson, view_json.MatchJson, view_json.ExplainedJson, view_json.SheetRowJson, view_json.SheetJson),
        *(patches.PlacePatch, patches.HiddenPatch, patches.MatchPatch),
    ]
    table = [
        client_out.SeatJson,
        client_out.TableJson,
        client_out.News,
        client_out.View,
        client_out.ViewPatch,
        client_out.Considered,
        client_out.Past,
    ]
    lobby = [lobby_out.Opened, lobby_out.Seated, lobby_out.PlayerLine, lobby_out.LobbyLine, lobby_out.Wrong, lobby_out.Frame, lobby_out.Film]
    info = [game_info.FaceInfo, game_info.OptionInfo, game_info.ZoneInfo, game_info.LayoutInfo, game_info.FieldInfo, game_info.GameInfo]
    kinds = [lobby_in.Open, client_in.Hello, *asked, *match, *table, *sent, *lobby, *info]
    unions = [
        *(f"export type {name} = {union_of(typing.get_args(union))}" for union, name in ALIASES),
        f"export type AnyRequest = {' | '.join(kind.__name__ for kind in asked)}",
        f"export type AnySent = {' | '.join(kind.__name__ for kind in sent)}",
        f"export const PROTOCOL = {PROTOCOL}",
    ]
    return "// Written by web/protocol_types.py from the server's own types; not by hand.\n\n" + "\n".join([*map(interface, kinds), *unions]) + "\n"


if __name__ == "__main__":
    OUT.write_text(all_types(), encoding="utf-8")
