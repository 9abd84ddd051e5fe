"""Positions of Rummy, set up and played in notation. Every card must be in exactly one place: this is checked."""

from collections import Counter
from typing import Any

import positions

from kortlek.cards import NOTHING, gain, members, push
from kortlek.engine import plain
from kortlek.engine.views import cards_in, places
from kortlek.games.melds import CARDS, HIGH_ACE, KINDS, RUN, joker_of, suits_of
from kortlek.games.rummy.rules import ALL_CARDS, CARD, DRAW, TURN, Rummy, ways_on
from kortlek.games.rummy.rules import RUMMY

Meld = tuple[int, int, int]
"""Kind, places of the natural cards, places of the jokers."""

ACE_TO_ACE = "{0}A {0}2 {0}3 {0}4 {0}5 {0}6 {0}7 {0}8 {0}9 {0}T {0}J {0}Q {0}K {0}A"
FULL_TABLE = [ACE_TO_ACE.format(suit) for suit in "CDHS"] + [f"C{rank} D{rank} H{rank} S{rank}" for rank in "23456789TJQK"]
"""All cards but the four jokers in full melds."""
FORTY_SIX = "HQ HK HA C5 D5 H5"
"""Two melds that are enough for a first laying, neither of them alone."""


def cards(text: str) -> list[int]:
    """Cards by name: ``cards("HQ JB")``."""
    return [CARDS.index(name) for name in text.split()]


def names(listed: list[int]) -> str:
    """The names of cards, as written."""
    return " ".join(CARDS[card] for card in listed)


def card_at(suit: int, place: int) -> int:
    """The card at a place of a run; both ends are the ace."""
    return 13 * suit + (place + 12) % 13


def double(text: str) -> list[int]:
    """Cards of two packs as a double."""
    together = [0, 0]
    for card in cards(text):
        gain(together, card)
    return together


def meld(text: str) -> Meld:
    """A meld as it lies on the table: a run from low to high with its jokers in their places, a set with its jokers last."""
    listed = cards(text)
    naturals = [card for card in listed if card < len(CARDS) - 2]
    natural = joker = 0
    if len({card % 13 for card in naturals}) == 1:
        for card in listed:
            if card in naturals:
                natural |= 1 << card // 13
            else:
                free = suits_of(card) & ~(natural | joker)
                joker |= free & -free
        return naturals[0] % 13, natural, joker
    suit = naturals[0] // 13
    lowest = (naturals[0] % 13 + 1) % 13 - listed.index(naturals[0])
    for place, card in enumerate(listed, lowest):
        assert 0 <= place <= HIGH_ACE, f"{text} goes beyond an ace"
        assert card in (card_at(suit, place), joker_of(suit)), f"{text} is not a run"
        if card in naturals:
            natural |= 1 << place
        else:
            joker |= 1 << place
    return RUN + suit, natural, joker


def position(
    *hands: str,
    melds: list[str] | None = None,
    discards: str = "",
    stock: str = "",
    rest: str | int = "stock",
    laid: tuple[int, ...] = (),
    turn: int = 0,
    first: int = 0,
    lap: int = 2,
    drawn: bool = True,
    earlier: tuple[int, ...] = (),
    **options: object,
) -> Rummy:
    """A position of a game: ``turn`` is about to draw or, if ``drawn``, has drawn from the stock.

    ``discards`` are named from the bottom, ``stock`` in the order of drawing. All cards not named are the ``rest``, at the bottom of the stock
    or of the discards, or in the hand of a seat. A player who has drawn gets her last card from the stock by a real draw, so that its
    consequences have happened. ``earlier`` are the totals after a first game.
    """
    s = plain.begin(RUMMY, len(hands), options)
    s.turn, s.first, s.lap, s.phase = turn, first, lap, DRAW
    listed = [cards(hand) for hand in hands]
    to_draw = cards(stock)
    pile = cards(discards)
    if drawn:
        to_draw.insert(0, listed[turn].pop())
    table = [card for each in melds or [] for card in cards(each)]
    unnamed = Counter(dict.fromkeys(range(len(CARDS)), 2))
    unnamed.subtract([card for hand in listed for card in hand] + to_draw + pile + table)
    assert min(unnamed.values()) >= 0, f"too many of {names([card for card, left in unnamed.items() if left < 0])}"
    left = list(unnamed.elements())
    if isinstance(rest, int):
        listed[rest] += left
    else:
        to_draw, pile = (to_draw + left, pile) if rest == "stock" else (to_draw, left + pile)
    for seat, hand in enumerate(listed):
        for card in hand:
            gain(s.hand[seat], card)
    for card in reversed(to_draw):
        push(s.stock, card)
    for card in pile:
        push(s.discards, card)
    for card in table:
        gain(s.melded, card)
    for each in melds or []:
        s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds] = meld(each)
        s.melds += 1
    for seat in laid:
        s.laid[seat] = 1
    if earlier:
        s.round = 1
        s.score[: s.players] = earlier
    everything_in_one_place(s)
    if drawn:
        do(s, "draw stock")
        assert s.phase == TURN
    return s


