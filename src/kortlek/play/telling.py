"""A match in words: log lines, the score sheet, the table. Written once, for every game, and for one viewer at a time.

What a viewer is told is made from what she sees before and after (``information.view``) and from the choice in between, which is
always public. A shuffled pack is never told: only what it brought the viewer.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kortlek.cards import NOTHING, Card, Cards, members
from kortlek.play.information import ONLOOKER, OPEN, Place, View, cards_in, content, listed, places, sees, view
from kortlek.play.plain import Event, gathered, options_of, speak_option
from kortlek.rules.game import DEAL, EVERYONE, LOTS, OTHERS, OWNER, Field, Game, Match, Names, by_name, fields_of

YOU = "You"


class Line(NamedTuple):
    """One piece of news: of whom (a seat, or NOTHING), what (``plays HQ``), and whether she chose it."""

    seat: int
    text: str
    chosen: bool = False


# ---- what happened


def news(game: Game[Any], before: Match, event: Event, after: Match, viewer: int) -> list[Line]:
    """What a viewer is told of an event."""
    choice = event if isinstance(event, int) else None
    if viewer != OPEN:
        return happened(view(game, before, viewer), choice, view(game, after, viewer))
    by_seat = {line for seat in range(after.players) for line in received(view(game, before, seat), choice, view(game, after, seat))}
    return [*announced(view(game, before, ONLOOKER), choice, view(game, after, ONLOOKER)), *sorted(by_seat)]


def happened(before: View[Any], choice: int | None, after: View[Any]) -> list[Line]:
    """The choice (None: chance decided) and what came of it, as the viewer of both sees it."""
    return [*announced(before, choice, after), *received(before, choice, after), *others_received(before, choice, after)]


def announced(before: View[Any], choice: int | None, after: View[Any]) -> list[Line]:
    """What everyone is told: the choice, or that there was a deal, and what the rules declare as news."""
    if choice is None:
        return shuffled(before, after)
    chosen = Line(before.state.turn, before.game.choices[before.state.phase].told[choice], True)
    return [chosen, *changes(before.state, after.state)]


def shuffled(before: View[Any], after: View[Any]) -> list[Line]:
    """Lots are drawn, a deal begins, or part of the pack is shuffled in between."""
    s = after.state
    if before.state.phase == LOTS:
        return [Line(NOTHING, "Lots are drawn")]
    if not is_whole_pack(before):
        return [Line(NOTHING, "The cards played so far are shuffled again")]
    if s.phase == DEAL:
        return []
    names = before.game.pack.names
    open_cards = [
        Line(NOTHING, f"{label(place.field)}: {' '.join(names[card] for card in cards)}")
        for place, field in places(s)
        if field.seen_by is EVERYONE and not field.per_seat and (cards := cards_of(s, place, field))
    ]
    return [Line(NOTHING, f"Deal {s.round + 1}"), *open_cards, Line(s.turn, "begins")]


def is_whole_pack(before: View[Any]) -> bool:
    """Whether everything is shuffled now, and not just some discards."""
    pack = before.game.pack
    return len(gathered(before.game, before.state)) == len(pack.names) * pack.copies


def changes(before: Match, after: Match) -> list[Line]:
    """What the rules declare as news of a player."""
    told = [(name, field) for name, field in fields_of(type(after)).items() if field.told]
    lines = []
    for name, field in sorted(told, key=lambda each: not each[1].told_first):
        for seat in range(after.players):
            value = getattr(after, name)[seat]
            if field.told and value not in (field.start, getattr(before, name)[seat]):
                lines.append(Line(seat, field.told(value)))
    return lines


def received(before: View[Any], choice: int | None, after: View[Any]) -> list[Line]:
    """The cards that came to where only the viewer sees them, and after a deal those that only the others of a player see."""
    names = after.game.pack.names
    dealt = choice is None and after.state.phase != DEAL and is_whole_pack(before)
    lines = []
    for place, field in places(after.state):
        if not sees(after.seat, place, field):
            continue
        new = cards_of(after.state, place, field)
        if field.seen_by is OWNER and not dealt:
            new = gained(cards_of(before.state, place, field), new)
        if new and (field.seen_by is OWNER or (field.seen_by is OTHERS and dealt)):
            lines.append(Line(place.seat, f"{'gets' if field.seen_by is OWNER else 'shows'} {' '.join(names[card] for card in new)}"))
    return lines


def others_received(before: View[Any], choice: int | None, after: View[Any]) -> list[Line]:
    """How many cards came to another player's hand by a choice, and which, where that is public; at the end of a round, what she shows."""
    names = after.game.pack.names
    lines = []
    for place, field in places(after.state):
        if choice is None or not field.per_seat or field.seen_by is not OWNER or place.seat == after.seat:
            continue
        shown: list[Card] = []
        if field.shows and field.lies:
            there = Place(field.shows, place.seat)
            shown = gained(listed(content(before.state, there), field.lies), listed(content(after.state, there), field.lies))
        grown = after.sizes[place] - before.sizes[place]
        is_over = after.state.round > before.state.round
        if shown and (grown > 0 or is_over):  # who only says which card she will play gets none
            lines.append(Line(place.seat, f"{'shows' if is_over else 'gets'} {' '.join(names[card] for card in shown)}"))
        more = grown - len(shown)
        if more > 0:
            lines.append(Line(place.seat, "gets a card" if more == 1 else f"gets {more} cards"))
    return lines


