"""Rummy: lay your cards down in melds and be the first to discard the last one.

Two to six players, two packs with two red and two black jokers: 108 cards. The fewest points win.
"""

from kortlek.cards import NOTHING, PACK, Card, Cards, Double, Pile, bit, count, gain, height, highest, lose, lowest, members, pop, push, say, size
from kortlek.cards import suit_of, top, total, upto
from kortlek.rules import melds
from kortlek.rules.game import DEAL, EVERYONE, NOBODY, OVER, OWNER, Choice, Game, Match, Names, Pack, Picture, Sheet, by_name, choice
from kortlek.rules.game import double_per_seat, double_place, double_place_per_seat, lowest_scores, next_seat, number, numbers, per_seat
from kortlek.rules.game import pile, seat_number, state, whole, yes_no
from kortlek.rules.melds import CARDS, JOKERS, KINDS, LOW, RUN, SWAP

DRAW, TURN, KIND, CARD, ADD, MELD, WAY = range(7)
STOCK, DISCARD = 0, 1
LAY, ADD_ONE, DONE = len(CARDS), len(CARDS) + 1, len(CARDS)
HAND = 13
MOST_MELDS = 36
ALL_CARDS = 2 * len(CARDS)
JOKER_IN_HAND = 20


@state
class Rummy(Match):
    """A session of Rummy."""

    threshold: int = whole("what the first melds of a player must be worth more than", 40, range(136))
    threshold_suffices: int = yes_no("whether exactly the threshold is enough")
    games: int = whole("how many games are played", 1, range(1, 1001))
    earliest_laying_round: int = whole("the first round in which melds may be laid", 1, range(1, 101))
    round_limit: int = whole("after how many rounds a game is drawn", 200, range(1, 10001))
    first: int = seat_number()
    """Who starts this game."""
    lap: int = number()
    """Which round of this game it is: in a round everyone has a turn."""
    recycling: int = number()
    hand: list[Double] = double_place_per_seat(OWNER, shows="shows")
    shows: list[Double] = double_per_seat()
    """Cards that a player openly took, which are known to be in her hand until they leave it."""
    stock: Pile = pile(ALL_CARDS, NOBODY, lacks="stock_lacks")
    stock_lacks: Double = numbers(2)
    """The copies of cards that are not in the stock, once the discards have become the stock."""
    discards: Pile = pile(ALL_CARDS, EVERYONE)
    melded: Double = double_place(EVERYONE)
    naming: Double = double_place(EVERYONE)
    """The cards of the meld that is just being laid."""
    laid: list[int] = per_seat(told=lambda laid: "has laid")
    laying: int = number()
    """What the melds of a first laying are worth so far."""
    taken: Card = number(NOTHING)
    """The card just taken from the discards, which may not be discarded in this turn."""
    chosen: Card = number(NOTHING)
    where: int = number()
    kind: int = number()
    natural: Cards = number()
    joker: Cards = number()
    leading: int = number()
    """The meld that is just being laid."""
    melds: int = number()
    meld_kind: list[int] = numbers(MOST_MELDS)
    meld_natural: list[Cards] = numbers(MOST_MELDS)
    meld_joker: list[Cards] = numbers(MOST_MELDS)
    """The melds on the table."""
    points: list[int] = per_seat(NOTHING, told=lambda points: f"gets {points} points" if points else "goes out")


def start(s: Rummy) -> None:
    """Seat 0 starts the first game of a session, then the next seat each game."""
    s.phase = DEAL


def gather(s: Rummy, pack: list[Card]) -> int:
    """All 108 cards; or, when the stock is empty, all discards but the top one."""
    if s.recycling:
        for at in range(height(s.discards) - 1):
            pack[at] = s.discards[at + 1]
        return height(s.discards) - 1
    for at in range(ALL_CARDS):
        pack[at] = at % len(CARDS)
    return ALL_CARDS


