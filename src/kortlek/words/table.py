"""The table as text for one viewer: from the layout of a game, or derived from its fields. The viewer's own cards come last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kortlek.engine.events import cards_at, value_of
from kortlek.engine.plain import options_of, speak_option
from kortlek.engine.sheet import columns
from kortlek.engine.views import OPEN, Place, View, places
from kortlek.game import OTHERS, PILE, OWNER, PARTNERS, Field, Game, Holds, Message, Names, Owner, State, each_seat, fields_of
from kortlek.game.layout import is_set
from kortlek.game.registry import layout_of
from kortlek.words.words import Words


def text_table(seen: View[Any], words: Words, names: Names) -> list[str]:
    """The table as paragraphs, one for each item."""
    layout, s = layout_of(seen.game), seen.state
    lines = [words.say(each, names, seen.seat) for each in layout.lines(s)] if layout.text else list(default_lines(seen, words, names))
    for name in layout.sizes:
        sizes = [many for place, many in seen.sizes.items() if place.field == name]
        lines.append(line(words, words.text(f"place-{name}", "sizes"), by_seat(words, names, seen.seat, each_seat("seat-count", count=sizes))))
    scores = [Message("seats-count", {"seats": list(side), "count": s.score[side[0]]}) for side in columns(seen.game, s.players, (), s.score)]
    lines.append(words.say(Message("table-score", {"each": scores}), names, seen.seat))
    if chosen := unusual_options(seen.game, s, words):
        lines.append(words.text("table-options", options=", ".join(chosen)))
    return [*lines, *(open_cards(seen, words, names) if seen.seat == OPEN else own_cards(seen, words))]


def line(words: Words, what: str, value: str) -> str:
    """A line of the table: ``Trump: hearts``."""
    return words.text("table-line", what=what, value=value)


def by_seat(words: Words, names: Names, viewer: int, each: list[Message]) -> str:
    """Messages about several players, joined with commas."""
    return ", ".join(words.say(message, names, viewer) for message in each)


# ---- cards that some viewers see


def own_cards(seen: View[Any], words: Words) -> list[str]:
    """The viewer's own cards, sorted (``Your hand: 2♣ K♣, Q♥``); a placeholder for own cards that only the others see."""
    own = []
    for place, field in places(seen.state):
        if place.seat == seen.seat and field.seen_by in (OWNER, PARTNERS, OTHERS) and seen.sizes[place]:
            cards = words.text("table-hidden") if field.seen_by is OTHERS else words.by_suit(cards_at(seen.state, place, field))
            own.append(line(words, words.text(f"place-{place.field}", "yours"), cards))
    return own


def open_cards(seen: View[Any], words: Words, names: Names) -> list[str]:
    """Everyone's cards, for the viewer OPEN: ``Lisa's hand: 2♣ K♣, Q♥``."""
    return [
        line(words, words.text(f"place-{place.field}", "of", whose=words.name(place.seat, names, OPEN, "whose")), words.by_suit(cards))
        for place, field in places(seen.state)
        if field.seen_by in (OWNER, PARTNERS, OTHERS) and (cards := cards_at(seen.state, place, field))
    ]


# ---- games whose layout has no text


def default_lines(seen: View[Any], words: Words, names: Names) -> Iterator[str]:
    """The round, the public numbers, and the cards of each zone, as far as the viewer sees them."""
    s, layout, fields = seen.state, layout_of(seen.game), fields_of(type(seen.state))
    yield words.text("table-title", game=words.text("title"), round=s.round + 1)
    for name in layout.status:
        if is_set(fields[name], getattr(s, name)):
            yield line(words, words.text(f"field-{name}"), value_text(words, fields[name], getattr(s, name)))
    for name in layout.counters:
        known = [seat for seat in range(s.players) if is_set(fields[name], getattr(s, name)[seat])]
        if known:
            each = [Message("seat-count", {"who": seat, "count": getattr(s, name)[seat]}) for seat in known]
            yield line(words, words.text(f"field-{name}"), by_seat(words, names, seen.seat, each))
    for zone in layout.zones:
        if said := zone_text(seen, words, names, zone.place):
            yield line(words, words.text(f"place-{zone.place}"), said)


def value_text(words: Words, field: Field, value: int) -> str:
    """A public number in words, according to its type: a suit as a suit, a card as a card."""
    if field.holds is Holds.FLAG:
        return words.text("value-yes" if value else "value-no")
    [(name, number)] = value_of(field, value).items()
    return words.argument(name, number)


def zone_text(seen: View[Any], words: Words, names: Names, name: str) -> str:
    """The cards in the places of a field, without the viewer's own, which come last."""
    field = fields_of(type(seen.state))[name]
    said = []
    for place in (each for each, _ in places(seen.state) if each.field == name and seen.sizes[each]):
        if field.owner is Owner.SEAT and field.seen_by in (OWNER, PARTNERS, OTHERS) and place.seat == seen.seat:
            continue
        said.append(of_whom(seen, words, names, place, field) + cards_text(seen, words, place, field))
    return ", ".join(said) if field.owner is Owner.SEAT else "; ".join(said)


def of_whom(seen: View[Any], words: Words, names: Names, place: Place, field: Field) -> str:
    """The label of a place: its player, or the number of its pile."""
    if field.owner is Owner.SEAT:
        return words.name(place.seat, names, seen.seat) + " "
    return f"{place.seat + 1}: " if field.owner in (Owner.PILES, Owner.TEAM) else ""


def cards_text(seen: View[Any], words: Words, place: Place, field: Field) -> str:
    """The cards in a place if the viewer sees them, otherwise their number."""
    if seen.sees(place, field):
        cards = cards_at(seen.state, place, field)
        return words.cards(cards) if field.storage is PILE else words.by_suit(cards)  # of a pile the top card comes last
    return words.text("cards-hidden", count=seen.sizes[place])


# ---- options


def unusual_options(game: Game[Any], s: State, words: Words) -> list[str]:
    """The options that differ from their defaults: ``First lead: the highest bidder``."""
    usual = {name: speak_option(option, option.default(s.players)) for name, option in game.options.items()}
    return [words.option(name, value) for name, value in options_of(game, s).items() if value != usual[name]]
