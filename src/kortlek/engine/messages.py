"""Offers and refusals as messages: ids with arguments, which the words package turns into text."""

from __future__ import annotations

from typing import Any

from kortlek.cards import NOTHING, Card, members
from kortlek.engine.plain import held_card
from kortlek.game import Game, Kind, Message
from kortlek.game.registry import layout_of


def offer(game: Game[Any], s: Any, choice: int) -> Message:
    """The message that offers an alternative of the current choice: ``choice-play`` with its card."""
    alternative = game.alternatives[s.phase][choice]
    if alternative.kind is Kind.NONE:
        return Message(f"choice-{alternative.verb}")
    if alternative.kind is Kind.HELD:
        return Message(f"choice-{alternative.verb}", {"card": held_card(game, s, choice)})
    value = alternative.notation.partition(" ")[2] if alternative.kind is Kind.NAME else alternative.value
    return Message(f"choice-{alternative.verb}", {alternative.kind.value: value})


def why_not(game: Game[Any], s: Any, choice: int) -> Message:
    """The reason why an alternative is not legal, for the player in turn; by default a list of the legal ones."""
    reason = layout_of(game).why_not
    if reason:
        return reason(s, choice)
    return Message("refuse", {"choices": [offer(game, s, each) for each in members(game.legal(s))]})


def card_of(game: Game[Any], s: Any, choice: int) -> Card:
    """The card of an alternative; NOTHING if it has none."""
    card = offer(game, s, choice).args.get("card", NOTHING)
    return card if isinstance(card, int) else NOTHING
