"""The layout of Plump."""

from kortlek.cards import NOTHING, height, top
from kortlek.game import Layout, Message
from kortlek.games import tricks_layout
from kortlek.games.plump.rules import BID, PLAY, Plump, rounds


def why_not(s: Plump, choice: int) -> Message:
    """Why a choice is not allowed to the player in turn."""
    return tricks_layout.why_not(s, choice) if s.phase == PLAY else tricks_layout.why_not_bid(s, choice)


def headline(s: Plump) -> Message:
    """The round, its ticks and the dealer."""
    number = {"round": min(s.round + 1, rounds(s)), "rounds": rounds(s), "ticks": s.hand_size}
    return Message("table-round", {**number, "who": s.dealer}) if s.dealer >= 0 else Message("table-round-lots", number)


def text(s: Plump) -> list[Message]:
    """The bids, the ticks taken, and the cards on the table or on the foreheads."""
    lines = [tricks_layout.bids(s, s.bid)]
    if s.hand_size == 1:
        cards = [top(s.forehead[seat]) if height(s.forehead[seat]) else NOTHING for seat in range(s.players)]
        seen = [Message("seat-card", {"who": seat, "card": card}) for seat, card in enumerate(cards) if card != NOTHING]
        return [*lines, Message("table-foreheads", {"each": seen})] if seen else lines
    return lines if s.phase == BID else [*lines, tricks_layout.taken(s), tricks_layout.trick(s)]


LAYOUT = Layout(
    component="tricks",
    parts={**tricks_layout.PARTS, "wish": "bid", "taken": "taken", "dealer": "dealer", "open": "forehead"},
    headline=headline,
    text=text,
    last=tricks_layout.last_trick,
    why_not=why_not,
)
