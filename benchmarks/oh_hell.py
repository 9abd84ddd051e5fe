"""Oh Hell as OpenSpiel has it, in the size where every card is dealt: promise how many tricks you will take, then take exactly that many.

Three players, 28 cards (four suits from the two to the eight, eight high), nine tricks. The last card is turned up: its suit is trump.
It is written as docs/adding-a-game.md says, so that our bots can sit at a table with OpenSpiel's (see ``oh_hell_match.py``).
"""

from kortlek.cards import FRENCH, NOTHING, PACK, RANKS_OF_A_SUIT, Card, Cards, say, set_of, suit_of
from kortlek.rules import tricks
from kortlek.rules.game import DEAL, EVERYONE, LOTS, OVER, Game, Names, Pack, Picture, Sheet, by_name, choice, gather_seats, highest_scores
from kortlek.rules.game import next_seat, per_seat, place, state
from kortlek.rules.told import tricks as told

BID, PLAY = 0, 1
PLAYERS, SUITS, RANKS, TRICKS = 3, 4, 7, 9
KINDS = SUITS * RANKS
BONUS = 10
ASIDE = set_of(card for card in range(PACK) if card % RANKS_OF_A_SUIT >= RANKS)
"""The cards of the 52 that are not played with."""


@state
class OhHell(tricks.Tricks):
    """A round of Oh Hell."""

    aside: Cards = place(EVERYONE)
    turned: Cards = place(EVERYONE)
    bid: list[int] = per_seat(NOTHING)
    points: list[int] = per_seat(NOTHING, told=lambda points: f"scores {points}")


def start(s: OhHell) -> None:
    """The dealer is drawn by lot."""
    s.phase = LOTS


def gather(s: OhHell, pack: list[Card]) -> int:
    """The lowest seven cards of each suit are shuffled."""
    if s.phase == LOTS:
        return gather_seats(s, pack)
    for at in range(KINDS):
        pack[at] = at // RANKS * RANKS_OF_A_SUIT + at % RANKS
    return KINDS


def deal(s: OhHell, pack: list[Card]) -> None:
    """Nine cards each, one at a time from the first seat, whoever deals. The last card is turned up, out of play: its suit is trump.
    The player after the dealer bids first."""
    s.phase = DEAL if s.phase == LOTS else BID
    if s.phase == DEAL:
        s.dealer = pack[0]
        return
    s.cards = TRICKS
    tricks.deal(s, pack, 0, KINDS)
    s.aside = ASIDE
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
    if tricks.play(s, card):
        tricks.take_trick(s)
        if tricks.all_played(s):
            score(s)


def score(s: OhHell) -> None:
    """Every trick is a point, whether it was promised or not; a kept promise earns ten more. There is one round."""
    for seat in range(s.players):
        s.points[seat] = s.taken[seat] + (BONUS if s.taken[seat] == s.bid[seat] else 0)
        s.score[seat] += s.points[seat]
    s.round += 1
    s.phase = OVER


def why_not(s: OhHell, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    return told.why_not(s, choice, FRENCH) if s.phase == PLAY else told.why_not_bid(s, choice, "bid", "trick")


def picture(s: OhHell, names: Names) -> list[str]:
    """The dealer, the trump, the bids, the tricks taken, and what lies on the table."""
    lines = [f"Dealer: {names[s.dealer]}, trump: {say(s.turned)}", f"Bids: {told.all_bids(s, names, s.bid)}"]
    return lines if s.phase == BID else [*lines, f"Taken: {by_name(names, s.taken)}", f"On the table: {told.on_the_table(s, names, FRENCH)}"]


OH_HELL = Game(
    name="oh_hell",
    title="Oh Hell",
    version=1,
    players=range(PLAYERS, PLAYERS + 1),
    pack=Pack(FRENCH),
    state=OhHell,
    choices=(
        choice("bid", "bids", "How many tricks will you take?", range(TRICKS + 1)),
        choice("play", "plays", "Which card do you play?", FRENCH),
    ),
    start=start,
    gather=gather,
    deal=deal,
    legal=legal,
    apply=apply,
    winners=highest_scores,
    why_not=why_not,
    sheet=Sheet("Tricks", lambda s: str(s.cards), lambda s, seat: str(s.points[seat])),
    swing=20,
    picture=Picture(picture, told.last_trick(FRENCH)),
)
