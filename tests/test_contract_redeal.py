"""Redeals of packs with unequal numbers of copies, of wide places and of large packs, with public and private knowledge: every consistent deal is
equally likely, which is proved by enumerating all of them."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from test_contract import begun, made

from kortlek.cards import Card, Cards, Multiset, Pile, Wide, bit
from kortlek.engine import plain
from kortlek.engine.redeal import prepare, redeal
from kortlek.engine.redeal_plan import deal_out, lay_out
from kortlek.engine.rng import seeded, shuffle
from kortlek.engine.views import Place, content, put, view
from kortlek.game import NOBODY, OWNER, Game, Pack, State, card_set, count, fields_of, known_to, multiset, pile, state, wide

A, B, C, D = range(4)
UNEVEN = Pack(("a", "b", "c", "d"), copies=(1, 2, 3, 1))


@state(seats=3)
class InMultisets(State):
    hand: list[Multiset] = multiset(3, per_seat=True, seen_by=OWNER, known_absent="absent", known_present="present")
    absent: list[Cards] = card_set(per_seat=True)
    present: list[Multiset] = card_set(per_seat=True, length=3)
    passed: list[list[Multiset]] = known_to("hand", copies=3)
    stock: Pile = pile(7, seen_by=NOBODY)


@state(seats=3)
class InWidePlaces(State):
    hand: list[Wide] = wide(4, per_seat=True, seen_by=OWNER, known_absent="absent", known_present="present")
    absent: list[list[int]] = count(0, 3, per_seat=True, length=4)
    present: list[list[int]] = count(0, 3, per_seat=True, length=4)
    passed: list[list[list[int]]] = known_to("hand", kinds=4)
    stock: Pile = pile(7, seen_by=NOBODY)


def learn(kind: type[State], knowledge: Any, card: Card, how_many: int) -> None:
    """Record that this many copies of a card are known to be in a place (or known to be absent)."""
    if kind is InWidePlaces:
        knowledge[card] += how_many
    else:
        for plane in range(how_many):
            knowledge[plane] |= bit(card)


def listing(game: Game[Any], s: Any, unseen: list[Card], fits: Any) -> Counter[str]:
    """Enumerate every order of the unseen cards, all cards distinct, that is consistent with what is known, and count the resulting states. Two
    cards go to seat 1, two to seat 2, and two to the stock."""
    found: Counter[str] = Counter()
    hand, stock = fields_of(game.state)["hand"].storage, fields_of(game.state)["stock"].storage
    assert hand and stock
    for order in permutations(range(len(unseen))):
        first, second, third = order[:2], order[2:4], order[4:]
        if not fits(first, second):
            continue
        deal = plain.copy_of(s)
        put(deal, Place("hand", 1), hand, [unseen[at] for at in first])
        put(deal, Place("hand", 2), hand, [unseen[at] for at in second])
        put(deal, Place("stock"), stock, [unseen[at] for at in third])
        found[repr(deal)] += 1
    return found


@pytest.mark.parametrize("kind", [InMultisets, InWidePlaces])
@pytest.mark.parametrize("known", ["nothing", "absent", "present", "private", "all"])
def test_every_deal_of_an_uneven_pack_is_equally_likely(kind: type[Any], known: str) -> None:
    game = made(kind, UNEVEN)
    s = begun(game, 3)
    storage = fields_of(kind)["hand"].storage
    assert storage
    put(s, Place("hand", 0), storage, [B])
    s.stock[0] = 2
    unseen = [C, D, A, B, C, C]  # the first of them are known to be in a place
    if known in ("absent", "all"):
        if kind is InWidePlaces:
            s.absent[1][C] = 3
        else:
            s.absent[1] = bit(C)
    if known in ("present", "all"):
        learn(kind, s.present[2], C, 1)
    if known in ("private", "all"):
        learn(kind, s.passed[0][1], D, 1)

    def fits(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
        lacks = known not in ("absent", "all") or all(unseen[at] != C for at in first)
        return lacks and (known not in ("present", "all") or 0 in second) and (known not in ("private", "all") or 1 in first)

    expected = listing(game, s, unseen, fits)
    true = plain.copy_of(s)
    put(true, Place("hand", 1), storage, [D, B])
    put(true, Place("hand", 2), storage, [C, C])
    put(true, Place("stock"), fields_of(kind)["stock"].storage, [A, C])  # type: ignore[arg-type]
    seen = view(game, true, 0)
    guess, rng, times = prepare(seen), [seeded(4, 0)], 300 * len(expected)
    drawn: Counter[str] = Counter()
    for _ in range(times):
        deal = plain.copy_of(guess.known)
        deal_out(guess.plan, guess.ways, rng)
        lay_out([deal], None, guess.plan)
        drawn[repr(deal)] += 1
    assert drawn.keys() == expected.keys() and len(expected) > 1
    total = sum(expected.values())
    off = sum((drawn[deal] - times * ways / total) ** 2 / (times * ways / total) for deal, ways in expected.items())
    assert off < len(expected) + 5 * (2 * len(expected)) ** 0.5  # five standard deviations of chi squared


def test_only_the_player_who_passed_a_card_knows_where_it_lies() -> None:
    game = made(InMultisets, UNEVEN)
    s = begun(game, 3)
    for seat, cards in enumerate(([B, B], [C, D], [A, C, C])):
        put(s, Place("hand", seat), fields_of(InMultisets)["hand"].storage, cards)  # type: ignore[arg-type]
    s.passed[0][1][0] = bit(D)
    with_d = {seat: [D in content_of(redeal(view(game, s, seat), [seeded(seat, n)]), 1) for n in range(60)] for seat in (0, 2)}
    assert all(with_d[0]) and 10 < sum(with_d[2]) < 50
    assert view(game, s, 2).state.passed[0] == [[0, 0, 0]] * 3 and view(game, s, 0).state.passed[0][1] == [bit(D), 0, 0]
    s.passed[0][1][0] = 0
    assert 10 < sum(D in content_of(redeal(view(game, s, 0), [seeded(0, n)]), 1) for n in range(60)) < 50


def content_of(s: Any, seat: int) -> list[Card]:
    """The cards of a hand."""
    return [card for card in range(4) for plane in content(s, Place("hand", seat)) if plane >> card & 1]


# ---- large packs


@state(seats=4)
class Large(State):
    hand: list[Wide] = wide(80, per_seat=True, seen_by=OWNER, known_absent="absent")
    absent: list[list[int]] = count(0, 2, per_seat=True, length=80)
    stock: Pile = pile(160, seen_by=NOBODY)
    discards: Pile = pile(160)


def dealt_large(players: int) -> tuple[Game[Any], Any]:
    """A deal of 160 cards of 80 kinds: 35 each, four on the table; only the first seat may hold one of the ten lowest kinds."""
    game = made(Large, Pack(tuple(f"k{n}" for n in range(80)), copies=2))
    s = plain.begin(game, players)
    cards = plain.to_shuffle(game, s)
    assert len(cards) == 160
    shuffle(cards, 160, [seeded(9, players)])
    s.phase = 0
    low = [card for card in cards if card < 10]
    others = [card for card in cards if card >= 10]
    put(s, Place("hand", 0), fields_of(Large)["hand"].storage, low + others[:15])  # type: ignore[arg-type]
    for seat in range(1, players):
        put(s, Place("hand", seat), fields_of(Large)["hand"].storage, others[15 + 35 * (seat - 1) : 15 + 35 * seat])  # type: ignore[arg-type]
        s.absent[seat][:10] = [2] * 10
    rest = others[15 + 35 * (players - 1) :]
    s.stock[0], s.discards[0] = len(rest) - 4, 4
    s.discards[1:5], s.stock[1 : len(rest) - 3] = rest[:4], rest[4:]
    return game, s


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_pack_of_160_cards_is_redealt(players: int) -> None:
    game, s = dealt_large(players)
    for seat in range(players):
        seen = view(game, s, seat)
        for number in range(5):
            deal = redeal(seen, [seeded(7, number)])
            assert view(game, deal, seat) == seen
            assert all(not any(deal.hand[other][:10]) for other in range(1, players))
            everywhere = Counter(card for hand in deal.hand for card, many in enumerate(hand) for _ in range(many))
            everywhere.update(deal.stock[1 : deal.stock[0] + 1] + deal.discards[1:5])
            assert everywhere == dict.fromkeys(range(80), 2)


def test_compiled_redeals_of_wide_places_are_the_same() -> None:
    pytest.importorskip("numba")
    from kortlek import compiled

    def make(game: Game[Any], compile: Any = lambda function: function) -> Any:
        def again(states: Any, flat: Any, plans: Any, ways: Any, rng: Any) -> None:
            deal_out(plans[0], ways, rng)
            lay_out(states, flat, plans[0])

        return compile(again)

    game, s = dealt_large(3)
    seen = view(game, s, 1)
    root, states, flat, plans, ways = compiled.search_states(prepare(seen))
    run, rng = compiled.build(make, game), compiled.int_array(1)
    guess, same = prepare(seen), [seeded(8, 8)]
    rng[0] = same[0]
    for _ in range(20):
        states[:] = root
        run(states, flat, plans, ways, rng)
        deal = plain.copy_of(guess.known)
        deal_out(guess.plan, guess.ways, same)
        lay_out([deal], None, guess.plan)
        assert compiled.from_record(Large, states[0]) == deal
