"""Properties of every bot of every game: legal, reproducible from a seed, independent of hidden cards, the same in both engines, and explained."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from playing import play_the_same, position, walk

from kortlek.bots import CLUB, EXPERT, HOUSE, LEVELS, RANDOM, level_called, levels_of
from kortlek.bots.bot import Thought
from kortlek.bots.explain import all_equal, margin, rounded, why
from kortlek.bots.levels import EASY, MEDIUM, house_of, config_of
from kortlek.bots.monte_carlo import Budget, MonteCarlo, MonteCarloBot
from kortlek.bots.policy import Policy, PolicyBot, slipping
from kortlek.cards import lowest, members, size
from kortlek.engine import plain
from kortlek.engine.plain import Refused
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import Rng, seeded
from kortlek.engine.views import view
from kortlek.game import OVER, Game
from kortlek.game.registry import GAMES
from kortlek.simulation.runner import PLAIN, Simulator
from kortlek.words.sources import LANGUAGES
from kortlek.words.words import words_of

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
EVERY_POLICY = [(game, level.policy) for game in GAMES.values() for level in levels_of(game).values() if level.policy]
NAMED = [f"{game.name}-{policy.name}" for game, policy in EVERY_POLICY]
COMPILED = [(game, policy) for game, policy in EVERY_POLICY if policy.name not in (EASY, MEDIUM) or game.name == "trick_paper_scissors"]
"""The levels that make random mistakes only mix a policy with chance, and each takes a while to compile: one game is enough for them."""
SHORTLY = Budget(300)


def some_positions(game: Game[Any], every: int, matches: int = 2) -> list[Any]:
    """States of random matches with more than one legal choice, with different numbers of players."""
    found = []
    for match in range(matches):
        players = game.players[-1 if match % 2 else 0]
        moments = (s for s in walk(game, players, {}, 40 + match) if s.phase >= 0 and size(game.legal(s)) > 1)
        found += [plain.copy_of(s) for step, s in enumerate(moments) if step % every == 0]
    return found


@EVERY_GAME
def test_every_game_has_the_levels_by_the_same_names(game: Game[Any]) -> None:
    assert set(LEVELS) <= set(levels_of(game))
    assert all(words_of(game, language).about_level(name) for name in levels_of(game) for language in LANGUAGES)
    assert all(name == level.name for name, level in levels_of(game).items())


def test_the_originals_have_names_of_their_own_and_only_in_their_game() -> None:
    assert {"rummy/original", "rummy/sharp"} <= set(levels_of(GAMES["rummy"]))
    assert {"cascade/easy", "cascade/hard"} <= set(levels_of(GAMES["cascade"]))
    with pytest.raises(Refused, match="Plump has no bot 'rummy/original'. Its bots are: random, easy, medium, house, club, expert"):
        level_called(GAMES["plump"], "rummy/original")


@pytest.mark.parametrize(("game", "policy"), EVERY_POLICY, ids=NAMED)
def test_a_policy_chooses_the_same_whatever_lies_where_its_player_cannot_see(game: Game[Any], policy: Policy[Any]) -> None:
    assert peeks(game, policy) == []


def peeks(game: Game[Any], policy: Policy[Any]) -> list[str]:
    """Where the choice of a policy is illegal, or changes when the cards that its player cannot see are permuted."""
    rng, found = [seeded(5, 0)], []
    for step, s in enumerate(some_positions(game, every=5)):
        first = policy.choose(plain.copy_of(s), [seeded(7, step)])
        other = redeal(view(game, s, s.turn), rng)
        if policy.choose(other, [seeded(7, step)]) != first or not game.legal(s) >> first & 1:
            found.append(f"{policy.name} at {step}")
    return found


def plays_what_the_next_player_lacks(game: Game[Any]) -> Policy[Any]:
    def choose(s: Any, rng: Rng) -> int:
        return list(members(game.legal(s)))[hash(repr(s.hand[(s.turn + 1) % s.players])) % size(game.legal(s))]

    return dataclasses.replace(house_of(game), choose=choose)


@EVERY_GAME
def test_a_policy_that_peeks_is_found_and_gains_nothing_as_a_bot(game: Game[Any]) -> None:
    peeking = plays_what_the_next_player_lacks(game)
    assert peeks(game, peeking)
    rng = [seeded(5, 0)]
    for s in some_positions(game, every=9, matches=1):
        other = redeal(view(game, s, s.turn), rng)
        assert PolicyBot(peeking, 3).choose(view(game, s, s.turn)) == PolicyBot(peeking, 3).choose(view(game, other, s.turn))


@EVERY_GAME
def test_a_policy_never_changes_the_match(game: Game[Any]) -> None:
    for s in some_positions(game, every=9, matches=1):
        before = plain.copy_of(s)
        house_of(game).choose(s, [seeded(1, 1)])
        assert s == before


@EVERY_GAME
@pytest.mark.parametrize("level", [CLUB, EXPERT])
def test_a_bot_that_thinks_chooses_by_its_view_and_seed_alone(game: Game[Any], level: str) -> None:
    assert interferes(game, level) == []


def interferes(game: Game[Any], level: str) -> list[int]:
    rng, found = [seeded(9, 0)], []
    for step, s in enumerate(some_positions(game, every=121)):
        seen = view(game, s, s.turn)
        first = plain_bot(game, level).thoughts(seen)
        other = view(game, redeal(seen, rng), s.turn)
        if plain_bot(game, level).thoughts(other) != first or not seen.legal >> first[0].choice & 1:
            found.append(step)
    return found


def plain_bot(game: Game[Any], level: str) -> MonteCarloBot:
    return MonteCarloBot(MonteCarlo(game, config_of(game, level), "plain"), SHORTLY, 11)


@EVERY_GAME
@pytest.mark.parametrize("level", [CLUB, EXPERT])
def test_both_engines_think_the_same(game: Game[Any], level: str) -> None:
    pytest.importorskip("numba")
    ours, fast = (MonteCarlo(game, config_of(game, level), engine) for engine in ("plain", "compiled"))
    for step, s in enumerate(some_positions(game, every=83)):
        seen = view(game, s, s.turn)
        assert ours.think(seen, SHORTLY, step) == fast.think(seen, SHORTLY, step)


@pytest.mark.parametrize(("game", "policy"), COMPILED, ids=[f"{game.name}-{policy.name}" for game, policy in COMPILED])
def test_both_engines_play_the_same_matches_by_a_policy(game: Game[Any], policy: Policy[Any]) -> None:
    pytest.importorskip("numba")
    play_the_same(game, policy)


def test_no_choice_changes_a_later_deal() -> None:
    game = GAMES["up_and_down"]
    dealt = []
    for level in (RANDOM, HOUSE):
        hands: list[str] = []

        def deal(s: Any, pack: Any, hands: list[str] = hands) -> None:
            hands.append(repr(list(pack[:52])))
            game.rules.deal(s, pack)

        watched = dataclasses.replace(game, deal=deal)
        Simulator(watched, 3, (("largest_round", "4"),), [level_called(game, level)], engine=PLAIN).play([0] * 3, 8, 2, 1)
        dealt.append(hands)
    assert len(dealt[0]) > 3
    assert dealt[0] == dealt[1]


def test_a_level_for_people_slips_as_often_as_it_says() -> None:
    game = GAMES["plump"]
    never: Policy[Any] = Policy("lowest", 1, lambda s, rng: lowest(game.legal(s)))
    s = position("plump", 4, {}, 3, 1)
    slips = slipping(game, never, "clumsy", 0.2)
    rng = [seeded(1, 0)]
    chosen = [slips.choose(s, rng) for _ in range(4000)]
    others = sum(choice != lowest(game.legal(s)) for choice in chosen)
    alternatives = size(game.legal(s))
    assert abs(others - 800 * (alternatives - 1) / alternatives) < 130  # five standard deviations


# ---- budgets


@pytest.mark.parametrize(("budget", "least", "most"), [(Budget(400, "simulations"), 300, 440), (Budget(4000), 20, 400)])
def test_a_budget_is_kept(budget: Budget, least: int, most: int) -> None:
    game = GAMES["plump"]
    s = position("plump", 4, {}, 3, 0)
    thoughts = MonteCarlo(game, config_of(game, CLUB), "plain").think(view(game, s, s.turn), budget, 1)
    assert least <= sum(thought.worlds for thought in thoughts) <= most


def test_the_time_goes_to_the_choices_that_are_hard_to_tell_apart() -> None:
    game = GAMES["plump"]
    s = position("plump", 4, {}, 3, 0)
    thoughts = MonteCarlo(game, config_of(game, CLUB), "plain").think(view(game, s, s.turn), Budget(600, "simulations"), 1)
    assert len(thoughts) == size(game.legal(s))
    worlds = [thought.worlds for thought in thoughts]
    assert thoughts[0].worlds == max(worlds) > 2 * min(worlds) > 0


# ---- why


@EVERY_GAME
def test_every_choice_can_be_explained(game: Game[Any]) -> None:
    for s in some_positions(game, every=97):
        seen = view(game, s, s.turn)
        for level in (HOUSE, CLUB):
            told = explained(game, seen, level)
            assert {thought.choice for thought in told.thoughts} == set(members(seen.legal & sensible(game, seen)))
            words = words_of(game)
            sentence, choice = words.say(told.message), words.choice(s, told.thoughts[0].choice)
            assert sentence.startswith(f"{choice}: ")
            assert sentence.endswith(".")
            assert "\n" not in sentence
            assert len(sentence) > len(choice) + 5


def sensible(game: Game[Any], seen: Any) -> int:
    """The choices worth evaluating: all of them, except bids below the sure tricks in games of exact bids."""
    return config_of(game, CLUB).consider(seen.state)


def explained(game: Game[Any], seen: Any, level: str) -> Any:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("kortlek.bots.levels.affordable", lambda usual: Budget(200))
        return why(seen, 1, level)


@EVERY_GAME
def test_an_explanation_does_not_depend_on_hidden_cards(game: Game[Any]) -> None:
    rng = [seeded(2, 0)]
    for s in some_positions(game, every=113):
        seen = view(game, s, s.turn)
        other = view(game, redeal(seen, rng), s.turn)
        assert explained(game, seen, CLUB) == explained(game, other, CLUB)


def test_a_reason_fits_every_choice_and_names_no_unseen_card() -> None:
    for game in GAMES.values():
        rng = [seeded(3, 0)]
        for s in some_positions(game, every=31):
            other = redeal(view(game, s, s.turn), rng)
            for choice in members(game.legal(s)):
                said = house_of(game).reason(s, choice)
                assert said == house_of(game).reason(other, choice)
                assert words_of(game).has(said.id)


def test_a_match_is_played_to_its_end_by_every_level() -> None:
    game = GAMES["trick_paper_scissors"]
    for name in levels_of(game):
        s = plain.begin(game, 3, {})
        bot = plain_bot(game, name) if name in (CLUB, EXPERT) else level_called(game, name).make(4, None)
        rng = [seeded(6, 0)]
        while s.phase != OVER:
            plain.step(game, s, bot.choose(view(game, s, s.turn)) if s.phase >= 0 else chance(game, s, rng))


def chance(game: Game[Any], s: Any, rng: Rng) -> Any:
    from kortlek.engine.rng import shuffle

    return plain.resolve_chance(game, s, lambda pack, n: shuffle(pack, n, rng))


def test_what_is_not_worth_saying_of_points_is_not_said() -> None:
    """Zero has no minus sign, and points are not mentioned where all alternatives earn the same."""
    words = words_of(GAMES["plump"])
    nothing = [Thought(0, 10, -0.04), Thought(1, 10, 0.01)]
    assert f"{rounded(-0.04):+.1f}" == "+0.0"
    assert all_equal(nothing)
    assert words.say(margin(nothing)) == "; everything else is as good"
    assert words.say(margin([Thought(0, 10, 1.25), Thought(1, 10, -0.3)])) == "; 1.6 points better than the next"
    assert words.say(margin([Thought(0, 10, 1.0), Thought(1, 10, 1.0), Thought(2, 10, 0.0)])) == "; nothing else is clearly better"
    assert words.say(margin(nothing[:1])) == "; there is nothing else to do"
