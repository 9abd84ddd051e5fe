"""Simulated people who use the page in a real browser. They find elements by role, label and class, and know no rules of any game."""

from __future__ import annotations

import json
import re
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from chromium import MISSING, arguments, find
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright
from serving import DEADLINE, Server, free_port, wait_for

PHONE, TABLET, DESK = (390, 844), (820, 1180), (1440, 900)
SHORT = (390, 553)
"""The viewport that the bars of a mobile browser leave."""
PLAIN_HOST = "kortlek.test"
"""A name of this machine for the browser. It is not localhost, so that http is not secure there, as at an address of a home network."""
EAGER: dict[str, Any] = {"pace": 0, "grace": 86400}
"""Bots choose without a pause, and do not take over for people who are away."""
LOST = re.compile("connection .*lost|connection lost", re.IGNORECASE)
expect.set_options(timeout=DEADLINE * 1000)

# The ids of requests on the socket that have no answer yet. The page sends them again on a new socket, and loses them at a reload.
ASKED = """
const lines = window.WebSocket
window.unanswered = new Set()
window.WebSocket = class extends lines {
  constructor(...where) {
    super(...where)
    window.unanswered.clear()
    this.addEventListener('message', (got) => {
      const { id, done } = JSON.parse(got.data)
      window.unanswered.delete(done ?? id)
    })
  }
  send(text) {
    if (JSON.parse(text).id) window.unanswered.add(JSON.parse(text).id)
    super.send(text)
  }
}
"""
# The element to click next, unless a request is pending: the first kind of element that is offered, in this order.
PICK = """(turn) => {
  if (window.unanswered.size) return null
  const can = (each) => each.checkVisibility() && !each.disabled && each.ariaDisabled !== 'true' && !each.closest('.ending')
  const kinds = ['.btn.primary', '.bid', 'button.pl.open', 'button.meld.open', '.kinds .btn', '.hand .card.legal', '.choices .btn',
    'button.zone.open', '.zone .tap', '.zone .name', '.pick', '.btn.draw']
  const found = kinds.map((kind) => [...document.querySelectorAll(`main ${kind}`)].filter(can)).find((each) => each.length) ?? []
  return found[turn % found.length] ?? null
}"""
# Whether some players, but not all, have played to the trick. The page shows a finished trick for a moment before the next one.
IN_A_TRICK = """async () => {
  const lie = () => document.querySelectorAll('.trick .played .card').length
  while (lie() > document.querySelectorAll('.seat').length) await new Promise((done) => setTimeout(done, 20))
  return !document.querySelector('.trick') || (!document.querySelector('.bid') && lie() > 0)
}"""
# Click on what is offered as soon as it is offered, until the end of the match.
PLAY_ON = f"""() => {{
  let turn = 0
  const going = setInterval(() => document.querySelector('.ending') ? clearInterval(going) : ({PICK})(turn++)?.click(), 40)
}}"""
CARDS = """() => [...document.querySelectorAll('.hand button, :is(.trick .played, .tri .laid, .melds) :is([role=img], img)')]
  .map((each) => each.ariaLabel ?? each.alt)"""
SHEET = """sheet => [...sheet.rows].map((row) => [...row.cells]
  .map((cell) => cell.textContent.trim().replaceAll('\u00a0', ' ') + (cell.querySelector('.moon') ? '🌑' : '')))"""
# The log draws a card as a picture and names it in hidden text; drop the picture.
LOG = """() => [...document.querySelectorAll('.side .log li')].map((line) => {
  const copy = line.cloneNode(true)
  copy.querySelectorAll('[aria-hidden]').forEach((each) => each.remove())
  return copy.textContent.trim()
})"""
# Collect every sentence that is put into the live region.
LISTEN = """
window.told = []
const tell = (node) => { const text = node.textContent.trim(); if (text) window.told.push(text) }
new MutationObserver((changes) => {
  for (const change of changes) {
    if (!change.target.parentElement?.closest('[role=log]') && !change.target.closest?.('[role=log]')) continue
    if (change.type === 'characterData') tell(change.target)
    else change.addedNodes.forEach(tell)
  }
}).observe(document, { subtree: true, childList: true, characterData: true })
"""


