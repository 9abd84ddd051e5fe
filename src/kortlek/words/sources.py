"""The sources of words: Fluent files, common ones and one for each game and language; and plain words generated from the names of a game.

The file of the game comes last, so it overrides the others. The page gets the same texts and parses them with the same grammar.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from kortlek.game import EVERYONE, Choice, Game, Holds, Kind, Option, Part, fields_of
from kortlek.game.files import text_of

ENGLISH = "en"
LANGUAGES = (ENGLISH, "sv")
"""The languages with common words."""
COMMON_VALUES = ("yes", "no", "random", "last_seat")
"""The option values with common words."""


@cache
def packaged(name: str, language: str) -> str:
    """A file of this package: the ``common`` words of all games, or those of the ``terminal``."""
    return (resources.files("kortlek") / "words" / f"{name}.{language}.ftl").read_text(encoding="utf-8")


def own(module_name: str, language: str) -> str:
    """The text of the words file of a module: ``words.en.ftl`` next to the rules of a folder, ``mygame.words.en.ftl`` next to a file, or ``WORDS`` in
    it."""
    module = sys.modules[module_name]
    written: dict[str, str] = getattr(module, "WORDS", {})
    if language in written:
        return written[language]
    return text_of(file_of(module_name, language)) or ""


def file_of(module_name: str, language: str) -> Path:
    """The path of the words file of a module, which may not exist."""
    path = Path(getattr(sys.modules[module_name], "__file__", None) or "-")
    return path.with_name(f"words.{language}.ftl" if path.stem == "rules" else f"{path.stem}.words.{language}.ftl")


def sources(game: Game[Any], language: str) -> list[str]:
    """All words of a game in a language, the most general first: plain ones, common ones, those of the base classes of its state, such as the words
    of trick-taking games, and its own. Words that are missing in this language are English."""
    modules = dict.fromkeys(each.__module__ for each in reversed(game.state.__mro__) if each.__module__ in sys.modules)
    inherited = [own(module, language) or own(module, ENGLISH) for module in modules]
    return [plain(game), packaged("common", ENGLISH), packaged("common", language), *(words for words in inherited if words)]


# ---- plain words


@cache
def plain(game: Game[Any]) -> str:
    """Generate words from the names of a game: its verbs, places, fields and options."""
    lines = [f"title = {game.title}", f"about = {about(game)}", "sheet-title = Round", f"sheet-cell = {cell(game)}"]
    for choice in game.choices:
        lines.append(f"ask-{choice.name} = {ask(choice)}")
        for part in choice.parts:
            things = ARGUMENTS[part.of.kind]
            lines.append(f"choice-{part.verb} = {label(part.verb)}{things}")
            lines += chosen(choice, part)
        if choice.act:
            lines.append(f"event-{choice.act} = {{ $who }} {verb(choice.act)} {{ $cards }}")
    for name, field in fields_of(game.state).items():
        lines += place(name) if field.storage else option(name, field.option) if field.option else [f"field-{name} = {label(name)}"]
        if field.event:
            value = {Holds.CARD: "{ $card }", Holds.SUIT: "{ $suit }", Holds.RANK: "{ $rank }", Holds.SEAT: "{ $whom }"}.get(
                field.holds, "{ $value }"
            )
            lines.append(f"event-{name} = {'{ $who }: ' if field.per_seat else ''}{words_of(name)} {value}")
    return "\n".join(lines) + "\n"


def chosen(choice: Choice, part: Part) -> list[str]:
    """The message for a choice: with its argument for those who may see it; for the others, only the number of cards."""
    said, things = f"{{ $who }} {verb(part.verb)}", ARGUMENTS[part.of.kind]
    if choice.seen_by is EVERYONE or not things:
        return [f"event-{part.verb} = {said}{things}"]
    are_cards = part.of.kind in (Kind.CARD, Kind.HELD)
    own, hidden = (" { $cards }", " { cards-hidden }") if are_cards else (things, "")
    return [f"event-{part.verb} = {{ $you ->", f"    [yes] {said}{own}", f"   *[no] {said}{hidden}", "}"]


def about(game: Game[Any]) -> str:
    """The description of a game: the first paragraph of the docstring of its module."""
    first = (sys.modules[game.state.__module__].__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(first.replace("{", "(").replace("}", ")").split()) or f"{game.title}."


def cell(game: Game[Any]) -> str:
    """The pattern of a cell of the score sheet: the declared fields, or the points of the round."""
    first, *more = game.sheet.cells or ("points",)
    return f"{{ ${first} }}" + (f" ({', '.join(f'{{ ${name} }}' for name in more)})" if more else "")


def place(name: str) -> list[str]:
    """The message for a place: its name, also as the viewer's own, as another player's, and for its number of cards."""
    said = words_of(name)
    return [f"place-{name} = {label(name)}", f"    .yours = Your {said}", f"    .of = {{ $whose }} {said}", f"    .sizes = Cards in {said}"]


def option(name: str, option: Option) -> list[str]:
    """The messages for an option and its named values."""
    values = [f"option-{name}-{value} = {f'{{ value-{value} }}' if value in COMMON_VALUES else words_of(value)}" for value, _ in option.names]
    return [f"option-{name} = {label(name)}", f"    .about = {option.about or label(name)}", *values]


ARGUMENTS = {
    Kind.NONE: "",
    Kind.CARD: " { $card }",
    Kind.HELD: " { $card }",
    Kind.SEAT: " { $whom }",
    Kind.SUIT: " { $suit }",
    Kind.RANK: " { $rank }",
    Kind.AMOUNT: " { $count }",
    Kind.NAME: " { $name }",
    Kind.PILE: " { $pile }",
}
"""The pattern for the argument of a choice, after its verb."""


def ask(choice: Choice) -> str:
    """The question of a kind of choice."""
    return f"{label(choice.name)}?"


def words_of(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


def label(name: str) -> str:
    """A name as a label."""
    return words_of(name).capitalize()


def verb(name: str) -> str:
    """A verb in the person of the sentence, as a Fluent placeable."""
    return f'{{ VERB($you, "{words_of(name)}", "{third_person(words_of(name))}") }}'


def third_person(verb: str) -> str:
    """The third person of a verb: ``plays``, ``tries``, ``passes``. Only the first word is inflected."""
    first, space, rest = verb.partition(" ")
    if re.search("[^aeiou]y$", first):
        first = first[:-1] + "ies"
    else:
        first += "es" if first.endswith(("s", "sh", "ch", "x", "z", "o")) else "s"
    return first + space + rest
