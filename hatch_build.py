"""Build hook: builds the page (web/) into the package before the package itself is built, also for an editable install."""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Builds the page. Node comes from PyPI, as a build requirement. KORTLEK_NO_PAGE=1 leaves the page out."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless it exists and is newer than all its sources."""
        script = Path(self.root) / "web" / "build.py"
        if script.is_file() and not os.environ.get("KORTLEK_NO_PAGE"):
            code = runpy.run_path(str(script))["build_if_needed"]()
            if code:
                raise RuntimeError("The page could not be built.")
