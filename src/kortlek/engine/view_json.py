"""A view as plain data for JSON, for a page that knows no rules: the numbers, the cards of each place, and the legal choices. What takes longer to
compute (why other choices are refused, what choices earn, the text table) is a second object, made on request.

The data is made from the view, so it contains nothing that its viewer does not see. It contains no text, only messages: ids with arguments, which are
translated for the reader at the edge. ``patches`` describes how one view becomes the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, TypedDict, Union

from kortlek.cards import NOTHING, bit, members, set_of
from kortlek.engine.events import Event, Step, arguments
from kortlek.engine.messages import card_of, why_not
from kortlek.engine.plain import Spoken, blank, notation_of, options_of, winning_seats, write_choice
from kortlek.engine.sheet import Row, columns
from kortlek.engine.views import ONLOOKER, OPEN, Place, View, cards_in, content, hidden_from, places, put
from kortlek.game import DEAL, LOTS, OVER, OWNER, PARTNERS, PILE, SHUFFLE, Field, Game, Kind, Message, Owner, State, fields_of
from kortlek.game.registry import layout_of

Number: TypeAlias = int | list[int | list[int]]
"""The value of a numeric field: one number, one for each seat, or a list for each."""
Json: TypeAlias = Any
"""Any JSON value: data of a game's own component of the page."""
ArgumentJson: TypeAlias = Union[float, str, "MessageJson", list[Union[int, "MessageJson"]]]
"""An argument of a message or an event. A whole number is a float here: in the OpenAPI schema exactly one of the types has to fit."""

NOBODY_CHOOSES = {DEAL: "deal", LOTS: "lots", SHUFFLE: "shuffle", OVER: "over"}
"""The names of the phases without a choice."""


class MessageJson(TypedDict):
    """Something for people to read: a message of the words files, and its arguments. A message may be an argument of another."""

    id: str
    args: dict[str, ArgumentJson]


class EventJson(TypedDict):
    """Something that happened in a match: its kind, whose it is (-1: nobody's), and what it was about."""

    kind: str
    seat: int
    args: dict[str, ArgumentJson]


class AlternativeJson(TypedDict):
    """What may be chosen: its notation, its verb, and what it is about."""

    choice: str
    verb: str
    args: dict[str, ArgumentJson]


class RefusedJson(AlternativeJson):
    """What may not be chosen, and why."""

    why: MessageJson


class EarnedJson(TypedDict):
    """What a choice earns at once."""

    choice: str
    message: MessageJson


class HiddenJson(TypedDict):
    """A number that the viewer does not see: its field, whose it is, and whether it is set (1 or 0; a set of bits if it has several)."""

    place: str
    seat: int | None
    size: int


class PlaceJson(HiddenJson):
    """Where cards lie: a field and whose it is, how many lie there and, if the viewer sees them, which; of a pile, from the bottom."""

    cards: list[str] | None


class MatchJson(TypedDict):
    """A match as one seat sees it. ``waiting`` are those who may choose; where all choose together, everyone but a viewer who has chosen:
    nobody learns who else has. ``hidden`` and ``places`` are named by field and seat, team or pile: ``hand/2``."""

    game: str
    round: int
    phase: str
    turn: int | None
    kind: int
    next: int
    waiting: list[int]
    together: bool
    players: int
    out: list[int]
    partners: list[int]
    teams: list[int]
    score: list[int]
    options: dict[str, Spoken]
    numbers: dict[str, Number]
    hidden: dict[str, HiddenJson]
    places: dict[str, PlaceJson]
    headline: MessageJson | None
    last: MessageJson | None
    drawn: dict[str, Json]
    legal: list[AlternativeJson]
    winners: list[int]


class ExplainedJson(TypedDict):
    """What takes longer to compute about a view: the text table, why choices are refused, what choices earn at once, and data of the game's
    component about the viewer's own cards."""

    table: list[MessageJson]
    refused: list[RefusedJson]
    earns: list[EarnedJson]
    drawn: dict[str, Json]


class SheetRowJson(TypedDict):
    """A finished round: what names it, and the values of each seat."""

    row: int
    cells: list[dict[str, int]]


class SheetJson(TypedDict):
    """The score sheet: the seats of each column (one, or the partners of a team), the finished rounds, and the points of each seat."""

    columns: list[list[int]]
    rows: list[SheetRowJson]
    total: list[int]


