"""Rules of thumb for Oh Hell (``oh_hell.py``).

* It bids the value of its cards: trumps by how many higher ones are out, other cards by that and by how short their suit is, adjusted by the bids
  before.
* As long as it needs tricks, it takes them: as the last player with the cheapest winner, otherwise with the highest card. On lead it starts with
  cards that nothing can beat, trumps first; without any it leads low and waits, unless it needs all remaining tricks.
* When it needs none, it ducks, throws the highest card that does not win, and leads the card that most others can beat.
* When its promise is broken, every trick is still a point: it takes what it can.
"""

from oh_hell import BID, PLAYED, SUITS, OhHell, legal

from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, Card, Cards, Suit, bit, cards_of, highest, lowest, rank_of, size, suit_of, upto
from kortlek.engine.rng import Rng
from kortlek.game import Message, next_seat
from kortlek.games import tricks

TRUMP_WORTH = [1.55, 1.25, 1.1, 1.0, 0.75, 0.95, 0.9]
"""The value of a trump in tricks, by the number of higher trumps that are out."""
SIDE_WORTH = [0.53, 0.18, -0.06, -0.18, -0.24, -0.32, -0.4]
"""The value of another card in tricks, by the number of higher cards that are out."""
LENGTH_WORTH = [-0.55, -0.35, -0.12, -0.1, -0.4, -1.1, -2.1, -2.5]
"""Added for a suit other than trump by its number of cards, if there is a trump in the hand."""
CONSTANT = 0.68
TILT = -0.05
"""Added for each trick that was bid before above the fair share."""


# ---- what the player in turn knows


def out(s: OhHell) -> Cards:
    """The cards that the others hold."""
    return PLAYED & ~(s.hand[s.turn] | s.gone | s.trick | s.turned)


def above(card: Card) -> Cards:
    """The higher cards of the same suit."""
    return cards_of(suit_of(card)) & ~upto(card)


def need(s: OhHell) -> int:
    """How many more tricks the promise needs; below zero, or more than are left, if it is broken."""
    return s.bid[s.turn] - s.taken[s.turn]


def wants_tricks(s: OhHell) -> bool:
    """Whether the player wants tricks: she needs some, or her promise is broken."""
    return need(s) != 0


def highest_rank(cards: Cards) -> Card:
    """The card of the highest rank."""
    best = NOTHING
    for suit in range(SUITS):
        mine = cards & cards_of(suit)
        if mine and (best == NOTHING or rank_of(highest(mine)) > rank_of(best)):
            best = highest(mine)
    return best


def lowest_rank(cards: Cards) -> Card:
    """The card of the lowest rank."""
    best = NOTHING
    for suit in range(SUITS):
        mine = cards & cards_of(suit)
        if mine and (best == NOTHING or rank_of(lowest(mine)) < rank_of(best)):
            best = lowest(mine)
    return best


# ---- bidding


def worth(s: OhHell) -> float:
    """The value of the hand in tricks."""
    hand = s.hand[s.turn]
    hidden = out(s)
    tricks_worth = CONSTANT
    for suit in range(SUITS):
        mine = hand & cards_of(suit)
        if suit != s.trump and hand & cards_of(s.trump):
            tricks_worth += LENGTH_WORTH[size(mine)]
        while mine:
            card = highest(mine)
            mine &= ~bit(card)
            higher = size(hidden & above(card))
            tricks_worth += TRUMP_WORTH[higher] if suit == s.trump else SIDE_WORTH[higher]
    for seat in range(s.players):
        if s.bid[seat] != NOTHING:
            tricks_worth += TILT * (s.bid[seat] - 3)
    return tricks_worth


def choose_bid(s: OhHell) -> int:
    """The legal number nearest to the value of the hand."""
    possible = legal(s)
    value = worth(s)
    best = lowest(possible)
    while possible:
        number = lowest(possible)
        possible &= possible - 1
        if abs(number - value) < abs(best - value):
            best = number
    return best


# ---- playing


def winners(s: OhHell, cards: Cards) -> Cards:
    """The cards that would win the trick as it stands."""
    better = cards & above(s.best)
    return better if suit_of(s.best) == s.trump else better | cards & cards_of(s.trump)


def follow(s: OhHell) -> Card:
    """The card to play when following."""
    possible = tricks.follow_suit(s)
    winning = winners(s, possible)
    losing = possible & ~winning
    last = next_seat(s, s.turn) == s.leader
    if wants_tricks(s):
        if not winning:
            return lowest_rank(only_without(losing, s.trump))
        if last or suit_of(lowest(winning)) != s.led:
            return cheapest(s, winning)
        return highest(winning & cards_of(s.led))
    if losing:
        mine = losing & cards_of(s.trump)
        return highest(mine) if mine else highest_rank(losing)
    return highest_rank(winning) if last else cheapest(s, winning)


def only_without(cards: Cards, suit: Suit) -> Cards:
    """The cards of other suits, or all of them if there are none."""
    return cards & ~cards_of(suit) if cards & ~cards_of(suit) else cards


def cheapest(s: OhHell, cards: Cards) -> Card:
    """The lowest card that is not a trump, otherwise the lowest trump."""
    return lowest_rank(only_without(cards, s.trump))


def lead(s: OhHell) -> Card:
    """The card to lead."""
    hand = s.hand[s.turn]
    hidden = out(s)
    if wants_tricks(s):
        trumps = hand & cards_of(s.trump)
        if trumps and not hidden & above(highest(trumps)):
            return highest(trumps)
        for suit in range(SUITS):
            mine = hand & cards_of(suit)
            if mine and suit != s.trump and hidden & cards_of(suit) and not hidden & above(highest(mine)):
                return highest(mine)
        if need(s) < 0 or need(s) >= size(hand):
            return highest(trumps) if trumps else highest_rank(hand)
        return lowest_rank(only_without(hand, s.trump))
    best = NOTHING
    most = -1
    for suit in range(SUITS):
        mine = hand & cards_of(suit)
        if mine:
            beaten = 2 * size(hidden & above(lowest(mine))) + (1 if suit != s.trump else 0)
            if beaten > most:
                most = beaten
                best = lowest(mine)
    return best


def choose(s: OhHell, rng: Rng) -> int:
    """One of the legal choices of the player in turn."""
    if s.phase == BID:
        return choose_bid(s)
    return lead(s) if s.led == NOTHING else follow(s)


def reason(s: OhHell, choice: int) -> Message:
    """The reason for a choice, in the words of trick-taking games."""
    if s.phase == BID:
        return Message("reason-expects", {"number": round(worth(s), 1)})
    missing, left = need(s), size(s.hand[s.turn])
    if 0 < missing <= left:
        return Message("reason-needs-some", {"number": missing, "left": left})
    return Message("reason-needs-none" if missing == 0 else "reason-lost")


HOUSE = Policy("house", 1, choose, reason)
