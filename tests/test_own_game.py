"""A game in a folder or a file outside the package: the page that makes one (docs/your-own-game.md), every command with it, and what is said of a
bad one."""

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
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import own
import pytest
import running
from own import ONE_FILE, PARTS, line_of
from running import SOURCE, start

from kortlek.bots import own_games
from kortlek.cli import watch
from kortlek.engine.record import from_line
from kortlek.game.registry import GAMES

PAGE = (Path(__file__).parent.parent / "docs" / "your-own-game.md").read_text()
CODE = PARTS["rules.py"]
BLOCKS = re.findall(r"```(?:python|fluent)\n(.*?)```", PAGE, re.S)
[EDIT] = [block for block in BLOCKS if block.startswith("    deals")]
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
        return self.folder / "stairs" / "rules.py"

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
            own_games.forget(GAMES[name])
        assert (done.code, done.err.count("\n")) == (2, 1), done.err
        return done.err.rstrip("\n")

    def edit(self, old: str, new: str, part: str = "rules.py") -> None:
        """Change a part of the game."""
        assert PARTS[part].count(old) == 1
        (self.folder / "stairs" / part).write_text(PARTS[part].replace(old, new))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where somebody works on the game all day: every test finds the compiled code of those before it, and no other trace."""
    return tmp_path_factory.mktemp("desk")


@pytest.fixture
def desk(folder: Path) -> Desk:
    for each in folder.iterdir():
        if each.is_file():
            each.unlink()
        elif each.name == "stairs":
            for part in each.iterdir():
                if part.is_file():
                    part.unlink()
        else:
            shutil.rmtree(each)
    own.write(folder / "stairs")
    return Desk(folder)


def results(report: dict[str, Any]) -> dict[str, Any]:
    """What may not depend on the engine, the workers or the clock."""
    return {key: value for key, value in report.items() if key not in ("seconds", "games_per_second", "engine", "workers")}


# ---- the page


def test_the_page_shows_what_is_written() -> None:
    assert [*(PARTS[part] for part in ("rules.py", "words.en.ftl", "layout.py", "bots.py")), EDIT] == BLOCKS
    assert len(re.findall(r"^(?:    )?\w+(?:=|,$)|^    \"", CODE[CODE.index("STAIRS = Game(") :], re.M)) <= 10, (
        "at most ten things are said of a game"
    )


def test_the_page_is_true(desk: Desk) -> None:
    """All its commands, in order, and its one change; ``...`` stands for anything."""
    pytest.importorskip("numba")
    pytest.importorskip("altair")
    assert [len(commands) for commands in COMMANDS] == [1, 1, 1, 1, 1, 1, 1, 2]
    shutil.rmtree(desk.folder / "stairs")
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
    assert "kortlek lab ./stairs --players 3" in report, "what gives the same again names the folder"


def test_the_mistakes_on_the_page_are_told_as_it_says(desk: Desk) -> None:
    told = re.search(r"line where that is possible:\n\n```text\n(.*?)```", PAGE, re.S)
    assert told
    mistakes = [
        ("rules.py", "and rank_of(each) > rank_of(s.top)", "and rank(each) > rank_of(s.top)"),
        ("rules.py", "        s.stairs |= bit(choice)\n", ""),
        ("rules.py", "return s.round == s.deals", "return False"),
        ("rules.py", "rank_of(each) > rank_of(s.top)", "s.rest & bit(12) == 0"),
        ("layout.py", 'status=("top",)', 'status=("roof",)'),
        ("words.en.ftl", "{ $card }\nfield", "{ $crad }\nfield"),
    ]
    for (part, old, new), sentence in zip(mistakes, told[1].splitlines(), strict=True):
        own.write(desk.folder / "stairs")
        desk.edit(old, new, part)
        assert desk.refusal_here("rules", "./stairs") == sentence


# ---- every command


def test_it_is_listed_and_its_rules_are_what_its_source_says(desk: Desk) -> None:
    assert [game["name"] for game in desk.json("games", "--game", "./stairs")["games"]] == [*GAMES, "stairs"]
    assert "stairs: Stairs, 2 to 4 players" in desk.run("games", KORTLEK_GAMES="./stairs").stdout
    assert "stairs" not in desk.run("games").stdout
    page = desk.json("rules", "./stairs")["page"]
    assert page.startswith("# Stairs\n\nClimb the stairs") and "* Play a card of a higher rank than the last, or pass." in page
    assert "* `hand_size`: how many cards everyone gets; a whole number from 2 to 12." in page


def test_it_is_played_saved_and_gone_on_with(desk: Desk) -> None:
    stopped = desk.run("play", "./stairs", "--players", "2", "--bots", "house", "--option", "deals=1", typed="1\nh\nq\n")
    assert stopped.stdout.endswith("Go on with it: kortlek play ./stairs --resume\n"), stopped.stderr
    assert desk.refusal("play", "--resume").endswith("If it is your own, name its file: kortlek play FILE --resume.")
    ended = desk.run("play", "./stairs", "--resume", typed="1\n" * 100)
    assert ended.returncode == 0 and "The record of the game is the last one in" in ended.stdout, ended.stderr
    assert "wins" in desk.run("replay", desk.folder / "home" / "played.jsonl", "--rules", "./stairs").stdout


def test_a_record_without_the_file_says_what_is_missing(desk: Desk) -> None:
    assert desk.run("simulate", "./stairs", "--games", "1", "--records", "r.jsonl").returncode == 0
    told = "Line 1 of r.jsonl: There is no game 'stairs' here. The games are: " + ", ".join(GAMES)
    for command, *kept in (["replay"], ["verify", "--commitment", "0" * 64]):
        assert desk.refusal(command, "r.jsonl", *kept) == f"{told}. If it is your own, name its file with --rules."
    assert "Game 1: Stairs" in desk.run("replay", "r.jsonl", KORTLEK_GAMES=str(desk.folder / "stairs")).stdout


def test_any_number_of_workers_gives_the_same(desk: Desk) -> None:
    plain = ["simulate", "./stairs", "--games", 40, "--seed", 5, "--bots", "house,random,easy", "--engine", "plain"]
    assert results(desk.json(*plain, "--workers", 1)) == results(desk.json(*plain, "--workers", 2))
    pytest.importorskip("numba")
    study = ["lab", "./stairs", "--games", 1500, "--seed", 5]
    assert desk.json(*study, "--workers", 1)["variants"] == desk.json(*study, "--workers", 2)["variants"]
    contest = ["arena", "./stairs", "--bots", "house,random", "--deals", 30, "--seed", 5]
    assert desk.json(*contest, "--workers", 1)["results"] == desk.json(*contest, "--workers", 2)["results"]


def test_it_is_compiled_beside_others(desk: Desk) -> None:
    pytest.importorskip("numba")
    warm = desk.json("warmup", "./stairs", "trick_paper_scissors")["games"]
    assert set(warm) == {"stairs", "trick_paper_scissors"} and "cannot" not in warm["stairs"]


# ---- edits


def test_an_edit_is_seen_at_once_in_both_engines(desk: Desk) -> None:
    pytest.importorskip("numba")
    command = ["simulate", "./stairs", "--games", 200, "--seed", 5, "--bots", "house"]
    before = {engine: desk.json(*command, "--engine", engine) for engine in ("plain", "compiled")}
    desk.edit("left += size(s.hand[other])", "left += 2 * size(s.hand[other])")
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
from kortlek.bots import own_games
from kortlek.cli import main
if __name__ == "__main__":
    game, file = own_games.load("./stairs"), pathlib.Path("stairs/rules.py")
    before = file.read_text()
    file.write_text("oops(")
    assert inspect.getsource(sys.modules[game.deal.__module__]) == before
    for engine in ("plain", "compiled"):
        code = main(["simulate", "./stairs", "--games", "40", "--seed", "5", "--workers", "2", "--engine", engine, "--json"])
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
    study = ["lab", "./stairs", "--games", 10, "--seed", 5, "--workers", 1, "--keep", "kept"]
    contest = ["arena", "./stairs", "--bots", "house,random", "--deals", 2, "--seed", 5, "--workers", 1, "--keep", "games"]
    for command in (study, contest):
        assert desk.run(*command).returncode == desk.run(*command).returncode == 0
    desk.edit("rank_of(each) > rank_of(s.top)", "rank_of(each) >= rank_of(s.top)")
    for command in (study, contest):
        assert "name another file" in desk.refusal(*command)


@pytest.mark.parametrize("words", [["simulate", "./stairs", "--games", 9], ["lab", "./stairs", "--games", 20]], ids=lambda words: words[0])
def test_a_watched_file_is_simulated_again_when_it_changes(desk: Desk, words: list[object]) -> None:
    pytest.importorskip("numba")
    process = start(*words, "--workers", 1, "--json", "--watch", cwd=desk.folder)
    assert process.stdout and process.stderr
    try:
        [first] = [json.loads(process.stdout.readline())]
        assert process.stderr.readline() == "Waiting until ./stairs changes; Ctrl-C ends.\n"
        desk.edit("s.climber = s.turn", "s.top = s.steps")
        assert (
            process.stderr.readline()
            == f"rules.py:{line_of('rules.py', 's.climber = s.turn')}: AttributeError: 'Stairs' object has no attribute 'steps'\n"
        )
        assert process.stderr.readline().startswith("Waiting")
        desk.file.unlink()
        desk.edit(OLD_LINE, EDIT)
        second = json.loads(process.stdout.readline())
        assert second["seed"] == first["seed"], "the same deals"
        assert '"deals": 4' in json.dumps(first) and '"deals": 8' in json.dumps(second)
        assert process.stderr.readline().startswith("Waiting")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130, process.stderr.read()
    finally:
        process.kill()


def test_ctrl_c_while_a_run_is_being_started_ends_the_watch(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: object, process: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("multiprocessing.popen_spawn_posix.Popen._launch", interrupted)
    ran = running.run("simulate", desk.folder / "stairs", "--watch")
    assert (ran.code, ran.err) == (130, "")


def test_a_file_that_is_still_being_written_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mygame.py"
    file.write_text("old")
    seen, steps = watch.look([file]), iter(["old", "", "new rules"])

    def sleep(seconds: float) -> None:
        if (text := next(steps, None)) is not None and text != file.read_text():
            file.write_text(text)

    monkeypatch.setattr(time, "sleep", sleep)
    watch.wait_for_a_change([file], seen, "mygame.py")
    assert file.read_text() == "new rules"


def test_only_a_file_is_watched(desk: Desk) -> None:
    assert desk.refusal("simulate", "plump", "--watch").startswith("--watch is for a game of your own")
    assert desk.refusal("simulate", "./nowhere.py", "--watch") == "There is no file ./nowhere.py."


# ---- bad files

GAME = CODE[CODE.index("STAIRS = Game(") :]
BAD: dict[str, tuple[str, str, str]] = {
    "no game": (GAME, "", "rules.py has no game: there is no Game(...) in it."),
    "two games": (
        GAME,
        f"{GAME}\n{GAME.replace('STAIRS', 'MORE').replace('stairs', 'more')}",
        "rules.py has 2 games, stairs, more: keep one in a file.",
    ),
    "a name that is taken": ('"stairs"', '"plump"', "rules.py: There is a game 'plump' already. Give yours another name."),
    "no name": ('"stairs"', '"My Stairs"', "A game cannot be called 'My Stairs'"),
    "a syntax error": ("def over(s: Stairs) -> bool:", "def over(s: Stairs) -> bool", "rules.py:LINE: SyntaxError: expected ':'"),
    "nothing to import": ("from kortlek.cards import", "from kortlek.cartes import", "rules.py:LINE: ModuleNotFoundError: No module named"),
    "an unknown name": ("PASS = PACK\n", "PASS = PACKS\n", "rules.py:LINE: NameError: name 'PACKS' is not defined"),
    "it ends": ("PASS = PACK\n", "raise SystemExit(3)\n", "rules.py:LINE: SystemExit: 3"),
    "a field that is not declared": ("Card = card()", "Card = -1", "TypeError: Stairs.top is not declared: use count()"),
    "no @state": ("@state(seats=4)\n", "", "rules.py: The class Stairs needs the decorator @state of kortlek.game above it."),
    "something is missing": ("    legal=legal,\n", "", f"rules.py:{line_of('rules.py', GAME)}: TypeError: Game.__init__() missing 1 required"),
    "too many players": ("range(2, 5)", "range(2, 6)", "TypeError: stairs: its state has room for 4 players, not for 5"),
    "rules of thumb with a bot's name": ("", "", "bots.py: Rules of thumb cannot be called 'club'"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_file_gets_one_sentence(desk: Desk, bad: str) -> None:
    old, new, sentence = BAD[bad]
    if old:
        desk.edit(old, new)
    else:
        desk.edit('Policy("house"', 'Policy("club"', "bots.py")
    assert sentence.replace("LINE", str(line_of("rules.py", old))) in desk.refusal_here("simulate", "./stairs", "--games", 1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", "./nowhere.py"], "There is no file ./nowhere.py. A game of your own is a Python file or a folder; kortlek new writes one"),
        (["lab", "./"], "./ has no rules.py: a folder with a game in it has its rules there"),
        (["simulate", "bytes.py"], "bytes.py is not a Python file: it is not written in UTF-8."),
        (["simulate", "stairs"], "If you mean the folder, say ./stairs."),
        (["simulate", "alone"], "If you mean the file, say ./alone.py."),
        (["serve", "--game", "nowhere.py"], "There is no file nowhere.py."),
        (["games", "--game", "./stairs", "--game", "again.py"], "again.py: There is a game 'stairs' already."),
        (["bot", "--connect", "http://127.0.0.1:1/t/ABC", "--game", "nowhere.py"], "There is no file nowhere.py."),
        (["import", "tables.jsonl", "--game", "nowhere.py"], "There is no file nowhere.py."),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_what_is_no_game_gets_one_sentence(desk: Desk, words: list[str], sentence: str) -> None:
    (desk.folder / "bytes.py").write_bytes(b"x = '\xff'\n")
    for name in ("again", "alone"):
        (desk.folder / f"{name}.py").write_text(ONE_FILE)
    assert sentence in desk.refusal_here(*words)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("command", ["simulate", "lab", "arena"])
def test_an_error_that_comes_up_late_is_told_with_its_line(desk: Desk, command: str, workers: int) -> None:
    """Whichever process it comes up in: in trial matches everyone has six cards."""
    pytest.importorskip("numba")
    desk.edit("    s.turn = s.round % s.players\n", "    s.turn = s.round % s.players if s.hand_size < 7 else s.highest\n")
    more = {"simulate": ["--games", 40, "--engine", "plain"], "lab": ["--games", 1200], "arena": ["--bots", "house,random", "--deals", 20]}[command]
    done = desk.run(command, "./stairs", *more, "--workers", workers, "--option", "hand_size=7")
    line = line_of("rules.py", "    s.turn = s.round")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"rules.py:{line}: AttributeError: 'Stairs' object has no attribute 'highest'"
    assert "Traceback" not in done.stderr and done.stdout == ""


# ---- rules of thumb


def test_without_rules_of_thumb_it_is_said_that_the_bots_play_at_random(desk: Desk) -> None:
    pytest.importorskip("numba")
    said = "No rules of thumb are known for Stairs, so its house plays at random: a claim about balance rests on that."
    assert said not in desk.run("lab", "./stairs", "--games", 10, "--workers", 1).stdout
    (desk.folder / "stairs" / "bots.py").unlink()
    words = PARTS["words.en.ftl"]
    desk.edit(words[words.index("bot-house") :], "", "words.en.ftl")
    assert said in desk.run("lab", "./stairs", "--games", 10, "--workers", 1).stdout.splitlines()
    assert desk.run("simulate", "./stairs", "--games", 1, "--bots", "house").stderr == f"{said}\n"
    assert desk.run("simulate", "./stairs", "--games", 1, "--bots", "random").stderr == ""


def test_every_policy_in_the_file_is_a_bot(desk: Desk) -> None:
    desk.edit('Policy("house", 1,', 'Policy("lowest", 1,', "bots.py")
    assert desk.run("simulate", "./stairs", "--games", 1, "--bots", "lowest").returncode == 0
    assert "random, easy, medium, house, lowest, club, expert" in desk.refusal("simulate", "./stairs", "--games", 1, "--bots", "best")


# ---- the table


def test_a_table_plays_it_with_bots_and_people(desk: Desk) -> None:
    pytest.importorskip("litestar")
    import asyncio

    from clients import ANN, opened, play, there
    from serving import serving, wait_for

    settings: dict[str, Any] = {"game": "stairs", "players": 3, "options": {"deals": 1}, "pace": 0, "stand_in": "house"}
    with serving(desk.folder / "data", "--game", str(desk.folder / "stairs")) as server:
        assert [game["name"] for game in server.get("/api/games")] == [*GAMES, "stairs"]
        assert server.ask("GET", "/api/games/stairs/rules")[1].startswith("# Stairs")
        code, [token] = opened(server, **settings, levels=["house"])

        async def match() -> Any:
            async with there(server, code, token) as ann:
                bot = start("bot", "--connect", f"{server.url}/t/{code}", "--level", "house", "--game", desk.folder / "stairs")
                joined = await ann.show(lambda show: all(seat["name"] or seat["level"] for seat in show["seats"]))
                assert joined["title"] == "Stairs"
                await ann.send(do="start")
                over = await play(ann, ANN)
                return joined["promise"], over, await asyncio.to_thread(bot.communicate)

        promise, over, (out, err) = asyncio.run(match())
        assert over["status"] == "over" and "The match is over" in out, err
        record = server.ask("GET", f"/api/tables/{code}/record", token=token)[1]
        assert from_line(record).game == "stairs"
        (desk.folder / "r.jsonl").write_text(record)
        assert "every card as promised" in desk.run("verify", "r.jsonl", "--commitment", promise, "--rules", "./stairs").stdout
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
        shown = without.show(table["code"], table["token"])
        assert (shown["game"], shown["notice"]) == ("stairs", {"id": "refuse-missing", "args": {"text": "stairs"}})
        status, answer = without.ask("POST", f"/api/tables/{table['code']}/messages", b'{"do": "start"}', table["token"])
        assert status == 422 and "The game “stairs” is not on this server any more" in json.loads(answer)["sentence"]
        assert without.stop() == 0
        server.start()
        back = server.show(table["code"], table["token"])
        assert (back["title"], back["notice"]) == ("Stairs", None)
    finally:
        for each in (server, without):
            if each.process and each.process.poll() is None:
                each.kill()


# ---- what else a folder may have

SUNNY = """name,copies,colour,title,text
sun,4,gold,Sun,Shines on everything.
rain,3,blue,Rain,"Take a card, and keep it."
wind,3,grey,,
"""
WEATHER = '''"""Weather: who plays the last sun wins."""

from pathlib import Path

from kortlek.cards import Card, gain, lose
from kortlek.game import CARD, Choice, Game, Pack, State, multiset, next_seat, state

from .helper import SUN

PACK = Pack.from_csv(Path(__file__).with_name("cards.csv"))


@state(seats=2)
class Weather(State):
    """A match of Weather."""

    sky: list[int] = multiset(4)
    gone: list[int] = multiset(4)


def deal(s: Weather, pack: list[Card]) -> None:
    """All cards lie in the sky."""
    for at in range(10):
        gain(s.sky, pack[at])
    s.turn = 0
    s.phase = 0


def legal(s: Weather) -> int:
    """Take any card that is left."""
    return s.sky[0]


def apply(s: Weather, choice: int) -> None:
    """The card is gone."""
    lose(s.sky, choice)
    gain(s.gone, choice)
    s.score[s.turn] += choice == SUN
    s.turn = next_seat(s, s.turn)


def round_over(s: Weather) -> bool:
    """Until the sky is empty."""
    return s.sky[0] == 0


def points(s: Weather, seat: int) -> int:
    """Suns have been counted."""
    return 0


def over(s: Weather) -> bool:
    """There is one round."""
    return s.round == 1


WEATHER = Game(
    "weather",
    players=range(2, 3),
    state=Weather,
    choices=(Choice("take", CARD),),
    pack=PACK,
    deal=deal,
    legal=legal,
    apply=apply,
    round_over=round_over,
    points=points,
    over=over,
)
'''
METRICS = '''"""What is counted of Weather."""

from kortlek.game import state
from kortlek.game.metrics import Counters, Metrics, note, share

from .rules import Weather


@state
class WeatherMetrics(Counters):
    """What is counted."""

    suns: list[int] = share()


def count(before: Weather, after: Weather, choice: int, m: WeatherMetrics) -> None:
    """How often a sun is taken."""
    if choice >= 0:
        note(m.suns, choice == 0)


METRICS = Metrics(WeatherMetrics, count)
'''
FOLDER = {
    "rules.py": WEATHER,
    "helper.py": "SUN = 0\n",
    "cards.csv": SUNNY,
    "metrics.py": METRICS,
    "words.en.ftl": "title = Fine weather\nmetric-suns = how often a sun is taken\n",
    "words.sv.ftl": "title = Vackert väder\nmetric-suns = hur ofta en sol tas\n",
    "rules.sv.md": "# Vackert väder\n\nTag en sol.\n",
}


@pytest.fixture
def weather(desk: Desk) -> Desk:
    for name, text in FOLDER.items():
        (desk.folder / "weather").mkdir(exist_ok=True)
        (desk.folder / "weather" / name).write_text(text)
    return desk


def test_a_folder_gets_everything_that_a_built_in_game_has(weather: Desk) -> None:
    """Words in two languages, a rule page, metrics, a pack from a table, a module of its own."""
    pytest.importorskip("numba")
    done = weather.run("check", "./weather")
    assert done.returncode == 0, done.stderr
    assert weather.run("rules", "./weather", "--language", "sv").stdout.strip().startswith("Vackert väder")
    assert "Fine weather" in weather.run("rules", "./weather").stdout
    assert "weather: Vackert väder" in weather.run("games", "--game", "./weather", "--language", "sv").stdout
    played = weather.run("play", "./weather", "--bots", "random", "--seed", "1", typed="q\n").stdout
    assert "Take Sun" in played and "Take wind" in played
    assert "how often a sun is taken" in weather.run("lab", "./weather", "--games", 20, "--seed", 1).stdout


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_what_is_played_are_all_files_that_were_read(weather: Desk, engine: str) -> None:
    """Workers that start after the whole folder is gone play it from the texts that they are given."""
    pytest.importorskip("numba")
    program = f"""
