"""The Containerfile, the lock and the systemd unit: what they say holds, and the commands in them work for an ordinary user."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from deploying import INSTALLED, ROOT, Step, last_stage, settings, started, steps, until_healthy, variables
from packaging.requirements import Requirement

CONTAINERFILE = (ROOT / "Containerfile").read_text()
UNIT = (ROOT / "deploy" / "kortlek.service").read_text()
LOCK = (ROOT / "deploy" / "requirements.lock").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the commands of this environment, as if it were /opt/kortlek."""
    (tmp_path / "bin").mkdir()
    for name, words in {"kortlek": "-m kortlek", "python": ""}.items():
        (tmp_path / "bin" / name).write_text(f'#!/bin/sh\nPYTHONPATH={ROOT}/src exec {sys.executable} {words} "$@"\n')
        (tmp_path / "bin" / name).chmod(0o755)
    for name in ("data", "cache"):
        (tmp_path / name).mkdir()
    return tmp_path


def one(name: str) -> Step:
    """The only instruction of a kind in the last stage."""
    [found] = [step for step in last_stage(CONTAINERFILE) if step.name == name]
    return found


# ---- the container


def test_the_image_is_small_pinned_and_not_run_by_root() -> None:
    images = [step.text.split()[0] for step in steps(CONTAINERFILE) if step.name == "FROM"]
    assert len(images) == 2 and all(":" in image and not image.endswith(":latest") for image in images)
    copied = [step for step in last_stage(CONTAINERFILE) if step.name in ("COPY", "ADD")]
    assert [step.text for step in copied] == [f"--from=build {INSTALLED} {INSTALLED}"]
    user = one("USER").text.split(":")
    assert all(each.isdigit() and int(each) > 0 for each in user)
    assert one("VOLUME").text == one("ENV").text.split("KORTLEK_DATA=")[1].split()[0] == "/data"
    assert one("EXPOSE").text == "8642"
    assert any(step.name == "RUN" and "/data" in step.text and f"-o {user[0]}" in step.text for step in last_stage(CONTAINERFILE))


def test_the_image_is_made_from_the_lock() -> None:
    installing = [step.text for step in steps(CONTAINERFILE) if step.name == "RUN" and "pip install" in step.text]
    assert len(installing) == 2
    assert "--require-hashes -r /src/deploy/requirements.lock" in installing[0] and "--no-deps /src" in installing[1]


def test_the_container_serves_and_is_found_healthy(folder: Path) -> None:
    environment = variables(one("ENV").text.replace("$PATH", "/usr/bin:/bin"))
    assert environment["PATH"].startswith(f"{INSTALLED}/bin:")
    environment = {name: value.replace(INSTALLED, str(folder)).replace("/data", f"{folder}/data") for name, value in environment.items()}
    check = one("HEALTHCHECK").command()
    assert check[0] == "python" and one("ENTRYPOINT").command() == ["kortlek"]
    command = [f"{folder}/bin/kortlek", *one("CMD").command()]
    with started(command, environment, folder) as (port, process):
        asks = {**environment, "KORTLEK_PORT": str(port)}
        until_healthy([f"{folder}/bin/python", *check[1:]], asks, process, folder / "log")
        assert (folder / "data" / "tables.db").is_file()
    assert process.returncode == 0
    unhealthy = subprocess.run([f"{folder}/bin/python", *check[1:]], env=asks, capture_output=True)
    assert unhealthy.returncode == 1


# ---- the lock


def test_the_lock_fits_the_requirements() -> None:
    """If this fails, run make lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(each for extra in ("fast", "table", "postgres") for each in project["optional-dependencies"][extra])]
    pinned = [Requirement(line.removesuffix("\\")) for line in LOCK.splitlines() if line and not line.startswith((" ", "#"))]
    versions: dict[str, list[str]] = {}
    for each in pinned:
        [exact] = each.specifier
        assert exact.operator == "=="
        versions.setdefault(each.name.lower().replace("_", "-").replace(".", "-"), []).append(exact.version)
    for requirement in map(Requirement, wanted):
        name = requirement.name.lower().replace("_", "-").replace(".", "-")
        assert name in versions, f"{name} is not locked"
        assert all(requirement.specifier.contains(version) for version in versions[name]), requirement


def test_everything_in_the_lock_has_hashes_and_no_address() -> None:
    entries = LOCK.replace("\\\n", " ").splitlines()
    assert all("--hash=sha256:" in entry for entry in entries if entry and not entry.startswith("#"))
    assert "://" not in LOCK


# ---- the service


def test_the_unit_is_hardened() -> None:
    unit = settings(UNIT)
    for name in ("DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectKernelTunables"):
        assert unit[name] == ["yes"]
    assert unit["ProtectSystem"] == ["strict"] and unit["Restart"] == ["on-failure"] and unit["CapabilityBoundingSet"] == [""]
    assert unit["StateDirectory"] == unit["CacheDirectory"] == ["kortlek"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this machine has no systemd")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    (tmp_path / "kortlek.service").write_text(UNIT.replace(f"{INSTALLED}/bin/kortlek", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", tmp_path / "kortlek.service"], capture_output=True, text=True)
    assert verified.returncode == 0 and verified.stderr == ""
    (tmp_path / "kortlek.service").write_text(UNIT.replace("ProtectSystem=strict", "ProtectSystem=strictly"))
    assert subprocess.run(["systemd-analyze", "verify", tmp_path / "kortlek.service"], capture_output=True, text=True).stderr


def test_the_service_starts_with_its_command(folder: Path) -> None:
    unit = settings(UNIT)
    [command], [given] = unit["ExecStart"], unit["Environment"]
    environment = variables(given.replace("%S/kortlek", f"{folder}/data").replace("%C/kortlek", f"{folder}/cache"))
    assert not [value for value in environment.values() if "%" in value]
    with started(command.replace(INSTALLED, str(folder)).split(), environment, folder) as (port, process):
        check = [f"{folder}/bin/python", *one("HEALTHCHECK").command()[1:]]
        until_healthy(check, {"KORTLEK_PORT": str(port)}, process, folder / "log")
        assert (folder / "data" / "tables.db").is_file()
    assert process.returncode == 0
