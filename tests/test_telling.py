"""A match in words: what each viewer is told, the score sheet, the table. Nothing a viewer cannot see is ever in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from kortlek.cards import bit, card, members, set_of
from kortlek.play import plain, telling
from kortlek.play.information import ONLOOKER, OPEN, view
from kortlek.play.redealing import redeal
from kortlek.play.plain import Event, copy_of
from kortlek.play.seeded import seeded, shuffle
from kortlek.play.telling import Line
from kortlek.rules import GAMES
from kortlek.rules.game import LOTS, OVER, Game
from playing import next_event, walk

NAMES = ("Lisa", "Stephen", "Toby", "Rachel")


def events(game: Game[Any], players: int, options: dict[str, object], seed: int) -> Iterator[tuple[Any, Event, Any]]:
    """A random match, event by event."""
    s, rng = plain.begin(game, players, options), [seeded(seed, 0)]
    while s.phase != OVER:
        before, event = copy_of(s), next_event(game, s, rng)
        plain.happen(game, s, event)
        yield before, event, copy_of(s)


def log(game: Game[Any], players: int, viewer: int, *texts: str, options: dict[str, object] | None = None, told_from: int = 0) -> list[str]:
    """What a viewer is told of a match given in notation, from the n-th event on."""
    s, lines = plain.begin(game, players, options), []
    for number, text in enumerate(texts):
        before, event = copy_of(s), plain.read(game, s, text)
        plain.happen(game, s, event)
        if number >= told_from:
            lines += telling.news(game, before, event, s, viewer)
    return telling.sentences(lines, NAMES[:players], viewer)


def pack(*first: str, names: tuple[str, ...], copies: int = 1) -> str:
    """A deal that begins with these cards."""
    rest = list(names) * copies
    for name in first:
        rest.remove(name)
    return " ".join(["deal", *first, *rest])


STEPHENS = [f"S{rank}" for rank in "23456789TJQKA"]
"""A hand of Rummy."""


def in_turn(one: list[str], other: list[str]) -> list[str]:
    """Two hands in the order in which they are dealt."""
    return [each for both in zip(one, other, strict=True) for each in both]


# ---- the log


UP_AND_DOWN = GAMES["up_and_down"]
ONE_HAND = [pack("C3", "H3", "D4", names=UP_AND_DOWN.pack.names), "bet 1", "bet 1", "play H3", "play C3"]


def test_a_match_is_told_to_a_player() -> None:
    assert log(UP_AND_DOWN, 2, 0, *ONE_HAND, options={"N": 1, "start": 0}) == [
        "Deal 1",
        "Mesa: D4",
        "You begin",
        "You get C3",
        "You bet 1",
        "Stephen bets 1, plays H3",
        "You play C3",
        "Stephen takes the trick",
        "You score 0",
        "Stephen scores 12",
    ]


def test_an_onlooker_hears_of_no_hand_and_an_open_game_of_all() -> None:
    onlooker = log(UP_AND_DOWN, 2, ONLOOKER, *ONE_HAND[:1], options={"N": 1, "start": 0})
    assert onlooker == ["Deal 1", "Mesa: D4", "Lisa begins"]
    assert log(UP_AND_DOWN, 2, OPEN, *ONE_HAND[:1], options={"N": 1, "start": 0}) == [*onlooker, "Lisa gets C3", "Stephen gets H3"]


def test_lots_are_told() -> None:
    assert log(UP_AND_DOWN, 2, 0, "lots 1 0", ONE_HAND[0], options={"N": 1})[:4] == ["Lots are drawn", "Deal 1", "Mesa: D4", "Stephen begins"]


def test_what_a_player_does_in_a_row_is_one_sentence_with_what_comes_of_it() -> None:
    lines = [Line(1, "plays H7", True), Line(1, "puts it into column 3", True), Line(1, "gets a card"), Line(1, "draws", True), Line(0, "scores 3")]
    assert telling.sentences(lines, NAMES, 0) == ["Stephen plays H7, puts it into column 3, gets a card", "Stephen draws", "You score 3"]


@pytest.mark.parametrize(
    ("third", "second"),
    [
        ("plays HQ", "play HQ"),
        ("takes the trick", "take the trick"),
        ("is plumped 🌑", "are plumped 🌑"),
        ("has 5 in rock", "have 5 in rock"),
        ("had HQ", "had HQ"),
        ("goes out", "go out"),
        ("finishes the meld", "finish the meld"),
        ("chooses H7", "choose H7"),
        ("draws", "draw"),
        ("passes", "pass"),
    ],
)
def test_a_player_is_spoken_to_in_the_second_person(third: str, second: str) -> None:
    assert telling.second_person(third) == second


def test_every_choice_of_every_game_can_be_said_to_the_one_who_makes_it() -> None:
    for game in GAMES.values():
        for kind in game.choices:
            for told in kind.told:
                verb = told.partition(" ")[0]
                assert verb.endswith("s"), told
                assert telling.second_person(told) != told


@pytest.mark.parametrize(
    ("winners", "viewer", "said"),
    [
        ([2], 0, "Toby wins"),
        ([0], 0, "You win"),
        ([0, 2], OPEN, "Lisa and Toby share the win"),
        ([0, 2], 2, "Lisa and You share the win"),
        ([0, 1, 3], ONLOOKER, "Lisa, Stephen and Rachel share the win"),
        ([], 1, "Nobody wins"),
    ],
)
def test_the_end_says_who_shares_the_win(winners: list[int], viewer: int, said: str) -> None:
    assert telling.ending(set_of(winners), NAMES, viewer) == said


def test_a_card_drawn_by_another_is_told_only_as_a_card() -> None:
    rummy = GAMES["rummy"]
    deal = pack(names=rummy.pack.names, copies=2)
    drawn = deal.split()[1 + 26]
    assert log(rummy, 2, 0, deal, "draw stock", told_from=1) == [f"You draw from the stock, get {drawn}"]
    for viewer in (1, ONLOOKER):
        assert log(rummy, 2, viewer, deal, "draw stock", told_from=1) == ["Lisa draws from the stock, gets a card"]


def test_a_card_taken_openly_is_told_by_name() -> None:
    rummy = GAMES["rummy"]
    lisas = ["HQ", "HK", "HA", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "CT", "CJ"]
    deal = pack(*in_turn(lisas, STEPHENS), "D2", "D3", names=rummy.pack.names, copies=2)
    turn = ["draw stock", "lay", "run H", "card HQ", "card HK", "card HA", "done", "discard C2"]
    told = log(rummy, 2, 1, deal, *turn, "draw stock", "discard D3", "draw discard", options={"threshold": 30}, told_from=1)
    assert told == [
        "Lisa draws from the stock, gets a card",
        "Lisa lays a meld, begins a run of hearts, lays HQ, lays HK, lays HA, finishes the meld, has laid",
        "Lisa discards C2",
        "You draw from the stock, get D3",
        "You discard D3",
        "Lisa takes the top discard, gets D3",
    ]


def test_cards_shuffled_in_mid_game_are_no_new_deal() -> None:
    rummy = GAMES["rummy"]
    for before, event, after in events(rummy, 6, {}, 3):
        if before.recycling:
            assert telling.news(rummy, before, event, after, 0) == [Line(-1, "The cards played so far are shuffled again")]
            return
    raise AssertionError("no match of six lasts so short")


def test_after_a_deal_a_player_hears_of_her_whole_hand_whatever_she_held_before() -> None:
    for game in GAMES.values():
        for before, event, after in events(game, game.players[0], {"games": 3} if "games" in game.options else {}, 5):
            if isinstance(event, int) or after.phase < 0 or getattr(before, "recycling", 0) or not any(map(bool, after.hand)):
                continue
            lines = [line.text for line in telling.news(game, before, event, after, 1) if line.seat == 1 and line.text.startswith("gets")]
            held = after.hand[1] if isinstance(after.hand[1], list) else [after.hand[1], 0]
            assert lines == ["gets " + " ".join(game.pack.names[each] for each in sorted([*members(held[0]), *members(held[1])]))]


# ---- hidden cards


def test_a_card_on_the_forehead_is_not_in_its_owners_log_before_it_is_played() -> None:
    game = GAMES["plump"]
    rounds = 0
    for seed in range(4):
        heard: dict[int, list[str]] = {}
        for before, event, after in events(game, 4, {}, seed):
            if not isinstance(event, int):
                heard = {seat: [] for seat in range(4)}
            for seat in range(4):
                lines = telling.sentences(telling.news(game, before, event, after, seat), NAMES, seat)
                if after.forehead[seat]:
                    own = game.pack.names[after.forehead[seat].bit_length() - 1]
                    heard[seat] += [*lines, *telling.table(view(game, after, seat), NAMES)]
                    assert not any(own in line for line in heard[seat])
                elif before.forehead[seat]:
                    own = game.pack.names[before.forehead[seat].bit_length() - 1]
                    assert any(f"had {own}" in line for line in lines)
                    rounds += 1
    assert rounds == 4 * 4 * 4


def test_the_others_of_a_player_hear_of_the_card_on_her_forehead_and_onlookers_do_not() -> None:
    game = GAMES["plump"]
    before, event, after = next(each for each in events(game, 4, {}, 1) if each[2].forehead[0])
    own = game.pack.names[after.forehead[2].bit_length() - 1]
    assert Line(2, f"shows {own}") in telling.news(game, before, event, after, 0)
    assert not [line for line in telling.news(game, before, event, after, ONLOOKER) if line.text.startswith("shows")]
    assert f"Toby {own}" in next(line for line in telling.table(view(game, after, 0), NAMES) if line.startswith("Foreheads"))
    assert "Your forehead: only the others see it" in telling.table(view(game, after, 2), NAMES)


def others(game: Game[Any], before: Any, event: Event, after: Any, seat: int, rng: list[int]) -> tuple[Any, Event, Any]:
    """The same for a seat, and all that it cannot see different: hidden cards before and after, and the order of what was shuffled."""
    if not isinstance(event, int):
        shuffled = list(event)
        if before.phase != LOTS:
            shuffle(shuffled, len(shuffled), rng)
        event = tuple(shuffled)
    return redeal(view(game, before, seat), rng), event, redeal(view(game, after, seat), rng)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_what_a_viewer_is_told_does_not_depend_on_what_she_cannot_see(game: Game[Any]) -> None:
    rng = [seeded(3, 1)]
    bare = dataclasses.replace(game, picture=None)
    short: dict[str, object] = {"games": 1} if "games" in game.options else {}
    for step, moment in enumerate(events(game, game.players[len(game.players) // 2], short, 11)):
        if step % 5 and isinstance(moment[1], int):
            continue
        for seat in (ONLOOKER, step % moment[0].players, (step + 1) % moment[0].players):
            changed = others(game, *moment, seat, rng)
            assert telling.news(game, *moment, seat) == telling.news(game, *changed, seat)
            assert telling.finished_round(game, moment[0], moment[2]) == telling.finished_round(game, changed[0], changed[2])
            names = tuple(map(str, range(moment[0].players)))
            for kind in (game, bare):
                assert telling.table(view(kind, moment[2], seat), names) == telling.table(view(kind, changed[2], seat), names)


def test_who_names_the_card_that_she_adds_to_a_meld_gets_none() -> None:
    game, told = GAMES["rummy"], []
    for before, event, after in events(game, 2, {"threshold": 0}, 1):
        if before.phase >= 0 and game.choices[before.phase].ask == "Which card do you add?":
            told += [[line.text for line in telling.news(game, before, event, after, 1 - before.turn)]]
            assert told[-1] == [f"chooses {game.choices[before.phase].notation[event].split()[-1]}"]
    assert told


# ---- the score sheet

PROTOCOL = """
Ticks  Lisa  Stephen  Toby  Rachel
   10    🌑       10    🌑      🌑
    9    🌑       🌑    14      🌑
    8    🌑       🌑    🌑      🌑
    7    12       🌑    🌑      11
    6    🌑       🌑    🌑      10
    5    11       🌑    🌑      🌑
    4    🌑       🌑    11      🌑
    3    🌑       🌑    🌑      11
    2    11       🌑    10      🌑
    1    🌑       🌑    10      🌑
    1    10       10    🌑      10
    1    10       10    10      🌑
    1    🌑       10    10      10
    2    10       11    🌑      🌑
    3    🌑       10    🌑      🌑
    4    🌑       🌑    12      🌑
    5    🌑       🌑    🌑      🌑
    6    🌑       🌑    11      🌑
    7    🌑       🌑    🌑      🌑
    8    🌑       🌑    🌑      🌑
    9    14       🌑    🌑      🌑
   10    🌑       🌑    🌑      🌑
