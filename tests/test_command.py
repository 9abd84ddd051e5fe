"""The command line, as used by people and programs: help, pages, replays, and errors."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playing import random_record
from running import SOURCE, run, start

from kortlek.cli.main import COMMANDS
from kortlek.engine.record import from_line, to_line
from kortlek.game.registry import GAMES
from kortlek.words.describe import number_of_players
from kortlek.words.words import words_of


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KORTLEK_HOME", str(tmp_path / "home"))


# ---- help, games, rules


def test_help_names_every_command_and_loads_none() -> None:
    program = """
import sys
from kortlek.cli import main
code = main(["--help"])
print(code, sorted(name for name in sys.modules if name.startswith(("kortlek.cli.", "numba", "numpy", "kortlek.bots"))))
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert done.stdout.endswith("0 ['kortlek.cli.main']\n"), done.stderr
    for command in COMMANDS:
        assert f"  {command}: " in done.stdout


def test_the_games_are_listed_with_players_and_options() -> None:
    listed = run("games").out
    for game in GAMES.values():
        assert f"{game.name}: {game.title}, {number_of_players(words_of(game))}\n" in listed
        for name in game.options:
            assert f"  {name}: " in listed


def test_games_and_rules_speak_swedish() -> None:
    listed = run("games", "--language", "sv").out
    assert "rummy: Rummy, 2 till 6 spelare" in listed
    assert (
        "  first_lead: vem som spelar ut till det första sticket i en giv; first_bidder eller highest_bidder; vanligen den som bjöd först" in listed
    )
    assert "  med 3 spelare: en husvariant: tolv kort var" in listed
    assert run("rules", "plump", "--language", "sv", "--json").json()["page"].startswith("# Plump\n\nEtt stickspel")
    assert run("games", "--language", "sv", "--json").json()["games"][0]["about"].startswith("Lova hur många stick")


def test_the_games_are_listed_for_programs() -> None:
    listed = {each["name"]: each for each in run("games", "--json").json()["games"]}
    assert list(listed) == list(GAMES)
    assert listed["cascade"]["options"]["hand_sizes"]["default"] == {"2": [4, 5], "3": [4, 5, 6], "4": [3, 4, 5, 6]}
    assert listed["trick_paper_scissors"]["players"] == [3, 4]


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_a_game_are_shown(name: str) -> None:
    shown = run("rules", name)
    assert shown.code == 0
    assert GAMES[name].title in shown.out
    assert run("rules", name, "--json").json()["page"].startswith(f"# {GAMES[name].title}")


def test_a_name_with_hyphens_is_understood() -> None:
    assert run("rules", "Up-and-Down", "--json").json()["game"] == "up_and_down"


# ---- what cannot be done


WRONG: list[tuple[list[str], str]] = [
    (["dance"], "There is no command 'dance'. The commands are: play, serve"),
    (["games", "--colour"], "Unknown option: --colour"),
    (["games", "plump"], "'plump' is too much here"),
    (["rules"], "requires an argument"),
    (["rules", "whist"], "There is no game 'whist'. The games are: plump, up_and_down"),
    (["play"], "Which game?"),
    (["play", "whist"], "There is no game 'whist'"),
    (["play", "plump", "--players", "14"], "Plump is for 2 to 13 players, not 14"),
    (["play", "plump", "--language", "xx"], "There are no words in 'xx'. The languages are: en, sv."),
    (["play", "plump", "--players", "many"], "Invalid value for --players"),
    (["play", "plump", "--players"], "--players requires an argument"),
    (["play", "plump", "--bots", ""], "Plump has no bot ''"),
    (["play", "plump", "--bots", "genius"], "Plump has no bot 'genius'. Its bots are: random, easy, medium, house, club, expert"),
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
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(arguments: list[str], sentence: str) -> None:
    refused = run(*arguments)
    assert refused.code == 2
    assert sentence in refused.err
    assert refused.err.count("\n") == 1
    assert refused.out == ""


# ---- replay


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(to_line(random_record(GAMES["trick_paper_scissors"], 4, {}, seed)) + "\n" for seed in range(3)))
    return path


