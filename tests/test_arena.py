"""``kortlek arena``: the same deals for every bot, correct statistics, and contests that can be stopped, resumed and reported."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from running import SOURCE, First, run, start

from kortlek.bots.levels import RANDOM, Level, levels_of
from kortlek.bots.monte_carlo import Budget
from kortlek.bots.policy import Policy
from kortlek.cards import highest, lowest
from kortlek.cli import INTERRUPTED
from kortlek.engine.plain import Refused
from kortlek.engine.rng import fraction
from kortlek.engine.views import content, places
from kortlek.game.registry import GAMES
from kortlek.lab.arena.contest import LUCK, Clock, Contest, GameResult, directions, play_games, promises_of, seatings, simulator_of
from kortlek.lab.arena.run import Standing, is_check_due, play_deals
from kortlek.lab.arena.statistics import Ratings, estimate
from kortlek.simulation.runner import COMPILED, PLAIN, Simulator

SHORT = {"plump": 10, "up_and_down": 3, "trick_paper_scissors": 3, "rummy": 2, "cascade": 2, "hearts": 4, "spades": 4}
"""The number of players of each game here."""
OPTIONS = {
    "up_and_down": {"largest_round": "2"},
    "trick_paper_scissors": {"deals": "2"},
    "hearts": {"target": "30"},
    "spades": {"target": "60"},
    "rummy": {"games": "2", "round_limit": "9"},
    "cascade": {"games": "2"},
}
ARENA = ["arena", "up_and_down", "--option", "largest_round=2", "--players", 3, "--seed", 5]
LONGER = ["largest_round=6" if each == "largest_round=2" else each for each in ARENA]
"""Rounds so long that nobody wins all hands."""


class Last(First):
    """Always the last legal choice."""

    def choose(self, seen: Any) -> int:
        return highest(seen.legal)


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two opposite bots of Up and Down: one bets 0 and plays low cards, the other bets all hands and plays high ones. The arena treats them as
    bots that think."""
    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "low", Level("low", lambda seed, budget: First(seed)))
    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "high", Level("high", lambda seed, budget: Last(seed)))


def contest_of(name: str, *bots: str, **more: Any) -> Contest:
    return Contest(name, SHORT[name], bots or (RANDOM, RANDOM), 5, tuple(OPTIONS.get(name, {}).items()), **more)


