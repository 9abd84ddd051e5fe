"""``kortlek play``: a person against bots, in the terminal."""

from __future__ import annotations

import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots import LEVELS, USUAL, own_games
from kortlek.bots.explain import Why, all_equal, rounded, why
from kortlek.cards import FRENCH, NOTHING, SYMBOLS, bit, members
from kortlek.cli import INTERRUPTED, saved
from kortlek.cli.arguments import Language, Options, Players, Seed, bots_asked, game_called, language_asked, options_given, seed_asked
from kortlek.cli.watch import Watch, restart
from kortlek.cli.local_match import PERSON, LocalMatch, Told, name_seats
from kortlek.engine.messages import card_of, why_not
from kortlek.engine.plain import Refused, notation_of, shorten
from kortlek.engine.views import View
from kortlek.game.registry import GAMES, layout_of
from kortlek.words.columns import in_columns
from kortlek.words.sheet import score_sheet
from kortlek.words.table import text_table
from kortlek.words.words import Texts, Words, terminal, words_of

WIDTH = 78
NOTICE_SECONDS = 2
"""Seconds before a message says that the bots are thinking."""


def play(
    game: Annotated[str | None, Parameter(help="The name of a game, or the file or folder of your own; see kortlek games.")] = None,
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
    language: Language = None,
    watch: Watch = False,
) -> int:
    """Play against bots. You sit in seat 1."""
    spoken = language_asked(language)
    if watch:
        if game is None or resume:
            raise Refused("--watch begins a new match of a game of your own: name its file or folder, and not --resume.")
        return restart(typed_again(game, players, bots, seed_asked(seed), option, name, spoken), [game], RESTARTED, try_first=True)
    if resume:
        if any(each is not None for each in (players, bots, seed, option, name)):
            raise Refused("--resume goes on with a game as it was saved: it takes no other options.")
        return go_on(game_called(game).name if game else "", spoken)
    if game is None:
        raise Refused("Which game? Name one, such as kortlek play plump, or go on with a saved one by kortlek play --resume.")
    kind = game_called(game)
    seats = name_seats("Player" if name is None else name, bots_asked(kind, USUAL if bots is None else bots, players, people=1))
    local = LocalMatch(kind, options_given(option), seats, os.urandom(32).hex() if seed is None else seed_asked(seed))
    at = Terminal(local, saved.SaveFile(), spoken)
    print(at.texts.text("play-with", game=at.words.text("title"), players=", ".join(at.players()[1:])))
    return at.sit()


RESTARTED = "\n{games} has changed: a new match with the new rules.\n"


def typed_again(game: str, players: int | None, bots: str | None, seed: int, option: list[str] | None, name: str | None, language: str) -> list[str]:
    """The arguments of the same command without ``--watch``."""
    given = {"--players": players, "--bots": bots, "--seed": seed, "--name": name, "--language": language}
    words = [word for flag, value in given.items() if value is not None for word in (flag, str(value))]
    return ["play", game, *words, *(word for each in option or () for word in ("--option", each))]


def go_on(game: str, language: str) -> int:
    """Resume the game that was saved last."""
    path = saved.newest(game)
    try:
        record = saved.read(path)
        if record.game not in GAMES:
            raise Refused(f"There is no game {shorten(record.game)!r} here. If it is your own, name its file: kortlek play FILE --resume.")
        local = LocalMatch.resumed(record)
    except Refused as error:
        raise Refused(f"{path}: {error}") from error
    at = Terminal(local, saved.SaveFile(path), language)
    print(at.texts.text("play-resumed", game=at.words.text("title"), players=", ".join(at.players()[1:]), path=str(path)))
    at.tell(local.since)
    return at.sit()