def cards_of(s: Match, place: Place, field: Field) -> list[Card]:
    """The cards that lie in a place."""
    assert field.lies is not None
    return cards_in(s, place, field.lies)


def gained(before: Sequence[Card], after: Sequence[Card]) -> list[Card]:
    """The cards that are there now and were not there before."""
    return sorted((Counter(after) - Counter(before)).elements()) if before != after else []


# ---- in words


def called(names: Names, viewer: int) -> Names:
    """The players as a viewer hears of them: she herself is ``You``."""
    return tuple(YOU if seat == viewer else name for seat, name in enumerate(names))


def sentences(lines: Iterable[Line], names: Names, viewer: int) -> list[str]:
    """News as text. What a player chooses in a row and what comes of it is one sentence: ``Toby plays H7, puts it into column 3``."""
    spoken: list[str] = []
    acting, last = NOTHING, Line(NOTHING, "")
    for line in lines:
        text = second_person(line.text) if line.seat == viewer else line.text
        if line.seat == NOTHING:  # which is also the viewer who looks on
            spoken.append(line.text)
        elif line.seat == acting == last.seat and (last.chosen or not line.chosen):
            spoken[-1] += f", {text}"
        else:
            spoken.append(f"{called(names, viewer)[line.seat]} {text}")
        acting = line.seat if line.chosen else acting
        last = line
    return spoken


def second_person(text: str) -> str:
    """What is said of a player as it is said to her: ``plays HQ`` is ``play HQ``."""
    verb, space, rest = text.partition(" ")
    irregular = {"is": "are", "has": "have", "was": "were"}
    regular = verb.removesuffix("es") if verb.endswith(("ches", "shes", "sses", "xes", "oes")) else verb.removesuffix("s")
    return irregular.get(verb, regular) + space + rest


def ending(winners: Cards, names: Names, viewer: int) -> str:
    """Who has won a match that is over."""
    won = [called(names, viewer)[seat] for seat in members(winners)]
    if len(won) == 1:
        return f"{won[0]} {'win' if won[0] == YOU else 'wins'}"
    return f"{', '.join(won[:-1])} and {won[-1]} share the win" if won else "Nobody wins"


# ---- the score sheet


def finished_round(game: Game[Any], before: Match, after: Match) -> list[str]:
    """The row that an event adds to the score sheet; empty if it ended no round."""
    if after.round == before.round:
        return []
    s = view(game, after, ONLOOKER).state
    return [game.sheet.row(s), *(game.sheet.cell(s, seat) for seat in range(s.players))]


def score_sheet(game: Game[Any], names: Names, rows: Sequence[Sequence[str]], score: Sequence[int]) -> list[str]:
    """The score sheet, line by line."""
    return in_columns(sheet_rows(game, names, rows, score))


def sheet_rows(game: Game[Any], names: Names, rows: Sequence[Sequence[str]], score: Sequence[int]) -> list[list[str]]:
    """The score sheet in cells: the names, a row for each finished round, and the total."""
    return [[game.sheet.title, *names], *map(list, rows), ["Total", *map(str, score[: len(names)])]]


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table of texts, each column as wide as its widest text and flush right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(" " * (wide - width(text)) + text for text, wide in zip(row, widths, strict=True)) for row in rows]


