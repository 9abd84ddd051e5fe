"""The house's search: everything that a player can do in her turn of Cascade, a few actions deep, and the value of the result.

The search plays on the state itself and undoes every play. It reads the player's own hand and the public cards, and of all other cards only their
number: a card still to be drawn is any of the unseen ones, all equally likely.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, bit, height, lowest, size, upto
from kortlek.engine.rng import Rng
from kortlek.games.cascade.plays import OF_VALUE, VALUE, gainful, gains
from kortlek.games.cascade.rules import COLUMN, DRAW, WIDEST, Cascade, above, fitting
from kortlek.games.cascade.weights import FEATURES, WEIGHTS

ALL_CARDS = upto(PACK - 1)
NO_VALUE = -1000.0
"""Less than the value of any position."""
LARGEST_HAND = 16
"""With a larger hand the search depth is 0, to bound the time of a choice."""


def lay(s: Cascade, card: Card, column: int) -> None:
    """Put a card into the open slot of a column."""
    s.board[s.filled[column] * WIDEST + column] = card
    s.filled[column] += 1
    see_slots(s, column)


def take_back(s: Cascade, column: int) -> None:
    """Remove the last card of a column."""
    s.filled[column] -= 1
    s.board[s.filled[column] * WIDEST + column] = NOTHING
    see_slots(s, column)


def see_slots(s: Cascade, column: int) -> None:
    """Update which cards fit, after a change in a column."""
    s.fits[column] = fitting(s, column)
    if column > 0:
        s.fits[column - 1] = fitting(s, column - 1)


def share(cards: Cards, wanted: Cards) -> float:
    """The share of the cards that is wanted."""
    return size(cards & wanted) / max(1, size(cards))


def weight(at: int, empty: float) -> float:
    """A weight of the table, for this share of the triangle still empty."""
    return WEIGHTS[at] + empty * (WEIGHTS[at + 1] + empty * WEIGHTS[at + 2])


def prospects(s: Cascade, actions: int, drawn: int, laid: int) -> float:
    """The expected margin in points of the player in turn over the others' mean, after she has laid ``laid`` cards in this turn and drawn
    ``drawn`` unknown ones, with ``actions`` left."""
    me = s.turn
    slots, opened, gain, fit, twins = 0, 0, 0, 0, 0
    for column in range(s.width):
        slots += s.width - column - s.filled[column]
        if s.fits[column]:
            opened += 1
            fit |= s.fits[column]
            gain |= gainful(s, column)
            left, right = above(s, column)
            if VALUE[left] == VALUE[right]:
                twins |= OF_VALUE[VALUE[left]]
    theirs, their_hands, their_gains = 0.0, 0.0, 0.0
    for seat in range(s.players):
        if seat != me:
            theirs += s.played[seat] / (s.players - 1)
            held = max(size(s.hand[seat]), 1)
            their_hands += held / (s.players - 1)
            their_gains += held * share(ALL_CARDS & ~s.laid[seat], gain) / (s.players - 1)
    lead = s.played[me] + laid - theirs
    if slots == 0:
        return lead + 1.0 if lead > 0 else lead - 1.0
    hand = s.hand[me]
    values = (hand | hand >> 13 | hand >> 26 | hand >> 39) & upto(12)
    held = size(hand) + drawn
    lucky = share(ALL_CARDS & ~s.laid[me] & ~hand, gain)
    empty = slots / (s.width * (s.width - 1) // 2)
    at = 3 * FEATURES * (actions > 0)
    return (
        lead
        + weight(at, empty)
        + weight(at + 3, empty) * held
        + weight(at + 6, empty) * (size(hand & gain) + drawn * lucky)
        + weight(at + 9, empty) * their_hands
        + weight(at + 12, empty) * their_gains
        + weight(at + 15, empty) * lucky
        + weight(at + 18, empty) * held * held
        + weight(at + 21, empty) * their_hands * their_hands
        + weight(at + 24, empty) * opened
        + weight(at + 27, empty) * actions
        + weight(at + 30, empty) * size(hand & ~fit)
        + weight(at + 33, empty) * (held == 0)
        + weight(at + 36, empty) * (size(hand) - size(values))
        + weight(at + 39, empty) * size(values & values << 1)
        + weight(at + 42, empty) * size(hand & twins)
        + weight(at + 45, empty) * size(ALL_CARDS & fit)
        + weight(at + 48, empty) * height(s.deck[me])
        + weight(at + 51, empty) * held * lucky
    )


def worth(s: Cascade) -> float:
    """The value of a position for a player who has just got the turn."""
    return prospects(s, s.actions, 0, 0)


def best_of_turn(s: Cascade, actions: int, drawn: int, laid: int, depth: int) -> float:
    """The best value that the rest of the turn can lead to, searched ``depth`` actions deep."""
    me = s.turn
    if actions == 0 or s.filled[0] == s.width:
        return prospects(s, 0, drawn, laid)
    if depth == 0:  # at least as good as drawing with all remaining actions
        return max(prospects(s, actions, drawn, laid), prospects(s, 0, min(drawn + actions, height(s.deck[me])), laid))
    hand = s.hand[me]
    best = NO_VALUE
    if height(s.deck[me]) > drawn:
        best = prospects(s, actions - 1, drawn + 1, laid)
    todo = hand
    while todo:
        card = lowest(todo)
        todo &= todo - 1
        s.hand[me] = hand & ~bit(card)
        s.laid[me] |= bit(card)
        for column in range(s.width):
            if s.fits[column] >> card & 1:
                more, cards = gains(s, card, column)
                lay(s, card, column)
                best = max(best, best_of_turn(s, actions - 1 + more, min(drawn + cards, height(s.deck[me])), laid + 1, depth - 1))
                take_back(s, column)
        s.laid[me] &= ~bit(card)
    s.hand[me] = hand
    return best if best > NO_VALUE else prospects(s, 0, drawn, laid)


def after_play(s: Cascade, card: Card, column: int, depth: int) -> float:
    """The best value after playing a card, already removed from the hand, into a column, searched ``depth`` more actions deep."""
    more, cards = gains(s, card, column)
    lay(s, card, column)
    result = best_of_turn(s, s.actions - 1 + more, min(cards, height(s.deck[s.turn])), 1, depth if size(s.hand[s.turn]) < LARGEST_HAND else 0)
    take_back(s, column)
    return result


def best_column(s: Cascade, depth: int) -> int:
    """The column with the best value for the chosen card."""
    best, choice = NO_VALUE, NOTHING
    for column in range(s.width):
        if s.fits[column] >> s.chosen & 1:
            result = after_play(s, s.chosen, column, depth)
            if result > best:
                best, choice = result, column
    return choice


def best_action(s: Cascade, depth: int) -> int:
    """The action with the best value: a card, or drawing one."""
    me = s.turn
    hand = s.hand[me]
    best, choice = NO_VALUE, DRAW
    if height(s.deck[me]) > 0:
        best = prospects(s, s.actions - 1, 1, 0)
    todo = hand
    while todo:
        card = lowest(todo)
        todo &= todo - 1
        s.hand[me] = hand & ~bit(card)
        s.laid[me] |= bit(card)
        for column in range(s.width):
            if s.fits[column] >> card & 1:
                result = after_play(s, card, column, depth)
                if result > best:
                    best, choice = result, card
        s.laid[me] &= ~bit(card)
    s.hand[me] = hand
    return choice


def near(s: Cascade, rng: Rng) -> int:
    """The choice with the best value, without looking further ahead."""
    return best_column(s, 0) if s.phase == COLUMN else best_action(s, 0)


def far(s: Cascade, rng: Rng) -> int:
    """The choice with the best value, looking one action further ahead."""
    return best_column(s, 1) if s.phase == COLUMN else best_action(s, 1)
