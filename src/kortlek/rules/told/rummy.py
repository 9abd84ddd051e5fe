"""How Rummy is told: refusals, the table in words, its declaration."""

from functools import cache
from typing import Any, NamedTuple

from kortlek.cards import NOTHING, Card, Cards, Double, bit, height, lowest, members, say, size, top
from kortlek.rules import melds
from kortlek.rules.counted.rummy import COUNTS
from kortlek.rules.game import Choice, Game, Names, Pack, Picture, Sheet, by_name, choice
from kortlek.rules.melds import CARDS, HIGH, JOKERS, KINDS, RUN
from kortlek.rules.rummy import ADD, ADD_ONE, CARD, DONE, DRAW, KIND, LAY, MOST_MELDS, STOCK, TURN, Rummy
from kortlek.rules.rummy import addable, apply, deal, discardable, gather, legal, legal_melds, needed, start, winners, without


def why_not(s: Rummy, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    hand = s.hand[s.turn]
    if s.phase == DRAW:
        return "The stock is empty." if choice == STOCK else "Only who has laid melds in an earlier turn may take the top discard."
    if s.phase == TURN and choice < LAY and s.laying > 0 and not s.laid[s.turn]:
        return f"Your melds are worth {s.laying} so far and need {needed(s)}: lay another one."
    if s.phase in (TURN, CARD, ADD) and choice < LAY and not hand[0] & bit(choice):
        return f"You do not hold {CARDS[choice]}."
    if s.phase == TURN and choice < LAY:
        return f"You have just taken {CARDS[choice]}: it may not be discarded in the same turn."
    if s.phase == TURN and choice == ADD_ONE and not s.laid[s.turn]:
        return "Only who has laid melds may add single cards."
    if s.phase == TURN and s.lap < s.earliest_laying_round:
        return f"Melds may not be laid before round {s.earliest_laying_round}."
    if s.phase in (TURN, KIND, CARD) and not s.laid[s.turn]:
        return f"First melds must be worth at least {needed(s)} together and leave a card to discard."
    return "It fits no meld that the rules allow: a meld must be complete and a card must be left to discard."


def spell_meld(kind: int, natural: Cards, joker: Cards) -> str:
    """The cards of a meld in order; in a run every joker with the card it stands for, as soon as a natural card shows it."""
    if kind < RUN:
        jokers = [CARDS[melds.joker_of(suit)] for suit in members(joker)]
        return " ".join([*(CARDS[13 * suit + kind] for suit in members(natural)), *jokers])
    its_joker = CARDS[melds.joker_of(kind - RUN)]
    run = [(CARDS[lowest(melds.cards_at(kind, bit(place)))], natural & bit(place)) for place in members(natural | joker)]
    return " ".join(card if is_natural else f"{its_joker}({card})" if natural else its_joker for card, is_natural in run)


def say_double(cards: Double) -> str:
    """Cards of two packs in notation."""
    return " ".join(say(copies, CARDS) for copies in cards if copies)


def picture(s: Rummy, names: Names) -> list[str]:
    """The game, stock and discards, who has laid, and the melds on the table."""
    lines = [f"Game {min(s.round + 1, s.games)} of {s.games}, round {s.lap}", f"Stock: {height(s.stock)}", f"Discards: {height(s.discards)}"]
    if height(s.discards):
        lines[-1] += f", top {CARDS[top(s.discards)]}"
    if height(s.discards) > 1:
        lines[-1] += ", below " + " ".join(CARDS[card] for card in reversed(s.discards[1 : height(s.discards)][-4:]))
    lines.append("Laid melds: " + (", ".join(names[seat] for seat in range(s.players) if s.laid[seat]) or "nobody yet"))
    known = [say_double(shown) for shown in s.shows[: s.players]]
    if any(known):
        lines.append(f"Known to hold: {by_name(names, known)}")
    lines += [f"Meld {at + 1}: {spell_meld(s.meld_kind[at], s.meld_natural[at], s.meld_joker[at])}" for at in range(s.melds)]
    at = s.melds
    if s.phase == CARD and s.meld_natural[at] | s.meld_joker[at]:
        lines.append(f"Being laid: {spell_meld(s.meld_kind[at], s.meld_natural[at], s.meld_joker[at])}")
    if s.laying and not s.laid[s.turn]:
        lines.append(f"Worth so far: {s.laying} of {needed(s)}")
    return lines


# ---- what a page draws


def drawn(s: Rummy, seat: int) -> dict[str, Any]:
    """The melds on the table and the one being laid, what first melds need, and what everyone has shown of a hand. On her turn a player is
    also told which melds she holds, each with the choices that lay it, and to which melds her cards could go."""
    in_turn = seat == s.turn
    may_add = in_turn and s.phase == TURN and s.laid[s.turn]
    return {
        "melds": [drawn_meld(s.meld_kind[at], s.meld_natural[at], s.meld_joker[at]) for at in range(s.melds)],
        "making": making(s) if s.phase == CARD else None,
        "needed": needed(s),
        "shows": [[CARDS[card] for copies in s.shows[each] for card in members(copies)] for each in range(s.players)],
        "held": best_melds(s.hand[seat], s.taken) if in_turn and s.phase in (DRAW, TURN) else [],
        "fits": {CARDS[card]: [at + 1 for at in members(legal_melds(s, card))] for card in members(addable(s))} if may_add else {},
    }


def drawn_meld(kind: int, natural: Cards, joker: Cards) -> dict[str, Any]:
    """The cards of a meld in order, a joker with its card if it can stand for one only, and what the meld is worth."""
    cards = spell_meld(kind, natural, joker).split()
    if kind < RUN:
        for at, suit in enumerate(members(joker), start=len(cards) - len(list(members(joker)))):
            if melds.suits_of(melds.joker_of(suit)) & ~(natural | joker) == 0:
                cards[at] += f"({CARDS[13 * suit + kind]})"
    return {"cards": cards, "worth": melds.value(kind, natural | joker)}


def making(s: Rummy) -> dict[str, Any]:
    """The meld that is just being laid, as far as it has come."""
    so_far = drawn_meld(s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds])
    return so_far if s.meld_natural[s.melds] else {**so_far, "worth": 0}