def results(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what depends on time and workers."""
    kept = {name: value for name, value in report.items() if name not in ("seconds", "workers", "interrupted")}
    return {**kept, "bots": [{name: value for name, value in bot.items() if name != "cpu"} for bot in report["bots"]]}


def without_clocks(games: list[GameResult]) -> list[GameResult]:
    return [GameResult(each.score, each.won, each.rounds, each.kept) for each in games]


# ---- the same deals for every bot


def follower(choose: Any) -> Level:
    policy: Policy[Any] = Policy("planted", 1, choose)
    return Level("planted", lambda seed, budget: First(seed), policy)


def played_by(level: Level, contest: Contest, number: int) -> None:
    """Play a whole match of a contest in the plain engine, with one level in all seats."""
    Simulator(GAMES[contest.game], contest.players, contest.options, [level], engine=PLAIN).play([0] * contest.players, contest.seed, number, 1)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_dealt_does_not_depend_on_what_is_chosen(name: str) -> None:
    """Compare where every card lies at the start of each round, after rounds that were played differently and used a different amount of
    randomness."""
    game, contest = GAMES[name], contest_of(name)
    dealt: list[dict[int, Any]] = []
    for best in (lowest, highest):
        seen: dict[int, Any] = {}

        def choose(s: Any, rng: Any, best: Any = best, seen: Any = seen) -> int:
            if s.round not in seen:
                seen[s.round] = sorted(str(content(s, place)) for place, _ in places(s))
            if best is highest:
                fraction(rng)
            return int(best(game.legal(s)))

        played_by(follower(choose), contest, 3)
        dealt.append(seen)
    both = dealt[0].keys() & dealt[1].keys()  # a match to a target score may have fewer rounds
    assert len(dealt[0]) > 1 and both
    assert [dealt[0][round] for round in both] == [dealt[1][round] for round in both]


def test_deals_differ_by_number_seed_and_round() -> None:
    hands = set()
    for seed, number in ((5, 0), (5, 1), (6, 0)):
        seen: dict[int, Any] = {}

        def choose(s: Any, rng: Any, seen: Any = seen) -> int:
            seen.setdefault(s.round, tuple(s.hand))
            return lowest(GAMES["up_and_down"].legal(s))

        played_by(follower(choose), Contest("up_and_down", 4, (RANDOM, RANDOM), seed), number)
        hands |= set(seen.values())
    assert len(hands) == 3 * 9


@pytest.mark.filterwarnings("ignore:.* stays with the plain engine")
@pytest.mark.parametrize("name", GAMES)
def test_one_round_has_the_cards_of_that_round_of_the_match_in_the_same_seats(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dealer and the first player have moved on as in the whole match."""
    game, seen = GAMES[name], dict[int, Any]()

    def choose(s: Any, rng: Any) -> int:
        seen.setdefault(s.round, (s.turn, [str(content(s, place)) for place, _ in places(s)]))
        return lowest(game.legal(s))

    played_by(follower(choose), contest_of(name), 1)
    whole = dict(seen)
    assert len(whole) > 1
    monkeypatch.setitem(levels_of(game), "planted", follower(choose))
    for round in whole:
        seen.clear()
        [played] = play_games(contest_of(name, "planted", RANDOM, round=round + 1), [0] * SHORT[name], 1, 1)
        assert (played.rounds, seen) == (1, {round: whole[round]})


@pytest.mark.parametrize("name", GAMES)
def test_both_engines_play_the_same(name: str) -> None:
    pytest.importorskip("numba")
    game, contest = GAMES[name], contest_of(name)
    levels = [levels_of(game)[RANDOM], Level("low", lambda seed, budget: First(seed))]
    seating = [seat % 2 for seat in range(contest.players)]
    slow, fast = (
        Simulator(game, contest.players, contest.options, levels, promises_of(game), engine).play(seating, 5, 0, 2, luck=LUCK)
        for engine in (PLAIN, COMPILED)
    )
    assert [slow.scores, slow.facts, slow.notes] == [each.tolist() for each in (fast.scores, fast.facts, fast.notes)]


def test_a_bot_among_copies_of_itself_earns_exactly_nothing() -> None:
    standing = Standing(contest_of("up_and_down"))
    deals = list(play_deals(standing.contest, 0, 5))
    for deal in deals:
        standing.add(deal)
    for row in standing.report()["results"]:
        assert set(row["points_per_round"].values()) == {0.0}
        assert row["win_share"]["mean"] == pytest.approx(1 / 3)
    assert len({tuple(deal[0].score) for deal in deals}) > 1


def test_seeds_of_bots_that_think_depend_on_deal_seat_and_choice_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int, int]] = []
    number = 0

    class Asked(First):
        def __init__(self, seed: int) -> None:
            self.seed = seed

        def choose(self, seen: Any) -> int:
            asked.append((number, seen.seat, self.seed))
            return super().choose(seen)

    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "asked", Level("asked", lambda seed, budget: Asked(seed)))
    contest = contest_of("up_and_down", "asked", RANDOM)
    simulator_of(contest).warm_up()
    both = []
    for order in ((0, 1), (1, 0)):
        asked.clear()
        for number in order:
            play_games(contest, seatings(contest)[0].bots(range(3)), number, 1)
        both.append(sorted(asked))
    assert both[0] == both[1]
    assert len({seed for _, _, seed in asked}) == len(asked)


# ---- who meets whom


def test_every_two_meet_from_every_seat_both_ways() -> None:
    contest = contest_of("up_and_down", "random", "house", "club")
    met = [tuple(seating.bots(range(3))) for seating in seatings(contest)]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        for seat in range(3):
            assert met.count(tuple(a if each == seat else b for each in range(3))) == 1
            assert met.count(tuple(b if each == seat else a for each in range(3))) == 1
    assert len(met) == 18
    two = Contest("up_and_down", 2, ("random", "house"), 1)
    assert directions(two) == [(0, 1)]
    assert [tuple(seating.bots(range(2))) for seating in seatings(two)] == [(0, 1), (1, 0)]