# Add settings that the page does not offer to the request that opens a table. (Playwright could change the request itself, but would then intercept
# all requests and disable the browser's cache.)
SETTINGS = """
const ask = window.fetch
const changed = (how) => ({ ...how, body: JSON.stringify({ ...JSON.parse(how.body), ...settings }) })
window.fetch = (path, how) => ask(path, path === '/api/tables' && how?.body ? changed(how) : how)
"""


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser, closed at the end of the block."""
    with sync_playwright() as playwright:
        path = find(playwright.chromium.executable_path)
        assert path, MISSING
        browser = playwright.chromium.launch(executable_path=path, args=[*arguments(), f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1"])
        try:
            yield browser
        finally:
            browser.close()


class Line:
    """A proxy between a browser and a server that can be cut: every connection breaks, and no new one is accepted until it is mended."""

    def __init__(self, port: int) -> None:
        self.port, self._to = free_port(), port
        self.url = f"http://127.0.0.1:{self.port}"
        self._is_cut = threading.Event()
        self._open: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near = self._listening.accept()[0]
                try:
                    if self._is_cut.is_set():
                        raise ConnectionRefusedError
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()
                    continue
                threading.Thread(target=self._pass, args=(near, far), daemon=True).start()

    def _pass(self, near: socket.socket, far: socket.socket) -> None:
        self._open |= {near, far}
        with near, far, suppress(OSError):
            while not self._is_cut.is_set():
                for ready in select.select([near, far], [], [], 0.05)[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    (far if ready is near else near).sendall(data)

    def cut(self) -> None:
        """Break every connection and refuse new ones."""
        self._is_cut.set()
        for each in list(self._open):
            with suppress(OSError):  # may be closed already
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def mend(self) -> None:
        """Accept connections again."""
        self._is_cut.clear()

    def close(self) -> None:
        """Stop the proxy."""
        self.cut()
        self._listening.close()


class Person:
    """A simulated person with a browser context of her own. ``asked`` lists every URL that the page requested, ``wrong`` every script error.
    Tables that she opens get ``settings``, which the page itself does not offer."""

    def __init__(self, browser: Browser, name: str, url: str, size: tuple[int, int] = DESK, *, still: bool = True, **settings: Any) -> None:
        self.name, self.url, self._settings, self._turn = name, url, {**EAGER, **settings}, 0
        motion: Literal["reduce", "no-preference"] = "reduce" if still else "no-preference"
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB", reduced_motion=motion)
        self.context.set_default_timeout(DEADLINE * 1000)
        self.context.add_init_script(ASKED)
        self.context.add_init_script(LISTEN)
        self.context.add_init_script(f"const settings = {json.dumps(self._settings)}; {SETTINGS}")
        self.page: Page = self.context.new_page()
        self.asked: list[str] = []
        self.wrong: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("websocket", lambda line: self.asked.append(line.url))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the viewport."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    # ---- before the match

    def home(self, title: str) -> None:
        """Open the home page, enter the name and choose a game."""
        self.page.goto(self.url)
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("radiogroup").get_by_text(title, exact=True).click()

    def play_now(self, title: str, level: str = "house") -> str:
        """Start a match against bots; return the table's code."""
        self.home(title)
        self.page.get_by_label("Level").select_option(level)
        self.page.get_by_role("button", name=f"Play {title} now").click()
        expect(self.page.locator("#prompt")).to_be_visible()
        return self.code

    def open_table(self, title: str) -> str:
        """Open a table for friends; return its code."""
        self.home(title)
        self.page.get_by_role("button", name="Create a table").click()
        expect(self.page.get_by_role("heading", name="Ask friends in")).to_be_visible()
        return self.code

    def seats(self, many: int) -> None:
        """Set the number of seats."""
        self.page.get_by_label("Seats").select_option(str(many))
        expect(self.page.locator(".ws")).to_have_count(many)

    def option(self, about: str, value: str) -> None:
        """Set an option, found by its label."""
        field = self.page.get_by_label(about)
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
            field.press("Tab")

    def sit_down(self, code: str) -> None:
        """Follow the link to a table, and sit down in the first free seat."""
        self.page.goto(f"{self.url}/t/{code}")
        self.page.get_by_label("Your name").fill(self.name)
        self.page.locator(".ws", has_text="Free seat").first.get_by_role("button", name="Sit down").click()
        expect(self.page.get_by_role("button", name="Stand up")).to_be_visible()

    def deal(self) -> None:
        """Start the match."""
        self.page.get_by_role("button", name="Deal the cards").click()

    @property
    def code(self) -> str:
        """The code of her table."""
        self.page.wait_for_url("**/t/*")
        return self.page.url.rpartition("/")[2]

    # ---- the match

    @property
    def can_act(self) -> bool:
        """Whether the page offers her something to click, and no request is pending."""
        return bool(self.page.evaluate(f"() => ({PICK})(0) !== null"))

    @property
    def has_acted(self) -> bool:
        """Whether she has clicked on anything yet."""
        return self._turn > 0

    @property
    def is_in_a_trick(self) -> bool:
        """Whether it is her turn and others have played to the trick before her; in a game without tricks, whether she has acted before."""
        return self._turn > 2 and self.can_act and bool(self.page.evaluate(IN_A_TRICK))

    @property
    def is_done(self) -> bool:
        """Whether the page shows the end of the match."""
        return bool(self.page.evaluate("() => document.querySelector('.ending') !== null"))

    def act(self) -> bool:
        """Click on what is offered, each time on the next of several equal elements. Return whether there was anything to click."""
        handle = self.page.evaluate_handle(PICK, self._turn)
        try:
            picked = handle.as_element()
            if picked is None:
                return False
            self._turn += 1
            corner: dict[Literal["position"], Any] = {"position": {"x": 12, "y": 20}} if picked.get_attribute("data-card") else {}
            picked.click(timeout=500, **corner)
        except Error:  # the element may be gone by now
            return False
        finally:
            handle.dispose()  # otherwise the page could not release the element
        return True

    def play_on(self) -> None:
        """Let a script in the page act for her until the match is over, faster than with mouse clicks."""
        self.page.evaluate(PLAY_ON)

    def cards(self) -> list[str]:
        """The cards of her hand and those on the table, as a screen reader names them."""
        return [str(each) for each in self.page.evaluate(CARDS)]

    def is_cut_off(self) -> None:
        """Expect the page to say that the connection is lost."""
        expect(self.page.get_by_role("status").filter(has_text=LOST)).to_be_visible()

    def is_back(self) -> None:
        """Expect the page no longer to say that the connection is lost."""
        expect(self.page.get_by_role("status").filter(has_text=LOST)).to_be_hidden()

    def podium(self) -> list[tuple[str, int]]:
        """The final ranking: names and points, from the top."""
        lines = self.page.get_by_role("region", name="The match is over").locator("ol > li").all_inner_texts()
        found = [re.search(r"([A-Z][a-z]+)\b.*?(-?\d+) point", line, re.DOTALL) for line in lines]
        return [(each[1], int(each[2])) for each in found if each]

    def sheet(self) -> list[list[str]]:
        """The score sheet, row by row. On a phone it has to be opened first."""
        pill = self.page.get_by_role("button", name="Score sheet")
        if pill.is_visible():
            pill.click()
        found: list[list[str]] = self.page.locator("table.sheet:visible").last.evaluate(SHEET)
        if pill.is_visible():
            self.page.get_by_role("button", name="Close").click()
        return found

    def state(self) -> str:
        """What she reads and whether she can act, for the message of a test that fails."""
        prompt = " ".join(self.page.get_by_role("status").all_inner_texts())
        waits = "waits" if self.page.evaluate("() => window.unanswered.size > 0") else "does not wait"
        return f"{self.name} reads {prompt!r}, {'can' if self.can_act else 'cannot'} act, {waits} for an answer"

    def log(self) -> list[str]:
        """The log of the match, newest first, as a screen reader reads it."""
        lines: list[str] = self.page.evaluate(LOG)
        return lines

    def told(self) -> list[str]:
        """Every sentence put into the live region since the page was loaded."""
        return [str(each) for each in self.page.evaluate("() => window.told")]

    def foreign_requests(self) -> list[str]:
        """Requested URLs that are not of the server that the page came from."""
        own = self.url.partition("//")[2]
        return [url for url in self.asked if not re.match(rf"(http|ws|blob:http)://{re.escape(own)}/", url) and not url.startswith("data:")]


def play(people: list[Person], until: Callable[[], Any]) -> None:
    """Let everyone click on what the page offers, until the condition holds."""
    end = time.monotonic() + 4 * DEADLINE
    while not until():
        assert time.monotonic() < end, f"the match stands still: {[each.state() for each in people]}"
        if not sum(each.act() for each in people):
            people[0].page.wait_for_timeout(30)


def whose_turn(people: list[Person]) -> Person:
    """Wait until one of these people can act, and return her."""
    return wait_for(lambda: next((each for each in people if each.can_act), None), "anybody's turn")  # type: ignore[no-any-return]


def ended(server: Server, code: str) -> tuple[dict[str, Any], dict[str, int]]:
    """A finished match as the server shows it to an onlooker, and everyone's points by name."""
    show: dict[str, Any] = server.show(code)
    assert show["status"] == "over"
    return show, {seat["name"]: points for seat, points in zip(show["seats"], show["match"]["score"])}
