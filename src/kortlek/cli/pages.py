"""``kortlek games`` and ``kortlek rules``: the list of games, and the rules of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.bots import levels_of
from kortlek.cli.arguments import Json, Language, OwnGames, game_called, language_asked, load_own_games, print_json
from kortlek.game import Game
from kortlek.game.registry import GAMES
from kortlek.words.describe import allowed, described, number_of_players, page_of, usually
from kortlek.words.words import terminal, words_of


def games(*, game: OwnGames = None, language: Language = None, json: Json = False) -> None:
    """List the games with their numbers of players, their options and default values, and their bots."""
    load_own_games(game)
    spoken = language_asked(language)
    if json:
        print_json({"games": [described(kind, spoken) for kind in GAMES.values()]})
        return
    for kind in GAMES.values():
        for line in lines_about(kind, spoken):
            print(line)


def lines_about(game: Game[Any], language: str) -> Iterator[str]:
    """The description of a game, line by line."""
    words, texts = words_of(game, language), terminal(language)
    yield texts.text("games-game", name=game.name, title=words.text("title"), players=number_of_players(words))
    for players in game.players:
        if words.has(f"variant-{players}"):
            yield "  " + texts.text("games-variant", players=words.text("players", low=players), variant=words.text(f"variant-{players}"))
    for name, option in game.options.items():
        about, usual = words.text(f"option-{name}", "about"), usually(words, name)
        yield "  " + texts.text("games-option", name=name, about=about, allowed=allowed(words, option), usual=usual)
    yield "  " + texts.text("games-bots", levels=", ".join(levels_of(game)))


def rules(
    game: Annotated[str, Parameter(help="The name of a game, or the file of your own.")], /, *, language: Language = None, json: Json = False
) -> None:
    """Print the rule book of a game."""
    page = page_of(game_called(game), language_asked(language))
    if json:
        print_json({"game": game_called(game).name, "page": page})
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(page))
