"""The simulation core of simulate, arena and lab: any policies and observers, the same in both engines, limits, and Ctrl-C."""

from __future__ import annotations

import dataclasses
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playing import position
from running import First, run
from test_lab_skill import NUMBERS, loaded

from kortlek.bots.knobs import knobs_of
from kortlek.bots import HOUSE, RANDOM, Level, level_called, levels_of, own_games
from kortlek.bots.levels import EASY, MEDIUM, config_of
from kortlek.bots.monte_carlo import Budget, MonteCarlo
from kortlek.bots.policy import PolicyBot
from kortlek.bots.search import Searcher
from kortlek.cards import NOTHING, size
from kortlek.engine.loops import MOST_CHOICES
from kortlek.engine.plain import Refused, begin
from kortlek.engine.match import check
from kortlek.engine.record import read_file
from kortlek.engine.views import view
from kortlek.game import DEAL, Game
from kortlek.game.registry import GAMES
from kortlek.simulation.loop import CHOICES, ROUNDS, Observer
from kortlek.simulation.runner import COMPILED, PLAIN, BatchSize, Results, Simulator, chance_level
from kortlek.simulation.simulate import Task, batches

pytest.importorskip("numba")
GAME = GAMES["up_and_down"]
usual_apply = GAME.apply
SHORT = (("largest_round", "3"),)
BOTH = pytest.mark.parametrize("engine", [PLAIN, COMPILED])


def numbers(done: Results) -> list[Any]:
    """The results without the time they took."""
    return [each if isinstance(each, list) else each.tolist() for each in (done.scores, done.facts, done.notes)]


def asked(name: str = "first") -> Level:
    """A level without a policy, whose bot is called for each choice, as those that think are."""
    return Level(name, lambda seed, budget: First(seed))


def counting(weight: int) -> Observer:
    """An observer that counts choices, chance events, rounds and legal choices, times a weight; and puts 7 into its scratch space, to check
    that nothing else writes there."""

    def start(s: Any, notes: Any) -> None:
        notes[4] = 7

    def event(before: Any, after: Any, choice: int, legal: int, pack: Any, notes: Any) -> None:
        notes[0] += weight * (choice != NOTHING)
        notes[1] += weight * (choice == NOTHING)
        notes[3] += size(legal) * weight

    def round_over(s: Any, notes: Any) -> None:
        notes[2] += weight

    def finish(s: Any, notes: Any) -> None:
        notes[3] = notes[3] if notes[4] == 7 else NOTHING

    return Observer(4, event, start, round_over, finish, room=1)


# ---- policies, bots called for each choice, observers


def test_any_number_of_policies_and_observers_come_out_the_same_on_both_engines() -> None:
    weights = [1, 10, 100, 1000]
    levels = [*(level_called(GAME, name) for name in (RANDOM, HOUSE, EASY, MEDIUM)), asked()]
    observers = [counting(weight) for weight in weights]
    slow, fast = (Simulator(GAME, 5, SHORT, levels, observers, engine).play([4, 3, 2, 1, 0], 5, 3, 6) for engine in (PLAIN, COMPILED))
    assert numbers(slow) == numbers(fast)
    for facts, notes in zip(slow.facts, slow.notes):
        choices, rounds = facts[CHOICES], facts[ROUNDS]
        assert [row[:3] for row in notes] == [[weight * choices, weight * (1 + rounds), weight * rounds] for weight in weights], "lots, and deals"
        assert notes[0][3] > choices and [row[3] for row in notes] == [notes[0][3] * weight for weight in weights]


