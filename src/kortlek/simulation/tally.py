"""Statistics of many games. All counts are whole numbers, so that the order in which parts are merged does not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from kortlek.cards import Cards
from kortlek.simulation.loop import CHOICES, ROUNDS, SHARING, WINNERS

WIN = 360_360
"""The units of a win: any number of teams up to thirteen can share them evenly."""
NORMAL_95 = 1.959963984540054
"""The half-width of a 95 % confidence interval in standard errors."""


@dataclass
class Sums:
    """The sums for a seat, or for all seats of one kind of bot together."""

    score: int = 0
    squares: int = 0
    wins: int = 0

    def add(self, other: Sums) -> None:
        """Add other sums to these."""
        self.score += other.score
        self.squares += other.squares
        self.wins += other.wins


@dataclass
class Tally:
    """The results of many games, by seat and by kind of bot."""

    bots: Sequence[str]
    teams: Sequence[int] = ()
    """The team of each seat, where the game has fixed teams."""
    games: int = 0
    draws: int = 0
    shared: int = 0
    rounds: int = 0
    choices: int = 0
    by_seat: list[Sums] = field(default_factory=list)
    by_bot: dict[str, Sums] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_seat = [Sums() for _ in self.bots]
        self.by_bot = {bot: Sums() for bot in self.bots}

    def add_game(self, scores: Sequence[int], winners: Cards, sharing: int, rounds: int, choices: int) -> None:
        """Count one more game. ``sharing`` is the number of teams that share the win."""
        self.games += 1
        self.rounds += rounds
        self.choices += choices
        self.draws += sharing == 0
        self.shared += sharing > 1
        wins = [WIN // sharing if winners >> seat & 1 else 0 for seat in range(len(self.bots))]
        for seat, sums in enumerate(self.by_seat):
            sums.add(Sums(scores[seat], scores[seat] ** 2, wins[seat]))
        for bot, sums in self.by_bot.items():
            together = sum(scores[seat] for seat, sitting in enumerate(self.bots) if sitting == bot)
            sums.add(Sums(together, together**2, sum(wins[seat] for seat, sitting in enumerate(self.bots) if sitting == bot)))

    def add_matches(self, scores: Any, facts: Any) -> None:
        """Count the matches of a simulation: lists row by row, arrays by column."""
        if isinstance(scores, list):
            for own, fact in zip(scores, facts, strict=True):
                self.add_game(own, fact[WINNERS], fact[SHARING], fact[ROUNDS], fact[CHOICES])
            return
        self.games += len(scores)
        self.rounds += int(facts[:, ROUNDS].sum())
        self.choices += int(facts[:, CHOICES].sum())
        won = shared_wins(facts, len(self.bots))
        self.draws += int((facts[:, SHARING] == 0).sum())
        self.shared += int((facts[:, SHARING] > 1).sum())
        for seat, sums in enumerate(self.by_seat):
            sums.add(column_sums(scores[:, seat], won[seat]))
        for bot, sums in self.by_bot.items():
            seats = [seat for seat, sitting in enumerate(self.bots) if sitting == bot]
            sums.add(column_sums(scores[:, seats].sum(axis=1), sum(won[seat] for seat in seats)))

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.games += other.games
        self.draws += other.draws
        self.shared += other.shared
        self.rounds += other.rounds
        self.choices += other.choices
        for sums, more in zip(self.by_seat, other.by_seat, strict=True):
            sums.add(more)
        for bot, sums in self.by_bot.items():
            sums.add(other.by_bot[bot])

    def report(self) -> dict[str, Any]:
        """The results as means and shares, with 95 % confidence intervals."""
        seats = [{"seat": seat, "bot": self.bots[seat], **self._estimates(sums, [seat])} for seat, sums in enumerate(self.by_seat)]
        bots = []
        for bot, sums in self.by_bot.items():
            taken = [seat for seat, sitting in enumerate(self.bots) if sitting == bot]
            bots.append({"bot": bot, "seats": taken, **self._estimates(sums, taken)})
        return {
            "seats": seats,
            "bots": bots,
            "draws": self.draws,
            "shared_wins": self.shared,
            "rounds_per_game": per_game(self.rounds, self.games),
            "choices_per_game": per_game(self.choices, self.games),
        }

    def _estimates(self, sums: Sums, seats: Sequence[int]) -> dict[str, Any]:
        """The estimates for some seats: their mean. Each game is one sample, since the results of its players are correlated."""
        together = max(Counter(self.teams[seat] for seat in seats).values()) if self.teams else 1
        return {"score": mean(sums.score, sums.squares, self.games, len(seats)), "win_share": share(sums.wins, self.games, len(seats), together)}


def shared_wins(facts: Any, players: int) -> list[Any]:
    """From an array of facts: for each seat its share of the win in every match, in units of ``WIN``. Teams share a win, partners do not."""
    sharing = facts[:, SHARING]
    return [(facts[:, WINNERS] >> seat & 1) * WIN // (sharing + (sharing == 0)) for seat in range(players)]


def column_sums(scores: Any, wins: Any) -> Sums:
    """The sums of a column of scores and a column of wins."""
    return Sums(int(scores.sum()), int((scores * scores).sum()), int(wins.sum()))


def per_game(total: int, games: int) -> float | None:
    """The mean per game; None without games."""
    return total / games if games else None


def mean(total: int, squares: int, games: int, seats: int) -> dict[str, float | None]:
    """The mean of a score and its 95 % confidence interval (None if there are too few games)."""
    if games == 0:
        return {"mean": None, "low": None, "high": None}
    middle = total / games
    if games == 1:
        return {"mean": middle / seats, "low": None, "high": None}
    variance = (games * squares - total * total) / (games * (games - 1))
    reach = NORMAL_95 * sqrt(variance / games)
    return {"mean": middle / seats, "low": (middle - reach) / seats, "high": (middle + reach) / seats}


def share(wins: int, games: int, seats: int, together: int = 1) -> dict[str, float | None]:
    """The share of wins (shared ones count as fractions) and its 95 % Wilson confidence interval, which is never too narrow for fractions. At most
    ``together`` of the seats are partners, who win a game without sharing it."""
    if games == 0:
        return {"mean": None, "low": None, "high": None}
    part, z, scale = wins / (WIN * games * together), NORMAL_95, together / seats
    middle = (part + z * z / (2 * games)) / (1 + z * z / games)
    reach = z * sqrt(part * (1 - part) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return {"mean": part * scale, "low": max(0.0, middle - reach) * scale, "high": min(1.0, middle + reach) * scale}
