"""Go Fish: ask a player for a rank that you hold; collect four of a kind.

Two to six players, 52 cards; suits do not matter.
"""

from kortlek.cards import NOTHING, Card, Cards, Multiset, Pile, bit, count, gain, height, lose, pop, push, total
from kortlek.game import NOBODY, OVER, OWNER, SEAT, Choice, Game, Pack, State, card_set, multiset, next_seat, pile, rank_named, seat, state

ASK, FOR = 0, 1
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
BOOK = 4


@state(seats=6)
class GoFish(State):
    """A match of Go Fish."""

    asked: int = seat(start=NOTHING)
    hand: list[Multiset] = multiset(BOOK, per_seat=True, seen_by=OWNER, known_absent="known_absent", known_present="known_present")
    books: list[Multiset] = multiset(BOOK, per_seat=True)
    stock: Pile = pile(52, seen_by=NOBODY)
    known_absent: list[Cards] = card_set(per_seat=True)
    """Ranks that a player had to say no to, until she gets cards."""
    known_present: list[Multiset] = card_set(per_seat=True, length=BOOK)
    """What a player has asked for, was given or has shown."""


def deal(s: GoFish, pack: list[Card]) -> None:
    """Five cards each; with two players seven. Four of a kind are laid down at once as a book. The first seat begins."""
    at = 0
    for seat in range(s.players):
        for _ in range(7 if s.players == 2 else 5):
            gain(s.hand[seat], pack[at])
            at += 1
    for left in range(51, at - 1, -1):
        push(s.stock, pack[left])
    for seat in range(s.players):
        for rank in range(len(RANKS)):
            lay_book(s, seat, rank)
    s.turn = 0
    settle(s)


def legal(s: GoFish) -> Cards:
    """Ask another player who has cards, for a rank that you hold yourself."""
    if s.phase == FOR:
        return s.hand[s.turn][0]
    others = 0
    for seat in range(s.players):
        if seat != s.turn and s.hand[seat][0]:
            others |= bit(seat)
    return others


def apply(s: GoFish, choice: int) -> None:
    """She gives all her cards of that rank, and you go on. If she has none, you fish a card; if it is of the rank you asked for you show it and
    go on, otherwise the next player does."""
    if s.phase == ASK:
        s.asked = choice
        s.phase = FOR
        return
    me, other, rank = s.turn, s.asked, choice
    if count(s.known_present[me], rank) == 0:
        gain(s.known_present[me], rank)
    if count(s.hand[other], rank):
        while count(s.hand[other], rank):
            lose(s.hand[other], rank)
            lose(s.known_present[other], rank)
            gain(s.hand[me], rank)
            gain(s.known_present[me], rank)
        lay_book(s, me, rank)
    elif height(s.stock):
        fished = draw(s, me)
        if fished == rank:
            gain(s.known_present[me], rank)
        else:
            s.turn = next_seat(s, me)
        lay_book(s, me, fished)
    else:
        s.turn = next_seat(s, me)
    s.known_absent[other] |= bit(rank)
    settle(s)


def draw(s: GoFish, seat: int) -> Card:
    """The top card of the stock."""
    card = pop(s.stock)
    gain(s.hand[seat], card)
    s.known_absent[seat] = 0
    return card


def lay_book(s: GoFish, seat: int, rank: Card) -> None:
    """Four of a kind are a book, laid down for everyone to see: a point."""
    if count(s.hand[seat], rank) == BOOK:
        for _ in range(BOOK):
            lose(s.hand[seat], rank)
            lose(s.known_present[seat], rank)
            gain(s.books[seat], rank)
        s.score[seat] += 1


def settle(s: GoFish) -> None:
    """Who is in turn without cards draws one; if there are none, the next player who has cards goes on. If nobody else has cards to ask for,
    the next player draws one and is in turn. The match is over when all cards lie in books."""
    s.phase = ASK
    s.asked = NOTHING
    if height(s.stock) == 0:
        for _ in range(s.players):
            if total(s.hand[s.turn]) == 0:
                s.turn = next_seat(s, s.turn)
        if total(s.hand[s.turn]) == 0:
            s.round += 1
            s.phase = OVER
        return
    if total(s.hand[s.turn]) == 0:
        draw(s, s.turn)
    if legal(s) == 0:
        s.turn = next_seat(s, s.turn)
        draw(s, s.turn)


GO_FISH = Game(
    "go_fish",
    title="Go Fish",
    players=range(2, 7),
    pack=Pack(RANKS, copies=BOOK),
    state=GoFish,
    choices=(Choice("ask", SEAT), Choice("for", rank_named(*RANKS), act="ask")),
    deal=deal,
    legal=legal,
    apply=apply,
)

WORDS = {
    "en": """
ask-ask = Whom do you ask?
ask-for = For which rank?
choice-for = For { $rank }
event-ask = { $who } { VERB($you, "ask", "asks") } { $whom } for { $rank }
"""
}