@BOTH
def test_each_seat_follows_its_own_policy(engine: str) -> None:
    """Four seats, each with a policy of its own: the points show which policy played where."""
    bets = Simulator(
        GAME, 4, (("largest_round", "12"), ("first_bettor", "0")), [asked(), *(level_called(GAME, name) for name in (HOUSE, RANDOM))], [], engine
    )
    house, chance, first = (bets.play([level] * 4, 5, 0, 20) for level in (1, 2, 0))
    mixed = bets.play([0, 1, 2, 1], 5, 0, 20)
    assert len({str(numbers(done)[0]) for done in (house, chance, first, mixed)}) == 4
    points = [sum(int(row[seat]) for row in mixed.scores) for seat in range(4)]
    assert min(points[1], points[3]) > max(points[0], points[2]), "the house knows how to bet"


@BOTH
def test_a_match_does_not_depend_on_those_before_it(engine: str) -> None:
    plays = Simulator(GAME, 3, SHORT, [level_called(GAME, EASY), asked()], [counting(1)], engine)
    whole = numbers(plays.play([0, 1, 0], 9, 0, 40))
    for number in (0, 17, 39):
        assert numbers(plays.play([0, 1, 0], 9, number, 1)) == [rows[number : number + 1] for rows in whole]
    assert numbers(plays.play([0, 1, 0], 9, 0, 40, luck=1)) != whole, "other luck, other matches"


def test_a_level_that_thinks_gets_another_seed_for_every_question() -> None:
    seeds: list[int] = []

    def make(seed: int, budget: Budget | None) -> First:
        seeds.append(seed)
        return First(seed)

    plays = Simulator(GAME, 3, SHORT, [Level("asked", make)], engine=PLAIN)
    done = plays.play([0] * 3, 1, 0, 4)
    seeds.pop(0)  # the warm-up call
    assert len(set(seeds)) == len(seeds) == sum(len(each) for each in done.thinking.values()) > 50
    again = seeds.copy()
    seeds.clear()
    plays.play([0] * 3, 1, 0, 4)
    assert seeds == again


def test_records_are_of_the_matches_that_are_counted(tmp_path: Path) -> None:
    arguments = ["simulate", "rummy", "--games", 5, "--seed", 9, "--bots", "house,random,easy", "--workers", 1, "--json"]
    counted = run(*arguments, "--engine", "compiled").json()
    recorded = run(*arguments, "--records", tmp_path / "r.jsonl").json()
    assert (counted["seats"], counted["choices_per_game"]) == (recorded["seats"], recorded["choices_per_game"])
    assert [sum(check(line.record).score[:3]) for line in read_file(tmp_path / "r.jsonl")] != [0] * 5
    refused = run(*arguments, "--engine", "compiled", "--records", tmp_path / "no.jsonl")
    assert (refused.code, refused.err) == (2, "Records are written by the plain engine: leave out --engine.\n")


# ---- matches that do not end


def stays(s: Any, choice: int) -> None:
    """A choice that changes nothing."""


def deals_again(s: Any, pack: Any) -> None:
    """A deal after which another deal is due."""
    s.phase = DEAL


def counts_rounds(s: Any, choice: int) -> None:
    """Every choice ends a round."""
    s.round += 1


def ends_rarely(s: Any, choice: int) -> None:
    """Nothing changes after the first round."""
    if s.round == 0:
        usual_apply(s, choice)


ENDLESS: list[tuple[dict[str, Callable[..., None]], str]] = [
    ({"apply": stays}, "Match 17 did not end within 20,000 choices; it waits for seat 1 to bet."),
    ({"deal": deals_again}, "Match 17 did not end within 20,000 choices; it waits for a deal."),
    ({"apply": counts_rounds}, "Match 17 did not end within 4,096 rounds; it waits for seat 1 to bet."),
    ({"apply": ends_rarely}, "Round 2 of match 17 did not end within 20,000 choices; it waits for seat 2 to bet."),
]


def endless(**rules: Any) -> Game[Any]:
    return dataclasses.replace(GAME, name="endless", title="Endless", **rules)


