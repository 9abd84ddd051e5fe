"""A match in text: what each viewer reads, the score sheet, the table. Nothing that a viewer cannot see is ever in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playing import next_event, walk

from kortlek.cards import bit, card, height, members, top
from kortlek.engine import plain
from kortlek.engine.events import Event, Step, acts_of, events_of
from kortlek.engine.messages import why_not
from kortlek.engine.payoffs import sides_of
from kortlek.engine.plain import copy_of
from kortlek.engine.redeal import redeal
from kortlek.engine.rng import seeded, shuffle
from kortlek.engine.sheet import Row, columns, finished_round
from kortlek.engine.views import ONLOOKER, OPEN, view
from kortlek.game import DEAL, LOTS, OVER, SHUFFLE, Game, Layout
from kortlek.game import registry
from kortlek.game.registry import GAMES, layout_of
from kortlek.words.columns import width
from kortlek.words.sheet import score_sheet
from kortlek.words.table import text_table
from kortlek.words.words import words_of

NAMES = ("Lisa", "Stephen", "Toby", "Rachel")


def steps(game: Game[Any], players: int, options: dict[str, object], seed: int) -> Iterator[Step]:
    """A random match, step by step."""
    s, rng = plain.begin(game, players, options), [seeded(seed, 0)]
    while s.phase != OVER:
        before, event = copy_of(s), next_event(game, s, rng)
        plain.step(game, s, event)
        yield Step(before, event, copy_of(s))


def played(game: Game[Any], players: int, *texts: str, options: dict[str, object] | None = None) -> list[Step]:
    """A match given in notation."""
    s, done = plain.begin(game, players, options), []
    for text in texts:
        before, event = copy_of(s), plain.read(game, s, text)
        plain.step(game, s, event)
        done.append(Step(before, event, copy_of(s)))
    return done


def said(game: Game[Any], act: Sequence[Step], viewer: int, language: str = "en") -> list[str]:
    """What a viewer reads of an act."""
    return words_of(game, language).log(events_of(game, act, viewer), NAMES[: act[0].after.players], viewer)


def log(game: Game[Any], players: int, viewer: int, *texts: str, options: dict[str, object] | None = None, acts: int = 0) -> list[str]:
    """What a viewer reads of a match given in notation, from the n-th act on."""
    done = list(acts_of(game, played(game, players, *texts, options=options)))
    return [line for act in done[acts:] for line in said(game, act, viewer)]


def table(game: Game[Any], s: Any, viewer: int, language: str = "en", names: tuple[str, ...] = NAMES) -> list[str]:
    """The table that a viewer reads."""
    return text_table(view(game, s, viewer), words_of(game, language), names[: s.players])


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


def short(game: Game[Any]) -> dict[str, object]:
    """Options that make a match short."""
    return {"games": 1} if "games" in game.options else {}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game[Any]:
    return GAMES[request.param]


@pytest.fixture(params=["its own layout", "the default"])
def layout(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Every game also without a layout of its own."""
    if request.param == "the default":
        usual = registry.declared_in

        def without_layout(game: Game[Any], part: str, kind: type[Any]) -> Any:
            return None if kind is Layout else usual(game, part, kind)

        monkeypatch.setattr(registry, "declared_in", without_layout)
    layout_of.cache_clear()
    yield request.param
    monkeypatch.undo()
    layout_of.cache_clear()


# ---- the log

UP_AND_DOWN, RUMMY, PLUMP = GAMES["up_and_down"], GAMES["rummy"], GAMES["plump"]
SMALL: dict[str, object] = {"largest_round": 1, "first_bettor": 0}
ONE_HAND = [pack("C3", "H3", "D4", names=UP_AND_DOWN.pack.names), "bet 1", "bet 1", "play H3", "play C3"]


