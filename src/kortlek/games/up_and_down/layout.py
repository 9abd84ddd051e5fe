"""The layout of Up and Down."""

from kortlek.cards import members
from kortlek.game import Layout, Message
from kortlek.games import tricks_layout
from kortlek.games.up_and_down.rules import BET, PLAY, UpAndDown


def why_not(s: UpAndDown, choice: int) -> Message:
    """Why a choice is not allowed to the player in turn."""
    return tricks_layout.why_not(s, choice) if s.phase == PLAY else tricks_layout.why_not_bid(s, choice)


def headline(s: UpAndDown) -> Message:
    """The round, its hands, and who bets first."""
    rounds = 2 * s.largest_round - 1
    return Message("table-round", {"round": min(s.round + 1, rounds), "rounds": rounds, "hands": s.hand_size, "who": s.first})


def text(s: UpAndDown) -> list[Message]:
    """The mesa, the bets, the hands won, and the cards on the table."""
    lines = [Message("event-face_up", {"place": "mesa", "cards": list(members(s.mesa))})] if s.mesa else []
    lines.append(tricks_layout.bids(s, s.bet))
    return lines if s.phase == BET else [*lines, tricks_layout.taken(s), tricks_layout.trick(s)]


LAYOUT = Layout(
    component="tricks",
    parts={**tricks_layout.PARTS, "wish": "bet", "taken": "taken", "mesa": "mesa", "trump": "trump"},
    headline=headline,
    text=text,
    last=tricks_layout.last_trick,
    why_not=why_not,
)
