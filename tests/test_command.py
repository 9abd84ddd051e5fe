"""The command line, as a user or a program meets it."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kortlek.bots import BOTS
from kortlek.cards import members
from kortlek.command import COMMANDS, main
from kortlek.command.play import numbered, understand
from kortlek.command.sitting import PERSON, Sitting, name_seats, short_names
from kortlek.command.tally import Tally
from kortlek.play import plain
from kortlek.play.information import view
from kortlek.play.plain import Refused
from kortlek.play.record import Record, check, load, read_file, save
from kortlek.play.seeded import pick, seeded
from kortlek.rules import GAMES
from kortlek.rules.game import Game, Match

SOURCE = Path(__file__).parent.parent / "src"
SHORT: dict[str, list[str]] = {
    "plump": ["--players", "10"],
    "up_and_down": ["--option", "N=2"],
    "trick_paper_scissors": ["--option", "deals=2"],
    "rummy": ["--option", "round_limit=9", "--option", "games=2"],
    "cascade": ["--players", "2", "--option", "games=1"],
}
"""Options that make a match of each game short."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KORTLEK_HOME", str(tmp_path / "home"))


class Ran:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> dict[str, Any]:
        """The one JSON object that it printed."""
        assert self.code == 0, self.err
        answer = json.loads(self.out)
        assert isinstance(answer, dict)
        return answer


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run_command(*arguments: object, answers: str = "") -> Ran:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run_command


def start(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "kortlek", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **more,
    )


# ---- help, games, rules


