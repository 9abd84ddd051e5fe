"""The page describes a match in the same words as the terminal: the same messages, by the same rules, in every language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import Person
from fluent.runtime import FluentBundle, FluentResource
from playwright.sync_api import Browser, expect
from serving import Server, wait_for

from kortlek.cards import FRENCH
from kortlek.engine.events import Event
from kortlek.game.registry import GAMES
from kortlek.words.words import Words

PAGE_WORDS = Path(__file__).parent.parent / "web" / "src" / "words"
MOMENTS = 50
"""How many moments of a match are compared at most."""
GO_TO = """(at) => {
  const range = document.querySelector('input[type=range]')
  range.value = at
  range.dispatchEvent(new Event('input', { bubbles: true }))
}"""


class Spoken(Words):
    """The words of a game, with cards named as the page names them."""

    def __init__(self, name: str, language: str) -> None:
        super().__init__(GAMES[name], language)
        self._page = FluentBundle([language], use_isolating=False)
        self._page.add_resource(FluentResource((PAGE_WORDS / f"{language}.ftl").read_text(encoding="utf-8")))

    def _say(self, id: str, **values: Any) -> str:
        pattern = self._page.get_message(id).value
        assert pattern is not None
        return str(self._page.format_pattern(pattern, values)[0])

    def card(self, card: int) -> str:
        """A card's name in the page."""
        name = self.game.pack.names[card]
        if name not in FRENCH:
            return super().card(card)
        return self._say("card-name", rank=self._say(f"rank-{name[1].replace('T', '10')}"), suit=self._say(f"suit-{name[0]}"))


def plainly(line: str) -> str:
    """A line without the separators between cards."""
    return " ".join(line.replace(",", " ").split())


@pytest.mark.parametrize("language", ["en", "sv"])
@pytest.mark.parametrize("name", ["plump", "up_and_down", "rummy", "cascade", "hearts", "spades"])
def test_the_page_words_events_as_the_terminal_does(name: str, language: str, server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    ann.page.goto(server.url)
    ann.page.evaluate("language => localStorage.setItem('kortlek', JSON.stringify({ language }))", language)
    ann.page.goto(f"{server.url}/watch/{name}?seed=5&players=4&bots=house")
    ann.page.get_by_role("button", name={"en": "Pause", "sv": "Pausa"}[language]).click()
    film = wait_for(lambda: known(server, name), "enough of a match")
    frames = film["frames"][:MOMENTS]
    wait_for(lambda: ann.page.evaluate("() => Number(document.querySelector('input[type=range]')?.max)") >= len(frames) - 1, "as much in the page")
    ann.page.evaluate(GO_TO, len(frames) - 1)
    expect(ann.page.get_by_role("slider")).to_have_value(str(len(frames) - 1))
    words = Spoken(name, language)
    expected = [plainly(line) for frame in frames for line in words.log([Event(**event) for event in frame["events"]], film["names"])]
    assert len(expected) > 10, "there is something to say"
    wait_for(lambda: len(ann.log()) == len(expected), "the whole log")
    assert [plainly(line) for line in reversed(ann.log())] == expected
    assert ann.wrong == []


def known(server: Server, name: str) -> dict[str, Any] | None:
    """The beginning of the match that the page watches, once the bots have played that far."""
    film: dict[str, Any] = server.get(f"/api/watch/{name}?seed=5&players=4&bots=house&seat=-2&from=0&many={MOMENTS}")
    return film if len(film["frames"]) >= MOMENTS or film["over"] else None