def test_pairs_meet_pairs_where_partners_play_together() -> None:
    contest = Contest("spades", 4, ("random", "house"), 1)
    assert directions(contest) == [(0, 1)]
    assert [tuple(seating.bots((0, 1, 0, 1))) for seating in seatings(contest)] == [(0, 1, 0, 1), (1, 0, 1, 0)]
    standing = Standing(contest)
    for deal in play_deals(contest, 0, 4):
        assert len(deal) == 2, "every deal is played twice, by each pair from both sides"
        for game in deal:
            assert game.score[0] == game.score[2] and game.score[1] == game.score[3]
        standing.add(deal)
    [row] = standing.report()["results"]
    assert row["points_per_round"]["mean"] < 0


@pytest.mark.usefixtures("low")
def test_a_better_bot_is_found_better() -> None:
    report = run(*LONGER, "--bots", "low,high", "--deals", 30, "--workers", 1, "--json").json()
    alone, among = report["results"]
    assert (alone["single"], alone["others"], among["single"], among["others"]) == ("low", "high", "high", "low")
    assert (report["deals"], alone["games"]) == (30, 90)
    assert alone["points_per_round"]["low"] > 0 > among["points_per_round"]["high"]
    assert alone["win_share"]["low"] > alone["win_share"]["fair"] == pytest.approx(1 / 3)
    assert alone["exact_bids"]["single"]["low"] > alone["exact_bids"]["others"]["high"]
    assert among["exact_bids"]["single"]["high"] < among["exact_bids"]["others"]["low"]
    better, worse = report["ratings"]
    assert better["mu"] - better["sigma"] > worse["mu"] + worse["sigma"]
    cpu = [bot["cpu"] for bot in report["bots"]]
    assert cpu[0]["choices"] > 30 * 3 * 3
    assert cpu[0]["p99"] > 0


@pytest.mark.parametrize("name", ["plump", "up_and_down"])
def test_a_promise_is_kept_when_it_earns_points(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels_of(GAMES[name]), "first", Level("first", lambda seed, budget: First(seed)))
    contest = contest_of(name, RANDOM, "first", round=3)
    games = play_games(contest, [seat % 2 for seat in range(contest.players)], 0, 10)
    assert [each.kept for each in games] == [[int(score > 0) for score in each.score] for each in games]
    assert {kept for each in games for kept in each.kept or ()} == {0, 1}


def test_promises_of_all_rounds_are_counted() -> None:
    """In rounds of one, two and one hand a kept bet scores ten, and hands won add eight at most: the tens of a score are the kept bets."""
    games = play_games(contest_of("up_and_down"), [0, 0, 1], 0, 10)
    assert [each.kept for each in games] == [[score // 10 for score in each.score] for each in games]
    assert {kept for each in games for kept in each.kept or ()} > {0, 1}


# ---- the numbers


def by_hand(score: list[int], won: list[float], kept: list[int] | None = None) -> GameResult:
    return GameResult(score, won, 2, kept)


def test_the_value_of_a_deal_is_the_mean_over_its_seats() -> None:
    standing = Standing(Contest("up_and_down", 3, (RANDOM, RANDOM), 1, (("largest_round", "2"),)))
    alone = [by_hand([9, 3, 6], [1, 0, 0], [2, 0, 1]), by_hand([5, 4, 3], [1, 0, 0], [1, 1, 0]), by_hand([0, 0, 8], [0, 0, 1], [0, 0, 2])]
    standing.add(alone + alone[::-1])
    row, back = standing.report()["results"]
    assert row["points_per_round"] == {"mean": pytest.approx((4.5 / 2 + 0 / 2 + 8 / 2) / 3), "low": None, "high": None}
    assert row["win_share"]["mean"] == pytest.approx(2 / 3)
    assert row["exact_bids"]["single"]["mean"] == pytest.approx((2 + 1 + 2) / 6)
    assert row["exact_bids"]["others"]["mean"] == pytest.approx((0 + 1 + 1 + 0 + 0 + 0) / 12)
    assert back["points_per_round"]["mean"] == pytest.approx((-4 / 2 + 0 / 2 + 0 / 2) / 3)


def test_points_against_a_player_count_the_other_way_round() -> None:
    standing = Standing(Contest("rummy", 2, (RANDOM, RANDOM), 1))
    standing.add([by_hand([10, 4], [0, 1]), by_hand([10, 2], [0, 1])])
    (row,) = standing.report()["results"]
    assert row["points_per_round"]["mean"] == pytest.approx((-6 / 2 + 8 / 2) / 2)
    assert row["win_share"]["mean"] == 0.5
    assert row["exact_bids"] is None


def test_the_interval_covers_a_known_mean_about_as_often_as_it_says() -> None:
    draw = random.Random(1)
    covered = 0
    for _ in range(100):
        found = estimate([draw.uniform(-1, 3) for _ in range(30)])
        assert found.low is not None and found.high is not None
        covered += found.low <= 1 <= found.high
    assert 85 <= covered <= 99


def test_the_interval_is_as_wide_as_theory_has_it() -> None:
    found = estimate([0.0, 1.0] * 100)
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.5 - 1.96 * 0.5 / 200**0.5, abs=0.01)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.5 / 200**0.5, abs=0.01)
    assert estimate([0.0, 1.0] * 100) == found
    assert (estimate([]).mean, estimate([2.0]).mean, estimate([2.0]).reach) == (None, 2.0, float("inf"))


