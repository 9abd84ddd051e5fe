"""Goofspiel: everyone bids a card for each prize, all at once, and the highest takes it.

Two to ten players; each has the cards 1 to 13, and 13 prizes are worth 1 to 13.
"""

from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, Card, Cards, Pile, bit, highest, lowest, pop, push, upto
from kortlek.engine.rng import Rng
from kortlek.game import CARD, NOBODY, OVER, OWNER, Choice, Game, Pack, State, all_have_chosen, card, cards, choose_together, pile, state

BID = 0
CARDS = 13


@state(seats=10)
class Goofspiel(State):
    """A match of Goofspiel."""

    prize: Cards = cards()
    prizes: Pile = pile(CARDS, seen_by=NOBODY)
    gone: Cards = cards()
    hand: list[Cards] = cards(per_seat=True)
    played: list[Cards] = cards(per_seat=True)
    bid: list[Card] = card(per_seat=True, seen_by=OWNER)


def deal(s: Goofspiel, pack: list[Card]) -> None:
    """Everyone has all thirteen cards. The prizes are shuffled."""
    for seat in range(s.players):
        s.hand[seat] = upto(CARDS - 1)
    for at in range(CARDS):
        push(s.prizes, pack[at])
    next_prize(s)


def next_prize(s: Goofspiel) -> None:
    """A prize is turned up, and everyone bids for it at once."""
    s.prize = bit(pop(s.prizes))
    choose_together(s, BID)


def legal(s: Goofspiel) -> Cards:
    """Any card that is left."""
    return s.hand[s.turn]


def apply(s: Goofspiel, choice: Card) -> None:
    """The bids are shown when all have chosen. The highest takes the prize; between equal highest bids nobody gets it."""
    s.bid[s.turn] = choice
    if not all_have_chosen(s):
        return
    best, winner = NOTHING, NOTHING
    for seat in range(s.players):
        bid = s.bid[seat]
        if bid >= best:
            winner = NOTHING if bid == best else seat
            best = bid
        s.hand[seat] &= ~bit(bid)
        s.played[seat] |= bit(bid)
        s.bid[seat] = NOTHING
    if winner != NOTHING:
        s.score[winner] += lowest(s.prize) + 1
    s.gone |= s.prize
    s.prize = 0
    if s.prizes[0]:
        next_prize(s)
    else:
        s.round += 1
        s.phase = OVER


GOOFSPIEL = Game(
    "goofspiel",
    players=range(2, 11),
    pack=Pack(tuple(map(str, range(1, CARDS + 1))), one_each=True),
    state=Goofspiel,
    choices=(Choice("bid", CARD, together=True),),
    deal=deal,
    legal=legal,
    apply=apply,
)


def what_it_is_worth(s: Goofspiel, rng: Rng) -> Card:
    """Bid what the prize is worth, or the next lower card."""
    cheaper = s.hand[s.turn] & upto(lowest(s.prize))
    return highest(cheaper) if cheaper else lowest(s.hand[s.turn])


HOUSE = Policy("house", 1, what_it_is_worth)
WORDS = {"en": "bot-house = bids what the prize is worth\n"}
