"""Fixtures that the tests of a module share, because a server and a browser take seconds to start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for the whole module; each test opens tables of its own."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def one_browser() -> Iterator[Browser]:
    """The browser process. While it runs, nothing else in this process can run an event loop."""
    from browsing import browsing

    with browsing() as browser:
        yield browser


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """The browser; its contexts are closed after each test, so that tests do not share cookies or storage."""
    yield one_browser
    for context in one_browser.contexts:
        context.close()
