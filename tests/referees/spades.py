"""Spades judged straight from the rules: plain and slow, a second opinion for tests."""

from __future__ import annotations

import copy

RANKS = "23456789TJQKA"  # low to high: the ace is high
PACK = [suit + rank for suit in "CDHS" for rank in RANKS]
DEFAULTS: dict[str, object] = {
    "target": 500,
    "losing_score": -200,
    "nil_points": 100,
    "failed_nil": "makes_bags",
    "blind_nil": "no",
    "bags_for_penalty": 10,
    "bag_penalty": 100,
    "least_together": 0,
    "breaking": "by_a_spade",
    "first_dealer": "last_seat",
}
TEAMS = ((0, 2), (1, 3))


class Referee:
    """One match of Spades."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        """Start before the first lot or deal."""
        if players != 4:
            raise ValueError(f"Spades is not for {players} players")
        self.options = {**DEFAULTS, **options}
        if set(self.options) != set(DEFAULTS):
            raise ValueError(f"unknown options: {sorted(set(self.options) - set(DEFAULTS))}")
        first = self.options["first_dealer"]
        self.dealer = 3 if first == "last_seat" else -1 if first == "random" else int(str(first))
        self.phase = "lots" if first == "random" else "deal"  # "lots", "deal", "blind", "bid", "play" or "over"
        self.team_totals = [0, 0]
        self.team_bags = [0, 0]
        self.blind: set[int] = set()
        self.asked: list[int] = []
        self.seat = -1

    def number(self, option: str) -> int:
        return int(str(self.options[option]))

    def wants(self) -> str:
        """Which kind of event comes next."""
        return self.phase if self.phase in ("lots", "deal", "over") else "choice"

    def chance(self, text: str) -> None:
        """The lots for the first dealer, or the pack of the next round."""
        kind, *things = text.split()
        if kind != self.phase:
            raise ValueError(f"{text!r} when {self.wants()} was due")
        if kind == "lots":
            self.dealer, self.phase = int(things[0]), "deal"
            return
        self.first = (self.dealer + 1) % 4
        self.cards = [set(things[(seat - self.first) % 4 :: 4]) for seat in range(4)]
        self.bids: dict[int, int] = {}
        self.tricks = [0] * 4
        self.trick: list[tuple[int, str]] = []
        self.spade_was_played = False
        self.phase, self.seat = "bid", self.first

    def turn(self) -> int:
        """The seat to move."""
        return self.seat

    def choices(self) -> list[str]:
        """All legal choices of the seat to move."""
        if self.phase == "blind":
            return ["blind_nil", "look"]
        if self.phase == "bid":
            return [f"bid {bid}" for bid in range(14) if self._may_bid(bid)]
        return [f"play {card}" for card in self._playable()] if self.phase == "play" else []

    def _may_bid(self, bid: int) -> bool:
        if self.seat in self.blind:
            return bid == 0
        before = self.bids.get((self.seat + 2) % 4)
        if before is None or before == 0 or bid == 0:
            return True
        return self.number("least_together") <= before + bid <= 13

    def _playable(self) -> set[str]:
        hand = self.cards[self.seat]
        if self.trick:
            return {card for card in hand if card[0] == self.trick[0][1][0]} or hand
        if self.spade_was_played or self.options["breaking"] == "not_needed":
            return hand
        return {card for card in hand if card[0] != "S"} or hand

    def choose(self, text: str) -> None:
        """Make one choice of the seat to move."""
        if text not in self.choices():
            raise ValueError(f"illegal choice {text!r}")
        if self.phase == "blind":
            if text == "blind_nil":
                self.blind.add(self.seat)
            self.asked.append(self.seat)
            self.seat = (self.seat + 2) % 4
            self.phase = "deal" if len(self.asked) == 2 else "blind"
        elif self.phase == "bid":
            self.bids[self.seat] = int(text.split()[1])
            self.seat = (self.seat + 1) % 4
            self.phase = "play" if len(self.bids) == 4 else "bid"
        else:
            self._play(text.split()[1])

    def _play(self, card: str) -> None:
        self.cards[self.seat].remove(card)
        self.trick.append((self.seat, card))
        self.spade_was_played |= card[0] == "S"
        self.seat = (self.seat + 1) % 4
        if len(self.trick) == 4:
            led = self.trick[0][1][0]
            strength = {seat: (card[0] == "S", card[0] == led, RANKS.index(card[1])) for seat, card in self.trick}
            self.seat = max(strength, key=lambda seat: strength[seat])
            self.tricks[self.seat] += 1
            self.trick = []
            if sum(self.tricks) == 13:
                self._end_round()

    def _end_round(self) -> None:
        for team, seats in enumerate(TEAMS):
            self.team_totals[team] += self._points(team, seats)
        self.blind, self.asked = set(), []
        self.dealer = (self.dealer + 1) % 4
        ahead = 0 if self.team_totals[0] > self.team_totals[1] else 1
        lead = abs(self.team_totals[0] - self.team_totals[1])
        reached = max(self.team_totals) >= self.number("target") or min(self.team_totals) <= self.number("losing_score")
        if reached and lead:
            self.phase = "over"
        elif lead >= 100 and self.options["blind_nil"] in ("yes", True):
            left_of_dealer = (self.dealer + 1) % 4
            self.seat = left_of_dealer if left_of_dealer not in TEAMS[ahead] else (left_of_dealer + 1) % 4
            self.phase = "blind"
        else:
            self.phase = "deal"

    def _points(self, team: int, seats: tuple[int, int]) -> int:
        points = bid = useful = bags = 0
        for seat in seats:
            nil = self.bids[seat] == 0
            if nil:
                stake = self.number("nil_points") * (2 if seat in self.blind else 1)
                points += -stake if self.tricks[seat] else stake
            bid += self.bids[seat]
            if nil and self.options["failed_nil"] == "makes_bags":
                bags += self.tricks[seat]
            else:
                useful += self.tricks[seat]
        if useful < bid:
            points -= 10 * bid
        else:
            points += 10 * bid
            bags += useful - bid
        points += bags
        for _ in range(bags):
            self.team_bags[team] += 1
            if self.team_bags[team] == self.number("bags_for_penalty"):
                self.team_bags[team] = 0
                points -= self.number("bag_penalty")
        return points

    def scores(self) -> list[int]:
        """Both partners have the total of their team."""
        return [self.team_totals[seat % 2] for seat in range(4)]

    def winners(self) -> set[int]:
        """The team with more points."""
        return set(TEAMS[0] if self.team_totals[0] > self.team_totals[1] else TEAMS[1])

    def clone(self) -> Referee:
        """An independent copy."""
        return copy.deepcopy(self)
