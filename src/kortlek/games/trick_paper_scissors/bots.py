"""How the house plays TrickPaperScissors.

It estimates the value of each legal card in points, and plays the best: what the trick brings if the card wins it (the stars of the lowest card,
times the value of the suit, and a little for leading next), less what it costs if a rival wins it, less what the card could still do later. The
probability that a card wins follows from the higher cards not seen yet, from who is still to play, and from who is known to be void in a suit and
may trump.

So it takes tricks that are worth taking, as the last player with the cheapest card that wins. A suit with the value -1 it leaves to others. When
void in the suit led it trumps rather than let a rival score, and throws a low card where it cannot win. It leads the highest or the lowest card of
a suit: a card that nobody can beat before one that loses, and no suit that a rival is waiting to trump if there is another.

After a trump it moves the value of the suit to where its margin over the rivals is largest, a mix of the margins over the best rival and over
their mean, and counts unbeatable cards of the suit as points to come. After the last trick only the best rival matters.
"""

from kortlek.bots.knobs import Knobs
from kortlek.bots.policy import Policy
from kortlek.cards import NOTHING, Card, Cards, Suit, bit, cards_of, highest, lowest, members, rank_of, size, suit_of, upto
from kortlek.engine.rng import Rng
from kortlek.game import Message, next_seat
from kortlek.games.trick_paper_scissors.rules import KINDS, PLAY, SUITS, VALUES, TrickPaperScissors, legal_values, trumps
from kortlek.games.tricks import beats, follow_suit

LEAD = 0.26
"""The value of leading the next trick, in points."""
LOSS = 0.29
"""The cost of a rival's point, relative to a point of one's own."""
RUFF = 0.61
"""The probability that a player without the suit led trumps."""
MOVED = 0.26
MOVED_FOR_EACH = 1.7
"""The cost when a rival wins with a trump: constant, and for each of one's own points in the trump suit."""
RANK = 0.047
RANK_VALUED = 0.013
BOSS = 0.195
"""The cost of playing a card: for each rank, for each rank times the value of its suit, and times the value for the highest card not yet gone."""
PROMISE = 0.59
"""The expected points from each unbeatable card of the trump suit."""
FIELD = 0.62
"""The weight of the margin over the rivals' mean; the rest is the weight of the margin over the best rival."""
SHARED = 0.01
"""A tie-break after the last card, when only the best rival matters: the cost for each rival with the best score."""

OUT = [max(0.0, 1 - left / (players - 0.65)) ** cards for players in (3, 4) for left in range(4) for cards in range(14)]
"""The probability that the players left to play hold none of some unseen cards, by players at the table (three or four), players left, and cards."""


def out(s: TrickPaperScissors, left: int, cards: Cards) -> float:
    """The probability that ``left`` players hold none of these unseen cards."""
    return OUT[((s.players - 3) * 4 + left) * 14 + size(cards)]


def unseen_by(s: TrickPaperScissors) -> Cards:
    """The cards that the player in turn does not see."""
    return upto(KINDS - 1) & ~(s.gone | s.trick | s.discard | s.hand[s.turn])


def points(s: TrickPaperScissors, seat: int, suit: Suit) -> int:
    """The points of a player in a suit."""
    return s.rock[seat] if suit == 0 else s.paper[seat] if suit == 1 else s.scissors[seat]


def standing(s: TrickPaperScissors, seat: int) -> int:
    """The score of a player if the deal ended now."""
    return s.score[seat] + s.rock[seat] * s.value[0] + s.paper[seat] * s.value[1] + s.scissors[seat] * s.value[2]


def margin(s: TrickPaperScissors, change: int) -> float:
    """The margin of the player in turn over the rivals after a change of the trump suit's value."""
    best, equals, total = -9999, 0, 0
    for seat in range(s.players):
        if seat != s.turn:
            theirs = standing(s, seat) + change * points(s, seat, s.trump)
            total += theirs
            equals = 1 if theirs > best else equals + (theirs == best)
            best = max(best, theirs)
    own = standing(s, s.turn) + change * points(s, s.turn, s.trump)
    if s.hand[s.turn] == 0:
        return own - best - SHARED * equals
    return own - (1 - FIELD) * best - FIELD * total / (s.players - 1)


def promise(s: TrickPaperScissors) -> float:
    """The expected further points from the player's own cards of the trump suit."""
    unseen = unseen_by(s) & cards_of(s.trump)
    mine = s.hand[s.turn] & cards_of(s.trump)
    return PROMISE * size(mine >> highest(unseen) if unseen else mine)


def best_value(s: TrickPaperScissors) -> tuple[int, float]:
    """The best value for the trump suit, and what it gains."""
    best, most, ahead = 0, -9999.0, promise(s)
    choices = legal_values(s)
    for choice in range(len(VALUES)):
        if choices & bit(choice):
            change = VALUES[choice] - s.value[s.trump]
            worth = margin(s, change) + change * ahead
            if worth > most:
                best, most = choice, worth
    return best, most - margin(s, 0)


def outlook(s: TrickPaperScissors, led: Suit, unseen: Cards) -> tuple[int, float]:
    """The number of players still to play who may follow suit, and the probability that nobody still to play trumps."""
    suit, trump = unseen & cards_of(led), unseen & cards_of(trumps(led))
    followers, safe, may = 0, 1.0, 1 - RUFF * out(s, 1, suit)
    seat = next_seat(s, s.turn)
    for _ in range(s.players - 1):
        if s.led != NOTHING and seat == s.leader:
            break
        follows = suit & ~s.known_absent[seat] != 0
        followers += 1 if follows else 0
        if trump & ~s.known_absent[seat]:
            safe *= may if follows else 1 - RUFF
        seat = next_seat(s, seat)
    return followers, safe


