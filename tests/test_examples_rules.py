"""The rules of the worked examples that are easy to get wrong, one test each."""

from __future__ import annotations

from typing import Any

import pytest
from examples import example, module_of

from kortlek.cards import Cards, height, members, pop, push, size, top
from kortlek.engine import plain
from kortlek.engine.events import Step, events_of, is_act_over
from kortlek.engine.views import ONLOOKER, Place, cards_in, view
from kortlek.game import DEAL, OVER, PILE, SHUFFLE, Game

AnyGame = Game[Any]


def begin(name: str, players: int, deal: str, **options: object) -> tuple[AnyGame, Any]:
    """A match of an example after a deal that begins with these cards; the other cards follow in the order of the pack."""
    game = example(name)
    s = plain.begin(game, players, options)
    shuffle(game, s, deal)
    return game, s


def shuffle(game: AnyGame, s: Any, cards: str) -> None:
    """Resolve the pending shuffle with these cards first."""
    rest = plain.to_shuffle(game, s)
    first = [game.pack.names.index(card) for card in cards.split()]
    for card in first:
        rest.remove(card)
    plain.step(game, s, (*first, *rest))


def play(game: AnyGame, s: Any, *choices: str) -> None:
    """Choices in notation, one after another; a text may hold several, separated by commas."""
    for text in choices:
        for choice in text.split(", "):
            plain.step(game, s, plain.read(game, s, choice))


def legal(game: AnyGame, s: Any) -> set[str]:
    """What the player in turn may do."""
    return {plain.write_choice(game, s, each) for each in members(game.legal(s))}


def names(game: AnyGame, cards: Cards) -> str:
    """A set of cards in notation."""
    return " ".join(game.pack.names[card] for card in members(cards))


# ---- Kuhn poker


@pytest.mark.parametrize(
    ("choices", "score"),
    [("check, check", -1), ("bet, fold", 1), ("bet, call", -2), ("check, bet, fold", -1), ("check, bet, call", -2)],
)
def test_kuhn_the_higher_card_wins_unless_somebody_folds(choices: str, score: int) -> None:
    game, s = begin("kuhn", 2, "SJ SK", hands=1)
    play(game, s, choices)
    assert (s.phase, s.score[:2]) == (OVER, [score, -score])


def test_kuhn_cards_are_shown_only_if_nobody_folded() -> None:
    game, s = begin("kuhn", 2, "SJ SK", hands=1)
    play(game, s, "bet, fold")
    assert view(game, s, 0).state.hand[1] == 0 and s.shown[:2] == [0, 0]
    game, s = begin("kuhn", 2, "SJ SK", hands=1)
    play(game, s, "bet, call")
    assert [names(game, cards) for cards in view(game, s, ONLOOKER).state.shown] == ["SJ", "SK"]


def test_kuhn_players_begin_by_turns() -> None:
    game, s = begin("kuhn", 2, "SJ SK", hands=2)
    play(game, s, "check, check")
    shuffle(game, s, "SJ SK")
    assert s.turn == 1
    play(game, s, "bet, fold")
    assert (s.phase, s.score[:2]) == (OVER, [-2, 2])


# ---- Leduc poker


def test_leduc_nobody_folds_without_a_bet_and_there_are_two_bets_in_a_round() -> None:
    game, s = begin("leduc", 2, "HJ SK HQ")
    assert legal(game, s) == {"check", "bet"}
    play(game, s, "bet")
    assert legal(game, s) == {"fold", "call", "raise"}
    play(game, s, "raise")
    assert legal(game, s) == {"fold", "call"} and s.paid[:2] == [3, 5]


def test_leduc_bets_are_two_and_then_four() -> None:
    game, s = begin("leduc", 2, "HJ SK HQ", hands=1)
    play(game, s, "check, bet, raise, call")
    assert s.paid[:2] == [5, 5] and names(game, s.board) == "HQ" and s.turn == 0
    play(game, s, "bet, raise, call")
    assert s.paid[:2] == [13, 13] and s.score[:2] == [-13, 13]


