"""The record of a match: one line of JSON that anybody can replay and check (docs/records.md).

Deals are recorded card by card, so a replay needs neither the shuffle nor the seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from kortlek.engine.plain import Refused, Spoken, options_of, winning_seats
from kortlek.game import OVER, Game, State

FORMAT = 2
"""The version of the format. It is raised if a reader of the previous version would misread a record."""
FORMATS = (1, FORMAT)
"""The versions that can be read. In version 1 some options had other names (``Option.former``)."""
LONGEST_NAME = 40


@dataclass(frozen=True)
class Result:
    """How a match ended: the points of each seat, and the seats that share the win."""

    scores: list[int]
    winners: list[int]


@dataclass(frozen=True)
class Record:
    """A match: its game and options, the players by seat, and all events in notation. A record without a result is unfinished."""

    game: str
    version: int
    options: dict[str, Spoken]
    seats: list[str]
    seed: int | str | None
    events: list[str]
    result: Result | None

    def save(self, path: str | Path) -> None:
        """Append the record to a file, as one line."""
        with Path(path).open("ab") as file:
            file.write(to_line(self).encode() + b"\n")


def write_down(game: Game[Any], s: State, seats: Sequence[str], seed: int | str | None, events: Iterable[str]) -> Record:
    """The record of a match, from its state and its events so far."""
    return Record(game.name, game.version, options_of(game, s), list(seats), seed, list(events), result_of(game, s))


def result_of(game: Game[Any], s: State) -> Result | None:
    """The result of a match; None if the match is not over."""
    return Result(s.score[: s.players], winning_seats(game, s)) if s.phase == OVER else None


# ---- lines of JSON


def to_line(record: Record) -> str:
    """The line of a record, without the line break. The same record always gives the same line."""
    written = {
        "kortlek": FORMAT,
        "game": record.game,
        "version": record.version,
        "options": record.options,
        "seats": record.seats,
        "seed": record.seed,
        "events": record.events,
        "result": {"scores": record.result.scores, "winners": record.result.winners} if record.result else None,
    }
    return json.dumps(written, ensure_ascii=False, separators=(",", ":"))


def from_line(line: str) -> Record:
    """Parse the record in a line; raise Refused if the line is not a record. The events are checked by ``replay``."""
    written = _parse(line)
    if not isinstance(written, dict) or "kortlek" not in written:
        raise Refused("This is no record of a match: it should be a JSON object that begins with 'kortlek'.")
    if not _is_int(written["kortlek"]) or written["kortlek"] not in FORMATS:
        raise Refused(
            f"The record has the format {_short(written['kortlek'])}, but only the formats {' and '.join(map(str, FORMATS))} are known here."
        )
    _expect_keys(written, ("kortlek", *(key for key, _, _ in EXPECTED)), "The record")
    for key, fits, wanted in EXPECTED:
        if not fits(written[key]):
            raise Refused(f"The record's {key!r} should be {wanted}, not {_short(written[key])}.")
    ended = written["result"]
    if ended is not None:
        _expect_keys(ended, ("scores", "winners"), "The record's 'result'")
    result = None if ended is None else Result(ended["scores"], ended["winners"])
    return Record(**{key: written[key] for key, _, _ in EXPECTED[:-1]}, result=result)


def _parse(line: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        if error.pos >= len(line.rstrip()) or error.msg.startswith("Unterminated string"):
            raise Refused(f"The record is cut off after {len(line.rstrip())} characters.") from error
        raise Refused(f"The record is not JSON: {error.msg} at character {error.pos + 1}.") from error
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, Refused) else Refused("The record is not JSON that a match could be written in.") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    together: dict[str, Any] = {}
    for key, value in pairs:
        if key in together:
            raise Refused(f"The record has {_short(key)} more than once.")
        together[key] = value
    return together


def _expect_keys(written: dict[str, Any], keys: Sequence[str], what: str) -> None:
    for key in keys:
        if key not in written:
            raise Refused(f"{what} has no {key!r}; it should have {', '.join(keys)}.")
    for key in written:
        if key not in keys:
            raise Refused(f"{what} has {_short(key)}, which does not belong there; it should have {', '.join(keys)}.")


def _is_int(value: object) -> bool:
    return type(value) is int


def _is_text(value: object) -> bool:
    """Whether a value is printable text: control characters could affect a terminal."""
    return isinstance(value, str) and value.isprintable()


def is_name(value: object) -> bool:
    """Whether a value is a valid name for a player."""
    return isinstance(value, str) and value.isprintable() and value.strip() == value and 0 < len(value) <= LONGEST_NAME


def _is_list(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _are_options(value: object) -> bool:
    spoken = (_is_int, _is_text, _is_list(_is_int))
    return isinstance(value, dict) and all(any(fits(each) for fits in spoken) for each in value.values())


def _is_result(value: object) -> bool:
    return value is None or (isinstance(value, dict) and all(map(_is_list(_is_int), value.values())))


EXPECTED: tuple[tuple[str, Callable[[object], bool], str], ...] = (
    ("game", _is_text, "the name of a game"),
    ("version", _is_int, "a whole number"),
    ("options", _are_options, "an object with a number, a word or a list of numbers for each option"),
    ("seats", _is_list(is_name), f"a list of names of at most {LONGEST_NAME} characters"),
    ("seed", lambda value: value is None or _is_int(value) or _is_text(value), "a whole number, a text or null"),
    ("events", _is_list(_is_text), "a list of texts"),
    ("result", _is_result, "null or an object with 'scores' and 'winners', lists of whole numbers"),
)
"""The fields of a record in order: the key, its check, and the expected value in words."""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


# ---- files: one record on each line


class Line(NamedTuple):
    """A record and the number of its line, counted from 1."""

    number: int
    record: Record


def read_file(path: Path) -> Iterator[Line]:
    """The records of a file, one at a time; raise Refused with the line number if a line is not a record."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield Line(number, from_line(line.decode()))
            except UnicodeDecodeError as error:
                raise Refused(f"Line {number} of {path}: The record is not written in UTF-8.") from error
            except Refused as error:
                raise Refused(f"Line {number} of {path}: {error}") from error
