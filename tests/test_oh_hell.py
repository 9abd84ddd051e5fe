"""Oh Hell of ``benchmarks/``: a game outside the package, in lockstep with OpenSpiel's, the same in both engines, with a house bot of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playing import next_event, play_the_same, walk
from positions import allowed, happens, refusal

from kortlek.bots.policy import PolicyBot
from kortlek.cards import say, size
from kortlek.engine import plain, redeal, views
from kortlek.engine.rng import pick, seeded
from kortlek.game import OVER

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))
from oh_hell import KINDS, OH_HELL, PLAY, PLAYED
from oh_hell_house import HOUSE

ALICE, BOB, CAROL = range(3)


def dealt(*hands: str, turned: str = "S8", dealer: int = CAROL) -> Any:
    """A round with these hands, by seat, and this card turned up."""
    s = plain.begin(OH_HELL, 3)
    happens(OH_HELL, s, " ".join(["lots", *(str((dealer + after) % 3) for after in range(3))]))
    rest = [OH_HELL.pack.names[card] for card in plain.to_shuffle(OH_HELL, s)]
    spare = [name for name in rest if name != turned and not any(name in hand.split() for hand in hands)]
    full = [hand.split() for hand in hands] + [[] for _ in range(3 - len(hands))]
    for hand in full:
        while len(hand) < 9:
            hand.append(spare.pop())
    happens(OH_HELL, s, " ".join(["deal", *(hand[at] for at in range(9) for hand in full), turned]))
    return s


def bid(s: Any, *bids: int) -> None:
    """Make the bids, given by seat."""
    for _ in range(3):
        happens(OH_HELL, s, f"bid {bids[s.turn]}")


def after_bids(*hands: str, bids: Sequence[int], turned: str = "S8", dealer: int = CAROL) -> Any:
    """The first lead."""
    s = dealt(*hands, turned=turned, dealer=dealer)
    bid(s, *bids)
    return s


def in_bidding_and_play(seeds: range) -> Any:
    """Every position of some random rounds in which a player chooses."""
    for seed in seeds:
        for s in walk(OH_HELL, 3, {}, seed):
            if s.phase >= 0:
                yield s


# ---- the rules


def test_28_cards_are_played_with_and_every_card_has_its_place() -> None:
    s = dealt()
    assert KINDS == 28 and [size(hand) for hand in s.hand[:3]] == [9, 9, 9] and say(s.turned) == "S8" and s.trump == 3
    assert size(PLAYED) == KINDS and s.rest == 0
    assert s.hand[0] | s.hand[1] | s.hand[2] | s.turned == PLAYED


def test_cards_are_dealt_from_the_first_seat_whoever_deals() -> None:
    for dealer in range(3):
        s = plain.begin(OH_HELL, 3)
        happens(OH_HELL, s, " ".join(["lots", *(str((dealer + after) % 3) for after in range(3))]))
        pack = plain.to_shuffle(OH_HELL, s)
        plain.step(OH_HELL, s, tuple(pack))
        assert [s.hand[seat] >> pack[seat] & 1 for seat in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("dealer", range(3))
def test_the_player_after_the_dealer_bids_first_and_leads(dealer: int) -> None:
    s = dealt(dealer=dealer)
    first = (dealer + 1) % 3
    assert s.turn == first
    bid(s, 1, 1, 1)
    assert (s.phase, s.turn) == (PLAY, first)


def test_the_dealer_may_not_make_the_bids_add_up_to_nine() -> None:
    s = dealt()
    happens(OH_HELL, s, "bid 4, bid 3")
    assert allowed(OH_HELL, s) == "0 1 3 4 5 6 7 8 9"
    assert refusal(OH_HELL, s, "bid 2").startswith("'bid 2' is not allowed, only ")


def test_the_dealer_may_bid_anything_when_the_others_bid_too_much() -> None:
    s = dealt()
    happens(OH_HELL, s, "bid 9, bid 1")
    assert allowed(OH_HELL, s) == "0 1 2 3 4 5 6 7 8 9"


@pytest.mark.parametrize(("turned", "winner"), [("S8", BOB), ("H8", ALICE), ("D8", CAROL)])
def test_the_highest_trump_takes_the_trick_or_else_the_highest_card_of_the_suit_led(turned: str, winner: int) -> None:
    hearts, spades, diamonds = (" ".join(suit + rank for rank in "2345678" if suit + rank != turned) for suit in "HSD")
    s = after_bids(hearts, spades, diamonds, bids=(0, 0, 0), turned=turned)
    happens(OH_HELL, s, "play H7, play S2, play D2")
    assert (s.turn, s.taken[:3]) == (winner, [int(seat == winner) for seat in range(3)])


def test_suit_must_be_followed() -> None:
    s = after_bids("H7", "H2 H8", bids=(0, 0, 0))
    happens(OH_HELL, s, "play H7")
    assert set(allowed(OH_HELL, s).split()) >= {"H2", "H8"} and all(name[0] == "H" for name in allowed(OH_HELL, s).split())
    assert "is not allowed" in refusal(OH_HELL, s, f"play {next(name for name in say(s.hand[BOB]).split() if name[0] != 'H')}")


def test_every_trick_is_a_point_and_a_kept_promise_earns_ten_more() -> None:
    kept = broken = 0
    for seed in range(60):
        *_, s = walk(OH_HELL, 3, {}, seed)
        assert s.phase == OVER and s.round == 1 and sum(s.taken[:3]) == 9
        for seat in range(3):
            exact = s.taken[seat] == s.bid[seat]
            assert s.score[seat] == s.taken[seat] + 10 * exact
            kept, broken = kept + exact, broken + (not exact)
    assert kept and broken


# ---- what follows from the rules: views, both engines


def test_a_redeal_looks_the_same_to_the_viewer() -> None:
    for step, s in enumerate(in_bidding_and_play(range(4))):
        for seat in range(3):
            seen = views.view(OH_HELL, s, seat)
            assert views.view(OH_HELL, redeal.redeal(seen, [seeded(1, step)]), seat) == seen


def test_both_engines_play_the_same() -> None:
    pytest.importorskip("numba")
    from test_engines import simulate_compiled, simulate_plain

    assert simulate_plain(OH_HELL, 3, {}, 5, 40) == simulate_compiled(OH_HELL, 3, {}, 5, 40)


def test_both_engines_grow_the_same_tree() -> None:
    pytest.importorskip("numba")
    from kortlek.bots.search import Searcher

    for step, s in enumerate(in_bidding_and_play(range(1))):
        if step % 6 == 0:
            seen = views.view(OH_HELL, s, s.turn)
            assert Searcher(OH_HELL, "plain", 300).think(seen, 40, step) == Searcher(OH_HELL, "compiled", 300).think(seen, 40, step)


# ---- its house


def test_the_house_chooses_something_legal_and_the_same_whatever_is_hidden() -> None:
    for step, s in enumerate(in_bidding_and_play(range(12))):
        chosen = HOUSE.choose(s, [1])
        assert OH_HELL.legal(s) >> chosen & 1
        other = redeal.redeal(views.view(OH_HELL, s, s.turn), [seeded(2, step)])
        assert HOUSE.choose(other, [1]) == chosen
        assert HOUSE.reason(other, chosen) == HOUSE.reason(s, chosen)


def test_the_house_plays_the_same_in_both_engines() -> None:
    pytest.importorskip("numba")
    play_the_same(OH_HELL, HOUSE)


def played(s: Any) -> str:
    """The card that the house policy plays."""
    return OH_HELL.pack.names[HOUSE.choose(s, [1])]


def test_who_needs_all_tricks_and_holds_the_top_trumps_leads_the_highest() -> None:
    assert played(after_bids("S7 S6 S5 H8 H7 H6 D8 D7 D6", bids=(9, 3, 3))) == "S7"


def test_the_last_to_play_takes_with_the_cheapest_card_that_wins() -> None:
    s = after_bids("H4", "H3 H2", "H5 H6 H8", bids=(0, 0, 3))
    happens(OH_HELL, s, "play H4, play H2")
    assert played(s) == "H5"


def test_who_needs_none_ducks_with_the_highest_card_that_does_not_win() -> None:
    s = after_bids("H6", "H8 H5 H2", bids=(1, 0, 3))
    happens(OH_HELL, s, "play H6")
    assert played(s) == "H5"


def test_who_needs_none_leads_what_most_others_can_beat() -> None:
    assert played(after_bids("H8 H7 H6 H5 D8 D7 C8 C7 C2", bids=(0, 4, 4))) == "C2"


def test_the_house_does_well_against_chance() -> None:
    """The margin over two random players was about five points a round with a standard deviation of eight: clearly significant in 80 rounds."""
    margin = 0.0
    for number in range(80):
        s, rng = plain.begin(OH_HELL, 3), [seeded(8, number)]
        while s.phase != OVER:
            if s.phase < 0:
                plain.step(OH_HELL, s, next_event(OH_HELL, s, rng))
            else:
                plain.step(OH_HELL, s, HOUSE.choose(s, rng) if s.turn == number % 3 else pick(OH_HELL.legal(s), rng))
        others = sum(s.score[:3]) - s.score[number % 3]
        margin += s.score[number % 3] - others / 2
    assert margin > 0


# ---- beside OpenSpiel


def test_a_difference_is_refused_loudly() -> None:
    pytest.importorskip("pyspiel")
    from oh_hell_match import OutOfStep, Table, deal_number

    table = Table(*deal_number(1, 6))
    table.ours.turn = (table.ours.turn + 1) % 3
    with pytest.raises(OutOfStep, match="The engines differ"):
        table.compare()


def test_a_match_is_played_from_every_seat_and_reported() -> None:
    pytest.importorskip("pyspiel")
    from oh_hell_match import ONE, TWO, Match, Theirs

    budgets = []

    def build(cpu_seconds: float, seed: int) -> PolicyBot:
        budgets.append(cpu_seconds)
        return PolicyBot(HOUSE, seed)

    match = Match(build, Theirs(simulations=3), [1.0, 0.1], seed=2)
    match.warm_up()
    match.play_deal(0)
    match.play_deal(1)
    assert all(budget > 0 for budget in budgets)
    for result in match.results:
        assert [len(result.margins[kind]) for kind in (ONE, TWO)] == [2, 2]
        assert (result.ours.made, result.theirs.made) == (18, 18)
        assert result.ours.spent.choices and result.theirs.spent.choices
    assert match.report().count("points per round (95 %:") == 6


def test_the_interval_is_around_the_mean() -> None:
    pytest.importorskip("pyspiel")
    from oh_hell_match import interval

    low, high = interval([0.0, 1.0] * 50)
    assert 0.38 < low < 0.5 < high < 0.62
    assert interval([2.0, 2.0]) == (2.0, 2.0)
