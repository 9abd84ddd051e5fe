"""``kortlek lab``: the same deals in every variant, correct confidence intervals, and studies that can be stopped, resumed and reported."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from running import run, start

from kortlek import compiled
from kortlek.cli import INTERRUPTED
from kortlek.cli.arena import workers_asked
from kortlek.cli.arguments import cores
from kortlek.cli.lab import lab, variants_asked
from kortlek.cli.lab_check import expanded
from kortlek.cli.main import make_app
from kortlek.engine.loops import Compiler, as_it_is
from kortlek.engine.plain import begin
from kortlek.game import Game
from kortlek.game.metrics import counters_rule
from kortlek.game.registry import GAMES, metrics_of
from kortlek.lab.study.findings import difference, findings, ratio
from kortlek.lab.study.running import parts
from kortlek.lab.study.skill import NAMES
from kortlek.lab.study.study import Study, Sums, Variant, measures, play, play_part, simulator_of, summed, values
from kortlek.simulation import executors
from kortlek.simulation.executors import Local
from kortlek.simulation.loop import CHOICES
from kortlek.simulation.runner import COMPILED, PLAIN, Results
from kortlek.simulation.tally import WIN

SHORT = {
    "plump": (3, ()),
    "up_and_down": (3, (("largest_round", "2"),)),
    "trick_paper_scissors": (4, (("deals", "2"),)),
    "rummy": (2, (("games", "2"), ("round_limit", "9"))),
    "cascade": (2, (("games", "2"),)),
}
LAB = ["lab", "trick_paper_scissors", "--seed", 5, "--workers", 1]


def variant(name: str, *bots: str, **options: str) -> Variant:
    """A short variant of a game."""
    players, usual = SHORT[name]
    return Variant(name, bots or ("house",) * players, tuple({**dict(usual), **options}.items()))


def numbers(done: Results) -> list[Any]:
    """The results of matches, without the time they took."""
    return [each.tolist() for each in (done.scores, done.facts, done.notes)]


@pytest.mark.parametrize("name", ["trick_paper_scissors", "cascade"])
def test_both_engines_count_the_same(name: str) -> None:
    asked = variant(name)
    assert numbers(play(asked, 3, 0, 10, 4, engine=COMPILED)) == numbers(play(asked, 3, 0, 10, 4, engine=PLAIN))
    assert simulator_of(asked).engine == COMPILED


def test_any_number_of_kinds_of_bots_counts_the_same_on_both_engines() -> None:
    asked = variant("trick_paper_scissors", "house", "random", "easy", "medium")
    fast, slow = (play(asked, 3, 0, 10, 4, engine=engine) for engine in (COMPILED, PLAIN))
    assert numbers(fast) == numbers(slow)
    alike = play(variant("trick_paper_scissors"), 3, 0, 10, 4)
    assert numbers(fast)[0] != numbers(alike)[0], "who sits there makes a difference"


def make_counting(game: Game[Any], compile: Compiler = as_it_is) -> Callable[..., None]:
    """A loop that only counts metrics: the whole simulation takes half a minute to compile."""
    count, counters = metrics_of(game).count, counters_rule(metrics_of(game))

    def counting(states: Any, row: Any) -> None:
        count(states[0], states[1], 0, counters(row))

    return compile(counting)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_what_a_game_counts_can_be_compiled(game: Game[Any]) -> None:
    assert metrics_of(game).names
    s = begin(game, game.players[0])
    compiled.build(make_counting, game)(compiled.records(s, 2), compiled.int_array(2 * len(metrics_of(game).names)))


def test_matches_come_out_the_same_in_any_parts_and_for_any_number_of_workers() -> None:
    study = Study((variant("trick_paper_scissors"), replace(variant("trick_paper_scissors", deals="3"), weaker="easy")), 4)
    whole = play_part(study, 0, 60)
    pieces = [Sums(), Sums()]
    for first, count in ((25, 35), (0, 10), (10, 15)):
        for sums, more in zip(pieces, play_part(study, first, count)):
            sums.add(more)
    assert pieces == whole
    helped = [Sums(), Sums()]
    for part in parts(study, 0, 60, Local(2)):
        for sums, each in zip(helped, part.sums):
            sums.add(each)
    assert helped == whole


@pytest.mark.parametrize(("seconds", "alone"), [(1000.0, 6), (-1.0, 1)])
def test_without_a_number_of_workers_more_processes_start_only_for_long_work(seconds: float, alone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a threshold that is never reached, and one that always is."""
    monkeypatch.setattr(executors, "LAZY_SECONDS", seconds)
    assert workers_asked(None, thinks=False) == Local(cores(), lazy=True)
    assert workers_asked(None, thinks=True) == Local(cores())
    here = [who == os.getpid() for who in executors.map_in_order(os.getpid, [()] * 6, Local(2, lazy=True))]
    assert here == [True] * alone + [False] * (6 - alone)


