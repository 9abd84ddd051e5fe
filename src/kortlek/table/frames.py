"""Frames: what clients are sent when a table changes. One frame for each client and append: a step with what has changed, or a snapshot.

The parts of a frame are encoded once for each viewpoint, however many clients share it. What a client is sent depends on its viewpoints and its
number as a person only; everything about a match is made from views.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kortlek.cards import members
from kortlek.engine.events import events_between, learns_only_what_all_learn
from kortlek.engine.match import Act
from kortlek.engine.patches import Described, MatchPatch, can_patch, merge, own_patch, public_patch
from kortlek.engine.view_json import AlternativeJson, EventJson, SheetJson, event_to_json, message_to_json, offered, sheet_to_json, view_to_json
from kortlek.engine.views import ONLOOKER
from kortlek.engine.views import View as Seen
from kortlek.table import clocks, facts
from kortlek.table.match import LiveMatch
from kortlek.table.news import message_of, news_of
from kortlek.table.protocol.client_out import News, Snapshot, TableJson, TableValue, View, ViewPatch, encoded
from kortlek.table.table import STRANGER, Step, Table


def viewers(table: Table, person: int) -> list[int]:
    """The viewpoints from which a person sees the table: her seats, or the spectator's if she has none and may watch."""
    return table.seats_of(person) or ([ONLOOKER] if table.may_watch(person) else [])


# ---- snapshots


def table_to_json(table: Table) -> TableJson:
    """A table as everyone sees it."""
    match, settings, notice = table.match, table.settings, table.notice
    return {
        "code": table.code,
        "game": table.game.name,
        "title": table.game.title,
        "status": table.status,
        "notice": message_to_json(notice) if notice else None,
        "public": settings.public,
        "spectators": settings.spectators,
        "clock": settings.clock,
        "grace": settings.grace,
        "hints": settings.hints,
        "stand_in": settings.stand_in,
        "locked": table.locked,
        "options": match.options if match else table.options,
        "seats": [
            {
                "person": chair.person,
                "name": name,
                "level": chair.level,
                "free": chair.is_free,
                "here": bool(chair.level) or chair.person in table.present,
                "away": chair.away,
                "muted": chair.muted,
                "ready": bool(chair.level) or chair.ready,
                "until": clocks.waits_until(table, chair),
                "luck": chair.luck,
            }
            for name, chair in zip(table.names, table.chairs, strict=True)
        ],
        "names": list(table.players),
        "owner": table.owner,
        "asked": table.asked,
        "agreed": sorted(table.agreed),
        "match_number": table.matches,
        "promise": table.promise,
        "commitment": table.commitment,
        "turn_ends": clocks.shown(clocks.turn_ends(table)),
    }


def view_of(table: Table, viewer: int, news: Sequence[News] = ()) -> View:
    """The match and the score sheet as a viewer sees them."""
    match = table.match
    if match is None:
        return View(seat=viewer, news=[*news])
    return View(seat=viewer, news=[*news], match=view_to_json(match.view(table.eyes_of(viewer))), sheet=sheet_of(match))


def sheet_of(match: LiveMatch) -> SheetJson:
    """The score sheet of a match."""
    return sheet_to_json(match.game, match.rows, match.state)


def snapshot(table: Table, person: int, done: str = "") -> Snapshot:
    """The whole table for a person."""
    views = [view_of(table, viewer) for viewer in viewers(table, person)]
    return Snapshot(seq=table.number(table.seq, person), at=table.told_at, table=table_to_json(table), views=views, done=done)


# ---- steps


