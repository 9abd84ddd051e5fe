"""Validation of the names, levels and options that a client sends: each function raises Refusal if a value is invalid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kortlek.bots import level_called
from kortlek.engine.plain import Refused, Spoken, begin, options_of
from kortlek.game import Game, Message
from kortlek.table.names import LONGEST, is_showable, skeleton
from kortlek.table.refusals import Refusal
from kortlek.table.table import Table

PRONOUNS = {skeleton("you"), skeleton("du")}
"""Words with which the table addresses the reader: neither they nor their look-alikes are allowed as names of players."""


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Refuse a player name that cannot be shown, addresses the reader, or looks like one of ``others`` at the table."""
    if not is_showable(name):
        raise Refusal("not_possible", Message("refuse-name", {"count": LONGEST}))
    own = skeleton(name)
    if own in PRONOUNS:
        raise Refusal("not_possible", Message("refuse-name-you", {"text": name}))
    for other in others:
        if other and skeleton(other) == own:
            alike = Message("refuse-name-taken", {"text": name}) if other == name else Message("refuse-name-alike", {"text": name, "other": other})
            raise Refusal("taken", alike)


def check_level(game: Game[Any], level: str) -> None:
    """Refuse a level that the game does not have."""
    try:
        level_called(game, level)
    except Refused as refused:
        raise Refusal.because("not_possible", refused) from refused


def changed_options(table: Table, players: int, given: dict[str, Spoken]) -> dict[str, Spoken]:
    """The options of the table updated with ``given``. Other non-default values are kept if they are valid with this number of players."""
    usual = checked_options(table.game, len(table.chairs), {})
    unusual = {name: value for name, value in table.options.items() if value != usual[name]}
    try:
        return checked_options(table.game, players, {**unusual, **given})
    except Refusal:
        return checked_options(table.game, players, given)


def checked_options(game: Game[Any], players: int, given: dict[str, Spoken]) -> dict[str, Spoken]:
    """All options of a game by name, defaults included, in the form that people write."""
    try:
        return options_of(game, begin(game, players, given))
    except Refused as refused:
        raise Refusal.because("not_possible", refused) from refused
