"""Spades: promise with your partner how many tricks you will take, and take them, but not many more.

Four players, two against two across the table, 52 cards, ace high. Spades are trumps.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, bit, cards_of, only, suit_of, upto
from kortlek.game import CARD, DEAL, LAST_SEAT, MATCH, OVER, Choice, Game, Part, Sheet, amount, choice_option, count, flag, flag_option
from kortlek.game import int_option, next_seat, partners_across, seat_option, state
from kortlek.games import tricks

BLIND, BID, PLAY = 0, 1, 2
SPADES = 3
TRICKS = 13
NIL = 0
ANYTHING = upto(PACK - 1)
LOOK, BLIND_NIL = 0, 1
BEHIND = 100
"""By how many points a team has to be behind to bid without looking."""
BY_A_SPADE, NOT_NEEDED = 0, 1
MAKES_BAGS, HELPS_PARTNER = 0, 1
NOTHING_YET = -9999


@state(seats=4)
class Spades(tricks.Tricks):
    """A match of Spades."""

    target: int = int_option(500, range(50, 1001))
    losing_score: int = int_option(-200, range(-1000, -49))
    nil_points: int = int_option(100, range(0, 201))
    failed_nil: int = choice_option("makes_bags", "helps_partner")
    blind_nil: int = flag_option()
    bags_for_penalty: int = int_option(10, range(3, 21))
    bag_penalty: int = int_option(100, range(0, 201))
    least_together: int = int_option(0, range(0, 8))
    breaking: int = choice_option("by_a_spade", "not_needed")
    first_dealer: int = seat_option(LAST_SEAT)
    blind: list[int] = flag(per_seat=True, reset=MATCH)
    """Who has bid nil before she looked at her cards."""
    bid: list[int] = count(NIL, TRICKS, start=NOTHING, per_seat=True)
    broken: int = flag(event=True)
    bags: list[int] = count(0, 20, per_seat=True, reset=MATCH)
    """The tricks that a team has taken too many, since its last penalty; both partners have the same."""
    points: list[int] = count(-5000, 5000, start=NOTHING_YET, per_seat=True, event=True)


def start(s: Spades) -> None:
    """The last seat deals the first round, or whoever the option names; then the next player clockwise."""
    tricks.start(s, s.first_dealer)


def partner(s: Spades, seat: int) -> int:
    """The player across the table."""
    return seat + 2 if seat < 2 else seat - 2


def deal(s: Spades, pack: list[Card]) -> None:
    """Everyone gets thirteen cards, one at a time from the dealer's left, who bids first. Spades are trumps."""
    s.phase = BID
    s.hand_size = TRICKS
    s.trump = SPADES
    s.broken = int(s.breaking == NOT_NEEDED)
    s.turn = next_seat(s, s.dealer)
    tricks.deal(s, pack, s.turn, PACK)


def legal(s: Spades) -> Cards:
    """First everyone bids once, then the tricks are played. As an option a team that is far behind may bid nil before the deal."""
    if s.phase == PLAY:
        return legal_cards(s)
    return legal_bids(s) if s.phase == BID else bit(LOOK) | bit(BLIND_NIL)


def legal_bids(s: Spades) -> Cards:
    """Any number of tricks; none at all is called nil. Partners together bid no more than thirteen; as an option they bid at least so
    many, unless one of them bids nil. Who has bid nil without looking stays with it."""
    other = s.bid[partner(s, s.turn)]
    if s.blind[s.turn]:
        return bit(NIL)
    if other in (NOTHING, NIL):
        return upto(TRICKS)
    return bit(NIL) | upto(TRICKS - other) & ~(bit(max(0, s.least_together - other)) - 1)


def legal_cards(s: Spades) -> Cards:
    """Spades are not led before they are broken, unless you have nothing else. Follow suit if you can."""
    if s.led == NOTHING and not s.broken:
        return only(s.hand[s.turn], ~cards_of(SPADES))
    return tricks.follow_suit(s)