def everything_in_one_place(s: Rummy) -> None:
    """Check that every kind of card is in the game twice, and that the melded cards are those of the melds."""
    lying = Counter(card for place, field in places(s) if field.storage for card in cards_in(s, place, field.storage))
    assert lying == dict.fromkeys(range(len(CARDS)), 2)
    melded = Counter(card for text in table(s) for card in cards(text))
    assert melded == Counter([*members(s.melded[0]), *members(s.melded[1])])


def table(s: Rummy) -> list[str]:
    """The melds on the table and the one being laid: a set by suits and then jokers, a run from low to high."""
    return [shown(s.meld_kind[at], s.meld_natural[at], s.meld_joker[at]) for at in range(s.melds + (s.phase == CARD))]


def shown(kind: int, natural: int, joker: int) -> str:
    """A meld in notation."""
    if kind < RUN:
        return names([13 * suit + kind for suit in members(natural)] + sorted(joker_of(suit) for suit in members(joker)))
    return names([card_at(kind - RUN, place) if natural >> place & 1 else joker_of(kind - RUN) for place in members(natural | joker)])


def hand(s: Rummy, seat: int) -> str:
    """The cards of a hand in the order of the pack."""
    return names(sorted([*members(s.hand[seat][0]), *members(s.hand[seat][1])]))


def shows(s: Rummy, seat: int) -> str:
    """The cards that everyone knows to be in a hand."""
    return names(sorted([*members(s.known_present[seat][0]), *members(s.known_present[seat][1])]))


def discards(s: Rummy) -> str:
    """The discard pile from the bottom."""
    return names(s.discards[1 : s.discards[0] + 1])


def stock(s: Rummy) -> str:
    """The stock in the order of drawing."""
    return names(s.stock[s.stock[0] : 0 : -1])


def allowed(s: Rummy) -> set[str]:
    """The legal choices in notation."""
    return {RUMMY.notation[s.phase][each] for each in members(RUMMY.legal(s))}


def do(s: Rummy, *texts: str) -> None:
    """Apply events, each of which must be legal."""
    for text in texts:
        plain.step(RUMMY, s, plain.read(RUMMY, s, text))
        everything_in_one_place(s)


def lay(s: Rummy, kind: str, cards_of_meld: str) -> None:
    """Lay a whole meld: ``lay(s, "set K", "CK DK HK")``."""
    do(s, "lay", kind, *(f"card {card}" for card in cards_of_meld.split()), "done")


def add(s: Rummy, card: str, to: int, *way: str) -> None:
    """Add a card to a meld on the table, or swap it for a joker."""
    do(s, "add", f"card {card}", f"meld {to}", *way)


def can(s: Rummy, *texts: str) -> bool:
    """Whether these choices are legal one after the other. Does not change the state."""
    s = plain.copy_of(s)
    for text in texts:
        if text not in allowed(s):
            return False
        do(s, text)
    return True


def can_lay(s: Rummy, kind: str, cards_of_meld: str) -> bool:
    """Whether a whole meld may be laid."""
    return can(s, "lay", kind, *(f"card {card}" for card in cards_of_meld.split()), "done")


def can_add(s: Rummy, card: str, to: int, *way: str) -> bool:
    """Whether a card may go to a meld on the table."""
    return can(s, "add", f"card {card}", f"meld {to}", *way)


def can_reach(hand: list[int], need: int, taken: int = NOTHING) -> bool:
    """Whether melds of a hand can be worth this much and leave a card to discard."""
    return any(ways_on(hand[0], hand[1], taken, need, kind, kind, 0, 0, 0) for kind in range(KINDS))


def refusal(s: Rummy, text: str) -> str:
    """The sentence that refuses an illegal event."""
    return positions.refusal(RUMMY, s, text)


def deal(first_cards: str) -> str:
    """A deal that begins with these cards; the others follow in the order of the pack."""
    left = Counter(dict.fromkeys(range(len(CARDS)), 2))
    named = cards(first_cards)
    left.subtract(named)
    event = named + list(left.elements())
    assert len(event) == ALL_CARDS
    return f"deal {names(event)}"


def dealt(players: int, first_cards: str, **options: object) -> Rummy:
    """A match after a real deal."""
    s = plain.begin(RUMMY, players, options)
    do(s, deal(first_cards))
    return s


def quiet_turn(s: Rummy) -> None:
    """Draw from the stock and discard that card."""
    card = stock(s).split()[0]
    do(s, "draw stock", f"discard {card}")


def about_to_go_out(*others: str, **given: Any) -> Rummy:
    """A position in which seat 0 can add H8 and discard C2, her last card: ``go_out``."""
    return position("H8 C2", *others, melds=["H5 H6 H7"], laid=(0,), **given)


def go_out(s: Rummy) -> None:
    """Play the two choices with which seat 0 goes out."""
    add(s, "H8", 1)
    do(s, "discard C2")