@pytest.mark.parametrize(("deal", "score"), [("HJ SK SJ", 1), ("HJ SK HQ", -1), ("HJ SJ HK", 0)])
def test_leduc_a_pair_wins_then_the_higher_card_and_equals_divide(deal: str, score: int) -> None:
    game, s = begin("leduc", 2, deal, hands=1)
    play(game, s, "check, check, check, check")
    assert (s.phase, s.score[:2]) == (OVER, [score, -score])


def test_leduc_the_board_is_hidden_until_the_betting_has_ended() -> None:
    game, s = begin("leduc", 2, "HJ SK SJ")
    play(game, s, "check")
    assert view(game, s, 0).state.stock == [4, -1, -1, -1, -1] and s.board == 0
    play(game, s, "bet, fold")
    assert s.score[:2] == [-1, 1] and s.board == 0


# ---- Goofspiel


def test_goofspiel_equal_highest_bids_get_nothing_and_a_lower_one_does_not_win() -> None:
    game, s = begin("goofspiel", 3, "")
    assert names(game, s.prize) == "13"
    play(game, s, "bid 12, bid 12, bid 11")
    assert s.score[:3] == [0, 0, 0] and names(game, s.gone) == "13" and names(game, s.prize) == "12"
    play(game, s, "bid 1, bid 2, bid 3")
    assert s.score[:3] == [0, 0, 12]
    assert [names(game, cards) for cards in s.played[:3]] == ["1 12", "2 12", "3 11"]


def told(game: AnyGame, s: Any, viewer: int, *choices: str) -> list[tuple[str, int, dict[str, Any]]]:
    """What a viewer reads when these choices are made, as one act."""
    act = []
    for choice in choices:
        before, event = plain.copy_of(s), plain.read(game, s, choice)
        plain.step(game, s, event)
        act.append(Step(before, event, plain.copy_of(s)))
    assert [is_act_over(game, step) for step in act] == [False] * (len(act) - 1) + [True]
    return [(event.kind, event.seat, dict(event.args)) for event in events_of(game, act, viewer)]


def test_goofspiel_all_bids_and_the_next_prize_are_told_also_if_somebody_bid_its_number() -> None:
    game, s = begin("goofspiel", 2, "")
    bids = [("bid", 0, {"card": 11}), ("bid", 1, {"card": 0})]
    assert told(game, s, 0, "bid 12", "bid 1") == [*bids, ("face_up", -1, {"place": "prize", "cards": [11]})]


# ---- Crazy Eights

TWO_HANDS = "C2 D2 C3 D3 C4 D4 C5 D5 C6 D6 C7 D7 C9 D9"
"""Clubs for the first player after the dealer, diamonds for the dealer."""


def test_eights_an_eight_is_not_turned_up() -> None:
    _, s = begin("crazy_eights", 2, f"{TWO_HANDS} C8 D8 SA")
    game = example("crazy_eights")
    assert game.pack.names[s.discards[1]] == "SA" and s.discards[0] == 1 and s.turn == 0 and s.dealer == 1
    assert [game.pack.names[card] for card in s.stock[s.stock[0] - 1 : s.stock[0] + 1]] == ["D8", "C8"]


def test_eights_follow_suit_or_rank_or_play_an_eight_or_draw() -> None:
    game, s = begin("crazy_eights", 2, "C2 D2 S2 D3 C4 D4 H8 D5 C6 D6 C7 D7 C9 D9 S9")
    assert legal(game, s) == {"play S2", "play H8", "play C9", "draw"}


def test_eights_a_named_suit_must_be_followed_and_the_last_eight_names_none() -> None:
    game, s = begin("crazy_eights", 2, "H8 D2 C3 D3 C4 D4 C5 D5 C6 D6 C7 D7 C9 D9 SA", deals=1)
    play(game, s, "play H8")
    assert legal(game, s) == {"suit C", "suit D", "suit H", "suit S"} and s.turn == 0
    play(game, s, "suit D")
    assert s.turn == 1 and legal(game, s) == {f"play D{rank}" for rank in "2345679"} | {"draw"}
    s.hand[1] = 1 << game.pack.names.index("S8")
    play(game, s, "play S8")
    assert s.phase == OVER and s.score[1] == 0


