"""``kortlek check`` and the short try-out before every command: each planted fault gives its message, and games without faults give none."""

from __future__ import annotations

import dataclasses
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own
import pytest
import running
from examples import FOLDER, NAMES, example
from running import SOURCE

from kortlek.engine.loops import MOST_CHOICES
from kortlek.engine.plain import Refused
from kortlek.game import OVER, Game
from kortlek.game.registry import GAMES
from kortlek.simulation import check
from kortlek.words.check import try_out

GAME = GAMES["up_and_down"]
Edits = list[tuple[str, str, str]]

# ---- faults that the short try-out finds

RULES, LAYOUT, WORDS, BOTS = "rules.py", "layout.py", "words.en.ftl", "bots.py"
STATE_END = "    rest: Cards = cards(seen_by=NOBODY)\n"
PLAYED = "        s.climber = s.turn\n"


def imports(name: str) -> tuple[str, str, str]:
    """Add an import."""
    return RULES, "import CARD, NOBODY", f"import CARD, {name}, NOBODY"


def field(declared: str) -> tuple[str, str, str]:
    """Add a field."""
    return RULES, STATE_END, f"{STATE_END}    {declared}\n"


QUICKLY: dict[str, tuple[Edits, str]] = {
    "a card nowhere": ([(RULES, "        s.stairs |= bit(choice)\n", "")], "rules.py:@def apply@: Stairs with 2 players: "),
    "a card is lost": ([(RULES, "        s.stairs |= bit(choice)\n", "")], "lies nowhere: every card is always in exactly one place"),
    "a card twice": ([(RULES, "        s.hand[s.turn] &= ~bit(choice)\n", "")], "lies in two places: every card is always in exactly one place"),
    "nothing is allowed": (
        [(RULES, "    may = bit(PASS)\n", "    may = 0\n")],
        "rules.py:@def legal@: Stairs with 2 players: legal is empty when seat",
    ),
    "legal forgets to return": ([(RULES, "    return may\n", "")], "legal is None when seat"),
    "legal changes something": (
        [(RULES, "    may = bit(PASS)\n", "    may = bit(PASS)\n    s.climber = 1 - s.climber\n")],
        "legal changes the state",
    ),
    "nobody's turn": (
        [(RULES, "s.round % s.players", "s.players")],
        "rules.py:@def deal@: Stairs with 2 players: s.turn is 2, but the seats are 0 to 1.",
    ),
    "a wrong phase": ([(RULES, "    s.phase = 0\n", "    s.phase = 1\n")], "s.phase is 1: it is an index into choices"),
    "a fraction": ([(RULES, "return left if", "return left / 2 if")], "fields hold whole numbers of 64 bits"),
    "a number out of its range": (
        [imports("count"), field("played: int = count(0, 3)"), (RULES, PLAYED, f"{PLAYED}        s.played += 1\n")],
        "rules.py:21: Stairs with 2 players: s.played is 4, but it is declared from 0 to 3.",
    ),
    "rounds go back": (
        [(RULES, "    s.turn = next_seat(s, s.turn)\n", "    s.turn = next_seat(s, s.turn)\n    s.round -= 1\n")],
        "rules.py:@def apply@: Stairs with 2 players: s.round is -1",
    ),
    "it never ends": (
        [(RULES, "return s.round == s.deals", "return False")],
        f"rules.py:@def apply@: Stairs with 2 players: match 0 did not end within {MOST_CHOICES:,} choices; it waits for seat ",
    ),
    "legal peeks": (
        [(RULES, "rank_of(each) > rank_of(s.top)", "s.rest & 4096 == 0")],
        "rules.py:@def legal@: Stairs with 2 players: legal depends on cards that seat",
    ),
    "a public number tells of a hidden hand": (
        [imports("count"), field("clubs: int = count(0, 13)"), (RULES, PLAYED, f"{PLAYED}        s.clubs = size(s.hand[s.turn] & 8191)\n")],
        "s.clubs depends on cards that others do not see, when seat",
    ),
    "a secret choice is declared public": (
        [(RULES, "    stairs: Cards = cards()\n", "    stairs: Cards = cards(seen_by=NOBODY)\n"), (LAYOUT, '"row", "centre"', '"pile", "side"')],
        "Everyone hears which card somebody chooses to play, but ",
    ),
    "a zone without a field": (
        [(LAYOUT, 'Zone("stairs"', 'Zone("ladder"')],
        "layout.py:19: The layout has a zone for 'ladder', which is no field of Stairs.",
    ),
    "a zone of a number": ([(LAYOUT, 'Zone("stairs"', 'Zone("climber"')], "The layout has a zone for 'climber', which is no place."),
    "a form that there is not": ([(LAYOUT, '"row"', '"heap"')], "layout.py:19: A zone cannot have the form 'heap'"),
    "a place that there is not": ([(LAYOUT, '"side"', '"above"')], "A zone cannot lie at 'above'"),
    "a tap that chooses nothing": (
        [(LAYOUT, 'tap="play"', 'tap="throw"')],
        "A tap on the zone of 'hand' chooses 'throw', but the verbs are pass, play.",
    ),
    "a status without a field": (
        [(LAYOUT, 'status=("top",)', 'status=("roof",)')],
        "layout.py:20: The layout has a status 'roof', which is no field of Stairs.",
    ),
    "a counter of the table": ([(LAYOUT, 'status=("top",)', 'counters=("top",)')], "counters stand beside each name, and s.top is not per_seat."),
    "a score sheet without a field": (
        [imports("Sheet"), (RULES, "    over=over,\n", '    over=over,\n    sheet=Sheet(cells=("pints",)),\n')],
        "The score sheet names 'pints', which is no field of Stairs.",
    ),
    "words that cannot be read": ([(WORDS, "field-top = To beat", "field-top To beat")], "words.en.ftl:6: This cannot be read as Fluent: "),
    "a message that nothing asks for": ([(WORDS, "field-top =", "field-topp =")], "words.en.ftl:6: Nothing asks for the message 'field-topp'."),
    "a message of a verb that there is not": (
        [(WORDS, "event-play =", "event-throw =")],
        "words.en.ftl:5: Nothing asks for the message 'event-throw'.",
    ),
    "an unknown variable": (
        [(WORDS, "{ $card }\nfield", "{ $crad }\nfield")],
        "words.en.ftl:5: event-play uses $crad, but it gets only $card, ",
    ),
    "choices that look alike": (
        [(WORDS, "ask-play =", "choice-play = Play\nask-play =")],
        "choice-play does not say $card, so its choices cannot be told apart.",
    ),
    "a message that is missing": (
        [(WORDS, "refuse-not-held =", "refuse-not-hold =")],
        "words.en.ftl:10: Nothing asks for the message 'refuse-not-hold'.",
    ),
    "a reason without words": (
        [(WORDS, "refuse-not-held = You do not have { $card }.\n", "")],
        "There is no message 'refuse-not-held', which the game asks for.",
    ),
    "an argument that is not given": (
        [(WORDS, "refuse-not-held = You do not have { $card }.", "refuse-not-held = You do not have { $kard }.")],
        "words.en.ftl:10: refuse-not-held: Unknown external: kard; it gets $card, $cards, $count.",
    ),
    "no reason": (
        [
            (LAYOUT, '    return Message("refuse-low"', '    return ("refuse-low"'),
            (LAYOUT, "    if not s.hand[s.turn] & bit(choice):\n", "    if False:\n"),
        ],
        "why_not says",
    ),
    "an error of the rules": ([(RULES, "rank_of(each) > rank_of(s.top)", "rnak(each) > 1")], "rules.py:40: NameError: name 'rnak' is not defined"),
    "an error of the layout": ([(LAYOUT, "bit(choice)", "bits(choice)")], "layout.py:13: NameError: name 'bits' is not defined"),
}


