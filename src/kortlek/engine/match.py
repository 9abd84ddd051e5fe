"""A match: its state, chance, history and record in one object. The terminal, live tables, films, tests and bots at tables are thin layers around
it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Self, TypeVar

from kortlek.cards import bit, members
from kortlek.engine import plain, views
from kortlek.engine.chance import Chance, chance_from
from kortlek.engine.events import Event, Step, acts_of, events_of, is_act_over
from kortlek.engine.plain import Event as Moved
from kortlek.engine.plain import Refused, Spoken
from kortlek.engine.record import Record, Result, result_of, write_down
from kortlek.engine.sheet import Row, finished_round
from kortlek.engine.views import View
from kortlek.game import OVER, Game, State
from kortlek.game.registry import GAMES

S = TypeVar("S", bound=State)
Act = list[Step]


class Mark(NamedTuple, Generic[S]):
    """The state after some moves, and the number of rows of the score sheet then. Going back replays from the nearest mark."""

    moves: int
    state: S
    rows: int


class Match(Generic[S]):
    """A match so far. It is determined by the game, the options, the source of chance and the choices.

    States are never changed: each step makes a new one."""

    def __init__(
        self, game: Game[S], players: int, options: Mapping[str, object] | None = None, chance: Chance | None = None, seed: int | str | None = None
    ) -> None:
        """``seed`` is written to the record, and determines the deals if no ``chance`` is given. Without either, chance events have to be passed to
        ``step``."""
        self.game, self.seed = game, seed
        self.state: S = plain.begin(game, players, options)
        self.moves: list[Moved] = []
        self.written: list[str] = []
        self.rows: list[Row] = []
        self.open_act: Act = []
        """The steps of the unfinished act."""
        self.held: dict[int, list[int]] = {}
        """Pending choices by seat: made before the seat's turn, in a phase in which all choose together."""
        self._options = plain.options_of(game, self.state)
        self._chance = chance or (chance_from(seed) if seed is not None else None)
        self._chances = [self._chance]
        self._marks: list[Mark[S]] = [Mark(0, self.state, 0)]
        self._views: list[tuple[S, dict[int, View[S]]]] = []

    # ---- queries

    @property
    def players(self) -> int:
        """The number of players."""
        return self.state.players

    @property
    def options(self) -> dict[str, Spoken]:
        """The options as people write them."""
        return self._options

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.phase == OVER

    @property
    def turn(self) -> int | None:
        """The seat whose choice the match waits for; None if the match waits for chance, or is over."""
        return self.state.turn if self.state.phase >= 0 else None

    @property
    def waiting(self) -> list[int]:
        """The seats that may choose now: the player in turn, or all who have not chosen yet where all choose together."""
        if self.state.phase < 0:
            return []
        together = self.game.choices[self.state.phase].together
        return [seat for seat in members(self.state.waiting) if self.view(seat).legal] if together else [self.state.turn]

    @property
    def legal(self) -> list[str]:
        """The legal choices of the player in turn, in notation."""
        return [plain.write_choice(self.game, self.state, each) for each in members(self.game.legal(self.state))] if self.state.phase >= 0 else []

    @property
    def scores(self) -> list[int]:
        """The points of each seat."""
        return self.state.score[: self.players]

    @property
    def winners(self) -> list[int]:
        """The seats that share the win; empty before the end."""
        return plain.winning_seats(self.game, self.state) if self.over else []

    def view(self, seat: int | None = None) -> View[S]:
        """The view of a seat, by default of the seat in turn. Views of the last two states are cached, because events are made from both."""
        return self.view_of(self.state, self.state.turn if seat is None else seat)

    def view_of(self, s: S, seat: int) -> View[S]:
        """The view of a seat in one of the states of this match."""
        known = next((known for state, known in self._views if state is s), None)
        if known is None:
            known = {}
            self._views = [*self._views[-1:], (s, known)]
        if seat not in known:
            known[seat] = self._with_held(views.view(self.game, s, seat), s)
        return known[seat]

    def _with_held(self, seen: View[S], s: S) -> View[S]:
        """Add the pending choices of a player to her own view."""
        if s is not self.state or not self.held.get(seen.seat):
            return seen
        state = plain.copy_of(seen.state)
        for choice in self.held[seen.seat]:
            state.turn = seen.seat
            self.game.rules.apply(state, choice)
        may_choose = state.turn == seen.seat and state.waiting >> seen.seat & 1
        return View(self.game, seen.seat, state, seen.sizes, self.game.legal(state) if may_choose else 0, seen.partners)

    # ---- moves

    def read(self, text: str) -> Moved:
        """Parse a legal event in notation; raise Refused if it is not one."""
        return plain.read(self.game, self.state, text)

    def read_event(self, number: int, text: str) -> Moved:
        """Parse an event of a record; an error names the number of the event."""
        try:
            return self.read(text)
        except Refused as error:
            raise Refused(f"Event {number}: {error}") from error

    def play(self, choice: int | str, seat: int | None = None) -> list[Act]:
        """Make a choice for the player in turn, or for another seat where all choose together; then apply the chance events and pending choices that
        are due. Return the acts that have ended."""
        by = self.state.turn if seat is None else seat
        number = self.choice_of(by, choice)
        if by != self.turn:
            self.hold(by, number)
            return []
        acts = [*self.step(number), *self.deal()]
        while self.turn is not None and self.held.get(self.turn):
            acts += [*self.step(self.held[self.turn].pop(0)), *self.deal()]
        return acts

    def choice_of(self, seat: int, choice: int | str) -> int:
        """The legal choice of a seat, given by number or in notation; raise Refused if it is not legal."""
        seen = self.view(seat) if seat in self.waiting else None
        if seen is None:
            raise Refused("The match is over." if self.over else f"It is not the turn of seat {seat + 1}.")
        if isinstance(choice, str):
            notation = plain.notation_of(self.game, seen.state)
            fitting = [each for each, text in enumerate(notation) if text == choice]
            if not fitting:
                raise Refused(f"{plain.shorten(choice)!r} is not a choice here: {self._allowed(seen)}.")
            choice = next((each for each in fitting if seen.legal & bit(each)), fitting[0])
        if choice < 0 or not seen.legal >> choice & 1:
            raise Refused(f"This is not allowed: {self._allowed(seen)}.")
        return choice

    def _allowed(self, seen: View[S]) -> str:
        return "allowed: " + ", ".join(plain.write_choice(self.game, seen.state, each) for each in members(seen.legal))

    def hold(self, seat: int, choice: int) -> None:
        """Keep a choice pending for a player whose turn comes later, in a phase in which all choose together."""
        self.held.setdefault(seat, []).append(choice)
        self._views = []

    def withdraw(self, seat: int) -> None:
        """Remove the last pending choice of a player."""
        self.held[seat].pop()
        self._views = []

    def deal(self) -> list[Act]:
        """Apply all chance events that are due, if this match has a source of chance."""
        acts = []
        while self.state.phase < OVER and self._chance is not None:
            acts += self.step(self.chance())
        return acts

    def chance(self) -> tuple[int, ...]:
        """The chance event that the match waits for. Repeated calls return the same event."""
        assert self._chance is not None, "this match has no source of chance"
        return plain.resolve_chance(self.game, self.state, self._chance.copy().shuffle)

    def step(self, move: Moved) -> list[Act]:
        """Apply one legal choice or chance event, and nothing else. Return the act, in a list, if the act has ended."""
        happened = self._advance(move)
        if not isinstance(move, int) and self._chance is not None:
            self._chance = self._chance.copy()
            self._chance.shuffle(list(move), len(move))
        self.moves.append(move)
        self._chances.append(self._chance)
        self.written.append(plain.write(self.game, happened.before, move))
        row = finished_round(self.game, happened.before, happened.after)
        self.rows += [row] if row else []
        self.open_act.append(happened)
        if not is_act_over(self.game, happened):
            return []
        act, self.open_act = self.open_act, []
        if row:
            self._marks.append(Mark(len(self.moves), self.state, len(self.rows)))
        return [act]

    def _advance(self, move: Moved) -> Step:
        """Let the rules make the next state. Everything else in ``step`` trusts that state: a match of untested rules checks it here."""
        before, after = self.state, plain.copy_of(self.state)
        plain.step(self.game, after, move)
        self.state = after
        return Step(before, move, after)

    # ---- history

    def steps(self, first: int = 0) -> Iterator[Step]:
        """Every step so far, replayed; from step ``first`` on, counted from 0."""
        mark = self._mark_before(first)
        s = mark.state
        for number, move in enumerate(self.moves[mark.moves :], mark.moves):
            before, s = s, plain.copy_of(s)
            plain.step(self.game, s, move)
            if number >= first:
                yield Step(before, move, s)

    def _mark_before(self, moves: int) -> Mark[S]:
        """The last mark at which not more than this many moves had been made."""
        return next(mark for mark in reversed(self._marks) if mark.moves <= moves)

    @property
    def rounds(self) -> list[int]:
        """The number of moves at the beginning of each round so far."""
        return [mark.moves for mark in self._marks]

    def events(self, seat: int) -> list[Event]:
        """All events for a seat since the match began: its perfect recall."""
        acts = list(acts_of(self.game, self.steps()))
        over = acts[: len(acts) - bool(self.open_act)]
        return [event for act in over for event in events_of(self.game, act, seat)]

    def copy(self) -> Self:
        """An independent copy of the match."""
        other = object.__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        other.moves, other.written, other.rows = self.moves[:], self.written[:], self.rows[:]
        other.open_act, other._chances, other._marks = self.open_act[:], self._chances[:], self._marks[:]
        other._views = [] if any(self.held.values()) else self._views[:]
        other.held = {seat: held[:] for seat, held in self.held.items()}
        return other

    def up_to(self, moves: int) -> Self:
        """The match as it was after this many choices and chance events."""
        earlier, mark = self.copy(), self._mark_before(moves)
        earlier.state, earlier.open_act, earlier.held, earlier._views = mark.state, [], {}, []
        earlier._chances = self._chances[: mark.moves + 1]
        earlier._chance = earlier._chances[-1]
        earlier._marks = [each for each in self._marks if each.moves <= mark.moves]
        earlier.moves, earlier.written, earlier.rows = self.moves[: mark.moves], self.written[: mark.moves], self.rows[: mark.rows]
        for move in self.moves[mark.moves : moves]:
            earlier.step(move)
        return earlier

    def undo(self) -> None:
        """Undo the last choice, and the chance events after it."""
        last = next((at for at in reversed(range(len(self.moves))) if isinstance(self.moves[at], int)), None)
        if last is None:
            raise Refused("Nothing has been chosen yet.")
        self.__dict__ = self.up_to(last).__dict__

    def record(self, seats: Sequence[str] = ()) -> Record:
        """The record of the match. ``seats`` are the names of the players."""
        names = seats or [f"Player {seat + 1}" for seat in range(self.players)]
        return write_down(self.game, self.state, names, self.seed, self.written)

    @classmethod
    def from_record(cls, record: Record, chance: Callable[[int | str], Chance] | None = None) -> Match[Any]:
        """The match of a record, as far as it goes; raise Refused if an event is not legal, or a deal does not come from the given source of
        chance."""
        game, s = opening(record)
        source = chance(record.seed) if chance and record.seed is not None else None
        match = cls(game, s.players, plain.options_of(game, s), source, record.seed if source else None)
        match.seed = record.seed
        for number, text in enumerate(record.events, 1):
            move = match.read_event(number, text)
            if source is not None and not isinstance(move, int) and match.chance() != move:
                raise Refused("The deals of the record do not come from its seed, so the match cannot be gone on with.")
            match.step(move)
        return match


