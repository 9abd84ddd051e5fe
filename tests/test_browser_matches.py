"""Whole matches of each game in several browsers, with bots: one player reloads in mid-trick, one loses her connection, the server is killed;
all see the same result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browsing import DESK, PHONE, Line, Person, ended, play, whose_turn
from playwright.sync_api import Browser, expect
from serving import Server, serving, wait_for

from kortlek.game.registry import GAMES
from kortlek.words.words import words_of


@dataclass(frozen=True)
class Short:
    """A short match of a game, as set up in the waiting room; bots fill the other seats."""

    title: str
    seats: int
    options: dict[str, str] = field(default_factory=dict)


MATCHES = {
    "plump": Short("Plump", 10),
    "up_and_down": Short("Up and Down", 3, {"how many cards the largest round has": "3"}),
    "trick_paper_scissors": Short("TrickPaperScissors", 4),
    "rummy": Short("Rummy", 3, {"after how many rounds a game is drawn": "8", "what the first melds of a player must be worth more than": "12"}),
    "cascade": Short("Cascade", 3, {"how many games a match has": "1"}),
}


def sit_together(ann: Person, bo: Person, short: Short) -> str:
    """Ann opens a table, Bo follows its link, a bot gets the last seat, and the match begins. Return the table's code."""
    code = ann.open_table(short.title)
    ann.seats(short.seats)
    for about, value in short.options.items():
        ann.option(about, value)
    bo.sit_down(code)
    for about, value in short.options.items():
        expect(bo.page.get_by_label(about)).to_have_value(value)
    expect(ann.page.locator(".ws").get_by_text("Bo", exact=True)).to_be_visible()
    ann.page.get_by_label("Level").last.select_option("house")
    expect(bo.page.get_by_text("house bot", exact=True)).to_be_visible()
    ann.deal()
    return code


def reload_in_mid_trick(people: list[Person]) -> None:
    """A player about to play to a trick reloads the page, and sees the same cards. (Of two players, one always plays later in a trick.)"""
    play(people, lambda: any(each.is_in_a_trick for each in people))
    one = next(each for each in people if each.is_in_a_trick)
    before = one.cards()
    one.page.reload()
    whose_turn([one])
    assert one.cards() == before


def lose_the_connection(ann: Person, bo: Person, line: Line) -> None:
    """Bo's connection is cut; Ann plays on, and Bo reconnects without a reload."""
    play([bo], lambda: ann.can_act)
    line.cut()
    bo.is_cut_off()
    play([ann], lambda: not ann.can_act)
    line.mend()
    bo.is_back()


def act_unheard(one: Person, server: Server, code: str, cut: Callable[[], None], mend: Callable[[], None]) -> None:
    """A player chooses while she is disconnected; the choice is sent when the connection is back."""
    before = server.get(f"/api/tables/{code}")["seq"]
    cut()
    one.is_cut_off()
    for _ in range(2):  # a card or a number, and its confirmation
        wait_for(one.act, "something to choose")
    mend()
    wait_for(lambda: server.get(f"/api/tables/{code}")["seq"] > before, "what was chosen while the line was cut")


def test_options_that_are_changed_one_after_the_other_are_all_changed(server: Server, browser: Browser) -> None:
    line = Line(server.port)
    ann = Person(browser, "Ann", line.url)
    code = ann.open_table(MATCHES["rummy"].title)
    line.cut()  # so that nothing is answered before all options are changed
    ann.is_cut_off()
    for about, value in MATCHES["rummy"].options.items():
        ann.option(about, value)
    line.mend()
    wait_for(lambda: {server.show(code)["options"][each] for each in ("round_limit", "threshold")} == {8, 12}, "both options")
    line.close()


@pytest.mark.parametrize("game", MATCHES)
def test_people_and_bots_play_a_match_whatever_breaks_and_see_the_same(game: str, browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        line = Line(server.port)
        ann, bo = people = [Person(browser, "Ann", server.url, DESK), Person(browser, "Bo", line.url, PHONE)]
        code = sit_together(ann, bo, MATCHES[game])
        reload_in_mid_trick(people)
        lose_the_connection(ann, bo, line)
        play([ann], lambda: bo.can_act)
        act_unheard(bo, server, code, line.cut, line.mend)
        act_unheard(whose_turn(people), server, code, server.kill, server.start)
        for each in people:
            each.play_on()
        wait_for(lambda: all(each.is_done for each in people), "the end")

        show, points = ended(server, code)
        winners = {show["seats"][seat]["name"] for seat in show["match"]["winners"]}
        for each in people:
            podium = each.podium()
            assert dict(podium) == points
            assert {name for name, _ in podium[: len(winners)]} == winners
            assert each.sheet() == sheet_of(game, show)
            assert each.foreign_requests() == []
            assert each.wrong == []
        line.close()


def sheet_of(game: str, show: dict[str, Any]) -> list[list[str]]:
    """The score sheet in words, row by row."""
    words, sheet = words_of(GAMES[game]), show["sheet"]
    rows = [[str(row["row"]), *(words.text("sheet-cell", **cell) for cell in row["cells"])] for row in sheet["rows"]]
    return [[words.text("sheet-title"), *show["names"]], *rows, [words.text("sheet-total"), *map(str, sheet["total"])]]