def test_every_variant_has_the_same_deals() -> None:
    study = Study((variant("trick_paper_scissors"), variant("trick_paper_scissors")), 9)
    for here in findings(study, play_part(study, 0, 30))[1]:
        assert here.against is not None
        assert here.against.mean in (None, 0.0) and here.against.reach in (0.0, float("inf"))


def test_a_win_is_shared_evenly_and_all_shares_add_up() -> None:
    asked = variant("trick_paper_scissors")
    made = values(asked, play(asked, 2, 0, 0, 200))
    wins = made[:, :4, 0].sum(axis=1)
    assert set(wins.tolist()) == {WIN}
    named = [each.name for each in measures(asked)]
    assert made[:, named.index("ties"), 0].sum() > 0
    assert len(set(named)) == len(named)


def test_partners_are_one_side() -> None:
    spades = Variant("spades", ("house",) * 4, (("target", "50"),), weaker="easy")
    found = {each.measure.name: each.value for each in findings(Study((spades,), 1), [play_part(Study((spades,), 1), 0, 400)[0]])[0]}
    wins = [found[f"win_{seat}"] for seat in range(4)]
    assert wins[0] == wins[2] and wins[1] == wins[3] and found["ties"].mean == 0.0
    assert sum(each.mean or 0 for each in wins) == pytest.approx(2)
    assert (found["stronger_wins"].mean or 0) - (found["stronger_gain"].mean or 0) == pytest.approx(0.5)
    said = run("lab", "spades", "--games", 100, "--seed", 1, "--option", "target=50").out
    assert re.search(r"seats (1 and 3|2 and 4) win .* \(fair: 50\.0 %\)", said) and "A stronger team (house among easy) wins" in said


def test_as_many_players_as_a_game_allows_are_studied() -> None:
    said = run("lab", "plump", "--players", 13, "--games", 30, "--seed", 1)
    assert said.code == 0 and said.out.startswith("Plump with 13 players") and "who comes thirteenth in its order of play" in said.out


def test_an_interval_is_as_wide_as_drawing_the_matches_again_says() -> None:
    """Bootstrap over matches, of ratios and of their differences, compared with our intervals; they may differ by a tenth."""
    draw = random.Random(1)
    study = Study((variant("trick_paper_scissors"), variant("trick_paper_scissors", discard_face_up="yes")), 6)
    made = [values(each, play(each, study.seed, 0, 0, 400)) for each in study.variants]
    sums = [summed(each, made[0]) for each in made]
    named = [each.name for each in measures(study.variants[0])]
    for name in ("win_0", "score_1", "branching", "trump_wins", "value_changes"):
        at = named.index(name)
        pairs = [each[:, at, :].tolist() for each in made]
        means, gaps = [], []
        for _ in range(600):
            again = draw.choices(range(400), k=400)
            drawn = [sum(pair[n][0] for n in again) / sum(pair[n][1] for n in again) for pair in pairs]
            means.append(drawn[1])
            gaps.append(drawn[1] - drawn[0])
        for found, seen in ((ratio(sums[1].totals[at], 400, False), means), (difference(sums[1].totals[at], sums[0].totals[at], 400), gaps)):
            middle = fmean(seen)
            spread = (fmean((each - middle) ** 2 for each in seen)) ** 0.5
            assert found.reach == pytest.approx(1.96 * spread, rel=0.1), name


