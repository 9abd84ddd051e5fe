"""``kortlek play``: a person against bots, line by line."""

from __future__ import annotations

import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots import LEVELS, USUAL, own
from kortlek.bots.why import Why, why
from kortlek.cards import bit, members
from kortlek.command import INTERRUPTED, saved
from kortlek.command.asked import Options, Players, Seed, bots_asked, game_called, options_given, seed_asked
from kortlek.command.sitting import PERSON, Sitting, name_seats
from kortlek.play import telling
from kortlek.play.information import View
from kortlek.play.plain import Refused, allowed_choices, shorten
from kortlek.rules import GAMES

HELP = """Answer with the number of a choice or in its own words; for a card its name is enough.
?  this help
t  the table
s  the score sheet
l  the last trick, or what has happened since your last choice
h  a hint: what an expert would do
w  why: what each choice is likely to earn you over the others
q  stop; the game is saved, and kortlek play --resume goes on with it
kortlek rules {game} shows the rules."""
WIDTH = 78
PATIENCE = 2
"""So many seconds somebody waits without a word."""


def play(
    game: Annotated[str | None, Parameter(help="The name of a game, or the file of your own; see kortlek games.")] = None,
    /,
    *,
    players: Players = None,
    bots: Annotated[
        str | None,
        Parameter(help=f"The level of the bots, one for all or one each, with commas between: {', '.join(LEVELS)}; {USUAL} if none is named."),
    ] = None,
    seed: Seed = None,
    option: Options = None,
    name: Annotated[str | None, Parameter(help="What you are called in the record of the game.")] = None,
    resume: Annotated[bool, Parameter(show_default=False, help="Go on with the game that was saved last.")] = False,
) -> int:
    """Play against bots. You sit in seat 0."""
    if resume:
        if any(each is not None for each in (players, bots, seed, option, name)):
            raise Refused("--resume goes on with a game as it was saved: it takes no other options.")
        return go_on(game_called(game).name if game else "")
    if game is None:
        raise Refused("Which game? Name one, such as kortlek play plump, or go on with a saved one by kortlek play --resume.")
    kind = game_called(game)
    seats = name_seats("Player" if name is None else name, bots_asked(kind, USUAL if bots is None else bots, players, people=1))
    sitting = Sitting(kind, options_given(option), seats, os.urandom(32).hex() if seed is None else seed_asked(seed))
    print(f"{kind.title} with {', '.join(seats[1:])}. Type ? for help, q to stop.")
    return sit(sitting, saved.Keeping())


def go_on(game: str) -> int:
    """Go on with the game that was saved last."""
    path = saved.newest(game)
    try:
        record = saved.read(path)
        if record.game not in GAMES:
            raise Refused(f"There is no game {shorten(record.game)!r} here. If it is your own, name its file: kortlek play FILE --resume.")
        sitting = Sitting.resumed(record)
    except Refused as error:
        raise Refused(f"{path}: {error}") from error
    print(f"{sitting.game.title} with {', '.join(sitting.seats[1:])}, gone on with from {path}.")
    print_lines(telling.sentences(sitting.since, sitting.names, PERSON))
    return sit(sitting, saved.Keeping(path))


def sit(sitting: Sitting, keeping: saved.Keeping) -> int:
    """Play until the match is over or the person stops."""
    shown: list[str] = []
    try:
        while True:
            with patience():
                for told in sitting.advance():
                    print_lines(telling.sentences(told, sitting.names, PERSON))
                    shown = []
            if sitting.is_over:
                return finish(sitting, keeping)
            table = telling.table(sitting.seen(), sitting.names)
            print_lines([paragraph for paragraph in table if paragraph not in shown] if shown else ["", *table])
            shown = table
            choice = ask(sitting)
            if choice is None:
                return stop(sitting, keeping)
            print_lines(telling.sentences(sitting.happen(choice), sitting.names, PERSON))
            keep_quietly(sitting, keeping)
    except KeyboardInterrupt:
        print()
        stop(sitting, keeping)
        return INTERRUPTED


@contextmanager
def patience() -> Iterator[None]:
    """Tell somebody at a terminal that the bots are at work, if they take long."""
    note = threading.Timer(PATIENCE, print, ["(The bots are thinking. The first time they need a while.)"])
    if sys.stdout.isatty():
        note.daemon = True
        note.start()
    try:
        yield
    finally:
        note.cancel()