class Held(NamedTuple):
    """A meld that a hand could make: how good it is, the cards it takes and those it takes both copies of, and how they are named."""

    good: int
    cards: Cards
    twice: Cards
    kind: int
    natural: Cards
    joker: Cards
    named: tuple[Card, ...]


def held_melds(hand: Double) -> list[Held]:
    """All melds that a hand could make; of those with the same cards only the one that is worth the most."""
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
        if melds.possible(kind, hand[0]):
            go_on(hand[0], hand[1], kind, 0, 0, ())
    return list(found.values())


def best_melds(hand: Double, taken: Card) -> list[dict[str, Any]]:
    """The melds of a hand that are worth the most together and leave a card to discard: of equal ones those with the fewest jokers, then
    the fewest melds. With each the choices that lay it."""
    beginning: dict[Card, list[Held]] = {card: [] for card in members(hand[0])}
    for meld in held_melds(hand):
        beginning[lowest(meld.cards)].append(meld)

    @cache
    def best(one: Cards, two: Cards) -> tuple[int, list[Held]]:
        """How good the best melds of some cards are together, and which they are. The lowest card is left over, or the lowest of a meld."""
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
            "steps": ["lay", KIND_NAMES[meld.kind][0], *(NAMES[card][0] for card in (*meld.named, DONE))],
        }
        for meld in sorted(which, key=lambda meld: (meld.kind, meld.natural))
    ]


TURN_CHOICES = [(f"discard {card}", f"discards {card}") for card in CARDS] + [("lay", "lays a meld"), ("add", "adds a card to a meld")]
NAMES = [(f"card {card}", f"lays {card}") for card in CARDS] + [("done", "finishes the meld")]
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
KIND_NAMES = [(f"set {rank}", f"begins a set of {rank}") for rank in "23456789TJQKA"]
KIND_NAMES += [(f"run {suit}", f"begins a run of {name}") for suit, name in SUIT_NAMES.items()]

RUMMY = Game(
    name="rummy",
    title="Rummy",
    version=1,
    about="Lay sets and runs from two packs with jokers, and be first to go out.",
    layout={"kind": "rummy", "laid": "laid"},
    players=range(2, 7),
    pack=Pack(CARDS, copies=2),
    state=Rummy,
    choices=(
        Choice("draw", "Where do you draw?", ("draw stock", "draw discard"), ("draws from the stock", "takes the top discard")),
        Choice("turn", "What do you do?", *zip(*TURN_CHOICES, strict=True)),
        Choice("kind", "What kind of meld?", *zip(*KIND_NAMES, strict=True)),
        Choice("card", "Which card comes next?", *zip(*NAMES, strict=True)),
        choice("card", "chooses", "Which card do you add?", CARDS),
        choice("meld", "puts it to meld", "To which meld?", range(1, MOST_MELDS + 1)),
        Choice(
            "way",
            "At which end, or for the joker?",
            ("low", "high", "swap"),
            ("chooses the low end", "chooses the high end", "swaps it for the joker"),
        ),
    ),
    counts=COUNTS,
    start=start,
    gather=gather,
    deal=deal,
    legal=legal,
    apply=apply,
    winners=winners,
    why_not=why_not,
    sheet=Sheet("Game", lambda s: str(s.round), lambda s, seat: str(s.points[seat]) if s.points[seat] else "–"),
    swing=100,
    lowest_wins=True,
    picture=Picture(picture, sizes=("hand",), drawn=drawn),
)
