"""The rules against a second, independent implementation written from the text of the rules alone (tests/referees): in lockstep through random
matches, and by counting all continuations of small positions (tests/counts)."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kortlek.cards import members
from kortlek.engine import plain
from kortlek.game import DEAL, LOTS, OVER, SHUFFLE, Game, State
from kortlek.game.registry import GAMES

COUNTS = Path(__file__).parent / "counts"
WANTS = {OVER: "over", DEAL: "deal", SHUFFLE: "deal", LOTS: "lots"}
MATCHES = {"plump": 25, "up_and_down": 40, "trick_paper_scissors": 60, "rummy": 30, "cascade": 10, "hearts": 30, "spades": 60}


def referee(name: str, players: int, options: dict[str, object]) -> Any:
    return importlib.import_module(f"referees.{name}").Referee(players, options)


def legal(game: Game[Any], s: State) -> list[str]:
    return sorted(game.notation[s.phase][choice] for choice in members(game.legal(s)))


def options_for(name: str, players: int, random: Random) -> dict[str, object]:
    """Options that reach every rule, in the notation that both sides read."""
    pick = random.choice
    all_options: dict[str, dict[str, object]] = {
        "plump": {"first_lead": pick(["first_bidder", "highest_bidder"]), "first_dealer": pick(["last_seat", "random", 0, 1])},
        "up_and_down": {"largest_round": random.randint(1, 51 // players), "first_bettor": pick(["random", 0, 1])},
        "trick_paper_scissors": {
            "discard_face_up": pick([True, False]),
            "deals": random.randint(1, 4),
            "first_dealer": pick(["last_seat", "random", 2]),
            "stars": [random.randint(0, 5) for _ in range(13)],
        },
        "rummy": {
            "threshold": pick([0, 10, 20, 30, 40, 50]),
            "threshold_suffices": pick([True, False]),
            "games": pick([1, 2]),
            "earliest_laying_round": pick([1, 1, 3]),
            "round_limit": pick([5, 30, 60]),
        },
        "cascade": {"games": random.randint(1, 3), "hand_sizes": [random.randint(1, 13) for _ in range(players)]},
        "hearts": {
            "target": pick([10, 50, 100]),
            "pass_order": pick(["left_right_across_hold", "left_right_across", "left", "never"]),
            "breaking": pick(["by_a_heart", "by_a_heart_or_the_queen", "not_needed"]),
            "moon_counts": pick(["others_add", "shooter_subtracts", "shooter_chooses"]),
            **{
                name: pick([True, False])
                for name in ("lead_any_club", "points_in_first_trick", "hearts_instead_of_queen", "jack_of_diamonds", "no_tricks_bonus")
            },
        },
        "spades": {
            "target": pick([50, 500]),
            "losing_score": pick([-50, -200, -1000]),
            "nil_points": pick([0, 50, 100]),
            "failed_nil": pick(["makes_bags", "helps_partner"]),
            "blind_nil": pick([True, False]),
            "bags_for_penalty": pick([3, 5, 10]),
            "bag_penalty": pick([0, 50, 100]),
            "least_together": pick([0, 0, 4, 7]),
            "breaking": pick(["by_a_spade", "not_needed"]),
            "first_dealer": pick(["last_seat", "random", 0, 1]),
        },
    }
    return all_options[name]


def liked(choices: list[str], random: Random) -> str:
    """A choice, often one that moves the game on, so that melds, swaps and full triangles occur."""
    forward = [each for each in choices if each in ("lay", "add", "done", "swap", "draw discard") or each.startswith("play")]
    return random.choice(forward if forward and random.random() < 0.7 else choices)


@pytest.mark.parametrize("name", MATCHES)
def test_the_referee_agrees_with_every_step(name: str) -> None:
    game, random, events = GAMES[name], Random(f"lockstep {name}"), 0
    for _ in range(MATCHES[name]):
        players = random.choice(game.players)
        options = options_for(name, players, random)
        s, other = plain.begin(game, players, options), referee(name, players, dict(options))
        while s.phase != OVER:
            assert other.wants() == WANTS.get(s.phase, "choice")
            if s.phase >= 0:
                assert (other.turn(), sorted(other.choices())) == (s.turn, legal(game, s))
                text = liked(legal(game, s), random)
                other.choose(text)
            else:
                text = plain.write(game, s, plain.resolve_chance(game, s, lambda things, n: random.shuffle(things)))
                other.chance(text)
            plain.step(game, s, plain.read(game, s, text))
            assert other.scores() == s.score[:players]
            events += 1
        assert other.wants() == "over"
        assert other.winners() == set(plain.winning_seats(game, s))
    assert events > 1000


# ---- counts


def reach(name: str, set_up: dict[str, Any]) -> tuple[Any, Any]:
    """A small position: both sides after this number of events, with choices by a seeded generator."""
    game = GAMES[name]
    s, other = plain.begin(game, set_up["players"], set_up["options"]), referee(name, set_up["players"], dict(set_up["options"]))
    random = Random(set_up["pack"])
    for _ in range(set_up["after"]):
        if s.phase >= 0:
            text = liked(legal(game, s), random)
            other.choose(text)
        else:
            text = plain.write(game, s, plain.resolve_chance(game, s, lambda things, n: random.shuffle(things)))
            other.chance(text)
        plain.step(game, s, plain.read(game, s, text))
    return s, other


def count_ours(game: Game[Any], s: State, depth: int) -> int:
    """The number of different sequences of choices, of at most this length, until chance or the end."""
    if s.phase < 0 or depth == 0:
        return 1
    ways = 0
    for choice in members(game.legal(s)):
        after = plain.copy_of(s)
        game.rules.apply(after, choice)
        ways += count_ours(game, after, depth - 1)
    return ways


def count_theirs(other: Any, depth: int) -> int:
    if other.wants() != "choice" or depth == 0:
        return 1
    ways = 0
    for text in other.choices():
        after = other.clone()
        after.choose(text)
        ways += count_theirs(after, depth - 1)
    return ways


def set_ups(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (COUNTS / f"{name}.txt").read_text().splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("name", GAMES)
def test_there_are_counts_for_at_least_six_small_positions(name: str) -> None:
    assert len(set_ups(name)) >= 6


@pytest.mark.parametrize(("name", "set_up"), [(name, set_up) for name in GAMES for set_up in set_ups(name)], ids=str)
def test_all_ways_to_go_on_are_counted(name: str, set_up: dict[str, Any]) -> None:
    """The engine and the brute force find the same number, which is also the one in the file."""
    s, other = reach(name, set_up)
    assert count_ours(GAMES[name], s, set_up["depth"]) == set_up["ways"]
    assert count_theirs(other, set_up["depth"]) == set_up["ways"]