def sentence_with_lines(sentence: str) -> str:
    """Replace ``@def legal@`` by the line number of that text."""
    head, at, rest = sentence.partition("@")
    text, _, tail = rest.partition("@")
    return f"{head}{own.line_of(RULES, text)}{tail}" if at else sentence


@pytest.mark.parametrize("what", QUICKLY)
def test_the_short_try_out_finds(tmp_path: Path, what: str) -> None:
    edits, sentence = QUICKLY[what]
    if what == "a message that is missing":
        edits = [*edits, (LAYOUT, '"refuse-not-held"', '"refuse-begin"')]
    with pytest.raises(Refused) as told, own.known(own.write(tmp_path / "stairs", *edits), tried_out=True):
        pass
    assert sentence_with_lines(sentence) in str(told.value) and "\n" not in str(told.value)
    assert "stairs" not in GAMES, "it is not known after all"


# ---- faults that only the long check finds

FEWEST_WIN = '''
def winners(s: Stairs) -> Cards:
    """The fewest points win."""
    best = 0
    for seat in range(s.players):
        if s.score[seat] < s.score[best]:
            best = seat
    return bit(best)


'''
PEEKS = "    may = legal(s)\n    if s.hand[(s.turn + 1) % s.players] & 255:\n        return highest(may)\n"
SV = "ask-play = Vilket kort spelar du?\n"
THOROUGHLY: dict[str, tuple[Edits, dict[str, str], str]] = {
    "a language lacks a message": ([], {"words.sv.ftl": SV}, "words.sv.ftl lacks the message 'refuse-begin', which words.en.ftl has."),
    "a seat that is reset is read": (
        [
            field("dealer: int = seat()"),
            (RULES, "    s.turn = s.round % s.players\n", "    s.turn = next_seat(s, s.dealer)\n"),
            (
                RULES,
                "    if s.turn == s.climber:\n",
                "    if s.hand[s.climber] == 0:\n        s.dealer = next_seat(s, s.dealer)\n    if s.turn == s.climber:\n",
            ),
        ],
        {},
        "rules.py:24: deal reads s.dealer, but it begins anew before every deal, so it is always 0 there: declare it seat(reset=MATCH).",
    ),
    "rules with a memory": (
        [
            (RULES, "PASS = PACK\n", "PASS = PACK\nSEEN = [0]\n"),
            (RULES, "    s.phase = 0\n", "    s.phase = 0\n    SEEN[0] += 1\n    s.turn = int(SEEN[0] % 7 > 3)\n"),
        ],
        {},
        "when the same match is played twice: rules may depend only on the state",
    ),
    "a bot that does what is not allowed": ([(BOTS, "    best = PASS\n", "    best = 0\n")], {}, "bots.py:11: The bot 'house' chooses "),
    "a bot that peeks": (
        [(BOTS, "    may = legal(s)\n", PEEKS), (BOTS, "import PACK, bit", "import PACK, bit, highest")],
        {},
        "bots.py:11: The bot 'house' looks at cards that its player does not see.",
    ),
    "a bot that changes something": (
        [(BOTS, "    may = legal(s)\n", "    may = legal(s)\n    s.climber = s.turn\n")],
        {},
        "The bot 'house' changes the state",
    ),
    "a bot without words": (
        [(BOTS, '"reason-small-steps"', '"reason-big-steps"')],
        {},
        "The bot 'house' gives the reason Message(id='reason-big-steps'",
    ),
    "nobody scores": (
        [(RULES, "return left if seat == s.climber else 0", "return 0")],
        {},
        "All players have the same payoff at the end of every match",
    ),
    "winners against payoffs": (
        [
            (RULES, "STAIRS = Game(", f"{FEWEST_WIN}STAIRS = Game("),
            (RULES, "    over=over,\n", "    over=over,\n    winners=winners,\n"),
        ],
        {},
        "The winners have a lower payoff than the others, so that bots play to lose",
    ),
    "compiled otherwise": (
        [
            imports("count"),
            field("mark: int = count(0, 9)"),
            (RULES, "    s.phase = 0\n", "    s.phase = 0\n    s.mark = (s.players + 1 << 62) >> 62\n"),
        ],
        {},
        "compiled, the rules differ after 1 events of match 0: s.mark is 3 or -1.",
    ),
    "a match in many does not end": (
        [(RULES, "return s.round == s.deals", "return s.round == s.deals and s.score[0] != 21")],
        {},
        f" did not end within {MOST_CHOICES:,} choices; it waits for ",
    ),
    "a number in many matches": (
        [
            imports("count"),
            field("total: int = count(0, 30, reset=MATCH)"),
            (RULES, "import CARD", "import MATCH, CARD"),
            (RULES, "    s.phase = 0\n", "    s.phase = 0\n    s.total = s.score[0] + s.score[1]\n"),
        ],
        {},
        "but it is declared from 0 to 30.",
    ),
}


