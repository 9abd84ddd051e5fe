"""Records: a played match as one line that anyone can replay and check."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import next_event, set_ups

from kortlek.engine import plain
from kortlek.engine.plain import Refused, copy_of
from kortlek.engine.record import Record, from_line, read_file, to_line, write_down
from kortlek.engine.match import check, opening, replay
from kortlek.engine.rng import seeded
from kortlek.game import OVER, Game
from kortlek.game.registry import GAMES

DOC = (Path(__file__).parent.parent / "docs" / "records.md").read_text()
[EXAMPLE] = re.findall(r"```json\n(.*?)\n```", DOC)


def played(game: Game[Any], players: int, options: dict[str, object], seed: int, events: int | None = None) -> tuple[list[Any], Record]:
    """The states of a random match, or of its beginning, and its record."""
    s = plain.begin(game, players, options)
    states, rng = [copy_of(s)], [seeded(seed, 0)]
    written: list[str] = []
    while s.phase != OVER and (events is None or len(written) < events):
        event = next_event(game, s, rng)
        written.append(plain.write(game, s, event))
        plain.step(game, s, event)
        states.append(copy_of(s))
    return states, write_down(game, s, [f"Nº {seat}" for seat in range(players)], seed, written)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@settings(max_examples=8, deadline=None)
@given(st.data())
def test_a_record_round_trips_and_replays_to_the_same_states(game: Game[Any], data: st.DataObject) -> None:
    players, options = data.draw(set_ups(game))
    states, record = played(game, players, options, data.draw(st.integers(0, 1000)))
    line = to_line(record)
    assert from_line(line) == record
    assert to_line(from_line(line)) == line
    steps = list(replay(from_line(line)))
    assert [step.before for step in steps] == states[:-1]
    assert [step.after for step in steps] == states[1:]
    assert check(record) == states[-1]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_an_unfinished_match_is_a_record_without_a_result(game: Game[Any]) -> None:
    for events in (0, 1, 9, 30):
        states, record = played(game, game.players[0], {}, 7, events)
        assert record.result is None
        assert json.loads(to_line(record))["result"] is None
        assert check(from_line(to_line(record))) == states[-1]


def test_the_keys_come_in_the_promised_order_without_spaces() -> None:
    assert list(json.loads(EXAMPLE)) == ["kortlek", "game", "version", "options", "seats", "seed", "events", "result"]
    assert json.dumps(json.loads(EXAMPLE), separators=(",", ":"), ensure_ascii=False) == EXAMPLE


@pytest.mark.parametrize("seed", [None, 0, 12345, "ab" * 32, "8/1"])
def test_a_seed_is_a_number_a_text_or_nothing(seed: object) -> None:
    line = edited(seed=seed)
    assert from_line(line).seed == seed
    assert to_line(from_line(line)) == line


def test_options_are_written_as_people_write_them() -> None:
    _, record = played(GAMES["trick_paper_scissors"], 4, {"discard_face_up": True, "stars": "1-4:1 5-9:2 10-13:3", "first_dealer": "2"}, 1, 0)
    assert record.options == {"discard_face_up": "yes", "stars": [1] * 4 + [2] * 5 + [3] * 4, "deals": 1, "first_dealer": 2}


# ---- what is not a record


def edited(**changes: object) -> str:
    """The example with other values."""
    return json.dumps({**json.loads(EXAMPLE), **changes}, separators=(",", ":"), ensure_ascii=False)


def with_event(number: int, text: str) -> str:
    events = json.loads(EXAMPLE)["events"]
    events[number - 1] = text
    return edited(events=events)


def without(key: str) -> str:
    return json.dumps({name: value for name, value in json.loads(EXAMPLE).items() if name != key})


PACK = json.loads(EXAMPLE)["events"][1]
WRONG: list[tuple[str, str]] = [
    ("", "cut off after 0 characters"),
    ("hello", "not JSON"),
    ("[" * 100_000, "not JSON that a match could be written in|cut off"),
    ("[]", "no record of a match"),
    ("17", "no record of a match"),
    ('{"game":"plump"}', "no record of a match"),
    (EXAMPLE.replace('"kortlek":2', '"kortlek":2,"kortlek":2'), "'kortlek' more than once"),
    (EXAMPLE + EXAMPLE, "not JSON: Extra data"),
    (edited(kortlek=3), "format 3, but only the formats 1 and 2"),
    (edited(kortlek=True), "format True"),
    (edited(kortlek=1.0), r"format 1\.0"),
    *((without(key), f"has no '{key}'") for key in ("game", "version", "options", "seats", "seed", "events", "result")),
    (edited(colour="red"), "'colour', which does not belong there"),
    (edited(game="whist"), "no game 'whist' here. The games are: plump"),
    (edited(game=3), "'game' should be the name"),
    (edited(game="plump"), "Plump has no option 'largest_round'"),
    (edited(version=2), "version 2 of Up and Down, but version 1 is played here"),
    (edited(version="1"), "'version' should be a whole number"),
    (edited(options=[]), "'options' should be an object"),
    (edited(options={"largest_round": 1.5, "first_bettor": "random"}), "'options' should be"),
    (edited(options={"largest_round": 1}), "does not say what 'first_bettor' was"),
    (edited(options={"largest_round": "1", "first_bettor": "random"}), "should write 'largest_round' as 1, not '1'"),
    (
        edited(options={"largest_round": 99, "first_bettor": "random"}),
        "largest_round=99 is not possible: largest_round is a whole number from 1 to 25",
    ),
    (edited(seats="Lisa"), "'seats' should be a list of names"),
    (edited(seats=["Lisa", ""]), "'seats' should be"),
    (edited(seats=["Lisa", "\x1b[2J"]), "'seats' should be"),
    (edited(seats=["Lisa", "x" * 41]), "'seats' should be"),
    (edited(seats=["Lisa"]), "2 to 10 players, not 1"),
    (edited(seats=["Lisa", "Toby", "Rachel"]), "Event 1: 'lots 1 0' does not have each of the 3 once"),
    (edited(seed=1.5), "'seed' should be"),
    (edited(events="bet 1"), "'events' should be a list of texts"),
    (edited(events=[1]), "'events' should be a list of texts"),
    (with_event(1, "deal HQ"), "Event 1: .* waits for 'lots'"),
    (with_event(1, "lots 1 7"), "Event 1: .*'7' is not a seat"),
    (with_event(2, PACK[:-3]), "Event 2: .* does not have each of the 52 once"),
    (with_event(2, PACK.replace("C3", "H3")), "Event 2: .* does not have each of the 52 once"),
    (with_event(2, PACK.replace("C3", "XX")), "Event 2: .*'XX' is not a card"),
    (with_event(2, PACK.replace("C3 ", "C3  ")), "Event 2: "),
    (with_event(3, "bid 1"), "Event 3: 'bid 1' is not a choice here: allowed: bet 0, bet 1"),
    (with_event(4, "bet 0"), "Event 4: 'bet 0' is not allowed, only bet 1"),
    (with_event(4, "bet 01"), "Event 4: "),
    (with_event(5, "play C3"), "Event 5: 'play C3' is not allowed, only play H3"),
    (with_event(6, "play c3"), "Event 6: "),
    (edited(events=[*json.loads(EXAMPLE)["events"], "bet 0"]), "Event 7: The match is over"),
    (edited(events=json.loads(EXAMPLE)["events"][:-1]), "has a result, but after its 5 events the match is not over"),
    (edited(result=None), "has no result, but after its 6 events the match is over"),
    (edited(result={"scores": [0, 12], "winners": [0]}), r"scores are \[0, 12\], but the events lead to \[12, 0\]"),
    (edited(result={"scores": [12, 0], "winners": [0, 1]}), r"winners are \[0, 1\], but the events lead to \[0\]"),
    (edited(result={"scores": [12, 0]}), "'result' has no 'winners'"),
    (edited(result={"scores": [12, 0], "winners": [0], "loser": [1]}), "'loser', which does not belong there"),
    (edited(result={"scores": [12, "0"], "winners": [0]}), "'result' should be"),
    (edited(result=[]), "'result' should be"),
]


@pytest.mark.parametrize(("line", "sentence"), WRONG, ids=[sentence[:40] for _, sentence in WRONG])
def test_what_is_wrong_with_a_record_is_said_in_a_sentence(line: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        check(from_line(line))
    assert re.search(sentence, str(refused.value)), refused.value
    assert "\n" not in str(refused.value)


def test_a_record_cut_off_anywhere_is_refused() -> None:
    for length in range(len(EXAMPLE)):
        with pytest.raises(Refused, match="cut off|not JSON"):
            from_line(EXAMPLE[:length])


def test_a_record_with_a_changed_character_is_refused_or_says_something_else() -> None:
    """No changed record is read as the same match."""
    true = from_line(EXAMPLE)
    for at in range(len(EXAMPLE)):
        for other in '0x"':
            changed = EXAMPLE[:at] + other + EXAMPLE[at + 1 :]
            if changed == EXAMPLE:
                continue
            try:
                record = from_line(changed)
                check(record)
            except Refused:
                continue
            assert record != true
            assert (record.events, record.result, record.options, record.game) == (true.events, true.result, true.options, true.game)


# ---- files


def in_file(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    return path


def test_a_file_has_a_record_in_each_line(tmp_path: Path) -> None:
    line = EXAMPLE.encode()
    records = list(read_file(in_file(tmp_path, line + b"\n\n" + line + b"\r\n" + line)))
    assert [each.number for each in records] == [1, 3, 4]
    assert all(each.record == from_line(EXAMPLE) for each in records)


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        (EXAMPLE[:300].encode(), "Line 3 of .*games.jsonl: The record is cut off after 300 characters."),
        (b"\xff\xfe", "Line 3 of .*games.jsonl: The record is not written in UTF-8."),
        (edited(kortlek=9).encode(), "Line 3 of .*games.jsonl: The record has the format 9"),
    ],
)
def test_a_line_that_is_no_record_is_named_by_its_number(tmp_path: Path, last: bytes, sentence: str) -> None:
    lines = read_file(in_file(tmp_path, EXAMPLE.encode() + b"\n" + EXAMPLE.encode() + b"\n" + last))
    assert [next(lines).number, next(lines).number] == [1, 2]
    with pytest.raises(Refused, match=sentence):
        next(lines)


# ---- the document


def test_the_example_of_the_document_is_right_and_its_programs_run() -> None:
    scope: dict[str, Any] = {"line": EXAMPLE}
    blocks = re.findall(r"```python\n(.*?)```", DOC, re.S)
    assert len(blocks) == 3
    for block in blocks:
        exec(block, scope)


def test_the_documents_program_agrees_with_ours_on_longer_matches() -> None:
    scope: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", DOC, re.S)[0], scope)
    scores_of: Callable[[str], list[int]] = scope["scores_of"]
    for seed, (players, start) in enumerate([(2, "random"), (3, 1), (5, 4), (10, 0)]):
        _, record = played(GAMES["up_and_down"], players, {"first_bettor": start}, seed)
        assert record.result
        assert scores_of(to_line(record)) == record.result.scores


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_the_document_names_every_event_of_every_game(game: Game[Any]) -> None:
    section = DOC.partition(f"### {game.title}\n")[2].partition("\n#")[0]
    assert "`deal`" in section
    for kind in game.choices:
        for verb in {part.verb for part in kind.parts}:
            assert re.search(rf"`{verb}[ `]", section), verb


def test_the_sentence_that_the_document_quotes_is_what_is_said() -> None:
    with pytest.raises(Refused) as refused:
        check(from_line(with_event(5, "play C3")))
    assert f"`{refused.value}`" in DOC


def test_a_record_of_format_1_is_read_and_replayed() -> None:
    former = json.loads(EXAMPLE)
    former.update(kortlek=1, options={"N": 1, "start": "random"})
    assert check(from_line(json.dumps(former))) == check(from_line(EXAMPLE))


def test_a_record_of_a_game_is_opened_with_its_options() -> None:
    game, s = opening(from_line(EXAMPLE))
    assert (game.name, s.players, s.largest_round) == ("up_and_down", 2, 1)
