"""Own games in the page: a file is served, and played to the end by clicking on what is offered. The page knows nothing of these games but what
their fields and choices declare."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import DESK, SHORT, Person, play
from examples import FOLDER, example
from examples import NAMES as EXAMPLES
from looking import faults
from playwright.sync_api import Browser, ConsoleMessage, expect
from serving import Server, serving, wait_for
from strange_game import STRANGE

from kortlek.game import Game, fewest_points

NAMES = [*EXAMPLES, "strange"]
FILES = [*(FOLDER / f"{name}.py" for name in EXAMPLES), Path(__file__).parent / "strange_game.py"]
SHORTER: dict[str, dict[str, int]] = {"bulls": {"target": 20}}
"""Options for games whose matches would be long."""
# What a player must see without scrolling before she can act: the question, her cards, and one element to click on.
SIGHT = """() => {
  const within = (each) => { const box = each.getBoundingClientRect(); return box.width > 0 && box.top >= 0 && box.bottom <= innerHeight + 1 }
  const cards = [...document.querySelectorAll('.hand .card')]
  const words = document.querySelector('#prompt')?.innerText.trim() || document.querySelector('.bidbox h2')?.innerText.trim()
  return {
    asked: Boolean(words),
    table: [...document.querySelectorAll('.seat, .me')].filter(within).length,
    lost: cards.filter((each) => !within(each)).map((each) => each.ariaLabel),
    scrolls: document.documentElement.scrollHeight - innerHeight,
    broken: [...document.images].filter((each) => each.complete && !each.naturalWidth).map((each) => each.src),
  }
}"""


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with every game of docs/examples, and the game of strange_game.py."""
    files = [argument for file in FILES for argument in ("--game", str(file))]
    with serving(tmp_path_factory.mktemp("own"), *files) as running:
        yield running


def game_of(name: str) -> Game[Any]:
    """The game of a file."""
    return STRANGE if name == "strange" else example(name)


def complaints(person: Person) -> list[str]:
    """Collect the errors and warnings of the browser's console from now on."""
    found: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            found.append(message.text)

    person.page.on("console", hear)
    return found


def in_sight(person: Person) -> None:
    """Check that nothing needed to act is out of sight, and that no image is broken."""
    seen = person.page.evaluate(SIGHT)
    assert seen["asked"], "there is a question"
    assert seen["table"] >= 2, "there are players"
    assert (seen["lost"], seen["broken"]) == ([], [])
    assert seen["scrolls"] <= 0


@pytest.mark.parametrize("name", NAMES)
def test_a_game_in_a_file_is_played_to_its_end(name: str, own_server: Server, browser: Browser) -> None:
    game = game_of(name)
    ann = Person(browser, "Ann", own_server.url, SHORT, options=SHORTER.get(name, {}))
    wrong = complaints(ann)
    code = ann.play_now(game.title)
    for size in (SHORT, DESK, SHORT):
        wait_for(lambda: ann.can_act or ann.is_done, "one's turn")
        if ann.is_done:
            break
        ann.resize(size)
        in_sight(ann)
        wait_for(ann.act, "something to choose")
    ann.play_on()
    wait_for(lambda: ann.is_done, "the end")
    show = own_server.show(code)
    winners = {show["names"][seat] for seat in show["match"]["winners"]}
    first = ann.page.locator(".ending .p1 .nm").all_inner_texts()
    assert {each for line in first for each in line.split(" & ")} >= winners
    if len(set(show["match"]["teams"])) == len(show["names"]):
        points = [points for _, points in ann.podium()]
        assert points == sorted(show["match"]["score"], reverse=game.payoff is not fewest_points), (
            "the best first, whether many points are good or few"
        )
    assert ann.sheet()[-1][1:] == [str(total) for total in show["sheet"]["total"]]
    assert (wrong, ann.wrong, ann.foreign_requests()) == ([], [], [])


@pytest.mark.parametrize("name", NAMES)
def test_the_screen_of_a_game_in_a_file_has_no_faults(name: str, own_server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", own_server.url)
    ann.play_now(game_of(name).title)
    for _ in range(2):
        wait_for(lambda: ann.can_act or ann.is_done, "one's turn")
        ann.act()
    assert faults(ann.page) == []


def test_cards_of_somebodys_own_are_text(own_server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", own_server.url)
    ann.play_now(example("wild_draw").title)
    wait_for(lambda: ann.can_act, "one's turn")
    assert ann.page.locator(".hand .textual").count() == 7
    assert ann.page.locator(".hand img").count() == 0
    assert all(label for label in ann.cards())


def test_who_has_chosen_waits_and_nobody_else_learns_of_it(own_server: Server, browser: Browser) -> None:
    ann, bo = Person(browser, "Ann", own_server.url), Person(browser, "Bo", own_server.url)
    code = ann.open_table(example("goofspiel").title)
    ann.seats(2)
    bo.sit_down(code)
    ann.deal()
    for each in (ann, bo):
        wait_for(lambda each=each: each.can_act, "a choice for both at once")  # type: ignore[misc]
    before, log = bo.page.locator("main").inner_text(), bo.log()
    play([ann], lambda: not ann.can_act)
    expect(ann.page.locator("#prompt")).to_have_text("You have chosen; waiting for the others")
    assert (bo.page.locator("main").inner_text(), bo.log()) == (before, log)
    play([bo], lambda: len(bo.log()) > len(log))
    assert {line.split()[0] for line in ann.log() if "bids" in line or "bid " in line} == {"You", "Bo"}


def test_there_is_room_for_thirteen(own_server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", own_server.url)
    ann.home("Strange")
    ann.page.get_by_label("Seats").select_option("13")
    ann.page.get_by_role("button", name="Play Strange now").click()
    for _ in range(3):
        wait_for(ann.act, "something to choose")
    wait_for(lambda: ann.can_act, "one's turn")
    assert ann.page.locator(".seat").count() == 12
    assert faults(ann.page) == []
    assert ann.wrong == []


def test_partners_are_marked(own_server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", own_server.url)
    ann.play_now("Spades")
    expect(ann.page.locator(".seat", has_text="Your partner")).to_have_count(1)
    colours = ann.page.evaluate("() => [...document.querySelectorAll('.team')].map((each) => getComputedStyle(each, '::before').backgroundColor)")
    assert sorted(map(colours.count, set(colours))) == [2, 2]
