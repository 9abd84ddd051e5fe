"""Skill, chance and the order of play in ``kortlek lab``: computed again independently, and in games where the answer is known."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from statistics import covariance, fmean, pvariance, variance
from typing import Any

import pytest
from running import run

from kortlek.bots import own_games
from kortlek.engine.plain import begin
from kortlek.game.registry import GAMES
from kortlek.lab.report import answers, plots
from kortlek.lab.study import skill
from kortlek.lab.study.findings import Finding, findings
from kortlek.lab.study.notes import FIRST_SEAT
from kortlek.lab.study.running import get_ready
from kortlek.lab.study.study import Study, Sums, Variant, play, play_part, values

pytest.importorskip("numba")

NUMBERS = '''"""Everyone gets a card and names a number. Points are for the card, for the number, and for coming late, as far as the options say."""

from dataclasses import replace

from kortlek.bots.policy import Policy
from kortlek.cards import PACK, Cards, bit, lowest, rank_of
from kortlek.engine.rng import Rng, pick
from kortlek.game import DEAL, MATCH, NOBODY, OVER, OWNER, Choice, Game, State, amount, cards, count, fewest_points, int_option, next_seat
from kortlek.game import seat, state

ALL = (1 << 13) - 1


@state
class Numbers(State):
    """A match."""

    rounds: int = int_option(1, range(1, 9))
    card: int = int_option(0, range(2))
    named: int = int_option(0, range(2))
    late: int = int_option(0, range(10))
    begins: int = int_option(0, range(3))
    opener: int = seat(reset=MATCH)
    hand: list[Cards] = cards(per_seat=True, seen_by=OWNER)
    rest: Cards = cards(seen_by=NOBODY)
    points: list[int] = count(0, 1000, per_seat=True)


def start(s: Numbers) -> None:
    """Who begins is agreed; then the next player clockwise."""
    s.opener = s.begins
    s.phase = DEAL


def deal(s: Numbers, pack: list[int]) -> None:
    """A card for everyone."""
    for at in range(PACK):
        if at < s.players:
            s.hand[at] = bit(pack[at])
        else:
            s.rest |= bit(pack[at])
    s.turn = s.opener
    s.phase = 0


def legal(s: Numbers) -> Cards:
    """Any number."""
    return ALL


def apply(s: Numbers, choice: int) -> None:
    """Points for the card, the number and the place."""
    place = s.turn - s.opener if s.turn >= s.opener else s.turn - s.opener + s.players
    s.points[s.turn] = s.card * rank_of(lowest(s.hand[s.turn])) + s.named * choice + s.late * place
    s.score[s.turn] += s.points[s.turn]
    s.turn = next_seat(s, s.turn)
    if s.turn == s.opener:
        s.round += 1
        s.opener = next_seat(s, s.opener)
        s.phase = DEAL if s.round < s.rounds else OVER


NUMBERS = Game(
    name="numbers",
    players=range(2, 4),
    state=Numbers,
    choices=(Choice("name", amount(0, 12)),),
    start=start,
    deal=deal,
    legal=legal,
    apply=apply,
)


def most(s: Numbers, rng: Rng) -> int:
    """The largest number."""
    return 12


def anything(s: Numbers, rng: Rng) -> int:
    """Any number, as somebody at random would."""
    return pick(legal(s), rng)


HOUSE = Policy("house", 1, most)
DICE = Policy("dice", 1, anything)
'''


def loaded(folder: Path, text: str) -> Iterator[str]:
    """Load an own game from a file, and forget it afterwards."""
    path = folder / "numbers.py"
    path.write_text(text)
    game = own_games.load(str(path))
    yield game.name
    own_games.forget(game)


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from loaded(tmp_path_factory.mktemp("numbers"), NUMBERS)


@pytest.fixture(scope="module")
def few_points_win(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    text = NUMBERS.replace('name="numbers"', 'name="fewest"').replace("    apply=apply,\n", "    apply=apply,\n    payoff=fewest_points,\n")
    yield from loaded(tmp_path_factory.mktemp("fewest"), text)


def found(variant: Variant, matches: int, seed: int = 1) -> dict[str, Finding]:
    """All findings of a study, by the name of their measure."""
    study = Study((variant,), seed)
    return {each.measure.name: each for each in findings(study, play_part(study, 0, matches))[0]}


def options(**more: int) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in more.items())


# ---- computed again


def again_one_by_one(variant: Variant, seed: int, numbers: list[int]) -> tuple[list[Any], list[Any]]:
    """Scores and winners of single matches: by deal, by the seat of the stronger bot, by seat."""
    scores, won = [], []
    for number in numbers:
        rows: tuple[list[Any], list[Any]] = ([], [])
        for strong in range(variant.players):
            bots = tuple("house" if seat == strong else "easy" for seat in range(variant.players))
            played = play(variant, seed, strong + 1, number, 1, bots)
            winners = [seat for seat in range(variant.players) if int(played.facts[0][0]) >> seat & 1]
            rows[0].append(played.scores[0].tolist()[: variant.players])
            rows[1].append([1 / len(winners) if seat in winners else 0.0 for seat in range(variant.players)])
        scores.append(rows[0])
        won.append(rows[1])
    return scores, won


def shares(scores: list[Any], won: list[Any]) -> list[float]:
    """All measures of skill, computed from their definitions."""
    seats = range(len(scores[0]))
    fair = 1 / len(seats)
    wins = fmean(each[seat][seat] for each in won for seat in seats)
    by_kind = [[each[strong][seat] for each in scores for strong in seats for seat in seats if (strong == seat) == own] for own in (True, False)]
    gain = fmean(by_kind[0]) - fmean(by_kind[1])
    whole = deal = 0.0
    for seat in seats:
        columns = [[each[strong][seat] for each in scores] for strong in seats]
        whole += fmean(map(variance, columns)) + pvariance(list(map(fmean, columns)))
        deal += fmean(covariance(*pair) for pair in permutations(columns, 2))
    whole, deal = whole / len(seats), deal / len(seats)
    skilled = fair * (1 - fair) * gain**2
    return [
        wins,
        wins - fair,
        (wins - fair) / (1 - fair),
        gain,
        deal / whole,
        skilled / whole,
        1 - deal / whole - skilled / whole,
    ]


def test_the_figures_of_skill_are_what_single_matches_say() -> None:
    variant = Variant("trick_paper_scissors", ("house",) * 4, (), "easy")
    study, seed = Study((variant,), 7), 7
    found = findings(study, play_part(study, 0, 450))[0][-len(skill.NAMES) :]
    deals = [*range(100), *range(400, 450)]  # one of four matches, in blocks of a hundred
    scores, won = again_one_by_one(variant, seed, deals)
    wanted = shares(scores, won)
    assert [each.value.mean for each in found] == pytest.approx(wanted)
    assert {each.n for each in found} == {150}
    left = []
    for group in range(skill.GROUPS):
        kept = [at for at, number in enumerate(deals) if number % skill.GROUPS != group]
        left.append(shares([scores[at] for at in kept], [won[at] for at in kept]))
    for at, name in enumerate(skill.NAMES):
        if name != "skill_share":
            middle = fmean(each[at] for each in left)
            error = (49 / 50 * sum((each[at] - middle) ** 2 for each in left)) ** 0.5
            assert found[at].value.reach == pytest.approx(2.0096 * error, rel=1e-3), name


def test_an_interval_is_as_wide_as_drawing_the_deals_again_says() -> None:
    """Also for the shares, which are not means: compared with the spread over other seeds."""
    variant = Variant("trick_paper_scissors", ("house",) * 4, (), "easy")
    several = [found(variant, 1200, seed) for seed in range(40)]
    for name in ("stronger_wins", "stronger_points", "deal_share", "skill_share"):
        spread = variance([each[name].value.mean or 0 for each in several]) ** 0.5
        assert fmean(each[name].value.reach for each in several) == pytest.approx(1.96 * spread, rel=0.35), name


def test_which_deals_are_played_again_depends_on_their_number_alone() -> None:
    whole = [number for first, many in skill.played_again(0, 50_000, 3) for number in range(first, first + many)]
    assert whole == [number for number in range(40_000) if number % 300 < 100]
    for cuts in ([0, 40, 390, 1000], [0, 999, 1000], range(1001)):
        parts = [skill.played_again(first, until - first, 3) for first, until in zip(cuts, cuts[1:])]
        assert [number for part in parts for first, many in part for number in range(first, first + many)] == [each for each in whole if each < 1000]


def test_sums_are_the_same_in_any_parts() -> None:
    study = Study((Variant("trick_paper_scissors", ("house",) * 3, (), "easy"),), 3)
    whole, pieces = play_part(study, 0, 700), Sums()
    for first, count in ((350, 350), (0, 20), (20, 330)):
        pieces.add(play_part(study, first, count)[0])
    assert [pieces] == whole
    assert sum(row[skill.DEALS] for row in pieces.again) == 300
    assert all(isinstance(each, int) for row in pieces.again for each in row)


# ---- games with known answers


def test_where_nothing_but_the_cards_count_all_is_the_deal(numbers: str) -> None:
    here = found(Variant(numbers, ("house",) * 3, options(card=1), "random"), 3000)
    assert [here[name].value.mean for name in ("deal_share", "skill_share", "rest_share")] == pytest.approx([1, 0, 0], abs=1e-9)
    assert here["stronger_points"].value.mean == pytest.approx(0, abs=1e-9)
    assert here["stronger_gain"].value.mean == pytest.approx(0, abs=1e-9) and here["order"].value.reach == pytest.approx(0, abs=1e-9)


def test_where_only_dice_count_beside_the_cards_half_is_the_deal_and_there_is_no_skill(numbers: str) -> None:
    """The rank of a card and the roll have the same variance, each from 0 to 12."""
    here = found(Variant(numbers, ("dice",) * 2, options(card=1, named=1), "random"), 4000)
    assert here["stronger_wins"].n == 2000
    assert here["deal_share"].value.mean == pytest.approx(0.5, abs=0.1)
    assert (here["skill_share"].value.mean or 0) < 0.005
    points = here["stronger_points"].value
    assert points.low is not None and points.high is not None
    assert (here["skill_share"].value.low == 0) == (points.low <= 0 <= points.high), "skill may be nothing exactly where the gain may be chance"
    assert here["rest_share"].value.mean == pytest.approx(0.5, abs=0.1)
    assert here["stronger_gain"].value.mean == pytest.approx(0, abs=0.05)


def test_where_only_the_choice_counts_skill_is_what_it_should_be(numbers: str) -> None:
    """Twelve against a random number from 0 to 12: six points more; the variance is 9 between the two, and 14 in half of the cases."""
    here = found(Variant(numbers, ("house",) * 2, options(named=1), "random"), 4000)
    assert here["stronger_points"].value.mean == pytest.approx(6, abs=0.4)
    assert here["skill_share"].value.mean == pytest.approx(9 / 16, abs=0.05)
    assert here["deal_share"].value.mean == pytest.approx(0, abs=0.05)
    assert here["stronger_wins"].value.mean == pytest.approx(12.5 / 13, abs=0.02)
    assert here["order"].value.mean == pytest.approx(12 / 13, abs=0.04)
    low, high = here["skill_share"].value.low, here["skill_share"].value.high
    assert low is not None and high is not None and 0.4 < low < (here["skill_share"].value.mean or 0) < high < 0.7


def test_where_few_points_win_points_are_worse(few_points_win: str) -> None:
    here = found(Variant(few_points_win, ("house",) * 2, options(named=1), "random"), 400)
    assert here["stronger_points"].value.mean == pytest.approx(-6, abs=1.5)
    assert (here["stronger_gain"].value.mean or 0) < -0.4


def test_where_all_scores_are_the_same_there_are_no_shares(numbers: str) -> None:
    here = found(Variant(numbers, ("house",) * 2, (), "random"), 400)
    assert here["stronger_wins"].value.mean == 0.5
    assert here["deal_share"].value.mean is here["skill_share"].value.mean is None


def test_with_few_deals_there_is_no_interval(numbers: str) -> None:
    variant = Variant(numbers, ("house",) * 2, options(named=1), "random")
    assert found(variant, 9)["stronger_wins"].value.low is None
    assert found(variant, 10)["stronger_wins"].value.low is not None
    assert found(variant, 1)["stronger_wins"].value.mean is None


# ---- the order of play


def test_points_go_by_the_order_of_play_in_each_round_and_wins_by_that_of_the_first(numbers: str) -> None:
    """In four rounds with three players, the first starting player starts twice; the places earn 0, 5 and 10 points."""
    here = found(Variant(numbers, ("house",) * 3, options(rounds=4, late=5, begins=1), "random"), 10)
    assert [here[f"place_points_{place}"].value.mean for place in range(3)] == [0, 5, 10]
    assert [here[f"score_{seat}"].value.mean for seat in range(3)] == [25, 15, 20]
    assert [here[f"place_score_{place}"].value.mean for place in range(3)] == [15, 20, 25]
    assert [here[f"win_{seat}"].value.mean for seat in range(3)] == [1, 0, 0]
    assert [here[f"place_win_{place}"].value.mean for place in range(3)] == [0, 0, 1]


def test_where_lots_are_drawn_the_order_of_play_is_told_from_the_seats() -> None:
    """The starting seat differs from match to match, and places are counted clockwise from it."""
    variant = Variant("up_and_down", ("house",) * 3, (("largest_round", "1"),))
    done = play(variant, 5, 0, 0, 200)
    first = done.notes[:, 0, FIRST_SEAT].tolist()
    assert set(first) == {0, 1, 2}
    made = values(variant, done)
    won, by_place = made[:, 0:3, 0].tolist(), made[:, 6:9, 0].tolist()
    assert all(row == [wins[(begins + place) % 3] for place in range(3)] for row, wins, begins in zip(by_place, won, first))
    assert begin(GAMES["up_and_down"], 3, {"largest_round": "1"}).phase == -3, "lots are drawn"


# ---- the command


LAB = ["lab", "trick_paper_scissors", "--seed", 5, "--workers", 1]


def test_the_answer_says_what_skill_is_worth() -> None:
    told = run(*LAB, "--games", 400).out.splitlines()
    pattern = (
        r"A stronger player \(house among easy\) wins \d\d\.\d % ± \d\.\d where 25\.0 % were fair(, which may be chance)?; "
        r"the deal is \d+\.?\d* % ± \d+\.?\d* and skill \d+\.?\d* % ± \d+\.?\d* of what a seat's score depends on \(100 deals\)\."
    )
    assert re.fullmatch(pattern, told[1]), told[1]
    assert "100 of their deals" in told[-2]
    several = run(*LAB, "--games", 100, "--players", "3,4").out
    assert "\n3 players: a stronger player (house among easy) wins" in several and "\n4 players: a stronger player" in several


def test_skill_can_be_measured_among_others_or_not_at_all(numbers: str) -> None:
    asked = ["lab", own_games.typed_name(numbers), "--option", "named=1", "--games", 100, "--seed", 1, "--json"]
    usual, other, none = (
        {each["measure"]: each for each in run(*asked, *more).json()["variants"][0]["findings"]}
        for more in ([], ["--skill", "random"], ["--skill", "no"])
    )
    assert usual["stronger_points"]["mean"] < other["stronger_points"]["mean"]
    assert "house among random" in other["stronger_wins"]["about"]
    assert not set(none) & set(skill.NAMES)
    assert {name: each for name, each in usual.items() if name not in skill.NAMES} == none, "the matches themselves are the same"
    mixed = run(*LAB, "--games", 10, "--bots", "house,easy,easy,easy", "--json").json()["variants"][0]
    assert not {each["measure"] for each in mixed["findings"]} & set(skill.NAMES)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--skill", "genius"], "has no bot 'genius'"),
        (["--skill", "house"], "--skill house is not possible: that is who plays"),
        (["--skill", "easy", "--bots", "house,easy,easy,easy"], "--skill easy is not possible: it needs two players or more, and bots of one kind"),
    ],
)
def test_skill_that_cannot_be_measured_is_one_sentence(words: list[str], sentence: str) -> None:
    refused = run(*LAB, *words)
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.err and refused.err.count("\n") == 1


def test_whom_a_bot_shows_its_skill_among() -> None:
    game = GAMES["rummy"]
    assert [skill.weaker_than(game, bot) for bot in ("expert", "club", "house", "easy", "random")] == ["club", "house", "easy", "random", ""]
    assert skill.weaker_than(game, "sharp") == "easy"


def test_skill_can_be_required(tmp_path: Path) -> None:
    path = tmp_path / "design.toml"
    text = 'game = "trick_paper_scissors"\ngames = 400\n[[require]]\nmeasure = "order"\nat_most = {}\n'
    for bound, code in ((60, 0), (-50, 1)):
        path.write_text(text.format(bound))
        assert run("lab", "check", path, "--workers", 1).code == code
    path.write_text('bots = "random"\n' + text.format(60))
    refused = run("lab", "check", path)
    assert refused.code == 2 and "order needs bots of one kind" in refused.err


# ---- the report


def test_the_report_shows_skill_order_length_and_what_changes(tmp_path: Path) -> None:
    pytest.importorskip("altair")
    path = tmp_path / "report.html"
    assert (
        run("lab", "up_and_down", "--seed", 1, "--games", 200, "--workers", 1, "--players", 3, "--vary", "largest_round=2,3,4", "--report", path).code
        == 0
    )
    page = path.read_text()
    titles = re.findall("<figcaption>(.*?)</figcaption>", page)
    assert titles == [
        "Who wins (dashed: a fair share)",
        "Who wins, by order of play in the first round",
        "What each seat scores",
        "Points in a round, by order of play",
        "A stronger player (dashed: a fair share)",
        "Skill against chance",
        "How long a match takes",
        "How many choices it has",
        "Bets that were kept with so many cards",
        "Shares",
        "Numbers",
    ]
    assert page.count("<svg") == len(titles)
    assert page.index("a stronger player") < page.index("<svg")
    for word in ("fairness", "order", "convergence", "spread", "drama", "security"):
        assert f"<dt>{word}</dt>" in page


def test_a_fair_share_is_drawn_for_each_number_of_players() -> None:
    pytest.importorskip("altair")
    study = Study(tuple(Variant("trick_paper_scissors", ("house",) * players) for players in (3, 4)), 1)
    svg = plots.by_seat(study, findings(study, play_part(study, 0, 100)), "win", "share of wins")
    assert sorted({round(float(each), 3) for each in re.findall(r"Mean of fair: ([\d.]+)", svg)}) == [0.25, 0.333]


def test_the_command_of_a_report_gives_the_same_again(tmp_path: Path, numbers: str) -> None:
    pytest.importorskip("altair")
    path = tmp_path / "report.html"
    asked = [
        "lab",
        own_games.typed_name(numbers),
        "--games",
        60,
        "--players",
        "2,3",
        "--skill",
        "random",
        "--vary",
        "named=0,1",
        "--option",
        "card=1",
    ]
    before = run(*asked, "--report", path, "--json").json()["variants"]
    words = re.findall(r"<pre>kortlek (.*?)</pre>", path.read_text())[0]
    assert run(*shlex.split(words), "--json").json()["variants"] == before


# ---- while it runs


def test_what_is_shown_while_it_runs_is_of_all_variants_and_short() -> None:
    def glance(many: int) -> str:
        study = Study(tuple(Variant("trick_paper_scissors", ("house",) * 4, (("deals", str(deals + 1)),)) for deals in range(many)), 1)
        return answers.at_a_glance(study, findings(study, play_part(study, 0, 60)))

    assert glance(1).count(" % ± ") == 4
    assert re.fullmatch(r"off its share: \d+\.\d ± \d+\.\d( \| \d+\.\d ± \d+\.\d){2} points", glance(3))
    assert re.fullmatch(r"off its share: \d+\.\d ± \d+\.\d to \d+\.\d ± \d+\.\d points", glance(6))


def test_getting_ready_is_a_step_for_each_variant() -> None:
    steps: list[int] = []
    get_ready(Study(tuple(Variant("trick_paper_scissors", ("house",) * players) for players in (3, 4)), 1), steps.append)
    assert steps == [1, 1]


def test_what_is_kept_of_skill_is_gone_on_with(tmp_path: Path) -> None:
    kept = tmp_path / "study.jsonl"
    at_once = run(*LAB, "--games", 900, "--json").json()
    run(*LAB, "--games", 450, "--keep", kept)
    again = run(*LAB, "--games", 900, "--keep", kept, "--json").json()
    assert again["variants"] == at_once["variants"]
    assert all(len(json.loads(line)["again"][0]) == skill.GROUPS for line in kept.read_text().splitlines()[1:])
