"""What the three trick-taking games share: follow suit, win the trick, lead the next."""

import itertools
from typing import Any

import pytest
from positions import everybody, happens, refusal

from kortlek.cards import FRENCH, NOTHING, bit, card, cards_of, lowest, members, rank_of, say, set_of, suit_of
from kortlek.engine import plain
from kortlek.engine.views import view
from kortlek.game import CARD, DEAL, OVER, Choice, Game
from kortlek.game.registry import GAMES
from kortlek.games import tricks
from kortlek.words.words import Words
from kortlek.games.tricks import Tricks

TRICK_GAMES = [game for game in GAMES.values() if issubclass(game.state, Tricks)]


def round_with(*hands: str, leader: int = 0, trump: int = NOTHING) -> Tricks:
    """A round of tricks with these hands, by seat."""
    s = Tricks()
    s.players = len(hands)
    s.hand_size = len(hands[0].split())
    for seat, hand in enumerate(hands):
        s.hand[seat] = set_of(map(card, hand.split()))
    s.trump = trump
    tricks.lead(s, leader)
    return s


def play(s: Tricks, *names: str) -> list[bool]:
    """Play these cards in turn; after each, whether it was the last of the trick."""
    return [tricks.play(s, card(name)) for name in names]


def test_five_games_are_of_tricks() -> None:
    assert [game.name for game in TRICK_GAMES] == ["plump", "up_and_down", "trick_paper_scissors", "hearts", "spades"]


# ---- dealing


def test_everyone_gets_the_same_number_one_at_a_time_clockwise_from_the_first() -> None:
    s = Tricks()
    s.players, s.hand_size = 3, 2
    tricks.deal(s, list(range(52)), 1, 52)
    assert [say(hand) for hand in s.hand[:3]] == ["C4 C7", "C2 C5", "C3 C6"]
    assert s.hand[3:] == [0] * 10


def test_what_is_left_of_the_pack_is_the_rest() -> None:
    s = Tricks()
    s.players, s.hand_size = 4, 12
    tricks.deal(s, list(range(52)), 0, 52)
    assert say(s.rest) == "SJ SQ SK SA"
    assert s.rest | s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3] == (1 << 52) - 1


def deal_two(s: Tricks, pack: list[int]) -> None:
    s.hand_size = 2
    tricks.deal(s, pack, 0, 52)


def test_a_deal_forgets_the_round_before() -> None:
    s = round_with("C2 D2", "D3 H3", trump=3)
    play(s, "C2", "D3")
    tricks.take_trick(s)
    play(s, "D2")
    s.hand[:2], s.phase, s.hand_size = [0, 0], DEAL, 0
    bare = Game("bare", range(2, 5), Tricks, (Choice("play", CARD),), deal_two, tricks.follow_suit, lambda s, choice: None)
    bare.rules.deal(s, list(range(52)))
    assert (s.trick, s.gone, s.led, s.trump) == (0, 0, NOTHING, NOTHING)
    assert s.taken[:2] == s.known_absent[:2] == [0, 0]
    assert s.table[:2] == s.last[:2] == [NOTHING, NOTHING]
    assert [say(hand) for hand in s.hand[:2]] == ["C2 C4", "C3 C5"]


# ---- following suit


def test_the_leader_may_play_any_card() -> None:
    s = round_with("C2 D9 SA", "C3 C4 C5")
    assert say(tricks.follow_suit(s)) == "C2 D9 SA"


def test_the_others_play_the_suit_led_if_they_can() -> None:
    for led in "CDHS":
        s = round_with(f"{led}7", "C3 C4 D5 D6 H7 H8 S9 ST")
        play(s, f"{led}7")
        assert tricks.follow_suit(s) == s.hand[1] & cards_of("CDHS".index(led))


def test_otherwise_any_card_trump_or_not() -> None:
    s = round_with("C7", "D5 H7 H8 S9", trump=3)
    play(s, "C7")
    assert say(tricks.follow_suit(s)) == "D5 H7 H8 S9"


def test_who_does_not_follow_suit_is_known_to_have_none_of_it() -> None:
    s = round_with("C7 C8", "D5 D6", "C2 C3")
    play(s, "C7", "D5", "C2")
    assert s.known_absent[:3] == [0, cards_of(0), 0]
    tricks.take_trick(s)
    play(s, "C8", "D6", "C3")
    assert s.known_absent[:3] == [0, cards_of(0), 0]


def test_what_is_known_to_be_lacking_adds_up_over_the_round() -> None:
    s = round_with("C7 D8", "S5 S6")
    play(s, "C7", "S5")
    tricks.take_trick(s)
    play(s, "D8", "S6")
    assert s.known_absent[1] == cards_of(0) | cards_of(1)


@pytest.mark.parametrize("game", TRICK_GAMES, ids=lambda game: str(game.name))
def test_nobody_ever_holds_what_she_is_known_to_lack(game: Any) -> None:
    s = plain.begin(game, 4)
    pack = 0
    lacking = 0
    while s.phase != OVER:
        if s.phase < 0:
            things = plain.to_shuffle(game, s)
            pack += 1
            step = 5 + 2 * pack  # an arbitrary order, different in every round
            things.sort(key=lambda thing: thing * step % 53)
            plain.step(game, s, tuple(things))
        else:
            plain.step(game, s, lowest(game.legal(s)))
        lacking |= s.known_absent[0] | s.known_absent[1] | s.known_absent[2] | s.known_absent[3]
        for seat in range(4):
            assert not s.hand[seat] & s.known_absent[seat]
        for seat in everybody(s):
            assert view(game, s, seat).state.known_absent == s.known_absent
    assert lacking


