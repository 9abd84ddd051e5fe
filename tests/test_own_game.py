"""A game in a file outside the package: the page that makes one (docs/your-own-game.md), every command with it, and what is said of a bad one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kortlek.bots import own
from kortlek.play.record import load
from kortlek.play.trying import try_out
from kortlek.rules import GAMES
import running
from running import SOURCE, start

PAGE = (Path(__file__).parent.parent / "docs" / "your-own-game.md").read_text()
CODE, EDIT = map(str, re.findall(r"```python\n(.*?)```", PAGE, re.S))
OLD_LINE = next(line for line in CODE.splitlines(keepends=True) if line.startswith("    deals: int"))
CONSOLES = re.findall(r"```console\n(.*?)```", PAGE, re.S)
BUILT_IN = tuple(GAMES)
COMMANDS = [re.split(r"^\$ ", console, flags=re.M)[1:] for console in CONSOLES]


@dataclass
class Desk:
    """A folder with the game of the page in it, and commands typed there, each a process of its own."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "stairs.py"

    def run(self, *words: object, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": str(SOURCE), "KORTLEK_HOME": str(self.folder / "home"), "COLUMNS": "200", **environment}
        return subprocess.run(
            [sys.executable, "-m", "kortlek", *map(str, words)], cwd=self.folder, env=env, input=typed, capture_output=True, text=True
        )

    def json(self, *words: object) -> Any:
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refusal(self, *words: object, **more: str) -> str:
        """The one sentence that a command is refused with."""
        done = self.run(*words, **more)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        return done.stderr.rstrip("\n")

    def refusal_here(self, *words: object) -> str:
        """The same, typed in this process, which is soon there; afterwards it knows nothing of the game."""
        with contextlib.chdir(self.folder):
            done = running.run(*words)
        for name in [name for name in GAMES if name not in BUILT_IN]:
            own.forget(GAMES[name])
        assert (done.code, done.err.count("\n")) == (2, 1), done.err
        return done.err.rstrip("\n")

    def edit(self, old: str, new: str, file: str = "stairs.py") -> None:
        """Change the game; in another file if one is named."""
        assert CODE.count(old) == 1
        (self.folder / file).write_text(CODE.replace(old, new))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where somebody works on the game all day: every test finds the compiled code of those before it, and no other trace."""
    return tmp_path_factory.mktemp("desk")


@pytest.fixture
def desk(folder: Path) -> Desk:
    for each in folder.iterdir():
        if each.is_file():
            each.unlink()
        elif each.name != "__pycache__":
            shutil.rmtree(each)
    (folder / "stairs.py").write_text(CODE)
    return Desk(folder)


def line_of(text: str) -> int:
    """The line of the page's file where a text begins."""
    return CODE[: CODE.index(text)].count("\n") + 1


def results(report: dict[str, Any]) -> dict[str, Any]:
    """What may not depend on the engine, the workers or the clock."""
    return {key: value for key, value in report.items() if key not in ("seconds", "games_per_second", "engine", "workers")}


# ---- the page


def test_the_page_is_true(desk: Desk) -> None:
    """Its file, its one change and all its commands, in order; ``...`` stands for anything."""
    pytest.importorskip("numba")
    pytest.importorskip("altair")
    assert [len(commands) for commands in COMMANDS] == [1, 1, 1, 1, 1, 2]
    for console, commands in enumerate(COMMANDS):
        if console == next(at for at, text in enumerate(CONSOLES) if PAGE.index(text) > PAGE.index(EDIT)):
            desk.edit(OLD_LINE, EDIT)
        for command in commands:
            line, _, shown = command.partition("\n")
            words = shlex.split(line)
            done = desk.run(*words[1:], typed="".join(f"{each}\n" for each in re.findall("^Your choice: (.+)$", shown, re.M)))
            assert (words[0], done.returncode, done.stderr) == ("kortlek", 0, ""), line
            wanted = shown.removesuffix("...\n")
            assert done.stdout.startswith(wanted) if wanted != shown else done.stdout == wanted, f"{line}\n{done.stdout}"
    report = (desk.folder / "stairs.html").read_text()
    assert "kortlek lab ./stairs.py --players 3" in report, "what gives the same again names the file"


def test_the_mistakes_on_the_page_are_told_as_it_says(desk: Desk) -> None:
    told = re.search(r"told in one line:\n\n```text\n(.*?)```", PAGE, re.S)
    assert told
    mistakes = [
        ("and rank_of(card) > rank_of(s.top)", "and rank(card) > rank_of(s.top)"),
        ("        s.stairs |= bit(choice)\n", ""),
        ("DEAL if s.round < s.deals else OVER", "DEAL"),
    ]
    for mistake, sentence in zip(mistakes, told[1].splitlines(), strict=True):
        desk.edit(*mistake)
        assert desk.refusal_here("rules", "./stairs.py") == sentence


# ---- every command


def test_it_is_listed_and_its_rules_are_what_its_source_says(desk: Desk) -> None:
    assert [game["name"] for game in desk.json("games", "--game", "stairs.py")["games"]] == [*GAMES, "stairs"]
    assert "stairs: Stairs, 2 to 4 players" in desk.run("games", KORTLEK_GAMES="./stairs.py").stdout
    assert "stairs" not in desk.run("games").stdout
    page = desk.json("rules", desk.file)["page"]
    assert page.startswith("# Stairs\n\nClimb the stairs") and "* Play a card of a higher rank than the last, or pass." in page
    assert "* `cards`: how many cards everyone gets; a whole number from 2 to 12." in page


def test_it_is_played_saved_and_gone_on_with(desk: Desk) -> None:
    stopped = desk.run("play", "./stairs.py", "--players", "2", "--bots", "house", "--option", "deals=1", typed="1\nh\nq\n")
    assert stopped.stdout.endswith("Go on with it: kortlek play ./stairs.py --resume\n"), stopped.stderr
    assert desk.refusal("play", "--resume").endswith("If it is your own, name its file: kortlek play FILE --resume.")
    ended = desk.run("play", "./stairs.py", "--resume", typed="1\n" * 100)
    assert ended.returncode == 0 and "The record of the game is the last one in" in ended.stdout, ended.stderr
    assert "wins" in desk.run("replay", desk.folder / "home" / "played.jsonl", "--rules", "stairs.py").stdout


def test_a_record_without_the_file_says_what_is_missing(desk: Desk) -> None:
    assert desk.run("simulate", "stairs.py", "--games", "1", "--records", "r.jsonl").returncode == 0
    told = "Line 1 of r.jsonl: There is no game 'stairs' here. The games are: " + ", ".join(GAMES)
    for command in ("replay", "verify"):
        assert desk.refusal(command, "r.jsonl") == f"{told}. If it is your own, name its file with --rules."
    assert "Game 1: Stairs" in desk.run("replay", "r.jsonl", KORTLEK_GAMES=str(desk.file)).stdout


def test_any_number_of_workers_gives_the_same(desk: Desk) -> None:
    plain = ["simulate", "stairs.py", "--games", 40, "--seed", 5, "--bots", "house,random,easy", "--engine", "plain"]
    assert results(desk.json(*plain, "--workers", 1)) == results(desk.json(*plain, "--workers", 2))
    pytest.importorskip("numba")
    study = ["lab", "stairs.py", "--games", 1500, "--seed", 5]
    assert desk.json(*study, "--workers", 1)["variants"] == desk.json(*study, "--workers", 2)["variants"]
    contest = ["arena", "stairs.py", "--bots", "house,random", "--deals", 30, "--seed", 5]
    assert desk.json(*contest, "--workers", 1)["results"] == desk.json(*contest, "--workers", 2)["results"]


def test_it_is_compiled_beside_others(desk: Desk) -> None:
    pytest.importorskip("numba")
    warm = desk.json("warmup", "stairs.py", "trick_paper_scissors")["games"]
    assert set(warm) == {"stairs", "trick_paper_scissors"} and "cannot" not in warm["stairs"]


# ---- edits


def test_an_edit_is_seen_at_once_in_both_engines(desk: Desk) -> None:
    pytest.importorskip("numba")
    command = ["simulate", "stairs.py", "--games", 200, "--seed", 5, "--bots", "house"]
    before = {engine: desk.json(*command, "--engine", engine) for engine in ("plain", "compiled")}
    desk.edit("s.points[s.climber] += size(s.hand[seat])", "s.points[s.climber] += 2 * size(s.hand[seat])")
    after = {engine: desk.json(*command, "--engine", engine) for engine in ("plain", "compiled")}
    for engine in after:
        assert after[engine]["engine"] == engine
        means = [[seat["score"]["mean"] for seat in report["seats"]] for report in (before[engine], after[engine])]
        assert means[1] == [2 * mean for mean in means[0]]
    assert results(after["plain"]) == results(after["compiled"])


def test_what_is_played_is_the_text_that_was_read(desk: Desk) -> None:
    """Also by workers that start, and by the compiler's cache that is asked, after the file was edited."""
    pytest.importorskip("numba")
    program = """
import inspect, pathlib, sys
from kortlek.bots import own
from kortlek.command import main
if __name__ == "__main__":
    game, file = own.load("stairs.py"), pathlib.Path("stairs.py")
    before = file.read_text()
    file.write_text("oops(")
    assert inspect.getsource(sys.modules[game.start.__module__]) == before
    for engine in ("plain", "compiled"):
        code = main(["simulate", "stairs.py", "--games", "40", "--seed", "5", "--workers", "2", "--engine", engine, "--json"])
        assert code == 0
"""
    (desk.folder / "program.py").write_text(program)
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "program.py"], cwd=desk.folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    plain, compiled = (results(json.loads(line)) for line in done.stdout.splitlines())
    assert plain == compiled


