"""S6: deals of the table can be verified, and tampered ones cannot."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from playing import next_event
from trust.row import Found, Row, Run
from worlds import some_options

from kortlek.engine.fairness import commitment, read_seed
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, to_line
from kortlek.engine.rng import below, seeded
from kortlek.engine.verify import check
from kortlek.game.registry import GAMES
from kortlek.table.match import LiveMatch

MATCHES = 250
"""The number of matches in a part."""


def s6(run: Run) -> Found:
    """Verify matches, and the same ones with one character of the seed or of a deal changed."""
    verify, wrong = the_documents_program(), list[str]()
    promise_of = careless if run.is_planted else lambda record: check(record).commitment
    first = run.part * MATCHES
    for number in range(first, first + MATCHES):
        chance = random.Random(number)
        record, promised = some_match(number, chance)
        try:
            if promise_of(from_line(to_line(record))) != promised or not verify(to_line(record), promised):
                wrong.append(f"match {number}: something else was promised")
        except (Refused, AssertionError) as error:
            wrong.append(f"match {number}: {error}")
        falsified = with_one_other_byte(record, chance)
        try:
            if promise_of(falsified) == promised:
                wrong.append(f"match {number} passed with a changed byte: {to_line(falsified)}")
        except Refused:
            continue
    return Found(wrong, {"matches": MATCHES, "changed ones": MATCHES})


def careless(record: Record) -> str:
    """Planted bug: a verifier that does not compare the deals with the secret."""
    return commitment(read_seed(record.seed)[0])


def some_match(number: int, chance: random.Random) -> tuple[Record, str]:
    """A match with random choices, dealt as by a table, and its commitment."""
    game, rng = list(GAMES.values())[number % len(GAMES)], [seeded(number, 9)]
    players = game.players[below(rng, len(game.players))]
    luck = [f"{chance.getrandbits(64):x}" if chance.random() < 0.7 else "" for _ in range(players)]
    match = LiveMatch(game, players, some_options(game, players, rng), f"{chance.getrandbits(256):064x}", luck)
    promised = sha256(bytes.fromhex(match.secret)).hexdigest()
    while not match.over:
        match.step(match.chance() if match.turn is None else next_event(game, match.state, rng))
    return match.record([f"Player {seat}" for seat in range(players)]), promised


def with_one_other_byte(record: Record, chance: random.Random) -> Record:
    """The record with one character of its seed or of one of its deals changed."""
    texts = [str(record.seed), *record.events]
    which = chance.choice([0, *(at for at, text in enumerate(texts) if at and text.startswith(("lots ", "deal ")))])
    at = chance.randrange(len(texts[which]))
    other = chance.choice([each for each in map(chr, range(32, 127)) if each != texts[which][at]])
    texts[which] = texts[which][:at] + other + texts[which][at + 1 :]
    return replace(record, seed=texts[0], events=texts[1:])


def the_documents_program() -> Callable[[str, str], int]:
    """The independent verifier in docs/records.md."""
    text = (Path(__file__).parent.parent.parent / "docs" / "records.md").read_text()
    [program] = [code for code in re.findall(r"```python\n(.*?)```", text, re.S) if "def verify(" in code]
    scope: dict[str, Any] = {}
    exec(compile(program, "docs/records.md", "exec"), scope)
    verify: Callable[[str, str], int] = scope["verify"]
    return verify


ROWS = (
    Row(
        "S6",
        "matches not verified by us and by the program in records.md, or passed with one changed byte",
        "0 in 10,000 matches",
        s6,
        {"matches": 10_000},
        "a verifier that does not compare the deals with the secret",
    ),
)
