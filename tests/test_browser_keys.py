"""A match by keyboard only, from the first page to the podium."""

from __future__ import annotations

from browsing import Person, ended
from playwright.sync_api import Browser, Page, expect
from serving import Server, wait_for

MAX_TABS = 80
"""How often Tab is pressed before the test gives up."""
# The element with the focus: its name, whether it is pressed, a card or a bid; and whether the focus is visible.
FOCUS = """() => {
  const at = document.activeElement
  const name = at === document.body ? '' : at.ariaLabel || at.labels?.[0]?.innerText || at.innerText || ''
  const line = (each) => each ? getComputedStyle(each) : { outlineStyle: 'none' }
  const marked = [at, at.closest('li, label, .game')].map(line).some((each) => each.outlineStyle !== 'none' && parseFloat(each.outlineWidth) >= 2)
  return { name: name.trim(), pressed: at.ariaPressed === 'true', card: at.dataset.card !== undefined, isBid: at.classList.contains('bid'), marked }
}"""


class Keys:
    """A person who uses only the keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def focus(self) -> dict[str, object]:
        found: dict[str, object] = self.page.evaluate(FOCUS)
        return found

    def tab_to(self, name: str, back: bool = False) -> None:
        """Press Tab until an element of this name has the focus; the focus must be visible all the way."""
        for _ in range(MAX_TABS):
            self.press("Shift+Tab" if back else "Tab")
            focus = self.focus
            assert focus["marked"] or not focus["name"], f"nobody sees that {focus['name']!r} has the focus"
            if any(line.startswith(name) for line in str(focus["name"]).splitlines()):
                return
        raise AssertionError(f"no Tab leads to {name!r}")

    def is_asked(self) -> bool:
        return self.page.locator(".bid").count() > 0 or self.page.locator(".hand .card.legal").count() > 0

    def choices(self) -> tuple[int, int]:
        """The number of cards in the hand, and of bids to choose from."""
        return self.page.locator(".hand .card").count(), self.page.locator(".bid").count()

    def bid(self) -> None:
        """Bid: B moves the focus to the first legal bid."""
        self.press("b", "Enter")
        assert self.focus["isBid"] and self.focus["pressed"]
        name = str(self.focus["name"])
        self.tab_to(name[0].upper() + name[1:])
        self.press("Enter")

    def card(self) -> None:
        """Play the first legal card, chosen by its number."""
        for number in "1234567890":
            self.press(number)
            focus = self.focus
            assert focus["card"] and focus["marked"]
            if focus["pressed"]:
                return self.press("Enter")
        raise AssertionError("no card can be played")


def test_a_match_is_played_by_keyboard_from_the_first_page_to_the_podium(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    page, keys = ann.page, Keys(ann.page)
    page.goto(server.url)
    expect(page.get_by_text("Up and Down", exact=True)).to_be_visible()
    keys.tab_to("Plump")
    keys.press("ArrowDown")
    expect(page.get_by_role("radio", name="Up and Down")).to_be_checked()
    keys.tab_to("Your name")
    page.keyboard.type("Ann")
    keys.tab_to("Level")
    page.keyboard.type("house")
    expect(page.get_by_label("Level")).to_have_value("house")
    keys.tab_to("Play Up and Down now")
    keys.press("Enter")
    expect(page.locator("#prompt")).to_be_visible()
    keys.press("Tab")
    assert keys.focus["name"] == "Text table"
    while True:
        wait_for(lambda: keys.is_asked() or ann.is_done, "one's turn")
        if ann.is_done:
            break
        before = keys.choices()
        keys.bid() if page.locator(".bid").count() else keys.card()
        wait_for(lambda before=before: ann.is_done or keys.choices() != before, "what was chosen")  # type: ignore[misc]
    keys.press("s")
    expect(page.get_by_role("dialog", name="Score sheet")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("dialog", name="Score sheet")).to_be_hidden()
    assert dict(ann.podium()) == ended(server, ann.code)[1]
    keys.tab_to("Play again")
    keys.press("Enter")
    expect(page.get_by_role("region", name="The match is over")).to_be_hidden()
