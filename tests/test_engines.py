"""One source, two engines: the same seed gives the same games, field by field (and the same search tree: test_search.py)."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from playing import position, set_ups  # noqa: E402

from kortlek import compiled  # noqa: E402
from kortlek.cards import lowest  # noqa: E402
from kortlek.engine import loops, plain  # noqa: E402
from kortlek.engine.rng import pick, seeded  # noqa: E402
from kortlek.game import DEAL, Game, State, card, pile, state, wide  # noqa: E402
from kortlek.game.base import MOST_ROUNDS  # noqa: E402
from kortlek.game.game import LARGEST_PACK  # noqa: E402
from kortlek.game.registry import GAMES  # noqa: E402
from kortlek.simulation.runner import COMPILED, PLAIN, Simulator, chance_level  # noqa: E402

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
SEEDS = st.integers(0, 1 << 61)


def simulate_plain(game: Game[Any], players: int, options: dict[str, object], seed: int, matches: int) -> tuple[Any, Any, Any]:
    return simulate(game, players, options, seed, matches, PLAIN)


def simulate_compiled(game: Game[Any], players: int, options: dict[str, object], seed: int, matches: int) -> tuple[Any, Any, Any]:
    return simulate(game, players, options, seed, matches, COMPILED)


def simulate(game: Game[Any], players: int, options: dict[str, Any], seed: int, matches: int, engine: str) -> tuple[Any, Any, Any]:
    """Play random matches; return their scores, their facts, and the last state."""
    plays = Simulator(game, players, tuple(options.items()), [chance_level(game)], engine=engine)
    done = plays.play([0] * players, seed, 0, matches)
    return compiled.as_int_array(done.scores).tolist(), compiled.as_int_array(done.facts).tolist(), plays.position(seed, matches - 1, MOST_ROUNDS, 0)


FIRST_EDITION = {"plump": 1008, "up_and_down": 864, "trick_paper_scissors": 1152, "rummy": 3336, "cascade": 3688}
"""The bytes of a compiled state of version 0.1, in which every number took eight."""


@pytest.mark.parametrize(("name", "size"), FIRST_EDITION.items())
def test_a_compiled_state_is_at_most_half_as_large_as_with_eight_bytes_for_every_number(name: str, size: int) -> None:
    assert compiled.dtype(GAMES[name].state).itemsize <= size / 2


@state
class Narrow(State):
    stock: Any = pile(127)
    counts: Any = wide(128)
    top: Any = card()


@state
class ManyCards(State):
    stock: Any = pile(128)
    counts: Any = wide(20)


@state
class ManyKinds(State):
    stock: Any = pile(10)
    top: Any = card()


@pytest.mark.parametrize(("kind", "width"), [(Narrow, 1), (ManyCards, 2), (ManyKinds, 2)])
def test_a_card_in_a_pile_takes_one_byte_if_neither_its_number_nor_the_height_of_a_pile_needs_two(kind: type[State], width: int) -> None:
    record = compiled.dtype(kind)
    assert {record[name].base.itemsize for name in record.names or () if name in ("stock", "counts", "top")} == {width}


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
    """Play matches step by step in both engines: every field, mask and turn is the same after each choice."""
    players, options = data.draw(set_ups(game))
    side_by_side, steps = 3, 120
    blank = plain.blank(game, players, options)
    plain_step, compiled_step = loops.make_stepper(game), compiled.build(loops.make_stepper, game)
    ours: list[Any] = [[blank], [plain.copy_of(blank) for _ in range(side_by_side)], [0] * LARGEST_PACK, [[0, 0] for _ in range(side_by_side)]]
    theirs: list[Any] = [
        compiled.records(blank),
        compiled.records(blank, side_by_side),
        compiled.int_array(LARGEST_PACK),
        np.zeros((side_by_side, 2), np.int64),
    ]
    our_rows: list[Any] = [[0] * side_by_side, [0] * side_by_side, [[0] * players for _ in range(side_by_side)], [0] * side_by_side]
    their_rows: list[Any] = [
        *(np.zeros(side_by_side, np.int64) for _ in range(2)),
        np.zeros((side_by_side, players), np.int64),
        np.zeros(side_by_side, np.int64),
    ]
    actions, rng = [-1] * side_by_side, [seeded(seed, 1)]
    for _ in range(steps):
        plain_step(*ours, seed, actions, *our_rows)
        compiled_step(*theirs, seed, np.array(actions), *their_rows)
        assert [row.tolist() for row in their_rows] == our_rows
        assert [compiled.from_record(game.state, record) for record in theirs[1]] == ours[1]
        assert theirs[3].tolist() == ours[3], "both have used the same random numbers"
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


@EVERY_GAME
def test_what_happens_in_a_row_of_a_batch_does_not_depend_on_how_many_rows_there_are(game: Game[Any]) -> None:
    players = game.players[0]
    few, many = (compiled.Batch(game, players, rows, seed=3) for rows in (2, 5))
    assert few.states[0] != few.states[1], "each row has cards of its own"
    for _ in range(300):
        chosen = [lowest(int(mask)) for mask in many.masks]
        few.step(chosen[:2])
        many.step(chosen)
        assert (few.states == many.states[:2]).all()


def deals_again(s: Any, pack: Any) -> None:
    s.phase = DEAL


def test_a_batch_whose_deals_never_end_says_so() -> None:
    endless = dataclasses.replace(GAMES["plump"], deal=deals_again)
    with pytest.raises(plain.Refused, match="Match 0 did not end within 20,000 choices; it waits for a deal"):
        compiled.Batch(endless, 3, 4)


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
    with pytest.raises(plain.Refused, match="2 to 13 players"):
        compiled.Batch(game, 14, 4)
