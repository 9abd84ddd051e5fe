"""Our bot against OpenSpiel's ISMCTSBot: Oh Hell in the size where every card is dealt (otherwise its determinizations know which cards are not in
play).

Every deal is played from every seat, one of ours against two of theirs and two of ours against one of theirs. Theirs runs a fixed number of
simulations; ours gets the CPU time that theirs takes for a choice, or a share of it. Choices with one alternative do not count. The margin is
points per round over the mean of the other side, with a 95 % confidence interval by bootstrap over deals.

    python benchmarks/oh_hell_match.py --deals 100 --simulations 3000 --bot a_module:a_function

``a_function(cpu_seconds, seed)`` makes our bot for one round: an object with ``choose(view)`` that uses that much CPU time for a choice.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import pyspiel
from oh_hell import BID, KINDS, OH_HELL, PLAYERS, RANKS, SUITS, TRICKS, OhHell
from oh_hell_house import HOUSE

from kortlek.bots import Bot
from kortlek.bots.monte_carlo import Budget, MonteCarloConfig, MonteCarlo, MonteCarloBot
from kortlek.cards import FRENCH, members, rank_of
from kortlek.engine import plain
from kortlek.engine.rng import seeded, shuffle
from kortlek.engine.views import view
from kortlek.game import OVER

THEIR_GAME = pyspiel.load_game(f"oh_hell(players={PLAYERS},num_suits={SUITS},num_cards_per_suit={RANKS},num_tricks_fixed={TRICKS})")
THEIR_SUITS = "CDSH"
FINAL = {"sampled": "NORMALIZED_VISIT_COUNT", "most_visited": "MAX_VISIT_COUNT", "best": "MAX_VALUE"}
"""The final policy of their bot: sample by visits (its default), the most visited choice, or the choice with the highest value."""
UCT = 5.0
"""Their exploration constant: it has no default, and this is what OpenSpiel's own tests use."""
Build = Callable[[float, int], Bot]
"""Makes our bot for a round, from the CPU seconds for a choice and a seed."""


# ---- one round in both engines


class OutOfStep(Exception):
    """The two engines disagree about a position."""


def their_card(card: int) -> int:
    """The number of a card in OpenSpiel."""
    return rank_of(card) * SUITS + THEIR_SUITS.index(FRENCH[card][0])


class Table:
    """One round in both engines, which are compared after every event."""

    def __init__(self, dealer: int, pack: tuple[int, ...]) -> None:
        self.ours: OhHell = plain.begin(OH_HELL, PLAYERS)
        self.theirs: Any = THEIR_GAME.new_initial_state()
        lots = (dealer, *(seat for seat in range(PLAYERS) if seat != dealer))
        for event in (lots, pack):
            plain.step(OH_HELL, self.ours, event)
        for action in (TRICKS, dealer, *map(their_card, pack)):
            self.theirs.apply_action(action)
        self.compare()

    @property
    def is_over(self) -> bool:
        """Whether the round is over."""
        return self.ours.phase == OVER

    def choices(self) -> dict[int, int]:
        """The legal choices: from our numbers to OpenSpiel's."""
        return {each: KINDS + each if self.ours.phase == BID else their_card(each) for each in members(OH_HELL.legal(self.ours))}

    def step(self, choice: int) -> None:
        """Make a legal choice in both engines."""
        self.theirs.apply_action(self.choices()[choice])
        plain.step(OH_HELL, self.ours, choice)
        self.compare()

    def compare(self) -> None:
        """Check that both engines wait for the same player and the same choices, or that the round is over with the same points."""
        if self.is_over:
            ours: Any = (True, self.ours.score[:PLAYERS])
            theirs: Any = (self.theirs.is_terminal(), list(map(int, self.theirs.returns())))
        else:
            ours = (False, self.ours.turn, sorted(self.choices().values()))
            theirs = (self.theirs.is_terminal(), self.theirs.current_player(), sorted(self.theirs.legal_actions()))
        if ours != theirs:
            raise OutOfStep(f"The engines differ: ours has {ours}, OpenSpiel {theirs}, in\n{self.theirs}")


