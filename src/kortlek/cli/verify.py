"""``kortlek verify``: check that the cards of recorded games came from the secret that was committed to before the first card."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.cli.arguments import Json, OwnRules, load_own_games, print_json
from kortlek.cli.replay import chosen_games, is_other_version
from kortlek.engine.fairness import commitment as commitment_of
from kortlek.engine.fairness import read_seed
from kortlek.engine.verify import Checked, check
from kortlek.engine.plain import Refused, shorten
from kortlek.engine.record import Record
from kortlek.game.registry import GAMES

Promised = Annotated[str | None, Parameter(name="--commitment", help="What was promised before the first card: 64 hexadecimal digits.")]


def verify(
    file: Annotated[Path, Parameter(help="A file with a record in each line.")],
    /,
    *,
    commitment: Promised = None,
    rules: OwnRules = None,
    json: Json = False,
) -> None:
    """Check every deal of the games of a file against the secret in the record, and the secret against the commitment."""
    load_own_games(rules)
    promised = digits(commitment) if commitment is not None else None
    told: list[dict[str, Any]] = []
    for nth, line in chosen_games(file, None):
        try:
            checked = check(line.record)
            if promised not in (None, checked.commitment):
                raise Refused(f"The commitment of its secret is {checked.commitment}, not the one that was promised, {promised}.")
        except Refused as error:
            if is_other_version(line.record) and not json:
                with suppress(Refused):  # the seed is not one of a table
                    print(unchecked(nth, line.record))
            raise Refused(f"Line {line.number} of {file}: {error}") from error
        told.append(as_json(nth, line.record, checked))
        if not json:
            print(in_words(nth, line.record, checked))
    if json:
        print_json({"file": str(file), "promised": promised, "games": told})


def digits(commitment: str) -> str:
    """A commitment in lower case, checked for its format."""
    if not re.fullmatch("[0-9a-f]{64}", commitment.lower()):
        raise Refused(f"--commitment {shorten(commitment)!r} should be 64 hexadecimal digits.")
    return commitment.lower()


def unchecked(nth: int, record: Record) -> str:
    """What a record itself says, if its rules are not here."""
    scores = ", ".join(f"{name} {points}" for name, points in zip(record.seats, record.result.scores)) if record.result else ", ".join(record.seats)
    return f"Game {nth}: {GAMES[record.game].title}, version {record.version}: {scores}\n  commitment: {commitment_of(read_seed(record.seed)[0])}"


def in_words(nth: int, record: Record, checked: Checked) -> str:
    """The result of the check in words, with the luck that each player added (see docs/records.md), so that she can recognise her own."""
    _, luck = read_seed(record.seed)
    added = ", ".join(f"{name} {each}" for name, each in zip(record.seats, luck) if each) or "nobody anything"
    shuffles = f"{checked.chances} shuffle{'s' * (checked.chances != 1)}"
    what = f"Game {nth}: {GAMES[record.game].title} with {', '.join(record.seats)}: {shuffles}, every card as the secret gives it"
    return f"{what}\n  commitment: {checked.commitment}\n  added by the players: {added}"


def as_json(nth: int, record: Record, checked: Checked) -> dict[str, Any]:
    """The result of the check as a JSON-compatible dict."""
    _, luck = read_seed(record.seed)
    what = {"number": nth, "game": record.game, "seats": record.seats}
    return {**what, "shuffles": checked.chances, "commitment": checked.commitment, "luck": luck}