def apply(s: Spades, choice: int) -> None:
    """Play or bid."""
    if s.phase == PLAY:
        play(s, choice)
    elif s.phase == BID:
        bid(s, choice)
    else:
        bid_blind(s, choice == BLIND_NIL)


def bid(s: Spades, promised: int) -> None:
    """Bids are public. After the last one, the player at the dealer's left leads."""
    s.bid[s.turn] = promised
    s.turn = next_seat(s, s.turn)
    if s.bid[s.turn] != NOTHING:
        s.phase = PLAY
        tricks.lead(s, s.turn)


def play(s: Spades, card: Card) -> None:
    """A spade that is played breaks spades; who leads the first one has nothing else. The highest spade takes the trick, or without any
    the highest card of the suit led."""
    if not s.broken and suit_of(card) == SPADES:
        s.broken = 1
        s.known_absent[s.turn] |= ANYTHING & ~cards_of(SPADES) if s.led == NOTHING else 0
    if tricks.play_round(s, card):
        score(s)


def score(s: Spades) -> None:
    """Both partners have the score of their team. The match ends when a team has five hundred points, or has lost two hundred; if both
    have the same, another round is played."""
    for seat in range(2):
        score_team(s, seat, partner(s, seat))
    for seat in range(s.players):
        s.score[seat] += s.points[seat]
        s.blind[seat] = 0
    s.round += 1
    s.dealer = next_seat(s, s.dealer)
    high, low = max(s.score[0], s.score[1]), min(s.score[0], s.score[1])
    s.phase = OVER if (high >= s.target or low <= s.losing_score) and high > low else DEAL
    if s.phase == DEAL and s.blind_nil and high - low >= BEHIND:
        s.phase = BLIND
        s.turn = first_asked(s)


def score_team(s: Spades, one: int, other: int) -> None:
    """Ten points for every trick of the partners' bids if they have taken as many together, otherwise ten less for each. A trick too
    many is a bag: a point, but ten bags cost a hundred. The tricks of a failed nil are all bags; as an option they help the partner."""
    promised = s.bid[one] + s.bid[other]
    useful = useful_tricks(s, one) + useful_tricks(s, other)
    bags = s.taken[one] + s.taken[other] - min(useful, promised)
    points = (10 * promised if useful >= promised else -10 * promised) + bags + nil(s, one) + nil(s, other)
    bags += s.bags[one]
    while bags >= s.bags_for_penalty:
        bags -= s.bags_for_penalty
        points -= s.bag_penalty
    s.bags[one] = bags
    s.bags[other] = bags
    s.points[one] = points
    s.points[other] = points


def useful_tricks(s: Spades, seat: int) -> int:
    """The tricks of a player that count for the bids of her team."""
    return 0 if s.bid[seat] == NIL and s.failed_nil == MAKES_BAGS else s.taken[seat]


def nil(s: Spades, seat: int) -> int:
    """A nil without a trick earns a hundred, a failed one costs as much. Without looking it is twice that."""
    if s.bid[seat] != NIL:
        return 0
    worth = 2 * s.nil_points if s.blind[seat] else s.nil_points
    return worth if s.taken[seat] == 0 else -worth


def first_asked(s: Spades) -> int:
    """Of the team that is behind, the player who will bid first."""
    seat = next_seat(s, s.dealer)
    return seat if s.score[seat] < s.score[partner(s, next_seat(s, seat))] else next_seat(s, seat)


def bid_blind(s: Spades, is_nil: bool) -> None:
    """As an option both partners of a team that is a hundred points behind are asked before the deal whether they bid nil unseen."""
    s.blind[s.turn] = int(is_nil)
    if s.turn == first_asked(s):
        s.turn = partner(s, s.turn)
    else:
        s.phase = DEAL


SPADES_GAME = Game(
    "spades",
    players=range(4, 5),
    state=Spades,
    choices=(Choice("blind", Part("look"), Part("blind_nil")), Choice("bid", amount(NIL, TRICKS)), Choice("play", CARD)),
    start=start,
    lots=tricks.draw_dealer,
    deal=deal,
    legal=legal,
    apply=apply,
    teams=partners_across,
    sheet=Sheet(cells=("points",)),
)