def test_what_was_counted_of_another_text_is_not_gone_on_with(desk: Desk) -> None:
    pytest.importorskip("numba")
    study = ["lab", "stairs.py", "--games", 10, "--seed", 5, "--workers", 1, "--keep", "kept"]
    contest = ["arena", "stairs.py", "--bots", "house,random", "--deals", 2, "--seed", 5, "--workers", 1, "--keep", "games"]
    for command in (study, contest):
        assert desk.run(*command).returncode == desk.run(*command).returncode == 0
    desk.edit("rank_of(card) > rank_of(s.top)", "rank_of(card) >= rank_of(s.top)")
    for command in (study, contest):
        assert "name another file" in desk.refusal(*command)


@pytest.mark.parametrize("words", [["simulate", "stairs.py", "--games", 9], ["lab", "stairs.py", "--games", 20]], ids=lambda words: words[0])
def test_a_watched_file_is_simulated_again_when_it_changes(desk: Desk, words: list[object]) -> None:
    pytest.importorskip("numba")
    process = start(*words, "--workers", 1, "--json", "--watch", cwd=desk.folder)
    assert process.stdout and process.stderr
    try:
        [first] = [json.loads(process.stdout.readline())]
        assert process.stderr.readline() == "Waiting until stairs.py changes; Ctrl-C ends.\n"
        desk.edit("    s.stairs = 0\n", "    s.steps = 0\n")
        assert process.stderr.readline() == f"stairs.py:{line_of('    s.stairs = 0')}: AttributeError: 'Stairs' object has no attribute 'steps'\n"
        assert process.stderr.readline().startswith("Waiting")
        desk.file.unlink()
        desk.edit(OLD_LINE, EDIT)
        second = json.loads(process.stdout.readline())
        assert second["seed"] == first["seed"], "the same deals"
        assert '"deals": 4' in json.dumps(first) and '"deals": 8' in json.dumps(second)
        assert process.stderr.readline().startswith("Waiting")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    finally:
        process.kill()


