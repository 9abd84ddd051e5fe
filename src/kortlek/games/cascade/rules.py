"""Cascade: fill a triangle of cards; who plays the most cards wins.

Two to four players, each with a whole pack of 52. Aces count 1, jacks 11, queens 12, kings 13.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, Pile, bit, height, lowest, pop, push, rank_of, set_of, suit_of
from kortlek.game import CARD, DEAL, MATCH, NOBODY, OVER, OWNER, SHUFFLE, Choice, Game, Pack, Part, Sheet, State, amount, card, card_set, cards, count
from kortlek.game import int_option, ints_option, next_seat, pile, seat, state

ACT, COLUMN = 0, 1
DRAW = PACK
MOST_PLAYERS = 4
WIDEST = 12
HAND_SIZES = {2: [4, 5], 3: [4, 5, 6], 4: [3, 4, 5, 6]}


@state(seats=MOST_PLAYERS)
class Cascade(State):
    """A match of Cascade."""

    hand_sizes: list[int] = ints_option(MOST_PLAYERS, lambda players: HAND_SIZES[players], range(1, 14))
    games: int = int_option(lambda players: players, range(1, 101))
    first: int = seat(reset=MATCH)
    """Who starts this game."""
    dealt: int = count(0, MOST_PLAYERS)
    """How many packs of this game have been shuffled."""
    width: int = count(0, WIDEST, reset=MATCH)
    """How many cards the top row has."""
    filled: list[int] = count(0, WIDEST, length=WIDEST)
    """How many cards each column has. A column has at most one open slot: the one below its last card."""
    fits: list[Cards] = card_set(length=WIDEST)
    """The cards that fit into the open slot of each column; none if it has no open slot."""
    board: list[Card] = card(length=WIDEST * WIDEST)
    """The cards of the triangle, row by row."""
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)
    deck: list[Pile] = pile(PACK, per_seat=True, seen_by=NOBODY)
    laid: list[Cards] = cards(per_seat=True)
    """The cards of each player's pack that lie in the triangle, or are about to."""
    actions: int = count(0, 127)
    chosen: Card = card()
    passes: int = count(0, MOST_PLAYERS)
    """How many players in a row had to pass."""
    passed: list[int] = count(0, 1000, per_seat=True, event=True)
    played: list[int] = count(0, PACK, per_seat=True)
    points: list[int] = count(0, PACK + 1, start=NOTHING, per_seat=True, event=True)


def start(s: Cascade) -> None:
    """Two players fill a triangle with ten cards in its top row, three or four one with twelve. Seat 0 starts the first game."""
    s.width = 10 if s.players == 2 else WIDEST


def deal(s: Cascade, pack: list[Card]) -> None:
    """Every player shuffles a whole pack of her own for every game, one after the other. When all packs are there, the game begins."""
    seat = s.dealt
    for at in range(PACK - 1, -1, -1):
        push(s.deck[seat], pack[at])
    s.dealt += 1
    s.phase = SHUFFLE
    if s.dealt == s.players:
        set_up(s)


def set_up(s: Cascade) -> None:
    """In turn, the starting player first, everyone puts the top card of her pack into the top row, until it is full; then takes a hand."""
    seat = s.first
    for column in range(s.width):
        s.board[column] = pop(s.deck[seat])
        s.laid[seat] |= bit(s.board[column])
        s.filled[column] = 1
        seat = next_seat(s, seat)
    for column in range(s.width):
        s.fits[column] = fitting(s, column)
    seat = s.first
    for order in range(s.players):
        draw(s, seat, s.hand_sizes[order])
        seat = next_seat(s, seat)
    begin_turn(s, s.first)


def draw(s: Cascade, seat: int, cards: int) -> None:
    """Take cards from the top of one's own pack; from an empty pack nothing."""
    for _ in range(min(cards, height(s.deck[seat]))):
        s.hand[seat] |= bit(pop(s.deck[seat]))


def begin_turn(s: Cascade, seat: int) -> None:
    """One action. Who has no card takes a free one first. Who can neither play nor draw passes; if all pass in a row, the game ends."""
    s.turn = seat
    s.phase = ACT
    s.actions = 1
    if s.hand[seat] == 0:
        draw(s, seat, 1)
    if legal(s) == 0:
        s.passes += 1
        s.passed[seat] += 1
        if s.passes == s.players:
            end_game(s)
        else:
            begin_turn(s, next_seat(s, seat))


