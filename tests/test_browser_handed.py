"""The link of ``kortlek tables hand-over`` in a browser: a player who has lost hers is back in her seat."""

from __future__ import annotations

import json
from pathlib import Path

from browsing import Person
from playwright.sync_api import Browser, expect
from running import start
from serving import DEADLINE, serving


def test_a_link_gives_a_player_her_seat_back(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        before = Person(browser, "Ann", server.url, options={"largest_round": 2})
        code = before.open_table("Up and Down")
        server.stop()
        handing = start("tables", "hand-over", code, 1, "--data", tmp_path, "--server", server.url, "--json")
        link = json.loads(handing.communicate(timeout=DEADLINE)[0])["link"]
        server.start()
        after = Person(browser, "", server.url)
        after.page.goto(link)
        deal = after.page.get_by_role("button", name="Deal the cards")
        expect(deal).to_be_visible()
        assert after.page.url == f"{server.url}/t/{code}"
        after.page.reload()
        expect(deal).to_be_visible()
        after.page.goto(server.url)
        expect(after.page.get_by_role("button", name="Continue")).to_be_visible()
        expect(after.page.get_by_role("main")).to_contain_text("Up and Down")
        before.page.goto(f"{server.url}/t/{code}")
        expect(before.page.get_by_role("alert")).to_contain_text("This token is not one of this table's")
        assert not after.wrong
