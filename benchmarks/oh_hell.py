"""Oh Hell as in OpenSpiel, in the size where every card is dealt: promise how many tricks you will take, then take exactly that many.

Three players, 28 cards (four suits from the two to the eight, eight high), nine tricks. The last card is turned up: its suit is trump. It is
written as docs/reference.md describes, so that our bots can play against OpenSpiel's (see ``oh_hell_match.py``).
"""

from kortlek.cards import FRENCH, NOTHING, RANKS_OF_A_SUIT, Card, Cards, set_of, suit_of
from kortlek.game import CARD, LOTS, OVER, Choice, Game, Pack, Sheet, amount, cards, count, next_seat, state
from kortlek.games import tricks

BID, PLAY = 0, 1
PLAYERS, SUITS, RANKS, TRICKS = 3, 4, 7, 9
KINDS = SUITS * RANKS
BONUS = 10
COPIES = tuple(int(card % RANKS_OF_A_SUIT < RANKS) for card in range(len(FRENCH)))
"""The pack has only the lowest cards of each suit of the 52."""
PLAYED = set_of(card for card, copies in enumerate(COPIES) if copies)


@state
class OhHell(tricks.Tricks):
    """A round of Oh Hell."""

    turned: Cards = cards()
    bid: list[int] = count(0, TRICKS, start=NOTHING, per_seat=True)
    points: list[int] = count(0, TRICKS + BONUS, start=NOTHING, per_seat=True, event=True)


def start(s: OhHell) -> None:
    """The dealer is drawn by lot."""
    s.phase = LOTS


def deal(s: OhHell, pack: list[Card]) -> None:
    """Nine cards each, one at a time from the first seat, whoever deals. The last card is turned up, out of play: its suit is trump.
    The player after the dealer bids first."""
    s.phase = BID
    s.hand_size = TRICKS
    tricks.deal(s, pack, 0, KINDS)
    s.turned = s.rest
    s.rest = 0
    s.trump = suit_of(pack[KINDS - 1])
    s.turn = next_seat(s, s.dealer)


def legal(s: OhHell) -> Cards:
    """First everyone bids a number of tricks; the dealer is last and may not make the bids add up to nine. Then they are played."""
    return tricks.legal_bids(s, s.bid, s.turn == s.dealer) if s.phase == BID else tricks.follow_suit(s)


def apply(s: OhHell, choice: int) -> None:
    """Bid or play."""
    if s.phase == BID:
        bid(s, choice)
    else:
        play(s, choice)


def bid(s: OhHell, promised: int) -> None:
    """Bids are public. When all have bid, the first bidder leads."""
    s.bid[s.turn] = promised
    s.turn = next_seat(s, s.turn)
    if s.turn == next_seat(s, s.dealer):
        s.phase = PLAY
        tricks.lead(s, s.turn)


def play(s: OhHell, card: Card) -> None:
    """The highest trump takes the trick, or without trumps the highest card of the suit led. The winner leads the next."""
    if tricks.play_round(s, card):
        score(s)


def score(s: OhHell) -> None:
    """Every trick is a point, whether it was promised or not; a kept promise earns ten more. There is one round."""
    for seat in range(s.players):
        s.points[seat] = s.taken[seat] + (BONUS if s.taken[seat] == s.bid[seat] else 0)
        s.score[seat] += s.points[seat]
    s.round += 1
    s.phase = OVER


OH_HELL = Game(
    "oh_hell",
    title="Oh Hell",
    players=range(PLAYERS, PLAYERS + 1),
    pack=Pack(FRENCH, COPIES),
    state=OhHell,
    choices=(Choice("bid", amount(0, TRICKS)), Choice("play", CARD)),
    start=start,
    lots=tricks.draw_dealer,
    deal=deal,
    legal=legal,
    apply=apply,
    sheet=Sheet(row="hand_size", cells=("points",)),
)