# ---- winning


def test_a_higher_card_of_its_suit_beats_a_card_and_a_trump_beats_every_other_suit() -> None:
    for trump, led in itertools.product((NOTHING, 0, 1, 2, 3), range(4)):

        def strength(card: int, trump: int = trump, led: int = led) -> tuple[bool, bool, int]:
            return suit_of(card) == trump, suit_of(card) == led, rank_of(card)

        s = Tricks()
        s.trump, s.led = trump, led
        for best in range(52):
            if suit_of(best) in (trump, led):
                s.best = best
                for other in range(52):
                    assert tricks.beats(s, other) == (strength(other) > strength(best))


def test_the_strongest_card_takes_the_trick_wherever_it_is_played() -> None:
    for order in itertools.permutations(["HK", "S2", "DA"]):
        s = round_with("H5", *order, trump=3)
        play(s, "H5", *order)
        assert FRENCH[s.best] == "S2"
        assert s.winning == 1 + order.index("S2")


def test_play_goes_clockwise_and_says_when_the_trick_is_complete() -> None:
    s = round_with("C2", "C3", "C4", leader=1)
    assert s.turn == 1
    assert play(s, "C3") == [False]
    assert s.turn == 2
    assert play(s, "C4") == [False]
    assert s.turn == 0
    assert play(s, "C2") == [True]


def test_a_card_played_leaves_the_hand_and_lies_on_the_table() -> None:
    s = round_with("C2 C5", "C3 C6")
    play(s, "C5")
    assert say(s.hand[0]) == "C2"
    assert say(s.trick) == "C5"
    assert s.table[:2] == [card("C5"), NOTHING]


def test_the_winner_takes_the_trick_and_leads_next() -> None:
    s = round_with("C2 C5", "C3 C6", "C9 C7")
    play(s, "C2", "C3", "C9")
    tricks.take_trick(s)
    assert s.taken[:3] == [0, 0, 1]
    assert s.leader == s.turn == 2
    assert s.led == NOTHING
    assert (s.trick, say(s.gone)) == (0, "C2 C3 C9")


def test_the_last_trick_may_be_looked_at_again() -> None:
    s = round_with("C2 C5", "C3 C6")
    play(s, "C2", "C3")
    tricks.take_trick(s)
    assert s.last[:2] == [card("C2"), card("C3")]
    assert s.table[:2] == [NOTHING, NOTHING]
    play(s, "C6", "C5")
    tricks.take_trick(s)
    assert s.last[:2] == [card("C5"), card("C6")]
    assert say(s.gone) == "C2 C3 C5 C6"


def test_the_round_is_over_when_the_hands_are_empty() -> None:
    s = round_with("C2 C5", "C3 C6")
    assert not tricks.all_played(s)
    play(s, "C2", "C3")
    tricks.take_trick(s)
    assert not tricks.all_played(s)
    play(s, "C6", "C5")
    tricks.take_trick(s)
    assert tricks.all_played(s)


# ---- bidding


@pytest.mark.parametrize(("bids", "forbidden"), [([1, 3, 2], 4), ([0, 0, 0], 10), ([10, 0, 0], 0), ([4, 4, 4], -2)])
def test_the_last_bid_may_not_make_the_sum_of_the_tricks(bids: list[int], forbidden: int) -> None:
    for last in range(4):
        s = Tricks()
        s.players, s.hand_size, s.turn = 4, 10, last
        so_far = bids[:last] + [NOTHING] + bids[last:]
        assert set(members(tricks.legal_bids(s, so_far, is_last=True))) == set(range(11)) - {forbidden}
        assert set(members(tricks.legal_bids(s, so_far, is_last=False))) == set(range(11))


# ---- why not


@pytest.mark.parametrize("game", TRICK_GAMES, ids=lambda game: str(game.name))
def test_a_card_that_you_do_not_hold_is_named(game: Any) -> None:
    s = ready_to_play(game)
    assert f"You do not hold {Words(game).card(game.pack.names.index(not_held(game, s)))}" in refusal(game, s, f"play {not_held(game, s)}")


@pytest.mark.parametrize("game", TRICK_GAMES, ids=lambda game: str(game.name))
def test_who_names_a_card_she_does_not_hold_is_told_what_she_may_play(game: Any) -> None:
    s = ready_to_play(game)
    assert Words(game).cards(members(game.legal(s))) in refusal(game, s, f"play {not_held(game, s)}")


def ready_to_play(game: Any) -> Any:
    """A match in which a player is about to lead."""
    s = plain.begin(game, 4, {"first_bettor": 0} if "start" in game.options else {})
    while s.phase < 0 or game.choices[s.phase].name != "play":
        event = tuple(plain.to_shuffle(game, s)) if s.phase < 0 else lowest(game.legal(s))
        plain.step(game, s, event)
    return s


def not_held(game: Any, s: Any) -> str:
    """A card that the player in turn does not hold."""
    return str(next(name for number, name in enumerate(game.pack.names) if not s.hand[s.turn] & bit(number)))


@pytest.mark.parametrize("game", TRICK_GAMES, ids=lambda game: str(game.name))
def test_who_does_not_follow_suit_is_told_what_she_may_play(game: Any) -> None:
    s = ready_to_play(game)
    leader_plays = lowest(game.legal(s))
    s.hand[(s.turn + 1) % 4] = bit(leader_plays + 1) | bit(leader_plays + 2) | bit(14)
    happens(game, s, f"play {game.pack.names[leader_plays]}")
    may = Words(game).cards([leader_plays + 1, leader_plays + 2])
    assert f"follow suit: play one of {may}." in refusal(game, s, f"play {game.pack.names[14]}")
