"""The page and the protocol: a lost frame, a reload and a lost connection leave the table and its log as they were; another version is reported."""

from __future__ import annotations

import json
from typing import Any

from browsing import Line, Person
from playwright.sync_api import Browser, WebSocketRoute, expect
from serving import Server, wait_for


class Tap:
    """Between the page and the server: it records what the page sends, and may drop one step or change the hello."""

    def __init__(self, person: Person, protocol: int | None = None) -> None:
        self.sent: list[dict[str, Any]] = []
        self.unanswered: set[str] = set()
        self.sockets, self.drops, self._protocol = 0, 0, protocol
        person.page.route_web_socket("**/socket", self._route)

    def _route(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()
        self.sockets += 1

        def forth(text: str | bytes) -> None:
            message = json.loads(text)
            self.sent.append(message)
            self.unanswered |= {message["id"]} if "id" in message else set()
            far.send(json.dumps(message | {"protocol": self._protocol}) if self._protocol and message["do"] == "hello" else text)

        def back(text: str | bytes) -> None:
            message = json.loads(text)
            if self.drops and message["type"] == "step" and message["seq"] > message["since"] and not message.get("done"):
                self.drops -= 1
            else:
                near.send(text)
                self.unanswered.discard(message.get("done") or message.get("id", ""))

        near.on_message(forth)
        far.on_message(back)

    def asked(self, do: str) -> int:
        """How many requests of this kind the page has sent."""
        return sum(message["do"] == do for message in self.sent)


def settled(person: Person) -> tuple[list[str], list[str]]:
    """What a person sees when she can act again: the cards and the log."""
    wait_for(lambda: person.can_act, "one's turn")
    return person.cards(), person.log()


def play_cards(person: Person, many: int) -> None:
    """Act until this many cards have been played."""
    hand = person.page.locator(".hand .card")
    wait_for(lambda: person.can_act, "one's turn")
    left = hand.count() - many
    while hand.count() > left:
        wait_for(person.act, "something to choose")
        person.page.wait_for_function("() => !window.unanswered.size")


def test_a_lost_step_is_made_up_for_by_one_snapshot(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    tap = Tap(ann)
    ann.play_now("Plump")
    settled(ann)
    assert tap.asked("sync") == 0
    tap.drops = 1
    play_cards(ann, 2)
    wait_for(lambda: ann.can_act and not tap.unanswered, "one's turn")
    cards, log = settled(ann)
    assert tap.drops == 0
    assert tap.asked("sync") == 1
    ann.page.reload()
    wait_for(lambda: ann.can_act and tap.asked("history") == 3 and not tap.unanswered, "the table and its past")
    assert settled(ann) == (cards, log)
    assert ann.wrong == []


def test_the_log_is_the_same_after_a_reload_and_after_a_lost_connection(server: Server, browser: Browser) -> None:
    line = Line(server.port)
    ann = Person(browser, "Ann", line.url)
    ann.play_now("Plump")
    play_cards(ann, 3)
    before = settled(ann)
    line.cut()
    ann.is_cut_off()
    line.mend()
    ann.is_back()
    assert settled(ann) == before
    ann.page.reload()
    cards, log = settled(ann)
    assert cards == before[0]
    assert log == [entry for entry in before[1] if entry in log]
    assert sum("plays" in entry or "played" in entry for entry in log) >= 9
    assert ann.told() == [], "what happened before is not announced"
    assert ann.wrong == []
    line.close()


def test_a_server_of_another_version_is_reported_and_not_asked_again(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url)
    code = ann.play_now("Plump")
    tap = Tap(ann, protocol=99)
    ann.page.clock.install()
    ann.page.goto(f"{server.url}/t/{code}")
    expect(ann.page.get_by_role("alert")).to_contain_text("Reload the page")
    expect(ann.page.get_by_role("button", name="Reload")).to_be_visible()
    ann.page.clock.run_for(60_000)
    assert tap.sockets == 1
    assert ann.wrong == []
