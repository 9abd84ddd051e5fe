"""Kuhn poker: three cards, one bet, and a bluff.

Two players; a jack, a queen and a king. The one who begins loses an eighteenth of a chip in each hand if both play perfectly (Kuhn 1950).
"""

from kortlek.cards import NOTHING, Card, Cards, bit
from kortlek.game import NOBODY, OWNER, Choice, Game, Pack, Part, State, cards, count, flag, int_option, next_seat, seat, state

ACT = 0
CHECK, BET, FOLD, CALL = range(4)


@state(seats=2)
class Kuhn(State):
    """A match of Kuhn poker."""

    hands: int = int_option(10, range(1, 101), about="How many hands are played.")
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)
    shown: list[Cards] = cards(per_seat=True)
    rest: Cards = cards(seen_by=NOBODY)
    paid: list[int] = count(0, 2, per_seat=True)
    checked: int = flag()
    winner: int = seat(start=NOTHING)


def deal(s: Kuhn, pack: list[Card]) -> None:
    """Both put a chip into the pot and get a card. The players begin by turns."""
    for seat in range(s.players):
        s.hand[seat] = bit(pack[seat])
        s.paid[seat] = 1
    s.rest = bit(pack[2])
    s.turn = s.round % 2
    s.phase = ACT


def legal(s: Kuhn) -> Cards:
    """Check or bet a chip. Who faces a bet folds or calls it."""
    return bit(FOLD) | bit(CALL) if s.paid[next_seat(s, s.turn)] > s.paid[s.turn] else bit(CHECK) | bit(BET)


def apply(s: Kuhn, choice: int) -> None:
    """Who folds leaves the pot to the other. After a call or two checks the higher card wins it."""
    other = next_seat(s, s.turn)
    if choice in (BET, CALL):
        s.paid[s.turn] = 2
    if choice == FOLD:
        s.winner = other
    elif choice == CALL or choice == CHECK and s.checked:
        s.winner = 0 if s.hand[0] > s.hand[1] else 1
        for seat in range(s.players):
            s.shown[seat] = s.hand[seat]
            s.hand[seat] = 0
    s.checked = 1
    s.turn = other


def round_over(s: Kuhn) -> bool:
    """A hand is over when somebody has won it."""
    return s.winner != NOTHING


def points(s: Kuhn, seat: int) -> int:
    """The chips that a player has won or lost."""
    return (s.paid[0] + s.paid[1] if seat == s.winner else 0) - s.paid[seat]


def over(s: Kuhn) -> bool:
    """The match has as many hands as the option says."""
    return s.round == s.hands


KUHN = Game(
    "kuhn_poker",
    players=range(2, 3),
    pack=Pack(("SJ", "SQ", "SK")),
    state=Kuhn,
    choices=(Choice("act", Part("check"), Part("bet"), Part("fold"), Part("call")),),
    deal=deal,
    legal=legal,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
)

WORDS = {"en": "ask-act = Your turn\n"}