def test_a_match_is_told_to_a_player() -> None:
    assert log(UP_AND_DOWN, 2, 0, *ONE_HAND, options=SMALL) == [
        "Round 1",
        "Mesa: 4♦",
        "You begin",
        "You get 3♣",
        "You bet 1",
        "Stephen bets 1",
        "Stephen plays 3♥",
        "You play 3♣",
        "Stephen wins the hand",
        "Stephen scores 12",
        "You score 0",
        "Stephen wins",
    ]


def test_and_in_swedish() -> None:
    done = acts_of(UP_AND_DOWN, played(UP_AND_DOWN, 2, *ONE_HAND, options=SMALL))
    assert [line for act in done for line in said(UP_AND_DOWN, act, 0, "sv")] == [
        "Giv 1",
        "Mesa: 4♦",
        "Du börjar",
        "Du får 3♣",
        "Du bjuder 1",
        "Stephen bjuder 1",
        "Stephen spelar 3♥",
        "Du spelar 3♣",
        "Stephen tar sticket",
        "Stephen får 12 poäng",
        "Du får 0 poäng",
        "Stephen vinner",
    ]


def test_an_onlooker_hears_of_no_hand_and_an_open_game_of_all() -> None:
    onlooker = log(UP_AND_DOWN, 2, ONLOOKER, *ONE_HAND[:1], options=SMALL)
    assert onlooker == ["Round 1", "Mesa: 4♦", "Lisa begins"]
    assert log(UP_AND_DOWN, 2, OPEN, *ONE_HAND[:1], options=SMALL) == [*onlooker, "Lisa gets 3♣", "Stephen gets 3♥"]


def test_lots_are_told() -> None:
    lots = log(UP_AND_DOWN, 2, 0, "lots 1 0", ONE_HAND[0], options={"largest_round": 1})
    assert lots[:4] == ["Lots are drawn", "Round 1", "Mesa: 4♦", "Stephen begins"]


def test_what_comes_of_a_choice_for_its_player_is_in_the_same_line() -> None:
    events = [Event("play", 1, {"card": 31, "count": 3}), Event("gets_unseen", 1, {"count": 1}), Event("points", 0, {"value": 3})]
    assert words_of(GAMES["cascade"]).log(events, NAMES, 0) == ["Stephen plays 7♥ into column 3, gets a card", "You score 3"]
    assert words_of(GAMES["cascade"]).log(events, NAMES, 1) == ["You play 7♥ into column 3, get a card", "Lisa scores 3"]


@pytest.mark.parametrize(
    ("winners", "viewer", "said"),
    [
        ([2], 0, "Toby wins"),
        ([0], 0, "You win"),
        ([0, 2], OPEN, "Lisa and Toby share the win"),
        ([0, 2], 2, "Lisa and you share the win"),
        ([0, 1, 3], ONLOOKER, "Lisa, Stephen and Rachel share the win"),
        ([], 1, "Nobody wins"),
    ],
)
def test_the_end_says_who_shares_the_win(winners: list[int], viewer: int, said: str) -> None:
    assert words_of(PLUMP).ending(winners, NAMES, viewer) == said


def test_a_card_drawn_by_another_is_told_only_as_a_card() -> None:
    deal = pack(names=RUMMY.pack.names, copies=2)
    drawn = words_of(RUMMY).card(RUMMY.pack.names.index(deal.split()[1 + 26]))
    assert log(RUMMY, 2, 0, deal, "draw stock", acts=1) == [f"You draw from the stock, get {drawn}"]
    for viewer in (1, ONLOOKER):
        assert log(RUMMY, 2, viewer, deal, "draw stock", acts=1) == ["Lisa draws from the stock, gets a card"]


