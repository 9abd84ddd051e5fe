"""The words of tables: in English for programs; the page reads the same files in the language of its reader."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from kortlek.game import Game, Message, Names
from kortlek.game.registry import GAMES
from kortlek.words.sources import ENGLISH, sources
from kortlek.words.words import Texts, Words


@cache
def table_source(language: str) -> str:
    """The words file of the table in a language."""
    return (resources.files("kortlek") / "table" / f"words.{language}.ftl").read_text(encoding="utf-8")


def game_source(name: str, language: str) -> str:
    """All words of a game in a language, as one text."""
    return "\n".join(sources(GAMES[name], language))


class TableWords(Words):
    """The words of a game together with those of tables."""

    def __init__(self, game: Game[Any], language: str = ENGLISH) -> None:
        Texts.__init__(self, [*sources(game, language), table_source(language)], language)
        self.game = game


@cache
def words_at_table(game: Game[Any], language: str = ENGLISH) -> TableWords:
    """The words of a game at a table, cached."""
    return TableWords(game, language)


@cache
def server_words(language: str = ENGLISH) -> Texts:
    """The words of tables without those of a game."""
    return Texts([table_source(language)], language)


def in_english(message: Message, game: Game[Any] | None = None, names: Names = ()) -> str:
    """A message as an English sentence, for programs and logs."""
    if game:
        return words_at_table(game).say(message, names)
    args: dict[str, Any] = dict(message.args)
    return server_words().text(message.id, **args)
