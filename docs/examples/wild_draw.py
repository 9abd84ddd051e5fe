"""Wild Draw: follow the colour or the value, make the others draw, and get rid of your cards.

Two to ten players. 108 cards: in each of four colours one 0, two each of 1 to 9, two skips, two reverses and two draw-twos; four wild cards
and four wild draw-fours.
"""

from kortlek.cards import Card, Cards, Multiset, Pile, Suit, bit, cards_of, count, gain, height, lose, lowest, pop, push, rank_of, suit_of
from kortlek.cards import top
from kortlek.game import CARD, NOBODY, OWNER, SHUFFLE, Choice, Face, Game, Pack, Part, State, card_set, highest_score, int_option, multiset
from kortlek.game import count as number
from kortlek.game import pile, state, suit, suit_named

PLAY, NAME = 0, 1
COLOURS = ("red", "yellow", "green", "blue")
VALUES = (*map(str, range(10)), "skip", "reverse", "draw-two")
SKIP, REVERSE, DRAW_TWO = 10, 11, 12
WILD, WILD_FOUR = 52, 53
DRAW = 54
KINDS = [(colour, value) for colour in COLOURS for value in VALUES]
NAMES = (*(f"{colour}-{value}" for colour, value in KINDS), "wild", "wild-draw-four")
COPIES = (*(1 if value == "0" else 2 for _, value in KINDS), 4, 4)
FACES = (*(Face(f"{colour} {value}", colour=colour) for colour, value in KINDS), Face("wild"), Face("wild-draw-four"))
CARDS = sum(COPIES)
DECK = [kind for kind, copies in enumerate(COPIES) for _ in range(copies)]
ZEROS = bit(0) | bit(13) | bit(26) | bit(39)


@state(seats=10)
class WildDraw(State):
    """A match of Wild Draw."""

    target: int = int_option(200, range(1, 1001), about="Who has this many points wins.")
    colour: Suit = suit()
    direction: int = number(-1, 1, start=1)
    owed: int = number(0, 4)
    """How many cards the player in turn still has to draw."""
    hand: list[Multiset] = multiset(4, per_seat=True, seen_by=OWNER, known_absent="known_absent")
    stock: Pile = pile(CARDS, seen_by=NOBODY)
    discards: Pile = pile(CARDS)
    known_absent: list[Cards] = card_set(per_seat=True)
    """The colour that a player did not have when she played a wild draw-four, until she draws."""


def cards_to_shuffle(s: WildDraw, pack: list[Card]) -> int:
    """The whole pack before a round; within one, the cards played, but not the one on top."""
    many = height(s.discards) - 1 if s.phase == SHUFFLE else CARDS
    for at in range(many):
        pack[at] = s.discards[at + 1] if s.phase == SHUFFLE else DECK[at]
    return many


def deal(s: WildDraw, pack: list[Card]) -> None:
    """Seven cards each. The next card with a number is turned up. The players begin by turns."""
    dealt = 7 * s.players
    for at in range(dealt):
        gain(s.hand[at % s.players], pack[at])
    first = dealt
    while pack[first] >= WILD or rank_of(pack[first]) >= SKIP:
        first += 1
    for at in range(CARDS - 1, dealt - 1, -1):
        if at != first:
            push(s.stock, pack[at])
    push(s.discards, pack[first])
    s.colour = suit_of(pack[first])
    s.turn = s.round % s.players
    s.phase = PLAY


def legal(s: WildDraw) -> Cards:
    """Play a card of the colour or the value on top, or a wild card; a wild draw-four only if you have nothing of the colour. Or draw a card."""
    if s.phase == NAME:
        return 15
    last, held = top(s.discards), s.hand[s.turn][0]
    same_value = ZEROS << rank_of(last) if last < WILD else 0
    wild = bit(WILD) if held & cards_of(s.colour) else bit(WILD) | bit(WILD_FOUR)
    return held & (cards_of(s.colour) | same_value | wild) | bit(DRAW)


def apply(s: WildDraw, choice: int) -> None:
    """Who draws a card has had her turn. Who plays a wild card names the colour."""
    if s.phase == NAME:
        s.colour = choice
        end_turn(s, top(s.discards))
    elif choice == DRAW:
        s.owed = 1
        draw(s)
    else:
        lose(s.hand[s.turn], choice)
        push(s.discards, choice)
        if choice == WILD_FOUR:
            s.known_absent[s.turn] = cards_of(s.colour)
        if s.hand[s.turn][0] == 0:
            return
        if choice >= WILD:
            s.phase = NAME
        else:
            s.colour = suit_of(choice)
            end_turn(s, choice)


def end_turn(s: WildDraw, card: Card) -> None:
    """A skip passes over the next player. A reverse turns the direction of play; with two players it is a skip. After a draw-two or a
    wild draw-four the next player draws as many cards, and misses her turn."""
    value = rank_of(card) if card < WILD else -1
    if value == REVERSE and s.players > 2:
        s.direction = -s.direction
    next_player(s)
    if value == SKIP or value == REVERSE and s.players == 2:
        next_player(s)
    elif value == DRAW_TWO or card == WILD_FOUR:
        s.owed = 2 if value == DRAW_TWO else 4
        draw(s)


def next_player(s: WildDraw) -> None:
    """The next player in the direction of play."""
    s.turn = (s.turn + s.direction) % s.players
    s.phase = PLAY


def draw(s: WildDraw) -> None:
    """When the stock is empty, the cards played are shuffled and become the stock; if there are none, nobody draws."""
    while s.owed and height(s.stock):
        gain(s.hand[s.turn], pop(s.stock))
        s.known_absent[s.turn] = 0
        s.owed -= 1
    if s.owed and height(s.discards) > 1:
        s.phase = SHUFFLE
    else:
        s.owed = 0
        next_player(s)


def reshuffle(s: WildDraw, pack: list[Card]) -> None:
    """The new stock; whoever was drawing goes on."""
    last = pop(s.discards)
    for at in range(height(s.discards) - 1, -1, -1):
        push(s.stock, pack[at])
        pop(s.discards)
    push(s.discards, last)
    draw(s)


def round_over(s: WildDraw) -> bool:
    """A round ends as soon as a hand is empty."""
    for seat in range(s.players):
        if s.hand[seat][0] == 0:
            return True
    return False


def points(s: WildDraw, seat: int) -> int:
    """Who is out first scores what the others hold: numbers as they are, 20 for a skip, reverse or draw-two, 50 for a wild card."""
    if s.hand[seat][0]:
        return 0
    together = 0
    for other in range(s.players):
        kinds = s.hand[other][0]
        while kinds:
            card = lowest(kinds)
            kinds &= kinds - 1
            worth = 50 if card >= WILD else 20 if rank_of(card) >= SKIP else rank_of(card)
            together += worth * count(s.hand[other], card)
    return together


def over(s: WildDraw) -> bool:
    """The match is over when somebody has enough points."""
    return highest_score(s) >= s.target


WILD_DRAW = Game(
    "wild_draw",
    title="Wild Draw",
    players=range(2, 11),
    pack=Pack(NAMES, COPIES, faces=FACES),
    state=WildDraw,
    choices=(Choice("turn", Part("play", CARD), Part("draw")), Choice("name", suit_named(*COLOURS))),
    cards_to_shuffle=cards_to_shuffle,
    deal=deal,
    reshuffle=reshuffle,
    legal=legal,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
)

WORDS = {
    "en": """
ask-turn = Play a card, or draw?
ask-name = Which colour?
suit-0 = red
suit-1 = yellow
suit-2 = green
suit-3 = blue
"""
}
