"""How Cascade is told: refusals, the table in words, its declaration."""

from kortlek.cards import FRENCH, NOTHING, Card, bit, height, members
from kortlek.rules.cascade import COLUMN, DRAW, MOST_PLAYERS, WIDEST, Cascade, above, apply, deal, gather, legal, matches, start
from kortlek.rules.counted.cascade import COUNTS
from kortlek.rules.game import Choice, Game, Names, Pack, Picture, Sheet, by_name, choice, highest_scores


def why_not(s: Cascade, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    if s.phase == COLUMN:
        return f"{FRENCH[s.chosen]} does not fit there: the slot must be open and the card not between the two above it."
    if choice == DRAW:
        return "Your pack is empty."
    if not s.hand[s.turn] & bit(choice):
        return f"You do not hold {FRENCH[choice]}."
    return f"{FRENCH[choice]} does not fit anywhere: it would be between the two cards above."


def triangle(s: Cascade) -> str:
    """The cards row by row; an open slot shows the number of its column."""
    rows = ["".join(f"{column + 1:^6}" for column in range(s.width)).rstrip()]
    for row in range(s.width):
        cells = []
        for column in range(s.width - row):
            card = s.board[row * WIDEST + column]
            is_open = s.filled[column] == row and s.fits[column]
            cells.append(FRENCH[card] if card != NOTHING else f"({column + 1})" if is_open else ".")
        rows.append("   " * row + "".join(f"{cell:^6}" for cell in cells).rstrip())
    return "\n".join(rows)


def picture(s: Cascade, names: Names) -> list[str]:
    """The game, the triangle, its open slots, and how far everyone has come."""
    slots = [f"{column + 1} below {' '.join(FRENCH[card] for card in above(s, column))}" for column in range(s.width) if s.fits[column]]
    packs = [height(deck) for deck in s.deck[: s.players]]
    return [
        f"Game {min(s.round + 1, s.games)} of {s.games}, started by: {names[s.first]}",
        triangle(s),
        f"Open columns: {', '.join(slots)}",
        f"Cards played: {by_name(names, s.played)}",
        f"Cards in the pack: {by_name(names, packs)}",
        f"Actions left: {names[s.turn]} {s.actions}",
    ]


def earns(s: Cascade) -> dict[str, str]:
    """What the plays of the player in turn would earn, each by the choices that make it; those that earn nothing are left out."""
    cards = [s.chosen] if s.phase == COLUMN else members(s.hand[s.turn])
    plays = {
        ("" if s.phase == COLUMN else f"play {FRENCH[card]}, ") + f"column {column + 1}": earned(s, card, column)
        for card in cards
        for column in range(s.width)
        if s.fits[column] >> card & 1
    }
    return {play: text for play, text in plays.items() if text}


def earned(s: Cascade, card: Card, column: int) -> str:
    """What a play would earn, and for what: ``+1 action, +2 cards: same suit, three in a row``. An empty pack gives no cards."""
    same_value, same_suit, in_a_row = matches(s, card, column)
    cards = min(same_suit + in_a_row, height(s.deck[s.turn]))
    gains = [f"+{many} {thing}{'s' * (many > 1)}" for many, thing in ((same_value + in_a_row, "action"), (cards, "card")) if many]
    times = ("", "", " twice")
    reasons = ["three in a row"] * in_a_row + [f"same {what}{times[many]}" for many, what in ((same_value, "value"), (same_suit, "suit")) if many]
    return f"{', '.join(gains)}: {', '.join(reasons)}" if gains else ""


ACTIONS = tuple((f"play {card}", f"plays {card}") for card in FRENCH) + (("draw", "draws"),)

CASCADE = Game(
    name="cascade",
    title="Cascade",
    version=1,
    about="Fill a triangle of cards; what fits well lets you play on.",
    layout={
        "kind": "cascade",
        "width": "width",
        "board": "board",
        "filled": "filled",
        "fits": "fits",
        "chosen": "chosen",
        "actions": "actions",
        "played": "played",
        "pile": "deck",
    },
    players=range(2, MOST_PLAYERS + 1),
    pack=Pack(FRENCH, one_each=True),
    state=Cascade,
    choices=(
        Choice("act", "Which card do you play, or do you draw?", tuple(text for text, _ in ACTIONS), tuple(told for _, told in ACTIONS)),
        choice("column", "puts it into column", "Into which column?", range(1, WIDEST)),
    ),
    counts=COUNTS,
    start=start,
    gather=gather,
    deal=deal,
    legal=legal,
    apply=apply,
    winners=highest_scores,
    why_not=why_not,
    sheet=Sheet("Game", lambda s: str(s.round), lambda s, seat: f"{s.points[seat]} ({s.played[seat]} played)"),
    swing=20,
    picture=Picture(picture, sizes=("hand",), earns=earns),
)
