"""Plump judged straight from the rules: plain and slow, a second opinion for tests."""

from __future__ import annotations

import copy

SUITS = "CDHS"
RANKS = "23456789TJQKA"  # low to high: the ace is high
PACK = [suit + rank for suit in SUITS for rank in RANKS]
DEFAULTS: dict[str, object] = {"first_lead": "first_bidder", "first_dealer": "last_seat"}


def round_sizes(players: int) -> list[int]:
    """10 down to 2, then 1 once per player, then 2 up to 10; rounds needing more than 52 cards are dropped."""
    ladder = [10, 9, 8, 7, 6, 5, 4, 3, 2] + [1] * players + [2, 3, 4, 5, 6, 7, 8, 9, 10]
    return [size for size in ladder if size * players <= 52]


def points(bid: int, won: int) -> int:
    """A bid made exactly is worth the number got by writing a 1 before it; any other is worth nothing."""
    return int("1" + str(bid)) if bid == won else 0


def winner(trick: list[tuple[int, str]]) -> int:
    """The seat with the highest card of the led suit; the trick is a list of (seat, card), leader first."""
    led = trick[0][1][0]
    following = [(RANKS.index(card[1]), seat) for seat, card in trick if card[0] == led]
    return max(following)[1]


class Referee:
    """One match of Plump."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        """Start before the first lot or deal."""
        if not 2 <= players <= 52:
            raise ValueError(f"Plump is not for {players} players")
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options: {sorted(unknown)}")
        settings = {**DEFAULTS, **options}
        if settings["first_lead"] not in ("first_bidder", "highest_bidder"):
            raise ValueError(f"first_lead: {settings['first_lead']!r}")
        self.players = players
        self.first_lead = settings["first_lead"]
        self.rounds_left = round_sizes(players)
        self.phase = "deal"  # "lots", "deal", "bid", "play" or "over"
        self.dealer = -1
        first_dealer = settings["first_dealer"]
        if first_dealer == "random":
            self.phase = "lots"
        elif first_dealer == "last_seat":
            self.dealer = players - 1
        elif isinstance(first_dealer, int) and not isinstance(first_dealer, bool) and 0 <= first_dealer < players:
            self.dealer = first_dealer
        else:
            raise ValueError(f"first_dealer: {first_dealer!r}")
        self.totals = [0] * players
        self.cards: list[list[str]] = [[] for _ in range(players)]
        self.size = 0
        self.bids: dict[int, int] = {}  # by seat, in the order they were made
        self.won = [0] * players
        self.trick: list[tuple[int, str]] = []
        self.seat = -1

    def wants(self) -> str:
        """Which kind of event comes next: "lots", "deal", "choice" or "over"."""
        return "choice" if self.phase in ("bid", "play") else self.phase

    def chance(self, text: str) -> None:
        """Take the lots for the first dealer, or the pack of the next round."""
        kind, *items = text.split()
        if kind != self.wants() or kind not in ("lots", "deal"):
            raise ValueError(f"{text!r} when {self.wants()} was due")
        if kind == "lots":
            seats = [int(item) for item in items]
            if sorted(seats) != list(range(self.players)):
                raise ValueError(f"not all seats once each: {text!r}")
            self.dealer = seats[0]
            self.phase = "deal"
        else:
            if sorted(items) != sorted(PACK):
                raise ValueError(f"not a pack: {text!r}")
            self._deal(items)

    def _deal(self, pack: list[str]) -> None:
        """One card at a time clockwise, the player after the dealer first; that player also bids first."""
        self.size = self.rounds_left.pop(0)
        first = (self.dealer + 1) % self.players
        for i in range(self.size * self.players):
            self.cards[(first + i) % self.players].append(pack[i])
        self.bids = {}
        self.won = [0] * self.players
        self.seat = first
        self.phase = "bid"

    def turn(self) -> int:
        """The seat to move."""
        if self.wants() != "choice":
            raise ValueError("nobody is to move")
        return self.seat

    def choices(self) -> list[str]:
        """All legal choices of the seat to move."""
        if self.phase == "bid":
            return [f"bid {bid}" for bid in range(self.size + 1) if not self._hooked(bid)]
        if self.phase == "play":
            return [f"play {card}" for card in sorted(self._playable())]
        return []

    def _hooked(self, bid: int) -> bool:
        """The last bidder may not make the bids add up to the ticks of the round."""
        is_last = len(self.bids) == self.players - 1
        return is_last and sum(self.bids.values()) + bid == self.size

    def _playable(self) -> list[str]:
        """The leader plays anything; the others follow suit if they can, and otherwise play anything."""
        hand = self.cards[self.seat]
        if not self.trick:
            return hand
        led = self.trick[0][1][0]
        return [card for card in hand if card[0] == led] or hand

    def choose(self, text: str) -> None:
        """Make one choice of the seat to move."""
        if text not in self.choices():
            raise ValueError(f"illegal choice {text!r}")
        _, what = text.split()
        if self.phase == "play":
            self._play(what)
            return
        self.bids[self.seat] = int(what)
        if len(self.bids) < self.players:
            self.seat = (self.seat + 1) % self.players
            return
        self.seat = self._first_leader()
        self.phase = "play"
        if self.size == 1:  # nobody has a choice: the cards are played in turn order
            for _ in range(self.players):
                self._play(self.cards[self.seat][0])

    def _first_leader(self) -> int:
        """The first bidder, or by option the highest bidder, the earliest of them on ties."""
        in_order = list(self.bids)
        if self.first_lead == "first_bidder":
            return in_order[0]
        highest = max(self.bids.values())
        return next(seat for seat in in_order if self.bids[seat] == highest)

    def _play(self, card: str) -> None:
        """Put a card to the tick; the winner of a full tick leads the next one."""
        self.cards[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < self.players:
            self.seat = (self.seat + 1) % self.players
            return
        self.seat = winner(self.trick)
        self.won[self.seat] += 1
        self.trick = []
        if sum(self.won) == self.size:
            self._end_round()

    def _end_round(self) -> None:
        """Score the round and pass the deal one seat on; after the last round the match is over."""
        for seat in range(self.players):
            self.totals[seat] += points(self.bids[seat], self.won[seat])
        self.dealer = (self.dealer + 1) % self.players
        self.phase = "deal" if self.rounds_left else "over"

    def scores(self) -> list[int]:
        """Totals over the finished rounds."""
        return list(self.totals)

    def winners(self) -> set[int]:
        """The highest total wins; equal totals share the win."""
        if self.phase != "over":
            raise ValueError("the match is not over")
        return {seat for seat in range(self.players) if self.totals[seat] == max(self.totals)}

    def hands(self) -> list[list[str]]:
        """The cards each seat holds, in plain text order."""
        return [sorted(hand) for hand in self.cards]

    def clone(self) -> Referee:
        """An independent copy."""
        return copy.deepcopy(self)


def count(referee: Referee, depth: int | None = None) -> int:
    """Number of different choice sequences from here to the next chance event or the end, or of at most that depth."""
    if referee.wants() != "choice" or depth == 0:
        return 1
    total = 0
    for choice in referee.choices():
        after = referee.clone()
        after.choose(choice)
        total += count(after, None if depth is None else depth - 1)
    return total