def view_to_json(seen: View[Any]) -> MatchJson:
    """A view as JSON data."""
    game, s = seen.game, seen.state
    kind = game.choices[s.phase] if s.phase >= 0 else None
    return {
        "game": game.name,
        "round": s.round,
        "phase": kind.name if kind else NOBODY_CHOOSES[s.phase],
        "turn": s.turn if kind else None,
        "kind": s.phase,
        "next": s.turn,
        "waiting": waiting_in(game, s),
        "together": kind is not None and kind.together,
        "players": s.players,
        "out": list(members(s.out)),
        "partners": list(members(seen.partners)),
        "teams": teams_in(game, s),
        "score": s.score[: s.players],
        "options": options_of(game, s),
        "numbers": {name: number_of(s, name, field) for name, field in of_one_game(type(s))},
        "hidden": hidden_numbers(seen),
        "places": {key_of(place): place_to_json(seen, place, field) for place, field in places(s)},
        "headline": headline_of(game, s),
        "last": last_of(game, s),
        "drawn": drawn_for(game, s, ONLOOKER),
        "legal": [offered(game, s, each) for each in members(seen.legal)],
        "winners": winning_seats(game, s) if s.phase == OVER else [],
    }


def explained_to_json(seen: View[Any]) -> ExplainedJson:
    """What takes longer to compute about a view."""
    game, s = seen.game, seen.state
    layout = layout_of(game)
    earns = layout.earns(s) if layout.earns and seen.legal else {}
    return {
        "table": [message_to_json(line) for line in layout.lines(s)],
        "refused": list(refusals(seen)) if seen.legal else [],
        "earns": [{"choice": choice, "message": message_to_json(message)} for choice, message in earns.items()],
        "drawn": drawn_for(game, s, s.turn if seen.seat == OPEN else seen.seat),
    }


def waiting_in(game: Game[Any], s: State) -> list[int]:
    """The seats that may choose."""
    if s.phase < 0:
        return []
    return list(members(s.waiting)) if game.choices[s.phase].together else [s.turn]


def teams_in(game: Game[Any], s: State) -> list[int]:
    """The team of each seat."""
    return [game.teams(s, seat) for seat in range(s.players)]


def headline_of(game: Game[Any], s: State) -> MessageJson | None:
    """The first line of the text table."""
    headline = layout_of(game).headline
    return message_to_json(headline(s)) if headline else None


def last_of(game: Game[Any], s: State) -> MessageJson | None:
    """What was on the table before."""
    last = layout_of(game).last
    message = last(s) if last else None
    return message_to_json(message) if message else None


def drawn_for(game: Game[Any], s: State, seat: int) -> dict[str, Json]:
    """The data of the game's component, for a seat or for everyone."""
    drawn = layout_of(game).drawn
    return drawn(s, seat) if drawn else {}


def offered(game: Game[Any], s: Any, choice: int) -> AlternativeJson:
    """An alternative: its notation, its verb, and its arguments as in events."""
    step = Step(s, choice, s)
    return {
        "choice": write_choice(game, s, choice),
        "verb": game.alternatives[s.phase][choice].verb,
        "args": arguments_to_json(arguments(game, [step])),
    }


def refusals(seen: View[Any]) -> Iterator[RefusedJson]:
    """The choices that are refused to the viewer in turn, with the reasons: those with cards that only she sees, and those without a card. Cards that
    she does not hold are left out, since the reason is obvious."""
    game, s = seen.game, seen.state
    own = {
        card
        for place, field in places(s)
        if field.seen_by in (OWNER, PARTNERS) and place.seat == seen.seat and field.storage
        for card in cards_in(s, place, field.storage)
    }
    notation = notation_of(game, s)
    for choice, alternative in enumerate(game.alternatives[s.phase]):
        if seen.legal & bit(choice) or not notation[choice]:
            continue
        if alternative.kind is Kind.SEAT and alternative.value >= s.players:
            continue
        if alternative.kind in (Kind.CARD, Kind.HELD) and card_of(game, s, choice) not in own:
            continue
        yield {**offered(game, s, choice), "why": message_to_json(why_not(game, s, choice))}


# ---- places and numbers


def number_of(s: State, name: str, field: Field) -> Number:
    """The value of a numeric field that only this game has; per-seat lists have one entry for each player. Hidden numbers have their start value."""
    value = getattr(s, name)
    if not isinstance(value, list):
        return int(value)
    return [each[:] if isinstance(each, list) else each for each in (value[: s.players] if field.owner is Owner.SEAT else value)]