def test_all_games_of_a_file_are_told_or_one_of_them(records: Path) -> None:
    told = run("replay", records)
    assert told.code == 0
    assert [line.partition(":")[0] for line in told.out.splitlines() if line.startswith("Game")] == ["Game 1", "Game 2", "Game 3"]
    assert told.out.count("told open") == 3
    one = run("replay", records, "--game", 2).out
    assert one in told.out
    assert one.startswith("Game 2: TrickPaperScissors with Lisa (random), ")


def test_a_game_is_told_open_with_all_hands_or_as_a_seat_saw_it(records: Path) -> None:
    told = {
        viewer: run("replay", records, "--game", 1, *(["--as", viewer] if viewer else [])).out.splitlines()
        for viewer in ("", "1", "Stephen", "onlooker")
    }
    gets = {viewer: [line for line in lines if " get" in line] for viewer, lines in told.items()}
    assert len(gets[""]) == 4
    assert len(gets["1"]) == len(gets["Stephen"]) == 1
    assert gets["1"][0].startswith("You get ")
    assert gets[""][0] == gets["1"][0].replace("You get", "Lisa gets")
    assert gets["onlooker"] == []


def test_a_game_is_told_in_swedish(records: Path) -> None:
    told = run("replay", records, "--game", 1, "--language", "sv").out
    assert told.startswith("Match 1: TrickPaperScissors med Lisa (random), ")
    assert "med öppna kort" in told
    assert "Summa" in told
    assert "Lisa spelar " in told


def test_a_game_is_told_to_programs_as_one_object(records: Path) -> None:
    [game] = run("replay", records, "--game", 3, "--as", "2", "--json").json()["games"]
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
        (["--as", "5"], "There is no seat '5'. The seats are: 1 Lisa, 2 Stephen, 3 Toby, 4 Rachel."),
        (["--language", "xx"], "There are no words in 'xx'. The languages are: en, sv."),
        (["--as", "Bob"], "There is no seat 'Bob'"),
    ],
)
def test_a_game_or_seat_that_is_not_there_is_refused(records: Path, arguments: list[str], sentence: str) -> None:
    refused = run("replay", records, *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.err


def test_a_cut_off_file_is_told_up_to_there_and_the_line_is_named(records: Path) -> None:
    records.write_bytes(records.read_bytes()[:-100])
    refused = run("replay", records)
    assert refused.code == 2
    assert f"Line 3 of {records}: The record is cut off" in refused.err
    assert refused.out.count("told open") == 2
    refused = run("replay", records, "--json")
    assert (refused.code, refused.out) == (2, "")


def test_an_illegal_event_in_a_record_is_named_with_its_number(records: Path) -> None:
    lines = records.read_text().splitlines()
    record = from_line(lines[1])
    at = next(number for number, event in enumerate(record.events) if event.startswith("play") and number > 3)
    wrong = dataclasses.replace(record, events=[*record.events[:at], record.events[1], *record.events[at + 1 :]])
    records.write_text("\n".join([lines[0], to_line(wrong)]))
    refused = run("replay", records, "--game", 2)
    assert (refused.code, refused.out) == (2, "")
    assert f"Line 2 of {records}: Event {at + 1}: '{record.events[1]}' is not allowed, only " in refused.err


def test_a_file_without_records_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n\n")
    refused = run("replay", tmp_path / "empty")
    assert refused.code == 2
    assert "has no records" in refused.err


def test_nobody_reading_on_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("".join(to_line(random_record(GAMES["plump"], 4, {}, seed)) + "\n" for seed in range(5)))
    process = start("replay", path)
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline().startswith("Game 1")
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 141


# ---- warmup


def test_warmup_compiles_the_games_that_are_named() -> None:
    pytest.importorskip("numba")
    assert "TrickPaperScissors is ready" in run("warmup", "trick_paper_scissors").out
    assert list(run("warmup", "trick_paper_scissors", "--json").json()["games"]) == ["trick_paper_scissors"]
