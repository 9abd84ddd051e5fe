"""The compiled engine: the version of Numba, its cache, games that cannot be compiled, bounds checks, and use without Numba."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

numba = pytest.importorskip("numba")

from numba import njit  # noqa: E402
from numba.core.caching import FunctionCache  # noqa: E402
from numba.core.codegen import JITCodeLibrary, RuntimeLinker  # noqa: E402
from numba.core.registry import cpu_target  # noqa: E402

from kortlek.compiled.numba_cache import CodeCache, Library  # noqa: E402

SOURCE = Path(__file__).parent.parent / "src"
OPT_LEVEL_1, OPT_LEVEL_0 = {"NUMBA_OPT": "1"}, {"NUMBA_OPT": "0"}
"""Lower optimisation levels compile faster and run slower. They need a cache directory of their own; with level 0 nothing is cached."""

SIMULATE = """
import json, sys
from kortlek import compiled
from kortlek.engine import plain
from kortlek.game.registry import GAMES
from kortlek.simulation.loop import make_play
from kortlek.simulation.runner import COMPILED, PLAIN, Simulator, chance_level

def scores(name, players, options):
    plays = Simulator(GAMES[name], players, tuple(options.items()), [chance_level(GAMES[name])], engine=COMPILED)
    return plays.play([0] * players, 5, 0, 3).scores.tolist(), plays._play.dispatcher.stats

def plain_scores(name, players, options):
    return Simulator(GAMES[name], players, tuple(options.items()), [chance_level(GAMES[name])], engine=PLAIN).play([0] * players, 5, 0, 3).scores
"""


def run(program: str, source: Path = SOURCE, **environment: str) -> dict[str, Any]:
    """Run a program in a separate process, and parse the JSON that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", SIMULATE + program], env={**os.environ, "PYTHONPATH": str(source), **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


# ---- the version of Numba


def test_the_installed_numba_is_one_that_the_package_allows_up_to_a_tested_version() -> None:
    requirements = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"]["fast"]
    allowed = next(each.specifier for each in map(Requirement, requirements) if each.name == "numba")
    assert numba.__version__ in allowed
    assert any(each.operator == "<" for each in allowed)


def test_numba_still_has_the_inner_parts_that_the_compiled_engine_overrides_or_reads() -> None:
    """If this fails with a newer version, ``compiled/`` has to be adapted before the bound is raised."""

    def takes(method: Any) -> int:
        return len(inspect.signature(method).parameters)

    for kind, base in ((Library, JITCodeLibrary), (CodeCache, FunctionCache)):
        methods = {name: each for name, each in vars(kind).items() if inspect.isfunction(each) and name not in ("__init__", "make", "file_for")}
        assert methods
        assert [name for name, each in methods.items() if not hasattr(base, name) or takes(getattr(base, name)) != takes(each)] == []
    one_more = njit(lambda number: number + 1)
    assert one_more(1) == 2
    context, cache = cpu_target.target_context, CodeCache(one_more.py_func, "one_more")
    read: list[tuple[Any, str]] = [
        (next(iter(one_more.overloads.values())).library, "_final_module _object_caching_enabled _compiled_object _finalized _codegen"),
        (JITCodeLibrary, "_finalize_dynamic_globals _ensure_finalized get_defined_functions serialize_using_bitcode"),
        (type(context.codegen()), "_library_class set_env magic_tuple"),
        (context.codegen()._engine, "is_symbol_defined"),
        (type(context), "mangler"),
        (cpu_target.typing_context, "insert_global"),
        (RuntimeLinker, "PREFIX"),
        (cache._impl, "rebuild reduce check_cachable locator filename_base"),
        (cache._cache_file, "_load_data _save_data"),
        (one_more, "_cache targetoptions"),
        (one_more._compiler, "fold_argument_types"),
    ]
    assert [f"{part}: {name}" for part, names in read for name in names.split() if not hasattr(part, name)] == []


# ---- the cache


ONCE = """
result, stats = scores("up_and_down", 2, {"largest_round": 2})
print(json.dumps({"compiled": result, "plain": plain_scores("up_and_down", 2, {"largest_round": 2}), "hits": sum(stats.cache_hits.values())}))
"""
ANOTHER_LOOP = """
game = GAMES["up_and_down"]
compiled.Batch(game, 2, 1)
counted = {each.__name__: compiled.enable(each).stats[1:] for each in (game.rules.deal, game.rules.legal, game.rules.apply)}
print(json.dumps({name: [sum(each.values()) for each in (hits, misses)] for name, (hits, misses) in counted.items()}))
"""


