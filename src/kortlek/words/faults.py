"""The faults in the layout and the words files of a game, each as a sentence with its line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from kortlek.engine.conformance import line_with
from kortlek.game import Choice, Game, Kind, Names, Owner, fields_of
from kortlek.game.files import text_of
from kortlek.game.registry import PARTS, declared_in, layout_of, metrics_of, part_of
from kortlek.game.layout import Layout
from kortlek.words.sources import ENGLISH, LANGUAGES, file_of, own, packaged, plain
from kortlek.words.words import Words

FORMS = ("fan", "row", "pile", "grid", "trick")
WHERE = ("hand", "seat", "centre", "side")

# ---- layout


def layout_faults(game: Game[Any]) -> list[str]:
    """The faults of a layout: a zone, a counter or a status that names no field, or one that cannot be shown there."""
    layout, fields = layout_of(game), fields_of(game.state)
    module = part_of(game, "layout") if declared_in(game, "layout", Layout) else None
    file = str(module.__file__) if module else ""
    faults = []

    def fault(name: str, sentence: str) -> None:
        line = line_with(file, rf".*[\"']{name}[\"']") if file else 0
        faults.append(f"{Path(file).name or game.name}{f':{line}' if line else ''}: {sentence}")

    verbs = {part.verb for choice in game.choices for part in choice.parts}
    for zone in layout.zones:
        if zone.place not in fields or not fields[zone.place].storage:
            what = "which is no place" if zone.place in fields else f"which is no field of {game.state.__name__}"
            fault(zone.place, f"The layout has a zone for {zone.place!r}, {what}.")
        if zone.form not in FORMS:
            fault(zone.form, f"A zone cannot have the form {zone.form!r}: it is one of {', '.join(FORMS)}.")
        if zone.at not in WHERE:
            fault(zone.at, f"A zone cannot lie at {zone.at!r}: it is one of {', '.join(WHERE)}.")
        if zone.tap and zone.tap not in verbs:
            fault(zone.tap, f"A tap on the zone of {zone.place!r} chooses {zone.tap!r}, but the verbs are {', '.join(sorted(verbs))}.")
    for what, names in (("counter", layout.counters), ("status", layout.status), ("part", tuple((layout.parts or {}).values()))):
        for name in names:
            if name not in fields:
                fault(name, f"The layout has a {what} {name!r}, which is no field of {game.state.__name__}.")
            elif what == "counter" and fields[name].owner is not Owner.SEAT:
                fault(name, f"The layout has a counter {name!r}, but counters stand beside each name, and s.{name} is not per_seat.")
            elif what == "status" and fields[name].owner is not Owner.TABLE:
                fault(name, f"The layout has a status {name!r}, but it is for fields of the whole table, and s.{name} is not one.")
    for name in layout.sizes:
        if name not in fields or not fields[name].storage:
            fault(name, f"The layout tells the sizes of {name!r}, which is no place.")
    return faults


# ---- words


def words_faults(game: Game[Any]) -> list[str]:
    """The faults of the words files: messages that cannot be parsed, that no code uses, that refer to unknown variables, or that one language
    lacks."""
    files = {language: text for language in LANGUAGES if (text := own(game.state.__module__, language))}
    read = {language: entries(text) for language, text in files.items()}
    common = {*messages(plain(game)), *messages(packaged("common", ENGLISH)), *inherited(game)}
    spoken = python_text(game)
    faults = []
    for language, text in files.items():
        name = file_of(game.state.__module__, language).name
        for line, sentence in syntax_faults(text):
            faults.append(f"{name}:{line}: {sentence}")
        used = references(read[language])
        for id, (line, message) in read[language].items():
            if id.startswith("-"):
                continue
            if id not in common and not is_asked_for(game, id) and not is_named(id, spoken) and id not in used:
                faults.append(f"{name}:{line}: Nothing asks for the message {id!r}.")
            known = arguments_of(game, id)
            for variable in sorted(variables(message) - known) if known is not None else ():
                told = ", ".join(f"${each}" for each in sorted(known or ())) or "nothing"
                faults.append(f"{name}:{line}: {id} uses ${variable}, but it gets only {told}.")
            if (needed := needed_by(game, id)) and needed not in variables(message):
                faults.append(f"{name}:{line}: {id} does not say ${needed}, so its choices cannot be told apart.")
        for other in files:
            missing = [id for id in read[other] if id not in read[language] and id not in common and not id.startswith("-")]
            own_ids = [id for id in missing if not is_asked_for(game, id)]
            for id in own_ids[:1]:
                faults.append(f"{name} lacks the message {id!r}, which {file_of(game.state.__module__, other).name} has.")
    return faults


def entries(text: str) -> dict[str, tuple[int, ast.Message | ast.Term]]:
    """The messages and terms of a words file by id, with their lines; terms begin with a dash."""
    found: dict[str, tuple[int, ast.Message | ast.Term]] = {}
    for entry in FluentParser().parse(text).body:
        if isinstance(entry, ast.Message | ast.Term):
            dash = "-" if isinstance(entry, ast.Term) else ""
            found[dash + entry.id.name] = text.count("\n", 0, entry.id.span.start if entry.id.span else 0) + 1, entry
    return found


def messages(text: str) -> set[str]:
    """The ids of the messages of a words file."""
    return set(entries(text))


def syntax_faults(text: str) -> Iterator[tuple[int, str]]:
    """The syntax errors of a words file, each with its line."""
    for entry in FluentParser().parse(text).body:
        if isinstance(entry, ast.Junk) and entry.annotations:
            note = entry.annotations[0]
            yield text.count("\n", 0, note.span.start if note.span else 0) + 1, f"This cannot be read as Fluent: {note.message}."


class Collector(Visitor):
    """Collects the variables and the references of messages."""

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.references: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        """Collect a variable."""
        self.variables.add(node.id.name)

    def visit_MessageReference(self, node: ast.MessageReference) -> None:
        """Collect a reference to another message."""
        self.references.add(node.id.name)


def variables(message: ast.Message | ast.Term) -> set[str]:
    """The variables of a message."""
    collector = Collector()
    collector.visit(message)
    return collector.variables


def references(found: dict[str, tuple[int, ast.Message | ast.Term]]) -> set[str]:
    """The ids of the messages that other messages refer to."""
    collector = Collector()
    for _, message in found.values():
        collector.visit(message)
    return collector.references


def inherited(game: Game[Any]) -> set[str]:
    """The ids of the messages of the base classes of a game's state."""
    modules = {each.__module__ for each in game.state.__mro__ if each.__module__ in sys.modules} - {game.state.__module__}
    return {id for module in modules for id in messages(own(module, ENGLISH))}


