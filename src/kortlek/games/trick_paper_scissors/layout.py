"""The layout of TrickPaperScissors."""

from typing import Any

from kortlek.cards import NOTHING, cards_of, lowest, members, rank_of
from kortlek.game import Layout, Message, each_seat
from kortlek.games import tricks_layout
from kortlek.games.trick_paper_scissors.rules import PLAY, SUITS, VALUES, TrickPaperScissors, trumps


def why_not(s: TrickPaperScissors, choice: int) -> Message:
    """Why a choice is not allowed to the player in turn."""
    if s.phase == PLAY:
        return tricks_layout.why_not(s, choice)
    return Message("refuse-value", {"suit": s.trump, "value": s.value[s.trump]})


def headline(s: TrickPaperScissors) -> Message:
    """The deal and the dealer."""
    number = {"round": min(s.round + 1, s.deals), "rounds": s.deals}
    return Message("table-round", {**number, "who": s.dealer}) if s.dealer >= 0 else Message("table-round-lots", number)


def text(s: TrickPaperScissors) -> list[Message]:
    """The values, everyone's points in each suit, and the cards on the table."""
    rock, paper, scissors = s.value
    many = s.players
    lines = [
        Message("table-values", {"rock": rock, "paper": paper, "scissors": scissors}),
        Message("table-points", {"each": each_seat("seat-points", rock=s.rock[:many], paper=s.paper[:many], scissors=s.scissors[:many])}),
    ]
    if s.discard:
        lines.append(Message("event-face_up", {"place": "discard", "cards": list(members(s.discard))}))
    if s.led == NOTHING:
        return [*lines, tricks_layout.trick(s)]
    trump = Message("table-trump", {"suit": s.trump})
    return [*lines, Message("table-trick-led", {"each": tricks_layout.cards_played(s), "suit": s.led, "trump": trump})]


def drawn(s: TrickPaperScissors, seat: int) -> dict[str, Any]:
    """Data for the page: the stars of each rank, which suit trumps which, the possible values, everyone's points in each suit and what they are
    worth now, and the lowest card of the suit led, whose stars the trick brings."""
    points = [list(each) for each in zip(s.rock, s.paper, s.scissors, strict=True)][: s.players]
    low = lowest(s.trick & cards_of(s.led)) if s.led != NOTHING else NOTHING
    return {
        "suits": list(SUITS),
        "stars": list(s.stars),
        "trumped_by": [trumps(suit) for suit in range(len(SUITS))],
        "ladder": list(VALUES),
        "points": points,
        "worth": [sum(many * value for many, value in zip(each, s.value, strict=True)) for each in points],
        "lowest": {"seat": s.table.index(low), "stars": s.stars[rank_of(low)]} if low != NOTHING else None,
    }


LAYOUT = Layout(
    component="tricks",
    parts={**tricks_layout.PARTS, "dealer": "dealer", "values": "value", "deck": "stars"},
    headline=headline,
    text=text,
    last=tricks_layout.last_trick,
    why_not=why_not,
    drawn=drawn,
)
