"""How the house plays Plump.

**Bids.** Every card has a probability to win, which is higher the fewer unseen cards can beat it and the more are lower. Their sum is the
expectation of the hand; the house bids the legal number with the highest points times probability of taking exactly that many. When others have
bid more than their share it bids less; and if it can, it does not bid below its sure ticks.

**Play.** The house counts the cards that are gone and remembers who is void in a suit. It plays the card after which the rest of its hand can be
expected to take exactly the ticks that it still needs: it takes while it needs ticks; when it needs none, it sheds the highest card that loses and
leads what others can beat. When its bid is lost it takes ticks if others need them, and leaves them otherwise.

**The card on the forehead.** The house counts, of the cards that it does not see, those that would win, each weighted by how well it explains the
bids of the others.
"""

from math import log

from kortlek.bots.knobs import Knobs
from kortlek.bots.policy import Policy
from kortlek.cards import Cards, card, set_of, size
from kortlek.engine.rng import Rng
from kortlek.game import Message, next_seat
from kortlek.games.bid_evidence import at_least, explains_bid
from kortlek.games.plump.forehead import chance_to_win, forehead_bid, leader_if
from kortlek.games.plump.rules import BID, FIRST_BIDDER, Plump, legal
from kortlek.games.tricks_bots import SUITS, WHOLE_PACK, best_card, bid_for_hand, expectation, top_cards, why_bid, why_card

HABITS = [
    *(0.434, 1.643, 0.61, 0.327, -0.021, 0.0, 0.0, 0.0),
    *(0.38, 1.73, 0.87, 0.185, -0.044, 0.0, 0.0, 0.0),
    *(-0.66, 0.05, 0.5, 0.0, 0.53, 1.43, 0.435),
]
"""The parameters, in the order of ``kortlek.games.tricks_bots``."""
ACES = set_of(card(suit + "A") for suit in "CDHS")
WORTH = [*(log(10 + bid) for bid in range(10)), log(110)]
"""The logarithm of the points for each bid."""


def choose(s: Plump, rng: Rng) -> int:
    """A bid or a card."""
    if s.phase != BID:
        return best_card(s, s.bid, unseen(s), HABITS)
    return forehead_bid(s) if s.hand_size == 1 else bid(s, HABITS)


def unseen(s: Plump) -> Cards:
    """The cards that the player in turn has not seen."""
    return WHOLE_PACK & ~(s.hand[s.turn] | s.gone | s.trick)


def bid(s: Plump, habits: list[float]) -> int:
    """The bid for a hand."""
    return bid_for_hand(s, s.bid, unseen(s), legal(s), sure_ticks(s), WORTH, habits)


def sure_ticks(s: Plump) -> int:
    """The number of cards above all unseen ones, if the player leads the first tick or is sure to win the lead with all four aces; otherwise 0."""
    hand = s.hand[s.turn]
    leads = s.first_lead == FIRST_BIDDER and s.turn == next_seat(s, s.dealer)
    if not leads and hand & ACES != ACES:
        return 0
    sure = 0
    for suit in range(SUITS):
        sure += size(top_cards(hand, WHOLE_PACK & ~hand, suit))
    return sure


def reason(s: Plump, choice: int) -> Message:
    """The reason for a choice."""
    if s.phase != BID:
        return why_card(s, s.bid, unseen(s), choice)
    if size(legal(s)) == 1:
        return Message("reason-only-bid")
    if s.hand_size == 1:
        return Message("reason-forehead", {"percent": round(100 * chance_to_win(s, leader_if(s, s.turn, choice)))})
    return why_bid(sure_ticks(s), expectation(s, s.bid, unseen(s), HABITS)[0], choice)


HOUSE = Policy("house", 1, choose, reason)


def likelihood(s: Plump, seat: int) -> float:
    """The likelihood of a bid given a sampled hand; 1 for a card on the forehead, which the bidder did not see."""
    return 1.0 if s.hand_size == 1 else explains_bid(s, seat, next_seat(s, s.dealer), s.bid, WHOLE_PACK, WORTH, HABITS)


def consider(s: Plump) -> Cards:
    """The choices worth trying: no bid below the sure ticks, unless no other is legal."""
    return at_least(legal(s), sure_ticks(s)) if s.phase == BID and s.hand_size > 1 else legal(s)


KNOBS = Knobs((HOUSE,), likelihood=likelihood, consider=consider)