def test_help_names_every_command_and_loads_none() -> None:
    program = """
import sys
from kortlek.command import main
code = main(["--help"])
print(code, sorted(name for name in sys.modules if name.startswith(("kortlek.command.", "numba", "numpy", "kortlek.bots"))))
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert done.stdout.endswith("0 []\n"), done.stderr
    for command in COMMANDS:
        assert f"  {command}: " in done.stdout


def test_the_games_are_listed_with_players_and_options(run: Any) -> None:
    listed = run("games").out
    for game in GAMES.values():
        assert f"{game.name}: {game.title}, {game.players[0]} to {game.players[-1]} players" in listed
        for name in game.options:
            assert f"  {name}: " in listed


def test_the_games_are_listed_for_programs(run: Any) -> None:
    listed = {each["name"]: each for each in run("games", "--json").json()["games"]}
    assert list(listed) == list(GAMES)
    assert listed["cascade"]["options"]["hand_sizes"]["default"] == {"2": [4, 5], "3": [4, 5, 6], "4": [3, 4, 5, 6]}
    assert listed["trick_paper_scissors"]["players"] == [3, 4]


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_a_game_are_shown(run: Any, name: str) -> None:
    shown = run("rules", name)
    assert shown.code == 0
    assert GAMES[name].title in shown.out
    assert run("rules", name, "--json").json()["page"].startswith(f"# {GAMES[name].title}")


def test_a_name_with_hyphens_is_understood(run: Any) -> None:
    assert run("rules", "Up-and-Down", "--json").json()["game"] == "up_and_down"


# ---- what cannot be done


WRONG: list[tuple[list[str], str]] = [
    (["dance"], "There is no command 'dance'. The commands are: play, games"),
    (["games", "--colour"], "Unknown option: --colour"),
    (["games", "plump"], "'plump' is too much here"),
    (["rules"], "requires an argument"),
    (["rules", "whist"], "There is no game 'whist'. The games are: plump, up_and_down"),
    (["play"], "Which game?"),
    (["play", "whist"], "There is no game 'whist'"),
    (["play", "plump", "--players", "11"], "Plump is for 2 to 10 players, not 11"),
    (["play", "plump", "--players", "many"], "Invalid value for --players"),
    (["play", "plump", "--players"], "--players requires an argument"),
    (["play", "plump", "--bots", "genius"], "There is no bot 'genius'. The bots are: random"),
    (["play", "plump", "--bots", "random,random", "--players", "4"], "With 4 players there are 3 bots"),
    (["play", "plump", "--seed", "-1"], "The seed -1 is not possible"),
    (["play", "plump", "--seed", str(1 << 62)], "is not possible: it is a whole number from 0"),
    (["play", "plump", "--option", "first_lead"], "should be a name and a value"),
    (["play", "plump", "--option", "trump=hearts"], "Plump has no option 'trump'. Its options are: first_lead, first_dealer"),
    (["play", "plump", "--option", "first_lead=me"], "first_lead is first_bidder or highest_bidder"),
    (["play", "plump", "--option", "first_dealer=1", "--option", "first_dealer=2"], "given more than once"),
    (["play", "plump", "--name", ""], "cannot be a name"),
    (["play", "plump", "--name", "\x1b[1m"], "cannot be a name"),
    (["play", "--resume"], "There is no saved game in"),
    (["play", "rummy", "--resume"], "There is no saved game of rummy in"),
    (["play", "plump", "--resume", "--seed", "1"], "--resume goes on with a game as it was saved"),
    (["simulate", "whist"], "There is no game 'whist'"),
    (["simulate", "rummy", "--games", "0"], "--games 0 is not possible"),
    (["simulate", "rummy", "--games", "1e3"], "Invalid value for --games"),
    (["simulate", "rummy", "--workers", "0"], "--workers 0 is not possible"),
    (["simulate", "rummy", "--players", "7"], "Rummy is for 2 to 6 players, not 7"),
    (["simulate", "rummy", "--option", "threshold=1000"], "threshold is a whole number from 0 to 135"),
    (["simulate", "rummy", "--engine", "steam"], 'Invalid value "steam" for --engine'),
    (["simulate", "rummy", "--games", "1", "--records", "/nowhere/at/all"], "/nowhere/at/all cannot be used: No such file"),
    (["replay", "/nowhere/at/all"], "/nowhere/at/all cannot be used: No such file"),
    (["replay", "/"], "/ cannot be used"),
    (["warmup", "whist"], "There is no game 'whist'"),
]


@pytest.mark.parametrize(("arguments", "sentence"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(run: Any, arguments: list[str], sentence: str) -> None:
    refused = run(*arguments)
    assert refused.code == 2
    assert sentence in refused.err
    assert refused.err.count("\n") == 1
    assert refused.out == ""


# ---- play


def answers_of(game: Game[Any], arguments: list[str], seed: int) -> tuple[list[str], Record]:
    """Answers that play a match of a seed to its end, some by number and some in notation, and its record."""
    options = dict(text.split("=") for text in arguments[1::2] if "=" in text)
    players = int(arguments[arguments.index("--players") + 1]) if "--players" in arguments else 4
    sitting = Sitting(game, options, name_seats("Player", ["random"] * (players - 1)), seed)
    rng, answers = [seeded(seed, 99)], []
    sitting.advance()
    while not sitting.is_over:
        seen = sitting.seen()
        choice = pick(seen.legal, rng)
        by_number = {each: str(number) for number, each in numbered(seen).items()}
        answers.append(game.choices[seen.state.phase].notation[choice].lower() if len(answers) % 2 else by_number[choice])
        sitting.happen(choice)
        sitting.advance()
    return answers, sitting.record()


def played(home: Path) -> list[Record]:
    return [line.record for line in read_file(home / "home" / "played.jsonl")]


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_match_is_played_by_number_and_in_notation(run: Any, tmp_path: Path, name: str) -> None:
    answers, record = answers_of(GAMES[name], SHORT[name], 3)
    done = run("play", name, "--seed", 3, *SHORT[name], answers="\n".join(answers) + "\n")
    assert done.code == 0, done.err
    assert "Total" in done.out
    assert played(tmp_path) == [record]
    assert not list((tmp_path / "home" / "saved").iterdir())


@pytest.mark.parametrize("name", GAMES)
def test_a_match_that_is_stopped_and_gone_on_with_is_the_same_match(run: Any, tmp_path: Path, name: str) -> None:
    answers, record = answers_of(GAMES[name], SHORT[name], 4)
    half = len(answers) // 2
    stops = ["\n".join([*answers[:1], "q"]), "\n".join(answers[1:half]), "\n".join([*answers[half:], ""])]
    first = run("play", name, "--seed", 4, *SHORT[name], answers=stops[0])
    assert first.code == 0
    assert "The game is saved in" in first.out
    assert run("play", "--resume", answers=stops[1]).code == 0
    assert run("play", name, "--resume", answers=stops[2]).code == 0
    assert played(tmp_path) == [record]


def test_the_game_saved_last_is_gone_on_with_and_none_is_lost(run: Any, tmp_path: Path) -> None:
    for name in ("plump", "trick_paper_scissors", "plump"):
        run("play", name, answers="q\n")
    saved = tmp_path / "home" / "saved"
    assert sorted(path.name for path in saved.iterdir()) == ["plump-1.jsonl", "plump-2.jsonl", "trick_paper_scissors-1.jsonl"]
    os.utime(saved / "plump-1.jsonl", ns=(1 << 61, 1 << 61))
    assert "plump-1" in run("play", "--resume", answers="q\n").out
    assert "trick_paper_scissors-1" in run("play", "trick_paper_scissors", "--resume", answers="q\n").out


def test_a_saved_game_is_a_record_that_can_be_replayed_but_only_as_seen(run: Any, tmp_path: Path) -> None:
    run("play", "plump", answers="1\nq\n")
    path = tmp_path / "home" / "saved" / "plump-1.jsonl"
    record = load(path.read_text())
    assert check(record).phase >= 0
    assert record.result is None
    told = run("replay", path)
    assert "as an onlooker saw it" in told.out
    assert "gets" not in told.out
    assert str(record.seed) not in told.out
    assert "The game is not finished" in told.out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "cut off"),
        (b"\xff", "is not a saved game"),
        (b"{}", "no record of a match"),
    ],
)
def test_a_damaged_saved_game_is_refused(run: Any, tmp_path: Path, content: bytes, sentence: str) -> None:
    run("play", "plump", answers="q\n")
    path = tmp_path / "home" / "saved" / "plump-1.jsonl"
    path.write_bytes(content)
    refused = run("play", "--resume")
    assert refused.code == 2
    assert str(path) in refused.err
    assert sentence in refused.err


def test_a_saved_game_with_other_deals_or_other_players_is_refused(run: Any, tmp_path: Path) -> None:
    run("play", "plump", "--seed", 1, answers="q\n")
    path = tmp_path / "home" / "saved" / "plump-1.jsonl"
    record = load(path.read_text())
    for changed, sentence in (
        (dataclasses.replace(record, seed=2), "do not come from its seed"),
        (dataclasses.replace(record, seed=None), "has no seed"),
        (dataclasses.replace(record, seats=["Player", "Lisa (genius)", *record.seats[2:]]), "'Lisa (genius)' should end with the level of a bot"),
    ):
        path.write_text(save(changed))
        refused = run("play", "--resume")
        assert (refused.code, refused.out) == (2, "")
        assert sentence in refused.err


def test_without_a_seed_the_deal_comes_from_a_secret(run: Any, tmp_path: Path) -> None:
    for _ in range(2):
        run("play", "plump", answers="q\n")
    saved = tmp_path / "home" / "saved"
    first, second = (load((saved / f"plump-{number}.jsonl").read_text()) for number in (1, 2))
    assert isinstance(first.seed, str)
    assert len(bytes.fromhex(first.seed)) == 32
    assert first.seed != second.seed
    assert first.events != second.events


def test_the_end_of_the_input_saves_the_game(run: Any, tmp_path: Path) -> None:
    assert run("play", "plump", answers="").code == 0
    assert load((tmp_path / "home" / "saved" / "plump-1.jsonl").read_text()).result is None


def test_a_game_is_kept_after_each_choice(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if it ends without a word, nothing that was chosen is lost."""
    kept = []
    lines = iter(["bid 1", "bid 2"])

    def read(prompt: str) -> str:
        kept.extend(path.read_text() for path in (tmp_path / "home" / "saved").glob("*.jsonl"))
        return next(lines) if len(kept) < 1 else "q"

    monkeypatch.setattr("builtins.input", read)
    run("play", "plump", "--seed", 1)
    assert "bid 1" in load(kept[0]).events