@dataclass(eq=False)
class Change:
    """What one append, or a person who comes or goes, has changed: bytes only, one part for each viewpoint.

    ``only`` is the person who alone may know of it, None if all may."""

    since: int
    seq: int
    at: int
    table: bytes
    views: dict[int, bytes]
    is_snapshot: bool = False
    only: int | None = None
    _frames: dict[tuple[int, ...], bytes] = field(default_factory=dict)

    def concerns(self, person: int) -> bool:
        """Whether a person may know of the change."""
        return self.only is None or self.only == person != STRANGER

    def frame(self, table: Table, person: int, seats: Sequence[int], done: str = "") -> bytes:
        """The frame for a person with these viewpoints. ``done`` is the id of her message that led to it."""
        key = tuple(seats)
        if key not in self._frames:
            parts = [self.views[seat] for seat in seats if seat in self.views]
            changed = b'"table":%b,' % self.table if self.table != b"{}" else b""
            self._frames[key] = b'"at":%d,%b"views":[%b]}' % (self.at, changed, b",".join(parts))
        answer = b'"done":%b,' % encoded(done) if done else b""
        seq = table.number(self.seq, person)
        if self.is_snapshot:
            return b'{"type":"snapshot","seq":%d,%b%b' % (seq, answer, self._frames[key])
        return b'{"type":"step","since":%d,"seq":%d,%b%b' % (table.number(self.since, person), seq, answer, self._frames[key])


@dataclass
class Before:
    """What was known before an append."""

    seq: int
    state: Any
    rows: int

    @classmethod
    def of(cls, table: Table) -> Before:
        """What is known of a table now."""
        match = table.match
        return cls(table.seq, match.state if match else None, len(match.rows) if match else 0)


class Teller:
    """What the clients of one table have been told: it turns appends into changes, and keeps the latest changes for clients that reconnect."""

    def __init__(self, table: Table) -> None:
        self.told = table_to_json(table)
        """The table as everyone was told last."""
        self._described: tuple[Any, Described] | None = None

    def change(self, table: Table, before: Before, steps: Sequence[Step], seats: Sequence[int]) -> Change:
        """What an append has changed, for these viewpoints."""
        [*hidden] = {step.only for step in steps if step.only is not None}
        only_moves = all(isinstance(step.fact, facts.Happened) for step in steps) and not table.settings.clock
        is_as_told = only_moves and self.told["asked"] is None and self.told["status"] == table.status
        patch = {} if is_as_told else self._table_patch(table)
        if hidden or not self._may_patch(table, before, steps):
            return self._snapshot(table, before, steps, seats, hidden[0] if hidden else None)
        views = Views(table, before, steps, self._described) if any(isinstance(step.fact, facts.Happened) for step in steps) else None
        self._described = views.described if views else self._described
        plain = [] if views else [news_of(table, step, ONLOOKER) for step in steps]
        parts = {seat: encoded(views.patch(seat) if views else ViewPatch(seat=seat, news=plain)) for seat in seats}
        return Change(before.seq, table.seq, table.told_at, encoded(patch), parts)

    def presence(self, table: Table) -> Change | None:
        """What has changed because a person came or went; None if nothing has."""
        patch = self._table_patch(table)
        return Change(table.seq, table.seq, table.told_at, encoded(patch), {}) if patch else None

    def _table_patch(self, table: Table) -> dict[str, TableValue]:
        """The members of the table that have changed since everyone was told last."""
        now = table_to_json(table)
        old: dict[str, Any] = {**self.told}
        self.told = now
        changed: dict[str, Any] = {name: value for name, value in now.items() if value != old[name]}
        return changed

    def _may_patch(self, table: Table, before: Before, steps: Sequence[Step]) -> bool:
        """Whether the append can be told as a patch: the viewpoints are the same, and the match allows it."""
        if not all(isinstance(step.fact, facts.Patched) for step in steps):
            return False
        moved = any(isinstance(step.fact, facts.Happened) for step in steps)
        return not moved or can_patch(table.game, before.state, table.playing().state)

    def _snapshot(self, table: Table, before: Before, steps: Sequence[Step], seats: Sequence[int], only: int | None) -> Change:
        """The whole table, with the news of the append; of a sealed entry, only for its person."""
        parts = {}
        for seat in seats:
            if only is None or table.chairs[seat].person == only if seat >= 0 else only is None:
                told = [step for step in steps if step.only is None or seat == getattr(step.fact, "seat", ONLOOKER)]
                parts[seat] = encoded(view_of(table, seat, [news_of(table, step, seat) for step in told]))
        at = table.told_at if only is None else table.at
        return Change(before.seq, table.seq, at, encoded(self.told), parts, is_snapshot=True, only=only)