def test_a_meld_is_one_line_and_a_card_taken_openly_is_told_by_name() -> None:
    lisas = ["HQ", "HK", "HA", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "CT", "CJ"]
    deal = pack(*in_turn(lisas, STEPHENS), "D2", "D3", names=RUMMY.pack.names, copies=2)
    turn = ["draw stock", "lay", "run H", "card HQ", "card HK", "card HA", "done", "discard C2"]
    told = log(RUMMY, 2, 1, deal, *turn, "draw stock", "discard D3", "draw discard", options={"threshold": 30}, acts=1)
    assert told == [
        "Lisa draws from the stock, gets a card",
        "Lisa lays Q♥ K♥ A♥, has laid",
        "Lisa discards 2♣",
        "You draw from the stock, get 3♦",
        "You discard 3♦",
        "Lisa takes the top discard, gets 3♦",
    ]


def test_the_cards_of_a_one_tick_round_are_told_in_the_order_of_play() -> None:
    leaders = set()
    for seed in range(3):
        for act in acts_of(PLUMP, steps(PLUMP, 4, {"first_lead": "highest_bidder"}, seed)):
            lines, leader = said(PLUMP, act, ONLOOKER), act[-1].after.opener
            turned = [line.partition(" had ")[0] for line in lines if " had " in line]
            if turned:
                assert turned == [NAMES[(leader + after) % 4] for after in range(4)]
                assert sum(line.endswith("takes the tick") for line in lines) == 1
                leaders.add(leader)
    assert leaders == {0, 1, 2, 3}


def test_cards_shuffled_in_mid_game_are_no_new_deal() -> None:
    shuffled = next(step for step in steps(RUMMY, 6, {}, 3) if step.before.phase == SHUFFLE)
    assert said(RUMMY, [shuffled], 0) == ["The cards played so far are shuffled again"]


def test_after_a_deal_a_player_hears_of_her_whole_hand_whatever_she_held_before(game: Game[Any]) -> None:
    heard = 0
    for act in acts_of(game, steps(game, game.players[0], {"games": 3} if "games" in game.options else {}, 5)):
        after = act[-1].after
        if all(step.before.phase != DEAL for step in act) or not any(map(bool, after.hand)):
            continue
        gets = [event.args["cards"] for event in events_of(game, act, 1) if event.kind == "gets"]
        held = after.hand[1] if isinstance(after.hand[1], list) else [after.hand[1], 0]
        assert gets == [sorted([*members(held[0]), *members(held[1])])]
        heard += 1
    assert heard


# ---- hidden cards


def test_a_card_on_the_forehead_is_not_in_its_owners_log_before_it_is_played() -> None:
    words, rounds = words_of(PLUMP), 0
    for seed in range(4):
        heard: dict[int, list[str]] = {}
        for act in acts_of(PLUMP, steps(PLUMP, 4, {}, seed)):
            before, after = act[0].before, act[-1].after
            if before.phase < 0:
                heard = {seat: [] for seat in range(4)}
            for seat in range(4):
                lines = said(PLUMP, act, seat)
                if height(after.forehead[seat]):
                    own = words.card(top(after.forehead[seat]))
                    heard[seat] += [*lines, *table(PLUMP, after, seat)]
                    assert not any(own in line for line in heard[seat])
                elif height(before.forehead[seat]):
                    own = words.card(top(before.forehead[seat]))
                    assert any(f"had {own}" in line for line in lines)
                    rounds += 1
    assert rounds == 4 * 4 * 4


def test_the_others_of_a_player_hear_of_the_card_on_her_forehead_and_onlookers_do_not() -> None:
    act = next(act for act in acts_of(PLUMP, steps(PLUMP, 4, {}, 1)) if height(act[-1].after.forehead[0]))
    after = act[-1].after
    own = words_of(PLUMP).card(top(after.forehead[2]))
    assert f"Toby shows {own}" in said(PLUMP, act, 0)
    assert not [line for line in said(PLUMP, act, ONLOOKER) if " shows " in line]
    assert f"Toby {own}" in next(line for line in table(PLUMP, after, 0) if line.startswith("Foreheads"))
    assert "Your forehead: only the others see it" in table(PLUMP, after, 2)


