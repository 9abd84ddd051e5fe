"""The source of a game outside the package, a file or a folder, as it was read; and its modules, imported from the text that was read."""

from __future__ import annotations

import hashlib
import importlib.abc
import importlib.machinery
import linecache
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import decode_source, spec_from_loader
from pathlib import Path, PurePosixPath
from types import ModuleType

from kortlek.engine.plain import Refused
from kortlek.game import files
from kortlek.game.registry import PARTS

RULES = "rules.py"
TEXT = {".py", ".ftl", ".md", ".csv", ".txt", ".json", ".toml"}
"""The files of a folder that belong to the game, by their endings."""
LARGEST = 5_000_000
"""How many characters all files of a game may have together: they are sent to every process that plays it."""


@dataclass(frozen=True)
class Source:
    """A file or folder as it was read, and what was typed to name it. ``files`` are the texts by their paths within the folder; of a game in one
    file, that file and those beside it whose names begin alike. ``data`` are other files that the game read while it was imported."""

    path: str
    is_folder: bool
    files: tuple[tuple[str, str], ...]
    typed: str
    data: tuple[tuple[str, str], ...] = ()

    @cached_property
    def module(self) -> str:
        """The name of its module or package: the same in every process, so that what was compiled is found again; another when it was edited."""
        return f"own_{re.sub(r'[^a-z0-9]', '_', Path(self.path).stem.lower())}_{digest_of(self.files)}"

    @property
    def rules(self) -> str:
        """The module with the rules."""
        return f"{self.module}.rules" if self.is_folder else self.module

    @cached_property
    def digest(self) -> str:
        """Two games whose texts differ have different ones."""
        return digest_of(self.files + self.data)

    @cached_property
    def rules_digest(self) -> str:
        """The same for as long as the same choices lead to the same states: the texts without bots, metrics, layout, words and pages."""
        apart = {f"{part}.py" for part in PARTS}
        return digest_of([(name, text) for name, text in self.files if name.endswith((".py", ".csv")) and name not in apart] + list(self.data))

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return Path(self.path) if self.is_folder else Path(self.path).parent

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return Path(self.path).name

    @cached_property
    def texts(self) -> dict[str, str]:
        """All texts by their absolute paths."""
        return {**{str(self.folder / name): text for name, text in self.files}, **dict(self.data)}

    def file_of(self, module: str) -> tuple[str, bool] | None:
        """The path within the folder of one of its modules, and whether it is a package; None if it has no such module."""
        names, inside = dict(self.files), module.partition(".")[2].replace(".", "/")
        if not self.is_folder:
            return None if inside else (Path(self.path).name, False)
        if f"{inside}.py" in names:
            return f"{inside}.py", False
        prefix = f"{inside}/" if inside else ""
        return (f"{prefix}__init__.py", True) if any(name.startswith(prefix) and name.endswith(".py") for name in names) else None


def digest_of(files: Sequence[tuple[str, str]]) -> str:
    """A short name for some texts."""
    return hashlib.sha256(repr(tuple(files)).encode()).hexdigest()[:16]


# ---- reading


def path_of(typed: str) -> Path:
    """The file or folder that somebody means: the rules of a folder stand for the folder."""
    path = Path(typed).resolve()
    return path.parent if path.name == RULES else path


def read(typed: str) -> Source:
    """A file or folder, read; Refused with a sentence if it cannot be a game."""
    path = path_of(typed)
    if path.is_dir():
        if not (path / RULES).is_file():
            raise Refused(f"{typed} has no {RULES}: a folder with a game in it has its rules there; see docs/your-own-game.md.")
        return Source(str(path), True, read_files(path, files_in(path)), typed)
    if not path.is_file():
        raise Refused(
            f"There is no file {typed}. A game of your own is a Python file or a folder; kortlek new writes one, see docs/your-own-game.md."
        )
    beside = [each for each in path.parent.glob(f"{path.stem}.*") if each.suffix in TEXT - {".py"} and each.is_file()]
    return Source(str(path), False, read_files(path.parent, [path, *beside]), typed)


def files_in(folder: Path) -> list[Path]:
    """The files of a folder that belong to the game: texts, but none that are hidden or tests."""
    found = [each for each in folder.rglob("*") if each.suffix in TEXT and each.is_file()]
    inside = [(each, each.relative_to(folder)) for each in found]
    return [
        each for each, at in inside if not at.name.startswith("test_") and not any(part[0] in "._" and part != "__init__.py" for part in at.parts)
    ]


def read_files(folder: Path, paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Files with their paths within the folder, sorted."""
    texts = {path.relative_to(folder).as_posix(): read_file(path) for path in paths}
    if sum(map(len, texts.values())) > LARGEST:
        raise Refused(f"{folder.name} is too large: the texts of a game have at most {LARGEST:,} characters together.")
    return tuple(sorted(texts.items()))


def read_file(path: Path) -> str:
    """The text of a file."""
    try:
        return decode_source(path.read_bytes()) if path.suffix == ".py" else path.read_bytes().decode("utf-8-sig")
    except (SyntaxError, UnicodeDecodeError) as error:
        kind = "a Python file" if path.suffix == ".py" else "a text"
        raise Refused(f"{path.name} is not {kind}: it is not written in UTF-8.") from error


# ---- importing


class Importer(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the modules of games of somebody's own in the texts that were read."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """Where a module comes from, if it is one of these."""
        source = self.sources.get(fullname.partition(".")[0])
        found = source.file_of(fullname) if source else None
        if source is None or found is None:
            return None
        file, is_package = found
        spec = spec_from_loader(fullname, self, origin=str(source.folder / PurePosixPath(file)), is_package=is_package)
        if spec:
            spec.has_location = True
        return spec

    def get_source(self, fullname: str) -> str:
        """The text of a module; nothing of a folder that is a package without saying so."""
        source = self.sources[fullname.partition(".")[0]]
        found = source.file_of(fullname)
        return dict(source.files).get(found[0], "") if found else ""

    def exec_module(self, module: ModuleType) -> None:
        """Run the text that was read."""
        text, path = self.get_source(module.__name__), str(module.__file__)
        linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path  # compiled code is found again by this text, not by the file's
        exec(compile(text, path, "exec", dont_inherit=True), vars(module))


IMPORTER = Importer()
sys.meta_path.append(IMPORTER)


def known(source: Source) -> None:
    """Let the modules and files of a source be found."""
    IMPORTER.sources[source.module] = source
    files.keep(source.texts)


def unknown(source: Source) -> None:
    """Let them not be found any more."""
    IMPORTER.sources.pop(source.module, None)
    files.forget(iter(source.texts))
    for name in [name for name in sys.modules if name.partition(".")[0] == source.module]:
        del sys.modules[name]
