"""Strange: a game with a bit of everything that a page has to show and that no other game has: two verbs for one card, cards and players to choose
among, numbers, piles, and cards with long texts. It is here to be looked at, not to be played."""

from kortlek.cards import NOTHING, Card, Cards, Multiset, Pile, bit, gain, height, lose, push, upto
from kortlek.game import (
    CARD,
    NOBODY,
    OVER,
    OWNER,
    SEAT,
    Choice,
    Face,
    Game,
    Pack,
    Part,
    State,
    amount,
    count,
    multiset,
    next_seat,
    one_of_piles,
    pile,
)
from kortlek.game import state

WAGER, ACT, HEAP, TAKE = 0, 1, 2, 3
KINDS, COPIES, HEAPS, MARKET, MOST = 20, 4, 3, 4, 12
COLOURS = ("crimson", "teal", "#b8860b", "")
FACES = tuple(
    Face(
        f"{('Old', 'Unforgettable', 'Small', 'Red-haired')[n % 4]} lighthouse keeper {n}",
        "Whoever plays this may look at the sea. " * (n % 3),
        COLOURS[n % 4],
    )
    for n in range(KINDS)
)
PLAY, BURN, BLESS, REST = 0, KINDS, 2 * KINDS, 2 * KINDS + 13


@state
class Strange(State):
    """A match of Strange."""

    left: int = count(0, 100)
    wager: list[int] = count(0, MOST, start=NOTHING, per_seat=True)
    blessings: list[int] = count(0, 100, per_seat=True)
    hand: list[Multiset] = multiset(COPIES, per_seat=True, seen_by=OWNER)
    market: Multiset = multiset(COPIES)
    heaps: list[Pile] = pile(80, piles=HEAPS)
    played: Card = count(0, KINDS, start=NOTHING)
    held: Multiset = multiset(COPIES)
    rest: Multiset = multiset(COPIES, seen_by=NOBODY)


def deal(s: Strange, pack: list[Card]) -> None:
    """Thirteen cards each, or five if there are many players; four lie in the market."""
    at = 0
    for seat in range(s.players):
        for _ in range(13 if s.players < 5 else 5):
            gain(s.hand[seat], pack[at])
            at += 1
    for left in range(at, KINDS * COPIES):
        gain(s.market if left < at + MARKET else s.rest, pack[left])
    s.left = 6 * s.players
    s.phase = WAGER
    s.turn = 0


def legal(s: Strange) -> Cards:
    """Wager a number; then play or burn a card, bless another player, or rest."""
    if s.phase == WAGER:
        return upto(MOST)
    if s.phase == HEAP:
        return upto(HEAPS - 1)
    if s.phase == TAKE:
        return s.market[0]
    others = 0
    for seat in range(s.players):
        if seat != s.turn:
            others |= bit(BLESS + seat)
    return s.hand[s.turn][0] | s.hand[s.turn][0] << BURN | others | bit(REST)


def apply(s: Strange, choice: int) -> None:
    """What is played goes to a heap; for what is burnt a card of the market may be taken."""
    if s.phase == WAGER:
        s.wager[s.turn] = choice
        s.turn = next_seat(s, s.turn)
        if s.wager[s.turn] != NOTHING:
            s.phase = ACT
        return
    if s.phase == HEAP:
        lose(s.held, s.played)
        push(s.heaps[choice], s.played)
        s.played = NOTHING
    elif s.phase == TAKE:
        lose(s.market, choice)
        gain(s.hand[s.turn], choice)
    elif choice < BURN:
        lose(s.hand[s.turn], choice)
        gain(s.held, choice)
        s.played = choice
        s.phase = HEAP
        return
    elif choice < BLESS:
        lose(s.hand[s.turn], choice - BURN)
        gain(s.rest, choice - BURN)
        if s.market[0]:
            s.phase = TAKE
            return
    elif choice < REST:
        s.blessings[choice - BLESS] += 1
    end_of_turn(s)


def end_of_turn(s: Strange) -> None:
    """After six turns each the match is over: a point for each blessing, and the wager."""
    s.phase = ACT
    s.turn = next_seat(s, s.turn)
    s.left -= 1
    if s.left == 0 or height(s.heaps[0]) > 60:
        for seat in range(s.players):
            s.score[seat] = s.blessings[seat] + s.wager[seat]
        s.round += 1
        s.phase = OVER


STRANGE = Game(
    "strange",
    players=range(2, 14),
    pack=Pack(tuple(f"keeper_{n}" for n in range(KINDS)), copies=COPIES, faces=FACES),
    state=Strange,
    choices=(
        Choice("wager", amount(0, MOST)),
        Choice("act", Part("play", CARD), Part("burn", CARD), Part("bless", SEAT), Part("rest")),
        Choice("heap", one_of_piles(HEAPS)),
        Choice("take", CARD),
    ),
    deal=deal,
    legal=legal,
    apply=apply,
)