def deal(s: Rummy, pack: list[Card]) -> None:
    """Thirteen cards each, one at a time from the starting player. The rest is the stock. No card is turned up."""
    if s.recycling:
        recycle(s, pack)
        return
    for seat in range(s.players):
        for copy in range(2):
            s.hand[seat][copy] = 0
            s.shows[seat][copy] = 0
            s.stock_lacks[copy] = 0
            s.melded[copy] = 0
        s.laid[seat] = 0
        s.points[seat] = NOTHING
    s.discards[0] = 0
    for at in range(1, ALL_CARDS + 1):
        s.discards[at] = NOTHING
    s.melds = 0
    seat = s.first
    for at in range(HAND * s.players):
        gain(s.hand[seat], pack[at])
        seat = next_seat(s, seat)
    fill_stock(s, pack, HAND * s.players, ALL_CARDS)
    s.lap = 1
    begin_turn(s, s.first)


def fill_stock(s: Rummy, pack: list[Card], first: int, end: int) -> None:
    """The first of these cards is drawn first."""
    s.stock[0] = 0
    for at in range(end - 1, first - 1, -1):
        push(s.stock, pack[at])


def recycle(s: Rummy, pack: list[Card]) -> None:
    """The discards but the top one, shuffled, are the new stock. Everyone knows which cards it has, nobody their order."""
    s.recycling = 0
    card = pop(s.discards)
    recycled = height(s.discards)
    s.stock_lacks[0] = upto(len(CARDS) - 1)
    s.stock_lacks[1] = upto(len(CARDS) - 1)
    for _ in range(recycled):
        lose(s.stock_lacks, pop(s.discards))
    push(s.discards, card)
    fill_stock(s, pack, 0, recycled)
    begin_turn(s, s.turn)


def begin_turn(s: Rummy, seat: int) -> None:
    """Draw first. Who has no card to draw cannot go on: the game is drawn."""
    s.turn = seat
    s.phase = DRAW
    s.taken = NOTHING
    s.laying = 0
    if legal_draws(s) == 0:
        end_game(s)


def legal_draws(s: Rummy) -> Cards:
    """The top card of the stock; or the top discard, for a player who has laid melds in an earlier turn."""
    return (bit(STOCK) if height(s.stock) > 0 else 0) | (bit(DISCARD) if s.laid[s.turn] and height(s.discards) > 0 else 0)


def legal(s: Rummy) -> Cards:
    """Draw one card, lay melds and add single cards as you like, discard one card."""
    if s.phase == DRAW:
        return legal_draws(s)
    if s.phase == TURN:
        return legal_moves(s)
    if s.phase == KIND:
        return legal_kinds(s)
    if s.phase == CARD:
        return legal_names(s)
    if s.phase == ADD:
        return addable(s)
    if s.phase == MELD:
        return legal_melds(s, s.chosen)
    return legal_ways(s, s.where, s.chosen)


def legal_moves(s: Rummy) -> Cards:
    """Discard, lay or add. A first laying goes on until its melds are worth enough."""
    if s.laying > 0 and not s.laid[s.turn]:
        return bit(LAY)
    hand = s.hand[s.turn]
    moves = discardable(hand[0], hand[1], s.taken)
    if can_lay(s):
        moves |= bit(LAY)
    if s.laid[s.turn] and addable(s):
        moves |= bit(ADD_ONE)
    return moves


def discardable(one: Cards, two: Cards, taken: Card) -> Cards:
    """Any card but the one just taken from the discards; another copy of it, held before, may be discarded."""
    return one if taken == NOTHING else one & ~bit(taken) | two


# ---- laying melds


def needed(s: Rummy) -> int:
    """The first melds of a player must together be worth more than the threshold (or, as an option, exactly it)."""
    return s.threshold if s.threshold_suffices else s.threshold + 1


