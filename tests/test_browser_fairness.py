"""The page verifies every match from what it kept itself: the promise that it saw, and the number that it sent. It finds out servers that cheat."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import PLAIN_HOST, Person, play
from cheating_server import CHEATS
from forking import forked
from playwright.sync_api import Browser, Locator, expect
from running import run
from serving import Server, wait_for

from kortlek.engine.fairness import read_seed
from kortlek.engine.record import from_line
from kortlek.engine.verify import Kept, check

TINY: dict[str, Any] = {"players": 2, "levels": ["house"], "options": {"largest_round": 1}}
"""A match of a few choices against a bot that does not think."""
WEB = Path(__file__).parent.parent / "web" / "src"
KEPT = "() => JSON.parse(localStorage.getItem('kortlek-promises') ?? '{}')"


def verdict(one: Person) -> Locator:
    """What the page says about the shuffle, opened."""
    box = one.page.locator("details.verify")
    expect(box.locator("li").first).to_be_attached()
    box.evaluate("each => each.open = true")
    return box


def plays_a_match(browser: Browser, url: str, **settings: Any) -> Person:
    ann = Person(browser, "Ann", url, **(TINY | settings))
    ann.play_now("Up and Down")
    play([ann], lambda: ann.is_done)
    return ann


def plays_the_next_match(one: Person) -> None:
    expect(one.page.locator(".ending")).to_have_count(0)
    play([one], lambda: one.is_done)


def record_of(server: Server, one: Person) -> str:
    return server.ask("GET", f"/api/tables/{one.code}/record", token=token_of(one))[1]


def token_of(one: Person) -> str:
    return str(one.page.evaluate(f"() => JSON.parse(localStorage.getItem('kortlek')).tables['{one.code}'].token"))


def test_an_honest_match_and_its_rematch_are_verified(server: Server, browser: Browser, tmp_path: Path) -> None:
    ann = plays_a_match(browser, server.url)
    kept = []
    for match in (1, 2):
        box = verdict(ann)
        expect(box.locator("summary")).to_have_text(re.compile(": verified$"))
        expect(box).to_contain_text(f"The secret is the one that was promised before match {match} of table {ann.code} began.")
        expect(box).to_contain_text(f"The number that this browser sent for seat {match} was used.")
        expect(box).to_contain_text("All 2 shuffles follow from the secret and the numbers, card by card.")
        own = ann.page.evaluate(KEPT)[ann.code][str(match)]
        kept.append(own)
        [number] = own["numbers"].values()
        record = from_line(record_of(server, ann))
        check(record, Kept(own["promise"], ann.code, match, number, match - 1))
        (tmp_path / "match.jsonl").write_text(record_of(server, ann))
        command = box.locator("code").inner_text().split()
        assert command[:3] == ["kortlek", "verify", f"kortlek-up_and_down-{ann.code}.jsonl"]
        assert "yours among them" in run("verify", tmp_path / "match.jsonl", *command[3:]).out
        if match == 1:
            ann.page.get_by_role("button", name="Again, one seat on").click()
            plays_the_next_match(ann)
    assert kept[0]["promise"] != kept[1]["promise"] and kept[0]["numbers"]["0"] != kept[1]["numbers"]["0"]


@pytest.mark.parametrize("name", CHEATS)
def test_the_page_finds_a_server_that_cheats(name: str, browser: Browser, tmp_path: Path) -> None:
    with forked(tmp_path, name) as server:
        ann = plays_a_match(browser, server.url)
        box = verdict(ann)
        expect(box.locator("summary")).to_have_text(re.compile(": something is wrong$"))
        expect(box.get_by_role("alert").locator("li.no").filter(has_text=CHEATS[name][1])).to_be_visible()
        assert not ann.wrong


def test_the_page_finds_a_server_that_uses_old_numbers_in_a_rematch(browser: Browser, tmp_path: Path) -> None:
    with forked(tmp_path, "secret_chosen_for_the_numbers_of_the_last_match") as server:
        ann = plays_a_match(browser, server.url)
        expect(verdict(ann).locator("summary")).to_have_text(re.compile(": verified$"))
        ann.page.get_by_role("button", name="Play again").click()
        plays_the_next_match(ann)
        found = verdict(ann).get_by_role("alert").locator("li.no")
        expect(found).to_have_text("For seat 1 another number was used than the one that this browser sent.")


def test_a_match_that_the_server_gave_up_is_counted(browser: Browser, tmp_path: Path) -> None:
    with forked(tmp_path, "matches_given_up") as server:
        ann = Person(browser, "Ann", server.url, **TINY)
        code = ann.play_now("Up and Down")
        wait_for(lambda: ann.can_act, "her turn in the first match")
        server.post(f"/api/tables/{code}/messages", {"do": "start"}, token_of(ann))
        play([ann], lambda: server.get(f"/api/tables/{code}")["table"]["match_number"] == 2 and ann.is_done)
        expect(verdict(ann).locator("summary")).to_have_text(re.compile(": not all verified$"))
        says = ["No number was used for seat 1", "This browser answered the promise of match 1 at this table, but has not seen that match end."]
        expect(verdict(ann).locator("li.note")).to_contain_text(says)


@pytest.mark.parametrize(("name", "says"), [("", ": verified"), ("numbers_left_out", ": something is wrong")])
def test_the_page_verifies_on_plain_http_too(name: str, says: str, browser: Browser, tmp_path: Path) -> None:
    with forked(tmp_path, name) as server:
        ann = plays_a_match(browser, f"http://{PLAIN_HOST}:{server.port}")
        assert ann.page.evaluate("() => [isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
        expect(verdict(ann).locator("summary")).to_have_text(re.compile(f"{says}$"))


def test_everybody_sends_a_number_and_it_is_used(server: Server, browser: Browser) -> None:
    ann, bo = Person(browser, "Ann", server.url, players=2, options={"largest_round": 1}), Person(browser, "Bo", server.url)
    code = ann.open_table("Up and Down")
    bo.sit_down(code)
    ann.deal()
    play([ann, bo], lambda: ann.is_done and bo.is_done)
    seed = read_seed(from_line(record_of(server, ann)).seed)
    for seat, one in enumerate((ann, bo)):
        assert one.page.evaluate(KEPT)[code]["1"]["numbers"] == {str(seat): seed.luck[seat]}
        expect(verdict(one).locator("summary")).to_have_text(re.compile(": verified$"))


def test_a_match_does_not_wait_for_somebody_who_sends_no_number(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url, players=2, options={"largest_round": 1})
    code = ann.open_table("Up and Down")
    server.post(f"/api/tables/{code}/join", {"name": "Bo"})
    expect(ann.page.locator(".ws").get_by_text("Bo", exact=True)).to_be_visible()
    ann.deal()
    expect(ann.page.locator("#prompt")).to_be_visible()
    assert server.get(f"/api/tables/{code}")["table"]["match_number"] == 1


def test_another_device_says_what_it_cannot_know(server: Server, browser: Browser) -> None:
    """A second browser with the same token has not sent the number, and one that came during the match has not seen the promise."""
    ann = Person(browser, "Ann", server.url, players=2, options={"largest_round": 1})
    code = ann.open_table("Up and Down")
    wait_for(lambda: server.get(f"/api/tables/{code}")["table"]["seats"][0]["luck"], "a number")
    known = ann.page.evaluate("() => localStorage.getItem('kortlek')")
    second = Person(browser, "Ann", server.url)
    second.context.add_init_script(f"localStorage.setItem('kortlek', {json.dumps(known)})")
    second.page.goto(f"{server.url}/t/{code}")
    wait_for(lambda: second.page.evaluate(KEPT).get(code, {}).get("1"), "the promise")
    ann.page.get_by_label("Level").last.select_option("house")
    ann.deal()
    expect(second.page.locator("#prompt")).to_be_visible()
    third = Person(browser, "Ann", server.url)
    third.context.add_init_script(f"localStorage.setItem('kortlek', {json.dumps(known)})")
    third.page.goto(f"{server.url}/t/{code}")
    expect(third.page.locator("#prompt")).to_be_visible()
    play([ann], lambda: ann.is_done and second.is_done and third.is_done)
    expect(verdict(ann).locator("summary")).to_have_text(re.compile(": verified$"))
    for one, says in [
        (second, "A number was used for seat 1 that this browser did not send."),
        (third, "This browser has not seen the promise before"),
    ]:
        expect(verdict(one).locator("summary")).to_have_text(re.compile(": not all verified$"))
        expect(verdict(one).locator("li.note")).to_contain_text([says])


def test_a_number_is_kept_when_the_page_is_loaded_again(server: Server, browser: Browser) -> None:
    ann = Person(browser, "Ann", server.url, players=2, options={"largest_round": 1})
    code = ann.open_table("Up and Down")
    wait_for(lambda: server.get(f"/api/tables/{code}")["table"]["seats"][0]["luck"], "a number")
    before = ann.page.evaluate(KEPT)
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name="Ask friends in")).to_be_visible()
    assert ann.page.evaluate(KEPT) == before
    assert before[code]["1"]["numbers"] == {"0": server.get(f"/api/tables/{code}")["table"]["seats"][0]["luck"]}


def test_the_pages_hashes_are_those_of_the_standards(browser: Browser) -> None:
    """The page's own SHA-256 and HMAC, of messages and keys around the length of a block."""
    typed = (WEB / "lib" / "sha256.ts").read_text()
    script = re.sub(r": (?:number|Uint8Array(?:\[\])?|DataView)(?=[,)= ])", "", typed).replace("export function", "window.f = function")
    rng = random.Random(5)
    messages = [rng.randbytes(length) for length in [*range(140), 1000, 4096]]
    keys = [rng.randbytes(length) for length in (0, 1, 32, 63, 64, 65, 130)]
    page = browser.new_page()
    page.add_script_tag(content=re.sub(r"window\.f = function (\w+)", r"window.\1 = function \1", script))
    hashed = page.evaluate("messages => messages.map((each) => [...sha256(Uint8Array.from(each))])", [list(each) for each in messages])
    assert [bytes(each) for each in hashed] == [hashlib.sha256(each).digest() for each in messages]
    pairs = [(key, message) for key in keys for message in messages[::20]]
    keyed = page.evaluate(
        "pairs => pairs.map(([key, each]) => [...hmac(Uint8Array.from(key), Uint8Array.from(each))])", [list(map(list, pair)) for pair in pairs]
    )
    assert [bytes(each) for each in keyed] == [hmac.digest(key, message, "sha256") for key, message in pairs]