def test_eights_after_five_draws_one_may_play_or_pass() -> None:
    game, s = begin("crazy_eights", 2, f"{TWO_HANDS} SA H2 H3 H4 H5 H6 H7")
    for _ in range(5):
        assert "draw" in legal(game, s) and "pass" not in legal(game, s) and s.turn == 0
        play(game, s, "draw")
    assert legal(game, s) == {"pass"} and size(s.hand[0]) == 12
    play(game, s, "pass")
    assert s.turn == 1 and s.drawn == 0 and "draw" in legal(game, s)


def test_eights_the_cards_played_become_the_stock_at_once_but_not_the_top_one() -> None:
    game, s = begin("crazy_eights", 2, f"{TWO_HANDS} CA")
    play(game, s, "play C2, play D2")
    while len(cards_in(s, Place("stock"), PILE)) > 1:
        pop(s.stock)
    play(game, s, "draw")
    assert s.phase == SHUFFLE and [game.pack.names[card] for card in plain.to_shuffle(game, s)] == ["CA", "C2"]
    shuffle(game, s, "C2 CA")
    assert (s.phase, s.turn, height(s.stock), [game.pack.names[card] for card in cards_in(s, Place("discards"), PILE)]) == (0, 0, 2, ["D2"])
    assert game.pack.names[top(s.stock)] == "C2"


def test_eights_without_a_stock_everyone_passes_and_one_more() -> None:
    game, s = begin("crazy_eights", 2, f"{TWO_HANDS} SA", deals=1, reshuffle="no")
    s.stock[:] = [0] + [-1] * 52
    play(game, s, "pass, pass")
    assert s.phase >= 0
    play(game, s, "pass")
    assert s.phase == OVER and s.score[:2] == [2 + 3 + 4 + 5 + 6 + 7 + 9] * 2


def test_eights_penalties() -> None:
    game, s = begin("crazy_eights", 2, TWO_HANDS)
    s.hand[0] = sum(1 << game.pack.names.index(card) for card in ("H8", "SA", "CK", "DT", "D9", "C2"))
    assert game.points is not None and game.points(s, 0) == 50 + 1 + 10 + 10 + 9 + 2


# ---- Go Fish


def test_fish_ask_for_what_you_hold_and_get_all_of_it() -> None:
    game, s = begin("go_fish", 3, "2 2 3 4 5 2 6 6 7 8 9 9 10 10 J")
    assert legal(game, s) == {"ask 1", "ask 2"}
    play(game, s, "ask 1")
    assert legal(game, s) == {"for 2", "for 3", "for 4", "for 5"}
    play(game, s, "for 2")
    assert s.turn == 0 and cards_in_hand(game, s, 0) == "2 2 2 3 4 5" and cards_in_hand(game, s, 1) == "6 6 7 8"


def cards_in_hand(game: AnyGame, s: Any, seat: int) -> str:
    return " ".join(game.pack.names[card] for card in sorted(card for plane in s.hand[seat] for card in members(plane)))


@pytest.mark.parametrize(("fished", "turn"), [("3", 0), ("K", 1)])
def test_fish_whoever_fishes_what_she_asked_for_goes_on(fished: str, turn: int) -> None:
    game, s = begin("go_fish", 3, f"2 2 3 4 5 2 6 6 7 8 9 9 10 10 J {fished}")
    play(game, s, "ask 2, for 3")
    assert s.turn == turn and size(s.hand[0][0]) == (4 if fished == "3" else 5)


def test_fish_what_was_said_is_known() -> None:
    game, s = begin("go_fish", 3, "2 2 3 4 5 2 6 6 7 8 9 9 10 10 J K")
    play(game, s, "ask 1, for 2")
    assert s.known_present[0] == [1, 1, 0, 0] and s.known_absent[1] & 1
    play(game, s, "ask 2, for 5")
    assert s.known_present[0][0] == 0b1001 and s.known_absent[2] == 0b1000 and s.known_absent[0] == 0


