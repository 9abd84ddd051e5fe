"""S6: deals are verified from what a client kept; tampered ones and those of servers that cheat are found."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from playing import next_event
from trust.row import Found, Row, Run
from worlds import some_options

from kortlek.engine.fairness import Seed, read_seed
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, to_line
from kortlek.engine.rng import below, seeded
from kortlek.engine.verify import Kept, check
from kortlek.game.registry import GAMES
from kortlek.table.match import LiveMatch

MATCHES = {"small": 250, "full": 500, "planted": 20}
"""The number of matches in a part."""
Check = Callable[[Record, Kept], object]


def s6(run: Run) -> Found:
    """Verify matches; then the same ones with one character changed, and with every trick of a server."""
    verify, wrong, tried = the_documents_program(), list[str](), 0
    ours: Check = careless if run.is_planted else check
    many = MATCHES[run.size]
    for number in range(run.part * many, (run.part + 1) * many):
        chance = random.Random(number)
        record, kept = some_match(number, chance)
        if any(found(record, kept, verify, ours)):
            wrong.append(f"match {number} was not verified: {to_line(record)}")
        if not found(with_one_other_byte(record, chance), kept, verify, ours)[0]:
            wrong.append(f"match {number} passed with another byte")
        for name, cheated in tricks(record, kept).items():
            tried += 1
            if not all(found(*cheated, verify, ours)):
                wrong.append(f"match {number} passed with {name}")
    return Found(wrong, {"matches": many, "changed bytes": many, "tricks": tried})


def careless(record: Record, kept: Kept) -> None:
    """Planted bug: a verifier that believes the promise in the record instead of the one that the client kept."""
    seed = read_seed(record.seed)
    assert isinstance(seed, Seed)
    check(record, replace(kept, promise=seed.commitment))


def found(record: Record, kept: Kept, verify: Callable[..., int], check: Check = check) -> tuple[bool, bool]:
    """Whether we find something wrong with a record, given what a client kept, and whether the program in docs/records.md does."""
    by_us = by_the_program = False
    try:
        check(from_line(to_line(record)), kept)
    except Refused:
        by_us = True
    try:
        verify(to_line(record), kept.promise, kept.table, kept.match, kept.number, kept.seat)
    except (AssertionError, ValueError, IndexError):
        by_the_program = True
    return by_us, by_the_program


def tricks(record: Record, kept: Kept) -> dict[str, tuple[Record, Kept]]:
    """What a server may have done, with each game: the record, and what the client saw and sent instead."""
    seed = read_seed(record.seed)
    assert isinstance(seed, Seed)
    other = replace(seed, secret=bytes(32))
    bot = [f"{name} (club)" if seat == kept.seat else name for seat, name in enumerate(record.seats)]
    return {
        "a secret that was chosen later": (record, replace(kept, promise=other.commitment)),
        "the promised secret revealed for other cards": (replace(record, seed=other.text), replace(kept, promise=other.commitment)),
        "the promise of another table": (record, replace(kept, table="zzzzzz")),
        "the promise of another table under this code": (record, replace(kept, promise=replace(seed, code="zzzzzz").commitment)),
        "the promise of another match": (record, replace(kept, match=seed.number + 1)),
        "a number of an earlier match": (record, replace(kept, number="f" * 64)),
        "a number for a bot": (replace(record, seats=bot), kept),
    }


def some_match(number: int, chance: random.Random) -> tuple[Record, Kept]:
    """A match with random choices, dealt as by a table, and what the client in one of its seats kept."""
    game, rng = list(GAMES.values())[number % len(GAMES)], [seeded(number, 9)]
    players = game.players[below(rng, len(game.players))]
    mine = below(rng, players)
    luck = [f"{chance.getrandbits(64):x}" if seat == mine or chance.random() < 0.7 else "" for seat in range(players)]
    seed = Seed("bk7q2x", 1 + below(rng, 9), chance.randbytes(32), tuple(luck))
    match = LiveMatch(game, players, some_options(game, players, rng), seed)
    while not match.over:
        match.step(match.chance() if match.turn is None else next_event(game, match.state, rng))
    return match.record([f"Player {seat}" for seat in range(players)]), Kept(seed.commitment, seed.code, seed.number, luck[mine], mine)


def with_one_other_byte(record: Record, chance: random.Random) -> Record:
    """The record with one character of its seed or of one of its deals changed."""
    texts = [str(record.seed), *record.events]
    which = chance.choice([0, *(at for at, text in enumerate(texts) if at and text.startswith(("lots ", "deal ")))])
    at = chance.randrange(len(texts[which]))
    other = chance.choice([each for each in map(chr, range(32, 127)) if each != texts[which][at]])
    texts[which] = texts[which][:at] + other + texts[which][at + 1 :]
    return replace(record, seed=texts[0], events=texts[1:])


def the_documents_program() -> Callable[..., int]:
    """The independent verifier in docs/records.md."""
    text = (Path(__file__).parent.parent.parent / "docs" / "records.md").read_text()
    [program] = [code for code in re.findall(r"```python\n(.*?)```", text, re.S) if "def verify(" in code]
    scope: dict[str, Any] = {}
    exec(compile(program, "docs/records.md", "exec"), scope)
    verify: Callable[..., int] = scope["verify"]
    return verify


ROWS = (
    Row(
        "S6",
        "matches not verified by us and by the program in records.md; changed bytes and tricks of a server not found",
        "0 in 10,000 matches",
        s6,
        {"matches": 10_000},
        "a verifier that believes the promise of the record",
    ),
)
