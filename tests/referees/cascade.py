"""Cascade judged straight from the rules: plain and slow, a second opinion for tests."""

from __future__ import annotations

import copy

SUITS = "CDHS"
RANKS = "A23456789TJQK"  # the ace counts 1
PACK = [suit + rank for suit in SUITS for rank in RANKS]
TOP_ROW = {2: 10, 3: 12, 4: 12}  # length by number of players
HAND_SIZES = {2: [4, 5], 3: [4, 5, 6], 4: [3, 4, 5, 6]}  # in turn order


def value(card: str) -> int:
    """1 for an ace up to 13 for a king."""
    return RANKS.index(card[1]) + 1


def fits(card: str, left: str, right: str) -> bool:
    """A card may go below two others unless its value lies between theirs; equal to one of them is allowed."""
    low, high = sorted([value(left), value(right)])
    return not low < value(card) < high


def in_a_row(card: str, left: str, right: str) -> bool:
    """The upper two have neighbouring values and the card goes on above or below them, without wrapping round."""
    low, high = sorted([value(left), value(right)])
    return high - low == 1 and value(card) in (low - 1, high + 1)


def bonus(card: str, left: str, right: str) -> tuple[int, int]:
    """Actions and draws gained: an action per equal value, a draw per equal suit, one of each for three in a row."""
    row = 1 if in_a_row(card, left, right) else 0
    actions = [value(left), value(right)].count(value(card)) + row
    draws = [left[0], right[0]].count(card[0]) + row
    return actions, draws


def points(played: list[int]) -> list[int]:
    """Cards played above the fewest; whoever alone played the most gets 1 extra."""
    result = [number - min(played) for number in played]
    if played.count(max(played)) == 1:
        result[played.index(max(played))] += 1
    return result