Total    78       61    88      52
""".strip("\n").splitlines()


def test_the_score_sheet_of_plump_is_the_documents_protocol() -> None:
    game = GAMES["plump"]
    s, rows = plain.begin(game, 4), []
    for line in PROTOCOL[1:-1]:
        before = copy_of(s)
        ticks, *cells = line.replace("🌑", "0").split()
        s.cards, s.round = int(ticks), s.round + 1
        for seat, cell in enumerate(cells):
            s.points[seat] = int(cell)
            s.score[seat] += int(cell)
        rows.append(telling.finished_round(game, before, s))
        assert telling.finished_round(game, s, s) == []
    assert telling.score_sheet(game, NAMES, rows, s.score) == PROTOCOL


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_the_score_sheet_has_a_row_for_each_round_and_the_total(game: Game[Any]) -> None:
    rows = []
    for before, _, after in events(game, game.players[0], {"games": 2} if "games" in game.options else {}, 2):
        row = telling.finished_round(game, before, after)
        rows += [row] if row else []
    sheet = telling.score_sheet(game, NAMES[: after.players], rows, after.score)
    assert len(rows) == after.round
    assert len(sheet) == after.round + 2
    assert sheet[-1].split() == ["Total", *map(str, after.score[: after.players])]
    assert len({telling.width(line) for line in sheet}) == 1


# ---- the table


def test_a_run_that_is_being_laid_shows_the_jokers_where_they_are() -> None:
    game = GAMES["rummy"]
    s = plain.begin(game, 2)
    lisas = ["JR", "H8", "JR", "HT", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "CT"]
    deal = pack(*in_turn(lisas, STEPHENS), names=game.pack.names, copies=2)
    shown = []
    for text in (deal, "draw stock", "lay", "run H", "card JR", "card H8", "card JR", "card HT", "done"):
        plain.happen(game, s, plain.read(game, s, text))
        shown += [line for line in telling.table(view(game, s, 1), NAMES[:2]) if line.startswith(("Being", "Meld"))]
    assert shown == [
        "Being laid: JR",
        "Being laid: JR(H7) H8",
        "Being laid: JR(H7) H8 JR(H9)",
        "Being laid: JR(H7) H8 JR(H9) HT",
        "Meld 1: JR(H7) H8 JR(H9) HT",
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_the_table_is_told_to_everyone_at_any_moment(game: Game[Any]) -> None:
    for players in game.players:
        names = tuple(f"P{seat}" for seat in range(players))
        for step, s in enumerate(walk(game, players, {"games": 1} if "games" in game.options else {}, players)):
            if step % 9:
                continue
            for seat in (ONLOOKER, 0, players - 1):
                for kind in (game, dataclasses.replace(game, picture=None)):
                    table = telling.table(view(kind, s, seat), names)
                    hand = s.hand[seat] if seat >= 0 else 0
                    held = sorted([*members(hand[0]), *members(hand[1])]) if isinstance(hand, list) else list(members(hand))
                    own = [line for line in table if line.startswith("Your hand: ")]
                    said = [each for line in own for each in line.removeprefix("Your hand: ").replace(",", "").split()]
                    assert said == [game.pack.names[each] for each in held]
                    assert any(line.startswith("Score: ") for line in table)


def test_a_hand_is_sorted_with_a_comma_between_the_suits() -> None:
    cards = [card(name) for name in ("HQ", "C2", "SA", "H3", "CK")]
    assert telling.by_suit(GAMES["plump"], cards) == "C2 CK, H3 HQ, SA"


def test_options_are_shown_if_they_are_not_as_usual() -> None:
    game = GAMES["plump"]
    usual, other = (plain.begin(game, 4, options) for options in ({}, {"first_lead": "highest_bidder", "first_dealer": 1}))
    assert not [line for line in telling.table(view(game, usual, 0), NAMES) if line.startswith("Options")]
    assert "Options: first_lead=highest_bidder, first_dealer=1" in telling.table(view(game, other, 0), NAMES)


def test_the_table_of_plump_names_bids_ticks_and_the_trick() -> None:
    game = GAMES["plump"]
    s = plain.begin(game, 4, {})
    for text in (pack(names=game.pack.names), "bid 1", "bid 3", "bid 2", "bid 0", "play C2", "play C3"):
        plain.happen(game, s, plain.read(game, s, text))
    assert telling.table(view(game, s, 2), NAMES) == [
        "Round 1 of 22, ticks: 10, dealer: Rachel",
        "Bids: Lisa 1, Stephen 3, You 2, Rachel 0; 6 of 10",
        "Taken: Lisa 0, Stephen 0, You 0, Rachel 0",
        "Trick: Lisa C2, Stephen C3",
        "Score: Lisa 0, Stephen 0, You 0, Rachel 0",
        "Your hand: C4 C8 CQ, D3 D7 DJ, H2 H6 HT HA",
    ]


def test_the_last_trick_can_be_asked_for() -> None:
    game = GAMES["plump"]
    assert game.picture and game.picture.last
    s = plain.begin(game, 4, {})
    for text in (pack(names=game.pack.names), "bid 1", "bid 3", "bid 2", "bid 0"):
        plain.happen(game, s, plain.read(game, s, text))
    assert game.picture.last(s, NAMES) == ""
    for text in ("play C2", "play C3", "play C4", "play C5"):
        plain.happen(game, s, plain.read(game, s, text))
    assert game.picture.last(s, NAMES) == "Last trick: Lisa C2, Stephen C3, Toby C4, Rachel C5; taken by Rachel"


def test_the_melds_of_rummy_can_be_read() -> None:
    game = GAMES["rummy"]
    s = plain.begin(game, 2)
    plain.happen(game, s, plain.draw_chance(game, s, lambda things, n: None))
    melds = [(13 + 2, bit(6) | bit(8), bit(7)), (5, bit(0) | bit(2), bit(3)), (13 + 3, bit(0) | bit(2), bit(1)), (13, bit(12) | bit(13), bit(11))]
    for kind, natural, joker in melds:
        s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds] = kind, natural, joker
        s.melds += 1
    table = telling.table(view(game, s, 0), NAMES[:2])
    assert [line for line in table if line.startswith("Meld")] == [
        "Meld 1: H7 JR(H8) H9",
        "Meld 2: C7 H7 JB",
        "Meld 3: SA JB(S2) S3",
        "Meld 4: JB(CQ) CK CA",
    ]


def test_the_triangle_of_cascade_is_drawn_with_its_open_slots() -> None:
    game = GAMES["cascade"]
    s = plain.begin(game, 2)
    deals = [pack(*(suit + rank for rank in "592K76348"), names=game.pack.names) for suit in "CS"]
    for text in (*deals, "play C6", "column 1", "play S3", "column 2"):
        plain.happen(game, s, plain.read(game, s, text))
    table = telling.table(view(game, s, 0), NAMES[:2])
    assert table[:4] == [
        "Game 1 of 2, started by: You",
        "\n".join(
            [
                "  1     2     3     4     5     6     7     8     9     10",
                "  C5    S5    C9    S9    C2    S2    CK    SK    C7    S7",
                "     C6    S3   (3)   (4)   (5)   (6)   (7)   (8)   (9)",
                "       (1)    .     .     .     .     .     .     .",
                "           .     .     .     .     .     .     .",
                "              .     .     .     .     .     .",
                "                 .     .     .     .     .",
                "                    .     .     .     .",
                "                       .     .     .",
                "                          .     .",
                "                             .",
            ]
        ),
        "Open columns: 1 below C6 S3, 3 below C9 S9, 4 below S9 C2, 5 below C2 S2, 6 below S2 CK, 7 below CK SK, 8 below SK C7, 9 below C7 S7",
        "Cards played: You 1, Stephen 1",
    ]