def first_decision(game: Game[S], players: int) -> Match[S]:
    """A match up to the first position with more than one legal choice: what bots are warmed up with."""
    match: Match[S] = Match(game, players, seed=0)
    match.deal()
    while len(match.legal) == 1:
        match.play(match.legal[0])
    return match


# ---- replaying records


def opening(record: Record) -> tuple[Game[Any], Any]:
    """The game of a record and the initial state of its match; raise Refused if the record cannot be played here."""
    game = GAMES.get(record.game)
    if game is None:
        raise Refused(f"There is no game {plain.shorten(repr(record.game))} here. The games are: {', '.join(GAMES)}.")
    if record.version != game.version:
        raise Refused(f"The record is of version {record.version} of {game.title}, but version {game.version} is played here.")
    given = plain.present_names(game, record.options)
    s = plain.begin(game, len(record.seats), given)
    agreed = plain.options_of(game, s)
    for name, value in agreed.items():
        if name not in given:
            raise Refused(f"The record does not say what {name!r} was; {game.title} has the options {', '.join(agreed)}.")
        if given[name] != value:
            raise Refused(f"The record should write {name!r} as {value!r}, not {plain.shorten(repr(given[name]))}.")
    return game, s


def replay(record: Record) -> Iterator[Step]:
    """Replay a record step by step and check it: raise Refused at the first event that is not legal, and at the end if the result differs."""
    game, s = opening(record)
    match: Match[Any] = Match(game, s.players, plain.options_of(game, s))
    for number, text in enumerate(record.events, 1):
        before = match.state
        match.step(match.read_event(number, text))
        yield Step(before, match.moves[-1], match.state)
    _check_result(record, result_of(game, match.state))


def _check_result(record: Record, result: Result | None) -> None:
    if record.result == result:
        return
    if result is None:
        raise Refused(f"The record has a result, but after its {len(record.events)} events the match is not over.")
    if record.result is None:
        raise Refused(f"The record has no result, but after its {len(record.events)} events the match is over.")
    for what, said, true in (("scores", record.result.scores, result.scores), ("winners", record.result.winners, result.winners)):
        if said != true:
            raise Refused(f"The record's {what} are {plain.shorten(repr(said))}, but the events lead to {true}.")


def check(record: Record) -> Any:
    """Replay a record and return its last state; raise Refused if the record is not valid."""
    _, s = opening(record)
    for played in replay(record):
        s = played.after
    return s