class Terminal:
    """The terminal interface of a match."""

    def __init__(self, local: LocalMatch, save_file: saved.SaveFile, language: str) -> None:
        self.local, self.save_file = local, save_file
        self.words, self.texts = words_of(local.game, language), terminal(language)

    def players(self) -> list[str]:
        """The names of the players; bots with their levels in words."""
        levels = ["", *(f" ({self.words.level(level.name)})" for level in self.local.levels)]
        return [name + level for name, level in zip(self.local.names, levels, strict=True)]

    def tell(self, acts: list[Told]) -> None:
        """Print the events of some acts, except the end of the match, which ``finish`` prints after the score sheet."""
        for act in acts:
            print_lines(self.words.log([event for event in act if event.kind != "match_over"], self.local.names, PERSON))

    def sit(self) -> int:
        """Play until the match is over or the person stops."""
        shown: list[str] = []
        try:
            while True:
                with thinking_notice(self.texts):
                    for told in self.local.advance():
                        self.tell([told])
                        shown = []
                if self.local.match.over:
                    return self.finish()
                table = self.table()
                print_lines([paragraph for paragraph in table if paragraph not in shown] if shown else ["", *table])
                shown = table
                choice = self.ask()
                if choice is None:
                    return self.stop()
                self.tell(self.local.step(choice))
                with suppress(OSError):  # saved after each choice in case of a crash; an error is reported when the person stops
                    self.save_file.keep(self.local.record())
        except KeyboardInterrupt:
            print()
            self.stop()
            return INTERRUPTED

    def stop(self) -> int:
        """Save the game when the person stops, and return the exit code."""
        path = self.save_file.keep(self.local.record())
        command = f"kortlek play {resumed_by(self.local.game.name)}--resume"
        print(self.texts.text("play-saved", path=str(path), command=command))
        return 0

    def finish(self) -> int:
        """Print the score sheet and the result, and record the finished match."""
        print_lines(["", *self.score_sheet(), "", self.words.ending(self.local.match.winners, self.local.names, PERSON) + "."])
        print(self.texts.text("play-recorded", path=str(self.save_file.finish(self.local.record()))))
        return 0

    # ---- answers to commands of the person

    def table(self) -> list[str]:
        """The table as the person sees it."""
        return text_table(self.local.seen(), self.words, self.local.names)

    def score_sheet(self) -> list[str]:
        """The score sheet so far."""
        return score_sheet(self.words, self.local.names, self.local.match.rows, self.local.match.scores, PERSON)

    def last(self) -> list[str]:
        """The message of the layout's ``last`` function, if there is one; otherwise the events since the person's last choice."""
        before = layout_of(self.local.game).last
        message = before(self.local.seen().state) if before else None
        if message:
            return [self.words.say(message, self.local.names, PERSON)]
        lines = [line for act in self.local.since for line in self.words.log(act, self.local.names, PERSON)]
        return lines or [self.texts.text("play-nothing-yet")]

    def explained(self) -> Why:
        """The expert's analysis of the position, from the person's view."""
        with thinking_notice(self.texts):
            return why(self.local.seen(), 0)

    def hint(self) -> list[str]:
        """The choice of the expert, and its reason."""
        return [self.words.say(self.explained().message)]

    def reasons(self) -> list[str]:
        """The alternatives with their expected points, unless these are all equal, and the hint."""
        told, s = self.explained(), self.local.seen().state
        hint = self.words.say(told.message)
        if all_equal(told.thoughts):
            return [hint]
        rows = [
            [self.words.choice(s, each.choice), f"{rounded(each.points):+.1f}", self.texts.text("why-deals", many=each.worlds)]
            for each in told.thoughts
        ]
        return [*in_columns([["", self.texts.text("why-points"), self.texts.text("why-tried")], *rows]), hint]

    def help(self) -> list[str]:
        """The commands that the person can type."""
        return self.texts.text("play-help", game=shlex.quote(own_games.typed_name(self.local.game.name))).splitlines()

    def ask(self) -> int | None:
        """Ask the person for a choice; None if she stops."""
        seen = self.local.seen()
        print(self.words.ask(seen.state.phase))
        print_lines(in_lines([f"{number}: {self.words.choice(seen.state, choice)}" for number, choice in numbered(seen).items()]))
        answers: dict[str, Callable[[], list[str]]] = {
            "?": self.help,
            "t": self.table,
            "s": self.score_sheet,
            "l": self.last,
            "h": self.hint,
            "w": self.reasons,
        }
        while True:
            try:
                text = " ".join(input(self.texts.text("play-your-choice") + " ").split())
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
                    return understand(seen, self.words, text)
                except Refused as error:
                    print(error)


