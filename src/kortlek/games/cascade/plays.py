"""What a play of Cascade gains, and the two bots of the original program, which look at nothing else.

Both rate every play: 7, plus 5 for each card drawn and 9 for each action gained. *Hard* takes the highest-rated play (of several the one in the
upper row, then the one to the left, then the lower card) and draws only when no card fits. *Easy* takes a random play with a probability
proportional to its rating; drawing is one more alternative, with the weight 5. Neither looks ahead.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, height, lowest, set_of, suit_of
from kortlek.engine.rng import Rng, below
from kortlek.game import Message
from kortlek.games.cascade.rules import COLUMN, DRAW, WIDEST, Cascade, above, value

VALUE = [value(card) for card in range(PACK)]
OF_VALUE = [set_of(card for card in range(PACK) if VALUE[card] == each) for each in range(15)]
"""The four cards of each value; none for 0 and 14."""
FOR_A_PLAY, FOR_A_CARD, FOR_AN_ACTION, FOR_DRAWING = 7, 5, 9, 5


def gains_action(left: int, right: int) -> Cards:
    """The cards that gain an action below cards of these values: equal to one of them, or three in a row."""
    cards = OF_VALUE[left] | OF_VALUE[right]
    if abs(left - right) == 1:
        cards |= OF_VALUE[min(left, right) - 1] | OF_VALUE[max(left, right) + 1]
    return cards


GAIN_ACTION = [gains_action(left, right) for left in range(14) for right in range(14)]
"""The cards that gain an action, by the values above the slot: the index is 14 times the left value plus the right one."""


def gainful(s: Cascade, column: int) -> Cards:
    """The cards that gain an action in the open slot of a column."""
    left, right = above(s, column)
    return GAIN_ACTION[14 * VALUE[left] + VALUE[right]]


def gains(s: Cascade, card: Card, column: int) -> tuple[int, int]:
    """How many actions a play gains, and how many cards it draws."""
    left, right = above(s, column)
    low, high, own = min(VALUE[left], VALUE[right]), max(VALUE[left], VALUE[right]), VALUE[card]
    in_a_row = high - low == 1 and (own == low - 1 or own == high + 1)
    actions = (low == own) + (high == own) + in_a_row
    return actions, (suit_of(left) == suit_of(card)) + (suit_of(right) == suit_of(card)) + in_a_row


def rating(s: Cascade, card: Card, column: int) -> int:
    """The rating of a play in the original program."""
    actions, cards = gains(s, card, column)
    return FOR_A_PLAY + FOR_A_CARD * cards + FOR_AN_ACTION * actions


def preference(s: Cascade, card: Card, column: int) -> int:
    """The sort key of *hard*: plays in the order of rating, row, column, value and suit; the highest is taken."""
    place = WIDEST * (WIDEST - s.filled[column]) + WIDEST - 1 - column
    return (rating(s, card, column) * WIDEST * WIDEST + place) * PACK + 4 * (13 - VALUE[card]) + 3 - suit_of(card)


def preferred_column(s: Cascade) -> int:
    """The column where the chosen card is rated highest."""
    best, choice = NOTHING, NOTHING
    for column in range(s.width):
        if s.fits[column] >> s.chosen & 1:
            how_much = preference(s, s.chosen, column)
            if how_much > best:
                best, choice = how_much, column
    return choice


def hard(s: Cascade, rng: Rng) -> int:
    """The highest-rated play; draw if there is none."""
    if s.phase == COLUMN:
        return preferred_column(s)
    best, choice = NOTHING, DRAW
    for column in range(s.width):
        todo = s.hand[s.turn] & s.fits[column]
        while todo:
            card = lowest(todo)
            todo &= todo - 1
            how_much = preference(s, card, column)
            if how_much > best:
                best, choice = how_much, card
    return choice


def weight_of_card(s: Cascade, card: Card) -> int:
    """The sum of the ratings of all plays of a card."""
    weight = 0
    for column in range(s.width):
        if s.fits[column] >> card & 1:
            weight += rating(s, card, column)
    return weight


def easy(s: Cascade, rng: Rng) -> int:
    """A random play with a probability proportional to its rating: first the card by the sum of its plays, then the column among these."""
    if s.phase == COLUMN:
        left = below(rng, weight_of_card(s, s.chosen))
        for column in range(s.width):
            if s.fits[column] >> s.chosen & 1:
                left -= rating(s, s.chosen, column)
                if left < 0:
                    return column
    total = FOR_DRAWING if height(s.deck[s.turn]) > 0 else 0
    todo = s.hand[s.turn]
    while todo:
        total += weight_of_card(s, lowest(todo))
        todo &= todo - 1
    left = below(rng, total)
    todo = s.hand[s.turn]
    while todo:
        left -= weight_of_card(s, lowest(todo))
        if left < 0:
            return lowest(todo)
        todo &= todo - 1
    return DRAW


def gains_nothing(s: Cascade, cards: Cards) -> bool:
    """Whether none of these cards gains an action anywhere."""
    gain = 0
    for column in range(s.width):
        if s.fits[column]:
            gain |= gainful(s, column)
    return cards & gain == 0


def reason(s: Cascade, choice: int) -> Message:
    """The reason for a choice: what a play gains, or why to draw."""
    if s.phase == COLUMN:
        return gain_message(s, s.chosen, choice)
    if choice == DRAW:
        if not any(s.hand[s.turn] & s.fits[column] for column in range(s.width)):
            return Message("reason-no-card-fits")
        return Message("reason-later" if gains_nothing(s, s.hand[s.turn]) else "reason-one-more")
    columns = [column for column in range(s.width) if s.fits[column] >> choice & 1]
    return gain_message(s, choice, max(columns, key=lambda column: preference(s, choice, column)))


def gain_message(s: Cascade, card: Card, column: int) -> Message:
    """What a play gains, as a message."""
    actions, cards = gains(s, card, column)
    gained = [Message(id, {"count": many}) for many, id in ((actions, "reason-actions"), (cards, "reason-cards")) if many]
    two = list(above(s, column))
    return Message("reason-gains", {"gains": gained, "cards": two}) if gained else Message("reason-fits", {"cards": two})