def can_lay(s: Rummy) -> bool:
    """Whether a meld may be laid now: not before the earliest round, the first ones only if they can be worth enough, and always so
    that a card is left to discard."""
    hand = s.hand[s.turn]
    if s.lap < s.earliest_laying_round:
        return False
    if not s.laid[s.turn]:
        return melds.can_reach(hand[0], hand[1], max(1, needed(s)))
    if melds.meldable(hand[0], hand[1]) == 0:
        return False
    return total(hand) > 5 or legal_kinds(s) != 0  # the smallest meld has at most four cards, and of two left one can be discarded


def may_end(s: Rummy, one: Cards, two: Cards, taken: Card, kind: int, places: Cards) -> bool:
    """Whether a meld may be laid that leaves these cards in the hand: one can be discarded, and first melds can be worth enough."""
    if s.laid[s.turn]:
        return discardable(one, two, taken) != 0
    return melds.can_reach(one, two, needed(s) - s.laying - melds.value(kind, places))


def can_finish(s: Rummy, one: Cards, two: Cards, taken: Card, kind: int, natural: Cards, joker: Cards, leading: int) -> bool:
    """Whether the meld being laid can be finished by naming more cards of the hand."""
    if melds.is_meld(natural, joker) and may_end(s, one, two, taken, kind, natural | joker):
        return True
    cards = melds.next_cards(one, kind, natural, joker, leading)
    while cards:
        card = bit(lowest(cards))
        cards &= ~card
        more, jokers, ahead = melds.named(kind, natural, joker, leading, lowest(card))
        if can_finish(s, one & ~card | two & card, two & ~card, NOTHING if lowest(card) == taken else taken, kind, more, jokers, ahead):
            return True
    return False


def legal_kinds(s: Rummy) -> Cards:
    """The kinds of meld that the hand can make: sets by rank, runs by suit."""
    hand = s.hand[s.turn]
    kinds = 0
    for kind in range(KINDS):
        if can_finish(s, hand[0], hand[1], s.taken, kind, 0, 0, 0):
            kinds |= bit(kind)
    return kinds


def legal_names(s: Rummy) -> Cards:
    """The next card of the meld; or that it is finished."""
    one, two = s.hand[s.turn][0], s.hand[s.turn][1]
    names = 0
    if melds.is_meld(s.natural, s.joker) and may_end(s, one, two, s.taken, s.kind, s.natural | s.joker):
        names = bit(DONE)
    cards = melds.next_cards(one, s.kind, s.natural, s.joker, s.leading)
    while cards:
        card = bit(lowest(cards))
        cards &= ~card
        more, jokers, ahead = melds.named(s.kind, s.natural, s.joker, s.leading, lowest(card))
        if can_finish(s, one & ~card | two & card, two & ~card, NOTHING if lowest(card) == s.taken else s.taken, s.kind, more, jokers, ahead):
            names |= card
    return names


def name_card(s: Rummy, card: Card) -> None:
    """The next card of the meld, from the hand."""
    leave_hand(s, card)
    gain(s.naming, card)
    s.natural, s.joker, s.leading = melds.named(s.kind, s.natural, s.joker, s.leading, card)


def lay(s: Rummy) -> None:
    """The meld lies on the table. When the first melds are worth enough, their player has laid."""
    s.meld_kind[s.melds] = s.kind
    s.meld_natural[s.melds] = s.natural
    s.meld_joker[s.melds] = s.joker
    s.melds += 1
    put_together(s.melded, s.naming)
    s.laying += melds.value(s.kind, s.natural | s.joker)
    if s.laying >= needed(s):
        s.laid[s.turn] = 1
    s.phase = TURN


def put_together(there: Double, more: Double) -> None:
    """All cards of one place go to another."""
    while more[0]:
        card = lowest(more[0])
        lose(more, card)
        gain(there, card)


def leave_hand(s: Rummy, card: Card) -> None:
    """A card leaves the hand openly. With any copy of the card just taken, that one is used and no longer barred."""
    lose(s.hand[s.turn], card)
    if count(s.shows[s.turn], card):
        lose(s.shows[s.turn], card)
    if card == s.taken:
        s.taken = NOTHING