def others(game: Game[Any], act: Sequence[Step], seat: int, rng: list[int]) -> list[Step]:
    """The same act for a seat, but with everything it cannot see different: hidden cards before and after, and the order of shuffled cards.
    Where all choose together the state before is kept: who has chosen is in no view."""
    changed = []
    for step in act:
        event = step.event
        if not isinstance(event, int):
            shuffled = list(event)
            if step.before.phase != LOTS:
                shuffle(shuffled, len(shuffled), rng)
            event = tuple(shuffled)
        together = step.before.phase >= 0 and game.choices[step.before.phase].together
        before = step.before if together else redeal(view(game, step.before, seat), rng)
        changed.append(Step(before, event, redeal(view(game, step.after, seat), rng)))
    return changed


def test_what_a_viewer_is_told_does_not_depend_on_what_she_cannot_see(game: Game[Any], layout: str) -> None:
    rng = [seeded(3, 1)]
    for number, act in enumerate(acts_of(game, steps(game, game.players[len(game.players) // 2], short(game), 11))):
        if number % 5 and isinstance(act[0].event, int) or number > 400:
            continue
        before, after = act[0].before, act[-1].after
        for seat in (ONLOOKER, number % after.players, (number + 1) % after.players):
            changed = others(game, act, seat, rng)
            assert events_of(game, act, seat) == events_of(game, changed, seat)
            assert finished_round(game, before, after) == finished_round(game, changed[0].before, changed[-1].after)
            names = tuple(map(str, range(after.players)))
            assert table(game, after, seat, names=names) == table(game, changed[-1].after, seat, names=names)


def test_a_card_that_is_added_to_a_meld_is_one_line() -> None:
    told = []
    for act in acts_of(RUMMY, steps(RUMMY, 2, {"threshold": 0}, 1)):
        if isinstance(act[0].event, int) and plain.write(RUMMY, act[0].before, act[0].event) == "add":
            told += said(RUMMY, act, 1 - act[0].before.turn)[:1]
    assert told
    assert all("adds" in line or "swaps" in line for line in told)
    assert all("gets" not in line or "joker" in line for line in told), "nobody gets a card by naming one"


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
    s, rows = plain.begin(PLUMP, 4), []
    for line in PROTOCOL[1:-1]:
        before = copy_of(s)
        ticks, *cells = line.replace("🌑", "0").split()
        s.hand_size, s.round = int(ticks), s.round + 1
        for seat, cell in enumerate(cells):
            s.points[seat] = int(cell)
            s.score[seat] += int(cell)
        row = finished_round(PLUMP, before, s)
        assert row
        rows.append(row)
        assert finished_round(PLUMP, s, s) is None
    assert score_sheet(words_of(PLUMP), NAMES, rows, s.score) == PROTOCOL


@pytest.mark.parametrize(("language", "total"), [("en", "Total"), ("sv", "Summa")])
def test_the_score_sheet_has_a_row_for_each_round_and_the_total(game: Game[Any], language: str, total: str) -> None:
    done = list(steps(game, game.players[0], {"games": 2} if "games" in game.options else {}, 2))
    rows, after = [row for step in done if (row := finished_round(game, step.before, step.after))], done[-1].after
    sheet = score_sheet(words_of(game, language), NAMES[: after.players], rows, after.score)
    assert len(rows) == after.round
    assert len(sheet) == after.round + 2
    assert sheet[-1].split() == [total, *(str(after.score[seat]) for seat, *_ in sides_of(game, after.players))]
    assert len({width(line) for line in sheet}) == 1


def test_partners_have_one_column_of_the_score_sheet_as_long_as_they_share_their_points() -> None:
    spades, rows = GAMES["spades"], [Row(1, [{"points": 42}, {"points": -50}] * 2)]
    assert score_sheet(words_of(spades), NAMES, rows, [42, -50, 42, -50], viewer=2)[0] == "Round  Lisa and you  Stephen and Rachel"
    assert columns(spades, 4, rows, [42, -50, 43, -50]) == [(0,), (1,), (2,), (3,)]
    assert columns(spades, 4, [Row(1, [{"points": points} for points in (1, 2, 3, 4)])], [0] * 4) == [(0,), (1,), (2,), (3,)]
    s = plain.begin(spades, 4)
    assert "Score: You and Toby 0, Stephen and Rachel 0" in text_table(view(spades, s, 0), words_of(spades), NAMES)


# ---- the table


def test_a_run_that_is_being_laid_shows_the_jokers_where_they_are() -> None:
    s = plain.begin(RUMMY, 2)
    lisas = ["JR", "H8", "JR", "HT", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "CT"]
    deal = pack(*in_turn(lisas, STEPHENS), names=RUMMY.pack.names, copies=2)
    shown = []
    for text in (deal, "draw stock", "lay", "run H", "card JR", "card H8", "card JR", "card HT", "done"):
        plain.step(RUMMY, s, plain.read(RUMMY, s, text))
        shown += [line for line in table(RUMMY, s, 1) if line.startswith(("Being", "Meld"))]
    assert shown == [
        "Being laid: red joker",
        "Being laid: red joker (7♥), 8♥",
        "Being laid: red joker (7♥), 8♥, red joker (9♥)",
        "Being laid: red joker (7♥), 8♥, red joker (9♥), 10♥",
        "Meld 1: red joker (7♥), 8♥, red joker (9♥), 10♥",
    ]


@pytest.mark.parametrize(("language", "yours", "score"), [("en", "Your hand: ", "Score: "), ("sv", "Din hand: ", "Poäng: ")])
def test_the_table_is_told_to_everyone_at_any_moment(game: Game[Any], layout: str, language: str, yours: str, score: str) -> None:
    words = words_of(game, language)
    for players in (game.players[0], game.players[-1]):
        names = tuple(f"P{seat}" for seat in range(players))
        for step, s in enumerate(walk(game, players, short(game), players)):
            if step % 9:
                continue
            for seat in (ONLOOKER, 0, players - 1):
                shown = table(game, s, seat, language, names)
                hand = s.hand[seat] if seat >= 0 else 0
                held = sorted([*members(hand[0]), *members(hand[1])]) if isinstance(hand, list) else list(members(hand))
                own = [line for line in shown if line.startswith(yours)]
                assert own == ([yours + words.by_suit(held)] if held else [])
                assert any(line.startswith(score) for line in shown)


def test_a_hand_is_sorted_with_a_comma_between_the_suits() -> None:
    cards = [card(name) for name in ("HQ", "C2", "SA", "H3", "CK")]
    assert words_of(PLUMP).by_suit(cards) == "2♣ K♣, 3♥ Q♥, A♠"
    assert words_of(GAMES["trick_paper_scissors"]).by_suit([14, 0, 2]) == "rock 1, rock 3; paper 2"


def test_options_are_shown_if_they_are_not_as_usual() -> None:
    usual, other = (plain.begin(PLUMP, 4, options) for options in ({}, {"first_lead": "highest_bidder", "first_dealer": "random"}))
    assert not [line for line in table(PLUMP, usual, 0) if line.startswith("Options")]
    assert "Options: First lead: the highest bidder, First dealer: drawn by lot" in table(PLUMP, other, 0)
    assert "Varianter: Första utspel: den som bjöd högst, Första giv: lottas" in table(PLUMP, other, 0, "sv")


def test_the_table_of_plump_names_bids_ticks_and_the_tick() -> None:
    texts = (pack(names=PLUMP.pack.names), "bid 1", "bid 3", "bid 2", "bid 0", "play C2", "play C3")
    assert table(PLUMP, played(PLUMP, 4, *texts)[-1].after, 2) == [
        "Round 1 of 22, ticks: 10, dealer: Rachel",
        "Bids: Lisa 1, Stephen 3, You 2, Rachel 0; 6 of 10",
        "Taken: Lisa 0, Stephen 0, You 0, Rachel 0",
        "Tick: Lisa 2♣, Stephen 3♣",
        "Score: Lisa 0, Stephen 0, You 0, Rachel 0",
        "Your hand: 4♣ 8♣ Q♣, 3♦ 7♦ J♦, 2♥ 6♥ 10♥ A♥",
    ]


def test_the_last_trick_can_be_asked_for() -> None:
    last = layout_of(PLUMP).last
    assert last
    texts = (pack(names=PLUMP.pack.names), "bid 1", "bid 3", "bid 2", "bid 0", "play C2", "play C3", "play C4", "play C5")
    done = played(PLUMP, 4, *texts)
    assert last(done[4].after) is None
    message = last(done[-1].after)
    assert message
    assert words_of(PLUMP).say(message, NAMES) == "Last tick: Lisa 2♣, Stephen 3♣, Toby 4♣, Rachel 5♣; taken by Rachel"
    assert words_of(PLUMP, "sv").say(message, NAMES, 3) == "Förra sticket: Lisa 2♣, Stephen 3♣, Toby 4♣, Du 5♣; taget av dig"


def test_the_melds_of_rummy_can_be_read() -> None:
    s = plain.begin(RUMMY, 2)
    plain.step(RUMMY, s, plain.resolve_chance(RUMMY, s, lambda things, n: None))
    melds = [(13 + 2, bit(6) | bit(8), bit(7)), (5, bit(0) | bit(2), bit(3)), (13 + 3, bit(0) | bit(2), bit(1)), (13, bit(12) | bit(13), bit(11))]
    for kind, natural, joker in melds:
        s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds] = kind, natural, joker
        s.melds += 1
    assert [line for line in table(RUMMY, s, 0) if line.startswith("Meld")] == [
        "Meld 1: 7♥, red joker (8♥), 9♥",
        "Meld 2: 7♣, 7♥, black joker",
        "Meld 3: A♠, black joker (2♠), 3♠",
        "Meld 4: black joker (Q♣), K♣, A♣",
    ]


def test_the_triangle_of_cascade_is_drawn_with_its_open_slots() -> None:
    game = GAMES["cascade"]
    deals = [pack(*(suit + rank for rank in "592K76348"), names=game.pack.names) for suit in "CS"]
    shown = table(game, played(game, 2, *deals, "play C6", "column 1", "play S3", "column 2")[-1].after, 0)
    assert shown[:4] == [
        "Game 1 of 2, started by: You",
        "\n".join(
            [
                "  1     2     3     4     5     6     7     8     9     10",
                "  5♣    5♠    9♣    9♠    2♣    2♠    K♣    K♠    7♣    7♠",
                "     6♣    3♠   (3)   (4)   (5)   (6)   (7)   (8)   (9)",
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
        "Open columns: 1 below 6♣ 3♠, 3 below 9♣ 9♠, 4 below 9♠ 2♣, 5 below 2♣ 2♠, 6 below 2♠ K♣, 7 below K♣ K♠, 8 below K♠ 7♣, 9 below 7♣ 7♠",
        "Cards played: You 1, Stephen 1",
    ]


def test_without_a_reason_of_its_own_a_game_says_what_is_allowed(monkeypatch: pytest.MonkeyPatch, layout: str) -> None:
    s = played(UP_AND_DOWN, 2, *ONE_HAND[:3], options=SMALL)[-1].after
    reason = words_of(UP_AND_DOWN).say(why_not(UP_AND_DOWN, s, 0))
    expected = {"its own layout": "You do not hold 2♣: play one of 3♥.", "the default": "That is not allowed. Allowed: Play 3♥."}
    assert reason == expected[layout]