def test_ratings_rank_by_what_was_earned() -> None:
    rated, equal = Ratings(2), Ratings(2)
    for _ in range(5):
        rated.add([0, 1, 1], [9, 3, 3])
        rated.add([1, 0, 0], [1, 4, 5])
        equal.add([0, 1], [3, 3])
    assert rated.values()[0][0] > rated.values()[1][0]
    assert equal.values()[0] == equal.values()[1]


def test_a_clock_knows_mean_and_quantiles_to_two_per_cent() -> None:
    one, other = Clock(), Clock()
    for thousandths in range(1, 101):
        (one if thousandths % 2 else other).add(thousandths / 1000)
    one.include(other)
    assert one.choices == 100
    assert one.mean == pytest.approx(0.0505)
    assert one.quantile(0.99) == pytest.approx(0.099, rel=0.02)
    assert one.quantile(0.5) == pytest.approx(0.050, rel=0.02)
    assert (Clock().mean, Clock().quantile(0.99)) == (None, None)


# ---- workers, stopping, resuming


def test_any_number_of_workers_gives_the_same() -> None:
    arguments = [*ARENA, "--bots", "random,club", "--sims", 8, "--deals", 3, "--json"]
    alone, together = (run(*arguments, "--workers", workers).json() for workers in (1, 2))
    assert results(alone) == results(together)
    assert alone["results"][0]["points_per_round"]["low"] < alone["results"][0]["points_per_round"]["high"]


def test_a_contest_goes_on_where_it_stopped(tmp_path: Path) -> None:
    arguments = [*ARENA, "--bots", "random,house", "--json"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    at_once = run(*arguments, "--deals", 6, "--keep", whole).json()
    for deals in (2, 3):
        assert run(*arguments, "--deals", deals, "--keep", parts).json()["deals"] == deals
    assert results(run(*arguments, "--deals", 6, "--keep", parts).json()) == results(at_once)
    assert parts.read_bytes() == whole.read_bytes()
    assert results(run(*arguments, "--deals", 2, "--keep", whole).json()) == results(run(*arguments, "--deals", 2).json())
    assert parts.read_bytes() == whole.read_bytes()


def test_what_was_kept_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "low", Level("low", lambda seed, budget: First(seed)))
    arguments = [*ARENA, "--bots", "random,low", "--workers", 1, "--deals", 3, "--json", "--keep", tmp_path / "kept"]
    once = run(*arguments).json()
    monkeypatch.setattr(First, "choose", lambda self, seen: pytest.fail("played again"))
    assert results(run(*arguments).json()) == results(once)