def test_fish_everyone_hears_who_asked_whom_and_how_many_she_got() -> None:
    game, s = begin("go_fish", 3, "2 2 3 4 5 2 6 6 7 8 9 9 10 10 J K")
    asked = ("ask", 0, {"whom": 1, "rank": 0})
    assert told(game, s, 2, "ask 1", "for 2") == [asked, ("gets", 0, {"cards": [0]})]
    assert told(game, s, 2, "ask 1", "for 3") == [("ask", 0, {"whom": 1, "rank": 1}), ("gets_unseen", 0, {"count": 1})]


def test_fish_four_of_a_kind_are_a_book_also_in_the_deal() -> None:
    game, s = begin("go_fish", 3, "2 2 2 2 5 3 6 6 7 8 3 9 10 10 J")
    assert s.score[:3] == [1, 0, 0] and cards_in_hand(game, s, 0) == "5" and s.books[0] == [1, 1, 1, 1]


def test_fish_who_has_no_cards_draws_one() -> None:
    game, s = begin("go_fish", 3, "2 2 2 3 3 2 3 3 7 8 9 9 10 10 J K Q")
    play(game, s, "ask 1, for 2")
    assert s.score[0] == 1 and cards_in_hand(game, s, 0) == "3 3" and s.turn == 0
    play(game, s, "ask 1, for 3")
    assert s.score[0] == 2 and cards_in_hand(game, s, 0) == "K" and s.turn == 0


# ---- Auction


def auction(deal: str = "") -> tuple[AnyGame, Any]:
    return begin("auction", 4, deal)


def test_auction_bids_rise_and_three_passes_end_it() -> None:
    game, s = auction()
    play(game, s, "bid 1H")
    assert {"bid 1S", "bid 1NT", "bid 2C", "pass"} <= legal(game, s) and not {"bid 1H", "bid 1D"} & legal(game, s)
    play(game, s, "pass, bid 2C, pass, pass")
    assert s.phase == 0 and s.turn == 1
    play(game, s, "pass")
    assert (s.declarer, s.turn, s.phase) == (2, 2, 1) and legal(game, s) == {"choose 0", "choose 1", "choose 3"}


def test_auction_four_passes_and_nobody_scores() -> None:
    game, s = auction()
    play(game, s, "pass, pass, pass")
    assert s.phase == 0
    play(game, s, "pass")
    assert (s.phase, s.round, s.score[:4]) == (DEAL, 1, [0, 0, 0, 0])


def test_auction_the_highest_bid_and_a_pass_by_three_after_three_passes() -> None:
    game, s = auction()
    play(game, s, "pass, pass, pass, bid 7NT")
    assert legal(game, s) == {"pass"}
    play(game, s, "pass, pass, pass")
    assert s.declarer == 3 and s.phase == 1


def test_auction_the_dummy_lies_open_and_the_declarer_plays_it() -> None:
    game, s = auction()
    play(game, s, "bid 1NT, pass, pass, pass, choose 1")
    seen = view(game, s, 3).state
    assert size(seen.open_hand) == 13 and s.hand[1] == 0 and s.trump == -1
    assert (s.turn, s.to_play) == (0, 1)  # the dummy sits after the declarer and leads: the declarer chooses
    assert legal(game, s) == {f"play {name}" for name in names(game, s.open_hand).split()}
    play(game, s, sorted(legal(game, s))[0])
    assert (s.turn, s.to_play, size(s.open_hand)) == (2, 2, 12)


def test_auction_partners_are_decided_in_the_game() -> None:
    game, s = auction()
    assert [game.teams(s, seat) for seat in range(4)] == [0, 1, 2, 3]
    play(game, s, "bid 1C, pass, pass, pass, choose 3")
    assert [game.teams(s, seat) for seat in range(4)] == [0, 1, 1, 0]
    assert view(game, s, 0).partners == 0b1000 and view(game, s, 1).partners == 0b0100


