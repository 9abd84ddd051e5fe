"""What the tests of a file share: a server and a browser take seconds to start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server, at which each test has tables of its own."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def one_browser() -> Iterator[Browser]:
    """The browser itself. While it is there, nothing else in the process can have an event loop."""
    from browsing import browsing

    with browsing() as browser:
        yield browser


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """A browser for people who know nothing of those in other tests, and are gone afterwards."""
    yield one_browser
    for context in one_browser.contexts:
        context.close()
