"""Rummy's sharp bot: each sentence about how it plays, and the checks that every policy must pass."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import next_event, said_for, set_ups
from rummy_positions import do, position, table

from kortlek.cards import gain
from kortlek.engine import plain
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import view
from kortlek.game import OVER
from kortlek.game.registry import GAMES
from kortlek.games.melds import CARDS
from kortlek.games.rummy.rules import TURN, Rummy
from kortlek.games.rummy.sharp import SHARP, left_over

GAME = GAMES["rummy"]
SEEDS = st.integers(0, 1 << 61)


def chosen(s: Rummy) -> str:
    """The choice of the sharp bot, in notation."""
    name: str = GAME.notation[s.phase][SHARP.choose(s, [1])]
    return name


def turn(s: Rummy) -> str:
    """Let the player in turn play until she has discarded; return that card."""
    while True:
        choice = chosen(s)
        leaves = s.phase == TURN and choice.startswith("discard")
        do(s, choice)
        if leaves:
            return choice.removeprefix("discard ")


# ---- it counts


@pytest.mark.parametrize("gone", [{"discards": "HQ HQ C4"}, {"melds": ["CQ DQ HQ", "CQ HQ SQ"]}])
def test_it_keeps_no_pair_whose_missing_cards_cannot_come(gone: dict[str, Any]) -> None:
    assert chosen(position("HJ HK D6 D8", "C9")) in ("discard D6", "discard D8")
    assert chosen(position("HJ HK D6 D8", "C9", **gone)) in ("discard HJ", "discard HK")


def test_a_card_that_another_player_openly_took_cannot_come() -> None:
    s = position("HJ HK D6 D8", "HQ HQ C9")
    assert chosen(s) in ("discard D6", "discard D8")
    for _ in range(2):
        gain(s.known_present[1], CARDS.index("HQ"))
    assert chosen(s) in ("discard HJ", "discard HK")


@pytest.mark.parametrize("laid", [(), (0,)])
def test_it_plays_on_when_every_card_is_seen(laid: tuple[int, ...]) -> None:
    s = position("HJ HK D6 D8", "C9", rest="discards", laid=laid)
    gain(s.known_present[1], CARDS.index("C9"))
    assert chosen(s).startswith("discard")


# ---- before the first laying


def test_it_lays_as_soon_as_it_can() -> None:
    assert chosen(position("CA DA HA SA C2 D4 S6 H8", "C9")) == "lay"
    assert chosen(position("CK DK HK SK C2 D4 S6 H8", "C9")).startswith("discard")


def test_it_lays_just_enough_and_keeps_jokers() -> None:
    s = position("CA DA HA SA JB C3 D3 H7 S9 DJ", "C9")
    turn(s)
    assert table(s) == ["CA DA HA SA"]
    s = position("CA DA HA SA C3 D3 H3 H7 S9 DJ", "C9")
    turn(s)
    assert table(s) == ["CA DA HA SA"]


def test_it_lays_what_leaves_the_fewest_cards() -> None:
    """The ace is needed for the run of hearts, which takes three more cards; three aces are still enough with the sevens."""
    s = position("CA DA SA HA HQ HK C7 D7 S7 C2 D4", "C9")
    turn(s)
    assert left_over(s, *s.hand[0]) <= 1


def test_cards_that_fit_the_table_are_kept() -> None:
    assert chosen(position("H8 CT CJ SQ SK", "C9")) == "discard H8"
    assert chosen(position("H8 CT CJ SQ SK", "C9", melds=["H5 H6 H7"])) != "discard H8"


def test_before_the_first_laying_dear_melds_count_more() -> None:
    assert chosen(position("CK DK C3 D3", "C9")) in ("discard C3", "discard D3")


# ---- after it


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("H8 H9 C2", 1),
        ("H8 HT C2", 2),
        ("CK DK HK C2", 1),
        ("CK DK JB C2", 1),
        ("H4 H3 S9 S9", 2),
        ("C6 D6 S6 H6 H8", 0),
        ("H8 H8 C2", 2),
        ("H8 C8 D8 C2", 1),
        ("H8 H8 C8 D8", 0),
    ],
)
def test_it_asks_how_many_cards_it_could_not_get_rid_of(hand: str, left: int) -> None:
    s = position(hand, "C9", melds=["H5 H6 H7"], laid=(0,))
    assert left_over(s, *s.hand[0]) == left


def test_it_takes_the_top_discard_if_that_one_could_be_laid() -> None:
    melds = ["H5 H6 H7"]
    assert chosen(position("CT D2 SQ", "C9", melds=melds, discards="H8", laid=(0,), drawn=False)) == "draw discard"
    assert chosen(position("CT CJ SQ", "C9", melds=melds, discards="CQ", laid=(0,), drawn=False)) == "draw discard"
    assert chosen(position("CT D2 SQ", "C9", melds=melds, discards="H9", laid=(0,), drawn=False)) == "draw stock"


def test_it_discards_the_card_without_which_the_next_draw_leaves_the_fewest_cards() -> None:
    """With a pair and one more card, a third card goes out; the two cards apart from it are of no use."""
    assert chosen(position("D7 D8 S2 CK", "C9", melds=["H4 H5 H6"], laid=(0,))) in ("discard S2", "discard CK")


def test_it_goes_out_as_soon_as_only_the_discard_is_left() -> None:
    s = position("H8 H9 CK DK HK D2", "C9", melds=["H5 H6 H7"], laid=(0,))
    assert turn(s) == "D2"
    assert s.phase == OVER and s.score[0] == 0


# ---- holding back


def test_in_a_single_game_a_finished_meld_stays_in_the_hand() -> None:
    s = position("CK DK HK D2 S5 C8", "C9", laid=(0,))
    assert turn(s) in ("D2", "S5", "C8")
    assert table(s) == []


def test_in_a_session_nothing_is_held_back() -> None:
    s = position("CK DK HK D2 S5 C8 H8", "C9", melds=["H5 H6 H7"], laid=(0,), games=3)
    turn(s)
    assert table(s) == ["H5 H6 H7 H8", "CK DK HK"]


def test_a_card_that_continues_a_run_stays_unless_the_next_one_is_scarcer() -> None:
    hidden = "H8 D2 S5 CJ"
    assert chosen(position(hidden, "C9", melds=["H5 H6 H7"], laid=(0,))).startswith("discard")
    assert chosen(position(hidden, "C9", melds=["H5 H6 H7"], discards="H9 H9 C4", laid=(0,))) == "add"


def test_cards_that_close_a_set_or_free_a_joker_are_laid_at_once() -> None:
    assert chosen(position("H8 D2 S5 CJ", "C9", melds=["C8 D8 S8"], laid=(0,))) == "add"
    assert chosen(position("H8 D2 S5 CJ", "C9", melds=["H7 JR H9"], laid=(0,))) == "add"


# ---- checks of every policy


def test_it_discards_no_joker_while_there_is_another_card() -> None:
    assert chosen(position("JB JR C2", "C9", laid=(0,))) in ("discard C2", "add")
    assert chosen(position("JB C2 D9 HK", "C9")) != "discard JB"


def test_reasons_speak_of_the_position() -> None:
    s = position("H8 H9 C2", "C9", melds=["H5 H6 H7"], laid=(0,))
    assert said_for(SHARP, GAME, s, SHARP.choose(s, [1])) == "everything can be laid now"
    s = position("C2", "C9", discards="H8", melds=["H5 H6 H7"], laid=(0,), drawn=False)
    assert said_for(SHARP, GAME, s, SHARP.choose(s, [1])) == "8♥ could be laid"


def strolled(seed: int, players: int, options: dict[str, object], own: int) -> Any:
    """The states of a match in which ``own`` of ten choices are the policy's and the others random, some of them with the policy's choice."""
    s, rng, at = plain.begin(GAME, players, options), [seeded(seed, 0)], 0
    while s.phase != OVER and at < 150:
        event = next_event(GAME, s, rng)
        if s.phase >= 0:
            at += 1
            if (rng[0] >> 7) % 10 < own:
                event = SHARP.choose(s, [1])
                yield s, event
            elif s.phase != TURN:
                yield s, SHARP.choose(s, [1])
        plain.step(GAME, s, event)


@settings(max_examples=8, deadline=None)
@given(data=st.data(), seed=SEEDS, own=st.sampled_from([0, 5, 10]))
def test_it_is_always_legal_has_a_reason_and_hidden_cards_do_not_matter(data: st.DataObject, seed: int, own: int) -> None:
    players, options = data.draw(set_ups(GAME))
    for at, (s, choice) in enumerate(strolled(seed, players, options, own)):
        assert GAME.legal(s) >> choice & 1
        assert said_for(SHARP, GAME, s, choice)
        if at % 6 == 0:
            other = redeal(view(GAME, s, s.turn), [seeded(seed, at)])
            assert SHARP.choose(other, [1]) == choice
            assert SHARP.reason(other, choice) == SHARP.reason(s, choice)