def test_the_commands_of_the_table(run: Any) -> None:
    shown = run("play", "plump", "--seed", 4, answers="?\nt\ns\nl\nbid 3\nl\n1\nl\nq\n").out
    assert "s  the score sheet" in shown
    assert shown.count("Round 1 of 22, ticks: 10") == 4
    assert "Ticks  You  Lisa  Stephen  Toby\nTotal    0     0        0     0" in shown
    assert "You get" in shown.partition("Ticks  You")[2].partition("bid 3")[0]
    assert "Last trick: You " in shown


def test_an_illegal_choice_is_answered_with_the_reason(run: Any) -> None:
    shown = run("play", "plump", "--seed", 4, answers="bid 11\nbid 10\nplay ZZ\n\nplay S2\nq\n").out
    assert "'bid 11' is not a choice here: allowed: bid 0, bid 1" in shown
    assert "'play ZZ' is not a choice here: allowed: play " in shown
    assert "You do not hold S2." in shown


def test_a_choice_that_is_a_number_has_that_number() -> None:
    game = GAMES["plump"]
    s = plain.begin(game, 2, {"first_dealer": 1})
    plain.happen(game, s, plain.draw_chance(game, s, lambda things, n: None))
    plain.happen(game, s, 4)
    seen = view(game, s, 1)
    assert list(numbered(seen)) == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10]
    assert understand(seen, "3") == understand(seen, "bid 3") == understand(seen, "BID 3") == 3
    with pytest.raises(Refused, match="may not add up to 10"):
        understand(seen, "6")


