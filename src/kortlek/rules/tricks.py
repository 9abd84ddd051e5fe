"""What trick-taking games share: follow suit, win the trick, lead the next."""

from kortlek.cards import NOTHING, Card, Cards, Suit, bit, cards_of, only, suit_of, upto
from kortlek.rules.game import DEAL, EVERYONE, LAST_SEAT, LOTS, NOBODY, OWNER, RANDOM, Match, gather_pack, gather_seats, next_seat, number, per_seat
from kortlek.rules.game import place, place_per_seat, seat_number, state


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
    played: list[Cards] = per_seat()
    """What each player has played in this round."""
    table: list[Card] = per_seat(NOTHING)
    """The card of each player in the trick."""
    last: list[Card] = per_seat(NOTHING)
    """The card of each player in the trick before."""
    taken: list[int] = per_seat(told=lambda tricks: "takes the trick")


def start(s: Tricks, dealer: int) -> None:
    """The last seat deals the first round, or whoever the option names, or one drawn by lot; then the next player clockwise."""
    s.dealer = s.players - 1 if dealer == LAST_SEAT else dealer
    s.phase = LOTS if dealer == RANDOM else DEAL


def gather(s: Tricks, pack: list[Card], kinds: int) -> int:
    """All cards are shuffled for every round; and the seats, when one is drawn by lot."""
    return gather_seats(s, pack) if s.phase == LOTS else gather_pack(pack, kinds)


def deal(s: Tricks, pack: list[Card], first: int, kinds: int) -> None:
    """Everyone gets the same number of cards, one at a time, clockwise from the first."""
    for seat in range(s.players):
        s.hand[seat] = 0
        s.lacks[seat] = 0
        s.played[seat] = 0
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
    s.played[seat] |= bit(card)
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


def play_round(s: Tricks, card: Card) -> bool:
    """Play a card, and with the last of a trick take it. Say whether the round is over."""
    if not play(s, card):
        return False
    take_trick(s)
    return all_played(s)


def legal_bids(s: Tricks, bids: list[int], is_last: bool) -> Cards:
    """Any number of the round's tricks; but the last to bid may not make the bids add up to that number."""
    left = s.cards
    for seat in range(s.players):
        if seat != s.turn:
            left -= bids[seat]
    return upto(s.cards) & ~bit(left) if is_last and left >= 0 else upto(s.cards)
