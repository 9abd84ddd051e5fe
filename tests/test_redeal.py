"""Redeals are uniform over the deals that are consistent with what a seat knows: proved by enumerating all of them, for every kind of knowledge.

Most cards are put where everyone sees them, so that few are unseen and every consistent deal can be listed by brute force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest

from kortlek.cards import NOTHING, bit, card, gain, lose, push, set_of
from kortlek.engine import plain, views
from kortlek.engine.redeal import Guess, prepare
from kortlek.engine.redeal_plan import deal_out, lay_out
from kortlek.engine.rng import seeded
from kortlek.engine.views import Place, cards_in, content, how_many, places, sees, view
from kortlek.game import PILE, Game, State, fields_of
from kortlek.game.registry import GAMES

DRAWS = 12_000


def cards(text: str) -> list[int]:
    return [card(name) for name in text.split()]


def plump_with_voids() -> tuple[str, State, int]:
    """Two players have failed to follow suit, one of them twice."""
    s = GAMES["plump"].state()
    s.players, s.phase, s.turn, s.hand_size = 4, 1, 0, 2
    s.hand[0] = set_of(cards("C2 C3"))
    s.hand[1] = set_of(cards("H2 S2"))
    s.hand[2] = set_of(cards("H3 H4"))
    s.hand[3] = set_of(cards("D2 S3"))
    s.rest = set_of(cards("D3"))
    s.known_absent[1] = set_of(c for c in range(52) if c // 13 == 1)
    s.known_absent[2] = set_of(c for c in range(52) if c // 13 in (1, 3))
    return "plump", everything_else_seen(s, "gone"), 0


def forehead_round() -> tuple[str, State, int]:
    """Everyone sees the other foreheads and not her own card."""
    s = GAMES["plump"].state()
    s.players, s.phase, s.turn, s.hand_size = 3, 0, 1, 1
    for seat, name in enumerate(("HA", "C2", "S9")):
        push(s.forehead[seat], card(name))
    s.rest = set_of(cards("D3 D4 D5 D6"))
    return "plump", everything_else_seen(s, "gone"), 1


def forehead_round_for_an_onlooker() -> tuple[str, State, int]:
    """An onlooker sees no card that is not played."""
    name, s, _ = forehead_round()
    return name, s, views.ONLOOKER


def mesa_out_of_play() -> tuple[str, State, int]:
    """The mesa card is seen; hands and the rest of the pack are not."""
    s = GAMES["up_and_down"].state()
    s.players, s.phase, s.turn, s.hand_size = 2, 1, 0, 2
    s.hand[0], s.hand[1] = set_of(cards("C2 C3")), set_of(cards("H2 S2"))
    s.mesa, s.rest = bit(card("DA")), set_of(cards("D3 D4 D5"))
    s.known_absent[1] = set_of(cards("D3 D4"))
    return "up_and_down", everything_else_seen(s, "gone"), 0


def cards_set_aside_face_down() -> tuple[str, State, int]:
    """Nobody sees the cards set aside."""
    s = GAMES["trick_paper_scissors"].state()
    s.players, s.phase, s.turn, s.hand_size = 3, 0, 2, 2
    s.hand[0], s.hand[1], s.hand[2] = set_of([0, 13]), set_of([1, 14]), set_of([2, 15])
    s.rest = set_of([3, 16, 30])
    s.known_absent[0] = set_of(range(26, 39))
    return "trick_paper_scissors", everything_else_seen(s, "gone"), 2


def rummy_with_shown_cards() -> tuple[str, Any, int]:
    """A card openly taken is known; two copies of a card are two cards; the stock is in some order."""
    s = GAMES["rummy"].state()
    s.players, s.phase, s.turn = 3, 0, 0
    for seat, hand in enumerate(("C2", "H7 H7 C3", "D4 JR")):
        for name in hand.split():
            gain(s.hand[seat], GAMES["rummy"].pack.names.index(name))
    gain(s.known_present[1], card("H7"))
    for name in ("S5", "H9", "S5"):
        push(s.stock, card(name))
    return "rummy", everything_else_seen(s, "melded"), 0


def rummy_with_a_recycled_stock() -> tuple[str, State, int]:
    """Of the stock it is known which cards it was made from, not their order. One nine of hearts was among them; the other was not."""
    name, s, seat = rummy_with_shown_cards()
    lose(s.melded, card("H9"))
    gain(s.hand[2], card("H9"))
    s.stock_known_absent[:] = [(1 << 54) - 1, (1 << 54) - 1]
    for recycled in ("S5", "H9", "S5", "D4"):
        s.stock_known_absent[0 if not s.stock_known_absent[1] >> card(recycled) & 1 else 1] &= ~bit(card(recycled))
    return name, s, seat


def cascade_with_a_pack_each() -> tuple[str, State, int]:
    """Everyone has a pack of her own, in some order."""
    s = GAMES["cascade"].state()
    s.players, s.phase, s.turn = 2, 0, 0
    s.hand[0], s.hand[1] = set_of(cards("C2 C3")), set_of(cards("H2 S2"))
    for seat, deck in enumerate(("D5 D6 D7", "D8 C2")):
        for each in cards(deck):
            push(s.deck[seat], each)
    for seat in range(2):
        mine = s.hand[seat] | set_of(s.deck[seat][1 : s.deck[seat][0] + 1])
        s.laid[seat] = (1 << 52) - 1 & ~mine
    return "cascade", s, 0


KINDS_OF_KNOWLEDGE: list[Callable[[], tuple[str, State, int]]] = [
    plump_with_voids,
    forehead_round,
    forehead_round_for_an_onlooker,
    mesa_out_of_play,
    cards_set_aside_face_down,
    rummy_with_shown_cards,
    rummy_with_a_recycled_stock,
    cascade_with_a_pack_each,
]


def everything_else_seen(s: Any, public: str) -> Any:
    """Put all cards that are not placed yet where everyone sees them."""
    game = next(game for game in GAMES.values() if game.state is type(s))
    there = Counter(each for place, field in places(s) for each in cards_in(s, place, field.storage or PILE))
    missing = [each for each in range(len(game.pack.names)) for _ in range(game.pack.counts[each] - there[each])]
    views.put(s, Place(public), fields_of(type(s))[public].storage or PILE, missing)
    return s


def all_deals(game: Game[Any], s: State, seat: int) -> Iterator[tuple[object, ...]]:
    """Every consistent way to put the unseen cards into the hidden places, card by card (equal cards count as different cards)."""
    by_pack: dict[int, list[tuple[Place, Any]]] = {}
    for place, field in places(s):
        by_pack.setdefault(place.seat if game.pack.one_each else NOTHING, [])
        if not sees(seat, place, field) and how_many(s, place, field.storage or PILE):
            by_pack[place.seat if game.pack.one_each else NOTHING].append((place, field))
    one_pack = [list(deals_of_a_pack(game, s, hidden)) for hidden in by_pack.values() if hidden]
    combined: list[tuple[object, ...]] = [()]
    for deals in one_pack:
        combined = [first + second for first in combined for second in deals]
    yield from combined


def deals_of_a_pack(game: Game[Any], s: State, hidden: list[tuple[Place, Any]]) -> Iterator[tuple[object, ...]]:
    shown: dict[Place, Counter[int]] = {
        place: Counter(views.listed(content(s, Place(field.known_present, place.seat)), field.storage)) if field.known_present else Counter()
        for place, field in hidden
    }
    unseen = sorted(each for place, field in hidden for each in (Counter(cards_in(s, place, field.storage)) - shown[place]).elements())
    for order in permutations(range(len(unseen))):
        at, deal, fits, canonical = 0, [], True, True
        for place, field in hidden:
            room = how_many(s, place, field.storage) - shown[place].total()
            slots = order[at : at + room]
            at += room
            if field.storage is not PILE and list(slots) != sorted(slots):
                canonical = False  # the same set in another order
                break
            there = [unseen[slot] for slot in slots]
            fits = fits and all(may_lie(game, s, place, field, unseen[slot], slot - unseen.index(unseen[slot])) for slot in slots)
            deal.append((place, tuple(there) if field.storage is PILE else tuple(sorted([*there, *shown[place].elements()]))))
        if canonical and fits:
            yield tuple(deal)


def may_lie(game: Game[Any], s: State, place: Place, field: Any, each: int, nth_copy: int) -> bool:
    """Whether a card may lie in a place. Of two unseen copies, one of which is known to be absent from a place, the second cannot be there."""
    if not field.known_absent:
        return True
    lacks = content(s, Place(field.known_absent, place.seat))
    missing = (lacks[0] >> each & 1) + (lacks[1] >> each & 1) if isinstance(lacks, list) else lacks >> each & 1
    return bool(nth_copy < game.pack.copies - missing)


def dealt(game: Game[Any], s: State, seat: int, guess: State) -> tuple[object, ...]:
    """A redealt state, written like the deals above."""
    found = [
        (place, tuple(cards_in(guess, place, field.storage or PILE)))
        for place, field in places(guess)
        if not sees(seat, place, field) and how_many(s, place, field.storage or PILE)
    ]
    order = sorted({place.seat for place, _ in found}) if game.pack.one_each else [None]
    return tuple(each for owner in order for each in found if owner is None or each[0].seat == owner)


def many_redeals(game: Game[Any], s: State, seat: int, guess: Guess[Any], seed: int = 17) -> Counter[Any]:
    """The number of occurrences of each deal in many redeals."""
    rng, seen = [seeded(seed, 0)], Counter[Any]()
    for _ in range(DRAWS):
        one = plain.copy_of(guess.known)
        deal_out(guess.plan, guess.ways, rng)
        lay_out([one], None, guess.plan)
        seen[dealt(game, s, seat, one)] += 1
    return seen


def chi_square_is_too_large(seen: Counter[Any], expected: dict[Any, float]) -> bool:
    """Whether chi squared is more than six standard deviations above its mean."""
    total = sum((seen[deal] - expected[deal]) ** 2 / expected[deal] for deal in expected)
    freedom = len(expected) - 1
    return bool(total > freedom + 6 * (2 * freedom) ** 0.5 + 6)


@pytest.mark.parametrize("make", KINDS_OF_KNOWLEDGE, ids=lambda make: make.__name__)
def test_every_deal_that_fits_is_equally_likely(make: Callable[[], tuple[str, State, int]]) -> None:
    name, s, seat = make()
    game = GAMES[name]
    possible = Counter(all_deals(game, s, seat))
    assert 1 < len(possible) < 3000
    guess = prepare(view(game, s, seat))
    seen = many_redeals(game, s, seat, guess)
    assert set(seen) <= set(possible), "a deal that does not fit"
    expected = {deal: DRAWS * weight / possible.total() for deal, weight in possible.items()}
    assert not chi_square_is_too_large(seen, expected)


def test_the_check_finds_a_redeal_that_fills_one_hand_after_the_other() -> None:
    """Planted bug: deal each tied place from the cards it may hold, without weighting by the number of ways left for the others."""
    name, s, seat = plump_with_voids()
    game = GAMES[name]
    possible = Counter(all_deals(game, s, seat))
    guess = prepare(view(game, s, seat))
    deal_out(guess.plan, guess.ways, [1])
    for at, ways in enumerate(guess.ways):
        guess.ways[at] = min(ways, 1.0)
    seen = many_redeals(game, s, seat, guess)
    expected = {deal: DRAWS * weight / possible.total() for deal, weight in possible.items()}
    assert chi_square_is_too_large(seen, expected)
