"""What a table says, in words: for programs in English, for people in the language of their page, which reads the same files."""

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
    """All words of a game in a language, in one text."""
    return "\n".join(sources(GAMES[name], language))


class TableWords(Words):
    """The words of a game and of the table at which it is played."""

    def __init__(self, game: Game[Any], language: str = ENGLISH) -> None:
        Texts.__init__(self, [*sources(game, language), table_source(language)], language)
        self.game = game


@cache
def words_at_table(game: Game[Any], language: str = ENGLISH) -> TableWords:
    """The words of a game at a table, read once."""
    return TableWords(game, language)


@cache
def server_words(language: str = ENGLISH) -> Texts:
    """The words of a server before it is known which game is meant."""
    return Texts([table_source(language)], language)


def in_english(message: Message, game: Game[Any] | None = None, names: Names = ()) -> str:
    """The sentence for programs and for logs."""
    if game:
        return words_at_table(game).say(message, names)
    args: dict[str, Any] = dict(message.args)
    return server_words().text(message.id, **args)