@contextmanager
def thinking_notice(texts: Texts) -> Iterator[None]:
    """Print a message if the bots take long and standard output is a terminal."""
    note = threading.Timer(NOTICE_SECONDS, print, [texts.text("play-thinking")])
    if sys.stdout.isatty():
        note.daemon = True
        note.start()
    try:
        yield
    finally:
        note.cancel()


def resumed_by(name: str) -> str:
    """The extra argument for resuming a custom game: its file; empty for other games."""
    typed = own_games.typed_name(name)
    return f"{shlex.quote(typed)} " if typed != name else ""


# ---- parsing the person's input


def numbered(seen: View[Any]) -> dict[int, int]:
    """The legal choices by number: ``bid 3`` is 3; choices that are not numbers are numbered from 1."""
    notation = notation_of(seen.game, seen.state)
    legal = list(members(seen.legal))
    last = [notation[choice].rpartition(" ")[2] for choice in legal]
    if all(word.removeprefix("-").isdigit() for word in last):
        return {int(word): choice for word, choice in zip(last, legal, strict=True)}
    return dict(enumerate(legal, 1))


def understand(seen: View[Any], words: Words, text: str) -> int:
    """Parse a choice: its number, notation, words, or card. Raises Refused with the reason if the choice is not legal."""
    by_number, said = numbered(seen), text.lower()
    if text in map(str, by_number):
        return by_number[int(text)]
    notation = notation_of(seen.game, seen.state)
    meant = [choice for choice, written in enumerate(notation) if written and said in whole_spellings(seen, words, choice, written)]
    meant = meant or [choice for choice, written in enumerate(notation) if written and said in short_spellings(seen, words, choice, written)]
    allowed = [choice for choice in meant if seen.legal & bit(choice)]
    if len(allowed) == 1:
        return allowed[0]
    if len(meant) != 1:
        choices = ", ".join(words.choice(seen.state, choice) for choice in members(seen.legal))
        raise Refused(terminal(words.language).text("play-no-choice", text=shorten(text), choices=choices))
    raise Refused(words.say(why_not(seen.game, seen.state, meant[0]), (), seen.seat))


def whole_spellings(seen: View[Any], words: Words, choice: int, written: str) -> set[str]:
    """The full spellings of an alternative: in notation and in words."""
    return {written.lower(), words.choice(seen.state, choice).lower()}


def short_spellings(seen: View[Any], words: Words, choice: int, written: str) -> set[str]:
    """The short spellings of an alternative: its last word, or its card: ``HQ``, ``QH``, ``Q♥``, ``♥Q``."""
    last, card = written.rpartition(" ")[2], card_of(seen.game, seen.state, choice)
    spellings = {last}
    if card != NOTHING:
        spellings.add(words.card(card))
    if card != NOTHING and last in FRENCH:
        pairs = [(suit, rank) for suit in (last[0], SYMBOLS[last[0]]) for rank in (last[1:], last[1:].replace("T", "10"))]
        spellings |= {suit + rank for suit, rank in pairs} | {rank + suit for suit, rank in pairs}
    return {spelling.lower() for spelling in spellings}


def in_lines(things: list[str]) -> list[str]:
    """Texts joined with commas, broken into lines."""
    lines = [""]
    for thing in things:
        if lines[-1] and len(lines[-1]) + len(thing) > WIDTH:
            lines.append("")
        lines[-1] += f"  {thing}" if not lines[-1] else f", {thing}"
    return lines


def print_lines(lines: list[str]) -> None:
    """Print lines."""
    for line in lines:
        print(line)
