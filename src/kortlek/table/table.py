"""The state of one table, without a network: derived from its log, and from nothing else.

``take`` applies one log entry, so a table can be rebuilt from its entries at any time. Messages are handled in ``handlers``, timers in ``clocks``;
what clients are sent is made in ``sending``. Times are milliseconds since 1970.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from kortlek.bots import BOT_NAMES
from kortlek.cards import NOTHING
from kortlek.engine import fairness
from kortlek.engine.fairness import AnySeed
from kortlek.engine.first_scheme import FirstSeed
from kortlek.engine.match import Act
from kortlek.engine.plain import Spoken
from kortlek.engine.record import Record
from kortlek.engine.views import ONLOOKER
from kortlek.game import Game, Message
from kortlek.table import facts
from kortlek.table.facts import AnyFact
from kortlek.table.match import LiveMatch
from kortlek.table.names import skeleton
from kortlek.table.refusals import Refusal
from kortlek.table.stopped import Stopped, fitting_options, game_or_stand_in, seat_names, why_missing, why_stopped
from kortlek.table.store import Entry, Standing

WAITING, PLAYING, ENDED, CLOSED = "waiting", "playing", "over", "closed"
STRANGER = NOTHING
"""The number of a person without a token of this table."""
REMEMBERED_LINES = 50
"""How many lines of chat a table has in memory."""
REMEMBERED_IDS = 512
"""How many client message ids a table has in memory; the store knows all of them."""


def hashed(token: str) -> str:
    """The hash of a token, which is stored instead of the token."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class Chair:
    """A seat: a person's, a bot's, or free. During a match a bot plays for a person who is ``away``."""

    person: int = STRANGER
    name: str = ""
    level: str = ""
    luck: str = ""
    away: bool = False
    left_by_choice: bool = False
    muted: bool = False
    ready: bool = False

    @property
    def is_free(self) -> bool:
        """Whether neither a person nor a bot has this seat."""
        return self.person == STRANGER and not self.level


@dataclass(frozen=True)
class Step:
    """A log entry that has just been applied, the acts of the match that are complete with it and, for a sealed entry, the only person who may
    know of it."""

    entry: Entry
    fact: AnyFact
    acts: Sequence[Act] = ()
    only: int | None = None

    def concerns(self, person: int) -> bool:
        """Whether a person may know of this entry."""
        return self.only is None or (self.only == person != STRANGER)


class Moves(list[AnyFact]):
    """Facts that move the match, and the match after them: the rules have run, and do not run again when the facts are in the log. ``acts`` are the
    acts that are complete with each of the facts of the match, in order."""

    def __init__(self, made: Sequence[AnyFact], match: LiveMatch, acts: Sequence[Sequence[Act]]) -> None:
        super().__init__(made)
        self.match, self.acts = match, acts


class Line(NamedTuple):
    """A line of chat."""

    seq: int
    seat: int
    text: str


class Sealed(NamedTuple):
    """A sealed log entry: its number, its person and her seat."""

    seq: int
    person: int
    seat: int


