"""The conformance checks for every game, state by state and step by step. A failed check raises ``Broken`` with one sentence.

The engines trust the rules and check nothing. Untested games are checked first, because compiled rules with a fault could write out of bounds or
never end."""

from __future__ import annotations

import dataclasses
import inspect
import linecache
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kortlek.cards import bit
from kortlek.engine import views
from kortlek.engine.events import Step
from kortlek.engine.loops import MOST_CHOICES
from kortlek.engine.plain import Refused, copy_of, thing_names, to_shuffle
from kortlek.engine.ranges import out_of_range
from kortlek.game import DEAL, LOTS, OVER, OWNER, SEATS, SHUFFLE, Game, Kind, Owner, State, fields_of
from kortlek.game.base import MOST_ROUNDS

START, DEALS, LEGAL, APPLY, GATHERS, WINS, PAYS = "start", "deal", "legal", "apply", "cards_to_shuffle", "winners", "payoff"
"""The rules in which a fault can be."""


class Broken(Refused):
    """A failed check. ``about`` is the rule or the field at fault."""

    def __init__(self, sentence: str, about: str = "") -> None:
        super().__init__(sentence)
        self.about = about


# ---- the declaration


def check_declaration(game: Game[Any]) -> None:
    """Check the declaration of a game: name, players, version, state and score sheet."""
    if not (isinstance(game.name, str) and game.name.isascii() and game.name.isidentifier() and game.name == game.name.lower()):
        raise Broken(f"A game cannot be called {game.name!r}: its name has small letters, digits and underscores, such as my_game.", "Game")
    if not (isinstance(game.players, range) and game.players and 1 <= game.players[0] <= game.players[-1] <= SEATS):
        raise Broken(
            f"{game.title} cannot be for {game.players!r} players: give a range within 1 to {SEATS}, such as range(2, 5) for 2 to 4.", "Game"
        )
    if any(isinstance(value, dataclasses.Field) for value in vars(game.state).values()):
        raise Broken(f"The class {game.state.__name__} needs the decorator @state of kortlek.game above it.")
    if not (isinstance(game.version, int) and game.version > 0):
        raise Broken(f"{game.title} cannot have the version {game.version!r}: it is a whole number from 1 up.", "Game")
    fields = fields_of(game.state)
    for name in (*((game.sheet.row,) if game.sheet.row else ()), *game.sheet.cells):
        if name not in fields:
            raise Broken(f"The score sheet names {name!r}, which is no field of {game.state.__name__}.", "Game")
    for name in game.sheet.cells:
        if fields[name].owner is not Owner.SEAT:
            raise Broken(f"The score sheet has a cell for each seat, but s.{name} is not per_seat.", "Game")


# ---- states


def check_state(game: Game[Any], s: State, by: str) -> None:
    """Check a state: its phase and turn are valid, the player in turn has a legal choice, every field is within its declared range, and every card is
    in exactly one place. ``by`` is the rule that led to this state."""
    if s.phase not in (OVER, DEAL, LOTS, SHUFFLE, *range(len(game.choices))):
        raise Broken(f"s.phase is {s.phase!r}: it is an index into choices, or DEAL, SHUFFLE, LOTS or OVER.", by)
    for name in fields_of(type(s)):
        for each in flat(getattr(s, name)):
            if not isinstance(each, int) or not -(1 << 63) <= each < 1 << 63:
                raise Broken(f"s.{name} holds {each!r}: fields hold whole numbers of 64 bits.", by)
    if s.phase >= 0 and s.turn not in range(s.players):
        raise Broken(f"s.turn is {s.turn}, but the seats are 0 to {s.players - 1}.", by)
    if s.phase in (DEAL, LOTS, SHUFFLE):
        things = to_shuffle(game, s)
        if not things or not all(thing in range(len(thing_names(game, s.phase, s.players))) for thing in things):
            what = "seats" if s.phase == LOTS else "cards of the pack"
            raise Broken(f"cards_to_shuffle gives {things!r} to be shuffled: they should be {what}.", GATHERS)
    if s.phase >= 0:
        check_cards(game, s, by)
        if sentence := out_of_range(game, s):
            found = re.match(r"s\.(\w+)", sentence)
            raise Broken(sentence, f"s.{found[1]}" if found and found[1] not in fields_of(State) else by)
        check_legal(game, s)


def flat(value: Any) -> list[Any]:
    """The numbers of a field, flattened."""
    return [each for part in value for each in flat(part)] if isinstance(value, list) else [value]


