"""Up and Down: bet how many hands you will win, then win exactly that many.

Two to ten players, 52 cards, ace high. A trick is called a *hand*; the *mesa* is the trump suit, the *pinta* the suit that was led.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, bit, suit_of
from kortlek.rules import tricks
from kortlek.rules.game import DEAL, EVERYONE, LOTS, OVER, RANDOM, next_seat, per_seat, place, seat_number, state, whole

BET, PLAY = 0, 1


def largest(players: int) -> int:
    """The largest round needs a card for every player and hand, and one more for the mesa."""
    return (PACK - 1) // players


@state
class UpAndDown(tricks.Tricks):
    """A match of Up and Down."""

    N: int = whole("how many cards the largest round has", lambda players: min(5, largest(players)), lambda players: range(1, largest(players) + 1))
    start: int = whole("who bets first in the first round", RANDOM, range, random=RANDOM)
    first: int = seat_number()
    """Who bets first in this round."""
    mesa: Cards = place(EVERYONE)
    bet: list[int] = per_seat(NOTHING)
    points: list[int] = per_seat(NOTHING, told=lambda points: f"scores {points}")


def start(s: UpAndDown) -> None:
    """The first to bet is drawn by lot, or whoever the option names."""
    s.first = max(0, s.start)
    s.phase = LOTS if s.start == RANDOM else DEAL


def gather(s: UpAndDown, pack: list[Card]) -> int:
    """All 52 cards are shuffled for every round."""
    return tricks.gather(s, pack, PACK)


def hands(s: UpAndDown) -> int:
    """One hand, then two, up to N, and down to one again."""
    return s.round + 1 if s.round < s.N else 2 * s.N - 1 - s.round


def deal(s: UpAndDown, pack: list[Card]) -> None:
    """As many cards as hands, one at a time from the first player. The next card is turned up, out of play: its suit is the mesa."""
    s.phase = DEAL if s.phase == LOTS else BET
    if s.phase == DEAL:
        s.first = pack[0]
        return
    s.cards = hands(s)
    s.turn = s.first
    tricks.deal(s, pack, s.first, PACK)
    turned = pack[s.cards * s.players]
    s.mesa = bit(turned)
    s.rest &= ~s.mesa
    s.trump = suit_of(turned)
    for seat in range(s.players):
        s.bet[seat] = NOTHING
        s.points[seat] = NOTHING


def legal(s: UpAndDown) -> Cards:
    """First everyone bets on a number of hands; the last may not make the bets add up to the hands. Then they are played."""
    return tricks.legal_bids(s, s.bet, next_seat(s, s.turn) == s.first) if s.phase == BET else tricks.follow_suit(s)


def apply(s: UpAndDown, choice: int) -> None:
    """Bet or play."""
    if s.phase == BET:
        bet(s, choice)
    else:
        play(s, choice)


def bet(s: UpAndDown, wins: int) -> None:
    """Bets are public. When all have bet, the player after the first leads the first hand."""
    s.bet[s.turn] = wins
    s.turn = next_seat(s, s.turn)
    if s.turn == s.first:
        s.phase = PLAY
        tricks.lead(s, next_seat(s, s.first))


def play(s: UpAndDown, card: Card) -> None:
    """The highest mesa wins the hand, or without any the highest pinta. The winner leads the next."""
    if tricks.play_round(s, card):
        score(s)


def score(s: UpAndDown) -> None:
    """A bet that came true earns ten and two for each hand won; any other nothing. The next player is first in the next round."""
    for seat in range(s.players):
        s.points[seat] = 10 + 2 * s.taken[seat] if s.taken[seat] == s.bet[seat] else 0
        s.score[seat] += s.points[seat]
    s.round += 1
    s.first = next_seat(s, s.first)
    s.phase = DEAL if s.round < 2 * s.N - 1 else OVER