def test_a_file_cut_off_anywhere_is_mended(tmp_path: Path) -> None:
    arguments = [*ARENA, "--bots", "random,house", "--deals", 2, "--json", "--keep"]
    report = run(*arguments, tmp_path / "whole").json()
    whole = (tmp_path / "whole").read_bytes()
    first, second = whole.index(b"\n") + 1, whole.rindex(b"\n", 0, -1) + 1
    for cut in (0, 1, first - 1, first, first + 1, second - 1, second, second + 1, len(whole) - 1):
        path = tmp_path / str(cut)
        path.write_bytes(whole[:cut])
        assert results(run(*arguments, path).json()) == results(report), cut
        assert path.read_bytes() == whole, cut
    path.write_bytes(whole[: second + 9])
    run(*arguments[:-4], "--deals", 1, "--keep", path)
    assert path.read_bytes() == whole[:second]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--bots", "house,random"], "differs in bots"),
        (["--bots", "random,house", "--seed", 6], "differs in seed"),
        (["--bots", "random,house", "--round", 1], "differs in round"),
        (["--bots", "random,house", "--players", 4], "differs in players"),
        (["--bots", "random,house", "--option", "first_bettor=1"], "differs in options"),
    ],
)
def test_another_contest_s_file_is_refused_and_left_alone(tmp_path: Path, more: list[Any], sentence: str) -> None:
    path = tmp_path / "kept"
    run(*ARENA, "--bots", "random,house", "--deals", 1, "--keep", path, "--json").json()
    before = path.read_bytes()
    arguments = [each for each in ARENA if each not in ("--players", 3)] if "--players" in more else list(ARENA)
    arguments = [each for each in arguments if each not in ("--seed", 5)] if "--seed" in more else arguments
    refused = run(*arguments, *more, "--deals", 1, "--keep", path)
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["my diary\n", "my diary", "{}\n", "[]\n", '{"format":"kortlek arena 1"}\n', "\n"])
def test_a_file_that_is_something_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "diary"
    path.write_text(text)
    refused = run(*ARENA, "--bots", "random,house", "--deals", 1, "--keep", path)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert str(path) in refused.err
    assert path.read_text() == text


def test_a_broken_line_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    arguments = [*ARENA, "--bots", "random,house", "--deals", 3, "--keep", path]
    run(*arguments)
    lines = path.read_text().splitlines(keepends=True)
    for broken in ("{]\n", lines[3], json.dumps({"deal": 1, "games": []}) + "\n"):
        path.write_text("".join([*lines[:2], broken, *lines[3:]]))
        refused = run(*arguments)
        assert refused.code == 2
        assert "Line 3 of" in refused.err


def test_it_is_looked_at_fixed_numbers_of_deals_if_a_contest_is_settled() -> None:
    assert [deals for deals in range(100) if is_check_due(deals)] == [20, 25, 31, 38, 47, 58, 72, 90]


@pytest.mark.usefixtures("low")
def test_until_stops_as_soon_as_the_intervals_are_narrow_enough(tmp_path: Path) -> None:
    arguments = [*ARENA, "--bots", "low,high", "--workers", 1, "--json"]
    soon = run(*arguments, "--until", 100).json()
    assert soon["deals"] == 20
    reach = [(row["points_per_round"]["high"] - row["points_per_round"]["low"]) / 2 for row in soon["results"]]
    width = 0.7 * max(reach)
    later = run(*arguments, "--until", width, "--deals", 400, "--keep", tmp_path / "kept").json()
    assert 20 < later["deals"] < 400
    assert is_check_due(later["deals"])
    assert all(row["points_per_round"]["high"] - row["points_per_round"]["low"] <= 2 * width for row in later["results"])
    assert results(run(*arguments, "--until", width, "--deals", 400, "--keep", tmp_path / "kept").json()) == results(later)
    assert results(run(*arguments, "--deals", later["deals"]).json()) == results(later)


