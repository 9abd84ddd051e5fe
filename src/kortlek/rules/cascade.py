"""Cascade: fill a triangle of cards; who plays the most cards wins.

Two to four players, each with a whole pack of 52. Aces count 1, jacks 11, queens 12, kings 13.
"""

from kortlek.cards import FRENCH, NOTHING, PACK, Card, Cards, Pile, bit, height, pop, push, rank_of, set_of, suit_of
from kortlek.rules.game import DEAL, EVERYONE, NOBODY, OVER, OWNER, SEATS, Game, Match, Names, Pack, Picture, Sheet, by_name, choice
from kortlek.rules.game import Choice, gather_pack, highest_scores, next_seat, number, numbers, per_seat, pile_per_seat, place_per_seat
from kortlek.rules.game import seat_number, state, whole, whole_numbers

ACT, COLUMN = 0, 1
DRAW = PACK
MOST_PLAYERS = 4
WIDEST = 12
HAND_SIZES = {2: [4, 5], 3: [4, 5, 6], 4: [3, 4, 5, 6]}


@state
class Cascade(Match):
    """A match of Cascade."""

    hand_sizes: list[int] = whole_numbers("how many cards each starts with, in turn order", SEATS, lambda players: HAND_SIZES[players], range(1, 14))
    games: int = whole("how many games a match has", lambda players: players, range(1, 101))
    first: int = seat_number()
    """Who starts this game."""
    dealt: int = number()
    """How many packs of this game have been shuffled."""
    width: int = number()
    """How many cards the top row has."""
    filled: list[int] = numbers(WIDEST)
    """How many cards each column has. A column has at most one open slot: the one below its last card."""
    fits: list[Cards] = numbers(WIDEST)
    """The cards that fit into the open slot of each column; none if it has no open slot."""
    board: list[Card] = numbers(WIDEST * WIDEST, NOTHING)
    """The cards of the triangle, row by row."""
    hand: list[Cards] = place_per_seat(OWNER)
    deck: list[Pile] = pile_per_seat(PACK, MOST_PLAYERS, NOBODY)
    laid: list[Cards] = place_per_seat(EVERYONE)
    """The cards of each player's pack that lie in the triangle, or are about to."""
    actions: int = number()
    chosen: Card = number(NOTHING)
    passes: int = number()
    """How many players in a row had to pass."""
    passed: list[int] = per_seat(told=lambda times: "has to pass")
    played: list[int] = per_seat()
    points: list[int] = per_seat(NOTHING, told=lambda points: f"scores {points}")


def start(s: Cascade) -> None:
    """Two players fill a triangle with ten cards in its top row, three or four one with twelve. Seat 0 starts the first game."""
    s.width = 10 if s.players == 2 else WIDEST
    s.phase = DEAL


def gather(s: Cascade, pack: list[Card]) -> int:
    """Every player shuffles a whole pack of her own for every game."""
    return gather_pack(pack, PACK)


def deal(s: Cascade, pack: list[Card]) -> None:
    """One shuffled pack, face down. When all are there, the game begins."""
    seat = s.dealt
    s.deck[seat][0] = 0
    for at in range(PACK - 1, -1, -1):
        push(s.deck[seat], pack[at])
    s.hand[seat] = 0
    s.laid[seat] = 0
    s.passed[seat] = 0
    s.played[seat] = 0
    s.points[seat] = NOTHING
    s.dealt += 1
    if s.dealt == s.players:
        set_up(s)


def set_up(s: Cascade) -> None:
    """In turn, the starting player first, everyone puts the top card of her pack into the top row, until it is full; then takes a hand."""
    for at in range(WIDEST * WIDEST):
        s.board[at] = NOTHING
    seat = s.first
    for column in range(s.width):
        card = pop(s.deck[seat])
        s.board[column] = card
        s.laid[seat] |= bit(card)
        s.filled[column] = 1
        seat = next_seat(s, seat)
    for column in range(s.width):
        s.fits[column] = fitting(s, column)
    seat = s.first
    for order in range(s.players):
        for _ in range(s.hand_sizes[order]):
            draw(s, seat)
        seat = next_seat(s, seat)
    s.passes = 0
    begin_turn(s, s.first)


