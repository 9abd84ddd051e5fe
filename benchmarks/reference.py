"""Write docs/reference.md: every field, choice, zone, option and default of the contract, from the code itself.

Run: python benchmarks/reference.py"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

from kortlek import cards
from kortlek.bots.knobs import Knobs
from kortlek.bots.policy import Policy
from kortlek.game import State, base, choices, fields, metrics, options
from kortlek.game.game import Game, Sheet
from kortlek.game.layout import Layout, Zone
from kortlek.game.packs import Face, Pack
from kortlek.games import tricks
from kortlek.words.faults import FORMS, WHERE

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"

GAME = {
    "name": "small letters, digits and underscores; how the game is typed",
    "players": "`range(2, 5)` is for two to four",
    "state": "the class with the fields",
    "choices": "the kinds of choice; `s.phase` is an index into them",
    "deal": "`deal(s, pack)` takes the shuffled pack and sets `s.turn` and `s.phase`; fields of a round have begun anew",
    "legal": "`legal(s)`: the set of legal alternatives of the player in turn, as bits; it changes nothing",
    "apply": "`apply(s, choice)`: what a legal choice does",
    "title": "what people call it; made from the name",
    "version": "raise it whenever the same choices could lead elsewhere than before",
    "pack": "what is played with; 52 cards",
    "start": "`start(s)` sets up a match when players and options are known",
    "lots": "`lots(s, seats)` takes the seats in random order, if `start` has set the phase to `LOTS`",
    "cards_to_shuffle": "`cards_to_shuffle(s, pack)` writes the cards for a deal or a shuffle into `pack` and says how many; the whole pack",
    "reshuffle": "`reshuffle(s, pack)` takes the cards of a `SHUFFLE` within a round",
    "round_over": "`round_over(s)` is called after each choice; with `points` and `over`. Without the three, `apply` counts points and rounds itself",
    "points": "`points(s, seat)`: what a finished round is worth",
    "over": "`over(s)` is called after each round, when it has been counted",
    "payoff": "`payoff(s, seat)`: what a seat wants more of; `most_points`, or `fewest_points`",
    "teams": "`teams(s, seat)`: the number of the seat's team; `alone`, or `partners_across`",
    "winners": "`winners(s)`: the set of seats that share the win; those with the highest payoff",
    "sheet": "the score sheet; a row for each round with its points",
}
PARAMETERS = {
    "low, high": "the range; a number outside it is a fault, and compiled it would be cut off",
    "start": "the value before anything has happened, also outside the range",
    "per_seat": "each seat has one: `s.bid[seat]`",
    "per_team": "each team has one",
    "piles": "the number of such places, in the middle of the table: `s.row[pile]`",
    "length": "a list of this many numbers",
    "seen_by": "who sees it (below)",
    "reset": "`ROUND`: it begins anew before every deal; `MATCH`: never",
    "event": "a new value is an event for everyone who sees it: the message `event-<field>`",
    "event_first": "this event comes before the others of the step",
    "event_from": "a field with the seat whose event comes first",
    "known_absent": "the field with the cards that publicly cannot lie there",
    "known_present": "the field with the cards that publicly do lie there",
    "copies": "how many of each kind there may be",
    "kinds": "how many kinds of card the pack has",
    "capacity": "how many cards the pile may have",
    "place": "the place that the knowledge is about",
}
AUDIENCES = {
    "EVERYONE": "all players, and who watches",
    "OWNER": "its owner, the seat",
    "PARTNERS": "its owner and the other seats of her team",
    "OTHERS": "all seats but its owner: a card held to the forehead",
    "NOBODY": "nobody: a stock",
}
PHASES = {
    "0, 1, ...": "a choice by the player `s.turn`: an index into `choices`",
    "DEAL": "a new round: fields of a round begin anew, the pack is shuffled, then `deal`",
    "SHUFFLE": "cards shuffled within a round, then `reshuffle`",
    "LOTS": "the seats in random order, then `lots`",
    "OVER": "nothing more",
}
FORM = {
    "fan": "cards that overlap, as in a hand",
    "row": "side by side",
    "pile": "one on the other, with how many there are",
    "grid": "in rows and columns",
    "trick": "around the middle, each before its player",
}
AT = {"hand": "the viewer's own, at the lower edge", "seat": "beside each name", "centre": "in the middle", "side": "at the side"}
ZONE = {
    "place": "the field whose cards lie there",
    "form": "how they lie",
    "at": "where they lie",
    "tap": "the verb that a tap on a card, or on the zone, chooses",
}
LAYOUT = {
    "zones": "where the places lie; own cards as a fan, piles as piles, other cards in rows",
    "counters": "fields shown beside each name; the public numbers of each seat",
    "status": "fields shown above the table; the public numbers of the table",
    "component": "a table of its own in the page (`tricks`, `rummy`, `cascade`)",
    "parts": "what the component needs: its names for fields",
    "headline": "`headline(s)`: the first line of the text table, as a message: the round, the dealer",
    "text": "`text(s)`: the other lines of the text table, as messages",
    "sizes": "places of which the text table says how many cards lie there",
    "last": "`last(s)`: what lay on the table before, as a message",
    "why_not": "`why_not(s, choice)`: why a choice is not legal, as a message; by default what is legal",
    "drawn": "`drawn(s, seat)`: plain data for a component",
    "earns": "`earns(s)`: what choices would earn at once, as messages",
}
POLICY = {
    "name": "`house`, or any other name: a bot of its own",
    "version": "raise it whenever it would choose otherwise than before",
    "choose": "`choose(s, rng)`: a legal choice; it may read only what its player sees",
    "reason": "`reason(s, choice)`: what speaks for a choice, as a message",
}
PACK = {
    "names": "the kinds of card as they are written, one word each",
    "copies": "how many there are of every kind, or of each",
    "one_each": "each player has a pack of her own",
    "faces": "what stands on cards of one's own",
}
FACE = {"title": "the name of the card for people", "text": "what stands on it", "colour": "a CSS colour"}
CHOICE = {
    "name": "what the choice is called: the message `ask-<name>`",
    "parts": "`CARD`, another argument, or several `Part(verb, argument)`; each may have alternatives, at most 62 in all",
    "seen_by": "who hears which alternative was chosen: `EVERYONE`, or the player alone: `OWNER`",
    "together": "all choose at once, and nothing is sent until all have; until then a choice may change only what its player has with "
    "`seen_by=OWNER`",
    "act": "the act that this choice goes on with: a meld laid card by card is one act, and one line of the log",
}
SHEET = {
    "row": "the field that names a row; the number of the round",
    "cells": "the fields of each seat that a cell is made of; the points of the round",
}
FILES = {
    "rules.py": "the state, the rules and the `Game`; the only one that is needed",
    "words.en.ftl, words.sv.ftl": "what people read, in Fluent; plain words are made from the names",
    "layout.py": "`LAYOUT = Layout(...)`; places are laid out by what they are",
    "bots.py": "policies, and `KNOBS = Knobs(...)` for more; bots without rules of thumb play at random",
    "metrics.py": "`METRICS = Metrics(...)`: what the lab counts besides scores and wins",
    "rules.en.md, rules.sv.md": "the rule page; made from the docstrings of the rules",
    "*.csv, other modules": "what the rules read or import: `from .helper import ...`",
    "test_*.py": "tests, which are no part of the game",
}
WORDS = {
    "title, about": "the name of the game, and one sentence on it",
    "ask-<choice>": "the question of a kind of choice",
    "choice-<verb>": "an alternative as it is offered, with its argument: `$card`, `$count`, `$whom`, `$suit`, `$rank`, `$name`, `$pile`",
    "event-<verb>": "a choice that was made: `$who`, `$you` (yes or no), its argument; `$cards` and `$count`",
    "event-<field>": "a new value: `$who`, and `$value`, `$card`, `$suit`, `$rank` or `$whom`",
    "event-deal, event-begins, event-gets, ...": "the events of every game (`words/common.en.ftl`)",
    "place-<field>": "a place, with the attributes `.yours`, `.of` (`$whose`) and `.sizes`",
    "field-<field>": "a number of the table or of each seat",
    "option-<name>, option-<name>-<value>": "an option, with the attribute `.about`, and its named values",
    "card-<NAME>, card": "a card; `card` gets `$suit` and `$rank`, the first letter of its notation and the rest",
    "suit-<n>, rank-<n>, name-<name>": "suits and ranks by number, and the names of choices",
    "metric-<name>": "a counter",
    "bot-<name>": "how a bot plays, in half a sentence",
    "sheet-title, sheet-cell": "the score sheet; a cell gets the fields of `Sheet`",
    "refuse-..., reason-..., table-...": "whatever a `Message` of layout or bots names",
}
ARGUMENTS = {
    "who": "a seat: said as “You” or a name; `$you` is yes or no, `$whose` the possessive",
    "whom": "another seat; `$them` is yes or no",
    "seats": "several seats, and `$many`",
    "card, cards": "a card, or several, as people say them; `$count` is how many",
    "suit, rank, place": "said by their messages",
    "name": "a keyword, said by `name-<keyword>`",
    "a Message, or a list of them": "said, with commas between",
    "anything else": "a number, or a text to select by",
}
COUNTERS = ("share", "mean", "note")

BARE_TRICKS = '''"""Bare Tricks: five cards each, follow suit, every trick is a point."""

from kortlek.cards import PACK, Card
from kortlek.game import CARD, Choice, Game, int_option, state
from kortlek.games import tricks


@state(seats=4)
class BareTricks(tricks.Tricks):
    """A match of Bare Tricks."""

    deals: int = int_option(3, range(1, 101), about="how many deals a match has")


def deal(s: BareTricks, pack: list[Card]) -> None:
    """Five cards each. The players take turns to lead first."""
    s.hand_size = 5
    tricks.deal(s, pack, s.round % s.players, PACK)
    tricks.lead(s, s.round % s.players)
    s.phase = 0


def apply(s: BareTricks, card: Card) -> None:
    """The highest card of the suit led takes the trick, and its player leads the next."""
    tricks.play_round(s, card)


def round_over(s: BareTricks) -> bool:
    """A deal ends when all cards are played."""
    return s.trick == 0 and tricks.all_played(s)


def points(s: BareTricks, seat: int) -> int:
    """Every trick is a point."""
    return s.taken[seat]


def over(s: BareTricks) -> bool:
    """The match has as many deals as the option says."""
    return s.round == s.deals


BARE_TRICKS = Game(
    "bare_tricks",
    players=range(2, 5),
    state=BareTricks,
    choices=(Choice("play", CARD),),
    deal=deal,
    legal=tricks.follow_suit,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
)
'''


# ---- tables


def table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    columns = head.count("|") + 1
    return "\n".join(
        [f"| {head} |", "|" + "---|" * columns, *(f"| {' | '.join(each.replace('|', chr(92) + '|') for each in row)} |" for row in rows)]
    )


def said(thing: object) -> str:
    """The first paragraph of a docstring, as Markdown."""
    text = inspect.cleandoc(thing.__doc__ or "").partition("\n\n")[0]
    return " ".join(text.replace("``", "`").split())


def called(function: Callable[..., Any], name: str = "") -> str:
    """The call of a function, without types."""
    shown = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            shown.append(f"*{parameter.name}")
        elif parameter.default is parameter.empty:
            shown.append(parameter.name)
        elif parameter.default not in ("", False, 0, None, ()) and len(default_of(parameter.default)) < 30:
            shown.append(f"{parameter.name}={default_of(parameter.default)}")
        else:
            shown.append(f"{parameter.name}=")
    return f"`{name or function.__name__}({', '.join(shown)})`"


def default_of(value: object) -> str:
    """A default as it is written in source code."""
    if isinstance(value, Enum):
        return value.name if value.name != "TEAM" else "PARTNERS"
    return getattr(value, "__name__", None) or repr(value)


def parts(kind: type[Any], about: dict[str, str]) -> str:
    """A table of the fields of a dataclass, with descriptions and defaults."""
    found = dataclasses.fields(kind)
    assert {each.name for each in found} == set(about), {each.name for each in found} ^ set(about)
    rows = []
    for each in found:
        missing = each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
        usual = "" if missing else shown_default(each.default)
        rows.append((f"`{each.name}`", about[each.name], "needed" if missing else usual))
    return table("name | what it is | default", rows)


def shown_default(value: object) -> str:
    """A default as shown in a table; empty for an empty value."""
    if value in ("", None, (), 0, False) or dataclasses.is_dataclass(value):
        return ""
    name = default_of(value)
    return "" if "lambda" in name or len(name) > 30 else f"`{name}`"


def attributes(kind: type[Any]) -> dict[str, str]:
    """The attribute docstrings of a class, by field."""
    [declared] = [node for node in ast.parse(textwrap.dedent(inspect.getsource(kind))).body if isinstance(node, ast.ClassDef)]
    found, last = {}, ""
    for node in declared.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            last = node.target.id
            found[last] = ""
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and last:
            found[last] = " ".join(str(node.value.value).split())
    return found


def functions(module: ModuleType, names: Iterable[str]) -> str:
    """A table of functions with their docstrings."""
    return table("call | what it is", [(called(getattr(module, name)), said(getattr(module, name))) for name in names])


def public_functions(module: ModuleType) -> list[str]:
    """The functions that a module defines."""
    return [name for name, each in vars(module).items() if inspect.isfunction(each) and each.__module__ == module.__name__ and name[0] != "_"]


NUMBERS = ("count", "flag", "seat", "card", "suit", "rank", "card_set", "seat_set")
PLACES = ("cards", "multiset", "wide", "pile", "known_to")
OPTIONS = ("int_option", "choice_option", "flag_option", "seat_option", "ints_option")
ARGUMENT_MAKERS = ("amount", "one_of", "one_of_numbers", "suit_named", "rank_named", "one_of_piles", "held")
HELPERS = (
    "next_seat",
    "next_active_seat",
    "active_seats",
    "choose_together",
    "all_have_chosen",
    "most_points",
    "fewest_points",
    "alone",
    "partners_across",
    "highest_score",
)


def page() -> str:
    """The whole page."""
    knobs = {"policies": "the bots of the game", **{name: text for name, text in attributes(Knobs).items() if text}}
    state = attributes(State)
    state |= {"phase": "what the match waits for", "players": "how many play", "turn": "the player in turn", "score": "the points of each seat"}
    sections = [
        "# The reference of a game",
        "Everything that a game can say, with its defaults. [Your own game](your-own-game.md) makes one step by step; this page is written from "
        "the code "
        "(`python benchmarks/reference.py`), and a test compares them.",
        "## A whole game",
        "*Bare Tricks*: two to four players get five cards each, must follow suit, and every trick is a point. This is all of it:",
        f"```python\n{BARE_TRICKS}```",
        "## The files",
        "A game is a file, a folder, or an installed package with an entry point in the group `kortlek.games`. In a folder:",
        table("file | what it has; without it", [(f"`{name}`", text) for name, text in FILES.items()]),
        "Modules of a folder import each other with a dot, `from .rules import ...`. In one file, `mygame.py`, rules, bots, layout and metrics are "
        'together; the words are in `WORDS = {"en": ...}` or in `mygame.words.en.ftl`, the rule page is `mygame.rules.en.md`. What is played is the '
        "text that was read when a command began, in every process that it starts.",
        "## The game",
        "`Game(name, players=..., state=..., ...)`:",
        parts(Game, GAME),
        "`Sheet(row, cells)` is the score sheet:",
        parts(Sheet, SHEET),
        "## Phases",
        "At any moment a match waits for one thing, its `s.phase`:",
        table("phase | the match waits for", [(f"`{name}`", text) for name, text in PHASES.items()]),
        "## The state",
        "A class with the decorator `@state`, or `@state(seats=4)` for as many seats as there are players at most, on top of `State` (or of "
        "`kortlek.games.tricks.Tricks`). `State` has:",
        table("field | what it is", [(f"`{name}`", text) for name, text in state.items()]),
        "Numbers and sets:",
        functions(fields, NUMBERS),
        "Places. Every card of the pack lies in exactly one place at any time: that is how views and redeals know what is unseen.",
        functions(fields, PLACES),
        "What their parameters mean:",
        table("parameter | what it says", [(f"`{name}`", text) for name, text in PARAMETERS.items()]),
        "Who sees a field (`seen_by`):",
        table("audience | who sees it", [(f"`{name}`", text) for name, text in AUDIENCES.items()]),
        "`NOTHING` is no card, suit, rank or seat.",
        "## Options",
        "Fields that the players agree on before the match. `default` and the range may be functions of the number of players; `about` is said of "
        "the "
        "option, `former` is the name that it has in older records, `names` are names for some numbers.",
        functions(options, OPTIONS),
        "`LAST_SEAT` and `RANDOM` are values of a seat option.",
        "## Choices",
        "`Choice(name, *parts, ...)`:",
        table("name | what it is", [(f"`{name}`", text) for name, text in CHOICE.items()]),
        "What a choice is about: `CARD` (a card of the pack), `SEAT` (a seat), or",
        functions(choices, ARGUMENT_MAKERS),
        '`Part("draw")` is an alternative without an argument. The alternatives of all parts are numbered one after the other.',
        "## For rules",
        functions(base, HELPERS),
        "Sets of cards, multisets, wide places and piles (`kortlek.cards`):",
        functions(cards, public_functions(cards)),
        "Trick-taking games (`kortlek.games.tricks`):",
        functions(tricks, public_functions(tricks)),
        "## The pack",
        parts(Pack, PACK),
        f"`Pack.from_csv(path)`: {said(Pack.from_csv)} A `Face` is what stands on a card:",
        parts(Face, FACE),
        "## The layout",
        "`LAYOUT = Layout(...)` in `layout.py`; what it does not say is made from the fields.",
        parts(Layout, LAYOUT),
        "A `Zone`:",
        parts(Zone, ZONE),
        table("form | its cards lie", [(f"`{name}`", FORM[name]) for name in FORMS]),
        table("at | it lies", [(f"`{name}`", AT[name]) for name in WHERE]),
        "## Bots",
        "Every `Policy` of `bots.py` is a bot:",
        parts(Policy, POLICY),
        "`KNOBS = Knobs(...)` says more, for bots that think:",
        parts(Knobs, knobs),
        "## Metrics",
        said(metrics),
        functions(metrics, COUNTERS),
        "## Words",
        "A `Message(id, args)` is something to be said; so are the events of a match. The messages of a words file:",
        table("id | what it says", [(f"`{name}`", text) for name, text in WORDS.items()]),
        "By their names the words know what arguments are:",
        table("argument | how it is said", [(f"`{name}`" if " " not in name.replace(", ", "") else name, text) for name, text in ARGUMENTS.items()]),
        '`{ VERB($you, "play", "plays") }` is the verb as it is said to a player, or of her.',
        "## Rules that compile",
        "The rules, policies and metrics, and whatever they call, also run through Numba. Write them in plain statements on integers and lists of "
        "integers: "
        "loops, `if`, functions, tuples. No dictionaries, generator expressions, exceptions or strings; two functions may not call each other in "
        "a circle "
        "(one may call itself). Tables are lists of integers outside the functions, and are never changed. Use the set operations of "
        "`kortlek.cards`: they "
        "are single machine instructions when compiled. What does not compile stays plain, works, and says in one line where and why. Everything for "
        "people (layout, reasons) may use all of Python.",
        "## A game of the package",
        "It goes into a folder of `src/kortlek/games/`, and its name into `BUILT_IN` in `game/registry.py`. Besides, it has:",
        "* `tests/test_<game>.py`: one test for each sentence of its rule book, named after the sentence.\n"
        "* `tests/playthroughs/`: golden games as readable text, one for the defaults and one for each option.\n"
        "* `tests/counts/<game>.txt`: at least six small positions with the number of ways to go on, checked against `tests/referees/<game>.py`, "
        "a second "
        "implementation written from the rules alone.\n"
        "* `rules.en.md` and `rules.sv.md` with the same headings as the others; `words.en.ftl` and `words.sv.ftl`.",
        "Conformance, non-interference, redeals and the equality of the two engines are tested for everything in `GAMES` without further work.",
    ]
    return re.sub(r"[ \t]+\n", "\n", "\n\n".join(sections)) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