def worth(s: TrickPaperScissors, card: Card, led: Suit, unseen: Cards, followers: int, safe: float, gain: float) -> float:
    """The value of a card in points, in a trick of this suit: what the trick brings or costs, less what the card would be worth later."""
    suit, value, trump = suit_of(card), s.value[led], trumps(led)
    higher = (unseen & cards_of(suit)) >> card
    leads = s.led == NOTHING
    wins = 0.0
    if leads or beats(s, card):
        wins = safe * out(s, followers, higher) if suit == led else 1 - (1 - safe) * (1 - out(s, 3, higher))
    low = lowest((s.trick | bit(card)) & cards_of(led))
    stars = 1.0 * s.stars[rank_of(low)]
    lower = unseen & cards_of(led) & (bit(low) - 1)
    if followers and lower:
        stays = out(s, followers, lower)
        stars = stays * stars + (1 - stays) * s.stars[rank_of(lowest(lower))]
    moved = MOVED + MOVED_FOR_EACH * points(s, s.turn, trump)
    scored = 0.0 if not leads and suit_of(s.best) != led else safe
    lost = scored * LOSS * stars * value + (1 - scored) * moved
    won = LEAD + (stars * value if suit == led else gain)
    parting = (RANK + RANK_VALUED * s.value[suit]) * rank_of(card) + (0.0 if higher else BOSS * s.value[suit])
    return wins * won - (1 - wins) * lost - parting


def choose_lead(s: TrickPaperScissors) -> Card:
    """The best lead: the highest or the lowest card of a suit."""
    unseen = unseen_by(s)
    chosen, most = NOTHING, -9999.0
    for suit in range(len(SUITS)):
        mine = s.hand[s.turn] & cards_of(suit)
        if mine:
            followers, safe = outlook(s, suit, unseen)
            low, high = lowest(mine), highest(mine)
            at_low = worth(s, low, suit, unseen, followers, safe, 0.0)
            at_high = worth(s, high, suit, unseen, followers, safe, 0.0)
            better = max(at_low, at_high)
            if better > most:
                chosen, most = low if at_low >= at_high else high, better
    return chosen


def choose_card(s: TrickPaperScissors) -> Card:
    """The best card when following."""
    cards = follow_suit(s)
    if cards & (cards - 1) == 0:
        return lowest(cards)
    unseen = unseen_by(s)
    followers, safe = outlook(s, s.led, unseen)
    gain = best_value(s)[1] if cards & cards_of(s.trump) else 0.0
    chosen, most = NOTHING, -9999.0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        here = worth(s, card, s.led, unseen, followers, safe, gain)
        if here > most:
            chosen, most = card, here
    return chosen


def choose(s: TrickPaperScissors, rng: Rng) -> int:
    """The best card or the best value; deterministic."""
    if s.phase != PLAY:
        return best_value(s)[0]
    return choose_lead(s) if s.led == NOTHING else choose_card(s)


def reason_for_value(s: TrickPaperScissors, value: int) -> Message:
    """The reason for a value of the trump suit."""
    mine = points(s, s.turn, s.trump)
    theirs = max(points(s, seat, s.trump) for seat in range(s.players) if seat != s.turn)
    change = value - s.value[s.trump]
    wish = "reason-counts-more" if change > 0 else "reason-counts-less" if change < 0 else "reason-stays"
    return Message(wish, {"mine": mine, "suit": s.trump, "theirs": theirs})


def reason_for_lead(s: TrickPaperScissors, card: Card) -> Message:
    """The reason for a lead."""
    suit = suit_of(card)
    if s.value[suit] < 0:
        return Message("reason-others-may-win", {"suit": suit, "value": s.value[suit]})
    if not (unseen_by(s) & cards_of(suit)) >> card:
        return Message("reason-only-trump", {"card": card})
    is_low = card == lowest(s.hand[s.turn] & cards_of(suit))
    return Message("reason-low-lead" if is_low else "reason-high-lead", {"suit": suit})


def reason(s: TrickPaperScissors, choice: int) -> Message:
    """The reason for a choice, from what the player in turn sees."""
    if s.phase != PLAY:
        return reason_for_value(s, VALUES[choice])
    cards = follow_suit(s)
    if cards == bit(choice):
        return Message("reason-only-card")
    if s.led == NOTHING:
        return reason_for_lead(s, choice)
    is_last = next_seat(s, s.turn) == s.leader
    if not beats(s, choice):
        if s.value[s.led] < 0 and suit_of(s.best) == s.led:
            return Message("reason-for-others", {"suit": s.led, "value": s.value[s.led]})
        can = any(beats(s, card) for card in members(cards))
        return Message("reason-not-worth") if can else Message("reason-missed-least", {"card": choice})
    if suit_of(choice) != s.led:
        return Message("reason-trump-wins", {"suit": s.trump})
    if not is_last:
        return Message("reason-may-hold", {"card": choice})
    cheapest = not any(beats(s, card) for card in members(cards & (bit(choice) - 1)))
    return Message("reason-last-cheapest" if cheapest else "reason-last-wins")


HOUSE = Policy("house", 2, choose, reason)

KNOBS = Knobs((HOUSE,))
