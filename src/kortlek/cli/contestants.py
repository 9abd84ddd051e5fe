"""The contestants of ``kortlek bench``: Kortlek and the peers that are installed, on one core. All play at random, except our bots."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import random
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from kortlek.api import CardGame
from kortlek.bots import RANDOM, level_called
from kortlek.bots.knobs import knobs_of
from kortlek.bots.levels import house_of
from kortlek.bots.loops import make_playouts
from kortlek.bots.search import EXPLORE, Searcher
from kortlek.cards import size
from kortlek.engine import loops, plain
from kortlek.engine.rng import fraction, seeded, shuffle
from kortlek.engine.views import view
from kortlek.game import LOTS, OVER, State
from kortlek.game.game import LARGEST_PACK
from kortlek.game.registry import GAMES
from kortlek.simulation.runner import COMPILED
from kortlek.simulation.simulate import Task, batches, simulator_of

Work = Callable[[int], int]
"""Repeats an action this many times and returns the number of units done (choices, rounds, ...)."""
SIMULATIONS = 5_000
"""Simulations per search."""


# ---- ours


def waiting_for_deal(name: str, players: int, at_round: int = 0, **options: int) -> State:
    """A match right before the deal of a round, after the drawing of lots."""
    s: State = plain.begin(GAMES[name], players, options)
    while s.phase == LOTS:
        happen_by_chance(name, s)
    s.round = at_round
    return s


def dealt(name: str, players: int, at_round: int = 0, **options: int) -> State:
    """The position of the first choice of a round."""
    s = waiting_for_deal(name, players, at_round, **options)
    while s.phase < OVER:
        happen_by_chance(name, s)
    return s


def happen_by_chance(name: str, s: State) -> None:
    """Shuffle and deal, or draw lots."""
    rng = [seeded(2, s.round)]
    plain.step(GAMES[name], s, plain.resolve_chance(GAMES[name], s, lambda pack, n: shuffle(pack, n, rng)))


def play_on(name: str, position: State) -> Work:
    """Random play from a position to the end of its round, including the deal if the position is before it; the unit is choices."""
    from kortlek import compiled

    run = compiled.build(loops.make_rollouts, GAMES[name])
    records = compiled.records(position, 2)
    pack, rng = compiled.int_array(LARGEST_PACK), compiled.int_array(1)
    rng[0] = seeded(1, 0)
    return lambda times: int(run(records[:1], records[1:], pack, rng, times))


def played_by_the_house(name: str, position: State) -> Work:
    """Play of the house from a dealt position to the end of its round; the unit is choices."""
    from kortlek import compiled

    run = compiled.build(make_playouts, GAMES[name], house_of(GAMES[name]).choose)
    records, rng = compiled.records(position, 2), compiled.int_array(1)
    rng[0] = seeded(1, 0)
    return lambda times: int(run(records[:1], records[1:], rng, times))


def rounds_of(play: Work) -> Work:
    """The same work with rounds as the unit."""
    return lambda times: (play(times), times)[1]


def search_from(name: str, position: State) -> Work:
    """Information-set search for the player whose turn it is; the unit is simulations."""
    searcher = Searcher(GAMES[name])
    seen = view(GAMES[name], position, position.turn)

    def search(times: int) -> int:
        for seed in range(times):
            searcher.think(seen, SIMULATIONS, seed)
        return times * SIMULATIONS

    return search


def whole_matches(name: str, players: int) -> Work:
    """Whole matches with a random bot in every seat, as ``kortlek simulate`` plays them; the unit is choices."""
    task = Task(name, (), (RANDOM,) * players, 1, engine=COMPILED)
    simulator_of(task)
    return lambda times: sum(batch.tally.choices for batch in batches(task, times, 1))


def ours() -> Iterator[tuple[str, Work]]:
    """Our contestants by name."""
    yield "plump", play_on("plump", dealt("plump", 4))
    yield "plump with the deal", rounds_of(play_on("plump", waiting_for_deal("plump", 4)))
    yield "plump search", search_from("plump", dealt("plump", 4))
    yield "up_and_down", play_on("up_and_down", dealt("up_and_down", 4, at_round=9, largest_round=10))
    yield "trick_paper_scissors", play_on("trick_paper_scissors", dealt("trick_paper_scissors", 4))
    yield "cascade", play_on("cascade", dealt("cascade", 4))
    yield "rummy", play_on("rummy", dealt("rummy", 2))
    yield "hearts", play_on("hearts", dealt("hearts", 4))
    yield "spades", play_on("spades", dealt("spades", 4))
    for name in ("plump", "up_and_down", "trick_paper_scissors", "cascade"):
        yield f"{name} matches", whole_matches(name, 4)
    yield "plump by the house", rounds_of(played_by_the_house("plump", dealt("plump", 4)))
    yield "rummy by the house", rounds_of(played_by_the_house("rummy", dealt("rummy", 2)))
    for name, start in HOUSES.items():
        yield f"choices of the house in {name}", played_by_the_house(name, start())


HOUSES: dict[str, Callable[[], State]] = {
    "plump": lambda: dealt("plump", 4),
    "up_and_down": lambda: dealt("up_and_down", 4, at_round=9, largest_round=10),
    "trick_paper_scissors": lambda: dealt("trick_paper_scissors", 4),
    "cascade": lambda: dealt("cascade", 4),
    "hearts": lambda: dealt("hearts", 4),
    "spades": lambda: dealt("spades", 4),
}
"""The positions from which the choices of the house are timed."""


def thinking_times(name: str, level: str, choices: int) -> list[float]:
    """CPU seconds of this many choices of a thinking bot, in matches in which the house makes the choices that are not timed."""
    game = GAMES[name]
    rng, house, taken = [seeded(3, 0)], house_of(game), [0.0]
    matches = (CardGame(game).start(min(game.players[-1], 4), seed=seed) for seed in itertools.count())
    match = next(matches)
    while len(taken) <= choices:
        if match.over:
            match = next(matches)
        elif size(game.legal(match.state)) > 1 and fraction(rng) < PART_TIMED:
            bot = level_called(game, level).make(len(taken), None)
            seen = match.view()
            begin = time.process_time()
            choice = bot.choose(seen)
            taken.append(time.process_time() - begin)
            match.play(choice)
        else:
            match.play(house.choose(match.state, rng))
    return taken[2:]  # the first call may include compilation


PART_TIMED = 0.2


# ---- OpenSpiel


def openspiel() -> ModuleType | None:
    """The OpenSpiel module, or None if it is not installed."""
    return importlib.import_module("pyspiel") if importlib.util.find_spec("pyspiel") else None


def peers(sample: int) -> Iterator[tuple[str, Work]]:
    """The peers that are installed, by name. The number of choices in a game is estimated from a sample of games; a round of ``oh_hell``,
    ``hearts`` or ``spades`` always has the same number from the same position."""
    spiel = openspiel()
    if spiel is None:
        return
    oh_hell = spiel.load_game("oh_hell(players=4,num_tricks_fixed=10)")
    gin_rummy = spiel.load_game("gin_rummy")
    yield "oh_hell", rollouts(spiel, oh_hell, choices_of(spiel, oh_hell, 1))
    yield "oh_hell as in the example", from_python(oh_hell, choose_as_in_the_example)
    yield "oh_hell as in the example, in words", from_python(oh_hell, choose_in_words)
    yield "oh_hell from Python", from_python(oh_hell, choose_at_once)
    yield "oh_hell with the deal", evaluated(spiel, oh_hell)
    yield "oh_hell with the deal as in the example", whole_example(oh_hell)
    yield "oh_hell search", searched(spiel, oh_hell)
    yield "gin_rummy", rollouts(spiel, gin_rummy, choices_of(spiel, gin_rummy, sample))
    for name in ("hearts", "spades"):
        game = spiel.load_game(name)
        yield f"{name} in C++", rollouts(spiel, game, choices_of(spiel, game, 1))
    yield "oh_hell rounds", rollouts(spiel, oh_hell, 1)
    yield "gin_rummy games", rollouts(spiel, gin_rummy, 1)


def dealt_by_openspiel(game: Any) -> Any:
    """The position of the first choice of a round."""
    s = game.new_initial_state()
    draw = random.Random(2)
    while s.is_chance_node():
        outcomes, chances = zip(*s.chance_outcomes(), strict=True)
        s.apply_action(draw.choices(outcomes, chances)[0])
    return s


def rollouts(spiel: ModuleType, game: Any, choices_each: float) -> Work:
    """Random play in C++. The evaluator cannot be called from Python, but the first step of a search with one simulation is to let the evaluator
    make the requested number of rollouts of the position."""
    s = dealt_by_openspiel(game)

    def play(times: int) -> int:
        bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(times, 1), 2.0, 1, 100, False, 1, False)
        bot.mcts_search(s)
        return round(times * choices_each)

    return play


def choices_of(spiel: ModuleType, game: Any, sample: int) -> float:
    """The mean number of choices in a random round, from a sample."""
    chance, choices = -1, 0
    for seed in range(sample):
        s = dealt_by_openspiel(game)
        before = len(s.full_history())
        spiel.evaluate_bots(s, random_bots(spiel, game), seed)
        choices += sum(step.player != chance for step in s.full_history()[before:])
    return choices / sample


def random_bots(spiel: ModuleType, game: Any) -> list[Any]:
    """A random bot in every seat."""
    return [spiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]


def from_python(game: Any, choose: Callable[[Any], Any]) -> Work:
    """Random play from Python, choice by choice."""
    start = dealt_by_openspiel(game)

    def play(times: int) -> int:
        choices = 0
        for _ in range(times):
            s = start.clone()
            while not s.is_terminal():
                s.apply_action(choose(s))
                choices += 1
        return choices

    return play


def choose_as_in_the_example(s: Any) -> Any:
    """The choice of OpenSpiel's own Python example: ask for the kind of node, then choose for the current player."""
    if s.is_chance_node() or s.is_simultaneous_node():
        raise ValueError("oh_hell has only choices of one player, after the deal.")
    action: int = random.choice(s.legal_actions(s.current_player()))
    return action