def keep_quietly(sitting: Sitting, keeping: saved.Keeping) -> None:
    """Save the game, so that a crash loses nothing. If that cannot be done, the person is told when she stops."""
    with suppress(OSError):
        keeping.keep(sitting.record())


def stop(sitting: Sitting, keeping: saved.Keeping) -> int:
    """The person stops: the game is saved."""
    path = keeping.keep(sitting.record())
    print(f"The game is saved in {path}. Go on with it: kortlek play {resumed_by(sitting.game.name)}--resume")
    return 0


def resumed_by(name: str) -> str:
    """What else has to be typed to go on with a game: the file of one's own."""
    typed = own.typed_name(name)
    return f"{shlex.quote(typed)} " if typed != name else ""


def finish(sitting: Sitting, keeping: saved.Keeping) -> int:
    """The match is over."""
    print_lines(["", *sitting.score_sheet(), "", telling.ending(sitting.game.winners(sitting.s), sitting.names, PERSON) + "."])
    played = keeping.finish(sitting.record())
    print(f"The record of the game is the last one in {played}.")
    return 0


def ask(sitting: Sitting) -> int | None:
    """What the person chooses; None if she stops."""
    seen = sitting.seen()
    kind = seen.game.choices[seen.state.phase]
    print(kind.ask)
    print_lines(in_lines([f"{number}: {kind.notation[choice]}" for number, choice in numbered(seen).items()]))
    answers: dict[str, Callable[[], list[str]]] = {
        "?": lambda: HELP.format(game=shlex.quote(own.typed_name(seen.game.name))).splitlines(),
        "t": lambda: telling.table(seen, sitting.names),
        "s": sitting.score_sheet,
        "l": sitting.last,
        "h": lambda: [explained(seen).sentence],
        "w": lambda: in_detail(seen, explained(seen)),
    }
    while True:
        try:
            text = " ".join(input("Your choice: ").split())
        except EOFError:
            print()
            return None
        if not sys.stdin.isatty():
            print(text)
        if text.lower() == "q":
            return None
        if text.lower() in answers:
            print_lines(answers[text.lower()]())
        elif text:
            try:
                return understand(seen, text)
            except Refused as error:
                print(error)


def explained(seen: View[Any]) -> Why:
    """What an expert would do in the person's place, knowing what she knows."""
    with patience():
        return why(seen, 0)


def in_detail(seen: View[Any], told: Why) -> list[str]:
    """The alternatives with what they are likely to earn, and the sentence."""
    words = seen.game.choices[seen.state.phase].notation
    rows = [[words[thought.choice], f"{thought.points:+.1f}", f"{thought.worlds} deals"] for thought in told.thoughts]
    return [*telling.in_columns([["", "points", "tried in"], *rows]), told.sentence]


def numbered(seen: View[Any]) -> dict[int, int]:
    """The legal choices by number: ``bid 3`` is 3, and where the choices are not numbers they are counted from 1."""
    notation = seen.game.choices[seen.state.phase].notation
    legal = list(members(seen.legal))
    words = [notation[choice].rpartition(" ")[2] for choice in legal]
    if all(word.removeprefix("-").isdigit() for word in words):
        return {int(word): choice for word, choice in zip(words, legal, strict=True)}
    return dict(enumerate(legal, 1))


def understand(seen: View[Any], text: str) -> int:
    """The choice that a person means: by its number, in notation, or by its last word; Refused with the reason if it is not legal."""
    by_number = numbered(seen)
    if text in map(str, by_number):
        return by_number[int(text)]
    notation = [words.lower() for words in seen.game.choices[seen.state.phase].notation]
    meant = [choice for choice, words in enumerate(notation) if words == text.lower()]
    meant = meant or [choice for choice, words in enumerate(notation) if words.rpartition(" ")[2] == text.lower()]
    if len(meant) != 1:
        raise Refused(f"{text!r} is not a choice here: {allowed_choices(seen.game, seen.state)}.")
    if not seen.legal & bit(meant[0]):
        raise Refused(seen.game.why_not(seen.state, meant[0]))
    return meant[0]


def in_lines(things: list[str]) -> list[str]:
    """Things with commas between, in as many lines as they need."""
    lines = [""]
    for thing in things:
        if lines[-1] and len(lines[-1]) + len(thing) > WIDTH:
            lines.append("")
        lines[-1] += f"  {thing}" if not lines[-1] else f", {thing}"
    return lines


def print_lines(lines: list[str]) -> None:
    """Say something, line by line."""
    for line in lines:
        print(line)
