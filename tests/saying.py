"""Everything that the server says to people, collected: from random matches, from what games declare, and from the sources.

What can be said only now and then does not depend on luck: refusals, reasons and news of a table are read from the sources themselves, each
branch of each sentence, with something likely in every blank."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import kortlek
from kortlek.bots import levels_of
from kortlek.bots.levels import house_of
from kortlek.cards import NOTHING, bit, members
from kortlek.play import information, plain, showing, telling
from kortlek.play.describing import allowed
from kortlek.play.seeded import seeded
from kortlek.rules import GAMES
from kortlek.rules.game import OVER, SEATS, Game, Names, fields_of
from kortlek.table.doors import FAILURE
from kortlek.table.messages import QUICK_PHRASES
from playing import next_event

SOURCE = Path(kortlek.__file__).parent
NAMES = ("Lisa", "Toby", "Rachel", "Åke Öberg", "Bo", "Cilla", "D. D.", "Eva-Lena", "F2F", "Gun")
assert len(NAMES) == SEATS
OPTIONS: dict[str, list[dict[str, object]]] = {
    "plump": [{}, {"first_lead": "highest_bidder", "first_dealer": "random"}, {"first_dealer": 0}],
    "up_and_down": [{"N": 2}, {"N": 3, "start": 1}],
    "trick_paper_scissors": [{}, {"discard_face_up": "yes", "stars": "1-13:2", "deals": 2, "first_dealer": "random"}],
    "rummy": [
        {"round_limit": 25},
        {"threshold": 0, "threshold_suffices": "yes", "games": 2, "round_limit": 15},
        {"earliest_laying_round": 3, "round_limit": 6},
    ],
    "cascade": [{"games": 1}, {"games": 2}],
}
"""Of each game the options with which it is played here."""

Said = tuple[str, str]
"""A sentence, and in which game it is said (or in none)."""


def everything() -> list[Said]:
    """All of it, the same sentence with other names, numbers and cards not too often."""
    few: dict[Said, list[Said]] = {}
    for said in itertools.chain(declared(), of_the_sources(), *(of_matches(game) for game in GAMES.values())):
        text, game = said
        known = few.setdefault((shape(text), game), [])
        if said not in known and len(known) < 4:
            known.append(said)
    return [said for known in few.values() for said in known]


def shape(text: str) -> str:
    """A sentence without what differs from one time to the next."""
    text = re.sub("|".join(map(re.escape, NAMES)), "@", text)
    text = re.sub(r"\b(?:[CDHS][2-9TJQKA]|J[BR]|[RPS]\d+)\b", "#", text)
    return re.sub(r"(@ [\d# -]+(?:, )?)+", "@ 0", re.sub(r"(#,? ?)+", "# ", re.sub(r"-?\d+(\.\d+)?", "0", text)))


# ---- in matches


def of_matches(game: Game[Any]) -> Iterator[Said]:
    """What is said in random matches of every number of players; of the fewest and the most with every set of options."""
    for players in game.players:
        sets = OPTIONS[game.name]
        for options in sets if players in (game.players[0], game.players[-1]) else [sets[players % len(sets)]]:
            for text in of_match(game, players, options):
                yield text, game.name


def of_match(game: Game[Any], players: int, options: dict[str, object]) -> Iterator[str]:
    """The news, the table, the questions, refusals and reasons of one random match, as all who see it are told."""
    names, rng = NAMES[:players], [seeded(players, 5)]
    s = plain.begin(game, players, options)
    yield from telling.table(information.view(game, s, 0), names)
    for step in itertools.count():
        before = plain.copy_of(s)
        event = next_event(game, s, rng)
        plain.happen(game, s, event)
        viewers = {information.ONLOOKER, information.OPEN, step % players, max(0, before.turn)}
        for viewer in viewers:
            yield from telling.sentences(telling.news(game, before, event, s, viewer), names, viewer)
        for cell in telling.finished_round(game, before, s):
            yield from re.findall(r"\((.*)\)", cell)
        if s.phase == OVER:
            break
        if step % 7 == 0:
            yield from of_table(game, s, names, (step // 7) % players)
    yield telling.ending(game.winners(s), names, 0)


def of_table(game: Game[Any], s: Any, names: Names, viewer: int) -> Iterator[str]:
    """The table in words, and what the player in turn is asked, refused and advised."""
    yield from telling.table(information.opened(game, s), names)
    for seat in (viewer, information.ONLOOKER):
        yield from telling.table(information.view(game, s, seat), names)
        if game.picture and game.picture.last and (last := game.picture.last(s, telling.called(names, seat))):
            yield last
    if s.phase < 0:
        return
    seen = information.view(game, s, s.turn)
    refused = dict(showing.refusals(seen))
    for refused_choice, why in itertools.islice(refused.items(), 6):
        yield why
        yield f"{refused_choice!r} is not allowed: {why}"
    for earned in game.picture.earns(s).values() if game.picture and game.picture.earns else ():
        yield earned
        yield from earned.split(": ")
    for choice in itertools.islice(members(game.legal(s)), 6):
        reason = house_of(game).reason(s, choice)
        for margin in margins():
            yield f"{reason}{margin}."
            yield f"{game.choices[s.phase].notation[choice]}: {reason}{margin}."


# ---- declared


def declared() -> Iterator[Said]:
    """What games and their bots declare, and what is always the same."""
    for text in (*QUICK_PHRASES, FAILURE, "Total"):
        yield text, ""
    for game in GAMES.values():
        for text in of_game(game):
            yield text, game.name


def of_game(game: Game[Any]) -> Iterator[str]:
    """About a game, its options, levels and choices."""
    yield from (game.about, game.sheet.title)
    for name, option in game.options.items():
        usual = [plain.speak_option(option, option.default(players)) for players in game.players]
        yield from (f"Options: {name}={telling.spell(value)}" for value in [*usual, *(value for value, _ in option.names)])
    for name, option in game.options.items():
        yield from (option.about, allowed(game, option), *(value for value, _ in option.names))
        for players in game.players:
            may_be = plain.describe_allowed(option, players)
            yield from (may_be, f"{name}=x is not possible: {name} is {may_be}.")
    for level in levels_of(game).values():
        yield from (level.name, level.about, f"Lisa ({level.name}) sits down")
    for kind in game.choices:
        yield from (kind.ask, *kind.notation)
        yield from of_players(kind.told)
    for name, field in fields_of(game.state).items():
        if field.lies:
            yield telling.label(name)
        if field.told:
            told = field.told
            yield from of_players(told(value) for value in range(52) if value != field.start)
    for many in range(4):
        yield from (telling.ending(bit(many) - 1, NAMES, viewer) for viewer in (0, NOTHING))


def of_players(told: Iterable[str]) -> Iterator[str]:
    """What is said of a player, and to her."""
    for text in told:
        yield from (f"Lisa {text}", f"You {telling.second_person(text)}")


# ---- in the sources

FOR_THE_OPERATOR = {"client.py", "transfer.py", "file.py", "postgres.py", "store.py", "server.py"}
"""Files of the table whose refusals no player ever sees: they are said on the command line."""
AGAIN = {"refusal.sentence", "str(refused)", "sentence", "message['sentence']"}
"""What is only passed on."""
BLANKS: dict[str, list[str]] = {
    "shorten(asked.game)": ["chess"],
    "shorten(fact.game)": ["chess"],
    "shorten(text)": ["jump H9", "what's this"],
    "', '.join(GAMES)": ["plump, rummy"],
    "', '.join(levels)": ["random, house"],
    "known": ["first_lead, first_dealer"],
    "message.name": ["Bo"],
    "table.names[match.s.turn]": ["Bo"],
    "table.names[table.asked]": ["Bo"],
    "self.game.title": ["Plump"],
    "game.title": ["Up and Down"],
    "name": ["first_lead"],
    "_short(name)": ["'last_lead'"],
    "shorten(_text(given))": ["x"],
    "describe_allowed(option, players)": ["first_bidder or highest_bidder"],
    "text": ["play H9"],
    "seen.game.why_not(seen.state, choice)": ["Your pack is empty."],
    "error": ["Expected `str`, got `int`"],
    "details": ["Method Not Allowed"],
    "who(table, fact.seat, viewer)": ["Lisa", "You"],
    "fact.level": ["house"],
    "table.game.title": ["Plump"],
    "telling.unusual_options(table.game, table.next_match().s) or 'usual options'": ["first_lead=highest_bidder, first_dealer=1", "usual options"],
    "' and '.join(gained)": ["1 action", "3 actions", "1 card", "2 cards", "1 action and 2 cards"],
    "say(follow_suit(s), names)": ["H2 HK"],
    "RANK_VALUE[rank_of(card)]": ["10"],
}
"""What can stand in a blank of a sentence; where nothing is said here, a card, a suit or a number, by the look of it."""


def of_the_sources() -> Iterator[Said]:
    """Refusals of the table and of what it asks, news of a table, reasons of the bots and of the rules."""
    for path in sorted((SOURCE / "table").glob("*.py")):
        if path.name not in FOR_THE_OPERATOR:
            for text in refusals_in(path):
                yield text, ""
    for name, functions in (("play/plain.py", ("read_option", "read_options")), ("bots/levels.py", ("level_called",))):
        for text in refusals_in(SOURCE / name, functions):
            yield text, ""
    for text in news_of_a_table():
        yield text, ""
    for path in sorted([*(SOURCE / "bots" / "house").glob("*.py"), *(SOURCE / "rules" / "told").glob("*.py")]):
        game = "trick_paper_scissors" if path.stem == "trick_paper_scissors" else ""
        for function in functions_in(path):
            is_reason = "reason" in function.name or function.name.startswith("why") or (function.name, path.stem) == ("told", "cascade_plays")
            is_reason &= function.name != "why_not_bid"  # has the words of two games, and is heard in every round
            for found in ast.walk(function) if is_reason else ():
                if isinstance(found, ast.Return) and found.value is not None:
                    for text in spelled(found.value, function):
                        yield from ((text, game), *(((f"{text}{margin}.", game) for margin in margins()) if not text.endswith(".") else ()))


@cache
def margins() -> list[str]:
    """How a reason may go on; the rules of thumb alone say no more."""
    [function] = [function for function in functions_in(SOURCE / "bots" / "why.py") if function.name == "margin"]
    returned = [found.value for found in ast.walk(function) if isinstance(found, ast.Return) and found.value is not None]
    return ["", *(text for value in returned for text in spelled(value, function))]


def functions_in(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a file."""
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def refusals_in(path: Path, names: tuple[str, ...] = ()) -> Iterator[str]:
    """The sentences with which something is refused in the functions of a file."""
    for function in functions_in(path):
        for call in ast.walk(function) if not names or function.name in names else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("Refusal", "Refused", "Bye", "wrong"):
                given = {keyword.arg: keyword.value for keyword in call.keywords}
                sentence = given.get("sentence") or (call.args[1] if call.func.id in ("Refusal", "wrong") else call.args[0])
                if ast.unparse(sentence) not in AGAIN - {"sentence"} and ast.unparse(sentence) != "FAILURE":
                    yield from spelled(sentence, function)