def test_what_never_happened_may_still_happen() -> None:
    assert ratio([0, 300, 0, 300, 0, 0, 0, 0, 0], 300, True).high == 0.01
    assert ratio([300, 300, 300, 300, 300, 0, 0, 0, 0], 300, True).low == 0.99
    assert ratio([5, 0, 25, 0, 0, 0, 0, 0, 0], 1, True).mean is None


def test_bots_that_think_are_studied_too() -> None:
    asked = variant("up_and_down", "club", "house", "house", largest_round="1")
    done = play(asked, 1, 0, 0, 2)
    assert done.facts[:, CHOICES].tolist() == [6, 6], "three bets and three cards"
    assert done.scores.max() > 0
    assert numbers(play(asked, 1, 0, 0, 2)) == numbers(done) == numbers(play(asked, 1, 0, 0, 2, engine=PLAIN)), "and choose the same again"


# ---- the command


def test_the_answer_comes_first_and_then_everything_measured() -> None:
    told = run(*LAB, "--games", 300, "--vary", "discard_face_up=no,yes").out.splitlines()
    pattern = (
        r"TrickPaperScissors with four players \(discard_face_up=(no|yes); 300 matches\): .*seat \d wins \d\d\.\d % ± \d\.\d \(fair: 25\.0 %\)\."
    )
    assert re.fullmatch(pattern, told[0]) and re.fullmatch(pattern, told[1])
    assert any(line.startswith("discard_face_up=yes, against the first, on the same deals:") for line in told)
    assert any("tricks that a trump won" in line and "±" in line for line in told)


def test_json_has_every_measure_with_its_interval() -> None:
    told = run(*LAB, "--games", 50, "--players", "3,4", "--json").json()
    assert [len(each["bots"]) for each in told["variants"]] == [3, 4]
    assert told["matches"] == 50
    for each in told["variants"]:
        for found in each["findings"]:
            assert found["mean"] is None or found["low"] <= found["mean"] <= found["high"]
    assert "against_first" not in told["variants"][1]["findings"][0], "other players, other measures"


def test_it_stops_when_the_win_shares_are_known_well_enough() -> None:
    told = run(*LAB, "--until", 2, "--json").json()
    reach = [(each["high"] - each["low"]) / 2 for each in told["variants"][0]["findings"] if each["measure"].startswith("win_")]
    assert max(reach) <= 0.02 and told["matches"] % 500 == 0 and told["matches"] < 10_000


def test_a_study_goes_on_where_it_stopped(tmp_path: Path) -> None:
    kept = tmp_path / "study.jsonl"
    at_once = run(*LAB, "--games", 1200, "--json").json()
    run(*LAB[:4], "--workers", 2, "--games", 700, "--keep", kept, "--json")
    kept.write_bytes(kept.read_bytes()[:-20])  # the last line was truncated
    again = run(*LAB, "--games", 1200, "--keep", kept, "--json").json()
    assert again["variants"] == at_once["variants"]
    assert sum(json.loads(line)["count"] for line in kept.read_text().splitlines()[1:]) == 1200
    before = kept.read_bytes()
    refused = run(*LAB[:2], "--seed", 6, "--games", 1200, "--keep", kept)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert kept.read_bytes() == before