@BOTH
@pytest.mark.parametrize(("rules", "sentence"), ENDLESS, ids=["choices", "deals", "rounds", "later"])
def test_a_match_that_does_not_end_is_left_and_named(engine: str, rules: dict[str, Any], sentence: str) -> None:
    game = endless(**rules)
    for level in (chance_level(game), asked()):
        plays = Simulator(game, 3, (("first_bettor", "0"), *SHORT), [level], engine=engine)
        with pytest.raises(Refused) as refused:
            plays.play([0] * 3, 1, 17, 2)
        assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--games", 300, "--engine", "plain", "--workers", 1],
        ["simulate", "--games", 300, "--engine", "compiled", "--workers", 2],
        ["arena", "--bots", "random,random", "--workers", 1],
        ["arena", "--bots", "random,random", "--workers", 1, "--round", 2],
        ["lab", "--bots", "random", "--workers", 1],
    ],
    ids=["simulate plain", "simulate compiled", "arena", "arena round", "lab"],
)
def test_every_command_says_which_match_does_not_end(words: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "endless", endless(apply=stays))
    command, *more = words
    refused = run(command, "endless", "--players", 3, "--option", "first_bettor=0", "--seed", 1, *more)
    assert (refused.code, refused.out, refused.err) == (2, "", "Match 0 did not end within 20,000 choices; it waits for seat 1 to bet.\n")


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_bots_that_think_come_to_an_end_in_a_round_that_does_not(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = endless(apply=stays)
    s = position("up_and_down", 3, {"largest_round": 3}, 1, 4)
    seen = view(game, s, s.turn)
    monkeypatch.setattr("kortlek.bots.loops.MOST_CHOICES", 200)
    monkeypatch.setattr("kortlek.bots.search.MOST_CHOICES", 200)
    chance = chance_level(game).policy
    assert chance
    thoughts = MonteCarlo(game, dataclasses.replace(config_of(game, "club"), playout=chance), engine).think(seen, Budget(500), 1)
    assert {each.choice for each in thoughts} <= {choice for choice in range(62) if seen.legal >> choice & 1}
    assert Searcher(game, engine, 20).think(seen, 3, 1)


def test_a_long_match_is_not_taken_for_endless() -> None:
    """Its rounds end: a hundred games of Rummy have more choices than one round may have."""
    game = GAMES["rummy"]
    done = Simulator(game, 6, (("games", "200"),), [level_called(game, RANDOM)], engine=COMPILED).play([0] * 6, 1, 0, 1)
    assert done.facts[0][ROUNDS] == 200 and done.facts[0][CHOICES] > 2 * MOST_CHOICES


# ---- Ctrl-C


@contextmanager
def interrupt_soon() -> Iterator[None]:
    """Raise KeyboardInterrupt after a short time, as if Ctrl-C was pressed."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_interrupt_is_heard_between_compiled_matches() -> None:
    """All of these matches would take half an hour."""
    game = GAMES["rummy"]
    plays = Simulator(game, 6, (("games", "100"),), [level_called(game, HOUSE)], engine=COMPILED)
    with interrupt_soon(), pytest.raises(KeyboardInterrupt):
        plays.play([0] * 6, 1, 0, 100_000)


def test_threads_that_play_compiled_matches_are_not_waited_for_long() -> None:
    """All of these matches would take days."""
    counted = 0
    task = Task("rummy", (("games", "100"),), (HOUSE,) * 6, 1, engine=COMPILED)
    with interrupt_soon(), closing(batches(task, 10**9, 2)) as done, suppress(KeyboardInterrupt):
        for batch in done:
            counted += batch.tally.games
    assert 0 < counted < 10**9


def test_a_bot_that_thinks_for_long_hears_an_interrupt() -> None:
    """This many simulations would take days in a single call of the compiled engine."""
    game = GAMES["plump"]
    s = position("plump", 4, {}, 3, 0)
    bot = level_called(game, "club").make(1, Budget(10**10, "simulations"))
    level_called(game, "club").make(1, Budget(1, "simulations")).choose(view(game, s, s.turn))  # compile first
    with interrupt_soon(), pytest.raises(KeyboardInterrupt):
        bot.choose(view(game, s, s.turn))


def test_a_go_is_as_long_as_a_moment_and_never_empty() -> None:
    go = BatchSize()
    go.took(1, 1e-6)
    assert go.matches == 16, "not too many at once, as the first may be unlike the others"
    go.took(16, 16e-6)
    assert go.matches == 256
    go.took(256, 2.56)
    assert go.matches == 1


# ---- one player


@pytest.fixture(scope="module")
def solo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    text = NUMBERS.replace('name="numbers"', 'name="solo"').replace("players=range(2, 4)", "players=range(1, 3)")
    yield from loaded(tmp_path_factory.mktemp("solo"), text)


def test_one_player_alone_is_simulated_compared_and_studied(solo: str) -> None:
    """Naming the largest of 13 numbers earns six points more than naming a random one."""
    alone = [own_games.typed_name(solo), "--players", 1, "--option", "named=1", "--option", "card=1", "--seed", 1, "--workers", 1, "--json"]
    simulated = run("simulate", *alone, "--bots", "house", "--games", 300).json()
    assert simulated["seats"][0]["win_share"]["mean"] == 1
    better, worse = run("arena", *alone, "--bots", "house,random", "--deals", 200).json()["results"]
    assert 5 < better["points_per_round"]["low"] < 6 < better["points_per_round"]["high"] < 7
    assert worse["points_per_round"]["mean"] == -better["points_per_round"]["mean"]
    studied = {each["measure"]: each for each in run("lab", *alone, "--bots", "house", "--games", 300).json()["variants"][0]["findings"]}
    assert studied["score_0"]["mean"] == simulated["seats"][0]["score"]["mean"]
    assert "stronger_wins" not in studied, "there is nobody to be stronger than"
    assert "Solo, 1 player, 3 games" in run("simulate", *alone[:-1], "--games", 3).out


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_one_player_alone_thinks(solo: str, engine: str) -> None:
    """Without opponents, the value of a choice is its own points; flat Monte Carlo adds the value of the match, which is certain to be won."""
    game = GAMES[solo]
    s = begin(game, 1, {"named": 1})
    game.rules.deal(s, list(range(52)))
    seen = view(game, s, 0)
    thoughts = MonteCarlo(game, config_of(game, "club"), engine).think(seen, Budget(2000), 1)
    assert (thoughts[0].choice, thoughts[0].points) == (12, 12.0 + knobs_of(game).swing / 2)
    found = Searcher(game, engine).think(seen, 500, 1)
    assert found[0].choice == 12 and found[0].points == pytest.approx(12.0)


# ---- the same luck only in the same position


def test_a_bot_asked_twice_for_the_same_view_answers_the_same_and_not_by_the_same_luck_everywhere() -> None:
    game = GAMES["plump"]
    bot, other = (PolicyBot(chance_level(game).policy, seed) for seed in (3, 4))  # type: ignore[arg-type]
    places, differ = set(), 0
    for number in range(60):
        s = position("plump", 4, {}, number, 0)
        seen = view(game, s, s.turn)
        choice = bot.choose(seen)
        assert [bot.choose(seen), PolicyBot(bot.policy, 3).choose(view(game, s, s.turn))] == [choice, choice]
        places.add(choice)
        differ += other.choose(seen) != choice
    assert len(places) > 8, "of eleven bids nearly all are drawn somewhere"
    assert differ > 40, "other seeds, other luck"


def test_a_bot_that_slips_does_so_as_often_as_it_says_whatever_its_seed() -> None:
    """One choice each in many positions, with one seed: about every fifth choice is random, not all or none of them."""
    game = GAMES["plump"]
    easy, house = (levels_of(game)[name].make(1, None) for name in (EASY, HOUSE))
    seen = [view(game, s, s.turn) for s in (position("plump", 4, {}, number, 5) for number in range(300))]
    slips = sum(easy.choose(each) != house.choose(each) for each in seen)
    assert 20 < slips < 100
