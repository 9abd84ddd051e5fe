"""The description of a game for new players: players, options, and its rule page."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

from kortlek.engine.plain import Refused, Spoken, speak_option
from kortlek.game import Game, Option
from kortlek.game.files import text_of
from kortlek.game.game import usual_players
from kortlek.game.registry import layout_of
from kortlek.words.sources import ENGLISH
from kortlek.words.words import Words, words_of


def described(game: Game[Any], language: str = ENGLISH) -> dict[str, Any]:
    """The description of a game as data, for programs."""
    words, layout = words_of(game, language), layout_of(game)
    options = {
        name: {
            "title": words.text(f"option-{name}"),
            "about": words.text(f"option-{name}", "about"),
            "allowed": allowed(words, option),
            "names": [value for value, _ in option.names],
            "default": {str(players): value for players, value in defaults(game, option).items()},
        }
        for name, option in game.options.items()
    }
    return {
        "name": game.name,
        "title": words.text("title"),
        "about": words.text("about"),
        "version": game.version,
        "players": list(game.players),
        "usual": usual_players(game),
        "pack": list(game.pack.names),
        "layout": {
            "component": layout.component,
            "parts": layout.parts or {},
            "zones": [dataclasses.asdict(zone) for zone in layout.zones],
            "counters": list(layout.counters),
            "status": list(layout.status),
        },
        "options": options,
    }


# ---- options


def defaults(game: Game[Any], option: Option) -> dict[int, Spoken]:
    """The default value of an option for each number of players."""
    return {players: speak_option(option, option.default(players)) for players in game.players}


def allowed(words: Words, option: Option) -> str:
    """The allowed values of an option, as they are typed; for the usual number of players if they depend on it."""
    game, usual = words.game, usual_players(words.game)
    text = allowed_with(words, option, usual)
    depends = any(allowed_with(words, option, players) != text for players in game.players)
    return words.text("allowed-with", allowed=text, players=usual) if depends else text


def allowed_with(words: Words, option: Option, players: int) -> str:
    """The allowed values of an option with this many players."""
    numbers, texts = option.allowed(players), [name for name, _ in option.names]
    if option.length:
        return words.text("allowed-numbers", many=option.length(players), low=numbers[0], high=numbers[-1])
    if len(numbers):
        texts.append(words.text("allowed-number", low=numbers[0], high=numbers[-1]))
    return texts[0] if len(texts) == 1 else words.text("allowed-or", first=", ".join(texts[:-1]), last=texts[-1])


def usually(words: Words, name: str) -> str:
    """The default value of an option in words; for each number of players if it depends on that."""
    by_value: dict[str, list[int]] = {}
    for players, value in defaults(words.game, words.game.options[name]).items():
        by_value.setdefault(words.option_value(name, value), []).append(players)
    if len(by_value) == 1:
        return next(iter(by_value))
    ranges = [(value, f"{some[0]}–{some[-1]}" if len(some) > 1 else str(some[0])) for value, some in by_value.items()]
    return ", ".join(words.text("usual-with", value=value, players=some) for value, some in ranges)


def number_of_players(words: Words) -> str:
    """The allowed numbers of players, in words."""
    low, high = words.game.players[0], words.game.players[-1]
    return words.text("players", low=low) if low == high else words.text("players-range", low=low, high=high)


# ---- rule pages


def page_of(game: Game[Any], language: str = ENGLISH) -> str:
    """The rule page of a game in Markdown: ``rules.en.md`` next to the rules of a folder, ``mygame.rules.en.md`` next to a file; in English if there
    is none in this language, and generated from the source if there is none at all."""
    file = Path(getattr(sys.modules[game.state.__module__], "__file__", None) or "-")
    for each in (language if language.isalpha() else ENGLISH, ENGLISH):
        page = text_of(file.with_name(f"rules.{each}.md" if file.stem == "rules" else f"{file.stem}.rules.{each}.md"))
        if page is not None:
            return page
    if game.state.__module__.partition(".")[0] == __name__.partition(".")[0]:
        raise Refused(f"The rules of {game.title} are not installed here.")
    return page_from_source(game)


def page_from_source(game: Game[Any]) -> str:
    """Generate a rule page from the docstrings of a game and its rules."""
    words = words_of(game)
    own = game.start, game.cards_to_shuffle, game.deal, game.reshuffle, game.legal, game.apply, game.round_over, game.points, game.over, game.winners
    rules = [said for rule in own if rule and (said := told(rule))]
    options = [f"`{name}`: {words.text(f'option-{name}', 'about')}; {allowed(words, option)}." for name, option in game.options.items()]
    parts = [f"# {words.text('title')}", words.text("about"), f"For {number_of_players(words)}.", "## The rules", *(f"* {each}" for each in rules)]
    return "\n\n".join([each for each in parts if each] + (["## Options", *(f"* {each}" for each in options)] if options else [])) + "\n"


def told(thing: object) -> str:
    """The docstring of an object, in one paragraph."""
    return " ".join((getattr(thing, "__doc__", None) or "").split())
