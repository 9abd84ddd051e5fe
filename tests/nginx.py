"""nginx for tests: found on the PATH or, by root on Debian, installed. Without it, the tests that need it are skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

MISSING = "nginx is not there and could not be installed: apt-get install nginx"


@cache
def find_nginx() -> str | None:
    """The path of nginx."""
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if not found and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["update"], ["install", "-y", "--no-install-recommends", "nginx-light"]):
            subprocess.run(["apt-get", "-q", *command], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, capture_output=True, check=False)
        found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    return found
