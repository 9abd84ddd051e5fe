"""Random matches with checks in the inner loop: the loop of ``kortlek check``, written once for both engines.

Match k is the same in both engines, and the same as match k of the try-out in ``kortlek.words.check``, which describes its fault in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from kortlek.cards import bit, lowest
from kortlek.engine.loops import Compiler, as_it_is, copy_into
from kortlek.engine.rng import pick, seeded, shuffle
from kortlek.game import MULTISET, OVER, PILE, SET, WIDE, Field, Game, Holds, Owner, fields_of
from kortlek.game.game import generated

WINNERS, ROUNDS, EVENTS, CHOICES, PHASE, FAULT = FACTS = range(6)
"""The facts about a match; the last is the number of its fault, or 0."""


def make_trial(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., None]:
    """Make a loop of matches with random choices in every seat, each checked before every choice and stopped at a limit."""
    rules, wrong = game.rules, make_wrong(game)
    start, cards_to_shuffle, deal, legal, apply = rules.start, rules.cards_to_shuffle, rules.deal, rules.legal, rules.apply
    winners, payoff = rules.winners, rules.payoff
    kinds = len(game.choices)
    alternatives = tuple(len(each) for each in game.alternatives)

    def trial(blank: Any, states: Any, pack: Any, rng: Any, counts: Any, seed: int, first: int, limit: int, payoffs: Any, facts: Any) -> None:
        """Play match ``first + i`` for each row i of ``payoffs`` and ``facts``. The last state stays in ``states[0]``."""
        for i in range(len(facts)):
            rng[0] = seeded(seed, first + i)
            copy_into(states, 0, blank[0])
            s = states[0]
            start(s)
            fault = events = choices = 0
            present = s.round
            while s.phase != OVER and events < limit:
                events += 1
                if s.phase < 0:
                    shuffle(pack, cards_to_shuffle(s, pack), rng)
                    deal(s, pack)
                else:
                    choices += 1
                    if s.phase >= kinds or s.turn < 0 or s.turn >= s.players or s.round < present:
                        fault = 1
                        break
                    present = s.round
                    may = legal(s)
                    if may <= 0 or may >= bit(alternatives[s.phase]):
                        fault = 2
                        break
                    fault = wrong(s, counts)
                    if fault:
                        break
                    apply(s, pick(may, rng))
            facts[i][ROUNDS] = s.round
            facts[i][EVENTS] = events
            facts[i][CHOICES] = choices
            facts[i][PHASE] = s.phase
            facts[i][FAULT] = fault
            if s.phase == OVER:
                facts[i][WINNERS] = winners(s)
                for seat in range(s.players):
                    payoffs[i][seat] = payoff(s, seat)

    return compile(trial)


# ---- checks of places and ranges; generated as source, because compiled code needs a loop for each field

IN_RANGE, IN_PLACE = 3, 4


@cache
def make_wrong(game: Game[Any]) -> Callable[[Any, Any], int]:
    """Make the function that returns the fault of a state: ``IN_RANGE`` for a number out of its range, ``IN_PLACE`` for a card that is not in exactly
    one place, 0 for none."""
    kinds, each = len(game.pack.names), game.pack.one_each
    lines = ["def wrong(s, counts):", "    for at in range(len(counts)):", "        counts[at] = 0"]
    packs = set()
    for name, field in fields_of(game.state).items():
        is_table = field.owner is Owner.TABLE
        value = f"s.{name}" if is_table else f"s.{name}[seat]"
        body: list[str] = []
        if field.storage:
            packs.add(0 if is_table or not each else 1)
            body = place_lines(field, value, "0" if is_table or not each else f"(seat + 1) * {kinds}", kinds)
        elif field.holds in (Holds.COUNT, Holds.FLAG) and not field.option:
            body = range_lines(field, value)
        if body and not is_table:
            lines.append(f"    for seat in range({'s.players' if field.owner in (Owner.SEAT, Owner.TEAM) else field.piles}):")
        lines += [("    " if is_table else "        ") + line for line in body]
    if 0 in packs:
        lines += [f"    for kind in range({kinds}):", "        if counts[kind] != COPIES[kind]:", f"            return {IN_PLACE}"]
    if 1 in packs:
        lines += ["    for seat in range(s.players):", f"        for kind in range({kinds}):"]
        lines += [f"            if counts[(seat + 1) * {kinds} + kind] != COPIES[kind]:", f"                return {IN_PLACE}"]
    lines += ["    return 0"]
    made: Callable[[Any, Any], int] = generated(game, "wrong", "\n".join(lines), COPIES=list(game.pack.counts), lowest=lowest)
    return made


def room_for_counts(game: Game[Any], players: int) -> int:
    """The number of counters that a trial needs: one for each kind of card, in each pack."""
    return len(game.pack.names) * (players + 1 if game.pack.one_each else 1)


def place_lines(field: Field, value: str, base: str, kinds: int) -> list[str]:
    """The source lines that count the cards of a place."""
    if field.storage is WIDE:
        return [f"for kind in range({kinds}):", f"    counts[{base} + kind] += {value}[kind]"]
    if field.storage is PILE:
        room = f"if {value}[0] < 0 or {value}[0] > {field.inner[0] - 1}:"
        strange = f"    if {value}[at] < 0 or {value}[at] >= {kinds}:"
        return [room, f"    return {IN_RANGE}", f"for at in range(1, {value}[0] + 1):", strange, f"        return {IN_PLACE}"] + [
            f"    counts[{base} + {value}[at]] += 1"
        ]
    planes = [f"{value}[{plane}]" for plane in range(field.inner[0])] if field.storage is MULTISET else [value]
    assert field.storage in (SET, MULTISET)
    counting = ["    kind = lowest(left)", f"    if kind >= {kinds}:", f"        return {IN_PLACE}"]
    counting += [f"    counts[{base} + kind] += 1", "    left &= left - 1"]
    return [line for plane in planes for line in (f"left = {plane}", "if left < 0:", f"    return {IN_PLACE}", "while left != 0:", *counting)]


def range_lines(field: Field, value: str) -> list[str]:
    """The source lines that compare the numbers of a field with its range."""
    lines, indent = [], ""
    for depth, length in enumerate(field.inner):
        lines.append(f"{indent}for i{depth} in range({length}):")
        value, indent = f"{value}[i{depth}]", indent + "    "
    within = f"{value} != {field.start} and ({value} < {field.low} or {value} > {field.high})"
    return [*lines, f"{indent}if {within}:", f"{indent}    return {IN_RANGE}"]