@pytest.mark.parametrize(("taken", "points"), [([7, 3, 0, 3], [0, 10, 0, 10]), ([3, 5, 5, 0], [20, 0, 20, 0]), ([9, 1, 2, 1], [23, 0, 23, 0])])
def test_auction_both_partners_score_the_contract_or_both_opponents_what_is_missing(taken: list[int], points: list[int]) -> None:
    game, s = auction()
    play(game, s, "bid 2H, pass, pass, pass, choose 2")
    s.taken[:] = taken
    assert game.points is not None and [game.points(s, seat) for seat in range(4)] == points


# ---- Wild Draw


def wild(players: int, hands: list[str], turned: str = "red-5", then: str = "") -> tuple[AnyGame, Any]:
    """A round in which the hands begin with these cards, filled up with green ones."""
    filler = ["green-1", "green-1", "green-2", "green-2", "green-3", "green-3", "green-4", "green-4", "green-6", "green-6", "green-7", "green-7"]
    filler += ["green-8", "green-8", "green-9", "green-9", "green-0"]
    full = [hand.split() for hand in hands]
    for hand in full:
        while len(hand) < 7:
            hand.append(filler.pop())
    return begin("wild_draw", players, " ".join([hand[at] for at in range(7) for hand in full] + [turned] + then.split()))


def hand_size(s: Any, seat: int) -> int:
    return sum(map(size, s.hand[seat]))


def test_wild_the_pack_has_108_cards() -> None:
    cards = example("wild_draw").pack.cards
    assert len(cards) == 108 and [cards.count(card) for card in (0, 1, 12, 13, 52, 53)] == [1, 2, 2, 1, 4, 4]


def test_wild_follow_colour_or_value_and_a_wild_four_only_without_the_colour() -> None:
    game, s = wild(2, ["red-1 blue-5 wild wild-draw-four", ""])
    assert legal(game, s) == {"play red-1", "play blue-5", "play wild", "draw"}
    game, s = wild(2, ["blue-5 wild wild-draw-four", ""])
    assert legal(game, s) == {"play blue-5", "play wild", "play wild-draw-four", "draw"}
    play(game, s, "play wild-draw-four")
    assert s.known_absent[0] == 8191 and s.turn == 0 and legal(game, s) == {f"name {colour}" for colour in ("red", "yellow", "green", "blue")}
    play(game, s, "name yellow")
    assert hand_size(s, 1) == 11 and s.turn == 0 and s.colour == 1


def test_wild_the_next_player_draws_two_and_misses_her_turn() -> None:
    game, s = wild(2, ["red-draw-two", ""])
    play(game, s, "play red-draw-two")
    assert [hand_size(s, seat) for seat in (0, 1)] == [6, 9] and s.turn == 0


@pytest.mark.parametrize(("card", "players", "turn"), [("red-skip", 2, 0), ("red-reverse", 2, 0), ("red-skip", 3, 2), ("red-reverse", 3, 2)])
def test_wild_skip_and_reverse(card: str, players: int, turn: int) -> None:
    game, s = wild(players, [card, *[""] * (players - 1)] if players == 2 else [card, "blue-1 blue-2 blue-3 blue-4 blue-6 blue-7 blue-8", ""])
    play(game, s, f"play {card}")
    assert s.turn == turn and s.direction == (-1 if card == "red-reverse" and players == 3 else 1)


def test_wild_the_first_card_turned_up_has_a_number() -> None:
    game, s = wild(2, ["", ""], turned="wild", then="red-skip wild-draw-four blue-7")
    assert game.pack.names[s.discards[1]] == "blue-7" and s.colour == 3 and s.stock[0] == 108 - 15


def test_wild_when_the_stock_ends_in_the_middle_the_cards_played_are_shuffled_and_drawing_goes_on() -> None:
    game, s = wild(2, ["red-draw-two red-1", ""])
    under = top(s.discards)
    while height(s.stock) > 2:
        push(s.discards, pop(s.stock))
    play(game, s, "draw, draw")
    assert height(s.stock) == 0 and s.phase == 0
    push(s.stock, pop(s.discards))
    push(s.discards, under)
    before = height(s.discards)
    play(game, s, "play red-draw-two")
    assert (s.phase, s.owed, hand_size(s, 1)) == (SHUFFLE, 1, 9)
    shuffle(game, s, "")
    assert (s.phase, s.owed, hand_size(s, 1), s.turn) == (0, 0, 10, 0)
    assert height(s.discards) == 1 and height(s.stock) == before - 1 and game.pack.names[top(s.discards)] == "red-draw-two"