@pytest.mark.parametrize("games", [0, 7, 20])
def test_ctrl_c_prints_what_was_done_so_far(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, games: int) -> None:
    """Interrupted in the middle of a game; only complete deals count."""
    bots = iter([First(0)] * 10**6)
    played: list[int] = []

    class Interrupted(First):
        def choose(self, seen: Any) -> int:
            next(bots)
            if len(played) == games:
                raise KeyboardInterrupt
            return super().choose(seen)

    play = Simulator.play

    def counted(*arguments: Any, **more: Any) -> Any:
        done = play(*arguments, **more)
        played.append(1)
        return done

    monkeypatch.setattr(Simulator, "play", counted)
    monkeypatch.setattr(Simulator, "_warm_up_level", lambda self, level, seen: None)
    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "low", Level("low", lambda seed, budget: Interrupted(seed)))
    arguments = [*ARENA, "--bots", "random,low", "--workers", 1, "--json", "--keep", tmp_path / "kept"]
    done = run(*arguments)
    assert (done.code, done.err) == (INTERRUPTED, "")
    report = json.loads(done.out)
    assert (report["interrupted"], report["deals"]) == (True, games // 6)
    assert (tmp_path / "kept").read_bytes().count(b"\n") == 1 + games // 6


def test_ctrl_c_with_workers_does_not_wait_for_them() -> None:
    """This many simulations would take years. The interrupt comes as soon as the workers have started, so the report has no deals."""
    pytest.importorskip("numba")
    process = start(*ARENA, "--bots", "random,club", "--sims", 10**12, "--workers", 2, "--json", start_new_session=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        pytest.skip("this system does not tell which processes a process has started")
    while process.poll() is None and len(children.read_text().split()) < 3:  # the workers and the resource tracker
        pass
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):  # no process is left unless the test fails
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, err) == (130, "")
    assert json.loads(out)["deals"] == 0


def test_a_budget_reaches_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Budget | None] = []

    def make(seed: int, budget: Budget | None) -> First:
        given.append(budget)
        return First(seed)

    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "low", Level("low", make))
    for more, budget in (([], None), (["--sims", 7], Budget(7, "simulations")), (["--ms", 2.5], Budget(0.0025, "seconds"))):
        given.clear()
        run(*ARENA, "--bots", "random,low", "--deals", 1, "--workers", 1, "--json", *more).json()
        assert given[-1] == budget


# ---- the report


@pytest.mark.usefixtures("low")
def test_people_get_the_answer_and_the_numbers() -> None:
    arguments = [*LONGER, "--bots", "low,high,low", "--deals", 20, "--workers", 1]
    report, text = run(*arguments, "--json").json(), run(*arguments).out
    points = report["results"][0]["points_per_round"]
    assert f"low earns {points['mean']:.2f} points per round more than high [{points['low']:.2f}, {points['high']:.2f}]" in text
    back = report["results"][1]["points_per_round"]
    assert f"high earns {-back['mean']:.2f} points per round less than low [{-back['high']:.2f}, {-back['low']:.2f}]" in text
    assert "one among 2, 20 deals x 3 seats" in text
    assert "low-2" in text
    for row in report["results"]:
        assert f"{row['win_share']['low']:.1%} to {row['win_share']['high']:.1%}" in text
        assert f"{row['exact_bids']['single']['mean']:.1%}" in text
    for row in report["ratings"]:
        assert f"{row['mu']:.1f}" in text
    assert "Up and Down (rules version " in text
    assert "seed 5, matches 0 to 19, whole matches" in text


def test_a_difference_that_may_be_chance_is_called_so() -> None:
    text = run(*ARENA, "--bots", "random,random", "--deals", 3, "--workers", 1).out
    assert text.count("; that may be chance.") == 2


