"""What clients are sent about a table: news of each log entry, and snapshots (shows). Everything about a match is made from views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kortlek.cards import NOTHING
from kortlek.engine import fairness
from kortlek.engine.events import events_of
from kortlek.engine.plain import Spoken
from kortlek.engine.view_json import event_to_json, message_to_json, offered, sheet_to_json, view_to_json
from kortlek.engine.views import ONLOOKER, View
from kortlek.game import Message
from kortlek.table import clocks, facts
from kortlek.table.facts import CLOCK
from kortlek.table.messages import Chairs, Considered, News, Show
from kortlek.table.question import Reason
from kortlek.table.table import ENDED, STRANGER, Step, Table
from kortlek.words.words import words_of


def viewers(table: Table, person: int) -> list[int]:
    """The viewpoints from which a person sees the table: her seats, or the spectator's if she has none and may watch."""
    return table.seats_of(person) or ([ONLOOKER] if table.may_watch(person) else [])


def news(table: Table, step: Step, viewer: int, person: int) -> News:
    """A log entry from the viewpoint of a viewer. ``table`` is the state after the entry, or after later entries of the same append."""
    fact, entry = step.fact, step.entry
    message = message_of(table, step)
    return News(
        seat=viewer,
        seq=table.number(entry.seq, person),
        at=entry.at,
        kind=type(fact).__name__.lower(),
        by=getattr(fact, "seat", NOTHING),
        events=[event_to_json(event) for act in step.acts for event in events_of(table.game, act, viewer)],
        message=message_to_json(message) if message else None,
        text=fact.text if isinstance(fact, facts.Said) else "",
    )


def all_news(table: Table, step: Step, person: int) -> list[News]:
    """The news for a person, once for each of her viewpoints. A sealed entry is sent only to the seat that made it."""
    if not step.concerns(person):
        return []
    eyes = viewers(table, person)
    return [news(table, step, viewer, person) for viewer in eyes if step.only is None or viewer == getattr(step.fact, "seat", NOTHING)]


def past_news(table: Table, step: Step, person: int) -> list[News]:
    """The news of an entry from before a client connected. Chat is only for those who had a token of the table when it was said."""
    if isinstance(step.fact, facts.Said) and not STRANGER < person < len(table.people):
        return []
    return all_news(table, step, person)


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
    match = table.next_match()
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
    facts.Away: lambda table, fact: Message("table-away", {"whom": fact.seat}),
    facts.Back: lambda table, fact: Message("table-back", {"who": fact.seat}),
    facts.Asked: lambda table, fact: Message("table-asks", {"who": fact.seat}),
    facts.Answered: lambda table, fact: Message("table-agrees" if fact.yes else "table-disagrees", {"who": fact.seat}),
    facts.Lapsed: lambda table, fact: Message("table-lapsed", {"who": fact.seat}),
    facts.Undone: lambda table, fact: Message("table-undone", {"who": fact.seat}),
    facts.Withdrawn: lambda table, fact: Message("table-undone", {"who": fact.seat}),
}
"""The messages about facts other than events of the match; facts that are not listed have none."""


def show(table: Table, viewer: int, person: int) -> Show:
    """A snapshot of the table from the viewpoint of a viewer."""
    match, settings = table.match, table.settings
    is_over = table.status == ENDED
    seen = view_to_json(match.view(table.eyes_of(viewer))) if match else None
    return Show(
        seat=viewer,
        seq=table.number(table.seq, person),
        at=table.told_at,
        code=table.code,
        game=table.game.name,
        title=table.game.title,
        status=table.status,
        public=settings.public,
        spectators=settings.spectators,
        clock=settings.clock,
        grace=settings.grace,
        hints=settings.hints,
        stand_in=settings.stand_in,
        locked=table.locked,
        options=seen["options"] if seen else table.options,
        seats=[
            Chairs(
                name=name,
                level=chair.level,
                free=chair.is_free,
                here=bool(chair.level) or chair.person in table.present,
                away=chair.away,
                muted=chair.muted,
                ready=bool(chair.level) or chair.ready,
                until=clocks.waits_until(table, chair),
                luck=chair.luck,
            )
            for name, chair in zip(table.names, table.chairs, strict=True)
        ],
        names=list(table.players),
        yours=table.seats_of(person),
        owner=person == table.owner != STRANGER,
        asked=table.asked,
        agreed=sorted(table.agreed),
        promise=fairness.commitment(bytes.fromhex(table.secret)),
        commitment=fairness.commitment(bytes.fromhex(match.secret)) if match else "",
        secret=match.secret if match and is_over and table.may_have_record(person) else "",
        turn_ends=clocks.shown(clocks.turn_ends(table)),
        match=seen,
        sheet=sheet_to_json(match.game, match.rows, match.state) if match else None,
    )
