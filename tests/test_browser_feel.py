"""The feel of the page: cards can be dragged, or return; the order of the hand is kept; nothing moves with reduced motion."""

from __future__ import annotations

from typing import Any

from browsing import Person
from playwright.sync_api import Browser, Page, expect
from serving import Server, wait_for

HAND = "[...document.querySelectorAll('.hand .card')].map((each) => each.dataset.card)"
COUNT_MOVES = """() => {
  window.moves = 0
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...how) { window.moves += 1; return animate.apply(this, how) }
}"""


def hand(page: Page) -> list[str]:
    """The cards of the hand, from left to right."""
    cards: list[str] = page.evaluate(HAND)
    return cards


def drag(page: Page, card: str, to: Any) -> None:
    """Drag a card by its corner to the middle of an element."""
    box, goal = page.locator(f'[data-card="{card}"]').bounding_box(), to.bounding_box()
    assert box and goal
    page.mouse.move(box["x"] + 12, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(goal["x"] + min(goal["width"] / 2, 60), goal["y"] + min(goal["height"] / 2, 90), steps=5)
    page.mouse.up()


def until_a_card_is_asked_for(ann: Person, kind: str) -> str:
    """Act until it is her turn to play a card and she holds one of this kind (``legal``, ``illegal``); return that card."""
    found = ann.page.locator(f".hand .card.{kind}")
    while True:
        wait_for(lambda: ann.can_act, "one's turn")
        if found.count() and not ann.page.locator(".bid").count():
            return str(found.first.get_attribute("data-card"))
        ann.act()


def test_a_card_is_dragged_onto_the_table_or_goes_back_and_says_why(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.play_now("Plump")
    table = ann.page.locator(".field-mid")
    no = until_a_card_is_asked_for(ann, "illegal")
    before = hand(ann.page)
    drag(ann.page, no, table)
    expect(ann.page.locator("#prompt")).to_contain_text("You must follow suit")
    assert hand(ann.page) == before
    yes = until_a_card_is_asked_for(ann, "legal")
    drag(ann.page, yes, table)
    expect(ann.page.locator(f'.hand [data-card="{yes}"]')).to_have_count(0)
    assert not ann.wrong


def test_the_hand_lies_as_it_was_laid_also_after_a_reload(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.play_now("Plump")
    until_a_card_is_asked_for(ann, "legal")
    first, *rest = hand(ann.page)
    drag(ann.page, rest[-1], ann.page.locator(f'[data-card="{first}"]'))
    laid = hand(ann.page)
    assert laid != [first, *rest], "the last card lies elsewhere"
    assert [card for card in laid if card != rest[-1]] == [first, *rest[:-1]], "and only it"
    ann.page.reload()
    expect(ann.page.locator("#prompt")).to_be_visible()
    wait_for(lambda: hand(ann.page) == laid, "the hand as it was")
    expect(ann.page.get_by_role("button", name="Sort: By hand")).to_be_visible()


def test_nothing_moves_for_who_wants_it_still(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.play_now("Plump")
    ann.page.evaluate(COUNT_MOVES)
    for _ in range(3):
        until_a_card_is_asked_for(ann, "legal")
        ann.act()
    assert ann.page.evaluate("window.moves") == 0
    ann.page.emulate_media(reduced_motion="no-preference")
    until_a_card_is_asked_for(ann, "legal")
    ann.act()
    wait_for(lambda: ann.page.evaluate("window.moves") > 0, "a card that moves")


COUNT_PICTURES = """
window.pictures = 0
const keep = URL.createObjectURL
URL.createObjectURL = (drawn) => { window.pictures += 1; return keep(drawn) }
"""
UNDRAWN = "() => [...document.querySelectorAll('.hand img')].filter((each) => !each.complete || !each.naturalWidth).map((each) => each.src)"


def test_the_pictures_of_all_cards_are_there_before_they_are_needed(server: Server, browser: Browser) -> None:
    """Otherwise a card shown for the first time would be blank for a moment, or for long without a connection."""
    ann = Person(browser, "Ann", server.url)
    ann.context.add_init_script(COUNT_PICTURES)
    ann.home("Plump")
    wait_for(lambda: ann.page.evaluate("window.pictures") == 52, "all pictures")
    ann.page.route("**/faces/**", lambda route: route.abort())
    ann.page.get_by_role("button", name="Play Plump now").click()
    wait_for(lambda: ann.page.locator(".hand img").count() and ann.page.evaluate(UNDRAWN) == [], "a hand that can be seen")
    assert [asked for asked in ann.asked if "/faces/" in asked] == [f"{server.url}/faces/four.json"]


def test_if_the_pictures_do_not_come_all_at_once_each_is_fetched_when_it_is_shown(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.page.route("**/faces/*.json", lambda route: route.abort())
    ann.play_now("Plump")
    wait_for(lambda: ann.page.locator(".hand img").count() and ann.page.evaluate(UNDRAWN) == [], "a hand that can be seen")
    assert ann.wrong == []
