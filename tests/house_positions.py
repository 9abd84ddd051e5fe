"""Positions of exact-bid trick games for tests of policies, and the checks that every policy must pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from playing import next_event
from positions import cards

from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, PACK, RANKS_OF_A_SUIT, bit, cards_of
from kortlek.engine import plain
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded
from kortlek.engine.views import view
from kortlek.game import OVER, Game

SEEDS = st.integers(0, 1 << 61)


def to_play(
    game: Game[Any],
    hand: str,
    *trick: str,
    needs: int,
    others_need: Sequence[int] = (0, 0, 0),
    unseen: str = "",
    trump: str = "",
    lacks: dict[int, str] | None = None,
) -> Any:
    """A position of four players: the one with this hand is to play, after these cards of the trick, led by seat 0. She has not seen
    ``unseen``; all other cards are gone. ``others_need`` are the needs of the others by seat; ``lacks`` names a suit that a seat is known not
    to have."""
    s = plain.blank(game, 4)
    s.phase, s.turn, s.leader, s.hand_size = 1, 0, 0, RANKS_OF_A_SUIT
    s.trump = "CDHS".index(trump) if trump else NOTHING
    for seat, card in enumerate(trick):
        s.hand[seat] = cards(game, card)
    me = len(trick)
    s.hand[me], s.rest = cards(game, hand), cards(game, unseen)
    s.gone = bit(PACK) - 1 & ~(s.hand[me] | s.rest | cards(game, " ".join(trick)))
    wants = s.bid if hasattr(s, "bid") else s.bet
    wants[:4] = [*others_need[:me], needs, *others_need[me:]]
    for card in trick:
        game.rules.apply(s, game.pack.names.index(card))
    for seat, suit in (lacks or {}).items():
        s.known_absent[seat] |= cards_of("CDHS".index(suit))
    return s


def chosen(game: Game[Any], policy: Policy[Any], s: Any) -> str:
    """A policy's choice without its verb; checked to be legal and to have a reason."""
    choice = policy.choose(s, [1])
    assert game.legal(s) >> choice & 1
    assert policy.reason(s, choice)
    name: str = game.notation[s.phase][choice].split(" ", 1)[1]
    return name


def keeps_the_promises_of_a_policy(game: Game[Any], policy: Policy[Any], players: int, options: dict[str, object], seed: int) -> None:
    """Check in a match in which the policy makes about half of the choices: each is legal, reproducible, and independent of hidden cards."""
    s, rng = plain.begin(game, players, options), [seeded(seed, 0)]
    while s.phase != OVER:
        event = next_event(game, s, rng)
        if s.phase >= 0:
            choice = policy.choose(s, [1])
            assert game.legal(s) >> choice & 1
            seen = view(game, s, s.turn)
            for other in range(2):
                guess = redeal(seen, [seeded(seed, 1 + other)])
                assert policy.choose(guess, [1]) == choice
                assert policy.reason(guess, choice) == policy.reason(s, choice)
            event = choice if rng[0] & 64 else event
        plain.step(game, s, event)
