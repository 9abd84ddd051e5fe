"""The layout of Spades."""

from kortlek.cards import NOTHING, bit, cards_of, members
from kortlek.game import Layout, Message
from kortlek.games import tricks_layout
from kortlek.games.spades.rules import BLIND, NIL, PLAY, TRICKS, Spades, legal, partner


def why_not(s: Spades, choice: int) -> Message:
    """Why a choice is not allowed to the player in turn."""
    if s.phase != PLAY:
        return why_not_bid(s)
    hand, cards = s.hand[s.turn], list(members(legal(s)))
    if not hand & bit(choice):
        return Message("refuse-not-held", {"card": choice, "cards": cards})
    if s.led != NOTHING and hand & cards_of(s.led):
        return Message("refuse-follow", {"cards": cards})
    return Message("refuse-not-broken", {"cards": cards})


def why_not_bid(s: Spades) -> Message:
    """Why a number may not be bid."""
    other = partner(s, s.turn)
    if s.blind[s.turn]:
        return Message("refuse-blind")
    return Message("refuse-together", {"whom": other, "count": s.bid[other], "least": s.least_together, "most": TRICKS})


def headline(s: Spades) -> Message:
    """The round, the points that end the match, and the dealer."""
    number = {"round": s.round + (s.phase > BLIND), "target": s.target}
    return Message("table-round", {**number, "who": s.dealer}) if s.dealer >= 0 else Message("table-round-lots", number)


def text(s: Spades) -> list[Message]:
    """All bids, the bid, tricks and bags of each team, and the cards on the table."""
    lines = [tricks_layout.bids(s, s.bid)]
    if s.phase != PLAY:
        return [*lines, *(Message("table-bags", {"seats": [seat, partner(s, seat)], "bags": s.bags[seat]}) for seat in range(2))]
    lines += [team(s, seat, partner(s, seat)) for seat in range(2)]
    nils = [Message("seat-only", {"who": seat}) for seat in range(s.players) if s.bid[seat] == NIL and s.taken[seat] == 0]
    if nils:
        lines.append(Message("table-nils", {"each": nils}))
    return [*lines, Message("table-broken" if s.broken else "table-not-broken"), tricks_layout.trick(s)]


def team(s: Spades, one: int, other: int) -> Message:
    """The bid, tricks and bags of a team."""
    numbers = {"bid": s.bid[one] + s.bid[other], "taken": s.taken[one] + s.taken[other], "bags": s.bags[one]}
    return Message("table-team", {"seats": [one, other], **numbers})


LAYOUT = Layout(
    counters=("bid", "taken", "bags"),
    status=("broken",),
    component="tricks",
    parts={**tricks_layout.PARTS, "wish": "bid", "taken": "taken", "dealer": "dealer", "trump": "trump"},
    headline=headline,
    text=text,
    last=tricks_layout.last_trick,
    why_not=why_not,
)
