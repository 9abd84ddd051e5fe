"""Machine code: how it is put together from its parts, what it is called, and how it is kept for the next process.

Only this module and ``compiled.py`` import Numba.
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

# ---- what is made

ENVIRONMENT = "_ZN08NumbaEnv"
"""How Numba calls the variables in which compiled functions find what Python objects they need."""


class Library(JITCodeLibrary):  # type: ignore[misc]
    """Functions that are compiled together. They become machine code when somebody asks where one of them is, which happens to loops only.

    Numba would optimise everything at once and make machine code of it, also of rules, which are only ever parts of loops and are optimised again
    with each of them."""

    made = False

    def _optimize_final_module(self) -> None:
        """Later, in ``make``."""

    def _finalize_final_module(self) -> None:
        if self._object_caching_enabled and not self._compiled_object and not calls_what_is_not_yet_compiled(self):
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            self.make()

    def make(self) -> None:
        """Make machine code, or take what was kept, and let all parts find their Python objects."""
        self.made = True
        super()._optimize_final_module()
        super()._finalize_final_module()
        for name in [each.name for each in self._final_module.global_variables if each.name.startswith(ENVIRONMENT)]:
            self._codegen.set_env(name, lookup_environment(name))

    def get_pointer_to_function(self, name: str) -> int:
        """Where a function is; 0 if there is none of that name."""
        self._ensure_finalized()
        if not self.made and any(each.name == name for each in self.get_defined_functions()):
            self.make()
        return int(super().get_pointer_to_function(name))

    def serialize_using_object_code(self) -> Any:
        """What is kept in a file."""
        return super().serialize_using_object_code() if self.made else self.serialize_using_bitcode()


def set_environment(name: str, environment: Any) -> None:
    """A part has its Python objects when it is machine code: with the loop that it is a part of."""
    if CODEGEN._engine.is_symbol_defined(name) and environment is not None:
        type(CODEGEN).set_env(CODEGEN, name, environment)


CODEGEN = cpu_target.target_context.codegen()
CODEGEN._library_class, CODEGEN.set_env = Library, set_environment


def calls_what_is_not_yet_compiled(library: Any) -> bool:
    """Functions that call each other in a circle are put together in memory, where a file would not find them again."""
    return any(each.name.startswith(RuntimeLinker.PREFIX) for each in library._final_module.global_variables)


# ---- what it is called


def essence(thing: Any, *within: Any) -> Any:
    """What tells a function from all others that are made from the same source, in every process the same."""
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
    """What a function is called for these types of arguments. Numba calls a record by the order in which it came, and a list
    without its length."""
    layout = hashlib.sha256(repr(tuple(arguments)).encode()).hexdigest()[:16]
    return str(default_mangler(name, arguments, abi_tags=(*abi_tags, layout), uid=uid))


cpu_target.target_context.mangler = symbol

# ---- where it is kept


class Kept(FunctionCache):  # type: ignore[misc]
    """Where compiled code is kept: in a file of its own, named by all that it is made from.

    Numba's cache looks only at the file of the outermost function, so that an edited rule would be stale; and it lists everything that one
    loop was compiled for in one index, which processes that compile side by side write over each other. Here what was not used for longest goes
    when there is too much."""

    def __init__(self, function: types.FunctionType, name: str) -> None:
        super().__init__(function)
        self.name = name

    def _load_overload(self, signature: Any, context: Any) -> Any:
        file = self.file_for(signature, context.codegen())
        with suppress(OSError):
            os.utime(os.path.join(self.cache_path, file))
        try:
            return self._impl.rebuild(context, self._cache_file._load_data(file))
        except UNREADABLE:
            return None

    def _save_overload(self, signature: Any, result: Any) -> None:
        if self._impl.check_cachable(result) and not calls_what_is_not_yet_compiled(result.library):
            self._impl.locator.ensure_cache_path()
            self._cache_file._save_data(self.file_for(signature, result.codegen), self._impl.reduce(result))
            make_room(self.cache_path)

    def file_for(self, signature: Any, codegen: Any) -> str:
        """The file for a signature and a processor. The rest of Numba's key depends on whether Python has read the source or its own cache."""
        key = repr((self.name, signature, codegen.magic_tuple()))
        return f"{self._impl.filename_base}.{hashlib.sha256(key.encode()).hexdigest()[:32]}.nbc"


KEPT_AT_MOST = 200_000_000
"""How many bytes of compiled code a folder may have: several times what all games need."""


def make_room(folder: str) -> None:
    """Forget what was not used for longest, if there is too much: every edit of a game leaves code behind that nobody will ask for."""
    with suppress(FileNotFoundError), os.scandir(folder) as entries:  # another process may just have forgotten one of them
        files = [(each.stat().st_mtime, each.stat().st_size, each.path) for each in entries if each.name.endswith(".nbc")]
        kept = 0
        for _, size, path in sorted(files, reverse=True):
            kept += size
            if kept > KEPT_AT_MOST:
                os.unlink(path)


UNREADABLE = FileNotFoundError, AttributeError, ImportError, EOFError, UnpicklingError
"""What comes of a file that is not there, was left by an older version, in which something had another name, or was cut off."""


def keep(compiled: Any, origin: str) -> None:
    """Let compiled code be kept, by what it is made from and how. Where it is linked with other code it is also called by that: Numba tells functions
    of the same name apart by the order in which they came, and that is another in every process. What two of them call by one name would be mixed
    up in a third."""
    name = hashlib.sha256(repr((origin, sorted(compiled.targetoptions.items()))).encode()).hexdigest()[:32]
    with suppress(RuntimeError):  # there is nowhere to keep it if the file of the rules is gone, or on another computer
        compiled._cache = Kept(compiled.py_func, name)
    compiled.py_func.__qualname__ += f"_{name}"