def test_a_second_process_finds_the_cache_and_an_edited_rule_is_never_stale(tmp_path: Path) -> None:
    """The edited file is not the one whose function is compiled, and Numba's own cache checks only that file."""
    source = tmp_path / "src"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    first = run(ONCE, source, **OPT_LEVEL_1)
    [loop] = source.rglob("loop.make_play*play*.nbc")
    os.utime(loop, (1, 1))
    second = run(ONCE, source, **OPT_LEVEL_1)
    assert first["hits"] == 0 and second["hits"] == 1
    assert loop.stat().st_mtime > 1, "what is found counts as used lately"
    assert first["compiled"] == second["compiled"] == first["plain"]
    assert run(ANOTHER_LOOP, source, **OPT_LEVEL_1) == {"dealt": [1, 0], "legal": [1, 0], "apply": [1, 0]}, "the rules are kept for all loops"
    rule = source / "kortlek" / "games" / "up_and_down" / "rules.py"
    assert "10 + 2 *" in rule.read_text()
    rule.write_text(rule.read_text().replace("10 + 2 *", "20 + 2 *"))
    third = run(ONCE, source, **OPT_LEVEL_1)
    assert third["hits"] == 0
    assert third["compiled"] == third["plain"] != first["compiled"]
    shared = source / "kortlek" / "games" / "tricks.py"
    assert "card > s.best" in shared.read_text()
    shared.write_text(shared.read_text().replace("card > s.best", "card < s.best"))
    fourth = run(ONCE, source, **OPT_LEVEL_1)
    assert fourth["hits"] == 0
    assert fourth["compiled"] == fourth["plain"] != third["compiled"]
    assert len(list(source.rglob("loop.make_play*play*.nbc"))) == 3 and not list(source.rglob("*.nbi"))
    for file in source.rglob("*.nbc"):
        file.write_bytes(file.read_bytes()[:-20])
    assert run(ONCE, source, **OPT_LEVEL_1)["compiled"] == fourth["compiled"], "what cannot be read is compiled again"


NAMES = """
from kortlek.bots import levels_of
game = GAMES["trick_paper_scissors"]
policies = {name: levels_of(game)[name].policy.choose for name in ("random", "house", "easy", "medium")}
loops_of = {name: compiled.build(make_play, game, (choose,), ()) for name, choose in policies.items()}
names = {name: [run.dispatcher._cache.name] for name, run in loops_of.items()}
names["rules"] = sorted(compiled.enable(each)._cache.name for choose in policies.values() for each in compiled.reachable(choose))
print(json.dumps(names))
"""


def test_every_process_finds_the_same_file_for_the_same_loop_and_another_one_for_another(tmp_path: Path) -> None:
    """Also the first process, in which Python compiles the source; later ones read its bytecode cache."""
    source = tmp_path / "src"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    usual = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}
    first = run(NAMES, source, PYTHONHASHSEED="1", **usual)
    assert list(source.rglob("bots/__pycache__/loops.*.pyc"))
    assert run(NAMES, source, PYTHONHASHSEED="2", **usual) == first
    assert len(set(map(str, first.values()))) == 5 and len(first["rules"]) > 50


def test_functions_of_the_same_name_are_told_apart() -> None:
    from kortlek.compiled.numba_cache import essence

    def recursive(n: int) -> int:
        return n and recursive(n - 1)

    pairs = [
        (lambda: 1, lambda: 2),
        (lambda n=1: n, lambda n=2: n),
        (lambda *, n=1: n, lambda *, n=2: n),
        (lambda n: n in {"a", "b"}, lambda n: n in {"a", "c"}),
    ]
    for one, other in [*pairs, (recursive, lambda n: recursive(n))]:
        assert essence(one) == essence(one) != essence(other)


BY_PLACE = """
from kortlek.cards import nth, size
from kortlek.game.registry import GAMES

legal = GAMES["up_and_down"].legal

def chooser(place):
    def choose(s, rng):
        return nth(legal(s), place % size(legal(s)))
    return choose
"""
BETWEEN = """
from by_place import chooser
from kortlek.bots import Level
from kortlek.bots.policy import Policy
game = GAMES["up_and_down"]

def between(*places):
    policies = [Policy(str(place), 1, chooser(place)) for place in places]
    levels = [Level(policy.name, None, policy) for policy in policies]
    slow, fast = (Simulator(game, 2, (("largest_round", "3"),), levels, engine=engine).play([0, 1], 3, 0, 20).scores for engine in (PLAIN, COMPILED))
    return slow, fast.tolist()
"""


