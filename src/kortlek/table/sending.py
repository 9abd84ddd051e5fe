"""What people are sent of a table: news of each entry of its log, and the table as it stands. Everything about a match is made from views."""

from __future__ import annotations

from typing import Any

from kortlek.cards import NOTHING
from kortlek.play import fairness, telling
from kortlek.play.information import ONLOOKER
from kortlek.play.plain import read
from kortlek.play.showing import shown
from kortlek.table import clocks, facts
from kortlek.table.facts import BOT, CLOCK
from kortlek.table.messages import Chairs, News, Show
from kortlek.table.table import ENDED, STRANGER, Step, Table


def viewers(table: Table, person: int) -> list[int]:
    """With whose eyes somebody sees the table: those of her seats, or those of everyone, if she may look on."""
    return table.seats_of(person) or ([ONLOOKER] if table.may_watch(person) else [])


def news(table: Table, step: Step, viewer: int) -> News:
    """An entry of the log as a viewer is told of it. The table is the one after it, or after later ones that came at once."""
    fact, entry = step.fact, step.entry
    seat = getattr(fact, "seat", NOTHING)
    is_choice = isinstance(fact, facts.Happened) and seat != NOTHING
    return News(
        seat=viewer,
        seq=entry.seq,
        at=entry.at,
        kind=type(fact).__name__.lower(),
        by=seat,
        lines=lines(table, step, viewer),
        choice=fact.event if isinstance(fact, facts.Happened) and is_choice else "",
    )


def lines(table: Table, step: Step, viewer: int) -> list[str]:
    """What is said of an entry, sentence by sentence."""
    fact = step.fact
    if isinstance(fact, facts.Happened):
        event, match = read(table.game, step.before, fact.event), table.playing()
        happened = telling.happened(match.sight(step.before, viewer), event if isinstance(event, int) else None, match.sight(step.after, viewer))
        told = telling.sentences(happened, table.players, viewer)
        if fact.by == CLOCK:
            told.insert(0, f"{who(table, fact.seat, viewer)} ran out of time, and a bot chose")
        if step.after.phase == -1:
            told.append(telling.ending(table.game.winners(step.after), table.players, viewer))
        return told
    say = TOLD.get(type(fact))
    return [say(table, fact, viewer)] if say else []


def who(table: Table, seat: int, viewer: int) -> str:
    """A player as a viewer hears of her."""
    return telling.called(table.names, viewer)[seat] or f"Seat {seat + 1}"


def does(table: Table, seat: int, viewer: int, what: str) -> str:
    """``Lisa sits down``; to herself ``You sit down``."""
    return f"{who(table, seat, viewer)} {telling.second_person(what) if seat == viewer else what}"


TOLD: dict[type, Any] = {
    facts.Opened: lambda table, fact, viewer: f"A table for {fact.players} to play {table.game.title}",
    facts.Changed: lambda table, fact, viewer: (
        f"{fact.players} players; {telling.unusual_options(table.game, table.next_match().s) or 'usual options'}"
    ),
    facts.Sat: lambda table, fact, viewer: does(table, fact.seat, viewer, "sits down"),
    facts.Stood: lambda table, fact, viewer: f"Seat {fact.seat + 1} is free again",
    facts.Put: lambda table, fact, viewer: (
        f"{who(table, fact.seat, viewer)} ({fact.level}) sits down" if fact.level else f"Seat {fact.seat + 1} is free"
    ),
    facts.Locked: lambda table, fact, viewer: "The table is locked" if fact.locked else "The table is open again",
    facts.Readied: lambda table, fact, viewer: does(table, fact.seat, viewer, "is ready" if fact.ready else "is not ready yet"),
    facts.Began: lambda table, fact, viewer: "The match begins",
    facts.Said: lambda table, fact, viewer: f"{who(table, fact.seat, viewer)}: {fact.text}",
    facts.Away: lambda table, fact, viewer: f"A bot plays for {'you' if fact.seat == viewer else who(table, fact.seat, viewer)} now",
    facts.Back: lambda table, fact, viewer: does(table, fact.seat, viewer, "is back"),
    facts.Asked: lambda table, fact, viewer: does(table, fact.seat, viewer, "asks to take a choice back"),
    facts.Answered: lambda table, fact, viewer: does(table, fact.seat, viewer, "agrees" if fact.yes else "does not agree"),
    facts.Undone: lambda table, fact, viewer: does(table, fact.seat, viewer, "takes a choice back"),
}
"""What is said of other facts than the events of a match; of those that are not here, nothing."""


def show(table: Table, viewer: int, person: int) -> Show:
    """The table as it stands, for a viewer."""
    match, settings = table.match, table.settings
    now_due = clocks.due(table)
    is_over = table.status == ENDED
    names, players = table.names, table.players
    seen = shown(match.seen(viewer), players) if match else None
    return Show(
        seat=viewer,
        seq=table.seq,
        at=table.at,
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
            for name, chair in zip(names, table.chairs, strict=True)
        ],
        yours=table.seats_of(person),
        owner=person == table.owner != STRANGER,
        asked=table.asked,
        agreed=sorted(table.agreed),
        promise=fairness.commitment(bytes.fromhex(table.secret)),
        commitment=fairness.commitment(bytes.fromhex(match.secret)) if match else "",
        secret=match.secret if match and is_over else "",
        turn_ends=now_due.at if now_due and now_due.by != BOT else None,
        match=seen,
        sheet=telling.sheet_rows(table.game, players, match.rows, match.s.score) if match else [],
    )
