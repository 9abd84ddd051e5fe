"""``kortlek verify``, for a player who wants proof that no one chose her cards."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from cheating import KEPT, NUMBER, PROMISED, TRICKS, dealt
from running import run
from test_fairness import MATCH, OLD, PROGRAM, SECRET, SEED, TEXTS, played
from test_record import EXAMPLE

from kortlek.engine.fairness import Seed
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, to_line
from kortlek.engine.verify import Kept, check

PROMISE = SEED.commitment
OTHER = Seed("zzzzzz", 1, bytes(32), ("", ""))
ANOTHER = played("plump", OTHER, {"first_dealer": 0})
FIRST = played("up_and_down", OLD, {"largest_round": 2})


def in_file(tmp_path: Path, *records: Record | str) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{record if isinstance(record, str) else to_line(record)}\n" for record in records))
    return path


def test_what_was_checked_is_said_in_words(tmp_path: Path) -> None:
    path = in_file(tmp_path, MATCH, ANOTHER)
    assert run("verify", path, "--game", 1, "--commitment", PROMISE).out.splitlines() == [
        "Game 1: Up and Down with Nº 0, Nº 1: 4 shuffles, every card as promised",
        "  promised for: match 3 of table bk7q2x (is it yours?)",
        "  added by the players: Nº 0 c0ffee (is yours among them?)",
    ]
    kept = ["--table", "bk7q2x", "--match", 3, "--number", "C0FFEE", "--seat", 1]
    assert run("verify", path, "--game", 1, "--commitment", PROMISE, *kept).out.splitlines()[1:] == [
        "  promised for: match 3 of table bk7q2x",
        "  added by the players: Nº 0 c0ffee, yours among them",
    ]
    assert run("verify", path, "--game", 2, "--commitment", OTHER.commitment).out.splitlines()[::2] == [
        "Game 2: Plump with Nº 0, Nº 1: 20 shuffles, every card as promised",
        "  added by the players: nobody anything (is yours among them?)",
    ]


@pytest.mark.parametrize("promised", [PROMISE, PROMISE.upper()])
def test_programs_get_one_object(tmp_path: Path, promised: str) -> None:
    path = in_file(tmp_path, MATCH)
    game = {"number": 1, "game": "up_and_down", "seats": ["Nº 0", "Nº 1"], "scheme": 2, "table": "bk7q2x", "match": 3}
    checked = {"shuffles": 4, "commitment": PROMISE, "luck": list(TEXTS), "yours": "c0ffee"}
    assert run("verify", path, "--commitment", promised, "--number", "c0ffee", "--json").json() == {"file": str(path), **game, **checked}


def test_without_the_promise_nothing_is_proved(tmp_path: Path) -> None:
    ran = run("verify", in_file(tmp_path, MATCH))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Say what was promised before the match: --commitment and 64 hexadecimal digits") and "nothing is proved" in ran.err


def test_a_promise_is_that_of_one_match(tmp_path: Path) -> None:
    ran = run("verify", in_file(tmp_path, MATCH, ANOTHER), "--commitment", PROMISE)
    assert ran.code == 2 and "has 2 matches, and the promise is that of one: say which with --game." in ran.err


def test_scheme_1_is_read_and_said_to_prove_less(tmp_path: Path) -> None:
    ran = run("verify", in_file(tmp_path, FIRST), "--commitment", OLD.commitment, "--number", "c0ffee", "--seat", 1)
    assert ran.code == 0 and "4 shuffles, every card as promised" in ran.out
    assert ran.out.splitlines()[-1].startswith("  The match was promised under scheme 1, which proves less: ")
    assert run("verify", in_file(tmp_path, FIRST), "--commitment", OLD.commitment, "--json").json()["scheme"] == 1
    assert "not the one that was promised" in run("verify", in_file(tmp_path, FIRST), "--commitment", PROMISE).err


def test_an_unfinished_game_can_be_checked_as_far_as_it_went(tmp_path: Path) -> None:
    for events, said in [(0, "0 shuffles"), (1, "1 shuffle,"), (3, "2 shuffles")]:
        begun = dataclasses.replace(MATCH, events=MATCH.events[:events], result=None)
        assert said in run("verify", in_file(tmp_path, begun), "--commitment", PROMISE).out


# ---- servers that cheat


def by_the_program(record: Record, kept: Kept) -> int:
    """Verify a record with the program of the document."""
    return PROGRAM(to_line(record), kept.promise, kept.table, kept.match, kept.number, kept.seat, kept.people)


def by_the_command(path: Path, kept: Kept) -> list[str | int | Path]:
    """The command that verifies a record."""
    assert kept.table and kept.match and kept.number and kept.seat is not None
    of: list[str | int] = ["--commitment", kept.promise, "--table", kept.table, "--match", kept.match]
    mine: list[str | int] = ["--number", kept.number, "--seat", kept.seat + 1]
    return ["verify", path, *of, *mine, *(each for seat in kept.people for each in ("--person", seat + 1))]


def test_an_honest_match_is_verified(tmp_path: Path) -> None:
    record = dealt(PROMISED)
    assert check(record, KEPT).chances == by_the_program(record, KEPT) == 20
    assert run(*by_the_command(in_file(tmp_path, record), KEPT)).code == 0


@pytest.mark.parametrize("name", TRICKS)
def test_every_trick_is_found_by_the_command_and_by_the_documents_program(name: str, tmp_path: Path) -> None:
    trick = TRICKS[name]()
    ran = run(*by_the_command(in_file(tmp_path, trick.record), trick.kept))
    assert (ran.code, ran.out) == (2, "") and re.search(trick.says, ran.err), ran.err
    with pytest.raises(AssertionError):
        by_the_program(trick.record, trick.kept)


@pytest.mark.parametrize("name", sorted(TRICKS.keys() - {"secret_swapped_at_the_end"}))
def test_without_what_the_player_kept_no_trick_would_be_found(name: str) -> None:
    """The records are as a clever server would make them: every deal follows from the seed, and the choices are legal."""
    assert check(TRICKS[name]().record).chances == 20


def test_a_number_is_found_at_any_seat_if_the_seat_is_not_named(tmp_path: Path) -> None:
    path = in_file(tmp_path, dealt(PROMISED))
    promised = ["--commitment", PROMISED.commitment]
    assert run("verify", path, *promised, "--number", NUMBER).code == 0
    assert "it is none of the numbers in the seed" in run("verify", path, *promised, "--number", "0").err
    assert "There is no seat 3: the seats are 1 to 2." in run("verify", path, *promised, "--number", NUMBER, "--seat", 3).err
    assert "it is not that of seat 2, which is empty" in run("verify", path, *promised, "--number", NUMBER, "--seat", 2).err


def test_a_person_who_was_sent_away_had_a_number(tmp_path: Path) -> None:
    seed = dataclasses.replace(PROMISED, luck=(NUMBER, "b0"))
    kept = dataclasses.replace(KEPT, people=(1,))
    assert by_the_program(dealt(seed), kept) == 20
    assert run(*by_the_command(in_file(tmp_path, dealt(seed)), kept)).code == 0
    assert check(dealt(seed, "Bo"), KEPT).chances == 20


# ---- bad input

OTHER_DEAL = [MATCH.events[0], ANOTHER.events[0], *MATCH.events[2:]]
TEXT = SEED.text
SEEDS = [
    (None, "The seed None is not that of a table"),
    (17, "The seed 17 is not that of a table"),
    ("8/1", "The seed '8/1' is not that of a table, so nothing was promised: it would be 'fair 2', the table's code"),
    (SECRET.hex(), "is not that of a table"),
    ("", "The seed '' is not that of a table"),
    (TEXT.replace("fair 2", "fair 3"), "is not that of a table"),
    (TEXT.replace("fair 2", "fair 1"), "is not that of a table"),
    (TEXT.replace(" 3 ", " 03 "), "is not that of a table"),
    (TEXT.replace(" 3 ", " 0 "), "is not that of a table"),
    (TEXT.replace(" 3 ", " -3 "), "is not that of a table"),
    (TEXT.replace(" 3 ", " "), "is not that of a table"),
    (TEXT.replace("bk7q2x", ""), "is not that of a table"),
    (TEXT.replace("bk7q2x", "é"), "is not that of a table"),
    (TEXT.replace("0a0b", "0A0B"), "is not that of a table"),
    (TEXT.replace("c0ffee", "C0FFEE"), "is not that of a table"),
    (TEXT.replace("c0ffee", "coffee"), "is not that of a table"),
    (TEXT.replace("c0ffee", "0" * 65), "is not that of a table"),
    (TEXT.replace('"c0ffee"', "7"), "is not that of a table"),
    (TEXT.replace("c0ffee", r"c0ffee\\n"), "is not that of a table"),
    (TEXT.replace('",', '"'), "is not that of a table"),
    (f"fair 2 bk7q2x 3 {SECRET.hex()} {'[' * 100_000}]", "is not that of a table"),
    (TEXT.replace("000102", "0102"), "is not that of a table"),
    (TEXT + " ", "is not that of a table"),
    (TEXT.replace(",", ", "), "The list in the seed should be written as we write it"),
    (TEXT.replace("c0ffee", r"\u00630ffee"), "The list in the seed should be written as we write it"),
    (dataclasses.replace(SEED, luck=("c0ffee",)).text, "The list in the seed should have 2 texts, one for each seat, not 1."),
    (dataclasses.replace(SEED, luck=("", "c0ffee")).text, "did not come from the secret"),
]
WRONG: list[tuple[Record | str, str]] = [
    (EXAMPLE, "The seed '8/1' is not that of a table"),
    *((dataclasses.replace(MATCH, seed=seed), sentence) for seed, sentence in SEEDS),
    (dataclasses.replace(MATCH, events=OTHER_DEAL), "Event 2 did not come from the secret"),
    (dataclasses.replace(MATCH, events=MATCH.events[:-1]), "has a result, but after its"),
    (dataclasses.replace(MATCH, version=99), "version 99 of Up and Down"),
    (dataclasses.replace(MATCH, game="whist"), "no game 'whist' here"),
    ("hello", "not JSON"),
]


@pytest.mark.parametrize(("record", "sentence"), WRONG, ids=[f"{number} {sentence[:40]}" for number, (_, sentence) in enumerate(WRONG)])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_is_wrong_is_said_in_a_sentence_that_names_the_line(tmp_path: Path, record: Record | str, sentence: str, more: list[str]) -> None:
    ran = run("verify", in_file(tmp_path, MATCH, record), "--game", 2, "--commitment", PROMISE, *more)
    assert ran.code == 2
    assert ran.err.startswith(f"Line 2 of {tmp_path / 'games.jsonl'}: ") and ran.err.count("\n") == 1
    assert re.search(sentence, ran.err), ran.err
    assert not more or ran.out == ""


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--commitment", OTHER.commitment], f"for match 3 of table bk7q2x is {PROMISE}, but {OTHER.commitment} was promised."),
        (["--commitment", PROMISE[:-1]], "should be 64 hexadecimal digits."),
        (["--commitment", "x" * 64], "should be 64 hexadecimal digits."),
        (["--commitment", ""], "--commitment '' should be 64 hexadecimal digits."),
        (["--commitment", f"{PROMISE}\n"], "should be 64 hexadecimal digits."),
        (["--commitment", PROMISE, "--number", "coffee"], "--number 'coffee' should be 1 to 64 hexadecimal digits."),
        (["--commitment", PROMISE, "--number", ""], "--number '' should be 1 to 64 hexadecimal digits."),
        (["--commitment", PROMISE, "--seat", 0], "--seat 0 is not possible: it is a whole number from 1 up."),
        (["--commitment", PROMISE, "--match", 0], "--match 0 is not possible"),
        (["--commitment", PROMISE, "--person", 0], "--person 0 is not possible"),
        (["--commitment", PROMISE, "--game", 2], "has 1 game, so there is no game 2."),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, given: list[str | int], sentence: str) -> None:
    ran = run("verify", in_file(tmp_path, MATCH), *given)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err and ran.err.count("\n") == 1


def test_a_file_without_records_is_refused(tmp_path: Path) -> None:
    assert run("verify", in_file(tmp_path), "--commitment", PROMISE).err.endswith("games.jsonl has no records.\n")
    assert "cannot be used: No such file" in run("verify", tmp_path / "nowhere", "--commitment", PROMISE).err


def test_a_seat_that_was_kept_is_a_seat_of_the_record() -> None:
    with pytest.raises(Refused, match="There is no seat 3"):
        check(MATCH, Kept(PROMISE, seat=2))
