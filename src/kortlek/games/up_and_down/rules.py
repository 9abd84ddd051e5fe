"""Up and Down: bet how many hands you will win, then win exactly that many.

Two to ten players, 52 cards, ace high. A trick is called a *hand*; the *mesa* is the trump suit, the *pinta* the suit that was led.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, bit, suit_of
from kortlek.game import CARD, DEAL, LOTS, MATCH, OVER, RANDOM, Choice, Game, Sheet, amount, cards, count, int_option, next_seat, seat, state
from kortlek.games import tricks

BET, PLAY = 0, 1


def largest(players: int) -> int:
    """The largest round needs a card for every player and hand, and one more for the mesa."""
    return (PACK - 1) // players


@state(seats=10)
class UpAndDown(tricks.Tricks):
    """A match of Up and Down."""

    largest_round: int = int_option(lambda players: min(5, largest(players)), lambda players: range(1, largest(players) + 1), former="N")
    first_bettor: int = int_option(RANDOM, range, names={"random": RANDOM}, former="start")
    first: int = seat(reset=MATCH)
    """Who bets first in this round."""
    mesa: Cards = cards()
    bet: list[int] = count(0, largest(2), start=NOTHING, per_seat=True)
    points: list[int] = count(0, 10 + 2 * largest(2), start=NOTHING, per_seat=True, event=True)


def start(s: UpAndDown) -> None:
    """The first to bet is drawn by lot, or whoever the option names."""
    s.first = max(0, s.first_bettor)
    s.phase = LOTS if s.first_bettor == RANDOM else DEAL


def draw_first(s: UpAndDown, seats: list[int]) -> None:
    """The first of the seats drawn by lot bets first."""
    s.first = seats[0]
    s.phase = DEAL


def hands(s: UpAndDown) -> int:
    """One hand, then two, up to the largest round, and down to one again."""
    return s.round + 1 if s.round < s.largest_round else 2 * s.largest_round - 1 - s.round


def deal(s: UpAndDown, pack: list[Card]) -> None:
    """As many cards as hands, one at a time from the first player. The next card is turned up, out of play: its suit is the mesa."""
    s.phase = BET
    s.hand_size = hands(s)
    s.turn = s.first
    tricks.deal(s, pack, s.first, PACK)
    turned = pack[s.hand_size * s.players]
    s.mesa = bit(turned)
    s.rest &= ~s.mesa
    s.trump = suit_of(turned)


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
    s.phase = DEAL if s.round < 2 * s.largest_round - 1 else OVER


UP_AND_DOWN = Game(
    "up_and_down",
    title="Up and Down",
    players=range(2, 11),
    state=UpAndDown,
    choices=(Choice("bet", amount(0, largest(2))), Choice("play", CARD)),
    start=start,
    lots=draw_first,
    deal=deal,
    legal=legal,
    apply=apply,
    sheet=Sheet(row="hand_size", cells=("points", "taken", "bet")),
)
