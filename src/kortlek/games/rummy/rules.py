"""Rummy: lay your cards down in melds and be the first to discard the last one.

Two to six players, two packs with two red and two black jokers: 108 cards. The fewest points win.
"""

from kortlek.cards import NOTHING, Card, Cards, Multiset, Pile, bit, gain, height, lose, lowest, pop, push, size, suit_of, total, upto
from kortlek.game import CARD as A_CARD
from kortlek.game import DEAL, NOBODY, OVER, OWNER, SHUFFLE, Choice, Game, Pack, Part, Sheet, State, card, card_set, count, fewest_points, flag
from kortlek.game import flag_option, int_option, multiset, next_seat, one_of, one_of_piles, pile, rank_named, seat, state, suit_named
from kortlek.games import melds
from kortlek.games.melds import CARDS, HIGH, KINDS, OF_KIND, RANK_VALUE, SWAP

DRAW, TURN, KIND, CARD, ADD, MELD, WAY = range(7)
STOCK, DISCARD = 0, 1
LAY, ADD_ONE, DONE = len(CARDS), len(CARDS) + 1, len(CARDS)
HAND, MOST_MELDS, ALL_CARDS = 13, 36, 2 * len(CARDS)
POINTS = RANK_VALUE * 4 + [20, 20]
"""What a card in the hand counts in the end: a joker twenty."""


@state(seats=6)
class Rummy(State):
    """A session of Rummy."""

    threshold: int = int_option(40, range(136))
    threshold_suffices: int = flag_option()
    games: int = int_option(1, range(1, 1001))
    earliest_laying_round: int = int_option(1, range(1, 101))
    round_limit: int = int_option(200, range(1, 10001))
    first: int = seat()
    """Who starts this game. It follows from the round, but not for a learning program, which counts seats from its own."""
    lap: int = count(0, 10001)
    """Which round of this game it is: in a round everyone has a turn."""
    hand: list[Multiset] = multiset(2, per_seat=True, seen_by=OWNER, known_present="known_present")
    known_present: list[Multiset] = card_set(per_seat=True, length=2)
    """Cards that a player openly took, which are known to be in her hand until they leave it."""
    stock: Pile = pile(ALL_CARDS, seen_by=NOBODY, known_absent="stock_known_absent")
    stock_known_absent: Multiset = card_set(length=2)
    """The copies of cards that are not in the stock, once the discards have become the stock."""
    discards: Pile = pile(ALL_CARDS)
    melded: Multiset = multiset(2)
    laid: list[int] = flag(per_seat=True, event=True)
    laying: int = count(0, 10_000)
    """What the melds that were laid in this turn are worth."""
    taken: Card = card()
    """The card just taken from the discards, which may not be discarded in this turn."""
    chosen: Card = card()
    where: int = count(0, MOST_MELDS)
    melds: int = count(0, MOST_MELDS)
    meld_kind: list[int] = count(0, KINDS, length=MOST_MELDS)
    meld_natural: list[Cards] = count(0, 1 << 14, length=MOST_MELDS)
    meld_joker: list[Cards] = count(0, 1 << 14, length=MOST_MELDS)
    """The melds on the table, and after them the one that is just being laid."""
    points: list[int] = count(0, 10_000, start=NOTHING, per_seat=True, event=True)


def cards_to_shuffle(s: Rummy, pack: list[Card]) -> int:
    """All 108 cards; or, when the stock is empty, all discards but the top one."""
    cards = height(s.discards) - 1 if s.phase == SHUFFLE else ALL_CARDS
    for at in range(cards):
        pack[at] = s.discards[at + 1] if s.phase == SHUFFLE else at % len(CARDS)
    return cards


def deal(s: Rummy, pack: list[Card]) -> None:
    """Thirteen cards each, one at a time from the starting player: seat 0 in the first game of a session, then the next seat each game. The rest
    is the stock. No card is turned up."""
    s.first = s.turn = s.round % s.players
    for at in range(HAND * s.players):
        gain(s.hand[(s.first + at) % s.players], pack[at])
    fill_stock(s, pack, HAND * s.players, ALL_CARDS)