import shutil
from kortlek.bots import own_games
from kortlek.cli import main
if __name__ == "__main__":
    own_games.load("./weather")
    shutil.rmtree("weather")
    raise SystemExit(main(["simulate", "./weather", "--games", "40", "--workers", "2", "--engine", "{engine}", "--json"]))
"""
    (weather.folder / "program.py").write_text(program)
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "program.py"], cwd=weather.folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 40


def test_a_fault_in_the_table_of_cards_is_told_with_its_line(weather: Desk) -> None:
    (weather.folder / "weather" / "cards.csv").write_text(SUNNY.replace("rain,3", "rain,many"))
    assert "cards.csv, line 3: copies is a whole number from 1 to 100, not 'many'." in weather.refusal("games", "--game", "./weather")


def test_a_table_of_cards_beside_a_file_is_taken_along(desk: Desk) -> None:
    (desk.folder / "cards.csv").write_text(SUNNY)
    (desk.folder / "alone.py").write_text(WEATHER.replace("from .helper import SUN\n", "SUN = 0\n"))
    with own.known(desk.folder / "alone.py") as game:
        [source] = own_games.sources()
        assert dict(source.data) == {str(desk.folder / "cards.csv"): SUNNY}
        assert game.pack.names == ("sun", "rain", "wind") and game.pack.counts == (4, 3, 3)


def test_the_rules_of_a_folder_stand_for_the_folder(weather: Desk) -> None:
    assert weather.json("simulate", "./weather/rules.py", "--games", 3)["game"] == "weather"


# ---- installed with pip


def installed(folder: Path, entry: str = "weather = sunny_weather.rules") -> dict[str, str]:
    """The environment of a command that finds the game as pip would install it."""
    package, info = folder / "site" / "sunny_weather", folder / "site" / "sunny_weather-1.0.dist-info"
    package.mkdir(parents=True)
    info.mkdir()
    for name, text in {**FOLDER, "__init__.py": ""}.items():
        (package / name).write_text(text)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sunny-weather\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[kortlek.games]\n{entry}\n")
    return {"PYTHONPATH": f"{SOURCE}{os.pathsep}{folder / 'site'}"}


def test_an_installed_game_is_a_game_like_the_built_in_ones(desk: Desk) -> None:
    env = installed(desk.folder)
    assert "weather: Fine weather, 2 players" in desk.run("games", **env).stdout
    done = desk.run("simulate", "weather", "--games", 5, "--workers", 2, "--engine", "plain", "--json", **env)
    assert json.loads(done.stdout)["games"] == 5, done.stderr
    assert "Take Sun" in desk.run("play", "weather", "--bots", "random", "--seed", "1", typed="q\n", **env).stdout


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("weather = stormy_weather.rules", "The game 'weather', installed as stormy_weather.rules, cannot be loaded: ModuleNotFoundError"),
        ("storm = sunny_weather.rules", "The game 'storm', installed as sunny_weather.rules, calls itself 'weather'"),
    ],
)
def test_an_installed_game_that_cannot_be_loaded_says_so(desk: Desk, entry: str, sentence: str) -> None:
    assert sentence in desk.refusal("games", **installed(desk.folder, entry))
    assert desk.run("simulate", "plump", "--games", "1", **{"PYTHONPATH": f"{SOURCE}{os.pathsep}{desk.folder / 'site'}"}).returncode == 0


# ---- play and serve again when it changes


def until(process: subprocess.Popen[str], text: str) -> str:
    """What a process says until a line has a text."""
    assert process.stdout
    said = ""
    for line in process.stdout:
        said += line
        if text in line:
            return said
    raise AssertionError(f"{text!r} did not come:\n{said}")


def test_a_watched_match_begins_anew_with_the_new_rules(desk: Desk) -> None:
    words = ["play", "./stairs", "--players", "3", "--bots", "house", "--seed", "3", "--watch"]
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "KORTLEK_HOME": str(desk.folder / "home")}
    process = subprocess.Popen(
        [sys.executable, "-m", "kortlek", *words],
        cwd=desk.folder,
        env=env,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=running.hears_ctrl_c,
    )
    assert process.stdin
    try:
        assert "Lisa 6 cards" in until(process, "Which card")
        desk.edit("int_option(6,", "int_opshun(6,")
        until(process, "NameError: name 'int_opshun' is not defined")
        desk.edit("int_option(6,", "int_option(3,")
        until(process, "./stairs has changed: a new match with the new rules.")
        assert "Lisa 3 cards" in until(process, "Which card")
        process.stdin.write("q\n")
        process.stdin.flush()
        assert "The game is saved" in until(process, "saved") and process.wait(60) == 0
    finally:
        process.kill()


@pytest.mark.parametrize("by_environment", [False, True])
def test_a_watched_game_is_served_anew_and_its_matches_say_so(desk: Desk, by_environment: bool) -> None:
    pytest.importorskip("litestar")
    from serving import Server, wait_for

    words, environment = ([], {"KORTLEK_WATCH": "yes"}) if by_environment else (["--watch"], {})
    server = Server(desk.folder / "data", "--game", str(desk.folder / "stairs"), *words, environment=environment)
    server.start()
    try:
        table = server.post("/api/tables", {"game": "stairs", "name": "Ann"})
        waiting = server.post("/api/tables", {"game": "stairs", "name": "Ann"})
        began(server, table)
        (desk.folder / "stairs" / "rules.py").write_text("oops(\n")
        wait_for(lambda: "SyntaxError" in server.log.read_text(), "the fault")
        assert server.get("/api/games"), "the old rules are served meanwhile"
        desk.edit("int_option(6,", "int_option(3,")
        wait_for(lambda: "has changed: it is served with its new rules" in server.log.read_text(), "the news")
        wait_for(server.answers, "the new server")
        stopped = server.show(table["code"], table["token"])
        assert stopped["match"] is None and stopped["notice"]["id"] == "refuse-changed"
        assert server.ask("GET", f"/api/tables/{waiting['code']}", token=waiting["token"])[0] == 200
    finally:
        assert server.stop() == 0
    with pytest.raises(OSError, match="refused"):
        server.get("/health")


def began(server: Any, table: dict[str, Any]) -> None:
    """Ann begins a match with bots."""
    import asyncio

    from clients import there

    async def begin() -> None:
        async with there(server, table["code"], table["token"]) as ann:
            await ann.send(do="start")
            await ann.show(lambda show: show["status"] == "playing")

    asyncio.run(begin())


def test_nothing_else_is_watched(desk: Desk) -> None:
    assert desk.refusal("play", "plump", "--watch").startswith("--watch is for a game of your own")
    assert desk.refusal("play", "--watch").startswith("--watch begins a new match of a game of your own")
    pytest.importorskip("litestar")
    assert desk.refusal("serve", "--watch", "--no-browser") == "--watch is for games of your own: name them with --game."
