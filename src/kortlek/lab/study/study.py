"""A study: every variant of a game plays the same deals, and measures are collected from each match.

Match k of a seed has the same cards in every variant, and its result does not depend on which worker plays it, or when. Matches are accumulated
as integer sums: memory use is constant, and partial sums can be added in any order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kortlek.bots.levels import level_called
from kortlek.engine import payoffs
from kortlek.engine.payoffs import sign
from kortlek.game.registry import GAMES, metrics_of
from kortlek.lab.study import skill
from kortlek.lab.study.notes import (
    BEHIND,
    BRANCHES,
    BY_PLACE,
    FIRST_SEAT,
    FORCED,
    HALFWAY,
    HALFWAY_UNKNOWN,
    LEAD_CHANGES,
    NO_ONE,
    OPENED,
    SETTLED,
    metrics_observer,
    notes_of,
)
from kortlek.simulation.loop import CHOICES, ROUNDS, SHARING
from kortlek.words.words import words_of
from kortlek.simulation.runner import AUTO, Results, Simulator, simulator
from kortlek.simulation.tally import WIN, shared_wins

SECONDS_A_CHOICE, SECONDS_A_FORCED_ONE, SECONDS_A_DEAL = 6, 2, 40
"""Seconds that people are assumed to take, for the estimate of minutes."""
NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth")


@dataclass(frozen=True)
class Variant:
    """A game with its options and the bot in each seat. ``weaker`` is the weaker bot for measuring skill, if all bots are of one kind."""

    game: str
    bots: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    weaker: str = ""

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.bots)


@dataclass(frozen=True)
class Measure:
    """A quantity measured in every match as a numerator and a denominator. ``is_share``: a share from 0 to 1, otherwise a number."""

    name: str
    about: str
    is_share: bool = False


def measures(variant: Variant) -> list[Measure]:
    """All measures of a variant's matches, in the order of the columns of ``values``."""
    game = GAMES[variant.game]
    seats = range(variant.players)
    return [
        *(Measure(f"win_{seat}", f"wins of seat {seat + 1}; shared ones count in parts", True) for seat in seats),
        *(Measure(f"score_{seat}", f"score of seat {seat + 1}") for seat in seats),
        *(Measure(f"place_win_{at}", f"wins of who comes {NTH[at]} in the order of play of the first round", True) for at in seats),
        *(Measure(f"place_score_{at}", f"score of who comes {NTH[at]} in the order of play of the first round") for at in seats),
        *(Measure(f"place_points_{at}", f"points in a round of who comes {NTH[at]} in its order of play") for at in seats),
        Measure("draws", "matches that nobody won", True),
        Measure("ties", "matches with several winners who are not partners", True),
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
        *(Measure(name, words_of(game).text(f"metric-{name}"), metrics_of(game).is_share(name)) for name in metrics_of(game).names),
    ]


def sides_of(variant: Variant) -> list[tuple[int, ...]]:
    """The seats that play together, team by team: each alone in most games."""
    return payoffs.sides_of(GAMES[variant.game], variant.players)


# ---- playing


def kinds_of(variant: Variant) -> list[str]:
    """The distinct bots of a variant. If all are of one kind, a weaker one is included, so that measuring skill needs no second compilation."""
    kinds = dict.fromkeys((*variant.bots, variant.weaker))
    if len(set(variant.bots)) == 1:
        kinds[variant.weaker or skill.weaker_than(GAMES[variant.game], variant.bots[0])] = None
    return [kind for kind in kinds if kind]


def simulator_of(variant: Variant, engine: str = AUTO) -> Simulator:
    """The simulator of a variant; its levels are those of ``kinds_of``."""
    game = GAMES[variant.game]
    levels = tuple(level_called(game, kind) for kind in kinds_of(variant))
    return simulator(game, variant.players, variant.options, levels, (notes_of(game), metrics_observer(game)), engine)


def play(variant: Variant, seed: int, luck: int, number: int, count: int, bots: tuple[str, ...] = (), engine: str = AUTO) -> Results:
    """Play ``count`` matches of a variant from ``number`` on and return arrays. ``bots`` replace the variant's own."""
    from kortlek.compiled import as_int_array

    kinds = kinds_of(variant)
    done = simulator_of(variant, engine).play([kinds.index(bot) for bot in bots or variant.bots], seed, number, count, luck=luck)
    return Results(as_int_array(done.scores), as_int_array(done.facts), as_int_array(done.notes), done.thinking)


