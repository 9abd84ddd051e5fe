"""What the contract (kortlek.game) promises, tested with small games made for this purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from kortlek.cards import NOTHING, Card, Cards, Multiset, Pile, Wide, bit, kinds_in, members, nth_card, pop, push
from kortlek.engine import plain
from kortlek.engine.events import Step, acts_of, events_of
from kortlek.engine.ranges import out_of_range
from kortlek.engine.redeal import prepare, redeal
from kortlek.engine.redeal_plan import deal_out, lay_out
from kortlek.engine.rng import seeded
from kortlek.engine.views import ONLOOKER, Place, view
from kortlek.game import CARD, DEAL, MATCH, NOBODY, OVER, OWNER, SHUFFLE, Choice, Game, Pack, State, all_have_chosen, amount, card, cards
from kortlek.game import choose_together, count, flag, held, known_to, multiset, next_active_seat, one_of, pile, seat, seats_of, state, suit, wide
from kortlek.game.layout import default_counters, default_status


def nothing_to_deal(s: Any, pack: list[Card]) -> None:
    """Deal nothing: the tests place the cards themselves."""
    s.phase = 0


def ends(s: Any, choice: int) -> None:
    """Every choice ends the match."""
    s.phase = OVER


def made(kind: type[Any], pack: Pack, *choices: Choice, **more: Any) -> Game[Any]:
    """A game of which only the declaration matters."""
    usual: dict[str, Any] = {"deal": nothing_to_deal, "legal": lambda s: 1, "apply": ends, "choices": choices or (Choice("end"),)}
    return Game("made", **{"players": range(2, 1 + seats_of(kind)), "state": kind, "pack": pack, **usual, **more})


def begun(game: Game[Any], players: int = 2) -> Any:
    """A match in phase 0, without cards."""
    s = plain.begin(game, players)
    s.phase = 0
    return s


# ---- wide places


@state(seats=4)
class Many(State):
    hand: list[Wide] = wide(80, per_seat=True, seen_by=OWNER)


def test_cards_counted_in_a_wide_hand_are_counted_by_kind_so_that_notation_reads_back() -> None:
    game = made(Many, Pack(tuple(f"k{n}" for n in range(80)), copies=2), Choice("play", held("hand")), legal=lambda s: kinds_in(s.hand[s.turn]))
    s = begun(game)
    for kind, many in ((3, 2), (70, 1), (79, 2)):
        s.hand[0][kind] = many
    assert kinds_in(s.hand[0]) == 0b111 and [nth_card(s.hand[0], n) for n in range(4)] == [3, 70, 79, NOTHING]
    written = [plain.write(game, s, choice) for choice in members(game.legal(s))]
    assert written == ["play k3", "play k70", "play k79"]
    assert [plain.read(game, s, text) for text in written] == [0, 1, 2]
    with pytest.raises(plain.Refused, match="allowed: play k3, play k70, play k79"):
        plain.read(game, s, "play k4")


# ---- hidden numbers


@state(seats=3)
class Secrets(State):
    traitor: list[int] = flag(per_seat=True, seen_by=OWNER)
    sealed: list[int] = count(3, 6, start=NOTHING, per_seat=True, seen_by=OWNER)
    several: list[list[int]] = count(1, 3, start=0, per_seat=True, length=2, seen_by=OWNER)
    goal: int = card(seen_by=NOBODY)
    ally: list[int] = seat(start=NOTHING, per_seat=True, seen_by=OWNER)
    colour: list[int] = suit(per_seat=True, seen_by=OWNER)
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)


SECRETS = made(Secrets, Pack(("a", "b", "c", "d", "e")), players=range(2, 4))


def with_secrets() -> Any:
    s = begun(SECRETS, 3)
    s.hand[:] = [0b00001, 0b00110, 0b11000]
    s.traitor[:] = [0, 1, 0]
    s.sealed[:] = [5, 3, NOTHING]
    s.several[1][:] = [0, 2]
    s.goal = 4
    s.ally[2] = 0
    s.colour[1] = 3
    return s


def test_what_is_hidden_is_masked_and_nothing_tells_a_role() -> None:
    s = with_secrets()
    seen = view(SECRETS, s, 0)
    m = seen.state
    assert (m.traitor, m.sealed, m.several[1], m.goal, m.ally, m.colour) == ([0, 0, 0], [5, -1, -1], [0, 0], -1, [-1] * 3, [-1] * 3)
    numbers = {place: many for place, many in seen.sizes.items() if place.field != "hand"}
    assert not any(place.field == "traitor" for place in numbers)
    set_ones = {place for place, many in numbers.items() if many}
    assert set_ones == {Place("sealed", 1), Place("several", 1), Place("goal"), Place("ally", 2), Place("colour", 1)}
    assert numbers[Place("several", 1)] == 0b10
    s.traitor[:] = [0, 0, 1]
    assert view(SECRETS, s, 0) == seen


def test_a_table_without_a_layout_shows_no_hidden_number() -> None:
    assert (default_status(Secrets), default_counters(Secrets)) == ((), ())


def test_hidden_numbers_are_drawn_uniformly_from_their_range() -> None:
    seen = view(SECRETS, with_secrets(), 0)
    drawn: dict[str, Counter[Any]] = {}
    rng, times = [seeded(3, 0)], 6000
    for _ in range(times):
        s = redeal(seen, rng)
        assert view(SECRETS, s, 0) == seen and s.sealed[0] == 5 and s.traitor[0] == 0
        for name in ("traitor", "sealed", "goal", "ally", "colour"):
            value = getattr(s, name)
            drawn.setdefault(name, Counter())[tuple(value) if isinstance(value, list) else value] += 1
        drawn.setdefault("several", Counter())[tuple(s.several[1])] += 1
    expected: dict[str, set[Any]] = {
        "traitor": {(0, a, b) for a in (0, 1) for b in (0, 1)},
        "sealed": {(5, bid, -1) for bid in (3, 4, 5, 6)},
        "several": {(0, n) for n in (1, 2, 3)},
        "goal": set(range(5)),
        "ally": {(-1, -1, whom) for whom in range(3)},
        "colour": {(-1, each, -1) for each in range(4)},
    }
    for name, values in expected.items():
        assert drawn[name].keys() == values
        assert all(abs(many - times / len(values)) < 5 * (times / len(values)) ** 0.5 for many in drawn[name].values()), (name, drawn[name])


def test_compiled_redeals_draw_the_same_hidden_numbers() -> None:
    pytest.importorskip("numba")
    from kortlek import compiled

    seen = view(SECRETS, with_secrets(), 0)
    guess = prepare(seen)

    def make(game: Game[Any], compile: Any = lambda function: function) -> Any:
        def again(states: Any, flat: Any, plans: Any, ways: Any, rng: Any) -> None:
            deal_out(plans[0], ways, rng)
            lay_out(states, flat, plans[0])

        return compile(again)

    root, states, flat, plans, ways = compiled.search_states(guess)
    run, rng, same = compiled.build(make, SECRETS), compiled.int_array(1), [seeded(8, 8)]
    rng[0] = same[0]
    for _ in range(50):
        states[:] = root
        run(states, flat, plans, ways, rng)
        assert compiled.from_record(Secrets, states[0]) == redeal(seen, same)


# ---- declarations that cannot work are refused in one sentence


@state
class Sets(State):
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)


@state
class Twos(State):
    hand: list[Multiset] = multiset(2, per_seat=True, seen_by=OWNER)


@state
class Pair(State):
    hand: list[Wide] = wide(2, per_seat=True, seen_by=OWNER)


@state
class Told(State):
    hand: list[Wide] = wide(63, per_seat=True, seen_by=OWNER)
    passed: list[list[Cards]] = known_to("hand")


@state
class Hides(State):
    secrets: list[list[int]] = count(0, 9, per_seat=True, length=5, seen_by=OWNER)


MANY_NAMES = tuple(f"k{n}" for n in range(63))


@pytest.mark.parametrize(
    ("kind", "pack", "choice", "says"),
    [
        (Sets, Pack(MANY_NAMES), Choice("end"), r"made: Sets.hand is a set of at most 62 kinds of card, but the pack has 63: use wide\(63\)"),
        (
            Sets,
            Pack(("a", "b"), copies=(1, 2)),
            Choice("end"),
            r"Sets.hand is a set, but there are 2 copies of a card: use multiset\(2\) or wide\(2\)",
        ),
        (Twos, Pack(("a", "b"), copies=(1, 4)), Choice("end"), r"Twos.hand has room for 2 copies of a card, but the pack has 4: use multiset\(4\)"),
        (Many, Pack(MANY_NAMES), Choice("end"), r"Many.hand has room for 80 kinds of card, but the pack has 63: use wide\(63\)"),
        (Pair, Pack(("a", "b"), copies=(1, 128)), Choice("end"), "Pair.hand has room for 127 copies of a card, but the pack has 128"),
        (Told, Pack(MANY_NAMES), Choice("end"), r"Told.passed is a set of at most 62 kinds .* use known_to\(..., kinds=63\)"),
        (Many, Pack(tuple(f"k{n}" for n in range(80))), Choice("play", CARD), r"at most 62 alternatives, play has 80: .* held\('hand'\)"),
        (Hides, Pack(("a",)), Choice("end"), r"made hides 65 numbers \(secrets\), but a game hides at most 64"),
        (Many, Pack(tuple(f"k{n}" for n in range(80)), copies=3), Choice("end"), "a pack has at most 167 cards, this one has 240"),
    ],
)
def test_a_declaration_that_cannot_work_is_refused(kind: type[Any], pack: Pack, choice: Choice, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        made(kind, pack, choice)


# ---- ranges


@pytest.mark.parametrize(
    ("name", "at", "value", "says"),
    [
        ("sealed", 1, 7, "s.sealed[1] is 7, but it is declared from 3 to 6."),
        ("sealed", 1, 2, "s.sealed[1] is 2, but it is declared from 3 to 6."),
        ("sealed", 1, NOTHING, ""),
        ("traitor", 2, 2, "s.traitor[2] is 2, but a flag holds numbers from 0 to 1."),
        ("ally", 0, 3, "s.ally[0] is 3, but a seat holds numbers from -1 to 2."),
        ("colour", 0, 4, "s.colour[0] is 4, but a suit holds numbers from -1 to 3."),
        ("hand", 0, 0b100000, "s.hand[0] is 32, but its bits are a set from 0 to 31."),
        ("score", 0, 2_000_000_000, "s.score[0] is 2000000000, but it is declared from -1000000000 to 1000000000."),
    ],
)
def test_a_value_that_a_field_cannot_hold_is_named(name: str, at: int, value: int, says: str) -> None:
    s = with_secrets()
    assert out_of_range(SECRETS, s) == ""
    getattr(s, name)[at] = value
    assert out_of_range(SECRETS, s) == says


def test_a_card_of_no_kind_and_a_pile_that_is_too_full_are_named() -> None:
    s = with_secrets()
    s.goal = 5
    assert out_of_range(SECRETS, s) == "s.goal is 5, but a card holds numbers from -1 to 4."
    game = made(Rounds, Pack(("a", "b", "c")))
    s = begun(game)
    push(s.stock, 2)
    assert out_of_range(game, s) == ""
    s.stock[1] = 3
    assert out_of_range(game, s) == "s.stock[1] is 3, but a place holds numbers from -1 to 2."
    s.stock[0] = 4
    assert out_of_range(game, s) == "s.stock holds 4 cards, but has room for 3."


# ---- what begins anew


@state(seats=3)
class Rounds(State):
    stock: Pile = pile(3)
    rows: list[Pile] = pile(2, piles=2)
    bids: list[int] = count(0, 5, start=NOTHING, per_seat=True)
    grid: list[list[int]] = count(1, 9, per_seat=True, length=2)
    kept: list[int] = count(0, 99, per_seat=True, reset=MATCH)
    known: list[list[Cards]] = known_to("hand")
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)
    leader: int = seat(start=NOTHING)
    order: int = count(0, 9, reset=MATCH)


def test_the_fields_of_a_round_begin_anew_before_every_deal_and_those_of_the_match_never() -> None:
    seen: list[Any] = []

    def deal(s: Rounds, pack: list[Card]) -> None:
        seen.append((s.stock[:], [row[:] for row in s.rows], s.bids[:], [row[:] for row in s.grid], [row[:] for row in s.known], s.hand[:], s.leader))
        for each in pack[:3]:
            push(s.stock, each)
        push(s.rows[1], 1)
        s.bids[1], s.grid[0][1], s.known[1][0], s.hand[2], s.leader, s.phase = 4, 7, 5, 1, 2, 0
        s.kept[1] += 1
        s.order += 1

    def apply(s: Rounds, choice: int) -> None:
        s.round += 1
        s.phase = DEAL if s.round < 3 else OVER

    game = made(Rounds, Pack(("a", "b", "c")), deal=deal, apply=apply, players=range(3, 4))
    s = plain.begin(game, 3)
    while s.phase != OVER:
        plain.step(game, s, 0 if s.phase >= 0 else tuple(plain.to_shuffle(game, s)))
    blank = ([0, -1, -1, -1], [[0, -1, -1]] * 2, [-1] * 3, [[1, 1]] * 3, [[0] * 3] * 3, [0] * 3, -1)
    assert seen == [blank] * 3
    assert s.kept[:3] == [0, 3, 0] and s.order == 3 and s.bids[1] == 4


# ---- the end of a round


def test_a_round_can_end_with_a_shuffle() -> None:
    def apply(s: Rounds, choice: int) -> None:
        s.phase = SHUFFLE

    def reshuffle(s: Rounds, pack: list[Card]) -> None:
        s.leader = pack[0]
        s.phase = 0

    game = made(
        Rounds,
        Pack(("a", "b", "c")),
        apply=apply,
        reshuffle=reshuffle,
        round_over=lambda s: s.leader == 2,
        points=lambda s, seat: seat,
        over=lambda s: s.round == 2,
    )
    s = plain.begin(game, 2)
    for event in ((0, 1, 2), 0, (1, 0, 2), 0, (2, 1, 0)):
        assert plain.is_legal(game, s, event)
        plain.step(game, s, event)
    assert (s.phase, s.round, s.score[:2]) == (DEAL, 1, [0, 1])


# ---- who is out


def test_players_who_are_out_are_passed_over() -> None:
    s = begun(made(Sets, Pack(("a",))), 4)
    s.out = 0b0110
    assert [next_active_seat(s, seat) for seat in range(4)] == [3, 3, 3, 0]
    choose_together(s, 0)
    assert (s.waiting, s.turn) == (0b1001, 0)
    assert not all_have_chosen(s) and s.turn == 3
    assert all_have_chosen(s)
    s.out = 0b1101
    assert next_active_seat(s, 1) == 1


# ---- choosing together


@state(seats=3)
class Sealed(State):
    bid: list[int] = count(0, 3, start=NOTHING, per_seat=True, seen_by=OWNER)
    asked: list[int] = count(0, 2, per_seat=True, seen_by=OWNER)


def seal(s: Sealed, choice: int) -> None:
    """Each player bids twice; there are two rounds of bids."""
    s.bid[s.turn] = choice
    s.asked[s.turn] += 1
    if s.asked[s.turn] == 2 and all_have_chosen(s):
        s.score[0] += 1
        for seat in range(s.players):
            s.bid[seat] = NOTHING
            s.asked[seat] = 0
        if s.score[0] == 2:
            s.phase = OVER
        else:
            choose_together(s, 0)


SEALED = made(
    Sealed,
    Pack(("a",)),
    Choice("bid", amount(0, 3), together=True),
    deal=lambda s, pack: choose_together(s, 0),
    legal=lambda s: 15,
    apply=seal,
)


def steps_of(game: Game[Any], s: Any, *events: plain.Event) -> Iterator[Step]:
    for event in events:
        assert plain.is_legal(game, s, event)
        before = plain.copy_of(s)
        plain.step(game, s, event)
        yield Step(before, event, plain.copy_of(s))


def test_choices_made_together_are_one_act_and_the_next_ones_another() -> None:
    s = plain.begin(SEALED, 3)
    acts = list(acts_of(SEALED, steps_of(SEALED, s, (0,), *range(2), *range(2), *range(2), *[3] * 6)))
    assert [len(act) for act in acts] == [1, 6, 6]
    assert [event.kind for event in events_of(SEALED, acts[1], 1)] == ["bid", "bid", "bid"]


def test_while_all_choose_nobody_sees_who_has_chosen() -> None:
    s = plain.begin(SEALED, 3)
    plain.step(SEALED, s, (0,))
    not_yet = {seat: view(SEALED, s, seat) for seat in (ONLOOKER, 1, 2)}
    for choice in (2, 1):
        plain.step(SEALED, s, choice)
        assert {seat: view(SEALED, s, seat) for seat in not_yet} == not_yet
    done = view(SEALED, s, 0)
    assert (done.state.bid, done.state.waiting, done.state.turn, done.legal) == ([1, -1, -1], 0b110, 1, 0)
    plain.step(SEALED, s, 3)
    plain.step(SEALED, s, 0)
    assert (s.waiting, s.turn) == (0b100, 2)
    assert view(SEALED, s, 0) == done and view(SEALED, s, 2) == not_yet[2] and view(SEALED, s, ONLOOKER) == not_yet[ONLOOKER]
    assert not_yet[2].legal == 15 and not_yet[2].state.turn == 2


# ---- secret choices


def test_others_hear_that_something_was_chosen_but_not_what() -> None:
    game = made(Sealed, Pack(("a",)), Choice("bid", amount(0, 3), seen_by=OWNER), legal=lambda s: 15)
    (step,) = steps_of(game, begun(game), 2)
    told = {viewer: events_of(game, [step], viewer)[0] for viewer in (0, 1, ONLOOKER)}
    assert told == {0: ("bid", 0, {"count": 2}), 1: ("bid", 0, {}), ONLOOKER: ("bid", 0, {})}


def test_of_secret_cards_others_hear_how_many() -> None:
    def apply(s: Open, choice: Card) -> None:
        s.hand[s.turn] &= ~bit(choice)
        push(s.stock, choice)
        s.turn = int(s.stock[0] == 2)

    choice = Choice("bury", CARD, seen_by=OWNER, act="bury")
    game = made(Open, Pack(tuple("abcdef")), choice, apply=apply, legal=lambda s: s.hand[s.turn])
    s = begun(game)
    s.hand[:] = [0b111, 0b111000]
    (act,) = acts_of(game, steps_of(game, s, 0, 2))
    told = {viewer: events_of(game, act, viewer)[0] for viewer in (0, 1, ONLOOKER)}
    assert told == {0: ("bury", 0, {"cards": [0, 2]}), 1: ("bury", 0, {"count": 2}), ONLOOKER: ("bury", 0, {"count": 2})}


# ---- cards that are laid open


@state(seats=2)
class Open(State):
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)
    shown: list[Cards] = cards(per_seat=True)
    board: Cards = cards()
    rows: list[Pile] = pile(3, piles=2)
    stock: Pile = pile(6, seen_by=NOBODY)


def test_cards_that_are_laid_open_are_told_once_and_not_those_that_were_played_or_lay_open() -> None:
    def apply(s: Open, choice: Card) -> None:
        s.hand[0] &= ~bit(choice)
        s.board = 0
        s.shown[0] |= bit(choice)
        s.shown[1] |= s.hand[1] | bit(5)
        s.hand[1] = 0
        push(s.rows[1], pop(s.stock))
        s.phase = OVER

    game = made(Open, Pack(tuple("abcdef")), Choice("play", CARD), apply=apply, legal=lambda s: s.hand[s.turn])
    s = begun(game)
    s.hand[:], s.board = [0b011, 0b100], bit(5)
    push(s.stock, 3)
    push(s.stock, 4)
    (step,) = steps_of(game, s, 0)
    for viewer in (0, 1, ONLOOKER):
        told = [(event.kind, event.seat, event.args) for event in events_of(game, [step], viewer)]
        assert told[:3] == [("play", 0, {"card": 0}), ("shows", 1, {"cards": [2]}), ("face_up", NOTHING, {"place": "rows", "cards": [4], "pile": 2})]
        assert [kind for kind, _, _ in told[3:]] == ["match_over"]


def test_a_name_is_told_by_its_name() -> None:
    game = made(Open, Pack(tuple("abcdef")), Choice("call", one_of("low", "high")), legal=lambda s: 3)
    (step,) = steps_of(game, begun(game), 1)
    assert events_of(game, [step], 0)[0].args == {"name": "high"}