def choose_in_words(s: Any) -> Any:
    """The same, and as in the example the action is converted to a string, which is not printed."""
    action = choose_as_in_the_example(s)
    s.action_to_string(s.current_player(), action)
    return action


def whole_example(game: Any) -> Work:
    """The whole loop of OpenSpiel's own Python example, which deals card by card; the unit is rounds."""
    numpy = importlib.import_module("numpy")

    def play(times: int) -> int:
        for _ in range(times):
            s = game.new_initial_state()
            while not s.is_terminal():
                if s.is_chance_node():
                    outcomes, chances = zip(*s.chance_outcomes(), strict=True)
                    s.apply_action(numpy.random.choice(outcomes, p=chances))
                else:
                    s.apply_action(choose_in_words(s))
        return times

    return play


def choose_at_once(s: Any) -> Any:
    """A choice with as few calls as possible."""
    action: int = random.choice(s.legal_actions())
    return action


def evaluated(spiel: ModuleType, game: Any) -> Work:
    """Whole rounds with the deal, in C++; the unit is rounds."""
    bots = random_bots(spiel, game)

    def play(times: int) -> int:
        for seed in range(times):
            spiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return times

    return play


def searched(spiel: ModuleType, game: Any) -> Work:
    """Information-set search from the first bid, in C++, with the same exploration constant as ours; the unit is simulations."""
    s = dealt_by_openspiel(game)
    explore = EXPLORE * knobs_of(GAMES["plump"]).swing

    def search(times: int) -> int:
        for seed in range(times):
            spiel.ISMCTSBot(seed, spiel.RandomRolloutEvaluator(1, seed), explore, SIMULATIONS).step(s)
        return times * SIMULATIONS

    return search
