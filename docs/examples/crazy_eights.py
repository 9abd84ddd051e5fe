"""Crazy Eights: get rid of your cards; follow the suit or the rank, and an eight names any suit.

Two to five players, 52 cards.
"""

from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, PACK, Card, Cards, Pile, Suit, bit, cards_of, height, lowest, pop, push, rank_of, size, suit_of, top
from kortlek.engine.rng import Rng
from kortlek.game import CARD, MATCH, NOBODY, OWNER, SHUFFLE, Choice, Game, Part, State, cards, count, fewest_points, flag_option, int_option
from kortlek.game import next_seat, pile, seat, state, suit, suit_named

PLAY, NAME = 0, 1
DRAW, PASS = PACK, PACK + 1
EIGHT = 6
TWOS = bit(0) | bit(13) | bit(26) | bit(39)
EIGHTS = TWOS << EIGHT


@state(seats=5)
class CrazyEights(State):
    """A match of Crazy Eights."""

    deals: int = int_option(5, range(1, 101), about="How many rounds are played.")
    most_drawn: int = int_option(5, range(1, 53), about="How many cards may be drawn in a turn.")
    reshuffle: int = flag_option(True, about="Whether the cards played become the stock when it is empty.")
    longest: int = int_option(100, range(1, 1001), about="A round ends when this many cards were played.")
    dealer: int = seat(reset=MATCH)
    suit: Suit = suit()
    played: int = count(0, 1000)
    drawn: int = count(0, PACK)
    passes: int = count(0, 6)
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)
    stock: Pile = pile(PACK, seen_by=NOBODY)
    discards: Pile = pile(PACK)


def cards_to_shuffle(s: CrazyEights, pack: list[Card]) -> int:
    """The whole pack before a round; within one, the cards played, but not the one on top."""
    many = height(s.discards) - 1 if s.phase == SHUFFLE else PACK
    for at in range(many):
        pack[at] = s.discards[at + 1] if s.phase == SHUFFLE else at
    return many


def deal(s: CrazyEights, pack: list[Card]) -> None:
    """Five cards each, one at a time from the dealer's left; with two players seven. The next card that is no eight is turned up."""
    s.dealer = next_seat(s, s.dealer)
    s.turn = s.dealer
    dealt = s.players * (7 if s.players == 2 else 5)
    for at in range(dealt):
        s.turn = next_seat(s, s.turn)
        s.hand[s.turn] |= bit(pack[at])
    first = dealt
    while rank_of(pack[first]) == EIGHT:
        first += 1
    for at in range(PACK - 1, dealt - 1, -1):
        if at != first:
            push(s.stock, pack[at])
    push(s.discards, pack[first])
    s.suit = suit_of(pack[first])
    s.turn = next_seat(s, s.dealer)
    s.phase = PLAY


def legal(s: CrazyEights) -> Cards:
    """Play a card of the suit or of the rank of the card on top, or an eight. Or draw a card, whatever you hold, as often as is allowed;
    when you may not, or the stock is empty, pass."""
    if s.phase == NAME:
        return 15
    matching = cards_of(s.suit) | TWOS << rank_of(top(s.discards)) | EIGHTS
    may_draw = height(s.stock) and s.drawn < s.most_drawn
    return s.hand[s.turn] & matching | (bit(DRAW) if may_draw else bit(PASS))


def apply(s: CrazyEights, choice: int) -> None:
    """After a draw the turn goes on. Who has played an eight names a suit; the next player must follow it."""
    if s.phase == NAME:
        s.suit = choice
        end_turn(s)
    elif choice == DRAW:
        s.hand[s.turn] |= bit(pop(s.stock))
        s.drawn += 1
        s.passes = 0
        refill(s)
    elif choice == PASS:
        s.passes += 1
        end_turn(s)
    else:
        play(s, choice)


def play(s: CrazyEights, card: Card) -> None:
    """Lay a card on the others."""
    s.hand[s.turn] &= ~bit(card)
    push(s.discards, card)
    s.played += 1
    s.passes = 0
    s.suit = suit_of(card) if rank_of(card) != EIGHT else NOTHING
    if not round_over(s):
        if s.suit == NOTHING:
            s.phase = NAME
        else:
            end_turn(s)
        refill(s)


def end_turn(s: CrazyEights) -> None:
    """The next player clockwise."""
    s.drawn = 0
    s.turn = next_seat(s, s.turn)
    s.phase = PLAY


def refill(s: CrazyEights) -> None:
    """As soon as the stock is empty, the cards played are shuffled and become the stock; only the top card stays."""
    if s.reshuffle and height(s.stock) == 0 and height(s.discards) > 1:
        s.phase = SHUFFLE


def reshuffle(s: CrazyEights, pack: list[Card]) -> None:
    """The new stock."""
    last = pop(s.discards)
    for at in range(height(s.discards) - 1, -1, -1):
        push(s.stock, pack[at])
        pop(s.discards)
    push(s.discards, last)
    s.phase = NAME if s.suit == NOTHING else PLAY


def round_over(s: CrazyEights) -> bool:
    """A round ends when a hand is empty, when the longest round is over, or when with an empty stock everyone has passed, and one more."""
    for seat in range(s.players):
        if s.hand[seat] == 0:
            return True
    return s.played == s.longest or s.passes > s.players


def points(s: CrazyEights, seat: int) -> int:
    """The cards left in a hand are penalties: 50 for an eight, 10 for a ten or a court card, 1 for an ace, the others their number."""
    penalty, left = 0, s.hand[seat]
    while left:
        rank = rank_of(lowest(left))
        left &= left - 1
        penalty += 50 if rank == EIGHT else 1 if rank == 12 else min(rank + 2, 10)
    return penalty


def over(s: CrazyEights) -> bool:
    """The match has as many rounds as the option says."""
    return s.round == s.deals


CRAZY_EIGHTS = Game(
    "crazy_eights",
    title="Crazy Eights",
    players=range(2, 6),
    state=CrazyEights,
    choices=(Choice("turn", Part("play", CARD), Part("draw"), Part("pass")), Choice("suit", suit_named("C", "D", "H", "S"))),
    cards_to_shuffle=cards_to_shuffle,
    deal=deal,
    reshuffle=reshuffle,
    legal=legal,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
    payoff=fewest_points,
)


def choose(s: CrazyEights, rng: Rng) -> int:
    """Play a card if you can, eights last; name the suit that you have most of."""
    if s.phase == NAME:
        best = 0
        for suit in range(4):
            if size(s.hand[s.turn] & cards_of(suit)) > size(s.hand[s.turn] & cards_of(best)):
                best = suit
        return best
    return lowest(legal(s) & ~EIGHTS if legal(s) & ~EIGHTS & (bit(PACK) - 1) else legal(s))


HOUSE = Policy("house", 1, choose)

WORDS = {
    "en": """
ask-turn = Play a card, or draw?
bot-house = plays what it can, keeps its eights, names its longest suit
ask-suit = Which suit?
choice-suit = { $suit }
event-suit = { $who } { VERB($you, "name", "names") } { $suit }
"""
}
