"""Every screen, in both themes: no violations found by axe, nothing wider than the screen, targets large enough; and all events are announced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import DESK, PHONE, Person, play
from looking import faults
from playwright.sync_api import Browser, expect
from serving import Server, serving, wait_for

MATCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "plump": ("Plump", {}),
    "up_and_down": ("Up and Down", {"options": {"largest_round": 3}}),
    "trick_paper_scissors": ("TrickPaperScissors", {}),
    "rummy": ("Rummy", {"options": {"round_limit": 6, "threshold": 12}}),
    "cascade": ("Cascade", {"options": {"games": 1}}),
}
"""The games, with options for a short match. Plump's match is long: its last screen looks like that of the others."""


def look(person: Person, *screen: str) -> None:
    """Check that the current screen has no faults."""
    found = faults(person.page)
    assert not found, "\n".join([*screen, *found])
    person.resize(DESK)


def test_the_screens_before_a_match(server: Server, browser: Browser) -> None:
    ann, bo = Person(browser, "Ann", server.url, public=True), Person(browser, "Bo", server.url)
    code = ann.open_table("Plump")
    look(ann, "the waiting room of its owner")
    bo.page.goto(f"{server.url}/t/{code}")
    expect(bo.page.get_by_role("button", name="Sit down").first).to_be_visible()
    look(bo, "the waiting room of a stranger")
    bo.sit_down(code)
    look(bo, "the waiting room of a guest")
    bo.page.goto(server.url)
    expect(bo.page.get_by_role("button", name="Continue")).to_be_visible()
    look(bo, "the first page")
    bo.page.get_by_role("button", name="Menu").click()
    look(bo, "the menu")
    for game in MATCHES:
        bo.page.goto(f"{server.url}/rules/{game}")
        expect(bo.page.get_by_role("heading", level=1)).to_be_visible()
        look(bo, "the rules of", game)
    bo.page.goto(f"{server.url}/t/nobody")
    expect(bo.page.get_by_role("alert")).to_be_visible()
    look(bo, "no such table")


@pytest.mark.parametrize("game", MATCHES)
def test_the_screens_of_a_match(game: str, server: Server, browser: Browser) -> None:
    title, settings = MATCHES[game]
    ann = Person(browser, "Ann", server.url, **settings)
    code = ann.play_now(title)
    wait_for(lambda: ann.can_act, "one's turn")
    look(ann, "the first choice")
    for _ in range(5):
        wait_for(ann.act, "one's turn")
    wait_for(lambda: ann.can_act, "one's turn")
    look(ann, "a later choice")
    if game == "plump":
        play([ann], lambda: ann.is_in_a_trick and ann.page.locator(".played.left").count() > 0)
        look(ann, "a trick with a card on the left")
        return
    ann.play_on()
    wait_for(lambda: ann.is_done, "the end")
    look(ann, "the end")
    ann.page.goto(f"{server.url}/t/{code}/replay")
    expect(ann.page.locator(".match")).to_be_visible()
    look(ann, "the replay")


@pytest.mark.parametrize("game", ["rummy", "trick_paper_scissors"])
def test_the_screen_on_which_bots_are_watched(game: str, server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.page.goto(f"{server.url}/watch/{game}?seed=1")
    ann.page.get_by_role("button", name="Pause").click()
    look(ann, "bots that are watched")
    ann.page.get_by_role("button", name="Thoughts").click()
    expect(ann.page.locator(".thought")).to_be_visible()
    look(ann, "and what they think")


def test_the_screens_in_swedish(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.page.goto(server.url)
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_label("Language").select_option("sv")
    expect(ann.page.locator("html")).to_have_attribute("lang", "sv")
    ann.page.keyboard.press("Escape")
    look(ann, "the first page")
    ann.page.get_by_label("Ditt namn").fill("Ann")
    ann.page.get_by_role("button", name="Spela").first.click()
    wait_for(lambda: ann.can_act, "one's turn")
    look(ann, "the first choice")


def test_what_can_be_opened_during_a_match(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.play_now("Plump")
    wait_for(lambda: ann.can_act, "one's turn")
    ann.page.keyboard.press("?")
    look(ann, "the keys")
    ann.page.keyboard.press("Escape")
    ann.page.get_by_role("button", name="Text table").last.click()
    look(ann, "the table in words")
    ann.page.get_by_role("button", name="Text table").last.click()
    ann.resize(PHONE)
    ann.page.get_by_role("button", name="Score sheet").click()
    look(ann, "the score sheet")
    ann.page.keyboard.press("Escape")


def test_the_screens_when_something_is_not_as_usual(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bo = people = [Person(browser, "Ann", server.url, players=3, grace=0, options={"largest_round": 3}), Person(browser, "Bo", server.url)]
        code = ann.open_table("Up and Down")
        bo.sit_down(code)
        ann.deal()
        play(people, lambda: ann.has_acted and bo.can_act)
        look(ann, "somebody else's turn")
        onlooker = Person(browser, "Cid", server.url)
        onlooker.page.goto(f"{server.url}/t/{code}")
        expect(onlooker.page.locator("#prompt")).to_be_visible()
        look(onlooker, "for somebody who looks on")
        play(people, lambda: ann.can_act)
        ann.page.keyboard.press("u")
        expect(bo.page.get_by_role("alertdialog")).to_be_visible()
        look(bo, "somebody asks to take a choice back")
        bo.page.get_by_role("alertdialog").get_by_role("button").last.click()
        expect(bo.page.get_by_role("alertdialog")).to_be_hidden()
        bo.page.goto(server.url)
        expect(ann.page.get_by_role("status").filter(has_text="A bot plays for Bo")).to_be_visible()
        look(ann, "a bot plays for somebody")
        server.kill()
        ann.is_cut_off()
        look(ann, "the connection is lost")


def test_whatever_happens_is_said_to_those_who_only_hear(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url, options={"largest_round": 2})
    ann.play_now("Up and Down")
    wait_for(lambda: ann.can_act, "one's turn")
    before = len(ann.log())
    ann.play_on()
    wait_for(lambda: ann.is_done, "the end")
    happened = ann.log()[: -before or None]
    assert len(happened) > 20
    said = ". ".join(ann.told()).replace(",", "")  # cards are named with a pause between them
    assert [line for line in happened if line.replace(",", "") not in said] == []


def test_no_page_asks_anybody_but_its_server(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url, options={"largest_round": 1})
    ann.play_now("Up and Down")
    ann.play_on()
    wait_for(lambda: ann.is_done, "the end")
    ann.page.goto(f"{server.url}/rules/rummy")
    expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
    assert len(ann.asked) > 10
    assert ann.foreign_requests() == []
    assert ann.wrong == []
