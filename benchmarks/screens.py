"""``PYTHONPATH=tests python benchmarks/screens.py``: screenshots of every screen, on a phone, a tablet and a desktop, into docs/screens.

They are for people to look at; no test compares them."""

from __future__ import annotations

import argparse
import base64
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browsing import DESK, PHONE, TABLET, Person, browsing, play
from playwright.sync_api import Browser, expect
from serving import Server, serving, wait_for

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
DEVICES = {"phone": PHONE, "desk": DESK}
QUALITY, MOST = 60, 60_000
"""WebP quality of a screenshot, and its maximum size in bytes."""


class Album:
    """The screenshots of one run."""

    def __init__(self, browser: Browser, server: Server, folder: Path) -> None:
        self.browser, self.server, self.folder = browser, server, folder

    def person(self, name: str = "Ann", **settings: Any) -> Person:
        """A person who opens tables with these settings."""
        return Person(self.browser, name, self.server.url, **settings)

    def take(self, person: Person, name: str, theme: str = "light", tablet: bool = False) -> None:
        """Take screenshots of a person's page on every device."""
        person.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        for device, size in {**DEVICES, **({"tablet": TABLET} if tablet else {})}.items():
            person.resize(size)
            person.page.evaluate("() => Promise.all([...document.images].map((each) => each.decode().catch(() => {})))")
            person.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            session = person.context.new_cdp_session(person.page)
            for quality in (QUALITY, 40, 20):
                picture = base64.b64decode(session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})["data"])
                if len(picture) <= MOST:
                    break
            (self.folder / f"{name}-{device}.webp").write_bytes(picture)
        person.page.emulate_media(color_scheme="light")
        person.resize(DESK)

    # ---- the screens

    def before(self) -> None:
        """The home page, the waiting room, the rules."""
        ann, bo = self.person(public=True), self.person("Bo")
        ann.page.goto(ann.url)
        expect(ann.page.get_by_text("Cascade", exact=True)).to_be_visible()
        self.take(ann, "home", tablet=True)
        self.take(ann, "home-dark", "dark")
        code = ann.open_table("Plump")
        bo.sit_down(code)
        expect(ann.page.locator(".ws").get_by_text("Bo", exact=True)).to_be_visible()
        ann.page.get_by_label("Level").last.select_option("house")
        self.take(ann, "waiting-room", tablet=True)
        bo.page.goto(f"{bo.url}/rules/plump")
        expect(bo.page.get_by_role("heading", level=1)).to_be_visible()
        self.take(bo, "rules")
        self.close(ann, bo)

    def plump(self) -> None:
        """A barred bid, a trick, the score sheet, and the round of one card."""
        ann = self.person(options={"first_dealer": 0})
        ann.play_now("Plump")
        expect(ann.page.locator(".bid.no").first).to_be_visible()
        self.take(ann, "plump-bid", tablet=True)
        self.take(ann, "plump-bid-dark", "dark")
        play([ann], lambda: ann.is_in_a_trick and ann.page.locator("#last").count() > 0)
        self.take(ann, "plump-trick", tablet=True)
        self.take(ann, "plump-trick-dark", "dark")
        play([ann], lambda: ann.page.locator(".side .sheet tbody tr").count() > 1 and ann.can_act)
        ann.page.keyboard.press("s")
        self.take(ann, "score-sheet")
        many = self.person(players=5, levels=["house"] * 4)
        many.play_now("Plump")
        play([many], lambda: many.can_act and many.page.get_by_text("forehead").count() > 0)
        self.take(many, "plump-one-card")
        self.close(ann, many)

    def others(self) -> None:
        """A table of each of the other games, and its end."""
        middle: dict[str, tuple[str, dict[str, Any], Callable[[Person], bool]]] = {
            "up-and-down": ("Up and Down", {}, lambda each: each.is_in_a_trick and each.page.locator("#last").count() > 0),
            "trick-paper-scissors": ("TrickPaperScissors", {}, lambda each: each.is_in_a_trick and each.page.locator("#last").count() > 0),
            "rummy": (
                "Rummy",
                {"options": {"round_limit": 30}},
                lambda each: each.page.locator(".mm li").count() > 2 and each.can_act,
            ),
            "hearts": ("Hearts", {"options": {"target": 20}}, lambda each: each.is_in_a_trick and each.page.locator("#last").count() > 0),
            "spades": ("Spades", {"options": {"target": 50}}, lambda each: each.is_in_a_trick and each.page.locator("#last").count() > 0),
            "cascade": ("Cascade", {"options": {"games": 1}}, lambda each: each.page.locator(".tri .laid").count() > 18 and each.can_act),
        }
        for name, (title, settings, is_typical) in middle.items():
            ann = self.person(**settings)
            code = ann.play_now(title)
            play([ann], lambda ann=ann, is_typical=is_typical: ann.is_done or is_typical(ann))  # type: ignore[misc]
            self.take(ann, name, tablet=name != "up-and-down")
            ann.play_on()
            wait_for(lambda ann=ann: ann.is_done, "the end")  # type: ignore[misc]
            self.take(ann, f"{name}-end")
            if name == "up-and-down":
                ann.page.goto(f"{ann.url}/t/{code}/replay")
                expect(ann.page.get_by_role("slider")).to_be_visible()
                for _ in range(12):
                    ann.page.keyboard.press("ArrowRight")
                self.take(ann, "replay")
            self.close(ann)

    def unusual(self) -> None:
        """A bot that has taken over for a player, and a lost connection."""
        ann, bo = self.person(players=4, grace=0), self.person("Bo")
        code = ann.open_table("Up and Down")
        bo.sit_down(code)
        ann.deal()
        play([ann, bo], lambda: ann.is_in_a_trick)
        bo.page.goto(bo.url)
        expect(ann.page.get_by_role("status").filter(has_text="A bot plays for Bo")).to_be_visible()
        self.take(ann, "bot-took-over")
        self.server.kill()
        ann.is_cut_off()
        self.take(ann, "connection-lost")
        self.close(ann, bo)

    def watching(self) -> None:
        """Bots that play each other, with their thoughts; a hint; the keyboard shortcuts; Swedish."""
        ann = self.person()
        ann.page.goto(f"{ann.url}/watch/rummy?seed=1")
        ann.page.get_by_role("button", name="Pause").click()
        ann.page.get_by_role("button", name="Thoughts").click()
        expect(ann.page.locator(".thought")).to_be_visible()
        for _ in range(40):
            ann.page.keyboard.press("ArrowRight")
        self.take(ann, "watch")
        ann.play_now("Plump", "club")
        play([ann], lambda: ann.is_in_a_trick and ann.page.locator(".hand .card.legal").count() > 1)
        ann.page.keyboard.press("h")
        expect(ann.page.locator("#prompt")).to_contain_text(":")
        self.take(ann, "hint")
        ann.page.keyboard.press("?")
        self.take(ann, "keys")
        ann.page.keyboard.press("Escape")
        ann.page.get_by_role("button", name="Menu").click()
        self.take(ann, "menu")
        ann.page.get_by_label("Language").select_option("sv")
        ann.page.keyboard.press("Escape")
        self.take(ann, "swedish")
        self.close(ann)

    def close(self, *people: Person) -> None:
        """Close the browser contexts of some people."""
        for each in people:
            each.context.close()


def main() -> None:
    """Take all screenshots, or those of some screens."""
    parser = argparse.ArgumentParser(description="Pictures of every screen.")
    parser.add_argument(
        "screens", nargs="*", default=["before", "plump", "others", "watching", "unusual"], help="some of before, plump, others, watching, unusual"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for screens in asked.screens:
        with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server, browsing() as browser:
            getattr(Album(browser, server, asked.folder), screens)()
    sizes = [path.stat().st_size for path in asked.folder.glob("*.webp")]
    print(f"{len(sizes)} pictures, {sum(sizes) / 1e6:.2f} MB, the largest {max(sizes) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
