"""``kortlek new``: write a working custom game from a template."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kortlek.bots import own_games
from kortlek.engine.plain import Refused
from kortlek.game.registry import GAMES

WIDTH = 150


def new(
    name: Annotated[str, Parameter(help="What the game is called: the folder that is written, such as mygame.")],
    /,
    *,
    file: Annotated[bool, Parameter(show_default=False, help="Write one file instead of a folder.")] = False,
) -> None:
    """Write a small working game: rules, words, layout, bots and a test, in a folder or in one file. Existing files are not overwritten."""
    path = Path(name.removesuffix(".py"))
    called = name_of(path.name)
    path = path.with_name(f"{path.name}.py") if file else path
    test = path.with_name(f"test_{called}.py") if file else path / f"test_{called}.py"
    for each in (path, *([test] if file else [])):
        if each.exists():
            raise Refused(f"There is {each} already: name another, or take it away.")
    written = one_file(called) if file else folder(called)
    for part, text in {
        **{path if file else path / part: text for part, text in written.items()},
        test: test_of(called, path if file else None),
    }.items():
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
    typed = f"./{path}" if not path.is_absolute() else str(path)
    own_games.load(typed)
    what = f"{path} and {test.name}" if file else f"{path}/: {', '.join([*written, test.name])}"
    print(f"{what}. It is a game that runs: change it.")
    for command, why in NEXT:
        print(f"  {f'kortlek {command} {typed}':<{len(typed) + 24}}{why}")


NEXT = (
    ("play", "play it against bots"),
    ("check", "find what is wrong with it"),
    ("lab", "is it fair?"),
    ("serve --game", "play it with friends, in the browser"),
)
"""Commands to try next, with their purpose."""


def name_of(text: str) -> str:
    """The name of the game as an identifier. Raises Refused if it is not possible or already taken."""
    name = text.lower().replace("-", "_").replace(" ", "_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise Refused(f"A game cannot be called {text!r}: its name has letters, digits and underscores, such as mygame.")
    if name in GAMES:
        raise Refused(f"There is a game {name!r} already. Give yours another name.")
    return name


# ---- the files


def template(part: str, name: str, **more: str) -> str:
    """A template file with its placeholders filled in."""
    text = (resources.files("kortlek") / "cli" / "template" / part).read_text(encoding="utf-8")
    words = name.split("_")
    filled = {
        "name": name,
        "title": " ".join(words).capitalize(),
        "Class": "".join(word.capitalize() for word in words),
        "CONSTANT": name.upper(),
        **more,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], text)


def folder(name: str) -> dict[str, str]:
    """The files of a game in a folder, by name."""
    return {part: template(f"{part}.txt" if part.endswith(".py") else part, name) for part in ("rules.py", "words.en.ftl", "layout.py", "bots.py")}


def test_of(name: str, file: Path | None) -> str:
    """The source of the game's test."""
    return template("test_rules.py.txt", name, where=f'str(Path(__file__).with_name("{file.name}"))' if file else "str(Path(__file__).parent)")


def one_file(name: str) -> dict[str, str]:
    """The game in one file: the merged imports of all parts, then rules, layout, bots and words."""
    parts = folder(name)
    words = parts.pop("words.en.ftl")
    imports: dict[str, set[str]] = {}
    bodies = []
    for part in parts.values():
        docstring, _, rest = part.partition("\n\n")
        for module, names in re.findall(r"^from (kortlek[\w.]*) import (.+)$", rest, re.M):
            imports.setdefault(module, set()).update(names.split(", "))
        bodies.append((docstring, re.sub(r"^from .+\n", "", rest, flags=re.M).strip()))
    lines = [line for module in sorted(imports) for line in import_lines(module, sorted(imports[module], key=in_order))]
    said = f'WORDS = {{\n    "en": """\n{words}"""\n}}'
    return {f"{name}.py": "\n\n\n".join(["\n".join([bodies[0][0], "", *lines, "", bodies[0][1]]), *(body for _, body in bodies[1:]), said]) + "\n"}


def in_order(name: str) -> tuple[int, str]:
    """Sort key of names in an import: constants, then classes, then the rest."""
    return 0 if name.isupper() else 1 if name[0].isupper() else 2, name


def import_lines(module: str, names: list[str]) -> list[str]:
    """The import statements of a module, each within the line width."""
    lines = [f"from {module} import {names[0]}"]
    for name in names[1:]:
        longer = f"{lines[-1]}, {name}"
        lines = [*lines[:-1], longer] if len(longer) <= WIDTH else [*lines, f"from {module} import {name}"]
    return lines