def test_only_a_file_is_watched(desk: Desk) -> None:
    assert desk.refusal("simulate", "plump", "--watch").startswith("--watch is for a game in a file of your own")
    assert desk.refusal("simulate", "./nowhere.py", "--watch") == "There is no file ./nowhere.py."


# ---- bad files

GAME = CODE[CODE.index("STAIRS = Game(") : CODE.index("def lowest_step")]
BAD: dict[str, tuple[str, str, str]] = {
    "no game": (GAME, "", "stairs.py has no game: there is no Game(...) in it."),
    "two games": (
        GAME,
        f"{GAME}\n{GAME.replace('STAIRS', 'MORE').replace('stairs', 'more')}",
        "stairs.py has 2 games, stairs, more: keep one in a file.",
    ),
    "a name that is taken": ('name="stairs"', 'name="plump"', "stairs.py: There is a game 'plump' already. Give yours another name."),
    "no name": ('name="stairs"', 'name="My Stairs"', "stairs.py: A game cannot be called 'My Stairs'"),
    "a syntax error": ("def start(s: Stairs) -> None:", "def start(s: Stairs) -> None", "stairs.py:LINE: SyntaxError: expected ':'"),
    "nothing to import": (
        "from kortlek.cards import",
        "from kortlek.cartes import",
        "stairs.py:LINE: ModuleNotFoundError: No module named",
    ),
    "an unknown name": ("PASS = PACK\n", "PASS = PACKS\n", "stairs.py:LINE: NameError: name 'PACKS' is not defined"),
    "it ends": ("PASS = PACK\n", "raise SystemExit(3)\n", "stairs.py:LINE: SystemExit: 3"),
    "a field that is not declared": (
        "number(NOTHING)",
        "-1",
        f"stairs.py:{line_of(GAME)}: TypeError: Stairs.top is not declared: use number()",
    ),
    "no @state": ("@state\n", "", "stairs.py: The class Stairs needs the decorator @state of kortlek.rules.game above it."),
    "something is missing": (
        "    swing=12,\n",
        "",
        f"stairs.py:{line_of(GAME)}: TypeError: Game.__init__() missing 1 required",
    ),
    "too many players": ("range(2, 5)", "range(2, 12)", "stairs.py: Stairs cannot be for range(2, 12) players: give a range within 1 to 10"),
    "a wrong phase": ("    s.phase = 0\n", "    s.phase = 1\n", "stairs.py: Stairs with 2 players: s.phase is 1: it is an index into choices"),
    "nobody's turn": ("s.turn = next_seat(s, s.dealer)", "s.turn = 3", "stairs.py: Stairs with 2 players: s.turn is 3, but the seats are 0 to 1."),
    "no choice": ("    may = bit(PASS)\n    for", "    may = 0\n    for", "stairs.py: Stairs with 2 players: legal is empty when seat "),
    "legal forgets to return": ("    return may\n", "", "stairs.py: Stairs with 2 players: legal is None when seat "),
    "legal changes something": (
        "    may = bit(PASS)\n",
        "    may = bit(PASS)\n    s.turn = 0\n    s.climber = 1\n",
        "legal changes the state: it may only read it.",
    ),
    "a card twice": (
        "        s.hand[s.turn] &= ~bit(choice)\n",
        "        s.hand[0] = s.hand[0]\n",
        "lies in two places: every card is always in exactly one",
    ),
    "half a point": ("s.score[s.climber] += s", "s.score[s.climber] += 0.5 + s", "5: fields hold whole numbers of 64 bits."),
    "rounds are not counted": ("    s.round += 1\n", "    s.deals -= 1\n", "The match ends in its round 0: count s.round up"),
    "it looks at hidden cards": ("rank_of(card) > rank_of(s.top)", "s.rest & bit(12) == 0", "legal depends on cards that she does not see"),
    "no reason": ('f"You do not have {FRENCH[choice]}."', '""', "stairs.py: Stairs with 2 players: why_not says '' of 'play "),
    "a wrong sheet": ("str(s.points[seat])),", "str(s.pts[seat])),", "stairs.py:LINE: AttributeError: 'Stairs' object has no attribute 'pts'"),
    "no winners": (
        "winners=highest_scores",
        "winners=lambda s: None",
        "stairs.py: Stairs with 2 players: winners is None: it is the set",
    ),
    "rules of thumb with a bot's name": ('Policy("house"', 'Policy("club"', "stairs.py: Rules of thumb cannot be called 'club'"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_file_gets_one_sentence(desk: Desk, bad: str) -> None:
    old, new, sentence = BAD[bad]
    desk.edit(old, new)
    assert sentence.replace("LINE", str(line_of(old))) in desk.refusal_here("simulate", "stairs.py", "--games", 1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", "./nowhere.py"], "There is no file ./nowhere.py. A game of your own is a Python file; see docs/your-own-game.md."),
        (["lab", "./"], "./ is a folder, not a Python file with a game in it."),
        (["simulate", "bytes.py"], "bytes.py is not a Python file: it is not written in UTF-8."),
        (["simulate", "stairs"], "If you mean the file, say ./stairs.py."),
        (["serve", "--game", "nowhere.py"], "There is no file nowhere.py."),
        (["games", "--game", "stairs.py", "--game", "again.py"], "again.py: There is a game 'stairs' already."),
        (["bot", "--connect", "http://127.0.0.1:1/t/ABC", "--game", "nowhere.py"], "There is no file nowhere.py."),
        (["import", "tables.jsonl", "--game", "nowhere.py"], "There is no file nowhere.py."),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_what_is_no_game_gets_one_sentence(desk: Desk, words: list[str], sentence: str) -> None:
    (desk.folder / "bytes.py").write_bytes(b"x = '\xff'\n")
    (desk.folder / "again.py").write_text(CODE.replace('"Stairs"', '"Stairs again"'))
    assert sentence in desk.refusal_here(*words)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("command", ["simulate", "lab", "arena"])
def test_an_error_that_comes_up_late_is_told_with_its_line(desk: Desk, command: str, workers: int) -> None:
    """Whichever process it comes up in: in trial matches everyone has six cards."""
    pytest.importorskip("numba")
    desk.edit("    s.top = NOTHING\n    s.phase = 0\n", "    s.top = NOTHING if s.cards < 7 else s.highest\n    s.phase = 0\n")
    more = {"simulate": ["--games", 40, "--engine", "plain"], "lab": ["--games", 1200], "arena": ["--bots", "house,random", "--deals", 20]}[command]
    done = desk.run(command, "stairs.py", *more, "--workers", workers, "--option", "cards=7")
    line = line_of("    s.top = NOTHING\n    s.phase = 0\n")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"stairs.py:{line}: AttributeError: 'Stairs' object has no attribute 'highest'"
    assert "Traceback" not in done.stderr and done.stdout == ""


# ---- rules of thumb


def test_without_rules_of_thumb_it_is_said_that_the_bots_play_at_random(desk: Desk) -> None:
    pytest.importorskip("numba")
    said = "No rules of thumb are known for Stairs, so its house plays at random: a claim about balance rests on that."
    thumb = CODE[CODE.index("def lowest_step") :]
    assert said not in desk.run("lab", "stairs.py", "--games", 10, "--workers", 1).stdout
    desk.edit(thumb, "")
    assert said in desk.run("lab", "stairs.py", "--games", 10, "--workers", 1).stdout.splitlines()
    assert desk.run("simulate", "stairs.py", "--games", 1, "--bots", "house").stderr == f"{said}\n"
    assert desk.run("simulate", "stairs.py", "--games", 1, "--bots", "random").stderr == ""


def test_every_policy_in_the_file_is_a_bot(desk: Desk) -> None:
    desk.edit('Policy("house", 1,', 'Policy("lowest", 1,')
    assert desk.run("simulate", "stairs.py", "--games", 1, "--bots", "lowest").returncode == 0
    assert desk.refusal("simulate", "stairs.py", "--games", 1, "--bots", "best").endswith("random, easy, medium, house, lowest, club, expert.")


# ---- the table


def test_a_table_plays_it_with_bots_and_people(desk: Desk) -> None:
    pytest.importorskip("litestar")
    import asyncio

    from clients import ANN, opened, play, there
    from serving import serving, wait_for

    settings: dict[str, Any] = {"game": "stairs", "players": 3, "options": {"deals": 1}, "pace": 0, "stand_in": "house"}
    with serving(desk.folder / "data", "--game", str(desk.file)) as server:
        assert [game["name"] for game in server.get("/api/games")] == [*GAMES, "stairs"]
        assert server.ask("GET", "/api/games/stairs/rules")[1].startswith("# Stairs")
        code, [token] = opened(server, **settings, levels=["house"])

        async def match() -> Any:
            async with there(server, code, token) as ann:
                bot = start("bot", "--connect", f"{server.url}/t/{code}", "--level", "house", "--game", desk.file)
                joined = await ann.show(lambda show: all(seat["name"] or seat["level"] for seat in show["seats"]))
                assert joined["title"] == "Stairs"
                await ann.send(do="start")
                over = await play(ann, ANN)
                return over, await asyncio.to_thread(bot.communicate)

        over, (out, err) = asyncio.run(match())
        assert over["status"] == "over" and "The match is over" in out, err
        record = server.ask("GET", f"/api/tables/{code}/record", token=token)[1]
        assert load(record).game == "stairs"
        (desk.folder / "r.jsonl").write_text(record)
        assert "every card as the secret gives it" in desk.run("verify", "r.jsonl", "--rules", "stairs.py").stdout
        wait_for(lambda: server.log.read_text().count("\n") > 1)
        assert '"event": "bot"' not in server.log.read_text(), "no bot's process was lost or failed"


def test_a_server_without_the_file_keeps_the_table_and_says_what_is_missing(desk: Desk) -> None:
    pytest.importorskip("litestar")
    from serving import Server

    server = Server(desk.folder / "data", environment={"KORTLEK_GAMES": str(desk.file)})
    without = Server(desk.folder / "data")
    try:
        server.start()
        table = server.post("/api/tables", {"game": "stairs", "name": "Ann"})
        assert server.stop() == 0
        without.start()
        status, answer = without.ask("GET", f"/api/tables/{table['code']}", token=table["token"])
        assert status == 422 and "There is no game 'stairs' here." in json.loads(answer)["sentence"]
        assert without.stop() == 0
        server.start()
        assert server.get(f"/api/tables/{table['code']}", table["token"])[0]["title"] == "Stairs"
    finally:
        for each in (server, without):
            if each.process and each.process.poll() is None:
                each.kill()


# ---- the trial


@pytest.mark.parametrize("name", ["up_and_down", "trick_paper_scissors", "cascade"])
def test_the_built_in_games_pass_the_trial(name: str) -> None:
    try_out(GAMES[name])