def width(text: str) -> int:
    """How many columns a text takes in a terminal: 🌑 takes two."""
    return sum(0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


# ---- the table


def table(seen: View[Any], names: Names) -> list[str]:
    """The table as a viewer sees it, a paragraph for each thing on it, her own cards last."""
    heard = called(names, seen.seat)
    picture = seen.game.picture
    paragraphs = picture.table(seen.state, heard) if picture else bare_table(seen, heard)
    for name in picture.sizes if picture else ():
        paragraphs.append(f"Cards in {label(name).lower()}: {by_name(heard, sizes_of(seen, name))}")
    paragraphs.append(f"Score: {by_name(heard, seen.state.score)}")
    chosen = unusual_options(seen.game, seen.state)
    return [*paragraphs, *([f"Options: {chosen}"] if chosen else []), *(open_cards(seen, heard) if seen.seat == OPEN else own_cards(seen))]


def own_cards(seen: View[Any]) -> list[str]:
    """The viewer's own cards, sorted, a comma between the suits (``Your hand: C2 CK, HQ``); of those that only the others see, that they
    are there."""
    own = []
    for place, field in places(seen.state):
        if place.seat == seen.seat and field.seen_by in (OWNER, OTHERS) and seen.sizes[place]:
            cards = by_suit(seen.game, cards_of(seen.state, place, field)) if field.seen_by is OWNER else "only the others see it"
            own.append(f"Your {label(place.field).lower()}: {cards}")
    return own


def open_cards(seen: View[Any], heard: Names) -> list[str]:
    """Everyone's cards, for the viewer before whom they lie open: ``Lisa's hand: C2 CK, HQ``."""
    return [
        f"{heard[place.seat]}'s {label(place.field).lower()}: {by_suit(seen.game, cards_of(seen.state, place, field))}"
        for place, field in places(seen.state)
        if field.seen_by in (OWNER, OTHERS) and seen.sizes[place]
    ]


def by_suit(game: Game[Any], cards: Iterable[Card]) -> str:
    """Cards in notation, a comma between the suits (a suit is the first letter)."""
    suits: dict[str, list[str]] = {}
    for card in sorted(cards):
        name = game.pack.names[card]
        suits.setdefault(name[0], []).append(name)
    return ", ".join(map(" ".join, suits.values()))


def bare_table(seen: View[Any], heard: Names) -> list[str]:
    """The table of a game that has no picture of its own: what lies where, as far as the viewer sees it, and the news of each player."""
    s = seen.state
    paragraphs = [f"{seen.game.title}, deal {s.round + 1}"]
    for name, field in fields_of(type(s)).items():
        if field.told:
            paragraphs.append(f"{label(name)}: {by_name(heard, ('' if value == field.start else value for value in getattr(s, name)))}")
        elif field.lies:
            paragraphs.append(f"{label(name)}: {by_name(heard, lying(seen, name)) if field.per_seat else next(lying(seen, name))}")
    return [paragraph for paragraph in paragraphs if not paragraph.endswith(": ")]


def lying(seen: View[Any], name: str) -> Iterator[str]:
    """What lies in the places of a field: the cards if the viewer sees them, else how many."""
    for place, field in places(seen.state):
        if place.field == name:
            cards = cards_of(seen.state, place, field)
            many = seen.sizes[place]
            yield by_suit(seen.game, cards) if sees(seen.seat, place, field) else f"{many} card{'s' * (many != 1)}" if many else ""


def sizes_of(seen: View[Any], name: str) -> list[int]:
    """How many cards lie in each place of a field."""
    return [many for place, many in seen.sizes.items() if place.field == name]


def label(name: str) -> str:
    """The name of a field as people read it."""
    return name.replace("_", " ").capitalize()


def unusual_options(game: Game[Any], s: Match) -> str:
    """The options that are not as usual: ``first_lead=highest_bidder``."""
    usual = {name: speak_option(option, option.default(s.players)) for name, option in game.options.items()}
    return ", ".join(f"{name}={spell(value)}" for name, value in options_of(game, s).items() if value != usual[name])


def spell(value: object) -> str:
    """The value of an option as it is written on the command line."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
