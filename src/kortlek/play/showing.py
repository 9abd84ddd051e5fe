"""A view as plain data that JSON can hold, for a page that knows no rules: what lies where, what may be chosen, and why the rest may not.

Everything is made from the view, so nothing is in it that its viewer does not see. What is neither a place nor an option is a public
number: a state has no other fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kortlek.cards import NOTHING, bit, members
from kortlek.play import telling
from kortlek.play.information import OPEN, Place, View, content, places, put, sees
from kortlek.play.plain import blank, options_of, winning_seats
from kortlek.rules.game import DEAL, LOTS, OVER, OWNER, PILE, Field, Game, Match, Names, fields_of

NOBODY_CHOOSES = {DEAL: "deal", LOTS: "lots", OVER: "over"}
"""What the phases are called in which there is no kind of choice."""


def shown(seen: View[Any], names: Names) -> dict[str, Any]:
    """What a viewer is shown of a match."""
    game, s = seen.game, seen.state
    kind = game.choices[s.phase] if s.phase >= 0 else None
    asked = kind if s.turn == seen.seat else None
    last = game.picture.last if game.picture else None
    earns = game.picture.earns if game.picture else None
    drawn = game.picture.drawn if game.picture else None
    return {
        "game": game.name,
        "round": s.round,
        "phase": kind.name if kind else NOBODY_CHOOSES[s.phase],
        "turn": s.turn if kind else None,
        "kind": s.phase,
        "next": s.turn,
        "players": s.players,
        "score": s.score[: s.players],
        "options": options_of(game, s),
        "numbers": numbers_of(s),
        "places": [lying(seen, place, field) for place, field in places(s)],
        "table": telling.table(seen, names),
        "last": last(s, telling.called(names, seen.seat)) if last else "",
        "drawn": drawn(s, s.turn if seen.seat == OPEN else seen.seat) if drawn else {},
        "ask": asked.ask if asked else "",
        "choices": [asked.notation[each] for each in members(seen.legal)] if asked else [],
        "refused": dict(refusals(seen)) if asked else {},
        "earns": earns(s) if earns and asked else {},
        "winners": winning_seats(game, s) if s.phase == OVER else [],
    }


def numbers_of(s: Match) -> dict[str, Any]:
    """The public numbers that are of one game only, by field; of those for each seat, as many as there are players."""
    numbers = {}
    for name, field in of_one_game(type(s)):
        value = getattr(s, name)
        if isinstance(value, list):
            value = [each[:] if isinstance(each, list) else each for each in (value[: s.players] if field.per_seat else value)]
        numbers[name] = value
    return numbers


_NUMBERS: dict[type[Match], list[tuple[str, Field]]] = {}


def of_one_game(kind: type[Match]) -> list[tuple[str, Field]]:
    """The fields of a state that are public numbers and not those of every game."""
    if kind not in _NUMBERS:
        own = [(name, field) for name, field in fields_of(kind).items() if name not in fields_of(Match)]
        _NUMBERS[kind] = [(name, field) for name, field in own if not field.lies and not field.option]
    return _NUMBERS[kind]


def lying(seen: View[Any], place: Place, field: Field) -> dict[str, Any]:
    """One place: how many cards lie there and, if the viewer sees them, which; of a pile, from the bottom."""
    cards = [seen.game.pack.names[card] for card in telling.cards_of(seen.state, place, field)] if sees(seen.seat, place, field) else None
    seat = None if place.seat == NOTHING else place.seat
    return {"place": place.field, "label": telling.label(place.field), "seat": seat, "size": seen.sizes[place], "cards": cards}


def refusals(seen: View[Any]) -> Iterator[tuple[str, str]]:
    """What the viewer, whose turn it is, may not choose, and why: with the cards that are hers alone to see, and with no card at all. That
    she cannot play what she does not hold needs no saying."""
    game, s = seen.game, seen.state
    own = {
        game.pack.names[card]
        for place, field in places(s)
        if field.seen_by is OWNER and place.seat == seen.seat
        for card in telling.cards_of(s, place, field)
    }
    for choice, text in enumerate(game.choices[s.phase].notation):
        named = text.split()[-1]
        if not seen.legal & bit(choice) and (named in own or named not in game.pack.names):
            yield text, game.why_not(s, choice)


def read_back(game: Game[Any], told: dict[str, Any], seat: int) -> View[Any]:
    """The view that ``shown`` was made from: what a program at the other end of a wire needs to choose."""
    s = blank(game, told["players"], told["options"])
    s.round, s.score[: s.players] = told["round"], told["score"]
    s.phase, s.turn = told["kind"], told["next"]
    for name, value in told["numbers"].items():
        if isinstance(value, list):
            getattr(s, name)[: len(value)] = value
        else:
            setattr(s, name, value)
    kinds, sizes = {name: card for card, name in enumerate(game.pack.names)}, {}
    for (place, field), lies in zip(places(s), told["places"], strict=True):
        assert field.lies is not None
        sizes[place] = lies["size"]
        if lies["cards"] is not None:
            put(s, place, field.lies, [kinds[name] for name in lies["cards"]])
        if field.lies is PILE:
            content(s, place)[0] = lies["size"]
    notation = game.choices[s.phase].notation if s.phase >= 0 else ()
    return View(game, seat, s, sizes, sum(bit(notation.index(text)) for text in told["choices"]))