def legal(s: Cascade) -> Cards:
    """Play a card that fits somewhere, or draw one while the pack lasts: there is no passing while one of these is possible. Having
    chosen a card, choose a column that it fits into."""
    fit = 0
    if s.phase == COLUMN:
        for column in range(s.width):
            fit |= (s.fits[column] >> s.chosen & 1) << column
        return fit
    for column in range(s.width):
        fit |= s.fits[column]
    return s.hand[s.turn] & fit | (bit(DRAW) if height(s.deck[s.turn]) > 0 else 0)


def value(card: Card) -> int:
    """Aces count 1."""
    return 1 if rank_of(card) == 12 else rank_of(card) + 2


VALUES = [value(card) for card in range(PACK)]
AT_LEAST = [set_of(card for card in range(PACK) if VALUES[card] >= least) for least in VALUES]
AT_MOST = [set_of(card for card in range(PACK) if VALUES[card] <= most) for most in VALUES]
"""The cards that count at least, or at most, as much as a card."""


def fitting(s: Cascade, column: int) -> Cards:
    """A slot is open when the two cards above it are there: one in its own column, one in the next. A card may not be between them.
    Equal to one of them is fine."""
    if s.filled[column] >= s.width - column or s.filled[column + 1] < s.filled[column]:
        return 0
    left, right = above(s, column)
    return AT_LEAST[left] & AT_LEAST[right] | AT_MOST[left] & AT_MOST[right]


def above(s: Cascade, column: int) -> tuple[Card, Card]:
    """The two cards above the open slot of a column, left and right."""
    at = (s.filled[column] - 1) * WIDEST + column
    return s.board[at], s.board[at + 1]


def apply(s: Cascade, choice: int) -> None:
    """Every action costs one; bonuses come at once. The turn ends when no action is left, or none is possible."""
    if s.phase == ACT and choice != DRAW:
        s.chosen = choice
        s.hand[s.turn] &= ~bit(choice)
        s.laid[s.turn] |= bit(choice)
        s.phase = COLUMN
        return
    s.passes = 0
    s.actions -= 1
    if s.phase == ACT:
        draw(s, s.turn, 1)
    else:
        play(s, choice)
    s.phase = ACT
    if s.filled[0] == s.width:
        end_game(s)
    elif s.actions == 0 or legal(s) == 0:
        begin_turn(s, next_seat(s, s.turn))


def play(s: Cascade, column: int) -> None:
    """An action more for each of the two cards above with the same value, a card more for each with the same suit; for three in a
    row (no matter the suits; the ace is low) one of each."""
    same_value, same_suit, in_a_row = matches(s, s.chosen, column)
    s.actions += same_value + in_a_row
    draw(s, s.turn, same_suit + in_a_row)
    s.board[s.filled[column] * WIDEST + column] = s.chosen
    s.filled[column] += 1
    s.fits[column] = fitting(s, column)
    if column > 0:
        s.fits[column - 1] = fitting(s, column - 1)
    s.played[s.turn] += 1
    s.chosen = NOTHING


def matches(s: Cascade, card: Card, column: int) -> tuple[int, int, int]:
    """How many of the two cards above the open slot have a card's value, how many its suit, and whether the three are in a row."""
    left, right = above(s, column)
    values = bit(value(left)) | bit(value(right)) | bit(value(card))
    same_value = (value(left) == value(card)) + (value(right) == value(card))
    same_suit = (suit_of(left) == suit_of(card)) + (suit_of(right) == suit_of(card))
    return same_value, same_suit, values == 0b111 << lowest(values)


def end_game(s: Cascade) -> None:
    """The triangle is full, or nobody can go on. Everyone scores how many more cards she played than the one who played fewest; who
    alone played most gets one extra. The next player starts the next game."""
    fewest, second, most = PACK, 0, 0
    for seat in range(s.players):
        fewest = min(fewest, s.played[seat])
        second = max(second, min(most, s.played[seat]))
        most = max(most, s.played[seat])
    for seat in range(s.players):
        s.points[seat] = s.played[seat] - fewest + (s.played[seat] > second)
        s.score[seat] += s.points[seat]
    s.round += 1
    s.first = next_seat(s, s.first)
    s.phase = DEAL if s.round < s.games else OVER


CASCADE = Game(
    "cascade",
    players=range(2, MOST_PLAYERS + 1),
    pack=Pack(one_each=True),
    state=Cascade,
    choices=(Choice("act", Part("play", CARD), Part("draw")), Choice("column", amount(1, WIDEST - 1), act="play")),
    start=start,
    deal=deal,
    reshuffle=deal,
    legal=legal,
    apply=apply,
    sheet=Sheet(cells=("points", "played")),
)
