"""Hearts judged straight from the rules: plain and slow, a second opinion for tests."""

from __future__ import annotations

import copy

RANKS = "23456789TJQKA"  # low to high: the ace is high
PACK = [suit + rank for suit in "CDHS" for rank in RANKS]
DEFAULTS: dict[str, object] = {
    "target": 100,
    "pass_order": "left_right_across_hold",
    "lead_any_club": "no",
    "points_in_first_trick": "no",
    "breaking": "by_a_heart",
    "hearts_instead_of_queen": "no",
    "moon_counts": "others_add",
    "jack_of_diamonds": "no",
    "no_tricks_bonus": "no",
}
STEPS = {"left": 1, "right": -1, "across": 2, "hold": 0}
ORDERS = {
    "left_right_across_hold": ["left", "right", "across", "hold"],
    "left_right_across": ["left", "right", "across"],
    "left": ["left"],
    "never": ["hold"],
}


def is_heart(card: str) -> bool:
    return card[0] == "H"


def worth(card: str) -> int:
    """A heart is a point, the queen of spades thirteen."""
    return 13 if card == "SQ" else 1 if is_heart(card) else 0


class Referee:
    """One match of Hearts."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        """Start before the first deal."""
        if players != 4:
            raise ValueError(f"Hearts is not for {players} players")
        self.options = {**DEFAULTS, **options}
        if set(self.options) != set(DEFAULTS):
            raise ValueError(f"unknown options: {sorted(set(self.options) - set(DEFAULTS))}")
        self.totals = [0] * 4
        self.rounds = 0
        self.dealer = 3
        self.phase = "deal"  # "deal", "pass", "play", "moon" or "over"
        self.seat = -1
        self.cards: list[set[str]] = [set() for _ in range(4)]

    def yes(self, option: str) -> bool:
        return self.options[option] in ("yes", True)

    def wants(self) -> str:
        """Which kind of event comes next."""
        return self.phase if self.phase in ("deal", "over") else "choice"

    def chance(self, text: str) -> None:
        """The pack of the next round."""
        kind, *pack = text.split()
        if self.phase != "deal" or kind != "deal" or sorted(pack) != sorted(PACK):
            raise ValueError(f"{text!r} when {self.wants()} was due")
        self.cards = [set() for _ in range(4)]
        for at, card in enumerate(pack):
            self.cards[(self.dealer + 1 + at) % 4].add(card)
        self.aside: list[list[str]] = [[] for _ in range(4)]
        self.trick: list[tuple[int, str]] = []
        self.piles: list[list[str]] = [[] for _ in range(4)]  # the cards that each has taken
        self.played: list[str] = []
        order = ORDERS[str(self.options["pass_order"])]
        self.direction = order[self.rounds % len(order)]
        if self.direction == "hold":
            self._begin()
        else:
            self.phase, self.seat = "pass", 0

    def _begin(self) -> None:
        """Who has the two of clubs leads."""
        self.phase = "play"
        self.seat = next(seat for seat in range(4) if "C2" in self.cards[seat])

    def turn(self) -> int:
        """The seat to move; of those who pass together, the lowest that has not finished."""
        return self.seat

    def choices(self) -> list[str]:
        """All legal choices of the seat to move."""
        hand = self.cards[self.seat]
        if self.phase == "pass":
            return [f"pass {card}" for card in hand if card not in self.aside[self.seat]]
        if self.phase == "play":
            return [f"play {card}" for card in self._playable(hand)]
        return ["add", "subtract"] if self.phase == "moon" else []

    def _playable(self, hand: set[str]) -> set[str]:
        if not self.played:
            return {card for card in hand if card[0] == "C"} if self.yes("lead_any_club") else {"C2"}
        if self.trick:
            led = self.trick[0][1][0]
            following = {card for card in hand if card[0] == led}
            if following:
                return following
            harmless = {card for card in hand if worth(card) == 0}
            if len(self.played) < 4 and harmless and not self.yes("points_in_first_trick"):
                return harmless
            return hand
        others = {card for card in hand if not is_heart(card)}
        if self._hearts_are_broken() or not others:
            return hand
        if others == {"SQ"} and self.yes("hearts_instead_of_queen"):
            return hand
        return others

    def _hearts_are_broken(self) -> bool:
        how = self.options["breaking"]
        if how == "not_needed" or any(map(is_heart, self.played)):
            return True
        return how == "by_a_heart_or_the_queen" and "SQ" in self.played

    def choose(self, text: str) -> None:
        """Make one choice of the seat to move."""
        if text not in self.choices():
            raise ValueError(f"illegal choice {text!r}")
        if self.phase == "moon":
            self._score(subtract=text == "subtract")
        elif self.phase == "pass":
            self._pass(text.split()[1])
        else:
            self._play(text.split()[1])

    def _pass(self, card: str) -> None:
        self.aside[self.seat].append(card)
        if len(self.aside[self.seat]) < 3:
            return
        self.seat += 1
        if self.seat == 4:
            for seat in range(4):
                self.cards[seat] -= set(self.aside[seat])
            for seat in range(4):
                self.cards[(seat + STEPS[self.direction]) % 4] |= set(self.aside[seat])
            self._begin()

    def _play(self, card: str) -> None:
        self.cards[self.seat].remove(card)
        self.played.append(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < 4:
            self.seat = (self.seat + 1) % 4
            return
        led = self.trick[0][1][0]
        self.seat = max((RANKS.index(card[1]), seat) for seat, card in self.trick if card[0] == led)[1]
        self.piles[self.seat] += [card for _, card in self.trick]
        self.trick = []
        if len(self.played) == 52:
            self._end_round()

    def _end_round(self) -> None:
        how, shooter = self.options["moon_counts"], self._shooter()
        if shooter is not None and how == "shooter_chooses":
            self.phase, self.seat = "moon", shooter
        else:
            self._score(subtract=how == "shooter_subtracts")

    def _shooter(self) -> int | None:
        return next((seat for seat in range(4) if sum(map(worth, self.piles[seat])) == 26), None)

    def _score(self, subtract: bool) -> None:
        shooter = self._shooter()
        for seat in range(4):
            if shooter is None:
                self.totals[seat] += sum(map(worth, self.piles[seat]))
                if not self.piles[seat] and self.yes("no_tricks_bonus"):
                    self.totals[seat] -= 5
            elif subtract:
                self.totals[seat] -= 26 if seat == shooter else 0
            else:
                self.totals[seat] += 0 if seat == shooter else 26
            if "DJ" in self.piles[seat] and self.yes("jack_of_diamonds"):
                self.totals[seat] -= 10
        self.rounds += 1
        self.dealer = (self.dealer + 1) % 4
        self.phase = "over" if max(self.totals) >= int(str(self.options["target"])) else "deal"

    def scores(self) -> list[int]:
        """Totals over the finished rounds."""
        return list(self.totals)

    def winners(self) -> set[int]:
        """The fewest points win; equal totals share the win."""
        return {seat for seat in range(4) if self.totals[seat] == min(self.totals)}

    def clone(self) -> Referee:
        """An independent copy."""
        return copy.deepcopy(self)
