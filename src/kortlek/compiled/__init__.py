"""The compiled engine: run the same rules through Numba. Only this module and ``numba_cache.py`` import Numba.

A state becomes a NumPy record with the same field names, long arrays in integers as small as their declared ranges allow. The rule functions stay
plain Python: compiled callers use a clone of each function whose constant tables are arrays, compiled once and cached. No rule is written twice; a
few primitives on sets of cards use machine instructions.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from threading import Lock
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import types as nt
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning
from numba.core.registry import cpu_target
from numba.core.types.misc import unliteral
from numba.extending import intrinsic, overload

from kortlek import cards
from kortlek.compiled import numba_cache
from kortlek.compiled.numba_cache import essence, keep
from kortlek.engine import loops, memory, plain, redeal_plan
from kortlek.engine.loops import CannotCompile
from kortlek.engine.redeal import Guess
from kortlek.game import Game, State, fields_of, metrics
from kortlek.game.game import LARGEST_PACK

# Where games share a function, Numba compares their records and warns if one of them only has more fields. It still compiles the function for each.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

# ---- states as records


_DTYPES: dict[type[Any], np.dtype[Any]] = {}


def dtype(kind: type[Any]) -> np.dtype[Any]:
    """The record type of a state: the same fields, those of long arrays as small as their ranges allow."""
    if kind not in _DTYPES:
        fields, offsets = fields_of(kind), memory.field_offsets(kind)
        formats = [(f"i{memory.widths_of(kind)[name]}", fields[name].shape) for name in offsets]
        size = memory.record_size(kind)
        _DTYPES[kind] = np.dtype({"names": list(offsets), "formats": formats, "offsets": list(offsets.values()), "itemsize": size})
    return _DTYPES[kind]


def as_record(s: Any) -> tuple[Any, ...]:
    """A state as a tuple that can be put into an array of records."""
    return tuple(getattr(s, name) for name in dtype(type(s)).names or ())


def from_record(kind: type[State], record: Any) -> State:
    """The state in a record."""
    s = kind.__new__(kind)
    for name, value in zip(dtype(kind).names or (), record.item()):
        setattr(s, name, value if type(value) is int else value.tolist())
    return s


def records(s: Any, how_many: int = 1) -> Any:
    """An array of ``how_many`` records, each holding this state."""
    return np.repeat(np.array([as_record(s)], dtype(type(s))), how_many)


def empty_records(kind: type[Any], how_many: int) -> Any:
    """An array of ``how_many`` zeroed records."""
    return np.zeros(how_many, dtype(kind))


# ---- primitives with a machine instruction of their own


@intrinsic
def _count_ones(typing: Any, x: Any) -> Any:
    return nt.int64(nt.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _trailing_zeros(typing: Any, x: Any) -> Any:
    return nt.int64(nt.int64), lambda context, builder, signature, args: builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@intrinsic
def _leading_zeros(typing: Any, x: Any) -> Any:
    return nt.int64(nt.int64), lambda context, builder, signature, args: builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))


@intrinsic
def _deposit(typing: Any, bits: Any, mask: Any) -> Any:
    """The instruction ``pdep``: deposit bits at the positions of the ones in a mask."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(i64, [i64, i64]))
        return builder.call(pdep, args)

    return nt.int64(nt.int64, nt.int64), generate


HAS_PDEP = llvmlite.binding.get_host_cpu_features().get("bmi2", False) and not os.environ.get("KORTLEK_NO_PDEP")


def select(x: int, n: int) -> int:
    """The index of the n-th set bit of x, by bisection and without branches: for processors without ``pdep``."""
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        ones = cards.size(x & ((1 << width) - 1))
        above = n >= ones
        n -= ones if above else 0
        at += width if above else 0
        x = x >> width if above else x & ((1 << width) - 1)
    return at


def _stands_for(function: Callable[..., Any], body: Callable[..., Any]) -> None:
    """Let compiled code run this body where it calls a plain function, under a name that no other body has (see ``keep``)."""
    body.__qualname__ = f"{function.__qualname__}_compiled"
    overload(function, inline="never", strict=False)(lambda *arguments: body)


def _copy_record(states: Any, at: int, original: Any) -> None:
    states[at] = original


PRIMITIVES = (cards.size, cards.lowest, cards.highest, cards.nth, cards.suit_of, cards.rank_of, loops.copy_into)
ON_RECORDS: dict[Any, Any] = {redeal_plan.lay_out: redeal_plan.lay_out_flat, metrics.counter_at: metrics.counter_at_flat}
"""Functions on objects that have a different body for records, defined next to them."""
_stands_for(cards.size, lambda elements: _count_ones(elements))
_stands_for(cards.lowest, lambda elements: _trailing_zeros(elements))
_stands_for(cards.highest, lambda elements: 63 - _leading_zeros(elements))
_stands_for(select, select)
_stands_for(cards.nth, (lambda elements, n: _trailing_zeros(_deposit(1 << n, elements))) if HAS_PDEP else (lambda elements, n: select(elements, n)))
_stands_for(cards.suit_of, lambda card: card * 79 >> 10)  # a card number, below 64, divided by 13
_stands_for(cards.rank_of, lambda card: card - 13 * (card * 79 >> 10))
_stands_for(loops.copy_into, _copy_record)
for _on_objects, _on_records in ON_RECORDS.items():
    _stands_for(_on_objects, _on_records)