@dataclass
class Table:
    """The state of a table."""

    code: str
    settings: facts.Opened = field(init=False)
    """The settings with which the table was opened."""
    game: Game[Any] = field(init=False)
    seq: int = 0
    at: int = 0
    people: list[str] = field(default_factory=list)
    """The hashes of the tokens, by person; empty for a person who was sent away."""
    owner: int = 0
    locked: bool = False
    closed: bool = False
    """Whether nothing can happen at the table any more."""
    chairs: list[Chair] = field(default_factory=list)
    agreed_options: dict[str, Spoken] = field(default_factory=dict)
    """The options as they are written in the log; the rules that are here may have others."""
    options: dict[str, Spoken] = field(default_factory=dict)
    """The options of the next match."""
    secret: str = ""
    """The secret of the next match. It is promised before players add their luck."""
    scheme: int = fairness.SCHEME
    """The scheme of that promise."""
    match: LiveMatch | None = None
    stopped: Stopped | None = None
    """The match instead, if its rules are not here."""
    matches: int = 0
    """How many matches have begun."""
    asked: int | None = None
    """The seat that asks to take a choice back."""
    agreed: set[int] = field(default_factory=set)
    last_event: int = 0
    """The number of the last entry that changed the match."""
    sealed: list[Sealed] = field(default_factory=list)
    """The entries that only one person knows of; for the others they have no number (``number``)."""
    told_at: int = 0
    """The time of the last entry that was sent to everyone."""
    answered: dict[str, int] = field(default_factory=dict)
    """The ids of the latest client messages, and the number of the last entry of each."""
    joined: list[int] = field(default_factory=list)
    """The number of the entry with which each person came."""
    chat: list[Line] = field(default_factory=list)
    """The latest lines of chat."""
    present: set[int] = field(default_factory=set)
    """The people who are connected. Not in the log, like the next two fields."""
    left: dict[int, int] = field(default_factory=dict)
    """When each disconnected person lost her connection."""
    turn_since: int = 0
    """When the current turn began, by the clock of timers."""
    asked_since: int = 0
    """When the request to take a choice back was made, by the clock of timers."""

    # ---- the log

    def entries(self, made: Sequence[AnyFact], now: int, mid: str = "") -> list[Entry]:
        """Facts as the next log entries. The last entry carries the client's message id, so that a repeated message is answered with its number."""
        ids = [*[""] * (len(made) - 1), mid]
        return [Entry(self.code, self.seq + 1 + n, max(now, self.at), ids[n], facts.written(fact)) for n, fact in enumerate(made)]

    def take(self, entry: Entry, now: int | None = None) -> Step:
        """Apply an entry that was read from the log. ``now`` is the time by which timers count (``timing``); by default that of the entry."""
        if entry.seq != self.seq + 1:
            raise ValueError(f"Entry {entry.seq} cannot come after {self.seq}.")
        fact = facts.read(entry.body)
        return self._applied(entry, fact, TAKE[type(fact)](self, fact) or (), now)

    def take_all(self, entries: Sequence[Entry], made: Sequence[AnyFact], now: int | None = None) -> list[Step]:
        """Apply entries that were just appended, and the facts that they were made of. Moves are not made again."""
        if not isinstance(made, Moves):
            return [self._applied(entry, fact, TAKE[type(fact)](self, fact) or (), now) for entry, fact in zip(entries, made, strict=True)]
        acts, steps = iter(made.acts), []
        for entry, fact in zip(entries, made, strict=True):
            if not isinstance(fact, facts.Happened):
                TAKE[type(fact)](self, fact)
            steps.append(self._applied(entry, fact, next(acts) if isinstance(fact, facts.Happened) else (), now))
        self.match = made.match
        self._end_match()
        return steps

    def copy(self) -> Table:
        """A copy to which entries can be applied before they are durable. The match is shared: it is replaced by entries, not changed."""
        later = copy.copy(self)
        later.people, later.chairs = self.people[:], [replace(chair) for chair in self.chairs]
        later.agreed, later.answered, later.left, later.sealed = set(self.agreed), dict(self.answered), dict(self.left), self.sealed[:]
        later.joined, later.stopped = self.joined[:], self.stopped and self.stopped.copy()
        return later

    def _applied(self, entry: Entry, fact: AnyFact, acts: Sequence[Act], now: int | None) -> Step:
        """What every entry changes, besides its fact."""
        now = entry.at if now is None else now
        if entry.mid:
            self.answered[entry.mid] = entry.seq
            if len(self.answered) > REMEMBERED_IDS:
                del self.answered[next(iter(self.answered))]
        self.seq, self.at = entry.seq, entry.at
        if isinstance(fact, facts.Sat) and fact.person not in self.present:
            self.left.setdefault(fact.person, now)  # the grace time runs from here if she never connects
        if isinstance(fact, facts.Began | facts.Happened | facts.Undone):
            self.last_event = entry.seq
            self.turn_since = now
            self.asked, self.agreed = None, set()
        if isinstance(fact, facts.Asked):
            self.asked_since = now
        if isinstance(fact, facts.Sealed):
            self.sealed.append(Sealed(entry.seq, self.chairs[fact.seat].person, fact.seat))
            return Step(entry, fact, only=self.sealed[-1].person)
        self.told_at = entry.at
        return Step(entry, fact, acts)

    def number(self, seq: int, person: int) -> int:
        """The number of an entry as a person sees it: sealed entries of others are not counted, so that nothing she is sent depends on them."""
        return seq - sum(each.seq <= seq and (each.person != person or person == STRANGER) for each in self.sealed)

    def last_seen_by(self, seat: int) -> int:
        """The number of the last entry that changed what a seat may choose."""
        return max([self.last_event, *(each.seq for each in self.sealed if each.seat == seat)])

    def _opened(self, fact: facts.Opened) -> None:
        self.settings, self.game = fact, game_or_stand_in(fact.game)
        self.joined = [1]
        self.people = [fact.token]
        self.secret, self.scheme = fact.secret, fact.scheme
        self._agree_on(fact.players, fact.options)
        self.chairs = [Chair() for _ in range(fact.players)]

    def _agree_on(self, players: int, options: dict[str, Spoken]) -> None:
        self.agreed_options, self.options = options, fitting_options(self.game, players, options)

    def _changed(self, fact: facts.Changed) -> None:
        self._agree_on(fact.players, fact.options)
        self._nobody_is_ready()  # they were ready for other settings
        self.chairs = [*self.chairs[: fact.players], *(Chair() for _ in range(fact.players - len(self.chairs)))]

    def _sat(self, fact: facts.Sat) -> None:
        if fact.token:
            self.people.append(fact.token)
            self.joined.append(self.seq + 1)
        self.chairs[fact.seat] = Chair(fact.person, fact.name)

    def _stood(self, fact: facts.Stood) -> None:
        person = self.chairs[fact.seat].person
        self.chairs[fact.seat] = Chair()
        if fact.sent_away:
            self.people[person] = ""
            for seat in self.seats_of(person):
                self.chairs[seat] = Chair()
        if self.asked is not None and self.chairs[self.asked].person == STRANGER:
            self.asked, self.agreed = None, set()
        if person == self.owner and not self.seats_of(person):
            self.owner = next(iter(self.seated()), person)

    def _put(self, fact: facts.Put) -> None:
        self.chairs[fact.seat] = Chair(level=fact.level)

    def _locked(self, fact: facts.Locked) -> None:
        self.locked = fact.locked

    def _added(self, fact: facts.Added) -> None:
        self.chairs[fact.seat].luck = fact.luck

    def _readied(self, fact: facts.Readied) -> None:
        self.chairs[fact.seat].ready = fact.ready

    def _nobody_is_ready(self) -> None:
        for chair in self.chairs:
            chair.ready = False

    def _began(self, fact: facts.Began) -> None:
        self.chairs = rotated(self.chairs, fact.rotated)
        self._nobody_is_ready()
        if why := why_stopped(self.game, fact):
            self.match, self.stopped = None, self._stopped(fact.version, *why)
        else:
            self.match, self.stopped = self.next_match(), None
        self.secret, self.scheme = fact.secret, fact.scheme
        self.matches += 1
        if self.scheme != FirstSeed.scheme:  # in logs of the first edition, luck was kept for the next match
            for chair in self.chairs:
                chair.luck = ""

    def _stopped(self, version: int, reason: Message, may_return: bool) -> Stopped:
        """The match that begins now, for which the rules are not here."""
        begun = Stopped(self.game.name, version, reason, may_return, self.agreed_options, self.next_seed(), [], (), frozenset())
        return self._went_on(begun)

    def _went_on(self, stopped: Stopped) -> Stopped:
        """Note who plays a match for which the rules are not here."""
        played_by = tuple(zip(self.names, (chair.level for chair in self.chairs)))
        return replace(stopped, played_by=played_by, people=stopped.people | set(self.seated()))

    def _dropped(self, fact: facts.Dropped) -> None:
        if self.stopped is None:  # the rules have come back, but the match was given up without them
            match = self.playing()
            begun = self._stopped(self.game.version, Message("refuse-not-begun"), False)
            self.stopped = replace(begun, fair=match.fair, options=match.options, events=match.written)
            self.match = None
        self.stopped.is_dropped = True

    def _happened(self, fact: facts.Happened) -> list[Act]:
        if self.stopped:
            self.stopped = self._went_on(self.stopped)
            self.stopped.events.append(fact.event)
            return []
        match = self.playing()
        match.forget_held()  # all have chosen, and their choices follow in the log
        acts = match.step(match.read(fact.event))
        self._end_match()
        return acts

    def _end_match(self) -> None:
        if self.match and self.match.over:
            self.match.played_by = tuple(zip(self.names, (chair.level for chair in self.chairs)))
            self.match.seated, self.match.witnesses = tuple(chair.person for chair in self.chairs), len(self.people)

    def _chosen(self, fact: facts.Chosen) -> None:
        if self.stopped:
            return
        match = self.playing()
        match.seal(fact.seat, match.choice_of(fact.seat, fact.choice), fact.by)

    def _withdrawn(self, fact: facts.Withdrawn) -> None:
        if not self.stopped:
            self.playing().unseal(fact.seat)

    def _said(self, fact: facts.Said) -> None:
        self.chat = [*self.chat[1 - REMEMBERED_LINES :], Line(self.seq + 1, fact.seat, fact.text)]

    def _muted(self, fact: facts.Muted) -> None:
        self.chairs[fact.seat].muted = fact.muted

    def _away(self, fact: facts.Away) -> None:
        chair = self.chairs[fact.seat]
        chair.away, chair.left_by_choice = True, fact.by_choice
        if self.asked == fact.seat:
            self.asked, self.agreed = None, set()

    def _back(self, fact: facts.Back) -> None:
        chair = self.chairs[fact.seat]
        chair.away = False
        self.left.pop(chair.person, None)

    def _asked(self, fact: facts.Asked) -> None:
        if not self.stopped:
            self.asked, self.agreed = fact.seat, set()

    def _answered(self, fact: facts.Answered) -> None:
        if fact.yes and self.asked is not None:
            self.agreed.add(fact.seat)
        else:
            self.asked, self.agreed = None, set()

    def _lapsed(self, fact: facts.Lapsed) -> None:
        self.asked, self.agreed = None, set()

    def _undone(self, fact: facts.Undone) -> None:
        if self.stopped:
            del self.stopped.events[fact.to :]
        else:
            self.match = self.playing().up_to(fact.to)

    def _handed(self, fact: facts.Handed) -> None:
        self.people[self.chairs[fact.seat].person] = fact.token

    def _closed(self, fact: facts.Closed) -> None:
        self.closed = True
        self.asked, self.agreed = None, set()

    # ---- queries

    @property
    def status(self) -> str:
        """Whether the table waits for a match, a match is being played, or it is over."""
        if self.stopped and not self.stopped.is_dropped:
            return ENDED if self.stopped.is_over else PLAYING
        return WAITING if self.match is None else ENDED if self.match.over else PLAYING

    @property
    def is_stopped(self) -> bool:
        """Whether a match is unfinished that cannot go on."""
        return self.match is None and self.status == PLAYING

    @property
    def notice(self) -> Message | None:
        """What everyone at the table is told about it: why the match cannot go on, or that no match can begin."""
        return (self.stopped and self.stopped.notice) or why_missing(self.game)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, bots included; empty for a free seat."""
        taken = {skeleton(chair.name) for chair in self.chairs if chair.name}
        free = (name for name in BOT_NAMES if skeleton(name) not in taken)
        return tuple(chair.name or (next(free) if chair.level else "") for chair in self.chairs)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players of the match. After a match these are its players, even if others have sat down since."""
        return tuple(name for name, _ in self.match.played_by) if self.match and self.match.played_by else self.names

    @property
    def promise(self) -> str:
        """The promise of the next match."""
        return self.next_seed().commitment

    @property
    def commitment(self) -> str:
        """The promise of this match; empty before the first."""
        return self.match.fair.commitment if self.match else ""

    def person_with(self, token: str) -> int:
        """The person with this token, or ``STRANGER``; compared in constant time."""
        given, found = hashed(token), STRANGER
        for person, kept in enumerate(self.people):
            if hmac.compare_digest(given, kept or "-" * len(given)):
                found = person
        return found

    def seats_of(self, person: int) -> list[int]:
        """The seats of a person."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.person == person != STRANGER]

    def seated(self) -> list[int]:
        """The people who sit at the table."""
        return [chair.person for chair in self.chairs if chair.person != STRANGER]

    def may_watch(self, person: int) -> bool:
        """Whether a person without a seat may watch."""
        return person == self.owner or self.settings.spectators != "off"

    def chat_for(self, person: int) -> list[Line]:
        """The latest lines of chat since a person came; none for spectators."""
        return [line for line in self.chat if line.seq > self.joined[person]] if person != STRANGER else []

    def playing(self) -> LiveMatch:
        """The match; Refusal if there is none yet, or its rules are not here."""
        if self.stopped and self.stopped.notice:
            raise Refusal("not_playing", self.stopped.notice, game=self.game)
        if self.match is None:
            raise Refusal("not_playing", "refuse-not-begun")
        return self.match

    def next_match(self, by: int = 0) -> LiveMatch:
        """The match that would start now if everyone moved on by ``by`` seats."""
        return LiveMatch(self.game, len(self.chairs), self.options, self.next_seed(by))

    def next_seed(self, by: int = 0) -> AnySeed:
        """What determines the deals of that match."""
        return fairness.seed_for(self.scheme, self.code, self.matches + 1, self.secret, [chair.luck for chair in rotated(self.chairs, by)])

    def finished(self, person: int) -> LiveMatch:
        """The finished match, with all cards, for people who may have its record; otherwise Refusal."""
        self.check_reader(person)
        if self.match is None or not self.match.over:
            raise Refusal("not_playing", "refuse-record-later")
        if not self.may_have_record(person):
            raise Refusal("not_allowed", "refuse-record-before")
        return self.match

    def check_reader(self, person: int) -> None:
        """Refuse the record of a finished match to strangers, unless the table is public."""
        if not self.settings.public and person == STRANGER:
            raise Refusal("no_token", "refuse-record-private")

    def may_have_record(self, person: int) -> bool:
        """Whether a person may see all cards of the finished match: anyone at a public table, else those who had a token before it ended."""
        return self.settings.public or (self.match is not None and self.match.over and STRANGER < person < self.match.witnesses)

    def eyes_of(self, viewer: int) -> int:
        """The seat whose view of the match is shown to a viewer: a spectator's, if she took the seat after the match was over."""
        match = self.match
        return ONLOOKER if match and match.over and viewer >= 0 and match.seated[viewer] != self.chairs[viewer].person else viewer

    def record(self, person: int) -> Record:
        """The record of the finished match, for the same people."""
        match = self.finished(person)
        return match.record(seat_names(match.played_by))

    def standing(self) -> Standing:
        """The summary of the table, for the lobby."""
        seats = [{"name": name, "level": chair.level} for name, chair in zip(self.names, self.chairs, strict=True)]
        line = {"code": self.code, "game": self.game.name, "title": self.game.title, "status": self.status, "locked": self.locked, "seats": seats}
        public, status = self.settings.public and not self.closed, CLOSED if self.closed else self.status
        return Standing(self.code, self.seq, self.told_at, public, status, json.dumps(line, ensure_ascii=False))


def rotated(chairs: list[Chair], by: int) -> list[Chair]:
    """The chairs after everyone has moved on by ``by`` seats."""
    return [*chairs[-by:], *chairs[:-by]] if by else chairs


TAKE: dict[type, Callable[[Table, Any], Any]] = {
    facts.Opened: Table._opened,
    facts.Changed: Table._changed,
    facts.Sat: Table._sat,
    facts.Stood: Table._stood,
    facts.Put: Table._put,
    facts.Locked: Table._locked,
    facts.Added: Table._added,
    facts.Readied: Table._readied,
    facts.Began: Table._began,
    facts.Dropped: Table._dropped,
    facts.Happened: Table._happened,
    facts.Chosen: Table._chosen,
    facts.Withdrawn: Table._withdrawn,
    facts.Said: Table._said,
    facts.Muted: Table._muted,
    facts.Away: Table._away,
    facts.Back: Table._back,
    facts.Asked: Table._asked,
    facts.Answered: Table._answered,
    facts.Lapsed: Table._lapsed,
    facts.Undone: Table._undone,
    facts.Handed: Table._handed,
    facts.Closed: Table._closed,
}
"""How each kind of fact changes a table."""