ALONE = """
def make_alone(game, choose, compile=lambda function: function):
    return compile(choose)

s = plain.begin(game, 2, {"largest_round": 3, "first_bettor": 0})
s.phase, s.hand[0] = 1, 0b1100
print(json.dumps({"choice": int(compiled.build(make_alone, game, chooser(1))(compiled.records(s)[0], compiled.generator()))}))
"""


def test_what_two_processes_have_compiled_is_not_mixed_up_in_a_third(tmp_path: Path) -> None:
    """Functions made by one factory share a name, and here each is created at the same position in its process."""
    (tmp_path / "by_place.py").write_text(BY_PLACE)
    results = []
    for cache, *places in (("one", 0, 0), ("other", 1, 1), ("both", 0, 1)):
        if cache == "both":
            for each in ("one", "other"):
                shutil.copytree(tmp_path / each, tmp_path / cache, dirs_exist_ok=True)
        program = f"sys.path.insert(0, {str(tmp_path)!r})\n{BETWEEN}\nprint(json.dumps(dict(results=between(*{places}))))"
        ours, fast = run(program, SOURCE, NUMBA_CACHE_DIR=str(tmp_path / cache), **OPT_LEVEL_1)["results"]
        assert ours == fast
        results.append(str(ours))
    assert len(set(results)) == 3
    alone = f"sys.path.insert(0, {str(tmp_path)!r})\n{BETWEEN}\n{ALONE}"
    assert run(alone, SOURCE, NUMBA_CACHE_DIR=str(tmp_path / "both"), **OPT_LEVEL_1) == {"choice": 3}, "a part of a loop that is kept is not a loop"


SYMBOLS = """
from numba import typeof
records = {name: typeof(compiled.records(plain.blank(GAMES[name], 2))[0]) for name in ORDER}
print(json.dumps({name: compiled.cpu_target.target_context.mangler("play", [record], uid=7) for name, record in records.items()}))
"""


def test_functions_for_different_games_never_have_one_name() -> None:
    """Numba names record types in the order of their creation: code compiled for Plump in one process would be taken for Rummy's in another."""
    one, other = (run(f"ORDER = {order}{SYMBOLS}") for order in (["plump", "rummy"], ["rummy", "plump"]))
    assert one["plump"] != other["rummy"] and one["rummy"] != other["plump"]


def test_compiled_code_that_nobody_asks_for_goes_when_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kortlek.compiled import numba_cache

    monkeypatch.setattr(numba_cache, "MAX_CACHE_BYTES", 20)
    for name, used in (("old", 1), ("older", 0), ("new", 2)):
        (tmp_path / f"{name}.nbc").write_bytes(bytes(10))
        os.utime(tmp_path / f"{name}.nbc", (used, used))
    (tmp_path / "something.pyc").write_bytes(b"else")
    numba_cache.evict(str(tmp_path))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new.nbc", "old.nbc", "something.pyc"]


def test_what_is_only_a_part_becomes_machine_code_with_the_whole_and_finds_its_objects(capsys: pytest.CaptureFixture[str]) -> None:
    from numba import njit

    from kortlek.compiled import numba_cache

    @njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[untyped-decorator]
    def part(n: int) -> int:
        print("There are", n, "cards.")  # a print with strings needs Python objects at run time
        return n + 1

    @njit  # type: ignore[untyped-decorator]
    def whole(n: int) -> int:
        return part(n) * 2  # type: ignore[no-any-return]

    assert whole(51) == 104
    assert capsys.readouterr().out == "There are 51 cards.\n"
    [alone], [together] = (each.overloads.values() for each in (part, whole))
    assert isinstance(alone.library, numba_cache.Library)
    assert (alone.library.made, together.library.made) == (False, True)


IN_A_CIRCLE = """
import dataclasses
from kortlek.games.up_and_down.rules import UP_AND_DOWN

def even(n):
    return n == 0 or odd(n - 1)

def odd(n):
    return n != 0 and even(n - 1)

def winners(s):
    return 1 if even(s.score[0]) else 2

GAME = dataclasses.replace(UP_AND_DOWN, name="odd", winners=winners)
"""


