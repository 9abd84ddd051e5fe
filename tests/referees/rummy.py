"""A slow and simple referee for Rummy, written from the rules text alone.

Cards are texts ("H7", "CT", "JR"), hands are lists of texts, a meld is a tuple of texts in the order they lie on the
table. Nothing here is shared with the engine; the two are compared in tests.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

SUITS = "CDHS"
RANKS = "A23456789TJQK"
LADDER = "A23456789TJQKA"  # places 0..13 of a run: the ace stands at both ends
JOKERS = ("JB", "JR")
PACK = tuple(sorted([suit + rank for suit in SUITS for rank in RANKS] * 2 + list(JOKERS) * 2))
HAND_SIZE = 13

Cards = tuple[str, ...]
Position = tuple[tuple[Cards, ...], tuple[Cards, ...], Cards]


class Meld(NamedTuple):
    """A set (name = rank) or a run (name = suit). In a run card number i stands for place low + i of the ladder."""

    kind: str
    name: str
    low: int  # first place on the ladder; always 0 for a set
    cards: Cards


# ------------------------------------------------------------------------------------------------ cards and melds


def is_joker(card: str) -> bool:
    """JB and JR are the jokers."""
    return card in JOKERS


def joker_of(suit: str) -> str:
    """The joker that may stand for cards of this suit: black for clubs and spades, red for diamonds and hearts."""
    return "JB" if suit in "CS" else "JR"


def rank_value(rank: str) -> int:
    """2-10 pips, J Q K 10, ace 11."""
    if rank == "A":
        return 11
    return 10 if rank in "TJQK" else int(rank)


def hand_value(cards: list[str]) -> int:
    """What cards left in hand cost: a joker 20, every other card its value."""
    return sum(20 if is_joker(card) else rank_value(card[1]) for card in cards)


def stands_for(meld: Meld) -> list[str]:
    """The card each card of a run stands for."""
    return [meld.name + LADDER[meld.low + i] for i in range(len(meld.cards))]


def meld_value(meld: Meld) -> int:
    """Set: number of cards times rank value. Run: each card as what it stands for, the low ace 1."""
    if meld.kind == "set":
        return len(meld.cards) * rank_value(meld.name)
    places = range(meld.low, meld.low + len(meld.cards))
    return sum(1 if place == 0 else rank_value(LADDER[place]) for place in places)


def is_full(meld: Meld) -> bool:
    """A set of four cards and a run of fourteen are full."""
    return len(meld.cards) == (4 if meld.kind == "set" else 14)


def set_order(cards: list[str]) -> Cards:
    """Naturals by suit C D H S, then JB, then JR."""
    naturals = sorted(card for card in cards if not is_joker(card))
    jokers = sorted(card for card in cards if is_joker(card))
    return tuple(naturals + jokers)


def is_set(cards: list[str]) -> bool:
    """3 or 4 cards, at least two naturals, one rank, different suits, at most two cards of either colour."""
    naturals = [card for card in cards if not is_joker(card)]
    if not 3 <= len(cards) <= 4 or len(naturals) < 2:
        return False
    if len({card[1] for card in naturals}) != 1 or len({card[0] for card in naturals}) != len(naturals):
        return False
    colours = [card if is_joker(card) else joker_of(card[0]) for card in cards]
    return colours.count("JB") <= 2 and colours.count("JR") <= 2


def is_run(suit: str, low: int, cards: list[str]) -> bool:
    """3 to 14 cards, at least two naturals, each the card of its place on the ladder or the joker of its colour."""
    if len(cards) < 3 or low < 0 or low + len(cards) > len(LADDER):
        return False
    if sum(not is_joker(card) for card in cards) < 2:
        return False
    return all(card in (suit + LADDER[low + i], joker_of(suit)) for i, card in enumerate(cards))


def read_meld(cards: list[str]) -> Meld:
    """Understand a meld written as on the table; two naturals of different suits make it a set."""
    naturals = [card for card in cards if not is_joker(card)]
    if len({card[0] for card in naturals}) > 1:
        if is_set(cards):
            return Meld("set", naturals[0][1], 0, set_order(cards))
    elif naturals:
        suit = naturals[0][0]
        lows = [low for low in range(len(LADDER)) if is_run(suit, low, cards)]
        if len(lows) == 1:
            return Meld("run", suit, lows[0], tuple(cards))
    raise ValueError(f"not a meld: {cards}")


def without(cards: Cards, used: Cards) -> Cards:
    """The cards that remain when the used ones are taken away."""
    rest = list(cards)
    for card in used:
        rest.remove(card)
    return tuple(rest)


def all_sets(cards: Cards) -> list[Meld]:
    """Every set that can be made from these cards."""
    found = []
    for rank in RANKS:
        groups: list[list[str]] = [[]]
        for suit in SUITS:
            if suit + rank in cards:
                groups = groups + [[*group, suit + rank] for group in groups]
        for group in groups:
            for black in range(cards.count("JB") + 1):
                for red in range(cards.count("JR") + 1):
                    candidate = group + ["JB"] * black + ["JR"] * red
                    if is_set(candidate):
                        found.append(Meld("set", rank, 0, set_order(candidate)))
    return found


def all_runs(cards: Cards) -> list[Meld]:
    """Every run that can be made from these cards: start anywhere, put the natural or a joker on each next place."""
    found = []
    for suit in SUITS:
        for low in range(len(LADDER)):
            growing: list[list[str]] = [[]]
            while growing:
                run = growing.pop()
                if is_run(suit, low, run):
                    found.append(Meld("run", suit, low, tuple(run)))
                place = low + len(run)
                if place < len(LADDER):
                    for card in (suit + LADDER[place], joker_of(suit)):
                        if run.count(card) < cards.count(card):
                            growing.append([*run, card])
    return found


@lru_cache(maxsize=50_000)
def all_melds(cards: Cards) -> tuple[Meld, ...]:
    """Every set and every run that can be made from these (sorted) cards."""
    return tuple(all_sets(cards) + all_runs(cards))


@lru_cache(maxsize=200_000)
def best_total(cards: Cards, keep_one: bool) -> int | None:
    """The highest total of melds sharing no card; with keep_one a card must be left over (None: impossible).

    The first card is either left over or belongs to exactly one of the melds.
    """
    if not cards:
        return None if keep_one else 0
    melds = all_melds(cards)
    if not melds:
        return 0
    totals = [best_total(cards[1:], False)]
    for meld in melds:
        if cards[0] in meld.cards:
            rest = best_total(without(cards, meld.cards), keep_one)
            totals.append(None if rest is None else meld_value(meld) + rest)
    return max((total for total in totals if total is not None), default=None)


def ways_to_add(meld: Meld, card: str) -> dict[str, tuple[Meld, str | None]]:
    """How a single card can go to a meld: the meld afterwards and the joker that is freed, if any."""
    if meld.kind == "set":
        return _ways_to_add_to_set(meld, card)
    return _ways_to_add_to_run(meld, card)


def _ways_to_add_to_set(meld: Meld, card: str) -> dict[str, tuple[Meld, str | None]]:
    """A natural of a missing suit replaces a joker of its colour; other cards are added if the set stays legal."""
    cards = list(meld.cards)
    if not is_joker(card):
        if card[1] != meld.name or card in cards:
            return {}
        joker = joker_of(card[0])
        if joker in cards:
            cards.remove(joker)
            return {"swap": (meld._replace(cards=set_order([*cards, card])), joker)}
    if is_set([*cards, card]):
        return {"add": (meld._replace(cards=set_order([*cards, card])), None)}
    return {}


def _ways_to_add_to_run(meld: Meld, card: str) -> dict[str, tuple[Meld, str | None]]:
    """The next card at either end, or the natural in the place of the joker standing for it (the lowest such one)."""
    ways: dict[str, tuple[Meld, str | None]] = {}
    cards = list(meld.cards)
    if is_run(meld.name, meld.low - 1, [card, *cards]):
        ways["low"] = (meld._replace(low=meld.low - 1, cards=(card, *cards)), None)
    if is_run(meld.name, meld.low, [*cards, card]):
        ways["high"] = (meld._replace(cards=(*cards, card)), None)
    for i, stood_for in enumerate(stands_for(meld)):
        if is_joker(cards[i]) and stood_for == card:
            ways["swap"] = (meld._replace(cards=(*cards[:i], card, *cards[i + 1 :])), cards[i])
            break
    return ways


# --------------------------------------------------------------------------------------------------------- options


def _number(options: dict[str, object], name: str, default: int) -> int:
    """An option that is a whole number."""
    return int(str(options.get(name, default)))


def _yes(options: dict[str, object], name: str) -> bool:
    """An option that is yes or no (no unless given)."""
    return str(options.get(name, "no")).lower() in ("yes", "true", "1")


# -------------------------------------------------------------------------------------------------------- referee


class Referee:
    """One session of Rummy, event by event."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        """2-6 players; seat 0 starts the first game."""
        if not 2 <= players <= 6:
            raise ValueError("2 to 6 players")
        self._players = players
        self._options = dict(options)
        self._threshold = _number(options, "threshold", 40)
        self._suffices = _yes(options, "threshold_suffices")
        self._games = _number(options, "games", 1)
        self._earliest = _number(options, "earliest_laying_round", 1)
        self._round_limit = _number(options, "round_limit", 200)

        self._games_done = 0
        self._totals = [0] * players
        self._last_out: int | None = None  # who went out in the game finished last; None = it was drawn

        self._hands: list[list[str]] = [[] for _ in range(players)]
        self._table: list[Meld] = []
        self._laid = [False] * players
        self._stock: list[str] = []  # first = next drawn
        self._discards: list[str] = []  # last = top
        self._seat = 0
        self._round = 1
        self._turns_done = 0

        # new game, recycle, over, or the step of the turn: draw, act, kind, cards, card, meld, way
        self._step = "new game"
        self._taken: str | None = None  # taken from the discards this turn and no copy of it used yet
        self._laid_value = 0  # total of the melds laid this turn by a player still below the threshold
        self._laying = ("", "")  # kind and name of the meld being laid
        self._named: list[str] = []  # its cards so far
        self._adding = ""  # the single card being added
        self._onto = 0  # the meld it goes to

    @classmethod
    def from_position(
        cls,
        players: int,
        options: dict[str, object],
        hands: list[list[str]],
        melds: list[list[str]],
        laid: list[bool],
        discards: list[str],
        stock: list[str],
        turn: int,
        round: int,
    ) -> Referee:
        """A position of the first game, before that seat's draw. Top discard last, next stock card first.

        The stock is recycled or the game drawn at once if the position calls for it.
        """
        referee = cls(players, options)
        if len(hands) != players or len(laid) != players or not 0 <= turn < players:
            raise ValueError("one hand and one mark per player, and a seat to move")
        referee._hands = [sorted(hand) for hand in hands]
        referee._table = [read_meld(meld) for meld in melds]
        referee._laid = list(laid)
        referee._discards = list(discards)
        referee._stock = list(stock)
        referee._seat = turn
        referee._round = round
        referee._begin_turn()
        return referee

    def clone(self) -> Referee:
        """An independent copy."""
        other = Referee(self._players, self._options)
        other.__dict__.update(self.__dict__)
        other._totals = list(self._totals)
        other._hands = [list(hand) for hand in self._hands]
        other._table = list(self._table)
        other._laid = list(self._laid)
        other._stock = list(self._stock)
        other._discards = list(self._discards)
        other._named = list(self._named)
        return other

    # ------------------------------------------------------------------------------------------------- looking

    def wants(self) -> str:
        """What kind of event comes next: "deal", "choice" or "over"."""
        if self._step == "over":
            return "over"
        return "deal" if self._step in ("new game", "recycle") else "choice"

    def turn(self) -> int:
        """The seat to move."""
        return self._seat

    def scores(self) -> list[int]:
        """Running totals of the finished games; lower is better."""
        return list(self._totals)

    def winners(self) -> set[int]:
        """One game: who went out (nobody if drawn). Several: the lowest total, shared on ties."""
        if self._step != "over":
            return set()
        if self._games == 1:
            return set() if self._last_out is None else {self._last_out}
        return {seat for seat in range(self._players) if self._totals[seat] == min(self._totals)}

    def hands(self) -> list[list[str]]:
        """The cards each seat holds; cards of a meld being laid leave the hand with "done"."""
        return [sorted(hand) for hand in self._hands]

    def melds(self) -> list[list[str]]:
        """The melds on the table in the order they were laid."""
        return [list(meld.cards) for meld in self._table]

    def discards(self) -> list[str]:
        """The discard pile, top card last."""
        return list(self._discards)

    # -------------------------------------------------------------------------------------------- chance events

    def chance(self, text: str) -> None:
        """A new game's 108 cards, or all discards but the top one as the new stock."""
        word, *cards = text.split()
        if self.wants() != "deal" or word != "deal":
            raise ValueError(f"not now: {text}")
        if self._step == "new game":
            if tuple(sorted(cards)) != PACK:
                raise ValueError("not the 108 cards")
            self._start_game(cards)
        else:
            if sorted(cards) != sorted(self._discards[:-1]):
                raise ValueError("not the discards without the top one")
            self._stock = cards
            self._discards = self._discards[-1:]
            self._begin_turn()

    def _start_game(self, cards: list[str]) -> None:
        """13 cards each, one at a time from the starting player; no card is turned up; the starter moves on by one."""
        starter = self._starter()
        self._hands = [[] for _ in range(self._players)]
        dealt = HAND_SIZE * self._players
        for i in range(dealt):
            self._hands[(starter + i) % self._players].append(cards[i])
        self._stock = cards[dealt:]
        self._discards = []
        self._table = []
        self._laid = [False] * self._players
        self._round = 1
        self._seat = starter
        self._begin_turn()

    def _starter(self) -> int:
        """Seat 0 starts the first game, then the next seat each game."""
        return self._games_done % self._players

    # ------------------------------------------------------------------------------------------------- choices

    def choices(self) -> list[str]:
        """All legal choices of the seat to move."""
        if self._step == "draw":
            return self._draws()
        if self._step == "act":
            return self._acts()
        if self._step == "kind":
            return sorted({f"{meld.kind} {meld.name}" for meld in self._legal_melds()})
        if self._step == "cards":
            return self._next_cards()
        if self._step == "card":
            return [f"card {card}" for card in self._distinct() if self._places(card)]
        if self._step == "meld":
            return [f"meld {k + 1}" for k in self._places(self._adding)]
        if self._step == "way":
            return sorted(self._legal_ways(self._adding, self._onto))
        return []

    def _distinct(self) -> list[str]:
        """The different cards in the mover's hand."""
        return sorted(set(self._hands[self._seat]))

    def _draws(self) -> list[str]:
        """The stock, or the top discard for a player who laid melds in an earlier turn."""
        draws = []
        if self._stock:
            draws.append("draw stock")
        if self._discards and self._laid[self._seat]:
            draws.append("draw discard")
        return draws

    def _in_first_laying(self) -> bool:
        """Melds were laid this turn and the threshold is not passed yet."""
        return self._laid_value > 0 and not self._laid[self._seat]

    def _acts(self) -> list[str]:
        """Discard, lay, add; during a first laying only lay until the threshold is passed."""
        acts = []
        if not self._in_first_laying():
            acts += [f"discard {card}" for card in self._may_discard(self._hands[self._seat], self._taken)]
        if self._legal_melds():
            acts.append("lay")
        if any(self._places(card) for card in self._distinct()):
            acts.append("add")
        return acts

    def _may_discard(self, hand: list[str], taken: str | None) -> list[str]:
        """Any card but the one just taken from the discards; a second copy of it is another card."""
        return [card for card in sorted(set(hand)) if card != taken or hand.count(card) > 1]

    def _leaves_a_discard(self, used: Cards, gained: list[str]) -> bool:
        """After using cards some card that may be discarded must stay; using a copy of the taken card ends its ban."""
        hand = list(without(tuple(self._hands[self._seat]), used)) + gained
        taken = None if self._taken in used else self._taken
        return bool(self._may_discard(hand, taken))

    def _passes(self, value: int) -> bool:
        """More than the threshold, or exactly that if the option says so."""
        return value > self._threshold or (self._suffices and value == self._threshold)

    def _legal_melds(self) -> list[Meld]:
        """The melds the mover may lay now.

        Before the threshold is passed: those which, with the melds laid this turn and further melds from the rest of
        the hand, can pass it with a card left over.
        """
        if self._round < self._earliest:
            return []
        hand = tuple(sorted(self._hands[self._seat]))
        legal = []
        for meld in all_melds(hand):
            if not self._leaves_a_discard(meld.cards, []):
                continue
            if not self._laid[self._seat]:
                further = best_total(without(hand, meld.cards), True)
                if further is None or not self._passes(self._laid_value + meld_value(meld) + further):
                    continue
            legal.append(meld)
        return legal

    def _next_cards(self) -> list[str]:
        """The cards with which the meld being named can go on to a legal one; "done" if it is one already."""
        kind, name = self._laying
        named = tuple(self._named)
        following = set()
        done = False
        for meld in self._legal_melds():
            if (meld.kind, meld.name) == (kind, name) and meld.cards[: len(named)] == named:
                if len(meld.cards) == len(named):
                    done = True
                else:
                    following.add(f"card {meld.cards[len(named)]}")
        return sorted(following) + (["done"] if done else [])

    def _legal_ways(self, card: str, number: int) -> dict[str, tuple[Meld, str | None]]:
        """The ways this card may go to that meld: only for a player who has laid, and a discard must remain."""
        if not self._laid[self._seat]:
            return {}
        ways = ways_to_add(self._table[number], card)
        return {way: (meld, freed) for way, (meld, freed) in ways.items() if self._leaves_a_discard((card,), [] if freed is None else [freed])}

    def _places(self, card: str) -> list[int]:
        """The melds this card may go to, counted from 0."""
        return [number for number in range(len(self._table)) if self._legal_ways(card, number)]

    # ------------------------------------------------------------------------------------------------ choosing

    def choose(self, text: str) -> None:
        """Carry out a legal choice."""
        if text not in self.choices():
            raise ValueError(f"illegal: {text}")
        word, *rest = text.split()
        hand = self._hands[self._seat]
        if word == "draw":
            if rest == ["stock"]:
                hand.append(self._stock.pop(0))
            else:
                self._taken = self._discards.pop()
                hand.append(self._taken)
            self._step = "act"
        elif word == "discard":
            hand.remove(rest[0])
            self._discards.append(rest[0])
            self._end_turn()
        elif word == "lay":
            self._step = "kind"
        elif word in ("set", "run"):
            self._laying = (word, rest[0])
            self._named = []
            self._step = "cards"
        elif word == "card" and self._step == "cards":
            self._named.append(rest[0])
        elif word == "done":
            self._lay()
        elif word == "add":
            self._step = "card"
        elif word == "card":
            self._adding = rest[0]
            self._step = "meld"
        elif word == "meld":
            self._onto = int(rest[0]) - 1
            ways = list(self._legal_ways(self._adding, self._onto))
            if len(ways) > 1:
                self._step = "way"
            else:
                self._add(ways[0])
        else:  # low, high, swap
            self._add(word)

    def _use(self, cards: Cards) -> None:
        """Cards leave the mover's hand; using any copy of the taken card ends its ban."""
        for card in cards:
            self._hands[self._seat].remove(card)
        if self._taken in cards:
            self._taken = None

    def _lay(self) -> None:
        """The named meld goes to the table; a first laying is complete when the threshold is passed."""
        meld = read_meld(self._named)
        self._use(meld.cards)
        self._table.append(meld)
        if not self._laid[self._seat]:
            self._laid_value += meld_value(meld)
            self._laid[self._seat] = self._passes(self._laid_value)
        self._back_to_acting()

    def _add(self, way: str) -> None:
        """A single card goes to a meld; a freed joker goes to the mover's hand."""
        meld, freed = self._legal_ways(self._adding, self._onto)[way]
        self._use((self._adding,))
        self._table[self._onto] = meld
        if freed is not None:
            self._hands[self._seat].append(freed)
        self._back_to_acting()

    def _back_to_acting(self) -> None:
        """After a completed lay or add the mover acts again."""
        self._laying = ("", "")
        self._named = []
        self._adding = ""
        self._onto = 0
        self._step = "act"

    # --------------------------------------------------------------------------------------------- end of turn

    def _end_turn(self) -> None:
        """Last card discarded; at the end of a round every meld full, round limit; recycling; no card to draw."""
        self._turns_done += 1
        if not self._hands[self._seat]:
            self._end_game(self._seat)
            return
        following = (self._seat + 1) % self._players
        if following == self._starter():
            if all(len(hand) < 3 for hand in self._hands) and all(is_full(meld) for meld in self._table):
                self._end_game(None)
                return
            if self._round >= self._round_limit:
                self._end_game(None)
                return
            self._round += 1
        self._seat = following
        self._begin_turn()

    def _begin_turn(self) -> None:
        """An empty stock is renewed from the discards but the top one; without a legal draw the game is drawn."""
        self._taken = None
        self._laid_value = 0
        if not self._stock and len(self._discards) >= 2:
            self._step = "recycle"
        elif not self._draws():
            self._end_game(None)
        else:
            self._step = "draw"

    def _end_game(self, out: int | None) -> None:
        """Every hand counts against its owner (the hand of who went out is empty)."""
        for seat in range(self._players):
            self._totals[seat] += hand_value(self._hands[seat])
        self._last_out = out
        self._games_done += 1
        self._step = "over" if self._games_done >= self._games else "new game"

    # ------------------------------------------------------------------------------------------------ outcomes

    def outcomes(self) -> set[Position]:
        """Every (hands, melds, discards) at the end of the mover's turn, by trying all choices.

        Melds in the order laid, top discard last and before any recycling.
        """
        if self.wants() != "choice":
            return set()
        ends: set[Position] = set()
        seen: set[tuple[object, ...]] = set()
        waiting = [self.clone()]
        while waiting:
            referee = waiting.pop()
            for text in referee.choices():
                after = referee.clone()
                after.choose(text)
                if after._turns_done > self._turns_done:
                    ends.add(after._position())
                elif after._turn_state() not in seen:
                    seen.add(after._turn_state())
                    waiting.append(after)
        return ends

    def _position(self) -> Position:
        """Hands, melds and discards as nested tuples."""
        hands = tuple(tuple(hand) for hand in self.hands())
        return hands, tuple(meld.cards for meld in self._table), tuple(self._discards)

    def _turn_state(self) -> tuple[object, ...]:
        """All that can differ inside one turn."""
        return (
            self._position(),
            tuple(self._laid),
            len(self._stock),
            self._step,
            self._taken,
            self._laid_value,
            self._laying,
            tuple(self._named),
            self._adding,
            self._onto,
        )
