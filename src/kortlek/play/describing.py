"""A game told to those who have not played it yet: players, options, and its page of the rule book."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from typing import Any

from kortlek.play.plain import Refused, Spoken, describe_allowed, speak_option
from kortlek.rules.game import Game, Option

USUAL_PLAYERS = 4
ENGLISH = "en"
TRANSLATED = ("sv",)
"""The other languages in which there is a rule book, each in a folder of its own."""


def usual_players(game: Game[Any]) -> int:
    """Four, or as near as the game allows."""
    return min(game.players, key=lambda players: abs(players - USUAL_PLAYERS))


def described(game: Game[Any]) -> dict[str, Any]:
    """A game for programs."""
    options = {
        name: {
            "about": option.about,
            "allowed": allowed(game, option),
            "names": [name for name, _ in option.names],
            "default": {str(players): value for players, value in defaults(game, option).items()},
        }
        for name, option in game.options.items()
    }
    return {
        "name": game.name,
        "title": game.title,
        "about": game.about,
        "version": game.version,
        "players": list(game.players),
        "usual": usual_players(game),
        "pack": list(game.pack.names),
        "layout": game.layout,
        "options": options,
    }


def defaults(game: Game[Any], option: Option) -> dict[int, Spoken]:
    """The usual value of an option for each number of players."""
    return {players: speak_option(option, option.default(players)) for players in game.players}


def allowed(game: Game[Any], option: Option) -> str:
    """What an option can be, in words; for the usual number of players if it depends on that."""
    usual = usual_players(game)
    text = describe_allowed(option, usual)
    depends = any(describe_allowed(option, players) != text for players in game.players)
    return f"{text} (with {usual} players)" if depends else text


def page_of(game: Game[Any], language: str = ENGLISH) -> str:
    """The page of a game in Markdown: packaged, or from docs/games beside the source; in English if there is none in this language."""
    packaged, beside = resources.files("kortlek") / "pages", Path(__file__).parents[3] / "docs" / "games"
    within = [language] if language in TRANSLATED else []
    for folders in (within, []):
        for page in (packaged.joinpath(*folders, f"{game.name}.md"), beside.joinpath(*folders, f"{game.name}.md")):
            if page.is_file():
                return page.read_text(encoding="utf-8")
    if game.state.__module__.partition(".")[0] == __name__.partition(".")[0]:
        raise Refused(f"The rules of {game.title} are not installed here.")
    return page_from_source(game)


def page_from_source(game: Game[Any]) -> str:
    """The page of a game that nobody has written one for: what its source says of itself and of each of its rules."""
    about = game.about or told(sys.modules[game.state.__module__])
    rules = [said for rule in (game.start, game.gather, game.deal, game.legal, game.apply, game.winners) if (said := told(rule))]
    options = [f"`{name}`: {option.about}; {allowed(game, option)}." for name, option in game.options.items()]
    many = f"For {game.players[0]} to {game.players[-1]} players." if len(game.players) > 1 else f"For {game.players[0]} players."
    parts = [f"# {game.title}", about, many, "## The rules", *(f"* {each}" for each in rules)]
    return "\n\n".join([each for each in parts if each] + (["## Options", *(f"* {each}" for each in options)] if options else [])) + "\n"


def told(thing: object) -> str:
    """What the source says of something, in one paragraph."""
    return " ".join((thing.__doc__ or "").split())