def recycle(s: Rummy, pack: list[Card]) -> None:
    """The discards but the top one, shuffled, are the new stock. Everyone knows which cards it has, nobody their order."""
    top, recycled = pop(s.discards), height(s.discards)
    s.stock_known_absent[0], s.stock_known_absent[1] = upto(len(CARDS) - 1), upto(len(CARDS) - 1)
    while height(s.discards) > 0:
        lose(s.stock_known_absent, pop(s.discards))
    push(s.discards, top)
    fill_stock(s, pack, 0, recycled)


def fill_stock(s: Rummy, pack: list[Card], first: int, end: int) -> None:
    """The first of these cards is drawn first."""
    for at in range(end - 1, first - 1, -1):
        push(s.stock, pack[at])
    begin_turn(s)


def begin_turn(s: Rummy) -> None:
    """Draw one card, lay melds and add single cards as you like, discard one card. Who has no card to draw cannot go on: the game is drawn."""
    s.lap += s.turn == s.first
    s.phase, s.taken, s.laying = DRAW, NOTHING, 0
    if legal_draws(s) == 0:
        end_game(s)


def legal(s: Rummy) -> Cards:
    """Each phase has its alternatives ..."""
    if s.phase == DRAW:
        return legal_draws(s)
    if s.phase == TURN:
        return legal_moves(s)
    if s.phase == KIND:
        return legal_kinds(s, 1)
    if s.phase == CARD:
        return legal_cards(s, s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds], 1)
    if s.phase == ADD:
        return addable(s)
    return legal_melds(s, s.chosen) if s.phase == MELD else legal_ways(s, s.where, s.chosen)


def apply(s: Rummy, choice: int) -> None:
    """... and its step."""
    if s.phase == DRAW:
        draw(s, choice)
    elif s.phase == TURN and choice < LAY:
        discard(s, choice)
    elif s.phase == TURN:
        s.phase = KIND if choice == LAY else ADD
    elif s.phase == KIND:
        s.meld_kind[s.melds], s.meld_natural[s.melds], s.meld_joker[s.melds], s.phase = choice, 0, 0, CARD
    elif s.phase == CARD and choice != DONE:
        add(s, s.melds, choice, HIGH)
    elif s.phase == CARD:
        lay(s)
    elif s.phase == ADD:
        s.chosen, s.phase = choice, MELD
        s.known_present[s.turn][0] |= bit(choice)
    elif s.phase == MELD:
        choose_meld(s, choice)
    else:
        add(s, s.where, s.chosen, choice)


def legal_draws(s: Rummy) -> Cards:
    """The top card of the stock; or the top discard, for a player who has laid melds in an earlier turn."""
    return (bit(STOCK) if height(s.stock) > 0 else 0) | (bit(DISCARD) if s.laid[s.turn] and height(s.discards) > 0 else 0)


def draw(s: Rummy, source: int) -> None:
    """The card just taken from the discards may not be discarded in the same turn."""
    card = pop(s.stock) if source == STOCK else pop(s.discards)
    gain(s.hand[s.turn], card)
    if source == DISCARD:
        gain(s.known_present[s.turn], card)
        s.taken = card
    s.phase = TURN


def legal_moves(s: Rummy) -> Cards:
    """Discard, lay or add. A first laying goes on until its melds are worth enough. Who has laid may add single cards to melds."""
    if s.laying > 0 and not s.laid[s.turn]:
        return bit(LAY)
    moves = discardable(s.hand[s.turn][0], s.hand[s.turn][1], s.taken)
    return moves | (bit(LAY) if legal_kinds(s, 0) else 0) | (bit(ADD_ONE) if s.laid[s.turn] and addable(s) else 0)


def discardable(one: Cards, two: Cards, taken: Card) -> Cards:
    """Any card but the one just taken from the discards; another copy of it, held before, may be discarded."""
    return one if taken == NOTHING else one & ~bit(taken) | two


# ---- laying melds


def needed(s: Rummy) -> int:
    """The first melds of a player must together be worth more than the threshold (or, as an option, exactly it)."""
    return s.threshold if s.threshold_suffices else s.threshold + 1


def legal_kinds(s: Rummy, every: int) -> Cards:
    """The kinds of meld that the hand can make (one of them is enough, unless ``every`` one is asked for): sets by rank, runs by suit.
    Melds may not be laid before the earliest round."""
    kinds = 0
    for kind in range(KINDS if s.lap >= s.earliest_laying_round else 0):
        if (every or kinds == 0) and melds.possible(kind, s.hand[s.turn][0], s.hand[s.turn][1]) and legal_cards(s, kind, 0, 0, 0):
            kinds |= bit(kind)
    return kinds


