"""The layout of Rummy."""

from functools import cache
from typing import Any, NamedTuple

from kortlek.cards import NOTHING, Card, Cards, Multiset, bit, height, lowest, members, size, top
from kortlek.game import Layout, Message
from kortlek.games import melds
from kortlek.games.melds import CARDS, HIGH, JOKERS, KINDS, RUN
from kortlek.games.rummy.rules import ADD, ADD_ONE, CARD, DONE, DRAW, KIND, LAY, RUMMY, STOCK, TURN, Rummy, addable, discardable, legal_melds
from kortlek.games.rummy.rules import needed, without

BELOW = 4
"""How many of the discards below the top one are shown."""


def why_not(s: Rummy, choice: int) -> Message:
    """Why a choice is not allowed to the player in turn."""
    if s.phase == DRAW:
        return Message("refuse-stock" if choice == STOCK else "refuse-discards")
    if s.phase == TURN and choice < LAY and s.laying > 0 and not s.laid[s.turn]:
        return Message("refuse-more", {"worth": s.laying, "needed": needed(s)})
    if s.phase in (TURN, CARD, ADD) and choice < LAY and not s.hand[s.turn][0] & bit(choice):
        return Message("refuse-not-held", {"card": choice})
    if s.phase == TURN and choice < LAY:
        return Message("refuse-just-taken", {"card": choice})
    if s.phase == TURN and choice == ADD_ONE and not s.laid[s.turn]:
        return Message("refuse-add")
    if s.phase == TURN and s.lap < s.earliest_laying_round:
        return Message("refuse-early", {"round": s.earliest_laying_round})
    if s.phase in (TURN, KIND, CARD) and not s.laid[s.turn]:
        return Message("refuse-first", {"needed": needed(s)})
    return Message("refuse-no-meld")


# ---- the text table


class Laid(NamedTuple):
    """A card of a meld; for a joker that can stand for one card only, also that card, otherwise NOTHING."""

    card: Card
    stands_for: Card = NOTHING


def cards_of_meld(kind: int, natural: Cards, joker: Cards) -> list[Laid]:
    """The cards of a meld in order; in a run every joker with the card it stands for, as soon as a natural card determines it."""
    if kind < RUN:
        return [Laid(13 * suit + kind) for suit in members(natural)] + [Laid(melds.joker_of(suit)) for suit in members(joker)]
    run = [(lowest(melds.cards_at(kind, bit(place))), natural & bit(place)) for place in members(natural | joker)]
    its_joker = melds.joker_of(kind - RUN)
    return [Laid(card) if is_natural else Laid(its_joker, card if natural else NOTHING) for card, is_natural in run]


def meld_message(s: Rummy, at: int) -> list[Message]:
    """The cards of a meld on the table."""
    laid = cards_of_meld(s.meld_kind[at], s.meld_natural[at], s.meld_joker[at])
    return [
        Message("one-card", {"card": each.card})
        if each.stands_for == NOTHING
        else Message("table-joker", {"card": each.card, "as": Message("one-card", {"card": each.stands_for})})
        for each in laid
    ]


def headline(s: Rummy) -> Message:
    """The game, and the round of turns in it."""
    return Message("table-round", {"game": min(s.round + 1, s.games), "games": s.games, "round": s.lap})


def text(s: Rummy) -> list[Message]:
    """The stock and the discards, who has laid, and the melds on the table."""
    discards = height(s.discards)
    lines = [Message("table-stock", {"count": height(s.stock)})]
    if discards == 0:
        lines.append(Message("table-no-discards"))
    else:
        below = list(reversed(s.discards[1:discards][-BELOW:]))
        lines.append(Message("table-discards", {"count": discards, "card": top(s.discards), "below": Message("table-below", {"cards": below})}))
    laid = [Message("seat-only", {"who": seat}) for seat in range(s.players) if s.laid[seat]]
    lines.append(Message("table-laid", {"each": laid}) if laid else Message("table-laid-none"))
    known = [(seat, listed(s.known_present[seat])) for seat in range(s.players)]
    if any(cards for _, cards in known):
        lines.append(Message("table-known", {"each": [Message("seat-cards", {"who": seat, "cards": cards}) for seat, cards in known if cards]}))
    lines += [Message("table-meld", {"number": at + 1, "each": meld_message(s, at)}) for at in range(s.melds)]
    if s.phase == CARD and s.meld_natural[s.melds] | s.meld_joker[s.melds]:
        lines.append(Message("table-laying", {"each": meld_message(s, s.melds)}))
    if s.laying and not s.laid[s.turn]:
        lines.append(Message("table-worth", {"worth": s.laying, "needed": needed(s)}))
    return lines


def listed(cards: Multiset) -> list[Card]:
    """The cards of a multiset of two packs as a list."""
    return sorted(card for copies in cards for card in members(copies))


# ---- data for the page