def news_of_a_table() -> Iterator[str]:
    """What is said of each kind of fact, to those it is about and to the others; what people say to each other is theirs."""
    tree = ast.parse((SOURCE / "table" / "sending.py").read_text(encoding="utf-8"))
    [told] = [node.value for node in tree.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "TOLD"]
    assert isinstance(told, ast.Dict)
    for kind, say in zip(told.keys, told.values, strict=True):
        assert kind is not None and isinstance(say, ast.Lambda)
        if isinstance(say.body, ast.Call):
            yield from of_players(spelled(say.body.args[3], say))
        elif ast.unparse(kind) != "facts.Said":
            yield from spelled(say.body, say)
    for function in functions_in(SOURCE / "table" / "sending.py"):
        for found in ast.walk(function):
            if isinstance(found, ast.JoinedStr) and "ran out of time" in ast.unparse(found):
                yield from spelled(found, function)


def spelled(node: ast.expr, within: ast.AST) -> list[str]:
    """Every text that an expression can be: each branch of it, something in each blank, and for a name all that it is set to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [*spelled(node.body, within), *spelled(node.orelse, within)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return ["".join(pair) for pair in itertools.product(spelled(node.left, within), spelled(node.right, within))]
    if isinstance(node, ast.JoinedStr):
        return ["".join(parts) for parts in itertools.product(*(spelled(part, within) for part in node.values))]
    if isinstance(node, ast.FormattedValue):
        filled = spelled(node.value, within)
        assert filled, f"say in BLANKS what can stand for {ast.unparse(node.value)}"
        return [repr(text) if node.conversion == ord("r") else text for text in filled]
    source = ast.unparse(node)
    if source in BLANKS:
        return BLANKS[source]
    if isinstance(node, ast.Name):
        values = [found.value for found in ast.walk(within) if isinstance(found, ast.Assign) and ast.unparse(found.targets[0]) == source]
        texts = [value for value in values if isinstance(value, ast.JoinedStr | ast.IfExp) or isinstance(getattr(value, "value", None), str)]
        if texts:
            return [text for value in texts for text in spelled(value, within)]
    if re.match(r"(SUITS\[|suit$)", source):
        return ["rock", "scissors"]
    if re.match(r"(CARDS|FRENCH|names)\[", source):
        return ["S7", "S9"]
    if "(" in source and not re.match(r"(max|min|len|needed|say|chance)", source.lstrip("0123456789* ")):
        return []
    return ["1.5" if ":.1f" in source else "3"]
