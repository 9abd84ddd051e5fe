"""Every worked example (docs/examples) keeps the laws of the contract, in both engines and for every number of players; and its words are
complete."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from examples import FOLDER, NAMES, example, module_of

from kortlek.bots import own_games
from kortlek.bots.policy import Policy
from kortlek.cards import members
from kortlek.engine import plain
from kortlek.engine.events import Step, acts_of, events_of, is_act_over
from kortlek.engine.observation import observation_length, observe
from kortlek.engine.ranges import out_of_range
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import pick, seeded, shuffle
from kortlek.engine.views import ONLOOKER, Place, cards_in, content, listed, places, view
from kortlek.game import OVER, Game, State
from kortlek.game.registry import GAMES
from kortlek.simulation.runner import COMPILED, PLAIN, chance_level, simulator
from kortlek.words.table import text_table
from kortlek.words.words import Words

STEP_LIMIT = 20_000
SHORT: dict[str, dict[str, object]] = {"crazy_eights": {"deals": 1}, "wild_draw": {"target": 1}, "bulls": {"target": 1}, "auction": {}}
"""Options that make matches short, where laws are checked at every step."""
EVERY_EXAMPLE = pytest.mark.parametrize("name", NAMES)
TABLES = pytest.mark.parametrize(("name", "players"), [(name, players) for name in NAMES for players in example(name).players])


def next_event(game: Game[Any], s: Any, rng: list[int]) -> plain.Event:
    return pick(game.legal(s), rng) if s.phase >= 0 else plain.resolve_chance(game, s, lambda things, n: shuffle(things, n, rng))


def steps(name: str, players: int, seed: int = 1) -> Iterator[Step]:
    """The steps of a short random match."""
    game = example(name)
    s, rng = plain.begin(game, players, SHORT.get(name)), [seeded(seed, players)]
    for _ in range(STEP_LIMIT):
        if s.phase == OVER:
            return
        before, event = plain.copy_of(s), next_event(game, s, rng)
        plain.step(game, s, event)
        yield Step(before, event, plain.copy_of(s))
    raise AssertionError(f"not over after {STEP_LIMIT} steps")


def beginning(name: str, players: int, seed: int) -> Iterator[Step]:
    """The first steps of a match, for checks that are slow at each step."""
    return islice(steps(name, players, seed), 250)


def viewers(s: State) -> list[int]:
    return [ONLOOKER, *range(s.players)]


def test_there_are_eight() -> None:
    assert NAMES == ["auction", "bulls", "crazy_eights", "go_fish", "goofspiel", "kuhn", "leduc", "wild_draw"]


@EVERY_EXAMPLE
def test_it_loads_as_a_game_of_ones_own(name: str) -> None:
    game = own_games.load(str(FOLDER / f"{name}.py"))
    try:
        assert GAMES[game.name] is game and game.name == example(name).name
    finally:
        own_games.forget(game)


@EVERY_EXAMPLE
def test_every_rule_says_what_it_is(name: str) -> None:
    module = module_of(name)
    functions = [
        each for each in vars(module).values() if inspect.isfunction(each) and each.__module__ == module.__name__ and each.__name__ != "<lambda>"
    ]
    assert module.__doc__ and functions and all(each.__doc__ for each in functions)


@TABLES
def test_matches_of_full_length_end_with_winners(name: str, players: int) -> None:
    game = example(name)
    for seed in range(2):
        s, rng = plain.begin(game, players), [seeded(seed, players)]
        for _ in range(STEP_LIMIT):
            if s.phase == OVER:
                break
            plain.step(game, s, next_event(game, s, rng))
        winners = plain.winning_seats(game, s)
        assert s.phase == OVER and s.round > 0 and winners
        payoffs = [game.payoff(s, seat) for seat in range(players)]
        assert winners == [seat for seat in range(players) if payoffs[seat] == max(payoffs)]


@TABLES
def test_every_card_lies_in_one_place_every_value_in_its_range_and_what_is_known_is_true(name: str, players: int) -> None:
    game = example(name)
    for step in steps(name, players):
        s = step.after
        assert out_of_range(game, s) == ""
        packs: dict[int, Counter[int]] = {}
        for place, field in places(s):
            assert field.storage
            there = Counter(cards_in(s, place, field.storage))
            packs.setdefault(place.seat if game.pack.one_each else 0, Counter()).update(there)
            if field.known_absent:
                absent = content(s, Place(field.known_absent, place.seat))
                assert not any(absent >> card & 1 for card in there)
            if field.known_present:
                assert Counter(listed(content(s, Place(field.known_present, place.seat)), field.storage)) <= there
        if s.phase != -2:  # before a deal the cards are still where the last round left them
            assert all(cards == Counter(game.pack.cards) for cards in packs.values())


@TABLES
def test_a_redeal_looks_the_same_and_has_the_same_choices_and_observation(name: str, players: int) -> None:
    game = example(name)
    for number, step in enumerate(beginning(name, players, 2)):
        if step.after.phase < 0 or number % 3:
            continue
        for seat in viewers(step.after):
            seen = view(game, step.after, seat)
            again = view(game, redeal(seen, [seeded(number, seat + 1)]), seat)
            assert again == seen
            if number % 15 == 0:
                assert observe(again) == observe(seen) and len(observe(seen)) == observation_length(game)


@TABLES
def test_what_a_viewer_is_told_does_not_depend_on_what_she_does_not_see(name: str, players: int) -> None:
    """Redeal the states before and after from her view; where cards are counted in a hand (Bulls), the state before is kept."""
    game = example(name)
    counted = name == "bulls"
    for number, act in enumerate(acts_of(game, beginning(name, players, 3))):
        for seat in viewers(act[0].before) if number % 3 == 0 else []:
            rng = [seeded(number, seat + 1)]
            other = [
                Step(step.before if counted else redeal(view(game, step.before, seat), rng), step.event, redeal(view(game, step.after, seat), rng))
                for step in act
            ]
            for redealt, step in zip(other, act, strict=True):
                redealt.before.turn = step.before.turn  # the act says which seat made a choice of those made together
            assert events_of(game, other, seat) == events_of(game, act, seat)


@pytest.mark.parametrize("name", ["goofspiel", "bulls"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_choices_made_together_are_told_to_nobody_before_all_have_chosen(name: str, players: int) -> None:
    game, together = example(name), 0
    for step in steps(name, players, seed=4):
        if step.before.phase >= 0 and game.choices[step.before.phase].together and not is_act_over(game, step):
            together += 1
            for seat in set(viewers(step.before)) - {step.before.turn}:
                assert view(game, step.after, seat) == view(game, step.before, seat)
    assert together >= 10 * (players - 1)
    acts = [
        act for act in acts_of(game, steps(name, players, seed=4)) if isinstance(act[0].event, int) and game.choices[act[0].before.phase].together
    ]
    assert all([step.before.turn for step in act] == list(range(players)) for act in acts)


@TABLES
def test_notation_reads_back(name: str, players: int) -> None:
    game = example(name)
    for number, step in enumerate(beginning(name, players, 5)):
        if number % 4 == 0:
            options = list(members(game.legal(step.before))) if step.before.phase >= 0 else [step.event]
            written = [plain.write(game, step.before, event) for event in options]
            assert [plain.read(game, step.before, text) for text in written] == options and len(set(written)) == len(written)


def strict(words: Words) -> Words:
    """Words that raise an error for a missing argument, where Fluent would print the argument's name."""
    bundle: Any = words._bundle
    usual = bundle.format_pattern

    def format_pattern(pattern: Any, args: Any = None) -> Any:
        value, errors = usual(pattern, args)
        assert not errors, errors
        return value, errors

    bundle.format_pattern = format_pattern
    return words


