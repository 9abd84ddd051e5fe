"""What trick-taking games share: follow suit, win the trick, lead the next."""

from kortlek.cards import NOTHING, Card, Cards, Suit, bit, cards_of, only, suit_of, upto
from kortlek.game import DEAL, LAST_SEAT, LOTS, MATCH, NOBODY, OWNER, RANDOM, State, card, card_set, cards, count, next_seat, seat, state, suit


@state
class Tricks(State):
    """A round of tricks."""

    dealer: int = seat(reset=MATCH)
    leader: int = seat()
    hand_size: int = count(0, 62)
    """How many tricks the round has, which is how many cards each player gets."""
    trump: Suit = suit()
    led: Suit = suit()
    best: Card = card()
    winning: int = seat()
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER, known_absent="known_absent")
    rest: Cards = cards(seen_by=NOBODY)
    trick: Cards = cards()
    gone: Cards = cards()
    known_absent: list[Cards] = card_set(per_seat=True)
    """Cards that a player cannot hold, because she did not follow suit."""
    played: list[Cards] = card_set(per_seat=True)
    """What each player has played in this round."""
    table: list[Card] = card(per_seat=True)
    """The card of each player in the trick."""
    last: list[Card] = card(per_seat=True)
    """The card of each player in the trick before."""
    taken: list[int] = count(0, 62, per_seat=True, event=True)


def start(s: Tricks, dealer: int) -> None:
    """The last seat deals the first round, or whoever the option names, or one drawn by lot; then the next player clockwise."""
    s.dealer = s.players - 1 if dealer == LAST_SEAT else dealer
    s.phase = LOTS if dealer == RANDOM else DEAL


def draw_dealer(s: Tricks, seats: list[int]) -> None:
    """The first of the seats drawn by lot deals."""
    s.dealer = seats[0]
    s.phase = DEAL


def deal(s: Tricks, pack: list[Card], first: int, kinds: int) -> None:
    """Everyone gets the same number of cards, one at a time, clockwise from the first."""
    at = 0
    for _ in range(s.hand_size):
        seat = first
        for _ in range(s.players):
            s.hand[seat] |= bit(pack[at])
            at += 1
            seat = next_seat(s, seat)
    for at in range(s.hand_size * s.players, kinds):
        s.rest |= bit(pack[at])


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
        s.known_absent[seat] |= cards_of(s.led) if suit_of(card) != s.led else 0
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
    left = s.hand_size
    for seat in range(s.players):
        if seat != s.turn:
            left -= bids[seat]
    return upto(s.hand_size) & ~bit(left) if is_last and left >= 0 else upto(s.hand_size)
