"""The news of a log entry: the events of the match, and a message about other changes. Everything about a match is made from views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kortlek.cards import NOTHING
from kortlek.engine.events import events_of
from kortlek.engine.plain import Refused, Spoken
from kortlek.engine.view_json import event_to_json, message_to_json, offered
from kortlek.engine.views import View
from kortlek.game import Message
from kortlek.table import facts
from kortlek.table.facts import CLOCK
from kortlek.table.protocol.client_out import Considered, News
from kortlek.table.question import Reason
from kortlek.table.table import Step, Table
from kortlek.words.words import words_of


def news_of(table: Table, step: Step, viewer: int) -> News:
    """A log entry from the viewpoint of a viewer. ``table`` is the state after the entry, or after later entries of the same append."""
    fact = step.fact
    message = message_of(table, step)
    return News(
        kind=facts.kind_of(fact),
        by=getattr(fact, "seat", NOTHING),
        events=[event_to_json(event) for act in step.acts for event in events_of(table.game, act, viewer)],
        message=message_to_json(message) if message else None,
        text=fact.text if isinstance(fact, facts.Said) else "",
    )


def considered(seen: View[Any], reasons: Sequence[Reason]) -> list[Considered]:
    """A bot's evaluations of some alternatives, as they are sent."""
    return [
        Considered(
            **offered(seen.game, seen.state, each.choice),
            points=round(each.points, 2),
            reason=message_to_json(each.message),
        )
        for each in reasons
    ]


def message_of(table: Table, step: Step) -> Message | None:
    """The message about an entry, besides the events of the match and chat; None if there is none."""
    fact = step.fact
    if isinstance(fact, facts.Happened):
        return Message("table-time-up", {"who": fact.seat}) if fact.by == CLOCK else None
    say = MESSAGES.get(type(fact))
    return say(table, fact) if say else None


def changed(table: Table, fact: facts.Changed) -> Message:
    """The message about a change: the number of players, and the options that differ from their defaults."""
    usual = table.game.options
    try:
        match = table.next_match()
    except Refused:  # the rules that are here have no such match
        return Message("table-usual", {"players": fact.players})
    unusual = [
        Message("table-option", {"option": Message(f"option-{name}"), "value": option_value(name, value)})
        for name, value in match.options.items()
        if getattr(match.state, name) != whole(usual[name].default(fact.players), getattr(match.state, name))
    ]
    return Message("table-changed", {"players": fact.players, "options": unusual}) if unusual else Message("table-usual", {"players": fact.players})


def whole(value: Any, like: Any) -> Any:
    """The value of an option as it is stored in a state: a list is padded with zeros to the length of ``like``."""
    return [*value, *[0] * (len(like) - len(value))] if isinstance(value, list) else value


def option_value(name: str, value: Spoken) -> Message | int | str:
    """The value of an option as an argument of a message."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return Message(f"option-{name}-{value}") if isinstance(value, str) else value


def level_of(table: Table, level: str) -> Message | str:
    """A level of bots as an argument of a message: its name as a text if the game has no words for it."""
    id = f"level-{level.replace('/', '-')}"
    return Message(id) if words_of(table.game).has(id) else level


MESSAGES: dict[type, Callable[[Table, Any], Message]] = {
    facts.Opened: lambda table, fact: Message("table-opened", {"players": fact.players, "game": Message("title")}),
    facts.Changed: changed,
    facts.Sat: lambda table, fact: Message("table-sat", {"who": fact.seat}),
    facts.Stood: lambda table, fact: Message("table-stood", {"number": fact.seat + 1}),
    facts.Put: lambda table, fact: (
        Message("table-bot", {"who": fact.seat, "level": level_of(table, fact.level)})
        if fact.level
        else Message("table-free", {"number": fact.seat + 1})
    ),
    facts.Locked: lambda table, fact: Message("table-locked" if fact.locked else "table-unlocked"),
    facts.Readied: lambda table, fact: Message("table-ready" if fact.ready else "table-unready", {"who": fact.seat}),
    facts.Began: lambda table, fact: Message("table-began"),
    facts.Dropped: lambda table, fact: Message("table-dropped"),
    facts.Away: lambda table, fact: Message("table-away", {"whom": fact.seat}),
    facts.Back: lambda table, fact: Message("table-back", {"who": fact.seat}),
    facts.Asked: lambda table, fact: Message("table-asks", {"who": fact.seat}),
    facts.Answered: lambda table, fact: Message("table-agrees" if fact.yes else "table-disagrees", {"who": fact.seat}),
    facts.Lapsed: lambda table, fact: Message("table-lapsed", {"who": fact.seat}),
    facts.Undone: lambda table, fact: Message("table-undone", {"who": fact.seat}),
    facts.Withdrawn: lambda table, fact: Message("table-undone", {"who": fact.seat}),
    facts.Closed: lambda table, fact: Message("table-closed"),
}
"""The messages about facts other than events of the match; facts that are not listed have none."""
