"""``kortlek verify``: check that the cards of a recorded match came from the secret that was promised before it, and from the players' numbers."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.cli.arguments import Json, OwnRules, at_least_one, load_own_games, print_json
from kortlek.cli.replay import chosen_games, is_other_version
from kortlek.engine.fairness import Seed, read_seed
from kortlek.engine.plain import Refused, shorten
from kortlek.engine.record import Record
from kortlek.engine.verify import Checked, Kept, check
from kortlek.game.registry import GAMES

Promised = Annotated[str | None, Parameter(name="--commitment", help="The promise that you saw before the match: 64 hexadecimal digits.")]
Game = Annotated[int | None, Parameter(help="Which match of the file, counted from 1, if it has several.")]
TableCode = Annotated[str | None, Parameter(name="--table", help="The code of the table at which you played.")]
MatchNumber = Annotated[int | None, Parameter(name="--match", help="The number of the match at that table, counted from 1.")]
Number = Annotated[str | None, Parameter(help="The number that you (or your browser) sent: hexadecimal digits.")]
Seat = Annotated[int | None, Parameter(help="Your seat in the match, counted from 1.")]
People = Annotated[list[int] | None, Parameter(name="--person", help="A seat in which a person began who was sent away during the match.")]

WHAT_FOR = (
    "Say what was promised before the match: --commitment and 64 hexadecimal digits, as the table showed them then. Without the promise nothing is "
    "proved: a server could pick the cards it likes, and write down a secret that gives them."
)
FIRST_SCHEME = (
    "The match was promised under scheme 1, which proves less: the promise names neither the table nor the match, and the server may have known what "
    "the players added before it chose its secret."
)


def verify(
    file: Annotated[Path, Parameter(help="A file with a record in each line.")],
    /,
    *,
    commitment: Promised = None,
    game: Game = None,
    table: TableCode = None,
    match: MatchNumber = None,
    number: Number = None,
    seat: Seat = None,
    person: People = None,
    rules: OwnRules = None,
    json: Json = False,
) -> None:
    """Check the secret in the record against the promise, your own number against the list of those that were used, and every deal against both."""
    load_own_games(rules)
    if commitment is None:
        raise Refused(WHAT_FOR)
    for option, given in [("--match", match), ("--seat", seat), *(("--person", each) for each in person or [])]:
        if given is not None:
            at_least_one(option, given)
    own = None if number is None else digits("--number", number, "1 to 64", "{1,64}")
    kept = Kept(digits("--commitment", commitment, "64", "{64}"), table, match, own, seat and seat - 1, tuple(each - 1 for each in person or []))
    games = list(chosen_games(file, game))
    if len(games) > 1:
        raise Refused(f"{file} has {len(games)} matches, and the promise is that of one: say which with --game.")
    nth, line = games[0]
    try:
        checked = check(line.record, kept)
    except Refused as error:
        if is_other_version(line.record) and not json:
            with suppress(Refused):  # the seed is not one of a table
                print(unchecked(nth, line.record))
        raise Refused(f"Line {line.number} of {file}: {error}") from error
    if json:
        print_json({"file": str(file), **as_json(nth, line.record, checked, kept)})
    else:
        print(in_words(nth, line.record, checked, kept))


def digits(option: str, text: str, many: str, pattern: str) -> str:
    """Hexadecimal digits in lower case, checked for their number."""
    if not re.fullmatch(f"[0-9a-f]{pattern}", text.lower()):
        raise Refused(f"{option} {shorten(text)!r} should be {many} hexadecimal digits.")
    return text.lower()


def unchecked(nth: int, record: Record) -> str:
    """What a record itself says, if its rules are not here."""
    scores = ", ".join(f"{name} {points}" for name, points in zip(record.seats, record.result.scores)) if record.result else ", ".join(record.seats)
    return f"Game {nth}: {GAMES[record.game].title}, version {record.version}: {scores}\n  commitment: {read_seed(record.seed).commitment}"


def in_words(nth: int, record: Record, checked: Checked, kept: Kept) -> str:
    """The result of the check in words, with what each player added (see docs/records.md), so that she can recognise her own."""
    seed = checked.seed
    added = ", ".join(f"{name} {each}" for name, each in zip(record.seats, seed.luck) if each) or "nobody anything"
    shuffles = f"{checked.chances} shuffle{'s' * (checked.chances != 1)}"
    lines = [f"Game {nth}: {GAMES[record.game].title} with {', '.join(record.seats)}: {shuffles}, every card as promised"]
    if isinstance(seed, Seed):
        lines.append(f"  promised for: match {seed.number} of table {seed.code}" + (" (is it yours?)" if None in (kept.table, kept.match) else ""))
    lines.append(f"  added by the players: {added}" + (" (is yours among them?)" if kept.number is None else ", yours among them"))
    if not isinstance(seed, Seed):
        lines.append(f"  {FIRST_SCHEME}")
    return "\n".join(lines)


def as_json(nth: int, record: Record, checked: Checked, kept: Kept) -> dict[str, Any]:
    """The result of the check as a JSON-compatible dict."""
    seed = checked.seed
    of = {"table": seed.code, "match": seed.number} if isinstance(seed, Seed) else {"table": None, "match": None}
    what = {"number": nth, "game": record.game, "seats": record.seats, "scheme": seed.scheme, **of}
    return {**what, "shuffles": checked.chances, "commitment": checked.commitment, "luck": list(seed.luck), "yours": kept.number}