def drawn(s: Rummy, seat: int) -> dict[str, Any]:
    """The melds on the table and the one being laid, what first melds need, and the known cards of each hand. For the player in turn also the
    melds in her hand, each with the choices that lay it, and the melds that each of her cards fits."""
    in_turn = seat == s.turn
    may_add = in_turn and s.phase == TURN and s.laid[s.turn]
    return {
        "melds": [drawn_meld(s.meld_kind[at], s.meld_natural[at], s.meld_joker[at]) for at in range(s.melds)],
        "making": making(s) if s.phase == CARD else None,
        "needed": needed(s),
        "shows": [[CARDS[card] for copies in s.known_present[each] for card in members(copies)] for each in range(s.players)],
        "held": best_melds(s.hand[seat], s.taken) if in_turn and s.phase in (DRAW, TURN) else [],
        "fits": {CARDS[card]: [at + 1 for at in members(legal_melds(s, card))] for card in members(addable(s))} if may_add else {},
    }


def drawn_meld(kind: int, natural: Cards, joker: Cards) -> dict[str, Any]:
    """The cards of a meld in order, the card that each joker stands for (empty if there are several, and for other cards), and the meld's value."""
    cards = cards_of_meld(kind, natural, joker)
    stands_for = [CARDS[each.stands_for] if each.stands_for != NOTHING else "" for each in cards]
    if kind < RUN:
        for at, suit in enumerate(members(joker), start=len(cards) - size(joker)):
            if melds.suits_of(melds.joker_of(suit)) & ~(natural | joker) == 0:
                stands_for[at] = CARDS[13 * suit + kind]
    return {"cards": [CARDS[each.card] for each in cards], "as": stands_for, "worth": melds.value(kind, natural | joker)}


def making(s: Rummy) -> dict[str, Any]:
    """The meld that is being laid, so far."""
    so_far = drawn_meld(s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds])
    return so_far if s.meld_natural[s.melds] else {**so_far, "worth": 0}


class Held(NamedTuple):
    """A meld that a hand could make: its rating, the cards it takes, those of which it takes both copies, and how it is named."""

    good: int
    cards: Cards
    twice: Cards
    kind: int
    natural: Cards
    joker: Cards
    named: tuple[Card, ...]


def held_melds(hand: Multiset) -> list[Held]:
    """All melds that a hand could make; of those with the same cards only the most valuable."""
    found: dict[tuple[Cards, Cards], Held] = {}

    def go_on(one: Cards, two: Cards, kind: int, natural: Cards, joker: Cards, named: tuple[Card, ...]) -> None:
        if melds.is_meld(natural, joker):
            # A point counts more than any number of jokers, and a joker more than any number of melds.
            good = 1000 * melds.value(kind, natural | joker) - 10 * size(joker) - 1
            if (one, two) not in found or good > found[one, two].good:
                found[one, two] = Held(good, hand[0] & ~one | hand[1] & ~two, hand[1] & ~one, kind, natural, joker, named)
        for card in members(melds.next_cards(kind, natural, joker) & one):
            fewer, fewer_twice, _ = without(one, two, NOTHING, card)
            go_on(fewer, fewer_twice, kind, *melds.added(kind, natural, joker, card, HIGH), (*named, card))

    for kind in range(KINDS):
        if melds.possible(kind, hand[0], hand[1]):
            go_on(hand[0], hand[1], kind, 0, 0, ())
    return list(found.values())


def best_melds(hand: Multiset, taken: Card) -> list[dict[str, Any]]:
    """The most valuable combination of melds in a hand that leaves a card to discard: of equal ones the one with the fewest jokers, then the
    fewest melds. Each with the choices that lay it."""
    beginning: dict[Card, list[Held]] = {card: [] for card in members(hand[0])}
    for meld in held_melds(hand):
        beginning[lowest(meld.cards)].append(meld)

    @cache
    def best(one: Cards, two: Cards) -> tuple[int, list[Held]]:
        """The rating of the best combination of some cards, and its melds. The lowest card is either unused or the lowest of a meld."""
        if one & ~JOKERS == 0:
            return 0, []
        card = lowest(one)
        most, which = best(*without(one, two, NOTHING, card)[:2])
        for meld in beginning[card]:
            if meld.cards & ~one == 0 and meld.twice & ~two == 0:
                more, others = best(one & ~meld.cards | two & meld.cards & ~meld.twice, two & ~meld.cards)
                if meld.good + more > most:
                    most, which = meld.good + more, [meld, *others]
        return most, which

    one, two = hand
    to_discard = members(discardable(one, two, taken))
    _, which = max((best(*without(one, two, NOTHING, card)[:2]) for card in to_discard), key=lambda found: found[0], default=(0, []))
    return [
        {
            **drawn_meld(meld.kind, meld.natural, meld.joker),
            "steps": ["lay", RUMMY.notation[KIND][meld.kind], *(RUMMY.notation[CARD][card] for card in (*meld.named, DONE))],
        }
        for meld in sorted(which, key=lambda meld: (meld.kind, meld.natural))
    ]


LAYOUT = Layout(component="rummy", parts={"laid": "laid"}, headline=headline, text=text, sizes=("hand",), why_not=why_not, drawn=drawn)