def is_named(id: str, source: str) -> bool:
    """Whether source code contains the id of a message, whole or only its beginning: ``f"reason-{why}"``."""
    beginnings = [id[: at + 1] for at, letter in enumerate(id) if letter == "-"]
    spellings = [f"{quote}{id}{quote}" for quote in "\"'"] + [f"{quote}{each}{end}" for quote in "\"'" for each in beginnings for end in (quote, "{")]
    return any(each in source for each in spellings)


def python_text(game: Game[Any]) -> str:
    """The source of a game and of what it imports from other games, in which ids of messages are named."""
    rules = sys.modules[game.state.__module__]
    modules = [rules, *(part for name in PARTS if (part := part_of(game, name)))]
    shared = {name for module in modules for each in vars(module).values() if "games" in (name := getattr(each, "__module__", None) or "").split(".")}
    files = {str(module.__file__) for module in (*modules, *(sys.modules[name] for name in shared if name in sys.modules))}
    beside = Path(str(rules.__file__)).parent.glob("*.py") if Path(str(rules.__file__)).name == "rules.py" else ()
    return "\n".join(text_of(file) or "" for file in sorted({*files, *map(str, beside)}))


# ---- which messages are used, and their arguments

WHO = {"who", "you", "whose"}
ARGUMENT = {
    Kind.NONE: "",
    Kind.CARD: "card",
    Kind.HELD: "card",
    Kind.SEAT: "whom",
    Kind.SUIT: "suit",
    Kind.RANK: "rank",
    Kind.AMOUNT: "count",
    Kind.NAME: "name",
    Kind.PILE: "pile",
}


def parts_with(game: Game[Any], verb: str) -> list[Kind]:
    """The kinds of argument of a verb."""
    return [part.of.kind for choice in game.choices for part in choice.parts if part.verb == verb]


