"""Golden games as readable text (tests/playthroughs): a match of every game, and one for every option.

A file begins with what is played and a ``why`` line for every time it has changed. After a change of the rules that is meant, write the
files anew with ``python tests/test_playthroughs.py "what changed and why"``, and read the difference.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from playing import next_event

from kortlek.cards import members
from kortlek.engine import plain
from kortlek.engine.events import Step, events_of, is_act_over
from kortlek.engine.rng import seeded
from kortlek.engine.sheet import Row, finished_round
from kortlek.engine.views import OPEN
from kortlek.game import OVER
from kortlek.game.registry import GAMES
from kortlek.words.sheet import score_sheet
from kortlek.words.words import words_of

FOLDER = Path(__file__).parent / "playthroughs"
NAMES = ("Lisa", "Stephen", "Toby", "Rachel", "Alice", "Bob", "Carol", "Dave", "Erin", "Frank")
SHORT = 150
"""How many events of a match with an option are written; of a match without options, all."""

SET_UPS: dict[str, tuple[str, int, dict[str, object]]] = {
    "plump": ("plump", 4, {}),
    "plump-2": ("plump", 2, {}),
    "plump-first_lead-highest_bidder": ("plump", 3, {"first_lead": "highest_bidder"}),
    "plump-first_dealer-random": ("plump", 10, {"first_dealer": "random"}),
    "plump-first_dealer-1": ("plump", 5, {"first_dealer": 1}),
    "up_and_down": ("up_and_down", 4, {}),
    "up_and_down-largest_round": ("up_and_down", 3, {"largest_round": 3, "first_bettor": 1}),
    "up_and_down-first_bettor": ("up_and_down", 10, {"first_bettor": 2}),
    "trick_paper_scissors": ("trick_paper_scissors", 4, {}),
    "trick_paper_scissors-3": ("trick_paper_scissors", 3, {}),
    "trick_paper_scissors-discard_face_up": ("trick_paper_scissors", 4, {"discard_face_up": "yes"}),
    "trick_paper_scissors-stars": ("trick_paper_scissors", 4, {"stars": "1-5:1 6-10:2 11-13:3"}),
    "trick_paper_scissors-deals": ("trick_paper_scissors", 4, {"deals": 4, "first_dealer": "random"}),
    "rummy": ("rummy", 2, {}),
    "rummy-6": ("rummy", 6, {"round_limit": 9}),
    "rummy-threshold": ("rummy", 3, {"threshold": 20}),
    "rummy-threshold_suffices": ("rummy", 3, {"threshold": 30, "threshold_suffices": "yes"}),
    "rummy-games": ("rummy", 4, {"games": 2, "threshold": 10, "round_limit": 20}),
    "rummy-earliest_laying_round": ("rummy", 2, {"earliest_laying_round": 5, "threshold": 0}),
    "hearts": ("hearts", 4, {"target": 50}),
    "hearts-passing": ("hearts", 4, {"pass_order": "left_right_across", "moon_counts": "shooter_chooses", "jack_of_diamonds": "yes"}),
    "hearts-points": ("hearts", 4, {"pass_order": "never", "points_in_first_trick": "yes", "breaking": "not_needed", "no_tricks_bonus": "yes"}),
    "hearts-leads": ("hearts", 4, {"lead_any_club": "yes", "breaking": "by_a_heart_or_the_queen", "hearts_instead_of_queen": "yes"}),
    "spades": ("spades", 4, {"losing_score": -300}),
    "spades-nil": ("spades", 4, {"nil_points": 50, "failed_nil": "helps_partner", "blind_nil": "yes", "first_dealer": "random"}),
    "spades-bags": ("spades", 4, {"target": 200, "bags_for_penalty": 3, "bag_penalty": 50, "least_together": 4, "breaking": "not_needed"}),
    "cascade": ("cascade", 2, {}),
    "cascade-4": ("cascade", 4, {"games": 1}),
    "cascade-hand_sizes": ("cascade", 3, {"hand_sizes": "2,3,4"}),
}


def told(title: str) -> str:
    """The match as text: every event in notation, the seat and its legal choices, and what the log says."""
    name, players, options = SET_UPS[title]
    game = GAMES[name]
    names = NAMES[:players]
    s, rng = plain.begin(game, players, options), [seeded(1, 0)]
    lines = [f"{game.title} version {game.version}, {players} players: {', '.join(names)}", f"options: {json.dumps(plain.options_of(game, s))}", ""]
    words = words_of(game)
    rows: list[Row] = []
    act: list[Step] = []
    events = 0
    while s.phase != OVER and (events < SHORT or title in GAMES):
        event, before = next_event(game, s, rng), plain.copy_of(s)
        plain.step(game, s, event)
        events += 1
        text = plain.write(game, before, event)
        if isinstance(event, int):
            notation = plain.notation_of(game, before)
            legal = " | ".join(notation[each] for each in members(game.legal(before)))
            text = f"{names[before.turn]}: {text}    of {legal}"
        lines.append(text)
        act.append(Step(before, event, plain.copy_of(s)))
        if is_act_over(game, act[-1]):
            lines += [f"    {each}" for each in words.log(events_of(game, act, OPEN), names, OPEN)]
            act = []
        rows += [row] if (row := finished_round(game, before, s)) else []
    lines += ["", *score_sheet(words, names, rows, s.score[:players])]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def split(text: str) -> tuple[list[str], str]:
    """Split a file into its why lines and the match."""
    whys = [line for line in text.splitlines() if line.startswith("why: ")]
    return whys, text.partition("\n\n")[2]


@pytest.mark.parametrize("title", SET_UPS)
def test_a_golden_game_is_still_played_the_same(title: str) -> None:
    whys, match = split((FOLDER / f"{title}.txt").read_text())
    assert whys
    assert told(title) == match


def test_no_game_and_no_option_is_without_a_golden_game() -> None:
    for name, game in GAMES.items():
        assert name in SET_UPS
        covered = {option for played, _, options in SET_UPS.values() if played == name for option in options}
        assert covered == set(game.options)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SET_UPS)


def write_anew(why: str) -> None:
    """Write every file that has changed, with a line that says why."""
    FOLDER.mkdir(exist_ok=True)
    for title in SET_UPS:
        path, match = FOLDER / f"{title}.txt", told(title)
        whys, before = split(path.read_text()) if path.exists() else ([], "")
        if before != match:
            path.write_text("\n".join([*whys, f"why: {why}"]) + "\n\n" + match)
            print(f"{path.name} written")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit('Say why: python tests/test_playthroughs.py "what changed and why"')
    arguments: Any = sys.argv
    write_anew(arguments[1])
