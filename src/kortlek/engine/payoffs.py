"""Payoffs and teams of a game, for bots and simulations: the direction of the score, partners, and results relative to the rivals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from kortlek.cards import Cards, bit
from kortlek.engine.plain import begin
from kortlek.game import Game, alone


@cache
def sign(game: Game[Any]) -> int:
    """1 where more points are better, -1 where fewer are."""
    s = game.state()
    s.players = game.players[0]
    before = game.payoff(s, 0)
    s.score[0] += 1
    return 1 if game.payoff(s, 0) >= before else -1


@cache
def teams_of(game: Game[Any], players: int) -> tuple[int, ...]:
    """The team of each seat when a match begins."""
    s = begin(game, players)
    return tuple(game.teams(s, seat) for seat in range(players))


def sides_of(game: Game[Any], players: int) -> list[tuple[int, ...]]:
    """The seats that play together from the beginning, team by team: each alone in most games."""
    teams = teams_of(game, players)
    return [tuple(seat for seat in range(players) if teams[seat] == team) for team in dict.fromkeys(teams)]


def widest_teams(game: Game[Any], players: int) -> tuple[int, ...]:
    """The team of each seat; one team of all where teams are decided in the game, so that any players may be partners."""
    teams = teams_of(game, players)
    return teams if game.teams is alone or len(set(teams)) < players else (0,) * players


@cache
def winning_teams_rule(game: Game[Any]) -> Callable[[Any, Cards], int]:
    """The number of teams among the seats that won: partners win together, rivals share a win."""
    teams = game.rules.teams

    def winning_teams(s: Any, winners: Cards) -> int:
        found = 0
        for seat in range(s.players):
            if winners & bit(seat):
                found += 1
                for other in range(seat):
                    if winners & bit(other) and teams(s, other) == teams(s, seat):
                        found -= 1
                        break
        return found

    return winning_teams


def best_seats(game: Game[Any], points: Sequence[int]) -> Cards:
    """The set of seats with the best of these points."""
    earned = [sign(game) * each for each in points]
    return sum(bit(seat) for seat, each in enumerate(earned) if each == max(earned))


@cache
def over_rivals_rule(game: Game[Any]) -> Callable[[Any, Any, int], float]:
    """Make the function that returns what a seat has earned since an earlier state minus the mean of its rivals, or what it earned if it has no
    rivals. Partners are not rivals."""
    payoff, teams = game.rules.payoff, game.rules.teams

    def over_rivals(before: Any, after: Any, me: int) -> float:
        others = 0
        rivals = 0
        for seat in range(after.players):
            if teams(after, seat) != teams(after, me):
                others += payoff(after, seat) - payoff(before, seat)
                rivals += 1
        return payoff(after, me) - payoff(before, me) - (others / rivals if rivals else 0.0)

    return over_rivals