class Views:
    """The patches of an append that moved the match. What everyone learns is computed once."""

    def __init__(self, table: Table, before: Before, steps: Sequence[Step], described: tuple[Any, Described] | None = None) -> None:
        """``described`` is what was made of a state last, and the state: the one before this append, as a rule."""
        self.table, self.before, self.steps = table, before, steps
        self.match = table.playing()
        self._seen: dict[tuple[int, int], Seen[Any]] = {}
        old, s = before.state, self.match.state
        seen_before, seen = self._view(old, ONLOOKER), self._view(s, ONLOOKER)
        was = described[1] if described and described[0] is old else Described.of(self.match.game, seen_before.state)
        self.described = s, Described.of(self.match.game, seen.state)
        self.public = public_patch(seen_before, seen, was, self.described[1])
        self.sheet = sheet_of(self.match) if len(self.match.rows) != before.rows or s.score != old.score else None
        self.events = [self._events(step.acts, ONLOOKER) for step in steps]
        self.news = [self._news(step, events) for step, events in zip(steps, self.events)]

    def patch(self, seat: int) -> ViewPatch:
        """What one viewpoint learns."""
        if seat == ONLOOKER:
            return ViewPatch(seat=seat, news=self.news, match=self.public, sheet=self.sheet)
        game, s = self.match.game, self.match.state
        news = [
            told if all(learns_only_what_all_learn(game, act, seat) for act in step.acts) else self._news(step, self._events(step.acts, seat))
            for step, told in zip(self.steps, self.news)
        ]
        match: MatchPatch = own_patch(self.public, game, self.before.state, s, seat, self._legal(seat))
        return ViewPatch(seat=seat, news=news, match=match, sheet=self.sheet)

    def _legal(self, seat: int) -> list[AlternativeJson] | None:
        """The choices open to a seat; None if it had none before and has none now."""
        if self.match.turn == seat:
            seen = self._view(self.match.state, seat)
            return [offered(seen.game, seen.state, each) for each in members(seen.legal)]
        return [] if self.before.state.phase >= 0 and self.before.state.turn == seat else None

    def _view(self, s: Any, seat: int) -> Seen[Any]:
        """A view of a state; those before and after the append are cached by the match."""
        if s is self.match.state or s is self.before.state:
            return self.match.view_of(s, seat)
        key = id(s), seat
        if key not in self._seen:
            self._seen[key] = self.match.view_of(s, seat)
        return self._seen[key]

    def _events(self, acts: Sequence[Act], seat: int) -> list[EventJson]:
        events = [events_between(self._view(act[0].before, seat), act, self._view(act[-1].after, seat)) for act in acts]
        return [event_to_json(event) for each in events for event in each]

    def _news(self, step: Step, events: list[EventJson]) -> News:
        message = message_of(self.table, step)
        kind, by = facts.kind_of(step.fact), getattr(step.fact, "seat", ONLOOKER)
        text = step.fact.text if isinstance(step.fact, facts.Said) else ""
        return News(kind=kind, by=by, events=events, message=message_to_json(message) if message else None, text=text)


# ---- several steps as one


def joined(frames: Sequence[bytes], is_told: bool = True) -> bytes:
    """Consecutive frames of one client as one frame: what has changed by all of them, and the news unless they are not to be told."""
    whole, *later = [msgspec.json.decode(frame) for frame in frames]
    for frame in later:
        news = {view["seat"]: view.get("news", []) for view in whole["views"]}
        if frame["type"] == "snapshot":
            whole = frame
        else:
            whole["seq"], whole["at"] = frame["seq"], frame["at"]
            whole["table"] = merge(whole.get("table", {}), frame.get("table", {}))
            views = {view["seat"]: view for view in whole["views"]}
            for view in frame["views"]:
                views[view["seat"]] = merge(views.get(view["seat"]), view)
            whole["views"] = list(views.values())
        told = {view["seat"]: view.get("news", []) for view in frame["views"]}
        for view in whole["views"]:
            view["news"] = [*news.get(view["seat"], []), *told.get(view["seat"], [])]
    if not is_told:
        for view in whole["views"]:
            view["news"] = []
    return msgspec.json.encode(whole)