def deal_number(number: int, seed: int) -> tuple[int, tuple[int, ...]]:
    """The dealer and the shuffled pack of a deal."""
    rng = [seeded(seed, number)]
    s = plain.begin(OH_HELL, PLAYERS)
    lots = plain.resolve_chance(OH_HELL, s, lambda things, n: shuffle(things, n, rng))
    plain.step(OH_HELL, s, lots)
    return lots[0], plain.resolve_chance(OH_HELL, s, lambda things, n: shuffle(things, n, rng))


# ---- the players


THINKER = MonteCarlo(OH_HELL, MonteCarloConfig(HOUSE, HOUSE))


def expert(cpu_seconds: float, seed: int) -> Bot:
    """Our expert with this budget: choices tried in samples of the hidden cards and played out by the house's rules of thumb."""
    return MonteCarloBot(THINKER, Budget(cpu_seconds, "seconds"), seed)


@dataclass(frozen=True)
class Theirs:
    """The configuration of OpenSpiel's bot."""

    simulations: int
    uct: float = UCT
    final: str = "sampled"

    def build(self, seed: int) -> Any:
        """The bot for one round."""
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.ISMCTSBot(seed, evaluator, self.uct, self.simulations, -1, getattr(pyspiel.ISMCTSFinalPolicyType, FINAL[self.final]))


@dataclass
class Spent:
    """CPU time spent on choices."""

    seconds: float = 0.0
    choices: int = 0

    @property
    def each(self) -> float:
        """CPU seconds per choice."""
        return self.seconds / max(1, self.choices)


@dataclass
class Side:
    """The statistics of one side: CPU time, promises kept, and promises made."""

    spent: Spent = field(default_factory=Spent)
    kept: int = 0
    made: int = 0


def play(table: Table, seats: list[Any], spent: list[Spent]) -> None:
    """Play a round. ``seats`` holds our bots, and theirs, which have a method ``step``."""
    while not table.is_over:
        seat, legal = table.ours.turn, table.choices()
        begin = time.process_time()
        if hasattr(seats[seat], "step"):
            action = seats[seat].step(table.theirs)
            choice = next((ours for ours, theirs in legal.items() if theirs == action), -1)
        else:
            choice = seats[seat].choose(view(OH_HELL, table.ours, seat))
        seconds = time.process_time() - begin
        if choice not in legal:
            raise OutOfStep(f"Seat {seat} chose {choice}, which is not among {list(legal)}.")
        if len(legal) > 1:
            spent[seat].seconds += seconds
            spent[seat].choices += 1
        table.step(choice)


# ---- the match

ONE, TWO = "one of ours, two of theirs", "two of ours, one of theirs"


@dataclass
class Result:
    """The result with one share of their CPU time."""

    share: float
    margins: dict[str, list[float]] = field(default_factory=lambda: {ONE: [], TWO: []})
    """Points per round over the other side, by kind of table: for each deal the mean over the seats."""
    ours: Side = field(default_factory=Side)
    theirs: Side = field(default_factory=Side)

    def both(self) -> list[float]:
        """The margins of both kinds of table, averaged per deal."""
        return [fmean(pair) for pair in zip(*self.margins.values(), strict=True)]


def interval(margins: list[float], samples: int = 4_000) -> tuple[float, float]:
    """The 95 % confidence interval of the mean, by bootstrap."""
    draw = random.Random(1)
    means = sorted(fmean(draw.choices(margins, k=len(margins))) for _ in range(samples))
    return means[int(0.025 * samples)], means[int(0.975 * samples)]


def arrangements() -> Iterator[tuple[str, set[int]]]:
    """Every kind of table with every seating, as the set of our seats."""
    for seat in range(PLAYERS):
        yield ONE, {seat}
        yield TWO, set(range(PLAYERS)) - {seat}


