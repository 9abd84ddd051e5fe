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
from kortlek.lab.loops import BEHIND, BRANCHES, CHOICES, FORCED, HALFWAY, HALFWAY_UNKNOWN, LEAD_CHANGES, NOTED, ROUNDS, SETTLED, WINNERS
from kortlek.lab.loops import make_study, nothing_more
from kortlek.play.information import view
from kortlek.play.loops import CannotCompile
from kortlek.play.plain import LARGEST_PACK, Refused, blank
from kortlek.rules import GAMES
from kortlek.rules.game import SEATS

WIN = 2520
"""A win in parts: it can be shared evenly by any number of players up to ten."""
SECONDS_A_CHOICE, SECONDS_A_FORCED_ONE, SECONDS_A_DEAL = 6, 2, 40
"""How long people take: what minutes are estimated with."""


@dataclass(frozen=True)
class Variant:
    """A game with its options, and who sits where."""

    game: str
    bots: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()

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
        kinds = list(dict.fromkeys(variant.bots))
        if len(kinds) > 2:
            raise Refused("The lab seats at most two kinds of bots at a time.")
        self._levels = [level_called(self.game, name) for name in (kinds[0], kinds[-1])]
        self._deciders = compiled.int_array(SEATS)
        for seat, bot in enumerate(variant.bots):
            self._deciders[seat] = FIRST if bot == kinds[0] else SECOND
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

    def play(self, seed: int, luck: int, number: int, count: int) -> tuple[Any, Any, Any]:
        """So many matches from a number on: their scores, what was noted, what was counted."""
        make = self._make
        scores, facts, tallies = (make.int_array(count * wide).reshape(count, wide) for wide in (SEATS, NOTED, max(1, 2 * self._things)))
        path = make.int_array(ROUNDS_APART * SEATS).reshape(ROUNDS_APART, SEATS)
        starting: Any = make.records(self._start) if self._compiled else [self._start]
        states: Any = make.records(self.game.state(), 2) if self._compiled else [None, None]
        room = make.int_array(LARGEST_PACK), make.int_array(2), make.generators(SEATS)
        if not self._compiled:
            room = [0] * LARGEST_PACK, [0, 0], [[0] for _ in range(SEATS)]
        self._run(starting, states, *room, seed, luck, number, self._deciders, path, scores, facts, tallies)
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
    won = [facts[:, WINNERS] >> seat & 1 for seat in range(players)]
    sharing = sum(won)
    best, worst = scores[:, :players].max(axis=1), scores[:, :players].min(axis=1)
    columns: list[tuple[Any, Any]] = [(won[seat] * WIN // (sharing + (sharing == 0)), WIN) for seat in range(players)]
    columns += [(scores[:, seat], 1) for seat in range(players)]
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


# ---- counting


@dataclass
class Sums:
    """Of some matches of a variant, for each measure: the sums of so much and of so much, of their squares and product, and of the products
    with the same two of the first variant in the same matches."""

    matches: int = 0
    totals: list[list[int]] = field(default_factory=list)

    def add(self, other: Sums) -> None:
        """Put two together."""
        self.matches += other.matches
        self.totals = [[a + b for a, b in zip(ours, theirs)] for ours, theirs in zip(self.totals, other.totals)] if self.totals else other.totals


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
    return [summed(each, made[0]) for each in made], made


def play_part(study: Study, first: int, count: int) -> list[Sums]:
    """The sums alone."""
    return play_rows(study, first, count)[0]
