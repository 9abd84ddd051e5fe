"""What is offered and refused, as messages: ids with arguments that the words put into a language."""

from __future__ import annotations

from typing import Any

from kortlek.cards import NOTHING, Card, members
from kortlek.engine.plain import held_card
from kortlek.game import Game, Kind, Message
from kortlek.game.registry import layout_of


def offer(game: Game[Any], s: Any, choice: int) -> Message:
    """An alternative of the choice that a match waits for, as it is offered: ``choice-play`` with its card."""
    alternative = game.alternatives[s.phase][choice]
    if alternative.kind is Kind.NONE:
        return Message(f"choice-{alternative.verb}")
    if alternative.kind is Kind.HELD:
        return Message(f"choice-{alternative.verb}", {"card": held_card(game, s, choice)})
    value = alternative.notation.partition(" ")[2] if alternative.kind is Kind.NAME else alternative.value
    return Message(f"choice-{alternative.verb}", {alternative.kind.value: value})


def why_not(game: Game[Any], s: Any, choice: int) -> Message:
    """Why an alternative is not legal, for the player in turn; by default what is."""
    reason = layout_of(game).why_not
    if reason:
        return reason(s, choice)
    return Message("refuse", {"choices": [offer(game, s, each) for each in members(game.legal(s))]})


def card_of(game: Game[Any], s: Any, choice: int) -> Card:
    """The card that an alternative is about; NOTHING if it is about none."""
    card = offer(game, s, choice).args.get("card", NOTHING)
    return card if isinstance(card, int) else NOTHING
