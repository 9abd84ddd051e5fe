"""The cache of machine code: how compiled functions are linked, named, and stored for the next process.

Only this module and ``compiled/__init__.py`` import Numba.
"""

from __future__ import annotations

import hashlib
import os
import types
from collections.abc import Sequence
from contextlib import suppress
from pickle import UnpicklingError
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.environment import lookup_environment
from numba.core.funcdesc import default_mangler
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

# ---- linking

ENVIRONMENT = "_ZN08NumbaEnv"
"""The prefix of Numba's variables for the Python objects that compiled functions need."""


class Library(JITCodeLibrary):  # type: ignore[misc]
    """A library of functions that are compiled together. It becomes machine code when the address of one of its functions is requested, which happens
    to loops only.

    Numba would optimise every library and compile it to machine code at once, including rules, which are only parts of loops and are optimised again
    with each loop."""

    made = False

    def _optimize_final_module(self) -> None:
        """Deferred to ``make``."""

    def _finalize_final_module(self) -> None:
        if self._object_caching_enabled and not self._compiled_object and not has_runtime_links(self):
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            self.make()

    def make(self) -> None:
        """Make machine code, or load it from the cache, and connect all parts to their Python objects."""
        self.made = True
        super()._optimize_final_module()
        super()._finalize_final_module()
        for name in [each.name for each in self._final_module.global_variables if each.name.startswith(ENVIRONMENT)]:
            self._codegen.set_env(name, lookup_environment(name))

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function; 0 if there is none of that name."""
        self._ensure_finalized()
        if not self.made and any(each.name == name for each in self.get_defined_functions()):
            self.make()
        return int(super().get_pointer_to_function(name))

    def serialize_using_object_code(self) -> Any:
        """The content of the cache file: object code if it was made, otherwise bitcode."""
        return super().serialize_using_object_code() if self.made else self.serialize_using_bitcode()


def set_environment(name: str, environment: Any) -> None:
    """Set the Python objects of a function if its machine code exists. A part of a loop gets them when the loop becomes machine code."""
    if CODEGEN._engine.is_symbol_defined(name) and environment is not None:
        type(CODEGEN).set_env(CODEGEN, name, environment)


CODEGEN = cpu_target.target_context.codegen()
CODEGEN._library_class, CODEGEN.set_env = Library, set_environment


def has_runtime_links(library: Any) -> bool:
    """Whether functions of a library call each other recursively: Numba links these in memory, which a cache file cannot restore."""
    return any(each.name.startswith(RuntimeLinker.PREFIX) for each in library._final_module.global_variables)


# ---- names


def essence(thing: Any, *within: Any) -> Any:
    """The content that distinguishes a function from all others made from the same source; the same in every process."""
    if any(thing is each for each in within):
        return "itself"
    if isinstance(thing, types.FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        given = [cells, thing.__defaults__, *(thing.__kwdefaults__ or {}).items()]
        return thing.__module__, essence(thing.__code__), essence(given, thing, *within)
    if isinstance(thing, types.CodeType):
        return thing.co_qualname, thing.co_firstlineno, thing.co_code, thing.co_names, [essence(each) for each in thing.co_consts]
    if isinstance(thing, list | tuple):
        return [essence(each, *within) for each in thing]
    if isinstance(thing, set | frozenset):
        return sorted(repr(essence(each, *within)) for each in thing)
    return thing if thing is None or isinstance(thing, int | float | str) else dumps(thing)


def symbol(name: str, arguments: Sequence[Any], *, abi_tags: tuple[str, ...] = (), uid: int | None = None) -> str:
    """The symbol of a function for these types of arguments, with their complete layout: Numba names a record type by the order of its creation, and
    a list without its length."""
    layout = hashlib.sha256(repr(tuple(arguments)).encode()).hexdigest()[:16]
    return str(default_mangler(name, arguments, abi_tags=(*abi_tags, layout), uid=uid))


cpu_target.target_context.mangler = symbol

# ---- files


class CodeCache(FunctionCache):  # type: ignore[misc]
    """The cache of a compiled function: one file for each signature, named by a hash of everything that the code is made from.

    Numba's own cache checks only the file of the outermost function, so an edited rule would leave stale code; and it keeps one index for all
    signatures of a loop, which processes that compile concurrently overwrite. The least recently used files are deleted when the cache is too
    large."""

    def __init__(self, function: types.FunctionType, name: str) -> None:
        super().__init__(function)
        self.name = name

    def _load_overload(self, signature: Any, context: Any) -> Any:
        file = self.file_for(signature, context.codegen())
        with suppress(OSError):
            os.utime(os.path.join(self.cache_path, file))
        try:
            return self._impl.rebuild(context, self._cache_file._load_data(file))
        except CACHE_ERRORS:
            return None

    def _save_overload(self, signature: Any, result: Any) -> None:
        if self._impl.check_cachable(result) and not has_runtime_links(result.library):
            self._impl.locator.ensure_cache_path()
            self._cache_file._save_data(self.file_for(signature, result.codegen), self._impl.reduce(result))
            evict(self.cache_path)

    def file_for(self, signature: Any, codegen: Any) -> str:
        """The file for a signature and a processor. The rest of Numba's key is left out: it depends on whether Python has read the source or its own
        cache."""
        key = repr((self.name, signature, codegen.magic_tuple()))
        return f"{self._impl.filename_base}.{hashlib.sha256(key.encode()).hexdigest()[:32]}.nbc"


MAX_CACHE_BYTES = 200_000_000
"""The largest size of a cache folder in bytes: several times what all games need."""


def evict(folder: str) -> None:
    """Delete the least recently used files if the cache is too large: every edit of a game leaves unused code behind."""
    with suppress(FileNotFoundError), os.scandir(folder) as entries:  # another process may just have deleted one of them
        files = [(each.stat().st_mtime, each.stat().st_size, each.path) for each in entries if each.name.endswith(".nbc")]
        kept = 0
        for _, size, path in sorted(files, reverse=True):
            kept += size
            if kept > MAX_CACHE_BYTES:
                os.unlink(path)


CACHE_ERRORS = FileNotFoundError, AttributeError, ImportError, EOFError, UnpicklingError
"""The errors from a cache file that is missing, was written by an older version with other names, or is truncated."""


def keep(compiled: Any, origin: str) -> None:
    """Cache compiled code under a hash of its origin and its compiler options. The hash is also part of the symbol: Numba distinguishes functions of
    the same name by the order of their creation, which differs between processes, so functions from two processes could have the same symbol and be
    confused in a third."""
    name = hashlib.sha256(repr((origin, sorted(compiled.targetoptions.items()))).encode()).hexdigest()[:32]
    with suppress(RuntimeError):  # there is no cache folder if the file of the rules does not exist on this computer
        compiled._cache = CodeCache(compiled.py_func, name)
    compiled.py_func.__qualname__ += f"_{name}"
