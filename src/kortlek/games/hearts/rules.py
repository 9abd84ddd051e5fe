"""Hearts: take no hearts and not the queen of spades, or take all of them.

Four players, 52 cards, ace high, no trump.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, bit, card, cards_of, only, size, upto
from kortlek.game import CARD, DEAL, LAST_SEAT, OVER, OWNER, Choice, Game, Part, Sheet, all_have_chosen, card_set, cards, choice_option
from kortlek.game import choose_together, count, fewest_points, flag, flag_option, int_option, known_to, next_seat, seat, state
from kortlek.games import tricks

PASS, PLAY, MOON = 0, 1, 2
PASSED = 3
CLUBS, HEARTS, ANYTHING = cards_of(0), cards_of(2), upto(PACK - 1)
TWO_OF_CLUBS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES = card("C2"), card("DJ"), card("SQ")
POINTS = HEARTS | bit(QUEEN_OF_SPADES)
QUEEN_COUNTS, JACK_COUNTS, NO_TRICKS_COUNT, ALL_POINTS = 13, -10, -5, 26
HOLD, LEFT, ACROSS, RIGHT = 0, 1, 2, 3
"""How many seats further the cards go that are passed."""
DIRECTIONS = (LEFT, RIGHT, ACROSS, HOLD)
WITH_HOLD, WITHOUT_HOLD, ALWAYS_LEFT, NEVER = range(4)
BY_A_HEART, BY_A_HEART_OR_THE_QUEEN, NOT_NEEDED = range(3)
OTHERS_ADD, SHOOTER_SUBTRACTS, SHOOTER_CHOOSES = range(3)
ADD, SUBTRACT = 0, 1
NOTHING_YET = -99


@state(seats=4)
class Hearts(tricks.Tricks):
    """A match of Hearts."""

    target: int = int_option(100, range(10, 1001))
    pass_order: int = choice_option("left_right_across_hold", "left_right_across", "left", "never")
    lead_any_club: int = flag_option()
    points_in_first_trick: int = flag_option()
    breaking: int = choice_option("by_a_heart", "by_a_heart_or_the_queen", "not_needed")
    hearts_instead_of_queen: int = flag_option()
    moon_counts: int = choice_option("others_add", "shooter_subtracts", "shooter_chooses")
    jack_of_diamonds: int = flag_option()
    no_tricks_bonus: int = flag_option()
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER, known_absent="known_absent", known_present="known_present")
    known_present: list[Cards] = card_set(per_seat=True)
    """The two of clubs, with the player who is about to lead it."""
    away: int = count(HOLD, RIGHT)
    """How many seats further the cards go that are passed in this round."""
    passing: list[Cards] = card_set(per_seat=True, seen_by=OWNER)
    """What each player is about to pass. It stays in her hand until everyone has chosen."""
    passed_to: list[list[Cards]] = known_to("hand")
    """What each player remembers to have passed, as long as it has not been played."""
    penalty: list[int] = count(0, ALL_POINTS, per_seat=True, event=True)
    """The points that each player has taken in this round."""
    broken: int = flag(event=True)
    jack: int = seat(start=NOTHING)
    """Who has taken the jack of diamonds."""
    moon: int = seat(start=NOTHING, event=True)
    """Who has shot the moon."""
    points: list[int] = count(JACK_COUNTS - ALL_POINTS, ALL_POINTS, start=NOTHING_YET, per_seat=True, event=True)


def start(s: Hearts) -> None:
    """The last seat deals the first round, then the next player clockwise."""
    tricks.start(s, LAST_SEAT)


def deal(s: Hearts, pack: list[Card]) -> None:
    """Everyone gets thirteen cards, one at a time from the dealer's left. Then three of them are passed, unless this is a round to hold."""
    s.hand_size = PACK // s.players
    tricks.deal(s, pack, next_seat(s, s.dealer), PACK)
    s.broken = int(s.breaking == NOT_NEEDED)
    s.away = direction(s)
    if s.away == HOLD:
        begin(s)
    else:
        choose_together(s, PASS)


def direction(s: Hearts) -> int:
    """To the left, in the next round to the right, then across, then everyone holds her cards; and so on. As options nobody ever
    holds, or all pass to the left always, or never."""
    if s.pass_order == NEVER or s.pass_order == ALWAYS_LEFT:
        return HOLD if s.pass_order == NEVER else LEFT
    return DIRECTIONS[s.round % 4 if s.pass_order == WITH_HOLD else s.round % 3]


def further(s: Hearts, seat: int, seats: int) -> int:
    """The player so many seats further clockwise."""
    return seat + seats if seat + seats < s.players else seat + seats - s.players


def pass_card(s: Hearts, card: Card) -> None:
    """Everyone lays three cards aside, face down. When all have, they change hands, and everyone remembers what she gave: nobody sees
    what she gets before she has passed."""
    s.passing[s.turn] |= bit(card)
    if size(s.passing[s.turn]) == PASSED and all_have_chosen(s):
        for seat in range(s.players):
            s.hand[seat] &= ~s.passing[seat]
        for seat in range(s.players):
            to = further(s, seat, s.away)
            s.hand[to] |= s.passing[seat]
            s.passed_to[seat][to] = s.passing[seat]
            s.passing[seat] = 0
        begin(s)


