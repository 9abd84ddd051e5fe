"""Names, levels and options that somebody gives a table: refused if they cannot be."""

from __future__ import annotations

from typing import Any

from kortlek.bots import level_called
from kortlek.engine.plain import Refused, Spoken, begin, options_of
from kortlek.engine.record import is_name
from kortlek.game import Game, Message
from kortlek.table.refusals import Refusal
from kortlek.table.table import Table

PRONOUNS = {"you", "du"}
"""What the table calls a player to herself: nobody can be called so."""


def check_name(name: str) -> None:
    """Refuse what nobody can be called."""
    if not is_name(name):
        raise Refusal("not_possible", "refuse-name")
    if name.casefold() in PRONOUNS:
        raise Refusal("not_possible", Message("refuse-name-you", {"text": name}))


def check_level(game: Game[Any], level: str) -> None:
    """Refuse a level that the game does not have."""
    try:
        level_called(game, level)
    except Refused as refused:
        raise Refusal.because("not_possible", refused) from refused


def changed_options(table: Table, players: int, given: dict[str, Spoken]) -> dict[str, Spoken]:
    """The options with those that are given instead; what was not as usual stays so, if that is possible with this number of players."""
    usual = checked_options(table.game, len(table.chairs), {})
    unusual = {name: value for name, value in table.options.items() if value != usual[name]}
    try:
        return checked_options(table.game, players, {**unusual, **given})
    except Refusal:
        return checked_options(table.game, players, given)


def checked_options(game: Game[Any], players: int, given: dict[str, Spoken]) -> dict[str, Spoken]:
    """Every option of a game as people write it."""
    try:
        return options_of(game, begin(game, players, given))
    except Refused as refused:
        raise Refusal.because("not_possible", refused) from refused
