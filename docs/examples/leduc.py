"""Leduc poker: a card in the hand, a card on the board, two rounds of betting.

Two players; two jacks, two queens and two kings. Small enough that its value is known exactly, large enough to bluff well in.
"""

from kortlek.cards import NOTHING, Card, Cards, Pile, bit, lowest, pop, push
from kortlek.game import NOBODY, OWNER, Choice, Game, Pack, Part, State, cards, count, flag, int_option, next_seat, pile, seat, state

ACT = 0
FOLD, CHECK, CALL, BET, RAISE = range(5)
MOST_RAISES = 2


@state(seats=2)
class Leduc(State):
    """A match of Leduc poker."""

    hands: int = int_option(10, range(1, 101), about="How many hands are played.")
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)
    shown: list[Cards] = cards(per_seat=True)
    board: Cards = cards()
    stock: Pile = pile(4, seen_by=NOBODY)
    paid: list[int] = count(0, 13, per_seat=True)
    raises: int = count(0, MOST_RAISES)
    checked: int = flag()
    winner: int = seat(start=NOTHING)


def deal(s: Leduc, pack: list[Card]) -> None:
    """Both put a chip into the pot and get a card. The players begin by turns."""
    for seat in range(s.players):
        s.hand[seat] = bit(pack[seat])
        s.paid[seat] = 1
    for at in range(5, 1, -1):
        push(s.stock, pack[at])
    s.turn = s.round % 2
    s.phase = ACT


def legal(s: Leduc) -> Cards:
    """Check or bet. Who faces a bet folds, calls, or raises: there are at most two bets and raises in each round of betting."""
    if s.paid[next_seat(s, s.turn)] == s.paid[s.turn]:
        return bit(CHECK) | bit(BET)
    return bit(FOLD) | bit(CALL) | (bit(RAISE) if s.raises < MOST_RAISES else 0)


def apply(s: Leduc, choice: int) -> None:
    """A bet or a raise is two chips, and four when the board lies there. A round of betting ends with a call or two checks."""
    other = next_seat(s, s.turn)
    if choice == FOLD:
        s.winner = other
    elif choice in (BET, RAISE):
        s.paid[s.turn] = s.paid[other] + (4 if s.board else 2)
        s.raises += 1
    elif choice == CALL or s.checked:
        s.paid[s.turn] = s.paid[other]
        end_betting(s)
        return
    s.checked = 1
    s.turn = other


def end_betting(s: Leduc) -> None:
    """After the first round of betting a card is laid on the board; after the second the hands are shown. A pair with the board wins,
    otherwise the higher card; between equals the pot is divided."""
    s.turn = s.round % 2
    s.raises = 0
    s.checked = 0
    if s.board == 0:
        s.board = bit(pop(s.stock))
        return
    if strength(s, 0) != strength(s, 1):
        s.winner = 0 if strength(s, 0) > strength(s, 1) else 1
    for seat in range(s.players):
        s.shown[seat] = s.hand[seat]
        s.hand[seat] = 0


def strength(s: Leduc, seat: int) -> int:
    """What a hand is worth: its rank, and more for a pair."""
    mine = lowest(s.hand[seat]) // 2
    return mine + 3 if mine == lowest(s.board) // 2 else mine


def round_over(s: Leduc) -> bool:
    """A hand is over when somebody has folded or the hands were shown."""
    return s.winner != NOTHING or s.shown[0] != 0


def points(s: Leduc, seat: int) -> int:
    """The chips that a player has won or lost."""
    if s.winner == NOTHING:
        return 0
    return (s.paid[0] + s.paid[1] if seat == s.winner else 0) - s.paid[seat]


def over(s: Leduc) -> bool:
    """The match has as many hands as the option says."""
    return s.round == s.hands


LEDUC = Game(
    "leduc_poker",
    players=range(2, 3),
    pack=Pack(("HJ", "SJ", "HQ", "SQ", "HK", "SK")),
    state=Leduc,
    choices=(Choice("act", Part("fold"), Part("check"), Part("call"), Part("bet"), Part("raise")),),
    deal=deal,
    legal=legal,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
)

WORDS = {"en": "ask-act = Your turn\n"}