def legal_cards(s: Rummy, kind: int, natural: Cards, joker: Cards, every: int) -> Cards:
    """How to go on with a meld from the hand. For a player who has laid it may be worth anything."""
    need = 0 if s.laid[s.turn] else needed(s) - s.laying
    return ways_on(s.hand[s.turn][0], s.hand[s.turn][1], s.taken, need, 0, kind, natural, joker, every)


def ways_on(one: Cards, two: Cards, taken: Card, need: int, first: int, kind: int, natural: Cards, joker: Cards, every: int) -> Cards:
    """How to go on with a meld: the next card from the hand, or that it is finished. The melds must be worth what is needed, with others
    of any kind from ``first`` on, and a card must be left to discard. Unless ``every`` way is asked for, one is enough."""
    names = 0
    if melds.is_meld(natural, joker):
        left = need - melds.value(kind, natural | joker)
        names = bit(DONE) if left <= 0 and discardable(one, two, taken) else 0
        for other in range(first if 0 < left <= most_worth(one, two, first) else KINDS, KINDS):
            if names == 0 and melds.possible(other, one, two) and ways_on(one, two, taken, left, other, other, 0, 0, every - 1):
                names = bit(DONE)
    cards = melds.next_cards(kind, natural, joker) & one
    while cards and (every > 0 or names == 0):
        card = lowest(cards)
        cards &= cards - 1
        fewer, twice, barred = without(one, two, taken, card)
        more, jokers = melds.added(kind, natural, joker, card, HIGH)
        if ways_on(fewer, twice, barred, need, first, kind, more, jokers, every - 1):
            names |= bit(card)
    return names


def most_worth(one: Cards, two: Cards, first: int) -> int:
    """No melds are worth more than the cards of the kinds they may be of count in a hand, but for jokers: in a meld one counts at most as an ace."""
    useful = 0
    for kind in range(first, KINDS):
        useful |= OF_KIND[kind] if melds.possible(kind, one, two) else 0
    return points_in(one & useful, two) + (RANK_VALUE[-1] * (size(one & melds.JOKERS) + size(two & melds.JOKERS)) if one & useful else 0)


def without(one: Cards, two: Cards, taken: Card, card: Card) -> tuple[Cards, Cards, Card]:
    """A hand when a card has left it. With any copy of the card just taken, that one is used and no longer barred."""
    return one & ~bit(card) | two & bit(card), two & ~bit(card), NOTHING if card == taken else taken


def leave_hand(s: Rummy, card: Card) -> None:
    """A card leaves the hand openly."""
    s.hand[s.turn][0], s.hand[s.turn][1], s.taken = without(s.hand[s.turn][0], s.hand[s.turn][1], s.taken, card)
    lose(s.known_present[s.turn], card)


def lay(s: Rummy) -> None:
    """The meld lies on the table. When the first melds are worth enough, their player has laid."""
    s.laying += melds.value(s.meld_kind[s.melds], s.meld_natural[s.melds] | s.meld_joker[s.melds])
    s.laid[s.turn] |= s.laying >= needed(s)
    s.melds, s.phase = s.melds + 1, TURN


# ---- single cards


def addable(s: Rummy) -> Cards:
    """The cards that may go to some meld on the table, whoever laid it."""
    cards, hand, spare = 0, s.hand[s.turn][0], may_leave(s)
    for meld in range(s.melds):
        for way in range(3):
            cards |= melds.fitting(s.meld_kind[meld], s.meld_natural[meld], s.meld_joker[meld], way) & (hand if way == SWAP else spare)
    return cards


def may_leave(s: Rummy) -> Cards:
    """The cards of the hand that leave one to discard: of two, if one has just been taken from the discards, only that one."""
    hand = s.hand[s.turn]
    if total(hand) == 2 and s.taken != NOTHING:
        return bit(s.taken)
    return hand[0] if total(hand) > 1 else 0


def legal_melds(s: Rummy, card: Card) -> Cards:
    """The melds to which a card may go."""
    possible = 0
    for meld in range(s.melds):
        possible |= bit(meld) if legal_ways(s, meld, card) else 0
    return possible


def choose_meld(s: Rummy, meld: int) -> None:
    """If the card can go there in one way only, it does."""
    s.where, s.phase = meld, WAY
    if size(legal_ways(s, meld, s.chosen)) == 1:
        add(s, meld, s.chosen, lowest(legal_ways(s, meld, s.chosen)))