def values(variant: Variant, results: Results) -> Any:
    """An array of matches x measures x 2: the numerator and denominator of every measure."""
    from kortlek.compiled import int_array

    scores, facts, notes, counted = results.scores, results.facts, results.notes[:, 0], results.notes[:, 1]
    named = measures(variant)
    made = int_array(len(scores), len(named), 2)
    players = variant.players
    won, sharing = shared_wins(facts, players), facts[:, SHARING]
    best, worst = scores[:, :players].max(axis=1), scores[:, :players].min(axis=1)
    columns: list[tuple[Any, Any]] = [(won[seat], WIN) for seat in range(players)]
    columns += [(scores[:, seat], 1) for seat in range(players)]
    first = notes[:, FIRST_SEAT]
    known = first != NO_ONE
    columns += [(by_place(won, first, place), WIN * known) for place in range(players)]
    columns += [(by_place([scores[:, seat] for seat in range(players)], first, place), known) for place in range(players)]
    columns += [(notes[:, BY_PLACE + place], notes[:, OPENED]) for place in range(players)]
    easy = notes[:, FORCED]
    seconds = SECONDS_A_CHOICE * (facts[:, CHOICES] - easy) + SECONDS_A_FORCED_ONE * easy + SECONDS_A_DEAL * facts[:, ROUNDS]
    between = facts[:, ROUNDS] - 1
    columns += [
        (sharing == 0, 1),
        (sharing > 1, 1),
        (facts[:, ROUNDS], 1),
        (facts[:, CHOICES], 1),
        (seconds, 60),
        (notes[:, BRANCHES], facts[:, CHOICES]),
        (easy, facts[:, CHOICES]),
        (best - worst, 1),
        (notes[:, LEAD_CHANGES], 1),
        (notes[:, BEHIND], between),
        (notes[:, SETTLED] * (between > 0), facts[:, ROUNDS] * (between > 0)),
        (notes[:, HALFWAY] == 1, notes[:, HALFWAY] != HALFWAY_UNKNOWN),
    ]
    columns += [(counted[:, at], counted[:, at + 1]) for at in range(0, 2 * (len(named) - len(columns)), 2)]
    for at, (much, of) in enumerate(columns):
        made[:, at, 0], made[:, at, 1] = much, of
    return made


def by_place(of_seats: list[Any], first: Any, place: int) -> Any:
    """The values of the seat that is ``place`` seats after the first one, in every match."""
    return sum(each * (first == (seat - place) % len(of_seats)) for seat, each in enumerate(of_seats))


# ---- sums


@dataclass
class Sums:
    """Sums over matches of a variant. ``totals`` has for each measure the sums of numerator and denominator, of their squares and product, and of
    their products with those of the first variant in the same matches; ``again`` the sums of the deals replayed for skill (see ``skill``)."""

    matches: int = 0
    totals: list[list[int]] = field(default_factory=list)
    again: list[list[int]] = field(default_factory=list)

    def add(self, other: Sums) -> None:
        """Add the sums of other matches."""
        self.matches += other.matches
        self.totals = added(self.totals, other.totals)
        self.again = added(self.again, other.again)


def added(ours: list[list[int]], theirs: list[list[int]]) -> list[list[int]]:
    """The elementwise sum; if one side is empty, the other."""
    return [[a + b for a, b in zip(*rows)] for rows in zip(ours, theirs)] if ours and theirs else ours or theirs


def summed(made: Any, first: Any) -> Sums:
    """The sums of some matches. The products with the first variant are zero if its number of measures differs."""
    much, of = made[:, :, 0], made[:, :, 1]
    both = first.shape[1] == made.shape[1]
    other, per = (first[:, :, 0], first[:, :, 1]) if both else (much * 0, of * 0)
    sums = [much, of, much * much, of * of, much * of, much * other, much * per, of * other, of * per]
    return Sums(len(made), [list(row) for row in zip(*(each.sum(axis=0).tolist() for each in sums))])


@dataclass(frozen=True)
class Study:
    """The variants of a study and the seed of their deals; the first variant is the baseline of all comparisons."""

    variants: tuple[Variant, ...]
    seed: int


def play_rows(study: Study, first: int, count: int) -> tuple[list[Sums], list[Any]]:
    """Play ``count`` matches of every variant from ``first`` on: their sums, and the rows of single matches (see ``values``)."""
    made = [values(variant, play(variant, study.seed, 0, first, count)) for variant in study.variants]
    sums = [summed(each, made[0]) for each in made]
    for each, variant in zip(sums, study.variants):
        each.again = play_again(variant, study.seed, first, count)
    return sums, made


def play_part(study: Study, first: int, count: int) -> list[Sums]:
    """Play matches as ``play_rows`` does; only the sums."""
    return play_rows(study, first, count)[0]


def play_again(variant: Variant, seed: int, first: int, count: int) -> list[list[int]]:
    """Replay some deals of ``count`` matches from ``first`` on, with one bot of the variant (or one team of it) among weaker ones, in every seat in
    turn and with another random stream each time. Partners count as one player, who has the mean of their scores."""
    from kortlek.compiled import as_int_array

    again: list[list[int]] = []
    players, game, sides = variant.players, GAMES[variant.game], sides_of(variant)
    if not variant.weaker or len(sides) < 2:
        return again
    thinks = level_called(game, variant.bots[0]).policy is None
    for number, many in skill.played_again(first, count, 1 if thinks else players):
        scores, won = [], []
        for at, strong in enumerate(sides):
            bots = tuple(variant.bots[seat] if seat in strong else variant.weaker for seat in range(players))
            played = play(variant, seed, 1 + at, number, many, bots)
            scores.append(sign(game) * as_int_array([played.scores[:, side].sum(axis=1) // len(side) for side in sides]).T)
            won.append([shared_wins(played.facts, players)[side[0]] for side in sides])
        again = added(again, skill.summed(number, many, scores, won))
    return again
