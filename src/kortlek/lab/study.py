"""A study: the same deals played in every variant of a game, watched and counted.

Match k of a seed has the same cards in every variant, and comes out the same whoever plays it, and when. What is kept of matches is sums in
whole numbers: memory does not grow with them, and parts can be put together in any order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from kortlek.bots.levels import Level, level_called
from kortlek.bots.loops import FIRST, ROUNDS_APART, SECOND, seat_seed
from kortlek.bots.policy import Choose
from kortlek.lab import skill
from kortlek.lab.loops import BEHIND, BRANCHES, BY_PLACE, CHOICES, FIRST_SEAT, FORCED, HALFWAY, HALFWAY_UNKNOWN, LEAD_CHANGES, NO_ONE, NOTED, OPENED
from kortlek.lab.loops import ROUNDS, SETTLED, WINNERS, make_study, nothing_more
from kortlek.play.information import view
from kortlek.play.loops import CannotCompile
from kortlek.play.plain import LARGEST_PACK, Refused, blank
from kortlek.rules import GAMES
from kortlek.rules.game import SEATS

WIN = 2520
"""A win in parts: it can be shared evenly by any number of players up to ten."""
SECONDS_A_CHOICE, SECONDS_A_FORCED_ONE, SECONDS_A_DEAL = 6, 2, 40
"""How long people take: what minutes are estimated with."""
NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class Variant:
    """A game with its options, and who sits where. ``weaker`` is the bot among which those of the variant, all of one kind, show their skill."""

    game: str
    bots: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    weaker: str = ""

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.bots)


@dataclass(frozen=True)
class Measure:
    """Something measured in every match: so much of so much. ``kind`` says how to read it: a share, or a number."""

    name: str
    about: str
    is_share: bool = False


def measures(variant: Variant) -> list[Measure]:
    """Everything that is measured in the matches of a variant, in order."""
    game = GAMES[variant.game]
    seats = range(variant.players)
    extras = game.counts.things if game.counts else ()
    return [
        *(Measure(f"win_{seat}", f"wins of seat {seat + 1}; shared ones count in parts", True) for seat in seats),
        *(Measure(f"score_{seat}", f"score of seat {seat + 1}") for seat in seats),
        *(Measure(f"place_win_{at}", f"wins of who comes {NTH[at]} in the order of play of the first round", True) for at in seats),
        *(Measure(f"place_score_{at}", f"score of who comes {NTH[at]} in the order of play of the first round") for at in seats),
        *(Measure(f"place_points_{at}", f"points in a round of who comes {NTH[at]} in its order of play") for at in seats),
        Measure("draws", "matches that nobody won", True),
        Measure("ties", "matches with several winners", True),
        Measure("rounds", "rounds of a match"),
        Measure("choices", "choices in a match"),
        Measure("minutes", "minutes, if people take 6 seconds for a choice, 2 if there is only one, and 40 for a deal"),
        Measure("branching", "alternatives of a choice"),
        Measure("forced", "choices with one alternative only", True),
        Measure("spread", "points between the first and the last at the end"),
        Measure("lead_changes", "times in a match that somebody else takes the lead"),
        Measure("drama", "rounds, but the last, after which the winner was behind", True),
        Measure("convergence", "part of the match after which the winner led for good", True),
        Measure("security", "matches that are won by who led halfway", True),
        *(Measure(each.name, each.about, each.is_share) for each in extras),
    ]


# ---- playing


class Watched:
    """The matches of a variant, played on the compiled engine if all its bots follow rules of thumb of at most two kinds."""

    def __init__(self, variant: Variant) -> None:
        from kortlek.play import compiled

        self.variant, self.game = variant, GAMES[variant.game]
        self._make = compiled
        kinds = list(dict.fromkeys((*variant.bots, *filter(None, [variant.weaker]))))
        if len(kinds) > 2:
            raise Refused("The lab seats at most two kinds of bots at a time.")
        # A table of one kind is compiled with the weaker one beside it, so that it need not be compiled once more when skill is asked for.
        self._kinds = kinds[0], kinds[1] if len(kinds) > 1 else skill.weaker_than(self.game, kinds[0]) or kinds[0]
        self._levels = [level_called(self.game, name) for name in self._kinds]
        self._start = blank(self.game, variant.players, dict(variant.options))
        self._things = len(self.game.counts.things) if self.game.counts else 0
        self._seed = self._luck = self._number = 0
        if not all(level.policy for level in self._levels) or not self._compile():
            self._run, self._compiled = self._slowly(), False

    def _compile(self) -> bool:
        first, second = (level.policy.choose for level in self._levels if level.policy)
        self._run, self._compiled = self._make.build(make_study, self.game, first, second, self._count()), True
        try:
            self.play(0, 0, 0, 0)
        except CannotCompile:
            return False
        return True

    def _count(self) -> Callable[[Any, Any, int, Any], None]:
        return self.game.counts.count if self.game.counts else nothing_more

    def _slowly(self) -> Callable[..., None]:
        """The same loop, interpreted; bots that think are asked by view."""
        return make_study(self.game, self._asked(self._levels[0]), self._asked(self._levels[1]), self._count())

    def _asked(self, level: Level) -> Choose:
        if level.policy:
            return level.policy.choose
        return lambda s, rng: level.make(seeded_by(rng), None).choose(view(self.game, s, s.turn))

    def play(self, seed: int, luck: int, number: int, count: int, bots: tuple[str, ...] = ()) -> tuple[Any, Any, Any]:
        """So many matches from a number on: their scores, what was noted, what was counted. ``bots`` sit there instead of the variant's own."""
        make = self._make
        deciders = make.int_array(SEATS)
        for seat, bot in enumerate(bots or self.variant.bots):
            deciders[seat] = FIRST if bot == self._kinds[0] else SECOND
        scores, facts, tallies = (make.int_array(count * wide).reshape(count, wide) for wide in (SEATS, NOTED, max(1, 2 * self._things)))
        path = make.int_array((ROUNDS_APART + 1) * (SEATS + 1)).reshape(ROUNDS_APART + 1, SEATS + 1)
        starting: Any = make.records(self._start) if self._compiled else [self._start]
        states: Any = make.records(self.game.state(), 2) if self._compiled else [None, None]
        room = make.int_array(LARGEST_PACK), make.int_array(2), make.generators(SEATS)
        if not self._compiled:
            room = [0] * LARGEST_PACK, [0, 0], [[0] for _ in range(SEATS)]
        self._run(starting, states, *room, seed, luck, number, deciders, path, scores, facts, tallies)
        return scores, facts, tallies


