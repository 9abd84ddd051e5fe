"""What trick-taking games share: follow suit, win the trick, lead the next."""

from collections.abc import Callable

from kortlek.cards import NOTHING, Card, Cards, Suit, bit, cards_of, only, say, suit_of, upto
from kortlek.rules.game import EVERYONE, NOBODY, OWNER, Match, Names, by_name, next_seat, number, per_seat, place, place_per_seat, seat_number, state


@state
class Tricks(Match):
    """A round of tricks."""

    dealer: int = seat_number()
    leader: int = seat_number()
    cards: int = number()
    """How many tricks the round has, which is how many cards each player gets."""
    trump: Suit = number(NOTHING)
    led: Suit = number(NOTHING)
    best: Card = number(NOTHING)
    winning: int = seat_number()
    hand: list[Cards] = place_per_seat(OWNER, lacks="lacks")
    rest: Cards = place(NOBODY)
    trick: Cards = place(EVERYONE)
    gone: Cards = place(EVERYONE)
    lacks: list[Cards] = per_seat()
    """Cards that a player cannot hold, because she did not follow suit."""
    table: list[Card] = per_seat(NOTHING)
    """The card of each player in the trick."""
    last: list[Card] = per_seat(NOTHING)
    """The card of each player in the trick before."""
    taken: list[int] = per_seat(told=lambda tricks: "takes the trick")


def deal(s: Tricks, pack: list[Card], first: int, kinds: int) -> None:
    """Everyone gets the same number of cards, one at a time, clockwise from the first."""
    for seat in range(s.players):
        s.hand[seat] = 0
        s.lacks[seat] = 0
        s.table[seat] = NOTHING
        s.last[seat] = NOTHING
        s.taken[seat] = 0
    at = 0
    for _ in range(s.cards):
        seat = first
        for _ in range(s.players):
            s.hand[seat] |= bit(pack[at])
            at += 1
            seat = next_seat(s, seat)
    s.rest = 0
    for at in range(s.cards * s.players, kinds):
        s.rest |= bit(pack[at])
    s.trick = 0
    s.gone = 0
    s.led = NOTHING
    s.trump = NOTHING


def lead(s: Tricks, seat: int) -> None:
    """This player leads to the next trick."""
    s.leader = seat
    s.turn = seat
    s.led = NOTHING


def follow_suit(s: Tricks) -> Cards:
    """Play the suit that was led if you can, otherwise any card."""
    return s.hand[s.turn] if s.led == NOTHING else only(s.hand[s.turn], cards_of(s.led))


def beats(s: Tricks, card: Card) -> bool:
    """A higher card of its suit beats a card, and a trump beats every other suit."""
    return card > s.best if suit_of(card) == suit_of(s.best) else suit_of(card) == s.trump


def play(s: Tricks, card: Card) -> bool:
    """Play a card, and say whether it was the last of the trick. Who does not follow suit has none of it."""
    seat = s.turn
    if s.led == NOTHING:
        s.led = suit_of(card)
        s.best = card
        s.winning = seat
    else:
        higher = beats(s, card)
        s.best = card if higher else s.best
        s.winning = seat if higher else s.winning
        s.lacks[seat] |= cards_of(s.led) if suit_of(card) != s.led else 0
    s.hand[seat] &= ~bit(card)
    s.trick |= bit(card)
    s.table[seat] = card
    s.turn = next_seat(s, seat)
    return s.turn == s.leader


def take_trick(s: Tricks) -> None:
    """The highest trump takes the trick, or without trumps the highest card of the suit led. The winner leads next."""
    for seat in range(s.players):
        s.last[seat] = s.table[seat]
        s.table[seat] = NOTHING
    s.gone |= s.trick
    s.trick = 0
    s.taken[s.winning] += 1
    lead(s, s.winning)


def all_played(s: Tricks) -> bool:
    """The round is over when the hands are empty."""
    return s.hand[s.leader] == 0


def legal_bids(s: Tricks, bids: list[int], is_last: bool) -> Cards:
    """Any number of the round's tricks; but the last to bid may not make the bids add up to that number."""
    left = s.cards
    for seat in range(s.players):
        if seat != s.turn:
            left -= bids[seat]
    return upto(s.cards) & ~bit(left) if is_last and left >= 0 else upto(s.cards)


def why_not(s: Tricks, card: Card, names: tuple[str, ...]) -> str:
    """Why a card may not be played, for the player whose turn it is."""
    reason = "You must follow suit" if s.hand[s.turn] & bit(card) else f"You do not hold {names[card]}"
    return f"{reason}: play one of {say(follow_suit(s), names)}."


def how_many(number: int, thing: str) -> str:
    """So many things, for a sentence."""
    return f"There is only 1 {thing}" if number == 1 else f"There are only {number} {thing}s"


# ---- the table in words


def spoken(values: list[int]) -> list[object]:
    """What is said of each player: the number, if there is one yet."""
    return ["" if value == NOTHING else value for value in values]


def on_the_table(s: Tricks, names: Names, cards: tuple[str, ...]) -> str:
    """The cards of the trick, in the order in which they were played."""
    order = [(s.leader + after) % s.players for after in range(s.players)]
    return ", ".join(f"{names[seat]} {cards[s.table[seat]]}" for seat in order if s.table[seat] != NOTHING) or "nothing yet"


def last_trick(cards: tuple[str, ...]) -> Callable[[Tricks, Names], str]:
    """How the trick before this one is told."""

    def told(s: Tricks, names: Names) -> str:
        if s.last[0] == NOTHING:
            return ""
        return f"Last trick: {by_name(names, [cards[card] for card in s.last[: s.players]])}; taken by {names[s.leader]}"

    return told