def test_the_report_needs_nothing_else_and_says_how_to_get_it_again(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    arguments = [
        "arena",
        "up_and_down",
        "--bots",
        "club,random",
        "--deals",
        3,
        "--sims",
        4,
        "--option",
        "largest_round=2",
        "--players",
        3,
        "--round",
        2,
    ]
    report = run(*arguments, "--workers", 1, "--report", path, "--json").json()
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    page = path.read_text()
    assert not re.search(r"https?:|//[a-z]|<script|<link|@import|url\(|src=", page)
    assert "prefers-color-scheme: dark" in page
    points = report["results"][0]["points_per_round"]
    answer = page.index(f"{abs(points['mean']):.2f} points per round")
    assert answer < page.index("<svg") < page.index("<table") < page.index("<pre>")
    assert "currentColor" in page
    assert f"{points['low']:+.2f} to {points['high']:+.2f}" in page
    command = re.search(r"<pre>kortlek (.*)</pre>", page)
    assert command
    assert results(run(*shlex.split(command[1]), "--workers", 1, "--json").json()) == results(report)


def test_names_are_text_in_the_report_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels_of(GAMES["up_and_down"]), "<b>", Level("<b>", lambda seed, budget: First(seed)))
    run(*ARENA, "--bots", "<b>,random", "--deals", 2, "--workers", 1, "--report", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "&lt;b&gt; " in page
    assert "<b>" not in page


def test_without_the_extra_a_report_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    program = f"""
import sys
sys.modules["altair"] = None
from kortlek.cli import main
sys.exit(main(["arena", "plump", "--bots", "random,random", "--deals", "1000000", "--report", {str(tmp_path / "report.html")!r}]))
"""
    done = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "A report needs Altair and vl-convert: pip install 'kortlek[lab]'.\n"
    assert list(tmp_path.iterdir()) == []


BAD = [
    (["plump", "--bots", "random,nobody"], "Plump has no bot 'nobody'. Its bots are: random, "),
    (["plump", "--bots", "random,rummy/original"], "Plump has no bot 'rummy/original'"),
    (["plump", "--bots", "random"], "two bots or more"),
    (["plump", "--bots", ""], "Plump has no bot ''"),
    (["plump", "--bots", "random,random,"], "Plump has no bot ''"),
    (["whist", "--bots", "random,random"], "There is no game 'whist'"),
    (["plump"], "--bots"),
    (["plump", "--bots", "random,random", "--ms", "0"], "--ms 0 is not possible"),
    (["plump", "--bots", "random,random", "--ms", "-5"], "--ms -5 is not possible"),
    (["plump", "--bots", "random,random", "--ms", "nan"], "--ms nan is not possible"),
    (["plump", "--bots", "random,random", "--ms", "inf"], "--ms inf is not possible"),
    (["plump", "--bots", "random,random", "--ms", "long"], "--ms"),
    (["plump", "--bots", "random,random", "--sims", "0"], "--sims 0 is not possible"),
    (["plump", "--bots", "random,random", "--sims", "-1"], "--sims -1 is not possible"),
    (["plump", "--bots", "random,random", "--ms", "5", "--sims", "5"], "give one of them"),
    (["plump", "--bots", "random,random", "--players", "14"], "2 to 13 players, not 14"),
    (["plump", "--bots", "random,random", "--players", "1"], "2 to 13 players, not 1"),
    (["plump", "--bots", "random,random", "--deals", "0"], "--deals 0 is not possible"),
    (["plump", "--bots", "random,random", "--workers", "0"], "--workers 0 is not possible"),
    (["plump", "--bots", "random,random", "--until", "0"], "--until 0 is not possible"),
    (["plump", "--bots", "random,random", "--round", "0"], "rounds 1 to 22"),
    (["plump", "--bots", "random,random", "--round", "23"], "rounds 1 to 22"),
    (["plump", "--bots", "random,random", "--seed", "-1"], "The seed -1 is not possible"),
    (["plump", "--bots", "random,random", "--option", "trumps=yes"], "Plump has no option 'trumps'"),
    (["plump", "--bots", "random,random", "--report", "HERE/report.txt"], "ends in .html"),
    (["plump", "--bots", "random,random", "--report", "HERE/none/report.html"], "HERE/none/report.html cannot be written"),
    (["plump", "--bots", "random,random", "--report", "HERE/folder.html"], "it is a folder"),
    (["plump", "--bots", "random,random", "--keep", "HERE/none/kept"], "HERE/none/kept cannot be used"),
    (["plump", "--bots", "random,random", "--keep", "HERE/folder.html"], "HERE/folder.html cannot be used"),
    (["plump", "--bots", "random,random", "--report", "HERE/a.html", "--keep", "HERE/a.html"], "name two files"),
    (["plump", "--bots", "random,random", "--report", "HERE/a.html", "--keep", "HERE/none/kept"], "HERE/none/kept cannot be used"),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_what_cannot_be_done_is_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "folder.html").mkdir()
    refused = run("arena", *(each.replace("HERE", str(tmp_path)) for each in arguments))
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert sentence.replace("HERE", str(tmp_path)) in refused.err
    assert [each.name for each in tmp_path.iterdir()] == ["folder.html"]


def test_a_bot_that_chooses_what_is_not_allowed_is_named() -> None:
    class Cheat(First):
        def choose(self, seen: Any) -> int:
            return 61

    plays = Simulator(GAMES["up_and_down"], 3, (), [Level("cheat", lambda seed, budget: Cheat(seed))], engine=PLAIN)
    with pytest.raises(Refused, match="cheat"):
        plays.play([0, 0, 0], 1, 0, 1)