# ---- rules as machine code


def _is_ours(module: types.ModuleType) -> bool:
    top = module.__name__.partition(".")[0]
    return top not in sys.stdlib_module_names and top not in ("numpy", "numba", "llvmlite") and hasattr(module, "__file__")


def _mentioned(function: types.FunctionType) -> list[Any]:
    """The objects that a function refers to by global name, module attribute or closure."""
    code, scope = function.__code__, function.__globals__
    named = [scope[name] for name in code.co_names if name in scope]
    named += [getattr(module, name) for module in named if isinstance(module, types.ModuleType) for name in code.co_names if hasattr(module, name)]
    return named + [cell.cell_contents for cell in function.__closure__ or ()]


def reachable(function: types.FunctionType, found: set[types.FunctionType] | None = None) -> set[types.FunctionType]:
    """All functions of this package and of games that a function may call, itself included."""
    found = set() if found is None else found
    function = ON_RECORDS.get(function, function)
    module = sys.modules.get(function.__module__)
    if function in found or function in PRIMITIVES or module is None or not _is_ours(module):
        return found
    found.add(function)
    for thing in _mentioned(function):
        if inspect.isfunction(thing):
            reachable(thing, found)
    return found


def _for_any_number(fold: Callable[..., Any]) -> Callable[..., Any]:
    """Prevent specialisation on constants: Numba compiles a function again for every constant argument, and the general code is as fast."""

    def folded(args: Any, kws: Any) -> Any:
        signature, types_of = fold(args, kws)
        return signature, tuple(nt.int64 if isinstance(each, nt.Integer) else unliteral(each) for each in types_of)

    return folded


@cache
def enable(function: types.FunctionType) -> Any:
    """Let compiled code call a plain function, through a clone whose tables are arrays. The clone is compiled once for all loops that call it, and
    cached like them."""
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        value = scope.get(name)
        if isinstance(value, list | tuple) and value and all(isinstance(each, int | float) for each in value):
            scope[name] = np.array(value, np.float64 if isinstance(value[0], float) else np.int64)
    clone = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    clone.__module__ = function.__module__
    is_inlined = function.__dict__.get("is_inlined", False)
    compiled = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=is_inlined)(clone)  # only other compiled code calls it
    keep(compiled, made_from(function))
    compiled._compiler.fold_argument_types = _for_any_number(compiled._compiler.fold_argument_types)
    cpu_target.typing_context.insert_global(function, nt.Dispatcher(compiled))
    return compiled


ENABLE_LOCK = Lock()
"""Ensures that a function is enabled only once, even if several threads build loops."""


CONTRACT = [sys.modules[f"kortlek.game.{name}"] for name in ("base", "fields", "game", "options")]
"""The modules that rules are built with, besides their own source."""


def _tables(function: types.FunctionType) -> list[tuple[str, Any]]:
    """The tables of whole numbers that a function reads: a pack may come from a file, which the source does not show."""
    scope = function.__globals__
    return [(name, scope[name]) for name in function.__code__.co_names if isinstance(scope.get(name), list)]


@cache
def _text_of(module: types.ModuleType) -> str:
    return hashlib.sha256(inspect.getsource(module).encode()).hexdigest()


def made_from(*functions: types.FunctionType) -> str:
    """A hash of everything that the first of these functions is compiled from: the function, the source and tables of all that they call, and the
    versions of the tools."""
    modules = {sys.modules[each.__module__] for function in functions for each in reachable(function)}
    modules |= {cards, loops, memory, numba_cache, redeal_plan, sys.modules[__name__], *CONTRACT}
    sources = sorted((module.__name__, _text_of(module)) for module in modules)
    tables = sorted(repr(_tables(each)) for function in functions for each in reachable(function))
    tools = numba.__version__, np.__version__, HAS_PDEP, numba.config.BOUNDSCHECK, numba.config.OPT
    return hashlib.sha256(repr((essence(functions[0]), sources, tables, tools)).encode()).hexdigest()


@cache
def build(make: Callable[..., Any], game: Game[Any], *given: Any) -> Callable[..., Any]:
    """Compile a loop for a game. ``make`` is a factory that takes a game, the arguments ``given`` and a compiler."""
    rules: Any = game.rules.functions()
    draft = make(game, *given)
    with ENABLE_LOCK:
        for function in set().union(*(reachable(each) for each in (*rules, draft))) - {draft}:
            enable(function)
    compiled = make(game, *given, compile=njit(nogil=True))
    keep(compiled, made_from(draft, *rules))

    def run(*arguments: Any) -> Any:
        try:
            return compiled(*arguments)
        except Exception as error:
            if compiled.signatures and not isinstance(error, NumbaError):  # it is compiled, so this is an error of the rules
                raise
            raise CannotCompile(f"{game.title} stays with the plain engine: {explain(error)}") from error

    run.dispatcher = compiled  # type: ignore[attr-defined]
    return run


