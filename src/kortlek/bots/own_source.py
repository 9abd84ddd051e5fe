"""The source of a game outside the package, a file or a folder, as it was read; and an importer that runs the text that was read."""

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
"""The suffixes of the files in a folder that belong to the game."""
LARGEST = 5_000_000
"""The maximum total size of a game's files, in characters: they are sent to every process that plays the game."""


@dataclass(frozen=True)
class Source:
    """The contents of a file or folder when it was read, and what the user typed for it. ``files`` are the texts by their paths within the folder;
    for a game in a single file, that file and those beside it with the same stem. ``data`` are other files that the game read during its import."""

    path: str
    is_folder: bool
    files: tuple[tuple[str, str], ...]
    typed: str
    data: tuple[tuple[str, str], ...] = ()

    @cached_property
    def module(self) -> str:
        """The name of the module or package. It contains a digest of the text: the same in every process, so that compiled code is found in the
        cache, and a new one after an edit."""
        return f"own_{re.sub(r'[^a-z0-9]', '_', Path(self.path).stem.lower())}_{digest_of(self.files)}"

    @property
    def rules(self) -> str:
        """The name of the module with the rules."""
        return f"{self.module}.rules" if self.is_folder else self.module

    @cached_property
    def digest(self) -> str:
        """A digest of all texts."""
        return digest_of(self.files + self.data)

    @cached_property
    def rules_digest(self) -> str:
        """A digest of the texts that define the rules, without bots, metrics, layout, words and pages: it changes only if the same choices could
        lead to other states."""
        apart = {f"{part}.py" for part in PARTS}
        return digest_of([(name, text) for name, text in self.files if name.endswith((".py", ".csv")) and name not in apart] + list(self.data))

    @property
    def folder(self) -> Path:
        """The folder that contains the files."""
        return Path(self.path) if self.is_folder else Path(self.path).parent

    @property
    def name(self) -> str:
        """The name of the file or folder for messages."""
        return Path(self.path).name

    @cached_property
    def texts(self) -> dict[str, str]:
        """All texts by absolute path."""
        return {**{str(self.folder / name): text for name, text in self.files}, **dict(self.data)}

    def file_of(self, module: str) -> tuple[str, bool] | None:
        """The path of a module within the folder, and whether it is a package; None if there is no such module."""
        names, inside = dict(self.files), module.partition(".")[2].replace(".", "/")
        if not self.is_folder:
            return None if inside else (Path(self.path).name, False)
        if f"{inside}.py" in names:
            return f"{inside}.py", False
        prefix = f"{inside}/" if inside else ""
        return (f"{prefix}__init__.py", True) if any(name.startswith(prefix) and name.endswith(".py") for name in names) else None


def digest_of(files: Sequence[tuple[str, str]]) -> str:
    """A short digest of some texts."""
    return hashlib.sha256(repr(tuple(files)).encode()).hexdigest()[:16]


# ---- reading


def path_of(typed: str) -> Path:
    """The path of a game; the rules file of a folder stands for the folder."""
    path = Path(typed).resolve()
    return path.parent if path.name == RULES else path


def read(typed: str) -> Source:
    """Read a file or folder. Raises Refused with a sentence if it cannot be a game."""
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
    """The files of a folder that belong to the game: texts that are neither hidden nor tests."""
    found = [each for each in folder.rglob("*") if each.suffix in TEXT and each.is_file()]
    inside = [(each, each.relative_to(folder)) for each in found]
    return [
        each for each, at in inside if not at.name.startswith("test_") and not any(part[0] in "._" and part != "__init__.py" for part in at.parts)
    ]


def read_files(folder: Path, paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """The texts of files by their paths within the folder, sorted."""
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
    """An importer for the modules of registered sources, from the texts that were read."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module, if it belongs to a registered source."""
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
        """The text of a module; empty for a package without an ``__init__.py``."""
        source = self.sources[fullname.partition(".")[0]]
        found = source.file_of(fullname)
        return dict(source.files).get(found[0], "") if found else ""

    def exec_module(self, module: ModuleType) -> None:
        """Execute the text that was read."""
        text, path = self.get_source(module.__name__), str(module.__file__)
        linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path  # the cache of compiled code compares this text, not the file's
        exec(compile(text, path, "exec", dont_inherit=True), vars(module))


IMPORTER = Importer()
sys.meta_path.append(IMPORTER)


def add_source(source: Source) -> None:
    """Make the modules and files of a source importable and readable."""
    IMPORTER.sources[source.module] = source
    files.keep(source.texts)


def remove_source(source: Source) -> None:
    """Remove the modules and files of a source."""
    IMPORTER.sources.pop(source.module, None)
    files.forget(iter(source.texts))
    for name in [name for name in sys.modules if name.partition(".")[0] == source.module]:
        del sys.modules[name]
