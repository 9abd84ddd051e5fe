"""``kortlek replay``: print recorded games, and check them event by event."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.cli.arguments import Json, Language, OwnRules, at_least_one, language_asked, load_own_games, print_json
from kortlek.cli.local_match import short_names
from kortlek.engine.events import acts_of, events_of
from kortlek.engine.plain import Refused, shorten, winning_seats
from kortlek.engine.record import Line, Record, read_file
from kortlek.engine.match import opening
from kortlek.engine.match import replay as steps_of
from kortlek.engine.sheet import finished_round
from kortlek.engine.views import ONLOOKER, OPEN
from kortlek.game.registry import GAMES
from kortlek.words.sheet import score_sheet
from kortlek.words.words import terminal, words_of

ONLOOKER_NAME = "onlooker"


def replay(
    file: Annotated[Path, Parameter(help="A file with a record in each line.")],
    /,
    *,
    game: Annotated[int | None, Parameter(help="Only the K-th game of the file, counted from 1.")] = None,
    as_seat: Annotated[str | None, Parameter(name="--as", help=f"As a seat saw it: its number (from 1) or name, or {ONLOOKER_NAME}.")] = None,
    step: Annotated[bool, Parameter(show_default=False, help="Wait for Enter after each act.")] = False,
    rules: OwnRules = None,
    language: Language = None,
    json: Json = False,
) -> None:
    """Print the games of a file, and check that they follow the rules. A finished game is shown with all cards, an unfinished one as an onlooker
    sees it, unless a seat is named."""
    load_own_games(rules)
    spoken = language_asked(language)
    told: list[dict[str, Any]] = []
    for nth, line in chosen_games(file, game):
        try:
            viewer = viewer_of(line.record, as_seat)
            story = as_written(line.record, as_seat, spoken) if is_other_version(line.record) else story_of(line.record, viewer, spoken)
        except Refused as error:
            raise Refused(f"Line {line.number} of {file}: {error}") from error
        if json:
            told.append({"number": nth, **as_json(line.record, story)})
            continue
        print(heading(nth, line.record, viewer, spoken))
        print_story(story, step and sys.stdin.isatty())
    if json:
        print_json({"file": str(file), "games": told})


def chosen_games(file: Path, game: int | None) -> Iterator[tuple[int, Line]]:
    """The games of a file with their numbers from 1, or only one of them."""
    if game is not None:
        at_least_one("--game", game)
    nth = 0
    for nth, line in enumerate(read_file(file), 1):
        if game is None or nth == game:
            if line.record.game not in GAMES:
                ours = f"The games are: {', '.join(GAMES)}. If it is your own, name its file with --rules."
                raise Refused(f"Line {line.number} of {file}: There is no game {shorten(line.record.game)!r} here. {ours}")
            yield nth, line
        if nth == game:
            return
    if nth == 0:
        raise Refused(f"{file} has no records.")
    if game is not None:
        raise Refused(f"{file} has {nth} game{'s' if nth > 1 else ''}, so there is no game {game}.")


def viewer_of(record: Record, asked: str | None) -> int:
    """The viewer of the replay: a seat, an onlooker, or everything open."""
    if asked is None:
        return OPEN if record.result else ONLOOKER
    if asked.lower() == ONLOOKER_NAME:
        return ONLOOKER
    names = short_names(record.seats)
    for seat in range(len(names)):
        if asked in (str(seat + 1), names[seat], record.seats[seat]):
            return seat
    raise Refused(f"There is no seat {asked!r}. The seats are: {', '.join(f'{seat} {name}' for seat, name in enumerate(names, 1))}.")


def heading(nth: int, record: Record, viewer: int, language: str) -> str:
    """The heading of a game: number, title, players, options and viewer."""
    words, texts = words_of(GAMES[record.game], language), terminal(language)
    written = is_other_version(record)
    options = ", ".join(f"{name}={value}" if written else words.option(name, value) for name, value in record.options.items())
    seen = {OPEN: texts.text("replay-open"), ONLOOKER: texts.text("replay-onlooker")}.get(viewer)
    seed = texts.text("replay-seed", seed=str(record.seed)) if viewer == OPEN and record.seed is not None else ""
    return texts.text(
        "replay-heading",
        number=nth,
        game=words.text("title"),
        players=", ".join(record.seats),
        options=f"; {options}" if options else "",
        seed=seed,
        seen=seen or texts.text("replay-seat", name=short_names(record.seats)[viewer]),
    )


@dataclass
class Story:
    """A game as one viewer sees it: the log of each act, the score sheet and the result."""

    log: list[list[str]]
    sheet: list[str]
    ending: str


def story_of(record: Record, viewer: int, language: str) -> Story:
    """Replay the whole game before anything is printed. Raises Refused if the record breaks the rules."""
    game, s = opening(record)
    words, names = words_of(game, language), short_names(record.seats)
    steps = list(steps_of(record))
    log = []
    for act in acts_of(game, steps):
        log.append(words.log([event for event in events_of(game, act, viewer) if event.kind != "match_over"], names, viewer))
    rows = [row for before, _, after in steps if (row := finished_round(game, before, after))]
    s = steps[-1].after if steps else s
    ending = words.ending(winning_seats(game, s), names, viewer) if record.result else terminal(language).text("replay-unfinished")
    return Story(log, score_sheet(words, names, rows, s.score, viewer), ending)


def is_other_version(record: Record) -> bool:
    """Whether a record was made with another version of its game's rules than is here."""
    return record.version != GAMES[record.game].version


def as_written(record: Record, asked: str | None, language: str) -> Story:
    """A game whose rules are not here: what the record itself says, unchecked. The events of an unfinished one name cards that are still hidden, so
    they are not shown; nor is it known what one seat saw."""
    game, texts, names = GAMES[record.game], terminal(language), short_names(record.seats)
    if asked is not None:
        raise Refused(f"The record is of version {record.version} of {game.title}, but version {game.version} is here: leave out --as.")
    notice = texts.text("replay-written", version=record.version, game=words_of(game, language).text("title"), here=game.version)
    if record.result is None:
        return Story([[notice]], [], texts.text("replay-unfinished"))
    if not all(0 <= seat < len(names) for seat in record.result.winners):
        raise Refused(f"The record's winners are {shorten(repr(record.result.winners))}, but it has {len(names)} seats.")
    scores = [f"{name}: {points}" for name, points in zip(names, record.result.scores)]
    return Story([[notice], *([event] for event in record.events)], scores, words_of(game, language).ending(record.result.winners, names, OPEN))


def print_story(story: Story, step: bool) -> None:
    """Print a game, at once or with a pause for Enter after each act."""
    for part in story.log if step else [list(chain(*story.log))]:
        print("\n".join(part))
        if step and not sys.stdin.readline():
            return
    print("\n".join(["", *story.sheet, "", story.ending, ""]))


def as_json(record: Record, story: Story) -> dict[str, Any]:
    """The game as a JSON-compatible dict, with only what the viewer may see."""
    result = {"scores": record.result.scores, "winners": record.result.winners} if record.result else None
    what = {"game": record.game, "version": record.version, "options": record.options, "seats": record.seats, "result": result}
    return {**what, "log": list(chain(*story.log)), "sheet": story.sheet, "ending": story.ending}