@TABLES
def test_everything_is_said_in_words(name: str, players: int) -> None:
    game = example(name)
    words, names = strict(Words(game)), tuple(f"P{seat}" for seat in range(players))

    def is_said(text: str) -> bool:
        return bool(text.strip()) and not any(sign in text for sign in "{}$_")

    for act in acts_of(game, beginning(name, players, 6)):
        for seat in (ONLOOKER, 0, players - 1):
            for event in events_of(game, act, seat):
                assert event.kind == "round_over" or is_said(words.event(event, names, seat)), event
        s = act[0].before
        if s.phase >= 0:
            assert is_said(words.ask(s.phase))
            assert all(map(is_said, text_table(view(game, s, s.turn), words, names)))
            assert all(is_said(words.choice(s, choice)) for choice in members(game.legal(s)))


# ---- both engines


def simulated(name: str, players: int, matches: int, plain_engine: bool) -> Any:
    """Scores and facts of random matches."""
    game, options = example(name), tuple((option, str(value)) for option, value in SHORT.get(name, {}).items())
    done = simulator(game, players, options, (chance_level(game),), (), PLAIN if plain_engine else COMPILED).play([0] * players, 7, 0, matches)
    return (done.scores, done.facts) if plain_engine else (done.scores.tolist(), done.facts.tolist())


@EVERY_EXAMPLE
def test_both_engines_play_the_same(name: str) -> None:
    pytest.importorskip("numba")
    game = example(name)
    for players in (game.players[0], game.players[-1]):
        assert simulated(name, players, 150, True) == simulated(name, players, 150, False)


@pytest.mark.parametrize("name", ["kuhn", "goofspiel", "bulls", "wild_draw", "auction"])
def test_both_engines_search_the_same(name: str) -> None:
    pytest.importorskip("numba")
    from kortlek.bots.search import Searcher

    game = example(name)
    slow, fast = Searcher(game, "plain", 300), Searcher(game, "compiled", 300)
    for number, step in enumerate(beginning(name, game.players[0], 8)):
        if step.before.phase >= 0 and number % 25 == 1:
            seen = view(game, step.before, step.before.turn)
            assert slow.think(seen, 20, number) == fast.think(seen, 20, number)


# ---- house policies


@EVERY_EXAMPLE
def test_a_house_chooses_something_legal_and_the_same_whatever_is_hidden(name: str) -> None:
    game = example(name)
    for policy in [each for each in vars(module_of(name)).values() if isinstance(each, Policy)]:
        for number, step in enumerate(steps(name, game.players[-1], seed=9)):
            s = step.before
            if s.phase >= 0:
                chosen = policy.choose(s, [1])
                assert game.legal(s) >> chosen & 1
                assert policy.choose(redeal(view(game, s, s.turn), [seeded(number, 0)]), [1]) == chosen
