"""How the house plays Plump.

**Bids.** Every card gets a chance to win, the better the fewer unseen cards can beat it and the more lie below it. Their sum is what the
hand can expect; the house bids the legal number with the most points times the chance to take exactly so many. When others have bid
more than their share it bids less; and if it can it does not bid below the ticks that are sure.

**Play.** The house counts the cards that are gone and remembers who has no more of a suit. It plays the card after which the rest of
its hand can be expected to take just the ticks that it still needs: it takes while it needs ticks; it sheds the highest card that
loses, and leads low, when it needs none. When its bid is lost it takes ticks if others need them, and leaves them if they do not.

**The card on the forehead.** The house counts, of the cards that it does not see, those that would win; a card that makes little
sense of what the others have bid counts little.
"""

from math import log

from kortlek.bots.house.tricks import BID_BASE, BID_HIGHER, BID_LENGTH, BID_LOWER, BID_SQUARE, BIAS, SPREAD, TILT, WHOLE_PACK
from kortlek.bots.house.tricks import against, best_bid, best_card, bid_above_share
from kortlek.bots.policy import Policy
from kortlek.cards import PACK, lowest
from kortlek.play.seeded import Rng
from kortlek.rules.plump import BID, Plump, legal

HABITS = [0.58, 1.8, 0.4, 0.32, -0.028, -0.6, 0.0, 0.4, 0.61, 1.85, 0.6, 0.057, 0.036, 0.35, 0.63, 0.5]
WORTH = [*(log(10 + bid) for bid in range(10)), log(110)]
"""The logarithm of the points of each bid."""


def choose(s: Plump, rng: Rng) -> int:
    """A bid or a card."""
    if s.phase != BID:
        return best_card(s, s.bid, WHOLE_PACK & ~(s.hand[s.turn] | s.gone | s.trick), HABITS)
    return forehead_bid(s) if s.cards == 1 else bid(s, HABITS)


def bid(s: Plump, habits: list[float]) -> int:
    """The bid for a hand."""
    hand = s.hand[s.turn]
    unseen = WHOLE_PACK & ~hand
    in_play = (s.players - 1) * s.cards / (PACK - s.cards)
    base = (s.players - 1) * (habits[BID_BASE] + habits[BID_LENGTH] * s.cards)
    per_higher = in_play * habits[BID_HIGHER]
    per_square = in_play * in_play * habits[BID_SQUARE]
    per_lower = in_play * habits[BID_LOWER]
    expected = habits[BIAS] - habits[TILT] * bid_above_share(s, s.bid)
    doubt = 0.0
    while hand:
        wins = 1 / (1 + against(lowest(hand), unseen, base, per_higher, per_square, per_lower))
        expected += wins
        doubt += wins * (1 - wins)
        hand &= hand - 1
    return best_bid(legal(s), 0, expected, habits[SPREAD] * doubt, WORTH)


def forehead_bid(s: Plump) -> int:
    """The bid for a card that only the others see."""
    return lowest(legal(s))


def reason(s: Plump, choice: int) -> str:
    """What speaks for a choice."""
    return "a habit"


HOUSE = Policy("house", 1, "counts cards, bids what it can expect, and plays for exactly that", choose, reason)
