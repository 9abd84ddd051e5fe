"""``kortlek check``: all automatic checks of a game. Each fault is one sentence, with its line where possible.

First the declaration, the layout and the words; then a few matches with close checks, the deals, determinism and the bots; then hundreds of matches
for each number of players, compiled if possible, with a comparison of both engines and of winners with payoffs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from kortlek.bots.knobs import knobs_of
from kortlek.bots.policy import Policy
from kortlek.cards import members
from kortlek.engine.conformance import DEALS, PAYS, check_declaration, endless, located
from kortlek.engine.loops import MOST_CHOICES, CannotCompile
from kortlek.engine.match import Match
from kortlek.engine.plain import blank, copy_of
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.trial import CHOICES, FACTS, FAULT, PHASE, WINNERS, make_trial, room_for_counts
from kortlek.engine.views import view
from kortlek.game import DEAL, OVER, ROUND, Game, Holds, Message, State, fields_of
from kortlek.game.game import LARGEST_PACK, usual_players
from kortlek.game.registry import metrics_of
from kortlek.words.check import SEED, first_fault, random_move, try_match
from kortlek.words.faults import layout_faults, words_faults
from kortlek.words.words import words_of

MATCHES = 300
"""The number of random matches for each number of players."""
CLOSE_MATCHES = 3
"""The number of matches with close checks for each number of players."""
BATCH_SECONDS = 0.1
"""The target duration of a batch of matches in seconds: progress is reported between batches."""
COMPARED = (1, 2, 5, 12, 40, 150, MOST_CHOICES)
"""Both engines are compared after these numbers of events of a match."""
LONG_MATCH_FACTOR = 50
"""The factor by which the limit of a long random match is raised before the match is treated as endless."""
MIN_MATCHES = 20
"""The smallest number of matches for a verdict on winners and payoffs."""

Progress = Callable[[str, int, int], None]
"""A callback that gets the name of the current stage, the number of items done, and the total."""


@dataclass
class Report:
    """The result of a check. ``notes`` are not faults, but worth knowing."""

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    matches: int = 0
    choices: int = 0
    compiled: bool = False


def check_game(game: Game[Any], matches: int = MATCHES, progress: Progress = lambda what, done, total: None) -> Report:
    """Check a game. Errors raised by its own rules are not caught."""
    report = Report()
    report.faults += first_fault(game, lambda: check_declaration(game))
    if report.faults:
        return report
    report.faults += layout_faults(game)
    cannot_be_shown = bool(report.faults)
    report.faults += words_faults(game)
    if not cannot_be_shown:
        report.faults += look_closely(game, progress)
    if cannot_be_shown or any(" players: " in fault for fault in report.faults):
        return report
    report.faults += [fault for players in some_players(game) for fault in check_deals(game, players)][:1]
    report.faults += [fault for players in some_players(game) for fault in check_repeats(game, players)][:1]
    report.faults += [fault for policy in knobs_of(game).policies for fault in check_policy(game, policy)]
    report.faults += play_many(game, matches, report, progress) if not report.faults else []
    return report


def some_players(game: Game[Any]) -> list[int]:
    """The fewest, the usual and the most players."""
    return sorted({game.players[0], usual_players(game), game.players[-1]})


def look_closely(game: Game[Any], progress: Progress) -> list[str]:
    """Play some matches for each number of players with all checks, including the words; stop at the first match with a fault."""
    total = CLOSE_MATCHES * len(game.players)
    for number, players in enumerate(game.players):
        for match in range(CLOSE_MATCHES):
            progress("looking closely", number * CLOSE_MATCHES + match, total)
            if faults := try_match(game, players, match, thoroughly=True):
                return faults
    return []


# ---- what deals read, and whether rules depend only on the state


def check_deals(game: Game[Any], players: int) -> list[str]:
    """Check that no deal reads a seat field that was reset just before, and thus always has its start value there."""
    rng, match = [seeded(SEED, 0)], Match(game, players)
    seats = [name for name, each in fields_of(game.state).items() if each.holds is Holds.SEAT and each.reset is ROUND and not each.shape]
    spied = spy_on(game.state, seats)
    while not match.over and len(match.moves) < MOST_CHOICES // 10:
        s, move = match.state, random_move(match, rng)
        if s.phase == DEAL and not isinstance(move, int):
            spy = spied(s)
            lost = [name for name in seats if getattr(s, name) != fields_of(game.state)[name].start]
            game.deal(spy.state, list(move))
            for name in [name for name in lost if name in spy.read]:
                sentence = f"deal reads s.{name}, but it begins anew before every deal, so it is always {fields_of(game.state)[name].start} there"
                return [f"{located(game, DEALS)}: {sentence}: declare it seat(reset=MATCH)."]
        match.step(move)
    return []


@dataclass
class Spy:
    """A state that records which of some fields were read before they were written."""

    state: Any
    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)


def spy_on(kind: type[State], names: list[str]) -> Callable[[State], Spy]:
    """Make the function that turns a state into a spy just before a deal: with the fields of a round reset."""

    def spied(s: State) -> Spy:
        spy = Spy(None)

        class Spied(kind):  # type: ignore[misc, valid-type]
            __slots__ = ()

            def __getattribute__(self, name: str) -> Any:
                if name in names and name not in spy.written:
                    spy.read.add(name)
                return super().__getattribute__(name)

            def __setattr__(self, name: str, value: Any) -> None:
                spy.written.add(name)
                super().__setattr__(name, value)

        spy.state = Spied.__new__(Spied)
        original = copy_of(s)
        for name, each in fields_of(kind).items():
            setattr(spy.state, name, each.blank() if each.reset is ROUND else getattr(original, name))
        spy.written.clear()
        return spy

    return spied


def check_repeats(game: Game[Any], players: int) -> list[str]:
    """Check that the same match played twice has the same final state."""
    play = make_trial(game)
    one, two = (final_state(game, play, players, 0, MOST_CHOICES) for _ in range(2))
    if one == two:
        return []
    sentence = f"{difference(one, two)} when the same match is played twice: rules may depend only on the state, and chance only on the shuffled pack"
    return [f"{located(game, 'apply')}: {game.title} with {players} players: {sentence}."]


def final_state(game: Game[Any], play: Callable[..., None], players: int, match: int, limit: int) -> Any:
    """The state of a match after at most ``limit`` events, on the plain engine."""
    states: list[Any] = [None]
    counts = [0] * room_for_counts(game, players)
    play([blank(game, players)], states, [0] * LARGEST_PACK, [0], counts, SEED, match, limit, [[0] * players], [[0] * len(FACTS)])
    return states[0]


def difference(one: State, two: State) -> str:
    """The first field in which two states differ, in half a sentence."""
    name = next(name for name in fields_of(type(one)) if getattr(one, name) != getattr(two, name))
    return f"s.{name} is {getattr(one, name)} or {getattr(two, name)}"


# ---- bots and metrics


def check_policy(game: Game[Any], policy: Policy[Any]) -> list[str]:
    """Check that a policy makes legal choices, uses only what its player sees, and gives a reason that exists as a message."""
    players = usual_players(game)
    code = getattr(policy.choose, "__code__", None)
    where = f"{code.co_filename.rpartition('/')[2]}:{code.co_firstlineno}: " if code else ""
    rng, match, words, metrics = [seeded(SEED, 0)], Match(game, players), words_of(game), metrics_of(game)
    counters = metrics.counters()
    while not match.over:
        s, number = match.state, len(match.moves)
        if number == MOST_CHOICES:
            return [f"{where}With the bot {policy.name!r} in every seat, {endless(game, s, 0)}"]
        before = copy_of(s)
        move: Any = policy.choose(s, rng) if match.turn is not None else random_move(match, rng)
        if s != before:
            return [f"{where}The bot {policy.name!r} changes the state: it may only read it."]
        if s.phase >= 0:
            if not isinstance(move, int) or move < 0 or not game.legal(s) >> move & 1:
                what = game.choices[s.phase].name
                return [f"{where}The bot {policy.name!r} chooses {move!r} when seat {s.turn + 1} has to {what}, which is not allowed."]
            if number < 200:
                guess = redeal(view(game, s, s.turn), [seeded(3, number)])
                if policy.choose(copy_of(s), [seeded(4, number)]) != policy.choose(guess, [seeded(4, number)]):
                    return [f"{where}The bot {policy.name!r} looks at cards that its player does not see."]
                reason = policy.reason(s, move)
                if not isinstance(reason, Message) or not words.has(reason.id):
                    return [f"{where}The bot {policy.name!r} gives the reason {reason!r}: it should be a message of the words file."]
        match.step(move)
        metrics.count(s, match.state, move if isinstance(move, int) else -1, counters)
    return []


# ---- many matches


def play_many(game: Game[Any], matches: int, report: Report, progress: Progress) -> list[str]:
    """Play hundreds of matches for each number of players; compiled if possible, and then compared with the plain engine."""
    runner = Runner(game, matches)
    progress("compiling", 0, 1)
    if reason := runner.compile():
        report.notes.append(reason)
    report.compiled = runner.is_compiled
    total = matches * len(game.players)
    agreeing, ties, slow = Counter[int](), 0, list[str]()
    for number, players in enumerate(game.players):
        for first, facts, payoffs in runner.run(players):
            progress("matches", number * matches + first, total)
            report.matches += len(facts)
            report.choices += sum(int(row[CHOICES]) for row in facts)
            for row, fact in enumerate(facts):
                if fact[PHASE] != OVER and not fact[FAULT] and runner.ends(players, first + row):
                    slow.append(f"match {first + row} with {players} players")
                    continue
                if fact[FAULT] or fact[PHASE] != OVER:
                    return explain(game, players, first + row, runner)
                agreeing[agrees(players, int(fact[WINNERS]), payoffs[row])] += 1
                ties += players > 1 and len(set(map(int, payoffs[row][:players]))) == 1
        if runner.is_compiled and players in some_players(game) and (faults := compare(game, players, runner)):
            return faults
    if slow:
        report.notes.append(
            f"{len(slow)} of {report.matches:,} matches at random took more than {MOST_CHOICES:,} choices, though they end: {slow[0]}."
        )
    return judge(game, report.matches - len(slow), agreeing, ties)


class Runner:
    """Plays random matches of a game in batches: compiled, or fewer of them on the plain engine."""

    def __init__(self, game: Game[Any], matches: int) -> None:
        self.game, self.matches = game, matches
        self.play: Callable[..., None] = make_trial(game)
        self.is_compiled = False

    def compile(self) -> str:
        """Compile the rules; return the reason if that is not possible."""
        if not all(find_spec(name) for name in ("numba", "numpy")):
            return "The compiled engine is not installed: pip install 'kortlek[fast]'."
        from kortlek import compiled

        plain, self.play = self.play, compiled.build(make_trial, self.game)
        self.is_compiled = True
        try:
            self.go(self.game.players[0], 0, 0, MOST_CHOICES)
        except CannotCompile as reason:
            self.play, self.is_compiled = plain, False
            return str(reason)
        return ""

    def go(self, players: int, first: int, count: int, limit: int) -> tuple[Any, Any, Any]:
        """Play ``count`` matches from number ``first`` on; return facts, payoffs and the last state."""
        begin = blank(self.game, players)
        counts = room_for_counts(self.game, players)
        if not self.is_compiled:
            states: list[Any] = [None]
            facts, payoffs = [[0] * len(FACTS) for _ in range(count)], [[0] * players for _ in range(count)]
            self.play([begin], states, [0] * LARGEST_PACK, [0], [0] * counts, SEED, first, limit, payoffs, facts)
            return facts, payoffs, states[0]
        from kortlek import compiled

        records, ints = compiled.records(begin), compiled.int_array
        rows = ints(count * len(FACTS)).reshape(count, len(FACTS)), ints(count * players).reshape(count, players)
        room = compiled.records(self.game.state())
        self.play(records, room, ints(LARGEST_PACK), ints(1), ints(counts), SEED, first, limit, rows[1], rows[0])
        return *rows, compiled.from_record(self.game.state, room[0])

    def ends(self, players: int, match: int) -> bool:
        """Whether a long random match ends with a much higher limit; not known, and False, without the compiled engine."""
        return self.is_compiled and self.go(players, match, 1, LONG_MATCH_FACTOR * MOST_CHOICES)[0][0][PHASE] == OVER

    def run(self, players: int) -> Iterator[tuple[int, Any, Any]]:
        """Play all matches for a number of players, batch by batch."""
        matches = self.matches if self.is_compiled else max(CLOSE_MATCHES, self.matches // 30)
        first, count = 0, 1
        while first < matches:
            count = min(count, matches - first)
            began = time.perf_counter()
            facts, payoffs, _ = self.go(players, first, count, MOST_CHOICES)
            yield first, facts, payoffs
            first += count
            count = max(1, min(4 * count, int(count * BATCH_SECONDS / max(time.perf_counter() - began, 1e-6))))


def explain(game: Game[Any], players: int, match: int, runner: Runner) -> list[str]:
    """The faults of a match, replayed on the plain engine, which can describe them."""
    faults = try_match(game, players, match)
    return faults or compare(game, players, runner, match) or [f"{game.title} with {players} players: match {match} fails when it is compiled."]


def compare(game: Game[Any], players: int, runner: Runner, match: int = 0) -> list[str]:
    """Check that both engines play the same match, field by field."""
    plain = make_trial(game)
    for limit in COMPARED:
        ours, theirs = final_state(game, plain, players, match, limit), runner.go(players, match, 1, limit)[2]
        if ours != theirs:
            where = f"{located(game, 'apply')}: {game.title} with {players} players"
            return [f"{where}: compiled, the rules differ after {limit} events of match {match}: {difference(ours, theirs)}."]
    return []


# ---- who wins


def agrees(players: int, winners: int, payoffs: Any) -> int:
    """1 if no loser has a higher payoff than a winner, -1 if no winner has a higher payoff than a loser, 0 if neither can be said."""
    won = [int(payoffs[seat]) for seat in members(winners)]
    lost = [int(payoffs[seat]) for seat in range(players) if not winners >> seat & 1]
    if not won or not lost or len({*won, *lost}) == 1:
        return 0
    return 1 if min(won) >= max(lost) else -1 if max(won) <= min(lost) else 0


def judge(game: Game[Any], matches: int, agreeing: Counter[int], ties: int) -> list[str]:
    """The faults in the results: winners contradict payoffs, or all players always have the same payoff."""
    if agreeing[-1] >= MIN_MATCHES and agreeing[-1] > 9 * agreeing[1]:
        sentence = "The winners have a lower payoff than the others, so that bots play to lose: if the fewest points win, it is payoff=fewest_points."
        return [f"{located(game, 'winners')}: {sentence}"]
    if matches >= MIN_MATCHES and ties == matches:
        return [f"{located(game, PAYS)}: All players have the same payoff at the end of every match: are points ever added to s.score?"]
    return []
