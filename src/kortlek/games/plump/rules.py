"""Plump: promise how many tricks you will take, then take exactly that many.

Two to thirteen players, 52 cards, ace high, no trump. A trick is called a *tick*.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, Pile, bit, lowest, pop, push
from kortlek.game import CARD, DEAL, LAST_SEAT, MATCH, OTHERS, OVER, Choice, Game, Sheet, amount, card, choice_option, count, next_seat, pile, seat
from kortlek.game import seat_option, state
from kortlek.games import tricks

BID, PLAY = 0, 1
MOST_TICKS, MOST_PLAYERS = 10, 13
MOST_POINTS = 110
"""For a kept promise of ten ticks."""
MOST_ROUNDS = 2 * (MOST_TICKS - 1) + MOST_PLAYERS
FIRST_BIDDER, HIGHEST_BIDDER = 0, 1


@state
class Plump(tricks.Tricks):
    """A match of Plump."""

    score: list[int] = count(0, MOST_POINTS * MOST_ROUNDS, per_seat=True, reset=MATCH)
    first_lead: int = choice_option("first_bidder", "highest_bidder")
    first_dealer: int = seat_option(LAST_SEAT)
    opener: int = seat()
    """Who leads the first tick of the round."""
    forehead: list[Pile] = pile(1, per_seat=True, seen_by=OTHERS)
    """The only card of a player in a one-tick round."""
    bid: list[int] = count(0, MOST_TICKS, start=NOTHING, per_seat=True)
    turned: list[Card] = card(per_seat=True, event=True, event_first=True, event_from="opener")
    """The card of each player that was held to the forehead."""
    points: list[int] = count(0, MOST_POINTS, start=NOTHING, per_seat=True, event=True)


def start(s: Plump) -> None:
    """The last seat deals the first round, or whoever the option names; then the next player clockwise."""
    tricks.start(s, s.first_dealer)


def largest_round(s: Plump) -> int:
    """Ten ticks, or fewer if there are too many players for the cards: rounds that need more than 52 cards are dropped."""
    return min(MOST_TICKS, PACK // s.players)


def ticks(s: Plump) -> int:
    """Ten ticks, then nine, and so on down to two; then one tick, as many rounds as there are players; then two, up to ten."""
    ones = largest_round(s) - 1
    if s.round < ones:
        return largest_round(s) - s.round
    return max(1, s.round - ones - s.players + 2)


def rounds(s: Plump) -> int:
    """How many rounds the match has."""
    return 2 * (largest_round(s) - 1) + s.players


def deal(s: Plump, pack: list[Card]) -> None:
    """As many cards as ticks, one at a time from the dealer's left, who bids first. A single card is held to the forehead:
    everyone sees it but its owner."""
    s.phase = BID
    s.hand_size = ticks(s)
    s.turn = next_seat(s, s.dealer)
    tricks.deal(s, pack, s.turn, PACK)
    if s.hand_size == 1:
        for seat in range(s.players):
            push(s.forehead[seat], lowest(s.hand[seat]))
            s.hand[seat] = 0


def legal(s: Plump) -> Cards:
    """First everyone bids a number of ticks; the dealer is last and may not make the bids add up to the ticks. Then they are played."""
    return tricks.legal_bids(s, s.bid, s.turn == s.dealer) if s.phase == BID else tricks.follow_suit(s)


def apply(s: Plump, choice: int) -> None:
    """Bid or play."""
    if s.phase == BID:
        bid(s, choice)
    else:
        play(s, choice)


def bid(s: Plump, promised: int) -> None:
    """Bids are public. After the last one the leader plays. In a one-tick round the cards are then played by themselves."""
    s.bid[s.turn] = promised
    if s.turn != s.dealer:
        s.turn = next_seat(s, s.turn)
        return
    s.phase = PLAY
    s.opener = first_leader(s)
    tricks.lead(s, s.opener)
    if s.hand_size == 1:
        for _ in range(s.players):
            card = pop(s.forehead[s.turn])
            s.turned[s.turn] = card
            s.hand[s.turn] = bit(card)
            play(s, card)


def first_leader(s: Plump) -> int:
    """The first bidder leads; or, as an option, the highest bidder, of equals the one who bid first."""
    seat = next_seat(s, s.dealer)
    leader = seat
    if s.first_lead == HIGHEST_BIDDER:
        for _ in range(s.players):
            if s.bid[seat] > s.bid[leader]:
                leader = seat
            seat = next_seat(s, seat)
    return leader


def play(s: Plump, card: Card) -> None:
    """The highest card of the suit led takes the tick and its player leads the next. After the last tick the round is scored."""
    if tricks.play_round(s, card):
        score(s)


def score(s: Plump) -> None:
    """A kept promise earns the number with a 1 written before it: 10 for 0, 13 for 3, 110 for 10. A broken one is a plump: nothing."""
    for seat in range(s.players):
        s.points[seat] = 0
        if s.taken[seat] == s.bid[seat]:
            s.points[seat] = MOST_POINTS if s.bid[seat] == MOST_TICKS else 10 + s.bid[seat]
        s.score[seat] += s.points[seat]
    s.round += 1
    s.dealer = next_seat(s, s.dealer)
    s.phase = DEAL if s.round < rounds(s) else OVER


PLUMP = Game(
    "plump",
    players=range(2, MOST_PLAYERS + 1),
    state=Plump,
    choices=(Choice("bid", amount(0, MOST_TICKS)), Choice("play", CARD)),
    start=start,
    lots=tricks.draw_dealer,
    deal=deal,
    legal=legal,
    apply=apply,
    sheet=Sheet(row="hand_size", cells=("points",)),
)
