"""Auction: bid for the right to name the trump, choose a partner, and play her cards as well as your own.

Four players, 52 cards, ace high. Bridge for an evening without partners: who plays together is decided in each deal.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, Suit, bit, cards_of, only
from kortlek.game import CARD, SEAT, Choice, Game, Part, cards, count, next_seat, one_of, seat, state, suit
from kortlek.games import tricks

BID, PARTNER, PLAY = 0, 1, 2
PLAYERS, STRAINS, LEVELS, BOOK = 4, 5, 7, 6
NO_TRUMP = 4
PASS = LEVELS * STRAINS
BIDS = tuple(f"{level}{strain}" for level in range(1, LEVELS + 1) for strain in ("C", "D", "H", "S", "NT"))


@state(seats=PLAYERS)
class Auction(tricks.Tricks):
    """A match of Auction."""

    level: int = count(0, LEVELS)
    strain: Suit = suit(high=STRAINS - 1)
    """The highest bid: how many tricks above six, and in which trump; after the suits comes no trump."""
    passes: int = count(0, PLAYERS)
    declarer: int = seat(start=NOTHING)
    dummy: int = seat(start=NOTHING)
    to_play: int = seat()
    """Whose card comes next: the declarer chooses for the dummy."""
    open_hand: Cards = cards()
    """The dummy's cards, laid open."""


def deal(s: Auction, pack: list[Card]) -> None:
    """Thirteen cards each. The dealer bids first; the players deal by turns."""
    s.hand_size = PACK // PLAYERS
    s.dealer = s.round % PLAYERS
    s.turn = s.dealer
    s.phase = BID
    tricks.deal(s, pack, next_seat(s, s.dealer), PACK)


def legal(s: Auction) -> Cards:
    """Bid more than the highest bid, or pass. Then choose anyone else as your partner. In the play, follow suit if you can."""
    if s.phase == BID:
        return bit(PASS + 1) - bit((s.level - 1) * STRAINS + s.strain + 1 if s.level else 0)
    if s.phase == PARTNER:
        return (bit(PLAYERS) - 1) & ~bit(s.turn)
    hand = s.open_hand if s.to_play == s.dummy else s.hand[s.turn]
    return hand if s.led == NOTHING else only(hand, cards_of(s.led))


def apply(s: Auction, choice: int) -> None:
    """Bid, choose a partner, or play."""
    if s.phase == BID:
        bid(s, choice)
    elif s.phase == PARTNER:
        lay_open(s, choice)
    else:
        play(s, choice)


def bid(s: Auction, choice: int) -> None:
    """Three passes after a bid end the auction: the highest bidder is the declarer. If all four pass, nobody scores."""
    s.passes = s.passes + 1 if choice == PASS else 0
    if choice != PASS:
        s.level = choice // STRAINS + 1
        s.strain = choice % STRAINS
        s.declarer = s.turn
    s.turn = next_seat(s, s.turn)
    if s.passes == PLAYERS - 1 and s.declarer != NOTHING:
        s.turn = s.declarer
        s.phase = PARTNER


def lay_open(s: Auction, dummy: int) -> None:
    """The partner is the dummy: she lays her cards open, and the declarer plays them. The trump is the suit of the bid; NT is no trump.
    The player after the declarer leads."""
    s.dummy = dummy
    s.open_hand = s.hand[dummy]
    s.hand[dummy] = 0
    s.trump = s.strain if s.strain != NO_TRUMP else NOTHING
    s.phase = PLAY
    tricks.lead(s, next_seat(s, s.declarer))
    ask_for_card(s)


def ask_for_card(s: Auction) -> None:
    """The declarer chooses for the dummy."""
    s.to_play = s.turn
    if s.turn == s.dummy:
        s.turn = s.declarer


def play(s: Auction, card: Card) -> None:
    """The highest trump takes the trick, or without trumps the highest card of the suit led. Its player leads the next."""
    s.turn = s.to_play
    s.open_hand &= ~bit(card)
    if tricks.play(s, card):
        tricks.take_trick(s)
    ask_for_card(s)


def plays_together(s: Auction, seat: int) -> int:
    """The declarer and her partner play against the two others; before the auction has ended, everyone for herself."""
    if s.dummy == NOTHING:
        return seat
    return 0 if seat == s.declarer or seat == s.dummy else 1


def round_over(s: Auction) -> bool:
    """A deal is over when four have passed, or when all thirteen tricks are taken."""
    taken = 0
    for seat in range(PLAYERS):
        taken += s.taken[seat]
    return s.passes == PLAYERS or taken == s.hand_size


def points(s: Auction, seat: int) -> int:
    """A bid of two promises two tricks more than six. Who makes it scores 10 for each trick bid and 1 for each trick more, both partners; if
    not, their opponents score 10 for each trick missing."""
    if s.dummy == NOTHING:
        return 0
    more = s.taken[s.declarer] + s.taken[s.dummy] - BOOK - s.level
    if plays_together(s, seat) == 0:
        return 10 * s.level + more if more >= 0 else 0
    return -10 * more if more < 0 else 0


def over(s: Auction) -> bool:
    """Everyone deals twice."""
    return s.round == 2 * PLAYERS


AUCTION = Game(
    "auction",
    players=range(PLAYERS, PLAYERS + 1),
    state=Auction,
    choices=(Choice("call", Part("bid", one_of(*BIDS)), Part("pass")), Choice("partner", Part("choose", SEAT)), Choice("play", CARD)),
    deal=deal,
    legal=legal,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
    teams=plays_together,
)

WORDS = {
    "en": """
suit-4 = no trump
ask-call = Bid or pass?
ask-partner = Whom do you choose as your partner?
"""
}
