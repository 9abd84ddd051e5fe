"""How the house plays Up and Down.

**Bets.** Every card has a probability to win, which is higher the fewer unseen cards can beat it; it is higher for a mesa, lower for other cards
the more mesas are unseen, and a void suit is worth something to a hand with mesas. The house bets the legal number with the highest points times
probability of winning exactly that many; never, if it can, below its sure hands: the mesas above all unseen ones.

**Play.** The house counts the cards that are gone and remembers who is void in a suit and may play a mesa on it. It plays the card after which the
rest of its cards can be expected to win exactly the hands that it still needs: it takes while it needs hands, but keeps its sure mesas for the end
if they are all it needs; when it needs none, it sheds the highest card that loses and leads what others can beat. When its bet is lost it takes
hands if others need them, and leaves them otherwise.
"""

from math import log

from kortlek.bots.knobs import Knobs
from kortlek.bots.policy import Policy
from kortlek.cards import PACK, Cards, size
from kortlek.engine.rng import Rng
from kortlek.game import Message
from kortlek.games.bid_evidence import at_least, explains_bid
from kortlek.games.tricks_bots import WHOLE_PACK, best_card, bid_for_hand, expectation, top_cards, why_bid, why_card
from kortlek.games.up_and_down.rules import BET, UpAndDown, legal

HABITS = [
    *(0.6, 2.29, 0.89, 0.45, -0.078, -0.16, 0.57, 0.46),
    *(0.35, 2.1, 1.15, 0.16, -0.034, -1.11, 0.325, 0.22),
    *(-0.53, 0.105, 0.845, 0.106, 1.245, 0.3, 0.205),
]
"""The parameters, in the order of ``kortlek.games.tricks_bots``."""
WORTH = [log(10 + 2 * bet) for bet in range(PACK)]
"""The logarithm of the points for each bet."""


def choose(s: UpAndDown, rng: Rng) -> int:
    """A bet or a card."""
    return bet(s, HABITS) if s.phase == BET else best_card(s, s.bet, unseen(s), HABITS)


def unseen(s: UpAndDown) -> Cards:
    """The cards that the player in turn has not seen."""
    return WHOLE_PACK & ~(s.hand[s.turn] | s.gone | s.trick | s.mesa)


def bet(s: UpAndDown, habits: list[float]) -> int:
    """The bet for a hand."""
    return bid_for_hand(s, s.bet, unseen(s), legal(s), sure_hands(s), WORTH, habits)


def sure_hands(s: UpAndDown) -> int:
    """The number of mesas above all unseen ones: each wins whenever it is played."""
    return size(top_cards(s.hand[s.turn], unseen(s), s.trump))


def reason(s: UpAndDown, choice: int) -> Message:
    """The reason for a choice."""
    if s.phase != BET:
        return why_card(s, s.bet, unseen(s), choice)
    if size(legal(s)) == 1:
        return Message("reason-only-bid")
    return why_bid(sure_hands(s), expectation(s, s.bet, unseen(s), HABITS)[0], choice)


HOUSE = Policy("house", 1, choose, reason)


def likelihood(s: UpAndDown, seat: int) -> float:
    """The likelihood of a bet given a sampled hand."""
    return explains_bid(s, seat, s.first, s.bet, WHOLE_PACK & ~s.mesa, WORTH, HABITS)


def consider(s: UpAndDown) -> Cards:
    """The choices worth trying: no bet below the sure hands, unless no other is legal."""
    return at_least(legal(s), sure_hands(s)) if s.phase == BET else legal(s)


KNOBS = Knobs((HOUSE,), likelihood=likelihood, consider=consider)
