"""TrickPaperScissors: the suit that is led decides the trump, by rock, paper, scissors.

Four players (or three, as a house variant), 39 cards: rock, paper and scissors from 1 to 13. Win tricks with the suit led for its
points; win them with a trump to change what points in that suit are worth.
"""

from kortlek.cards import NOTHING, RANKS_OF_A_SUIT, Card, Cards, Suit, bit, cards_of, lowest, rank_of, suit_of
from kortlek.game import CARD, DEAL, LAST_SEAT, OVER, Choice, Game, Pack, Sheet, cards, count, flag_option, int_option, ints_option, next_seat
from kortlek.game import one_of_numbers, seat_option, state
from kortlek.games import tricks

PLAY, VALUE = 0, 1
SUITS = ("rock", "paper", "scissors")
CARDS = tuple(f"{suit[0].upper()}{rank}" for suit in SUITS for rank in range(1, RANKS_OF_A_SUIT + 1))
KINDS = len(CARDS)
SET_ASIDE = 3
NOTHING_YET = -999
VALUES = (-1, 1, 2)
"""The ladder of values. There is no 0."""


@state(seats=4)
class TrickPaperScissors(tricks.Tricks):
    """A match of TrickPaperScissors."""

    discard_face_up: int = flag_option()
    stars: list[int] = ints_option(RANKS_OF_A_SUIT, lambda players: [1] * 4 + [2] * 5 + [3] * 4, range(10))
    deals: int = int_option(1, range(1, 101))
    first_dealer: int = seat_option(LAST_SEAT)
    discard: Cards = cards()
    """The cards set aside face up."""
    value: list[int] = count(-1, 2, start=1, length=len(SUITS))
    rock: list[int] = count(0, 1000, per_seat=True, event=True)
    paper: list[int] = count(0, 1000, per_seat=True, event=True)
    scissors: list[int] = count(0, 1000, per_seat=True, event=True)
    """The points of each player in each suit."""
    result: list[int] = count(-3000, 3000, start=NOTHING_YET, per_seat=True, event=True)


def start(s: TrickPaperScissors) -> None:
    """The last seat deals first, or whoever the option names; then the next player clockwise."""
    tricks.start(s, s.first_dealer)


def deal(s: TrickPaperScissors, pack: list[Card]) -> None:
    """Nine cards each with four players, twelve with three. Three cards are set aside, face down or, as an option, face up.
    Every suit has the value 1, nobody has points, and the player after the dealer leads."""
    s.phase = PLAY
    s.hand_size = (KINDS - SET_ASIDE) // s.players
    tricks.deal(s, pack, next_seat(s, s.dealer), KINDS)
    s.discard = s.rest if s.discard_face_up else 0
    s.rest &= ~s.discard
    tricks.lead(s, next_seat(s, s.dealer))


def trumps(suit: Suit) -> Suit:
    """Paper trumps rock, scissors trump paper, rock trumps scissors."""
    return suit + 1 if suit + 1 < len(SUITS) else 0


def legal(s: TrickPaperScissors) -> Cards:
    """Follow suit; or, after winning with a trump, choose the value of the trump suit."""
    return tricks.follow_suit(s) if s.phase == PLAY else legal_values(s)


def legal_values(s: TrickPaperScissors) -> Cards:
    """Leave the value as it is, or move it one step on the ladder -1, 1, 2."""
    now = s.value[s.trump]
    return bit(0) | bit(1) | bit(2) if now == 1 else bit(0) | bit(1) if now == -1 else bit(1) | bit(2)


def apply(s: TrickPaperScissors, choice: int) -> None:
    """Play a card or set a value."""
    if s.phase == PLAY:
        play(s, choice)
    else:
        s.value[s.trump] = VALUES[choice]
        end_trick(s)


def play(s: TrickPaperScissors, card: Card) -> None:
    """The suit led decides the trump of the trick. The highest trump wins, or without trumps the highest card of the suit led."""
    if s.led == NOTHING:
        s.trump = trumps(suit_of(card))
    if tricks.play(s, card):
        s.turn = s.winning
        if suit_of(s.best) == s.trump:
            s.phase = VALUE
        else:
            score_trick(s)
            end_trick(s)


def score_trick(s: TrickPaperScissors) -> None:
    """Won with the suit led: as many points in that suit as there are stars on its lowest card in the trick."""
    stars = s.stars[rank_of(lowest(s.trick & cards_of(s.led)))]
    if s.led == 0:
        s.rock[s.winning] += stars
    elif s.led == 1:
        s.paper[s.winning] += stars
    else:
        s.scissors[s.winning] += stars


def end_trick(s: TrickPaperScissors) -> None:
    """The winner leads the next trick. After the last, the deal is scored."""
    s.phase = PLAY
    s.trump = NOTHING
    tricks.take_trick(s)
    if tricks.all_played(s):
        score(s)


def score(s: TrickPaperScissors) -> None:
    """Points in each suit times the value of the suit, added up. Deals are added to the match; the next player deals."""
    for seat in range(s.players):
        s.result[seat] = s.rock[seat] * s.value[0] + s.paper[seat] * s.value[1] + s.scissors[seat] * s.value[2]
        s.score[seat] += s.result[seat]
    s.round += 1
    s.dealer = next_seat(s, s.dealer)
    s.phase = DEAL if s.round < s.deals else OVER


TRICK_PAPER_SCISSORS = Game(
    "trick_paper_scissors",
    title="TrickPaperScissors",
    players=range(3, 5),
    pack=Pack(CARDS),
    state=TrickPaperScissors,
    choices=(Choice("play", CARD), Choice("value", one_of_numbers(*VALUES))),
    start=start,
    lots=tricks.draw_dealer,
    deal=deal,
    legal=legal,
    apply=apply,
    sheet=Sheet(cells=("result",)),
)
