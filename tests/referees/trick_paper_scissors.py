"""TrickPaperScissors judged straight from the rules: plain and slow, a second opinion for tests."""

from __future__ import annotations

import copy

SUITS = "RPS"  # rock, paper, scissors
PACK = [suit + str(rank) for suit in SUITS for rank in range(1, 14)]
TRUMP_OF = {"R": "P", "P": "S", "S": "R"}  # by the suit led
LADDER = [-1, 1, 2]  # the values a suit can have; there is no 0
DEFAULTS: dict[str, object] = {
    "discard_face_up": False,
    "stars": [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3],  # for ranks 1 to 13
    "deals": 1,
    "first_dealer": "last_seat",
}


def rank(card: str) -> int:
    """The number on a card."""
    return int(card[1:])


def winner(trick: list[tuple[int, str]]) -> tuple[int, str]:
    """The highest trump, or if there is none the highest card of the led suit, as (seat, card)."""
    led = trick[0][1][0]
    trumps = [(seat, card) for seat, card in trick if card[0] == TRUMP_OF[led]]
    following = [(seat, card) for seat, card in trick if card[0] == led]
    return max(trumps or following, key=lambda played: rank(played[1]))


def value_steps(value: int) -> list[int]:
    """The values a trump winner may choose: the present one and its neighbours on the ladder."""
    place = LADDER.index(value)
    return [LADDER[i] for i in range(len(LADDER)) if abs(i - place) <= 1]


class Referee:
    """One match of TrickPaperScissors."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        """Start before the first lot or deal."""
        if players not in (3, 4):
            raise ValueError(f"TrickPaperScissors is not for {players} players")
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options: {sorted(unknown)}")
        settings = {**DEFAULTS, **options}
        stars = settings["stars"]
        if not isinstance(stars, list) or len(stars) != 13 or not all(isinstance(star, int) for star in stars):
            raise ValueError(f"stars: {stars!r}")
        deals = settings["deals"]
        if not isinstance(deals, int) or isinstance(deals, bool) or deals < 1:
            raise ValueError(f"deals: {deals!r}")
        if not isinstance(settings["discard_face_up"], bool):  # changes what is seen, not what is legal
            raise TypeError(f"discard_face_up: {settings['discard_face_up']!r}")
        self.players = players
        self.stars: list[int] = list(stars)
        self.deals_left = deals
        self.phase = "deal"  # "lots", "deal", "play", "value" or "over"
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
        self.set_aside: list[str] = []
        self.values = dict.fromkeys(SUITS, 1)
        self.points = [dict.fromkeys(SUITS, 0) for _ in range(players)]
        self.trick: list[tuple[int, str]] = []
        self.trump = ""  # the suit whose value is being chosen
        self.seat = -1

    def wants(self) -> str:
        """Which kind of event comes next: "lots", "deal", "choice" or "over"."""
        return "choice" if self.phase in ("play", "value") else self.phase

    def chance(self, text: str) -> None:
        """Take the lots for the first dealer, or the pack of the next deal."""
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
        """All but three cards are dealt; values start at 1 and points at 0; the player after the dealer leads."""
        self.deals_left -= 1
        first = (self.dealer + 1) % self.players
        for i in range(36):
            self.cards[(first + i) % self.players].append(pack[i])
        self.set_aside = pack[36:]
        self.values = dict.fromkeys(SUITS, 1)
        self.points = [dict.fromkeys(SUITS, 0) for _ in range(self.players)]
        self.seat = first
        self.phase = "play"

    def turn(self) -> int:
        """The seat to move."""
        if self.wants() != "choice":
            raise ValueError("nobody is to move")
        return self.seat

    def choices(self) -> list[str]:
        """All legal choices of the seat to move."""
        if self.phase == "value":
            return [f"value {value}" for value in value_steps(self.values[self.trump])]
        if self.phase == "play":
            return [f"play {card}" for card in sorted(self._playable())]
        return []

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
        else:
            self.values[self.trump] = int(what)
            self._next_trick()

    def _play(self, card: str) -> None:
        """Put a card to the trick. A lead-suit win scores; a trump win lets the winner choose a value."""
        self.cards[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < self.players:
            self.seat = (self.seat + 1) % self.players
            return
        self.seat, best = winner(self.trick)  # the winner also leads the next trick
        led = self.trick[0][1][0]
        lowest = min(rank(card) for _, card in self.trick if card[0] == led)
        self.trick = []
        if best[0] == led:
            self.points[self.seat][led] += self.stars[lowest - 1]
            self._next_trick()
        else:
            self.trump = best[0]
            self.phase = "value"

    def _next_trick(self) -> None:
        """Go on while cards are left; otherwise add points times final values to the totals."""
        if any(self.cards):
            self.phase = "play"
            return
        for seat in range(self.players):
            self.totals[seat] += sum(self.points[seat][suit] * self.values[suit] for suit in SUITS)
        self.dealer = (self.dealer + 1) % self.players
        self.phase = "deal" if self.deals_left else "over"

    def scores(self) -> list[int]:
        """Totals over the finished deals."""
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