def test_choices_that_are_no_numbers_are_counted_from_1() -> None:
    game = GAMES["trick_paper_scissors"]
    s = plain.begin(game, 4)
    plain.happen(game, s, plain.draw_chance(game, s, lambda things, n: None))
    seen = view(game, s, 0)
    legal = list(members(seen.legal))
    assert numbered(seen) == dict(enumerate(legal, 1))
    assert understand(seen, "1") == understand(seen, "r1") == understand(seen, "play R1") == legal[0]
    with pytest.raises(Refused, match="You do not hold R2"):
        understand(seen, "R2")
    with pytest.raises(Refused, match="'10' is not a choice here"):
        understand(seen, "10")


def test_the_person_is_shown_the_same_whatever_the_others_hold(run: Any, tmp_path: Path) -> None:
    """Up to her first choice nothing but her own cards differs between two deals that give her the same hand."""
    game = GAMES["plump"]
    shown = []
    for swap in (False, True):
        sitting = Sitting(game, {}, name_seats("Player", ["random"] * 3), 6)
        event = list(plain.draw_chance(game, sitting.s, sitting._shuffle))
        if swap:
            event[1], event[2], event[40], event[45] = event[45], event[40], event[2], event[1]
        shown.append([sitting.happen(tuple(event)), sitting.seen()])
        assert sitting.s.turn == PERSON
    assert shown[0] == shown[1]


def test_a_whole_match_through_a_pipe() -> None:
    process = start("play", "trick_paper_scissors", "--seed", 2, "--name", "Åsa")
    out, err = process.communicate("1\n" * 40)
    assert (process.returncode, err) == (0, "")
    assert out.count("Your choice: 1\n") == out.count("Which card do you play?") + out.count("What shall the value")
    assert out.splitlines()[-2].endswith((" wins.", " win.", " share the win."))


def test_the_game_answers_line_by_line() -> None:
    """A program that reads what it is shown before it answers is not kept waiting."""
    process = start("play", "plump", "--seed", 2)
    assert process.stdin
    assert process.stdout
    lines = iter(process.stdout.readline, "")
    assert any(line.startswith("How many ticks") for line in lines)
    process.stdin.write("2\n")
    process.stdin.flush()
    assert any(line.startswith("Which card") for line in lines)
    process.stdin.close()
    rest = process.stdout.read()
    assert "The game is saved in" in rest
    assert process.wait() == 0


def test_ctrl_c_saves_the_game(tmp_path: Path) -> None:
    process = start("play", "plump", "--seed", 2)
    assert process.stdout
    assert any(line.startswith("How many ticks") for line in iter(process.stdout.readline, ""))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    assert "The game is saved in" in out
    assert (tmp_path / "home" / "saved" / "plump-1.jsonl").exists()


def test_a_bot_gets_the_name_of_its_level_and_nobody_the_name_of_another() -> None:
    assert name_seats("Lisa", ["random"] * 2) == ["Lisa", "Stephen (random)", "Toby (random)"]
    assert short_names(["Lisa", "Stephen (random)"]) == ("Lisa", "Stephen")
    assert short_names(["A (random)", "A (search)"]) == ("A (random)", "A (search)")
    assert len(set(name_seats("Player", ["random"] * 9))) == 10


# ---- simulate


def counted(report: dict[str, Any]) -> dict[str, Any]:
    """What may not depend on the engine, the workers or the clock."""
    return {key: value for key, value in report.items() if key not in ("seconds", "games_per_second", "engine", "workers")}