def is_asked_for(game: Game[Any], id: str) -> bool:
    """Whether the code for every game uses a message with this id."""
    kind, _, rest = id.partition("-")
    fields, verbs = fields_of(game.state), {part.verb for choice in game.choices for part in choice.parts}
    if kind == "option":
        return any(rest == name or rest.startswith(f"{name}-") for name in game.options)
    keywords = {name for choice in game.choices for part in choice.parts for name in part.of.names} | verbs
    known: dict[str, set[str]] = {
        "ask": {choice.name for choice in game.choices},
        "choice": verbs,
        "event": {*verbs, *acts(game.choices), *(name for name, field in fields.items() if field.event)},
        "place": {name for name, field in fields.items() if field.storage},
        "field": set(fields),
        "card": {*game.pack.names, ""},
        "name": keywords,
        "metric": set(metrics_of(game).names) if kind == "metric" else set(),
        "variant": {str(players) for players in game.players},
        "suit": {rest if rest.lstrip("-").isdigit() else ""},
        "rank": {rest if rest.lstrip("-").isdigit() else ""},
        "bot": {rest},
        "level": {rest},
    }
    return rest in known.get(kind, set())


def acts(choices: tuple[Choice, ...]) -> set[str]:
    """The names of the acts that choices continue."""
    return {choice.act for choice in choices if choice.act}


def arguments_of(game: Game[Any], id: str) -> set[str] | None:
    """The arguments that a message receives; None if they depend on its caller."""
    kind, _, rest = id.partition("-")
    fields = fields_of(game.state)
    if kind == "choice" and parts_with(game, rest):
        return {ARGUMENT[each] for each in parts_with(game, rest)} - {""}
    if kind in ("ask", "field", "title", "about", "option") and is_asked_for(game, id):
        return set()
    if kind == "event" and (kinds := parts_with(game, rest)) and rest not in acts(game.choices) and not (rest in fields and fields[rest].event):
        return WHO | {"cards", "count", "name", "them"} | {ARGUMENT[each] for each in kinds} - {""}
    if id == "sheet-cell":
        return {*game.sheet.cells} or {"points"}
    return None


def needed_by(game: Game[Any], id: str) -> str:
    """The argument that a message has to use; empty if there is none."""
    kind, _, rest = id.partition("-")
    kinds = {ARGUMENT[each] for each in parts_with(game, rest)} if kind == "choice" else set()
    return kinds.pop() if len(kinds) == 1 else ""


# ---- faults found during a match


class Listener:
    """The words of a game in every language that it has, with a list of missing messages and missing arguments."""

    def __init__(self, game: Game[Any]) -> None:
        self.languages = [Listened(game, each) for each in LANGUAGES if each == ENGLISH or own(game.state.__module__, each)]

    def names(self, players: int) -> Names:
        """The names of the players."""
        return tuple(f"Player {seat + 1}" for seat in range(players))

    @property
    def faults(self) -> list[str]:
        """The faults found so far."""
        return [fault for words in self.languages for fault in words.faults.values()]


class Listened(Words):
    """Words that collect the faults of the messages that are formatted."""

    def __init__(self, game: Game[Any], language: str) -> None:
        super().__init__(game, language)
        self.faults: dict[str, str] = {}

    def text(self, id: str, attribute: str = "", /, **args: Any) -> str:
        """Format a message and note its fault, if any."""
        if id not in self.faults and (sentence := self._fault(id, attribute, args)):
            self.faults[id] = sentence
        return super().text(id, attribute, **args)

    def _fault(self, id: str, attribute: str, args: dict[str, Any]) -> str:
        file = file_of(self.game.state.__module__, self.language)
        if not self.has(id):
            return f"{file.name}: There is no message {id!r}, which the game asks for."
        message = self._bundle.get_message(id)
        pattern = message.attributes.get(attribute) if attribute else message.value
        wrong = self._bundle.format_pattern(pattern, args)[1] if pattern else []
        if not wrong:
            return ""
        line, _ = entries(own(self.game.state.__module__, self.language)).get(id, (0, None))
        given = ", ".join(f"${each}" for each in sorted(args)) or "nothing"
        return f"{file.name}{f':{line}' if line else ''}: {id}: {str(wrong[0]).rstrip('.')}; it gets {given}."
