"""Hearts, one test for each sentence of its rule book (src/kortlek/games/hearts/rules.en.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import permutations
from typing import Any

import pytest
from duels import duel_compiled, duel_plain, metrics_in_both_engines, simulated_in_both_engines
from positions import deal as deal_in_order
from positions import everybody, happens, refusal

from kortlek.bots.policy import random_policy
from kortlek.cards import FRENCH, NOTHING, bit, card, members, say, set_of, size
from kortlek.engine import plain
from kortlek.engine.events import Event, Step, events_of, is_act_over
from kortlek.engine.redeal import prepare, redeal
from kortlek.engine.redeal_plan import deal_out, lay_out
from kortlek.engine.rng import pick, seeded, shuffle
from kortlek.engine.views import ONLOOKER, View, view
from kortlek.game import DEAL, OVER
from kortlek.game.registry import GAMES, layout_of, metrics_of
from kortlek.games.hearts.bots import HOUSE
from kortlek.games.hearts.rules import ANYTHING, HEARTS, HEARTS_GAME, MOON, PASS, PLAY, POINTS, Hearts

LISA, STEPHEN, TOBY, RACHEL = range(4)
OTHER_HANDS = (
    "C2 C3 C4 C5 C6 C7 C8 D2 D3 D4 D5 D6 D7",
    "C9 CT CJ CQ CK CA D8 D9 DT DJ DQ DK DA",
    "H2 H3 H4 H5 H6 H7 H8 S2 S3 S4 S5 S6 S7",
    "H9 HT HJ HQ HK HA S8 S9 ST SJ SQ SK SA",
)
"""Each has only two suits."""


def begin(**options: object) -> Hearts:
    """A match before its first deal."""
    return plain.begin(HEARTS_GAME, 4, options)


def deal(s: Hearts, *hands: str) -> None:
    """Deal these hands, by seat, filled up with other cards."""
    deal_in_order(HEARTS_GAME, s, [*hands, "", "", ""][:4], first=(s.dealer + 1) % 4, size=13)


def dealt(*hands: str, **options: object) -> Hearts:
    """A round without passing, with these hands by seat."""
    s = begin(pass_order="never", **options)
    deal(s, *hands)
    return s


def cards(text: str) -> int:
    """The set of the cards in a text."""
    return set_of(card(name) for name in text.split())


def allowed(s: Hearts) -> str:
    """The cards that the player in turn may choose."""
    return say(HEARTS_GAME.legal(s))


def passes(s: Hearts, *three: str) -> None:
    """Everyone passes, seat by seat."""
    for each in three:
        for name in each.split():
            happens(HEARTS_GAME, s, f"pass {name}")


def near_the_end(hands: Sequence[str], leader: int = LISA, penalty: Sequence[int] = (0, 0, 0, 0), **options: Any) -> Hearts:
    """In the middle of a round: these cards are left, hearts are not broken, and these points were taken."""
    s = begin(pass_order="never", **options)
    s.phase, s.turn, s.leader, s.hand_size = PLAY, leader, leader, 13
    for seat, hand in enumerate(hands):
        s.hand[seat] = cards(hand)
    s.gone = ANYTHING & ~(s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3])
    s.penalty[:] = penalty
    return s


def play(s: Hearts, text: str) -> None:
    """Play these cards, each by the player in turn."""
    for name in text.split():
        happens(HEARTS_GAME, s, f"play {name}")


# ---- players, pack, deal


def test_four_players() -> None:
    assert begin().players == 4
    for players in (3, 5):
        with pytest.raises(plain.Refused, match=f"Hearts is for 4 players, not {players}"):
            plain.begin(HEARTS_GAME, players)


def test_it_is_played_with_52_cards() -> None:
    assert HEARTS_GAME.pack.names == FRENCH and sorted(plain.to_shuffle(HEARTS_GAME, begin())) == list(range(52))


def test_the_player_in_the_last_seat_deals_first_then_the_deal_moves_clockwise() -> None:
    s = begin(target=1000)
    dealers = []
    for number in range(5):
        dealers.append(s.dealer)
        random_round(s, number)
    assert dealers == [3, 0, 1, 2, 3]


def random_round(s: Hearts, number: int) -> None:
    """Play a round with random choices."""
    rng, present = [seeded(11, number)], s.round
    while s.round == present:
        plain.step(HEARTS_GAME, s, anything(s, rng))


def anything(s: Hearts, rng: list[int]) -> plain.Event:
    """A random legal choice, or a random chance event."""
    return pick(HEARTS_GAME.legal(s), rng) if s.phase >= 0 else plain.resolve_chance(HEARTS_GAME, s, lambda pack, n: shuffle(pack, n, rng))


def test_thirteen_cards_each_one_at_a_time_from_the_dealers_left() -> None:
    s = begin()
    s.dealer = STEPHEN
    plain.step(HEARTS_GAME, s, tuple(range(52)))
    assert [size(hand) for hand in s.hand] == [13] * 4
    assert s.hand[TOBY] == set_of(range(0, 52, 4)) and s.hand[STEPHEN] == set_of(range(3, 52, 4))


# ---- passing


@pytest.mark.parametrize(
    ("order", "away"),
    [
        ("left_right_across_hold", [1, 3, 2, 0, 1, 3, 2, 0]),
        ("left_right_across", [1, 3, 2, 1, 3, 2, 1, 3]),
        ("left", [1] * 8),
        ("never", [0] * 8),
    ],
)
def test_cards_go_left_then_right_then_across_then_nowhere(order: str, away: list[int]) -> None:
    s = begin(pass_order=order)
    for number, seats in enumerate(away):
        s.round, s.phase = number, DEAL
        plain.step(HEARTS_GAME, s, tuple(range(52)))
        assert s.away == seats and s.phase == (PASS if seats else PLAY)
        if seats:
            before = list(s.hand)
            given = [say(set_of(list(members(hand))[:3])) for hand in before]
            passes(s, *given)
            for seat in range(4):
                assert s.hand[seat] == before[seat] & ~cards(given[seat]) | cards(given[(seat - seats) % 4])


def test_everybody_lays_three_cards_aside() -> None:
    s = begin()
    deal(s, *OTHER_HANDS)
    assert allowed(s) == OTHER_HANDS[0]
    happens(HEARTS_GAME, s, "pass C2, pass C3")
    assert allowed(s) == OTHER_HANDS[0].removeprefix("C2 C3 ") and s.turn == LISA
    happens(HEARTS_GAME, s, "pass D7")
    assert s.turn == STEPHEN and allowed(s) == OTHER_HANDS[1]


def test_the_cards_change_hands_when_all_have_chosen_so_nobody_passes_on_what_was_passed_to_her() -> None:
    s = begin()
    deal(s, *OTHER_HANDS)
    passes(s, "C2 C3 C4", "D8 D9 DT", "S2 S3 S4")
    assert [say(hand) for hand in s.hand] == list(OTHER_HANDS), "nothing has moved yet"
    assert allowed(s) == OTHER_HANDS[RACHEL], "what Toby passes to her is not there"
    passes(s, "HA SQ SK")
    assert say(s.hand[LISA]) == "C5 C6 C7 C8 D2 D3 D4 D5 D6 D7 HA SQ SK"
    assert say(s.hand[RACHEL]) == "H9 HT HJ HQ HK S2 S3 S4 S8 S9 ST SJ SA"


def told(s: Hearts, texts: Sequence[str], viewer: int) -> list[Event]:
    """What a viewer is told of these choices as one act."""
    act = []
    for text in texts:
        before, event = plain.copy_of(s), plain.read(HEARTS_GAME, s, text)
        plain.step(HEARTS_GAME, s, event)
        act.append(Step(before, event, plain.copy_of(s)))
    assert [is_act_over(HEARTS_GAME, step) for step in act] == [False] * (len(act) - 1) + [True]
    return events_of(HEARTS_GAME, act, viewer)


PASSES = ["pass C2", "pass C3", "pass C4", "pass D8", "pass D9", "pass DT", "pass S2", "pass S3", "pass S4", "pass HA", "pass SQ", "pass SK"]


def test_nobody_else_is_told_which_cards_were_passed() -> None:
    for viewer in (LISA, STEPHEN, TOBY, RACHEL, ONLOOKER):
        s = begin()
        deal(s, *OTHER_HANDS)
        events = told(s, PASSES, viewer)
        chosen = [event for event in events if event.kind == "pass"]
        assert [event.seat for event in chosen] == [0, 1, 2, 3]
        for event in chosen:
            own = {"cards": list(members(cards(" ".join(text[5:] for text in PASSES[3 * viewer : 3 * viewer + 3]))))}
            assert event.args == (own if event.seat == viewer else {"count": 3})
        giver = (viewer - 1) % 4
        got = [Event("gets", viewer, {"cards": sorted(card(text[5:]) for text in PASSES[3 * giver : 3 * giver + 3])})] if viewer >= 0 else []
        assert [event for event in events if event.kind != "pass"] == got


def test_while_they_choose_it_looks_as_if_nobody_else_had() -> None:
    s = begin()
    deal(s, *OTHER_HANDS)
    before = {seat: view(HEARTS_GAME, s, seat) for seat in everybody(s)}
    for text in PASSES[:9]:
        happens(HEARTS_GAME, s, text)
    assert view(HEARTS_GAME, s, RACHEL) == before[RACHEL] and view(HEARTS_GAME, s, ONLOOKER) == before[ONLOOKER]
    assert view(HEARTS_GAME, s, LISA).state.passing == [cards("C2 C3 C4"), 0, 0, 0]
    assert view(HEARTS_GAME, s, RACHEL).legal == cards(OTHER_HANDS[RACHEL])


def test_you_remember_what_you_gave_until_it_is_played() -> None:
    s = begin()
    deal(s, *OTHER_HANDS)
    happens(HEARTS_GAME, s, *PASSES)
    assert view(HEARTS_GAME, s, LISA).state.passed_to[LISA] == [0, cards("C2 C3 C4"), 0, 0]
    assert view(HEARTS_GAME, s, TOBY).state.passed_to == [[0] * 4, [0] * 4, [0, 0, 0, cards("S2 S3 S4")], [0] * 4]
    play(s, "C2")
    assert s.passed_to[LISA] == [0, cards("C3 C4"), 0, 0]


# ---- the play


def test_who_has_the_two_of_clubs_after_the_passing_leads_it() -> None:
    s = begin()
    deal(s, *OTHER_HANDS)
    happens(HEARTS_GAME, s, *PASSES)
    assert (s.phase, s.turn, allowed(s)) == (PLAY, STEPHEN, "C2")
    assert "'play C3' is not allowed" in refusal(HEARTS_GAME, s, "play C3")
    play(s, "C2")
    assert s.known_present == [0] * 4


def test_everybody_knows_then_who_has_it() -> None:
    s = dealt(*OTHER_HANDS)
    for seat in (STEPHEN, TOBY, RACHEL, ONLOOKER):
        for number in range(20):
            assert redeal(view(HEARTS_GAME, s, seat), [seeded(1, number)]).hand[LISA] & bit(card("C2"))


def test_as_an_option_any_of_her_clubs() -> None:
    s = dealt(*OTHER_HANDS, lead_any_club="yes")
    assert (s.turn, allowed(s)) == (LISA, "C2 C3 C4 C5 C6 C7 C8")
    play(s, "C5")
    assert s.known_present[LISA] == bit(card("C2")), "everybody knows that she still has the two"


def test_follow_suit_if_you_can_otherwise_play_any_card() -> None:
    s = near_the_end(["C5 D5", "C6 SQ", "H2 D7", "CA CK"])
    play(s, "C5")
    assert allowed(s) == "C6"
    play(s, "C6")
    assert allowed(s) == "D7 H2"


def test_the_highest_card_of_the_suit_led_wins_the_trick_and_its_player_leads() -> None:
    s = near_the_end(["C5 D5", "CT SQ", "HA D7", "C9 CK"])
    play(s, "C5 CT HA C9")
    assert (s.turn, s.leader, s.taken) == (STEPHEN, STEPHEN, [0, 1, 0, 0])


def test_no_points_in_the_first_trick_unless_you_have_nothing_else() -> None:
    s = dealt("C2 C3", "D2 H2 SQ", "H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA SA", "S2")
    play(s, "C2")
    assert s.turn == STEPHEN and not HEARTS_GAME.legal(s) & POINTS
    play(s, "D2")
    assert allowed(s) == "SA"


def test_with_nothing_but_points_any_of_them() -> None:
    s = dealt("C2", "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK SQ")
    play(s, "C2")
    assert allowed(s) == "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK SQ"
    play(s, "SQ")
    assert s.known_absent[STEPHEN] == ANYTHING & ~POINTS | cards("C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA"), "everybody knows it"


def test_as_an_option_points_in_the_first_trick() -> None:
    s = dealt("C2 C3", "D2 H2 SQ", "C4", "C5", points_in_first_trick="yes")
    play(s, "C2")
    assert cards("H2 SQ") & ~HEARTS_GAME.legal(s) == 0


def test_hearts_are_not_led_before_they_are_broken() -> None:
    s = near_the_end(["C5 H5 SQ", "C6 H6 H7", "C7 D7 H8", "C8 CK H9"])
    assert allowed(s) == "C5 SQ"
    assert "'play H5' is not allowed" in refusal(HEARTS_GAME, s, "play H5")


def test_unless_she_has_nothing_but_hearts_and_then_everybody_knows_it() -> None:
    s = near_the_end(["H5 H4", "C6 H6", "C7 D7", "C8 CK"])
    assert allowed(s) == "H4 H5"
    play(s, "H4")
    assert s.known_absent[LISA] == ANYTHING & ~HEARTS


def test_any_heart_that_is_played_breaks_them() -> None:
    s = near_the_end(["C5 H5", "H6 H7", "C7 D7", "C8 CK"])
    play(s, "C5")
    assert not s.broken
    play(s, "H6")
    assert s.broken
    play(s, "C7 C8")
    assert s.turn == RACHEL


@pytest.mark.parametrize(("breaking", "broken"), [("by_a_heart", 0), ("by_a_heart_or_the_queen", 1)])
def test_the_queen_of_spades_does_not_break_hearts_but_as_an_option(breaking: str, broken: int) -> None:
    s = near_the_end(["S5 H5", "SQ H7", "S7 D7", "SK HK"], breaking=breaking)
    play(s, "S5 SQ S7 SK")
    assert s.broken == broken
    s = near_the_end(["S5 H5", "SQ H7", "S7 D7", "SK HK CK"], breaking=breaking)
    play(s, "S5 SQ S7 SK")
    assert allowed(s) == ("CK HK" if broken else "CK")


def test_as_an_option_hearts_may_be_led_from_the_beginning() -> None:
    s = dealt(*OTHER_HANDS, breaking="not_needed")
    assert s.broken
    s = near_the_end(["C5 H5", "C6 H7", "C7 D7", "C8 CK"], breaking="not_needed")
    s.broken = 1
    assert allowed(s) == "C5 H5"


@pytest.mark.parametrize(("option", "cards_allowed"), [("no", "SQ"), ("yes", "H5 H6 SQ")])
def test_who_has_only_hearts_and_the_queen_of_spades_leads_the_queen_but_as_an_option(option: str, cards_allowed: str) -> None:
    s = near_the_end(["H5 H6 SQ", "C6 C7 C8", "C9 CT CJ", "D2 D3 D4"], hearts_instead_of_queen=option)
    assert allowed(s) == cards_allowed
    if option == "yes":
        play(s, "H5")
        assert s.known_absent[LISA] == ANYTHING & ~POINTS


def test_the_round_ends_when_all_cards_have_been_played() -> None:
    s = near_the_end(["C5", "C6", "C7", "C8"])
    play(s, "C5 C6 C7")
    assert s.round == 0
    play(s, "C8")
    assert (s.round, s.phase) == (1, DEAL)


# ---- scoring


def last_trick(penalty: Sequence[int], hands: str = "H5 H6 H7 H8", taken: Sequence[int] = (1, 1, 1, 1), **options: Any) -> Hearts:
    """The last trick is played by Lisa and then the others; before it these points and tricks were taken."""
    s = near_the_end(hands.split(), penalty=penalty, **options)
    s.taken[:] = taken
    play(s, hands)
    return s


def test_every_heart_counts_one_and_the_queen_of_spades_thirteen() -> None:
    s = last_trick([16, 5, 0, 0], "C5 C6 H7 CK")
    assert s.points == s.score == [16, 5, 0, 1]
    s = last_trick([0, 9, 4, 0], "S5 SA SQ S8")
    assert s.score == [0, 22, 4, 0]


def test_who_has_taken_all_26_gets_nothing_and_every_other_player_gets_26() -> None:
    s = last_trick([0, 0, 0, 22])
    assert s.moon == RACHEL and s.score == [26, 26, 26, 0]


def test_25_points_are_no_moon() -> None:
    s = last_trick([1, 0, 0, 21])
    assert s.moon == NOTHING and s.score == [1, 0, 0, 25]


def test_as_an_option_the_shooter_subtracts_26() -> None:
    assert last_trick([0, 0, 0, 22], moon_counts="shooter_subtracts").score == [0, 0, 0, -26]


@pytest.mark.parametrize(("choice", "scores"), [("add", [26, 26, 26, 0]), ("subtract", [0, 0, 0, -26])])
def test_as_an_option_the_shooter_chooses(choice: str, scores: list[int]) -> None:
    s = last_trick([0, 0, 0, 22], moon_counts="shooter_chooses")
    assert (s.phase, s.turn, s.round) == (MOON, RACHEL, 0)
    happens(HEARTS_GAME, s, choice)
    assert s.score == scores and s.phase == DEAL


def test_without_a_moon_there_is_nothing_to_choose() -> None:
    assert last_trick([1, 0, 0, 21], moon_counts="shooter_chooses").phase == DEAL


def test_as_an_option_the_jack_of_diamonds_counts_ten_less() -> None:
    assert last_trick([0, 16, 6, 0], "D5 DJ HA HK", jack_of_diamonds="yes").score == [0, 8, 6, 0]
    assert last_trick([0, 16, 6, 0], "D5 DJ HA HK").score == [0, 18, 6, 0]


def test_the_jack_is_not_needed_for_the_moon_and_counts_besides() -> None:
    s = near_the_end(["H5", "H6", "H7", "H8"], penalty=[0, 0, 0, 22], jack_of_diamonds="yes")
    s.jack = LISA
    play(s, "H5 H6 H7 H8")
    assert s.score == [16, 26, 26, 0]


def test_as_an_option_a_player_without_a_trick_has_five_less_if_nobody_shoots_the_moon() -> None:
    assert last_trick([1, 0, 0, 21], taken=[1, 0, 0, 11], no_tricks_bonus="yes").score == [1, -5, -5, 25]
    assert last_trick([0, 0, 0, 22], taken=[0, 0, 0, 12], no_tricks_bonus="yes").score == [26, 26, 26, 0]


def test_the_match_ends_when_somebody_has_a_hundred_and_the_fewest_points_win() -> None:
    s = near_the_end(["H5", "H6", "H7", "H8"], penalty=[22, 0, 0, 0])
    s.score[:] = [70, 50, 40, 95]
    play(s, "H5 H6 H7 H8")
    assert s.score == [92, 50, 40, 99] and s.phase == DEAL
    s = near_the_end(["H5", "H6", "H7", "H8"], penalty=[22, 0, 0, 0])
    s.score[:] = [70, 50, 40, 96]
    play(s, "H5 H6 H7 H8")
    assert s.phase == OVER and plain.winning_seats(HEARTS_GAME, s) == [TOBY]


def test_players_with_the_same_fewest_points_share_the_win() -> None:
    s = near_the_end(["H5", "H6", "H7", "H8"], penalty=[22, 0, 0, 0], target=10)
    s.score[:] = [0, 5, 5, 20]
    play(s, "H5 H6 H7 H8")
    assert plain.winning_seats(HEARTS_GAME, s) == [STEPHEN, TOBY]


# ---- engines


VARIANTS: list[dict[str, object]] = [
    {},
    {"pass_order": "left", "breaking": "by_a_heart_or_the_queen", "moon_counts": "shooter_subtracts", "jack_of_diamonds": "yes"},
    {"pass_order": "left_right_across", "lead_any_club": "yes", "points_in_first_trick": "yes", "hearts_instead_of_queen": "yes"},
    {"pass_order": "never", "breaking": "not_needed", "moon_counts": "shooter_chooses", "no_tricks_bonus": "yes", "target": 300},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_both_engines_play_the_same_matches(options: dict[str, object]) -> None:
    simulated_in_both_engines(HEARTS_GAME, options)


def test_both_engines_count_the_same() -> None:
    plain_counts, compiled_counts = metrics_in_both_engines(HEARTS_GAME, HOUSE.choose, 6)
    assert plain_counts == compiled_counts
    by_name = dict(zip(metrics_of(HEARTS_GAME).names, plain_counts, strict=True))
    rounds = by_name["moons"][1]
    assert rounds > 20 and by_name["queen_by_leader"][1] == rounds and by_name["without_points"][1] == 4 * rounds
    assert 0.5 * rounds < by_name["queen_passed"][1] < rounds and 1 <= by_name["broken_in"][0] / by_name["broken_in"][1] <= 13


# ---- what is hidden


def moments(options: dict[str, object], matches: int, every: int) -> Iterator[tuple[Hearts, int]]:
    """Some states of random matches, numbered."""
    number = 0
    for match in range(matches):
        rng, s = [seeded(23, match)], begin(**{**options, "target": 60})
        while s.phase != OVER:
            plain.step(HEARTS_GAME, s, anything(s, rng))
            number += 1
            if s.phase >= 0 and number % every == 0:
                yield s, number


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_redeal_looks_the_same_and_passed_cards_lie_where_they_went(options: dict[str, object]) -> None:
    remembered = 0
    for s, number in moments(options, 3, 5):
        for seat in everybody(s):
            seen = view(HEARTS_GAME, s, seat)
            guess = redeal(seen, [seeded(2, number)])
            assert view(HEARTS_GAME, guess, seat) == seen
            for holder in range(4):
                known = s.passed_to[seat][holder] if seat >= 0 else 0
                assert guess.hand[holder] & known == known == s.hand[holder] & known
                remembered += known != 0
                assert guess.hand[holder] & s.known_absent[holder] == 0
    assert remembered > 50 or options.get("pass_order") == "never"


def few_cards_left() -> Hearts:
    """Lisa has passed D2 and S3 to Stephen, who still has them; Toby has no more spades; Rachel has to lead the two of clubs, as if all
    that has gone were still to come."""
    s = near_the_end(["C3 C4 C5", "D2 S3 H2", "H3 H4 D3", "C2 S4 D4"], leader=RACHEL)
    s.away = 1
    s.passed_to[LISA][STEPHEN] = cards("D2 S3")
    s.known_absent[TOBY] = cards("S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA")
    s.known_present[RACHEL] = cards("C2")
    return s


def fitting_deals(seat: int) -> set[tuple[int, ...]]:
    """Every deal of the unseen cards that fits what a seat knows, by brute force."""
    s = few_cards_left()
    others = [each for each in range(4) if each != seat]
    unseen = [each for other in others for each in members(s.hand[other])]
    found = set()
    for order in permutations(unseen):
        hands = [set_of(order[3 * at : 3 * at + 3]) for at in range(3)]
        deal = dict(zip(others, hands, strict=True))
        if all(hand & s.known_absent[other] == 0 and hand & s.known_present[other] == s.known_present[other] for other, hand in deal.items()):
            if all(hand & s.passed_to[seat][other] == s.passed_to[seat][other] for other, hand in deal.items()):
                found.add(tuple(hands))
    return found


@pytest.mark.parametrize("seat", [LISA, TOBY])
def test_redeals_with_private_knowledge_are_uniform(seat: int) -> None:
    s, possible = few_cards_left(), fitting_deals(seat)
    drawn = Counter[tuple[int, ...]]()
    rng, guess, each = [seeded(3, seat)], prepare(view(HEARTS_GAME, s, seat)), 50
    for _ in range(each * len(possible)):
        world = plain.copy_of(guess.known)
        deal_out(guess.plan, guess.ways, rng)
        lay_out([world], None, guess.plan)
        drawn[tuple(world.hand[other] for other in range(4) if other != seat)] += 1
    assert set(drawn) == possible and len(possible) > 10
    chi_square = sum((drawn[deal] - each) ** 2 / each for deal in possible)
    freedom = len(possible) - 1
    assert chi_square < freedom + 6 * (2 * freedom) ** 0.5 + 6


def test_what_a_seat_cannot_see_changes_nothing_for_her() -> None:
    """Stephen and Toby have other cards and pass other cards: Lisa, who passes to one and gets from neither, sees and hears the same."""
    worlds = []
    for swap in (False, True):
        s = begin()
        hands = ["C3 C4 C5 C6 C7 C8 C9 D2 D3 D4 D5 D6 D7", "CT CJ CQ CK CA D8 D9 DT DJ DQ DK H2 S9", OTHER_HANDS[2].replace("H2", "DA"), ""]
        if swap:
            hands[1], hands[2] = hands[1].replace("CT CJ CQ", "H3 H4 H5"), hands[2].replace("H3 H4 H5", "CT CJ CQ")
        deal(s, *hands)
        worlds.append(looked_at(s, LISA, ["H3 H4 D8", "CT DA S2"] if swap else ["CT CJ D9", "H3 H4 H5"]))
    assert worlds[0] == worlds[1]


def looked_at(s: Hearts, viewer: int, passed: list[str]) -> list[object]:
    """What a viewer sees and is told while all pass."""
    seen: list[object] = [view(HEARTS_GAME, s, viewer)]
    act = []
    for name in " ".join(["C3 C4 C5", *passed, "SQ SK SA"]).split():
        before, event = plain.copy_of(s), plain.read(HEARTS_GAME, s, f"pass {name}")
        plain.step(HEARTS_GAME, s, event)
        act.append(Step(before, event, plain.copy_of(s)))
        seen.append(view(HEARTS_GAME, s, viewer))
        seen.append(layout_lines(seen[-1]))
    return [*seen, events_of(HEARTS_GAME, act, viewer)]


def layout_lines(seen: object) -> object:
    """The text table of a view."""
    assert isinstance(seen, View)
    text = layout_of(HEARTS_GAME).text
    assert text is not None
    return text(seen.state)


# ---- the house


def choice_of_house(s: Hearts) -> str:
    """The choice of the house policy, in notation; checked to be the same in a redealt state, so that it does not peek."""
    choice = HOUSE.choose(s, [1])
    assert choice == HOUSE.choose(redeal(view(HEARTS_GAME, s, s.turn), [seeded(4, 0)]), [1])
    return plain.write_choice(HEARTS_GAME, s, choice)


def house_passes(hand: str) -> set[str]:
    """The three cards that the house policy passes from a hand."""
    s = begin()
    deal(s, hand)
    for _ in range(3):
        happens(HEARTS_GAME, s, choice_of_house(s))
    return set(say(s.passing[LISA]).split())


def test_the_house_passes_an_unguarded_queen_with_king_and_ace() -> None:
    assert house_passes("C2 C3 C4 C5 D2 D3 D4 D5 H2 H3 SQ SK SA") == {"SQ", "SK", "SA"}


def test_the_house_keeps_a_guarded_queen_and_never_passes_small_spades() -> None:
    passed = house_passes("CA CK C4 DA DK D4 H2 H3 S2 S3 S4 S5 SQ")
    assert not {"SQ", "S2", "S3", "S4", "S5"} & passed


def test_the_house_ducks_with_the_highest_card_that_loses() -> None:
    s = near_the_end(["D9 C2", "D4 D8 DQ", "DT C3", "D2 C4"])
    play(s, "D9")
    assert choice_of_house(s) == "play D8"


def test_the_house_throws_the_queen_on_somebody_else() -> None:
    s = near_the_end(["D9 C2 C3", "HA SQ C9", "DT C4 C5", "D2 C6 C7"])
    play(s, "D9")
    assert choice_of_house(s) == "play SQ"


def test_the_house_plays_the_queen_under_the_king() -> None:
    s = near_the_end(["SK C2 C3", "S2 SQ C9", "S9 C4 C5", "S8 C6 C7"])
    play(s, "SK")
    assert choice_of_house(s) == "play SQ"


def test_the_house_does_not_put_the_king_of_spades_before_the_queen() -> None:
    s = near_the_end(["S5 C2 C3", "S2 SK C9", "S9 C4 C5", "SQ C6 C7"])
    play(s, "S5")
    assert choice_of_house(s) == "play S2"


def test_the_last_player_takes_a_trick_without_points_with_her_highest_card() -> None:
    s = near_the_end(["D5 C2 C3", "D6 C4 C5", "D7 C6 C7", "D2 D8 DA"])
    play(s, "D5 D6 D7")
    assert choice_of_house(s) == "play DA"


def test_the_house_does_not_lead_the_king_of_spades_while_the_queen_is_out() -> None:
    s = near_the_end(["SK D2 D9", "SQ D3 D4", "S2 D5 D6", "S3 D7 D8"])
    assert choice_of_house(s) == "play D2"


def test_the_house_stops_a_moon() -> None:
    s = near_the_end(["HJ C2", "HK H3", "C4 C5", "C6 C7"], penalty=[22, 0, 0, 0])
    s.broken = 1
    play(s, "HJ")
    assert choice_of_house(s) == "play HK"


def test_the_house_does_not_give_the_last_points_to_who_shoots_the_moon() -> None:
    s = near_the_end(["DA C2", "H3 C9", "D4 H5", "D6 H7"], penalty=[23, 0, 0, 0])
    s.broken = 1
    play(s, "DA")
    assert choice_of_house(s) == "play C9"


def test_the_house_takes_the_last_points_of_its_moon() -> None:
    s = near_the_end(["H5 C2", "H9 CA", "C4 C5", "H6 C7"], penalty=[0, 23, 0, 0])
    s.broken = 1
    play(s, "H5")
    assert choice_of_house(s) == "play H9"


def test_the_house_lets_the_others_add_unless_that_would_lose_the_match() -> None:
    for scores, choice in (([0, 0, 0, 50], "add"), ([80, 20, 20, 60], "subtract"), ([80, 40, 40, 60], "add")):
        s = last_trick([0, 0, 0, 22], moon_counts="shooter_chooses")
        s.score[:] = scores
        assert choice_of_house(s) == choice


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_house_plays_by_the_rules_and_wins_against_chance(options: dict[str, object]) -> None:
    chance = random_policy(HEARTS_GAME).choose
    played = duel_compiled(HEARTS_GAME, HOUSE.choose, chance, 0b1010, 200, options=options)
    assert played.wrong == 0
    house, others = played.scores[:, [0, 2]].mean(), played.scores[:, [1, 3]].mean()
    assert house < 0.5 * others
    again = duel_plain(HEARTS_GAME, HOUSE.choose, chance, 0b1010, 2, options=options)
    assert again.scores.tolist() == played.scores[:2].tolist()


def test_the_house_sees_only_its_own_cards_and_says_why() -> None:
    said = set()
    for s, number in moments({}, 2, 3):
        guess = redeal(view(HEARTS_GAME, s, s.turn), [seeded(5, number)])
        choice = HOUSE.choose(s, [1])
        assert choice == HOUSE.choose(guess, [1])
        for each in members(HEARTS_GAME.legal(s)):
            assert HOUSE.reason(s, each) == HOUSE.reason(guess, each)
            said.add(HOUSE.reason(s, each).id)
    words = (file_of_game("words.en.ftl"), file_of_game("words.sv.ftl"))
    for id in said - {"reason-only-card"}:
        assert all(f"\n{id} = " in text for text in words), id
    assert len(said) > 8


def file_of_game(name: str) -> str:
    """A file of the folder of the game."""
    return (files("kortlek") / "games" / "hearts" / name).read_text(encoding="utf-8")


def test_why_a_card_may_not_be_played() -> None:
    why_not = layout_of(GAMES["hearts"]).why_not
    assert why_not is not None
    s = begin()
    deal(s, *OTHER_HANDS)
    happens(HEARTS_GAME, s, "pass C2")
    assert why_not(s, card("C2")).id == "refuse-passed" and why_not(s, card("SA")).id == "refuse-pass-not-held"
    s = dealt(*OTHER_HANDS)
    assert why_not(s, card("C3")).id == "refuse-first-lead"
    s = near_the_end(["C5 H5", "C6 H6", "C7 D7", "C8 CK"])
    assert why_not(s, card("H5")).id == "refuse-not-broken" and why_not(s, card("SA")).id == "refuse-not-held"
    play(s, "C5")
    assert why_not(s, card("H6")) == ("refuse-follow", {"cards": [card("C6")]})
    s = dealt("C2", "D2 H2 SQ")
    play(s, "C2")
    assert why_not(s, card("H2")).id == "refuse-first-trick"
