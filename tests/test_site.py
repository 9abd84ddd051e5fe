"""The documentation site: built without a warning (no dead link), and no page asks another host for anything."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kortlek

ROOT = Path(__file__).parent.parent


def build(root: Path, into: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a tree, strictly."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(into)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site."""
    folder = tmp_path_factory.mktemp("site")
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stderr
    return folder


def test_every_document_is_a_page(site: Path) -> None:
    documents = [*ROOT.glob("docs/*.md"), *ROOT.glob("src/kortlek/games/*/rules.*.md"), *ROOT.glob("docs/examples/*.py")]
    names = [str(path.relative_to(ROOT)).removesuffix(".md") for path in documents]
    assert not [name for name in ["index", "CONTRIBUTING", "SECURITY", "LICENSE", *names] if not (site / f"{name}.html").is_file()]
    assert "A trick of Plump on the page" in (site / "index.html").read_text()


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    page = (site / "docs" / "api-reference.html").read_text()
    assert not [name for name in kortlek.__all__ if not name.startswith("__") and f'id="kortlek.{name}"' not in page]
    assert "The legal choices of the player in turn, in notation" in page


def test_no_page_asks_another_host(site: Path) -> None:
    loaded = r"<(?:script|img|iframe)[^>]+src=\"?(?:https?:)?//|<link[^>]+href=\"?(?:https?:)?//|@import|url\(\"?(?:https?:)?//"
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(files) > 40
    assert not [path for path in files if re.search(loaded, path.read_text())]


def test_search_finds_what_the_pages_say(site: Path) -> None:
    assert "commitment" in (site / "search" / "search_index.json").read_text()


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    """A dead link, a dead anchor, and a page without a place in the menu."""
    skipped = shutil.ignore_patterns("__pycache__", "*.nb[ic]")
    for name in ("docs", "src/kortlek/games", "web/public"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skipped)
    for path in [*ROOT.glob("*.md"), ROOT / "mkdocs.yml", ROOT / "LICENSE"]:
        shutil.copy(path, tmp_path)
    for page, says in {"docs/lab.md": "[dead](nowhere.md)", "README.md": "[dead](docs/serving.md#nothing)", "docs/lost.md": "# Lost"}.items():
        with (tmp_path / page).open("a") as document:
            document.write(f"\n{says}\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode == 1
    warnings = "\n".join(re.findall(r"^WARNING.*(?:\n  .*)*", built.stderr, re.M))
    assert "nowhere.md" in warnings and "#nothing" in warnings and "docs/lost.md" in warnings
