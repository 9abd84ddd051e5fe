"""``kortlek games`` and ``kortlek rules``: what there is to play."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from kortlek.command.asked import Json, OwnGames, game_called, know, print_json
from kortlek.play.describing import allowed, defaults, described, page_of
from kortlek.play.telling import spell
from kortlek.rules import GAMES
from kortlek.rules.game import Game, Option


def games(*, game: OwnGames = None, json: Json = False) -> None:
    """The games, for how many players they are, and their options with the usual values."""
    know(game)
    if json:
        print_json({"games": [described(kind) for kind in GAMES.values()]})
        return
    for kind in GAMES.values():
        print(f"{kind.name}: {kind.title}, {kind.players[0]} to {kind.players[-1]} players")
        for players, variant in kind.house_variants.items():
            print(f"  with {players} players: {variant}")
        for name, option in kind.options.items():
            print(f"  {name}: {option.about}; {allowed(kind, option)}; usually {usually(kind, option)}")


def usually(game: Game[Any], option: Option) -> str:
    """The usual value of an option; if it depends on the number of players, for each."""
    by_value: dict[str, list[int]] = {}
    for players, value in defaults(game, option).items():
        by_value.setdefault(spell(value), []).append(players)
    if len(by_value) == 1:
        return next(iter(by_value))
    return ", ".join(f"{value} with {some[0]}{f' to {some[-1]}' if len(some) > 1 else ''}" for value, some in by_value.items()) + " players"


def rules(game: Annotated[str, Parameter(help="The name of a game, or the file of your own.")], /, *, json: Json = False) -> None:
    """The rule book of a game."""
    page = page_of(game_called(game))
    if json:
        print_json({"game": game_called(game).name, "page": page})
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(page))
