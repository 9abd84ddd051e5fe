"""The shared layout of trick-taking games: refusals and the lines of the text table."""

from collections.abc import Sequence

from kortlek.cards import NOTHING, Card, bit, members
from kortlek.game import Message, each_seat
from kortlek.games.tricks import Tricks, follow_suit


PARTS = {"trick": "table", "last": "last", "leader": "leader", "took": "leader", "led": "led", "winning": "winning"}
"""The fields that the component ``tricks`` of the page draws, in every trick-taking game."""


def why_not(s: Tricks, card: Card) -> Message:
    """Why a card may not be played by the player in turn."""
    allowed = list(members(follow_suit(s)))
    if s.hand[s.turn] & bit(card):
        return Message("refuse-follow", {"cards": allowed})
    return Message("refuse-not-held", {"card": card, "cards": allowed})


def why_not_bid(s: Tricks, number: int) -> Message:
    """Why a number may not be bid."""
    if number <= s.hand_size:
        return Message("refuse-adds-up", {"all": s.hand_size, "number": number})
    return Message("refuse-too-many", {"all": s.hand_size})


def bids(s: Tricks, numbers: Sequence[int]) -> Message:
    """The bids so far, and how many of the round's tricks they add up to."""
    known = [seat for seat in range(s.players) if numbers[seat] != NOTHING]
    if not known:
        return Message("table-no-bids")
    each = [Message("seat-count", {"who": seat, "count": numbers[seat]}) for seat in known]
    return Message("table-bids", {"each": each, "sum": sum(numbers[seat] for seat in known), "all": s.hand_size})


def taken(s: Tricks) -> Message:
    """How many tricks everyone has taken."""
    return Message("table-taken", {"each": each_seat("seat-count", count=s.taken[: s.players])})


def cards_played(s: Tricks) -> list[Message]:
    """The cards of the trick, in the order in which they were played."""
    order = [(s.leader + after) % s.players for after in range(s.players)]
    return [Message("seat-card", {"who": seat, "card": s.table[seat]}) for seat in order if s.table[seat] != NOTHING]


def trick(s: Tricks) -> Message:
    """The cards on the table."""
    return Message("table-trick", {"each": cards_played(s)}) if s.trick else Message("table-no-trick")


def last_trick(s: Tricks) -> Message | None:
    """The previous trick; None if there is none."""
    if s.last[0] == NOTHING:
        return None
    return Message("table-last", {"each": each_seat("seat-card", card=s.last[: s.players]), "whom": s.leader})