def test_wild_who_is_out_scores_what_the_others_hold() -> None:
    game, s = wild(2, ["red-1", ""])
    s.hand[0][:] = [1 << game.pack.names.index("red-1"), 0, 0, 0]
    s.hand[1][:] = [sum(1 << game.pack.names.index(card) for card in ("blue-9", "green-skip", "wild")), 1 << game.pack.names.index("wild"), 0, 0]
    play(game, s, "play red-1")
    assert s.round == 1 and s.score[:2] == [9 + 20 + 50 + 50, 0]


# ---- Bulls


def bulls(hands: list[str], rows: str) -> tuple[AnyGame, Any]:
    """A round in which the hands begin with these cards, filled up with the highest, and the rows with these."""
    full, used = [hand.split() for hand in hands], {card for hand in hands for card in hand.split()} | set(rows.split())
    filler = [str(card) for card in range(104, 0, -1) if str(card) not in used]
    for hand in full:
        while len(hand) < 10:
            hand.append(filler.pop(0))
    return begin("bulls", len(hands), " ".join([hand[at] for at in range(10) for hand in full] + rows.split()))


def row(s: Any, number: int) -> list[int]:
    """The cards of a row, as printed."""
    return [card + 1 for card in s.rows[number][1 : s.rows[number][0] + 1]]


def test_bulls_heads() -> None:
    heads = module_of("bulls").BULLS
    assert [heads[card - 1] for card in (1, 5, 10, 11, 55, 100, 104)] == [1, 2, 3, 5, 7, 3, 1] and sum(heads) == 171


def test_bulls_the_lowest_card_goes_first_to_the_row_nearest_below() -> None:
    game, s = bulls(["31", "32", "45"], "10 20 30 40")
    play(game, s, "play 31, play 32, play 45")
    assert [row(s, number) for number in range(4)] == [[10], [20], [30, 31, 32], [40, 45]]
    assert s.phase == 0 and s.left == 9


def test_bulls_the_sixth_card_takes_the_five_others() -> None:
    game, s = bulls(["31 33 35", "32 34 37"], "10 20 30 90")
    play(game, s, "play 31, play 32, play 33, play 34, play 35, play 37")
    assert row(s, 2) == [35, 37] and s.bulls[:2] == [3 + 1 + 1 + 5 + 1, 0]


def test_bulls_below_all_rows_one_chooses_a_row_before_higher_cards_are_laid() -> None:
    game, s = bulls(["5", "25", "6"], "10 20 30 40")
    play(game, s, "play 5, play 25, play 6")
    assert (s.phase, s.turn) == (1, 0) and legal(game, s) == {f"take {number}" for number in (1, 2, 3, 4)}
    assert row(s, 1) == [20]
    play(game, s, "take 4")
    assert [row(s, number) for number in range(4)] == [[10], [20, 25], [30], [5, 6]]
    assert s.bulls[:3] == [3, 0, 0] and s.phase == 0


def test_bulls_a_card_is_spelled_by_its_number_and_only_cards_held_are_legal() -> None:
    game, s = bulls(["5", "25"], "10 20 30 40")
    assert "play 5" in legal(game, s) and "play 25" not in legal(game, s)
    with pytest.raises(plain.Refused, match="play 25"):
        plain.read(game, s, "play 25")
    assert view(game, s, 1).legal == 1023 and view(game, s, 1).state.turn == 1


def test_bulls_the_fewest_bulls_win() -> None:
    game, s = bulls(["5", "25"], "10 20 30 40")
    s.score[:2] = [70, 12]
    assert plain.winning_seats(game, s) == [1]
