"""Spades, one test for each sentence of its rule book (src/kortlek/games/spades/rules.en.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

import pytest
from duels import duel_compiled, duel_plain, metrics_in_both_engines, simulated_in_both_engines
from positions import deal as deal_in_order
from positions import everybody, happens, refusal

from kortlek.bots.policy import random_policy
from kortlek.cards import FRENCH, NOTHING, card, cards_of, members, only, say, set_of, size, upto
from kortlek.engine import plain
from kortlek.engine.events import Step, events_of
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import pick, seeded, shuffle
from kortlek.engine.views import partners_of, view
from kortlek.game import DEAL, LOTS, OVER
from kortlek.game.registry import layout_of, metrics_of
from kortlek.games.spades.bots import HOUSE
from kortlek.games.spades.rules import ANYTHING, BID, BLIND, PLAY, SPADES, SPADES_GAME, Spades

LISA, STEPHEN, TOBY, RACHEL = range(4)
SUITS_APART = (
    "C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA",
    "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA",
    "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA",
    "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA",
)


def begin(**options: Any) -> Spades:
    """A match before its first deal."""
    return plain.begin(SPADES_GAME, 4, options)


def dealt(*hands: str, **options: Any) -> Spades:
    """A round with these hands by seat, filled up with other cards."""
    s = begin(**options)
    deal_in_order(SPADES_GAME, s, [*hands, "", "", "", ""][:4], first=(s.dealer + 1) % 4, size=13)
    return s


def cards(text: str) -> int:
    """The set of the cards in a text."""
    return set_of(card(name) for name in text.split())


def bids(s: Spades, *numbers: int) -> None:
    """Everyone bids, in turn."""
    for number in numbers:
        happens(SPADES_GAME, s, f"bid {number}")


def allowed(s: Spades) -> list[int]:
    """The numbers that the player in turn may bid."""
    return list(members(SPADES_GAME.legal(s)))


def near_the_end(
    hands: Sequence[str], bid: Sequence[int] = (3, 3, 3, 3), taken: Sequence[int] = (0, 0, 0, 0), leader: int = LISA, **options: Any
) -> Spades:
    """In the middle of a round: these cards are left, spades are not broken, with these bids and tricks taken."""
    s = begin(**options)
    s.phase, s.turn, s.leader, s.hand_size, s.trump = PLAY, leader, leader, 13, SPADES
    for seat, hand in enumerate(hands):
        s.hand[seat] = cards(hand)
    s.gone = ANYTHING & ~(s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3])
    s.bid[:], s.taken[:] = bid, taken
    return s


def play(s: Spades, text: str) -> None:
    """Play these cards, each by the player in turn."""
    for name in text.split():
        happens(SPADES_GAME, s, f"play {name}")


def scored(bid: Sequence[int], taken: Sequence[int], bags: int = 0, blind: Sequence[int] = (), **options: Any) -> Spades:
    """After a round with these bids and tricks by seat; each team had ``bags`` before."""
    winner = next(seat for seat in range(4) if taken[seat])
    names = ["C5", "C5", "C5", "C5"]
    for at, name in zip([seat for seat in range(4) if seat != winner], ("C2", "C3", "C4"), strict=True):
        names[at] = name
    before = [many - (seat == winner) for seat, many in enumerate(taken)]
    s = near_the_end(names, bid, before, **options)
    s.bags[:] = [bags] * 4
    for seat in blind:
        s.blind[seat] = 1
    play(s, " ".join(names))
    return s


# ---- players, pack, deal


def test_four_players_and_52_cards() -> None:
    assert SPADES_GAME.pack.names == FRENCH and list(SPADES_GAME.players) == [4]
    with pytest.raises(plain.Refused, match="Spades is for 4 players, not 5"):
        plain.begin(SPADES_GAME, 5)


def test_partners_sit_across_the_table() -> None:
    s = begin()
    assert [list(members(partners_of(SPADES_GAME, s, seat))) for seat in range(4)] == [[2], [3], [0], [1]]


def test_the_player_in_the_last_seat_deals_first_or_another_as_an_option() -> None:
    assert begin().dealer == RACHEL
    assert begin(first_dealer=STEPHEN).dealer == STEPHEN
    s = begin(first_dealer="random")
    assert s.phase == LOTS
    happens(SPADES_GAME, s, "lots 2 0 1 3")
    assert (s.dealer, s.phase) == (TOBY, DEAL)


def test_after_every_round_the_deal_moves_clockwise() -> None:
    s = scored([3, 3, 3, 3], [4, 3, 3, 3])
    assert (s.round, s.dealer, s.phase) == (1, LISA, DEAL)


def test_thirteen_cards_each_one_at_a_time_from_the_dealers_left() -> None:
    s = begin(first_dealer=STEPHEN)
    plain.step(SPADES_GAME, s, tuple(range(52)))
    assert [size(hand) for hand in s.hand] == [13] * 4 and s.hand[TOBY] == set_of(range(0, 52, 4))


# ---- bids


def test_the_player_at_the_dealers_left_bids_first_then_everybody_once() -> None:
    s = dealt(*SUITS_APART, first_dealer=STEPHEN)
    order = []
    for number in (1, 2, 3, 4):
        order.append(s.turn)
        bids(s, number)
    assert order == [TOBY, RACHEL, LISA, STEPHEN] and s.phase == PLAY and s.turn == TOBY
    assert view(SPADES_GAME, s, LISA).state.bid == [3, 4, 1, 2], "bids are open"


def test_any_number_from_0_to_13_and_partners_together_no_more_than_13() -> None:
    s = dealt(*SUITS_APART)
    assert allowed(s) == list(range(14))
    bids(s, 9)
    assert allowed(s) == list(range(14)), "the other team's bids do not count"
    bids(s, 13)
    assert allowed(s) == list(range(5))
    bids(s, 4)
    assert allowed(s) == [0]


def test_after_a_nil_the_partner_bids_what_she_likes() -> None:
    s = dealt(*SUITS_APART, least_together=4)
    bids(s, 0, 1)
    assert allowed(s) == list(range(14))


def test_as_an_option_partners_bid_at_least_so_many_unless_one_bids_nil() -> None:
    s = dealt(*SUITS_APART, least_together=4)
    bids(s, 1, 4)
    assert allowed(s) == [0, *range(3, 13)]
    bids(s, 3)
    assert allowed(s) == list(range(10))


# ---- play


def test_the_player_at_the_dealers_left_leads_and_the_winner_of_a_trick_leads_the_next() -> None:
    s = near_the_end(["C5 D5", "CT D6", "HA D7", "C9 D8"])
    play(s, "C5 CT HA C9")
    assert (s.turn, s.taken) == (STEPHEN, [0, 1, 0, 0])


def test_follow_suit_if_you_can() -> None:
    s = near_the_end(["C5 D5", "C6 S7", "H8 D7", "C9 D8"])
    play(s, "C5")
    assert say(SPADES_GAME.legal(s)) == "C6"
    play(s, "C6")
    assert say(SPADES_GAME.legal(s)) == "D7 H8"


def test_the_highest_spade_wins_the_trick() -> None:
    s = near_the_end(["CA D5", "S2 D6", "S9 D7", "CK D8"])
    play(s, "CA S2 S9 CK")
    assert s.turn == TOBY


def test_nobody_leads_a_spade_before_a_spade_has_been_played() -> None:
    s = near_the_end(["CA S5", "S2 D6", "S9 D7", "CK D8"])
    assert say(SPADES_GAME.legal(s)) == "CA" and "'play S5' is not allowed" in refusal(SPADES_GAME, s, "play S5")
    play(s, "CA S2 D7 CK")
    assert s.broken and s.turn == STEPHEN
    s = near_the_end(["CA S5 D2", "S2 D6 S3", "S9 D7 D3", "CK D8 D9"])
    play(s, "CA S2 S9 CK")
    assert say(SPADES_GAME.legal(s)) == "D3 D7", "she has no spade left"


def test_unless_she_has_nothing_but_spades_and_then_everybody_knows_it() -> None:
    s = near_the_end(["S4 S5", "S2 D6", "S9 D7", "CK D8"])
    play(s, "S4")
    assert s.broken and s.known_absent[LISA] == ANYTHING & ~cards_of(SPADES)


def test_as_an_option_spades_may_be_led_from_the_beginning() -> None:
    s = dealt(breaking="not_needed")
    assert s.broken
    bids(s, 1, 1, 1, 1)
    assert SPADES_GAME.legal(s) == s.hand[LISA]


# ---- scoring


def test_ten_points_for_each_trick_of_the_bid_and_one_for_each_bag() -> None:
    s = scored([3, 2, 4, 2], [5, 2, 4, 2])
    assert s.score == [72, 40, 72, 40] and s.bags == [2, 0, 2, 0]


def test_too_few_tricks_cost_ten_for_each_trick_of_the_bid() -> None:
    s = scored([3, 5, 4, 2], [4, 2, 3, 4])
    assert s.score == [70, -70, 70, -70] and s.bags == [0, 0, 0, 0]


def test_both_partners_have_the_score_of_their_team() -> None:
    s = scored([3, 5, 4, 2], [4, 2, 3, 4])
    assert s.points[LISA] == s.points[TOBY] == s.score[LISA] == s.score[TOBY]


def test_every_ten_bags_cost_a_hundred_points_and_they_are_counted_from_round_to_round() -> None:
    s = scored([3, 5, 3, 2], [4, 2, 4, 3], bags=8)
    assert s.score[LISA] == 60 + 2 - 100 and s.bags == [0, 8, 0, 8]
    s = scored([1, 5, 1, 2], [9, 1, 3, 0], bags=9)
    assert s.score[LISA] == 20 + 10 - 100 and s.bags[LISA] == 9


def test_as_options_other_penalties_for_bags() -> None:
    s = scored([3, 5, 3, 2], [4, 2, 4, 3], bags=3, bags_for_penalty=5, bag_penalty=50)
    assert s.score[LISA] == 62 - 50 and s.bags[LISA] == 0
    assert scored([3, 5, 3, 2], [4, 2, 4, 3], bags=8, bag_penalty=0).score[LISA] == 62


def test_a_nil_without_a_trick_earns_a_hundred_besides_the_partners_bid() -> None:
    assert scored([0, 5, 4, 2], [0, 5, 5, 3]).score == [141, 71, 141, 71]


def test_a_nil_with_a_trick_costs_a_hundred_and_its_tricks_are_bags() -> None:
    s = scored([0, 5, 4, 2], [2, 5, 4, 2])
    assert s.score[LISA] == -100 + 40 + 2 and s.bags[LISA] == 2
    s = scored([0, 5, 4, 2], [2, 5, 3, 3])
    assert s.score[LISA] == -100 - 40 + 2 and s.bags[LISA] == 2, "they do not help the partner"


def test_as_an_option_they_help_the_partners_bid() -> None:
    s = scored([0, 5, 4, 2], [2, 5, 3, 3], failed_nil="helps_partner")
    assert s.score[LISA] == -100 + 40 + 1 and s.bags[LISA] == 1


@pytest.mark.parametrize("failed_nil", ["makes_bags", "helps_partner"])
def test_if_both_partners_have_bid_nil_all_their_tricks_are_bags(failed_nil: str) -> None:
    s = scored([0, 5, 0, 2], [0, 5, 3, 5], failed_nil=failed_nil)
    assert s.score[LISA] == 100 - 100 + 3 and s.bags[LISA] == 3


def test_as_an_option_a_nil_is_worth_something_else() -> None:
    assert scored([0, 5, 4, 2], [0, 5, 4, 4], nil_points=50).score[LISA] == 90


# ---- blind nil


def behind(scores: Sequence[int], dealer: int = RACHEL, **options: Any) -> Spades:
    """After a round that left these scores."""
    s = near_the_end(["C2", "C3", "C4", "C5"], [3, 3, 3, 3], [3, 3, 3, 3], blind_nil="yes", **options)
    s.dealer = dealer
    s.score[:] = [points - (60 if seat % 2 == 0 else 61) for seat, points in enumerate(scores)]
    play(s, "C2 C3 C4 C5")
    assert s.score == list(scores)
    return s


def test_a_team_that_is_a_hundred_points_behind_is_asked_before_the_deal() -> None:
    s = behind([200, 100, 200, 100])
    assert (s.phase, s.turn) == (BLIND, STEPHEN), "Lisa deals, Stephen bids first"
    happens(SPADES_GAME, s, "look")
    assert (s.phase, s.turn) == (BLIND, RACHEL)
    happens(SPADES_GAME, s, "blind_nil")
    assert s.phase == DEAL and s.blind == [0, 0, 0, 1]


def test_first_the_partner_who_will_bid_first() -> None:
    s = behind([100, 200, 100, 200])
    assert s.turn == TOBY
    happens(SPADES_GAME, s, "look")
    assert s.turn == LISA


def test_otherwise_nobody_is_asked() -> None:
    assert behind([200, 101, 200, 101]).phase == DEAL
    assert scored([3, 5, 4, 2], [4, 2, 3, 4]).phase == DEAL, "nor without the option"


def test_who_has_bid_nil_without_looking_stays_with_it() -> None:
    s = behind([200, 100, 200, 100])
    happens(SPADES_GAME, s, "blind_nil", "look")
    plain.step(SPADES_GAME, s, tuple(range(52)))
    assert (s.phase, s.turn, allowed(s)) == (BID, STEPHEN, [0])


def test_a_blind_nil_counts_twice() -> None:
    s = scored([0, 5, 4, 2], [0, 5, 4, 4], blind=[LISA], blind_nil="yes")
    assert s.score[LISA] == 240 and s.blind == [0, 0, 0, 0]
    assert scored([0, 5, 4, 2], [1, 5, 4, 3], blind=[LISA], blind_nil="yes").score[LISA] == -200 + 40 + 1


# ---- the end


def ended(scores: Sequence[int], **options: Any) -> Spades:
    """After a round in which both teams have made a bid of six, the second with a trick more; these were the scores before."""
    s = near_the_end(["C2", "C3", "C4", "C5"], [3, 3, 3, 3], [3, 3, 3, 3], **options)
    s.score[:] = scores
    play(s, "C2 C3 C4 C5")
    return s


def test_the_match_is_over_when_a_team_has_500_points() -> None:
    assert ended([439, 0, 439, 0]).phase == DEAL
    s = ended([440, 0, 440, 0])
    assert s.phase == OVER and plain.winning_seats(SPADES_GAME, s) == [LISA, TOBY]


def test_or_has_fallen_to_200_below() -> None:
    assert ended([0, -260, 0, -260]).phase == DEAL
    s = ended([0, -261, 0, -261])
    assert s.phase == OVER and plain.winning_seats(SPADES_GAME, s) == [LISA, TOBY]


def test_the_team_with_more_points_wins() -> None:
    s = ended([450, 460, 450, 460])
    assert s.score == [510, 521, 510, 521] and plain.winning_seats(SPADES_GAME, s) == [STEPHEN, RACHEL]


def test_if_both_have_the_same_another_round_is_played() -> None:
    s = ended([451, 450, 451, 450])
    assert s.score == [511] * 4 and s.phase == DEAL


# ---- engines, and what is hidden


VARIANTS: list[dict[str, object]] = [
    {},
    {"failed_nil": "helps_partner", "blind_nil": "yes", "losing_score": -1000, "first_dealer": "random"},
    {"bags_for_penalty": 3, "bag_penalty": 50, "least_together": 4, "breaking": "not_needed", "nil_points": 50, "losing_score": -500},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_both_engines_play_the_same_matches(options: dict[str, object]) -> None:
    simulated_in_both_engines(SPADES_GAME, options, 12)


def test_both_engines_count_the_same() -> None:
    plain_counts, compiled_counts = metrics_in_both_engines(SPADES_GAME, HOUSE.choose, 6)
    assert plain_counts == compiled_counts
    by_name = dict(zip(metrics_of(SPADES_GAME).names, plain_counts, strict=True))
    rounds = by_name["tricks_bid"][1]
    assert rounds > 20 and by_name["nils"][1] == 4 * rounds and by_name["points"][1] == 2 * rounds
    assert by_name["bids_made"][0] > 0.6 * by_name["bids_made"][1] and by_name["nils_made"][1] == by_name["nils"][0] > 0


def anything(s: Spades, rng: list[int]) -> plain.Event:
    """A random card, a low random bid, or a random chance event."""
    if s.phase < 0:
        return plain.resolve_chance(SPADES_GAME, s, lambda pack, n: shuffle(pack, n, rng))
    legal = SPADES_GAME.legal(s)
    return pick(only(legal, upto(4)) if s.phase == BID else legal, rng)


def moments(options: dict[str, object], matches: int, every: int) -> Iterator[tuple[Spades, int]]:
    """Some states of matches with low bids and random play, numbered."""
    number = 0
    for match in range(matches):
        rng, s = [seeded(23, match)], begin(**options)
        while s.phase != OVER and s.round < 4:
            plain.step(SPADES_GAME, s, anything(s, rng))
            number += 1
            if s.phase >= 0 and number % every == 0:
                yield s, number


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_redeal_looks_the_same(options: dict[str, object]) -> None:
    looked = 0
    for s, number in moments(options, 4, 7):
        for seat in everybody(s):
            seen = view(SPADES_GAME, s, seat)
            guess = redeal(seen, [seeded(2, number)])
            assert view(SPADES_GAME, guess, seat) == seen
            assert all(guess.hand[holder] & s.known_absent[holder] == 0 for holder in range(4))
            looked += 1
    assert looked > 100


def test_a_partner_does_not_see_your_cards() -> None:
    s = dealt(*SUITS_APART)
    seen = view(SPADES_GAME, s, TOBY)
    assert seen.state.hand == [0, 0, cards(SUITS_APART[TOBY]), 0] and list(members(seen.partners)) == [LISA]


def test_what_a_seat_cannot_see_changes_nothing_for_her() -> None:
    """The other three have other cards, bid the same and play the same: Lisa sees and hears the same."""
    worlds = []
    for toby, rachel in (("H2 S5 S6", "H3 S7 S8"), ("H2 S7 S8", "H3 S5 S6")):
        s = dealt("C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA", "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA", toby, rachel)
        seen: list[object] = []
        for text in ("bid 1", "bid 2", "bid 3", "bid 4", "play C2", "play D2", "play H2", "play H3"):
            before, event = plain.copy_of(s), plain.read(SPADES_GAME, s, text)
            plain.step(SPADES_GAME, s, event)
            seen += [view(SPADES_GAME, s, LISA), events_of(SPADES_GAME, [Step(before, event, plain.copy_of(s))], LISA)]
        worlds.append(seen)
    assert worlds[0] == worlds[1]


# ---- the house


def choice_of_house(s: Spades) -> str:
    """The choice of the house policy, in notation; checked to be the same in a redealt state, so that it does not peek."""
    choice = HOUSE.choose(s, [1])
    assert choice == HOUSE.choose(redeal(view(SPADES_GAME, s, s.turn), [seeded(4, 0)]), [1])
    return plain.write_choice(SPADES_GAME, s, choice)


def bid_of_house(hand: str) -> int:
    """The first bid of the house policy with a hand."""
    return int(choice_of_house(dealt(hand)).split()[1])


def test_the_house_bids_its_high_spades_and_aces() -> None:
    assert bid_of_house("C4 C5 C6 D4 D5 DA H4 H5 HA S2 SQ SK SA") in (5, 6)
    assert bid_of_house("C4 C5 C6 C7 D4 D9 DT DQ H4 HT HJ S2 SA") in (1, 2)


def test_the_house_bids_nil_with_nothing_and_not_with_the_ace_of_spades() -> None:
    assert bid_of_house("C2 C3 C4 C5 D2 D3 D4 D5 H2 H3 H4 H5 S2") == 0
    assert bid_of_house("C2 C3 C4 C5 D2 D3 D4 D5 H2 H3 H4 H5 SA") > 0


def test_the_house_does_not_bid_nil_after_its_partner_has() -> None:
    s = dealt("", "", "C2 C3 C4 C5 D2 D3 D4 D5 H2 H3 H4 H5 S2")
    bids(s, 0, 3)
    assert choice_of_house(s) == "bid 1"


def test_the_house_looks_at_its_cards() -> None:
    assert choice_of_house(behind([200, 100, 200, 100])) == "look"


def test_with_a_nil_the_house_plays_the_highest_card_that_loses() -> None:
    s = near_the_end(["D9 C2 C3", "D4 D8 DQ", "DT C4 C5", "D2 C6 C7"], bid=[3, 0, 3, 3])
    play(s, "D9")
    assert choice_of_house(s) == "play D8"


def test_the_house_covers_its_partners_nil() -> None:
    s = near_the_end(["D9 C2 C3", "D4 C8 C9", "D2 DA C4", "D3 C6 C7"], bid=[0, 3, 3, 3])
    play(s, "D9 D4")
    assert choice_of_house(s) == "play DA"


def test_the_house_leaves_a_trick_to_its_partner() -> None:
    s = near_the_end(["DA C2 C3", "D4 C8 C9", "D2 DK C4", "D3 C6 C7"])
    play(s, "DA D4")
    assert choice_of_house(s) == "play D2"


def test_the_last_player_takes_a_trick_that_the_team_needs_as_cheaply_as_she_can() -> None:
    s = near_the_end(["DT C2 C3", "D4 C8 C9", "D3 C4 C5", "D2 DJ DA"])
    play(s, "DT D4 D3")
    assert choice_of_house(s) == "play DJ"
    s = near_the_end(["DT C2 C3", "D4 C8 C9", "D3 C4 C5", "S2 SA C7"])
    play(s, "DT D4 D3")
    assert choice_of_house(s) == "play S2"


def test_the_house_takes_no_bags() -> None:
    s = near_the_end(["DT C2 C3", "D4 C8 C9", "D3 C4 C5", "D2 D9 DA"], bid=[2, 2, 2, 2], taken=[2, 3, 3, 2])
    play(s, "DT D4 D3")
    assert choice_of_house(s) == "play D9"


def test_the_house_takes_tricks_that_the_other_team_needs() -> None:
    s = near_the_end(["DT C2 C3", "D4 C8 C9", "D3 C4 C5", "D2 D9 DA"], bid=[4, 2, 4, 2], taken=[2, 3, 3, 2])
    play(s, "DT D4 D3")
    assert choice_of_house(s) == "play DA"


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_house_plays_by_the_rules_and_wins_against_chance(options: dict[str, object]) -> None:
    chance = random_policy(SPADES_GAME).choose
    played = duel_compiled(SPADES_GAME, HOUSE.choose, chance, 0b1010, 200, options=options)
    assert played.wrong == 0
    assert (played.facts[:, 0] == 0b0101).mean() > 0.9
    again = duel_plain(SPADES_GAME, HOUSE.choose, chance, 0b1010, 3, options=options)
    assert again.scores.tolist() == played.scores[:3].tolist()


def file_of_game(name: str) -> str:
    """A file of the folder of the game."""
    return (files("kortlek") / "games" / "spades" / name).read_text(encoding="utf-8")


def test_the_house_sees_only_its_own_cards_and_says_why() -> None:
    said = set()
    for s, number in moments({}, 4, 3):
        guess = redeal(view(SPADES_GAME, s, s.turn), [seeded(5, number)])
        assert HOUSE.choose(s, [1]) == HOUSE.choose(guess, [1])
        for each in members(SPADES_GAME.legal(s)):
            assert HOUSE.reason(s, each) == HOUSE.reason(guess, each)
            said.add(HOUSE.reason(s, each).id)
    words = (file_of_game("words.en.ftl"), file_of_game("words.sv.ftl"))
    for id in said - {"reason-only-card", "reason-only-bid"}:
        assert all(f"\n{id} = " in text for text in words), id
    assert len(said) > 8


def test_why_a_choice_is_not_allowed() -> None:
    why_not = layout_of(SPADES_GAME).why_not
    assert why_not is not None
    s = dealt(*SUITS_APART, least_together=4)
    bids(s, 9, 3)
    assert why_not(s, 5) == ("refuse-together", {"whom": LISA, "count": 9, "least": 4, "most": 13})
    s = near_the_end(["CA S5", "C2 D6", "S9 D7", "CK D8"])
    assert why_not(s, card("S5")).id == "refuse-not-broken" and why_not(s, card("C2")).id == "refuse-not-held"
    play(s, "CA")
    assert why_not(s, card("D6")) == ("refuse-follow", {"cards": [card("C2")]})


def test_the_table_in_text_tells_of_both_teams() -> None:
    text = layout_of(SPADES_GAME).lines
    s = near_the_end(["CA S5", "C2 D6", "S9 D7", "CK D8"], [0, 3, 4, 2], [0, 5, 3, 3])
    ids = [message.id for message in text(s)]
    assert ids == ["table-round", "table-bids", "table-team", "table-team", "table-nils", "table-not-broken", "table-no-trick"]
    assert text(s)[2].args == {"seats": [0, 2], "bid": 4, "taken": 3, "bags": 0}
    assert s.table == [NOTHING] * 4
