"""TrickPaperScissors: the suit that is led decides the trump, by rock, paper, scissors.

Four players (or three, as a house variant), 39 cards: rock, paper and scissors from 1 to 13. Win tricks with the suit led for its
points; win them with a trump to change what points in that suit are worth.
"""

from kortlek.cards import NOTHING, RANKS_OF_A_SUIT, Card, Cards, Suit, bit, cards_of, lowest, rank_of, suit_of
from kortlek.rules import tricks
from kortlek.rules.game import DEAL, EVERYONE, LAST_SEAT, LOTS, OVER, a_seat, next_seat, numbers, per_seat, place, state, whole, whole_numbers, yes_no

PLAY, VALUE = 0, 1
SUITS = ("rock", "paper", "scissors")
CARDS = tuple(f"{suit[0].upper()}{rank}" for suit in SUITS for rank in range(1, RANKS_OF_A_SUIT + 1))
KINDS = len(CARDS)
SET_ASIDE = 3
NOTHING_YET = -999
VALUES = (-1, 1, 2)
"""The ladder of values. There is no 0."""


@state
class TrickPaperScissors(tricks.Tricks):
    """A match of TrickPaperScissors."""

    discard_face_up: int = yes_no("whether the three cards set aside are shown")
    stars: list[int] = whole_numbers(
        "how many stars the cards from 1 to 13 have", RANKS_OF_A_SUIT, lambda players: [1] * 4 + [2] * 5 + [3] * 4, range(10)
    )
    deals: int = whole("how many deals a match has", 1, range(1, 101))
    first_dealer: int = a_seat("who deals first", LAST_SEAT)
    discard: Cards = place(EVERYONE)
    """The cards set aside face up."""
    value: list[int] = numbers(len(SUITS), 1)
    rock: list[int] = per_seat(told=lambda points: f"has {points} in rock")
    paper: list[int] = per_seat(told=lambda points: f"has {points} in paper")
    scissors: list[int] = per_seat(told=lambda points: f"has {points} in scissors")
    """The points of each player in each suit."""
    result: list[int] = per_seat(NOTHING_YET, told=lambda result: f"scores {result}")


def start(s: TrickPaperScissors) -> None:
    """The last seat deals first, or whoever the option names; then the next player clockwise."""
    tricks.start(s, s.first_dealer)


def gather(s: TrickPaperScissors, pack: list[Card]) -> int:
    """All 39 cards are shuffled."""
    return tricks.gather(s, pack, KINDS)


def deal(s: TrickPaperScissors, pack: list[Card]) -> None:
    """Nine cards each with four players, twelve with three. Three cards are set aside, face down or, as an option, face up.
    Every suit has the value 1, nobody has points, and the player after the dealer leads."""
    s.phase = DEAL if s.phase == LOTS else PLAY
    if s.phase == DEAL:
        s.dealer = pack[0]
        return
    s.cards = (KINDS - SET_ASIDE) // s.players
    tricks.deal(s, pack, next_seat(s, s.dealer), KINDS)
    s.discard = s.rest if s.discard_face_up else 0
    s.rest &= ~s.discard
    for suit in range(len(SUITS)):
        s.value[suit] = 1
    for seat in range(s.players):
        s.rock[seat] = 0
        s.paper[seat] = 0
        s.scissors[seat] = 0
        s.result[seat] = NOTHING_YET
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