ERROR_PHRASES = (
    *("Unknown attribute", "Can't unify", "Cannot unify", "Untyped global", "The use of", "Cannot infer", "Cannot cast", "KeyError"),
    *("not supported", "nsupported", "too large", "No implementation of function", "cannot be determined", "should be a tuple", "is not defined"),
)
"""Phrases that mark the informative line of a Numba error."""


def explain(error: Exception) -> str:
    """A Numba error of forty lines as one: ``file:line: what``."""
    if not isinstance(error, NumbaError):
        return f"the state has no field {error}" if isinstance(error, KeyError) else f"{type(error).__name__}: {error}"
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [at for at, line in enumerate(lines) if any(key in line for key in ERROR_PHRASES) and "Function(<function" not in line]
    at = telling[-1] if telling else 0
    where = re.findall(r'File "([^"]+?)", line (\d+)', " ".join(lines[at:])) or [("?", "?")]
    return f"{':'.join(where[0])}: {lines[at][:160]}"


# ---- buffers for loops


def int_array(*shape: int) -> Any:
    """An array of integer zeros with this shape."""
    return np.zeros(shape, np.int64)


def as_int_array(rows: Any) -> Any:
    """Rows of whole numbers as an array, if they are not one already."""
    return np.asarray(rows, np.int64)


def generator() -> Any:
    """A buffer for a generator's state, wide enough that two threads never write to the same cache line."""
    return int_array(64)


def generators(how_many: int) -> Any:
    """A buffer for several generators, one in each row."""
    return np.zeros((how_many, 8), np.int64)


def float_array(length: int) -> Any:
    """An array of floating-point zeros."""
    return np.zeros(length, np.float64)


def as_numbers(kind: type[State], states: Any) -> tuple[Any, Any]:
    """The same records as rows of 64-bit numbers and of numbers of the width of a card in a pile (see ``redeal_plan.lay_out_flat``)."""
    return states.view(np.int64), states.view(f"i{memory.card_width(kind)}")


def search_states(guess: Guess[Any]) -> tuple[Any, Any, Any, Any, Any]:
    """The buffers of a search: the root, a state to play on, the same state as rows of numbers, the plan, and the memo table of ``count_ways``."""
    states = records(guess.known)
    return records(guess.known), states, as_numbers(type(guess.known), states), records(guess.plan), np.array(guess.ways, np.float64)


def thinking_states(guess: Guess[Any]) -> tuple[Any, Any, Any, Any, Any]:
    """The same buffers for flat Monte Carlo, which plays on in a second state."""
    states = records(guess.known, 2)
    return records(guess.known), states, as_numbers(type(guess.known), states[:1]), records(guess.plan), np.array(guess.ways, np.float64)


class Batch:
    """Many matches of a game side by side, for learning programs: one choice in each at a time.

    ``masks`` are the legal choices of each match as sets, ``turns`` the players in turn, ``phases`` the kinds of choice. After a step ``ended`` is 1
    where a match has ended: its result is then in ``scores``, and a new match has begun there. The same seed and choices always give the same
    matches, and each match has a generator of its own: a row does not depend on the number of rows."""

    def __init__(self, game: Game[Any], players: int, matches: int, seed: int = 0, options: Mapping[str, object] | None = None) -> None:
        self.game = game
        self._blank = records(plain.blank(game, players, options))
        self.states = np.repeat(self._blank, matches)
        self._step, self._seed = build(loops.make_stepper, game), seed
        self._rngs, self._pack = np.zeros((matches, 2), np.int64), int_array(LARGEST_PACK)
        self.masks, self.turns, self.ended = int_array(matches), int_array(matches), int_array(matches)
        self.scores = np.zeros((matches, players), np.int64)
        self._run(np.full(matches, -1, np.int64))

    @property
    def phases(self) -> Any:
        """The kind of choice that each match waits for: an index into the game's choices."""
        return self.states["phase"]

    def step(self, choices: Any) -> None:
        """Make a choice in every match; raise Refused, without any effect, if one of them is not legal."""
        chosen = np.asarray(choices, np.int64)
        if chosen.shape != self.masks.shape:
            raise plain.Refused(f"There are {len(self.masks)} matches, so as many choices are needed, not {chosen.size}.")
        legal = (chosen >= 0) & (chosen < 62) & ((self.masks >> np.clip(chosen, 0, 62)) & 1 == 1)
        if not legal.all():
            match = int(np.argmin(legal))
            raise plain.Refused(f"Choice {chosen[match]} is not legal in match {match}: allowed are {list(cards.members(int(self.masks[match])))}.")
        self._run(chosen)

    def _run(self, chosen: Any) -> None:
        rows = chosen, self.masks, self.turns, self.scores, self.ended
        match = self._step(self._blank, self.states, self._pack, self._rngs, self._seed, *rows)
        if match < len(chosen):
            raise loops.did_not_end(self.game, from_record(self.game.state, self.states[match]), match)
