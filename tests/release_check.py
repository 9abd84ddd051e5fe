"""What a release needs, and takes minutes and a network: ``make release-check``. Not part of ``make test``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from deploying import INSTALLED, ROOT, last_stage, started, steps, until_healthy, variables

CONTAINERFILE = (ROOT / "Containerfile").read_text()
IGNORED = (".git", ".venv*", "__pycache__", "node_modules", "dist", "site", "*.nb[ic]")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that an ordinary user may enter, unlike pytest's own."""
    path = Path(tempfile.mkdtemp(prefix="kortlek-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def run(command: str | list[str], **how: object) -> None:
    """Run a command that has to succeed."""
    ran = subprocess.run(command, shell=isinstance(command, str), capture_output=True, text=True, **how)  # type: ignore[call-overload]
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"


def test_the_steps_of_the_containerfile_make_a_server(folder: Path) -> None:
    """Every RUN of the first stage in a folder, then the server of the second, and its health check."""
    moved = {INSTALLED: f"{folder}/opt", "/src": f"{folder}/src", "/data": f"{folder}/data"}

    def here(text: str) -> str:
        for path, instead in moved.items():
            text = text.replace(path, instead)
        return text

    shutil.copytree(ROOT, folder / "src", ignore=shutil.ignore_patterns(*IGNORED))
    (folder / "data").mkdir()
    path = f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin"
    whole = steps(CONTAINERFILE)
    for step in whole[: whole.index(last_stage(CONTAINERFILE)[0], 1)]:
        if step.name == "RUN":
            run(here(step.text), env={**os.environ, "PATH": path, "PYTHONPATH": ""}, cwd="/")
    assert not (folder / "opt" / "bin" / "pip").exists()
    last = {step.name: step for step in last_stage(CONTAINERFILE)}
    environment = {name: here(value) for name, value in variables(last["ENV"].text.replace("$PATH", "/usr/bin:/bin")).items()}
    command = [f"{folder}/opt/bin/{last['ENTRYPOINT'].command()[0]}", *last["CMD"].command()]
    with started(command, environment, folder) as (port, process):
        check = [f"{folder}/opt/bin/python", *last["HEALTHCHECK"].command()[1:]]
        until_healthy(check, {**environment, "KORTLEK_PORT": str(port)}, process, folder / "log")
    assert process.returncode == 0


def test_an_sdist_is_installed_where_there_is_no_node(folder: Path) -> None:
    run([sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(ROOT)])
    [sdist] = folder.glob("kortlek-*.tar.gz")
    run([sys.executable, "-m", "venv", str(folder / "new")])
    nothing = {**os.environ, "PATH": "/nowhere", "PYTHONPATH": ""}
    run([f"{folder}/new/bin/python", "-m", "pip", "install", "--quiet", f"{sdist}[table]"], env=nothing, cwd="/")
    run([f"{folder}/new/bin/kortlek", "games"], env=nothing, cwd="/")
    page = next((folder / "new").glob("lib/python*/site-packages/kortlek/page/index.html"))
    assert 'id="page"' in page.read_text()