def legal_ways(s: Rummy, meld: int, card: Card) -> Cards:
    """How a card may go to a meld. Adding must leave a card to discard; a swap leaves at least the joker."""
    possible = melds.ways(s.meld_kind[meld], s.meld_natural[meld], s.meld_joker[meld], card)
    return possible if may_leave(s) & bit(card) else possible & bit(SWAP)


def add(s: Rummy, meld: int, card: Card, way: int) -> None:
    """A card is added to a meld; or it takes the place of a joker, which goes to the hand of the player who swapped it."""
    leave_hand(s, card)
    gain(s.melded, card)
    s.meld_natural[meld], s.meld_joker[meld] = melds.added(s.meld_kind[meld], s.meld_natural[meld], s.meld_joker[meld], card, way)
    if way == SWAP:
        lose(s.melded, melds.joker_of(suit_of(card)))
        gain(s.hand[s.turn], melds.joker_of(suit_of(card)))
        gain(s.known_present[s.turn], melds.joker_of(suit_of(card)))
    s.phase = TURN if meld < s.melds else CARD


# ---- the end of a turn, and of a game


def discard(s: Rummy, card: Card) -> None:
    """Every turn ends with a discard. Who discards the last card wins. When everyone has had a turn, the game is drawn if nobody can
    ever finish or the last round is over. An empty stock is made anew from the discards."""
    leave_hand(s, card)
    push(s.discards, card)
    goes_out, s.turn = s.hand[s.turn][0] == 0, next_seat(s, s.turn)
    lap_over = s.turn == s.first
    if goes_out or lap_over and (nobody_can_finish(s) or s.lap == s.round_limit):
        end_game(s)
    elif height(s.stock) == 0 and height(s.discards) > 1:
        s.phase = SHUFFLE
    else:
        begin_turn(s)


def nobody_can_finish(s: Rummy) -> bool:
    """Nobody has three cards, and every meld on the table is full."""
    hopes = 0
    for seat in range(s.players):
        hopes += total(s.hand[seat]) >= 3
    for meld in range(s.melds):
        hopes += not melds.is_full(s.meld_kind[meld], s.meld_natural[meld] | s.meld_joker[meld])
    return hopes == 0


def end_game(s: Rummy) -> None:
    """All hands are shown, and everyone adds the value of the cards in hers. Who has none has won."""
    for seat in range(s.players):
        s.known_present[seat][0], s.known_present[seat][1] = s.hand[seat][0], s.hand[seat][1]
        s.points[seat] = points_in(s.hand[seat][0], s.hand[seat][1])
        s.score[seat] += s.points[seat]
    s.round += 1
    s.phase = DEAL if s.round < s.games else OVER


def points_in(one: Cards, two: Cards) -> int:
    """The value of the cards in a hand: a joker twenty, an ace eleven."""
    points = 0
    while one:
        points += POINTS[lowest(one)] * (2 if two & one & -one else 1)
        one &= one - 1
    return points


def winners(s: Rummy) -> Cards:
    """The lowest total wins a session. A single game is won by going out; if it is drawn, by nobody."""
    fewest, best = s.score[0] + 1, 0
    for seat in range(s.players):
        best = bit(seat) | (best if s.score[seat] == fewest else 0) if s.score[seat] <= fewest else best
        fewest = min(fewest, s.score[seat])
    return 0 if s.games == 1 and fewest > 0 else best


# fmt: off
CHOICES = (
    Choice("draw", one_of("stock", "discard")), Choice("turn", Part("discard", A_CARD), Part("lay"), Part("add")),
    Choice("kind", Part("set", rank_named(*"23456789TJQKA")), Part("run", suit_named(*"CDHS")), act="lay"),
    Choice("card", Part("card", A_CARD), Part("done"), act="lay"), Choice("card", A_CARD, act="add"),
    Choice("meld", one_of_piles(MOST_MELDS), act="add"), Choice("way", Part("low"), Part("high"), Part("swap"), act="add"),
)
RUMMY = Game("rummy", range(2, 7), Rummy, CHOICES, deal, legal, apply, pack=Pack(CARDS, copies=2), cards_to_shuffle=cards_to_shuffle,
             reshuffle=recycle, payoff=fewest_points, winners=winners, sheet=Sheet(cells=("points",)))
