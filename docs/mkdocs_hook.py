"""The pages of the documentation site (mkdocs.yml): files keep their paths in the repository, so that links between them work in both places."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import kortlek

ROOT = Path(__file__).parent.parent
COPIED = ["*.md", "docs/*.md", "docs/*/*.md", "docs/*/*.svg", "docs/*/*.webp", "src/kortlek/games/*/rules.*.md", "web/public/mark.svg"]
SHOWN = ["LICENSE", "compose.yaml", "deploy/nginx.conf", "docs/examples/*.py"]
"""Files that become pages which show their text: a browser would save them."""
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)")


def matching(patterns: list[str]) -> list[str]:
    """The files of the repository that match any pattern."""
    return [path.relative_to(ROOT).as_posix() for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace what MkDocs found in docs/ by files of the whole repository."""
    for found in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(found)
    for path in matching(COPIED):
        files.append(File(path, str(ROOT), config.site_dir, config.use_directory_urls))
    for path in matching(SHOWN):
        files.append(File.generated(config, f"{path}.md", content=listing(path)))
    files.append(File.generated(config, "docs/api-reference.md", content=reference()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files that are shown lead to their pages."""
    folder, shown = posixpath.dirname(page.file.src_uri), set(matching(SHOWN))
    return LINK.sub(lambda found: found[1] + ".md" * (posixpath.normpath(posixpath.join(folder, found[1])) in shown), markdown)


def listing(path: str) -> str:
    """A page with the text of a file."""
    language = "python" if path.endswith(".py") else "text"
    return f"# {posixpath.basename(path)}\n\n```{language}\n{(ROOT / path).read_text(encoding='utf-8')}```\n"


def reference() -> str:
    """A page with the docstrings of all public names."""
    public = [name for name in kortlek.__all__ if not name.startswith("__")]
    return "# All public names\n\n" + "\n\n".join(f"::: kortlek.{name}" for name in public)
