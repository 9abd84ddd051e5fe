"""``kortlek verify``, for a player who wants proof that no one chose her cards."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from running import run
from test_fairness import MATCH, SECRET, TEXTS, played
from test_record import EXAMPLE

from kortlek.engine.fairness import commitment, seed_of
from kortlek.engine.record import Record, to_line

PROMISED = commitment(SECRET)
ANOTHER = played("plump", bytes(32), ["", ""], {"first_dealer": 0})


def in_file(tmp_path: Path, *records: Record | str) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{record if isinstance(record, str) else to_line(record)}\n" for record in records))
    return path


def test_what_was_checked_is_said_in_words(tmp_path: Path) -> None:
    path = in_file(tmp_path, MATCH, ANOTHER)
    assert run("verify", path).out.splitlines() == [
        "Game 1: Up and Down with Nº 0, Nº 1: 4 shuffles, every card as the secret gives it",
        f"  commitment: {PROMISED}",
        "  added by the players: Nº 0 c0ffee",
        "Game 2: Plump with Nº 0, Nº 1: 20 shuffles, every card as the secret gives it",
        f"  commitment: {commitment(bytes(32))}",
        "  added by the players: nobody anything",
    ]


@pytest.mark.parametrize("promised", [PROMISED, PROMISED.upper()])
def test_programs_get_one_object(tmp_path: Path, promised: str) -> None:
    path = in_file(tmp_path, MATCH)
    game = {"number": 1, "game": "up_and_down", "seats": ["Nº 0", "Nº 1"], "shuffles": 4, "commitment": PROMISED, "luck": TEXTS}
    assert run("verify", path, "--commitment", promised, "--json").json() == {"file": str(path), "promised": PROMISED, "games": [game]}
    assert run("verify", path, "--commitment", promised).code == 0


def test_an_unfinished_game_can_be_checked_as_far_as_it_went(tmp_path: Path) -> None:
    for events, said in [(0, "0 shuffles"), (1, "1 shuffle,"), (3, "2 shuffles")]:
        begun = dataclasses.replace(MATCH, events=MATCH.events[:events], result=None)
        assert said in run("verify", in_file(tmp_path, begun)).out


SEED = seed_of(SECRET, TEXTS)
OTHER_DEAL = [MATCH.events[0], ANOTHER.events[0], *MATCH.events[2:]]
SEEDS = [
    (None, "The seed None is not that of a table"),
    (17, "The seed 17 is not that of a table"),
    ("8/1", "The seed '8/1' is not that of a table, so nothing was promised: it would be 'fair 1', the secret as 64"),
    (SECRET.hex(), "is not that of a table"),
    ("", "The seed '' is not that of a table"),
    (SEED.replace("fair 1", "fair 2"), "is not that of a table"),
    (SEED.replace("0a0b", "0A0B"), "is not that of a table"),
    (SEED.replace("c0ffee", "C0FFEE"), "is not that of a table"),
    (SEED.replace("c0ffee", "coffee"), "is not that of a table"),
    (SEED.replace("c0ffee", "0" * 65), "is not that of a table"),
    (SEED.replace('"c0ffee"', "7"), "is not that of a table"),
    (SEED.replace("c0ffee", r"c0ffee\\n"), "is not that of a table"),
    (SEED.replace('",', '"'), "is not that of a table"),
    (f"fair 1 {SECRET.hex()} {'[' * 100_000}]", "is not that of a table"),
    (SEED.replace("000102", "0102"), "is not that of a table"),
    (SEED + " ", "is not that of a table"),
    (SEED.replace(",", ", "), "The list in the seed should be written as we write it"),
    (SEED.replace("c0ffee", r"\u00630ffee"), "The list in the seed should be written as we write it"),
    (seed_of(SECRET, ["c0ffee"]), "The list in the seed should have 2 texts, one for each seat, not 1."),
    (seed_of(SECRET, ["", "c0ffee"]), "did not come from the secret"),
    (seed_of(bytes(32), TEXTS), "did not come from the secret"),
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
    ran = run("verify", in_file(tmp_path, MATCH, record), *more)
    assert ran.code == 2
    assert ran.err.startswith(f"Line 2 of {tmp_path / 'games.jsonl'}: ") and ran.err.count("\n") == 1
    assert re.search(sentence, ran.err), ran.err
    assert not more or ran.out == ""


@pytest.mark.parametrize(
    ("promised", "sentence"),
    [
        (commitment(bytes(32)), f"The commitment of its secret is {PROMISED}, not the one that was promised, {commitment(bytes(32))}."),
        (PROMISED[:-1], "should be 64 hexadecimal digits."),
        ("x" * 64, "should be 64 hexadecimal digits."),
        ("", "--commitment '' should be 64 hexadecimal digits."),
        (f"{PROMISED}\n", "should be 64 hexadecimal digits."),
    ],
)
def test_another_commitment_is_refused(tmp_path: Path, promised: str, sentence: str) -> None:
    ran = run("verify", in_file(tmp_path, MATCH), "--commitment", promised)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err


def test_a_file_without_records_is_refused(tmp_path: Path) -> None:
    assert run("verify", in_file(tmp_path)).err.endswith("games.jsonl has no records.\n")
    assert "cannot be used: No such file" in run("verify", tmp_path / "nowhere").err
