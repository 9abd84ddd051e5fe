"""The Chromium of the browser tests. ``python tests/chromium.py`` finds one or installs it; ``make test`` runs that first.

Tried in this order: the one named by KORTLEK_CHROMIUM, playwright's own, any on the PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMED = "KORTLEK_CHROMIUM"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Executables to look for on the PATH. The headless shell comes first: it has the same engine without the work of drawing windows."""
MISSING = f"There is no Chromium for the tests in a browser, and none could be installed: install one, or name it with {NAMED}=/path/to/chromium."
QUIET = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")


def arguments() -> list[str]:
    """Command-line arguments: no background requests, and no sandbox for root."""
    return [*QUIET, *(["--no-sandbox"] if os.geteuid() == 0 else [])]


def find(own: str) -> str | None:
    """The path of the first Chromium that starts; ``own`` is the path of playwright's own."""
    if named := os.environ.get(NAMED):
        return named if starts(named) else None
    return next((path for path in (own, *map(shutil.which, NAMES)) if path and starts(path)), None)


def starts(path: str) -> bool:
    """Whether this Chromium exists, with all the libraries that it needs."""
    try:
        return Path(path).is_file() and subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install(own: str) -> str | None:
    """Install playwright's own Chromium; if that fails and the user is root, that of the system."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if not find(own) and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["update"], *(["install", "-y", "--no-install-recommends", name] for name in NAMES[:2])):
            if not find(own):
                subprocess.run(["apt-get", *command], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)
    return find(own)


def main() -> int:
    """Print the path of the Chromium; return 1 if there is none."""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    path = find(own) or (None if os.environ.get(NAMED) else install(own))
    print(f"The page is tested with {path}." if path else MISSING, file=sys.stdout if path else sys.stderr)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main())