@pytest.mark.parametrize("what", THOROUGHLY)
def test_the_check_finds(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    edits, more, sentence = THOROUGHLY[what]
    monkeypatch.setattr(check, "CLOSE_MATCHES", 1)
    with own.known(own.write(tmp_path / "stairs", *edits, more=more)) as game:
        faults = check.check_game(game).faults
    assert any(sentence_with_lines(sentence) in fault for fault in faults), faults
    assert not any("\n" in fault for fault in faults)


# ---- choices made together


def edited_example(tmp_path: Path, name: str, old: str, new: str) -> str:
    """The try-out's message about an edited example."""
    text = (FOLDER / f"{name}.py").read_text()
    assert old in text
    (tmp_path / f"{name}.py").write_text(text.replace(old, new, 1))
    with pytest.raises(Refused) as told, own.known(tmp_path / f"{name}.py", tried_out=True):
        pass
    return str(told.value)


def test_a_card_that_moves_before_all_have_chosen_is_found(tmp_path: Path) -> None:
    at_once = "    s.bid[s.turn] = choice\n    s.hand[s.turn] &= ~bit(choice)\n    s.played[s.turn] |= bit(choice)\n"
    told = edited_example(tmp_path, "goofspiel", "    s.bid[s.turn] = choice\n", at_once)
    assert "goofspiel.py:" in told and "s.hand changes while all choose together what to bid: until all have chosen" in told


def test_a_bid_that_everyone_sees_before_all_have_chosen_is_found(tmp_path: Path) -> None:
    told = edited_example(tmp_path, "goofspiel", "card(per_seat=True, seen_by=OWNER)", "card(per_seat=True)")
    assert "s.bid changes while all choose together what to bid" in told


def test_a_choice_for_somebody_else_is_found(tmp_path: Path) -> None:
    told = edited_example(tmp_path, "goofspiel", "    s.bid[s.turn] = choice\n", "    s.bid[s.turn] = choice\n    s.bid[s.players - 1] = choice\n")
    assert "s.bid of seat 2 changes when seat 1 chooses what to bid, while all choose together." in told


def test_passed_cards_that_everyone_hears_of_are_found(tmp_path: Path) -> None:
    """Hearts without the declaration that passing is secret."""
    text = (Path(sys.modules["kortlek"].__file__ or "").parent / "games" / "hearts" / "rules.py").read_text()
    public = text.replace('Choice("pass", CARD, seen_by=OWNER, together=True)', 'Choice("pass", CARD, together=True)').replace(
        '"hearts"', '"open_hearts"'
    )
    (tmp_path / "open_hearts.py").write_text(public)
    with (
        pytest.raises(Refused, match="Everyone hears which card somebody chooses to pass, but .. then lies in s.hand"),
        own.known(tmp_path / "open_hearts.py", tried_out=True),
    ):
        pass
    (tmp_path / "open_hearts.py").write_text(text.replace('"hearts"', '"open_hearts"'))
    with own.known(tmp_path / "open_hearts.py", tried_out=True) as game:
        assert game.name == "open_hearts"


SEALED = '''"""Everyone writes down a number; the highest takes the round."""

from kortlek.game import OWNER, Choice, Game, Pack, State, amount, cards, count, next_seat, state


@state(seats=3)
class Sealed(State):
    """A match of Sealed."""

    talon: int = cards()
    number: list[int] = count(0, 9, start=-1, per_seat=True, seen_by=OWNER)
    said: int = count(0, 3)


def deal(s: Sealed, pack: list[int]) -> None:
    """The pack lies open and is not used."""
    s.talon = 1
    s.turn = 0
    s.phase = 0


def legal(s: Sealed) -> int:
    """Any number up to nine."""
    return 1023


def apply(s: Sealed, choice: int) -> None:
    """It is written down."""
    s.number[s.turn] = choice
    s.said += 1
    s.turn = next_seat(s, s.turn)


def round_over(s: Sealed) -> bool:
    """All have."""
    return s.said == s.players


def points(s: Sealed, seat: int) -> int:
    """The number itself, if nobody has a higher one."""
    for other in range(s.players):
        if s.number[other] > s.number[seat]:
            return 0
    return s.number[seat]


def over(s: Sealed) -> bool:
    """Five rounds."""
    return s.round == 5


SEALED = Game(
    "sealed", players=range(3, 4), state=Sealed, choices=(Choice("write", amount(0, 9), seen_by=OWNER),), pack=Pack(("X",)),
    deal=deal, legal=legal, apply=apply, round_over=round_over, points=points, over=over,
)
'''


def test_a_number_that_is_kept_secret_but_heard_by_everyone_is_found(tmp_path: Path) -> None:
    (tmp_path / "sealed.py").write_text(SEALED)
    with own.known(tmp_path / "sealed.py", tried_out=True) as game:
        assert game.name == "sealed"
    (tmp_path / "sealed.py").write_text(SEALED.replace(", seen_by=OWNER),)", "),)"))
    with (
        pytest.raises(Refused, match="Everyone hears what somebody chooses to write, but it is kept in s.number"),
        own.known(tmp_path / "sealed.py", True),
    ):
        pass


# ---- what a game says of itself


def spoils(s: Any) -> int:
    s.leader += 1
    return GAME.legal(s)


def after(function: Callable[..., Any], more: Callable[[Any], None]) -> Callable[..., None]:
    """A rule that does what the original does, and something more."""

    def both(s: Any, given: Any) -> None:
        function(s, given)
        more(s)

    return both


def without_rounds(s: Any, choice: int) -> None:
    GAME.rules.apply(s, choice)
    if s.phase == OVER:
        s.round = 0


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "name": ({"name": "My Game"}, "A game cannot be called 'My Game'"),
    "players": ({"players": range(0, 3)}, "cannot be for range(0, 3) players"),
    "version": ({"version": 0}, "cannot have the version 0"),
    "too much is allowed": ({"legal": lambda s: 1 << 60}, "it is the set of the choices she has"),
    "rounds are not counted": ({"apply": without_rounds, "players": range(2, 3)}, "s.round"),
    "a strange card": ({"deal": after(GAME.deal, lambda s: setattr(s, "rest", s.rest | 1 << 60))}, "There is no card 60 in the pack"),
    "nothing to shuffle": ({"cards_to_shuffle": lambda s, pack: 0}, "to be shuffled"),
    "no winners": ({"winners": lambda s: 1 << 11}, "it is the set of the seats that share the win"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_a_game_says_of_itself_is_possible(what: str) -> None:
    changes, sentence = BROKEN[what]
    game: Game[Any] = dataclasses.replace(GAME, **{"players": range(3, 4), **changes})
    with pytest.raises(Refused) as told:
        try_out(game)
    assert sentence in str(told.value) and "\n" not in str(told.value)


# ---- no false alarms


@pytest.mark.parametrize("name", GAMES)
def test_the_built_in_games_have_no_faults(name: str) -> None:
    game = GAMES[name]
    try_out(dataclasses.replace(game, players=game.players[:3]))


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_have_no_faults(name: str) -> None:
    try_out(example(name))


def test_a_fault_of_the_compiler_is_a_note_and_no_fault(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    words = ("rules.py", "    may = bit(PASS)\n", "    may = bit(max(each for each in [PASS]))\n")
    with own.known(own.write(tmp_path / "stairs", words)) as game:
        report = check.check_game(game)
    assert report.faults == [] and not report.compiled
    assert len(report.notes) == 1 and "Stairs stays with the plain engine: " in report.notes[0]


# ---- the command


def test_the_command_says_what_it_has_done(tmp_path: Path) -> None:
    own.write(tmp_path / "stairs")
    done = running.run("check", tmp_path / "stairs", "--matches", 30)
    assert done.code == 0 and done.out.startswith("Stairs (2 to 4 players): no faults in 90 matches and "), done.err
    from kortlek.bots import own_games

    own_games.forget(GAMES["stairs"])


def test_the_command_says_all_faults_and_exits_with_2(tmp_path: Path) -> None:
    edits = [(LAYOUT, 'status=("top",)', 'status=("roof",)'), (WORDS, "field-top =", "field-topp =")]
    own.write(tmp_path / "stairs", *edits)
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    told = subprocess.run([sys.executable, "-m", "kortlek", "check", "./stairs"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (told.returncode, told.stdout) == (2, "")
    assert [line.partition(":")[0] for line in told.stderr.splitlines()][:2] == ["layout.py", "words.en.ftl"]
    found = subprocess.run([sys.executable, "-m", "kortlek", "check", "./stairs", "--json"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert found.returncode == 2 and json.loads(found.stdout)["faults"] == told.stderr.splitlines()


def test_ctrl_c_stops_it_while_it_compiles(tmp_path: Path) -> None:
    """At a terminal, where progress is shown."""
    pytest.importorskip("numba")
    own.write(tmp_path / "stairs")
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm"}
    words = [sys.executable, "-m", "kortlek", "check", "./stairs"]
    process = subprocess.Popen(words, cwd=tmp_path, env=env, stdout=theirs, stderr=theirs, preexec_fn=running.hears_ctrl_c)
    os.close(theirs)
    seen = b""
    while b"compiling" not in seen:
        seen += os.read(ours, 1000)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130


def test_a_match_that_takes_long_at_random_but_ends_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wild Draw: a random player may keep drawing."""
    pytest.importorskip("numba")
    monkeypatch.setattr(check, "CLOSE_MATCHES", 1)
    report = check.check_game(dataclasses.replace(example("wild_draw"), players=range(2, 3)), matches=100)
    told = f"1 of 100 matches at random took more than {MOST_CHOICES:,} choices, though they end: match 98 with 2 players."
    assert (report.faults, report.notes) == ([], [told])
