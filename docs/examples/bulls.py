"""Bulls: everyone plays a card at once, the cards go to four rows, and who lays the sixth card of a row takes it.

Two to ten players. 104 cards, 1 to 104, with one to seven bulls on each; bulls are bad.
"""

from kortlek.cards import NOTHING, Card, Cards, Pile, Wide, clear, height, how_many, kinds_in, nth_card, push, top, upto
from kortlek.game import NOBODY, OWNER, Choice, Game, Pack, State, all_have_chosen, card, choose_together, count, fewest_points, held, highest_score
from kortlek.game import int_option, one_of_piles, pile, state, wide

PLAY, TAKE = 0, 1
CARDS, HAND, ROWS, LONGEST = 104, 10, 4, 5
BULLS = [7 if n == 55 else 5 if n % 11 == 0 else 3 if n % 10 == 0 else 2 if n % 5 == 0 else 1 for n in range(1, CARDS + 1)]
"""55 has seven bulls, other multiples of 11 five, of 10 three, of 5 two, and the rest one."""


@state(seats=10)
class Bulls(State):
    """A match of Bulls."""

    target: int = int_option(66, range(1, 501), about="Who has this many bulls ends the match.")
    left: int = count(0, HAND)
    """How many cards everyone has left."""
    rows: list[Pile] = pile(LONGEST, piles=ROWS)
    hand: list[Wide] = wide(CARDS, per_seat=True, seen_by=OWNER)
    laid: Wide = wide(CARDS)
    gone: Wide = wide(CARDS)
    rest: Wide = wide(CARDS, seen_by=NOBODY)
    chosen: list[Card] = card(per_seat=True, seen_by=OWNER)
    shown: list[Card] = card(per_seat=True)
    """The card of each player that has not gone to a row yet."""
    bulls: list[int] = count(0, 200, per_seat=True, event=True)


def deal(s: Bulls, pack: list[Card]) -> None:
    """Ten cards each; four more begin the rows."""
    for at in range(CARDS):
        if at < HAND * s.players:
            s.hand[at % s.players][pack[at]] = 1
        elif at < HAND * s.players + ROWS:
            push(s.rows[at - HAND * s.players], pack[at])
        else:
            s.rest[pack[at]] = 1
    s.left = HAND
    choose_together(s, PLAY)


def legal(s: Bulls) -> Cards:
    """Any of your cards; any of the rows."""
    return kinds_in(s.hand[s.turn]) if s.phase == PLAY else upto(ROWS - 1)


def apply(s: Bulls, choice: int) -> None:
    """Everyone chooses a card at once. All are shown, and go to the rows, the lowest first."""
    if s.phase == TAKE:
        take(s, s.turn, choice)
    else:
        s.chosen[s.turn] = nth_card(s.hand[s.turn], choice)
        if not all_have_chosen(s):
            return
        s.left -= 1
        for seat in range(s.players):
            s.shown[seat] = s.chosen[seat]
            s.chosen[seat] = NOTHING
            s.hand[seat][s.shown[seat]] = 0
            s.laid[s.shown[seat]] = 1
    lay_cards(s)


def lay_cards(s: Bulls) -> None:
    """A card goes to the row whose last card is nearest below it. Who plays the sixth of a row takes the five others. Who has a card below all
    rows takes one of her choice, and her card begins it anew."""
    while how_many(s.laid):
        seat = lowest_seat(s)
        row = row_for(s, s.shown[seat])
        if row == NOTHING:
            s.turn = seat
            s.phase = TAKE
            return
        if height(s.rows[row]) == LONGEST:
            take(s, seat, row)
        else:
            lay(s, seat, row)
    if s.left:
        choose_together(s, PLAY)


def lowest_seat(s: Bulls) -> int:
    """Whose card is the lowest."""
    lowest = NOTHING
    for seat in range(s.players):
        if s.shown[seat] != NOTHING and (lowest == NOTHING or s.shown[seat] < s.shown[lowest]):
            lowest = seat
    return lowest


def row_for(s: Bulls, card: Card) -> int:
    """The row where a card goes."""
    best = NOTHING
    for row in range(ROWS):
        if top(s.rows[row]) < card and (best == NOTHING or top(s.rows[row]) > top(s.rows[best])):
            best = row
    return best


def lay(s: Bulls, seat: int, row: int) -> None:
    """The card is the last of its row."""
    push(s.rows[row], s.shown[seat])
    s.laid[s.shown[seat]] = 0
    s.shown[seat] = NOTHING


def take(s: Bulls, seat: int, row: int) -> None:
    """Take a row with all its bulls, and begin it anew."""
    for at in range(1, height(s.rows[row]) + 1):
        s.bulls[seat] += BULLS[s.rows[row][at]]
        s.gone[s.rows[row][at]] = 1
    clear(s.rows[row])
    lay(s, seat, row)


def round_over(s: Bulls) -> bool:
    """A round is over when all cards are played and lie in their rows."""
    return s.left == 0 and how_many(s.laid) == 0


def points(s: Bulls, seat: int) -> int:
    """The bulls on the rows that a player has taken."""
    return s.bulls[seat]


def over(s: Bulls) -> bool:
    """The match is over when somebody has too many bulls."""
    return highest_score(s) >= s.target


BULLS_GAME = Game(
    "bulls",
    players=range(2, 11),
    pack=Pack(tuple(map(str, range(1, CARDS + 1)))),
    state=Bulls,
    choices=(Choice("play", held("hand"), together=True), Choice("take", one_of_piles(ROWS))),
    deal=deal,
    legal=legal,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
    payoff=fewest_points,
)

WORDS = {
    "en": """
event-face_up = Row { $pile }: { $cards }
choice-take = Take row { $pile }
event-take = { $who } { VERB($you, "take", "takes") } row { $pile }
event-bulls = { $who } { VERB($you, "have", "has") } { $value } bulls
"""
}