@pytest.mark.parametrize("name", GAMES)
def test_both_engines_count_the_same(run: Any, name: str) -> None:
    pytest.importorskip("numba")
    arguments = ["simulate", name, "--games", 12, "--seed", 5, "--json", "--workers", 1, *SHORT[name]]
    plain_report = run(*arguments, "--engine", "plain").json()
    compiled_report = run(*arguments, "--engine", "compiled").json()
    assert (plain_report["engine"], compiled_report["engine"]) == ("plain", "compiled")
    assert counted(plain_report) == counted(compiled_report)


def test_any_number_of_workers_counts_the_same(run: Any, tmp_path: Path) -> None:
    arguments = ["simulate", "trick_paper_scissors", "--games", 45, "--seed", 5, "--json", "--engine", "plain"]
    reports, files = [], []
    for workers in (1, 2, 3):
        reports.append(counted(run(*arguments, "--workers", workers, "--records", tmp_path / str(workers)).json()))
        files.append((tmp_path / str(workers)).read_bytes())
    assert reports[0] == reports[1] == reports[2]
    assert files[0] == files[1] == files[2]


def test_any_number_of_threads_counts_the_same(run: Any) -> None:
    pytest.importorskip("numba")
    arguments = ["simulate", "trick_paper_scissors", "--games", 5500, "--seed", 5, "--json", "--engine", "compiled"]
    assert counted(run(*arguments, "--workers", 1).json()) == counted(run(*arguments, "--workers", 3).json())


@pytest.mark.parametrize("name", GAMES)
def test_records_of_a_simulation_replay_to_what_was_counted(run: Any, tmp_path: Path, name: str) -> None:
    report = run("simulate", name, "--games", 6, "--seed", 9, "--json", "--records", tmp_path / "r.jsonl", *SHORT[name]).json()
    tally = Tally(["random"] * report["players"])
    for game, line in enumerate(read_file(tmp_path / "r.jsonl")):
        s = check(line.record)
        assert line.record.seed == f"9/{game}"
        choices = [event for event in line.record.events if not event.startswith(("deal", "lots"))]
        tally.add_game(s.score, GAMES[name].winners(s), s.round, len(choices))
    assert tally.games == 6
    assert {key: report[key] for key in tally.report()} == tally.report()


