"""The Chromium that tests look at the page with. ``python tests/chromium.py`` finds one, or installs it: ``make test`` does so first.

One may be named by KORTLEK_CHROMIUM; then comes the one that playwright keeps for itself, then any on the PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMED = "KORTLEK_CHROMIUM"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first has the same engine and no windows, for which the others do much that nobody sees."""
MISSING = f"There is no Chromium for the tests in a browser, and none could be installed: install one, or name it with {NAMED}=/path/to/chromium."
QUIET = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")


def arguments() -> list[str]:
    """How it is started: it asks nobody for anything. Root has no sandbox."""
    return [*QUIET, *(["--no-sandbox"] if os.geteuid() == 0 else [])]


def find(own: str) -> str | None:
    """The first that can be started; ``own`` is where playwright would keep its own."""
    if named := os.environ.get(NAMED):
        return named if starts(named) else None
    return next((path for path in (own, *map(shutil.which, NAMES)) if path and starts(path)), None)


def starts(path: str) -> bool:
    """Whether it is there, with all the libraries that it needs."""
    try:
        return Path(path).is_file() and subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install(own: str) -> str | None:
    """Install playwright's own; if that fails, and we may, the system's."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if not find(own) and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["update"], *(["install", "-y", "--no-install-recommends", name] for name in NAMES[:2])):
            if not find(own):
                subprocess.run(["apt-get", *command], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)
    return find(own)


def main() -> int:
    """Say which it is; 1 if there is none."""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    path = find(own) or (None if os.environ.get(NAMED) else install(own))
    print(f"The page is tested with {path}." if path else MISSING, file=sys.stdout if path else sys.stderr)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main())