def draw(s: Cascade, seat: int) -> None:
    """Take the top card of one's own pack; from an empty pack nothing."""
    if height(s.deck[seat]) > 0:
        s.hand[seat] |= bit(pop(s.deck[seat]))


def begin_turn(s: Cascade, seat: int) -> None:
    """One action. Who has no card takes a free one first. Who can neither play nor draw passes; if all pass in a row, the game ends."""
    s.turn = seat
    s.phase = ACT
    s.actions = 1
    if s.hand[seat] == 0:
        draw(s, seat)
    while legal_actions(s) == 0 and s.phase == ACT:
        s.passes += 1
        s.passed[s.turn] += 1
        if s.passes == s.players:
            end_game(s)
        else:
            s.turn = next_seat(s, s.turn)
            if s.hand[s.turn] == 0:
                draw(s, s.turn)


def value(card: Card) -> int:
    """Aces count 1."""
    return 1 if rank_of(card) == 12 else rank_of(card) + 2


AT_LEAST = [set_of(card for card in range(PACK) if value(card) >= least) for least in range(15)]
AT_MOST = [set_of(card for card in range(PACK) if value(card) <= most) for most in range(15)]
"""The cards of at least, or at most, a value."""


def left_above(s: Cascade, column: int) -> Card:
    """The card above the open slot of a column, to the left."""
    return s.board[(s.filled[column] - 1) * WIDEST + column]


def right_above(s: Cascade, column: int) -> Card:
    """The card above the open slot of a column, to the right."""
    return s.board[(s.filled[column] - 1) * WIDEST + column + 1]


def is_open(s: Cascade, column: int) -> bool:
    """A slot is open when the two cards above it are there: one in its own column, one in the next."""
    return s.filled[column] < s.width - column and s.filled[column + 1] >= s.filled[column]


def fitting(s: Cascade, column: int) -> Cards:
    """A card may not be between the two above it. Equal to one of them is fine."""
    if not is_open(s, column):
        return 0
    left = value(left_above(s, column))
    right = value(right_above(s, column))
    return AT_LEAST[max(left, right)] | AT_MOST[min(left, right)]


def playable(s: Cascade) -> Cards:
    """The cards that fit into some open slot, whoever holds them."""
    cards = 0
    for column in range(s.width):
        cards |= s.fits[column]
    return cards


def legal_actions(s: Cascade) -> Cards:
    """Play a card that fits somewhere, or draw one while the pack lasts. There is no passing while one of these is possible."""
    return s.hand[s.turn] & playable(s) | (bit(DRAW) if height(s.deck[s.turn]) > 0 else 0)


def legal(s: Cascade) -> Cards:
    """Choose an action; having chosen a card, the column for it."""
    if s.phase == ACT:
        return legal_actions(s)
    columns = 0
    for column in range(s.width):
        columns |= (s.fits[column] >> s.chosen & 1) << column
    return columns


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
        draw(s, s.turn)
    else:
        play(s, choice)
    s.phase = ACT
    if s.filled[0] == s.width:
        end_game(s)
    elif s.actions == 0 or legal_actions(s) == 0:
        begin_turn(s, next_seat(s, s.turn))


def play(s: Cascade, column: int) -> None:
    """An action more for each of the two cards above with the same value, a card more for each with the same suit; for three in a
    row (no matter the suits; the ace is low) one of each."""
    card = s.chosen
    left = left_above(s, column)
    right = right_above(s, column)
    low = min(value(left), value(right))
    high = max(value(left), value(right))
    cards = (suit_of(left) == suit_of(card)) + (suit_of(right) == suit_of(card))
    s.actions += (low == value(card)) + (high == value(card))
    if high - low == 1 and (value(card) == low - 1 or value(card) == high + 1):
        cards += 1
        s.actions += 1
    s.board[s.filled[column] * WIDEST + column] = card
    s.filled[column] += 1
    s.fits[column] = fitting(s, column)
    if column > 0:
        s.fits[column - 1] = fitting(s, column - 1)
    s.played[s.turn] += 1
    s.chosen = NOTHING
    for _ in range(cards):
        draw(s, s.turn)