class Referee:
    """One match of Cascade."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        """Start before the first pack."""
        if players not in TOP_ROW:
            raise ValueError(f"Cascade is not for {players} players")
        unknown = set(options) - {"hand_sizes", "games"}
        if unknown:
            raise ValueError(f"unknown options: {sorted(unknown)}")
        self.players = players
        self.width = TOP_ROW[players]
        games = options.get("games", players)
        if not isinstance(games, int) or isinstance(games, bool) or games < 1:
            raise ValueError(f"games: {games!r}")
        sizes = options.get("hand_sizes", HAND_SIZES[players])
        most = 52 - self.width // players
        if not isinstance(sizes, list) or len(sizes) != players:
            raise ValueError(f"hand_sizes: {sizes!r}")
        if not all(isinstance(size, int) and 0 <= size <= most for size in sizes):
            raise ValueError(f"hand_sizes: {sizes!r}")
        self.hand_sizes: list[int] = list(sizes)
        self.games_left = games
        self.starter = 0  # of the present or coming game; seat 0 starts the first
        self.phase = "deal"  # "deal", "act", "column" or "over"
        self.totals = [0] * players
        self.packs: list[list[str]] = []  # by seat; the first card of a list is on top
        self.cards: list[list[str]] = [[] for _ in range(players)]
        self.columns: list[list[str]] = []  # columns[j][r] is the card in slot (r, j)
        self.played = [0] * players
        self.seat = -1
        self.actions = 0
        self.acted = False  # whether the seat to move has taken an action this turn
        self.passes = 0  # turns without any action, in a row
        self.announced = ""  # the card whose column is being chosen

    def wants(self) -> str:
        """Which kind of event comes next: "deal", "choice" or "over" (Cascade has no lots)."""
        return "choice" if self.phase in ("act", "column") else self.phase

    def chance(self, text: str) -> None:
        """Take the pack of the next seat; with the last one the game begins."""
        kind, *items = text.split()
        if kind != self.wants() or kind != "deal":
            raise ValueError(f"{text!r} when {self.wants()} was due")
        if sorted(items) != sorted(PACK):
            raise ValueError(f"not a pack: {text!r}")
        self.packs.append(items)
        if len(self.packs) == self.players:
            self._set_up()

    def _set_up(self) -> None:
        """Lay the top row from left to right, the starting player first; then give the hands in turn order."""
        self.games_left -= 1
        self.columns = []
        for i in range(self.width):
            self.columns.append([self.packs[(self.starter + i) % self.players].pop(0)])
        self.cards = [[] for _ in range(self.players)]
        for i in range(self.players):
            self._draw((self.starter + i) % self.players, self.hand_sizes[i])
        self.played = [0] * self.players
        self.passes = 0
        self._start_turn(self.starter)
        self._go_on()

    def _draw(self, seat: int, number: int) -> None:
        """Draw from the seat's own pack; draws from an empty pack are lost."""
        for _ in range(number):
            if self.packs[seat]:
                self.cards[seat].append(self.packs[seat].pop(0))

    def _start_turn(self, seat: int) -> None:
        """A turn has one action; an empty hand first gets a free card."""
        self.seat = seat
        self.actions = 1
        self.acted = False
        if not self.cards[seat]:
            self._draw(seat, 1)

    def _go_on(self) -> None:
        """End turns until somebody has something to choose or the game is over.

        A turn ends without actions left, or with nothing to play or draw. A turn without any action is a pass;
        when all players pass in a row the game ends as it stands.
        """
        self.phase = "act"
        while not self._complete() and (self.actions == 0 or not self.choices()):
            self.passes = 0 if self.acted else self.passes + 1
            if self.passes == self.players:
                self._end_game()
                return
            self._start_turn((self.seat + 1) % self.players)
        if self._complete():
            self._end_game()

    def _complete(self) -> bool:
        """Row r has (top row - r) slots, so column j ends up with (top row - j) cards."""
        return all(len(self.columns[j]) == self.width - j for j in range(self.width))

    def _parents(self, j: int) -> tuple[str, str] | None:
        """The two cards above the open slot of column j, or nothing if the column has no open slot.

        Slot (r, j) lies below (r - 1, j) and (r - 1, j + 1).
        """
        if j == self.width - 1:
            return None
        r = len(self.columns[j])
        if len(self.columns[j + 1]) < r:
            return None
        return self.columns[j][r - 1], self.columns[j + 1][r - 1]

    def _columns_for(self, card: str) -> list[int]:
        """The columns, from 0, whose open slot takes the card."""
        found = []
        for j in range(self.width):
            parents = self._parents(j)
            if parents is not None and fits(card, parents[0], parents[1]):
                found.append(j)
        return found

    def turn(self) -> int:
        """The seat to move."""
        if self.wants() != "choice":
            raise ValueError("nobody is to move")
        return self.seat

    def choices(self) -> list[str]:
        """All legal choices of the seat to move: cards that fit somewhere, and a draw unless the pack is empty."""
        if self.phase == "column":
            return [f"column {j + 1}" for j in self._columns_for(self.announced)]
        if self.phase == "act":
            plays = [f"play {card}" for card in sorted(self.cards[self.seat]) if self._columns_for(card)]
            return plays + (["draw"] if self.packs[self.seat] else [])
        return []

    def choose(self, text: str) -> None:
        """Make one choice of the seat to move."""
        if text not in self.choices():
            raise ValueError(f"illegal choice {text!r}")
        if text == "draw":
            self.actions -= 1
            self.acted = True
            self._draw(self.seat, 1)
            self._go_on()
        elif self.phase == "act":
            self.announced = text.split()[1]
            self.phase = "column"
        else:
            self._place(int(text.split()[1]) - 1)
            self._go_on()

    def _place(self, j: int) -> None:
        """The card costs an action; bonus actions are added and bonus cards drawn at once, for the last slot too."""
        parents = self._parents(j)
        assert parents is not None
        actions, draws = bonus(self.announced, parents[0], parents[1])
        self.cards[self.seat].remove(self.announced)
        self.columns[j].append(self.announced)
        self.announced = ""
        self.played[self.seat] += 1
        self.acted = True
        self.actions += actions - 1
        self._draw(self.seat, draws)

    def _end_game(self) -> None:
        """Add the points of the game; the next seat starts the next game, with fresh packs."""
        for seat, gained in enumerate(points(self.played)):
            self.totals[seat] += gained
        self.starter = (self.starter + 1) % self.players
        self.packs = []
        self.phase = "deal" if self.games_left else "over"

    def scores(self) -> list[int]:
        """Totals over the finished games."""
        return list(self.totals)

    def winners(self) -> set[int]:
        """The highest total wins; equal totals share the win."""
        if self.phase != "over":
            raise ValueError("the match is not over")
        return {seat for seat in range(self.players) if self.totals[seat] == max(self.totals)}

    def hands(self) -> list[list[str]]:
        """The cards each seat holds, in plain text order.

        An announced card is held until its column is chosen; hands left over stay until the next game is set up.
        """
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