def check_legal(game: Game[Any], s: State) -> None:
    """Check that the player in turn has a legal choice, and that ``legal`` does not change the state."""
    before, legal = copy_of(s), game.legal(s)
    if s != before:
        raise Broken("legal changes the state: it may only read it.", LEGAL)
    kind = game.choices[s.phase]
    if not isinstance(legal, int) or not 0 < legal < bit(len(game.alternatives[s.phase])):
        said = "is empty" if legal == 0 else f"is {legal!r}"
        raise Broken(f"legal {said} when seat {s.turn + 1} has to choose what to {kind.name}: it is the set of the choices she has.", LEGAL)


def check_cards(game: Game[Any], s: State, by: str) -> None:
    """Check that every card is in exactly one place."""
    packs: dict[int, Counter[int]] = {}
    for place, field in views.places(s):
        assert field.storage is not None
        packs.setdefault(place.seat if game.pack.one_each else 0, Counter()).update(views.cards_in(s, place, field.storage))
    for cards in packs.values():
        if strange := [card for card in cards if card not in range(len(game.pack.names))]:
            raise Broken(f"There is no card {strange[0]} in the pack, but it lies somewhere.", by)
        for card, name in enumerate(game.pack.names):
            copies = game.pack.counts[card]
            if cards[card] != copies:
                often = {0: "nowhere", 1: "in one place", 2: "in two places"}.get(cards[card], f"in {cards[card]} places")
                once = f"each of its {copies} copies" if copies > 1 else "every card"
                raise Broken(f"{name} lies {often}: {once} is always in exactly one place, seen or not.", by)


# ---- steps


def rule_of(step: Step) -> str:
    """The rule that executed a step."""
    return APPLY if isinstance(step.event, int) else DEALS


def check_step(game: Game[Any], step: Step) -> None:
    """Check a step: it leads to a valid state, rounds only increase, and simultaneous choices stay private."""
    before, after = step.before, step.after
    check_state(game, after, rule_of(step))
    if not before.round <= after.round <= MOST_ROUNDS:
        raise Broken(f"s.round went from {before.round} to {after.round}: it counts the finished rounds, at most {MOST_ROUNDS}.", rule_of(step))
    if isinstance(step.event, int) and game.choices[before.phase].together:
        check_together(game, step)


