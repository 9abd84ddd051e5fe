"""Up and Down judged straight from the rules: plain and slow, a second opinion for tests."""

from __future__ import annotations

import copy

SUITS = "CDHS"
RANKS = "23456789TJQKA"  # low to high: the ace is high
PACK = [suit + rank for suit in SUITS for rank in RANKS]


def round_sizes(largest: int) -> list[int]:
    """Hands of 1, 2, ... up to the largest, then down to 1 again."""
    return list(range(1, largest + 1)) + list(range(largest - 1, 0, -1))


def points(bet: int, wins: int) -> int:
    """10 + 2 for each hand won if the bet was met exactly, otherwise nothing."""
    return 10 + 2 * wins if bet == wins else 0


def winner(hand: list[tuple[int, str]], mesa: str) -> int:
    """The seat with the highest mesa, or if there is none the highest pinta; leader first in the list."""
    pinta = hand[0][1][0]
    suit_that_wins = mesa if any(card[0] == mesa for _, card in hand) else pinta
    able_to_win = [(RANKS.index(card[1]), seat) for seat, card in hand if card[0] == suit_that_wins]
    return max(able_to_win)[1]


class Referee:
    """One match of Up and Down."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        """Start before the first lot or deal."""
        if not 2 <= players <= 51:
            raise ValueError(f"Up and Down is not for {players} players")
        unknown = set(options) - {"largest_round", "first_bettor"}
        if unknown:
            raise ValueError(f"unknown options: {sorted(unknown)}")
        most = 51 // players  # one card of the 52 is the mesa card
        largest = options.get("largest_round", min(5, most))
        if not isinstance(largest, int) or isinstance(largest, bool) or not 1 <= largest <= most:
            raise ValueError(f"N: {largest!r}")
        self.players = players
        self.rounds_left = round_sizes(largest)
        self.phase = "deal"  # "lots", "deal", "bet", "play" or "over"
        self.first = -1  # PS1 of the present or coming round
        start = options.get("first_bettor", "random")
        if start == "random":
            self.phase = "lots"
        elif isinstance(start, int) and not isinstance(start, bool) and 0 <= start < players:
            self.first = start
        else:
            raise ValueError(f"start: {start!r}")
        self.totals = [0] * players
        self.cards: list[list[str]] = [[] for _ in range(players)]
        self.size = 0
        self.mesa_card = ""
        self.bets: dict[int, int] = {}  # by seat
        self.wins = [0] * players
        self.hand: list[tuple[int, str]] = []  # the cards on the table, leader first
        self.seat = -1

    def wants(self) -> str:
        """Which kind of event comes next: "lots", "deal", "choice" or "over"."""
        return "choice" if self.phase in ("bet", "play") else self.phase

    def chance(self, text: str) -> None:
        """Take the lots for PS1 of round 1, or the pack of the next round."""
        kind, *items = text.split()
        if kind != self.wants() or kind not in ("lots", "deal"):
            raise ValueError(f"{text!r} when {self.wants()} was due")
        if kind == "lots":
            seats = [int(item) for item in items]
            if sorted(seats) != list(range(self.players)):
                raise ValueError(f"not all seats once each: {text!r}")
            self.first = seats[0]
            self.phase = "deal"
        else:
            if sorted(items) != sorted(PACK):
                raise ValueError(f"not a pack: {text!r}")
            self._deal(items)

    def _deal(self, pack: list[str]) -> None:
        """Deal the round's cards from PS1 on; the next card is the mesa card. PS1 bets first."""
        self.size = self.rounds_left.pop(0)
        dealt = self.size * self.players
        for i in range(dealt):
            self.cards[(self.first + i) % self.players].append(pack[i])
        self.mesa_card = pack[dealt]
        self.bets = {}
        self.wins = [0] * self.players
        self.seat = self.first
        self.phase = "bet"

    def turn(self) -> int:
        """The seat to move."""
        if self.wants() != "choice":
            raise ValueError("nobody is to move")
        return self.seat

    def choices(self) -> list[str]:
        """All legal choices of the seat to move."""
        if self.phase == "bet":
            return [f"bet {bet}" for bet in range(self.size + 1) if not self._barred(bet)]
        if self.phase == "play":
            return [f"play {card}" for card in sorted(self._playable())]
        return []

    def _barred(self, bet: int) -> bool:
        """The last to bet may not make the bets add up to the hands of the round."""
        is_last = len(self.bets) == self.players - 1
        return is_last and sum(self.bets.values()) + bet == self.size

    def _playable(self) -> list[str]:
        """The leader plays anything; the others follow the pinta if they can, and otherwise play anything."""
        held = self.cards[self.seat]
        if not self.hand:
            return held
        pinta = self.hand[0][1][0]
        return [card for card in held if card[0] == pinta] or held

    def choose(self, text: str) -> None:
        """Make one choice of the seat to move."""
        if text not in self.choices():
            raise ValueError(f"illegal choice {text!r}")
        _, what = text.split()
        if self.phase == "play":
            self._play(what)
            return
        self.bets[self.seat] = int(what)
        self.seat = (self.seat + 1) % self.players
        if len(self.bets) == self.players:
            self.seat = (self.first + 1) % self.players  # PS2 leads the first hand, not PS1
            self.phase = "play"

    def _play(self, card: str) -> None:
        """Put a card on the table; the winner of a full hand leads the next one."""
        self.cards[self.seat].remove(card)
        self.hand.append((self.seat, card))
        if len(self.hand) < self.players:
            self.seat = (self.seat + 1) % self.players
            return
        self.seat = winner(self.hand, self.mesa_card[0])
        self.wins[self.seat] += 1
        self.hand = []
        if sum(self.wins) == self.size:
            self._end_round()

    def _end_round(self) -> None:
        """Score the round and move PS1 one seat on; after the last round the match is over."""
        for seat in range(self.players):
            self.totals[seat] += points(self.bets[seat], self.wins[seat])
        self.first = (self.first + 1) % self.players
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
        return [sorted(held) for held in self.cards]

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