def test_rules_that_call_each_other_in_a_circle_are_compiled_in_every_process(tmp_path: Path) -> None:
    (tmp_path / "circle.py").write_text(IN_A_CIRCLE)
    program = f"sys.path.insert(0, {str(tmp_path)!r})\nimport circle\nGAMES['up_and_down'] = circle.GAME\n" + ONCE
    for _ in range(2):
        done = run(program, SOURCE, NUMBA_CACHE_DIR=str(tmp_path), **OPT_LEVEL_1)
        assert done["compiled"] == done["plain"] and done["hits"] == 0


def test_indexes_stay_in_bounds(tmp_path: Path) -> None:
    """Compiled code reads garbage out of bounds unless Numba checks: check once, every game with its largest number of players."""
    program = """
done = {}
for name, game in GAMES.items():
    options = {"largest_round": 3} if name == "up_and_down" else {}
    done[name] = scores(name, game.players[-1], options)[0] == plain_scores(name, game.players[-1], options)
print(json.dumps(done))
"""
    done = run(program, SOURCE, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path), **OPT_LEVEL_0)
    assert len(done) == 7 and all(done.values())


def test_the_bounds_check_is_on(tmp_path: Path) -> None:
    """Planted bug: a rule that reads beyond its table."""
    source = tmp_path / "src"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    rule = source / "kortlek" / "games" / "trick_paper_scissors" / "rules.py"
    assert "s.stars[rank_of" in rule.read_text()
    rule.write_text(rule.read_text().replace("s.stars[rank_of", "s.stars[99 + rank_of"))
    program = """
try:
    scores("trick_paper_scissors", 4, {})
    print(json.dumps({"found": False}))
except IndexError:
    print(json.dumps({"found": True}))
"""
    assert run(program, source, NUMBA_BOUNDSCHECK="1", **OPT_LEVEL_0) == {"found": True}


def test_without_the_pdep_instruction_the_games_are_the_same(tmp_path: Path) -> None:
    assert run(ONCE, SOURCE, KORTLEK_NO_PDEP="1", NUMBA_CACHE_DIR=str(tmp_path), **OPT_LEVEL_0)["compiled"] == run(ONCE)["compiled"]


OUTSIDE = '''
import dataclasses
from kortlek.games.plump.rules import PLUMP

def apply(s, choice):
    """Outside of what Numba compiles."""
    names = {"a": [choice, str(choice)]}
    PLUMP.apply(s, sorted(names)[0] == "a" and choice)

GAME = dataclasses.replace(PLUMP, name="odd", title="Odd Plump", apply=apply)
'''


def test_a_game_that_cannot_be_compiled_says_in_one_line_where_and_why(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(OUTSIDE)
    program = f"""
sys.path.insert(0, {str(tmp_path)!r})
import odd, warnings
from kortlek.bots import level_called
from kortlek.engine.views import view
s = plain.begin(odd.GAME, 2)
plain.step(odd.GAME, s, tuple(range(52)))
with warnings.catch_warnings(record=True) as caught:
    chosen = [level_called(odd.GAME, "club").make(1, None).choose(view(odd.GAME, s, s.turn)) for _ in range(2)]
print(json.dumps({{"said": [str(each.message) for each in caught], "legal": [bool(odd.GAME.legal(s) >> each & 1) for each in chosen]}}))
"""
    [reason], legal = run(program).values()
    assert legal == [True, True]
    assert reason.startswith("Odd Plump stays with the plain engine: ")
    assert "odd.py:" in reason
    assert "\n" not in reason and len(reason) < 300


WITHOUT = """
import io, sys
sys.modules["numba"] = sys.modules["numpy"] = sys.modules["llvmlite"] = None
from kortlek.cli import main
sys.stdin = io.StringIO("1\\n" * 400)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["play", "trick_paper_scissors", "--seed", "3", "--bots", "club"], 0, "The record of the game"),
        (["simulate", "cascade", "--games", "1", "--players", "2", "--bots", "club,random", "--option", "games=1"], 0, "plain engine"),
        (["simulate", "plump", "--games", "3", "--json"], 0, '"engine": "plain"'),
        (["simulate", "plump", "--games", "3", "--engine", "compiled"], 2, "fast"),
        (["warmup"], 2, "kortlek[fast]"),
        (["games"], 0, "first_lead"),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else "",
)
def test_without_numba_everything_works_or_says_what_is_missing(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "KORTLEK_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", WITHOUT, *arguments], env=environment, capture_output=True, text=True)
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
