"""The metrics of each game, computed again from outside: from choices in notation, hands and scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from kortlek.bots.levels import house_of
from kortlek.cards import members, total
from kortlek.engine.plain import begin, copy_of, resolve_chance, step
from kortlek.engine.rng import seeded, shuffle
from kortlek.game import OVER, SHUFFLE
from kortlek.game.registry import GAMES, metrics_of

SETTINGS: list[tuple[str, int, dict[str, str]]] = [
    ("plump", 3, {}),
    ("plump", 10, {"first_lead": "highest_bidder"}),
    ("up_and_down", 4, {"largest_round": "4"}),
    ("up_and_down", 2, {"largest_round": "12"}),
    ("trick_paper_scissors", 4, {"deals": "6"}),
    ("trick_paper_scissors", 3, {"deals": "4"}),
    ("rummy", 2, {"games": "6"}),
    ("rummy", 5, {"games": "3", "threshold": "20", "round_limit": "12"}),
    ("rummy", 3, {"games": "4", "threshold": "100", "round_limit": "60"}),
    ("cascade", 2, {}),
    ("cascade", 4, {}),
]
IDS = [f"{game}-{players}" for game, players, _ in SETTINGS]


@dataclass
class Step:
    """One choice: its seat, its notation, all legal choices, and the states before and after it."""

    seat: int
    text: str
    allowed: list[str]
    before: Any
    after: Any

    @property
    def ends_round(self) -> bool:
        return bool(self.after.round > self.before.round)


def played(name: str, players: int, options: dict[str, str]) -> tuple[dict[str, tuple[int, int]], list[Step], int]:
    """A match of the house policy against itself: the metrics, all choices, and the number of reshuffles of part of the pack."""
    game, s = GAMES[name], begin(GAMES[name], players, options)
    metrics = metrics_of(game)
    counters, steps, reshuffles = metrics.counters(), list[Step](), 0
    dealing, luck = [seeded(7, players)], [seeded(8, players)]
    while s.phase != OVER:
        before = copy_of(s)
        if s.phase < 0:
            event = resolve_chance(game, s, lambda pack, n: shuffle(pack, n, dealing))
            reshuffles += before.phase == SHUFFLE and game.name == "rummy"
            step(game, s, event)
            metrics.count(before, s, -1, counters)
            continue
        notation = game.notation[s.phase]
        choice = house_of(game).choose(s, luck)
        allowed = [notation[each] for each in members(game.legal(s))]
        step(game, s, choice)
        metrics.count(before, s, choice, counters)
        steps.append(Step(before.turn, notation[choice], allowed, before, copy_of(s)))
    named = {name: (getattr(counters, name)[0], getattr(counters, name)[1]) for name in metrics.names}
    return named, steps, reshuffles


def rounds(steps: list[Step]) -> list[list[Step]]:
    """The choices of each round."""
    parts: list[list[Step]] = [[]]
    for each in steps:
        parts[-1].append(each)
        if each.ends_round:
            parts.append([])
    return parts[:-1]


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS[:4], ids=IDS[:4])
def test_promises_are_counted(name: str, players: int, options: dict[str, str]) -> None:
    counted, steps, _ = played(name, players, options)
    hook = kept = kept_last = 0
    first_points = last_points = all_points = 0
    by_cards: Counter[int] = Counter()
    for part in rounds(steps):
        bids = [step for step in part if step.text.split()[0] in ("bid", "bet")]
        assert len(bids) == players
        cards = len(bids[0].allowed) - 1
        hook += len(bids[-1].allowed) == cards
        earned = [after - before for after, before in zip(part[-1].after.score, part[0].before.score)]
        kept += sum(points > 0 for points in earned[:players])
        by_cards[cards] += sum(points > 0 for points in earned[:players])
        kept_last += earned[bids[-1].seat] > 0
        first_points, last_points = first_points + earned[bids[0].seat], last_points + earned[bids[-1].seat]
        all_points += sum(earned[:players])
    many = len(rounds(steps))
    assert counted["hook"] == (hook, many)
    assert counted["kept"] == (kept, many * players)
    assert counted["kept_last"] == (kept_last, many)
    assert (counted["points_first"], counted["points_last"]) == ((first_points, many), (last_points, many))
    assert counted["points_all"] == (all_points, many * players)
    for cards in range(1, 11):
        assert counted[f"kept_{cards}"][0] == by_cards[cards]
    assert hook > 0 and 0 < kept < many * players, "all of it happens"


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS[:6], ids=IDS[:6])
def test_plays_that_the_suit_led_decides_are_counted(name: str, players: int, options: dict[str, str]) -> None:
    counted, steps, _ = played(name, players, options)
    plays = [step for step in steps if step.text.startswith("play ")]
    following = [step for step in plays if any(card >= 0 for card in step.before.table[:players])]
    held = {id(step): bin(step.before.hand[step.seat]).count("1") for step in plays}
    assert counted["forced_follow"] == (sum(len(step.allowed) < held[id(step)] for step in following), len(following))
    assert counted["one_card_left"] == (sum(len(step.allowed) == 1 < held[id(step)] for step in plays), len(plays))


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS[2:4], ids=IDS[2:4])
def test_hands_won_by_the_mesa_are_counted(name: str, players: int, options: dict[str, str]) -> None:
    counted, steps, _ = played(name, players, options)
    won = hands = 0
    for each in steps:
        if each.text.startswith("play ") and sum(each.after.taken[:players]) > sum(each.before.taken[:players]):
            hands += 1
            winner = next(seat for seat in range(players) if each.after.taken[seat] > each.before.taken[seat])
            mesa = next(iter(members(each.before.mesa))) // 13
            won += each.after.last[winner] // 13 == mesa and each.after.last[each.before.leader] // 13 != mesa
    assert counted["trump_wins"] == (won, hands)
    assert won > 0


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS[4:6], ids=IDS[4:6])
def test_trumps_and_values_of_trick_paper_scissors_are_counted(name: str, players: int, options: dict[str, str]) -> None:
    counted, steps, _ = played(name, players, options)
    tricks = sum(step.text.startswith("play ") for step in steps) // players
    values = [step for step in steps if step.text.startswith("value ")]
    changed = [step for step in values if step.before.value != step.after.value]
    assert counted["trump_wins"] == (len(values), tricks)
    assert counted["value_changes"] == (len(changed), len(values))
    ends = [step for step in steps if step.ends_round]
    assert counted["below_zero"] == (sum(value < 0 for step in ends for value in step.after.value), 3 * len(ends))
    leaders = [next(step for step in part).seat for part in rounds(steps)]
    assert counted["points_leader"] == (sum(step.after.result[seat] for step, seat in zip(ends, leaders)), len(ends))
    assert counted["points_dealer"] == (sum(step.after.result[(seat - 1) % players] for step, seat in zip(ends, leaders)), len(ends))


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS[6:9], ids=IDS[6:9])
def test_what_happens_in_rummy_is_counted(name: str, players: int, options: dict[str, str]) -> None:
    counted, steps, reshuffles = played(name, players, options)
    games = rounds(steps)
    drawn = [part for part in games if not any(points == 0 for points in part[-1].after.points[:players])]
    assert counted["drawn"] == (len(drawn), len(games))
    assert counted["stuck"] == (sum(part[-1].before.lap < part[-1].before.round_limit for part in drawn), len(games))
    discards = [sum(step.text.startswith("discard ") for step in part) for part in games]
    assert counted["laps"] == (sum(-(-many // players) for many in discards), len(games))
    assert counted["recycled"] == (reshuffles, len(games))
    assert counted["melds"] == (sum(step.text == "done" for step in steps), len(games))
    to_melds = [step for step in steps if (step.text.startswith("meld ") or step.text in ("low", "high", "swap")) and step.after.phase == 1]
    swapped = [step for step in to_melds if total(step.after.hand[step.seat]) == total(step.before.hand[step.seat])]
    assert counted["swapped"] == (len(swapped), len(games))
    assert counted["added"] == (len(to_melds) - len(swapped), len(games))
    draws = [step for step in steps if step.text.startswith("draw ") and step.before.laid[step.seat]]
    assert counted["took_discard"] == (sum(step.text == "draw discard" for step in draws), len(draws))
    assert counted["laid"] == (sum(sum(part[-1].after.laid[:players]) for part in games), len(games) * players)
    first = [step.before.lap for step in steps if step.after.laid[step.seat] and not step.before.laid[step.seat]]
    assert counted["first_laid"] == (sum(first), len(first))


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS[9:], ids=IDS[9:])
def test_what_happens_in_cascade_is_counted(name: str, players: int, options: dict[str, str]) -> None:
    counted, steps, _ = played(name, players, options)
    games = rounds(steps)
    full = players == 2 and 55 or 78
    assert counted["stuck"] == (sum(sum(part[-1].after.filled) < full for part in games), len(games))
    assert counted["passes"] == (sum(sum(part[-1].after.passed[:players]) for part in games), len(games))
    acts = [step for step in steps if step.text == "draw" or step.text.startswith("play ")]
    assert counted["actions_drawing"] == (sum(step.text == "draw" for step in acts), len(acts))
    placed = [step for step in steps if step.text.startswith("column ")]
    turns = 1 + sum(step.seat != follows.seat or step.ends_round for step, follows in zip(steps, steps[1:]))
    assert counted["chain"] == (len(placed), turns)
    assert counted["bonus_cards"][1] == counted["bonus_actions"][1] == len(placed)
    first = sum(part[-1].after.played[part[-1].before.first] for part in games)
    last = sum(part[-1].after.played[(part[-1].before.first - 1) % players] for part in games)
    assert (counted["played_first"], counted["played_last"]) == ((first, len(games)), (last, len(games)))
    assert counted["bonus_actions"][0] > 0 < counted["bonus_cards"][0]