def check_together(game: Game[Any], step: Step) -> None:
    """Check a simultaneous choice: until all have chosen, it may change only private fields of its own player, and no place."""
    before, after = step.before, step.after
    if after.phase != before.phase or after.round != before.round or not after.waiting or after.waiting & ~before.waiting:
        return
    verb = game.choices[before.phase].name
    for name, field in fields_of(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if name in ("waiting", "turn") or old == new:
            continue
        if field.storage or field.owner is not Owner.SEAT or field.seen_by is not OWNER:
            raise Broken(
                f"s.{name} changes while all choose together what to {verb}: until all have chosen, a choice may change only fields that each seat "
                f"has and only its owner sees (per_seat=True, seen_by=OWNER), and no place.",
                APPLY,
            )
        if others := [seat for seat in range(after.players) if seat != before.turn and old[seat] != new[seat]]:
            raise Broken(
                f"s.{name} of seat {others[0] + 1} changes when seat {before.turn + 1} chooses what to {verb}, while all choose together.", APPLY
            )


def check_audience(game: Game[Any], act: Sequence[Step]) -> None:
    """Check that no public choice names a card that moved from a place that its player saw to a place that the others do not see."""
    first, last = act[0].before, act[-1].after
    for step in act:
        if not isinstance(step.event, int) or game.choices[step.before.phase].seen_by is OWNER:
            continue
        alternative, seat = game.alternatives[step.before.phase][step.event], step.before.turn
        if alternative.kind is not Kind.CARD or game.pack.counts[alternative.value] != 1 or game.pack.one_each:
            continue
        card, others = alternative.value, [each for each in (views.ONLOOKER, *range(first.players)) if each != seat]
        was, now = where_is(first, card), where_is(last, card)
        if was is None or now is None or was[0] == now[0] or not views.sees(seat, *was):
            continue
        if all(views.sees(other, *was) or views.sees(other, *now) or is_known(last, card, *now) for other in others):
            continue
        name = game.choices[step.before.phase].name
        raise Broken(
            f"Everyone hears which card somebody chooses to {name}, but {game.pack.names[card]} then lies in s.{now[0].field}, where others do not "
            f"see it: Choice({name!r}, ..., seen_by=OWNER) keeps it secret; or say that it is known there with known_present.",
            "choices",
        )


class Secrets:
    """Detects public choices that reveal a hidden number: a field that only its owner sees is repeatedly set to the value of her public choice."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.hidden = [
            name
            for name, field in fields_of(game.state).items()
            if field.owner is Owner.SEAT and field.seen_by is OWNER and not field.storage and not field.known_to and not field.inner
        ]
        self._heard: dict[tuple[int, str], list[tuple[bool, int]]] = {}

    def note(self, act: Sequence[Step]) -> None:
        """Record which hidden numbers the public choices of an act have set."""
        first, last = act[0].before, act[-1].after
        for step in act if self.hidden and last.round == first.round else ():
            if not isinstance(step.event, int) or self.game.choices[step.before.phase].seen_by is OWNER:
                continue
            alternative, seat = self.game.alternatives[step.before.phase][step.event], step.before.turn
            for name in self.hidden if alternative.kind is not Kind.NONE else ():
                told = getattr(last, name)[seat] == alternative.value != getattr(first, name)[seat]
                self._heard.setdefault((step.before.phase, name), []).append((told, alternative.value))

    def check(self) -> None:
        """Raise Broken if a hidden number has equalled the public choice too often for a coincidence."""
        for (phase, name), heard in self._heard.items():
            values = {value for told, value in heard if told}
            if len(heard) >= 5 and len(values) >= 2 and sum(told for told, _ in heard) > 0.9 * len(heard):
                choice = self.game.choices[phase].name
                sentence = f"Everyone hears what somebody chooses to {choice}, but it is kept in s.{name}, which only she sees"
                raise Broken(f"{sentence}: Choice({choice!r}, ..., seen_by=OWNER) keeps it secret.", "choices")


def where_is(s: State, card: int) -> tuple[views.Place, Any] | None:
    """The place of a card and its field; None if the card is nowhere."""
    return next(((place, field) for place, field in views.places(s) if field.storage and card in views.cards_in(s, place, field.storage)), None)


def is_known(s: State, card: int, place: views.Place, field: Any) -> bool:
    """Whether it is public that a card is in a place."""
    if not field.known_present or not field.storage:
        return False
    return card in views.listed(views.content(s, views.Place(field.known_present, place.seat)), field.storage)


# ---- the end


def check_end(game: Game[Any], s: State) -> None:
    """Check the end of a match: the winners are a set of seats, which may be empty, and the rounds were counted."""
    winners = game.rules.winners(s)
    if not isinstance(winners, int) or not 0 <= winners < bit(s.players):
        raise Broken(f"winners is {winners!r}: it is the set of the seats that share the win.", WINS)
    if s.round == 0:
        raise Broken("The match ends in its round 0: count s.round up when a round is over, the last one too.", APPLY)


def endless(game: Game[Any], s: State, match: int) -> Broken:
    """The fault of a match that did not end within the limit."""
    waits_for = f"seat {s.turn + 1} to {game.choices[s.phase].name}" if s.phase >= 0 else "lots" if s.phase == LOTS else "a deal"
    rounds = f" after {s.round} rounds" if s.round else ""
    sentence = f"match {match} did not end within {MOST_CHOICES:,} choices; it waits for {waits_for}{rounds}."
    return Broken(f"{sentence} Does a round always end, and is s.phase set to OVER?" if game.over is None else sentence, APPLY)


# ---- the location of a fault


def located(game: Game[Any], about: str) -> str:
    """The source location of a rule, of a field (``s.top``), or of the ``Game`` and its choices, as ``rules.py:12``; the file alone if the line is
    not found."""
    module_file = inspect.getsourcefile(game.state) or ""
    if about.startswith("s."):
        for kind in game.state.__mro__:
            file = inspect.getsourcefile(kind) if kind is not object else None
            if file and (line := line_with(file, rf"\s+{about[2:]}\s*:", first=inspect.getsourcelines(kind)[1])):
                return f"{Path(file).name}:{line}"
    rule = getattr(game, about, None) if about else None
    code = getattr(rule, "__code__", None)
    if code and "kortlek/game/" not in Path(code.co_filename).as_posix():
        return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
    if about in ("Game", "choices") and (line := line_with(module_file, r".*\bGame\(|.*\bchoices=" if about == "Game" else r".*\bchoices=")):
        return f"{Path(module_file).name}:{line}"
    return Path(module_file).name


def line_with(file: str, pattern: str, first: int = 1) -> int:
    """The number of the first line of a file, from line ``first`` on, whose beginning matches a pattern; 0 if there is none."""
    lines = linecache.getlines(file)
    return next((number for number, line in enumerate(lines[first - 1 :], first) if re.match(pattern, line)), 0)
