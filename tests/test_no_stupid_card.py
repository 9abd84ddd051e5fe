"""No obviously stupid card: what people complain about in other programs' bots, for every level that should know better.

1. Who needs all remaining tricks and holds the top cards leads the highest. 2. Who needs one of the last two, holds the boss and a
loser and is void throws the loser. 3. The forbidden bid is no reason to bid below the sure tricks. 4. Last to play, of several cards
that win the cheapest. 5. Bid made: duck if possible. 6. Thinking takes no longer because a decision is interesting: a budget is the
same for every choice (``test_bots``), and what is forced is not thought about. In Rummy and Cascade the like: finish when you can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from positions import cards

from kortlek.bots import CLUB, EXPERT, HOUSE
from kortlek.bots.levels import house_of, config_of
from kortlek.bots.monte_carlo import Budget, MonteCarlo, MonteCarloBot
from kortlek.bots.policy import PolicyBot
from kortlek.cards import NOTHING, bit, cards_of, members
from kortlek.engine import plain
from kortlek.engine.views import view
from kortlek.game import Game, next_seat
from kortlek.game.registry import GAMES

EVERY_LEVEL = pytest.mark.parametrize("level", [HOUSE, CLUB, EXPERT])
PLUMP, UP_AND_DOWN, SCISSORS = (GAMES[name] for name in ("plump", "up_and_down", "trick_paper_scissors"))
EXACT_BIDS = pytest.mark.parametrize("game", [PLUMP, UP_AND_DOWN], ids=lambda game: game.name)


def chosen(game: Game[Any], level: str, s: Any) -> str:
    """The choice of a level, without its verb."""
    seen = view(game, s, s.turn)
    bot = PolicyBot(house_of(game), 1) if level == HOUSE else MonteCarloBot(MonteCarlo(game, config_of(game, level), "plain"), Budget(4000), 1)
    name: str = game.notation[s.phase][bot.choose(seen)]
    return name.split(" ", 1)[-1]


def to_play(game: Game[Any], hand: str, *trick: str, unseen: str, needs: int = 0, others_need: int = 0, trump: str = "") -> Any:
    """A position of four players: the one with this hand is to play, after these cards of the trick, led by seat 0. The others hold as many of
    the unseen cards as they have to play; the remaining unseen cards are not dealt, and all other cards are gone."""
    s = plain.blank(game, 4)
    me, names = len(trick), game.pack.names
    s.phase, s.leader, s.turn, s.dealer = game.choices.index(next(kind for kind in game.choices if kind.name == "play")), 0, 0, 3
    s.hand_size = len(hand.split())
    for seat, card in enumerate(trick):
        s.hand[seat] = cards(game, card)
    s.hand[me] = cards(game, hand)
    left = unseen.split()
    for seat in range(4):
        if seat != me:
            for card in left[: s.hand_size - (seat < me)]:
                s.hand[seat] |= bit(names.index(card))
            left = left[s.hand_size - (seat < me) :]
    s.rest = cards(game, " ".join(left))
    known = cards(game, " ".join([hand, unseen, *trick]))
    promised: list[int] = getattr(s, "bid", getattr(s, "bet", []))
    promised[:4] = [needs if seat == me else others_need for seat in range(4)] if promised else []
    if trump:
        s.trump = "CDHS".index(trump)
    s.gone = bit(len(names)) - 1 & ~known
    if hasattr(s, "mesa"):
        s.mesa = s.gone & cards_of(s.trump) if s.trump != NOTHING else 0
        s.gone &= ~s.mesa
    for card in trick:
        game.rules.apply(s, names.index(card))
    assert s.turn == me
    return s


@EVERY_LEVEL
@EXACT_BIDS
def test_who_needs_all_remaining_tricks_and_holds_the_top_cards_leads_the_highest(game: Game[Any], level: str) -> None:
    s = to_play(game, "SA SQ", needs=2, unseen="SK S2 H3 H4 D5 D6 D7", trump="S" if game is UP_AND_DOWN else "")
    assert chosen(game, level, s) == "SA"


@EVERY_LEVEL
@EXACT_BIDS
def test_who_needs_one_of_the_last_two_and_is_void_throws_the_loser_and_wins_the_last(game: Game[Any], level: str) -> None:
    s = to_play(game, "DA H2", "CT", needs=1, unseen="D4 D5 H3 H9 DK C7", others_need=1)
    assert chosen(game, level, s) == "H2"


@EVERY_LEVEL
def test_the_hook_is_no_reason_to_bid_below_the_sure_ticks(level: str) -> None:
    s = to_play(PLUMP, "CA DA HA SA C6 D6", unseen="C2 C3 C4 C5 D2 D3 C7 C8 C9 CT D7 D8 H2 H3 H4 H5 H6 H7 S2 S3")
    s.phase, s.dealer, s.turn, s.leader = 0, 0, 0, 1
    s.bid[:4] = [NOTHING, 0, 2, 0]
    assert not PLUMP.legal(s) >> 4 & 1
    assert int(chosen(PLUMP, level, s)) > 4


@EVERY_LEVEL
@EXACT_BIDS
def test_last_to_play_of_several_cards_that_win_the_cheapest(game: Game[Any], level: str) -> None:
    s = to_play(game, "CJ CQ CA", "CT", "C4", "C8", needs=3, unseen="CK C5 D4 D5 H7 H8 D9")
    assert chosen(game, level, s) == "CJ"


@EVERY_LEVEL
@EXACT_BIDS
@pytest.mark.parametrize("trick", [("CT",), ("CT", "C4"), ("CT", "C4", "C8")], ids=len)
def test_with_the_bid_already_made_it_ducks(game: Game[Any], level: str, trick: Sequence[str]) -> None:
    s = to_play(game, "C3 CJ", *trick, needs=0, unseen="C5 C6 D4 D5 H7 H8", others_need=1)
    assert chosen(game, level, s) == "C3"


@EVERY_LEVEL
def test_a_trick_that_counts_less_than_nothing_is_ducked(level: str) -> None:
    s = to_play(SCISSORS, "R3 R12", "R9", "R8", "R10", unseen="P1 P2 P3 S1 S2")
    s.value[0] = -1
    assert chosen(SCISSORS, level, s) == "R3"


@EVERY_LEVEL
def test_last_to_play_a_trick_worth_taking_is_taken_with_the_cheapest_card(level: str) -> None:
    s = to_play(SCISSORS, "R11 R12 R13", "R9", "R10", "R8", unseen="P1 P2 P3 S1 S2 S3 R4")
    assert chosen(SCISSORS, level, s) == "R11"


def test_what_is_forced_is_not_thought_about() -> None:
    s = to_play(PLUMP, "C3", "CT", needs=0, unseen="C5 C6")
    bot = MonteCarloBot(MonteCarlo(PLUMP, config_of(PLUMP, CLUB), "plain"), Budget(4000), 1)
    assert [thought.worlds for thought in bot.thoughts(view(PLUMP, s, s.turn))] == [0]
    assert next_seat(s, 0) == 1 and list(members(PLUMP.legal(s))) == [PLUMP.pack.names.index("C3")]