def begin(s: Hearts) -> None:
    """Who has the two of clubs leads to the first trick."""
    s.phase = PLAY
    for seat in range(s.players):
        if s.hand[seat] & bit(TWO_OF_CLUBS):
            s.known_present[seat] = bit(TWO_OF_CLUBS)
            tricks.lead(s, seat)


def legal(s: Hearts) -> Cards:
    """Pass any three cards, then play; who has shot the moon may have to say what it counts."""
    if s.phase == PLAY:
        return legal_cards(s)
    return s.hand[s.turn] & ~s.passing[s.turn] if s.phase == PASS else bit(ADD) | bit(SUBTRACT)


def legal_cards(s: Hearts) -> Cards:
    """The two of clubs leads to the first trick; as an option any club of the player who has it. Follow suit if you can. Keep back what
    is kept back now unless you have nothing else; as an option also if you have nothing else but the queen of spades."""
    hand = s.hand[s.turn]
    if s.gone == 0 and s.led == NOTHING:
        return hand & CLUBS if s.lead_any_club else bit(TWO_OF_CLUBS)
    if s.hearts_instead_of_queen and s.led == NOTHING and hand & ~HEARTS == bit(QUEEN_OF_SPADES):
        return hand
    return only(tricks.follow_suit(s), ~kept_back(s))


def kept_back(s: Hearts) -> Cards:
    """No points in the first trick, but as an option. Hearts are not led before they are broken."""
    if s.gone == 0:
        return 0 if s.points_in_first_trick else POINTS
    return HEARTS if s.led == NOTHING and not s.broken else 0


def apply(s: Hearts, choice: int) -> None:
    """Play, pass, or say what the moon counts."""
    if s.phase == PLAY:
        play(s, choice)
    elif s.phase == PASS:
        pass_card(s, choice)
    else:
        score(s, choice == SUBTRACT)


def play(s: Hearts, card: Card) -> None:
    """A heart that is played breaks hearts; as an option the queen of spades does, too. The highest card of the suit led takes the
    trick: every heart in it is a point, the queen of spades is thirteen."""
    learn(s, card)
    if not s.broken and (HEARTS & bit(card) or (card == QUEEN_OF_SPADES and s.breaking == BY_A_HEART_OR_THE_QUEEN)):
        s.broken = 1
    if tricks.play(s, card):
        s.penalty[s.winning] += size(s.trick & HEARTS) + QUEEN_COUNTS * (s.trick >> QUEEN_OF_SPADES & 1)
        if s.trick & bit(JACK_OF_DIAMONDS):
            s.jack = s.winning
        tricks.take_trick(s)
        if tricks.all_played(s):
            end_round(s)


def learn(s: Hearts, card: Card) -> None:
    """Who plays what is kept back has nothing else. A card that is played is no longer known to be in a hand."""
    if kept_back(s) & bit(card):
        s.known_absent[s.turn] |= ANYTHING & ~POINTS if s.gone == 0 or s.hearts_instead_of_queen else ANYTHING & ~HEARTS
    s.known_present[s.turn] &= ~bit(card)
    s.passed_to[further(s, s.turn, s.players - s.away)][s.turn] &= ~bit(card)


def end_round(s: Hearts) -> None:
    """Who has taken all 26 points has shot the moon."""
    for seat in range(s.players):
        if s.penalty[seat] == ALL_POINTS:
            s.moon = seat
    if s.moon != NOTHING and s.moon_counts == SHOOTER_CHOOSES:
        s.phase = MOON
        s.turn = s.moon
    else:
        score(s, s.moon_counts == SHOOTER_SUBTRACTS)


def score(s: Hearts, subtract: bool) -> None:
    """Everyone adds the points she has taken. But if the moon is shot, the others add 26 and the shooter nothing; as an option she
    subtracts 26 and the others add nothing, or she chooses. As options the jack of diamonds counts ten less for who has taken it,
    and a player without a trick has five less, if nobody has shot the moon. The match ends when somebody has a hundred; the fewest points win."""
    highest = 0
    for seat in range(s.players):
        points = s.penalty[seat]
        if s.moon == seat:
            points = -ALL_POINTS if subtract else 0
        elif s.moon != NOTHING:
            points = 0 if subtract else ALL_POINTS
        elif s.no_tricks_bonus and s.taken[seat] == 0:
            points = NO_TRICKS_COUNT
        if s.jack_of_diamonds and s.jack == seat:
            points += JACK_COUNTS
        s.points[seat] = points
        s.score[seat] += points
        highest = max(highest, s.score[seat])
    s.round += 1
    s.dealer = next_seat(s, s.dealer)
    s.phase = OVER if highest >= s.target else DEAL


HEARTS_GAME = Game(
    "hearts",
    players=range(4, 5),
    state=Hearts,
    choices=(Choice("pass", CARD, seen_by=OWNER, together=True), Choice("play", CARD), Choice("moon", Part("add"), Part("subtract"))),
    start=start,
    deal=deal,
    legal=legal,
    apply=apply,
    payoff=fewest_points,
    sheet=Sheet(cells=("points",)),
)
