"""Build hooks: the page (web/) is built into the package, also for an editable install, and the README is made fit for a package index."""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")
"""A link or a picture whose target is a file of this project."""


class PageHook(BuildHookInterface[Any]):
    """Builds the page. Node comes from PyPI, as a build requirement. An sdist contains the page already. KORTLEK_NO_PAGE=1 leaves the page out."""

    PLUGIN_NAME = "custom"

    @property
    def builds_page(self) -> bool:
        """Whether the page has to be built here. PKG-INFO is in every sdist, and nowhere else."""
        return not (Path(self.root) / "PKG-INFO").is_file() and not os.environ.get("KORTLEK_NO_PAGE")

    def dependencies(self) -> list[str]:
        """Node, if the page has to be built."""
        return [self.config["node"]] if self.builds_page else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless it exists and is newer than all its sources."""
        if self.builds_page and runpy.run_path(str(Path(self.root) / "web" / "build.py"))["build_if_needed"]():
            raise RuntimeError("The page could not be built.")


class ReadmeHook(MetadataHookInterface):
    """Makes README.md the description of the package."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata, with links and pictures as the configuration says."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text, self.config["links"], self.config["pictures"])}


def for_index(text: str, links: str, pictures: str) -> str:
    """A README whose links to files of the project begin with ``links``, and its pictures with ``pictures``. On a package index, relative ones would
    be dead: without a prefix, links become plain text, and pictures are left out."""

    def replace(found: re.Match[str]) -> str:
        picture, label, target = found.groups()
        prefix = pictures if picture else links
        if prefix:
            return f"{picture}[{label}]({prefix}{target})"
        return "" if picture else label

    return re.sub(r"\n{3,}", "\n\n", RELATIVE_LINK.sub(replace, text))
