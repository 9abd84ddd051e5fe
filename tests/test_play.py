"""``kortlek play``: a person against bots in the terminal or through a pipe."""

from __future__ import annotations

import dataclasses
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from running import SHORT, First, run, start

from kortlek.bots import Level, levels_of
from kortlek.cards import FRENCH, card, members
from kortlek.cli.local_match import PERSON, LocalMatch, name_seats, short_names
from kortlek.cli.play import numbered, understand
from kortlek.engine import plain
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, read_file, to_line
from kortlek.engine.match import check
from kortlek.engine.rng import pick, seeded
from kortlek.engine.views import view
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.words.words import words_of


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KORTLEK_HOME", str(tmp_path / "home"))


def answers_of(game: Game[Any], arguments: list[str], seed: int) -> tuple[list[str], Record]:
    """Answers that play the match of a seed to its end, some by number, some in notation and some in words, and its record."""
    options = dict(text.split("=") for text in arguments[1::2] if "=" in text)
    players = int(arguments[arguments.index("--players") + 1]) if "--players" in arguments else 4
    local = LocalMatch(game, options, name_seats("Player", ["random"] * (players - 1)), seed)
    rng = [seeded(seed, 99)]
    answers: list[str] = []
    list(local.advance())
    while not local.match.over:
        seen = local.seen()
        choice = pick(seen.legal, rng)
        by_number = {each: str(number) for number, each in numbered(seen).items()}
        in_words = [plain.write_choice(game, seen.state, choice).lower(), words_of(game).choice(seen.state, choice)]
        answers.append([by_number[choice], *in_words][len(answers) % 3])
        local.step(choice)
        list(local.advance())
    return answers, local.record()


def played(home: Path) -> list[Record]:
    return [line.record for line in read_file(home / "home" / "played.jsonl")]


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_match_is_played_by_number_in_notation_and_in_words(tmp_path: Path, name: str) -> None:
    answers, record = answers_of(GAMES[name], SHORT[name], 3)
    done = run("play", name, "--seed", 3, *SHORT[name], answers="\n".join(answers) + "\n")
    assert done.code == 0, done.err
    assert "Total" in done.out
    assert played(tmp_path) == [record]
    assert not list((tmp_path / "home" / "saved").iterdir())


@pytest.mark.parametrize("name", GAMES)
def test_a_match_that_is_stopped_and_gone_on_with_is_the_same_match(tmp_path: Path, name: str) -> None:
    answers, record = answers_of(GAMES[name], SHORT[name], 4)
    half = len(answers) // 2
    stops = ["\n".join([*answers[:1], "q"]), "\n".join(answers[1:half]), "\n".join([*answers[half:], ""])]
    first = run("play", name, "--seed", 4, *SHORT[name], answers=stops[0])
    assert first.code == 0
    assert "The game is saved in" in first.out
    assert run("play", "--resume", answers=stops[1]).code == 0
    assert run("play", name, "--resume", answers=stops[2]).code == 0
    assert played(tmp_path) == [record]


def test_the_game_saved_last_is_gone_on_with_and_none_is_lost(tmp_path: Path) -> None:
    for name in ("plump", "trick_paper_scissors", "plump"):
        run("play", name, "--bots", "random", answers="q\n")
    saved = tmp_path / "home" / "saved"
    assert sorted(path.name for path in saved.iterdir()) == ["plump-1.jsonl", "plump-2.jsonl", "trick_paper_scissors-1.jsonl"]
    os.utime(saved / "plump-1.jsonl", ns=(1 << 61, 1 << 61))
    assert "plump-1" in run("play", "--resume", answers="q\n").out
    assert "trick_paper_scissors-1" in run("play", "trick_paper_scissors", "--resume", answers="q\n").out


def test_a_saved_game_is_a_record_that_can_be_replayed_but_only_as_seen(tmp_path: Path) -> None:
    run("play", "plump", "--bots", "random", answers="1\nq\n")
    path = tmp_path / "home" / "saved" / "plump-1.jsonl"
    record = from_line(path.read_text())
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
def test_a_damaged_saved_game_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    run("play", "plump", "--bots", "random", answers="q\n")
    path = tmp_path / "home" / "saved" / "plump-1.jsonl"
    path.write_bytes(content)
    refused = run("play", "--resume")
    assert refused.code == 2
    assert str(path) in refused.err
    assert sentence in refused.err


def test_a_saved_game_with_other_deals_or_other_players_is_refused(tmp_path: Path) -> None:
    run("play", "plump", "--bots", "random", "--seed", 1, answers="q\n")
    path = tmp_path / "home" / "saved" / "plump-1.jsonl"
    record = from_line(path.read_text())
    for changed, sentence in (
        (dataclasses.replace(record, seed=2), "do not come from its seed"),
        (dataclasses.replace(record, seed=None), "has no seed"),
        (dataclasses.replace(record, seed="8/1"), "'8/1' is not a seed to deal from"),
        (dataclasses.replace(record, seats=["Player", "Lisa (genius)", *record.seats[2:]]), "Plump has no bot 'genius'"),
    ):
        path.write_text(to_line(changed))
        refused = run("play", "--resume")
        assert (refused.code, refused.out) == (2, "")
        assert sentence in refused.err


