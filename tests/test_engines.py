"""One source, two engines: the same seed gives the same games, field by field (test_search.py: and the same search tree)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from kortlek.play import compiled, loops, plain  # noqa: E402
from kortlek.play.plain import LARGEST_PACK  # noqa: E402
from kortlek.play.seeded import pick, seeded  # noqa: E402
from kortlek.rules import GAMES  # noqa: E402
from kortlek.rules.game import Game  # noqa: E402
from playing import position, set_ups  # noqa: E402

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
SEEDS = st.integers(0, 1 << 61)


def simulate_plain(game: Game[Any], players: int, options: dict[str, object], seed: int, matches: int) -> tuple[Any, Any, Any]:
    states, scores, facts = [None], [[0] * players for _ in range(matches)], [[0] * 3 for _ in range(matches)]
    loops.make_simulator(game)([plain.blank(game, players, options)], states, [0] * LARGEST_PACK, [0], seed, 0, scores, facts)
    return scores, facts, states[0]


def simulate_compiled(game: Game[Any], players: int, options: dict[str, object], seed: int, matches: int) -> tuple[Any, Any, Any]:
    blank = compiled.records(plain.blank(game, players, options))
    states, scores, facts = blank.copy(), np.zeros((matches, players), np.int64), np.zeros((matches, 3), np.int64)
    simulate = compiled.build(loops.make_simulator, game)
    simulate(blank, states, compiled.int_array(LARGEST_PACK), compiled.int_array(1), seed, 0, scores, facts)
    return scores.tolist(), facts.tolist(), compiled.from_record(game.state, states[0])


@EVERY_GAME
@settings(max_examples=12, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_the_same_seed_gives_the_same_matches(game: Game[Any], data: st.DataObject, seed: int) -> None:
    players, options = data.draw(set_ups(game))
    assert simulate_plain(game, players, options, seed, 2) == simulate_compiled(game, players, options, seed, 2)


@EVERY_GAME
def test_the_same_seed_gives_the_same_matches_for_every_number_of_players(game: Game[Any]) -> None:
    for players in game.players:
        assert simulate_plain(game, players, {}, 4, 2) == simulate_compiled(game, players, {}, 4, 2)


@EVERY_GAME
@settings(max_examples=6, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_every_choice_leads_to_the_same_state(game: Game[Any], data: st.DataObject, seed: int) -> None:
    """Matches side by side, one choice at a time in both engines: every field, mask and turn is the same after each."""
    players, options = data.draw(set_ups(game))
    side_by_side, steps = 3, 120
    blank = plain.blank(game, players, options)
    plain_step, compiled_step = loops.make_stepper(game), compiled.build(loops.make_stepper, game)
    ours: list[Any] = [[blank], [plain.copy_of(blank) for _ in range(side_by_side)], [0] * LARGEST_PACK, [seeded(seed, 0)]]
    theirs: list[Any] = [
        compiled.records(blank),
        compiled.records(blank, side_by_side),
        compiled.int_array(LARGEST_PACK),
        np.array([seeded(seed, 0)]),
    ]
    our_rows: list[Any] = [[0] * side_by_side, [0] * side_by_side, [[0] * players for _ in range(side_by_side)], [0] * side_by_side]
    their_rows: list[Any] = [
        *(np.zeros(side_by_side, np.int64) for _ in range(2)),
        np.zeros((side_by_side, players), np.int64),
        np.zeros(side_by_side, np.int64),
    ]
    actions, rng = [-1] * side_by_side, [seeded(seed, 1)]
    for _ in range(steps):
        plain_step(*ours, actions, *our_rows)
        compiled_step(*theirs, np.array(actions), *their_rows)
        assert [row.tolist() for row in their_rows] == our_rows
        assert [compiled.from_record(game.state, record) for record in theirs[1]] == ours[1]
        assert theirs[3][0] == ours[3][0], "both have used the same random numbers"
        actions = [pick(mask, rng) for mask in our_rows[0]]


@EVERY_GAME
def test_rollouts_end_with_the_round(game: Game[Any]) -> None:
    s = position(game.name, game.players[0], {}, 8, 3)
    both = []
    for engine_build, wrap in ((lambda make, *given: make(*given), lambda s: [s]), (compiled.build, compiled.records)):
        states = wrap(plain.copy_of(s))
        rng = np.array([99]) if engine_build is compiled.build else [99]
        pack = compiled.int_array(LARGEST_PACK) if engine_build is compiled.build else [0] * LARGEST_PACK
        choices = engine_build(loops.make_rollouts, game)(wrap(s), states, pack, rng, 5)
        both.append((choices, int(rng[0])))
    assert both[0] == both[1]
    assert both[0][0] > 0


def test_the_select_for_processors_without_pdep_is_right() -> None:
    rng = [seeded(3, 3)]
    for _ in range(300):
        x = rng[0] & rng[0] >> 3
        pick(255, rng)
        ones = [at for at in range(62) if x >> at & 1]
        assert [compiled.select(x, n) for n in range(len(ones))] == ones


@EVERY_GAME
def test_a_batch_plays_many_matches_side_by_side(game: Game[Any]) -> None:
    players, matches = game.players[0], 50
    batch, again = (compiled.Batch(game, players, matches, seed=3) for _ in range(2))
    rng, ended = [seeded(2, 2)], 0
    for _ in range(600):
        assert ((batch.phases >= 0) & (batch.turns < players)).all()
        choices = [pick(int(mask), rng) for mask in batch.masks]
        batch.step(choices)
        again.step(np.array(choices))
        ended += int(batch.ended.sum())
    assert (batch.states == again.states).all()
    assert ended > 0 or game.name == "rummy"
    one = compiled.from_record(game.state, batch.states[7])
    assert int(batch.masks[7]) == game.legal(one) and int(batch.turns[7]) == one.turn


def test_a_batch_refuses_illegal_choices_and_changes_nothing() -> None:
    game = GAMES["plump"]
    batch = compiled.Batch(game, 3, 4)
    before = batch.states.copy()
    for wrong, why in (
        ([0, 0, 11, 0], "in match 2: allowed are"),
        ([0, 0, 0, -1], "match 3"),
        ([0, 70, 0, 0], "match 1"),
        ([0, 0], "There are 4 matches"),
    ):
        with pytest.raises(plain.Refused, match=why):
            batch.step(wrong)
    assert (batch.states == before).all()
    with pytest.raises(plain.Refused, match="2 to 10 players"):
        compiled.Batch(game, 11, 4)