def test_the_report_stands_alone(tmp_path: Path) -> None:
    pytest.importorskip("altair")
    path = tmp_path / "report.html"
    assert run(*LAB, "--games", 60, "--vary", "deals=1,2", "--report", path).code == 0
    page = path.read_text()
    assert page.index("wins") < page.index("<svg") < page.index("<table") < page.index("kortlek lab trick_paper_scissors")
    assert "<script" not in page and "http" not in page
    assert list(tmp_path.iterdir()) == [path], "no draft stays behind"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["lab", "whist"], "There is no game 'whist'"),
        (["lab", "plump", "--players", "14"], "14"),
        (["lab", "plump", "--players", "two"], "whole numbers"),
        (["lab", "plump", "--games", "0"], "--games"),
        (["lab", "plump", "--until", "0"], "--until"),
        (["lab", "plump", "--vary", "first_lead"], "--vary first_lead is not possible"),
        (["lab", "plump", "--vary", "first_lead=nobody"], "nobody"),
        (["lab", "plump", "--bots", "genius"], "genius"),
        (["lab", "plump", "--report", "x.pdf"], ".html"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: list[str], sentence: str) -> None:
    refused = run(*words)
    assert refused.code == 2
    assert sentence in refused.err and refused.err.count("\n") == 1
    assert refused.out == ""


def test_an_interrupted_study_says_so(tmp_path: Path) -> None:
    kept = tmp_path / "study.jsonl"
    process = start("lab", "trick_paper_scissors", "--games", 10_000_000, "--seed", 1, "--workers", 1, "--keep", kept)
    assert process.stdout
    while not kept.exists() or kept.read_bytes().count(b"\n") < 3:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert process.returncode == INTERRUPTED
    assert out.splitlines()[-1] == "Seed 1, interrupted"


# ---- requirements


def demand(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "design.toml"
    path.write_text(text)
    return path


SOUND = 'game = "trick_paper_scissors"\ngames = 2000\n[options]\ndeals = 2\n[[require]]\nmeasure = "rounds"\nat_least = 2\nat_most = 2\n'


@pytest.mark.parametrize(
    ("more", "code", "verdict"),
    [
        ("", 0, "met"),
        ('[[require]]\nmeasure = "draws"\nat_most = 1\n', 0, "met"),
        ('[[require]]\nmeasure = "choices"\nat_most = 50\n', 1, "broken"),
        ('[[require]]\nmeasure = "wins"\nwithin = 0.01\n', 3, "not enough games to tell"),
        ('[[require]]\nmeasure = "wins"\nwithin = 20\n', 0, "met"),
        ('[[require]]\nmeasure = "wins"\nwithin = 0.01\n[[require]]\nmeasure = "choices"\nat_most = 50\n', 1, "broken"),
    ],
)
def test_a_design_meets_its_requirements_or_breaks_them_or_it_cannot_be_told_yet(tmp_path: Path, more: str, code: int, verdict: str) -> None:
    told = run("lab", "check", demand(tmp_path, SOUND + more), "--workers", 1, "--json")
    assert (told.code, json.loads(told.out)["verdict"]) == (code, verdict)
    in_words = run("lab", "check", demand(tmp_path, SOUND + more), "--workers", 1).out.splitlines()
    assert in_words[0].startswith("Met: rounds at least 2 and at most 2. Found: rounds 2 [2, 2]")
    assert f": {verdict} after" in in_words[-1]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = ", "cannot be read"),
        ('game = "whist"\n[[require]]\nmeasure = "draws"\nat_most = 1', "There is no game 'whist'"),
        ('[[require]]\nmeasure = "draws"\nat_most = 1', "does not say which game"),
        ('game = "plump"', "requires nothing"),
        ('game = "plump"\nseats = 3\n[[require]]\nmeasure = "draws"\nat_most = 1', "'seats' means nothing here"),
        ('game = "plump"\nplayers = "3"\n[[require]]\nmeasure = "draws"\nat_most = 1', "players should be a whole number"),
        ('game = "plump"\n[[require]]\nmeasure = "draws"', "draws needs at_least or at_most with a number"),
        ('game = "plump"\n[[require]]\nmeasure = "wins"\nat_most = 3', "wins needs within with a number"),
        ('game = "trick_paper_scissors"\n[[require]]\nmeasure = "fun"\nat_least = 3', "there is no measure 'fun' in this game"),
    ],
)
def test_what_is_wrong_with_requirements_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    refused = run("lab", "check", demand(tmp_path, text))
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.err and refused.err.count("\n") == 1