# ---- single cards


def addable(s: Rummy) -> Cards:
    """The cards that may go to some meld on the table, whoever laid it."""
    fitting = 0
    for meld in range(s.melds):
        fitting |= melds.accepts(s.meld_kind[meld], s.meld_natural[meld], s.meld_joker[meld])
    fitting &= s.hand[s.turn][0]
    if total(s.hand[s.turn]) > 2:
        return fitting
    cards = 0
    while fitting:
        card = lowest(fitting)
        fitting &= fitting - 1
        if legal_melds(s, card):
            cards |= bit(card)
    return cards


def legal_melds(s: Rummy, card: Card) -> Cards:
    """The melds to which a card may go."""
    possible = 0
    for meld in range(s.melds):
        if legal_ways(s, meld, card):
            possible |= bit(meld)
    return possible


def legal_ways(s: Rummy, meld: int, card: Card) -> Cards:
    """How a card may go to a meld. Adding must leave a card to discard; a swap leaves at least the joker."""
    ways = melds.ways(s.meld_kind[meld], s.meld_natural[meld], s.meld_joker[meld], card)
    hand = s.hand[s.turn]
    left, left_twice = hand[0] & ~bit(card) | hand[1] & bit(card), hand[1] & ~bit(card)
    if discardable(left, left_twice, NOTHING if card == s.taken else s.taken) == 0:
        ways &= bit(SWAP)
    return ways


def add(s: Rummy, meld: int, card: Card, way: int) -> None:
    """A card is added to a meld; or it takes the place of a joker, which goes to the hand of the player who swapped it."""
    leave_hand(s, card)
    gain(s.melded, card)
    kind, places = s.meld_kind[meld], s.meld_natural[meld] | s.meld_joker[meld]
    if way == SWAP:
        at = melds.freed_place(kind, s.meld_joker[meld], card)
        freed = melds.joker_of(kind - RUN if kind >= RUN else at)
        s.meld_joker[meld] &= ~bit(at)
        lose(s.melded, freed)
        gain(s.hand[s.turn], freed)
        gain(s.shows[s.turn], freed)
    if kind < RUN:
        at = suit_of(card) if card < PACK else lowest(melds.suits_of(card) & ~places)
    elif way != SWAP:
        at = lowest(places) - 1 if way == LOW else highest(places) + 1
    if card >= PACK:
        s.meld_joker[meld] |= bit(at)
    else:
        s.meld_natural[meld] |= bit(at)
    s.phase = TURN


# ---- the turn


def apply(s: Rummy, choice: int) -> None:
    """Each phase has its step."""
    if s.phase == DRAW:
        draw(s, choice)
    elif s.phase == TURN and choice < LAY:
        discard(s, choice)
    elif s.phase == TURN:
        s.phase = KIND if choice == LAY else ADD
    elif s.phase == KIND:
        s.kind = choice
        s.natural, s.joker, s.leading = 0, 0, 0
        s.phase = CARD
    elif s.phase == CARD and choice != DONE:
        name_card(s, choice)
    elif s.phase == CARD:
        lay(s)
    elif s.phase == ADD:
        s.chosen = choice
        if count(s.shows[s.turn], choice) == 0:
            gain(s.shows[s.turn], choice)
        s.phase = MELD
    elif s.phase == MELD:
        choose_meld(s, choice)
    else:
        add(s, s.where, s.chosen, choice)


def draw(s: Rummy, source: int) -> None:
    """The card just taken from the discards may not be discarded in the same turn."""
    if source == STOCK:
        gain(s.hand[s.turn], pop(s.stock))
    else:
        s.taken = pop(s.discards)
        gain(s.hand[s.turn], s.taken)
        gain(s.shows[s.turn], s.taken)
    s.phase = TURN


