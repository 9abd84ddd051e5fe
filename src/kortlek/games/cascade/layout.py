"""The layout of Cascade."""

from kortlek.cards import FRENCH, NOTHING, Card, bit, height, members, written
from kortlek.game import Layout, Message, each_seat
from kortlek.games.cascade.rules import COLUMN, DRAW, WIDEST, Cascade, above, matches


def why_not(s: Cascade, choice: int) -> Message:
    """Why a choice is not allowed to the player in turn."""
    if s.phase == COLUMN:
        return Message("refuse-not-there", {"card": s.chosen})
    if choice == DRAW:
        return Message("refuse-empty")
    return Message("refuse-nowhere" if s.hand[s.turn] & bit(choice) else "refuse-not-held", {"card": choice})


def triangle(s: Cascade) -> str:
    """The cards row by row; an open slot shows the number of its column."""
    rows = ["".join(f"{column + 1:^6}" for column in range(s.width)).rstrip()]
    for row in range(s.width):
        cells = []
        for column in range(s.width - row):
            card = s.board[row * WIDEST + column]
            is_open = s.filled[column] == row and s.fits[column]
            cells.append(written(FRENCH[card]) if card != NOTHING else f"({column + 1})" if is_open else ".")
        rows.append("   " * row + "".join(f"{cell:^6}" for cell in cells).rstrip())
    return "\n".join(rows)


def headline(s: Cascade) -> Message:
    """The game, and who began it."""
    return Message("table-round", {"round": min(s.round + 1, s.games), "rounds": s.games, "who": s.first})


def text(s: Cascade) -> list[Message]:
    """The triangle, its open slots, the cards played, the packs, and the actions left."""
    slots = [Message("table-slot", {"column": column + 1, "cards": list(above(s, column))}) for column in range(s.width) if s.fits[column]]
    packs = [height(deck) for deck in s.deck[: s.players]]
    return [
        Message("table-triangle", {"drawing": triangle(s)}),
        *([Message("table-slots", {"slots": slots})] if slots else []),
        Message("table-played", {"each": each_seat("seat-count", count=s.played[: s.players])}),
        Message("table-packs", {"each": each_seat("seat-count", count=packs)}),
        Message("table-actions", {"who": s.turn, "count": s.actions}),
    ]


def earns(s: Cascade) -> dict[str, Message]:
    """What the plays of the player in turn would earn, by the choices that make each play; plays that earn nothing are left out."""
    cards = [s.chosen] if s.phase == COLUMN else members(s.hand[s.turn])
    plays = {
        ("" if s.phase == COLUMN else f"play {FRENCH[card]}, ") + f"column {column + 1}": earned(s, card, column)
        for card in cards
        for column in range(s.width)
        if s.fits[column] >> card & 1
    }
    return {play: message for play, message in plays.items() if message}


def earned(s: Cascade, card: Card, column: int) -> Message | None:
    """What a play would earn, and why: ``+1 action, +2 cards: same suit, three in a row``. An empty pack gives no cards."""
    same_value, same_suit, in_a_row = matches(s, card, column)
    cards = min(same_suit + in_a_row, height(s.deck[s.turn]))
    gains = [Message(id, {"count": many}) for many, id in ((same_value + in_a_row, "gain-actions"), (cards, "gain-cards")) if many]
    reasons = [Message(id, {"times": many}) for many, id in ((in_a_row, "for-row"), (same_value, "for-value"), (same_suit, "for-suit")) if many]
    return Message("earns", {"gains": gains, "reasons": reasons}) if gains else None


LAYOUT = Layout(
    component="cascade",
    parts={
        "width": "width",
        "board": "board",
        "filled": "filled",
        "fits": "fits",
        "chosen": "chosen",
        "actions": "actions",
        "played": "played",
        "pile": "deck",
    },
    headline=headline,
    text=text,
    sizes=("hand",),
    why_not=why_not,
    earns=earns,
)