# ---- search


def test_the_fairest_variant_is_found_and_the_others_are_left_early() -> None:
    """A starting player with thirteen cards against one card wins far too often in Cascade."""
    asked = [
        "lab",
        "search",
        "cascade",
        "--players",
        2,
        "--option",
        "games=1",
        "--vary",
        "hand_sizes=4,5;13,1;1,13;12,1",
        "--games",
        4000,
        "--seed",
        2,
    ]
    assert run(*asked).out.startswith("Cascade is fairest with games=1, hand_sizes=4,5: the seat farthest off wins")
    found = run(*asked, "--workers", 1, "--json").json()["variants"]
    assert [each["matches"] for each in found] == [1500, 1500, 500, 500]
    assert found[0]["sureness"] == 1 and found[2]["sureness"] is None
    assert sum(each["mean"] for each in found[0]["wins"]) == pytest.approx(1, abs=0.01)


def test_numbers_from_one_to_another_are_all_tried() -> None:
    assert expanded("hand_sizes=3..4,5") == "hand_sizes=3,5;4,5"
    assert expanded("largest_round=2..4") == "largest_round=2;3;4"
    assert expanded("threshold=30,40") == "threshold=30,40"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--vary", "threshold=30"], "There are 1 variants to try"),
        (["--vary", "threshold=6..3"], "3..6 stands for the numbers"),
        (["--vary", "round_limit=1..600"], "There are 600 variants"),
        (["--vary", "threshold=30,40", "--games", "0"], "--games"),
    ],
)
def test_a_search_that_cannot_be_is_one_sentence(words: list[str], sentence: str) -> None:
    refused = run("lab", "search", "rummy", *words)
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.err and refused.err.count("\n") == 1


# ---- its page


def test_the_examples_of_the_page_about_the_lab_run(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "lab.md").read_text()
    [design] = re.findall(r"```toml\n(.*?)```", page, re.S)
    assert run("lab", "check", demand(tmp_path, design), "--games", 600, "--workers", 1).code in (0, 3)
    [command] = re.findall(r"```\nkortlek (lab trick_paper_scissors .*?)\n```", page)
    assert run(*shlex.split(command), "--games", 50, "--workers", 1).code == 0
    [search] = re.findall(r"`kortlek (lab search cascade .*?) --games 60000", page, re.S)
    assert run(*shlex.split(search), "--games", 64, "--workers", 1).code == 0


def test_every_study_behind_the_answers_can_be_made_again() -> None:
    page = (Path(__file__).parent.parent / "docs" / "answers.md").read_text()
    commands = re.findall(r"^kortlek (lab .*)$", page, re.M)
    assert len(commands) > 15
    for command in commands:
        asked, given, _ = make_app().parse_args(shlex.split(command))
        more = given.arguments
        if asked is lab:
            assert variants_asked(
                GAMES[more["game"]], more.get("players"), more.get("bots", "house"), more.get("option"), more.get("vary"), more.get("skill")
            )
        else:
            assert more["vary"] and more["games"] >= 200_000


def test_the_page_about_the_lab_names_every_measure_that_all_games_have() -> None:
    page = (Path(__file__).parent.parent / "docs" / "lab.md").read_text()
    game = GAMES["plump"]
    named = re.findall(r"^\| (`.*?) \|", page, re.M)
    written = [name for cell in named for name in re.findall(r"`(\w+)`", cell)]
    ours = [each.name for each in measures(Variant("plump", ("house",) * 2)) if each.name not in metrics_of(game).names]
    assert written == [name for name in ours if name == "win_1" or not name.endswith("_1")] + [*NAMES]