def test_a_file_with_records_is_not_overwritten_by_accident(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("precious")
    refused = run("simulate", "plump", "--games", 1, "--records", path)
    assert (refused.code, path.read_text()) == (2, "precious")
    assert "exists already: name another file or add --overwrite" in refused.err
    assert run("simulate", "plump", "--games", 1, "--records", path, "--overwrite").code == 0
    assert len(list(read_file(path))) == 1


def test_a_seed_is_chosen_and_reported_if_none_is_given(run: Any) -> None:
    first, second = (run("simulate", "trick_paper_scissors", "--games", 3, "--json").json() for _ in range(2))
    assert first["seed"] != second["seed"]
    again = run("simulate", "trick_paper_scissors", "--games", 3, "--json", "--seed", first["seed"]).json()
    assert counted(again) == counted(first)


def test_the_report_for_people_has_the_numbers(run: Any) -> None:
    report = run("simulate", "up_and_down", "--games", 30, "--seed", 1, "--json", *SHORT["up_and_down"]).json()
    text = run("simulate", "up_and_down", "--games", 30, "--seed", 1, *SHORT["up_and_down"]).out
    for row in [*report["seats"], *report["bots"]]:
        assert f"{row['score']['mean']:.2f}" in text
        assert f"{row['win_share']['low']:.2%} to {row['win_share']['high']:.2%}" in text
    assert "30 games, seed 1" in text
    assert "N=2" in text


class First:
    """Always the first legal choice: a bot for tests, as good as any other."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, seen: Any) -> int:
        return next(members(seen.legal))


def test_other_bots_play_on_the_plain_engine_and_are_told_apart(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "first", First)
    arguments = ["simulate", "up_and_down", "--bots", "first,random,first", "--games", 10, "--seed", 1, "--workers", 1, "--json"]
    report = run(*arguments).json()
    assert (report["engine"], report["players"]) == ("plain", 3)
    assert [(row["bot"], row["seats"]) for row in report["bots"]] == [("first", [0, 2]), ("random", [1])]
    by_seat = [row["score"]["mean"] for row in report["seats"]]
    assert report["bots"][0]["score"]["mean"] == pytest.approx((by_seat[0] + by_seat[2]) / 2)
    assert report["bots"][1]["win_share"] == report["seats"][1]["win_share"]
    assert counted(run(*arguments).json()) == counted(report)
    refused = run(*arguments, "--engine", "compiled")
    assert refused.code == 2
    assert "leave out --engine for other bots" in refused.err


def uses_a_dictionary(s: Match) -> int:
    return {0: 1}[0] if s.phase == 99 else GAMES["trick_paper_scissors"].legal(s)


def test_a_game_that_cannot_be_compiled_plays_plain_and_says_why(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    odd = dataclasses.replace(GAMES["trick_paper_scissors"], name="odd", title="Odd", legal=uses_a_dictionary)
    monkeypatch.setitem(GAMES, "odd", odd)
    done = run("simulate", "odd", "--games", 150, "--workers", 1, "--seed", 1, "--json")
    assert done.err.startswith("Odd stays with the plain engine: ")
    assert done.err.count("\n") == 1
    report = done.json()
    assert report["engine"] == "plain"
    usual = run("simulate", "trick_paper_scissors", "--games", 150, "--seed", 1, "--json", "--engine", "plain").json()
    assert report["seats"] == usual["seats"]
    refused = run("simulate", "odd", "--games", 5, "--engine", "compiled")
    assert refused.code == 2
    assert refused.err.startswith("Odd stays with the plain engine: ")


def test_without_numba_everything_is_simulated_on_the_plain_engine() -> None:
    program = """
import sys
sys.modules["numba"] = None
from kortlek.command import main
codes = [main(["simulate", "trick_paper_scissors", "--games", "150", "--workers", "1", *more]) for more in ([], ["--engine", "compiled"])]
codes.append(main(["warmup", "plump"]))
sys.exit(codes != [0, 2, 2])
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "plain engine, 1 worker" in done.stdout
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == [
        "Numba is not installed, so the plain engine plays, about a hundred times slower",
        "The compiled engine needs Numba",
        "There is nothing to compile without Numba",
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_prints_what_was_done_so_far(tmp_path: Path, workers: int) -> None:
    """The records go to a pipe that is read here, so the interrupt comes for certain after the first game and before the last."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    process = start("simulate", "trick_paper_scissors", "--games", 10**7, "--workers", workers, "--seed", 3, "--json", "--records", path, "--overwrite")
    with path.open() as pipe:
        lines = [pipe.readline()]
        process.send_signal(signal.SIGINT)
        lines += pipe.readlines()
    out, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    report = json.loads(out)
    assert report["interrupted"] is True
    assert report["games"] == len(lines)
    for number, line in enumerate(lines):
        record = load(line)
        assert record.seed == f"3/{number}"
    assert check(record).phase < 0


def test_counts_are_exact_and_do_not_depend_on_the_order_of_adding() -> None:
    games = [([3, 1, 2], 0b001, 4, 10), ([5, 5, 0], 0b011, 4, 11), ([1, 1, 1], 0b111, 5, 12), ([0, 2, 9], 0, 4, 10)]
    bots = ["random", "first", "random"]
    whole = Tally(bots)
    for game in games:
        whole.add_game(*game)
    for order in itertools.permutations(games):
        together = Tally(bots)
        for game in order:
            part = Tally(bots)
            part.add_game(*game)
            together.add(part)
        assert together == whole
    report = whole.report()
    assert report["seats"][0]["score"]["mean"] == 9 / 4
    assert report["seats"][0]["win_share"]["mean"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 4)
    assert report["bots"][0]["score"]["mean"] == (5 + 5 + 2 + 9) / 4 / 2
    assert report["bots"][0]["win_share"]["mean"] == pytest.approx((1 + 1 / 2 + 2 / 3) / 4 / 2)
    assert (report["draws"], report["shared_wins"], report["rounds_per_game"], report["choices_per_game"]) == (1, 2, 17 / 4, 43 / 4)


def test_the_interval_of_a_mean_is_the_usual_one() -> None:
    tally = Tally(["random", "random"])
    for score in (1, 2, 3, 4):
        tally.add_game([score, 0], 1, 1, 1)
    estimate = tally.report()["seats"][0]["score"]
    assert (estimate["low"], estimate["high"]) == pytest.approx((2.5 - 1.959964 * (5 / 3 / 4) ** 0.5, 2.5 + 1.959964 * (5 / 3 / 4) ** 0.5))
    share = tally.report()["seats"][0]["win_share"]
    assert (share["mean"], share["high"]) == (1, 1)
    assert share["low"] == pytest.approx(4 / (4 + 1.959964**2))


# ---- replay


@pytest.fixture
def records(run: Any, tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    run("simulate", "trick_paper_scissors", "--games", 3, "--seed", 1, "--records", path)
    return path


def test_all_games_of_a_file_are_told_or_one_of_them(run: Any, records: Path) -> None:
    told = run("replay", records)
    assert told.code == 0
    assert [line.partition(":")[0] for line in told.out.splitlines() if line.startswith("Game")] == ["Game 1", "Game 2", "Game 3"]
    assert told.out.count("told open") == 3
    one = run("replay", records, "--game", 2).out
    assert one in told.out
    assert one.startswith("Game 2: TrickPaperScissors with Lisa (random), ")


def test_a_game_is_told_open_with_all_hands_or_as_a_seat_saw_it(run: Any, records: Path) -> None:
    told = {viewer: run("replay", records, "--game", 1, *(["--as", viewer] if viewer else [])).out.splitlines() for viewer in ("", "0", "Stephen", "onlooker")}
    gets = {viewer: [line for line in lines if " get" in line] for viewer, lines in told.items()}
    assert len(gets[""]) == 4
    assert len(gets["0"]) == len(gets["Stephen"]) == 1
    assert gets["0"][0].startswith("You get ")
    assert gets[""][0] == gets["0"][0].replace("You get", "Lisa gets")
    assert gets["onlooker"] == []


def test_a_game_is_told_to_programs_as_one_object(run: Any, records: Path) -> None:
    [game] = run("replay", records, "--game", 3, "--as", "1", "--json").json()["games"]
    assert (game["number"], game["game"]) == (3, "trick_paper_scissors")
    assert game["sheet"][-1].startswith("Total")
    assert sum("You get" in line for line in game["log"]) == 1
    assert game["ending"].endswith(("win", "wins"))
    assert "events" not in json.dumps(game)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "4"], "has 3 games, so there is no game 4"),
        (["--game", "0"], "--game 0 is not possible"),
        (["--as", "4"], "There is no seat '4'. The seats are: 0 Lisa, 1 Stephen, 2 Toby, 3 Rachel."),
        (["--as", "Bob"], "There is no seat 'Bob'"),
    ],
)
def test_a_game_or_seat_that_is_not_there_is_refused(run: Any, records: Path, arguments: list[str], sentence: str) -> None:
    refused = run("replay", records, *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.err


def test_a_cut_off_file_is_told_up_to_there_and_the_line_is_named(run: Any, records: Path) -> None:
    records.write_bytes(records.read_bytes()[:-100])
    refused = run("replay", records)
    assert refused.code == 2
    assert f"Line 3 of {records}: The record is cut off" in refused.err
    assert refused.out.count("told open") == 2
    refused = run("replay", records, "--json")
    assert (refused.code, refused.out) == (2, "")


def test_an_illegal_event_in_a_record_is_named_with_its_number(run: Any, records: Path) -> None:
    lines = records.read_text().splitlines()
    record = load(lines[1])
    at = next(number for number, event in enumerate(record.events) if event.startswith("play") and number > 3)
    wrong = dataclasses.replace(record, events=[*record.events[:at], record.events[1], *record.events[at + 1 :]])
    records.write_text("\n".join([lines[0], save(wrong)]))
    refused = run("replay", records, "--game", 2)
    assert (refused.code, refused.out) == (2, "")
    assert f"Line 2 of {records}: Event {at + 1}: '{record.events[1]}' is not allowed: You do not hold" in refused.err


def test_a_file_without_records_is_refused(run: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n\n")
    refused = run("replay", tmp_path / "empty")
    assert refused.code == 2
    assert "has no records" in refused.err


def test_nobody_reading_on_is_no_error(tmp_path: Path, run: Any) -> None:
    path = tmp_path / "many.jsonl"
    run("simulate", "plump", "--games", 5, "--records", path)
    process = start("replay", path)
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline().startswith("Game 1")
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 141


# ---- warmup


def test_warmup_compiles_the_games_that_are_named(run: Any) -> None:
    pytest.importorskip("numba")
    assert "TrickPaperScissors is ready" in run("warmup", "trick_paper_scissors").out
    assert list(run("warmup", "trick_paper_scissors", "--json").json()["games"]) == ["trick_paper_scissors"]