_NUMBERS: dict[type[State], list[tuple[str, Field]]] = {}


def of_one_game(kind: type[State]) -> list[tuple[str, Field]]:
    """The number fields of a state that only this game has."""
    if kind not in _NUMBERS:
        own = [(name, field) for name, field in fields_of(kind).items() if name not in fields_of(State)]
        _NUMBERS[kind] = [(name, field) for name, field in own if not field.storage and not field.option]
    return _NUMBERS[kind]


def hidden_numbers(seen: View[Any]) -> dict[str, HiddenJson]:
    """The numbers that the viewer does not see, but of which she knows whether they are set."""
    _, numbers = hidden_from(seen.state, seen.seat, seen.partners)
    return {key_of(at): {"place": at.field, "seat": seat_of(at), "size": seen.sizes[at]} for at, _ in numbers if at in seen.sizes}


def key_of(place: Place) -> str:
    """The name of a place: its field and, if it is not the table's, its seat, team or pile."""
    return place.field if place.seat == NOTHING else f"{place.field}/{place.seat}"


def place_to_json(seen: View[Any], place: Place, field: Field) -> PlaceJson:
    """One place: the number of its cards and, if the viewer sees them, the cards; a pile from the bottom."""
    assert field.storage is not None
    cards = [seen.game.pack.names[card] for card in cards_in(seen.state, place, field.storage)] if seen.sees(place, field) else None
    return {"place": place.field, "seat": seat_of(place), "size": seen.sizes[place], "cards": cards}


def seat_of(place: Place) -> int | None:
    """The seat, team or pile of a place; None if the place belongs to the table."""
    return None if place.seat == NOTHING else place.seat


# ---- messages, events and the score sheet


def message_to_json(message: Message) -> MessageJson:
    """A message as an object, including the messages among its arguments."""
    return {"id": message.id, "args": arguments_to_json(message.args)}


def arguments_to_json(args: Mapping[str, Any]) -> dict[str, ArgumentJson]:
    """The arguments of a message or an event."""
    return {name: _argument(value) for name, value in args.items()}


def _argument(value: Any) -> Any:
    if isinstance(value, Message):
        return message_to_json(value)
    return [_argument(each) for each in value] if isinstance(value, list | tuple) else value


def event_to_json(event: Event) -> EventJson:
    """An event as an object."""
    return {"kind": event.kind, "seat": event.seat, "args": arguments_to_json(event.args)}


def sheet_to_json(game: Game[Any], rows: list[Row], s: State) -> SheetJson:
    """The score sheet as an object."""
    seats = [list(side) for side in columns(game, s.players, rows, s.score)]
    return {"columns": seats, "rows": [{"row": row.row, "cells": row.cells} for row in rows], "total": s.score[: s.players]}


# ---- from JSON


def view_from_json(game: Game[Any], told: MatchJson, seat: int) -> View[Any]:
    """The inverse of ``view_to_json``: the view from which a remote program chooses."""
    s = blank(game, told["players"], told["options"])
    s.round, s.score[: s.players] = told["round"], told["score"]
    s.phase, s.turn, s.out = told["kind"], told["next"], set_of(told["out"])
    s.waiting = set_of(told["waiting"]) if s.phase >= 0 and game.choices[s.phase].together else 0
    for name, value in told["numbers"].items():
        if isinstance(value, list):
            getattr(s, name)[: len(value)] = value
        else:
            setattr(s, name, value)
    kinds, sizes = {name: card for card, name in enumerate(game.pack.names)}, {}
    for place, field in places(s):
        assert field.storage is not None
        lies = told["places"][key_of(place)]
        sizes[place] = lies["size"]
        if lies["cards"] is not None:
            put(s, place, field.storage, [kinds[name] for name in lies["cards"]])
        if field.storage is PILE:
            content(s, place)[0] = lies["size"]
    for number in told["hidden"].values():
        sizes[Place(number["place"], NOTHING if number["seat"] is None else number["seat"])] = number["size"]
    notation = notation_of(game, s) if s.phase >= 0 and told["legal"] else []
    legal = sum(bit(notation.index(each["choice"])) for each in told["legal"])
    return View(game, seat, s, sizes, legal, set_of(told["partners"]))
