"""The layout of Hearts."""

from kortlek.cards import NOTHING, bit, cards_of, members
from kortlek.game import Layout, Message
from kortlek.games import tricks_layout
from kortlek.games.hearts.rules import DIRECTIONS, PASS, PLAY, Hearts, legal

PASSES = dict(zip(DIRECTIONS, ("left", "right", "across", "hold"), strict=True))


def why_not(s: Hearts, choice: int) -> Message:
    """Why a card may not be passed or played by the player in turn."""
    if s.phase not in (PASS, PLAY):
        return Message("refuse-moon")
    hand, cards = s.hand[s.turn], list(members(legal(s)))
    if not hand & bit(choice):
        return Message("refuse-not-held" if s.phase == PLAY else "refuse-pass-not-held", {"card": choice, "cards": cards})
    if s.phase == PASS:
        return Message("refuse-passed", {"card": choice, "cards": cards})
    if s.gone == 0 and s.led == NOTHING:
        return Message("refuse-first-lead", {"cards": cards})
    if s.led != NOTHING and hand & cards_of(s.led):
        return Message("refuse-follow", {"cards": cards})
    return Message("refuse-first-trick" if s.led != NOTHING else "refuse-not-broken", {"cards": cards})


def headline(s: Hearts) -> Message:
    """The round, the points that end the match, and the dealer."""
    return Message("table-round", {"round": s.round + (s.phase >= 0), "target": s.target, "who": s.dealer})


def text(s: Hearts) -> list[Message]:
    """The cards set aside and passed, the points taken, whether hearts are broken, and the cards on the table."""
    lines = [Message("table-passes", {"where": PASSES[s.away]})]
    aside = [Message("seat-cards", {"who": seat, "cards": list(members(s.passing[seat]))}) for seat in range(s.players) if s.passing[seat]]
    given = [
        Message("seat-passed", {"who": giver, "whom": to, "cards": list(members(cards))})
        for giver, known in enumerate(s.passed_to)
        for to, cards in enumerate(known)
        if cards
    ]
    if aside:
        lines.append(Message("table-aside", {"each": aside}))
    if given:
        lines.append(Message("table-passed", {"each": given}))
    if s.phase == PASS:
        return lines
    points = [Message("seat-count", {"who": seat, "count": s.penalty[seat]}) for seat in range(s.players)]
    broken = Message("table-broken" if s.broken else "table-not-broken")
    return [*lines, Message("table-penalty", {"each": points}), broken, tricks_layout.trick(s)]


LAYOUT = Layout(
    counters=("penalty",),
    status=("broken",),
    component="tricks",
    parts={**tricks_layout.PARTS, "taken": "penalty", "dealer": "dealer"},
    headline=headline,
    text=text,
    last=tricks_layout.last_trick,
    why_not=why_not,
)