def choose_meld(s: Rummy, meld: int) -> None:
    """If the card can go there in one way only, it does."""
    possible = legal_ways(s, meld, s.chosen)
    s.where = meld
    s.phase = WAY
    if size(possible) == 1:
        add(s, meld, s.chosen, lowest(possible))


def discard(s: Rummy, card: Card) -> None:
    """Every turn ends with a discard. Who discards the last card wins. When everyone has had a turn, the game is drawn if nobody can
    ever finish or the last round is over. An empty stock is made anew from the discards."""
    leave_hand(s, card)
    push(s.discards, card)
    if s.hand[s.turn][0] == 0:
        end_game(s)
        return
    s.turn = next_seat(s, s.turn)
    if s.turn == s.first:
        if nobody_can_finish(s) or s.lap == s.round_limit:
            end_game(s)
            return
        s.lap += 1
    if height(s.stock) == 0 and height(s.discards) > 1:
        s.recycling = 1
        s.phase = DEAL
    else:
        begin_turn(s, s.turn)


def nobody_can_finish(s: Rummy) -> bool:
    """Nobody has three cards, and every meld on the table is full."""
    open_melds, largest = 0, 0
    for meld in range(s.melds):
        open_melds += not melds.is_full(s.meld_kind[meld], s.meld_natural[meld] | s.meld_joker[meld])
    for seat in range(s.players):
        largest = max(largest, total(s.hand[seat]))
    return open_melds == 0 and largest < 3


def end_game(s: Rummy) -> None:
    """All hands are shown, and everyone adds the value of the cards in hers; a joker counts twenty. Who has none has won. The next seat
    starts the next game."""
    for seat in range(s.players):
        hand = s.hand[seat]
        s.shows[seat][0] = hand[0]
        s.shows[seat][1] = hand[1]
        s.points[seat] = melds.points(hand[0] & ~JOKERS) + melds.points(hand[1] & ~JOKERS)
        s.points[seat] += JOKER_IN_HAND * (size(hand[0] & JOKERS) + size(hand[1] & JOKERS))
        s.score[seat] += s.points[seat]
    s.round += 1
    s.first = next_seat(s, s.first)
    s.phase = DEAL if s.round < s.games else OVER


def winners(s: Rummy) -> Cards:
    """The lowest total wins a session. A single game is won by going out; if it is drawn, by nobody."""
    best = lowest_scores(s)
    return 0 if s.games == 1 and s.score[lowest(best)] > 0 else best


