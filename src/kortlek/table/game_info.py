"""The description of a game for the page and for programs: players, pack, options, layout and levels. Texts for people are in the words files of the
game."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from kortlek.bots import levels_of
from kortlek.engine.plain import Spoken, speak_option
from kortlek.cards import NOTHING
from kortlek.game import Field, Game, Option, Owner, State, fields_of
from kortlek.game.registry import layout_of
from kortlek.game.game import usual_players

Per = Literal["table", "seat", "team", "piles"]
OptionKind = Literal["number", "numbers", "choice", "flag", "seat"]


class FaceInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The text on a card that is drawn as text."""

    title: str
    text: str
    colour: str


class OptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An option: the names of its values and, by number of players, its default value, the range of its numbers, and how many numbers it has."""

    kind: OptionKind
    names: list[str]
    default: dict[str, Spoken]
    low: dict[str, int]
    high: dict[str, int]
    length: dict[str, int]


class ZoneInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A zone of the table: the field it shows, its form and position, what a tap chooses, and who owns the field."""

    place: str
    form: str
    at: str
    tap: str
    per: Per


class LayoutInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The layout of a game."""

    component: str
    parts: dict[str, str]
    zones: list[ZoneInfo]
    counters: list[str]
    status: list[str]


class FieldInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A numeric field of the state: what it holds, who owns it, and whether it starts as -1 (unset)."""

    holds: Literal["count", "flag", "seat", "card", "suit", "rank", "card set", "seat set"]
    per: Per
    unset: bool


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game. ``pack`` holds the names of the cards by number; ``fields`` describes the numeric fields of its state."""

    name: str
    title: str
    version: int
    players: list[int]
    usual: int
    pack: list[str]
    faces: list[FaceInfo]
    options: dict[str, OptionInfo]
    layout: LayoutInfo
    fields: dict[str, FieldInfo]
    levels: list[str]


def game_info(game: Game[Any]) -> GameInfo:
    """The description of a game."""
    layout, fields = layout_of(game), fields_of(game.state)
    numbers = {name: field for name, field in fields.items() if name not in fields_of(State) and not field.storage and not field.option}
    return GameInfo(
        name=game.name,
        title=game.title,
        version=game.version,
        players=list(game.players),
        usual=usual_players(game),
        pack=list(game.pack.names),
        faces=[FaceInfo(title=face.title, text=face.text, colour=face.colour) for face in game.pack.faces],
        options={name: option_info(game, option) for name, option in game.options.items()},
        layout=LayoutInfo(
            component=layout.component,
            parts=dict(layout.parts or {}),
            zones=[ZoneInfo(place=zone.place, form=zone.form, at=zone.at, tap=zone.tap, per=per(fields[zone.place])) for zone in layout.zones],
            counters=list(layout.counters),
            status=list(layout.status),
        ),
        fields={name: field_info(field) for name, field in numbers.items()},
        levels=list(levels_of(game)),
    )


def field_info(field: Field) -> FieldInfo:
    """The description of a numeric field of the state."""
    return FieldInfo(holds=field.holds.value, per=per(field), unset=field.start == NOTHING)


def per(field: Field) -> Per:
    """Who owns a field."""
    whose: dict[Owner, Per] = {Owner.TABLE: "table", Owner.SEAT: "seat", Owner.TEAM: "team", Owner.PILES: "piles"}
    return whose[field.owner]


def option_info(game: Game[Any], option: Option) -> OptionInfo:
    """The description of an option."""
    numbers = {str(players): option.allowed(players) for players in game.players}
    return OptionInfo(
        kind=kind_of(option, any(map(len, numbers.values()))),
        names=[name for name, _ in option.names],
        default={str(players): speak_option(option, option.default(players)) for players in game.players},
        low={players: allowed[0] for players, allowed in numbers.items() if allowed},
        high={players: allowed[-1] for players, allowed in numbers.items() if allowed},
        length={str(players): option.length(players) for players in game.players} if option.length else {},
    )


def kind_of(option: Option, has_numbers: bool) -> OptionKind:
    """The kind of values that an option has."""
    names = {name for name, _ in option.names}
    if option.length:
        return "numbers"
    if has_numbers:
        return "seat" if "last_seat" in names else "number"
    return "flag" if names == {"no", "yes"} else "choice"
