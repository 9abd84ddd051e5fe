"""``kortlek replay``: what happened in recorded games, checked event by event."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.command.asked import Json, OwnRules, at_least_one, know, print_json
from kortlek.command.sitting import short_names
from kortlek.play import telling
from kortlek.play.information import ONLOOKER, OPEN
from kortlek.play.plain import Refused, shorten
from kortlek.play.record import Line, Record, opening, read_file
from kortlek.play.record import replay as steps_of
from kortlek.play.telling import spell
from kortlek.rules import GAMES
from kortlek.rules.game import Names

ONLOOKER_NAME = "onlooker"


def replay(
    file: Annotated[Path, Parameter(help="A file with a record in each line.")],
    /,
    *,
    game: Annotated[int | None, Parameter(help="Only the K-th game of the file, counted from 1.")] = None,
    as_seat: Annotated[str | None, Parameter(name="--as", help=f"As a seat saw it: its number (from 0) or name, or {ONLOOKER_NAME}.")] = None,
    step: Annotated[bool, Parameter(show_default=False, help="Wait for Enter after each event.")] = False,
    rules: OwnRules = None,
    json: Json = False,
) -> None:
    """Tell the games of a file, and check that they can have happened. A finished game is told open, an unfinished one as an onlooker
    sees it, unless a seat is named."""
    know(rules)
    told: list[dict[str, Any]] = []
    for nth, line in chosen_games(file, game):
        try:
            viewer = viewer_of(line.record, as_seat)
            story = story_of(line.record, viewer)
        except Refused as error:
            raise Refused(f"Line {line.number} of {file}: {error}") from error
        if json:
            told.append({"number": nth, **as_json(line.record, story, viewer)})
            continue
        print(heading(nth, line.record, viewer))
        print_story(story, short_names(line.record.seats), viewer, step and sys.stdin.isatty())
    if json:
        print_json({"file": str(file), "games": told})


def chosen_games(file: Path, game: int | None) -> Iterator[tuple[int, Line]]:
    """The games of a file, counted from 1, or just one of them."""
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
    """Who the game is told to."""
    if asked is None:
        return OPEN if record.result else ONLOOKER
    if asked.lower() == ONLOOKER_NAME:
        return ONLOOKER
    names = short_names(record.seats)
    for seat in range(len(names)):
        if asked in (str(seat), names[seat], record.seats[seat]):
            return seat
    raise Refused(f"There is no seat {asked!r}. The seats are: {', '.join(f'{seat} {name}' for seat, name in enumerate(names))}.")


def heading(nth: int, record: Record, viewer: int) -> str:
    """What was played and by whom."""
    game, _ = opening(record)
    options = ", ".join(f"{name}={spell(value)}" for name, value in record.options.items())
    seen = {OPEN: "told open", ONLOOKER: "as an onlooker saw it"}.get(viewer) or f"as {short_names(record.seats)[viewer]} saw it"
    seed = f", seed {record.seed}" if viewer == OPEN and record.seed is not None else ""
    return f"Game {nth}: {game.title} with {', '.join(record.seats)}{'; ' + options if options else ''}{seed}; {seen}"


@dataclass
class Story:
    """A game as it is told to one viewer: the news of each event, the score sheet and the end."""

    news: list[list[telling.Line]]
    sheet: list[str]
    ending: str


def story_of(record: Record, viewer: int) -> Story:
    """The whole game; Refused if it cannot have happened, so nothing is told that has not been checked."""
    game, s = opening(record)
    names = short_names(record.seats)
    news, rows = [], []
    for before, event, s in steps_of(record):
        news.append(telling.news(game, before, event, s, viewer))
        row = telling.finished_round(game, before, s)
        rows += [row] if row else []
    ending = telling.ending(game.winners(s), names, viewer) if record.result else "The game is not finished"
    return Story(news, telling.score_sheet(game, telling.called(names, viewer), rows, s.score), ending)


def print_story(story: Story, names: Names, viewer: int, step: bool) -> None:
    """Tell a game, all at once or waiting for Enter after each event."""
    for part in story.news if step else [list(chain(*story.news))]:
        print("\n".join(telling.sentences(part, names, viewer)))
        if step and not sys.stdin.readline():
            return
    print("\n".join(["", *story.sheet, "", story.ending, ""]))


def as_json(record: Record, story: Story, viewer: int) -> dict[str, Any]:
    """A game for programs, with nothing in it that the viewer is not told."""
    log = telling.sentences(chain(*story.news), short_names(record.seats), viewer)
    result = {"scores": record.result.scores, "winners": record.result.winners} if record.result else None
    what = {"game": record.game, "version": record.version, "options": record.options, "seats": record.seats, "result": result}
    return {**what, "log": log, "sheet": story.sheet, "ending": story.ending}