def seeded_by(rng: Any) -> int:
    """A seed for one choice, and the generator moved on."""
    rng[0] = seat_seed(rng[0], 1, 0)
    return int(rng[0])


@cache
def watched(variant: Variant) -> Watched:
    """Made once in each process."""
    return Watched(variant)


def values(variant: Variant, scores: Any, facts: Any, tallies: Any) -> Any:
    """Each match in a row: every measure as so much, of so much."""
    from kortlek.play.compiled import int_array

    named = measures(variant)
    made = int_array(len(scores) * len(named) * 2).reshape(len(scores), len(named), 2)
    players = variant.players
    won, sharing = wins(players, facts)
    best, worst = scores[:, :players].max(axis=1), scores[:, :players].min(axis=1)
    columns: list[tuple[Any, Any]] = [(won[seat], WIN) for seat in range(players)]
    columns += [(scores[:, seat], 1) for seat in range(players)]
    first = facts[:, FIRST_SEAT]
    known = first != NO_ONE
    columns += [(by_place(won, first, place), WIN * known) for place in range(players)]
    columns += [(by_place([scores[:, seat] for seat in range(players)], first, place), known) for place in range(players)]
    columns += [(facts[:, BY_PLACE + place], facts[:, OPENED]) for place in range(players)]
    easy = facts[:, FORCED]
    seconds = SECONDS_A_CHOICE * (facts[:, CHOICES] - easy) + SECONDS_A_FORCED_ONE * easy + SECONDS_A_DEAL * facts[:, ROUNDS]
    between = facts[:, ROUNDS] - 1
    columns += [
        (sharing == 0, 1),
        (sharing > 1, 1),
        (facts[:, ROUNDS], 1),
        (facts[:, CHOICES], 1),
        (seconds, 60),
        (facts[:, BRANCHES], facts[:, CHOICES]),
        (easy, facts[:, CHOICES]),
        (best - worst, 1),
        (facts[:, LEAD_CHANGES], 1),
        (facts[:, BEHIND], between),
        (facts[:, SETTLED] * (between > 0), facts[:, ROUNDS] * (between > 0)),
        (facts[:, HALFWAY] == 1, facts[:, HALFWAY] != HALFWAY_UNKNOWN),
    ]
    columns += [(tallies[:, at], tallies[:, at + 1]) for at in range(0, 2 * (len(named) - len(columns)), 2)]
    for at, (much, of) in enumerate(columns):
        made[:, at, 0], made[:, at, 1] = much, of
    return made