def end_game(s: Cascade) -> None:
    """The triangle is full, or nobody can go on. Everyone scores how many more cards she played than the one who played fewest; who
    alone played most gets one extra. The next player starts the next game."""
    fewest = s.played[0]
    most = s.played[0]
    for seat in range(s.players):
        fewest = min(fewest, s.played[seat])
        most = max(most, s.played[seat])
    leaders = 0
    for seat in range(s.players):
        leaders += s.played[seat] == most
    for seat in range(s.players):
        s.points[seat] = s.played[seat] - fewest
        if s.played[seat] == most and leaders == 1:
            s.points[seat] += 1
        s.score[seat] += s.points[seat]
    s.round += 1
    s.dealt = 0
    s.first = next_seat(s, s.first)
    s.phase = DEAL if s.round < s.games else OVER


def why_not(s: Cascade, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    if s.phase == COLUMN:
        return f"{FRENCH[s.chosen]} does not fit there: the slot must be open and the card not between the two above it."
    if choice == DRAW:
        return "Your pack is empty."
    if not s.hand[s.turn] & bit(choice):
        return f"You do not hold {FRENCH[choice]}."
    return f"{FRENCH[choice]} does not fit anywhere: it would be between the two cards above."


def triangle(s: Cascade) -> str:
    """The cards row by row; an open slot shows the number of its column."""
    rows = ["".join(f"{column + 1:^6}" for column in range(s.width)).rstrip()]
    for row in range(s.width):
        cells = []
        for column in range(s.width - row):
            card = s.board[row * WIDEST + column]
            here_open = row > 0 and s.filled[column] == row and is_open(s, column)
            cells.append(FRENCH[card] if card != NOTHING else f"({column + 1})" if here_open else ".")
        rows.append("   " * row + "".join(f"{cell:^6}" for cell in cells).rstrip())
    return "\n".join(rows)


def picture(s: Cascade, names: Names) -> list[str]:
    """The game, the triangle, its open slots, and how far everyone has come."""
    open_columns = [column for column in range(s.width - 1) if s.filled[column] and is_open(s, column)]
    slots = [f"{column + 1} below {FRENCH[left_above(s, column)]} {FRENCH[right_above(s, column)]}" for column in open_columns]
    packs = [height(deck) for deck in s.deck[: s.players]]
    return [
        f"Game {s.round + 1} of {s.games}, started by: {names[s.first]}",
        triangle(s),
        f"Open columns: {', '.join(slots)}",
        f"Cards played: {by_name(names, s.played)}",
        f"Cards in the pack: {by_name(names, packs)}",
        f"Actions left: {names[s.turn]} {s.actions}",
    ]


ACTIONS = tuple((f"play {card}", f"plays {card}") for card in FRENCH) + (("draw", "draws"),)

CASCADE = Game(
    name="cascade",
    title="Cascade",
    version=1,
    players=range(2, MOST_PLAYERS + 1),
    pack=Pack(FRENCH, one_each=True),
    state=Cascade,
    choices=(
        Choice("act", "Which card do you play, or do you draw?", tuple(text for text, _ in ACTIONS), tuple(told for _, told in ACTIONS)),
        choice("column", "puts it into column", "Into which column?", range(1, WIDEST)),
    ),
    start=start,
    gather=gather,
    deal=deal,
    legal=legal,
    apply=apply,
    winners=highest_scores,
    why_not=why_not,
    sheet=Sheet("Game", lambda s: str(s.round), lambda s, seat: f"{s.points[seat]} ({s.played[seat]} played)"),
    swing=20,
    picture=Picture(picture, sizes=("hand",)),
)