def test_without_a_seed_the_deal_comes_from_a_secret(tmp_path: Path) -> None:
    for _ in range(2):
        run("play", "plump", "--bots", "random", answers="q\n")
    saved = tmp_path / "home" / "saved"
    first, second = (from_line((saved / f"plump-{number}.jsonl").read_text()) for number in (1, 2))
    assert isinstance(first.seed, str)
    assert len(bytes.fromhex(first.seed)) == 32
    assert first.seed != second.seed
    assert first.events != second.events


def test_the_end_of_the_input_saves_the_game(tmp_path: Path) -> None:
    assert run("play", "plump", "--bots", "random", answers="").code == 0
    assert from_line((tmp_path / "home" / "saved" / "plump-1.jsonl").read_text()).result is None


def test_a_game_is_kept_after_each_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the process dies without warning, no choice is lost."""
    kept: list[str] = []

    def read(prompt: str) -> str:
        kept.extend(path.read_text() for path in (tmp_path / "home" / "saved").glob("*.jsonl"))
        return "q" if kept else "bid 1"

    monkeypatch.setattr("builtins.input", read)
    run("play", "plump", "--bots", "random", "--seed", 1)
    assert "bid 1" in from_line(kept[0]).events


def test_the_commands_of_the_table() -> None:
    shown = run("play", "plump", "--bots", "random", "--seed", 4, answers="?\nt\ns\nl\nbid 3\nl\n1\nl\nq\n").out
    assert "s  the score sheet" in shown
    assert shown.count("Round 1 of 22, ticks: 10") == 4
    assert "Ticks  You  Lisa  Stephen  Toby\nTotal    0     0        0     0" in shown
    assert "You get" in shown.partition("Ticks  You")[2].partition("bid 3")[0]
    assert "Last tick: You " in shown


def test_an_illegal_choice_is_answered_with_the_reason() -> None:
    shown = run("play", "plump", "--bots", "random", "--seed", 4, answers="bid 11\nbid 10\nplay ZZ\n\nplay S2\nq\n").out
    assert "'bid 11' is not a choice here. Allowed: Bid 0, Bid 1" in shown
    assert "'play ZZ' is not a choice here. Allowed: Play " in shown
    assert "You do not hold 2♠" in shown


def test_a_choice_that_is_a_number_has_that_number() -> None:
    game = GAMES["plump"]
    s = plain.begin(game, 2, {"first_dealer": 1})
    plain.step(game, s, plain.resolve_chance(game, s, lambda things, n: None))
    plain.step(game, s, 4)
    seen, words, swedish = view(game, s, 1), words_of(game), words_of(game, "sv")
    assert list(numbered(seen)) == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10]
    assert understand(seen, words, "3") == understand(seen, words, "bid 3") == understand(seen, words, "BID 3") == 3
    assert understand(seen, swedish, "bjud 3") == understand(seen, swedish, "bid 3") == 3
    with pytest.raises(Refused, match="may not add up to 10"):
        understand(seen, words, "6")
    with pytest.raises(Refused, match="Buden får inte bli 10 tillsammans"):
        understand(seen, swedish, "6")


def test_choices_that_are_no_numbers_are_counted_from_1() -> None:
    game = GAMES["trick_paper_scissors"]
    s = plain.begin(game, 4)
    plain.step(game, s, plain.resolve_chance(game, s, lambda things, n: None))
    seen, words = view(game, s, 0), words_of(game)
    legal = list(members(seen.legal))
    assert numbered(seen) == dict(enumerate(legal, 1))
    assert understand(seen, words, "1") == understand(seen, words, "r1") == understand(seen, words, "play R1") == legal[0]
    assert understand(seen, words, "rock 1") == understand(seen, words_of(game, "sv"), "sten 1") == legal[0]
    with pytest.raises(Refused, match="You do not hold rock 2"):
        understand(seen, words, "R2")
    with pytest.raises(Refused, match="'10' is not a choice here"):
        understand(seen, words, "10")


@pytest.mark.parametrize("text", ["HT", "TH", "T♥", "10♥", "10h", "H10", "play HT", "Play 10♥", "♥10"])
def test_a_card_is_understood_as_people_write_it(text: str) -> None:
    game = GAMES["plump"]
    s = plain.begin(game, 2, {"first_dealer": 1})
    deal = ["HT", *(name for name in FRENCH if name != "HT")]
    for event in (f"deal {' '.join(deal)}", "bid 1", "bid 1"):
        plain.step(game, s, plain.read(game, s, event))
    seen = view(game, s, 0)
    assert understand(seen, words_of(game), text) == card("HT")
    with pytest.raises(Refused, match="'1♥' is not a choice here"):
        understand(seen, words_of(game), "1♥")


def test_the_person_is_shown_the_same_whatever_the_others_hold(tmp_path: Path) -> None:
    """Up to her first choice, the output is the same for two deals that give her the same hand."""
    game = GAMES["plump"]
    shown = []
    for swap in (False, True):
        local = LocalMatch(game, {}, name_seats("Player", ["random"] * 3), 6)
        event = list(local.match.chance())
        if swap:
            event[1], event[2], event[40], event[45] = event[45], event[40], event[2], event[1]
        shown.append([local.step(tuple(event)), local.seen()])
        assert local.match.turn == PERSON
    assert shown[0] == shown[1]


def test_a_whole_match_through_a_pipe() -> None:
    process = start("play", "trick_paper_scissors", "--bots", "random", "--seed", 2, "--name", "Åsa")
    out, err = process.communicate("1\n" * 40)
    assert (process.returncode, err) == (0, "")
    assert out.count("Your choice: 1\n") == out.count("Which card do you play?") + out.count("What shall the value")
    assert out.splitlines()[-2].endswith((" wins.", " win.", " share the win."))


def test_the_game_answers_line_by_line() -> None:
    """The output is flushed before each question, so that a program at the other end of the pipe is not kept waiting."""
    process = start("play", "plump", "--bots", "random", "--seed", 2)
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
    process = start("play", "plump", "--bots", "random", "--seed", 2)
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
    assert short_names(["A (random)", "A (house)"]) == ("A (random)", "A (house)")
    assert len(set(name_seats("Player", ["random"] * 9))) == 10


def test_each_bot_is_heard_of_before_the_next_one_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = []

    class Listener(First):
        def choose(self, seen: Any) -> int:
            printed.append(sys.stdout.getvalue())  # type: ignore[union-attr]
            return super().choose(seen)

    monkeypatch.setitem(levels_of(GAMES["plump"]), "listener", Level("listener", lambda seed, budget: Listener(seed)))
    run("play", "plump", "--bots", "listener,listener", "--seed", 1, "--option", "first_dealer=0", answers="q\n")
    assert "Stephen bids" not in printed[1]
    assert printed[1].endswith("Lisa bids 0\n")


def test_h_gives_a_hint_and_w_the_reasons() -> None:
    out = run("play", "plump", "--bots", "random", "--players", 2, "--seed", 3, "--option", "first_dealer=0", answers="h\nw\nq\n").out
    hint, reasons = out.split("Your choice: h\n")[1].split("Your choice: w\n")
    assert re.fullmatch(r"Bid \d+: .+\.\n", hint.replace("(The bots are thinking. The first time they need a while.)\n", ""))
    rows = [line.split() for line in reasons.splitlines() if line.strip().startswith("Bid ") and line.endswith("deals")]
    assert len(rows) >= 10
    points = [float(row[2]) for row in rows[1:]]
    assert points == sorted(points, reverse=True)
    assert hint.split(":")[0] == " ".join(rows[0][:2])
    assert hint in reasons


def test_the_terminal_speaks_swedish() -> None:
    out = run("play", "plump", "--bots", "house", "--seed", 4, "--language", "sv", answers="3\n1\n?\nq\n").out
    assert out.startswith("Plump med Lisa (huset), Stephen (huset), Toby (huset). Skriv ? för hjälp, q för att sluta.")
    for text in ("Giv 1\n", "Hur många stick tar du?", "Ditt val: 3", "Du bjuder 3", "t  bordet", "Matchen är sparad i"):
        assert text in out
    resumed = run("play", "--resume", "--language", "sv", answers="q\n").out
    assert resumed.startswith("Plump med Lisa (huset), Stephen (huset), Toby (huset), fortsätter från ")


@pytest.mark.parametrize(
    ("environment", "asked"),
    [
        ({"LANG": "sv_SE.UTF-8"}, "Hur många"),
        ({"LANG": "svx"}, "How many"),
        ({"LANG": "sv_SE", "LC_ALL": "C"}, "How many"),
        ({"KORTLEK_LANGUAGE": "sv"}, "Hur många"),
    ],
)
def test_the_language_is_that_of_the_system_if_none_is_named(environment: dict[str, str], asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "KORTLEK_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert asked in run("play", "plump", "--bots", "random", answers="q\n").out


def test_hints_say_nothing_of_points_where_there_is_one_choice_only() -> None:
    """The last card of a round: no alternatives, and no table of points."""
    out = run("play", "up_and_down", "--bots", "random", "--seed", 1, "--option", "first_bettor=0", answers="0\nh\nw\nq\n").out
    assert "-0.0" not in out
    assert out.count("there is nothing else to do") == 2
    assert "tried in" not in out