def wins(players: int, facts: Any) -> tuple[list[Any], Any]:
    """Of each seat its part of a win in every match; and how many won there."""
    won = [facts[:, WINNERS] >> seat & 1 for seat in range(players)]
    sharing = sum(won)
    return [each * WIN // (sharing + (sharing == 0)) for each in won], sharing


def by_place(of_seats: list[Any], first: Any, place: int) -> Any:
    """What the seat that comes so many after the first one has, in every match."""
    return sum(each * (first == (seat - place) % len(of_seats)) for seat, each in enumerate(of_seats))


# ---- counting


@dataclass
class Sums:
    """Of some matches of a variant, for each measure: the sums of so much and of so much, of their squares and product, and of the products
    with the same two of the first variant in the same matches. And of the deals that were played again, for skill (see ``skill``)."""

    matches: int = 0
    totals: list[list[int]] = field(default_factory=list)
    again: list[list[int]] = field(default_factory=list)

    def add(self, other: Sums) -> None:
        """Put two together."""
        self.matches += other.matches
        self.totals = added(self.totals, other.totals)
        self.again = added(self.again, other.again)


def added(ours: list[list[int]], theirs: list[list[int]]) -> list[list[int]]:
    """Row by row; where there is nothing on one side, the other."""
    return [[a + b for a, b in zip(*rows)] for rows in zip(ours, theirs)] if ours and theirs else ours or theirs


def summed(made: Any, first: Any) -> Sums:
    """The sums of some matches, beside those of the first variant (with fewer measures, only of those that both have)."""
    much, of = made[:, :, 0], made[:, :, 1]
    both = first.shape[1] == made.shape[1]
    other, per = (first[:, :, 0], first[:, :, 1]) if both else (much * 0, of * 0)
    sums = [much, of, much * much, of * of, much * of, much * other, much * per, of * other, of * per]
    return Sums(len(made), [list(row) for row in zip(*(each.sum(axis=0).tolist() for each in sums))])


@dataclass(frozen=True)
class Study:
    """What is studied: variants, of which the first is what the others are compared with, on the deals of one seed."""

    variants: tuple[Variant, ...]
    seed: int


def play_rows(study: Study, first: int, count: int) -> tuple[list[Sums], list[Any]]:
    """So many matches of every variant from a number on: their sums, and each of them in a row (see ``values``)."""
    made = [values(variant, *watched(variant).play(study.seed, 0, first, count)) for variant in study.variants]
    sums = [summed(each, made[0]) for each in made]
    for each, variant in zip(sums, study.variants):
        each.again = play_again(variant, study.seed, first, count)
    return sums, made


def play_part(study: Study, first: int, count: int) -> list[Sums]:
    """The sums alone."""
    return play_rows(study, first, count)[0]


def play_again(variant: Variant, seed: int, first: int, count: int) -> list[list[int]]:
    """Of so many matches from a number on some deals are played again: with one bot of the variant among weaker ones, in every seat in turn, and
    with other luck each time."""
    again: list[list[int]] = []
    players, game = variant.players, GAMES[variant.game]
    if not variant.weaker or players < 2:
        return again
    thinks = level_called(game, variant.bots[0]).policy is None
    for number, many in skill.played_again(first, count, 1 if thinks else players):
        scores, won = [], []
        for strong in range(players):
            bots = tuple(variant.bots[seat] if seat == strong else variant.weaker for seat in range(players))
            played, facts, _ = watched(variant).play(seed, 1 + strong, number, many, bots)
            scores.append(-played[:, :players] if game.lowest_wins else played[:, :players])
            won.append(wins(players, facts)[0])
        again = added(again, skill.summed(number, many, scores, won))
    return again