class Match:
    """Deals played one after another, with results that can be reported at any time."""

    def __init__(self, build: Build, theirs: Theirs, shares: list[float], seed: int) -> None:
        self.build, self.theirs, self.seed = build, theirs, seed
        self.results = [Result(share) for share in shares]
        self.pace = Spent()
        """The CPU time of their choices so far, over all shares: our budget follows it."""

    def warm_up(self) -> None:
        """Play deals that do not count: they compile what has to be compiled, and measure how long theirs takes."""
        spent, seats = [Spent() for _ in range(PLAYERS)], [self.theirs.build(seat) for seat in range(PLAYERS)]
        play(Table(*deal_number(-2, self.seed)), seats, spent)
        self.pace = Spent(sum(each.seconds for each in spent), sum(each.choices for each in spent))
        for _ in range(2):
            play(Table(*deal_number(-2, self.seed)), [self.build(self.pace.each, seat) for seat in range(PLAYERS)], spent)

    def play_deal(self, number: int) -> None:
        """Play one deal with every share, at every kind of table, from every seat. The margins of an interrupted deal do not count."""
        found: list[dict[str, list[float]]] = []
        for result in self.results:
            found.append({ONE: [], TWO: []})
            for kind, ours in arrangements():
                found[-1][kind].append(self.play_round(number, ours, result))
        for result, margins in zip(self.results, found, strict=True):
            for kind, each in margins.items():
                result.margins[kind].append(fmean(each))

    def play_round(self, number: int, ours: set[int], result: Result) -> float:
        """Play one round and return our points over theirs."""
        table = Table(*deal_number(number, self.seed))
        budget = result.share * self.pace.each
        seats = [
            self.build(budget, self.seed + PLAYERS * number + seat) if seat in ours else self.theirs.build(self.seed + PLAYERS * number + seat)
            for seat in range(PLAYERS)
        ]
        spent = [Spent() for _ in range(PLAYERS)]
        play(table, seats, spent)
        for seat in range(PLAYERS):
            side = result.ours if seat in ours else result.theirs
            for total in (side.spent,) if seat in ours else (side.spent, self.pace):
                total.seconds += spent[seat].seconds
                total.choices += spent[seat].choices
            side.made += 1
            side.kept += table.ours.taken[seat] == table.ours.bid[seat]
        points = table.ours.score
        return fmean(points[seat] for seat in ours) - fmean(points[seat] for seat in range(PLAYERS) if seat not in ours)

    def report(self) -> str:
        """The results so far."""
        lines = []
        for result in self.results:
            deals = len(result.both())
            lines += ["", f"Ours with {result.share:g} of their time, {deals} deals x {PLAYERS} seats:"]
            if deals:
                for kind, margins in (*result.margins.items(), ("both", result.both())):
                    low, high = interval(margins)
                    lines.append(f"  {kind:28} {fmean(margins):+.2f} points per round (95 %: {low:+.2f} to {high:+.2f})")
            for name, side in (("ours", result.ours), ("theirs", result.theirs)):
                kept = f"{side.kept / max(1, side.made):.3f}"
                lines.append(
                    f"  {name:28} {1000 * side.spent.each:.2f} ms of processor time for a choice ({side.spent.choices} choices), exact bids {kept}"
                )
        return "\n".join(lines[1:])


def named(text: str) -> Build:
    """The function for ``module:function``."""
    module, _, name = text.partition(":")
    try:
        found: Build = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not module:function of something that can be imported ({error})") from error
    return found


def main() -> int:
    """Play, and print the margins."""
    parser = argparse.ArgumentParser(description="Our bot and OpenSpiel's ISMCTSBot at one table of Oh Hell, where every card is dealt.")
    parser.add_argument("--deals", type=int, default=20, help="how many deals")
    parser.add_argument("--seed", type=int, default=1, help="which deals")
    parser.add_argument("--simulations", type=int, default=1_000, help="how many simulations theirs makes for a choice")
    parser.add_argument("--uct", type=float, default=UCT, help="how curious theirs is")
    parser.add_argument("--final", choices=FINAL, default="sampled", help="how theirs chooses after its search")
    parser.add_argument("--shares", type=float, nargs="+", default=[1.0, 0.1], help="how much of their time ours gets")
    parser.add_argument("--bot", type=named, default=expert, help="module:function that makes our bot from (cpu_seconds, seed)")
    given = parser.parse_args()
    match = Match(given.bot, Theirs(given.simulations, given.uct, given.final), given.shares, given.seed)
    print(f"Against ISMCTSBot with {given.simulations} simulations, uct {given.uct:g}, choice {given.final}; seed {given.seed}", flush=True)
    interrupted = False
    try:
        match.warm_up()
        for number in range(given.deals):
            match.play_deal(number)
            so_far = ", ".join(f"{result.share:g}: {fmean(result.both()):+.2f}" for result in match.results)
            print(f"deal {number + 1} of {given.deals}; margin so far by share of time: {so_far}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
        print("Interrupted: this is what was done so far.", file=sys.stderr)
    print(match.report())
    return 130 if interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