def why_not(s: Rummy, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    hand = s.hand[s.turn]
    if s.phase == DRAW:
        return "The stock is empty." if choice == STOCK else "Only who has laid melds in an earlier turn may take the top discard."
    if s.phase == TURN and choice < LAY and s.laying > 0 and not s.laid[s.turn]:
        return f"Your melds are worth {s.laying} so far and need {needed(s)}: lay another one."
    if s.phase in (TURN, CARD, ADD) and choice < LAY and not hand[0] & bit(choice):
        return f"You do not hold {CARDS[choice]}."
    if s.phase == TURN and choice < LAY:
        return f"You have just taken {CARDS[choice]}: it may not be discarded in the same turn."
    if s.phase == TURN and choice == ADD_ONE and not s.laid[s.turn]:
        return "Only who has laid melds may add single cards."
    if s.phase == TURN and s.lap < s.earliest_laying_round:
        return f"Melds may not be laid before round {s.earliest_laying_round}."
    if s.phase in (TURN, KIND, CARD) and not s.laid[s.turn]:
        return f"First melds must be worth at least {needed(s)} together and leave a card to discard."
    return "It fits no meld that the rules allow: a meld must be complete and a card must be left to discard."


def spell_meld(kind: int, natural: Cards, joker: Cards) -> str:
    """The cards of a meld in order; in a run every joker with the card it stands for."""
    if kind < RUN:
        jokers = [CARDS[melds.joker_of(suit)] for suit in members(joker)]
        return " ".join([*(CARDS[13 * suit + kind] for suit in members(natural)), *jokers])
    run = [(CARDS[melds.card_at(kind - RUN, place)], natural & bit(place)) for place in members(natural | joker)]
    return " ".join(card if is_natural else f"{CARDS[melds.joker_of(kind - RUN)]}({card})" for card, is_natural in run)


def say_double(cards: Double) -> str:
    """Cards of two packs in notation."""
    return " ".join(say(copies, CARDS) for copies in cards if copies)


def picture(s: Rummy, names: Names) -> list[str]:
    """The game, stock and discards, who has laid, and the melds on the table."""
    lines = [f"Game {s.round + 1} of {s.games}, round {s.lap}", f"Stock: {height(s.stock)}", f"Discards: {height(s.discards)}"]
    if height(s.discards):
        lines[-1] += f", top {CARDS[top(s.discards)]}"
    if height(s.discards) > 1:
        lines[-1] += ", below " + " ".join(CARDS[card] for card in reversed(s.discards[1 : height(s.discards)][-4:]))
    lines.append("Laid melds: " + (", ".join(names[seat] for seat in range(s.players) if s.laid[seat]) or "nobody yet"))
    known = [say_double(shown) for shown in s.shows[: s.players]]
    if any(known):
        lines.append(f"Known to hold: {by_name(names, known)}")
    lines += [f"Meld {at + 1}: {spell_meld(s.meld_kind[at], s.meld_natural[at], s.meld_joker[at])}" for at in range(s.melds)]
    if s.naming[0]:
        leading = [CARDS[melds.joker_of(s.kind - RUN)] for _ in range(s.leading)]
        lines.append(" ".join(["Being laid:", *leading, spell_meld(s.kind, s.natural, s.joker)]).rstrip())
    if s.laying and not s.laid[s.turn]:
        lines.append(f"Worth so far: {s.laying} of {needed(s)}")
    return lines


TURN_CHOICES = [(f"discard {card}", f"discards {card}") for card in CARDS] + [("lay", "lays a meld"), ("add", "adds a card to a meld")]
NAMES = [(f"card {card}", f"lays {card}") for card in CARDS] + [("done", "finishes the meld")]
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

RUMMY = Game(
    name="rummy",
    title="Rummy",
    version=1,
    players=range(2, 7),
    pack=Pack(CARDS, copies=2),
    state=Rummy,
    choices=(
        Choice("draw", "Where do you draw?", ("draw stock", "draw discard"), ("draws from the stock", "takes the top discard")),
        Choice("turn", "What do you do?", *zip(*TURN_CHOICES, strict=True)),
        Choice(
            "kind",
            "What kind of meld?",
            tuple(f"set {rank}" for rank in "23456789TJQKA") + tuple(f"run {suit}" for suit in SUIT_NAMES),
            tuple(f"begins a set of {rank}" for rank in "23456789TJQKA") + tuple(f"begins a run of {suit}" for suit in SUIT_NAMES.values()),
        ),
        Choice("card", "Which card comes next?", *zip(*NAMES, strict=True)),
        choice("card", "chooses", "Which card do you add?", CARDS),
        choice("meld", "puts it to meld", "To which meld?", range(1, MOST_MELDS + 1)),
        Choice(
            "way",
            "At which end, or for the joker?",
            ("low", "high", "swap"),
            ("chooses the low end", "chooses the high end", "swaps it for the joker"),
        ),
    ),
    start=start,
    gather=gather,
    deal=deal,
    legal=legal,
    apply=apply,
    winners=winners,
    why_not=why_not,
    sheet=Sheet("Game", lambda s: str(s.round), lambda s, seat: str(s.points[seat]) if s.points[seat] else "–"),
    swing=100,
    lowest_wins=True,
    picture=Picture(picture, sizes=("hand",)),
)
